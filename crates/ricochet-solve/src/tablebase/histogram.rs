//! How many states are how far from the goal.

use std::time::Duration;

use ricochet_core::State;

/// The number of states at each distance.
///
/// ```
/// use ricochet_solve::tablebase::Histogram;
/// let histogram = Histogram { counts: vec![1, 2, 1], unsolvable: 1 };
/// assert_eq!(histogram.states(), 5);
/// assert_eq!(histogram.max_distance(), Some(2));
/// assert_eq!(histogram.mean(), Some(1.0));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    /// `counts[d]` states need `d` moves. The last entry is not 0.
    pub counts: Vec<u64>,
    /// States from which no moves lead to the goal.
    pub unsolvable: u64,
}

impl Histogram {
    /// All states.
    pub fn states(&self) -> u64 {
        self.solvable() + self.unsolvable
    }

    /// States with a solution.
    pub fn solvable(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The longest distance; `None` if no state is solvable.
    pub fn max_distance(&self) -> Option<u32> {
        self.counts.len().checked_sub(1).map(|d| d as u32)
    }

    /// The mean distance of the solvable states, solved ones included.
    pub fn mean(&self) -> Option<f64> {
        let sum: u128 = self
            .counts
            .iter()
            .enumerate()
            .map(|(distance, &count)| distance as u128 * u128::from(count))
            .sum();
        let solvable = self.solvable();
        (solvable > 0).then(|| sum as f64 / solvable as f64)
    }
}

/// What is known of a board and goal after all its states were counted.
///
/// ```
/// use ricochet_core::notation;
/// use ricochet_solve::tablebase::{Builder, Space, Survey};
/// use ricochet_solve::{Limits, Silent};
/// let puzzle = notation::parse_line("4x3..0012.R31")?.validate()?;
/// let space = Space::of(&puzzle)?;
/// let survey: Survey = Builder::new(1).survey(&space, 100, &Limits::default(), &mut Silent)?;
/// let longest = survey.histogram.max_distance().expect("some state is solvable");
/// assert_eq!(survey.hardest.len() as u64, survey.histogram.counts[longest as usize]);
/// println!("{longest} moves: {}", notation::to_line(&space.puzzle(&survey.hardest[0])));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Survey {
    /// The counts.
    pub histogram: Histogram,
    /// States of the longest distance, in ascending order, helpers that can stand for each other
    /// sorted. All of them, unless there are more than were asked for.
    pub hardest: Vec<State>,
    /// Time of the search.
    pub time: Duration,
}
