//! What a thread of the set search makes: nodes, and what waits for later layers.

use std::ops::Range;

use super::config::helpers;
use super::goal::{GoalMoves, Moved};
use super::layer::{last_helper_move, may_reach_target};
use super::nodes::{Child, Counters, Guide, Later, Node};
use super::tables::Tables;
use crate::lowlevel::instructions::InstructionSet;
use crate::lowlevel::set::{BITS, Set, cells_of};

/// A node from which the target is reached by goal-robot moves alone, perhaps after one helper move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FoundGoal {
    /// The layer in which they do: the length of that solution.
    pub(crate) f: usize,
    /// The node's helpers.
    pub(crate) before: u32,
    /// The helpers after their move; the same if there is none.
    pub(crate) key: u32,
    /// The goal-robot cells of the node with which that can be.
    pub(crate) cells: [u64; 4],
}

/// A state from which lowering moves alone lead to the target: of a layer that is not made yet or, in
/// a guided search, one that has the target already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    /// The layer: the length of the solutions through it.
    pub(crate) f: usize,
    pub(crate) key: u32,
    pub(crate) cell: u8,
}

/// More layers than any move leads ahead.
pub(crate) const WAITING: usize = 8;

/// See the module's documentation.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    pub(crate) nodes: Vec<Node>,
    /// One for each node, in a guided search.
    pub(crate) guides: Vec<Guide>,
    /// Where each layer begins among the nodes, from the first f on.
    pub(crate) layers: Vec<usize>,
    /// The entries that have fresh cells.
    pub(crate) touched: Vec<u32>,
    /// Goal-robot moves to states of later layers, by layer modulo [`WAITING`].
    pub(crate) later: [Vec<Later>; WAITING],
    /// Helper moves to states of later layers, likewise; only a guided search has any.
    pub(crate) waiting: [Vec<Child>; WAITING],
    pub(crate) counters: Counters,
    /// A node from which the target is reached in the least layer that is known.
    pub(crate) found: Option<FoundGoal>,
    /// All such states, where they are collected.
    pub(crate) hits: Vec<Hit>,
}

impl Lists {
    /// Forgets the search before. Room for `kept` elements of each list is kept.
    pub(crate) fn clear(&mut self, kept: usize) {
        clear(&mut self.nodes, kept);
        clear(&mut self.guides, kept);
        self.layers.clear();
        clear(&mut self.touched, kept);
        for later in &mut self.later {
            clear(later, kept);
        }
        for waiting in &mut self.waiting {
            clear(waiting, kept);
        }
        self.counters = Counters::default();
        self.found = None;
        self.hits.clear();
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> u64 {
        let later: usize = self.later.iter().map(Vec::len).sum();
        let waiting: usize = self.waiting.iter().map(Vec::len).sum();
        let bytes = self.nodes.len() * size_of::<Node>()
            + self.guides.len() * size_of::<Guide>()
            + self.touched.len() * size_of::<u32>()
            + later * size_of::<Later>()
            + waiting * size_of::<Child>();
        bytes as u64
    }

    /// Bytes in use with the room that lists have to grow, and with what the nodes of the layer will
    /// take.
    pub(crate) fn bytes_soon(&self) -> u64 {
        let later: usize = self.later.iter().map(Vec::capacity).sum();
        let waiting: usize = self.waiting.iter().map(Vec::capacity).sum();
        let bytes = self.nodes.capacity() * size_of::<Node>()
            + self.guides.capacity() * size_of::<Guide>()
            + self.touched.capacity() * size_of::<u32>()
            + later * size_of::<Later>()
            + waiting * size_of::<Child>()
            + self.touched.len() * (size_of::<Node>() + 2 * size_of::<Later>());
        bytes as u64
    }

    /// The nodes of the layer before the one that is being filled.
    pub(crate) fn layer_before(&self) -> Range<usize> {
        match self.layers[..] {
            [.., begin, end] => begin..end,
            _ => 0..0,
        }
    }

    /// How many layers after the first the layer of a node is.
    pub(crate) fn layer_of(&self, node: usize) -> u32 {
        self.layers.partition_point(|&begin| begin <= node) as u32 - 1
    }

    /// Whether nothing will come: nothing new in the last two layers, and nothing kept for later.
    pub(crate) fn has_ended(&self) -> bool {
        let last_two = self.layers[self.layers.len().saturating_sub(2)];
        self.nodes.len() == last_two
            && self.later.iter().all(Vec::is_empty)
            && self.waiting.iter().all(Vec::is_empty)
    }
}

fn clear<T>(list: &mut Vec<T>, kept: usize) {
    list.clear();
    list.shrink_to(kept);
}

/// A configuration of which a node is to be made.
#[derive(Clone, Copy)]
pub(crate) struct Touched<S> {
    pub(crate) id: u32,
    pub(crate) key: u32,
    /// One more than the number of its node before; 0 if none.
    pub(crate) earlier: u32,
    /// That node if it is of the same layer.
    pub(crate) same_layer: Option<usize>,
    /// Goal-robot cells that are new in this layer.
    pub(crate) fresh: S,
    /// All that have been seen with it, the fresh ones too.
    pub(crate) seen: S,
}

/// A layer that is being filled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LayerPlan {
    pub(crate) f: usize,
    /// Whether to look for the target in the layers behind it.
    pub(crate) lookahead: bool,
    /// Whether to collect all that leads to the target in them, instead of ending with the first.
    pub(crate) collect: bool,
}

/// Makes nodes of a layer.
pub(crate) struct NodeMaker<'a, S> {
    tables: &'a mut Tables,
    enter: [S; 4],
    layer: LayerPlan,
}

impl<'a, S: Set> NodeMaker<'a, S> {
    #[inline(always)]
    pub(crate) fn new(isa: S::Isa, tables: &'a mut Tables, layer: LayerPlan) -> Self {
        let [n, e, s, w] = &tables.enter;
        let enter = [isa.load(n), isa.load(e), isa.load(s), isa.load(w)];
        Self {
            tables,
            enter,
            layer,
        }
    }

    /// What it runs on.
    #[inline(always)]
    pub(crate) fn isa(&self) -> S::Isa {
        self.enter[0].isa()
    }

    /// Makes a node, with the goal-robot moves that lower the bound; the other goal-robot moves are
    /// kept for their layers. Returns what has been seen after it, and whether the target is reached
    /// or, with lookahead, is known to be reached in the next layer.
    #[inline(always)]
    pub(crate) fn make<const N: usize>(&mut self, of: Touched<S>, lists: &mut Lists) -> (S, bool) {
        let Touched {
            id, key, earlier, ..
        } = of;
        let mut moves = GoalMoves {
            tables: self.tables,
            enter: &self.enter,
            helpers: helpers::<N>(key),
        };
        let moved = moves.make(of.fresh, of.seen);
        let cells = moved.all.words();
        // Helper moves of several nodes of a configuration cost more than of one.
        if let Some(node) = of.same_layer.and_then(|node| lists.nodes.get_mut(node)) {
            node.set = self.isa().load(&node.set).or(moved.all).words();
        } else {
            lists.nodes.push(Node {
                set: cells,
                key,
                earlier,
            });
        }
        if !moved.same.is_empty() {
            let goals = moved.same.words();
            lists.later[(self.layer.f + 1) % WAITING].push(Later { goals, id, key });
        }
        if !moved.higher.is_empty() {
            let goals = moved.higher.words();
            lists.later[(self.layer.f + 2) % WAITING].push(Later { goals, id, key });
        }
        let found = FoundGoal {
            f: self.layer.f,
            before: key,
            key,
            cells,
        };
        if !moved.all.and(self.tables.target(self.isa())).is_empty() {
            lists.found = Some(found);
            return (moved.seen, true);
        }
        if self.layer.collect {
            self.collect_ahead::<N>(&moved, key, &mut lists.hits);
            return (moved.seen, false);
        }
        let reached = self.layer.lookahead && self.look_ahead::<N>(&moved, found, &mut lists.found);
        (moved.seen, reached)
    }

    /// Looks for the target in the next two layers, without making them; true if it is in the next.
    #[inline(always)]
    fn look_ahead<const N: usize>(
        &mut self,
        moved: &Moved<S>,
        mut found: FoundGoal,
        known: &mut Option<FoundGoal>,
    ) -> bool {
        if !moved.same.or(moved.higher).is_empty() {
            let may_reach = may_reach_target::<S, N>(self.isa(), self.tables, found.key);
            let same = moved.same.and(may_reach);
            let higher = moved.higher.and(may_reach);
            let mut moves = GoalMoves {
                tables: self.tables,
                enter: &self.enter,
                helpers: helpers::<N>(found.key),
            };
            if !same.is_empty() && moves.reach_target(same) {
                found.f = self.layer.f + 1;
                *known = Some(found);
                return true;
            }
            if known.is_none() && !higher.is_empty() && moves.reach_target(higher) {
                found.f = self.layer.f + 2;
                *known = Some(found);
            }
        }
        let last =
            last_helper_move::<S, N, _>(self.tables, &self.enter, found.key, moved, |_, _| true);
        let Some((key, cells)) = last else {
            return false;
        };
        found.f = self.layer.f + 1;
        found.key = key;
        found.cells = cells.words();
        *known = Some(found);
        true
    }

    /// Collects the states of the next two layers that one move leads to from a node, and lowering
    /// moves alone from there to the target.
    #[inline(always)]
    fn collect_ahead<const N: usize>(&mut self, moved: &Moved<S>, key: u32, hits: &mut Vec<Hit>) {
        let (isa, f) = (self.isa(), self.layer.f);
        let may_reach = may_reach_target::<S, N>(isa, self.tables, key);
        for (cells, f) in [(moved.same, f + 1), (moved.higher, f + 2)] {
            let cells = cells.and(may_reach);
            if !cells.is_empty() {
                self.collect::<N>(f, key, cells, hits);
            }
        }
        let before = hits.len();
        // Where a helper's move leads to the target, with which cells has to be asked one by one.
        last_helper_move::<S, N, _>(self.tables, &self.enter, key, moved, |key, cells| {
            hits.extend(cells_of(cells.words()).map(|cell| Hit {
                f: f + 1,
                key,
                cell,
            }));
            false
        });
        for hit in hits.split_off(before) {
            let cell = isa.load(&BITS[usize::from(hit.cell)]);
            self.collect::<N>(hit.f, hit.key, cell, hits);
        }
    }

    /// Those of the cells from which lowering moves lead to the target.
    #[inline(always)]
    fn collect<const N: usize>(&mut self, f: usize, key: u32, cells: S, hits: &mut Vec<Hit>) {
        let isa = self.isa();
        let mut moves = GoalMoves {
            tables: self.tables,
            enter: &self.enter,
            helpers: helpers::<N>(key),
        };
        if moves.reach_target(cells) {
            for cell in cells_of(cells.words()) {
                if moves.reach_target(isa.load(&BITS[usize::from(cell)])) {
                    hits.push(Hit { f, key, cell });
                }
            }
        }
    }
}
