//! Algorithm 1 of the report, 'a basic breadth first search' (3.2).
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

use ricochet_core::{Direction, Move, Puzzle};

use super::Run;
use crate::registry::{Options, Parameter, SolverInfo};
use crate::state_space::visited::{Packing, SituationQueue};
use crate::state_space::{Game, Situation, pack_move, unpack_move};
use crate::{DepthRow, Guarantee, Limit, Limits, Observer, Outcome, Solver, Stats};

/// Its line in the registry.
pub(super) const INFO: SolverInfo = SolverInfo {
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
///
/// ```
/// use ricochet_core::notation;
/// use ricochet_solve::{Limits, Silent, Solver, published::setups::Bfs};
/// let puzzle = notation::parse_line("8x8..0033.R77")?.validate()?;
/// let (outcome, _) = Bfs::new().solve(&puzzle, &Limits::default(), &mut Silent);
/// assert_eq!(outcome.solution().map(|solution| solution.len()), Some(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Bfs {
    drop_duplicates: bool,
}

impl Bfs {
    /// The report's, which looks at positions again that it has seen before.
    ///
    /// ```
    /// use ricochet_solve::{Solver, published::setups::Bfs};
    /// assert_eq!(Bfs::new().name(), "bfs");
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether positions that were seen before are left out.
    ///
    /// ```
    /// use ricochet_solve::published::setups::Bfs;
    /// let solver = Bfs::new().drop_duplicates(true);
    /// ```
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
        let mut tree = Tree {
            parents: Vec::new(),
            moves: Vec::new(),
        };
        let mut depth = 0;
        let mut nothing_new = false;
        let (mut outcome, stats) = Run::solve(puzzle, limits, |run| {
            nothing_new = search(run, &mut tree, self.drop_duplicates, &mut depth, watch)?;
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
struct Tree {
    parents: Vec<u32>,
    moves: Vec<u8>,
}

impl Tree {
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
fn search(
    run: &mut Run<'_>,
    tree: &mut Tree,
    drop_duplicates: bool,
    depth: &mut u32,
    watch: &mut dyn Observer,
) -> Result<bool, Limit> {
    let puzzle = run.puzzle;
    let game = Game::new(puzzle);
    let robots = puzzle.start().len();
    let packing = Packing::new(puzzle.board(), robots, puzzle.rules().must_ricochet);
    let mut seen = SituationQueue::<u128>::new(&mut run.meter)?;
    seen.insert(packing.pack(game.start()), 0, 0, &mut run.meter)?;
    tree.parents.push(0);
    tree.moves.push(0);
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
            let here = path.iter().fold(game.start(), |at: Situation, step| {
                game.step(at, step.robot, step.direction)
                    .expect("it could be played before")
            });
            run.stats.expanded += 1;
            for robot in here.state.robots() {
                for direction in Direction::ALL {
                    let Some(next) = game.step(here, robot, direction) else {
                        continue;
                    };
                    run.node()?;
                    row.nodes += 1;
                    run.stats.generated += 1;
                    if game.is_over(next) {
                        path.push(Move { robot, direction });
                        run.found(&path);
                        run.stats.rows.push(row);
                        watch.depth_done(&row);
                        return Ok(false);
                    }
                    let new = seen.insert(packing.pack(next), 0, 0, &mut run.meter)?;
                    if !new {
                        row.hits += 1;
                        run.stats.hits += 1;
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
                }
            }
            node += 1;
        }
        run.stats.stored = tree.parents.len() as u64;
        run.stats.rows.push(row);
        watch.depth_done(&row);
        if seen.len() == known {
            return Ok(true);
        }
    }
}
