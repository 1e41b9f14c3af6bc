//! The goal-robot cells from which lowering moves alone may lead to the target.

use super::ways::RobotWays;
use crate::lowlevel::word_set::WordSet;

/// By helper cell: all goal-robot cells from which lowering moves lead to the target, and some
/// others.
///
/// A lowering move ends on the same cell as without helpers, or next to a helper. So the first of
/// these moves that a helper stops, if any, starts on a cell from which that helper helps, and the
/// moves before it are the same as on an empty board.
pub(crate) struct Reach<const W: usize> {
    /// Cells from which the target is reached without help.
    unhelped: WordSet<W>,
    /// By helper cell: the goal-robot cells from which this helper may stop a lowering move, and
    /// the cells that lead there by lowering moves on an empty board.
    helped: Vec<WordSet<W>>,
}

impl<const W: usize> Reach<W> {
    pub(crate) fn new(ways: &RobotWays, bound: &[u16], target: u16) -> Self {
        let count = bound.len();
        let mut unhelped = WordSet::EMPTY;
        unhelped.insert(target);
        // By goal-robot cell: the helper cells that may help from there on. Cells with lower bounds
        // come first, so the result for a move's end is already known.
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

    /// The bytes it takes for this many cells.
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

    /// The members of `cells` that may lead to the target with a helper on `helper`; `others` are
    /// the cells that the other helpers allow.
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
