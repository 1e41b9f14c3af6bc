//! Results of the daily puzzle.

use rusqlite::params;
use schemars::JsonSchema;
use serde::Serialize;

use super::{Store, StoreError, check_rows};

/// How long a result is stored after its day, in days.
pub(crate) const RESULT_DAYS: u64 = 730;

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
    /// The number of players by time, the fastest first.
    pub(crate) times: Vec<TimeCount>,
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

/// A result as its player gets it back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct OwnResult {
    /// The day, as `2026-11-17`.
    pub(crate) date: String,
    /// The moves, as text.
    pub(crate) moves: String,
    /// The number of moves.
    pub(crate) length: u32,
    /// How long it took, in milliseconds.
    pub(crate) ms: u64,
    /// How many hints were taken.
    pub(crate) hints: u32,
}

/// How many players needed a span of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct TimeCount {
    /// The end of the span in milliseconds; it begins after the span before it. Null for the last one,
    /// which has no end.
    pub(crate) up_to_ms: Option<u64>,
    /// The number of players.
    pub(crate) players: u64,
}

/// The ends of the spans: one, three, five, ten and thirty minutes.
const SPANS: [u64; 5] = [60_000, 180_000, 300_000, 600_000, 1_800_000];

/// The players of each span.
fn count_times(all: &[u64]) -> Vec<TimeCount> {
    let mut times: Vec<TimeCount> = SPANS
        .into_iter()
        .map(Some)
        .chain([None])
        .map(|up_to_ms| TimeCount {
            up_to_ms,
            players: 0,
        })
        .collect();
    for &ms in all {
        let span = SPANS.partition_point(|&end| end < ms);
        times[span].players += 1;
    }
    times
}

impl Store {
    /// Deletes the results of the days before a date.
    pub(crate) fn delete_results_before(&self, date: &str) -> Result<(), StoreError> {
        self.with(|connection| {
            connection.execute("DELETE FROM results WHERE date < ?1", [date])?;
            Ok(())
        })
    }

    /// All results of a player, by date.
    pub(crate) fn results_of(&self, player: &str) -> Result<Vec<OwnResult>, StoreError> {
        self.with(|connection| {
            let mut query = connection.prepare_cached(
                "SELECT date, moves, length, ms, hints FROM results WHERE player = ?1
                 ORDER BY date",
            )?;
            let rows = query.query_map([player], |row| {
                Ok(OwnResult {
                    date: row.get(0)?,
                    moves: row.get(1)?,
                    length: row.get(2)?,
                    ms: row.get::<_, i64>(3)? as u64,
                    hints: row.get(4)?,
                })
            })?;
            Ok(rows.collect::<Result<Vec<_>, _>>()?)
        })
    }

    /// Deletes all results of a player.
    pub(crate) fn delete_results_of(&self, player: &str) -> Result<(), StoreError> {
        self.with(|connection| {
            connection.execute("DELETE FROM results WHERE player = ?1", [player])?;
            Ok(())
        })
    }

    /// Stores a result. Only the best result of a player stays: fewer moves, then less time.
    pub(crate) fn add_result(&self, result: &DayResult) -> Result<(), StoreError> {
        self.with(|connection| {
            check_rows(connection, "results")?;
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
            let mut query = connection.prepare_cached("SELECT ms FROM results WHERE date = ?1")?;
            let all = query.query_map([date], |row| row.get::<_, i64>(0))?;
            let all = all.map(|ms| ms.map(|ms| ms as u64));
            let times = count_times(&all.collect::<Result<Vec<_>, _>>()?);
            Ok(DaySummary {
                date: date.to_owned(),
                players: lengths.iter().map(|it| it.players).sum(),
                lengths,
                times,
                best_ms: rows.first().map(|&(_, _, ms)| ms as u64),
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;
    use crate::store::{Attempt, MAX_ROWS};

    #[test]
    fn of_one_player_the_best_result_stays() {
        let store = Store::in_memory(&Clock::system()).unwrap();
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
        let times: Vec<_> = day
            .times
            .iter()
            .map(|it| (it.up_to_ms, it.players))
            .collect();
        assert_eq!(times[0], (Some(60_000), 2));
        assert!(times[1..].iter().all(|&(_, players)| players == 0));
        assert_eq!(store.day("2026-11-18").unwrap().players, 0);
        store.delete_results_before("2026-11-17").unwrap();
        assert_eq!(store.day("2026-11-17").unwrap().players, 2);
        store.delete_results_before("2026-11-18").unwrap();
        assert_eq!(store.day("2026-11-17").unwrap().players, 0);
    }

    #[test]
    fn full_tables_accept_rows_again_when_old_ones_have_expired() {
        let store = Store::in_memory(&Clock::system()).unwrap();
        let add_result = |date: &str, player: &str| {
            store.add_result(&DayResult {
                date: date.into(),
                player: player.into(),
                moves: "RE".into(),
                length: 1,
                ms: 1,
                hints: 0,
            })
        };
        let add_attempt = |day: &str| {
            store.add_attempt(&Attempt {
                puzzle: "4x3..0012.R31".into(),
                moves: "RE".into(),
                solved: false,
                ms: 1,
                hints: 0,
                day: day.into(),
            })
        };
        for (day, player) in [("2024-11-17", "a"), ("2026-11-17", "b")] {
            add_result(day, player).unwrap();
            add_attempt(day).unwrap();
        }
        // As if there were as many rows as fit between the two.
        store
            .with(|connection| {
                for table in ["results", "attempts"] {
                    let update = format!("UPDATE {table} SET id = ?1 WHERE id = 2");
                    connection.execute(&update, [MAX_ROWS])?;
                }
                Ok(())
            })
            .unwrap();
        let full = add_result("2026-11-17", "c");
        assert!(matches!(full, Err(StoreError::Full("results"))));
        let full = add_attempt("2026-11-17");
        assert!(matches!(full, Err(StoreError::Full("attempts"))));
        store.delete_results_before("2026-01-01").unwrap();
        store.delete_attempts_before("2026-01-01").unwrap();
        add_result("2026-11-17", "c").unwrap();
        add_attempt("2026-11-17").unwrap();
    }

    #[test]
    fn a_time_belongs_to_the_first_span_that_holds_it() {
        let times = count_times(&[0, 60_000, 60_001, 1_800_000, 1_800_001, 8_000_000]);
        let players: Vec<_> = times.iter().map(|it| it.players).collect();
        assert_eq!(players, [2, 1, 0, 0, 1, 2]);
        assert_eq!(times.last().map(|it| it.up_to_ms), Some(None));
    }
}
