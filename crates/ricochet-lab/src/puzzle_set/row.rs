//! [`Row`]: one rated position.

use anyhow::{Context, Result};
use ricochet_core::generate::{GoalCell, Recipe};
use ricochet_core::quadrants::{Edition, Layout};
use ricochet_core::{Puzzle, notation};
use ricochet_solve::difficulty::{Features, Theme};
use ricochet_solve::flagship::Flagship;
use ricochet_solve::{Budget, Limits, NullObserver, Outcome, Solver};
use serde::{Deserialize, Serialize};

/// Positions that take more nodes than this to solve and to rate are left out. The limit counts nodes,
/// not time, so that the rows are the same everywhere.
const NODES: u64 = 100_000;

/// The columns, named like those of lichess's puzzle database.
pub const COLUMNS: [&str; 9] = [
    "PuzzleId",
    "Position",
    "Moves",
    "Rating",
    "RatingDeviation",
    "Length",
    "Solutions",
    "Themes",
    "Layout",
];

/// One puzzle of the set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// `S33-17`: the seed and the number.
    pub id: String,
    /// The puzzle in one-line notation.
    pub position: String,
    /// A shortest solution.
    pub moves: String,
    /// The rating.
    pub rating: i32,
    /// The deviation of the rating.
    pub deviation: i32,
    /// The number of moves of a shortest solution.
    pub length: u32,
    /// The number of shortest solutions.
    pub solutions: u64,
    /// The themes of all shortest solutions, separated by spaces.
    pub themes: String,
    /// The layout of the board.
    pub layout: String,
}

impl Row {
    /// The number of the candidate.
    pub(super) fn number(&self) -> u64 {
        let number = self.id.rsplit('-').next();
        number.and_then(|it| it.parse().ok()).unwrap_or(u64::MAX)
    }

    /// Whether the board is one of the 1999 edition.
    pub(super) fn is_of_1999(&self) -> bool {
        let mut sides = self.layout.split(' ');
        sides.all(|it| it.ends_with(['A', 'B']))
    }

    /// The themes.
    pub fn theme_list(&self) -> impl Iterator<Item = Theme> + '_ {
        let names = self.themes.split_whitespace();
        names.filter_map(|name| name.parse().ok())
    }

    /// The puzzle.
    ///
    /// # Errors
    /// If the position cannot be read.
    pub fn puzzle(&self) -> Result<Puzzle> {
        let read = || notation::parse_line(&self.position).ok()?.validate().ok();
        read().with_context(|| format!("'{}' is not a position", self.position))
    }
}

/// Random positions by number.
pub(super) struct Candidates {
    seed: u64,
    recipes: [Recipe; 4],
}

impl Candidates {
    pub(super) fn new(seed: u64) -> Self {
        let official = Recipe::official(Edition::Of1999);
        let any_cell = Recipe {
            goal_cell: GoalCell::AnyCell,
            ..official.clone()
        };
        let with_diagonals = Recipe::official(Edition::Of2013);
        Self {
            seed,
            recipes: [official.clone(), official, any_cell, with_diagonals],
        }
    }

    /// Half of the positions have a printed target of the 1999 edition. Printed targets are in corners,
    /// so a quarter have their target on any open cell: only there can a robot stop the goal robot on
    /// the target, or the goal robot slide over it. The last quarter is on boards of the 2013
    /// edition, most of which have diagonals.
    fn puzzle(&self, number: u64) -> Result<Puzzle> {
        let recipe = &self.recipes[number as usize % self.recipes.len()];
        Ok(recipe.puzzle(self.seed, number)?)
    }

    /// The row of a candidate; `None` if its shortest solutions are too many, or take too long.
    pub(super) fn rate(&self, number: u64, solver: &mut Flagship) -> Result<Option<Row>> {
        let puzzle = self.puzzle(number)?;
        let limits = Limits {
            nodes: Some(NODES),
            ..Limits::default()
        };
        let (outcome, stats) = solver.solve(&puzzle, &limits, &mut NullObserver);
        let Outcome::Solved {
            solution,
            optimal: true,
            ..
        } = outcome
        else {
            return Ok(None);
        };
        let left = Budget::after_search(&limits, solver, &stats).left();
        let features = Features::of(&puzzle, solution.len() as u32, &left);
        let features = features.ok().flatten();
        let Some(features) = features else {
            return Ok(None);
        };
        let Some(lines) = &features.lines else {
            return Ok(None);
        };
        let themes: Vec<&str> = lines.themes.all().map(Theme::name).collect();
        let layout =
            Layout::from_board(puzzle.board()).context("an official board has a layout")?;
        Ok(Some(Row {
            id: format!("S{}-{number}", self.seed),
            position: notation::to_line(&puzzle),
            moves: solution.to_string(),
            rating: features.rating.rounded(),
            deviation: features.rating.deviation.round() as i32,
            length: features.length,
            solutions: features.solutions,
            themes: themes.join(" "),
            layout: layout.to_string(),
        }))
    }
}
