//! `position`: the distance of a position, and of the one after every legal move.

use std::collections::HashMap;

use ricochet::{Direction, Goal, Move, Puzzle, Rules, State, Trace};
use ricochet_solve::all::{Prefer, all_of_length};
use ricochet_solve::{Limits, Outcome, Solver};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ask::{Ask, Progress};
use crate::door::{Purse, Spend};
use crate::error::{Error, ErrorKind};
use crate::request::Question;
use crate::trace::{StoppedBy, places};
use crate::words::{Place, Play, Plays, RobotLetter, place};

/// Asks how far a position is from the goal, and what every legal move makes of that.
///
/// ```
/// use ricochet_service::{Answer, Ask, Door, Request};
/// let request = Request::from_json(
///     r#"{"ask":"position","puzzle":"4x3..0012.R31","moves":["GE"]}"#,
/// ).unwrap();
/// let Answer::Position(here) = Ask::at(&Door::default()).answer(&request).unwrap()
/// else { panic!() };
/// assert_eq!((here.outcome, here.distance), (PositionOutcome::Solved, Some(2)));
/// assert!(here.moves[0].best && here.moves[0].distance == Some(1));
/// # use ricochet_service::questions::position::PositionOutcome;
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// The puzzle in any format.
    pub puzzle: String,
    /// Moves that were played from there.
    #[serde(default)]
    pub moves: Plays,
    /// Only the moves of these robots are looked at. Default: all. So several can share the work;
    /// what is said of the position itself then follows from its own search alone.
    #[serde(default)]
    pub robots: Option<Vec<RobotLetter>>,
    /// What all searches together may spend.
    #[serde(default)]
    pub limits: Spend,
}

/// What is known about a position.
///
/// ```
/// use ricochet_service::questions::position::PositionOutcome;
/// assert_eq!(serde_json::to_string(&PositionOutcome::Limit).unwrap(), "\"limit\"");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PositionOutcome {
    /// The distance is known.
    Solved,
    /// It is proved that the goal cannot be reached.
    Unsolvable,
    /// A limit came before the distance was known; `lower_bound` holds.
    Limit,
}

/// A position and what every legal move makes of it.
///
/// ```
/// use ricochet_service::{Answer, Ask, Door, Request};
/// let request = Request::from_json(r#"{"ask":"position","puzzle":"8x8..77.R77"}"#).unwrap();
/// let Answer::Position(here) = Ask::at(&Door::default()).answer(&request).unwrap()
/// else { panic!() };
/// assert_eq!(here.distance, Some(0), "it is there already");
/// assert!(here.moves.iter().all(|play| !play.best));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PositionAnswer {
    /// What is known.
    pub outcome: PositionOutcome,
    /// The fewest moves to the goal; null if unknown.
    pub distance: Option<u32>,
    /// No fewer moves are enough; null if the goal cannot be reached.
    pub lower_bound: Option<u32>,
    /// Where the robots are.
    pub robots: Vec<Place>,
    /// A shortest solution from here; null if none is known.
    pub solution: Option<Plays>,
    /// Every legal move, the best first; unknown ones after those that are known.
    pub moves: Vec<PositionMove>,
    /// Search nodes.
    pub nodes: u64,
    /// Milliseconds of all searches.
    pub ms: u64,
}

/// A legal move and what is known about the position after it.
///
/// ```
/// use ricochet_service::{Answer, Ask, Door, Request, StoppedBy};
/// let request = Request::from_json(r#"{"ask":"position","puzzle":"8x8..00.R70"}"#).unwrap();
/// let Answer::Position(here) = Ask::at(&Door::default()).answer(&request).unwrap()
/// else { panic!() };
/// let best = &here.moves[0];
/// assert_eq!((best.to, best.stopped_by, best.distance), ([7, 0], StoppedBy::Rim, Some(0)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PositionMove {
    /// The move.
    #[serde(rename = "move")]
    pub play: Play,
    /// Where it ends.
    pub to: Place,
    /// What stops it there.
    pub stopped_by: StoppedBy,
    /// What is known about the position after it.
    pub outcome: PositionOutcome,
    /// The fewest moves to the goal after it; null if unknown.
    pub distance: Option<u32>,
    /// No fewer moves are enough after it; null if the goal cannot be reached then.
    pub lower_bound: Option<u32>,
    /// Whether a shortest solution begins with it.
    pub best: bool,
}

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
    ask: &'q mut Ask<'a>,
    solver: Box<dyn Solver>,
    puzzle: &'p Puzzle,
    purse: Purse,
    /// Positions that were asked about before: the same one can be reached by two moves.
    seen: HashMap<State, Known>,
}

impl Searcher<'_, '_, '_> {
    /// What is known about the position after moves from the puzzle's start.
    fn look(&mut self, moves: &[Move], limits: &Limits) -> Result<Known, Error> {
        let trace = Trace::play(self.puzzle, moves).map_err(|it| Error::bad(it.to_string()))?;
        if trace.solved {
            return Ok(Known::solved(Vec::new()));
        }
        let strict = self.puzzle.rules().must_ricochet;
        if let Some(known) = self.seen.get(&trace.end()).filter(|_| !strict) {
            return Ok(known.clone());
        }
        let known = if strict {
            self.look_strictly(moves, trace.end(), limits)?
        } else {
            self.search(trace.end(), false, limits)?
        };
        self.seen.insert(trace.end(), known.clone());
        Ok(known)
    }

    fn search(&mut self, state: State, strict: bool, limits: &Limits) -> Result<Known, Error> {
        let puzzle = self.at(state, strict)?;
        let (outcome, stats) = self.ask.solve(self.solver.as_mut(), &puzzle, limits)?;
        self.purse.spend(stats.nodes);
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
            && let Ok(solutions) = all.solutions(Prefer::Nothing)
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

/// The legal moves of a position: each with its step.
fn legal_moves(puzzle: &Puzzle, played: &[Move]) -> Vec<(Move, ricochet::Step)> {
    let robots = puzzle.start().robots();
    robots
        .flat_map(|robot| Direction::ALL.map(|direction| Move { robot, direction }))
        .filter_map(|play| {
            let moves = [played, &[play]].concat();
            let mut trace = Trace::play(puzzle, &moves).ok()?;
            trace.steps.pop().map(|step| (play, step))
        })
        .collect()
}

impl Question for Position {
    type Answer = PositionAnswer;

    fn answer(&self, ask: &mut Ask<'_>) -> Result<PositionAnswer, Error> {
        let puzzle = ask.puzzle(&self.puzzle)?;
        let played = &self.moves.0;
        let start = Trace::play(&puzzle, played).map_err(|it| Error::bad(it.to_string()))?;
        if played.len() > 1_000 {
            return Err(Error::new(ErrorKind::TooLarge, "more than 1000 moves"));
        }
        let mut limits = ask.door().limits(&self.limits);
        // A move limit is for the position itself; after a move one less is left.
        let most = limits.moves.take();
        let purse = ask.purse_of(limits);
        let solver = ask.default_solver()?;
        let mut searcher = Searcher {
            ask,
            solver,
            puzzle: &puzzle,
            purse,
            seen: HashMap::new(),
        };
        let mut legal = legal_moves(&puzzle, played);
        if let Some(robots) = &self.robots {
            legal.retain(|(play, _)| robots.contains(&RobotLetter(play.robot)));
        }
        let within = |limits: Limits, less: u32| Limits {
            moves: most.map(|most| most.saturating_sub(less)),
            ..limits
        };
        // Half of the time for the position itself: without its distance no move is the best.
        let root = searcher.look(played, &within(searcher.purse.share(2), 0))?;
        let mut moves: Vec<(PositionMove, Option<Vec<Move>>)> = Vec::new();
        let steps = legal.len();
        for (done, (play, step)) in legal.into_iter().enumerate() {
            let share = within(searcher.purse.share((steps - done) as u32), 1);
            let first = root.solution.as_ref().and_then(|solution| solution.first());
            let known = if root.outcome == PositionOutcome::Unsolvable {
                Known::UNSOLVABLE
            } else if first == Some(&play) {
                let rest = root.solution.iter().flatten().skip(1).copied().collect();
                Known::solved(rest)
            } else if searcher.purse.is_cancelled() {
                Known::unknown(0)
            } else {
                let whole = [played.as_slice(), &[play]].concat();
                searcher.look(&whole, &share)?
            };
            // One move cannot bring the goal nearer than by one.
            let known = known.at_least(root.lower_bound.unwrap_or(0).saturating_sub(1));
            let entry = PositionMove {
                play: Play(play),
                to: place(step.to),
                stopped_by: StoppedBy::of(puzzle.board(), &step),
                outcome: known.outcome,
                distance: known.distance,
                lower_bound: known.lower_bound,
                best: false,
            };
            moves.push((entry, known.solution));
        }
        let all = self.robots.is_none();
        let answer = assemble(&root, moves, all, start.end(), &searcher.purse);
        searcher.ask.tell(&Progress {
            lower_bound: answer.lower_bound,
            nodes: answer.nodes,
            ms: answer.ms,
            ..Progress::default()
        });
        Ok(answer)
    }
}

/// Draws the conclusions that the moves allow about the position, if they are all, and the other way
/// round.
fn assemble(
    root: &Known,
    mut moves: Vec<(PositionMove, Option<Vec<Move>>)>,
    all: bool,
    state: State,
    purse: &Purse,
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
    PositionAnswer {
        outcome: root.outcome,
        distance: root.distance,
        lower_bound: root.lower_bound,
        robots: places(state),
        solution: root.solution.map(Plays),
        moves,
        nodes: purse.nodes(),
        ms: purse.elapsed().as_millis() as u64,
    }
}
