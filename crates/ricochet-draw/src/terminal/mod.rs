//! Boards and solutions in the terminal.

mod board;
mod compact;
mod narrow;
mod solution;
mod style;
mod text_picture;

use anstyle::Style;
use ricochet_core::{Board, Goal, Lean, Puzzle, Robot, Shape, State};

use crate::overlay::Overlay;
use board::BoardCanvas;

pub use solution::Panel;
pub use text_picture::TextPicture;

/// The characters that a terminal can show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Charset {
    /// Box drawing characters, arrows and symbols.
    #[default]
    Unicode,
    /// ASCII only.
    Ascii,
}

/// The size of boards. Every size can be drawn in every [`Charset`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BoardSize {
    /// Three columns and one row for each cell, and one column or row for the walls between cells.
    #[default]
    Full,
    /// Half the height: a wall south of a cell is an underline in it.
    Compact,
    /// Half the height and half the width: one character for each cell. Targets have no shape, and
    /// moves have no lines.
    Narrow,
}

impl BoardSize {
    /// All sizes, the largest first.
    pub const ALL: [Self; 3] = [Self::Full, Self::Compact, Self::Narrow];
}

/// Draws boards and solutions for a terminal.
///
/// | in a cell | means |
/// |---|---|
/// | ` R ` | a robot, by its upper-case letter |
/// | `[r]` | the goal, by the letter of the robot that has to reach it; `[*]` if any robot may |
/// | `r●` `r▲` `r■` `r★` | a printed target: colour and shape (`ro r^ r= r*` in ASCII) |
/// | ` ◎` | the vortex (` @` in ASCII) |
/// | `g╱` `g╲` | a diagonal and its colour (`g/ g\` in ASCII) |
/// | `░░░` | a closed cell (`###` in ASCII) |
///
/// A robot on the goal is `[R]`. A robot or goal on a diagonal leaves the diagonal visible on its
/// right: ` R╱`.
///
/// ```
/// use ricochet_core::notation;
/// use ricochet_draw::{BoardSize, Terminal};
/// let puzzle = notation::parse_line("1A4B3B2B.18c1f0c0.G6e")?.validate()?;
/// let size = |size| {
///     let picture = Terminal::unicode().size(size).puzzle(&puzzle);
///     (picture.width(), picture.height())
/// };
/// assert_eq!(BoardSize::ALL.map(size), [(68, 34), (68, 18), (36, 18)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terminal {
    charset: Charset,
    size: BoardSize,
    coordinates: bool,
}

/// What a drawing shows.
#[derive(Clone, Copy)]
struct Contents<'a> {
    board: &'a Board,
    robots: Option<State>,
    goal: Option<Goal>,
    overlay: Option<&'a Overlay>,
}

impl Terminal {
    /// Full-size boards with coordinates.
    pub fn new(charset: Charset) -> Self {
        Self {
            charset,
            size: BoardSize::Full,
            coordinates: true,
        }
    }

    /// [`Terminal::new`] with [`Charset::Unicode`].
    pub fn unicode() -> Self {
        Self::new(Charset::Unicode)
    }

    /// [`Terminal::new`] with [`Charset::Ascii`].
    pub fn ascii() -> Self {
        Self::new(Charset::Ascii)
    }

    /// Sets the size of boards.
    #[must_use]
    pub fn size(mut self, size: BoardSize) -> Self {
        self.size = size;
        self
    }

    /// Leaves out the column and row numbers.
    #[must_use]
    pub fn without_coordinates(mut self) -> Self {
        self.coordinates = false;
        self
    }

    /// A board without a goal, with or without robots.
    pub fn board(&self, board: &Board, robots: Option<State>) -> TextPicture {
        self.draw(Contents {
            board,
            robots,
            goal: None,
            overlay: None,
        })
    }

    /// A puzzle: the board, the robots, the goal.
    pub fn puzzle(&self, puzzle: &Puzzle) -> TextPicture {
        self.state(puzzle, puzzle.start())
    }

    /// A puzzle with its robots in another state than the start.
    ///
    /// The robots of `state` must be on the board.
    pub fn state(&self, puzzle: &Puzzle, state: State) -> TextPicture {
        self.draw(Contents {
            board: puzzle.board(),
            robots: Some(state),
            goal: Some(puzzle.goal()),
            overlay: None,
        })
    }

    /// A puzzle with the numbers of an overlay in the empty cells.
    ///
    /// ```
    /// use ricochet_core::notation;
    /// use ricochet_draw::{Overlay, Terminal};
    /// let puzzle = notation::parse_line("2x2..00.R11")?.validate()?;
    /// let overlay = Overlay::new("column", puzzle.board(), |cell| Some(cell.x.into()));
    /// let picture = Terminal::ascii().without_coordinates().overlay(&puzzle, &overlay);
    /// assert_eq!(picture.plain().lines().nth(1), Some("| R   1 |"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn overlay(&self, puzzle: &Puzzle, overlay: &Overlay) -> TextPicture {
        self.draw(Contents {
            board: puzzle.board(),
            robots: Some(puzzle.start()),
            goal: Some(puzzle.goal()),
            overlay: Some(overlay),
        })
    }

    /// The title of an overlay. If the boards are too small for some of its numbers, it explains the
    /// sign that replaces them.
    ///
    /// ```
    /// use ricochet_draw::{Overlay, BoardSize, Terminal};
    /// let overlay = Overlay::from_values("moves", vec![Some(3), Some(12)]);
    /// let terminal = Terminal::unicode();
    /// assert_eq!(terminal.overlay_title(&overlay), "moves");
    /// assert_eq!(terminal.size(BoardSize::Narrow).overlay_title(&overlay), "moves (+ is 10 or more)");
    /// ```
    pub fn overlay_title(&self, overlay: &Overlay) -> String {
        let title = overlay.title();
        match overlay.range() {
            Some((_, 10..)) if self.size == BoardSize::Narrow => {
                format!("{title} (+ is 10 or more)")
            }
            _ => title.to_owned(),
        }
    }

    /// The printed targets of a board on one line, in the order of their robots.
    pub fn legend(&self, board: &Board) -> TextPicture {
        let mut targets = board.targets().to_vec();
        targets.sort_by_key(|target| target.robot.map_or(usize::MAX, Robot::index));
        let words: Vec<TextPicture> = targets
            .iter()
            .map(|target| {
                let shape = self.shape_glyph(target.shape);
                let letter = target
                    .robot
                    .map(|robot| robot.letter().to_ascii_lowercase());
                let text: String = letter.into_iter().chain([shape]).collect();
                let mut word = TextPicture::blank(text.chars().count(), 1);
                let style = target.robot.map_or_else(Style::new, style::robot_style);
                word.write(0, 0, &text, style);
                word
            })
            .collect();
        TextPicture::side_by_side(&words, 1)
    }

    fn draw(self, contents: Contents<'_>) -> TextPicture {
        match self.size {
            BoardSize::Full | BoardSize::Compact => BoardCanvas::draw(self, contents).finish(),
            BoardSize::Narrow => narrow::draw(self, contents),
        }
    }

    /// Columns and rows from one cell to the next.
    pub(crate) fn cell_pitch(self) -> (usize, usize) {
        match self.size {
            BoardSize::Full => (board::CELL_COLUMNS, board::CELL_ROWS),
            BoardSize::Compact => (board::CELL_COLUMNS, 1),
            BoardSize::Narrow => (narrow::CELL_COLUMNS, 1),
        }
    }

    /// Column and row of the board's north-west corner.
    fn origin(self) -> (usize, usize) {
        if self.coordinates { (3, 1) } else { (0, 0) }
    }

    /// The value for the terminal's charset.
    fn pick<T>(self, unicode: T, ascii: T) -> T {
        match self.charset {
            Charset::Unicode => unicode,
            Charset::Ascii => ascii,
        }
    }

    fn shape_glyph(self, shape: Shape) -> char {
        match shape {
            Shape::Circle => self.pick('●', 'o'),
            Shape::Triangle => self.pick('▲', '^'),
            Shape::Square => self.pick('■', '='),
            Shape::Hexagon => self.pick('★', '*'),
            Shape::Vortex => self.pick('◎', '@'),
        }
    }

    fn lean_glyph(self, lean: Lean) -> char {
        match lean {
            Lean::Slash => self.pick('╱', '/'),
            Lean::Backslash => self.pick('╲', '\\'),
        }
    }
}

impl Default for Terminal {
    fn default() -> Self {
        Self::unicode()
    }
}
