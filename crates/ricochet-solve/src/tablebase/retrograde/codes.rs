//! Two bits a state, which is all that a layer-by-layer search needs.
//!
//! A state is unknown, or its distance is known modulo 3. While the layer of distance `d` is made
//! from the one before it, only states of `d - 1` (modulo 3) are read as the frontier and only
//! unknown ones are changed, so a layer can be made in place. States of `d - 4`, `d - 7` and so on
//! look like the frontier too; their predecessors are known already, so they do no harm.
//!
//! The two sets of a configuration fill one cache line.

use crate::lowlevel::set256::Set256;

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
    pub(crate) fn at(self, layer: DistanceCode) -> Set256 {
        (self.low ^ layer.flip_low) & (self.high ^ layer.flip_high)
    }

    /// Gives unknown states the layer's distance.
    #[inline(always)]
    pub(crate) fn with(self, states: Set256, layer: DistanceCode) -> Self {
        Self {
            low: self.low | states.without(layer.flip_low),
            high: self.high | states.without(layer.flip_high),
        }
    }
}

/// The code of a distance, as masks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DistanceCode {
    flip_low: Set256,
    flip_high: Set256,
}

impl DistanceCode {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_read_at_its_own_layer_and_no_other() {
        for distance in 0..6 {
            let states = Set256::of(200) | Set256::of(7);
            let codes = Codes::UNKNOWN.with(states, DistanceCode::of(distance));
            assert_eq!(codes.unknown(), !states);
            for other in 0..6 {
                let expected = if other % 3 == distance % 3 {
                    states
                } else {
                    Set256::EMPTY
                };
                assert_eq!(codes.at(DistanceCode::of(other)), expected);
            }
        }
    }
}
