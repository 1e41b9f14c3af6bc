//! Puzzles that are drawn from tables are as long as they say.

use std::time::Duration;

use ricochet_core::generate::{RandomBoard, Recipe};
use ricochet_core::quadrants::Edition;
use ricochet_solve::all::all_solutions;
use ricochet_solve::flagship::Flagship;
use ricochet_solve::generation::{Miner, MiningError};
use ricochet_solve::{CancelToken, Limit, Limits};

use super::common;

fn small() -> Recipe {
    Recipe {
        robots: 3,
        ..Recipe::random(RandomBoard::new(9, 9))
    }
}

#[test]
fn mined_puzzles_are_as_wished_different_and_the_same_each_time() {
    let mut solver = Flagship::new();
    let mine = |threads: usize| {
        let mut miner = Miner::new(small(), 7, 11..=13).threads(threads);
        let puzzles: Vec<_> = (0..60)
            .map(|_| miner.next(&Limits::default()).expect("there are some"))
            .collect();
        assert!(
            miner.tables() >= 2,
            "no more than 25 of a table where there are 32"
        );
        puzzles
    };
    let puzzles = mine(1);
    assert_eq!(puzzles, mine(2));
    for (number, puzzle) in puzzles.iter().enumerate() {
        let length = common::length(&common::solve(&mut solver, puzzle).0);
        assert_eq!(puzzle.known_optimal(), Some(length));
        assert!((11..=13).contains(&length));
        let same = |other: &&ricochet_core::Puzzle| {
            other.board() == puzzle.board()
                && other.goal() == puzzle.goal()
                && other.start() == puzzle.start()
        };
        assert!(!puzzles[..number].iter().any(|other| same(&other)));
    }
}

#[test]
fn unique_ones_have_one_shortest_solution() {
    let mut miner = Miner::new(small(), 3, 9..=12).unique(true);
    for _ in 0..15 {
        let puzzle = miner.next(&Limits::default()).expect("there are some");
        let all = all_solutions(&puzzle, &Limits::default()).expect("no limit");
        assert_eq!(all.expect("solvable").count(), 1);
    }
}

/// Each of the states is drawn as often as any other: of a table with few of them, all come up.
#[test]
fn all_states_of_the_wanted_length_can_be_drawn() {
    let recipe = Recipe {
        robots: 2,
        ..Recipe::random(RandomBoard::new(5, 5))
    };
    let lengths: Vec<u32> = (0..4)
        .flat_map(|seed| {
            let mut miner = Miner::new(recipe.clone(), seed, 3..=20);
            (0..50)
                .map(move |_| miner.next(&Limits::default()).expect("there are some"))
                .filter_map(|puzzle| puzzle.known_optimal())
                .collect::<Vec<u32>>()
        })
        .collect();
    let of = |length: u32| lengths.iter().filter(|&&it| it == length).count();
    assert!(of(3) > 0 && of(4) > 0 && of(5) > 0, "{lengths:?}");
}

#[test]
fn what_cannot_be_is_an_error() {
    let limits = Limits {
        memory: Some(1 << 20),
        ..Limits::default()
    };
    let mut miner = Miner::new(Recipe::official(Edition::Of1999), 7, 20..=25);
    assert!(matches!(
        miner.next(&limits),
        Err(MiningError::NoTable(_) | MiningError::Stopped(Limit::Memory))
    ));
    // Nothing is that far away on so small a board.
    let tiny = Recipe {
        robots: 1,
        ..Recipe::random(RandomBoard::new(4, 4))
    };
    let error = Miner::new(tiny, 7, 40..=50).next(&Limits::default());
    assert!(matches!(error, Err(MiningError::Nothing(_))));
}

/// Not only searches and tables look at the limits: to draw from a table may take long as well.
#[test]
fn limits_hold_while_puzzles_are_drawn() {
    let cancel = CancelToken::default();
    cancel.cancel();
    let late = Limits {
        time: Some(Duration::ZERO),
        ..Limits::default()
    };
    let cancelled = Limits {
        cancel: Some(cancel),
        ..Limits::default()
    };
    let mut miner = Miner::new(small(), 7, 11..=13);
    let first = miner.next(&Limits::default()).expect("there are some");
    for (limits, limit) in [(late, Limit::Time), (cancelled, Limit::Cancelled)] {
        let stopped = miner.next(&limits);
        assert!(
            matches!(stopped, Err(MiningError::Stopped(it)) if it == limit),
            "{stopped:?}"
        );
    }
    // What was stopped goes on as if nothing had been.
    let mut other = Miner::new(small(), 7, 11..=13);
    assert_eq!(other.next(&Limits::default()).expect("the same"), first);
    assert_eq!(
        miner.next(&Limits::default()).expect("the next"),
        other.next(&Limits::default()).expect("the same")
    );
}

/// Where the board of the first number is too crowded, another one tells what a table costs.
#[test]
fn the_cost_of_a_table_does_not_hang_on_one_number() {
    let crowded = Recipe::random(RandomBoard {
        diagonals: Some(8),
        ..RandomBoard::new(8, 8)
    });
    let seed = (0..100).find(|&seed| crowded.puzzle(seed, 0).is_err());
    let seed = seed.expect("some board is too crowded");
    assert!(Miner::cost(&crowded, seed, 1 << 30).expect("a table") > 0);
}

/// On official boards, with the solver as the judge.
#[test]
#[ignore = "minutes"]
fn mined_puzzles_of_twenty_moves_and_more() {
    let mut solver = Flagship::new();
    let mut miner = Miner::new(Recipe::official(Edition::Of1999), 1, 20..=25);
    for _ in 0..30 {
        let puzzle = miner.next(&Limits::default()).expect("there are some");
        let length = common::length(&common::solve(&mut solver, &puzzle).0);
        assert_eq!(puzzle.known_optimal(), Some(length));
        assert!(length >= 20);
    }
}
