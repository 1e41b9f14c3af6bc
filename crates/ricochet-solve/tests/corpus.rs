//! All solvers on many puzzles: the optimal ones agree with each other and with the proven optima,
//! the others never beat them and always replay.

mod common;

use common::{corpus, solver};
use ricochet::Puzzle;
use ricochet::generate::{RandomBoard, Recipe};
use ricochet::quadrants::Edition;
use ricochet_solve::registry::{ENTRIES, Entry};
use ricochet_solve::{Failure, Guarantee, Limits, Outcome, Silent, Solver};

/// What the optimal solvers must agree on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Length(u32),
    Unsolvable,
}

fn answer(outcome: &Outcome, context: &str) -> Answer {
    match outcome {
        Outcome::Solved { solution, .. } => Answer::Length(solution.len() as u32),
        Outcome::Unsolvable => Answer::Unsolvable,
        other => panic!("{context}: {other:?}"),
    }
}

/// What a solver without a promise may spend on one puzzle.
fn modest() -> Limits {
    Limits {
        nodes: Some(2_000),
        ..Limits::default()
    }
}

/// Compares a solver's answer with the truth; tells whether it took the puzzle.
fn compare(entry: &Entry, solver: &mut dyn Solver, puzzle: &Puzzle, truth: Answer) -> bool {
    let limits = if entry.guarantee == Guarantee::Any {
        modest()
    } else {
        Limits::default()
    };
    let (outcome, _) = solver.solve(puzzle, &limits, &mut Silent);
    let context = format!("{} on {:?}", entry.name, puzzle.to_setup());
    if let Some(solution) = outcome.solution() {
        solution.replay(puzzle).expect(&context);
    }
    let unsupported = matches!(
        &outcome,
        Outcome::Failed {
            failure: Failure::Unsupported(_),
            ..
        }
    );
    if unsupported {
        return false;
    }
    if entry.guarantee == Guarantee::Optimal {
        assert_eq!(answer(&outcome, &context), truth, "{context}");
        return true;
    }
    match (&outcome, truth) {
        (Outcome::Solved { solution, .. }, Answer::Length(optimum)) => {
            assert!(solution.len() as u32 >= optimum, "{context}");
        }
        (Outcome::Solved { .. }, Answer::Unsolvable) | (Outcome::Unsolvable, Answer::Length(_)) => {
            panic!("{context}: {outcome:?}")
        }
        _ => {}
    }
    if let (Some(bound), Answer::Length(optimum)) = (outcome.lower_bound(), truth) {
        assert!(bound <= optimum, "{context}: bound {bound}");
    }
    true
}

/// Every solver on the first `count` puzzles of the recipe whose optimum is at most `most`.
fn compare_all(recipe: &Recipe, seed: u64, count: usize, most: u32) {
    let mut judge = solver("iddfs", &[]);
    let within = Limits {
        moves: Some(most),
        ..Limits::default()
    };
    let mut solvers: Vec<(&Entry, Box<dyn Solver>, usize)> = ENTRIES
        .iter()
        .map(|entry| (entry, solver(entry.name, &[]), 0))
        .collect();
    let mut compared = 0;
    for number in 0.. {
        let puzzle = recipe.puzzle(seed, number).expect("the recipe can be made");
        let (outcome, _) = judge.solve(&puzzle, &within, &mut Silent);
        let truth = match outcome {
            Outcome::LimitReached { .. } => continue,
            other => answer(&other, "iddfs"),
        };
        for (entry, solver, taken) in &mut solvers {
            // The optimal ones on all; the others, which need not finish, on a quarter.
            if entry.guarantee == Guarantee::Any && compared % 4 != 0 {
                *taken += 1;
                continue;
            }
            *taken += usize::from(compare(entry, &mut **solver, &puzzle, truth));
        }
        compared += 1;
        if compared == count {
            break;
        }
    }
    for (entry, _, taken) in solvers {
        // The wild targets are a seventeenth of all; every solver takes the rest.
        // A table of an official board with four robots is more than 'tablebase' makes by default.
        let few = entry.name == "tablebase" && recipe.robots >= 4;
        assert!(
            few || taken * 10 >= count * 7,
            "{} took {taken}",
            entry.name
        );
    }
}

fn small(width: usize, height: usize, robots: usize) -> Recipe {
    Recipe {
        robots,
        ..Recipe::random(RandomBoard::new(width, height))
    }
}

#[test]
fn agreement_on_700_generated_puzzles_on_boards_of_5_by_6() {
    compare_all(&small(5, 6, 3), 31, 700, 5);
}

#[test]
fn agreement_on_700_generated_puzzles_on_boards_of_9_by_7() {
    compare_all(&small(9, 7, 3), 32, 700, 5);
}

#[test]
fn agreement_on_600_generated_puzzles_on_official_boards() {
    compare_all(&Recipe::official(Edition::Of1999), 33, 600, 4);
}

/// Solvers that get through any puzzle of the corpora in seconds at most.
const FAST: [&str; 3] = ["flagship", "iddfs", "iddfs-bounded"];

/// The optimal solvers on the puzzles of a file whose optimum is at most `most`.
fn compare_with_corpus(path: &str, most: u32, names: &[&str]) {
    let entries = ENTRIES.iter().filter(|entry| names.contains(&entry.name));
    let mut solvers: Vec<(&Entry, Box<dyn Solver>)> = entries
        .map(|entry| (entry, solver(entry.name, &[])))
        .collect();
    assert!(!solvers.is_empty());
    let mut compared = 0;
    for puzzle in corpus(path) {
        let optimum = puzzle.known_optimal().expect("the corpus has optima");
        if optimum <= most {
            for (entry, solver) in &mut solvers {
                compare(entry, &mut **solver, &puzzle, Answer::Length(optimum));
            }
            compared += 1;
        }
    }
    assert!(compared >= 3, "{path}: only {compared} puzzles");
}

#[test]
fn proven_optima_of_official_positions() {
    compare_with_corpus("official/random.jsonl", 8, &FAST);
}

#[test]
fn proven_optima_of_competition_instances() {
    compare_with_corpus("competitions/asp2015.jsonl", 12, &FAST);
    compare_with_corpus("competitions/ipc2023.jsonl", 11, &FAST);
}

/// Every puzzle of every corpus. Run with
/// `cargo test --release -p ricochet-solve --test corpus -- --ignored`.
#[test]
#[ignore = "minutes: run in an optimised build"]
fn all_proven_optima() {
    for path in [
        "official/random.jsonl",
        "official/hard.jsonl",
        "competitions/asp2015.jsonl",
        "competitions/ipc2023.jsonl",
    ] {
        compare_with_corpus(path, u32::MAX, &FAST);
    }
}
