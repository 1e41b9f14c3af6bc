//! Tests that make small searches use plans and threads, which only large ones do otherwise.

use std::slice::from_mut;

use ricochet_core::generate::{RandomBoard, Recipe};
use ricochet_core::{Direction, Puzzle, State};

use super::*;
use crate::flagship::task::Switches;
use crate::lowlevel::instructions::Portable;
use crate::lowlevel::portable::PortableSet;
use crate::{Limits, Meter, NullObserver};

const SWITCHES: Switches = Switches {
    threads: 1,
    lookahead: true,
    plans: true,
};

/// Uses plans from the first layer on.
const PLAN_AT_ONCE: Thresholds = Thresholds {
    plan_from: 0,
    least_raise: 0,
    ..THRESHOLDS
};

/// Uses plans from the first layer on, and divides the search as early as possible.
const ALL_AT_ONCE: Thresholds = Thresholds {
    divide_from: 1,
    ..PLAN_AT_ONCE
};

fn search_with(thresholds: Thresholds) -> SmallSearch {
    SmallSearch {
        thresholds,
        ..SmallSearch::new()
    }
}

/// Searches from some states, with at most 12 moves.
fn search_from(
    searches: &mut [SmallSearch],
    puzzle: &Puzzle,
    starts: &[State],
    all_nearest: bool,
    switches: Switches,
    limits: &Limits,
) -> (SearchEnd, SearchReport) {
    let mut report = SearchReport::default();
    let task = Task {
        puzzle,
        starts,
        all_nearest,
        switches,
        limits,
        meter: &Meter::start(limits),
    };
    let (watch, report_to) = (&mut NullObserver, &mut report);
    let end = match puzzle.start().len() {
        1 => run::<PortableSet, 0>(searches, Portable, &task, watch, report_to),
        2 => run::<PortableSet, 1>(searches, Portable, &task, watch, report_to),
        3 => run::<PortableSet, 2>(searches, Portable, &task, watch, report_to),
        4 => run::<PortableSet, 3>(searches, Portable, &task, watch, report_to),
        _ => run::<PortableSet, 4>(searches, Portable, &task, watch, report_to),
    };
    (end, report)
}

fn twelve_moves() -> Limits {
    Limits {
        moves: Some(12),
        ..Limits::default()
    }
}

/// The length of the solution, 100 if it exceeds the limit, `None` if there is none; and the number
/// of children.
fn length(
    searches: &mut [SmallSearch],
    puzzle: &Puzzle,
    switches: Switches,
) -> (Option<usize>, u64) {
    let starts = [puzzle.start()];
    let (end, report) = search_from(searches, puzzle, &starts, false, switches, &twelve_moves());
    let length = match end {
        SearchEnd::Solved(solutions) => {
            assert!(solutions[0].1.replay(puzzle).is_ok());
            Some(solutions[0].1.len())
        }
        SearchEnd::Unsolvable => None,
        SearchEnd::Limit { limit, .. } => {
            assert_eq!(limit, Limit::Moves);
            Some(100)
        }
    };
    (length, report.counters.generated)
}

/// The nearest of all positions after a move, with their distance; the limit if they are too far
/// away.
fn nearest(
    search: &mut SmallSearch,
    puzzle: &Puzzle,
    switches: Switches,
) -> Option<(Vec<usize>, usize)> {
    let start = puzzle.start();
    let moves = start
        .robots()
        .flat_map(|robot| Direction::ALL.map(|direction| (robot, direction)));
    let starts: Vec<State> = moves
        .filter_map(|(robot, direction)| puzzle.apply(start, robot, direction))
        .collect();
    let (end, _) = search_from(
        from_mut(search),
        puzzle,
        &starts,
        true,
        switches,
        &twelve_moves(),
    );
    match end {
        SearchEnd::Solved(mut found) => {
            found.sort_by_key(|&(index, _)| index);
            for (index, solution) in &found {
                let end = solution
                    .moves()
                    .iter()
                    .try_fold(starts[*index], |state, play| {
                        puzzle.apply(state, play.robot, play.direction)
                    });
                assert!(puzzle.is_on_target(end.expect("moves that can be made")));
                assert_eq!(solution.len(), found[0].1.len());
            }
            let moves = found[0].1.len();
            Some((found.into_iter().map(|(index, _)| index).collect(), moves))
        }
        SearchEnd::Unsolvable => None,
        SearchEnd::Limit { limit, lower_bound } => {
            assert_eq!(limit, Limit::Moves);
            assert!(lower_bound > 12);
            Some((Vec::new(), 12))
        }
    }
}

/// Unsolved puzzles on small boards and on large ones.
fn puzzles(seed: u64, each: u64) -> Vec<Puzzle> {
    let mut puzzles = Vec::new();
    for robots in 2..=5 {
        for board in [RandomBoard::new(6, 5), RandomBoard::new(12, 16)] {
            let recipe = Recipe {
                robots,
                ..Recipe::random(board)
            };
            let made = (0..each).map(|number| recipe.puzzle(seed, number).expect("a puzzle"));
            puzzles.extend(made.filter(|puzzle| {
                puzzle.goal().robot.is_some() && !puzzle.is_solved(puzzle.start())
            }));
        }
    }
    puzzles
}

#[test]
#[cfg_attr(miri, ignore = "a board's tables are too much for it")]
fn plans_and_threads_change_no_length() {
    let plain = Switches {
        plans: false,
        ..SWITCHES
    };
    let (mut alone, mut planning) = (SmallSearch::new(), search_with(PLAN_AT_ONCE));
    let mut divided = search_with(ALL_AT_ONCE);
    let (mut with_plans, mut with_threads, mut with_both) = (0, 0, 0);
    for (number, puzzle) in puzzles(8, 100).iter().enumerate() {
        let (expected, _) = length(from_mut(&mut alone), puzzle, plain);
        assert_eq!(
            length(from_mut(&mut planning), puzzle, SWITCHES).0,
            expected,
            "{puzzle:?}"
        );
        with_plans += usize::from(planning.planning == Planning::Chosen);
        let threads = [2, 3, 4, 8][number % 4];
        for plans in [false, true] {
            let switches = Switches {
                threads,
                plans,
                ..SWITCHES
            };
            let (found, children) = length(from_mut(&mut divided), puzzle, switches);
            assert_eq!(found, expected, "{threads} threads, {puzzle:?}");
            let again = length(from_mut(&mut divided), puzzle, switches);
            assert_eq!(again, (found, children), "{threads} threads, {puzzle:?}");
            if divided.divided > 1 {
                with_threads += 1;
                with_both += usize::from(divided.planning == Planning::Chosen);
            }
        }
    }
    assert!(
        with_plans > 200 && with_threads > 400 && with_both > 150,
        "{with_plans} {with_threads} {with_both}"
    );
}

/// If any robot may reach the target, each search chooses plans and threads for itself.
#[test]
#[cfg_attr(miri, ignore = "a board's tables are too much for it")]
fn plans_and_threads_change_no_length_for_any_robot() {
    let searches = |thresholds| [(); 5].map(|()| search_with(thresholds));
    let (mut alone, mut divided) = (searches(THRESHOLDS), searches(ALL_AT_ONCE));
    let plain = Switches {
        plans: false,
        ..SWITCHES
    };
    let (mut with_plans, mut with_threads) = (0, 0);
    for (number, puzzle) in puzzles(10, 60).iter().enumerate() {
        let goal = Goal {
            robot: None,
            cell: puzzle.goal().cell,
        };
        let any_robot = puzzle.with_position(puzzle.start().cells(), goal);
        let puzzle = any_robot.expect("the same with another goal");
        if puzzle.is_solved(puzzle.start()) {
            continue;
        }
        let robots = puzzle.start().len();
        let (expected, _) = length(&mut alone, &puzzle, plain);
        let switches = Switches {
            threads: [1, 2, 3, 8][number % 4],
            ..SWITCHES
        };
        let found = length(&mut divided, &puzzle, switches);
        assert_eq!(found.0, expected, "{switches:?}, {puzzle:?}");
        assert_eq!(length(&mut divided, &puzzle, switches), found);
        for search in &divided[..robots] {
            with_plans += usize::from(search.planning == Planning::Chosen);
            with_threads += usize::from(search.divided > 1);
        }
    }
    assert!(
        with_plans > 100 && with_threads > 200,
        "{with_plans} {with_threads}"
    );
}

#[test]
#[cfg_attr(miri, ignore = "a board's tables are too much for it")]
fn plans_and_threads_change_nothing_about_what_is_nearest() {
    let plain = Switches {
        plans: false,
        ..SWITCHES
    };
    let (mut alone, mut planning) = (SmallSearch::new(), search_with(PLAN_AT_ONCE));
    let mut divided = search_with(ALL_AT_ONCE);
    let (mut with_plans, mut with_both) = (0, 0);
    for (number, puzzle) in puzzles(9, 50).iter().enumerate() {
        let expected = nearest(&mut alone, puzzle, plain);
        assert_eq!(
            nearest(&mut planning, puzzle, SWITCHES),
            expected,
            "{puzzle:?}"
        );
        with_plans += usize::from(planning.planning == Planning::Chosen);
        for plans in [false, true] {
            let switches = Switches {
                threads: [2, 3, 4, 8][number % 4],
                plans,
                ..SWITCHES
            };
            let found = nearest(&mut divided, puzzle, switches);
            assert_eq!(found, expected, "{switches:?}, {puzzle:?}");
            let planned = divided.planning == Planning::Chosen;
            with_both += usize::from(planned && divided.divided > 1);
        }
    }
    assert!(
        with_plans > 100 && with_both > 80,
        "{with_plans} {with_both}"
    );
}

fn hard() -> Puzzle {
    let puzzle = ricochet_core::formats::read("7650+42+E2302B12+C9").unwrap();
    puzzle[0].clone().validate().unwrap()
}

/// Goal-robot moves and helper moves may both lead to a configuration, and other threads may send
/// children late.
#[test]
#[cfg_attr(miri, ignore = "a board's tables are too much for it")]
fn a_configuration_has_one_node_in_a_layer() {
    let puzzle = hard();
    for (plans, threads, moves) in [(false, 1, 14), (true, 1, 18), (true, 3, 18), (false, 3, 14)] {
        let mut search = SmallSearch::new();
        let limits = Limits {
            moves: Some(moves),
            ..Limits::default()
        };
        let switches = Switches {
            threads,
            plans,
            ..SWITCHES
        };
        search_from(
            from_mut(&mut search),
            &puzzle,
            &[puzzle.start()],
            false,
            switches,
            &limits,
        );
        assert_eq!(search.planning == Planning::Chosen, plans);
        assert_eq!(search.divided, threads);
        for shard in search.in_use() {
            let frontier = &shard.frontier;
            let ends = frontier.layers[1..]
                .iter()
                .copied()
                .chain([frontier.nodes.len()]);
            for (&begin, end) in frontier.layers.iter().zip(ends) {
                let nodes = frontier.nodes[begin..end].iter();
                let mut keys: Vec<u32> = nodes.map(|node| node.key).collect();
                keys.sort_unstable();
                keys.dedup();
                assert_eq!(keys.len(), end - begin);
            }
            let nodes = frontier.nodes.len();
            assert!(nodes > 10_000 / threads, "{nodes}");
        }
    }
}

/// Completed layers hold the same states on any number of threads, so a search that is ended by the
/// limit on moves stores the same nodes.
#[test]
#[cfg_attr(miri, ignore = "a board's tables are too much for it")]
fn threads_fill_the_same_layers() {
    let puzzle = hard();
    for (plans, moves) in [(true, 18), (false, 13)] {
        let limits = Limits {
            moves: Some(moves),
            ..Limits::default()
        };
        let mut expected = None;
        for threads in [1, 2, 3, 4, 8] {
            let mut search = SmallSearch::new();
            let switches = Switches {
                threads,
                plans,
                ..SWITCHES
            };
            let starts = [puzzle.start()];
            let (end, report) = search_from(
                from_mut(&mut search),
                &puzzle,
                &starts,
                false,
                switches,
                &limits,
            );
            assert!(
                matches!(end, SearchEnd::Limit { lower_bound, .. } if lower_bound == moves + 1)
            );
            let mut cells: Vec<(u32, [u64; 4])> = Vec::new();
            for shard in search.in_use() {
                cells.extend(
                    shard
                        .frontier
                        .nodes
                        .iter()
                        .map(|node| (node.key, node.cells)),
                );
            }
            cells.sort_unstable();
            let expected = expected.get_or_insert_with(|| (cells.clone(), report.stored));
            assert_eq!(report.stored, expected.1, "{threads} threads");
            assert!(cells == expected.0, "{threads} threads");
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "a board's tables are too much for it")]
fn limits_hold_on_any_number_of_threads() {
    let puzzle = hard();
    let starts = [puzzle.start()];
    for threads in [1, 2, 3, 8] {
        let switches = Switches {
            threads,
            ..SWITCHES
        };
        let mut search = SmallSearch::new();
        let limits = Limits {
            nodes: Some(400_000),
            ..Limits::default()
        };
        let (end, report) = search_from(
            from_mut(&mut search),
            &puzzle,
            &starts,
            false,
            switches,
            &limits,
        );
        assert!(
            matches!(end, SearchEnd::Limit { limit: Limit::Nodes, lower_bound } if lower_bound > 10)
        );
        let made = report.counters.generated;
        assert!(
            made > 400_000 && made < 400_000 + 100_000 * threads as u64,
            "{made}"
        );
        let limits = Limits {
            memory: Some(24 << 20),
            ..Limits::default()
        };
        let (end, report) = search_from(
            from_mut(&mut search),
            &puzzle,
            &starts,
            false,
            switches,
            &limits,
        );
        assert!(
            matches!(
                end,
                SearchEnd::Limit {
                    limit: Limit::Memory,
                    ..
                }
            ),
            "{end:?}"
        );
        assert!(report.peak_bytes < 28 << 20, "{}", report.peak_bytes);
        let limits = Limits {
            time: Some(std::time::Duration::from_millis(30)),
            ..Limits::default()
        };
        let (end, _) = search_from(
            from_mut(&mut search),
            &puzzle,
            &starts,
            false,
            switches,
            &limits,
        );
        assert!(
            matches!(
                end,
                SearchEnd::Limit {
                    limit: Limit::Time,
                    ..
                }
            ),
            "{end:?}"
        );
    }
}

/// Memory kept between searches adds to what the next one may use.
#[test]
#[cfg_attr(miri, ignore = "a board's tables are too much for it")]
fn little_is_kept_if_memory_is_limited() {
    let puzzle = hard();
    for threads in [1, 2] {
        let mut search = SmallSearch::new();
        let kept = |search: &SmallSearch| -> u64 {
            let shards = search.shards.iter();
            shards
                .map(|shard| shard.frontier.bytes_soon() + shard.visited.bytes_kept())
                .sum()
        };
        let switches = Switches {
            threads,
            ..SWITCHES
        };
        let run = |search: &mut SmallSearch, memory| {
            let limits = Limits {
                moves: Some(20),
                memory,
                ..Limits::default()
            };
            search_from(
                from_mut(search),
                &puzzle,
                &[puzzle.start()],
                false,
                switches,
                &limits,
            )
            .1
        };
        let roomy = run(&mut search, None);
        assert!(kept(&search) > 8 << 20, "{}", kept(&search));
        let limited = run(&mut search, Some(1 << 30));
        assert_eq!(roomy.counters.generated, limited.counters.generated);
        assert!(kept(&search) < 6 << 20, "{}", kept(&search));
        run(&mut search, Some(1 << 30));
        assert!(kept(&search) < 6 << 20, "{}", kept(&search));
    }
}
