//! What is known of each helper configuration, found by its key.

use crate::Limit;
use crate::budget::Budget;
use crate::lowlevel::prefetch::prefetch;
use crate::situations::PackedKey;
use crate::word_set::WordSet;

/// What is known of a configuration.
pub(crate) struct WideEntry<const W: usize> {
    pub(crate) key: u128,
    /// The goal-robot cells that have been met with it.
    pub(crate) seen: WordSet<W>,
    /// Those of them that are of the layer that is being filled, and in none of its nodes yet.
    pub(crate) fresh: WordSet<W>,
    /// One more than the number of its latest node; 0 if none.
    pub(crate) latest: u32,
}

/// All configurations that have been met, in that order, and a hash table of their numbers.
pub(crate) struct WideTable<const W: usize> {
    pub(crate) entries: Vec<WideEntry<W>>,
    /// The upper half of the hash, and one more than the number; 0 is a free slot.
    slots: Vec<u64>,
}

const FIRST_SLOTS: usize = 1 << 10;

impl<const W: usize> WideTable<W> {
    pub(crate) fn new(budget: &mut Budget) -> Result<Self, Limit> {
        Ok(Self {
            entries: Vec::new(),
            slots: budget.zeros(FIRST_SLOTS)?,
        })
    }

    /// The number of a configuration; the number of all before it if it is new.
    #[inline]
    pub(crate) fn find_or_insert(
        &mut self,
        key: u128,
        hash: u64,
        budget: &mut Budget,
    ) -> Result<u32, Limit> {
        let slot = match self.look_up(key, hash) {
            Ok(id) => return Ok(id),
            Err(slot) => slot,
        };
        budget.make_room(&mut self.entries)?;
        self.entries.push(WideEntry {
            key,
            seen: WordSet::EMPTY,
            fresh: WordSet::EMPTY,
            latest: 0,
        });
        self.slots[slot] = tag(hash) | self.entries.len() as u64;
        if self.entries.len() * 2 > self.slots.len() {
            self.grow(budget)?;
        }
        Ok(self.entries.len() as u32 - 1)
    }

    pub(crate) fn find(&self, key: u128) -> Option<&WideEntry<W>> {
        let id = self.look_up(key, key.hash()).ok()?;
        Some(&self.entries[id as usize])
    }

    /// Fetches the slot of a configuration into the cache.
    #[inline]
    pub(crate) fn fetch_slot(&self, hash: u64) {
        prefetch(&self.slots, hash as usize & (self.slots.len() - 1));
    }

    /// Fetches the entry of a configuration, or what looks like it, into the cache.
    #[inline]
    pub(crate) fn fetch_entry(&self, hash: u64) {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while self.slots[at] != 0 {
            if self.slots[at] >> 32 << 32 == tag(hash) {
                let entry = &self.entries[self.slots[at] as u32 as usize - 1];
                // Eight words are a cache line.
                for word in (0..W).step_by(8) {
                    prefetch(&entry.seen.0, word);
                    prefetch(&entry.fresh.0, word);
                }
                return;
            }
            at = (at + 1) & mask;
        }
    }

    /// The number, or the slot where it would be.
    #[inline]
    fn look_up(&self, key: u128, hash: u64) -> Result<u32, usize> {
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
    fn grow(&mut self, budget: &mut Budget) -> Result<(), Limit> {
        let slots = budget.zeros(self.slots.len() * 4)?;
        let old = std::mem::replace(&mut self.slots, slots);
        let mask = self.slots.len() - 1;
        for &slot in old.iter().filter(|&&slot| slot != 0) {
            let hash = self.entries[slot as u32 as usize - 1].key.hash();
            let mut at = hash as usize & mask;
            while self.slots[at] != 0 {
                at = (at + 1) & mask;
            }
            self.slots[at] = slot;
        }
        budget.drop_vec(old);
        Ok(())
    }
}

/// Half of the hash: equal for equal keys, rarely for others.
#[inline]
fn tag(hash: u64) -> u64 {
    hash >> 32 << 32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;
    use crate::side_by_side::{compare, met};
    use crate::situations::{SituationIndex, mix};

    /// The children of a node are looked up one after the other, what they need is fetched before.
    const AT_ONCE: usize = 16;

    /// See `side_by_side.rs`.
    #[test]
    #[ignore = "it measures"]
    fn side_by_side_with_situations() {
        type Wide = WideTable<16>;
        let key = |number| u128::from(mix(number)) << 20;
        let keys: Vec<u128> = met().into_iter().map(key).collect();
        let seen = |entries: &[WideEntry<16>]| -> u64 {
            let words = entries.iter().flat_map(|entry| entry.seen.0);
            words.map(|word| u64::from(word.count_ones())).sum()
        };
        let cell = |i: usize| i % 1024;
        let apart = || {
            let mut budget = Budget::start(&Limits::default());
            let mut table = Wide::new(&mut budget).unwrap();
            for (block, keys) in keys.chunks(AT_ONCE).enumerate() {
                let hashes: Vec<u64> = keys.iter().map(|key| key.hash()).collect();
                for &hash in &hashes {
                    table.fetch_slot(hash);
                }
                for &hash in &hashes {
                    table.fetch_entry(hash);
                }
                for (i, (&key, &hash)) in keys.iter().zip(&hashes).enumerate() {
                    let id = table.find_or_insert(key, hash, &mut budget).unwrap();
                    let seen = &mut table.entries[id as usize].seen;
                    seen.insert(cell(block * AT_ONCE + i));
                }
            }
            seen(&table.entries)
        };
        let shared = || {
            let mut budget = Budget::start(&Limits::default());
            let mut index = SituationIndex::new(&mut budget).unwrap();
            let mut entries: Vec<WideEntry<16>> = Vec::new();
            for (i, &key) in keys.iter().enumerate() {
                let number = index.find(key).unwrap_or_else(|| {
                    index.insert(key, &mut budget).unwrap();
                    entries.push(WideEntry {
                        key,
                        seen: WordSet::EMPTY,
                        fresh: WordSet::EMPTY,
                        latest: 0,
                    });
                    entries.len() - 1
                });
                entries[number].seen.insert(cell(i));
            }
            seen(&entries)
        };
        compare("`WideTable`", keys.len(), apart, shared);
    }
}
