//! `rate`: how hard a puzzle is for people, and what its shortest solutions have in common.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::str::FromStr;

use ricochet_core::{Puzzle, notation};
use ricochet_solve::difficulty::{Features, Theme, UnknownTheme};
use ricochet_solve::{Budget, LimitReached, Outcome};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

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
    /// The rating, on the scale of players' ratings: a player with this rating would find a shortest
    /// solution in half of the attempts. It comes from simulated players.
    pub rating: Option<i32>,
    /// By how much the ratings that different kinds of simulated players would give differ.
    pub deviation: Option<i32>,
    /// The length of a shortest solution.
    pub length: Option<u32>,
    /// The number of shortest solutions.
    pub solutions: Option<u64>,
    /// The fewest robots that move in one of them.
    pub robots: Option<u32>,
    /// The fewest moves in one of them by robots other than the one that reaches the goal.
    pub helper_moves: Option<u32>,
    /// The fewest moves if robots could stop anywhere.
    pub free_moves: Option<u32>,
    /// The number of legal moves.
    pub legal_moves: Option<u32>,
    /// The number of them with which a shortest solution begins.
    pub first_moves: Option<u32>,
    /// The fewest positions in a shortest solution from which only one move keeps it shortest.
    pub only_moves: Option<u32>,
    /// The number of groups of shortest solutions that differ only in the order of independent moves.
    /// This and what follows is null if there are more than 1,000 shortest solutions.
    pub groups: Option<u64>,
    /// The number of moves that all shortest solutions begin with.
    pub common_moves: Option<u32>,
    /// How deep the moves depend on each other, at least: 1 if a robot is stopped by one that moved
    /// before, 2 if that one was stopped by one that moved before, and so on.
    pub dependency_depth: Option<u32>,
    /// The fewest moves that take the robot that reaches the goal away from the target.
    pub moves_away: Option<u32>,
    /// The fewest moves opposite to the same robot's move before.
    pub reversals: Option<u32>,
    /// The fewest moves that slide over the target.
    pub passes: Option<u32>,
    /// The fewest moves that another robot stops.
    pub robot_stops: Option<u32>,
    /// The themes of all shortest solutions.
    pub themes: Option<Vec<ThemeName>>,
    /// The themes of some shortest solutions, with the number of these.
    pub some_themes: Option<BTreeMap<String, u64>>,
    /// The puzzle on one line.
    pub puzzle: String,
    /// A shortest solution, or the shortest one known.
    pub solution: Option<String>,
}

/// A theme, written as its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ThemeName(pub Theme);

impl FromStr for ThemeName {
    type Err = UnknownTheme;

    fn from_str(name: &str) -> Result<Self, UnknownTheme> {
        name.parse().map(Self)
    }
}

impl Serialize for ThemeName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.name())
    }
}

impl<'de> Deserialize<'de> for ThemeName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = Cow::<str>::deserialize(deserializer)?;
        name.parse().map_err(D::Error::custom)
    }
}

impl JsonSchema for ThemeName {
    fn schema_name() -> Cow<'static, str> {
        "Theme".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names = Theme::ALL.map(
            |theme| serde_json::json!({"const": theme.name(), "description": theme.definition()}),
        );
        json_schema!({"description": "A theme, by its name.", "oneOf": names})
    }
}

impl RateAnswer {
    /// The rating for a solver's result and the features, if they are known.
    pub fn of(
        id: impl Into<String>,
        puzzle: &Puzzle,
        outcome: &Outcome,
        features: Option<&Features>,
    ) -> Self {
        let length = outcome.solution().map(|it| it.len() as u32);
        let lines = features.and_then(|it| it.lines.as_ref());
        Self {
            id: id.into(),
            outcome: match (outcome, features) {
                (Outcome::Solved { optimal: false, .. }, _) => RateOutcome::Unproven,
                (Outcome::Solved { .. }, Some(_)) => RateOutcome::Solved,
                // Solved, but a limit ended the rating.
                (Outcome::Solved { .. }, None) | (Outcome::LimitReached { .. }, _) => {
                    RateOutcome::Limit
                }
                (Outcome::Unsolvable, _) => RateOutcome::Unsolvable,
                (Outcome::Failed { .. }, _) => RateOutcome::Failed,
            },
            difficulty: features.map(|it| it.difficulty().into()),
            rating: features.map(|it| it.rating.rounded()),
            deviation: features.map(|it| it.rating.deviation.round() as i32),
            length: features.map(|it| it.length).or(length),
            solutions: features.map(|it| it.solutions),
            robots: features.map(|it| it.robots),
            helper_moves: features.map(|it| it.helper_moves),
            free_moves: features.map(|it| it.free_moves),
            legal_moves: features.map(|it| it.legal_moves),
            first_moves: features.map(|it| it.first_moves),
            only_moves: features.map(|it| it.only_moves),
            groups: lines.map(|it| it.groups),
            common_moves: lines.map(|it| it.common_moves),
            dependency_depth: lines.map(|it| it.dependency_depth),
            moves_away: lines.map(|it| it.moves_away),
            reversals: lines.map(|it| it.reversals),
            passes: lines.map(|it| it.passes),
            robot_stops: lines.map(|it| it.robot_stops),
            themes: lines.map(|it| it.themes.all().map(ThemeName).collect()),
            some_themes: lines.map(|it| {
                let some = it.themes.some();
                some.map(|(theme, count)| (theme.name().to_owned(), count))
                    .collect()
            }),
            puzzle: notation::to_line(puzzle),
            solution: outcome.solution().map(ToString::to_string),
        }
    }
}

/// The features of a puzzle whose optimum is proved.
pub(crate) fn features_of(
    puzzle: &Puzzle,
    outcome: &Outcome,
    budget: &Budget,
) -> Result<Option<Features>, LimitReached> {
    match outcome {
        Outcome::Solved {
            solution,
            optimal: true,
            ..
        } => Features::of(puzzle, solution.len() as u32, &budget.left()),
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
        let features = features_of(&puzzle, &search.outcome, &budget)
            .ok()
            .flatten();
        Ok(RateAnswer::of(
            id_of(&puzzle),
            &puzzle,
            &search.outcome,
            features.as_ref(),
        ))
    }
}
