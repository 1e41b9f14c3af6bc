//! The drawn form: its reader and its writer. The grammar is in the [module's documentation](super).

use std::fmt::Write as _;

use super::drawing::{Drawing, parse_top};
use super::error::ReadError;
use super::page::{is_box_top, is_column_numbers, parse_shown};
use super::reason::{Item, Reason};
use crate::board::{Shape, Target};
use crate::describe::GoalDescription;
use crate::geometry::{Cell, Direction, MAX_CELLS};
use crate::puzzle::{Puzzle, Setup};
use crate::robot::Robot;

/// Reads the drawn form of exactly one puzzle.
///
/// ```
/// use ricochet_core::notation::parse_text;
/// let setup = parse_text("
/// goal: red
/// +---+---+---+
/// | R     | * |
/// +   +---+   +
/// | \\g|###| G |
/// +---+---+---+").unwrap();
/// assert_eq!((setup.width, setup.height, setup.robots.len()), (3, 2, 2));
/// ```
///
/// # Errors
/// The first mistake.
pub fn parse_text(text: &str) -> Result<Setup, ReadError> {
    let mut found = parse_texts(text)?.into_iter();
    match (found.next(), found.next()) {
        (Some((_, setup)), None) => Ok(setup),
        (_, Some((line, _))) => Err(ReadError::new(line, 1, Reason::SecondPuzzle)),
        (None, _) => Err(ReadError::new(1, 1, Reason::NoPuzzle)),
    }
}

/// Reads the drawn form of any number of puzzles; each comes with the line at which it begins.
///
/// ```
/// use ricochet_core::notation::parse_texts;
/// let two = "goal: any\n+-+-+\n|R *|\n+-+-+\n\ngoal: red 1,0\n+-+-+\n|R  |\n+-+-+\n";
/// let lines: Vec<usize> = parse_texts(two).unwrap().iter().map(|(line, _)| *line).collect();
/// assert_eq!(lines, [1, 6]);
/// ```
///
/// # Errors
/// The first mistake.
pub fn parse_texts(text: &str) -> Result<Vec<(usize, Setup)>, ReadError> {
    let mut lines = Lines::after(text, 0);
    let mut found = Vec::new();
    while let Some(puzzle) = parse_next(&mut lines)? {
        found.push(puzzle);
    }
    Ok(found)
}

/// The lines of a text with their numbers.
#[derive(Clone)]
pub(crate) struct Lines<'a> {
    rest: &'a str,
    /// Number of the line that was taken last.
    number: usize,
}

impl<'a> Lines<'a> {
    /// The lines of a text that begins later in a file.
    pub(crate) fn after(rest: &'a str, lines: usize) -> Self {
        Self {
            rest,
            number: lines,
        }
    }

    /// The rest of the text.
    #[cfg(feature = "formats")]
    pub(crate) fn rest(&self) -> &'a str {
        self.rest
    }

    /// How many were taken, including those before the text.
    #[cfg(feature = "formats")]
    pub(crate) fn taken(&self) -> usize {
        self.number
    }

    /// Number of the line that was taken last.
    pub(super) fn number(&self) -> usize {
        self.number
    }

    pub(super) fn peek(&self) -> Option<&'a str> {
        self.rest.lines().next()
    }

    pub(super) fn next(&mut self) -> Option<&'a str> {
        let line = self.peek()?;
        let end = self.rest.find('\n').map_or(self.rest.len(), |at| at + 1);
        self.rest = &self.rest[end..];
        self.number += 1;
        Some(line)
    }

    /// An error in the line that was taken last; `at` counts characters from 0.
    pub(super) fn error(&self, at: usize, reason: impl Into<Reason>) -> ReadError {
        ReadError::new(self.number.max(1), at + 1, reason)
    }
}

/// The lines above a drawing, parsed.
#[derive(Default)]
struct Heading {
    id: Option<String>,
    optimal: Option<u32>,
    must_ricochet: Option<bool>,
    /// Which robot has to arrive, and where if that is not drawn; with line and column of the words.
    goal: Option<(GoalDescription, (usize, usize))>,
    targets: Vec<Target>,
    /// Its first line.
    line: usize,
}

/// The next puzzle, with the line at which it begins.
pub(crate) fn parse_next(lines: &mut Lines<'_>) -> Result<Option<(usize, Setup)>, ReadError> {
    let mut heading = Heading::default();
    loop {
        let Some(line) = lines.next() else {
            return if heading.line == 0 {
                Ok(None)
            } else {
                Err(lines.error(0, Item::DrawingAfterKeys))
            };
        };
        let text = line.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        if heading.line == 0 {
            heading.line = lines.number;
        }
        let is_shown = is_column_numbers(text) || is_box_top(text);
        if is_shown || text.starts_with('+') && heading.goal.is_none() {
            let start = heading.line;
            return parse_page(lines, line, heading).map(|setup| Some((start, setup)));
        }
        if text.starts_with('+') {
            let start = heading.line;
            return parse_drawing(lines, line, heading).map(|setup| Some((start, setup)));
        }
        parse_key(lines, line, &mut heading)?;
    }
}

/// A drawing as `ricochet show` prints it, with its words.
fn parse_page(lines: &mut Lines<'_>, line: &str, heading: Heading) -> Result<Setup, ReadError> {
    if heading.goal.is_some()
        || heading.optimal.is_some()
        || heading.must_ricochet.is_some()
        || !heading.targets.is_empty()
    {
        return Err(lines.error(0, Item::OnlyId));
    }
    let mut top = line;
    if is_column_numbers(line) {
        let Some(below) = lines.next() else {
            return Err(lines.error(0, Item::DrawingBelowNumbers));
        };
        top = below;
    }
    let mut setup = parse_shown(lines, top)?;
    setup.id = heading.id;
    Ok(setup)
}

/// `key: value`.
fn parse_key(lines: &Lines<'_>, line: &str, heading: &mut Heading) -> Result<(), ReadError> {
    let unknown = || lines.error(0, Reason::found_text(Item::KeyOrDrawing, line.trim()));
    let Some((key, value)) = line.split_once(':') else {
        return Err(unknown());
    };
    // The start of the value, for messages.
    let at = key.chars().count() + 1 + (value.chars().count() - value.trim_start().chars().count());
    let value = value.trim();
    let twice = || {
        let key = key.trim().to_owned();
        lines.error(0, Reason::KeyTwice { key })
    };
    match key.trim() {
        "id" if heading.id.is_some() => return Err(twice()),
        "id" => {
            heading.id = Some(parse_id(value).map_err(|item| lines.error(at, item))?);
        }
        "optimal" if heading.optimal.is_some() => return Err(twice()),
        "optimal" => {
            let moves = value
                .parse()
                .map_err(|_| lines.error(at, Reason::found_text(Item::MoveCount, value)))?;
            heading.optimal = Some(moves);
        }
        "rules" if heading.must_ricochet.is_some() => return Err(twice()),
        "rules" => match value {
            "must-ricochet" => heading.must_ricochet = Some(true),
            "" => heading.must_ricochet = Some(false),
            _ => {
                let reason = Reason::found_text(Item::RuleName, value);
                return Err(lines.error(at, reason));
            }
        },
        "goal" if heading.goal.is_some() => return Err(twice()),
        "goal" => {
            let wanted = value
                .parse::<GoalDescription>()
                .map_err(|error| lines.error(at, error.reason))?;
            heading.goal = Some((wanted, (lines.number, at + 1)));
        }
        "target" => {
            let target = parse_target(value).map_err(|reason| lines.error(at, reason))?;
            if heading.targets.len() == MAX_CELLS {
                return Err(lines.error(0, Reason::TooManyTargets { most: MAX_CELLS }));
            }
            heading.targets.push(target);
        }
        _ => return Err(unknown()),
    }
    Ok(())
}

/// `red circle 4,1`.
fn parse_target(value: &str) -> Result<Target, Reason> {
    let mut words = value.split_whitespace();
    let robot = parse_color(words.next())?;
    let shape = words.next().unwrap_or("");
    let shape =
        Shape::from_name(shape).ok_or_else(|| Reason::found_text(Item::ShapeName, shape))?;
    let cell = parse_cell(words.next().unwrap_or(""))?;
    match words.next() {
        None => Ok(Target { cell, robot, shape }),
        Some(word) => Err(Reason::found_text(Item::EndOfLine, word)),
    }
}

/// A colour's name, or `any` (`None`).
pub(super) fn parse_color(word: Option<&str>) -> Result<Option<Robot>, Reason> {
    let word = word.unwrap_or("");
    if word == "any" {
        return Ok(None);
    }
    let letter = || {
        let mut letters = word.chars();
        let robot = letters.next().and_then(Robot::from_letter);
        robot.filter(|_| letters.next().is_none())
    };
    Robot::from_name(word)
        .or_else(letter)
        .map(Some)
        .ok_or_else(|| Reason::found_text(Item::ColorOrAny, word))
}

/// `column,row`.
pub(super) fn parse_cell(word: &str) -> Result<Cell, Reason> {
    let cell = word
        .split_once(',')
        .and_then(|(x, y)| Some(Cell::new(x.parse().ok()?, y.parse().ok()?)));
    cell.ok_or_else(|| Reason::found_text(Item::CellPair, word))
}

/// A name: verbatim, or in quotes with escapes.
fn parse_id(value: &str) -> Result<String, Item> {
    let Some(quoted) = value.strip_prefix('"') else {
        return Ok(value.to_string());
    };
    let mut id = String::new();
    let mut letters = quoted.chars();
    loop {
        match letters.next() {
            None => return Err(Item::ClosingQuote),
            Some('"') if letters.as_str().is_empty() => return Ok(id),
            Some('"') => return Err(Item::NothingAfterQuote),
            Some('\\') => id.push(parse_escape(&mut letters)?),
            Some(letter) => id.push(letter),
        }
    }
}

/// What follows a backslash: `n`, `r`, `t`, `"`, `\`, `'` or `u{hex}`.
fn parse_escape(letters: &mut std::str::Chars<'_>) -> Result<char, Item> {
    match letters.next() {
        Some('n') => Ok('\n'),
        Some('r') => Ok('\r'),
        Some('t') => Ok('\t'),
        Some(letter @ ('"' | '\\' | '\'')) => Ok(letter),
        Some('u') => {
            let code = letters.as_str().strip_prefix('{').and_then(|rest| {
                let (code, after) = rest.split_once('}')?;
                *letters = after.chars();
                char::from_u32(u32::from_str_radix(code, 16).ok()?)
            });
            code.ok_or(Item::EscapedNumber)
        }
        _ => Err(Item::Escape),
    }
}

fn parse_drawing(lines: &mut Lines<'_>, top: &str, heading: Heading) -> Result<Setup, ReadError> {
    let grid = parse_top(lines, top)?;
    let first_line = lines.number;
    let Some((wanted, (line, column))) = heading.goal else {
        return Err(lines.error(0, Item::GoalLine));
    };
    let mut drawing = Drawing::new(grid, first_line);
    drawing.wall_line(lines, top)?;
    while let Some(line) = lines.peek() {
        let mut start = line.chars().skip(grid.indent);
        if line.trim().is_empty()
            || line.chars().take(grid.indent).any(|c| c != ' ')
            || !matches!(start.next(), Some(' ' | '|'))
        {
            break;
        }
        lines.next();
        drawing.cell_line(lines, line)?;
        let Some(below) = lines.next() else {
            return Err(lines.error(0, Item::WallsBelow));
        };
        drawing.wall_line(lines, below)?;
    }
    if drawing.height == 0 {
        return Err(lines.error(0, Item::CellsBelow));
    }
    let wanted = match (wanted.cell(), drawing.goal) {
        (Some(_), Some(_)) => {
            return Err(ReadError::new(first_line, 1, Reason::GoalCellTwice));
        }
        (None, Some(cell)) => wanted.at(cell),
        (None, None) if heading.targets.is_empty() && !wanted.needs_a_target() => {
            return Err(ReadError::new(first_line, 1, Item::GoalMark));
        }
        _ => wanted,
    };
    let mut setup = drawing.finish()?;
    setup.id = heading.id;
    setup.optimal = heading.optimal;
    setup.rules.must_ricochet = heading.must_ricochet.unwrap_or(false);
    setup.targets = heading.targets;
    if setup.targets.is_empty() && wanted.needs_a_target() {
        setup.targets = setup.printed_targets();
    }
    let goal = wanted
        .goal(&setup.targets)
        .map_err(|error| ReadError::new(line, column, error.reason))?;
    setup.active = goal.robot.map(Robot::index);
    setup.target = goal.cell;
    Ok(setup)
}

/// Draws a puzzle; everything about it is kept.
///
/// ```
/// use ricochet_core::{Board, Cell, Direction, Goal, Puzzle, Robot, notation};
/// let board = Board::builder(3, 2).wall(Cell::new(1, 0), Direction::East).build().unwrap();
/// let goal = Goal { robot: Some(Robot::RED), cell: Cell::new(2, 1) };
/// let puzzle = Puzzle::new(board, &[Cell::new(0, 0)], goal).unwrap();
/// let text = notation::to_text(&puzzle);
/// assert_eq!(text, "\
/// goal: red
/// +---+---+---+
/// | R     |   |
/// +   +   +   +
/// |         * |
/// +---+---+---+");
/// assert_eq!(notation::parse_text(&text).unwrap().validate(), Ok(puzzle));
/// ```
pub fn to_text(puzzle: &Puzzle) -> String {
    let board = puzzle.board();
    let mut text = String::new();
    print_heading(puzzle, &mut text);
    let contents: Vec<String> = board.cells().map(|cell| content(puzzle, cell)).collect();
    // Three characters per cell are enough unless a robot, a diagonal and the goal meet.
    let inside = contents.iter().map(String::len).max().unwrap_or(0).max(3);
    for y in 0..board.height() as u8 {
        wall_line(puzzle, y, Direction::North, inside, &mut text);
        for x in 0..board.width() as u8 {
            let cell = Cell::new(x, y);
            text.push(if board.has_wall(cell, Direction::West) {
                '|'
            } else {
                ' '
            });
            let content = &contents[board.index(cell)];
            if board.is_closed(cell) {
                text.extend(std::iter::repeat_n('#', inside));
            } else {
                let left = (inside - content.len()).div_ceil(2);
                let width = inside - left;
                let _ = write!(text, "{:left$}{content:width$}", "");
            }
        }
        text.push_str("|\n");
    }
    let last = board.height() as u8 - 1;
    wall_line(puzzle, last, Direction::South, inside, &mut text);
    text.pop();
    text
}

/// The line with a puzzle's name, in quotes if it has unusual characters.
pub(super) fn id_line(id: &str) -> String {
    let plain = !id.is_empty()
        && id == id.trim()
        && !id.starts_with('"')
        && id
            .bytes()
            .all(|byte| byte == b' ' || byte.is_ascii_graphic());
    if plain {
        format!("id: {id}\n")
    } else {
        format!("id: \"{}\"\n", id.escape_default())
    }
}

fn print_heading(puzzle: &Puzzle, text: &mut String) {
    if let Some(id) = puzzle.id() {
        text.push_str(&id_line(id));
    }
    if let Some(optimal) = puzzle.known_optimal() {
        let _ = writeln!(text, "optimal: {optimal}");
    }
    if puzzle.rules().must_ricochet {
        text.push_str("rules: must-ricochet\n");
    }
    let _ = writeln!(
        text,
        "goal: {}",
        puzzle.goal().robot.map_or("any", Robot::name)
    );
    for target in puzzle.board().targets() {
        let robot = target.robot.map_or("any", Robot::name);
        let Cell { x, y } = target.cell;
        let _ = writeln!(text, "target: {robot} {} {x},{y}", target.shape);
    }
}

/// Robot, diagonal and goal of a cell.
fn content(puzzle: &Puzzle, cell: Cell) -> String {
    let mut content = String::new();
    if let Some((robot, _)) = puzzle.start().iter().find(|&(_, at)| at == cell) {
        content.push(robot.letter());
    }
    if let Some(diagonal) = puzzle.board().diagonal(cell) {
        content.push(diagonal.lean.symbol());
        content.push(diagonal.color.letter().to_ascii_lowercase());
    }
    if puzzle.goal().cell == cell {
        content.push('*');
    }
    content
}

/// The walls north or south of a row.
fn wall_line(puzzle: &Puzzle, y: u8, side: Direction, inside: usize, text: &mut String) {
    let board = puzzle.board();
    for x in 0..board.width() as u8 {
        text.push('+');
        let symbol = if board.has_wall(Cell::new(x, y), side) {
            '-'
        } else {
            ' '
        };
        text.extend(std::iter::repeat_n(symbol, inside));
    }
    text.push_str("+\n");
}
