//! Letters and digits of three by five whole pixels, for cells on which finer strokes would blur.

use crate::color::role::Paint;
use crate::scene::{Outline, Point, Scene, at, closed};

/// The height of a text, and the width of one character.
pub(crate) const HEIGHT: f32 = 5.0;
const WIDTH: f32 = 3.0;

/// The rows of a digit or of a robot's letter from the top. The highest of three bits is the leftmost.
fn rows(character: char) -> Option<[u8; 5]> {
    Some(match character {
        '0' => [0b111, 0b101, 0b101, 0b101, 0b111],
        '1' => [0b010, 0b110, 0b010, 0b010, 0b111],
        '2' => [0b111, 0b001, 0b111, 0b100, 0b111],
        '3' => [0b111, 0b001, 0b111, 0b001, 0b111],
        '4' => [0b101, 0b101, 0b111, 0b001, 0b001],
        '5' => [0b111, 0b100, 0b111, 0b001, 0b111],
        '6' => [0b111, 0b100, 0b111, 0b101, 0b111],
        '7' => [0b111, 0b001, 0b010, 0b010, 0b010],
        '8' => [0b111, 0b101, 0b111, 0b101, 0b111],
        '9' => [0b111, 0b101, 0b111, 0b001, 0b111],
        'R' => [0b110, 0b101, 0b110, 0b101, 0b101],
        'G' => [0b011, 0b100, 0b101, 0b101, 0b011],
        'B' => [0b110, 0b101, 0b110, 0b101, 0b110],
        'Y' => [0b101, 0b101, 0b010, 0b010, 0b010],
        'W' => [0b101, 0b101, 0b111, 0b111, 0b101],
        'O' => [0b010, 0b101, 0b101, 0b101, 0b010],
        'P' => [0b110, 0b101, 0b110, 0b100, 0b100],
        'C' => [0b011, 0b100, 0b100, 0b100, 0b011],
        _ => return None,
    })
}

/// The width of a text, with one pixel between its characters.
pub(crate) fn width(text: &str) -> f32 {
    (text.chars().count() as f32 * (WIDTH + 1.0) - 1.0).max(0.0)
}

/// The top left pixel of a text centred on `place`.
fn corner(text: &str, place: Point) -> Point {
    at(
        (place.x - width(text) / 2.0).round(),
        (place.y - HEIGHT / 2.0).round(),
    )
}

/// Draws digits or letters of robots around `place`, on whole pixels.
pub(crate) fn draw(scene: &mut Scene, text: &str, place: Point, color: impl Into<Paint>) {
    let mut corner = corner(text, place);
    let mut path = Vec::new();
    for character in text.chars() {
        for (y, row) in rows(character).into_iter().flatten().enumerate() {
            // Neighbours in a row become one rectangle, because a seam would show.
            for (start, end) in crate::scene::walls::runs(3, |x| row >> (2 - x) & 1 == 1) {
                let (left, right) = (corner.x + start as f32, corner.x + end as f32);
                let (top, bottom) = (corner.y + y as f32, corner.y + y as f32 + 1.0);
                path.extend(closed(&[
                    at(left, top),
                    at(right, top),
                    at(right, bottom),
                    at(left, bottom),
                ]));
            }
        }
        corner.x += WIDTH + 1.0;
    }
    if !path.is_empty() {
        scene.fill(Outline::Path(path), color);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use ricochet_core::Robot;

    use super::*;

    #[test]
    fn every_digit_and_every_robot_has_a_shape_of_its_own() {
        let letters = Robot::ALL.into_iter().map(Robot::letter);
        let shapes: HashSet<[u8; 5]> = ('0'..='9')
            .chain(letters)
            .map(|character| rows(character).expect("it is drawn"))
            .collect();
        assert_eq!(shapes.len(), 18);
    }

    #[test]
    fn two_digits_fit_into_the_smallest_cell() {
        assert!(width("22") <= 8.0);
        let corner = corner("22", at(4.0, 4.0));
        assert!(corner.x >= 0.0 && corner.x + width("22") <= 8.0);
    }
}
