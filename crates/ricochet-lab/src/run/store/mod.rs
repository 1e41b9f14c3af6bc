//! The directory of a run: an append-only CSV file for each shard, facts about the machine, and the
//! description of the experiment. An interrupted run loses at most the row that was being written.
//!
//! ```text
//! experiment.json          kind and parameters, the same for all shards
//! rows.csv                 one line per solve (rows.2-of-4.csv for a shard)
//! machine.json             where it was measured (machine.2-of-4.json)
//! ```

pub(crate) mod journal;
pub mod row;

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use ricochet_solve::atomic_file::{self, AtomicFile};
use serde::{Deserialize, Serialize};

use crate::run::machine::Machine;
use crate::run::plan::SolveLimits;
use crate::run::solve::external::ExternalSolverInfo;
use crate::run::store::row::{COLUMNS, Row, RowKey};
use crate::run::{Journal, for_each_record};
use crate::shard::Shard;

/// The experiment to which a directory's rows belong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Experiment {
    /// `bench`, `thesis`, …: the report that is made from the rows.
    pub kind: String,
    /// Everything that changes the meaning of a row (limits, seed, board …). All rows of a directory
    /// have the same parameters.
    pub parameters: BTreeMap<String, String>,
    /// What else the report needs (baseline, title …); the last run's values count.
    #[serde(default)]
    pub notes: BTreeMap<String, String>,
    /// External solvers with rows in the directory. More may be added, but none may change.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub externals: BTreeMap<String, ExternalSolverInfo>,
}

impl Experiment {
    /// An experiment without parameters.
    pub fn new(kind: &str) -> Self {
        Self {
            kind: kind.to_owned(),
            parameters: BTreeMap::new(),
            notes: BTreeMap::new(),
            externals: BTreeMap::new(),
        }
    }

    /// With one more parameter.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.parameters.insert(name.to_owned(), value.into());
        self
    }

    /// With the clock and the limits of each solve.
    #[must_use]
    pub fn with_limits(self, limits: SolveLimits) -> Self {
        self.with("clock", limits.clock.to_string())
            .with("time limit", limits.time_text())
            .with("memory limit", limits.memory.to_string())
    }

    /// With one more note.
    #[must_use]
    pub fn note(mut self, name: &str, value: impl Into<String>) -> Self {
        self.notes.insert(name.to_owned(), value.into());
        self
    }

    /// Reads the experiment of a directory.
    ///
    /// # Errors
    /// If it does not exist or cannot be read.
    pub fn read(directory: &Path) -> Result<Self> {
        read_json(&directory.join("experiment.json"))
    }
}

/// An open directory to which rows are appended.
#[derive(Debug)]
pub struct RowStore {
    journal: Journal,
    done: HashSet<RowKey>,
    /// Bytes of an incomplete last line that were cut off.
    pub repaired: usize,
}

impl RowStore {
    /// Opens or creates the directory and reads the keys of its rows, so that they are not run again.
    ///
    /// # Errors
    /// If the directory contains another experiment, another machine's rows or damaged rows, or is in
    /// use by another process.
    pub fn open(directory: &Path, experiment: &Experiment, shard: Shard) -> Result<Self> {
        let suffix = shard.suffix();
        create_or_check_experiment(directory, experiment)?;
        create_or_check_machine(directory, &suffix)?;
        let path = directory.join(format!("rows{suffix}.csv"));
        let journal = Journal::open(path.clone(), &COLUMNS)?;
        let mut done = HashSet::new();
        for_each_row(&path, |row| {
            done.insert(row.key());
        })?;
        Ok(Self {
            repaired: journal.repaired,
            journal,
            done,
        })
    }

    /// Whether the row exists already.
    pub fn has(&self, key: &RowKey) -> bool {
        self.done.contains(key)
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.done.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.done.is_empty()
    }

    /// Appends a row with one write, so that another process never sees half of it.
    ///
    /// # Errors
    /// If it cannot be written, or exists already.
    pub fn append(&mut self, row: &Row) -> Result<()> {
        if !self.done.insert(row.key()) {
            bail!("row {:?} exists already", row.key());
        }
        self.journal.append(&row.to_line()?)
    }
}

/// Creates the directory if necessary, and checks that it contains this experiment.
///
/// Several shards may do this at the same time: the first one writes `experiment.json`, the others
/// compare theirs with it.
pub(crate) fn create_or_check_experiment(directory: &Path, experiment: &Experiment) -> Result<()> {
    fs::create_dir_all(directory)
        .with_context(|| format!("cannot create {}", directory.display()))?;
    let path = directory.join("experiment.json");
    if !path.exists() {
        match write_new_json(&path, experiment) {
            Err(error) if already_exists(&error) => {}
            written => return written,
        }
    }
    let there: Experiment = read_json(&path)?;
    ensure_compatible(directory, &there, experiment)?;
    let mut both = experiment.clone();
    for (name, note) in &there.externals {
        both.externals.insert(name.clone(), note.clone());
    }
    if there == both {
        Ok(())
    } else {
        write_json(&path, &both)
    }
}

/// Checks that rows of an experiment may be added to those of the one in the directory.
pub(crate) fn ensure_compatible(
    directory: &Path,
    there: &Experiment,
    experiment: &Experiment,
) -> Result<()> {
    if there.kind != experiment.kind {
        bail!(
            "{} holds '{}', not '{}': choose another directory",
            directory.display(),
            there.kind,
            experiment.kind
        );
    }
    let names: std::collections::BTreeSet<&String> = there
        .parameters
        .keys()
        .chain(experiment.parameters.keys())
        .collect();
    for name in names {
        let (old, new) = (
            there.parameters.get(name).map_or("", String::as_str),
            experiment.parameters.get(name).map_or("", String::as_str),
        );
        if old != new {
            bail!(
                "{} holds a run with {name} '{old}', not '{new}': choose another directory, or run \
                 with the same parameters to continue it",
                directory.display()
            );
        }
    }
    for (name, new) in &experiment.externals {
        let Some(old) = there.externals.get(name) else {
            continue;
        };
        if (&old.command, &old.format) != (&new.command, &new.format) {
            bail!(
                "{} holds rows of '{name}' as '{}' ({}), not as '{}' ({}): give it another name or \
                 choose another directory",
                directory.display(),
                old.command,
                old.format,
                new.command,
                new.format
            );
        }
    }
    Ok(())
}

/// Stores how external solvers describe themselves.
pub(crate) fn store_descriptions(
    directory: &Path,
    descriptions: &BTreeMap<String, String>,
) -> Result<()> {
    let mut experiment = Experiment::read(directory)?;
    let before = experiment.clone();
    for (name, words) in descriptions {
        if let Some(note) = experiment.externals.get_mut(name) {
            note.description.clone_from(words);
        }
    }
    if experiment == before {
        return Ok(());
    }
    write_json(&directory.join("experiment.json"), &experiment)
}

fn already_exists(error: &anyhow::Error) -> bool {
    let cause = error.downcast_ref::<io::Error>();
    cause.is_some_and(|cause| cause.kind() == io::ErrorKind::AlreadyExists)
}

/// Stores the machine of a shard, or checks that it is the same as before: times of two machines are
/// not comparable.
pub(crate) fn create_or_check_machine(directory: &Path, suffix: &str) -> Result<()> {
    let path = directory.join(format!("machine{suffix}.json"));
    let here = Machine::detect();
    if !path.exists() {
        return write_json(&path, &here);
    }
    let there: Machine = read_json(&path)?;
    if let Some(difference) = there.difference(&here) {
        bail!(
            "{} was measured elsewhere ({difference}): times of two machines or builds do not \
             belong in one file; choose another directory",
            directory.display()
        );
    }
    Ok(())
}

/// Calls `visit` with every row of a file and skips an incomplete last line.
///
/// # Errors
/// The first line that is not a row, with its number.
pub fn for_each_row(path: &Path, mut visit: impl FnMut(Row)) -> Result<()> {
    let visit = |record: &csv::StringRecord| {
        visit(Row::from_record(record)?);
        Ok(())
    };
    for_each_record(path, &COLUMNS, visit).map(|_| ())
}

/// Rows and machines of all shards in a directory.
#[derive(Clone, Debug)]
pub struct RunData {
    /// The experiment.
    pub experiment: Experiment,
    /// Each row once, in the order of the files.
    pub rows: Vec<Row>,
    /// The machines of the shards, without repetitions.
    pub machines: Vec<Machine>,
    /// The number of files with rows.
    pub files: usize,
    /// Rows found in more than one file, of which the first counts.
    pub duplicates: usize,
}

/// Merges the shards of a directory.
///
/// # Errors
/// If a file cannot be read.
pub fn merge(directory: &Path) -> Result<RunData> {
    let experiment = Experiment::read(directory)?;
    let mut rows = Vec::new();
    let mut seen = HashSet::new();
    let mut duplicates = 0;
    let files = shard_files(directory, "rows", ".csv")?;
    for path in &files {
        for_each_row(path, |row| {
            if seen.insert(row.key()) {
                rows.push(row);
            } else {
                duplicates += 1;
            }
        })?;
    }
    let mut machines: Vec<Machine> = Vec::new();
    for path in shard_files(directory, "machine", ".json")? {
        let machine: Machine = read_json(&path)?;
        if machines
            .iter()
            .all(|other| other.difference(&machine).is_some())
        {
            machines.push(machine);
        }
    }
    Ok(RunData {
        experiment,
        rows,
        machines,
        files: files.len(),
        duplicates,
    })
}

/// `rows.csv`, `rows.1-of-4.csv`, … in numeric order.
pub(crate) fn shard_files(directory: &Path, stem: &str, ending: &str) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in
        fs::read_dir(directory).with_context(|| format!("cannot read {}", directory.display()))?
    {
        let name = entry?.file_name().to_string_lossy().into_owned();
        let middle = name
            .strip_prefix(stem)
            .and_then(|rest| rest.strip_suffix(ending));
        let Some(middle) = middle else { continue };
        let part = middle
            .strip_prefix('.')
            .and_then(|text| text.split_once("-of-"))
            .and_then(|(i, n)| Some((n.parse::<u32>().ok()?, i.parse::<u32>().ok()?)));
        if middle.is_empty() || part.is_some() {
            files.push((part, directory.join(name)));
        }
    }
    files.sort();
    Ok(files.into_iter().map(|(_, path)| path).collect())
}

pub(crate) fn read_json<T: for<'a> Deserialize<'a>>(path: &Path) -> Result<T> {
    let text =
        fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{}", path.display()))
}

/// Writes a value as JSON to an atomic file.
pub(crate) fn write_json<T: Serialize>(path: &Path, value: &T) -> Result<()> {
    let mut text = serde_json::to_string_pretty(value)?;
    text.push('\n');
    Ok(atomic_file::write(path, text)?)
}

/// Like [`write_json`], but never replaces a file.
fn write_new_json<T: Serialize>(path: &Path, value: &T) -> Result<()> {
    let mut text = serde_json::to_string_pretty(value)?;
    text.push('\n');
    let mut file = AtomicFile::create(path)?;
    file.write_all(text.as_bytes())?;
    Ok(file.commit_new()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::store::row::sample;

    fn open(directory: &Path) -> Result<RowStore> {
        RowStore::open(directory, &Experiment::new("bench"), Shard::WHOLE)
    }

    fn rows_of(directory: &Path) -> Vec<Row> {
        merge(directory).unwrap().rows
    }

    #[test]
    fn a_half_written_line_is_cut_and_its_row_can_be_written_again() {
        let directory = tempfile::tempdir().unwrap();
        let mut store = open(directory.path()).unwrap();
        store.append(&sample("a", "s", 1.0)).unwrap();
        store.append(&sample("b", "s", 2.0)).unwrap();
        drop(store);
        let path = directory.path().join("rows.csv");
        let whole = fs::read(&path).unwrap();
        let second = whole.iter().rposition(|&b| b == b'\n').unwrap();
        let start = whole[..second].iter().rposition(|&b| b == b'\n').unwrap() + 1;
        for cut in start..whole.len() {
            fs::write(&path, &whole[..cut]).unwrap();
            let mut store = open(directory.path()).unwrap();
            assert_eq!(store.repaired, cut - start);
            assert_eq!(store.len(), 1);
            store.append(&sample("b", "s", 2.0)).unwrap();
            drop(store);
            assert_eq!(fs::read(&path).unwrap(), whole);
        }
    }

    #[test]
    fn a_cut_header_is_repaired_too() {
        let directory = tempfile::tempdir().unwrap();
        drop(open(directory.path()).unwrap());
        let path = directory.path().join("rows.csv");
        fs::write(&path, "corpus,puz").unwrap();
        let store = open(directory.path()).unwrap();
        assert!(store.is_empty() && store.repaired == 10);
        drop(store);
        assert!(rows_of(directory.path()).is_empty());
    }

    #[test]
    fn rows_are_never_repeated() {
        let directory = tempfile::tempdir().unwrap();
        let mut store = open(directory.path()).unwrap();
        store.append(&sample("a", "s", 1.0)).unwrap();
        assert!(store.append(&sample("a", "s", 9.0)).is_err());
        drop(store);
        let store = open(directory.path()).unwrap();
        assert!(store.has(&sample("a", "s", 1.0).key()));
    }

    #[test]
    fn damage_in_the_middle_is_named() {
        let directory = tempfile::tempdir().unwrap();
        let mut store = open(directory.path()).unwrap();
        store.append(&sample("a", "s", 1.0)).unwrap();
        drop(store);
        let path = directory.path().join("rows.csv");
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{text}garbage\n{text}")).unwrap();
        let error = format!("{:#}", open(directory.path()).unwrap_err());
        assert!(error.contains("rows.csv, line 3"), "{error}");
        fs::write(&path, b"\xff\xfe\n").unwrap();
        assert!(open(directory.path()).is_err());
        fs::write(&path, "a,b,c\n").unwrap();
        let error = format!("{:#}", open(directory.path()).unwrap_err());
        assert!(error.contains("expected the header"), "{error}");
    }

    #[test]
    fn other_parameters_machines_and_writers_are_refused() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path();
        let first = Experiment::new("bench").with("time limit", "1 s");
        let store = RowStore::open(path, &first, Shard::WHOLE).unwrap();
        let error = RowStore::open(path, &first, Shard::WHOLE).unwrap_err();
        assert!(error.to_string().contains("in use"), "{error}");
        drop(store);
        for other in [
            Experiment::new("thesis").with("time limit", "1 s"),
            Experiment::new("bench").with("time limit", "2 s"),
            Experiment::new("bench"),
        ] {
            assert!(RowStore::open(path, &other, Shard::WHOLE).is_err());
        }
        let mut machine: Machine = read_json(&path.join("machine.json")).unwrap();
        machine.cpu = "abacus".into();
        write_json(&path.join("machine.json"), &machine).unwrap();
        let error = RowStore::open(path, &first, Shard::WHOLE).unwrap_err();
        assert!(error.to_string().contains("abacus"), "{error}");
    }

    #[test]
    fn shards_may_start_at_the_same_moment() {
        for round in 0..20 {
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path();
            let start = std::sync::Barrier::new(8);
            let opened = std::thread::scope(|scope| {
                let shards: Vec<_> = (1..=8)
                    .map(|index| {
                        let start = &start;
                        scope.spawn(move || {
                            // Half of them are of another experiment.
                            let experiment = Experiment::new("bench")
                                .with("time limit", ["1 s", "2 s"][index % 2]);
                            let shard = format!("{index}/8").parse().unwrap();
                            start.wait();
                            RowStore::open(path, &experiment, shard).is_ok()
                        })
                    })
                    .collect();
                let opened = shards.into_iter().map(|shard| shard.join().unwrap());
                opened.filter(|&is_open| is_open).count()
            });
            assert_eq!(
                opened, 4,
                "round {round}: one experiment gets the directory"
            );
            assert!(Experiment::read(path).is_ok());
        }
    }

    #[test]
    fn shards_merge_in_order_and_doubles_count_once() {
        let directory = tempfile::tempdir().unwrap();
        let experiment = Experiment::new("bench");
        for (shard, puzzle) in [("2/10", "b"), ("10/10", "j"), ("1/10", "a")] {
            let shard = shard.parse().unwrap();
            let mut store = RowStore::open(directory.path(), &experiment, shard).unwrap();
            store.append(&sample(puzzle, "s", 1.0)).unwrap();
            store.append(&sample("same", "s", 1.0)).unwrap();
        }
        let data = merge(directory.path()).unwrap();
        let puzzles: Vec<&str> = data.rows.iter().map(|r| r.puzzle.as_str()).collect();
        assert_eq!(puzzles, ["a", "same", "b", "j"]);
        assert_eq!((data.files, data.duplicates), (3, 2));
        assert_eq!(data.machines.len(), 1);
    }
}
