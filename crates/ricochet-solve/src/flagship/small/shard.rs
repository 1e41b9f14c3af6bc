//! One thread's part of a search: the configurations it owns, and how it fills a layer with them.
//!
//! A search begins with a single shard. A large search is divided: [`owner`] says which shard has a
//! configuration, with all its nodes.

use std::marker::PhantomData;
use std::ops::Range;

use super::frontier::{
    self, Child, Children, DEFERRED_LAYERS, DeferredGoalMoves, Frontier, MAX_CHILDREN, MAX_NODES,
};
use super::heuristic::{Context, Heuristic, Layer};
use super::plans::{Plans, Survey};
use super::tables::Tables;
use super::visited::{BATCH, OpenEntry, Visited};
use crate::flagship::layers::Used;
use crate::flagship::threads::{LayerWork, Outbox, Parcel, Phase, Step};
use crate::lowlevel::instructions::{InstructionSet, Kernel};
use crate::lowlevel::prefetch::prefetch;
use crate::lowlevel::set::Set;
use crate::{Limit, Limits};

/// The helper moves of this many nodes are made before their children are added.
const EXPANSION_BATCH: usize = 16;

/// Deferred children are added this many at a time; limits are checked in between.
const DEFERRED_BATCH: usize = 1 << 10;

/// The index of the shard that owns a configuration.
#[inline(always)]
pub(super) fn owner(key: u32, shards: usize) -> usize {
    // Uses other bits of the key than the index does; otherwise the index would use its slots
    // unevenly.
    let mixed = (key ^ key >> 13).wrapping_mul(0x85eb_ca6b) >> 16;
    (mixed as usize * shards) >> 16
}

impl Parcel for Vec<Child> {
    fn clear(&mut self) {
        self.clear();
    }

    fn bytes(&self) -> u64 {
        (self.capacity() * size_of::<Child>()) as u64
    }
}

/// See the module's documentation.
pub(super) struct Shard {
    pub(super) tables: Tables,
    /// The bound of plans, once a search is large enough to use it.
    pub(super) plans: Option<Box<Plans>>,
    pub(super) visited: Visited,
    pub(super) frontier: Frontier,
    children: Children,
    /// Children that belong to other shards.
    pub(super) outbox: Outbox<Vec<Child>>,
    /// Deferred moves whose layer is being filled, and how many of them have been added.
    due_goal_moves: (Vec<DeferredGoalMoves>, usize),
    due_helper_moves: (Vec<Child>, usize),
    /// The nodes of the previous layer that are being expanded, and the nodes before them that are
    /// expanded later.
    expanding: Range<usize>,
    unexpanded: Range<usize>,
}

impl Shard {
    pub(super) fn new() -> Self {
        Self {
            tables: Tables::new(),
            plans: None,
            visited: Visited::new(),
            frontier: Frontier::default(),
            children: Children::default(),
            outbox: Outbox::default(),
            due_goal_moves: (Vec::new(), 0),
            due_helper_moves: (Vec::new(), 0),
            expanding: 0..0,
            unexpanded: 0..0,
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
        self.outbox = Outbox::default();
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
        let children = self.children.bytes() + self.outbox.bytes();
        let lists = due as u64 + children + self.frontier.bytes_soon();
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
    fn work<S: Set, H: Heuristic, const N: usize>(
        &mut self,
        isa: S::Isa,
        layer: Layer,
        phase: Phase,
    ) -> Step {
        match phase {
            Phase::Arrive if self.add_due::<S>(isa) => Step::Worked,
            Phase::Arrive | Phase::Settle => self.make_nodes::<S, H, N>(isa, layer),
            Phase::Expand => {
                if self.expanding.is_empty() {
                    // Children that stay in the layer come before further children.
                    if H::DEPENDS_ON_HELPERS && !self.frontier.touched.is_empty() {
                        return self.make_nodes::<S, H, N>(isa, layer);
                    }
                    // The latest nodes come first, because they are nearest to the target.
                    let Range { start, end } = self.unexpanded;
                    let begin = end.saturating_sub(H::EXPANSIONS_PER_ROUND).max(start);
                    (self.expanding, self.unexpanded) = (begin..end, start..begin);
                }
                if self.expanding.is_empty() || N == 0 {
                    return Step::Idle;
                }
                self.expand::<S, H, N>(isa, layer);
                Step::Worked
            }
        }
    }

    /// Adds some of the deferred moves whose layer is being filled; false if none are left.
    fn add_due<S: Set>(&mut self, isa: S::Isa) -> bool {
        let (goal_moves, added) = &mut self.due_goal_moves;
        if let Some(next) = goal_moves[*added..].chunks(DEFERRED_BATCH).next() {
            self.visited
                .add_deferred::<S>(isa, next, &mut self.frontier);
            *added += next.len();
            return true;
        }
        let (helper_moves, added) = &mut self.due_helper_moves;
        if let Some(next) = helper_moves[*added..].chunks(DEFERRED_BATCH).next() {
            let own = sort(&mut self.outbox, next);
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
    fn deliver<S: Set>(&mut self, isa: S::Isa) {
        let own = sort(&mut self.outbox, self.children.as_slice());
        self.visited.add_children::<S>(isa, own, &mut self.frontier);
        self.children.clear();
    }

    /// Makes the nodes of some touched configurations, the latest first.
    fn make_nodes<S: Set, H: Heuristic, const N: usize>(
        &mut self,
        isa: S::Isa,
        layer: Layer,
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
            self.deliver::<S>(isa);
        }
        if stop { Step::Stop } else { Step::Worked }
    }

    /// Makes the helper moves of some nodes.
    fn expand<S: Set, H: Heuristic, const N: usize>(&mut self, isa: S::Isa, layer: Layer) {
        let Range { start, end } = self.expanding;
        let nodes = start..end.min(start + EXPANSION_BATCH);
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
        self.deliver::<S>(isa);
    }

    /// Moves all configurations to their owners among some empty shards.
    pub(super) fn divide(&mut self, shards: &mut [Shard]) {
        let count = shards.len();
        let owner = |key| owner(key, count);
        for (index, shard) in shards.iter_mut().enumerate() {
            shard.outbox = Outbox::new(index, count);
        }
        let mut parts: Vec<&mut Visited> = shards.iter_mut().map(|it| &mut it.visited).collect();
        let ids = self.visited.divide(&mut parts, owner);
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

/// Sorts children by owner. Returns the ones that the outbox's own shard has.
#[inline(always)]
fn sort<'a>(outbox: &'a mut Outbox<Vec<Child>>, children: &'a [Child]) -> &'a [Child] {
    let shards = outbox.parcels.len();
    if shards == 0 {
        return children;
    }
    outbox.parcels[outbox.index].clear();
    for child in children {
        outbox.parcels[owner(child.key, shards)].push(*child);
    }
    &outbox.parcels[outbox.index]
}

/// The work on a layer, for one instruction set, heuristic and number of helpers.
pub(super) struct FillLayer<'a, S: Set, H, const N: usize> {
    pub(super) isa: S::Isa,
    pub(super) layer: Layer,
    pub(super) limits: &'a Limits,
    /// The use of other searches for the same task.
    pub(super) elsewhere: Used,
    pub(super) heuristic: PhantomData<H>,
}

impl<S: Set, H: Heuristic, const N: usize> LayerWork for FillLayer<'_, S, H, N> {
    type Shard = Shard;
    type Parcel = Vec<Child>;

    fn outbox<'a>(&self, shard: &'a mut Shard) -> &'a mut Outbox<Vec<Child>> {
        &mut shard.outbox
    }

    fn work(&self, shard: &mut Shard, phase: Phase) -> Result<Step, Limit> {
        let solved = shard.frontier.solved;
        if solved.is_some_and(|it| it.f <= self.layer.f + 1) {
            return Ok(Step::Stop);
        }
        Ok(shard.work::<S, H, N>(self.isa, self.layer, phase))
    }

    fn receive(&self, shard: &mut Shard, children: &Vec<Child>) -> Result<(), Limit> {
        shard.receive::<S>(self.isa, children);
        Ok(())
    }

    fn used(&self, shard: &mut Shard) -> Result<Used, Limit> {
        Ok(Used {
            children: shard.frontier.counters.generated,
            bytes: shard.bytes_soon() + shard.plans_bytes(),
            nodes: shard.frontier.nodes.len(),
        })
    }

    fn check(&self, used: &Used) -> Result<(), Limit> {
        let Used {
            children,
            bytes,
            nodes,
        } = self.elsewhere.and(*used);
        if children > self.limits.nodes.unwrap_or(u64::MAX) {
            return Err(Limit::Nodes);
        }
        if bytes + Tables::BYTES > self.limits.memory.unwrap_or(u64::MAX)
            || nodes > MAX_NODES - 2 * BATCH * MAX_CHILDREN
        {
            return Err(Limit::Memory);
        }
        Ok(())
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
        let rest = frontier.touched.len().saturating_sub(H::NODES_PER_ROUND);
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
