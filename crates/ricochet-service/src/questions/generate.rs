//! `generate`: make a puzzle.

use std::str::FromStr;

use ricochet::Rules;
use ricochet::generate::{RandomBoard, Recipe, WhereWish, WhoWish};
use ricochet::quadrants::Edition;
use ricochet_solve::difficulty::Difficulty;
use ricochet_solve::{Limit, Outcome};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ask::{Ask, Progress};
use crate::door::Spend;
use crate::error::Error;
use crate::narrate::plural;
use crate::questions::rate::{RateAnswer, profile};
use crate::request::Question;
use crate::view::View;
use crate::wishes::{Candidates, Crowding, Verdict, Wishes};
use crate::words::{NoRobot, RobotLetter};

/// Asks for a puzzle. The same seed and first number give the same puzzle for ever.
///
/// ```
/// use ricochet_service::{Answer, Ask, Door, Request};
/// let request =
///     Request::from_json(r#"{"ask":"generate","seed":7,"moves":[5,6],"rate":true}"#).unwrap();
/// let Answer::Generate(made) = Ask::at(&Door::default()).answer(&request).unwrap()
/// else { panic!() };
/// assert!((5..=6).contains(&made.puzzle.unwrap().optimal.unwrap()));
/// assert!(made.rating.unwrap().bits.is_some());
/// ```
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
    /// Gives up after so many candidates.
    pub candidates: Option<u64>,
    /// What the search may spend.
    pub limits: Spend,
}

/// An edition by its year.
///
/// ```
/// use ricochet_service::questions::generate::EditionName;
/// let name: EditionName = serde_json::from_str("\"2003\"").unwrap();
/// assert_eq!(name, EditionName::Of2003);
/// ```
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
///
/// ```
/// use ricochet_service::questions::generate::WhoName;
/// let who: WhoName = serde_json::from_str("\"any\"").unwrap();
/// assert_eq!(who, WhoName::Lot(ricochet_service::questions::generate::Lot::Any));
/// assert_eq!("any".parse(), Ok(who));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum WhoName {
    /// Drawn by lot.
    Lot(Lot),
    /// This robot.
    Robot(RobotLetter),
}

impl FromStr for WhoName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "any" => Ok(Self::Lot(Lot::Any)),
            "one" => Ok(Self::Lot(Lot::One)),
            robot => match robot.parse() {
                Ok(robot) => Ok(Self::Robot(robot)),
                Err(NoRobot(what)) => Err(format!("{what}, any or one")),
            },
        }
    }
}

impl From<WhoName> for WhoWish {
    fn from(who: WhoName) -> Self {
        match who {
            WhoName::Lot(Lot::Any) => Self::AnyRobot,
            WhoName::Lot(Lot::One) => Self::OneRobot,
            WhoName::Robot(RobotLetter(robot)) => Self::Robot(robot),
        }
    }
}

/// Who has to arrive, where no robot is named.
///
/// ```
/// use ricochet_service::questions::generate::Lot;
/// assert_eq!(serde_json::to_string(&Lot::One).unwrap(), "\"one\"");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Lot {
    /// Any robot will do.
    Any,
    /// Some one robot.
    One,
}

/// A grade of difficulty.
///
/// ```
/// use ricochet_service::questions::generate::Grade;
/// use ricochet_solve::difficulty::Difficulty;
/// assert_eq!(Difficulty::from(Grade::Hard), Difficulty::Hard);
/// ```
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

/// A puzzle that was made, or how far the search for one got.
///
/// ```
/// use ricochet_service::{Answer, Ask, Door, Request};
/// let request = Request::from_json(
///     r#"{"ask":"generate","seed":7,"moves":[90,99],"candidates":3}"#,
/// ).unwrap();
/// let Answer::Generate(made) = Ask::at(&Door::default()).answer(&request).unwrap()
/// else { panic!() };
/// assert_eq!((made.outcome, made.tried, made.puzzle), ("limit", 3, None));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct GenerateAnswer {
    /// `found`, or `limit` if a limit came before a candidate matched the wishes.
    pub outcome: &'static str,
    /// The puzzle.
    pub puzzle: Option<View>,
    /// Its rating, if that was asked for.
    pub rating: Option<RateAnswer>,
    /// The seed.
    pub seed: u64,
    /// The number of the puzzle, or of the next candidate if none was found: ask again from there.
    pub number: u64,
    /// Candidates that were looked at.
    pub tried: u64,
    /// The limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
}

impl Generate {
    /// What the puzzles should be like, where they have so many robots.
    ///
    /// ```
    /// use ricochet_service::questions::generate::Generate;
    /// let wanted = Generate { robots_used: Some(3), ..Generate::default() };
    /// assert!(wanted.wishes(4).is_ok() && wanted.wishes(2).is_err());
    /// ```
    ///
    /// # Errors
    /// If no puzzle can match the wishes.
    pub fn wishes(&self, robots: usize) -> Result<Wishes, Error> {
        let moves = match self.moves {
            Some([least, most]) if least > most => {
                return Err(Error::bad(format!(
                    "moves [{least},{most}]: the first must not be greater"
                )));
            }
            moves => moves.map(|[least, most]| least..=most),
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
        Ok(Wishes {
            moves,
            unique: self.unique,
            robots_used: self.robots_used,
            difficulty: self.difficulty.map(Difficulty::from),
        })
    }

    /// How candidates are made.
    ///
    /// ```
    /// use ricochet_service::questions::generate::Generate;
    /// let wanted = Generate { size: Some([12, 10]), ..Generate::default() };
    /// assert_eq!(wanted.recipe().unwrap().puzzle(7, 0).unwrap().board().width(), 12);
    /// ```
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
        recipe.who = self.who.map_or_else(WhoWish::default, WhoWish::from);
        if self.any_cell {
            recipe.place = WhereWish::AnyCell;
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

    fn answer(&self, ask: &mut Ask<'_>) -> Result<GenerateAnswer, Error> {
        let seed = self.seed.unwrap_or_else(|| ask.seed());
        let candidates = Candidates::of(self, seed)?;
        let mut crowding = Crowding::default();
        let most = self
            .candidates
            .unwrap_or(u64::MAX)
            .min(ask.door().candidates);
        let purse = ask.purse(&self.limits);
        let mut solver = ask.default_solver()?;
        let mut answer = GenerateAnswer {
            outcome: "limit",
            puzzle: None,
            rating: None,
            seed,
            number: self.number,
            tried: 0,
            limit: None,
        };
        while answer.tried < most {
            let left = purse.left();
            if left.time.is_some_and(|time| time.is_zero()) {
                answer.limit = Some(Limit::Time.to_string());
                return Ok(answer);
            }
            let looked = candidates.look(answer.number, solver.as_mut(), &left);
            answer.tried += 1;
            match crowding.pass(looked)? {
                Verdict::Stopped => {
                    answer.limit = Some(Limit::Cancelled.to_string());
                    return Ok(answer);
                }
                // A candidate that time ran out on was not dropped for what it is: it is the next.
                Verdict::Dropped if purse.left().time.is_some_and(|it| it.is_zero()) => {}
                Verdict::Dropped => answer.number = answer.number.wrapping_add(1),
                Verdict::Kept(puzzle, found) => {
                    answer.outcome = "found";
                    answer.puzzle = Some(View::of_puzzle(&puzzle));
                    if self.rate {
                        let (outcome, _) = ask.solve(solver.as_mut(), &puzzle, &purse.left())?;
                        drop(solver);
                        let found = match found {
                            Some(profile) => Some(profile),
                            None => profile(&puzzle, &outcome, &purse).ok().flatten(),
                        };
                        if let (Some(view), Outcome::Solved { solution, .. }) =
                            (&mut answer.puzzle, &outcome)
                        {
                            let optimal = puzzle.with_optimal(Some(solution.len() as u32));
                            *view = View::of_puzzle(&optimal);
                        }
                        answer.rating = Some(RateAnswer::of(
                            candidates.id(answer.number),
                            &outcome,
                            found.as_ref(),
                        ));
                    }
                    return Ok(answer);
                }
            }
            if answer.tried.is_multiple_of(16) {
                ask.tell(&Progress {
                    ms: purse.elapsed().as_millis() as u64,
                    candidates: Some(answer.tried),
                    ..Progress::default()
                });
            }
            if purse.is_cancelled() {
                answer.limit = Some(Limit::Cancelled.to_string());
                return Ok(answer);
            }
        }
        answer.limit = Some("candidate limit".to_owned());
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use ricochet::Robot;

    use super::*;

    #[test]
    fn robots_have_names() {
        let who: WhoName = serde_json::from_str("\"B\"").unwrap();
        assert_eq!(who, WhoName::Robot(RobotLetter(Robot::BLUE)));
    }
}
