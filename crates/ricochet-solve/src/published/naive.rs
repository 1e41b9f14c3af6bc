//! Breadth-first search with a queue and a hash table (thesis, 'Naive Algorithm').
//!
//! 'The naive algorithm searches the entire search tree in an incremental order and guarantees an
//! optimal solution. … A first-in, first-out queue is used for keeping track of the to-be processed
//! game states. … a hash table is introduced to keep track of already searched game states.'
//!
//! Readings: game states are compared as they are, so two helpers that have changed places make
//! another state (sorting them is the slides' improvement, see `iddfs`); the goal is looked for when
//! a state is found, not when it is taken from the queue. When the queue runs dry, every reachable
//! state was looked at: the puzzle is unsolvable.
//!
//! A *node* is a state taken from the queue; `generated` counts the moves made, `hits` those that
//! led to a known state.

use ricochet_core::{Direction, Move, Puzzle};

use crate::memory::meter::MemoryMeter;
use crate::registry::SolverInfo;
use crate::state_space::visited::{PackedKey, Packing, StateQueue};
use crate::state_space::{Game, pack_move, replayed};
use crate::trace::{EventKind, NodeIds, PruneReason, Watch};
use crate::{DepthRow, Guarantee, Limit, Limits, Observer, Outcome, Solver, Stats};

/// Its line in the registry.
pub const INFO: SolverInfo = SolverInfo {
    name: "naive",
    guarantee: Guarantee::Optimal,
    source: "Ricochet Robots thesis, 'Naive Algorithm'",
    summary: "breadth first with a queue and a hash table",
    parameters: &[],
    build: |_| Ok(Box::new(Naive)),
};

/// The thesis's naive algorithm.
///
/// ```
/// use ricochet_core::notation;
/// use ricochet_solve::published::naive::Naive;
/// use ricochet_solve::{Limits, NullObserver, Solver};
/// let puzzle = notation::parse_line("8x8..0033.R77")?.validate()?;
/// let (outcome, stats) = Naive.solve(&puzzle, &Limits::default(), &mut NullObserver);
/// assert_eq!(outcome.solution().map(|solution| solution.len()), Some(2));
/// assert!(stats.nodes > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Naive;

impl Solver for Naive {
    fn name(&self) -> &'static str {
        "naive"
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Optimal
    }

    fn solve(
        &mut self,
        puzzle: &Puzzle,
        limits: &Limits,
        watch: &mut dyn Observer,
    ) -> (Outcome, Stats) {
        let packing = Packing::new(
            puzzle.board(),
            puzzle.start().len(),
            puzzle.rules().must_ricochet,
        );
        let mut search = NaiveSearch {
            puzzle,
            packing,
            meter: MemoryMeter::start(limits),
            max_moves: limits.moves.unwrap_or(u32::MAX),
            stats: Stats::default(),
            depth: 0,
        };
        let watch = &mut Watch::new(watch);
        let result = if packing.fits_u64() {
            search.run::<u64>(watch)
        } else {
            search.run::<u128>(watch)
        };
        let outcome = result.unwrap_or_else(|limit| Outcome::LimitReached {
            limit,
            lower_bound: search.depth + 1,
        });
        (outcome, search.meter.finish(search.stats))
    }
}

struct NaiveSearch<'p> {
    puzzle: &'p Puzzle,
    packing: Packing,
    meter: MemoryMeter,
    max_moves: u32,
    stats: Stats,
    /// No state up to this many moves away is a goal.
    depth: u32,
}

impl NaiveSearch<'_> {
    fn run<K: PackedKey>(&mut self, watch: &mut Watch<'_>) -> Result<Outcome, Limit> {
        let game = Game::new(self.puzzle);
        let start = game.start();
        if game.is_over(start) {
            watch.trace(|recorder| recorder.solution(None, &[]));
            return Ok(solved(self.puzzle, Vec::new()));
        }
        self.meter.check()?;
        let mut store = StateQueue::<K>::new(&mut self.meter)?;
        store.insert(self.packing.pack(start), 0, 0, &mut self.meter)?;
        // For a trace: the nodes of the states in the queue.
        let mut ids = NodeIds::default();
        watch.trace(|recorder| {
            let root = recorder.root(EventKind::Root, None);
            ids.push(recorder, root);
        });
        let mut at = 0;
        // The queue's states up to here are `depth` moves away, those behind one more.
        let mut layer_end = 1;
        let mut row = DepthRow {
            depth: 1,
            ..DepthRow::default()
        };
        while let Some(key) = store.key(at) {
            if self.depth >= self.max_moves {
                return Err(Limit::Moves);
            }
            row.nodes += 1;
            self.stats.nodes += 1;
            self.stats.expanded += 1;
            let id = ids.get(at);
            watch.trace(|recorder| recorder.at(EventKind::Expand, id));
            self.meter.tick(self.stats.nodes)?;
            let search_state = self.packing.unpack(key);
            for robot in search_state.state.robots() {
                for direction in Direction::ALL {
                    let Some(next) = game.step(search_state, robot, direction) else {
                        continue;
                    };
                    self.stats.generated += 1;
                    let step = Move { robot, direction };
                    let to = next.state[robot];
                    let g = self.depth + 1;
                    let child = watch.trace(|recorder| {
                        recorder.child(EventKind::Generate, id, (step, to), g, None)
                    });
                    if game.is_over(next) {
                        let mut moves = store.path_to(at);
                        moves.push(step);
                        watch.trace(|recorder| recorder.solution(Some(child), &moves));
                        self.finish_row(row, watch);
                        self.stats.stored = store.len() as u64;
                        return Ok(solved(self.puzzle, moves));
                    }
                    let packed_move = pack_move(robot, direction);
                    let key = self.packing.pack(next);
                    if store.insert(key, at as u32, packed_move, &mut self.meter)? {
                        watch.trace(|recorder| ids.push(recorder, child));
                    } else {
                        row.hits += 1;
                        self.stats.hits += 1;
                        watch.trace(|recorder| {
                            let known = ids.get(store.find(key).unwrap_or_default());
                            recorder.prune_same(child, PruneReason::Duplicate, known);
                        });
                    }
                    self.stats.stored = store.len() as u64;
                }
            }
            at += 1;
            if at == layer_end {
                layer_end = store.len();
                self.finish_row(row, watch);
                self.depth += 1;
                row = DepthRow {
                    depth: self.depth + 1,
                    ..DepthRow::default()
                };
            }
        }
        Ok(Outcome::Unsolvable)
    }

    fn finish_row(&mut self, row: DepthRow, watch: &mut Watch<'_>) {
        self.stats.rows.push(row);
        watch.depth_done(&row);
    }
}

fn solved(puzzle: &Puzzle, moves: Vec<Move>) -> Outcome {
    Outcome::optimal(replayed(puzzle, moves))
}
