//! Tables for a board and a target.

use ricochet_core::{Board, Cell, Direction};

use crate::lowlevel::bytes::FLIP;
use crate::lowlevel::instructions::{InstructionSet, Kernel};
use crate::lowlevel::set::{BITS, Set, bit, cells_of, take_first};

/// The bound of a cell from which the target could not be reached even if a robot could stop
/// anywhere.
pub(crate) const UNREACHABLE: u8 = u8::MAX;

/// All cells.
const ALL: [u64; 4] = [u64::MAX; 4];

/// For each cell and direction (N, E, S, W): all cells further on, ignoring walls.
pub(crate) static RAYS: [[[u64; 4]; 4]; 256] = rays();

/// The cells in line with each cell, ignoring walls.
pub(crate) static LINES: [[u64; 4]; 256] = {
    let mut lines = [[0; 4]; 256];
    let mut cell = 0;
    while cell < 256 {
        let mut word = 0;
        while word < 4 {
            let [n, e, s, w] = &RAYS[cell];
            lines[cell][word] = n[word] | e[word] | s[word] | w[word];
            word += 1;
        }
        cell += 1;
    }
    lines
};

/// For a robot on p and another on o: the packed ends of p's four moves if there were no walls, 255
/// if o does not stop it. The minimum of these and the ends that walls alone allow gives the ends
/// with both.
pub(crate) static NEAR: [[u32; 256]; 256] = near();

#[allow(clippy::large_stack_arrays)] // evaluated by the compiler
const fn rays() -> [[[u64; 4]; 4]; 256] {
    let mut rays = [[[0; 4]; 4]; 256];
    let mut cell = 0;
    while cell < 256 {
        let mut d = 0;
        while d < 4 {
            let mut at = step(cell as u8, d);
            while let Some(next) = at {
                rays[cell][d][(next >> 6) as usize] |= 1 << (next & 63);
                at = step(next, d);
            }
            d += 1;
        }
        cell += 1;
    }
    rays
}

#[allow(clippy::large_stack_arrays)] // evaluated by the compiler
const fn near() -> [[u32; 256]; 256] {
    let mut near = [[u32::MAX; 256]; 256];
    let mut cell = 0;
    while cell < 256 {
        let mut d = 0;
        while d < 4 {
            let mut end = cell as u8;
            while let Some(next) = step(end, d) {
                let others = u32::MAX ^ 0xff << (8 * d);
                near[cell][next as usize] = others | (end as u32) << (8 * d) ^ FLIP & !others;
                end = next;
            }
            d += 1;
        }
        cell += 1;
    }
    near
}

/// The next cell on the 16×16 grid in a direction, if there is one.
pub(crate) const fn step(cell: u8, d: usize) -> Option<u8> {
    let leaves = match d {
        0 => cell < 16,
        1 => cell & 15 == 15,
        2 => cell >= 240,
        _ => cell.is_multiple_of(16),
    };
    if leaves {
        None
    } else {
        Some(cell.wrapping_add(STEP[d]))
    }
}

/// The number of a cell in the search: rows have 16 cells, regardless of the board's width.
pub(crate) fn number(cell: Cell) -> u8 {
    cell.y * 16 + cell.x
}

/// The difference in cell numbers for one step north, east, south, west.
pub(crate) const STEP: [u8; 4] = [16u8.wrapping_neg(), 1, 16, 1u8.wrapping_neg()];

/// The cells that the goal robot's moves lead to from a cell if no helper is in the way.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct FreeMoves {
    /// The cells on which a helper would be in the way of one of the moves; all cells if this entry
    /// has not been made yet.
    pub(crate) lines: [u64; 4],
    /// The ends of the moves that lower, keep or raise the bound; the cell itself is among them if
    /// a wall is next to it.
    pub(crate) lower: [u64; 4],
    pub(crate) same: [u64; 4],
    pub(crate) higher: [u64; 4],
    /// The cells on which a helper may be the first to stop a chain of lowering moves from this
    /// cell.
    pub(crate) first_stoppers: [u64; 4],
}

impl FreeMoves {
    const NOT_MADE: Self = Self {
        lines: ALL,
        lower: [0; 4],
        same: [0; 4],
        higher: [0; 4],
        first_stoppers: [0; 4],
    };
}

/// A board of at most 16×16 without diagonals, and a target on it.
#[derive(Clone)]
#[repr(align(128))]
pub(crate) struct Tables {
    walls: [u8; 256],
    /// The packed ends of a robot's four moves on an empty board.
    open: [u32; 256],
    /// The cells that walls allow to be entered heading N, E, S, W.
    pub(crate) enter: [[u64; 4]; 4],
    target: u8,
    /// The minimum-moves map of the slides.
    pub(crate) bound: [u8; 256],
    /// The cells of each bound, with an empty set before the first and empty sets after the last.
    levels: Vec<[u64; 4]>,
    /// The goal-robot cells from which lowering moves lead to the target if there is no other
    /// robot.
    unhelped: [u64; 4],
    /// The same sets with each cell in place of the target, including that cell, once they have
    /// been made.
    leading: Box<[[u64; 4]; 256]>,
    made_leading: bool,
    /// The cells next to one from which the target is reached without help: the last helper that
    /// stops a chain of lowering moves to the target is on one of these.
    useful: [u64; 4],
    /// The cells next to the useful cells.
    beside_useful: [u64; 4],
    /// By helper cell: the goal-robot cells from which a lowering move may land next to that
    /// helper, considering walls only; all cells if this entry has not been made yet.
    helped: Box<[[u64; 4]; 256]>,
    /// These cells, and the cells from which lowering moves may lead to them.
    helped_in_time: Box<[[u64; 4]; 256]>,
    made_helped: FilledCells,
    /// By the cell that a helper leaves: the goal-robot cells from which a lowering move over or
    /// onto it may then be possible, considering walls only; all cells if this entry has not been
    /// made yet.
    freed: Box<[[u64; 4]; 256]>,
    made_freed: FilledCells,
    /// By goal-robot cell: the cells on which a helper may be the first to stop a chain of lowering
    /// moves, considering walls only. The inverse of `helped_in_time`.
    first_stoppers: Box<[[u64; 4]; 256]>,
    made_first_stoppers: FilledCells,
    free_moves: Box<[FreeMoves; 256]>,
    made_free_moves: FilledCells,
}

impl Tables {
    /// The bytes that the tables take.
    pub(crate) const BYTES: u64 =
        size_of::<Self>() as u64 + 256 * (5 * 32 + size_of::<FreeMoves>() as u64);

    /// Empty tables; [`Tables::set_up`] fills them.
    pub(crate) fn new() -> Self {
        Self {
            walls: [15; 256],
            open: [0; 256],
            enter: [[0; 4]; 4],
            target: 0,
            bound: [UNREACHABLE; 256],
            levels: Vec::new(),
            unhelped: [0; 4],
            leading: Box::new([[0; 4]; 256]),
            made_leading: false,
            useful: [0; 4],
            beside_useful: [0; 4],
            helped: Box::new([ALL; 256]),
            helped_in_time: Box::new([[0; 4]; 256]),
            made_helped: FilledCells::none(),
            freed: Box::new([ALL; 256]),
            made_freed: FilledCells::none(),
            first_stoppers: Box::new([[0; 4]; 256]),
            made_first_stoppers: FilledCells::none(),
            free_moves: vec![FreeMoves::NOT_MADE; 256]
                .try_into()
                .unwrap_or_else(|_| unreachable!("so many")),
            made_free_moves: FilledCells::none(),
        }
    }

    /// Whether the tables can be made for a board.
    pub(crate) fn fits(board: &Board) -> bool {
        board.width() <= 16 && board.height() <= 16 && board.diagonals().is_empty()
    }

    /// Makes the tables for a board and a target.
    pub(crate) fn set_up<S: Set>(&mut self, isa: S::Isa, board: &Board, target: Cell) {
        self.set_board(board);
        isa.run(SetTarget::<S> {
            tables: self,
            target: number(target),
            isa,
        });
    }

    fn set_board(&mut self, board: &Board) {
        let width = board.width();
        let mut walls = [15; 256];
        for (row, masks) in board.walls().chunks_exact(width).enumerate() {
            walls[row * 16..row * 16 + width].copy_from_slice(masks);
        }
        if walls == self.walls {
            return;
        }
        self.walls = walls;
        // A cell can be entered heading d if it has no wall on the side through which it is
        // entered.
        for (word, masks) in walls.as_chunks::<64>().0.iter().enumerate() {
            let mut open = [0; 4];
            for (i, eight) in masks.as_chunks::<8>().0.iter().enumerate() {
                let eight = !u64::from_le_bytes(*eight);
                for (side, bits) in open.iter_mut().enumerate() {
                    // Gathers one bit of each of eight bytes by a multiplication.
                    let spread = eight >> side & 0x0101_0101_0101_0101;
                    *bits |= (spread.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * i);
                }
            }
            for direction in Direction::ALL {
                let side = direction.opposite().wall_bit().trailing_zeros();
                self.enter[direction.index()][word] = open[side as usize];
            }
        }
        self.open = ends_by_walls(&walls);
    }

    #[inline(always)]
    fn set_target<S: Set>(&mut self, isa: S::Isa, target: u8) {
        self.bound = [UNREACHABLE; 256];
        self.made_helped.forget(|cell| self.helped[cell] = ALL);
        self.made_freed.forget(|cell| self.freed[cell] = ALL);
        self.made_first_stoppers.forget(|_| ());
        let free_moves = &mut self.free_moves;
        self.made_free_moves
            .forget(|cell| free_moves[cell].lines = ALL);
        self.levels.clear();
        self.levels.push([0; 4]);
        let enter = self.enter.map(|words| isa.load(&words));
        let mut level = isa.load(&bit(target));
        let mut seen = level;
        let mut moves = 0;
        while !level.is_empty() {
            for cell in cells_of(level.words()) {
                self.bound[usize::from(cell)] = moves;
            }
            moves += 1;
            self.levels.push(level.words());
            let next = level
                .fill_north(enter[0])
                .or(level.fill_east(enter[1]))
                .or(level.fill_south(enter[2]))
                .or(level.fill_west(enter[3]))
                .minus(seen);
            seen = seen.or(next);
            level = next;
        }
        // Moves may raise the bound to one above the last level.
        self.levels.push([0; 4]);
        self.levels.push([0; 4]);
        self.made_leading = false;
        self.target = target;
        let unhelped: S = self.leading_to_target(isa, enter);
        self.unhelped = unhelped.words();
        let useful = unhelped
            .north::<1>()
            .and(enter[0])
            .or(unhelped.east::<1>().and(enter[1]))
            .or(unhelped.south::<1>().and(enter[2]))
            .or(unhelped.west::<1>().and(enter[3]));
        self.useful = useful.words();
        self.beside_useful = useful
            .north::<1>()
            .or(useful.east::<1>())
            .or(useful.south::<1>())
            .or(useful.west::<1>())
            .words();
    }

    /// The cells from which lowering moves lead to the target if there is no other robot, level by
    /// level.
    #[inline(always)]
    fn leading_to_target<S: Set>(&self, isa: S::Isa, enter: [S; 4]) -> S {
        // The cells on which a robot heading N, E, S, W does not stop; on all others a wall stops
        // it.
        let goes_on = [
            enter[0].south::<1>(),
            enter[1].west::<1>(),
            enter[2].north::<1>(),
            enter[3].east::<1>(),
        ];
        let mut level: S = self.target(isa);
        let mut leading = level;
        for cells in &self.levels[2..] {
            // A robot that stops there comes from the line behind it.
            level = level
                .minus(goes_on[0])
                .fill_south(enter[2])
                .or(level.minus(goes_on[1]).fill_west(enter[3]))
                .or(level.minus(goes_on[2]).fill_north(enter[0]))
                .or(level.minus(goes_on[3]).fill_east(enter[1]))
                .and(isa.load(cells));
            if level.is_empty() {
                break;
            }
            leading = leading.or(level);
        }
        leading
    }

    /// Makes `leading`, if that has not been done; short searches never need it.
    #[inline(always)]
    fn make_leading<I: InstructionSet>(&mut self, isa: I) {
        if self.made_leading {
            return;
        }
        self.leading.copy_from_slice(&BITS);
        for bound in (1..=self.highest()).rev() {
            for cell in cells_of(self.levels[usize::from(bound) + 1]) {
                let here = isa.load(&self.leading[usize::from(cell)]);
                let ends = self.open[usize::from(cell)] ^ FLIP;
                for end in ends.to_le_bytes().map(usize::from) {
                    if self.bound[end] == bound - 1 {
                        self.leading[end] = isa.load(&self.leading[end]).or(here).words();
                    }
                }
            }
        }
        self.made_leading = true;
    }

    /// The target, as a set.
    #[inline(always)]
    pub(crate) fn target<I: InstructionSet>(&self, isa: I) -> I::Set {
        isa.load(&BITS[usize::from(self.target)])
    }

    /// The target.
    pub(super) fn target_cell(&self) -> u8 {
        self.target
    }

    /// All goal-robot cells from which lowering moves lead to the target without help.
    #[inline(always)]
    pub(crate) fn unhelped<I: InstructionSet>(&self, isa: I) -> I::Set {
        isa.load(&self.unhelped)
    }

    /// The cells on which a helper may be the last to stop a chain of lowering moves to the target.
    #[inline(always)]
    pub(crate) fn useful<I: InstructionSet>(&self, isa: I) -> I::Set {
        isa.load(&self.useful)
    }

    /// The goal-robot cells that can stop a helper on a cell of [`Tables::useful`].
    #[inline(always)]
    pub(crate) fn beside_useful<I: InstructionSet>(&self, isa: I) -> I::Set {
        isa.load(&self.beside_useful)
    }

    /// All goal-robot cells from which lowering moves may lead to a landing next to a helper on
    /// `cell`.
    #[inline(always)]
    pub(crate) fn helped_in_time<I: InstructionSet>(&mut self, isa: I, cell: u8) -> I::Set {
        if !self.made_helped.has(cell) {
            self.make_helped(isa, cell);
        }
        isa.load(&self.helped_in_time[usize::from(cell)])
    }

    /// The cells on which a helper may be the first to stop a chain of lowering moves from a
    /// goal-robot cell.
    #[inline(always)]
    fn first_stoppers<I: InstructionSet>(&mut self, isa: I, cell: u8) -> I::Set {
        if !self.made_first_stoppers.has(cell) {
            self.make_first_stoppers(isa, cell);
        }
        isa.load(&self.first_stoppers[usize::from(cell)])
    }

    /// The cells that the goal robot's moves lead to from a cell if no helper is in the way.
    #[inline(always)]
    pub(crate) fn free_moves(&self, cell: u8) -> &FreeMoves {
        &self.free_moves[usize::from(cell)]
    }

    /// Makes the entry that [`Tables::free_moves`] returns, if it has not been made yet.
    #[inline(always)]
    pub(crate) fn make_free_moves<I: InstructionSet>(&mut self, isa: I, cell: u8) {
        let at = usize::from(cell);
        let bound = self.bound[at];
        if self.made_free_moves.has(cell) || bound == UNREACHABLE {
            return;
        }
        let first_stoppers = self.first_stoppers(isa, cell);
        let [below, here, above] = self.around(bound);
        let mut stops = isa.load(&[0; 4]);
        for end in (self.open[at] ^ FLIP).to_le_bytes() {
            stops = stops.or(isa.load(&BITS[usize::from(end)]));
        }
        let [n, e, s, w] = self.ways_from(isa, cell);
        self.free_moves[at] = FreeMoves {
            lines: n.or(e).or(s.or(w)).words(),
            lower: stops.and(isa.load(below)).words(),
            same: stops.and(isa.load(here)).words(),
            higher: stops.and(isa.load(above)).words(),
            first_stoppers: first_stoppers.words(),
        };
        self.made_free_moves.add(cell);
    }

    /// The cells of a bound, preceded by the cells of one less and followed by the cells of one
    /// more.
    #[inline(always)]
    pub(crate) fn around(&self, bound: u8) -> &[[u64; 4]; 3] {
        let at = usize::from(bound);
        self.levels[at..at + 3].first_chunk().expect("three")
    }

    /// The cells of each bound.
    pub(crate) fn all_levels(&self) -> &[[u64; 4]] {
        &self.levels[1..self.levels.len() - 2]
    }

    /// The highest bound of any cell.
    pub(crate) fn highest(&self) -> u8 {
        self.levels.len() as u8 - 4
    }

    /// Whether there is a wall on this side of a cell.
    pub(crate) fn has_wall(&self, cell: u8, side: Direction) -> bool {
        self.walls[usize::from(cell)] & side.wall_bit() != 0
    }

    /// The packed ends of a robot's moves on an empty board.
    #[inline(always)]
    pub(crate) fn open(&self, robot: u8) -> u32 {
        self.open[usize::from(robot)]
    }

    /// A superset of what [`Tables::helped_at`] returns.
    #[inline(always)]
    pub(crate) fn may_help<S: Set>(&self, end: u8, cells: S) -> S {
        cells.isa().load(&self.helped[usize::from(end)]).and(cells)
    }

    /// A superset of what [`Tables::freed_by`] returns.
    #[inline(always)]
    pub(crate) fn may_free<S: Set>(&self, from: u8, cells: S) -> S {
        cells.isa().load(&self.freed[usize::from(from)]).and(cells)
    }

    /// The members of `cells` from which a lowering move may land next to a helper on `end`,
    /// considering walls only.
    #[inline(always)]
    pub(crate) fn helped_at<S: Set>(&mut self, end: u8, cells: S) -> S {
        if !self.made_helped.has(end) {
            self.make_helped(cells.isa(), end);
        }
        self.may_help(end, cells)
    }

    /// The members of `cells` from which a lowering move over or onto `from` may be possible once a
    /// helper has left it, considering walls only.
    #[inline(always)]
    pub(crate) fn freed_by<S: Set>(&mut self, from: u8, cells: S) -> S {
        if !self.made_freed.has(from) {
            self.make_freed(cells.isa(), from);
        }
        self.may_free(from, cells)
    }

    #[inline(always)]
    fn make_helped<I: InstructionSet>(&mut self, isa: I, end: u8) {
        self.make_leading(isa);
        let ways = self.ways_from(isa, end);
        let mut helped = isa.load(&[0; 4]);
        for (d, way) in ways.into_iter().enumerate() {
            // The landing is the first cell of the way.
            let landing = end.wrapping_add(STEP[d]);
            let level = self.bound[usize::from(landing)];
            if self.walls[usize::from(end)] >> d & 1 == 0 && level != UNREACHABLE {
                helped = helped.or(way.and(isa.load(&self.around(level)[2])));
            }
        }
        let at_once = helped.words();
        let mut in_time = helped;
        for cell in cells_of(at_once) {
            in_time = in_time.or(isa.load(&self.leading[usize::from(cell)]));
        }
        self.helped[usize::from(end)] = at_once;
        self.helped_in_time[usize::from(end)] = in_time.words();
        self.made_helped.add(end);
    }

    #[inline(always)]
    fn make_first_stoppers<I: InstructionSet>(&mut self, isa: I, from: u8) {
        let enter = self.enter.map(|words| isa.load(&words));
        let mut stoppers = isa.load(&[0; 4]);
        let mut chain = isa.load(&BITS[usize::from(from)]);
        while !chain.is_empty() {
            let cell = take_first(&mut chain);
            if self.made_first_stoppers.has(cell) {
                stoppers = stoppers.or(isa.load(&self.first_stoppers[usize::from(cell)]));
                continue;
            }
            let bound = self.bound[usize::from(cell)];
            if bound == 0 || bound == UNREACHABLE {
                continue;
            }
            // The stoppers are behind the cells of a way on which it may land, unless a wall is in
            // between.
            let below = isa.load(&self.around(bound)[0]);
            let [n, e, s, w] = self.ways_from(isa, cell).map(|way| way.and(below));
            stoppers = stoppers
                .or(n.north::<1>().and(enter[0]))
                .or(e.east::<1>().and(enter[1]))
                .or(s.south::<1>().and(enter[2]))
                .or(w.west::<1>().and(enter[3]));
            // At the end of a way, a wall stops it.
            for end in (self.open[usize::from(cell)] ^ FLIP).to_le_bytes() {
                if self.bound[usize::from(end)] < bound {
                    chain = chain.or(isa.load(&BITS[usize::from(end)]));
                }
            }
        }
        self.first_stoppers[usize::from(from)] = stoppers.words();
        self.made_first_stoppers.add(from);
    }

    #[inline(always)]
    fn make_freed<I: InstructionSet>(&mut self, isa: I, from: u8) {
        let ways = self.ways_from(isa, from);
        let mut freed = isa.load(&[0; 4]);
        let here = isa.load(&BITS[usize::from(from)]);
        for (d, way) in ways.into_iter().enumerate() {
            let back = ways[(d + 2) % 4];
            let beyond = way.or(here);
            if back.is_empty() {
                continue;
            }
            for levels in self.levels[1..].windows(2) {
                if !beyond.and(isa.load(&levels[0])).is_empty() {
                    freed = freed.or(back.and(isa.load(&levels[1])));
                }
            }
        }
        self.freed[usize::from(from)] = freed.words();
        self.made_freed.add(from);
    }

    /// The cells that can be reached from a cell heading N, E, S, W, considering walls only.
    #[inline(always)]
    fn ways_from<I: InstructionSet>(&self, isa: I, cell: u8) -> [I::Set; 4] {
        let rays = &RAYS[usize::from(cell)];
        let ends = (self.open[usize::from(cell)] ^ FLIP).to_le_bytes();
        // Spelled out: a closure might not be inlined, and then sets would not stay in registers.
        [
            isa.load(&rays[0])
                .minus(isa.load(&RAYS[usize::from(ends[0])][0])),
            isa.load(&rays[1])
                .minus(isa.load(&RAYS[usize::from(ends[1])][1])),
            isa.load(&rays[2])
                .minus(isa.load(&RAYS[usize::from(ends[2])][2])),
            isa.load(&rays[3])
                .minus(isa.load(&RAYS[usize::from(ends[3])][3])),
        ]
    }
}

/// The packed ends of a robot's four moves on an empty board: a move ends on the same cell if there
/// is a wall, or where the move from the next cell ends.
fn ends_by_walls(walls: &[u8; 256]) -> [u32; 256] {
    let has_wall = |cell: usize, d: usize| walls[cell] >> d & 1 != 0;
    let mut ends = [[0; 256]; 4];
    let [north, east, south, west] = &mut ends;
    // Whole rows of moves north and south, so that they can be computed at once.
    let (mut above, mut below) = ([0; 16], [0; 16]);
    for row in 0..16 {
        for (column, end) in above.iter_mut().enumerate() {
            let cell = 16 * row + column;
            *end = if has_wall(cell, 0) { cell as u8 } else { *end };
        }
        north[16 * row..][..16].copy_from_slice(&above);
        let row = 15 - row;
        for (column, end) in below.iter_mut().enumerate() {
            let cell = 16 * row + column;
            *end = if has_wall(cell, 2) { cell as u8 } else { *end };
        }
        south[16 * row..][..16].copy_from_slice(&below);
    }
    // There is a wall at both ends of a row, so the last wall passed is in the same row.
    let mut last = 0;
    for (cell, end) in west.iter_mut().enumerate() {
        last = if has_wall(cell, 3) { cell as u8 } else { last };
        *end = last;
    }
    for (cell, end) in east.iter_mut().enumerate().rev() {
        last = if has_wall(cell, 1) { cell as u8 } else { last };
        *end = last;
    }
    std::array::from_fn(|cell| {
        u32::from_le_bytes([north[cell], east[cell], south[cell], west[cell]]) ^ FLIP
    })
}

/// The cells of a table that have been filled in, for tables that are filled cell by cell on
/// demand.
#[derive(Clone, Debug)]
struct FilledCells {
    flags: [bool; 256],
    /// The cells whose flag is set, so that forgetting them is as cheap as making them was.
    cells: Vec<u8>,
}

impl FilledCells {
    fn none() -> Self {
        Self {
            flags: [false; 256],
            cells: Vec::new(),
        }
    }

    #[inline(always)]
    fn has(&self, cell: u8) -> bool {
        self.flags[usize::from(cell)]
    }

    /// Marks a cell that was not filled in before.
    #[inline(always)]
    fn add(&mut self, cell: u8) {
        self.flags[usize::from(cell)] = true;
        self.cells.push(cell);
    }

    /// Forgets all cells, and calls `forgotten` with each of them.
    fn forget(&mut self, mut forgotten: impl FnMut(usize)) {
        for cell in self.cells.drain(..).map(usize::from) {
            self.flags[cell] = false;
            forgotten(cell);
        }
    }
}

struct SetTarget<'a, S: Set> {
    tables: &'a mut Tables,
    target: u8,
    isa: S::Isa,
}

impl<S: Set> Kernel for SetTarget<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.tables.set_target::<S>(self.isa, self.target);
    }
}

#[cfg(test)]
mod tests {
    use ricochet_core::generate::{RandomBoard, Recipe};
    use ricochet_core::quadrants::Edition;

    use super::{FLIP, FilledCells, NEAR, STEP, Set, Tables, UNREACHABLE, step};
    use crate::lowlevel::instructions::Portable;
    use crate::lowlevel::portable::PortableSet;

    /// Computes the same relation from both sides.
    #[test]
    #[cfg_attr(miri, ignore = "a board's tables are too much for it")]
    fn first_stoppers_are_the_helpers_that_help_in_time() {
        let mut tables = Tables::new();
        let mut pairs = 0;
        for recipe in [
            Recipe::official(Edition::Of1999),
            Recipe::random(RandomBoard::new(16, 16)),
            Recipe::random(RandomBoard::new(7, 5)),
        ] {
            for number in 0..10 {
                let puzzle = recipe.puzzle(3, number).expect("a puzzle");
                tables.set_up::<PortableSet>(Portable, puzzle.board(), puzzle.goal().cell);
                for cell in 0..=255u8 {
                    if tables.bound[usize::from(cell)] == UNREACHABLE {
                        continue;
                    }
                    let stoppers = tables.first_stoppers(Portable, cell).words();
                    for helper in 0..=255u8 {
                        let helped = tables.helped_in_time(Portable, helper).words();
                        let is_helped = helped[usize::from(cell >> 6)] >> (cell & 63) & 1;
                        let stops = stoppers[usize::from(helper >> 6)] >> (helper & 63) & 1;
                        assert_eq!(stops, is_helped, "{number}: {cell} {helper}");
                        pairs += stops;
                    }
                }
            }
        }
        assert!(pairs > 1_000, "{pairs}");
    }

    #[test]
    #[cfg_attr(miri, ignore = "too many steps")]
    fn near_stops_before_the_other_robot_on_the_same_line_only() {
        for cell in 0..=255u8 {
            for other in 0..=255u8 {
                let packed = NEAR[usize::from(cell)][usize::from(other)];
                for (d, &one) in STEP.iter().enumerate() {
                    let byte = 0xff << (8 * d);
                    let mut end = cell;
                    let mut stopped = None;
                    while let Some(next) = step(end, d) {
                        if next == other {
                            stopped = Some(end);
                            break;
                        }
                        end = next;
                    }
                    let expected =
                        stopped.map_or(byte, |end| (u32::from(end) << (8 * d)) ^ (FLIP & byte));
                    assert_eq!(packed & byte, expected, "{cell} {other} {d}");
                    if let Some(end) = stopped {
                        assert_eq!(end.wrapping_add(one), other);
                    }
                }
            }
        }
    }

    #[test]
    fn filled_cells_are_forgotten_once() {
        let mut made = FilledCells::none();
        for cell in [3, 255, 0] {
            assert!(!made.has(cell));
            made.add(cell);
            assert!(made.has(cell));
        }
        let mut forgotten = Vec::new();
        made.forget(|cell| forgotten.push(cell));
        assert_eq!(forgotten, [3, 255, 0]);
        assert!(!(0..=255).any(|cell| made.has(cell)));
        made.forget(|cell| panic!("{cell} is forgotten already"));
    }
}
