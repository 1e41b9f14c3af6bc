//! `hint`: a hint that does not give everything away.

use ricochet_core::describe::join_with_and;
use ricochet_core::{Robot, Solution};
use ricochet_solve::Outcome;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::error::Error;
use crate::json::{MoveName, RobotLetter};
use crate::policy::RequestLimits;
use crate::puzzle_input::PuzzleInput;
use crate::questions::solve::SolveOutcome;
use crate::request::Question;
use ricochet_core::describe::plural;

/// Asks for a hint. Each level adds one fact: 1 a rough length, 2 the length, 3 the robots that move in
/// one shortest solution, 4 its first move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Hint {
    /// The puzzle in any format.
    pub puzzle: PuzzleInput,
    /// How much to reveal, 1 to 4.
    #[serde(default = "first_level")]
    #[schemars(range(min = 1, max = 4))]
    pub level: u8,
    /// The limits of the search.
    #[serde(default)]
    pub limits: RequestLimits,
}

fn first_level() -> u8 {
    1
}

/// A hint. Fields that its level does not reveal are null.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct HintAnswer {
    /// How the search ended; only `solved` has hints.
    pub outcome: SolveOutcome,
    /// No solution has fewer moves than this; null if that would reveal more than the level allows.
    pub lower_bound: Option<u32>,
    /// The level.
    pub level: u8,
    /// One sentence per level.
    pub sentences: Vec<String>,
    /// There is a solution of fewer moves than this.
    pub under: Option<usize>,
    /// From level 2: the length of a shortest solution.
    pub length: Option<usize>,
    /// From level 3: the robots that move in it.
    pub robots: Option<Vec<RobotLetter>>,
    /// From level 3: the robot that moves first.
    pub first_robot: Option<RobotLetter>,
    /// From level 4: its first move.
    pub first_move: Option<MoveName>,
}

impl HintAnswer {
    /// The hint for a solution.
    pub fn of(solution: &Solution, optimal: bool, level: u8) -> Self {
        let mut hint = Self::none(SolveOutcome::Solved, None, level);
        let Some(&first) = solution.moves().first() else {
            hint.sentences = vec!["The robot is already on the target.".to_owned()];
            hint.length = Some(0);
            return hint;
        };
        let under = ceiling(solution.len());
        hint.under = Some(under);
        hint.sentences = vec![format!("Solvable in fewer than {under} moves.")];
        if level >= 2 {
            let moves = plural(solution.len(), "move");
            hint.length = Some(solution.len());
            hint.lower_bound = optimal.then_some(solution.len() as u32);
            hint.sentences.push(if optimal {
                format!("The shortest solution has {moves}.")
            } else {
                format!("There is a solution of {moves}.")
            });
        }
        if level >= 3 {
            let mut robots: Vec<Robot> = solution.moves().iter().map(|step| step.robot).collect();
            robots.sort_unstable();
            robots.dedup();
            let names: Vec<String> = robots.iter().map(ToString::to_string).collect();
            let verb = if names.len() == 1 { "moves" } else { "move" };
            hint.sentences
                .push(format!("In it, {} {verb}.", join_with_and(&names)));
            hint.robots = Some(robots.into_iter().map(RobotLetter).collect());
            hint.first_robot = Some(RobotLetter(first.robot));
        }
        if level >= 4 {
            hint.first_move = Some(MoveName(first));
            hint.sentences.push(format!(
                "It begins with {first}: {} goes {}.",
                first.robot, first.direction
            ));
        }
        hint
    }

    /// The hint for a solver's result; empty without a solution.
    pub fn on(outcome: &Outcome, level: u8) -> Self {
        match outcome {
            Outcome::Solved {
                solution, optimal, ..
            } => Self::of(solution, *optimal, level),
            other => Self::none(other.into(), other.lower_bound(), level),
        }
    }

    fn none(outcome: SolveOutcome, lower_bound: Option<u32>, level: u8) -> Self {
        Self {
            outcome,
            lower_bound,
            level,
            sentences: Vec::new(),
            under: None,
            length: None,
            robots: None,
            first_robot: None,
            first_move: None,
        }
    }
}

/// A round number above a length, so that the hint does not reveal the length.
fn ceiling(length: usize) -> usize {
    let steps = [4, 6, 8, 10, 12, 15, 20, 25, 30];
    steps
        .into_iter()
        .find(|&step| length < step)
        .unwrap_or((length / 10 + 1) * 10)
}

impl Question for Hint {
    type Answer = HintAnswer;

    fn puzzle_mut(&mut self) -> Option<&mut PuzzleInput> {
        Some(&mut self.puzzle)
    }

    fn limits_mut(&mut self) -> Option<&mut RequestLimits> {
        Some(&mut self.limits)
    }

    fn is_complete(answer: &HintAnswer) -> bool {
        answer.outcome != SolveOutcome::Limit
    }

    fn answer(&self, call: &mut Call<'_>) -> Result<HintAnswer, Error> {
        if !(1..=4).contains(&self.level) {
            return Err(Error::bad_request(format!(
                "level {} is not within 1 to 4",
                self.level
            )));
        }
        let puzzle = call.puzzle(&self.puzzle)?;
        let search = call.solve_by_default(&puzzle, &self.limits)?;
        Ok(HintAnswer::on(&search.outcome, self.level))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_level_adds_one_fact() {
        let solution: Solution = "GE RS RW".parse().unwrap();
        let all = HintAnswer::of(&solution, true, 4);
        assert_eq!(
            all.sentences,
            [
                "Solvable in fewer than 4 moves.",
                "The shortest solution has 3 moves.",
                "In it, red and green move.",
                "It begins with GE: green goes east.",
            ]
        );
        for level in 1..=4 {
            let hint = HintAnswer::of(&solution, true, level);
            assert_eq!(hint.sentences, all.sentences[..usize::from(level)]);
            let told = [
                hint.under.is_some(),
                hint.length.is_some() && hint.lower_bound.is_some(),
                hint.robots.is_some() && hint.first_robot.is_some(),
                hint.first_move.is_some(),
            ];
            assert_eq!(told.iter().filter(|it| **it).count(), usize::from(level));
        }
    }

    #[test]
    fn the_rough_length_is_always_above_the_length() {
        for length in 0..200 {
            assert!(ceiling(length) > length);
            assert!(ceiling(length) <= length + 10);
        }
    }
}
