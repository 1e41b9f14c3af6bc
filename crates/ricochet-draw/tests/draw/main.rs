//! The tests of `ricochet-draw`, in one binary.

mod look;
mod pictures;
mod support;
mod terminal;
