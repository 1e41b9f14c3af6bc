//! The thesis's experiment (thesis, 'Experimental Results'): random starts on one board, sixteen
//! goals each; how often does a solver that promises nothing find the optimum?

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::common::{corpus_json, length, solve, solver};
use ricochet_core::generate::{BoardSource, Recipe};
use ricochet_core::quadrants::Layout;
use ricochet_core::{Goal, Puzzle};
use ricochet_solve::{Limits, published::stateless::Stateless};
use ricochet_solve::{NullObserver, Stats};

/// The board: the thesis's own is not published as data.
const LAYOUT: &str = "1A 2A 3A 4A";

/// The configurations of `starts` random starts: each with the sixteen goals of one robot. Robots
/// start on no target and not in the centre.
fn configurations(starts: u64) -> Vec<Puzzle> {
    let layout: Layout = LAYOUT.parse().unwrap();
    let board = Arc::new(layout.board());
    let recipe = Recipe::on(BoardSource::Board(Arc::clone(&board)));
    let on_a_target = |puzzle: &Puzzle| {
        let targets = board.targets().iter();
        targets
            .clone()
            .any(|target| puzzle.start().robot_at(target.cell).is_some())
    };
    let all = (0..).map(|number| recipe.puzzle(1600, number).unwrap());
    let starting = all.filter(|puzzle| !on_a_target(puzzle));
    starting
        .take(starts as usize)
        .flat_map(|puzzle| {
            let goals: Vec<Goal> = board
                .targets()
                .iter()
                .filter(|target| target.robot.is_some())
                .map(|target| Goal {
                    robot: target.robot,
                    cell: target.cell,
                })
                .collect();
            assert_eq!(goals.len(), 16);
            let start = puzzle.start();
            goals
                .into_iter()
                .map(move |goal| puzzle.with_position(start.cells(), goal).unwrap())
        })
        .collect()
}

/// By required moves: configurations, and those of them in which each solver found the optimum.
#[derive(Default)]
struct Table {
    rows: BTreeMap<u32, (u32, Vec<u32>)>,
    stats: Vec<Stats>,
}

impl Table {
    fn total(&self, solver: usize) -> f64 {
        let all: u32 = self.rows.values().map(|(all, _)| all).sum();
        let hits: u32 = self.rows.values().map(|(_, hits)| hits[solver]).sum();
        f64::from(hits) / f64::from(all) * 100.0
    }

    /// Vertices discovered in one breadth-first search, on average.
    fn visited(&self, solver: usize) -> f64 {
        self.stats[solver].nodes as f64 / self.stats[solver].expanded as f64
    }
}

fn measure(names: &[&str], configurations: &[Puzzle]) -> Table {
    let mut judge = solver("iddfs", &[]);
    let mut solvers: Vec<_> = names.iter().map(|name| solver(name, &[])).collect();
    let mut table = Table {
        stats: vec![Stats::default(); names.len()],
        ..Table::default()
    };
    for puzzle in configurations {
        let required = length(&solve(&mut *judge, puzzle).0);
        let (all, hits) = table.rows.entry(required).or_default();
        *all += 1;
        hits.resize(names.len(), 0);
        for (place, solver) in solvers.iter_mut().enumerate() {
            let (outcome, stats) = solver.solve(puzzle, &Limits::default(), &mut NullObserver);
            let found = outcome.solution().map(|solution| solution.len() as u32);
            assert!(found.is_none_or(|found| found >= required));
            hits[place] += u32::from(found == Some(required));
            table.stats[place].nodes += stats.nodes;
            table.stats[place].expanded += stats.expanded;
        }
    }
    table
}

#[test]
fn graph_v2_finds_the_optimum_about_as_often_as_the_thesis_says() {
    let configurations = configurations(20);
    let table = measure(&["graph-v2", "stateless"], &configurations);
    // The thesis, on its own board: 89.88%. A reading that is wrong is far off.
    assert!((80.0..96.0).contains(&table.total(0)), "{}", table.total(0));
    // '~15' vertices.
    assert!(
        (8.0..20.0).contains(&table.visited(0)),
        "{}",
        table.visited(0)
    );
    // What cannot be played is no hit: our stateless is above the thesis's 81.13%.
    assert!(table.total(1) > 80.0, "{}", table.total(1));
}

#[test]
fn both_versions_of_the_graph_find_the_same_lengths() {
    let (mut first, mut second) = (solver("graph-v1", &[]), solver("graph-v2", &[]));
    for puzzle in configurations(4) {
        let limits = Limits {
            nodes: Some(300_000),
            ..Limits::default()
        };
        let (one, _) = first.solve(&puzzle, &limits, &mut NullObserver);
        if let Some(one) = one.solution() {
            assert_eq!(one.len() as u32, length(&solve(&mut *second, &puzzle).0));
        }
    }
}

/// The whole experiment, printed as a Markdown table beside the thesis's rows. Run with
/// `cargo test --release -p ricochet-solve --test it hit_rates:: -- --ignored --nocapture`.
#[test]
#[ignore = "minutes: run in an optimised build"]
fn hit_rates_of_1600_configurations() {
    let names = ["graph-v1", "graph-v2", "graph-bounded", "stateless"];
    let configurations = configurations(100);
    let table = measure(&names, &configurations);
    let thesis = corpus_json("reference/thesis.json");
    let published = |solver: &str, moves: u32| {
        let rate = &thesis["hitrate_percent"][solver][moves as usize - 1];
        rate.as_f64()
            .map_or(String::new(), |rate| format!("{rate:.2}"))
    };
    let mut claims: BTreeMap<u32, [u32; 2]> = BTreeMap::new();
    for puzzle in &configurations {
        let required = length(&solve(&mut *solver("iddfs", &[]), puzzle).0);
        let claim = Stateless::claim(puzzle);
        let row = claims.entry(required).or_default();
        row[0] += u32::from(claim == Some(required));
        row[1] += u32::from(claim.is_some_and(|claim| claim < required));
    }
    println!(
        "| moves | configurations | {} | claims | claims too low | thesis graph | thesis stateless |",
        names.join(" | ")
    );
    for (&moves, (all, hits)) in &table.rows {
        let percent = |hits: u32| format!("{:.2}", f64::from(hits) / f64::from(*all) * 100.0);
        let ours: Vec<String> = hits.iter().map(|&hits| percent(hits)).collect();
        let [right, low] = claims[&moves];
        println!(
            "| {moves} | {all} | {} | {} | {low} | {} | {} |",
            ours.join(" | "),
            percent(right),
            published("graph", moves),
            published("stateless", moves),
        );
    }
    for (place, name) in names.iter().enumerate() {
        println!("{name}: {:.2}% in all", table.total(place));
    }
    let right: u32 = claims.values().map(|row| row[0]).sum();
    println!("claims: {:.2}% in all", f64::from(right) / 16.0);
    for (place, name) in names.iter().enumerate().take(3) {
        println!(
            "{name}: {:.1} vertices in each of {} breadth-first searches",
            table.visited(place),
            table.stats[place].expanded
        );
    }
    assert!((80.0..96.0).contains(&table.total(0)));
    assert!(
        (table.total(0) - table.total(1)).abs() < 1e-9,
        "v1 and v2 find the same"
    );
}
