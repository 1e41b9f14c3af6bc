//! The entry of each helper configuration, found by its key.

use super::helpers::HelperKey;
use crate::Limit;
use crate::lowlevel::prefetch::prefetch;
use crate::lowlevel::word_set::WordSet;
use crate::memory::meter::MemoryMeter;

/// The entry of a configuration.
pub(crate) struct WideEntry<const W: usize, K> {
    pub(crate) key: K,
    /// One more than the index of its latest node; 0 if there is none.
    pub(crate) latest: u32,
    /// One more than its index among the touched configurations; 0 if it has no fresh cells.
    pub(crate) touched: u32,
    /// The goal-robot cells seen with it.
    pub(crate) seen: WordSet<W>,
}

/// All configurations seen, in order of discovery, and a hash table of their indices.
pub(crate) struct WideTable<const W: usize, K> {
    pub(crate) entries: Vec<WideEntry<W, K>>,
    /// The upper half of the hash, and one more than the index; 0 is a free slot.
    slots: Vec<u64>,
}

const FIRST_SLOTS: usize = 1 << 10;

impl<const W: usize, K: HelperKey> WideTable<W, K> {
    pub(crate) fn new(meter: &mut MemoryMeter) -> Result<Self, Limit> {
        Ok(Self {
            entries: Vec::new(),
            slots: meter.zeros(FIRST_SLOTS)?,
        })
    }

    /// The index of a configuration. A new one gets the next index.
    #[inline]
    pub(crate) fn find_or_insert(
        &mut self,
        key: K,
        hash: u64,
        meter: &mut MemoryMeter,
    ) -> Result<u32, Limit> {
        let slot = match self.look_up(key, hash) {
            Ok(id) => return Ok(id),
            Err(slot) => slot,
        };
        meter.reserve(&mut self.entries)?;
        self.entries.push(WideEntry {
            key,
            latest: 0,
            touched: 0,
            seen: WordSet::EMPTY,
        });
        self.slots[slot] = tag(hash) | self.entries.len() as u64;
        if self.entries.len() * 2 > self.slots.len() {
            self.grow(meter)?;
        }
        Ok(self.entries.len() as u32 - 1)
    }

    /// The index of a configuration, if it has been seen.
    pub(crate) fn find(&self, key: K) -> Option<u32> {
        self.look_up(key, key.hash()).ok()
    }

    /// Prefetches the slot of a configuration.
    #[inline]
    pub(crate) fn fetch_slot(&self, hash: u64) {
        prefetch(&self.slots, hash as usize & (self.slots.len() - 1));
    }

    /// Prefetches the entry of a configuration, judging by the hash alone.
    #[inline]
    pub(crate) fn fetch_entry(&self, hash: u64) {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while self.slots[at] != 0 {
            if self.slots[at] >> 32 << 32 == tag(hash) {
                self.fetch(self.slots[at] as u32 - 1);
                return;
            }
            at = (at + 1) & mask;
        }
    }

    /// Prefetches the entry of a configuration.
    #[inline]
    pub(crate) fn fetch(&self, id: u32) {
        prefetch(&self.entries, id as usize);
        if let Some(entry) = self.entries.get(id as usize) {
            // Eight words fill a cache line.
            for word in (7..W).step_by(8) {
                prefetch(&entry.seen.0, word);
            }
            prefetch(&entry.seen.0, W - 1);
        }
    }

    /// The index, or the slot in which it would be.
    #[inline]
    fn look_up(&self, key: K, hash: u64) -> Result<u32, usize> {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                return Err(at);
            }
            let id = slot as u32 - 1;
            if slot >> 32 << 32 == tag(hash) && self.entries[id as usize].key == key {
                return Ok(id);
            }
            at = (at + 1) & mask;
        }
    }

    #[cold]
    fn grow(&mut self, meter: &mut MemoryMeter) -> Result<(), Limit> {
        let slots = meter.zeros(self.slots.len() * 4)?;
        meter.drop_vec(std::mem::replace(&mut self.slots, slots));
        let mask = self.slots.len() - 1;
        // In the order of the entries, so that only the accesses to slots are random.
        for (number, entry) in (1..).zip(&self.entries) {
            let hash = entry.key.hash();
            let mut at = hash as usize & mask;
            while self.slots[at] != 0 {
                at = (at + 1) & mask;
            }
            self.slots[at] = tag(hash) | number;
        }
        Ok(())
    }
}

/// The upper half of the hash: equal for equal keys, and rarely equal for different ones.
#[inline]
fn tag(hash: u64) -> u64 {
    hash >> 32 << 32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;
    use crate::lowlevel::side_by_side::{compare, met};
    use crate::state_space::visited::{PackedKey, StateIndex, mix};

    /// The children of a node are looked up one after the other, after prefetching what they need.
    const AT_ONCE: usize = 16;

    /// See `side_by_side.rs`.
    #[test]
    #[ignore = "it measures"]
    fn side_by_side_with_states() {
        type Wide = WideTable<16, u128>;
        let key = |number| u128::from(mix(number)) << 20;
        let keys: Vec<u128> = met().into_iter().map(key).collect();
        let count = |sets: &[WordSet<16>]| -> u64 {
            let words = sets.iter().flat_map(|set| set.0);
            words.map(|word| u64::from(word.count_ones())).sum()
        };
        let cell = |i: usize| i % 1024;
        let apart = || {
            let mut meter = MemoryMeter::start(&Limits::default());
            let mut table = Wide::new(&mut meter).unwrap();
            for (block, keys) in keys.chunks(AT_ONCE).enumerate() {
                let hashes: Vec<u64> = keys.iter().map(|key| key.hash()).collect();
                for &hash in &hashes {
                    table.fetch_slot(hash);
                }
                for &hash in &hashes {
                    table.fetch_entry(hash);
                }
                for (i, (&key, &hash)) in keys.iter().zip(&hashes).enumerate() {
                    let id = table.find_or_insert(key, hash, &mut meter).unwrap();
                    let cell = cell(block * AT_ONCE + i);
                    table.entries[id as usize].seen.insert(cell);
                }
            }
            let sets: Vec<_> = table.entries.iter().map(|entry| entry.seen).collect();
            count(&sets)
        };
        let shared = || {
            let mut meter = MemoryMeter::start(&Limits::default());
            let mut index = StateIndex::new(&mut meter).unwrap();
            let mut sets: Vec<WordSet<16>> = Vec::new();
            for (i, &key) in keys.iter().enumerate() {
                let number = index.find(key).unwrap_or_else(|| {
                    index.insert(key, &mut meter).unwrap();
                    sets.push(WordSet::EMPTY);
                    sets.len() - 1
                });
                sets[number].insert(cell(i));
            }
            count(&sets)
        };
        compare("`WideTable`", keys.len(), apart, shared);
    }
}
