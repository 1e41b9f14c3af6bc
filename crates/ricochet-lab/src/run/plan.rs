//! The plan of a run: which solvers on which puzzles, how often, with which limits, and which shard of
//! it.

use std::time::Duration;

use anyhow::{Result, ensure};
use ricochet_solve::Limits;

use crate::corpus::Corpus;
use crate::run::solve::clock::Clock;
use crate::run::solve::external::ExternalSolver;
use crate::run::store::row::Mode;
use crate::shard::Shard;
use ricochet_solve::registry::SolverSpec;

/// The limits of one solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolveLimits {
    /// Time of one solve.
    pub time: Duration,
    /// Memory of one solver, in bytes.
    pub memory: u64,
    /// The clock that measures the time.
    pub clock: Clock,
}

impl Default for SolveLimits {
    /// The thesis's 40 s and 4 GB.
    fn default() -> Self {
        Self {
            time: Duration::from_secs(40),
            memory: 4 << 30,
            clock: Clock::Wall,
        }
    }
}

impl SolveLimits {
    /// The time in `experiment.json`: `40s`, `1.5s` or `100ms`. Directories are continued only with
    /// equal texts, so the form must not change.
    pub fn time_text(self) -> String {
        let seconds = self.time.as_secs_f64();
        if seconds < 1.0 {
            format!("{}ms", seconds * 1000.0)
        } else {
            format!("{seconds}s")
        }
    }

    /// The limits that a solver takes.
    pub fn to_solver_limits(self) -> Limits {
        Limits {
            time: Some(self.time),
            memory: Some(self.memory),
            ..Limits::default()
        }
    }
}

/// Every solver on every puzzle.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The puzzles.
    pub corpora: Vec<Corpus>,
    /// The solvers.
    pub solvers: Vec<SolverSpec>,
    /// External solvers, run on the same puzzles.
    pub externals: Vec<ExternalSolver>,
    /// How often each solver runs on each puzzle.
    pub repeat: u32,
    /// How often each solver runs on each puzzle before the first of these, without being measured.
    pub warmup: u32,
    /// Warm, cold, or first one and then the other.
    pub modes: Vec<Mode>,
    /// The limits of one solve.
    pub limits: SolveLimits,
    /// The number of solves at the same time.
    pub jobs: usize,
    /// The shard to run.
    pub shard: Shard,
    /// Whether rows keep the moves.
    pub keep_moves: bool,
}

/// One puzzle in one repetition, on which all solvers run one after the other on one thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PuzzleRun {
    /// Warm or cold.
    pub mode: Mode,
    /// The repetition, counted from 1.
    pub run: u32,
    /// Index of the corpus.
    pub corpus: usize,
    /// Index of the puzzle in it.
    pub item: usize,
    /// The number of the puzzle over all corpora, which rotates the order of the solvers.
    pub number: usize,
}

impl Plan {
    /// Checks that all solvers can be timed.
    ///
    /// # Errors
    /// The first solver that cannot be.
    pub fn check(&self) -> Result<()> {
        ensure!(
            self.externals.is_empty() || self.limits.clock == Clock::Wall,
            "external solvers report times of their own: use --clock wall"
        );
        for (number, external) in self.externals.iter().enumerate() {
            let name = external.name();
            ensure!(
                self.externals[..number].iter().all(|it| it.name() != name),
                "there are two external solvers '{name}'"
            );
        }
        self.limits.clock.can_time(&self.solvers)
    }

    /// The number of solvers, external ones included.
    pub fn solver_count(&self) -> usize {
        self.solvers.len() + self.externals.len()
    }

    /// The name of a solver in rows; external solvers come last.
    pub fn solver_name(&self, number: usize) -> String {
        match self.solvers.get(number) {
            Some(spec) => spec.to_string(),
            None => self.externals[number - self.solvers.len()]
                .name()
                .to_owned(),
        }
    }

    /// The runs of this shard, in their order. Solvers are interleaved puzzle by puzzle, so
    /// that a machine that slows down affects all of them. The runs are created one by one, since
    /// there may be more than fit into memory.
    pub fn puzzle_runs(&self) -> impl Iterator<Item = PuzzleRun> + Clone + '_ {
        // The number of each corpus's first puzzle.
        let mut firsts = vec![0];
        for corpus in &self.corpora {
            firsts.push(firsts[firsts.len() - 1] + corpus.items.len());
        }
        let all = firsts[self.corpora.len()];
        let rounds = self
            .modes
            .iter()
            .flat_map(|&mode| (1..=self.repeat).map(move |run| (mode, run)));
        rounds.flat_map(move |(mode, run)| {
            let firsts = firsts.clone();
            self.shard.numbers(all).map(move |number| {
                let corpus = firsts.partition_point(|&first| first <= number) - 1;
                PuzzleRun {
                    mode,
                    run,
                    corpus,
                    item: number - firsts[corpus],
                    number,
                }
            })
        })
    }

    /// The number of runs of puzzles.
    pub fn len(&self) -> u64 {
        let all = self.corpora.iter().map(|corpus| corpus.items.len()).sum();
        let rounds = self.modes.len() as u64 * u64::from(self.repeat);
        rounds.saturating_mul(self.shard.numbers(all).count() as u64)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Indices of the solvers in the order in which they run on a puzzle. The order rotates by one from
    /// puzzle to puzzle, so that no solver is always first.
    pub fn solver_order(&self, puzzle_run: PuzzleRun) -> impl Iterator<Item = usize> + use<> {
        let count = self.solver_count();
        let first = puzzle_run.number + puzzle_run.run as usize;
        (0..count).map(move |i| (first + i) % count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(shard: &str) -> Plan {
        let records = Corpus::load("records").unwrap();
        Plan {
            corpora: vec![records.clone(), records],
            solvers: vec!["flagship".parse().unwrap(), "iddfs".parse().unwrap()],
            externals: Vec::new(),
            repeat: 2,
            warmup: 0,
            modes: vec![Mode::Warm, Mode::Cold],
            limits: SolveLimits::default(),
            jobs: 1,
            shard: shard.parse().unwrap(),
            keep_moves: true,
        }
    }

    #[test]
    fn shards_are_a_partition() {
        let whole: Vec<PuzzleRun> = plan("1/1").puzzle_runs().collect();
        assert_eq!(whole.len(), 2 * 2 * 6);
        assert_eq!(plan("1/1").len(), 2 * 2 * 6);
        let mut parts: Vec<PuzzleRun> = ["1/4", "2/4", "3/4", "4/4"]
            .iter()
            .flat_map(|shard| plan(shard).puzzle_runs().collect::<Vec<_>>())
            .collect();
        assert_eq!(parts.len(), whole.len());
        parts.sort_by_key(|u| (u.mode, u.run, u.number));
        assert_eq!(parts, whole);
    }

    #[test]
    fn a_plan_of_any_length_is_made_as_it_is_carried_out() {
        let mut plan = plan("2/4");
        plan.repeat = u32::MAX;
        let mut puzzle_runs = plan.puzzle_runs();
        assert_eq!(
            puzzle_runs
                .next()
                .map(|puzzle_run| (puzzle_run.run, puzzle_run.number)),
            Some((1, 1))
        );
        assert_eq!(
            puzzle_runs.nth(2_000).map(|puzzle_run| puzzle_run.run),
            Some(1001)
        );
        assert_eq!(plan.len(), 2 * 2 * u64::from(u32::MAX));
    }

    #[test]
    fn the_texts_of_time_limits_are_pinned() {
        for (millis, text) in [
            (40_000, "40s"),
            (1500, "1.5s"),
            (100, "100ms"),
            (20, "20ms"),
        ] {
            let time = Duration::from_millis(millis);
            let limits = SolveLimits {
                time,
                ..SolveLimits::default()
            };
            assert_eq!(limits.time_text(), text);
            assert_eq!(format!("{time:?}"), text, "as in earlier directories");
        }
    }

    #[test]
    fn the_first_solver_changes_from_puzzle_to_puzzle() {
        let plan = plan("1/1");
        let puzzle_runs: Vec<PuzzleRun> = plan.puzzle_runs().collect();
        let first = |i: usize| plan.solver_order(puzzle_runs[i]).next();
        assert_ne!(first(0), first(1));
        assert_eq!(plan.solver_order(puzzle_runs[0]).count(), 2);
    }
}
