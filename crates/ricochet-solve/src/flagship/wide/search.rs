//! The search for one goal robot, over sets of its cells.
//!
//! The same as the search for small boards (see `super::super::small`), in a plainer form: the set
//! of a configuration's goal-robot cells has as many words as the board needs, and a layer is
//! filled until one of its children is known to lead to the target.

use std::marker::PhantomData;

use ricochet_core::{Cell, Robot, Solution};

use super::children::owner;
use super::helpers::{HelperKey, Helpers};
use super::moves::Moves;
use super::reach::Reach;
use super::shard::{FillLayer, Shard, Tally};
use super::ways::RobotWays;
use crate::Limit;
use crate::flagship::layers::{LayerSearch, Used};
use crate::flagship::task::{Counters, SearchEnd, Task, name_moves};
use crate::flagship::threads::{self, HAS_THREADS};
use crate::heuristics::bound::MinMoves;
use crate::lowlevel::word_set::WordSet;
use crate::trace::{Recorder, TracedNode};

/// From this many nodes on, it pays to compute the cells from which the target may be reached.
const REACH_FROM: u64 = 1 << 10;

/// The search for one goal robot.
pub(crate) struct WideSearch<'a, const W: usize, K> {
    task: &'a Task<'a>,
    moves: Moves<'a, W>,
    /// A single shard until the search is divided among threads.
    shards: Vec<Shard<W, K>>,
    /// The number of nodes from which on it is divided; `None` if it cannot be.
    divide_from: Option<usize>,
    /// The first layer: the bound of the start.
    first: u32,
    /// The next layer to fill.
    next: u32,
    /// Whether every reachable state has been generated.
    exhausted: bool,
    /// The configuration that has the target, once it is found.
    arrived: Option<K>,
}

impl<'a, const W: usize, K: HelperKey> WideSearch<'a, W, K> {
    /// A search that has not begun and may hold this many bytes; `None` if the robot can never reach
    /// the target.
    pub(crate) fn new(
        task: &'a Task<'a>,
        helpers: Helpers<W>,
        goal_ways: &'a RobotWays,
        ways: Vec<&'a RobotWays>,
        bound: &'a MinMoves,
        divide_from: usize,
        most_bytes: u64,
    ) -> Result<Option<Self>, Limit> {
        let board = task.puzzle.board();
        let first = bound.by_index()[board.index(task.puzzle.start()[helpers.active])];
        if first == MinMoves::UNREACHABLE {
            return Ok(None);
        }
        let first = u32::from(first);
        let several = HAS_THREADS && task.switches.threads > 1;
        Ok(Some(Self {
            task,
            moves: Moves {
                helpers,
                goal_ways,
                ways,
                bound: bound.by_index(),
                target: board.index(task.puzzle.goal().cell) as u16,
                reach: None,
            },
            shards: vec![Shard::new(0, 1, task.limits, most_bytes)?],
            divide_from: several.then_some(divide_from),
            first,
            next: first,
            exhausted: false,
            arrived: None,
        }))
    }

    /// The shard that owns a configuration, whether it has been seen or not.
    fn owner(&self, key: K) -> usize {
        owner(key.hash(), self.shards.len())
    }

    fn reach_bytes(&self) -> u64 {
        let cells = self.moves.bound.len();
        self.moves
            .reach
            .as_ref()
            .map_or(0, |_| Reach::<W>::bytes(cells))
    }

    /// The number of moves in which a state was reached, if it was.
    fn moves_to(&self, key: K, goal: u16) -> Option<u32> {
        let layer = self.shards[self.owner(key)].layer_of(key, goal)?;
        Some(self.first + layer - u32::from(self.moves.bound[usize::from(goal)]))
    }

    /// A shortest solution, once a layer has had the target: walks back from it to the start,
    /// always to a state that is one move nearer to the start, and then forward again to give the
    /// robots their names.
    fn solution(&self, key: K) -> Solution {
        let puzzle = self.task.puzzle;
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
            puzzle.start(),
            puzzle.start().robots(),
            way.into_iter().rev().skip(1),
            |state, robot, direction| puzzle.apply(state, robot, direction),
            |state| self.moves.helpers.pack(puzzle.board(), state),
        );
        Solution::new(moves)
    }
}

impl<const W: usize, K: HelperKey> LayerSearch for WideSearch<'_, W, K> {
    fn next_layer(&self) -> u32 {
        self.next
    }

    fn proven(&self) -> u32 {
        if self.exhausted {
            return u32::MAX;
        }
        self.known().unwrap_or(self.next)
    }

    fn known(&self) -> Option<u32> {
        self.arrived.map(|_| self.next - 1)
    }

    fn trace_layer(&self, f: u32, recorder: &mut Recorder) {
        let (puzzle, helpers) = (self.task.puzzle, &self.moves.helpers);
        let board = puzzle.board();
        let nodes = self.shards.iter().flat_map(|shard| {
            let begin = shard.layers.last().copied().unwrap_or(0);
            shard.nodes[begin..].iter().map(move |node| {
                let cells: Vec<Cell> = node.set.cells().map(|cell| board.cell(cell)).collect();
                let key = shard.table.entries[node.id as usize].key;
                let mut state = puzzle.start().with(helpers.active, cells[0]);
                for (&robot, cell) in helpers.robots.iter().zip(helpers.cells(key)) {
                    state = state.with(robot, board.cell(usize::from(cell)));
                }
                TracedNode {
                    robot: Some(helpers.active),
                    cells,
                    state,
                }
            })
        });
        recorder.layer_of_sets(puzzle, f, nodes);
    }

    fn robot(&self) -> Robot {
        self.moves.helpers.active
    }

    fn fill_next(&mut self, elsewhere: &Used) -> Result<(), Limit> {
        let f = self.next;
        let shards = self.shards.len() as u64;
        let before = elsewhere.children + self.counters().generated;
        let memory = self.task.limits.memory.unwrap_or(u64::MAX);
        let left = memory.saturating_sub(elsewhere.bytes + self.bytes());
        for shard in &mut self.shards {
            shard.tally = Tally {
                before,
                own_before: shard.counters.generated,
                shards,
            };
            shard
                .meter
                .restart(shard.meter.held().saturating_add(left / shards));
            shard.begin_layer();
        }
        if f == self.first {
            let puzzle = self.task.puzzle;
            let (key, goal) = self.moves.helpers.pack(puzzle.board(), puzzle.start());
            self.shards[0].add_child(key, &WordSet::of(&[goal]))?;
        }
        let work = FillLayer {
            moves: &self.moves,
            f,
            key: PhantomData,
        };
        threads::fill(&work, &mut self.shards, self.task.meter)?;
        if let Some((key, goals)) = self.shards.iter().find_map(|shard| shard.arrived) {
            if let Some(goals) = goals {
                let owner = self.owner(key);
                self.shards[owner].arrive(&self.moves, f, key, &goals)?;
            }
            self.arrived = Some(key);
        }
        self.next += 1;
        self.exhausted = self.arrived.is_none() && self.shards.iter().all(Shard::has_ended);
        Ok(())
    }

    fn prepare_for_more(&mut self, left: u64) {
        let Moves { bound, target, .. } = self.moves;
        if self.task.switches.lookahead
            && self.moves.reach.is_none()
            && self.nodes() >= REACH_FROM
            && Reach::<W>::bytes(bound.len()) <= left
        {
            self.moves.reach = Some(Reach::new(self.moves.goal_ways, bound, target));
        }
        if self
            .divide_from
            .is_some_and(|from| self.nodes() >= from as u64)
        {
            self.divide_from = None;
            let threads = self.task.switches.threads;
            let share = left.saturating_sub(self.reach_bytes()) / threads as u64;
            // If there is not enough memory for several threads, one may still manage.
            if let Ok(shards) = self.shards[0].divide(threads, self.task.limits, share) {
                self.shards = shards;
            }
        }
    }

    fn answer(&mut self, proven: u32) -> Option<SearchEnd> {
        let key = self.arrived.filter(|_| self.next - 1 <= proven)?;
        Some(SearchEnd::solved(self.solution(key)))
    }

    fn counters(&self) -> Counters {
        self.shards.iter().map(|shard| shard.counters).sum()
    }

    fn nodes(&self) -> u64 {
        self.shards
            .iter()
            .map(|shard| shard.nodes.len() as u64)
            .sum()
    }

    fn bytes(&self) -> u64 {
        let held = self.shards.iter().map(|shard| shard.meter.held());
        self.reach_bytes() + held.sum::<u64>()
    }

    fn peak_bytes(&self) -> u64 {
        let peaks = self.shards.iter().map(|shard| shard.meter.peak());
        self.reach_bytes() + peaks.sum::<u64>()
    }
}
