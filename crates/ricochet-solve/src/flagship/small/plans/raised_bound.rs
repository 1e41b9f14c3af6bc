//! By how much plans raise the bound of each goal-robot cell, and the numbering of such bounds.

use super::{Costs, MAX_MOVE_RAISE, MAX_RAISE};

/// By how much the bound of each goal-robot cell is raised. Helpers with different costs often
/// raise it by the same amounts.
#[derive(Clone, Debug)]
pub(crate) struct RaisedBound {
    /// The cells whose bound is raised by at most 0, 1, 2, 3.
    pub(crate) raised: [[u64; 4]; MAX_RAISE],
    /// The cells of each bound, with an empty set before the first and empty sets after the last;
    /// empty until needed, see [`super::Plans::make_levels`].
    pub(super) levels: Vec<[u64; 4]>,
    /// The bound of each cell, once there are levels.
    pub(crate) bound: [u8; 256],
}

impl RaisedBound {
    /// The cells of a bound, preceded and followed by the cells of the bounds that a move may lead
    /// to.
    #[inline(always)]
    pub(crate) fn around(&self, bound: u8) -> &[[u64; 4]; 2 + MAX_MOVE_RAISE] {
        let at = usize::from(bound);
        self.levels[at..at + 2 + MAX_MOVE_RAISE]
            .first_chunk()
            .expect("so many")
    }

    /// By how much the bound of a cell is raised.
    #[inline(always)]
    pub(crate) fn raise(&self, cell: u8) -> usize {
        let within = self
            .raised
            .iter()
            .map(|cells| cells[usize::from(cell >> 6)] >> (cell & 63) & 1);
        MAX_RAISE - within.sum::<u64>() as usize
    }

    /// The highest bound of any cell.
    pub(crate) fn highest(&self) -> u8 {
        (self.levels.len() - 2 - MAX_MOVE_RAISE) as u8
    }
}

/// The number of the bound for each set of costs: open addressing, because almost every helper move
/// that changes the costs looks it up.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers {
    /// A number of 0 is a free slot.
    pub(super) slots: Vec<(Costs, u32)>,
    len: usize,
}

impl Numbers {
    pub(super) fn clear(&mut self) {
        self.slots.clear();
        self.slots.resize(1 << 7, (Costs::default(), 0));
        self.len = 0;
    }

    /// The number, or 0 if there is none.
    #[inline(always)]
    pub(super) fn find(&self, costs: &Costs) -> u32 {
        let mask = self.slots.len() - 1;
        let mut at = home(costs) & mask;
        loop {
            let (there, number) = &self.slots[at & mask];
            if *number == 0 || there == costs {
                return *number;
            }
            at += 1;
        }
    }

    pub(super) fn insert(&mut self, costs: Costs, number: u32) {
        self.len += 1;
        if self.len * 2 > self.slots.len() {
            let larger = vec![(Costs::default(), 0); 4 * self.slots.len()];
            for (costs, number) in std::mem::replace(&mut self.slots, larger) {
                if number != 0 {
                    self.fill_slot(costs, number);
                }
            }
        }
        self.fill_slot(costs, number);
    }

    fn fill_slot(&mut self, costs: Costs, number: u32) {
        let mask = self.slots.len() - 1;
        let mut at = home(&costs) & mask;
        while self.slots[at].1 != 0 {
            at = (at + 1) & mask;
        }
        self.slots[at] = (costs, number);
    }
}

/// The slot that is tried first.
#[inline(always)]
fn home([none, one, two, three]: &Costs) -> usize {
    let mixed = (three.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ two.rotate_left(32))
        .wrapping_mul(0xd6e8_feb8_6659_fd93)
        ^ (none.rotate_left(20) ^ one).wrapping_mul(0xa24b_aed4_963e_e407);
    (mixed ^ mixed >> 32) as usize
}
