//! What went wrong, for people and for programs.

use std::fmt;

use ricochet_core::formats::{ReadError, WriteError};
use ricochet_core::generate::GenerateError;
use ricochet_core::quadrants::LayoutError;
use ricochet_core::{ParseMoveError, Problem, ValidationError};
use ricochet_solve::registry::SpecError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::code::Code;
use crate::words::{Place, place};

/// The kinds of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorKind {
    /// The puzzle's text cannot be read; `problems` says where.
    Unreadable,
    /// The puzzle was read, but is not a valid position; `problems` says everything that is wrong.
    Invalid,
    /// The request itself is wrong: a field is missing or has a value that it cannot have.
    BadRequest,
    /// What was asked for cannot be done: a format that cannot express the puzzle, a solver that
    /// does not exist here.
    Unsupported,
    /// Too many questions at once: ask again later.
    Busy,
    /// The request is larger than is allowed here.
    TooLarge,
    /// There is no such thing.
    NotFound,
    /// A mistake of ours.
    Internal,
}

impl ErrorKind {
    /// As JSON spells it.
    fn name(self) -> &'static str {
        match self {
            Self::Unreadable => "unreadable",
            Self::Invalid => "invalid",
            Self::BadRequest => "bad-request",
            Self::Unsupported => "unsupported",
            Self::Busy => "busy",
            Self::TooLarge => "too-large",
            Self::NotFound => "not-found",
            Self::Internal => "internal",
        }
    }
}

/// One thing that is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Fault {
    /// The same for programs and for other languages.
    #[serde(flatten)]
    pub code: Code,
    /// A sentence for people.
    pub message: String,
    /// The line of the text, from 1.
    pub line: Option<usize>,
    /// The column of the text, from 1.
    pub column: Option<usize>,
    /// The cell of the board.
    pub cell: Option<Place>,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Error {
    /// What kind of error.
    pub kind: ErrorKind,
    /// What it is in particular; the name of the kind where nothing more is known.
    #[serde(flatten)]
    pub code: Code,
    /// A sentence for people.
    pub message: String,
    /// Everything that is wrong with a puzzle.
    pub problems: Vec<Fault>,
}

impl Error {
    /// An error without a place.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            code: Code::new(kind.name()),
            message: message.into(),
            problems: Vec::new(),
        }
    }

    /// The same error with a code of its own.
    pub(crate) fn coded(self, code: Code) -> Self {
        Self { code, ..self }
    }

    pub(crate) fn bad(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::BadRequest, message)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

impl From<&Problem> for Fault {
    fn from(problem: &Problem) -> Self {
        let cell = match problem {
            Problem::WallMask { cell, .. }
            | Problem::WallOffBoard { cell, .. }
            | Problem::OneSidedWall { cell, .. }
            | Problem::OpenRim { cell, .. }
            | Problem::DiagonalOffBoard { cell }
            | Problem::DiagonalClosed { cell }
            | Problem::TwoDiagonals { cell }
            | Problem::TargetOffBoard { cell }
            | Problem::TargetClosed { cell }
            | Problem::TwoTargets { cell }
            | Problem::RobotOffBoard { cell, .. }
            | Problem::RobotClosed { cell, .. }
            | Problem::RobotsCollide { cell, .. }
            | Problem::GoalOffBoard { cell }
            | Problem::GoalClosed { cell } => Some(place(*cell)),
            Problem::Size { .. }
            | Problem::WallCount { .. }
            | Problem::NoRobots
            | Problem::TooManyRobots { .. }
            | Problem::NoSuchActiveRobot { .. } => None,
        };
        Self {
            code: Code::from(problem),
            message: problem.to_string(),
            line: None,
            column: None,
            cell,
        }
    }
}

impl From<ReadError> for Error {
    fn from(error: ReadError) -> Self {
        let code = Code::new(ErrorKind::Unreadable.name());
        Self {
            kind: ErrorKind::Unreadable,
            code: Code::from(&error),
            message: error.to_string(),
            problems: vec![Fault {
                code,
                message: error.reason.to_string(),
                line: Some(error.line),
                column: Some(error.column),
                cell: None,
            }],
        }
    }
}

impl From<ValidationError> for Error {
    fn from(invalid: ValidationError) -> Self {
        Self {
            kind: ErrorKind::Invalid,
            code: Code::new(ErrorKind::Invalid.name()),
            message: invalid.to_string(),
            problems: invalid.problems.iter().map(Fault::from).collect(),
        }
    }
}

impl From<WriteError> for Error {
    fn from(error: WriteError) -> Self {
        Self::new(ErrorKind::Unsupported, error.to_string()).coded(Code::from(&error))
    }
}

impl From<LayoutError> for Error {
    fn from(error: LayoutError) -> Self {
        Self::bad(error.to_string()).coded(Code::from(&error))
    }
}

impl From<GenerateError> for Error {
    fn from(error: GenerateError) -> Self {
        Self::bad(error.to_string())
    }
}

impl From<SpecError> for Error {
    fn from(error: SpecError) -> Self {
        Self::bad(error.to_string())
    }
}

impl From<ParseMoveError> for Error {
    fn from(error: ParseMoveError) -> Self {
        Self::bad(error.to_string())
    }
}
