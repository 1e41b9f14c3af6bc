//! Attempts of players who agreed to store them, to learn what people find hard. They contain no
//! names, and only the date.

use rusqlite::params;
use schemars::JsonSchema;
use serde::Serialize;

use super::{Store, StoreError, check_rows};

/// How long an attempt is stored, in days.
pub(crate) const ATTEMPT_DAYS: u64 = 730;

/// One attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct Attempt {
    /// The puzzle in our one-line notation.
    pub(crate) puzzle: String,
    /// The moves, as text.
    pub(crate) moves: String,
    /// Whether they solve the puzzle.
    pub(crate) solved: bool,
    /// How long it took, in milliseconds.
    pub(crate) ms: u64,
    /// How many hints were taken.
    pub(crate) hints: u32,
    /// The day.
    pub(crate) day: String,
}

impl Store {
    /// Stores an attempt and returns its number.
    pub(crate) fn add_attempt(&self, attempt: &Attempt) -> Result<i64, StoreError> {
        self.with(|connection| {
            check_rows(connection, "attempts")?;
            connection.execute(
                "INSERT INTO attempts (line, moves, solved, ms, hints, day)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                params![
                    attempt.puzzle,
                    attempt.moves,
                    attempt.solved,
                    attempt.ms as i64,
                    attempt.hints,
                    attempt.day
                ],
            )?;
            Ok(connection.last_insert_rowid())
        })
    }

    /// Deletes the attempts from before a day.
    pub(crate) fn delete_attempts_before(&self, day: &str) -> Result<(), StoreError> {
        self.with(|connection| {
            connection.execute("DELETE FROM attempts WHERE day < ?1", [day])?;
            Ok(())
        })
    }

    /// Up to `limit` attempts after a number, each with its own number.
    pub(crate) fn attempts_after(
        &self,
        after: i64,
        limit: u32,
    ) -> Result<Vec<(i64, Attempt)>, StoreError> {
        self.with(|connection| {
            let mut query = connection.prepare_cached(
                "SELECT id, line, moves, solved, ms, hints, day FROM attempts
                 WHERE id > ?1 ORDER BY id LIMIT ?2",
            )?;
            let rows = query.query_map(params![after, limit], |row| {
                let attempt = Attempt {
                    puzzle: row.get(1)?,
                    moves: row.get(2)?,
                    solved: row.get(3)?,
                    ms: row.get::<_, i64>(4)? as u64,
                    hints: row.get(5)?,
                    day: row.get(6)?,
                };
                Ok((row.get(0)?, attempt))
            })?;
            Ok(rows.collect::<Result<Vec<_>, _>>()?)
        })
    }
}
