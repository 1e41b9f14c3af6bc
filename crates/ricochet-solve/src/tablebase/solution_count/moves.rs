//! All robots' slides at once, and which moves keep their effect when another robot moves.
//!
//! A state is a word with a byte for each robot, row and column of its cell; where each robot's four
//! slides end are four such words. Who is in the same row or column is found for all bytes at once:
//! only they stop one another, and there are few of them.

use std::array::from_fn;
use std::sync::Arc;

use ricochet_core::{Board, Cell, Direction, Robot};

/// Most robots: a byte of a word each.
pub(crate) const SLOTS: usize = 8;

/// One in each byte.
const ONES: u64 = 0x0101_0101_0101_0101;

/// A cell as a byte, row by row.
#[inline(always)]
pub(crate) fn byte_of(cell: Cell) -> u8 {
    cell.y << 4 | cell.x & 15
}

fn cell_of_byte(byte: u8) -> Cell {
    Cell::new(byte & 15, byte >> 4)
}

/// The cell of each robot, a byte each; bytes behind the last robot mean nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cells(u64);

impl Cells {
    // Shifts rather than bytes in memory: a word that is read after one of its bytes was written
    // has to wait for it.
    #[inline(always)]
    pub(crate) fn get(self, slot: usize) -> u8 {
        (self.0 >> (8 * slot)) as u8
    }

    #[inline(always)]
    pub(crate) fn set(&mut self, slot: usize, cell: u8) {
        self.0 = self.0 & !(0xff << (8 * slot)) | u64::from(cell) << (8 * slot);
    }

    /// Ones in the bytes of robots in the line of a cell along an axis.
    #[inline(always)]
    fn in_line(self, cell: u8, axis: &Axis) -> u64 {
        let differences = self.0 ^ (u64::from(cell) * ONES);
        let nibbles = differences >> axis.across & NIBBLES;
        // 15 and less, plus 127, has the highest bit unless it is 0.
        !(nibbles + 0x7f * ONES) >> 7 & ONES
    }

    /// Ones in the bytes of robots whose place along an axis is in a range.
    #[inline(always)]
    fn between(self, low: u8, high: u8, axis: &Axis) -> u64 {
        let places = self.0 >> axis.along & NIBBLES;
        let place = |cell: u8| u64::from(cell >> axis.along & 15);
        let from_low = places + (0x80 - place(low)) * ONES;
        let to_high = (0x80 + place(high)) * ONES - places;
        (from_low & to_high) >> 7 & ONES
    }
}

/// The lower half of each byte.
const NIBBLES: u64 = 0x0f * ONES;

/// North and south, or east and west.
#[derive(Debug)]
struct Axis {
    /// Where in a cell's byte the place along it is.
    along: u32,
    /// Where the rest is, which is the same in all cells of a line.
    across: u32,
    /// From a cell to the next.
    step: u8,
    /// The directions to lower and higher cells.
    lower: usize,
    higher: usize,
    /// Both as moves of the robot in slot 0.
    both: MoveSet,
}

/// By the lowest bit of a direction.
const AXES: [Axis; 2] = [
    Axis {
        along: 4,
        across: 0,
        step: 16,
        lower: Direction::North as usize,
        higher: Direction::South as usize,
        both: 1 << Direction::North as u32 | 1 << Direction::South as u32,
    },
    Axis {
        along: 0,
        across: 4,
        step: 1,
        lower: Direction::West as usize,
        higher: Direction::East as usize,
        both: 1 << Direction::East as u32 | 1 << Direction::West as u32,
    },
];

/// The slots whose byte has a one.
#[inline(always)]
fn slots(mut ones: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (ones != 0).then(|| {
            let slot = ones.trailing_zeros() as usize >> 3;
            ones &= ones - 1;
            slot
        })
    })
}

/// A set of moves: bit `8·slot + direction`.
pub(crate) type MoveSet = u64;

/// All moves of the robot in slot 0.
pub(crate) const ALL_DIRECTIONS: MoveSet = 0b1111;

/// Where each robot's slide in each direction ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ends([Cells; 4]);

impl Ends {
    #[inline(always)]
    pub(crate) fn get(&self, slot: usize, direction: usize) -> u8 {
        self.0[direction & 3].get(slot)
    }

    /// How many slides of the first robots end on a cell.
    #[inline(always)]
    pub(crate) fn count(&self, robots: usize, cell: u8) -> u32 {
        let ends = |slot: usize| self.0.map(|ends| u32::from(ends.get(slot) == cell));
        (0..robots).flat_map(ends).sum()
    }
}

/// The slides of a board.
#[derive(Clone, Debug)]
pub(crate) struct Slides {
    /// The ends of a robot alone, north, east, south, west; for boards without diagonals.
    alone: Option<Box<[[u8; 4]; 256]>>,
    board: Arc<Board>,
    /// The robot of each slot.
    robots: Vec<Robot>,
    /// Ones in the bytes of all robots.
    used: u64,
}

impl Slides {
    pub(crate) fn new(board: &Arc<Board>, robots: Vec<Robot>) -> Self {
        let alone = board.diagonals().is_empty().then(|| {
            let mut alone = Box::new([[0; 4]; 256]);
            for cell in board.cells() {
                alone[usize::from(byte_of(cell))] = Direction::ALL
                    .map(|direction| byte_of(board.slide(Robot::RED, cell, direction, &[])));
            }
            alone
        });
        Self {
            alone,
            board: Arc::clone(board),
            used: (0..robots.len()).map(|slot| 1 << (8 * slot)).sum(),
            robots,
        }
    }

    /// Every move there may be.
    pub(crate) fn all_moves(&self) -> MoveSet {
        self.used * ALL_DIRECTIONS
    }

    /// All ends of a state.
    pub(crate) fn ends(&self, cells: Cells) -> Ends {
        let mut ends = Ends::default();
        let Some(alone) = &self.alone else {
            self.set_ends_with_diagonals(&mut ends, cells);
            return ends;
        };
        for slot in 0..self.robots.len() {
            for axis in &AXES {
                let mates = cells.in_line(cells.get(slot), axis) & self.used;
                set_ends(alone, &mut ends, cells, slot, mates, axis);
            }
        }
        ends
    }

    #[cold]
    fn set_ends_with_diagonals(&self, ends: &mut Ends, cells: Cells) {
        let all: [Cell; SLOTS] = from_fn(|slot| cell_of_byte(cells.get(slot)));
        let all = &all[..self.robots.len()];
        for (slot, &robot) in self.robots.iter().enumerate() {
            for (ends, direction) in ends.0.iter_mut().zip(Direction::ALL) {
                let end = self.board.slide(robot, all[slot], direction, all);
                ends.set(slot, byte_of(end));
            }
        }
    }

    /// A move of a state with these cells and ends.
    #[inline(always)]
    pub(crate) fn step<'a>(
        &'a self,
        cells: Cells,
        ends: &'a Ends,
        slot: usize,
        direction: usize,
    ) -> MoveInLines<'a> {
        let (axis, cross) = (&AXES[direction & 1], &AXES[!direction & 1]);
        let (from, to) = (cells.get(slot), ends.get(slot, direction));
        let others = self.used & !(1 << (8 * slot));
        MoveInLines {
            slides: self,
            cells,
            ends,
            slot,
            direction,
            axis,
            cross,
            from,
            to,
            beside: cells.in_line(from, axis) & others,
            across_from: cells.in_line(from, cross) & others,
            across_to: cells.in_line(to, cross) & others,
        }
    }
}

/// Finds the two ends of a robot along an axis, where `mates` are all robots in its line.
#[inline(always)]
fn set_ends(
    alone: &[[u8; 4]; 256],
    ends: &mut Ends,
    cells: Cells,
    slot: usize,
    mates: u64,
    axis: &Axis,
) {
    let cell = cells.get(slot);
    let alone = alone[usize::from(cell)];
    let (mut low, mut high) = (alone[axis.lower & 3], alone[axis.higher & 3]);
    for mate in slots(mates & !(1 << (8 * slot))) {
        let other = cells.get(mate);
        if other > cell {
            high = high.min(other.wrapping_sub(axis.step));
        } else {
            low = low.max(other.wrapping_add(axis.step));
        }
    }
    ends.0[axis.lower & 3].set(slot, low);
    ends.0[axis.higher & 3].set(slot, high);
}

/// A move, and who is in the lines that it touches.
pub(crate) struct MoveInLines<'a> {
    slides: &'a Slides,
    cells: Cells,
    ends: &'a Ends,
    slot: usize,
    direction: usize,
    axis: &'static Axis,
    cross: &'static Axis,
    from: u8,
    to: u8,
    /// Ones in the bytes of others in the line of the move, and in those across its ends.
    beside: u64,
    across_from: u64,
    across_to: u64,
}

impl MoveInLines<'_> {
    /// All ends after the move, where these are the cells.
    #[inline(always)]
    pub(crate) fn ends_after(&self, cells: Cells) -> Ends {
        let mut ends = *self.ends;
        let Some(alone) = &self.slides.alone else {
            self.slides.set_ends_with_diagonals(&mut ends, cells);
            return ends;
        };
        let own = 1 << (8 * self.slot);
        for mate in slots(self.beside | own) {
            set_ends(alone, &mut ends, cells, mate, self.beside | own, self.axis);
        }
        for mate in slots(self.across_from) {
            set_ends(alone, &mut ends, cells, mate, self.across_from, self.cross);
        }
        for mate in slots(self.across_to | own) {
            let mates = self.across_to | own;
            set_ends(alone, &mut ends, cells, mate, mates, self.cross);
        }
        ends
    }

    /// Which moves are known not to begin a shortest solution after this one, which begins one, if
    /// `not_best` are all that do not begin one before it.
    ///
    /// Let the state before be *s* at distance *d*, the move *f*, and the state after it *s'* at
    /// distance *d* − 1. A move begins a shortest solution in *s'* if it leads to *d* − 2.
    ///
    /// - Another robot's move *m* that begins none in *s* leads from there to a distance of at
    ///   least *d*. If *m* and *f* do not get into each other's way, *m* after *f* leads to the same
    ///   state as *f* after *m*, which therefore is at least *d* − 1 away.
    /// - The same robot once more in the same direction does not move, and back it gets to where it
    ///   could have gone from *s* at once, so to at least *d* − 1 again.
    ///
    /// *m* has the same end in *s* and *s'* unless its robot is in the row or column, along which
    /// *m* goes, of the cell that *f* leaves or of the one that it reaches. *f* has the same end
    /// before and after *m* unless *m* ends on the way of *f* or its robot is what stops *f*.
    /// A move that is impossible in *s* and has the same end in *s'* is impossible there too.
    ///
    /// With diagonals, paths bend, and nothing is ruled out.
    #[inline(always)]
    pub(crate) fn still_not_best(&self, not_best: MoveSet) -> MoveSet {
        if self.slides.alone.is_none() {
            return 0;
        }
        let (axis, cross) = (self.axis, self.cross);
        let (low, high, stopper) = if self.direction == axis.higher {
            (self.from, self.to, self.to.wrapping_add(axis.step))
        } else {
            (self.to, self.from, self.to.wrapping_sub(axis.step))
        };
        // If there is no cell behind the last one, this is some other cell, which does no harm.
        let stopping = self.beside & self.cells.in_line(stopper, cross);
        let across = self.across_from | self.across_to;
        let mut lost = (self.beside * axis.both) | (across * cross.both);
        lost |= stopping * ALL_DIRECTIONS;
        for side in [cross.lower, cross.higher] {
            let ends = self.ends.0[side & 3];
            let on_way = ends.in_line(self.from, axis) & ends.between(low, high, axis);
            lost |= on_way << (side & 3);
        }
        let own = 8 * self.slot;
        (not_best & !lost & !(ALL_DIRECTIONS << own)) | axis.both << own
    }
}

#[cfg(test)]
mod tests {
    use ricochet_core::rng::Rng;
    use ricochet_core::{Lean, State};

    use super::*;

    fn random_board(rng: &mut Rng, diagonals: bool) -> Arc<Board> {
        let (width, height) = (3 + rng.below(14), 3 + rng.below(14));
        let mut builder = Board::builder(width, height);
        let cell = |rng: &mut Rng| Cell::new(rng.below(width) as u8, rng.below(height) as u8);
        for _ in 0..width * height / 6 {
            builder = builder.wall(cell(rng), Direction::from_index(rng.below(4)));
        }
        if diagonals {
            builder = builder.diagonal(cell(rng), Lean::Slash, Robot::new(rng.below(8)).unwrap());
        }
        Arc::new(builder.build().unwrap())
    }

    /// A state of a board, by slots and by robots, which are in the opposite order.
    struct Position {
        slides: Slides,
        state: State,
    }

    impl Position {
        fn random(rng: &mut Rng, diagonals: bool) -> Option<Self> {
            let board = random_board(rng, diagonals);
            let robots = 1 + rng.below(8);
            let mut open: Vec<Cell> = board.cells().collect();
            rng.shuffle(&mut open);
            let state = State::new(open.get(..robots)?).unwrap();
            let mut robots: Vec<Robot> = state.robots().collect();
            robots.reverse();
            let slides = Slides::new(&board, robots);
            Some(Self { slides, state })
        }

        fn cells(&self, state: &State) -> Cells {
            let mut cells = Cells::default();
            for (slot, &robot) in self.slides.robots.iter().enumerate() {
                cells.set(slot, byte_of(state[robot]));
            }
            cells
        }

        fn slide(&self, state: &State, slot: usize, direction: usize) -> Cell {
            let robot = self.slides.robots[slot];
            let direction = Direction::from_index(direction);
            let board = &self.slides.board;
            board.slide(robot, state[robot], direction, state.cells())
        }

        fn after(&self, state: &State, slot: usize, direction: usize) -> State {
            let end = self.slide(state, slot, direction);
            state.with(self.slides.robots[slot], end)
        }

        /// Slot and direction of every move in a set.
        fn moves(&self, set: MoveSet) -> impl Iterator<Item = (usize, usize)> + use<> {
            let all = (0..self.slides.robots.len()).flat_map(|slot| (0..4).map(move |d| (slot, d)));
            all.filter(move |&(slot, direction)| set >> (8 * slot + direction) & 1 == 1)
        }
    }

    fn positions(count: usize) -> impl Iterator<Item = Position> {
        let mut rng = Rng::new(11);
        let all = (0..count).map(move |i| Position::random(&mut rng, i % 8 == 0));
        all.flatten()
    }

    #[test]
    fn ends_are_those_of_the_board() {
        for position in positions(2000) {
            let check = |ends: &Ends, state: &State| {
                for (slot, direction) in position.moves(u64::MAX) {
                    let expected = byte_of(position.slide(state, slot, direction));
                    assert_eq!(ends.get(slot, direction), expected);
                }
            };
            let state = position.state;
            let cells = position.cells(&state);
            let ends = position.slides.ends(cells);
            check(&ends, &state);
            for (slot, direction) in position.moves(u64::MAX) {
                let after = position.after(&state, slot, direction);
                if after == state {
                    continue;
                }
                let step = position.slides.step(cells, &ends, slot, direction);
                check(&step.ends_after(position.cells(&after)), &after);
            }
        }
    }

    /// What the proof of [`MoveInLines::still_not_best`] needs, by the rules alone.
    #[test]
    fn moves_that_stay_known_have_the_same_effect_in_both_orders() {
        let (mut kept, mut all) = (0u32, 0u32);
        for position in positions(3000) {
            let state = position.state;
            let cells = position.cells(&state);
            let ends = position.slides.ends(cells);
            let every = position.slides.all_moves();
            for (slot, direction) in position.moves(every) {
                let after = position.after(&state, slot, direction);
                if after == state {
                    continue;
                }
                let step = position.slides.step(cells, &ends, slot, direction);
                let known = step.still_not_best(every);
                assert_eq!(known & !every, 0);
                assert!(position.slides.alone.is_some() || known == 0);
                kept += known.count_ones();
                all += every.count_ones();
                for (other, side) in position.moves(known) {
                    let both = position.after(&after, other, side);
                    if other == slot {
                        let at_once = (0..4).map(|d| position.after(&state, slot, d));
                        assert!(both == after || at_once.into_iter().any(|once| once == both));
                        continue;
                    }
                    let first = position.after(&state, other, side);
                    assert_eq!(first == state, both == after, "possible in both or in none");
                    if first != state {
                        assert_eq!(position.after(&first, slot, direction), both);
                    }
                }
                // What is not best is not made more of, but for the mover's own.
                let none = step.still_not_best(0);
                assert!(position.moves(none).all(|(other, _)| other == slot));
            }
        }
        assert!(kept * 2 > all, "most moves stay known: {kept} of {all}");
    }
}
