//! The age of the database: how long it has been in use.
//!
//! What is deleted after a while is deleted by age, not by date. Age grows with the monotonic clock
//! while a server runs, and by the time between two runs as far as the wall clock can be trusted. So a
//! clock that is set wrong deletes nothing.

use rusqlite::{OptionalExtension, params};

use super::{Store, StoreError};
use crate::clock::Clock;

/// The most that counts as the time between two runs, in milliseconds: a day.
const MAX_DOWNTIME: u64 = 24 * 3_600_000;

/// The age at the start of a run. It begins with the date, as earlier versions stored dates.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AgeAtStart {
    age: u64,
    time: u64,
}

impl Store {
    /// Reads the age at the start.
    pub(super) fn start_age(&mut self, clock: &Clock) -> Result<(), StoreError> {
        let wall = clock.wall_ms();
        let stored = self.with(|connection| {
            let query = "SELECT age, wall FROM age";
            let row = connection.query_row(query, [], |row| {
                Ok((row.get::<_, i64>(0)? as u64, row.get::<_, i64>(1)? as u64))
            });
            if let Some(row) = row.optional()? {
                return Ok(Some(row));
            }
            let query = "SELECT max(touched) FROM rooms";
            let touched: Option<i64> = connection.query_row(query, [], |row| row.get(0))?;
            Ok(touched.map(|touched| (touched as u64, touched as u64)))
        })?;
        let age = stored.map_or(wall, |(age, before)| {
            age + wall.saturating_sub(before).min(MAX_DOWNTIME)
        });
        self.age_at_start = AgeAtStart {
            age,
            time: clock.time().0,
        };
        self.save_age(clock)
    }

    /// The age now, in milliseconds.
    pub(crate) fn age(&self, clock: &Clock) -> u64 {
        self.age_at_start.age + clock.time().0.saturating_sub(self.age_at_start.time)
    }

    /// Stores the age for the next start.
    pub(crate) fn save_age(&self, clock: &Clock) -> Result<(), StoreError> {
        let (age, wall) = (self.age(clock) as i64, clock.wall_ms() as i64);
        self.with(|connection| {
            connection.execute(
                "INSERT INTO age (id, age, wall) VALUES (1, ?1, ?2)
                 ON CONFLICT (id) DO UPDATE SET age = excluded.age, wall = excluded.wall",
                params![age, wall],
            )?;
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::clock::ManualClock;

    #[test]
    fn a_clock_that_is_wrong_at_the_start_ages_nothing() {
        const HOUR: u64 = 3_600_000;
        let days = |days: u64| Duration::from_secs(86_400 * days);
        let folder = tempfile::tempdir().unwrap();
        let manual = ManualClock::new(days(20_000));
        let mut clock = manual.clock();
        let store = Store::open(folder.path(), &clock).unwrap();
        let start = store.age(&clock);
        manual.advance(Duration::from_secs(2 * 3600));
        assert_eq!(store.age(&clock) - start, 2 * HOUR);
        store.save_age(&clock).unwrap();
        drop(store);
        // Three hours off, then a start with a clock 40 days ahead, then one with a clock that is back.
        for (wall, passed) in [
            (days(20_000) + Duration::from_secs(5 * 3600), 5 * HOUR),
            (days(20_040), 29 * HOUR),
            (days(20_001), 29 * HOUR),
        ] {
            manual.set_wall(wall);
            clock = manual.clock();
            let store = Store::open(folder.path(), &clock).unwrap();
            assert_eq!(store.age(&clock) - start, passed, "{wall:?}");
        }
    }
}
