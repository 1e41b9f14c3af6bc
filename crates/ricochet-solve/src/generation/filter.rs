//! [`PuzzleFilter`]: which candidates are kept.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use ricochet_core::{Puzzle, Robot, Solution};

use crate::all::all_of_length;
use crate::difficulty::{Difficulty, Features, Theme};
use crate::{Limit, Limits, NullObserver, Outcome, Solver};

/// What a puzzle has to be like.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PuzzleFilter {
    /// The length of a shortest solution.
    pub moves: Option<RangeInclusive<u32>>,
    /// Exactly one shortest solution.
    pub unique: bool,
    /// The fewest robots that have to move in a shortest solution.
    pub robots_used: Option<u32>,
    /// The grade of difficulty.
    pub difficulty: Option<Difficulty>,
    /// The rating.
    pub rating: Option<RangeInclusive<i32>>,
    /// Themes that all shortest solutions must have.
    pub themes: Vec<Theme>,
}

/// Whether a candidate passes the filter.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// It does. The puzzle carries its optimum if a solver was needed, and the features are there if
    /// they were needed.
    Accepted(Box<Puzzle>, Option<Box<Features>>),
    /// It does not, or a limit was reached before that was known.
    Rejected,
    /// The search was cancelled.
    Cancelled,
}

impl PuzzleFilter {
    /// Whether a candidate has to be solved.
    pub fn needs_solver(&self) -> bool {
        self.moves.is_some() || self.unique || self.needs_features()
    }

    pub(super) fn needs_features(&self) -> bool {
        self.difficulty.is_some()
            || self.rating.is_some()
            || !self.themes.is_empty()
            || (self.robots_used.is_some() && !self.unique)
    }

    /// Tests a candidate. The solver has to be optimal.
    pub fn judge(&self, candidate: Puzzle, solver: &mut dyn Solver, limits: &Limits) -> Verdict {
        if !self.needs_solver() {
            return Verdict::Accepted(Box::new(candidate), None);
        }
        let to_solve = match &self.moves {
            Some(range) => limits.clone().within_moves(*range.end()),
            None => limits.clone(),
        };
        let solution = match solver.solve(&candidate, &to_solve, &mut NullObserver).0 {
            Outcome::Solved { solution, .. } => solution,
            Outcome::LimitReached {
                limit: Limit::Cancelled,
                ..
            } => return Verdict::Cancelled,
            _ => return Verdict::Rejected,
        };
        let length = solution.len() as u32;
        if !self.may_match(&solution) {
            return Verdict::Rejected;
        }
        // The move limit is for the solver; the tests below look further.
        let limits = Limits {
            moves: None,
            ..limits.clone()
        };
        if !self.unique && !self.needs_features() {
            return Verdict::Accepted(Box::new(candidate.with_optimal(Some(length))), None);
        }
        let all = match all_of_length(&candidate, length, &limits) {
            Ok(Some(all)) if !self.unique || all.count() == 1 => all,
            Err(stopped) if stopped.limit == Limit::Cancelled => return Verdict::Cancelled,
            _ => return Verdict::Rejected,
        };
        let mut features = None;
        if self.needs_features() {
            match Features::of_solutions(&candidate, &all) {
                Ok(found) if self.matches(&found) => features = Some(Box::new(found)),
                Err(stopped) if stopped.limit == Limit::Cancelled => return Verdict::Cancelled,
                _ => return Verdict::Rejected,
            }
        }
        Verdict::Accepted(Box::new(candidate.with_optimal(Some(length))), features)
    }

    /// Whether a puzzle with this shortest solution can still match.
    fn may_match(&self, solution: &Solution) -> bool {
        let length = solution.len() as u32;
        let moves = solution.moves().iter();
        let movers: HashSet<Robot> = moves.map(|step| step.robot).collect();
        let movers = movers.len() as u32;
        self.moves
            .as_ref()
            .is_none_or(|range| range.contains(&length))
            && self.robots_used.is_none_or(|robots| {
                // Another shortest solution may need fewer robots, unless there must not be another.
                movers == robots || (movers > robots && !self.unique)
            })
    }

    fn matches(&self, features: &Features) -> bool {
        // Themes that are not known cannot be promised.
        let has = |theme: &Theme| {
            let lines = features.lines.as_ref();
            lines.is_some_and(|lines| lines.themes.has(*theme))
        };
        self.robots_used
            .is_none_or(|robots| features.robots == robots)
            && self
                .difficulty
                .is_none_or(|grade| features.difficulty() == grade)
            && (self.rating.as_ref()).is_none_or(|range| range.contains(&features.rating.rounded()))
            && self.themes.iter().all(has)
    }
}

#[cfg(test)]
mod tests {
    use ricochet_core::notation;

    use super::*;
    use crate::registry;

    #[test]
    fn a_filter_needs_a_solver_for_what_only_a_search_can_tell() {
        let mut filter = PuzzleFilter::default();
        assert!(!filter.needs_solver());
        filter.robots_used = Some(2);
        assert!(filter.needs_solver());
    }

    #[test]
    fn a_filter_accepts_by_length_and_states_the_optimum() {
        let puzzle = notation::parse_line("8x8..00.R77").unwrap();
        let puzzle = puzzle.validate().unwrap();
        let mut solver = registry::build("flagship").unwrap();
        let mut judge = |moves| {
            let filter = PuzzleFilter {
                moves: Some(moves),
                ..PuzzleFilter::default()
            };
            filter.judge(puzzle.clone(), solver.as_mut(), &Limits::default())
        };
        assert_eq!(judge(3..=9), Verdict::Rejected, "two moves are enough");
        let Verdict::Accepted(accepted, None) = judge(2..=2) else {
            panic!("two moves are asked for");
        };
        assert_eq!(accepted.known_optimal(), Some(2));
    }
}
