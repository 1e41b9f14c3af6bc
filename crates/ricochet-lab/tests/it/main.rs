//! The lab from the outside, as one test binary.

mod external;
mod pages;
mod puzzle_set;
mod runs;
