//! The tests of `ricochet-draw`, in one binary.

mod look;
mod pictures;
mod sheets;
mod support;
mod terminal;
