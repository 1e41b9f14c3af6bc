//! All tests of the public interface, as one program.

mod answers;
mod hostile;
mod position;
mod questions;
mod schema;
mod trace;
