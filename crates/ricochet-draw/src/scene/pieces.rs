//! Robots and the markers of their starts.

use ricochet_core::Robot;

use crate::color::role::{ColorRole, Paint};
use crate::color::theme::Theme;
use crate::letters::glyphs::{Anchor, Font};
use crate::letters::pixels;
use crate::scene::geometry::BoardGeometry;
use crate::scene::measure::{
    ANTENNA, ANTENNA_TOP, ROBOT_EDGE, ROBOT_LETTER, ROBOT_RADIUS, START_DASH, START_EDGE,
    START_LETTER, STRONG_ROBOT_EDGE,
};
use crate::scene::{Outline, Point, Scene, Stroke};

/// Draws a robot: a disc with its letter, and an antenna that tells it from a round target.
pub(crate) fn robot(
    scene: &mut Scene,
    theme: &Theme,
    geometry: BoardGeometry,
    robot: Robot,
    place: Point,
) {
    let (fill, ink) = (
        theme.paint(ColorRole::Robot(robot)),
        theme.paint(ColorRole::Letter(robot)),
    );
    if geometry.is_tiny() {
        tiny_disc(scene, geometry, robot, place, [fill, ink]);
        return;
    }
    let edge = if theme.outlined_targets {
        STRONG_ROBOT_EDGE
    } else {
        ROBOT_EDGE
    };
    let stroke = Stroke {
        color: theme.paint(ColorRole::Edge(robot)),
        width: geometry.cells(edge).max(1.0),
        dashes: Vec::new(),
    };
    let radius = geometry.cells(ROBOT_RADIUS);
    let antenna = [radius, geometry.cells(ANTENNA_TOP)].map(|up| place.plus(0.0, -up));
    scene.polyline(&antenna, geometry.cells(ANTENNA), stroke.color, &[]);
    scene.push(disc(place, radius), Some(fill), Some(stroke));
    let font = Font::bold(letter_height(geometry, ROBOT_LETTER), ink);
    font.draw(scene, &robot.letter().to_string(), place, Anchor::Middle);
}

/// Draws the start of a robot: a dashed ring with its letter.
pub(crate) fn start_marker(
    scene: &mut Scene,
    theme: &Theme,
    geometry: BoardGeometry,
    robot: Robot,
    place: Point,
) {
    let line = theme.paint(ColorRole::Line(robot));
    let fill = theme.paint(ColorRole::Start(robot));
    if geometry.is_tiny() {
        let ink = theme.paint(ColorRole::TargetLetter(robot));
        tiny_disc(scene, geometry, robot, place, [fill, ink]);
        return;
    }
    let width = geometry.cells(START_EDGE).max(1.0);
    let stroke = Stroke {
        color: line,
        width,
        dashes: vec![width * START_DASH; 2],
    };
    let radius = geometry.cells(ROBOT_RADIUS);
    scene.push(disc(place, radius), Some(fill), Some(stroke));
    let font = Font::bold(letter_height(geometry, START_LETTER), line);
    font.draw(scene, &robot.letter().to_string(), place, Anchor::Middle);
}

/// The radius of a robot on cells that have room for nothing but its letter.
const TINY_RADIUS: f32 = 0.45;

/// A disc with a letter of whole pixels.
fn tiny_disc(
    scene: &mut Scene,
    geometry: BoardGeometry,
    robot: Robot,
    place: Point,
    [fill, ink]: [Paint; 2],
) {
    scene.circle(place, geometry.cells(TINY_RADIUS), fill);
    pixels::draw(scene, &robot.letter().to_string(), place, ink);
}

fn disc(center: Point, radius: f32) -> Outline {
    Outline::Circle { center, radius }
}

/// The height of a letter; on small cells as high as fits into the disc.
fn letter_height(geometry: BoardGeometry, share: f32) -> f32 {
    geometry
        .cells(share)
        .max(5.0)
        .min(geometry.cells(share * 1.5))
}

/// The radius of [`small_start_marker`].
pub(crate) fn small_start_radius(geometry: BoardGeometry) -> f32 {
    geometry.cells(0.19).max(4.5).min(geometry.cells(0.25))
}

/// Draws the start of a robot if another robot stands there now: small and above everything.
pub(crate) fn small_start_marker(
    scene: &mut Scene,
    theme: &Theme,
    geometry: BoardGeometry,
    robot: Robot,
    place: Point,
) {
    let radius = small_start_radius(geometry);
    scene.circle(place, radius * 1.15, theme.paint(ColorRole::Board));
    let line = theme.paint(ColorRole::Line(robot));
    let width = geometry.cells(START_EDGE).max(1.0) * 0.8;
    let stroke = Stroke {
        color: line,
        width,
        dashes: vec![width * 1.6; 2],
    };
    let fill = theme.paint(ColorRole::Start(robot));
    scene.push(disc(place, radius), Some(fill), Some(stroke));
    if geometry.is_tiny() {
        // There is no room for a letter.
        return;
    }
    let font = Font::bold(radius * 1.05, line);
    font.draw(scene, &robot.letter().to_string(), place, Anchor::Middle);
}
