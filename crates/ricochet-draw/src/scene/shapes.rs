//! The outlines of targets around a middle point; `unit` is the side of a cell.

use ricochet_core::Shape;

use crate::scene::{Outline, Point, Segment, closed};

/// The shape of a printed target with a colour; it fills most of the cell.
pub(crate) fn target(shape: Shape, middle: Point, unit: f32) -> Outline {
    let polygon = |places: &[(f32, f32)]| {
        let points: Vec<Point> = places
            .iter()
            .map(|&(x, y)| middle.plus(x * unit, y * unit))
            .collect();
        Outline::Path(closed(&points))
    };
    match shape {
        Shape::Circle | Shape::Vortex => Outline::Circle {
            center: middle,
            radius: 0.3 * unit,
        },
        Shape::Triangle => polygon(&[(0.0, -0.33), (0.36, 0.29), (-0.36, 0.29)]),
        Shape::Square => Outline::Rect {
            x: middle.x - 0.27 * unit,
            y: middle.y - 0.27 * unit,
            width: 0.54 * unit,
            height: 0.54 * unit,
            radius: 0.04 * unit,
        },
        Shape::Hexagon => polygon(&[
            (0.34, 0.0),
            (0.17, 0.294),
            (-0.17, 0.294),
            (-0.34, 0.0),
            (-0.17, -0.294),
            (0.17, -0.294),
        ]),
    }
}

/// How far the letter of a target is below the middle of its cell, in cells: the centroid of a
/// triangle is below the middle of its bounding box.
pub(crate) fn letter_drop(shape: Shape) -> f32 {
    if shape == Shape::Triangle { 0.09 } else { 0.0 }
}

/// The height of the largest letter that fits into the shape of a target, in cells.
pub(crate) fn largest_letter(shape: Shape) -> f32 {
    if shape == Shape::Triangle { 0.25 } else { 0.34 }
}

/// The four curved blades of the vortex, clockwise.
pub(crate) fn vortex(middle: Point, unit: f32) -> [Outline; 4] {
    [0, 1, 2, 3].map(|turn| {
        // Each blade is a quarter turn clockwise from the last.
        let place = |x: f32, y: f32| {
            let (x, y) = match turn {
                0 => (x, y),
                1 => (-y, x),
                2 => (-x, -y),
                _ => (y, -x),
            };
            middle.plus(x * unit, y * unit)
        };
        Outline::Path(vec![
            Segment::Move(place(0.0, 0.0)),
            Segment::Cubic(place(-0.16, -0.1), place(-0.16, -0.3), place(0.02, -0.35)),
            Segment::Cubic(place(0.2, -0.37), place(0.31, -0.24), place(0.32, -0.1)),
            Segment::Cubic(place(0.22, -0.2), place(0.06, -0.2), place(0.0, 0.0)),
            Segment::Close,
        ])
    })
}
