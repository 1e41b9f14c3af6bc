//! The nodes of a search.

/// A helper configuration with the goal-robot cells that are new to it in one layer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// The goal-robot cells.
    pub(crate) set: [u64; 4],
    /// The helpers, see [`super::config`].
    pub(crate) key: u32,
    /// In the low 28 bits one more than the number of the same configuration's node in an earlier
    /// layer, 0 if none; above them a bit for each helper whose moves need not be made.
    earlier_and_skip: u32,
}

const EARLIER_BITS: u32 = 28;

impl Node {
    #[inline(always)]
    pub(crate) fn new(set: [u64; 4], key: u32, earlier: u32, skip: u32) -> Self {
        Self {
            set,
            key,
            earlier_and_skip: earlier | skip << EARLIER_BITS,
        }
    }

    /// One more than the number of the same configuration's node in an earlier layer; 0 if none.
    pub(crate) fn earlier(&self) -> u32 {
        self.earlier_and_skip & ((1 << EARLIER_BITS) - 1)
    }

    /// A bit for each helper whose moves need not be made.
    #[inline(always)]
    pub(crate) fn skip(&self) -> u32 {
        self.earlier_and_skip >> EARLIER_BITS
    }

    /// Adds cells, for which other helpers may be skipped.
    #[inline(always)]
    pub(crate) fn merge(&mut self, set: [u64; 4], skip: u32) {
        for (all, new) in self.set.iter_mut().zip(set) {
            *all |= new;
        }
        self.earlier_and_skip &= skip << EARLIER_BITS | ((1 << EARLIER_BITS) - 1);
    }
}

/// The most nodes that a search may have.
pub(crate) const MOST_NODES: usize = (1 << EARLIER_BITS) - 2;
