//! How much solver time each client may spend.
//!
//! Requests are not counted: a thousand easy ones cost less than one hard one. A client has a purse
//! of solver time that fills up steadily; who has spent it waits until there is some again.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Purses beyond this number are swept for full ones, which need not be remembered.
const SWEEP: usize = 10_000;

/// The purses of all clients.
pub(crate) struct Budgets {
    /// Seconds of solver time per minute; also the size of a purse.
    per_minute: Option<f64>,
    purses: Mutex<HashMap<IpAddr, Purse>>,
}

#[derive(Clone, Copy)]
struct Purse {
    seconds: f64,
    at: Instant,
}

impl Budgets {
    pub(crate) fn new(per_minute: Option<u64>) -> Self {
        Self {
            per_minute: per_minute.map(|seconds| seconds as f64),
            purses: Mutex::new(HashMap::new()),
        }
    }

    /// Whether a client has anything left; otherwise how long it has to wait.
    pub(crate) fn check(&self, client: IpAddr, now: Instant) -> Result<(), Duration> {
        let Some(per_minute) = self.per_minute.filter(|_| !client.is_loopback()) else {
            return Ok(());
        };
        let purses = self.purses.lock().unwrap_or_else(PoisonError::into_inner);
        let left = purses
            .get(&client)
            .map_or(per_minute, |purse| filled(*purse, per_minute, now).seconds);
        if left > 0.0 {
            return Ok(());
        }
        Err(Duration::from_secs_f64(
            (-left * 60.0 / per_minute).clamp(1.0, 3600.0),
        ))
    }

    /// Takes what a client has spent.
    pub(crate) fn spend(&self, client: IpAddr, time: Duration, now: Instant) {
        let Some(per_minute) = self.per_minute.filter(|_| !client.is_loopback()) else {
            return;
        };
        let mut purses = self.purses.lock().unwrap_or_else(PoisonError::into_inner);
        if purses.len() >= SWEEP {
            purses.retain(|_, purse| filled(*purse, per_minute, now).seconds < per_minute);
        }
        let purse = purses.entry(client).or_insert(Purse {
            seconds: per_minute,
            at: now,
        });
        *purse = filled(*purse, per_minute, now);
        purse.seconds -= time.as_secs_f64();
    }
}

fn filled(purse: Purse, per_minute: f64, now: Instant) -> Purse {
    let passed = now.saturating_duration_since(purse.at).as_secs_f64();
    Purse {
        seconds: (purse.seconds + passed * per_minute / 60.0).min(per_minute),
        at: now,
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    #[test]
    fn a_purse_is_spent_and_fills_up() {
        let budgets = Budgets::new(Some(30));
        let (client, other) = (
            IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)),
            IpAddr::V4(Ipv4Addr::new(192, 0, 2, 2)),
        );
        let start = Instant::now();
        assert!(budgets.check(client, start).is_ok());
        budgets.spend(client, Duration::from_secs(40), start);
        assert_eq!(budgets.check(client, start), Err(Duration::from_secs(20)));
        assert!(
            budgets.check(other, start).is_ok(),
            "others are not asked to wait"
        );
        let later = start + Duration::from_secs(21);
        assert!(budgets.check(client, later).is_ok());
        // It never holds more than a minute's worth.
        let much_later = start + Duration::from_hours(1);
        budgets.spend(client, Duration::from_secs(31), much_later);
        assert!(budgets.check(client, much_later).is_err());
    }

    #[test]
    fn the_owner_of_the_machine_is_not_counted() {
        let budgets = Budgets::new(Some(1));
        let here = IpAddr::V4(Ipv4Addr::LOCALHOST);
        let now = Instant::now();
        budgets.spend(here, Duration::from_secs(100), now);
        assert!(budgets.check(here, now).is_ok());
    }
}
