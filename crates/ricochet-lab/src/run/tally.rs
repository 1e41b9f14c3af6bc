//! Millions of positions with constant memory: solved in chunks on all cores, counted by required
//! moves, one line a finished chunk. Positions themselves are not kept: a chunk can be made again
//! from its recipe.

use std::collections::{BTreeMap, HashSet};
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rayon::prelude::*;
use ricochet::Puzzle;
use ricochet_solve::{Guarantee, Outcome, Solver};

use crate::corpus::Expectation;
use crate::run::clock;
use crate::run::plan::{Budget, Shard};
use crate::run::progress;
use crate::run::row::{Verdict, single_line};
use crate::run::store::{Experiment, open_for_appending, shard_files};
use crate::run::verify::judge;
use ricochet_solve::registry::SolverSpec;

/// Counts of one chunk, or of many.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// Positions by required moves.
    pub counts: BTreeMap<u32, u64>,
    /// Positions proven unsolvable.
    pub unsolvable: u64,
    /// Positions on which a limit was reached.
    pub limits: u64,
    /// Time of all solves in microseconds.
    pub micros: f64,
    /// Time of the longest.
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

    /// Bars of eighths for a terminal: one column a number of moves.
    pub fn spark(&self) -> String {
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

    fn to_line(&self, chunk: &str) -> String {
        let counts: Vec<String> = self
            .counts
            .iter()
            .map(|(moves, count)| format!("{moves}:{count}"))
            .collect();
        format!(
            "{chunk},{},{},{},{:.0},{:.3},{},{}\n",
            self.positions(),
            self.unsolvable,
            self.limits,
            self.micros,
            self.slowest,
            self.nodes,
            counts.join(" ")
        )
    }

    fn from_line(line: &str) -> Option<(String, Self)> {
        let fields: Vec<&str> = line.trim_end().split(',').collect();
        let [
            chunk,
            positions,
            unsolvable,
            limits,
            micros,
            slowest,
            nodes,
            counts,
        ] = fields.as_slice()
        else {
            return None;
        };
        let mut tally = Self {
            unsolvable: unsolvable.parse().ok()?,
            limits: limits.parse().ok()?,
            micros: micros.parse().ok()?,
            slowest: slowest.parse().ok()?,
            nodes: nodes.parse().ok()?,
            ..Self::default()
        };
        for pair in counts.split_whitespace() {
            let (moves, count) = pair.split_once(':')?;
            tally
                .counts
                .insert(moves.parse().ok()?, count.parse().ok()?);
        }
        (tally.positions() == positions.parse::<u64>().ok()?).then(|| ((*chunk).to_owned(), tally))
    }
}

const HEADER: &str = "chunk,positions,unsolvable,limits,micros,slowest_micros,nodes,counts";

/// The tallies of a directory's shards by chunk, in the order of the files.
///
/// # Errors
/// A line that is no tally, with its number.
pub fn read(directory: &Path) -> Result<Vec<(String, Tally)>> {
    let mut tallies = Vec::new();
    let mut seen = HashSet::new();
    for path in shard_files(directory, "tally", ".csv")? {
        let text = std::fs::read_to_string(&path)
            .with_context(|| format!("cannot read {}", path.display()))?;
        for (number, line) in text.split_inclusive('\n').enumerate() {
            if number == 0 && line.trim_end() == HEADER {
                continue;
            }
            if !line.ends_with('\n') {
                break;
            }
            let Some((chunk, tally)) = Tally::from_line(line) else {
                bail!("{}, line {}: not a tally", path.display(), number + 1);
            };
            if seen.insert(chunk.clone()) {
                tallies.push((chunk, tally));
            }
        }
    }
    Ok(tallies)
}

/// One chunk to be solved.
pub struct Chunk<'a> {
    /// Its name: unique, without commas.
    pub name: String,
    /// How many positions it has.
    pub size: usize,
    /// Makes position number i.
    pub make: Box<dyn Fn(usize) -> Result<Puzzle> + Send + Sync + 'a>,
}

/// How a tally is made.
#[derive(Clone, Debug)]
pub struct Manner {
    /// The solver; it has to be an optimal one.
    pub solver: SolverSpec,
    /// What one solve may spend.
    pub budget: Budget,
    /// Threads.
    pub jobs: usize,
    /// The chunks to do here.
    pub shard: Shard,
    /// No progress bar.
    pub quiet: bool,
}

/// Solves the chunks that the directory does not have yet; answers the tally of this shard, old
/// chunks included.
///
/// # Errors
/// A wrong answer, a position that cannot be made, a line that cannot be written.
pub fn run(
    directory: &Path,
    experiment: &Experiment,
    chunks: &[Chunk<'_>],
    manner: &Manner,
) -> Result<Tally> {
    if manner.solver.guarantee() != Guarantee::Optimal {
        bail!("'{}' does not promise optimal solutions", manner.solver);
    }
    let clock = manner.budget.clock;
    clock.can_time(std::slice::from_ref(&manner.solver))?;
    let (file, path, _) = open_for_appending(directory, experiment, manner.shard, "tally", HEADER)?;
    let done: BTreeMap<String, Tally> = read(directory)?.into_iter().collect();
    let mut total = Tally::default();
    let mut open = Vec::new();
    let mut positions = 0;
    for (number, chunk) in chunks.iter().enumerate() {
        if !manner.shard.has(number) {
            continue;
        }
        positions += chunk.size as u64;
        match done.get(&chunk.name) {
            Some(tally) => total.add(tally),
            None => open.push(chunk),
        }
    }
    let bar = progress::bar(positions, total.positions(), "positions", manner.quiet);
    bar.reset_eta();
    let shared = Mutex::new((file, total, Instant::now()));
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(manner.jobs)
        .build()?;
    pool.install(|| {
        open.par_iter().try_for_each_init(
            || manner.solver.build(),
            |solver, chunk| -> Result<()> {
                let tally = solve_chunk(chunk, solver.as_mut(), manner.budget)
                    .with_context(|| format!("chunk {}", chunk.name))?;
                let mut guard = shared.lock().expect("no thread panics with the lock");
                let (file, total, shown) = &mut *guard;
                file.write_all(tally.to_line(&chunk.name).as_bytes())
                    .with_context(|| format!("cannot write {}", path.display()))?;
                total.add(&tally);
                bar.inc(chunk.size as u64);
                if shown.elapsed() > Duration::from_millis(500) {
                    bar.set_message(total.spark());
                    *shown = Instant::now();
                }
                Ok(())
            },
        )
    })?;
    bar.finish_and_clear();
    let (_, total, _) = shared.into_inner().expect("no thread panics with the lock");
    Ok(total)
}

fn solve_chunk(chunk: &Chunk<'_>, solver: &mut dyn Solver, budget: Budget) -> Result<Tally> {
    let mut tally = Tally::default();
    for number in 0..chunk.size {
        let puzzle = (chunk.make)(number)?;
        let (outcome, stats, time) = clock::solve(solver, &puzzle, budget);
        let micros = crate::run::micros(time);
        tally.micros += micros;
        tally.slowest = tally.slowest.max(micros);
        tally.nodes += stats.nodes;
        match &outcome {
            Outcome::Solved { solution, .. } => {
                let judged = judge(&puzzle, Expectation::Unknown, Guarantee::Optimal, &outcome);
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
        let line = tally.to_line("1A 2B 3A 4B");
        assert_eq!(
            Tally::from_line(&line),
            Some(("1A 2B 3A 4B".to_owned(), tally.clone()))
        );
        assert_eq!(Tally::from_line(&line.replace("3:10", "3:11")), None);
        assert_eq!(Tally::from_line("a,b"), None);
        assert_eq!(tally.spark(), "   █   ▄");
        assert!((tally.mean().unwrap() - 65.0 / 15.0).abs() < 1e-12);
    }
}
