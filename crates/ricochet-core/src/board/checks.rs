//! Validation of a board's walls, diagonals and targets.

use super::{CLOSED, Diagonal, Target};
use crate::geometry::{Cell, CellSet, Direction, MAX_SIDE};
use crate::problem::Problem;

/// Sets the outer walls in a row-by-row mask of `width * height` cells.
pub(crate) fn add_rim(width: usize, height: usize, walls: &mut [u8]) {
    for x in 0..width {
        walls[x] |= Direction::North.wall_bit();
        walls[(height - 1) * width + x] |= Direction::South.wall_bit();
    }
    for y in 0..height {
        walls[y * width] |= Direction::West.wall_bit();
        walls[y * width + width - 1] |= Direction::East.wall_bit();
    }
}

/// Every reason why these parts are not a valid board.
pub(crate) fn board_problems(
    width: usize,
    height: usize,
    walls: &[u8],
    diagonals: &[Diagonal],
    targets: &[Target],
) -> Vec<Problem> {
    if !(2..=MAX_SIDE).contains(&width) || !(2..=MAX_SIDE).contains(&height) {
        return vec![Problem::Size { width, height }];
    }
    if walls.len() != width * height {
        return vec![Problem::WallCount {
            expected: width * height,
            found: walls.len(),
        }];
    }
    let mut problems = if are_sound(width, height, walls) {
        Vec::new()
    } else {
        wall_problems(width, height, walls)
    };
    problems.extend(marking_problems(width, height, walls, diagonals, targets));
    problems
}

/// Whether [`wall_problems`] would find nothing. Almost every board is valid, so this cheap check
/// usually replaces the slow search.
fn are_sound(width: usize, height: usize, walls: &[u8]) -> bool {
    let shift = |side: Direction| side.wall_bit().trailing_zeros();
    let mut wrong = 0u8;
    for &mask in walls {
        wrong |= mask & !CLOSED;
    }
    // East of a cell must match west of the next one. Between two rows, both are the rim.
    for (left, right) in walls.iter().zip(&walls[1..]) {
        wrong |= (left >> shift(Direction::East) ^ right >> shift(Direction::West)) & 1;
    }
    for (upper, lower) in walls.iter().zip(&walls[width..]) {
        wrong |= (upper >> shift(Direction::South) ^ lower >> shift(Direction::North)) & 1;
    }
    for (upper, lower) in walls.iter().zip(&walls[(height - 1) * width..]) {
        wrong |= !upper & Direction::North.wall_bit() | !lower & Direction::South.wall_bit();
    }
    for row in walls.chunks_exact(width) {
        wrong |= !row[0] & Direction::West.wall_bit();
        wrong |= !row[width - 1] & Direction::East.wall_bit();
    }
    wrong == 0
}

/// Everything that is wrong with the walls.
fn wall_problems(width: usize, height: usize, walls: &[u8]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (index, &mask) in walls.iter().enumerate() {
        let cell = Cell::new((index % width) as u8, (index / width) as u8);
        if mask > CLOSED {
            problems.push(Problem::WallMask { cell, mask });
        }
        for side in Direction::ALL {
            let here = mask & side.wall_bit() != 0;
            let neighbour = cell
                .step(side)
                .filter(|next| usize::from(next.x) < width && usize::from(next.y) < height);
            match neighbour {
                None if !here => problems.push(Problem::OpenRim { cell, side }),
                Some(next) if here => {
                    let there = walls[usize::from(next.y) * width + usize::from(next.x)];
                    if there & side.opposite().wall_bit() == 0 {
                        problems.push(Problem::OneSidedWall { cell, side });
                    }
                }
                _ => {}
            }
        }
    }
    problems
}

/// Everything that is wrong with the diagonals and targets on a board with these walls.
pub(crate) fn marking_problems(
    width: usize,
    height: usize,
    walls: &[u8],
    diagonals: &[Diagonal],
    targets: &[Target],
) -> Vec<Problem> {
    let mut problems = Vec::new();
    let on_board = |cell: Cell| usize::from(cell.x) < width && usize::from(cell.y) < height;
    let closed =
        |cell: Cell| walls[usize::from(cell.y) * width + usize::from(cell.x)] & CLOSED == CLOSED;
    let mut taken = CellSet::EMPTY;
    for diagonal in diagonals {
        let cell = diagonal.cell;
        if !on_board(cell) {
            problems.push(Problem::DiagonalOffBoard { cell });
        } else if closed(cell) {
            problems.push(Problem::DiagonalClosed { cell });
        } else if !taken.insert(cell) {
            problems.push(Problem::TwoDiagonals { cell });
        }
    }
    let mut taken = CellSet::EMPTY;
    for target in targets {
        let cell = target.cell;
        if !on_board(cell) {
            problems.push(Problem::TargetOffBoard { cell });
        } else if closed(cell) {
            problems.push(Problem::TargetClosed { cell });
        } else if !taken.insert(cell) {
            problems.push(Problem::TwoTargets { cell });
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The quick check also finds every single wrong bit.
    #[test]
    fn the_quick_check_agrees_with_the_slow_one() {
        for (width, height) in [(2, 2), (2, 5), (7, 3), (16, 16), (32, 32)] {
            let mut walls = vec![0; width * height];
            add_rim(width, height, &mut walls);
            walls[0] |= Direction::East.wall_bit();
            walls[1] |= Direction::West.wall_bit();
            assert!(are_sound(width, height, &walls));
            assert!(wall_problems(width, height, &walls).is_empty());
            for index in 0..walls.len() {
                for bit in 0..8 {
                    walls[index] ^= 1 << bit;
                    let problems = wall_problems(width, height, &walls);
                    assert_eq!(are_sound(width, height, &walls), problems.is_empty());
                    walls[index] ^= 1 << bit;
                }
            }
        }
    }
}
