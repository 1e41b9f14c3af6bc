//! Moves of the goal robot, from the cells that are new in a layer.

use super::tables::{NEAR, Tables};
use crate::lowlevel::bytes::Four;
use crate::lowlevel::instructions::InstructionSet;
use crate::lowlevel::set::{BITS, Set, count, take_first};

/// Sets of at most this many cells make their moves cell by cell, larger ones level by level.
pub(super) const FEW: u32 = 7;

/// What the goal robot's moves depend on.
pub(crate) struct GoalMoves<'a, S: Set, const N: usize> {
    pub(crate) tables: &'a mut Tables,
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
    /// Where a helper may be the first that stops a chain of lowering moves from one of the cells; `None`
    /// where there are so many cells that it may be almost anywhere.
    pub(crate) first_stoppers: Option<S>,
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

/// The set of some helpers.
#[inline(always)]
pub(crate) fn set_of_helpers<I: InstructionSet, const N: usize>(
    isa: I,
    helpers: [u8; N],
) -> I::Set {
    let mut cells = isa.load(&[0; 4]);
    for helper in helpers {
        cells = cells.or(isa.load(&BITS[usize::from(helper)]));
    }
    cells
}

impl<S: Set, const N: usize> GoalMoves<'_, S, N> {
    /// Where the moves of one cell lead that lower the bound, keep it and raise it; `blocked` are the
    /// helpers.
    #[inline(always)]
    fn moves_of(&mut self, isa: S::Isa, cell: u8, blocked: S) -> [S; 3] {
        let free = self.tables.free_moves(cell);
        // Without helpers, what is not made yet would look as if it were.
        if N > 0 && isa.load(&free.lines).and(blocked).is_empty() {
            return [
                isa.load(&free.lower),
                isa.load(&free.same),
                isa.load(&free.higher),
            ];
        }
        self.tables.make_free_moves(isa, cell);
        let stops = stops_of(isa, self.tables, cell, self.helpers);
        let bound = self.tables.bound[usize::from(cell)];
        let around = self.tables.around(bound);
        [
            stops.and(isa.load(&around[0])),
            stops.and(isa.load(&around[1])),
            stops.and(isa.load(&around[2])),
        ]
    }

    /// Makes the moves of new cells, and of the cells that moves that lower the bound lead to.
    #[inline(always)]
    pub(crate) fn make(&mut self, new: S, seen: S) -> Moved<S> {
        if count(&new.words()) <= FEW {
            self.by_cells(new, seen)
        } else {
            self.by_levels(new, seen)
        }
    }

    #[inline(always)]
    fn by_cells(&mut self, new: S, mut seen: S) -> Moved<S> {
        let isa = new.isa();
        let none = isa.load(&[0; 4]);
        let (mut all, mut same, mut higher) = (new, none, none);
        let (mut from, mut to) = (none, none);
        let mut first_stoppers = none;
        let blocked = set_of_helpers(isa, self.helpers);
        let mut rest = new;
        loop {
            let cell = take_first(&mut rest);
            let [lower, here, above] = self.moves_of(isa, cell, blocked);
            let free = self.tables.free_moves(cell);
            first_stoppers = first_stoppers.or(isa.load(&free.first_stoppers));
            same = same.or(here);
            higher = higher.or(above);
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
            first_stoppers: Some(first_stoppers),
        }
    }

    /// Whether moves that lower the bound lead from one of the cells, of which there must be one, to
    /// the target.
    #[inline(always)]
    pub(crate) fn reach_target(&mut self, cells: S) -> bool {
        let isa = cells.isa();
        let blocked = set_of_helpers(isa, self.helpers);
        let mut all = cells;
        let mut rest = cells;
        loop {
            let cell = take_first(&mut rest);
            let [lower, ..] = self.moves_of(isa, cell, blocked);
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
        let blocked = set_of_helpers(isa, self.helpers);
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
            first_stoppers: None,
        }
    }
}
