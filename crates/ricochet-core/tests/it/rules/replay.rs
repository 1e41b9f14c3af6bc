//! Replay: it agrees with the fast tables, and says what is wrong with what is wrong.

use ricochet_core::rng::Rng;
use ricochet_core::{
    Board, Cell, Direction, Goal, Lean, Move, Obstacle, Puzzle, ReplayError, Robot, Rules,
    Solution, Trace,
};

use super::random_puzzle;

fn puzzle(board: Board, robots: &[(u8, u8)], robot: Option<Robot>, target: (u8, u8)) -> Puzzle {
    let robots: Vec<Cell> = robots.iter().map(|&(x, y)| Cell::new(x, y)).collect();
    let cell = Cell::new(target.0, target.1);
    Puzzle::new(board, &robots, Goal { robot, cell }).unwrap()
}

fn empty(side: usize) -> Board {
    Board::builder(side, side).build().unwrap()
}

fn solution(text: &str) -> Solution {
    text.parse().unwrap()
}

const MUST_RICOCHET: Rules = Rules {
    must_ricochet: true,
};

#[test]
fn random_walks_replay_as_the_tables_say() {
    for number in 0..400 {
        let puzzle = random_puzzle(number);
        let mut rng = Rng::new(number);
        let mut states = vec![puzzle.start()];
        let mut moves = Vec::new();
        for _ in 0..60 {
            let state = *states.last().unwrap();
            let robot = Robot::ALL[rng.below(state.len())];
            let direction = Direction::from_index(rng.below(4));
            let play = Move { robot, direction };
            if let Some(next) = puzzle.apply(state, robot, direction) {
                states.push(next);
                moves.push(play);
            } else {
                // Replay must refuse exactly what the tables refuse.
                let refused = Trace::play(&puzzle, &[moves.as_slice(), &[play]].concat());
                match refused {
                    Err(ReplayError::NoMovement {
                        number,
                        play: p,
                        at,
                        ..
                    }) => {
                        assert_eq!((number, p, at), (moves.len(), play, state[robot]));
                    }
                    other => panic!("{other:?}"),
                }
            }
        }
        let trace = Trace::play(&puzzle, &moves).unwrap();
        assert_eq!(trace.steps.len(), moves.len());
        for (step, pair) in trace.steps.iter().zip(states.windows(2)) {
            let robot = step.play.robot;
            assert_eq!((step.from, step.to), (pair[0][robot], pair[1][robot]));
            assert_eq!(step.state, pair[1]);
            assert_eq!(step.path.last().unwrap().0, step.to);
        }
        assert_eq!(trace.end(), *states.last().unwrap());
        assert_eq!(trace.solved, puzzle.is_on_target(trace.end()));
        let result = Solution::new(moves).replay(&puzzle);
        match result {
            Ok(again) => assert!(trace.solved && again == trace),
            Err(ReplayError::NotSolved { trace: again }) => {
                assert!(!trace.solved && *again == trace);
            }
            Err(other) => panic!("{other}"),
        }
    }
}

/// Independent of [`Trace`]: what a robot has travelled, from the steps of single moves.
#[test]
fn must_ricochet_asks_for_both_axes_of_the_robot_that_arrives() {
    for number in 0..400 {
        let puzzle = random_puzzle(number).with_rules(MUST_RICOCHET);
        let mut rng = Rng::new(number);
        let mut state = puzzle.start();
        let mut moves = Vec::new();
        let mut axes = [0u8; 8];
        let mut too_early = false;
        for _ in 0..30 {
            let robot = Robot::ALL[rng.below(state.len())];
            let direction = Direction::from_index(rng.below(4));
            let slide =
                puzzle
                    .board()
                    .slide_with_axes(robot, state[robot], direction, state.cells());
            if slide.end != state[robot] {
                state = state.with(robot, slide.end);
                axes[robot.index()] |= slide.axes;
                moves.push(Move { robot, direction });
                let goal = puzzle.goal();
                let may_arrive = goal.robot.is_none_or(|active| active == robot);
                too_early |= may_arrive && slide.end == goal.cell && axes[robot.index()] != 3;
                let arrived = state.iter().any(|(robot, cell)| {
                    cell == goal.cell
                        && goal.robot.is_none_or(|active| active == robot)
                        && axes[robot.index()] == 3
                });
                let trace = Trace::play(&puzzle, &moves).unwrap();
                assert_eq!(trace.solved, arrived && !too_early);
                assert_eq!(trace.straight_arrival.is_some(), too_early);
            }
        }
    }
}

#[test]
fn the_printed_rule_in_small() {
    let red = Some(Robot::RED);
    // Straight into the target: fine for the published solvers, not for the printed rules.
    let straight = puzzle(empty(5), &[(0, 0)], red, (4, 0));
    assert!(solution("RE").replay(&straight).is_ok());
    let straight = straight.with_rules(MUST_RICOCHET);
    assert!(solution("RE").replay(&straight).is_err());
    assert!(
        solution("RE RW RE").replay(&straight).is_err(),
        "there and back is no turn"
    );
    assert!(solution("RS RE RN").replay(&straight).is_ok());
    // To stop on the target, to leave it at a right angle and to come back is no other route.
    let error = solution("RE RS RN").replay(&straight).unwrap_err();
    assert_eq!(
        error.to_string(),
        "move 1 (RE): the red robot stops on the target before it has turned; with must_ricochet \
         it has to take another route"
    );
    // A robot that starts there may leave and come back.
    let there = puzzle(empty(5), &[(0, 0)], red, (0, 0)).with_rules(MUST_RICOCHET);
    assert!(solution("RE RS RW RN").replay(&there).is_ok());
    assert!(solution("RE RW RS RE RN RW").replay(&there).is_err());
    // A diagonal turns it.
    let board = Board::builder(5, 5)
        .diagonal(Cell::new(4, 0), Lean::Backslash, Robot::GREEN)
        .build()
        .unwrap();
    let turned = puzzle(board, &[(0, 0)], red, (4, 4)).with_rules(MUST_RICOCHET);
    assert!(solution("RE").replay(&turned).is_ok());
    // Any robot may arrive, but it has to be one that turned itself.
    let any = puzzle(empty(5), &[(0, 0), (1, 4)], None, (4, 0)).with_rules(MUST_RICOCHET);
    assert!(solution("GE GW RE").replay(&any).is_err());
    assert!(solution("GE GN").replay(&any).is_ok());
    // Whichever robot stops there too early, the round is lost.
    assert!(solution("RE RW GE GN").replay(&any).is_err());
}

#[test]
fn nothing_to_do_is_an_empty_solution() {
    let there = puzzle(empty(4), &[(1, 1), (3, 3)], None, (3, 3));
    assert!(there.is_solved(there.start()));
    assert!(solution("").replay(&there).is_ok());
    let there = there.with_rules(MUST_RICOCHET);
    assert!(!there.is_solved(there.start()) && there.is_on_target(there.start()));
    assert!(solution("").replay(&there).is_err());
}

#[test]
fn errors_say_which_move_and_why() {
    let board = Board::builder(5, 5)
        .wall(Cell::new(2, 4), Direction::East)
        .diagonal(Cell::new(1, 1), Lean::Slash, Robot::BLUE)
        .diagonal(Cell::new(2, 1), Lean::Backslash, Robot::BLUE)
        .diagonal(Cell::new(1, 2), Lean::Backslash, Robot::BLUE)
        .diagonal(Cell::new(2, 2), Lean::Slash, Robot::BLUE)
        .build()
        .unwrap();
    let puzzle = puzzle(board, &[(0, 4), (1, 1)], Some(Robot::RED), (4, 4));
    let cases = [
        (
            "RE RE",
            "move 2 (RE): the red robot at (2,4) cannot go east: a wall is in the way",
        ),
        ("YN", "move 1 (YN): there is no yellow robot"),
        (
            "GE",
            "move 1 (GE): the green robot at (1,1) cannot go east: the diagonals would never let it stop",
        ),
        (
            "GW GS GN RN GE",
            "all 5 moves can be played, but the goal is not reached",
        ),
    ];
    for (moves, expected) in cases {
        let error = solution(moves).replay(&puzzle).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
    let error = solution("GW GS").replay(&puzzle).unwrap_err();
    assert!(matches!(error, ReplayError::NotSolved { ref trace } if trace.steps.len() == 2));
    let error = solution("GW GS GS").replay(&puzzle).unwrap_err();
    let ReplayError::NoMovement { obstacle, .. } = error else {
        panic!("{error}");
    };
    assert_eq!(obstacle, Obstacle::Robot(Cell::new(0, 4)));
}

#[test]
fn moves_are_read_and_bad_ones_named() {
    assert_eq!(
        solution(" rn,GE\n\tbs ,, YW WN OE PS CW ").to_string(),
        "RN GE BS YW WN OE PS CW"
    );
    for bad in ["R", "RNE", "XN", "RX", "N", "RN GE ZZ", "R N", "\u{1F916}N"] {
        let error = bad.parse::<Solution>().unwrap_err().to_string();
        assert!(
            error.contains("is not a move: expected a robot (RGBYWOPC)"),
            "{error}"
        );
    }
    let long = "x".repeat(1_000_000);
    assert!(long.parse::<Solution>().unwrap_err().text.len() <= 40);
}

#[cfg(feature = "formats")]
#[test]
fn the_slides_solution_replays() {
    // Red and green have changed places in the reference's reading of the slides' picture.
    let file = include_str!("../../../../../corpus/records/records.jsonl");
    let puzzle = ricochet_core::formats::read(file)
        .unwrap()
        .remove(0)
        .validate()
        .unwrap();
    assert_eq!(puzzle.id(), Some("slides-22"));
    let moves = solution(
        "BS, BW, BN, BE, BS, BE, RN, RE, BS, GS, GW, GN, BE, BS, BW, YS, YW, YN, YW, YS, BE, BN",
    );
    assert_eq!(moves.len(), 22);
    let trace = moves.replay(&puzzle).unwrap();
    assert_eq!(trace.end()[Robot::BLUE], puzzle.goal().cell);
}
