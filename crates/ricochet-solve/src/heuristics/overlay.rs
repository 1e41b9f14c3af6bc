//! What the texts draw over a board, as one value a cell: the slides' minimum-moves map, the
//! report's critical paths and cross block positions (*Project AI in Games*, 3.5 and 3.6), and the
//! cells that the active robot can stop on.
//!
//! All are for the robot that has to arrive; if any robot may, a cell has the least of their values.
//! Values are row by row, as [`Board::index`](ricochet_core::Board::index) numbers cells.

use ricochet_core::{Puzzle, Robot};

use super::bound::MinMoves;
use super::critical::{Critical, CrossBlock, CrossBlocks, stops_alone};

/// A value, or none, for each cell.
pub type Values = Vec<Option<u32>>;

/// What can be drawn over a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// [`min_moves`].
    MinMoves,
    /// [`critical_paths`].
    Critical,
    /// [`critical_positions`].
    CriticalPositions,
    /// [`cross_block_scores`].
    CrossBlock,
    /// [`reach`].
    Reach,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::MinMoves,
        Self::Critical,
        Self::CriticalPositions,
        Self::CrossBlock,
        Self::Reach,
    ];

    /// The highest degree of critical paths that [`overlay`] shows, as in the report's figure 4.
    pub const DEGREE: u32 = 3;

    /// Its name for users: `min-moves`, `critical`, `critical-positions`, `cross-block`, `reach`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::MinMoves => "min-moves",
            Self::Critical => "critical",
            Self::CriticalPositions => "critical-positions",
            Self::CrossBlock => "cross-block",
            Self::Reach => "reach",
        }
    }

    /// The kind of a name, in capitals or not.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.name().eq_ignore_ascii_case(name))
    }
}

/// The values of one kind, with critical paths up to [`Kind::DEGREE`].
pub fn overlay(kind: Kind, puzzle: &Puzzle) -> Values {
    match kind {
        Kind::MinMoves => min_moves(puzzle),
        Kind::Critical => critical_paths(puzzle, Kind::DEGREE),
        Kind::CriticalPositions => critical_positions(puzzle, Kind::DEGREE),
        Kind::CrossBlock => cross_block_scores(puzzle, Kind::DEGREE),
        Kind::Reach => reach(puzzle),
    }
}

/// The slides' map: the fewest moves to the target if the robot could stop anywhere.
pub fn min_moves(puzzle: &Puzzle) -> Values {
    let board = puzzle.board();
    least_of(puzzle, |robot| {
        let map = MinMoves::new(board, robot, puzzle.goal().cell);
        board.cells().map(|cell| map.get(cell)).collect()
    })
}

/// The number of moves after which the robot can stop on a cell, the others staying where they are.
pub fn reach(puzzle: &Puzzle) -> Values {
    let board = puzzle.board();
    least_of(puzzle, |robot| {
        let mut values = vec![None; board.cell_count()];
        for (cell, moves) in stops_alone(puzzle, robot) {
            values[board.index(cell)] = Some(moves);
        }
        values
    })
}

/// The report's critical paths: the *degree* of a cell is the number of moves that the robot needs
/// from there to the target without the help of another robot. Cells of a degree above
/// `max_degree` have no value.
///
/// ```
/// use ricochet_core::{Board, Cell, Goal, Puzzle, Robot};
/// use ricochet_solve::heuristics::overlay;
/// let board = Board::builder(3, 3).build().unwrap();
/// let goal = Goal { robot: Some(Robot::RED), cell: Cell::new(2, 2) };
/// let puzzle = Puzzle::new(board, &[Cell::new(0, 0)], goal).unwrap();
/// let row = [Some(1), Some(1), Some(0)];
/// assert_eq!(overlay::critical_paths(&puzzle, 3)[6..], row);
/// assert_eq!(overlay::critical_paths(&puzzle, 1)[0], None);
/// ```
pub fn critical_paths(puzzle: &Puzzle, max_degree: u32) -> Values {
    least_of(puzzle, |robot| degrees(puzzle, robot, max_degree))
}

/// The report's critical positions: the cells beside critical paths, with the degree of the path.
/// See [`Critical`] for what counts as beside.
pub fn critical_positions(puzzle: &Puzzle, max_degree: u32) -> Values {
    least_of(puzzle, |robot| {
        let critical = critical_of(puzzle, robot, max_degree);
        let cells = puzzle.board().cells();
        cells.map(|cell| critical.position_degree(cell)).collect()
    })
}

/// The report's cross block positions: as the robot moves alone, the cells behind those of critical
/// paths that it crosses. Each cell is listed once, with the fewest moves plus degree.
///
/// ```
/// use ricochet_core::{Cell, notation};
/// use ricochet_solve::heuristics::overlay;
/// let puzzle = notation::parse_line("4x4..00.R20").unwrap().validate().unwrap();
/// // Red passes the target on its way east; a robot in the corner would stop it there.
/// let corner = overlay::cross_blocks(&puzzle, 3).into_iter().find(|b| b.cell == Cell::new(3, 0));
/// assert_eq!(corner.unwrap().stop, Cell::new(2, 0));
/// ```
pub fn cross_blocks(puzzle: &Puzzle, max_degree: u32) -> Vec<CrossBlock> {
    let mut best: Vec<Option<CrossBlock>> = vec![None; puzzle.board().cell_count()];
    for robot in arriving(puzzle) {
        let critical = critical_of(puzzle, robot, max_degree);
        for block in CrossBlocks::new(puzzle, robot, &critical, u32::MAX).iter() {
            let known = &mut best[puzzle.board().index(block.cell)];
            if known.is_none_or(|known| block.score() < known.score()) {
                *known = Some(block);
            }
        }
    }
    best.into_iter().flatten().collect()
}

/// The scores of [`cross_blocks`], by cell.
pub fn cross_block_scores(puzzle: &Puzzle, max_degree: u32) -> Values {
    let mut values = vec![None; puzzle.board().cell_count()];
    for block in cross_blocks(puzzle, max_degree) {
        values[puzzle.board().index(block.cell)] = Some(block.score());
    }
    values
}

/// The robots that may arrive.
fn arriving(puzzle: &Puzzle) -> impl Iterator<Item = Robot> {
    let goal = puzzle.goal().robot;
    puzzle
        .start()
        .robots()
        .filter(move |&robot| goal.is_none_or(|goal| goal == robot))
}

/// Cell by cell the least value of the robots that may arrive.
fn least_of(puzzle: &Puzzle, values: impl Fn(Robot) -> Values) -> Values {
    let mut least = vec![None; puzzle.board().cell_count()];
    for robot in arriving(puzzle) {
        for (known, new) in least.iter_mut().zip(values(robot)) {
            *known = match (*known, new) {
                (Some(a), Some(b)) => Some(u32::min(a, b)),
                (a, b) => a.or(b),
            };
        }
    }
    least
}

/// The critical paths of one robot.
fn critical_of(puzzle: &Puzzle, robot: Robot, max_degree: u32) -> Critical {
    Critical::new(puzzle.board(), robot, puzzle.goal().cell, max_degree)
}

/// The degrees of the critical paths for one robot.
fn degrees(puzzle: &Puzzle, robot: Robot, max_degree: u32) -> Values {
    let critical = critical_of(puzzle, robot, max_degree);
    let cells = puzzle.board().cells();
    cells.map(|cell| critical.degree(cell)).collect()
}

#[cfg(test)]
mod tests {
    use ricochet_core::quadrants::{Edition, Layout};
    use ricochet_core::{Cell, Direction, Goal, Move, Trace};

    use super::*;

    fn puzzles() -> impl Iterator<Item = Puzzle> {
        let layouts = Edition::Of2013.layouts().into_iter().step_by(97);
        layouts.enumerate().map(|(i, layout): (usize, Layout)| {
            let board = layout.board();
            let target = board.targets()[i % 17];
            let goal = Goal {
                robot: target.robot,
                cell: target.cell,
            };
            let robots = [(0, 0), (15, 3), (4, 12), (9, 15)].map(|(x, y)| Cell::new(x, y));
            Puzzle::new(board, &robots, goal).expect("these cells are open on every layout")
        })
    }

    #[test]
    fn a_robot_alone_follows_the_degrees_to_the_target() {
        for puzzle in puzzles() {
            let board = puzzle.board();
            for robot in arriving(&puzzle) {
                let degrees = degrees(&puzzle, robot, u32::MAX);
                for cell in board.cells() {
                    let degree = degrees[board.index(cell)];
                    let next = Direction::ALL
                        .into_iter()
                        .map(|direction| board.slide(robot, cell, direction, &[]))
                        .filter(|&end| end != cell)
                        .filter_map(|end| degrees[board.index(end)])
                        .min();
                    if cell != puzzle.goal().cell && !board.is_closed(cell) {
                        assert_eq!(degree, next.map(|degree| degree + 1), "{cell}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_map_is_a_lower_bound_of_the_degrees() {
        for puzzle in puzzles() {
            let map = min_moves(&puzzle);
            for (bound, degree) in map.iter().zip(critical_paths(&puzzle, u32::MAX)) {
                assert!(degree.is_none_or(|degree| bound.is_some_and(|bound| bound <= degree)));
            }
        }
    }

    #[test]
    fn reach_agrees_with_playing_all_short_sequences() {
        for puzzle in puzzles() {
            let board = puzzle.board();
            let values = reach(&puzzle);
            for robot in arriving(&puzzle) {
                for a in Direction::ALL {
                    for b in Direction::ALL {
                        let moves = [a, b].map(|direction| Move { robot, direction });
                        for length in 1..=2 {
                            if let Ok(trace) = Trace::play(&puzzle, &moves[..length]) {
                                let value = values[board.index(trace.end()[robot])];
                                assert!(value.is_some_and(|value| value as usize <= length));
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_helper_on_a_cross_block_position_stops_the_robot_on_the_path() {
        let mut seen = 0;
        for puzzle in puzzles().filter(|puzzle| puzzle.goal().robot.is_some()) {
            let robot = puzzle.goal().robot.expect("one robot has to arrive");
            let board = puzzle.board();
            for block in cross_blocks(&puzzle, 3)
                .into_iter()
                .filter(|block| block.moves == 1)
            {
                let mut robots = puzzle.start().cells().to_vec();
                robots.push(block.cell);
                let stops = Direction::ALL.into_iter().any(|direction| {
                    board.slide(robot, puzzle.start()[robot], direction, &robots) == block.stop
                });
                assert!(stops, "{block:?}");
                seen += 1;
            }
        }
        assert!(seen > 20, "the test has seen {seen} positions only");
    }
}
