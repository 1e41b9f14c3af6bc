//! [`Code`]: an error as data, for programs and for translations.

use std::borrow::Cow;
use std::collections::BTreeMap;

use ricochet_core::formats::{ReadError, WriteError};
use ricochet_core::notation::{Reason, Value as ReaderValue};
use ricochet_core::quadrants::LayoutError;
use ricochet_core::{Direction, Problem, Robot};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A stable name for an error, with the values that its sentence contains.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Code {
    /// The name of the error, such as `robots-collide`.
    pub code: Cow<'static, str>,
    /// The values in the sentence: numbers, strings, letters of robots and directions.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub with: BTreeMap<String, Value>,
}

impl Code {
    pub(crate) fn new(code: &'static str) -> Self {
        Self {
            code: Cow::Borrowed(code),
            with: BTreeMap::new(),
        }
    }

    pub(crate) fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.with.insert(name.to_owned(), value.into());
        self
    }

    fn robot(self, name: &str, robot: Robot) -> Self {
        self.with(name, robot.letter().to_string())
    }

    fn side(self, side: Direction) -> Self {
        self.with("side", side.letter().to_string())
    }
}

impl From<&Problem> for Code {
    /// The cell is not among the values because it has its own field.
    fn from(problem: &Problem) -> Self {
        match problem {
            Problem::Size { width, height } => Self::new("size")
                .with("width", *width)
                .with("height", *height),
            Problem::WallCount { expected, found } => Self::new("wall-count")
                .with("expected", *expected)
                .with("found", *found),
            Problem::WallMask { mask, .. } => Self::new("wall-mask").with("mask", *mask),
            Problem::WallOffBoard { side, .. } => Self::new("wall-off-board").side(*side),
            Problem::OneSidedWall { side, .. } => Self::new("one-sided-wall").side(*side),
            Problem::OpenRim { side, .. } => Self::new("open-rim").side(*side),
            Problem::DiagonalOffBoard { .. } => Self::new("diagonal-off-board"),
            Problem::DiagonalClosed { .. } => Self::new("diagonal-closed"),
            Problem::TwoDiagonals { .. } => Self::new("two-diagonals"),
            Problem::TargetOffBoard { .. } => Self::new("target-off-board"),
            Problem::TargetClosed { .. } => Self::new("target-closed"),
            Problem::TwoTargets { .. } => Self::new("two-targets"),
            Problem::NoRobots => Self::new("no-robots"),
            Problem::TooManyRobots { found } => Self::new("too-many-robots").with("found", *found),
            Problem::RobotOffBoard { robot, .. } => {
                Self::new("robot-off-board").robot("robot", *robot)
            }
            Problem::RobotClosed { robot, .. } => Self::new("robot-closed").robot("robot", *robot),
            // The sentence of the page names two of them.
            Problem::RobotsCollide { robots, .. } => {
                let mut code = Self::new("robots-collide");
                for (name, &robot) in ["first", "second"].into_iter().zip(robots) {
                    code = code.robot(name, robot);
                }
                code
            }
            Problem::NoSuchActiveRobot { active, robots } => Self::new("no-such-active-robot")
                .with("active", *active)
                .with("robots", *robots),
            Problem::GoalOffBoard { .. } => Self::new("goal-off-board"),
            Problem::GoalClosed { .. } => Self::new("goal-closed"),
        }
    }
}

impl From<&ReadError> for Code {
    /// `cause` is the reader's own code with its values; `reason`, `expected` and `found` are the same
    /// in English.
    fn from(error: &ReadError) -> Self {
        let reason = error.reason.to_string();
        let (expected, found) = expected_and_found(&reason);
        let code = match error.reason {
            Reason::NoPuzzle if error.is_unknown_format() => Self::new("nothing-to-read"),
            _ if error.is_unknown_format() && found.is_some() => Self::new("no-known-format"),
            _ => Self::new("unreadable"),
        };
        let mut code = code
            .with("line", error.line)
            .with("column", error.column)
            .with("reason", reason.as_str())
            .with("cause", cause(error.reason.code(), error.reason.values()));
        for (name, value) in [("expected", expected), ("found", found)] {
            if let Some(value) = value {
                code = code.with(name, value);
            }
        }
        code
    }
}

/// A reader's code with its values, in the form of a [`Code`]. Phrases among the values are nested codes.
fn cause(code: &str, values: Vec<(&'static str, ReaderValue)>) -> Value {
    let values: serde_json::Map<String, Value> = values
        .into_iter()
        .map(|(name, value)| {
            let value = match value {
                ReaderValue::Number(number) => number.into(),
                ReaderValue::Text(text) => text.into(),
                ReaderValue::Robot(robot) => robot.letter().to_string().into(),
                ReaderValue::Item(item) => cause(item.code(), item.values()),
            };
            (name.to_owned(), value)
        })
        .collect();
    if values.is_empty() {
        serde_json::json!({ "code": code })
    } else {
        serde_json::json!({ "code": code, "with": values })
    }
}

/// The parts of a reader's message, which usually is 'expected this, found that' or 'expected this'.
fn expected_and_found(message: &str) -> (Option<&str>, Option<&str>) {
    let Some(rest) = message.strip_prefix("expected ") else {
        return (None, None);
    };
    match rest.split_once(", found ") {
        Some((expected, found)) => (Some(expected), Some(found)),
        None => (Some(rest), None),
    }
}

impl From<&LayoutError> for Code {
    fn from(error: &LayoutError) -> Self {
        match error {
            LayoutError::NoSuchQuadrant { text } => {
                Self::new("no-such-quadrant").with("text", text.as_str())
            }
            LayoutError::NotFourQuadrants { text } => {
                Self::new("not-four-quadrants").with("text", text.as_str())
            }
            LayoutError::TileTwice { tile } => Self::new("tile-twice").with("tile", *tile),
        }
    }
}

impl From<&WriteError> for Code {
    /// The reasons are English sentences.
    fn from(error: &WriteError) -> Self {
        Self::new("cannot-express")
            .with("format", error.format)
            .with("reasons", error.reasons.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> Code {
        Code::from(&ricochet_core::formats::read(text).unwrap_err())
    }

    #[test]
    fn values_include_what_the_reader_expected_and_found() {
        let cell = code("4x4..0.R33");
        assert_eq!(cell.code, "unreadable");
        assert_eq!(cell.with["expected"], "a row (0-9, a-v)");
        assert_eq!(cell.with["found"], "'.'");
        assert_eq!(
            (&cell.with["line"], &cell.with["column"]),
            (&1.into(), &7.into())
        );
        let drawing = code("goal: red\n+---+\n");
        assert!(drawing.with.contains_key("expected"), "{drawing:?}");
        let json = code("{\"width\":2,}");
        assert_eq!(json.with["reason"], "trailing comma");
        assert!(!json.with.contains_key("expected"), "{json:?}");
        let cause = serde_json::json!({
            "code": "expected-found",
            "with": {
                "expected": { "code": "row-digit" },
                "found": { "code": "quote", "with": { "text": "'.'" } },
            },
        });
        assert_eq!(cell.with["cause"], cause);
    }

    #[test]
    fn text_without_a_puzzle_has_its_own_code() {
        assert_eq!(code("  \n").code, "nothing-to-read");
        let letter = code("Dear reader,");
        assert_eq!(letter.code, "no-known-format");
        assert_eq!(letter.with["found"], "'Dear reader,'");
    }
}
