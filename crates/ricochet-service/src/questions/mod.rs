//! One file a question: its fields, its answer, and how the answer is found.

pub mod all;
pub mod check;
pub mod compare;
pub mod compose;
pub mod convert;
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
pub mod read;
pub mod solve;
pub mod solvers;
pub mod validate;
