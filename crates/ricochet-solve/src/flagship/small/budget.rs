//! The limits of a search, which all its shards share.

use super::frontier::{MOST_CHILDREN, MOST_NODES};
use super::shard::Shard;
use super::tables::Tables;
use super::visited::BATCH;
use crate::{Limit, Limits, Meter};

/// The limits of a search.
pub(crate) struct SearchBudget<'a> {
    limits: &'a Limits,
    pub(super) meter: &'a Meter,
    /// The use of other searches for the same task.
    elsewhere: Used,
}

/// The use of a search, or of a part of it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Used {
    /// Children made.
    pub(crate) children: u64,
    pub(crate) bytes: u64,
    /// The number of nodes in the largest shard.
    pub(crate) nodes: usize,
}

impl Used {
    /// The use of a shard, including the bytes of the children it sends.
    pub(super) fn by(shard: &Shard, sending: u64) -> Self {
        Self {
            children: shard.frontier.counters.generated,
            bytes: shard.bytes_soon() + shard.plans_bytes() + sending,
            nodes: shard.frontier.nodes.len(),
        }
    }
}

impl std::iter::Sum for Used {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(Self::default(), |all, part| Self {
            children: all.children + part.children,
            bytes: all.bytes + part.bytes,
            nodes: all.nodes.max(part.nodes),
        })
    }
}

impl<'a> SearchBudget<'a> {
    /// The budget of a search that is the only one for its task.
    pub(super) fn new(limits: &'a Limits, meter: &'a Meter) -> Self {
        Self::beside(limits, meter, Used::default())
    }

    /// The budget of one of several searches for the same task.
    pub(crate) fn beside(limits: &'a Limits, meter: &'a Meter, elsewhere: Used) -> Self {
        Self {
            limits,
            meter,
            elsewhere,
        }
    }

    /// Fails if the search has used more children, bytes or nodes than it may. The meter checks the
    /// time.
    pub(super) fn check(&self, used: &Used) -> Result<(), Limit> {
        let children = used.children + self.elsewhere.children;
        if children > self.limits.nodes.unwrap_or(u64::MAX) {
            return Err(Limit::Nodes);
        }
        let bytes = used.bytes + self.elsewhere.bytes + Tables::BYTES;
        if bytes > self.limits.memory.unwrap_or(u64::MAX)
            || used.nodes > MOST_NODES - 2 * BATCH * MOST_CHILDREN
        {
            return Err(Limit::Memory);
        }
        Ok(())
    }
}
