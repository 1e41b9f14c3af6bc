//! Tallies: millions of positions solved in chunks and counted by required moves, one line per chunk,
//! in constant memory. The positions are not stored; a chunk can be generated again.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use ricochet_core::Puzzle;
use ricochet_solve::{Guarantee, Outcome, Solver};

use crate::corpus::Expectation;
use crate::run::plan::SolveLimits;
use crate::run::solve::clock;
use crate::run::solve::verify::verify;
use crate::run::store::row::{Verdict, single_line};
use crate::run::store::{self, Experiment, shard_files};
use crate::run::{Journal, ResultSender, for_each_record, line, progress_bar, run_parallel};
use crate::shard::Shard;
use ricochet_solve::registry::SolverSpec;

/// The counts of one or more chunks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// Positions by required moves.
    pub counts: BTreeMap<u32, u64>,
    /// Positions proven unsolvable.
    pub unsolvable: u64,
    /// Positions stopped by a limit.
    pub limits: u64,
    /// The time of all solves, in microseconds.
    pub micros: f64,
    /// The time of the slowest solve, in microseconds.
    pub slowest: f64,
    /// Nodes of all solves.
    pub nodes: u64,
}

impl Tally {
    /// All positions.
    pub fn positions(&self) -> u64 {
        self.counts.values().sum::<u64>() + self.unsolvable + self.limits
    }

    /// Mean of the required moves.
    pub fn mean(&self) -> Option<f64> {
        let solved: u64 = self.counts.values().sum();
        let moves: u64 = self
            .counts
            .iter()
            .map(|(&m, &count)| u64::from(m) * count)
            .sum();
        (solved > 0).then(|| moves as f64 / solved as f64)
    }

    /// Adds another.
    pub fn add(&mut self, other: &Self) {
        for (&moves, &count) in &other.counts {
            *self.counts.entry(moves).or_insert(0) += count;
        }
        self.unsolvable += other.unsolvable;
        self.limits += other.limits;
        self.micros += other.micros;
        self.slowest = self.slowest.max(other.slowest);
        self.nodes += other.nodes;
    }

    /// A bar chart for the terminal, one column per number of moves.
    pub fn sparkline(&self) -> String {
        let most = self.counts.values().copied().max().unwrap_or(1).max(1);
        let last = self.counts.keys().last().copied().unwrap_or(0);
        (0..=last)
            .map(
                |moves| match self.counts.get(&moves).copied().unwrap_or(0) {
                    0 => ' ',
                    count => ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'][(count * 7 / most) as usize],
                },
            )
            .collect()
    }

    fn to_line(&self, chunk: &str) -> Result<String> {
        let counts: Vec<String> = self
            .counts
            .iter()
            .map(|(moves, count)| format!("{moves}:{count}"))
            .collect();
        line([
            chunk,
            &self.positions().to_string(),
            &self.unsolvable.to_string(),
            &self.limits.to_string(),
            &format!("{:.0}", self.micros),
            &format!("{:.3}", self.slowest),
            &self.nodes.to_string(),
            &counts.join(" "),
        ])
    }

    fn from_record(record: &csv::StringRecord) -> Option<(String, Self)> {
        let mut tally = Self {
            unsolvable: record.get(2)?.parse().ok()?,
            limits: record.get(3)?.parse().ok()?,
            micros: record.get(4)?.parse().ok()?,
            slowest: record.get(5)?.parse().ok()?,
            nodes: record.get(6)?.parse().ok()?,
            ..Self::default()
        };
        for pair in record.get(7)?.split_whitespace() {
            let (moves, count) = pair.split_once(':')?;
            tally
                .counts
                .insert(moves.parse().ok()?, count.parse().ok()?);
        }
        (record.get(1)?.parse() == Ok(tally.positions())).then(|| (record[0].to_owned(), tally))
    }
}

const COLUMNS: [&str; 8] = [
    "chunk",
    "positions",
    "unsolvable",
    "limits",
    "micros",
    "slowest_micros",
    "nodes",
    "counts",
];

/// The tallies of a directory's shards by chunk, in the order of the files.
///
/// # Errors
/// The first line that is not a tally, with its number.
pub fn read(directory: &Path) -> Result<Vec<(String, Tally)>> {
    let mut tallies = Vec::new();
    let mut seen = HashSet::new();
    for path in shard_files(directory, "tally", ".csv")? {
        for_each_record(&path, &COLUMNS, |record| {
            let (chunk, tally) = Tally::from_record(record).context("not a tally")?;
            if seen.insert(chunk.clone()) {
                tallies.push((chunk, tally));
            }
            Ok(())
        })?;
    }
    Ok(tallies)
}

/// One chunk of positions.
pub struct Chunk<'a> {
    /// The unique name, without commas.
    pub name: String,
    /// The number of positions.
    pub size: usize,
    /// Generates position number i.
    pub make: Box<dyn Fn(usize) -> Result<Puzzle> + Send + Sync + 'a>,
}

/// All chunks, generated one by one, since there may be more than fit into memory.
pub struct Chunks<'a> {
    /// The number of chunks.
    pub count: usize,
    /// Generates chunk number i. All but the last have the same size.
    pub make: Box<dyn Fn(usize) -> Chunk<'a> + Send + Sync + 'a>,
}

impl Chunks<'_> {
    /// Positions of a shard.
    fn positions(&self, shard: Shard) -> u64 {
        let Some(last) = self.count.checked_sub(1) else {
            return 0;
        };
        let full = (self.make)(0).size as u64;
        let own = shard.numbers(self.count).size_hint().0 as u64;
        let all = own.saturating_mul(full);
        if shard.has(last) {
            all - full + (self.make)(last).size as u64
        } else {
            all
        }
    }
}

/// The solver and the limits of a tally.
#[derive(Clone, Debug)]
pub struct TallyOptions {
    /// The solver, which must be optimal.
    pub solver: SolverSpec,
    /// The limits of one solve.
    pub limits: SolveLimits,
    /// Threads.
    pub jobs: usize,
    /// The shard to run.
    pub shard: Shard,
    /// Whether to hide the progress bar.
    pub quiet: bool,
}

/// Solves the chunks that are missing in the directory. Returns the tally of the shard, including
/// earlier chunks.
///
/// # Errors
/// If an answer is wrong, a position cannot be generated, or a line cannot be written.
pub fn run(
    directory: &Path,
    experiment: &Experiment,
    chunks: &Chunks<'_>,
    options: &TallyOptions,
) -> Result<Tally> {
    if options.solver.guarantee() != Guarantee::Optimal {
        bail!("'{}' does not promise optimal solutions", options.solver);
    }
    let clock = options.limits.clock;
    clock.can_time(std::slice::from_ref(&options.solver))?;
    let suffix = options.shard.suffix();
    store::create_or_check_experiment(directory, experiment)?;
    store::create_or_check_machine(directory, &suffix)?;
    let path = directory.join(format!("tally{suffix}.csv"));
    let mut journal = Journal::open(path, &COLUMNS)?;
    let done: BTreeMap<String, Tally> = read(directory)?.into_iter().collect();
    let mut total = Tally::default();
    let bar = progress_bar(
        chunks.positions(options.shard),
        0,
        "positions",
        options.quiet,
    );
    let mut shown = Instant::now();
    run_parallel(
        options.jobs,
        options.shard.numbers(chunks.count),
        || Ok(options.solver.build()),
        |solver, number, results: &ResultSender<'_, (Option<String>, Tally)>| {
            let chunk = (chunks.make)(number);
            let found = if let Some(tally) = done.get(&chunk.name) {
                (None, tally.clone())
            } else {
                let tally = solve_chunk(&chunk, solver.as_mut(), options.limits)
                    .with_context(|| format!("chunk {}", chunk.name))?;
                (Some(chunk.name), tally)
            };
            results.send(found);
            Ok(())
        },
        |(new, tally)| {
            total.add(&tally);
            let Some(name) = new else {
                bar.dec_length(tally.positions());
                return Ok(());
            };
            journal.append(&tally.to_line(&name)?)?;
            bar.inc(tally.positions());
            if shown.elapsed() > Duration::from_millis(500) {
                bar.set_message(total.sparkline());
                shown = Instant::now();
            }
            Ok(())
        },
    )?;
    bar.finish_and_clear();
    Ok(total)
}

fn solve_chunk(chunk: &Chunk<'_>, solver: &mut dyn Solver, limits: SolveLimits) -> Result<Tally> {
    let mut tally = Tally::default();
    for number in 0..chunk.size {
        let puzzle = (chunk.make)(number)?;
        let (outcome, stats, time) = clock::solve(solver, &puzzle, limits);
        let micros = crate::run::micros(time);
        tally.micros += micros;
        tally.slowest = tally.slowest.max(micros);
        tally.nodes += stats.nodes;
        match &outcome {
            Outcome::Solved { solution, .. } => {
                let judged = verify(&puzzle, Expectation::Unknown, Guarantee::Optimal, &outcome);
                if judged.verdict == Verdict::Wrong {
                    bail!("position {number}: {}", judged.detail);
                }
                *tally.counts.entry(solution.len() as u32).or_insert(0) += 1;
            }
            Outcome::Unsolvable => tally.unsolvable += 1,
            Outcome::LimitReached { .. } => tally.limits += 1,
            Outcome::Failed { failure, .. } => {
                bail!(
                    "position {number}: {}",
                    single_line(&failure.to_string(), 200)
                )
            }
        }
    }
    Ok(tally)
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::ensure;

    #[test]
    fn lines_come_back_and_damaged_ones_do_not() {
        let tally = Tally {
            counts: BTreeMap::from([(3, 10), (7, 5)]),
            unsolvable: 1,
            limits: 2,
            micros: 1234.0,
            slowest: 99.5,
            nodes: 77,
        };
        let line = tally.to_line("1A 2B 3A 4B").unwrap();
        let read = |line: &str| {
            let fields: Vec<&str> = line.trim_end().split(',').collect();
            Tally::from_record(&fields.into())
        };
        let same = Some(("1A 2B 3A 4B".to_owned(), tally.clone()));
        assert_eq!(read(&line), same);
        assert_eq!(read(&line.replace("3:10", "3:11")), None);
        assert_eq!(read("a,b"), None);
        assert_eq!(tally.sparkline(), "   █   ▄");
        assert!((tally.mean().unwrap() - 65.0 / 15.0).abs() < 1e-12);
    }

    #[test]
    fn any_number_of_positions_can_be_asked_for() {
        let directory = tempfile::tempdir().unwrap();
        // Fails in the third chunk; otherwise this would take far too long.
        let chunks = Chunks {
            count: usize::MAX,
            make: Box::new(|number| Chunk {
                name: number.to_string(),
                size: 1,
                make: Box::new(move |_| {
                    ensure!(number != 2, "no more positions");
                    let corpus = crate::corpus::Corpus::load("official/random")?;
                    Ok(corpus.items[0].puzzle.clone())
                }),
            }),
        };
        let options = TallyOptions {
            solver: "flagship".parse().unwrap(),
            limits: SolveLimits::default(),
            jobs: 1,
            shard: Shard::WHOLE,
            quiet: true,
        };
        let experiment = Experiment::new("histogram");
        let error = run(directory.path(), &experiment, &chunks, &options).unwrap_err();
        assert!(
            format!("{error:#}").contains("no more positions"),
            "{error:#}"
        );
        assert_eq!(
            read(directory.path()).unwrap().len(),
            2,
            "what was counted is kept"
        );
    }
}
