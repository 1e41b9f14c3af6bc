//! One iteration of the search for every puzzle: diagonals, any-robot goals, `must_ricochet`. It is
//! the plain search told slowly, with whole states instead of bits.
//!
//! What differs:
//! - **Any-robot goals.** The bound is the least of all robots' bounds. With `height` moves left, a
//!   move of a robot can only be part of a solution if afterwards some robot's bound is at most
//!   `height - 1`. The bounds of the others stay as they are, so a robot is moved only if another
//!   one's bound is at most `height - 1`, or if its own is at most `height` (a move lowers it by at
//!   most 1). With one active robot this is the slides' rule: helpers rest when its bound is tight.
//! - **Reversals** are pruned only without diagonals and without `must_ricochet`: with diagonals
//!   there and back is not a no-op, and under `must_ricochet` a robot that goes there and back has
//!   travelled along one more axis. (For other robots than the arriving one the pruning would
//!   still be right; we keep to the simple rule.)
//! - **Sorting** only concerns the robots that `Puzzle::interchangeable` names, and what each has
//!   travelled is sorted with it.

use ricochet_core::{Direction, Move, Puzzle, Robot};

use super::memo::{Memo, Slot};
use super::{IddfsOptions, IddfsSearch, Iteration, Verdict};
use crate::Limit;
use crate::heuristics::bound::Bound;
use crate::memory::meter::MemoryMeter;
use crate::state_space::{Game, SearchState};

/// The bound of a robot that can never arrive, or may not.
const NEVER: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct GeneralFrame {
    search_state: SearchState,
    height: u32,
    /// The next move to try, `4 * place + direction`.
    next: u8,
    /// The move that led here.
    entered_by: Option<Move>,
}

/// The search of one puzzle; the memo lives on from one iteration to the next.
pub(super) struct GeneralSearch<'p> {
    puzzle: &'p Puzzle,
    game: Game<'p>,
    /// Robots in the order in which they are moved.
    order: Vec<Robot>,
    /// `None` if the bound is switched off.
    bound: Option<Bound>,
    /// Robots that are sorted in keys, and whether a robot is one of them.
    interchangeable: Vec<Robot>,
    prunes_reversals: bool,
    options: IddfsOptions,
    memo: Memo<u128>,
    frames: Vec<GeneralFrame>,
}

impl<'p> GeneralSearch<'p> {
    pub(super) fn new(
        puzzle: &'p Puzzle,
        options: IddfsOptions,
        meter: &mut MemoryMeter,
    ) -> Result<Self, Limit> {
        let interchangeable = if options.sort {
            puzzle.interchangeable()
        } else {
            Vec::new()
        };
        Ok(Self {
            puzzle,
            game: Game::new(puzzle),
            order: super::search_order(puzzle),
            bound: options.bound.then(|| Bound::new(puzzle)),
            interchangeable,
            prunes_reversals: puzzle.board().diagonals().is_empty()
                && !puzzle.rules().must_ricochet,
            options,
            memo: Memo::new(meter)?,
            frames: Vec::new(),
        })
    }

    /// Twelve bits a robot: cell and axes; those that can stand for each other ascending.
    fn key(&self, search_state: SearchState) -> u128 {
        let board = self.puzzle.board();
        let field = |robot: Robot| {
            let axes = search_state.axes >> (2 * robot.index()) & 3;
            (board.index(search_state.state[robot]) as u16) << 2 | axes
        };
        let mut sorted = [0; ricochet_core::MAX_ROBOTS];
        let sorted = &mut sorted[..self.interchangeable.len()];
        for (place, &robot) in sorted.iter_mut().zip(&self.interchangeable) {
            *place = field(robot);
        }
        sorted.sort_unstable();
        let fixed = search_state
            .state
            .robots()
            .filter(|robot| !self.interchangeable.contains(robot))
            .map(field);
        let key = fixed
            .chain(sorted.iter().copied())
            .fold(0, |key: u128, field| key << 12 | u128::from(field));
        key << u128::HEIGHT_BITS
    }

    fn bound_of(&self, search_state: SearchState, robot: Robot) -> u32 {
        match &self.bound {
            None => 0,
            Some(bound) => bound
                .of_robot(robot, search_state.state[robot])
                .unwrap_or(NEVER),
        }
    }

    /// The least bound of a robot other than `but`.
    fn least_bound(&self, search_state: SearchState, but: Option<Robot>) -> u32 {
        let robots = self.order.iter().filter(|&&robot| Some(robot) != but);
        let bounds = robots.map(|&robot| self.bound_of(search_state, robot));
        bounds.min().unwrap_or(NEVER)
    }

    /// Tests a new node; tells whether it has to be searched.
    fn enter(&mut self, search_state: SearchState, height: u32, iteration: &mut Iteration) -> bool {
        if height == 0 {
            iteration.cut = true;
            return false;
        }
        let least = self.least_bound(search_state, None);
        if least > height {
            iteration.cut |= least != NEVER;
            return false;
        }
        iteration.row.inner += 1;
        if self.options.memo {
            let key = self.key(search_state);
            if self.memo.is_searched(key, height) {
                iteration.row.hits += 1;
                return false;
            }
        }
        true
    }

    fn path(&self, current: &GeneralFrame, last: Move) -> Vec<Move> {
        let frames = self.frames.iter().chain([current]);
        frames
            .filter_map(|frame| frame.entered_by)
            .chain([last])
            .collect()
    }
}

impl IddfsSearch for GeneralSearch<'_> {
    const MAX_HEIGHT: u32 = u128::MAX_HEIGHT;

    fn stored(&self) -> usize {
        self.memo.len()
    }

    fn run(
        &mut self,
        iteration: &mut Iteration,
        meter: &mut MemoryMeter,
    ) -> Result<Verdict, Limit> {
        iteration.row.nodes += 1;
        let height = iteration.row.depth;
        let start = self.game.start();
        if !self.enter(start, height, iteration) {
            return Ok(Verdict::Exhausted);
        }
        self.frames.clear();
        let mut frame = GeneralFrame {
            search_state: start,
            height,
            next: 0,
            entered_by: None,
        };
        loop {
            let this = usize::from(frame.next);
            let Some(&robot) = self.order.get(this / 4) else {
                match self.frames.pop() {
                    None => return Ok(Verdict::Exhausted),
                    Some(parent) => frame = parent,
                }
                continue;
            };
            if this % 4 == 0
                && self.bound_of(frame.search_state, robot) > frame.height
                && self.least_bound(frame.search_state, Some(robot)) >= frame.height
            {
                iteration.cut = true;
                frame.next += 4;
                continue;
            }
            frame.next += 1;
            let step = Move {
                robot,
                direction: Direction::from_index(this),
            };
            let back = frame.entered_by.map(|entered| Move {
                robot: entered.robot,
                direction: entered.direction.opposite(),
            });
            if self.prunes_reversals && back == Some(step) {
                continue;
            }
            let Some(next) = self.game.step(frame.search_state, robot, step.direction) else {
                continue;
            };
            iteration.row.nodes += 1;
            if self.game.is_over(next) {
                return Ok(Verdict::Solved(self.path(&frame, step)));
            }
            if !self.enter(next, frame.height - 1, iteration) {
                continue;
            }
            self.memo.reserve(meter)?;
            iteration.check(meter)?;
            meter.reserve(&mut self.frames)?;
            self.frames.push(frame);
            frame = GeneralFrame {
                search_state: next,
                height: frame.height - 1,
                next: 0,
                entered_by: Some(step),
            };
        }
    }
}
