//! The editions of the printed game, and the layouts that each of them has.

use std::fmt;
use std::str::FromStr;

use super::{Layout, Quadrant};

/// An edition of the printed game, which decides the quadrants.
///
/// ```
/// use ricochet_core::quadrants::Edition;
/// let has_diagonals = |edition: Edition| {
///     edition.layouts().iter().step_by(5).any(|layout| !layout.board().diagonals().is_empty())
/// };
/// assert!(!has_diagonals(Edition::Of1999));
/// assert!(has_diagonals(Edition::Of2003) && has_diagonals(Edition::Of2013));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Edition {
    /// Sides A and B: 96 layouts.
    Of1999,
    /// Sides C and D, the latter with diagonals: 96 layouts.
    Of2003,
    /// Sides A, B, C and D: 1,536 layouts.
    Of2013,
}

impl Edition {
    /// All editions, oldest first.
    pub const ALL: [Self; 3] = [Self::Of1999, Self::Of2003, Self::Of2013];

    /// The year by which it is known.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Of1999 => "1999",
            Self::Of2003 => "2003",
            Self::Of2013 => "2013",
        }
    }

    /// Whether it has this quadrant.
    pub const fn has(self, quadrant: Quadrant) -> bool {
        let face = quadrant.face as usize;
        self.first_face() <= face && face < self.first_face() + self.faces()
    }

    /// All layouts of this edition, tile 1 in the north-west.
    pub fn layouts(self) -> Vec<Layout> {
        (0..self.layout_count())
            .map(|index| self.layout(index))
            .collect()
    }

    /// The number of layouts.
    pub const fn layout_count(self) -> usize {
        TILE_ORDERS.len() * self.faces().pow(4)
    }

    /// The layout with an index below [`Edition::layout_count`], in the order of
    /// [`Edition::layouts`].
    ///
    /// # Panics
    /// If there is no such layout.
    pub fn layout(self, index: usize) -> Layout {
        let faces = self.faces();
        let tiles = TILE_ORDERS[index / faces.pow(4)];
        let mut quadrants = tiles.map(|tile| Quadrant { tile, face: 0 });
        let mut rest = index % faces.pow(4);
        for quadrant in quadrants.iter_mut().rev() {
            quadrant.face = (self.first_face() + rest % faces) as u8;
            rest /= faces;
        }
        Layout { quadrants }
    }

    /// Faces of each tile.
    const fn faces(self) -> usize {
        match self {
            Self::Of1999 | Self::Of2003 => 2,
            Self::Of2013 => 4,
        }
    }

    /// The first of its faces.
    const fn first_face(self) -> usize {
        match self {
            Self::Of1999 | Self::Of2013 => 0,
            Self::Of2003 => 2,
        }
    }
}

/// The orders of the tiles, up to rotation of the board.
const TILE_ORDERS: [[u8; 4]; 6] = [
    [0, 1, 2, 3],
    [0, 1, 3, 2],
    [0, 2, 1, 3],
    [0, 2, 3, 1],
    [0, 3, 1, 2],
    [0, 3, 2, 1],
];

impl fmt::Display for Edition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Edition {
    type Err = ParseEditionError;

    fn from_str(name: &str) -> Result<Self, ParseEditionError> {
        Self::ALL
            .into_iter()
            .find(|edition| edition.name() == name.trim())
            .ok_or_else(|| ParseEditionError {
                name: name.chars().take(40).collect(),
            })
    }
}

/// An unknown name of an edition.
///
/// ```
/// use ricochet_core::quadrants::Edition;
/// let error = "1998".parse::<Edition>().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "there is no edition '1998': expected 1999 (sides A and B), 2003 (C and D, with diagonals) \
///      or 2013 (all four)"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseEditionError {
    /// The name.
    pub name: String,
}

impl fmt::Display for ParseEditionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "there is no edition '{}': expected 1999 (sides A and B), 2003 (C and D, with \
             diagonals) or 2013 (all four)",
            self.name.escape_debug()
        )
    }
}

impl std::error::Error for ParseEditionError {}
