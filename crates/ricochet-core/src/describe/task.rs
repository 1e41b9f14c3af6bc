//! What has to be done, in a sentence: the one place where it is built, and where it is read.

use crate::board::{Board, Shape, Target};
use crate::geometry::Cell;
use crate::notation::short;
use crate::puzzle::Puzzle;
use crate::quadrants::Layout;
use crate::robot::Robot;

/// The end of the sentence if the robot must ricochet.
const WITH_A_TURN: &str = ", with at least one turn at a right angle";

/// The target that is printed on a cell of a board. A board that does not carry its targets, as in
/// sources that keep one goal alone, is known by its walls if it is made of printed sides.
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
    // A board with other targets is another board, whatever its walls.
    let same = own.iter().all(|target| printed.targets().contains(target));
    at(printed.targets()).filter(|_| same)
}

/// Where a robot has to go, as players say it: `its hexagon`, `the yellow hexagon`, `the vortex`;
/// nothing where no target is printed.
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

/// What has to be done: `The red robot has to reach its circle at (4,1).`
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

/// What [`task`] says, read back. The name of the target is not needed: the board knows it.
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

/// Who, and the rest of the sentence.
fn split(line: &str) -> Option<(&str, &str)> {
    if let Some(rest) = line.strip_prefix("Any robot may reach ") {
        return Some(("any", rest));
    }
    line.strip_prefix("The ")?
        .split_once(" robot has to reach ")
}

impl<'a> Task<'a> {
    /// The parts of a sentence without its full stop; `None` if it is another sentence.
    pub(crate) fn read(sentence: &'a str) -> Option<Result<Self, String>> {
        let (who, rest) = split(sentence)?;
        let with_a_turn = rest.strip_suffix(WITH_A_TURN);
        let place = with_a_turn.unwrap_or(rest);
        let (name, cell) = match place.rsplit_once(" at ") {
            Some((name, cell)) => (Some(name), cell),
            None => (None, place),
        };
        if let Some(name) = name.filter(|name| !is_goal_name(name)) {
            return Some(Err(format!(
                "expected a target such as 'its hexagon' or 'the vortex', found {}",
                short(name)
            )));
        }
        Some(Ok(Self {
            who,
            cell,
            must_ricochet: with_a_turn.is_some(),
        }))
    }
}

/// Whether a text is one that [`goal_name`] gives.
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

    /// Each printed target of each layout, for every robot and for any: who and where are read back.
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
            let error = Task::read(&sentence).unwrap().unwrap_err();
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
