//! Results of the daily puzzle.

use rusqlite::params;
use schemars::JsonSchema;
use serde::Serialize;

use super::{Store, StoreError};

/// A verified result.
#[derive(Clone, Debug)]
pub(crate) struct DayResult {
    pub(crate) date: String,
    /// A random key of the player's browser, which identifies nobody.
    pub(crate) player: String,
    pub(crate) moves: String,
    pub(crate) length: u32,
    pub(crate) ms: u64,
    pub(crate) hints: u32,
}

/// The results of all players on a day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct DaySummary {
    /// The day, as `2026-11-17`.
    pub(crate) date: String,
    /// The number of players with a result.
    pub(crate) players: u64,
    /// The number of players by number of moves, the fewest moves first.
    pub(crate) lengths: Vec<LengthCount>,
    /// The fastest time among the shortest results, in milliseconds; null if there is none.
    pub(crate) best_ms: Option<u64>,
}

/// How many players needed a number of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct LengthCount {
    /// The number of moves.
    pub(crate) length: u32,
    /// The number of players.
    pub(crate) players: u64,
}

impl Store {
    /// Stores a result. Only the best result of a player stays: fewer moves, then less time.
    pub(crate) fn add_result(&self, result: &DayResult) -> Result<(), StoreError> {
        self.with(|connection| {
            connection.execute(
                "INSERT INTO results (date, player, moves, length, ms, hints)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                 ON CONFLICT (date, player) DO UPDATE SET
                    moves = excluded.moves, length = excluded.length,
                    ms = excluded.ms, hints = excluded.hints
                 WHERE (excluded.length, excluded.ms) < (length, ms)",
                params![
                    result.date,
                    result.player,
                    result.moves,
                    result.length,
                    result.ms as i64,
                    result.hints
                ],
            )?;
            Ok(())
        })
    }

    /// The results of all players on a day.
    pub(crate) fn day(&self, date: &str) -> Result<DaySummary, StoreError> {
        self.with(|connection| {
            let mut query = connection.prepare_cached(
                "SELECT length, count(*), min(ms) FROM results WHERE date = ?1
                 GROUP BY length ORDER BY length",
            )?;
            let rows = query.query_map([date], |row| {
                Ok((
                    row.get::<_, u32>(0)?,
                    row.get::<_, i64>(1)?,
                    row.get::<_, i64>(2)?,
                ))
            })?;
            let rows = rows.collect::<Result<Vec<_>, _>>()?;
            let lengths: Vec<LengthCount> = rows
                .iter()
                .map(|&(length, players, _)| LengthCount {
                    length,
                    players: players as u64,
                })
                .collect();
            Ok(DaySummary {
                date: date.to_owned(),
                players: lengths.iter().map(|it| it.players).sum(),
                lengths,
                best_ms: rows.first().map(|&(_, _, ms)| ms as u64),
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_one_player_the_best_result_stays() {
        let store = Store::in_memory().unwrap();
        let result = |player: &str, length, ms| DayResult {
            date: "2026-11-17".into(),
            player: player.into(),
            moves: "RE".into(),
            length,
            ms,
            hints: 0,
        };
        for (player, length, ms) in [
            ("a", 7, 9000),
            ("a", 6, 9500),
            ("a", 6, 9900),
            ("b", 6, 100),
        ] {
            store.add_result(&result(player, length, ms)).unwrap();
        }
        let day = store.day("2026-11-17").unwrap();
        assert_eq!(
            day.lengths,
            [LengthCount {
                length: 6,
                players: 2
            }]
        );
        assert_eq!(day.best_ms, Some(100));
        assert_eq!(store.day("2026-11-18").unwrap().players, 0);
    }
}
