//! Cells by rows and columns: what a straight move meets is a few instructions away.

/// The largest board has so many rows and columns.
const MOST: usize = 32;

/// Cells, once by rows and once by columns, with a bit each.
#[derive(Clone, Copy)]
pub(crate) struct Lines {
    rows: [u32; MOST],
    columns: [u32; MOST],
}

impl Lines {
    pub(crate) const EMPTY: Self = Self {
        rows: [0; MOST],
        columns: [0; MOST],
    };

    // The remainders change nothing for a cell of the board: they spare the check of the bounds.

    /// Adds the cell in a row and column.
    #[inline]
    pub(crate) fn insert(&mut self, [row, column]: [u8; 2]) {
        self.rows[usize::from(row) % MOST] |= 1 << (column % 32);
        self.columns[usize::from(column) % MOST] |= 1 << (row % 32);
    }

    /// The line through a cell in direction N, E, S or W.
    #[inline]
    pub(crate) fn line(&self, [row, column]: [u8; 2], d: usize) -> u32 {
        if d.is_multiple_of(2) {
            self.columns[usize::from(column) % MOST]
        } else {
            self.rows[usize::from(row) % MOST]
        }
    }

    /// What there is in the spans of the four directions.
    #[inline]
    pub(crate) fn met(&self, place: [u8; 2], spans: [u32; 4]) -> [u32; 4] {
        let (column, row) = (self.line(place, 0), self.line(place, 1));
        [
            column & spans[0],
            row & spans[1],
            column & spans[2],
            row & spans[3],
        ]
    }
}
