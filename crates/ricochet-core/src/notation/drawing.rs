//! The lines of walls and of cells in a drawing. The grammar is in the [module's documentation](super).

use super::error::ReadError;
use super::reason::{Item, Reason};
use super::text::Lines;
use crate::board::{Diagonal, Lean};
use crate::geometry::{Cell, Direction, MAX_SIDE};
use crate::puzzle::Setup;
use crate::robot::{MAX_ROBOTS, Robot};

/// The widest cell, which bounds the length of lines.
const MAX_INSIDE: usize = 15;

/// The most spaces before a drawing.
const MAX_INDENT: usize = 80;

/// Where the cells are in the lines of a drawing.
#[derive(Clone, Copy)]
pub(super) struct Grid {
    /// Characters before the drawing.
    pub(super) indent: usize,
    /// Characters inside a cell.
    inside: usize,
    columns: usize,
}

impl Grid {
    /// The column of the character before cell `x`.
    fn left_of(self, x: usize) -> usize {
        self.indent + x * (self.inside + 1)
    }
}

/// Finds the cells in the first line of a drawing.
pub(super) fn parse_top(lines: &Lines<'_>, top: &str) -> Result<Grid, ReadError> {
    let top = top.trim_end();
    let indent = top.len() - top.trim_start().len();
    if indent > MAX_INDENT {
        return Err(lines.error(0, Reason::TooMuchIndent { most: MAX_INDENT }));
    }
    if top[..indent].contains(|c| c != ' ') {
        return Err(lines.error(0, Reason::found(Item::SpacesBefore, Item::SomethingElse)));
    }
    let edge = &top[indent..];
    let inside = edge[1..].bytes().take_while(|&byte| byte == b'-').count();
    let step = inside + 1;
    for (at, letter) in edge.chars().enumerate() {
        let wanted = if at % step == 0 { '+' } else { '-' };
        if inside == 0 || letter != wanted {
            return Err(lines.error(indent + at, Item::UpperEdge));
        }
    }
    if inside > MAX_INSIDE {
        let expected = Item::NarrowCells { most: MAX_INSIDE };
        return Err(lines.error(indent, Reason::found(expected, inside.into())));
    }
    let columns = (edge.len() - 1) / step;
    if !(edge.len() - 1).is_multiple_of(step) {
        return Err(lines.error(top.len(), Item::UpperEdgeEnd));
    }
    if columns > MAX_SIDE {
        let reason = Reason::TooManyColumns {
            most: MAX_SIDE,
            found: columns,
        };
        return Err(lines.error(indent, reason));
    }
    Ok(Grid {
        indent,
        inside,
        columns,
    })
}

/// The part of a drawing read so far.
pub(super) struct Drawing {
    grid: Grid,
    first_line: usize,
    pub(super) height: usize,
    walls: Vec<u8>,
    closed: Vec<Cell>,
    diagonals: Vec<Diagonal>,
    robots: [Option<Cell>; MAX_ROBOTS],
    pub(super) goal: Option<Cell>,
}

impl Drawing {
    pub(super) fn new(grid: Grid, first_line: usize) -> Self {
        Self {
            grid,
            first_line,
            height: 0,
            walls: Vec::new(),
            closed: Vec::new(),
            diagonals: Vec::new(),
            robots: [None; MAX_ROBOTS],
            goal: None,
        }
    }

    /// Sets the sides of an edge that are on the board.
    fn add_wall(&mut self, cell: Cell, side: Direction) {
        let width = self.grid.columns;
        let mut set = |x: usize, y: usize, side: Direction| {
            if x < width && y * width + x < self.walls.len() {
                self.walls[y * width + x] |= side.wall_bit();
            }
        };
        set(usize::from(cell.x), usize::from(cell.y), side);
        if let Some(next) = cell.step(side) {
            set(usize::from(next.x), usize::from(next.y), side.opposite());
        }
    }

    /// The characters of a line, with trailing spaces restored, which editors strip.
    fn characters(&self, lines: &Lines<'_>, line: &str) -> Result<Vec<char>, ReadError> {
        let end = self.grid.left_of(self.grid.columns);
        let mut letters: Vec<char> = line.trim_end().chars().take(end + 2).collect();
        if letters.len() > end + 1 {
            return Err(lines.error(end + 1, Reason::DrawingLineTooLong));
        }
        letters.resize(end + 1, ' ');
        let odd = |&(at, c): &(usize, &char)| {
            !(*c == ' ' || c.is_ascii_graphic() && at >= self.grid.indent)
        };
        if let Some((at, &letter)) = letters.iter().enumerate().find(odd) {
            return Err(lines.error(at, Reason::found(Item::PlainCharacters, one(letter))));
        }
        Ok(letters)
    }

    /// The walls between the rows above and below.
    pub(super) fn wall_line(&mut self, lines: &Lines<'_>, line: &str) -> Result<(), ReadError> {
        let letters = self.characters(lines, line)?;
        for x in 0..=self.grid.columns {
            let at = self.grid.left_of(x);
            if !matches!(letters[at], '+' | '-' | '|' | ' ') {
                return Err(lines.error(at, Reason::found(Item::character('+'), one(letters[at]))));
            }
            if x == self.grid.columns {
                break;
            }
            let edge = &letters[at + 1..=at + self.grid.inside];
            let drawn = edge[0] == '-';
            if let Some(odd) = edge
                .iter()
                .position(|&c| c != if drawn { '-' } else { ' ' })
            {
                let expected = Item::WholeWall {
                    wall: "-".repeat(self.grid.inside.min(9)),
                };
                let reason = Reason::found(expected, one(edge[odd]));
                return Err(lines.error(at + 1 + odd, reason));
            }
            if drawn {
                // The row above exists; the one below is filled in later.
                if self.height > 0 {
                    self.add_wall(Cell::new(x as u8, self.height as u8 - 1), Direction::South);
                }
                self.below(x);
            }
        }
        Ok(())
    }

    /// Remembers that the next row has a wall north of column `x`.
    fn below(&mut self, x: usize) {
        let start = self.height * self.grid.columns;
        if self.walls.len() <= start {
            self.walls.resize(start + self.grid.columns, 0);
        }
        self.walls[start + x] |= Direction::North.wall_bit();
    }

    /// One row of cells, with the walls between them.
    pub(super) fn cell_line(&mut self, lines: &Lines<'_>, line: &str) -> Result<(), ReadError> {
        let y = self.height;
        if y == MAX_SIDE {
            return Err(lines.error(0, Reason::TooManyRows { most: MAX_SIDE }));
        }
        let letters = self.characters(lines, line)?;
        self.height += 1;
        self.walls.resize(self.height * self.grid.columns, 0);
        for x in 0..=self.grid.columns {
            let at = self.grid.left_of(x);
            match letters[at] {
                ' ' => {}
                '|' if x < self.grid.columns => {
                    self.add_wall(Cell::new(x as u8, y as u8), Direction::West);
                }
                '|' => self.add_wall(Cell::new(x as u8 - 1, y as u8), Direction::East),
                other => {
                    let reason = Reason::found(Item::WallOrSpace, one(other));
                    return Err(lines.error(at, reason));
                }
            }
            if x < self.grid.columns {
                let inside = &letters[at + 1..=at + self.grid.inside];
                self.cell(lines, Cell::new(x as u8, y as u8), inside, at + 1)?;
            }
        }
        Ok(())
    }

    /// The contents of one cell.
    fn cell(
        &mut self,
        lines: &Lines<'_>,
        cell: Cell,
        inside: &[char],
        start: usize,
    ) -> Result<(), ReadError> {
        let mut at = 0;
        while at < inside.len() {
            let error = |reason: Reason| Err(lines.error(start + at, reason));
            match inside[at] {
                ' ' => {}
                '#' => {
                    if self.closed.last() != Some(&cell) {
                        self.closed.push(cell);
                    }
                }
                '*' if self.goal.is_some() => return error(Reason::SecondGoal),
                '*' => self.goal = Some(cell),
                symbol @ ('/' | '\\') => {
                    let color = inside.get(at + 1).filter(|c| c.is_ascii_lowercase());
                    let Some(color) = color.and_then(|&c| Robot::from_letter(c)) else {
                        return Err(lines.error(start + at + 1, Item::DiagonalColor));
                    };
                    let lean = Lean::from_symbol(symbol).unwrap_or(Lean::Slash);
                    self.diagonals.push(Diagonal { cell, lean, color });
                    at += 1;
                }
                letter => {
                    match Robot::from_letter(letter).filter(|_| letter.is_ascii_uppercase()) {
                        None => {
                            return error(Reason::found(Item::CellMark, one(letter)));
                        }
                        Some(robot) if self.robots[robot.index()].is_some() => {
                            return error(Reason::RobotDrawnTwice { robot });
                        }
                        Some(robot) => self.robots[robot.index()] = Some(cell),
                    }
                }
            }
            at += 1;
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<Setup, ReadError> {
        // The lower rim added a row that does not exist.
        self.walls.truncate(self.height * self.grid.columns);
        for cell in std::mem::take(&mut self.closed) {
            for side in Direction::ALL {
                self.add_wall(cell, side);
            }
        }
        let count = self.robots.iter().flatten().count();
        if let Some(gap) = self.robots[..count].iter().position(Option::is_none) {
            return Err(ReadError::new(self.first_line, 1, missing_robot(gap)));
        }
        let mut setup = Setup::empty(self.grid.columns, self.height);
        setup.walls = self.walls;
        setup.diagonals = self.diagonals;
        setup.robots = self.robots.into_iter().flatten().collect();
        Ok(setup)
    }
}

/// A character, for messages.
fn one(letter: char) -> Item {
    Item::quote(letter.encode_utf8(&mut [0; 4]))
}

/// The robot with this index is not drawn, but a later one is.
pub(super) fn missing_robot(index: usize) -> Reason {
    Reason::MissingDrawnRobot {
        letter: Robot::ALL[index].letter(),
        order: Robot::LETTERS,
    }
}
