//! Moves of the helpers, from all goal-robot cells of a node at once.

use super::frontier::{Child, Children, Node};
use super::key::{helper, with, without};
use super::tables::{LINES, NEAR, RAYS, STEP, Tables};
use crate::lowlevel::bytes::{Ends, FLIP};
use crate::lowlevel::instructions::InstructionSet;
use crate::lowlevel::set::{BITS, Set, take_first};

/// A move of a helper, as if there were no goal robot.
#[derive(Clone, Copy)]
pub(super) struct HelperMove {
    /// The helper's index in the key.
    pub(super) mover: usize,
    pub(super) from: u8,
    /// The direction: N, E, S, W.
    pub(super) d: usize,
    pub(super) end: u8,
}

impl HelperMove {
    /// The cells that the helper enters: all beyond `from`, up to and including `end`.
    #[inline(always)]
    pub(super) fn path<I: InstructionSet>(self, isa: I) -> I::Set {
        let beyond = &RAYS[usize::from(self.end)][self.d];
        isa.load(&RAYS[usize::from(self.from)][self.d])
            .minus(isa.load(beyond))
    }

    /// The helpers after the move, if it ends on `end`.
    #[inline(always)]
    pub(super) fn key_after<const N: usize>(self, key: u32, end: u8) -> u32 {
        with::<N>(without(key, self.mover), end)
    }
}

/// The moves of all helpers, as if there were no goal robot.
pub(super) struct HelperMoves {
    pub(super) key: u32,
    /// A bit for each helper and direction in which it can move; [`HelperMoves::next`] takes them
    /// one by one.
    pub(super) rest: u32,
    /// The ends of these moves, one byte for each helper and direction.
    pub(super) ends: [u64; 2],
}

impl HelperMoves {
    #[inline(always)]
    pub(super) fn new<const N: usize>(tables: &Tables, key: u32) -> Self {
        let ends = helper_ends::<N>(tables, key);
        Self {
            key,
            rest: ends.differs(own_cells::<N>(key)),
            ends: ends.cells(),
        }
    }

    /// The end of a move, by four times the helper's index in the key plus the direction.
    #[inline(always)]
    pub(super) fn end(&self, index: usize) -> u8 {
        (self.ends[index / 8] >> (8 * (index % 8))) as u8
    }

    /// Makes all moves of a helper that no goal-robot cell blocks. Their number cannot be
    /// predicted, so there is no branch.
    #[inline(always)]
    fn push_free<const N: usize>(
        &self,
        mover: usize,
        others: u32,
        cells: &[u64; 4],
        children: &mut Children,
    ) {
        for index in 4 * mover..4 * mover + 4 {
            let child = Child {
                cells: *cells,
                key: with::<N>(others, self.end(index)),
            };
            children.push_if(self.rest >> index & 1 == 1, child);
        }
    }

    #[inline(always)]
    pub(super) fn next(&mut self) -> Option<HelperMove> {
        if self.rest == 0 {
            return None;
        }
        let index = self.rest.trailing_zeros();
        self.rest &= self.rest - 1;
        let mover = (index / 4) as usize;
        Some(HelperMove {
            mover,
            from: helper(self.key, mover),
            d: (index % 4) as usize,
            end: self.end(index as usize),
        })
    }
}

/// The packed ends of all helper moves, as if there were no goal robot.
#[inline(always)]
fn helper_ends<const N: usize>(tables: &Tables, key: u32) -> Ends {
    let mut lanes = [0; 4];
    for (i, lane) in lanes.iter_mut().enumerate().take(N) {
        *lane = tables.open(helper(key, i));
    }
    let mut ends = Ends::new(lanes);
    for k in 1..N {
        for (i, lane) in lanes.iter_mut().enumerate().take(N) {
            let (this, other) = (helper(key, i), helper(key, (i + k) % N));
            *lane = NEAR[usize::from(this)][usize::from(other)];
        }
        ends = ends.min(Ends::new(lanes));
    }
    ends
}

/// The helpers' packed ends if none of them can move.
#[inline(always)]
fn own_cells<const N: usize>(key: u32) -> Ends {
    let mut lanes = [0; 4];
    for (i, lane) in lanes.iter_mut().enumerate().take(N) {
        *lane = (u32::from(helper(key, i)) * 0x0101_0101) ^ FLIP;
    }
    Ends::new(lanes)
}

/// Makes all helper moves of a node for a bound that does not depend on the helpers: every child is
/// in the next layer, with all goal-robot cells at once.
#[inline(always)]
pub(super) fn plain_helper_moves<S: Set, const N: usize>(
    isa: S::Isa,
    tables: &Tables,
    node: &Node,
    children: &mut Children,
) {
    children.begin_node();
    let cells = isa.load(&node.cells);
    let moves = HelperMoves::new::<N>(tables, node.key);
    for mover in 0..N {
        let from = helper(node.key, mover);
        let others = without(node.key, mover);
        if cells.and(isa.load(&LINES[usize::from(from)])).is_empty() {
            moves.push_free::<N>(mover, others, &node.cells, children);
            continue;
        }
        let rays = &RAYS[usize::from(from)];
        let mut rest = moves.rest >> (4 * mover) & 15;
        while rest != 0 {
            let d = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let end = moves.end(4 * mover + d);
            let path = isa
                .load(&rays[d])
                .minus(isa.load(&RAYS[usize::from(end)][d]));
            let free = cells.minus(path);
            if !free.is_empty() {
                children.push(Child {
                    cells: free.words(),
                    key: with::<N>(others, end),
                });
            }
            let stopping = cells.and(path);
            if !stopping.is_empty() {
                stopped_moves::<S, N>(others, from, d, stopping, children);
            }
        }
    }
}

/// Makes a helper's move for goal-robot cells that stop it; `others` are the other helpers.
#[inline(always)]
fn stopped_moves<S: Set, const N: usize>(
    others: u32,
    from: u8,
    d: usize,
    stopping: S,
    children: &mut Children,
) {
    let mut rest = stopping;
    loop {
        let goal = take_first(&mut rest);
        let end = goal.wrapping_sub(STEP[d]);
        if end != from {
            children.push(Child {
                cells: BITS[usize::from(goal)],
                key: with::<N>(others, end),
            });
        }
        if rest.is_empty() {
            break;
        }
    }
}
