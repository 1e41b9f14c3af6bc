//! Sets of 256 cells in one AVX2 register.
//!
//! # Safety
//! Every intrinsic here needs AVX2. Values of [`Avx2`] are made only inside functions that are
//! reached through [`super::dispatch`], which has asked the processor first; all methods are
//! inlined into those.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m256i, _mm256_alignr_epi8, _mm256_and_si256, _mm256_andnot_si256, _mm256_loadu_si256,
    _mm256_or_si256, _mm256_permute2x128_si256, _mm256_slli_epi16, _mm256_srli_epi16,
    _mm256_storeu_si256, _mm256_testz_si256,
};

use super::kernel::{Kernel, with_avx2};
use super::set::Set;

/// 256 bits in a register.
#[derive(Clone, Copy)]
pub(crate) struct Avx2(__m256i);

impl Set for Avx2 {
    #[inline(always)]
    fn with<K: Kernel>(kernel: K) -> K::Output {
        // SAFETY: all that `with_avx2` needs is there (see the module).
        unsafe { with_avx2(kernel) }
    }

    #[inline(always)]
    fn load(words: &[u64; 4]) -> Self {
        // SAFETY: AVX2 is there (see the module); 32 readable bytes, no alignment needed.
        Self(unsafe { _mm256_loadu_si256(std::ptr::from_ref(words).cast()) })
    }

    #[inline(always)]
    fn words(self) -> [u64; 4] {
        let mut words = [0; 4];
        // SAFETY: AVX2 is there (see the module); 32 writable bytes, no alignment needed.
        unsafe { _mm256_storeu_si256(std::ptr::from_mut(&mut words).cast(), self.0) };
        words
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: AVX2 is there (see the module).
        Self(unsafe { _mm256_and_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: AVX2 is there (see the module).
        Self(unsafe { _mm256_or_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        // SAFETY: AVX2 is there (see the module).
        Self(unsafe { _mm256_andnot_si256(other.0, self.0) })
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        // SAFETY: AVX2 is there (see the module).
        unsafe { _mm256_testz_si256(self.0, self.0) == 1 }
    }

    #[inline(always)]
    fn east<const N: i32>(self) -> Self {
        // SAFETY: AVX2 is there (see the module).
        Self(unsafe { _mm256_slli_epi16::<N>(self.0) })
    }

    #[inline(always)]
    fn west<const N: i32>(self) -> Self {
        // SAFETY: AVX2 is there (see the module).
        Self(unsafe { _mm256_srli_epi16::<N>(self.0) })
    }

    #[inline(always)]
    fn south<const N: i32>(self) -> Self {
        // SAFETY: AVX2 is there (see the module).
        Self(unsafe {
            // [nothing, low half]: what comes in from the north.
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
        // SAFETY: AVX2 is there (see the module).
        Self(unsafe {
            // [high half, nothing]: what comes in from the south.
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
