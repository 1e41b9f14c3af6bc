//! Random boards in the style of the printed quadrants.
//!
//! Like printed boards, they have two-sided corners away from the rim, spread over the four quarters
//! of the board and the four ways a corner can face; a target in each corner; one wall perpendicular
//! to the rim on each half of a side; and a closed centre. No two of these touch, not even at a post,
//! so every open cell can be reached from every other by single steps.

use super::GenerateError;
use crate::board::{Board, BoardBuilder, Lean, Shape};
use crate::geometry::{Cell, Direction, MAX_SIDE};
use crate::rng::Rng;
use crate::robot::Robot;

/// What a random board should have. `None` means as many as a printed board of this size would have,
/// if there is room; a number is met exactly, or the request fails.
///
/// ```
/// use ricochet_core::generate::{RandomBoard, Recipe};
/// let wanted = RandomBoard { diagonals: Some(4), ..RandomBoard::new(12, 10) };
/// let puzzle = Recipe::random(wanted).puzzle(1, 0).unwrap();
/// assert_eq!(puzzle.board().width(), 12);
/// assert_eq!(puzzle.board().diagonals().len(), 4);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RandomBoard {
    /// Columns, 2..=32.
    pub width: usize,
    /// Rows, 2..=32.
    pub height: usize,
    /// Two-sided corners; 17 on a printed board.
    pub corners: Option<usize>,
    /// Walls perpendicular to the rim; 8 on a printed board.
    pub rim_walls: Option<usize>,
    /// Diagonals; 0 by default, 8 on a printed board of D quadrants.
    pub diagonals: Option<usize>,
    /// Whether the centre is closed: two cells along an even side, one along an odd one. It needs sides
    /// of at least 3.
    pub closed_center: bool,
}

impl RandomBoard {
    /// A board as dense as a printed one, without diagonals; the centre is closed if both sides have at
    /// least 8 cells.
    pub fn new(width: usize, height: usize) -> Self {
        Self {
            width,
            height,
            corners: None,
            rim_walls: None,
            diagonals: None,
            closed_center: width >= 8 && height >= 8,
        }
    }

    pub(super) fn check(&self) -> Result<(), GenerateError> {
        let (width, height) = (self.width, self.height);
        if !(2..=MAX_SIDE).contains(&width) || !(2..=MAX_SIDE).contains(&height) {
            return Err(GenerateError::Size { width, height });
        }
        if self.closed_center && (width < 3 || height < 3) {
            return Err(GenerateError::ClosedCenter { width, height });
        }
        Ok(())
    }

    /// Cells that no robot can stand on.
    pub(super) fn closed_cells(&self) -> usize {
        if self.closed_center {
            center(self.width).len() * center(self.height).len()
        } else {
            0
        }
    }

    /// Makes the board. `first` is printed before any other target, in case there is room for only one.
    pub(super) fn build(
        &self,
        robots: usize,
        first: Option<(Option<Robot>, Shape)>,
        rng: &mut Rng,
    ) -> Result<Board, GenerateError> {
        let mut best = (0, 0);
        for _ in 0..ATTEMPTS {
            let mut site = Site::new(self);
            let rim = site.raise_rim_walls(self.wanted_rim_walls(), rng);
            let corners = site.raise_corners(self.wanted_corners(), rng);
            let enough = self.rim_walls.is_none_or(|wanted| wanted == rim)
                && self.corners.is_none_or(|wanted| wanted == corners.len());
            if enough {
                let diagonals = site.lean_diagonals(self.diagonals.unwrap_or(0), robots, rng)?;
                site.print_targets(&corners, &diagonals, robots, first, rng);
                return Ok(site
                    .builder
                    .build()
                    .expect("every part is put where it fits"));
            }
            best = best.max((rim, corners.len()));
        }
        match self.rim_walls {
            Some(asked) if asked > best.0 => Err(GenerateError::NoRoomFor {
                what: "walls at the rim",
                asked,
                placed: best.0,
            }),
            _ => Err(GenerateError::NoRoomFor {
                what: "corners",
                asked: self.corners.unwrap_or(0),
                placed: best.1,
            }),
        }
    }

    fn wanted_corners(&self) -> usize {
        self.corners
            .unwrap_or((self.width * self.height * 17 + 128) / 256)
    }

    fn wanted_rim_walls(&self) -> usize {
        self.rim_walls.unwrap_or((self.width + self.height + 2) / 4)
    }
}

/// How often a crowded board is restarted before giving up.
const ATTEMPTS: usize = 32;

/// The columns (or rows) of the closed centre.
fn center(side: usize) -> std::ops::Range<usize> {
    (side - 1) / 2..side / 2 + 1
}

/// A board under construction.
struct Site {
    width: usize,
    height: usize,
    builder: BoardBuilder,
    /// The posts between cells that are in use, `width + 1` per row.
    posts: Vec<bool>,
    /// Cells that must not get a corner or a diagonal: those of other corners and their neighbours.
    taken: Vec<bool>,
    closed: Vec<bool>,
}

impl Site {
    fn new(wanted: &RandomBoard) -> Self {
        let (width, height) = (wanted.width, wanted.height);
        let mut site = Self {
            width,
            height,
            builder: Board::builder(width, height),
            posts: vec![false; (width + 1) * (height + 1)],
            taken: vec![false; width * height],
            closed: vec![false; width * height],
        };
        if wanted.closed_center {
            for y in center(height) {
                for x in center(width) {
                    site.builder = site.builder.close(Cell::new(x as u8, y as u8));
                    site.closed[y * width + x] = true;
                    site.taken[y * width + x] = true;
                    for post in [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)] {
                        let at = site.post(post);
                        site.posts[at] = true;
                    }
                }
            }
        }
        site
    }

    fn post(&self, (x, y): (usize, usize)) -> usize {
        y * (self.width + 1) + x
    }

    /// Adds walls perpendicular to the rim to each half of a side in turn. Returns how many fit.
    fn raise_rim_walls(&mut self, wanted: usize, rng: &mut Rng) -> usize {
        let mut halves: Vec<(Direction, bool)> = Direction::ALL
            .into_iter()
            .flat_map(|side| [(side, false), (side, true)])
            .collect();
        rng.shuffle(&mut halves);
        let mut placed = 0;
        while placed < wanted {
            // If a half is full, its turn goes to the next.
            let turn = (0..halves.len())
                .map(|k| halves[(placed + k) % halves.len()])
                .find_map(|(side, second)| Some((side, self.free_rim_place(side, second, rng)?)));
            let Some((side, place)) = turn else {
                break;
            };
            self.raise_rim_wall(side, place);
            placed += 1;
        }
        placed
    }

    /// A post on a half of a side, at least two cells from the board's corners, at which a wall fits.
    fn free_rim_place(&self, side: Direction, second: bool, rng: &mut Rng) -> Option<usize> {
        let length = if side.is_horizontal() {
            self.height
        } else {
            self.width
        };
        let places: Vec<usize> = (2..length.saturating_sub(1))
            .filter(|place| (place * 2 >= length) == second)
            .filter(|&place| {
                let (outer, inner) = self.rim_posts(side, place);
                !self.posts[outer] && !self.posts[inner]
            })
            .collect();
        rng.choose(&places).copied()
    }

    /// The posts at both ends of a wall perpendicular to the rim.
    fn rim_posts(&self, side: Direction, place: usize) -> (usize, usize) {
        let (outer, inner) = match side {
            Direction::North => ((place, 0), (place, 1)),
            Direction::South => ((place, self.height), (place, self.height - 1)),
            Direction::West => ((0, place), (1, place)),
            Direction::East => ((self.width, place), (self.width - 1, place)),
        };
        (self.post(outer), self.post(inner))
    }

    fn raise_rim_wall(&mut self, side: Direction, place: usize) {
        let (last_x, last_y) = (self.width - 1, self.height - 1);
        let (x, y, wall) = match side {
            Direction::North => (place, 0, Direction::West),
            Direction::South => (place, last_y, Direction::West),
            Direction::West => (0, place, Direction::North),
            Direction::East => (last_x, place, Direction::North),
        };
        self.builder.add_wall(Cell::new(x as u8, y as u8), wall);
        let (outer, inner) = self.rim_posts(side, place);
        self.posts[inner] = true;
        // The neighbouring posts as well: two walls one cell apart would form a pocket.
        let along = if side.is_horizontal() {
            self.width + 1
        } else {
            1
        };
        for post in [outer - along, outer, outer + along] {
            self.posts[post] = true;
        }
    }

    /// Adds two-sided corners to the four quarters in turn, facing the four ways in turn. Returns their
    /// cells.
    fn raise_corners(&mut self, wanted: usize, rng: &mut Rng) -> Vec<Cell> {
        let mut cells: Vec<(usize, usize)> = (1..self.height - 1)
            .flat_map(|y| (1..self.width - 1).map(move |x| (x, y)))
            .collect();
        rng.shuffle(&mut cells);
        let mut quarters = [(false, false), (true, false), (true, true), (false, true)];
        rng.shuffle(&mut quarters);
        let mut corners: Vec<Cell> = Vec::new();
        let mut facings = Direction::ALL;
        while corners.len() < wanted {
            if corners.len().is_multiple_of(4) {
                rng.shuffle(&mut facings);
            }
            let quarter = quarters[corners.len() % 4];
            let facing = facings[corners.len() % 4];
            let in_quarter =
                |&(x, y): &(usize, usize)| (x * 2 >= self.width, y * 2 >= self.height) == quarter;
            // First as it should be, then facing any way, then anywhere.
            let place = (cells.iter().copied().filter(in_quarter))
                .map(|cell| (cell, facing))
                .chain((cells.iter().copied().filter(in_quarter)).flat_map(every_facing))
                .chain(cells.iter().copied().flat_map(every_facing))
                .find(|&(cell, facing)| self.corner_fits(cell, facing));
            let Some(((x, y), facing)) = place else {
                break;
            };
            let cell = Cell::new(x as u8, y as u8);
            self.builder.add_wall(cell, facing);
            self.builder.add_wall(cell, facing.clockwise());
            for post in corner_posts((x, y), facing) {
                let at = self.post(post);
                self.posts[at] = true;
            }
            self.take_around(x, y);
            corners.push(cell);
        }
        corners
    }

    fn corner_fits(&self, (x, y): (usize, usize), facing: Direction) -> bool {
        !self.taken[y * self.width + x]
            && corner_posts((x, y), facing)
                .into_iter()
                .all(|post| !self.posts[self.post(post)])
    }

    /// Keeps corners and diagonals off a cell and its neighbours.
    fn take_around(&mut self, x: usize, y: usize) {
        for y in y.saturating_sub(1)..(y + 2).min(self.height) {
            for x in x.saturating_sub(1)..(x + 2).min(self.width) {
                self.taken[y * self.width + x] = true;
            }
        }
    }

    /// Adds diagonals that touch neither each other nor a corner's cell, away from the rim while there
    /// is room. Returns their cells.
    fn lean_diagonals(
        &mut self,
        wanted: usize,
        robots: usize,
        rng: &mut Rng,
    ) -> Result<Vec<Cell>, GenerateError> {
        let mut cells: Vec<(usize, usize)> = (0..self.height)
            .flat_map(|y| (0..self.width).map(move |x| (x, y)))
            .collect();
        rng.shuffle(&mut cells);
        let at_rim = |&(x, y): &(usize, usize)| {
            x == 0 || y == 0 || x == self.width - 1 || y == self.height - 1
        };
        cells.sort_by_key(at_rim);
        let colors = robots.max(4);
        let mut diagonals: Vec<Cell> = Vec::new();
        for (x, y) in cells {
            if diagonals.len() == wanted {
                break;
            }
            if self.taken[y * self.width + x] {
                continue;
            }
            let cell = Cell::new(x as u8, y as u8);
            let lean = if rng.chance(1, 2) {
                Lean::Slash
            } else {
                Lean::Backslash
            };
            let builder = std::mem::replace(&mut self.builder, Board::builder(2, 2));
            self.builder = builder.diagonal(cell, lean, Robot::ALL[rng.below(colors)]);
            self.take_around(x, y);
            diagonals.push(cell);
        }
        if diagonals.len() < wanted {
            return Err(GenerateError::NoRoomFor {
                what: "diagonals",
                asked: wanted,
                placed: diagonals.len(),
            });
        }
        Ok(diagonals)
    }

    /// Adds a target to each corner while there are different ones: four shapes per robot and the
    /// vortex. A board without corners gets one target on any open cell.
    fn print_targets(
        &mut self,
        corners: &[Cell],
        diagonals: &[Cell],
        robots: usize,
        first: Option<(Option<Robot>, Shape)>,
        rng: &mut Rng,
    ) {
        let mut pictures = vec![(None, Shape::Vortex)];
        for robot in Robot::ALL.into_iter().take(robots) {
            for shape in &Shape::ALL[..4] {
                pictures.push((Some(robot), *shape));
            }
        }
        rng.shuffle(&mut pictures);
        if let Some(first) = first {
            pictures.retain(|picture| *picture != first);
            pictures.insert(0, first);
        }
        let mut cells = corners.to_vec();
        if cells.is_empty() {
            let open: Vec<Cell> = (0..self.width * self.height)
                .filter(|&index| !self.closed[index])
                .map(|index| Cell::new((index % self.width) as u8, (index / self.width) as u8))
                .filter(|cell| !diagonals.contains(cell))
                .collect();
            cells.extend(rng.choose(&open));
        }
        rng.shuffle(&mut cells);
        let mut builder = std::mem::replace(&mut self.builder, Board::builder(2, 2));
        for (cell, (robot, shape)) in cells.into_iter().zip(pictures) {
            builder = builder.target(cell, robot, shape);
        }
        self.builder = builder;
    }
}

fn every_facing(cell: (usize, usize)) -> [((usize, usize), Direction); 4] {
    Direction::ALL.map(|facing| (cell, facing))
}

/// The three posts of a corner with walls on the side `facing` and the next one clockwise.
fn corner_posts((x, y): (usize, usize), facing: Direction) -> [(usize, usize); 3] {
    let around = [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)];
    let first = facing.index();
    [0, 1, 2].map(|k| around[(first + k) % 4])
}
