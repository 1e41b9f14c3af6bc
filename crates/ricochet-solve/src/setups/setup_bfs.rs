//! Algorithm 3 of the report: 'a breadth first search that utilizes precomputed setups' (3.4).

use ricochet::Puzzle;

use super::setup_list::SetupList;
use super::single_color::Search;
use super::{COLOR_DEPTH, Depths, Run, SETUP_DEPTH};
use crate::registry::{BuildError, Entry, Options};
use crate::{Guarantee, Limits, Observer, Outcome, Solver, Stats};

/// Its line in the registry.
pub(super) const ENTRY: Entry = Entry {
    name: "setup-bfs",
    guarantee: Guarantee::Any,
    source: "AI in Games report, 3.4, Algorithm 3",
    summary: "all setups of the other robots, then a single colour search; the shortest of all",
    parameters: &[SETUP_DEPTH, COLOR_DEPTH],
    build: SetupBfs::build,
};

/// Verifies all setups, shorter ones first.
///
/// ```
/// use ricochet::{Board, Cell, Goal, Puzzle, Robot};
/// use ricochet_solve::{Limits, Silent, Solver, setups::SetupBfs};
/// let board = Board::builder(8, 8).build().unwrap();
/// let goal = Goal { robot: Some(Robot::RED), cell: Cell::new(6, 0) };
/// let puzzle = Puzzle::new(board, &[Cell::new(0, 0), Cell::new(7, 7)], goal).unwrap();
/// let (outcome, _) = SetupBfs::default().solve(&puzzle, &Limits::default(), &mut Silent);
/// assert_eq!(outcome.solution().unwrap().to_string(), "GN RE");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct SetupBfs {
    depths: Depths,
}

impl SetupBfs {
    /// For the registry.
    ///
    /// ```
    /// use ricochet_solve::{registry::Options, setups::SetupBfs};
    /// assert_eq!(SetupBfs::build(&Options::default()).unwrap().name(), "setup-bfs");
    /// ```
    ///
    /// # Errors
    /// If a depth is not a number.
    pub fn build(options: &Options) -> Result<Box<dyn Solver>, BuildError> {
        Ok(Box::new(Self {
            depths: Depths::parse(options)?,
        }))
    }
}

impl Solver for SetupBfs {
    fn name(&self) -> &'static str {
        "setup-bfs"
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
        Run::solve(puzzle, limits, |run| {
            let mut search = Search::new(puzzle);
            for victory in run.victory_robots() {
                let mut setups = SetupList::new(run, victory)?;
                let mut at = 0;
                // Setups that are too long for a better solution, with the one move that has to
                // follow, need not be verified, nor do those behind them.
                while at < setups.len() && setups.length(at) + 1 < run.shorter_than {
                    if run.is_best_possible() {
                        return Ok(());
                    }
                    run.verify(&mut search, victory, &setups, at, self.depths.color)?;
                    if setups.length(at) < self.depths.setup {
                        setups.expand(run, at)?;
                    }
                    at += 1;
                }
            }
            Ok(())
        })
    }
}
