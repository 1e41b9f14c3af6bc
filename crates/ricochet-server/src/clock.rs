//! Time: intervals and deadlines by a monotonic clock, dates by the wall clock.
//!
//! The wall clock can be set at any moment, so it is read for dates and once at the start. From then on
//! [`Clock::time`] continues by the monotonic clock.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use ricochet_rooms::Time;

/// A source of time; tests have their own.
trait Source: Send + Sync {
    fn instant(&self) -> Instant;
    /// Time since 1970 by the wall clock.
    fn wall(&self) -> Duration;
}

struct System;

impl Source for System {
    fn instant(&self) -> Instant {
        Instant::now()
    }

    fn wall(&self) -> Duration {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        since.unwrap_or_default()
    }
}

/// The clock of a server.
#[derive(Clone)]
pub struct Clock {
    source: Arc<dyn Source>,
    started: Instant,
    /// The wall clock at the start.
    base: Duration,
}

impl Clock {
    fn new(source: Arc<dyn Source>) -> Self {
        Self {
            started: source.instant(),
            base: source.wall(),
            source,
        }
    }

    /// The clock of this machine.
    pub fn system() -> Self {
        Self::new(Arc::new(System))
    }

    pub(crate) fn instant(&self) -> Instant {
        self.source.instant()
    }

    /// Milliseconds since 1970 by the wall clock at the start: never goes back and never jumps.
    pub(crate) fn time(&self) -> Time {
        let passed = self.instant().saturating_duration_since(self.started);
        Time((self.base + passed).as_millis() as u64)
    }

    /// Milliseconds since 1970 by the wall clock.
    pub(crate) fn wall_ms(&self) -> u64 {
        self.source.wall().as_millis() as u64
    }

    /// Today in UTC by the wall clock, as `2026-11-17`.
    pub(crate) fn today(&self) -> String {
        date_of(self.source.wall().as_secs() / 86_400)
    }
}

impl Default for Clock {
    fn default() -> Self {
        Self::system()
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Clock").finish_non_exhaustive()
    }
}

/// A clock that moves only when it is told to, for tests.
#[derive(Clone, Debug)]
pub struct ManualClock(Arc<Mutex<ManualTime>>);

#[derive(Debug)]
struct ManualTime {
    instant: Instant,
    wall: Duration,
}

impl ManualClock {
    /// A clock that shows a time since 1970.
    pub fn new(wall: Duration) -> Self {
        let instant = Instant::now();
        Self(Arc::new(Mutex::new(ManualTime { instant, wall })))
    }

    /// This clock, for a server that starts now.
    pub fn clock(&self) -> Clock {
        Clock::new(Arc::new(self.clone()))
    }

    /// Lets time pass.
    pub fn advance(&self, time: Duration) {
        let mut now = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        now.instant += time;
        now.wall += time;
    }

    /// Sets the wall clock, as an administrator would.
    pub fn set_wall(&self, wall: Duration) {
        let mut now = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        now.wall = wall;
    }
}

impl Source for ManualClock {
    fn instant(&self) -> Instant {
        let now = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        now.instant
    }

    fn wall(&self) -> Duration {
        let now = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        now.wall
    }
}

/// The date of a number of days since 1970-01-01.
pub(crate) fn date_of(mut days: u64) -> String {
    let mut year = 1970;
    loop {
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let length = 365 + u64::from(leap);
        if days < length {
            let february = 28 + u64::from(leap);
            let lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
            for (month, length) in (1..).zip(lengths) {
                if days < length {
                    return format!("{year:04}-{month:02}-{:02}", days + 1);
                }
                days -= length;
            }
        }
        days = days.saturating_sub(length);
        year += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn setting_the_wall_clock_moves_no_deadline() {
        let days = |days: u64| Duration::from_secs(86_400 * days);
        let manual = ManualClock::new(days(100));
        let clock = manual.clock();
        manual.advance(Duration::from_secs(3));
        let before = clock.time();
        manual.set_wall(days(99));
        assert_eq!(clock.time(), before);
        manual.advance(Duration::from_secs(1));
        assert_eq!(clock.time(), before.after(1_000));
        assert_eq!(clock.today(), "1970-04-10");
        assert_eq!(manual.clock().time().0, clock.wall_ms());
    }

    #[test]
    fn dates() {
        assert_eq!(date_of(0), "1970-01-01");
        assert_eq!(date_of(11_016), "2000-02-29");
        assert_eq!(date_of(20_774), "2026-11-17");
        assert_eq!(date_of(20_818), "2026-12-31");
    }
}
