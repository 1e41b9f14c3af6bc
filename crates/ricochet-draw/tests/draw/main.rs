//! The tests of `ricochet-draw`, in one binary.

mod look;
mod pictures;
#[path = "../../../ricochet/tests/support/random.rs"]
mod random;
mod sheets;
mod shown;
mod support;
mod terminal;
