//! Moves of the lead backwards, a whole set of cells at once.
//!
//! Where can the lead have come from, if it stands on one of the cells of a set? In each direction
//! only cells where something stops it count; from these the set is filled backwards by doubling
//! (1, 2, 4 and 8 cells), whatever it holds.

use ricochet_core::{Direction, Lean};

use super::space::{Space, bit_of};
use crate::lowlevel::set256::{RowShifts, Set256};

/// A board as masks, for one robot.
#[derive(Clone, Debug)]
pub(crate) struct LeadMoves {
    /// Open cells with a wall on that side.
    wall: [Set256; 4],
    /// Open cells without one.
    way: [Set256; 4],
    /// Cells whose diagonal turns this robot, by lean.
    slash: Set256,
    backslash: Set256,
    rows: RowShifts,
}

impl LeadMoves {
    pub(crate) fn new(space: &Space) -> Self {
        let side = |walled: bool, side: Direction| -> Set256 {
            space
                .open()
                .iter()
                .filter(|&bit| space.has_wall(bit, side) == walled)
                .collect()
        };
        let turning = |lean: Lean| -> Set256 {
            let diagonals = space.board().diagonals().iter();
            diagonals
                .filter(|diagonal| diagonal.lean == lean && diagonal.color != space.lead())
                .map(|diagonal| bit_of(diagonal.cell))
                .collect()
        };
        Self {
            wall: Direction::ALL.map(|direction| side(true, direction)),
            way: Direction::ALL.map(|direction| side(false, direction)),
            slash: turning(Lean::Slash),
            backslash: turning(Lean::Backslash),
            rows: RowShifts::new(),
        }
    }

    pub(crate) fn has_diagonals(&self) -> bool {
        !(self.slash | self.backslash).is_empty()
    }

    /// All cells from which one move of the lead ends in `set` (and those of the set where the
    /// lead cannot move at all), with helpers on the given cells.
    #[inline(always)]
    pub(crate) fn predecessors<const DIAGONALS: bool>(
        &self,
        set: Set256,
        helpers: Set256,
    ) -> Set256 {
        let stops = [
            self.stops::<0, 2>(set, helpers),
            self.stops::<1, 3>(set, helpers),
            self.stops::<2, 0>(set, helpers),
            self.stops::<3, 1>(set, helpers),
        ];
        if DIAGONALS {
            return self.around_corners(stops, helpers);
        }
        self.fill::<0, 2>(stops[0], helpers)
            | self.fill::<1, 3>(stops[1], helpers)
            | self.fill::<2, 0>(stops[2], helpers)
            | self.fill::<3, 1>(stops[3], helpers)
    }

    /// The cells of the set where a move in `D` ends; `BACK` is the opposite of `D`.
    #[inline(always)]
    fn stops<const D: usize, const BACK: usize>(&self, set: Set256, helpers: Set256) -> Set256 {
        set & (self.wall[D] | helpers.shifted::<BACK>(0, &self.rows))
    }

    /// All cells from which a straight move in `D` reaches one of the set.
    #[inline(always)]
    fn fill<const D: usize, const BACK: usize>(&self, set: Set256, helpers: Set256) -> Set256 {
        fill_through::<BACK>(&self.rows, set, self.way[D].without(helpers))
    }

    /// The same with diagonals: the four directions feed each other where a diagonal turns the
    /// lead, until nothing changes.
    #[inline(always)]
    fn around_corners(&self, mut seeds: [Set256; 4], helpers: Set256) -> Set256 {
        let turning = self.slash | self.backslash;
        loop {
            // What leaves a turning cell was not going straight on: fills stop on entering one.
            let filled = [
                fill_through::<2>(
                    &self.rows,
                    seeds[0],
                    self.straight::<0, 2>(turning, helpers),
                ),
                fill_through::<3>(
                    &self.rows,
                    seeds[1],
                    self.straight::<1, 3>(turning, helpers),
                ),
                fill_through::<0>(
                    &self.rows,
                    seeds[2],
                    self.straight::<2, 0>(turning, helpers),
                ),
                fill_through::<1>(
                    &self.rows,
                    seeds[3],
                    self.straight::<3, 1>(turning, helpers),
                ),
            ];
            let turned = |direction: Direction| {
                let slash = filled[Lean::Slash.deflect(direction).index()] & self.slash;
                let back = filled[Lean::Backslash.deflect(direction).index()] & self.backslash;
                slash | back
            };
            let before = |direction: Direction, cells: Set256| {
                cells & self.way[direction.index()].without(helpers)
            };
            let north = before(
                Direction::North,
                turned(Direction::North).shifted::<2>(0, &self.rows),
            );
            let east = before(
                Direction::East,
                turned(Direction::East).shifted::<3>(0, &self.rows),
            );
            let south = before(
                Direction::South,
                turned(Direction::South).shifted::<0>(0, &self.rows),
            );
            let west = before(
                Direction::West,
                turned(Direction::West).shifted::<1>(0, &self.rows),
            );
            let grown = [
                filled[0] | north,
                filled[1] | east,
                filled[2] | south,
                filled[3] | west,
            ];
            if grown == seeds {
                return grown[0] | grown[1] | grown[2] | grown[3];
            }
            seeds = grown;
        }
    }

    /// Cells from which a step in `D` leads on without a turn.
    #[inline(always)]
    fn straight<const D: usize, const BACK: usize>(
        &self,
        turning: Set256,
        helpers: Set256,
    ) -> Set256 {
        self.way[D]
            .without(helpers)
            .without(turning.shifted::<BACK>(0, &self.rows))
    }
}

/// Fills in direction `TO` from the set, over cells of `through`.
#[inline(always)]
fn fill_through<const TO: usize>(rows: &RowShifts, mut set: Set256, mut through: Set256) -> Set256 {
    set |= set.shifted::<TO>(0, rows) & through;
    through &= through.shifted::<TO>(0, rows);
    set |= set.shifted::<TO>(1, rows) & through;
    through &= through.shifted::<TO>(1, rows);
    set |= set.shifted::<TO>(2, rows) & through;
    through &= through.shifted::<TO>(2, rows);
    set | set.shifted::<TO>(3, rows) & through
}
