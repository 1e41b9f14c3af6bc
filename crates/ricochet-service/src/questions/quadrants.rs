//! `quadrants` and `compose`: the printed quadrants, the editions, and positions on official layouts.

use ricochet_core::generate::Recipe;
use ricochet_core::quadrants::{Edition, Layout, Quadrant};
use ricochet_core::{Cell, Direction, Rules, Setup};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::error::Error;
use crate::json::{Coordinates, layout_pattern, to_cell};
use crate::puzzle_view::{
    DiagonalView, GoalView, PuzzleView, RulesView, TargetView, diagonals, targets,
};
use crate::request::Question;

/// Asks for the printed quadrants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Quadrants {}

/// The printed quadrants and the editions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct QuadrantsAnswer {
    /// All quadrants, from 1A to 4D.
    pub quadrants: Vec<QuadrantInfo>,
    /// The editions of the game.
    pub editions: Vec<EditionInfo>,
}

/// A printed quadrant, oriented as in the north-west corner of a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct QuadrantInfo {
    /// Tile and side, such as `1A`.
    pub name: String,
    /// The editions that have it.
    pub editions: Vec<&'static str>,
    /// The walls of its 8 by 8 cells, row by row: N=1, E=2, S=4, W=8. Walls printed on a neighbouring
    /// quadrant are not included.
    pub walls: Vec<u8>,
    /// Its targets.
    pub targets: Vec<TargetView>,
    /// Its diagonals.
    pub diagonals: Vec<DiagonalView>,
}

/// An edition of the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct EditionInfo {
    /// Its year.
    pub name: &'static str,
    /// The letters of its quadrants.
    pub faces: String,
    /// The number of different boards.
    pub layouts: usize,
}

impl EditionInfo {
    /// The facts about an edition.
    pub fn of(edition: Edition) -> Self {
        let faces = "ABCD".chars();
        let has =
            |face: &char| Quadrant::new(1, *face).is_some_and(|quadrant| edition.has(quadrant));
        Self {
            name: edition.name(),
            faces: faces.filter(has).collect(),
            layouts: edition.layout_count(),
        }
    }
}

impl QuadrantInfo {
    /// The walls, targets and diagonals of a quadrant.
    pub fn of(quadrant: Quadrant) -> Self {
        // A wall on the seam may belong to a neighbour. Our own walls are there next to any neighbour.
        let mut walls = [15; 64];
        let mut boards = Vec::new();
        for face in "ABCD".chars() {
            let others = (1..=4).filter(|&tile| tile != quadrant.tile());
            let mut quadrants = vec![quadrant];
            quadrants.extend(others.filter_map(|tile| Quadrant::new(tile, face)));
            let quadrants = quadrants.try_into().expect("four quadrants");
            let board = Layout::new(quadrants).expect("four tiles").board();
            for (i, mask) in walls.iter_mut().enumerate() {
                let cell = Cell::new(i as u8 % 8, i as u8 / 8);
                let has = |side: Direction| u8::from(board.has_wall(cell, side)) * side.wall_bit();
                *mask &= Direction::ALL.into_iter().map(has).sum::<u8>();
            }
            boards.push(board);
        }
        let mine = |cell: Cell| cell.x < 8 && cell.y < 8;
        let board = &boards[0];
        let own: Vec<_> = board
            .targets()
            .iter()
            .copied()
            .filter(|it| mine(it.cell))
            .collect();
        let turned: Vec<_> = board
            .diagonals()
            .iter()
            .copied()
            .filter(|it| mine(it.cell))
            .collect();
        let having = Edition::ALL
            .into_iter()
            .filter(|edition| edition.has(quadrant));
        Self {
            name: quadrant.to_string(),
            editions: having.map(Edition::name).collect(),
            walls: walls.to_vec(),
            targets: targets(&own),
            diagonals: diagonals(&turned),
        }
    }
}

impl Question for Quadrants {
    type Answer = QuadrantsAnswer;

    fn answer(&self, _: &mut Call<'_>) -> Result<QuadrantsAnswer, Error> {
        let tiles = (1..=4).flat_map(|tile| "ABCD".chars().map(move |face| (tile, face)));
        Ok(QuadrantsAnswer {
            quadrants: tiles
                .filter_map(|(tile, face)| Quadrant::new(tile, face))
                .map(QuadrantInfo::of)
                .collect(),
            editions: Edition::ALL.map(EditionInfo::of).to_vec(),
        })
    }
}

/// Longer lists of robots are rejected.
const MAX_ROBOT_CELLS: usize = 64;

/// Asks for a position on an official layout. Robots and goal are random unless given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Compose {
    /// Four quadrants in the order north-west, north-east, south-east, south-west: `1A4B3B2B`.
    #[schemars(extend("pattern" = layout_pattern()))]
    pub layout: String,
    /// Cells of the robots.
    #[serde(default)]
    #[schemars(length(max = MAX_ROBOT_CELLS))]
    pub robots: Option<Vec<Coordinates>>,
    /// The goal.
    #[serde(default)]
    pub goal: Option<GoalView>,
    /// Variants of the rules.
    #[serde(default)]
    pub rules: RulesView,
    /// The seed for random robots and goal. Default: 0.
    #[serde(default)]
    pub seed: u64,
}

impl Question for Compose {
    type Answer = PuzzleView;

    fn answer(&self, _: &mut Call<'_>) -> Result<PuzzleView, Error> {
        let layout: Layout = self.layout.parse()?;
        if self
            .robots
            .as_ref()
            .is_some_and(|list| list.len() > MAX_ROBOT_CELLS)
        {
            return Err(Error::bad_request(format!(
                "more than {MAX_ROBOT_CELLS} robots"
            )));
        }
        let mut setup: Setup = Recipe::layout(layout).puzzle(self.seed, 0)?.to_setup();
        if let Some(robots) = &self.robots {
            setup.robots = robots.iter().copied().map(to_cell).collect();
        }
        if let Some(goal) = self.goal {
            setup.active = goal.robot.map(|robot| robot.0.index());
            setup.target = to_cell(goal.cell);
        }
        setup.rules = Rules {
            must_ricochet: self.rules.must_ricochet,
        };
        Ok(PuzzleView::of(&setup))
    }
}

#[cfg(test)]
mod tests {
    use ricochet_core::Symmetry;

    use super::*;

    #[test]
    fn layouts_have_the_walls_of_their_four_quadrants() {
        for layout in Edition::Of2013.layouts().into_iter().step_by(5) {
            let board = layout.board();
            let mut walls = vec![0u8; 256];
            for (place, quadrant) in layout.quadrants().into_iter().enumerate() {
                let turn = Symmetry::ALL[place];
                for (i, mask) in QuadrantInfo::of(quadrant).walls.into_iter().enumerate() {
                    let cell = Cell::new(i as u8 % 8, i as u8 / 8);
                    let to = turn.cell(cell, 16, 16);
                    for side in Direction::ALL {
                        if mask & side.wall_bit() == 0 {
                            continue;
                        }
                        let side = turn.direction(side);
                        walls[board.index(to)] |= side.wall_bit();
                        if let Some(next) = to.step(side).filter(|&next| board.contains(next)) {
                            walls[board.index(next)] |= side.opposite().wall_bit();
                        }
                    }
                }
            }
            assert_eq!(walls, board.walls(), "{layout}");
        }
    }
}
