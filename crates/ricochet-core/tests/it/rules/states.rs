//! The order-free form of a state.

use ricochet_core::rng::Rng;
use ricochet_core::{Cell, Robot, State};

use super::random_puzzle;

#[test]
fn canonical_is_one_for_all_permutations_and_keeps_the_rest() {
    let mut rng = Rng::new(11);
    for _ in 0..5000 {
        let count = 1 + rng.below(8);
        // Cells may repeat here: canonical must not care.
        let cells: Vec<Cell> = (0..count)
            .map(|_| Cell::new(rng.below(32) as u8, rng.below(5) as u8))
            .collect();
        let robots: Vec<Robot> = Robot::ALL[..count].to_vec();
        let free: Vec<Robot> = (robots.iter().copied())
            .filter(|_| rng.chance(2, 3))
            .collect();
        let state = State::new(&cells).unwrap();
        let canonical = state.canonical(&free);
        assert_eq!(canonical.canonical(&free), canonical, "idempotent");
        assert!(free.windows(2).all(|w| canonical[w[0]] <= canonical[w[1]]));
        for robot in robots.iter().filter(|robot| !free.contains(robot)) {
            assert_eq!(canonical[*robot], state[*robot]);
        }
        let mut order: Vec<Cell> = free.iter().map(|&robot| state[robot]).collect();
        rng.shuffle(&mut order);
        let permuted =
            (free.iter().zip(&order)).fold(state, |state, (&robot, &cell)| state.with(robot, cell));
        assert_eq!(permuted.canonical(&free), canonical);
        let mut before: Vec<Cell> = state.cells().to_vec();
        let mut after: Vec<Cell> = canonical.cells().to_vec();
        before.sort();
        after.sort();
        assert_eq!(before, after, "no robot is lost");
    }
}

/// Swapping two interchangeable robots gives the same moves with the names swapped.
#[test]
fn interchangeable_robots_are() {
    let mut swaps = 0;
    for number in 0..300 {
        let puzzle = random_puzzle(number);
        let free = puzzle.interchangeable();
        assert!(
            puzzle
                .goal()
                .robot
                .is_none_or(|robot| !free.contains(&robot))
        );
        let [first, second, ..] = free[..] else {
            continue;
        };
        let swap = |state: State| {
            let (a, b) = (state[first], state[second]);
            state.with(first, b).with(second, a)
        };
        let start = puzzle.start();
        assert_eq!(swap(start).canonical(&free), start.canonical(&free));
        for direction in ricochet_core::Direction::ALL {
            for robot in start.robots() {
                let other = match robot {
                    _ if robot == first => second,
                    _ if robot == second => first,
                    _ => robot,
                };
                let next = puzzle.apply(start, robot, direction).map(swap);
                assert_eq!(puzzle.apply(swap(start), other, direction), next);
            }
        }
        swaps += 1;
    }
    assert!(swaps > 100);
}

#[test]
fn a_state_knows_its_robots() {
    let cells = [Cell::new(1, 1), Cell::new(2, 2), Cell::new(3, 3)];
    let state = State::new(&cells).unwrap();
    assert_eq!(state.len(), 3);
    assert_eq!(state.robot_at(Cell::new(2, 2)), Some(Robot::GREEN));
    assert_eq!(
        state.robot_at(Cell::new(0, 0)),
        None,
        "unused places are not at (0,0)"
    );
    assert!(State::new(&[Cell::new(0, 0); 9]).is_none());
    assert!(State::new(&[]).unwrap().is_empty());
}
