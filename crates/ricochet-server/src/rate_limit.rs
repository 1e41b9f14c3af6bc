//! Token buckets per client, for requests and for solver time.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};
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

/// The address of rooms, which search for their players.
pub(crate) const ROOMS: IpAddr = IpAddr::V4(Ipv4Addr::UNSPECIFIED);

/// Whether a client is limited: all are but those on this machine and the rooms. The other loopback
/// addresses count as strangers, so that tests and benches can play many clients.
pub(crate) fn is_limited(client: IpAddr) -> bool {
    client != Ipv4Addr::LOCALHOST && client != Ipv6Addr::LOCALHOST && client != ROOMS
}

/// The address that limits are counted against: of IPv6 the network, since a client can choose any of
/// the 2^64 addresses in its own.
pub(crate) fn network_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) if !address.is_loopback() => {
            IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)))
        }
        other => other,
    }
}

/// Above this number of buckets, full ones are removed: they carry no information.
const SWEEP: usize = 10_000;

/// The buckets of all clients.
#[derive(Default)]
struct Buckets {
    by_client: HashMap<IpAddr, TokenBucket>,
    /// At which number of buckets the next removal is worth its time.
    sweep_at: usize,
}

/// A bucket for each client address. Clients on this machine are not limited.
pub(crate) struct RateLimiter {
    rate: Rate,
    buckets: Mutex<Buckets>,
}

impl RateLimiter {
    pub(crate) fn new(rate: Rate) -> Self {
        Self {
            rate,
            buckets: Mutex::default(),
        }
    }

    /// Runs `work` on the bucket of a client, which is made if there is none.
    fn with_bucket<T>(
        &self,
        client: IpAddr,
        now: Instant,
        work: impl FnOnce(&mut TokenBucket) -> T,
    ) -> T {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let Buckets {
            by_client,
            sweep_at,
        } = &mut *buckets;
        if by_client.len() >= (*sweep_at).max(SWEEP) {
            by_client.retain(|_, bucket| bucket.tokens(self.rate, now) < self.rate.burst);
            *sweep_at = 2 * by_client.len();
        }
        let bucket = by_client
            .entry(client)
            .or_insert_with(|| TokenBucket::full(self.rate, now));
        work(bucket)
    }

    /// Takes one token.
    ///
    /// # Errors
    /// The number of seconds after which to try again.
    pub(crate) fn take(&self, client: IpAddr, now: Instant) -> Result<(), u64> {
        let allowed = !is_limited(client)
            || self.with_bucket(client, now, |bucket| bucket.take(self.rate, now));
        if allowed {
            return Ok(());
        }
        Err((1.0 / self.rate.per_second).ceil() as u64)
    }

    /// Reserves tokens for work to come: as many as `most`, but no more than a share of those that are
    /// left, and no fewer than `least`. Nobody can reserve more than there is. What is not used goes
    /// back with [`RateLimiter::settle`].
    ///
    /// # Errors
    /// How long to wait.
    pub(crate) fn reserve(
        &self,
        client: IpAddr,
        least: f64,
        most: f64,
        now: Instant,
    ) -> Result<f64, Duration> {
        if !is_limited(client) {
            return Ok(most);
        }
        self.with_bucket(client, now, |bucket| {
            let left = bucket.tokens(self.rate, now);
            let reserved = most.min(left * SHARE).max(least);
            if reserved > left {
                let seconds = ((reserved - left) / self.rate.per_second).clamp(1.0, 3600.0);
                return Err(Duration::from_secs_f64(seconds.ceil()));
            }
            bucket.spend(reserved, self.rate, now);
            Ok(reserved)
        })
    }

    /// A number of tokens, but no more than a quarter of a full bucket.
    pub(crate) fn at_most_a_quarter(&self, tokens: f64) -> f64 {
        tokens.min(self.rate.burst / 4.0)
    }

    /// Replaces a reservation with what was used, even if that is more.
    pub(crate) fn settle(&self, client: IpAddr, reserved: f64, used: f64, now: Instant) {
        if is_limited(client) {
            self.with_bucket(client, now, |bucket| {
                bucket.spend(used - reserved, self.rate, now);
            });
        }
    }
}

/// The share of a client's tokens that one search may reserve, so that easy questions are still
/// answered while it runs.
const SHARE: f64 = 0.8;

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
    fn nobody_reserves_more_than_there_is() {
        let limiter = RateLimiter::new(Rate::new(30.0, 0.5));
        let start = Instant::now();
        // A long search gets a share, so that something is left for short ones.
        assert_eq!(limiter.reserve(client(1), 1.0, 60.0, start), Ok(24.0));
        let reserved = |least, most| limiter.reserve(client(1), least, most, start);
        let total: f64 = std::iter::from_fn(|| reserved(1.0, 60.0).ok()).sum();
        assert!(total <= 6.0, "{total}");
        assert!(reserved(0.02, 0.02).is_ok());
        assert!(
            limiter.reserve(client(2), 1.0, 60.0, start).is_ok(),
            "others need not wait"
        );
        let refused = reserved(20.0, 60.0).unwrap_err();
        assert!((38..=40).contains(&refused.as_secs()), "{refused:?}");
        // What was not used goes back, but never above the size of the bucket.
        limiter.settle(client(1), 24.0, 4.0, start);
        assert!(reserved(20.0, 60.0).is_ok());
        limiter.settle(client(1), 100.0, 0.0, start);
        assert_eq!(reserved(1.0, 60.0), Ok(24.0));
    }

    #[test]
    fn clients_on_this_machine_are_not_limited() {
        let limiter = RateLimiter::new(Rate::new(1.0, 0.1));
        let here = IpAddr::from([127, 0, 0, 1]);
        let now = Instant::now();
        assert!((0..100).all(|_| limiter.take(here, now).is_ok()));
        assert_eq!(limiter.reserve(here, 1.0, 60.0, now), Ok(60.0));
        limiter.settle(here, 0.0, 100.0, now);
        assert!(limiter.take(here, now).is_ok());
    }

    #[test]
    fn a_network_of_ipv6_is_one_client() {
        let network = |text: &str| network_of(text.parse().unwrap());
        assert_eq!(network("2001:db8::1"), network("2001:db8::2:3:4:5"));
        assert_ne!(network("2001:db8::1"), network("2001:db8:0:1::1"));
        assert_eq!(network("::ffff:192.0.2.7"), network("192.0.2.7"));
        assert!(!is_limited(network("::1")) && !is_limited(network("127.0.0.1")));
        assert!(is_limited(network("::2")) && is_limited(network("127.0.0.2")));
    }
}
