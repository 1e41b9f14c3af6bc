//! A file that has a temporary name until it is complete.
//!
//! It is written as `NAME.PID.RANDOM.tmp` beside `NAME` and renamed at the end, so a run that is
//! stopped leaves no broken file. Nobody can guess the name and put a link there before. If it fails,
//! it removes what it wrote. If it is killed, nobody does, until the next run for the same name finds
//! what is left: as long as somebody writes a file it is locked, and the system unlocks it when the
//! process ends, however that happens.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::Path;

use tempfile::NamedTempFile;

/// A file on its way. Dropped, it is removed.
#[derive(Debug)]
pub(super) struct Temporary {
    /// Locked for as long as it is open.
    file: NamedTempFile,
}

impl Temporary {
    /// A new file that will have a name, and removes what runs for the same name left behind.
    ///
    /// Fails if what has that name now is no regular file.
    pub(super) fn create(name: &Path) -> io::Result<Self> {
        check_replaceable(name)?;
        remove_stale(name);
        let mut prefix = name.file_name().unwrap_or_default().to_owned();
        prefix.push(format!(".{}.", std::process::id()));
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(".tmp").rand_bytes(RANDOM);
        // The rights of any other new file, not those of one that nobody else may read.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = builder.tempfile_in(directory_of(name))?;
        // Where files cannot be locked nobody can take this one for left behind either.
        let _ = file.as_file().lock();
        Ok(Self { file })
    }

    /// Where it is until it is complete.
    pub(super) fn path(&self) -> &Path {
        self.file.path()
    }

    pub(super) fn file(&self) -> &File {
        self.file.as_file()
    }

    /// Gives it its name, unless something that is no regular file has got that in the meantime.
    pub(super) fn complete(self, name: &Path) -> io::Result<()> {
        check_replaceable(name)?;
        self.file.persist(name)?;
        Ok(())
    }
}

/// Renaming puts a file in the place of whatever has its name, a device or a pipe as well (if only
/// at the end of a link).
fn check_replaceable(name: &Path) -> io::Result<()> {
    let is_other = fs::metadata(name).is_ok_and(|found| !found.is_file());
    if is_other {
        let what = "something that is not a regular file has that name";
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, what));
    }
    Ok(())
}

/// Random characters of a temporary name.
const RANDOM: usize = 12;

fn directory_of(name: &Path) -> &Path {
    match name.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// The process that wrote a file, if that is a temporary file of this name.
fn writer(file_name: &OsStr, name: &Path) -> Option<u32> {
    let rest = file_name
        .to_str()?
        .strip_prefix(name.file_name()?.to_str()?)?;
    let rest = rest.strip_prefix('.')?.strip_suffix(".tmp")?;
    // Earlier versions had nothing behind the process.
    let (digits, random) = rest.split_once('.').unzip();
    let is_random =
        |text: &str| text.len() == RANDOM && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if !random.is_none_or(is_random) {
        return None;
    }
    let digits = digits.unwrap_or(rest);
    let process = digits.parse().ok()?;
    // No sign and no zeros before it: just what `create` writes.
    (u32::to_string(&process) == digits).then_some(process)
}

/// Removes temporary files of this name whose writers are gone. What cannot be looked at or removed
/// stays where it is.
fn remove_stale(name: &Path) {
    let Ok(entries) = fs::read_dir(directory_of(name)) else {
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

/// Whether nobody writes a file any more: it is not locked, and there is no such process where that
/// can be seen. (A file that was just made is not locked yet.)
fn is_stale(path: &Path, process: u32) -> bool {
    let processes = Path::new("/proc");
    let is_alive = processes.join("self").exists() && processes.join(process.to_string()).exists();
    let is_unlocked = || File::open(path).is_ok_and(|file| file.try_lock().is_ok());
    process != std::process::id() && !is_alive && is_unlocked()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Larger than any process number that Linux gives out.
    const NOBODY: u32 = 4_200_000;

    #[test]
    fn what_killed_runs_left_is_removed_and_nothing_else() {
        let directory = tempfile::tempdir().unwrap();
        let at = |file: &str| directory.path().join(file);
        let left = [
            format!("a.tb.{NOBODY}.tmp"),
            "a.tb.4200001.tmp".to_owned(),
            format!("a.tb.{NOBODY}.aB3dE6gH9jK2.tmp"),
        ];
        let others = [
            format!("a.tb.{NOBODY}.aB3dE6gH9jK.tmp"),
            format!("a.tb.{NOBODY}.aB3dE6gH9j-2.tmp"),
            format!("a.tb.{NOBODY}.aB3dE6gH9jK2.x.tmp"),
            "a.tb.1.aB3dE6gH9jK2.tmp".to_owned(),
            "a.tb".to_owned(),
            "a.tb.tmp".to_owned(),
            "a.tb.x.tmp".to_owned(),
            "a.tb.+7.tmp".to_owned(),
            format!("a.tb.0{NOBODY}.tmp"),
            format!("a.tb.{NOBODY}.tmp.gz"),
            format!("b.tb.{NOBODY}.tmp"),
            format!("ba.tb.{NOBODY}.tmp"),
            // Another run that is still writing, seen by its process or by its lock.
            "a.tb.1.tmp".to_owned(),
            "a.tb.4200002.tmp".to_owned(),
        ];
        for file in left.iter().chain(&others) {
            fs::write(at(file), "x").unwrap();
        }
        let directory_of_that_name = at("a.tb.4200003.tmp");
        fs::create_dir(&directory_of_that_name).unwrap();
        let locked = File::open(at("a.tb.4200002.tmp")).unwrap();
        locked.lock().unwrap();
        let first = File::open(at("a.tb.1.tmp")).unwrap();
        first.lock().unwrap();

        let temporary = Temporary::create(&at("a.tb")).unwrap();
        assert!(left.iter().all(|file| !at(file).exists()));
        assert!(others.iter().all(|file| at(file).exists()));
        assert!(directory_of_that_name.exists() && temporary.path().exists());
        // A second run of the same process takes nothing away from the first.
        remove_stale(&at("a.tb"));
        assert!(temporary.path().exists());
        let own = temporary.path().to_owned();
        drop(temporary);
        assert!(!own.exists(), "an incomplete file is removed");

        drop(locked);
        let temporary = Temporary::create(&at("a.tb")).unwrap();
        assert!(
            !at("a.tb.4200002.tmp").exists(),
            "unlocked when its writer ended"
        );
        temporary.complete(&at("a.tb")).unwrap();
        assert!(!own.exists() && fs::read(at("a.tb")).unwrap().is_empty());
    }

    #[test]
    fn only_regular_files_are_replaced() {
        let directory = tempfile::tempdir().unwrap();
        let at = |file: &str| directory.path().join(file);
        fs::create_dir(at("directory")).unwrap();
        fs::write(at("file"), "x").unwrap();
        #[allow(unused_mut)]
        let mut others = vec!["directory"];
        #[cfg(unix)]
        {
            std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
            std::os::unix::fs::symlink(at("socket"), at("link")).unwrap();
            others.extend(["socket", "link"]);
        }
        let count = || fs::read_dir(directory.path()).unwrap().count();
        let before = count();
        for other in others {
            let error = Temporary::create(&at(other)).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
            assert!(error.to_string().contains("not a regular file"), "{error}");
            let late = Temporary::create(&at("file")).unwrap();
            late.complete(&at(other)).unwrap_err();
            assert!(!fs::metadata(at(other)).unwrap().is_file(), "{other}");
            assert_eq!(count(), before, "nothing is left beside {other}");
        }
        let whole = Temporary::create(&at("file")).unwrap();
        whole.complete(&at("file")).unwrap();
        assert!(fs::read(at("file")).unwrap().is_empty(), "replaced");
    }

    #[test]
    fn a_name_without_a_directory_is_looked_for_in_the_current_one() {
        // Nothing to find there; it must not fail.
        remove_stale(Path::new("no such table.tb"));
        assert_eq!(
            writer(OsStr::new("a.tb.12.tmp"), Path::new("a.tb")),
            Some(12)
        );
        assert_eq!(writer(OsStr::new("a.tb.12.tmp"), Path::new("..")), None);
    }

    /// Whoever could guess the name would have its link followed, and what it leads to overwritten.
    #[test]
    fn names_cannot_be_guessed() {
        let directory = tempfile::tempdir().unwrap();
        let name = directory.path().join("a.tb");
        let first = Temporary::create(&name).unwrap();
        let second = Temporary::create(&name).unwrap();
        assert_ne!(first.path(), second.path());
        for temporary in [&first, &second] {
            let file_name = temporary.path().file_name().unwrap();
            assert_eq!(writer(file_name, &name), Some(std::process::id()));
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let usual = directory.path().join("usual");
            fs::write(&usual, "").unwrap();
            let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
            assert_eq!(mode(first.path()), mode(&usual));
        }
    }
}
