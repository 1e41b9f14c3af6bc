//! The exit code of the process.

use std::process;

/// How a command ended, in the order of significance: a batch ends with the largest of its puzzles.
///
/// That some answers are not final matters more than any answer, and an error matters more than that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ExitCode {
    /// Success: every puzzle is solved.
    Solved,
    /// A puzzle was proven unsolvable, or moves do not solve it.
    Unsolvable,
    /// A limit ended a search, or an incomplete solver gave up.
    Limit,
    /// Bad arguments, a puzzle that cannot be read, a file that cannot be written.
    Error,
    /// Stopped by Ctrl-C.
    Interrupted,
}

impl ExitCode {
    /// The number of the process's exit status.
    pub(crate) const fn number(self) -> u8 {
        match self {
            Self::Solved => 0,
            Self::Unsolvable => 1,
            Self::Error => 2,
            Self::Limit => 3,
            // 128 + SIGINT, as in shells.
            Self::Interrupted => 130,
        }
    }

    /// The code with this number; any other number is an error.
    pub(crate) const fn from_number(number: u8) -> Self {
        match number {
            0 => Self::Solved,
            1 => Self::Unsolvable,
            3 => Self::Limit,
            130 => Self::Interrupted,
            _ => Self::Error,
        }
    }

    /// The more significant of two.
    pub(crate) fn worst(self, other: Self) -> Self {
        self.max(other)
    }
}

impl From<ExitCode> for process::ExitCode {
    fn from(code: ExitCode) -> Self {
        Self::from(code.number())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_outrank_limits_and_limits_outrank_answers() {
        use ExitCode::{Error, Interrupted, Limit, Solved, Unsolvable};
        let mut all = [Limit, Error, Solved, Interrupted, Unsolvable];
        all.sort();
        assert_eq!(all, [Solved, Unsolvable, Limit, Error, Interrupted]);
        assert_eq!(all.map(ExitCode::number), [0, 1, 3, 2, 130]);
        assert_eq!(all.map(|it| ExitCode::from_number(it.number())), all);
        assert_eq!(Limit.worst(Unsolvable), Limit);
    }
}
