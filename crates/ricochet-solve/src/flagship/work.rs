//! What a search has besides its table: nodes, moves kept for later layers, counters.

use super::nodes::Node;
use super::set::first_cell;
use super::tables::HelperMove;

/// Which prunings are on; all by default. Each can be turned off to test it, and to measure it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Prunings {
    /// Begin a layer with the relevant helper moves only.
    pub(crate) lookahead: bool,
    /// After a helper move, make only goal-robot moves that depend on it.
    pub(crate) goal_order: bool,
    /// Of two independent helper moves, make the one from the lower cell first.
    pub(crate) helper_order: bool,
}

impl Default for Prunings {
    fn default() -> Self {
        Self {
            lookahead: true,
            goal_order: true,
            helper_order: true,
        }
    }
}

/// Counters of one search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counters {
    /// Children made.
    pub(crate) generated: u64,
    /// Children of which nothing was new.
    pub(crate) hits: u64,
    /// Nodes whose helper moves were made.
    pub(crate) expanded: u64,
}

/// A child with one goal-robot cell.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Single {
    pub(super) key: u32,
    pub(super) hint: u32,
    pub(super) goal: u8,
    /// The helper move that made it; one that goes nowhere stands for a goal-robot move.
    pub(super) step: HelperMove,
}

/// A child with several goal-robot cells.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Multi {
    pub(super) goals: [u64; 4],
    pub(super) key: u32,
    pub(super) hint: u32,
    pub(super) step: HelperMove,
}

/// Goal-robot moves that lead to a later layer.
#[derive(Debug, Default)]
pub(crate) struct Later {
    pub(super) singles: Vec<Single>,
    pub(super) multis: Vec<Multi>,
}

impl Later {
    /// Adds `cells` cells; if some are counted twice that costs a little time, no more.
    #[inline(always)]
    fn add(&mut self, key: u32, goals: [u64; 4], cells: u32) {
        match cells {
            0 => {}
            1 => self.singles.push(Single {
                key,
                goal: first_cell(&goals),
                ..Single::default()
            }),
            _ => self.multis.push(Multi {
                goals,
                key,
                ..Multi::default()
            }),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.singles.is_empty() && self.multis.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        self.singles.clear();
        self.multis.clear();
    }

    pub(crate) fn bytes(&self) -> u64 {
        (self.singles.len() * size_of::<Single>() + self.multis.len() * size_of::<Multi>()) as u64
    }
}

/// What a search has besides its table, apart so that both can be borrowed.
#[derive(Debug)]
pub(crate) struct Work {
    pub(crate) nodes: Vec<Node>,
    /// Goal-robot moves to states of later layers, by layer modulo 4.
    pub(super) later: [Later; 4],
    /// The layer that is being filled, and where it begins in `nodes`.
    pub(super) f: usize,
    pub(super) layer: usize,
    pub(crate) prunings: Prunings,
    pub(crate) counters: Counters,
    /// The helpers with which the target was reached.
    pub(crate) found: Option<u32>,
}

impl Work {
    pub(crate) fn new() -> Self {
        Self {
            nodes: Vec::new(),
            later: Default::default(),
            f: 0,
            layer: 0,
            prunings: Prunings::default(),
            counters: Counters::default(),
            found: None,
        }
    }

    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.later.iter_mut().for_each(Later::clear);
        self.counters = Counters::default();
        self.found = None;
    }

    pub(crate) fn bytes(&self) -> u64 {
        let later: u64 = self.later.iter().map(Later::bytes).sum();
        (self.nodes.len() * size_of::<Node>()) as u64 + later
    }

    /// Adds new goal-robot cells to the node that the configuration has in this layer.
    #[inline(always)]
    pub(super) fn add_to_layer(&mut self, latest: &mut u32, key: u32, set: [u64; 4], skip: u32) {
        if *latest as usize > self.layer {
            self.nodes[*latest as usize - 1].merge(set, skip);
        } else {
            self.nodes.push(Node::new(set, key, *latest, skip));
            *latest = self.nodes.len() as u32;
        }
    }

    /// Keeps goal-robot moves for a later layer.
    #[inline(always)]
    pub(super) fn keep(&mut self, key: u32, goals: [u64; 4], cells: u32, layers_on: usize) {
        self.later[(self.f + layers_on) % 4].add(key, goals, cells);
    }

    /// Whether nothing is kept for later layers.
    pub(crate) fn nothing_later(&self) -> bool {
        self.later.iter().all(Later::is_empty)
    }
}
