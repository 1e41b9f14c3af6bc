//! Node counts, pinned. They change only when the behaviour of a search changes; a commit that does
//! so changes them here and says why.

use crate::common::{corpus, solver};
use ricochet_core::Puzzle;
use ricochet_solve::registry::SOLVERS;
use ricochet_solve::{Limits, NullObserver};

/// The first forty corpus positions with an optimum of 3 to 6 moves.
fn puzzles() -> Vec<Puzzle> {
    corpus("official/random.jsonl")
        .into_iter()
        .filter(|puzzle| matches!(puzzle.known_optimal(), Some(3..=6)))
        .take(40)
        .collect()
}

/// Total nodes and stored states, with a limit of nodes per puzzle: depth-first searches of the
/// whole tree would not end otherwise.
fn signature(name: &str, options: &[(&str, &str)]) -> (u64, u64) {
    let limits = Limits {
        nodes: Some(100_000),
        ..Limits::default()
    };
    let mut solver = solver(name, options);
    puzzles().iter().fold((0, 0), |(nodes, stored), puzzle| {
        let (_, stats) = solver.solve(puzzle, &limits, &mut NullObserver);
        (nodes + stats.nodes, stored + stats.stored)
    })
}

/// Solver, options, and what they give.
type Pinned = (
    &'static str,
    &'static [(&'static str, &'static str)],
    (u64, u64),
);

/// One line a solver, in the order of the registry, and one for each switch that changes a search.
/// `ricochet bench --signature` prints them.
const PINNED: &[Pinned] = &[
    ("flagship", &[], (2_008, 1_007)),
    ("iddfs", &[], (45_399, 9_022)),
    ("iddfs", &[("sort", "off")], (45_444, 9_037)),
    ("iddfs", &[("memo", "off")], (87_899, 0)),
    ("iddfs", &[("bound", "off")], (929_362, 68_674)),
    ("iddfs-bounded", &[], (22_768, 4_296)),
    ("naive", &[], (97_578, 296_884)),
    ("stateless", &[], (3_862, 12_629)),
    ("stateless", &[("published", "on")], (40_320, 40_320)),
    ("subgoals", &[], (255, 11_100)),
    ("graph-v1", &[], (680_099, 38_867)),
    ("graph-v2", &[], (59_841, 10_393)),
    ("graph-bounded", &[], (13_547, 7_965)),
    ("graph-complete", &[], (91_909, 26_445)),
    ("bfs", &[], (2_693_557, 794_927)),
    ("bfs", &[("duplicates", "drop")], (1_028_628, 125_661)),
    ("dfs", &[], (2_214_267, 0)),
    ("single-color", &[], (1_450, 0)),
    ("setup-bfs", &[], (13_868, 21_279)),
    ("setup-dfs", &[], (714, 0)),
    ("setup-position", &[], (86, 9_954)),
    ("setup-crossblock", &[], (59, 9_954)),
];

/// Solvers whose line is missing, and why.
const NOT_PINNED: &[(&str, &str)] = &[(
    "tablebase",
    "declines official boards; its tests count states",
)];

#[test]
fn searches_visit_as_many_nodes_as_ever() {
    let changed: Vec<String> = PINNED
        .iter()
        .filter_map(|&(name, options, expected)| {
            let found = signature(name, options);
            (found != expected).then(|| format!("{name} {options:?}: {found:?}, was {expected:?}"))
        })
        .collect();
    assert!(changed.is_empty(), "nodes, stored: {changed:#?}");
}

#[test]
fn every_solver_is_pinned_or_excused() {
    for entry in SOLVERS {
        let pinned = PINNED.iter().filter(|(name, ..)| *name == entry.name);
        let excused = NOT_PINNED.iter().filter(|(name, _)| *name == entry.name);
        assert!(pinned.count() + excused.count() > 0, "{}", entry.name);
    }
}
