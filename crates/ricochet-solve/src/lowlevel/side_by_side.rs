//! Measures each specialized set and table against the shared one. Each of them has a test in its
//! file that does the same work with both. The tests are ignored, since their times are for people
//! to read:
//!
//! ```text
//! cargo test --release -p ricochet-solve --lib -- --ignored --nocapture --test-threads 1 side_by_side
//! ```

use std::time::{Duration, Instant};

use crate::state_space::visited::mix;

/// The number of different keys that tables are filled with: more than fit into the processor's
/// caches.
const KEYS: u64 = 1 << 20;
/// How often each of them is looked up, including the first time.
const TIMES: u64 = 8;

/// Key numbers in an order typical of a search: old ones more often than new ones, unsorted.
pub(crate) fn met() -> Vec<u64> {
    let numbers = 0..KEYS * TIMES;
    // One of the first n keys, where n grows with i.
    let number = |i: u64| mix(i) % (i / TIMES + 1);
    numbers.map(number).collect()
}

/// The fastest of seven runs of each, alternating, so that other load on the machine affects both.
pub(crate) fn compare(what: &str, units: usize, apart: impl Fn() -> u64, shared: impl Fn() -> u64) {
    let timed = |work: &dyn Fn() -> u64| {
        let started = Instant::now();
        let sum = std::hint::black_box(work());
        (started.elapsed(), sum)
    };
    let mut best = [Duration::MAX; 2];
    for _ in 0..7 {
        let (first, second) = (timed(&apart), timed(&shared));
        assert_eq!(first.1, second.1, "both find the same");
        best = [best[0].min(first.0), best[1].min(second.0)];
    }
    let each = best.map(|time| time.as_secs_f64() * 1e9 / units as f64);
    println!(
        "| {what} | {:.1} ns | {:.1} ns | {:.2} |",
        each[0],
        each[1],
        each[1] / each[0]
    );
}
