//! How many moves a robot needs to reach each cell of the board, from one start, in one pass.
//!
//! Breadth first without a goal. States with the same helper positions are one entry: the helpers,
//! and the set of cells where the robot in question can be (*Solver Algorithms* and the thesis keep
//! one state a node; the flagship has sets for the same reason). A helper's move takes the whole set
//! along but for the cells in its way, so its cost is shared by all of them. The pass ends when every
//! cell that can be reached at all has its distance, when there is nothing new (then the rest is
//! proven unreachable), or at a limit.
//!
//! A *node* is an entry expanded: one position of the helpers with all cells that are new there.

mod sweep;

use std::fmt;

use ricochet_core::{Cell, Goal, Puzzle, Robot};

use crate::memory::meter::MemoryMeter;
use crate::{Budget, Limit, LimitReached, Limits};
use sweep::SweepResult;

/// For whom distances are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RobotSelection {
    /// The robot that has to reach the target; every robot if any may.
    Active,
    /// This one.
    Robot(Robot),
    /// Every robot.
    All,
}

/// How far a cell is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CellDistance {
    /// So many moves, of all robots together, and no fewer.
    Moves(u32),
    /// Not known: more than this many moves, or unreachable.
    MoreThan(u32),
    /// Proof that the robot can never stop there.
    Unreachable,
}

impl fmt::Display for CellDistance {
    /// `7`, `>7` or `-`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Moves(moves) => f.pad(&moves.to_string()),
            Self::MoreThan(moves) => f.pad(&format!(">{moves}")),
            Self::Unreachable => f.pad("-"),
        }
    }
}

/// The distances of one robot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RobotDistances {
    /// The robot.
    pub robot: Robot,
    /// The limit that ended the pass before all was known: every [`CellDistance::MoreThan`] is because of
    /// it, and such cells are at least its lower bound away. `None` if nothing is left open.
    pub stopped: Option<LimitReached>,
    width: usize,
    cells: Vec<CellDistance>,
}

impl RobotDistances {
    /// Whether every cell has its exact distance or is proven unreachable.
    pub fn is_complete(&self) -> bool {
        self.stopped.is_none()
    }

    /// How far a cell is; `None` if it is not on the board.
    pub fn get(&self, cell: Cell) -> Option<CellDistance> {
        let x = usize::from(cell.x);
        let index = usize::from(cell.y) * self.width + x;
        (x < self.width).then(|| self.cells.get(index).copied())?
    }

    /// All cells by [`Board::index`](ricochet_core::Board::index): row by row from the north.
    pub fn cells(&self) -> &[CellDistance] {
        &self.cells
    }

    /// The most moves that any cell is known to need.
    pub fn farthest(&self) -> u32 {
        let known = self.cells.iter().filter_map(|distance| match distance {
            CellDistance::Moves(moves) => Some(*moves),
            _ => None,
        });
        known.max().unwrap_or(0)
    }
}

/// The distances of one robot or several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distances {
    /// One entry a robot, in the robots' order.
    pub robots: Vec<RobotDistances>,
    /// Nodes of all passes.
    pub nodes: u64,
    /// Most bytes held at once.
    pub peak_bytes: u64,
}

impl Distances {
    /// Whether every cell has its exact distance or is proven unreachable, for every robot.
    pub fn is_complete(&self) -> bool {
        self.robots.iter().all(RobotDistances::is_complete)
    }

    /// The limit that ended a pass before every distance was known, with a lower bound on the
    /// distances that are missing. If several limits did, one other than [`Limit::Moves`] is named,
    /// since that one is usually intended.
    pub fn limit_reached(&self) -> Option<LimitReached> {
        let all = || self.robots.iter().filter_map(|robot| robot.stopped);
        let other = all().find(|stopped| stopped.limit != Limit::Moves);
        Some(LimitReached {
            limit: other.or_else(|| all().next())?.limit,
            lower_bound: all().map(|stopped| stopped.lower_bound).min()?,
        })
    }
}

/// Finds the distances from the puzzle's start to every cell. The puzzle's own target does not
/// matter; its rules do: under `must_ricochet` the robot has to turn before it stops there, so that
/// its own cell is not 0 moves away. Then cells in the robot's row and column may take a pass each.
///
/// The limits hold for all robots together; when one is reached, what was found so far is exact.
///
/// ```
/// use ricochet_core::{Board, Cell, Goal, Puzzle, Robot};
/// use ricochet_solve::Limits;
/// use ricochet_solve::distances::{CellDistance, RobotSelection, distances};
/// let board = Board::builder(8, 8).build().unwrap();
/// let goal = Goal { robot: Some(Robot::RED), cell: Cell::new(7, 7) };
/// let puzzle = Puzzle::new(board, &[Cell::new(0, 0)], goal).unwrap();
/// let all = distances(&puzzle, RobotSelection::Active, &Limits::default());
/// let red = &all.robots[0];
/// assert_eq!(red.get(Cell::new(7, 7)), Some(CellDistance::Moves(2)));
/// assert_eq!(red.get(Cell::new(3, 3)), Some(CellDistance::Unreachable));
/// ```
pub fn distances(puzzle: &Puzzle, who: RobotSelection, limits: &Limits) -> Distances {
    let mut robots: Vec<Robot> = match who {
        RobotSelection::Active => match puzzle.goal().robot {
            Some(active) => vec![active],
            None => puzzle.start().robots().collect(),
        },
        RobotSelection::Robot(robot) => vec![robot],
        RobotSelection::All => puzzle.start().robots().collect(),
    };
    robots.retain(|robot| robot.index() < puzzle.start().len());
    let mut found = Distances {
        robots: Vec::new(),
        nodes: 0,
        peak_bytes: 0,
    };
    let mut budget = Budget::start(limits);
    for robot in robots {
        let rest = budget.left();
        let goal = Goal {
            robot: Some(robot),
            ..puzzle.goal()
        };
        let seen_by = puzzle
            .with_position(puzzle.start().cells(), goal)
            .expect("as valid as before");
        let SweepResult {
            mut cells,
            mut limit,
            revisited,
            nodes,
            peak_bytes,
        } = sweep::run(&seen_by, robot, None, MemoryMeter::start(&rest), rest.moves);
        found.nodes += nodes;
        budget.charge(nodes);
        found.peak_bytes = found.peak_bytes.max(peak_bytes);
        for target in revisited {
            let rest = budget.left();
            let meter = MemoryMeter::start(&rest);
            let again = sweep::run(&seen_by, robot, Some(target), meter, rest.moves);
            found.nodes += again.nodes;
            budget.charge(again.nodes);
            found.peak_bytes = found.peak_bytes.max(again.peak_bytes);
            limit = limit.or(again.limit);
            cells[target] = match (again.cells[target], cells[target]) {
                // The first pass knows that no way with fewer moves exists.
                (CellDistance::MoreThan(most), CellDistance::Moves(moves)) => {
                    CellDistance::MoreThan(most.max(moves.saturating_sub(1)))
                }
                (distance, _) => distance,
            };
        }
        let stopped = limit.map(|limit| LimitReached {
            limit,
            lower_bound: nearest_open(&cells),
        });
        found.robots.push(RobotDistances {
            robot,
            stopped,
            width: puzzle.board().width(),
            cells,
        });
    }
    found
}

/// How far the cells that are left open are at least.
fn nearest_open(cells: &[CellDistance]) -> u32 {
    let open = cells.iter().filter_map(|distance| match distance {
        CellDistance::MoreThan(moves) => Some(moves.saturating_add(1)),
        _ => None,
    });
    open.min().unwrap_or(0)
}
