//! How often somebody may do something.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// So many at once, and so many a second.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rate {
    pub(crate) burst: f64,
    pub(crate) per_second: f64,
}

/// How much of a rate is left.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bucket {
    left: f64,
    at: Instant,
}

impl Bucket {
    pub(crate) const fn full(rate: Rate, now: Instant) -> Self {
        Self {
            left: rate.burst,
            at: now,
        }
    }

    /// Takes one, if there is one.
    pub(crate) fn take(&mut self, rate: Rate, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.at).as_secs_f64();
        self.left = (self.left + passed * rate.per_second).min(rate.burst);
        self.at = now;
        let there = self.left >= 1.0;
        if there {
            self.left -= 1.0;
        }
        there
    }
}

/// Buckets beyond this number are swept for full ones, which need not be remembered.
const SWEEP: usize = 10_000;

/// A bucket for each client; those of this machine are not counted.
pub(crate) struct Gate {
    rate: Rate,
    buckets: Mutex<HashMap<IpAddr, Bucket>>,
}

impl Gate {
    pub(crate) fn new(rate: Rate) -> Self {
        Self {
            rate,
            buckets: Mutex::default(),
        }
    }

    /// Lets a client pass; otherwise the seconds after which it may try again.
    pub(crate) fn pass(&self, client: IpAddr, now: Instant) -> Result<(), u64> {
        if client.is_loopback() {
            return Ok(());
        }
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= SWEEP {
            let full = self.rate.burst / self.rate.per_second;
            buckets.retain(|_, it| now.saturating_duration_since(it.at).as_secs_f64() < full);
        }
        let bucket = buckets
            .entry(client)
            .or_insert_with(|| Bucket::full(self.rate, now));
        if bucket.take(self.rate, now) {
            return Ok(());
        }
        Err((1.0 / self.rate.per_second).ceil() as u64)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_bucket_empties_and_fills_up() {
        let rate = Rate {
            burst: 3.0,
            per_second: 2.0,
        };
        let start = Instant::now();
        let mut bucket = Bucket::full(rate, start);
        let taken = |bucket: &mut Bucket, at| (0..10).filter(|_| bucket.take(rate, at)).count();
        assert_eq!(taken(&mut bucket, start), 3);
        assert_eq!(taken(&mut bucket, start + Duration::from_secs(1)), 2);
        assert_eq!(taken(&mut bucket, start + Duration::from_secs(100)), 3);
    }

    #[test]
    fn a_gate_counts_strangers_each_for_themselves() {
        let gate = Gate::new(Rate {
            burst: 1.0,
            per_second: 0.1,
        });
        let now = Instant::now();
        let stranger = |last| IpAddr::from([192, 0, 2, last]);
        assert_eq!(gate.pass(stranger(1), now), Ok(()));
        assert_eq!(gate.pass(stranger(1), now), Err(10));
        assert_eq!(gate.pass(stranger(2), now), Ok(()));
        let here = IpAddr::from([127, 0, 0, 1]);
        assert!((0..100).all(|_| gate.pass(here, now).is_ok()));
    }
}
