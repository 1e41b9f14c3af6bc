//! Everything in the seeds that is exact: figures that an implementation reproduces to the digit or
//! does not implement what the text says.

mod common;

use common::{corpus_json, length, puzzle_of, solve, solver};
use ricochet::{Cell, Puzzle, Robot, Solution};
use ricochet_solve::bound::MinMoves;
use ricochet_solve::{Limit, Limits, Outcome, Silent};
use serde_json::Value;

/// The slides' file, and its 22-move puzzle.
fn slides() -> (Value, Puzzle) {
    let slides = corpus_json("reference/slides.json");
    let puzzle = puzzle_of(&slides["puzzle"]);
    (slides, puzzle)
}

/// Compares `iddfs` with the slides' table, rows 1 to `depth`.
fn compare_depth_table(depth: u32) {
    let (slides, puzzle) = slides();
    let table = slides["iddfs_depth_table"].as_array().unwrap();
    let limits = Limits {
        moves: Some(depth),
        ..Limits::default()
    };
    let (outcome, stats) = solver("iddfs", &[]).solve(&puzzle, &limits, &mut Silent);
    assert_eq!(stats.rows.len(), depth as usize);
    for (row, published) in stats.rows.iter().zip(table) {
        let ours = [row.depth.into(), row.nodes, row.inner, row.hits];
        let theirs = ["depth", "nodes", "inner", "hits"].map(|key| published[key].as_u64().unwrap());
        assert_eq!(ours, theirs, "depth, nodes, inner, hits");
    }
    if depth == 22 {
        assert_eq!(length(&outcome), 22);
    } else {
        let expected = Outcome::LimitReached {
            limit: Limit::Moves,
            lower_bound: depth + 1,
        };
        assert_eq!(outcome, expected);
    }
}

#[test]
fn slides_solver_output_rows_1_to_16() {
    compare_depth_table(16);
}

/// All 22 rows, 120 million nodes. Run with
/// `cargo test --release -p ricochet-solve --test published -- --ignored slides_solver_output`.
#[test]
#[ignore = "120 million nodes: run in an optimised build"]
fn slides_solver_output_all_22_rows() {
    compare_depth_table(22);
}
