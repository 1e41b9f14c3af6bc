//! Which walls are drawn: all except those inside a block of closed cells, which looks like one piece.

use ricochet_core::{Board, Cell, Direction};

fn closed(board: &Board, cell: Option<Cell>) -> bool {
    cell.is_some_and(|cell| board.is_closed(cell))
}

fn between(board: &Board, a: Option<Cell>, b: Option<Cell>, side: Direction) -> bool {
    let wall = match (a, b) {
        (Some(a), _) => board.has_wall(a, side),
        (None, Some(b)) => board.has_wall(b, side.opposite()),
        (None, None) => false,
    };
    wall && !(closed(board, a) && closed(board, b))
}

/// Whether a wall is drawn north of the cell in column `x` and row `y`; `y` may be one past the last
/// row.
pub(crate) fn north_of(board: &Board, x: usize, y: usize) -> bool {
    let upper = (y > 0).then(|| Cell::new(x as u8, y as u8 - 1));
    let lower = (y < board.height()).then(|| Cell::new(x as u8, y as u8));
    between(board, upper, lower, Direction::South)
}

/// Whether a wall is drawn west of the cell in column `x` and row `y`; `x` may be one past the last
/// column.
pub(crate) fn west_of(board: &Board, x: usize, y: usize) -> bool {
    let left = (x > 0).then(|| Cell::new(x as u8 - 1, y as u8));
    let right = (x < board.width()).then(|| Cell::new(x as u8, y as u8));
    between(board, left, right, Direction::East)
}

/// The longest runs `start..end` of positions below `length` for which `there` holds.
pub(crate) fn runs(length: usize, there: impl Fn(usize) -> bool) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for i in (0..length).filter(|&i| there(i)) {
        match runs.last_mut() {
            Some((_, end)) if *end == i => *end = i + 1,
            _ => runs.push((i, i + 1)),
        }
    }
    runs
}
