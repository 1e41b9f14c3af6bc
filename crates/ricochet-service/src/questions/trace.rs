//! `trace`: every step of a search, to watch an algorithm work.

use std::collections::BTreeMap;

use ricochet_core::Puzzle;
use ricochet_solve::Stats;
use ricochet_solve::trace::{Event, EventKind, PruneReason, Recorder, SetupScore};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::{Call, OptionValue};
use crate::error::{Error, ErrorKind};
use crate::json::{Coordinates, MoveList, MoveName, RobotLetter, coordinates};
use crate::policy::RequestLimits;
use crate::puzzle_input::PuzzleInput;
use crate::puzzle_view::PuzzleView;
use crate::questions::solve::SolveAnswer;
use crate::request::Question;

/// Asks for the steps of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Trace {
    /// The puzzle in any format.
    pub puzzle: PuzzleInput,
    /// The solver, optionally with parameters: `iddfs` or `iddfs:memo=off`. Default: `flagship`.
    #[serde(default)]
    pub solver: Option<String>,
    /// Parameters of the solver.
    #[serde(default)]
    pub options: BTreeMap<String, OptionValue>,
    /// Keep at most this many events, the first ones; all are counted. Default: 20000.
    #[serde(default)]
    pub events: Option<usize>,
    /// The limits of the search.
    #[serde(default)]
    pub limits: RequestLimits,
}

/// What a trace says before its events: the first line of `ricochet trace --to jsonl`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TraceHeader {
    /// The position.
    pub puzzle: PuzzleView,
    /// The answer of the solver.
    pub result: SolveAnswer,
    /// What the solver counted.
    pub stats: TraceStats,
    /// How many events there were, those that were not kept included.
    pub total: u64,
    /// How many of them follow: the first ones.
    pub kept: usize,
    /// How many events of each type there were.
    pub counts: BTreeMap<&'static str, u64>,
    /// How many prunings there were for each reason.
    pub prunes: BTreeMap<&'static str, u64>,
}

/// The counters of a search; those that a solver has no use for are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TraceStats {
    /// Search nodes.
    pub nodes: u64,
    /// Nodes that passed the cheap tests.
    pub inner: u64,
    /// Nodes that a memo or visited table pruned.
    pub hits: u64,
    /// Nodes whose successors were generated.
    pub expanded: u64,
    /// Successors generated.
    pub generated: u64,
    /// States held in tables at the end.
    pub stored: u64,
}

/// The steps of a search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TraceAnswer {
    /// What was searched, how it ended, and how many events there were.
    #[serde(flatten)]
    pub header: TraceHeader,
    /// The events.
    pub events: Vec<TraceEvent>,
}

/// One step of a search. Which of the optional keys it has depends on its type.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TraceEvent {
    /// Its place among all events, from 0.
    pub number: u64,
    /// What happened.
    #[serde(rename = "type")]
    pub kind: TraceEventType,
    /// The node it happened to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
    /// The node that this one was made from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<u64>,
    /// Moves made from the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub g: Option<u32>,
    /// The bound: at least this many moves are left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub h: Option<u32>,
    /// `node`: its layer, the fewest moves of a solution through it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub f: Option<u32>,
    /// The move that made the node, or that was not made.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub play: Option<MoveName>,
    /// The robots that stand elsewhere than in the parent, or than in the puzzle if there is no parent.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(with = "BTreeMap<String, Coordinates>")]
    pub robots: BTreeMap<RobotLetter, Coordinates>,
    /// `prune`: why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<PruneReasonName>,
    /// `prune`, `repeat`: the earlier node that stands for this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_as: Option<u64>,
    /// `iteration`, `layer`: how deep.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// `layer`: search nodes of this depth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// `layer`: nodes that passed the cheap tests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inner: Option<u64>,
    /// `layer`: nodes that a memo or visited table pruned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hits: Option<u64>,
    /// `final`: the state of the robot that stops this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depends_on: Option<u64>,
    /// `intermediate`: the cell that a robot moves over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell: Option<Coordinates>,
    /// `intermediate`: the direction in which it leaves the cell: N, E, S or W.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heading: Option<char>,
    /// `configuration`: the edges of the board's graph that the robots change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edges: Option<Vec<TraceEdge>>,
    /// `setup`: its score: a fraction (higher is better), or a whole number (lower is better).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<String>,
    /// `node`, `restart`: the goal robot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub robot: Option<RobotLetter>,
    /// `node`: where the goal robot can be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cells: Option<Vec<Coordinates>>,
    /// `node`: where the other robots are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub helpers: Option<Vec<Coordinates>>,
    /// `solution`: its moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<MoveList>,
}

/// What happened in a step of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TraceEventType {
    /// A search to a depth begins.
    Iteration,
    /// A depth or layer is finished.
    Layer,
    /// The search starts again with a stronger bound.
    Restart,
    /// The position that a search tree begins with.
    #[default]
    Root,
    /// A node was made.
    Generate,
    /// The successors of a node are going to be made.
    Expand,
    /// A node, or a move that would have made one, was not looked at further.
    Prune,
    /// A position that was seen before is searched again.
    Repeat,
    /// A robot can come to rest on a cell.
    Final,
    /// A robot moves over a cell.
    Intermediate,
    /// The helpers stand somewhere, and the goal robot's ways from there are searched.
    Configuration,
    /// The goal robot, moving alone, can come to rest on a cell.
    Reach,
    /// A setup of the helpers is verified by a search of the goal robot alone.
    Setup,
    /// A configuration of the helpers with a set of cells of the goal robot.
    Node,
    /// A solution was found, shorter than those before.
    Solution,
}

/// Why a node was not looked at further.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PruneReasonName {
    /// No moves are left in this iteration.
    Depth,
    /// The bound shows that too few moves are left.
    Bound,
    /// The bound leaves moves to the goal robot only, and this is a move of another one.
    TightBound,
    /// It takes back the move before.
    Reversal,
    /// The memo has the position, searched as deep as now or deeper.
    Memo,
    /// The memo has the position with interchangeable robots in other places.
    SortedKey,
    /// The position is known already.
    Duplicate,
}

/// Where a robot stops that leaves a cell in a direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TraceEdge {
    /// The cell.
    pub from: Coordinates,
    /// The direction: N, E, S or W.
    pub direction: char,
    /// Where it stops; null if it cannot move.
    pub to: Option<Coordinates>,
}

impl From<PruneReason> for PruneReasonName {
    fn from(reason: PruneReason) -> Self {
        match reason {
            PruneReason::Depth => Self::Depth,
            PruneReason::Bound => Self::Bound,
            PruneReason::TightBound => Self::TightBound,
            PruneReason::Reversal => Self::Reversal,
            PruneReason::Memo => Self::Memo,
            PruneReason::SortedKey => Self::SortedKey,
            PruneReason::Duplicate => Self::Duplicate,
        }
    }
}

impl TraceEvent {
    /// The JSON form of an event.
    pub fn of(event: &Event) -> Self {
        let mut row = Self {
            number: event.number,
            id: event.id,
            parent: event.parent,
            g: event.g,
            h: event.h,
            play: event.step.map(MoveName),
            robots: event
                .robots
                .iter()
                .map(|&(robot, cell)| (RobotLetter(robot), coordinates(cell)))
                .collect(),
            ..Self::default()
        };
        row.kind = match &event.kind {
            EventKind::Iteration { depth } => {
                row.depth = Some(*depth);
                TraceEventType::Iteration
            }
            EventKind::Layer(layer) => {
                row.depth = Some(layer.depth);
                row.nodes = Some(layer.nodes);
                row.inner = Some(layer.inner);
                row.hits = Some(layer.hits);
                TraceEventType::Layer
            }
            EventKind::Restart { robot } => {
                row.robot = robot.map(RobotLetter);
                TraceEventType::Restart
            }
            EventKind::Root => TraceEventType::Root,
            EventKind::Generate => TraceEventType::Generate,
            EventKind::Expand => TraceEventType::Expand,
            EventKind::Prune { reason, same_as } => {
                row.reason = Some((*reason).into());
                row.same_as = *same_as;
                TraceEventType::Prune
            }
            EventKind::Repeat { same_as } => {
                row.same_as = Some(*same_as);
                TraceEventType::Repeat
            }
            EventKind::Final { depends_on } => {
                row.depends_on = *depends_on;
                TraceEventType::Final
            }
            EventKind::Intermediate { cell, heading } => {
                row.cell = Some(coordinates(*cell));
                row.heading = Some(heading.letter());
                TraceEventType::Intermediate
            }
            EventKind::Configuration { edges } => {
                let edges = edges.iter().map(|edge| TraceEdge {
                    from: coordinates(edge.from),
                    direction: edge.direction.letter(),
                    to: edge.to.map(coordinates),
                });
                row.edges = Some(edges.collect());
                TraceEventType::Configuration
            }
            EventKind::Reach => TraceEventType::Reach,
            EventKind::Setup { score } => {
                row.score = score.map(|score| match score {
                    SetupScore::Position(score) => score.to_string(),
                    SetupScore::CrossBlock(score) => score.to_string(),
                });
                TraceEventType::Setup
            }
            EventKind::Node {
                f,
                robot,
                cells,
                helpers,
            } => {
                row.f = Some(*f);
                row.robot = robot.map(RobotLetter);
                row.cells = Some(cells.iter().copied().map(coordinates).collect());
                row.helpers = Some(helpers.iter().copied().map(coordinates).collect());
                TraceEventType::Node
            }
            EventKind::Solution { moves } => {
                row.moves = Some(MoveList(moves.clone()));
                TraceEventType::Solution
            }
        };
        row
    }
}

impl TraceHeader {
    /// What a recorder has counted.
    pub fn of(puzzle: &Puzzle, result: SolveAnswer, stats: &Stats, recorder: &Recorder) -> Self {
        let counts = recorder.counts();
        let prunes = counts.prunes.iter();
        Self {
            puzzle: PuzzleView::of_puzzle(puzzle),
            result,
            stats: TraceStats {
                nodes: stats.nodes,
                inner: stats.inner,
                hits: stats.hits,
                expanded: stats.expanded,
                generated: stats.generated,
                stored: stats.stored,
            },
            total: recorder.len(),
            kept: recorder.events().len(),
            counts: counts.kinds.clone(),
            prunes: prunes
                .map(|(reason, &count)| (reason.name(), count))
                .collect(),
        }
    }
}

/// The error for a solver that has no steps to show.
///
/// # Errors
/// If the solver looks answers up instead of searching.
pub fn check_traceable(solver: &str) -> Result<(), Error> {
    match solver {
        "tablebase" => Err(Error::new(
            ErrorKind::Unsupported,
            "the solver tablebase looks its answers up: there is no search to trace",
        )),
        _ => Ok(()),
    }
}

impl Question for Trace {
    type Answer = TraceAnswer;

    fn puzzle_mut(&mut self) -> Option<&mut PuzzleInput> {
        Some(&mut self.puzzle)
    }

    fn limits_mut(&mut self) -> Option<&mut RequestLimits> {
        Some(&mut self.limits)
    }

    fn is_complete(answer: &TraceAnswer) -> bool {
        answer.header.result.is_complete()
    }

    fn answer(&self, call: &mut Call<'_>) -> Result<TraceAnswer, Error> {
        let puzzle = call.puzzle(&self.puzzle)?;
        let mut solver = call.solver(self.solver.as_deref(), &self.options)?;
        check_traceable(solver.name())?;
        let limits = call.budget(&self.limits).left();
        let most = self.events.unwrap_or(Recorder::DEFAULT_EVENTS);
        let mut recorder = Recorder::new(most.min(call.policy().events));
        let search = call.record(solver.as_mut(), &puzzle, &limits, &mut recorder)?;
        let result = SolveAnswer::traced(&puzzle, solver.name(), &search);
        let header = TraceHeader::of(&puzzle, result, &search.stats, &recorder);
        let events = recorder.events().iter().map(TraceEvent::of).collect();
        Ok(TraceAnswer { header, events })
    }
}
