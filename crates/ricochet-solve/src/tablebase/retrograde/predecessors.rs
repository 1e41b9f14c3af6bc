//! Moves backwards: the states from which one move leads into the frontier.
//!
//! # Moves of the lead
//!
//! Where can the lead have come from, if it stands on one of the cells of a set? In each direction
//! only cells where something stops it count; from these the set is filled backwards by doubling
//! (1, 2, 4 and 8 cells), whatever it holds.
//!
//! # Moves of the helpers
//!
//! A helper that leaves a cell by one of its four sides enters the next cell and leaves it by one
//! side again, turned where a diagonal turns it. So the pairs of cell and side form chains that end
//! at walls, or rings. Walked from its end backwards, a chain gives for each cell the set of lead
//! cells for which a helper that goes this way ends in the frontier:
//!
//! > `ends(p) = ends(next)`, but the frontier's own set of `p` where something stands on `next`:
//! > everywhere if that is a wall or a fixed helper, on the single bit `next` if it is the lead.
//!
//! One blend a step moves a helper from all cells for all cells of the lead.

use ricochet_core::{Direction, Lean, Robot};

use crate::lowlevel::set256::{RowShifts, Set256};
use crate::tablebase::space::{Space, bit_of, cell_of};

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

/// Stands for 'no cell' (padding) and for 'a wall' (behind the last cell).
pub(crate) const NOTHING: u16 = 256;

/// One step backwards: from `next`, where the chain was, to `cell`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ChainStep {
    pub(crate) cell: u16,
    pub(crate) next: u16,
}

/// A pair of cell and side by which it is left, as one number.
type Exit = usize;

fn exit(place: u16, side: Direction) -> Exit {
    usize::from(place) * 4 + side.index()
}

/// All chains of one robot on a board.
#[derive(Clone, Debug)]
pub(crate) struct Chains {
    /// Four independent streams of steps side by side, so that the processor has four blends in
    /// flight. A chain never changes its stream.
    pub(crate) steps: Vec<[ChainStep; 4]>,
    /// The cell behind each exit, or `NOTHING`.
    next: Vec<u16>,
    /// The exit before each exit.
    previous: Vec<Option<(u16, Direction)>>,
}

impl Chains {
    /// The chains of a robot, cells counted as in the space.
    pub(crate) fn new(space: &Space, robot: Robot) -> Self {
        let exits = space.bits().len() * 4;
        let mut next = vec![NOTHING; exits];
        let mut follow: Vec<Option<(u16, Direction)>> = vec![None; exits];
        let mut previous = vec![None; exits];
        for (place, &bit) in space.bits().iter().enumerate() {
            let place = place as u16;
            let cell = cell_of(usize::from(bit));
            for side in Direction::ALL {
                if space.has_wall(usize::from(bit), side) {
                    continue;
                }
                let entered = cell.step(side).expect("the rim has walls");
                let onwards = match space.board().diagonal(entered) {
                    Some(diagonal) if diagonal.color != robot => diagonal.lean.deflect(side),
                    _ => side,
                };
                let to = space.place(bit_of(entered)).expect("no wall, so open");
                next[exit(place, side)] = to;
                follow[exit(place, side)] = Some((to, onwards));
                previous[exit(to, onwards)] = Some((place, side));
            }
        }
        let mut chains = Self {
            steps: Vec::new(),
            next,
            previous,
        };
        chains.steps = chains.streams(&follow);
        chains
    }

    /// The cell that a helper on `place` enters by that side; `NOTHING` behind a wall.
    pub(crate) fn next(&self, place: u16, side: Direction) -> u16 {
        self.next[exit(place, side)]
    }

    /// The exit from which a helper comes to leave `place` by that side.
    pub(crate) fn previous(&self, place: u16, side: Direction) -> Option<(u16, Direction)> {
        self.previous[exit(place, side)]
    }

    fn streams(&self, follow: &[Option<(u16, Direction)>]) -> Vec<[ChainStep; 4]> {
        let mut streams: [Vec<ChainStep>; 4] = Default::default();
        let mut seen = vec![false; follow.len()];
        let places = (follow.len() / 4) as u16;
        let exits = || {
            Direction::ALL
                .into_iter()
                .flat_map(move |side| (0..places).map(move |place| (place, side)))
        };
        let mut emit = |chain: &[ChainStep]| {
            let shortest = streams.iter_mut().min_by_key(|stream| stream.len());
            shortest.expect("there are four").extend_from_slice(chain);
        };
        for (place, side) in exits() {
            if follow[exit(place, side)].is_none() {
                let chain = self.walk_back(place, side, &mut seen);
                emit(&chain);
            }
        }
        // What is left are rings. Twice around, every blocker on the ring has met every cell;
        // before the first lap nothing ends anywhere.
        for (place, side) in exits() {
            if !seen[exit(place, side)] {
                let lap = self.walk_back(place, side, &mut seen);
                let mut chain = vec![ChainStep {
                    cell: NOTHING,
                    next: NOTHING,
                }];
                chain.extend_from_slice(&lap);
                chain.extend_from_slice(&lap);
                emit(&chain);
            }
        }
        let length = streams.iter().map(Vec::len).max().unwrap_or(0);
        let padding = ChainStep {
            cell: NOTHING,
            next: NOTHING,
        };
        (0..length)
            .map(|i| [0, 1, 2, 3].map(|s: usize| streams[s].get(i).copied().unwrap_or(padding)))
            .collect()
    }

    /// The steps from an exit backwards until the chain begins or a ring closes.
    fn walk_back(&self, place: u16, side: Direction, seen: &mut [bool]) -> Vec<ChainStep> {
        let mut steps = Vec::new();
        let mut at = Some((place, side));
        while let Some((place, side)) = at {
            if std::mem::replace(&mut seen[exit(place, side)], true) {
                break;
            }
            steps.push(ChainStep {
                cell: place,
                next: self.next(place, side),
            });
            at = self.previous(place, side);
        }
        steps
    }
}
