//! The thread that writes the logs of all rooms. Entries that arrive during a commit go into the next
//! one, so the number of commits does not grow with the number of rooms. No event is sent before its
//! commit is done.

use std::sync::Arc;
use std::thread;
use std::time::Instant;

use tokio::sync::{mpsc, oneshot};

use crate::metrics::Metrics;
use crate::store::{RoomEntry, Store};

/// The most entries in one commit.
const BATCH: usize = 1_000;

/// How many entries may wait; rooms wait when there are more.
const QUEUE: usize = 1_000;

type Waiting = (RoomEntry, oneshot::Sender<bool>);

/// Access to the thread that writes.
#[derive(Clone)]
pub(crate) struct LogWriter {
    sender: mpsc::Sender<Waiting>,
}

impl LogWriter {
    /// Starts the thread; it ends when the last room is dropped.
    pub(crate) fn start(store: Arc<Store>, metrics: Arc<Metrics>) -> std::io::Result<Self> {
        let (sender, mut receiver) = mpsc::channel::<Waiting>(QUEUE);
        let work = move || {
            let mut batch = Vec::new();
            while receiver.blocking_recv_many(&mut batch, BATCH) > 0 {
                let started = Instant::now();
                let written = write(&store, &batch);
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

    /// Writes an entry; `false` if that failed.
    pub(crate) async fn write(&self, entry: RoomEntry) -> bool {
        let (done, written) = oneshot::channel();
        if self.sender.send((entry, done)).await.is_err() {
            return false;
        }
        written.await.unwrap_or(false)
    }
}

/// Writes a batch; whether each entry was written.
fn write(store: &Store, batch: &[Waiting]) -> Vec<bool> {
    match store.write_rooms(batch.iter().map(|(entry, _)| entry)) {
        Ok(()) => vec![true; batch.len()],
        Err(error) => {
            tracing::error!("the log of rooms: {error}");
            // One entry may be the cause, such as that of a deleted room: write the others.
            let alone = batch
                .iter()
                .map(|(entry, _)| batch.len() > 1 && store.write_rooms([entry]).is_ok());
            alone.collect()
        }
    }
}
