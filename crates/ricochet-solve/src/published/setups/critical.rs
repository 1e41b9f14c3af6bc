//! Critical paths and critical positions (report, 3.5).
//!
//! 'A critical path consists of all fields that can directly (without help of another robot) access
//! the victorypoint. … The degree of a field within a critical path is defined as the amount of
//! moves required to reach the victorypoint starting from that field. … The fields adjacent to the
//! critical paths are called critical positions also attributed with the degree of the related
//! path.'
//!
//! Readings: the moves are those of the victory robot alone on the board, the others taken off. The
//! paths end on the victory point, which has degree 0. A position beside several fields of paths has
//! the lowest of their degrees, but at least 1, since a score divides by it. A field of a path that
//! lies beside another one is a position too: only so does the report's remark hold that every cross
//! block position is a critical position. A wall between two fields keeps them from being adjacent.
//! Degrees above the limit ('degree limits for critical paths can be changed', section 5) do not
//! count; the default is 3, as in the report's figure 4.

use std::collections::VecDeque;

use ricochet_core::{Board, Cell, Direction, Robot};

/// The critical paths of one target for one robot.
///
/// ```
/// use ricochet_core::{Board, Cell, Direction, Robot};
/// use ricochet_solve::published::setups::Critical;
/// // The target is in the corner: row 0 and column 0 lead there directly.
/// let board = Board::builder(5, 5).build().unwrap();
/// let critical = Critical::new(&board, Robot::RED, Cell::new(0, 0), 3);
/// assert_eq!(critical.degree(Cell::new(3, 0)), Some(1));
/// assert_eq!(critical.degree(Cell::new(3, 3)), Some(2));
/// assert_eq!(critical.degree(Cell::new(0, 0)), Some(0));
/// assert_eq!(critical.position_degree(Cell::new(3, 1)), Some(1));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Critical {
    width: usize,
    height: usize,
    degrees: Vec<Option<u32>>,
    positions: Vec<Option<u32>>,
}

impl Critical {
    /// Finds the critical paths up to a degree, and the positions beside them.
    ///
    /// ```
    /// use ricochet_core::{Board, Cell, Robot};
    /// use ricochet_solve::published::setups::Critical;
    /// let board = Board::builder(5, 5).build().unwrap();
    /// let critical = Critical::new(&board, Robot::RED, Cell::new(0, 0), 1);
    /// assert_eq!(critical.degree(Cell::new(3, 3)), None, "two moves away");
    /// ```
    pub fn new(board: &Board, robot: Robot, target: Cell, highest_degree: u32) -> Self {
        let mut critical = Self {
            width: board.width(),
            height: board.height(),
            degrees: path_degrees(board, robot, target, highest_degree),
            positions: vec![None; board.cell_count()],
        };
        for cell in board.cells() {
            let beside = Direction::ALL
                .into_iter()
                .filter(|&side| !board.has_wall(cell, side))
                .filter_map(|side| critical.degree(cell.step(side)?));
            critical.positions[board.index(cell)] = beside.min().map(|degree| degree.max(1));
        }
        critical
    }

    /// The degree of a field on a critical path: moves to the target; `None` off the paths.
    ///
    /// ```
    /// use ricochet_core::{Board, Cell, Robot};
    /// use ricochet_solve::published::setups::Critical;
    /// let board = Board::builder(5, 5).build().unwrap();
    /// let critical = Critical::new(&board, Robot::RED, Cell::new(0, 0), 3);
    /// assert_eq!(critical.degree(Cell::new(0, 4)), Some(1));
    /// ```
    pub fn degree(&self, cell: Cell) -> Option<u32> {
        self.index(cell).and_then(|index| self.degrees[index])
    }

    /// The degree of a critical position; `None` elsewhere.
    ///
    /// ```
    /// use ricochet_core::{Board, Cell, Robot};
    /// use ricochet_solve::published::setups::Critical;
    /// let board = Board::builder(5, 5).build().unwrap();
    /// let critical = Critical::new(&board, Robot::RED, Cell::new(0, 0), 1);
    /// assert_eq!(critical.position_degree(Cell::new(1, 3)), Some(1), "beside column 0");
    /// assert_eq!(critical.position_degree(Cell::new(3, 3)), None);
    /// ```
    pub fn position_degree(&self, cell: Cell) -> Option<u32> {
        self.index(cell).and_then(|index| self.positions[index])
    }

    fn index(&self, cell: Cell) -> Option<usize> {
        let (x, y) = (usize::from(cell.x), usize::from(cell.y));
        (x < self.width && y < self.height).then_some(y * self.width + x)
    }
}

/// Breadth first from the target, against the slides of the robot alone.
fn path_degrees(
    board: &Board,
    robot: Robot,
    target: Cell,
    highest_degree: u32,
) -> Vec<Option<u32>> {
    // From where a single move ends on a field.
    let mut sources: Vec<Vec<Cell>> = vec![Vec::new(); board.cell_count()];
    for cell in board.cells().filter(|&cell| !board.is_closed(cell)) {
        for direction in Direction::ALL {
            let end = board.slide(robot, cell, direction, &[]);
            if end != cell {
                sources[board.index(end)].push(cell);
            }
        }
    }
    let mut degrees = vec![None; board.cell_count()];
    degrees[board.index(target)] = Some(0);
    let mut queue = VecDeque::from([(target, 0)]);
    while let Some((cell, degree)) = queue.pop_front() {
        if degree >= highest_degree {
            break;
        }
        for &source in &sources[board.index(cell)] {
            let known = &mut degrees[board.index(source)];
            if known.is_none() {
                *known = Some(degree + 1);
                queue.push_back((source, degree + 1));
            }
        }
    }
    degrees
}
