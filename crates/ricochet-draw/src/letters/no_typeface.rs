//! Boxes in place of a typeface, for builds without the feature `font`.

use crate::scene::{Point, Segment};

/// The width of a box, and from one box to the next, in heights of a capital.
const BOX: f32 = 0.6;
const ADVANCE: f32 = 0.8;

/// The characters of a text that pictures cannot show in a typeface: all of them.
pub fn missing_letters(text: &str) -> Vec<char> {
    let mut missing: Vec<char> = Vec::new();
    for character in text.chars().filter(|it| !it.is_whitespace()) {
        if !missing.contains(&character) {
            missing.push(character);
        }
    }
    missing
}

/// The width of a text with capitals of this height.
pub(crate) fn width(text: &str, height: f32) -> f32 {
    text.chars().count() as f32 * ADVANCE * height
}

/// The outlines of a text, to fill; `left` is the left end of its base line.
pub(crate) fn outlines(text: &str, left: Point, height: f32) -> Vec<Segment> {
    let mut path = Vec::new();
    for (number, character) in text.chars().enumerate() {
        if character.is_whitespace() {
            continue;
        }
        let corner = left.plus(number as f32 * ADVANCE * height, 0.0);
        path.push(Segment::Move(corner));
        path.push(Segment::Line(corner.plus(BOX * height, 0.0)));
        path.push(Segment::Line(corner.plus(BOX * height, -height)));
        path.push(Segment::Line(corner.plus(0.0, -height)));
        path.push(Segment::Close);
    }
    path
}
