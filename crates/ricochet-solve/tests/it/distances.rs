//! Distances in one pass against solving for each cell.

use ricochet_core::generate::{RandomBoard, Recipe};
use ricochet_core::{Cell, Goal, Puzzle, Robot};
use ricochet_solve::distances::{CellDistance, RobotSelection, distances};
use ricochet_solve::{Limit, LimitReached, Limits, NullObserver, Outcome, Solver};

/// Compares the distances of open cells with those of the flagship.
fn compare(
    solver: &mut dyn Solver,
    puzzle: &Puzzle,
    who: RobotSelection,
    most: Option<u32>,
) -> usize {
    let limits = Limits {
        moves: most,
        ..Limits::default()
    };
    let found = distances(puzzle, who, &limits);
    let mut numbers = 0;
    for robot in &found.robots {
        for cell in puzzle.board().cells() {
            let distance = robot.get(cell).expect("on the board");
            if puzzle.board().is_closed(cell) {
                assert_eq!(distance, CellDistance::Unreachable);
                continue;
            }
            let goal = Goal {
                robot: Some(robot.robot),
                cell,
            };
            let to = puzzle.with_position(puzzle.start().cells(), goal).unwrap();
            let (outcome, _) = solver.solve(&to, &limits, &mut NullObserver);
            match (&outcome, distance) {
                (Outcome::Solved { solution, .. }, CellDistance::Moves(moves)) => {
                    assert_eq!(moves, solution.len() as u32, "{cell} {puzzle:?}");
                    numbers += 1;
                }
                (Outcome::Unsolvable | Outcome::LimitReached { .. }, CellDistance::Unreachable) => {
                }
                // The pass may end before it has a proof, and so may the solver.
                (
                    Outcome::LimitReached {
                        limit: Limit::Moves,
                        ..
                    }
                    | Outcome::Unsolvable,
                    CellDistance::MoreThan(moves),
                ) => assert_eq!(Some(moves), most, "{cell} {puzzle:?}"),
                _ => panic!("{cell}: {distance:?}, but {outcome:?}; {puzzle:?}"),
            }
        }
    }
    numbers
}

#[test]
fn agrees_with_the_flagship_on_small_boards_of_every_kind() {
    let mut solver = crate::common::solver("flagship", &[]);
    let mut numbers = 0;
    for puzzle in crate::common::small_puzzles(3, 40, 3) {
        numbers += compare(solver.as_mut(), &puzzle, RobotSelection::All, None);
    }
    assert!(numbers > 1500, "only {numbers} distances were compared");
}

#[test]
fn agrees_with_the_flagship_on_official_boards() {
    let mut solver = crate::common::solver("flagship", &[]);
    let mut numbers = 0;
    for puzzle in crate::common::corpus("official/random.jsonl")
        .iter()
        .take(4)
    {
        numbers += compare(solver.as_mut(), puzzle, RobotSelection::Active, Some(6));
    }
    assert!(numbers > 120, "only {numbers} distances were compared");
}

/// More than 256 cells and more than 64 bits.
#[test]
fn agrees_with_the_flagship_on_a_large_board() {
    let mut recipe = Recipe::random(RandomBoard::new(32, 20));
    recipe.robots = 8;
    let puzzle = recipe.puzzle(5, 0).unwrap();
    let mut solver = crate::common::solver("flagship", &[]);
    let robot = RobotSelection::Robot(Robot::CYAN);
    assert!(compare(solver.as_mut(), &puzzle, robot, Some(3)) > 10);
}

#[test]
fn any_robot_means_every_robot() {
    let puzzle =
        crate::common::on_empty_board(&[Cell::new(0, 0), Cell::new(5, 2)], None, Cell::new(4, 4));
    let found = distances(&puzzle, RobotSelection::Active, &Limits::default());
    assert_eq!(found.robots.len(), 2);
    assert_eq!(
        found,
        distances(&puzzle, RobotSelection::All, &Limits::default())
    );
    let red = distances(
        &puzzle,
        RobotSelection::Robot(Robot::RED),
        &Limits::default(),
    );
    assert_eq!(red.robots[..], found.robots[..1]);
    let nobody = distances(
        &puzzle,
        RobotSelection::Robot(Robot::CYAN),
        &Limits::default(),
    );
    assert!(nobody.robots.is_empty());
}

#[test]
fn limits_are_kept_and_what_was_found_is_exact() {
    let puzzles = crate::common::corpus("official/random.jsonl");
    let puzzle = &puzzles[0];
    let limited = |limits| {
        distances(puzzle, RobotSelection::Active, &limits)
            .robots
            .remove(0)
    };
    let exact = limited(Limits {
        moves: Some(5),
        ..Limits::default()
    });
    assert_eq!(
        exact.stopped,
        Some(LimitReached {
            limit: Limit::Moves,
            lower_bound: 6
        })
    );
    for (limit, limits) in crate::common::one_limit_each(300, 150_000) {
        let found = limited(limits);
        assert_eq!(found.stopped.map(|stopped| stopped.limit), Some(limit));
        assert!(!found.is_complete());
        for (some, all) in found.cells().iter().zip(exact.cells()) {
            match (some, all) {
                (CellDistance::MoreThan(at_least), CellDistance::Moves(moves)) => {
                    assert!(moves > at_least);
                }
                (CellDistance::MoreThan(_), CellDistance::MoreThan(_)) => {}
                _ => assert_eq!(some, all),
            }
        }
    }
}
