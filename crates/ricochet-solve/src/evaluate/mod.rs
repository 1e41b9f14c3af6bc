//! How far a position is from its goal, and how far it is after every legal move.
//!
//! One search from all positions after a move at once finds those that are nearest to the goal; the
//! others are at least one move further away. Some are exactly that far, because a solution that is
//! known by now can be played from them too, or because one move leads to a position that is known. The
//! rest is searched again, until nothing is left. `docs/design/flagship.md` has the proofs.
//!
//! ```
//! use ricochet_core::notation;
//! use ricochet_solve::Limits;
//! use ricochet_solve::evaluate::Evaluator;
//! let puzzle = notation::parse_line("4x3..0012.R31")?.validate()?;
//! let evaluation = Evaluator::new().evaluate(&puzzle, &Limits::default(), &mut |_| ());
//! assert_eq!(evaluation.distance.exactly(), Some(3));
//! let best = &evaluation.moves[0];
//! assert_eq!((best.play.to_string().as_str(), best.distance.exactly()), ("RE", Some(2)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod line;
mod run;

use ricochet_core::{Direction, Goal, Move, Puzzle, Robot, Solution, State};
use rustc_hash::FxHashMap;

use crate::flagship::Flagship;
use crate::{Limit, Limits, Outcome, Solver, Stats};
use run::EvaluationRun;

pub use line::evaluate_line;

/// What is known about the number of moves from a position to the goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Distance {
    /// The fewest moves.
    Exactly(u32),
    /// No fewer are enough; a limit came before more was known.
    AtLeast(u32),
    /// It is proved that the goal cannot be reached.
    Unreachable,
}

impl Distance {
    /// The fewest moves, if they are known.
    pub fn exactly(self) -> Option<u32> {
        match self {
            Self::Exactly(moves) => Some(moves),
            Self::AtLeast(_) | Self::Unreachable => None,
        }
    }

    /// No fewer moves are enough; `None` if none are.
    pub fn lower_bound(self) -> Option<u32> {
        match self {
            Self::Exactly(moves) | Self::AtLeast(moves) => Some(moves),
            Self::Unreachable => None,
        }
    }

    fn is_open(self) -> bool {
        matches!(self, Self::AtLeast(_))
    }

    /// The same with a bound that was proved elsewhere.
    fn at_least(self, bound: u32) -> Self {
        match self {
            Self::AtLeast(moves) => Self::AtLeast(moves.max(bound)),
            known => known,
        }
    }

    /// Best first: by moves, then unknown ones, then hopeless ones.
    fn order(self) -> (u8, u32) {
        match self {
            Self::Exactly(moves) => (0, moves),
            Self::AtLeast(moves) => (1, moves),
            Self::Unreachable => (2, 0),
        }
    }
}

/// A legal move, and what is known about the position after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveEvaluation {
    /// The move.
    pub play: Move,
    /// Where the robots are after it.
    pub state: State,
    /// What is known about the distance after it.
    pub distance: Distance,
    /// A shortest solution after it, if one is known.
    pub solution: Option<Solution>,
    /// Whether a shortest solution begins with it.
    pub best: bool,
}

impl MoveEvaluation {
    /// The evaluations of moves from a position, the best first.
    fn sorted(
        moves: impl Iterator<Item = ((Move, State), PositionValue)>,
        here: Distance,
    ) -> Vec<Self> {
        let evaluation = |((play, state), value): (_, PositionValue)| {
            let moves = value.distance.exactly();
            Self {
                play,
                state,
                distance: value.distance,
                solution: value.solution.map(Solution::new),
                best: moves.is_some_and(|moves| here.exactly() == Some(moves + 1)),
            }
        };
        let mut moves: Vec<Self> = moves.map(evaluation).collect();
        moves.sort_by_key(|it| it.distance.order());
        moves
    }
}

/// A position and what every legal move makes of it.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// What is known about the distance.
    pub distance: Distance,
    /// A shortest solution, if one is known.
    pub solution: Option<Solution>,
    /// Every legal move: the best first, those that are not known after those that are, hopeless ones
    /// last.
    pub moves: Vec<MoveEvaluation>,
    /// The limit that ended it before all was known.
    pub limit: Option<Limit>,
    /// What all searches together took.
    pub stats: Stats,
}

/// What is known about one position.
#[derive(Clone, Debug)]
struct PositionValue {
    distance: Distance,
    solution: Option<Vec<Move>>,
}

impl PositionValue {
    const UNKNOWN: Self = Self::at_least(0);

    const UNREACHABLE: Self = Self {
        distance: Distance::Unreachable,
        solution: None,
    };

    const fn at_least(bound: u32) -> Self {
        Self {
            distance: Distance::AtLeast(bound),
            solution: None,
        }
    }

    /// What a search from the position has found out.
    fn from_outcome(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Solved {
                solution,
                optimal: true,
                ..
            } => Self::solved(solution.moves().to_vec()),
            Outcome::Unsolvable => Self::UNREACHABLE,
            Outcome::Solved { lower_bound, .. }
            | Outcome::LimitReached { lower_bound, .. }
            | Outcome::Failed { lower_bound, .. } => Self::at_least(lower_bound),
        }
    }

    fn solved(solution: Vec<Move>) -> Self {
        Self {
            distance: Distance::Exactly(solution.len() as u32),
            solution: Some(solution),
        }
    }
}

/// Evaluates positions, and keeps what it has learned about those of the same board and goal.
///
/// ```
/// use ricochet_solve::Limits;
/// use ricochet_solve::evaluate::Evaluator;
/// let mut evaluator = Evaluator::new();
/// let puzzle = ricochet_core::notation::parse_line("4x3..0012.R31").unwrap().validate().unwrap();
/// let before = evaluator.evaluate(&puzzle, &Limits::default(), &mut |_| ());
/// // Playing on: the distance is known already.
/// let best = &before.moves[0];
/// let next = puzzle.with_position(best.state.cells(), puzzle.goal()).unwrap();
/// let after = evaluator.evaluate(&next, &Limits::default(), &mut |_| ());
/// assert_eq!(after.distance, best.distance);
/// ```
#[derive(Default)]
pub struct Evaluator {
    flagship: Flagship,
    /// What `known` is about.
    about: Option<(std::sync::Arc<ricochet_core::Board>, Goal)>,
    known: FxHashMap<State, PositionValue>,
}

/// The number of positions whose values are kept.
const MAX_KNOWN_POSITIONS: usize = 1 << 16;

impl Evaluator {
    /// One that knows nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets how many threads work on a large search: at least one, at most 256. The default is one.
    pub fn set_threads(&mut self, threads: usize) {
        self.flagship.set_threads(threads);
    }

    /// Evaluates a puzzle's position within limits for all searches together; a limit of moves is for
    /// the position itself. `watch` is called whenever more is known.
    ///
    /// The rule that the robot has to turn on its path (`must_ricochet`) is not looked at: the path to
    /// a position counts for it, which a position does not report.
    pub fn evaluate(
        &mut self,
        puzzle: &Puzzle,
        limits: &Limits,
        watch: &mut dyn FnMut(&Evaluation),
    ) -> Evaluation {
        let robots: Vec<Robot> = puzzle.start().robots().collect();
        self.evaluate_moves_of(&robots, puzzle, limits, watch)
    }

    /// Like [`Evaluator::evaluate`], but the moves of other robots get only the bounds that follow from
    /// these, so that several calls can share the work.
    pub fn evaluate_moves_of(
        &mut self,
        robots: &[Robot],
        puzzle: &Puzzle,
        limits: &Limits,
        watch: &mut dyn FnMut(&Evaluation),
    ) -> Evaluation {
        let about = (puzzle.board().clone(), puzzle.goal());
        if self.about.as_ref() != Some(&about) || self.known.len() > MAX_KNOWN_POSITIONS {
            self.known.clear();
            self.about = Some(about);
        }
        let mut run = EvaluationRun::new(puzzle, robots, limits, &self.known, watch);
        if Flagship::finds_nearest(puzzle) {
            run.search_together(&mut self.flagship);
        } else {
            run.search_one_by_one(&mut self.flagship);
        }
        let evaluation = run.evaluation();
        for (state, known) in run.learned() {
            self.known.insert(state, known);
        }
        evaluation
    }

    /// Frees the memory that is kept between calls.
    pub fn release(&mut self) {
        self.flagship.release();
        self.known = FxHashMap::default();
        self.about = None;
    }
}

/// The legal moves of a position, and the positions after them.
fn legal_moves(puzzle: &Puzzle, state: State) -> impl Iterator<Item = (Move, State)> {
    let robots = state.robots();
    robots
        .flat_map(|robot| Direction::ALL.map(|direction| Move { robot, direction }))
        .filter_map(move |play| Some((play, puzzle.apply(state, play.robot, play.direction)?)))
}

/// The limits of a position after a move: one move fewer.
fn after_a_move(limits: Limits) -> Limits {
    Limits {
        moves: limits.moves.map(|most| most.saturating_sub(1)),
        ..limits
    }
}
