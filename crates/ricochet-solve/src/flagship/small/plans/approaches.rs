//! How helpers reach stoppers on which no wall stops them.

use super::bit_matrix::BitMatrix;
use super::{Costs, MAX_RAISE};

/// Sets of plans by a cell and a direction. If there are few plans, two or four directions share a
/// word.
#[derive(Clone, Debug)]
pub(super) struct ByDirection {
    matrices: [BitMatrix; 4],
    /// The number of directions that share a word.
    shared: usize,
}

impl ByDirection {
    const EMPTY: Self = Self {
        matrices: [BitMatrix::EMPTY; 4],
        shared: 1,
    };

    pub(super) fn clear(&mut self, plans: usize) {
        self.shared = if plans <= 16 {
            4
        } else if plans <= 32 {
            2
        } else {
            1
        };
        self.matrices[..4 / self.shared].fill(BitMatrix::EMPTY);
    }

    #[inline(always)]
    pub(super) fn add(&mut self, d: usize, plan: usize, cells: [u64; 4]) {
        let (matrix, part) = (d / self.shared, d % self.shared);
        self.matrices[matrix].add(part * (64 / self.shared) + plan, cells);
    }

    #[inline(always)]
    pub(super) fn transpose(&mut self) {
        for matrix in &mut self.matrices[..4 / self.shared] {
            matrix.transpose();
        }
    }

    /// The plans of a cell, for the directions that share a word.
    #[inline(always)]
    fn of(&self, cell: u8, matrix: usize) -> u64 {
        self.matrices[matrix].of(cell)
    }
}

/// The part that each helper can play for stoppers on which no wall stops it.
#[derive(Clone, Debug)]
pub(super) struct Approaches {
    /// By a helper's cell and direction: the plans whose stopper it reaches, heading in that
    /// direction, in at most one, two or three moves, if something stops it there.
    pub(super) ready: Box<[ByDirection; MAX_RAISE - 1]>,
    /// By a helper's cell and direction: the plans in which it stops another helper that heads in
    /// that direction, after no move, at most one, or at most two.
    pub(super) stops: Box<[ByDirection; MAX_RAISE - 1]>,
}

impl Approaches {
    pub(super) fn new() -> Self {
        let empty = || {
            let each = vec![ByDirection::EMPTY; MAX_RAISE - 1].into_boxed_slice();
            each.try_into().expect("so many")
        };
        Self {
            ready: empty(),
            stops: empty(),
        }
    }

    /// The costs of two helpers for plans in which one stops the other, without the costs of each
    /// alone.
    pub(super) fn of_pair(&self, a: u8, b: u8) -> Costs {
        let shared = self.ready[0].shared;
        let mut costs = Costs::default();
        for (mover, other) in [(a, b), (b, a)] {
            for matrix in 0..4 / shared {
                let ready: [u64; MAX_RAISE - 1] =
                    std::array::from_fn(|moves| self.ready[moves].of(mover, matrix));
                if ready[MAX_RAISE - 2] == 0 {
                    continue;
                }
                let stops: [u64; MAX_RAISE - 1] =
                    std::array::from_fn(|moves| self.stops[moves].of(other, matrix));
                for moves in 0..MAX_RAISE - 1 {
                    for first in 0..=moves {
                        costs[1 + moves] |= ready[first] & stops[moves - first];
                    }
                }
            }
        }
        // Merges the directions, which no longer matter.
        costs.map(|plans| match shared {
            4 => {
                let plans = plans | plans >> 32;
                (plans | plans >> 16) & 0xffff
            }
            2 => (plans | plans >> 32) & 0xffff_ffff,
            _ => plans,
        })
    }

    /// Whether a helper on one cell reaches or stops anything in fewer moves than on another.
    pub(super) fn has_more(&self, cell: u8, other: u8) -> bool {
        self.ready.iter().chain(self.stops.iter()).any(|moves| {
            (0..4 / moves.shared)
                .any(|matrix| moves.of(cell, matrix) & !moves.of(other, matrix) != 0)
        })
    }
}
