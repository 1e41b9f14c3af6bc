//! Children on their way from the node that made them to the shard that owns them.

use super::helpers::HelperKey;
use crate::flagship::threads::{Outbox, Parcel};
use crate::lowlevel::word_set::WordSet;

/// A configuration with goal-robot cells, some of which may be new to it.
#[derive(Clone, Copy)]
pub(crate) struct WideChild<K> {
    pub(crate) key: K,
    pub(crate) hash: u64,
    /// The index of the set of its cells.
    set: u32,
}

/// Children for one owner, and their sets of cells.
pub(crate) struct WideParcel<const W: usize, K> {
    pub(crate) children: Vec<WideChild<K>>,
    sets: Vec<WordSet<W>>,
    /// The index of the set of the node whose children are being made. Nearly all of them have all
    /// its cells, so they share a set.
    whole: Option<u32>,
}

impl<const W: usize, K> Default for WideParcel<W, K> {
    fn default() -> Self {
        Self {
            children: Vec::new(),
            sets: Vec::new(),
            whole: None,
        }
    }
}

impl<const W: usize, K: HelperKey> Parcel for WideParcel<W, K> {
    fn clear(&mut self) {
        self.children.clear();
        self.sets.clear();
        self.whole = None;
    }

    fn bytes(&self) -> u64 {
        let bytes = self.sets.capacity() * size_of::<WordSet<W>>()
            + self.children.capacity() * size_of::<WideChild<K>>();
        bytes as u64
    }
}

impl<const W: usize, K> WideParcel<W, K> {
    #[inline]
    pub(crate) fn set_of(&self, child: &WideChild<K>) -> &WordSet<W> {
        &self.sets[child.set as usize]
    }

    #[inline]
    fn add_set(&mut self, goals: &WordSet<W>) -> u32 {
        self.sets.push(*goals);
        self.sets.len() as u32 - 1
    }
}

/// The shard that owns a configuration, out of this many. Its slot in the owner's table depends on
/// other bits of the hash.
#[inline]
pub(crate) fn owner(hash: u64, shards: usize) -> usize {
    (((hash >> 32) * shards as u64) >> 32) as usize
}

impl<const W: usize, K: HelperKey> Outbox<WideParcel<W, K>> {
    /// Must be called before making the children of another node.
    #[inline]
    pub(crate) fn begin_node(&mut self) {
        for parcel in &mut self.parcels {
            parcel.whole = None;
        }
    }

    /// Adds a child that has all cells of its node.
    #[inline]
    pub(crate) fn push_whole(&mut self, key: K, goals: &WordSet<W>) {
        let hash = key.hash();
        let parcel = self.parcel_for(hash);
        let set = parcel.whole.unwrap_or_else(|| parcel.add_set(goals));
        parcel.whole = Some(set);
        parcel.children.push(WideChild { key, hash, set });
    }

    /// Adds a child with its own set of cells.
    #[inline]
    pub(crate) fn push(&mut self, key: K, goals: &WordSet<W>) {
        let hash = key.hash();
        let parcel = self.parcel_for(hash);
        let set = parcel.add_set(goals);
        parcel.children.push(WideChild { key, hash, set });
    }

    #[inline]
    fn parcel_for(&mut self, hash: u64) -> &mut WideParcel<W, K> {
        let owner = owner(hash, self.parcels.len());
        &mut self.parcels[owner]
    }
}
