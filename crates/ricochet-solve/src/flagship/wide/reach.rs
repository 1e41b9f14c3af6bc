//! Which goal-robot cells may lead to the target by moves that lower the bound alone.

use super::ways::RobotWays;
use crate::lowlevel::word_set::WordSet;

/// By where the helpers stand: all cells from which moves that lower the bound lead to the target,
/// and some more.
///
/// Such a move ends where it would end without helpers, or beside a helper. So the first of them
/// that is stopped by a helper, if there is one, starts where a helper helps, and those before it go
/// as on an empty board.
pub(crate) struct Reach<const W: usize> {
    /// Cells from which the target is reached without any help.
    unhelped: WordSet<W>,
    /// By the cell of a helper: cells from which moves may be stopped by it that lower the bound,
    /// and those that lead there on an empty board.
    helped: Vec<WordSet<W>>,
}

impl<const W: usize> Reach<W> {
    pub(crate) fn new(ways: &RobotWays, bound: &[u16], target: u16) -> Self {
        let count = bound.len();
        let mut unhelped = WordSet::EMPTY;
        unhelped.insert(target);
        // By goal-robot cell: the helpers that may help from there on. Lower cells first, so that
        // what holds where a move ends is known.
        let mut helpers = vec![WordSet::<W>::EMPTY; count];
        let mut by_bound: Vec<u16> = (0..count as u16).collect();
        by_bound.sort_by_key(|&cell| bound[usize::from(cell)]);
        let mut helped = vec![WordSet::<W>::EMPTY; count];
        for cell in by_bound {
            let lower = bound[usize::from(cell)].wrapping_sub(1);
            let mut here = WordSet::EMPTY;
            for d in 0..4 {
                let way = ways.way(cell, d);
                for pair in way.windows(2) {
                    if bound[usize::from(pair[0])] == lower {
                        here.insert(pair[1]);
                    }
                }
                let end = ways.end(cell, d);
                if bound[usize::from(end)] == lower {
                    here.add(&helpers[usize::from(end)]);
                    if unhelped.has(end) {
                        unhelped.insert(cell);
                    }
                }
            }
            helpers[usize::from(cell)] = here;
            let mut rest = here;
            while let Some(helper) = rest.take_first() {
                helped[usize::from(helper)].insert(cell);
            }
        }
        Self { unhelped, helped }
    }

    /// Bytes that it takes for so many cells.
    pub(crate) fn bytes(count: usize) -> u64 {
        ((count + 1) * size_of::<WordSet<W>>()) as u64
    }

    /// The cells for helpers on the given cells.
    #[inline]
    pub(crate) fn with(&self, helpers: impl Iterator<Item = u16>) -> WordSet<W> {
        let mut cells = self.unhelped;
        for helper in helpers {
            cells.add(&self.helped[usize::from(helper)]);
        }
        cells
    }

    /// Of `cells`, what a helper on `helper` or `others`, the cells for all other helpers, allow.
    #[inline]
    pub(crate) fn allowed(
        &self,
        cells: &WordSet<W>,
        others: &WordSet<W>,
        helper: u16,
    ) -> WordSet<W> {
        let helped = &self.helped[usize::from(helper)];
        WordSet(std::array::from_fn(|i| {
            cells.0[i] & (others.0[i] | helped.0[i])
        }))
    }
}
