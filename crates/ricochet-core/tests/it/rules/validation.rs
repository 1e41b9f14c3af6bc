//! Validation names everything that is wrong, and nothing invalid becomes a puzzle.

use std::collections::BTreeSet;

use ricochet_core::rng::Rng;
use ricochet_core::{
    Board, Cell, Diagonal, Direction, Goal, Lean, Problem, Puzzle, Robot, Setup, Shape, Target,
    ValidationError,
};

use super::random_puzzle;

fn good() -> Setup {
    let mut setup = Setup::empty(6, 5);
    setup.robots = vec![Cell::new(0, 0), Cell::new(3, 3)];
    setup.active = Some(1);
    setup.target = Cell::new(5, 4);
    setup
}

fn close(setup: &mut Setup, cell: Cell) {
    let index = usize::from(cell.y) * setup.width + usize::from(cell.x);
    setup.walls[index] = 15;
    setup.repair_walls();
}

fn diagonal(x: u8, y: u8) -> Diagonal {
    Diagonal {
        cell: Cell::new(x, y),
        lean: Lean::Slash,
        color: Robot::RED,
    }
}

fn target(x: u8, y: u8) -> Target {
    Target {
        cell: Cell::new(x, y),
        robot: None,
        shape: Shape::Vortex,
    }
}

/// A way to spoil a setup, the problem that it makes, and its message.
type Slip = (Box<dyn Fn(&mut Setup)>, Problem, &'static str);

/// One way to spoil a good setup for each kind of problem, with the message that names it.
fn slips() -> Vec<Slip> {
    fn slip(spoil: impl Fn(&mut Setup) + 'static, problem: Problem, message: &'static str) -> Slip {
        (Box::new(spoil), problem, message)
    }
    let at = Cell::new;
    vec![
        slip(
            |setup| setup.walls[7] = 16,
            Problem::WallMask {
                cell: at(1, 1),
                mask: 16,
            },
            "the wall mask 16 of (1,1) is not within 0..=15",
        ),
        slip(
            |setup| setup.walls[15] |= 2,
            Problem::OneSidedWall {
                cell: at(3, 2),
                side: Direction::East,
            },
            "the wall on the east side of (3,2) is missing on its neighbour's side",
        ),
        slip(
            |setup| setup.walls[24] &= !8,
            Problem::OpenRim {
                cell: at(0, 4),
                side: Direction::West,
            },
            "the rim is open on the west side of (0,4)",
        ),
        slip(
            |setup| setup.diagonals.push(diagonal(6, 1)),
            Problem::DiagonalOffBoard { cell: at(6, 1) },
            "the diagonal at (6,1) is off the board",
        ),
        slip(
            |setup| {
                close(setup, Cell::new(2, 0));
                setup.diagonals.push(diagonal(2, 0));
            },
            Problem::DiagonalClosed { cell: at(2, 0) },
            "the diagonal at (2,0) is on a closed cell",
        ),
        slip(
            |setup| setup.diagonals.extend([diagonal(4, 1), diagonal(4, 1)]),
            Problem::TwoDiagonals { cell: at(4, 1) },
            "two diagonals at (4,1)",
        ),
        slip(
            |setup| setup.targets.push(target(0, 5)),
            Problem::TargetOffBoard { cell: at(0, 5) },
            "the printed target at (0,5) is off the board",
        ),
        slip(
            |setup| {
                close(setup, Cell::new(4, 3));
                setup.targets.push(target(4, 3));
            },
            Problem::TargetClosed { cell: at(4, 3) },
            "the printed target at (4,3) is on a closed cell",
        ),
        slip(
            |setup| setup.targets.extend([target(1, 4), target(1, 4)]),
            Problem::TwoTargets { cell: at(1, 4) },
            "two printed targets at (1,4)",
        ),
        slip(
            |setup| setup.robots[0] = Cell::new(255, 255),
            Problem::RobotOffBoard {
                robot: Robot::RED,
                cell: at(255, 255),
            },
            "the red robot at (255,255) is off the board",
        ),
        slip(
            |setup| {
                close(setup, Cell::new(5, 2));
                setup.robots.push(Cell::new(5, 2));
            },
            Problem::RobotClosed {
                robot: Robot::BLUE,
                cell: at(5, 2),
            },
            "the blue robot at (5,2) is on a closed cell",
        ),
        slip(
            |setup| setup.active = Some(7),
            Problem::NoSuchActiveRobot {
                active: 7,
                robots: 2,
            },
            "robot has to reach the target, but there are only",
        ),
        slip(
            |setup| setup.target = Cell::new(0, 77),
            Problem::GoalOffBoard { cell: at(0, 77) },
            "the target at (0,77) is off the board",
        ),
    ]
}

/// Slips that get in the way of others, so that they are tried alone.
fn lonely_slips() -> Vec<(Setup, Vec<Problem>, &'static str)> {
    let mut flat = good();
    flat.height = 1;
    let mut short = good();
    short.walls.pop();
    let mut none = good();
    none.robots.clear();
    none.active = None;
    let mut many = good();
    many.robots = (0..9).map(|i| Cell::new(i % 6, i / 6)).collect();
    let mut same = good();
    same.robots = vec![Cell::new(2, 2); 3];
    let collide = Problem::RobotsCollide {
        robots: vec![Robot::RED, Robot::GREEN, Robot::BLUE],
        cell: Cell::new(2, 2),
    };
    let mut closed = good();
    close(&mut closed, Cell::new(5, 4));
    vec![
        (
            flat,
            vec![
                Problem::Size {
                    width: 6,
                    height: 1,
                },
                Problem::RobotOffBoard {
                    robot: Robot::GREEN,
                    cell: Cell::new(3, 3),
                },
                Problem::GoalOffBoard {
                    cell: Cell::new(5, 4),
                },
            ],
            "a board of 6×1 cells is not supported: a side can have 2 to 32 cells",
        ),
        (
            short,
            vec![Problem::WallCount {
                expected: 30,
                found: 29,
            }],
            "29 wall masks for 30 cells",
        ),
        (none, vec![Problem::NoRobots], "no robots"),
        (
            many,
            vec![Problem::TooManyRobots { found: 9 }],
            "9 robots, at most 8 are supported",
        ),
        (
            same,
            vec![collide],
            "the red, the green and the blue robot are all at (2,2)",
        ),
        (
            closed,
            vec![Problem::GoalClosed {
                cell: Cell::new(5, 4),
            }],
            "the target at (5,4) is on a closed cell",
        ),
    ]
}

#[test]
fn each_slip_is_named() {
    assert_eq!(good().problems(), []);
    for (spoil, problem, message) in slips() {
        let mut setup = good();
        spoil(&mut setup);
        let problems = setup.problems();
        assert_eq!(problems, [problem], "{message}");
        let invalid = setup.validate().unwrap_err();
        assert!(invalid.to_string().contains(message), "{invalid}");
    }
    for (setup, problems, message) in lonely_slips() {
        let invalid = setup.validate().unwrap_err();
        assert_eq!(invalid.problems, problems, "{message}");
        assert!(invalid.to_string().contains(message), "{invalid}");
    }
}

#[test]
fn any_set_of_slips_is_named_in_full() {
    let mut rng = Rng::new(21);
    for _ in 0..2000 {
        let mut setup = good();
        let mut expected = Vec::new();
        for (spoil, problem, _) in slips() {
            if rng.chance(1, 3) {
                spoil(&mut setup);
                expected.push(problem);
            }
        }
        let found = setup.problems();
        for problem in &expected {
            let named = found.iter().any(|other| match (problem, other) {
                // How many robots there are depends on the other slips.
                (
                    Problem::NoSuchActiveRobot { active: a, .. },
                    Problem::NoSuchActiveRobot { active: b, .. },
                ) => a == b,
                _ => problem == other,
            });
            // Closing a cell repairs all walls, those that were spoiled before too.
            assert!(named || problem.is_repairable(), "{problem} in {found:?}");
        }
        assert_eq!(found.is_empty(), setup.validate().is_ok());
    }
}

#[test]
fn everything_at_once() {
    let mut setup = good();
    setup.walls[7] |= 2;
    setup.walls[0] &= !1;
    setup.diagonals.push(diagonal(9, 9));
    setup.targets.push(target(9, 9));
    setup.robots = vec![Cell::new(1, 1), Cell::new(1, 1), Cell::new(40, 0)];
    setup.active = Some(3);
    setup.target = Cell::new(6, 6);
    let kinds: BTreeSet<String> = (setup.validate().unwrap_err().problems.iter())
        .map(|problem| format!("{problem:?}").split(' ').next().unwrap().to_owned())
        .collect();
    let expected = [
        "DiagonalOffBoard",
        "GoalOffBoard",
        "NoSuchActiveRobot",
        "OneSidedWall",
        "OpenRim",
        "RobotOffBoard",
        "RobotsCollide",
        "TargetOffBoard",
    ];
    assert_eq!(kinds, expected.map(String::from).into());
}

#[test]
fn monstrous_sizes_are_refused_without_harm() {
    for (width, height) in [
        (0, 0),
        (33, 2),
        (2, 33),
        (usize::MAX, usize::MAX),
        (usize::MAX / 2, 3),
        (1 << 32, 1 << 32),
    ] {
        let mut setup = Setup::empty(width, height);
        setup.robots = vec![Cell::new(255, 255), Cell::new(0, 0)];
        setup.target = Cell::new(200, 200);
        assert!(setup.problems().contains(&Problem::Size { width, height }));
        setup.repair_walls();
        assert!(setup.validate().is_err());
        assert!(Board::builder(width, height).build().is_err());
        assert!(Board::from_parts(width, height, &[], vec![], vec![]).is_err());
        let built = Board::builder(width, height)
            .wall(Cell::new(1, 1), Direction::East)
            .close(Cell::new(40, 40))
            .build();
        assert!(built.is_err());
    }
}

#[test]
fn builders_name_walls_off_the_board() {
    let ValidationError { problems } = Board::builder(4, 4)
        .wall(Cell::new(4, 0), Direction::East)
        .diagonal(Cell::new(9, 9), Lean::Slash, Robot::RED)
        .build()
        .unwrap_err();
    assert_eq!(
        problems,
        [
            Problem::WallOffBoard {
                cell: Cell::new(4, 0),
                side: Direction::East
            },
            Problem::DiagonalOffBoard {
                cell: Cell::new(9, 9)
            }
        ]
    );
    assert_eq!(
        problems[0].to_string(),
        "a wall on the east side of (4,0) is off the board"
    );
    // A wall on the rim is there already: no mistake.
    assert!(
        Board::builder(4, 4)
            .wall(Cell::new(3, 0), Direction::East)
            .build()
            .is_ok()
    );
}

#[test]
fn puzzles_are_checked_like_setups() {
    let board = Board::builder(6, 5).close(Cell::new(1, 1)).build().unwrap();
    let goal = Goal {
        robot: Some(Robot::BLUE),
        cell: Cell::new(1, 1),
    };
    let invalid = Puzzle::new(board, &[Cell::new(1, 1), Cell::new(7, 0)], goal).unwrap_err();
    assert_eq!(invalid.problems.len(), 4, "{invalid}");
    let good = good().validate().unwrap();
    assert!(good.with_position(&[Cell::new(0, 0)], goal).is_err());
    assert!(good.with_position(&[], goal).is_err());
}

/// Half of every wall is knocked off; the repair brings back all of them.
#[test]
fn repair_restores_what_one_side_still_says() {
    let mut rng = Rng::new(5);
    for number in 0..200 {
        let original = random_puzzle(number).to_setup();
        let mut broken = original.clone();
        for index in 0..broken.walls.len() {
            let (x, y) = (index % broken.width, index / broken.width);
            for (side, next) in [
                (Direction::East, index + 1),
                (Direction::South, index + broken.width),
            ] {
                let last = if side == Direction::East {
                    x + 1 == broken.width
                } else {
                    y + 1 == broken.height
                };
                if rng.chance(1, 2) {
                    let index = if last || rng.chance(1, 2) {
                        index
                    } else {
                        next
                    };
                    let bit = if index == next { side.opposite() } else { side };
                    broken.walls[index] &= !bit.wall_bit();
                }
            }
        }
        let invalid = broken.clone().validate();
        let changed = (original.walls.iter().zip(&broken.walls))
            .filter(|(a, b)| a != b)
            .count();
        if changed > 0 {
            let invalid = invalid.unwrap_err();
            // Cells that lost a side of theirs may make nothing else wrong.
            assert!(invalid.is_repairable(), "{invalid}");
            assert!(
                invalid
                    .to_string()
                    .ends_with("(these walls can be repaired)")
            );
        }
        assert_eq!(broken.repair_walls(), changed);
        assert_eq!(broken, original);
        assert_eq!(broken.repair_walls(), 0, "nothing is left to do");
    }
}

#[test]
fn setups_come_back() {
    for number in 0..200 {
        let puzzle = random_puzzle(number).with_id("x").with_optimal(Some(3));
        assert_eq!(puzzle.to_setup().validate().unwrap(), puzzle);
    }
}
