//! One iteration of the search for the common puzzles: one active robot, no diagonals, no
//! `must_ricochet`. This is the fast one; `general.rs` does the rest, and the two are tested
//! against each other.
//!
//! What makes it fast:
//! - Cells are `y << 5 | x` on every board, so that one code serves all sizes without divisions.
//! - The robots of each row and column are bits of a word: a slide is a shift, a count of zeros and
//!   a minimum with the distance to the next wall.
//! - A child is tested (goal, depth, bound, memo) before its move is made; six of seven children
//!   never are.
//! - The key of a child is the parent's with one field replaced if the active robot moved;
//!   otherwise the others are sorted by a network.

use std::ops::{BitOr, BitXor, Shl};

use ricochet_core::{Cell, Direction, MAX_ROBOTS, MAX_SIDE, Move, Puzzle, Robot};

use super::memo::{Memo, Slot};
use super::{IddfsOptions, IddfsSearch, Iteration, Verdict};
use crate::Limit;
use crate::heuristics::bound::MinMoves;
use crate::memory::meter::MemoryMeter;
use crate::trace::Watch;

/// Bits of a coordinate.
const SIDE_BITS: u32 = 5;
/// Bits of a cell.
const CELL_BITS: u32 = 2 * SIDE_BITS;
const CELLS: usize = 1 << CELL_BITS;
/// The bound of a cell from which there is no way.
const NEVER: u16 = MinMoves::UNREACHABLE;

type At = u16;

fn at(cell: Cell) -> At {
    At::from(cell.y) << SIDE_BITS | At::from(cell.x)
}

/// What never changes during a search.
struct SlideTables {
    /// How far a robot could go from each cell in each direction if it were alone.
    run: Box<[[u8; 4]; CELLS]>,
    /// The minimum-moves map; all 0 if the bound is switched off.
    least: Box<[u16; CELLS]>,
}

impl SlideTables {
    fn new(puzzle: &Puzzle, options: IddfsOptions) -> Self {
        let board = puzzle.board();
        let active = puzzle.goal().robot.expect("one active robot");
        let map = MinMoves::new(board, active, puzzle.goal().cell);
        let mut tables = Self {
            run: vec![[0; 4]; CELLS].try_into().expect("as long"),
            least: vec![0; CELLS].try_into().expect("as long"),
        };
        for cell in board.cells() {
            let here = usize::from(at(cell));
            if options.bound {
                tables.least[here] = map.by_index()[board.index(cell)];
            }
            for direction in Direction::ALL {
                let end = board.slide(active, cell, direction, &[]);
                tables.run[here][direction.index()] =
                    end.x.abs_diff(cell.x) + end.y.abs_diff(cell.y);
            }
        }
        tables
    }
}

/// The robots on the board, the active one first.
struct Position<const N: usize> {
    robots: [At; N],
    rows: [u32; MAX_SIDE],
    columns: [u32; MAX_SIDE],
}

const LOW: At = MAX_SIDE as At - 1;

impl<const N: usize> Position<N> {
    fn new(robots: [At; N]) -> Self {
        let mut position = Self {
            robots,
            rows: [0; MAX_SIDE],
            columns: [0; MAX_SIDE],
        };
        for robot in robots {
            position.toggle(robot);
        }
        position
    }

    #[inline]
    fn toggle(&mut self, cell: At) {
        let (x, y) = (cell & LOW, cell >> SIDE_BITS & LOW);
        self.rows[usize::from(y)] ^= 1 << x;
        self.columns[usize::from(x)] ^= 1 << y;
    }

    #[inline]
    fn put(&mut self, robot: usize, cell: At) {
        self.toggle(self.robots[robot]);
        self.toggle(cell);
        self.robots[robot] = cell;
    }

    /// Where a robot on `cell` stops in each direction; `run` is how far it could go alone.
    #[inline]
    fn ends(&self, cell: At, run: [u8; 4]) -> [At; 4] {
        let (x, y) = (cell & LOW, cell >> SIDE_BITS & LOW);
        let (row, column) = (self.rows[usize::from(y)], self.columns[usize::from(x)]);
        // In each word, the robots behind and at the mover are shifted out, so that zeros count the
        // free cells; the added bit keeps the count under 32, which no run reaches.
        let before = |line: u32, along: At| (line << (31 - along) << 1 | 1).leading_zeros();
        let behind = |line: u32, along: At| (line >> along >> 1 | 1 << 31).trailing_zeros();
        let steps = |free: u32, run: u8| free.min(u32::from(run)) as At;
        [
            cell - (steps(before(column, y), run[0]) << SIDE_BITS),
            cell + steps(behind(row, x), run[1]),
            cell + (steps(behind(column, y), run[2]) << SIDE_BITS),
            cell - steps(before(row, x), run[3]),
        ]
    }
}

/// A position on the way from the root, with the moves that are still to be tried.
#[derive(Clone, Copy)]
struct PlainFrame<S> {
    key: S,
    height: u32,
    /// Moves to try, one bit each: `4 * place + direction`.
    moves: u32,
    /// Where each of them ends.
    ends: [At; 4 * MAX_ROBOTS],
    /// The bound of the active robot here.
    least: u16,
    /// The move that led here, and from where.
    entered_by: u8,
    from: At,
}

/// What entered the root.
const NO_MOVE: u8 = u8::MAX;

/// The search of one puzzle; the memo lives on from one iteration to the next.
pub(super) struct PlainSearch<const N: usize, S> {
    tables: SlideTables,
    position: Position<N>,
    target: At,
    options: IddfsOptions,
    memo: Memo<S>,
    /// The positions from the root to the current one.
    frames: Vec<PlainFrame<S>>,
    /// The robot in each place.
    order: Vec<Robot>,
}

/// What a key is made with.
pub(super) trait Packed:
    Slot + From<At> + BitOr<Output = Self> + BitXor<Output = Self> + Shl<u32, Output = Self>
{
}
impl Packed for u64 {}
impl Packed for u128 {}

impl<const N: usize, S: Packed> PlainSearch<N, S> {
    pub(super) fn new(
        puzzle: &Puzzle,
        options: IddfsOptions,
        meter: &mut MemoryMeter,
    ) -> Result<Self, Limit> {
        let order = super::search_order(puzzle);
        meter.allocate(size_of::<[u8; 4]>() as u64 * CELLS as u64)?;
        meter.allocate(size_of::<u16>() as u64 * CELLS as u64)?;
        Ok(Self {
            tables: SlideTables::new(puzzle, options),
            position: Position::new(std::array::from_fn(|i| at(puzzle.start()[order[i]]))),
            target: at(puzzle.goal().cell),
            options,
            memo: Memo::new(meter)?,
            frames: Vec::new(),
            order,
        })
    }

    /// Pushes the frame of the current position, with all its moves: 'only the active robot moves
    /// when the bound is tight', and no robot back to the cell it left.
    #[inline]
    fn push(
        &mut self,
        (key, height, least): (S, u32, u16),
        (entered_by, from): (u8, At),
        iteration: &mut Iteration,
        meter: &mut MemoryMeter,
    ) -> Result<(), Limit> {
        let tight = u32::from(least) == height;
        iteration.cut |= tight;
        let mut moves = 0;
        let mut ends = [0; 4 * MAX_ROBOTS];
        for place in 0..if tight { 1 } else { N } {
            let cell = self.position.robots[place];
            let run = self.tables.run[usize::from(cell) & (CELLS - 1)];
            for (direction, end) in self.position.ends(cell, run).into_iter().enumerate() {
                ends[4 * place + direction] = end;
                moves |= u32::from(end != cell) << (4 * place + direction);
            }
        }
        if entered_by != NO_MOVE {
            moves &= !(1 << (entered_by ^ 2));
        }
        meter.reserve(&mut self.frames)?;
        self.frames.push(PlainFrame {
            key,
            height,
            moves,
            ends,
            least,
            entered_by,
            from,
        });
        Ok(())
    }

    /// The moves to the current position, and one more.
    fn path(&self, last: u8) -> Vec<Move> {
        let entered = self.frames.iter().skip(1).map(|frame| frame.entered_by);
        entered
            .chain([last])
            .map(|packed| Move {
                robot: self.order[usize::from(packed >> 2)],
                direction: Direction::from_index(usize::from(packed)),
            })
            .collect()
    }
}

impl<const N: usize, S: Packed> IddfsSearch for PlainSearch<N, S> {
    const MAX_HEIGHT: u32 = S::MAX_HEIGHT;

    fn stored(&self) -> usize {
        self.memo.len()
    }

    fn run(
        &mut self,
        iteration: &mut Iteration,
        meter: &mut MemoryMeter,
        _: &mut Watch<'_>,
    ) -> Result<Verdict, Limit> {
        iteration.row.nodes += 1;
        let height = iteration.row.depth;
        let least = self.tables.least[usize::from(self.position.robots[0])];
        if u32::from(least) > height {
            iteration.cut |= least != NEVER;
            return Ok(Verdict::Exhausted);
        }
        iteration.row.inner += 1;
        let key = packed(self.position.robots, self.options.sort);
        if self.options.memo {
            self.memo.is_searched(key, height);
        }
        self.push((key, height, least), (NO_MOVE, 0), iteration, meter)?;
        while let Some(frame) = self.frames.last_mut() {
            let child_height = frame.height - 1;
            let mut moves = frame.moves;
            // Looks at child after child; leaves with the first that has to be searched.
            let child = loop {
                if moves == 0 {
                    break None;
                }
                let this = moves.trailing_zeros() as usize & 31;
                moves &= moves - 1;
                let (place, to) = (this >> 2, frame.ends[this]);
                iteration.row.nodes += 1;
                let mut least = frame.least;
                if place == 0 {
                    if to == self.target {
                        return Ok(Verdict::Solved(self.path(this as u8)));
                    }
                    least = self.tables.least[usize::from(to) & (CELLS - 1)];
                }
                if child_height == 0 {
                    iteration.cut = true;
                    continue;
                }
                if u32::from(least) > child_height {
                    iteration.cut |= least != NEVER;
                    continue;
                }
                iteration.row.inner += 1;
                let mut robots = self.position.robots;
                let key = if place == 0 {
                    frame.key ^ S::from(robots[0] ^ to) << S::HEIGHT_BITS
                } else {
                    robots[place] = to;
                    packed(robots, self.options.sort)
                };
                if self.options.memo && self.memo.is_searched(key, child_height) {
                    iteration.row.hits += 1;
                    continue;
                }
                break Some((this, to, key, least));
            };
            frame.moves = moves;
            if let Some((this, to, key, least)) = child {
                self.memo.reserve(meter)?;
                iteration.check(meter)?;
                let from = self.position.robots[this >> 2];
                self.position.put(this >> 2, to);
                let entered = (this as u8, from);
                self.push((key, child_height, least), entered, iteration, meter)?;
            } else {
                if frame.entered_by != NO_MOVE {
                    let place = usize::from(frame.entered_by >> 2);
                    self.position.put(place, frame.from);
                }
                self.frames.pop();
            }
        }
        Ok(Verdict::Exhausted)
    }
}

/// The key of the robots in these places: the active one lowest, the others in order.
#[inline]
fn packed<const N: usize, S: Packed>(mut robots: [At; N], sort: bool) -> S {
    if sort {
        sort_tail(&mut robots);
    }
    let mut key = S::default();
    for &robot in robots.iter().rev() {
        key = key << CELL_BITS | S::from(robot);
    }
    key << S::HEIGHT_BITS
}

/// Sorts all but the first.
#[inline]
fn sort_tail<const N: usize>(robots: &mut [At; N]) {
    let mut order = |i: usize, j: usize| {
        let (a, b) = (robots[i], robots[j]);
        robots[i] = a.min(b);
        robots[j] = a.max(b);
    };
    match N {
        0..=2 => {}
        3 => order(1, 2),
        4 => {
            order(1, 2);
            order(2, 3);
            order(1, 2);
        }
        5 => {
            order(1, 2);
            order(3, 4);
            order(1, 3);
            order(2, 4);
            order(2, 3);
        }
        _ => robots[1..].sort_unstable(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_sort() {
        fn check<const N: usize>() {
            let values = 4usize.pow(N as u32);
            for code in 0..values {
                let robots: [At; N] = std::array::from_fn(|i| (code >> (2 * i) & 3) as At);
                let (mut fast, mut slow) = (robots, robots);
                sort_tail(&mut fast);
                slow[1..].sort_unstable();
                assert_eq!(fast, slow);
            }
        }
        check::<1>();
        check::<2>();
        check::<3>();
        check::<4>();
        check::<5>();
        check::<6>();
    }
}
