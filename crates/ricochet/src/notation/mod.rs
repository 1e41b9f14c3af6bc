//! Our own notation.

mod error;

pub use error::ReadError;
#[cfg(feature = "formats")]
pub(crate) use error::short;
