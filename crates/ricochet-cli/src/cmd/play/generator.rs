//! New puzzles: on the board that the player chose, or on random ones.

use anyhow::bail;
use ricochet_core::Puzzle;
use ricochet_core::describe::plural;
use ricochet_core::generate::{BoardSource, GoalCell, Recipe};
use ricochet_core::quadrants::Edition;
use ricochet_solve::{Limits, NullObserver, Outcome, Solver};

/// After this many unsolvable positions in a row, the board is considered to have no other puzzle.
const PATIENCE: u64 = 100;

/// Makes one puzzle after the other.
pub(super) struct PuzzleGenerator {
    recipe: Recipe,
    seed: u64,
    /// The number of the next candidate.
    number: u64,
}

impl PuzzleGenerator {
    /// Random layouts of the 1999 edition, and the first puzzle on one.
    pub(super) fn on_random_boards(seed: u64) -> anyhow::Result<(Self, Puzzle)> {
        let recipe = Recipe::official(Edition::Of1999);
        let first = recipe.puzzle(seed, 0)?;
        let generator = Self {
            recipe,
            seed,
            number: 1,
        };
        Ok((generator, first))
    }

    /// The board, the number of robots and the rules of a puzzle.
    pub(super) fn on_the_board_of(puzzle: &Puzzle, seed: u64) -> Self {
        let board = puzzle.board().clone();
        let robots = puzzle.start().len();
        let has_target = board
            .targets()
            .iter()
            .any(|target| target.robot.is_none_or(|robot| robot.index() < robots));
        Self {
            recipe: Recipe {
                robots,
                goal_cell: if has_target {
                    GoalCell::PrintedTarget
                } else {
                    GoalCell::AnyCell
                },
                rules: puzzle.rules(),
                ..Recipe::on(BoardSource::Board(board))
            },
            seed,
            number: 0,
        }
    }

    /// The next puzzle that is not known to have no solution.
    ///
    /// # Errors
    /// The board has no room for another one, or none was found.
    pub(super) fn next_puzzle(
        &mut self,
        solver: &mut dyn Solver,
        limits: &Limits,
    ) -> anyhow::Result<Puzzle> {
        for _ in 0..PATIENCE {
            let puzzle = self.recipe.puzzle(self.seed, self.number)?;
            self.number += 1;
            let (outcome, _) = solver.solve(&puzzle, limits, &mut NullObserver);
            if !matches!(outcome, Outcome::Unsolvable) {
                return Ok(puzzle);
            }
        }
        bail!("no other puzzle with a solution was found on this board")
    }

    /// The message about a new puzzle.
    pub(super) fn announcement(&self) -> String {
        match self.recipe.board {
            BoardSource::Board(_) => format!(
                "A new puzzle on the same board, with {} again.",
                plural(self.recipe.robots, "robot")
            ),
            _ => "A new puzzle on a new board.".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use ricochet_core::notation;
    use ricochet_core::quadrants::Layout;
    use ricochet_solve::registry::SolverSpec;

    use super::super::targets::with_printed_targets;
    use super::*;

    fn generated(line: &str, count: usize) -> Vec<Puzzle> {
        let puzzle = notation::parse_line(line).unwrap().validate().unwrap();
        let puzzle = with_printed_targets(&puzzle).unwrap();
        let mut generator = PuzzleGenerator::on_the_board_of(&puzzle, 7);
        let mut solver = "flagship".parse::<SolverSpec>().unwrap().build();
        (0..count)
            .map(|_| {
                generator
                    .next_puzzle(solver.as_mut(), &Limits::default())
                    .unwrap()
            })
            .collect()
    }

    #[test]
    fn a_chosen_board_keeps_its_layout_and_its_number_of_robots() {
        // The second source names no target but its own; the third has five robots.
        for line in [
            "1A4B3B2B.18c1f0c0.G6e",
            "2C1B4B3C.f019d67a.Y32.t",
            "1A4B3B2B.18c1f0c033.G6e",
        ] {
            let first = notation::parse_line(line).unwrap().validate().unwrap();
            let puzzles = generated(line, 5);
            for puzzle in &puzzles {
                let layout = Layout::from_walls(puzzle.board());
                assert!(layout.is_some(), "{line}");
                assert_eq!(layout, Layout::from_walls(first.board()), "{line}");
                assert_eq!(puzzle.start().len(), first.start().len(), "{line}");
                assert!(!puzzle.is_solved(puzzle.start()), "{line}");
            }
            assert_ne!(puzzles[0], puzzles[1], "{line}");
        }
    }

    #[test]
    fn every_puzzle_on_a_board_without_targets_has_a_solution() {
        let mut solver = "flagship".parse::<SolverSpec>().unwrap().build();
        for puzzle in generated("4x3..00.R31", 20) {
            let (outcome, _) = solver.solve(&puzzle, &Limits::default(), &mut NullObserver);
            assert!(matches!(outcome, Outcome::Solved { .. }), "{puzzle:?}");
        }
    }
}
