//! All solvers by name: the command line, the lab and every other front end make theirs here.
//!
//! A [`SolverSpec`] is a solver with its parameters as people write it, `iddfs:memo=off`. Programs
//! that know which solver they want need no text: each solver is a type with typed options, such as
//! [`Flagship::new().threads(2)`](crate::flagship::Flagship).

mod error;
mod options;
mod spec;

use std::fmt;

pub use error::SpecError;
pub(crate) use options::Options;
pub use spec::SolverSpec;

use crate::{Guarantee, Solver};

/// One parameter of a solver.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// As in `--solver NAME:key=value` or `--set key=value`.
    pub key: &'static str,
    /// Its value when it is not given.
    pub default: &'static str,
    /// What it means.
    pub help: &'static str,
}

/// What the registry knows of a solver.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct SolverInfo {
    /// The name.
    pub name: &'static str,
    /// What a solution is worth.
    pub guarantee: Guarantee,
    /// Where the algorithm is described: document and section.
    pub source: &'static str,
    /// One line.
    pub summary: &'static str,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    /// Makes one from what was written.
    pub(crate) build: fn(&Options) -> Result<Box<dyn Solver>, SpecError>,
}

impl SolverInfo {
    /// Makes the solver with its default parameters.
    pub fn build(&self) -> Box<dyn Solver> {
        (self.build)(&Options::default()).expect("every solver can be made with its defaults")
    }

    /// Whether it has a parameter of that name.
    pub fn has_parameter(&self, key: &str) -> bool {
        self.parameters.iter().any(|known| known.key == key)
    }
}

impl fmt::Debug for SolverInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SolverInfo")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// All solvers, in the order in which they should be listed. A new solver is one line here.
///
/// ```
/// for info in ricochet_solve::registry::SOLVERS {
///     println!("{:<18} {:<8} {}", info.name, info.guarantee.to_string(), info.summary);
/// }
/// ```
pub const SOLVERS: &[SolverInfo] = &[
    crate::flagship::INFO,
    crate::published::iddfs::INFO,
    crate::published::iddfs::BOUNDED,
    crate::published::naive::INFO,
    crate::published::stateless::INFO,
    crate::published::subgoals::INFO,
    crate::published::graph::V1,
    crate::published::graph::V2,
    crate::published::graph::BOUNDED,
    crate::published::graph::COMPLETE,
    crate::published::setups::BFS,
    crate::published::setups::DFS,
    crate::published::setups::SINGLE_COLOR,
    crate::published::setups::SETUP_BFS,
    crate::published::setups::SETUP_DFS,
    crate::published::setups::SETUP_POSITION,
    crate::published::setups::SETUP_CROSSBLOCK,
    crate::tablebase::INFO,
];

/// What is known of the solver with this name, in capitals or not.
///
/// # Errors
/// [`SpecError::UnknownSolver`], which names the nearest.
pub fn find(name: &str) -> Result<&'static SolverInfo, SpecError> {
    SOLVERS
        .iter()
        .find(|info| info.name.eq_ignore_ascii_case(name))
        .ok_or_else(|| SpecError::unknown_solver(name))
}

/// Makes a solver from its name and parameters: a short way to write
/// [`text.parse::<SolverSpec>()?.build()`](SolverSpec).
///
/// ```
/// use ricochet_solve::registry;
/// assert_eq!(registry::build("setup-bfs:setup-depth=5")?.name(), "setup-bfs");
/// let error = registry::build("naive:setup-depth=5").err().unwrap();
/// assert_eq!(error.to_string(), "'naive' has no parameter 'setup-depth': it has none");
/// # Ok::<(), registry::SpecError>(())
/// ```
///
/// # Errors
/// An unknown name or parameter, a bad value, or text of another form.
pub fn build(spec: &str) -> Result<Box<dyn Solver>, SpecError> {
    Ok(spec.parse::<SolverSpec>()?.build())
}
