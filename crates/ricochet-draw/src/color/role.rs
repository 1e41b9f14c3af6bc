//! What each colour is for: the names by which a page can restyle a picture.

use std::fmt;

use ricochet_core::Robot;

use crate::color::Color;
use crate::color::theme::Theme;

/// What a colour is for.
///
/// A theme has a colour for each role ([`Theme::color`]). With the prefix `--rr-`, the name of a role
/// is the CSS variable in [`Picture::css_svg`](crate::Picture::css_svg).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ColorRole {
    /// Around the board.
    Background,
    /// An open cell.
    Board,
    /// The lines between cells.
    Grid,
    /// Walls and the rim.
    Wall,
    /// A closed cell.
    Closed,
    /// Text.
    Ink,
    /// Less important text.
    Faint,
    /// A robot, and the goal's tile unless [`Theme::outlined_targets`] is set.
    Robot(Robot),
    /// The rim of a robot.
    Edge(Robot),
    /// Letters and numbers on [`ColorRole::Robot`].
    Letter(Robot),
    /// The lines of a robot's moves.
    Line(Robot),
    /// The disc where a robot started.
    Start(Robot),
    /// A printed target that is not the goal; with [`Theme::outlined_targets`] any target.
    Target(Robot),
    /// The letter on [`ColorRole::Target`].
    TargetLetter(Robot),
    /// The goal's tile; `None` if any robot may reach it.
    Goal(Option<Robot>),
    /// The frame of the goal.
    GoalFrame(Option<Robot>),
    /// The rim of a diagonal; the diagonal itself is [`ColorRole::Robot`].
    DiagonalEdge(Robot),
    /// The letter next to a diagonal.
    DiagonalLetter(Robot),
}

impl ColorRole {
    /// All roles: the board's, then each robot's.
    pub fn all() -> Vec<Self> {
        let mut roles = vec![
            Self::Background,
            Self::Board,
            Self::Grid,
            Self::Wall,
            Self::Closed,
            Self::Ink,
            Self::Faint,
            Self::Goal(None),
            Self::GoalFrame(None),
        ];
        for robot in Robot::ALL {
            roles.extend([
                Self::Robot(robot),
                Self::Edge(robot),
                Self::Letter(robot),
                Self::Line(robot),
                Self::Start(robot),
                Self::Target(robot),
                Self::TargetLetter(robot),
                Self::Goal(Some(robot)),
                Self::GoalFrame(Some(robot)),
                Self::DiagonalEdge(robot),
                Self::DiagonalLetter(robot),
            ]);
        }
        roles
    }
}

impl fmt::Display for ColorRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let any = |robot: Option<Robot>| robot.map_or("any", Robot::name);
        match *self {
            Self::Background => f.write_str("background"),
            Self::Board => f.write_str("board"),
            Self::Grid => f.write_str("grid"),
            Self::Wall => f.write_str("wall"),
            Self::Closed => f.write_str("closed"),
            Self::Ink => f.write_str("ink"),
            Self::Faint => f.write_str("faint"),
            Self::Robot(robot) => f.write_str(robot.name()),
            Self::Edge(robot) => write!(f, "{}-edge", robot.name()),
            Self::Letter(robot) => write!(f, "{}-letter", robot.name()),
            Self::Line(robot) => write!(f, "{}-line", robot.name()),
            Self::Start(robot) => write!(f, "{}-start", robot.name()),
            Self::Target(robot) => write!(f, "{}-target", robot.name()),
            Self::TargetLetter(robot) => write!(f, "{}-target-letter", robot.name()),
            Self::Goal(robot) => write!(f, "{}-goal", any(robot)),
            Self::GoalFrame(robot) => write!(f, "{}-goal-frame", any(robot)),
            Self::DiagonalEdge(robot) => write!(f, "{}-diagonal-edge", robot.name()),
            Self::DiagonalLetter(robot) => write!(f, "{}-diagonal-letter", robot.name()),
        }
    }
}

impl Theme {
    /// The colour for a role. Most are mixed from the theme's few colours.
    pub fn color(&self, role: ColorRole) -> Color {
        match role {
            ColorRole::Background => self.background,
            ColorRole::Board => self.board,
            ColorRole::Grid => self.grid,
            ColorRole::Wall => self.wall,
            ColorRole::Closed => self.closed,
            ColorRole::Ink => self.ink,
            ColorRole::Faint => self.faint,
            ColorRole::Robot(robot) => self.robot(robot),
            ColorRole::Edge(_) if self.outlined_targets => self.ink,
            ColorRole::Edge(robot) => self.robot(robot).mix(self.letter_on(self.board), 0.65),
            ColorRole::Letter(robot) => self.letter_on(self.robot(robot)),
            ColorRole::Line(robot) => self.robot_line(robot),
            ColorRole::Start(robot) => self.robot(robot).mix(self.board, 0.75),
            ColorRole::Target(robot) => {
                let pale = if self.outlined_targets { 0.9 } else { 0.86 };
                self.robot(robot).mix(self.board, pale)
            }
            ColorRole::TargetLetter(robot) => {
                let inky = if self.outlined_targets { 0.7 } else { 0.35 };
                self.robot_line(robot).mix(self.ink, inky)
            }
            ColorRole::Goal(robot) => {
                let color = robot.map_or(self.ink, |robot| self.robot(robot));
                let full = robot.is_some() && !self.outlined_targets;
                color.mix(self.board, if full { 0.0 } else { 0.78 })
            }
            ColorRole::GoalFrame(robot) => {
                let line = robot.map_or(self.ink, |robot| self.robot_line(robot));
                line.mix(self.ink, 0.35)
            }
            ColorRole::DiagonalEdge(robot) => self.robot_line(robot).mix(self.wall, 0.5),
            ColorRole::DiagonalLetter(robot) => self.robot_line(robot).mix(self.ink, 0.25),
        }
    }

    /// The colour for a role, together with the role.
    pub(crate) fn paint(&self, role: ColorRole) -> Paint {
        Paint {
            color: self.color(role),
            role: Some(role),
        }
    }

    /// The theme as declarations of CSS variables, for pages that show [`css_svg`] pictures.
    ///
    /// [`css_svg`]: crate::Picture::css_svg
    pub fn css(&self) -> String {
        let declaration = |role: ColorRole| format!("--rr-{role}: {};\n", self.color(role));
        ColorRole::all().into_iter().map(declaration).collect()
    }
}

/// A colour and, if known, its role.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Paint {
    pub(crate) color: Color,
    pub(crate) role: Option<ColorRole>,
}

impl Paint {
    /// The same with an opacity of 0 to 1.
    pub(crate) fn with_opacity(mut self, opacity: f32) -> Self {
        self.color = self.color.with_opacity(opacity);
        self
    }
}

impl From<Color> for Paint {
    fn from(color: Color) -> Self {
        Self { color, role: None }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_role_has_a_name_of_its_own() {
        let names: HashSet<String> = ColorRole::all().iter().map(ColorRole::to_string).collect();
        assert_eq!(names.len(), ColorRole::all().len());
    }
}
