//! The thread that writes the logs of all rooms. Entries that arrive during a commit go into the next
//! one, so the number of commits does not grow with the number of rooms. No event is sent before its
//! commit is done.

use std::sync::{Arc, Weak};
use std::thread;
use std::time::Instant;

use tokio::sync::{mpsc, oneshot};

use crate::metrics::Metrics;
use crate::rooms::protocol::outgoing::CloseReason;
use crate::store::{RoomEntry, Store, StoreError};

/// The most entries in one commit.
const BATCH: usize = 1_000;

/// How many entries may wait; rooms wait when there are more.
const QUEUE: usize = 1_000;

type Written = Result<(), CloseReason>;

type Waiting = (RoomEntry, oneshot::Sender<Written>);

/// Access to the thread that writes.
#[derive(Clone)]
pub(crate) struct LogWriter {
    sender: mpsc::Sender<Waiting>,
}

impl LogWriter {
    /// Starts the thread; it ends when the last room is dropped. It does not keep the database open,
    /// so that it can be opened again as soon as the last room is dropped, before this thread notices.
    pub(crate) fn start(store: Weak<Store>, metrics: Arc<Metrics>) -> std::io::Result<Self> {
        let (sender, mut receiver) = mpsc::channel::<Waiting>(QUEUE);
        let work = move || {
            let mut batch = Vec::new();
            while receiver.blocking_recv_many(&mut batch, BATCH) > 0 {
                // Every room that waits for an entry has the database open.
                let Some(store) = store.upgrade() else { break };
                let started = Instant::now();
                let written = write(&store, &batch);
                drop(store);
                let time = started.elapsed();
                metrics.room_commits.add(1);
                metrics.room_commit_micros.add(time.as_micros() as u64);
                for ((_, done), written) in batch.drain(..).zip(written) {
                    let _ = done.send(written);
                }
            }
        };
        thread::Builder::new()
            .name("room-log".to_owned())
            .spawn(work)?;
        Ok(Self { sender })
    }

    /// Writes an entry.
    ///
    /// # Errors
    /// Why it was not written, for the connections of the room.
    pub(crate) async fn write(&self, entry: RoomEntry) -> Written {
        let (done, written) = oneshot::channel();
        if self.sender.send((entry, done)).await.is_err() {
            return Err(CloseReason::SERVER_ERROR);
        }
        written.await.unwrap_or(Err(CloseReason::SERVER_ERROR))
    }
}

/// Writes a batch; whether each entry was written.
fn write(store: &Store, batch: &[Waiting]) -> Vec<Written> {
    let reason = |error: &StoreError| match error {
        StoreError::DiskFull => CloseReason::DISK_FULL,
        _ => CloseReason::SERVER_ERROR,
    };
    match store.write_rooms(batch.iter().map(|(entry, _)| entry)) {
        Ok(()) => vec![Ok(()); batch.len()],
        Err(error) => {
            tracing::error!("the log of rooms: {error}");
            if batch.len() == 1 {
                return vec![Err(reason(&error))];
            }
            // One entry may be the cause, such as that of a deleted room: write the others.
            let alone = batch
                .iter()
                .map(|(entry, _)| store.write_rooms([entry]).map_err(|error| reason(&error)));
            alone.collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;

    fn entry(room: i64, number: u64, event: &str) -> RoomEntry {
        RoomEntry {
            room,
            events: vec![(number, event.to_owned())],
            seats: Vec::new(),
            reports: Vec::new(),
            touched: None,
            wake: None,
        }
    }

    #[tokio::test]
    async fn a_full_disk_is_the_reason_that_rooms_hear() {
        let store = Arc::new(Store::in_memory(&Clock::system()).unwrap());
        let room = store.open_room("room", 1, 1, "{}", 1).unwrap();
        let log = LogWriter::start(Arc::downgrade(&store), Arc::default()).unwrap();
        assert_eq!(log.write(entry(room, 2, "before")).await, Ok(()));
        store.fill_disk();
        let long = "x".repeat(100_000);
        let written = log.write(entry(room, 3, &long)).await;
        assert_eq!(written, Err(CloseReason::DISK_FULL));
        // In a batch, the entry that still fits is written, and the others learn their own reasons.
        let batch = [(3, &*long), (3, "fits"), (2, "again")];
        let batch = batch.map(|(number, event)| (entry(room, number, event), oneshot::channel().0));
        let (full, error) = (CloseReason::DISK_FULL, CloseReason::SERVER_ERROR);
        assert_eq!(write(&store, &batch), [Err(full), Ok(()), Err(error)]);
        let events = store.room("room").unwrap().unwrap().events;
        assert_eq!(events, ["{}", "before", "fits"]);
    }
}
