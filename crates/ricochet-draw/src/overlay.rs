//! Numbers and shading per cell, laid over a board.

use ricochet_core::{Board, Cell};

/// A value for each cell of a board: distances, counts, marks.
///
/// The crate does not know what the values mean; the legend shows the title and the names of values.
///
/// ```
/// use ricochet_core::{Board, Cell};
/// use ricochet_draw::Overlay;
/// let board = Board::builder(4, 4).build().unwrap();
/// let overlay = Overlay::new("sum of the coordinates", &board, |cell| {
///     Some(u32::from(cell.x) + u32::from(cell.y))
/// });
/// assert_eq!(overlay.value(&board, Cell::new(2, 1)), Some(3));
/// assert_eq!(overlay.range(), Some((0, 6)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overlay {
    title: String,
    values: Vec<Option<u32>>,
    names: Vec<(u32, String)>,
}

impl Overlay {
    /// Computes the value of each cell of `board`.
    pub fn new(
        title: impl Into<String>,
        board: &Board,
        value: impl FnMut(Cell) -> Option<u32>,
    ) -> Self {
        Self::from_values(title, board.cells().map(value).collect())
    }

    /// Takes the values row by row. Cells beyond the last value have none.
    pub fn from_values(title: impl Into<String>, values: Vec<Option<u32>>) -> Self {
        Self {
            title: title.into(),
            values,
            names: Vec::new(),
        }
    }

    /// Names a value in the legend, such as 1 'critical'.
    #[must_use]
    pub fn name(mut self, value: u32, name: impl Into<String>) -> Self {
        self.names.push((value, name.into()));
        self
    }

    /// The title.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The value of a cell. `board` must be the board that the overlay was made for.
    pub fn value(&self, board: &Board, cell: Cell) -> Option<u32> {
        self.values.get(board.index(cell)).copied().flatten()
    }

    /// The least and the greatest value, if there are any.
    pub fn range(&self) -> Option<(u32, u32)> {
        let values = || self.values.iter().flatten().copied();
        values().min().zip(values().max())
    }

    /// The names of values, in the order of the legend.
    pub fn names(&self) -> &[(u32, String)] {
        &self.names
    }

    /// The distinct values in ascending order.
    pub fn distinct(&self) -> Vec<u32> {
        let mut values: Vec<u32> = self.values.iter().flatten().copied().collect();
        values.sort_unstable();
        values.dedup();
        values
    }
}
