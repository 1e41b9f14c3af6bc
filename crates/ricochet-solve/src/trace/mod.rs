//! Traces: the events of a search, for people who want to watch an algorithm work.
//!
//! A [`Recorder`] is an [`Observer`] that solvers also send their events to: each node that is
//! generated, expanded or pruned, and whatever else the algorithm is about. [`EventKind`] says what
//! each event means; `docs/design/traces.md` says which field of [`Stats`](crate::Stats) counts which.
//!
//! Without a recorder, a solver pays for a predictable branch per node at most. With one, at most
//! [`Recorder::most`] events are kept, the first ones; the counts go on to the end.

mod sets;
mod watch;

use std::collections::BTreeMap;

use ricochet_core::{Cell, Direction, Move, Robot, State};

use crate::heuristics::critical::PositionScore;
use crate::{DepthRow, Observer};
pub(crate) use sets::TracedNode;
use sets::TracedSets;
pub(crate) use watch::{NodeIds, Watch};

/// The number of a search node, in the order in which they were made.
pub type NodeId = u64;

/// One step of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its place among all events, those that were not kept included; the first is 0.
    pub number: u64,
    /// What happened.
    pub kind: EventKind,
    /// The node it happened to.
    pub id: Option<NodeId>,
    /// The node that this one was made from; `None` for a root.
    pub parent: Option<NodeId>,
    /// Moves made from the start.
    pub g: Option<u32>,
    /// The bound: at least this many moves are left. `None` if the solver has none here.
    pub h: Option<u32>,
    /// The move that made the node.
    pub step: Option<Move>,
    /// The robots that stand elsewhere than in the parent, or than in the puzzle if there is no
    /// parent.
    pub robots: Vec<(Robot, Cell)>,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// A search to this depth begins (`iddfs`).
    Iteration {
        /// The most moves that it looks ahead.
        depth: u32,
    },
    /// A depth or layer is finished.
    Layer(DepthRow),
    /// The search starts again with a stronger bound (`flagship`): what it stored is forgotten.
    Restart {
        /// The goal robot whose search it is; `None` if all that was stored is forgotten.
        robot: Option<Robot>,
    },
    /// The position that a search tree begins with.
    Root,
    /// A node was made.
    Generate,
    /// The successors of a node are going to be made.
    Expand,
    /// A node, or a move that would have made one, was not looked at further.
    Prune {
        /// Why.
        reason: PruneReason,
        /// The earlier node that stands for this one, if that is why.
        same_as: Option<NodeId>,
    },
    /// A position that was seen before is searched again (`bfs` with `duplicates=keep`).
    Repeat {
        /// The node where it was seen first.
        same_as: NodeId,
    },
    /// A robot can come to rest on a cell (`stateless`).
    Final {
        /// The final state of the robot that stops it, if one does.
        depends_on: Option<NodeId>,
    },
    /// A robot moves over a cell (`stateless`).
    Intermediate {
        /// The cell.
        cell: Cell,
        /// The direction in which the robot leaves it.
        heading: Direction,
    },
    /// The helpers stand somewhere, and the goal robot's ways from there are searched (the graph
    /// solvers). The [`EventKind::Reach`] events of this search follow.
    Configuration {
        /// The edges of the board's graph that the helpers change.
        edges: Vec<GraphEdge>,
    },
    /// The goal robot, moving alone, can come to rest on a cell (the graph solvers and the report's
    /// setup searches).
    Reach,
    /// A setup of the helpers is verified by a search of the goal robot alone (the report's setup
    /// searches). The [`EventKind::Reach`] events of that search follow.
    Setup {
        /// Its score, in the searches that have one.
        score: Option<SetupScore>,
    },
    /// A configuration of the helpers with a set of cells of the goal robot (`flagship`).
    Node {
        /// The layer: the fewest moves of a solution through this node.
        f: u32,
        /// The goal robot; `None` if the search distinguishes all robots.
        robot: Option<Robot>,
        /// Where it can be.
        cells: Vec<Cell>,
        /// Where the other robots are; interchangeable ones in ascending order.
        helpers: Vec<Cell>,
    },
    /// A solution was found, shorter than those before.
    Solution {
        /// Its moves.
        moves: Vec<Move>,
    },
}

/// Why a node was not looked at further.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PruneReason {
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

impl PruneReason {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Depth,
        Self::Bound,
        Self::TightBound,
        Self::Reversal,
        Self::Memo,
        Self::SortedKey,
        Self::Duplicate,
    ];

    /// Its name in files: `sorted-key`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Depth => "depth",
            Self::Bound => "bound",
            Self::TightBound => "tight-bound",
            Self::Reversal => "reversal",
            Self::Memo => "memo",
            Self::SortedKey => "sorted-key",
            Self::Duplicate => "duplicate",
        }
    }
}

/// An edge of the graph solvers' graph: where a robot stops that leaves a cell in a direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GraphEdge {
    /// Where it starts.
    pub from: Cell,
    /// The direction.
    pub direction: Direction,
    /// Where it stops; `None` if it cannot move.
    pub to: Option<Cell>,
}

/// What a setup search thinks of a setup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetupScore {
    /// The position score: the sum of 1/degree over the occupied critical positions, divided by the
    /// number of moves; higher is better.
    Position(PositionScore),
    /// The cross block score: moves of the goal robot, degree and moves of the setup; lower is
    /// better.
    CrossBlock(u32),
}

impl EventKind {
    /// The names of all kinds in files, in the order of their declaration.
    pub const NAMES: [&'static str; 15] = [
        "iteration",
        "layer",
        "restart",
        "root",
        "generate",
        "expand",
        "prune",
        "repeat",
        "final",
        "intermediate",
        "configuration",
        "reach",
        "setup",
        "node",
        "solution",
    ];

    /// Its name in files: `generate`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Iteration { .. } => "iteration",
            Self::Layer(_) => "layer",
            Self::Restart { .. } => "restart",
            Self::Root => "root",
            Self::Generate => "generate",
            Self::Expand => "expand",
            Self::Prune { .. } => "prune",
            Self::Repeat { .. } => "repeat",
            Self::Final { .. } => "final",
            Self::Intermediate { .. } => "intermediate",
            Self::Configuration { .. } => "configuration",
            Self::Reach => "reach",
            Self::Setup { .. } => "setup",
            Self::Node { .. } => "node",
            Self::Solution { .. } => "solution",
        }
    }
}

/// How many events there were.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventCounts {
    /// By [`EventKind::name`]; kinds that did not occur are missing.
    pub kinds: BTreeMap<&'static str, u64>,
    /// Prunings by reason; reasons that did not occur are missing.
    pub prunes: BTreeMap<PruneReason, u64>,
}

impl EventCounts {
    /// The number of events of a kind.
    pub fn of(&self, kind: &str) -> u64 {
        self.kinds.get(kind).copied().unwrap_or(0)
    }

    /// The number of prunings for a reason.
    pub fn pruned(&self, reason: PruneReason) -> u64 {
        self.prunes.get(&reason).copied().unwrap_or(0)
    }
}

/// What is known of a node, for later events about it.
#[derive(Clone, Debug, Default)]
struct NodeFacts {
    parent: Option<NodeId>,
    g: Option<u32>,
    h: Option<u32>,
    step: Option<Move>,
    robots: Vec<(Robot, Cell)>,
}

/// An observer that keeps the events of a search.
///
/// ```
/// use ricochet_core::notation;
/// use ricochet_solve::trace::{PruneReason, Recorder};
/// use ricochet_solve::{Limits, registry};
/// let puzzle = notation::parse_line("4x3..0012.R31")?.validate()?;
/// let mut recorder = Recorder::new(1000);
/// let mut solver = registry::build("iddfs")?;
/// let (_, stats) = solver.solve(&puzzle, &Limits::default(), &mut recorder);
/// assert_eq!(recorder.counts().of("generate"), stats.nodes);
/// assert!(recorder.counts().pruned(PruneReason::Bound) > 0);
/// println!("{:?}", recorder.events().last());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Recorder {
    most: usize,
    events: Vec<Event>,
    counts: EventCounts,
    next_number: u64,
    next_id: NodeId,
    /// By id, as long as events are kept.
    nodes: Vec<NodeFacts>,
    sets: TracedSets,
}

impl Recorder {
    /// The default number of events kept.
    pub const DEFAULT_EVENTS: usize = 20_000;

    /// Keeps at most this many events.
    pub fn new(most: usize) -> Self {
        Self {
            most,
            events: Vec::new(),
            counts: EventCounts::default(),
            next_number: 0,
            next_id: 0,
            nodes: Vec::new(),
            sets: TracedSets::default(),
        }
    }

    /// The most events that are kept.
    pub fn most(&self) -> usize {
        self.most
    }

    /// The events, without those after the first [`Recorder::most`].
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// How many events there were, kept or not.
    pub fn len(&self) -> u64 {
        self.next_number
    }

    /// Whether nothing has happened.
    pub fn is_empty(&self) -> bool {
        self.next_number == 0
    }

    /// Whether no more events are kept.
    pub(crate) fn is_full(&self) -> bool {
        self.events.len() >= self.most
    }

    /// How many events of each kind there were, kept or not.
    pub fn counts(&self) -> &EventCounts {
        &self.counts
    }

    /// The events that were kept.
    pub fn into_events(self) -> Vec<Event> {
        self.events
    }

    fn push(&mut self, kind: EventKind, id: Option<NodeId>, facts: impl FnOnce() -> NodeFacts) {
        let number = self.next_number;
        self.next_number += 1;
        *self.counts.kinds.entry(kind.name()).or_default() += 1;
        if let EventKind::Prune { reason, .. } = kind {
            *self.counts.prunes.entry(reason).or_default() += 1;
        }
        if self.is_full() {
            return;
        }
        let NodeFacts {
            parent,
            g,
            h,
            step,
            robots,
        } = facts();
        self.events.push(Event {
            number,
            kind,
            id,
            parent,
            g,
            h,
            step,
            robots,
        });
    }

    /// An event without a node.
    pub(crate) fn note(&mut self, kind: EventKind) {
        self.push(kind, None, NodeFacts::default);
    }

    /// A node is made by an event of this kind; returns its id.
    fn make(&mut self, kind: EventKind, facts: NodeFacts) -> NodeId {
        let id = self.next_id;
        self.next_id += 1;
        if self.is_full() {
            self.push(kind, Some(id), NodeFacts::default);
        } else {
            self.nodes.push(facts.clone());
            self.push(kind, Some(id), || facts);
        }
        id
    }

    /// A node without a parent is made by an event of this kind.
    pub(crate) fn root(&mut self, kind: EventKind, h: Option<u32>) -> NodeId {
        self.make(
            kind,
            NodeFacts {
                g: Some(0),
                h,
                ..NodeFacts::default()
            },
        )
    }

    /// A node is made from its parent by a move of one robot.
    pub(crate) fn child(
        &mut self,
        kind: EventKind,
        parent: NodeId,
        (step, to): (Move, Cell),
        g: u32,
        h: Option<u32>,
    ) -> NodeId {
        self.make(
            kind,
            NodeFacts {
                parent: Some(parent),
                g: Some(g),
                h,
                step: Some(step),
                robots: vec![(step.robot, to)],
            },
        )
    }

    /// A node is made from its parent without a move.
    pub(crate) fn stay(
        &mut self,
        kind: EventKind,
        parent: NodeId,
        g: u32,
        h: Option<u32>,
    ) -> NodeId {
        self.make(
            kind,
            NodeFacts {
                parent: Some(parent),
                g: Some(g),
                h,
                ..NodeFacts::default()
            },
        )
    }

    /// A robot can come to rest; `robots` are those that the moves so far have moved.
    pub(crate) fn final_state(
        &mut self,
        from: Option<(NodeId, Move)>,
        robots: Vec<(Robot, Cell)>,
        g: u32,
        depends_on: Option<NodeId>,
    ) -> NodeId {
        let facts = NodeFacts {
            parent: from.map(|(parent, _)| parent),
            g: Some(g),
            step: from.map(|(_, step)| step),
            robots,
            ..NodeFacts::default()
        };
        self.make(EventKind::Final { depends_on }, facts)
    }

    /// A robot moves over a cell.
    pub(crate) fn intermediate(
        &mut self,
        from: NodeId,
        step: Move,
        (cell, heading): (Cell, Direction),
        g: u32,
    ) {
        self.push(EventKind::Intermediate { cell, heading }, None, || {
            NodeFacts {
                parent: Some(from),
                g: Some(g),
                step: Some(step),
                ..NodeFacts::default()
            }
        });
    }

    /// Something happens to a node that was made before.
    pub(crate) fn at(&mut self, kind: EventKind, id: NodeId) {
        // Ids are places in the list, which has all nodes as long as events are kept.
        let facts = match self.nodes.get(id as usize) {
            Some(facts) if !self.is_full() => facts.clone(),
            _ => NodeFacts::default(),
        };
        self.push(kind, Some(id), || facts);
    }

    /// A node that was made before is not looked at further.
    pub(crate) fn prune(&mut self, id: NodeId, reason: PruneReason) {
        let same_as = None;
        self.at(EventKind::Prune { reason, same_as }, id);
    }

    /// A node that was made before stands for a position that an earlier node stands for.
    pub(crate) fn prune_same(&mut self, id: NodeId, reason: PruneReason, same_as: NodeId) {
        let same_as = Some(same_as);
        self.at(EventKind::Prune { reason, same_as }, id);
    }

    /// A move is not made.
    pub(crate) fn reject(&mut self, parent: NodeId, step: Option<Move>, reason: PruneReason) {
        let kind = EventKind::Prune {
            reason,
            same_as: None,
        };
        self.push(kind, None, || NodeFacts {
            parent: Some(parent),
            step,
            ..NodeFacts::default()
        });
    }

    /// A depth or layer is finished.
    pub(crate) fn layer(&mut self, row: &DepthRow) {
        self.note(EventKind::Layer(*row));
    }

    /// A state of a search that is like one over sets, without sets.
    pub(crate) fn single_state(
        &mut self,
        parent: Option<NodeId>,
        f: u32,
        robot: Option<Robot>,
        state: State,
    ) -> NodeId {
        let others = state.iter().filter(|&(other, _)| Some(other) != robot);
        let kind = EventKind::Node {
            f,
            robot,
            cells: robot.map(|robot| state[robot]).into_iter().collect(),
            helpers: others.map(|(_, cell)| cell).collect(),
        };
        let facts = NodeFacts {
            parent,
            ..NodeFacts::default()
        };
        self.make(kind, facts)
    }

    /// A solution was found at a node, if it has one.
    pub(crate) fn solution(&mut self, id: Option<NodeId>, moves: &[Move]) {
        let kind = EventKind::Solution {
            moves: moves.to_vec(),
        };
        match id {
            Some(id) => self.at(kind, id),
            None => self.note(kind),
        }
    }
}

impl Observer for Recorder {
    fn recorder(&mut self) -> Option<&mut Recorder> {
        Some(self)
    }
}
