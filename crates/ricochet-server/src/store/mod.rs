//! Persistent data: results of the daily puzzle, saved puzzles, attempts, the logs of rooms.
//!
//! Whatever was acknowledged survives a crash of the process or the machine: every change is one
//! `SQLite` transaction, whose write-ahead log is flushed before the answer is sent.

mod age;
mod attempts;
mod backup;
mod migrations;
mod operator;
mod puzzles;
mod reports;
mod results;
mod rooms;

use std::fmt;
use std::fs::{File, TryLockError};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode};

use crate::clock::Clock;
use age::AgeAtStart;
pub(crate) use attempts::{ATTEMPT_DAYS, Attempt};
pub use backup::{backup, restore};
pub use operator::{close_room, delete_puzzle, reports};
pub(crate) use puzzles::{PUZZLES_KEPT, SavedPuzzle};
pub(crate) use reports::REPORT_DAYS;
pub use reports::Report;
pub(crate) use results::{DayResult, DaySummary, OwnResult, RESULT_DAYS};
pub(crate) use rooms::{RoomEntry, Wake};

/// Why the database could not be used.
#[derive(Debug)]
pub(crate) enum StoreError {
    /// `SQLite` reports an error.
    Sql(rusqlite::Error),
    /// A table has reached its limit.
    Full(&'static str),
    /// The database was written by a later version of this program.
    TooNew { found: i64, known: i64 },
    /// The disk or the quota of the user is full, so nothing was stored.
    DiskFull,
    /// Another process uses the folder.
    InUse,
    /// The database is damaged.
    Damaged(String),
    /// The work in the database panicked.
    Panic,
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sql(error) => error.fmt(f),
            Self::Full(what) => write!(f, "the limit of stored {what} is reached"),
            Self::TooNew { found, known } => write!(
                f,
                "the database has version {found}, this program knows versions up to {known}"
            ),
            Self::DiskFull => f.write_str("the disk is full"),
            Self::InUse => f.write_str("another server uses it"),
            Self::Damaged(how) => write!(f, "it is damaged: {how}"),
            Self::Panic => f.write_str("the work panicked"),
        }
    }
}

impl std::error::Error for StoreError {}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::DiskFull,
            _ => Self::Sql(error),
        }
    }
}

/// The file of the database in its folder.
const DATABASE: &str = "ricochet.sqlite";

/// The file that a server locks in this folder.
const LOCK: &str = "ricochet.lock";

/// How long to wait for another process that writes, such as `sqlite3`.
const BUSY: Duration = Duration::from_secs(5);

/// The database.
pub(crate) struct Store {
    connection: Mutex<Connection>,
    age_at_start: AgeAtStart,
    /// Locked as long as the database is open, so that no second server writes to it.
    _lock: Option<File>,
}

impl Store {
    /// Opens the database in a folder, which is created if it does not exist.
    pub(crate) fn open(
        folder: &Path,
        clock: &Clock,
    ) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        create_folder(folder)?;
        let lock = lock(folder)?;
        let connection = Connection::open(folder.join(DATABASE))?;
        Ok(Self::prepare(connection, Some(lock), clock)?)
    }

    /// A database that is lost when the process ends.
    pub(crate) fn in_memory(clock: &Clock) -> Result<Self, StoreError> {
        Self::prepare(Connection::open_in_memory()?, None, clock)
    }

    fn prepare(
        mut connection: Connection,
        lock: Option<File>,
        clock: &Clock,
    ) -> Result<Self, StoreError> {
        connection.busy_timeout(BUSY)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        migrations::migrate(&mut connection)?;
        let mut store = Self {
            connection: Mutex::new(connection),
            age_at_start: AgeAtStart::default(),
            _lock: lock,
        };
        store.start_age(clock)?;
        Ok(store)
    }

    /// Pretends that the disk has no place for more pages than the database has now.
    #[cfg(test)]
    pub(crate) fn fill_disk(&self) {
        let connection = self.connection.lock().unwrap();
        let pages: i64 = connection
            .query_row("PRAGMA page_count", [], |row| row.get(0))
            .unwrap();
        let limit = format!("PRAGMA max_page_count = {pages}");
        connection.query_row(&limit, [], |_| Ok(())).unwrap();
    }

    /// Runs work on a thread where blocking is allowed. Errors are logged.
    pub(crate) async fn run<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Self) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let store = Arc::clone(self);
        let joined = tokio::task::spawn_blocking(move || work(&store)).await;
        let result = joined.unwrap_or(Err(StoreError::Panic));
        match &result {
            Ok(_) => {}
            Err(full @ StoreError::Full(_)) => tracing::warn!("{full}"),
            Err(error) => tracing::error!("the database: {error}"),
        }
        result
    }

    /// Locks the connection for some work.
    fn with<T>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        // A panic rolls its transaction back, so the connection can still be used.
        let mut connection = self
            .connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        work(&mut connection)
    }
}

/// The most rows of a table of results or attempts.
const MAX_ROWS: i64 = 5_000_000;

/// Refuses one more row in a table that has `MAX_ROWS`. Rows expire about in the order of their numbers,
/// so the numbers tell how many there are; counting them would read the whole table.
fn check_rows(connection: &Connection, table: &'static str) -> Result<(), StoreError> {
    let query = format!("SELECT (SELECT max(id) FROM {table}) - (SELECT min(id) FROM {table}) + 1");
    let rows: Option<i64> = connection.query_row(&query, [], |row| row.get(0))?;
    if rows.unwrap_or(0) >= MAX_ROWS {
        return Err(StoreError::Full(table));
    }
    Ok(())
}

/// How long to wait for a server that is shutting down.
const SHUTDOWN: Duration = Duration::from_secs(3);

/// Locks a folder for one server.
fn lock(folder: &Path) -> Result<File, Box<dyn std::error::Error + Send + Sync>> {
    let lock = File::create(folder.join(LOCK))?;
    let start = Instant::now();
    loop {
        match lock.try_lock() {
            Ok(()) => return Ok(lock),
            Err(TryLockError::WouldBlock) if start.elapsed() < SHUTDOWN => {
                thread::sleep(Duration::from_millis(20));
            }
            Err(TryLockError::WouldBlock) => return Err(StoreError::InUse.into()),
            // Some file systems have no locks.
            Err(TryLockError::Error(error)) => {
                tracing::warn!("{} cannot be locked: {error}", folder.display());
                return Ok(lock);
            }
        }
    }
}

fn create_folder(folder: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder.create(folder)
}
