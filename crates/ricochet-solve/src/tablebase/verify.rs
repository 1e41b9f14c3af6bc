//! Checks a tablebase against its definition.
//!
//! A state on the target has distance 0; any other state has one more than the best of the states
//! that one move leads to, and none if none of these has one. If that holds for every state, every
//! distance is right. The moves are made forwards, by the slide tables that solvers use: nothing
//! in common with the search backwards.

use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use ricochet::rng::Rng;
use ricochet::{Cell, State};

use super::{Tablebase, TablebaseError};

/// A state with a wrong distance.
///
/// ```
/// use ricochet::{Cell, State};
/// use ricochet_solve::tablebase::Mismatch;
/// let state = State::new(&[Cell::new(0, 0), Cell::new(3, 1)]).expect("two robots");
/// let mismatch = Mismatch { state, stored: Some(4), expected: Some(3) };
/// let text = mismatch.to_string();
/// assert!(text.ends_with("4 moves in the table, 3 moves by its successors"), "{text}");
/// ```
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
    ///
    /// ```
    /// # use ricochet::notation;
    /// # use ricochet_solve::tablebase::{Builder, Space};
    /// # use ricochet_solve::{Limits, Silent};
    /// # let puzzle = notation::parse_line("4x3..0012.R31")?.validate()?;
    /// # let space = Space::of(&puzzle)?;
    /// # let table = Builder::new(1).tablebase(&space, &Limits::default(), &mut Silent)?;
    /// assert_eq!(table.verify_state(&puzzle.start())?, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn verify_state(&self, state: &State) -> Result<Option<Mismatch>, TablebaseError> {
        let stored = self.distance(state)?;
        let goal = self.space().goal();
        let solved = match goal.robot {
            Some(robot) => state[robot] == goal.cell,
            None => state.cells().contains(&goal.cell),
        };
        let mut expected = solved.then_some(0);
        if !solved {
            for (_, next) in self.successors(*state) {
                if let Some(distance) = self.distance(&next)? {
                    let through = distance + 1;
                    expected = Some(expected.map_or(through, |best: u32| best.min(through)));
                }
            }
        }
        Ok((stored != expected).then_some(Mismatch {
            state: *state,
            stored,
            expected,
        }))
    }

    /// A random state of the space, all robots on different open cells; `None` if there is no room.
    ///
    /// ```
    /// # use ricochet::notation;
    /// # use ricochet_solve::tablebase::{Builder, Space};
    /// # use ricochet_solve::{Limits, Silent};
    /// # let puzzle = notation::parse_line("4x3..0012.R31")?.validate()?;
    /// # let space = Space::of(&puzzle)?;
    /// # let table = Builder::new(1).tablebase(&space, &Limits::default(), &mut Silent)?;
    /// let state = table.random_state(&mut ricochet::rng::Rng::new(1)).expect("there is room");
    /// assert_eq!(state.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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

    /// Checks so many random states; the first that is wrong ends it.
    ///
    /// # Errors
    /// If the file cannot be read or is damaged.
    ///
    /// ```
    /// # use ricochet::notation;
    /// # use ricochet_solve::tablebase::{Builder, Space};
    /// # use ricochet_solve::{Limits, Silent};
    /// # let puzzle = notation::parse_line("4x3..0012.R31")?.validate()?;
    /// # let space = Space::of(&puzzle)?;
    /// # let table = Builder::new(1).tablebase(&space, &Limits::default(), &mut Silent)?;
    /// assert_eq!(table.verify_sample(100, 1)?, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
    ///
    /// ```
    /// # use ricochet::notation;
    /// # use ricochet_solve::tablebase::{Builder, Space};
    /// # use ricochet_solve::{Limits, Silent};
    /// # let puzzle = notation::parse_line("4x3..0012.R31")?.validate()?;
    /// # let space = Space::of(&puzzle)?;
    /// # let table = Builder::new(1).tablebase(&space, &Limits::default(), &mut Silent)?;
    /// let verified = table.verify_all(1, &|_| ())?;
    /// assert_eq!((verified.states, verified.mismatch), (132, None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn verify_all(
        &self,
        threads: usize,
        watch: &(dyn Fn(usize) + Sync),
    ) -> Result<Verified, TablebaseError> {
        const CHUNK: usize = 4096;
        let all = self.space().configurations();
        let next = AtomicUsize::new(0);
        let states = AtomicU64::new(0);
        let first: Mutex<Option<Mismatch>> = Mutex::new(None);
        let lock = || {
            first
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner)
        };
        std::thread::scope(|scope| {
            let work = || -> Result<(), TablebaseError> {
                loop {
                    let from = next.fetch_add(CHUNK, Ordering::Relaxed);
                    if from >= all || lock().is_some() {
                        return Ok(());
                    }
                    for configuration in from..all.min(from + CHUNK) {
                        for state in self.space().states_of(configuration) {
                            states.fetch_add(1, Ordering::Relaxed);
                            if let Some(mismatch) = self.verify_state(&state)? {
                                lock().get_or_insert(mismatch);
                                return Ok(());
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
        Ok(Verified {
            states: states.into_inner() / self.space().copies(),
            mismatch: first
                .into_inner()
                .unwrap_or_else(std::sync::PoisonError::into_inner),
        })
    }
}

/// What a full check found.
///
/// ```
/// use ricochet::notation;
/// use ricochet_solve::tablebase::{Builder, Space, Verified};
/// use ricochet_solve::{Limits, Silent};
/// let puzzle = notation::parse_line("4x3..0012.R31")?.validate()?;
/// let space = Space::of(&puzzle)?;
/// let table = Builder::new(1).tablebase(&space, &Limits::default(), &mut Silent)?;
/// let Verified { states, mismatch } = table.verify_all(2, &|_| ())?;
/// assert_eq!((states, mismatch), (space.states(), None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// States that were checked: all of the space, unless one is wrong.
    pub states: u64,
    /// A state that is wrong.
    pub mismatch: Option<Mismatch>,
}
