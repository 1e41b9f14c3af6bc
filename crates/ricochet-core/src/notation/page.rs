//! Drawings as `ricochet show` prints them: with box-drawing characters or in ASCII, with or without
//! column and row numbers, and with the words around them.

use std::fmt::Write as _;

use super::drawing::missing_robot;
use super::error::ReadError;
use super::reason::{Item, Reason};
use super::text::{Lines, id_line, parse_cell, parse_color};
use crate::board::{Diagonal, Lean, Shape, Target};
use crate::describe::{Task, is_task, join_with_and, task};
use crate::geometry::{Cell, Direction, MAX_SIDE};
use crate::puzzle::{Puzzle, Setup};
use crate::quadrants::Layout;
use crate::robot::{MAX_ROBOTS, Robot};

/// Columns from one cell to the next.
const STEP: usize = 4;

/// The most spaces before a drawing.
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

/// Whether a line is a row of column numbers, `0 1 2 …`.
pub(super) fn is_column_numbers(line: &str) -> bool {
    let mut words = line.split_whitespace().enumerate().peekable();
    words.peek().is_some() && words.all(|(number, word)| word.parse() == Ok(number))
}

/// Whether a line begins with the corner of a drawing with box-drawing characters.
pub(super) fn is_box_top(line: &str) -> bool {
    line.trim_start().starts_with('┏')
}

/// Which robot has to reach the goal.
enum GoalOwner {
    Any,
    One(Robot),
    /// Unknown, because a robot is on it.
    Hidden,
}

/// The part of a drawing read so far.
struct ShownDrawing {
    left: usize,
    setup: Setup,
    closed: Vec<Cell>,
    robots: [Option<Cell>; MAX_ROBOTS],
    /// The goal's cell and robot.
    goal: Option<(Cell, GoalOwner)>,
    /// Diagonals whose colour is hidden.
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
        return Err(lines.error(0, Item::GoalLineOrShown));
    }
    let width = (length - 1) / STEP;
    if width > MAX_SIDE {
        let reason = Reason::TooManyColumns {
            most: MAX_SIDE,
            found: width,
        };
        return Err(lines.error(left, reason));
    }
    let mut shown = ShownDrawing {
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
            return Err(lines.error(0, Reason::TooManyRows { most: MAX_SIDE }));
        }
        lines.next();
        let cells: Vec<char> = line.chars().map(plain).collect();
        shown.row(lines, &above, &cells)?;
        let Some(below) = lines.next() else {
            return Err(lines.error(0, Item::WallsBelow));
        };
        above = below.chars().map(plain).collect();
        shown.walls_above(lines, &above)?;
    }
    if shown.setup.height == 0 {
        return Err(lines.error(0, Item::CellsBelow));
    }
    let below = read_caption(lines)?;
    let at_drawing = |reason: Reason| ReadError::new(first_line, 1, reason);
    shown.finish(below).map_err(at_drawing)
}

/// Reads the words below a drawing.
fn read_caption(lines: &mut Lines<'_>) -> Result<Caption, ReadError> {
    let mut below = Caption::default();
    // There is usually a blank line in between.
    let mut ahead = lines.clone();
    while ahead.peek().is_some_and(|line| line.trim().is_empty()) {
        ahead.next();
    }
    while let Some(line) = ahead.peek().filter(|line| is_caption(line.trim())) {
        ahead.next();
        *lines = ahead.clone();
        below.read(line).map_err(|reason| lines.error(0, reason))?;
    }
    Ok(below)
}

impl ShownDrawing {
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
            let end = self.left + width * STEP + 1;
            return Err(lines.error(end, Reason::DrawingLineTooLong));
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
                    let reason = Reason::found_text(Item::WallOrSpace, &other.to_string());
                    return Err(lines.error(self.left + column, reason));
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
                .map_err(|reason| lines.error(self.left + column + 1, reason))?;
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
                    let wall = "---".to_owned();
                    return Err(lines.error(self.left + column + 1, Item::WholeWall { wall }));
                }
            }
        }
        Ok(())
    }

    /// The contents of a cell, as `ricochet-draw` draws it for the terminal.
    fn cell(&mut self, cell: Cell, inside: [char; 3]) -> Result<(), Reason> {
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
            Reason::found_text(Item::ShownCell, &inside)
        };
        match inside {
            [' ', ' ', ' '] => {}
            ['#', '#', '#'] => self.closed.push(cell),
            ['[', letter, ']' | '/' | '\\'] => {
                if self.goal.is_some() {
                    return Err(Reason::SecondGoal);
                }
                if let Some(robot) = robot(letter) {
                    self.place(robot, cell)?;
                    self.goal = Some((cell, GoalOwner::Hidden));
                } else if letter == '*' {
                    self.goal = Some((cell, GoalOwner::Any));
                } else {
                    let robot = color(letter).ok_or_else(wrong)?;
                    self.goal = Some((cell, GoalOwner::One(robot)));
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

    fn place(&mut self, robot: Robot, cell: Cell) -> Result<(), Reason> {
        match self.robots[robot.index()].replace(cell) {
            None => Ok(()),
            Some(_) => Err(Reason::RobotDrawnTwice { robot }),
        }
    }

    fn finish(mut self, below: Caption) -> Result<Setup, Reason> {
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
                return Err(Reason::HiddenDiagonal { cell });
            };
            self.setup.diagonals.push(Diagonal { cell, lean, color });
        }
        self.setup.targets.extend(below.targets);
        self.setup.diagonals.sort_by_key(|diagonal| diagonal.cell);
        self.setup.targets.sort_by_key(|target| target.cell);
        let count = self.robots.iter().flatten().count();
        if let Some(gap) = self.robots[..count].iter().position(Option::is_none) {
            return Err(missing_robot(gap));
        }
        let (robot, cell) = match (below.goal, self.goal) {
            (Some(goal), _) => goal,
            (None, Some((cell, GoalOwner::Any))) => (None, cell),
            (None, Some((cell, GoalOwner::One(robot)))) => (Some(robot), cell),
            (None, Some((cell, GoalOwner::Hidden))) => {
                return Err(Reason::HiddenGoal { cell });
            }
            (None, None) => {
                return Err(Item::GoalLineOrMark.into());
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

/// A drawing of `ricochet-draw` for the terminal, with the puzzle's name above it and what it hides in
/// words below. [`parse_text`](super::parse_text) reads it back.
///
/// ```
/// use ricochet_core::notation;
/// let puzzle = notation::parse_line("2x2..00.R11.nsmall")?.validate()?;
/// let drawing = "\
/// +---+---+
/// | R     |
/// +   .   +
/// |    [r]|
/// +---+---+";
/// let page = notation::to_page(&puzzle, drawing);
/// assert!(page.ends_with("\n\nThe red robot has to reach (1,1).\nRobots: red (0,0).\nBoard: 2×2.\n"));
/// assert_eq!(notation::parse_text(&page)?.validate()?, puzzle);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn to_page(puzzle: &Puzzle, drawing: &str) -> String {
    let board = puzzle.board();
    let mut page = String::new();
    if let Some(id) = puzzle.id() {
        page.push_str(&id_line(id));
    }
    let _ = writeln!(page, "{}\n", drawing.trim_end());
    let _ = writeln!(page, "{}", task(puzzle));
    let robots: Vec<String> = puzzle
        .start()
        .iter()
        .map(|(robot, cell)| format!("{robot} {cell}"))
        .collect();
    let _ = writeln!(page, "Robots: {}.", join_with_and(&robots));
    let layout =
        Layout::from_board(board).map_or_else(String::new, |layout| format!(", layout {layout}"));
    let _ = writeln!(page, "Board: {}×{}{layout}.", board.width(), board.height());
    for (label, things) in [
        (COVERED, covered(puzzle)),
        (AT_GOAL, printed_at_goal(puzzle)),
    ] {
        if !things.is_empty() {
            let _ = writeln!(page, "{label}{}.", join_with_and(&things));
        }
    }
    if let Some(optimal) = puzzle.known_optimal() {
        let _ = writeln!(page, "Stated optimum: {optimal}.");
    }
    page
}

/// Introduces the list of what is under robots, or of diagonals with a target on them.
const COVERED: &str = "Covered: ";
/// Introduces the list of what is printed on the goal's cell, where the drawing shows only the goal.
const AT_GOAL: &str = "Printed at the goal: ";

/// What is hidden under robots or a printed target. [`printed_at_goal`] covers the goal's cell.
fn covered(puzzle: &Puzzle) -> Vec<String> {
    let board = puzzle.board();
    let has_robot = |cell: Cell| puzzle.start().cells().contains(&cell);
    let has_target = |cell: Cell| board.targets().iter().any(|target| target.cell == cell);
    printed(
        puzzle,
        |cell| cell != puzzle.goal().cell && has_robot(cell),
        |cell| cell != puzzle.goal().cell && (has_robot(cell) || has_target(cell)),
    )
}

/// What is printed on the goal's cell, where the drawing has only room for the letter of the robot that
/// has to arrive.
fn printed_at_goal(puzzle: &Puzzle) -> Vec<String> {
    let is_goal = |cell| cell == puzzle.goal().cell;
    printed(puzzle, is_goal, is_goal)
}

/// The targets and diagonals on some cells, as `red circle (4,1)`, `vortex (8,3)`, `red diagonal
/// (4,1)`.
fn printed(
    puzzle: &Puzzle,
    with_target: impl Fn(Cell) -> bool,
    with_diagonal: impl Fn(Cell) -> bool,
) -> Vec<String> {
    let targets = puzzle.board().targets().iter();
    let targets = targets
        .filter(|target| with_target(target.cell))
        .map(|target| {
            let robot = target
                .robot
                .map_or(String::new(), |robot| format!("{robot} "));
            format!("{robot}{} {}", target.shape, target.cell)
        });
    let diagonals = puzzle.board().diagonals().iter();
    let diagonals = diagonals
        .filter(|diagonal| with_diagonal(diagonal.cell))
        .map(|diagonal: &Diagonal| format!("{} diagonal {}", diagonal.color, diagonal.cell));
    targets.chain(diagonals).collect()
}

/// The words below a drawing, parsed.
#[derive(Default)]
pub(super) struct Caption {
    pub(super) goal: Option<(Option<Robot>, Cell)>,
    pub(super) must_ricochet: bool,
    pub(super) optimal: Option<u32>,
    pub(super) targets: Vec<Target>,
    pub(super) diagonals: Vec<(Cell, Robot)>,
}

/// Whether [`page`] may print this line below a drawing.
pub(super) fn is_caption(line: &str) -> bool {
    let starts = ["Robots: ", "Board: ", COVERED, AT_GOAL, "Stated optimum: "];
    starts.iter().any(|start| line.starts_with(start)) || is_task(line)
}

impl Caption {
    /// Takes one line for which [`is_caption`] holds.
    pub(super) fn read(&mut self, line: &str) -> Result<(), Reason> {
        let line = line.trim();
        let sentence = line.strip_suffix('.').ok_or(Item::SentenceEnd)?;
        if let Some(task) = Task::read(sentence) {
            let task = task?;
            let cell = parse_bracketed(task.cell)?;
            self.must_ricochet = task.must_ricochet;
            self.goal = Some((parse_color(Some(task.who))?, cell));
        } else if let Some(moves) = sentence.strip_prefix("Stated optimum: ") {
            let moves = moves
                .parse()
                .map_err(|_| Reason::found_text(Item::MoveCount, moves))?;
            self.optimal = Some(moves);
        } else if let Some(list) = [COVERED, AT_GOAL]
            .iter()
            .find_map(|label| sentence.strip_prefix(label))
        {
            for item in list.split(", ").flat_map(|part| part.split(" and ")) {
                self.read_printed(item)?;
            }
        }
        Ok(())
    }

    /// `red circle (4,1)`, `vortex (4,1)` or `red diagonal (4,1)`.
    fn read_printed(&mut self, item: &str) -> Result<(), Reason> {
        let words: Vec<&str> = item.split_whitespace().collect();
        let (color, what, cell) = match words.as_slice() {
            [shape, cell] if Shape::from_name(shape).is_some() => (None, *shape, *cell),
            words => {
                let word = |at: usize| words.get(at).copied();
                let color = parse_color(word(0))?;
                (color, word(1).unwrap_or(""), word(2).unwrap_or(""))
            }
        };
        let cell = parse_bracketed(cell)?;
        match (what, Shape::from_name(what), color) {
            ("diagonal", _, Some(color)) => self.diagonals.push((cell, color)),
            (_, Some(shape), robot) => self.targets.push(Target { cell, robot, shape }),
            _ => {
                return Err(Reason::found_text(Item::PrintedItem, item));
            }
        }
        Ok(())
    }
}

/// `(3,4)`.
fn parse_bracketed(text: &str) -> Result<Cell, Reason> {
    let inner = text
        .strip_prefix('(')
        .and_then(|text| text.strip_suffix(')'));
    parse_cell(inner.unwrap_or(text))
}
