//! Boards: size, walls, diagonals, printed targets. A [`Board`] is always valid.

mod checks;
mod markings;

use std::fmt;

use crate::geometry::{Cell, Direction, MAX_SIDE, Symmetry};
use crate::problem::{Problem, ValidationError};
use crate::robot::Robot;
use crate::slide::Runs;

pub(crate) use checks::{add_rim, board_problems, marking_problems};
pub use markings::{Diagonal, Lean, Shape, Target};

/// The mask of a closed cell: walls on all four sides.
pub const CLOSED: u8 = 15;

/// A valid board: 2..=32 by 2..=32 cells, every wall on both sides of its edge, the rim closed,
/// diagonals and targets on open cells.
///
/// ```
/// use ricochet_core::{Board, Cell, Direction, Robot};
/// let board = Board::builder(5, 4).wall(Cell::new(2, 1), Direction::East).build().unwrap();
/// assert!(board.has_wall(Cell::new(3, 1), Direction::West), "walls have two sides");
/// let end = board.slide(Robot::RED, Cell::new(0, 1), Direction::East, &[]);
/// assert_eq!(end, Cell::new(2, 1));
/// ```
#[derive(Clone)]
pub struct Board {
    width: u8,
    height: u8,
    walls: Box<[u8]>,
    diagonals: Vec<Diagonal>,
    targets: Vec<Target>,
    pub(crate) runs: Runs,
}

impl Board {
    /// Starts a board that has only its rim.
    pub fn builder(width: usize, height: usize) -> BoardBuilder {
        BoardBuilder::new(width, height)
    }

    /// Makes a board from raw parts.
    ///
    /// `walls` are the masks of the cells row by row (N=1, E=2, S=4, W=8).
    ///
    /// # Errors
    /// All the [`Problem`]s found.
    pub fn from_parts(
        width: usize,
        height: usize,
        walls: &[u8],
        diagonals: Vec<Diagonal>,
        targets: Vec<Target>,
    ) -> Result<Self, ValidationError> {
        let problems = board_problems(width, height, walls, &diagonals, &targets);
        if !problems.is_empty() {
            return Err(ValidationError { problems });
        }
        Ok(Self::from_valid_parts(
            width,
            height,
            walls.into(),
            diagonals,
            targets,
        ))
    }

    /// Makes a board from parts that are known to be valid.
    pub(crate) fn from_valid_parts(
        width: usize,
        height: usize,
        walls: Box<[u8]>,
        mut diagonals: Vec<Diagonal>,
        mut targets: Vec<Target>,
    ) -> Self {
        debug_assert!(board_problems(width, height, &walls, &diagonals, &targets).is_empty());
        diagonals.sort_by_key(|diagonal| diagonal.cell);
        targets.sort_by_key(|target| target.cell);
        let runs = Runs::new(width, height, &walls, &diagonals);
        Self {
            width: width as u8,
            height: height as u8,
            walls,
            diagonals,
            targets,
            runs,
        }
    }

    /// Number of columns.
    pub fn width(&self) -> usize {
        usize::from(self.width)
    }

    /// Number of rows.
    pub fn height(&self) -> usize {
        usize::from(self.height)
    }

    /// Number of cells, closed ones included.
    pub fn cell_count(&self) -> usize {
        self.width() * self.height()
    }

    /// Whether the cell lies on the board.
    pub fn contains(&self, cell: Cell) -> bool {
        cell.x < self.width && cell.y < self.height
    }

    /// The number of a cell of this board, row by row from 0.
    pub fn index(&self, cell: Cell) -> usize {
        usize::from(cell.y) * self.width() + usize::from(cell.x)
    }

    /// The cell of a number: the inverse of [`Board::index`].
    pub fn cell(&self, index: usize) -> Cell {
        Cell::new((index % self.width()) as u8, (index / self.width()) as u8)
    }

    /// All cells, row by row.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let (width, height) = (self.width, self.height);
        (0..height).flat_map(move |y| (0..width).map(move |x| Cell::new(x, y)))
    }

    /// The wall mask of each cell, row by row (N=1, E=2, S=4, W=8).
    #[inline]
    pub fn walls(&self) -> &[u8] {
        &self.walls
    }

    /// Whether the cell has a wall on that side.
    #[inline]
    pub fn has_wall(&self, cell: Cell, side: Direction) -> bool {
        self.walls[self.index(cell)] & side.wall_bit() != 0
    }

    /// Whether all four sides are walls, so that no robot can be there.
    #[inline]
    pub fn is_closed(&self, cell: Cell) -> bool {
        self.walls[self.index(cell)] == CLOSED
    }

    /// The diagonals, row by row.
    pub fn diagonals(&self) -> &[Diagonal] {
        &self.diagonals
    }

    /// The diagonal on a cell.
    #[inline]
    pub fn diagonal(&self, cell: Cell) -> Option<&Diagonal> {
        self.diagonals
            .binary_search_by_key(&cell, |diagonal| diagonal.cell)
            .ok()
            .map(|at| &self.diagonals[at])
    }

    /// The printed targets, row by row.
    pub fn targets(&self) -> &[Target] {
        &self.targets
    }

    /// The image of the board under a symmetry.
    ///
    /// ```
    /// use ricochet_core::{Board, Cell, Direction, Symmetry};
    /// let board = Board::builder(5, 4).wall(Cell::new(0, 0), Direction::East).build().unwrap();
    /// let turned = board.transformed(Symmetry::ALL[1]);
    /// assert_eq!((turned.width(), turned.height()), (4, 5));
    /// assert!(turned.has_wall(Cell::new(3, 0), Direction::South));
    /// ```
    pub fn transformed(&self, symmetry: Symmetry) -> Self {
        let (width, height) = symmetry.size(self.width(), self.height());
        let image = |cell| symmetry.cell(cell, self.width(), self.height());
        let mut walls = vec![0; self.cell_count()];
        for cell in self.cells() {
            let to = image(cell);
            for side in Direction::ALL {
                if self.has_wall(cell, side) {
                    walls[usize::from(to.y) * width + usize::from(to.x)] |=
                        symmetry.direction(side).wall_bit();
                }
            }
        }
        let diagonals = self
            .diagonals
            .iter()
            .map(|diagonal| Diagonal {
                cell: image(diagonal.cell),
                lean: if symmetry.flips_lean() {
                    diagonal.lean.flipped()
                } else {
                    diagonal.lean
                },
                color: diagonal.color,
            })
            .collect();
        let targets = self
            .targets
            .iter()
            .map(|target| Target {
                cell: image(target.cell),
                ..*target
            })
            .collect();
        // The image of a valid board is valid.
        Self::from_valid_parts(width, height, walls.into(), diagonals, targets)
    }
}

impl PartialEq for Board {
    fn eq(&self, other: &Self) -> bool {
        // `runs` is derived from the other fields.
        self.width == other.width
            && self.height == other.height
            && self.walls == other.walls
            && self.diagonals == other.diagonals
            && self.targets == other.targets
    }
}

impl Eq for Board {}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Board")
            .field("width", &self.width)
            .field("height", &self.height)
            .field("walls", &self.walls)
            .field("diagonals", &self.diagonals)
            .field("targets", &self.targets)
            .finish_non_exhaustive()
    }
}

/// Builds a board wall by wall; see [`Board::builder`]. [`BoardBuilder::build`] reports mistakes.
#[derive(Clone, Debug)]
pub struct BoardBuilder {
    width: usize,
    height: usize,
    walls: Vec<u8>,
    diagonals: Vec<Diagonal>,
    targets: Vec<Target>,
    off_board: Vec<Problem>,
}

impl BoardBuilder {
    fn new(width: usize, height: usize) -> Self {
        let sane = (2..=MAX_SIDE).contains(&width) && (2..=MAX_SIDE).contains(&height);
        let mut walls = vec![0; if sane { width * height } else { 0 }];
        if sane {
            add_rim(width, height, &mut walls);
        }
        Self {
            width,
            height,
            walls,
            diagonals: Vec::new(),
            targets: Vec::new(),
            off_board: Vec::new(),
        }
    }

    /// Adds a wall between a cell and its neighbour.
    #[must_use]
    pub fn wall(mut self, cell: Cell, side: Direction) -> Self {
        self.add_wall(cell, side);
        self
    }

    /// Adds a wall, by reference.
    pub fn add_wall(&mut self, cell: Cell, side: Direction) {
        match self.index(cell) {
            None => self.off_board.push(Problem::WallOffBoard { cell, side }),
            Some(index) => {
                self.walls[index] |= side.wall_bit();
                if let Some(next) = cell.step(side).and_then(|next| self.index(next)) {
                    self.walls[next] |= side.opposite().wall_bit();
                }
            }
        }
    }

    /// Closes a cell on all four sides.
    #[must_use]
    pub fn close(mut self, cell: Cell) -> Self {
        for side in Direction::ALL {
            self.add_wall(cell, side);
        }
        self
    }

    /// Adds a diagonal.
    #[must_use]
    pub fn diagonal(mut self, cell: Cell, lean: Lean, color: Robot) -> Self {
        self.diagonals.push(Diagonal { cell, lean, color });
        self
    }

    /// Adds a target.
    #[must_use]
    pub fn target(mut self, cell: Cell, robot: Option<Robot>, shape: Shape) -> Self {
        self.targets.push(Target { cell, robot, shape });
        self
    }

    /// Whether the cell has a wall on that side so far; `false` off the board.
    pub fn has_wall(&self, cell: Cell, side: Direction) -> bool {
        self.index(cell)
            .is_some_and(|index| self.walls[index] & side.wall_bit() != 0)
    }

    /// Finishes the board.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn build(self) -> Result<Board, ValidationError> {
        let mut problems = self.off_board;
        if self.walls.is_empty() {
            let (width, height) = (self.width, self.height);
            problems.push(Problem::Size { width, height });
            return Err(ValidationError { problems });
        }
        // `add_wall` keeps the walls valid.
        problems.extend(marking_problems(
            self.width,
            self.height,
            &self.walls,
            &self.diagonals,
            &self.targets,
        ));
        if !problems.is_empty() {
            return Err(ValidationError { problems });
        }
        Ok(Board::from_valid_parts(
            self.width,
            self.height,
            self.walls.into(),
            self.diagonals,
            self.targets,
        ))
    }

    fn index(&self, cell: Cell) -> Option<usize> {
        let (x, y) = (usize::from(cell.x), usize::from(cell.y));
        (x < self.width && y < self.height && !self.walls.is_empty()).then(|| y * self.width + x)
    }
}
