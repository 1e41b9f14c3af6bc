//! The flagship: the thesis's graph search made complete, over sets of cells.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod bytes;
mod config;
mod dispatch;
mod layer;
mod nodes;
mod pages;
mod prefetch;
mod search;
mod seen;
mod set;
mod tables;

use ricochet::Puzzle;

use crate::registry::{BuildError, Entry, Options, Parameter};
use crate::{Guarantee, Limits, Meter, Observer, Outcome, Solver, Stats};
use dispatch::Isa;
use search::{Ended, Report, SetSearch};

/// How the registry lists it.
pub const ENTRY: Entry = Entry {
    name: "flagship",
    guarantee: Guarantee::Optimal,
    source: "ours; thesis, 'Future Work' (graph search that moves all robots)",
    summary: "best-first over helper configurations and sets of goal-robot cells",
    parameters: &[Parameter {
        key: "simd",
        default: "auto",
        help: "auto, or off for the portable code",
    }],
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
        Ok(Box::new(Flagship {
            isa,
            sets: SetSearch::new(),
            general: crate::iddfs::Iddfs::build(&Options::default())?,
        }))
    },
};

/// The fastest optimal solver.
pub struct Flagship {
    isa: Isa,
    sets: SetSearch,
    general: Box<dyn Solver>,
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
        if !SetSearch::fits(puzzle) {
            return self.general.solve(puzzle, limits, watch);
        }
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
