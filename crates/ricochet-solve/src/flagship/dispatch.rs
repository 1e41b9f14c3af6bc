//! Choosing between the portable code and AVX2, once for each search.
//!
//! The inner loops are generic over [`Set`](super::set::Set) and inlined into one function for
//! each kind of set; the one for AVX2 is compiled for processors that have it and called only
//! there.
#![allow(unsafe_code)]

use ricochet::Puzzle;

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
        if is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt")
        {
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
        Isa::Avx2 => {
            // SAFETY: `Isa::Avx2` is made by `detect` only, after asking the processor.
            unsafe { run_avx2(search, puzzle, limits, meter, watch, report) }
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_avx2(
    search: &mut SetSearch,
    puzzle: &Puzzle,
    limits: &Limits,
    meter: &Meter,
    watch: &mut dyn Observer,
    report: &mut Report,
) -> Ended {
    search.run::<super::avx2::Avx2>(puzzle, limits, meter, watch, report)
}
