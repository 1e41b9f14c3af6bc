//! Reads and merges the directories of a census.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use ricochet_solve::atomic_file::AtomicFile;

use super::shard_files::{self, FILES, ShardFiles, read_file};
use super::store::read_experiment;
use super::tasks::TargetKey;
use crate::run::line;
use crate::run::store::{Experiment, create_or_check_experiment};

/// The counts of a target.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// States at each distance.
    pub counts: Vec<u64>,
    /// States without a solution.
    pub unsolvable: u64,
}

impl Totals {
    /// All states.
    pub fn states(&self) -> u64 {
        self.counts.iter().sum::<u64>() + self.unsolvable
    }

    /// The mean distance of the solvable states.
    pub fn mean(&self) -> Option<f64> {
        let histogram = ricochet_solve::tablebase::Histogram {
            counts: self.counts.clone(),
            unsolvable: self.unsolvable,
        };
        histogram.mean()
    }
}

/// The contents of a directory.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    /// The number of robots on each board.
    pub robots: usize,
    /// The counts of every target.
    pub targets: BTreeMap<TargetKey, Totals>,
    /// The listed hardest positions of every target: distance and notation.
    pub hardest: Vec<(TargetKey, u32, String)>,
}

/// Reads all shards of a directory and skips targets on which its files disagree.
///
/// # Errors
/// If a file cannot be read, with the invalid line.
pub fn read(directory: &Path) -> Result<Contents> {
    let experiment = read_experiment(directory)?;
    let robots = experiment.parameters.get("robots");
    let mut contents = Contents {
        robots: robots
            .and_then(|robots| robots.parse().ok())
            .with_context(|| format!("{} does not say how many robots", directory.display()))?,
        ..Contents::default()
    };
    for suffix in suffixes(directory)? {
        let part = ShardFiles::read(directory, &suffix)?;
        let mut new = part.complete();
        new.retain(|key| !contents.targets.contains_key(key));
        for key in &new {
            let totals = part.totals(key).cloned().unwrap_or_default();
            contents.targets.insert(key.clone(), totals);
        }
        read_file(directory, 1, &suffix, |key, record| {
            if new.contains(&key) {
                let distance = record[5].parse().context("not a distance")?;
                contents.hardest.push((key, distance, record[6].to_owned()));
            }
            Ok(())
        })?;
    }
    Ok(contents)
}

/// Merges all shards of some directories into one, with every target once, in the order of the layouts.
/// Returns the number of targets.
///
/// # Errors
/// If the directories belong to different censuses, disagree, or cannot be read or written.
pub fn merge(directories: &[PathBuf], into: &Path) -> Result<usize> {
    let mut experiment: Option<Experiment> = None;
    let mut totals: BTreeMap<TargetKey, Totals> = BTreeMap::new();
    let mut lines: [BTreeMap<TargetKey, String>; 3] = Default::default();
    for directory in directories {
        let own = read_experiment(directory)?;
        if let Some(first) = &experiment {
            ensure!(
                *first == own,
                "{} contains another census than {}",
                directory.display(),
                directories[0].display()
            );
        }
        experiment.get_or_insert(own);
        for suffix in suffixes(directory)? {
            let part = ShardFiles::read(directory, &suffix)?;
            let mut new = part.complete();
            for key in &new {
                let again = totals.get(key);
                ensure!(
                    again.is_none() || again == part.totals(key),
                    "{} and an earlier directory disagree about {key}",
                    directory.display()
                );
            }
            new.retain(|key| !totals.contains_key(key));
            for key in &new {
                let counts = part.totals(key).cloned().unwrap_or_default();
                totals.insert(key.clone(), counts);
            }
            for (file, lines) in lines.iter_mut().enumerate() {
                read_file(directory, file, &suffix, |key, record| {
                    if new.contains(&key) {
                        *lines.entry(key).or_default() += &line(record)?;
                    }
                    Ok(())
                })?;
            }
        }
    }
    let experiment = experiment.context("nothing to merge")?;
    create_or_check_experiment(into, &experiment)?;
    for (file, lines) in lines.iter().enumerate() {
        let mut merged = AtomicFile::create(shard_files::path(into, file, ""))?;
        merged.write_all(line(shard_files::columns(file))?.as_bytes())?;
        for lines in lines.values() {
            merged.write_all(lines.as_bytes())?;
        }
        merged.commit()?;
    }
    Ok(totals.len())
}

/// The suffixes of the shards in a directory.
fn suffixes(directory: &Path) -> Result<Vec<String>> {
    let mut suffixes = Vec::new();
    for entry in
        fs::read_dir(directory).with_context(|| format!("cannot read {}", directory.display()))?
    {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if let Some(suffix) = name
            .strip_prefix(FILES[2].0)
            .and_then(|rest| rest.strip_suffix(".csv"))
        {
            suffixes.push(suffix.to_owned());
        }
    }
    suffixes.sort();
    Ok(suffixes)
}
