//! The generator: the same puzzle for ever, what boards look like, and that it always ends.

use std::collections::HashSet;
use std::sync::Arc;

use ricochet_core::generate::{BoardSource, GoalCell, GoalRobot, RandomBoard, Recipe};
use ricochet_core::quadrants::{Edition, Layout};
use ricochet_core::{Board, Cell, CellSet, Direction, Puzzle, Robot, Rules};

/// FNV-1a over everything a puzzle consists of.
fn fingerprint(puzzle: &Puzzle) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut eat = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    let setup = puzzle.to_setup();
    eat(setup.width as u8);
    eat(setup.height as u8);
    setup.walls.iter().copied().for_each(&mut eat);
    for diagonal in &setup.diagonals {
        [
            diagonal.cell.x,
            diagonal.cell.y,
            diagonal.lean.symbol() as u8,
        ]
        .into_iter()
        .for_each(&mut eat);
        eat(diagonal.color.index() as u8);
    }
    for target in &setup.targets {
        eat(target.cell.x);
        eat(target.cell.y);
        eat(target.robot.map_or(9, |robot| robot.index() as u8));
        target.shape.name().bytes().for_each(&mut eat);
    }
    for robot in setup.robots.iter().chain([&setup.target]) {
        eat(robot.x);
        eat(robot.y);
    }
    eat(setup.active.map_or(9, |active| active as u8));
    eat(u8::from(setup.rules.must_ricochet));
    hash
}

fn recipes() -> Vec<(&'static str, Recipe)> {
    let with_diagonals = RandomBoard {
        diagonals: Some(8),
        ..RandomBoard::new(16, 16)
    };
    vec![
        ("1999", Recipe::official(Edition::Of1999)),
        ("2013", Recipe::official(Edition::Of2013)),
        (
            "five robots",
            Recipe {
                robots: 5,
                goal_robot: GoalRobot::OneRobot,
                ..Recipe::official(Edition::Of1999)
            },
        ),
        ("random", Recipe::random(RandomBoard::new(16, 16))),
        ("diagonals", Recipe::random(with_diagonals)),
        ("small", Recipe::random(RandomBoard::new(5, 4))),
        (
            "large, any cell, any robot",
            Recipe {
                robots: 8,
                goal_robot: GoalRobot::AnyRobot,
                goal_cell: GoalCell::AnyCell,
                rules: Rules {
                    must_ricochet: true,
                },
                ..Recipe::random(RandomBoard::new(32, 27))
            },
        ),
    ]
}

/// If this fails, seeds that people wrote down no longer mean what they meant: mend the generator,
/// not the numbers.
#[test]
fn seeds_mean_the_same_puzzles_for_ever() {
    let found: Vec<(&str, [u64; 3])> = recipes()
        .into_iter()
        .map(|(name, recipe)| {
            let print = |(seed, number)| fingerprint(&recipe.puzzle(seed, number).unwrap());
            (name, [(0, 0), (1, 0), (u64::MAX, 12_345)].map(print))
        })
        .collect();
    assert_eq!(found, PINNED);
}

const PINNED: [(&str, [u64; 3]); 7] = [
    (
        "1999",
        [
            16_650_474_555_707_607_631,
            16_548_970_746_195_955_117,
            6_260_692_231_136_272_158,
        ],
    ),
    (
        "2013",
        [
            6_309_946_894_963_108_316,
            4_147_119_482_902_547_431,
            13_875_062_251_024_609_745,
        ],
    ),
    (
        "five robots",
        [
            6_748_742_608_962_057_004,
            9_128_224_514_570_171_586,
            13_199_317_533_062_102_472,
        ],
    ),
    (
        "random",
        [
            5_833_903_441_964_598_785,
            6_359_195_281_740_985_073,
            3_269_873_079_821_902_440,
        ],
    ),
    (
        "diagonals",
        [
            16_740_267_860_404_406_309,
            8_866_074_750_580_472_610,
            13_765_673_677_465_145_634,
        ],
    ),
    (
        "small",
        [
            5_357_756_530_830_849_960,
            12_207_478_135_797_134_248,
            14_745_951_215_967_981_512,
        ],
    ),
    (
        "large, any cell, any robot",
        [
            10_516_157_064_255_944_851,
            5_214_282_877_886_089_583,
            16_023_266_136_404_479_174,
        ],
    ),
];

#[test]
fn every_size_can_be_had_and_every_part_stands_alone() {
    for width in 2..=32 {
        for height in 2..=32 {
            let random = RandomBoard::new(width, height);
            let recipe = Recipe::random(random);
            let puzzle = recipe.puzzle(3, (width * 100 + height) as u64).unwrap();
            let board = puzzle.board();
            assert_eq!((board.width(), board.height()), (width, height));
            assert!(!board.targets().is_empty());
            check_structure(board, random);
        }
    }
}

/// Every inner wall belongs to a corner, to the rim or to the closed centre; no two parts share a
/// post; corners and nothing else carry targets; all open cells hang together.
fn check_structure(board: &Board, random: RandomBoard) {
    let (width, height) = (board.width() as u8, board.height() as u8);
    let inner = |cell: Cell| cell.x > 0 && cell.y > 0 && cell.x < width - 1 && cell.y < height - 1;
    let closed = |cell: Cell| board.is_closed(cell);
    // The inner walls as pairs of posts.
    let mut at_post: Vec<Vec<(Cell, Direction)>> =
        vec![Vec::new(); (board.width() + 1) * (board.height() + 1)];
    let post = |x: u8, y: u8| usize::from(y) * (board.width() + 1) + usize::from(x);
    for cell in board.cells() {
        for side in [Direction::East, Direction::South] {
            let Some(next) = cell.step(side).filter(|&next| board.contains(next)) else {
                continue;
            };
            if !board.has_wall(cell, side) || closed(cell) || closed(next) {
                continue;
            }
            let (x, y) = (cell.x + 1, cell.y + 1);
            at_post[post(x, y)].push((cell, side));
            let other = match side {
                Direction::East => post(x, cell.y),
                _ => post(cell.x, y),
            };
            at_post[other].push((cell, side));
        }
    }
    let mut elbows = 0;
    for walls in &at_post {
        match walls.as_slice() {
            [] | [_] => {}
            [(_, a), (_, b)] => {
                assert_ne!(a, b, "two walls in a line");
                elbows += 1;
            }
            _ => panic!("three walls meet"),
        }
    }
    let walls_count = at_post.iter().map(Vec::len).sum::<usize>() / 2;
    let is_corner = |cell: Cell| {
        inner(cell)
            && !closed(cell)
            && Direction::ALL
                .into_iter()
                .any(|side| board.has_wall(cell, side) && board.has_wall(cell, side.clockwise()))
    };
    let corners: Vec<Cell> = board.cells().filter(|&cell| is_corner(cell)).collect();
    assert_eq!(corners.len(), elbows);
    let rim_walls = walls_count - 2 * elbows;
    let at_rim = at_post.iter().flatten().filter(|(cell, side)| {
        let next = cell.step(*side).unwrap();
        !inner(*cell) && !inner(next) && {
            // The wall stands off the rim: both cells lie along it.
            (cell.y == next.y && (cell.y == 0 || cell.y == height - 1))
                || (cell.x == next.x && (cell.x == 0 || cell.x == width - 1))
        }
    });
    assert_eq!(
        at_rim.count(),
        2 * rim_walls,
        "an inner wall is no corner's"
    );
    for (i, a) in corners.iter().enumerate() {
        for b in &corners[..i] {
            assert!(a.x.abs_diff(b.x) > 1 || a.y.abs_diff(b.y) > 1, "{a} {b}");
        }
    }
    if corners.is_empty() {
        assert_eq!(board.targets().len(), 1);
    } else {
        assert!(board.targets().iter().all(|t| corners.contains(&t.cell)));
    }
    let pictures: HashSet<_> = board.targets().iter().map(|t| (t.robot, t.shape)).collect();
    assert_eq!(pictures.len(), board.targets().len(), "each picture once");
    if (board.width(), board.height()) == (16, 16) && random.corners.is_none() {
        assert_eq!((corners.len(), rim_walls), (17, 8), "as printed");
        assert_eq!(board.targets().len(), 17);
    }
    let open: CellSet = board.cells().filter(|&cell| !closed(cell)).collect();
    assert_eq!(
        open.len(),
        board.cell_count()
            - if random.closed_center {
                (2 - board.width() % 2) * (2 - board.height() % 2)
            } else {
                0
            }
    );
    assert_eq!(connected(board, open.iter().next().unwrap()), open);
}

fn connected(board: &Board, from: Cell) -> CellSet {
    let mut reached: CellSet = [from].into_iter().collect();
    let mut todo = vec![from];
    while let Some(cell) = todo.pop() {
        for side in Direction::ALL {
            if !board.has_wall(cell, side) {
                let next = cell.step(side).unwrap();
                if reached.insert(next) {
                    todo.push(next);
                }
            }
        }
    }
    reached
}

#[test]
fn exact_numbers_are_kept() {
    for number in 0..200 {
        let random = RandomBoard {
            corners: Some(9),
            rim_walls: Some(5),
            diagonals: Some(6),
            closed_center: number % 2 == 0,
            ..RandomBoard::new(12, 14)
        };
        let puzzle = Recipe::random(random).puzzle(8, number).unwrap();
        let board = puzzle.board();
        assert_eq!(board.diagonals().len(), 6);
        assert_eq!(board.targets().len(), 9);
        check_structure(board, random);
        for (i, a) in board.diagonals().iter().enumerate() {
            assert!(board.targets().iter().all(|target| target.cell != a.cell));
            for b in &board.diagonals()[..i] {
                let (a, b) = (a.cell, b.cell);
                assert!(a.x.abs_diff(b.x) > 1 || a.y.abs_diff(b.y) > 1, "{a} {b}");
            }
        }
    }
}

#[test]
fn robots_and_goals_are_as_wished() {
    let mut vortices = 0;
    for number in 0..400 {
        for goal_robot in [
            GoalRobot::AnyTarget,
            GoalRobot::OneRobot,
            GoalRobot::Robot(Robot::GREEN),
            GoalRobot::AnyRobot,
        ] {
            for goal_cell in [GoalCell::PrintedTarget, GoalCell::AnyCell] {
                let robots = 2 + number as usize % 7;
                let board = if number % 2 == 0 {
                    BoardSource::Official(Edition::Of2013)
                } else {
                    BoardSource::Random(RandomBoard::new(6, 5))
                };
                let recipe = Recipe {
                    robots,
                    goal_robot,
                    goal_cell,
                    ..Recipe::on(board)
                };
                let puzzle = recipe.puzzle(5, number).unwrap();
                let goal = puzzle.goal();
                assert_eq!(puzzle.start().len(), robots);
                assert_eq!(puzzle.start().robot_at(goal.cell), None);
                match goal_robot {
                    GoalRobot::AnyTarget => vortices += u32::from(goal.robot.is_none()),
                    GoalRobot::OneRobot => assert!(goal.robot.is_some()),
                    GoalRobot::Robot(robot) => assert_eq!(goal.robot, Some(robot)),
                    GoalRobot::AnyRobot => assert_eq!(goal.robot, None),
                }
                if goal_cell == GoalCell::PrintedTarget {
                    let mut targets = puzzle.board().targets().iter();
                    assert!(targets.any(|t| (t.robot, t.cell) == (goal.robot, goal.cell)));
                }
            }
        }
    }
    assert!((10..150).contains(&vortices), "{vortices} of 800");
}

#[test]
fn robots_start_on_the_target_only_if_asked() {
    let recipe = Recipe {
        start_on_target: true,
        robots: 4,
        ..Recipe::random(RandomBoard::new(2, 2))
    };
    // Four robots on four cells: one of them must be there.
    let puzzle = recipe.puzzle(1, 1).unwrap();
    assert!(puzzle.start().robot_at(puzzle.goal().cell).is_some());
}

#[test]
fn all_layouts_come_up_evenly() {
    let mut counts = std::collections::HashMap::new();
    for puzzle in Recipe::official(Edition::Of1999).generator(9).take(4800) {
        let layout = Layout::from_board(puzzle.unwrap().board()).unwrap();
        *counts.entry(layout).or_insert(0u32) += 1;
    }
    assert_eq!(counts.len(), 96);
    // 50 expected, the standard deviation is 7.
    assert!(counts.values().all(|&count| (15..=95).contains(&count)));
}

#[test]
fn impossible_requests_are_errors_and_end_soon() {
    let random = |random| Recipe::random(random);
    let small = RandomBoard::new(4, 4);
    let huge = usize::MAX;
    let cases: Vec<(Recipe, &str)> = vec![
        (
            random(RandomBoard::new(1, 5)),
            "a board of 1×5 cells is not supported: a side can have 2 to 32 cells",
        ),
        (
            random(RandomBoard::new(huge, huge)),
            "is not supported: a side can have 2 to 32 cells",
        ),
        (
            Recipe {
                robots: 0,
                ..Recipe::official(Edition::Of1999)
            },
            "0 robots are not supported: expected 1 to 8",
        ),
        (
            Recipe {
                robots: 9,
                ..Recipe::official(Edition::Of1999)
            },
            "9 robots are not supported",
        ),
        (
            Recipe {
                goal_robot: GoalRobot::Robot(Robot::SILVER),
                ..Recipe::official(Edition::Of1999)
            },
            "the target is for the silver robot, but there are only 4 robots",
        ),
        (
            Recipe {
                robots: 1,
                goal_robot: GoalRobot::Robot(Robot::GREEN),
                ..Recipe::official(Edition::Of1999)
            },
            "the target is for the green robot, but there is only one robot",
        ),
        (
            Recipe {
                robots: 5,
                goal_robot: GoalRobot::Robot(Robot::SILVER),
                ..Recipe::official(Edition::Of1999)
            },
            "the board has no printed target for the silver robot; any cell can be",
        ),
        (
            random(RandomBoard {
                closed_center: true,
                ..RandomBoard::new(2, 9)
            }),
            "a closed centre needs sides of at least 3 cells, not 2×9",
        ),
        (
            random(RandomBoard {
                corners: Some(huge),
                ..small
            }),
            "corners do not fit: room was found for",
        ),
        (
            random(RandomBoard {
                corners: Some(300),
                ..RandomBoard::new(32, 32)
            }),
            "300 corners do not fit: room was found for",
        ),
        (
            random(RandomBoard {
                rim_walls: Some(huge),
                ..small
            }),
            "walls at the rim do not fit: room was found for",
        ),
        (
            random(RandomBoard {
                diagonals: Some(huge),
                ..small
            }),
            "diagonals do not fit: room was found for",
        ),
        (
            Recipe {
                robots: 8,
                ..random(RandomBoard {
                    closed_center: true,
                    ..RandomBoard::new(3, 3)
                })
            },
            "8 robots and a free target need 9 open cells, the board has 8",
        ),
        (
            Recipe::on(BoardSource::Board(Arc::new(
                Board::builder(5, 5).build().unwrap(),
            ))),
            "the board has no printed target for any of 4 robots",
        ),
    ];
    for (recipe, expected) in cases {
        let error = recipe.puzzle(1, 2).unwrap_err().to_string();
        assert!(error.contains(expected), "{error:?} for {expected:?}");
        let mut generator = recipe.generator(1);
        assert!(generator.next().unwrap().is_err());
        assert_eq!(generator.next(), None);
    }
}

#[test]
fn a_wish_may_add_what_it_found_out() {
    let recipe = Recipe::official(Edition::Of1999);
    let named = |puzzle: Puzzle| {
        (puzzle.goal().robot == Some(Robot::RED)).then(|| puzzle.with_optimal(Some(7)))
    };
    let mut generator = recipe.generator(6).with_filter(named);
    for _ in 0..10 {
        let puzzle = generator.next().unwrap().unwrap();
        assert_eq!(puzzle.known_optimal(), Some(7));
        let again = recipe.puzzle(6, generator.number().unwrap()).unwrap();
        assert_eq!(again.with_optimal(Some(7)), puzzle);
    }
    assert!(generator.tried() > 10);
}
