//! The drawn form: its writer. The grammar is in the [module's documentation](super).

use std::fmt::Write as _;

use crate::geometry::{Cell, Direction};
use crate::puzzle::Puzzle;
use crate::robot::Robot;

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
    // Three characters a cell are enough unless a robot, a diagonal and the goal meet.
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
