//! Moves of the goal robot, with what they do to the bound.

use crate::flagship::goal::{FEW, stops_of};
use crate::flagship::lists::WAITING;
use crate::flagship::plans::{MOST_RAISED, RaisedBound};
use crate::flagship::tables::Tables;
use crate::lowlevel::instructions::InstructionSet;
use crate::lowlevel::set::{BITS, Set, count, take_first};

/// What the goal robot's moves depend on.
pub(super) struct GuidedMoves<'a, S: Set, const N: usize> {
    pub(super) tables: &'a Tables,
    pub(super) enter: &'a [S; 4],
    pub(super) bound: &'a RaisedBound,
    pub(super) helpers: [u8; N],
}

/// What came of the moves of some cells.
pub(super) struct Moved<S> {
    /// The cells, and those that moves that lower the bound lead to, if they are new.
    pub(super) all: S,
    /// What has been seen by now.
    pub(super) seen: S,
    /// Cells that moves lead to that raise the bound by 0, 1, …
    pub(super) later: [S; 1 + MOST_RAISED],
}

impl<S: Set, const N: usize> GuidedMoves<'_, S, N> {
    #[inline(always)]
    pub(super) fn make(&self, new: S, seen: S) -> Moved<S> {
        if count(&new.words()) <= FEW {
            self.by_cells(new, seen)
        } else {
            self.by_levels(new, seen)
        }
    }

    #[inline(always)]
    fn by_cells(&self, new: S, mut seen: S) -> Moved<S> {
        let isa = new.isa();
        let none = isa.load(&[0; 4]);
        let mut all = new;
        let (mut same, mut higher) = (none, none);
        let mut later = [none; 1 + MOST_RAISED];
        let mut rest = new;
        loop {
            let cell = take_first(&mut rest);
            let stops = stops_of(isa, self.tables, cell, self.helpers);
            let around = self.bound.around(self.bound.bound[usize::from(cell)]);
            let (below, here) = (isa.load(&around[0]), isa.load(&around[1]));
            let above = isa.load(&around[2]);
            same = same.or(stops.and(here));
            higher = higher.or(stops.and(above));
            let far = stops.minus(below.or(here).or(above));
            if !far.is_empty() {
                add_far(far, around, &mut later);
            }
            let lower = stops.and(below).minus(seen);
            if !lower.is_empty() {
                seen = seen.or(lower);
                all = all.or(lower);
                rest = rest.or(lower);
            }
            if rest.is_empty() {
                break;
            }
        }
        (later[0], later[1]) = (same, higher);
        Moved { all, seen, later }
    }

    #[inline(always)]
    fn by_levels(&self, new: S, mut seen: S) -> Moved<S> {
        let isa = new.isa();
        let none = isa.load(&[0; 4]);
        let mut blocked = none;
        for helper in self.helpers {
            blocked = blocked.or(isa.load(&BITS[usize::from(helper)]));
        }
        let mut all = new;
        let mut later = [none; 1 + MOST_RAISED];
        for bound in (1..=self.bound.highest()).rev() {
            let around = self.bound.around(bound);
            let movers = all.and(isa.load(&around[1]));
            if movers.is_empty() {
                continue;
            }
            let stops = movers.stops(self.enter, blocked);
            let (below, here) = (isa.load(&around[0]), isa.load(&around[1]));
            let above = isa.load(&around[2]);
            later[0] = later[0].or(stops.and(here));
            later[1] = later[1].or(stops.and(above));
            let far = stops.minus(below.or(here).or(above));
            if !far.is_empty() {
                add_far(far, around, &mut later);
            }
            let lower = stops.and(below).minus(seen);
            seen = seen.or(lower);
            all = all.or(lower);
        }
        Moved { all, seen, later }
    }
}

/// Adds stops that raise the bound by more than one, which few do.
#[inline(always)]
fn add_far<S: Set>(far: S, around: &[[u64; 4]; 2 + MOST_RAISED], later: &mut [S; 1 + MOST_RAISED]) {
    for raised in 2..=MOST_RAISED {
        later[raised] = later[raised].or(far.and(far.isa().load(&around[raised + 1])));
    }
}

const _: () = assert!(1 + MOST_RAISED < WAITING);
