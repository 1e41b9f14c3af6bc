//! Metrics of the server for Prometheus.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A number that only grows.
#[derive(Debug, Default)]
pub(crate) struct Counter(AtomicU64);

impl Counter {
    pub(crate) fn add(&self, more: u64) {
        self.0.fetch_add(more, Ordering::Relaxed);
    }

    pub(crate) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// The upper bounds of the histogram buckets of response times, in milliseconds.
const BUCKETS: [u64; 10] = [1, 2, 5, 10, 25, 50, 100, 500, 2_000, 10_000];

/// A histogram of response times.
#[derive(Debug, Default)]
pub(crate) struct Histogram {
    buckets: [Counter; BUCKETS.len()],
    count: Counter,
    micros: Counter,
}

impl Histogram {
    pub(crate) fn record(&self, time: Duration) {
        let micros = time.as_micros() as u64;
        for (bucket, &bound) in self.buckets.iter().zip(&BUCKETS) {
            if micros <= bound * 1000 {
                bucket.add(1);
            }
        }
        self.count.add(1);
        self.micros.add(micros);
    }
}

/// All counters.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    /// Responses by the first digit of their status.
    pub(crate) statuses: [Counter; 6],
    /// Response times.
    pub(crate) times: Histogram,
    /// Questions that were answered from the cache.
    pub(crate) cached: Counter,
    /// Questions that joined one in flight.
    pub(crate) joined: Counter,
    /// Searches that went on to the middle lane.
    pub(crate) middle: Counter,
    /// Searches that went on to the slow lane.
    pub(crate) slow: Counter,
    /// Questions that were refused because a queue was full or the solver time used up.
    pub(crate) refused: Counter,
    /// Searches that were cancelled because all clients had disconnected.
    pub(crate) abandoned: Counter,
    /// Microseconds of solver time.
    pub(crate) solver_micros: Counter,
    /// Events of rooms.
    pub(crate) room_events: Counter,
    /// Commits of the log of rooms.
    pub(crate) room_commits: Counter,
    /// Microseconds of those commits.
    pub(crate) room_commit_micros: Counter,
    /// Connections to rooms that were closed because of too many messages.
    pub(crate) room_floods: Counter,
    /// Connections to rooms that were closed because their readers were too slow.
    pub(crate) room_slow: Counter,
    /// Reports of players about players.
    pub(crate) room_reports: Counter,
    /// Connections that were refused because there were too many.
    pub(crate) connections_refused: Counter,
    /// Panics.
    pub(crate) panics: Counter,
}

impl Metrics {
    /// The metrics in Prometheus' text format, with the given gauges.
    pub(crate) fn text(&self, gauges: &[(&str, &str, u64)]) -> String {
        let mut text = String::new();
        for &(name, help, value) in gauges {
            let _ = write!(
                text,
                "# HELP ricochet_{name} {help}\n# TYPE ricochet_{name} gauge\nricochet_{name} {value}\n"
            );
        }
        let counters = [
            (
                "kept_total",
                "Questions answered from memory.",
                &self.cached,
            ),
            (
                "joined_total",
                "Questions that joined one in flight.",
                &self.joined,
            ),
            (
                "middle_total",
                "Searches that went on to the middle lane.",
                &self.middle,
            ),
            (
                "slow_total",
                "Searches that went on to the slow lane.",
                &self.slow,
            ),
            (
                "refused_total",
                "Questions refused with 503.",
                &self.refused,
            ),
            (
                "abandoned_total",
                "Searches cancelled because all clients had disconnected.",
                &self.abandoned,
            ),
            (
                "panics_total",
                "Questions that made a worker panic.",
                &self.panics,
            ),
            (
                "connections_refused_total",
                "Connections refused because there were too many.",
                &self.connections_refused,
            ),
            ("room_events_total", "Events of rooms.", &self.room_events),
            (
                "room_commits_total",
                "Commits of the log of rooms.",
                &self.room_commits,
            ),
            (
                "room_commit_microseconds_total",
                "Time of those commits.",
                &self.room_commit_micros,
            ),
            (
                "room_floods_total",
                "Connections to rooms closed because of too many messages.",
                &self.room_floods,
            ),
            (
                "room_slow_total",
                "Connections to rooms closed because of slow readers.",
                &self.room_slow,
            ),
            (
                "room_reports_total",
                "Reports of players about players.",
                &self.room_reports,
            ),
        ];
        for (name, help, counter) in counters {
            let _ = write!(
                text,
                "# HELP ricochet_{name} {help}\n# TYPE ricochet_{name} counter\nricochet_{name} {}\n",
                counter.get()
            );
        }
        let seconds = self.solver_micros.get() as f64 / 1e6;
        let _ = write!(
            text,
            "# HELP ricochet_solver_seconds_total Solver time.\n\
             # TYPE ricochet_solver_seconds_total counter\n\
             ricochet_solver_seconds_total {seconds}\n\
             # HELP ricochet_responses_total Responses by class of status.\n\
             # TYPE ricochet_responses_total counter\n"
        );
        for (digit, counter) in self.statuses.iter().enumerate().skip(1) {
            let _ = writeln!(
                text,
                "ricochet_responses_total{{status=\"{digit}xx\"}} {}",
                counter.get()
            );
        }
        text.push_str(
            "# HELP ricochet_response_seconds Time to the first byte of a response.\n\
             # TYPE ricochet_response_seconds histogram\n",
        );
        for (bucket, &bound) in self.times.buckets.iter().zip(&BUCKETS) {
            let _ = writeln!(
                text,
                "ricochet_response_seconds_bucket{{le=\"{}\"}} {}",
                bound as f64 / 1e3,
                bucket.get()
            );
        }
        let count = self.times.count.get();
        let sum = self.times.micros.get() as f64 / 1e6;
        let _ = write!(
            text,
            "ricochet_response_seconds_bucket{{le=\"+Inf\"}} {count}\n\
             ricochet_response_seconds_sum {sum}\nricochet_response_seconds_count {count}\n"
        );
        text
    }
}
