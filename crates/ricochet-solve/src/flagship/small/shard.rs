//! One thread's part of a search: the configurations it owns, and how it fills a layer with them.
//!
//! A search begins with a single shard. A large search is divided: the hash of a configuration
//! decides which shard owns it, with all its nodes. Goal-robot moves do not change the
//! configuration, so only the children of helper moves travel between shards (see
//! [`super::threads`]).

use std::marker::PhantomData;
use std::ops::Range;

use super::frontier::{self, Child, Children, DEFERRED_LAYERS, DeferredGoalMoves, Frontier};
use super::heuristic::{Context, Heuristic, Layer};
use super::plans::{Plans, Survey};
use super::tables::Tables;
use super::threads::{LayerWork, Outbox};
use super::visited::{OpenEntry, Visited};
use crate::lowlevel::instructions::{InstructionSet, Kernel};
use crate::lowlevel::prefetch::prefetch;
use crate::lowlevel::set::Set;

/// The helper moves of this many nodes are made before their children are added.
const EXPANDED_AT_ONCE: usize = 16;

/// Deferred children are added this many at a time; limits are checked in between.
const DEFERRED_AT_ONCE: usize = 1 << 10;

/// The steps of filling a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Adds the moves that were deferred to this layer, and makes their nodes. Then makes the
    /// helper moves of the previous layer and, in between, the nodes of their children if these may
    /// have children in the same layer. Goal-robot moves come first because they often lead to the
    /// target, and then the helper moves, which are far more numerous, need not be made.
    Spread,
    /// Makes the nodes of the remaining children.
    Settle,
}

/// The result of a piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// There may be more to do.
    Worked,
    /// There was nothing to do.
    Idle,
    /// The target was found: the layer need not be completed.
    Stop,
}

/// See the module's documentation.
pub(super) struct Shard {
    pub(super) tables: Tables,
    /// The bound of plans, once a search is large enough to use it.
    pub(super) plans: Option<Box<Plans>>,
    pub(super) visited: Visited,
    pub(super) frontier: Frontier,
    children: Children,
    /// Deferred moves whose layer is being filled, and how many of them have been added.
    due_goal_moves: (Vec<DeferredGoalMoves>, usize),
    due_helper_moves: (Vec<Child>, usize),
    /// The nodes of the previous layer that are being expanded, and the nodes before them that are
    /// expanded later.
    expanding: Range<usize>,
    unexpanded: Range<usize>,
    has_begun_to_expand: bool,
}

impl Shard {
    pub(super) fn new() -> Self {
        Self {
            tables: Tables::new(),
            plans: None,
            visited: Visited::new(),
            frontier: Frontier::default(),
            children: Children::default(),
            due_goal_moves: (Vec::new(), 0),
            due_helper_moves: (Vec::new(), 0),
            expanding: 0..0,
            unexpanded: 0..0,
            has_begun_to_expand: false,
        }
    }

    /// Forgets the previous search, except for the tables of its board. Keeps the capacity for
    /// `kept` nodes.
    pub(super) fn clear(&mut self, kept: usize) {
        self.visited.clear(kept);
        self.clear_lists(kept);
    }

    /// Forgets the previous search and frees its memory, except for the capacity for `kept` nodes.
    pub(super) fn free(&mut self, kept: usize) {
        self.visited.free(kept);
        self.clear_lists(kept);
        self.plans = None;
    }

    fn clear_lists(&mut self, kept: usize) {
        self.frontier.clear(kept);
        self.children.clear();
        // These buffers are reused by the layer they are swapped with.
        frontier::clear(&mut self.due_goal_moves.0, kept);
        frontier::clear(&mut self.due_helper_moves.0, kept);
        (self.due_goal_moves.1, self.due_helper_moves.1) = (0, 0);
        (self.expanding, self.unexpanded) = (0..0, 0..0);
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> u64 {
        self.frontier.bytes() + self.visited.bytes()
    }

    /// Bytes in use, including the spare capacity of lists.
    pub(super) fn bytes_soon(&self) -> u64 {
        let due = self.due_goal_moves.0.capacity() * size_of::<DeferredGoalMoves>()
            + self.due_helper_moves.0.capacity() * size_of::<Child>();
        let lists = due as u64 + self.children.bytes() + self.frontier.bytes_soon();
        lists + self.visited.bytes_soon()
    }

    /// Bytes of the bound of plans.
    pub(super) fn plans_bytes(&self) -> u64 {
        self.plans.as_ref().map_or(0, |plans| plans.bytes())
    }

    /// Begins layer `f`.
    pub(super) fn begin_layer(&mut self, f: usize) {
        self.frontier.begin_layer();
        self.unexpanded = self.frontier.previous_layer();
        self.expanding = 0..0;
        self.has_begun_to_expand = false;
        let slot = f % DEFERRED_LAYERS;
        let (goal_moves, _) = &mut self.due_goal_moves;
        goal_moves.clear();
        std::mem::swap(goal_moves, &mut self.frontier.deferred_goal_moves[slot]);
        let (helper_moves, _) = &mut self.due_helper_moves;
        helper_moves.clear();
        std::mem::swap(helper_moves, &mut self.frontier.deferred_helper_moves[slot]);
        (self.due_goal_moves.1, self.due_helper_moves.1) = (0, 0);
    }

    /// Does a piece of the work of a phase.
    pub(super) fn work<S: Set, H: Heuristic, const N: usize>(
        &mut self,
        isa: S::Isa,
        layer: Layer,
        phase: Phase,
        outbox: &mut Outbox,
    ) -> Step {
        if phase == Phase::Settle {
            return self.make_nodes::<S, H, N>(isa, layer, outbox);
        }
        if self.add_due::<S>(isa, outbox) {
            return Step::Worked;
        }
        if self.expanding.is_empty() {
            let make_nodes = H::DEPENDS_ON_HELPERS || !self.has_begun_to_expand;
            if make_nodes && !self.frontier.touched.is_empty() {
                return self.make_nodes::<S, H, N>(isa, layer, outbox);
            }
            self.has_begun_to_expand = true;
            // The latest nodes come first, because they are nearest to the target.
            let Range { start, end } = self.unexpanded;
            let begin = end.saturating_sub(H::EXPANDED_AT_A_TIME).max(start);
            (self.expanding, self.unexpanded) = (begin..end, start..begin);
            if self.expanding.is_empty() || N == 0 {
                return Step::Idle;
            }
        }
        self.expand::<S, H, N>(isa, layer, outbox);
        Step::Worked
    }

    /// Adds some of the deferred moves whose layer is being filled; false if none are left.
    fn add_due<S: Set>(&mut self, isa: S::Isa, outbox: &mut Outbox) -> bool {
        let (goal_moves, added) = &mut self.due_goal_moves;
        if let Some(next) = goal_moves[*added..].chunks(DEFERRED_AT_ONCE).next() {
            self.visited
                .add_deferred::<S>(isa, next, &mut self.frontier);
            *added += next.len();
            return true;
        }
        let (helper_moves, added) = &mut self.due_helper_moves;
        if let Some(next) = helper_moves[*added..].chunks(DEFERRED_AT_ONCE).next() {
            let own = outbox.sort(next);
            self.visited.add_children::<S>(isa, own, &mut self.frontier);
            *added += next.len();
            return true;
        }
        false
    }

    /// Adds children that another shard has sent.
    pub(super) fn receive<S: Set>(&mut self, isa: S::Isa, children: &[Child]) {
        self.visited
            .add_children::<S>(isa, children, &mut self.frontier);
    }

    /// Adds the children that have been made, or hands them to the shards that own them.
    fn deliver<S: Set>(&mut self, isa: S::Isa, outbox: &mut Outbox) {
        let own = outbox.sort(self.children.as_slice());
        self.visited.add_children::<S>(isa, own, &mut self.frontier);
        self.children.clear();
    }

    /// Makes the nodes of some touched configurations, the latest first.
    fn make_nodes<S: Set, H: Heuristic, const N: usize>(
        &mut self,
        isa: S::Isa,
        layer: Layer,
        outbox: &mut Outbox,
    ) -> Step {
        if self.frontier.touched.is_empty() {
            return Step::Idle;
        }
        if H::DEPENDS_ON_HELPERS {
            self.visited.make_room_for_surveys();
        }
        let stop = isa.run(MakeNodes::<S, H, N> {
            context: Context::new(isa, layer, &mut self.tables, self.plans.as_deref_mut()),
            visited: &mut self.visited,
            frontier: &mut self.frontier,
            children: &mut self.children,
            heuristic: PhantomData,
        });
        if H::DEPENDS_ON_HELPERS {
            self.deliver::<S>(isa, outbox);
        }
        if stop { Step::Stop } else { Step::Worked }
    }

    /// Makes the helper moves of some nodes.
    fn expand<S: Set, H: Heuristic, const N: usize>(
        &mut self,
        isa: S::Isa,
        layer: Layer,
        outbox: &mut Outbox,
    ) {
        let Range { start, end } = self.expanding;
        let nodes = start..end.min(start + EXPANDED_AT_ONCE);
        self.expanding.start = nodes.end;
        self.frontier.counters.expanded += nodes.len() as u64;
        isa.run(Expand::<S, H, N> {
            context: Context::new(isa, layer, &mut self.tables, self.plans.as_deref_mut()),
            surveys: self.visited.surveys(),
            frontier: &mut self.frontier,
            nodes,
            children: &mut self.children,
            heuristic: PhantomData,
        });
        self.deliver::<S>(isa, outbox);
    }

    /// Moves all configurations to their owners among some empty shards.
    pub(super) fn divide(&mut self, shards: &mut [Shard], owner: impl Fn(u32) -> usize) {
        let mut parts: Vec<&mut Visited> = shards.iter_mut().map(|it| &mut it.visited).collect();
        let ids = self.visited.divide(&mut parts, &owner);
        let frontier = &mut self.frontier;
        // One more than the new index of each node.
        let mut numbers = vec![0; frontier.nodes.len() + 1];
        let mut layers = frontier.layers.iter().copied().peekable();
        for (old, node) in frontier.nodes.iter().enumerate() {
            while layers.next_if(|&begin| begin <= old).is_some() {
                for shard in &mut *shards {
                    shard.frontier.begin_layer();
                }
            }
            let to = &mut shards[owner(node.key)];
            let id = to.visited.find(node.key).expect("it was moved there");
            to.frontier.nodes.push(super::frontier::Node {
                earlier: numbers[node.earlier as usize],
                ..*node
            });
            if !frontier.ids.is_empty() {
                to.frontier.ids.push(id);
            }
            numbers[old + 1] = to.frontier.nodes.len() as u32;
            to.visited.set_latest(id, numbers[old + 1]);
        }
        for _ in layers {
            for shard in &mut *shards {
                shard.frontier.begin_layer();
            }
        }
        for (slot, list) in frontier.deferred_goal_moves.iter().enumerate() {
            for moves in list {
                let to = &mut shards[owner(self.visited.key(moves.id))];
                to.frontier.deferred_goal_moves[slot].push(DeferredGoalMoves {
                    id: ids[moves.id as usize],
                    ..*moves
                });
            }
        }
        // Deferred moves are sent to their owners when they are due.
        let first = &mut shards[0].frontier;
        first.deferred_helper_moves = std::mem::take(&mut frontier.deferred_helper_moves);
        (first.counters, first.solved) = (frontier.counters, frontier.solved);
        first.hits = std::mem::take(&mut frontier.hits);
    }
}

/// The work on a layer, for one instruction set, heuristic and number of helpers.
pub(super) struct FillLayer<S: Set, H, const N: usize> {
    isa: S::Isa,
    layer: Layer,
    heuristic: PhantomData<H>,
}

impl<S: Set, H: Heuristic, const N: usize> FillLayer<S, H, N> {
    pub(super) fn new(isa: S::Isa, layer: Layer) -> Self {
        Self {
            isa,
            layer,
            heuristic: PhantomData,
        }
    }
}

impl<S: Set, H: Heuristic, const N: usize> LayerWork for FillLayer<S, H, N> {
    fn work(&self, shard: &mut Shard, phase: Phase, outbox: &mut Outbox) -> Step {
        shard.work::<S, H, N>(self.isa, self.layer, phase, outbox)
    }

    fn receive(&self, shard: &mut Shard, children: &[Child]) {
        shard.receive::<S>(self.isa, children);
    }

    fn phases(&self) -> &'static [Phase] {
        // If nodes have children in the same layer, all nodes are made in the spread phase.
        if H::DEPENDS_ON_HELPERS {
            &[Phase::Spread]
        } else {
            &[Phase::Spread, Phase::Settle]
        }
    }
}

/// Makes the nodes of the latest touched configurations. Returns whether the layer need not be
/// completed.
struct MakeNodes<'a, S: Set, H, const N: usize> {
    context: Context<'a, S>,
    visited: &'a mut Visited,
    frontier: &'a mut Frontier,
    children: &'a mut Children,
    heuristic: PhantomData<H>,
}

impl<S: Set, H: Heuristic, const N: usize> Kernel for MakeNodes<'_, S, H, N> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let Self {
            mut context,
            visited,
            frontier,
            children,
            ..
        } = self;
        let fetch = H::DEPENDS_ON_HELPERS || visited.is_large();
        let rest = frontier.touched.len().saturating_sub(H::NODES_AT_A_TIME);
        let mut stop = false;
        for at in (rest..frontier.touched.len()).rev() {
            if fetch {
                visited.fetch(frontier, at, H::DEPENDS_ON_HELPERS);
            }
            let id = frontier.touched[at];
            let OpenEntry {
                touched,
                survey,
                latest,
                seen,
            } = visited.open::<S>(context.isa, id);
            let made = H::make_node::<S, N>(&mut context, &touched, survey, frontier, children);
            (*latest, *seen) = (made.latest, made.seen.words());
            if made.stop {
                stop = true;
                break;
            }
        }
        frontier.touched.truncate(rest);
        stop
    }
}

/// Makes the helper moves of some nodes of the previous layer.
struct Expand<'a, S: Set, H, const N: usize> {
    context: Context<'a, S>,
    surveys: &'a [Survey],
    frontier: &'a mut Frontier,
    nodes: Range<usize>,
    children: &'a mut Children,
    heuristic: PhantomData<H>,
}

impl<S: Set, H: Heuristic, const N: usize> Kernel for Expand<'_, S, H, N> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self {
            mut context,
            surveys,
            frontier,
            children,
            ..
        } = self;
        let Frontier {
            nodes,
            ids,
            deferred_helper_moves,
            ..
        } = frontier;
        let nodes = &nodes[self.nodes.clone()];
        let ids = if H::DEPENDS_ON_HELPERS {
            &ids[self.nodes]
        } else {
            &[]
        };
        for &id in ids {
            prefetch(surveys, id as usize);
        }
        for (i, node) in nodes.iter().enumerate() {
            let survey = ids.get(i).and_then(|&id| surveys.get(id as usize));
            H::helper_moves::<S, N>(&mut context, node, survey, children, deferred_helper_moves);
        }
    }
}
