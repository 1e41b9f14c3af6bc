//! JSON forms of robots, moves, cells and limits.

use std::borrow::Cow;
use std::str::FromStr;

use ricochet_core::{Cell, Move, Robot, Solution};
use ricochet_solve::Limit;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A cell as `[x, y]`, counted from 0 in the north-west corner.
pub type Coordinates = [u8; 2];

/// The coordinates of a cell.
pub fn coordinates(cell: Cell) -> Coordinates {
    [cell.x, cell.y]
}

/// The cell at coordinates.
pub(crate) fn to_cell([x, y]: Coordinates) -> Cell {
    Cell::new(x, y)
}

/// The beginning of a text that a request contains, for an error message.
pub(crate) fn quote(text: &str) -> String {
    let start: String = text.chars().take(40).collect();
    format!("'{}'", start.escape_debug())
}

/// A robot, written as its letter. Its name is accepted, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RobotLetter(pub Robot);

/// A robot by its letter or name.
fn robot(text: &str) -> Option<Robot> {
    let mut letters = text.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) => Robot::from_letter(letter),
        _ => Robot::from_name(text),
    }
}

/// The error for a text that does not name a robot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseRobotError(pub(crate) String);

impl std::fmt::Display for ParseRobotError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ParseRobotError {}

impl FromStr for RobotLetter {
    type Err = ParseRobotError;

    fn from_str(text: &str) -> Result<Self, ParseRobotError> {
        robot(text).map(Self).ok_or_else(|| {
            ParseRobotError(format!(
                "{} is not a robot: expected a letter of {} or a colour such as red",
                quote(text),
                Robot::LETTERS
            ))
        })
    }
}

impl Serialize for RobotLetter {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_char(self.0.letter())
    }
}

impl<'de> Deserialize<'de> for RobotLetter {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}

impl JsonSchema for RobotLetter {
    fn schema_name() -> Cow<'static, str> {
        "Robot".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let letters: Vec<String> = Robot::LETTERS.chars().map(String::from).collect();
        json_schema!({
            "description": "A robot: red, green, blue, yellow, silver, orange, purple or cyan.",
            "type": "string",
            "enum": letters,
        })
    }
}

/// A robot, written as its colour. Its letter is accepted, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ColorName(pub Robot);

impl Serialize for ColorName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.name())
    }
}

impl<'de> Deserialize<'de> for ColorName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        RobotLetter::deserialize(deserializer).map(|it| Self(it.0))
    }
}

impl JsonSchema for ColorName {
    fn schema_name() -> Cow<'static, str> {
        "Colour".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "enum": Robot::ALL.map(Robot::name) })
    }
}

/// A limit that ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LimitName(pub Limit);

impl std::fmt::Display for LimitName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for LimitName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl JsonSchema for LimitName {
    fn schema_name() -> Cow<'static, str> {
        "Limit".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let limits = [
            Limit::Time,
            Limit::Memory,
            Limit::Nodes,
            Limit::Moves,
            Limit::Cancelled,
        ];
        json_schema!({
            "description": "A limit that ended a search.",
            "type": "string",
            "enum": limits.map(|limit| limit.to_string()),
        })
    }
}

/// A move such as `RN`: red, north.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MoveName(pub Move);

impl Serialize for MoveName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for MoveName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        text.parse().map(Self).map_err(D::Error::custom)
    }
}

impl JsonSchema for MoveName {
    fn schema_name() -> Cow<'static, str> {
        "Move".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A robot's letter and a direction (N, E, S, W): RN is red, north.",
            "type": "string",
            "pattern": format!("^[{}][NESW]$", Robot::LETTERS),
        })
    }
}

/// Moves, written as a list. A text such as `RN GE` is accepted, too.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct MoveList(pub Vec<Move>);

/// Longer lists are rejected.
const MAX_MOVES: usize = 10_000;

impl From<&Solution> for MoveList {
    fn from(solution: &Solution) -> Self {
        Self(solution.moves().to_vec())
    }
}

impl Serialize for MoveList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().copied().map(MoveName))
    }
}

impl<'de> Deserialize<'de> for MoveList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = MoveList;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("moves: a list such as [\"RN\",\"GE\"] or a text such as \"RN GE\"")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<MoveList, E> {
                if text.len() > 4 * MAX_MOVES {
                    return Err(too_many());
                }
                let solution: Solution = text.parse().map_err(E::custom)?;
                Ok(MoveList::from(&solution))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<MoveList, A::Error> {
                let mut moves = Vec::new();
                while let Some(MoveName(play)) = seq.next_element()? {
                    if moves.len() == MAX_MOVES {
                        return Err(too_many());
                    }
                    moves.push(play);
                }
                Ok(MoveList(moves))
            }
        }
        deserializer.deserialize_any(Either)
    }
}

fn too_many<E: serde::de::Error>() -> E {
    E::custom(format_args!("more than {MAX_MOVES} moves"))
}

impl JsonSchema for MoveList {
    fn schema_name() -> Cow<'static, str> {
        "Moves".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let one = generator.subschema_for::<MoveName>();
        json_schema!({
            "description": "Moves in order. A request may also give them as a text such as \"RN GE\".",
            "anyOf": [
                { "type": "array", "items": one, "maxItems": MAX_MOVES },
                { "type": "string" },
            ],
        })
    }
}
