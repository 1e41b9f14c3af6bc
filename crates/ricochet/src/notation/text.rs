//! The drawn form: its reader. The grammar is in the [module's documentation](super).

use super::error::{ReadError, short};
use crate::board::{Diagonal, Lean, Shape, Target};
use crate::geometry::{Cell, Direction, MAX_SIDE};
use crate::puzzle::Setup;
use crate::robot::{MAX_ROBOTS, Robot};

/// Wider cells help nobody, and lines must not grow without bounds.
const MAX_INSIDE: usize = 15;

/// The same for the space before a drawing.
const MAX_INDENT: usize = 80;

/// Reads the drawn form of exactly one puzzle.
///
/// ```
/// use ricochet::notation::parse_text;
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
/// The first thing that is not as the grammar says.
pub fn parse_text(text: &str) -> Result<Setup, ReadError> {
    let mut found = parse_texts(text)?.into_iter();
    match (found.next(), found.next()) {
        (Some((_, setup)), None) => Ok(setup),
        (_, Some((line, _))) => Err(ReadError::new(
            line,
            1,
            "expected one puzzle, found a second one",
        )),
        (None, _) => Err(ReadError::new(1, 1, "expected a puzzle, found nothing")),
    }
}

/// Reads the drawn form of any number of puzzles; each comes with the line at which it begins.
///
/// # Errors
/// The first thing that is not as the grammar says.
pub fn parse_texts(text: &str) -> Result<Vec<(usize, Setup)>, ReadError> {
    let mut lines = Lines::new(text);
    let mut found = Vec::new();
    while let Some(puzzle) = parse_next(&mut lines)? {
        found.push(puzzle);
    }
    Ok(found)
}

/// The lines of a text with their numbers.
struct Lines<'a> {
    lines: std::iter::Peekable<std::iter::Enumerate<std::str::Lines<'a>>>,
    /// Number of the line that was taken last.
    number: usize,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            lines: text.lines().enumerate().peekable(),
            number: 0,
        }
    }

    fn peek(&mut self) -> Option<&'a str> {
        self.lines.peek().map(|&(_, line)| line)
    }

    fn next(&mut self) -> Option<&'a str> {
        let (index, line) = self.lines.next()?;
        self.number = index + 1;
        Some(line)
    }

    /// An error in the line that was taken last; `at` counts characters from 0.
    fn error(&self, at: usize, message: impl Into<String>) -> ReadError {
        ReadError::new(self.number.max(1), at + 1, message)
    }
}

/// What the lines above a drawing say.
#[derive(Default)]
struct Heading {
    id: Option<String>,
    optimal: Option<u32>,
    must_ricochet: Option<bool>,
    /// Who has to arrive, and where if that is not drawn.
    goal: Option<(Option<Robot>, Option<Cell>)>,
    targets: Vec<Target>,
    /// The first line of it.
    line: usize,
}

fn parse_next(lines: &mut Lines<'_>) -> Result<Option<(usize, Setup)>, ReadError> {
    let mut heading = Heading::default();
    loop {
        let Some(line) = lines.next() else {
            return if heading.line == 0 {
                Ok(None)
            } else {
                Err(lines.error(0, "expected a drawing (+---+---+) after these lines"))
            };
        };
        let text = line.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        if heading.line == 0 {
            heading.line = lines.number;
        }
        if text.starts_with('+') {
            let start = heading.line;
            return parse_drawing(lines, line, heading).map(|setup| Some((start, setup)));
        }
        parse_key(lines, line, &mut heading)?;
    }
}

/// `key: value`.
fn parse_key(lines: &Lines<'_>, line: &str, heading: &mut Heading) -> Result<(), ReadError> {
    let wanted =
        "expected 'goal:', 'id:', 'optimal:', 'rules:', 'target:' or a drawing (+---+---+)";
    let Some((key, value)) = line.split_once(':') else {
        return Err(lines.error(0, format!("{wanted}, found {}", short(line.trim()))));
    };
    // Where the value begins, for messages.
    let at = key.chars().count() + 1 + (value.chars().count() - value.trim_start().chars().count());
    let value = value.trim();
    let twice = || lines.error(0, format!("'{}:' twice", key.trim()));
    match key.trim() {
        "id" if heading.id.is_some() => return Err(twice()),
        "id" => {
            heading.id = Some(parse_id(value).map_err(|message| lines.error(at, message))?);
        }
        "optimal" if heading.optimal.is_some() => return Err(twice()),
        "optimal" => {
            let moves = value.parse().map_err(|_| {
                lines.error(
                    at,
                    format!("expected a number of moves, found {}", short(value)),
                )
            })?;
            heading.optimal = Some(moves);
        }
        "rules" if heading.must_ricochet.is_some() => return Err(twice()),
        "rules" => match value {
            "must-ricochet" => heading.must_ricochet = Some(true),
            "" => heading.must_ricochet = Some(false),
            _ => {
                let message = format!("expected must-ricochet or nothing, found {}", short(value));
                return Err(lines.error(at, message));
            }
        },
        "goal" if heading.goal.is_some() => return Err(twice()),
        "goal" => {
            let mut words = value.split_whitespace();
            let robot = parse_color(words.next()).map_err(|message| lines.error(at, message))?;
            let cell = match words.next() {
                None => None,
                Some(word) => Some(parse_cell(word).map_err(|message| lines.error(at, message))?),
            };
            if let Some(word) = words.next() {
                let message = format!("expected the end of the line, found {}", short(word));
                return Err(lines.error(at, message));
            }
            heading.goal = Some((robot, cell));
        }
        "target" => {
            let target = parse_target(value).map_err(|message| lines.error(at, message))?;
            heading.targets.push(target);
        }
        _ => return Err(lines.error(0, format!("{wanted}, found {}", short(line.trim())))),
    }
    Ok(())
}

/// `red circle 4,1`.
fn parse_target(value: &str) -> Result<Target, String> {
    let mut words = value.split_whitespace();
    let robot = parse_color(words.next())?;
    let shape = words.next().unwrap_or("");
    let shape = Shape::from_name(shape).ok_or_else(|| {
        let found = short(shape);
        format!("expected circle, triangle, square, hexagon or vortex, found {found}")
    })?;
    let cell = parse_cell(words.next().unwrap_or(""))?;
    match words.next() {
        None => Ok(Target { cell, robot, shape }),
        Some(word) => Err(format!(
            "expected the end of the line, found {}",
            short(word)
        )),
    }
}

/// A colour's name, or `any` (`None`).
fn parse_color(word: Option<&str>) -> Result<Option<Robot>, String> {
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
        .ok_or_else(|| {
            format!(
                "expected a colour (red, green, …) or any, found {}",
                short(word)
            )
        })
}

/// `column,row`.
fn parse_cell(word: &str) -> Result<Cell, String> {
    let cell = word
        .split_once(',')
        .and_then(|(x, y)| Some(Cell::new(x.parse().ok()?, y.parse().ok()?)));
    cell.ok_or_else(|| format!("expected a cell such as 9,12, found {}", short(word)))
}

/// A name: as it stands, or in quotes with escapes.
fn parse_id(value: &str) -> Result<String, String> {
    let Some(quoted) = value.strip_prefix('"') else {
        return Ok(value.to_string());
    };
    let mut id = String::new();
    let mut letters = quoted.chars();
    loop {
        match letters.next() {
            None => return Err("expected '\"' at the end of the name".into()),
            Some('"') if letters.as_str().is_empty() => return Ok(id),
            Some('"') => return Err("expected nothing after the name's closing '\"'".into()),
            Some('\\') => id.push(parse_escape(&mut letters)?),
            Some(letter) => id.push(letter),
        }
    }
}

/// What follows a backslash: `n`, `r`, `t`, `"`, `\`, `'` or `u{hex}`.
fn parse_escape(letters: &mut std::str::Chars<'_>) -> Result<char, String> {
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
            code.ok_or_else(|| "expected \\u{…} with the number of a character".into())
        }
        _ => Err("expected n, r, t, \", \\ or u{…} after '\\'".into()),
    }
}

/// Where the cells are in the lines of a drawing.
#[derive(Clone, Copy)]
struct Grid {
    /// Characters before the drawing.
    indent: usize,
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

fn parse_drawing(lines: &mut Lines<'_>, top: &str, heading: Heading) -> Result<Setup, ReadError> {
    let grid = parse_top(lines, top)?;
    let first_line = lines.number;
    let Some((robot, goal_cell)) = heading.goal else {
        return Err(lines.error(0, "expected a 'goal:' line above the drawing"));
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
            return Err(lines.error(0, "expected a line of walls (+---+) below this one"));
        };
        drawing.wall_line(lines, below)?;
    }
    if drawing.height == 0 {
        return Err(lines.error(0, "expected a row of cells (|   |   |) below this line"));
    }
    let target = match (goal_cell, drawing.goal) {
        (Some(_), Some(_)) => {
            return Err(ReadError::new(
                first_line,
                1,
                "the goal's cell is given by 'goal:' and by '*' as well",
            ));
        }
        (Some(cell), None) | (None, Some(cell)) => cell,
        (None, None) => {
            return Err(ReadError::new(
                first_line,
                1,
                "expected a '*' in the drawing, or a cell in the 'goal:' line",
            ));
        }
    };
    let mut setup = drawing.finish()?;
    setup.id = heading.id;
    setup.optimal = heading.optimal;
    setup.rules.must_ricochet = heading.must_ricochet.unwrap_or(false);
    setup.active = robot.map(Robot::index);
    setup.target = target;
    setup.targets = heading.targets;
    Ok(setup)
}

/// The first line of a drawing tells where the cells are.
fn parse_top(lines: &Lines<'_>, top: &str) -> Result<Grid, ReadError> {
    let top = top.trim_end();
    let indent = top.len() - top.trim_start().len();
    if indent > MAX_INDENT {
        return Err(lines.error(
            0,
            format!("expected at most {MAX_INDENT} spaces before a drawing"),
        ));
    }
    if top[..indent].contains(|c| c != ' ') {
        return Err(lines.error(
            0,
            "expected spaces before the drawing, found something else",
        ));
    }
    let edge = &top[indent..];
    let inside = edge[1..].bytes().take_while(|&byte| byte == b'-').count();
    let step = inside + 1;
    for (at, letter) in edge.chars().enumerate() {
        let wanted = if at % step == 0 { '+' } else { '-' };
        if inside == 0 || letter != wanted {
            let message = "expected the upper edge of a drawing (+---+---+)";
            return Err(lines.error(indent + at, message));
        }
    }
    if inside > MAX_INSIDE {
        let message = format!("expected cells of at most {MAX_INSIDE} characters, found {inside}");
        return Err(lines.error(indent, message));
    }
    let columns = (edge.len() - 1) / step;
    if !(edge.len() - 1).is_multiple_of(step) {
        return Err(lines.error(top.len(), "expected '+' at the end of the upper edge"));
    }
    if columns > MAX_SIDE {
        let message = format!("expected at most {MAX_SIDE} columns, found {columns}");
        return Err(lines.error(indent, message));
    }
    Ok(Grid {
        indent,
        inside,
        columns,
    })
}

/// What was drawn so far.
struct Drawing {
    grid: Grid,
    first_line: usize,
    height: usize,
    walls: Vec<u8>,
    closed: Vec<Cell>,
    diagonals: Vec<Diagonal>,
    robots: [Option<Cell>; MAX_ROBOTS],
    goal: Option<Cell>,
}

impl Drawing {
    fn new(grid: Grid, first_line: usize) -> Self {
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

    /// Sets both sides of an edge, as far as they are on the board.
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

    /// The characters of a line of the drawing, with the spaces at its end that editors strip.
    fn characters(&self, lines: &Lines<'_>, line: &str) -> Result<Vec<char>, ReadError> {
        let end = self.grid.left_of(self.grid.columns);
        let mut letters: Vec<char> = line.trim_end().chars().take(end + 2).collect();
        if letters.len() > end + 1 {
            return Err(lines.error(end + 1, "expected the drawing's line to end here"));
        }
        letters.resize(end + 1, ' ');
        let odd = |&(at, c): &(usize, &char)| {
            !(*c == ' ' || c.is_ascii_graphic() && at >= self.grid.indent)
        };
        if let Some((at, &letter)) = letters.iter().enumerate().find(odd) {
            let message = format!(
                "expected plain characters and spaces, found '{}'",
                letter.escape_debug()
            );
            return Err(lines.error(at, message));
        }
        Ok(letters)
    }

    /// The walls between the rows above and below.
    fn wall_line(&mut self, lines: &Lines<'_>, line: &str) -> Result<(), ReadError> {
        let letters = self.characters(lines, line)?;
        for x in 0..=self.grid.columns {
            let at = self.grid.left_of(x);
            if !matches!(letters[at], '+' | '-' | '|' | ' ') {
                return Err(lines.error(at, format!("expected '+', found '{}'", letters[at])));
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
                let message = format!(
                    "expected a whole wall ({}) or none, found '{}'",
                    "-".repeat(self.grid.inside.min(9)),
                    edge[odd]
                );
                return Err(lines.error(at + 1 + odd, message));
            }
            if drawn {
                // The row above was drawn already; the one below is filled in when it comes.
                if self.height > 0 {
                    self.add_wall(Cell::new(x as u8, self.height as u8 - 1), Direction::South);
                }
                self.below(x);
            }
        }
        Ok(())
    }

    /// Remembers that the row to come has a wall north of column `x`.
    fn below(&mut self, x: usize) {
        let start = self.height * self.grid.columns;
        if self.walls.len() <= start {
            self.walls.resize(start + self.grid.columns, 0);
        }
        self.walls[start + x] |= Direction::North.wall_bit();
    }

    /// One row of cells, with the walls between them.
    fn cell_line(&mut self, lines: &Lines<'_>, line: &str) -> Result<(), ReadError> {
        let y = self.height;
        if y == MAX_SIDE {
            return Err(lines.error(
                0,
                format!("expected at most {MAX_SIDE} rows, found another one"),
            ));
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
                    let message = format!("expected a wall '|' or a space, found '{other}'");
                    return Err(lines.error(at, message));
                }
            }
            if x < self.grid.columns {
                let inside = &letters[at + 1..=at + self.grid.inside];
                self.cell(lines, Cell::new(x as u8, y as u8), inside, at + 1)?;
            }
        }
        Ok(())
    }

    /// What stands in one cell.
    fn cell(
        &mut self,
        lines: &Lines<'_>,
        cell: Cell,
        inside: &[char],
        start: usize,
    ) -> Result<(), ReadError> {
        let mut at = 0;
        while at < inside.len() {
            let error = |message: &str| {
                Err(lines.error(start + at, format!("{message}, found '{}'", inside[at])))
            };
            match inside[at] {
                ' ' => {}
                '#' => {
                    if self.closed.last() != Some(&cell) {
                        self.closed.push(cell);
                    }
                }
                '*' if self.goal.is_some() => return error("expected only one goal"),
                '*' => self.goal = Some(cell),
                symbol @ ('/' | '\\') => {
                    let color = inside.get(at + 1).filter(|c| c.is_ascii_lowercase());
                    let Some(color) = color.and_then(|&c| Robot::from_letter(c)) else {
                        let message =
                            "expected the colour (r g b y w o p c) right after a diagonal";
                        return Err(lines.error(start + at + 1, message));
                    };
                    let lean = Lean::from_symbol(symbol).unwrap_or(Lean::Slash);
                    self.diagonals.push(Diagonal { cell, lean, color });
                    at += 1;
                }
                letter => {
                    match Robot::from_letter(letter).filter(|_| letter.is_ascii_uppercase()) {
                        None => {
                            return error(
                                "expected a robot (R G B Y W O P C), '*', '#', '/' or '\\'",
                            );
                        }
                        Some(robot) if self.robots[robot.index()].is_some() => {
                            return error("expected each robot once");
                        }
                        Some(robot) => self.robots[robot.index()] = Some(cell),
                    }
                }
            }
            at += 1;
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Setup, ReadError> {
        // The lower rim left a row that does not exist.
        self.walls.truncate(self.height * self.grid.columns);
        for cell in std::mem::take(&mut self.closed) {
            for side in Direction::ALL {
                self.add_wall(cell, side);
            }
        }
        let count = self.robots.iter().flatten().count();
        if let Some(gap) = self.robots[..count].iter().position(Option::is_none) {
            let message = format!(
                "expected robot {}: robots are drawn without gaps in the order {}",
                Robot::ALL[gap].letter(),
                Robot::LETTERS
            );
            return Err(ReadError::new(self.first_line, 1, message));
        }
        let mut setup = Setup::empty(self.grid.columns, self.height);
        setup.walls = self.walls;
        setup.diagonals = self.diagonals;
        setup.robots = self.robots.into_iter().flatten().collect();
        Ok(setup)
    }
}
