//! The pass for one robot: positions of the helpers, each with a set of cells.

use ricochet_core::{
    Board, Cell, Direction, MAX_ROBOTS, Obstacle, Puzzle, Robot, State, slide_slowly,
};

use crate::Limit;
use crate::lowlevel::word_set::WordSet;
use crate::memory::meter::MemoryMeter;
use crate::state_space::SearchState;
use crate::state_space::visited::{PackedKey, Packing, StateIndex};

use super::CellDistance;

/// What a pass found.
pub(super) struct SweepResult {
    pub(super) cells: Vec<CellDistance>,
    pub(super) limit: Option<Limit>,
    /// Under `must_ricochet`: cells that the robot may have stopped on without a turn before it
    /// came there with one, so that their distances are lower bounds as targets.
    pub(super) revisited: Vec<usize>,
    pub(super) nodes: u64,
    pub(super) peak_bytes: u64,
}

/// Sweeps for `robot`, which has to be the puzzle's active robot: to all cells, or, under
/// `must_ricochet`, to one target on which it never stops without having turned.
pub(super) fn run(
    puzzle: &Puzzle,
    robot: Robot,
    target: Option<usize>,
    meter: MemoryMeter,
    most: Option<u32>,
) -> SweepResult {
    let must_ricochet = puzzle.rules().must_ricochet;
    let packing = Packing::new(puzzle.board(), puzzle.start().len(), must_ricochet);
    // 256 cells, or all that a board can have.
    match (puzzle.board().cell_count() <= 256, packing.fits_u64()) {
        (true, true) => Sweep::<u64, 4>::run(puzzle, robot, packing, target, meter, most),
        (true, false) => Sweep::<u128, 4>::run(puzzle, robot, packing, target, meter, most),
        (false, true) => Sweep::<u64, 16>::run(puzzle, robot, packing, target, meter, most),
        (false, false) => Sweep::<u128, 16>::run(puzzle, robot, packing, target, meter, most),
    }
}

struct Sweep<'p, K, const W: usize> {
    board: &'p Board,
    robot: Robot,
    must_ricochet: bool,
    /// The only cell asked about, if it is only one.
    target: Option<usize>,
    interchangeable: Vec<Robot>,
    packing: Packing,
    meter: MemoryMeter,
    /// Positions of the helpers; the robot itself is always on the first cell here, and its axes
    /// are those that it has travelled along (nothing without `must_ricochet`).
    index: StateIndex<K>,
    /// For each of them, the cells where the robot has been.
    seen: Vec<WordSet<W>>,
    /// For each of them, its place in `next`, if that is its place.
    waiting: Vec<u32>,
    /// What is new one move on.
    next: Vec<(u32, WordSet<W>)>,
    /// Cells reached so far.
    reached: WordSet<W>,
    /// Cells on which the robot has stopped without a turn that it needs, and those of them that it
    /// reached with one later.
    stopped_early: WordSet<W>,
    revisited: WordSet<W>,
    nodes: u64,
}

impl<'p, K: PackedKey, const W: usize> Sweep<'p, K, W> {
    fn run(
        puzzle: &'p Puzzle,
        robot: Robot,
        packing: Packing,
        target: Option<usize>,
        mut meter: MemoryMeter,
        most: Option<u32>,
    ) -> SweepResult {
        let board: &Board = puzzle.board();
        let mut cells = vec![CellDistance::MoreThan(0); board.cell_count()];
        let possible = match target {
            None => possible_stops::<W>(board, robot, puzzle.start()[robot]),
            Some(target) => {
                let mut only = WordSet::EMPTY;
                only.insert(target);
                only
            }
        };
        for (index, distance) in cells.iter_mut().enumerate() {
            if !possible.has(index) {
                *distance = CellDistance::Unreachable;
            }
        }
        if !puzzle.rules().must_ricochet {
            cells[board.index(puzzle.start()[robot])] = CellDistance::Moves(0);
        }
        let index = match StateIndex::new(&mut meter) {
            Ok(index) => index,
            Err(limit) => {
                return SweepResult {
                    cells,
                    limit: Some(limit),
                    revisited: Vec::new(),
                    nodes: 0,
                    peak_bytes: meter.peak(),
                };
            }
        };
        let mut sweep = Self {
            board,
            robot,
            must_ricochet: puzzle.rules().must_ricochet,
            target,
            interchangeable: puzzle.interchangeable(),
            packing,
            meter,
            index,
            seen: Vec::new(),
            waiting: Vec::new(),
            next: Vec::new(),
            reached: WordSet::EMPTY,
            stopped_early: WordSet::EMPTY,
            revisited: WordSet::EMPTY,
            nodes: 0,
        };
        let limit = sweep
            .layers(puzzle.start(), &possible, most, &mut cells)
            .err();
        SweepResult {
            cells,
            limit,
            revisited: sweep.revisited.cells().collect(),
            nodes: sweep.nodes,
            peak_bytes: sweep.meter.peak(),
        }
    }

    /// Layer by layer until all is known.
    fn layers(
        &mut self,
        start: State,
        possible: &WordSet<W>,
        most: Option<u32>,
        cells: &mut [CellDistance],
    ) -> Result<(), Limit> {
        self.meter.check()?;
        let mut first = WordSet::EMPTY;
        first.insert(self.board.index(start[self.robot]));
        self.add(start.with(self.robot, Cell::new(0, 0)), 0, &first)?;
        let mut layer = Vec::new();
        let mut known = WordSet::EMPTY;
        for moves in 0.. {
            note(cells, &self.reached.without(&known), moves);
            known = self.reached;
            std::mem::swap(&mut layer, &mut self.next);
            self.next.clear();
            if layer.is_empty() {
                for distance in cells.iter_mut() {
                    if matches!(distance, CellDistance::MoreThan(_)) {
                        *distance = CellDistance::Unreachable;
                    }
                }
                return Ok(());
            }
            if possible.without(&known).is_empty() {
                return Ok(());
            }
            for distance in cells.iter_mut() {
                if matches!(distance, CellDistance::MoreThan(_)) {
                    *distance = CellDistance::MoreThan(moves);
                }
            }
            if most.is_some_and(|most| moves >= most) {
                return Err(Limit::Moves);
            }
            let ended = self.expand_layer(&layer);
            if ended.is_err() {
                // Cells reached by now need exactly one move more than the last layer.
                note(cells, &self.reached.without(&known), moves + 1);
                return ended;
            }
        }
        unreachable!("a finite space is exhausted")
    }

    fn expand_layer(&mut self, layer: &[(u32, WordSet<W>)]) -> Result<(), Limit> {
        for (number, set) in layer {
            self.nodes += 1;
            self.meter.tick(self.nodes)?;
            let key = self.index.key(*number as usize).expect("was inserted");
            let search_state = self.packing.unpack(key);
            self.move_robot(search_state, set)?;
            self.move_helpers(search_state, set)?;
        }
        Ok(())
    }

    /// All moves of the robot itself, from all cells of a set.
    fn move_robot(&mut self, search_state: SearchState, set: &WordSet<W>) -> Result<(), Limit> {
        let (helpers, count) = self.helpers(search_state.state);
        let helpers = &helpers[..count];
        let axes = search_state.axes >> (2 * self.robot.index()) & 3;
        let mut ends = [WordSet::EMPTY; 4];
        let width = self.board.width();
        for from in set.cells() {
            let cell = Cell::new((from % width) as u8, (from / width) as u8);
            for direction in Direction::ALL {
                if self.must_ricochet {
                    let slide = self
                        .board
                        .slide_with_axes(self.robot, cell, direction, helpers);
                    let axes = axes | u16::from(slide.axes);
                    let end = self.board.index(slide.end);
                    if slide.axes != 0 && (axes == 3 || self.target != Some(end)) {
                        ends[usize::from(axes)].insert(end);
                    }
                } else {
                    let end = self.board.slide(self.robot, cell, direction, helpers);
                    ends[0].insert(self.board.index(end));
                }
            }
        }
        for (axes, ends) in ends.iter().enumerate() {
            if !ends.is_empty() {
                if self.must_ricochet && axes != 3 {
                    self.stopped_early.add(ends);
                }
                self.add(search_state.state, axes as u16, ends)?;
            }
        }
        Ok(())
    }

    /// All moves of the helpers: the robot may be in their way, on some of the set's cells.
    fn move_helpers(&mut self, search_state: SearchState, set: &WordSet<W>) -> Result<(), Limit> {
        let (others, count) = self.helpers(search_state.state);
        let axes = search_state.axes >> (2 * self.robot.index()) & 3;
        let mut way = Vec::with_capacity(32);
        let robot = self.robot;
        for helper in search_state.state.robots().filter(|&it| it != robot) {
            let from = search_state.state[helper];
            for direction in Direction::ALL {
                let stops = self.walk(helper, from, direction, &others[..count], &mut way);
                let mut rest = *set;
                let mut before = from;
                for &cell in &way {
                    let index = self.board.index(cell);
                    if rest.has(index) {
                        rest.remove(index);
                        if before != from {
                            let mut one = WordSet::EMPTY;
                            one.insert(index);
                            self.add(search_state.state.with(helper, before), axes, &one)?;
                        }
                    }
                    before = cell;
                }
                if stops && before != from && !rest.is_empty() {
                    self.add(search_state.state.with(helper, before), axes, &rest)?;
                }
            }
        }
        Ok(())
    }

    /// The cells that a helper enters if the robot is nowhere; whether it stops at all.
    fn walk(
        &self,
        helper: Robot,
        from: Cell,
        direction: Direction,
        others: &[Cell],
        way: &mut Vec<Cell>,
    ) -> bool {
        way.clear();
        if self.board.diagonals().is_empty() {
            let end = self.board.slide(helper, from, direction, others);
            let mut at = from;
            while at != end {
                at = at.step(direction).expect("the end is on the board");
                way.push(at);
            }
            return true;
        }
        let slide = slide_slowly(self.board, helper, from, direction, others);
        way.extend(slide.path.iter().map(|&(cell, _)| cell));
        slide.obstacle != Obstacle::Nothing
    }

    /// The helpers' cells, without the robot's.
    fn helpers(&self, state: State) -> ([Cell; MAX_ROBOTS], usize) {
        let (mut cells, mut count) = ([Cell::default(); MAX_ROBOTS], 0);
        for (robot, cell) in state.iter() {
            if robot != self.robot {
                cells[count] = cell;
                count += 1;
            }
        }
        (cells, count)
    }

    /// The robot can be on these cells, one move on, with the helpers there.
    fn add(&mut self, state: State, axes: u16, set: &WordSet<W>) -> Result<(), Limit> {
        let key = self.packing.pack(SearchState {
            state: state.canonical(&self.interchangeable),
            axes: axes << (2 * self.robot.index()),
        });
        if self.index.insert(key, &mut self.meter)? {
            self.meter.reserve(&mut self.seen)?;
            self.meter.reserve(&mut self.waiting)?;
            self.seen.push(WordSet::EMPTY);
            self.waiting.push(u32::MAX);
        }
        let number = self.index.find(key).expect("was inserted");
        let fresh = set.without(&self.seen[number]);
        if fresh.is_empty() {
            return Ok(());
        }
        self.seen[number].add(&fresh);
        if !self.must_ricochet || axes == 3 {
            let first = fresh.without(&self.reached);
            let other = first.without(&self.stopped_early);
            self.revisited.add(&first.without(&other));
            self.reached.add(&fresh);
        }
        match self.next.get_mut(self.waiting[number] as usize) {
            Some((waiting, more)) if *waiting == number as u32 => more.add(&fresh),
            _ => {
                self.meter.reserve(&mut self.next)?;
                self.waiting[number] = self.next.len() as u32;
                self.next.push((number as u32, fresh));
            }
        }
        Ok(())
    }
}

/// Stores the cells reached after a number of moves.
fn note<const W: usize>(cells: &mut [CellDistance], reached: &WordSet<W>, moves: u32) {
    for index in reached.cells() {
        cells[index] = CellDistance::Moves(moves);
    }
}

/// The cells where a robot could stop if others were always in the ideal place; it can stop nowhere
/// else.
fn possible_stops<const W: usize>(board: &Board, robot: Robot, start: Cell) -> WordSet<W> {
    let mut possible = WordSet::EMPTY;
    possible.insert(board.index(start));
    let mut open = vec![start];
    while let Some(from) = open.pop() {
        for direction in Direction::ALL {
            for (cell, _) in slide_slowly(board, robot, from, direction, &[]).path {
                let index = board.index(cell);
                if !possible.has(index) {
                    possible.insert(index);
                    open.push(cell);
                }
            }
        }
    }
    possible
}
