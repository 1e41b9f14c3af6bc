//! The figures that the slides, the thesis and the report publish, embedded from `corpus/reference/`.

use std::collections::BTreeMap;

use serde::Deserialize;

/// The thesis's tables.
#[derive(Clone, Debug, Deserialize)]
pub struct Thesis {
    /// Where it was measured.
    pub machine: String,
    /// The number of positions.
    pub configurations: u64,
    /// Positions that require 1, 2, … moves.
    pub distribution: Vec<u64>,
    /// Hit rate in percent for 1, 2, … required moves, by algorithm.
    pub hitrate_percent: BTreeMap<String, Vec<f64>>,
    /// Hit rate over all.
    pub total_hitrate_percent: BTreeMap<String, f64>,
    /// Mean milliseconds for 1, 2, … required moves.
    pub mean_ms_by_required_moves: BTreeMap<String, Vec<f64>>,
    /// The same over the solves that were optimal.
    pub mean_ms_where_optimal: BTreeMap<String, Vec<f64>>,
}

/// One row of the report 'AI in Games'.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct GameResult {
    /// 1 to 6.
    pub algorithm: u32,
    /// Average time of the solved rounds.
    pub avg_seconds: f64,
    /// Average moves of the solved rounds.
    pub avg_moves: f64,
    /// Rounds in which the algorithm ran out of search space.
    pub failed: u32,
    /// Rounds that ended at the time limit.
    pub timeouts: u32,
    /// Rounds solved.
    pub solved: u32,
}

/// One table of that report.
#[derive(Clone, Debug, Deserialize)]
pub struct ParameterSet {
    /// Longest setup.
    pub setup_depth: u32,
    /// Time limit of a round in seconds.
    pub time_limit_s: u64,
    /// One row per algorithm.
    pub results: Vec<GameResult>,
}

/// The report 'AI in Games'.
#[derive(Clone, Debug, Deserialize)]
pub struct Games {
    /// Rounds of a game.
    pub rounds: u32,
    /// Longest single-colour search.
    pub single_color_depth_limit: u32,
    /// Names by number.
    pub algorithms: BTreeMap<String, String>,
    /// The three tables.
    pub parameter_sets: Vec<ParameterSet>,
}

/// One row of the slides' table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct SlidesRow {
    /// The depth.
    pub depth: u32,
    /// Nodes.
    pub nodes: u64,
    /// Nodes that passed the tests.
    pub inner: u64,
    /// Nodes that the memo pruned.
    pub hits: u64,
}

/// The times that the slides state.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct SlidesClaims {
    /// 'about 3 minutes' with the memo alone.
    pub memo_only_seconds: f64,
    /// 'around 1 minute' with sorted keys.
    pub sorted_key_seconds: f64,
    /// 'about 10 seconds' with the bound.
    pub with_bound_seconds: f64,
}

/// The slides.
#[derive(Clone, Debug, Deserialize)]
pub struct Slides {
    /// 22 rows.
    pub iddfs_depth_table: Vec<SlidesRow>,
    /// Size of the tree without memo and bound.
    pub brute_force_nodes_by_depth: BTreeMap<u32, u64>,
    /// The stated times.
    pub slide_claims: SlidesClaims,
}

/// The thesis's tables.
pub fn thesis() -> Thesis {
    embedded(include_str!("../../../../corpus/reference/thesis.json"))
}

/// The tables of 'AI in Games'.
pub fn games() -> Games {
    embedded(include_str!(
        "../../../../corpus/reference/ai-in-games.json"
    ))
}

/// The slides' figures.
pub fn slides() -> Slides {
    embedded(include_str!("../../../../corpus/reference/slides.json"))
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
