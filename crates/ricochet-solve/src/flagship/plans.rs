//! A bound that counts the helper moves without which the goal robot cannot stop where it has to.
//!
//! The *home stretch* are the cells from which walls alone stop the goal robot on its way to the
//! target. On hard positions it is short: a handful of cells in line with the target. Whoever is not
//! on it must enter it, on a cell `y` where no wall stops the goal robot; so a helper has to stand
//! behind `y`, on a *stopper* `r`. To bring it there takes helper moves, and these come on top of the
//! goal robot's own. A *plan* is one way in; what it takes is at least
//! - the helper moves that bring a helper to `r`, if it could stop anywhere before, and if what stops it
//!   on `r` is a wall or another helper, which may have to be brought beside `r` as well; or
//! - if the goal robot itself stops it, standing on `s` beside `r`: the helper's moves, and the goal
//!   robot's way over `s`.
//!
//! So there are two kinds of plans, by `r` and by `s`. How many helper moves a plan takes depends on
//! the helpers alone (their *costs*), and how many moves more than the plain bound the goal robot
//! makes depends on its cell alone. The new bound is the plain one and the least sum of both, at most
//! [`MOST`] more. `docs/design/flagship.md` proves that it is a bound, and that a move lowers it by
//! one at most.

use ricochet::Direction;

use super::config::helper;
use super::tables::{BITS, STEP, Tables, UNREACHABLE};
use crate::lowlevel::instructions::{InstructionSet, Kernel};
use crate::lowlevel::set::{Set, cells_of, count};

/// The bound is raised by this much at most.
pub(crate) const MOST: usize = 3;

/// More plans than this do not fit into a word; then there is no such bound.
const MOST_PLANS: usize = 63;

/// With more cells on the home stretch there would be more plans than that.
const MOST_HOME_CELLS: u32 = 24;

/// How far a move may raise the bound.
pub(crate) const MOST_RAISED: usize = MOST + 1;

/// What some helpers need for each plan: a bit for each plan that takes no helper move, at most one, at
/// most two. So what the best of several helpers needs is the union.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Costs([u64; MOST]);

impl Costs {
    /// What the better of both needs.
    #[inline(always)]
    pub(crate) fn or(self, other: Self) -> Self {
        let ([a, b, c], [d, e, f]) = (self.0, other.0);
        Self([a | d, b | e, c | f])
    }

    /// Whether some plan takes less than with the others.
    #[inline(always)]
    pub(crate) fn is_less_than(self, other: Self) -> bool {
        let ([a, b, c], [d, e, f]) = (self.0, other.0);
        (a & !d) | (b & !e) | (c & !f) != 0
    }

    #[inline(always)]
    pub(crate) fn differs(self, other: Self) -> bool {
        let ([a, b, c], [d, e, f]) = (self.0, other.0);
        (a ^ d) | (b ^ e) | (c ^ f) != 0
    }

    /// Notes that a plan takes at most so many moves.
    fn add(&mut self, plan: usize, moves: usize) {
        for costs in self.0.iter_mut().skip(moves) {
            *costs |= 1 << plan;
        }
    }
}

/// What two helpers need together: plans that take one helper move, and at most two. The highest bit of
/// the second is set in those that have been made.
type PairCosts = [u64; 2];

const MADE: u64 = 1 << 63;

/// By how much the bound of each goal-robot cell is raised, for helpers that need the same.
#[derive(Clone, Debug)]
pub(crate) struct RaisedBound {
    /// What they need.
    pub(crate) costs: Costs,
    pub(crate) bound: [u8; 256],
    /// The cells whose bound is raised by at most 0, 1, 2.
    pub(crate) raised: [[u64; 4]; MOST],
    /// The cells of each bound, from an empty set before the first to empty ones behind the last.
    levels: Vec<[u64; 4]>,
}

impl RaisedBound {
    /// The cells of a bound and, after and before it, of those that a move may lead to.
    #[inline(always)]
    pub(crate) fn around(&self, bound: u8) -> &[[u64; 4]; 2 + MOST_RAISED] {
        let at = usize::from(bound);
        self.levels[at..at + 2 + MOST_RAISED]
            .first_chunk()
            .expect("so many")
    }

    /// The highest bound of any cell.
    pub(crate) fn highest(&self) -> u8 {
        (self.levels.len() - 2 - MOST_RAISED) as u8
    }
}

/// A stopper that a helper approaches from one side, with no wall behind it.
#[derive(Clone, Copy, Debug)]
struct Approach {
    /// Where the helper's last move may begin, and the one before.
    now: [u64; 4],
    soon: [u64; 4],
    /// Behind the stopper, and where a helper may be that goes there in one move.
    behind: [u64; 4],
    near: [u64; 4],
}

/// Numbers by costs: open addressing, asked at almost every helper move that changes anything.
#[derive(Debug, Default)]
struct Numbers {
    /// A number of 0 is a free slot.
    slots: Vec<(Costs, u32)>,
    len: usize,
}

impl Numbers {
    fn clear(&mut self) {
        self.slots.clear();
        self.slots.resize(1 << 7, (Costs::default(), 0));
        self.len = 0;
    }

    /// The number, or 0.
    #[inline(always)]
    fn find(&self, costs: Costs) -> u32 {
        let mask = self.slots.len() - 1;
        let mut at = home(costs) & mask;
        loop {
            let (there, number) = self.slots[at & mask];
            if number == 0 || !there.differs(costs) {
                return number;
            }
            at += 1;
        }
    }

    fn insert(&mut self, costs: Costs, number: u32) {
        self.len += 1;
        if self.len * 2 > self.slots.len() {
            let larger = vec![(Costs::default(), 0); 4 * self.slots.len()];
            for (costs, number) in std::mem::replace(&mut self.slots, larger) {
                if number != 0 {
                    self.place(costs, number);
                }
            }
        }
        self.place(costs, number);
    }

    fn place(&mut self, costs: Costs, number: u32) {
        let mask = self.slots.len() - 1;
        let mut at = home(costs) & mask;
        while self.slots[at].1 != 0 {
            at = (at + 1) & mask;
        }
        self.slots[at] = (costs, number);
    }
}

/// Where a slot is looked for first.
#[inline(always)]
fn home(Costs([none, one, two]): Costs) -> usize {
    let mixed = (two.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ one.rotate_left(32))
        .wrapping_mul(0xd6e8_feb8_6659_fd93)
        ^ none.wrapping_mul(0xa24b_aed4_963e_e407);
    (mixed ^ mixed >> 32) as usize
}

/// Plans for a board and a target, and what helpers need for them.
#[derive(Debug)]
pub(crate) struct Plans {
    /// By plan: the goal-robot cells from which it takes at most 0, 1, 2 moves more than the bound.
    near: Vec<[[u64; 4]; MOST]>,
    /// The goal-robot cells from which the target is reached without any plan, likewise.
    home: [[u64; 4]; MOST],
    /// The plain bound, and the cells of each.
    plain: [u8; 256],
    plain_levels: Vec<[u64; 4]>,
    /// By a helper's cell: what it needs without another helper.
    alone: Box<[Costs; 256]>,
    /// By a helper's cell and direction: the plans whose stopper it reaches, heading there, in one
    /// move, in two, if something stops it.
    ready: Box<[[[u64; 2]; 4]; 256]>,
    /// By a helper's cell and direction: the plans in which it is what stops another one that heads
    /// there, at once, after one move.
    stops: Box<[[[u64; 2]; 4]; 256]>,
    /// By the cells of two helpers.
    pairs: Vec<[PairCosts; 256]>,
    /// Those that have been made.
    made: Vec<(u8, u8)>,
    /// Where something other than a wall has to stop a helper.
    approaches: Vec<Approach>,
    /// By a helper's cell: the cells of a second one with which it may need less than each needs
    /// alone; all cells where that is not made yet.
    partners: Box<[[u64; 4]; 256]>,
    /// The cells where a helper needs something alone.
    alone_cells: [u64; 4],
    numbers: Numbers,
    bounds: Vec<RaisedBound>,
}

impl Plans {
    pub(crate) fn new() -> Self {
        Self {
            near: Vec::new(),
            home: [[0; 4]; MOST],
            plain: [UNREACHABLE; 256],
            plain_levels: Vec::new(),
            alone: Box::new([Costs::default(); 256]),
            ready: Box::new([[[0; 2]; 4]; 256]),
            stops: Box::new([[[0; 2]; 4]; 256]),
            pairs: Vec::new(),
            made: Vec::new(),
            approaches: Vec::new(),
            partners: Box::new([[u64::MAX; 4]; 256]),
            alone_cells: [0; 4],
            numbers: Numbers::default(),
            bounds: Vec::new(),
        }
    }

    /// Bytes that plans take before anything is known of the helpers.
    pub(crate) const BYTES: u64 = 3 << 19;

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> u64 {
        let levels = self.plain_levels.len() + MOST + 2 + MOST_RAISED;
        let each = size_of::<RaisedBound>() + levels * size_of::<[u64; 4]>();
        let bounds = self.bounds.len() * each;
        let numbers = self.numbers.slots.len() * size_of::<(Costs, u32)>();
        let made = self.made.len() * size_of::<(u8, u8)>();
        Self::BYTES + (bounds + numbers + made) as u64
    }

    /// Makes the plans for a board and a target; false if there are too many.
    pub(crate) fn set_up<S: Set>(&mut self, isa: S::Isa, tables: &Tables) -> bool {
        isa.run(SetUp::<S> {
            plans: self,
            tables,
            isa,
        })
    }

    /// The cells where one more helper beside these may need something.
    #[inline(always)]
    pub(crate) fn active<I: InstructionSet, const N: usize>(&mut self, isa: I, key: u32) -> I::Set {
        let mut active = isa.load(&self.alone_cells);
        for i in 0..N {
            let cell = usize::from(helper(key, i));
            if self.partners[cell][0] == u64::MAX && self.partners[cell][1] == u64::MAX {
                self.make_partners(cell as u8);
            }
            active = active.or(isa.load(&self.partners[cell]));
        }
        active
    }

    #[cold]
    #[inline(never)]
    fn make_partners(&mut self, cell: u8) {
        let has = |cells: &[u64; 4]| cells[usize::from(cell >> 6)] >> (cell & 63) & 1 == 1;
        let mut partners = [0; 4];
        for approach in &self.approaches {
            let Approach {
                now,
                soon,
                behind,
                near,
            } = approach;
            for (mine, other) in [(now, near), (soon, behind), (near, now), (behind, soon)] {
                if has(mine) {
                    partners = union(partners, *other);
                }
            }
        }
        self.partners[usize::from(cell)] = partners;
    }

    /// What the first so many helpers of a key need.
    #[inline(always)]
    pub(crate) fn costs<const N: usize>(&mut self, key: u32) -> Costs {
        let mut costs = Costs::default();
        for i in 0..N {
            costs = costs.or(self.costs_beside(helper(key, i), key, i));
        }
        costs
    }

    /// What a helper needs, alone or with one of the first so many of a key.
    #[inline(always)]
    pub(crate) fn costs_beside(&mut self, cell: u8, key: u32, others: usize) -> Costs {
        let mut costs = self.alone[usize::from(cell)];
        for other in 0..others {
            let other = helper(key, other);
            let mut pair = self.pairs[usize::from(other)][usize::from(cell)];
            if pair[1] & MADE == 0 {
                pair = self.make_pair(cell, other);
            }
            costs.0[1] |= pair[0];
            costs.0[2] |= pair[1] & !MADE;
        }
        costs
    }

    #[cold]
    #[inline(never)]
    fn make_pair(&mut self, a: u8, b: u8) -> PairCosts {
        let costs = self.pair_costs(a, b);
        self.made.push((a, b));
        self.pairs[usize::from(a)][usize::from(b)] = costs;
        self.pairs[usize::from(b)][usize::from(a)] = costs;
        costs
    }

    fn pair_costs(&self, a: u8, b: u8) -> PairCosts {
        let (mut one, mut two) = (0, 0);
        for (mover, other) in [(a, b), (b, a)] {
            let ready = &self.ready[usize::from(mover)];
            let stops = &self.stops[usize::from(other)];
            for d in 0..4 {
                let ([now, soon], [here, near]) = (ready[d], stops[d]);
                one |= now & here;
                two |= soon & here | now & near;
            }
        }
        [one, one | two | MADE]
    }

    /// The number of the bound for helpers with these costs.
    #[inline(always)]
    pub(crate) fn number_of(&mut self, costs: Costs) -> u32 {
        match self.numbers.find(costs) {
            0 => self.add_bound(costs),
            number => number - 1,
        }
    }

    /// A bound by its number.
    #[inline(always)]
    pub(crate) fn bound(&self, number: u32) -> &RaisedBound {
        &self.bounds[number as usize]
    }

    #[cold]
    #[inline(never)]
    fn add_bound(&mut self, costs: Costs) -> u32 {
        let mut raised = self.home;
        let mut less = 0;
        for (cost, plans) in costs.0.into_iter().enumerate() {
            let mut rest = plans & !less;
            less |= plans;
            while rest != 0 {
                let near = &self.near[rest.trailing_zeros() as usize];
                rest &= rest - 1;
                for more in cost..MOST {
                    raised[more] = union(raised[more], near[more - cost]);
                }
            }
        }
        let mut levels = vec![[0; 4]; self.plain_levels.len() + MOST + 2 + MOST_RAISED];
        let mut before = [0; 4];
        for raise in 0..=MOST {
            let within = raised.get(raise).copied().unwrap_or([u64::MAX; 4]);
            for (bound, cells) in self.plain_levels.iter().enumerate() {
                let cells = std::array::from_fn(|i| cells[i] & within[i] & !before[i]);
                levels[bound + raise + 1] = union(levels[bound + raise + 1], cells);
            }
            before = within;
        }
        let mut bound = self.plain.map(|plain| plain.saturating_add(MOST as u8));
        for &cells in &raised {
            cells_of(cells).for_each(|cell| bound[usize::from(cell)] -= 1);
        }
        let number = self.bounds.len() as u32;
        self.bounds.push(RaisedBound {
            costs,
            bound,
            raised,
            levels,
        });
        self.numbers.insert(costs, number + 1);
        number
    }

    /// The bound of a state, made for it alone.
    pub(crate) fn bound_of<const N: usize>(&self, key: u32, goal: u8) -> u8 {
        let mut costs = Costs::default();
        for i in 0..N {
            let cell = helper(key, i);
            costs = costs.or(self.alone[usize::from(cell)]);
            for other in 0..i {
                let [one, two] = self.pair_costs(cell, helper(key, other));
                costs = costs.or(Costs([0, one, two & !MADE]));
            }
        }
        let has = |cells: &[u64; 4]| cells[usize::from(goal >> 6)] >> (goal & 63) & 1 == 1;
        let raise = (0..MOST).find(|&more| {
            let planned = (0..=more).any(|cost| {
                let mut plans = self.near.iter().enumerate();
                plans.any(|(plan, near)| costs.0[cost] >> plan & 1 == 1 && has(&near[more - cost]))
            });
            planned || has(&self.home[more])
        });
        self.plain[usize::from(goal)].saturating_add(raise.unwrap_or(MOST) as u8)
    }
}

fn union(a: [u64; 4], b: [u64; 4]) -> [u64; 4] {
    std::array::from_fn(|i| a[i] | b[i])
}

struct SetUp<'a, S: Set> {
    plans: &'a mut Plans,
    tables: &'a Tables,
    isa: S::Isa,
}

impl<S: Set> Kernel for SetUp<'_, S> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let Self { plans, tables, isa } = self;
        plans.near.clear();
        plans.numbers.clear();
        plans.bounds.clear();
        plans.plain = tables.bound;
        plans.plain_levels = tables.all_levels().to_vec();
        let making = Making::<S>::new(isa, tables);
        let Some(home) = making.home_stretch(plans) else {
            return false;
        };
        making.make_plans(plans, &home)
    }
}

/// What making plans takes.
struct Making<'a, S: Set> {
    isa: S::Isa,
    tables: &'a Tables,
    enter: [S; 4],
    /// The cells whose plain bound is at least so much.
    at_least: Vec<[u64; 4]>,
}

impl<'a, S: Set> Making<'a, S> {
    #[inline(always)]
    fn new(isa: S::Isa, tables: &'a Tables) -> Self {
        let mut at_least = tables.all_levels().to_vec();
        for bound in (1..at_least.len()).rev() {
            at_least[bound - 1] = union(at_least[bound - 1], at_least[bound]);
        }
        at_least.push([0; 4]);
        Self {
            isa,
            tables,
            enter: tables.enter.map(|words| isa.load(&words)),
            at_least,
        }
    }

    /// The cells whose plain bound is at least so much.
    #[inline(always)]
    fn at_least(&self, bound: usize) -> S {
        let last = self.at_least.len() - 1;
        self.isa.load(&self.at_least[bound.min(last)])
    }

    #[inline(always)]
    fn cell(&self, cell: u8) -> S {
        self.isa.load(&BITS[usize::from(cell)])
    }

    /// The cells that a robot may come from that arrives heading somewhere, and those it arrives on.
    #[inline(always)]
    fn back(&self, cells: S, heading: Direction) -> S {
        match heading {
            Direction::North => cells.fill_south(self.enter[2]),
            Direction::East => cells.fill_west(self.enter[3]),
            Direction::South => cells.fill_north(self.enter[0]),
            Direction::West => cells.fill_east(self.enter[1]),
        }
    }

    /// What can be reached in one move if a robot may stop anywhere, and the cells themselves.
    #[inline(always)]
    fn spread(&self, cells: S) -> S {
        cells
            .fill_north(self.enter[0])
            .or(cells.fill_east(self.enter[1]))
            .or(cells
                .fill_south(self.enter[2])
                .or(cells.fill_west(self.enter[3])))
    }

    /// Calls `visit` with the cells at each distance from some cells, if a robot may stop anywhere.
    #[inline(always)]
    fn by_distance(&self, cells: S, mut visit: impl FnMut(usize, S)) {
        let (mut level, mut seen, mut distance) = (cells, cells, 0);
        while !level.is_empty() {
            visit(distance, level);
            let within = self.spread(level);
            level = within.minus(seen);
            seen = seen.or(within);
            distance += 1;
        }
    }

    /// The cells of the home stretch with the moves from there, as far as that matters; `None` if they are too many.
    #[inline(always)]
    fn home_stretch(&self, plans: &mut Plans) -> Option<Vec<(u8, usize)>> {
        plans.home = [[0; 4]; MOST];
        let goes_on = [
            self.enter[0].south::<1>(),
            self.enter[1].west::<1>(),
            self.enter[2].north::<1>(),
            self.enter[3].east::<1>(),
        ];
        let mut home = Vec::new();
        let mut level = self.tables.target(self.isa);
        let (mut seen, mut moves, mut cells) = (level, 0usize, 0);
        while !level.is_empty() {
            for more in 0..MOST {
                let here = level.and(self.at_least(moves.saturating_sub(more)));
                plans.home[more] = self.isa.load(&plans.home[more]).or(here).words();
                if more + 1 == MOST {
                    cells += count(&here.words());
                    if cells > MOST_HOME_CELLS {
                        return None;
                    }
                    home.extend(cells_of(here.words()).map(|cell| (cell, moves)));
                }
            }
            let mut before = level;
            for heading in Direction::ALL {
                let stopped = level.minus(goes_on[heading.index()]);
                before = before.or(self.back(stopped, heading));
            }
            level = before.minus(seen);
            seen = seen.or(before);
            moves += 1;
        }
        Some(home)
    }

    #[inline(always)]
    fn make_plans(&self, plans: &mut Plans, home: &[(u8, usize)]) -> bool {
        let mut by_stopper = [None; 256];
        let mut stoppers = Vec::new();
        for &(cell, moves) in home {
            for heading in Direction::ALL {
                if self.tables.has_wall(cell, heading) {
                    continue;
                }
                let stopper = cell.wrapping_add(STEP[heading.index()]);
                let back = self.back(self.cell(cell), heading).minus(self.cell(cell));
                if back.is_empty() {
                    continue;
                }
                let plan = *by_stopper[usize::from(stopper)].get_or_insert_with(|| {
                    stoppers.push(stopper);
                    plans.near.push([[0; 4]; MOST]);
                    plans.near.len() - 1
                });
                self.add_near(&mut plans.near[plan], back, moves + 1);
            }
        }
        if stoppers.len() > MOST_PLANS {
            return false;
        }
        plans.alone.fill(Costs::default());
        plans.approaches.clear();
        plans.partners.fill([u64::MAX; 4]);
        plans.pairs.resize(256, [[0; 2]; 256]);
        for (a, b) in plans.made.drain(..) {
            plans.pairs[usize::from(a)][usize::from(b)] = [0; 2];
            plans.pairs[usize::from(b)][usize::from(a)] = [0; 2];
        }
        plans.ready.fill([[0; 2]; 4]);
        plans.stops.fill([[0; 2]; 4]);
        let mut by_goal_cell = [None; 256];
        for (plan, stopper) in stoppers.into_iter().enumerate() {
            plans.alone[usize::from(stopper)].add(plan, 0);
            for heading in Direction::ALL {
                let here = self.cell(stopper);
                let back = self.back(here, heading).minus(here);
                if back.is_empty() {
                    continue;
                }
                let soon = self.spread(back).words();
                let back = back.words();
                if self.tables.has_wall(stopper, heading) {
                    add_to_all(&mut plans.alone, back, plan, 1);
                    add_to_all(&mut plans.alone, soon, plan, 2);
                    continue;
                }
                let d = heading.index();
                let behind = stopper.wrapping_add(STEP[d]);
                let bit = 1 << plan;
                for (time, cells) in [back, soon].into_iter().enumerate() {
                    cells_of(cells).for_each(|cell| plans.ready[usize::from(cell)][d][time] |= bit);
                }
                let near = self.spread(self.cell(behind)).words();
                plans.approaches.push(Approach {
                    now: back,
                    soon,
                    behind: BITS[usize::from(behind)],
                    near,
                });
                plans.stops[usize::from(behind)][d][0] |= bit;
                cells_of(near).for_each(|cell| plans.stops[usize::from(cell)][d][1] |= bit);
                // Or the goal robot stands there, which is out of its way.
                let has =
                    |cells: &[u64; 4]| cells[usize::from(behind >> 6)] >> (behind & 63) & 1 == 1;
                let Some(detour) = plans.near[plan].iter().position(has) else {
                    continue;
                };
                if detour + 1 >= MOST {
                    continue;
                }
                let plan = *by_goal_cell[usize::from(behind)].get_or_insert_with(|| {
                    plans.near.push([[0; 4]; MOST]);
                    let plan = plans.near.len() - 1;
                    let bound = usize::from(self.tables.bound[usize::from(behind)]);
                    self.add_near(&mut plans.near[plan], self.cell(behind), bound);
                    plan
                });
                if plan >= MOST_PLANS {
                    return false;
                }
                add_to_all(&mut plans.alone, back, plan, 1 + detour);
                add_to_all(&mut plans.alone, soon, plan, 2 + detour);
            }
        }
        plans.alone_cells = [0; 4];
        for (cell, costs) in plans.alone.iter().enumerate() {
            if *costs != Costs::default() {
                plans.alone_cells = union(plans.alone_cells, BITS[cell]);
            }
        }
        true
    }

    /// Adds the cells from which it takes at most 0, 1, 2 moves more than the bound to go to some
    /// cells and then make so many moves.
    #[inline(always)]
    fn add_near(&self, near: &mut [[u64; 4]; MOST], to: S, moves: usize) {
        self.by_distance(to, |distance, cells| {
            for (more, near) in near.iter_mut().enumerate() {
                let here = cells.and(self.at_least((distance + moves).saturating_sub(more)));
                *near = self.isa.load(near).or(here).words();
            }
        });
    }
}

fn add_to_all(costs: &mut [Costs; 256], cells: [u64; 4], plan: usize, moves: usize) {
    for cell in cells_of(cells) {
        costs[usize::from(cell)].add(plan, moves);
    }
}

#[cfg(test)]
mod tests {
    use ricochet::generate::{RandomBoard, Recipe};
    use ricochet::quadrants::Edition;
    use ricochet::rng::Rng;
    use ricochet::{Direction, Puzzle, Robot, State};

    use super::super::Flagship;
    use super::super::search::packed;
    use super::*;
    use crate::lowlevel::instructions::Portable;
    use crate::lowlevel::portable::PortableSet;
    use crate::{Limits, Outcome, Silent, Solver};

    /// Plans for a puzzle, if there are not too many.
    fn plans(puzzle: &Puzzle) -> Option<Plans> {
        let (mut tables, mut plans) = (Tables::new(), Plans::new());
        tables.set_up::<PortableSet>(Portable, puzzle.board(), puzzle.goal().cell);
        let made = plans.set_up::<PortableSet>(Portable, &tables);
        made.then_some(plans)
    }

    fn bound(plans: &Plans, puzzle: &Puzzle, state: State) -> u8 {
        let (key, goal) = packed(puzzle, state);
        match state.len() {
            2 => plans.bound_of::<1>(key, goal),
            3 => plans.bound_of::<2>(key, goal),
            4 => plans.bound_of::<3>(key, goal),
            _ => plans.bound_of::<4>(key, goal),
        }
    }

    fn after_each_move(puzzle: &Puzzle, state: State) -> Vec<State> {
        let robots = Robot::ALL.into_iter().take(state.len());
        let moves = robots.flat_map(|robot| Direction::ALL.map(|direction| (robot, direction)));
        moves
            .filter_map(|(robot, direction)| puzzle.apply(state, robot, direction))
            .collect()
    }

    /// Puzzles of several kinds that have plans.
    fn puzzles(seed: u64, each: usize) -> Vec<(Puzzle, Plans)> {
        let mut all = Vec::new();
        for robots in 2..=5 {
            for recipe in [
                Recipe::official(Edition::Of1999),
                Recipe::random(RandomBoard::new(16, 16)),
                Recipe::random(RandomBoard::new(7, 5)),
            ] {
                let recipe = Recipe { robots, ..recipe };
                let made = (0..).map(|number| recipe.puzzle(seed, number).expect("a puzzle"));
                let made = made.filter(|puzzle| puzzle.goal().robot.is_some());
                let with_plans =
                    made.filter_map(|puzzle| plans(&puzzle).map(|plans| (puzzle, plans)));
                all.extend(with_plans.take(each));
            }
        }
        all
    }

    #[test]
    #[cfg_attr(miri, ignore = "a board's tables are too much for it")]
    fn a_move_lowers_the_bound_by_one_at_most() {
        let mut rng = Rng::new(3);
        let (mut states, mut raised) = (0, 0);
        for (puzzle, plans) in puzzles(11, 8) {
            let mut state = puzzle.start();
            for _ in 0..200 {
                let here = bound(&plans, &puzzle, state);
                if here == UNREACHABLE {
                    break;
                }
                let plain = plans.plain[usize::from(packed(&puzzle, state).1)];
                assert!((plain..=plain + MOST as u8).contains(&here));
                raised += usize::from(here > plain);
                states += 1;
                let next = after_each_move(&puzzle, state);
                for &next in &next {
                    assert!(
                        bound(&plans, &puzzle, next) + 1 >= here,
                        "{:?}",
                        puzzle.to_setup()
                    );
                }
                let Some(&one) = rng.choose(&next) else {
                    break;
                };
                state = one;
            }
        }
        assert!(
            states > 5_000 && raised > states / 4,
            "{raised} of {states}"
        );
    }

    #[test]
    #[cfg_attr(miri, ignore = "a board's tables are too much for it")]
    fn no_solution_is_shorter_than_the_bound() {
        let mut solver = Flagship::new().plans(false);
        let limits = Limits {
            moves: Some(9),
            ..Limits::default()
        };
        let (mut exact, mut asked) = (0, 0);
        for (puzzle, plans) in puzzles(12, 12) {
            let (outcome, _) = solver.solve(&puzzle, &limits, &mut Silent);
            let bound = u32::from(bound(&plans, &puzzle, puzzle.start()));
            if let Outcome::Solved { solution, .. } = outcome {
                assert!(bound <= solution.len() as u32, "{:?}", puzzle.to_setup());
                exact += usize::from(bound == solution.len() as u32);
                asked += 1;
            }
        }
        assert!(asked > 50 && exact > 10, "{exact} of {asked}");
    }

    /// The tables of pairs and bounds say what is computed from scratch.
    #[test]
    #[cfg_attr(miri, ignore = "a board's tables are too much for it")]
    fn numbered_bounds_are_those_of_each_state() {
        let mut rng = Rng::new(5);
        for (puzzle, mut plans) in puzzles(13, 3) {
            if puzzle.start().len() != 4 {
                continue;
            }
            let mut state = puzzle.start();
            for _ in 0..100 {
                let (key, goal) = packed(&puzzle, state);
                let costs = plans.costs::<3>(key);
                let number = plans.number_of(costs);
                let found = plans.bound(number);
                assert_eq!(
                    found.bound[usize::from(goal)],
                    plans.bound_of::<3>(key, goal)
                );
                if found.bound[usize::from(goal)] != UNREACHABLE {
                    let level = &found.around(found.bound[usize::from(goal)])[1];
                    assert_eq!(level[usize::from(goal >> 6)] >> (goal & 63) & 1, 1);
                }
                assert_eq!(plans.number_of(costs), number);
                let next = after_each_move(&puzzle, state);
                let Some(&one) = rng.choose(&next) else {
                    break;
                };
                state = one;
            }
        }
    }
}
