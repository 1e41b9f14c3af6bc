//! The flagship against itself with each pruning off, against plain breadth-first search, and on
//! all corpora.

use std::time::Duration;

use crate::common::{corpus, solve, solver};
use ricochet_core::generate::{GoalRobot, RandomBoard, Recipe};
use ricochet_core::quadrants::Edition;
use ricochet_core::{Board, Cell, Direction, Goal, Lean, Puzzle, Robot, Rules};
use ricochet_solve::{
    CancelToken, DepthRow, Limit, Limits, NodeCount, NullObserver, Outcome, Solver,
};

fn boards(width: usize, height: usize, robots: usize) -> Recipe {
    Recipe {
        robots,
        ..Recipe::random(RandomBoard::new(width, height))
    }
}

fn official(robots: usize) -> Recipe {
    Recipe {
        robots,
        ..Recipe::official(Edition::Of1999)
    }
}

fn within(moves: u32) -> Limits {
    Limits {
        moves: Some(moves),
        ..Limits::default()
    }
}

/// The length, or what else came out.
fn answer(solver: &mut dyn Solver, puzzle: &Puzzle, limits: &Limits) -> Result<usize, Outcome> {
    let (outcome, _) = solver.solve(puzzle, limits, &mut NullObserver);
    match outcome {
        Outcome::Solved { solution, .. } => {
            solution.replay(puzzle).expect("every solution replays");
            Ok(solution.len())
        }
        other => Err(other),
    }
}

/// Compares two solvers on `count` puzzles of a recipe, up to a number of moves.
fn agree(recipe: &Recipe, seed: u64, count: u64, moves: u32, solvers: &mut [Box<dyn Solver>]) {
    let limits = within(moves);
    for number in 0..count {
        let puzzle = recipe.puzzle(seed, number).expect("the recipe can be made");
        let (first, others) = solvers.split_first_mut().expect("at least one");
        let truth = answer(&mut **first, &puzzle, &limits);
        for (i, other) in others.iter_mut().enumerate() {
            let found = answer(&mut **other, &puzzle, &limits);
            assert_eq!(found, truth, "solver {i} on {:?}", puzzle.to_setup());
        }
    }
}

/// The goal robot is behind a wall, alone, where it goes from corner to corner; the others have tens
/// of thousands of configurations and cannot help it.
fn behind_a_wall() -> Puzzle {
    let mut board = Board::builder(16, 16);
    for y in 0..16 {
        board.add_wall(Cell::new(3, y), Direction::East);
    }
    board.add_wall(Cell::new(9, 5), Direction::East);
    board.add_wall(Cell::new(12, 8), Direction::North);
    board.add_wall(Cell::new(7, 11), Direction::West);
    let goal = Goal {
        robot: Some(Robot::RED),
        cell: Cell::new(1, 7),
    };
    let robots = [(0, 0), (4, 0), (10, 3), (15, 9)].map(|(x, y)| Cell::new(x, y));
    Puzzle::new(board.build().expect("sound"), &robots, goal).expect("valid")
}

/// Without the lookahead and with it.
fn variants() -> Vec<Box<dyn Solver>> {
    ["off", "on"]
        .map(|lookahead| solver("flagship", &[("lookahead", lookahead)]))
        .into()
}

#[test]
fn plans_change_no_length() {
    // All of these are large enough to be guided.
    let mut guided = 0;
    for portable in ["auto", "off"] {
        let mut solvers = ["on", "off"].map(|plans| {
            let options = [("plans", plans), ("simd", portable)];
            solver("flagship", &options)
        });
        for puzzle in corpus("official/hard.jsonl").iter().step_by(4) {
            if !matches!(puzzle.known_optimal(), Some(13..=17)) {
                continue;
            }
            let mut nodes = solvers.iter_mut().map(|solver| {
                let (outcome, stats) = solver.solve(puzzle, &Limits::default(), &mut NullObserver);
                let solution = outcome.solution().expect("solvable");
                solution.replay(puzzle).expect("every solution replays");
                assert_eq!(Some(solution.len() as u32), puzzle.known_optimal());
                stats.nodes
            });
            guided += usize::from(nodes.next() < nodes.next());
        }
    }
    assert!(guided > 10, "{guided}");
}

/// Searches with plans and without them, on fewer and on more threads than most machines have cores.
#[test]
fn threads_change_no_length_and_make_few_more_children() {
    let mut searched = 0;
    for plans in ["on", "off"] {
        let mut solvers = ["1", "2", "3", "4", "8"]
            .map(|threads| solver("flagship", &[("threads", threads), ("plans", plans)]));
        let (mut alone, mut most) = (0, 0);
        for puzzle in corpus("official/hard.jsonl") {
            if !matches!(puzzle.known_optimal(), Some(13..=16)) {
                continue;
            }
            let nodes = solvers.each_mut().map(|solver| {
                let (outcome, stats) = solve(&mut **solver, &puzzle);
                let solution = outcome.solution().expect("solvable");
                solution.replay(&puzzle).expect("every solution replays");
                assert_eq!(Some(solution.len() as u32), puzzle.known_optimal());
                let (second, again) = solve(&mut **solver, &puzzle);
                assert_eq!(again.nodes, stats.nodes, "the same every time");
                assert_eq!(second.solution(), Some(solution), "the same every time");
                stats.nodes
            });
            alone += nodes[0];
            most += nodes.into_iter().max().expect("not empty");
            searched += 1;
        }
        assert!(most * 100 <= alone * 115, "{most} instead of {alone}");
    }
    assert!(searched > 10, "{searched}");
}

#[test]
fn threads_change_no_length_with_five_robots() {
    // With four helpers there is no table of all configurations, and the index grows on the way.
    for plans in ["on", "off"] {
        let mut solvers = ["1", "3", "8"]
            .map(|threads| solver("flagship", &[("threads", threads), ("plans", plans)]));
        for puzzle in corpus("five-robots.jsonl") {
            if puzzle.known_optimal() < Some(8) {
                continue;
            }
            for solver in &mut solvers {
                let length = answer(&mut **solver, &puzzle, &Limits::default()).expect("solvable");
                assert_eq!(Some(length as u32), puzzle.known_optimal());
            }
        }
    }
}

#[test]
fn cancelling_ends_a_search_on_any_number_of_threads() {
    let puzzle = corpus("records/records.jsonl").remove(0);
    for threads in ["1", "2", "3", "8"] {
        let mut solver = solver("flagship", &[("threads", threads)]);
        let cancel = CancelToken::default();
        let limits = Limits {
            cancel: Some(cancel.clone()),
            ..Limits::default()
        };
        // The observer cancels when the search has become large.
        let mut watch = |row: &DepthRow| {
            if row.nodes > 50_000 {
                cancel.cancel();
            }
        };
        let (outcome, stats) = solver.solve(&puzzle, &limits, &mut watch);
        assert!(
            matches!(outcome, Outcome::LimitReached { limit: Limit::Cancelled, lower_bound } if lower_bound > 10),
            "{threads} threads: {outcome:?}"
        );
        assert!(stats.nodes < 400_000, "{threads} threads: {}", stats.nodes);
    }
}

#[test]
fn threads_prove_that_there_is_no_solution() {
    let puzzle = behind_a_wall();
    let mut seen = Vec::new();
    for (threads, plans) in [
        ("1", "off"),
        ("3", "off"),
        ("8", "off"),
        ("1", "on"),
        ("4", "on"),
    ] {
        let mut solver = solver("flagship", &[("threads", threads), ("plans", plans)]);
        let (outcome, stats) = solver.solve(&puzzle, &Limits::default(), &mut NullObserver);
        assert!(matches!(outcome, Outcome::Unsolvable), "{outcome:?}");
        seen.push(stats.stored);
    }
    assert!(seen[0] > 20_000, "{seen:?}");
    assert_eq!(seen[..3], [seen[0]; 3], "the whole search is the same");
    assert_eq!(seen[3], seen[4], "with plans as well");
}

#[test]
fn guided_searches_keep_limits() {
    let puzzle = corpus("records/records.jsonl").remove(0);
    let mut solver = solver("flagship", &[]);
    let limits = [
        Limits {
            nodes: Some(1_000_000),
            ..Limits::default()
        },
        Limits {
            memory: Some(16 << 20),
            ..Limits::default()
        },
        within(17),
    ];
    for limits in limits {
        let (outcome, stats) = solver.solve(&puzzle, &limits, &mut NullObserver);
        assert!(
            matches!(outcome, Outcome::LimitReached { lower_bound, .. } if lower_bound > 12),
            "{outcome:?}"
        );
        assert!(stats.peak_bytes <= limits.memory.unwrap_or(u64::MAX));
        assert!(stats.nodes <= limits.nodes.map_or(u64::MAX, |most| most + (1 << 18)));
    }
    // And it is as good as new.
    assert!(answer(&mut *solver, &puzzle, &Limits::default()).is_ok());
}

#[test]
fn a_guided_search_proves_that_there_is_no_solution() {
    // The goal robot runs around the rim of its half of the board; the others cannot come there.
    let puzzle = behind_a_wall();
    let mut solvers = ["on", "off"].map(|plans| solver("flagship", &[("plans", plans)]));
    let nodes = solvers.each_mut().map(|solver| {
        let (outcome, stats) = solver.solve(&puzzle, &Limits::default(), &mut NullObserver);
        assert!(matches!(outcome, Outcome::Unsolvable), "{outcome:?}");
        stats.nodes
    });
    assert_ne!(nodes[0], nodes[1], "one of them is guided");
}

#[test]
fn threads_keep_limits() {
    let puzzle = corpus("records/records.jsonl").remove(0);
    for (threads, plans) in [("2", "off"), ("2", "on"), ("3", "on"), ("8", "on")] {
        let mut solver = solver("flagship", &[("threads", threads), ("plans", plans)]);
        let limits = [
            Limits {
                nodes: Some(1_000_000),
                ..Limits::default()
            },
            Limits {
                memory: Some(24 << 20),
                ..Limits::default()
            },
            within(17),
        ];
        for limits in limits {
            let (outcome, stats) = solver.solve(&puzzle, &limits, &mut NullObserver);
            assert!(
                matches!(outcome, Outcome::LimitReached { lower_bound, .. } if lower_bound > 10),
                "{threads} threads, plans {plans}: {outcome:?}"
            );
            assert!(stats.peak_bytes <= limits.memory.unwrap_or(u64::MAX));
            assert!(stats.nodes <= limits.nodes.map_or(u64::MAX, |most| most + (1 << 18)));
        }
        // And it is as good as new.
        assert!(answer(&mut *solver, &puzzle, &Limits::default()).is_ok());
    }
}

#[test]
fn prunings_change_no_length_on_1500_official_positions() {
    agree(&official(4), 41, 1500, 10, &mut variants());
}

#[test]
fn prunings_change_no_length_with_five_robots() {
    agree(&official(5), 42, 500, 8, &mut variants());
}

#[test]
fn prunings_change_no_length_on_small_boards() {
    // Few cells make robots meet often, and that is where the prunings could go wrong.
    for (seed, (width, height, robots)) in [
        (4, 4, 2),
        (5, 4, 3),
        (5, 5, 4),
        (6, 5, 5),
        (8, 3, 4),
        (7, 7, 3),
        (2, 9, 3),
    ]
    .into_iter()
    .enumerate()
    {
        agree(
            &boards(width, height, robots),
            100 + seed as u64,
            3000,
            14,
            &mut variants(),
        );
    }
}

#[test]
fn agrees_with_breadth_first_search_on_small_boards() {
    for (seed, (width, height, robots)) in [(4, 4, 3), (6, 4, 2), (5, 5, 3), (8, 2, 3), (3, 3, 4)]
        .into_iter()
        .enumerate()
    {
        let mut solvers = [solver("naive", &[]), solver("flagship", &[])];
        let recipe = boards(width, height, robots);
        // Without a limit: unsolvable ones have to be proved so.
        agree(&recipe, 200 + seed as u64, 2000, u32::MAX, &mut solvers);
    }
}

/// With diagonals of all colours, more of them than boards for players have.
fn bent(width: usize, height: usize, robots: usize) -> Recipe {
    let board = RandomBoard {
        diagonals: Some(width * height / 10),
        ..RandomBoard::new(width, height)
    };
    Recipe {
        robots,
        ..Recipe::random(board)
    }
}

/// Any robot may arrive.
fn any(recipe: Recipe) -> Recipe {
    Recipe {
        goal_robot: GoalRobot::AnyRobot,
        ..recipe
    }
}

/// Boards of the 2003 edition, with diagonals.
fn with_diagonals(robots: usize) -> Recipe {
    Recipe {
        robots,
        ..Recipe::official(Edition::Of2003)
    }
}

/// Who arrives must have turned.
fn turning(recipe: Recipe) -> Recipe {
    Recipe {
        rules: Rules {
            must_ricochet: true,
        },
        ..recipe
    }
}

#[test]
fn agrees_with_breadth_first_search_on_all_other_small_boards() {
    // Any-robot goals, diagonals, many robots, ricochets: without a limit, so unsolvable ones are
    // proved so.
    for (seed, recipe) in [
        any(boards(4, 4, 3)),
        any(boards(6, 3, 2)),
        bent(5, 5, 3),
        bent(7, 4, 2),
        any(bent(5, 4, 3)),
        boards(3, 3, 6),
        bent(3, 3, 6),
        any(boards(20, 2, 2)),
        boards(32, 2, 2),
        bent(2, 32, 2),
        turning(boards(5, 5, 3)),
        turning(any(boards(4, 5, 3))),
        turning(bent(5, 4, 3)),
        turning(any(bent(4, 4, 3))),
    ]
    .into_iter()
    .enumerate()
    {
        let mut solvers = [
            solver("naive", &[]),
            solver("flagship", &[]),
            solver("flagship", &[("lookahead", "off")]),
        ];
        agree(&recipe, 300 + seed as u64, 1000, u32::MAX, &mut solvers);
    }
}

#[test]
fn agrees_with_iddfs_on_all_other_large_boards() {
    for (seed, (recipe, moves)) in [
        (boards(17, 19, 4), 7),
        (boards(24, 18, 4), 7),
        (boards(32, 32, 3), 7),
        (boards(30, 32, 5), 6),
        (any(boards(22, 22, 4)), 6),
        (official(6), 7),
        (official(8), 6),
        (any(official(4)), 7),
        (any(official(5)), 6),
        (bent(16, 16, 4), 7),
        (any(bent(16, 16, 5)), 6),
        (bent(28, 20, 4), 7),
        (turning(official(4)), 8),
        (turning(any(official(5))), 6),
        (turning(boards(20, 20, 4)), 6),
    ]
    .into_iter()
    .enumerate()
    {
        let mut solvers = [
            solver("iddfs", &[]),
            solver("flagship", &[]),
            solver("flagship", &[("lookahead", "off")]),
        ];
        agree(&recipe, 400 + seed as u64, 200, moves, &mut solvers);
    }
}

#[test]
fn threads_change_no_length_on_all_other_boards() {
    // Large enough to be divided, most of them.
    let mut divided = 0;
    for (recipe, seed, numbers) in [
        (with_diagonals(4), 1, &[187, 983, 798][..]),
        (any(with_diagonals(5)), 2, &[564, 94]),
        (official(6), 3, &[54, 87]),
        (official(8), 4, &[23, 63]),
        (boards(20, 20, 4), 5, &[68, 51]),
        (boards(32, 32, 4), 6, &[132, 48]),
        (any(boards(22, 22, 6)), 7, &[0, 1, 2, 3]),
        (turning(with_diagonals(4)), 8, &[0, 1, 2]),
        (turning(boards(20, 20, 4)), 9, &[0, 1, 2]),
    ] {
        for &number in numbers {
            let puzzle = recipe.puzzle(seed, number).expect("the recipe can be made");
            let solve = |threads| {
                let mut solver = solver("flagship", &[("threads", threads)]);
                let (outcome, mut stats) =
                    solver.solve(&puzzle, &Limits::default(), &mut NullObserver);
                let solution = outcome.solution().expect("solvable").clone();
                solution.replay(&puzzle).expect("every solution replays");
                stats.time = Duration::ZERO;
                (solution, stats)
            };
            let (one, stats) = solve("1");
            divided += usize::from(stats.stored > 1 << 15);
            for threads in ["2", "3", "4", "8"] {
                let (several, stats) = solve(threads);
                assert_eq!(several.len(), one.len(), "{:?}", puzzle.to_setup());
                assert_eq!((several, stats), solve(threads), "it is the same again");
            }
        }
    }
    assert!(divided > 8, "{divided}");
}

/// As [`behind_a_wall`], on a board that is too large for the ordinary search, with more robots or
/// with diagonals.
fn behind_another_wall(width: usize, robots: usize, bent: bool) -> Puzzle {
    let mut board = Board::builder(width, 10);
    for y in 0..10 {
        board.add_wall(Cell::new(3, y), Direction::East);
    }
    if bent {
        board = board.diagonal(Cell::new(6, 4), Lean::Slash, Robot::RED);
    }
    let goal = Goal {
        robot: Some(Robot::RED),
        cell: Cell::new(1, 7),
    };
    let mut cells = vec![Cell::new(0, 0)];
    cells.extend((1..robots).map(|i| Cell::new(3 + i as u8, i as u8)));
    Puzzle::new(board.build().expect("sound"), &cells, goal).expect("valid")
}

#[test]
fn threads_prove_that_there_is_no_solution_on_all_other_boards() {
    for puzzle in [
        behind_another_wall(30, 4, false),
        behind_another_wall(10, 6, false),
        behind_another_wall(16, 4, true),
    ] {
        let seen = ["1", "2", "3"].map(|threads| {
            let mut solver = solver("flagship", &[("threads", threads)]);
            let (outcome, stats) = solver.solve(&puzzle, &Limits::default(), &mut NullObserver);
            assert!(matches!(outcome, Outcome::Unsolvable), "{outcome:?}");
            (stats.generated, stats.stored)
        });
        assert!(
            seen[0].1 > 1 << 14,
            "large enough to be divided: {}",
            seen[0].1
        );
        assert_eq!(seen[1], seen[0], "the whole search is the same");
        assert_eq!(seen[2], seen[0], "the whole search is the same");
    }
}

#[test]
fn threads_keep_limits_on_all_other_boards() {
    for (recipe, seed, number) in [(boards(32, 32, 4), 6, 93), (official(8), 4, 89)] {
        let puzzle = recipe.puzzle(seed, number).expect("the recipe can be made");
        let mut solver = solver("flagship", &[("threads", "2")]);
        let none = Limits::default;
        let cases = [
            (
                Limit::Nodes,
                Limits {
                    nodes: Some(500_000),
                    ..none()
                },
            ),
            (
                Limit::Memory,
                Limits {
                    memory: Some(24 << 20),
                    ..none()
                },
            ),
            (
                Limit::Time,
                Limits {
                    time: Some(Duration::from_millis(60)),
                    ..none()
                },
            ),
            (Limit::Moves, within(8)),
        ];
        for (expected, limits) in cases {
            let (outcome, stats) = solver.solve(&puzzle, &limits, &mut NullObserver);
            let Outcome::LimitReached { limit, lower_bound } = outcome else {
                panic!("{expected:?}: {outcome:?}");
            };
            assert_eq!(limit, expected);
            assert!(lower_bound > 5, "{lower_bound}");
            assert!(stats.peak_bytes <= limits.memory.unwrap_or(u64::MAX));
            // A thread stops when it has used its share; all have made about as many.
            assert!(stats.nodes <= limits.nodes.map_or(u64::MAX, |most| most + 2));
        }
    }
}

#[test]
fn all_threads_end_when_a_search_is_cancelled() {
    let puzzle = boards(32, 32, 4).puzzle(6, 114).expect("it can be made");
    let cancel = CancelToken::default();
    let count = NodeCount::default();
    let limits = Limits {
        cancel: Some(cancel.clone()),
        count: Some(count.clone()),
        ..Limits::default()
    };
    let outcome = std::thread::scope(|scope| {
        let search = scope.spawn(|| {
            let mut solver = solver("flagship", &[("threads", "2")]);
            solver.solve(&puzzle, &limits, &mut NullObserver).0
        });
        // Divided by then, and far from its end after 100 million.
        while count.get() < 1_000_000 && !search.is_finished() {
            std::thread::yield_now();
        }
        cancel.cancel();
        search.join().expect("no panic")
    });
    assert!(
        matches!(
            outcome,
            Outcome::LimitReached {
                limit: Limit::Cancelled,
                ..
            }
        ),
        "{outcome:?}"
    );
}

#[test]
fn portable_code_and_avx2_do_the_same_on_10_000_puzzles() {
    let mut automatic = solver("flagship", &[]);
    let mut portable = solver("flagship", &[("simd", "off")]);
    for (recipe, count) in [
        (official(4), 6000),
        (official(5), 1000),
        (boards(11, 13, 4), 3000),
    ] {
        for number in 0..count {
            let puzzle = recipe.puzzle(43, number).expect("the recipe can be made");
            let limits = within(7);
            let (outcome, mut stats) = automatic.solve(&puzzle, &limits, &mut NullObserver);
            let (same_outcome, mut same_stats) =
                portable.solve(&puzzle, &limits, &mut NullObserver);
            (stats.time, same_stats.time) = Default::default();
            assert_eq!(outcome, same_outcome, "{:?}", puzzle.to_setup());
            assert_eq!(stats, same_stats, "{:?}", puzzle.to_setup());
        }
    }
}

fn check_corpus(path: &str, most: u32) {
    let mut flagship = solver("flagship", &[]);
    let puzzles = corpus(path);
    let mut checked = 0;
    for puzzle in puzzles.iter().filter(|p| p.known_optimal() <= Some(most)) {
        let length = answer(&mut *flagship, puzzle, &Limits::default()).expect("solvable");
        assert_eq!(
            Some(length as u32),
            puzzle.known_optimal(),
            "{:?}",
            puzzle.id()
        );
        checked += 1;
    }
    assert!(checked > 0);
}

#[test]
fn proven_optima_of_random_positions() {
    check_corpus("official/random.jsonl", u32::MAX);
}

#[test]
fn proven_optima_of_hard_positions_up_to_17_moves() {
    check_corpus("official/hard.jsonl", 17);
}

#[test]
fn proven_optima_of_the_asp_competition() {
    check_corpus("competitions/asp2015.jsonl", u32::MAX);
}

#[test]
fn proven_optima_of_the_planning_competition_up_to_14_moves() {
    check_corpus("competitions/ipc2023.jsonl", 14);
}

/// Positions that no corpus and no other test has.
#[test]
#[ignore = "some ten seconds in an optimised build"]
fn agrees_with_iddfs_on_10_000_official_positions() {
    let mut solvers = ["iddfs", "flagship", "flagship:threads=4"].map(|spec| solver(spec, &[]));
    agree(&official(4), 20_261_117, 10_000, 40, &mut solvers);
}

/// The rest: `cargo test --release -p ricochet-solve --test it flagship:: -- --ignored`.
#[test]
#[ignore = "a minute in an optimised build"]
fn proven_optima_of_the_hardest() {
    check_corpus("official/hard.jsonl", u32::MAX);
    check_corpus("records/records.jsonl", u32::MAX);
    check_corpus("competitions/ipc2023.jsonl", u32::MAX);
}
