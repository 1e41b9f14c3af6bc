//! Robot positions, and a canonical order of interchangeable robots.

use std::fmt;

use crate::geometry::Cell;
use crate::robot::{MAX_ROBOTS, Robot};

/// The robots' cells. Unused entries are zero, so that equal positions are equal values.
///
/// ```
/// use ricochet_core::{Cell, Robot, State};
/// let state = State::new(&[Cell::new(0, 0), Cell::new(3, 1)]).unwrap();
/// let moved = state.with(Robot::GREEN, Cell::new(5, 1));
/// assert_eq!(moved[Robot::GREEN], Cell::new(5, 1));
/// assert_eq!(moved.cells(), [Cell::new(0, 0), Cell::new(5, 1)]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State {
    cells: [Cell; MAX_ROBOTS],
    len: u8,
}

impl State {
    /// The state with robot `i` on `cells[i]`; `None` for more than eight.
    pub fn new(cells: &[Cell]) -> Option<Self> {
        let mut state = Self {
            cells: [Cell::default(); MAX_ROBOTS],
            len: cells.len() as u8,
        };
        state.cells.get_mut(..cells.len())?.copy_from_slice(cells);
        Some(state)
    }

    /// Number of robots.
    #[inline]
    pub fn len(&self) -> usize {
        usize::from(self.len)
    }

    /// Whether there are no robots.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The cells in the order of the robots.
    #[inline]
    pub fn cells(&self) -> &[Cell] {
        &self.cells[..self.len()]
    }

    /// The robots with their cells.
    pub fn iter(&self) -> impl Iterator<Item = (Robot, Cell)> + '_ {
        Robot::ALL.into_iter().zip(self.cells().iter().copied())
    }

    /// The robots, without their cells.
    pub fn robots(&self) -> impl Iterator<Item = Robot> + use<> {
        Robot::ALL.into_iter().take(self.len())
    }

    /// The state with one robot on another cell.
    ///
    /// # Panics
    /// If there is no such robot.
    #[inline]
    #[must_use]
    pub fn with(mut self, robot: Robot, cell: Cell) -> Self {
        assert!(robot.index() < self.len(), "no {robot} robot");
        self.cells[robot.index()] = cell;
        self
    }

    /// The robot on a cell.
    #[inline]
    pub fn robot_at(&self, cell: Cell) -> Option<Robot> {
        self.iter()
            .find(|&(_, at)| at == cell)
            .map(|(robot, _)| robot)
    }

    /// The state in which the given interchangeable robots are in ascending order of their cells. See [`Puzzle::interchangeable`](crate::Puzzle::interchangeable).
    ///
    /// ```
    /// use ricochet_core::{Cell, Robot, State};
    /// let state = State::new(&[Cell::new(9, 9), Cell::new(3, 1), Cell::new(0, 0)]).unwrap();
    /// let sorted = state.canonical(&[Robot::RED, Robot::BLUE]);
    /// assert_eq!(sorted.cells(), [Cell::new(0, 0), Cell::new(3, 1), Cell::new(9, 9)]);
    /// ```
    #[must_use]
    pub fn canonical(mut self, interchangeable: &[Robot]) -> Self {
        // At most eight robots: insertion sort.
        for i in 1..interchangeable.len() {
            for j in (1..=i).rev() {
                let (a, b) = (interchangeable[j - 1].index(), interchangeable[j].index());
                if self.cells[a] > self.cells[b] {
                    self.cells.swap(a, b);
                } else {
                    break;
                }
            }
        }
        self
    }
}

impl std::ops::Index<Robot> for State {
    type Output = Cell;

    fn index(&self, robot: Robot) -> &Cell {
        &self.cells()[robot.index()]
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map()
            .entries(self.iter().map(|(robot, cell)| (robot.letter(), cell)))
            .finish()
    }
}
