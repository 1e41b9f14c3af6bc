//! Boards in half as many rows, for terminals that are not tall enough: a wall south of a cell is an
//! underline inside the cell, so a board of 16×16 cells takes 17 rows instead of 33.

use ricochet::{Board, Puzzle, State};

use crate::ascii::{CELL_ROWS, Terminal};
use crate::text::TextPicture;

impl Terminal {
    /// A puzzle with the robots somewhere, in about half the height of [`Terminal::state`].
    ///
    /// ```
    /// use ricochet::{Board, Cell, Direction, Goal, Puzzle, Robot};
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
        self.in_half_the_height(&self.state(puzzle, state), puzzle.board().height())
    }

    /// A board before there is a goal, with the robots that stand on it, in about half the height
    /// of [`Terminal::board`].
    ///
    /// ```
    /// use ricochet::{Board, Cell, State};
    /// use ricochet_draw::Terminal;
    /// let board = Board::builder(2, 2).build().unwrap();
    /// let robots = State::new(&[Cell::new(0, 0)]);
    /// let picture = Terminal::ascii().without_coordinates().compact_board(&board, robots);
    /// assert_eq!(picture.plain(), " ___ ___\n| R     |\n|___ ___|\n");
    /// ```
    pub fn compact_board(&self, board: &Board, robots: Option<State>) -> TextPicture {
        let full = match robots {
            Some(robots) => self.robots(board, robots),
            None => self.board(board),
        };
        self.in_half_the_height(&full, board.height())
    }

    fn in_half_the_height(self, full: &TextPicture, height: usize) -> TextPicture {
        let (_, top) = self.origin();
        let line = self.pick('▁', '_');
        let is_wall = |glyph| matches!(glyph, '━' | '┻' | '┳' | '╋' | '-');
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
                // What stands in the cell keeps its letter; blanks and brackets give way.
                let gives_way = matches!(glyph, ' ' | '[' | ']');
                let glyph = if walled && gives_way { line } else { glyph };
                small.put(column, top + 1 + y, glyph, style);
            }
        }
        small
    }
}
