//! Two bits a state, which is all that a layer-by-layer search needs.
//!
//! A state is unknown, or its distance is known modulo 3. While the layer of distance `d` is made
//! from the one before it, only states of `d - 1` (modulo 3) are read as the frontier and only
//! unknown ones are changed, so a layer can be made in place. States of `d - 4`, `d - 7` and so on
//! look like the frontier too; their predecessors are known already, so they do no harm.
//!
//! The two sets of a configuration fill one cache line.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

use super::set256::Set256;
use crate::flagship::prefetch::prefetch;

/// The codes of all lead cells in one configuration: low and high bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(64))]
pub(crate) struct Codes {
    low: Set256,
    high: Set256,
}

impl Codes {
    pub(crate) const UNKNOWN: Self = Self {
        low: Set256::EMPTY,
        high: Set256::EMPTY,
    };

    /// States without a distance.
    #[inline(always)]
    pub(crate) fn unknown(self) -> Set256 {
        !(self.low | self.high)
    }

    /// States whose distance is the layer's, modulo 3.
    #[inline(always)]
    pub(crate) fn at(self, layer: Layer) -> Set256 {
        (self.low ^ layer.flip_low) & (self.high ^ layer.flip_high)
    }

    /// Gives unknown states the layer's distance.
    #[inline(always)]
    pub(crate) fn with(self, states: Set256, layer: Layer) -> Self {
        Self {
            low: self.low | states.without(layer.flip_low),
            high: self.high | states.without(layer.flip_high),
        }
    }
}

/// The code of a distance, as masks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layer {
    flip_low: Set256,
    flip_high: Set256,
}

impl Layer {
    /// Distances 0, 1, 2 modulo 3 have the codes 01, 10, 11.
    pub(crate) fn of(distance: u32) -> Self {
        let (low, high) = match distance % 3 {
            0 => (Set256::EMPTY, Set256::FULL),
            1 => (Set256::FULL, Set256::EMPTY),
            _ => (Set256::EMPTY, Set256::EMPTY),
        };
        Self {
            flip_low: low,
            flip_high: high,
        }
    }
}

/// A table of codes that is written through a shared reference.
pub(crate) trait Table: Copy {
    fn load(self, configuration: usize) -> Codes;
    fn store(self, configuration: usize, codes: Codes);
    /// Says that the configuration will be loaded soon; it need not exist.
    fn expect(self, configuration: usize);
}

/// A table that one thread has for itself.
#[derive(Clone, Copy)]
pub(crate) struct OwnTable<'a>(&'a [Cell<Codes>]);

impl Table for OwnTable<'_> {
    #[inline(always)]
    fn load(self, configuration: usize) -> Codes {
        self.0[configuration].get()
    }

    #[inline(always)]
    fn store(self, configuration: usize, codes: Codes) {
        self.0[configuration].set(codes);
    }

    #[inline(always)]
    fn expect(self, configuration: usize) {
        prefetch(self.0, configuration);
    }
}

/// A table that several threads share. Loads and stores are relaxed and single words: the schedule
/// sees to it that no two threads ever hold the same configuration between two barriers.
#[derive(Clone, Copy)]
pub(crate) struct SharedTable<'a>(&'a [AtomicCodes]);

impl Table for SharedTable<'_> {
    #[inline(always)]
    fn load(self, configuration: usize) -> Codes {
        let words = &self.0[configuration].0;
        let word = |i: usize| words[i].load(Ordering::Relaxed);
        Codes {
            low: Set256([word(0), word(1), word(2), word(3)]),
            high: Set256([word(4), word(5), word(6), word(7)]),
        }
    }

    #[inline(always)]
    fn store(self, configuration: usize, codes: Codes) {
        let words = &self.0[configuration].0;
        for i in 0..4 {
            words[i].store(codes.low.0[i], Ordering::Relaxed);
            words[i + 4].store(codes.high.0[i], Ordering::Relaxed);
        }
    }

    #[inline(always)]
    fn expect(self, configuration: usize) {
        prefetch(self.0, configuration);
    }
}

/// [`Codes`] in words that may be shared.
#[derive(Debug)]
#[repr(align(64))]
pub(crate) struct AtomicCodes([AtomicU64; 8]);

/// The memory of a table, kept between builds.
#[derive(Debug)]
pub(crate) enum Storage {
    Own(Vec<Codes>),
    Shared(Vec<AtomicCodes>),
}

impl Storage {
    pub(crate) fn new(threads: usize) -> Self {
        if threads > 1 {
            Self::Shared(Vec::new())
        } else {
            Self::Own(Vec::new())
        }
    }

    /// Makes all codes of so many configurations unknown.
    pub(crate) fn reset(&mut self, configurations: usize) {
        match self {
            Self::Own(codes) => {
                codes.clear();
                codes.resize(configurations, Codes::UNKNOWN);
            }
            Self::Shared(codes) => {
                codes.truncate(configurations);
                for word in codes.iter_mut().flat_map(|codes| &mut codes.0) {
                    *word.get_mut() = 0;
                }
                codes.resize_with(configurations, || AtomicCodes(Default::default()));
            }
        }
    }

    pub(crate) fn load(&self, configuration: usize) -> Codes {
        match self {
            Self::Own(codes) => codes[configuration],
            Self::Shared(codes) => SharedTable(codes).load(configuration),
        }
    }

    pub(crate) fn store(&mut self, configuration: usize, new: Codes) {
        match self {
            Self::Own(codes) => codes[configuration] = new,
            Self::Shared(codes) => SharedTable(codes).store(configuration, new),
        }
    }
}

/// The table of a vector that one thread has for itself.
pub(crate) fn own_table(codes: &mut [Codes]) -> OwnTable<'_> {
    OwnTable(Cell::from_mut(codes).as_slice_of_cells())
}

/// The table of a vector that threads share.
pub(crate) fn shared_table(codes: &[AtomicCodes]) -> SharedTable<'_> {
    SharedTable(codes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_read_at_its_own_layer_and_no_other() {
        for distance in 0..6 {
            let states = Set256::of(200) | Set256::of(7);
            let codes = Codes::UNKNOWN.with(states, Layer::of(distance));
            assert_eq!(codes.unknown(), !states);
            for other in 0..6 {
                let expected = if other % 3 == distance % 3 {
                    states
                } else {
                    Set256::EMPTY
                };
                assert_eq!(codes.at(Layer::of(other)), expected);
            }
        }
    }
}
