//! The searches of the report *Project AI in Games: Ricochet Robots* (L. Diepold).
//!
//! | name | report | what |
//! |---|---|---|
//! | `bfs` | 3.2, Algorithm 1 | breadth first over the tree of all moves |
//! | `dfs` | 3.2, Algorithm 2 | depth first with a depth limit |
//! | `single-color` | 3.3 | breadth first, only the victory robot moves |
//! | `setup-bfs` | 3.4, Algorithm 3 | setups of the other robots, then a single colour search |
//! | `setup-dfs` | 3.4, Algorithm 4 | the same, setups depth first |
//! | `setup-position` | 3.5, Algorithm 5 | setups with a positive position score, best first |
//! | `setup-crossblock` | 3.6, Algorithm 6 | setups with a positive cross block score, lowest first |
//!
//! A *setup* is a sequence of moves of the robots other than the victory robot (the active one). It
//! is *verified* by a single colour search from where it leaves the robots.
//!
//! # Readings
//! - *Whether all setups are looked at.* In the report's tables the time of Algorithm 3 grows with
//!   the setup depth limit even for rounds that need four moves (28.3 s of 30 with a limit of 6), so
//!   it does not stop at the first solution: `setup-bfs` verifies every setup within the limit and
//!   gives the shortest solution. Algorithm 4 solves in 9 moves on average, almost the sum of both
//!   limits: `setup-dfs` stops at the first solution. For Algorithms 5 and 6 the setups are
//!   precomputed, ordered by score and verified until one works ('expanding the nodes with the best
//!   position score first').
//! - *Setups that lead to the same positions* differ only in their length, and the shorter one has
//!   the better score, so only the first, shortest one is kept; this changes no answer. `setup-dfs`
//!   walks the whole tree, as its order is what defines it.
//! - *The empty setup* is the first one of `setup-bfs` and `setup-dfs`. Algorithms 5 and 6 begin with
//!   the 'initial single color search' (3.6), and end there if it finds a solution.
//! - *A time limit* that strikes when a solution is known gives that solution. One that strikes
//!   before is an answer of its own, different from having tried everything without success
//!   ([`Failure::SearchSpaceExhausted`](crate::Failure)).
//! - *An any-robot goal:* each robot in turn is the victory robot, the shortest solution counts.
//!
//! The defaults are the report's: single colour depth limit 10, setup depth limit 4 (its first
//! parameter set; the others are 5 and 6). The time limit (10, 20 and 30 s) belongs to
//! [`Limits`].
//!
//! All of them support diagonals, any number of robots, every size and `must_ricochet`. A *node* is
//! a move sequence looked at, in the setup searches a setup verified.

mod setup_search;
mod single_color;
mod tree;

pub use setup_search::{SETUP_BFS, SETUP_CROSSBLOCK, SETUP_DFS, SETUP_POSITION, SetupSolver};
pub use single_color::SINGLE_COLOR;
pub use tree::{BFS, Bfs, DFS, Dfs};

use ricochet_core::{Move, Puzzle, Robot, State};

use crate::heuristics::bound::Bound;
use crate::memory::meter::MemoryMeter;
use crate::state_space::replayed;
use crate::trace::{NodeId, Watch};
use crate::{Failure, Limit, Limits, Observer, Outcome, Stats};

/// One call of one of these solvers: what it may spend and has spent, and the best it knows.
struct Run<'p> {
    puzzle: &'p Puzzle,
    meter: MemoryMeter,
    stats: Stats,
    /// The shortest solution so far.
    best: Option<Vec<Move>>,
    /// Solutions must be shorter than this.
    shorter_than: u32,
    lower_bound: u32,
    watch: Watch<'p>,
}

impl<'p> Run<'p> {
    /// Runs `search` unless the puzzle is solved already, is known to be unsolvable, or the limits
    /// forbid even to begin, and makes an outcome of what it found.
    ///
    /// `search` puts what it finds into [`Run::record`]; if it returns without having found anything,
    /// it has nothing left to try.
    fn solve(
        puzzle: &'p Puzzle,
        limits: &Limits,
        watch: &'p mut dyn Observer,
        search: impl FnOnce(&mut Self) -> Result<(), Limit>,
    ) -> (Outcome, Stats) {
        let mut run = Self {
            puzzle,
            meter: MemoryMeter::start(limits),
            stats: Stats::default(),
            best: None,
            shorter_than: limits.moves.map_or(u32::MAX, |most| most.saturating_add(1)),
            lower_bound: 0,
            watch: Watch::new(watch),
        };
        let outcome = run.outcome(limits, search);
        (outcome, run.meter.finish(run.stats))
    }

    fn outcome(
        &mut self,
        limits: &Limits,
        search: impl FnOnce(&mut Self) -> Result<(), Limit>,
    ) -> Outcome {
        if self.puzzle.is_solved(self.puzzle.start()) {
            self.best = Some(Vec::new());
            self.watch.trace(|recorder| recorder.solution(None, &[]));
        } else {
            let Some(bound) = Bound::new(self.puzzle).of_state(self.puzzle.start()) else {
                return Outcome::Unsolvable;
            };
            self.lower_bound = bound.max(1);
        }
        let result = match &self.best {
            Some(_) => Ok(()),
            None if self.shorter_than <= self.lower_bound => Err(Limit::Moves),
            None => self.meter.check().and_then(|()| search(self)),
        };
        let lower_bound = self.lower_bound;
        match (self.best.take(), result) {
            (Some(moves), _) => Outcome::Solved {
                optimal: moves.len() as u32 == lower_bound,
                solution: replayed(self.puzzle, moves),
                lower_bound,
            },
            (None, Err(limit)) => Outcome::LimitReached { limit, lower_bound },
            (None, Ok(())) if limits.moves.is_some() => Outcome::LimitReached {
                limit: Limit::Moves,
                lower_bound,
            },
            (None, Ok(())) => Outcome::Failed {
                failure: Failure::SearchSpaceExhausted,
                lower_bound,
            },
        }
    }

    /// Keeps a solution if it is shorter than those before; `id` is its last node.
    fn record(&mut self, moves: &[Move], id: NodeId) {
        let len = moves.len() as u32;
        if len < self.shorter_than {
            self.watch
                .trace(|recorder| recorder.solution(Some(id), moves));
            self.shorter_than = len;
            self.best = Some(moves.to_vec());
        }
    }

    /// Counts a node and looks at the limits.
    fn node(&mut self) -> Result<(), Limit> {
        self.stats.nodes += 1;
        self.meter.tick(self.stats.nodes)
    }

    /// Whether no solution goes on after this move of a setup: under `must_ricochet` with an
    /// any-robot goal, a robot may stop on the target only with the last move.
    fn ends_on_target(&self, robot: Robot, after: State) -> bool {
        let goal = self.puzzle.goal();
        self.puzzle.rules().must_ricochet && goal.robot.is_none() && after[robot] == goal.cell
    }

    /// Whether nothing shorter can come.
    fn is_best_possible(&self) -> bool {
        self.shorter_than <= self.lower_bound
    }

    /// The robots that may arrive, each to be taken as victory robot.
    fn victory_robots(&self) -> impl Iterator<Item = Robot> + use<> {
        let active = self.puzzle.goal().robot;
        let robots = self.puzzle.start().robots();
        robots.filter(move |&robot| active.is_none_or(|active| active == robot))
    }
}
