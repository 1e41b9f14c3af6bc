//! The limits of a search, which all its threads look at.

use super::children::MOST_CHILDREN;
use super::configurations::BATCH;
use super::nodes::MOST_NODES;
use super::tables::Tables;
use crate::{Limit, Limits, Meter};

/// What limits a search.
pub(crate) struct SharedBudget<'a> {
    pub(super) limits: &'a Limits,
    pub(super) meter: &'a Meter,
    /// Children and bytes of other searches for the same answer.
    pub(super) elsewhere: (u64, u64),
}

impl<'a> SharedBudget<'a> {
    /// For a search that is the only one.
    pub(super) fn new(limits: &'a Limits, meter: &'a Meter) -> Self {
        Self {
            limits,
            meter,
            elsewhere: (0, 0),
        }
    }

    /// Asked now and then, with the number of children and bytes and the highest number of a node; an
    /// error ends the search.
    #[inline]
    pub(crate) fn check(&self, children: u64, bytes: u64, nodes: usize) -> Result<(), Limit> {
        let (more_children, more_bytes) = self.elsewhere;
        if children + more_children > self.limits.nodes.unwrap_or(u64::MAX) {
            return Err(Limit::Nodes);
        }
        if bytes + more_bytes + Tables::BYTES > self.limits.memory.unwrap_or(u64::MAX)
            || nodes > MOST_NODES - 2 * BATCH * MOST_CHILDREN
        {
            return Err(Limit::Memory);
        }
        self.meter.check()
    }
}
