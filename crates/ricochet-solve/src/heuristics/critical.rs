//! Critical paths and positions, cross block positions, and the scores of setups (report, 3.5 and
//! 3.6).
//!
//! # Critical paths and critical positions
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
//!
//! # Cross block positions
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

use std::cmp::Ordering;
use std::collections::VecDeque;

use ricochet_core::{Board, Cell, Direction, Puzzle, Robot, slide_slowly};

/// The critical paths of one target for one robot.
///
/// ```
/// use ricochet_core::{Board, Cell, Direction, Robot};
/// use ricochet_solve::heuristics::critical::Critical;
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
    pub fn degree(&self, cell: Cell) -> Option<u32> {
        self.index(cell).and_then(|index| self.degrees[index])
    }

    /// The degree of a critical position; `None` elsewhere.
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

/// A field on which another robot would stop the victory robot on a critical path.
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
    pub fn score(self) -> u32 {
        self.moves + self.degree
    }
}

/// The cross block positions of a puzzle.
///
/// ```
/// use ricochet_core::{Board, Cell, Goal, Puzzle, Robot};
/// use ricochet_solve::heuristics::critical::{Critical, CrossBlocks};
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
    pub fn new(puzzle: &Puzzle, robot: Robot, critical: &Critical, most_moves: u32) -> Self {
        let board = puzzle.board();
        let mut blocks = Self {
            by_cell: vec![None; board.cell_count()],
            width: board.width(),
        };
        for (from, made) in stops_alone(puzzle, robot) {
            if made >= most_moves {
                break;
            }
            let state = puzzle.start().with(robot, from);
            for direction in Direction::ALL {
                let slide = slide_slowly(board, robot, from, direction, state.cells());
                for pair in slide.path.windows(2) {
                    let [(crossed, _), (cell, _)] = [pair[0], pair[1]];
                    if let Some(degree) = critical.degree(crossed) {
                        blocks.add(CrossBlock {
                            cell,
                            stop: crossed,
                            degree,
                            moves: made + 1,
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
    pub fn at(&self, cell: Cell) -> Option<CrossBlock> {
        let x = usize::from(cell.x);
        let index = usize::from(cell.y) * self.width + x;
        (x < self.width)
            .then(|| self.by_cell.get(index).copied().flatten())
            .flatten()
    }

    /// All of them, row by row.
    pub fn iter(&self) -> impl Iterator<Item = CrossBlock> + '_ {
        self.by_cell.iter().flatten().copied()
    }

    /// The cross block score of a setup of `setup_moves` moves that leaves the robots on these
    /// fields (the victory robot's does not count); `None`, the report's 0, if no cross block
    /// position is occupied.
    pub fn score(&self, others: impl Iterator<Item = Cell>, setup_moves: u32) -> Option<u32> {
        others
            .filter_map(|cell| self.at(cell))
            .map(|block| block.score() + setup_moves)
            .min()
    }
}

/// The cells where a robot can stop while the others stay where they are, nearest first, each with
/// the fewest moves.
pub(super) fn stops_alone(puzzle: &Puzzle, robot: Robot) -> Vec<(Cell, u32)> {
    let (board, start) = (puzzle.board(), puzzle.start());
    let mut is_known = vec![false; board.cell_count()];
    is_known[board.index(start[robot])] = true;
    let mut stops = vec![(start[robot], 0)];
    let mut next = 0;
    while let Some(&(from, moves)) = stops.get(next) {
        next += 1;
        let state = start.with(robot, from);
        for direction in Direction::ALL {
            let end = board.slide(robot, from, direction, state.cells());
            if !std::mem::replace(&mut is_known[board.index(end)], true) {
                stops.push((end, moves + 1));
            }
        }
    }
    stops
}

/// A position score: an exact fraction.
///
/// ```
/// use ricochet_solve::heuristics::critical::PositionScore;
/// let quarter = PositionScore::new(&[1], 4);
/// assert_eq!(quarter.to_string(), "1/4");
/// assert!(quarter > PositionScore::new(&[2], 3));
/// assert!(!PositionScore::new(&[], 3).is_positive());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PositionScore {
    numerator: u64,
    denominator: u64,
}

impl PositionScore {
    /// The score of a setup of this many moves that occupies critical positions of these degrees.
    /// Of the empty setup, whose length the report divides by as well, it is that of one move.
    pub fn new(degrees: &[u32], setup_moves: u32) -> Self {
        let denominators = degrees.iter().map(|&degree| u64::from(degree.max(1)));
        let (numerator, denominator) = denominators.fold((0, 1), |(n, d), degree| {
            let common = gcd(d, degree);
            (n * (degree / common) + d / common, d / common * degree)
        });
        let denominator = denominator * u64::from(setup_moves.max(1));
        let common = gcd(numerator, denominator);
        Self {
            numerator: numerator / common,
            denominator: denominator / common,
        }
    }

    /// The score of a setup that leaves the other robots on these fields.
    pub fn of(critical: &Critical, others: impl Iterator<Item = Cell>, setup_moves: u32) -> Self {
        let degrees: Vec<u32> = others
            .filter_map(|cell| critical.position_degree(cell))
            .collect();
        Self::new(&degrees, setup_moves)
    }

    /// Whether a critical position is occupied at all.
    pub fn is_positive(self) -> bool {
        self.numerator > 0
    }
}

impl PartialEq for PositionScore {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for PositionScore {}

impl PartialOrd for PositionScore {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for PositionScore {
    fn cmp(&self, other: &Self) -> Ordering {
        let left = u128::from(self.numerator) * u128::from(other.denominator);
        left.cmp(&(u128::from(other.numerator) * u128::from(self.denominator)))
    }
}

impl std::fmt::Display for PositionScore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.numerator, self.denominator)
    }
}

const fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
