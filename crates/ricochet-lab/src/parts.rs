//! Results in parts: one file per shard, each with a manifest, and merging them.
//!
//! A [`Part`] appears once it is complete, followed by its [`Manifest`]. Its contents depend only on
//! the task and the shard, so the shard of a machine that died can be done again anywhere: by a job of
//! a Slurm array, an indexed job of Kubernetes, GNU parallel. [`merge`] checks every part against its
//! manifest and restores the order in which one machine would have written the rows.
//!
//! # What identifies a part
//!
//! The manifest's `task`: the command and all options that affect the rows, written as text by the
//! command. Its wording is data on disk, so it must not contain names of types or fields (no `{:?}`).
//! After an incompatible change of that wording, increase [`FORMAT`]; parts of another format are not
//! continued, but they can still be merged with each other.

use std::collections::{BTreeMap, VecDeque};
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use ricochet_solve::atomic_file::{self, AtomicFile};
use serde::{Deserialize, Serialize};

use crate::shard::Shard;

/// The version of manifests and of the wording of tasks. Manifests without a version, written
/// before the first release, named tasks by their Rust types.
pub const FORMAT: u32 = 1;

/// How the rows of the whole are spread over the parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RowOrder {
    /// Row `k` is the next row of part `k mod n`.
    #[default]
    InTurns,
    /// The rows of the first part come first, then those of the second.
    InSequence,
}

/// The description of a part, written once the part is complete.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The [`FORMAT`] of the program that wrote the part.
    #[serde(default)]
    pub format: u32,
    /// The command and its options, the same for all parts.
    pub task: String,
    /// The shard, such as `2/4`; `1/1` for the whole result.
    pub shard: String,
    /// How its rows are merged with those of the other parts.
    #[serde(default, skip_serializing_if = "is_default")]
    pub order: RowOrder,
    /// The name of the file with the rows.
    pub file: String,
    /// Lines in the file.
    pub rows: u64,
    /// Bytes in the file.
    pub bytes: u64,
    /// CRC-32 of the file.
    pub crc32: u32,
    /// The exit code of the command.
    pub exit_code: u8,
}

impl Manifest {
    fn path(directory: &Path, shard: Shard) -> PathBuf {
        directory.join(format!("part{}.manifest.json", suffix(shard)))
    }

    fn read(path: &Path) -> Result<Self> {
        let text =
            fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        serde_json::from_str(&text)
            .with_context(|| format!("{} is not a manifest of a part", path.display()))
    }

    fn write(&self, path: &Path) -> Result<()> {
        let text = serde_json::to_string_pretty(self)? + "\n";
        Ok(atomic_file::write(path, text)?)
    }

    /// Checks that the part at `path` belongs to a task.
    fn ensure_task(&self, path: &Path, task: &str) -> Result<()> {
        let path = path.display();
        ensure!(
            self.format == FORMAT,
            "{path} was written by another version of ricochet (format {} instead of {FORMAT}): \
             finish its task with that version, or use another directory",
            self.format
        );
        ensure!(
            self.task == task,
            "{path} belongs to another task: {}",
            self.task
        );
        Ok(())
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Unlike [`Shard::suffix`], this is never empty.
fn suffix(shard: Shard) -> String {
    format!(".{}-of-{}", shard.index(), shard.count())
}

/// A part that is being written.
#[derive(Debug)]
pub struct Part {
    file: AtomicFile,
    checksum: crc32fast::Hasher,
    manifest: Manifest,
    manifest_path: PathBuf,
}

impl Part {
    /// Begins the part of a shard in a directory, which is created if it does not exist. The
    /// extension of the file's name says what its lines are. Rows are merged in turns.
    ///
    /// # Errors
    /// If the directory contains parts of another task or is not writable.
    pub fn begin(directory: &Path, task: &str, shard: Shard, extension: &str) -> Result<Self> {
        fs::create_dir_all(directory)
            .with_context(|| format!("cannot create {}", directory.display()))?;
        for manifest in manifests(directory)? {
            let (path, manifest) = manifest?;
            manifest.ensure_task(&path, task)?;
        }
        let name = format!("part{}.{extension}", suffix(shard));
        let path = directory.join(&name);
        let file = AtomicFile::create(&path)?;
        Ok(Self {
            file,
            checksum: crc32fast::Hasher::new(),
            manifest: Manifest {
                format: FORMAT,
                task: task.to_owned(),
                shard: shard.to_string(),
                order: RowOrder::default(),
                file: name,
                rows: 0,
                bytes: 0,
                crc32: 0,
                exit_code: 0,
            },
            manifest_path: Manifest::path(directory, shard),
        })
    }

    /// Sets how the rows are merged with those of the other parts.
    #[must_use]
    pub fn order(mut self, order: RowOrder) -> Self {
        self.manifest.order = order;
        self
    }

    /// Completes the part and then its manifest.
    ///
    /// # Errors
    /// If either cannot be written.
    pub fn finish(mut self, exit_code: u8) -> Result<Manifest> {
        self.manifest.crc32 = self.checksum.finalize();
        self.manifest.exit_code = exit_code;
        self.file.commit()?;
        self.manifest.write(&self.manifest_path)?;
        Ok(self.manifest)
    }
}

impl Write for Part {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        let bytes = &bytes[..written];
        self.checksum.update(bytes);
        self.manifest.bytes += written as u64;
        self.manifest.rows += bytes.split(|&byte| byte == b'\n').count() as u64 - 1;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// The manifest of a part that exists and is complete.
///
/// # Errors
/// If it belongs to another task, or cannot be read.
pub fn completed(directory: &Path, task: &str, shard: Shard) -> Result<Option<Manifest>> {
    let path = Manifest::path(directory, shard);
    if !path.exists() {
        return Ok(None);
    }
    let manifest = Manifest::read(&path)?;
    manifest.ensure_task(&path, task)?;
    let size = fs::metadata(directory.join(&manifest.file)).map(|file| file.len());
    Ok(size
        .is_ok_and(|size| size == manifest.bytes)
        .then_some(manifest))
}

/// The manifests in a directory, with their paths; an unreadable one is an error of its own.
fn manifests(directory: &Path) -> Result<Vec<Result<(PathBuf, Manifest)>>> {
    let list =
        fs::read_dir(directory).with_context(|| format!("cannot read {}", directory.display()))?;
    let mut found = Vec::new();
    for entry in list {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with("part.") && name.ends_with(".manifest.json") {
            found.push(Manifest::read(&path).map(|manifest| (path.clone(), manifest)));
        }
    }
    Ok(found)
}

/// Merges the parts in some directories into one file, in the original order. Returns the manifest of
/// the result, which is written next to it.
///
/// # Errors
/// If parts are missing or damaged, belong to different tasks, or contradict each other.
pub fn merge(directories: &[PathBuf], into: &Path) -> Result<Manifest> {
    let mut parts: BTreeMap<u32, (PathBuf, Manifest)> = BTreeMap::new();
    let mut count = None;
    for directory in directories {
        for found in manifests(directory)? {
            let (path, manifest) = found?;
            let shard: Shard = manifest.shard.parse()?;
            ensure!(
                *count.get_or_insert(shard.count()) == shard.count(),
                "{} is part {shard}, but the first part is one of {}",
                path.display(),
                count.unwrap_or_default()
            );
            if let Some((_, first)) = parts.values().next() {
                ensure!(
                    (first.format, &first.task, first.order)
                        == (manifest.format, &manifest.task, manifest.order),
                    "{} belongs to another task: {}",
                    path.display(),
                    manifest.task
                );
            }
            if let Some((other, same)) = parts.get(&shard.index()) {
                ensure!(
                    *same == manifest,
                    "{} and {} are the same part, but differ",
                    other.display(),
                    path.display()
                );
            }
            parts.insert(shard.index(), (directory.clone(), manifest));
        }
    }
    let count = count.context("there are no parts to merge")?;
    let missing: Vec<String> = (1..=count)
        .filter(|index| !parts.contains_key(index))
        .map(|index| index.to_string())
        .collect();
    ensure!(
        missing.is_empty(),
        "{} of {count} parts are missing: {}",
        missing.len(),
        shortened(&missing)
    );
    let all = || parts.values().map(|(_, manifest)| manifest);
    let first = all().next().expect("there is at least one part");
    let mut readers: Vec<PartReader> = Vec::new();
    for (directory, manifest) in parts.values() {
        readers.push(PartReader::open(directory.join(&manifest.file), manifest)?);
    }
    let mut merged = AtomicFile::create(into)?;
    let mut checksum = crc32fast::Hasher::new();
    let (mut rows, mut bytes) = (0, 0);
    let mut left = true;
    while left {
        left = false;
        for reader in &mut readers {
            while let Some(line) = reader.next_line()? {
                merged.write_all(&line)?;
                checksum.update(&line);
                rows += 1;
                bytes += line.len() as u64;
                if first.order == RowOrder::InTurns {
                    left = true;
                    break;
                }
            }
        }
    }
    merged.commit()?;
    let manifest = Manifest {
        format: first.format,
        task: first.task.clone(),
        shard: Shard::WHOLE.to_string(),
        order: first.order,
        file: into
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
        rows,
        bytes,
        crc32: checksum.finalize(),
        exit_code: all()
            .map(|manifest| manifest.exit_code)
            .max_by_key(|&code| severity(code))
            .unwrap_or(0),
    };
    manifest.write(&PathBuf::from(format!("{}.manifest.json", into.display())))?;
    Ok(manifest)
}

/// The order in which exit codes win when parts are merged: errors, then limits, then answers.
fn severity(code: u8) -> u8 {
    match code {
        2 => 4,
        other => other,
    }
}

fn shortened(list: &[String]) -> String {
    match list {
        [first @ .., _] if first.len() >= 20 => format!("{}, …", list[..20].join(", ")),
        all => all.join(", "),
    }
}

/// Reads a part line by line. Its file is open only during a read, since there may be thousands of
/// parts.
struct PartReader {
    path: PathBuf,
    size: u64,
    offset: u64,
    lines: VecDeque<Vec<u8>>,
}

/// Bytes that are read at once, unless a line is longer.
const CHUNK: u64 = 1 << 18;

impl PartReader {
    /// Opens a part and checks it against its manifest.
    fn open(path: PathBuf, manifest: &Manifest) -> Result<Self> {
        let mut checksum = crc32fast::Hasher::new();
        let file = File::open(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut reader = BufReader::with_capacity(1 << 16, file);
        let mut buffer = [0; 1 << 14];
        let mut bytes = 0;
        loop {
            match reader.read(&mut buffer)? {
                0 => break,
                read => {
                    checksum.update(&buffer[..read]);
                    bytes += read as u64;
                }
            }
        }
        if bytes != manifest.bytes || checksum.finalize() != manifest.crc32 {
            bail!("{} is damaged: run its shard again", path.display());
        }
        Ok(Self {
            path,
            size: bytes,
            offset: 0,
            lines: VecDeque::new(),
        })
    }

    fn next_line(&mut self) -> Result<Option<Vec<u8>>> {
        let mut chunk = CHUNK;
        while self.lines.is_empty() && self.offset < self.size {
            let mut file = File::open(&self.path)?;
            file.seek(SeekFrom::Start(self.offset))?;
            let mut text = Vec::new();
            file.take(chunk).read_to_end(&mut text)?;
            ensure!(!text.is_empty(), "{} shrank", self.path.display());
            let whole = if self.offset + text.len() as u64 == self.size {
                text.len()
            } else {
                text.iter()
                    .rposition(|&byte| byte == b'\n')
                    .map_or(0, |end| end + 1)
            };
            for line in text[..whole].split_inclusive(|&byte| byte == b'\n') {
                self.lines.push_back(line.to_vec());
            }
            self.offset += whole as u64;
            chunk *= 2;
        }
        Ok(self.lines.pop_front())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(directory: &Path, shard: &str, rows: &[&str]) -> Manifest {
        let mut part = Part::begin(directory, "count", shard.parse().unwrap(), "jsonl").unwrap();
        for row in rows {
            writeln!(part, "{row}").unwrap();
        }
        part.finish(0).unwrap()
    }

    #[test]
    fn parts_are_merged_in_the_original_order() {
        let here = tempfile::tempdir().unwrap();
        let (a, b) = (here.path().join("a"), here.path().join("b"));
        part(&a, "1/3", &["0", "3", "6"]);
        part(&b, "2/3", &["1", "4"]);
        let into = here.path().join("all.jsonl");
        let missing = merge(&[a.clone(), b.clone()], &into)
            .unwrap_err()
            .to_string();
        assert_eq!(missing, "1 of 3 parts are missing: 3");
        part(&a, "3/3", &["2", "5"]);
        let merged = merge(&[a.clone(), b.clone()], &into).unwrap();
        assert_eq!(fs::read_to_string(&into).unwrap(), "0\n1\n2\n3\n4\n5\n6\n");
        assert_eq!((merged.rows, merged.shard.as_str()), (7, "1/1"));
        // The same part twice is the same part.
        part(&b, "1/3", &["0", "3", "6"]);
        assert_eq!(merge(&[a.clone(), b.clone()], &into).unwrap().rows, 7);
        part(&b, "1/3", &["0", "3", "7"]);
        assert!(
            merge(&[a, b], &into)
                .unwrap_err()
                .to_string()
                .contains("differ")
        );
    }

    #[test]
    fn parts_in_sequence_are_merged_one_after_the_other() {
        let here = tempfile::tempdir().unwrap();
        for (shard, rows) in [("1/3", "0\n1\n2\n"), ("2/3", ""), ("3/3", "3\n")] {
            let part = Part::begin(here.path(), "count", shard.parse().unwrap(), "txt").unwrap();
            let mut part = part.order(RowOrder::InSequence);
            part.write_all(rows.as_bytes()).unwrap();
            part.finish(0).unwrap();
        }
        let into = here.path().join("all.txt");
        assert_eq!(merge(&[here.path().to_owned()], &into).unwrap().rows, 4);
        assert_eq!(fs::read_to_string(&into).unwrap(), "0\n1\n2\n3\n");
    }

    #[test]
    fn complete_parts_are_kept_and_damaged_ones_are_not_merged() {
        let here = tempfile::tempdir().unwrap();
        let shard: Shard = "1/1".parse().unwrap();
        assert_eq!(completed(here.path(), "count", shard).unwrap(), None);
        let begun = Part::begin(here.path(), "count", shard, "jsonl").unwrap();
        drop(begun);
        assert_eq!(
            completed(here.path(), "count", shard).unwrap(),
            None,
            "a run that was killed"
        );
        let manifest = part(here.path(), "1/1", &["0", "1"]);
        assert_eq!(
            completed(here.path(), "count", shard).unwrap(),
            Some(manifest.clone())
        );
        assert!(completed(here.path(), "other", shard).is_err());
        assert!(Part::begin(here.path(), "other", shard, "jsonl").is_err());
        fs::write(here.path().join(&manifest.file), "0\n2\n").unwrap();
        let error = merge(&[here.path().to_owned()], &here.path().join("x")).unwrap_err();
        assert!(error.to_string().contains("damaged"), "{error}");
        fs::write(here.path().join(&manifest.file), "0\n").unwrap();
        assert_eq!(completed(here.path(), "count", shard).unwrap(), None);
    }

    #[test]
    fn parts_of_another_format_are_not_continued_but_merged() {
        let here = tempfile::tempdir().unwrap();
        let old = r#"{
  "task": "solve p.txt with flagship, LimitArgs { time_limit: None }",
  "shard": "1/1",
  "file": "part.1-of-1.jsonl",
  "rows": 1,
  "bytes": 2,
  "crc32": 1733426259,
  "exit_code": 0
}"#;
        fs::write(here.path().join("part.1-of-1.manifest.json"), old).unwrap();
        fs::write(here.path().join("part.1-of-1.jsonl"), "1\n").unwrap();
        for error in [
            completed(here.path(), "solve", Shard::WHOLE).unwrap_err(),
            Part::begin(here.path(), "solve", Shard::WHOLE, "jsonl").unwrap_err(),
        ] {
            let text = error.to_string();
            assert!(text.contains("another version of ricochet"), "{text}");
            assert!(text.contains("use another directory"), "{text}");
        }
        let into = here.path().join("all.jsonl");
        let merged = merge(&[here.path().to_owned()], &into).unwrap();
        assert_eq!((merged.format, merged.rows), (0, 1));
    }

    /// Parts on disk are recognised by this text.
    #[test]
    fn the_manifest_is_pinned() {
        let here = tempfile::tempdir().unwrap();
        part(here.path(), "2/3", &["1", "4"]);
        let text = fs::read_to_string(here.path().join("part.2-of-3.manifest.json")).unwrap();
        let expected = r#"{
  "format": 1,
  "task": "count",
  "shard": "2/3",
  "file": "part.2-of-3.jsonl",
  "rows": 2,
  "bytes": 4,
  "crc32": CRC,
  "exit_code": 0
}
"#;
        let crc = crc32fast::hash(b"1\n4\n").to_string();
        assert_eq!(text, expected.replace("CRC", &crc));
    }

    #[test]
    fn lines_longer_than_a_chunk_stay_whole() {
        let here = tempfile::tempdir().unwrap();
        let long = "x".repeat(3 * CHUNK as usize);
        part(here.path(), "1/2", &[&long, "a"]);
        part(here.path(), "2/2", &["b"]);
        let into = here.path().join("all");
        merge(&[here.path().to_owned()], &into).unwrap();
        assert_eq!(fs::read_to_string(into).unwrap(), format!("{long}\nb\na\n"));
    }
}
