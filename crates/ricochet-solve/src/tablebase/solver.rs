//! The solver `tablebase`: answers from a file, or from a table that it builds in memory.
//!
//! A node is a state whose distance was looked up; the states stored are those of the table, even if it
//! came from a file. The last table is kept: the next puzzle on the same board with the same goal is
//! answered at once, with the same statistics.

use std::path::PathBuf;

use ricochet_core::{Puzzle, Solution};

use super::{Builder, Space, Tablebase, TablebaseError};
use crate::registry::{Options, Parameter, SolverInfo, SpecError};
use crate::{
    Budget, Failure, Guarantee, Limit, LimitReached, Limits, NullObserver, Observer, Outcome,
    Solver, Stats, Unsupported,
};

/// How the registry lists it.
pub const INFO: SolverInfo = SolverInfo {
    name: "tablebase",
    guarantee: Guarantee::Optimal,
    source: "ours; retrograde analysis of the set representation",
    summary: "distances of all states of the board and goal, from a file or built in memory",
    parameters: &[
        Parameter {
            key: "file",
            default: "",
            help: "a file of 'ricochet tablebase build'; empty: build in memory",
        },
        Parameter {
            key: "memory",
            default: "64",
            help: "MiB that a table in memory may take; boards that need more are refused (700 is \
                   enough for four robots on 16x16 cells, which takes a few seconds)",
        },
        Parameter {
            key: "threads",
            default: "1",
            help: "threads that build",
        },
    ],
    build: |options: &Options| -> Result<Box<dyn Solver>, SpecError> {
        let mebibytes = u64::from(options.number("memory", DEFAULT_MEBIBYTES)?);
        let mut solver = TablebaseSolver::new()
            .memory(mebibytes << 20)
            .threads(options.number("threads", 1)? as usize);
        if let Some(path) = options.get("file").filter(|path| !path.is_empty()) {
            solver = solver.file(path);
        }
        Ok(Box::new(solver))
    },
};

const DEFAULT_MEBIBYTES: u32 = 64;

const TOO_LARGE: Unsupported = Unsupported {
    what: "a table of this size (tablebase:memory=700 allows 700 MiB, enough for four robots on \
           16×16 cells)",
};

/// See the module's documentation.
///
/// ```
/// use ricochet_core::notation;
/// use ricochet_solve::tablebase::TablebaseSolver;
/// use ricochet_solve::{Limits, Outcome, NullObserver, Solver};
/// let puzzle = notation::parse_line("4x3..0012.R31")?.validate()?;
/// let mut solver = TablebaseSolver::new();
/// let (outcome, stats) = solver.solve(&puzzle, &Limits::default(), &mut NullObserver);
/// let Outcome::Solved { solution, optimal, .. } = outcome else { panic!("it is solvable") };
/// assert!(optimal && solution.len() == 3);
/// assert_eq!(stats.stored, 132, "all states of the board and goal");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TablebaseSolver {
    file: Option<PathBuf>,
    /// Bytes that a table in memory may take.
    memory: u64,
    builder: Builder,
    table: Option<Tablebase>,
}

impl Default for TablebaseSolver {
    fn default() -> Self {
        Self::new()
    }
}

impl TablebaseSolver {
    /// Builds tables of at most 64 MiB in memory, with one thread.
    pub fn new() -> Self {
        Self {
            file: None,
            memory: u64::from(DEFAULT_MEBIBYTES) << 20,
            builder: Builder::new(1),
            table: None,
        }
    }

    /// Answers from this file instead of a table in memory. It is opened with the first puzzle.
    #[must_use]
    pub fn file(mut self, path: impl Into<PathBuf>) -> Self {
        self.file = Some(path.into());
        self
    }

    /// How many bytes a table in memory may take; boards that need more are refused.
    #[must_use]
    pub fn memory(mut self, bytes: u64) -> Self {
        self.memory = bytes;
        self
    }

    /// How many threads build a table.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.builder = Builder::new(threads);
        self
    }

    /// The table of a puzzle: the last one, if it fits.
    fn table(
        &mut self,
        puzzle: &Puzzle,
        limits: &Limits,
        budget: &Budget,
    ) -> Result<&Tablebase, TablebaseError> {
        let fits = |table: &Tablebase| table.space().check(puzzle).is_ok();
        if !self.table.as_ref().is_some_and(fits) {
            self.table = None;
            self.table = Some(if let Some(path) = &self.file {
                let table = Tablebase::open(path)?;
                table.space().check(puzzle)?;
                table
            } else {
                let space = Space::of(puzzle)?;
                // Freeing the last table has taken time.
                self.builder
                    .tablebase(&space, &budget.left(), &mut NullObserver)?
            });
        }
        let table = self.table.as_ref().expect("just made");
        if self.file.is_none() {
            // A kept table is subject to the limits that a new one would have met.
            check_nodes(table, limits)?;
            let bytes = Builder::bytes_of(table);
            if let Some(limit) = limits.memory.filter(|&limit| bytes > limit) {
                return Err(TablebaseError::TooLarge {
                    configurations: table.space().configurations() as u64,
                    bytes,
                    limit,
                });
            }
        }
        Ok(table)
    }
}

fn check_nodes(table: &Tablebase, limits: &Limits) -> Result<(), TablebaseError> {
    let mut nodes = 0;
    for (distance, count) in table.histogram().counts.iter().enumerate() {
        nodes += count;
        if limits.nodes.is_some_and(|limit| nodes > limit) {
            let stopped = LimitReached {
                limit: Limit::Nodes,
                lower_bound: distance as u32 + 1,
            };
            return Err(stopped.into());
        }
    }
    Ok(())
}

impl Solver for TablebaseSolver {
    fn name(&self) -> &'static str {
        INFO.name
    }

    fn guarantee(&self) -> Guarantee {
        INFO.guarantee
    }

    fn supports(&self, puzzle: &Puzzle) -> Result<(), Unsupported> {
        let space = match Space::of(puzzle) {
            Ok(space) => space,
            Err(TablebaseError::Unsupported { what }) => return Err(Unsupported { what }),
            Err(_) => return Err(TOO_LARGE),
        };
        if self.file.is_none() && Builder::tablebase_bytes(&space) > self.memory {
            return Err(TOO_LARGE);
        }
        Ok(())
    }

    fn solve(
        &mut self,
        puzzle: &Puzzle,
        limits: &Limits,
        _: &mut dyn Observer,
    ) -> (Outcome, Stats) {
        let budget = Budget::start(limits);
        let mut stats = Stats::default();
        if let Err(what) = self.supports(puzzle) {
            stats.time = budget.elapsed();
            let outcome = Outcome::Failed {
                failure: Failure::Unsupported(what),
                lower_bound: 0,
            };
            return (outcome, stats);
        }
        if puzzle.is_solved(puzzle.start()) {
            stats.time = budget.elapsed();
            return (Outcome::optimal(Solution::default()), stats);
        }
        let outcome = match self.table(puzzle, limits, &budget) {
            Ok(table) => {
                let (outcome, lookups) = answer(table, puzzle, limits);
                fill_stats(&mut stats, table, lookups);
                outcome
            }
            Err(error) => failed(&error),
        };
        stats.time = budget.elapsed();
        (outcome, stats)
    }

    fn release(&mut self) {
        self.table = None;
        self.builder.release();
    }
}

/// The answer of a table, and how many distances were looked up for it.
pub(super) fn answer(table: &Tablebase, puzzle: &Puzzle, limits: &Limits) -> (Outcome, u64) {
    let start = puzzle.start();
    let mut lookups = 1;
    let outcome = match table.distance(&start) {
        Ok(None) => Outcome::Unsolvable,
        Ok(Some(distance)) if limits.moves.is_some_and(|most| distance > most) => {
            Outcome::LimitReached {
                limit: Limit::Moves,
                lower_bound: distance,
            }
        }
        Ok(Some(distance)) => match table.solution_from(&start, distance, &mut lookups) {
            Ok(solution) if solution.replay(puzzle).is_ok() => Outcome::optimal(solution),
            Ok(_) => Outcome::Failed {
                failure: Failure::NotReplayable { claimed: distance },
                lower_bound: 0,
            },
            Err(error) => failed(&error),
        },
        Err(error) => failed(&error),
    };
    (outcome, lookups)
}

fn failed(error: &TablebaseError) -> Outcome {
    let known = match error {
        // All states up to this distance are known, and the start is not among them, or else the
        // table would be complete.
        TablebaseError::Stopped(_) => 1,
        _ => 0,
    };
    if let Some(limit) = error.limit() {
        return Outcome::LimitReached {
            limit,
            lower_bound: known,
        };
    }
    let what = match error {
        TablebaseError::Unsupported { what } => what,
        TablebaseError::OtherPuzzle { .. } => "a puzzle of another board or goal than the file's",
        TablebaseError::Damaged { .. } | TablebaseError::Contradiction { .. } => {
            "a damaged tablebase file"
        }
        _ => "a tablebase file that cannot be read",
    };
    Outcome::Failed {
        failure: Failure::Unsupported(Unsupported { what }),
        lower_bound: 0,
    }
}

fn fill_stats(stats: &mut Stats, table: &Tablebase, lookups: u64) {
    stats.nodes = lookups;
    stats.stored = table.histogram().states();
    stats.peak_bytes = match table.distances() {
        Some(_) => Builder::bytes_of(table),
        None => table.cached_bytes(),
    };
}
