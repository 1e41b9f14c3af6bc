//! All tests of the public interface, as one program.

mod describe;
mod foreign;
mod formats;
mod generate;
mod json;
mod perft;
mod reading;
mod rules;
mod slips;

/// What the fuzz targets and other crates' tests use as well.
#[path = "../support"]
mod support {
    pub(crate) mod check;
    pub(crate) mod random;
}
