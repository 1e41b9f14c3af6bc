//! Persistent data: results of the daily puzzle, saved puzzles, attempts, the logs of rooms.
//!
//! Whatever was acknowledged survives a crash of the process or the machine: every change is one
//! `SQLite` transaction, whose write-ahead log is flushed before the answer is sent.

mod attempts;
mod migrations;
mod puzzles;
mod results;
mod rooms;

use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rusqlite::Connection;

pub(crate) use attempts::Attempt;
pub(crate) use puzzles::SavedPuzzle;
pub(crate) use results::{DayResult, DaySummary};
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
            Self::Panic => f.write_str("the work panicked"),
        }
    }
}

impl std::error::Error for StoreError {}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sql(error)
    }
}

/// The database.
pub(crate) struct Store {
    connection: Mutex<Connection>,
}

impl Store {
    /// Opens the database in a folder, which is created if it does not exist.
    pub(crate) fn open(folder: &Path) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        create_folder(folder)?;
        let connection = Connection::open(folder.join("ricochet.sqlite"))?;
        Ok(Self::prepare(connection)?)
    }

    /// A database that is lost when the process ends.
    pub(crate) fn in_memory() -> Result<Self, StoreError> {
        Self::prepare(Connection::open_in_memory()?)
    }

    fn prepare(mut connection: Connection) -> Result<Self, StoreError> {
        connection.busy_timeout(Duration::from_secs(5))?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        migrations::migrate(&mut connection)?;
        Ok(Self {
            connection: Mutex::new(connection),
        })
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
