//! Robots, and the ghosts of where they started.

use ricochet_core::Robot;

use crate::color::role::Role;
use crate::color::theme::Theme;
use crate::letters::glyphs::{Anchor, Font};
use crate::letters::pixels;
use crate::scene::layout::Layout;
use crate::scene::measure::{
    ROBOT_EDGE, ROBOT_LETTER, ROBOT_RADIUS, START_DASH, START_EDGE, START_LETTER, STRONG_ROBOT_EDGE,
};
use crate::scene::{Outline, Point, Scene, Stroke};

/// A robot: a disc with its letter.
pub(crate) fn robot(scene: &mut Scene, theme: &Theme, layout: Layout, robot: Robot, place: Point) {
    let text = robot.letter().to_string();
    if layout.is_tiny() {
        let color = theme.paint(Role::Robot(robot));
        scene.circle(place, layout.cells(TINY_RADIUS), color);
        pixels::draw(scene, &text, place, theme.paint(Role::Letter(robot)));
        return;
    }
    let outline = Outline::Circle {
        center: place,
        radius: layout.cells(ROBOT_RADIUS),
    };
    let edge = if theme.outlined_targets {
        STRONG_ROBOT_EDGE
    } else {
        ROBOT_EDGE
    };
    let stroke = Stroke {
        color: theme.paint(Role::Edge(robot)),
        width: layout.cells(edge).max(1.0),
        dashes: Vec::new(),
    };
    let color = theme.paint(Role::Robot(robot));
    scene.push(outline, Some(color), Some(stroke));
    let font = Font::bold(
        letter_height(layout, ROBOT_LETTER),
        theme.paint(Role::Letter(robot)),
    );
    font.draw(scene, &text, place, Anchor::Middle);
}

/// The radius of a robot on cells that are so small that nothing but its letter has room.
const TINY_RADIUS: f32 = 0.45;

/// Where a robot started: a dashed ring with its letter.
pub(crate) fn ghost(scene: &mut Scene, theme: &Theme, layout: Layout, robot: Robot, place: Point) {
    let line = theme.paint(Role::Line(robot));
    let text = robot.letter().to_string();
    if layout.is_tiny() {
        let fill = theme.paint(Role::Start(robot));
        scene.circle(place, layout.cells(TINY_RADIUS), fill);
        pixels::draw(scene, &text, place, theme.paint(Role::TargetLetter(robot)));
        return;
    }
    let outline = Outline::Circle {
        center: place,
        radius: layout.cells(ROBOT_RADIUS),
    };
    let width = layout.cells(START_EDGE).max(1.0);
    let stroke = Stroke {
        color: line,
        width,
        dashes: vec![width * START_DASH; 2],
    };
    let fill = theme.paint(Role::Start(robot));
    scene.push(outline, Some(fill), Some(stroke));
    let font = Font::bold(letter_height(layout, START_LETTER), line);
    font.draw(scene, &text, place, Anchor::Middle);
}

/// The height of a letter; on small cells it takes what the disc has room for.
fn letter_height(layout: Layout, share: f32) -> f32 {
    layout.cells(share).max(5.0).min(layout.cells(share * 1.5))
}

/// The radius of the small marker of a start on which another robot stands.
pub(crate) fn small_ghost_radius(layout: Layout) -> f32 {
    layout.cells(0.19).max(4.5).min(layout.cells(0.25))
}

/// Where a robot started, if another one stands there now: small, above everything.
pub(crate) fn small_ghost(
    scene: &mut Scene,
    theme: &Theme,
    layout: Layout,
    robot: Robot,
    place: Point,
) {
    let radius = small_ghost_radius(layout);
    scene.circle(place, radius * 1.15, theme.paint(Role::Board));
    let line = theme.paint(Role::Line(robot));
    let width = layout.cells(START_EDGE).max(1.0) * 0.8;
    let stroke = Stroke {
        color: line,
        width,
        dashes: vec![width * 1.6; 2],
    };
    let outline = Outline::Circle {
        center: place,
        radius,
    };
    scene.push(outline, Some(theme.paint(Role::Start(robot))), Some(stroke));
    if layout.is_tiny() {
        // A letter has no room: the colour has to do.
        return;
    }
    let font = Font::bold(radius * 1.05, line);
    font.draw(scene, &robot.letter().to_string(), place, Anchor::Middle);
}
