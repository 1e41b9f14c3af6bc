//! One shape for 'stopped before the end', wherever that can happen.

use std::fmt;

use crate::{Limit, Outcome};

/// A limit ended the work before its answer was complete.
///
/// ```
/// use ricochet_core::notation;
/// use ricochet_solve::all::all_solutions;
/// use ricochet_solve::{Limit, Limits, Stopped};
/// let puzzle = notation::parse_line("8x8..00.R77")?.validate()?;
/// let limits = Limits { moves: Some(1), ..Limits::default() };
/// let stopped = all_solutions(&puzzle, &limits).unwrap_err();
/// assert_eq!(stopped, Stopped { limit: Limit::Moves, lower_bound: 2 });
/// assert_eq!(stopped.to_string(), "move limit reached; at least 2 moves are needed");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stopped {
    /// Which.
    pub limit: Limit,
    /// Whatever was looked for and not found takes at least so many moves.
    pub lower_bound: u32,
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.limit {
            Limit::Cancelled => f.write_str("cancelled")?,
            limit => write!(f, "{limit} reached")?,
        }
        match self.lower_bound {
            0 => Ok(()),
            1 => f.write_str("; at least 1 move is needed"),
            moves => write!(f, "; at least {moves} moves are needed"),
        }
    }
}

impl std::error::Error for Stopped {}

impl From<Stopped> for Outcome {
    fn from(Stopped { limit, lower_bound }: Stopped) -> Self {
        Self::LimitReached { limit, lower_bound }
    }
}
