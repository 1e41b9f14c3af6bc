//! From a helper configuration to the number of its entry, for several threads at the same time.

use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};
use std::sync::atomic::{AtomicU32, AtomicU64};

use super::config::{CONFIGS_OF_THREE, index_of_three};
use super::configuration_index::home;
use crate::lowlevel::pages::Atomics;
use crate::lowlevel::prefetch::prefetch;

/// A place of the index never changes once it is taken. What a thread has stored before it put a
/// number into the index, all see who find it there.
#[derive(Debug)]
pub(crate) enum SharedIndex {
    /// A place for each configuration of three helpers: one more than the number, 0 for none.
    Direct(Atomics<AtomicU32>),
    /// Open addressing: a slot has the key in its upper half and one more than the number in its
    /// lower half; 0 is a free slot.
    Hashed {
        slots: Atomics<AtomicU64>,
        shift: u32,
    },
}

impl SharedIndex {
    /// Bytes of the table of all configurations of three helpers.
    pub(crate) const DIRECT_BYTES: u64 = (CONFIGS_OF_THREE * size_of::<u32>()) as u64;

    pub(crate) fn direct() -> Self {
        Self::Direct(Atomics::on_huge_pages(CONFIGS_OF_THREE))
    }

    /// One with room for so many.
    pub(crate) fn hashed(room: usize) -> Self {
        let log = (2 * room).next_power_of_two().ilog2();
        Self::Hashed {
            slots: Atomics::on_huge_pages(1 << log),
            shift: 32 - log,
        }
    }

    pub(crate) fn is_direct(&self) -> bool {
        matches!(self, Self::Direct(_))
    }

    /// Forgets everything; `keys` are at least all that were inserted.
    pub(crate) fn remove_all(&self, keys: impl Iterator<Item = u32>) {
        match self {
            Self::Direct(places) => {
                for key in keys {
                    places.as_ref()[index_of_three(key)].store(0, Relaxed);
                }
            }
            Self::Hashed { slots, .. } => {
                for slot in slots.as_ref() {
                    slot.store(0, Relaxed);
                }
            }
        }
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Self::Direct(_) => Self::DIRECT_BYTES,
            Self::Hashed { slots, .. } => size_of_val(slots.as_ref()) as u64,
        }
    }

    /// How many there may be in all before it has to grow.
    pub(crate) fn room(&self) -> usize {
        match self {
            Self::Direct(_) => usize::MAX,
            Self::Hashed { slots, .. } => slots.as_ref().len() / 2,
        }
    }

    /// Makes room for so many in all. A table that grows becomes four times as large at least.
    pub(crate) fn make_room(&mut self, room: usize) {
        let Self::Hashed { slots, .. } = self else {
            return;
        };
        if room <= slots.as_ref().len() / 2 {
            return;
        }
        let larger = Self::hashed(room.max(2 * slots.as_ref().len()));
        for slot in slots.as_ref().iter().map(|slot| slot.load(Relaxed)) {
            if slot != 0 {
                larger.insert((slot >> 32) as u32, slot as u32 - 1);
            }
        }
        *self = larger;
    }

    /// Fetches what the others will look at into the cache.
    #[inline(always)]
    pub(crate) fn fetch(&self, key: u32) {
        match self {
            Self::Direct(places) => prefetch(places.as_ref(), index_of_three(key)),
            Self::Hashed { slots, shift } => prefetch(slots.as_ref(), home(key, *shift)),
        }
    }

    /// The number of a configuration's entry, if it has one.
    #[inline(always)]
    pub(crate) fn find(&self, key: u32) -> Option<u32> {
        match self {
            Self::Direct(places) => {
                let place = places.as_ref()[index_of_three(key)].load(Acquire);
                place.checked_sub(1)
            }
            Self::Hashed { slots, shift } => {
                let slots = slots.as_ref();
                let mut at = home(key, *shift);
                loop {
                    let slot = slots[at].load(Acquire);
                    if slot == 0 {
                        return None;
                    }
                    if (slot >> 32) as u32 == key {
                        return Some(slot as u32 - 1);
                    }
                    at = (at + 1) & (slots.len() - 1);
                }
            }
        }
    }

    /// Gives a configuration a number, unless it has one by now. Returns the one that it has.
    pub(crate) fn insert(&self, key: u32, id: u32) -> u32 {
        match self {
            Self::Direct(places) => {
                let place = &places.as_ref()[index_of_three(key)];
                let taken = place.compare_exchange(0, id + 1, AcqRel, Acquire);
                taken.map_or_else(|other| other - 1, |_| id)
            }
            Self::Hashed { slots, shift } => {
                let slots = slots.as_ref();
                let new = u64::from(key) << 32 | u64::from(id + 1);
                let mut at = home(key, *shift);
                loop {
                    match slots[at].compare_exchange(0, new, AcqRel, Acquire) {
                        Ok(_) => return id,
                        Err(slot) if (slot >> 32) as u32 == key => return slot as u32 - 1,
                        Err(_) => at = (at + 1) & (slots.len() - 1),
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Mutex;

    use super::*;
    use crate::flagship::config::key_of;

    /// All threads insert the same keys under numbers of their own; afterwards each key has one of
    /// these numbers, and it is the one that all of them were told.
    #[test]
    fn threads_agree_on_every_number() {
        let mut keys = Vec::new();
        for a in 0..if cfg!(miri) { 2 } else { 24u8 } {
            for b in a + 1..80 {
                keys.push(key_of(&mut [a, b, 200]));
            }
        }
        for mut index in [SharedIndex::direct(), SharedIndex::hashed(2 * keys.len())] {
            let told = Mutex::new(BTreeMap::<u32, Vec<u32>>::new());
            std::thread::scope(|scope| {
                for thread in 0..3 {
                    let (index, keys, told) = (&index, &keys, &told);
                    scope.spawn(move || {
                        let mine: Vec<_> = keys
                            .iter()
                            .enumerate()
                            .map(|(i, &key)| (key, index.insert(key, 3 * i as u32 + thread)))
                            .collect();
                        let mut told = told.lock().expect("no panic");
                        for (key, id) in mine {
                            told.entry(key).or_default().push(id);
                        }
                    });
                }
            });
            index.make_room(100 * keys.len());
            let told = told.into_inner().expect("no panic");
            for (i, key) in keys.iter().enumerate() {
                let ids = &told[key];
                assert_eq!(ids, &[ids[0]; 3]);
                assert_eq!(ids[0] / 3, i as u32);
                assert_eq!(index.find(*key), Some(ids[0]));
            }
            assert_eq!(index.find(key_of(&mut [1, 2, 3])), None);
            index.remove_all(keys.iter().copied());
            assert_eq!(index.find(keys[0]), None);
        }
    }
}
