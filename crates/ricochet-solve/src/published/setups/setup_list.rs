//! The setups of a puzzle, breadth first: shorter ones first, each set of positions once.

use ricochet_core::{Direction, Move, Robot, State};

use super::Run;
use crate::Limit;
use crate::state_space::visited::{Packing, SituationQueue};
use crate::state_space::{Situation, pack_move};

/// Setups in the order of their length.
pub(super) struct SetupList {
    victory: Robot,
    packing: Packing,
    store: SituationQueue<u128>,
    lengths: Vec<u32>,
}

impl SetupList {
    /// Only the empty setup.
    pub(super) fn new(run: &mut Run<'_>, victory: Robot) -> Result<Self, Limit> {
        let start = run.puzzle.start();
        let packing = Packing::new(run.puzzle.board(), start.len(), false);
        let mut store = SituationQueue::new(&mut run.meter)?;
        let root = Situation {
            state: start,
            axes: 0,
        };
        store.insert(packing.pack(root), 0, 0, &mut run.meter)?;
        Ok(Self {
            victory,
            packing,
            store,
            lengths: vec![0],
        })
    }

    /// All setups of at most so many moves.
    pub(super) fn up_to(run: &mut Run<'_>, victory: Robot, most_moves: u32) -> Result<Self, Limit> {
        let mut setups = Self::new(run, victory)?;
        let mut at = 0;
        while at < setups.len() && setups.length(at) < most_moves {
            run.meter.tick(run.stats.nodes)?;
            setups.expand(run, at)?;
            at += 1;
        }
        Ok(setups)
    }

    pub(super) fn len(&self) -> usize {
        self.lengths.len()
    }

    /// Number of moves of a setup.
    pub(super) fn length(&self, number: usize) -> u32 {
        self.lengths[number]
    }

    /// Where it leaves the robots.
    pub(super) fn state(&self, number: usize) -> State {
        let key = self.store.key(number).expect("a setup of this list");
        self.packing.unpack(key).state
    }

    pub(super) fn moves(&self, number: usize) -> Vec<Move> {
        self.store.path_to(number)
    }

    /// Adds the setups that are one move longer than this one.
    pub(super) fn expand(&mut self, run: &mut Run<'_>, number: usize) -> Result<(), Limit> {
        let state = self.state(number);
        for robot in state.robots().filter(|&robot| robot != self.victory) {
            for direction in Direction::ALL {
                let Some(next) = run.puzzle.apply(state, robot, direction) else {
                    continue;
                };
                run.stats.generated += 1;
                let key = self.packing.pack(Situation {
                    state: next,
                    axes: 0,
                });
                let packed = pack_move(robot, direction);
                if self
                    .store
                    .insert(key, number as u32, packed, &mut run.meter)?
                {
                    run.meter.reserve(&mut self.lengths)?;
                    self.lengths.push(self.lengths[number] + 1);
                }
            }
        }
        run.stats.stored = self.len() as u64;
        Ok(())
    }
}
