//! What the texts draw over a board, as one value a cell: the slides' minimum-moves map, the
//! report's critical paths and cross block positions (*Project AI in Games*, 3.5 and 3.6), and the
//! cells that the active robot can stop on.
//!
//! All are for the robot that has to arrive; if any robot may, a cell has the least of their values.
//! Values are row by row, as [`Board::index`](ricochet::Board::index) numbers cells.

use ricochet::{Board, Cell, Direction, Puzzle, Robot, slide_slowly};

use crate::bound::MinMoves;

/// A value, or none, for each cell.
pub type Values = Vec<Option<u32>>;

/// The slides' map: the fewest moves to the target if the robot could stop anywhere.
///
/// ```
/// use ricochet::{Board, Cell, Goal, Puzzle, Robot};
/// use ricochet_solve::overlay;
/// let board = Board::builder(4, 4).build().unwrap();
/// let goal = Goal { robot: Some(Robot::RED), cell: Cell::new(1, 1) };
/// let puzzle = Puzzle::new(board, &[Cell::new(0, 0)], goal).unwrap();
/// assert_eq!(overlay::min_moves(&puzzle)[..4], [Some(2), Some(1), Some(2), Some(2)]);
/// ```
pub fn min_moves(puzzle: &Puzzle) -> Values {
    let board = puzzle.board();
    least_of(puzzle, |robot| {
        let map = MinMoves::new(board, robot, puzzle.goal().cell);
        board.cells().map(|cell| map.get(cell)).collect()
    })
}

/// The number of moves after which the robot can stop on a cell, the others staying where they are.
///
/// ```
/// use ricochet::{Board, Cell, Goal, Puzzle, Robot};
/// use ricochet_solve::overlay;
/// let board = Board::builder(3, 2).build().unwrap();
/// let goal = Goal { robot: Some(Robot::RED), cell: Cell::new(2, 1) };
/// let puzzle = Puzzle::new(board, &[Cell::new(0, 0)], goal).unwrap();
/// let (zero, one, two) = (Some(0), Some(1), Some(2));
/// assert_eq!(overlay::reach(&puzzle), [zero, None, one, one, None, two]);
/// ```
pub fn reach(puzzle: &Puzzle) -> Values {
    least_of(puzzle, |robot| {
        let board = puzzle.board();
        let robots = puzzle.start();
        breadth_first(board, [robots[robot]], |cell| {
            let state = robots.with(robot, cell);
            Direction::ALL.map(|direction| board.slide(robot, cell, direction, state.cells()))
        })
    })
}

/// The report's critical paths: the *degree* of a cell is the number of moves that the robot needs
/// from there to the target without the help of another robot. Cells of a degree above
/// `max_degree` have no value.
///
/// ```
/// use ricochet::{Board, Cell, Goal, Puzzle, Robot};
/// use ricochet_solve::overlay;
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

/// A place from which a helper makes the robot stop on a critical path that it would cross.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CrossBlock {
    /// Where the helper has to be.
    pub cell: Cell,
    /// Where the robot stops then.
    pub stop: Cell,
    /// The degree of the critical path there.
    pub degree: u32,
    /// The robot's moves, the crossing one included.
    pub moves: u32,
}

/// The report's cross block positions: as the robot moves alone, the cells behind those of critical
/// paths that it crosses. Each cell is listed once, with the fewest moves plus degree.
pub fn cross_blocks(puzzle: &Puzzle, max_degree: u32) -> Vec<CrossBlock> {
    let board = puzzle.board();
    let mut best: Vec<Option<CrossBlock>> = vec![None; board.cell_count()];
    for robot in arriving(puzzle) {
        let degrees = degrees(puzzle, robot, max_degree);
        let start = puzzle.start();
        let depths = breadth_first(board, [start[robot]], |cell| {
            let state = start.with(robot, cell);
            Direction::ALL.map(|direction| board.slide(robot, cell, direction, state.cells()))
        });
        for cell in board.cells() {
            let Some(depth) = depths[board.index(cell)] else {
                continue;
            };
            let state = start.with(robot, cell);
            for direction in Direction::ALL {
                let slide = slide_slowly(board, robot, cell, direction, state.cells());
                for pair in slide.path.windows(2) {
                    let (stop, behind) = (pair[0].0, pair[1].0);
                    let Some(degree) = degrees[board.index(stop)] else {
                        continue;
                    };
                    let found = CrossBlock {
                        cell: behind,
                        stop,
                        degree,
                        moves: depth + 1,
                    };
                    let known = &mut best[board.index(behind)];
                    if known.is_none_or(|known| found.score() < known.score()) {
                        *known = Some(found);
                    }
                }
            }
        }
    }
    best.into_iter().flatten().collect()
}

impl CrossBlock {
    /// The report's cross block score without the moves of the setup: how many moves the robot
    /// needs once the helper is there, if nothing else has changed.
    pub fn score(self) -> u32 {
        self.moves + self.degree
    }
}

/// The scores of [`cross_blocks`], by cell.
///
/// ```
/// use ricochet::{Board, Cell, Goal, Puzzle, Robot};
/// use ricochet_solve::overlay;
/// let board = Board::builder(4, 4).build().unwrap();
/// let goal = Goal { robot: Some(Robot::RED), cell: Cell::new(2, 0) };
/// let puzzle = Puzzle::new(board, &[Cell::new(0, 0)], goal).unwrap();
/// // A helper in the corner stops red on the target with its first move.
/// assert_eq!(overlay::cross_block_scores(&puzzle, 3)[3], Some(1));
/// ```
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

/// The degrees of the critical paths for one robot.
fn degrees(puzzle: &Puzzle, robot: Robot, max_degree: u32) -> Values {
    let board = puzzle.board();
    let mut comes_from: Vec<Vec<Cell>> = vec![Vec::new(); board.cell_count()];
    for cell in board.cells().filter(|&cell| !board.is_closed(cell)) {
        for direction in Direction::ALL {
            let end = board.slide(robot, cell, direction, &[]);
            if end != cell {
                comes_from[board.index(end)].push(cell);
            }
        }
    }
    let mut values = breadth_first(board, [puzzle.goal().cell], |cell| {
        comes_from[board.index(cell)].clone()
    });
    for value in &mut values {
        *value = value.filter(|&degree| degree <= max_degree);
    }
    values
}

/// The distance of each cell from the first one.
fn breadth_first<I: IntoIterator<Item = Cell>>(
    board: &Board,
    first: [Cell; 1],
    next: impl Fn(Cell) -> I,
) -> Values {
    let mut values: Values = vec![None; board.cell_count()];
    let mut queue = first.to_vec();
    values[board.index(first[0])] = Some(0);
    let mut head = 0;
    while let Some(&cell) = queue.get(head) {
        head += 1;
        let further = values[board.index(cell)].map(|value| value + 1);
        for cell in next(cell) {
            let value = &mut values[board.index(cell)];
            if value.is_none() {
                *value = further;
                queue.push(cell);
            }
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use ricochet::quadrants::{Edition, Layout};
    use ricochet::{Goal, Move, Trace};

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
