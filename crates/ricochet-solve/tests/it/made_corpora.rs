//! A sample of each corpus that `benches/make_corpus.rs` made: optima hold, by two solvers where the
//! second is quick enough.

use ricochet_core::Puzzle;
use ricochet_solve::registry;
use ricochet_solve::{Limits, NullObserver, Outcome};

fn puzzles(text: &str) -> Vec<Puzzle> {
    let setups = ricochet_core::formats::read(text).unwrap();
    let puzzles = setups.into_iter().map(|setup| setup.validate().unwrap());
    puzzles.collect()
}

/// Solves every `step`-th puzzle of at most `longest` moves.
fn verify(text: &str, second: &str, step: usize, longest: u32) {
    let mut solvers = ["flagship", second].map(|name| {
        let solver = registry::build(name);
        solver.unwrap()
    });
    let short = puzzles(text).into_iter().filter(|puzzle| {
        let optimal = puzzle.known_optimal();
        optimal.is_none_or(|optimal| optimal <= longest)
    });
    let mut seen = 0;
    for puzzle in short.step_by(step) {
        for solver in &mut solvers {
            let (outcome, _) = solver.solve(&puzzle, &Limits::default(), &mut NullObserver);
            let name = solver.name();
            match puzzle.known_optimal() {
                None => assert_eq!(outcome, Outcome::Unsolvable, "{name}, {:?}", puzzle.id()),
                Some(optimal) => {
                    let solution = outcome.solution().expect("it has a solution");
                    solution.replay(&puzzle).unwrap();
                    assert_eq!(solution.len() as u32, optimal, "{name}, {:?}", puzzle.id());
                }
            }
        }
        seen += 1;
    }
    assert!(seen > 10, "a sample of {seen}");
}

#[test]
fn official_positions_by_length() {
    let text = include_str!("../../../../corpus/official/by-length.jsonl");
    let all = puzzles(text);
    for length in 1..=16 {
        let of_this_length = all.iter().filter(|p| p.known_optimal() == Some(length));
        assert!(of_this_length.count() >= 30, "{length} moves");
    }
    verify(text, "iddfs", 13, 13);
}

#[test]
fn five_robots() {
    let text = include_str!("../../../../corpus/five-robots.jsonl");
    assert!(puzzles(text).iter().all(|puzzle| puzzle.start().len() == 5));
    verify(text, "iddfs", 3, 7);
}

#[test]
fn diagonals() {
    let text = include_str!("../../../../corpus/diagonals.jsonl");
    assert!((puzzles(text).iter()).all(|puzzle| !puzzle.board().diagonals().is_empty()));
    verify(text, "iddfs", 5, 8);
}

#[test]
fn small_boards() {
    let text = include_str!("../../../../corpus/small.jsonl");
    assert!(
        puzzles(text)
            .iter()
            .all(|puzzle| puzzle.board().cell_count() <= 64)
    );
    verify(text, "naive", 4, 40);
}

#[test]
fn large_boards() {
    let text = include_str!("../../../../corpus/large.jsonl");
    assert!(
        puzzles(text)
            .iter()
            .all(|puzzle| puzzle.board().cell_count() > 256)
    );
    verify(text, "iddfs", 2, 7);
}

#[test]
fn unsolvable() {
    let text = include_str!("../../../../corpus/unsolvable.jsonl");
    assert!(
        puzzles(text)
            .iter()
            .all(|puzzle| puzzle.known_optimal().is_none())
    );
    verify(text, "naive", 4, 0);
}
