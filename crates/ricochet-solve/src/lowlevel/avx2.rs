//! Sets of 256 cells in one AVX2 register.
//!
//! # Safety
//! Every intrinsic here needs AVX2. An [`Avx2Set`] is made from an [`Avx2`], which proves that the
//! processor has it, or from another set. All methods are inlined, so that a kernel keeps sets in
//! registers.

use std::arch::x86_64::{
    __m256i, _mm_and_si128, _mm_blendv_epi8, _mm_cmpeq_epi8, _mm_movemask_epi8, _mm_set_epi64x,
    _mm_set1_epi8, _mm_set1_epi64x, _mm_shuffle_epi8, _mm_srli_epi16, _mm256_alignr_epi8,
    _mm256_and_si256, _mm256_andnot_si256, _mm256_castsi256_si128, _mm256_cmpeq_epi8,
    _mm256_extracti128_si256, _mm256_loadu_si256, _mm256_movemask_epi8, _mm256_or_si256,
    _mm256_permute2x128_si256, _mm256_setzero_si256, _mm256_slli_epi16, _mm256_srli_epi16,
    _mm256_storeu_si256, _mm256_testz_si256,
};

use super::instructions::Avx2;
use super::set::Set;

/// 256 bits in a register.
#[derive(Clone, Copy)]
pub(crate) struct Avx2Set(__m256i);

impl Avx2Set {
    /// From four words, lowest cells first.
    #[inline(always)]
    pub(super) fn new(_: Avx2, words: &[u64; 4]) -> Self {
        // SAFETY: AVX2 is available (see the module); 32 readable bytes, no alignment needed.
        Self(unsafe { _mm256_loadu_si256(std::ptr::from_ref(words).cast()) })
    }
}

impl Set for Avx2Set {
    type Isa = Avx2;

    #[inline(always)]
    fn isa(self) -> Avx2 {
        Avx2::of(self)
    }

    #[inline(always)]
    fn words(self) -> [u64; 4] {
        let mut words = [0; 4];
        // SAFETY: AVX2 is available (see the module); 32 writable bytes, no alignment needed.
        unsafe { _mm256_storeu_si256(std::ptr::from_mut(&mut words).cast(), self.0) };
        words
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: AVX2 is available (see the module).
        Self(unsafe { _mm256_and_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: AVX2 is available (see the module).
        Self(unsafe { _mm256_or_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        // SAFETY: AVX2 is available (see the module).
        Self(unsafe { _mm256_andnot_si256(other.0, self.0) })
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        // SAFETY: AVX2 is available (see the module).
        unsafe { _mm256_testz_si256(self.0, self.0) == 1 }
    }

    #[inline(always)]
    fn members(self, cells: [u64; 2]) -> u32 {
        // SAFETY: AVX2 is available (see the module), and with it SSSE3 and SSE4.1.
        unsafe {
            let cells = _mm_set_epi64x(cells[1] as i64, cells[0] as i64);
            // The byte of the set that has the cell's bit: one of 16 in each half. The cell's
            // highest bit selects the half.
            let place = _mm_and_si128(_mm_srli_epi16::<3>(cells), _mm_set1_epi8(15));
            let low = _mm_shuffle_epi8(_mm256_castsi256_si128(self.0), place);
            let high = _mm_shuffle_epi8(_mm256_extracti128_si256::<1>(self.0), place);
            let byte = _mm_blendv_epi8(low, high, cells);
            // The bit within that byte.
            let powers = _mm_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
            let bit = _mm_shuffle_epi8(powers, _mm_and_si128(cells, _mm_set1_epi8(7)));
            _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_and_si128(byte, bit), bit)) as u32
        }
    }

    #[inline(always)]
    fn first(self) -> u8 {
        let bytes = self.words().map(u64::to_le_bytes);
        // SAFETY: AVX2 is available (see the module).
        let empty = unsafe {
            _mm256_movemask_epi8(_mm256_cmpeq_epi8(self.0, _mm256_setzero_si256())) as u32
        };
        // The first byte that is not empty, and its lowest bit. The remainder only matters for
        // empty sets, which callers never pass.
        let byte = (!empty).trailing_zeros() % 32;
        let bits = u32::from(bytes.as_flattened()[byte as usize]);
        (8 * byte + bits.trailing_zeros() % 8) as u8
    }

    #[inline(always)]
    fn east<const N: i32>(self) -> Self {
        // SAFETY: AVX2 is available (see the module).
        Self(unsafe { _mm256_slli_epi16::<N>(self.0) })
    }

    #[inline(always)]
    fn west<const N: i32>(self) -> Self {
        // SAFETY: AVX2 is available (see the module).
        Self(unsafe { _mm256_srli_epi16::<N>(self.0) })
    }

    #[inline(always)]
    fn south<const N: i32>(self) -> Self {
        // SAFETY: AVX2 is available (see the module).
        Self(unsafe {
            // [nothing, low half]: the rows that come in from the north.
            let incoming = _mm256_permute2x128_si256::<0x08>(self.0, self.0);
            match N {
                1 => _mm256_alignr_epi8::<14>(self.0, incoming),
                2 => _mm256_alignr_epi8::<12>(self.0, incoming),
                4 => _mm256_alignr_epi8::<8>(self.0, incoming),
                _ => incoming,
            }
        })
    }

    #[inline(always)]
    fn north<const N: i32>(self) -> Self {
        // SAFETY: AVX2 is available (see the module).
        Self(unsafe {
            // [high half, nothing]: the rows that come in from the south.
            let incoming = _mm256_permute2x128_si256::<0x81>(self.0, self.0);
            match N {
                1 => _mm256_alignr_epi8::<2>(incoming, self.0),
                2 => _mm256_alignr_epi8::<4>(incoming, self.0),
                4 => _mm256_alignr_epi8::<8>(incoming, self.0),
                _ => incoming,
            }
        })
    }
}
