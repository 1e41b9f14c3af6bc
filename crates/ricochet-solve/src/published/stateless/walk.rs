//! The way of a robot over an empty board, field by field.

use ricochet_core::{Board, Cell, Direction, Robot};

/// A field on the way, and the heading in which the robot would leave it (a diagonal of another
/// colour has turned it already).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::published) struct PassedField {
    pub(in crate::published) cell: Cell,
    pub(in crate::published) heading: Direction,
}

/// Calls `visit` for each field that `robot` enters when it leaves `from` in `direction` and no
/// other robot is on the board, with the field behind it, or `None` where a wall ends the way.
/// In a ring of diagonals the way ends, without a last field, where it would repeat itself.
pub(in crate::published) fn walk(
    board: &Board,
    robot: Robot,
    from: Cell,
    direction: Direction,
    mut visit: impl FnMut(PassedField, Option<Cell>),
) {
    let mut at = PassedField {
        cell: from,
        heading: direction,
    };
    let mut first_turn = None;
    while let Some(next) = ahead(board, at) {
        at.cell = next;
        if let Some(diagonal) = board.diagonal(next)
            && diagonal.color != robot
        {
            at.heading = diagonal.lean.deflect(at.heading);
            if first_turn == Some(at) {
                return;
            }
            first_turn.get_or_insert(at);
        }
        visit(at, ahead(board, at));
    }
}

/// The neighbour ahead, unless a wall is in the way.
fn ahead(board: &Board, at: PassedField) -> Option<Cell> {
    if board.has_wall(at.cell, at.heading) {
        None
    } else {
        at.cell.step(at.heading)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ricochet_core::{Lean, slide_slowly};

    #[test]
    fn the_way_is_that_of_the_oracle() {
        let board = Board::builder(7, 6)
            .wall(Cell::new(3, 2), Direction::East)
            .wall(Cell::new(1, 4), Direction::South)
            .diagonal(Cell::new(5, 2), Lean::Slash, Robot::BLUE)
            .diagonal(Cell::new(1, 1), Lean::Backslash, Robot::RED)
            .diagonal(Cell::new(2, 5), Lean::Slash, Robot::GREEN)
            .build()
            .unwrap();
        for robot in [Robot::RED, Robot::GREEN, Robot::BLUE] {
            for from in board.cells() {
                for direction in Direction::ALL {
                    let mut cells = Vec::new();
                    let mut ended = false;
                    walk(&board, robot, from, direction, |passed, next| {
                        cells.push(passed.cell);
                        ended = next.is_none();
                    });
                    let oracle = slide_slowly(&board, robot, from, direction, &[]);
                    let expected: Vec<Cell> = oracle.path.iter().map(|&(cell, _)| cell).collect();
                    assert_eq!(cells, expected, "{robot} {from} {direction}");
                    assert!(ended || cells.is_empty());
                }
            }
        }
    }

    #[test]
    fn a_ring_ends() {
        let board = Board::builder(4, 4)
            .diagonal(Cell::new(1, 1), Lean::Slash, Robot::BLUE)
            .diagonal(Cell::new(2, 1), Lean::Backslash, Robot::BLUE)
            .diagonal(Cell::new(1, 2), Lean::Backslash, Robot::BLUE)
            .diagonal(Cell::new(2, 2), Lean::Slash, Robot::BLUE)
            .build()
            .unwrap();
        let mut fields = 0;
        let ring = (Cell::new(1, 1), Direction::East);
        walk(&board, Robot::RED, ring.0, ring.1, |_, next| {
            assert!(next.is_some());
            fields += 1;
        });
        assert_eq!(fields, 4);
    }
}
