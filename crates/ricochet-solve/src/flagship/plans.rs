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
use rustc_hash::FxHashMap;

use super::bit_matrix::BitMatrix;
use super::config::helper;
use super::tables::{STEP, Tables, UNREACHABLE};
use crate::lowlevel::instructions::{InstructionSet, Kernel};
use crate::lowlevel::set::{BITS, Set, cells_of, count};

/// The bound is raised by this much at most. There are as many words in a set, so that [`Costs`] are
/// one vector.
pub(crate) const MOST: usize = 4;

/// More plans than this do not fit into a word; then there is no such bound.
const MOST_PLANS: usize = 63;

/// With more cells on the home stretch there would be more plans than that.
const MOST_HOME_CELLS: u32 = 24;

/// How far a move may raise the bound.
pub(crate) const MOST_RAISED: usize = MOST + 1;

/// What some helpers need for each plan: a bit for each plan that takes no helper move, at most one, at
/// most two, at most three. So what the best of several helpers needs is the union.
pub(crate) type Costs = [u64; MOST];

/// By how much the bound of each goal-robot cell is raised. Helpers that need different things often
/// raise it alike.
#[derive(Clone, Debug)]
pub(crate) struct RaisedBound {
    /// The cells whose bound is raised by at most 0, 1, 2, 3.
    pub(crate) raised: [[u64; 4]; MOST],
    /// The cells of each bound, from an empty set before the first to empty ones behind the last; none
    /// until they are asked for, see [`Plans::make_levels`].
    levels: Vec<[u64; 4]>,
    /// The bound of each cell, once there are levels.
    pub(crate) bound: [u8; 256],
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

    /// By how much the bound of a cell is raised.
    #[inline(always)]
    pub(crate) fn raise(&self, cell: u8) -> usize {
        let within = self
            .raised
            .iter()
            .map(|cells| cells[usize::from(cell >> 6)] >> (cell & 63) & 1);
        MOST - within.sum::<u64>() as usize
    }

    /// The highest bound of any cell.
    pub(crate) fn highest(&self) -> u8 {
        (self.levels.len() - 2 - MOST_RAISED) as u8
    }
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
    fn find(&self, costs: &Costs) -> u32 {
        let mask = self.slots.len() - 1;
        let mut at = home(costs) & mask;
        loop {
            let (there, number) = &self.slots[at & mask];
            if *number == 0 || there == costs {
                return *number;
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
        let mut at = home(&costs) & mask;
        while self.slots[at].1 != 0 {
            at = (at + 1) & mask;
        }
        self.slots[at] = (costs, number);
    }
}

/// Where a slot is looked for first.
#[inline(always)]
fn home([none, one, two, three]: &Costs) -> usize {
    let mixed = (three.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ two.rotate_left(32))
        .wrapping_mul(0xd6e8_feb8_6659_fd93)
        ^ (none.rotate_left(20) ^ one).wrapping_mul(0xa24b_aed4_963e_e407);
    (mixed ^ mixed >> 32) as usize
}

/// Sets of plans by a cell and a direction. Four directions, or two, share a word if there are few
/// plans.
#[derive(Clone, Debug)]
struct ByDirection {
    matrices: [BitMatrix; 4],
    /// How many directions share a word.
    shared: usize,
}

impl ByDirection {
    const EMPTY: Self = Self {
        matrices: [BitMatrix::EMPTY; 4],
        shared: 1,
    };

    fn clear(&mut self, plans: usize) {
        self.shared = if plans <= 16 {
            4
        } else if plans <= 32 {
            2
        } else {
            1
        };
        self.matrices[..4 / self.shared].fill(BitMatrix::EMPTY);
    }

    #[inline(always)]
    fn add(&mut self, d: usize, plan: usize, cells: [u64; 4]) {
        let (matrix, part) = (d / self.shared, d % self.shared);
        self.matrices[matrix].add(part * (64 / self.shared) + plan, cells);
    }

    #[inline(always)]
    fn turn(&mut self) {
        for matrix in &mut self.matrices[..4 / self.shared] {
            matrix.turn();
        }
    }

    /// The plans of a cell and some directions.
    #[inline(always)]
    fn of(&self, cell: u8, matrix: usize) -> u64 {
        self.matrices[matrix].of(cell)
    }
}

/// What helpers have to do with the stoppers that no wall helps them to stop on.
#[derive(Debug)]
struct Approaches {
    /// By a helper's cell and direction: the plans whose stopper it reaches, heading there, in at
    /// most one move, two, three, if something stops it.
    ready: Box<[ByDirection; MOST - 1]>,
    /// By a helper's cell and direction: the plans in which it is what stops another one that heads
    /// there, after no move, at most one, two.
    stops: Box<[ByDirection; MOST - 1]>,
}

impl Approaches {
    fn new() -> Self {
        let empty = || {
            let each = vec![ByDirection::EMPTY; MOST - 1].into_boxed_slice();
            each.try_into().expect("so many")
        };
        Self {
            ready: empty(),
            stops: empty(),
        }
    }

    /// What two helpers need for plans in which one stops the other, without what each needs alone.
    fn of_pair(&self, a: u8, b: u8) -> Costs {
        let shared = self.ready[0].shared;
        let mut costs = Costs::default();
        for (mover, other) in [(a, b), (b, a)] {
            for matrix in 0..4 / shared {
                let ready: [u64; MOST - 1] =
                    std::array::from_fn(|moves| self.ready[moves].of(mover, matrix));
                if ready[MOST - 2] == 0 {
                    continue;
                }
                let stops: [u64; MOST - 1] =
                    std::array::from_fn(|moves| self.stops[moves].of(other, matrix));
                for moves in 0..MOST - 1 {
                    for first in 0..=moves {
                        costs[1 + moves] |= ready[first] & stops[moves - first];
                    }
                }
            }
        }
        // All directions count alike.
        costs.map(|plans| match shared {
            4 => {
                let plans = plans | plans >> 32;
                (plans | plans >> 16) & 0xffff
            }
            2 => (plans | plans >> 32) & 0xffff_ffff,
            _ => plans,
        })
    }
}

/// Plans for a board and a target, and what helpers need for them.
#[derive(Debug)]
pub(crate) struct Plans {
    /// By plan: the goal-robot cells from which it takes at most 0, 1, 2, 3 moves more than the bound.
    near: Vec<[[u64; 4]; MOST]>,
    /// The goal-robot cells from which the target is reached without any plan, likewise.
    home: [[u64; 4]; MOST],
    /// The plain bound, and the cells of each.
    plain: [u8; 256],
    plain_levels: Vec<[u64; 4]>,
    /// What makes a difference.
    matters: Costs,
    /// By a helper's cell: what it needs without another helper.
    alone: Box<[Costs; 256]>,
    /// What it takes two helpers for.
    approaches: Approaches,
    /// By the cells of two helpers: the place among `pair_costs` of what they need, alone or together;
    /// 0 if that is not known yet. Few of them differ, and so all that is often asked stays in the
    /// nearer caches.
    pairs: Box<[[u16; 256]; 256]>,
    pair_costs: Vec<Costs>,
    by_pair_costs: FxHashMap<Costs, u16>,
    numbers: Numbers,
    bounds: Vec<RaisedBound>,
    /// Their numbers.
    by_raised: FxHashMap<[[u64; 4]; MOST], u32>,
}

impl Plans {
    pub(crate) fn new() -> Self {
        let pairs = vec![[0; 256]; 256].into_boxed_slice();
        Self {
            near: Vec::new(),
            home: [[0; 4]; MOST],
            plain: [UNREACHABLE; 256],
            plain_levels: Vec::new(),
            matters: Costs::default(),
            alone: Box::new([Costs::default(); 256]),
            approaches: Approaches::new(),
            pairs: pairs.try_into().expect("so many"),
            pair_costs: Vec::new(),
            by_pair_costs: FxHashMap::default(),
            numbers: Numbers::default(),
            bounds: Vec::new(),
            by_raised: FxHashMap::default(),
        }
    }

    /// Bytes that plans take before anything is known of the helpers.
    pub(crate) const BYTES: u64 = 1 << 18;

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> u64 {
        let levels = self.plain_levels.len() + MOST + 2 + MOST_RAISED;
        let each = size_of::<RaisedBound>() + levels * size_of::<[u64; 4]>();
        let bounds = self.bounds.len() * (each + size_of::<([[u64; 4]; MOST], u32)>());
        let numbers = self.numbers.slots.len() * size_of::<(Costs, u32)>();
        let pairs = self.pair_costs.len() * (size_of::<Costs>() + size_of::<(Costs, u16)>());
        Self::BYTES + (bounds + numbers + pairs) as u64
    }

    /// Makes the plans for a board and a target; false if there are too many, or if they are not
    /// worth it.
    pub(crate) fn set_up<S: Set>(&mut self, isa: S::Isa, tables: &Tables, wish: &Wish) -> bool {
        isa.run(SetUp::<S> {
            plans: self,
            tables,
            wish,
            isa,
        })
    }

    /// What the first so many helpers of a key need.
    #[inline(always)]
    pub(crate) fn costs<I: InstructionSet>(&mut self, isa: I, key: u32, len: usize) -> I::Set {
        if len == 1 {
            return isa.load(&self.alone[usize::from(helper(key, 0))]);
        }
        let mut costs = isa.load(&[0; 4]);
        for i in 1..len {
            for other in 0..i {
                costs = costs.or(self.pair(isa, helper(key, i), helper(key, other)));
            }
        }
        costs
    }

    /// What a helper needs beside the first so many of a key, and what these need if it is more than
    /// one.
    #[inline(always)]
    pub(crate) fn costs_beside<I: InstructionSet>(
        &mut self,
        isa: I,
        cell: u8,
        key: u32,
        others: usize,
    ) -> I::Set {
        if others == 0 {
            return isa.load(&self.alone[usize::from(cell)]);
        }
        let mut costs = self.pair(isa, helper(key, 0), cell);
        for other in 1..others {
            costs = costs.or(self.pair(isa, helper(key, other), cell));
        }
        costs
    }

    /// What two helpers need.
    #[inline(always)]
    fn pair<I: InstructionSet>(&mut self, isa: I, a: u8, b: u8) -> I::Set {
        let mut place = self.pairs[usize::from(a)][usize::from(b)];
        if place == 0 {
            place = self.make_pair(a, b);
        }
        isa.load(&self.pair_costs[usize::from(place)])
    }

    #[cold]
    #[inline(never)]
    fn make_pair(&mut self, a: u8, b: u8) -> u16 {
        let costs = self.costs_of_pair(a, b);
        // There are 32,640 pairs, so their places fit.
        let next = self.pair_costs.len() as u16;
        let place = *self.by_pair_costs.entry(costs).or_insert(next);
        if place == next {
            self.pair_costs.push(costs);
        }
        self.pairs[usize::from(a)][usize::from(b)] = place;
        self.pairs[usize::from(b)][usize::from(a)] = place;
        place
    }

    fn costs_of_pair(&self, a: u8, b: u8) -> Costs {
        let alone = union(self.alone[usize::from(a)], self.alone[usize::from(b)]);
        let pair = self.approaches.of_pair(a, b);
        std::array::from_fn(|moves| alone[moves] | pair[moves] & self.matters[moves])
    }

    /// The number of the bound for helpers with these costs.
    #[inline(always)]
    pub(crate) fn number_of(&mut self, costs: &Costs) -> u32 {
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
    fn add_bound(&mut self, costs: &Costs) -> u32 {
        let mut raised = self.home;
        let mut less = 0;
        for (cost, plans) in costs.iter().enumerate() {
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
        let next = self.bounds.len() as u32;
        let number = *self.by_raised.entry(raised).or_insert(next);
        if number == next {
            self.bounds.push(RaisedBound {
                raised,
                levels: Vec::new(),
                bound: [0; 256],
            });
        }
        self.numbers.insert(*costs, number + 1);
        number
    }

    /// Makes the levels of a bound if it has none yet.
    #[inline(always)]
    pub(crate) fn make_levels(&mut self, number: u32) {
        if self.bounds[number as usize].levels.is_empty() {
            self.make_levels_now(number);
        }
    }

    #[cold]
    #[inline(never)]
    fn make_levels_now(&mut self, number: u32) {
        let RaisedBound {
            raised,
            levels,
            bound,
            ..
        } = &mut self.bounds[number as usize];
        *levels = vec![[0; 4]; self.plain_levels.len() + MOST + 2 + MOST_RAISED];
        let mut before = [0; 4];
        for raise in 0..=MOST {
            let within = raised.get(raise).copied().unwrap_or([u64::MAX; 4]);
            for (bound, cells) in self.plain_levels.iter().enumerate() {
                for i in 0..4 {
                    levels[bound + raise + 1][i] |= cells[i] & within[i] & !before[i];
                }
            }
            before = within;
        }
        for (bound, plain) in bound.iter_mut().zip(self.plain) {
            *bound = plain.saturating_add(MOST as u8);
        }
        for cells in raised {
            subtract(bound, cells);
        }
    }

    /// The bound of a state, made for it alone.
    pub(crate) fn bound_of<const N: usize>(&self, key: u32, goal: u8) -> u8 {
        let mut costs = Costs::default();
        for i in 0..N {
            let cell = helper(key, i);
            costs = union(costs, self.alone[usize::from(cell)]);
            for other in 0..i {
                costs = union(costs, self.costs_of_pair(cell, helper(key, other)));
            }
        }
        let raise = (0..MOST).find(|&more| {
            let planned = (0..=more).any(|cost| {
                let mut plans = self.near.iter().enumerate();
                plans.any(|(plan, near)| {
                    costs[cost] >> plan & 1 == 1 && has(&near[more - cost], goal)
                })
            });
            planned || has(&self.home[more], goal)
        });
        self.plain[usize::from(goal)].saturating_add(raise.unwrap_or(MOST) as u8)
    }
}

impl Wish<'_> {
    /// Whether one of the states is not so near home that its bound is raised by less.
    fn may_be_fulfilled(&self, home: &[[u64; 4]; MOST]) -> bool {
        let Some(less) = self.raise.checked_sub(1) else {
            return true;
        };
        self.states.iter().any(|&(_, goal)| !has(&home[less], goal))
    }
}

/// Whether a set has a cell.
fn has(cells: &[u64; 4], cell: u8) -> bool {
    cells[usize::from(cell >> 6)] >> (cell & 63) & 1 == 1
}

fn union(a: [u64; 4], b: [u64; 4]) -> [u64; 4] {
    std::array::from_fn(|i| a[i] | b[i])
}

/// Takes one off the numbers of some cells, eight at a time.
fn subtract(numbers: &mut [u8; 256], cells: &[u64; 4]) {
    let cells = cells.iter().flat_map(|word| word.to_le_bytes());
    for (eight, bits) in numbers.as_chunks_mut::<8>().0.iter_mut().zip(cells) {
        // Each byte its own bit, then 1 where it is set.
        let apart = (u64::from(bits) * 0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
        let ones = (apart + 0x7f7f_7f7f_7f7f_7f7f) >> 7 & 0x0101_0101_0101_0101;
        *eight = (u64::from_le_bytes(*eight) - ones).to_le_bytes();
    }
}

/// What plans are for: they are worth it if they raise the bound of one of some states by so much at
/// least. Most often they do not, and that can be seen before most of the work is done.
pub(crate) struct Wish<'a> {
    /// The helpers of each state, and the goal robot's cell.
    pub(crate) states: &'a [([u64; 4], u8)],
    pub(crate) raise: usize,
}

struct SetUp<'a, S: Set> {
    plans: &'a mut Plans,
    tables: &'a Tables,
    wish: &'a Wish<'a>,
    isa: S::Isa,
}

impl<S: Set> Kernel for SetUp<'_, S> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let Self {
            plans,
            tables,
            wish,
            isa,
        } = self;
        let mut making = Making::<S>::new(isa, tables);
        // The less the bound is raised, the fewer plans there are.
        while making.most >= wish.raise.max(1) {
            if let Some(home) = making.home_stretch(plans) {
                if !wish.may_be_fulfilled(&plans.home) {
                    return false;
                }
                if let Some(ways_in) = making.ways_in(plans, &home) {
                    if !making.may_fulfil(wish, plans, &ways_in) {
                        return false;
                    }
                    making.make_plans(plans, ways_in);
                    return true;
                }
            }
            making.most -= 1;
        }
        false
    }
}

/// What making plans takes.
struct Making<'a, S: Set> {
    isa: S::Isa,
    tables: &'a Tables,
    enter: [S; 4],
    /// The cells whose plain bound is at least so much.
    at_least: Vec<[u64; 4]>,
    /// The bound is raised by this much at most.
    most: usize,
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
            most: MOST,
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

    /// The cells of the home stretch with the moves from there, as far as that matters; `None` if they are too many.
    #[inline(always)]
    fn home_stretch(&self, plans: &mut Plans) -> Option<Vec<(u8, usize)>> {
        plans.home = [[0; 4]; MOST];
        plans.home[self.most..].fill([u64::MAX; 4]);
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
            for more in 0..self.most {
                let here = level.and(self.at_least(moves.saturating_sub(more)));
                plans.home[more] = self.isa.load(&plans.home[more]).or(here).words();
                if more + 1 == self.most {
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

    /// The stoppers of the home stretch, and by how much more than the bound it takes to come in over
    /// each of them; `None` if they are too many.
    #[inline(always)]
    fn ways_in(&self, plans: &mut Plans, home: &[(u8, usize)]) -> Option<Vec<u8>> {
        // The cells beside a stopper that it stops the goal robot on, with how it comes there.
        let mut by_stopper = [u8::MAX; 256];
        let mut stoppers: Vec<u8> = Vec::new();
        let mut ways_in: Vec<Vec<(S, usize)>> = Vec::new();
        for &(cell, moves) in home {
            for heading in Direction::ALL {
                if self.tables.has_wall(cell, heading) {
                    continue;
                }
                let back = self.back(self.cell(cell), heading).minus(self.cell(cell));
                if back.is_empty() {
                    continue;
                }
                let stopper = cell.wrapping_add(STEP[heading.index()]);
                let plan = &mut by_stopper[usize::from(stopper)];
                if *plan == u8::MAX {
                    *plan = stoppers.len() as u8;
                    stoppers.push(stopper);
                    ways_in.push(Vec::new());
                    if stoppers.len() > MOST_PLANS {
                        return None;
                    }
                }
                ways_in[usize::from(*plan)].push((back, moves + 1));
            }
        }
        plans.near.clear();
        for ways in &ways_in {
            plans.near.push(self.near(ways));
        }
        Some(stoppers)
    }

    /// Whether the bound of one of the states may be raised as wished. All ways to bring a helper to a
    /// stopper count, but for those in which the goal robot stops it.
    #[inline(always)]
    fn may_fulfil(&self, wish: &Wish, plans: &Plans, stoppers: &[u8]) -> bool {
        if wish.raise == 0 {
            return true;
        }
        'states: for &(helpers, goal) in wish.states {
            let helpers = self.isa.load(&helpers);
            for (&stopper, near) in stoppers.iter().zip(&plans.near) {
                let extra = near[..wish.raise].iter().position(|cells| has(cells, goal));
                // So many helper moves would be few enough to raise it by less.
                if let Some(extra) = extra
                    && self.is_reached(stopper, helpers, wish.raise - 1 - extra)
                {
                    continue 'states;
                }
            }
            return true;
        }
        false
    }

    /// Whether one of the helpers comes to a stopper in at most so many helper moves, if it could stop
    /// anywhere before, and a wall or a helper stops it there.
    #[inline(always)]
    fn is_reached(&self, stopper: u8, helpers: S, most: usize) -> bool {
        let here = self.cell(stopper);
        if !here.and(helpers).is_empty() {
            return true;
        }
        if most == 0 {
            return false;
        }
        for heading in Direction::ALL {
            let mut before = self.back(here, heading).minus(here);
            if before.is_empty() {
                continue;
            }
            let wall = self.tables.has_wall(stopper, heading);
            for moves in 1..=most {
                let first = before.and(helpers);
                if !first.is_empty() {
                    if wall {
                        return true;
                    }
                    // Another one has to be behind the stopper.
                    let mut behind = self.cell(stopper.wrapping_add(STEP[heading.index()]));
                    for _ in moves..=most {
                        let second = behind.and(helpers);
                        if !second.is_empty() && count(&first.or(second).words()) > 1 {
                            return true;
                        }
                        behind = self.spread(behind);
                    }
                }
                before = self.spread(before);
            }
        }
        false
    }

    #[inline(always)]
    fn make_plans(&self, plans: &mut Plans, stoppers: Vec<u8>) {
        plans.numbers.clear();
        plans.bounds.clear();
        plans.by_raised.clear();
        plans.plain = self.tables.bound;
        plans.plain_levels = self.tables.all_levels().to_vec();
        // The first is of those that are not known.
        plans.pair_costs.clear();
        plans.pair_costs.push(Costs::default());
        plans.by_pair_costs.clear();
        plans.pairs.as_flattened_mut().fill(0);
        let Approaches { ready, stops } = &mut plans.approaches;
        for by_direction in ready.iter_mut().chain(stops.iter_mut()) {
            by_direction.clear(stoppers.len());
        }
        // What single helpers need, by plan.
        let mut alone = [BitMatrix::EMPTY; MOST];
        let mut add_alone = |plan: usize, cells: S, moves: usize| {
            for needed in &mut alone[moves..] {
                needed.add(plan, cells.words());
            }
        };
        // Plans in which the goal robot stops a helper: the cell where it does, the number if there is
        // one left, and the cells near it.
        let mut of_goal_cells: Vec<(u8, Option<usize>, [[u64; 4]; MOST])> = Vec::new();
        for (plan, stopper) in stoppers.into_iter().enumerate() {
            let here = self.cell(stopper);
            add_alone(plan, here, 0);
            for heading in Direction::ALL {
                let back = self.back(here, heading).minus(here);
                if back.is_empty() {
                    continue;
                }
                // Where a helper may be that heads for the stopper in its first move, its second, …
                let mut before = [back; MOST - 1];
                for moves in 1..MOST - 1 {
                    before[moves] = self.spread(before[moves - 1]);
                }
                if self.tables.has_wall(stopper, heading) {
                    for (moves, cells) in before.into_iter().enumerate() {
                        add_alone(plan, cells, 1 + moves);
                    }
                    continue;
                }
                let d = heading.index();
                let behind = stopper.wrapping_add(STEP[d]);
                let mut there = self.cell(behind);
                for moves in 0..MOST - 1 {
                    ready[moves].add(d, plan, before[moves].words());
                    stops[moves].add(d, plan, there.words());
                    if moves + 2 < MOST {
                        there = self.spread(there);
                    }
                }
                // Or the goal robot stands there, which is out of its way.
                let near = &plans.near[plan][..self.most];
                let Some(detour) = near.iter().position(|cells| has(cells, behind)) else {
                    continue;
                };
                if detour + 1 >= self.most {
                    continue;
                }
                let known = of_goal_cells.iter().position(|plan| plan.0 == behind);
                let place = known.unwrap_or_else(|| {
                    let bound = usize::from(self.tables.bound[usize::from(behind)]);
                    let near = self.near(&[(self.cell(behind), bound)]);
                    let number = Some(plans.near.len()).filter(|&number| number < MOST_PLANS);
                    if number.is_some() {
                        plans.near.push(near);
                    }
                    of_goal_cells.push((behind, number, near));
                    of_goal_cells.len() - 1
                });
                let (_, number, near) = &of_goal_cells[place];
                match *number {
                    Some(plan) => {
                        for (moves, &cells) in before[..MOST - 1 - detour].iter().enumerate() {
                            add_alone(plan, cells, 1 + detour + moves);
                        }
                    }
                    // No number is left for it; then it counts as if a helper were always near.
                    None => {
                        for more in 1 + detour..self.most {
                            let cells = near[more - 1 - detour];
                            plans.home[more] = union(plans.home[more], cells);
                        }
                    }
                }
            }
        }
        for by_direction in ready.iter_mut().chain(stops.iter_mut()) {
            by_direction.turn();
        }
        for needed in &mut alone {
            needed.turn();
        }
        let mut everywhere = [u64::MAX >> (64 - MOST_PLANS); MOST];
        for cell in 0..=255 {
            let costs: Costs = std::array::from_fn(|moves| alone[moves].of(cell));
            plans.alone[usize::from(cell)] = costs;
            if self.tables.bound[usize::from(cell)] != UNREACHABLE {
                everywhere = std::array::from_fn(|moves| everywhere[moves] & costs[moves]);
            }
        }
        self.simplify(plans, &everywhere);
    }

    /// Leaves out what makes no difference, so that more helpers need the same. `everywhere` is what a
    /// helper needs wherever it is; that much less can be asked of the helpers.
    #[inline(always)]
    fn simplify(&self, plans: &mut Plans, everywhere: &Costs) {
        for (plan, near) in plans.near.iter().enumerate() {
            if let Some(cost) = everywhere.iter().position(|plans| plans >> plan & 1 == 1) {
                for more in cost..self.most {
                    plans.home[more] = union(plans.home[more], near[more - cost]);
                }
            }
        }
        plans.matters = Costs::default();
        for (plan, near) in plans.near.iter().enumerate() {
            for cost in 0..self.most {
                let differs = (cost..self.most).any(|more| {
                    let home = self.isa.load(&plans.home[more]);
                    !self.isa.load(&near[more - cost]).minus(home).is_empty()
                });
                plans.matters[cost] |= u64::from(differs) << plan;
            }
        }
        for costs in plans.alone.iter_mut() {
            *costs = std::array::from_fn(|moves| costs[moves] & plans.matters[moves]);
        }
    }

    /// The cells from which it takes at most 0, 1, 2, 3 moves more than the bound to go somewhere and
    /// then make so many moves, by one of several ways.
    #[inline(always)]
    fn near(&self, ways: &[(S, usize)]) -> [[u64; 4]; MOST] {
        let none = self.isa.load(&[0; 4]);
        let mut near = [none; MOST];
        let mut level = none;
        let mut seen = none;
        let first = ways.iter().map(|way| way.1).min().unwrap_or(0);
        let last = ways.iter().map(|way| way.1).max().unwrap_or(0);
        for moves in first.. {
            if moves <= last {
                for &(from, _) in ways.iter().filter(|way| way.1 == moves) {
                    level = level.or(from.minus(seen));
                }
                seen = seen.or(level);
            }
            // A cell from which it takes too many moves has only such cells beyond it: one move changes
            // the bound by one at most.
            level = level.and(self.at_least((moves + 1).saturating_sub(self.most)));
            for (more, near) in near.iter_mut().enumerate().take(self.most) {
                *near = near.or(level.and(self.at_least(moves.saturating_sub(more))));
            }
            if moves >= last && level.is_empty() {
                break;
            }
            level = self.spread(level).minus(seen);
            seen = seen.or(level);
        }
        near.map(Set::words)
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
        let wish = Wish {
            states: &[],
            raise: 0,
        };
        let made = plans.set_up::<PortableSet>(Portable, &tables, &wish);
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
                let costs = plans.costs(Portable, key, 3).words();
                let number = plans.number_of(&costs);
                plans.make_levels(number);
                let found = plans.bound(number);
                assert_eq!(
                    found.bound[usize::from(goal)],
                    plans.bound_of::<3>(key, goal)
                );
                if found.bound[usize::from(goal)] != UNREACHABLE {
                    let level = &found.around(found.bound[usize::from(goal)])[1];
                    assert_eq!(level[usize::from(goal >> 6)] >> (goal & 63) & 1, 1);
                }
                assert_eq!(plans.number_of(&costs), number);
                let next = after_each_move(&puzzle, state);
                let Some(&one) = rng.choose(&next) else {
                    break;
                };
                state = one;
            }
        }
    }
}
