//! `position`: the distance of a position to the goal, now and after every legal move.

use ricochet_core::{Direction, Move, Puzzle, Robot, Solution, State, Step, Trace};
use ricochet_solve::Limits;
use ricochet_solve::evaluate::{Distance, Evaluation, Evaluator, evaluate_line};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::{Call, Progress};
use crate::error::{Error, ErrorKind};
use crate::json::{Coordinates, LimitName, MoveList, MoveName, RobotLetter, coordinates};
use crate::policy::RequestLimits;
use crate::puzzle_input::PuzzleInput;
use crate::questions::solve::micros;
use crate::request::Question;
use crate::trace::{StoppedBy, robot_coordinates};

/// Asks for the distance of a position to the goal, now and after every legal move.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// The puzzle in any format.
    pub puzzle: PuzzleInput,
    /// Moves played from there.
    #[serde(default)]
    pub moves: MoveList,
    /// Evaluate only the moves of these robots. Default: all. This divides the work among several
    /// workers; the position itself is then evaluated by its own search alone.
    #[serde(default)]
    pub robots: Option<Vec<RobotLetter>>,
    /// The limits of all searches together.
    #[serde(default)]
    pub limits: RequestLimits,
}

/// What is known about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PositionOutcome {
    /// The distance is known.
    Solved,
    /// It is proved that the goal cannot be reached.
    Unsolvable,
    /// A limit ended the search; `lower_bound` is proved.
    Limit,
}

/// The distance of a position and of its legal moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PositionAnswer {
    /// What is known about the position.
    pub outcome: PositionOutcome,
    /// The fewest moves to the goal; null if unknown.
    pub distance: Option<u32>,
    /// At least this many moves are needed; null if the goal cannot be reached.
    pub lower_bound: Option<u32>,
    /// The robots' cells.
    pub robots: Vec<Coordinates>,
    /// A shortest solution from here; null if none is known.
    pub solution: Option<MoveList>,
    /// All legal moves, best first, those with unknown distance last.
    pub moves: Vec<PositionMove>,
    /// The limit that ended the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<LimitName>,
    /// Search nodes.
    pub nodes: u64,
    /// The time of all searches in milliseconds.
    pub ms: u64,
    /// The time of all searches in microseconds.
    pub micros: u64,
}

/// A legal move and what is known about the position after it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PositionMove {
    /// The move.
    #[serde(rename = "move")]
    pub play: MoveName,
    /// The cell where it ends.
    pub to: Coordinates,
    /// What stops it there.
    pub stopped_by: StoppedBy,
    /// What is known about the position after it.
    pub outcome: PositionOutcome,
    /// The fewest moves to the goal after it; null if unknown.
    pub distance: Option<u32>,
    /// At least this many moves are needed after it; null if the goal cannot be reached then.
    pub lower_bound: Option<u32>,
    /// Whether a shortest solution begins with it.
    pub best: bool,
}

impl From<Distance> for PositionOutcome {
    fn from(distance: Distance) -> Self {
        match distance {
            Distance::Exactly(_) => Self::Solved,
            Distance::AtLeast(_) => Self::Limit,
            Distance::Unreachable => Self::Unsolvable,
        }
    }
}

impl PositionAnswer {
    /// The answer for an evaluation and the legal moves with their steps.
    fn of(state: State, evaluation: &Evaluation, legal: &[(Move, Step)]) -> Self {
        let moves = evaluation.moves.iter().filter_map(|it| {
            let (_, step) = legal.iter().find(|(play, _)| *play == it.play)?;
            Some(PositionMove {
                play: MoveName(it.play),
                to: coordinates(step.to),
                stopped_by: StoppedBy::of(step),
                outcome: it.distance.into(),
                distance: it.distance.exactly(),
                lower_bound: it.distance.lower_bound(),
                best: it.best,
            })
        });
        let solution = evaluation.solution.as_ref();
        Self {
            outcome: evaluation.distance.into(),
            distance: evaluation.distance.exactly(),
            lower_bound: evaluation.distance.lower_bound(),
            robots: robot_coordinates(state),
            solution: solution.map(|it| MoveList(it.moves().to_vec())),
            moves: moves.collect(),
            limit: evaluation.limit.map(LimitName),
            nodes: evaluation.stats.nodes,
            ms: evaluation.stats.time.as_millis() as u64,
            micros: micros(evaluation.stats.time),
        }
    }

    /// Evaluates the position of a puzzle after some moves, within limits for all searches together.
    ///
    /// # Errors
    /// If the moves cannot be played.
    pub fn on(
        call: &mut Call<'_>,
        puzzle: &Puzzle,
        played: &[Move],
        limits: Limits,
    ) -> Result<Self, Error> {
        Self::of_moves(call, puzzle, played, None, limits)
    }

    /// The same, for the moves of some robots only.
    fn of_moves(
        call: &mut Call<'_>,
        puzzle: &Puzzle,
        played: &[Move],
        robots: Option<&[RobotLetter]>,
        mut limits: Limits,
    ) -> Result<Self, Error> {
        let start = Trace::play(puzzle, played).map_err(|it| Error::bad_request(it.to_string()))?;
        let here = puzzle.with_position(start.end().cells(), puzzle.goal())?;
        let mut legal = legal_moves(&here);
        if let Some(robots) = robots {
            legal.retain(|(play, _)| robots.contains(&RobotLetter(play.robot)));
        }
        limits.cancel.get_or_insert_with(|| call.cancel_token());
        if puzzle.rules().must_ricochet {
            let whose: Option<Vec<Robot>> =
                robots.map(|robots| robots.iter().map(|letter| letter.0).collect());
            let mut solver = call.default_solver()?;
            let evaluation = call.observe(solver.guarantee(), |observer| {
                evaluate_line(
                    puzzle,
                    played,
                    whose.as_deref(),
                    solver.as_mut(),
                    &limits,
                    observer,
                )
            });
            let evaluation = evaluation.map_err(|it| Error::bad_request(it.to_string()))?;
            verify(puzzle, played, &evaluation)?;
            let answer = Self::of(start.end(), &evaluation, &legal);
            call.report(&answer.progress());
            return Ok(answer);
        }
        let mut given = call.take_evaluator();
        let mut own = Evaluator::new();
        let evaluator = given.as_deref_mut().unwrap_or(&mut own);
        let whose: Vec<Robot> = match robots {
            Some(robots) => robots.iter().map(|letter| letter.0).collect(),
            None => here.start().robots().collect(),
        };
        evaluator.set_threads(call.policy().threads as usize);
        let evaluation = evaluator.evaluate_moves_of(&whose, &here, &limits, &mut |so_far| {
            call.report(&Self::of(here.start(), so_far, &legal).progress());
        });
        call.restore_evaluator(given);
        verify(&here, &[], &evaluation)?;
        Ok(Self::of(here.start(), &evaluation, &legal))
    }

    fn progress(&self) -> Progress {
        Progress {
            lower_bound: self.lower_bound,
            nodes: self.nodes,
            ms: self.ms,
            position: Some(Box::new(self.clone())),
            ..Progress::default()
        }
    }
}

/// Replays the solution of an evaluation after the moves already played.
fn verify(puzzle: &Puzzle, played: &[Move], evaluation: &Evaluation) -> Result<(), Error> {
    let Some(solution) = &evaluation.solution else {
        return Ok(());
    };
    let whole = Solution::new([played, solution.moves()].concat());
    match whole.replay(puzzle) {
        Ok(_) => Ok(()),
        Err(error) => Err(Error::new(
            ErrorKind::Internal,
            format!("the evaluation is wrong: {error}"),
        )),
    }
}

/// The legal moves at a puzzle's start, replayed.
fn legal_moves(puzzle: &Puzzle) -> Vec<(Move, Step)> {
    let robots = puzzle.start().robots();
    robots
        .flat_map(|robot| Direction::ALL.map(|direction| Move { robot, direction }))
        .filter_map(|play| {
            let mut trace = Trace::play(puzzle, &[play]).ok()?;
            trace.steps.pop().map(|step| (play, step))
        })
        .collect()
}

impl Question for Position {
    type Answer = PositionAnswer;

    fn puzzle_mut(&mut self) -> Option<&mut PuzzleInput> {
        Some(&mut self.puzzle)
    }

    fn limits_mut(&mut self) -> Option<&mut RequestLimits> {
        Some(&mut self.limits)
    }

    fn is_complete(answer: &PositionAnswer) -> bool {
        let known = |outcome: PositionOutcome| outcome != PositionOutcome::Limit;
        known(answer.outcome) && answer.moves.iter().all(|it| known(it.outcome))
    }

    fn answer(&self, call: &mut Call<'_>) -> Result<PositionAnswer, Error> {
        let puzzle = call.puzzle(&self.puzzle)?;
        if self.moves.0.len() > 1_000 {
            return Err(Error::new(ErrorKind::TooLarge, "more than 1000 moves"));
        }
        let limits = call.policy().limits(&self.limits);
        let robots = self.robots.as_deref();
        PositionAnswer::of_moves(call, &puzzle, &self.moves.0, robots, limits)
    }
}
