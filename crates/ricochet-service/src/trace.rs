//! Moves as they were played: from where to where, along which cells, and what stopped them.

use ricochet_core::{Board, Direction, Obstacle, State, Step, Trace};
use schemars::JsonSchema;
use serde::Serialize;

use crate::words::{Place, Play, RobotLetter, place};

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
        /// Which.
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

/// The way in which a robot would have gone on.
pub(crate) fn heading_at_end(board: &Board, step: &Step) -> Direction {
    let Some(&(cell, heading)) = step.path.last() else {
        return step.play.direction;
    };
    match board.diagonal(cell) {
        Some(diagonal) if diagonal.color != step.play.robot => diagonal.lean.deflect(heading),
        _ => heading,
    }
}

/// One move as it was played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TraceStep {
    /// The move.
    #[serde(rename = "move")]
    pub play: Play,
    /// The robot.
    pub robot: RobotLetter,
    /// Where it was.
    pub from: Place,
    /// Where it stopped.
    pub to: Place,
    /// The cells that it entered, the last one included.
    pub path: Vec<Place>,
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
            play: Play(step.play),
            robot: RobotLetter(step.play.robot),
            from: place(step.from),
            to: place(step.to),
            path: step.path.iter().map(|&(cell, _)| place(cell)).collect(),
            stopped_by: StoppedBy::of(step),
        }
    }
}

/// The cells of all robots.
pub(crate) fn places(state: State) -> Vec<Place> {
    state.cells().iter().copied().map(place).collect()
}
