//! The full-size board. A cell is three columns wide and one row high, with one column or row for
//! the walls between cells, which makes it about square: 16×16 cells take 65 columns and 33 rows.

use anstyle::Style;
use ricochet_core::{Board, Cell, Direction, Goal, State};

use super::style::{faint, goal_style, robot_block, robot_style, value_style};
use super::{BoardSize, Contents, Terminal, TextPicture, compact};
use crate::overlay::Overlay;
use crate::scene::walls;

/// Columns from one cell to the next.
pub(super) const CELL_COLUMNS: usize = 4;
/// Rows from one cell to the next.
pub(super) const CELL_ROWS: usize = 2;

/// The wall glyph for the arms N, E, S, W that meet in it (bits as in a wall mask).
const WALL_GLYPHS: [char; 16] = [
    '·', '╹', '╺', '┗', '╻', '┃', '┏', '┣', '╸', '┛', '━', '┻', '┓', '┫', '┳', '╋',
];

/// A board on its grid of characters.
pub(super) struct BoardCanvas<'a> {
    pub(super) terminal: Terminal,
    pub(super) board: &'a Board,
    pub(super) picture: TextPicture,
    /// Where the board's north-west corner is.
    left: usize,
    top: usize,
}

impl<'a> BoardCanvas<'a> {
    pub(super) fn new(terminal: Terminal, board: &'a Board) -> Self {
        let (left, top) = terminal.origin();
        let width = left + board.width() * CELL_COLUMNS + 1;
        let height = top + board.height() * CELL_ROWS + 1;
        Self {
            terminal,
            board,
            picture: TextPicture::blank(width, height),
            left,
            top,
        }
    }

    pub(super) fn draw(terminal: Terminal, contents: Contents<'a>) -> Self {
        let mut canvas = Self::new(terminal, contents.board);
        match contents.overlay {
            Some(overlay) => {
                canvas.draw_walls();
                canvas.draw_values(overlay);
            }
            None => canvas.draw_board(contents.goal),
        }
        canvas.draw_pieces(contents.robots, contents.goal);
        canvas
    }

    /// The drawing in the terminal's size.
    pub(super) fn finish(self) -> TextPicture {
        match self.terminal.size {
            BoardSize::Compact => compact::halve(self.terminal, &self.picture, self.board.height()),
            _ => self.picture,
        }
    }

    /// Column and row of the middle of a cell.
    pub(super) fn middle(&self, cell: Cell) -> (usize, usize) {
        (
            self.left + usize::from(cell.x) * CELL_COLUMNS + CELL_COLUMNS / 2,
            self.top + usize::from(cell.y) * CELL_ROWS + CELL_ROWS / 2,
        )
    }

    /// Writes the three characters of a cell.
    pub(super) fn write_cell(&mut self, cell: Cell, text: &str, style: Style) {
        let (column, row) = self.middle(cell);
        self.picture.write(column - 1, row, text, style);
    }

    pub(super) fn draw_board(&mut self, goal: Option<Goal>) {
        self.draw_walls();
        for target in self.board.targets() {
            if goal.is_none_or(|goal| goal.cell != target.cell) {
                let style = target.robot.map_or_else(Style::new, robot_style);
                let letter = target
                    .robot
                    .map_or(' ', |robot| robot.letter().to_ascii_lowercase());
                let shape = self.terminal.shape_glyph(target.shape);
                self.write_cell(target.cell, &format!("{letter}{shape} "), style);
            }
        }
        for diagonal in self.board.diagonals() {
            let style = robot_style(diagonal.color).bold();
            let (column, row) = self.middle(diagonal.cell);
            let glyph = self.terminal.lean_glyph(diagonal.lean);
            let mut targets = self.board.targets().iter();
            if targets.any(|target| target.cell == diagonal.cell) {
                self.picture.put(column + 1, row, glyph, style);
            } else {
                let letter = diagonal.color.letter().to_ascii_lowercase();
                self.picture.put(column - 1, row, letter, style);
                self.picture.put(column, row, glyph, style);
            }
        }
    }

    /// Robots and goal, over whatever is there.
    pub(super) fn draw_pieces(&mut self, robots: Option<State>, goal: Option<Goal>) {
        if let Some(goal) = goal {
            let letter = goal
                .robot
                .map_or('*', |robot| robot.letter().to_ascii_lowercase());
            self.draw_piece(goal.cell, &format!("[{letter}]"), goal_style(goal.robot));
        }
        for (robot, cell) in robots.iter().flat_map(State::iter) {
            let letter = robot.letter();
            let text = if goal.is_some_and(|goal| goal.cell == cell) {
                format!("[{letter}]")
            } else {
                format!(" {letter} ")
            };
            self.draw_piece(cell, &text, robot_block(robot));
        }
    }

    /// A robot or the goal; a diagonal below it stays visible on its right.
    fn draw_piece(&mut self, cell: Cell, text: &str, style: Style) {
        self.write_cell(cell, text, style);
        if let Some(diagonal) = self.board.diagonal(cell) {
            let (column, row) = self.middle(cell);
            let glyph = self.terminal.lean_glyph(diagonal.lean);
            let style = robot_style(diagonal.color).bold();
            self.picture.put(column + 1, row, glyph, style);
        }
    }

    fn draw_values(&mut self, overlay: &Overlay) {
        for cell in self.board.cells() {
            if let Some(value) = overlay.value(self.board, cell)
                && !self.board.is_closed(cell)
            {
                let text = match value {
                    0..1000 => format!("{value:^3}"),
                    _ => self.terminal.pick("≥1k", "1k+").to_owned(),
                };
                self.write_cell(cell, &text, value_style(overlay, value));
            }
        }
    }

    /// Walls, closed cells, dots where cells meet, and the numbers of columns and rows.
    pub(super) fn draw_walls(&mut self) {
        let (width, height) = (self.board.width(), self.board.height());
        for cell in self.board.cells() {
            if self.board.is_closed(cell) {
                self.draw_closed(cell);
            }
        }
        let style = Style::new();
        for y in 0..=height {
            for x in 0..=width {
                let (column, row) = (self.left + x * CELL_COLUMNS, self.top + y * CELL_ROWS);
                if x < width && walls::north_of(self.board, x, y) {
                    let glyph = self.terminal.pick('━', '-');
                    for i in 1..CELL_COLUMNS {
                        self.picture.put(column + i, row, glyph, style);
                    }
                }
                if y < height && walls::west_of(self.board, x, y) {
                    self.picture
                        .put(column, row + 1, self.terminal.pick('┃', '|'), style);
                }
                self.draw_corner(x, y);
            }
        }
        if self.terminal.coordinates {
            for x in 0..width {
                let (column, _) = self.middle(Cell::new(x as u8, 0));
                let text = format!("{x:>2}");
                self.picture.write(column - 1, 0, &text, faint());
            }
            for y in 0..height {
                let (_, row) = self.middle(Cell::new(0, y as u8));
                self.picture.write(0, row, &format!("{y:>2}"), faint());
            }
        }
    }

    /// The character where four cells meet.
    fn draw_corner(&mut self, x: usize, y: usize) {
        let (width, height) = (self.board.width(), self.board.height());
        let arms = u8::from(y > 0 && walls::west_of(self.board, x, y - 1))
            | u8::from(x < width && walls::north_of(self.board, x, y)) << 1
            | u8::from(y < height && walls::west_of(self.board, x, y)) << 2
            | u8::from(x > 0 && walls::north_of(self.board, x - 1, y)) << 3;
        let inner = (1..width).contains(&x) && (1..height).contains(&y);
        let in_block = inner
            && [(0, 0), (1, 0), (0, 1), (1, 1)].iter().all(|(dx, dy)| {
                self.board
                    .is_closed(Cell::new((x - dx) as u8, (y - dy) as u8))
            });
        let (glyph, style) = if in_block {
            (self.terminal.pick('░', '#'), faint())
        } else if arms == 0 {
            (self.terminal.pick('·', '.'), faint())
        } else {
            let glyph = self.terminal.pick(WALL_GLYPHS[usize::from(arms)], '+');
            (glyph, Style::new())
        };
        let (column, row) = (self.left + x * CELL_COLUMNS, self.top + y * CELL_ROWS);
        self.picture.put(column, row, glyph, style);
    }

    /// Fills a closed cell, and the gap to closed neighbours: a block of them looks like one.
    fn draw_closed(&mut self, cell: Cell) {
        let fill = self.terminal.pick('░', '#');
        let (column, row) = self.middle(cell);
        let closed = |side| {
            cell.step(side)
                .is_some_and(|next| self.board.contains(next) && self.board.is_closed(next))
        };
        let to_east = usize::from(closed(Direction::East));
        let to_south = usize::from(closed(Direction::South));
        for c in column - 1..=column + 1 + to_east {
            self.picture.put(c, row, fill, faint());
        }
        if to_south == 1 {
            for c in column - 1..=column + 1 {
                self.picture.put(c, row + 1, fill, faint());
            }
        }
    }
}
