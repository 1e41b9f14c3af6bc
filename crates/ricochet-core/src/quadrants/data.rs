//! The sixteen printed quadrants, as seen in the north-west position.
//!
//! Data only, generated from the comparison of nine public sources; `east` and `south` list the
//! cells that have a wall on that side. [`super`] explains how they fit together.

use super::QuadrantData;
use crate::board::{Lean, Shape};
use crate::robot::Robot;

/// In the order 1A, 1B, 1C, 1D, 2A, …, 4D.
pub(super) const QUADRANTS: [QuadrantData; 16] = [
    // 1A
    QuadrantData {
        east: &[(1, 0), (1, 2), (2, 6), (3, 1), (6, 3)],
        south: &[(0, 5), (1, 1), (3, 6), (4, 0), (6, 3)],
        targets: &[
            (1, 2, Some(Robot::GREEN), Shape::Triangle),
            (3, 6, Some(Robot::BLUE), Shape::Square),
            (4, 1, Some(Robot::RED), Shape::Circle),
            (6, 3, Some(Robot::YELLOW), Shape::Hexagon),
        ],
        diagonals: &[],
    },
    // 1B
    QuadrantData {
        east: &[(0, 2), (2, 6), (4, 0), (6, 1), (6, 5)],
        south: &[(0, 5), (1, 1), (3, 6), (6, 1), (6, 4)],
        targets: &[
            (1, 2, Some(Robot::GREEN), Shape::Triangle),
            (3, 6, Some(Robot::RED), Shape::Circle),
            (6, 1, Some(Robot::YELLOW), Shape::Hexagon),
            (6, 5, Some(Robot::BLUE), Shape::Square),
        ],
        diagonals: &[],
    },
    // 1C
    QuadrantData {
        east: &[(0, 4), (1, 0), (2, 1), (4, 6), (6, 3)],
        south: &[(0, 6), (1, 4), (3, 0), (4, 5), (6, 3)],
        targets: &[
            (1, 4, Some(Robot::RED), Shape::Circle),
            (3, 1, Some(Robot::GREEN), Shape::Triangle),
            (4, 6, Some(Robot::BLUE), Shape::Square),
            (6, 3, Some(Robot::YELLOW), Shape::Hexagon),
        ],
        diagonals: &[],
    },
    // 1D
    QuadrantData {
        east: &[(0, 3), (2, 6), (5, 0), (6, 4)],
        south: &[(0, 5), (1, 2), (2, 5), (3, 6), (6, 4)],
        targets: &[
            (1, 3, Some(Robot::RED), Shape::Circle),
            (2, 6, Some(Robot::GREEN), Shape::Triangle),
            (3, 6, Some(Robot::BLUE), Shape::Square),
            (6, 4, Some(Robot::YELLOW), Shape::Hexagon),
        ],
        diagonals: &[
            (4, 1, Lean::Slash, Robot::GREEN),
            (5, 7, Lean::Backslash, Robot::YELLOW),
        ],
    },
    // 2A
    QuadrantData {
        east: &[(0, 2), (2, 6), (3, 0), (5, 1), (5, 4)],
        south: &[(0, 3), (1, 2), (2, 5), (5, 1), (6, 3)],
        targets: &[
            (1, 2, Some(Robot::RED), Shape::Square),
            (2, 6, Some(Robot::BLUE), Shape::Triangle),
            (5, 1, Some(Robot::GREEN), Shape::Hexagon),
            (6, 4, Some(Robot::YELLOW), Shape::Circle),
        ],
        diagonals: &[],
    },
    // 2B
    QuadrantData {
        east: &[(1, 1), (1, 6), (4, 0), (4, 5), (5, 3)],
        south: &[(0, 4), (1, 6), (2, 0), (4, 4), (6, 3)],
        targets: &[
            (1, 6, Some(Robot::GREEN), Shape::Hexagon),
            (2, 1, Some(Robot::YELLOW), Shape::Circle),
            (4, 5, Some(Robot::RED), Shape::Square),
            (6, 3, Some(Robot::BLUE), Shape::Triangle),
        ],
        diagonals: &[],
    },
    // 2C
    QuadrantData {
        east: &[(2, 2), (2, 4), (4, 3), (4, 5), (5, 0)],
        south: &[(0, 3), (2, 3), (3, 1), (4, 5), (5, 3)],
        targets: &[
            (2, 4, Some(Robot::RED), Shape::Square),
            (3, 2, Some(Robot::YELLOW), Shape::Circle),
            (4, 5, Some(Robot::GREEN), Shape::Hexagon),
            (5, 3, Some(Robot::BLUE), Shape::Triangle),
        ],
        diagonals: &[],
    },
    // 2D
    QuadrantData {
        east: &[(0, 5), (2, 0), (4, 7), (5, 2)],
        south: &[(0, 6), (1, 5), (4, 6), (5, 2), (6, 1)],
        targets: &[
            (1, 5, Some(Robot::RED), Shape::Square),
            (4, 7, Some(Robot::BLUE), Shape::Triangle),
            (5, 2, Some(Robot::GREEN), Shape::Hexagon),
            (6, 2, Some(Robot::YELLOW), Shape::Circle),
        ],
        diagonals: &[
            (2, 1, Lean::Slash, Robot::BLUE),
            (7, 4, Lean::Backslash, Robot::RED),
        ],
    },
    // 3A
    QuadrantData {
        east: &[(0, 6), (2, 4), (3, 0), (5, 2), (6, 5)],
        south: &[(0, 4), (1, 5), (2, 3), (5, 2), (7, 5)],
        targets: &[
            (1, 6, Some(Robot::YELLOW), Shape::Square),
            (2, 4, Some(Robot::GREEN), Shape::Circle),
            (5, 2, Some(Robot::BLUE), Shape::Hexagon),
            (7, 5, Some(Robot::RED), Shape::Triangle),
        ],
        diagonals: &[],
    },
    // 3B
    QuadrantData {
        east: &[(0, 1), (2, 4), (3, 0), (6, 2), (6, 5)],
        south: &[(0, 5), (1, 1), (2, 4), (6, 1), (7, 4)],
        targets: &[
            (1, 1, Some(Robot::RED), Shape::Triangle),
            (2, 4, Some(Robot::BLUE), Shape::Hexagon),
            (6, 2, Some(Robot::GREEN), Shape::Circle),
            (7, 5, Some(Robot::YELLOW), Shape::Square),
        ],
        diagonals: &[],
    },
    // 3C
    QuadrantData {
        east: &[(0, 3), (1, 0), (3, 6), (4, 1), (4, 5)],
        south: &[(0, 5), (1, 3), (3, 6), (4, 0), (5, 4)],
        targets: &[
            (1, 3, Some(Robot::RED), Shape::Triangle),
            (3, 6, Some(Robot::BLUE), Shape::Hexagon),
            (4, 1, Some(Robot::GREEN), Shape::Circle),
            (5, 5, Some(Robot::YELLOW), Shape::Square),
        ],
        diagonals: &[],
    },
    // 3D
    QuadrantData {
        east: &[(2, 4), (4, 0), (4, 6), (6, 2)],
        south: &[(0, 2), (2, 3), (3, 4), (5, 5), (6, 2)],
        targets: &[
            (2, 4, Some(Robot::GREEN), Shape::Circle),
            (3, 4, Some(Robot::RED), Shape::Triangle),
            (5, 6, Some(Robot::YELLOW), Shape::Square),
            (6, 2, Some(Robot::BLUE), Shape::Hexagon),
        ],
        diagonals: &[
            (4, 1, Lean::Backslash, Robot::BLUE),
            (6, 3, Lean::Backslash, Robot::YELLOW),
        ],
    },
    // 4A
    QuadrantData {
        east: &[(1, 3), (2, 5), (3, 0), (4, 4), (5, 1), (7, 5)],
        south: &[(0, 6), (1, 2), (2, 5), (5, 3), (6, 1), (7, 5)],
        targets: &[
            (1, 3, Some(Robot::YELLOW), Shape::Triangle),
            (2, 5, Some(Robot::RED), Shape::Hexagon),
            (5, 4, Some(Robot::GREEN), Shape::Square),
            (6, 1, Some(Robot::BLUE), Shape::Circle),
            (7, 5, None, Shape::Vortex),
        ],
        diagonals: &[],
    },
    // 4B
    QuadrantData {
        east: &[(0, 3), (2, 1), (3, 7), (4, 0), (5, 4), (5, 6)],
        south: &[(0, 4), (1, 3), (2, 1), (3, 7), (5, 5), (6, 3)],
        targets: &[
            (1, 3, Some(Robot::GREEN), Shape::Square),
            (2, 1, Some(Robot::RED), Shape::Hexagon),
            (3, 7, None, Shape::Vortex),
            (5, 6, Some(Robot::BLUE), Shape::Circle),
            (6, 4, Some(Robot::YELLOW), Shape::Triangle),
        ],
        diagonals: &[],
    },
    // 4C
    QuadrantData {
        east: &[(1, 6), (2, 0), (3, 4), (4, 1), (5, 5), (7, 2)],
        south: &[(0, 3), (1, 5), (3, 4), (5, 1), (6, 4), (7, 2)],
        targets: &[
            (1, 6, Some(Robot::YELLOW), Shape::Triangle),
            (3, 4, Some(Robot::RED), Shape::Hexagon),
            (5, 1, Some(Robot::BLUE), Shape::Circle),
            (6, 5, Some(Robot::GREEN), Shape::Square),
            (7, 2, None, Shape::Vortex),
        ],
        diagonals: &[],
    },
    // 4D
    QuadrantData {
        east: &[(1, 5), (2, 3), (4, 0), (5, 2), (5, 7)],
        south: &[(0, 6), (1, 5), (2, 2), (3, 3), (5, 7), (6, 1)],
        targets: &[
            (1, 5, Some(Robot::RED), Shape::Hexagon),
            (2, 3, Some(Robot::BLUE), Shape::Circle),
            (3, 3, Some(Robot::GREEN), Shape::Square),
            (5, 7, None, Shape::Vortex),
            (6, 2, Some(Robot::YELLOW), Shape::Triangle),
        ],
        diagonals: &[
            (2, 1, Lean::Backslash, Robot::RED),
            (3, 6, Lean::Backslash, Robot::GREEN),
        ],
    },
];
