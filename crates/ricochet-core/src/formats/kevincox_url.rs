//! The URLs of kevincox's solver: `#s=` and base64url without padding, after any address or alone.
//!
//! The bytes are: width and height (16 each); 16 × u16 little-endian, one per column, bit y set for a
//! wall north of row y; 16 × u16, one per row, bit x set for a wall west of column x; the number of
//! mirrors, and for each its position and `0x40 | lean << 7 | colour` (lean 0 is `/`, colours are
//! the robots' indices); 5; five positions; the target's position; the active robot's index or 255.
//! A position is `x << 4 | y`. The order of the robots and the cells of unused ones are those of
//! [`kevincox`](super::kevincox).

use base64::Engine as _;
use base64::alphabet::URL_SAFE;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use super::format::Format;
use super::kevincox::{ORDER, Position, SIDE, check};
use super::records::ParsedPuzzle;
use super::write::{PuzzleText, WriteError};
use crate::board::{Diagonal, Lean};
use crate::geometry::{Cell, Direction};
use crate::notation::{Bytes, Cursor, Item, ReadError, Reason};
use crate::puzzle::Puzzle;
use crate::robot::Robot;

/// The site's address, for writing. A URL that is read may have any address, or none.
const SITE: &str = "https://ricochetrobots.kevincox.ca/";

/// The prefix of the data.
pub(super) const MARK: &str = "#s=";

/// Written without padding, read with or without.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &URL_SAFE,
    GeneralPurposeConfig::new()
        .with_encode_padding(false)
        .with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The byte of 'any robot'.
const ANY: u8 = 255;

/// Set in every mirror's second byte.
const MIRROR: u8 = 0x40;

/// Set if a mirror leans like `\`.
const BACKSLASH: u8 = 0x80;

pub(super) fn read(text: &str) -> Result<Vec<ParsedPuzzle>, ReadError> {
    let text = text.trim_end();
    let cursor = Cursor::new(text);
    let Some(mark) = text.find(MARK) else {
        return Err(cursor.error_at(text.len(), Item::UrlData));
    };
    let start = mark + MARK.len();
    let data = &text[start..];
    let setup = BASE64
        .decode(data)
        .map_err(|error| Reason::NotBase64Url {
            error: error.to_string(),
        })
        .and_then(|bytes| read_bytes(&bytes))
        .and_then(Position::into_setup)
        .map_err(|reason| cursor.error_at(start, reason))?;
    Ok(vec![ParsedPuzzle::new(1, setup)])
}

fn read_exactly(bytes: &mut Bytes<'_>, what: Item, wanted: u8) -> Result<(), Reason> {
    match bytes.byte(what.clone())? {
        found if found == wanted => Ok(()),
        found => Err(Reason::found(
            what.exactly(wanted.into()),
            usize::from(found).into(),
        )),
    }
}

fn read_word(bytes: &mut Bytes<'_>, what: Item) -> Result<u16, Reason> {
    bytes.array(what).map(u16::from_le_bytes)
}

fn read_cell(bytes: &mut Bytes<'_>, what: Item) -> Result<Cell, Reason> {
    let position = bytes.byte(what)?;
    Ok(Cell::new(position >> 4, position & 15))
}

fn read_bytes(data: &[u8]) -> Result<Position, Reason> {
    let mut bytes = Bytes::new(data);
    read_exactly(&mut bytes, Item::TheWidth, SIDE as u8)?;
    read_exactly(&mut bytes, Item::TheHeight, SIDE as u8)?;
    let mut walls = vec![0; SIDE * SIDE];
    for x in 0..SIDE {
        let column = read_word(&mut bytes, Item::ColumnMask)?;
        for y in (0..SIDE).filter(|y| column >> y & 1 == 1) {
            walls[y * SIDE + x] |= Direction::North.wall_bit();
        }
    }
    for y in 0..SIDE {
        let row = read_word(&mut bytes, Item::RowMask)?;
        for x in (0..SIDE).filter(|x| row >> x & 1 == 1) {
            walls[y * SIDE + x] |= Direction::West.wall_bit();
        }
    }
    let mut diagonals = Vec::new();
    for _ in 0..bytes.byte(Item::MirrorCount)? {
        let cell = read_cell(&mut bytes, Item::Mirror)?;
        let kind = bytes.byte(Item::Mirror)?;
        let color = ORDER.get(usize::from(kind & !(MIRROR | BACKSLASH)));
        let (Some(&color), true) = (color, kind & MIRROR != 0) else {
            let byte = format!("{kind:#04x}");
            return Err(Reason::found(Item::Mirror, Item::Byte { byte }));
        };
        let lean = if kind & BACKSLASH == 0 {
            Lean::Slash
        } else {
            Lean::Backslash
        };
        diagonals.push(Diagonal { cell, lean, color });
    }
    read_exactly(&mut bytes, Item::RobotCount, ORDER.len() as u8)?;
    let mut robots = [Cell::default(); 5];
    for robot in &mut robots {
        *robot = read_cell(&mut bytes, Item::Robot)?;
    }
    let target = read_cell(&mut bytes, Item::TheTarget)?;
    let active = match bytes.byte(Item::ActiveRobot)? {
        ANY => None,
        place => Some(
            *ORDER
                .get(usize::from(place))
                .ok_or_else(|| Reason::found(Item::ActiveRobotByte, usize::from(place).into()))?,
        ),
    };
    bytes.end()?;
    Ok(Position {
        walls,
        diagonals,
        robots,
        target,
        active,
    })
}

pub(super) fn write(puzzle: &Puzzle) -> Result<PuzzleText, WriteError> {
    let mut check = check(Format::KevincoxUrl, puzzle);
    if puzzle.board().diagonals().len() > 255 {
        check.reason("it has at most 255 diagonals");
    }
    check.finish(|| {
        let bytes = print(&Position::from_puzzle(puzzle));
        format!("{SITE}{MARK}{}", BASE64.encode(bytes))
    })
}

fn print(position: &Position) -> Vec<u8> {
    let place = |robot: Robot| ORDER.iter().position(|&other| other == robot).unwrap_or(0) as u8;
    let byte = |cell: Cell| cell.x << 4 | cell.y;
    let mut bytes = vec![SIDE as u8; 2];
    let wall = |x: usize, y: usize, side: Direction| {
        u16::from(position.walls[y * SIDE + x] & side.wall_bit() != 0)
    };
    for x in 0..SIDE {
        let column = (0..SIDE)
            .map(|y| wall(x, y, Direction::North) << y)
            .sum::<u16>();
        bytes.extend(column.to_le_bytes());
    }
    for y in 0..SIDE {
        let row = (0..SIDE)
            .map(|x| wall(x, y, Direction::West) << x)
            .sum::<u16>();
        bytes.extend(row.to_le_bytes());
    }
    bytes.push(position.diagonals.len() as u8);
    for diagonal in &position.diagonals {
        let lean = if diagonal.lean == Lean::Backslash {
            BACKSLASH
        } else {
            0
        };
        bytes.extend([byte(diagonal.cell), MIRROR | lean | place(diagonal.color)]);
    }
    bytes.push(ORDER.len() as u8);
    bytes.extend(position.robots.map(byte));
    bytes.push(byte(position.target));
    bytes.push(position.active.map_or(ANY, place));
    bytes
}
