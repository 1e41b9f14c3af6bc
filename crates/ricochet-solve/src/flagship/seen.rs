//! Which states have been generated: one set of goal-robot cells for each helper configuration.

use super::config::{CONFIGS_OF_THREE, index_of_three};
use super::pages::Zeroed;
use super::prefetch::prefetch;

/// A table from configurations to what is known of them.
pub(crate) trait Seen {
    /// Where the configuration is; fetches it into the cache. The hint stays good until the entry
    /// is asked for, even if the table grows.
    fn hint(&self, key: u32) -> u32;

    /// The goal-robot cells seen with a configuration, none if it is new, and one more than the
    /// number of its latest node.
    fn entry(&mut self, key: u32, hint: u32) -> (&mut [u64; 4], &mut u32);

    /// One more than the number of the configuration's latest node; 0 if there is none.
    fn latest(&self, key: u32) -> u32;

    /// Bytes in use.
    fn bytes(&self) -> u64;

    /// Bytes in use, or that it will take to grow if it will have to soon.
    fn bytes_soon(&self) -> u64 {
        self.bytes()
    }
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    set: [u64; 4],
    key: u32,
    latest: u32,
}

const FREE: Slot = Slot {
    set: [0; 4],
    key: EMPTY,
    latest: 0,
};

/// No configuration: it would have several helpers on one cell, or one on a cell beyond 255.
const EMPTY: u32 = u32::MAX;

/// Grows with the search: for short searches, and for more than three helpers.
#[derive(Debug)]
pub(crate) struct Hashed {
    slots: Vec<Slot>,
    shift: u32,
    len: usize,
}

const FIRST_LOG: u32 = 9;

impl Hashed {
    pub(crate) fn new() -> Self {
        Self {
            slots: vec![FREE; 1 << FIRST_LOG],
            shift: 32 - FIRST_LOG,
            len: 0,
        }
    }

    /// Number of configurations.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Forgets everything. A table that has grown is shrunk: the next search may be an easy one,
    /// and clearing costs time.
    pub(crate) fn clear(&mut self) {
        self.slots.truncate(1 << FIRST_LOG);
        if self.slots.capacity() > 1 << 16 {
            self.slots.shrink_to_fit();
        }
        self.slots.fill(FREE);
        self.shift = 32 - FIRST_LOG;
        self.len = 0;
    }

    /// Whether the next new configuration makes it grow.
    pub(crate) fn is_full(&self) -> bool {
        self.len * 2 >= self.slots.len()
    }

    fn iter(&self) -> impl Iterator<Item = &Slot> {
        self.slots.iter().filter(|slot| slot.key != EMPTY)
    }

    #[cold]
    fn grow(&mut self) {
        let log = self.slots.len().ilog2() + 1;
        let old = std::mem::replace(&mut self.slots, vec![FREE; 1 << log]);
        self.shift = 32 - log;
        for slot in old {
            if slot.key != EMPTY {
                let at = self.find(slot.key, hash(slot.key));
                self.slots[at] = slot;
            }
        }
    }

    /// The slot of a key, or the free one where it belongs.
    #[inline(always)]
    fn find(&self, key: u32, hash: u32) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = (hash >> self.shift) as usize & mask;
        loop {
            let here = self.slots[at].key;
            if here == key || here == EMPTY {
                return at;
            }
            at = (at + 1) & mask;
        }
    }
}

#[inline(always)]
fn hash(key: u32) -> u32 {
    // Fibonacci hashing of a mixed key: the high bits depend on all bytes.
    (key ^ key >> 15).wrapping_mul(0x9e37_79b1)
}

impl Seen for Hashed {
    #[inline(always)]
    fn hint(&self, key: u32) -> u32 {
        let hash = hash(key);
        prefetch(&self.slots, (hash >> self.shift) as usize);
        hash
    }

    #[inline(always)]
    fn entry(&mut self, key: u32, hash: u32) -> (&mut [u64; 4], &mut u32) {
        let mut at = self.find(key, hash);
        if self.slots[at].key == EMPTY {
            if self.is_full() {
                self.grow();
                at = self.find(key, hash);
            }
            self.slots[at].key = key;
            self.len += 1;
        }
        let slot = &mut self.slots[at];
        (&mut slot.set, &mut slot.latest)
    }

    fn latest(&self, key: u32) -> u32 {
        self.slots[self.find(key, hash(key))].latest
    }

    fn bytes(&self) -> u64 {
        (self.slots.len() * size_of::<Slot>()) as u64
    }

    fn bytes_soon(&self) -> u64 {
        // While it grows it holds the old slots and twice as many new ones.
        let soon_full = self.len * 16 >= self.slots.len() * 7;
        self.bytes() * if soon_full { 3 } else { 1 }
    }
}

/// One set for each of the 2.8 million configurations of three helpers: for long searches.
#[derive(Debug)]
pub(crate) struct Direct {
    /// Four words a configuration.
    words: Zeroed<u64>,
    latest: Zeroed<u32>,
}

impl Direct {
    /// Bytes that it takes.
    pub(crate) const BYTES: u64 =
        (CONFIGS_OF_THREE * (size_of::<[u64; 4]>() + size_of::<u32>())) as u64;

    pub(crate) fn new() -> Self {
        Self {
            words: Zeroed::new(4 * CONFIGS_OF_THREE),
            latest: Zeroed::new(CONFIGS_OF_THREE),
        }
    }

    /// Takes over what a hashed table has.
    pub(crate) fn take_over(&mut self, hashed: &Hashed) {
        for slot in hashed.iter() {
            let index = index_of_three(slot.key);
            self.sets()[index] = slot.set;
            self.latest.as_mut()[index] = slot.latest;
        }
    }

    #[inline(always)]
    fn sets(&mut self) -> &mut [[u64; 4]] {
        self.words.as_mut().as_chunks_mut().0
    }

    /// Forgets one configuration.
    #[inline(always)]
    pub(crate) fn forget(&mut self, key: u32) {
        let index = index_of_three(key);
        self.sets()[index] = [0; 4];
        self.latest.as_mut()[index] = 0;
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.words.as_mut().fill(0);
        self.latest.as_mut().fill(0);
    }
}

impl Seen for Direct {
    #[inline(always)]
    fn hint(&self, key: u32) -> u32 {
        let index = index_of_three(key);
        prefetch(self.words.as_ref(), 4 * index);
        index as u32
    }

    #[inline(always)]
    fn entry(&mut self, _key: u32, index: u32) -> (&mut [u64; 4], &mut u32) {
        let index = index as usize;
        (
            &mut self.words.as_mut().as_chunks_mut().0[index],
            &mut self.latest.as_mut()[index],
        )
    }

    fn latest(&self, key: u32) -> u32 {
        self.latest.as_ref()[index_of_three(key)]
    }

    fn bytes(&self) -> u64 {
        Self::BYTES
    }
}
