//! The puzzles of Skub, a daily game: Markdown with front matter and a drawing.
//!
//! ```text
//! ---
//! name: Greta
//! minMoves: 9
//! ---
//!
//! + A B C D E F G H +
//! 1     _   _ _     |
//! 2 #|       X̲     |
//! …
//! 8        @        |
//! +-----------------+
//! ```
//!
//! A cell is one character and a separator: `@` the puck, which has to arrive, `#` a blocker, `X` the
//! destination, `_` a wall below an empty cell; a combining low line is a wall below any other cell,
//! a combining circumflex means that a piece is on the destination. The separator `|` is a wall to the
//! right. Boards have 8×8 cells. Holes and portals, which newer puzzles have, are not supported.
//!
//! The puck is read as the red robot and the blockers as the others, row by row. Where that is not
//! so, we write their letters in that order into the front matter, which the game ignores: `robots: GRBY`.
//! `name` and `minMoves` are read as well; other text is ignored.

use std::fmt::Write as _;

use super::format::Format;
use super::records::{ParsedPuzzle, TextPosition};
use super::write::{NoteSubject, PuzzleText, WriteCheck, WriteError};
use crate::board::add_rim;
use crate::geometry::{Cell, Direction};
use crate::notation::{Cursor, Item, ReadError, Reason};
use crate::puzzle::{Puzzle, Setup};
use crate::robot::{MAX_ROBOTS, Robot};

/// Columns and rows of every board.
const SIDE: usize = 8;

const HEADER: &str = "+ A B C D E F G H +";
const FENCE: &str = "---";
const LOW_LINE: char = '\u{332}';
const CIRCUMFLEX: char = '\u{302}';

/// The name of a puzzle that has none: the game requires one.
const UNNAMED: &str = "Unnamed";

/// A drawing while it is being read.
struct Drawing {
    setup: Setup,
    /// All pieces, row by row, and the place of the puck among them.
    pieces: Vec<Cell>,
    puck: Option<usize>,
    destination: Option<Cell>,
}

/// What we read of the front matter.
#[derive(Default)]
struct FrontMatter {
    name: Option<String>,
    optimal: Option<u32>,
    /// The letters of the robots, row by row.
    robots: Option<String>,
}

pub(super) fn next(
    text: &str,
    place: &mut TextPosition,
) -> Result<Option<ParsedPuzzle>, ReadError> {
    let mut cursor = Cursor::new(text).back_to(place.offset);
    // What follows a drawing is part of its page.
    while place.offset > 0 && !cursor.is_at_end() && first_line(cursor.rest()) != FENCE {
        skip_line(&mut cursor);
    }
    cursor.skip_white_space();
    if cursor.is_at_end() {
        *place = place.moved_to(text, text.len());
        return Ok(None);
    }
    let start = cursor.offset();
    let front_matter = read_front_matter(&mut cursor)?;
    while !first_line(cursor.rest()).trim_start().starts_with("+ A") {
        if cursor.is_at_end() {
            return Err(cursor.expected(Item::quote(HEADER)));
        }
        skip_line(&mut cursor);
    }
    skip_line(&mut cursor);
    let mut drawing = Drawing {
        setup: Setup::empty(SIDE, SIDE),
        pieces: Vec::new(),
        puck: None,
        destination: None,
    };
    for y in 0..SIDE {
        read_row(&mut cursor, &mut drawing, y as u8)?;
    }
    let setup = drawing.finish(front_matter, &cursor, start)?;
    let line = place.moved_to(text, start).lines + 1;
    *place = place.moved_to(text, cursor.offset());
    Ok(Some(ParsedPuzzle::new(line, setup)))
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default().trim_end()
}

/// The rest of the line; its end is passed.
fn skip_line<'a>(cursor: &mut Cursor<'a>) -> &'a str {
    let line = cursor.take_while(|c| c != '\n');
    cursor.eat('\n');
    line
}

fn read_front_matter(cursor: &mut Cursor<'_>) -> Result<FrontMatter, ReadError> {
    if first_line(cursor.rest()) != FENCE {
        return Err(cursor.expected(Item::quote(FENCE)));
    }
    skip_line(cursor);
    let mut found = FrontMatter::default();
    loop {
        if cursor.is_at_end() {
            return Err(cursor.expected(Item::quote(FENCE)));
        }
        let line = skip_line(cursor).trim_end();
        if line == FENCE {
            return Ok(found);
        }
        let (key, value) = line.split_once(':').unwrap_or_default();
        let value = value.trim();
        match key {
            "name" if !value.is_empty() && value != UNNAMED => found.name = Some(unquoted(value)),
            "minMoves" => found.optimal = value.parse().ok(),
            "robots" => found.robots = Some(value.to_owned()),
            _ => {}
        }
    }
}

/// A scalar of YAML.
fn unquoted(value: &str) -> String {
    let inside = |quote: char| value.strip_prefix(quote)?.strip_suffix(quote);
    if let Some(text) = inside('\'') {
        return text.replace("''", "'");
    }
    let quoted = inside('"').and_then(|_| serde_json::from_str::<String>(value).ok());
    quoted.unwrap_or_else(|| value.to_owned())
}

fn read_row(cursor: &mut Cursor<'_>, drawing: &mut Drawing, y: u8) -> Result<(), ReadError> {
    let number = char::from(b'1' + y);
    cursor.require(number)?;
    cursor.require(' ')?;
    for x in 0..SIDE as u8 {
        let cell = Cell::new(x, y);
        let start = cursor.offset();
        let (mut low_line, mut circumflex) = (false, false);
        let mark = cursor.bump();
        loop {
            if !low_line && cursor.eat(LOW_LINE) {
                low_line = true;
            } else if !circumflex && cursor.eat(CIRCUMFLEX) {
                circumflex = true;
            } else {
                break;
            }
        }
        let is_destination = match mark {
            Some('@') => {
                if drawing.puck.replace(drawing.pieces.len()).is_some() {
                    let robot = Robot::RED;
                    return Err(cursor.error_at(start, Reason::SecondRobot { robot }));
                }
                drawing.pieces.push(cell);
                circumflex
            }
            Some('#') => {
                drawing.pieces.push(cell);
                circumflex
            }
            Some('X') => true,
            Some('_') => {
                low_line = true;
                false
            }
            Some('|') => {
                drawing.add_wall(cell, Direction::West);
                false
            }
            Some(' ') => false,
            _ => {
                let expected = cursor.back_to(start).expected(Item::SkubCell);
                return Err(expected);
            }
        };
        if is_destination && drawing.destination.replace(cell).is_some() {
            return Err(cursor.error_at(start, Reason::SecondGoal));
        }
        if low_line {
            drawing.add_wall(cell, Direction::South);
        }
        if cursor.eat('|') {
            drawing.add_wall(cell, Direction::East);
        } else {
            cursor.require(' ')?;
        }
    }
    cursor.require('|')?;
    let rest = skip_line(cursor);
    if rest.trim().is_empty() {
        Ok(())
    } else {
        Err(cursor
            .back_to(cursor.offset() - rest.len())
            .expected(Item::EndOfLine))
    }
}

impl Drawing {
    /// Adds both sides of a wall; outer walls are implied.
    fn add_wall(&mut self, cell: Cell, side: Direction) {
        let neighbour = cell.step(side);
        let Some(neighbour) = neighbour.filter(|it| usize::from(it.x.max(it.y)) < SIDE) else {
            return;
        };
        let index = |cell: Cell| usize::from(cell.y) * SIDE + usize::from(cell.x);
        self.setup.walls[index(cell)] |= side.wall_bit();
        self.setup.walls[index(neighbour)] |= side.opposite().wall_bit();
    }

    fn finish(
        mut self,
        front_matter: FrontMatter,
        cursor: &Cursor<'_>,
        start: usize,
    ) -> Result<Setup, ReadError> {
        let missing = |what: &str| {
            let expected = Item::quote(what);
            cursor.error_at(start, Reason::Expected { expected })
        };
        let puck = self.puck.ok_or_else(|| missing("@"))?;
        let destination = self.destination.ok_or_else(|| missing("X"))?;
        let numbers = match &front_matter.robots {
            Some(letters) => numbers_of(letters, self.pieces.len()).ok_or_else(|| {
                let expected = Item::quote(&canonical_letters(self.pieces.len(), puck));
                cursor.error_at(start, Reason::found_text(expected, letters))
            })?,
            None => canonical_order(self.pieces.len(), puck),
        };
        add_rim(SIDE, SIDE, &mut self.setup.walls);
        self.setup.robots = vec![Cell::default(); self.pieces.len()];
        for (&number, &cell) in numbers.iter().zip(&self.pieces) {
            self.setup.robots[number] = cell;
        }
        self.setup.active = Some(numbers[puck]);
        self.setup.target = destination;
        self.setup.id = front_matter.name;
        self.setup.optimal = front_matter.optimal;
        Ok(self.setup)
    }
}

/// The numbers of the robots, row by row, if nothing is said about them: the puck is the first.
fn canonical_order(pieces: usize, puck: usize) -> Vec<usize> {
    (0..pieces)
        .map(|place| match place.cmp(&puck) {
            std::cmp::Ordering::Less => place + 1,
            std::cmp::Ordering::Equal => 0,
            std::cmp::Ordering::Greater => place,
        })
        .collect()
}

fn canonical_letters(pieces: usize, puck: usize) -> String {
    let numbers = canonical_order(pieces, puck).into_iter();
    numbers.filter_map(Robot::new).map(Robot::letter).collect()
}

/// The numbers of robots by their letters, if these are the first `pieces` robots, each once.
fn numbers_of(letters: &str, pieces: usize) -> Option<Vec<usize>> {
    let numbers: Option<Vec<usize>> = letters
        .chars()
        .map(|letter| Some(Robot::from_letter(letter)?.index()))
        .collect();
    let numbers = numbers?;
    let mut sorted = numbers.clone();
    sorted.sort_unstable();
    sorted.into_iter().eq(0..pieces).then_some(numbers)
}

pub(super) fn write(puzzle: &Puzzle) -> Result<PuzzleText, WriteError> {
    let mut check = WriteCheck::new(Format::Skub, puzzle);
    check
        .size(SIDE, SIDE)
        .at_most_robots(MAX_ROBOTS)
        .no_diagonals()
        .one_robot_goal()
        .drops_targets();
    let mut written = check.finish(|| print(puzzle))?;
    // It has names, unlike most.
    written.notes.retain(|note| note.about != NoteSubject::Id);
    Ok(written)
}

fn print(puzzle: &Puzzle) -> String {
    let (board, start, goal) = (puzzle.board(), puzzle.start(), puzzle.goal());
    let name = puzzle.id().unwrap_or(UNNAMED);
    let is_plain = name
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
    let is_word = name.starts_with(|c: char| c.is_ascii_alphabetic());
    let name = if is_plain && is_word && puzzle.id() != Some(UNNAMED) || puzzle.id().is_none() {
        name.to_owned()
    } else {
        serde_json::to_string(name).unwrap_or_default()
    };
    let mut text = format!("{FENCE}\nname: {name}\n");
    if let Some(optimal) = puzzle.known_optimal() {
        let _ = writeln!(text, "minMoves: {optimal}");
    }
    let mut pieces: Vec<(Robot, Cell)> = start.iter().collect();
    pieces.sort_by_key(|(_, cell)| (cell.y, cell.x));
    let puck = pieces
        .iter()
        .position(|&(robot, _)| Some(robot) == goal.robot);
    let letters: String = pieces.iter().map(|(robot, _)| robot.letter()).collect();
    if letters != canonical_letters(pieces.len(), puck.unwrap_or_default()) {
        let _ = writeln!(text, "robots: {letters}");
    }
    let _ = writeln!(text, "{FENCE}\n\n```\n{HEADER}");
    for y in 0..SIDE as u8 {
        let _ = write!(text, "{} ", y + 1);
        for x in 0..SIDE as u8 {
            let cell = Cell::new(x, y);
            let has_wall = usize::from(y) + 1 < SIDE && board.has_wall(cell, Direction::South);
            let piece = start.robot_at(cell);
            let mark = match piece {
                Some(robot) if Some(robot) == goal.robot => '@',
                Some(_) => '#',
                None if cell == goal.cell => 'X',
                None if has_wall => '_',
                None => ' ',
            };
            text.push(mark);
            if has_wall && mark != '_' {
                text.push(LOW_LINE);
            }
            if piece.is_some() && cell == goal.cell {
                text.push(CIRCUMFLEX);
            }
            let right = usize::from(x) + 1 < SIDE && board.has_wall(cell, Direction::East);
            text.push(if right { '|' } else { ' ' });
        }
        text.push_str("|\n");
    }
    text.push_str("+-----------------+\n```");
    text
}
