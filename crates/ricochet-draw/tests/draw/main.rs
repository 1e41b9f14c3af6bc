//! The tests of `ricochet-draw`, in one binary.

mod look;
mod pictures;
#[path = "../../../ricochet-core/tests/support/random.rs"]
mod random;
mod sheets;
mod shown;
mod support;
mod terminal;
