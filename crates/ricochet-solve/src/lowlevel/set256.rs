//! A set of up to 256 cells in four words.
//!
//! Row `y` is 16-bit lane `y / 4` of word `y mod 4`. So moving one row further is a rotation of the
//! words (and a shift of one of them), and moving four rows further is a shift of all words by 16.
//! That is half the work of carrying bits from word to word.
//!
//! Everything is plain arithmetic on `[u64; 4]` and always inlined, so that callers compiled for
//! AVX2 keep a set in one register.

use std::array::from_fn;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not};

use ricochet_core::Direction;

/// Cells as bits; a row is 16 bits, regardless of the board's width.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(32))]
pub(crate) struct Set256(pub(crate) [u64; 4]);

impl Set256 {
    pub(crate) const EMPTY: Self = Self([0; 4]);
    pub(crate) const FULL: Self = Self([u64::MAX; 4]);

    /// The bit of a cell.
    #[inline(always)]
    pub(crate) const fn bit(x: usize, y: usize) -> usize {
        (y & 3) << 6 | (y >> 2) << 4 | x
    }

    /// The coordinates of a bit.
    pub(crate) const fn coordinates(bit: usize) -> (usize, usize) {
        (bit & 0xf, (bit >> 6) | (bit >> 2 & 0b1100))
    }

    /// The set of one bit.
    #[inline(always)]
    pub(crate) fn of(bit: usize) -> Self {
        Self(from_fn(
            |word| {
                if bit >> 6 == word { 1 << (bit & 63) } else { 0 }
            },
        ))
    }

    #[inline(always)]
    pub(crate) fn contains(self, bit: usize) -> bool {
        self.0[(bit >> 6) & 3] >> (bit & 63) & 1 == 1
    }

    #[inline(always)]
    pub(crate) fn is_empty(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] | self.0[3] == 0
    }

    #[inline(always)]
    pub(crate) fn len(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// `self` without `other`.
    #[inline(always)]
    pub(crate) fn without(self, other: Self) -> Self {
        self & !other
    }

    /// The bits of `other` where `mask` has ones, and the bits of `self` elsewhere.
    #[inline(always)]
    pub(crate) fn blend(self, other: Self, mask: Self) -> Self {
        self.without(mask) | (other & mask)
    }

    /// Every bit moved `1 << log_steps` rows or columns in the given direction; bits that leave the
    /// 256 vanish. Along a row they run into another row: the callers' masks stop them there.
    #[inline(always)]
    pub(crate) fn shifted<const DIRECTION: usize>(self, log_steps: u32, rows: &RowShifts) -> Self {
        let x = self.0;
        match (Direction::from_index(DIRECTION), log_steps) {
            (Direction::East, _) => Self(from_fn(|i| x[i] << (1 << log_steps))),
            (Direction::West, _) => Self(from_fn(|i| x[i] >> (1 << log_steps))),
            (Direction::South, 0) => Self(from_fn(|i| x[(i + 3) & 3] << (rows.south[0][i] & 63))),
            (Direction::South, 1) => Self(from_fn(|i| x[(i + 2) & 3] << (rows.south[1][i] & 63))),
            (Direction::South, 2) => Self(from_fn(|i| x[i] << 16)),
            (Direction::South, _) => Self(from_fn(|i| x[i] << 32)),
            (Direction::North, 0) => Self(from_fn(|i| x[(i + 1) & 3] >> (rows.north[0][i] & 63))),
            (Direction::North, 1) => Self(from_fn(|i| x[(i + 2) & 3] >> (rows.north[1][i] & 63))),
            (Direction::North, 2) => Self(from_fn(|i| x[i] >> 16)),
            (Direction::North, _) => Self(from_fn(|i| x[i] >> 32)),
        }
    }

    /// The 32 bytes of the set, little-endian.
    pub(crate) fn to_bytes(self) -> [u8; 32] {
        let mut bytes = [0; 32];
        for (chunk, word) in bytes.chunks_exact_mut(8).zip(self.0) {
            chunk.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    /// The set of 32 bytes; missing ones are 0.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Self {
        let mut set = Self::EMPTY;
        for (word, chunk) in set.0.iter_mut().zip(bytes.chunks_exact(8)) {
            *word = u64::from_le_bytes(chunk.try_into().expect("eight bytes"));
        }
        set
    }

    /// The bits in ascending order.
    pub(crate) fn iter(self) -> impl Iterator<Item = usize> {
        (0..4).flat_map(move |word| {
            let mut rest = self.0[word];
            std::iter::from_fn(move || {
                (rest != 0).then(|| {
                    let bit = rest.trailing_zeros() as usize;
                    rest &= rest - 1;
                    word * 64 + bit
                })
            })
        })
    }
}

/// How far each word is shifted after rotating the words by one or two. The values are opaque to
/// the compiler, which would otherwise shift each word separately instead of all four in one
/// variable shift.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(crate) struct RowShifts {
    south: [[u64; 4]; 2],
    north: [[u64; 4]; 2],
}

impl RowShifts {
    pub(crate) fn new() -> Self {
        std::hint::black_box(Self {
            south: [[16, 0, 0, 0], [16, 16, 0, 0]],
            north: [[0, 0, 0, 16], [0, 0, 16, 16]],
        })
    }
}

impl BitAnd for Set256 {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(from_fn(|i| self.0[i] & other.0[i]))
    }
}

impl BitOr for Set256 {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(from_fn(|i| self.0[i] | other.0[i]))
    }
}

impl BitXor for Set256 {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self(from_fn(|i| self.0[i] ^ other.0[i]))
    }
}

impl Not for Set256 {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(from_fn(|i| !self.0[i]))
    }
}

impl BitAndAssign for Set256 {
    #[inline(always)]
    fn bitand_assign(&mut self, other: Self) {
        *self = *self & other;
    }
}

impl BitOrAssign for Set256 {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl FromIterator<usize> for Set256 {
    fn from_iter<T: IntoIterator<Item = usize>>(bits: T) -> Self {
        bits.into_iter()
            .fold(Self::EMPTY, |set, bit| set | Self::of(bit))
    }
}

#[cfg(test)]
mod tests {
    use ricochet_core::rng::Rng;

    use super::*;
    use crate::lowlevel::instructions::{InstructionSet, Instructions, Kernel};
    use crate::lowlevel::set::{Set, count};
    use crate::lowlevel::side_by_side::compare;

    #[test]
    fn shifts_move_whole_rows_and_columns() {
        let rows = RowShifts::new();
        let at = |x, y| Set256::of(Set256::bit(x, y));
        for (x, y) in [(0, 0), (3, 4), (7, 8), (7, 7), (5, 2)] {
            assert_eq!(Set256::coordinates(Set256::bit(x, y)), (x, y));
            for log in 0..4 {
                let step = 1 << log;
                if x + step < 16 {
                    let east = at(x, y).shifted::<1>(log, &rows);
                    assert_eq!(east, at(x + step, y));
                    assert_eq!(east.shifted::<3>(log, &rows), at(x, y));
                }
                if y + step < 16 {
                    let south = at(x, y).shifted::<2>(log, &rows);
                    assert_eq!(south, at(x, y + step));
                    assert_eq!(south.shifted::<0>(log, &rows), at(x, y));
                } else {
                    assert!(at(x, y).shifted::<2>(log, &rows).is_empty());
                }
                if y < step {
                    assert!(at(x, y).shifted::<0>(log, &rows).is_empty());
                }
            }
        }
    }

    #[test]
    fn bits_are_listed_in_order() {
        let bits = [0, 1, 63, 64, 127, 200, 255];
        let set: Set256 = bits.into_iter().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), bits);
        assert_eq!(set.len(), 7);
        assert!(set.contains(200) && !set.contains(201));
    }

    /// Fills southwards over open boards, with either kind of set.
    struct Fill<'a, I> {
        isa: Option<I>,
        sets: &'a [[u64; 4]],
    }

    impl<I: InstructionSet> Kernel for Fill<'_, I> {
        type Output = u64;

        #[inline(always)]
        fn run(self) -> u64 {
            let rows = RowShifts::new();
            let mut cells = 0;
            for words in self.sets {
                cells += u64::from(match self.isa {
                    None => {
                        let mut set = Set256(*words);
                        for log in 0..4 {
                            set |= set.shifted::<2>(log, &rows);
                        }
                        set.len()
                    }
                    Some(isa) => {
                        let all = isa.load(&[u64::MAX; 4]);
                        count(&isa.load(words).fill_south(all).words())
                    }
                });
            }
            cells
        }
    }

    /// See `side_by_side.rs`.
    #[test]
    #[ignore = "it measures"]
    fn side_by_side_with_sets() {
        let mut rng = Rng::new(7);
        // One row of cells: it is the first row in either order.
        let sets: Vec<[u64; 4]> = (0..1 << 16)
            .map(|_| [rng.next_u64() & 0xffff, 0, 0, 0])
            .collect();
        let run = |apart: bool| match Instructions::detect() {
            Instructions::Portable(isa) => isa.run(Fill {
                isa: (!apart).then_some(isa),
                sets: &sets,
            }),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2(isa) => isa.run(Fill {
                isa: (!apart).then_some(isa),
                sets: &sets,
            }),
        };
        compare("`Set256`", sets.len(), || run(true), || run(false));
    }
}
