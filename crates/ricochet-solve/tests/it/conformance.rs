//! One suite for every solver of the registry: what an answer means, what a limit means, and what
//! must not matter (reuse, symmetry, names of helpers). A new solver is covered by being registered.

use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use crate::common::oracle::{Truth, truth};
use crate::common::{corpus, solver};
use ricochet_core::generate::{GoalRobot, RandomBoard, Recipe};
use ricochet_core::quadrants::Edition;
use ricochet_core::{Board, Cell, Direction, Goal, Puzzle, Robot, Rules, Symmetry};
use ricochet_solve::registry::{SOLVERS, SolverInfo};
use ricochet_solve::{
    CancelToken, Failure, Guarantee, Limit, Limits, NullObserver, Outcome, Solver, Stats,
};

/// A puzzle of the suite.
struct Case {
    name: String,
    puzzle: Puzzle,
    truth: Truth,
}

/// The most states of a generated case, few enough for every breadth-first search.
const MAX_STATES: usize = 5_000;

/// The first puzzles of a recipe that take at least two moves and not too many.
fn generated(cases: &mut Vec<Case>, name: &str, recipe: &Recipe, count: usize) {
    let found = (0..200).filter_map(|number| {
        let puzzle = recipe.puzzle(2012, number).ok()?;
        let truth = truth(&puzzle, MAX_STATES);
        matches!(truth, Truth::Optimum(2..)).then_some((number, puzzle, truth))
    });
    let before = cases.len();
    cases.extend(found.take(count).map(|(number, puzzle, truth)| Case {
        name: format!("{name} {number}"),
        puzzle,
        truth,
    }));
    assert_eq!(cases.len(), before + count, "{name}: too few puzzles");
}

/// Everything that a solver has to take or to decline.
fn cases() -> &'static [Case] {
    static CASES: OnceLock<Vec<Case>> = OnceLock::new();
    CASES.get_or_init(all_cases)
}

fn all_cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let random = |width, height| Recipe::random(RandomBoard::new(width, height));
    let official = Recipe::official(Edition::Of1999);
    let one = |recipe: Recipe| Recipe {
        goal_robot: GoalRobot::OneRobot,
        ..recipe
    };
    let wild = |recipe: Recipe| Recipe {
        goal_robot: GoalRobot::AnyRobot,
        ..recipe
    };
    let robots = |robots: usize, recipe: Recipe| Recipe { robots, ..recipe };
    let ricochet = |recipe: Recipe| Recipe {
        rules: Rules {
            must_ricochet: true,
        },
        ..recipe
    };
    let diagonals = |width, height| {
        Recipe::random(RandomBoard {
            diagonals: Some(4),
            ..RandomBoard::new(width, height)
        })
    };
    let mut add = |name: &str, recipe: Recipe| generated(&mut cases, name, &recipe, 2);
    add("official", one(official.clone()));
    add("official, wild target", wild(official.clone()));
    add("official, five robots", robots(5, one(official.clone())));
    add("official, must ricochet", ricochet(one(official.clone())));
    add("one robot", robots(1, one(random(9, 9))));
    add("two robots", robots(2, one(random(7, 7))));
    add("eight robots", robots(8, one(random(6, 5))));
    add("eight robots, wild", robots(8, wild(random(6, 5))));
    add("wide", one(random(13, 4)));
    add("tall", one(random(3, 16)));
    add("thinnest", robots(2, one(random(2, 32))));
    add("largest", robots(3, one(random(32, 32))));
    add("largest, six robots", robots(6, one(random(32, 20))));
    add("diagonals", one(diagonals(8, 9)));
    add("diagonals, wild target", wild(diagonals(9, 8)));
    add("diagonals, must ricochet", ricochet(one(diagonals(9, 8))));
    add(
        "diagonals, wild target, must ricochet",
        ricochet(wild(diagonals(8, 8))),
    );
    add("wild target, must ricochet", ricochet(wild(random(7, 6))));
    add("small", robots(3, one(random(5, 5))));
    add(
        "small, must ricochet",
        robots(3, ricochet(one(random(5, 5)))),
    );
    cases.extend(by_hand());
    cases
}

/// Puzzles about the ends of the scale: nothing to do, and nothing that helps.
fn by_hand() -> Vec<Case> {
    let cell = Cell::new;
    let red = |x, y| Goal {
        robot: Some(Robot::RED),
        cell: cell(x, y),
    };
    let empty = |width, height| Board::builder(width, height).build().unwrap();
    let strict = Rules {
        must_ricochet: true,
    };
    // A cell that only the north side leads into, and a room that nothing leads into.
    let room = Board::builder(6, 6)
        .wall(cell(4, 4), Direction::North)
        .wall(cell(5, 4), Direction::North)
        .wall(cell(4, 4), Direction::West)
        .wall(cell(4, 5), Direction::West)
        .build()
        .unwrap();
    let two = [cell(0, 0), cell(3, 3)];
    let puzzles = [
        (
            "already solved",
            Puzzle::new(empty(8, 8), &two, red(0, 0)).unwrap(),
        ),
        (
            "already solved by a helper, wild target",
            Puzzle::new(
                empty(8, 8),
                &two,
                Goal {
                    robot: None,
                    cell: cell(3, 3),
                },
            )
            .unwrap(),
        ),
        (
            "a helper on the target",
            Puzzle::new(empty(5, 5), &[cell(0, 0), cell(4, 0)], red(4, 0)).unwrap(),
        ),
        (
            "on the target, must ricochet",
            Puzzle::new(empty(4, 4), &[cell(0, 0), cell(1, 2)], red(0, 0))
                .unwrap()
                .with_rules(strict),
        ),
        (
            "straight to the target, must ricochet",
            Puzzle::new(empty(4, 4), &[cell(0, 0), cell(1, 2)], red(3, 0))
                .unwrap()
                .with_rules(strict),
        ),
        (
            "nothing to stop against",
            Puzzle::new(empty(6, 5), &[cell(0, 0)], red(2, 2)).unwrap(),
        ),
        (
            "one helper is not enough",
            Puzzle::new(empty(5, 5), &[cell(0, 0), cell(4, 4)], red(2, 2)).unwrap(),
        ),
        (
            "nothing to stop against, wild target",
            Puzzle::new(
                empty(5, 5),
                &[cell(0, 0), cell(4, 4)],
                Goal {
                    robot: None,
                    cell: cell(2, 2),
                },
            )
            .unwrap(),
        ),
        ("a closed room", Puzzle::new(room, &two, red(4, 4)).unwrap()),
        (
            "smallest",
            Puzzle::new(empty(2, 2), &[cell(0, 0), cell(1, 0)], red(1, 1)).unwrap(),
        ),
    ];
    puzzles
        .into_iter()
        .map(|(name, puzzle)| Case {
            name: name.to_owned(),
            truth: truth(&puzzle, 1_000_000),
            puzzle,
        })
        .collect()
}

/// What a solver without a promise may spend on one puzzle here.
fn modest(entry: &SolverInfo) -> Limits {
    Limits {
        nodes: (entry.guarantee == Guarantee::Any).then_some(100_000),
        ..Limits::default()
    }
}

/// All solvers, or those that `CONFORMANCE_ONLY=name,name` names, for work on one of them.
fn entries() -> Vec<&'static SolverInfo> {
    let only = std::env::var("CONFORMANCE_ONLY").unwrap_or_default();
    let named =
        |entry: &&SolverInfo| only.is_empty() || only.split(',').any(|name| name == entry.name);
    SOLVERS.iter().filter(named).collect()
}

fn fresh(entry: &SolverInfo) -> Box<dyn Solver> {
    solver(entry.name, &[])
}

/// Solves, and checks everything that holds for every answer.
fn solve_checked(
    entry: &SolverInfo,
    solver: &mut dyn Solver,
    puzzle: &Puzzle,
    truth: Truth,
    limits: &Limits,
    case: &str,
) -> (Outcome, Stats) {
    let (outcome, stats) = solver.solve(puzzle, limits, &mut NullObserver);
    let context = format!("{} on '{case}' ({truth:?}): {outcome:?}", entry.name);
    assert_eq!(solver.name(), entry.name);
    assert_eq!(solver.guarantee(), entry.guarantee, "{context}");
    let optimum = match truth {
        Truth::Optimum(optimum) => Some(optimum),
        Truth::Unsolvable | Truth::Longer => None,
    };
    if let (Some(optimum), Some(lower_bound)) = (optimum, outcome.lower_bound()) {
        assert!(lower_bound <= optimum, "the bound is wrong: {context}");
    }
    match &outcome {
        Outcome::Solved {
            solution,
            optimal,
            lower_bound,
        } => {
            solution.replay(puzzle).expect(&context);
            let length = solution.len() as u32;
            assert_ne!(truth, Truth::Unsolvable, "{context}");
            assert!(*lower_bound <= length, "{context}");
            assert!(*optimal == (*lower_bound == length), "{context}");
            if let Some(optimum) = optimum {
                assert!(length >= optimum, "{context}");
                assert!(!optimal || length == optimum, "{context}");
                let promised = entry.guarantee == Guarantee::Optimal;
                assert!(!promised || (*optimal && length == optimum), "{context}");
            }
            assert!(
                limits.moves.is_none_or(|moves| length <= moves),
                "{context}"
            );
        }
        Outcome::Unsolvable => assert_eq!(truth, Truth::Unsolvable, "{context}"),
        Outcome::LimitReached { limit, .. } => {
            let given = match limit {
                Limit::Time => limits.time.is_some(),
                Limit::Memory => limits.memory.is_some(),
                Limit::Nodes => limits.nodes.is_some(),
                Limit::Moves => limits.moves.is_some(),
                Limit::Cancelled => limits.cancel.is_some(),
            };
            // A solver of the report may have a time limit of its own, as a parameter.
            let own = entry.parameters.iter().any(|p| p.key.contains("time"));
            assert!(given || (own && *limit == Limit::Time), "{context}");
        }
        Outcome::Failed { failure, .. } => match failure {
            Failure::Unsupported(what) => {
                assert_eq!(solver.supports(puzzle).as_ref(), Err(what), "{context}");
            }
            _ => assert_eq!(entry.guarantee, Guarantee::Any, "{context}"),
        },
    }
    if let Err(what) = solver.supports(puzzle) {
        let expected = Failure::Unsupported(what);
        let said = matches!(&outcome, Outcome::Failed { failure, .. } if *failure == expected);
        assert!(said, "{context}");
    }
    (outcome, stats)
}

/// All counts, but neither time nor bytes, which may depend on what was kept from before.
fn counts(stats: &Stats) -> Stats {
    Stats {
        time: Duration::ZERO,
        peak_bytes: 0,
        ..stats.clone()
    }
}

#[test]
fn answers_are_right_and_neither_reuse_nor_repetition_changes_them() {
    for entry in entries() {
        let limits = modest(entry);
        let mut reused = fresh(entry);
        let mut taken = 0;
        for case in cases() {
            let solve = |solver: &mut dyn Solver| {
                solve_checked(entry, solver, &case.puzzle, case.truth, &limits, &case.name)
            };
            let (first, first_stats) = solve(&mut *reused);
            let (second, second_stats) = solve(&mut *fresh(entry));
            assert_eq!(first, second, "{} on '{}'", entry.name, case.name);
            assert_eq!(
                counts(&first_stats),
                counts(&second_stats),
                "{} on '{}'",
                entry.name,
                case.name
            );
            taken += u32::from(first.solution().is_some() || first == Outcome::Unsolvable);
        }
        assert!(taken >= 15, "{} solves only {taken} cases", entry.name);
    }
}

#[test]
fn a_reused_solver_does_not_grow() {
    let puzzles = corpus("official/random.jsonl");
    let puzzles: Vec<&Puzzle> = puzzles
        .iter()
        .filter(|puzzle| matches!(puzzle.known_optimal(), Some(4..=6)))
        .take(12)
        .collect();
    for entry in entries() {
        let mut reused = fresh(entry);
        let mut round = || {
            let peaks = puzzles.iter().map(|puzzle| {
                let (_, stats) = reused.solve(puzzle, &modest(entry), &mut NullObserver);
                stats.peak_bytes
            });
            peaks.max()
        };
        let _warm_up = round();
        let second = round();
        assert_eq!(second, round(), "{} grows", entry.name);
    }
}

#[test]
fn symmetries_and_names_of_helpers_do_not_matter() {
    for entry in entries() {
        let mut solver = fresh(entry);
        let limits = modest(entry);
        for case in cases().iter().step_by(2) {
            let mut variants: Vec<Puzzle> = Symmetry::ALL
                .iter()
                .map(|&symmetry| case.puzzle.transformed(symmetry))
                .collect();
            variants.extend(with_helpers_exchanged(&case.puzzle));
            let mut lengths = Vec::new();
            for variant in variants {
                let (outcome, _) = solve_checked(
                    entry,
                    &mut *solver,
                    &variant,
                    case.truth,
                    &limits,
                    &case.name,
                );
                lengths.push((
                    outcome.name(),
                    outcome.solution().map(ricochet_core::Solution::len),
                ));
            }
            // What a heuristic finds may depend on the order of moves; the truth does not, nor does
            // what the graph solvers find, which are optimal under an assumption of their own.
            if entry.guarantee == Guarantee::Optimal || entry.name.starts_with("graph-v") {
                let all_equal = lengths.iter().all(|length| *length == lengths[0]);
                assert!(all_equal, "{} on '{}': {lengths:?}", entry.name, case.name);
            }
        }
    }
}

/// The puzzle with the first two interchangeable robots in each other's place.
fn with_helpers_exchanged(puzzle: &Puzzle) -> Option<Puzzle> {
    let [first, second, ..] = puzzle.interchangeable()[..] else {
        return None;
    };
    let start = puzzle.start();
    let exchanged = start.with(first, start[second]).with(second, start[first]);
    puzzle.with_position(exchanged.cells(), puzzle.goal()).ok()
}

/// The slides' puzzle: no solver gets through it by chance.
fn hard() -> Puzzle {
    corpus("records/records.jsonl").remove(0)
}

#[test]
fn a_limit_on_moves_is_honoured_and_proves_its_bound() {
    for entry in entries() {
        let mut solver = fresh(entry);
        for case in cases() {
            let Truth::Optimum(optimum @ 1..) = case.truth else {
                continue;
            };
            let mut with_moves = |moves| {
                let limits = Limits {
                    moves: Some(moves),
                    ..modest(entry)
                };
                solve_checked(
                    entry,
                    &mut *solver,
                    &case.puzzle,
                    case.truth,
                    &limits,
                    &case.name,
                )
                .0
            };
            let (short, enough) = (with_moves(optimum - 1), with_moves(optimum));
            let context = format!("{} on '{}': {short:?}", entry.name, case.name);
            assert!(short.solution().is_none(), "{context}");
            let unsupported = matches!(
                enough,
                Outcome::Failed {
                    failure: Failure::Unsupported(_),
                    ..
                }
            );
            if entry.guarantee == Guarantee::Optimal && !unsupported {
                let expected = Outcome::LimitReached {
                    limit: Limit::Moves,
                    lower_bound: optimum,
                };
                assert_eq!(short, expected, "{context}");
                assert!(enough.solution().is_some(), "{} {enough:?}", entry.name);
            }
        }
    }
}

/// A solver with parameters with which it cannot finish the slides' puzzle in a test's time: it has
/// thousands of millions of nodes to look at, and the length of the solution is out of its reach.
/// `None` for those that always end quickly.
fn endless(info: &SolverInfo) -> Option<Box<dyn Solver>> {
    match info.name {
        // One has a node for each field, one works per field, one declines large boards, and two know
        // beforehand which setups can matter and may run out of them. One answers with the best
        // solution that it has found by then.
        "single-color" | "stateless" | "tablebase" | "setup-position" | "setup-crossblock"
        | "subgoals" => None,
        name if name.starts_with("setup-") => Some(solver(name, &[("setup-depth", "11")])),
        name => Some(solver(name, &[])),
    }
}

/// The limit that ended a search.
fn limit_of(outcome: &Outcome) -> Option<Limit> {
    outcome.limit_reached().map(|stopped| stopped.limit)
}

#[test]
fn a_limit_on_nodes_is_honoured() {
    let puzzle = hard();
    for entry in entries() {
        for nodes in [0, 1, 1_000, 20_000] {
            let limits = Limits {
                nodes: Some(nodes),
                ..Limits::default()
            };
            let (outcome, stats) = solve_checked(
                entry,
                &mut *fresh(entry),
                &puzzle,
                Truth::Optimum(22),
                &limits,
                "slides-22",
            );
            // Some look at their limit once a batch.
            let context = format!("{} after {} nodes: {outcome:?}", entry.name, stats.nodes);
            assert!(stats.nodes <= nodes + 4096, "{context}");
            // A search with a depth of setups of its own may end before this limit.
            if endless(entry).is_some() && !entry.name.starts_with("setup-") {
                assert_eq!(limit_of(&outcome), Some(Limit::Nodes), "{context}");
            }
        }
    }
}

/// What a solver may need to look at a board at all, however little it is allowed.
const BOARD_TABLES: u64 = 1 << 20;

#[test]
fn a_limit_on_memory_is_honoured() {
    let puzzle = hard();
    for entry in entries() {
        for kilobytes in [1, 2_000, 20_000] {
            let limits = Limits {
                memory: Some(kilobytes * 1024),
                // Solvers that hold next to nothing need another end.
                nodes: Some(300_000),
                ..Limits::default()
            };
            let (outcome, stats) = solve_checked(
                entry,
                &mut *fresh(entry),
                &puzzle,
                Truth::Optimum(22),
                &limits,
                "slides-22",
            );
            let context = format!("{} with {kilobytes} KiB: {outcome:?}", entry.name);
            // Some look at the limit once a batch: 15% is what the whole process may be over.
            let allowed = (kilobytes * 1024 * 115 / 100).max(BOARD_TABLES);
            assert!(
                stats.peak_bytes <= allowed,
                "{context}, {} bytes",
                stats.peak_bytes
            );
        }
    }
}

#[test]
fn a_limit_on_time_is_honoured() {
    let puzzle = hard();
    for entry in entries() {
        let supported = fresh(entry).supports(&puzzle).is_ok();
        for milliseconds in [0, 30] {
            let limits = Limits {
                time: Some(Duration::from_millis(milliseconds)),
                ..Limits::default()
            };
            let endless = endless(entry);
            let must_stop = supported && (milliseconds == 0 || endless.is_some());
            let mut solver = endless.unwrap_or_else(|| fresh(entry));
            let truth = Truth::Optimum(22);
            let (outcome, _) =
                solve_checked(entry, &mut *solver, &puzzle, truth, &limits, "slides-22");
            if must_stop {
                let context = format!("{} after {milliseconds} ms: {outcome:?}", entry.name);
                assert_eq!(limit_of(&outcome), Some(Limit::Time), "{context}");
            }
        }
    }
}

/// A limit of 100 ms is answered within 150 ms, on a machine that has nothing else to do. Run with
/// `cargo test --release -p ricochet-solve --test it conformance:: -- --ignored --nocapture`.
#[test]
#[ignore = "depends on the speed and load of the machine"]
fn a_limit_of_100_milliseconds_returns_within_150() {
    let largest = Recipe {
        robots: 8,
        goal_robot: GoalRobot::OneRobot,
        ..Recipe::random(RandomBoard::new(32, 32))
    };
    let puzzles = [hard(), largest.puzzle(1, 0).unwrap()];
    let mut late = Vec::new();
    for entry in entries() {
        for puzzle in &puzzles {
            let limits = Limits {
                time: Some(Duration::from_millis(100)),
                ..Limits::default()
            };
            let mut solver = fresh(entry);
            let started = Instant::now();
            let (outcome, _) = solver.solve(puzzle, &limits, &mut NullObserver);
            let elapsed = started.elapsed();
            let size = puzzle.board().cell_count();
            let line = format!(
                "{} on {size} cells: {elapsed:.1?}, {}",
                entry.name,
                outcome.name()
            );
            println!("{line}");
            if elapsed > Duration::from_millis(150) {
                late.push(line);
            }
        }
    }
    assert!(late.is_empty(), "late: {late:#?}");
}

#[test]
fn a_solver_that_is_cancelled_before_it_begins_says_so() {
    let puzzle = hard();
    for entry in entries() {
        let mut solver = fresh(entry);
        if solver.supports(&puzzle).is_err() {
            continue;
        }
        let token = CancelToken::default();
        token.cancel();
        let limits = Limits {
            cancel: Some(token),
            ..Limits::default()
        };
        let truth = Truth::Optimum(22);
        let (outcome, _) = solve_checked(entry, &mut *solver, &puzzle, truth, &limits, "slides-22");
        let context = format!("{}: {outcome:?}", entry.name);
        assert_eq!(limit_of(&outcome), Some(Limit::Cancelled), "{context}");
    }
}

#[test]
fn cancelling_stops_a_running_solver() {
    let puzzle = hard();
    for entry in entries() {
        let Some(mut solver) = endless(entry) else {
            continue;
        };
        let token = CancelToken::default();
        let limits = Limits {
            cancel: Some(token.clone()),
            ..Limits::default()
        };
        let truth = Truth::Optimum(22);
        let outcome = thread::scope(|scope| {
            let (puzzle, limits) = (&puzzle, &limits);
            let running = scope.spawn(move || {
                solve_checked(entry, &mut *solver, puzzle, truth, limits, "slides-22").0
            });
            thread::sleep(Duration::from_millis(20));
            token.cancel();
            running.join().expect("no panic")
        });
        // It cannot have been done, whenever the switch was turned.
        let context = format!("{}: {outcome:?}", entry.name);
        assert_eq!(limit_of(&outcome), Some(Limit::Cancelled), "{context}");
    }
}

#[test]
fn every_entry_says_what_it_is() {
    for (place, entry) in SOLVERS.iter().enumerate() {
        let solver = fresh(entry);
        assert_eq!(solver.name(), entry.name);
        assert_eq!(solver.guarantee(), entry.guarantee);
        assert!(!entry.source.is_empty() && !entry.summary.is_empty());
        assert!(
            SOLVERS[..place]
                .iter()
                .all(|other| other.name != entry.name)
        );
        for parameter in entry.parameters {
            // The default that is documented is one that can be given.
            solver_with(entry, parameter.key, parameter.default);
        }
    }
}

fn solver_with(entry: &SolverInfo, key: &str, value: &str) {
    let with_default = solver(entry.name, &[(key, value)]);
    assert_eq!(with_default.name(), entry.name);
}
