//! Counts by depth, to test move generators: a single slide that ends on the wrong cell changes the
//! counts. The name comes from chess programming.
//!
//! [`Perft`] counts sequences of moves regardless of the goal, optionally with the slides' rule 'no
//! immediate reversal' (M. Fogleman, *Ricochet Robots: Solver Algorithms*, "Brute Force?"): a move
//! does not count if the one before it was by the same robot in the opposite direction. [`Layers`] counts
//! distinct positions by the fewest moves that lead to them.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

use crate::geometry::Direction;
use crate::puzzle::Puzzle;
use crate::robot::Robot;
use crate::solution::Move;
use crate::state::State;

/// Whether a robot may reverse its last move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reversals {
    /// Every move counts.
    #[default]
    Allowed,
    /// The slides' rule. On a board without diagonals it loses no shortest solution; with them it may,
    /// because reversing need not lead back to the same cell.
    Forbidden,
}

/// The number of sequences of exactly 0, 1, 2, … moves, without end.
///
/// Each number takes about eight times as long as the one before it.
///
/// ```
/// use ricochet_core::perft::{Perft, Reversals};
/// use ricochet_core::{Board, Cell, Goal, Puzzle, Robot};
/// let board = Board::builder(5, 5).build().unwrap();
/// let goal = Goal { robot: Some(Robot::RED), cell: Cell::new(2, 2) };
/// let puzzle = Puzzle::new(board, &[Cell::new(0, 0)], goal).unwrap();
/// // From a corner there are always two moves; one of them is a reversal.
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

    /// The number of sequences of at most `depth` moves, including the empty one: the size of the
    /// tree of a search without memo and bound, as the slides count it.
    pub fn tree_size(&self, depth: u32) -> u64 {
        let counts = Self::new(self.puzzle, self.reversals);
        counts.take(depth as usize + 1).sum()
    }

    /// The number of sequences of `depth` moves (at least one) from a state, and the same for each
    /// first move ('divide'), to find where two programs differ.
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
                    // Most nodes are leaves, so they are counted by their parents.
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
    /// If they differ only by a permutation of interchangeable robots, see
    /// [`Puzzle::interchangeable`].
    Interchangeable,
}

/// The number of distinct states at a distance of exactly 0, 1, 2, … moves from the start. It ends when
/// there are no new states.
///
/// All states are kept in memory, at 20 to 40 bytes each.
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

/// A state as a number, with ten bits per robot.
fn key(state: State) -> u128 {
    let bits = |key, &cell: &crate::Cell| key << 10 | u128::from(cell.y) << 5 | u128::from(cell.x);
    state.cells().iter().fold(0, bits)
}

/// Hashes a key by one multiplication and folds the product. The standard hasher, which resists
/// hostile input, would take most of the time here.
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
