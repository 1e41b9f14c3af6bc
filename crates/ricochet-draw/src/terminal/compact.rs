//! Boards in half as many rows, for terminals that are not tall enough: a wall south of a cell is an
//! underline inside the cell, so a board of 16×16 cells takes 17 rows instead of 33. Below a goal,
//! which fills its cell, the underline is beside its brackets: `▁[r]▁`.

use ricochet_core::{Board, Cell, Puzzle, State};

use crate::terminal::board::{CELL_COLUMNS, CELL_ROWS, Terminal};
use crate::terminal::text_picture::TextPicture;

impl Terminal {
    /// A puzzle with the robots somewhere, in about half the height of [`Terminal::state`].
    ///
    /// ```
    /// use ricochet_core::{Board, Cell, Direction, Goal, Puzzle, Robot};
    /// use ricochet_draw::Terminal;
    /// let board = Board::builder(3, 2)
    ///     .wall(Cell::new(1, 0), Direction::South)
    ///     .build()
    ///     .unwrap();
    /// let goal = Goal { robot: Some(Robot::RED), cell: Cell::new(2, 0) };
    /// let puzzle = Puzzle::new(board, &[Cell::new(0, 0)], goal).unwrap();
    /// let picture = Terminal::ascii().without_coordinates().compact(&puzzle, puzzle.start());
    /// assert_eq!(
    ///     picture.plain(),
    ///     " ___ ___ ___\n\
    ///      | R  ___ [r]|\n\
    ///      |___ ___ ___|\n"
    /// );
    /// ```
    pub fn compact(&self, puzzle: &Puzzle, state: State) -> TextPicture {
        self.halved().state(puzzle, state)
    }

    /// A board before there is a goal, with the robots that stand on it, in about half the height
    /// of [`Terminal::board`].
    ///
    /// ```
    /// use ricochet_core::{Board, Cell, State};
    /// use ricochet_draw::Terminal;
    /// let board = Board::builder(2, 2).build().unwrap();
    /// let robots = State::new(&[Cell::new(0, 0)]);
    /// let picture = Terminal::ascii().without_coordinates().compact_board(&board, robots);
    /// assert_eq!(picture.plain(), " ___ ___\n| R     |\n|___ ___|\n");
    /// ```
    pub fn compact_board(&self, board: &Board, robots: Option<State>) -> TextPicture {
        match robots {
            Some(robots) => self.halved().robots(board, robots),
            None => self.halved().board(board),
        }
    }
}

/// Takes the rows between the cells out of a drawing; what is in them moves into the cells above.
pub(crate) fn in_half_the_height(
    terminal: Terminal,
    full: &TextPicture,
    height: usize,
) -> TextPicture {
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
            // What stands in the cell keeps its letters; blanks and the ends of a line that goes
            // through it give way.
            // Along the rim, which nobody has to be told about, the line stays whole.
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
                put_wall_beside_brackets(&mut small, (left, top + 1 + y), line, style);
            }
        }
    }
    small
}

/// The goal's brackets tell it from a target, so the wall below it goes beside them.
fn put_wall_beside_brackets(
    small: &mut TextPicture,
    (left, row): (usize, usize),
    line: char,
    style: anstyle::Style,
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
        // Walls on both sides: one bracket still tells that it is the goal.
        small.put(left + CELL_COLUMNS - 2, row, line, style);
    }
}

/// The arrowhead of a move that ends northwards or southwards. In a full drawing it has a row of its
/// own between the last two cells of the move.
pub(crate) struct UprightHead {
    /// The last two cells.
    pub(crate) from: Cell,
    pub(crate) to: Cell,
    /// Where the number of the move is.
    pub(crate) number: Cell,
    pub(crate) glyph: char,
    pub(crate) style: anstyle::Style,
}

impl UprightHead {
    /// Puts it on the line, if the move is long enough to have one to be seen; else beside the number
    /// of the move, so that it is not taken for that of another one.
    pub(crate) fn put(&self, small: &mut TextPicture, terminal: Terminal) {
        let (left, top) = terminal.origin();
        let middle = |cell: Cell| {
            let column = left + usize::from(cell.x) * CELL_COLUMNS + CELL_COLUMNS / 2;
            (column, top + 1 + usize::from(cell.y))
        };
        let is_line = |glyph| "│|└┌├┘┴┐┤┬┼+".contains(glyph);
        let is_free = |glyph| matches!(glyph, ' ' | '▁' | '_' | '─' | '-');
        let at = |(column, row): (usize, usize)| small.at(column, row).0;
        let beside = |cell: Cell| {
            let (column, row) = middle(cell);
            [(column + 1, row), (column - 1, row)]
        };
        let is_beside = |cell: Cell, fits: &dyn Fn(char) -> bool| {
            beside(cell).into_iter().find(|&place| fits(at(place)))
        };
        let line = middle(self.from);
        let starts_at_number = at(line).is_ascii_digit();
        let place = Some(line)
            .filter(|&line| is_line(at(line)))
            .or_else(|| is_beside(self.number, &is_free))
            .or_else(|| is_beside(self.to, &is_free))
            .or_else(|| is_beside(self.from, &is_free).filter(|_| !starts_at_number))
            // In the goal, one bracket still tells that it is the goal.
            .or_else(|| is_beside(self.to, &|glyph| glyph == ']'));
        if let Some((column, row)) = place {
            small.put(column, row, self.glyph, self.style);
        }
    }
}

#[cfg(test)]
mod tests {
    use ricochet_core::{Direction, Goal, Robot, Shape, Solution};

    use super::*;

    /// A row of four cells, with walls below and beside the second one, in which the goal is.
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
        let picture = Terminal::unicode()
            .without_coordinates()
            .compact(&puzzle, puzzle.start());
        picture.plain().lines().nth(2).unwrap().to_owned()
    }

    /// The rows of a board of four columns with a solution on it.
    fn solved(line: &str, moves: &str) -> Vec<String> {
        let puzzle = ricochet_core::notation::parse_line(line).unwrap();
        let puzzle = puzzle.validate().unwrap();
        let moves: Solution = moves.parse().unwrap();
        let trace = moves.replay(&puzzle).unwrap();
        let terminal = Terminal::unicode().without_coordinates().halved();
        let panels = terminal.solution(&puzzle, &trace);
        assert_eq!(panels.len(), 1);
        let picture = panels[0].picture.plain();
        picture.lines().skip(1).map(str::to_owned).collect()
    }

    #[test]
    fn an_upright_arrowhead_is_on_its_line_or_beside_its_own_number() {
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
