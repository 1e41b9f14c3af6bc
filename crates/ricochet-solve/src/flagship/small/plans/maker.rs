//! Makes the plans for a board and a target.

use ricochet_core::Direction;

use super::approaches::Approaches;
use super::bit_matrix::BitMatrix;
use super::{Costs, MAX_RAISE, Plans, has, union};
use crate::flagship::small::tables::{STEP, Tables, UNREACHABLE};
use crate::lowlevel::instructions::{InstructionSet, Kernel};
use crate::lowlevel::set::{BITS, Set, cells_of, count};

/// The largest number of plans, which have to fit into a word. With more, the bound is not used.
const MAX_PLANS: usize = 63;

/// With more cells on the home stretch, there would be more plans than that.
const MAX_HOME_CELLS: u32 = 24;

/// The requirement for using plans: they must raise the bound of at least one of some states by at
/// least `raise`. Usually they do not, and a cheap check shows that before most of the work is
/// done.
pub(crate) struct Requirement<'a> {
    /// The helpers of each state, and the goal robot's cell.
    pub(crate) states: &'a [([u64; 4], u8)],
    pub(crate) raise: usize,
}

impl Requirement<'_> {
    /// False if every state is so near the target by walls alone that its bound is raised by less.
    fn may_be_fulfilled(&self, home: &[[u64; 4]; MAX_RAISE]) -> bool {
        let Some(less) = self.raise.checked_sub(1) else {
            return true;
        };
        self.states.iter().any(|&(_, goal)| !has(&home[less], goal))
    }
}

pub(super) struct SetUp<'a, S: Set> {
    /// The plans of an earlier search, if there are any.
    pub(super) plans: &'a mut Option<Box<Plans>>,
    pub(super) tables: &'a Tables,
    pub(super) requirement: &'a Requirement<'a>,
    pub(super) isa: S::Isa,
}

impl<S: Set> Kernel for SetUp<'_, S> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let Self {
            plans,
            tables,
            requirement,
            isa,
        } = self;
        let mut maker = PlanMaker::<S>::new(isa, tables);
        // The lower the limit of the raise, the fewer plans there are.
        while maker.most >= requirement.raise.max(1) {
            if let Some(home) = maker.home_stretch() {
                if !requirement.may_be_fulfilled(&maker.home) {
                    return false;
                }
                if let Some(stoppers) = maker.stoppers(&home) {
                    if !maker.may_fulfil(requirement, &stoppers) {
                        return false;
                    }
                    maker.make_plans(plans.get_or_insert_default(), stoppers);
                    return true;
                }
            }
            maker.most -= 1;
        }
        false
    }
}

/// The data for maker plans.
struct PlanMaker<'a, S: Set> {
    isa: S::Isa,
    tables: &'a Tables,
    enter: [S; 4],
    /// By number: the cells whose plain bound is at least that.
    at_least: Vec<[u64; 4]>,
    /// The bound is raised by at most this much.
    most: usize,
    /// These become fields of [`Plans`].
    home: [[u64; 4]; MAX_RAISE],
    near: Vec<[[u64; 4]; MAX_RAISE]>,
}

impl<'a, S: Set> PlanMaker<'a, S> {
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
            most: MAX_RAISE,
            home: [[0; 4]; MAX_RAISE],
            near: Vec::new(),
        }
    }

    /// The cells whose plain bound is at least `bound`.
    #[inline(always)]
    fn at_least(&self, bound: usize) -> S {
        let last = self.at_least.len() - 1;
        self.isa.load(&self.at_least[bound.min(last)])
    }

    #[inline(always)]
    fn cell(&self, cell: u8) -> S {
        self.isa.load(&BITS[usize::from(cell)])
    }

    /// The cells from which a robot with this heading may arrive on one of the cells, and the cells
    /// themselves.
    #[inline(always)]
    fn back(&self, cells: S, heading: Direction) -> S {
        match heading {
            Direction::North => cells.fill_south(self.enter[2]),
            Direction::East => cells.fill_west(self.enter[3]),
            Direction::South => cells.fill_north(self.enter[0]),
            Direction::West => cells.fill_east(self.enter[1]),
        }
    }

    /// The cells that can be reached in one move if a robot may stop anywhere, and the cells
    /// themselves.
    #[inline(always)]
    fn spread(&self, cells: S) -> S {
        cells
            .fill_north(self.enter[0])
            .or(cells.fill_east(self.enter[1]))
            .or(cells
                .fill_south(self.enter[2])
                .or(cells.fill_west(self.enter[3])))
    }

    /// The cells of the home stretch near enough to matter, each with its number of moves; `None`
    /// if there are too many.
    #[inline(always)]
    fn home_stretch(&mut self) -> Option<Vec<(u8, usize)>> {
        self.home = [[0; 4]; MAX_RAISE];
        self.home[self.most..].fill([u64::MAX; 4]);
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
                self.home[more] = self.isa.load(&self.home[more]).or(here).words();
                if more + 1 == self.most {
                    cells += count(&here.words());
                    if cells > MAX_HOME_CELLS {
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

    /// The stoppers of the home stretch. Sets the cells near each of them, by how many moves more
    /// than the bound it takes to enter the home stretch there. `None` if there are too many.
    #[inline(always)]
    fn stoppers(&mut self, home: &[(u8, usize)]) -> Option<Vec<u8>> {
        // By stopper: the cells from which the goal robot heads for it and is stopped next to it,
        // with the moves from there.
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
                    if stoppers.len() > MAX_PLANS {
                        return None;
                    }
                }
                ways_in[usize::from(*plan)].push((back, moves + 1));
            }
        }
        // A loop: a closure might not be inlined into the kernel.
        self.near.clear();
        for ways in &ways_in {
            let near = self.cells_near(ways);
            self.near.push(near);
        }
        Some(stoppers)
    }

    /// Whether the bound of one of the states may be raised as required. Considers all ways to
    /// bring a helper to a stopper except those in which the goal robot stops it.
    #[inline(always)]
    fn may_fulfil(&self, requirement: &Requirement, stoppers: &[u8]) -> bool {
        if requirement.raise == 0 {
            return true;
        }
        'states: for &(helpers, goal) in requirement.states {
            let helpers = self.isa.load(&helpers);
            for (&stopper, near) in stoppers.iter().zip(&self.near) {
                let extra = near[..requirement.raise]
                    .iter()
                    .position(|cells| has(cells, goal));
                // If a helper reaches the stopper in this few moves, the bound is raised by less
                // than required.
                if let Some(extra) = extra
                    && self.is_reached(stopper, helpers, requirement.raise - 1 - extra)
                {
                    continue 'states;
                }
            }
            return true;
        }
        false
    }

    /// Whether a helper reaches a stopper in at most `most` helper moves, if it could stop anywhere
    /// before and a wall or another helper stops it there.
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
                    // Another helper has to be behind the stopper.
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
    fn make_plans(self, plans: &mut Plans, stoppers: Vec<u8>) {
        plans.home = self.home;
        plans.near.clone_from(&self.near);
        plans.numbers.clear();
        plans.bounds.clear();
        plans.by_raised.clear();
        plans.plain = self.tables.bound;
        plans.plain_levels = self.tables.all_levels().to_vec();
        // Index 0 stands for pairs whose costs have not been computed.
        plans.pair_costs.clear();
        plans.pair_costs.push(Costs::default());
        plans.by_pair_costs.clear();
        plans.pairs.as_flattened_mut().fill(0);
        plans.helpful_stops.fill(None);
        let Approaches { ready, stops } = &mut plans.approaches;
        for by_direction in ready.iter_mut().chain(stops.iter_mut()) {
            by_direction.clear(stoppers.len());
        }
        // The costs of single helpers, by plan.
        let mut alone = [BitMatrix::EMPTY; MAX_RAISE];
        let mut add_alone = |plan: usize, cells: S, moves: usize| {
            for needed in &mut alone[moves..] {
                needed.add(plan, cells.words());
            }
        };
        // Plans in which the goal robot stops a helper: the cell on which it does, the number of
        // the plan if one was left, and the cells near it.
        let mut of_goal_cells: Vec<(u8, Option<usize>, [[u64; 4]; MAX_RAISE])> = Vec::new();
        for (plan, stopper) in stoppers.into_iter().enumerate() {
            let here = self.cell(stopper);
            add_alone(plan, here, 0);
            for heading in Direction::ALL {
                let back = self.back(here, heading).minus(here);
                if back.is_empty() {
                    continue;
                }
                // By number of moves: the cells from which a helper may head for the stopper after
                // that many moves.
                let mut before = [back; MAX_RAISE - 1];
                for moves in 1..MAX_RAISE - 1 {
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
                for moves in 0..MAX_RAISE - 1 {
                    ready[moves].add(d, plan, before[moves].words());
                    stops[moves].add(d, plan, there.words());
                    if moves + 2 < MAX_RAISE {
                        there = self.spread(there);
                    }
                }
                // The goal robot may stand behind the stopper instead, which is a detour for it.
                let near = &plans.near[plan][..self.most];
                let Some(detour) = near.iter().position(|cells| has(cells, behind)) else {
                    continue;
                };
                if detour + 1 >= self.most {
                    continue;
                }
                let known = of_goal_cells.iter().position(|plan| plan.0 == behind);
                let index = known.unwrap_or_else(|| {
                    let bound = usize::from(self.tables.bound[usize::from(behind)]);
                    let near = self.cells_near(&[(self.cell(behind), bound)]);
                    let number = Some(plans.near.len()).filter(|&number| number < MAX_PLANS);
                    if number.is_some() {
                        plans.near.push(near);
                    }
                    of_goal_cells.push((behind, number, near));
                    of_goal_cells.len() - 1
                });
                let (_, number, near) = &of_goal_cells[index];
                match *number {
                    Some(plan) => {
                        for (moves, &cells) in before[..MAX_RAISE - 1 - detour].iter().enumerate() {
                            add_alone(plan, cells, 1 + detour + moves);
                        }
                    }
                    // If no number is left for the plan, it counts as if a helper were always near.
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
            by_direction.transpose();
        }
        for needed in &mut alone {
            needed.transpose();
        }
        let mut everywhere = [u64::MAX >> (64 - MAX_PLANS); MAX_RAISE];
        for cell in 0..=255 {
            let costs: Costs = std::array::from_fn(|moves| alone[moves].of(cell));
            plans.alone[usize::from(cell)] = costs;
            if self.tables.bound[usize::from(cell)] != UNREACHABLE {
                everywhere = std::array::from_fn(|moves| everywhere[moves] & costs[moves]);
            }
        }
        self.simplify(plans, &everywhere);
    }

    /// Clears costs that make no difference, so that more helpers have equal costs. `everywhere`
    /// are the costs of a helper on any cell at all; at these costs, plans become part of `home`.
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

    /// The cells from which it takes at most 0, 1, 2, 3 moves more than the bound to go to one of
    /// several sets of cells and then make the number of moves given with it.
    #[inline(always)]
    fn cells_near(&self, ways: &[(S, usize)]) -> [[u64; 4]; MAX_RAISE] {
        let none = self.isa.load(&[0; 4]);
        let mut near = [none; MAX_RAISE];
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
            // If it takes too many moves from a cell, it also does from the cells beyond it,
            // because one move changes the bound by at most one.
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
