//! `rate`: how hard a puzzle is for people.

use ricochet_core::Puzzle;
use ricochet_solve::difficulty::Profile;
use ricochet_solve::{Budget, LimitReached, Outcome};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::error::Error;
use crate::policy::RequestLimits;
use crate::puzzle_input::PuzzleInput;
use crate::questions::generate::DifficultyName;
use crate::questions::solve::id_of;
use crate::request::Question;

/// Asks how hard a puzzle is for people.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rate {
    /// The puzzle in any format.
    pub puzzle: PuzzleInput,
    /// The limits of the search.
    #[serde(default)]
    pub limits: RequestLimits,
}

/// Whether a puzzle is rated, or why not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RateOutcome {
    /// The puzzle is rated.
    Solved,
    /// A solution is known, but not proved to be a shortest one.
    Unproven,
    /// It is proved that there is no solution.
    Unsolvable,
    /// A limit ended the search, or the rating.
    Limit,
    /// The solver gave up, or does not support the puzzle.
    Failed,
}

/// A rating, also printed by `ricochet rate --json`. All keys are always present, with null if the puzzle
/// is not rated.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RateAnswer {
    /// The puzzle's name, or the puzzle itself if it has none.
    pub id: String,
    /// Whether the puzzle is rated, or why not.
    pub outcome: RateOutcome,
    /// The grade of difficulty.
    pub difficulty: Option<DifficultyName>,
    /// The difficulty in bits: how much insight near-optimal play takes.
    pub bits: Option<f64>,
    /// The length of a shortest solution.
    pub length: Option<u32>,
    /// The number of shortest solutions.
    pub solutions: Option<u64>,
    /// The fewest robots that move in one of them.
    pub robots: Option<u32>,
    /// The fewest moves in one of them by robots other than the one that reaches the goal.
    pub helper_moves: Option<u32>,
}

impl RateAnswer {
    /// The rating for a solver's result and the profile, if there is one.
    pub fn of(id: impl Into<String>, outcome: &Outcome, profile: Option<&Profile>) -> Self {
        let length = outcome.solution().map(|it| it.len() as u32);
        Self {
            id: id.into(),
            outcome: match (outcome, profile) {
                (Outcome::Solved { optimal: false, .. }, _) => RateOutcome::Unproven,
                (Outcome::Solved { .. }, Some(_)) => RateOutcome::Solved,
                // Solved, but a limit ended the rating.
                (Outcome::Solved { .. }, None) | (Outcome::LimitReached { .. }, _) => {
                    RateOutcome::Limit
                }
                (Outcome::Unsolvable, _) => RateOutcome::Unsolvable,
                (Outcome::Failed { .. }, _) => RateOutcome::Failed,
            },
            difficulty: profile.map(|it| it.difficulty().into()),
            bits: profile.map(|it| (it.bits * 1000.0).round() / 1000.0),
            length: profile.map(|it| it.length).or(length),
            solutions: profile.map(|it| it.solutions),
            robots: profile.map(|it| it.robots),
            helper_moves: profile.map(|it| it.helper_moves),
        }
    }
}

/// The profile of a puzzle whose optimum is proved.
pub(crate) fn profile_of(
    puzzle: &Puzzle,
    outcome: &Outcome,
    budget: &Budget,
) -> Result<Option<Profile>, LimitReached> {
    match outcome {
        Outcome::Solved {
            solution,
            optimal: true,
            ..
        } => Profile::of(puzzle, solution.len() as u32, &budget.left()),
        _ => Ok(None),
    }
}

impl Question for Rate {
    type Answer = RateAnswer;

    fn puzzle_mut(&mut self) -> Option<&mut PuzzleInput> {
        Some(&mut self.puzzle)
    }

    fn limits_mut(&mut self) -> Option<&mut RequestLimits> {
        Some(&mut self.limits)
    }

    fn is_complete(answer: &RateAnswer) -> bool {
        answer.outcome != RateOutcome::Limit
    }

    fn answer(&self, call: &mut Call<'_>) -> Result<RateAnswer, Error> {
        let puzzle = call.puzzle(&self.puzzle)?;
        let mut budget = call.budget(&self.limits);
        let mut solver = call.default_solver()?;
        let search = call.solve(solver.as_mut(), &puzzle, &budget.left())?;
        budget.charge(search.stats.nodes);
        drop(solver);
        let profile = profile_of(&puzzle, &search.outcome, &budget).ok().flatten();
        Ok(RateAnswer::of(
            id_of(&puzzle),
            &search.outcome,
            profile.as_ref(),
        ))
    }
}
