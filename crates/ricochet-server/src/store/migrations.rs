//! The versions of the database. A new version is appended; the old ones never change.

use rusqlite::{Connection, TransactionBehavior};

use super::StoreError;

/// What each version adds to the previous one.
const VERSIONS: [&str; 4] = [
    // 1: results, puzzles and attempts.
    "CREATE TABLE results (
        id INTEGER PRIMARY KEY,
        date TEXT NOT NULL,
        player TEXT NOT NULL,
        moves TEXT NOT NULL,
        length INTEGER NOT NULL,
        ms INTEGER NOT NULL,
        hints INTEGER NOT NULL,
        UNIQUE (date, player)
    ) STRICT;
    CREATE TABLE puzzles (
        id INTEGER PRIMARY KEY,
        line TEXT NOT NULL,
        title TEXT NOT NULL,
        saved INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE attempts (
        id INTEGER PRIMARY KEY,
        line TEXT NOT NULL,
        moves TEXT NOT NULL,
        solved INTEGER NOT NULL,
        ms INTEGER NOT NULL,
        hints INTEGER NOT NULL,
        day TEXT NOT NULL
    ) STRICT;",
    // 2: rooms. The events of a room are stored together, in their order.
    "CREATE TABLE rooms (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        opened INTEGER NOT NULL,
        touched INTEGER NOT NULL,
        wake INTEGER
    ) STRICT;
    CREATE INDEX rooms_wake ON rooms (wake) WHERE wake IS NOT NULL;
    CREATE TABLE room_events (
        room INTEGER NOT NULL REFERENCES rooms ON DELETE CASCADE,
        number INTEGER NOT NULL,
        event TEXT NOT NULL,
        PRIMARY KEY (room, number)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE room_seats (
        room INTEGER NOT NULL REFERENCES rooms ON DELETE CASCADE,
        player INTEGER NOT NULL,
        token BLOB NOT NULL,
        PRIMARY KEY (room, player)
    ) STRICT, WITHOUT ROWID;",
    // 3: the age of the database; names and owners of puzzles. Puzzles from before have no owner.
    "CREATE TABLE age (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        age INTEGER NOT NULL,
        wall INTEGER NOT NULL
    ) STRICT;
    ALTER TABLE puzzles ADD COLUMN name TEXT;
    ALTER TABLE puzzles ADD COLUMN secret BLOB;
    ALTER TABLE puzzles ADD COLUMN listed INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE puzzles ADD COLUMN used INTEGER NOT NULL DEFAULT 0;
    UPDATE puzzles SET name = substr(lower(hex(randomblob(6))), 1, 12), used = saved * 1000;
    CREATE UNIQUE INDEX puzzles_name ON puzzles (name);
    CREATE INDEX puzzles_listed ON puzzles (id) WHERE listed;
    CREATE INDEX puzzles_used ON puzzles (used);
    CREATE INDEX results_player ON results (player);",
    // 4: reports of players; results and attempts expire.
    "CREATE TABLE reports (
        id INTEGER PRIMARY KEY,
        room TEXT NOT NULL,
        event INTEGER NOT NULL,
        reporter INTEGER NOT NULL,
        reported INTEGER NOT NULL,
        name TEXT NOT NULL,
        said TEXT NOT NULL,
        at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX attempts_day ON attempts (day);",
];

/// Brings a database to the latest version in one transaction.
pub(super) fn migrate(connection: &mut Connection) -> Result<(), StoreError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found: i64 = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let known = VERSIONS.len() as i64;
    if found > known {
        return Err(StoreError::TooNew { found, known });
    }
    for step in &VERSIONS[found.max(0) as usize..] {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "user_version", known)?;
    transaction.commit()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_is_migrated_once_and_a_newer_one_is_left_alone() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection).unwrap();
        migrate(&mut connection).unwrap();
        let version: i64 = connection
            .pragma_query_value(None, "user_version", |row| row.get(0))
            .unwrap();
        assert_eq!(version, VERSIONS.len() as i64);
        connection.pragma_update(None, "user_version", 99).unwrap();
        let error = migrate(&mut connection).unwrap_err();
        assert!(
            matches!(error, StoreError::TooNew { found: 99, .. }),
            "{error}"
        );
    }
}
