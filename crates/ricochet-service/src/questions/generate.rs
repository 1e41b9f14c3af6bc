//! `generate`: a new puzzle with given properties.

use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use ricochet_core::generate::{GoalCell, GoalRobot, RandomBoard, Recipe};
use ricochet_core::quadrants::Edition;
use ricochet_core::{MAX_ROBOTS, MAX_SIDE, Puzzle, Rules};
use ricochet_solve::difficulty::{Difficulty, Features, Theme};
use ricochet_solve::generation::{
    Attempt, GeneratedPuzzle, GiveUpReason, MakerOptions, Method, PuzzleFilter, PuzzleMaker,
    Verdict, longest_solution,
};
use ricochet_solve::{Budget, Limit, Outcome, Solver};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::{Call, Progress};
use crate::error::Error;
use crate::generation::why_not_drawn;
use crate::json::{ParseRobotError, RobotLetter, layout_pattern};
use crate::policy::RequestLimits;
use crate::puzzle_view::PuzzleView;
use crate::questions::rate::{RateAnswer, RateOutcome, ThemeName, features_of};
use crate::request::Question;
use ricochet_core::describe::plural;

/// The time between progress reports.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);

/// Asks for a new puzzle. The same seed and first number always give the same puzzle.
///
/// Candidates are tested one after another. Once they have cost more than a table of all positions of
/// one board and target, tables of hard boards and targets are built and the puzzle is drawn from one
/// of them, as far as the limits allow.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an independent option"
)]
pub struct Generate {
    /// The seed. Default: random.
    pub seed: Option<u64>,
    /// The number of the first candidate.
    pub number: u64,
    /// An official layout, such as `1A4B3B2B`.
    #[schemars(extend("pattern" = layout_pattern()))]
    pub layout: Option<String>,
    /// Random layouts of this edition. Default: `1999`.
    pub edition: Option<EditionName>,
    /// Random walls on a board of this size: columns and rows.
    #[schemars(inner(range(min = 2, max = MAX_SIDE)))]
    pub size: Option<[usize; 2]>,
    /// The number of diagonals on a board of random walls.
    pub diagonals: Option<usize>,
    /// The number of robots. Default: 4.
    #[schemars(range(min = 1, max = MAX_ROBOTS))]
    pub robots: Option<usize>,
    /// The robot that must reach the target. Default: the target's robot.
    pub who: Option<GoalRobotName>,
    /// Allow any open cell as the target, not only printed targets.
    pub any_cell: bool,
    /// The robot that reaches the target must have turned by 90 degrees at least once.
    pub must_ricochet: bool,
    /// The fewest and the most moves of a shortest solution.
    pub moves: Option<[u32; 2]>,
    /// Require exactly one shortest solution.
    pub unique: bool,
    /// The fewest robots that move in any shortest solution.
    pub robots_used: Option<u32>,
    /// The grade of difficulty.
    pub difficulty: Option<DifficultyName>,
    /// The lowest and the highest rating.
    pub rating: Option<[i32; 2]>,
    /// Themes that all shortest solutions must have.
    pub themes: Vec<ThemeName>,
    /// Also rate the puzzle.
    pub rate: bool,
    /// Give up after this many candidates. A table without a match counts as the candidates it costs.
    /// Default: 20,000 over HTTP.
    pub candidates: Option<u64>,
    /// The limits of the search.
    pub limits: RequestLimits,
}

/// An edition by its year.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum EditionName {
    /// Quadrants A and B: 96 layouts.
    #[serde(rename = "1999")]
    #[cfg_attr(feature = "clap", value(name = "1999"))]
    Of1999,
    /// Quadrants C and D, the latter with diagonals: 96 layouts.
    #[serde(rename = "2003")]
    #[cfg_attr(feature = "clap", value(name = "2003"))]
    Of2003,
    /// Quadrants A to D, with diagonals: 1,536 layouts.
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

/// The robot that must reach the target: a robot, `any` (any robot may) or `one` (a random robot must).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "expected a robot such as \"R\", or \"any\" or \"one\""
)]
pub enum GoalRobotName {
    /// No particular robot.
    Keyword(GoalRobotKeyword),
    /// This robot.
    Robot(RobotLetter),
}

impl FromStr for GoalRobotName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.to_ascii_lowercase().as_str() {
            "any" => Ok(Self::Keyword(GoalRobotKeyword::Any)),
            "one" => Ok(Self::Keyword(GoalRobotKeyword::One)),
            _ => match text.parse() {
                Ok(robot) => Ok(Self::Robot(robot)),
                Err(ParseRobotError(what)) => Err(format!("{what}, any or one")),
            },
        }
    }
}

impl From<GoalRobotName> for GoalRobot {
    fn from(who: GoalRobotName) -> Self {
        match who {
            GoalRobotName::Keyword(GoalRobotKeyword::Any) => Self::AnyRobot,
            GoalRobotName::Keyword(GoalRobotKeyword::One) => Self::OneRobot,
            GoalRobotName::Robot(RobotLetter(robot)) => Self::Robot(robot),
        }
    }
}

/// The robot that must reach the target, if none is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum GoalRobotKeyword {
    /// Any robot may reach the target.
    Any,
    /// A random robot must reach the target.
    One,
}

/// A grade of difficulty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum DifficultyName {
    /// A rating under 1000.
    Easy,
    /// A rating from 1000 to 1999.
    Medium,
    /// A rating from 2000 to 3199.
    Hard,
    /// A rating of 3200 or more.
    Expert,
}

impl From<DifficultyName> for Difficulty {
    fn from(grade: DifficultyName) -> Self {
        match grade {
            DifficultyName::Easy => Self::Easy,
            DifficultyName::Medium => Self::Medium,
            DifficultyName::Hard => Self::Hard,
            DifficultyName::Expert => Self::Expert,
        }
    }
}

/// How a puzzle is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "Method")]
pub enum MethodName {
    /// Candidates are tested one after another.
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

impl From<Difficulty> for DifficultyName {
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

/// The generated puzzle, or the state of the search for one.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct GenerateAnswer {
    /// Whether a puzzle was found.
    pub outcome: GenerateOutcome,
    /// The puzzle.
    pub puzzle: Option<PuzzleView>,
    /// Its rating, if requested.
    pub rating: Option<RateAnswer>,
    /// The seed.
    pub seed: u64,
    /// The number of the puzzle, or of its board and target if it was drawn. If none was found, the
    /// number of the next candidate, from which to continue.
    pub number: u64,
    /// The number of candidates tested.
    pub tried: u64,
    /// The method by which the puzzle was found, or the last one tried.
    #[serde(rename = "way")]
    pub method: MethodName,
    /// The number of tables built.
    pub tables: u64,
    /// The limit that ended the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
    /// If a limit was reached: why no puzzle of this length can be drawn from tables.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_drawn: Option<String>,
}

impl GenerateAnswer {
    /// The answer with a puzzle.
    pub fn found(found: &GeneratedPuzzle, maker: &PuzzleMaker) -> Self {
        Self {
            outcome: GenerateOutcome::Found,
            puzzle: Some(PuzzleView::of_puzzle(&found.puzzle)),
            rating: None,
            seed: maker.candidates().seed(),
            number: found.number,
            tried: found.tried,
            method: found.method.into(),
            tables: maker.tables(),
            limit: None,
            not_drawn: None,
        }
    }

    /// Adds the rating of the puzzle, and its optimum.
    pub fn set_rating(&mut self, puzzle: Puzzle, rating: RateAnswer) {
        let proved = rating.outcome == RateOutcome::Solved || rating.outcome == RateOutcome::Limit;
        if let Some(length) = rating.length.filter(|_| proved) {
            let puzzle = puzzle.with_optimal(Some(length));
            self.puzzle = Some(PuzzleView::of_puzzle(&puzzle));
        }
        self.rating = Some(rating);
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
            method: maker.method().into(),
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
    /// The maker of the requested puzzles.
    ///
    /// # Errors
    /// If no puzzle can match the request.
    pub fn maker(&self, seed: u64, options: MakerOptions) -> Result<PuzzleMaker, Error> {
        let recipe = self.recipe()?;
        let filter = self.filter(recipe.robots)?;
        if let Some(most) = longest_solution(&recipe)
            && let Some(least) = filter.moves.as_ref().map(|range| *range.start())
            && least > most
        {
            let which = match recipe.goal_robot {
                GoalRobot::AnyRobot => " if any robot may arrive",
                _ => "",
            };
            return Err(Error::bad_request(format!(
                "no puzzle needs {least} moves or more: on the boards of the 1999 edition, four \
                 robots need at most {most}{which} (a census of all positions shows this)"
            )));
        }
        Ok(PuzzleMaker::new(recipe, filter, seed, options))
    }

    /// The filter for puzzles with this many robots.
    ///
    /// # Errors
    /// If no puzzle can match the filter.
    pub fn filter(&self, robots: usize) -> Result<PuzzleFilter, Error> {
        let moves = match self.moves {
            Some([least, most]) if least > most => {
                return Err(Error::bad_request(format!(
                    "moves [{least},{most}]: the first must not be greater"
                )));
            }
            Some([_, 0]) => {
                return Err(Error::bad_request(
                    "a solved position is not a puzzle: the length must be 1 or more",
                ));
            }
            moves => moves.map(|[least, most]| least.max(1)..=most),
        };
        if let Some(wanted) = self.robots_used
            && wanted as usize > robots
        {
            return Err(Error::bad_request(format!(
                "{wanted} robots cannot be used: there {} only {}",
                if robots == 1 { "is" } else { "are" },
                plural(robots, "robot")
            )));
        }
        if let (Some(wanted), Some(moves)) = (self.robots_used, &moves)
            && wanted > *moves.end()
        {
            return Err(Error::bad_request(format!(
                "{wanted} robots cannot be used in at most {}",
                plural(*moves.end() as usize, "move")
            )));
        }
        if let Some([least, most]) = self.rating
            && least > most
        {
            return Err(Error::bad_request(format!(
                "rating [{least},{most}]: the first must not be greater"
            )));
        }
        if let (Some([least, most]), Some(grade)) = (self.rating, self.difficulty) {
            let grade = Difficulty::from(grade);
            // Ratings are rounded after they are graded.
            let [first, last] = [f64::from(least) - 0.5, f64::from(most) + 0.5];
            if grade < Difficulty::of_rating(first) || Difficulty::of_rating(last) < grade {
                return Err(Error::bad_request(format!(
                    "no rating in this range is {}",
                    grade.name()
                )));
            }
        }
        self.check_themes(robots, moves.as_ref())?;
        Ok(PuzzleFilter {
            moves,
            unique: self.unique,
            robots_used: self.robots_used,
            difficulty: self.difficulty.map(Difficulty::from),
            rating: self.rating.map(|[least, most]| least..=most),
            themes: self.themes.iter().map(|theme| theme.0).collect(),
        })
    }

    /// Refuses themes that need more robots or moves than there are.
    fn check_themes(
        &self,
        robots: usize,
        moves: Option<&RangeInclusive<u32>>,
    ) -> Result<(), Error> {
        let themes = || self.themes.iter().map(|it| it.0);
        let Some(theme) = themes().max_by_key(|it| it.least_movers()) else {
            return Ok(());
        };
        let movers = theme.least_movers();
        let is_solo = themes().any(|it| it == Theme::Solo);
        let refusal = match (self.robots_used, moves) {
            _ if is_solo && movers > 1 => "solo allows only one".to_owned(),
            (Some(used), _) if is_solo && used > 1 => {
                return Err(Error::bad_request(format!(
                    "{used} robots cannot be used with the theme solo"
                )));
            }
            (Some(used), _) if movers > used => format!("only {used} can be used"),
            _ if movers as usize > robots => {
                format!(
                    "there {} only {robots}",
                    if robots == 1 { "is" } else { "are" }
                )
            }
            (_, Some(moves)) if movers > *moves.end() => {
                format!("not in at most {}", plural(*moves.end() as usize, "move"))
            }
            _ => return Ok(()),
        };
        let refusal = format!("the theme {theme} needs {movers} robots that move: {refusal}");
        Err(Error::bad_request(refusal))
    }

    /// How candidates are made.
    ///
    /// # Errors
    /// If no puzzle can be generated this way.
    pub fn recipe(&self) -> Result<Recipe, Error> {
        let named = [
            self.layout.is_some(),
            self.edition.is_some(),
            self.size.is_some(),
        ];
        if named.into_iter().filter(|&it| it).count() > 1 {
            return Err(Error::bad_request(
                "only one of layout, edition and size can be given",
            ));
        }
        if self.diagonals.is_some() && self.size.is_none() {
            return Err(Error::bad_request(
                "diagonals can be given only with a size",
            ));
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
                    // Time ran out before the candidate was judged, so it is tested again next time.
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
                        // A table may hold most of the memory.
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
        let rating = rate_generated(&puzzle, &outcome, found.features, budget);
        answer.set_rating(puzzle, rating);
        Ok(())
    }
}

/// The rating of a generated puzzle with a proved optimum, from its features if they are known.
pub fn rate_generated(
    puzzle: &Puzzle,
    outcome: &Outcome,
    features: Option<Box<Features>>,
    budget: &Budget,
) -> RateAnswer {
    let features = match features {
        Some(features) => Some(*features),
        None => features_of(puzzle, outcome, budget).ok().flatten(),
    };
    let id = puzzle.id().unwrap_or_default().to_owned();
    RateAnswer::of(id, puzzle, outcome, features.as_ref())
}

#[cfg(test)]
mod tests {
    use ricochet_core::Robot;

    use super::*;

    #[test]
    fn the_goal_robot_is_read_from_its_letter() {
        let who: GoalRobotName = serde_json::from_str("\"B\"").unwrap();
        assert_eq!(who, GoalRobotName::Robot(RobotLetter(Robot::BLUE)));
    }

    #[test]
    fn lengths_that_the_census_excludes_are_refused() {
        let maker = |request: Generate| request.maker(7, MakerOptions::default()).err();
        let long = Generate {
            moves: Some([26, 99]),
            ..Generate::default()
        };
        let error = maker(long.clone()).unwrap().to_string();
        assert!(error.contains("need at most 25 (a census"), "{error}");
        let any = Generate {
            moves: Some([18, 18]),
            who: Some(GoalRobotName::Keyword(GoalRobotKeyword::Any)),
            layout: Some("1A4B3B2B".to_owned()),
            ..Generate::default()
        };
        let error = maker(any).unwrap().to_string();
        assert!(
            error.contains("at most 17 if any robot may arrive"),
            "{error}"
        );
        // Nobody has counted these.
        for other in [
            Generate {
                moves: Some([25, 25]),
                ..long.clone()
            },
            Generate {
                robots: Some(5),
                ..long.clone()
            },
            Generate {
                any_cell: true,
                ..long.clone()
            },
            Generate {
                must_ricochet: true,
                ..long.clone()
            },
            Generate {
                edition: Some(EditionName::Of2003),
                ..long
            },
        ] {
            assert!(maker(other).is_none());
        }
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
