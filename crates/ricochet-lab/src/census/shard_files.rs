//! The three files of one shard, and the targets on which they agree.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use csv::StringRecord;

use super::contents::Totals;
use super::tasks::TargetKey;
use crate::run::for_each_record;

/// The columns that name the target, in every file.
pub(super) const KEY_COLUMNS: [&str; 5] = ["layout", "x", "y", "color", "shape"];

/// The name and the further columns of each file; the last file is written last.
pub(super) const FILES: [(&str, &[&str]); 3] = [
    ("histograms", &["distance", "states"]),
    ("hardest", &["distance", "position"]),
    (
        "targets",
        &[
            "states",
            "unsolvable",
            "max_distance",
            "at_max",
            "listed",
            "mean",
            "seconds",
        ],
    ),
];

/// The text in place of a distance for states without a solution.
pub(super) const UNSOLVABLE: &str = "unsolvable";

/// All columns of a file.
pub(super) fn columns(file: usize) -> Vec<&'static str> {
    KEY_COLUMNS.iter().chain(FILES[file].1).copied().collect()
}

/// The path of a file of a shard.
pub(super) fn path(directory: &Path, file: usize, suffix: &str) -> PathBuf {
    directory.join(format!("{}{suffix}.csv", FILES[file].0))
}

/// The row of a target in `targets.csv`.
#[derive(Debug)]
struct Summary {
    states: u64,
    unsolvable: u64,
    at_max: u64,
    /// The number of listed positions; `None` in records that leave it out.
    listed: Option<u64>,
}

/// The files of one shard, without the positions.
#[derive(Debug, Default)]
pub(super) struct ShardFiles {
    /// The counts of every target; `None` if its rows contradict each other.
    histograms: BTreeMap<TargetKey, Option<Totals>>,
    listed: HashMap<TargetKey, u64>,
    summaries: HashMap<TargetKey, Summary>,
}

impl ShardFiles {
    /// Reads the files of a shard; a missing file counts as empty.
    pub(super) fn read(directory: &Path, suffix: &str) -> Result<Self> {
        let mut part = Self::default();
        let count = |record: &StringRecord, column: usize| -> Result<u64> {
            let text = record.get(column).unwrap_or_default();
            text.parse()
                .with_context(|| format!("'{text}' is not a count"))
        };
        read_file(directory, 0, suffix, |key, record| {
            let states = count(record, 6)?;
            let totals = part
                .histograms
                .entry(key)
                .or_insert_with(|| Some(Totals::default()));
            let is_next = totals.as_mut().is_some_and(|totals| {
                // Distances are in order, followed by the unsolvable states.
                let is_first = totals.unsolvable == 0;
                if &record[5] == UNSOLVABLE {
                    totals.unsolvable = states;
                    is_first
                } else {
                    totals.counts.push(states);
                    is_first && record[5].parse() == Ok(totals.counts.len() - 1)
                }
            });
            if !is_next {
                *totals = None;
            }
            Ok(())
        })?;
        read_file(directory, 1, suffix, |key, _| {
            *part.listed.entry(key).or_default() += 1;
            Ok(())
        })?;
        let mut listed = None;
        let targets = path(directory, 2, suffix);
        if targets.exists() {
            // Records may have other columns, so this one is found by name.
            let header = for_each_record(&targets, &KEY_COLUMNS, |_| Ok(()))?;
            listed = header.iter().position(|column| column == "listed");
        }
        read_file(directory, 2, suffix, |key, record| {
            let summary = Summary {
                states: count(record, 5)?,
                unsolvable: count(record, 6)?,
                at_max: count(record, 8)?,
                listed: listed.map(|column| count(record, column)).transpose()?,
            };
            part.summaries.insert(key, summary);
            Ok(())
        })?;
        Ok(part)
    }

    /// The targets on which all three files agree.
    pub(super) fn complete(&self) -> HashSet<TargetKey> {
        let keys = self.summaries.keys();
        keys.filter(|key| self.totals(key).is_some())
            .cloned()
            .collect()
    }

    /// The counts of a target, if it is complete.
    pub(super) fn totals(&self, key: &TargetKey) -> Option<&Totals> {
        let summary = self.summaries.get(key)?;
        let totals = self.histograms.get(key)?.as_ref()?;
        let listed = self.listed.get(key).copied().unwrap_or(0);
        let agree = totals.states() == summary.states
            && totals.unsolvable == summary.unsolvable
            && totals.counts.last().copied().unwrap_or(0) == summary.at_max
            && summary.listed.is_none_or(|said| said == listed);
        agree.then_some(totals)
    }
}

/// Calls `visit` with every row of a file of a shard, if the file exists.
pub(super) fn read_file(
    directory: &Path,
    file: usize,
    suffix: &str,
    mut visit: impl FnMut(TargetKey, &StringRecord) -> Result<()>,
) -> Result<()> {
    let path = path(directory, file, suffix);
    if path.exists() {
        let visit = |record: &StringRecord| visit(TargetKey::from_record(record)?, record);
        for_each_record(&path, &KEY_COLUMNS, visit)?;
    }
    Ok(())
}
