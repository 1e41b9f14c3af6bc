//! The smallest boards: a cell is one character and one column for the wall west of it, so 16×16
//! cells take 33 columns and 17 rows.
//!
//! | in a cell | means |
//! |---|---|
//! | `R` | a robot |
//! | `r` | the target of a robot, without its shape |
//! | `[r]` | the goal; `[*]` if any robot may reach it |
//! | `⌊r⌋` | the goal above a wall (`{r}` in ASCII) |
//! | `◎` | the vortex (`@` in ASCII) |
//! | `╱` `╲` | a diagonal (`/ \` in ASCII); its colour shows only in colour |
//! | `░` | a closed cell (`#` in ASCII) |
//! | `7` | the number of an overlay; `+` is ten or more |
//! | `·` | nothing (`.` in ASCII) |
//!
//! A wall south of a cell is an underline in the cell, or next to what stands in it. A wall next to
//! the goal replaces a bracket; a goal between two walls is `*`, so that it never looks like another
//! target.

use anstyle::Style;
use ricochet_core::{Cell, Goal, Shape};

use super::style::{faint, goal_style, robot_block, robot_style, value_style};
use super::{Contents, Terminal, TextPicture};
use crate::scene::walls;

/// Columns from one cell to the next.
pub(super) const CELL_COLUMNS: usize = 2;
/// Rows above the first cell.
const RIM_ROWS: usize = 1;

/// Draws a board.
pub(super) fn draw(terminal: Terminal, contents: Contents<'_>) -> TextPicture {
    let Contents {
        board,
        robots,
        goal,
        overlay,
    } = contents;
    let (left, top) = terminal.origin();
    let (width, height) = (board.width(), board.height());
    let mut picture = TextPicture::blank(left + width * CELL_COLUMNS + 1, top + RIM_ROWS + height);
    let line = terminal.pick('▁', '_');
    let fill = terminal.pick('░', '#');
    let plain = Style::new();
    // Numbers cover diagonals, but neither robots nor the goal nor closed cells.
    let stands_above = |cell: Cell| {
        board.is_closed(cell)
            || robots.is_some_and(|robots| robots.robot_at(cell).is_some())
            || goal.is_some_and(|goal| goal.cell == cell)
    };
    for column in 1..width * CELL_COLUMNS {
        picture.put(left + column, top, line, plain);
    }
    for y in 0..height {
        let row = top + RIM_ROWS + y;
        let pieces: Vec<Option<(char, Style)>> = (0..width)
            .map(|x| {
                let cell = Cell::new(x as u8, y as u8);
                let value = overlay.and_then(|overlay| {
                    let value = overlay.value(board, cell)?;
                    let digit = char::from_digit(value, 10).unwrap_or('+');
                    Some((digit, value_style(overlay, value)))
                });
                piece(terminal, contents, cell)
                    .filter(|_| value.is_none() || stands_above(cell))
                    .or(value)
            })
            .collect();
        let is_closed = |x: usize| board.is_closed(Cell::new(x as u8, y as u8));
        let is_walled = |x: usize| walls::north_of(board, x, y + 1);
        for x in 0..=width {
            let column = left + x * CELL_COLUMNS;
            let sides = [x.checked_sub(1), (x < width).then_some(x)];
            let both =
                |there: &dyn Fn(usize) -> bool| sides.iter().all(|side| side.is_some_and(there));
            // If something is in the cell, its underline is next to that.
            let beside = |x: usize| is_walled(x) && pieces[x].is_some() && !is_closed(x);
            if walls::west_of(board, x, y) {
                picture.put(column, row, terminal.pick('┃', '|'), plain);
            } else if both(&is_closed) {
                picture.put(column, row, fill, faint());
            } else if both(&is_walled) || sides.into_iter().flatten().any(beside) {
                picture.put(column, row, line, plain);
            }
            if x < width {
                let (glyph, style) = match pieces[x] {
                    Some(piece) => piece,
                    None if is_walled(x) => (line, plain),
                    None => (terminal.pick('·', '.'), faint()),
                };
                picture.put(column + 1, row, glyph, style);
            }
        }
    }
    if let Some(goal) = goal {
        put_brackets(terminal, &mut picture, contents, goal);
    }
    number_cells(terminal, &mut picture, width, height);
    picture
}

/// Marks the goal, which must stand out even without colour: brackets, with feet if there is a wall
/// below it. Walls on its sides take precedence.
fn put_brackets(terminal: Terminal, picture: &mut TextPicture, contents: Contents<'_>, goal: Goal) {
    let (left, top) = terminal.origin();
    let (x, y) = (usize::from(goal.cell.x), usize::from(goal.cell.y));
    let (column, row) = (left + x * CELL_COLUMNS, top + RIM_ROWS + y);
    let style = goal_style(goal.robot);
    let is_walled = walls::north_of(contents.board, x, y + 1);
    let brackets = if is_walled {
        terminal.pick(['⌊', '⌋'], ['{', '}'])
    } else {
        ['[', ']']
    };
    let mut free: Vec<(usize, char)> = [column, column + CELL_COLUMNS]
        .into_iter()
        .zip(brackets)
        .enumerate()
        .filter(|&(side, _)| !walls::west_of(contents.board, x + side, y))
        .map(|(_, place)| place)
        .collect();
    if free.is_empty() {
        let robots = contents.robots;
        let is_covered = robots.is_some_and(|robots| robots.robot_at(goal.cell).is_some());
        if !is_covered {
            picture.put(column + 1, row, '*', style);
        }
        return;
    }
    // One bracket is enough if the other would hide the underline of a neighbour.
    if !is_walled && free.iter().any(|&(at, _)| picture.at(at, row).0 == ' ') {
        free.retain(|&(at, _)| picture.at(at, row).0 == ' ');
    }
    for (at, bracket) in free {
        picture.put(at, row, bracket, style);
    }
}

/// The character of what is in a cell.
fn piece(terminal: Terminal, contents: Contents<'_>, cell: Cell) -> Option<(char, Style)> {
    let board = contents.board;
    if let Some(robot) = contents.robots.and_then(|robots| robots.robot_at(cell)) {
        return Some((robot.letter(), robot_block(robot)));
    }
    if board.is_closed(cell) {
        return Some((terminal.pick('░', '#'), faint()));
    }
    if let Some(goal) = contents.goal.filter(|goal| goal.cell == cell) {
        let letter = goal.robot.map(|robot| robot.letter().to_ascii_lowercase());
        return Some((letter.unwrap_or('*'), goal_style(goal.robot)));
    }
    if let Some(target) = board.targets().iter().find(|target| target.cell == cell) {
        return Some(match target.robot {
            Some(robot) => (robot.letter().to_ascii_lowercase(), robot_style(robot)),
            None => (terminal.shape_glyph(Shape::Vortex), Style::new()),
        });
    }
    let diagonal = board.diagonal(cell)?;
    let glyph = terminal.lean_glyph(diagonal.lean);
    Some((glyph, robot_style(diagonal.color).bold()))
}

/// Writes the row numbers and the last digits of the column numbers: two digits do not fit.
fn number_cells(terminal: Terminal, picture: &mut TextPicture, width: usize, height: usize) {
    if !terminal.coordinates {
        return;
    }
    let (left, top) = terminal.origin();
    for x in 0..width {
        let digit = (x % 10).to_string();
        picture.write(left + x * CELL_COLUMNS + 1, 0, &digit, faint());
    }
    for y in 0..height {
        let number = format!("{y:>2}");
        picture.write(0, top + RIM_ROWS + y, &number, faint());
    }
}

#[cfg(test)]
mod tests {
    use ricochet_core::quadrants::Layout;
    use ricochet_core::{Board, Direction, Puzzle, Robot, State, notation};

    use super::*;
    use crate::{BoardSize, Charset, Overlay};

    fn narrow(charset: Charset) -> Terminal {
        Terminal::new(charset)
            .size(BoardSize::Narrow)
            .without_coordinates()
    }

    #[test]
    fn a_board_in_ascii() {
        let board = Board::builder(4, 2)
            .wall(Cell::new(2, 0), Direction::East)
            .wall(Cell::new(2, 0), Direction::South)
            .target(Cell::new(2, 0), Some(Robot::BLUE), Shape::Circle)
            .build()
            .unwrap();
        let robots = State::new(&[Cell::new(0, 0)]);
        assert_eq!(
            narrow(Charset::Ascii).board(&board, robots).plain(),
            " _______\n\
             |R ._b|.|\n\
             |_______|\n"
        );
    }

    #[test]
    fn an_overlay_has_one_digit_for_each_cell() {
        let puzzle = notation::parse_line("4x2..00.R10").unwrap();
        let puzzle = puzzle.validate().unwrap();
        let overlay = Overlay::new("five times the column", puzzle.board(), |cell| {
            Some(5 * u32::from(cell.x))
        });
        assert_eq!(
            narrow(Charset::Ascii).overlay(&puzzle, &overlay).plain(),
            " _______\n\
             |R[r]+ +|\n\
             |0_5_+_+|\n"
        );
    }

    #[test]
    fn a_whole_board_has_every_target_and_diagonal() {
        let board = "1D 4B 3B 2D".parse::<Layout>().unwrap().board();
        let picture = narrow(Charset::Unicode).board(&board, None);
        assert_eq!((picture.width(), picture.height()), (33, 17));
        let text = picture.plain();
        let count = |glyphs: &str| text.chars().filter(|&c| glyphs.contains(c)).count();
        assert_eq!(count("rgby◎"), 17, "{text}");
        assert_eq!(count("╱╲"), 4, "{text}");
        assert_eq!(
            count("░"),
            2 * 3,
            "the closed centre looks like one block: {text}"
        );
    }

    /// Walls below targets are next to their letters.
    #[test]
    fn no_wall_is_hidden() {
        for side in crate::sheet::quadrant::all() {
            let board = side.board();
            let picture = narrow(Charset::Unicode).board(&board, None);
            for y in 0..board.height() {
                for x in 0..board.width() {
                    let (column, row) = (x * CELL_COLUMNS, RIM_ROWS + y);
                    let glyph = |column| picture.at(column, row).0;
                    let before = walls::west_of(&board, x, y);
                    assert_eq!(glyph(column) == '┃', before, "{side} ({x},{y})");
                    if walls::north_of(&board, x, y + 1) {
                        let around = [column, column + 1, column + 2].map(glyph);
                        let closed = board.is_closed(Cell::new(x as u8, y as u8));
                        assert!(around.contains(&'▁') || closed, "{side} ({x},{y})");
                    }
                }
            }
        }
    }

    /// Even with walls next to it and below it, and without colour.
    #[test]
    fn the_goal_stands_out() {
        let layout = "1A 4B 3B 2B".parse::<Layout>().unwrap();
        for terminal in [Charset::Unicode, Charset::Ascii].map(narrow) {
            for target in layout.board().targets() {
                let goal = Goal {
                    robot: target.robot,
                    cell: target.cell,
                };
                let corners = [(0, 0), (15, 0), (0, 15), (15, 15)].map(|(x, y)| Cell::new(x, y));
                let puzzle = Puzzle::new(layout.board(), &corners, goal).unwrap();
                let text = terminal.puzzle(&puzzle).plain();
                let count = |glyphs: &str| text.chars().filter(|&c| glyphs.contains(c)).count();
                assert_eq!(count("rgby*◎@"), 17, "{text}");
                assert!((1..=2).contains(&count("[]⌊⌋{}")), "{text}");
            }
        }
    }

    #[test]
    fn brackets_have_feet_above_a_wall_and_walls_matter_more() {
        use Direction::{East, South, West};
        let cell = Cell::new(1, 0);
        let goal = Goal {
            robot: Some(Robot::RED),
            cell,
        };
        let row = |walls: &[Direction], terminal: Terminal| {
            let mut board = Board::builder(3, 2);
            for &side in walls {
                board = board.wall(cell, side);
            }
            let puzzle = Puzzle::new(board.build().unwrap(), &[Cell::new(0, 1)], goal).unwrap();
            let text = terminal.puzzle(&puzzle).plain();
            text.lines().nth(1).unwrap().to_owned()
        };
        let unicode = narrow(Charset::Unicode);
        assert_eq!(row(&[], unicode), "┃·[r]·┃");
        assert_eq!(row(&[East], unicode), "┃·[r┃·┃");
        assert_eq!(row(&[South], unicode), "┃·⌊r⌋·┃");
        assert_eq!(row(&[East, South], unicode), "┃·⌊r┃·┃");
        assert_eq!(row(&[East, South], narrow(Charset::Ascii)), "|.{r|.|");
        assert_eq!(row(&[East, West], unicode), "┃·┃*┃·┃");
    }

    #[test]
    fn the_goal_of_any_robot_and_a_robot_on_it() {
        let board = Board::builder(3, 2).build().unwrap();
        let goal = Goal {
            robot: None,
            cell: Cell::new(1, 0),
        };
        let puzzle = Puzzle::new(board, &[Cell::new(1, 0)], goal).unwrap();
        let row = |state| {
            let text = narrow(Charset::Unicode).state(&puzzle, state).plain();
            text.lines().nth(1).unwrap().to_owned()
        };
        assert_eq!(row(puzzle.start()), "┃·[R]·┃");
        assert_eq!(row(State::new(&[Cell::new(0, 0)]).unwrap()), "┃R[*]·┃");
    }

    #[test]
    fn coordinates_are_rows_and_last_digits_of_columns() {
        let board = Board::builder(12, 2).build().unwrap();
        let text = Terminal::ascii()
            .size(BoardSize::Narrow)
            .board(&board, None)
            .plain();
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("    0 1 2 3 4 5 6 7 8 9 0 1"));
        assert_eq!(lines.nth(1), Some(" 0 |. . . . . . . . . . . .|"));
    }
}
