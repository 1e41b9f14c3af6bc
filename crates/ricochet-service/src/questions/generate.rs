//! `generate`: make a puzzle.

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
use crate::questions::rate::{RateAnswer, profile};
use crate::request::Question;
use crate::view::View;
use crate::wishes::{Verdict, Wishes};
use crate::words::RobotLetter;

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
pub enum EditionName {
    /// Sides A and B.
    #[serde(rename = "1999")]
    Of1999,
    /// Sides C and D, which has diagonals.
    #[serde(rename = "2003")]
    Of2003,
    /// Sides A to D.
    #[serde(rename = "2013")]
    Of2013,
}

/// Who has to arrive: a robot, `any` robot, or `one`, which is any one of them.
///
/// ```
/// use ricochet_service::questions::generate::WhoName;
/// let who: WhoName = serde_json::from_str("\"any\"").unwrap();
/// assert_eq!(who, WhoName::Lot(ricochet_service::questions::generate::Lot::Any));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum WhoName {
    /// Drawn by lot.
    Lot(Lot),
    /// This robot.
    Robot(RobotLetter),
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
    /// `found`, or `limit` if a limit came before a candidate was as wished.
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
    fn wishes(&self, robots: usize) -> Result<Wishes, Error> {
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
                "robots_used is {wanted}, but there are only {robots} robots"
            )));
        }
        Ok(Wishes {
            moves,
            unique: self.unique,
            robots_used: self.robots_used,
            difficulty: self.difficulty.map(Difficulty::from),
        })
    }

    fn recipe(&self) -> Result<Recipe, Error> {
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
            (Some(layout), _) => Recipe::layout(layout.parse().map_err(
                |error: ricochet::quadrants::LayoutError| Error::bad(error.to_string()),
            )?),
            (None, Some([width, height])) => Recipe::random(RandomBoard {
                diagonals: self.diagonals,
                ..RandomBoard::new(width, height)
            }),
            (None, None) => Recipe::official(match self.edition {
                None | Some(EditionName::Of1999) => Edition::Of1999,
                Some(EditionName::Of2003) => Edition::Of2003,
                Some(EditionName::Of2013) => Edition::Of2013,
            }),
        };
        recipe.robots = self.robots.unwrap_or(recipe.robots);
        recipe.who = match self.who {
            None => WhoWish::default(),
            Some(WhoName::Lot(Lot::Any)) => WhoWish::AnyRobot,
            Some(WhoName::Lot(Lot::One)) => WhoWish::OneRobot,
            Some(WhoName::Robot(RobotLetter(robot))) => WhoWish::Robot(robot),
        };
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
        let recipe = self.recipe()?;
        let wishes = self.wishes(recipe.robots)?;
        let seed = self.seed.unwrap_or_else(|| ask.seed());
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
            let id = format!("S{seed}-{}", answer.number);
            let candidate = recipe.puzzle(seed, answer.number)?.with_id(&id);
            answer.tried += 1;
            match wishes.look(candidate, solver.as_mut(), &left) {
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
                        answer.rating = Some(RateAnswer::of(id, &outcome, found.as_ref()));
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
