//! The words around a drawing that is shown to people: printed here, and read here.

use std::fmt::Write as _;

use super::error::short;
use super::text::{parse_cell, parse_color};
use super::text_print::id_line;
use crate::board::{Diagonal, Shape, Target};
use crate::describe::{Task, is_task, join_with_and, task};
use crate::geometry::Cell;
use crate::puzzle::Puzzle;
use crate::quadrants::Layout;
use crate::robot::Robot;

/// A drawing of `ricochet-draw` for the terminal with the puzzle's name above and in words below it
/// what cannot be seen. [`parse_text`](super::parse_text) reads the whole back.
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

/// Before the list of what stands under robots, or of diagonals with a target on them.
const COVERED: &str = "Covered: ";
/// Before the list of what is printed on the goal's cell, where the drawing shows the goal alone.
const AT_GOAL: &str = "Printed at the goal: ";

/// What stands under robots or a printed target, so that its colour or shape is hidden. What is
/// printed at the goal is for [`printed_at_goal`], as nothing covers it on a real board.
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

/// What the cell of the goal carries: its shape, and the colour of a diagonal, have no room beside
/// the letter of the robot that has to arrive.
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

/// What the words below a drawing say.
#[derive(Default)]
pub(super) struct Below {
    pub(super) goal: Option<(Option<Robot>, Cell)>,
    pub(super) must_ricochet: bool,
    pub(super) optimal: Option<u32>,
    pub(super) targets: Vec<Target>,
    pub(super) diagonals: Vec<(Cell, Robot)>,
}

/// Whether a line is one of those that [`page`] prints below a drawing.
pub(super) fn is_below(line: &str) -> bool {
    let starts = ["Robots: ", "Board: ", COVERED, AT_GOAL, "Stated optimum: "];
    starts.iter().any(|start| line.starts_with(start)) || is_task(line)
}

impl Below {
    /// Takes one line for which [`is_below`] holds.
    pub(super) fn read(&mut self, line: &str) -> Result<(), String> {
        let line = line.trim();
        let sentence = line
            .strip_suffix('.')
            .ok_or("expected '.' at the end of the sentence")?;
        if let Some(task) = Task::read(sentence) {
            let task = task?;
            let cell = parse_bracketed(task.cell)?;
            self.must_ricochet = task.must_ricochet;
            self.goal = Some((parse_color(Some(task.who))?, cell));
        } else if let Some(moves) = sentence.strip_prefix("Stated optimum: ") {
            let moves = moves
                .parse()
                .map_err(|_| format!("expected a number of moves, found {}", short(moves)))?;
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
    fn read_printed(&mut self, item: &str) -> Result<(), String> {
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
                return Err(format!(
                    "expected a target or a diagonal such as 'red circle (4,1)', found {}",
                    short(item)
                ));
            }
        }
        Ok(())
    }
}

/// `(3,4)`.
fn parse_bracketed(text: &str) -> Result<Cell, String> {
    let inner = text
        .strip_prefix('(')
        .and_then(|text| text.strip_suffix(')'));
    parse_cell(inner.unwrap_or(text))
}
