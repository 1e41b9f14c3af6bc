//! The states that can lie on a shortest solution, by their exact distance from the start.
//!
//! Let C be the length of a shortest solution, g(s) the fewest moves from the start to a state s and
//! h(s) a lower bound on the moves from s to the goal. A state on a shortest solution has g + h <= C,
//! and so has every state before it on any shortest way to it, as that way is the beginning of a
//! shortest solution too. Breadth first among the states with g + h <= C alone therefore gives each
//! state on a shortest solution its exact g. Other states may seem farther away than they are; no
//! solution of C moves leads through them, so they are not marked. Two bounds are used: the
//! minimum-moves map, and for longer solutions one that knows that the goal robot may need another
//! robot to stop it.
//!
//! Robots that can stand for each other are kept in order: whether and in how many ways the goal can
//! be reached does not depend on which of them is where.

use ricochet_core::{Direction, Puzzle, Robot};

use crate::Limit;
use crate::heuristics::bound::Bound;
use crate::heuristics::helped::HelpedBound;
use crate::memory::meter::MemoryMeter;
use crate::state_space::visited::{PackedKey, Packing, StateIndex};
use crate::state_space::{Game, SearchState};

/// The length of solutions from which the second bound is used.
const HELPED_FROM: u32 = 6;

/// What the passes over the states share.
pub(super) struct RegionSearch<'p> {
    pub(super) game: Game<'p>,
    pub(super) packing: Packing,
    pub(super) meter: MemoryMeter,
    /// States expanded so far, in all passes.
    pub(super) nodes: u64,
    bound: Bound,
    pub(super) helped: Option<HelpedBound>,
    active: Option<Robot>,
    interchangeable: Vec<Robot>,
    length: u32,
}

/// States by distance from the start, and which of them are on shortest solutions.
pub(super) struct Region<K> {
    index: StateIndex<K>,
    /// Layer g begins at `layers[g]` and ends at `layers[g + 1]`.
    layers: Vec<usize>,
    /// A bit a state: on a shortest solution.
    marks: Vec<u64>,
}

impl<'p> RegionSearch<'p> {
    pub(super) fn new(puzzle: &'p Puzzle, length: u32, meter: MemoryMeter) -> Self {
        let rules = puzzle.rules();
        Self {
            game: Game::new(puzzle),
            packing: Packing::new(puzzle.board(), puzzle.start().len(), rules.must_ricochet),
            meter,
            nodes: 0,
            bound: Bound::new(puzzle),
            // Its tables take longer than a small search.
            helped: (length >= HELPED_FROM)
                .then(|| HelpedBound::new(puzzle))
                .flatten(),
            active: puzzle.goal().robot,
            // With an any-robot goal, what each robot has travelled would have to be sorted with it.
            interchangeable: if rules.must_ricochet && puzzle.goal().robot.is_none() {
                Vec::new()
            } else {
                puzzle.interchangeable()
            },
            length,
        }
    }

    pub(super) fn length(&self) -> u32 {
        self.length
    }

    /// The moves that are left after one from layer `g`; `None` if none is left before it.
    pub(super) fn left_after(&self, g: usize) -> Option<u32> {
        self.length.checked_sub(g as u32 + 1)
    }

    /// Counts a node.
    pub(super) fn tick(&mut self) -> Result<(), Limit> {
        self.nodes += 1;
        self.meter.tick(self.nodes)
    }

    /// The same for all states that differ only in which interchangeable robot is where.
    pub(super) fn canonical_key<K: PackedKey>(&self, search_state: SearchState) -> K {
        self.packing.pack(SearchState {
            state: search_state.state.canonical(&self.interchangeable),
            axes: search_state.axes,
        })
    }

    /// Calls `visit` with every move, in the order of robots and directions, after which the goal is
    /// reached (with no move left) or may still be reached in `left` moves; until it says `false`.
    pub(super) fn each_move(
        &self,
        search_state: SearchState,
        left: u32,
        mut visit: impl FnMut(Robot, Direction, SearchState) -> bool,
    ) {
        let here = self.bound.of_state(search_state.state);
        for robot in search_state.state.robots() {
            // A helper does not bring the active robot nearer.
            if self.active.is_some_and(|active| active != robot) && here.is_none_or(|h| h > left) {
                continue;
            }
            for direction in Direction::ALL {
                let Some(next) = self.game.step(search_state, robot, direction) else {
                    continue;
                };
                let promising = if left == 0 {
                    self.game.is_over(next)
                } else {
                    self.bound.of_state(next.state).is_some_and(|h| h <= left)
                        && (self.helped.as_ref())
                            .is_none_or(|helped| helped.allows(next.state, left))
                };
                if promising && !visit(robot, direction, next) {
                    return;
                }
            }
        }
    }

    /// Finds the region and marks the shortest solutions in it; `None` if the shortest solutions are
    /// not of the given length (which is at least 1).
    pub(super) fn explore<K: PackedKey>(&mut self) -> Result<Option<Region<K>>, Limit> {
        let start = self.game.start();
        if self.game.is_over(start) {
            return Ok(None);
        }
        self.meter.check()?;
        let mut index = StateIndex::new(&mut self.meter)?;
        index.insert(self.canonical_key(start), &mut self.meter)?;
        let mut layers = vec![0, 1];
        for g in 0..self.length as usize {
            let left = self.length - g as u32 - 1;
            for number in layers[g]..layers[g + 1] {
                self.tick()?;
                let search_state = self
                    .packing
                    .unpack(index.key(number).expect("was inserted"));
                let (mut found, mut count) = ([K::from_bits(0); MAX_MOVES], 0);
                let mut shorter = false;
                self.each_move(search_state, left, |_, _, next| {
                    shorter = left > 0 && self.game.is_over(next);
                    found[count] = self.canonical_key(next);
                    count += 1;
                    !shorter
                });
                if shorter {
                    return Ok(None);
                }
                for &key in &found[..count] {
                    index.insert(key, &mut self.meter)?;
                }
            }
            layers.push(index.len());
            if layers[g + 1] == layers[g + 2] {
                return Ok(None); // no state is g + 1 moves away and near enough
            }
        }
        let mut region = Region {
            marks: self.meter.zeros(index.len().div_ceil(64))?,
            index,
            layers,
        };
        self.mark(&mut region)?;
        Ok(Some(region))
    }

    /// From the goal states backwards: a state is on a shortest solution if a move leads from it to
    /// one that is, one layer on.
    fn mark<K: PackedKey>(&mut self, region: &mut Region<K>) -> Result<(), Limit> {
        let length = self.length as usize;
        for number in region.layers[length]..region.layers[length + 1] {
            region.marks[number / 64] |= 1 << (number % 64);
        }
        for g in (0..length).rev() {
            let left = self.length - g as u32 - 1;
            for number in region.layers[g]..region.layers[g + 1] {
                self.tick()?;
                let search_state = self
                    .packing
                    .unpack(region.index.key(number).expect("was inserted"));
                let mut marked = false;
                self.each_move(search_state, left, |_, _, next| {
                    marked = region.is_marked(self.canonical_key(next), g + 1);
                    !marked
                });
                if marked {
                    region.marks[number / 64] |= 1 << (number % 64);
                }
            }
        }
        Ok(())
    }
}

/// Moves of one state: eight robots, four directions.
pub(super) const MAX_MOVES: usize = 32;

impl<K: PackedKey> Region<K> {
    /// Whether the state with this canonical key is on a shortest solution, `g` moves away.
    pub(super) fn is_marked(&self, key: K, g: usize) -> bool {
        self.index.find(key).is_some_and(|number| {
            (self.layers[g]..self.layers[g + 1]).contains(&number)
                && self.marks[number / 64] >> (number % 64) & 1 == 1
        })
    }
}
