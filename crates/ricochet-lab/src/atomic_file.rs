//! Files that are written whole or not at all.
//!
//! Everything that the lab and the command line write to a named file goes through here, except the
//! files that only grow (see [`crate::run::store`]).

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile, TempPath};

/// A file that appears under its name when it is complete.
///
/// The text goes to a temporary file in the same directory, which is renamed by
/// [`AtomicFile::commit`]. Its name cannot be predicted and it is created anew, so that processes
/// that write the same file do not meet and a planted symbolic link is not followed. A file that is
/// dropped before that, because something failed, leaves nothing behind. A symbolic link in the
/// file's own place is replaced, not followed.
///
/// ```
/// use std::io::Write;
/// use ricochet_lab::atomic_file::AtomicFile;
///
/// let directory = tempfile::tempdir()?;
/// let path = directory.path().join("answer.txt");
/// let mut file = AtomicFile::create(&path)?;
/// file.write_all(b"forty-")?;
/// assert!(!path.exists());
/// file.write_all(b"two")?;
/// file.commit()?;
/// assert_eq!(std::fs::read(&path)?, b"forty-two");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct AtomicFile {
    out: BufWriter<File>,
    /// Where it is until it is complete, and where it goes; none for a device or a pipe.
    places: Option<(TempPath, PathBuf)>,
}

impl AtomicFile {
    /// Starts a file. What stands under its name stays there until [`AtomicFile::commit`].
    ///
    /// # Errors
    /// If the directory cannot be written, or the name belongs to a directory, a device or a pipe.
    pub fn create(path: impl AsRef<Path>) -> io::Result<Self> {
        let path = path.as_ref();
        if is_special(path) {
            let words = "it is a device or a pipe, not a file";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, words));
        }
        Self::create_beside(path)
    }

    /// Starts a file that a user has named. Devices and pipes, such as `/dev/stdout`, are written as
    /// they are: for these, nothing is held back until [`AtomicFile::commit`].
    ///
    /// # Errors
    /// If the directory or the device cannot be written, or the name belongs to a directory.
    pub fn create_or_open_device(path: impl AsRef<Path>) -> io::Result<Self> {
        let path = path.as_ref();
        if is_special(path) {
            let file = File::options().write(true).open(path)?;
            return Ok(Self {
                out: BufWriter::new(file),
                places: None,
            });
        }
        Self::create_beside(path)
    }

    fn create_beside(path: &Path) -> io::Result<Self> {
        if path.is_dir() || path.file_name().is_none() {
            return Err(io::Error::from(io::ErrorKind::IsADirectory));
        }
        let parent = match path.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        let mut builder = Builder::new();
        builder.prefix(".ricochet-").suffix(".tmp");
        // As if created by its own name: the user's mask applies.
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let (file, temporary) = builder
            .tempfile_in(parent)
            .map_err(|error| {
                // Not with the temporary name, which nobody has heard of.
                if parent.is_dir() {
                    error
                } else {
                    let missing = format!("there is no directory {}", parent.display());
                    io::Error::new(error.kind(), missing)
                }
            })?
            .into_parts();
        if let Ok(there) = fs::symlink_metadata(path)
            && there.is_file()
        {
            file.set_permissions(there.permissions())?;
        }
        Ok(Self {
            out: BufWriter::new(file),
            places: Some((temporary, path.to_owned())),
        })
    }

    /// Ends the file and gives it its name; what had the name before is replaced.
    ///
    /// # Errors
    /// If it cannot be written or renamed; what had the name before is still there then.
    pub fn commit(self) -> io::Result<()> {
        let (_, places) = self.finish()?;
        if let Some((temporary, path)) = places {
            temporary.persist(path).map_err(|error| error.error)?;
        }
        Ok(())
    }

    /// Like [`AtomicFile::commit`], but never replaces anything.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] if the name is taken, perhaps since a moment ago; or if it
    /// cannot be written or renamed.
    pub fn commit_new(self) -> io::Result<()> {
        let (file, places) = self.finish()?;
        if let Some((temporary, path)) = places {
            let whole = NamedTempFile::from_parts(file, temporary);
            whole.persist_noclobber(path).map_err(|error| error.error)?;
        }
        Ok(())
    }

    fn finish(self) -> io::Result<(File, Option<(TempPath, PathBuf)>)> {
        // On failure the temporary file is removed when `places` is dropped.
        let Self { out, places } = self;
        let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok((file, places))
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Writes a whole file, as [`AtomicFile`] does.
///
/// ```
/// let directory = tempfile::tempdir()?;
/// let path = directory.path().join("a.txt");
/// ricochet_lab::atomic_file::write(&path, "whole")?;
/// assert_eq!(std::fs::read_to_string(&path)?, "whole");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// As [`AtomicFile::create`] and [`AtomicFile::commit`].
pub fn write(path: impl AsRef<Path>, contents: impl AsRef<[u8]>) -> io::Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(contents.as_ref())?;
    file.commit()
}

/// Writes a file that a user has named, which may be a device or a pipe.
///
/// ```
/// # #[cfg(unix)] {
/// ricochet_lab::atomic_file::write_or_open_device("/dev/null", "nobody reads this")?;
/// # }
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// As [`AtomicFile::create_or_open_device`] and [`AtomicFile::commit`].
pub fn write_or_open_device(path: impl AsRef<Path>, contents: impl AsRef<[u8]>) -> io::Result<()> {
    let mut file = AtomicFile::create_or_open_device(path)?;
    file.write_all(contents.as_ref())?;
    file.commit()
}

/// Whether a name belongs to something that is written, but never replaced. What `/dev/stdout` leads
/// to may be a regular file; the name is special all the same.
fn is_special(path: &Path) -> bool {
    if cfg!(unix) && ["/dev", "/proc"].iter().any(|root| path.starts_with(root)) {
        return path.exists() && !path.is_dir() && !path.starts_with("/dev/shm");
    }
    fs::metadata(path).is_ok_and(|there| !there.is_file() && !there.is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(directory: &Path) -> Vec<String> {
        let entries = fs::read_dir(directory).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn what_is_not_committed_leaves_nothing_and_changes_nothing() {
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
        let (mut first, mut second) = (
            AtomicFile::create(&path).unwrap(),
            AtomicFile::create(&path).unwrap(),
        );
        first.write_all(b"first").unwrap();
        second.write_all(b"second").unwrap();
        first.commit_new().unwrap();
        let error = second.commit_new().unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read_to_string(&path).unwrap(), "first");
        assert_eq!(names(directory.path()), ["a"]);
    }

    #[test]
    fn writers_of_one_file_do_not_meet() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.txt");
        std::thread::scope(|scope| {
            for letter in b'a'..=b'h' {
                let path = &path;
                scope.spawn(move || {
                    for _ in 0..50 {
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
        assert!(write(directory.path().join("no/such"), "x").is_err());
        assert!(write("", "x").is_err());
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
        fs::set_permissions(&link, fs::Permissions::from_mode(0o640)).unwrap();
        write(&link, "again").unwrap();
        let mode = fs::metadata(&link).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
    }

    #[cfg(unix)]
    #[test]
    fn devices_are_written_only_where_they_are_meant() {
        assert!(write("/dev/null", "x").is_err());
        write_or_open_device("/dev/null", "x").unwrap();
        let error = write_or_open_device("/dev/full", "x").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        let full = fs::metadata("/dev/full").unwrap();
        assert!(!full.is_file(), "it is still a device");
    }
}
