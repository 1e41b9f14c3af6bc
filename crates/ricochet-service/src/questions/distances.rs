//! `distances`: how many moves a robot needs to reach each cell.

use std::time::Duration;

use ricochet_core::Puzzle;
use ricochet_solve::Limit;
use ricochet_solve::distances::{self, CellDistance, RobotDistances, RobotSelection};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::error::Error;
use crate::json::{ColorName, LimitName, RobotLetter};
use crate::policy::RequestLimits;
use crate::puzzle_input::PuzzleInput;
use crate::questions::solve::{id_of, micros};
use crate::request::Question;

/// The default depth of the search; each further move takes longer.
pub const DEFAULT_MOVES: u32 = 8;

/// Asks how many moves a robot needs to reach each cell, with the help of the other robots.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Distances {
    /// The puzzle in any format.
    pub puzzle: PuzzleInput,
    /// The robot. Default: the goal's robot, or all if any robot may reach the goal.
    #[serde(default)]
    pub robot: Option<RobotLetter>,
    /// One map for every robot.
    #[serde(default)]
    pub all_robots: bool,
    /// The depth of the search. Default: 8 moves; each further move takes longer.
    #[serde(default)]
    pub max_moves: Option<u32>,
    /// The limits of the search.
    #[serde(default)]
    pub limits: RequestLimits,
}

/// The distance of each cell, also printed by `ricochet distances --json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DistancesAnswer {
    /// The puzzle's name, or the puzzle itself if it has none.
    pub id: String,
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// One map per robot.
    pub robots: Vec<RobotDistanceMap>,
    /// Search nodes.
    pub nodes: u64,
    /// The time of the search in microseconds.
    pub micros: u64,
}

/// The map of one robot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RobotDistanceMap {
    /// The robot.
    pub robot: ColorName,
    /// Row by row: the number of moves, null if unknown, -1 if provably unreachable.
    pub cells: Vec<Option<i64>>,
    /// Cells with null are farther than this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more_than: Option<u32>,
    /// The limit that ended the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<LimitName>,
}

impl DistancesAnswer {
    /// The answer for a finished search.
    pub fn of(
        id: impl Into<String>,
        puzzle: &Puzzle,
        found: &distances::Distances,
        time: Duration,
    ) -> Self {
        let robot = |robot: &RobotDistances| RobotDistanceMap {
            robot: ColorName(robot.robot),
            more_than: robot.cells().iter().find_map(|distance| match distance {
                CellDistance::MoreThan(moves) => Some(*moves),
                _ => None,
            }),
            cells: robot
                .cells()
                .iter()
                .map(|distance| match distance {
                    CellDistance::Moves(moves) => Some(i64::from(*moves)),
                    CellDistance::MoreThan(_) => None,
                    CellDistance::Unreachable => Some(-1),
                })
                .collect(),
            limit: robot.stopped.map(|stopped| LimitName(stopped.limit)),
        };
        Self {
            id: id.into(),
            width: puzzle.board().width(),
            height: puzzle.board().height(),
            robots: found.robots.iter().map(robot).collect(),
            nodes: found.nodes,
            micros: micros(time),
        }
    }
}

/// The robots whose distances are requested: all, one, or the goal's.
///
/// # Errors
/// If there is no such robot.
pub fn select_robots(
    puzzle: &Puzzle,
    robot: Option<RobotLetter>,
    all: bool,
) -> Result<RobotSelection, Error> {
    Ok(match robot {
        _ if all => RobotSelection::All,
        Some(RobotLetter(robot)) if robot.index() >= puzzle.start().len() => {
            return Err(Error::bad_request(format!("there is no {robot} robot")));
        }
        Some(RobotLetter(robot)) => RobotSelection::Robot(robot),
        None => RobotSelection::Active,
    })
}

impl Question for Distances {
    type Answer = DistancesAnswer;

    fn puzzle_mut(&mut self) -> Option<&mut PuzzleInput> {
        Some(&mut self.puzzle)
    }

    fn limits_mut(&mut self) -> Option<&mut RequestLimits> {
        Some(&mut self.limits)
    }

    /// A move limit is part of the request, so an answer that it ends is complete.
    fn is_complete(answer: &DistancesAnswer) -> bool {
        let ended_early =
            |it: &RobotDistanceMap| it.limit.is_some_and(|limit| limit.0 != Limit::Moves);
        !answer.robots.iter().any(ended_early)
    }

    fn answer(&self, call: &mut Call<'_>) -> Result<DistancesAnswer, Error> {
        let puzzle = call.puzzle(&self.puzzle)?;
        let selection = select_robots(&puzzle, self.robot, self.all_robots)?;
        let budget = call.budget(&self.limits);
        let mut limits = budget.left();
        let depth = self
            .max_moves
            .or(self.limits.moves)
            .unwrap_or(DEFAULT_MOVES);
        limits.moves = Some(limits.moves.map_or(depth, |most| most.min(depth)));
        let found = distances::distances(&puzzle, selection, &limits);
        Ok(DistancesAnswer::of(
            id_of(&puzzle),
            &puzzle,
            &found,
            budget.elapsed(),
        ))
    }
}
