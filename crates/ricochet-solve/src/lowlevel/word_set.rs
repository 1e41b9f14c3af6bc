//! Sets of cells for boards of any size, in as many words as the board needs.
//!
//! `ricochet_core::CellSet` always has the words of the largest board, and a search stores millions
//! of sets. The sets for 16×16 boards, with the slides of a whole set at once, are in `set`.

/// A set of cells by their index on the board. `W` words hold 64 cells each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WordSet<const W: usize>(pub(crate) [u64; W]);

impl<const W: usize> WordSet<W> {
    pub(crate) const EMPTY: Self = Self([0; W]);

    /// The set of these cells.
    #[inline]
    pub(crate) fn of(cells: &[u16]) -> Self {
        let mut set = Self::EMPTY;
        for &cell in cells {
            set.insert(cell);
        }
        set
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        // A comparison with an empty array of this length would be a call of memcmp.
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    // The remainder changes nothing for a cell of the board; it avoids the bounds check.

    #[inline]
    pub(crate) fn has(&self, cell: impl Into<usize>) -> bool {
        let cell = cell.into();
        self.0[cell / 64 % W] >> (cell % 64) & 1 != 0
    }

    #[inline]
    pub(crate) fn insert(&mut self, cell: impl Into<usize>) {
        let cell = cell.into();
        self.0[cell / 64 % W] |= 1 << (cell % 64);
    }

    #[inline]
    pub(crate) fn remove(&mut self, cell: impl Into<usize>) {
        let cell = cell.into();
        self.0[cell / 64 % W] &= !(1 << (cell % 64));
    }

    /// Removes the first cell and returns it.
    #[inline]
    pub(crate) fn take_first(&mut self) -> Option<u16> {
        let word = self.0.iter().position(|&word| word != 0)?;
        let bit = self.0[word].trailing_zeros();
        self.0[word] &= self.0[word] - 1;
        Some((word as u32 * 64 + bit) as u16)
    }

    /// Adds all cells of another set.
    #[inline]
    pub(crate) fn add(&mut self, other: &Self) {
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            *word |= more;
        }
    }

    /// The cells that are not in `other`.
    #[inline]
    pub(crate) fn without(mut self, other: &Self) -> Self {
        for (word, less) in self.0.iter_mut().zip(&other.0) {
            *word &= !less;
        }
        self
    }

    /// Its cells, in ascending order.
    pub(crate) fn cells(mut self) -> impl Iterator<Item = usize> {
        std::iter::from_fn(move || self.take_first().map(usize::from))
    }
}

#[cfg(test)]
mod tests {
    use super::WordSet;
    use std::collections::BTreeSet;

    #[test]
    fn agrees_with_a_tree() {
        let (mut set, mut tree) = (WordSet::<16>::EMPTY, BTreeSet::new());
        let mut seed = 3u32;
        for round in 0..3000 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let cell = (seed >> 22) as usize;
            assert_eq!(set.has(cell), tree.contains(&cell));
            if round % 3 == 0 {
                set.remove(cell);
                tree.remove(&cell);
            } else {
                set.insert(cell);
                tree.insert(cell);
            }
        }
        assert!(set.cells().eq(tree.iter().copied()));
        let odd: Vec<u16> = (1..1024).step_by(2).collect();
        let even = set.without(&WordSet::of(&odd));
        assert!(
            even.cells()
                .eq(tree.iter().copied().filter(|cell| cell % 2 == 0))
        );
        let mut both = even;
        both.add(&set);
        assert_eq!(both, set);
        assert_eq!(set.take_first().map(usize::from), tree.first().copied());
        assert!(!set.has(*tree.first().unwrap()));
        assert!(WordSet::<4>::EMPTY.is_empty() && !set.is_empty());
    }
}
