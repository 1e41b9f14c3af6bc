//! Token buckets per client, for requests and for solver time.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The size of a bucket and the speed at which it fills up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rate {
    burst: f64,
    per_second: f64,
}

impl Rate {
    pub(crate) const fn new(burst: f64, per_second: f64) -> Self {
        Self { burst, per_second }
    }
}

/// The tokens of one client.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TokenBucket {
    tokens: f64,
    at: Instant,
}

impl TokenBucket {
    pub(crate) const fn full(rate: Rate, now: Instant) -> Self {
        Self {
            tokens: rate.burst,
            at: now,
        }
    }

    fn tokens(&self, rate: Rate, now: Instant) -> f64 {
        let passed = now.saturating_duration_since(self.at).as_secs_f64();
        (self.tokens + passed * rate.per_second).min(rate.burst)
    }

    /// Takes tokens, even if there are fewer.
    fn spend(&mut self, tokens: f64, rate: Rate, now: Instant) {
        self.tokens = self.tokens(rate, now) - tokens;
        self.at = now;
    }

    /// Takes a token if there is one.
    pub(crate) fn take(&mut self, rate: Rate, now: Instant) -> bool {
        let available = self.tokens(rate, now) >= 1.0;
        self.spend(f64::from(u8::from(available)), rate, now);
        available
    }
}

/// Above this number of buckets, full ones are removed: they carry no information.
const SWEEP: usize = 10_000;

/// A bucket for each client address. Clients on this machine are not limited.
pub(crate) struct RateLimiter {
    rate: Rate,
    buckets: Mutex<HashMap<IpAddr, TokenBucket>>,
}

impl RateLimiter {
    pub(crate) fn new(rate: Rate) -> Self {
        Self {
            rate,
            buckets: Mutex::default(),
        }
    }

    fn buckets(&self) -> MutexGuard<'_, HashMap<IpAddr, TokenBucket>> {
        self.buckets.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs `work` on the bucket of a client, which is made if there is none.
    fn with_bucket<T>(
        &self,
        client: IpAddr,
        now: Instant,
        work: impl FnOnce(&mut TokenBucket) -> T,
    ) -> T {
        let mut buckets = self.buckets();
        if buckets.len() >= SWEEP {
            buckets.retain(|_, bucket| bucket.tokens(self.rate, now) < self.rate.burst);
        }
        let bucket = buckets
            .entry(client)
            .or_insert_with(|| TokenBucket::full(self.rate, now));
        work(bucket)
    }

    /// Takes one token.
    ///
    /// # Errors
    /// The number of seconds after which to try again.
    pub(crate) fn take(&self, client: IpAddr, now: Instant) -> Result<(), u64> {
        let allowed = client.is_loopback()
            || self.with_bucket(client, now, |bucket| bucket.take(self.rate, now));
        if allowed {
            return Ok(());
        }
        Err((1.0 / self.rate.per_second).ceil() as u64)
    }

    /// Whether any tokens are left.
    ///
    /// # Errors
    /// How long to wait.
    pub(crate) fn check(&self, client: IpAddr, now: Instant) -> Result<(), Duration> {
        let buckets = self.buckets();
        let tokens = buckets
            .get(&client)
            .map_or(self.rate.burst, |bucket| bucket.tokens(self.rate, now));
        if tokens > 0.0 || client.is_loopback() {
            return Ok(());
        }
        let seconds = (-tokens / self.rate.per_second).clamp(1.0, 3600.0);
        Err(Duration::from_secs_f64(seconds))
    }

    /// Takes tokens that were used, even if there are fewer.
    pub(crate) fn spend(&self, client: IpAddr, tokens: f64, now: Instant) {
        if !client.is_loopback() {
            self.with_bucket(client, now, |bucket| bucket.spend(tokens, self.rate, now));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(last: u8) -> IpAddr {
        IpAddr::from([192, 0, 2, last])
    }

    #[test]
    fn a_bucket_empties_and_fills_up() {
        let rate = Rate::new(3.0, 2.0);
        let start = Instant::now();
        let mut bucket = TokenBucket::full(rate, start);
        let taken =
            |bucket: &mut TokenBucket, at| (0..10).filter(|_| bucket.take(rate, at)).count();
        assert_eq!(taken(&mut bucket, start), 3);
        assert_eq!(taken(&mut bucket, start + Duration::from_secs(1)), 2);
        assert_eq!(taken(&mut bucket, start + Duration::from_secs(100)), 3);
    }

    #[test]
    fn each_client_has_its_own_bucket() {
        let limiter = RateLimiter::new(Rate::new(1.0, 0.1));
        let now = Instant::now();
        assert_eq!(limiter.take(client(1), now), Ok(()));
        assert_eq!(limiter.take(client(1), now), Err(10));
        assert_eq!(limiter.take(client(2), now), Ok(()));
    }

    #[test]
    fn more_can_be_spent_than_there_is_and_is_paid_back() {
        let limiter = RateLimiter::new(Rate::new(30.0, 0.5));
        let start = Instant::now();
        assert!(limiter.check(client(1), start).is_ok());
        limiter.spend(client(1), 40.0, start);
        let wait = limiter.check(client(1), start);
        assert_eq!(wait, Err(Duration::from_secs(20)));
        assert!(
            limiter.check(client(2), start).is_ok(),
            "others need not wait"
        );
        let later = start + Duration::from_secs(21);
        assert!(limiter.check(client(1), later).is_ok());
        // A bucket never holds more than its burst.
        let much_later = start + Duration::from_hours(1);
        limiter.spend(client(1), 31.0, much_later);
        assert!(limiter.check(client(1), much_later).is_err());
    }

    #[test]
    fn clients_on_this_machine_are_not_limited() {
        let limiter = RateLimiter::new(Rate::new(1.0, 0.1));
        let here = IpAddr::from([127, 0, 0, 1]);
        let now = Instant::now();
        assert!((0..100).all(|_| limiter.take(here, now).is_ok()));
        limiter.spend(here, 100.0, now);
        assert!(limiter.check(here, now).is_ok());
    }
}
