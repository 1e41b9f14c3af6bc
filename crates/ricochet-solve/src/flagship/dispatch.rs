//! Choosing the code for a processor's instructions, once for each search.

use ricochet::Puzzle;

use super::nearest::{Nearest, NearestEnd};
use super::search::{SearchEnd, SearchReport, SetSearch};
#[cfg(target_arch = "x86_64")]
use crate::lowlevel::avx2::Avx2Set;
use crate::lowlevel::instructions::Instructions;
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
use crate::lowlevel::portable::PortableSet;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use crate::lowlevel::{instructions::Simd128, simd128::Simd128Set};
use crate::{Limits, Meter, Observer};

pub(crate) fn run(
    instructions: Instructions,
    search: &mut SetSearch,
    puzzle: &Puzzle,
    limits: &Limits,
    meter: &Meter,
    watch: &mut dyn Observer,
    report: &mut SearchReport,
) -> SearchEnd {
    match instructions {
        #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
        Instructions::Portable(isa) => {
            search.run::<PortableSet>(isa, puzzle, limits, meter, watch, report)
        }
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx2(isa) => search.run::<Avx2Set>(isa, puzzle, limits, meter, watch, report),
        // A file for browsers with vectors has no other code: it would only be larger.
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        Instructions::Portable(_) | Instructions::Simd128(_) => {
            search.run::<Simd128Set>(Simd128, puzzle, limits, meter, watch, report)
        }
    }
}

pub(crate) fn nearest(
    instructions: Instructions,
    search: &mut SetSearch,
    question: &Nearest,
    watch: &mut dyn Observer,
    report: &mut SearchReport,
) -> NearestEnd {
    match instructions {
        #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
        Instructions::Portable(isa) => search.nearest::<PortableSet>(isa, question, watch, report),
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx2(isa) => search.nearest::<Avx2Set>(isa, question, watch, report),
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        Instructions::Portable(_) | Instructions::Simd128(_) => {
            search.nearest::<Simd128Set>(Simd128, question, watch, report)
        }
    }
}
