//! The lab from the outside, as one test binary.

mod pages;
mod runs;
