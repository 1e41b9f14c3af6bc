//! The layers of one goal robot, over sets of its cells.
//!
//! The same as the search for small boards (see `super::super::layer`), in its plain form: the set of
//! a configuration's goal-robot cells has as many words as the board needs, ways are looked up cell
//! by cell, and a layer is made until one of its children is known to lead to the target.

use ricochet::{Puzzle, Solution};

use super::helpers::{Cells, Helpers, cells_of_key};
use super::reach::Reach;
use super::table::WideTable;
use super::ways::RobotWays;
use crate::bound::MinMoves;
use crate::budget::Budget;
use crate::flagship::named::moves_through;
use crate::situations::PackedKey;
use crate::word_set::WordSet;
use crate::{Limit, Stats};

/// A configuration with the goal-robot cells that are new to it in one layer.
struct WideNode<const W: usize> {
    set: WordSet<W>,
    /// The number of the configuration.
    id: u32,
    /// One more than the number of the same configuration's node before this one; 0 if none.
    earlier: u32,
}

/// A configuration with goal-robot cells, some of which may be new to it.
struct WideChild<const W: usize> {
    goals: WordSet<W>,
    key: u128,
    hash: u64,
}

/// Children are added in batches of so many, while their entries are on the way to the cache.
const BATCH: usize = 64;

/// Cells that goal-robot moves reach in a later layer.
struct WideLater<const W: usize> {
    goals: WordSet<W>,
    id: u32,
}

/// From this many nodes on it pays to find out from where the target may be reached.
const REACH_FROM: usize = 1 << 10;

/// The search for one robot that has to arrive.
pub(crate) struct WideSearch<'a, const W: usize> {
    puzzle: &'a Puzzle,
    helpers: Helpers,
    /// The ways of the goal robot.
    goal_ways: &'a RobotWays,
    /// The ways of each helper.
    ways: Vec<&'a RobotWays>,
    bound: &'a MinMoves,
    target: u16,
    /// The bound of the start.
    first: u32,
    table: WideTable<W>,
    /// Children that wait to be added.
    children: Vec<WideChild<W>>,
    /// Look for the target at each child, before its layer is complete; can be turned off to test it.
    lookahead: bool,
    /// For that, once there are enough nodes.
    reach: Option<Reach<W>>,
    nodes: Vec<WideNode<W>>,
    /// Where each layer begins among the nodes, from the first on.
    layers: Vec<usize>,
    /// The configurations that have fresh cells.
    touched: Vec<u32>,
    /// By layer modulo 3.
    later: [Vec<WideLater<W>>; 3],
}

impl<'a, const W: usize> WideSearch<'a, W> {
    /// A search that has made nothing yet; `None` if the robot can never arrive.
    pub(crate) fn new(
        puzzle: &'a Puzzle,
        helpers: Helpers,
        goal_ways: &'a RobotWays,
        ways: Vec<&'a RobotWays>,
        bound: &'a MinMoves,
        budget: &mut Budget,
    ) -> Result<Option<Self>, Limit> {
        let board = puzzle.board();
        let first = bound.by_index()[board.index(puzzle.start()[helpers.active])];
        if first == MinMoves::UNREACHABLE {
            return Ok(None);
        }
        Ok(Some(Self {
            puzzle,
            helpers,
            goal_ways,
            ways,
            bound,
            target: board.index(puzzle.goal().cell) as u16,
            first: u32::from(first),
            table: WideTable::new(budget)?,
            children: Vec::new(),
            lookahead: true,
            reach: None,
            nodes: Vec::new(),
            layers: Vec::new(),
            touched: Vec::new(),
            later: Default::default(),
        }))
    }

    pub(crate) fn with_lookahead(self, lookahead: bool) -> Self {
        Self { lookahead, ..self }
    }

    /// Its first layer.
    pub(crate) fn first(&self) -> u32 {
        self.first
    }

    pub(crate) fn stored(&self) -> usize {
        self.nodes.len()
    }

    /// Whether it has begun and nothing will come: nothing new in the last two layers, and nothing
    /// kept for later.
    pub(crate) fn has_ended(&self) -> bool {
        let last_two = self.layers.get(self.layers.len().saturating_sub(2));
        last_two == Some(&self.nodes.len()) && self.later.iter().all(Vec::is_empty)
    }

    /// Fills layer `f`; layers come one after the other, from the first on. True if it has the
    /// target.
    pub(crate) fn fill(
        &mut self,
        f: u32,
        budget: &mut Budget,
        stats: &mut Stats,
    ) -> Result<bool, Limit> {
        let before = self.layers.last().copied();
        let begin = self.nodes.len();
        self.layers.push(begin);
        let Some(before) = before else {
            let (key, goal) = self.helpers.pack(self.puzzle.board(), self.puzzle.start());
            let mut goals = WordSet::EMPTY;
            goals.insert(goal);
            self.put(key, goals);
            self.add_children(budget, stats)?;
            return self.make_nodes(f, budget, stats);
        };
        // Goal-robot moves first: often they lead to the target, and then the helper moves, which
        // are many more, need not be made.
        let mut later = std::mem::take(&mut self.later[f as usize % 3]);
        for child in &later {
            self.add(child.id, &child.goals, budget, stats)?;
        }
        later.clear();
        self.later[f as usize % 3] = later;
        if self.make_nodes(f, budget, stats)? {
            return Ok(true);
        }
        if self.lookahead && self.nodes.len() >= REACH_FROM && self.reach.is_none() {
            let bound = self.bound.by_index();
            budget.take(Reach::<W>::bytes(bound.len()))?;
            self.reach = Some(Reach::new(self.goal_ways, bound, self.target));
        }
        for number in before..begin {
            let arrives = self.move_helpers(number);
            stats.expanded += 1;
            if arrives || self.children.len() >= BATCH {
                self.add_children(budget, stats)?;
            }
            if arrives {
                // One of the configurations that are to become nodes has the target, mostly the
                // first.
                return self.make_nodes(f, budget, stats);
            }
        }
        self.add_children(budget, stats)?;
        self.make_nodes(f, budget, stats)
    }

    fn put(&mut self, key: u128, goals: WordSet<W>) {
        let hash = key.hash();
        self.table.fetch_slot(hash);
        self.children.push(WideChild { goals, key, hash });
    }

    /// Adds all children that wait.
    fn add_children(&mut self, budget: &mut Budget, stats: &mut Stats) -> Result<(), Limit> {
        for child in &self.children {
            self.table.fetch_entry(child.hash);
        }
        let mut children = std::mem::take(&mut self.children);
        for child in &children {
            let id = self.table.find_or_insert(child.key, child.hash, budget)?;
            self.add(id, &child.goals, budget, stats)?;
        }
        children.clear();
        self.children = children;
        Ok(())
    }

    fn add(
        &mut self,
        id: u32,
        goals: &WordSet<W>,
        budget: &mut Budget,
        stats: &mut Stats,
    ) -> Result<(), Limit> {
        stats.generated += 1;
        budget.tick(stats.generated)?;
        let entry = &mut self.table.entries[id as usize];
        let (mut any_new, mut any_fresh) = (0, 0);
        for (i, goals) in goals.0.iter().enumerate() {
            let new = goals & !entry.seen.0[i];
            any_new |= new;
            any_fresh |= entry.fresh.0[i];
            entry.seen.0[i] |= new;
            entry.fresh.0[i] |= new;
        }
        if any_new == 0 {
            stats.hits += 1;
        } else if any_fresh == 0 {
            budget.make_room(&mut self.touched)?;
            self.touched.push(id);
        }
        Ok(())
    }

    /// Makes nodes of all fresh cells, with the goal-robot moves that lower the bound; the other
    /// goal-robot moves are kept for their layers. True if the target is among the cells.
    fn make_nodes(
        &mut self,
        f: u32,
        budget: &mut Budget,
        stats: &mut Stats,
    ) -> Result<bool, Limit> {
        let bound = self.bound.by_index();
        while let Some(id) = self.touched.pop() {
            budget.tick(stats.generated)?;
            let helpers = cells_of_key(self.table.entries[id as usize].key);
            let helpers = &helpers[..self.helpers.len()];
            let blocked = WordSet::<W>::of(helpers);
            let entry = &mut self.table.entries[id as usize];
            let set = std::mem::replace(&mut entry.fresh, WordSet::EMPTY);
            let (mut all, mut rest) = (set, set);
            let (mut same, mut higher) = (WordSet::EMPTY, WordSet::EMPTY);
            while let Some(cell) = rest.take_first() {
                let here = bound[usize::from(cell)];
                for end in self.goal_ways.ends(cell, helpers, &blocked) {
                    if entry.seen.has(end) {
                        continue;
                    }
                    match bound[usize::from(end)].cmp(&here) {
                        std::cmp::Ordering::Less => {
                            entry.seen.insert(end);
                            all.insert(end);
                            rest.insert(end);
                        }
                        std::cmp::Ordering::Equal => same.insert(end),
                        std::cmp::Ordering::Greater => higher.insert(end),
                    }
                }
            }
            let earlier = entry.latest;
            entry.latest = self.nodes.len() as u32 + 1;
            let seen = entry.seen;
            budget.make_room(&mut self.nodes)?;
            self.nodes.push(WideNode {
                set: all,
                id,
                earlier,
            });
            for (raised, goals) in [(1, same), (2, higher)] {
                let goals = goals.without(&seen);
                if !goals.is_empty() {
                    let later = &mut self.later[(f as usize + raised) % 3];
                    budget.make_room(later)?;
                    later.push(WideLater { goals, id });
                }
            }
            if all.has(self.target) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Makes the helper moves of a node: all of them or, then it is true, up to one after which
    /// goal-robot moves that lower the bound lead to the target.
    fn move_helpers(&mut self, number: usize) -> bool {
        let node = &self.nodes[number];
        let set = node.set;
        let cells = cells_of_key(self.table.entries[node.id as usize].key);
        let helpers = &cells[..self.helpers.len()];
        let blocked = WordSet::<W>::of(helpers);
        for mover in 0..helpers.len() {
            let from = cells[mover];
            // When it comes by its first cell again, nobody is there.
            let mut others = blocked;
            others.remove(from);
            let reach_of_others = self.reach.as_ref().map(|reach| {
                let others = helpers.iter().copied().filter(|&helper| helper != from);
                reach.with(others)
            });
            let ways = self.ways[mover];
            for d in 0..4 {
                let mut goals = set;
                let mut at = from;
                let mut end = ways.end(from, d);
                for &next in ways.way(from, d) {
                    if others.has(next) {
                        end = at;
                        break;
                    }
                    if goals.has(next) {
                        goals.remove(next);
                        if at != from {
                            let mut goal = WordSet::EMPTY;
                            goal.insert(next);
                            self.put(self.helpers.moved(&cells, mover, at), goal);
                            if self.arrives(&cells, mover, at, &goal, reach_of_others.as_ref()) {
                                return true;
                            }
                        }
                    }
                    at = next;
                }
                if end != from && !goals.is_empty() {
                    self.put(self.helpers.moved(&cells, mover, end), goals);
                    if self.arrives(&cells, mover, end, &goals, reach_of_others.as_ref()) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Whether, after a helper's move, goal-robot moves that lower the bound lead from one of the
    /// cells to the target. Says no if it is not known from where that may be.
    #[inline]
    fn arrives(
        &self,
        cells: &Cells,
        mover: usize,
        end: u16,
        goals: &WordSet<W>,
        reach_of_others: Option<&WordSet<W>>,
    ) -> bool {
        let (Some(reach), Some(others)) = (&self.reach, reach_of_others) else {
            return false;
        };
        let goals = reach.allowed(goals, others, end);
        !goals.is_empty() && self.descends(cells, mover, end, goals)
    }

    fn descends(&self, cells: &Cells, mover: usize, end: u16, goals: WordSet<W>) -> bool {
        let mut cells = *cells;
        cells[mover] = end;
        let helpers = &cells[..self.helpers.len()];
        let blocked = WordSet::<W>::of(helpers);
        let bound = self.bound.by_index();
        let (mut all, mut rest) = (goals, goals);
        while let Some(cell) = rest.take_first() {
            for end in self.goal_ways.ends(cell, helpers, &blocked) {
                if bound[usize::from(end)] < bound[usize::from(cell)] && !all.has(end) {
                    all.insert(end);
                    rest.insert(end);
                }
            }
        }
        all.has(self.target)
    }

    /// In how many moves a state was reached, if it was.
    fn moves_to(&self, key: u128, goal: u16) -> Option<u32> {
        let mut latest = self.table.find(key)?.latest;
        while latest > 0 {
            let number = latest as usize - 1;
            let node = &self.nodes[number];
            if node.set.has(goal) {
                let layer = self.layers.partition_point(|&begin| begin <= number) as u32 - 1;
                let bound = self.bound.by_index()[usize::from(goal)];
                return Some(self.first + layer - u32::from(bound));
            }
            latest = node.earlier;
        }
        None
    }

    /// A shortest solution, once a layer has had the target: back from it to the start, always to a
    /// state that is one move nearer to the start, then forward again with the robots under their
    /// own names.
    pub(crate) fn solution(&self) -> Solution {
        let last = self.nodes.last().expect("the node with the target");
        let mut state = (self.table.entries[last.id as usize].key, self.target);
        let mut way = vec![state];
        let moves = self.moves_to(state.0, state.1).expect("just reached");
        for moves in (0..moves).rev() {
            state = self
                .state_before(state, moves)
                .expect("every state but the first has one before it");
            way.push(state);
        }
        let moves = moves_through(
            self.puzzle.start(),
            self.puzzle.start().robots(),
            way.into_iter().rev().skip(1),
            |state, robot, direction| self.puzzle.apply(state, robot, direction),
            |state| self.helpers.pack(self.puzzle.board(), state),
        );
        Solution::new(moves)
    }

    /// A state from which one move leads to the given one, and that was reached in so many moves.
    /// Every way can be gone back, so a robot came from a cell on one of its ways.
    fn state_before(&self, (key, goal): (u128, u16), moves: u32) -> Option<(u128, u16)> {
        let cells: Cells = cells_of_key(key);
        let helpers = &cells[..self.helpers.len()];
        let blocked: WordSet<W> = WordSet::of(helpers);
        for d in 0..4 {
            for &from in self.goal_ways.way(goal, d) {
                if !blocked.has(from)
                    && self.goal_ways.ends(from, helpers, &blocked).contains(&goal)
                    && self.moves_to(key, from) == Some(moves)
                {
                    return Some((key, from));
                }
            }
        }
        for (mover, &end) in helpers.iter().enumerate() {
            let mut others = cells;
            others[mover] = goal;
            let others = &others[..helpers.len()];
            let blocked: WordSet<W> = WordSet::of(others);
            let ways = self.ways[mover];
            for d in 0..4 {
                for &from in ways.way(end, d) {
                    let before = self.helpers.moved(&cells, mover, from);
                    if !blocked.has(from)
                        && ways.ends(from, others, &blocked).contains(&end)
                        && self.moves_to(before, goal) == Some(moves)
                    {
                        return Some((before, goal));
                    }
                }
            }
        }
        None
    }
}
