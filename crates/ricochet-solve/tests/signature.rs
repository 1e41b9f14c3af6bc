//! Node counts, pinned. They change only when the behaviour of a search changes; a commit that does
//! so changes them here and says why.

mod common;

use common::{corpus, solve, solver};
use ricochet::Puzzle;

/// The first forty corpus positions with an optimum of 3 to 6 moves.
fn puzzles() -> Vec<Puzzle> {
    corpus("official/random.jsonl")
        .into_iter()
        .filter(|puzzle| matches!(puzzle.known_optimal(), Some(3..=6)))
        .take(40)
        .collect()
}

/// Total nodes and stored states.
fn signature(name: &str, options: &[(&str, &str)]) -> (u64, u64) {
    let mut solver = solver(name, options);
    puzzles().iter().fold((0, 0), |(nodes, stored), puzzle| {
        let (_, stats) = solve(&mut *solver, puzzle);
        (nodes + stats.nodes, stored + stats.stored)
    })
}

/// Solver, options, and what they give.
type Pinned = (
    &'static str,
    &'static [(&'static str, &'static str)],
    (u64, u64),
);

#[test]
fn searches_visit_as_many_nodes_as_ever() {
    let pinned: [Pinned; 8] = [
        ("iddfs", &[], (45_399, 9_022)),
        ("iddfs", &[("sort", "off")], (45_444, 9_037)),
        ("iddfs", &[("memo", "off")], (87_899, 0)),
        ("iddfs", &[("bound", "off")], (933_011, 68_905)),
        ("naive", &[], (97_578, 296_884)),
        ("graph-v1", &[], (735_084, 40_573)),
        ("graph-v2", &[], (59_841, 10_393)),
        ("graph-complete", &[], (91_909, 26_445)),
    ];
    for (name, options, expected) in pinned {
        let found = signature(name, options);
        assert_eq!(found, expected, "{name} {options:?}: nodes, stored");
    }
}
