//! Robots, and the ghosts of where they started.

use ricochet::Robot;

use crate::glyphs::{Anchor, Font};
use crate::layout::Layout;
use crate::scene::{Outline, Point, Scene, Stroke};
use crate::theme::Theme;

/// The radius of a robot, in cells.
pub(crate) const ROBOT_RADIUS: f32 = 0.36;

/// A robot: a disc with its letter.
pub(crate) fn robot(scene: &mut Scene, theme: &Theme, layout: Layout, robot: Robot, place: Point) {
    let color = theme.robot(robot);
    let edge = color.mix(theme.letter_on(theme.board), 0.55);
    let outline = Outline::Circle {
        center: place,
        radius: layout.cells(ROBOT_RADIUS),
    };
    let stroke = Stroke {
        color: edge,
        width: layout.cells(0.05).max(1.0),
        dashes: Vec::new(),
    };
    scene.push(outline, Some(color), Some(stroke));
    let font = Font::bold(layout.cells(0.34), theme.letter_on(color));
    font.draw(scene, &robot.letter().to_string(), place, Anchor::Middle);
}

/// Where a robot started: a dashed ring with its letter.
pub(crate) fn ghost(scene: &mut Scene, theme: &Theme, layout: Layout, robot: Robot, place: Point) {
    let line = theme.robot_line(robot);
    let outline = Outline::Circle {
        center: place,
        radius: layout.cells(ROBOT_RADIUS),
    };
    let width = layout.cells(0.045).max(1.0);
    let stroke = Stroke {
        color: line,
        width,
        dashes: vec![width * 2.2, width * 2.2],
    };
    let fill = theme.robot(robot).mix(theme.board, 0.75);
    scene.push(outline, Some(fill), Some(stroke));
    let font = Font::bold(layout.cells(0.3), line);
    font.draw(scene, &robot.letter().to_string(), place, Anchor::Middle);
}
