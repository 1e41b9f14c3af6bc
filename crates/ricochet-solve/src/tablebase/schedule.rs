//! Which jobs of a layer may run at the same time.
//!
//! Two rests of one class touch a common configuration only if they differ in a single member. So
//! the cells are cut into groups, and the configurations into parts by the multiset of their
//! members' groups. A job has one multiset of groups for its fixed members, and needs the parts that
//! any group of the moving member makes of it: with three helpers the jobs are pairs of groups, and
//! `01` may run beside `23` but not beside `02`, because both need the part `012`. If there are other
//! classes, their part of the number is cut instead, and no two jobs of a class meet.
//!
//! There is no fixed order: whoever is free takes the largest job whose parts nobody holds. Which
//! parts a job needs, and that it touches no others, is the business of
//! [`columns`](crate::lowlevel::columns).

use std::cmp::Reverse;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::codes::Codes;
use super::rests::Job;
use super::space::Space;
use crate::lowlevel::columns::{Claim, Cut, SharedColumns};

/// The jobs of a class, and how the table is cut for them.
#[derive(Clone, Debug)]
pub(crate) struct Schedule<'a> {
    cut: Cut<'a>,
    /// One for each piece of it.
    jobs: Vec<Job>,
    /// Their numbers, the largest first.
    order: Vec<usize>,
}

/// More groups of cells mean more and smaller jobs.
const GROUPS_A_THREAD: usize = 4;

impl<'a> Schedule<'a> {
    /// All rests of a class, cut for so many threads.
    pub(crate) fn new(space: &'a Space, class: usize, threads: usize) -> Self {
        let (layout, others) = (space.layout(class), space.others(class));
        let members = space.classes()[class].robots.len();
        let cut = if threads > 1 && others > 1 {
            // Different places of the other classes' helpers are different configurations.
            Cut::by_others(layout, others.min(threads * 4))
        } else if threads > 1 && members > 2 {
            // Enough that some job is free for every thread until nearly all are done.
            let wanted = GROUPS_A_THREAD * threads + 2;
            Cut::by_groups(layout, Cut::most_groups(members, wanted))
        } else {
            Cut::whole(layout)
        };
        let pieces = cut.pieces().iter();
        let jobs: Vec<Job> = pieces
            .map(|piece| Job::new(class, piece.others(), piece.ranges()))
            .collect();
        let mut order: Vec<usize> = (0..jobs.len()).collect();
        order.sort_by_key(|&number| Reverse(jobs[number].weight()));
        Self { cut, jobs, order }
    }

    /// Whether one thread has to do everything.
    pub(crate) fn is_whole(&self) -> bool {
        self.jobs.len() == 1
    }

    /// A fresh round over a table: no job is taken.
    pub(crate) fn begin<'b>(&'b self, codes: &'b mut [Codes]) -> Round<'b> {
        Round {
            jobs: &self.jobs,
            table: SharedColumns::new(codes, &self.cut),
            waiting: Mutex::new(self.order.clone()),
            ended: Condvar::new(),
        }
    }
}

/// The jobs of one class and layer on their way.
#[derive(Debug)]
pub(crate) struct Round<'a> {
    jobs: &'a [Job],
    table: SharedColumns<'a, Codes>,
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
                let claim = self.table.claim(number)?;
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
        &self.round.jobs[self.number]
    }

    /// The columns of the table that the job is for.
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

#[cfg(test)]
mod tests {
    use ricochet_core::{Board, Cell, Goal, Lean, Puzzle, Robot};

    use super::*;

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

    /// Calls `check` with all classes of some boards, some numbers of threads, and their schedules.
    fn for_each_schedule(mut check: impl FnMut(&Space, usize, usize, &Schedule<'_>)) {
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
                    check(
                        &space,
                        class,
                        threads,
                        &Schedule::new(&space, class, threads),
                    );
                }
            }
        }
    }

    /// Every rest of a job is a column that the job's claim has, and all jobs of a class together have
    /// every rest once.
    #[test]
    fn jobs_have_the_columns_that_they_claim() {
        for_each_schedule(|space, class, _, schedule| {
            let mut codes = vec![Codes::UNKNOWN; space.configurations()];
            let round = schedule.begin(&mut codes);
            let mut rests = 0;
            while let Some(running) = round.take() {
                let mut walk = running.job().walk(space);
                while let Some(rest) = walk.next() {
                    running.claim().column(rest.other, rest.fixed());
                    rests += 1;
                }
            }
            let whole = Job::whole(space, class);
            let mut walk = whole.walk(space);
            let mut expected = 0;
            while walk.next().is_some() {
                expected += 1;
            }
            assert_eq!(rests, expected);
        });
    }

    #[test]
    fn there_is_work_for_all_threads_at_once() {
        for_each_schedule(|space, _, threads, schedule| {
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
        assert_eq!(taken, (0..schedule.jobs.len()).collect::<Vec<_>>());
    }
}
