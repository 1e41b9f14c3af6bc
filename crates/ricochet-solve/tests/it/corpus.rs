//! All solvers on many puzzles: the optimal ones agree with each other and with the proven optima,
//! the others never beat them and always replay.

use crate::common::{corpus, solver};
use ricochet_core::Puzzle;
use ricochet_core::generate::{RandomBoard, Recipe};
use ricochet_core::quadrants::Edition;
use ricochet_solve::registry::{SOLVERS, SolverInfo};
use ricochet_solve::{Failure, Guarantee, Limit, Limits, NullObserver, Outcome, Solver};

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

/// How a solver did on a puzzle that it was compared on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compared {
    /// It gave an answer, and the answer is right.
    Right,
    /// It gave up at a limit or had nothing left to try; what it says is right.
    GaveUp,
    /// It does not take such puzzles.
    Declined,
}

/// Compares a solver's answer with the truth. Whatever a solver without a promise says, or one that
/// a limit stopped, must be true; an optimal one that no limit stopped must know the answer.
fn compare(
    entry: &SolverInfo,
    solver: &mut dyn Solver,
    puzzle: &Puzzle,
    truth: Answer,
    limits: &Limits,
) -> Compared {
    let (outcome, _) = solver.solve(puzzle, limits, &mut NullObserver);
    let context = format!("{} on {:?}", entry.name, puzzle.to_setup());
    if let (Some(bound), Answer::Length(optimum)) = (outcome.lower_bound(), truth) {
        assert!(bound <= optimum, "{context}: bound {bound}");
    }
    let optimal = entry.guarantee == Guarantee::Optimal;
    match &outcome {
        Outcome::Solved { solution, .. } => {
            solution.replay(puzzle).expect(&context);
            let Answer::Length(optimum) = truth else {
                panic!("{context}: '{solution}' solves what cannot be solved");
            };
            let length = solution.len() as u32;
            assert!(length >= optimum, "{context}: {length} moves");
            assert!(!optimal || length == optimum, "{context}: {length} moves");
            Compared::Right
        }
        Outcome::Unsolvable => {
            assert_eq!(truth, Answer::Unsolvable, "{context}");
            Compared::Right
        }
        Outcome::LimitReached { limit, .. } => {
            let given = match limit {
                Limit::Nodes => limits.nodes.is_some(),
                Limit::Memory => limits.memory.is_some(),
                Limit::Time | Limit::Moves | Limit::Cancelled => false,
            };
            assert!(given, "{context}: {outcome:?}");
            Compared::GaveUp
        }
        Outcome::Failed {
            failure: Failure::Unsupported(_),
            ..
        } => Compared::Declined,
        Outcome::Failed { .. } => {
            assert!(!optimal, "{context}: {outcome:?}");
            Compared::GaveUp
        }
    }
}

/// Every solver on the first `count` puzzles of the recipe whose optimum is at most `most`.
fn compare_all(recipe: &Recipe, seed: u64, count: usize, most: u32) {
    let mut judge = solver("iddfs", &[]);
    let within = Limits {
        moves: Some(most),
        ..Limits::default()
    };
    let mut solvers: Vec<(&SolverInfo, Box<dyn Solver>, usize)> = SOLVERS
        .iter()
        .map(|entry| (entry, solver(entry.name, &[]), 0))
        .collect();
    let mut compared = 0;
    for number in 0.. {
        let puzzle = recipe.puzzle(seed, number).expect("the recipe can be made");
        let (outcome, _) = judge.solve(&puzzle, &within, &mut NullObserver);
        let truth = match outcome {
            Outcome::LimitReached { .. } => continue,
            other => answer(&other, "iddfs"),
        };
        for (entry, solver, taken) in &mut solvers {
            let limits = if entry.guarantee == Guarantee::Any {
                modest()
            } else {
                Limits::default()
            };
            let how = compare(entry, &mut **solver, &puzzle, truth, &limits);
            *taken += usize::from(how != Compared::Declined);
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
    let entries = SOLVERS.iter().filter(|entry| names.contains(&entry.name));
    let mut solvers: Vec<(&SolverInfo, Box<dyn Solver>)> = entries
        .map(|entry| (entry, solver(entry.name, &[])))
        .collect();
    assert!(!solvers.is_empty());
    let mut compared = 0;
    for puzzle in corpus(path) {
        let optimum = puzzle.known_optimal().expect("the corpus has optima");
        if optimum <= most {
            for (entry, solver) in &mut solvers {
                let truth = Answer::Length(optimum);
                let limits = Limits::default();
                let how = compare(entry, &mut **solver, &puzzle, truth, &limits);
                assert_eq!(how, Compared::Right, "{} on {path}", entry.name);
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

/// What an optimal solver may spend on one puzzle of a whole corpus. The flagship has no limit, and
/// the slides' solver one that no puzzle needs: both must answer all. The others would need hours, or
/// more memory than there is, so they may give up; what they answer must be right, and what they
/// prove before they give up must hold.
fn patience(name: &str) -> Limits {
    let nodes = match name {
        "flagship" => return Limits::default(),
        "iddfs" => 2_000_000_000,
        "iddfs-bounded" => 2_000_000,
        _ => 200_000,
    };
    Limits {
        nodes: Some(nodes),
        memory: Some(2 << 30),
        ..Limits::default()
    }
}

/// Every optimal solver on every puzzle of a corpus, with a line for each as in
/// `records/2026-11-16-solvers/corpora.csv`. The puzzles of `unsolvable.jsonl` have no optimum
/// because nothing solves them.
fn compare_with_whole_corpus(path: &str) {
    let puzzles = corpus(path);
    let optimal = |entry: &&SolverInfo| entry.guarantee == Guarantee::Optimal;
    for entry in SOLVERS.iter().filter(optimal) {
        let limits = patience(entry.name);
        let mut solver = solver(entry.name, &[]);
        let (mut right, mut gave_up, mut declined) = (0, 0, 0);
        for puzzle in &puzzles {
            let truth = puzzle
                .known_optimal()
                .map_or(Answer::Unsolvable, Answer::Length);
            match compare(entry, &mut *solver, puzzle, truth, &limits) {
                Compared::Right => right += 1,
                Compared::GaveUp => gave_up += 1,
                Compared::Declined => declined += 1,
            }
        }
        println!(
            "{path},{},{},{right},{gave_up},{declined}",
            entry.name,
            puzzles.len()
        );
        let must_answer_all = ["flagship", "iddfs"].contains(&entry.name);
        assert!(
            !must_answer_all || right == puzzles.len(),
            "{path}: {} answered {right} of {}",
            entry.name,
            puzzles.len()
        );
    }
}

/// One test for each whole corpus. Run all with
/// `cargo test --release -p ricochet-solve --test it corpus:: -- --ignored --nocapture`.
macro_rules! whole_corpora {
    ($($name:ident $path:literal)*) => {$(
        #[test]
        #[ignore = "minutes: run in an optimised build"]
        fn $name() {
            compare_with_whole_corpus($path);
        }
    )*};
}

whole_corpora! {
    whole_random "official/random.jsonl"
    whole_by_length "official/by-length.jsonl"
    whole_hard "official/hard.jsonl"
    whole_asp2015 "competitions/asp2015.jsonl"
    whole_ipc2023 "competitions/ipc2023.jsonl"
    whole_five_robots "five-robots.jsonl"
    whole_diagonals "diagonals.jsonl"
    whole_small "small.jsonl"
    whole_large "large.jsonl"
    whole_unsolvable "unsolvable.jsonl"
}
