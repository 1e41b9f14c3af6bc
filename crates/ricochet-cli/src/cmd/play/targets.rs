//! The targets of a board in random order, like the pile of chips in the printed game.

use ricochet_core::rng::Rng;
use ricochet_core::{Goal, Puzzle, State, ValidationError};

/// The puzzle with all targets that are printed on its board; many sources contain only the goal.
pub(super) fn with_printed_targets(puzzle: &Puzzle) -> Result<Puzzle, ValidationError> {
    let mut setup = puzzle.to_setup();
    let printed = setup.printed_targets();
    if !printed.is_empty() {
        setup.targets = printed;
    }
    setup.validate()
}

/// The pile of targets that are still to come on one board.
pub(super) struct TargetPile {
    chance: Rng,
    /// The last element comes next.
    pile: Vec<Goal>,
    /// Whether there was a pile before this one.
    was_shuffled: bool,
}

/// The next target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NextTarget {
    pub(super) goal: Goal,
    /// Whether all targets of the board came before, and this is the first to come again.
    pub(super) begins_again: bool,
}

impl TargetPile {
    /// A pile that is dealt when it is first needed, in an order that depends only on the seed.
    pub(super) fn new(seed: u64) -> Self {
        Self {
            chance: Rng::new(seed),
            pile: Vec::new(),
            was_shuffled: false,
        }
    }

    /// The next target, for robots in this position. Every target comes once before any is repeated,
    /// but a target that its robot has already reached is postponed. `None` if there is no other.
    pub(super) fn next(&mut self, puzzle: &Puzzle, robots: State) -> Option<NextTarget> {
        let last = puzzle.goal();
        let can_be_played = |goal: &Goal| {
            let robots_to_move = robots.iter().filter(|&(robot, _)| {
                let wanted = goal.robot;
                wanted.is_none_or(|wanted| wanted == robot)
            });
            let mut cells = robots_to_move.map(|(_, cell)| cell).peekable();
            *goal != last && cells.peek().is_some() && cells.all(|cell| cell != goal.cell)
        };
        let is_used_up = !self.pile.iter().any(can_be_played);
        let begins_again = is_used_up && self.was_shuffled;
        if is_used_up {
            self.pile = puzzle
                .board()
                .targets()
                .iter()
                .map(|target| Goal {
                    robot: target.robot,
                    cell: target.cell,
                })
                // The first round was played before there was a pile.
                .filter(|goal| self.was_shuffled || *goal != last)
                .collect();
            self.chance.shuffle(&mut self.pile);
            self.was_shuffled = true;
        }
        let at = self.pile.iter().rposition(can_be_played)?;
        Some(NextTarget {
            goal: self.pile.remove(at),
            begins_again,
        })
    }
}

#[cfg(test)]
mod tests {
    use ricochet_core::{Cell, Robot, notation};

    use super::*;

    #[test]
    fn every_target_of_a_board_comes_once_before_one_comes_again() {
        // The second source names no target but its own.
        for line in ["1A4B3B2B.18d1f0c0.G6e", "2C1B4B3C.f019d67a.Y32.t"] {
            let puzzle = notation::parse_line(line).unwrap().validate().unwrap();
            let mut puzzle = with_printed_targets(&puzzle).unwrap();
            let robots = puzzle.start();
            let mut targets = TargetPile::new(7);
            let mut seen = vec![puzzle.goal()];
            for round in 2..=2 * 17 + 1 {
                let next = targets.next(&puzzle, robots).unwrap();
                assert_ne!(next.goal, puzzle.goal(), "round {round}");
                assert_eq!(next.begins_again, round % 17 == 1, "round {round}");
                if next.begins_again {
                    seen.clear();
                }
                assert!(!seen.contains(&next.goal), "round {round}");
                seen.push(next.goal);
                puzzle = puzzle.with_position(robots.cells(), next.goal).unwrap();
            }
        }
    }

    #[test]
    fn a_target_that_is_reached_already_waits() {
        let puzzle = notation::parse_line("1A4B3B2B.18d1f0c0.G6e").unwrap();
        let puzzle = puzzle.validate().unwrap();
        let goals: Vec<Goal> = {
            let targets = puzzle.board().targets().iter();
            let goals = targets.map(|target| Goal {
                robot: target.robot,
                cell: target.cell,
            });
            goals
                .filter(|goal| goal.robot == Some(Robot::RED))
                .collect()
        };
        let mut cells = puzzle.start().cells().to_vec();
        cells[0] = goals[0].cell;
        let robots = State::new(&cells).unwrap();
        let mut targets = TargetPile::new(7);
        for _ in 0..40 {
            let next = targets.next(&puzzle, robots).unwrap();
            assert_ne!(next.goal, goals[0]);
        }
    }

    #[test]
    fn a_board_without_printed_targets_has_no_next_one() {
        let puzzle = notation::parse_line("4x3..0012.R31").unwrap();
        let puzzle = puzzle.validate().unwrap();
        let robots = State::new(&[Cell::new(0, 0)]).unwrap();
        let next = TargetPile::new(1).next(&puzzle, robots);
        assert_eq!(next, None);
    }
}
