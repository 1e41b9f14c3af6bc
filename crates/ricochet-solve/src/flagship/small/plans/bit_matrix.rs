//! Transposes sets of cells: from a set of cells for each of 64 plans to a set of plans for each
//! cell.

/// 64 sets of cells or, once transposed, 256 sets of 64 numbers.
#[derive(Clone, Debug)]
pub(super) struct BitMatrix([[u64; 4]; 64]);

impl BitMatrix {
    pub(super) const EMPTY: Self = Self([[0; 4]; 64]);

    /// Adds cells to one of the 64 sets.
    #[inline(always)]
    pub(super) fn add(&mut self, number: usize, cells: [u64; 4]) {
        for (here, more) in self.0[number].iter_mut().zip(cells) {
            *here |= more;
        }
    }

    /// Transposes the matrix, once all cells have been added: four squares of 64×64 bits at once,
    /// each by swapping ever smaller squares in it.
    #[inline(always)]
    pub(super) fn transpose(&mut self) {
        let mut size = 32;
        let mut mask = u64::MAX >> 32;
        while size > 0 {
            for block in (0..64).step_by(2 * size) {
                let (upper, lower) = self.0[block..block + 2 * size].split_at_mut(size);
                for (a, b) in upper.iter_mut().zip(lower) {
                    for (a, b) in a.iter_mut().zip(b) {
                        let swapped = (*a >> size ^ *b) & mask;
                        *a ^= swapped << size;
                        *b ^= swapped;
                    }
                }
            }
            size /= 2;
            mask ^= mask << size;
        }
    }

    /// The numbers of the sets that contain a cell, once the matrix is transposed.
    #[inline(always)]
    pub(super) fn of(&self, cell: u8) -> u64 {
        self.0[usize::from(cell & 63)][usize::from(cell >> 6)]
    }
}

#[cfg(test)]
mod tests {
    use ricochet_core::rng::Rng;

    use super::*;

    #[test]
    fn a_cell_has_the_sets_that_have_it() {
        let mut rng = Rng::new(5);
        let mut matrix = BitMatrix::EMPTY;
        let mut sets = [[0; 4]; 64];
        for (number, set) in sets.iter_mut().enumerate() {
            for _ in 0..2 {
                let cells = [(); 4].map(|()| rng.next_u64() & rng.next_u64());
                matrix.add(number, cells);
                for i in 0..4 {
                    set[i] |= cells[i];
                }
            }
        }
        matrix.transpose();
        for cell in 0..=255 {
            for (number, set) in sets.iter().enumerate() {
                let has = set[usize::from(cell >> 6)] >> (cell & 63) & 1;
                assert_eq!(matrix.of(cell) >> number & 1, has, "{cell} {number}");
            }
        }
    }
}
