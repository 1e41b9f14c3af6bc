//! Sets of 256 cells in two 128-bit registers of WebAssembly.
//!
//! An engine without these instructions refuses the whole module, so nothing has to be detected
//! here: the page chooses the file.

use std::arch::wasm32::{
    i8x16_bitmask, i8x16_eq, i8x16_shr, i8x16_swizzle, i16x8_shuffle, u8x16_shr, u8x16_splat,
    u16x8_shl, u16x8_shr, u64x2, u64x2_splat, v128, v128_and, v128_andnot, v128_any_true,
    v128_bitselect, v128_load, v128_or, v128_store,
};

use super::instructions::Simd128;
use super::set::Set;

/// The northern eight rows and the southern eight.
#[derive(Clone, Copy)]
pub(crate) struct Simd128Set(v128, v128);

impl Simd128Set {
    /// From four words, lowest cells first.
    #[inline(always)]
    pub(super) fn new(words: &[u64; 4]) -> Self {
        let first: *const v128 = words.as_ptr().cast();
        // SAFETY: 32 readable bytes; these loads need no alignment.
        unsafe { Self(v128_load(first), v128_load(first.add(1))) }
    }
}

/// A vector without any bits.
#[inline(always)]
fn nothing() -> v128 {
    u64x2_splat(0)
}

impl Set for Simd128Set {
    type Isa = Simd128;

    #[inline(always)]
    fn isa(self) -> Simd128 {
        Simd128
    }

    #[inline(always)]
    fn words(self) -> [u64; 4] {
        let mut words = [0; 4];
        let first: *mut v128 = words.as_mut_ptr().cast();
        // SAFETY: 32 writable bytes; these stores need no alignment.
        unsafe {
            v128_store(first, self.0);
            v128_store(first.add(1), self.1);
        }
        words
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(v128_and(self.0, other.0), v128_and(self.1, other.1))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(v128_or(self.0, other.0), v128_or(self.1, other.1))
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        Self(v128_andnot(self.0, other.0), v128_andnot(self.1, other.1))
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        !v128_any_true(v128_or(self.0, self.1))
    }

    #[inline(always)]
    fn members(self, cells: [u64; 2]) -> u32 {
        let cells = u64x2(cells[0], cells[1]);
        // The byte of the set that has the cell's bit: one of 16 in each half. The cell's highest
        // bit selects the half.
        let place = v128_and(u8x16_shr(cells, 3), u8x16_splat(15));
        let low = i8x16_swizzle(self.0, place);
        let high = i8x16_swizzle(self.1, place);
        let byte = v128_bitselect(high, low, i8x16_shr(cells, 7));
        // The bit within that byte.
        let powers = u64x2_splat(0x8040_2010_0804_0201);
        let bit = i8x16_swizzle(powers, v128_and(cells, u8x16_splat(7)));
        u32::from(i8x16_bitmask(i8x16_eq(v128_and(byte, bit), bit)))
    }

    #[inline(always)]
    fn east<const N: i32>(self) -> Self {
        Self(u16x8_shl(self.0, N as u32), u16x8_shl(self.1, N as u32))
    }

    #[inline(always)]
    fn west<const N: i32>(self) -> Self {
        Self(u16x8_shr(self.0, N as u32), u16x8_shr(self.1, N as u32))
    }

    #[inline(always)]
    fn south<const N: i32>(self) -> Self {
        // The last rows of the half to the north come in.
        let shift = |north: v128, half: v128| match N {
            1 => i16x8_shuffle::<7, 8, 9, 10, 11, 12, 13, 14>(north, half),
            2 => i16x8_shuffle::<6, 7, 8, 9, 10, 11, 12, 13>(north, half),
            4 => i16x8_shuffle::<4, 5, 6, 7, 8, 9, 10, 11>(north, half),
            _ => north,
        };
        Self(shift(nothing(), self.0), shift(self.0, self.1))
    }

    #[inline(always)]
    fn north<const N: i32>(self) -> Self {
        // The first rows of the half to the south come in.
        let shift = |half: v128, south: v128| match N {
            1 => i16x8_shuffle::<1, 2, 3, 4, 5, 6, 7, 8>(half, south),
            2 => i16x8_shuffle::<2, 3, 4, 5, 6, 7, 8, 9>(half, south),
            4 => i16x8_shuffle::<4, 5, 6, 7, 8, 9, 10, 11>(half, south),
            _ => south,
        };
        Self(shift(self.0, self.1), shift(self.1, nothing()))
    }
}
