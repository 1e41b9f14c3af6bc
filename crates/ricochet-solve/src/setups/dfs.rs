//! Algorithm 2 of the report, 'a basic depth first search' (3.2).
//!
//! 'Depth first search will expand the node with the highest length first. … this strategy requires
//! a depth limit'. The report does not state it; its solutions have 9.2 moves on average, so it is
//! taken to be that of the single colour search, 10. Robots in their order, directions north, east,
//! south, west; no duplicate detection; the first solution is the answer.

use ricochet::{Direction, Move, Puzzle};

use super::Run;
use crate::game::{Game, Situation};
use crate::registry::{BuildError, Entry, Options, Parameter};
use crate::{Guarantee, Limit, Limits, Observer, Outcome, Solver, Stats};

/// Its line in the registry.
pub(super) const ENTRY: Entry = Entry {
    name: "dfs",
    guarantee: Guarantee::Any,
    source: "AI in Games report, 3.2, Algorithm 2",
    summary: "depth first over the tree of all moves; the first solution, usually a long one",
    parameters: &[Parameter {
        key: "depth",
        default: "10",
        help: "most moves",
    }],
    build: Dfs::build,
};

/// Depth first over the tree of move sequences.
///
/// ```
/// use ricochet::{Board, Cell, Goal, Puzzle, Robot};
/// use ricochet_solve::{Limits, Silent, Solver, setups::Dfs};
/// let board = Board::builder(8, 8).build().unwrap();
/// let goal = Goal { robot: Some(Robot::RED), cell: Cell::new(7, 7) };
/// let puzzle = Puzzle::new(board, &[Cell::new(0, 0), Cell::new(3, 3)], goal).unwrap();
/// let (outcome, _) = Dfs::default().solve(&puzzle, &Limits::default(), &mut Silent);
/// assert!(outcome.solution().unwrap().len() <= 10);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Dfs {
    depth: u32,
}

impl Default for Dfs {
    fn default() -> Self {
        Self { depth: 10 }
    }
}

impl Dfs {
    /// For the registry.
    ///
    /// ```
    /// use ricochet_solve::{registry::Options, setups::Dfs};
    /// assert_eq!(Dfs::build(&Options::default()).unwrap().name(), "dfs");
    /// ```
    ///
    /// # Errors
    /// If `depth` is not a number.
    pub fn build(options: &Options) -> Result<Box<dyn Solver>, BuildError> {
        Ok(Box::new(Self {
            depth: options.parse("depth", 10)?,
        }))
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
        run.budget.make_room(&mut open)?;
        open.push((next, 0));
    }
    Ok(())
}
