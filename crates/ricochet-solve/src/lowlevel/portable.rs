//! Sets of 256 cells in four words, for any processor.

use super::instructions::Portable;
use super::set::Set;

/// The implementation for any processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PortableSet([u64; 4]);

impl PortableSet {
    /// From four words, lowest cells first.
    #[inline(always)]
    pub(super) fn new(words: &[u64; 4]) -> Self {
        Self(*words)
    }
}

/// A 16-bit pattern in each row of a word.
const fn lanes(row: u64) -> u64 {
    row * 0x0001_0001_0001_0001
}

impl Set for PortableSet {
    type Isa = Portable;

    #[inline(always)]
    fn isa(self) -> Portable {
        Portable
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
