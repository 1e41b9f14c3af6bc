//! The slides' hash table: position -> height to which it was searched.

use crate::Limit;
use crate::memory::meter::MemoryMeter;
use crate::state_space::visited::mix;

/// A position with the height to which it was searched, in one word; 0 is an empty slot, since
/// only positions with moves left are kept.
pub(crate) trait Slot: Copy + Default + Eq {
    /// How many of the low bits hold the height.
    const HEIGHT_BITS: u32;
    /// The slot of a key (its low [`Slot::HEIGHT_BITS`] are 0) and a height.
    fn new(key: Self, height: u32) -> Self;
    /// Whether this is a slot of the key.
    fn holds(self, key: Self) -> bool;
    fn height(self) -> u32;
    /// A number whose high bits are well spread, of the key alone.
    fn hash(self) -> u64;

    /// The deepest search that heights can express.
    const MAX_HEIGHT: u32 = u32::MAX >> (32 - Self::HEIGHT_BITS);
}

/// Five robots of 10 bits and heights up to 16,383.
impl Slot for u64 {
    const HEIGHT_BITS: u32 = 14;

    #[inline]
    fn new(key: Self, height: u32) -> Self {
        key | Self::from(height)
    }

    #[inline]
    fn holds(self, key: Self) -> bool {
        (self ^ key) >> Self::HEIGHT_BITS == 0
    }

    #[inline]
    fn height(self) -> u32 {
        self as u32 & Self::MAX_HEIGHT
    }

    #[inline]
    fn hash(self) -> u64 {
        // One multiplication: its top bits depend on all bits of the key.
        (self >> Self::HEIGHT_BITS).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// Eight robots of 12 bits (10 for the cell, 2 for the axes travelled).
impl Slot for u128 {
    const HEIGHT_BITS: u32 = 14;

    #[inline]
    fn new(key: Self, height: u32) -> Self {
        key | Self::from(height)
    }

    #[inline]
    fn holds(self, key: Self) -> bool {
        (self ^ key) >> Self::HEIGHT_BITS == 0
    }

    #[inline]
    fn height(self) -> u32 {
        self as u32 & Self::MAX_HEIGHT
    }

    #[inline]
    fn hash(self) -> u64 {
        let key = self >> Self::HEIGHT_BITS;
        mix(key as u64 ^ mix((key >> 64) as u64))
    }
}

/// Open addressing with linear probing, at most 5/8 full.
#[derive(Debug)]
pub(crate) struct Memo<S> {
    slots: Vec<S>,
    /// The slot of a hash is its top bits: `hash >> shift`.
    shift: u32,
    len: usize,
    /// [`Memo::reserve`] grows the table when `len` gets here.
    full: usize,
}

impl<S: Slot> Memo<S> {
    const FIRST_BITS: u32 = 10;

    pub(crate) fn new(meter: &mut MemoryMeter) -> Result<Self, Limit> {
        Self::with_bits(Self::FIRST_BITS, meter)
    }

    fn with_bits(bits: u32, meter: &mut MemoryMeter) -> Result<Self, Limit> {
        let size = 1usize << bits;
        Ok(Self {
            slots: meter.zeros(size)?,
            shift: 64 - bits,
            len: 0,
            full: size / 8 * 5,
        })
    }

    /// Positions held.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Makes sure that one more position has a place. Called before each [`Memo::is_searched`].
    #[inline]
    pub(crate) fn reserve(&mut self, meter: &mut MemoryMeter) -> Result<(), Limit> {
        if self.len < self.full {
            return Ok(());
        }
        self.double(meter)
    }

    /// 'If current position has already been searched to an equal or greater depth, prune the
    /// search': whether it has; if not, it counts as searched from now on.
    #[inline]
    pub(crate) fn is_searched(&mut self, key: S, height: u32) -> bool {
        let mask = self.slots.len() - 1;
        let mut at = (key.hash() >> self.shift) as usize;
        loop {
            let slot = &mut self.slots[at & mask];
            if slot.holds(key) {
                if slot.height() >= height {
                    return true;
                }
                // An empty slot 'holds' the key 0 at height 0: then it is a new position.
                self.len += usize::from(*slot == S::default());
                *slot = S::new(key, height);
                return false;
            }
            if *slot == S::default() {
                *slot = S::new(key, height);
                self.len += 1;
                return false;
            }
            at += 1;
        }
    }

    #[cold]
    fn double(&mut self, meter: &mut MemoryMeter) -> Result<(), Limit> {
        let mut larger = Self::with_bits(64 - self.shift + 1, meter)?;
        let mask = larger.slots.len() - 1;
        for (number, &slot) in self.slots.iter().enumerate() {
            if number & 0xffff == 0xffff {
                meter.check()?; // a large table takes a while
            }
            if slot == S::default() {
                continue;
            }
            let mut at = (slot.hash() >> larger.shift) as usize;
            while larger.slots[at & mask] != S::default() {
                at += 1;
            }
            larger.slots[at & mask] = slot;
        }
        larger.len = self.len;
        std::mem::swap(self, &mut larger);
        meter.drop_vec(larger.slots);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;
    use std::collections::HashMap;

    fn agrees_with_a_map<S: Slot>(key_of: impl Fn(u64) -> S) {
        let mut meter = MemoryMeter::start(&Limits::default());
        let mut memo = Memo::<S>::new(&mut meter).unwrap();
        let mut map: HashMap<u64, u32> = HashMap::new();
        let mut seed = 7u64;
        for _ in 0..50_000 {
            seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            let number = seed >> 48 & 0x3fff;
            let height = 1 + (seed >> 40 & 15) as u32;
            memo.reserve(&mut meter).unwrap();
            let searched = memo.is_searched(key_of(number), height);
            let known = map.entry(number).or_default();
            assert_eq!(searched, *known >= height);
            *known = (*known).max(height);
            assert_eq!(memo.len(), map.len());
        }
    }

    #[test]
    fn narrow_and_wide_slots_agree_with_a_map() {
        agrees_with_a_map(|number| number << u64::HEIGHT_BITS);
        agrees_with_a_map(|number| number << 50);
        agrees_with_a_map(|number| u128::from(number) << u128::HEIGHT_BITS);
        agrees_with_a_map(|number| u128::from(number) << 100);
    }

    #[test]
    fn a_full_budget_is_a_limit_not_a_crash() {
        let mut meter = MemoryMeter::start(&Limits {
            memory: Some(8 * 1024 + 8 * 2048 + 100),
            ..Limits::default()
        });
        let mut memo = Memo::<u64>::new(&mut meter).unwrap();
        let refused = (1..).find_map(|number: u64| {
            let room = memo.reserve(&mut meter);
            memo.is_searched(number << u64::HEIGHT_BITS, 1);
            room.err()
        });
        assert_eq!(refused, Some(Limit::Memory));
        assert!(meter.peak() <= 8 * 1024 + 8 * 2048);
    }

    /// See `side_by_side.rs`.
    #[test]
    #[ignore = "it measures"]
    fn side_by_side_with_states() {
        use crate::lowlevel::side_by_side::{compare, met};
        use crate::state_space::visited::StateIndex;

        let keys: Vec<u64> = met().into_iter().map(|n| mix(n) >> 24 << 14).collect();
        let height = |i: usize| 1 + (i as u32 * 7) % 16;
        let apart = || {
            let mut meter = MemoryMeter::start(&Limits::default());
            let mut memo = Memo::new(&mut meter).unwrap();
            let mut known = 0;
            for (i, &key) in keys.iter().enumerate() {
                memo.reserve(&mut meter).unwrap();
                known += u64::from(memo.is_searched(key, height(i)));
            }
            known
        };
        let shared = || {
            let mut meter = MemoryMeter::start(&Limits::default());
            let mut index = StateIndex::new(&mut meter).unwrap();
            let mut heights: Vec<u8> = Vec::new();
            let mut known = 0;
            for (i, &key) in keys.iter().enumerate() {
                let new = height(i) as u8;
                if let Some(number) = index.find(key) {
                    known += u64::from(heights[number] >= new);
                    heights[number] = heights[number].max(new);
                } else {
                    index.insert(key, &mut meter).unwrap();
                    heights.push(new);
                }
            }
            known
        };
        compare("`Memo`", keys.len(), apart, shared);
    }
}
