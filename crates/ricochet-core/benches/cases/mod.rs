//! Slides to look up: random cells, directions and positions of the other robots, so that nothing
//! can be learnt by heart.

use ricochet_core::rng::Rng;
use ricochet_core::{Board, Cell, Direction};

/// One slide: who stands where, and which way the first of them goes.
pub(crate) struct Case {
    pub(crate) robots: [Cell; 4],
    pub(crate) direction: Direction,
}

/// `count` slides with four robots on different open cells.
pub(crate) fn random_cases(board: &Board, count: usize) -> Vec<Case> {
    let open: Vec<Cell> = board
        .cells()
        .filter(|&cell| !board.is_closed(cell))
        .collect();
    let mut rng = Rng::new(5);
    (0..count)
        .map(|_| {
            let mut cells = open.clone();
            let mut draw = || cells.swap_remove(rng.below(cells.len()));
            let robots = std::array::from_fn(|_| draw());
            Case {
                robots,
                direction: Direction::from_index(rng.below(4)),
            }
        })
        .collect()
}
