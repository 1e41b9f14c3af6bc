//! The nodes of a search, and its deferred moves.

use std::ops::Range;

use crate::flagship::task::Counters;
use crate::lowlevel::instructions::InstructionSet;
use crate::lowlevel::set::Set;

/// A configuration with the goal-robot cells that are new to it in one layer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The goal-robot cells.
    pub(super) cells: [u64; 4],
    /// The helpers, see [`super::key`].
    pub(super) key: u32,
    /// One more than the index of the configuration's previous node; 0 if there is none.
    pub(super) earlier: u32,
}

/// The most nodes that one shard of a search can have.
pub(super) const MAX_NODES: usize = u32::MAX as usize - 1;

/// A child: a configuration with goal-robot cells, some of which may have been seen with it
/// already.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Child {
    pub(super) cells: [u64; 4],
    pub(super) key: u32,
}

/// Goal-robot cells that deferred goal-robot moves lead to, in the same configuration.
#[derive(Clone, Copy, Debug)]
pub(super) struct DeferredGoalMoves {
    pub(super) cells: [u64; 4],
    /// The index of the configuration's entry.
    pub(super) id: u32,
}

/// A node from which goal-robot moves alone, perhaps after one helper move, lead to the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SolvedNode {
    /// The layer of the target: the length of the solution.
    pub(crate) f: usize,
    /// The node's helpers.
    pub(super) before: u32,
    /// The helpers after their move; the same if there is none.
    pub(super) key: u32,
    /// The goal-robot cells of the node from which the target may be reached.
    pub(super) cells: [u64; 4],
}

/// A state from which lowering moves alone lead to the target. It is in a layer that has not been
/// filled yet or, with plans, it has the target already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TargetHit {
    /// The layer: the length of the solutions through this state.
    pub(super) f: usize,
    pub(super) key: u32,
    pub(super) cell: u8,
}

/// More layers than any move leads ahead.
pub(super) const DEFERRED_LAYERS: usize = 8;

/// The nodes of all layers, and the deferred moves.
#[derive(Debug, Default)]
pub(super) struct Frontier {
    pub(super) nodes: Vec<Node>,
    /// With plans, the index of the entry of each node's configuration.
    pub(super) ids: Vec<u32>,
    /// The index of each layer's first node.
    pub(super) layers: Vec<usize>,
    /// The touched configurations, by the indices of their entries.
    pub(super) touched: Vec<u32>,
    /// Deferred goal-robot moves, by layer modulo [`DEFERRED_LAYERS`].
    pub(super) deferred_goal_moves: [Vec<DeferredGoalMoves>; DEFERRED_LAYERS],
    /// Deferred helper moves, by layer modulo [`DEFERRED_LAYERS`]; only a search with plans defers
    /// helper moves.
    pub(super) deferred_helper_moves: [Vec<Child>; DEFERRED_LAYERS],
    pub(super) counters: Counters,
    /// The node with the shortest solution found so far.
    pub(super) solved: Option<SolvedNode>,
    /// All target hits, if the task asks for them.
    pub(super) hits: Vec<TargetHit>,
}

/// A touched configuration, for which a node is to be made.
#[derive(Clone, Copy)]
pub(super) struct TouchedConfiguration<S> {
    pub(super) id: u32,
    pub(super) key: u32,
    /// One more than the index of its latest node; 0 if there is none.
    pub(super) latest: u32,
    pub(super) fresh: S,
    /// All cells seen with it, including the fresh ones.
    pub(super) seen: S,
}

impl Frontier {
    /// Forgets the previous search. Keeps the capacity for `kept` elements of each list.
    pub(super) fn clear(&mut self, kept: usize) {
        clear(&mut self.nodes, kept);
        clear(&mut self.ids, kept);
        clear(&mut self.touched, kept);
        self.deferred_goal_moves
            .iter_mut()
            .for_each(|list| clear(list, kept));
        self.deferred_helper_moves
            .iter_mut()
            .for_each(|list| clear(list, kept));
        self.layers.clear();
        self.hits.clear();
        self.counters = Counters::default();
        self.solved = None;
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> u64 {
        let numbers = self.ids.len() + self.touched.len();
        self.bytes_by(self.nodes.len(), numbers, Vec::len, Vec::len)
    }

    /// Bytes in use, including the spare capacity of lists and the nodes that touched
    /// configurations will take.
    pub(super) fn bytes_soon(&self) -> u64 {
        let numbers = self.ids.capacity() + self.touched.capacity();
        let nodes = self.nodes.capacity();
        let held = self.bytes_by(nodes, numbers, Vec::capacity, Vec::capacity);
        let soon = self.touched.len() * (size_of::<Node>() + 2 * size_of::<DeferredGoalMoves>());
        held + soon as u64
    }

    fn bytes_by(
        &self,
        nodes: usize,
        numbers: usize,
        goal_moves: impl Fn(&Vec<DeferredGoalMoves>) -> usize,
        helper_moves: impl Fn(&Vec<Child>) -> usize,
    ) -> u64 {
        let goal_moves: usize = self.deferred_goal_moves.iter().map(goal_moves).sum();
        let helper_moves: usize = self.deferred_helper_moves.iter().map(helper_moves).sum();
        let bytes = nodes * size_of::<Node>()
            + numbers * size_of::<u32>()
            + goal_moves * size_of::<DeferredGoalMoves>()
            + helper_moves * size_of::<Child>();
        bytes as u64
    }

    /// Begins a layer.
    pub(super) fn begin_layer(&mut self) {
        self.layers.push(self.nodes.len());
    }

    /// The nodes of the layer before the one that is being filled.
    pub(super) fn previous_layer(&self) -> Range<usize> {
        match self.layers[..] {
            [.., begin, end] => begin..end,
            _ => 0..0,
        }
    }

    /// The first node of the layer that is being filled.
    #[inline(always)]
    pub(super) fn layer_begin(&self) -> usize {
        self.layers.last().copied().unwrap_or(0)
    }

    /// The layer of a node, counted from the first layer.
    pub(super) fn layer_of(&self, node: usize) -> u32 {
        self.layers.partition_point(|&begin| begin <= node) as u32 - 1
    }

    /// Whether no state is left: nothing new in the last two layers, and nothing deferred.
    pub(super) fn is_exhausted(&self) -> bool {
        let last_two = self.layers[self.layers.len().saturating_sub(2)];
        self.nodes.len() == last_two
            && self.deferred_goal_moves.iter().all(Vec::is_empty)
            && self.deferred_helper_moves.iter().all(Vec::is_empty)
    }

    /// Adds cells to the configuration's node of this layer, or makes that node: with one node per
    /// configuration and layer, the next layer makes its helper moves only once. Defers goal-robot
    /// moves that lead `1 + i` layers ahead. Returns one more than the index of the configuration's
    /// latest node.
    #[inline(always)]
    pub(super) fn add_node<S: Set, const KEEP_ID: bool>(
        &mut self,
        touched: &TouchedConfiguration<S>,
        f: usize,
        cells: S,
        deferred: &[S],
    ) -> u32 {
        let latest = touched.latest as usize;
        let in_this_layer = latest > self.layer_begin();
        if let Some(node) = latest.checked_sub(1).filter(|_| in_this_layer)
            && let Some(node) = self.nodes.get_mut(node)
        {
            node.cells = cells.isa().load(&node.cells).or(cells).words();
        } else {
            self.nodes.push(Node {
                cells: cells.words(),
                key: touched.key,
                earlier: touched.latest,
            });
            if KEEP_ID {
                self.ids.push(touched.id);
            }
        }
        for (i, &cells) in deferred.iter().enumerate() {
            if !cells.is_empty() {
                let (cells, id) = (cells.words(), touched.id);
                self.deferred_goal_moves[(f + 1 + i) % DEFERRED_LAYERS]
                    .push(DeferredGoalMoves { cells, id });
            }
        }
        if in_this_layer {
            touched.latest
        } else {
            self.nodes.len() as u32
        }
    }
}

pub(super) fn clear<T>(list: &mut Vec<T>, kept: usize) {
    list.clear();
    list.shrink_to(kept);
}

/// No node makes more children than this in one layer: one for each of 16 helper moves, and one for
/// each goal-robot cell that stops a helper on one of at most 15 cells of its path.
pub(super) const MAX_CHILDREN: usize = 16 + 16 * 15;

/// Children that are being made. There is always room for the children of one more node, so that a
/// child can be written before it is known whether it counts.
#[derive(Debug, Default)]
pub(super) struct Children {
    list: Vec<Child>,
    len: usize,
}

impl Children {
    /// Makes room for the children of one node.
    #[inline(always)]
    pub(super) fn begin_node(&mut self) {
        // The one extra is for a child that is written but does not count.
        if self.list.len() <= self.len + MAX_CHILDREN {
            self.grow();
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        let room = 2 * (self.len + MAX_CHILDREN);
        self.list.resize(room, Child::default());
    }

    #[inline(always)]
    pub(super) fn push(&mut self, child: Child) {
        self.push_if(true, child);
    }

    /// Adds a child if it `counts`, without a branch.
    #[inline(always)]
    pub(super) fn push_if(&mut self, counts: bool, child: Child) {
        self.list[self.len] = child;
        self.len += usize::from(counts);
    }

    #[inline(always)]
    pub(super) fn as_slice(&self) -> &[Child] {
        &self.list[..self.len]
    }

    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.list.capacity() * size_of::<Child>()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn has_room_for_the_children_of_any_number_of_nodes() {
        let mut children = Children::default();
        let child = |key| Child { cells: [7; 4], key };
        for node in 0..5 {
            children.begin_node();
            for key in 0..MAX_CHILDREN as u32 {
                children.push_if(key % 3 == 0, child(node));
                children.push_if(false, child(9));
            }
        }
        let keys = children.as_slice().iter().map(|child| child.key);
        let each = MAX_CHILDREN.div_ceil(3);
        assert!(keys.eq((0..5).flat_map(|node| vec![node; each])));
        children.clear();
        assert!(children.as_slice().is_empty());
    }
}
