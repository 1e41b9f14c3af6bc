//! The sizes of things, in cells: shared by the pictures and by [`crate::style_json`].

/// The radius of a robot.
pub(crate) const ROBOT_RADIUS: f32 = 0.36;
/// The width of a robot's rim.
pub(crate) const ROBOT_EDGE: f32 = 0.065;
/// How far a robot's antenna reaches above its middle, and the width of its line.
pub(crate) const ANTENNA_TOP: f32 = 0.44;
pub(crate) const ANTENNA: f32 = 0.11;
/// The same in themes whose targets are outlines.
pub(crate) const STRONG_ROBOT_EDGE: f32 = 0.11;
/// The height of the letter on a robot.
pub(crate) const ROBOT_LETTER: f32 = 0.34;
/// The width of the dashed ring where a robot started.
pub(crate) const START_EDGE: f32 = 0.045;
/// The dashes and gaps of this ring, in its widths.
pub(crate) const START_DASH: f32 = 2.2;
/// The height of the letter in this ring.
pub(crate) const START_LETTER: f32 = 0.3;
/// The height of the letter on a printed target.
pub(crate) const TARGET_LETTER: f32 = 0.2;
/// The width of the edge of a printed target.
pub(crate) const TARGET_EDGE: f32 = 0.05;
/// The same in themes whose targets have the largest letters that fit.
pub(crate) const THIN_TARGET_EDGE: f32 = 0.03;
/// The same for the vortex of the goal, whose blades have their full colours.
pub(crate) const VORTEX_EDGE: f32 = 0.03;
/// The same for the goal's target in themes whose targets are outlines.
pub(crate) const GOAL_EDGE: f32 = 0.05;
/// The size of a vortex that is not the goal, relative to one that is.
pub(crate) const VORTEX: f32 = 0.9;
/// The height of the letter on the goal's target.
pub(crate) const GOAL_LETTER: f32 = 0.24;
/// The gap between the goal's frame and the walls.
pub(crate) const GOAL_INSET: f32 = 0.05;
/// The radius of the corners of the goal's frame.
pub(crate) const GOAL_CORNER: f32 = 0.12;
/// The width of the goal's frame.
pub(crate) const GOAL_FRAME: f32 = 0.065;
/// A goal without a printed target: the ring's radius and width, the disc's radius, the letter.
pub(crate) const PLAIN_RING: f32 = 0.3;
pub(crate) const PLAIN_RING_WIDTH: f32 = 0.055;
pub(crate) const PLAIN_DISC: f32 = 0.22;
pub(crate) const PLAIN_LETTER: f32 = 0.23;
/// From the middle of a cell to a diagonal's end, along each axis.
pub(crate) const DIAGONAL_REACH: f32 = 0.36;
/// The width of a diagonal, without and with its rim.
pub(crate) const DIAGONAL: f32 = 0.11;
pub(crate) const DIAGONAL_EDGE: f32 = 0.17;
/// The height of a diagonal's letter, and its distance from the middle.
pub(crate) const DIAGONAL_LETTER: f32 = 0.19;
pub(crate) const DIAGONAL_LETTER_X: f32 = 0.27;
pub(crate) const DIAGONAL_LETTER_Y: f32 = 0.25;
/// The width of the line of a move.
pub(crate) const LINE: f32 = 0.075;
/// The length of an arrowhead, and half its width.
pub(crate) const ARROW: f32 = 0.25;
pub(crate) const ARROW_HALF: f32 = 0.13;
/// The radius of the disc with a move's number.
pub(crate) const BADGE: f32 = 0.2;
