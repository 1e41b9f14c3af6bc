//! Official boards: sixteen quadrants, and the layouts that four of them make.
//!
//! A tile has a number 1..=4; the 1999 edition prints sides A and B, the 2003 one C and D (D with
//! diagonals), the 2013 one mixes all four. A layout names its quadrants in the order north-west,
//! north-east, south-east, south-west, as in `1A 4B 3B 2B`. Turning a whole board changes nothing,
//! so the layouts with tile 1 in the north-west are all there are: 3!·2⁴ = 96 for the 1999
//! edition, 3!·4⁴ = 1,536 for the 2013 one.

mod data;
mod edition;

use std::fmt;
use std::str::FromStr;

use crate::board::{Board, Lean, Shape};
use crate::geometry::{Cell, Direction, Symmetry};
use crate::robot::Robot;

pub use edition::{Edition, ParseEditionError};

/// The walls, targets and diagonals of a quadrant, as seen in the north-west position.
pub(crate) struct QuadrantData {
    east: &'static [(u8, u8)],
    south: &'static [(u8, u8)],
    targets: &'static [(u8, u8, Option<Robot>, Shape)],
    diagonals: &'static [(u8, u8, Lean, Robot)],
}

/// A printed quadrant, one side of a tile, such as `3B`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Quadrant {
    /// 0..4
    tile: u8,
    /// 0..4 for A..D
    face: u8,
}

impl Quadrant {
    /// The quadrant of tile 1..=4 with the letter `'A'..='D'`.
    pub fn new(tile: usize, face: char) -> Option<Self> {
        let face = "ABCD".find(face.to_ascii_uppercase())?;
        (1..=4).contains(&tile).then(|| Self {
            tile: tile as u8 - 1,
            face: face as u8,
        })
    }

    /// The tile's number, 1..=4.
    pub fn tile(self) -> usize {
        usize::from(self.tile) + 1
    }

    /// The letter, `'A'..='D'`.
    pub fn face(self) -> char {
        char::from(b'A' + self.face)
    }

    /// A board with only this quadrant, in the north-west, for pictures.
    pub fn board(self) -> Board {
        put_together(&[self], true)
    }

    fn quadrant(self) -> &'static QuadrantData {
        &data::QUADRANTS[usize::from(self.tile) * 4 + usize::from(self.face)]
    }
}

impl fmt::Display for Quadrant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.tile(), self.face())
    }
}

impl FromStr for Quadrant {
    type Err = LayoutError;

    fn from_str(text: &str) -> Result<Self, LayoutError> {
        let mut letters = text.chars();
        let quadrant = (|| {
            // `3B`, or `B3`.
            let (mut tile, mut face) = (letters.next()?, letters.next()?);
            if tile.is_ascii_alphabetic() {
                std::mem::swap(&mut tile, &mut face);
            }
            let quadrant = Self::new(tile.to_digit(10)? as usize, face)?;
            letters.next().is_none().then_some(quadrant)
        })();
        quadrant.ok_or_else(|| LayoutError::NoSuchQuadrant {
            text: text.chars().take(40).collect(),
        })
    }
}

/// Four quadrants in the order north-west, north-east, south-east, south-west.
///
/// ```
/// use ricochet_core::quadrants::Layout;
/// let layout: Layout = "1A 4B 3B 2B".parse().unwrap();
/// assert_eq!(layout.to_string(), "1A 4B 3B 2B");
/// let board = layout.board();
/// assert_eq!((board.width(), board.height(), board.targets().len()), (16, 16, 17));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Layout {
    quadrants: [Quadrant; 4],
}

impl Layout {
    /// The layout of four quadrants, in the order north-west, north-east, south-east, south-west.
    ///
    /// # Errors
    /// If a number is used twice.
    pub fn new(quadrants: [Quadrant; 4]) -> Result<Self, LayoutError> {
        for (i, quadrant) in quadrants.iter().enumerate() {
            if quadrants[..i]
                .iter()
                .any(|other| other.tile == quadrant.tile)
            {
                return Err(LayoutError::TileTwice {
                    tile: quadrant.tile(),
                });
            }
        }
        Ok(Self { quadrants })
    }

    /// The quadrants, clockwise from the north-west.
    pub fn quadrants(self) -> [Quadrant; 4] {
        self.quadrants
    }

    /// The same board turned so that tile 1 is in the north-west.
    #[must_use]
    pub fn canonical(self) -> Self {
        let first = self
            .quadrants
            .iter()
            .position(|quadrant| quadrant.tile == 0);
        let mut quadrants = self.quadrants;
        quadrants.rotate_left(first.unwrap_or(0));
        Self { quadrants }
    }

    /// The board, with its targets and diagonals, the centre closed.
    pub fn board(self) -> Board {
        self.board_with(true)
    }

    /// The board without its diagonals, as `DriftingDroids` has it.
    #[cfg(feature = "formats")]
    pub(crate) fn board_without_diagonals(self) -> Board {
        self.board_with(false)
    }

    fn board_with(self, diagonals: bool) -> Board {
        put_together(&self.quadrants, diagonals)
    }

    /// The layout with exactly this board's walls and diagonals, if any; targets do not matter.
    pub fn from_board(board: &Board) -> Option<Self> {
        Self::from_walls(board).filter(|layout| layout.board().diagonals() == board.diagonals())
    }

    /// The layout with exactly this board's walls, if any; diagonals and targets do not matter.
    ///
    /// ```
    /// use ricochet_core::{Board, quadrants::Layout};
    /// let layout: Layout = "1D 4B 3B 2B".parse().unwrap();
    /// let printed = layout.board();
    /// let plain = Board::from_parts(16, 16, printed.walls(), vec![], vec![]).unwrap();
    /// assert_eq!(Layout::from_walls(&plain), Some(layout));
    /// assert_eq!(Layout::from_board(&plain), None, "the diagonals are missing");
    /// ```
    pub fn from_walls(board: &Board) -> Option<Self> {
        if (board.width(), board.height()) != (16, 16) {
            return None;
        }
        let mut quadrants = Vec::with_capacity(4);
        for place in 0..4 {
            quadrants.push(Quadrant::in_place(place, board)?);
        }
        let layout = Self::new(quadrants.try_into().ok()?).ok()?;
        // Walls across the seams belong to either quadrant: compare the whole.
        (layout.board().walls() == board.walls()).then_some(layout)
    }
}

/// A board of which only the first quadrants are known, clockwise from the north-west. The rest is empty.
/// Sides after the fourth are ignored.
///
/// ```
/// use ricochet_core::quadrants::{Layout, partial_board};
/// let layout: Layout = "1A 4B 3B 2B".parse().unwrap();
/// let [first, second, ..] = layout.quadrants();
/// let north = partial_board(&[first, second]);
/// assert_eq!(north.targets().len(), 9);
/// assert!(north.targets().iter().all(|target| target.cell.y < 8));
/// assert_eq!(partial_board(&layout.quadrants()), layout.board());
/// ```
pub fn partial_board(quadrants: &[Quadrant]) -> Board {
    put_together(&quadrants[..quadrants.len().min(4)], true)
}

/// Places at most four quadrants.
fn put_together(quadrants: &[Quadrant], diagonals: bool) -> Board {
    let mut builder = Board::builder(16, 16);
    for (place, quadrant) in quadrants.iter().enumerate() {
        // The quadrant in place p is the north-west one, the whole board turned p times.
        let turn = Symmetry::ALL[place];
        let at = |x, y| turn.cell(Cell::new(x, y), 16, 16);
        let quadrant = quadrant.quadrant();
        for &(x, y) in quadrant.east {
            builder.add_wall(at(x, y), turn.direction(Direction::East));
        }
        for &(x, y) in quadrant.south {
            builder.add_wall(at(x, y), turn.direction(Direction::South));
        }
        builder = builder.close(at(7, 7));
        for &(x, y, robot, shape) in quadrant.targets {
            builder = builder.target(at(x, y), robot, shape);
        }
        for &(x, y, lean, color) in quadrant.diagonals.iter().filter(|_| diagonals) {
            let lean = if turn.flips_lean() {
                lean.flipped()
            } else {
                lean
            };
            builder = builder.diagonal(at(x, y), lean, color);
        }
    }
    builder.build().expect("the printed boards are valid")
}

impl Quadrant {
    /// The quadrant whose inner walls stand in a place of a board: 0 is the north-west, the others
    /// follow clockwise.
    fn in_place(place: usize, board: &Board) -> Option<Self> {
        // The quadrant in place p is the north-west one, the whole board turned p times.
        let turn = Symmetry::ALL[place];
        let has_wall =
            |x, y, side| board.has_wall(turn.cell(Cell::new(x, y), 16, 16), turn.direction(side));
        let mut east = [0u8; 8];
        let mut south = [0u8; 8];
        for y in 0..8u8 {
            for x in 0..8u8 {
                // Walls across the seams belong to either quadrant, and the centre is closed.
                let seam_or_centre = x == 7 || (x, y) == (6, 7);
                if !seam_or_centre && has_wall(x, y, Direction::East) {
                    east[usize::from(y)] |= 1 << x;
                }
                let seam_or_centre = y == 7 || (x, y) == (7, 6);
                if !seam_or_centre && has_wall(x, y, Direction::South) {
                    south[usize::from(y)] |= 1 << x;
                }
            }
        }
        let rows = |walls: &[(u8, u8)], keep: fn(u8, u8) -> bool| {
            let mut rows = [0u8; 8];
            for &(x, y) in walls.iter().filter(|&&(x, y)| keep(x, y)) {
                rows[usize::from(y)] |= 1 << x;
            }
            rows
        };
        (0..16u8)
            .map(|i| Self {
                tile: i / 4,
                face: i % 4,
            })
            .find(|quadrant| {
                let quadrant = quadrant.quadrant();
                rows(quadrant.east, |x, y| x != 7 && (x, y) != (6, 7)) == east
                    && rows(quadrant.south, |x, y| y != 7 && (x, y) != (7, 6)) == south
            })
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d] = self.quadrants;
        write!(f, "{a} {b} {c} {d}")
    }
}

impl FromStr for Layout {
    type Err = LayoutError;

    /// Four quadrants, with or without spaces, commas, dashes and the like between them.
    fn from_str(text: &str) -> Result<Self, LayoutError> {
        let separates = |c: char| c.is_whitespace() || ",;:/|-_.+&()[]".contains(c);
        let compact: String = text
            .chars()
            .take(200)
            .filter(|&c| !separates(c))
            .take(9)
            .collect();
        let letters: Vec<char> = compact.chars().collect();
        if letters.len() != 8 {
            return Err(LayoutError::NotFourQuadrants {
                text: text.chars().take(40).collect(),
            });
        }
        let mut quadrants = [Quadrant { tile: 0, face: 0 }; 4];
        for (quadrant, pair) in quadrants.iter_mut().zip(letters.chunks(2)) {
            *quadrant = pair.iter().collect::<String>().parse()?;
        }
        Self::new(quadrants)
    }
}

/// A text that is not a layout.
///
/// ```
/// use ricochet_core::quadrants::Layout;
/// let error = "1A 4B 3B 4A".parse::<Layout>().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "quadrant 4 is used twice: each of the quadrants 1 to 4 lies on the board once"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LayoutError {
    /// One part is not a quadrant.
    NoSuchQuadrant {
        /// The text.
        text: String,
    },
    /// There are not four quadrants.
    NotFourQuadrants {
        /// The text.
        text: String,
    },
    /// A number is used twice.
    TileTwice {
        /// Its number.
        tile: usize,
    },
}

impl fmt::Display for LayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchQuadrant { text } => write!(
                f,
                "'{}' is not a quadrant: expected a number 1 to 4 and a letter A to D, such as 3B",
                text.escape_debug()
            ),
            Self::NotFourQuadrants { text } => write!(
                f,
                "'{}' is not a layout: expected four quadrants (north-west, north-east, \
                 south-east, south-west), such as 1A 4B 3B 2B",
                text.escape_debug()
            ),
            Self::TileTwice { tile } => write!(
                f,
                "quadrant {tile} is used twice: each of the quadrants 1 to 4 lies on the board once"
            ),
        }
    }
}

impl std::error::Error for LayoutError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_layout_is_found_again_in_every_turn() {
        for layout in Edition::Of2013.layouts().into_iter().step_by(7) {
            let board = layout.board();
            assert_eq!(Layout::from_board(&board), Some(layout));
            let turned = board.transformed(Symmetry::ALL[1]);
            let found = Layout::from_board(&turned).expect("a turned board is a layout too");
            assert_eq!(found.canonical(), layout);
            assert_eq!(found.board(), turned);
        }
    }

    #[test]
    fn editions_have_distinct_boards_and_all_targets() {
        let mut seen = std::collections::HashSet::new();
        for layout in Edition::Of1999.layouts() {
            let board = layout.board();
            assert_eq!(board.targets().len(), 17);
            assert!(board.diagonals().is_empty());
            assert!(seen.insert(board.walls().to_vec()), "{layout} twice");
        }
    }
}
