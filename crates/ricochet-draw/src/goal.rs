//! The goal of a puzzle in words.

use ricochet_core::describe::goal_name;
use ricochet_core::{Puzzle, Robot};

/// The goal with its cell: `blue to its hexagon at (9,12)`, or `blue to (9,12)` if no target is printed
/// there.
pub fn goal_description(puzzle: &Puzzle) -> String {
    let name = goal_name(puzzle).map_or_else(String::new, |name| format!("{name} at "));
    format!("{} to {name}{}", robot_name(puzzle), puzzle.goal().cell)
}

/// The goal as a caption: `blue to its hexagon`, `any robot to the vortex`; with its cell if no target
/// is printed there.
pub fn goal_caption(puzzle: &Puzzle) -> String {
    match goal_name(puzzle) {
        Some(name) => format!("{} to {name}", robot_name(puzzle)),
        None => goal_description(puzzle),
    }
}

fn robot_name(puzzle: &Puzzle) -> &'static str {
    puzzle.goal().robot.map_or("any robot", Robot::name)
}

#[cfg(test)]
mod tests {
    use ricochet_core::notation;

    use super::*;

    #[test]
    fn the_cell_is_named_unless_a_target_is_printed_there() {
        let both = |line: &str| {
            let puzzle = notation::parse_line(line).unwrap().validate().unwrap();
            [goal_caption(&puzzle), goal_description(&puzzle)]
        };
        assert_eq!(both("4x3..0012.R31"), ["red to (3,1)"; 2]);
        assert_eq!(
            both("1A4B3B2B.18c1f0c0.G6e"),
            ["green to its hexagon", "green to its hexagon at (6,14)"]
        );
        assert_eq!(both("1A4B3B2B.18c1f0c0.R6e")[0], "red to the green hexagon");
    }
}
