//! Measures what stands apart beside what is shared. Each set and table that is not the shared one
//! has a test in its file that does the same with both; they are ignored, since only people look at
//! times:
//!
//! ```text
//! cargo test --release -p ricochet-solve --lib -- --ignored --nocapture --test-threads 1 side_by_side
//! ```

use std::time::{Duration, Instant};

use crate::state_space::visited::mix;

/// How many different keys tables are filled with: more than fit into the processor's caches.
const KEYS: u64 = 1 << 20;
/// How often each of them is asked for, the first time included.
const TIMES: u64 = 8;

/// Numbers of keys as a search meets them: old ones more often than new ones, in no order.
pub(crate) fn met() -> Vec<u64> {
    let numbers = 0..KEYS * TIMES;
    // Among the first n keys, more of which are there the further it goes.
    let number = |i: u64| mix(i) % (i / TIMES + 1);
    numbers.map(number).collect()
}

/// The fastest of seven turns of each, in turn: what else the machine does disturbs both.
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
