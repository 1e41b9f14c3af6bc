//! What a solver takes for puzzles that are not on an ordinary board with up to five robots: large
//! boards, six robots and more, diagonals. One line for each kind; two builds of it that are run in
//! turn show what a change brings.
//!
//! ```text
//! cargo bench --no-run --profile profiling -p ricochet-solve --bench wide_cost  # says where it is
//! target/profiling/deps/wide_cost-… flagship 3                      # all kinds
//! target/profiling/deps/wide_cost-… flagship:threads=2 3 diagonals  # one kind
//! target/profiling/deps/wide_cost-… flagship 1 diagonals 0..400     # other numbers, one line each
//! ```

use std::time::Duration;

use ricochet_core::Puzzle;
use ricochet_core::generate::{GoalRobot, RandomBoard, Recipe};
use ricochet_core::quadrants::Edition;

#[path = "../tests/it/common/mod.rs"]
mod common;

/// Puzzles of one recipe.
struct Kind {
    name: &'static str,
    recipe: Recipe,
    seed: u64,
    /// Those that are measured, by their number: 10 ms to some seconds each.
    numbers: &'static [u64],
}

impl Kind {
    fn puzzle(&self, number: u64) -> Puzzle {
        let puzzle = self.recipe.puzzle(self.seed, number);
        puzzle.expect("the recipe can be made")
    }
}

fn kinds() -> Vec<Kind> {
    let official = |edition, robots| Recipe {
        robots,
        ..Recipe::official(edition)
    };
    let random = |width, height, robots| Recipe {
        robots,
        ..Recipe::random(RandomBoard::new(width, height))
    };
    let any = |recipe| Recipe {
        goal_robot: GoalRobot::AnyRobot,
        ..recipe
    };
    let kind = |name, recipe, seed, numbers| Kind {
        name,
        recipe,
        seed,
        numbers,
    };
    vec![
        kind(
            "diagonals",
            official(Edition::Of2003, 4),
            1,
            &[187, 983, 798, 571, 478, 25],
        ),
        kind("diagonals-any", any(official(Edition::Of2003, 4)), 2, &[]),
        kind(
            "six-robots",
            official(Edition::Of1999, 6),
            3,
            &[54, 87, 112, 20],
        ),
        kind(
            "eight-robots",
            official(Edition::Of1999, 8),
            4,
            &[89, 64, 23, 63, 10],
        ),
        kind("20x20", random(20, 20, 4), 5, &[348, 57, 375, 251, 68, 51]),
        kind("32x32", random(32, 32, 4), 6, &[93, 105, 189, 56, 132, 48]),
    ]
}

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| argument != "--bench")
        .collect();
    let [solver, repeat, wanted @ ..] = arguments.as_slice() else {
        eprintln!("usage: wide_cost SOLVER REPEAT [KIND [FROM..TO]]");
        std::process::exit(2);
    };
    let repeat: usize = repeat.parse().expect("how often");
    let range = wanted.get(1).map(|range| {
        let (from, to) = range.split_once("..").expect("FROM..TO");
        from.parse::<u64>().expect("a number")..to.parse().expect("a number")
    });
    for kind in kinds() {
        if wanted.first().is_some_and(|wanted| wanted != kind.name) {
            continue;
        }
        let numbers: Vec<u64> = match &range {
            Some(range) => range.clone().collect(),
            None => kind.numbers.to_vec(),
        };
        let mut solver = common::solver(solver, &[]);
        let (mut total, mut slowest) = (Duration::ZERO, Duration::ZERO);
        let (mut moves, mut nodes, mut stored, mut most_bytes) = (0, 0, 0, 0);
        for &number in &numbers {
            let puzzle = kind.puzzle(number);
            let mut least = Duration::MAX;
            for round in 0..repeat.max(1) {
                let (outcome, stats) = common::solve(&mut *solver, &puzzle);
                // The machine may be slower than the program, but not faster.
                least = least.min(stats.time);
                if round == 0 {
                    let length = outcome.solution().map_or(0, |solution| solution.len());
                    if range.is_some() && least > Duration::from_millis(5) {
                        println!(
                            "{} {number}: {length} moves, {:.1} ms, {} nodes",
                            kind.name,
                            least.as_secs_f64() * 1e3,
                            stats.nodes
                        );
                    }
                    moves += length;
                    nodes += stats.nodes;
                    stored += stats.stored;
                    most_bytes = most_bytes.max(stats.peak_bytes);
                }
            }
            total += least;
            slowest = slowest.max(least);
        }
        println!(
            "{}: {} puzzles, {:.1} ms, slowest {:.1} ms, {moves} moves, {nodes} nodes, \
             {stored} stored, {:.1} MB",
            kind.name,
            numbers.len(),
            total.as_secs_f64() * 1e3,
            slowest.as_secs_f64() * 1e3,
            most_bytes as f64 / 1e6,
        );
    }
}
