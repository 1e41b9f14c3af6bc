//! `distances`: how many moves a robot needs to reach each cell.

use std::time::Duration;

use ricochet_core::Puzzle;
use ricochet_solve::Limit;
use ricochet_solve::distances::{
    CellDistance, Distances as Found, RobotDistances, RobotSelection, distances,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::error::Error;
use crate::policy::RequestLimits;
use crate::puzzle_input::PuzzleInput;
use crate::questions::solve::{id_of, micros};
use crate::request::Question;
use crate::words::{ColorName, LimitName, RobotLetter};

/// The moves after which the search ends where none are given: each further one takes longer.
pub const DEFAULT_MOVES: u32 = 8;

/// Asks how many moves a robot needs to reach each cell, with the help of the others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Distances {
    /// The puzzle in any format.
    pub puzzle: PuzzleInput,
    /// For this robot. Default: the one that has to arrive; all if any may.
    #[serde(default)]
    pub robot: Option<RobotLetter>,
    /// For every robot.
    #[serde(default)]
    pub all_robots: bool,
    /// Look this far. Default: 8 moves; each further one takes longer.
    #[serde(default)]
    pub max_moves: Option<u32>,
    /// What the search may spend.
    #[serde(default)]
    pub limits: RequestLimits,
}

/// How many moves each cell is away: also the line of `ricochet distances --json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DistancesAnswer {
    /// The puzzle's name, or the puzzle itself if it has none.
    pub id: String,
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// One map a robot.
    pub robots: Vec<RobotMap>,
    /// Search nodes.
    pub nodes: u64,
    /// Microseconds of the search.
    pub micros: u64,
}

/// The map of one robot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RobotMap {
    /// The robot.
    pub robot: ColorName,
    /// Row by row: moves, null if unknown, -1 if proved unreachable.
    pub cells: Vec<Option<i64>>,
    /// Cells that are null are farther than this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more_than: Option<u32>,
    /// The limit that ended the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<LimitName>,
}

impl DistancesAnswer {
    /// The answer of what was found.
    pub fn of(id: impl Into<String>, puzzle: &Puzzle, found: &Found, time: Duration) -> Self {
        let robot = |robot: &RobotDistances| RobotMap {
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

/// Whose distances are asked for: those of all robots, of one, or of the one that has to arrive.
///
/// # Errors
/// If there is no such robot.
pub fn who_of(
    puzzle: &Puzzle,
    robot: Option<RobotLetter>,
    all: bool,
) -> Result<RobotSelection, Error> {
    Ok(match robot {
        _ if all => RobotSelection::All,
        Some(RobotLetter(robot)) if robot.index() >= puzzle.start().len() => {
            return Err(Error::bad(format!("there is no {robot} robot")));
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

    /// The request asks for a move limit, so an answer that it ends is complete.
    fn is_complete(answer: &DistancesAnswer) -> bool {
        let ended_early = |it: &RobotMap| it.limit.is_some_and(|limit| limit.0 != Limit::Moves);
        !answer.robots.iter().any(ended_early)
    }

    fn answer(&self, call: &mut Call<'_>) -> Result<DistancesAnswer, Error> {
        let puzzle = call.puzzle(&self.puzzle)?;
        let who = who_of(&puzzle, self.robot, self.all_robots)?;
        let budget = call.budget(&self.limits);
        let mut limits = budget.left();
        let wanted = self
            .max_moves
            .or(self.limits.moves)
            .unwrap_or(DEFAULT_MOVES);
        limits.moves = Some(limits.moves.map_or(wanted, |most| most.min(wanted)));
        let found = distances(&puzzle, who, &limits);
        Ok(DistancesAnswer::of(
            id_of(&puzzle),
            &puzzle,
            &found,
            budget.elapsed(),
        ))
    }
}
