//! Chooses the code for the processor's instructions and the number of helpers, once for each
//! search.

#[cfg(target_arch = "x86_64")]
use crate::lowlevel::avx2::Avx2Set;
use crate::lowlevel::instructions::Instructions;
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
use crate::lowlevel::portable::PortableSet;
use crate::lowlevel::set::Set;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use crate::lowlevel::{instructions::Simd128, simd128::Simd128Set};

/// Work that is compiled for each instruction set and each number of helpers.
pub(crate) trait Specialized {
    type Output;

    fn run<S: Set, const N: usize>(self, isa: S::Isa) -> Self::Output;
}

/// Runs the code for these instructions and this many helpers, at most four.
pub(crate) fn dispatch<T: Specialized>(
    instructions: Instructions,
    helpers: usize,
    search: T,
) -> T::Output {
    match instructions {
        #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
        Instructions::Portable(isa) => for_helpers::<PortableSet, T>(isa, helpers, search),
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx2(isa) => for_helpers::<Avx2Set, T>(isa, helpers, search),
        // A file for browsers with vectors contains only this code, to keep it small.
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        Instructions::Portable(_) | Instructions::Simd128(_) => {
            for_helpers::<Simd128Set, T>(Simd128, helpers, search)
        }
    }
}

fn for_helpers<S: Set, T: Specialized>(isa: S::Isa, helpers: usize, search: T) -> T::Output {
    match helpers {
        0 => search.run::<S, 0>(isa),
        1 => search.run::<S, 1>(isa),
        2 => search.run::<S, 2>(isa),
        3 => search.run::<S, 3>(isa),
        _ => search.run::<S, 4>(isa),
    }
}
