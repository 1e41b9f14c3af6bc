//! The figures that the slides, the thesis and the report publish, embedded from `corpus/reference/`.

use std::collections::BTreeMap;

use serde::Deserialize;

/// The thesis's tables.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Thesis {
    pub(crate) machine: String,
    pub(crate) configurations: u64,
    /// Positions that require 1, 2, … moves.
    pub(crate) distribution: Vec<u64>,
    /// Hit rate in percent for 1, 2, … required moves, by algorithm.
    pub(crate) hitrate_percent: BTreeMap<String, Vec<f64>>,
    /// Hit rate over all.
    pub(crate) total_hitrate_percent: BTreeMap<String, f64>,
    /// Mean milliseconds for 1, 2, … required moves.
    pub(crate) mean_ms_by_required_moves: BTreeMap<String, Vec<f64>>,
    /// The same over the solves that were optimal.
    pub(crate) mean_ms_where_optimal: BTreeMap<String, Vec<f64>>,
}

/// One row of the report 'AI in Games'.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct GameResult {
    /// 1 to 6.
    pub(crate) algorithm: u32,
    /// Average time of the solved rounds.
    pub(crate) avg_seconds: f64,
    /// Average moves of the solved rounds.
    pub(crate) avg_moves: f64,
    /// Rounds in which the algorithm ran out of search space.
    pub(crate) failed: u32,
    /// Rounds that ended at the time limit.
    pub(crate) timeouts: u32,
    pub(crate) solved: u32,
}

/// One table of that report.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct ParameterSet {
    /// Longest setup.
    pub(crate) setup_depth: u32,
    /// Time limit of a round in seconds.
    pub(crate) time_limit_s: u64,
    pub(crate) results: Vec<GameResult>,
}

/// The report 'AI in Games'.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Games {
    pub(crate) rounds: u32,
    /// Longest single-colour search.
    pub(crate) single_color_depth_limit: u32,
    pub(crate) parameter_sets: Vec<ParameterSet>,
}

/// One row of the slides' table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct SlidesRow {
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
    /// Nodes that passed the tests.
    pub(crate) inner: u64,
    /// Nodes that the memo pruned.
    pub(crate) hits: u64,
}

/// The times that the slides state, in seconds.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct SlidesClaims {
    /// 'about 3 minutes' with the memo alone.
    #[serde(rename = "memo_only_seconds")]
    pub(crate) memo_only: f64,
    /// 'around 1 minute' with sorted keys.
    #[serde(rename = "sorted_key_seconds")]
    pub(crate) sorted_key: f64,
    /// 'about 10 seconds' with the bound.
    #[serde(rename = "with_bound_seconds")]
    pub(crate) with_bound: f64,
}

/// The slides.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Slides {
    pub(crate) iddfs_depth_table: Vec<SlidesRow>,
    /// Size of the tree without memo and bound.
    pub(crate) brute_force_nodes_by_depth: BTreeMap<u32, u64>,
    pub(crate) slide_claims: SlidesClaims,
}

/// The thesis's tables.
pub(crate) fn thesis() -> Thesis {
    embedded(include_str!(concat!(
        env!("RICOCHET_CORPUS"),
        "/reference/thesis.json"
    )))
}

/// The tables of 'AI in Games'.
pub(crate) fn games() -> Games {
    embedded(include_str!(concat!(
        env!("RICOCHET_CORPUS"),
        "/reference/ai-in-games.json"
    )))
}

/// The slides' figures.
pub(crate) fn slides() -> Slides {
    embedded(include_str!(concat!(
        env!("RICOCHET_CORPUS"),
        "/reference/slides.json"
    )))
}

fn embedded<T: for<'a> Deserialize<'a>>(text: &str) -> T {
    serde_json::from_str(text).expect("the embedded reference files are read by the tests")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embedded_figures_are_complete() {
        let thesis = thesis();
        assert_eq!(
            thesis.distribution.iter().sum::<u64>(),
            thesis.configurations
        );
        let games = games();
        assert_eq!((games.parameter_sets.len(), games.rounds), (3, 40));
        assert_eq!(slides().brute_force_nodes_by_depth[&10], 2_294_544_866);
    }
}
