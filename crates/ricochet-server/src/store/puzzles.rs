//! Saved puzzles.
//!
//! Anyone who knows the random name of a puzzle can read it; its secret allows changing and deleting
//! it. Only puzzles whose owners want it are listed.

use std::time::Duration;

use rusqlite::{OptionalExtension, params};
use schemars::JsonSchema;
use serde::Serialize;

use super::{Store, StoreError};

/// The most puzzles that are stored.
const MAX_PUZZLES: i64 = 100_000;

/// How long a saved puzzle is stored after it was last read or changed.
pub(crate) const PUZZLES_KEPT: Duration = Duration::from_secs(365 * 86_400);

/// The most puzzles in the list.
const MAX_LISTED: u32 = 100;

/// How exactly the last use of a puzzle is stored, in milliseconds: to the day.
const USED_PRECISION: i64 = 24 * 3_600_000;

/// A saved puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct SavedPuzzle {
    /// Its random name.
    pub(crate) id: String,
    /// The puzzle in our one-line notation.
    pub(crate) line: String,
    /// Its title, or empty.
    pub(crate) title: String,
    /// When it was saved, in seconds since 1970.
    pub(crate) saved: i64,
    /// Whether everybody sees it in the list.
    pub(crate) listed: bool,
}

const COLUMNS: &str = "name, line, title, saved, listed";

fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<SavedPuzzle> {
    Ok(SavedPuzzle {
        id: row.get(0)?,
        line: row.get(1)?,
        title: row.get(2)?,
        saved: row.get(3)?,
        listed: row.get(4)?,
    })
}

impl Store {
    /// Saves a new puzzle. `age` is that of the database.
    pub(crate) fn save_puzzle(
        &self,
        puzzle: &SavedPuzzle,
        secret: &[u8; 32],
        age: u64,
    ) -> Result<(), StoreError> {
        self.with(|connection| {
            let transaction = connection.transaction()?;
            let count: i64 =
                transaction.query_row("SELECT count(*) FROM puzzles", [], |row| row.get(0))?;
            if count >= MAX_PUZZLES {
                return Err(StoreError::Full("puzzles"));
            }
            transaction.execute(
                "INSERT INTO puzzles (name, line, title, saved, listed, secret, used)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                params![
                    puzzle.id,
                    puzzle.line,
                    puzzle.title,
                    puzzle.saved,
                    puzzle.listed,
                    secret,
                    age as i64
                ],
            )?;
            transaction.commit()?;
            Ok(())
        })
    }

    /// The listed puzzles, the latest first.
    pub(crate) fn puzzles(&self) -> Result<Vec<SavedPuzzle>, StoreError> {
        self.with(|connection| {
            let mut query = connection.prepare_cached(&format!(
                "SELECT {COLUMNS} FROM puzzles WHERE listed ORDER BY id DESC LIMIT {MAX_LISTED}"
            ))?;
            let rows = query.query_map([], read)?;
            Ok(rows.collect::<Result<Vec<_>, _>>()?)
        })
    }

    /// One saved puzzle, which counts as using it.
    pub(crate) fn puzzle(&self, name: &str, age: u64) -> Result<Option<SavedPuzzle>, StoreError> {
        self.with(|connection| {
            let mut query = connection
                .prepare_cached(&format!("SELECT {COLUMNS} FROM puzzles WHERE name = ?1"))?;
            let puzzle = query.query_row([name], read).optional()?;
            if puzzle.is_some() {
                connection.execute(
                    "UPDATE puzzles SET used = ?2 WHERE name = ?1 AND used < ?2 - ?3",
                    params![name, age as i64, USED_PRECISION],
                )?;
            }
            Ok(puzzle)
        })
    }

    /// Replaces a puzzle whose secret is known; `false` if there is none.
    pub(crate) fn replace_puzzle(
        &self,
        puzzle: &SavedPuzzle,
        secret: &[u8; 32],
        age: u64,
    ) -> Result<bool, StoreError> {
        self.with(|connection| {
            let changed = connection.execute(
                "UPDATE puzzles SET line = ?3, title = ?4, listed = ?5, used = ?6
                 WHERE name = ?1 AND secret = ?2",
                params![
                    puzzle.id,
                    secret,
                    puzzle.line,
                    puzzle.title,
                    puzzle.listed,
                    age as i64
                ],
            )?;
            Ok(changed > 0)
        })
    }

    /// Deletes a puzzle whose secret is known; `false` if there is none.
    pub(crate) fn delete_puzzle(&self, name: &str, secret: &[u8; 32]) -> Result<bool, StoreError> {
        self.with(|connection| {
            let deleted = "DELETE FROM puzzles WHERE name = ?1 AND secret = ?2";
            Ok(connection.execute(deleted, params![name, secret])? > 0)
        })
    }

    /// Deletes the puzzles that were not used since the database had an age.
    pub(crate) fn delete_puzzles(&self, unused: u64) -> Result<(), StoreError> {
        self.with(|connection| {
            let deleted = "DELETE FROM puzzles WHERE used < ?1";
            connection.execute(deleted, [unused as i64])?;
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;

    #[test]
    fn puzzles_expire_after_their_last_use() {
        const DAY: u64 = 24 * 3_600_000;
        let store = Store::in_memory(&Clock::system()).unwrap();
        for name in ["read", "unread"] {
            let puzzle = SavedPuzzle {
                id: name.into(),
                line: "8x8..00.R77".into(),
                title: String::new(),
                saved: 0,
                listed: true,
            };
            store.save_puzzle(&puzzle, &[7; 32], DAY).unwrap();
        }
        assert!(store.puzzle("read", 10 * DAY).unwrap().is_some());
        store.delete_puzzles(DAY).unwrap();
        assert_eq!(store.puzzles().unwrap().len(), 2);
        store.delete_puzzles(9 * DAY).unwrap();
        let left = store.puzzles().unwrap();
        assert_eq!(left.len(), 1);
        assert_eq!(left[0].id, "read");
    }
}
