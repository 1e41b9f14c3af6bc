//! The one-line form; its grammar is in the [module's documentation](super).

use std::fmt::Write as _;

use super::cursor::Cursor;
use super::error::ReadError;
use super::reason::{Item, Reason};
use crate::board::{Board, Diagonal, Lean, Shape, Target};
use crate::geometry::{Cell, Direction, MAX_SIDE};
use crate::puzzle::{Puzzle, Setup};
use crate::quadrants::{Layout, Quadrant};
use crate::robot::Robot;

/// The letter of 'any robot'.
const ANY: char = 'V';

/// The letters of [`Shape::ALL`].
const SHAPES: &str = "ctshv";

/// The digits of a coordinate.
const DIGITS: &str = "0123456789abcdefghijklmnopqrstuv";

/// Writes a puzzle in one line; everything about it is kept.
///
/// ```
/// use ricochet_core::{Cell, Goal, Puzzle, Robot, notation, quadrants::Layout};
/// let layout: Layout = "1A 4B 3B 2B".parse().unwrap();
/// let robots = [Cell::new(1, 15), Cell::new(12, 1), Cell::new(15, 0), Cell::new(12, 0)];
/// let goal = Goal { robot: Some(Robot::BLUE), cell: Cell::new(9, 12) };
/// let puzzle = Puzzle::new(layout.board(), &robots, goal).unwrap();
/// let line = notation::to_line(&puzzle);
/// assert_eq!(line, "1A4B3B2B.1fc1f0c0.B9c");
/// assert_eq!(notation::parse_line(&line).unwrap().validate(), Ok(puzzle));
/// ```
pub fn to_line(puzzle: &Puzzle) -> String {
    let board = puzzle.board();
    let layout = Layout::from_walls(board);
    let mut line = String::new();
    if let Some(layout) = layout {
        for quadrant in layout.quadrants() {
            let _ = write!(line, "{quadrant}");
        }
    } else {
        let _ = write!(line, "{}x{}.", board.width(), board.height());
        print_walls(board, &mut line);
    }
    line.push('.');
    for &cell in puzzle.start().cells() {
        print_cell(&mut line, cell);
    }
    line.push('.');
    line.push(puzzle.goal().robot.map_or(ANY, Robot::letter));
    print_cell(&mut line, puzzle.goal().cell);
    print_options(puzzle, layout, &mut line);
    line
}

fn print_options(puzzle: &Puzzle, layout: Option<Layout>, line: &mut String) {
    let board = puzzle.board();
    // The reader's defaults.
    let (diagonals, targets) = implied(layout);
    if puzzle.rules().must_ricochet {
        line.push_str(".m");
    }
    if board.diagonals() != diagonals {
        line.push_str(".d");
        for diagonal in board.diagonals() {
            line.push(match diagonal.lean {
                Lean::Slash => 's',
                Lean::Backslash => 'b',
            });
            line.push(diagonal.color.letter());
            print_cell(line, diagonal.cell);
        }
    }
    if board.targets() != targets {
        line.push_str(".t");
        for target in board.targets() {
            line.push(target.robot.map_or(ANY, Robot::letter));
            line.push(char::from(SHAPES.as_bytes()[target.shape as usize]));
            print_cell(line, target.cell);
        }
    }
    if let Some(optimal) = puzzle.known_optimal() {
        let _ = write!(line, ".o{optimal}");
    }
    if let Some(id) = puzzle.id() {
        line.push_str(".n");
        for byte in id.bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' => {
                    line.push(char::from(byte));
                }
                _ => {
                    let _ = write!(line, "~{byte:02X}");
                }
            }
        }
    }
}

/// The diagonals and targets that a board without `d` and `t` options has.
fn implied(layout: Option<Layout>) -> (Vec<Diagonal>, Vec<Target>) {
    layout.map_or((Vec::new(), Vec::new()), |layout| {
        let board = layout.board();
        (board.diagonals().to_vec(), board.targets().to_vec())
    })
}

fn print_cell(line: &mut String, cell: Cell) {
    for coordinate in [cell.x, cell.y] {
        line.push(char::from(DIGITS.as_bytes()[usize::from(coordinate)]));
    }
}

/// Reads the one-line form. White space around it is ignored.
///
/// ```
/// use ricochet_core::notation::parse_line;
/// let setup = parse_line("4x3..0032.R30").unwrap();
/// assert_eq!((setup.width, setup.height, setup.robots.len()), (4, 3, 2));
/// let error = parse_line("1A4B3B2B.0z").unwrap_err();
/// assert_eq!((error.line, error.column), (1, 11));
/// ```
///
/// # Errors
/// The first mistake.
pub fn parse_line(text: &str) -> Result<Setup, ReadError> {
    let mut cursor = Cursor::new(text.trim_end());
    cursor.skip_white_space();
    let mut setup = parse_board(&mut cursor)?;
    cursor.require('.')?;
    while setup.robots.is_empty() || cursor.peek().is_some_and(|c| c != '.') {
        setup.robots.push(parse_cell(&mut cursor)?);
    }
    cursor.require('.')?;
    setup.active = parse_robot(&mut cursor, true)?.map(Robot::index);
    setup.target = parse_cell(&mut cursor)?;
    let mut seen = String::new();
    while !cursor.is_at_end() {
        cursor.require('.')?;
        let start = cursor.offset();
        let Some(option) = cursor.bump().filter(|&option| "mdton".contains(option)) else {
            return Err(cursor.back_to(start).expected(Item::LineOption));
        };
        if seen.contains(option) {
            return Err(cursor.error_at(start, Reason::OptionTwice { option }));
        }
        seen.push(option);
        parse_option(&mut cursor, option, &mut setup)?;
    }
    Ok(setup)
}

fn parse_board(cursor: &mut Cursor<'_>) -> Result<Setup, ReadError> {
    let start = cursor.offset();
    let digits = cursor.take_while(|c| c.is_ascii_digit());
    if digits.is_empty() {
        return Err(cursor.expected(Item::LayoutOrSize));
    }
    if cursor.peek() != Some('x') {
        *cursor = cursor.back_to(start);
        return parse_layout(cursor);
    }
    *cursor = cursor.back_to(start);
    let width = parse_side(cursor, Item::Width)?;
    cursor.require('x')?;
    let height = parse_side(cursor, Item::Height)?;
    cursor.require('.')?;
    let mut setup = Setup::empty(width, height);
    parse_walls(cursor, &mut setup)?;
    Ok(setup)
}

fn parse_side(cursor: &mut Cursor<'_>, what: Item) -> Result<usize, ReadError> {
    let start = cursor.offset();
    let side = cursor.number(what.clone(), MAX_SIDE as u32)?;
    if side < 2 {
        let expected = Item::AtLeast {
            what: Box::new(what),
            least: 2,
        };
        let found = Item::from(side as usize);
        return Err(cursor.error_at(start, Reason::found(expected, found)));
    }
    Ok(side as usize)
}

fn parse_layout(cursor: &mut Cursor<'_>) -> Result<Setup, ReadError> {
    let start = cursor.offset();
    let mut quadrants = Vec::with_capacity(4);
    for _ in 0..4 {
        let tile = match cursor.peek().and_then(|c| c.to_digit(10)) {
            Some(tile @ 1..=4) => tile as usize,
            _ => return Err(cursor.expected(Item::Tile)),
        };
        cursor.bump();
        let quadrant = cursor.peek().and_then(|face| Quadrant::new(tile, face));
        quadrants.push(quadrant.ok_or_else(|| cursor.expected(Item::Side))?);
        cursor.bump();
    }
    let layout = <[Quadrant; 4]>::try_from(quadrants).ok().map(Layout::new);
    match layout {
        Some(Ok(layout)) => Ok(Setup::from_board(layout.board())),
        Some(Err(error)) => Err(cursor.error_at(start, error)),
        None => Err(cursor.error_at(start, Item::FourQuadrants)),
    }
}

fn parse_cell(cursor: &mut Cursor<'_>) -> Result<Cell, ReadError> {
    let mut coordinate = |what| {
        let digit = cursor.peek().and_then(|c| DIGITS.find(c));
        let digit = digit.ok_or_else(|| cursor.expected(what))?;
        cursor.bump();
        Ok(digit as u8)
    };
    Ok(Cell::new(
        coordinate(Item::ColumnDigit)?,
        coordinate(Item::RowDigit)?,
    ))
}

/// A robot's letter, or `V` for any robot (`None`).
fn parse_robot(cursor: &mut Cursor<'_>, any: bool) -> Result<Option<Robot>, ReadError> {
    let robot = match cursor.peek() {
        Some(ANY) if any => None,
        Some(letter) if letter.is_ascii_uppercase() && Robot::from_letter(letter).is_some() => {
            Robot::from_letter(letter)
        }
        _ if any => return Err(cursor.expected(Item::RobotLetter)),
        _ => return Err(cursor.expected(Item::ColorLetter)),
    };
    cursor.bump();
    Ok(robot)
}

fn parse_option(cursor: &mut Cursor<'_>, option: char, setup: &mut Setup) -> Result<(), ReadError> {
    let more = |cursor: &Cursor<'_>| cursor.peek().is_some_and(|c| c != '.');
    match option {
        'm' => setup.rules.must_ricochet = true,
        'd' => {
            setup.diagonals.clear();
            while more(cursor) {
                let lean = match cursor.peek() {
                    Some('s') => Lean::Slash,
                    Some('b') => Lean::Backslash,
                    _ => return Err(cursor.expected(Item::LeanLetter)),
                };
                cursor.bump();
                // 'Any robot' is not allowed here, so there is one.
                let color = parse_robot(cursor, false)?.unwrap_or(Robot::RED);
                let cell = parse_cell(cursor)?;
                setup.diagonals.push(Diagonal { cell, lean, color });
            }
        }
        't' => {
            setup.targets.clear();
            while more(cursor) {
                let robot = parse_robot(cursor, true)?;
                let shape = cursor.peek().and_then(|c| SHAPES.find(c));
                let shape = shape.ok_or_else(|| cursor.expected(Item::ShapeLetter))?;
                cursor.bump();
                let cell = parse_cell(cursor)?;
                let shape = Shape::ALL[shape];
                setup.targets.push(Target { cell, robot, shape });
            }
        }
        'o' => setup.optimal = Some(cursor.number(Item::MoveCount, u32::MAX)?),
        _ => setup.id = Some(parse_name(cursor)?),
    }
    Ok(())
}

fn parse_name(cursor: &mut Cursor<'_>) -> Result<String, ReadError> {
    let start = cursor.offset();
    let mut bytes = Vec::new();
    while let Some(letter) = cursor.peek() {
        match letter {
            '.' => break,
            'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '_' => {
                bytes.push(letter as u8);
                cursor.bump();
            }
            '~' => {
                cursor.bump();
                let mut byte = 0;
                for _ in 0..2 {
                    let digit = cursor.peek().and_then(|c| c.to_digit(16));
                    let digit = digit.ok_or_else(|| cursor.expected(Item::TwoHexDigits))?;
                    byte = byte * 16 + digit as u8;
                    cursor.bump();
                }
                bytes.push(byte);
            }
            _ => return Err(cursor.expected(Item::NameCharacter)),
        }
    }
    String::from_utf8(bytes)
        .map_err(|_| cursor.error_at(start, Reason::found(Item::Utf8Name, Item::OtherBytes)))
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The shortest run of `A` that two characters replace.
const SHORTEST_RUN: usize = 3;

/// The inner edges in order: index of the cell, and the side of it that the edge is on.
fn edges(width: usize, height: usize) -> impl Iterator<Item = (usize, Direction)> {
    (0..width * height).flat_map(move |index| {
        let east = index % width + 1 < width;
        let south = index / width + 1 < height;
        [(east, Direction::East), (south, Direction::South)]
            .into_iter()
            .filter_map(move |(inner, side)| inner.then_some((index, side)))
    })
}

/// Appends the walls of a board: two bits per cell, six bits per character.
fn print_walls(board: &Board, line: &mut String) {
    let mut sextets = Vec::new();
    for (number, (index, side)) in edges(board.width(), board.height()).enumerate() {
        if number % 6 == 0 {
            sextets.push(0u8);
        }
        if board.walls()[index] & side.wall_bit() != 0
            && let Some(last) = sextets.last_mut()
        {
            *last |= 32 >> (number % 6);
        }
    }
    while sextets.last() == Some(&0) {
        sextets.pop();
    }
    let symbol = |sextet: usize| char::from(ALPHABET[sextet]);
    let mut at = 0;
    while at < sextets.len() {
        let zeros = sextets[at..]
            .iter()
            .take_while(|&&sextet| sextet == 0)
            .count();
        if zeros >= SHORTEST_RUN {
            let run = zeros.min(SHORTEST_RUN + 63);
            line.push('~');
            line.push(symbol(run - SHORTEST_RUN));
            at += run;
        } else {
            line.push(symbol(usize::from(sextets[at])));
            at += 1;
        }
    }
}

/// Adds the walls to a board that has only its rim.
fn parse_walls(cursor: &mut Cursor<'_>, setup: &mut Setup) -> Result<(), ReadError> {
    let (width, height) = (setup.width, setup.height);
    let mut edges = edges(width, height);
    let mut left = (width - 1) * height + width * (height - 1);
    loop {
        let start = cursor.offset();
        let Some(symbol) = cursor.peek().filter(|&c| c != '.') else {
            return Ok(());
        };
        let value = |cursor: &mut Cursor<'_>| {
            let value = cursor
                .peek()
                .and_then(|c| ALPHABET.iter().position(|&known| char::from(known) == c));
            let value = value.ok_or_else(|| cursor.expected(Item::WallCharacter));
            if value.is_ok() {
                cursor.bump();
            }
            value
        };
        let (sextet, times) = if symbol == '~' {
            cursor.bump();
            (0, value(cursor)? + SHORTEST_RUN)
        } else {
            (value(cursor)?, 1)
        };
        for _ in 0..times {
            if left == 0 {
                return Err(cursor.error_at(start, Item::NoMoreWalls { width, height }));
            }
            for bit in 0..6 {
                let wall = sextet & (32 >> bit) != 0;
                match edges.next() {
                    None if wall => {
                        return Err(cursor.error_at(start, Item::ZeroBits));
                    }
                    None => {}
                    Some((index, side)) => {
                        left -= 1;
                        if wall {
                            let next = index + if side == Direction::East { 1 } else { width };
                            setup.walls[index] |= side.wall_bit();
                            setup.walls[next] |= side.opposite().wall_bit();
                        }
                    }
                }
            }
        }
    }
}
