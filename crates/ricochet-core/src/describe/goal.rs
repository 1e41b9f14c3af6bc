//! The goal in words: as a player names it, and as a sentence that is printed and read back.

use std::fmt;
use std::str::FromStr;

use super::DescriptionError;
use super::position::robot_named;
use super::words::{Token, named, take_cell, tokens};
use crate::board::{Board, Shape, Target};
use crate::geometry::Cell;
use crate::notation::{Item, Reason, short};
use crate::puzzle::{Goal, Puzzle, Setup};
use crate::quadrants::Layout;
use crate::robot::Robot;

/// A player's description of the goal: robot, shape, cell. Its meaning depends on the board.
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
    /// Which robot has to arrive, if stated.
    who: Option<RobotName>,
    shape: Option<Shape>,
    cell: Option<Cell>,
}

/// Which robot has to arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum RobotName {
    Any,
    One(Robot),
}

impl RobotName {
    fn robot(self) -> Option<Robot> {
        match self {
            Self::Any => None,
            Self::One(robot) => Some(robot),
        }
    }
}

impl From<Option<Robot>> for RobotName {
    fn from(robot: Option<Robot>) -> Self {
        robot.map_or(Self::Any, Self::One)
    }
}

impl From<Goal> for GoalDescription {
    fn from(goal: Goal) -> Self {
        Self {
            who: Some(goal.robot.into()),
            shape: None,
            cell: Some(goal.cell),
        }
    }
}

impl From<Target> for GoalDescription {
    fn from(target: Target) -> Self {
        Self {
            who: Some(target.robot.into()),
            shape: Some(target.shape),
            cell: Some(target.cell),
        }
    }
}

impl GoalDescription {
    /// The goal that the words mean on a board with these printed targets.
    ///
    /// # Errors
    /// If they match no target or several; the message lists the targets.
    pub fn goal(self, targets: &[Target]) -> Result<Goal, DescriptionError> {
        // Robot and cell are enough.
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
            ([], Some(Cell { x, y })) if self.shape.is_none() => Err(Reason::NoTargetAt {
                x: x.into(),
                y: y.into(),
            }),
            ([], _) if targets.is_empty() => Err(Reason::NoTargets {
                goal: self.to_string(),
                expected: Item::CellForms,
            }),
            ([], _) => Err(Reason::NoSuchTarget {
                goal: self.to_string(),
                targets: target_names(targets),
            }),
            (several, _) => {
                let several: Vec<Target> = several.iter().copied().copied().collect();
                Err(Reason::SeveralTargets {
                    targets: target_names(&several),
                })
            }
        }
        .map_err(DescriptionError::from)
    }

    /// The cell that was named.
    pub(crate) fn cell(self) -> Option<Cell> {
        self.cell
    }

    /// Whether it needs a printed target.
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

    /// Sets a setup's goal and drops a stated optimum if the goal changes. If the words need a printed
    /// target, a board made of printed quadrants without their targets gets them.
    ///
    /// ```
    /// use ricochet_core::{Cell, describe::GoalDescription, notation};
    /// let mut setup = notation::parse_line("1A4B3B2B.18c1f0c0.B9c")?;
    /// "vortex".parse::<GoalDescription>()?.apply_to(&mut setup)?;
    /// assert_eq!((setup.active, setup.target), (None, Cell::new(8, 3)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`GoalDescription::goal`], and if the robot that has to arrive is not on the board.
    pub fn apply_to(self, setup: &mut Setup) -> Result<(), DescriptionError> {
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
            return Err(Reason::GoalRobotMissing { robot }.into());
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
        let twice = |part: Item| {
            let text = short(text.trim());
            Err(Reason::SecondPart { part, text }.into())
        };
        while let Some(first) = rest.first() {
            if let Some((cell, after)) = take_cell(rest)? {
                if wanted.cell.replace(cell).is_some() {
                    return twice(Item::CellPart);
                }
                rest = after;
                continue;
            }
            let Token::Word(word) = first else {
                return Err(Reason::found(Item::Target, named(Some(first))).into());
            };
            if let Some(shape) = shape_named(word) {
                if wanted.shape.replace(shape).is_some() {
                    return twice(Item::ShapePart);
                }
            } else if let Some(who) = robot_name(word) {
                if wanted.who.replace(who).is_some() {
                    return twice(Item::ColorPart);
                }
            } else if is_place_of_colour(&rest[1..]) && wanted.who.is_none() {
                let colours: Vec<&str> = Robot::ALL.iter().map(|robot| robot.name()).collect();
                let reason = Reason::NotAColor {
                    word: short(word),
                    colors: colours.join(", "),
                };
                return Err(reason.into());
            } else {
                return Err(Reason::NotATarget { word: short(word) }.into());
            }
            rest = &rest[1..];
        }
        if wanted == Self::default() {
            return Err(Reason::from(Item::TargetExample).into());
        }
        Ok(wanted)
    }
}

/// Whether a shape or a cell follows, so that the word before it is a colour.
fn is_place_of_colour(rest: &[Token<'_>]) -> bool {
    match rest.first() {
        Some(Token::Word(word)) if shape_named(word).is_some() => true,
        _ => matches!(take_cell(rest), Ok(Some(_))),
    }
}

/// A colour, or `any`.
fn robot_name(word: &str) -> Option<RobotName> {
    if word.eq_ignore_ascii_case("any") {
        return Some(RobotName::Any);
    }
    robot_named(word).map(RobotName::One)
}

/// A shape, by its name or by a player's name for it.
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

/// The end of the sentence if the robot must ricochet.
const WITH_A_TURN: &str = ", with at least one turn at a right angle";

/// The target printed on a cell of a board. A board without targets, as some formats keep it, is
/// recognised by its walls if it is made of printed quadrants.
///
/// ```
/// use ricochet_core::{Cell, Robot, Shape, describe::printed_target, notation};
/// let puzzle = notation::parse_line("1A4B3B2B.18c1f0c0.G6e")?.validate()?;
/// let mut setup = puzzle.to_setup();
/// setup.targets.clear();
/// let bare = setup.validate()?;
/// for puzzle in [&puzzle, &bare] {
///     let target = printed_target(puzzle.board(), Cell::new(6, 14)).unwrap();
///     assert_eq!((target.robot, target.shape), (Some(Robot::GREEN), Shape::Hexagon));
///     assert_eq!(printed_target(puzzle.board(), Cell::new(0, 0)), None);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn printed_target(board: &Board, cell: Cell) -> Option<Target> {
    let at = |targets: &[Target]| targets.iter().find(|target| target.cell == cell).copied();
    let own = board.targets();
    if let Some(target) = at(own) {
        return Some(target);
    }
    let printed = Layout::from_walls(board)?.board();
    // Other targets mean another board, even with the same walls.
    let same = own.iter().all(|target| printed.targets().contains(target));
    at(printed.targets()).filter(|_| same)
}

/// The target in a player's words: `its hexagon`, `the yellow hexagon`, `the vortex`; `None` if no
/// target is printed there.
///
/// ```
/// use ricochet_core::{describe::goal_name, notation};
/// let name = |line| goal_name(&notation::parse_line(line).unwrap().validate().unwrap());
/// assert_eq!(name("1A4B3B2B.18c1f0c0.G6e").as_deref(), Some("its hexagon"));
/// assert_eq!(name("1A4B3B2B.18c1f0c0.R6e").as_deref(), Some("the green hexagon"));
/// assert_eq!(name("1A4B3B2B.18c1f0c0.V83").as_deref(), Some("the vortex"));
/// assert_eq!(name("1A4B3B2B.18c1f0c0.R00"), None);
/// ```
pub fn goal_name(puzzle: &Puzzle) -> Option<String> {
    let goal = puzzle.goal();
    let Target { robot, shape, .. } = printed_target(puzzle.board(), goal.cell)?;
    Some(match robot {
        None => format!("the {shape}"),
        Some(owner) if goal.robot == Some(owner) => format!("its {shape}"),
        Some(owner) => format!("the {owner} {shape}"),
    })
}

/// The task in a sentence: `The red robot has to reach its circle at (4,1).`
///
/// ```
/// use ricochet_core::{describe::task, notation};
/// let task = |line| task(&notation::parse_line(line).unwrap().validate().unwrap());
/// assert_eq!(
///     task("1A4B3B2B.18c1f0c0.G6e"),
///     "The green robot has to reach its hexagon at (6,14)."
/// );
/// assert_eq!(task("1A4B3B2B.18c1f0c0.V83"), "Any robot may reach the vortex at (8,3).");
/// assert_eq!(
///     task("8x8..00.V77.m"),
///     "Any robot may reach (7,7), with at least one turn at a right angle."
/// );
/// ```
pub fn task(puzzle: &Puzzle) -> String {
    let goal = puzzle.goal();
    let who = goal.robot.map_or_else(
        || "Any robot may reach".to_owned(),
        |robot| format!("The {robot} robot has to reach"),
    );
    let what = goal_name(puzzle).map_or_else(String::new, |name| format!("{name} at "));
    let rule = if puzzle.rules().must_ricochet {
        WITH_A_TURN
    } else {
        ""
    };
    format!("{who} {what}{}{rule}.", goal.cell)
}

/// A sentence of [`task`], parsed. The target's name is ignored, as the board has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Task<'a> {
    /// The robot's colour, or `any`.
    pub(crate) who: &'a str,
    /// The cell as it is written.
    pub(crate) cell: &'a str,
    pub(crate) must_ricochet: bool,
}

/// Whether a line begins like a sentence of [`task`].
pub(crate) fn is_task(line: &str) -> bool {
    split(line).is_some()
}

/// The robot, and the rest of the sentence.
fn split(line: &str) -> Option<(&str, &str)> {
    if let Some(rest) = line.strip_prefix("Any robot may reach ") {
        return Some(("any", rest));
    }
    line.strip_prefix("The ")?
        .split_once(" robot has to reach ")
}

impl<'a> Task<'a> {
    /// The parts of a sentence without its full stop; `None` if it is another sentence.
    pub(crate) fn read(sentence: &'a str) -> Option<Result<Self, Reason>> {
        let (who, rest) = split(sentence)?;
        let with_a_turn = rest.strip_suffix(WITH_A_TURN);
        let place = with_a_turn.unwrap_or(rest);
        let (name, cell) = match place.rsplit_once(" at ") {
            Some((name, cell)) => (Some(name), cell),
            None => (None, place),
        };
        if let Some(name) = name.filter(|name| !is_goal_name(name)) {
            return Some(Err(Reason::found_text(Item::GoalName, name)));
        }
        Some(Ok(Self {
            who,
            cell,
            must_ricochet: with_a_turn.is_some(),
        }))
    }
}

/// Whether [`goal_name`] can return this text.
fn is_goal_name(name: &str) -> bool {
    let is_shape = |word: &str| Shape::from_name(word).is_some();
    let is_color = |word: &str| Robot::ALL.iter().any(|robot| robot.name() == word);
    let words: Vec<&str> = name.split(' ').collect();
    match words.as_slice() {
        ["its" | "the", shape] => is_shape(shape),
        ["the", color, shape] => is_color(color) && is_shape(shape),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_line;
    use crate::puzzle::Goal;
    use crate::quadrants::Edition;

    /// Reads back the sentence for each printed target of each layout, for every robot and for any.
    #[test]
    fn every_sentence_is_read_back() {
        let robots: Vec<Cell> = (0..4).map(|x| Cell::new(x, 0)).collect();
        for edition in Edition::ALL {
            let board = edition.layout(1).board();
            for target in board.targets() {
                let whose = std::iter::once(None).chain((0..4).map(Robot::new));
                for robot in whose {
                    let goal = Goal {
                        robot,
                        cell: target.cell,
                    };
                    let puzzle = Puzzle::new(board.clone(), &robots, goal).unwrap();
                    let sentence = task(&puzzle);
                    assert!(sentence.contains(target.shape.name()), "{sentence}");
                    let stop = sentence.strip_suffix('.').unwrap();
                    let read = Task::read(stop).unwrap().unwrap();
                    assert_eq!(read.cell, target.cell.to_string());
                    assert_eq!(read.who, robot.map_or("any", Robot::name));
                }
            }
        }
    }

    #[test]
    fn other_names_are_refused() {
        for name in ["its banana", "hexagon", "the pink circle", "its red circle"] {
            let sentence = format!("The red robot has to reach {name} at (1,2)");
            let error = Task::read(&sentence).unwrap().unwrap_err().to_string();
            assert!(error.contains(&format!("found '{name}'")), "{error}");
        }
        assert_eq!(Task::read("Robots: red (0,0)"), None);
    }

    #[test]
    fn a_board_with_targets_of_its_own_is_not_the_printed_one() {
        let mut setup = parse_line("1A4B3B2B.18c1f0c0.G6e").unwrap();
        setup.targets.retain(|target| target.cell != setup.target);
        let puzzle = setup.clone().validate().unwrap();
        assert_eq!(goal_name(&puzzle).as_deref(), Some("its hexagon"));
        setup.targets[0].shape = Shape::Vortex;
        let puzzle = setup.validate().unwrap();
        assert_eq!(goal_name(&puzzle), None);
    }
}
