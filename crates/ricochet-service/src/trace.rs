//! Replayed moves in JSON: start, end and path of each, and what stopped it.

use ricochet_core::{Board, Direction, Obstacle, State, Step, Trace};
use schemars::JsonSchema;
use serde::Serialize;

use crate::json::{Coordinates, MoveName, RobotLetter, coordinates};

/// What stopped a robot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum StoppedBy {
    /// The board's edge.
    Rim,
    /// A wall, or a closed cell.
    Wall,
    /// Another robot.
    Robot {
        /// The robot in the way.
        robot: RobotLetter,
    },
}

impl StoppedBy {
    /// What stopped the robot of a step.
    pub(crate) fn of(step: &Step) -> Self {
        if let Obstacle::Robot(cell) = step.obstacle
            && let Some(robot) = step.state.robot_at(cell)
        {
            return Self::Robot {
                robot: RobotLetter(robot),
            };
        }
        match step.obstacle {
            Obstacle::Rim => Self::Rim,
            _ => Self::Wall,
        }
    }
}

/// The direction in which a robot would have continued.
pub(crate) fn heading_at_end(board: &Board, step: &Step) -> Direction {
    let Some(&(cell, heading)) = step.path.last() else {
        return step.play.direction;
    };
    match board.diagonal(cell) {
        Some(diagonal) if diagonal.color != step.play.robot => diagonal.lean.deflect(heading),
        _ => heading,
    }
}

/// One replayed move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TraceStep {
    /// The move.
    #[serde(rename = "move")]
    pub play: MoveName,
    /// The robot.
    pub robot: RobotLetter,
    /// Where it was.
    pub from: Coordinates,
    /// Where it stopped.
    pub to: Coordinates,
    /// The cells that it entered, including the last.
    pub path: Vec<Coordinates>,
    /// What stopped it.
    pub stopped_by: StoppedBy,
}

impl TraceStep {
    /// The steps of a trace.
    pub fn all(trace: &Trace) -> Vec<Self> {
        trace.steps.iter().map(Self::of).collect()
    }

    pub(crate) fn of(step: &Step) -> Self {
        Self {
            play: MoveName(step.play),
            robot: RobotLetter(step.play.robot),
            from: coordinates(step.from),
            to: coordinates(step.to),
            path: step
                .path
                .iter()
                .map(|&(cell, _)| coordinates(cell))
                .collect(),
            stopped_by: StoppedBy::of(step),
        }
    }
}

/// The cells of all robots.
pub(crate) fn robot_coordinates(state: State) -> Vec<Coordinates> {
    state.cells().iter().copied().map(coordinates).collect()
}
