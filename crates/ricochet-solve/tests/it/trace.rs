//! Traces: events are counted as the statistics count, and lead to the solution.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use ricochet_core::generate::{GoalRobot, RandomBoard, Recipe};
use ricochet_core::quadrants::Edition;
use ricochet_core::{Cell, Move, Puzzle, Robot, Rules, State, notation};
use ricochet_solve::registry::{SOLVERS, SolverSpec};
use ricochet_solve::trace::{Event, EventKind, PruneReason, Recorder};
use ricochet_solve::{CancelToken, Limit, Limits, NullObserver, Outcome, Stats};

/// Every solver whose search has events, and the switches of those that have some.
fn specs() -> Vec<SolverSpec> {
    let names = SOLVERS.iter().map(|info| info.name);
    let names = names.filter(|&name| name != "tablebase");
    let switched = [
        "iddfs:memo=off",
        "iddfs:sort=off",
        "iddfs:bound=off",
        "iddfs:memo=off:sort=off:bound=off",
        "stateless:published=on",
        "bfs:duplicates=drop",
        "flagship:lookahead=off",
        "flagship:plans=off",
        "setup-bfs:setup-depth=2:color-depth=6",
        "setup-crossblock:degree=2",
    ];
    let all = names.chain(switched);
    all.map(|text| text.parse().expect("a solver")).collect()
}

/// Puzzles of all kinds: sizes, numbers of robots, diagonals, any-robot goals and the rule that a
/// robot must turn.
fn puzzles(count: u64) -> impl Iterator<Item = Puzzle> {
    (0..count).filter_map(|number| {
        let board = |width, height, diagonals| RandomBoard {
            diagonals: Some(diagonals),
            ..RandomBoard::new(width, height)
        };
        let mut recipe = match number % 5 {
            0 => Recipe::official(Edition::Of1999),
            1 => Recipe::random(board(5, 4, 0)),
            2 => Recipe::random(board(8, 7, 0)),
            3 => Recipe::random(board(9, 9, number as usize % 4)),
            _ => Recipe::random(board(18, 17, 0)),
        };
        recipe.robots = 1 + (number / 5) as usize % 5;
        recipe.goal_robot = match number % 7 {
            3 => GoalRobot::AnyRobot,
            _ => GoalRobot::OneRobot,
        };
        recipe.rules = Rules {
            must_ricochet: number % 11 == 5,
        };
        recipe.puzzle(32, number).ok()
    })
}

/// The statistics without what a trace may cost.
fn comparable(stats: &Stats) -> Stats {
    Stats {
        time: Duration::ZERO,
        peak_bytes: 0,
        ..stats.clone()
    }
}

/// Which statistic counts which events.
fn check_counts(spec: &SolverSpec, recorder: &Recorder, outcome: &Outcome, stats: &Stats) {
    let count = |kind| recorder.counts().of(kind);
    let pruned = |reason| recorder.counts().pruned(reason);
    let events = recorder.events();
    let layers = || {
        events.iter().filter_map(|event| match event.kind {
            EventKind::Layer(row) => Some(row),
            _ => None,
        })
    };
    match spec.name() {
        "iddfs" | "iddfs-bounded" => {
            assert_eq!(count("iteration"), stats.rows.len() as u64);
            assert_eq!(count("generate"), stats.nodes);
            assert_eq!(count("generate"), stats.generated);
            assert_eq!(count("expand"), stats.expanded);
            let hits = pruned(PruneReason::Memo) + pruned(PruneReason::SortedKey);
            assert_eq!(hits, stats.hits);
            assert_eq!(count("expand") + hits, stats.inner);
        }
        "naive" => {
            assert_eq!(count("expand"), stats.nodes);
            assert_eq!(count("expand"), stats.expanded);
            assert_eq!(count("generate"), stats.generated);
            assert_eq!(pruned(PruneReason::Duplicate), stats.hits);
        }
        "bfs" => {
            assert_eq!(count("generate"), stats.nodes);
            assert_eq!(count("generate"), stats.generated);
            assert_eq!(count("expand"), stats.expanded);
            let known = pruned(PruneReason::Duplicate) + count("repeat");
            assert_eq!(known, stats.hits);
        }
        "dfs" => assert_eq!(count("generate"), stats.nodes),
        "graph-v1" | "graph-v2" | "graph-bounded" | "graph-complete" => {
            assert_eq!(count("reach"), stats.nodes);
            assert_eq!(count("configuration"), stats.expanded);
            assert_eq!(count("generate"), stats.generated);
            assert_eq!(pruned(PruneReason::Duplicate), stats.hits);
        }
        "stateless" => {
            assert_eq!(count("expand"), stats.nodes);
            assert_eq!(count("expand"), stats.expanded);
            if stats.claimed.is_some() {
                assert_eq!(count("final"), stats.generated);
            }
        }
        "subgoals" => {
            assert_eq!(count("expand"), stats.nodes);
            assert_eq!(count("expand"), stats.expanded);
            assert_eq!(count("root") + count("generate"), stats.generated);
            assert_eq!(pruned(PruneReason::Duplicate), stats.hits);
        }
        "single-color" => {
            assert_eq!(count("reach"), stats.nodes);
            assert_eq!(count("reach"), stats.expanded);
        }
        "setup-bfs" | "setup-dfs" | "setup-position" | "setup-crossblock" => {
            assert_eq!(count("setup"), stats.nodes);
            assert_eq!(count("reach"), stats.expanded);
            if spec.name() != "setup-dfs" {
                assert_eq!(count("generate"), stats.generated);
            }
        }
        "flagship" => {
            // The nodes of each goal robot since its search began or began again.
            let mut nodes: HashMap<Option<Robot>, u64> = HashMap::new();
            for event in events {
                match event.kind {
                    EventKind::Restart { robot: None } => nodes.clear(),
                    EventKind::Restart { robot } => {
                        nodes.remove(&robot);
                    }
                    EventKind::Node { robot, .. } => *nodes.entry(robot).or_default() += 1,
                    _ => {}
                }
            }
            assert_eq!(nodes.values().sum::<u64>(), stats.stored);
            if outcome.limit_reached().is_none() {
                assert_eq!(layers().map(|row| row.nodes).sum::<u64>(), stats.generated);
                assert_eq!(layers().map(|row| row.hits).sum::<u64>(), stats.hits);
            }
        }
        other => panic!("how does {other} count?"),
    }
    let rows: Vec<_> = layers().collect();
    if !rows.is_empty() {
        // The rows of a search that was given up before the last restart are not in the statistics.
        assert!(rows.ends_with(&stats.rows), "{spec}");
    }
}

/// Plays the events: every node is where its move leads from its parent, and the last solution is
/// the answer, with the moves that the parents of its node tell.
fn check_replay(puzzle: &Puzzle, events: &[Event], outcome: &Outcome) {
    let mut positions: HashMap<u64, State> = HashMap::new();
    let mut made: HashMap<u64, (Option<u64>, Option<Move>)> = HashMap::new();
    // A state of `stateless` and a set of cells are no positions.
    let mut no_positions = HashSet::new();
    let mut last = None;
    for (place, event) in events.iter().enumerate() {
        assert_eq!(event.number, place as u64);
        if let Some(parent) = event.parent {
            assert!(made.contains_key(&parent), "{event:?}");
        }
        if let EventKind::Solution { moves } = &event.kind {
            let mut way = Vec::new();
            let mut at = event.id;
            while let Some(id) = at {
                let (parent, step) = made[&id];
                way.extend(step);
                at = parent;
            }
            way.reverse();
            last = Some((moves.clone(), event.id.map(|_| way)));
            continue;
        }
        let Some(id) = event.id else { continue };
        made.entry(id).or_insert((event.parent, event.step));
        if matches!(event.kind, EventKind::Node { .. } | EventKind::Final { .. }) {
            no_positions.insert(id);
        }
        if no_positions.contains(&id) {
            continue;
        }
        let before = match event.parent {
            Some(parent) => positions[&parent],
            None => puzzle.start(),
        };
        let after = match event.step {
            Some(step) => puzzle
                .apply(before, step.robot, step.direction)
                .expect("it was made"),
            None => before,
        };
        let changed: Vec<(Robot, Cell)> = after
            .iter()
            .filter(|&(robot, cell)| before[robot] != cell)
            .collect();
        assert_eq!(event.robots, changed, "{event:?}");
        positions.insert(id, after);
    }
    let found = outcome.solution().map(|solution| solution.moves().to_vec());
    if let Some(found) = found {
        let (moves, way) = last.expect("a solution");
        assert_eq!(moves, found);
        // The states of `stateless` have whole plans behind them.
        let is_tree = !events.iter().any(|event| event.kind.name() == "final");
        if let Some(way) = way.filter(|_| is_tree) {
            assert_eq!(way, found);
        }
    } else if !matches!(outcome, Outcome::LimitReached { .. }) {
        assert!(last.is_none());
    }
}

fn check(spec: &SolverSpec, puzzle: &Puzzle, limits: &Limits) -> Outcome {
    let (silent, plain) = spec.build().solve(puzzle, limits, &mut NullObserver);
    let mut recorder = Recorder::new(usize::MAX);
    let (outcome, stats) = spec.build().solve(puzzle, limits, &mut recorder);
    let context = || format!("{spec} on {:?}", puzzle.to_setup());
    assert_eq!(outcome, silent, "{}", context());
    assert_eq!(comparable(&stats), comparable(&plain), "{}", context());
    assert_eq!(recorder.len(), recorder.events().len() as u64);
    check_counts(spec, &recorder, &outcome, &stats);
    check_replay(puzzle, recorder.events(), &outcome);

    // The first events only, and the same counts.
    let mut short = Recorder::new(40);
    let (again, _) = spec.build().solve(puzzle, limits, &mut short);
    assert_eq!(again, outcome, "{}", context());
    assert_eq!(short.counts(), recorder.counts(), "{}", context());
    let first = recorder.events().iter().take(40);
    assert!(short.events().iter().eq(first), "{}", context());
    outcome
}

fn check_all(count: u64, limits: &Limits) {
    for spec in specs() {
        let (mut solved, mut others) = (0, HashSet::new());
        for puzzle in puzzles(count) {
            let outcome = check(&spec, &puzzle, limits);
            match outcome {
                Outcome::Solved { .. } => solved += 1,
                other => {
                    others.insert(other.name());
                }
            }
        }
        assert!(solved > count / 20, "{spec} solves {solved}");
        assert!(!others.is_empty(), "{spec}");
    }
}

#[test]
fn events_are_counted_as_the_statistics_count() {
    let limits = Limits {
        nodes: Some(1_500),
        moves: Some(7),
        ..Limits::default()
    };
    check_all(45, &limits);
}

#[test]
#[ignore = "minutes: run in an optimised build"]
fn events_of_a_thousand_puzzles_are_counted_as_the_statistics_count() {
    let limits = Limits {
        nodes: Some(20_000),
        ..Limits::default()
    };
    check_all(1_050, &limits);
}

#[test]
fn a_cancelled_search_has_the_events_so_far() {
    let token = CancelToken::default();
    token.cancel();
    let limits = Limits {
        cancel: Some(token),
        ..Limits::default()
    };
    let puzzle = slides();
    for spec in specs() {
        let mut recorder = Recorder::new(100);
        let (outcome, _) = spec.build().solve(&puzzle, &limits, &mut recorder);
        let limit = outcome.limit_reached().map(|it| it.limit);
        assert_eq!(limit, Some(Limit::Cancelled), "{spec}");
        assert!(recorder.len() < 2000, "{spec}");
    }
}

/// The slides' example.
fn slides() -> Puzzle {
    let line = notation::parse_line("1A4B3B2B.1fc1f0c0.B9c");
    line.unwrap().validate().unwrap()
}

/// The slides' reasons can all be seen on one puzzle.
#[test]
fn every_reason_to_prune_occurs() {
    let mut recorder = Recorder::new(Recorder::DEFAULT_EVENTS);
    let corners = notation::parse_line("4x4..003033.R11").unwrap();
    let puzzle = corners.validate().unwrap();
    let spec: SolverSpec = "iddfs".parse().unwrap();
    spec.build()
        .solve(&puzzle, &Limits::default(), &mut recorder);
    for reason in PruneReason::ALL {
        let pruned = recorder.counts().pruned(reason);
        // A memo knows no duplicates: it tells how deep they were searched.
        assert_eq!(pruned > 0, reason != PruneReason::Duplicate, "{reason:?}");
    }
    assert!(recorder.events().len() <= Recorder::DEFAULT_EVENTS);
}
