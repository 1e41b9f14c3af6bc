//! What a solver takes for whole corpora: time, nodes and memory, one line each. Two builds of it that
//! are run in turn show what a change brings.
//!
//! ```text
//! cargo bench --no-run --profile profiling -p ricochet-solve --bench corpus_cost  # says where it is
//! target/profiling/deps/corpus_cost-… flagship 3 official/random official/hard records/records
//! ```
//!
//! With `--new` first, every puzzle gets a new solver, as in a program that solves one position; making and
//! dropping it counts.

use std::time::{Duration, Instant};

#[path = "../tests/it/common/mod.rs"]
mod common;

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| argument != "--bench")
        .collect();
    let (new_solvers, arguments) = match arguments.as_slice() {
        [first, rest @ ..] if first == "--new" => (true, rest),
        all => (false, all),
    };
    let [spec, repeat, corpora @ ..] = arguments else {
        eprintln!("usage: corpus_cost [--new] SOLVER REPEAT CORPUS…");
        std::process::exit(2);
    };
    let repeat: usize = repeat.parse().expect("how often");
    for name in corpora {
        let mut solver = common::solver(spec, &[]);
        let puzzles = common::corpus(&format!("{name}.jsonl"));
        let (mut total, mut slowest) = (Duration::ZERO, Duration::ZERO);
        let (mut nodes, mut hits, mut expanded, mut stored, mut most_bytes) = (0, 0, 0, 0, 0);
        for puzzle in &puzzles {
            let mut times = Vec::new();
            for round in 0..repeat.max(1) {
                let started = Instant::now();
                let (outcome, mut stats) = if new_solvers {
                    common::solve(&mut *common::solver(spec, &[]), puzzle)
                } else {
                    common::solve(&mut *solver, puzzle)
                };
                stats.time = started.elapsed();
                if let Some(optimal) = puzzle.known_optimal() {
                    assert_eq!(common::length(&outcome), optimal, "{name}");
                }
                times.push(stats.time);
                if round == 0 {
                    nodes += stats.nodes;
                    hits += stats.hits;
                    expanded += stats.expanded;
                    stored += stats.stored;
                    most_bytes = most_bytes.max(stats.peak_bytes);
                }
            }
            // The machine may be slower than the program, but not faster.
            let least = times.into_iter().min().expect("one at least");
            total += least;
            slowest = slowest.max(least);
        }
        println!(
            "{name}: {} puzzles, {:.1} ms, slowest {:.1} ms, {nodes} nodes, {hits} hits, \
             {expanded} expanded, {stored} stored, {:.1} MB",
            puzzles.len(),
            total.as_secs_f64() * 1e3,
            slowest.as_secs_f64() * 1e3,
            most_bytes as f64 / 1e6,
        );
    }
}
