//! The rules, against their slow oracle and against each other.

mod layouts;
mod replay;
mod slides;
mod states;
mod symmetries;
mod validation;

use ricochet_core::generate::{GoalCell, RandomBoard, Recipe};
use ricochet_core::rng::Rng;
use ricochet_core::{Board, Cell, Lean, Puzzle, Robot};

/// A puzzle on a random board of any size, with more or fewer diagonals.
fn random_puzzle(number: u64) -> Puzzle {
    let mut rng = Rng::stream(77, number);
    let (width, height) = (2 + rng.below(31), 2 + rng.below(31));
    let cells = width * height;
    let board = RandomBoard {
        diagonals: Some(if cells < 20 { 0 } else { rng.below(cells / 16) }),
        ..RandomBoard::new(width, height)
    };
    let recipe = Recipe {
        robots: 1 + rng.below((cells - 1).min(8)),
        goal_cell: GoalCell::AnyCell,
        ..Recipe::random(board)
    };
    let mut generator = recipe.generator(number);
    generator.next().unwrap().unwrap()
}

/// A small board with diagonals on many cells, touching each other: rings come up often.
fn dense_board(number: u64) -> Board {
    let mut rng = Rng::stream(78, number);
    let (width, height) = (2 + rng.below(7), 2 + rng.below(7));
    let density = 1 + rng.below(9);
    let mut builder = Board::builder(width, height);
    for y in 0..height as u8 {
        for x in 0..width as u8 {
            let cell = Cell::new(x, y);
            if rng.chance(density, 10) {
                let lean = *rng.choose(&[Lean::Slash, Lean::Backslash]).unwrap();
                builder = builder.diagonal(cell, lean, Robot::ALL[rng.below(4)]);
            }
            if rng.chance(1, 8) {
                builder.add_wall(cell, ricochet_core::Direction::from_index(rng.below(4)));
            }
        }
    }
    match builder.clone().build() {
        Ok(board) => board,
        // Four random walls closed a cell with a diagonal: rare enough to take another board.
        Err(_) => dense_board(number + 1_000_000),
    }
}

/// Some open cells, all different.
fn random_cells(board: &Board, count: usize, rng: &mut Rng) -> Vec<Cell> {
    let mut open: Vec<Cell> = board
        .cells()
        .filter(|&cell| !board.is_closed(cell))
        .collect();
    rng.shuffle(&mut open);
    open.truncate(count);
    open
}
