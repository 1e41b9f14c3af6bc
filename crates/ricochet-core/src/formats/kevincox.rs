//! The text format of kevincox's solver, and what it shares with its URLs.
//!
//! ```text
//! board 16 16
//! BNNN…            16 rows of 16 letters: B wall north and west, N north, W west, C none
//! mirrors 1        optional, then as many lines: x y / colour
//! 4 1 / green
//! robots 5         black, red, green, yellow, blue: x y each
//! 7 7
//! …
//! target 0 9 12 4  an unused number, x, y, the robot's index in that order or -1 for any
//! solution 2       optional, then as many lines: move robot x y
//! ```
//!
//! Outer walls are implied. There are always five robots; unused ones are on closed cells, in the
//! centre of an official board. Boards have 16×16 cells. The form of a solution is checked; the
//! solution is dropped with a note.

use std::fmt::Write as _;

use super::format::Format;
use super::records::{ParsedPuzzle, TextPosition};
use super::write::{Note, NoteSubject, PuzzleText, WriteCheck, WriteError};
use crate::board::{CLOSED, Diagonal, Lean, add_rim};
use crate::geometry::{Cell, Direction};
use crate::notation::{Cursor, Item, ReadError, Reason};
use crate::puzzle::{Puzzle, Setup};
use crate::robot::Robot;

/// Columns and rows of every board.
pub(super) const SIDE: usize = 16;

/// The robots in kevincox's order.
pub(super) const ORDER: [Robot; 5] = [
    Robot::SILVER,
    Robot::RED,
    Robot::GREEN,
    Robot::YELLOW,
    Robot::BLUE,
];

/// A position as kevincox writes it.
pub(super) struct Position {
    /// North and west walls, row by row.
    pub(super) walls: Vec<u8>,
    pub(super) diagonals: Vec<Diagonal>,
    /// In [`ORDER`].
    pub(super) robots: [Cell; 5],
    pub(super) target: Cell,
    pub(super) active: Option<Robot>,
}

impl Position {
    /// Converts it to a setup.
    pub(super) fn into_setup(self) -> Result<Setup, Reason> {
        let mut setup = Setup::empty(SIDE, SIDE);
        setup.walls = self.walls;
        add_rim(SIDE, SIDE, &mut setup.walls);
        setup.repair_walls();
        let closed = |cell: Cell| {
            let index = usize::from(cell.y) * SIDE + usize::from(cell.x);
            setup.walls.get(index) == Some(&CLOSED)
        };
        let mut robots = [None; 5];
        for (robot, cell) in ORDER.into_iter().zip(self.robots) {
            if !closed(cell) {
                robots[robot.index()] = Some(cell);
            }
        }
        let used = robots.iter().flatten().count();
        if let Some(gap) = robots[..used].iter().position(Option::is_none) {
            let robot = Robot::ALL[gap];
            return Err(Reason::UnusedRobot { robot });
        }
        setup.robots = robots.into_iter().flatten().collect();
        setup.diagonals = self.diagonals;
        setup.active = self.active.map(Robot::index);
        setup.target = self.target;
        Ok(setup)
    }

    /// The position of a puzzle that [`check`] accepted.
    pub(super) fn from_puzzle(puzzle: &Puzzle) -> Self {
        let board = puzzle.board();
        let walls = board.cells().map(|cell| {
            // The outer walls are implied.
            let north = cell.y > 0 && board.has_wall(cell, Direction::North);
            let west = cell.x > 0 && board.has_wall(cell, Direction::West);
            let bit = |there: bool, side: Direction| if there { side.wall_bit() } else { 0 };
            bit(north, Direction::North) | bit(west, Direction::West)
        });
        let start = puzzle.start();
        let mut parking = parking_places(puzzle).into_iter();
        let mut parked = Cell::default();
        let robots = ORDER.map(|robot| {
            start
                .cells()
                .get(robot.index())
                .copied()
                .unwrap_or_else(|| {
                    parked = parking.next().unwrap_or(parked);
                    parked
                })
        });
        Self {
            walls: walls.collect(),
            diagonals: board.diagonals().to_vec(),
            robots,
            target: puzzle.goal().cell,
            active: puzzle.goal().robot,
        }
    }
}

/// Closed cells for the unused robots, those in the centre of an official board first.
fn parking_places(puzzle: &Puzzle) -> Vec<Cell> {
    let board = puzzle.board();
    let mut places: Vec<Cell> = board
        .cells()
        .filter(|&cell| board.is_closed(cell))
        .collect();
    places.sort_by_key(|cell| !((7..=8).contains(&cell.x) && (7..=8).contains(&cell.y)));
    places
}

/// Checks that kevincox's formats can express a puzzle.
pub(super) fn check(format: Format, puzzle: &Puzzle) -> WriteCheck<'_> {
    let mut check = WriteCheck::new(format, puzzle);
    check
        .size(SIDE, SIDE)
        .at_most_robots(ORDER.len())
        .drops_optimal()
        .drops_targets();
    let foreign = |diagonal: &&Diagonal| !ORDER.contains(&diagonal.color);
    if let Some(diagonal) = puzzle.board().diagonals().iter().find(foreign) {
        check.reason(format!("the format has no {} diagonals", diagonal.color));
    }
    if puzzle.start().len() < ORDER.len() && parking_places(puzzle).is_empty() {
        check.reason(
            "the format needs a closed cell for the robots that are not used, and the board has none",
        );
    }
    check
}

pub(super) fn write(puzzle: &Puzzle) -> Result<PuzzleText, WriteError> {
    check(Format::Kevincox, puzzle).finish(|| print(&Position::from_puzzle(puzzle)))
}

/// The name of a colour.
fn color_name(robot: Robot) -> &'static str {
    if robot == Robot::SILVER {
        "black"
    } else {
        robot.name()
    }
}

fn print(position: &Position) -> String {
    let mut text = format!("board {SIDE} {SIDE}\n");
    for row in position.walls.chunks(SIDE) {
        text.extend(row.iter().map(|mask| match mask {
            0 => 'C',
            1 => 'N',
            8 => 'W',
            _ => 'B',
        }));
        text.push('\n');
    }
    if !position.diagonals.is_empty() {
        let _ = writeln!(text, "mirrors {}", position.diagonals.len());
        for diagonal in &position.diagonals {
            let Cell { x, y } = diagonal.cell;
            let color = color_name(diagonal.color);
            let _ = writeln!(text, "{x} {y} {} {color}", diagonal.lean.symbol());
        }
    }
    text.push_str("robots 5\n");
    for Cell { x, y } in position.robots {
        let _ = writeln!(text, "{x} {y}");
    }
    let Cell { x, y } = position.target;
    let active = position
        .active
        .and_then(|robot| ORDER.iter().position(|&other| other == robot));
    let _ = match active {
        Some(place) => write!(text, "target 0 {x} {y} {place}"),
        None => write!(text, "target 0 {x} {y} -1"),
    };
    text
}

pub(super) fn next(
    text: &str,
    place: &mut TextPosition,
) -> Result<Option<ParsedPuzzle>, ReadError> {
    let mut words = Words(Cursor::new(text).back_to(place.offset));
    words.0.skip_white_space();
    if words.0.is_at_end() {
        return Ok(None);
    }
    let start = words.0.offset();
    *place = place.moved_to(text, start);
    let line = place.lines + 1;
    let (position, solution) = words.position()?;
    let setup = position
        .into_setup()
        .map_err(|reason| words.0.error_at(start, reason))?;
    let mut parsed = ParsedPuzzle::new(line, setup);
    if let Some(moves) = solution {
        let message =
            format!("the solution of {moves} moves that comes with the puzzle is left out");
        parsed.notes.push(Note::new(NoteSubject::Solution, message));
    }
    *place = place.moved_to(text, words.0.offset());
    Ok(Some(parsed))
}

/// Words separated by white space.
struct Words<'a>(Cursor<'a>);

impl<'a> Words<'a> {
    fn next(&mut self) -> (usize, &'a str) {
        self.0.skip_white_space();
        (self.0.offset(), self.0.take_while(|c| !c.is_whitespace()))
    }

    fn error<T>(&self, at: usize, expected: Item, found: &str) -> Result<T, ReadError> {
        let found = if found.is_empty() {
            Item::EndOfText
        } else {
            Item::quote(found)
        };
        Err(self.0.error_at(at, Reason::found(expected, found)))
    }

    fn keyword(&mut self, keyword: &str) -> Result<(), ReadError> {
        match self.next() {
            (_, word) if word == keyword => Ok(()),
            (at, word) => self.error(at, Item::quote(keyword), word),
        }
    }

    /// Takes a keyword if it comes next.
    fn optional(&mut self, keyword: &str) -> bool {
        let before = self.0.offset();
        if self.next().1 == keyword {
            return true;
        }
        self.0 = self.0.back_to(before);
        false
    }

    fn number(&mut self, what: Item, most: usize) -> Result<usize, ReadError> {
        let (at, word) = self.next();
        match word.parse() {
            Ok(value) if value <= most => Ok(value),
            _ => self.error(at, what.within(most), word),
        }
    }

    fn cell(&mut self, column: Item, row: Item) -> Result<Cell, ReadError> {
        let x = self.number(column, SIDE - 1)?;
        let y = self.number(row, SIDE - 1)?;
        Ok(Cell::new(x as u8, y as u8))
    }

    fn position(&mut self) -> Result<(Position, Option<usize>), ReadError> {
        self.keyword("board")?;
        for what in [Item::TheWidth, Item::TheHeight] {
            match self.next() {
                (_, "16") => {}
                (at, word) => return self.error(at, what.exactly(SIDE), word),
            }
        }
        let walls = self.walls()?;
        let mut diagonals = Vec::new();
        if self.optional("mirrors") {
            for _ in 0..self.number(Item::MirrorCount, SIDE * SIDE)? {
                diagonals.push(self.mirror()?);
            }
        }
        self.keyword("robots")?;
        match self.next() {
            (_, "5") => {}
            (at, word) => return self.error(at, Item::FiveRobots, word),
        }
        let mut robots = [Cell::default(); 5];
        for robot in &mut robots {
            *robot = self.cell(Item::RobotColumn, Item::RobotRow)?;
        }
        self.keyword("target")?;
        self.number(Item::ANumber, usize::MAX >> 1)?;
        let target = self.cell(Item::TargetColumn, Item::TargetRow)?;
        let active = match self.next() {
            (_, "-1") => None,
            (at, word) => match word
                .parse::<usize>()
                .ok()
                .and_then(|place| ORDER.get(place))
            {
                Some(&robot) => Some(robot),
                None => return self.error(at, Item::RobotNumber, word),
            },
        };
        let solution = self.solution()?;
        let position = Position {
            walls,
            diagonals,
            robots,
            target,
            active,
        };
        Ok((position, solution))
    }

    fn walls(&mut self) -> Result<Vec<u8>, ReadError> {
        let (north, west) = (Direction::North.wall_bit(), Direction::West.wall_bit());
        let mut walls = Vec::with_capacity(SIDE * SIDE);
        for _ in 0..SIDE {
            let (at, row) = self.next();
            for (offset, letter) in row.char_indices() {
                walls.push(match letter {
                    'B' => north | west,
                    'N' => north,
                    'W' => west,
                    'C' => 0,
                    other => return self.error(at + offset, Item::WallLetter, &other.to_string()),
                });
            }
            if row.len() != SIDE {
                return self.error(at, Item::WallRow, row);
            }
        }
        Ok(walls)
    }

    fn mirror(&mut self) -> Result<Diagonal, ReadError> {
        let cell = self.cell(Item::MirrorColumn, Item::MirrorRow)?;
        let lean = match self.next() {
            (_, "/") => Lean::Slash,
            (_, "\\") => Lean::Backslash,
            (at, word) => return self.error(at, Item::MirrorLean, word),
        };
        let (at, name) = self.next();
        match Robot::from_name(name).filter(|robot| ORDER.contains(robot)) {
            Some(color) => Ok(Diagonal { cell, lean, color }),
            None => self.error(at, Item::MirrorColor, name),
        }
    }

    /// Its number of moves, if there is one.
    fn solution(&mut self) -> Result<Option<usize>, ReadError> {
        if !self.optional("solution") {
            return Ok(None);
        }
        let moves = self.number(Item::SolutionLength, 100_000)?;
        for _ in 0..moves {
            self.keyword("move")?;
            self.number(Item::Robot, ORDER.len() - 1)?;
            self.cell(Item::RobotColumn, Item::RobotRow)?;
        }
        Ok(Some(moves))
    }
}
