//! Drawings as they are shown in a terminal, read back: with box-drawing characters or in ASCII, with
//! or without numbers of columns and rows. The words around them are read by
//! [`shown_words`](super::shown_words).

use super::error::ReadError;
use super::shown_words::{Below, is_below};
use super::text::Lines;
use crate::board::{Diagonal, Lean, Shape, Target};
use crate::geometry::{Cell, Direction, MAX_SIDE};
use crate::puzzle::Setup;
use crate::robot::{MAX_ROBOTS, Robot};

/// Columns from one cell to the next.
const STEP: usize = 4;

/// No more space stands before a drawing.
const MAX_LEFT: usize = 80;

/// The same drawing in ASCII; corners of walls become `+`.
fn plain(letter: char) -> char {
    match letter {
        '━' => '-',
        '┃' => '|',
        '·' => '.',
        '░' => '#',
        '●' => 'o',
        '▲' => '^',
        '■' => '=',
        '★' => '*',
        '◎' => '@',
        '╱' => '/',
        '╲' => '\\',
        '╹' | '╺' | '┗' | '╻' | '┏' | '┣' | '╸' | '┛' | '┻' | '┓' | '┫' | '┳' | '╋' => {
            '+'
        }
        other => other,
    }
}

/// Whether a line is the numbers of the columns, `0 1 2 …`.
pub(super) fn is_column_numbers(line: &str) -> bool {
    let mut words = line.split_whitespace().enumerate().peekable();
    words.peek().is_some() && words.all(|(number, word)| word.parse() == Ok(number))
}

/// Whether a line begins with the corner of a drawing with box-drawing characters.
pub(super) fn is_box_top(line: &str) -> bool {
    line.trim_start().starts_with('┏')
}

/// Who has to reach the goal.
enum Whose {
    Any,
    One(Robot),
    /// A robot stands on it.
    Hidden,
}

/// What was seen so far.
struct Shown {
    left: usize,
    setup: Setup,
    closed: Vec<Cell>,
    robots: [Option<Cell>; MAX_ROBOTS],
    /// Where the goal is, and for whom.
    goal: Option<(Cell, Whose)>,
    /// Leans of which the colour is hidden.
    hidden: Vec<(Cell, Lean)>,
}

/// Reads the drawing that begins with the line `top`, and the words below it.
pub(super) fn parse_shown(lines: &mut Lines<'_>, top: &str) -> Result<Setup, ReadError> {
    let first_line = lines.number();
    let top: Vec<char> = top.trim_end().chars().map(plain).collect();
    let left = top.iter().take_while(|&&c| c == ' ').count();
    let length = top.len() - left;
    let is_edge = |(at, &c): (usize, &char)| c == '-' || c == '+' && at % STEP == 0;
    if left > MAX_LEFT
        || length < STEP + 1
        || !(length - 1).is_multiple_of(STEP)
        || !top[left..].iter().enumerate().all(is_edge)
    {
        let message = "expected a 'goal:' line above the drawing, or a drawing as 'show' prints it";
        return Err(lines.error(0, message));
    }
    let width = (length - 1) / STEP;
    if width > MAX_SIDE {
        let message = format!("expected at most {MAX_SIDE} columns, found {width}");
        return Err(lines.error(left, message));
    }
    let mut shown = Shown {
        left,
        setup: Setup::empty(width, 1),
        closed: Vec::new(),
        robots: [None; MAX_ROBOTS],
        goal: None,
        hidden: Vec::new(),
    };
    shown.setup.walls.clear();
    shown.setup.height = 0;
    let mut above = top;
    while let Some(line) = lines.peek().filter(|line| !line.trim().is_empty()) {
        if shown.setup.height == MAX_SIDE {
            return Err(lines.error(0, format!("expected at most {MAX_SIDE} rows")));
        }
        lines.next();
        let cells: Vec<char> = line.chars().map(plain).collect();
        shown.row(lines, &above, &cells)?;
        let Some(below) = lines.next() else {
            return Err(lines.error(0, "expected a line of walls below this one"));
        };
        above = below.chars().map(plain).collect();
        shown.walls_above(lines, &above)?;
    }
    if shown.setup.height == 0 {
        return Err(lines.error(0, "expected a row of cells below this line"));
    }
    let below = words_below(lines)?;
    let at_drawing = |message: String| ReadError::new(first_line, 1, message);
    shown.finish(below).map_err(at_drawing)
}

/// The words that belong to the drawing above.
fn words_below(lines: &mut Lines<'_>) -> Result<Below, ReadError> {
    let mut below = Below::default();
    // A blank line stands between, unless somebody removed it.
    let mut ahead = lines.clone();
    while ahead.peek().is_some_and(|line| line.trim().is_empty()) {
        ahead.next();
    }
    while let Some(line) = ahead.peek().filter(|line| is_below(line.trim())) {
        ahead.next();
        *lines = ahead.clone();
        below
            .read(line)
            .map_err(|message| lines.error(0, message))?;
    }
    Ok(below)
}

impl Shown {
    /// The character of a line, counted from the drawing's left edge.
    fn at(&self, line: &[char], column: usize) -> char {
        line.get(self.left + column).copied().unwrap_or(' ')
    }

    fn wall(&mut self, x: usize, y: usize, side: Direction) {
        self.setup.walls[y * self.setup.width + x] |= side.wall_bit();
    }

    /// A row of cells; `above` is the line of walls above it.
    fn row(&mut self, lines: &Lines<'_>, above: &[char], line: &[char]) -> Result<(), ReadError> {
        let (width, y) = (self.setup.width, self.setup.height);
        if line.len() > self.left + width * STEP + 1 {
            let message = "expected the drawing's line to end here";
            return Err(lines.error(self.left + width * STEP + 1, message));
        }
        self.setup.height += 1;
        self.setup.walls.resize((y + 1) * width, 0);
        for x in 0..=width {
            let column = x * STEP;
            match self.at(line, column) {
                '|' => {
                    if x < width {
                        self.wall(x, y, Direction::West);
                    }
                    if x > 0 {
                        self.wall(x - 1, y, Direction::East);
                    }
                }
                ' ' | '#' => {}
                other => {
                    let message = format!("expected a wall '|' or a space, found '{other}'");
                    return Err(lines.error(self.left + column, message));
                }
            }
            if x == width {
                break;
            }
            if self.at(above, column + 1) == '-' {
                self.wall(x, y, Direction::North);
            }
            let inside = [1, 2, 3].map(|offset| self.at(line, column + offset));
            let cell = Cell::new(x as u8, y as u8);
            self.cell(cell, inside)
                .map_err(|message| lines.error(self.left + column + 1, message))?;
        }
        Ok(())
    }

    /// The walls below the last row.
    fn walls_above(&mut self, lines: &Lines<'_>, line: &[char]) -> Result<(), ReadError> {
        let (width, y) = (self.setup.width, self.setup.height - 1);
        for x in 0..width {
            let column = x * STEP;
            let edge = [1, 2, 3].map(|offset| self.at(line, column + offset));
            match edge {
                ['-', '-', '-'] => self.wall(x, y, Direction::South),
                [' ', ' ', ' '] | ['#', '#', '#'] => {}
                _ => {
                    let message = "expected a whole wall (---) or none";
                    return Err(lines.error(self.left + column + 1, message));
                }
            }
        }
        Ok(())
    }

    /// What stands in a cell: see `ricochet-draw`'s drawings for the terminal.
    fn cell(&mut self, cell: Cell, inside: [char; 3]) -> Result<(), String> {
        let lean = Lean::from_symbol(inside[2]);
        if let Some(lean) = lean {
            self.hidden.push((cell, lean));
        }
        let robot =
            |letter: char| Robot::from_letter(letter).filter(|_| letter.is_ascii_uppercase());
        let color =
            |letter: char| Robot::from_letter(letter).filter(|_| letter.is_ascii_lowercase());
        let wrong = || {
            let inside: String = inside.iter().collect();
            format!(
                "expected a cell as 'show' draws it, found {}",
                super::short(&inside)
            )
        };
        match inside {
            [' ', ' ', ' '] => {}
            ['#', '#', '#'] => self.closed.push(cell),
            ['[', letter, ']' | '/' | '\\'] => {
                if self.goal.is_some() {
                    return Err("expected only one goal".to_owned());
                }
                if let Some(robot) = robot(letter) {
                    self.place(robot, cell)?;
                    self.goal = Some((cell, Whose::Hidden));
                } else if letter == '*' {
                    self.goal = Some((cell, Whose::Any));
                } else {
                    let robot = color(letter).ok_or_else(wrong)?;
                    self.goal = Some((cell, Whose::One(robot)));
                }
            }
            [' ', letter, ' ' | '/' | '\\'] if robot(letter).is_some() => {
                self.place(robot(letter).ok_or_else(wrong)?, cell)?;
            }
            [letter, symbol @ ('/' | '\\'), ' '] => {
                let color = color(letter).ok_or_else(wrong)?;
                let lean = Lean::from_symbol(symbol).ok_or_else(wrong)?;
                self.setup.diagonals.push(Diagonal { cell, lean, color });
            }
            [letter, symbol, ' ' | '/' | '\\'] => {
                let shape = "o^=*@".find(symbol).map(|at| Shape::ALL[at]);
                let shape = shape.ok_or_else(wrong)?;
                let robot = match letter {
                    ' ' => None,
                    letter => Some(color(letter).ok_or_else(wrong)?),
                };
                self.setup.targets.push(Target { cell, robot, shape });
            }
            _ => return Err(wrong()),
        }
        Ok(())
    }

    fn place(&mut self, robot: Robot, cell: Cell) -> Result<(), String> {
        match self.robots[robot.index()].replace(cell) {
            None => Ok(()),
            Some(_) => Err(format!(
                "expected each robot once, found a second {robot} one"
            )),
        }
    }

    fn finish(mut self, below: Below) -> Result<Setup, String> {
        let (width, height) = (self.setup.width, self.setup.height);
        for cell in std::mem::take(&mut self.closed) {
            let (x, y) = (usize::from(cell.x), usize::from(cell.y));
            for side in Direction::ALL {
                self.wall(x, y, side);
            }
            if x > 0 {
                self.wall(x - 1, y, Direction::East);
            }
            if x + 1 < width {
                self.wall(x + 1, y, Direction::West);
            }
            if y > 0 {
                self.wall(x, y - 1, Direction::South);
            }
            if y + 1 < height {
                self.wall(x, y + 1, Direction::North);
            }
        }
        for (cell, lean) in std::mem::take(&mut self.hidden) {
            let color = below.diagonals.iter().find(|(at, _)| *at == cell);
            let Some(&(_, color)) = color else {
                return Err(format!(
                    "expected the colour of the diagonal at {cell} in a line such as \
                     'Covered: red diagonal {cell}.' below the drawing"
                ));
            };
            self.setup.diagonals.push(Diagonal { cell, lean, color });
        }
        self.setup.targets.extend(below.targets);
        self.setup.diagonals.sort_by_key(|diagonal| diagonal.cell);
        self.setup.targets.sort_by_key(|target| target.cell);
        let count = self.robots.iter().flatten().count();
        if let Some(gap) = self.robots[..count].iter().position(Option::is_none) {
            return Err(format!(
                "expected robot {}: robots are drawn without gaps in the order {}",
                Robot::ALL[gap].letter(),
                Robot::LETTERS
            ));
        }
        let (robot, cell) = match (below.goal, self.goal) {
            (Some(goal), _) => goal,
            (None, Some((cell, Whose::Any))) => (None, cell),
            (None, Some((cell, Whose::One(robot)))) => (Some(robot), cell),
            (None, Some((cell, Whose::Hidden))) => {
                return Err(format!(
                    "a robot hides whose goal {cell} is: expected a sentence such as 'The red robot \
                     has to reach {cell}.' below the drawing"
                ));
            }
            (None, None) => {
                return Err(
                    "expected a 'goal:' line above the drawing, or a goal such as [r] in it"
                        .to_owned(),
                );
            }
        };
        self.setup.robots = self.robots.into_iter().flatten().collect();
        self.setup.active = robot.map(Robot::index);
        self.setup.target = cell;
        self.setup.rules.must_ricochet = below.must_ricochet;
        self.setup.optimal = below.optimal;
        Ok(self.setup)
    }
}
