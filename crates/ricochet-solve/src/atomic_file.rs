//! Files that are written completely or not at all.
//!
//! Tablebases, the lab's reports and parts, and whatever the command line writes to a named file go
//! through here; only journals, which grow row by row, do not. The module is in this crate because
//! it is the lowest one that writes files: `ricochet-core` only reads and writes text.

use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile, TempPath};

/// A file that appears under its name once it is complete.
///
/// The contents go to a temporary file in the same directory, which [`AtomicFile::commit`] syncs and
/// renames. The temporary name is random and hidden, so concurrent writers do not interfere, a
/// planted symbolic link is not followed, and a command that reads the directory does not read its
/// own output. Dropping the value without committing it removes the temporary file. A killed process
/// leaves it behind; the next writer of the same file removes it (a file that is still being written
/// is locked).
///
/// A file that is replaced passes on its permissions. A symbolic link is replaced, not followed.
/// Errors name the file that was asked for.
///
/// ```
/// use std::io::Write;
/// use ricochet_solve::atomic_file::AtomicFile;
///
/// let directory = tempfile::tempdir()?;
/// let path = directory.path().join("answer.txt");
/// let mut file = AtomicFile::create(&path)?;
/// file.write_all(b"forty-two")?;
/// assert!(!path.exists());
/// file.commit()?;
/// assert_eq!(std::fs::read(&path)?, b"forty-two");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct AtomicFile {
    path: PathBuf,
    out: BufWriter<File>,
    /// `None` for a device or a pipe, which is written directly.
    temporary: Option<TempPath>,
}

impl AtomicFile {
    /// Starts a file. Whatever has its name stays there until [`AtomicFile::commit`].
    ///
    /// # Errors
    /// If the directory is not writable, or the name belongs to a directory, a device or a pipe.
    pub fn create(path: impl AsRef<Path>) -> io::Result<Self> {
        Self::named(path.as_ref(), |path| {
            refuse_special(path)?;
            Self::create_temporary(path)
        })
    }

    /// Starts a file that may be a device or a pipe, such as `/dev/stdout`. These are written
    /// directly, without waiting for [`AtomicFile::commit`].
    ///
    /// # Errors
    /// If the directory or the device is not writable, or the name belongs to a directory.
    pub fn create_or_open_device(path: impl AsRef<Path>) -> io::Result<Self> {
        Self::named(path.as_ref(), |path| {
            if is_special(path) {
                return Ok((File::options().write(true).open(path)?, None));
            }
            Self::create_temporary(path)
        })
    }

    fn named(
        path: &Path,
        open: impl FnOnce(&Path) -> io::Result<(File, Option<TempPath>)>,
    ) -> io::Result<Self> {
        let (file, temporary) = open(path).map_err(|error| WriteError::at(path, error))?;
        Ok(Self {
            path: path.to_owned(),
            out: BufWriter::new(file),
            temporary,
        })
    }

    fn create_temporary(path: &Path) -> io::Result<(File, Option<TempPath>)> {
        let name = match path.file_name() {
            Some(name) if !path.is_dir() => name,
            _ => return Err(io::ErrorKind::IsADirectory.into()),
        };
        let directory = directory_of(path);
        if !directory.is_dir() {
            let text = format!("there is no directory {}", directory.display());
            return Err(io::Error::new(io::ErrorKind::NotFound, text));
        }
        remove_stale(path);
        let mut builder = Builder::new();
        let prefix = temporary_prefix(name);
        builder.prefix(&prefix).suffix(".tmp").rand_bytes(RANDOM);
        // The mode of any new file, to which the user's mask applies.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let created = builder.tempfile_in(directory).map_err(without_path)?;
        let (file, temporary) = created.into_parts();
        // A filesystem without locks cannot report this file as unlocked either.
        let _ = file.lock();
        if let Ok(replaced) = fs::symlink_metadata(path)
            && replaced.is_file()
        {
            file.set_permissions(replaced.permissions())?;
        }
        Ok((file, Some(temporary)))
    }

    /// Completes the file and renames it, replacing any file of that name.
    ///
    /// # Errors
    /// If it cannot be written or renamed; an existing file is unchanged then.
    pub fn commit(self) -> io::Result<()> {
        self.finish(|_, temporary, path| {
            refuse_special(path)?;
            temporary.persist(path).map_err(|error| error.error)
        })
    }

    /// Completes the file and renames it, unless the name is taken.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] if the name is taken; or if the file cannot be written or
    /// renamed.
    pub fn commit_new(self) -> io::Result<()> {
        self.finish(|file, temporary, path| {
            let complete = NamedTempFile::from_parts(file, temporary);
            match complete.persist_noclobber(path) {
                Ok(_) => Ok(()),
                Err(error) => Err(error.error),
            }
        })
    }

    fn finish(
        self,
        rename: impl FnOnce(File, TempPath, &Path) -> io::Result<()>,
    ) -> io::Result<()> {
        let Self {
            path,
            out,
            temporary,
        } = self;
        let finish = || {
            let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
            let Some(temporary) = temporary else {
                return Ok(());
            };
            file.sync_all()?;
            rename(file, temporary, &path)
        };
        finish().map_err(|error| WriteError::at(&path, error))
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes);
        written.map_err(|error| WriteError::at(&self.path, error))
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.out.flush();
        flushed.map_err(|error| WriteError::at(&self.path, error))
    }
}

impl Seek for AtomicFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let found = self.out.seek(to);
        found.map_err(|error| WriteError::at(&self.path, error))
    }
}

/// Writes a whole file with [`AtomicFile::create`].
///
/// # Errors
/// As [`AtomicFile::create`] and [`AtomicFile::commit`].
pub fn write(path: impl AsRef<Path>, contents: impl AsRef<[u8]>) -> io::Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(contents.as_ref())?;
    file.commit()
}

/// Writes a whole file with [`AtomicFile::create_or_open_device`].
///
/// # Errors
/// As [`AtomicFile::create_or_open_device`] and [`AtomicFile::commit`].
pub fn write_or_open_device(path: impl AsRef<Path>, contents: impl AsRef<[u8]>) -> io::Result<()> {
    let mut file = AtomicFile::create_or_open_device(path)?;
    file.write_all(contents.as_ref())?;
    file.commit()
}

/// The error inside every [`io::Error`] of an [`AtomicFile`]: the file that was asked for, with the
/// system's reason as its source.
#[derive(Debug)]
pub(crate) struct WriteError {
    path: PathBuf,
    reason: io::Error,
}

impl WriteError {
    fn at(path: &Path, reason: io::Error) -> io::Error {
        let path = path.to_owned();
        io::Error::new(reason.kind(), Self { path, reason })
    }

    /// The system's reason alone, for callers that name the file themselves.
    pub(crate) fn reason(error: io::Error) -> io::Error {
        match error.downcast::<Self>() {
            Ok(error) => error.reason,
            Err(other) => other,
        }
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot write {}", self.path.display())
    }
}

impl Error for WriteError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.reason)
    }
}

/// An error of `tempfile` without the temporary path at its end, which means nothing to the user.
fn without_path(error: io::Error) -> io::Error {
    match error.to_string().split_once(" at path ") {
        Some((reason, _)) => io::Error::new(error.kind(), reason),
        None => error,
    }
}

/// Whether a path leads to something that is written but never replaced. `/dev/stdout` may be a
/// link to a regular file and is special all the same.
fn is_special(path: &Path) -> bool {
    if cfg!(unix) && ["/dev", "/proc"].iter().any(|root| path.starts_with(root)) {
        return path.exists() && !path.is_dir() && !path.starts_with("/dev/shm");
    }
    fs::metadata(path).is_ok_and(|there| !there.is_file() && !there.is_dir())
}

fn refuse_special(path: &Path) -> io::Result<()> {
    if is_special(path) {
        let text = "it is a device or a pipe, not a regular file";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
    }
    Ok(())
}

fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Random characters of a temporary name.
const RANDOM: usize = 12;

/// Bytes of a file name that its temporary name repeats. Most filesystems allow 255 in all.
const LONGEST_NAME: usize = 200;

/// The temporary name up to its random characters: `.NAME.PID.`
fn temporary_prefix(name: &OsStr) -> OsString {
    let mut prefix = OsString::from(".");
    if name.len() <= LONGEST_NAME {
        prefix.push(name);
    } else {
        prefix.push("ricochet");
    }
    prefix.push(format!(".{}.", std::process::id()));
    prefix
}

/// The process that created `entry`, if that is a temporary name of the file `name`.
fn writer(entry: &OsStr, name: &OsStr) -> Option<u32> {
    let rest = entry.to_str()?.strip_prefix('.')?;
    let rest = rest.strip_prefix(name.to_str()?)?.strip_prefix('.')?;
    let (digits, random) = rest.strip_suffix(".tmp")?.split_once('.')?;
    let process: u32 = digits.parse().ok()?;
    // `parse` also accepts a sign and leading zeros.
    let is_ours = process.to_string() == digits
        && random.len() == RANDOM
        && random.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_ours.then_some(process)
}

/// Removes temporary files for `path` whose writers were killed. What cannot be examined or removed
/// stays.
fn remove_stale(path: &Path) {
    let (Some(name), Ok(entries)) = (path.file_name(), fs::read_dir(directory_of(path))) else {
        return;
    };
    for entry in entries.flatten() {
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        let process = writer(&entry.file_name(), name);
        if is_file && process.is_some_and(|process| is_stale(&entry.path(), process)) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether a temporary file's writer is gone: the file is not locked and, if there is a `/proc`, the
/// process does not exist. The latter covers the moment between creating and locking a file.
fn is_stale(path: &Path, process: u32) -> bool {
    let processes = Path::new("/proc");
    let is_alive = processes.join("self").exists() && processes.join(process.to_string()).exists();
    let is_unlocked = || File::open(path).is_ok_and(|file| file.try_lock().is_ok());
    process != std::process::id() && !is_alive && is_unlocked()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Larger than any process number on Linux.
    const DEAD: u32 = 4_200_000;

    fn names(directory: &Path) -> Vec<String> {
        let entries = fs::read_dir(directory).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    fn temporary(file: &AtomicFile) -> &Path {
        file.temporary.as_deref().unwrap()
    }

    /// The error with its reasons, as the command line prints it.
    fn text(error: &io::Error) -> String {
        let reason = error.get_ref().unwrap().source().unwrap();
        format!("{error}: {reason}")
    }

    #[test]
    fn an_uncommitted_file_leaves_no_trace() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a");
        write(&path, "old").unwrap();
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(&vec![b'x'; 100_000]).unwrap();
        drop(file);
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(names(directory.path()), ["a"]);
        write(&path, "new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(names(directory.path()), ["a"]);
    }

    #[test]
    fn a_new_file_never_replaces_another() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a");
        let mut first = AtomicFile::create(&path).unwrap();
        let mut second = AtomicFile::create(&path).unwrap();
        first.write_all(b"first").unwrap();
        second.write_all(b"second").unwrap();
        first.commit_new().unwrap();
        let error = second.commit_new().unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read_to_string(&path).unwrap(), "first");
        assert_eq!(names(directory.path()), ["a"]);
    }

    #[test]
    fn concurrent_writers_do_not_interfere() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.txt");
        std::thread::scope(|scope| {
            for letter in b'a'..=b'h' {
                let path = &path;
                scope.spawn(move || {
                    for _ in 0..20 {
                        write(path, vec![letter; 20_000]).unwrap();
                    }
                });
            }
        });
        let bytes = fs::read(&path).unwrap();
        assert_eq!(bytes.len(), 20_000);
        assert!(bytes.iter().all(|&byte| byte == bytes[0]), "torn");
        assert_eq!(names(directory.path()), ["a.txt"]);
    }

    #[test]
    fn directories_are_refused() {
        let directory = tempfile::tempdir().unwrap();
        assert!(write(directory.path(), "x").is_err());
        assert!(write("", "x").is_err());
        let missing = write(directory.path().join("no/such"), "x").unwrap_err();
        assert!(text(&missing).contains("there is no directory"));
    }

    #[test]
    fn a_long_name_is_written_like_any_other() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("x".repeat(250));
        write(&path, "x").unwrap();
        assert_eq!(names(directory.path()).len(), 1);
    }

    /// Only the file that the user asked for is named, whatever step fails.
    #[cfg(unix)]
    #[test]
    fn errors_do_not_name_the_temporary_file() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a");
        // Longer than any file system allows, so creating the file fails, even for root.
        let long = directory.path().join("x".repeat(300));
        let renamed = {
            let file = AtomicFile::create(&path).unwrap();
            fs::create_dir(&path).unwrap();
            file.commit().unwrap_err()
        };
        let gone = directory.path().join("gone");
        fs::create_dir(&gone).unwrap();
        let unrenamed = AtomicFile::create(gone.join("a")).unwrap();
        fs::remove_dir_all(&gone).unwrap();
        for (error, path) in [
            (write(&long, "x").unwrap_err(), &long),
            (renamed, &path),
            (unrenamed.commit().unwrap_err(), &gone.join("a")),
            (
                write_or_open_device("/dev/full", "x").unwrap_err(),
                &PathBuf::from("/dev/full"),
            ),
        ] {
            let text = text(&error);
            let start = format!("cannot write {}: ", path.display());
            // The directory of the test has .tmp in its own name.
            let reason = text.strip_prefix(&start).expect(&text);
            assert!(!reason.contains(".tmp"), "{text}");
        }
        let failed = Builder::new()
            .suffix(".tmp")
            .tempfile_in(&gone)
            .unwrap_err();
        assert!(failed.to_string().contains(".tmp"));
        let plain = without_path(failed).to_string();
        assert!(plain.starts_with("No such file"), "{plain}");
        assert!(!plain.contains(".tmp"), "{plain}");
    }

    #[cfg(unix)]
    #[test]
    fn links_are_replaced_and_permissions_kept() {
        use std::os::unix::fs::PermissionsExt;
        let directory = tempfile::tempdir().unwrap();
        let (outside, link) = (directory.path().join("outside"), directory.path().join("a"));
        fs::write(&outside, "precious").unwrap();
        std::os::unix::fs::symlink(&outside, &link).unwrap();
        write(&link, "mine").unwrap();
        assert_eq!(fs::read_to_string(&outside).unwrap(), "precious");
        assert_eq!(fs::read_to_string(&link).unwrap(), "mine");
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&link), mode(&outside), "those of any new file");
        fs::set_permissions(&link, fs::Permissions::from_mode(0o640)).unwrap();
        write(&link, "again").unwrap();
        assert_eq!(mode(&link) & 0o777, 0o640);
    }

    #[cfg(unix)]
    #[test]
    fn devices_and_pipes_are_written_only_on_request() {
        assert!(write("/dev/null", "x").is_err());
        write_or_open_device("/dev/null", "x").unwrap();
        let error = write_or_open_device("/dev/full", "x").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        let full = fs::metadata("/dev/full").unwrap();
        assert!(!full.is_file(), "it is still a device");

        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        let late = AtomicFile::create(at("socket")).unwrap();
        std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
        std::os::unix::fs::symlink(at("socket"), at("link")).unwrap();
        for error in [
            AtomicFile::create(at("socket")).unwrap_err(),
            AtomicFile::create(at("link")).unwrap_err(),
            late.commit().unwrap_err(),
        ] {
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
            assert!(text(&error).contains("not a regular file"), "{error}");
        }
        assert!(!fs::metadata(at("link")).unwrap().is_file());
        assert_eq!(names(directory.path()), ["link", "socket"]);
    }

    #[test]
    fn files_of_killed_writers_are_removed() {
        let directory = tempfile::tempdir().unwrap();
        let at = |file: &str| directory.path().join(file);
        let stale = [
            format!(".a.tb.{DEAD}.aB3dE6gH9jK2.tmp"),
            ".a.tb.4200001.aB3dE6gH9jK2.tmp".to_owned(),
        ];
        let locked = ".a.tb.4200002.aB3dE6gH9jK2.tmp";
        let others = [
            // The first process is always alive.
            ".a.tb.1.aB3dE6gH9jK2.tmp".to_owned(),
            locked.to_owned(),
            format!(".a.tb.{DEAD}.aB3dE6gH9jK.tmp"),
            format!(".a.tb.{DEAD}.aB3dE6gH9j-2.tmp"),
            format!(".a.tb.{DEAD}.aB3dE6gH9jK2.x.tmp"),
            format!(".a.tb.{DEAD}.aB3dE6gH9jK2.tmp.gz"),
            format!(".a.tb.0{DEAD}.aB3dE6gH9jK2.tmp"),
            format!("a.tb.{DEAD}.aB3dE6gH9jK2.tmp"),
            format!(".b.tb.{DEAD}.aB3dE6gH9jK2.tmp"),
            format!(".ba.tb.{DEAD}.aB3dE6gH9jK2.tmp"),
            ".a.tb.+7.aB3dE6gH9jK2.tmp".to_owned(),
            format!(".a.tb.{DEAD}.tmp"),
            "a.tb".to_owned(),
        ];
        for file in stale.iter().chain(&others) {
            fs::write(at(file), "x").unwrap();
        }
        let folder = at(".a.tb.4200003.aB3dE6gH9jK2.tmp");
        fs::create_dir(&folder).unwrap();
        let lock = File::open(at(locked)).unwrap();
        lock.lock().unwrap();

        let first = AtomicFile::create(at("a.tb")).unwrap();
        let second = AtomicFile::create(at("a.tb")).unwrap();
        assert!(stale.iter().all(|file| !at(file).exists()));
        assert!(others.iter().all(|file| at(file).exists()) && folder.exists());
        assert_ne!(temporary(&first), temporary(&second));
        for file in [&first, &second] {
            let name = temporary(file).file_name().unwrap();
            assert_eq!(writer(name, OsStr::new("a.tb")), Some(std::process::id()));
            assert!(temporary(file).exists(), "still being written");
        }

        drop(lock);
        second.commit().unwrap();
        AtomicFile::create(at("a.tb")).unwrap();
        assert!(!at(locked).exists(), "unlocked since its writer ended");
        assert!(temporary(&first).exists());
    }
}
