//! `generate`: make a puzzle.

use std::str::FromStr;
use std::time::Duration;

use ricochet_core::Rules;
use ricochet_core::generate::{GoalCell, GoalRobot, RandomBoard, Recipe};
use ricochet_core::quadrants::Edition;
use ricochet_solve::difficulty::Difficulty;
use ricochet_solve::generation::{
    Attempt, GeneratedPuzzle, GiveUpReason, MakerOptions, Method, PuzzleFilter, PuzzleMaker,
    Verdict,
};
use ricochet_solve::{Budget, Limit, Outcome, Solver};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::{Call, Progress};
use crate::error::Error;
use crate::generation::why_not_drawn;
use crate::narrate::plural;
use crate::policy::RequestLimits;
use crate::questions::rate::{RateAnswer, profile_of};
use crate::request::Question;
use crate::view::View;
use crate::words::{NoRobot, RobotLetter};

/// The shortest time between two reports of progress.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);

/// Asks for a puzzle. The same seed and first number give the same puzzle for ever.
///
/// Candidates are tested one after the other. Once they have cost more than a table of all positions
/// of one board and target, tables of hard boards and targets are built, and the puzzle is drawn from
/// one of them, as far as the limits of time and memory allow.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct Generate {
    /// The seed; a random one if it is not given.
    pub seed: Option<u64>,
    /// The number of the first candidate.
    pub number: u64,
    /// This official layout, such as `1A4B3B2B`.
    pub layout: Option<String>,
    /// Random layouts of this edition. Default: `1999`.
    pub edition: Option<EditionName>,
    /// Random walls on a board of this size: columns and rows.
    pub size: Option<[usize; 2]>,
    /// Diagonals on a board of random walls.
    pub diagonals: Option<usize>,
    /// How many robots. Default: 4.
    pub robots: Option<usize>,
    /// Who has to arrive. Default: as the board's targets have it.
    pub who: Option<WhoName>,
    /// Lets any open cell be the target, not only printed ones.
    pub any_cell: bool,
    /// Asks that the robot that arrives has turned at a right angle at least once.
    pub must_ricochet: bool,
    /// The length of a shortest solution: fewest and most moves.
    pub moves: Option<[u32; 2]>,
    /// Exactly one shortest solution.
    pub unique: bool,
    /// The fewest robots that have to move in a shortest solution.
    pub robots_used: Option<u32>,
    /// The grade of difficulty.
    pub difficulty: Option<Grade>,
    /// Rates the puzzle as well.
    pub rate: bool,
    /// Gives up after this many candidates; a table without a match counts as what it costs. Default:
    /// 20,000 over HTTP.
    pub candidates: Option<u64>,
    /// What the search may spend.
    pub limits: RequestLimits,
}

/// An edition by its year.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum EditionName {
    /// Sides A and B: 96 layouts.
    #[serde(rename = "1999")]
    #[cfg_attr(feature = "clap", value(name = "1999"))]
    Of1999,
    /// Sides C and D, the latter with diagonals: 96 layouts.
    #[serde(rename = "2003")]
    #[cfg_attr(feature = "clap", value(name = "2003"))]
    Of2003,
    /// Sides A to D, with diagonals: 1,536 layouts.
    #[serde(rename = "2013")]
    #[cfg_attr(feature = "clap", value(name = "2013"))]
    Of2013,
}

impl From<EditionName> for Edition {
    fn from(name: EditionName) -> Self {
        match name {
            EditionName::Of1999 => Self::Of1999,
            EditionName::Of2003 => Self::Of2003,
            EditionName::Of2013 => Self::Of2013,
        }
    }
}

/// Who has to arrive: a robot, `any` robot, or `one`, which is any one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "expected a robot such as \"R\", or \"any\" or \"one\""
)]
pub enum WhoName {
    /// Drawn by lot.
    Lot(Lot),
    /// This robot.
    Robot(RobotLetter),
}

impl FromStr for WhoName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.to_ascii_lowercase().as_str() {
            "any" => Ok(Self::Lot(Lot::Any)),
            "one" => Ok(Self::Lot(Lot::One)),
            _ => match text.parse() {
                Ok(robot) => Ok(Self::Robot(robot)),
                Err(NoRobot(what)) => Err(format!("{what}, any or one")),
            },
        }
    }
}

impl From<WhoName> for GoalRobot {
    fn from(who: WhoName) -> Self {
        match who {
            WhoName::Lot(Lot::Any) => Self::AnyRobot,
            WhoName::Lot(Lot::One) => Self::OneRobot,
            WhoName::Robot(RobotLetter(robot)) => Self::Robot(robot),
        }
    }
}

/// Who has to arrive, where no robot is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Lot {
    /// Any robot will do.
    Any,
    /// Some one robot.
    One,
}

/// A grade of difficulty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Grade {
    /// Under 12 bits.
    Easy,
    /// 12 to 20 bits.
    Medium,
    /// 20 to 30 bits.
    Hard,
    /// 30 bits and more.
    Expert,
}

impl From<Grade> for Difficulty {
    fn from(grade: Grade) -> Self {
        match grade {
            Grade::Easy => Self::Easy,
            Grade::Medium => Self::Medium,
            Grade::Hard => Self::Hard,
            Grade::Expert => Self::Expert,
        }
    }
}

/// How a puzzle is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "Method")]
pub enum MethodName {
    /// Candidates are tested one after the other.
    Tried,
    /// Puzzles are drawn from tables of all positions of a board and target.
    Drawn,
}

impl From<Method> for MethodName {
    fn from(method: Method) -> Self {
        match method {
            Method::Tried => Self::Tried,
            Method::Drawn => Self::Drawn,
        }
    }
}

impl From<Difficulty> for Grade {
    fn from(difficulty: Difficulty) -> Self {
        match difficulty {
            Difficulty::Easy => Self::Easy,
            Difficulty::Medium => Self::Medium,
            Difficulty::Hard => Self::Hard,
            Difficulty::Expert => Self::Expert,
        }
    }
}

/// Whether a puzzle was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum GenerateOutcome {
    /// A puzzle was found.
    Found,
    /// A limit was reached before a candidate matched.
    Limit,
}

/// A puzzle that was made, or how far the search for one got.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct GenerateAnswer {
    /// Whether a puzzle was found.
    pub outcome: GenerateOutcome,
    /// The puzzle.
    pub puzzle: Option<View>,
    /// Its rating, if that was asked for.
    pub rating: Option<RateAnswer>,
    /// The seed.
    pub seed: u64,
    /// The number of the puzzle, or of its board and target if it was drawn. If none was found, the
    /// number of the next candidate: ask again from there.
    pub number: u64,
    /// Candidates that were looked at.
    pub tried: u64,
    /// How the puzzle was found, or was looked for last.
    pub way: MethodName,
    /// Tables that were made.
    pub tables: u64,
    /// The limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
    /// If a limit came first: why no puzzle of this length can be drawn from tables here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_drawn: Option<String>,
}

impl GenerateAnswer {
    /// The answer with a puzzle that was made.
    pub fn found(found: &GeneratedPuzzle, maker: &PuzzleMaker) -> Self {
        Self {
            outcome: GenerateOutcome::Found,
            puzzle: Some(View::of_puzzle(&found.puzzle)),
            rating: None,
            seed: maker.candidates().seed(),
            number: found.number,
            tried: found.tried,
            way: found.method.into(),
            tables: maker.tables(),
            limit: None,
            not_drawn: None,
        }
    }

    /// The answer without a puzzle.
    pub fn limit(maker: &PuzzleMaker, limit: &dyn std::fmt::Display) -> Self {
        Self {
            outcome: GenerateOutcome::Limit,
            puzzle: None,
            rating: None,
            seed: maker.candidates().seed(),
            number: maker.next_number(),
            tried: maker.tried_since(),
            way: maker.method().into(),
            tables: maker.tables(),
            limit: Some(limit.to_string()),
            not_drawn: match maker.method() {
                Method::Tried => why_not_drawn(maker),
                Method::Drawn => None,
            },
        }
    }
}

impl Generate {
    /// Makes puzzles as requested, from the candidates of a seed.
    ///
    /// # Errors
    /// If no puzzle can match the request.
    pub fn maker(&self, seed: u64, options: MakerOptions) -> Result<PuzzleMaker, Error> {
        let recipe = self.recipe()?;
        let filter = self.filter(recipe.robots)?;
        Ok(PuzzleMaker::new(recipe, filter, seed, options))
    }

    /// The filter for puzzles with this many robots.
    ///
    /// # Errors
    /// If no puzzle can match the filter.
    pub fn filter(&self, robots: usize) -> Result<PuzzleFilter, Error> {
        let moves = match self.moves {
            Some([least, most]) if least > most => {
                return Err(Error::bad(format!(
                    "moves [{least},{most}]: the first must not be greater"
                )));
            }
            Some([_, 0]) => {
                return Err(Error::bad(
                    "a position with 0 moves left is no puzzle: the length must be 1 or more",
                ));
            }
            moves => moves.map(|[least, most]| least.max(1)..=most),
        };
        if let Some(wanted) = self.robots_used
            && wanted as usize > robots
        {
            return Err(Error::bad(format!(
                "{wanted} robots cannot be used: there {} only {}",
                if robots == 1 { "is" } else { "are" },
                plural(robots, "robot")
            )));
        }
        if let (Some(wanted), Some(moves)) = (self.robots_used, &moves)
            && wanted > *moves.end()
        {
            return Err(Error::bad(format!(
                "{wanted} robots cannot be used in at most {}",
                plural(*moves.end() as usize, "move")
            )));
        }
        Ok(PuzzleFilter {
            moves,
            unique: self.unique,
            robots_used: self.robots_used,
            difficulty: self.difficulty.map(Difficulty::from),
        })
    }

    /// How candidates are made.
    ///
    /// # Errors
    /// If no puzzle can be made so.
    pub fn recipe(&self) -> Result<Recipe, Error> {
        let named = [
            self.layout.is_some(),
            self.edition.is_some(),
            self.size.is_some(),
        ];
        if named.into_iter().filter(|&it| it).count() > 1 {
            return Err(Error::bad(
                "only one of layout, edition and size can be given",
            ));
        }
        if self.diagonals.is_some() && self.size.is_none() {
            return Err(Error::bad("diagonals can be asked for only with a size"));
        }
        let mut recipe = match (&self.layout, self.size) {
            (Some(layout), _) => Recipe::layout(layout.parse()?),
            (None, Some([width, height])) => Recipe::random(RandomBoard {
                diagonals: self.diagonals,
                ..RandomBoard::new(width, height)
            }),
            (None, None) => Recipe::official(self.edition.map_or(Edition::Of1999, Edition::from)),
        };
        recipe.robots = self.robots.unwrap_or(recipe.robots);
        recipe.goal_robot = self.who.map_or_else(GoalRobot::default, GoalRobot::from);
        if self.any_cell {
            recipe.goal_cell = GoalCell::AnyCell;
        }
        recipe.rules = Rules {
            must_ricochet: self.must_ricochet,
        };
        recipe.check()?;
        Ok(recipe)
    }
}

impl Question for Generate {
    type Answer = GenerateAnswer;

    fn limits_mut(&mut self) -> Option<&mut RequestLimits> {
        Some(&mut self.limits)
    }

    fn is_complete(answer: &GenerateAnswer) -> bool {
        answer.outcome == GenerateOutcome::Found
    }

    fn answer(&self, call: &mut Call<'_>) -> Result<GenerateAnswer, Error> {
        let seed = self.seed.unwrap_or_else(|| call.seed_or_random());
        let policy = call.policy();
        let budget = call.budget(&self.limits);
        let options = MakerOptions {
            first: self.number,
            patience: self.candidates.unwrap_or(u64::MAX).min(policy.candidates),
            memory: budget.left().memory,
            moves: budget.left().moves,
            threads: policy.threads.max(1) as usize,
            ..MakerOptions::default()
        };
        let mut maker = self.maker(seed, options)?;
        let mut solver = call.default_solver()?;
        if options.patience == 0 {
            return Ok(GenerateAnswer::limit(&maker, &GiveUpReason::CandidateLimit));
        }
        let mut next_report = Duration::ZERO;
        loop {
            let left = budget.left();
            if left.time.is_some_and(|time| time.is_zero()) {
                return Ok(GenerateAnswer::limit(&maker, &Limit::Time));
            }
            let attempt = match maker.method() {
                Method::Drawn => maker.next(solver.as_mut(), &left)?,
                Method::Tried => {
                    let number = maker.next_number();
                    let verdict = maker.candidates().judge(number, solver.as_mut(), &left);
                    // Time ran out before the candidate was judged: it is the next one.
                    if verdict == Ok(Verdict::Rejected)
                        && budget.left().time.is_some_and(|it| it.is_zero())
                    {
                        return Ok(GenerateAnswer {
                            tried: maker.tried_since() + 1,
                            ..GenerateAnswer::limit(&maker, &Limit::Time)
                        });
                    }
                    maker.record(verdict)?
                }
            };
            match attempt {
                Attempt::Found(found) => {
                    let mut answer = GenerateAnswer::found(&found, &maker);
                    if self.rate {
                        // A table may hold all the memory there is.
                        drop(maker);
                        Self::rate(&mut answer, found, call, solver, &budget)?;
                    }
                    return Ok(answer);
                }
                Attempt::GaveUp(why) => return Ok(GenerateAnswer::limit(&maker, &why)),
                Attempt::Stopped(limit) => {
                    return Ok(GenerateAnswer::limit(&maker, &limit));
                }
                Attempt::NoMatch => {}
            }
            let (drawn, elapsed) = (maker.method() == Method::Drawn, budget.elapsed());
            if drawn || (maker.tried().is_multiple_of(16) && elapsed >= next_report) {
                next_report = elapsed + REPORT_INTERVAL;
                call.report(&Progress {
                    ms: elapsed.as_millis() as u64,
                    candidates: Some(maker.tried()),
                    tables: drawn.then(|| maker.tables()),
                    ..Progress::default()
                });
            }
            if budget.is_cancelled() {
                return Ok(GenerateAnswer::limit(&maker, &Limit::Cancelled));
            }
        }
    }
}

impl Generate {
    /// Rates the puzzle of an answer.
    fn rate(
        answer: &mut GenerateAnswer,
        found: GeneratedPuzzle,
        call: &mut Call<'_>,
        mut solver: Box<dyn Solver>,
        budget: &Budget,
    ) -> Result<(), Error> {
        let puzzle = *found.puzzle;
        let outcome = call
            .solve(solver.as_mut(), &puzzle, &budget.left())?
            .outcome;
        drop(solver);
        let profile = match found.profile {
            Some(profile) => Some(profile),
            None => profile_of(&puzzle, &outcome, budget).ok().flatten(),
        };
        let id = puzzle.id().unwrap_or_default().to_owned();
        answer.rating = Some(RateAnswer::of(id, &outcome, profile.as_ref()));
        if let Outcome::Solved { solution, .. } = &outcome {
            let optimal = puzzle.with_optimal(Some(solution.len() as u32));
            answer.puzzle = Some(View::of_puzzle(&optimal));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use ricochet_core::Robot;

    use super::*;

    #[test]
    fn robots_have_names() {
        let who: WhoName = serde_json::from_str("\"B\"").unwrap();
        assert_eq!(who, WhoName::Robot(RobotLetter(Robot::BLUE)));
    }

    #[test]
    fn a_puzzle_has_at_least_one_move() {
        let filter = |moves| {
            let wanted = Generate {
                moves: Some(moves),
                ..Generate::default()
            };
            wanted.filter(4)
        };
        let error = filter([0, 0]).unwrap_err().to_string();
        assert!(error.contains("must be 1 or more"), "{error}");
        assert_eq!(filter([0, 3]).unwrap().moves, Some(1..=3));
        assert_eq!(filter([2, 3]).unwrap().moves, Some(2..=3));
    }
}
