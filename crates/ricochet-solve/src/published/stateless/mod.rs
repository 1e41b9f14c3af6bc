//! Final and intermediate states per field instead of game states (thesis, 'Stateless').
//!
//! 'The stateless algorithm is an attempt to solve the game without keeping track of each game
//! state.' A robot that lands on a field leaves a *final state* there, one that moves over it an
//! *intermediate state*; there is 'one final state for each robot, and only one intermediate state
//! for each combination of direction and color'. Final states wait in a min-heap by their number of
//! moves; the one on top moves in all four directions, field by field, `a` being the field ahead:
//!
//! 1. A wall is ahead: a final state.
//! 2. Otherwise, and the walk goes on in each case:
//!    - a. No other robot has a final state on `a`: an intermediate state.
//!    - b. One has: a final state that depends on the lowest of these, 'the move counts are
//!      aggregated'.
//!    - c. A robot starts on `a`: as b, and one move is added for all fields from `a` on, for the
//!      robot that has to make way.
//!
//! A new final state converts the intermediate states beside it that are headed for it into final
//! states that depend on it. The work depends on the size of the board and the number of robots,
//! not on the length of the solution: each robot is moved at most once from each field.
//!
//! # What the thesis leaves open (`published=on`)
//! - *When a field has a final state of the robot already, the lower one stays.* A state that is
//!   lowered before it was moved takes its new place in the heap. (Keeping the first one finds the
//!   optimum in 74.5% instead of 79.9% of 1,600 configurations; the thesis has 81.13%.)
//! - *Aggregating is adding:* moves of the robot, plus moves of the state depended on, plus 1, plus 1
//!   for each start passed. What two dependencies share is counted twice. Counting it once, or not
//!   charging a robot that moves anyway for making way, gives 83% to 86%, with more claims below
//!   the optimum.
//! - *'Lowest final state in S\[a\]'*: of the other robots; a robot's start counts 0.
//! - *Converted intermediate states are removed*, as the text says, also when the final state is
//!   not lower than the one that is there.
//! - The thesis compares the *claimed* number of moves with the optimum; it never plays the moves.
//!   'In few cases, the stateless algorithm returns a lower solution than actually possible.'
//!
//! The claim of a puzzle is [`Stateless::claim`]. Solving with `published=on` rebuilds the moves
//! behind it, with the freedom described below; the answer is [`Failure::NotReplayable`] with the
//! claim if that cannot be done in as many moves. The rebuilt solution may be shorter than the claim
//! where the claim counts shared moves twice.
//!
//! # Never an invalid solution (the default)
//! The thesis wishes for an algorithm that 'will always guarantee an upper limit'. Ours is the same
//! algorithm with one more condition: *a final state counts only if a sequence of moves was played
//! that leads to it.* Each final state carries that sequence and the positions of all robots at its
//! end. For a move without dependency, it is played after the sequence of the state that it starts
//! from. With a dependency there are two sequences, and they are played one after the other, in
//! either order, without repeating what they have in common: at most four attempts. Robots that are
//! in the way are moved aside just before the last move, at most two, in any direction. In case b
//! the dependency is the lowest one that can be played. Intermediate states are kept when they are
//! converted, since the conversion may fail. The heap is ordered by the real lengths, and the search
//! ends when no shorter solution can come.
//!
//! The number of states stays bounded by robots times fields, and the attempts by a constant for
//! each field of a walk; an attempt costs the length of its sequence. On the same 1,600
//! configurations it finds the optimum in more than 90%; `records/` has the figures.
//!
//! # What it supports
//! Any number of robots, any-robot goals, every size, and diagonals (an intermediate state belongs
//! to the heading in which the field is left). `must_ricochet`: by default, where an arrival without
//! a turn leaves a final state but is not an answer; the published form does not know the rule.
//!
//! A *node* is a final state that was moved.

mod claims;
mod plan;
mod search;
pub(super) mod walk;

use ricochet_core::{Move, Puzzle, Solution};

use crate::heuristics::bound::Bound;
use crate::memory::meter::MemoryMeter;
use crate::registry::{Options, Parameter, SolverInfo};
use crate::state_space::replayed;
use crate::trace::Watch;
use crate::{
    Failure, Guarantee, Limit, Limits, NullObserver, Observer, Outcome, Solver, Stats, Unsupported,
};
use claims::Claims;
use plan::Planner;
use search::StatelessSearch;

/// Its line in the registry.
pub const INFO: SolverInfo = SolverInfo {
    name: "stateless",
    guarantee: Guarantee::Any,
    source: "Ricochet Robots thesis, 'Stateless'",
    summary: "final and intermediate states per field; time independent of the number of moves",
    parameters: &[Parameter {
        key: "published",
        default: "off",
        help: "on|off: as published, where the claimed number of moves may be impossible",
    }],
    build: |options: &Options| {
        let published = options.switch("published", false)?;
        Ok(Box::new(Stateless::new().published(published)))
    },
};

/// The thesis's stateless algorithm.
///
/// ```
/// use ricochet_core::{Board, Cell, Goal, Puzzle, Robot};
/// use ricochet_solve::{Limits, NullObserver, Solver, published::stateless::Stateless};
/// let board = Board::builder(8, 8).build().unwrap();
/// let goal = Goal { robot: Some(Robot::RED), cell: Cell::new(6, 0) };
/// let puzzle = Puzzle::new(board, &[Cell::new(0, 0), Cell::new(7, 7)], goal).unwrap();
/// let (outcome, _) = Stateless::new().solve(&puzzle, &Limits::default(), &mut NullObserver);
/// assert_eq!(outcome.solution().unwrap().to_string(), "GN RE");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Stateless {
    published: bool,
}

impl Stateless {
    /// The form whose solutions can always be played.
    pub fn new() -> Self {
        Self { published: false }
    }

    /// Whether it takes the form of the thesis, whose claims cannot always be played.
    #[must_use]
    pub fn published(mut self, published: bool) -> Self {
        self.published = published;
        self
    }

    /// The number of moves that the published algorithm claims, possible or not; `None` if it finds
    /// no way. It knows nothing of `must_ricochet`.
    ///
    /// ```
    /// use ricochet_core::{Board, Cell, Goal, Puzzle, Robot};
    /// use ricochet_solve::published::stateless::Stateless;
    /// let board = Board::builder(8, 8).build().unwrap();
    /// let goal = Goal { robot: Some(Robot::RED), cell: Cell::new(6, 0) };
    /// let puzzle = Puzzle::new(board, &[Cell::new(0, 0), Cell::new(7, 7)], goal).unwrap();
    /// assert_eq!(Stateless::claim(&puzzle), Some(2));
    /// ```
    pub fn claim(puzzle: &Puzzle) -> Option<u32> {
        let mut meter = MemoryMeter::start(&Limits::default());
        let mut nobody = NullObserver;
        let watch = &mut Watch::new(&mut nobody);
        let claims = Claims::run(puzzle, &mut meter, &mut Stats::default(), watch);
        let best = claims.ok()?.best();
        best.map(|(moves, _)| moves)
    }
}

impl Solver for Stateless {
    fn name(&self) -> &'static str {
        "stateless"
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Any
    }

    fn supports(&self, puzzle: &Puzzle) -> Result<(), Unsupported> {
        if self.published && puzzle.rules().must_ricochet {
            return Err(Unsupported {
                what: "must_ricochet in the published form",
            });
        }
        Ok(())
    }

    fn solve(
        &mut self,
        puzzle: &Puzzle,
        limits: &Limits,
        watch: &mut dyn Observer,
    ) -> (Outcome, Stats) {
        let mut meter = MemoryMeter::start(limits);
        let mut stats = Stats::default();
        let watch = &mut Watch::new(watch);
        let outcome = self.outcome(puzzle, limits, &mut meter, &mut stats, watch);
        (outcome, meter.finish(stats))
    }
}

impl Stateless {
    fn outcome(
        self,
        puzzle: &Puzzle,
        limits: &Limits,
        meter: &mut MemoryMeter,
        stats: &mut Stats,
        watch: &mut Watch<'_>,
    ) -> Outcome {
        if let Err(unsupported) = self.supports(puzzle) {
            return Outcome::Failed {
                failure: Failure::Unsupported(unsupported),
                lower_bound: 0,
            };
        }
        if puzzle.is_solved(puzzle.start()) {
            watch.trace(|recorder| recorder.solution(None, &[]));
            return solved(puzzle, &Solution::default(), 0);
        }
        let Some(bound) = Bound::new(puzzle).of_state(puzzle.start()) else {
            return Outcome::Unsolvable;
        };
        // Not solved yet, and a turn takes two moves unless a diagonal makes it.
        let lower_bound = bound.max(1);
        let result = match meter.check() {
            Err(limit) => Err(limit),
            Ok(()) if limits.moves.is_some_and(|most| most < lower_bound) => Err(Limit::Moves),
            Ok(()) if self.published => publish(puzzle, limits, meter, stats, watch),
            Ok(()) => StatelessSearch::new(puzzle, limits.moves, meter)
                .and_then(|mut search| search.run(meter, stats, watch))
                .map(|answer| answer.ok_or(Failure::SearchSpaceExhausted)),
        };
        match result {
            Ok(Ok(solution)) => solved(puzzle, &solution, lower_bound),
            Ok(Err(Failure::SearchSpaceExhausted)) if limits.moves.is_some() => {
                Outcome::LimitReached {
                    limit: Limit::Moves,
                    lower_bound,
                }
            }
            Ok(Err(failure)) => Outcome::Failed {
                failure,
                lower_bound,
            },
            Err(limit) => Outcome::LimitReached { limit, lower_bound },
        }
    }
}

/// The moves of a solution that this solver finds within the limits: an upper bound for other
/// solvers (thesis, 'Future Work').
pub(super) fn upper_bound(puzzle: &Puzzle, limits: &Limits) -> Option<Vec<Move>> {
    let limits = Limits {
        moves: None,
        ..limits.clone()
    };
    let (outcome, _) = Stateless::new().solve(puzzle, &limits, &mut NullObserver);
    outcome.solution().map(|solution| solution.moves().to_vec())
}

/// The published algorithm, and its claim played.
fn publish(
    puzzle: &Puzzle,
    limits: &Limits,
    meter: &mut MemoryMeter,
    stats: &mut Stats,
    watch: &mut Watch<'_>,
) -> Result<Result<Solution, Failure>, Limit> {
    let claims = Claims::run(puzzle, meter, stats, watch)?;
    let Some((claimed, number)) = claims.best() else {
        return Ok(Err(Failure::SearchSpaceExhausted));
    };
    stats.claimed = Some(claimed);
    if limits.moves.is_some_and(|most| most < claimed) {
        return Err(Limit::Moves);
    }
    let mut planner = Planner::new(puzzle);
    let solution = claims
        .rebuild(number, &mut planner)
        .map(|plan| Solution::new(planner.moves(plan).to_vec()))
        .filter(|solution| solution.len() <= claimed as usize);
    if let Some(solution) = &solution {
        let id = claims.id(number);
        watch.trace(|recorder| recorder.solution(Some(id), solution.moves()));
    }
    Ok(solution.ok_or(Failure::NotReplayable { claimed }))
}

fn solved(puzzle: &Puzzle, solution: &Solution, lower_bound: u32) -> Outcome {
    let solution = replayed(puzzle, solution.moves().to_vec());
    Outcome::Solved {
        optimal: solution.len() as u32 == lower_bound,
        solution,
        lower_bound,
    }
}
