//! [`Error`]: why a request has no answer, as a sentence and as a [`Code`].

mod code;
mod field;

use std::fmt;

use ricochet_core::formats::{ReadError, WriteError};
use ricochet_core::generate::GenerateError;
use ricochet_core::quadrants::LayoutError;
use ricochet_core::{ParseMoveError, Problem, ValidationError};
use ricochet_solve::registry::SpecError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::json::{Coordinates, coordinates};

pub use code::Code;
pub(crate) use field::describe_field;

/// The kinds of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorKind {
    /// The puzzle's text cannot be read; `problems` says where.
    Unreadable,
    /// The puzzle was read but is not a valid position; `problems` lists everything that is wrong.
    Invalid,
    /// The request is malformed: a field is missing or has an invalid value.
    BadRequest,
    /// The request cannot be fulfilled, for example because a format cannot express the puzzle.
    Unsupported,
    /// Too many requests at once: try again later.
    Busy,
    /// The request is larger than the server allows.
    TooLarge,
    /// The requested item does not exist.
    NotFound,
    /// A bug in this program.
    Internal,
}

impl ErrorKind {
    /// The name in JSON.
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

/// One problem with a puzzle, and its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProblemInfo {
    /// The problem as a code.
    #[serde(flatten)]
    pub code: Code,
    /// The problem as an English sentence.
    pub message: String,
    /// The line of the text, counted from 1.
    pub line: Option<usize>,
    /// The column of the text, counted from 1.
    pub column: Option<usize>,
    /// The cell of the board.
    pub cell: Option<Coordinates>,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Error {
    /// The kind of error.
    pub kind: ErrorKind,
    /// The specific error, or the name of its kind.
    #[serde(flatten)]
    pub code: Code,
    /// The error as an English sentence.
    pub message: String,
    /// Everything that is wrong with the puzzle.
    pub problems: Vec<ProblemInfo>,
}

impl Error {
    /// An error without problems.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            code: Code::new(kind.name()),
            message: message.into(),
            problems: Vec::new(),
        }
    }

    /// The same error with a more specific code.
    pub(crate) fn with_code(self, code: Code) -> Self {
        Self { code, ..self }
    }

    pub(crate) fn bad_request(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::BadRequest, message)
    }

    /// A request that does not fit its schema, whatever its fields mean.
    pub fn malformed(message: impl Into<String>) -> Self {
        let message = message.into();
        let code = Code::new("malformed").with("reason", message.clone());
        Self::bad_request(message).with_code(code)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

impl From<&Problem> for ProblemInfo {
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
            | Problem::GoalClosed { cell } => Some(coordinates(*cell)),
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
            problems: vec![ProblemInfo {
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
            problems: invalid.problems.iter().map(ProblemInfo::from).collect(),
        }
    }
}

impl From<WriteError> for Error {
    fn from(error: WriteError) -> Self {
        Self::new(ErrorKind::Unsupported, error.to_string()).with_code(Code::from(&error))
    }
}

impl From<LayoutError> for Error {
    fn from(error: LayoutError) -> Self {
        Self::bad_request(error.to_string()).with_code(Code::from(&error))
    }
}

impl From<GenerateError> for Error {
    fn from(error: GenerateError) -> Self {
        Self::bad_request(error.to_string())
    }
}

impl From<SpecError> for Error {
    fn from(error: SpecError) -> Self {
        Self::bad_request(error.to_string())
    }
}

impl From<ParseMoveError> for Error {
    fn from(error: ParseMoveError) -> Self {
        Self::bad_request(error.to_string())
    }
}
