//! `DriftingDroids` game IDs, such as `7650+42+E2302B12+C9`.
//!
//! - Four hexadecimal digits: the quadrants north-west, north-east, south-east, south-west; a digit
//!   is the quadrant (A 0, B 1, C 2, D 3) times 4 plus the tile minus 1.
//! - `+`, the number of robots (1 to 5), the robot that has to arrive (`F`: any robot).
//! - `+`, two digits per robot in the order red, green, blue, yellow, silver: row, column.
//! - `+`, the goal's row and column.
//!
//! `DriftingDroids` ignores the diagonals of D quadrants; kevincox's site reads the same IDs with them.
//! [`DroidDiagonals`] chooses, and a note says which reading was used if it matters. The board has the
//! targets printed on its quadrants. `DriftingDroids` opens only IDs whose goal is one of these;
//! others are written with a note.

use std::fmt::Write as _;

use super::format::Format;
use super::records::DroidDiagonals;
use super::records::ParsedPuzzle;
use super::write::{Note, NoteSubject, PuzzleText, WriteCheck, WriteError};
use crate::geometry::Cell;
use crate::notation::{Cursor, Item, ReadError, Reason};
use crate::puzzle::{Puzzle, Setup};
use crate::quadrants::{Layout, Quadrant};
use crate::robot::Robot;

/// The most robots `DriftingDroids` has.
pub(super) const MAX_ROBOTS: usize = 5;

pub(super) fn read(text: &str, reading: DroidDiagonals) -> Result<Vec<ParsedPuzzle>, ReadError> {
    let mut cursor = Cursor::new(text.trim_end());
    cursor.skip_white_space();
    let layout = read_layout(&mut cursor)?;
    cursor.require('+')?;
    let start = cursor.offset();
    let count = hex(&mut cursor, Item::RobotCount)?;
    if !(1..=MAX_ROBOTS).contains(&count) {
        let expected = Item::OneToRobots { most: MAX_ROBOTS };
        return Err(cursor.error_at(start, Reason::found(expected, count.into())));
    }
    let active = hex(&mut cursor, Item::ActiveRobotDigit)?;
    cursor.require('+')?;
    let mut robots = Vec::with_capacity(count);
    for _ in 0..count {
        robots.push(read_cell(&mut cursor, Item::RobotCell)?);
    }
    cursor.require('+')?;
    let target = read_cell(&mut cursor, Item::TheGoalCell)?;
    if !cursor.is_at_end() {
        return Err(cursor.expected(Item::EndOfId));
    }
    let mut setup = Setup::from_board(match reading {
        DroidDiagonals::With => layout.board(),
        DroidDiagonals::Without => layout.board_without_diagonals(),
    });
    setup.robots = robots;
    setup.active = (active != 15).then_some(active);
    setup.target = target;
    let mut parsed = ParsedPuzzle::new(1, setup);
    parsed.notes.extend(note_on_diagonals(layout, reading));
    Ok(vec![parsed])
}

fn read_layout(cursor: &mut Cursor<'_>) -> Result<Layout, ReadError> {
    let start = cursor.offset();
    let mut quadrants = Vec::with_capacity(4);
    for _ in 0..4 {
        let digit = hex(cursor, Item::Quadrant)?;
        quadrants.extend(Quadrant::new(
            digit % 4 + 1,
            ['A', 'B', 'C', 'D'][digit / 4],
        ));
    }
    let quadrants: [Quadrant; 4] = quadrants
        .try_into()
        .map_err(|_| cursor.error_at(start, Item::FourQuadrants))?;
    Layout::new(quadrants).map_err(|error| cursor.error_at(start, error))
}

fn hex(cursor: &mut Cursor<'_>, what: Item) -> Result<usize, ReadError> {
    match cursor.peek().and_then(|c| c.to_digit(16)) {
        Some(digit) => {
            cursor.bump();
            Ok(digit as usize)
        }
        None => Err(cursor.expected(Item::HexDigit {
            what: Box::new(what),
        })),
    }
}

fn read_cell(cursor: &mut Cursor<'_>, what: Item) -> Result<Cell, ReadError> {
    let y = hex(cursor, what.clone())? as u8;
    let x = hex(cursor, what)? as u8;
    Ok(Cell::new(x, y))
}

/// If the board has D quadrants, the reading decides which puzzle it is.
fn note_on_diagonals(layout: Layout, reading: DroidDiagonals) -> Option<Note> {
    let has_d = layout
        .quadrants()
        .iter()
        .any(|quadrant| quadrant.face() == 'D');
    let how = match reading {
        DroidDiagonals::Without => {
            "without the diagonals of its D quadrants, as DriftingDroids does"
        }
        DroidDiagonals::With => "with the diagonals of its D quadrants, as kevincox's site does",
    };
    has_d.then(|| Note::new(NoteSubject::Diagonals, format!("the ID is read {how}")))
}

pub(super) fn write(puzzle: &Puzzle, reading: DroidDiagonals) -> Result<PuzzleText, WriteError> {
    let mut check = WriteCheck::new(Format::DriftingDroids, puzzle);
    check.at_most_robots(MAX_ROBOTS).drops_optimal();
    let Some(layout) = Layout::from_walls(puzzle.board()) else {
        check.reason("the board is not made of official quadrants");
        return check.finish(String::new);
    };
    let printed = layout.board();
    let diagonals = puzzle.board().diagonals();
    match reading {
        DroidDiagonals::Without if !diagonals.is_empty() => check.reason(
            "DriftingDroids leaves all diagonals out of its boards (an ID can be written for \
             readers that put them in)",
        ),
        DroidDiagonals::With if diagonals != printed.diagonals() => {
            check.reason("the diagonals are not those of the quadrants");
        }
        _ => {}
    }
    if let Some(note) = note_on_diagonals(layout, reading) {
        check.note(note.about, note.message);
    }
    if puzzle.board().targets() != printed.targets() {
        let message = "an ID implies the targets that are printed on its quadrants";
        check.note(NoteSubject::Targets, message);
    }
    let goal = puzzle.goal();
    let is_goal = |target: &crate::Target| (target.cell, target.robot) == (goal.cell, goal.robot);
    if !printed.targets().iter().any(is_goal) {
        let message =
            "the goal is not printed on the quadrants: DriftingDroids will not open this ID";
        check.note(NoteSubject::Goal, message);
    }
    check.finish(|| print(puzzle, layout))
}

fn print(puzzle: &Puzzle, layout: Layout) -> String {
    let mut text = String::new();
    for digit in quadrant_digits(layout) {
        let _ = write!(text, "{digit:X}");
    }
    let active = puzzle.goal().robot.map_or(15, Robot::index);
    let _ = write!(text, "+{:X}{active:X}+", puzzle.start().len());
    for cell in puzzle.start().cells() {
        let _ = write!(text, "{:X}{:X}", cell.y, cell.x);
    }
    let goal = puzzle.goal().cell;
    let _ = write!(text, "+{:X}{:X}", goal.y, goal.x);
    text
}

/// The quadrants of a layout in `DriftingDroids`' numbering.
pub(super) fn quadrant_digits(layout: Layout) -> [u8; 4] {
    layout
        .quadrants()
        .map(|quadrant| (quadrant.face() as u8 - b'A') * 4 + quadrant.tile() as u8 - 1)
}
