//! Boards in the terminal.
//!
//! A cell is three columns wide and one row high, with one column or row for the walls between
//! cells, which makes it about square: a board of 16×16 cells takes 65 columns and 33 rows.
//!
//! | in a cell | means |
//! |---|---|
//! | ` R ` | a robot, by its upper case letter |
//! | `[r]` | the goal, by the letter of the robot that has to arrive; `[*]` if any robot may |
//! | `r●` `r▲` `r■` `r★` | a printed target: colour and shape (`ro r^ r= r*` in ASCII) |
//! | ` ◎` | the vortex (` @` in ASCII) |
//! | `g╱` `g╲` | a diagonal of a colour (`g/ g\` in ASCII) |
//! | `░░░` | a closed cell (`###` in ASCII) |
//!
//! A robot on the goal is `[R]`. What stands on a diagonal leaves its lean to be seen on the right:
//! ` R╱`.

use anstyle::{Ansi256Color, Style};
use ricochet_core::{Board, Cell, Direction, Goal, Lean, Puzzle, Robot, Shape, State};

use crate::overlay::Overlay;
use crate::scene::walls;
use crate::terminal::compact;
use crate::terminal::text_picture::TextPicture;

/// Columns from one cell to the next.
pub(crate) const CELL_COLUMNS: usize = 4;
/// Rows from one cell to the next.
pub(crate) const CELL_ROWS: usize = 2;

/// How to draw for a terminal.
///
/// ```
/// use ricochet_core::quadrants::Layout;
/// use ricochet_draw::Terminal;
/// let board = "1A 4B 3B 2B".parse::<Layout>().unwrap().board();
/// let picture = Terminal::unicode().without_coordinates().board(&board);
/// assert_eq!((picture.width(), picture.height()), (65, 33));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terminal {
    ascii: bool,
    coordinates: bool,
    size: Size,
}

/// How large boards are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Size {
    Full,
    /// Half as high.
    Halved,
    /// Half as high and half as wide.
    Narrow,
}

impl Terminal {
    /// With box drawing characters.
    pub fn unicode() -> Self {
        Self {
            ascii: false,
            coordinates: true,
            size: Size::Full,
        }
    }

    /// With the characters of ASCII only.
    pub fn ascii() -> Self {
        Self {
            ascii: true,
            coordinates: true,
            size: Size::Full,
        }
    }

    /// Leaves out the numbers of columns and rows.
    #[must_use]
    pub fn without_coordinates(mut self) -> Self {
        self.coordinates = false;
        self
    }

    /// Draws everything in about half the height, for terminals that are not tall enough: a wall
    /// south of a cell is an underline in it.
    ///
    /// ```
    /// use ricochet_core::quadrants::Layout;
    /// use ricochet_draw::Terminal;
    /// let board = "1A 4B 3B 2B".parse::<Layout>().unwrap().board();
    /// assert_eq!(Terminal::unicode().halved().board(&board).height(), 18);
    /// ```
    #[must_use]
    pub fn halved(mut self) -> Self {
        self.size = Size::Halved;
        self
    }

    /// Draws everything in about half the height and half the width, for terminals that are not wide
    /// enough: a cell has one character. Targets have no shape, and lines of moves have no room.
    ///
    /// ```
    /// use ricochet_core::notation;
    /// use ricochet_draw::Terminal;
    /// let puzzle = notation::parse_line("1A4B3B2B.18c1f0c0.G6e").unwrap().validate().unwrap();
    /// let picture = Terminal::unicode().narrow().puzzle(&puzzle);
    /// assert_eq!((picture.width(), picture.height()), (36, 18));
    /// ```
    #[must_use]
    pub fn narrow(mut self) -> Self {
        self.size = Size::Narrow;
        self
    }

    /// A board without robots.
    pub fn board(&self, board: &Board) -> TextPicture {
        if self.is_narrow() {
            return self.miniature(board, None);
        }
        let mut canvas = BoardCanvas::new(*self, board);
        canvas.draw_board(None);
        canvas.finish()
    }

    /// A board with robots on it, before there is a goal.
    ///
    /// ```
    /// use ricochet_core::{Board, Cell, State};
    /// use ricochet_draw::Terminal;
    /// let board = Board::builder(2, 2).build().unwrap();
    /// let robots = State::new(&[Cell::new(0, 0)]).unwrap();
    /// let picture = Terminal::ascii().without_coordinates().robots(&board, robots);
    /// assert_eq!(picture.plain().lines().nth(1), Some("| R     |"));
    /// ```
    pub fn robots(&self, board: &Board, robots: State) -> TextPicture {
        if self.is_narrow() {
            return self.miniature(board, Some(robots));
        }
        let mut canvas = BoardCanvas::new(*self, board);
        canvas.draw_board(None);
        for (robot, cell) in robots.iter() {
            canvas.draw_robot(robot, cell, None);
        }
        canvas.finish()
    }

    /// A puzzle: the board, the robots, the goal.
    pub fn puzzle(&self, puzzle: &Puzzle) -> TextPicture {
        self.state(puzzle, puzzle.start())
    }

    /// A puzzle with the robots somewhere else than at their start.
    ///
    /// `state` must have its robots on the board.
    pub fn state(&self, puzzle: &Puzzle, state: State) -> TextPicture {
        if self.is_narrow() {
            return self.miniature_state(puzzle, state);
        }
        let mut canvas = BoardCanvas::new(*self, puzzle.board());
        canvas.draw_board(Some(puzzle.goal()));
        canvas.draw_pieces(state, puzzle.goal());
        canvas.finish()
    }

    /// A puzzle with the numbers of an overlay in the cells that nothing stands on.
    ///
    /// ```
    /// use ricochet_core::{Board, Cell, Goal, Puzzle, Robot};
    /// use ricochet_draw::{Overlay, Terminal};
    /// let board = Board::builder(2, 2).build().unwrap();
    /// let goal = Goal { robot: Some(Robot::RED), cell: Cell::new(1, 1) };
    /// let puzzle = Puzzle::new(board, &[Cell::new(0, 0)], goal).unwrap();
    /// let overlay = Overlay::new("column", puzzle.board(), |cell| Some(cell.x.into()));
    /// let picture = Terminal::ascii().without_coordinates().overlay(&puzzle, &overlay);
    /// assert_eq!(picture.plain().lines().nth(1), Some("| R   1 |"));
    /// ```
    pub fn overlay(&self, puzzle: &Puzzle, overlay: &Overlay) -> TextPicture {
        if self.is_narrow() {
            return self.miniature_overlay(puzzle, overlay);
        }
        let board = puzzle.board();
        let mut canvas = BoardCanvas::new(*self, board);
        canvas.draw_walls();
        for cell in board.cells() {
            if let Some(value) = overlay.value(board, cell)
                && !board.is_closed(cell)
            {
                canvas.draw_value(cell, value, value_style(overlay, value));
            }
        }
        canvas.draw_pieces(puzzle.start(), puzzle.goal());
        canvas.finish()
    }

    /// What an overlay shows, with the meaning of a sign for numbers that have no room.
    ///
    /// ```
    /// use ricochet_draw::{Overlay, Terminal};
    /// let overlay = Overlay::from_values("moves", vec![Some(3), Some(12)]);
    /// assert_eq!(Terminal::unicode().title(&overlay), "moves");
    /// assert_eq!(Terminal::unicode().narrow().title(&overlay), "moves (+ is 10 or more)");
    /// ```
    pub fn title(&self, overlay: &Overlay) -> String {
        let title = overlay.title();
        match overlay.range() {
            Some((_, 10..)) if self.is_narrow() => format!("{title} (+ is 10 or more)"),
            _ => title.to_owned(),
        }
    }

    /// The printed targets of a board on one line, in the order of their robots.
    ///
    /// ```
    /// use ricochet_core::quadrants::Side;
    /// use ricochet_draw::Terminal;
    /// let side: Side = "4A".parse().unwrap();
    /// assert_eq!(Terminal::ascii().legend(&side.board()).plain(), "r* g= bo y^ @\n");
    /// ```
    pub fn legend(&self, board: &Board) -> TextPicture {
        let canvas = BoardCanvas::new(*self, board);
        let mut targets = board.targets().to_vec();
        targets.sort_by_key(|target| target.robot.map_or(usize::MAX, Robot::index));
        let words: Vec<TextPicture> = targets
            .iter()
            .map(|target| {
                let shape = canvas.shape_glyph(target.shape);
                let letter = target
                    .robot
                    .map(|robot| robot.letter().to_ascii_lowercase());
                let text: String = letter.into_iter().chain([shape]).collect();
                let mut word = TextPicture::blank(text.chars().count(), 1);
                let style = target.robot.map_or_else(Style::new, robot_style);
                word.write(0, 0, &text, style);
                word
            })
            .collect();
        TextPicture::beside(&words, 1)
    }

    /// Column and row of the board's north-west corner.
    pub(crate) fn origin(self) -> (usize, usize) {
        if self.coordinates { (3, 1) } else { (0, 0) }
    }

    pub(crate) fn is_halved(self) -> bool {
        self.size == Size::Halved
    }

    pub(crate) fn is_narrow(self) -> bool {
        self.size == Size::Narrow
    }

    pub(crate) fn is_ascii(self) -> bool {
        self.ascii
    }

    /// The first of two in Unicode, the second in ASCII.
    pub(crate) fn pick<T>(self, unicode: T, ascii: T) -> T {
        if self.ascii { ascii } else { unicode }
    }
}

impl Default for Terminal {
    fn default() -> Self {
        Self::unicode()
    }
}

/// Grounds of letters, from the 256-colour palette, in the order of [`Robot::ALL`].
const BLOCK_COLORS: [u8; 8] = [196, 34, 33, 220, 250, 208, 134, 44];
/// Colours of lines and letters: to be told apart on black and on white.
const LINE_COLORS: [u8; 8] = [196, 34, 33, 178, 245, 208, 134, 37];
/// On a yellow ground a white letter cannot be read; on a blue one a black one is poor.
const LETTER_IS_BLACK: [bool; 8] = [false, true, false, true, true, true, false, true];

fn color(index: u8) -> anstyle::Color {
    Ansi256Color(index).into()
}

/// Text in a robot's colour.
pub(crate) fn robot_style(robot: Robot) -> Style {
    Style::new().fg_color(Some(color(LINE_COLORS[robot.index()])))
}

/// Text on a robot's colour.
pub(crate) fn robot_block(robot: Robot) -> Style {
    let ink = if LETTER_IS_BLACK[robot.index()] {
        16
    } else {
        231
    };
    Style::new()
        .fg_color(Some(color(ink)))
        .bg_color(Some(color(BLOCK_COLORS[robot.index()])))
        .bold()
}

/// What is there for orientation only.
pub(crate) fn faint() -> Style {
    Style::new().fg_color(Some(color(242)))
}

/// The value of a cell: from bright to dim, as what is near matters most.
pub(crate) fn value_style(overlay: &Overlay, value: u32) -> Style {
    const RAMP: [u8; 6] = [231, 229, 222, 215, 173, 131];
    let (least, greatest) = overlay.range().unwrap_or((value, value));
    let span = u64::from(greatest - least).max(1);
    let step = u64::from(value - least) * (RAMP.len() as u64 - 1) / span;
    Style::new().fg_color(Some(color(RAMP[step as usize])))
}

pub(crate) fn goal_style(robot: Option<Robot>) -> Style {
    robot.map_or_else(
        || Style::new().bold().invert(),
        |robot| robot_style(robot).bold().invert(),
    )
}

/// The wall glyph for the arms N, E, S, W that meet in it (bits as in a wall mask).
const WALL_GLYPHS: [char; 16] = [
    '·', '╹', '╺', '┗', '╻', '┃', '┏', '┣', '╸', '┛', '━', '┻', '┓', '┫', '┳', '╋',
];

/// A board on its grid of characters.
pub(crate) struct BoardCanvas<'a> {
    pub(crate) terminal: Terminal,
    pub(crate) board: &'a Board,
    pub(crate) picture: TextPicture,
    /// Where the board's north-west corner is.
    left: usize,
    top: usize,
}

impl<'a> BoardCanvas<'a> {
    pub(crate) fn new(terminal: Terminal, board: &'a Board) -> Self {
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

    /// The drawing, in the height that is wanted.
    pub(crate) fn finish(self) -> TextPicture {
        if self.terminal.is_halved() {
            compact::in_half_the_height(self.terminal, &self.picture, self.board.height())
        } else {
            self.picture
        }
    }

    /// Column and row of the middle of a cell.
    pub(crate) fn middle(&self, cell: Cell) -> (usize, usize) {
        (
            self.left + usize::from(cell.x) * CELL_COLUMNS + CELL_COLUMNS / 2,
            self.top + usize::from(cell.y) * CELL_ROWS + CELL_ROWS / 2,
        )
    }

    /// Writes the three characters of a cell.
    pub(crate) fn write_cell(&mut self, cell: Cell, text: &str, style: Style) {
        let (column, row) = self.middle(cell);
        self.picture.write(column - 1, row, text, style);
    }

    pub(crate) fn draw_board(&mut self, goal: Option<Goal>) {
        self.draw_walls();
        for target in self.board.targets() {
            if goal.is_none_or(|goal| goal.cell != target.cell) {
                let style = target.robot.map_or_else(Style::new, robot_style);
                let letter = target
                    .robot
                    .map_or(' ', |robot| robot.letter().to_ascii_lowercase());
                let shape = self.shape_glyph(target.shape);
                self.write_cell(target.cell, &format!("{letter}{shape} "), style);
            }
        }
        for diagonal in self.board.diagonals() {
            let style = robot_style(diagonal.color).bold();
            let (column, row) = self.middle(diagonal.cell);
            let glyph = self.lean_glyph(diagonal.lean);
            if self
                .board
                .targets()
                .iter()
                .any(|target| target.cell == diagonal.cell)
            {
                self.picture.put(column + 1, row, glyph, style);
            } else {
                let letter = diagonal.color.letter().to_ascii_lowercase();
                self.picture.put(column - 1, row, letter, style);
                self.picture.put(column, row, glyph, style);
            }
        }
    }

    /// Robots and goal, over whatever is there.
    pub(crate) fn draw_pieces(&mut self, state: State, goal: Goal) {
        let letter = goal
            .robot
            .map_or('*', |robot| robot.letter().to_ascii_lowercase());
        self.write_cell(goal.cell, &format!("[{letter}]"), goal_style(goal.robot));
        self.keep_lean(goal.cell);
        for (robot, cell) in state.iter() {
            self.draw_robot(robot, cell, Some(goal));
        }
    }

    pub(crate) fn draw_robot(&mut self, robot: Robot, cell: Cell, goal: Option<Goal>) {
        let letter = robot.letter();
        let text = if goal.is_some_and(|goal| goal.cell == cell) {
            format!("[{letter}]")
        } else {
            format!(" {letter} ")
        };
        self.write_cell(cell, &text, robot_block(robot));
        self.keep_lean(cell);
    }

    /// Shows the lean of a diagonal beside what stands on it.
    fn keep_lean(&mut self, cell: Cell) {
        if let Some(diagonal) = self.board.diagonal(cell) {
            let (column, row) = self.middle(cell);
            let glyph = self.lean_glyph(diagonal.lean);
            let style = robot_style(diagonal.color).bold();
            self.picture.put(column + 1, row, glyph, style);
        }
    }

    fn shape_glyph(&self, shape: Shape) -> char {
        match shape {
            Shape::Circle => self.terminal.pick('●', 'o'),
            Shape::Triangle => self.terminal.pick('▲', '^'),
            Shape::Square => self.terminal.pick('■', '='),
            Shape::Hexagon => self.terminal.pick('★', '*'),
            Shape::Vortex => self.terminal.pick('◎', '@'),
        }
    }

    pub(crate) fn lean_glyph(&self, lean: Lean) -> char {
        match lean {
            Lean::Slash => self.terminal.pick('╱', '/'),
            Lean::Backslash => self.terminal.pick('╲', '\\'),
        }
    }

    fn draw_value(&mut self, cell: Cell, value: u32, style: Style) {
        let text = match value {
            0..1000 => format!("{value:^3}"),
            _ => self.terminal.pick("≥1k", "1k+").to_owned(),
        };
        self.write_cell(cell, &text, style);
    }

    /// Walls, closed cells, dots where cells meet, and the numbers of columns and rows.
    pub(crate) fn draw_walls(&mut self) {
        let (width, height) = (self.board.width(), self.board.height());
        for y in 0..height {
            for x in 0..width {
                let cell = Cell::new(x as u8, y as u8);
                if self.board.is_closed(cell) {
                    self.draw_closed(cell);
                }
            }
        }
        let style = Style::new();
        for y in 0..=height {
            for x in 0..=width {
                let (column, row) = (self.left + x * CELL_COLUMNS, self.top + y * CELL_ROWS);
                if x < width && walls::above(self.board, x, y) {
                    let glyph = self.terminal.pick('━', '-');
                    for i in 1..CELL_COLUMNS {
                        self.picture.put(column + i, row, glyph, style);
                    }
                }
                if y < height && walls::before(self.board, x, y) {
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
        let arms = u8::from(y > 0 && walls::before(self.board, x, y - 1))
            | u8::from(x < width && walls::above(self.board, x, y)) << 1
            | u8::from(y < height && walls::before(self.board, x, y)) << 2
            | u8::from(x > 0 && walls::above(self.board, x - 1, y)) << 3;
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
            let glyph = if self.terminal.ascii {
                '+'
            } else {
                WALL_GLYPHS[usize::from(arms)]
            };
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
