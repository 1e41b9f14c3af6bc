//! The searches of the report *Project AI in Games*: its worked examples (3.7) on boards made for
//! them, what its definitions imply, and how the algorithms relate to each other.

use crate::common::{corpus, solver};
use ricochet_core::{Board, Cell, Direction, Goal, Lean, Move, Puzzle, Robot};
use ricochet_solve::heuristics::critical::{Critical, CrossBlocks, PositionScore};
use ricochet_solve::{Failure, Limit, Limits, NullObserver, Outcome};

const fn at(x: u8, y: u8) -> Cell {
    Cell::new(x, y)
}

fn solve(name: &str, options: &[(&str, &str)], puzzle: &Puzzle) -> Outcome {
    let (outcome, _) = solver(name, options).solve(puzzle, &Limits::default(), &mut NullObserver);
    if let Some(solution) = outcome.solution() {
        solution.replay(puzzle).expect("solutions are replayed");
    }
    outcome
}

fn length(outcome: &Outcome) -> Option<usize> {
    outcome.solution().map(ricochet_core::Solution::len)
}

/// The example of figure 5: red goes east along row 3 and crosses column 5, a critical path of
/// degree 1 that leads north to the target (5,0). A robot on (6,3) would stop it there, and green
/// needs four moves to get there: west, south, east (to the wall beside (6,7)), north (under (6,2)).
/// The wall under (5,3) keeps red from coming up column 5.
fn figure_5() -> Puzzle {
    let board = Board::builder(9, 8)
        .wall(at(6, 7), Direction::East)
        .wall(at(6, 3), Direction::North)
        .wall(at(5, 3), Direction::South)
        .build()
        .unwrap();
    let goal = Goal {
        robot: Some(Robot::RED),
        cell: at(5, 0),
    };
    Puzzle::new(board, &[at(0, 3), at(8, 5)], goal).unwrap()
}

#[test]
fn the_worked_example_has_position_score_one_quarter_and_cross_block_score_6() {
    let puzzle = figure_5();
    let critical = Critical::new(puzzle.board(), Robot::RED, at(5, 0), 3);
    assert_eq!(critical.degree(at(5, 3)), Some(1));
    assert_eq!(critical.position_degree(at(6, 3)), Some(1));
    let setup = [
        Direction::West,
        Direction::South,
        Direction::East,
        Direction::North,
    ];
    let end = setup.into_iter().fold(puzzle.start(), |state, direction| {
        puzzle
            .apply(state, Robot::GREEN, direction)
            .expect("each move of the setup can be made")
    });
    assert_eq!(end[Robot::GREEN], at(6, 3));
    let others = || [end[Robot::GREEN]].into_iter();
    let score = PositionScore::of(&critical, others(), 4);
    assert_eq!(score.to_string(), "1/4");
    let blocks = CrossBlocks::new(&puzzle, Robot::RED, &critical, 10);
    let block = blocks.at(at(6, 3)).expect("red crosses column 5");
    assert_eq!((block.stop, block.degree, block.moves), (at(5, 3), 1, 1));
    assert_eq!(blocks.score(others(), 4), Some(6));
}

#[test]
fn the_worked_example_is_solved_in_6_moves_by_its_setup() {
    let puzzle = figure_5();
    for name in ["setup-bfs", "setup-position", "setup-crossblock"] {
        let outcome = solve(name, &[], &puzzle);
        assert_eq!(length(&outcome), Some(6), "{name}: {outcome:?}");
    }
    // One move less and the setup is out of reach.
    for name in [
        "setup-bfs",
        "setup-dfs",
        "setup-position",
        "setup-crossblock",
    ] {
        let outcome = solve(name, &[("setup-depth", "3")], &puzzle);
        let expected = Failure::SearchSpaceExhausted;
        assert!(
            matches!(&outcome, Outcome::Failed { failure, .. } if *failure == expected),
            "{name}: {outcome:?}"
        );
    }
}

/// The example of figure 6: a setup that only makes way has a positive position score by chance,
/// and no cross block score. Red cannot leave row 0, and green is on its way to the target (5,0). If
/// green goes south, it stands beside column 4, which leads to row 0: a critical path of degree 2.
#[test]
fn a_setup_that_only_makes_way_has_no_cross_block_score() {
    let board = (0..4)
        .chain([5])
        .fold(Board::builder(6, 6), |builder, x| {
            builder.wall(at(x, 0), Direction::South)
        })
        .build()
        .unwrap();
    let goal = Goal {
        robot: Some(Robot::RED),
        cell: at(5, 0),
    };
    let puzzle = Puzzle::new(board, &[at(0, 0), at(4, 0)], goal).unwrap();
    let critical = Critical::new(puzzle.board(), Robot::RED, at(5, 0), 3);
    let blocks = CrossBlocks::new(&puzzle, Robot::RED, &critical, 10);
    let after = || [at(4, 5)].into_iter();
    let score = PositionScore::of(&critical, after(), 1);
    assert_eq!(score.to_string(), "1/2");
    assert_eq!(blocks.score(after(), 1), None);
    assert_eq!(length(&solve("setup-position", &[], &puzzle)), Some(2));
    let outcome = solve("setup-crossblock", &[], &puzzle);
    assert!(matches!(outcome, Outcome::Failed { .. }), "{outcome:?}");
}

fn official(optimum: std::ops::RangeInclusive<u32>, count: usize) -> Vec<Puzzle> {
    let known = move |puzzle: &Puzzle| puzzle.known_optimal().is_some_and(|n| optimum.contains(&n));
    let puzzles = corpus("official/random.jsonl").into_iter();
    puzzles.filter(known).take(count).collect()
}

#[test]
fn every_cross_block_position_is_a_critical_position() {
    for puzzle in official(1..=20, 60) {
        for robot in puzzle.start().robots() {
            for degree in [1, 3, 10] {
                let critical = Critical::new(puzzle.board(), robot, puzzle.goal().cell, degree);
                for block in CrossBlocks::new(&puzzle, robot, &critical, 10).iter() {
                    assert!(critical.position_degree(block.cell).is_some(), "{block:?}");
                    assert_eq!(critical.degree(block.stop), Some(block.degree));
                }
            }
        }
    }
}

#[test]
fn the_robot_alone_needs_as_many_moves_as_the_degree_says() {
    for puzzle in official(1..=20, 20) {
        let robot = puzzle.goal().robot.unwrap_or(Robot::RED);
        let goal = Goal {
            robot: Some(Robot::RED),
            cell: puzzle.goal().cell,
        };
        let critical = Critical::new(puzzle.board(), robot, goal.cell, 10);
        for cell in puzzle.board().cells().step_by(5) {
            if puzzle.board().is_closed(cell) || !puzzle.board().diagonals().is_empty() {
                continue;
            }
            let alone = puzzle.with_position(&[cell], goal).unwrap();
            let moves = length(&solve("single-color", &[], &alone)).map(|moves| moves as u32);
            assert_eq!(critical.degree(cell), moves, "{cell}");
        }
    }
}

#[test]
fn breadth_first_is_optimal_with_and_without_duplicates() {
    for puzzle in official(1..=4, 12) {
        let optimum = puzzle.known_optimal().unwrap();
        for duplicates in ["keep", "drop"] {
            let outcome = solve("bfs", &[("duplicates", duplicates)], &puzzle);
            assert_eq!(length(&outcome), Some(optimum as usize));
            assert!(matches!(outcome, Outcome::Solved { optimal: true, .. }));
        }
    }
}

#[test]
fn depth_first_looks_at_the_whole_tree_before_it_fails() {
    for puzzle in official(4..=6, 8) {
        let optimum = puzzle.known_optimal().unwrap();
        // No solution of three moves: everything is looked at, and that is a proof.
        match solve("dfs", &[("depth", "3")], &puzzle) {
            Outcome::Failed { lower_bound, .. } => assert_eq!(lower_bound, 4.max(lower_bound)),
            other => panic!("{other:?}"),
        }
        if optimum == 4 {
            assert_eq!(length(&solve("dfs", &[("depth", "4")], &puzzle)), Some(4));
        }
    }
}

/// Setups of the other robots first, then the active robot: what a search over both must find.
#[test]
fn setup_bfs_finds_the_shortest_solution_of_its_kind() {
    fn shortest(puzzle: &Puzzle, most: usize) -> Option<usize> {
        fn go(puzzle: &Puzzle, moves: &mut Vec<Move>, active_moved: bool, most: usize) -> bool {
            let trace = ricochet_core::Trace::play(puzzle, moves).expect("each move was checked");
            if trace.solved {
                return true;
            }
            if moves.len() == most {
                return false;
            }
            for robot in puzzle.start().robots() {
                let active = Some(robot) == puzzle.goal().robot;
                if active_moved && !active {
                    continue;
                }
                for direction in Direction::ALL {
                    if puzzle.apply(trace.end(), robot, direction).is_none() {
                        continue;
                    }
                    moves.push(Move { robot, direction });
                    if go(puzzle, moves, active_moved || active, most) {
                        return true;
                    }
                    moves.pop();
                }
            }
            false
        }
        (0..=most).find(|&depth| go(puzzle, &mut Vec::new(), false, depth))
    }
    for puzzle in official(2..=5, 20) {
        let Some(expected) = shortest(&puzzle, 5) else {
            continue;
        };
        assert_eq!(length(&solve("setup-bfs", &[], &puzzle)), Some(expected));
    }
}

#[test]
fn the_searches_of_the_report_never_beat_the_optimum() {
    let names = [
        "dfs",
        "single-color",
        "setup-bfs",
        "setup-dfs",
        "setup-position",
        "setup-crossblock",
    ];
    let limits = Limits {
        nodes: Some(20_000),
        ..Limits::default()
    };
    let mut solved = [0; 6];
    for puzzle in official(1..=8, 40) {
        let optimum = puzzle.known_optimal().unwrap() as usize;
        for (name, solved) in names.iter().zip(&mut solved) {
            let (outcome, _) = solver(name, &[]).solve(&puzzle, &limits, &mut NullObserver);
            if let Some(solution) = outcome.solution() {
                solution.replay(&puzzle).unwrap();
                assert!(solution.len() >= optimum, "{name}");
                *solved += 1;
            }
        }
    }
    // Each finds something, and setups help.
    assert!(solved.iter().all(|&solved| solved >= 5), "{solved:?}");
    assert!(solved[2] > solved[1], "{solved:?}");
}

#[test]
fn running_out_of_time_is_not_running_out_of_setups() {
    let puzzle = figure_5();
    let limits = Limits {
        time: Some(std::time::Duration::ZERO),
        ..Limits::default()
    };
    for name in [
        "bfs",
        "dfs",
        "setup-bfs",
        "setup-dfs",
        "setup-position",
        "setup-crossblock",
    ] {
        let (outcome, _) = solver(name, &[]).solve(&puzzle, &limits, &mut NullObserver);
        let out_of_time = matches!(
            outcome,
            Outcome::LimitReached {
                limit: Limit::Time,
                ..
            }
        );
        assert!(out_of_time, "{name}: {outcome:?}");
    }
}

/// Where a diagonal turns the robot, the opposite move goes another way and takes nothing back.
#[test]
fn the_opposite_move_is_tried_after_a_diagonal() {
    // Red goes east, is turned south by the diagonal on (3,1), and west stops beside green.
    let board = Board::builder(8, 8)
        .diagonal(at(3, 1), Lean::Backslash, Robot::GREEN)
        .build()
        .unwrap();
    let goal = Goal {
        robot: Some(Robot::RED),
        cell: at(2, 7),
    };
    let puzzle = Puzzle::new(board, &[at(0, 1), at(1, 7)], goal).unwrap();
    for name in ["single-color", "setup-bfs"] {
        let outcome = solve(name, &[], &puzzle);
        let solution = outcome.solution().expect("red arrives alone");
        assert_eq!(solution.to_string(), "RE RW", "{name}");
    }
    // Two moves of red and no setup: there is no other way for it to be found.
    let depths = [("color-depth", "2"), ("setup-depth", "0")];
    let outcome = solve("setup-dfs", &depths, &puzzle);
    assert_eq!(length(&outcome), Some(2));
}
