//! Which cells of a table have been made, for tables that are made cell by cell when they are asked for.

/// See the module's documentation.
#[derive(Clone, Debug)]
pub(super) struct Made {
    flags: [bool; 256],
    /// The cells whose flag is set, so that forgetting them costs no more than making them did.
    cells: Vec<u8>,
}

impl Made {
    pub(super) fn none() -> Self {
        Self {
            flags: [false; 256],
            cells: Vec::new(),
        }
    }

    #[inline(always)]
    pub(super) fn has(&self, cell: u8) -> bool {
        self.flags[usize::from(cell)]
    }

    /// Notes a cell that was not made before.
    #[inline(always)]
    pub(super) fn add(&mut self, cell: u8) {
        self.flags[usize::from(cell)] = true;
        self.cells.push(cell);
    }

    /// Forgets all cells, after telling of each.
    pub(super) fn forget(&mut self, mut tell: impl FnMut(usize)) {
        for cell in self.cells.drain(..).map(usize::from) {
            self.flags[cell] = false;
            tell(cell);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Made;

    #[test]
    fn tells_of_all_cells_once() {
        let mut made = Made::none();
        for cell in [3, 255, 0] {
            assert!(!made.has(cell));
            made.add(cell);
            assert!(made.has(cell));
        }
        let mut told = Vec::new();
        made.forget(|cell| told.push(cell));
        assert_eq!(told, [3, 255, 0]);
        assert!(!(0..=255).any(|cell| made.has(cell)));
        made.forget(|cell| panic!("{cell} is forgotten already"));
    }
}
