//! The jobs of a layer: which helpers stay fixed while one moves, and which jobs may run at the same
//! time.
//!
//! [`FixedHelpers`] are a configuration without one member of one class. Moving that member over the
//! whole board touches exactly the configurations that contain the fixed helpers.
//!
//! Two sets of fixed helpers of one class share a configuration only if they differ in a single
//! member. So the cells are cut into groups, and the configurations into parts by the multiset of
//! their members' groups. A job has one multiset of groups for its fixed members, and needs the parts
//! that any group of the moving member makes of it: with three helpers the jobs are pairs of groups,
//! and `01` may run next to `23` but not next to `02`, because both need the part `012`. If there are
//! other classes, their part of the number is cut instead, and no two jobs of a class meet.
//!
//! There is no fixed order: a free thread takes the largest job whose parts are not in use.
//! [`columns`](crate::lowlevel::columns) determines the parts that a job needs, and makes sure that it
//! touches no others.

use std::cmp::Reverse;
use std::ops::Range;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::codes::Codes;
use crate::lowlevel::columns::{Claim, Cut, SharedColumns};
use crate::lowlevel::set256::Set256;
use crate::tablebase::space::{MAX_HELPERS, Space};

/// Some of the sets of fixed helpers of one class.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    pub(crate) class: usize,
    /// Numbers of the other classes' configurations, in mixed radix.
    others: Range<usize>,
    /// How many members of the class are fixed.
    fixed_len: usize,
    /// Where the lowest of them may be, if it is below the second.
    lowest: Range<u16>,
    /// All choices of the others.
    uppers: Vec<[u16; MAX_HELPERS]>,
}

/// The helpers that stay where they are: all but one.
#[derive(Clone, Debug)]
pub(crate) struct FixedHelpers {
    /// The fixed members of the moving helper's class, ascending; the first `fixed_len` count.
    pub(crate) fixed: [u16; MAX_HELPERS],
    pub(crate) fixed_len: usize,
    /// The cells of the other classes' helpers.
    pub(crate) others: Vec<u16>,
    /// The other classes' number.
    pub(crate) other: usize,
    /// Bits of all of them.
    pub(crate) blockers: Set256,
}

impl FixedHelpers {
    /// The fixed members of the moving helper's class.
    #[inline(always)]
    pub(crate) fn fixed(&self) -> &[u16] {
        &self.fixed[..self.fixed_len]
    }

    /// All cells that are taken.
    #[inline(always)]
    pub(crate) fn taken(&self) -> impl Iterator<Item = u16> + '_ {
        let fixed = self.fixed[..self.fixed_len].iter();
        fixed.chain(&self.others).copied()
    }
}

impl Job {
    /// All sets of fixed helpers of a class.
    pub(crate) fn whole(space: &Space, class: usize) -> Self {
        let fixed = space.classes()[class].robots.len() - 1;
        let cells = space.bits().len() as u16;
        Self::new(class, 0..space.others(class), &vec![0..cells; fixed])
    }

    /// The sets with the other classes' number and each fixed member in these ranges.
    pub(crate) fn new(class: usize, others: Range<usize>, ranges: &[Range<u16>]) -> Self {
        let mut uppers = Vec::new();
        let mut fixed = [0; MAX_HELPERS];
        list_uppers(ranges, ranges.len(), u16::MAX, &mut fixed, &mut uppers);
        Self {
            class,
            others,
            fixed_len: ranges.len(),
            lowest: ranges.first().cloned().unwrap_or(0..1),
            uppers,
        }
    }

    /// Roughly how many sets of fixed helpers there are.
    pub(crate) fn weight(&self) -> u64 {
        let uppers = self.uppers.iter();
        let sets: u64 = uppers
            .map(|fixed| self.lowest_places(fixed).len() as u64)
            .sum();
        sets * self.others.len() as u64
    }

    /// The places of the lowest member below a choice of the others.
    #[inline(always)]
    fn lowest_places(&self, fixed: &[u16; MAX_HELPERS]) -> Range<u16> {
        let end = if self.fixed_len > 1 {
            self.lowest.end.min(fixed[1])
        } else {
            self.lowest.end
        };
        self.lowest.start..end.max(self.lowest.start)
    }

    /// Walks over all sets of the job. The lowest member runs fastest, so that neighbours in the
    /// table come one after the other.
    pub(crate) fn walk<'a>(&'a self, space: &'a Space) -> FixedHelpersWalk<'a> {
        FixedHelpersWalk {
            job: self,
            space,
            others: self.others.clone(),
            uppers: [].iter(),
            lows: 0..0,
            other_bits: Set256::EMPTY,
            upper_bits: Set256::EMPTY,
            current: FixedHelpers {
                fixed: [0; MAX_HELPERS],
                fixed_len: self.fixed_len,
                others: Vec::new(),
                other: 0,
                blockers: Set256::EMPTY,
            },
        }
    }

    /// Puts the other classes' helpers in place; `false` if two of them collide.
    fn set_others(&self, space: &Space, mut number: usize, helpers: &mut FixedHelpers) -> bool {
        helpers.others.clear();
        helpers.other = number;
        for (i, class) in space.classes().iter().enumerate() {
            if i == self.class {
                continue;
            }
            let own = number % class.count;
            number /= class.count;
            for member in space.unrank(own as u64, class.robots.len()) {
                if helpers.others.contains(&member) {
                    return false;
                }
                helpers.others.push(member);
            }
        }
        true
    }
}

/// A walk over the sets of fixed helpers of a job.
pub(crate) struct FixedHelpersWalk<'a> {
    job: &'a Job,
    space: &'a Space,
    others: Range<usize>,
    uppers: std::slice::Iter<'a, [u16; MAX_HELPERS]>,
    lows: Range<u16>,
    other_bits: Set256,
    upper_bits: Set256,
    current: FixedHelpers,
}

impl FixedHelpersWalk<'_> {
    /// The next fixed helpers. (Not an iterator, because the item is borrowed.)
    #[inline(always)]
    pub(crate) fn next(&mut self) -> Option<&FixedHelpers> {
        loop {
            let Some(low) = self.lows.next() else {
                if self.next_upper() {
                    continue;
                }
                return None;
            };
            self.current.blockers = self.upper_bits;
            if self.current.fixed_len > 0 {
                self.current.fixed[0] = low;
                self.current.blockers |=
                    Set256::of(usize::from(self.space.bits()[usize::from(low)]));
                if self.current.others.contains(&low) {
                    continue;
                }
            }
            return Some(&self.current);
        }
    }

    /// Moves on to the next choice of all but the lowest member.
    fn next_upper(&mut self) -> bool {
        loop {
            let Some(upper) = self.uppers.next() else {
                let Some(number) = self.others.next() else {
                    return false;
                };
                if self.job.set_others(self.space, number, &mut self.current) {
                    self.other_bits = bits_of(self.space, &self.current.others);
                    self.uppers = self.job.uppers.iter();
                }
                continue;
            };
            let fixed = upper.get(1..self.current.fixed_len).unwrap_or_default();
            if fixed
                .iter()
                .any(|member| self.current.others.contains(member))
            {
                continue;
            }
            self.current.fixed = *upper;
            self.upper_bits = self.other_bits | bits_of(self.space, fixed);
            self.lows = self.job.lowest_places(upper);
            return true;
        }
    }
}

/// Lists all ascending choices of the members `1..` within their ranges; those of the highest
/// member come slowest.
fn list_uppers(
    ranges: &[Range<u16>],
    i: usize,
    below: u16,
    fixed: &mut [u16; MAX_HELPERS],
    uppers: &mut Vec<[u16; MAX_HELPERS]>,
) {
    if i <= 1 {
        uppers.push(*fixed);
        return;
    }
    let range = ranges[i - 1].clone();
    for place in range.start..range.end.min(below) {
        fixed[i - 1] = place;
        list_uppers(ranges, i - 1, place, fixed, uppers);
    }
}

fn bits_of(space: &Space, places: &[u16]) -> Set256 {
    places
        .iter()
        .map(|&place| usize::from(space.bits()[usize::from(place)]))
        .collect()
}

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
const GROUPS_PER_THREAD: usize = 4;

impl<'a> Schedule<'a> {
    /// All jobs of a class, cut for a number of threads.
    pub(crate) fn new(space: &'a Space, class: usize, threads: usize) -> Self {
        let (layout, others) = (space.layout(class), space.others(class));
        let members = space.classes()[class].robots.len();
        let cut = if threads > 1 && others > 1 {
            // Different places of the other classes' helpers are different configurations.
            Cut::by_others(layout, others.min(threads * 4))
        } else if threads > 1 && members > 2 {
            // Enough that some job is free for every thread until nearly all are done.
            let wanted = GROUPS_PER_THREAD * threads + 2;
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

    /// Starts a round over a table: no job is taken yet.
    pub(crate) fn begin<'b>(&'b self, codes: &'b mut [Codes]) -> Round<'b> {
        Round {
            jobs: &self.jobs,
            table: SharedColumns::new(codes, &self.cut),
            waiting: Mutex::new(self.order.clone()),
            ended: Condvar::new(),
        }
    }
}

/// The running and waiting jobs of one class and layer.
#[derive(Debug)]
pub(crate) struct Round<'a> {
    jobs: &'a [Job],
    table: SharedColumns<'a, Codes>,
    /// Jobs that are not taken yet.
    waiting: Mutex<Vec<usize>>,
    ended: Condvar,
}

/// A job that is running. When it is dropped, jobs that it kept waiting may begin.
#[derive(Debug)]
pub(crate) struct RunningJob<'a> {
    round: &'a Round<'a>,
    number: usize,
    /// `None` only while it is dropped.
    claim: Option<Claim<'a, Codes>>,
}

impl Round<'_> {
    /// A job whose parts are free; waits for one if necessary. `None` when all are taken.
    pub(crate) fn take(&self) -> Option<RunningJob<'_>> {
        let mut waiting = self.waiting();
        while !waiting.is_empty() {
            let free = waiting.iter().enumerate().find_map(|(at, &number)| {
                let claim = self.table.claim(number)?;
                Some((at, claim))
            });
            if let Some((at, claim)) = free {
                return Some(RunningJob {
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

impl<'a> RunningJob<'a> {
    pub(crate) fn job(&self) -> &'a Job {
        &self.round.jobs[self.number]
    }

    /// The columns of the table that the job is for.
    pub(crate) fn claim(&self) -> &Claim<'a, Codes> {
        self.claim.as_ref().expect("held until it is dropped")
    }
}

impl Drop for RunningJob<'_> {
    fn drop(&mut self) {
        self.claim = None;
        // A thread that has just found nothing free is waiting by now, or will look again.
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

    /// Each set of a job is a column that the job's claim has, and all jobs of a class together have
    /// each set once.
    #[test]
    fn jobs_have_the_columns_that_they_claim() {
        for_each_schedule(|space, class, _, schedule| {
            let mut codes = vec![Codes::UNKNOWN; space.configurations()];
            let round = schedule.begin(&mut codes);
            let mut sets = 0;
            while let Some(running) = round.take() {
                let mut walk = running.job().walk(space);
                while let Some(helpers) = walk.next() {
                    running.claim().column(helpers.other, helpers.fixed());
                    sets += 1;
                }
            }
            let whole = Job::whole(space, class);
            let mut walk = whole.walk(space);
            let mut expected = 0;
            while walk.next().is_some() {
                expected += 1;
            }
            assert_eq!(sets, expected);
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
