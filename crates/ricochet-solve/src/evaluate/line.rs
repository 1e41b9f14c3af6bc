//! Evaluation under `must_ricochet`, where the moves that led to a position count.

use ricochet_core::{Move, Puzzle, ReplayError, Robot, Rules, State, Trace};

use super::{Distance, Evaluation, MoveEvaluation, PositionValue, after_a_move, legal_moves};
use crate::flagship::{SearchEnd, search_with_past};
use crate::state_space::Game;
use crate::{Budget, Limit, Limits, Observer, Outcome, Solver, Stats};

/// Evaluates the position after `played` and every legal move of `robots` (all of them if `None`)
/// under `must_ricochet`, with one search per position.
///
/// The limits hold for all searches together; a move limit is for the position itself. If some
/// robots are left out, their moves are not used to draw conclusions about the position.
///
/// ```
/// use ricochet_core::{Solution, notation};
/// use ricochet_solve::evaluate::evaluate_line;
/// use ricochet_solve::flagship::Flagship;
/// use ricochet_solve::{Limits, NullObserver};
/// // Red has to turn before it stops in the corner to its right, and has already gone down.
/// let puzzle = notation::parse_line("4x3..00.R30.m")?.validate()?;
/// let played: Solution = "RS".parse()?;
/// let mut solver = Flagship::new();
/// let limits = Limits::default();
/// let evaluation =
///     evaluate_line(&puzzle, played.moves(), None, &mut solver, &limits, &mut NullObserver)?;
/// assert_eq!(evaluation.distance.exactly(), Some(2), "RE RN");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the moves cannot be played.
pub fn evaluate_line(
    puzzle: &Puzzle,
    played: &[Move],
    robots: Option<&[Robot]>,
    solver: &mut dyn Solver,
    limits: &Limits,
    watch: &mut dyn Observer,
) -> Result<Evaluation, ReplayError> {
    let start = Trace::play(puzzle, played)?;
    let mut run = LineRun {
        puzzle,
        solver,
        watch,
        budget: Budget::start(limits),
        limit: None,
    };
    // Half of the time is for the position itself: without its distance no move is the best.
    let here = run.value(played, &start, &run.budget.share(2));
    let mut plays: Vec<(Move, State)> = legal_moves(puzzle, start.end()).collect();
    if let Some(robots) = robots {
        plays.retain(|(play, _)| robots.contains(&play.robot));
    }
    let mut after: Vec<PositionValue> = Vec::new();
    for (done, &(play, _)) in plays.iter().enumerate() {
        let share = after_a_move(run.budget.share((plays.len() - done) as u32));
        let first = here.solution.as_deref().and_then(<[_]>::split_first);
        let mut value = match first {
            _ if here.distance == Distance::Unreachable => PositionValue::UNREACHABLE,
            Some((&best, rest)) if best == play => PositionValue::solved(rest.to_vec()),
            _ if run.budget.is_cancelled() => PositionValue::UNKNOWN,
            _ => {
                let whole = [played, &[play]].concat();
                run.value(&whole, &Trace::play(puzzle, &whole)?, &share)
            }
        };
        // One move cannot bring the goal nearer than by one.
        let bound = here.distance.lower_bound().unwrap_or(0);
        value.distance = value.distance.at_least(bound.saturating_sub(1));
        after.push(value);
    }
    let here = if robots.is_none() {
        conclude(here, &plays, &after)
    } else {
        here
    };
    Ok(run.evaluation(here, plays, after))
}

/// The value of a position after those of all positions one move further are known: no path is
/// shorter than the shortest after a move, plus one.
fn conclude(
    mut here: PositionValue,
    plays: &[(Move, State)],
    after: &[PositionValue],
) -> PositionValue {
    if !here.distance.is_open() {
        return here;
    }
    let bounds = after
        .iter()
        .filter_map(|value| value.distance.lower_bound());
    let Some(least) = bounds.min() else {
        return PositionValue::UNREACHABLE;
    };
    here.distance = here.distance.at_least(least + 1);
    let nearest = (after.iter().zip(plays))
        .find(|(value, _)| value.distance == Distance::Exactly(least))
        .and_then(|(value, (play, _))| Some((*play, value.solution.as_deref()?)));
    match nearest {
        Some((play, rest)) if here.distance == Distance::AtLeast(least + 1) => {
            PositionValue::solved([&[play], rest].concat())
        }
        _ => here,
    }
}

/// One evaluation with its searches.
struct LineRun<'a> {
    puzzle: &'a Puzzle,
    solver: &'a mut dyn Solver,
    watch: &'a mut dyn Observer,
    budget: Budget,
    /// The first limit that ended a search.
    limit: Option<Limit>,
}

impl LineRun<'_> {
    /// The value of the position after moves from the puzzle's start.
    ///
    /// A search without the rule is cheaper and knows nothing of these moves. Its solution is a
    /// shortest one if it obeys the rule together with them; otherwise its length is a lower bound,
    /// and a second search begins with the axes along which the robots have gone.
    fn value(&mut self, moves: &[Move], trace: &Trace, limits: &Limits) -> PositionValue {
        if trace.solved {
            return PositionValue::solved(Vec::new());
        }
        if trace.straight_arrival.is_some() {
            return PositionValue::UNREACHABLE;
        }
        let mut budget = Budget::start(limits);
        let free = self.search_without_rule(trace.end(), limits, &mut budget);
        let obeys_rule = |rest: &[Move]| {
            let whole = [moves, rest].concat();
            Trace::play(self.puzzle, &whole).is_ok_and(|trace| trace.solved)
        };
        match &free.solution {
            Some(rest) if !obeys_rule(rest) => {}
            _ => return free,
        }
        let bound = free.distance.lower_bound().unwrap_or(0);
        let mut exact = self.search_with_rule(moves, trace.end(), &budget.left());
        if let Some(rest) = &exact.solution {
            assert!(obeys_rule(rest), "every solution replays");
        }
        exact.distance = exact.distance.at_least(bound);
        exact
    }

    fn search_without_rule(
        &mut self,
        state: State,
        limits: &Limits,
        budget: &mut Budget,
    ) -> PositionValue {
        let puzzle = self.position(state, false);
        let (outcome, stats) = self.solver.solve(&puzzle, limits, self.watch);
        self.budget.charge(stats.nodes);
        budget.charge(stats.nodes);
        if let Outcome::LimitReached { limit, .. } = outcome {
            self.limit.get_or_insert(limit);
        }
        PositionValue::from_outcome(outcome)
    }

    fn search_with_rule(&mut self, moves: &[Move], state: State, limits: &Limits) -> PositionValue {
        let game = Game::new(self.puzzle);
        let played = moves.iter().try_fold(game.start(), |state, play| {
            game.step(state, play.robot, play.direction)
        });
        let axes = played.expect("the moves were replayed").axes;
        // The memory limit is for this search alone.
        self.solver.release();
        let mut stats = Stats::default();
        let position = self.position(state, true);
        let end = search_with_past(&position, axes, limits, self.watch, &mut stats);
        self.budget.charge(stats.nodes);
        match end {
            SearchEnd::Solved(mut solutions) => {
                let (_, solution) = solutions.pop().expect("a solution");
                PositionValue::solved(solution.moves().to_vec())
            }
            SearchEnd::Unsolvable => PositionValue::UNREACHABLE,
            SearchEnd::Limit { limit, lower_bound } => {
                self.limit.get_or_insert(limit);
                PositionValue::at_least(lower_bound)
            }
        }
    }

    fn position(&self, state: State, must_ricochet: bool) -> Puzzle {
        self.puzzle
            .with_position(state.cells(), self.puzzle.goal())
            .expect("moves lead to valid positions")
            .with_rules(Rules { must_ricochet })
    }

    fn evaluation(
        &self,
        here: PositionValue,
        plays: Vec<(Move, State)>,
        after: Vec<PositionValue>,
    ) -> Evaluation {
        let all_known = !here.distance.is_open() && !after.iter().any(|it| it.distance.is_open());
        Evaluation {
            distance: here.distance,
            moves: MoveEvaluation::sorted(plays.into_iter().zip(after), here.distance),
            solution: here.solution.map(Into::into),
            limit: self.limit.filter(|_| !all_known),
            stats: Stats {
                nodes: self.budget.nodes(),
                time: self.budget.elapsed(),
                ..Stats::default()
            },
        }
    }
}
