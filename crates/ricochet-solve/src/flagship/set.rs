//! Sets of cells of a board of at most 16×16, and the slides of a whole set at once.
//!
//! A cell has the number `16·y + x` whatever the board's size, so that a row is one 16-bit lane:
//! shifts along a row cannot run over into the next one, and shifts by whole rows are byte shifts.

use super::kernel::Kernel;

/// 256 bits with the shifts of a 16×16 grid. Two implementations: [`Portable`] and, where the
/// processor has AVX2, [`Avx2`](super::avx2::Avx2).
pub(crate) trait Set: Copy {
    /// Runs a piece of work as code for the processor that the set needs. Whatever works on sets
    /// has to run inside one.
    fn with<K: Kernel>(kernel: K) -> K::Output;
    /// From four words, lowest cells first.
    fn load(words: &[u64; 4]) -> Self;
    /// To four words.
    fn words(self) -> [u64; 4];
    /// Intersection.
    fn and(self, other: Self) -> Self;
    /// Union.
    fn or(self, other: Self) -> Self;
    /// Without the cells of `other`.
    fn minus(self, other: Self) -> Self;
    /// Whether there are no cells.
    fn is_empty(self) -> bool;
    /// One bit for each of sixteen cells, a byte each: whether it is in the set.
    fn members(self, cells: [u64; 2]) -> u32;
    /// Every cell `N` columns further east; what leaves its row is lost. `N` is 1, 2, 4 or 8.
    fn east<const N: i32>(self) -> Self;
    /// Every cell `N` columns further west.
    fn west<const N: i32>(self) -> Self;
    /// Every cell `N` rows further south.
    fn south<const N: i32>(self) -> Self;
    /// Every cell `N` rows further north.
    fn north<const N: i32>(self) -> Self;

    /// Everything that the cells of `self` can reach going east through cells in `enter`.
    #[inline(always)]
    fn fill_east(self, enter: Self) -> Self {
        let (mut fill, mut way) = (self, enter);
        fill = fill.or(way.and(fill.east::<1>()));
        way = way.and(way.east::<1>());
        fill = fill.or(way.and(fill.east::<2>()));
        way = way.and(way.east::<2>());
        fill = fill.or(way.and(fill.east::<4>()));
        way = way.and(way.east::<4>());
        fill.or(way.and(fill.east::<8>()))
    }

    /// Likewise going west.
    #[inline(always)]
    fn fill_west(self, enter: Self) -> Self {
        let (mut fill, mut way) = (self, enter);
        fill = fill.or(way.and(fill.west::<1>()));
        way = way.and(way.west::<1>());
        fill = fill.or(way.and(fill.west::<2>()));
        way = way.and(way.west::<2>());
        fill = fill.or(way.and(fill.west::<4>()));
        way = way.and(way.west::<4>());
        fill.or(way.and(fill.west::<8>()))
    }

    /// Likewise going south.
    #[inline(always)]
    fn fill_south(self, enter: Self) -> Self {
        let (mut fill, mut way) = (self, enter);
        fill = fill.or(way.and(fill.south::<1>()));
        way = way.and(way.south::<1>());
        fill = fill.or(way.and(fill.south::<2>()));
        way = way.and(way.south::<2>());
        fill = fill.or(way.and(fill.south::<4>()));
        way = way.and(way.south::<4>());
        fill.or(way.and(fill.south::<8>()))
    }

    /// Likewise going north.
    #[inline(always)]
    fn fill_north(self, enter: Self) -> Self {
        let (mut fill, mut way) = (self, enter);
        fill = fill.or(way.and(fill.north::<1>()));
        way = way.and(way.north::<1>());
        fill = fill.or(way.and(fill.north::<2>()));
        way = way.and(way.north::<2>());
        fill = fill.or(way.and(fill.north::<4>()));
        way = way.and(way.north::<4>());
        fill.or(way.and(fill.north::<8>()))
    }

    /// Where robots on these cells can stop after one move. `enter[d]` are the cells that can be
    /// entered heading `d` (N, E, S, W) over the walls, `blocked` the cells of other robots. Robots
    /// that cannot move are left where they are.
    #[inline(always)]
    fn stops(self, enter: &[Self; 4], blocked: Self) -> Self {
        let north = enter[0].minus(blocked);
        let east = enter[1].minus(blocked);
        let south = enter[2].minus(blocked);
        let west = enter[3].minus(blocked);
        let north = self.fill_north(north).minus(north.south::<1>());
        let east = self.fill_east(east).minus(east.west::<1>());
        let south = self.fill_south(south).minus(south.north::<1>());
        let west = self.fill_west(west).minus(west.east::<1>());
        north.or(east).or(south.or(west))
    }
}

/// The lowest cell of a set that is not empty.
#[inline(always)]
pub(crate) fn first_cell(words: &[u64; 4]) -> u8 {
    for (i, word) in words.iter().enumerate() {
        if *word != 0 {
            return (i as u32 * 64 + word.trailing_zeros()) as u8;
        }
    }
    0
}

/// The cells of a set, in ascending order.
pub(crate) fn cells_of(words: [u64; 4]) -> impl Iterator<Item = u8> {
    words.into_iter().enumerate().flat_map(|(i, mut word)| {
        std::iter::from_fn(move || {
            if word == 0 {
                return None;
            }
            let bit = word.trailing_zeros();
            word &= word - 1;
            Some((i as u32 * 64 + bit) as u8)
        })
    })
}

/// How many cells a set has.
#[inline(always)]
pub(crate) fn count(words: &[u64; 4]) -> u32 {
    words.iter().map(|word| word.count_ones()).sum()
}

/// Takes the lowest cell out of a set that is not empty.
#[inline(always)]
pub(crate) fn take_first(words: &mut [u64; 4]) -> u8 {
    let cell = first_cell(words);
    let word = &mut words[usize::from(cell >> 6)];
    *word &= word.wrapping_sub(1);
    cell
}

/// The set of one cell, as words.
pub(crate) const fn bit(cell: u8) -> [u64; 4] {
    let mut words = [0; 4];
    words[(cell >> 6) as usize] = 1 << (cell & 63);
    words
}

/// The implementation for any processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Portable([u64; 4]);

/// A 16-bit pattern in each row of a word.
const fn lanes(row: u64) -> u64 {
    row * 0x0001_0001_0001_0001
}

impl Set for Portable {
    #[inline(always)]
    fn with<K: Kernel>(kernel: K) -> K::Output {
        kernel.run()
    }

    #[inline(always)]
    fn load(words: &[u64; 4]) -> Self {
        Self(*words)
    }

    #[inline(always)]
    fn words(self) -> [u64; 4] {
        self.0
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] | self.0[3] == 0
    }

    #[inline(always)]
    fn members(self, cells: [u64; 2]) -> u32 {
        let mut members = 0;
        for (half, eight) in cells.into_iter().enumerate() {
            for (i, cell) in eight.to_le_bytes().into_iter().enumerate() {
                let member = self.0[usize::from(cell >> 6)] >> (cell & 63) & 1;
                members |= (member as u32) << (8 * half + i);
            }
        }
        members
    }

    #[inline(always)]
    fn east<const N: i32>(self) -> Self {
        let keep = lanes((0xffff << N) & 0xffff);
        Self(self.0.map(|word| (word << N) & keep))
    }

    #[inline(always)]
    fn west<const N: i32>(self) -> Self {
        let keep = lanes(0xffff >> N);
        Self(self.0.map(|word| (word >> N) & keep))
    }

    #[inline(always)]
    fn south<const N: i32>(self) -> Self {
        let [a, b, c, d] = self.0;
        Self(match N {
            1 | 2 => {
                let (up, down) = (16 * N, 64 - 16 * N);
                [
                    a << up,
                    b << up | a >> down,
                    c << up | b >> down,
                    d << up | c >> down,
                ]
            }
            4 => [0, a, b, c],
            _ => [0, 0, a, b],
        })
    }

    #[inline(always)]
    fn north<const N: i32>(self) -> Self {
        let [a, b, c, d] = self.0;
        Self(match N {
            1 | 2 => {
                let (down, up) = (16 * N, 64 - 16 * N);
                [
                    a >> down | b << up,
                    b >> down | c << up,
                    c >> down | d << up,
                    d >> down,
                ]
            }
            4 => [b, c, d, 0],
            _ => [c, d, 0, 0],
        })
    }
}
