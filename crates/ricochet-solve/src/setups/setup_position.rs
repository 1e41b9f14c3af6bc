//! Algorithm 5 of the report: setups with a positive position score, best first (3.5).
//!
//! The position score is the sum of 1/degree over the critical positions that the other robots
//! occupy, divided by the length of the setup; see [`Critical`].

use std::cmp::Ordering;

use ricochet::{Cell, Puzzle};

use super::critical::Critical;
use super::{COLOR_DEPTH, DEGREE, Depths, Run, SETUP_DEPTH};
use crate::registry::{BuildError, Entry, Options};
use crate::{Guarantee, Limits, Observer, Outcome, Solver, Stats};

/// Its line in the registry.
pub(super) const ENTRY: Entry = Entry {
    name: "setup-position",
    guarantee: Guarantee::Any,
    source: "AI in Games report, 3.5, Algorithm 5",
    summary: "setups that occupy critical positions, highest position score first",
    parameters: &[SETUP_DEPTH, COLOR_DEPTH, DEGREE],
    build: SetupPosition::build,
};

/// A position score: an exact fraction.
///
/// ```
/// use ricochet_solve::setups::PositionScore;
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
    /// use ricochet_solve::setups::PositionScore;
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
    /// use ricochet::{Board, Cell, Robot};
    /// use ricochet_solve::setups::{Critical, PositionScore};
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
    /// use ricochet_solve::setups::PositionScore;
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

/// Verifies setups in the order of their position score until one works.
///
/// ```
/// use ricochet_solve::registry::{self, Options};
/// let mut options = Options::default();
/// options.set("setup-depth", "5");
/// assert_eq!(registry::build("setup-position", &options).unwrap().name(), "setup-position");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct SetupPosition {
    depths: Depths,
}

impl SetupPosition {
    /// For the registry.
    ///
    /// ```
    /// use ricochet_solve::{registry::Options, setups::SetupPosition};
    /// let mut options = Options::default();
    /// options.set("degree", "many");
    /// assert!(SetupPosition::build(&options).is_err());
    /// ```
    ///
    /// # Errors
    /// If a depth is not a number.
    pub fn build(options: &Options) -> Result<Box<dyn Solver>, BuildError> {
        Ok(Box::new(Self {
            depths: Depths::parse(options)?,
        }))
    }
}

impl Solver for SetupPosition {
    fn name(&self) -> &'static str {
        "setup-position"
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Any
    }

    fn solve(
        &mut self,
        puzzle: &Puzzle,
        limits: &Limits,
        _: &mut dyn Observer,
    ) -> (Outcome, Stats) {
        Run::solve(puzzle, limits, |run| {
            let board = puzzle.board();
            run.verify_by_score(self.depths, |victory| {
                let critical =
                    Critical::new(board, victory, puzzle.goal().cell, self.depths.degree);
                move |others: &[Cell], setup_moves| {
                    let score = PositionScore::of(&critical, others.iter().copied(), setup_moves);
                    score.is_positive().then_some(std::cmp::Reverse(score))
                }
            })
        })
    }
}
