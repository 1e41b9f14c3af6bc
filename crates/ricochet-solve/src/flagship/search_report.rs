//! How a set search ended, and what it did.

use ricochet_core::Solution;

use super::nodes::Counters;
use crate::{DepthRow, Limit, Stats};

/// How a set search ended.
pub(crate) enum SearchEnd {
    Solved(Solution),
    Unsolvable,
    Limit { limit: Limit, lower_bound: u32 },
}

/// What a set search did.
#[derive(Debug, Default)]
pub(crate) struct SearchReport {
    pub(crate) counters: Counters,
    pub(crate) stored: u64,
    pub(crate) peak_bytes: u64,
    pub(crate) rows: Vec<DepthRow>,
}

impl SearchReport {
    pub(crate) fn into_stats(self, stats: &mut Stats) {
        stats.nodes = self.counters.generated;
        stats.generated = self.counters.generated;
        stats.hits = self.counters.hits;
        stats.expanded = self.counters.expanded;
        stats.inner = self.stored;
        stats.stored = self.stored;
        stats.peak_bytes = self.peak_bytes;
        stats.rows = self.rows;
    }
}
