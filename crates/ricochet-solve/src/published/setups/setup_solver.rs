//! The solver that five of the report's searches share: they differ in nothing but the search.

use ricochet_core::Puzzle;

use super::Run;
use super::{setup_bfs, setup_crossblock, setup_dfs, setup_position, single_color};
use crate::registry::{Options, SolverInfo, SpecError};
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

/// The depths of the report's first parameter set.
const REPORT: Depths = Depths {
    color: 10,
    setup: 4,
    degree: 3,
};

/// Looks for solutions within the depths and hands them to [`Run::found`].
type SetupSearch = fn(&mut Run<'_>, Depths) -> Result<(), Limit>;

/// One of the report's searches whose only parameters are depths: the single colour search, and
/// those that try setups.
///
/// ```
/// use ricochet_core::notation;
/// use ricochet_solve::published::setups::SetupSolver;
/// use ricochet_solve::{Limits, Silent, Solver};
/// let puzzle = notation::parse_line("8x8..0077.R60")?.validate()?;
/// let mut solver = SetupSolver::setup_bfs().setup_depth(2);
/// let (outcome, _) = solver.solve(&puzzle, &Limits::default(), &mut Silent);
/// assert_eq!(outcome.solution().map(ToString::to_string).as_deref(), Some("GN RE"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SetupSolver {
    name: &'static str,
    search: SetupSearch,
    depths: Depths,
}

impl SetupSolver {
    /// `single-color` (section 3.3): only the victory robot moves.
    ///
    /// ```
    /// use ricochet_solve::{Solver, published::setups::SetupSolver};
    /// assert_eq!(SetupSolver::single_color().name(), "single-color");
    /// ```
    pub fn single_color() -> Self {
        Self::new(&single_color::INFO, single_color::search)
    }

    /// `setup-bfs` (Algorithm 3): verifies every setup.
    ///
    /// ```
    /// use ricochet_solve::{Solver, published::setups::SetupSolver};
    /// assert_eq!(SetupSolver::setup_bfs().name(), "setup-bfs");
    /// ```
    pub fn setup_bfs() -> Self {
        Self::new(&setup_bfs::INFO, setup_bfs::search)
    }

    /// `setup-dfs` (Algorithm 4): setups depth first until one works.
    ///
    /// ```
    /// use ricochet_solve::{Solver, published::setups::SetupSolver};
    /// assert_eq!(SetupSolver::setup_dfs().name(), "setup-dfs");
    /// ```
    pub fn setup_dfs() -> Self {
        Self::new(&setup_dfs::INFO, setup_dfs::search)
    }

    /// `setup-position` (Algorithm 5): setups by their position score.
    ///
    /// ```
    /// use ricochet_solve::{Solver, published::setups::SetupSolver};
    /// assert_eq!(SetupSolver::setup_position().name(), "setup-position");
    /// ```
    pub fn setup_position() -> Self {
        Self::new(&setup_position::INFO, setup_position::search)
    }

    /// `setup-crossblock` (Algorithm 6): setups by their cross block score.
    ///
    /// ```
    /// use ricochet_solve::{Solver, published::setups::SetupSolver};
    /// assert_eq!(SetupSolver::setup_crossblock().name(), "setup-crossblock");
    /// ```
    pub fn setup_crossblock() -> Self {
        Self::new(&setup_crossblock::INFO, setup_crossblock::search)
    }

    /// Most moves of the single colour search; 10 unless changed.
    ///
    /// ```
    /// use ricochet_solve::published::setups::SetupSolver;
    /// let solver = SetupSolver::single_color().color_depth(5);
    /// ```
    #[must_use]
    pub fn color_depth(mut self, most_moves: u32) -> Self {
        self.depths.color = most_moves;
        self
    }

    /// Most moves of a setup; 4 unless changed.
    ///
    /// ```
    /// use ricochet_solve::published::setups::SetupSolver;
    /// let solver = SetupSolver::setup_dfs().setup_depth(6);
    /// ```
    #[must_use]
    pub fn setup_depth(mut self, most_moves: u32) -> Self {
        self.depths.setup = most_moves;
        self
    }

    /// Highest degree of critical paths, for the two that score setups; 3 unless changed.
    ///
    /// ```
    /// use ricochet_solve::published::setups::SetupSolver;
    /// let solver = SetupSolver::setup_position().degree(2);
    /// ```
    #[must_use]
    pub fn degree(mut self, degree: u32) -> Self {
        self.depths.degree = degree;
        self
    }

    fn new(info: &SolverInfo, search: SetupSearch) -> Self {
        Self {
            name: info.name,
            search,
            depths: REPORT,
        }
    }

    /// For the registry: the same with the depths that are given.
    pub(super) fn build(self, options: &Options) -> Result<Box<dyn Solver>, SpecError> {
        let solver = self
            .color_depth(options.number("color-depth", REPORT.color)?)
            .setup_depth(options.number("setup-depth", REPORT.setup)?)
            .degree(options.number("degree", REPORT.degree)?);
        Ok(Box::new(solver))
    }
}

impl Solver for SetupSolver {
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
