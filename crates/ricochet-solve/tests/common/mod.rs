//! Shared by the tests: reading the corpus and running solvers.
#![allow(dead_code, unreachable_pub)] // each test binary uses its own part

pub mod oracle;

use std::path::PathBuf;

use ricochet::{Cell, Puzzle, Setup};
use ricochet_solve::registry::{self, Options};
use ricochet_solve::{Limits, Outcome, Silent, Solver, Stats};
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
    corpus_text(path)
        .lines()
        .map(|line| puzzle_of(&serde_json::from_str(line).expect("one JSON object a line")))
        .collect()
}

/// The puzzle of a neutral JSON object.
pub fn puzzle_of(json: &Value) -> Puzzle {
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
    let mut given = Options::default();
    for (key, value) in options {
        given.set(key, value);
    }
    registry::build(name, &given).expect("a registered solver")
}

/// Solves without limits.
pub fn solve(solver: &mut dyn Solver, puzzle: &Puzzle) -> (Outcome, Stats) {
    solver.solve(puzzle, &Limits::default(), &mut Silent)
}

/// The length of a solution that was found; panics otherwise.
pub fn length(outcome: &Outcome) -> u32 {
    match outcome.solution() {
        Some(solution) => solution.len() as u32,
        None => panic!("not solved: {outcome:?}"),
    }
}
