//! The nodes of a search, and what waits to become one.

/// A helper configuration with goal-robot cells that are new to it in one layer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// The goal-robot cells.
    pub(crate) set: [u64; 4],
    /// The helpers, see [`super::config`].
    pub(crate) key: u32,
    /// One more than the number of the same configuration's node before this one; 0 if none.
    pub(crate) earlier: u32,
}

/// What a guided search knows of a node beside it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guide {
    /// The number of its configuration.
    pub(crate) id: u32,
}

/// The most nodes that a search may have.
pub(crate) const MOST_NODES: usize = u32::MAX as usize - 1;

/// A child: goal-robot cells, some of which may be new to the configuration.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Child {
    pub(crate) goals: [u64; 4],
    pub(crate) key: u32,
}

/// Cells that goal-robot moves reach in a later layer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Later {
    pub(crate) goals: [u64; 4],
    /// The number of the configuration's entry.
    pub(crate) id: u32,
    pub(crate) key: u32,
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
