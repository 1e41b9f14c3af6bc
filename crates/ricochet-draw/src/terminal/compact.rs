//! Boards in half as many rows: a wall south of a cell is an underline in it, so 16×16 cells take 17
//! rows instead of 33. The goal fills its cell, so a wall below it is next to its brackets: `▁[r]▁`.

use anstyle::Style;
use ricochet_core::Cell;

use super::board::{CELL_COLUMNS, CELL_ROWS};
use super::{Terminal, TextPicture};

/// Removes the rows between the cells of a full-size drawing; their walls move into the cells above.
pub(super) fn halve(terminal: Terminal, full: &TextPicture, height: usize) -> TextPicture {
    let (left, top) = terminal.origin();
    let line = terminal.pick('▁', '_');
    let is_wall = |glyph| matches!(glyph, '━' | '┻' | '┳' | '╋' | '-');
    let is_middle = |column: usize| column >= left && (column - left) % CELL_COLUMNS == 2;
    let mut small = TextPicture::blank(full.width(), top + 1 + height);
    for column in 0..full.width() {
        for row in 0..top {
            let (glyph, style) = full.at(column, row);
            small.put(column, row, glyph, style);
        }
        let (rim, style) = full.at(column, top);
        if is_wall(rim) {
            small.put(column, top, line, style);
        }
        for y in 0..height {
            let row = top + y * CELL_ROWS + 1;
            let (glyph, style) = full.at(column, row);
            let walled = is_wall(full.at(column, row + 1).0);
            // An underline replaces blanks and the ends of a line that crosses the cell. Along the
            // rim, where the wall goes without saying, the line stays whole.
            let is_rim = y + 1 == height;
            let is_end = column >= left && !is_middle(column) && !is_rim;
            let gives_way = glyph == ' ' || matches!(glyph, '─' | '-') && is_end;
            let glyph = if walled && gives_way { line } else { glyph };
            small.put(column, top + 1 + y, glyph, style);
        }
    }
    for y in 0..height.saturating_sub(1) {
        for left in 1..full.width().saturating_sub(CELL_COLUMNS - 1) {
            let (glyph, style) = full.at(left + 1, top + y * CELL_ROWS + 2);
            if small.at(left, top + 1 + y).0 == '[' && is_wall(glyph) {
                put_wall_next_to_brackets(&mut small, (left, top + 1 + y), line, style);
            }
        }
    }
    small
}

/// Draws the wall below a goal next to its brackets, which must stay: without them it would look like
/// another target.
fn put_wall_next_to_brackets(
    small: &mut TextPicture,
    (left, row): (usize, usize),
    line: char,
    style: Style,
) {
    let mut shown = false;
    for column in [left - 1, left + CELL_COLUMNS - 1] {
        let there = small.at(column, row).0;
        if there == ' ' {
            small.put(column, row, line, style);
        }
        shown |= there == ' ' || there == line;
    }
    if !shown {
        // With walls on both sides, one bracket is enough to mark the goal.
        small.put(left + CELL_COLUMNS - 2, row, line, style);
    }
}

/// The arrowhead of a vertical move. In a full-size drawing it has a row of its own between the last
/// two cells of the move.
pub(super) struct VerticalArrowhead {
    /// The last two cells.
    pub(super) from: Cell,
    pub(super) to: Cell,
    /// The cell with the number of the move.
    pub(super) number: Cell,
    pub(super) glyph: char,
    pub(super) style: Style,
}

impl VerticalArrowhead {
    /// Puts it on the line if the move is long enough to show one, else next to the move's number, so
    /// that it is not mistaken for another move's.
    pub(super) fn put(&self, small: &mut TextPicture, terminal: Terminal) {
        let (left, top) = terminal.origin();
        let middle = |cell: Cell| {
            let column = left + usize::from(cell.x) * CELL_COLUMNS + CELL_COLUMNS / 2;
            (column, top + 1 + usize::from(cell.y))
        };
        let is_line = |glyph| "│|└┌├┘┴┐┤┬┼+".contains(glyph);
        let is_free: fn(char) -> bool = |glyph| matches!(glyph, ' ' | '▁' | '_' | '─' | '-');
        let at = |(column, row): (usize, usize)| small.at(column, row).0;
        let next_to = |cell: Cell, fits: fn(char) -> bool| {
            let (column, row) = middle(cell);
            let places = [(column + 1, row), (column - 1, row)];
            places.into_iter().find(|&place| fits(at(place)))
        };
        let line = middle(self.from);
        let starts_at_number = at(line).is_ascii_digit();
        let place = Some(line)
            .filter(|&line| is_line(at(line)))
            .or_else(|| next_to(self.number, is_free))
            .or_else(|| next_to(self.to, is_free))
            .or_else(|| next_to(self.from, is_free).filter(|_| !starts_at_number))
            // One bracket is enough to mark the goal.
            .or_else(|| next_to(self.to, |glyph| glyph == ']'));
        if let Some((column, row)) = place {
            small.put(column, row, self.glyph, self.style);
        }
    }
}

#[cfg(test)]
mod tests {
    use ricochet_core::{Board, Direction, Goal, Puzzle, Robot, Shape, Solution};

    use super::*;
    use crate::BoardSize;

    fn compact() -> Terminal {
        Terminal::unicode()
            .size(BoardSize::Compact)
            .without_coordinates()
    }

    #[test]
    fn ascii_walls_are_underlines() {
        let board = Board::builder(3, 2).wall(Cell::new(1, 0), Direction::South);
        let goal = Goal {
            robot: Some(Robot::RED),
            cell: Cell::new(2, 0),
        };
        let puzzle = Puzzle::new(board.build().unwrap(), &[Cell::new(0, 0)], goal).unwrap();
        let terminal = Terminal::ascii()
            .size(BoardSize::Compact)
            .without_coordinates();
        assert_eq!(
            terminal.puzzle(&puzzle).plain(),
            " ___ ___ ___\n\
             | R  ___ [r]|\n\
             |___ ___ ___|\n"
        );
        assert_eq!(
            terminal.board(puzzle.board(), None).plain(),
            " ___ ___ ___\n\
             |    ___    |\n\
             |___ ___ ___|\n"
        );
    }

    /// The row of the goal, with a robot and with walls around the goal.
    fn row(walls: &[Direction], robot: Cell) -> String {
        let goal = Cell::new(1, 1);
        let board = Board::builder(4, 3).target(goal, Some(Robot::RED), Shape::Circle);
        let board = walls
            .iter()
            .fold(board, |board, &side| board.wall(goal, side));
        let goal = Goal {
            robot: Some(Robot::RED),
            cell: goal,
        };
        let puzzle = Puzzle::new(board.build().unwrap(), &[robot], goal).unwrap();
        compact()
            .puzzle(&puzzle)
            .plain()
            .lines()
            .nth(2)
            .unwrap()
            .to_owned()
    }

    /// The rows of a board of four columns with a solution on it.
    fn solved(line: &str, moves: &str) -> Vec<String> {
        let puzzle = ricochet_core::notation::parse_line(line).unwrap();
        let puzzle = puzzle.validate().unwrap();
        let moves: Solution = moves.parse().unwrap();
        let trace = moves.replay(&puzzle).unwrap();
        let panels = compact().solution(&puzzle, &trace);
        assert_eq!(panels.len(), 1);
        let picture = panels[0].picture.plain();
        picture.lines().skip(1).map(str::to_owned).collect()
    }

    #[test]
    fn a_vertical_arrowhead_is_on_its_line_or_next_to_its_number() {
        // The second move has one cell and begins at the number of the first.
        let rows = solved("4x4..0032.R01", "RE RS RW");
        assert_eq!(rows[0], "┃ R ─────────►1 ┃");
        assert_eq!(rows[1], "┃[r]◄─3───────2▼┃");
        // A longer one has a line.
        let rows = solved("4x4..0033.R02", "RE RS RW");
        assert_eq!(rows[1], "┃             ▼ ┃");
        assert_eq!(rows[2], "┃[r]◄─3───────2 ┃");
        // The goal has no room but that of a bracket.
        let rows = solved("4x3..0032.R31", "RE RS");
        assert_eq!(rows[1], "┃            [2▼┃");
    }

    #[test]
    fn a_line_along_the_rim_is_whole() {
        let rows = solved("4x2..00.R31", "RS RE");
        assert_eq!(rows[1], "┃▁1▼──────2─►[r]┃");
    }

    #[test]
    fn a_goal_above_a_wall_is_seen_to_be_one() {
        use Direction::{East, South, West};
        let away = Cell::new(3, 2);
        assert_eq!(row(&[], away), "┃    [r]        ┃");
        assert_eq!(row(&[South], away), "┃   ▁[r]▁       ┃");
        assert_eq!(row(&[South, East], away), "┃   ▁[r]┃       ┃");
        assert_eq!(row(&[South, West], away), "┃   ┃[r]▁       ┃");
        assert_eq!(row(&[South, East, West], away), "┃   ┃[r▁┃       ┃");
        let on_it = Cell::new(1, 1);
        assert_eq!(row(&[South], on_it), "┃   ▁[R]▁       ┃");
    }
}
