//! Moves of the goal robot by the raised bound.

use super::MAX_MOVE_RAISE;
use super::raised_bound::RaisedBound;
use crate::flagship::small::frontier::DEFERRED_LAYERS;
use crate::flagship::small::goal_moves::{GoalMoves, set_of_helpers, stops_of};
use crate::flagship::small::tables::Tables;
use crate::lowlevel::instructions::InstructionSet;
use crate::lowlevel::set::Set;

/// How many layers ahead a goal-robot move may lead.
const LAYERS_AHEAD: usize = 1 + MAX_MOVE_RAISE;

const _: () = assert!(LAYERS_AHEAD < DEFERRED_LAYERS);

/// Moves by a bound that also depends on the helpers: a move may raise it by up to [`MAX_MOVE_RAISE`].
pub(super) struct RaisedMoves<'a, S: Set, const N: usize> {
    tables: &'a Tables,
    enter: &'a [S; 4],
    bound: &'a RaisedBound,
    helpers: [u8; N],
    /// The cells that moves lead to, by how much the move raises the bound.
    pub(super) by_raise: [S; LAYERS_AHEAD],
}

impl<'a, S: Set, const N: usize> RaisedMoves<'a, S, N> {
    #[inline(always)]
    pub(super) fn new(
        tables: &'a Tables,
        enter: &'a [S; 4],
        bound: &'a RaisedBound,
        helpers: [u8; N],
    ) -> Self {
        let none = enter[0].isa().load(&[0; 4]);
        Self {
            tables,
            enter,
            bound,
            helpers,
            by_raise: [none; LAYERS_AHEAD],
        }
    }

    /// Sorts the ends of moves from cells of a bound by how much the move changes it. Returns the
    /// ends of lowering moves.
    #[inline(always)]
    fn sort(&mut self, stops: S, bound: u8) -> S {
        let isa = stops.isa();
        let around = self.bound.around(bound);
        let (below, here) = (isa.load(&around[0]), isa.load(&around[1]));
        let above = isa.load(&around[2]);
        self.by_raise[0] = self.by_raise[0].or(stops.and(here));
        self.by_raise[1] = self.by_raise[1].or(stops.and(above));
        // Few moves raise the bound by more than one.
        let far = stops.minus(below.or(here).or(above));
        if !far.is_empty() {
            for raise in 2..=MAX_MOVE_RAISE {
                let cells = far.and(isa.load(&around[raise + 1]));
                self.by_raise[raise] = self.by_raise[raise].or(cells);
            }
        }
        stops.and(below)
    }
}

impl<S: Set, const N: usize> GoalMoves<S> for RaisedMoves<'_, S, N> {
    #[inline(always)]
    fn move_cell(&mut self, cell: u8) -> S {
        let isa = self.enter[0].isa();
        let stops = stops_of(isa, self.tables, cell, self.helpers);
        self.sort(stops, self.bound.bound[usize::from(cell)])
    }

    #[inline(always)]
    fn move_level(&mut self, bound: u8, cells: S) -> S {
        let isa = cells.isa();
        let movers = cells.and(isa.load(&self.bound.around(bound)[1]));
        if movers.is_empty() {
            return movers;
        }
        let blocked = set_of_helpers(isa, self.helpers);
        self.sort(movers.stops(self.enter, blocked), bound)
    }

    #[inline(always)]
    fn highest(&self) -> u8 {
        self.bound.highest()
    }
}
