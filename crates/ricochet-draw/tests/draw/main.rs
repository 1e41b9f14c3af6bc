//! The tests of `ricochet-draw`, in one binary.

mod pictures;
#[path = "../../../ricochet-core/tests/support/random.rs"]
mod random;
mod round_trip;
mod sheets;
mod style;
mod support;
mod terminal;
