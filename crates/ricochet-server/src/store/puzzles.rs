//! Puzzles that somebody saved.

use rusqlite::{OptionalExtension, params};
use schemars::JsonSchema;
use serde::Serialize;

use super::{Store, StoreError};

/// So many puzzles can be saved.
const MOST: i64 = 10_000;

/// A saved puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct SavedPuzzle {
    /// Its number.
    pub(crate) id: i64,
    /// The puzzle in our one-line notation.
    pub(crate) line: String,
    /// What it was called, or empty.
    pub(crate) title: String,
    /// When, in seconds since 1970.
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
    /// Saves a puzzle and gives its number.
    pub(crate) fn save_puzzle(&self, line: &str, title: &str, now: i64) -> Result<i64, StoreError> {
        self.with(|connection| {
            let transaction = connection.transaction()?;
            let count: i64 =
                transaction.query_row("SELECT count(*) FROM puzzles", [], |row| row.get(0))?;
            if count >= MOST {
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

    /// One of them.
    pub(crate) fn puzzle(&self, id: i64) -> Result<Option<SavedPuzzle>, StoreError> {
        self.with(|connection| {
            let mut query = connection
                .prepare_cached("SELECT id, line, title, saved FROM puzzles WHERE id = ?1")?;
            Ok(query.query_row([id], read).optional()?)
        })
    }

    /// Forgets one; whether there was one.
    pub(crate) fn forget_puzzle(&self, id: i64) -> Result<bool, StoreError> {
        self.with(|connection| {
            Ok(connection.execute("DELETE FROM puzzles WHERE id = ?1", [id])? > 0)
        })
    }
}
