//! How robots, moves and cells are spelt in JSON.

use std::borrow::Cow;
use std::str::FromStr;

use ricochet_core::{Cell, Move, Robot, Solution};
use ricochet_solve::Limit;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A cell as `[x, y]`, from 0 in the north-west corner.
pub type Place = [u8; 2];

/// The pair of a cell.
pub fn place(cell: Cell) -> Place {
    [cell.x, cell.y]
}

/// The cell of a pair.
pub(crate) fn cell([x, y]: Place) -> Cell {
    Cell::new(x, y)
}

/// A robot, written as its letter; its name is read as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RobotLetter(pub Robot);

/// A robot by a letter or a name.
fn robot(text: &str) -> Option<Robot> {
    let mut letters = text.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) => Robot::from_letter(letter),
        _ => Robot::from_name(text),
    }
}

/// A text that names no robot, and what does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoRobot(pub(crate) String);

impl std::fmt::Display for NoRobot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NoRobot {}

impl FromStr for RobotLetter {
    type Err = NoRobot;

    fn from_str(text: &str) -> Result<Self, NoRobot> {
        robot(text).map(Self).ok_or_else(|| {
            let shown: String = text.chars().take(40).collect();
            NoRobot(format!(
                "'{}' is not a robot: expected a letter of {} or a colour such as red",
                shown.escape_debug(),
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

/// A robot, written as its colour; its letter is read as well.
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
pub struct Play(pub Move);

impl Serialize for Play {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Play {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        text.parse().map(Self).map_err(D::Error::custom)
    }
}

impl JsonSchema for Play {
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

/// Moves as a list, or as a text such as `RN GE`, which is read as well.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Plays(pub Vec<Move>);

/// More moves than this are refused while they are read.
const MAX_MOVES: usize = 10_000;

impl From<&Solution> for Plays {
    fn from(solution: &Solution) -> Self {
        Self(solution.moves().to_vec())
    }
}

impl Serialize for Plays {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().copied().map(Play))
    }
}

impl<'de> Deserialize<'de> for Plays {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Plays;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("moves: a list such as [\"RN\",\"GE\"] or a text such as \"RN GE\"")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Plays, E> {
                if text.len() > 4 * MAX_MOVES {
                    return Err(too_many());
                }
                let solution: Solution = text.parse().map_err(E::custom)?;
                Ok(Plays::from(&solution))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Plays, A::Error> {
                let mut moves = Vec::new();
                while let Some(Play(play)) = seq.next_element()? {
                    if moves.len() == MAX_MOVES {
                        return Err(too_many());
                    }
                    moves.push(play);
                }
                Ok(Plays(moves))
            }
        }
        deserializer.deserialize_any(Either)
    }
}

fn too_many<E: serde::de::Error>() -> E {
    E::custom(format_args!("more than {MAX_MOVES} moves"))
}

impl JsonSchema for Plays {
    fn schema_name() -> Cow<'static, str> {
        "Moves".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let one = generator.subschema_for::<Play>();
        json_schema!({
            "description": "Moves in their order. In a request, a text such as \"RN GE\" will do.",
            "anyOf": [
                { "type": "array", "items": one, "maxItems": MAX_MOVES },
                { "type": "string" },
            ],
        })
    }
}
