//! The goal of a puzzle in words.

use ricochet_core::describe::goal_name;
use ricochet_core::{Puzzle, Robot};

/// The goal with its cell: `blue to its hexagon at (9,12)`, or `blue to (9,12)` if no target is printed
/// there.
///
/// ```
/// use ricochet_core::{Board, Cell, Goal, Puzzle, Robot};
/// use ricochet_draw::goal_text;
/// let board = Board::builder(8, 4).build().unwrap();
/// let goal = Goal { robot: Some(Robot::BLUE), cell: Cell::new(7, 3) };
/// let puzzle = Puzzle::new(board, &[(0, 0), (1, 0), (2, 0)].map(|(x, y)| Cell::new(x, y)), goal);
/// assert_eq!(goal_text(&puzzle.unwrap()), "blue to (7,3)");
/// ```
pub fn goal_text(puzzle: &Puzzle) -> String {
    let name = goal_name(puzzle).map_or_else(String::new, |name| format!("{name} at "));
    format!("{} to {name}{}", robot_name(puzzle), puzzle.goal().cell)
}

/// The goal as players say it: `blue to its hexagon`, `any robot to the vortex`. The same as
/// [`goal_text`] if no target is printed there.
///
/// ```
/// use ricochet_core::quadrants::Layout;
/// use ricochet_core::{Cell, Goal, Puzzle, Robot};
/// use ricochet_draw::goal_words;
/// let board = "1A 4B 3B 2B".parse::<Layout>().unwrap().board();
/// let robots = [(0, 0), (1, 0), (2, 0), (3, 0)].map(|(x, y)| Cell::new(x, y));
/// let target = *board.targets().iter().find(|it| it.robot == Some(Robot::YELLOW)).unwrap();
/// let words = |robot| {
///     let goal = Goal { robot, cell: target.cell };
///     goal_words(&Puzzle::new(board.clone(), &robots, goal).unwrap())
/// };
/// assert_eq!(words(Some(Robot::YELLOW)), format!("yellow to its {}", target.shape));
/// assert_eq!(words(Some(Robot::RED)), format!("red to the yellow {}", target.shape));
/// ```
pub fn goal_words(puzzle: &Puzzle) -> String {
    match goal_name(puzzle) {
        Some(name) => format!("{} to {name}", robot_name(puzzle)),
        None => goal_text(puzzle),
    }
}

fn robot_name(puzzle: &Puzzle) -> &'static str {
    puzzle.goal().robot.map_or("any robot", Robot::name)
}
