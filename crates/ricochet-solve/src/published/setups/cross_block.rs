//! Cross block positions (report, 3.6).
//!
//! 'When the robot does cross a critical path the position that would block the cross is added to a
//! list of cross block positions. A cross block position is defined by its position, the degree of
//! the adjacent critical path and the amount of moves needed from the victoryrobot to make the
//! cross.'
//!
//! Readings: crossing is moving over a field of a path without stopping there, and the field that is
//! entered next is the one that would block. The moves include the crossing one. They are found
//! 'during an initial single color search', so from the start and up to its depth limit, with the
//! other robots where they are; the search goes on after it has found the target, as the positions
//! are wanted for themselves. Of several crossings that one field blocks, the one with the lowest sum
//! of moves and degree counts.

use ricochet_core::{Cell, Direction, Puzzle, Robot, slide_slowly};

use super::critical::Critical;
use super::single_color::SingleColor;

/// A field on which another robot would stop the victory robot on a critical path.
///
/// ```
/// use ricochet_core::Cell;
/// use ricochet_solve::published::setups::CrossBlock;
/// let block = CrossBlock { cell: Cell::new(4, 0), stop: Cell::new(3, 0), degree: 1, moves: 2 };
/// assert_eq!(block.score(), 3);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CrossBlock {
    /// The field.
    pub cell: Cell,
    /// Where the victory robot stops then.
    pub stop: Cell,
    /// The degree of the path that is crossed.
    pub degree: u32,
    /// Moves of the victory robot, the crossing one included.
    pub moves: u32,
}

impl CrossBlock {
    /// The cross block score without the moves of the setup: how many moves the victory robot needs
    /// once another one is there, if nothing else has changed.
    ///
    /// ```
    /// use ricochet_core::Cell;
    /// use ricochet_solve::published::setups::CrossBlock;
    /// let block = CrossBlock { cell: Cell::new(4, 0), stop: Cell::new(3, 0), degree: 2, moves: 1 };
    /// assert_eq!(block.score(), 3);
    /// ```
    pub fn score(self) -> u32 {
        self.moves + self.degree
    }
}

/// The cross block positions of a puzzle.
///
/// ```
/// use ricochet_core::{Board, Cell, Goal, Puzzle, Robot};
/// use ricochet_solve::published::setups::{Critical, CrossBlocks};
/// let board = Board::builder(5, 5).build().unwrap();
/// let goal = Goal { robot: Some(Robot::RED), cell: Cell::new(0, 0) };
/// let puzzle = Puzzle::new(board, &[Cell::new(2, 2)], goal).unwrap();
/// let critical = Critical::new(puzzle.board(), Robot::RED, goal.cell, 3);
/// let blocks = CrossBlocks::new(&puzzle, Robot::RED, &critical, 10);
/// // North, then east: that crosses (3,0), on a path of degree 1; a robot on (4,0) would block.
/// let block = blocks.at(Cell::new(4, 0)).unwrap();
/// assert_eq!((block.degree, block.moves), (1, 2));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrossBlocks {
    /// By field: the best crossing that it blocks.
    by_cell: Vec<Option<CrossBlock>>,
    width: usize,
}

impl CrossBlocks {
    /// Follows all moves of `robot` alone, up to `most_moves`.
    ///
    /// ```
    /// use ricochet_core::{Cell, Robot, notation};
    /// use ricochet_solve::published::setups::{Critical, CrossBlocks};
    /// let puzzle = notation::parse_line("5x5..22.R00").unwrap().validate().unwrap();
    /// let critical = Critical::new(puzzle.board(), Robot::RED, Cell::new(0, 0), 3);
    /// let blocks = CrossBlocks::new(&puzzle, Robot::RED, &critical, 1);
    /// assert_eq!(blocks.at(Cell::new(4, 0)), None, "its crossing takes two moves");
    /// ```
    pub fn new(puzzle: &Puzzle, robot: Robot, critical: &Critical, most_moves: u32) -> Self {
        let board = puzzle.board();
        let mut blocks = Self {
            by_cell: vec![None; board.cell_count()],
            width: board.width(),
        };
        let mut search = SingleColor::new(puzzle);
        search.explore(puzzle.start(), robot, most_moves);
        for stop in search.reached.iter().filter(|stop| stop.moves < most_moves) {
            for direction in Direction::ALL {
                let slide = slide_slowly(
                    board,
                    robot,
                    stop.state[robot],
                    direction,
                    stop.state.cells(),
                );
                for pair in slide.path.windows(2) {
                    let [(crossed, _), (cell, _)] = [pair[0], pair[1]];
                    if let Some(degree) = critical.degree(crossed) {
                        blocks.add(CrossBlock {
                            cell,
                            stop: crossed,
                            degree,
                            moves: stop.moves + 1,
                        });
                    }
                }
            }
        }
        blocks
    }

    fn add(&mut self, block: CrossBlock) {
        let known =
            &mut self.by_cell[usize::from(block.cell.y) * self.width + usize::from(block.cell.x)];
        if known.is_none_or(|known| block.score() < known.score()) {
            *known = Some(block);
        }
    }

    /// The crossing that a robot on this field would block.
    ///
    /// ```
    /// use ricochet_core::{Robot, notation};
    /// use ricochet_solve::published::setups::{Critical, CrossBlocks};
    /// let puzzle = notation::parse_line("5x5..22.R00").unwrap().validate().unwrap();
    /// let critical = Critical::new(puzzle.board(), Robot::RED, puzzle.goal().cell, 3);
    /// let blocks = CrossBlocks::new(&puzzle, Robot::RED, &critical, 10);
    /// assert!(blocks.iter().all(|block| blocks.at(block.cell) == Some(block)));
    /// ```
    pub fn at(&self, cell: Cell) -> Option<CrossBlock> {
        let x = usize::from(cell.x);
        let index = usize::from(cell.y) * self.width + x;
        (x < self.width)
            .then(|| self.by_cell.get(index).copied().flatten())
            .flatten()
    }

    /// All of them, row by row.
    ///
    /// ```
    /// use ricochet_core::{Cell, Robot, notation};
    /// use ricochet_solve::published::setups::{Critical, CrossBlocks};
    /// let puzzle = notation::parse_line("5x5..22.R00").unwrap().validate().unwrap();
    /// let critical = Critical::new(puzzle.board(), Robot::RED, Cell::new(0, 0), 3);
    /// let blocks = CrossBlocks::new(&puzzle, Robot::RED, &critical, 10);
    /// assert!(blocks.iter().all(|block| blocks.at(block.cell) == Some(block)));
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = CrossBlock> + '_ {
        self.by_cell.iter().flatten().copied()
    }

    /// The cross block score of a setup of `setup_moves` moves that leaves the robots on these
    /// fields (the victory robot's does not count); `None`, the report's 0, if no cross block
    /// position is occupied.
    ///
    /// ```
    /// use ricochet_core::{Cell, Robot, notation};
    /// use ricochet_solve::published::setups::{Critical, CrossBlocks};
    /// let puzzle = notation::parse_line("5x5..22.R00").unwrap().validate().unwrap();
    /// let critical = Critical::new(puzzle.board(), Robot::RED, Cell::new(0, 0), 3);
    /// let blocks = CrossBlocks::new(&puzzle, Robot::RED, &critical, 10);
    /// let corner = blocks.at(Cell::new(4, 0)).unwrap();
    /// assert_eq!(blocks.score([corner.cell].into_iter(), 2), Some(corner.score() + 2));
    /// assert_eq!(blocks.score([].into_iter(), 2), None);
    /// ```
    pub fn score(&self, others: impl Iterator<Item = Cell>, setup_moves: u32) -> Option<u32> {
        others
            .filter_map(|cell| self.at(cell))
            .map(|block| block.score() + setup_moves)
            .min()
    }
}
