//! Shared by the tests: reading the corpus and running solvers.
#![allow(dead_code, unreachable_pub)] // helpers that only some platforms or modules use

pub mod oracle;

use std::path::PathBuf;
use std::time::Duration;

use ricochet_core::generate::{RandomBoard, Recipe};
use ricochet_core::{Board, Cell, Goal, Puzzle, Robot, Rules, Setup};
use ricochet_solve::registry::SolverSpec;
use ricochet_solve::{CancelToken, Limit, Limits, NullObserver, Outcome, Solver, Stats};
use serde_json::Value;

/// The text of a file in `corpus/`.
pub fn corpus_text(path: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../corpus")
        .join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A JSON file in `corpus/`.
pub fn corpus_json(path: &str) -> Value {
    serde_json::from_str(&corpus_text(path)).expect("the corpus is JSON")
}

/// The puzzles of a `.jsonl` file in `corpus/`, each with its proven optimum.
pub fn corpus(path: &str) -> Vec<Puzzle> {
    ricochet_core::formats::read(&corpus_text(path))
        .expect("the corpus can be read")
        .into_iter()
        .map(|setup| setup.validate().expect("the corpus holds valid puzzles"))
        .collect()
}

/// The puzzle of a neutral JSON object, without diagonals.
pub fn puzzle_of(json: &Value) -> Puzzle {
    assert!(json["diagonals"].is_null(), "these are not read here");
    let number = |value: &Value| value.as_u64().expect("a number") as usize;
    let cell = |value: &Value| Cell::new(number(&value[0]) as u8, number(&value[1]) as u8);
    let list = |key: &str| json[key].as_array().expect("a list");
    let mut setup = Setup::empty(number(&json["width"]), number(&json["height"]));
    setup.id = json["id"].as_str().map(str::to_owned);
    setup.walls = list("walls").iter().map(|v| number(v) as u8).collect();
    setup.robots = list("robots").iter().map(cell).collect();
    setup.active = json["active"].as_u64().map(|active| active as usize);
    setup.target = cell(&json["target"]);
    setup.optimal = json["optimal"].as_u64().map(|optimal| optimal as u32);
    setup.validate().expect("the corpus holds valid puzzles")
}

/// A solver by name with options such as `[("memo", "off")]`.
pub fn solver(name: &str, options: &[(&str, &str)]) -> Box<dyn Solver> {
    let mut spec: SolverSpec = name.parse().expect("a registered solver");
    for (key, value) in options {
        spec.set(key, value).expect("a parameter and a value of it");
    }
    spec.build()
}

/// Solves without limits.
pub fn solve(solver: &mut dyn Solver, puzzle: &Puzzle) -> (Outcome, Stats) {
    solver.solve(puzzle, &Limits::default(), &mut NullObserver)
}

/// The length of a solution that was found; panics otherwise.
pub fn length(outcome: &Outcome) -> u32 {
    match outcome.solution() {
        Some(solution) => solution.len() as u32,
        None => panic!("not solved: {outcome:?}"),
    }
}

/// Random puzzles on 6 × 5 cells with up to `most_robots` robots: with and without diagonals, with
/// and without the rule that a robot must turn.
pub fn small_puzzles(seed: u64, count: u64, most_robots: usize) -> impl Iterator<Item = Puzzle> {
    (0..count).filter_map(move |number| {
        let board = RandomBoard {
            diagonals: Some(number as usize % 3),
            ..RandomBoard::new(6, 5)
        };
        let mut recipe = Recipe::random(board);
        recipe.robots = 1 + number as usize % most_robots;
        recipe.rules = Rules {
            must_ricochet: number % 4 == 1,
        };
        recipe.puzzle(seed, number).ok()
    })
}

/// Robots on a board of 8 × 8 cells without walls.
pub fn on_empty_board(robots: &[Cell], active: Option<Robot>, target: Cell) -> Puzzle {
    let board = Board::builder(8, 8).build().expect("a board");
    let goal = Goal {
        robot: active,
        cell: target,
    };
    Puzzle::new(board, robots, goal).expect("a puzzle")
}

/// Each limit that can end a search before it is done, alone: so few nodes, so few bytes, no time,
/// and a switch that is already turned.
pub fn one_limit_each(nodes: u64, bytes: u64) -> [(Limit, Limits); 4] {
    let cancel = CancelToken::default();
    cancel.cancel();
    let none = Limits::default;
    let nodes = Limits {
        nodes: Some(nodes),
        ..none()
    };
    let memory = Limits {
        memory: Some(bytes),
        ..none()
    };
    let time = Limits {
        time: Some(Duration::ZERO),
        ..none()
    };
    let cancelled = Limits {
        cancel: Some(cancel),
        ..none()
    };
    [
        (Limit::Nodes, nodes),
        (Limit::Memory, memory),
        (Limit::Time, time),
        (Limit::Cancelled, cancelled),
    ]
}
