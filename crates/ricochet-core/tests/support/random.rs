//! Random puzzles for property tests: all sizes, walls, closed cells, diagonals, targets, goals of
//! one or of any robot, names and optima.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::subsequence;
use ricochet_core::quadrants::{Edition, Layout};
use ricochet_core::{
    Board, Cell, Diagonal, Direction, Goal, Lean, Puzzle, Robot, Rules, Shape, Target,
};

/// Any valid puzzle on any board.
pub(crate) fn any_puzzle() -> impl Strategy<Value = Puzzle> {
    prop_oneof![
        2 => any_board().boxed(),
        1 => official_board().boxed(),
    ]
    .prop_flat_map(puzzle_on)
}

/// A puzzle on an official layout, with or without its diagonals and targets.
pub(crate) fn official_puzzle() -> impl Strategy<Value = Puzzle> {
    official_board().prop_flat_map(puzzle_on)
}

fn official_board() -> impl Strategy<Value = Board> {
    let layouts = Edition::Of2013.layouts();
    (0..layouts.len(), 0..4usize, any::<bool>(), any::<bool>()).prop_map(
        move |(number, turn, diagonals, targets)| {
            let mut quadrants = layouts[number].quadrants();
            quadrants.rotate_left(turn);
            let board = Layout::new(quadrants)
                .expect("a turned layout is one")
                .board();
            let keep = |wanted: bool| if wanted { usize::MAX } else { 0 };
            Board::from_parts(
                16,
                16,
                board.walls(),
                board
                    .diagonals()
                    .iter()
                    .copied()
                    .take(keep(diagonals))
                    .collect(),
                board
                    .targets()
                    .iter()
                    .copied()
                    .take(keep(targets))
                    .collect(),
            )
            .expect("part of a board is one")
        },
    )
}

fn side() -> impl Strategy<Value = usize> {
    prop_oneof![3 => Just(16usize), 3 => 2..=32usize, 1 => 2..=4usize, 1 => Just(32usize)]
}

fn any_board() -> impl Strategy<Value = Board> {
    (side(), side())
        .prop_flat_map(|(width, height)| {
            let cells = width * height;
            let wall = (0..cells, 0..4usize);
            (
                vec(wall, 0..=cells / 2),
                vec(0..cells, 0..=cells / 20),
                vec((0..cells, any::<bool>(), 0..8usize), 0..6),
                vec((0..cells, option::of(0..8usize), 0..5usize), 0..6),
            )
                .prop_map(move |(walls, closed, diagonals, targets)| {
                    let at = |index: usize| Cell::new((index % width) as u8, (index / width) as u8);
                    let mut builder = Board::builder(width, height);
                    for (index, side) in walls {
                        builder.add_wall(at(index), Direction::from_index(side));
                    }
                    for index in closed {
                        builder = builder.close(at(index));
                    }
                    let plain = builder.build().expect("walls alone are always valid");
                    let mut used = std::collections::HashSet::new();
                    let diagonals: Vec<Diagonal> = diagonals
                        .into_iter()
                        .map(|(index, slash, color)| Diagonal {
                            cell: at(index),
                            lean: if slash { Lean::Slash } else { Lean::Backslash },
                            color: Robot::ALL[color],
                        })
                        .filter(|diagonal| {
                            !plain.is_closed(diagonal.cell) && used.insert(diagonal.cell)
                        })
                        .collect();
                    used.clear();
                    let targets: Vec<Target> = targets
                        .into_iter()
                        .map(|(index, robot, shape)| Target {
                            cell: at(index),
                            robot: robot.map(|robot| Robot::ALL[robot]),
                            shape: Shape::ALL[shape],
                        })
                        .filter(|target| !plain.is_closed(target.cell) && used.insert(target.cell))
                        .collect();
                    Board::from_parts(width, height, plain.walls(), diagonals, targets)
                        .expect("only open cells were used")
                })
        })
        .prop_filter("room for a robot", |board| {
            board.cells().any(|cell| !board.is_closed(cell))
        })
}

fn puzzle_on(board: Board) -> impl Strategy<Value = Puzzle> {
    let open: Vec<Cell> = board
        .cells()
        .filter(|&cell| !board.is_closed(cell))
        .collect();
    let most = open.len().min(8);
    let goals = open.clone();
    let count = prop_oneof![2 => Just(4.min(most)), 1 => 1..=most];
    let robots = count.prop_flat_map(move |count| subsequence(open.clone(), count).prop_shuffle());
    let id = prop_oneof![
        Just(None),
        "[a-zA-Z0-9_-]{0,12}".prop_map(Some),
        "\\PC{0,8}".prop_map(Some),
        any::<String>().prop_map(Some),
    ];
    let optimal = option::of(prop_oneof![0..30u32, any::<u32>()]);
    (
        robots,
        any::<prop::sample::Index>(),
        option::of(any::<prop::sample::Index>()),
        any::<bool>(),
        id,
        optimal,
    )
        .prop_map(move |(robots, cell, robot, must_ricochet, id, optimal)| {
            let goal = Goal {
                robot: robot.map(|robot| Robot::ALL[robot.index(robots.len())]),
                cell: goals[cell.index(goals.len())],
            };
            let puzzle = Puzzle::new(board.clone(), &robots, goal)
                .expect("robots and goal are on open cells")
                .with_rules(Rules { must_ricochet })
                .with_optimal(optimal);
            match id {
                Some(id) => puzzle.with_id(id),
                None => puzzle,
            }
        })
}
