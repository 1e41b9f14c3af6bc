//! `DriftingDroids` dumps: `!DriftingDroids_game!CRC32!BASE64!`, white space anywhere.
//!
//! The CRC-32 is that of the base64 text, in 8 hexadecimal digits. Base64 decodes to the length
//! (u32, big-endian as all numbers here) and a zlib stream of: u8 0; i32 width, height; u8 number of
//! robots; i32 each robot's cell (row by row); 4 quadrant bytes; 4 planes of wall bytes (N, E, S, W);
//! i32 number of goals; for each goal i32 cell, u8 robot (255: any), u8 shape; the active goal in the
//! same 6 bytes; u8 1 if the board is not made of quadrants.
//!
//! The active goal is always listed among the goals. A list with nothing else is read as a board
//! without printed targets.

use std::io::{Read as _, Write as _};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;

use super::drifting_droids::{MAX_ROBOTS, quadrant_digits};
use super::format::Format;
use super::records::{ParsedPuzzle, TextPosition};
use super::write::{NoteSubject, PuzzleText, WriteCheck, WriteError};
use crate::board::{Shape, Target};
use crate::geometry::{Cell, Direction, MAX_CELLS, MAX_SIDE};
use crate::notation::{Bytes, Cursor, Item, ReadError, Reason};
use crate::puzzle::{Puzzle, Setup};
use crate::quadrants::Layout;
use crate::robot::Robot;

/// The most bytes that a valid board can take.
const MAX_DATA: usize = 32 << 10;

/// The length of [`MAX_DATA`] bytes in base64, even if they do not compress.
const MAX_TEXT: usize = 64 << 10;

/// The robot byte of 'any robot'.
const ANY: u8 = 255;

pub(super) fn next(
    text: &str,
    place: &mut TextPosition,
) -> Result<Option<ParsedPuzzle>, ReadError> {
    let mut cursor = Cursor::new(text).back_to(place.offset);
    cursor.skip_white_space();
    if cursor.is_at_end() {
        return Ok(None);
    }
    *place = place.moved_to(text, cursor.offset());
    let line = place.lines + 1;
    cursor.require('!')?;
    let at = cursor.offset();
    let name = segment(&mut cursor, 40)?;
    if name != "DriftingDroids_game" {
        let reason = Reason::found_text(Item::quote("DriftingDroids_game"), &name);
        return Err(cursor.error_at(at, reason));
    }
    let at = cursor.offset();
    let sum = segment(&mut cursor, 40)?;
    let Some(sum) = Some(&sum)
        .filter(|sum| sum.len() == 8)
        .and_then(|sum| u32::from_str_radix(sum, 16).ok())
    else {
        return Err(cursor.error_at(at, Reason::found_text(Item::CheckSum, &sum)));
    };
    let at = cursor.offset();
    let data = segment(&mut cursor, MAX_TEXT)?;
    let actual = crc32fast::hash(data.as_bytes());
    if actual != sum {
        let reason = Reason::WrongCheckSum {
            stated: format!("{sum:08X}"),
            actual: format!("{actual:08X}"),
        };
        return Err(cursor.error_at(at, reason));
    }
    let setup = unpack(&data)
        .and_then(|data| read_data(&data))
        .map_err(|reason| cursor.error_at(at, reason))?;
    *place = place.moved_to(text, cursor.offset());
    Ok(Some(ParsedPuzzle::new(line, setup)))
}

/// The text up to the next `!`, without white space.
fn segment(cursor: &mut Cursor<'_>, most: usize) -> Result<String, ReadError> {
    let start = cursor.offset();
    let raw = cursor.take_while(|c| c != '!');
    let mut compact = String::new();
    for letter in raw.chars().filter(|c| !c.is_whitespace()) {
        if compact.len() >= most {
            return Err(cursor.error_at(start, Item::EndMark { most }));
        }
        compact.push(letter);
    }
    cursor.require('!')?;
    Ok(compact)
}

fn unpack(text: &str) -> Result<Vec<u8>, Reason> {
    let packed = STANDARD.decode(text).map_err(|error| Reason::NotBase64 {
        error: error.to_string(),
    })?;
    let Some((length, stream)) = packed.split_first_chunk::<4>() else {
        return Err(Item::DataLength.into());
    };
    let length = u32::from_be_bytes(*length) as usize;
    if length > MAX_DATA {
        let expected = Item::AtMostData { most: MAX_DATA };
        return Err(Reason::found(expected, length.into()));
    }
    let mut data = Vec::with_capacity(length);
    ZlibDecoder::new(stream)
        .take(length as u64 + 1)
        .read_to_end(&mut data)
        .map_err(|error| Reason::NotZlib {
            error: error.to_string(),
        })?;
    if data.len() != length {
        let expected = Item::DataBytes { number: length };
        return Err(Reason::found(expected, data.len().into()));
    }
    Ok(data)
}

fn read_int(bytes: &mut Bytes<'_>, what: Item) -> Result<i32, Reason> {
    bytes.array(what).map(i32::from_be_bytes)
}

/// A number within `0..=most`.
fn read_count(bytes: &mut Bytes<'_>, what: Item, most: usize) -> Result<usize, Reason> {
    let value = read_int(bytes, what.clone())?;
    usize::try_from(value)
        .ok()
        .filter(|&value| value <= most)
        .ok_or_else(|| {
            let text = value.to_string();
            Reason::found(what.within(most), Item::Quote { text })
        })
}

fn read_data(data: &[u8]) -> Result<Setup, Reason> {
    let mut bytes = Bytes::new(data);
    let version = bytes.byte(Item::Version)?;
    if version != 0 {
        return Err(Reason::found(
            Item::VersionZero,
            usize::from(version).into(),
        ));
    }
    let width = read_count(&mut bytes, Item::TheWidth, MAX_SIDE)?;
    let height = read_count(&mut bytes, Item::TheHeight, MAX_SIDE)?;
    let cells = width * height;
    if cells == 0 {
        return Err(Item::BoardWithCells.into());
    }
    let cell = |index: usize| Cell::new((index % width) as u8, (index / width) as u8);
    let mut setup = Setup::empty(width, height);
    let robots = bytes.byte(Item::RobotCount)?;
    if usize::from(robots) > MAX_ROBOTS {
        let expected = Item::AtMostRobots { most: MAX_ROBOTS };
        return Err(Reason::found(expected, usize::from(robots).into()));
    }
    for _ in 0..robots {
        setup
            .robots
            .push(cell(read_count(&mut bytes, Item::RobotCell, cells - 1)?));
    }
    for _ in 0..4 {
        bytes.byte(Item::QuadrantByte)?;
    }
    setup.walls = vec![0; cells];
    for side in Direction::ALL {
        for mask in &mut setup.walls {
            if bytes.byte(Item::Wall)? != 0 {
                *mask |= side.wall_bit();
            }
        }
    }
    let count = read_count(&mut bytes, Item::GoalCount, MAX_CELLS)?;
    for _ in 0..count {
        let at = read_count(&mut bytes, Item::GoalCell, cells - 1)?;
        setup.targets.push(read_goal(&mut bytes, cell(at))?);
    }
    let at = read_int(&mut bytes, Item::ActiveGoalCell)?;
    let Some(at) = usize::try_from(at).ok().filter(|&at| at < cells) else {
        let number = at.to_string();
        return Err(Reason::found(Item::ActiveGoal, Item::CellNumber { number }));
    };
    let goal = read_goal(&mut bytes, cell(at))?;
    setup.active = goal.robot.map(Robot::index);
    setup.target = goal.cell;
    bytes.byte(Item::BoardKind)?;
    bytes.end()?;
    if setup.targets == [goal] {
        setup.targets.clear();
    }
    Ok(setup)
}

fn read_goal(bytes: &mut Bytes<'_>, cell: Cell) -> Result<Target, Reason> {
    let robot = match bytes.byte(Item::GoalRobot)? {
        ANY => None,
        number => Some(
            Robot::new(usize::from(number))
                .ok_or_else(|| Reason::found(Item::GoalRobotNumber, usize::from(number).into()))?,
        ),
    };
    let shape = bytes.byte(Item::GoalShape)?;
    let shape = *Shape::ALL
        .get(usize::from(shape))
        .ok_or_else(|| Reason::found(Item::GoalShape.within(4), usize::from(shape).into()))?;
    Ok(Target { cell, robot, shape })
}

pub(super) fn write(puzzle: &Puzzle) -> Result<PuzzleText, WriteError> {
    let mut check = WriteCheck::new(Format::DriftingDroidsDump, puzzle);
    check
        .at_most_robots(MAX_ROBOTS)
        .no_diagonals()
        .drops_optimal();
    let (goal, board) = (puzzle.goal(), puzzle.board());
    let mut targets = board.targets().to_vec();
    let active = match targets.iter().find(|target| target.cell == goal.cell) {
        Some(target) if target.robot != goal.robot => {
            check.reason("the goal's cell has a printed target for another robot");
            *target
        }
        Some(&target) => {
            if targets.len() == 1 {
                let message =
                    "a printed target that is the only one and the goal is read as the goal alone";
                check.note(NoteSubject::Targets, message);
            }
            target
        }
        None => {
            if !targets.is_empty() {
                let message = "the goal is listed among the printed targets";
                check.note(NoteSubject::Targets, message);
            }
            let shape = if goal.robot.is_some() {
                Shape::Circle
            } else {
                Shape::Vortex
            };
            let target = Target {
                cell: goal.cell,
                robot: goal.robot,
                shape,
            };
            targets.push(target);
            target
        }
    };
    check.finish(|| pack(&data(puzzle, &targets, active)))
}

fn data(puzzle: &Puzzle, targets: &[Target], active: Target) -> Vec<u8> {
    let board = puzzle.board();
    let layout = Layout::from_walls(board);
    let mut data = vec![0];
    let int = |data: &mut Vec<u8>, value: usize| data.extend((value as u32).to_be_bytes());
    int(&mut data, board.width());
    int(&mut data, board.height());
    data.push(puzzle.start().len() as u8);
    for &cell in puzzle.start().cells() {
        int(&mut data, board.index(cell));
    }
    data.extend(layout.map_or([0; 4], quadrant_digits));
    for side in Direction::ALL {
        let walls = board.walls().iter();
        data.extend(walls.map(|mask| u8::from(mask & side.wall_bit() != 0)));
    }
    let goal = |data: &mut Vec<u8>, target: &Target| {
        int(data, board.index(target.cell));
        data.push(target.robot.map_or(ANY, |robot| robot.index() as u8));
        data.push(target.shape as u8);
    };
    int(&mut data, targets.len());
    for target in targets {
        goal(&mut data, target);
    }
    goal(&mut data, &active);
    data.push(u8::from(layout.is_none()));
    data
}

fn pack(data: &[u8]) -> String {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    // Writing to memory cannot fail.
    let _ = encoder.write_all(data);
    let mut packed = (data.len() as u32).to_be_bytes().to_vec();
    packed.extend(encoder.finish().unwrap_or_default());
    let text = STANDARD.encode(packed);
    let sum = crc32fast::hash(text.as_bytes());
    format!("!DriftingDroids_game!{sum:08X}!{text}!")
}
