//! Puzzles that the tests and the gallery draw.
#![allow(dead_code, reason = "each test uses some of it")]

use ricochet_core::quadrants::Layout;
use ricochet_core::{
    Board, Cell, Direction, Goal, Lean, Move, Puzzle, Robot, Shape, Solution, Trace,
};

/// The walls of the slides' board, one hexadecimal digit a cell.
const SLIDES_WALLS: &str = "\
    9113911113911153 \
    800002c000000292 \
    84000010002c0002 \
    8380040000010006 \
    8000290000000003 \
    8068000000000002 \
    c010000440400682 \
    9000002ff8380102 \
    8004002ff8000042 \
    8003800110000292 \
    80000000002c0006 \
    ac00000004010003 \
    8100006803800002 \
    c040001000000002 \
    9290000000000682 \
    c44446c4446c4546";

/// The 22-move puzzle of the slides.
pub(crate) fn slides_puzzle() -> Puzzle {
    let walls: Vec<u8> = SLIDES_WALLS
        .chars()
        .filter_map(|digit| digit.to_digit(16))
        .map(|mask| mask as u8)
        .collect();
    let board = Board::from_parts(16, 16, &walls, Vec::new(), Vec::new()).unwrap();
    let robots = [(1, 15), (12, 1), (15, 0), (12, 0)].map(|(x, y)| Cell::new(x, y));
    let goal = Goal {
        robot: Some(Robot::BLUE),
        cell: Cell::new(9, 12),
    };
    Puzzle::new(board, &robots, goal)
        .unwrap()
        .with_id("slides-22")
}

/// The slides' solution, red and green exchanged as they are in the corpus.
pub(crate) fn slides_solution() -> Solution {
    "BS BW BN BE BS BE RN RE BS GS GW GN BE BS BW YS YW YN YW YS BE BN"
        .parse()
        .unwrap()
}

/// A board of the given layout with robots on free cells spread by a fixed rule, and a goal.
pub(crate) fn official(layout: &str, robots: usize, goal: usize) -> Puzzle {
    let board = layout.parse::<Layout>().unwrap().board();
    place(board, robots, goal)
}

/// Robots on free cells spread by a fixed rule; the goal is a printed target where there is one.
pub(crate) fn place(board: Board, robots: usize, goal: usize) -> Puzzle {
    let free: Vec<Cell> = board
        .cells()
        .filter(|&cell| !board.is_closed(cell) && board.targets().iter().all(|t| t.cell != cell))
        .collect();
    let cells: Vec<Cell> = (0..robots)
        .map(|i| free[(i * free.len() / robots + i * 5) % free.len()])
        .collect::<std::collections::BTreeSet<Cell>>()
        .into_iter()
        .collect();
    let goal = match board.targets().get(goal) {
        Some(target) if target.robot.is_none_or(|robot| robot.index() < cells.len()) => Goal {
            robot: target.robot,
            cell: target.cell,
        },
        _ => Goal {
            robot: Some(Robot::RED),
            cell: *free.last().unwrap(),
        },
    };
    Puzzle::new(board, &cells, goal).unwrap()
}

/// A board with every kind of thing on 6×5 cells.
pub(crate) fn everything() -> Puzzle {
    let board = Board::builder(6, 5)
        .wall(Cell::new(1, 0), Direction::East)
        .wall(Cell::new(4, 3), Direction::North)
        .wall(Cell::new(4, 3), Direction::West)
        .close(Cell::new(2, 2))
        .close(Cell::new(3, 2))
        .diagonal(Cell::new(1, 3), Lean::Slash, Robot::GREEN)
        .diagonal(Cell::new(5, 1), Lean::Backslash, Robot::YELLOW)
        .target(Cell::new(0, 1), Some(Robot::RED), Shape::Circle)
        .target(Cell::new(1, 1), Some(Robot::GREEN), Shape::Triangle)
        .target(Cell::new(2, 1), Some(Robot::BLUE), Shape::Square)
        .target(Cell::new(3, 1), Some(Robot::YELLOW), Shape::Hexagon)
        .target(Cell::new(4, 1), None, Shape::Vortex)
        .build()
        .unwrap();
    let robots = [(0, 0), (5, 4), (3, 4), (0, 3)].map(|(x, y)| Cell::new(x, y));
    let goal = Goal {
        robot: Some(Robot::BLUE),
        cell: Cell::new(2, 1),
    };
    Puzzle::new(board, &robots, goal).unwrap()
}

/// `count` moves by a fixed pseudo-random rule: whatever can be played.
pub(crate) fn wander(puzzle: &Puzzle, count: usize, seed: u64) -> Trace {
    let mut moves: Vec<Move> = Vec::new();
    let mut state = puzzle.start();
    let mut random = seed.wrapping_mul(2).wrapping_add(1);
    for _ in 0..count * 20 {
        if moves.len() == count {
            break;
        }
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let robot = Robot::new((random >> 33) as usize % state.len()).unwrap();
        let direction = Direction::from_index((random >> 50) as usize);
        if let Some(next) = puzzle.apply(state, robot, direction) {
            moves.push(Move { robot, direction });
            state = next;
        }
    }
    Trace::play(puzzle, &moves).unwrap()
}
