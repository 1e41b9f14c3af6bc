//! The open connections, with limits in total and per address.
//!
//! A client that opens more than its share loses its idlest connection; if all are in use, the new one
//! is refused. When the server is full, the idlest connection of the client with the most is closed.
//!
//! Behind a proxy all connections are the proxy's, so requests in flight are counted instead.

use std::collections::HashMap;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Instant;

use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};
use tokio::sync::Notify;

use crate::rate_limit::is_limited;

/// The limits of connections.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConnectionLimits {
    pub(crate) total: usize,
    pub(crate) per_client: usize,
}

/// One open connection.
#[derive(Debug)]
pub(crate) struct Connection {
    /// Responses that are being made or sent.
    busy: AtomicUsize,
    /// Milliseconds from the start of the server to the end of the last response.
    idle_since: AtomicU64,
    started: Instant,
    close: Notify,
}

impl Connection {
    /// Ready when the connection has to be closed.
    pub(crate) async fn closed(&self) {
        self.close.notified().await;
    }

    /// Marks the connection as busy until the guard is dropped.
    pub(crate) fn busy(self: &Arc<Self>) -> BusyGuard {
        self.busy.fetch_add(1, Ordering::AcqRel);
        BusyGuard(Arc::clone(self))
    }

    fn touch(&self) {
        let now = self.started.elapsed().as_millis() as u64;
        self.idle_since.store(now, Ordering::Release);
    }
}

/// Keeps a connection busy.
#[derive(Debug)]
pub(crate) struct BusyGuard(Arc<Connection>);

impl Drop for BusyGuard {
    fn drop(&mut self) {
        self.0.touch();
        self.0.busy.fetch_sub(1, Ordering::AcqRel);
    }
}

/// A body that holds a guard until it has been sent.
pub(crate) struct GuardedBody<G> {
    pub(crate) body: Body,
    pub(crate) _guard: G,
}

impl<G: Unpin> HttpBody for GuardedBody<G> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[derive(Default)]
struct Open {
    next: u64,
    count: usize,
    by_client: HashMap<IpAddr, HashMap<u64, Arc<Connection>>>,
}

impl Open {
    fn remove(&mut self, client: IpAddr, number: u64) {
        let Some(own) = self.by_client.get_mut(&client) else {
            return;
        };
        if own.remove(&number).is_some() {
            self.count -= 1;
        }
        if own.is_empty() {
            self.by_client.remove(&client);
        }
    }

    /// The client with the most connections, and their number. Of clients with equally many, the one
    /// whose idlest connection has been idle for longest.
    fn greediest(&self) -> Option<(IpAddr, usize)> {
        let idle_since = |own: &HashMap<u64, Arc<Connection>>| {
            let idle = own
                .values()
                .filter(|it| it.busy.load(Ordering::Acquire) == 0);
            idle.map(|it| it.idle_since.load(Ordering::Acquire)).min()
        };
        let most = self.by_client.values().map(HashMap::len).max()?;
        let clients = self.by_client.iter().filter(|(_, own)| own.len() == most);
        let (client, _) = clients.min_by_key(|(_, own)| idle_since(own).unwrap_or(u64::MAX))?;
        Some((*client, most))
    }

    /// Closes the idlest connection of a client, if one is idle.
    fn evict(&mut self, client: IpAddr) -> bool {
        let own = self.by_client.get(&client);
        let idle = own.into_iter().flatten();
        let idle = idle.filter(|(_, it)| it.busy.load(Ordering::Acquire) == 0);
        let idlest = idle.min_by_key(|(_, it)| it.idle_since.load(Ordering::Acquire));
        let Some((number, connection)) = idlest.map(|(number, it)| (*number, Arc::clone(it)))
        else {
            return false;
        };
        self.remove(client, number);
        connection.close.notify_one();
        true
    }
}

/// All open connections.
pub(crate) struct Connections {
    limits: ConnectionLimits,
    started: Instant,
    open: Mutex<Open>,
    /// Told when a connection is gone.
    pub(crate) gone: Notify,
}

impl Connections {
    pub(crate) fn new(limits: ConnectionLimits) -> Arc<Self> {
        Arc::new(Self {
            limits,
            started: Instant::now(),
            open: Mutex::default(),
            gone: Notify::new(),
        })
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of open connections.
    pub(crate) fn count(&self) -> usize {
        self.open().count
    }

    /// Admits a connection of a client, which may close an idle one; `None` if there is no place.
    pub(crate) fn admit(self: &Arc<Self>, client: IpAddr) -> Option<ConnectionGuard> {
        let mut open = self.open();
        let own = open.by_client.get(&client).map_or(0, HashMap::len);
        if is_limited(client) && own >= self.limits.per_client && !open.evict(client) {
            return None;
        }
        if open.count >= self.limits.total {
            let (most, count) = open.greediest()?;
            let own = open.by_client.get(&client).map_or(0, HashMap::len);
            // A client must not displace those that have fewer connections than itself.
            if count < own.max(1) || !open.evict(most) {
                return None;
            }
        }
        open.next += 1;
        open.count += 1;
        let number = open.next;
        let connection = Arc::new(Connection {
            busy: AtomicUsize::new(0),
            idle_since: AtomicU64::new(0),
            started: self.started,
            close: Notify::new(),
        });
        connection.touch();
        let own = open.by_client.entry(client).or_default();
        own.insert(number, Arc::clone(&connection));
        Some(ConnectionGuard {
            connection,
            client,
            number,
            all: Arc::clone(self),
        })
    }
}

/// The place of a connection, given back when dropped.
pub(crate) struct ConnectionGuard {
    pub(crate) connection: Arc<Connection>,
    client: IpAddr,
    number: u64,
    all: Arc<Connections>,
}

impl Drop for ConnectionGuard {
    fn drop(&mut self) {
        self.all.open().remove(self.client, self.number);
        self.all.gone.notify_one();
    }
}

/// The requests in flight of each client.
#[derive(Default)]
pub(crate) struct Requests {
    by_client: Mutex<HashMap<IpAddr, usize>>,
}

impl Requests {
    fn by_client(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        self.by_client
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a request of a client until the guard is dropped; `None` if it has `limit` already.
    pub(crate) fn admit(self: &Arc<Self>, client: IpAddr, limit: usize) -> Option<RequestGuard> {
        let mut by_client = self.by_client();
        let count = by_client.entry(client).or_default();
        if is_limited(client) && *count >= limit {
            return None;
        }
        *count += 1;
        Some(RequestGuard {
            client,
            all: Arc::clone(self),
        })
    }
}

/// The place of a request, given back when dropped.
pub(crate) struct RequestGuard {
    client: IpAddr,
    all: Arc<Requests>,
}

impl Drop for RequestGuard {
    fn drop(&mut self) {
        let mut by_client = self.all.by_client();
        if let Some(count) = by_client.get_mut(&self.client) {
            *count -= 1;
            if *count == 0 {
                by_client.remove(&self.client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(last: u8) -> IpAddr {
        IpAddr::from([192, 0, 2, last])
    }

    fn is_open(guard: &ConnectionGuard) -> bool {
        let open = guard.all.open();
        let own = open.by_client.get(&guard.client);
        own.is_some_and(|own| own.contains_key(&guard.number))
    }

    #[test]
    fn one_client_displaces_only_itself() {
        let all = Connections::new(ConnectionLimits {
            total: 10,
            per_client: 2,
        });
        let other = all.admit(client(2)).unwrap();
        let first = all.admit(client(1)).unwrap();
        let second = all.admit(client(1)).unwrap();
        let busy = [first.connection.busy(), second.connection.busy()];
        assert!(all.admit(client(1)).is_none(), "both are in use");
        let [busy, ended] = busy;
        drop(ended);
        let third = all.admit(client(1)).unwrap();
        assert!(is_open(&first) && !is_open(&second) && is_open(&third));
        drop((busy, second));
        assert_eq!(all.count(), 3, "a place is given back once");
        assert!(is_open(&other));
    }

    #[test]
    fn a_full_server_closes_the_idlest_of_the_greediest() {
        let all = Connections::new(ConnectionLimits {
            total: 4,
            per_client: 3,
        });
        let greedy: Vec<_> = (0..3).map(|_| all.admit(client(1)).unwrap()).collect();
        greedy[1].connection.idle_since.store(0, Ordering::Release);
        greedy[0].connection.idle_since.store(1, Ordering::Release);
        greedy[2].connection.idle_since.store(1, Ordering::Release);
        let modest = all.admit(client(2)).unwrap();
        let late = all.admit(client(3)).unwrap();
        modest.connection.idle_since.store(2, Ordering::Release);
        late.connection.idle_since.store(2, Ordering::Release);
        assert!(!is_open(&greedy[1]) && is_open(&modest) && is_open(&late));
        assert_eq!(all.count(), 4);
        let here = IpAddr::from([127, 0, 0, 1]);
        let _proxy: Vec<_> = (0..2).map(|_| all.admit(here).unwrap()).collect();
        assert!(is_open(&modest) && is_open(&late));
    }
}
