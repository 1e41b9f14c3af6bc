//! Results in parts: one file a shard, each with a manifest, and the way to put them together.
//!
//! A [`Part`] is written under a temporary name and renamed when it is whole; its [`Manifest`] follows
//! and says that it is. A part is a function of its task and its shard's number, so a machine that died
//! in the middle leaves nothing behind, and its shard can be done again anywhere: by a job of a Slurm
//! array, an indexed job of Kubernetes, GNU parallel. [`merge`] checks that every part is there and is
//! what its manifest says, and restores the order that one machine would have written.

use std::collections::{BTreeMap, VecDeque};
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use ricochet_solve::atomic_file::{self, AtomicFile};
use serde::{Deserialize, Serialize};

use crate::run::plan::Shard;

/// What a part is, and that it is whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// What all parts have in common: the command and what it was asked.
    pub task: String,
    /// Which part, such as `2/4`; `1/1` for all of it.
    pub shard: String,
    /// The name of its file.
    pub file: String,
    /// Its lines.
    pub rows: u64,
    /// Its bytes.
    pub bytes: u64,
    /// The checksum of its bytes.
    pub crc32: u32,
    /// How the command ended.
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
}

/// Also the only shard has a number in its name.
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
    /// Begins the part of a shard in a directory, which is made if need be.
    ///
    /// # Errors
    /// If the directory holds parts of another task or cannot be written.
    pub fn begin(directory: &Path, task: &str, shard: Shard) -> Result<Self> {
        fs::create_dir_all(directory)
            .with_context(|| format!("cannot make {}", directory.display()))?;
        for manifest in manifests(directory)? {
            let (path, there) = manifest?;
            ensure!(
                there.task == task,
                "{} is of another task than this one: {}",
                path.display(),
                there.task
            );
        }
        let name = format!("part{}.jsonl", suffix(shard));
        let path = directory.join(&name);
        let file = AtomicFile::create(&path)?;
        Ok(Self {
            file,
            checksum: crc32fast::Hasher::new(),
            manifest: Manifest {
                task: task.to_owned(),
                shard: shard.to_string(),
                file: name,
                rows: 0,
                bytes: 0,
                crc32: 0,
                exit_code: 0,
            },
            manifest_path: Manifest::path(directory, shard),
        })
    }

    /// Gives the part its name, and then its manifest.
    ///
    /// # Errors
    /// If one of them cannot be written.
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

/// The manifest of a part that is there already and is whole.
///
/// # Errors
/// If it is of another task, or cannot be read.
pub fn done(directory: &Path, task: &str, shard: Shard) -> Result<Option<Manifest>> {
    let path = Manifest::path(directory, shard);
    if !path.exists() {
        return Ok(None);
    }
    let manifest = Manifest::read(&path)?;
    ensure!(
        manifest.task == task,
        "{} is of another task than this one: {}",
        path.display(),
        manifest.task
    );
    let size = fs::metadata(directory.join(&manifest.file)).map(|file| file.len());
    Ok(size
        .is_ok_and(|size| size == manifest.bytes)
        .then_some(manifest))
}

type Found = Result<(PathBuf, Manifest)>;

fn manifests(directory: &Path) -> Result<Vec<Found>> {
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

/// Whether a directory holds parts.
pub fn has_parts(directory: &Path) -> bool {
    manifests(directory).is_ok_and(|found| !found.is_empty())
}

/// Puts the parts of some directories together, in the order of the whole: row `k` is the next one of
/// part `k mod n`. Returns the manifest of the result, which is written beside it.
///
/// # Errors
/// If parts are missing, damaged, of different tasks, or differ where they should be the same.
pub fn merge(directories: &[PathBuf], into: &Path) -> Result<Manifest> {
    let mut parts: BTreeMap<u32, (PathBuf, Manifest)> = BTreeMap::new();
    let mut count = None;
    for directory in directories {
        for found in manifests(directory)? {
            let (path, manifest) = found?;
            let shard: Shard = manifest.shard.parse()?;
            ensure!(
                *count.get_or_insert(shard.count()) == shard.count(),
                "{} is part {shard}, but the first one is of {}",
                path.display(),
                count.unwrap_or_default()
            );
            if let Some((_, first)) = parts.values().next() {
                ensure!(
                    first.task == manifest.task,
                    "{} is of another task: {}",
                    path.display(),
                    manifest.task
                );
            }
            if let Some((other, same)) = parts.get(&shard.index()) {
                ensure!(
                    *same == manifest,
                    "{} and {} are the same part and differ",
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
            if let Some(line) = reader.next_line()? {
                merged.write_all(&line)?;
                checksum.update(&line);
                rows += 1;
                bytes += line.len() as u64;
                left = true;
            }
        }
    }
    merged.commit()?;
    let all = || parts.values().map(|(_, manifest)| manifest);
    let manifest = Manifest {
        task: all().next().expect("there is one").task.clone(),
        shard: Shard::WHOLE.to_string(),
        file: into
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
        rows,
        bytes,
        crc32: checksum.finalize(),
        exit_code: all()
            .map(|it| it.exit_code)
            .max_by_key(|&code| weight(code))
            .unwrap_or(0),
    };
    let beside = PathBuf::from(format!("{}.manifest.json", into.display()));
    manifest.write(&beside)?;
    Ok(manifest)
}

/// Errors count more than limits, and limits more than answers, as for a batch.
fn weight(code: u8) -> u8 {
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

/// The lines of a part. It is open only while it is read, since there may be thousands.
struct PartReader {
    path: PathBuf,
    at: u64,
    lines: VecDeque<Vec<u8>>,
    size: u64,
}

/// So much of a part is read at once; a longer line is read as a whole.
const CHUNK: u64 = 1 << 18;

impl PartReader {
    /// Checks that the file is what its manifest says.
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
            bail!("{} is damaged: do its shard again", path.display());
        }
        Ok(Self {
            path,
            at: 0,
            lines: VecDeque::new(),
            size: bytes,
        })
    }

    fn next_line(&mut self) -> Result<Option<Vec<u8>>> {
        let mut chunk = CHUNK;
        while self.lines.is_empty() && self.at < self.size {
            let mut file = File::open(&self.path)?;
            file.seek(SeekFrom::Start(self.at))?;
            let mut text = Vec::new();
            file.take(chunk).read_to_end(&mut text)?;
            ensure!(!text.is_empty(), "{} became shorter", self.path.display());
            let whole = if self.at + text.len() as u64 == self.size {
                text.len()
            } else {
                text.iter()
                    .rposition(|&byte| byte == b'\n')
                    .map_or(0, |end| end + 1)
            };
            for line in text[..whole].split_inclusive(|&byte| byte == b'\n') {
                self.lines.push_back(line.to_vec());
            }
            self.at += whole as u64;
            chunk *= 2;
        }
        Ok(self.lines.pop_front())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(directory: &Path, shard: &str, rows: &[&str]) -> Manifest {
        let mut part = Part::begin(directory, "count", shard.parse().unwrap()).unwrap();
        for row in rows {
            writeln!(part, "{row}").unwrap();
        }
        part.finish(0).unwrap()
    }

    #[test]
    fn parts_are_put_together_in_the_order_of_the_whole() {
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
    fn a_part_that_is_there_is_known_and_a_damaged_one_is_not_merged() {
        let here = tempfile::tempdir().unwrap();
        let shard: Shard = "1/1".parse().unwrap();
        assert_eq!(done(here.path(), "count", shard).unwrap(), None);
        let begun = Part::begin(here.path(), "count", shard).unwrap();
        drop(begun);
        assert_eq!(
            done(here.path(), "count", shard).unwrap(),
            None,
            "a run that was killed"
        );
        let manifest = part(here.path(), "1/1", &["0", "1"]);
        assert_eq!(
            done(here.path(), "count", shard).unwrap(),
            Some(manifest.clone())
        );
        assert!(done(here.path(), "other", shard).is_err());
        assert!(Part::begin(here.path(), "other", shard).is_err());
        fs::write(here.path().join(&manifest.file), "0\n2\n").unwrap();
        let error = merge(&[here.path().to_owned()], &here.path().join("x")).unwrap_err();
        assert!(error.to_string().contains("damaged"), "{error}");
        fs::write(here.path().join(&manifest.file), "0\n").unwrap();
        assert_eq!(done(here.path(), "count", shard).unwrap(), None);
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
