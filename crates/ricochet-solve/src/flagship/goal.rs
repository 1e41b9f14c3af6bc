//! Moves of the goal robot, from the cells that are new in a layer.

use super::tables::{NEAR, Tables};
use crate::lowlevel::bytes::Four;
use crate::lowlevel::instructions::InstructionSet;
use crate::lowlevel::set::{BITS, Set, count, take_first};

/// Sets of at most this many cells make their moves cell by cell, larger ones level by level.
pub(super) const FEW: u32 = 7;

/// What the goal robot's moves depend on.
#[derive(Clone, Copy)]
pub(crate) struct GoalMoves<'a, S: Set, const N: usize> {
    pub(crate) tables: &'a Tables,
    pub(crate) enter: &'a [S; 4],
    pub(crate) helpers: [u8; N],
}

/// What came of the moves of some cells.
pub(crate) struct Moved<S> {
    /// The cells, and those that moves that lower the bound lead to, if they are new.
    pub(crate) all: S,
    /// What has been seen by now.
    pub(crate) seen: S,
    /// The cells, perhaps among others, that have moves that lower the bound, to new cells or not.
    pub(crate) descend_from: S,
    /// Where these moves end.
    pub(crate) descend_to: S,
    /// New cells that moves lead to that keep the bound.
    pub(crate) same: S,
    /// New cells that moves lead to that raise the bound.
    pub(crate) higher: S,
}

/// The ends of a robot's four moves, with other robots on `others`.
#[inline(always)]
pub(crate) fn ends<const N: usize>(tables: &Tables, robot: u8, others: [u8; N]) -> u32 {
    let row = &NEAR[usize::from(robot)];
    let mut ends = Four::new(tables.open(robot));
    for other in others {
        ends = ends.min(Four::new(row[usize::from(other)]));
    }
    ends.cells()
}

/// Where the moves of one cell end, among these the cell itself if it cannot move some way.
#[inline(always)]
pub(crate) fn stops_of<I: InstructionSet, const N: usize>(
    isa: I,
    tables: &Tables,
    cell: u8,
    helpers: [u8; N],
) -> I::Set {
    let [n, e, s, w] = ends(tables, cell, helpers).to_le_bytes();
    let north_or_east = isa
        .load(&BITS[usize::from(n)])
        .or(isa.load(&BITS[usize::from(e)]));
    let south_or_west = isa
        .load(&BITS[usize::from(s)])
        .or(isa.load(&BITS[usize::from(w)]));
    north_or_east.or(south_or_west)
}

impl<S: Set, const N: usize> GoalMoves<'_, S, N> {
    /// Makes the moves of new cells, and of the cells that moves that lower the bound lead to.
    #[inline(always)]
    pub(crate) fn make(&self, new: S, seen: S) -> Moved<S> {
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
        let (mut all, mut same, mut higher) = (new, none, none);
        let (mut from, mut to) = (none, none);
        let mut rest = new;
        loop {
            let cell = take_first(&mut rest);
            let stops = stops_of(isa, self.tables, cell, self.helpers);
            let bound = self.tables.bound[usize::from(cell)];
            let [below, here, above] = self.tables.around(bound);
            let lower = stops.and(isa.load(below));
            same = same.or(stops.and(isa.load(here)));
            higher = higher.or(stops.and(isa.load(above)));
            if !lower.is_empty() {
                from = from.or(isa.load(&BITS[usize::from(cell)]));
                to = to.or(lower);
                let new = lower.minus(seen);
                seen = seen.or(new);
                all = all.or(new);
                rest = rest.or(new);
            }
            if rest.is_empty() {
                break;
            }
        }
        Moved {
            all,
            seen,
            descend_from: from,
            descend_to: to,
            same: same.minus(seen),
            higher: higher.minus(seen),
        }
    }

    /// Whether moves that lower the bound lead from one of the cells, of which there must be one, to
    /// the target.
    #[inline(always)]
    pub(crate) fn reach_target(&self, cells: S) -> bool {
        let isa = cells.isa();
        let mut all = cells;
        let mut rest = cells;
        loop {
            let cell = take_first(&mut rest);
            let bound = self.tables.bound[usize::from(cell)];
            let lower = stops_of(isa, self.tables, cell, self.helpers)
                .and(isa.load(&self.tables.around(bound)[0]));
            let new = lower.minus(all);
            if !new.is_empty() {
                all = all.or(new);
                rest = rest.or(new);
            }
            if rest.is_empty() {
                return !all.and(self.tables.target(isa)).is_empty();
            }
        }
    }

    #[inline(always)]
    fn by_levels(&self, new: S, mut seen: S) -> Moved<S> {
        let isa = new.isa();
        let none = isa.load(&[0; 4]);
        let mut blocked = none;
        for helper in self.helpers {
            blocked = blocked.or(isa.load(&BITS[usize::from(helper)]));
        }
        let (mut all, mut same, mut higher) = (new, none, none);
        let (mut from, mut to) = (none, none);
        for bound in (1..=self.tables.highest()).rev() {
            let [below, here, above] = self.tables.around(bound);
            let (below, here, above) = (isa.load(below), isa.load(here), isa.load(above));
            let movers = all.and(here);
            if movers.is_empty() {
                continue;
            }
            let stops = movers.stops(self.enter, blocked);
            same = same.or(stops.and(here));
            higher = higher.or(stops.and(above));
            let lower = stops.and(below);
            // From which of them is not known; it may be all.
            if !lower.is_empty() {
                from = from.or(movers);
                to = to.or(lower);
            }
            let new = lower.minus(seen);
            seen = seen.or(new);
            all = all.or(new);
        }
        Moved {
            all,
            seen,
            descend_from: from,
            descend_to: to,
            same: same.minus(seen),
            higher: higher.minus(seen),
        }
    }
}
