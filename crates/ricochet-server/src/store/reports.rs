//! Reports of players about players, for the operator.

use rusqlite::{Connection, params};

use super::{Store, StoreError};

/// The most reports that are stored; then the oldest are deleted.
const MAX_REPORTS: u32 = 10_000;

/// How long a report is stored, in days.
pub(crate) const REPORT_DAYS: u64 = 90;

/// A report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The room.
    pub room: String,
    /// The last event of the room at that time.
    pub event: u64,
    /// The number of the player who reports.
    pub reporter: u32,
    /// The number of the reported player.
    pub reported: u32,
    /// The name of the reported player.
    pub name: String,
    /// The last chat lines of the reported player.
    pub said: String,
    /// When, in seconds since 1970.
    pub at: u64,
}

/// Stores a report as part of a transaction.
pub(super) fn add(connection: &Connection, report: &Report) -> rusqlite::Result<()> {
    connection.execute(
        "INSERT INTO reports (room, event, reporter, reported, name, said, at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![
            report.room,
            report.event as i64,
            report.reporter,
            report.reported,
            report.name,
            report.said,
            report.at as i64
        ],
    )?;
    connection.execute(
        "DELETE FROM reports WHERE id <= (SELECT max(id) FROM reports) - ?1",
        [MAX_REPORTS],
    )?;
    Ok(())
}

/// All reports, the latest first.
pub(super) fn all(connection: &Connection) -> rusqlite::Result<Vec<Report>> {
    let mut query = connection.prepare(
        "SELECT room, event, reporter, reported, name, said, at FROM reports ORDER BY id DESC",
    )?;
    let rows = query.query_map([], |row| {
        Ok(Report {
            room: row.get(0)?,
            event: row.get::<_, i64>(1)? as u64,
            reporter: row.get(2)?,
            reported: row.get(3)?,
            name: row.get(4)?,
            said: row.get(5)?,
            at: row.get::<_, i64>(6)? as u64,
        })
    })?;
    rows.collect()
}

impl Store {
    /// Deletes the reports from before a time in seconds since 1970.
    pub(crate) fn delete_reports(&self, before: u64) -> Result<(), StoreError> {
        self.with(|connection| {
            connection.execute("DELETE FROM reports WHERE at < ?1", [before as i64])?;
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;

    #[test]
    fn old_reports_and_too_many_are_deleted() {
        let store = Store::in_memory(&Clock::system()).unwrap();
        let report = |at| Report {
            room: "abcdef".into(),
            event: 7,
            reporter: 1,
            reported: 2,
            name: "Ben".into(),
            said: "one\ntwo".into(),
            at,
        };
        store
            .with(|connection| {
                for at in 0..u64::from(MAX_REPORTS) + 5 {
                    add(connection, &report(at))?;
                }
                let stored = all(connection)?;
                assert_eq!(stored.len(), MAX_REPORTS as usize);
                assert_eq!(stored[0], report(u64::from(MAX_REPORTS) + 4));
                Ok(())
            })
            .unwrap();
        store.delete_reports(u64::from(MAX_REPORTS)).unwrap();
        let left = store.with(|connection| Ok(all(connection)?)).unwrap();
        assert_eq!(left.len(), 5);
    }
}
