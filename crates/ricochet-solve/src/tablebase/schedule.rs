//! Which jobs of a layer may run at the same time.
//!
//! Two rests of one class touch a common configuration only if they differ in a single member. So
//! the cells are cut into groups, and the configurations into parts by the multiset of their
//! members' groups. A job has one multiset of groups for its fixed members, and needs the parts that
//! any group of the moving member makes of it: with three helpers the jobs are pairs of groups, and
//! `01` may run beside `23` but not beside `02`, because both need the part `012`. If there are other
//! classes, their part of the number is cut instead, and no two jobs of a class meet.
//!
//! There is no fixed order: whoever is free takes the largest job whose parts nobody holds. That
//! jobs touch no other parts is what [`Claim`] asks for (see `columns` there); it is tested below,
//! and with debug assertions at every access.

use std::ops::Range;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::codes::Codes;
use super::rests::Job;
use super::space::Space;
use crate::flagship::shared::{Claim, Shared};

/// The jobs of a class, and how the table is cut for them.
#[derive(Clone, Debug)]
pub(crate) struct Schedule<'a> {
    space: &'a Space,
    /// The largest first.
    pieces: Vec<Piece>,
    /// The part of each configuration, if jobs are to be checked.
    part_of: Option<Vec<u16>>,
}

/// A job and the parts of the table that it needs.
#[derive(Clone, Debug)]
struct Piece {
    job: Job,
    parts: Vec<u16>,
}

impl<'a> Schedule<'a> {
    /// All rests of a class, cut for so many threads.
    pub(crate) fn new(space: &'a Space, class: usize, threads: usize) -> Self {
        let several_classes = Job::others_of(space, class) > 1;
        let several_fixed = space.classes()[class].robots.len() > 2;
        if threads > 1 && several_classes {
            Self::by_others(space, class, threads)
        } else if threads > 1 && several_fixed {
            Self::by_groups(space, threads)
        } else {
            Self::whole(space, class)
        }
    }

    /// Everything in one job.
    fn whole(space: &'a Space, class: usize) -> Self {
        Self {
            space,
            pieces: vec![Piece {
                job: Job::whole(space, class),
                parts: vec![0],
            }],
            part_of: CHECKED.then(|| vec![0; space.configurations()]),
        }
    }

    /// Cuts the number of all other classes: different places of those are different
    /// configurations.
    fn by_others(space: &'a Space, class: usize, threads: usize) -> Self {
        let others = Job::others_of(space, class);
        let jobs = (threads * 4).min(others).min(usize::from(u16::MAX));
        let cut = |i: usize| others * i / jobs;
        let fixed = space.classes()[class].robots.len() - 1;
        let all_cells = vec![0..space.bits().len() as u16; fixed];
        let pieces = (0..jobs).map(|i| Piece {
            job: Job::new(class, cut(i)..cut(i + 1), &all_cells),
            parts: vec![i as u16],
        });
        let class = &space.classes()[class];
        let part_of = (0..space.configurations()).map(|number| {
            let (below, above) = (number % class.stride, number / (class.stride * class.count));
            let other = below + class.stride * above;
            // The last `i` whose cut is not behind it.
            (((other + 1) * jobs - 1) / others) as u16
        });
        Self {
            space,
            pieces: pieces.collect(),
            part_of: CHECKED.then(|| part_of.collect()),
        }
    }

    /// Cuts the cells into groups. (For one class alone.)
    fn by_groups(space: &'a Space, threads: usize) -> Self {
        let cells = space.bits().len();
        let members = space.classes()[0].robots.len();
        let groups = group_count(threads, members);
        let cut = |i: usize| (cells * i / groups) as u16;
        let mut pieces = Vec::new();
        for_each_multiset(groups, members - 1, &mut |multiset| {
            let ranges: Vec<Range<u16>> = multiset.iter().map(|&g| cut(g)..cut(g + 1)).collect();
            let part = |moving: usize| {
                let mut all = multiset.to_vec();
                all.push(moving);
                all.sort_unstable();
                multiset_number(&all) as u16
            };
            pieces.push(Piece {
                job: Job::new(0, 0..1, &ranges),
                parts: (0..groups).map(part).collect(),
            });
        });
        pieces.sort_by_key(|piece| std::cmp::Reverse(piece.job.weight()));
        let group_of = || -> Vec<usize> {
            (0..groups)
                .flat_map(|group| (cut(group)..cut(group + 1)).map(move |_| group))
                .collect()
        };
        Self {
            space,
            pieces,
            part_of: CHECKED.then(|| parts_of_sets(&group_of(), members)),
        }
    }

    /// Whether one thread has to do everything.
    pub(crate) fn is_whole(&self) -> bool {
        self.pieces.len() == 1
    }

    /// A fresh round over a table: no job is taken.
    pub(crate) fn begin<'b>(&'b self, codes: &'b mut [Codes]) -> Round<'b> {
        Round {
            space: self.space,
            pieces: &self.pieces,
            table: Shared::new(codes, self.part_of.as_deref()),
            waiting: Mutex::new((0..self.pieces.len()).collect()),
            ended: Condvar::new(),
        }
    }
}

/// The jobs of one class and layer on their way.
#[derive(Debug)]
pub(crate) struct Round<'a> {
    space: &'a Space,
    pieces: &'a [Piece],
    table: Shared<'a, Codes>,
    /// Jobs that nobody has taken.
    waiting: Mutex<Vec<usize>>,
    ended: Condvar,
}

/// A job that is running. When it is dropped, jobs that it kept waiting may begin.
#[derive(Debug)]
pub(crate) struct Running<'a> {
    round: &'a Round<'a>,
    number: usize,
    /// Always there, until it is dropped.
    claim: Option<Claim<'a, Codes>>,
}

impl Round<'_> {
    /// A job whose parts nobody holds; waits for one if need be. `None` when all are taken.
    pub(crate) fn take(&self) -> Option<Running<'_>> {
        let mut waiting = self.waiting();
        while !waiting.is_empty() {
            let free = waiting.iter().enumerate().find_map(|(at, &number)| {
                let claim = self.table.claim(&self.pieces[number].parts)?;
                Some((at, claim))
            });
            if let Some((at, claim)) = free {
                return Some(Running {
                    round: self,
                    number: waiting.remove(at),
                    claim: Some(claim),
                });
            }
            waiting = self
                .ended
                .wait(waiting)
                .unwrap_or_else(PoisonError::into_inner);
        }
        None
    }

    fn waiting(&self) -> MutexGuard<'_, Vec<usize>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<'a> Running<'a> {
    pub(crate) fn job(&self) -> &'a Job {
        &self.round.pieces[self.number].job
    }

    /// What numbers the table.
    pub(crate) fn space(&self) -> &'a Space {
        self.round.space
    }

    /// The parts of the table that the job needs.
    pub(crate) fn claim(&self) -> &Claim<'a, Codes> {
        self.claim.as_ref().expect("held until it is dropped")
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.claim = None;
        // Whoever has just found nothing free waits by now, or will look again.
        drop(self.round.waiting());
        self.round.ended.notify_all();
    }
}

/// Into how many groups the cells are cut: enough that some job is free for every thread until
/// nearly all are done, as far as the parts can be numbered.
fn group_count(threads: usize, members: usize) -> usize {
    let parts = |groups: usize| multiset_number(&vec![groups - 1; members]);
    let wanted = GROUPS_A_THREAD * threads + 2;
    (1..=wanted)
        .take_while(|&groups| u16::try_from(parts(groups)).is_ok())
        .last()
        .unwrap_or(1)
}

/// More groups mean more and smaller jobs.
const GROUPS_A_THREAD: usize = 4;

/// Whether accesses outside a job's parts are looked for.
const CHECKED: bool = cfg!(any(test, debug_assertions));

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

/// The number of the groups' multiset of every set of so many cells, in the order of their numbers.
fn parts_of_sets(group_of: &[usize], members: usize) -> Vec<u16> {
    let mut parts = Vec::with_capacity(binomial(group_of.len(), members));
    let mut set: Vec<usize> = (0..members).collect();
    if members > group_of.len() {
        return parts;
    }
    loop {
        // The lowest member runs fastest, and its group is its share of the number.
        let end = set.get(1).copied().unwrap_or(group_of.len());
        let mut groups: Vec<usize> = set.iter().map(|&place| group_of[place]).collect();
        groups[0] = 0;
        let others = multiset_number(&groups);
        parts.extend(group_of[..end].iter().map(|&group| (others + group) as u16));
        // The next choice of the others: the first that has room moves up, those below start anew.
        let room = |i: usize| set.get(i + 1).copied().unwrap_or(group_of.len());
        let Some(i) = (1..members).find(|&i| set[i] + 1 < room(i)) else {
            return parts;
        };
        set[i] += 1;
        for (below, place) in set[..i].iter_mut().enumerate() {
            *place = below;
        }
    }
}

/// The number of an ascending list among all of its length: `g + i`, counted from 0, are the
/// members of a set, and sets are numbered as in [`Space`].
fn multiset_number(list: &[usize]) -> usize {
    list.iter()
        .enumerate()
        .map(|(i, &group)| binomial(group + i, i + 1))
        .sum()
}

fn binomial(n: usize, k: usize) -> usize {
    (0..k).fold(1usize, |product, i| {
        product.saturating_mul(n.saturating_sub(i)) / (i + 1)
    })
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

    /// Calls `check` with the schedules of all classes of some boards, with the class and the number
    /// of threads.
    fn for_each_schedule(mut check: impl FnMut(usize, usize, &Schedule<'_>)) {
        let spaces = [
            (6, 4, 0),
            (4, 5, 0),
            (4, 6, 0),
            (4, 4, 1),
            (4, 4, 3),
            (4, 2, 0),
            (4, 3, 0),
        ];
        for (side, robots, diagonals) in spaces {
            let space = space(side, robots, diagonals);
            for threads in 1..=4 {
                for class in 0..space.classes().len() {
                    check(class, threads, &Schedule::new(&space, class, threads));
                }
            }
        }
    }

    /// Every job touches only configurations of its parts, and all jobs of a class together have
    /// every rest once. (That jobs with a common part never run together is what a claim is.)
    #[test]
    fn jobs_stay_in_their_parts() {
        for_each_schedule(|class, _, schedule| {
            let space = schedule.space;
            let part_of = schedule.part_of.as_ref().expect("checked in tests");
            assert_eq!(part_of.len(), space.configurations());
            for piece in &schedule.pieces {
                let touched = touched(space, &piece.job);
                let in_parts = |&number: &usize| piece.parts.contains(&part_of[number]);
                assert!(touched.iter().all(in_parts), "{piece:?}");
            }
            let weights = schedule.pieces.iter().map(|piece| piece.job.weight());
            assert_eq!(weights.sum::<u64>(), Job::whole(space, class).weight());
        });
    }

    #[test]
    fn there_is_work_for_all_threads_at_once() {
        for_each_schedule(|_, threads, schedule| {
            let space = schedule.space;
            assert_eq!(schedule.is_whole(), threads == 1 || space.robots() < 4);
            if schedule.is_whole() {
                return;
            }
            let mut codes = vec![Codes::UNKNOWN; space.configurations()];
            let round = schedule.begin(&mut codes);
            let running: Vec<_> = (0..threads).map(|_| round.take()).collect();
            assert!(running.iter().all(Option::is_some));
        });
    }

    #[test]
    fn parts_are_numbered_without_gaps() {
        for (groups, len) in [(1, 3), (6, 1), (6, 2), (5, 3), (4, 4)] {
            let mut numbers = Vec::new();
            for_each_multiset(groups, len, &mut |list| numbers.push(multiset_number(list)));
            numbers.sort_unstable();
            assert_eq!(
                numbers,
                (0..binomial(groups + len - 1, len)).collect::<Vec<_>>()
            );
        }
        for members in 3..=7 {
            let groups = group_count(64, members);
            let last = multiset_number(&vec![groups - 1; members]);
            assert!(groups >= 8 && last <= 65_535, "{groups} {last}");
        }
    }

    #[test]
    fn every_job_is_taken_once_and_waiting_ones_begin_when_they_may() {
        let space = space(6, 4, 0);
        let schedule = Schedule::new(&space, 0, 3);
        let mut codes = vec![Codes::UNKNOWN; space.configurations()];
        let round = schedule.begin(&mut codes);
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
