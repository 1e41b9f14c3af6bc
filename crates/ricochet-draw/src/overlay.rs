//! Numbers and shading per cell, laid over a board.

use ricochet_core::{Board, Cell};

/// A value for each cell of a board: distances, counts, marks.
///
/// The crate knows nothing of what the values mean; the title and the names of values go into the
/// legend.
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
    numbers: bool,
}

impl Overlay {
    /// The overlay with a value, or none, for each cell of `board`.
    pub fn new(
        title: impl Into<String>,
        board: &Board,
        value: impl FnMut(Cell) -> Option<u32>,
    ) -> Self {
        Self::from_values(title, board.cells().map(value).collect())
    }

    /// The overlay with these values, row by row. Cells beyond the last value have none.
    pub fn from_values(title: impl Into<String>, values: Vec<Option<u32>>) -> Self {
        Self {
            title: title.into(),
            values,
            names: Vec::new(),
            numbers: true,
        }
    }

    /// Explains a value in the legend, such as 1 by 'critical'.
    #[must_use]
    pub fn name(mut self, value: u32, name: impl Into<String>) -> Self {
        self.names.push((value, name.into()));
        self
    }

    /// Shades only: no numbers in the cells. For marks, where the number says nothing. In the
    /// terminal the numbers stay, as colour must not be the only sign.
    #[must_use]
    pub fn without_numbers(mut self) -> Self {
        self.numbers = false;
        self
    }

    /// What it shows.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The value of a cell of the board that it was made for.
    pub fn value(&self, board: &Board, cell: Cell) -> Option<u32> {
        self.values.get(board.index(cell)).copied().flatten()
    }

    /// The least and the greatest value, if there is any.
    pub fn range(&self) -> Option<(u32, u32)> {
        let values = || self.values.iter().flatten().copied();
        values().min().zip(values().max())
    }

    /// The names of values, in the order of the legend.
    pub fn names(&self) -> &[(u32, String)] {
        &self.names
    }

    /// Whether the cells carry numbers.
    pub fn has_numbers(&self) -> bool {
        self.numbers
    }

    /// The values that occur, ascending, each once.
    pub fn distinct(&self) -> Vec<u32> {
        let mut values: Vec<u32> = self.values.iter().flatten().copied().collect();
        values.sort_unstable();
        values.dedup();
        values
    }
}
