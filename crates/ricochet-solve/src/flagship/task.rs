//! The task of a search, and its result.

use ricochet_core::{Direction, Move, Puzzle, Robot, Solution, State};

use crate::{DepthRow, Limit, Limits, Meter, Stats};

/// With a memory limit of at least this many bytes, the memory kept between searches is negligible.
const ROOMY: u64 = 4 << 30;

/// The switches of the solver.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Switches {
    /// How many threads a large search may use.
    pub(crate) threads: usize,
    /// Look for the target ahead instead of filling the last layer.
    pub(crate) lookahead: bool,
    /// Restart large searches with the bound of plans.
    pub(crate) plans: bool,
}

/// A task: how does the active robot, or any robot, reach the target?
#[derive(Clone, Copy)]
pub(crate) struct Task<'a> {
    pub(crate) puzzle: &'a Puzzle,
    /// The states to start from, all at once.
    pub(crate) starts: &'a [State],
    /// Find all of the starts that are nearest to the target, not just one shortest solution.
    pub(crate) all_nearest: bool,
    pub(crate) switches: Switches,
    pub(crate) limits: &'a Limits,
    pub(crate) meter: &'a Meter,
}

impl Task<'_> {
    /// Whether the memory limit is so high that memory kept from earlier searches does not matter.
    pub(crate) fn is_roomy(&self) -> bool {
        self.limits.memory.is_none_or(|most| most >= ROOMY)
    }
}

/// How a search ended.
#[derive(Debug)]
pub(crate) enum SearchEnd {
    /// A shortest solution, or one for each of the nearest starts, each with its index among all
    /// starts.
    Solved(Vec<(usize, Solution)>),
    /// The target cannot be reached from any of the starts.
    Unsolvable,
    /// No solution has fewer moves than `lower_bound`.
    Limit { limit: Limit, lower_bound: u32 },
}

impl SearchEnd {
    /// The end of a search from one start that found this solution.
    pub(crate) fn solved(solution: Solution) -> Self {
        Self::Solved(vec![(0, solution)])
    }
}

/// The counters of a search, or of a part of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counters {
    /// Children made.
    pub(crate) generated: u64,
    /// Duplicates among them.
    pub(crate) duplicates: u64,
    /// Nodes expanded.
    pub(crate) expanded: u64,
}

impl std::iter::Sum for Counters {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(Self::default(), |all, part| Self {
            generated: all.generated + part.generated,
            duplicates: all.duplicates + part.duplicates,
            expanded: all.expanded + part.expanded,
        })
    }
}

/// What a search reports besides its end.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct SearchReport {
    pub(crate) counters: Counters,
    pub(crate) stored: u64,
    pub(crate) peak_bytes: u64,
    pub(crate) rows: Vec<DepthRow>,
}

impl SearchReport {
    /// Adds a row for the layers since the last one, from the counters and the number of nodes by
    /// now and at that time.
    pub(crate) fn add_layer(
        &mut self,
        depth: u32,
        (counters, nodes): (Counters, u64),
        (counters_before, nodes_before): (Counters, u64),
    ) -> DepthRow {
        let row = DepthRow {
            depth,
            nodes: counters.generated - counters_before.generated,
            inner: nodes - nodes_before,
            hits: counters.duplicates - counters_before.duplicates,
        };
        self.rows.push(row);
        (self.counters, self.stored) = (counters, nodes);
        row
    }

    pub(crate) fn into_stats(self, stats: &mut Stats) {
        stats.nodes = self.counters.generated;
        stats.generated = self.counters.generated;
        stats.hits = self.counters.duplicates;
        stats.expanded = self.counters.expanded;
        stats.inner = self.stored;
        stats.stored = self.stored;
        stats.peak_bytes = self.peak_bytes;
        stats.rows = self.rows;
    }
}

/// The moves that lead from `start` through all `wanted` states, each one move after the one
/// before. The `wanted` states do not tell interchangeable robots apart. `step` makes a move, if it
/// is legal; `pack` drops the robots' names.
pub(crate) fn name_moves<T: Copy, W: PartialEq>(
    start: T,
    robots: impl Iterator<Item = Robot>,
    wanted: impl Iterator<Item = W>,
    step: impl Fn(T, Robot, Direction) -> Option<T>,
    pack: impl Fn(T) -> W,
) -> Vec<Move> {
    let plays: Vec<Move> = robots
        .flat_map(|robot| Direction::ALL.map(|direction| Move { robot, direction }))
        .collect();
    let mut state = start;
    wanted
        .map(|wanted| {
            let (play, after) = plays
                .iter()
                .find_map(|&play| {
                    let next = step(state, play.robot, play.direction)?;
                    (pack(next) == wanted).then_some((play, next))
                })
                .expect("each state is one move from the one before");
            state = after;
            play
        })
        .collect()
}
