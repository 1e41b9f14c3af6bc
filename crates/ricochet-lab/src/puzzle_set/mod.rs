//! The puzzle set: rated positions of the official boards, spread over ratings and themes.
//!
//! Random positions are numbered, solved and rated (`row`), a few thousand of them per
//! [part](crate::parts): an interrupted run continues with the parts that are missing, and any machine
//! can make any of them. Once all parts are there, puzzles are picked from them (`selection`) and
//! written: `puzzles.csv`, `training.txt` for the page, and `README.md`, the data card (`files`).
//! The files depend only on the options.

mod files;
mod row;
mod selection;

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use ricochet_solve::flagship::Flagship;

pub use row::{COLUMNS, Row};

use self::row::Candidates;
use self::selection::pick;
use crate::parts::{self, Part};
use crate::run::{ResultSender, progress_bar, run_parallel};
use crate::shard::Shard;

/// Candidates per part: few enough that an interruption loses little.
const PART: u64 = 2_000;

/// What to make.
#[derive(Clone, Debug)]
pub struct PuzzleSetOptions {
    /// The output directory.
    pub out: PathBuf,
    /// How many random positions to choose from.
    pub candidates: u64,
    /// How many puzzles to choose.
    pub puzzles: usize,
    /// How many of these the page gets.
    pub training: usize,
    /// The random seed.
    pub seed: u64,
    /// Which parts to make.
    pub shard: Shard,
    /// Threads.
    pub jobs: usize,
    /// Whether to hide the progress bar.
    pub quiet: bool,
}

/// What was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PuzzleSetSummary {
    /// The number of parts.
    pub parts: u32,
    /// Those of them that are still missing. Files are written when there are none.
    pub missing: u32,
    /// The number of puzzles that were chosen.
    pub puzzles: usize,
}

/// Makes the parts of the shard that are missing and, once all are there, the files.
///
/// # Errors
/// If the directory has parts with other options, or cannot be written.
pub fn run(options: &PuzzleSetOptions) -> Result<PuzzleSetSummary> {
    let parts = u32::try_from(options.candidates.div_ceil(PART))
        .ok()
        .filter(|&parts| parts > 0);
    let parts = parts.context("the number of candidates is out of range")?;
    let directory = options.out.join("candidates");
    let task = format!(
        "puzzle set, {} candidates, seed {}",
        options.candidates, options.seed
    );
    let shard_of = |part: usize| Shard::new(part as u32 + 1, parts);
    let is_there = |part| {
        Ok::<_, anyhow::Error>(parts::completed(&directory, &task, shard_of(part))?.is_some())
    };
    let mut to_make = Vec::new();
    for part in options.shard.numbers(parts as usize) {
        if !is_there(part)? {
            to_make.push(part);
        }
    }
    let of_part = |part: usize| (part as u64..options.candidates).step_by(parts as usize);
    let work: u64 = to_make
        .iter()
        .map(|&part| of_part(part).count() as u64)
        .sum();
    let bar = progress_bar(work, 0, "positions", options.quiet);
    run_parallel(
        options.jobs,
        to_make.into_iter(),
        || Ok((Flagship::new(), Candidates::new(options.seed))),
        |(solver, candidates), part, results: &ResultSender<'_, (usize, Vec<Row>)>| {
            let mut rows = Vec::new();
            for number in of_part(part) {
                rows.extend(candidates.rate(number, solver)?);
                bar.inc(1);
            }
            results.send((part, rows));
            Ok(())
        },
        |(part, rows)| {
            let mut part = Part::begin(&directory, &task, shard_of(part), "csv")?;
            part.write_all(&files::csv(&rows, false)?)?;
            part.finish(0)?;
            Ok(())
        },
    )?;
    bar.finish_and_clear();
    let mut summary = PuzzleSetSummary {
        parts,
        missing: 0,
        puzzles: 0,
    };
    for part in 0..parts as usize {
        summary.missing += u32::from(!is_there(part)?);
    }
    if summary.missing == 0 {
        let merged = options.out.join("candidates.csv");
        parts::merge(&[directory], &merged)?;
        summary.puzzles = choose(options, read(&merged)?)?;
    }
    Ok(summary)
}

/// The rows of a file without a header, in the order of their numbers.
fn read(path: &Path) -> Result<Vec<Row>> {
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(BufReader::new(file));
    let rows: Result<Vec<Row>, _> = reader.deserialize().collect();
    let mut rows = rows.with_context(|| format!("{} is damaged", path.display()))?;
    rows.sort_by_key(Row::number);
    Ok(rows)
}

/// Chooses puzzles and writes the files.
fn choose(options: &PuzzleSetOptions, rows: Vec<Row>) -> Result<usize> {
    let rated = rows.len();
    let mut chosen = pick(rows, options.puzzles, |_| true)?;
    ensure!(!chosen.is_empty(), "none of the candidates was rated");
    chosen.sort_by_key(Row::number);
    let training = pick(chosen.clone(), options.training, Row::is_of_1999)?;
    let out = &options.out;
    files::write(&out.join("puzzles.csv"), &files::csv(&chosen, true)?)?;
    files::write(
        &out.join("training.txt"),
        files::training(training).as_bytes(),
    )?;
    let card = files::card(options, rated, &chosen);
    files::write(&out.join("README.md"), card.as_bytes())?;
    Ok(chosen.len())
}

/// Counts rows by a property.
fn count_by<K: std::hash::Hash + Eq>(rows: &[Row], key: impl Fn(&Row) -> K) -> HashMap<K, usize> {
    let mut counts = HashMap::new();
    for row in rows {
        *counts.entry(key(row)).or_insert(0) += 1;
    }
    counts
}
