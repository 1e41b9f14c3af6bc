//! The same layers, state by state, for the rule `must_ricochet`: there, what a robot has travelled
//! is part of a state.
//!
//! A state is expanded in three steps: lowering moves when it is found, level moves in the next
//! layer, raising moves in the one after. On every board, one move changes the bound by at most 1
//! (a move that may stop anywhere can be reversed, even around diagonals). So each child is made in
//! its own layer, and a state is first found with the fewest moves. `must_ricochet` only adds to
//! the state; the bound is the same.

use ricochet_core::{Direction, Move, Puzzle, Robot};

use super::task::{SearchEnd, name_moves};
use crate::heuristics::bound::Bound;
use crate::memory::meter::MemoryMeter;
use crate::state_space::visited::{PackedKey, Packing, StateQueue};
use crate::state_space::{Game, SearchState};
use crate::trace::{NodeIds, Watch};
use crate::{DepthRow, Limit, Limits, Observer, Stats};

/// Searches from a position to which the robots have travelled along the given axes
/// ([`SearchState::axes`]). The caller has checked that the puzzle is not solved already.
pub(crate) fn search_with_past(
    puzzle: &Puzzle,
    axes: u16,
    limits: &Limits,
    watch: &mut dyn Observer,
    stats: &mut Stats,
) -> SearchEnd {
    let must_ricochet = puzzle.rules().must_ricochet;
    let packing = Packing::new(puzzle.board(), puzzle.start().len(), must_ricochet);
    let mut search = GeneralSearch {
        puzzle,
        start: SearchState {
            state: puzzle.start(),
            axes,
        },
        game: Game::new(puzzle),
        bound: Bound::new(puzzle),
        packing,
        // With an any-robot goal, each robot's travel state would have to be sorted along with the
        // robot.
        interchangeable: if must_ricochet && puzzle.goal().robot.is_none() {
            Vec::new()
        } else {
            puzzle.interchangeable()
        },
        meter: MemoryMeter::start(limits),
        stats,
        f: 0,
        ids: NodeIds::default(),
    };
    let watch = &mut Watch::new(watch);
    let result = if packing.fits_u64() {
        search.run::<u64>(limits, watch)
    } else {
        search.run::<u128>(limits, watch)
    };
    let f = search.f;
    search.stats.peak_bytes = search.meter.peak();
    result.unwrap_or_else(|limit| SearchEnd::Limit {
        limit,
        lower_bound: f,
    })
}

struct GeneralSearch<'p> {
    puzzle: &'p Puzzle,
    start: SearchState,
    game: Game<'p>,
    bound: Bound,
    packing: Packing,
    interchangeable: Vec<Robot>,
    meter: MemoryMeter,
    stats: &'p mut Stats,
    f: u32,
    /// For a trace: the nodes of the states.
    ids: NodeIds,
}

/// How a move changes the bound.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    Lowers,
    Keeps,
    Raises,
}

impl GeneralSearch<'_> {
    fn run<K: PackedKey>(
        &mut self,
        limits: &Limits,
        watch: &mut Watch<'_>,
    ) -> Result<SearchEnd, Limit> {
        let start = self.start;
        let Some(first) = self.bound.of_state(start.state) else {
            return Ok(SearchEnd::Unsolvable);
        };
        self.f = first;
        self.meter.check()?;
        let mut store = StateQueue::<K>::new(&mut self.meter)?;
        store.insert(self.key(start), 0, 0, &mut self.meter)?;
        self.stats.stored = 1;
        self.trace_state(None, start, watch);
        // The index of each layer's first state in the store.
        let mut layers = vec![0];
        loop {
            if limits.moves.is_some_and(|most| self.f > most) {
                return Err(Limit::Moves);
            }
            let (generated, hits) = (self.stats.generated, self.stats.hits);
            let begin = *layers.last().expect("not empty");
            if let [.., before, _] = *layers {
                for number in before..begin {
                    self.expand(&mut store, number, Change::Keeps, watch)?;
                }
            }
            if let [.., before, last, _] = *layers {
                for number in before..last {
                    self.expand(&mut store, number, Change::Raises, watch)?;
                }
            }
            let mut number = begin;
            let mut found = None;
            while number < store.len() && found.is_none() {
                found = self.expand(&mut store, number, Change::Lowers, watch)?;
                number += 1;
            }
            let row = DepthRow {
                depth: self.f,
                nodes: self.stats.generated - generated,
                inner: (store.len() - begin) as u64,
                hits: self.stats.hits - hits,
            };
            self.stats.rows.push(row);
            watch.depth_done(&row);
            if let Some(number) = found {
                return Ok(SearchEnd::solved(self.rebuild(&store, number).into()));
            }
            let last_two = layers[layers.len().saturating_sub(2)];
            if store.len() == last_two {
                return Ok(SearchEnd::Unsolvable);
            }
            layers.push(store.len());
            self.f += 1;
        }
    }

    /// Makes the moves of a state that change the bound in the given way. If the state is solved,
    /// returns it instead of expanding it.
    fn expand<K: PackedKey>(
        &mut self,
        store: &mut StateQueue<K>,
        number: usize,
        change: Change,
        watch: &mut Watch<'_>,
    ) -> Result<Option<usize>, Limit> {
        let situation = self.packing.unpack(store.key(number).expect("stored"));
        if change == Change::Lowers {
            if self.game.is_over(situation) {
                return Ok(Some(number));
            }
            self.stats.expanded += 1;
        }
        let active = self.puzzle.goal().robot;
        let here = self.bound.of_state(situation.state);
        for robot in situation.state.robots() {
            // If there is an active robot, only its moves change the bound.
            if change != Change::Keeps && active.is_some_and(|active| active != robot) {
                continue;
            }
            for direction in Direction::ALL {
                let Some(next) = self.game.step(situation, robot, direction) else {
                    continue;
                };
                let there = self.bound.of_state(next.state);
                let changes = match there.cmp(&here) {
                    std::cmp::Ordering::Less => Change::Lowers,
                    std::cmp::Ordering::Equal => Change::Keeps,
                    std::cmp::Ordering::Greater => Change::Raises,
                };
                if changes != change {
                    continue;
                }
                self.stats.generated += 1;
                self.stats.nodes += 1;
                self.meter.tick(self.stats.nodes)?;
                let key = self.key(next);
                if store.insert(key, number as u32, 0, &mut self.meter)? {
                    self.stats.stored = store.len() as u64;
                    self.trace_state(Some(number), next, watch);
                } else {
                    self.stats.hits += 1;
                }
            }
        }
        Ok(None)
    }

    /// Records a new state, which was made from the state with this number.
    fn trace_state(&mut self, from: Option<usize>, situation: SearchState, watch: &mut Watch<'_>) {
        let state = situation.state.canonical(&self.interchangeable);
        let robot = self.puzzle.goal().robot;
        watch.trace(|recorder| {
            let parent = from.map(|number| self.ids.get(number));
            let id = recorder.single_state(parent, self.f, robot, state);
            self.ids.push(recorder, id);
        });
    }

    fn key<K: PackedKey>(&self, situation: SearchState) -> K {
        self.packing.pack(SearchState {
            state: situation.state.canonical(&self.interchangeable),
            ..situation
        })
    }

    /// The moves from the start to a state, with the robots under their own names.
    fn rebuild<K: PackedKey>(&self, store: &StateQueue<K>, number: usize) -> Vec<Move> {
        name_moves(
            self.start,
            self.puzzle.start().robots(),
            store.way_to(number).into_iter(),
            |situation, robot, direction| self.game.step(situation, robot, direction),
            |situation| self.key::<K>(situation),
        )
    }
}
