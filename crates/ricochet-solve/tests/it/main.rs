//! The tests of the solvers, one binary for all: each module is one subject.

mod all;
mod common;
mod conformance;
mod corpus;
mod distances;
mod evaluate;
mod flagship;
mod hit_rates;
mod lessons;
mod made_corpora;
#[cfg(target_os = "linux")]
mod memory;
mod mining;
mod must_ricochet;
mod published;
mod setups;
mod signature;
mod stateless;
mod tablebase;
mod trace;
