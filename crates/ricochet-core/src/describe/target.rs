//! What is to be reached, in words.

use std::fmt;
use std::str::FromStr;

use super::cell::{CELL_FORMS, take_cell};
use super::error::DescriptionError;
use super::robots::robot_named;
use super::words::{Token, named, tokens};
use crate::board::{Shape, Target};
use crate::geometry::Cell;
use crate::notation::short;
use crate::puzzle::{Goal, Setup};
use crate::robot::Robot;

/// What a player says about the goal: who, which picture, where. The board decides what it means.
///
/// ```
/// use ricochet_core::{Cell, Robot, describe::GoalDescription, quadrants::Layout};
/// let board = "1A 4B 3B 2B".parse::<Layout>()?.board();
/// let goal = "green star".parse::<GoalDescription>()?.goal(board.targets())?;
/// assert_eq!((goal.robot, goal.cell), (Some(Robot::GREEN), Cell::new(6, 14)));
/// let error = "green".parse::<GoalDescription>()?.goal(board.targets()).unwrap_err();
/// assert!(error.to_string().starts_with("several targets match; name one of green square (12,1)"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct GoalDescription {
    /// Who has to arrive, if that was said.
    who: Option<Who>,
    shape: Option<Shape>,
    cell: Option<Cell>,
}

/// Who has to arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Who {
    Any,
    One(Robot),
}

impl Who {
    fn robot(self) -> Option<Robot> {
        match self {
            Self::Any => None,
            Self::One(robot) => Some(robot),
        }
    }
}

impl From<Option<Robot>> for Who {
    fn from(robot: Option<Robot>) -> Self {
        robot.map_or(Self::Any, Self::One)
    }
}

impl From<Goal> for GoalDescription {
    /// ```
    /// use ricochet_core::{Cell, Goal, Robot, describe::GoalDescription};
    /// let goal = Goal { robot: Some(Robot::BLUE), cell: Cell::new(9, 12) };
    /// assert_eq!(GoalDescription::from(goal).to_string(), "blue 9,12");
    /// ```
    fn from(goal: Goal) -> Self {
        Self {
            who: Some(goal.robot.into()),
            shape: None,
            cell: Some(goal.cell),
        }
    }
}

impl From<Target> for GoalDescription {
    /// ```
    /// use ricochet_core::{Cell, Robot, Shape, Target, describe::GoalDescription};
    /// let target = Target { cell: Cell::new(9, 12), robot: Some(Robot::BLUE), shape: Shape::Square };
    /// assert_eq!(GoalDescription::from(target).to_string(), "blue square 9,12");
    /// ```
    fn from(target: Target) -> Self {
        Self {
            who: Some(target.robot.into()),
            shape: Some(target.shape),
            cell: Some(target.cell),
        }
    }
}

impl GoalDescription {
    /// What the words mean on a board with these printed targets.
    ///
    /// ```
    /// use ricochet_core::{Goal, Cell, describe::GoalDescription};
    /// let wanted: GoalDescription = "any 3,4".parse().unwrap();
    /// assert_eq!(wanted.goal(&[]), Ok(Goal { robot: None, cell: Cell::new(3, 4) }));
    /// ```
    ///
    /// # Errors
    /// If they fit no target of the board, or several; the message lists the targets.
    pub fn goal(self, targets: &[Target]) -> Result<Goal, DescriptionError> {
        // Who and where is enough, whatever is printed there.
        if let (Some(who), None, Some(cell)) = (self.who, self.shape, self.cell) {
            return Ok(Goal {
                robot: who.robot(),
                cell,
            });
        }
        let fitting: Vec<&Target> = targets
            .iter()
            .filter(|target| {
                self.who.is_none_or(|who| who.robot() == target.robot)
                    && self.shape.is_none_or(|shape| shape == target.shape)
                    && self.cell.is_none_or(|cell| cell == target.cell)
            })
            .collect();
        match (fitting.as_slice(), self.cell) {
            ([target], _) => Ok(Goal {
                robot: target.robot,
                cell: target.cell,
            }),
            ([], Some(Cell { x, y })) if self.shape.is_none() => {
                Err(DescriptionError::new(format!(
                    "no target is printed at ({x},{y}): say who has to arrive there, such as \
                 'blue {x},{y}' or 'any {x},{y}'"
                )))
            }
            ([], _) if targets.is_empty() => Err(DescriptionError::new(format!(
                "no targets are printed on this board, so there is no {self}: give a colour and \
                 {CELL_FORMS}"
            ))),
            ([], _) => Err(DescriptionError::new(format!(
                "there is no {self} on this board: its targets are {}",
                target_names(targets)
            ))),
            (several, _) => {
                let several: Vec<Target> = several.iter().copied().copied().collect();
                Err(DescriptionError::new(format!(
                    "several targets match; name one of {}",
                    target_names(&several)
                )))
            }
        }
    }

    /// The cell that was named.
    pub(crate) fn cell(self) -> Option<Cell> {
        self.cell
    }

    /// Whether only a printed target can be meant.
    pub(crate) fn needs_a_target(self) -> bool {
        self.shape.is_some() || self.who.is_none()
    }

    /// The same words, with this cell.
    pub(crate) fn at(self, cell: Cell) -> Self {
        Self {
            cell: Some(cell),
            ..self
        }
    }

    /// Gives a setup this goal. A stated optimum is forgotten if the goal changes. A board that is
    /// made of printed sides but does not carry all their targets gets them if the words need them.
    ///
    /// ```
    /// use ricochet_core::{Cell, describe::GoalDescription, notation};
    /// let mut setup = notation::parse_line("1A4B3B2B.18c1f0c0.B9c")?;
    /// "vortex".parse::<GoalDescription>()?.aim(&mut setup)?;
    /// assert_eq!((setup.active, setup.target), (None, Cell::new(8, 3)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`GoalDescription::goal`], and if the robot that has to arrive is not on the board.
    pub fn aim(self, setup: &mut Setup) -> Result<(), DescriptionError> {
        let goal = match self.goal(&setup.targets) {
            Err(unknown) if self.needs_a_target() => {
                let printed = setup.printed_targets();
                let own = &setup.targets;
                if printed.len() == own.len() || !own.iter().all(|it| printed.contains(it)) {
                    return Err(unknown);
                }
                let goal = self.goal(&printed)?;
                setup.targets = printed;
                goal
            }
            known => known?,
        };
        if let Some(robot) = goal.robot
            && robot.index() >= setup.robots.len()
        {
            return Err(DescriptionError::new(format!(
                "the {robot} robot has to arrive, but it is not on the board: say where it stands"
            )));
        }
        let active = goal.robot.map(Robot::index);
        if (active, goal.cell) != (setup.active, setup.target) {
            setup.optimal = None;
        }
        setup.active = active;
        setup.target = goal.cell;
        Ok(())
    }
}

/// Targets by colour, shape and cell, for messages.
///
/// ```
/// use ricochet_core::{describe::target_names, quadrants::Layout};
/// let board = "1A 4B 3B 2B".parse::<Layout>().unwrap().board();
/// assert!(target_names(board.targets()).contains("vortex (8,3)"));
/// ```
pub fn target_names(targets: &[Target]) -> String {
    let name = |target: &Target| match (target.robot, target.shape) {
        (None, Shape::Vortex) => format!("vortex {}", target.cell),
        (None, shape) => format!("any {shape} {}", target.cell),
        (Some(robot), shape) => format!("{robot} {shape} {}", target.cell),
    };
    let names: Vec<String> = targets.iter().map(name).collect();
    names.join(", ")
}

impl FromStr for GoalDescription {
    type Err = DescriptionError;

    fn from_str(text: &str) -> Result<Self, DescriptionError> {
        let tokens = tokens(text)?;
        let mut rest = tokens.as_slice();
        let mut wanted = Self::default();
        let twice = |what: &str| {
            Err(DescriptionError::new(format!(
                "expected one target, found a second {what} in {}",
                short(text.trim())
            )))
        };
        while let Some(first) = rest.first() {
            if let Some((cell, after)) = take_cell(rest)? {
                if wanted.cell.replace(cell).is_some() {
                    return twice("cell");
                }
                rest = after;
                continue;
            }
            let Token::Word(word) = first else {
                return Err(DescriptionError::new(format!(
                    "expected a target, found {}",
                    named(Some(first))
                )));
            };
            if let Some(shape) = shape_named(word) {
                if wanted.shape.replace(shape).is_some() {
                    return twice("shape");
                }
            } else if let Some(who) = who_named(word) {
                if wanted.who.replace(who).is_some() {
                    return twice("colour");
                }
            } else if is_place_of_colour(&rest[1..]) && wanted.who.is_none() {
                let colours: Vec<&str> = Robot::ALL.iter().map(|robot| robot.name()).collect();
                return Err(DescriptionError::new(format!(
                    "{} is not a robot's colour: expected {}, or any",
                    short(word),
                    colours.join(", ")
                )));
            } else {
                return Err(DescriptionError::new(format!(
                    "{} is neither a colour nor a shape nor a cell: expected a target such as \
                     'green hexagon' (circle, triangle, square, hexagon), 'vortex' or 'blue 9,12'",
                    short(word)
                )));
            }
            rest = &rest[1..];
        }
        if wanted == Self::default() {
            return Err(DescriptionError::new(
                "expected a target such as 'green hexagon', 'vortex' or 'blue 9,12'",
            ));
        }
        Ok(wanted)
    }
}

/// A colour, or `any`.
/// Whether what follows is a shape or a cell, so that the word before it is meant as a colour.
fn is_place_of_colour(rest: &[Token<'_>]) -> bool {
    match rest.first() {
        Some(Token::Word(word)) if shape_named(word).is_some() => true,
        _ => matches!(take_cell(rest), Ok(Some(_))),
    }
}

fn who_named(word: &str) -> Option<Who> {
    if word.eq_ignore_ascii_case("any") {
        return Some(Who::Any);
    }
    robot_named(word).map(Who::One)
}

/// A shape, by its name or by what players call the picture.
fn shape_named(word: &str) -> Option<Shape> {
    let word = word.to_ascii_lowercase();
    match word.as_str() {
        "moon" | "disc" | "disk" | "crescent" => Some(Shape::Circle),
        "gear" | "cog" => Some(Shape::Triangle),
        "planet" | "saturn" => Some(Shape::Square),
        "star" | "sun" | "hex" => Some(Shape::Hexagon),
        "spiral" => Some(Shape::Vortex),
        name => Shape::from_name(name),
    }
}

impl fmt::Display for GoalDescription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut gap = "";
        if let Some(who) = self.who {
            f.write_str(who.robot().map_or("any", Robot::name))?;
            gap = " ";
        }
        if let Some(shape) = self.shape {
            write!(f, "{gap}{shape}")?;
            gap = " ";
        }
        if let Some(Cell { x, y }) = self.cell {
            write!(f, "{gap}{x},{y}")?;
        }
        Ok(())
    }
}
