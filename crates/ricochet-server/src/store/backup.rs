//! Copies of the database: made while a server runs, put back while none does.

use std::fs;
use std::io;
use std::path::Path;

use rusqlite::{Connection, OpenFlags};

use super::{DATABASE, LOCK, Store, StoreError, lock};
use crate::clock::Clock;

/// Where the previous database is kept after a restore.
const BEFORE: &str = "before-restore.sqlite";

/// Copies the database of a folder to a new file, even while a server uses it.
///
/// # Errors
/// If there is no database, or the file exists or cannot be written.
pub fn backup(folder: &Path, file: &Path) -> io::Result<()> {
    let source = folder.join(DATABASE);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let source = Connection::open_with_flags(source, flags).map_err(io::Error::other)?;
    // Created first, so that nobody else can read it and no file is overwritten.
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    let copy = options.open(file)?;
    let name = file
        .to_str()
        .ok_or_else(|| io::Error::other("the name of the file is not UTF-8"))?;
    let copied = source
        .busy_timeout(super::BUSY)
        .and_then(|()| source.execute("VACUUM INTO ?1", [name]));
    if let Err(error) = copied {
        let _ = fs::remove_file(file);
        return Err(io::Error::other(error));
    }
    copy.sync_all()
}

/// Replaces the database of a folder with a backup; the previous one is kept as
/// `before-restore.sqlite`. No server may use the folder.
///
/// # Errors
/// If the file is not a backup, a server uses the folder, or it cannot be written.
pub fn restore(folder: &Path, file: &Path, clock: &Clock) -> io::Result<()> {
    super::create_folder(folder)?;
    let _lock = lock(folder).map_err(io::Error::other)?;
    let new = folder.join("restoring.sqlite");
    fs::copy(file, &new)?;
    if let Err(error) = check_file(&new, clock) {
        let _ = fs::remove_file(&new);
        let message = format!("{} is not a backup of the server: {error}", file.display());
        return Err(io::Error::new(io::ErrorKind::InvalidData, message));
    }
    let database = folder.join(DATABASE);
    if database.exists() {
        // Writes what is still in the log into the file.
        let old = Connection::open(&database).map_err(io::Error::other)?;
        old.pragma_update(None, "journal_mode", "DELETE")
            .map_err(io::Error::other)?;
        drop(old);
        fs::rename(&database, folder.join(BEFORE))?;
    }
    give_to_owner(&new, folder)?;
    give_to_owner(&folder.join(LOCK), folder)?;
    fs::rename(&new, &database)?;
    // Windows does not open folders as files.
    if cfg!(unix) {
        fs::File::open(folder)?.sync_all()?;
    }
    Ok(())
}

/// Gives a file to the owner of the folder, since the administrator may restore what a service uses.
fn give_to_owner(file: &Path, folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, chown};
        let (owner, own) = (fs::metadata(folder)?, fs::metadata(file)?);
        if (owner.uid(), owner.gid()) != (own.uid(), own.gid()) {
            chown(file, Some(owner.uid()), Some(owner.gid()))?;
        }
    }
    #[cfg(not(unix))]
    let _ = (file, folder);
    Ok(())
}

/// Checks a copy, and brings it to the version of this program.
fn check_file(file: &Path, clock: &Clock) -> Result<(), StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(file, flags)?;
    let tables =
        "SELECT count(*) FROM sqlite_schema WHERE name IN ('results', 'puzzles', 'attempts')";
    let tables: i64 = connection.query_row(tables, [], |row| row.get(0))?;
    if tables != 3 {
        return Err(StoreError::Damaged("its tables are missing".to_owned()));
    }
    let store = Store::prepare(connection, None, clock)?;
    store.check()?;
    store.with(|connection| Ok(connection.pragma_update(None, "journal_mode", "DELETE")?))
}

impl Store {
    /// Checks that the database is not damaged.
    pub(crate) fn check(&self) -> Result<(), StoreError> {
        self.with(|connection| {
            let verdict: String =
                connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
            match verdict.as_str() {
                "ok" => Ok(()),
                _ => Err(StoreError::Damaged(verdict)),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_restored_database_belongs_to_the_owner_of_the_folder() {
        use std::os::unix::fs::{MetadataExt, chown};
        let clock = Clock::system();
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        let file = folder.path().join("copy.sqlite");
        drop(Store::open(&data, &clock).unwrap());
        backup(&data, &file).unwrap();
        if chown(&data, Some(12_345), Some(12_345)).is_err() {
            return; // only root can give files away
        }
        fs::remove_file(data.join(LOCK)).unwrap();
        restore(&data, &file, &clock).unwrap();
        for name in [DATABASE, LOCK] {
            let metadata = fs::metadata(data.join(name)).unwrap();
            assert_eq!((metadata.uid(), metadata.gid()), (12_345, 12_345), "{name}");
        }
    }

    #[test]
    fn a_backup_is_made_while_the_store_is_open_and_put_back() {
        let clock = Clock::system();
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        let file = folder.path().join("copy.sqlite");
        let store = Store::open(&data, &clock).unwrap();
        let open = |name: &str| store.open_room(name, 1, 1, "{}", 9).unwrap();
        open("first");
        backup(&data, &file).unwrap();
        assert!(backup(&data, &file).is_err(), "it would be overwritten");
        open("second");
        let error = restore(&data, &file, &clock).unwrap_err().to_string();
        assert!(error.contains("another server uses it"), "{error}");
        drop(store);
        restore(&data, &file, &clock).unwrap();
        let store = Store::open(&data, &clock).unwrap();
        assert!(store.room("first").unwrap().is_some());
        assert!(store.room("second").unwrap().is_none());
        drop(store);
        // The previous one was kept, and can be put back in the same way.
        let before = data.join(BEFORE);
        fs::copy(&before, folder.path().join("old.sqlite")).unwrap();
        restore(&data, &folder.path().join("old.sqlite"), &clock).unwrap();
        let store = Store::open(&data, &clock).unwrap();
        assert!(store.room("second").unwrap().is_some());
        drop(store);
        for (name, bytes) in [
            ("empty", &b""[..]),
            ("text", b"not a database, but long enough"),
        ] {
            let file = folder.path().join(name);
            fs::write(&file, bytes).unwrap();
            let error = restore(&data, &file, &clock).unwrap_err().to_string();
            assert!(error.contains("is not a backup"), "{error}");
            assert!(!data.join("restoring.sqlite").exists());
        }
    }
}
