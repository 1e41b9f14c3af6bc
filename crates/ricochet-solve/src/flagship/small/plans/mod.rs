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

mod approaches;
mod bit_matrix;
mod goal_moves;
mod helper_moves;
mod making;
mod raised;
mod raised_bound;

use rustc_hash::FxHashMap;

use super::key::helper;
use super::tables::{Tables, UNREACHABLE, step};
use crate::lowlevel::instructions::InstructionSet;
use crate::lowlevel::set::{BITS, Set};
use approaches::Approaches;
pub(crate) use making::Requirement;
use making::SetUp;
pub(super) use raised::Raised;
use raised_bound::{Numbers, RaisedBound};

/// The bound is raised by this much at most. There are as many words in a set, so that [`Costs`] are
/// one vector.
pub(crate) const MOST: usize = 4;

/// How far a move may raise the bound.
pub(crate) const MOST_RAISED: usize = MOST + 1;

/// What some helpers need for each plan: a bit for each plan that takes no helper move, at most one, at
/// most two, at most three. So what the best of several helpers needs is the union.
pub(crate) type Costs = [u64; MOST];

/// What is known about a configuration: its bound, and what each helper move does to it if the goal robot does
/// not stop it. One cache line.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(crate) struct Survey {
    /// One more than the number of its bound; 0 if nothing is known yet.
    pub(crate) number: u32,
    /// The moves that leave the bound as it is, whatever the goal robot's cell.
    pub(crate) same: u16,
    /// The moves that lower it for some cells, …
    pub(crate) lowering: u16,
    /// … and these cells.
    pub(crate) lowered: [u64; 4],
    /// The number of the bound after each move that does not leave it as it is; [`Survey::ASK`] if it
    /// is too large.
    after: [u16; Self::NOTED],
}

impl Survey {
    const ASK: u16 = u16::MAX;

    /// The moves of three helpers are noted; those of a fourth have no room in the line.
    const NOTED: usize = 12;

    /// One that knows only the number of the bound.
    #[inline(always)]
    pub(super) fn of(number: u32) -> Self {
        Self {
            number: number + 1,
            ..Self::default()
        }
    }

    /// Notes the number of the bound after the move at a place.
    #[inline(always)]
    pub(super) fn note(&mut self, place: usize, number: u32) {
        if let Some(after) = self.after.get_mut(place) {
            *after = number.min(u32::from(Self::ASK)) as u16;
        }
    }

    /// The number of the bound after the move at a place, if it was noted.
    #[inline(always)]
    pub(super) fn noted(&self, place: usize) -> Option<u32> {
        let after = self.after.get(place).copied();
        after.filter(|&after| after != Self::ASK).map(u32::from)
    }
}

/// Plans for a board and a target, and what helpers need for them.
#[derive(Clone, Debug)]
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
    /// By a helper's cell: the goal-robot cells that stop it where some plan may take fewer moves,
    /// where that has been made.
    helpful_stops: Box<[Option<[u64; 4]>; 256]>,
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
            helpful_stops: Box::new([None; 256]),
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
    pub(crate) fn set_up<S: Set>(
        &mut self,
        isa: S::Isa,
        tables: &Tables,
        requirement: &Requirement,
    ) -> bool {
        isa.run(SetUp::<S> {
            plans: self,
            tables,
            requirement,
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

    /// The goal-robot cells that stop a helper, walls or not, where some plan may take fewer moves than
    /// from where it is. What a helper needs beside any other depends on what it is near alone, so it
    /// takes fewer only if it is near more.
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
                let more = (0..MOST).any(|moves| there[moves] & !here[moves] != 0);
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

    /// Plans for a puzzle, if there are not too many.
    fn plans(puzzle: &Puzzle) -> Option<Plans> {
        let (mut tables, mut plans) = (Tables::new(), Plans::new());
        tables.set_up::<PortableSet>(Portable, puzzle.board(), puzzle.goal().cell);
        let requirement = Requirement {
            states: &[],
            raise: 0,
        };
        let made = plans.set_up::<PortableSet>(Portable, &tables, &requirement);
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

    /// Where the goal robot stops a helper, some plan takes fewer moves than before only if the cell
    /// is among those that say so.
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
