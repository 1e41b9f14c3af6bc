//! What an operator does with the database while a server runs. Access to the folder is the
//! permission, so there is no address that a stranger could call.

use std::io;
use std::path::Path;

use rusqlite::{Connection, OpenFlags};

use super::reports::{self, Report};
use super::{BUSY, DATABASE};

/// Deletes a room; `false` if there is none. A running server closes its connections within ten
/// seconds.
///
/// # Errors
/// If there is no database, or it cannot be written.
pub fn close_room(folder: &Path, name: &str) -> io::Result<bool> {
    delete(folder, "DELETE FROM rooms WHERE name = ?1", name)
}

/// Deletes a saved puzzle; `false` if there is none.
///
/// # Errors
/// If there is no database, or it cannot be written.
pub fn delete_puzzle(folder: &Path, name: &str) -> io::Result<bool> {
    delete(folder, "DELETE FROM puzzles WHERE name = ?1", name)
}

/// What players have reported, the latest first.
///
/// # Errors
/// If there is no database, or it cannot be read.
pub fn reports(folder: &Path) -> io::Result<Vec<Report>> {
    reports::all(&open(folder)?).map_err(io::Error::other)
}

fn delete(folder: &Path, sql: &str, name: &str) -> io::Result<bool> {
    let deleted = open(folder)?.execute(sql, [name]);
    Ok(deleted.map_err(io::Error::other)? > 0)
}

/// Opens the database of a folder next to a server.
fn open(folder: &Path) -> io::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(folder.join(DATABASE), flags);
    let connection = connection.map_err(io::Error::other)?;
    connection.busy_timeout(BUSY).map_err(io::Error::other)?;
    // Events and seats go with their room.
    connection
        .pragma_update(None, "foreign_keys", true)
        .map_err(io::Error::other)?;
    Ok(connection)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;
    use crate::store::{SavedPuzzle, Store};

    #[test]
    fn an_operator_deletes_next_to_a_server() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        assert!(close_room(path, "first").is_err(), "there is no database");
        let store = Store::open(path, &Clock::system()).unwrap();
        let room = store.open_room("first", 1, 1, "{}", 9).unwrap();
        let puzzle = SavedPuzzle {
            id: "abcdef".into(),
            line: "8x8..00.R77".into(),
            title: String::new(),
            saved: 0,
            listed: true,
        };
        store.save_puzzle(&puzzle, &[7; 32], 1).unwrap();
        assert!(!close_room(path, "other").unwrap());
        assert!(close_room(path, "first").unwrap());
        assert!(!store.has_room("first").unwrap());
        let left: i64 = store
            .with(|connection| {
                let query = "SELECT count(*) FROM room_events WHERE room = ?1";
                Ok(connection.query_row(query, [room], |row| row.get(0))?)
            })
            .unwrap();
        assert_eq!(left, 0);
        assert!(!delete_puzzle(path, "other").unwrap());
        assert!(delete_puzzle(path, "abcdef").unwrap());
        assert_eq!(store.puzzles().unwrap(), []);
        assert_eq!(reports(path).unwrap(), []);
    }
}
