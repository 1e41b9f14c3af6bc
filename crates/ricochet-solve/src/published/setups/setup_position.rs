//! Algorithm 5 of the report: setups with a positive position score, best first (3.5).
//!
//! The position score is the sum of 1/degree over the critical positions that the other robots
//! occupy, divided by the length of the setup; see [`Critical`].

use std::cmp::{Ordering, Reverse};

use ricochet_core::Cell;

use super::critical::Critical;
use super::setup_solver::{Depths, SetupSolver};
use super::{COLOR_DEPTH, DEGREE, Run, SETUP_DEPTH};
use crate::registry::SolverInfo;
use crate::{Guarantee, Limit};

/// Its line in the registry.
pub(super) const INFO: SolverInfo = SolverInfo {
    name: "setup-position",
    guarantee: Guarantee::Any,
    source: "AI in Games report, 3.5, Algorithm 5",
    summary: "setups that occupy critical positions, highest position score first",
    parameters: &[SETUP_DEPTH, COLOR_DEPTH, DEGREE],
    build: |options| SetupSolver::setup_position().build(options),
};

/// Verifies setups in the order of their position score until one works.
pub(super) fn search(run: &mut Run<'_>, depths: Depths) -> Result<(), Limit> {
    let puzzle = run.puzzle;
    run.verify_by_score(depths, |victory| {
        let critical = Critical::new(puzzle.board(), victory, puzzle.goal().cell, depths.degree);
        move |others: &[Cell], setup_moves| {
            let score = PositionScore::of(&critical, others.iter().copied(), setup_moves);
            score.is_positive().then_some(Reverse(score))
        }
    })
}

/// A position score: an exact fraction.
///
/// ```
/// use ricochet_solve::published::setups::PositionScore;
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
    /// The score of a setup of so many moves that occupies critical positions of these degrees.
    /// Of the empty setup, whose length the report divides by as well, it is that of one move.
    ///
    /// ```
    /// use ricochet_solve::published::setups::PositionScore;
    /// assert_eq!(PositionScore::new(&[1, 2], 3).to_string(), "1/2");
    /// ```
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
    ///
    /// ```
    /// use ricochet_core::{Board, Cell, Robot};
    /// use ricochet_solve::published::setups::{Critical, PositionScore};
    /// let board = Board::builder(5, 5).build().unwrap();
    /// let critical = Critical::new(&board, Robot::RED, Cell::new(0, 0), 1);
    /// let score = PositionScore::of(&critical, [Cell::new(1, 3)].into_iter(), 2);
    /// assert_eq!(score, PositionScore::new(&[1], 2));
    /// ```
    pub fn of(critical: &Critical, others: impl Iterator<Item = Cell>, setup_moves: u32) -> Self {
        let degrees: Vec<u32> = others
            .filter_map(|cell| critical.position_degree(cell))
            .collect();
        Self::new(&degrees, setup_moves)
    }

    /// Whether a critical position is occupied at all.
    ///
    /// ```
    /// use ricochet_solve::published::setups::PositionScore;
    /// assert!(PositionScore::new(&[3], 1).is_positive());
    /// ```
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
