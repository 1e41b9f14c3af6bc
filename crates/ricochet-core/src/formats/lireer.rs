//! The JSON of Lireer's solver (input only):
//! `[{"rob_position":[[column,row],…]},{"fields":[[{"bottom":…,"right":…,"target":…},…],…]}]`.
//!
//! `fields` go column by column; robots are red, green, blue, yellow. A target is `"Spiral"` or an
//! object of colour and shape, such as `{"Red":"Circle"}` or `{"Circle":"Red"}`. The file does not
//! say which target is the goal, so it gives one puzzle for each of them. Outer walls are implied.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error as _, MapAccess, Visitor};

use super::json::{List, Pair, from_serde};
use super::records::ParsedPuzzle;
use super::write::{Note, NoteSubject};
use crate::board::{Shape, Target, add_rim};
use crate::geometry::{Cell, Direction, MAX_SIDE};
use crate::notation::{Item, ReadError, Reason};
use crate::puzzle::Setup;
use crate::robot::Robot;

#[derive(Deserialize)]
struct Robots {
    rob_position: List<Pair>,
}

#[derive(Deserialize)]
struct Fields {
    fields: List<List<Field>>,
}

#[derive(Deserialize)]
struct Field {
    bottom: bool,
    right: bool,
    #[serde(default)]
    target: Option<Picture>,
}

/// The robot and the shape of a target.
struct Picture(Option<Robot>, Shape);

pub(super) fn read(text: &str) -> Result<Vec<ParsedPuzzle>, ReadError> {
    let (robots, fields): (Robots, Fields) =
        serde_json::from_str(text).map_err(|error| from_serde(&error, text, 0))?;
    let columns = fields.fields.0;
    let at_start = |reason: Reason| ReadError::new(1, 1, reason);
    let (width, height) = (
        columns.len(),
        columns.first().map_or(0, |column| column.0.len()),
    );
    if !(1..=MAX_SIDE).contains(&width) || !(1..=MAX_SIDE).contains(&height) {
        let found = Item::Two {
            first: width,
            second: height,
        };
        let expected = Item::FieldCounts { most: MAX_SIDE };
        return Err(at_start(Reason::found(expected, found)));
    }
    let mut setup = Setup::empty(width, height);
    for (x, column) in columns.into_iter().enumerate() {
        if column.0.len() != height {
            let expected = Item::FieldsInColumn {
                number: height,
                column: x,
            };
            return Err(at_start(Reason::found(expected, column.0.len().into())));
        }
        for (y, field) in column.0.into_iter().enumerate() {
            let walls = &mut setup.walls[y * width + x];
            *walls |= u8::from(field.bottom) * Direction::South.wall_bit();
            *walls |= u8::from(field.right) * Direction::East.wall_bit();
            if let Some(Picture(robot, shape)) = field.target {
                let cell = Cell::new(x as u8, y as u8);
                setup.targets.push(Target { cell, robot, shape });
            }
        }
    }
    add_rim(width, height, &mut setup.walls);
    setup.repair_walls();
    setup.robots = robots
        .rob_position
        .0
        .into_iter()
        .map(|pair| pair.0)
        .collect();
    if setup.targets.is_empty() {
        return Err(at_start(Reason::found(Item::FieldWithTarget, Item::Zero)));
    }
    let count = setup.targets.len();
    let one = |target: &Target| {
        let mut setup = setup.clone();
        setup.active = target.robot.map(Robot::index);
        setup.target = target.cell;
        let mut parsed = ParsedPuzzle::new(1, setup);
        if count > 1 {
            let message = format!(
                "the file names no goal: this is one puzzle of {count}, one for each target"
            );
            parsed.notes.push(Note::new(NoteSubject::Goal, message));
        }
        parsed
    };
    Ok(setup.targets.iter().map(one).collect())
}

impl<'de> Deserialize<'de> for Picture {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pictures;
        impl<'de> Visitor<'de> for Pictures {
            type Value = Picture;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("\"Spiral\" or a colour and a shape such as {\"Red\":\"Circle\"}")
            }
            fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Picture, E> {
                match name.to_ascii_lowercase().as_str() {
                    "spiral" | "vortex" => Ok(Picture(None, Shape::Vortex)),
                    _ => Err(E::invalid_value(serde::de::Unexpected::Str(name), &self)),
                }
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Picture, A::Error> {
                let entry = map.next_entry::<String, String>()?;
                let picture = entry.and_then(|(a, b)| picture(&a, &b).or_else(|| picture(&b, &a)));
                if map.next_key::<String>()?.is_some() {
                    return Err(A::Error::custom("more than one colour and one shape"));
                }
                picture.ok_or_else(|| {
                    A::Error::custom("expected a colour and a shape such as {\"Red\":\"Circle\"}")
                })
            }
        }
        deserializer.deserialize_any(Pictures)
    }
}

fn picture(color: &str, shape: &str) -> Option<Picture> {
    let shape = Shape::from_name(&shape.to_ascii_lowercase())?;
    Robot::from_name(color).map(|robot| Picture(Some(robot), shape))
}
