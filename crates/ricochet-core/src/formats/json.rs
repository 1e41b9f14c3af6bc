//! Neutral JSON, one object per puzzle; in a file one object per line (`.jsonl`), or objects spread
//! over several lines, or an array of them.
//!
//! ```json
//! {"id":"example","width":16,"height":16,"walls":[9,1,…],"robots":[[1,15],[12,1]],
//!  "active":0,"target":[9,12],"optimal":22}
//! ```
//!
//! | key | value |
//! |---|---|
//! | `id` | a name; may be missing or null |
//! | `width`, `height` | columns and rows |
//! | `walls` | one mask per cell, row by row: N=1, E=2, S=4, W=8, both sides of every wall set |
//! | `robots` | `[x,y]` in the order red, green, blue, yellow, silver, orange, purple, cyan |
//! | `active` | index of the robot that must arrive; null for any robot |
//! | `target` | `[x,y]` |
//! | `optimal` | the optimal number of moves; may be missing or null |
//! | `diagonals` | optional: `[x,y,"/" or "\\","red"]` each |
//! | `targets` | optional, ours: printed targets, `[x,y,"red" or null,"circle"]` each |
//! | `rules` | optional, ours: `{"must_ricochet":true}`; an unknown rule is an error |
//!
//! Other keys are ignored, so that other tools may add their own. `must_ricochet` is also understood
//! outside `rules`.
//!
//! The output of our commands and the HTTP API can be read as well: an object with the puzzle in
//! one-line notation under `line`, or with such an object or the notation under `puzzle`.

use std::fmt::{self, Write as _};

use serde::de::{
    Deserialize, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Unexpected, Visitor,
};
use serde_json::Value;
use serde_json::error::Category;

use super::records::{ParsedPuzzle, TextPosition};
use crate::board::{Diagonal, Lean, Shape, Target};
use crate::geometry::{Cell, MAX_CELLS};
use crate::notation::{Cursor, Item, ReadError, Reason, parse_line};
use crate::puzzle::{Puzzle, Rules, Setup};
use crate::robot::Robot;

/// Longer lists are refused while reading: no board has more cells.
const MAX_LIST: usize = MAX_CELLS;

/// One object on one line.
pub(super) fn read_line(line: &[u8]) -> Result<Setup, serde_json::Error> {
    match serde_json::from_slice::<Object>(line) {
        Ok(object) => Ok(object.0),
        Err(error) => match serde_json::from_slice(line).map(puzzle_of) {
            Ok(Some(setup)) => setup,
            _ => Err(error),
        },
    }
}

/// The next object of a text: in lines, spread over lines, or in one array.
pub(super) fn next(
    text: &str,
    place: &mut TextPosition,
) -> Result<Option<ParsedPuzzle>, ReadError> {
    let mut cursor = Cursor::new(text).back_to(place.offset);
    cursor.skip_white_space();
    if place.ended {
        return Ok(None);
    }
    if text.trim_start().starts_with('[') {
        // At the start, or after a puzzle.
        let is_first = place.offset == 0 && cursor.eat('[');
        cursor.skip_white_space();
        if cursor.eat(']') {
            cursor.skip_white_space();
            if !cursor.is_at_end() {
                return Err(cursor.expected(Item::NothingAfterArray));
            }
            place.ended = true;
            return Ok(None);
        }
        if !is_first && !cursor.eat(',') {
            return Err(cursor.expected(Item::CommaOrArrayEnd));
        }
        cursor.skip_white_space();
    }
    let start = cursor.offset();
    *place = place.moved_to(text, start);
    let mut stream = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Object>();
    match stream.next() {
        None if text.trim_start().starts_with('[') => Err(cursor.expected(Item::PuzzleOrArrayEnd)),
        None => Ok(None),
        Some(Ok(object)) => {
            let parsed = ParsedPuzzle::new(place.lines + 1, object.0);
            *place = place.moved_to(text, start + stream.byte_offset());
            Ok(Some(parsed))
        }
        Some(Err(error)) => {
            let mut stream =
                serde_json::Deserializer::from_str(&text[start..]).into_iter::<Answer>();
            let setup = match stream.next() {
                Some(Ok(answer)) => puzzle_of(answer).unwrap_or(Err(error)),
                _ => Err(error),
            };
            let setup = setup.map_err(|error| from_serde(&error, text, start))?;
            let parsed = ParsedPuzzle::new(place.lines + 1, setup);
            *place = place.moved_to(text, start + stream.byte_offset());
            Ok(Some(parsed))
        }
    }
}

/// The output of our commands: `show --json`, `generate --json`.
type Answer = serde_json::Map<String, Value>;

/// The puzzle in such output, if there is one.
fn puzzle_of(mut answer: Answer) -> Option<Result<Setup, serde_json::Error>> {
    let notation = |key: &str, line: &str| {
        parse_line(line)
            .map_err(|error| serde_json::Error::custom(format_args!("`{key}`: {error}")))
    };
    if let Some(Value::String(line)) = answer.get("line") {
        return Some(notation("line", line));
    }
    match answer.remove("puzzle")? {
        Value::String(line) => Some(notation("puzzle", &line)),
        Value::Object(puzzle) => {
            if let Some(Value::String(line)) = puzzle.get("line") {
                return Some(notation("line", line));
            }
            let object = serde_json::from_value::<Object>(Value::Object(puzzle));
            Some(object.map(|object| object.0))
        }
        _ => None,
    }
}

/// Longer messages are cut, as some quote the input.
const MAX_MESSAGE: usize = 300;

/// Converts an error of `serde_json` in the part of a text that begins at `start`.
pub(super) fn from_serde(error: &serde_json::Error, text: &str, start: usize) -> ReadError {
    let full = error.to_string();
    let message = full
        .rfind(" at line ")
        .map_or(full.as_str(), |at| &full[..at]);
    let mut cut: String = message.chars().take(MAX_MESSAGE).collect();
    if cut.len() < message.len() {
        cut.push('…');
    }
    let part = &text[start..];
    let line_start = part
        .split_inclusive('\n')
        .take(error.line().saturating_sub(1))
        .map(str::len)
        .sum::<usize>();
    let line = part[line_start..].lines().next().unwrap_or("");
    let column = error.column().saturating_sub(1).min(line.len());
    let reason = reason(error, cut);
    let missing = match &reason {
        Reason::JsonMissing { fields } => fields.split(", ").count(),
        _ => 0,
    };
    let error = Cursor::new(text).error_at(start + line_start + column, reason);
    if missing == Key::NEEDED.len() {
        error.unknown_format()
    } else {
        error
    }
}

/// The prefix of the message about missing keys.
const MISSING: &str = "this object has no ";

/// `serde_json` gives a category and a sentence; our visitors put the key before it.
fn reason(error: &serde_json::Error, detail: String) -> Reason {
    if let Some(fields) = detail.strip_prefix(MISSING) {
        return Reason::JsonMissing {
            fields: fields.to_owned(),
        };
    }
    if ends_early(error) {
        return Reason::JsonEnd { detail };
    }
    if error.classify() != Category::Data {
        return Reason::JsonSyntax { detail };
    }
    let key = detail
        .strip_prefix('`')
        .and_then(|rest| rest.split_once("`: "));
    match key {
        Some((field, detail)) => Reason::JsonField {
            field: field.to_owned(),
            detail: detail.to_owned(),
        },
        None => Reason::JsonData { detail },
    }
}

/// Whether the JSON is cut short. Putting the key before a message loses its category, so the message
/// is checked as well.
pub(super) fn ends_early(error: &serde_json::Error) -> bool {
    error.is_eof() || error.to_string().contains("EOF while parsing")
}

/// Writes one object on one line.
pub(super) fn write(puzzle: &Puzzle) -> String {
    let board = puzzle.board();
    let mut text = String::with_capacity(board.cell_count() * 3 + 200);
    text.push('{');
    if let Some(id) = puzzle.id() {
        let quoted = serde_json::to_string(id).unwrap_or_default();
        let _ = write!(text, "\"id\":{quoted},");
    }
    let _ = write!(
        text,
        "\"width\":{},\"height\":{},\"walls\":",
        board.width(),
        board.height()
    );
    list(&mut text, board.walls(), |text, mask| {
        let _ = write!(text, "{mask}");
    });
    text.push_str(",\"robots\":");
    list(&mut text, puzzle.start().cells(), |text, cell| {
        let _ = write!(text, "[{},{}]", cell.x, cell.y);
    });
    match puzzle.goal().robot {
        Some(robot) => {
            let _ = write!(text, ",\"active\":{}", robot.index());
        }
        None => text.push_str(",\"active\":null"),
    }
    let target = puzzle.goal().cell;
    let _ = write!(text, ",\"target\":[{},{}]", target.x, target.y);
    if let Some(optimal) = puzzle.known_optimal() {
        let _ = write!(text, ",\"optimal\":{optimal}");
    }
    if !board.diagonals().is_empty() {
        text.push_str(",\"diagonals\":");
        list(&mut text, board.diagonals(), |text, diagonal| {
            let lean = match diagonal.lean {
                Lean::Slash => "/",
                Lean::Backslash => "\\\\",
            };
            let Cell { x, y } = diagonal.cell;
            let _ = write!(text, "[{x},{y},\"{lean}\",\"{}\"]", diagonal.color);
        });
    }
    if !board.targets().is_empty() {
        text.push_str(",\"targets\":");
        list(&mut text, board.targets(), |text, target| {
            let Cell { x, y } = target.cell;
            let _ = match target.robot {
                Some(robot) => write!(text, "[{x},{y},\"{robot}\",\"{}\"]", target.shape),
                None => write!(text, "[{x},{y},null,\"{}\"]", target.shape),
            };
        });
    }
    if puzzle.rules().must_ricochet {
        text.push_str(",\"rules\":{\"must_ricochet\":true}");
    }
    text.push('}');
    text
}

fn list<T>(text: &mut String, items: &[T], mut one: impl FnMut(&mut String, &T)) {
    text.push('[');
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            text.push(',');
        }
        one(text, item);
    }
    text.push(']');
}

/// A setup in the JSON form that the module documents.
struct Object(Setup);

/// The known keys.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Key {
    Id,
    Width,
    Height,
    Walls,
    Robots,
    Active,
    Target,
    Optimal,
    Diagonals,
    Targets,
    Rules,
    MustRicochet,
    Other,
}

impl Key {
    const NAMES: [(&'static str, Self); 12] = [
        ("id", Self::Id),
        ("width", Self::Width),
        ("height", Self::Height),
        ("walls", Self::Walls),
        ("robots", Self::Robots),
        ("active", Self::Active),
        ("target", Self::Target),
        ("optimal", Self::Optimal),
        ("diagonals", Self::Diagonals),
        ("targets", Self::Targets),
        ("rules", Self::Rules),
        ("must_ricochet", Self::MustRicochet),
    ];

    /// The required keys.
    const NEEDED: [Self; 6] = [
        Self::Width,
        Self::Height,
        Self::Walls,
        Self::Robots,
        Self::Active,
        Self::Target,
    ];

    fn name(self) -> &'static str {
        Self::NAMES
            .iter()
            .find(|(_, key)| *key == self)
            .map_or("", |(name, _)| name)
    }
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Keys;
        impl Visitor<'_> for Keys {
            type Value = Key;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a key")
            }
            fn visit_str<E>(self, name: &str) -> Result<Key, E> {
                let known = Key::NAMES.iter().find(|(known, _)| *known == name);
                Ok(known.map_or(Key::Other, |&(_, key)| key))
            }
        }
        deserializer.deserialize_str(Keys)
    }
}

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Objects;
        impl<'de> Visitor<'de> for Objects {
            type Value = Object;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a puzzle: an object with width, height, walls, robots, active, target")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object, A::Error> {
                let mut setup = Setup::empty(0, 0);
                let mut seen = 0u16;
                let mut must_ricochet = None;
                while let Some(key) = map.next_key::<Key>()? {
                    let bit = 1u16 << key as u16;
                    if key != Key::Other && seen & bit != 0 {
                        return Err(A::Error::custom(format_args!("key `{}` twice", key.name())));
                    }
                    seen |= bit;
                    let named =
                        |e: A::Error| A::Error::custom(format_args!("`{}`: {e}", key.name()));
                    match key {
                        Key::Id => setup.id = map.next_value::<Option<String>>().map_err(named)?,
                        Key::Width => setup.width = map.next_value::<Whole>().map_err(named)?.0,
                        Key::Height => setup.height = map.next_value::<Whole>().map_err(named)?.0,
                        Key::Walls => {
                            setup.walls = map.next_value::<List<Mask>>().map_err(named)?.bytes();
                        }
                        Key::Robots => {
                            let cells = map.next_value::<List<Pair>>().map_err(named)?.0;
                            setup.robots = cells.into_iter().map(|pair| pair.0).collect();
                        }
                        Key::Active => {
                            let active = map.next_value::<Option<Whole>>().map_err(named)?;
                            setup.active = active.map(|index| index.0);
                        }
                        Key::Target => setup.target = map.next_value::<Pair>().map_err(named)?.0,
                        Key::Optimal => {
                            let moves = map.next_value::<Option<Moves>>().map_err(named)?;
                            setup.optimal = moves.map(|moves| moves.0);
                        }
                        Key::Diagonals => {
                            let list = map
                                .next_value::<Option<List<DiagonalEntry>>>()
                                .map_err(named)?;
                            setup.diagonals = list.map_or(Vec::new(), |list| {
                                list.0.into_iter().map(|d| d.0).collect()
                            });
                        }
                        Key::Targets => {
                            let list = map
                                .next_value::<Option<List<TargetEntry>>>()
                                .map_err(named)?;
                            setup.targets = list.map_or(Vec::new(), |list| {
                                list.0.into_iter().map(|t| t.0).collect()
                            });
                        }
                        Key::Rules => {
                            let rules = map.next_value::<Option<RulesObject>>().map_err(named)?;
                            merge_rule(&mut must_ricochet, rules.and_then(|rules| rules.0))
                                .map_err(A::Error::custom)?;
                        }
                        Key::MustRicochet => {
                            let rule = map.next_value::<Option<bool>>().map_err(named)?;
                            merge_rule(&mut must_ricochet, rule).map_err(A::Error::custom)?;
                        }
                        Key::Other => {
                            map.next_value::<IgnoredAny>()?;
                        }
                    }
                }
                let missing: Vec<String> = Key::NEEDED
                    .iter()
                    .filter(|&&key| seen & (1 << key as u16) == 0)
                    .map(|key| format!("`{}`", key.name()))
                    .collect();
                if !missing.is_empty() {
                    return Err(A::Error::custom(format_args!(
                        "{MISSING}{}",
                        missing.join(", ")
                    )));
                }
                setup.rules = Rules {
                    must_ricochet: must_ricochet.unwrap_or(false),
                };
                Ok(Object(setup))
            }
        }
        deserializer.deserialize_map(Objects)
    }
}

/// A rule may be stated twice if both agree.
fn merge_rule(known: &mut Option<bool>, stated: Option<bool>) -> Result<(), &'static str> {
    match (*known, stated) {
        (Some(a), Some(b)) if a != b => Err("`must_ricochet` is both true and false"),
        (_, None) => Ok(()),
        (_, Some(_)) => {
            *known = stated;
            Ok(())
        }
    }
}

/// A number without sign or fraction.
struct Whole(usize);

/// A number of moves.
struct Moves(u32);

/// A coordinate of a cell.
struct Coordinate(u8);

/// The walls of one cell.
struct Mask(u8);

macro_rules! small_number {
    ($name:ident, $inner:ty, $what:literal) => {
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Numbers;
                impl Visitor<'_> for Numbers {
                    type Value = $name;
                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str($what)
                    }
                    #[inline]
                    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<$name, E> {
                        <$inner>::try_from(value)
                            .map($name)
                            .map_err(|_| E::invalid_value(Unexpected::Unsigned(value), &self))
                    }
                    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<$name, E> {
                        u64::try_from(value)
                            .map_err(|_| E::invalid_value(Unexpected::Signed(value), &self))
                            .and_then(|value| self.visit_u64(value))
                    }
                }
                deserializer.deserialize_u64(Numbers)
            }
        }
    };
}

small_number!(Whole, usize, "a whole number");
small_number!(Moves, u32, "a number of moves");
small_number!(Coordinate, u8, "a coordinate within 0..=255");
small_number!(Mask, u8, "a wall mask within 0..=15");

/// A list with a limited length.
pub(super) struct List<T>(pub(super) Vec<T>);

impl List<Mask> {
    fn bytes(self) -> Vec<u8> {
        self.0.into_iter().map(|mask| mask.0).collect()
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Lists<T>(std::marker::PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Lists<T> {
            type Value = List<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<List<T>, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = seq.next_element()? {
                    if items.len() == MAX_LIST {
                        return Err(A::Error::custom(format_args!(
                            "more than {MAX_LIST} entries"
                        )));
                    }
                    if items.len() == 8 {
                        // Only masks come by the hundred.
                        items.reserve(248);
                    }
                    items.push(item);
                }
                Ok(List(items))
            }
        }
        deserializer.deserialize_seq(Lists(std::marker::PhantomData))
    }
}

/// Reads the entries of a short array, each with a name for messages.
fn entry<'de, A: SeqAccess<'de>, T: Deserialize<'de>>(
    seq: &mut A,
    what: &'static str,
) -> Result<T, A::Error> {
    seq.next_element::<T>()?
        .ok_or_else(|| A::Error::custom(format_args!("the list ends where {what} was expected")))
}

fn no_more<'de, A: SeqAccess<'de>>(seq: &mut A, what: &'static str) -> Result<(), A::Error> {
    match seq.next_element::<IgnoredAny>()? {
        None => Ok(()),
        Some(_) => Err(A::Error::custom(format_args!("more entries than {what}"))),
    }
}

macro_rules! short_array {
    ($name:ident($inner:ty), $what:literal, $seq:ident => $read:block) => {
        pub(super) struct $name(pub(super) $inner);
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Arrays;
                impl<'de> Visitor<'de> for Arrays {
                    type Value = $name;
                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str($what)
                    }
                    fn visit_seq<A: SeqAccess<'de>>(self, mut $seq: A) -> Result<$name, A::Error> {
                        let value = $read;
                        no_more(&mut $seq, $what)?;
                        Ok($name(value))
                    }
                }
                deserializer.deserialize_seq(Arrays)
            }
        }
    };
}

short_array!(Pair(Cell), "[x,y]", seq => {
    let x: Coordinate = entry(&mut seq, "x")?;
    let y: Coordinate = entry(&mut seq, "y")?;
    Cell::new(x.0, y.0)
});

short_array!(DiagonalEntry(Diagonal), "[x,y,\"/\" or \"\\\\\",colour]", seq => {
    let x: Coordinate = entry(&mut seq, "x")?;
    let y: Coordinate = entry(&mut seq, "y")?;
    let lean: String = entry(&mut seq, "\"/\" or \"\\\\\"")?;
    let color: String = entry(&mut seq, "a colour")?;
    let lean = match lean.as_str() {
        "/" => Lean::Slash,
        "\\" => Lean::Backslash,
        _ => return Err(A::Error::invalid_value(Unexpected::Str(&lean), &"\"/\" or \"\\\\\"")),
    };
    Diagonal { cell: Cell::new(x.0, y.0), lean, color: robot_named(&color)? }
});

short_array!(TargetEntry(Target), "[x,y,colour or null,shape]", seq => {
    let x: Coordinate = entry(&mut seq, "x")?;
    let y: Coordinate = entry(&mut seq, "y")?;
    let robot: Option<String> = entry(&mut seq, "a colour or null")?;
    let shape: String = entry(&mut seq, "a shape")?;
    let robot = robot.map(|name| robot_named(&name)).transpose()?;
    let shape = Shape::from_name(&shape).ok_or_else(|| {
        A::Error::invalid_value(
            Unexpected::Str(&shape),
            &"circle, triangle, square, hexagon or vortex",
        )
    })?;
    Target { cell: Cell::new(x.0, y.0), robot, shape }
});

fn robot_named<E: serde::de::Error>(name: &str) -> Result<Robot, E> {
    Robot::from_name(name).ok_or_else(|| {
        E::invalid_value(
            Unexpected::Str(name),
            &"a colour (red, green, blue, yellow, silver, orange, purple, cyan)",
        )
    })
}

/// The value of `rules`.
struct RulesObject(Option<bool>);

impl<'de> Deserialize<'de> for RulesObject {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Rulebooks;
        impl<'de> Visitor<'de> for Rulebooks {
            type Value = RulesObject;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object such as {\"must_ricochet\":true}")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<RulesObject, A::Error> {
                let mut must_ricochet = None;
                while let Some(rule) = map.next_key::<String>()? {
                    if rule != "must_ricochet" {
                        // An unknown rule must not be ignored.
                        return Err(A::Error::unknown_field(&rule, &["must_ricochet"]));
                    }
                    merge_rule(&mut must_ricochet, Some(map.next_value()?))
                        .map_err(A::Error::custom)?;
                }
                Ok(RulesObject(must_ricochet))
            }
        }
        deserializer.deserialize_map(Rulebooks)
    }
}
