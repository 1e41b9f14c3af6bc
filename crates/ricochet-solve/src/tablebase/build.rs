//! From a space to its histogram or its tablebase.

use std::collections::BTreeSet;

use ricochet::State;

use super::codes::Codes;
use super::distances::Distances;
use super::retrograde::Retrograde;
use super::{Histogram, Space, Survey, Tablebase, TablebaseError};
use crate::{DepthRow, Limit, Limits, Meter, Observer, Stopped};

/// Most memory that is taken when no limit is given.
///
/// ```
/// use ricochet::quadrants::Edition;
/// use ricochet::{Cell, Goal, Puzzle, Robot};
/// use ricochet_solve::tablebase::{Builder, DEFAULT_MEMORY, Space};
/// let board = Edition::Of1999.layouts()[0].board();
/// let goal = Goal { robot: Some(Robot::RED), cell: board.targets()[0].cell };
/// let robots: Vec<Cell> = (0..5).map(|x| Cell::new(x, 0)).collect();
/// let space = Space::of(&Puzzle::new(board, &robots, goal)?)?;
/// // Five robots can be counted within it, but not all their distances kept.
/// assert!(Builder::survey_bytes(&space) < DEFAULT_MEMORY);
/// assert!(Builder::tablebase_bytes(&space) > DEFAULT_MEMORY);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub const DEFAULT_MEMORY: u64 = 16 << 30;

/// Searches spaces; keeps its memory between searches.
///
/// ```
/// use ricochet::{Board, Cell, Goal, Puzzle, Robot};
/// use ricochet_solve::{Limits, Silent};
/// use ricochet_solve::tablebase::{Builder, Space};
/// let board = Board::builder(6, 6).build().unwrap();
/// let goal = Goal { robot: Some(Robot::RED), cell: Cell::new(2, 3) };
/// let puzzle = Puzzle::new(board, &[Cell::new(0, 0), Cell::new(5, 0), Cell::new(5, 5)], goal)?;
/// let space = Space::of(&puzzle).unwrap();
/// let mut builder = Builder::new(1);
/// let survey = builder.survey(&space, 10, &Limits::default(), &mut Silent).unwrap();
/// assert_eq!(survey.histogram.states(), 36 * 35 / 2 * 34);
/// assert_eq!(survey.histogram.counts[0], 35 * 34 / 2);
/// let table = builder.tablebase(&space, &Limits::default(), &mut Silent).unwrap();
/// assert_eq!(table.histogram(), &survey.histogram);
/// # Ok::<(), ricochet::Invalid>(())
/// ```
#[derive(Debug)]
pub struct Builder {
    threads: usize,
    /// The table of the search, kept for the next one.
    codes: Vec<Codes>,
}

impl Builder {
    /// A builder that works with so many threads.
    ///
    /// ```
    /// # use ricochet::notation;
    /// # use ricochet_solve::tablebase::{Builder, Space};
    /// # use ricochet_solve::{Limits, Silent};
    /// # let puzzle = notation::parse_line("4x3..0012.R31")?.validate()?;
    /// # let space = Space::of(&puzzle)?;
    /// let mut builder = Builder::new(2);
    /// let survey = builder.survey(&space, 1, &Limits::default(), &mut Silent)?;
    /// assert_eq!(survey.histogram.states(), space.states());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(threads: usize) -> Self {
        Self {
            threads: threads.max(1),
            codes: Vec::new(),
        }
    }

    /// Bytes that [`Builder::survey`] needs.
    ///
    /// ```
    /// # use ricochet::notation;
    /// # use ricochet_solve::tablebase::{Builder, Space};
    /// # use ricochet_solve::{Limits, Silent};
    /// # let puzzle = notation::parse_line("4x3..0012.R31")?.validate()?;
    /// # let space = Space::of(&puzzle)?;
    /// assert!(Builder::survey_bytes(&space) < Builder::tablebase_bytes(&space));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn survey_bytes(space: &Space) -> u64 {
        let configurations = space.configurations() as u64;
        configurations * size_of::<Codes>() as u64 + Retrograde::event_bytes(space)
    }

    /// Bytes that [`Builder::tablebase`] needs, if no distance is over 30.
    ///
    /// ```
    /// # use ricochet::notation;
    /// # use ricochet_solve::tablebase::{Builder, Space};
    /// # use ricochet_solve::{Limits, Silent};
    /// # let puzzle = notation::parse_line("4x3..0012.R31")?.validate()?;
    /// # let space = Space::of(&puzzle)?;
    /// assert!(Builder::tablebase_bytes(&space) < 1 << 20);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tablebase_bytes(space: &Space) -> u64 {
        Self::survey_bytes(space) + Distances::bytes(space.configurations())
    }

    /// Counts the states at each distance and finds up to `hardest` of the hardest.
    ///
    /// # Errors
    /// If it does not fit into the memory, or a limit of time or the cancel switch ends it.
    ///
    /// ```
    /// # use ricochet::notation;
    /// # use ricochet_solve::tablebase::{Builder, Space};
    /// # use ricochet_solve::{Limits, Silent};
    /// # let puzzle = notation::parse_line("4x3..0012.R31")?.validate()?;
    /// # let space = Space::of(&puzzle)?;
    /// let survey = Builder::new(1).survey(&space, 10, &Limits::default(), &mut Silent)?;
    /// assert_eq!(survey.hardest.len() as u64, survey.histogram.counts.last().copied().unwrap_or(0).min(10));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn survey(
        &mut self,
        space: &Space,
        hardest: usize,
        limits: &Limits,
        watch: &mut dyn Observer,
    ) -> Result<Survey, TablebaseError> {
        let meter = Meter::start(limits);
        let mut last = Vec::new();
        let histogram = self.search(space, Self::survey_bytes(space), limits, watch, |search| {
            last.clear();
            for event in search.some_newest_events() {
                if last.len() >= hardest.saturating_mul(space.copies() as usize) {
                    break;
                }
                let configuration = event.configuration as usize;
                last.extend(event.states().iter().map(|bit| (configuration, bit)));
            }
        })?;
        let states: BTreeSet<State> = last
            .into_iter()
            .map(|(configuration, bit)| space.canonical(&space.state(configuration, bit)))
            .collect();
        Ok(Survey {
            histogram,
            hardest: states.into_iter().take(hardest).collect(),
            time: meter.elapsed(),
        })
    }

    /// Finds the distance of every state.
    ///
    /// # Errors
    /// As for [`Builder::survey`].
    ///
    /// ```
    /// # use ricochet::notation;
    /// # use ricochet_solve::tablebase::{Builder, Space};
    /// # use ricochet_solve::{Limits, Silent};
    /// # let puzzle = notation::parse_line("4x3..0012.R31")?.validate()?;
    /// # let space = Space::of(&puzzle)?;
    /// let table = Builder::new(1).tablebase(&space, &Limits::default(), &mut Silent)?;
    /// assert_eq!(table.distance(&puzzle.start())?, Some(3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tablebase(
        &mut self,
        space: &Space,
        limits: &Limits,
        watch: &mut dyn Observer,
    ) -> Result<Tablebase, TablebaseError> {
        let bytes = Self::tablebase_bytes(space);
        check_memory(space, bytes, limits)?;
        let mut distances = Distances::new(space.configurations());
        let histogram = self.search(space, bytes, limits, watch, |search| {
            let distance = search.distance();
            match search.newest_events() {
                Some(events) => {
                    distances.make_room(distance);
                    for event in events {
                        distances.set(event.configuration as usize, event.states(), distance);
                    }
                }
                None => distances.set_where_unknown(distance, |configuration| {
                    search.frontier_modulo_3(configuration)
                }),
            }
        })?;
        Ok(Tablebase::in_memory(space.clone(), histogram, distances))
    }

    /// Runs the search; `layer` sees it after every layer, the first included.
    fn search(
        &mut self,
        space: &Space,
        bytes: u64,
        limits: &Limits,
        watch: &mut dyn Observer,
        mut layer: impl FnMut(&Retrograde<'_>),
    ) -> Result<Histogram, TablebaseError> {
        check_memory(space, bytes, limits)?;
        let meter = Meter::start(limits);
        let stop = || meter.look().is_err();
        let mut search = Retrograde::new(space, &mut self.codes, self.threads, &stop);
        let mut counts = Vec::new();
        // On a board where no robot can be on the target there is no layer at all.
        let mut more = search.newest_states() > 0;
        while more {
            let states = search.newest_states() / space.copies();
            counts.push(states);
            layer(&search);
            watch.depth_done(&DepthRow {
                depth: search.distance(),
                nodes: states,
                ..DepthRow::default()
            });
            if limits
                .nodes
                .is_some_and(|most| counts.iter().sum::<u64>() > most)
            {
                let stopped = Stopped {
                    limit: Limit::Nodes,
                    lower_bound: search.distance() + 1,
                };
                return Err(stopped.into());
            }
            more = search.step();
        }
        if let Err(limit) = meter.look() {
            let stopped = Stopped {
                limit,
                lower_bound: search.distance() + 1,
            };
            return Err(stopped.into());
        }
        let solvable: u64 = counts.iter().sum();
        Ok(Histogram {
            counts,
            unsolvable: space.states() - solvable,
        })
    }
}

fn check_memory(space: &Space, bytes: u64, limits: &Limits) -> Result<(), TablebaseError> {
    let limit = limits.memory.unwrap_or(DEFAULT_MEMORY);
    if bytes > limit {
        return Err(TablebaseError::TooLarge {
            configurations: space.configurations() as u64,
            bytes,
            limit,
        });
    }
    Ok(())
}
