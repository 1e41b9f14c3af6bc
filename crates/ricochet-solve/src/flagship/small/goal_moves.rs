//! Moves of the goal robot from fresh cells.

use super::tables::{NEAR, Tables};
use crate::lowlevel::bytes::Four;
use crate::lowlevel::instructions::InstructionSet;
use crate::lowlevel::set::{BITS, Set, count, take_first};

/// Sets of at most this many cells make their moves cell by cell, larger ones level by level.
const FEW: u32 = 7;

/// Goal-robot moves by one of the bounds. An implementation collects the cells that moves lead to
/// in later layers; the methods return the ends of lowering moves.
pub(super) trait GoalMoves<S: Set> {
    /// Makes the moves from one cell.
    fn move_cell(&mut self, cell: u8) -> S;

    /// Makes the moves from the given cells that have this bound.
    fn move_level(&mut self, bound: u8, cells: S) -> S;

    /// The highest bound of any cell.
    fn highest(&self) -> u8;
}

/// Makes the moves of fresh cells, and of all cells that lowering moves lead to. Returns the cells
/// that are new in the layer, and all cells seen by now.
#[inline(always)]
pub(super) fn follow_lowering<S: Set>(
    moves: &mut impl GoalMoves<S>,
    new: S,
    mut seen: S,
) -> (S, S) {
    let mut all = new;
    if count(&new.words()) <= FEW {
        let mut rest = new;
        loop {
            let cell = take_first(&mut rest);
            let lower = moves.move_cell(cell).minus(seen);
            if !lower.is_empty() {
                seen = seen.or(lower);
                all = all.or(lower);
                rest = rest.or(lower);
            }
            if rest.is_empty() {
                break;
            }
        }
    } else {
        for bound in (1..=moves.highest()).rev() {
            let lower = moves.move_level(bound, all).minus(seen);
            seen = seen.or(lower);
            all = all.or(lower);
        }
    }
    (all, seen)
}

/// Moves by the plain bound, which depends on the goal robot's cell alone.
pub(super) struct PlainMoves<'a, S: Set, const N: usize> {
    tables: &'a mut Tables,
    enter: &'a [S; 4],
    helpers: [u8; N],
    /// The helpers, as a set.
    blocked: S,
    /// The cells that have lowering moves, to new cells or not, and perhaps some others.
    pub(super) descend_from: S,
    /// The ends of these lowering moves.
    pub(super) descend_to: S,
    /// The cells that level moves lead to, and the cells that raising moves lead to.
    pub(super) same: S,
    pub(super) higher: S,
    /// The cells on which a helper may be the first to stop a chain of lowering moves from one of
    /// the cells; `None` if there are so many cells that it could be almost any.
    pub(super) first_stoppers: Option<S>,
}

impl<'a, S: Set, const N: usize> PlainMoves<'a, S, N> {
    #[inline(always)]
    pub(super) fn new(tables: &'a mut Tables, enter: &'a [S; 4], helpers: [u8; N]) -> Self {
        let isa = enter[0].isa();
        let none = isa.load(&[0; 4]);
        Self {
            tables,
            enter,
            helpers,
            blocked: set_of_helpers(isa, helpers),
            descend_from: none,
            descend_to: none,
            same: none,
            higher: none,
            first_stoppers: Some(none),
        }
    }

    /// The cells that lowering, level and raising moves lead to from one cell.
    #[inline(always)]
    fn by_bound(&mut self, cell: u8) -> [S; 3] {
        let isa = self.blocked.isa();
        let free = self.tables.free_moves(cell);
        // Without helpers, entries that have not been made yet would look as if they had been.
        if N > 0 && isa.load(&free.lines).and(self.blocked).is_empty() {
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

    /// Whether lowering moves lead to the target from one of the cells; there must be at least one
    /// cell.
    #[inline(always)]
    pub(super) fn reach_target(&mut self, cells: S) -> bool {
        let mut all = cells;
        let mut rest = cells;
        loop {
            let cell = take_first(&mut rest);
            let [lower, ..] = self.by_bound(cell);
            let new = lower.minus(all);
            if !new.is_empty() {
                all = all.or(new);
                rest = rest.or(new);
            }
            if rest.is_empty() {
                return !all.and(self.tables.target(cells.isa())).is_empty();
            }
        }
    }
}

impl<S: Set, const N: usize> GoalMoves<S> for PlainMoves<'_, S, N> {
    #[inline(always)]
    fn move_cell(&mut self, cell: u8) -> S {
        let isa = self.blocked.isa();
        let [lower, same, higher] = self.by_bound(cell);
        let free = self.tables.free_moves(cell);
        if let Some(stoppers) = &mut self.first_stoppers {
            *stoppers = stoppers.or(isa.load(&free.first_stoppers));
        }
        self.same = self.same.or(same);
        self.higher = self.higher.or(higher);
        if !lower.is_empty() {
            self.descend_from = self.descend_from.or(isa.load(&BITS[usize::from(cell)]));
            self.descend_to = self.descend_to.or(lower);
        }
        lower
    }

    #[inline(always)]
    fn move_level(&mut self, bound: u8, cells: S) -> S {
        let isa = cells.isa();
        self.first_stoppers = None;
        let [below, here, above] = self.tables.around(bound);
        let (below, here, above) = (isa.load(below), isa.load(here), isa.load(above));
        let movers = cells.and(here);
        if movers.is_empty() {
            return movers;
        }
        let stops = movers.stops(self.enter, self.blocked);
        self.same = self.same.or(stops.and(here));
        self.higher = self.higher.or(stops.and(above));
        let lower = stops.and(below);
        if !lower.is_empty() {
            // It is unknown which of them have lowering moves, so all are added.
            self.descend_from = self.descend_from.or(movers);
            self.descend_to = self.descend_to.or(lower);
        }
        lower
    }

    #[inline(always)]
    fn highest(&self) -> u8 {
        self.tables.highest()
    }
}

/// The ends of a robot's four moves, with other robots on `others`.
#[inline(always)]
pub(super) fn ends<const N: usize>(tables: &Tables, robot: u8, others: [u8; N]) -> u32 {
    let row = &NEAR[usize::from(robot)];
    let mut ends = Four::new(tables.open(robot));
    for other in others {
        ends = ends.min(Four::new(row[usize::from(other)]));
    }
    ends.cells()
}

/// The ends of the moves of one cell, including the cell itself if it is blocked in some direction.
#[inline(always)]
pub(super) fn stops_of<I: InstructionSet, const N: usize>(
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

/// The helpers as a set.
#[inline(always)]
pub(super) fn set_of_helpers<I: InstructionSet, const N: usize>(
    isa: I,
    helpers: [u8; N],
) -> I::Set {
    let mut cells = isa.load(&[0; 4]);
    for helper in helpers {
        cells = cells.or(isa.load(&BITS[usize::from(helper)]));
    }
    cells
}
