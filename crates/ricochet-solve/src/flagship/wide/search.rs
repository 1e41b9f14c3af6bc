//! The layers of one goal robot, over sets of its cells.
//!
//! The same as the search for small boards (see `super::super::small`), in a plainer form: the set
//! of a configuration's goal-robot cells has as many words as the board needs, and a layer is
//! filled until one of its children is known to lead to the target.

use ricochet_core::{Puzzle, Solution};

use super::children::Children;
use super::helpers::{HelperKey, Helpers};
use super::moves::Moves;
use super::reach::Reach;
use super::shard::{Counters, NODES_AT_ONCE, Shard, Tally};
use super::threads::Team;
use super::ways::RobotWays;
use crate::flagship::small::HAS_THREADS;
use crate::flagship::task::name_moves;
use crate::heuristics::bound::MinMoves;
use crate::lowlevel::word_set::WordSet;
use crate::memory::meter::MemoryMeter;
use crate::{Limit, Limits, Stats};

/// From this many nodes on, it pays to compute the cells from which the target may be reached.
const REACH_FROM: usize = 1 << 10;

/// Configurations and nodes, on one thread or several.
enum Parts<const W: usize, K> {
    One(Box<Shard<W, K>>),
    Many(Team<W, K>),
}

/// The search for one goal robot.
pub(crate) struct WideSearch<'a, const W: usize, K> {
    puzzle: &'a Puzzle,
    moves: Moves<'a, W>,
    /// The bound of the start.
    first: u32,
    /// Look for the target at each child, before its layer is complete; set by the switch
    /// `lookahead`.
    lookahead: bool,
    parts: Parts<W, K>,
    /// Children that have not been added yet, on one thread.
    children: Children<W, K>,
    /// The configuration that has the target, once it is found.
    arrived: Option<K>,
}

impl<'a, const W: usize, K: HelperKey> WideSearch<'a, W, K> {
    /// A search that has not begun; `None` if the robot can never reach the target.
    pub(crate) fn new(
        puzzle: &'a Puzzle,
        helpers: Helpers<W>,
        goal_ways: &'a RobotWays,
        ways: Vec<&'a RobotWays>,
        bound: &'a MinMoves,
        meter: &mut MemoryMeter,
    ) -> Result<Option<Self>, Limit> {
        let board = puzzle.board();
        let first = bound.by_index()[board.index(puzzle.start()[helpers.active])];
        if first == MinMoves::UNREACHABLE {
            return Ok(None);
        }
        Ok(Some(Self {
            puzzle,
            moves: Moves {
                helpers,
                goal_ways,
                ways,
                bound: bound.by_index(),
                target: board.index(puzzle.goal().cell) as u16,
                reach: None,
            },
            first: u32::from(first),
            lookahead: true,
            parts: Parts::One(Box::new(Shard::new(meter)?)),
            children: Children::new(1),
            arrived: None,
        }))
    }

    pub(crate) fn with_lookahead(self, lookahead: bool) -> Self {
        Self { lookahead, ..self }
    }

    /// Its first layer.
    pub(crate) fn first(&self) -> u32 {
        self.first
    }

    /// The number of nodes.
    pub(crate) fn stored(&self) -> usize {
        match &self.parts {
            Parts::One(shard) => shard.stored(),
            Parts::Many(team) => team.shards().map(Shard::stored).sum(),
        }
    }

    /// Whether it has begun and no state is left.
    pub(crate) fn has_ended(&self) -> bool {
        match &self.parts {
            Parts::One(shard) => shard.has_ended(),
            Parts::Many(team) => team.shards().all(Shard::has_ended),
        }
    }

    /// Whether several threads work on it.
    pub(crate) fn is_divided(&self) -> bool {
        matches!(self.parts, Parts::Many(_))
    }

    /// Divides the search among this many threads, each with its own limits.
    pub(crate) fn divide(
        &mut self,
        threads: usize,
        limits: &Limits,
        meter: &mut MemoryMeter,
    ) -> Result<(), Limit> {
        self.find_reach(meter)?;
        if let Parts::One(shard) = &self.parts {
            let team = Team::divide(shard, threads, limits)?;
            let one = std::mem::replace(&mut self.parts, Parts::Many(team));
            if let Parts::One(shard) = one {
                shard.drop_with(meter);
            }
        }
        Ok(())
    }

    /// The peak memory use of its threads in bytes, once there are several.
    pub(crate) fn peak_of_threads(&self) -> u64 {
        match &self.parts {
            Parts::One(_) => 0,
            Parts::Many(team) => team.peak(),
        }
    }

    /// Fills layer `f`. Layers must be filled one after the other, from the first on. True if the
    /// layer has the target.
    pub(crate) fn fill(
        &mut self,
        f: u32,
        meter: &mut MemoryMeter,
        stats: &mut Stats,
    ) -> Result<bool, Limit> {
        let before = stats.generated;
        let result = match &mut self.parts {
            Parts::One(shard) => {
                shard.counters = Counters::default();
                shard.tally = Tally { before, shards: 1 };
                self.fill_on_one_thread(f, meter)
            }
            Parts::Many(team) if HAS_THREADS => team.fill(&self.moves, f, before).map(|arrived| {
                self.arrived = arrived;
                arrived.is_some()
            }),
            Parts::Many(_) => unreachable!("nothing is divided without threads"),
        };
        let mut count = |counters: &Counters| {
            stats.generated += counters.generated;
            stats.hits += counters.hits;
            stats.expanded += counters.expanded;
        };
        match &self.parts {
            Parts::One(shard) => count(&shard.counters),
            Parts::Many(team) => team.shards().for_each(|shard| count(&shard.counters)),
        }
        result
    }

    fn fill_on_one_thread(&mut self, f: u32, meter: &mut MemoryMeter) -> Result<bool, Limit> {
        let Parts::One(shard) = &mut self.parts else {
            unreachable!("it has been divided");
        };
        let before = shard.layers.last().copied();
        let begin = shard.stored();
        shard.begin_layer();
        let Some(before) = before else {
            let (key, goal) = (self.moves.helpers).pack(self.puzzle.board(), self.puzzle.start());
            shard.add_child(key, &WordSet::of(&[goal]), meter)?;
            return self.make_nodes(f, meter);
        };
        // Goal-robot moves come first: they often lead to the target, and then the helper moves,
        // which are far more numerous, need not be made.
        shard.add_later(f, meter)?;
        if self.make_nodes(f, meter)? {
            return Ok(true);
        }
        self.find_reach(meter)?;
        let Parts::One(shard) = &mut self.parts else {
            unreachable!("it has been divided");
        };
        for number in before..begin {
            let arrives = shard.move_helpers(number, &self.moves, &mut self.children);
            if arrives.is_some() || (number - before) % NODES_AT_ONCE == NODES_AT_ONCE - 1 {
                shard.add_children(&self.children.parcels[0], meter)?;
                self.children.parcels[0].clear();
            }
            if let Some((key, _)) = arrives {
                shard.arrive(&self.moves, f, key, meter)?;
                self.arrived = Some(key);
                return Ok(true);
            }
        }
        shard.add_children(&self.children.parcels[0], meter)?;
        self.children.parcels[0].clear();
        self.make_nodes(f, meter)
    }

    fn make_nodes(&mut self, f: u32, meter: &mut MemoryMeter) -> Result<bool, Limit> {
        let Parts::One(shard) = &mut self.parts else {
            unreachable!("it has been divided");
        };
        let arrived = shard.make_nodes(&self.moves, f, usize::MAX, meter)?;
        self.arrived = arrived.map(|id| shard.table.entries[id as usize].key);
        Ok(arrived.is_some())
    }

    /// Computes the cells from which the target may be reached, once that pays.
    fn find_reach(&mut self, meter: &mut MemoryMeter) -> Result<(), Limit> {
        if self.lookahead && self.moves.reach.is_none() && self.stored() >= REACH_FROM {
            let Moves { bound, target, .. } = self.moves;
            meter.allocate(Reach::<W>::bytes(bound.len()))?;
            self.moves.reach = Some(Reach::new(self.moves.goal_ways, bound, target));
        }
        Ok(())
    }

    /// The number of moves in which a state was reached, if it was.
    fn moves_to(&self, key: K, goal: u16) -> Option<u32> {
        let shard = match &self.parts {
            Parts::One(shard) => shard,
            Parts::Many(team) => team.owner(key),
        };
        let layer = shard.layer_of(key, goal)?;
        Some(self.first + layer - u32::from(self.moves.bound[usize::from(goal)]))
    }

    /// A shortest solution, once a layer has had the target: walks back from it to the start,
    /// always to a state that is one move nearer to the start, and then forward again to give the
    /// robots their names.
    pub(crate) fn solution(&self) -> Solution {
        let key = self.arrived.expect("a layer has had the target");
        let mut state = (key, self.moves.target);
        let mut way = vec![state];
        let moves = self.moves_to(state.0, state.1).expect("just reached");
        for moves in (0..moves).rev() {
            let before = self.moves.states_before(state);
            state = (before.into_iter())
                .find(|&(key, goal)| self.moves_to(key, goal) == Some(moves))
                .expect("every state but the first has one before it");
            way.push(state);
        }
        let moves = name_moves(
            self.puzzle.start(),
            self.puzzle.start().robots(),
            way.into_iter().rev().skip(1),
            |state, robot, direction| self.puzzle.apply(state, robot, direction),
            |state| self.moves.helpers.pack(self.puzzle.board(), state),
        );
        Solution::new(moves)
    }
}
