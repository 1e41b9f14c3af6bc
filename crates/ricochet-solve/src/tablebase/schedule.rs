//! Which jobs of a layer may run at the same time.
//!
//! Two rests of one class touch a common configuration only if they differ in a single member. So
//! the cells are cut into groups, a job has one multiset of groups for its fixed members, and two
//! jobs of one class are kept apart only if they have all but one group in common: with three
//! helpers the jobs are pairs of groups, and `01` may run beside `23` but not beside `02`. If there
//! are other classes, their part of the number is cut instead, and no two jobs of a class meet.
//!
//! There is no fixed order: whoever is free takes the largest job that nothing running forbids.

use std::ops::Range;
use std::sync::{Condvar, Mutex, PoisonError};

use super::rests::Job;
use super::space::Space;

/// A job and the groups of its fixed members.
#[derive(Clone, Debug)]
struct Piece {
    job: Job,
    /// Ascending; `None` for a cut of the other classes' number.
    groups: Option<Vec<usize>>,
}

impl Piece {
    /// Whether no configuration belongs to both.
    fn is_apart_from(&self, other: &Self) -> bool {
        self.job.class == other.job.class
            && match (&self.groups, &other.groups) {
                (Some(a), Some(b)) => common(a, b) + 2 <= a.len(),
                (None, None) => true,
                _ => false,
            }
    }
}

/// All jobs of a layer, the largest of each class first.
#[derive(Clone, Debug)]
pub(crate) struct Schedule {
    pieces: Vec<Piece>,
}

impl Schedule {
    /// All rests of all classes, cut for so many threads.
    pub(crate) fn new(space: &Space, threads: usize) -> Self {
        let classes = 0..space.classes().len();
        Self {
            pieces: classes
                .flat_map(|class| pieces(space, class, threads))
                .collect(),
        }
    }

    /// A fresh round: no job is taken.
    pub(crate) fn begin(&self) -> Round<'_> {
        Round {
            schedule: self,
            state: Mutex::new(State {
                waiting: (0..self.pieces.len()).collect(),
                running: Vec::new(),
            }),
            ended: Condvar::new(),
        }
    }
}

/// The jobs of one layer on their way.
#[derive(Debug)]
pub(crate) struct Round<'a> {
    schedule: &'a Schedule,
    state: Mutex<State>,
    ended: Condvar,
}

#[derive(Debug)]
struct State {
    waiting: Vec<usize>,
    running: Vec<usize>,
}

/// A job that is running. When it is dropped, jobs that it kept waiting may begin.
#[derive(Debug)]
pub(crate) struct Running<'a> {
    round: &'a Round<'a>,
    number: usize,
}

impl Round<'_> {
    /// A job that is apart from all that are running; waits for one if need be. `None` when all
    /// are taken.
    pub(crate) fn take(&self) -> Option<Running<'_>> {
        let pieces = &self.schedule.pieces;
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if state.waiting.is_empty() {
                return None;
            }
            let free = state.waiting.iter().position(|&number| {
                let mut running = state.running.iter();
                running.all(|&other| pieces[number].is_apart_from(&pieces[other]))
            });
            if let Some(at) = free {
                let number = state.waiting.remove(at);
                state.running.push(number);
                return Some(Running {
                    round: self,
                    number,
                });
            }
            state = self
                .ended
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Running<'_> {
    pub(crate) fn job(&self) -> &Job {
        &self.round.schedule.pieces[self.number].job
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let mut state = self
            .round
            .state
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        state.running.retain(|&number| number != self.number);
        drop(state);
        self.round.ended.notify_all();
    }
}

/// All rests of a class in jobs.
fn pieces(space: &Space, class: usize, threads: usize) -> Vec<Piece> {
    let cells = space.bits().len();
    let fixed = space.classes()[class].robots.len() - 1;
    let others = Job::others_of(space, class);
    if threads > 1 && others > 1 {
        // Different places of the other classes are different configurations.
        let jobs = (threads * 4).min(others);
        let cut = |i: usize| others * i / jobs;
        let all_cells = vec![0..cells as u16; fixed];
        return (0..jobs)
            .map(|i| Piece {
                job: Job::new(class, cut(i)..cut(i + 1), &all_cells),
                groups: None,
            })
            .collect();
    }
    if threads == 1 || fixed < 2 {
        return vec![Piece {
            job: Job::whole(space, class),
            groups: Some(vec![0; fixed]),
        }];
    }
    let groups = 2 * threads + 2;
    let cut = |i: usize| (cells * i / groups) as u16;
    let mut pieces = Vec::new();
    for_each_multiset(groups, fixed, &mut |multiset| {
        let ranges: Vec<Range<u16>> = multiset.iter().map(|&g| cut(g)..cut(g + 1)).collect();
        pieces.push(Piece {
            job: Job::new(class, 0..others, &ranges),
            groups: Some(multiset.to_vec()),
        });
    });
    pieces.sort_by_key(|piece| std::cmp::Reverse(piece.job.weight()));
    pieces
}

/// Calls `visit` with all ascending lists of `len` groups.
fn for_each_multiset(groups: usize, len: usize, visit: &mut impl FnMut(&[usize])) {
    let mut list = vec![0; len];
    loop {
        visit(&list);
        let Some(i) = (0..len).rev().find(|&i| list[i] + 1 < groups) else {
            return;
        };
        let next = list[i] + 1;
        list[i..].fill(next);
    }
}

/// How many elements two ascending lists have in common, repeated ones as often as in both.
fn common(a: &[usize], b: &[usize]) -> usize {
    let mut rest = b.to_vec();
    a.iter()
        .filter(|x| {
            let at = rest.iter().position(|y| y == *x);
            at.map(|at| rest.swap_remove(at)).is_some()
        })
        .count()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use ricochet::{Board, Cell, Goal, Lean, Puzzle, Robot};

    use super::*;

    /// All configurations that a job may touch.
    fn touched(space: &Space, job: &Job) -> HashSet<usize> {
        let mut all = HashSet::new();
        let stride = space.classes()[job.class].stride;
        let mut walk = job.walk(space);
        while let Some(rest) = walk.next() {
            for rank in 0..=rest.fixed_len {
                let segment = rest.segment(space, job.class, rank);
                let row = space.binomial_row(rank + 1);
                all.extend(
                    segment
                        .places
                        .map(|place| segment.start + stride * row[place] as usize),
                );
            }
        }
        all
    }

    fn space(side: usize, robots: usize, diagonals: usize) -> Space {
        let mut builder = Board::builder(side, side);
        for i in 0..diagonals {
            let at = Cell::new(i as u8, 1);
            builder = builder.diagonal(at, Lean::Slash, Robot::new(i + 1).unwrap());
        }
        let cells: Vec<Cell> = (0..robots)
            .map(|i| Cell::new(i as u8 % 4, i as u8 / 4 * 2))
            .collect();
        let goal = Goal {
            robot: Some(Robot::RED),
            cell: Cell::new(3, 3),
        };
        Space::of(&Puzzle::new(builder.build().unwrap(), &cells, goal).unwrap()).unwrap()
    }

    /// What the threads rely on: jobs that may run at the same time touch no common configuration,
    /// and all jobs together have every rest once.
    #[test]
    fn jobs_that_run_together_are_apart() {
        for (side, robots, diagonals) in [(6, 4, 0), (4, 5, 0), (4, 6, 0), (4, 4, 1), (4, 4, 3)] {
            let space = space(side, robots, diagonals);
            for threads in 1..=4 {
                let schedule = Schedule::new(&space, threads);
                let sets: Vec<_> = schedule
                    .pieces
                    .iter()
                    .map(|piece| touched(&space, &piece.job))
                    .collect();
                let mut beside = 0;
                for (i, a) in schedule.pieces.iter().enumerate() {
                    for (j, b) in schedule.pieces.iter().enumerate().skip(i + 1) {
                        if a.is_apart_from(b) {
                            assert!(sets[i].is_disjoint(&sets[j]), "{a:?} {b:?}");
                            beside += 1;
                        }
                    }
                }
                assert_eq!(beside > 0, threads > 1, "{side} {robots} {diagonals}");
                for class in 0..space.classes().len() {
                    let rests = |job: &Job| job.weight();
                    let pieces = schedule.pieces.iter();
                    let of_class = pieces.filter(|piece| piece.job.class == class);
                    let all: u64 = of_class.map(|piece| rests(&piece.job)).sum();
                    assert_eq!(all, rests(&Job::whole(&space, class)));
                }
            }
        }
    }

    #[test]
    fn every_job_is_taken_once_and_waiting_ones_begin_when_they_may() {
        let space = space(6, 4, 0);
        let schedule = Schedule::new(&space, 3);
        let round = schedule.begin();
        let taken = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    while let Some(running) = round.take() {
                        taken.lock().unwrap().push(running.number);
                    }
                });
            }
        });
        let mut taken = taken.into_inner().unwrap();
        taken.sort_unstable();
        assert_eq!(taken, (0..schedule.pieces.len()).collect::<Vec<_>>());
    }
}
