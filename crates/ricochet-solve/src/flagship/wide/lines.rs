//! Cells by rows and columns, so that finding what blocks a straight move takes only a few
//! instructions.

/// The largest board has this many rows and columns.
const MAX_SIDE: usize = 32;

/// Cells, stored once by rows and once by columns, with one bit each.
#[derive(Clone, Copy)]
pub(crate) struct Lines {
    rows: [u32; MAX_SIDE],
    columns: [u32; MAX_SIDE],
}

impl Lines {
    pub(crate) const EMPTY: Self = Self {
        rows: [0; MAX_SIDE],
        columns: [0; MAX_SIDE],
    };

    // The remainders change nothing for a cell of the board; they avoid the bounds checks.

    /// Adds the cell in a row and column.
    #[inline]
    pub(crate) fn insert(&mut self, [row, column]: [u8; 2]) {
        self.rows[usize::from(row) % MAX_SIDE] |= 1 << (column % 32);
        self.columns[usize::from(column) % MAX_SIDE] |= 1 << (row % 32);
    }

    /// The line through a cell in direction N, E, S or W.
    #[inline]
    pub(crate) fn line(&self, [row, column]: [u8; 2], d: usize) -> u32 {
        if d.is_multiple_of(2) {
            self.columns[usize::from(column) % MAX_SIDE]
        } else {
            self.rows[usize::from(row) % MAX_SIDE]
        }
    }

    /// The cells of this set that lie in the spans of the four directions.
    #[inline]
    pub(crate) fn met(&self, row_column: [u8; 2], spans: [u32; 4]) -> [u32; 4] {
        let (column, row) = (self.line(row_column, 0), self.line(row_column, 1));
        [
            column & spans[0],
            row & spans[1],
            column & spans[2],
            row & spans[3],
        ]
    }
}
