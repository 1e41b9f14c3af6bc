//! What must last: results of the daily puzzle, saved puzzles, attempts, the logs of rooms.
//!
//! What was acknowledged is on the disk: every change is one transaction of `SQLite` with a write-ahead
//! log that is flushed before the answer goes out, so that neither the end of the process nor that of
//! the machine loses it.

mod attempts;
mod migrations;
mod puzzles;
mod results;
mod rooms;

use std::fmt;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rusqlite::Connection;

pub(crate) use attempts::Attempt;
pub(crate) use puzzles::SavedPuzzle;
pub(crate) use results::{DayResult, DaySummary};
pub(crate) use rooms::{RoomEntry, Wake};

/// Why something was not stored.
#[derive(Debug)]
pub(crate) enum StoreError {
    /// The database says no.
    Sql(rusqlite::Error),
    /// There is no room for more.
    Full(&'static str),
    /// The database was written by a later version of this program.
    TooNew { found: i64, known: i64 },
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sql(error) => error.fmt(f),
            Self::Full(what) => write!(f, "there is no room for more {what}"),
            Self::TooNew { found, known } => write!(
                f,
                "the database has version {found}, this program knows versions up to {known}"
            ),
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
    /// Opens the database of a folder, which is made if it does not exist.
    pub(crate) fn open(folder: &Path) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        make_folder(folder)?;
        let connection = Connection::open(folder.join("ricochet.sqlite"))?;
        Ok(Self::prepared(connection)?)
    }

    /// A database that is gone when the process ends.
    pub(crate) fn in_memory() -> Result<Self, StoreError> {
        Self::prepared(Connection::open_in_memory()?)
    }

    fn prepared(mut connection: Connection) -> Result<Self, StoreError> {
        connection.busy_timeout(Duration::from_secs(5))?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        migrations::migrate(&mut connection)?;
        Ok(Self {
            connection: Mutex::new(connection),
        })
    }

    /// Does something with the database, one at a time.
    fn with<T>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        // A panic rolls its transaction back, so the connection is good after one.
        let mut connection = self
            .connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        work(&mut connection)
    }
}

fn make_folder(folder: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder.create(folder)
}
