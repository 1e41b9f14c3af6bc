//! Saved puzzles.

use rusqlite::{OptionalExtension, params};
use schemars::JsonSchema;
use serde::Serialize;

use super::{Store, StoreError};

/// The most puzzles that are stored.
const MAX_PUZZLES: i64 = 10_000;

/// A saved puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct SavedPuzzle {
    /// Its number.
    pub(crate) id: i64,
    /// The puzzle in our one-line notation.
    pub(crate) line: String,
    /// Its title, or empty.
    pub(crate) title: String,
    /// When it was saved, in seconds since 1970.
    pub(crate) saved: i64,
}

fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<SavedPuzzle> {
    Ok(SavedPuzzle {
        id: row.get(0)?,
        line: row.get(1)?,
        title: row.get(2)?,
        saved: row.get(3)?,
    })
}

impl Store {
    /// Saves a puzzle and returns its number.
    pub(crate) fn save_puzzle(&self, line: &str, title: &str, now: i64) -> Result<i64, StoreError> {
        self.with(|connection| {
            let transaction = connection.transaction()?;
            let count: i64 =
                transaction.query_row("SELECT count(*) FROM puzzles", [], |row| row.get(0))?;
            if count >= MAX_PUZZLES {
                return Err(StoreError::Full("puzzles"));
            }
            transaction.execute(
                "INSERT INTO puzzles (line, title, saved) VALUES (?1, ?2, ?3)",
                params![line, title, now],
            )?;
            let id = transaction.last_insert_rowid();
            transaction.commit()?;
            Ok(id)
        })
    }

    /// All saved puzzles, the latest first.
    pub(crate) fn puzzles(&self) -> Result<Vec<SavedPuzzle>, StoreError> {
        self.with(|connection| {
            let mut query = connection
                .prepare_cached("SELECT id, line, title, saved FROM puzzles ORDER BY id DESC")?;
            let rows = query.query_map([], read)?;
            Ok(rows.collect::<Result<Vec<_>, _>>()?)
        })
    }

    /// One saved puzzle.
    pub(crate) fn puzzle(&self, id: i64) -> Result<Option<SavedPuzzle>, StoreError> {
        self.with(|connection| {
            let mut query = connection
                .prepare_cached("SELECT id, line, title, saved FROM puzzles WHERE id = ?1")?;
            Ok(query.query_row([id], read).optional()?)
        })
    }

    /// Deletes a puzzle; `false` if there is none.
    pub(crate) fn delete_puzzle(&self, id: i64) -> Result<bool, StoreError> {
        self.with(|connection| {
            Ok(connection.execute("DELETE FROM puzzles WHERE id = ?1", [id])? > 0)
        })
    }
}
