//! The questions: the fields and the answer of each, and how the answer is found.

pub mod check;
pub mod daily;
pub mod distances;
pub mod draw;
pub mod explain;
pub mod formats;
pub mod generate;
pub mod hint;
pub mod overlay;
pub mod position;
pub mod quadrants;
pub mod rate;
pub mod solve;
pub mod solvers;
pub mod trace;
