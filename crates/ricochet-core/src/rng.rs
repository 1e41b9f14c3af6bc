//! The generator's own random numbers, so that a seed always gives the same puzzle.
//!
//! xoshiro256** by D. Blackman and S. Vigna, its state filled by splitmix64, as its authors advise.
//! Both are in the public domain; this is our own implementation, and tests pin the published
//! outputs. Nothing here may ever change.

/// The increment of splitmix64: 2^64 divided by the golden ratio, made odd.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The output function of splitmix64: a bijection in which every input bit touches every output bit.
const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A seeded stream of random numbers. Not for secrets.
///
/// ```
/// use ricochet_core::rng::Rng;
/// let mut a = Rng::new(7);
/// let mut b = Rng::new(7);
/// assert_eq!(a.next_u64(), b.next_u64());
/// assert!(a.below(6) < 6);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng {
    state: [u64; 4],
}

impl Rng {
    /// The stream of a seed.
    pub const fn new(seed: u64) -> Self {
        // Four different inputs of a bijection: at most one word is zero, so the state is a legal one.
        Self {
            state: [
                mix(seed.wrapping_add(GOLDEN)),
                mix(seed.wrapping_add(GOLDEN.wrapping_mul(2))),
                mix(seed.wrapping_add(GOLDEN.wrapping_mul(3))),
                mix(seed.wrapping_add(GOLDEN.wrapping_mul(4))),
            ],
        }
    }

    /// The stream for one item of a seed's sequence, so that any item can be made without those before
    /// it.
    pub const fn stream(seed: u64, number: u64) -> Self {
        // `new` uses another odd factor; with the same one the states of neighbours would overlap.
        let step = number.wrapping_mul(0xd134_2543_de82_ef95);
        Self::new(mix(mix(seed ^ GOLDEN).wrapping_add(step)))
    }

    /// The next 64 bits.
    pub const fn next_u64(&mut self) -> u64 {
        let [a, b, c, d] = self.state;
        let result = b.wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let (c, d) = (c ^ a, d ^ b);
        self.state = [a ^ d, b ^ c, c ^ (b << 17), d.rotate_left(45)];
        result
    }

    /// A number in `0..bound`, or 0 for the bound 0.
    ///
    /// This takes the high half of a product, without rejection: always one draw, and for the bounds
    /// of this game (under 2^11) a bias of at most one part in 2^53.
    pub const fn below(&mut self, bound: usize) -> usize {
        ((self.next_u64() as u128 * bound as u128) >> 64) as usize
    }

    /// Whether an event with `chances` chances out of `out_of` happens.
    pub const fn chance(&mut self, chances: usize, out_of: usize) -> bool {
        self.below(out_of) < chances
    }

    /// One of the items; `None` if there are none.
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }

    /// Shuffles the items (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The outputs that the authors' own code gives for the state 1, 2, 3, 4.
    #[test]
    fn the_recurrence_is_the_published_one() {
        let mut rng = Rng {
            state: [1, 2, 3, 4],
        };
        let first: Vec<u64> = (0..10).map(|_| rng.next_u64()).collect();
        assert_eq!(
            first,
            [
                11520,
                0,
                1_509_978_240,
                1_215_971_899_390_074_240,
                1_216_172_134_540_287_360,
                607_988_272_756_665_600,
                16_172_922_978_634_559_625,
                8_476_171_486_693_032_832,
                10_595_114_339_597_558_777,
                2_904_607_092_377_533_576
            ]
        );
    }

    /// The published outputs of splitmix64 for the seed 1234567 fill the state.
    #[test]
    fn the_seeding_is_splitmix64() {
        assert_eq!(
            Rng::new(1_234_567).state,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423,
                4_593_380_528_125_082_431
            ]
        );
    }

    #[test]
    fn neighbouring_streams_differ() {
        let mut seen = std::collections::HashSet::new();
        for seed in 0..50 {
            for number in 0..50 {
                assert!(seen.insert(Rng::stream(seed, number).next_u64()));
            }
        }
    }

    #[test]
    fn below_is_even_enough() {
        let mut rng = Rng::new(5);
        let mut counts = [0u32; 7];
        for _ in 0..70_000 {
            counts[rng.below(7)] += 1;
        }
        // The standard deviation is 93.
        assert!(
            counts.iter().all(|count| count.abs_diff(10_000) < 500),
            "{counts:?}"
        );
        assert_eq!(rng.below(0), 0);
        assert_eq!(rng.below(1), 0);
    }
}
