//! The rule `must_ricochet` against a search that reads it as a player does: a robot turns when two
//! consecutive moves of its own are at a right angle, and may not stop on the target before.

use std::collections::HashSet;

use ricochet_core::generate::{RandomBoard, Recipe};
use ricochet_core::{Board, Cell, Direction, Goal, Puzzle, Robot, Rules};
use ricochet_solve::distances::{CellDistance, RobotSelection, distances};
use ricochet_solve::{Limits, NullObserver, Outcome};

use crate::common::{length, solve, solver};

const MUST_RICOCHET: Rules = Rules {
    must_ricochet: true,
};

/// Where the robots are, the direction of each one's last move, and whether it has turned.
type Node = (Vec<Cell>, Vec<Option<Direction>>, Vec<bool>);

/// Where a robot stops, step by step.
fn stop(board: &Board, robots: &[Cell], robot: usize, direction: Direction) -> Cell {
    let mut at = robots[robot];
    while !board.has_wall(at, direction) {
        let next = at.step(direction).expect("the rim has walls");
        if robots.contains(&next) {
            break;
        }
        at = next;
    }
    at
}

/// The length of a shortest solution on a board without diagonals; `None` if there is none.
fn optimum(puzzle: &Puzzle) -> Option<u32> {
    let goal = puzzle.goal();
    let robots = puzzle.start().cells().to_vec();
    let count = robots.len();
    let start: Node = (robots, vec![None; count], vec![false; count]);
    let mut seen = HashSet::from([start.clone()]);
    let mut layer = vec![start];
    for moves in 1.. {
        let mut next_layer = Vec::new();
        for (robots, last, turned) in &layer {
            for robot in 0..count {
                let may_arrive = goal.robot.is_none_or(|active| active.index() == robot);
                for direction in Direction::ALL {
                    let end = stop(puzzle.board(), robots, robot, direction);
                    if end == robots[robot] {
                        continue;
                    }
                    let turns = last[robot]
                        .is_some_and(|last| last != direction && last != direction.opposite());
                    let turns = turned[robot] || turns;
                    if may_arrive && end == goal.cell {
                        if turns {
                            return Some(moves);
                        }
                        continue;
                    }
                    let mut next = (robots.clone(), last.clone(), turned.clone());
                    next.0[robot] = end;
                    // What helpers have done does not matter.
                    if may_arrive {
                        next.1[robot] = Some(direction).filter(|_| !turns);
                        next.2[robot] = turns;
                    }
                    if seen.insert(next.clone()) {
                        next_layer.push(next);
                    }
                }
            }
        }
        if next_layer.is_empty() {
            return None;
        }
        layer = next_layer;
    }
    unreachable!("a finite space is exhausted")
}

/// Whether a robot that may arrive can slide to the target at once.
fn is_direct(puzzle: &Puzzle) -> bool {
    let goal = puzzle.goal();
    let start = puzzle.start();
    let robots = start.cells();
    (0..robots.len())
        .filter(|&robot| goal.robot.is_none_or(|active| active.index() == robot))
        .flat_map(|robot| Direction::ALL.map(|direction| (robot, direction)))
        .any(|(robot, direction)| stop(puzzle.board(), robots, robot, direction) == goal.cell)
}

/// Positions on small boards. In two of three, a robot could slide to the target or starts there.
fn positions(count: usize) -> Vec<Puzzle> {
    let mut positions = Vec::new();
    for number in 0.. {
        let mut recipe = Recipe::random(RandomBoard::new(5, 5));
        recipe.robots = 2 + (number % 5 == 0) as usize;
        let Ok(puzzle) = recipe.puzzle(36, number) else {
            continue;
        };
        let robots = puzzle.start().cells().to_vec();
        let active = (number % 4 != 0).then_some(Robot::RED);
        let direction = Direction::from_index(number as usize);
        let cell = match number % 3 {
            0 => puzzle.goal().cell,
            1 => stop(puzzle.board(), &robots, 0, direction),
            _ if number % 9 == 2 => robots[0],
            _ => stop(puzzle.board(), &robots, 0, direction.opposite()),
        };
        let goal = Goal {
            robot: active,
            cell,
        };
        let puzzle = puzzle.with_position(&robots, goal).expect("as valid");
        positions.push(puzzle.with_rules(MUST_RICOCHET));
        if positions.len() == count {
            break;
        }
    }
    positions
}

#[test]
fn a_thousand_positions_have_the_length_that_a_player_finds() {
    let mut exact: Vec<_> = ["flagship", "naive", "iddfs"]
        .map(|name| solver(name, &[]))
        .into();
    let mut others: Vec<_> = [
        "stateless",
        "single-color",
        "setup-position",
        "setup-dfs",
        "dfs",
    ]
    .map(|name| solver(name, &[]))
    .into();
    let (mut direct, mut solved) = (0, 0);
    for (number, puzzle) in positions(1000).iter().enumerate() {
        let expected = optimum(puzzle);
        let text = ricochet_core::notation::to_line(puzzle);
        for solver in &mut exact {
            match (solve(solver.as_mut(), puzzle).0, expected) {
                (Outcome::Unsolvable, None) => {}
                (outcome, Some(moves)) if outcome.solution().is_some() => {
                    assert_eq!(length(&outcome), moves, "{}: {text}", solver.name());
                }
                (outcome, _) => panic!("{}: {outcome:?}, not {expected:?}: {text}", solver.name()),
            }
        }
        let Some(expected) = expected else {
            continue;
        };
        solved += 1;
        direct += usize::from(is_direct(puzzle));
        if number % 20 == 0 {
            for solver in &mut others {
                let limits = Limits {
                    nodes: Some(20_000),
                    ..Limits::default()
                };
                let (outcome, _) = solver.solve(puzzle, &limits, &mut NullObserver);
                if let Some(solution) = outcome.solution() {
                    solution.replay(puzzle).expect("a solution");
                    assert!(solution.len() as u32 >= expected);
                }
            }
        }
    }
    assert!(solved > 700 && direct > 400, "{solved} {direct}");
}

#[test]
fn distances_are_those_of_one_puzzle_per_cell() {
    for puzzle in positions(40) {
        let active = puzzle.goal().robot.unwrap_or(Robot::RED);
        let found = distances(&puzzle, RobotSelection::Robot(active), &Limits::default());
        for cell in puzzle
            .board()
            .cells()
            .filter(|&it| !puzzle.board().is_closed(it))
        {
            let goal = Goal {
                robot: Some(active),
                cell,
            };
            let to = puzzle.with_position(puzzle.start().cells(), goal).unwrap();
            let expected = optimum(&to).map_or(CellDistance::Unreachable, CellDistance::Moves);
            assert_eq!(found.robots[0].get(cell), Some(expected), "{cell}: {to:?}");
        }
    }
}
