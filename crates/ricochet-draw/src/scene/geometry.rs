//! The places of things in a picture, in pixels.

use ricochet_core::{Board, Cell};

use crate::scene::{Point, at};

/// The size of a cell and the place of the board.
///
/// Straight edges (cells, grid, walls) lie on whole pixels, so that they are crisp at every size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoardGeometry {
    /// The side of a cell.
    pub(crate) cell: f32,
    /// The board's north-west corner.
    pub(crate) origin: Point,
    /// The board's size.
    pub(crate) width: f32,
    pub(crate) height: f32,
}

impl BoardGeometry {
    pub(crate) fn new(board: &Board, cell: u32, coordinates: bool) -> Self {
        Self::of_size(board.width(), board.height(), cell, coordinates)
    }

    /// For a board with this many columns and rows.
    pub(crate) fn of_size(columns: usize, rows: usize, cell: u32, coordinates: bool) -> Self {
        let cell = cell as f32;
        let margin = (cell * 0.4).round();
        let height = coordinate_height(cell);
        let gutter = if coordinates {
            // Two digits of the row numbers with a little space around them.
            (cell * 0.45).max(height * 2.2 + 2.0 - margin).ceil()
        } else {
            0.0
        };
        Self {
            cell,
            origin: at(margin + gutter, margin + gutter),
            width: columns as f32 * cell,
            height: rows as f32 * cell,
        }
    }

    /// The size of a picture of the board alone.
    pub(crate) fn picture_size(&self) -> (f32, f32) {
        let margin = (self.cell * 0.4).round();
        (
            self.origin.x + self.width + margin,
            self.origin.y + self.height + margin,
        )
    }

    /// The point that is `x` and `y` cells away from the north-west corner.
    pub(crate) fn corner(&self, x: f32, y: f32) -> Point {
        self.origin.plus(x * self.cell, y * self.cell)
    }

    /// The middle of a cell.
    pub(crate) fn middle(&self, cell: Cell) -> Point {
        self.corner(f32::from(cell.x) + 0.5, f32::from(cell.y) + 0.5)
    }

    /// The distance of a point from the board's rim; negative outside the board.
    pub(crate) fn distance_inside(&self, point: Point) -> f32 {
        let x = point.x - self.origin.x;
        let y = point.y - self.origin.y;
        x.min(y).min(self.width - x).min(self.height - y)
    }

    /// Whether cells are so small that letters and digits are drawn pixel by pixel.
    pub(crate) fn is_tiny(&self) -> bool {
        self.cell < MIN_STROKED_CELL as f32
    }

    /// A length in cells.
    pub(crate) fn cells(&self, share: f32) -> f32 {
        share * self.cell
    }

    /// Even, so that a wall lies on whole pixels on both sides of its edge.
    pub(crate) fn wall_width(&self) -> f32 {
        ((self.cell * 0.045).round() * 2.0).max(2.0)
    }

    pub(crate) fn grid_width(&self) -> f32 {
        (self.cell / 40.0).round().max(1.0)
    }

    /// The height of the column and row numbers.
    pub(crate) fn coordinate_height(&self) -> f32 {
        coordinate_height(self.cell)
    }

    /// The height of capitals in captions and legends.
    pub(crate) fn text_height(&self) -> f32 {
        (self.cell * 0.27).clamp(8.0, 18.0)
    }
}

/// The smallest cells, in pixels, on which stroked letters and digits are legible.
pub(crate) const MIN_STROKED_CELL: u32 = 12;

fn coordinate_height(cell: f32) -> f32 {
    (cell * 0.22).clamp(6.0, 14.0)
}
