//! The colours of boards in the terminal.

use anstyle::{Ansi256Color, Style};
use ricochet_core::Robot;

use crate::overlay::Overlay;

/// Backgrounds of letters, from the 256-colour palette, in the order of [`Robot::ALL`].
const BLOCK_COLORS: [u8; 8] = [196, 34, 33, 220, 250, 208, 134, 44];
/// Colours of lines and letters, legible on black and on white.
const LINE_COLORS: [u8; 8] = [196, 34, 33, 178, 245, 208, 134, 37];
/// White letters are illegible on yellow, black ones on blue.
const LETTER_IS_BLACK: [bool; 8] = [false, true, false, true, true, true, false, true];

fn color(index: u8) -> anstyle::Color {
    Ansi256Color(index).into()
}

/// Text in a robot's colour.
pub(super) fn robot_style(robot: Robot) -> Style {
    Style::new().fg_color(Some(color(LINE_COLORS[robot.index()])))
}

/// Text on a robot's colour.
pub(super) fn robot_block(robot: Robot) -> Style {
    let ink = if LETTER_IS_BLACK[robot.index()] {
        16
    } else {
        231
    };
    Style::new()
        .fg_color(Some(color(ink)))
        .bg_color(Some(color(BLOCK_COLORS[robot.index()])))
        .bold()
}

/// Text of little importance.
pub(super) fn faint() -> Style {
    Style::new().fg_color(Some(color(242)))
}

/// An overlay's value: small values, which matter most, are the brightest.
pub(super) fn value_style(overlay: &Overlay, value: u32) -> Style {
    const RAMP: [u8; 6] = [231, 229, 222, 215, 173, 131];
    let (least, greatest) = overlay.range().unwrap_or((value, value));
    let span = u64::from(greatest - least).max(1);
    let step = u64::from(value - least) * (RAMP.len() as u64 - 1) / span;
    Style::new().fg_color(Some(color(RAMP[step as usize])))
}

/// The goal.
pub(super) fn goal_style(robot: Option<Robot>) -> Style {
    robot.map_or_else(
        || Style::new().bold().invert(),
        |robot| robot_style(robot).bold().invert(),
    )
}
