//! Algorithm 2 of the report, 'a basic depth first search' (3.2).
//!
//! 'Depth first search will expand the node with the highest length first. … this strategy requires
//! a depth limit'. The report does not state it; its solutions have 9.2 moves on average, so it is
//! taken to be that of the single colour search, 10. Robots in their order, directions north, east,
//! south, west; no duplicate detection; the first solution is the answer.

use ricochet_core::{Direction, Move, Puzzle};

use super::Run;
use crate::registry::{Parameter, SolverInfo};
use crate::state_space::{Game, Situation};
use crate::{Guarantee, Limit, Limits, Observer, Outcome, Solver, Stats};

/// Its line in the registry.
pub(super) const INFO: SolverInfo = SolverInfo {
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
///
/// ```
/// use ricochet_core::notation;
/// use ricochet_solve::{Limits, Silent, Solver, published::setups::Dfs};
/// let puzzle = notation::parse_line("8x8..0033.R77")?.validate()?;
/// let (outcome, _) = Dfs::new().depth(6).solve(&puzzle, &Limits::default(), &mut Silent);
/// assert!(outcome.solution().is_some_and(|solution| solution.len() <= 6));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    ///
    /// ```
    /// use ricochet_solve::{Solver, published::setups::Dfs};
    /// assert_eq!(Dfs::new().name(), "dfs");
    /// ```
    pub fn new() -> Self {
        Self { depth: DEPTH }
    }

    /// Most moves.
    ///
    /// ```
    /// use ricochet_solve::published::setups::Dfs;
    /// let solver = Dfs::new().depth(8);
    /// ```
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
        _: &mut dyn Observer,
    ) -> (Outcome, Stats) {
        let depth = self.depth.min(limits.moves.unwrap_or(u32::MAX));
        let mut exhausted = false;
        let (mut outcome, stats) = Run::solve(puzzle, limits, |run| {
            walk(run, depth)?;
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
fn walk(run: &mut Run<'_>, depth: u32) -> Result<(), Limit> {
    let game = Game::new(run.puzzle);
    let robots: Vec<_> = run.puzzle.start().robots().collect();
    // For each open node: its situation and the number of the next move to try.
    let mut open: Vec<(Situation, usize)> = vec![(game.start(), 0)];
    let mut path: Vec<Move> = Vec::new();
    while let Some((here, next_move)) = open.last_mut() {
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
        run.node()?;
        path.push(step);
        if game.is_over(next) {
            run.found(&path);
            return Ok(());
        }
        run.meter.reserve(&mut open)?;
        open.push((next, 0));
    }
    Ok(())
}
