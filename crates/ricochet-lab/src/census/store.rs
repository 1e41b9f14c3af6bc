//! The directory of a census: three CSV files that only grow, and `experiment.json`.
//!
//! | file | columns |
//! |---|---|
//! | `histograms.csv` | `layout,x,y,color,shape,distance,states`; the distance is `unsolvable` for states without a solution |
//! | `hardest.csv` | `layout,x,y,color,shape,distance,position`; the position in one-line notation |
//! | `targets.csv` | `layout,x,y,color,shape,states,unsolvable,max_distance,at_max,listed,mean,seconds` |
//!
//! A target's rows are written to the first two files and synced before its row is added to
//! `targets.csv`. A target counts as done only if all three files agree on it
//! (`census::shard_files`). When a directory is opened again, rows of other targets are dropped, and
//! these targets are counted again.
//!
//! `states` is the number of cells of the robot that has to arrive, times the number of unordered
//! placements of the others; for any-robot targets, the number of unordered placements of all robots.

use std::collections::HashSet;
use std::fmt;
use std::io::Write;
use std::path::Path;

use anyhow::{Result, ensure};
use ricochet_core::notation;
use ricochet_solve::atomic_file::AtomicFile;
use ricochet_solve::tablebase::Survey;

use super::shard_files::{self, ShardFiles};
use super::tasks::{TargetImage, TargetKey, Task};
use crate::run::machine::Machine;
use crate::run::store::{self, Experiment, write_json};
use crate::run::{Journal, for_each_record, line};
use crate::shard::Shard;

const KIND: &str = "census";

/// The parameters that all runs of a directory share.
fn experiment(robots: usize, hardest: usize) -> Experiment {
    Experiment::new(KIND)
        .with("robots", robots.to_string())
        .with("hardest positions of a target", hardest.to_string())
}

/// The experiment of a census directory.
///
/// # Errors
/// If the directory does not contain a census.
pub(super) fn read_experiment(directory: &Path) -> Result<Experiment> {
    let there = Experiment::read(directory)?;
    ensure!(
        there.kind == KIND,
        "{} contains '{}', not a census",
        directory.display(),
        there.kind
    );
    Ok(there)
}

/// Whether a directory contains a census.
pub fn is_census(directory: &Path) -> bool {
    read_experiment(directory).is_ok()
}

/// All rows of one target.
#[derive(Clone, Debug)]
pub struct TargetRows {
    /// The target.
    pub key: TargetKey,
    /// The rows for each file, as lines.
    texts: [String; 3],
    longest: Option<u32>,
}

impl TargetRows {
    /// The rows of a target.
    pub(crate) fn of(task: &Task, target: &TargetImage, survey: &Survey) -> Result<Self> {
        let key = target.key();
        let row = |more: &[&str]| {
            line(
                key.fields()
                    .iter()
                    .map(String::as_str)
                    .chain(more.iter().copied()),
            )
        };
        let histogram = &survey.histogram;
        let longest = histogram.max_distance();
        let mut texts = [String::new(), String::new(), String::new()];
        for (distance, states) in histogram.counts.iter().enumerate() {
            texts[0] += &row(&[&distance.to_string(), &states.to_string()])?;
        }
        let unsolvable = histogram.unsolvable.to_string();
        if histogram.unsolvable > 0 {
            texts[0] += &row(&[shard_files::UNSOLVABLE, &unsolvable])?;
        }
        let longest_text = longest.map(|d| d.to_string()).unwrap_or_default();
        let mut positions: Vec<String> = survey
            .hardest
            .iter()
            .filter_map(|state| target.puzzle(task, state).ok())
            .map(|puzzle| notation::to_line(&puzzle))
            .collect();
        positions.sort();
        for position in &positions {
            texts[1] += &row(&[&longest_text, position])?;
        }
        let mean = histogram.mean().map(|mean| format!("{mean:.6}"));
        texts[2] = row(&[
            &histogram.states().to_string(),
            &unsolvable,
            &longest_text,
            &histogram.counts.last().copied().unwrap_or(0).to_string(),
            &positions.len().to_string(),
            &mean.unwrap_or_default(),
            &format!("{:.3}", survey.time.as_secs_f64()),
        ])?;
        Ok(Self {
            key,
            texts,
            longest,
        })
    }
}

impl fmt::Display for TargetRows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TargetKey {
            layout,
            x,
            y,
            color,
            shape,
        } = &self.key;
        write!(f, "{layout} {color} {shape} ({x},{y}): ")?;
        match self.longest {
            Some(longest) => write!(f, "up to {longest} moves"),
            None => f.write_str("no state is solvable"),
        }
    }
}

/// An open census directory.
#[derive(Debug)]
pub struct CensusStore {
    /// In the order of [`shard_files::FILES`].
    journals: [Journal; 3],
    done: HashSet<TargetKey>,
}

impl CensusStore {
    /// Opens or creates a directory and drops the incomplete targets of an earlier run.
    ///
    /// # Errors
    /// If it contains something else, is in use, or cannot be read or written.
    pub fn open(directory: &Path, robots: usize, hardest: usize, shard: Shard) -> Result<Self> {
        let experiment = experiment(robots, hardest);
        if let Ok(there) = read_experiment(directory) {
            store::ensure_compatible(directory, &there, &experiment)?;
        }
        store::create_or_check_experiment(directory, &experiment)?;
        let suffix = shard.suffix();
        // Counts are the same on every machine, so a census may move to another one.
        let machine = directory.join(format!("machine{suffix}.json"));
        if !machine.exists() {
            write_json(&machine, &Machine::detect())?;
        }
        let path_of = |file: usize| shard_files::path(directory, file, &suffix);
        let open = |file: usize| Journal::open(path_of(file), &shard_files::columns(file));
        // The lock on the last file protects the whole shard.
        let mut last = Some(open(2)?);
        let done = ShardFiles::read(directory, &suffix)?.complete();
        for file in 0..2 {
            keep_only(&path_of(file), file, &done)?;
        }
        // On Windows, an open file cannot be replaced. A run that takes the lock meanwhile makes this one fail.
        if cfg!(windows) {
            last = None;
        }
        let replaced = keep_only(&path_of(2), 2, &done)?;
        let last = match last {
            Some(last) if !replaced => last,
            // The new file is locked before the old one is released.
            old => {
                let new = open(2)?;
                drop(old);
                new
            }
        };
        Ok(Self {
            journals: [open(0)?, open(1)?, last],
            done,
        })
    }

    /// Whether a target is counted.
    pub fn has(&self, key: &TargetKey) -> bool {
        self.done.contains(key)
    }

    /// The number of targets that are counted.
    pub fn len(&self) -> usize {
        self.done.len()
    }

    /// Whether no target is counted.
    pub fn is_empty(&self) -> bool {
        self.done.is_empty()
    }

    /// Adds the rows of a target.
    ///
    /// # Errors
    /// If the target is counted already, or the rows cannot be written.
    pub fn append(&mut self, group: &TargetRows) -> Result<()> {
        ensure!(!self.has(&group.key), "{} is counted already", group.key);
        for (journal, text) in self.journals.iter_mut().zip(&group.texts) {
            journal.append(text)?;
            journal.sync()?;
        }
        self.done.insert(group.key.clone());
        Ok(())
    }
}

/// Rewrites a file without rows of other targets, if it has any. Returns whether it was rewritten.
fn keep_only(path: &Path, file: usize, done: &HashSet<TargetKey>) -> Result<bool> {
    if !path.exists() {
        return Ok(false);
    }
    let mut others = 0u64;
    let columns = shard_files::columns(file);
    for_each_record(path, &columns, |record| {
        others += u64::from(!done.contains(&TargetKey::from_record(record)?));
        Ok(())
    })?;
    if others == 0 {
        return Ok(false);
    }
    let mut kept = AtomicFile::create(path)?;
    kept.write_all(line(&columns)?.as_bytes())?;
    for_each_record(path, &columns, |record| {
        if done.contains(&TargetKey::from_record(record)?) {
            kept.write_all(line(record)?.as_bytes())?;
        }
        Ok(())
    })?;
    kept.commit()?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::census::contents::{merge, read};
    use crate::census::{Census, Progress, run};
    use ricochet_solve::Limits;
    use std::fs;
    use std::sync::Mutex;

    fn small(shard: &str) -> Census {
        Census {
            layouts: vec!["1A 4B 3B 2B".parse().unwrap()],
            robots: 2,
            shard: shard.parse().unwrap(),
            jobs: 2,
            hardest: 5,
            limits: Limits::default(),
        }
    }

    fn sorted_lines(path: &Path) -> Vec<String> {
        let mut lines: Vec<String> = fs::read_to_string(path)
            .unwrap()
            .lines()
            .map(|line| match path.file_stem().unwrap().to_str() {
                // Times differ.
                Some("targets") => line.rsplit_once(',').unwrap().0.to_owned(),
                _ => line.to_owned(),
            })
            .collect();
        lines.sort();
        lines
    }

    #[test]
    fn a_killed_census_continues_without_loss_and_shards_merge() {
        let directory = tempfile::tempdir().unwrap();
        let whole = directory.path().join("whole");
        let ended = run(&small("1/1"), &whole, &|_| ()).unwrap();
        assert_eq!((ended.done, ended.all), (17, 17));
        let histograms = fs::read_to_string(whole.join("histograms.csv")).unwrap();
        assert!(histograms.starts_with("layout,x,y,color,shape,distance,states\n"));
        let states: u64 = histograms
            .lines()
            .skip(1)
            .map(|line| line.rsplit_once(',').unwrap().1.parse::<u64>().unwrap())
            .sum();
        // 16 coloured targets, and one for any robot, where the order of the two does not count.
        assert_eq!(states, 16 * 252 * 251 + 252 * 251 / 2);
        for line in fs::read_to_string(whole.join("hardest.csv"))
            .unwrap()
            .lines()
            .skip(1)
        {
            let position = line.rsplit_once(',').unwrap().1;
            assert!(
                notation::parse_line(position).unwrap().validate().is_ok(),
                "{position}"
            );
        }

        // Cut all three files at many places, as a kill may, and run again.
        let cut_copy = directory.path().join("cut");
        for part in 0..6 {
            fs::create_dir_all(&cut_copy).unwrap();
            for name in [
                "experiment.json",
                "histograms.csv",
                "hardest.csv",
                "targets.csv",
            ] {
                let bytes = fs::read(whole.join(name)).unwrap();
                // Rows reach targets.csv last: it has the fewest.
                let keep = match name {
                    "experiment.json" => bytes.len(),
                    "targets.csv" => bytes.len() * part / 8,
                    _ => bytes.len() * (part + 1) / 8 + bytes.len() / 50,
                };
                fs::write(cut_copy.join(name), &bytes[..keep]).unwrap();
            }
            let ended = run(&small("1/1"), &cut_copy, &|_| ()).unwrap();
            assert_eq!(ended.done, 17);
            for name in ["histograms.csv", "hardest.csv", "targets.csv"] {
                assert_eq!(
                    sorted_lines(&cut_copy.join(name)),
                    sorted_lines(&whole.join(name)),
                    "{name} after a cut at {part}/8"
                );
            }
        }

        let parts = directory.path().join("parts");
        for shard in ["1/3", "3/3", "2/3"] {
            run(&small(shard), &parts, &|_| ()).unwrap();
        }
        let merged = directory.path().join("merged");
        assert_eq!(merge(&[parts, whole.clone()], &merged).unwrap(), 17);
        for name in ["histograms.csv", "hardest.csv", "targets.csv"] {
            assert_eq!(
                sorted_lines(&merged.join(name)),
                sorted_lines(&whole.join(name)),
                "{name}"
            );
        }
        let contents = read(&merged).unwrap();
        assert_eq!(contents.targets.len(), 17);
        assert!(
            contents
                .targets
                .values()
                .all(|t| t.states() % (252 * 251 / 2) == 0)
        );
        let text = crate::report::document(&merged).unwrap().to_markdown();
        assert!(text.contains("1A 4B 3B 2B"), "{text}");
        assert!(text.contains("17 targets on 1 layout,"), "{text}");
        assert!(text.contains("a part: the edition of 1999"), "{text}");
        assert!(!text.contains("forum"), "that is about four robots: {text}");
        // Another census does not mix with it.
        let other = Census {
            robots: 3,
            ..small("1/1")
        };
        assert!(run(&other, &whole, &|_| ()).is_err());
        // Nor do counts that contradict each other, nor a directory that holds something else.
        let text = fs::read_to_string(merged.join("histograms.csv")).unwrap();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        // One state moves from the second distance to the first, so that the sum stays right.
        for (number, change) in [(1, 1), (2, -1)] {
            let (key, states) = lines[number].rsplit_once(',').unwrap();
            let states = states.parse::<i64>().unwrap() + change;
            lines[number] = format!("{key},{states}");
        }
        fs::write(merged.join("histograms.csv"), lines.join("\n") + "\n").unwrap();
        let error = merge(&[whole.clone(), merged], &directory.path().join("no")).unwrap_err();
        assert!(error.to_string().contains("disagree"), "{error}");
        let three = directory.path().join("three");
        fs::create_dir(&three).unwrap();
        write_json(&three.join("experiment.json"), &experiment(3, 5)).unwrap();
        assert!(merge(&[whole], &three).is_err());
    }

    #[test]
    fn a_target_is_counted_only_if_all_files_say_so() {
        type Damage = Box<dyn Fn(String) -> String>;
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path();
        let one_robot = Census {
            robots: 1,
            ..small("1/1")
        };
        run(&one_robot, path, &|_| ()).unwrap();
        let names = ["histograms.csv", "hardest.csv", "targets.csv"];
        let whole = names.map(|name| sorted_lines(&path.join(name)));
        let without_line = |number: usize| {
            move |text: String| {
                let lines = text.lines().enumerate().filter(|(i, _)| *i != number);
                let lines: Vec<&str> = lines.map(|(_, line)| line).collect();
                lines.join("\n") + "\n"
            }
        };
        let changed = |text: String| text.replacen(",1,", ",2,", 1);
        let damages: [(&str, Damage); 5] = [
            ("histograms.csv", Box::new(without_line(3))),
            ("hardest.csv", Box::new(without_line(2))),
            ("targets.csv", Box::new(without_line(4))),
            ("histograms.csv", Box::new(changed)),
            ("histograms.csv", Box::new(|_| String::new())),
        ];
        for (number, (name, damage)) in damages.into_iter().enumerate() {
            let file = path.join(name);
            let text = fs::read_to_string(&file).unwrap();
            let damaged = damage(text.clone());
            assert_ne!(damaged, text, "damage {number}");
            fs::write(&file, damaged).unwrap();
            assert!(read(path).unwrap().targets.len() < 17, "damage {number}");
            let ended = run(&one_robot, path, &|_| ()).unwrap();
            assert_eq!(ended.done, 17);
            let again = names.map(|name| sorted_lines(&path.join(name)));
            assert_eq!(again, whole, "damage {number}");
        }
        for name in &names[..2] {
            fs::remove_file(path.join(name)).unwrap();
            run(&one_robot, path, &|_| ()).unwrap();
            let again = names.map(|name| sorted_lines(&path.join(name)));
            assert_eq!(again, whole, "{name} was deleted");
        }
    }

    #[test]
    fn targets_of_other_layouts_are_not_counted_as_done() {
        let directory = tempfile::tempdir().unwrap();
        let one_robot = |layout: &str| Census {
            layouts: vec![layout.parse().unwrap()],
            robots: 1,
            ..small("1/1")
        };
        let ended = run(&one_robot("1A 4B 3B 2B"), directory.path(), &|_| ()).unwrap();
        assert_eq!((ended.done, ended.all), (17, 17));
        // Stopped before it begins: nothing of this layout is done.
        let other = one_robot("1A 2A 3A 4A");
        let stop = ricochet_solve::CancelToken::default();
        stop.cancel();
        let stopped = Census {
            limits: Limits {
                cancel: Some(stop),
                ..Limits::default()
            },
            ..other.clone()
        };
        let ended = run(&stopped, directory.path(), &|_| ()).unwrap();
        assert_eq!((ended.done, ended.all), (0, 17));
        let most = Mutex::new(0);
        let watch = |progress: &Progress| *most.lock().unwrap() = progress.done;
        let ended = run(&other, directory.path(), &watch).unwrap();
        assert_eq!((ended.done, ended.all), (17, 17));
        assert_eq!(*most.lock().unwrap(), 17);
    }

    #[test]
    fn nothing_is_added_after_a_failed_write() {
        let directory = tempfile::tempdir().unwrap();
        let census = small("1/1");
        let all_tasks = crate::census::tasks::tasks(&census.layouts, census.robots).unwrap();
        let mut store = CensusStore::open(directory.path(), 2, 5, Shard::WHOLE).unwrap();
        store.journals[1].make_read_only();
        let survey = Survey {
            histogram: ricochet_solve::tablebase::Histogram {
                counts: vec![1],
                unsolvable: 0,
            },
            hardest: Vec::new(),
            time: std::time::Duration::ZERO,
        };
        for (number, expected) in ["cannot write", "after a failed write"].iter().enumerate() {
            let task = &all_tasks[number];
            let mut group = TargetRows::of(task, &task.targets[0], &survey).unwrap();
            group.texts[1] = "x\n".to_owned();
            let error = store.append(&group).unwrap_err();
            assert!(error.to_string().contains(expected), "{error:#}");
            assert!(store.is_empty());
        }
    }
}
