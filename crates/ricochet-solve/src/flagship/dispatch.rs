//! Choosing between the portable code and AVX2, once for each search.
//!
//! The inner loops are generic over [`Set`](super::set::Set) and inlined into one function for
//! each kind of set; the one for AVX2 is compiled for processors that have it and called only
//! there.

use ricochet::Puzzle;

use super::kernel::has_avx2;
use super::search::{Ended, Report, SetSearch};
use super::set::Portable;
use crate::{Limits, Meter, Observer};

/// Which code a search uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Isa {
    /// For any processor.
    Portable,
    /// For those with AVX2.
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

impl Isa {
    /// The best that this processor has.
    pub(crate) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if has_avx2() {
            return Self::Avx2;
        }
        Self::Portable
    }
}

pub(crate) fn run(
    isa: Isa,
    search: &mut SetSearch,
    puzzle: &Puzzle,
    limits: &Limits,
    meter: &Meter,
    watch: &mut dyn Observer,
    report: &mut Report,
) -> Ended {
    match isa {
        Isa::Portable => search.run::<Portable>(puzzle, limits, meter, watch, report),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => search.run::<super::avx2::Avx2>(puzzle, limits, meter, watch, report),
    }
}
