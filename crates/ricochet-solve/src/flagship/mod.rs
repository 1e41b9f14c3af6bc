//! The flagship: the thesis's graph search made complete, over sets of cells.

// The inner loops are one function for each kind of set and number of helpers, so that all of it is
// compiled for the processor's instructions: whatever is called there must be inlined.
#![allow(clippy::inline_always)]

#[cfg(target_arch = "x86_64")]
mod avx2;
mod bytes;
mod config;
mod dispatch;
mod general;
mod goal;
pub(crate) mod kernel;
mod layer;
mod nodes;
mod pages;
pub(crate) mod prefetch;
mod search;
mod seen;
mod set;
mod tables;
mod work;

use ricochet::Puzzle;

use crate::registry::{BuildError, Entry, Options, Parameter};
use crate::{Guarantee, Limits, Meter, Observer, Outcome, Solver, Stats};
use dispatch::Isa;
use search::{Ended, Report, SetSearch};
use work::Prunings;

/// How the registry lists it.
pub const ENTRY: Entry = Entry {
    name: "flagship",
    guarantee: Guarantee::Optimal,
    source: "ours; thesis, 'Future Work' (graph search that moves all robots)",
    summary: "best-first over helper configurations and sets of goal-robot cells",
    parameters: &[
        Parameter {
            key: "simd",
            default: "auto",
            help: "auto, or off for the portable code",
        },
        Parameter {
            key: "lookahead",
            default: "on",
            help: "put off helper moves that cannot lead to the target in their layer",
        },
        Parameter {
            key: "goal-order",
            default: "on",
            help: "make goal-robot moves before helper moves that do not concern them",
        },
        Parameter {
            key: "helper-order",
            default: "on",
            help: "make independent helper moves in one order only",
        },
    ],
    build: |options: &Options| {
        let isa = match options.get("simd").unwrap_or("auto") {
            "auto" => Isa::detect(),
            "off" => Isa::Portable,
            other => {
                return Err(BuildError::BadValue {
                    key: "simd".to_owned(),
                    value: other.to_owned(),
                    expected: "auto or off",
                });
            }
        };
        let mut sets = SetSearch::new();
        sets.work.prunings = Prunings {
            lookahead: switch(options, "lookahead")?,
            goal_order: switch(options, "goal-order")?,
            helper_order: switch(options, "helper-order")?,
        };
        Ok(Box::new(Flagship { isa, sets }))
    },
};

/// A parameter that is on (the default) or off.
fn switch(options: &Options, key: &'static str) -> Result<bool, BuildError> {
    match options.get(key).unwrap_or("on") {
        "on" => Ok(true),
        "off" => Ok(false),
        other => Err(BuildError::BadValue {
            key: key.to_owned(),
            value: other.to_owned(),
            expected: "on or off",
        }),
    }
}

/// The fastest optimal solver.
pub struct Flagship {
    isa: Isa,
    sets: SetSearch,
}

impl Solver for Flagship {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn guarantee(&self) -> Guarantee {
        ENTRY.guarantee
    }

    fn solve(
        &mut self,
        puzzle: &Puzzle,
        limits: &Limits,
        watch: &mut dyn Observer,
    ) -> (Outcome, Stats) {
        let meter = Meter::start(limits);
        let mut stats = Stats::default();
        if puzzle.is_solved(puzzle.start()) {
            stats.time = meter.elapsed();
            return (
                Outcome::Solved {
                    solution: ricochet::Solution::default(),
                    optimal: true,
                    lower_bound: 0,
                },
                stats,
            );
        }
        let ended = if SetSearch::fits(puzzle) {
            let mut report = Report::default();
            let ended = dispatch::run(
                self.isa,
                &mut self.sets,
                puzzle,
                limits,
                &meter,
                watch,
                &mut report,
            );
            stats.nodes = report.counters.generated;
            stats.generated = report.counters.generated;
            stats.hits = report.counters.hits;
            stats.expanded = report.counters.expanded;
            stats.inner = report.stored;
            stats.stored = report.stored;
            stats.peak_bytes = report.peak_bytes;
            stats.rows = report.rows;
            ended
        } else {
            general::run(puzzle, limits, watch, &mut stats)
        };
        let outcome = match ended {
            Ended::Solved(solution) => {
                solution.replay(puzzle).expect("every solution replays");
                let lower_bound = solution.len() as u32;
                Outcome::Solved {
                    solution,
                    optimal: true,
                    lower_bound,
                }
            }
            Ended::Unsolvable => Outcome::Unsolvable,
            Ended::Limit { limit, lower_bound } => Outcome::LimitReached { limit, lower_bound },
        };
        stats.time = meter.elapsed();
        (outcome, stats)
    }
}
