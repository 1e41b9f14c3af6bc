//! Byte-wise minima, which compute the ends of all moves at once.

/// Complemented bytes of a packed entry: the ends of moves north and west are stored as `255 -
/// cell`, so that the nearer of two obstacles always has the smaller byte.
pub(crate) const FLIP: u32 = 0xff00_00ff;

#[cfg(target_arch = "x86_64")]
pub(crate) use x86::{Ends, Four};

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) use wasm::{Ends, Four};

#[cfg(not(any(
    target_arch = "x86_64",
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
pub(crate) use portable::{Ends, Four};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{
        __m128i, _mm_cmpeq_epi8, _mm_cvtsi32_si128, _mm_cvtsi128_si32, _mm_cvtsi128_si64,
        _mm_min_epu8, _mm_movemask_epi8, _mm_set_epi32, _mm_set1_epi32, _mm_unpackhi_epi64,
        _mm_xor_si128,
    };

    use super::FLIP;

    /// One packed entry.
    #[derive(Clone, Copy)]
    pub(crate) struct Four(__m128i);

    impl Four {
        #[inline(always)]
        pub(crate) fn new(packed: u32) -> Self {
            // SAFETY: SSE2 is part of every x86_64 processor.
            Self(unsafe { _mm_cvtsi32_si128(packed as i32) })
        }

        /// The byte-wise minimum.
        #[inline(always)]
        pub(crate) fn min(self, other: Self) -> Self {
            // SAFETY: SSE2 is part of every x86_64 processor.
            Self(unsafe { _mm_min_epu8(self.0, other.0) })
        }

        /// The four cells, after undoing the complement of N and W.
        #[inline(always)]
        pub(crate) fn cells(self) -> u32 {
            // SAFETY: SSE2 is part of every x86_64 processor.
            FLIP ^ unsafe { _mm_cvtsi128_si32(self.0) } as u32
        }
    }

    /// Four packed entries side by side. SSE2 is part of every `x86_64` processor.
    #[derive(Clone, Copy)]
    pub(crate) struct Ends(__m128i);

    impl Ends {
        #[inline(always)]
        pub(crate) fn new(lanes: [u32; 4]) -> Self {
            let [a, b, c, d] = lanes.map(|lane| lane as i32);
            // SAFETY: SSE2 is part of every x86_64 processor.
            Self(unsafe { _mm_set_epi32(d, c, b, a) })
        }

        #[inline(always)]
        pub(crate) fn min(self, other: Self) -> Self {
            // SAFETY: SSE2 is part of every x86_64 processor.
            Self(unsafe { _mm_min_epu8(self.0, other.0) })
        }

        /// One bit for each byte: whether it differs from `other`.
        #[inline(always)]
        pub(crate) fn differs(self, other: Self) -> u32 {
            // SAFETY: SSE2 is part of every x86_64 processor.
            let same = unsafe { _mm_movemask_epi8(_mm_cmpeq_epi8(self.0, other.0)) };
            !same as u32 & 0xffff
        }

        /// The cells, after undoing the complement of N and W.
        #[inline(always)]
        pub(crate) fn cells(self) -> [u64; 2] {
            // SAFETY: SSE2 is part of every x86_64 processor.
            unsafe {
                let plain = _mm_xor_si128(self.0, _mm_set1_epi32(FLIP as i32));
                [
                    _mm_cvtsi128_si64(plain) as u64,
                    _mm_cvtsi128_si64(_mm_unpackhi_epi64(plain, plain)) as u64,
                ]
            }
        }
    }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm {
    use std::arch::wasm32::{
        i8x16_bitmask, i8x16_ne, u8x16_min, u32x4, u32x4_extract_lane, u32x4_splat,
        u64x2_extract_lane, v128, v128_xor,
    };

    use super::FLIP;

    /// One packed entry.
    #[derive(Clone, Copy)]
    pub(crate) struct Four(v128);

    impl Four {
        #[inline(always)]
        pub(crate) fn new(packed: u32) -> Self {
            Self(u32x4(packed, 0, 0, 0))
        }

        /// The byte-wise minimum.
        #[inline(always)]
        pub(crate) fn min(self, other: Self) -> Self {
            Self(u8x16_min(self.0, other.0))
        }

        /// The four cells, after undoing the complement of N and W.
        #[inline(always)]
        pub(crate) fn cells(self) -> u32 {
            FLIP ^ u32x4_extract_lane::<0>(self.0)
        }
    }

    /// Four packed entries side by side.
    #[derive(Clone, Copy)]
    pub(crate) struct Ends(v128);

    impl Ends {
        #[inline(always)]
        pub(crate) fn new(lanes: [u32; 4]) -> Self {
            let [a, b, c, d] = lanes;
            Self(u32x4(a, b, c, d))
        }

        #[inline(always)]
        pub(crate) fn min(self, other: Self) -> Self {
            Self(u8x16_min(self.0, other.0))
        }

        /// One bit for each byte: whether it differs from `other`.
        #[inline(always)]
        pub(crate) fn differs(self, other: Self) -> u32 {
            u32::from(i8x16_bitmask(i8x16_ne(self.0, other.0)))
        }

        /// The cells, after undoing the complement of N and W.
        #[inline(always)]
        pub(crate) fn cells(self) -> [u64; 2] {
            let plain = v128_xor(self.0, u32x4_splat(FLIP));
            [
                u64x2_extract_lane::<0>(plain),
                u64x2_extract_lane::<1>(plain),
            ]
        }
    }
}

#[cfg(any(
    test,
    not(any(
        target_arch = "x86_64",
        all(target_arch = "wasm32", target_feature = "simd128")
    ))
))]
mod portable {
    use super::FLIP;

    /// One packed entry.
    #[derive(Clone, Copy)]
    pub(crate) struct Four(u32);

    impl Four {
        #[inline(always)]
        pub(crate) fn new(packed: u32) -> Self {
            Self(packed)
        }

        /// The byte-wise minimum.
        #[inline(always)]
        pub(crate) fn min(self, other: Self) -> Self {
            let (a, b) = (self.0.to_le_bytes(), other.0.to_le_bytes());
            Self(u32::from_le_bytes(std::array::from_fn(|i| a[i].min(b[i]))))
        }

        /// The four cells, after undoing the complement of N and W.
        #[inline(always)]
        pub(crate) fn cells(self) -> u32 {
            FLIP ^ self.0
        }
    }

    /// Four packed entries side by side.
    #[derive(Clone, Copy)]
    pub(crate) struct Ends([u32; 4]);

    impl Ends {
        #[inline(always)]
        pub(crate) fn new(lanes: [u32; 4]) -> Self {
            Self(lanes)
        }

        #[inline(always)]
        pub(crate) fn min(self, other: Self) -> Self {
            Self(std::array::from_fn(|i| {
                Four(self.0[i]).min(Four(other.0[i])).0
            }))
        }

        /// One bit for each byte: whether it differs from `other`.
        #[inline(always)]
        pub(crate) fn differs(self, other: Self) -> u32 {
            let mut mask = 0;
            for byte in 0..16 {
                let shift = 8 * (byte % 4);
                let here = self.0[byte / 4] >> shift & 0xff;
                let there = other.0[byte / 4] >> shift & 0xff;
                mask |= u32::from(here != there) << byte;
            }
            mask
        }

        /// The cells, after undoing the complement of N and W.
        #[inline(always)]
        pub(crate) fn cells(self) -> [u64; 2] {
            let [a, b, c, d] = self.0.map(|lane| u64::from(lane ^ FLIP));
            [a | b << 32, c | d << 32]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Ends, Four, portable};

    #[test]
    fn both_forms_agree() {
        let mut x = 1u64;
        let mut next = || {
            x = x
                .wrapping_mul(0x5851_f42d_4c95_7f2d)
                .wrapping_add(0x1405_7b7e_f767_814f);
            // Few distinct bytes, so that equal ones occur.
            (x >> 33) as u32 & 0x0303_0303
        };
        for _ in 0..if cfg!(miri) { 50 } else { 10_000 } {
            let a: [u32; 4] = std::array::from_fn(|_| next());
            let b: [u32; 4] = std::array::from_fn(|_| next());
            let fast = Ends::new(a).min(Ends::new(b));
            let slow = portable::Ends::new(a).min(portable::Ends::new(b));
            assert_eq!(fast.cells(), slow.cells());
            assert_eq!(
                Four::new(a[0]).min(Four::new(b[0])).cells(),
                portable::Four::new(a[0])
                    .min(portable::Four::new(b[0]))
                    .cells(),
            );
            assert_eq!(
                fast.differs(Ends::new(a)),
                slow.differs(portable::Ends::new(a))
            );
        }
    }
}
