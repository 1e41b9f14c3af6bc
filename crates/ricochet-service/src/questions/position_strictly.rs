//! `position` where the robot that arrives must have turned: a search for each position, since the way
//! to it counts.

use ricochet_core::{Goal, Move, Puzzle, Rules, State, Step, Trace};
use ricochet_solve::all::{Preference, all_of_length};
use ricochet_solve::{Limit, Limits, Outcome, Solver};

use crate::call::Call;
use crate::error::Error;
use crate::policy::Budget;
use crate::questions::position::{PositionAnswer, PositionMove, PositionOutcome};
use crate::questions::solve::micros;
use crate::trace::{StoppedBy, places};
use crate::words::{Play, Plays, place};

/// So many shortest solutions are tried against the rule that the arriving robot has to turn.
const MAX_TRIED: usize = 10_000;

/// What is known about one position.
#[derive(Clone, Debug)]
struct Known {
    outcome: PositionOutcome,
    distance: Option<u32>,
    lower_bound: Option<u32>,
    /// The moves from there.
    solution: Option<Vec<Move>>,
}

impl Known {
    fn solved(solution: Vec<Move>) -> Self {
        Self {
            outcome: PositionOutcome::Solved,
            distance: Some(solution.len() as u32),
            lower_bound: Some(solution.len() as u32),
            solution: Some(solution),
        }
    }

    const UNSOLVABLE: Self = Self {
        outcome: PositionOutcome::Unsolvable,
        distance: None,
        lower_bound: None,
        solution: None,
    };

    fn unknown(lower_bound: u32) -> Self {
        Self {
            outcome: PositionOutcome::Limit,
            distance: None,
            lower_bound: Some(lower_bound),
            solution: None,
        }
    }

    /// The same with a bound that somebody else proved.
    fn at_least(mut self, bound: u32) -> Self {
        if self.outcome == PositionOutcome::Limit {
            self.lower_bound = Some(self.lower_bound.unwrap_or(0).max(bound));
        }
        self
    }
}

/// Asks a solver about positions of one puzzle.
struct Searcher<'p, 'q, 'a> {
    call: &'q mut Call<'a>,
    solver: Box<dyn Solver>,
    puzzle: &'p Puzzle,
    budget: Budget,
    /// The first limit that was met.
    limit: Option<Limit>,
}

impl Searcher<'_, '_, '_> {
    /// What is known about the position after moves from the puzzle's start.
    fn look(&mut self, moves: &[Move], limits: &Limits) -> Result<Known, Error> {
        let trace = Trace::play(self.puzzle, moves).map_err(|it| Error::bad(it.to_string()))?;
        if trace.solved {
            return Ok(Known::solved(Vec::new()));
        }
        if self.way_does_not_matter(&trace) {
            // A search from the position knows all that there is to know.
            return self.search(trace.end(), true, limits);
        }
        self.look_strictly(moves, trace.end(), limits)
    }

    /// Whether what was played is of no use to a robot that may arrive: it has not moved, or it went
    /// along one axis only and the target does not lie across that axis. To arrive with one turn in
    /// all, it would have to go straight to the target across the axis from here on, which a robot
    /// cannot do that stands in another row or column, unless a diagonal turns it.
    fn way_does_not_matter(&self, trace: &Trace) -> bool {
        let goal = self.puzzle.goal();
        trace.end().iter().all(|(robot, cell)| {
            if goal.robot.is_some_and(|wanted| wanted != robot) {
                return true;
            }
            let steps = trace.steps.iter().filter(|step| step.play.robot == robot);
            let headings = steps.flat_map(|step| step.path.iter().map(|&(_, heading)| heading));
            let [mut across, mut along] = [false; 2];
            for heading in headings {
                if heading.is_horizontal() {
                    across = true;
                } else {
                    along = true;
                }
            }
            let no_diagonals = self.puzzle.board().diagonals().is_empty();
            match (across, along) {
                (false, false) => true,
                (true, false) => no_diagonals && cell.x != goal.cell.x,
                (false, true) => no_diagonals && cell.y != goal.cell.y,
                (true, true) => false,
            }
        })
    }

    fn search(&mut self, state: State, strict: bool, limits: &Limits) -> Result<Known, Error> {
        let puzzle = self.at(state, strict)?;
        let (outcome, stats) = self.call.solve(self.solver.as_mut(), &puzzle, limits)?;
        self.budget.spend(stats.nodes);
        if let Outcome::LimitReached { limit, .. } = &outcome {
            self.limit.get_or_insert(*limit);
        }
        Ok(match outcome {
            Outcome::Solved {
                solution,
                optimal: true,
                ..
            } => Known::solved(solution.moves().to_vec()),
            Outcome::Unsolvable => Known::UNSOLVABLE,
            Outcome::Solved { lower_bound, .. }
            | Outcome::LimitReached { lower_bound, .. }
            | Outcome::Failed { lower_bound, .. } => Known::unknown(lower_bound),
        })
    }

    fn at(&self, state: State, must_ricochet: bool) -> Result<Puzzle, Error> {
        let goal: Goal = self.puzzle.goal();
        let puzzle = self.puzzle.with_position(state.cells(), goal)?;
        Ok(puzzle.with_rules(Rules { must_ricochet }))
    }

    /// Where the robot that arrives must have turned, the way to a position counts. A search from
    /// the position does not know it: without the rule it gives a lower bound, with the rule an
    /// upper one, and a solution without the rule may keep it together with the way before.
    fn look_strictly(
        &mut self,
        moves: &[Move],
        state: State,
        limits: &Limits,
    ) -> Result<Known, Error> {
        let free = self.search(state, false, limits)?;
        let Some(length) = free.distance else {
            return Ok(free);
        };
        let keeps = |rest: &[Move]| {
            let whole = [moves, rest].concat();
            Trace::play(self.puzzle, &whole).is_ok_and(|trace| trace.solved)
        };
        if let Some(solution) = free.solution.as_deref().filter(|rest| keeps(rest)) {
            return Ok(Known::solved(solution.to_vec()));
        }
        let mut bound = length;
        if let Ok(Some(all)) = all_of_length(&self.at(state, false)?, length, limits)
            && let Ok(solutions) = all.solutions(Preference::Nothing)
        {
            let mut seen = 0;
            for solution in solutions.take(MAX_TRIED).flatten() {
                if keeps(solution.moves()) {
                    return Ok(Known::solved(solution.moves().to_vec()));
                }
                seen += 1;
            }
            // None of them keeps the rule: at least one move more.
            bound += u32::from(seen == all.count());
        }
        let strict = self.search(state, true, limits)?;
        Ok(match strict.distance {
            Some(distance) if distance <= bound => strict,
            _ => Known::unknown(bound),
        })
    }
}

/// Searches the position after `played` moves, and those after legal ones, which may be `all`.
pub(super) fn answer(
    call: &mut Call<'_>,
    puzzle: &Puzzle,
    played: &[Move],
    legal: Vec<(Move, Step)>,
    all: bool,
    mut limits: Limits,
) -> Result<PositionAnswer, Error> {
    let start = Trace::play(puzzle, played).map_err(|it| Error::bad(it.to_string()))?;
    // A move limit is for the position itself; after a move one less is left.
    let most = limits.moves.take();
    let budget = call.budget_from(limits);
    let solver = call.default_solver()?;
    let mut searcher = Searcher {
        call,
        solver,
        puzzle,
        budget,
        limit: None,
    };
    let within = |limits: Limits, less: u32| Limits {
        moves: most.map(|most| most.saturating_sub(less)),
        ..limits
    };
    // Half of the time for the position itself: without its distance no move is the best.
    let root = searcher.look(played, &within(searcher.budget.share(2), 0))?;
    let mut moves: Vec<(PositionMove, Option<Vec<Move>>)> = Vec::new();
    let steps = legal.len();
    for (done, (play, step)) in legal.into_iter().enumerate() {
        let share = within(searcher.budget.share((steps - done) as u32), 1);
        let first = root.solution.as_ref().and_then(|solution| solution.first());
        let known = if root.outcome == PositionOutcome::Unsolvable {
            Known::UNSOLVABLE
        } else if first == Some(&play) {
            let rest = root.solution.iter().flatten().skip(1).copied().collect();
            Known::solved(rest)
        } else if searcher.budget.is_cancelled() {
            Known::unknown(0)
        } else {
            let whole = [played, &[play]].concat();
            searcher.look(&whole, &share)?
        };
        // One move cannot bring the goal nearer than by one.
        let known = known.at_least(root.lower_bound.unwrap_or(0).saturating_sub(1));
        let entry = PositionMove {
            play: Play(play),
            to: place(step.to),
            stopped_by: StoppedBy::of(&step),
            outcome: known.outcome,
            distance: known.distance,
            lower_bound: known.lower_bound,
            best: false,
        };
        moves.push((entry, known.solution));
    }
    Ok(assemble(&root, moves, all, start.end(), &searcher))
}

/// Draws the conclusions that the moves allow about the position, if they are all, and the other way
/// round.
fn assemble(
    root: &Known,
    mut moves: Vec<(PositionMove, Option<Vec<Move>>)>,
    all: bool,
    state: State,
    searcher: &Searcher<'_, '_, '_>,
) -> PositionAnswer {
    let mut root = root.clone();
    if all && root.outcome == PositionOutcome::Limit {
        // No way is shorter than the shortest after a move, and one more.
        let bounds = moves.iter().filter_map(|(it, _)| it.lower_bound);
        match bounds.min() {
            None => root = Known::UNSOLVABLE,
            Some(least) => {
                root = root.at_least(least + 1);
                let known = |it: &&(PositionMove, Option<Vec<Move>>)| it.0.distance == Some(least);
                if let Some((entry, Some(rest))) = moves.iter().find(known)
                    && root.lower_bound == Some(least + 1)
                {
                    root = Known::solved([&[entry.play.0], rest.as_slice()].concat());
                }
            }
        }
    }
    for (entry, _) in &mut moves {
        entry.best = match (root.distance, entry.distance) {
            (Some(here), Some(there)) => there + 1 == here,
            _ => false,
        };
    }
    let mut moves: Vec<PositionMove> = moves.into_iter().map(|(entry, _)| entry).collect();
    moves.sort_by_key(|entry| match entry.outcome {
        PositionOutcome::Solved => (0, entry.distance),
        PositionOutcome::Limit => (1, entry.lower_bound),
        PositionOutcome::Unsolvable => (2, None),
    });
    let is_open = |entry: &PositionMove| entry.outcome == PositionOutcome::Limit;
    let all_known = root.outcome != PositionOutcome::Limit && !moves.iter().any(is_open);
    let limit = searcher.limit.filter(|_| !all_known);
    PositionAnswer {
        outcome: root.outcome,
        distance: root.distance,
        lower_bound: root.lower_bound,
        robots: places(state),
        solution: root.solution.map(Plays),
        moves,
        limit: limit.map(|limit| limit.to_string()),
        nodes: searcher.budget.nodes(),
        ms: searcher.budget.elapsed().as_millis() as u64,
        micros: micros(searcher.budget.elapsed()),
    }
}
