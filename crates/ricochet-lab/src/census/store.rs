//! The directory of a census: three CSV files that only grow.
//!
//! | file | columns |
//! |---|---|
//! | `histograms.csv` | `layout,x,y,color,shape,distance,states`; the distance `unsolvable` where there are such states |
//! | `hardest.csv` | `layout,x,y,color,shape,distance,position`; the position in one-line notation |
//! | `targets.csv` | `layout,x,y,color,shape,states,unsolvable,max_distance,at_max,listed,mean,seconds` |
//!
//! A target's rows go to the first two files, and when they are safely there its row in
//! `targets.csv` says so. After a kill, rows of targets that are not in `targets.csv` are dropped
//! when the directory is opened again, and their targets are counted again.
//!
//! `states` counts the cells of the robot that has to arrive times the unordered cells of the
//! others; for any-robot targets, unordered cells of all.

use std::collections::HashSet;
use std::fmt::{self, Write as _};
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use ricochet::notation;
use ricochet_solve::tablebase::Survey;
use serde::{Deserialize, Serialize};

use super::tasks::{Key, Member, Task};
use crate::run::machine::Machine;
use crate::run::plan::Shard;
use crate::run::store::{read_json, write_json, write_whole};

const KEY_COLUMNS: &str = "layout,x,y,color,shape";
/// Name and further columns of each file; the last one is written last.
pub(super) const FILES: [(&str, &str); 3] = [
    ("histograms", "distance,states"),
    ("hardest", "distance,position"),
    (
        "targets",
        "states,unsolvable,max_distance,at_max,listed,mean,seconds",
    ),
];

/// What must be equal in all runs of a directory.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Facts {
    pub(super) robots: usize,
    pub(super) hardest: usize,
}

/// All rows of one target.
#[derive(Clone, Debug)]
pub struct Group {
    /// The target.
    pub key: Key,
    /// Rows of each file, whole lines.
    texts: [String; 3],
    longest: Option<u32>,
}

impl Group {
    /// The rows of a target.
    pub(crate) fn of(task: &Task, target: &Member, survey: &Survey) -> Self {
        let key = target.key();
        let histogram = &survey.histogram;
        let longest = histogram.max_distance();
        let mut texts = [String::new(), String::new(), String::new()];
        for (distance, states) in histogram.counts.iter().enumerate() {
            let _ = writeln!(texts[0], "{key},{distance},{states}");
        }
        if histogram.unsolvable > 0 {
            let _ = writeln!(texts[0], "{key},unsolvable,{}", histogram.unsolvable);
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
            let _ = writeln!(texts[1], "{key},{longest_text},{position}");
        }
        let _ = writeln!(
            texts[2],
            "{key},{},{},{longest_text},{},{},{},{:.3}",
            histogram.states(),
            histogram.unsolvable,
            histogram.counts.last().copied().unwrap_or(0),
            positions.len(),
            histogram
                .mean()
                .map(|mean| format!("{mean:.6}"))
                .unwrap_or_default(),
            survey.time.as_secs_f64()
        );
        Self {
            key,
            texts,
            longest,
        }
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Key {
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

/// An open directory.
#[derive(Debug)]
pub struct Store {
    files: Vec<(PathBuf, File)>,
    done: HashSet<Key>,
    /// A write has failed: there may be half a line at the end of a file.
    broken: bool,
}

impl Store {
    /// Opens or makes a directory and drops what an earlier run left incomplete.
    ///
    /// # Errors
    /// If it holds another census, is in use, or cannot be read or written.
    pub fn open(directory: &Path, robots: usize, hardest: usize, shard: Shard) -> Result<Self> {
        fs::create_dir_all(directory)
            .with_context(|| format!("cannot make {}", directory.display()))?;
        let facts = Facts { robots, hardest };
        let facts_path = directory.join("census.json");
        if facts_path.exists() {
            let there: Facts = read_json(&facts_path)?;
            ensure!(
                there == facts,
                "{} holds a census of {} robots with up to {} hardest positions a target, not of \
                 {robots} with up to {hardest}: choose another directory",
                directory.display(),
                there.robots,
                there.hardest
            );
        }
        let suffix = shard.suffix();
        let path_of = |name: &str| directory.join(format!("{name}{suffix}.csv"));
        // Whoever holds the last file holds the directory's shard.
        let lock_path = path_of(FILES[2].0);
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        let lock = options
            .open(&lock_path)
            .with_context(|| format!("cannot open {}", lock_path.display()))?;
        if lock.try_lock().is_err() {
            bail!("{} is in use by another run", lock_path.display());
        }
        write_json(&facts_path, &facts)?;
        let machine = directory.join(format!("machine{suffix}.json"));
        if !machine.exists() {
            write_json(&machine, &Machine::here())?;
        }
        drop_half_line(&lock_path, &lock)?;
        let done: HashSet<Key> = read_rows(&lock_path)?
            .into_iter()
            .map(|(key, _)| key)
            .collect();
        let mut files = Vec::new();
        for (name, columns) in &FILES[..2] {
            let path = path_of(name);
            keep_only(&path, columns, &done)?;
            let file = options
                .open(&path)
                .with_context(|| format!("cannot open {}", path.display()))?;
            files.push((path, file));
        }
        if lock.metadata()?.len() == 0 {
            (&lock).write_all(header(FILES[2].1).as_bytes())?;
        }
        files.push((lock_path, lock));
        Ok(Self {
            files,
            done,
            broken: false,
        })
    }

    /// Whether a target is counted.
    pub fn has(&self, key: &Key) -> bool {
        self.done.contains(key)
    }

    /// How many targets are counted.
    pub fn len(&self) -> usize {
        self.done.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.done.is_empty()
    }

    /// Adds a target.
    ///
    /// # Errors
    /// If it is there already or cannot be written.
    pub fn append(&mut self, group: &Group) -> Result<()> {
        ensure!(!self.has(&group.key), "{} is there already", group.key);
        ensure!(!self.broken, "nothing is added after a failed write");
        self.broken = true;
        for ((path, file), text) in self.files.iter_mut().zip(&group.texts) {
            file.write_all(text.as_bytes())
                .and_then(|()| file.sync_data())
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        self.broken = false;
        self.done.insert(group.key.clone());
        Ok(())
    }
}

pub(super) fn header(columns: &str) -> String {
    format!("{KEY_COLUMNS},{columns}\n")
}

/// Cuts what follows the last line feed.
fn drop_half_line(path: &Path, file: &File) -> Result<()> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let whole = bytes
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |at| at + 1);
    if whole < bytes.len() {
        file.set_len(whole as u64)?;
    }
    Ok(())
}

/// The rows of a file, each with its target; a half-written last line is passed over.
pub(super) fn read_rows(path: &Path) -> Result<Vec<(Key, String)>> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let text = String::from_utf8_lossy(&bytes);
    let whole = text.rfind('\n').map_or("", |at| &text[..at]);
    let mut rows = Vec::new();
    for (number, line) in whole.lines().enumerate() {
        if number == 0 && line.starts_with(KEY_COLUMNS) {
            continue;
        }
        let key = parse_key(line).with_context(|| {
            format!(
                "{}, line {}: expected {KEY_COLUMNS},…",
                path.display(),
                number + 1
            )
        })?;
        rows.push((key, line.to_owned()));
    }
    Ok(rows)
}

fn parse_key(line: &str) -> Option<Key> {
    let mut fields = line.splitn(6, ',');
    let layout = fields.next()?.to_owned();
    let x = fields.next()?.parse().ok()?;
    let y = fields.next()?.parse().ok()?;
    let color = fields.next()?.to_owned();
    let shape = fields.next()?.to_owned();
    fields.next()?;
    Some(Key {
        layout,
        y,
        x,
        color,
        shape,
    })
}

/// Rewrites a file without rows of other targets, if it has any.
fn keep_only(path: &Path, columns: &str, done: &HashSet<Key>) -> Result<()> {
    let mut text = header(columns);
    if path.exists() {
        for (key, line) in read_rows(path)? {
            if done.contains(&key) {
                text += &line;
                text.push('\n');
            }
        }
        if fs::read(path)? == text.as_bytes() {
            return Ok(());
        }
    }
    write_whole(path, &text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::census::contents::{merge, read};
    use crate::census::{Census, Progress, run};
    use ricochet_solve::Limits;
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
                "census.json",
                "histograms.csv",
                "hardest.csv",
                "targets.csv",
            ] {
                let bytes = fs::read(whole.join(name)).unwrap();
                // Rows reach targets.csv last: it has the fewest.
                let keep = match name {
                    "census.json" => bytes.len(),
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
        let changed = fs::read_to_string(merged.join("histograms.csv")).unwrap();
        let changed = changed.replacen(",0,251\n", ",0,252\n", 1);
        fs::write(merged.join("histograms.csv"), changed).unwrap();
        let error = merge(&[whole.clone(), merged], &directory.path().join("no")).unwrap_err();
        assert!(error.to_string().contains("otherwise"), "{error}");
        let three = directory.path().join("three");
        fs::create_dir(&three).unwrap();
        write_json(
            &three.join("census.json"),
            &Facts {
                robots: 3,
                hardest: 5,
            },
        )
        .unwrap();
        assert!(merge(&[whole], &three).is_err());
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
        let mut store = Store::open(directory.path(), 2, 5, Shard::WHOLE).unwrap();
        // Open for reading only: every write fails.
        store.files[1].1 = File::open(directory.path().join("hardest.csv")).unwrap();
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
            let mut group = Group::of(task, &task.targets[0], &survey);
            group.texts[1] = "x\n".to_owned();
            let error = store.append(&group).unwrap_err();
            assert!(error.to_string().contains(expected), "{error:#}");
            assert!(store.is_empty());
        }
    }
}
