//! The solvers of the published texts, one algorithm of the literature each.

pub mod graph;
pub mod iddfs;
pub mod naive;
pub mod setups;
pub mod stateless;
pub mod subgoals;
