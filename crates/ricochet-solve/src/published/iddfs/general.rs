//! One iteration of the search for every puzzle: diagonals, any-robot goals, `must_ricochet`. It is
//! the plain search on whole states instead of bits, and slower. Traced searches take it as well,
//! so that the plain search need not know of traces; both are tested to count the same.
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

use std::collections::HashMap;

use ricochet_core::{Direction, Move, Puzzle, Robot};

use super::memo::{Memo, Slot};
use super::{IddfsOptions, IddfsSearch, Iteration, Verdict};
use crate::Limit;
use crate::heuristics::bound::Bound;
use crate::memory::meter::MemoryMeter;
use crate::state_space::{Game, SearchState};
use crate::trace::{EventKind, NodeId, PruneReason, Watch};

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
    /// For a trace: the node of this position.
    id: NodeId,
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
    /// For a trace: what was last searched under each key of the memo.
    searched: HashMap<u128, (SearchState, NodeId)>,
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
            searched: HashMap::new(),
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
    fn enter(
        &mut self,
        search_state: SearchState,
        height: u32,
        id: NodeId,
        iteration: &mut Iteration,
        (meter, watch): (&mut MemoryMeter, &mut Watch<'_>),
    ) -> Result<bool, Limit> {
        if height == 0 {
            iteration.cut = true;
            watch.trace(|recorder| recorder.prune(id, PruneReason::Depth));
            return Ok(false);
        }
        let least = self.least_bound(search_state, None);
        if least > height {
            iteration.cut |= least != NEVER;
            watch.trace(|recorder| recorder.prune(id, PruneReason::Bound));
            return Ok(false);
        }
        iteration.row.inner += 1;
        if self.options.memo {
            let key = self.key(search_state);
            if self.memo.is_searched(key, height) {
                iteration.row.hits += 1;
                watch.trace(|recorder| {
                    let (other, same_as) = self.searched[&key];
                    let reason = if other == search_state {
                        PruneReason::Memo
                    } else {
                        PruneReason::SortedKey
                    };
                    recorder.prune_same(id, reason, same_as);
                });
                return Ok(false);
            }
            if watch.is_tracing() {
                meter.reserve_in_map(&mut self.searched)?;
                self.searched.insert(key, (search_state, id));
            }
        }
        watch.trace(|recorder| recorder.at(EventKind::Expand, id));
        Ok(true)
    }

    /// Records a node, with the bound of its nearest robot.
    fn record(
        &self,
        search_state: SearchState,
        g: u32,
        made: Option<(NodeId, Move)>,
        watch: &mut Watch<'_>,
    ) -> NodeId {
        watch.trace(|recorder| {
            let h = self
                .bound
                .as_ref()
                .map(|_| self.least_bound(search_state, None));
            let h = h.filter(|&least| least != NEVER);
            match made {
                None => recorder.root(EventKind::Generate, h),
                Some((parent, step)) => {
                    let to = search_state.state[step.robot];
                    recorder.child(EventKind::Generate, parent, (step, to), g, h)
                }
            }
        })
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
        watch: &mut Watch<'_>,
    ) -> Result<Verdict, Limit> {
        iteration.row.nodes += 1;
        let height = iteration.row.depth;
        let start = self.game.start();
        let root = self.record(start, 0, None, watch);
        if !self.enter(start, height, root, iteration, (meter, watch))? {
            return Ok(Verdict::Exhausted);
        }
        self.frames.clear();
        let mut frame = GeneralFrame {
            search_state: start,
            height,
            next: 0,
            entered_by: None,
            id: root,
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
                watch.trace(|recorder| {
                    for direction in Direction::ALL {
                        let step = Move { robot, direction };
                        if self
                            .game
                            .step(frame.search_state, robot, direction)
                            .is_some()
                        {
                            recorder.reject(frame.id, Some(step), PruneReason::TightBound);
                        }
                    }
                });
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
                watch.trace(|recorder| {
                    recorder.reject(frame.id, Some(step), PruneReason::Reversal);
                });
                continue;
            }
            let Some(next) = self.game.step(frame.search_state, robot, step.direction) else {
                continue;
            };
            iteration.row.nodes += 1;
            let g = iteration.row.depth - frame.height + 1;
            let id = self.record(next, g, Some((frame.id, step)), watch);
            if self.game.is_over(next) {
                let moves = self.path(&frame, step);
                watch.trace(|recorder| recorder.solution(Some(id), &moves));
                return Ok(Verdict::Solved(moves));
            }
            if !self.enter(next, frame.height - 1, id, iteration, (meter, watch))? {
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
                id,
            };
        }
    }
}
