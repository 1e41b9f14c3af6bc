//! Children on their way from the node that made them to the shard that owns them.

use super::helpers::HelperKey;
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
pub(crate) struct Parcel<const W: usize, K> {
    pub(crate) children: Vec<WideChild<K>>,
    sets: Vec<WordSet<W>>,
}

impl<const W: usize, K> Parcel<W, K> {
    pub(crate) fn new() -> Self {
        Self {
            children: Vec::new(),
            sets: Vec::new(),
        }
    }

    #[inline]
    pub(crate) fn set_of(&self, child: &WideChild<K>) -> &WordSet<W> {
        &self.sets[child.set as usize]
    }

    pub(crate) fn clear(&mut self) {
        self.children.clear();
        self.sets.clear();
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> u64 {
        let bytes = self.sets.capacity() * size_of::<WordSet<W>>()
            + self.children.capacity() * size_of::<WideChild<K>>();
        bytes as u64
    }
}

/// Children of nodes, grouped by owner.
pub(crate) struct Children<const W: usize, K> {
    pub(crate) parcels: Vec<Parcel<W, K>>,
    /// By owner: the index of the set of the node whose children are being made. Nearly all of them
    /// have all its cells, so they share a set.
    whole: Vec<Option<u32>>,
}

impl<const W: usize, K: HelperKey> Children<W, K> {
    /// No children yet, for this many owners.
    pub(crate) fn new(owners: usize) -> Self {
        Self {
            parcels: (0..owners).map(|_| Parcel::new()).collect(),
            whole: vec![None; owners],
        }
    }

    /// The owner of a configuration, out of this many. Its slot in the owner's table depends on
    /// other bits of the hash.
    #[inline]
    pub(crate) fn owner(hash: u64, owners: usize) -> usize {
        (((hash >> 32) * owners as u64) >> 32) as usize
    }

    /// Must be called before making the children of another node, or filling new parcels.
    #[inline]
    pub(crate) fn begin_node(&mut self) {
        self.whole.fill(None);
    }

    /// Adds a child that has all cells of its node.
    #[inline]
    pub(crate) fn put_whole(&mut self, key: K, goals: &WordSet<W>) {
        let hash = key.hash();
        let owner = Self::owner(hash, self.parcels.len());
        let parcel = &mut self.parcels[owner];
        let set = *self.whole[owner].get_or_insert_with(|| {
            parcel.sets.push(*goals);
            parcel.sets.len() as u32 - 1
        });
        parcel.children.push(WideChild { key, hash, set });
    }

    /// Adds a child with its own set of cells.
    #[inline]
    pub(crate) fn put(&mut self, key: K, goals: &WordSet<W>) {
        let hash = key.hash();
        let owner = Self::owner(hash, self.parcels.len());
        let parcel = &mut self.parcels[owner];
        let set = parcel.sets.len() as u32;
        parcel.sets.push(*goals);
        parcel.children.push(WideChild { key, hash, set });
    }
}
