//! The logs of rooms, and their seats.

use rusqlite::{OptionalExtension, params};

use super::reports::{self, Report};
use super::{Store, StoreError};

/// Something to be written to the log of a room.
#[derive(Debug)]
pub(crate) struct RoomEntry {
    /// The number of the room in the database.
    pub(crate) room: i64,
    /// Events as JSON, with their numbers.
    pub(crate) events: Vec<(u64, String)>,
    /// New seats: player and hash of the token.
    pub(crate) seats: Vec<(u32, [u8; 32])>,
    /// What players report.
    pub(crate) reports: Vec<Report>,
    /// The age of the database at the last activity, if it has changed.
    pub(crate) touched: Option<u64>,
    /// When the room has to wake up, if that has changed.
    pub(crate) wake: Option<Wake>,
}

/// When a room has to wake up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wake {
    /// The room is awake, so it has to wake up right after a restart.
    Always,
    /// At this time.
    At(u64),
    /// Only when a client connects.
    Never,
}

impl Wake {
    const fn column(self) -> Option<i64> {
        match self {
            Self::Always => Some(0),
            Self::At(time) => Some(time as i64),
            Self::Never => None,
        }
    }
}

/// A room as it is in the database.
#[derive(Debug)]
pub(crate) struct StoredRoom {
    pub(crate) id: i64,
    /// The events as JSON, in order.
    pub(crate) events: Vec<String>,
    /// Player and hash of the token.
    pub(crate) seats: Vec<(u32, [u8; 32])>,
}

impl Store {
    /// Stores a new room with its first event and returns its number.
    pub(crate) fn open_room(
        &self,
        name: &str,
        now: u64,
        age: u64,
        opened: &str,
        limit: usize,
    ) -> Result<i64, StoreError> {
        self.with(|connection| {
            let transaction = connection.transaction()?;
            let count: i64 =
                transaction.query_row("SELECT count(*) FROM rooms", [], |row| row.get(0))?;
            if count >= limit as i64 {
                return Err(StoreError::Full("rooms"));
            }
            transaction.execute(
                "INSERT INTO rooms (name, opened, touched, wake) VALUES (?1, ?2, ?3, 0)",
                params![name, now as i64, age as i64],
            )?;
            let id = transaction.last_insert_rowid();
            transaction.execute(
                "INSERT INTO room_events (room, number, event) VALUES (?1, 1, ?2)",
                params![id, opened],
            )?;
            transaction.commit()?;
            Ok(id)
        })
    }

    /// Writes the entries of several rooms in one transaction.
    pub(crate) fn write_rooms<'a>(
        &self,
        entries: impl IntoIterator<Item = &'a RoomEntry>,
    ) -> Result<(), StoreError> {
        self.with(|connection| {
            let transaction = connection.transaction()?;
            {
                let mut event = transaction.prepare_cached(
                    "INSERT INTO room_events (room, number, event) VALUES (?1, ?2, ?3)",
                )?;
                let mut seat = transaction.prepare_cached(
                    "INSERT INTO room_seats (room, player, token) VALUES (?1, ?2, ?3)",
                )?;
                let mut touch =
                    transaction.prepare_cached("UPDATE rooms SET touched = ?2 WHERE id = ?1")?;
                let mut wake =
                    transaction.prepare_cached("UPDATE rooms SET wake = ?2 WHERE id = ?1")?;
                for entry in entries {
                    for report in &entry.reports {
                        reports::add(&transaction, report)?;
                    }
                    for (number, json) in &entry.events {
                        event.execute(params![entry.room, *number as i64, json])?;
                    }
                    for (player, token) in &entry.seats {
                        seat.execute(params![entry.room, player, token])?;
                    }
                    if let Some(touched) = entry.touched {
                        touch.execute(params![entry.room, touched as i64])?;
                    }
                    if let Some(at) = entry.wake {
                        wake.execute(params![entry.room, at.column()])?;
                    }
                }
            }
            transaction.commit()?;
            Ok(())
        })
    }

    /// A room by its name.
    pub(crate) fn room(&self, name: &str) -> Result<Option<StoredRoom>, StoreError> {
        self.with(|connection| {
            let found: Option<i64> = connection
                .prepare_cached("SELECT id FROM rooms WHERE name = ?1")?
                .query_row([name], |row| row.get(0))
                .optional()?;
            let Some(id) = found else {
                return Ok(None);
            };
            let mut events = connection
                .prepare_cached("SELECT event FROM room_events WHERE room = ?1 ORDER BY number")?;
            let events = events.query_map([id], |row| row.get(0))?;
            let mut seats = connection
                .prepare_cached("SELECT player, token FROM room_seats WHERE room = ?1")?;
            let seats = seats.query_map([id], |row| Ok((row.get(0)?, row.get(1)?)))?;
            Ok(Some(StoredRoom {
                id,
                events: events.collect::<Result<_, _>>()?,
                seats: seats.collect::<Result<_, _>>()?,
            }))
        })
    }

    /// Replaces a room by a new one of the same name, with these events and seats.
    pub(crate) fn replace_room(
        &self,
        room: i64,
        now: u64,
        age: u64,
        events: &[String],
        seats: &[(u32, [u8; 32])],
    ) -> Result<(), StoreError> {
        self.with(|connection| {
            let transaction = connection.transaction()?;
            transaction.execute("DELETE FROM room_events WHERE room = ?1", [room])?;
            transaction.execute("DELETE FROM room_seats WHERE room = ?1", [room])?;
            for (number, event) in (1_i64..).zip(events) {
                transaction.execute(
                    "INSERT INTO room_events (room, number, event) VALUES (?1, ?2, ?3)",
                    params![room, number, event],
                )?;
            }
            for (player, token) in seats {
                transaction.execute(
                    "INSERT INTO room_seats (room, player, token) VALUES (?1, ?2, ?3)",
                    params![room, player, token],
                )?;
            }
            transaction.execute(
                "UPDATE rooms SET opened = ?2, touched = ?3, wake = 0 WHERE id = ?1",
                params![room, now as i64, age as i64],
            )?;
            transaction.commit()?;
            Ok(())
        })
    }

    /// Whether there is a room of this name.
    pub(crate) fn has_room(&self, name: &str) -> Result<bool, StoreError> {
        self.with(|connection| {
            let mut query = connection.prepare_cached("SELECT 1 FROM rooms WHERE name = ?1")?;
            Ok(query.exists([name])?)
        })
    }

    /// The rooms that have to be awake at a time.
    pub(crate) fn rooms_due(&self, now: u64) -> Result<Vec<String>, StoreError> {
        self.with(|connection| {
            let mut query = connection.prepare_cached("SELECT name FROM rooms WHERE wake <= ?1")?;
            let rows = query.query_map([now as i64], |row| row.get(0))?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
    }

    /// Deletes rooms without activity since the database had the age `untouched`, and those without
    /// any seat since `never_used`, but not the standing room; returns their names.
    pub(crate) fn delete_rooms(
        &self,
        untouched: u64,
        never_used: u64,
        standing: Option<&str>,
    ) -> Result<Vec<String>, StoreError> {
        self.with(|connection| {
            let mut query = connection.prepare_cached(
                "DELETE FROM rooms WHERE name IS NOT ?3 AND (touched < ?1
                 OR (touched < ?2 AND id NOT IN (SELECT room FROM room_seats)))
                 RETURNING name",
            )?;
            let rows = query.query_map(
                params![untouched as i64, never_used as i64, standing],
                |row| row.get(0),
            )?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
    }

    /// Deletes one room.
    pub(crate) fn delete_room(&self, name: &str) -> Result<(), StoreError> {
        self.with(|connection| {
            connection.execute("DELETE FROM rooms WHERE name = ?1", [name])?;
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;

    fn entry(room: i64) -> RoomEntry {
        RoomEntry {
            room,
            events: Vec::new(),
            seats: Vec::new(),
            reports: Vec::new(),
            touched: None,
            wake: None,
        }
    }

    #[test]
    fn rooms_are_stored_until_they_are_deleted() {
        let store = Store::in_memory(&Clock::system()).unwrap();
        let first = store.open_room("first", 100, 100, "{}", 2).unwrap();
        let second = store.open_room("second", 100, 100, "{}", 2).unwrap();
        assert!(matches!(
            store.open_room("third", 100, 100, "{}", 2),
            Err(StoreError::Full(_))
        ));
        store
            .write_rooms([
                &RoomEntry {
                    events: vec![(2, "a".into()), (3, "b".into())],
                    seats: vec![(1, [7; 32])],
                    touched: Some(200),
                    ..entry(first)
                },
                &RoomEntry {
                    wake: Some(Wake::At(5_000)),
                    ..entry(second)
                },
            ])
            .unwrap();
        let room = store.room("first").unwrap().unwrap();
        assert_eq!(room.events.len(), 3);
        assert_eq!(room.seats, [(1, [7; 32])]);
        assert_eq!(store.rooms_due(4_999).unwrap(), ["first"]);
        assert_eq!(store.rooms_due(5_000).unwrap().len(), 2);
        // Nothing of a batch with a duplicate event is stored.
        let again = RoomEntry {
            events: vec![(4, "c".into()), (3, "b".into())],
            ..entry(first)
        };
        assert!(store.write_rooms([&again]).is_err());
        assert_eq!(store.room("first").unwrap().unwrap().events.len(), 3);
        assert_eq!(store.delete_rooms(50, 150, None).unwrap(), ["second"]);
        assert_eq!(store.delete_rooms(200, 0, None).unwrap().len(), 0);
        assert_eq!(store.delete_rooms(201, 0, Some("first")).unwrap().len(), 0);
        assert_eq!(store.delete_rooms(201, 0, None).unwrap(), ["first"]);
        assert!(store.room("first").unwrap().is_none());
        let reused = store.open_room("third", 100, 100, "{}", 2).unwrap();
        assert_eq!(store.room("third").unwrap().unwrap().id, reused);
        assert_eq!(store.room("third").unwrap().unwrap().events, ["{}"]);
    }
}
