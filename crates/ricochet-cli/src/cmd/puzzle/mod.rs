//! Puzzles read and shown, converted, or taken to the next round.

pub(crate) mod check;
pub(crate) mod convert;
pub(crate) mod demo;
pub(crate) mod next;
pub(crate) mod quadrants;
pub(crate) mod show;
