//! Boards as small as a terminal can show them: a cell is one character and one column for the wall
//! before it, so a board of 16×16 cells takes 33 columns and 17 rows, and a printed side half as many.
//!
//! | in a cell | means |
//! |---|---|
//! | `R` | a robot |
//! | `r` | the target of a robot; its shape has no room |
//! | `[r]` | the goal; `[*]` if any robot may arrive |
//! | `⌊r⌋` | the goal above a wall (`{r}` in ASCII) |
//! | `◎` | the vortex (`@` in ASCII) |
//! | `╱` `╲` | a diagonal; its colour is seen only in colour |
//! | `░` | a closed cell (`#` in ASCII) |
//! | `7` | the number of an overlay; `+` is ten or more |
//! | `·` | nothing |
//!
//! A wall south of a cell is an underline in it, or beside what stands in it. A wall beside the goal
//! takes the place of a bracket; a goal between two walls is `*`, so that it never looks like another
//! target.

use anstyle::Style;
use ricochet_core::{Board, Cell, Goal, Puzzle, State};

use crate::overlay::Overlay;
use crate::scene::walls;
use crate::terminal::board::{
    BoardCanvas, Terminal, faint, goal_style, robot_block, robot_style, value_style,
};
use crate::terminal::text_picture::TextPicture;

/// Columns from one cell to the next.
pub(crate) const CELL_COLUMNS: usize = 2;
/// Rows above the first cell.
pub(crate) const RIM_ROWS: usize = 1;

impl Terminal {
    /// A board with the robots that stand on it, in a quarter of the room of [`Terminal::board`].
    ///
    /// ```
    /// use ricochet_core::{Board, Cell, Direction, Robot, Shape, State};
    /// use ricochet_draw::Terminal;
    /// let board = Board::builder(4, 2)
    ///     .wall(Cell::new(2, 0), Direction::East)
    ///     .wall(Cell::new(2, 0), Direction::South)
    ///     .target(Cell::new(2, 0), Some(Robot::BLUE), Shape::Circle)
    ///     .build()
    ///     .unwrap();
    /// let robots = State::new(&[Cell::new(0, 0)]);
    /// let picture = Terminal::ascii().without_coordinates().miniature(&board, robots);
    /// assert_eq!(
    ///     picture.plain(),
    ///     " _______\n\
    ///      |R ._b|.|\n\
    ///      |_______|\n"
    /// );
    /// ```
    pub fn miniature(&self, board: &Board, robots: Option<State>) -> TextPicture {
        self.draw_miniature(board, robots, None, None)
    }

    /// A puzzle with the robots somewhere, in a quarter of the room of [`Terminal::state`]. The goal
    /// has a bracket wherever no wall is beside it.
    ///
    /// ```
    /// use ricochet_core::{Board, Cell, Direction, Goal, Puzzle, Robot};
    /// use ricochet_draw::Terminal;
    /// let board = Board::builder(4, 2)
    ///     .wall(Cell::new(2, 0), Direction::East)
    ///     .build()
    ///     .unwrap();
    /// let goal = Goal { robot: Some(Robot::RED), cell: Cell::new(2, 0) };
    /// let puzzle = Puzzle::new(board, &[Cell::new(0, 0)], goal).unwrap();
    /// let terminal = Terminal::ascii().without_coordinates();
    /// assert_eq!(
    ///     terminal.miniature_state(&puzzle, puzzle.start()).plain(),
    ///     " _______\n\
    ///      |R .[r|.|\n\
    ///      |_______|\n"
    /// );
    /// ```
    pub fn miniature_state(&self, puzzle: &Puzzle, state: State) -> TextPicture {
        self.draw_miniature(puzzle.board(), Some(state), Some(puzzle.goal()), None)
    }

    /// A puzzle with the numbers of an overlay, in a quarter of the room of [`Terminal::overlay`].
    /// There is room for one digit: `+` is ten or more.
    ///
    /// ```
    /// use ricochet_core::{Board, Cell, Goal, Puzzle, Robot};
    /// use ricochet_draw::{Overlay, Terminal};
    /// let board = Board::builder(4, 2).build().unwrap();
    /// let goal = Goal { robot: Some(Robot::RED), cell: Cell::new(1, 0) };
    /// let puzzle = Puzzle::new(board, &[Cell::new(0, 0)], goal).unwrap();
    /// let overlay = Overlay::new("five times the column", puzzle.board(), |cell| {
    ///     Some(5 * u32::from(cell.x))
    /// });
    /// let picture = Terminal::ascii().without_coordinates().miniature_overlay(&puzzle, &overlay);
    /// assert_eq!(
    ///     picture.plain(),
    ///     " _______\n\
    ///      |R[r]+ +|\n\
    ///      |0_5_+_+|\n"
    /// );
    /// ```
    pub fn miniature_overlay(&self, puzzle: &Puzzle, overlay: &Overlay) -> TextPicture {
        let (board, robots, goal) = (puzzle.board(), puzzle.start(), puzzle.goal());
        self.draw_miniature(board, Some(robots), Some(goal), Some(overlay))
    }

    fn draw_miniature(
        self,
        board: &Board,
        robots: Option<State>,
        goal: Option<Goal>,
        overlay: Option<&Overlay>,
    ) -> TextPicture {
        let (left, top) = self.origin();
        let (width, height) = (board.width(), board.height());
        let mut picture =
            TextPicture::blank(left + width * CELL_COLUMNS + 1, top + RIM_ROWS + height);
        let line = self.pick('▁', '_');
        let fill = self.pick('░', '#');
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
                    self.piece(board, robots, goal, cell)
                        .filter(|_| value.is_none() || stands_above(cell))
                        .or(value)
                })
                .collect();
            let is_closed = |x: usize| board.is_closed(Cell::new(x as u8, y as u8));
            let is_walled = |x: usize| walls::above(board, x, y + 1);
            for x in 0..=width {
                let column = left + x * CELL_COLUMNS;
                let sides = [x.checked_sub(1), (x < width).then_some(x)];
                let both = |there: &dyn Fn(usize) -> bool| {
                    sides.iter().all(|side| side.is_some_and(there))
                };
                // The underline of a cell with something in it is beside that.
                let beside = |x: usize| is_walled(x) && pieces[x].is_some() && !is_closed(x);
                if walls::before(board, x, y) {
                    picture.put(column, row, self.pick('┃', '|'), plain);
                } else if both(&is_closed) {
                    picture.put(column, row, fill, faint());
                } else if both(&is_walled) || sides.into_iter().flatten().any(beside) {
                    picture.put(column, row, line, plain);
                }
                if x < width {
                    let (glyph, style) = match pieces[x] {
                        Some(piece) => piece,
                        None if is_walled(x) => (line, plain),
                        None => (self.pick('·', '.'), faint()),
                    };
                    picture.put(column + 1, row, glyph, style);
                }
            }
        }
        if let Some(goal) = goal {
            self.put_brackets(&mut picture, board, robots, goal);
        }
        self.number_cells(&mut picture, width, height);
        picture
    }

    /// What tells the goal from other targets, also without colours: brackets, whose feet are the
    /// wall below it if there is one. Walls beside it matter more.
    fn put_brackets(
        self,
        picture: &mut TextPicture,
        board: &Board,
        robots: Option<State>,
        goal: Goal,
    ) {
        let (left, top) = self.origin();
        let (x, y) = (usize::from(goal.cell.x), usize::from(goal.cell.y));
        let (column, row) = (left + x * CELL_COLUMNS, top + RIM_ROWS + y);
        let style = goal_style(goal.robot);
        let is_walled = walls::above(board, x, y + 1);
        let brackets = match (is_walled, self.pick('⌊', '{')) {
            (false, _) => ['[', ']'],
            (true, '{') => ['{', '}'],
            (true, _) => ['⌊', '⌋'],
        };
        let mut free: Vec<(usize, char)> = [column, column + CELL_COLUMNS]
            .into_iter()
            .zip(brackets)
            .enumerate()
            .filter(|&(side, _)| !walls::before(board, x + side, y))
            .map(|(_, place)| place)
            .collect();
        if free.is_empty() {
            let is_covered = robots.is_some_and(|robots| robots.robot_at(goal.cell).is_some());
            if !is_covered {
                picture.put(column + 1, row, '*', style);
            }
            return;
        }
        // The underline of a neighbour stays where one bracket is enough.
        if !is_walled && free.iter().any(|&(at, _)| picture.at(at, row).0 == ' ') {
            free.retain(|&(at, _)| picture.at(at, row).0 == ' ');
        }
        for (at, bracket) in free {
            picture.put(at, row, bracket, style);
        }
    }

    /// What is in a cell.
    fn piece(
        self,
        board: &Board,
        robots: Option<State>,
        goal: Option<Goal>,
        cell: Cell,
    ) -> Option<(char, Style)> {
        let robot = robots.and_then(|robots| robots.iter().find(|&(_, at)| at == cell));
        if let Some((robot, _)) = robot {
            return Some((robot.letter(), robot_block(robot)));
        }
        if board.is_closed(cell) {
            return Some((self.pick('░', '#'), faint()));
        }
        if let Some(goal) = goal.filter(|goal| goal.cell == cell) {
            let letter = goal.robot.map(|robot| robot.letter().to_ascii_lowercase());
            return Some((letter.unwrap_or('*'), goal_style(goal.robot)));
        }
        if let Some(target) = board.targets().iter().find(|target| target.cell == cell) {
            return Some(match target.robot {
                Some(robot) => (robot.letter().to_ascii_lowercase(), robot_style(robot)),
                None => (self.pick('◎', '@'), Style::new()),
            });
        }
        let diagonal = board.diagonal(cell)?;
        let glyph = BoardCanvas::new(self, board).lean_glyph(diagonal.lean);
        Some((glyph, robot_style(diagonal.color).bold()))
    }

    /// The numbers of rows, and the last digits of those of columns: two have no room.
    fn number_cells(self, picture: &mut TextPicture, width: usize, height: usize) {
        let (left, top) = self.origin();
        if top == 0 {
            return;
        }
        for x in 0..width {
            let digit = (x % 10).to_string();
            picture.write(left + x * CELL_COLUMNS + 1, 0, &digit, faint());
        }
        for y in 0..height {
            let number = format!("{y:>2}");
            picture.write(0, top + RIM_ROWS + y, &number, faint());
        }
    }
}

#[cfg(test)]
mod tests {
    use ricochet_core::quadrants::Layout;

    use super::*;

    #[test]
    fn a_whole_board_fits_beside_four_sides() {
        let board = "1D 4B 3B 2D".parse::<Layout>().unwrap().board();
        let picture = Terminal::unicode()
            .without_coordinates()
            .miniature(&board, None);
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

    /// Every wall of the sides is to be seen: those of targets beside their letters.
    #[test]
    fn no_wall_is_hidden_by_what_stands_there() {
        for side in crate::sheet::quadrant::all() {
            let board = side.board();
            let picture = Terminal::unicode()
                .without_coordinates()
                .miniature(&board, None);
            for y in 0..board.height() {
                for x in 0..board.width() {
                    let (column, row) = (x * CELL_COLUMNS, RIM_ROWS + y);
                    let glyph = |column| picture.at(column, row).0;
                    let before = walls::before(&board, x, y);
                    assert_eq!(glyph(column) == '┃', before, "{side} ({x},{y})");
                    if walls::above(&board, x, y + 1) {
                        let around = [column, column + 1, column + 2].map(glyph);
                        let closed = board.is_closed(Cell::new(x as u8, y as u8));
                        assert!(around.contains(&'▁') || closed, "{side} ({x},{y})");
                    }
                }
            }
        }
    }

    /// Also where walls are beside it and below it, and without colours.
    #[test]
    fn the_goal_is_told_from_other_targets() {
        let layout = "1A 4B 3B 2B".parse::<Layout>().unwrap();
        for terminal in [Terminal::unicode(), Terminal::ascii()] {
            for target in layout.board().targets() {
                let goal = Goal {
                    robot: target.robot,
                    cell: target.cell,
                };
                let corners = [(0, 0), (15, 0), (0, 15), (15, 15)].map(|(x, y)| Cell::new(x, y));
                let puzzle = Puzzle::new(layout.board(), &corners, goal).unwrap();
                let text = terminal.miniature_state(&puzzle, puzzle.start()).plain();
                let count = |glyphs: &str| text.chars().filter(|&c| glyphs.contains(c)).count();
                assert_eq!(count("rgby*◎@"), 17, "{text}");
                assert!((1..=2).contains(&count("[]⌊⌋{}")), "{text}");
            }
        }
    }

    #[test]
    fn brackets_have_feet_above_a_wall_and_walls_matter_more() {
        use ricochet_core::Direction::{East, South, West};
        let cell = Cell::new(1, 0);
        let goal = Goal {
            robot: Some(ricochet_core::Robot::RED),
            cell,
        };
        let row = |walls: &[ricochet_core::Direction], terminal: Terminal| {
            let mut board = Board::builder(3, 2);
            for &side in walls {
                board = board.wall(cell, side);
            }
            let puzzle = Puzzle::new(board.build().unwrap(), &[Cell::new(0, 1)], goal).unwrap();
            let bare = terminal.without_coordinates();
            let picture = bare.miniature_state(&puzzle, puzzle.start());
            picture.plain().lines().nth(1).unwrap().to_owned()
        };
        let unicode = Terminal::unicode();
        assert_eq!(row(&[], unicode), "┃·[r]·┃");
        assert_eq!(row(&[East], unicode), "┃·[r┃·┃");
        assert_eq!(row(&[South], unicode), "┃·⌊r⌋·┃");
        assert_eq!(row(&[East, South], unicode), "┃·⌊r┃·┃");
        assert_eq!(row(&[East, South], Terminal::ascii()), "|.{r|.|");
        assert_eq!(row(&[East, West], unicode), "┃·┃*┃·┃");
    }

    #[test]
    fn the_goal_of_any_robot_and_a_robot_on_it() {
        let terminal = Terminal::unicode();
        let board = Board::builder(3, 2).build().unwrap();
        let goal = Goal {
            robot: None,
            cell: Cell::new(1, 0),
        };
        let puzzle = Puzzle::new(board, &[Cell::new(1, 0)], goal).unwrap();
        let row = |state| {
            let picture = terminal
                .without_coordinates()
                .miniature_state(&puzzle, state);
            picture.plain().lines().nth(1).unwrap().to_owned()
        };
        assert_eq!(row(puzzle.start()), "┃·[R]·┃");
        assert_eq!(row(State::new(&[Cell::new(0, 0)]).unwrap()), "┃R[*]·┃");
    }

    #[test]
    fn coordinates_are_rows_and_last_digits_of_columns() {
        let board = Board::builder(12, 2).build().unwrap();
        let text = Terminal::ascii().miniature(&board, None).plain();
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("    0 1 2 3 4 5 6 7 8 9 0 1"));
        assert_eq!(lines.nth(1), Some(" 0 |. . . . . . . . . . . .|"));
    }
}
