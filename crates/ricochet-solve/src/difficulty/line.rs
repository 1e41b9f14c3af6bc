//! [`Line`]: the moves of a solution, each with what stopped it and what it passed.

use ricochet_core::{Cell, Direction, MAX_ROBOTS, Move, Obstacle, Puzzle, Robot, State, Trace};

use crate::heuristics::bound::Bound;

/// Moves from a puzzle's start, each with what stopped it and what it passed: what a
/// [`Theme`](super::Theme) looks at.
#[derive(Clone, Debug)]
pub struct Line {
    start: State,
    target: Cell,
    goal_robot: Option<Robot>,
    moves: Vec<LineMove>,
}

/// One move of a [`Line`].
#[derive(Clone, Debug)]
pub struct LineMove {
    /// The move.
    pub play: Move,
    /// Where the robot was.
    pub from: Cell,
    /// Where it stopped.
    pub to: Cell,
    /// What stopped it.
    pub stop: Stop,
    /// Whether it slid over the target without stopping there.
    pub passes_target: bool,
    /// Whether a diagonal turned it.
    pub turned: bool,
    /// How much nearer the goal robot came to the target: the change in the number of moves that it
    /// would need if it could stop anywhere. Negative if it is farther away, 0 for other robots.
    pub nearer: i32,
    /// The robots on whose first cells it passed or stopped, as a bit set.
    vacated: u8,
}

/// What stopped a robot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The rim of the board.
    Rim,
    /// A wall inside the board: the side of a cell that it is on, named as the north or west side of
    /// one of the two cells that it separates.
    Wall(Cell, Direction),
    /// Another robot.
    Robot {
        /// Which one.
        robot: Robot,
        /// The index of its last move before; `None` if it is where it began.
        placed: Option<usize>,
    },
}

impl Line {
    /// The line of a replayed sequence of moves, which need not lead to the goal.
    ///
    /// If any robot may reach the target, the goal robot is the one that moves last.
    pub fn new(puzzle: &Puzzle, trace: &Trace) -> Self {
        Self::with_bound(puzzle, trace, &Bound::new(puzzle))
    }

    pub(super) fn with_bound(puzzle: &Puzzle, trace: &Trace, bound: &Bound) -> Self {
        let (board, goal) = (puzzle.board(), puzzle.goal());
        let last = trace.steps.last().map(|step| step.play.robot);
        let goal_robot = goal.robot.or(last);
        let mut last_moves = [None; MAX_ROBOTS];
        let mut moves = Vec::with_capacity(trace.steps.len());
        for (index, step) in trace.steps.iter().enumerate() {
            let robot = step.play.robot;
            let stop = match step.obstacle {
                Obstacle::Robot(cell) => {
                    let robot = step.state.robot_at(cell).expect("it stopped another");
                    Stop::Robot {
                        robot,
                        placed: last_moves[robot.index()],
                    }
                }
                Obstacle::Wall => {
                    let (_, entered) = *step.path.last().expect("legal moves go somewhere");
                    let heading = match board.diagonal(step.to) {
                        Some(diagonal) if diagonal.color != robot => diagonal.lean.deflect(entered),
                        _ => entered,
                    };
                    match heading {
                        Direction::North | Direction::West => Stop::Wall(step.to, heading),
                        Direction::South | Direction::East => {
                            let beyond = step.to.step(heading).expect("the wall is inside");
                            Stop::Wall(beyond, heading.opposite())
                        }
                    }
                }
                Obstacle::Rim | Obstacle::Nothing => Stop::Rim,
            };
            let distance = |cell| bound.of_robot(robot, cell).map(u32::cast_signed);
            let nearer = match (distance(step.from), distance(step.to)) {
                (Some(before), Some(after)) if Some(robot) == goal_robot => before - after,
                _ => 0,
            };
            let starts = trace.start.iter().filter(|&(other, _)| other != robot);
            let vacated = starts
                .filter(|&(_, cell)| step.path.iter().any(|&(entered, _)| entered == cell))
                .fold(0, |robots, (other, _)| robots | 1 << other.index());
            moves.push(LineMove {
                play: step.play,
                from: step.from,
                to: step.to,
                stop,
                passes_target: step.to != goal.cell
                    && step.path.iter().any(|&(cell, _)| cell == goal.cell),
                turned: step.path.iter().any(|&(_, it)| it != step.play.direction),
                nearer,
                vacated,
            });
            last_moves[robot.index()] = Some(index);
        }
        Self {
            start: trace.start,
            target: goal.cell,
            goal_robot,
            moves,
        }
    }

    /// The moves.
    pub fn moves(&self) -> &[LineMove] {
        &self.moves
    }

    /// The robot that has to reach the target, or that moves last if any robot may.
    pub fn goal_robot(&self) -> Option<Robot> {
        self.goal_robot
    }

    /// Where the robots begin.
    pub fn start(&self) -> State {
        self.start
    }

    /// The last move, if it takes the goal robot to the target.
    pub fn arrival(&self) -> Option<&LineMove> {
        let last = self.moves.last()?;
        (last.to == self.target && !self.is_helper(last.play.robot)).then_some(last)
    }

    /// Whether this is not the goal robot.
    pub(super) fn is_helper(&self, robot: Robot) -> bool {
        self.goal_robot != Some(robot)
    }

    /// How many robots other than the goal robot move.
    pub fn helpers(&self) -> u32 {
        let helpers = self.moves.iter().map(|it| it.play.robot);
        let mask = helpers
            .filter(|&robot| self.is_helper(robot))
            .fold(0u32, |mask, robot| mask | 1 << robot.index());
        mask.count_ones()
    }

    /// How deep the moves depend on each other: 0 if no robot is stopped by one that moved before, 1
    /// if one is, 2 if that one was itself put in its place by one that moved before, and so on.
    pub fn dependency_depth(&self) -> u32 {
        let mut depths = [0; MAX_ROBOTS];
        for step in &self.moves {
            if let Stop::Robot {
                robot,
                placed: Some(_),
            } = step.stop
            {
                let needed = depths[robot.index()] + 1;
                let depth = &mut depths[step.play.robot.index()];
                *depth = needed.max(*depth);
            }
        }
        depths.into_iter().max().unwrap_or(0)
    }

    /// Moves that take the goal robot farther from the target, as if it could stop anywhere.
    pub fn moves_away(&self) -> u32 {
        self.moves.iter().filter(|it| it.nearer < 0).count() as u32
    }

    /// Moves opposite to the same robot's move before.
    pub fn reversals(&self) -> u32 {
        let mut last = [None; MAX_ROBOTS];
        let mut count = 0;
        for step in &self.moves {
            let before = last[step.play.robot.index()].replace(step.play.direction);
            count += u32::from(before == Some(step.play.direction.opposite()));
        }
        count
    }

    /// Moves in which the goal robot slides over the target without stopping.
    pub fn passes(&self) -> u32 {
        let passes = |it: &&LineMove| it.passes_target && !self.is_helper(it.play.robot);
        self.moves.iter().filter(passes).count() as u32
    }

    /// Moves that another robot stops.
    pub fn robot_stops(&self) -> u32 {
        let stops = |it: &&LineMove| matches!(it.stop, Stop::Robot { .. });
        self.moves.iter().filter(stops).count() as u32
    }

    /// Whether a move passes over, or stops on, a cell on which another robot began.
    pub(super) fn uses_vacated_cell(&self) -> bool {
        self.moves.iter().any(|it| it.vacated != 0)
    }
}
