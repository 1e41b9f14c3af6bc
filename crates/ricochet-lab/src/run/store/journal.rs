//! CSV files that only grow: a killed process loses at most the line that it was writing.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use csv::StringRecord;

/// An open, locked file to which lines are appended.
#[derive(Debug)]
pub(crate) struct Journal {
    file: File,
    /// Keeps other runs away.
    _lock: File,
    path: PathBuf,
    /// Whether a write has failed, so that the last line may be incomplete.
    broken: bool,
    /// Bytes of an incomplete last line that were cut off.
    pub(crate) repaired: usize,
}

impl Journal {
    /// Opens or creates a file with this header. An incomplete last line is cut off.
    pub(crate) fn open(path: PathBuf, columns: &[&str]) -> Result<Self> {
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .with_context(|| format!("cannot open {}", path.display()))?;
        let Ok(lock) = lock(&file, &path) else {
            bail!("{} is in use by another run", path.display());
        };
        let length = file.metadata()?.len();
        let whole = whole_length(&mut file)?;
        if whole < length {
            file.set_len(whole)?;
        }
        file.seek(SeekFrom::Start(whole))?;
        let mut journal = Self {
            file,
            _lock: lock,
            path,
            broken: false,
            repaired: (length - whole) as usize,
        };
        if whole == 0 {
            journal.append(&line(columns)?)?;
        }
        Ok(journal)
    }

    /// Appends whole lines with one write, so that another process never sees half of them.
    pub(crate) fn append(&mut self, lines: &str) -> Result<()> {
        let path = self.path.display();
        ensure!(
            !self.broken,
            "{path}: nothing is added after a failed write"
        );
        self.broken = true;
        self.file
            .write_all(lines.as_bytes())
            .with_context(|| format!("cannot write {path}"))?;
        self.broken = false;
        Ok(())
    }

    /// Syncs the file to disk.
    pub(crate) fn sync(&mut self) -> Result<()> {
        let path = self.path.display();
        self.file
            .sync_data()
            .with_context(|| format!("cannot write {path}"))
    }

    /// Makes all later writes fail.
    #[cfg(test)]
    pub(crate) fn make_read_only(&mut self) {
        self.file = File::open(&self.path).unwrap();
    }
}

/// Locks a journal until the returned file is closed. On Windows, a locked file can be read only through the
/// handle that locked it, but resuming reads it through others: an empty file next to it is locked instead.
fn lock(file: &File, path: &Path) -> io::Result<File> {
    let lock = if cfg!(windows) {
        let mut name = path.as_os_str().to_owned();
        name.push(".lock");
        let mut options = OpenOptions::new();
        options
            .write(true)
            .create(true)
            .truncate(false)
            .open(name)?
    } else {
        file.try_clone()?
    };
    lock.try_lock()?;
    Ok(lock)
}

/// One line of CSV with its line feed.
pub(crate) fn line<T: AsRef<[u8]>>(fields: impl IntoIterator<Item = T>) -> Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(fields)?;
    Ok(String::from_utf8(writer.into_inner()?)?)
}

/// The length of a file up to its last line feed.
fn whole_length(file: &mut File) -> Result<u64> {
    let mut keep = file.metadata()?.len();
    let mut block = vec![0; 1 << 16];
    // Search backwards: the line feed is nearly always in the last block.
    while keep > 0 {
        let size = keep.min(block.len() as u64);
        file.seek(SeekFrom::Start(keep - size))?;
        let part = &mut block[..size as usize];
        file.read_exact(part)?;
        if let Some(at) = part.iter().rposition(|&byte| byte == b'\n') {
            return Ok(keep - size + at as u64 + 1);
        }
        keep -= size;
    }
    Ok(0)
}

/// Calls `visit` with every record after the header and skips an incomplete last line. Returns the
/// header, which must begin with these columns; it is empty for a file without a complete line.
///
/// # Errors
/// The first invalid line, or the first error of `visit`, with the line number.
pub(crate) fn for_each_record(
    path: &Path,
    columns: &[&str],
    mut visit: impl FnMut(&StringRecord) -> Result<()>,
) -> Result<StringRecord> {
    let cannot_read = || format!("cannot read {}", path.display());
    let mut file = File::open(path).with_context(cannot_read)?;
    let whole = whole_length(&mut file).with_context(cannot_read)?;
    file.seek(SeekFrom::Start(0)).with_context(cannot_read)?;
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .from_reader(BufReader::new(file.take(whole)));
    let mut header = StringRecord::new();
    let mut record = StringRecord::new();
    loop {
        let line = reader.position().line();
        let place = |line: u64| format!("{}, line {line}", path.display());
        if !reader
            .read_record(&mut record)
            .with_context(|| place(line))?
        {
            return Ok(header);
        }
        let line = record.position().map_or(line, csv::Position::line);
        if header.is_empty() {
            if !record
                .iter()
                .take(columns.len())
                .eq(columns.iter().copied())
            {
                bail!(
                    "{}: expected the header '{}'",
                    place(line),
                    columns.join(",")
                );
            }
            header = record.clone();
        } else if record.len() == header.len() {
            visit(&record).with_context(|| place(line))?;
        } else {
            bail!(
                "{}: expected {} fields, found {}",
                place(line),
                header.len(),
                record.len()
            );
        }
    }
}
