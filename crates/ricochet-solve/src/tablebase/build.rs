//! From a space to its histogram or its tablebase.

use std::collections::BTreeSet;
use std::time::Duration;

use ricochet_core::State;

use super::distances::Distances;
use super::retrograde::Retrograde;
use super::retrograde::codes::Codes;
use super::{Space, Tablebase, TablebaseError};
use crate::{DepthRow, Limit, LimitReached, Limits, Meter, Observer};

/// Most memory that is taken when no limit is given.
pub const DEFAULT_MEMORY: u64 = 16 << 30;

/// The number of states at each distance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    /// `counts[d]` states need `d` moves. The last entry is not 0.
    pub counts: Vec<u64>,
    /// States from which no moves lead to the goal.
    pub unsolvable: u64,
}

impl Histogram {
    /// All states.
    pub fn states(&self) -> u64 {
        self.solvable() + self.unsolvable
    }

    /// States with a solution.
    pub fn solvable(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The longest distance; `None` if no state is solvable.
    pub fn max_distance(&self) -> Option<u32> {
        self.counts.len().checked_sub(1).map(|d| d as u32)
    }

    /// The mean distance of the solvable states, solved ones included.
    pub fn mean(&self) -> Option<f64> {
        let sum: u128 = self
            .counts
            .iter()
            .enumerate()
            .map(|(distance, &count)| distance as u128 * u128::from(count))
            .sum();
        let solvable = self.solvable();
        (solvable > 0).then(|| sum as f64 / solvable as f64)
    }
}

/// What is known of a board and goal after all its states were counted.
#[derive(Clone, Debug)]
pub struct Survey {
    /// The counts.
    pub histogram: Histogram,
    /// States of the longest distance, in ascending order, helpers that can stand for each other
    /// sorted. All of them, unless there are more than were asked for.
    pub hardest: Vec<State>,
    /// Time of the search.
    pub time: Duration,
}

/// Searches spaces; keeps its memory between searches.
///
/// ```
/// use ricochet_core::{Board, Cell, Goal, Puzzle, Robot};
/// use ricochet_solve::{Limits, NullObserver};
/// use ricochet_solve::tablebase::{Builder, Space};
/// let board = Board::builder(6, 6).build().unwrap();
/// let goal = Goal { robot: Some(Robot::RED), cell: Cell::new(2, 3) };
/// let puzzle = Puzzle::new(board, &[Cell::new(0, 0), Cell::new(5, 0), Cell::new(5, 5)], goal)?;
/// let space = Space::of(&puzzle).unwrap();
/// let mut builder = Builder::new(1);
/// let survey = builder.survey(&space, 10, &Limits::default(), &mut NullObserver).unwrap();
/// assert_eq!(survey.histogram.states(), 36 * 35 / 2 * 34);
/// assert_eq!(survey.histogram.counts[0], 35 * 34 / 2);
/// let table = builder.tablebase(&space, &Limits::default(), &mut NullObserver).unwrap();
/// assert_eq!(table.histogram(), &survey.histogram);
/// # Ok::<(), ricochet_core::ValidationError>(())
/// ```
#[derive(Debug)]
pub struct Builder {
    threads: usize,
    /// The table of the search, kept for the next one.
    codes: Vec<Codes>,
}

impl Builder {
    /// A builder with this many threads.
    pub fn new(threads: usize) -> Self {
        Self {
            threads: threads.max(1),
            codes: Vec::new(),
        }
    }

    /// Bytes that [`Builder::survey`] needs.
    pub fn survey_bytes(space: &Space) -> u64 {
        let configurations = space.configurations() as u64;
        configurations * size_of::<Codes>() as u64 + Retrograde::event_bytes(space)
    }

    /// Bytes that [`Builder::tablebase`] needs, if no distance is over 30.
    pub fn tablebase_bytes(space: &Space) -> u64 {
        Self::survey_bytes(space) + Distances::bytes(space.configurations())
    }

    /// Counts the states at each distance and finds up to `hardest` of the hardest.
    ///
    /// # Errors
    /// If it does not fit into the memory, or a limit of time or the cancel switch ends it.
    pub fn survey(
        &mut self,
        space: &Space,
        hardest: usize,
        limits: &Limits,
        watch: &mut dyn Observer,
    ) -> Result<Survey, TablebaseError> {
        let meter = Meter::start(limits);
        check_memory(space, Self::survey_bytes(space), limits)?;
        let mut last = Vec::new();
        let histogram = self.search(space, limits, &meter, watch, |search| {
            last.clear();
            for event in search.some_newest_events() {
                if last.len() >= hardest.saturating_mul(space.copies() as usize) {
                    break;
                }
                let configuration = event.configuration as usize;
                last.extend(event.states().iter().map(|bit| (configuration, bit)));
            }
            Ok(())
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
    pub fn tablebase(
        &mut self,
        space: &Space,
        limits: &Limits,
        watch: &mut dyn Observer,
    ) -> Result<Tablebase, TablebaseError> {
        let meter = Meter::start(limits);
        let stop = || meter.check().is_err();
        check_memory(space, Self::tablebase_bytes(space), limits)?;
        let Some(mut distances) = Distances::new(space.configurations(), &stop) else {
            return Err(stopped(&meter, 0));
        };
        let histogram = self.search(space, limits, &meter, watch, |search| {
            let distance = search.distance();
            let bytes =
                Self::survey_bytes(space) + Distances::most_bytes(space.configurations(), distance);
            check_memory(space, bytes, limits)?;
            distances.grow_for(distance);
            let Some(events) = search.newest_events() else {
                let states = |configuration| search.frontier_modulo_3(configuration);
                let done = distances.set_unknown(distance, states, &stop);
                return done
                    .then_some(())
                    .ok_or_else(|| stopped(&meter, distance + 1));
            };
            let states = events
                .iter()
                .map(|event| (event.configuration as usize, event.states()));
            let done = distances.set_each(distance, states, &stop);
            done.then_some(())
                .ok_or_else(|| stopped(&meter, distance + 1))
        })?;
        Ok(Tablebase::in_memory(space.clone(), histogram, distances))
    }

    /// Gives back the memory that is kept for the next search.
    pub(crate) fn release(&mut self) {
        self.codes = Vec::new();
    }

    /// Bytes that [`Builder::tablebase`] needed for a table.
    pub(crate) fn bytes_of(table: &Tablebase) -> u64 {
        let (space, longest) = (table.space(), table.histogram().max_distance());
        let configurations = space.configurations();
        Self::survey_bytes(space) + Distances::most_bytes(configurations, longest.unwrap_or(0))
    }

    /// Runs the search; `layer` sees it after every layer, the first included.
    fn search(
        &mut self,
        space: &Space,
        limits: &Limits,
        meter: &Meter,
        watch: &mut dyn Observer,
        mut layer: impl FnMut(&Retrograde<'_>) -> Result<(), TablebaseError>,
    ) -> Result<Histogram, TablebaseError> {
        let stop = || meter.check().is_err();
        let search = Retrograde::new(space, &mut self.codes, self.threads, &stop);
        let Some(mut search) = search else {
            return Err(stopped(meter, 0));
        };
        let mut counts = Vec::new();
        // If no robot can be on the target, there is no layer at all.
        let mut more = search.newest_states() > 0;
        while more {
            let states = search.newest_states() / space.copies();
            counts.push(states);
            layer(&search)?;
            watch.depth_done(&DepthRow {
                depth: search.distance(),
                nodes: states,
                ..DepthRow::default()
            });
            if limits
                .nodes
                .is_some_and(|most| counts.iter().sum::<u64>() > most)
            {
                let stopped = LimitReached {
                    limit: Limit::Nodes,
                    lower_bound: search.distance() + 1,
                };
                return Err(stopped.into());
            }
            more = search.step();
        }
        if let Err(limit) = meter.check() {
            let stopped = LimitReached {
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

/// What the meter says, once it has said to stop.
fn stopped(meter: &Meter, lower_bound: u32) -> TablebaseError {
    let limit = meter.check().err().unwrap_or(Limit::Time);
    LimitReached { limit, lower_bound }.into()
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::super::retrograde::codes::DistanceCode;
    use super::*;
    use crate::{CancelToken, NullObserver};
    use ricochet_core::{Board, Cell, Goal, Puzzle, Robot};

    /// A spiral: the robot needs 35 moves from its middle, more than the first planes hold.
    fn spiral() -> Space {
        let side = 16;
        let mut open = vec![vec![false; side]; side];
        let (mut x, mut y, mut d) = (0usize, 0usize, 1usize);
        let free = |open: &Vec<Vec<bool>>, x: isize, y: isize| {
            let inside = |i: isize| (0..side as isize).contains(&i);
            !inside(x) || !inside(y) || !open[y as usize][x as usize]
        };
        let steps = [(0, -1), (1, 0), (0, 1), (-1, 0)];
        open[0][0] = true;
        let mut turns = 0;
        while turns < 2 {
            let (dx, dy) = steps[d];
            let (nx, ny) = (x as isize + dx, y as isize + dy);
            let inside = (0..side as isize).contains(&nx) && (0..side as isize).contains(&ny);
            // A corridor has walls: the cell behind the next one must not be of it already.
            if inside && free(&open, nx, ny) && free(&open, nx + dx, ny + dy) {
                (x, y) = (nx as usize, ny as usize);
                open[y][x] = true;
                turns = 0;
            } else {
                d = (d + 1) % 4;
                turns += 1;
            }
        }
        let mut builder = Board::builder(side, side);
        for cell_y in 0..side {
            for cell_x in 0..side {
                let cell = Cell::new(cell_x as u8, cell_y as u8);
                for direction in ricochet_core::Direction::ALL {
                    let (dx, dy) = steps[direction.index()];
                    let (nx, ny) = (cell_x as isize + dx, cell_y as isize + dy);
                    let is_open = |x: isize, y: isize| !free(&open, x, y);
                    if open[cell_y][cell_x] != is_open(nx, ny) {
                        builder = builder.wall(cell, direction);
                    }
                }
            }
        }
        let goal = Goal {
            robot: Some(Robot::RED),
            cell: Cell::new(0, 0),
        };
        let robots = [Cell::new(x as u8, y as u8), Cell::new(1, 0)];
        Space::of(&Puzzle::new(builder.build().unwrap(), &robots, goal).unwrap()).unwrap()
    }

    #[test]
    fn old_and_new_planes_together_are_within_the_memory_limit() {
        let space = spiral();
        let mut builder = Builder::new(1);
        let limits = |memory| Limits {
            memory: Some(memory),
            ..Limits::default()
        };
        let table = builder.tablebase(&space, &limits(1 << 30), &mut NullObserver);
        let table = table.unwrap();
        let longest = table.histogram().max_distance().unwrap();
        assert!(longest > 30, "{longest}");
        let needed = Builder::bytes_of(&table);
        assert!(needed > Builder::tablebase_bytes(&space));
        builder
            .tablebase(&space, &limits(needed), &mut NullObserver)
            .unwrap();
        let error = builder
            .tablebase(&space, &limits(needed - 1), &mut NullObserver)
            .unwrap_err();
        assert_eq!(error.limit(), Some(Limit::Memory), "{error}");
    }

    #[test]
    fn a_histogram_adds_up() {
        let histogram = Histogram {
            counts: vec![1, 2, 1],
            unsolvable: 1,
        };
        assert_eq!((histogram.states(), histogram.solvable()), (5, 4));
        assert_eq!(histogram.max_distance(), Some(2));
        assert_eq!(histogram.mean(), Some(1.0));
        assert_eq!(Histogram::default().mean(), None);
    }

    /// A layer that touches every configuration has jobs; each looks before it begins.
    #[test]
    fn a_dense_layer_that_is_stopped_leaves_its_jobs_undone() {
        let board = Board::builder(8, 8).build().unwrap();
        let robots = [Cell::new(0, 0), Cell::new(7, 0), Cell::new(0, 7)];
        let goal = Goal {
            robot: Some(Robot::RED),
            cell: Cell::new(3, 3),
        };
        let space = Space::of(&Puzzle::new(board, &robots, goal).unwrap()).unwrap();
        for threads in [1, 2] {
            for stopped in [false, true] {
                let flag = AtomicBool::new(false);
                let stop = || flag.load(Ordering::Relaxed);
                let mut codes = Vec::new();
                let mut search = Retrograde::new(&space, &mut codes, threads, &stop).unwrap();
                flag.store(stopped, Ordering::Relaxed);
                assert_eq!(search.step(), !stopped);
                drop(search);
                let next = DistanceCode::of(1);
                let touched = codes.iter().any(|codes| !codes.at(next).is_empty());
                assert_eq!(touched, !stopped, "{threads} threads");
            }
        }
    }

    /// Cancelled before it begins, a build must not work on all configurations first.
    #[test]
    fn a_build_looks_at_its_limits_before_every_piece_of_work() {
        let cancel = CancelToken::default();
        cancel.cancel();
        let limits = Limits {
            cancel: Some(cancel),
            ..Limits::default()
        };
        let mut builder = Builder::new(1);
        let mut layers = 0;
        let mut watch = |_: &DepthRow| layers += 1;
        let error = builder
            .tablebase(&spiral(), &limits, &mut watch)
            .unwrap_err();
        assert_eq!(error.limit(), Some(Limit::Cancelled));
        let error = builder
            .survey(&spiral(), 1, &limits, &mut watch)
            .unwrap_err();
        assert_eq!(error.limit(), Some(Limit::Cancelled));
        assert_eq!((layers, builder.codes.len()), (0, 0));
    }
}
