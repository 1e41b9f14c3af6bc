//! Reading directories of a census: what they hold, and merging them.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use super::store::{FILES, Facts, header, read_rows};
use super::tasks::Key;
use crate::run::store::{read_json, write_json, write_whole};

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

    /// The mean distance of the solvable ones.
    pub fn mean(&self) -> Option<f64> {
        let histogram = ricochet_solve::tablebase::Histogram {
            counts: self.counts.clone(),
            unsolvable: self.unsolvable,
        };
        histogram.mean()
    }
}

/// All that a directory holds.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    /// Robots on each board.
    pub robots: usize,
    /// The counts of every target.
    pub targets: BTreeMap<Key, Totals>,
    /// The listed hardest positions of every target: distance and notation.
    pub hardest: Vec<(Key, u32, String)>,
}

/// Reads all shards of a directory; rows of targets that are not complete are passed over.
///
/// # Errors
/// If it cannot be read, with the line that is wrong.
pub fn read(directory: &Path) -> Result<Contents> {
    let facts: Facts = read_json(&directory.join("census.json"))?;
    let mut contents = Contents {
        robots: facts.robots,
        ..Contents::default()
    };
    for suffix in suffixes(directory)? {
        let path_of = |name: &str| directory.join(format!("{name}{suffix}.csv"));
        let new: HashSet<Key> = read_rows(&path_of(FILES[2].0))?
            .into_iter()
            .map(|(key, _)| key)
            .filter(|key| !contents.targets.contains_key(key))
            .collect();
        let wrong = |name: &str, line: &str| format!("{}: '{line}'", path_of(name).display());
        for (key, line) in read_rows(&path_of(FILES[0].0))? {
            if !new.contains(&key) {
                continue;
            }
            let mut fields = line.rsplit(',');
            let states = fields.next().and_then(|text| text.parse().ok());
            let states = states.with_context(|| wrong(FILES[0].0, &line))?;
            let totals = contents.targets.entry(key).or_default();
            match fields.next() {
                Some("unsolvable") => totals.unsolvable = states,
                // Distances come in order.
                Some(text) if text.parse() == Ok(totals.counts.len()) => totals.counts.push(states),
                _ => bail!("{}", wrong(FILES[0].0, &line)),
            }
        }
        for (key, line) in read_rows(&path_of(FILES[1].0))? {
            if new.contains(&key) {
                let mut fields = line.rsplit(',');
                let position = fields.next().unwrap_or_default().to_owned();
                let distance = fields.next().and_then(|text| text.parse().ok());
                let distance = distance.with_context(|| wrong(FILES[1].0, &line))?;
                contents.hardest.push((key, distance, position));
            }
        }
    }
    Ok(contents)
}

/// Merges all shards of some directories into one: every target once, in the order of the layouts.
/// Returns how many targets it has.
///
/// # Errors
/// If they are of different censuses, disagree, or cannot be read or written.
pub fn merge(directories: &[PathBuf], into: &Path) -> Result<usize> {
    let mut facts: Option<Facts> = None;
    let mut all: [BTreeMap<Key, Vec<String>>; 3] = Default::default();
    for directory in directories {
        let own: Facts = read_json(&directory.join("census.json"))?;
        if let Some(first) = &facts {
            ensure!(
                *first == own,
                "{} holds another census than {}",
                directory.display(),
                directories[0].display()
            );
        }
        facts.get_or_insert(own);
        for suffix in suffixes(directory)? {
            let path_of = |name: &str| directory.join(format!("{name}{suffix}.csv"));
            let done: HashSet<Key> = read_rows(&path_of(FILES[2].0))?
                .into_iter()
                .map(|(key, _)| key)
                .collect();
            let mut part: [BTreeMap<Key, Vec<String>>; 3] = Default::default();
            for (rows, (name, _)) in part.iter_mut().zip(&FILES) {
                for (key, line) in read_rows(&path_of(name))? {
                    if done.contains(&key) {
                        rows.entry(key).or_default().push(line);
                    }
                }
            }
            for key in done {
                let again = all[2].contains_key(&key);
                ensure!(
                    !again || all[0].get(&key) == part[0].get(&key),
                    "{} counts {key} otherwise than a directory before it",
                    directory.display()
                );
                for (rows, part) in all.iter_mut().zip(&mut part) {
                    if let Some(lines) = part.remove(&key).filter(|_| !again) {
                        rows.insert(key.clone(), lines);
                    }
                }
            }
        }
    }
    let facts = facts.context("nothing to merge")?;
    fs::create_dir_all(into).with_context(|| format!("cannot make {}", into.display()))?;
    let facts_path = into.join("census.json");
    if facts_path.exists() {
        let there: Facts = read_json(&facts_path)?;
        ensure!(
            there == facts,
            "{} holds another census: choose another directory",
            into.display()
        );
    }
    write_json(&facts_path, &facts)?;
    for (rows, (name, columns)) in all.iter().zip(&FILES) {
        let mut text = header(columns);
        for line in rows.values().flatten() {
            text += line;
            text.push('\n');
        }
        write_whole(&into.join(format!("{name}.csv")), &text)?;
    }
    Ok(all[2].len())
}

/// What the files of a directory's shards carry after their names.
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
