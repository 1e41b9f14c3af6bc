//! Facts of the ASP competition's Ricochet Robots, cells counted from 1.
//!
//! `barrier(x,y,direction).` `pos(colour,x,y).` `target(colour,x,y).` `length(n).` `dim(n).`
//! (or `dim(1..n).`); `%` begins a comment. Boards are square; without `dim` they have 16×16 cells.
//! Outer walls are implied. A second `dim(1)` begins the next puzzle of a file.
//!
//! `length(n)` limits the length of a plan and is often larger than the optimum, so it is ignored with
//! a note. A known optimum is written as `length`, which the competition's encodings require.

use std::fmt::Write as _;

use super::format::Format;
use super::records::{ParsedPuzzle, TextPosition};
use super::write::{Note, NoteSubject, PuzzleText, WriteCheck, WriteError};
use crate::board::add_rim;
use crate::geometry::{Cell, Direction, MAX_SIDE};
use crate::notation::{Cursor, Item, ReadError, Reason};
use crate::puzzle::{Puzzle, Setup};
use crate::robot::{MAX_ROBOTS, Robot};

/// The default size of a board.
const DEFAULT_SIDE: usize = 16;

/// The facts so far. `barriers` are kept until the size is known.
#[derive(Default)]
struct Facts {
    side: Option<usize>,
    /// One bit per side, for every cell of the largest board.
    barriers: Vec<u8>,
    /// The offset of the outermost barrier, for messages.
    furthest: Option<(usize, usize)>,
    robots: [Option<Cell>; MAX_ROBOTS],
    target: Option<(Robot, Cell)>,
    notes: Vec<Note>,
}

pub(super) fn next(
    text: &str,
    place: &mut TextPosition,
) -> Result<Option<ParsedPuzzle>, ReadError> {
    let mut cursor = Cursor::new(text).back_to(place.offset);
    skip(&mut cursor);
    if cursor.is_at_end() {
        return Ok(None);
    }
    let first = cursor.offset();
    *place = place.moved_to(text, first);
    let line = place.lines + 1;
    let mut facts = Facts {
        barriers: vec![0; MAX_SIDE * MAX_SIDE],
        ..Facts::default()
    };
    let mut sizes = 0;
    while !cursor.is_at_end() {
        if begins_a_size(cursor.clone()) {
            sizes += 1;
            if sizes > 1 {
                break;
            }
        }
        let is_first = cursor.offset() == first;
        facts.read_fact(&mut cursor).map_err(|error| {
            // The text may begin with a program instead of a puzzle.
            if is_first {
                error.unknown_format()
            } else {
                error
            }
        })?;
        skip(&mut cursor);
    }
    *place = place.moved_to(text, cursor.offset());
    facts.finish(&cursor, first, line).map(Some)
}

/// Whether `dim(1` comes next, which begins the next puzzle of a file.
fn begins_a_size(mut cursor: Cursor<'_>) -> bool {
    name(&mut cursor) == "dim"
        && symbol(&mut cursor, '(').is_ok()
        && cursor.number(Item::Size, MAX_SIDE as u32) == Ok(1)
}

/// White space and comments.
fn skip(cursor: &mut Cursor<'_>) {
    loop {
        cursor.skip_white_space();
        if !cursor.eat('%') {
            return;
        }
        cursor.take_while(|c| c != '\n');
    }
}

/// Expects a character, with white space around it.
fn symbol(cursor: &mut Cursor<'_>, wanted: char) -> Result<(), ReadError> {
    skip(cursor);
    cursor.require(wanted)?;
    skip(cursor);
    Ok(())
}

fn coordinate(cursor: &mut Cursor<'_>, what: Item) -> Result<u8, ReadError> {
    let start = cursor.offset();
    match cursor.number(what.clone(), MAX_SIDE as u32)? {
        0 => {
            let expected = Item::FromOne {
                what: Box::new(what),
            };
            Err(cursor.error_at(start, Reason::found(expected, 0.into())))
        }
        number => Ok(number as u8 - 1),
    }
}

fn cell(cursor: &mut Cursor<'_>) -> Result<Cell, ReadError> {
    let x = coordinate(cursor, Item::Column)?;
    symbol(cursor, ',')?;
    let y = coordinate(cursor, Item::Row)?;
    Ok(Cell::new(x, y))
}

fn name<'a>(cursor: &mut Cursor<'a>) -> &'a str {
    cursor.take_while(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn color(cursor: &mut Cursor<'_>) -> Result<Robot, ReadError> {
    let start = cursor.offset();
    let word = name(cursor);
    Robot::from_name(word)
        .ok_or_else(|| cursor.error_at(start, Reason::found_text(Item::ColorName, word)))
}

impl Facts {
    fn read_fact(&mut self, cursor: &mut Cursor<'_>) -> Result<(), ReadError> {
        let start = cursor.offset();
        let predicate = name(cursor);
        if !["barrier", "pos", "target", "length", "dim"].contains(&predicate) {
            let found = if predicate.is_empty() {
                cursor.rest().lines().next().unwrap_or("")
            } else {
                predicate
            };
            return Err(cursor.error_at(start, Reason::found_text(Item::FactName, found)));
        }
        symbol(cursor, '(')?;
        match predicate {
            "barrier" => {
                let cell = cell(cursor)?;
                symbol(cursor, ',')?;
                self.barrier(cell, direction(cursor)?);
            }
            "pos" | "target" => {
                let robot = color(cursor)?;
                symbol(cursor, ',')?;
                let cell = cell(cursor)?;
                if predicate == "target" {
                    if self.target.replace((robot, cell)).is_some() {
                        return Err(cursor.error_at(start, Reason::SecondTarget));
                    }
                } else if self.robots[robot.index()].replace(cell).is_some() {
                    return Err(cursor.error_at(start, Reason::RobotPlacedTwice { robot }));
                }
            }
            "length" => {
                let length = cursor.number(Item::PlanLength, u32::MAX)?;
                let message = format!(
                    "length({length}) is how long a plan may be, not the optimum: it is left out"
                );
                // One such note is enough.
                self.notes.clear();
                self.notes.push(Note::new(NoteSubject::Solution, message));
            }
            _ => {
                let mut side = cursor.number(Item::Size, MAX_SIDE as u32)? as usize;
                if cursor.eat_str("..") {
                    side = cursor.number(Item::Size, MAX_SIDE as u32)? as usize;
                }
                self.side = self.side.max(Some(side));
            }
        }
        skip(cursor);
        cursor.require(')')?;
        let end = cursor.offset();
        skip(cursor);
        if cursor.eat('.') {
            Ok(())
        } else {
            Err(cursor.back_to(end).expected(Item::character('.')))
        }
    }

    fn barrier(&mut self, cell: Cell, side: Direction) {
        let (x, y) = (usize::from(cell.x), usize::from(cell.y));
        self.barriers[y * MAX_SIDE + x] |= side.wall_bit();
        let far = self.furthest.map_or(0, |(x, y)| x.max(y));
        if self.furthest.is_none() || x.max(y) > far {
            self.furthest = Some((x, y));
        }
    }

    fn finish(
        self,
        cursor: &Cursor<'_>,
        first: usize,
        line: usize,
    ) -> Result<ParsedPuzzle, ReadError> {
        let error = |reason: Reason| Err(cursor.error_at(first, reason));
        let side = self.side.unwrap_or(DEFAULT_SIDE);
        if side < 2 {
            let text = format!("dim({side})");
            return error(Reason::found(Item::BoardOfFour, Item::Quote { text }));
        }
        if let Some((x, y)) = self.furthest.filter(|&(x, y)| x.max(y) >= side) {
            let (x, y) = (x + 1, y + 1);
            return error(Reason::BarrierOffBoard { x, y, side });
        }
        let Some((robot, target)) = self.target else {
            return error(Item::TargetFact.into());
        };
        let used = self.robots.iter().flatten().count();
        if let Some(gap) = self.robots[..used].iter().position(Option::is_none) {
            let robot = Robot::ALL[gap];
            return error(Reason::MissingPosition { robot });
        }
        let mut setup = Setup::empty(side, side);
        for y in 0..side {
            for x in 0..side {
                setup.walls[y * side + x] |= self.barriers[y * MAX_SIDE + x];
            }
        }
        add_rim(side, side, &mut setup.walls);
        // A barrier is stated on only one side of its edge.
        setup.repair_walls();
        setup.robots = self.robots.into_iter().flatten().collect();
        setup.active = Some(robot.index());
        setup.target = target;
        let mut parsed = ParsedPuzzle::new(line, setup);
        parsed.notes = self.notes;
        Ok(parsed)
    }
}

fn direction(cursor: &mut Cursor<'_>) -> Result<Direction, ReadError> {
    let start = cursor.offset();
    let word = name(cursor);
    Direction::ALL
        .into_iter()
        .find(|direction| direction.to_string() == word)
        .ok_or_else(|| cursor.error_at(start, Reason::found_text(Item::DirectionName, word)))
}

pub(super) fn write(puzzle: &Puzzle) -> Result<PuzzleText, WriteError> {
    let mut check = WriteCheck::new(Format::Asp, puzzle);
    let board = puzzle.board();
    check.no_diagonals().one_robot_goal().drops_targets();
    if board.width() != board.height() {
        check.reason(format!(
            "its boards are square, this one has {}×{} cells",
            board.width(),
            board.height()
        ));
    }
    if let Some(optimal) = puzzle.known_optimal() {
        let message = format!(
            "the optimum is written as length({optimal}), which is only how long a plan may be"
        );
        check.note(NoteSubject::Optimal, message);
    }
    check.finish(|| print(puzzle))
}

fn print(puzzle: &Puzzle) -> String {
    let board = puzzle.board();
    let mut text = String::new();
    for number in 1..=board.width() {
        let _ = writeln!(text, "dim({number}).");
    }
    for cell in board.cells() {
        for side in [Direction::East, Direction::South] {
            let inner = cell.step(side).is_some_and(|next| board.contains(next));
            if inner && board.has_wall(cell, side) {
                let _ = writeln!(text, "barrier({},{},{side}).", cell.x + 1, cell.y + 1);
            }
        }
    }
    for (robot, cell) in puzzle.start().iter() {
        let _ = writeln!(text, "pos({robot},{},{}).", cell.x + 1, cell.y + 1);
    }
    let goal = puzzle.goal();
    if let Some(robot) = goal.robot {
        let _ = writeln!(
            text,
            "target({robot},{},{}).",
            goal.cell.x + 1,
            goal.cell.y + 1
        );
    }
    if let Some(optimal) = puzzle.known_optimal() {
        let _ = writeln!(text, "length({optimal}).");
    }
    text.pop();
    text
}
