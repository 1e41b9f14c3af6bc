//! The thesis's stateless algorithm: its cases on small boards, its claims, and that the work does
//! not grow with the number of moves.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::common::{corpus, corpus_json, length as length_of, solve, solver};
use ricochet_core::quadrants::Layout;
use ricochet_core::{Board, Cell, Direction, Goal, Puzzle, Robot, Rules, Solution};
use ricochet_solve::published::stateless::Stateless;
use ricochet_solve::{Failure, Limits, NullObserver, Outcome, Solver};

const fn at(x: u8, y: u8) -> Cell {
    Cell::new(x, y)
}

fn red_to(board: &Board, robots: &[Cell], target: Cell) -> Puzzle {
    let goal = Goal {
        robot: Some(Robot::RED),
        cell: target,
    };
    Puzzle::new(board.clone(), robots, goal).unwrap()
}

fn length(puzzle: &Puzzle) -> Option<usize> {
    let (outcome, _) = Stateless::new().solve(puzzle, &Limits::default(), &mut NullObserver);
    outcome.solution().map(|solution: &Solution| {
        solution.replay(puzzle).expect("solutions are replayed");
        solution.len()
    })
}

#[test]
fn each_case_of_the_text_counts_as_it_says() {
    let board = Board::builder(8, 8).build().unwrap();
    // Case 1: a wall.
    let puzzle = red_to(&board, &[at(0, 0), at(4, 4)], at(7, 0));
    assert_eq!(
        (Stateless::claim(&puzzle), length(&puzzle)),
        (Some(1), Some(1))
    );
    // Case b: green lands on (7,0) after one move, red stops before it.
    let puzzle = red_to(&board, &[at(0, 0), at(7, 4)], at(6, 0));
    assert_eq!(
        (Stateless::claim(&puzzle), length(&puzzle)),
        (Some(2), Some(2))
    );
    // Case c: green starts on (5,0), red stops before it.
    let puzzle = red_to(&board, &[at(0, 0), at(5, 0)], at(4, 0));
    assert_eq!(
        (Stateless::claim(&puzzle), length(&puzzle)),
        (Some(1), Some(1))
    );
    // Case c, beyond: green makes way, one move more.
    let puzzle = red_to(&board, &[at(0, 0), at(5, 0)], at(7, 0));
    assert_eq!(
        (Stateless::claim(&puzzle), length(&puzzle)),
        (Some(2), Some(2))
    );
}

#[test]
fn a_robot_that_makes_way_and_stops_the_other_is_counted_twice_by_the_thesis() {
    // Green goes east to the rim, red follows and stops beside it: two moves. The claim adds one for
    // making way and one for the state that red depends on.
    let board = Board::builder(8, 8).build().unwrap();
    let puzzle = red_to(&board, &[at(0, 0), at(5, 0)], at(6, 0));
    assert_eq!(
        (Stateless::claim(&puzzle), length(&puzzle)),
        (Some(3), Some(2))
    );
    let (outcome, _) =
        Stateless::new()
            .published(true)
            .solve(&puzzle, &Limits::default(), &mut NullObserver);
    assert_eq!(outcome.solution().map(Solution::len), Some(2));
}

#[test]
fn claims_that_cannot_be_played_are_named_and_never_reported_as_solutions() {
    let (mut impossible, mut below) = (0, 0);
    for puzzle in corpus("official/random.jsonl") {
        let optimum = puzzle.known_optimal().unwrap();
        let claim = Stateless::claim(&puzzle).expect("a way on every official board");
        below += u32::from(claim < optimum);
        let (outcome, _) =
            Stateless::new()
                .published(true)
                .solve(&puzzle, &Limits::default(), &mut NullObserver);
        match outcome {
            Outcome::Solved { solution, .. } => {
                solution.replay(&puzzle).unwrap();
                assert!(solution.len() as u32 <= claim && solution.len() as u32 >= optimum);
            }
            Outcome::Failed {
                failure: Failure::NotReplayable { claimed },
                ..
            } => {
                assert_eq!(claimed, claim);
                impossible += 1;
            }
            other => panic!("{other:?}"),
        }
    }
    // 'In few cases, the stateless algorithm returns a lower solution than actually possible.'
    assert!(below > 0 && below < 75, "{below} of 500");
    assert!(impossible >= below, "{impossible} < {below}");
}

#[test]
fn solutions_of_the_corpus_are_valid_and_mostly_optimal() {
    let puzzles = corpus("official/random.jsonl");
    let mut hits = 0;
    for puzzle in &puzzles {
        let found = length(puzzle).expect("a way on every official board") as u32;
        let optimum = puzzle.known_optimal().unwrap();
        assert!(found >= optimum);
        hits += usize::from(found == optimum);
    }
    assert!(
        hits * 100 >= puzzles.len() * 85,
        "{hits} of {}",
        puzzles.len()
    );
}

/// The thesis: 'each field is only processed once for every robot', so the work depends on the
/// board, whatever the number of moves: here up to 25.
#[test]
fn the_number_of_processed_states_does_not_grow_with_the_number_of_moves() {
    let mut work: Vec<(u32, u64, u64)> = Vec::new();
    for file in [
        "official/random.jsonl",
        "official/hard.jsonl",
        "records/records.jsonl",
    ] {
        for puzzle in corpus(file) {
            let fields = puzzle.board().cell_count() * puzzle.start().len();
            for mut solver in [Stateless::new(), Stateless::new().published(true)] {
                let (_, stats) = solver.solve(&puzzle, &Limits::default(), &mut NullObserver);
                assert!(stats.nodes <= fields as u64, "{} > {fields}", stats.nodes);
                if puzzle.start().len() == 4 {
                    let optimum = puzzle.known_optimal().unwrap();
                    work.push((optimum, stats.nodes, stats.generated));
                }
            }
        }
    }
    let most = |range: std::ops::RangeInclusive<u32>| {
        let of_range = work.iter().filter(|(optimum, ..)| range.contains(optimum));
        of_range.map(|&(_, _, played)| played).max().unwrap()
    };
    // Single moves played while plans are put together: no growth beyond what longer plans cost.
    let (middle, long) = (most(5..=9), most(14..=25));
    assert!(long < middle * 4, "{middle} moves played, then {long}");
}

#[test]
fn diagonals_wild_targets_and_the_turn_rule_are_supported() {
    let board = Board::builder(6, 6)
        .diagonal(at(3, 0), ricochet_core::Lean::Backslash, Robot::GREEN)
        .build()
        .unwrap();
    // Red is turned south in column 3.
    let puzzle = red_to(&board, &[at(0, 0), at(1, 4)], at(3, 5));
    assert_eq!(length(&puzzle), Some(1));
    // Green passes.
    let goal = Goal {
        robot: None,
        cell: at(5, 0),
    };
    let wild = Puzzle::new(board.clone(), &[at(0, 2), at(0, 0)], goal).unwrap();
    assert_eq!(length(&wild), Some(1));
    // A straight way does not count under the rule, a diagonal's turn does.
    let strict = Rules {
        must_ricochet: true,
    };
    assert_eq!(length(&puzzle.clone().with_rules(strict)), Some(1));
    let straight = red_to(&board, &[at(0, 5), at(1, 2)], at(5, 5)).with_rules(strict);
    assert!(length(&straight).is_some_and(|moves| moves >= 2));
    let (outcome, _) =
        Stateless::new()
            .published(true)
            .solve(&straight, &Limits::default(), &mut NullObserver);
    assert!(matches!(
        outcome,
        Outcome::Failed {
            failure: Failure::Unsupported(_),
            ..
        }
    ));
}

#[test]
fn a_target_in_the_open_with_nothing_to_stop_at_fails_without_a_solution() {
    let board = Board::builder(6, 6)
        .wall(at(2, 2), Direction::North)
        .build()
        .unwrap();
    let puzzle = red_to(&board, &[at(0, 0)], at(3, 3));
    let (outcome, _) = Stateless::new().solve(&puzzle, &Limits::default(), &mut NullObserver);
    assert!(matches!(outcome, Outcome::Failed { .. }), "{outcome:?}");
}

/// 100 random starts (robots on no target) and the sixteen coloured goals of a layout.
fn configurations(layout: &str) -> Vec<Puzzle> {
    let board = Arc::new(layout.parse::<Layout>().unwrap().board());
    let is_target = |cell| board.targets().iter().any(|target| target.cell == cell);
    let free: Vec<Cell> = board
        .cells()
        .filter(|&cell| !board.is_closed(cell) && !is_target(cell))
        .collect();
    // SplitMix64, so that the record can be made again.
    let mut seed = 1u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = (seed ^ seed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ bits >> 31) % below as u64) as usize
    };
    let mut puzzles = Vec::new();
    for _ in 0..100 {
        let mut robots: Vec<Cell> = Vec::new();
        while robots.len() < 4 {
            let cell = free[random(free.len())];
            if !robots.contains(&cell) {
                robots.push(cell);
            }
        }
        for target in board
            .targets()
            .iter()
            .filter(|target| target.robot.is_some())
        {
            let goal = Goal {
                robot: target.robot,
                cell: target.cell,
            };
            puzzles.push(Puzzle::new(Arc::clone(&board), &robots, goal).unwrap());
        }
    }
    puzzles
}

/// What one number of required moves adds up to.
#[derive(Default)]
struct Row {
    configurations: u32,
    claims_right: u32,
    claims_below: u32,
    claims_not_replayable: u32,
    found: u32,
    most_states_published: u64,
    most_states: u64,
    played: u64,
}

/// The thesis's experiment and the work by required moves, as the CSV of
/// `records/2026-11-15-hit-rates/stateless.csv`. Run with
/// `cargo test -p ricochet-solve --test it stateless:: -- --ignored --nocapture`.
#[test]
#[ignore = "minutes: proves 3,200 optima"]
fn hit_rates_and_work_by_required_moves() {
    let thesis = corpus_json("reference/thesis.json");
    println!(
        "layout,moves,configurations,claims_right,claims_below,claims_not_replayable,stateless_right,\
         claims_percent,stateless_percent,thesis_percent,most_states_published,most_states,mean_moves_played"
    );
    for layout in ["1A 2A 3A 4A", "1A 4B 3B 2B"] {
        let mut rows: BTreeMap<u32, Row> = BTreeMap::new();
        let mut judge = solver("iddfs", &[]);
        for puzzle in configurations(layout) {
            let required = length_of(&solve(&mut *judge, &puzzle).0);
            let row = rows.entry(required).or_default();
            row.configurations += 1;
            let claim = Stateless::claim(&puzzle).expect("a way on every official board");
            row.claims_right += u32::from(claim == required);
            row.claims_below += u32::from(claim < required);
            let (outcome, stats) = Stateless::new().published(true).solve(
                &puzzle,
                &Limits::default(),
                &mut NullObserver,
            );
            row.claims_not_replayable += u32::from(outcome.solution().is_none());
            row.most_states_published = row.most_states_published.max(stats.nodes);
            let (outcome, stats) =
                Stateless::new().solve(&puzzle, &Limits::default(), &mut NullObserver);
            row.found +=
                u32::from(outcome.solution().map(Solution::len) == Some(required as usize));
            row.most_states = row.most_states.max(stats.nodes);
            row.played += stats.generated;
        }
        for (moves, row) in &rows {
            let percent = |part: u32| f64::from(part) / f64::from(row.configurations) * 100.0;
            let published = thesis["hitrate_percent"]["stateless"][*moves as usize - 1]
                .as_f64()
                .map_or(String::new(), |rate| rate.to_string());
            println!(
                "{layout},{moves},{},{},{},{},{},{:.2},{:.2},{published},{},{},{}",
                row.configurations,
                row.claims_right,
                row.claims_below,
                row.claims_not_replayable,
                row.found,
                percent(row.claims_right),
                percent(row.found),
                row.most_states_published,
                row.most_states,
                row.played / u64::from(row.configurations),
            );
        }
        let total = |part: fn(&Row) -> u32| f64::from(rows.values().map(part).sum::<u32>()) / 16.0;
        let (claims, found) = (total(|row| row.claims_right), total(|row| row.found));
        println!("# {layout}: claims {claims:.2}%, stateless {found:.2}%; thesis 81.13%");
        assert!((70.0..90.0).contains(&claims) && found > 85.0);
    }
}
