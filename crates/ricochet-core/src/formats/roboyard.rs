//! Roboyard's maps: statements that end in `;`.
//!
//! `board:w,h;` `hx,y;` (wall on the upper edge of a cell) `vx,y;` (left edge) `tCx,y;` (target; C is
//! a colour's letter, r g b y s) `rCx,y;` (robot). Older maps write `mh`, `mv`, `target_red` and
//! `robot_red`, which are read as well. `board:` begins the next map. A `solution:` or `num_moves:` is
//! dropped with a note; other `key:value;` statements are ignored. Outer walls may be missing.

use std::fmt::Write as _;

use super::format::Format;
use super::records::{ParsedPuzzle, TextPosition};
use super::write::{Note, NoteSubject, PuzzleText, WriteCheck, WriteError};
use crate::board::add_rim;
use crate::geometry::{Cell, Direction, MAX_SIDE};
use crate::notation::{Cursor, Item, ReadError, Reason};
use crate::puzzle::{Puzzle, Setup};
use crate::robot::Robot;

/// The robots with a letter.
const ROBOTS: [(Robot, char); 5] = [
    (Robot::RED, 'r'),
    (Robot::GREEN, 'g'),
    (Robot::BLUE, 'b'),
    (Robot::YELLOW, 'y'),
    (Robot::SILVER, 's'),
];

/// A map while it is being read.
struct Map {
    start: usize,
    setup: Setup,
    robots: [Option<Cell>; ROBOTS.len()],
    target: Option<(Robot, Cell)>,
    notes: Vec<Note>,
}

pub(super) fn next(
    text: &str,
    place: &mut TextPosition,
) -> Result<Option<ParsedPuzzle>, ReadError> {
    let mut cursor = Cursor::new(text).back_to(place.offset);
    let mut map: Option<Map> = None;
    loop {
        cursor.skip_white_space();
        let start = cursor.offset();
        let at_end = cursor.is_at_end();
        if at_end || cursor.rest().starts_with("board:") {
            if let Some(map) = map {
                let line = place.moved_to(text, map.start).lines + 1;
                *place = place.moved_to(text, start);
                return map.finish(&cursor, line).map(Some);
            }
            if at_end {
                return Ok(None);
            }
            cursor.eat_str("board:");
            map = Some(read_board(&mut cursor, start)?);
            continue;
        }
        if let Some(map) = &mut map {
            read_statement(&mut cursor, map)?;
        } else {
            // Some maps begin with a name and the like.
            let statement = cursor.take_while(|c| c != ';' && c != '\n');
            if !statement.contains(':') || !cursor.eat(';') {
                let reason = Reason::found_text(Item::quote("board:w,h;"), statement);
                return Err(cursor.error_at(start, reason));
            }
        }
    }
}

fn read_board(cursor: &mut Cursor<'_>, start: usize) -> Result<Map, ReadError> {
    let width = cursor.number(Item::TheWidth, MAX_SIDE as u32)? as usize;
    cursor.require(',')?;
    let height = cursor.number(Item::TheHeight, MAX_SIDE as u32)? as usize;
    cursor.require(';')?;
    if width == 0 || height == 0 {
        return Err(cursor.error_at(start, Item::BoardWithCells));
    }
    Ok(Map {
        start,
        setup: Setup::empty(width, height),
        robots: [None; ROBOTS.len()],
        target: None,
        notes: Vec::new(),
    })
}

fn read_statement(cursor: &mut Cursor<'_>, map: &mut Map) -> Result<(), ReadError> {
    let start = cursor.offset();
    let word = cursor.take_while(|c| c.is_ascii_alphabetic() || c == '_');
    if cursor.eat(':') {
        cursor.take_while(|c| c != ';' && c != '\n');
        cursor.eat(';');
        if matches!(word, "solution" | "num_moves") {
            let message = format!("'{word}' that comes with the map is left out");
            let note = Note::new(NoteSubject::Solution, message);
            if !map.notes.contains(&note) {
                map.notes.push(note);
            }
        }
        return Ok(());
    }
    match word {
        "h" | "mh" | "v" | "mv" => {
            let side = if word.ends_with('h') {
                Direction::North
            } else {
                Direction::West
            };
            let (x, y) = pair(cursor)?;
            if !map.add_wall(x, y, side) {
                let text = format!("{x},{y}");
                let reason = Reason::found(Item::WallOnBoard, Item::Quote { text });
                return Err(cursor.error_at(start, reason));
            }
        }
        _ => {
            let Some((is_robot, robot)) = piece(word) else {
                let found = if word.is_empty() {
                    cursor.rest().lines().next().unwrap_or("")
                } else {
                    word
                };
                return Err(cursor.error_at(start, Reason::found_text(Item::MapStatement, found)));
            };
            let (x, y) = pair(cursor)?;
            let cell = Cell::new(x as u8, y as u8);
            if is_robot {
                let place = &mut map.robots[robot.index()];
                if place.is_some() {
                    return Err(cursor.error_at(start, Reason::SecondRobot { robot }));
                }
                *place = Some(cell);
            } else if map.target.replace((robot, cell)).is_some() {
                return Err(cursor.error_at(start, Reason::SecondTarget));
            }
        }
    }
    cursor.require(';')
}

/// `tr`, `target_red`, `rr`, `robot_red`: whether it is a robot, and of which colour.
fn piece(word: &str) -> Option<(bool, Robot)> {
    let known = |robot: Robot| ROBOTS.iter().any(|&(other, _)| other == robot);
    let long = [("robot_", true), ("target_", false)];
    for (start, is_robot) in long {
        if let Some(name) = word.strip_prefix(start) {
            let robot = Robot::from_name(name).filter(|&robot| known(robot))?;
            return Some((is_robot, robot));
        }
    }
    let mut letters = word.chars();
    let is_robot = match letters.next()? {
        'r' => true,
        't' => false,
        _ => return None,
    };
    let letter = letters.next()?;
    let &(robot, _) = ROBOTS.iter().find(|&&(_, known)| known == letter)?;
    letters.next().is_none().then_some((is_robot, robot))
}

fn pair(cursor: &mut Cursor<'_>) -> Result<(usize, usize), ReadError> {
    let x = cursor.number(Item::Column, 255)?;
    cursor.require(',')?;
    let y = cursor.number(Item::Row, 255)?;
    Ok((x as usize, y as usize))
}

impl Map {
    /// Adds a wall north or west of a cell, which may be just beyond the rim.
    fn add_wall(&mut self, x: usize, y: usize, side: Direction) -> bool {
        let (width, height) = (self.setup.width, self.setup.height);
        let is_north = side == Direction::North;
        let (far_x, far_y) = if is_north {
            (width - 1, height)
        } else {
            (width, height - 1)
        };
        if x > far_x || y > far_y {
            return false;
        }
        if x < width && y < height {
            self.setup.walls[y * width + x] |= side.wall_bit();
        }
        let back = side.opposite().wall_bit();
        if is_north && y > 0 {
            self.setup.walls[(y - 1) * width + x] |= back;
        }
        if !is_north && x > 0 {
            self.setup.walls[y * width + x - 1] |= back;
        }
        true
    }

    fn finish(mut self, cursor: &Cursor<'_>, line: usize) -> Result<ParsedPuzzle, ReadError> {
        let Some((robot, cell)) = self.target else {
            return Err(cursor.error_at(self.start, Item::MapTarget));
        };
        let used = self.robots.iter().flatten().count();
        if let Some(gap) = self.robots[..used].iter().position(Option::is_none) {
            let robot = Robot::ALL[gap];
            return Err(cursor.error_at(self.start, Reason::MissingRobot { robot }));
        }
        add_rim(self.setup.width, self.setup.height, &mut self.setup.walls);
        self.setup.robots = self.robots.into_iter().flatten().collect();
        self.setup.active = Some(robot.index());
        self.setup.target = cell;
        let mut parsed = ParsedPuzzle::new(line, self.setup);
        parsed.notes = self.notes;
        Ok(parsed)
    }
}

pub(super) fn write(puzzle: &Puzzle) -> Result<PuzzleText, WriteError> {
    let mut check = WriteCheck::new(Format::Roboyard, puzzle);
    check
        .at_most_robots(ROBOTS.len())
        .no_diagonals()
        .one_robot_goal()
        .drops_optimal()
        .drops_targets();
    check.finish(|| print(puzzle))
}

fn print(puzzle: &Puzzle) -> String {
    let board = puzzle.board();
    let (width, height) = (board.width(), board.height());
    let mut text = format!("board:{width},{height};\n");
    for y in 0..=height {
        for x in 0..width {
            let wall = match y {
                0 => true,
                _ => board.has_wall(Cell::new(x as u8, y as u8 - 1), Direction::South),
            };
            if wall {
                let _ = writeln!(text, "h{x},{y};");
            }
        }
    }
    for y in 0..height {
        for x in 0..=width {
            let wall = match x {
                0 => true,
                _ => board.has_wall(Cell::new(x as u8 - 1, y as u8), Direction::East),
            };
            if wall {
                let _ = writeln!(text, "v{x},{y};");
            }
        }
    }
    let letter = |robot: Robot| ROBOTS[robot.index()].1;
    let goal = puzzle.goal();
    if let Some(robot) = goal.robot {
        let _ = writeln!(text, "t{}{},{};", letter(robot), goal.cell.x, goal.cell.y);
    }
    for (robot, cell) in puzzle.start().iter() {
        let _ = writeln!(text, "r{}{},{};", letter(robot), cell.x, cell.y);
    }
    text.pop();
    text
}
