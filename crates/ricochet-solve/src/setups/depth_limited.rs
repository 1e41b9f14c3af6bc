//! The solver that five of the report's searches share: they differ in nothing but the search.

use ricochet::Puzzle;

use super::Run;
use crate::registry::{BuildError, Options};
use crate::{Guarantee, Limit, Limits, Observer, Outcome, Solver, Stats};

/// The depths of the report.
#[derive(Clone, Copy, Debug)]
pub(super) struct Depths {
    /// Most moves of the single colour search.
    pub(super) color: u32,
    /// Most moves of a setup.
    pub(super) setup: u32,
    /// Highest degree of critical paths.
    pub(super) degree: u32,
}

impl Depths {
    fn parse(options: &Options) -> Result<Self, BuildError> {
        Ok(Self {
            color: options.parse("color-depth", 10)?,
            setup: options.parse("setup-depth", 4)?,
            degree: options.parse("degree", 3)?,
        })
    }
}

/// Looks for solutions within the depths and hands them to [`Run::found`].
type Search = fn(&mut Run<'_>, Depths) -> Result<(), Limit>;

/// A search whose only parameters are depths, as a solver.
#[derive(Clone, Copy, Debug)]
pub(super) struct DepthLimited {
    name: &'static str,
    search: Search,
    depths: Depths,
}

impl DepthLimited {
    /// For the registry.
    pub(super) fn build(
        name: &'static str,
        search: Search,
        options: &Options,
    ) -> Result<Box<dyn Solver>, BuildError> {
        Ok(Box::new(Self {
            name,
            search,
            depths: Depths::parse(options)?,
        }))
    }
}

impl Solver for DepthLimited {
    fn name(&self) -> &'static str {
        self.name
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
        Run::solve(puzzle, limits, |run| (self.search)(run, self.depths))
    }
}
