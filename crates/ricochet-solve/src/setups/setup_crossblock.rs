//! Algorithm 6 of the report: setups with a positive cross block score, lowest first (3.6).
//!
//! 'Cross block score = Victoryrobot moves + Critical Degree + Setup moves', the lowest over all
//! occupied cross block positions; see [`CrossBlocks`]. It estimates the length of a solution.

use ricochet::{Cell, Puzzle};

use super::critical::Critical;
use super::cross_block::CrossBlocks;
use super::{COLOR_DEPTH, DEGREE, Depths, Run, SETUP_DEPTH};
use crate::registry::{BuildError, Entry, Options};
use crate::{Guarantee, Limits, Observer, Outcome, Solver, Stats};

/// Its line in the registry.
pub(super) const ENTRY: Entry = Entry {
    name: "setup-crossblock",
    guarantee: Guarantee::Any,
    source: "AI in Games report, 3.6, Algorithm 6",
    summary: "setups that stop the active robot on a critical path, lowest cross block score first",
    parameters: &[SETUP_DEPTH, COLOR_DEPTH, DEGREE],
    build: SetupCrossBlock::build,
};

/// Verifies setups in the order of their cross block score until one works.
///
/// ```
/// use ricochet_solve::registry::{self, Options};
/// let solver = registry::build("setup-crossblock", &Options::default()).unwrap();
/// assert_eq!(solver.name(), "setup-crossblock");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct SetupCrossBlock {
    depths: Depths,
}

impl SetupCrossBlock {
    /// For the registry.
    ///
    /// ```
    /// use ricochet_solve::{registry::Options, setups::SetupCrossBlock};
    /// let solver = SetupCrossBlock::build(&Options::default()).unwrap();
    /// assert_eq!(solver.name(), "setup-crossblock");
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

impl Solver for SetupCrossBlock {
    fn name(&self) -> &'static str {
        "setup-crossblock"
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
            run.verify_by_score(self.depths, |victory| {
                let critical = Critical::new(
                    puzzle.board(),
                    victory,
                    puzzle.goal().cell,
                    self.depths.degree,
                );
                let blocks = CrossBlocks::new(puzzle, victory, &critical, self.depths.color);
                move |others: &[Cell], setup_moves| {
                    blocks.score(others.iter().copied(), setup_moves)
                }
            })
        })
    }
}
