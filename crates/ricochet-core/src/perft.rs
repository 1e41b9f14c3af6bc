//! Counts by depth, which tell a right move generator from a wrong one: a single slide that ends in
//! the wrong cell shows in the next digits. The name is chess programmers'.
//!
//! [`Perft`] counts sequences of moves, goal or no goal, and knows the slides' rule 'no immediate
//! reversal' (M. Fogleman, *Ricochet Robots: Solver Algorithms*, "Brute Force?"): a move is
//! left out if the move before it was the same robot's in the opposite direction. [`Layers`] counts
//! distinct positions by the fewest moves that lead to them.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

use crate::geometry::Direction;
use crate::puzzle::Puzzle;
use crate::robot::Robot;
use crate::solution::Move;
use crate::state::State;

/// Whether a robot may go straight back where it came from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reversals {
    /// Every move counts.
    #[default]
    Allowed,
    /// The slides' rule. It loses no shortest solution on a board without diagonals; with them it
    /// may, because going back need not lead to where one came from.
    Forbidden,
}

/// The number of sequences of exactly 0, 1, 2, … moves, without end.
///
/// Each number takes some eight times as long as the one before it, so take what you need.
///
/// ```
/// use ricochet_core::perft::{Perft, Reversals};
/// use ricochet_core::{Board, Cell, Goal, Puzzle, Robot};
/// let board = Board::builder(5, 5).build().unwrap();
/// let goal = Goal { robot: Some(Robot::RED), cell: Cell::new(2, 2) };
/// let puzzle = Puzzle::new(board, &[Cell::new(0, 0)], goal).unwrap();
/// // From a corner there are always two ways; one of them goes back.
/// let all: Vec<u64> = Perft::new(&puzzle, Reversals::Allowed).take(5).collect();
/// assert_eq!(all, [1, 2, 4, 8, 16]);
/// let onward: Vec<u64> = Perft::new(&puzzle, Reversals::Forbidden).take(5).collect();
/// assert_eq!(onward, [1, 2, 2, 2, 2]);
/// ```
#[derive(Clone, Debug)]
pub struct Perft<'a> {
    puzzle: &'a Puzzle,
    reversals: Reversals,
    depth: u32,
}

impl<'a> Perft<'a> {
    /// Counts from the start of a puzzle.
    pub fn new(puzzle: &'a Puzzle, reversals: Reversals) -> Self {
        Self {
            puzzle,
            reversals,
            depth: 0,
        }
    }

    /// The number of sequences of at most `depth` moves, the empty one included: the size of the
    /// tree that a search without memo and bound walks through, as the slides count it.
    pub fn tree_size(&self, depth: u32) -> u64 {
        let counts = Self::new(self.puzzle, self.reversals);
        counts.take(depth as usize + 1).sum()
    }

    /// The number of sequences of `depth` moves (at least one) from a state, and the same for each
    /// first move: 'divide', for finding where two programs part.
    ///
    /// ```
    /// # use ricochet_core::perft::{Perft, Reversals};
    /// # use ricochet_core::{Board, Cell, Goal, Puzzle, Robot};
    /// # let board = Board::builder(5, 5).build().unwrap();
    /// # let goal = Goal { robot: Some(Robot::RED), cell: Cell::new(2, 2) };
    /// # let puzzle = Puzzle::new(board, &[Cell::new(0, 0)], goal).unwrap();
    /// let divided = Perft::new(&puzzle, Reversals::Allowed).divide(3);
    /// let moves: Vec<(String, u64)> = divided.iter().map(|(m, n)| (m.to_string(), *n)).collect();
    /// assert_eq!(moves, [("RE".to_string(), 4), ("RS".to_string(), 4)]);
    /// ```
    pub fn divide(&self, depth: u32) -> Vec<(Move, u64)> {
        let start = self.puzzle.start();
        let mut counts = Vec::new();
        for robot in start.robots() {
            for direction in Direction::ALL {
                if let Some(next) = self.puzzle.apply(start, robot, direction) {
                    let last = Some((robot, direction));
                    let count = self.sequences(next, depth.saturating_sub(1), last);
                    counts.push((Move { robot, direction }, count));
                }
            }
        }
        counts
    }

    /// Sequences of exactly `depth` moves from a state that `last` led to.
    fn sequences(&self, state: State, depth: u32, last: Option<(Robot, Direction)>) -> u64 {
        if depth == 0 {
            return 1;
        }
        let forbidden = match self.reversals {
            Reversals::Allowed => None,
            Reversals::Forbidden => last.map(|(robot, direction)| (robot, direction.opposite())),
        };
        let mut count = 0;
        for robot in state.robots() {
            for direction in Direction::ALL {
                if Some((robot, direction)) == forbidden {
                    continue;
                }
                if let Some(next) = self.puzzle.apply(state, robot, direction) {
                    // The leaves are most of the tree: they are counted from above.
                    count += if depth == 1 {
                        1
                    } else {
                        self.sequences(next, depth - 1, Some((robot, direction)))
                    };
                }
            }
        }
        count
    }
}

impl Iterator for Perft<'_> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let count = self.sequences(self.puzzle.start(), self.depth, None);
        self.depth += 1;
        Some(count)
    }
}

/// When two positions count as one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Identity {
    /// If every robot is on the same cell.
    #[default]
    Robots,
    /// If they differ only by a permutation of robots that can stand for each other, see
    /// [`Puzzle::interchangeable`].
    Interchangeable,
}

/// The number of distinct states whose shortest way from the start has exactly 0, 1, 2, … moves. It
/// ends when there is no new state.
///
/// All states met are kept (some 20 to 40 bytes each), so take what you need.
///
/// ```
/// use ricochet_core::perft::{Identity, Layers};
/// use ricochet_core::{Board, Cell, Goal, Puzzle, Robot};
/// let board = Board::builder(5, 5).build().unwrap();
/// let goal = Goal { robot: Some(Robot::RED), cell: Cell::new(2, 2) };
/// let puzzle = Puzzle::new(board, &[Cell::new(0, 0)], goal).unwrap();
/// // The four corners of the board.
/// assert_eq!(Layers::new(&puzzle, Identity::Robots).collect::<Vec<_>>(), [1, 2, 1]);
/// ```
#[derive(Clone, Debug)]
pub struct Layers<'a> {
    puzzle: &'a Puzzle,
    interchangeable: Vec<Robot>,
    layer: Vec<State>,
    seen: HashSet<u128, BuildHasherDefault<KeyHasher>>,
}

impl<'a> Layers<'a> {
    /// Counts from the start of a puzzle.
    pub fn new(puzzle: &'a Puzzle, identity: Identity) -> Self {
        let interchangeable = match identity {
            Identity::Robots => Vec::new(),
            Identity::Interchangeable => puzzle.interchangeable(),
        };
        let start = puzzle.start().canonical(&interchangeable);
        Self {
            puzzle,
            interchangeable,
            layer: vec![start],
            seen: HashSet::from_iter([key(start)]),
        }
    }
}

impl Iterator for Layers<'_> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let layer = std::mem::take(&mut self.layer);
        for &state in &layer {
            for robot in state.robots() {
                for direction in Direction::ALL {
                    if let Some(next) = self.puzzle.apply(state, robot, direction) {
                        let next = next.canonical(&self.interchangeable);
                        if self.seen.insert(key(next)) {
                            self.layer.push(next);
                        }
                    }
                }
            }
        }
        (!layer.is_empty()).then_some(layer.len() as u64)
    }
}

/// A state as a number: ten bits a robot.
fn key(state: State) -> u128 {
    let bits = |key, &cell: &crate::Cell| key << 10 | u128::from(cell.y) << 5 | u128::from(cell.x);
    state.cells().iter().fold(0, bits)
}

/// Hashes one key by one multiplication, both halves of the product folded: the standard hasher is
/// made for hostile input and takes most of the time here.
#[derive(Clone, Debug, Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u128(u128::from(byte));
        }
    }

    fn write_u128(&mut self, key: u128) {
        let folded = self.0 ^ key as u64 ^ ((key >> 64) as u64).rotate_left(29);
        let product = u128::from(folded ^ 0x243f_6a88_85a3_08d3) * 0x9e37_79b9_7f4a_7c15;
        self.0 = product as u64 ^ (product >> 64) as u64;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
