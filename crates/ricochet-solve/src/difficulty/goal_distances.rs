//! Which moves keep the distance to the goal falling: what the profile of a puzzle is made from.

use ricochet_core::{Direction, Move, Puzzle, Robot};
use rustc_hash::FxHashMap;

use crate::heuristics::bound::Bound;
use crate::memory::meter::MemoryMeter;
use crate::state_space::{Game, SearchState};
use crate::{Limit, Limits};

/// The distances around the shortest solutions of one puzzle.
pub(crate) struct GoalDistances<'p> {
    puzzle: &'p Puzzle,
    game: Game<'p>,
    bound: Bound,
    interchangeable: Vec<Robot>,
    /// What is known of a position's distance, whichever of the interchangeable robots is where.
    known: FxHashMap<u128, DistanceBounds>,
    meter: MemoryMeter,
    nodes: u64,
}

/// A distance is more than `over` and at most `within`.
#[derive(Clone, Copy)]
struct DistanceBounds {
    over: i16,
    within: i16,
}

impl<'p> GoalDistances<'p> {
    pub(crate) fn new(puzzle: &'p Puzzle, limits: &Limits) -> Self {
        let any_robot_turns = puzzle.rules().must_ricochet && puzzle.goal().robot.is_none();
        Self {
            puzzle,
            game: Game::new(puzzle),
            bound: Bound::new(puzzle),
            // With must_ricochet and an any-robot goal, what each robot travelled goes with it; the
            // key below does not sort that.
            interchangeable: if any_robot_turns {
                Vec::new()
            } else {
                puzzle.interchangeable()
            },
            known: FxHashMap::default(),
            meter: MemoryMeter::start(limits),
            nodes: 0,
        }
    }

    pub(crate) fn puzzle(&self) -> &'p Puzzle {
        self.puzzle
    }

    pub(crate) fn start(&self) -> SearchState {
        self.game.start()
    }

    pub(crate) fn is_over(&self, search_state: SearchState) -> bool {
        self.game.is_over(search_state)
    }

    /// Counts a node.
    pub(crate) fn tick(&mut self) -> Result<(), Limit> {
        self.nodes += 1;
        self.meter.tick(self.nodes)
    }

    /// What everything together may spend.
    pub(crate) fn meter(&mut self) -> &mut MemoryMeter {
        &mut self.meter
    }

    /// Whether the goal is exactly so many moves away.
    pub(crate) fn is_distance(
        &mut self,
        search_state: SearchState,
        moves: u32,
    ) -> Result<bool, Limit> {
        let nearer = match moves.checked_sub(1) {
            Some(fewer) => self.within(search_state, fewer)?,
            None => false,
        };
        Ok(!nearer && self.within(search_state, moves)?)
    }

    /// Whether the goal can be reached in at most `moves` moves.
    pub(crate) fn within(&mut self, search_state: SearchState, moves: u32) -> Result<bool, Limit> {
        if self.game.is_over(search_state) {
            return Ok(true);
        }
        if self
            .bound
            .of_state(search_state.state)
            .is_none_or(|bound| bound > moves)
            || moves == 0
        {
            return Ok(false);
        }
        let key = self.key(search_state, true);
        let depth = moves as i16;
        match self.known.get(&key) {
            Some(known) if known.over >= depth => return Ok(false),
            Some(known) if known.within <= depth => return Ok(true),
            _ => {}
        }
        self.tick()?;
        let mut reached = false;
        for (_, next) in self.moves(search_state) {
            if self.within(next, moves - 1)? {
                reached = true;
                break;
            }
        }
        self.meter.reserve_in_map(&mut self.known)?;
        let known = self.known.entry(key).or_insert(DistanceBounds {
            over: -1,
            within: i16::MAX,
        });
        if reached {
            known.within = known.within.min(depth);
        } else {
            known.over = known.over.max(depth);
        }
        Ok(reached)
    }

    /// All moves, and where they lead.
    pub(crate) fn moves(
        &self,
        search_state: SearchState,
    ) -> impl Iterator<Item = (Move, SearchState)> + use<'p> {
        let game = self.game;
        search_state.state.robots().flat_map(move |robot| {
            Direction::ALL.into_iter().filter_map(move |direction| {
                let next = game.step(search_state, robot, direction)?;
                Some((Move { robot, direction }, next))
            })
        })
    }

    /// Twelve bits a robot: cell and axes travelled.
    /// With `interchange`, the same for all orders of the robots that can stand for each other.
    pub(crate) fn key(&self, search_state: SearchState, interchange: bool) -> u128 {
        let state = if interchange {
            search_state.state.canonical(&self.interchangeable)
        } else {
            search_state.state
        };
        state.iter().fold(0, |key, (robot, cell)| {
            let axes = search_state.axes >> (2 * robot.index()) & 3;
            key << 12 | (self.puzzle.board().index(cell) as u128) << 2 | u128::from(axes)
        })
    }
}
