//! Checks a tablebase against its definition.
//!
//! A state on the target has distance 0; any other state has one more than the best of the states
//! that one move leads to, and none if none of these has one. If that holds for every state, every
//! distance is right. The moves are made forwards, by the slide tables that solvers use: nothing
//! in common with the search backwards.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use ricochet_core::rng::Rng;
use ricochet_core::{Cell, State};

use super::{Histogram, Tablebase, TablebaseError};

/// A state with a wrong distance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The state.
    pub state: State,
    /// What the tablebase says.
    pub stored: Option<u32>,
    /// What its successors say.
    pub expected: Option<u32>,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |distance: Option<u32>| {
            distance.map_or_else(|| "unsolvable".to_owned(), |d| format!("{d} moves"))
        };
        write!(
            f,
            "{:?}: {} in the table, {} by its successors",
            self.state,
            text(self.stored),
            text(self.expected)
        )
    }
}

impl Tablebase {
    /// Checks one state.
    ///
    /// # Errors
    /// If the file cannot be read or is damaged.
    pub fn verify_state(&self, state: &State) -> Result<Option<Mismatch>, TablebaseError> {
        let (stored, expected) = self.stored_and_expected(state)?;
        Ok((stored != expected).then_some(Mismatch {
            state: *state,
            stored,
            expected,
        }))
    }

    /// The distance of a state in the table, and by its successors.
    fn stored_and_expected(
        &self,
        state: &State,
    ) -> Result<(Option<u32>, Option<u32>), TablebaseError> {
        let stored = self.distance(state)?;
        let solved = self.is_solved(state);
        let mut expected = solved.then_some(0);
        if !solved {
            for (_, next) in self.successors(*state) {
                if let Some(distance) = self.distance(&next)? {
                    let through = distance + 1;
                    expected = Some(expected.map_or(through, |best: u32| best.min(through)));
                }
            }
        }
        Ok((stored, expected))
    }

    /// A random state of the space, all robots on different open cells; `None` if there is no room.
    pub fn random_state(&self, rng: &mut Rng) -> Option<State> {
        let board = self.space().board();
        let open: Vec<Cell> = board.cells().filter(|&c| !board.is_closed(c)).collect();
        if open.len() < self.space().robots() {
            return None;
        }
        let mut cells: Vec<Cell> = Vec::new();
        while cells.len() < self.space().robots() {
            let cell = open[rng.below(open.len())];
            if !cells.contains(&cell) {
                cells.push(cell);
            }
        }
        State::new(&cells)
    }

    /// Checks a number of random states; stops at the first wrong one.
    ///
    /// # Errors
    /// If the file cannot be read or is damaged.
    pub fn verify_sample(&self, count: u64, seed: u64) -> Result<Option<Mismatch>, TablebaseError> {
        let mut rng = Rng::new(seed);
        for _ in 0..count {
            let Some(state) = self.random_state(&mut rng) else {
                break;
            };
            if let Some(mismatch) = self.verify_state(&state)? {
                return Ok(Some(mismatch));
            }
        }
        Ok(None)
    }

    /// Checks every state, and that the histogram is that of the distances. `watch` hears how many
    /// of the configurations are done. Tables in files should be read
    /// [into memory](Tablebase::into_memory) first.
    ///
    /// # Errors
    /// If the file cannot be read or is damaged.
    pub fn verify_all(
        &self,
        threads: usize,
        watch: &(dyn Fn(usize) + Sync),
    ) -> Result<Verification, TablebaseError> {
        const CHUNK: usize = 4096;
        let all = self.space().configurations();
        let next = AtomicUsize::new(0);
        let counted = Mutex::new(BTreeMap::<Option<u32>, u64>::new());
        let first: Mutex<Option<Mismatch>> = Mutex::new(None);
        let lock = || first.lock().unwrap_or_else(PoisonError::into_inner);
        std::thread::scope(|scope| {
            let work = || -> Result<(), TablebaseError> {
                let mut own = BTreeMap::<Option<u32>, u64>::new();
                loop {
                    let from = next.fetch_add(CHUNK, Ordering::Relaxed);
                    if from >= all || lock().is_some() {
                        let mut counted = counted.lock().unwrap_or_else(PoisonError::into_inner);
                        for (distance, states) in own {
                            *counted.entry(distance).or_default() += states;
                        }
                        return Ok(());
                    }
                    for configuration in from..all.min(from + CHUNK) {
                        for state in self.space().states_of(configuration) {
                            let (stored, expected) = self.stored_and_expected(&state)?;
                            *own.entry(stored).or_default() += 1;
                            if stored != expected {
                                lock().get_or_insert(Mismatch {
                                    state,
                                    stored,
                                    expected,
                                });
                                break;
                            }
                        }
                    }
                    watch(from.min(all));
                }
            };
            let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
            workers
                .into_iter()
                .try_for_each(|worker| worker.join().expect("checking does not panic"))
        })?;
        let mut counted = counted.into_inner().unwrap_or_else(PoisonError::into_inner);
        for states in counted.values_mut() {
            *states /= self.space().copies();
        }
        let mismatch = first.into_inner().unwrap_or_else(PoisonError::into_inner);
        let miscount = match mismatch {
            Some(_) => None,
            None => self.miscount(&counted),
        };
        Ok(Verification {
            states: counted.values().sum(),
            mismatch,
            miscount,
        })
    }

    /// The first distance of which the histogram has not as many states as there are.
    fn miscount(&self, counted: &BTreeMap<Option<u32>, u64>) -> Option<Miscount> {
        let Histogram { counts, unsolvable } = self.histogram();
        let distances = (0..).map(Some).zip(counts.iter().copied());
        let mut stored: BTreeMap<Option<u32>, u64> = distances.collect();
        stored.insert(None, *unsolvable);
        let distances: BTreeSet<Option<u32>> =
            stored.keys().chain(counted.keys()).copied().collect();
        let of =
            |map: &BTreeMap<Option<u32>, u64>, distance| map.get(distance).copied().unwrap_or(0);
        distances.iter().find_map(|distance| {
            let (stored, counted) = (of(&stored, distance), of(counted, distance));
            (stored != counted).then_some(Miscount {
                distance: *distance,
                stored,
                counted,
            })
        })
    }
}

/// What a full check found.
///
/// ```
/// use ricochet_core::notation;
/// use ricochet_solve::tablebase::{Builder, Space, Verification};
/// use ricochet_solve::{Limits, NullObserver};
/// let puzzle = notation::parse_line("4x3..0012.R31")?.validate()?;
/// let space = Space::of(&puzzle)?;
/// let table = Builder::new(1).tablebase(&space, &Limits::default(), &mut NullObserver)?;
/// let Verification { states, mismatch, miscount } = table.verify_all(2, &|_| ())?;
/// assert_eq!((states, mismatch, miscount), (space.states(), None, None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verification {
    /// States that were checked: all of the space, unless one is wrong.
    pub states: u64,
    /// A state that is wrong.
    pub mismatch: Option<Mismatch>,
    /// A distance of which the histogram is wrong; looked for if all states are right.
    pub miscount: Option<Miscount>,
}

/// A wrong number in a histogram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Miscount {
    /// Of which distance; `None` for unsolvable states.
    pub distance: Option<u32>,
    /// How many states the histogram says.
    pub stored: u64,
    /// How many there are in the table.
    pub counted: u64,
}

impl fmt::Display for Miscount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            stored, counted, ..
        } = self;
        match self.distance {
            Some(distance) => write!(
                f,
                "the histogram has {stored} states of distance {distance}, the table {counted}"
            ),
            None => write!(
                f,
                "the histogram has {stored} unsolvable states, the table {counted}"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_say_what_differs() {
        let state = State::new(&[Cell::new(0, 0), Cell::new(3, 1)]).unwrap();
        let mismatch = Mismatch {
            state,
            stored: Some(4),
            expected: None,
        };
        let text = mismatch.to_string();
        assert!(
            text.ends_with("4 moves in the table, unsolvable by its successors"),
            "{text}"
        );
        let miscount = |distance| Miscount {
            distance,
            stored: 20,
            counted: 21,
        };
        assert_eq!(
            miscount(Some(3)).to_string(),
            "the histogram has 20 states of distance 3, the table 21"
        );
        assert_eq!(
            miscount(None).to_string(),
            "the histogram has 20 unsolvable states, the table 21"
        );
    }
}
