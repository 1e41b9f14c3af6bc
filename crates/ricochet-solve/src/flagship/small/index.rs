//! From a configuration to the index of its entry.

use super::key::{CONFIGS_OF_THREE, index_of_three};
use crate::lowlevel::pages::Zeroed;
use crate::lowlevel::prefetch::prefetch;

/// A hash table that grows with the search or, for long searches with three helpers, a table of all
/// configurations.
#[derive(Debug)]
pub(super) struct ConfigurationIndex {
    hashed: Hashed,
    /// One more than the index of the entry; 0 if there is none.
    direct: Option<Zeroed<u32>>,
    direct_in_use: bool,
}

impl ConfigurationIndex {
    /// Bytes of the table of all configurations.
    pub(super) const DIRECT_BYTES: u64 = (CONFIGS_OF_THREE * size_of::<u32>()) as u64;

    pub(super) fn new() -> Self {
        Self {
            hashed: Hashed::new(),
            direct: None,
            direct_in_use: false,
        }
    }

    /// Forgets everything; `keys` are all keys that were inserted.
    pub(super) fn clear(&mut self, keys: impl Iterator<Item = u32>) {
        if self.direct_in_use {
            let direct = self.direct.as_mut().expect("in use").as_mut();
            for key in keys {
                direct[index_of_three(key)] = 0;
            }
            self.direct_in_use = false;
        }
        self.hashed.clear();
    }

    /// Forgets everything and frees large tables.
    pub(super) fn free(&mut self) {
        self.direct = None;
        self.direct_in_use = false;
        self.hashed.clear();
    }

    /// Bytes allocated, in use or not.
    #[cfg(test)]
    pub(super) fn bytes_kept(&self) -> u64 {
        let direct = self.direct.as_ref().map_or(0, |_| Self::DIRECT_BYTES);
        direct + (self.hashed.slots.capacity() * size_of::<u64>()) as u64
    }

    /// Switches to the table of all configurations; `keys` are all keys that were inserted, in
    /// order.
    pub(super) fn go_direct(&mut self, keys: impl Iterator<Item = u32>) {
        let direct = self
            .direct
            .get_or_insert_with(|| Zeroed::on_huge_pages(CONFIGS_OF_THREE));
        for (id, key) in keys.enumerate() {
            direct.as_mut()[index_of_three(key)] = id as u32 + 1;
        }
        self.direct_in_use = true;
        self.hashed.clear();
    }

    pub(super) fn is_direct(&self) -> bool {
        self.direct_in_use
    }

    /// Prefetches what [`ConfigurationIndex::find_or_insert`] will read; this pays only for large
    /// tables.
    #[inline(always)]
    pub(super) fn fetch(&self, key: u32) {
        if self.direct_in_use {
            if let Some(direct) = &self.direct {
                prefetch(direct.as_ref(), index_of_three(key));
            }
        } else {
            prefetch(&self.hashed.slots, self.hashed.home(key));
        }
    }

    /// The table of all configurations, by [`index_of_three`], if it is in use: one more than the
    /// index of each entry, 0 if there is none.
    #[inline(always)]
    pub(super) fn direct(&mut self) -> Option<&mut [u32]> {
        let direct = self.direct.as_mut().filter(|_| self.direct_in_use);
        direct.map(Zeroed::as_mut)
    }

    /// The index of a configuration's entry; `next` if it is new.
    #[inline(always)]
    pub(super) fn find_or_insert(&mut self, key: u32, next: u32) -> u32 {
        if self.direct_in_use
            && let Some(direct) = &mut self.direct
        {
            let slot = &mut direct.as_mut()[index_of_three(key)];
            if *slot == 0 {
                *slot = next + 1;
            }
            return *slot - 1;
        }
        self.hashed.find_or_insert(key, next)
    }

    /// The index of a configuration's entry, if it has one.
    pub(super) fn find(&self, key: u32) -> Option<u32> {
        if self.direct_in_use {
            let direct = self.direct.as_ref().expect("in use");
            direct.as_ref()[index_of_three(key)].checked_sub(1)
        } else {
            self.hashed.find(key)
        }
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> u64 {
        if self.direct_in_use {
            Self::DIRECT_BYTES
        } else {
            (self.hashed.slots.len() * size_of::<u64>()) as u64
        }
    }

    /// Bytes in use or, if the table will grow soon, the bytes that growing takes.
    pub(super) fn bytes_soon(&self) -> u64 {
        // While it grows, it holds the old slots and four times as many new ones.
        let soon_full = self.hashed.len * 8 >= self.hashed.most * 7;
        let growing = soon_full && !self.direct_in_use;
        self.bytes() * if growing { 5 } else { 1 }
    }
}

/// Open addressing: a slot has the key in its upper half and one more than the index in its lower
/// half; 0 is a free slot.
#[derive(Debug)]
struct Hashed {
    slots: Vec<u64>,
    shift: u32,
    len: usize,
    /// The table grows when there are more keys than this.
    most: usize,
}

/// The number of keys that a table of this many slots takes. Small tables fit into the nearest
/// cache even if they are mostly empty, and with fewer collisions, branches are predicted better.
const fn most_keys(slots: usize) -> usize {
    if slots <= 1 << 12 {
        slots / 4
    } else {
        slots / 2
    }
}

const FIRST_LOG: u32 = 10;

impl Hashed {
    fn new() -> Self {
        Self {
            slots: vec![0; 1 << FIRST_LOG],
            shift: 32 - FIRST_LOG,
            len: 0,
            most: most_keys(1 << FIRST_LOG),
        }
    }

    /// Forgets everything. A table that has grown is shrunk: the next search may be an easy one,
    /// and clearing costs time.
    fn clear(&mut self) {
        self.slots.truncate(1 << FIRST_LOG);
        if self.slots.capacity() > 1 << 18 {
            self.slots.shrink_to_fit();
        }
        if self.len > 0 {
            self.slots.fill(0);
        }
        self.shift = 32 - FIRST_LOG;
        self.len = 0;
        self.most = most_keys(1 << FIRST_LOG);
    }

    /// A key's slot if there is no collision.
    #[inline(always)]
    fn home(&self, key: u32) -> usize {
        home(key, self.shift)
    }

    #[inline(always)]
    fn find_or_insert(&mut self, key: u32, next: u32) -> u32 {
        let mask = self.slots.len() - 1;
        let mut at = self.home(key) & mask;
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                break;
            }
            if (slot >> 32) as u32 == key {
                return slot as u32 - 1;
            }
            at = (at + 1) & mask;
        }
        self.slots[at] = u64::from(key) << 32 | u64::from(next + 1);
        self.len += 1;
        if self.len > self.most {
            self.grow();
        }
        next
    }

    fn find(&self, key: u32) -> Option<u32> {
        let mask = self.slots.len() - 1;
        let mut at = self.home(key) & mask;
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                return None;
            }
            if (slot >> 32) as u32 == key {
                return Some(slot as u32 - 1);
            }
            at = (at + 1) & mask;
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        let log = self.slots.len().ilog2() + 2;
        let old = std::mem::replace(&mut self.slots, vec![0; 1 << log]);
        self.shift = 32 - log;
        self.most = most_keys(1 << log);
        let mask = self.slots.len() - 1;
        for slot in old {
            if slot != 0 {
                let mut at = self.home((slot >> 32) as u32) & mask;
                while self.slots[at] != 0 {
                    at = (at + 1) & mask;
                }
                self.slots[at] = slot;
            }
        }
    }
}

/// A key's slot among `2^(32 - shift)` slots if there is no collision.
#[inline(always)]
fn home(key: u32, shift: u32) -> usize {
    // Fibonacci hashing of a mixed key: the high bits depend on all bytes.
    ((key ^ key >> 15).wrapping_mul(0x9e37_79b1) >> shift) as usize
}

#[cfg(test)]
mod tests {
    use super::ConfigurationIndex;
    use crate::flagship::small::key::key_of;

    #[test]
    fn keeps_all_numbers_while_growing_and_going_direct() {
        let mut keys = Vec::new();
        for a in 0..if cfg!(miri) { 10 } else { 24u8 } {
            for b in a + 1..80 {
                keys.push(key_of(&mut [a, b, 200]));
            }
        }
        let mut index = ConfigurationIndex::new();
        for round in 0..2 {
            for (id, &key) in keys.iter().enumerate() {
                assert_eq!(index.find(key), None, "round {round}");
                assert_eq!(index.find_or_insert(key, id as u32), id as u32);
            }
            for (id, &key) in keys.iter().enumerate() {
                assert_eq!(index.find_or_insert(key, u32::MAX - 1), id as u32);
            }
            index.go_direct(keys.iter().copied());
            for (id, &key) in keys.iter().enumerate() {
                assert_eq!(index.find(key), Some(id as u32));
                assert_eq!(index.find_or_insert(key, u32::MAX - 1), id as u32);
            }
            index.clear(keys.iter().copied());
        }
    }

    /// See `side_by_side.rs`.
    #[test]
    #[ignore = "it measures"]
    fn side_by_side_with_states() {
        use crate::Limits;
        use crate::lowlevel::side_by_side::{compare, met};
        use crate::memory::meter::MemoryMeter;
        use crate::state_space::visited::{StateIndex, mix};

        let key = |number| key_of(&mut mix(number).to_le_bytes()[..4]);
        let keys: Vec<u32> = met().into_iter().map(key).collect();
        let apart = || {
            let mut index = ConfigurationIndex::new();
            let (mut next, mut sum) = (0, 0);
            for &key in &keys {
                let number = index.find_or_insert(key, next);
                next += u32::from(number == next);
                sum += u64::from(number);
            }
            sum
        };
        let shared = || {
            let mut budget = MemoryMeter::start(&Limits::default());
            let mut index = StateIndex::<u64>::new(&mut budget).unwrap();
            let mut sum = 0;
            for &key in &keys {
                let key = u64::from(key);
                sum += index.find(key).unwrap_or_else(|| {
                    index.insert(key, &mut budget).unwrap();
                    index.len() - 1
                }) as u64;
            }
            sum
        };
        compare("`ConfigurationIndex`", keys.len(), apart, shared);
    }
}
