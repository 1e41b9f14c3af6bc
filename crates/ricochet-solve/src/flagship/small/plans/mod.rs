//! A bound that also counts the helper moves without which the goal robot cannot stop on the cells
//! it has to stop on.
//!
//! The *home stretch* consists of the cells from which walls alone stop the goal robot on its way
//! to the target. On hard positions it is short: a handful of cells in line with the target. A goal
//! robot that is not on it must enter it, on a cell `y` on which no wall stops it; so a helper has
//! to stand behind `y`, on a *stopper* `r`. Bringing it there takes helper moves, in addition to
//! the goal robot's own moves. A *plan* is one way to enter the home stretch. It takes at least
//! - the moves that bring a helper to `r`, if it could stop anywhere before, and if a wall or
//!   another helper stops it on `r`; the other helper may have to be brought next to `r` as well;
//!   or
//! - if the goal robot itself stops the helper, standing on `s` next to `r`: the helper's moves,
//!   and the goal robot's detour over `s`.
//!
//! So there are two kinds of plans, by `r` and by `s`. The number of helper moves that a plan takes
//! depends on the helpers alone (their *costs*). The number of moves that the goal robot makes
//! beyond the plain bound depends on its cell alone. The new bound is the plain one plus the least
//! sum of both, but at most [`MAX_RAISE`] more. `docs/design/flagship.md` proves that it is a lower
//! bound, and that a move lowers it by at most one.

mod approaches;
mod bit_matrix;
mod goal_moves;
mod helper_moves;
mod maker;
mod raised;
mod raised_bound;

use rustc_hash::FxHashMap;

use super::key::helper;
use super::tables::{Tables, UNREACHABLE, step};
use crate::lowlevel::instructions::InstructionSet;
use crate::lowlevel::set::{BITS, Set};
use approaches::Approaches;
pub(crate) use maker::Requirement;
use maker::SetUp;
pub(super) use raised::RaisedHeuristic;
use raised_bound::{Numbers, RaisedBound};

/// The bound is raised by at most this much. A set has the same number of words, so that [`Costs`]
/// fit into one vector.
pub(crate) const MAX_RAISE: usize = 4;

/// The most by which a move may raise the bound.
pub(crate) const MAX_MOVE_RAISE: usize = MAX_RAISE + 1;

/// The costs of some helpers: a bit for each plan that takes no helper move, at most one, at most
/// two, at most three. So the costs of the best of several helpers are the union.
pub(crate) type Costs = [u64; MAX_RAISE];

/// The survey of a configuration: its bound, and how each helper move changes it if the goal robot
/// does not stop the helper. It fits into one cache line.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(crate) struct Survey {
    /// One more than the number of its bound; 0 if there is no survey yet.
    pub(crate) number: u32,
    /// The moves that do not change the bound, whatever the goal robot's cell.
    pub(crate) same: u16,
    /// The moves that lower the bound for some goal-robot cells.
    pub(crate) lowering: u16,
    /// The goal-robot cells for which one of these moves lowers the bound.
    pub(crate) lowered: [u64; 4],
    /// The number of the bound after each move that changes it; [`Survey::ASK`] if the number is
    /// too large.
    after: [u16; Self::NOTED],
}

impl Survey {
    const ASK: u16 = u16::MAX;

    /// The moves of three helpers are noted; there is no room in the cache line for those of a
    /// fourth.
    const NOTED: usize = 12;

    /// A survey that has only the number of the bound.
    #[inline(always)]
    pub(super) fn of(number: u32) -> Self {
        Self {
            number: number + 1,
            ..Self::default()
        }
    }

    /// Notes the number of the bound after a move.
    #[inline(always)]
    pub(super) fn note(&mut self, move_index: usize, number: u32) {
        if let Some(after) = self.after.get_mut(move_index) {
            *after = number.min(u32::from(Self::ASK)) as u16;
        }
    }

    /// The number of the bound after a move, if it was noted.
    #[inline(always)]
    pub(super) fn noted(&self, move_index: usize) -> Option<u32> {
        let after = self.after.get(move_index).copied();
        after.filter(|&after| after != Self::ASK).map(u32::from)
    }
}

/// The plans for a board and a target, and the helpers' costs.
#[derive(Clone, Debug)]
pub(crate) struct Plans {
    /// By plan: the goal-robot cells from which it takes at most 0, 1, 2, 3 moves more than the
    /// plain bound.
    near: Vec<[[u64; 4]; MAX_RAISE]>,
    /// The goal-robot cells from which reaching the target without a plan takes at most 0, 1, 2, 3
    /// moves more than the plain bound.
    home: [[u64; 4]; MAX_RAISE],
    /// The plain bound of each cell, and the cells of each plain bound.
    plain: [u8; 256],
    plain_levels: Vec<[u64; 4]>,
    /// The costs that make a difference to the bound.
    matters: Costs,
    /// By a helper's cell: its costs without another helper.
    alone: Box<[Costs; 256]>,
    /// The plans that take two helpers.
    approaches: Approaches,
    /// By a helper's cell: the goal-robot cells that stop it on a cell from which some plan may
    /// take fewer moves; `None` until it is needed.
    helpful_stops: Box<[Option<[u64; 4]>; 256]>,
    /// By the cells of two helpers: the index in `pair_costs` of their costs, alone or together; 0
    /// if these have not been computed yet. Few costs differ, so the ones that are often needed
    /// stay in the nearer caches.
    pairs: Box<[[u16; 256]; 256]>,
    pair_costs: Vec<Costs>,
    by_pair_costs: FxHashMap<Costs, u16>,
    numbers: Numbers,
    bounds: Vec<RaisedBound>,
    /// The number of each bound.
    by_raised: FxHashMap<[[u64; 4]; MAX_RAISE], u32>,
}

impl Default for Plans {
    fn default() -> Self {
        let pairs = vec![[0; 256]; 256].into_boxed_slice();
        Self {
            near: Vec::new(),
            home: [[0; 4]; MAX_RAISE],
            plain: [UNREACHABLE; 256],
            plain_levels: Vec::new(),
            matters: Costs::default(),
            alone: Box::new([Costs::default(); 256]),
            approaches: Approaches::new(),
            helpful_stops: Box::new([None; 256]),
            pairs: pairs.try_into().expect("so many"),
            pair_costs: Vec::new(),
            by_pair_costs: FxHashMap::default(),
            numbers: Numbers::default(),
            bounds: Vec::new(),
            by_raised: FxHashMap::default(),
        }
    }
}

impl Plans {
    /// The bytes that plans take before any costs or bounds have been computed.
    pub(crate) const BYTES: u64 = 1 << 18;

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> u64 {
        let levels = self.plain_levels.len() + MAX_RAISE + 2 + MAX_MOVE_RAISE;
        let each = size_of::<RaisedBound>() + levels * size_of::<[u64; 4]>();
        let bounds = self.bounds.len() * (each + size_of::<([[u64; 4]; MAX_RAISE], u32)>());
        let numbers = self.numbers.slots.len() * size_of::<(Costs, u32)>();
        let pairs = self.pair_costs.len() * (size_of::<Costs>() + size_of::<(Costs, u16)>());
        Self::BYTES + (bounds + numbers + pairs) as u64
    }

    /// Makes the plans for a board and a target, in place of earlier ones. `None` if there are too
    /// many, or if they do not meet the requirement.
    pub(crate) fn set_up<'a, S: Set>(
        plans: &'a mut Option<Box<Self>>,
        isa: S::Isa,
        tables: &Tables,
        requirement: &Requirement,
    ) -> Option<&'a Self> {
        let made = isa.run(SetUp::<S> {
            plans,
            tables,
            requirement,
            isa,
        });
        plans.as_deref().filter(|_| made)
    }

    /// The costs of the first `len` helpers of a key.
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

    /// The costs of a helper together with each of the first `others` helpers of a key. Pairs among
    /// these are not included.
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

    /// The costs of two helpers.
    #[inline(always)]
    fn pair<I: InstructionSet>(&mut self, isa: I, a: u8, b: u8) -> I::Set {
        let mut index = self.pairs[usize::from(a)][usize::from(b)];
        if index == 0 {
            index = self.make_pair(a, b);
        }
        isa.load(&self.pair_costs[usize::from(index)])
    }

    #[cold]
    #[inline(never)]
    fn make_pair(&mut self, a: u8, b: u8) -> u16 {
        let costs = self.costs_of_pair(a, b);
        // There are 32,640 pairs, so their indices fit.
        let next = self.pair_costs.len() as u16;
        let index = *self.by_pair_costs.entry(costs).or_insert(next);
        if index == next {
            self.pair_costs.push(costs);
        }
        self.pairs[usize::from(a)][usize::from(b)] = index;
        self.pairs[usize::from(b)][usize::from(a)] = index;
        index
    }

    fn costs_of_pair(&self, a: u8, b: u8) -> Costs {
        let alone = union(self.alone[usize::from(a)], self.alone[usize::from(b)]);
        let pair = self.approaches.of_pair(a, b);
        std::array::from_fn(|moves| alone[moves] | pair[moves] & self.matters[moves])
    }

    /// The goal-robot cells that stop a helper, ignoring walls, on a cell from which some plan may
    /// take fewer moves than from its present cell. The costs of a helper with any other one depend
    /// only on what it is near itself, so they can fall only if it is near more.
    #[inline(always)]
    pub(crate) fn helpful_stops<I: InstructionSet>(&mut self, isa: I, cell: u8) -> I::Set {
        if let Some(stops) = &self.helpful_stops[usize::from(cell)] {
            return isa.load(stops);
        }
        self.make_helpful_stops(cell);
        isa.load(&self.helpful_stops[usize::from(cell)].unwrap_or_default())
    }

    #[cold]
    #[inline(never)]
    fn make_helpful_stops(&mut self, cell: u8) {
        let here = self.alone[usize::from(cell)];
        let mut stops = [0; 4];
        for d in 0..4 {
            let mut next = step(cell, d);
            while let Some(end) = next {
                next = step(end, d);
                let there = self.alone[usize::from(end)];
                let more = (0..MAX_RAISE).any(|moves| there[moves] & !here[moves] != 0);
                if let Some(goal) = next
                    && (more || self.approaches.has_more(end, cell))
                {
                    stops = union(stops, BITS[usize::from(goal)]);
                }
            }
        }
        self.helpful_stops[usize::from(cell)] = Some(stops);
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
                for more in cost..MAX_RAISE {
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
        *levels = vec![[0; 4]; self.plain_levels.len() + MAX_RAISE + 2 + MAX_MOVE_RAISE];
        let mut before = [0; 4];
        for raise in 0..=MAX_RAISE {
            let within = raised.get(raise).copied().unwrap_or([u64::MAX; 4]);
            for (bound, cells) in self.plain_levels.iter().enumerate() {
                for i in 0..4 {
                    levels[bound + raise + 1][i] |= cells[i] & within[i] & !before[i];
                }
            }
            before = within;
        }
        for (bound, plain) in bound.iter_mut().zip(self.plain) {
            *bound = plain.saturating_add(MAX_RAISE as u8);
        }
        for cells in raised {
            subtract(bound, cells);
        }
    }

    /// The bound of a state, computed from scratch.
    pub(crate) fn bound_of<const N: usize>(&self, key: u32, goal: u8) -> u8 {
        let mut costs = Costs::default();
        for i in 0..N {
            let cell = helper(key, i);
            costs = union(costs, self.alone[usize::from(cell)]);
            for other in 0..i {
                costs = union(costs, self.costs_of_pair(cell, helper(key, other)));
            }
        }
        let raise = (0..MAX_RAISE).find(|&more| {
            let planned = (0..=more).any(|cost| {
                let mut plans = self.near.iter().enumerate();
                plans.any(|(plan, near)| {
                    costs[cost] >> plan & 1 == 1 && has(&near[more - cost], goal)
                })
            });
            planned || has(&self.home[more], goal)
        });
        self.plain[usize::from(goal)].saturating_add(raise.unwrap_or(MAX_RAISE) as u8)
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
        // Spreads the bits so that each byte has its own, then turns each into 0 or 1.
        let apart = (u64::from(bits) * 0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
        let ones = (apart + 0x7f7f_7f7f_7f7f_7f7f) >> 7 & 0x0101_0101_0101_0101;
        *eight = (u64::from_le_bytes(*eight) - ones).to_le_bytes();
    }
}

#[cfg(test)]
mod tests {
    use ricochet_core::generate::{RandomBoard, Recipe};
    use ricochet_core::quadrants::Edition;
    use ricochet_core::rng::Rng;
    use ricochet_core::{Direction, Puzzle, Robot, State};

    use super::*;
    use crate::flagship::Flagship;
    use crate::flagship::small::packed;
    use crate::lowlevel::instructions::Portable;
    use crate::lowlevel::portable::PortableSet;
    use crate::{Limits, NullObserver, Outcome, Solver};

    /// The plans for a puzzle, if there are not too many.
    fn plans(puzzle: &Puzzle) -> Option<Plans> {
        let (mut tables, mut plans) = (Tables::new(), None);
        tables.set_up::<PortableSet>(Portable, puzzle.board(), puzzle.goal().cell);
        let requirement = Requirement {
            states: &[],
            raise: 0,
        };
        Plans::set_up::<PortableSet>(&mut plans, Portable, &tables, &requirement)?;
        plans.map(|plans| *plans)
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
                assert!((plain..=plain + MAX_RAISE as u8).contains(&here));
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
            let (outcome, _) = solver.solve(&puzzle, &limits, &mut NullObserver);
            let bound = u32::from(bound(&plans, &puzzle, puzzle.start()));
            if let Outcome::Solved { solution, .. } = outcome {
                assert!(bound <= solution.len() as u32, "{:?}", puzzle.to_setup());
                exact += usize::from(bound == solution.len() as u32);
                asked += 1;
            }
        }
        assert!(asked > 50 && exact > 10, "{exact} of {asked}");
    }

    /// The tables of pairs and bounds agree with what is computed from scratch.
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

    /// If the goal robot stops a helper, some plan takes fewer moves than before only if the goal
    /// robot is on one of the helpful cells.
    #[test]
    #[cfg_attr(miri, ignore = "a board's tables are too much for it")]
    fn other_stops_are_no_help() {
        let mut rng = Rng::new(6);
        let (mut helped, mut left_out) = (0, 0);
        for (puzzle, mut plans) in puzzles(14, 2) {
            if puzzle.start().len() != 3 {
                continue;
            }
            for _ in 0..400 {
                let [cell, other] = [(); 2].map(|()| rng.below(256) as u8);
                let stops = plans.helpful_stops(Portable, cell).words();
                let before = plans.costs_beside(Portable, cell, u32::from(other), 1);
                for d in 0..4 {
                    let mut next = step(cell, d);
                    while let Some(end) = next {
                        next = step(end, d);
                        let after = plans.costs_beside(Portable, end, u32::from(other), 1);
                        let fewer = !after.minus(before).is_empty();
                        if let Some(goal) = next {
                            assert!(!fewer || has(&stops, goal), "{cell} {other} {end}");
                            helped += usize::from(fewer);
                            left_out += usize::from(!has(&stops, goal));
                        }
                    }
                }
            }
        }
        assert!(helped > 1_000 && left_out > 1_000, "{helped} {left_out}");
    }
}
