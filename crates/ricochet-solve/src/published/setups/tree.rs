//! Algorithms 1 and 2 of the report: searches of the tree of all moves (3.2).
//!
//! # Algorithm 1, 'a basic breadth first search'
//!
//! Nodes of the tree are sequences of moves. The text knows no duplicate detection, and its results
//! (4.2 moves on average, 34 of 40 rounds out of time) are those of a plain tree, so two sequences
//! that lead to the same positions are two nodes: `duplicates=drop` is for comparison. The first
//! solution found is a shortest one.
//!
//! The tree has no end. When a whole layer has brought no new positions, no later one will: then the
//! puzzle is unsolvable. But a tree that keeps its duplicates grows so fast that this, like a long
//! solution, may be out of reach, so the solver promises nothing beyond what an answer says itself:
//! a solution is marked as optimal, and a limit comes with the depth that was searched.
//!
//! # Algorithm 2, 'a basic depth first search'
//!
//! 'Depth first search will expand the node with the highest length first. … this strategy requires
//! a depth limit'. The report does not state it; its solutions have 9.2 moves on average, so it is
//! taken to be that of the single colour search, 10. Robots in their order, directions north, east,
//! south, west; no duplicate detection; the first solution is the answer.

use ricochet_core::{Direction, Move, Puzzle};

use super::Run;
use crate::registry::{Options, Parameter, SolverInfo};
use crate::state_space::visited::{Packing, StateQueue};
use crate::state_space::{Game, SearchState, pack_move, unpack_move};
use crate::trace::{EventKind, NodeId, NodeIds, PruneReason};
use crate::{DepthRow, Guarantee, Limit, Limits, Observer, Outcome, Solver, Stats};

/// Algorithm 1 in the registry.
pub const BFS: SolverInfo = SolverInfo {
    name: "bfs",
    guarantee: Guarantee::Any,
    source: "AI in Games report, 3.2, Algorithm 1",
    summary: "breadth first over the tree of all moves, duplicates included",
    parameters: &[Parameter {
        key: "duplicates",
        default: "keep",
        help: "keep|drop: whether to search positions that were seen before again",
    }],
    build: |options: &Options| {
        let drop = options.choice("duplicates", ["keep", "drop"], "keep or drop")? == 1;
        Ok(Box::new(Bfs::new().drop_duplicates(drop)))
    },
};

/// Breadth first over the tree of move sequences.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bfs {
    drop_duplicates: bool,
}

impl Bfs {
    /// The report's, which looks at positions again that it has seen before.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether positions that were seen before are left out.
    #[must_use]
    pub fn drop_duplicates(mut self, drop_duplicates: bool) -> Self {
        self.drop_duplicates = drop_duplicates;
        self
    }
}

impl Solver for Bfs {
    fn name(&self) -> &'static str {
        "bfs"
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Any
    }

    fn solve(
        &mut self,
        puzzle: &Puzzle,
        limits: &Limits,
        watch: &mut dyn Observer,
    ) -> (Outcome, Stats) {
        let mut tree = MoveTree {
            parents: Vec::new(),
            moves: Vec::new(),
        };
        let mut depth = 0;
        let mut nothing_new = false;
        let (mut outcome, stats) = Run::solve(puzzle, limits, watch, |run| {
            nothing_new = search_layers(run, &mut tree, self.drop_duplicates, &mut depth)?;
            Ok(())
        });
        match &mut outcome {
            Outcome::Failed { .. } | Outcome::LimitReached { .. } if nothing_new => {
                outcome = Outcome::Unsolvable;
            }
            Outcome::Solved {
                solution,
                optimal,
                lower_bound,
            } => {
                *optimal = true;
                *lower_bound = solution.len() as u32;
            }
            Outcome::LimitReached { lower_bound, .. } => *lower_bound = (*lower_bound).max(depth),
            Outcome::Failed { .. } | Outcome::Unsolvable => {}
        }
        (outcome, stats)
    }
}

/// The nodes in the order of the search, each with its parent and last move. Positions are found
/// again by playing the moves from the root: they are few, and the nodes are many.
struct MoveTree {
    parents: Vec<u32>,
    moves: Vec<u8>,
}

impl MoveTree {
    fn path_to(&self, node: usize, path: &mut Vec<Move>) {
        path.clear();
        let mut at = node;
        while at != 0 {
            path.push(unpack_move(self.moves[at]));
            at = self.parents[at] as usize;
        }
        path.reverse();
    }
}

/// Searches layer by layer until a solution is found; `true` if a layer brought nothing new.
/// `depth` ends as the number of moves that a solution has at least.
fn search_layers(
    run: &mut Run<'_>,
    tree: &mut MoveTree,
    drop_duplicates: bool,
    depth: &mut u32,
) -> Result<bool, Limit> {
    let puzzle = run.puzzle;
    let game = Game::new(puzzle);
    let robots = puzzle.start().len();
    let packing = Packing::new(puzzle.board(), robots, puzzle.rules().must_ricochet);
    let mut seen = StateQueue::<u128>::new(&mut run.meter)?;
    seen.insert(packing.pack(game.start()), 0, 0, &mut run.meter)?;
    tree.parents.push(0);
    tree.moves.push(0);
    // For a trace: the nodes of the tree, and those of the positions that were seen.
    let (mut ids, mut first_ids) = (NodeIds::default(), NodeIds::default());
    run.watch.trace(|recorder| {
        let root = recorder.root(EventKind::Root, None);
        ids.push(recorder, root);
        first_ids.push(recorder, root);
    });
    let mut node = 0;
    let mut path = Vec::new();
    loop {
        *depth += 1;
        if *depth >= run.shorter_than {
            return Err(Limit::Moves);
        }
        let mut row = DepthRow {
            depth: *depth,
            ..DepthRow::default()
        };
        let known = seen.len();
        let layer_end = tree.parents.len();
        while node < layer_end {
            tree.path_to(node, &mut path);
            let here = path.iter().fold(game.start(), |at: SearchState, step| {
                game.step(at, step.robot, step.direction)
                    .expect("it could be played before")
            });
            run.stats.expanded += 1;
            let id = ids.get(node);
            run.watch
                .trace(|recorder| recorder.at(EventKind::Expand, id));
            for robot in here.state.robots() {
                for direction in Direction::ALL {
                    let Some(next) = game.step(here, robot, direction) else {
                        continue;
                    };
                    let (step, to) = (Move { robot, direction }, next.state[robot]);
                    let child = run.watch.trace(|recorder| {
                        recorder.child(EventKind::Generate, id, (step, to), *depth, None)
                    });
                    run.stats.generated += 1;
                    run.node()?;
                    row.nodes += 1;
                    if game.is_over(next) {
                        path.push(step);
                        run.record(&path, child);
                        run.stats.rows.push(row);
                        run.watch.depth_done(&row);
                        return Ok(false);
                    }
                    let key = packing.pack(next);
                    if seen.insert(key, 0, 0, &mut run.meter)? {
                        run.watch.trace(|recorder| first_ids.push(recorder, child));
                    } else {
                        row.hits += 1;
                        run.stats.hits += 1;
                        run.watch.trace(|recorder| {
                            let known = first_ids.get(seen.find(key).unwrap_or_default());
                            if drop_duplicates {
                                recorder.prune_same(child, PruneReason::Duplicate, known);
                            } else {
                                recorder.at(EventKind::Repeat { same_as: known }, child);
                            }
                        });
                        if drop_duplicates {
                            continue;
                        }
                    }
                    if tree.parents.len() == u32::MAX as usize {
                        return Err(Limit::Memory);
                    }
                    run.meter.reserve(&mut tree.parents)?;
                    run.meter.reserve(&mut tree.moves)?;
                    tree.parents.push(node as u32);
                    tree.moves.push(pack_move(robot, direction));
                    run.watch.trace(|recorder| ids.push(recorder, child));
                }
            }
            node += 1;
        }
        run.stats.stored = tree.parents.len() as u64;
        run.stats.rows.push(row);
        run.watch.depth_done(&row);
        if seen.len() == known {
            return Ok(true);
        }
    }
}

/// Algorithm 2 in the registry.
pub const DFS: SolverInfo = SolverInfo {
    name: "dfs",
    guarantee: Guarantee::Any,
    source: "AI in Games report, 3.2, Algorithm 2",
    summary: "depth first over the tree of all moves; the first solution, usually a long one",
    parameters: &[Parameter {
        key: "depth",
        default: "10",
        help: "maximum number of moves",
    }],
    build: |options| Ok(Box::new(Dfs::new().depth(options.number("depth", DEPTH)?))),
};

const DEPTH: u32 = 10;

/// Depth first over the tree of move sequences.
#[derive(Clone, Copy, Debug)]
pub struct Dfs {
    depth: u32,
}

impl Default for Dfs {
    fn default() -> Self {
        Self::new()
    }
}

impl Dfs {
    /// At most ten moves deep.
    pub fn new() -> Self {
        Self { depth: DEPTH }
    }

    /// Most moves.
    #[must_use]
    pub fn depth(mut self, most_moves: u32) -> Self {
        self.depth = most_moves;
        self
    }
}

impl Solver for Dfs {
    fn name(&self) -> &'static str {
        "dfs"
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Any
    }

    fn solve(
        &mut self,
        puzzle: &Puzzle,
        limits: &Limits,
        watch: &mut dyn Observer,
    ) -> (Outcome, Stats) {
        let depth = self.depth.min(limits.moves.unwrap_or(u32::MAX));
        let mut exhausted = false;
        let (mut outcome, stats) = Run::solve(puzzle, limits, watch, |run| {
            search_depth_first(run, depth)?;
            exhausted = true;
            Ok(())
        });
        if let Outcome::Failed { lower_bound, .. } | Outcome::LimitReached { lower_bound, .. } =
            &mut outcome
            && exhausted
        {
            *lower_bound = (*lower_bound).max(depth.saturating_add(1)); // the whole tree was looked at
        }
        (outcome, stats)
    }
}

/// Looks at all sequences of at most `depth` moves, longer ones first, until one solves the puzzle.
/// The stack is a list: a depth limit is a user's number and must not overflow the thread's stack.
fn search_depth_first(run: &mut Run<'_>, depth: u32) -> Result<(), Limit> {
    let game = Game::new(run.puzzle);
    let robots: Vec<_> = run.puzzle.start().robots().collect();
    // For each open node: its state, its place in a trace and the number of the next move to try.
    let root = run
        .watch
        .trace(|recorder| recorder.root(EventKind::Root, None));
    let mut open: Vec<(SearchState, NodeId, usize)> = vec![(game.start(), root, 0)];
    let mut path: Vec<Move> = Vec::new();
    while let Some((here, id, next_move)) = open.last_mut() {
        let number = *next_move;
        *next_move += 1;
        if number == robots.len() * 4 || path.len() as u32 >= depth {
            open.pop();
            path.pop();
            continue;
        }
        let step = Move {
            robot: robots[number / 4],
            direction: Direction::from_index(number),
        };
        let Some(next) = game.step(*here, step.robot, step.direction) else {
            continue;
        };
        path.push(step);
        let (id, to, g) = (*id, next.state[step.robot], path.len() as u32);
        let id = run
            .watch
            .trace(|recorder| recorder.child(EventKind::Generate, id, (step, to), g, None));
        run.node()?;
        if game.is_over(next) {
            run.record(&path, id);
            return Ok(());
        }
        run.meter.reserve(&mut open)?;
        open.push((next, id, 0));
    }
    Ok(())
}
