//! Choosing the code for a processor's instructions, once for each search.

use ricochet_core::Puzzle;

use super::any_robot::{AnyRobot, Question};
use super::nearest::{Nearest, NearestEnd};
use super::search::SetSearch;
use super::search_report::{SearchEnd, SearchReport};
#[cfg(target_arch = "x86_64")]
use crate::lowlevel::avx2::Avx2Set;
use crate::lowlevel::instructions::Instructions;
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
use crate::lowlevel::portable::PortableSet;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use crate::lowlevel::{instructions::Simd128, simd128::Simd128Set};
use crate::{Limits, Meter, Observer};

/// Calls a method of a search with the instructions and the sets of them.
macro_rules! with_instructions {
    ($instructions:expr, $search:ident.$method:ident($($argument:expr),*)) => {
        match $instructions {
            #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
            Instructions::Portable(isa) => $search.$method::<PortableSet>(isa, $($argument),*),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2(isa) => $search.$method::<Avx2Set>(isa, $($argument),*),
            // A file for browsers with vectors has no other code: it would only be larger.
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Instructions::Portable(_) | Instructions::Simd128(_) => {
                $search.$method::<Simd128Set>(Simd128, $($argument),*)
            }
        }
    };
}

pub(crate) fn run(
    instructions: Instructions,
    search: &mut SetSearch,
    puzzle: &Puzzle,
    limits: &Limits,
    meter: &Meter,
    watch: &mut dyn Observer,
    report: &mut SearchReport,
) -> SearchEnd {
    with_instructions!(
        instructions,
        search.run(puzzle, limits, meter, watch, report)
    )
}

pub(crate) fn any_robot(
    instructions: Instructions,
    search: &mut AnyRobot,
    question: &Question,
    watch: &mut dyn Observer,
    report: &mut SearchReport,
) -> SearchEnd {
    with_instructions!(instructions, search.run(question, watch, report))
}

pub(crate) fn nearest(
    instructions: Instructions,
    search: &mut SetSearch,
    question: &Nearest,
    watch: &mut dyn Observer,
    report: &mut SearchReport,
) -> NearestEnd {
    with_instructions!(instructions, search.nearest(question, watch, report))
}
