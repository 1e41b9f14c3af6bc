//! JSON forms of robots, moves, cells and limits.

use std::borrow::Cow;
use std::str::FromStr;

use ricochet_core::{Cell, Move, Robot, Solution};
use ricochet_solve::Limit;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Number, Value};

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

/// The pattern of a text that [`Solution`] reads: moves separated by white space or commas.
fn moves_pattern() -> String {
    let letters = Robot::LETTERS;
    let play = format!("[{letters}{}][NESWnesw]", letters.to_lowercase());
    format!(r"^[\s,]*({play}([\s,]+{play})*[\s,]*)?$")
}

/// The pattern of a text that [`Layout`](ricochet_core::quadrants::Layout) reads, except that each tile
/// occurs once.
pub fn layout_pattern() -> String {
    let between = r"[\s,;:/|_.+&()\[\]-]*";
    let quadrant = format!("([1-4]{between}[A-Da-d]|[A-Da-d]{between}[1-4])");
    format!("^{between}({quadrant}{between}){{4}}$")
}

/// The pattern of a day such as `2026-11-17`, except that February has 29 days in any year.
pub const DATE_PATTERN: &str = "^([0-9]{3}[1-9]|[0-9]{2}[1-9]0|[0-9][1-9]00|[1-9]000)-\
    ((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|[12][0-9]))$";

/// Names that a field accepts, or null.
pub(crate) fn names_or_null(
    names: impl IntoIterator<Item = &'static str>,
) -> Vec<Option<&'static str>> {
    names.into_iter().map(Some).chain([None]).collect()
}

/// Writes numbers such as `141.0`, which JSON Schema calls integers, as integers. Returns whether there
/// were any.
pub fn make_whole(value: &mut Value) -> bool {
    match value {
        Value::Number(number) => match whole(number) {
            Some(whole) => {
                *number = whole;
                true
            }
            None => false,
        },
        // Every element has to be visited, so `any` would stop too early.
        Value::Array(list) => {
            list.iter_mut()
                .map(make_whole)
                .filter(|&changed| changed)
                .count()
                > 0
        }
        Value::Object(fields) => {
            fields
                .values_mut()
                .map(make_whole)
                .filter(|&changed| changed)
                .count()
                > 0
        }
        _ => false,
    }
}

/// The integer that a floating-point number is.
fn whole(number: &Number) -> Option<Number> {
    if !number.is_f64() {
        return None;
    }
    let value = number.as_f64().filter(|value| value.fract() == 0.0)?;
    // The powers of two are the first numbers that do not fit.
    if (0.0..18_446_744_073_709_551_616.0).contains(&value) {
        Some((value as u64).into())
    } else if (-9_223_372_036_854_775_808.0..0.0).contains(&value) {
        Some((value as i64).into())
    } else {
        None
    }
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
                { "type": "string", "pattern": moves_pattern() },
            ],
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_whole_numbers_become_integers() {
        let mut value = json!({"a": [141.0, -0.0, -7.0, 0.5], "b": {"c": 1e19, "d": 1e20}, "e": 3});
        assert!(make_whole(&mut value));
        let expected = json!({
            "a": [141, 0, -7, 0.5], "b": {"c": 10_000_000_000_000_000_000_u64, "d": 1e20}, "e": 3
        });
        assert_eq!(value, expected);
        assert!(!make_whole(&mut value));
    }
}
