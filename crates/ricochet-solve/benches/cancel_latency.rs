//! How long a solver works on after it was told to stop.
//!
//! ```text
//! cargo bench -q -p ricochet-solve --bench cancel_latency [SOLVER [POSITIONS]]
//! ```
//!
//! Each position is first solved in peace (for two seconds at most) and then five times more, with
//! the switch turned after 10, 30, 50, 70 and 90% of that time. Of each corpus at most
//! POSITIONS are taken (40), evenly. One line of CSV for each corpus and number of threads: latencies in microseconds
//! from the turn of the switch to the return of `solve`. They are times on the wall: a machine that
//! has other things to do adds its own waits to them.

#[path = "../tests/it/common/mod.rs"]
mod common;

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use ricochet_core::Puzzle;
use ricochet_solve::{CancelToken, Limit, Limits, NullObserver, Outcome, Solver};

const CORPORA: [&str; 7] = [
    "official/random.jsonl",
    "official/hard.jsonl",
    "records/records.jsonl",
    "five-robots.jsonl",
    "large.jsonl",
    "competitions/asp2015.jsonl",
    "unsolvable.jsonl",
];

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|a| a != "--bench");
    let name = arguments.next().unwrap_or_else(|| "flagship".into());
    let positions: usize = arguments
        .next()
        .map_or(40, |text| text.parse().expect("a number of positions"));
    let entry = ricochet_solve::registry::find(&name).expect("a registered solver");
    let takes_threads = entry.parameters.iter().any(|it| it.key == "threads");
    println!("corpus,solver,threads,positions,switched,ended before,median,p99,max,slowest");
    for corpus in CORPORA {
        let setups = ricochet_core::formats::read(&common::corpus_text(corpus)).expect("a corpus");
        let step = setups.len().div_ceil(positions.max(1));
        let puzzles: Vec<Puzzle> = setups
            .into_iter()
            .step_by(step)
            .map(|setup| setup.validate().expect("the corpus is valid"))
            .collect();
        for threads in [1, 2] {
            let number = threads.to_string();
            let options: &[(&str, &str)] = match (takes_threads, threads) {
                (true, _) => &[("threads", number.as_str())],
                (false, 1) => &[],
                (false, _) => continue,
            };
            let mut solver = common::solver(&name, options);
            let mut latencies: Vec<(Duration, &Puzzle)> = Vec::new();
            let mut ended_before = 0;
            for puzzle in &puzzles {
                let time = time_in_peace(&mut *solver, puzzle);
                for percent in [10, 30, 50, 70, 90] {
                    match latency(&mut *solver, puzzle, time * percent / 100) {
                        Some(latency) => latencies.push((latency, puzzle)),
                        None => ended_before += 1,
                    }
                }
            }
            latencies.sort_by_key(|&(latency, _)| latency);
            let at = |part: f64| {
                let place = ((latencies.len() as f64 * part) as usize).min(latencies.len() - 1);
                latencies[place].0.as_micros()
            };
            let Some((slowest, puzzle)) = latencies.last() else {
                println!(
                    "{corpus},{name},{threads},{},0,{ended_before},,,,",
                    puzzles.len()
                );
                continue;
            };
            println!(
                "{corpus},{name},{threads},{},{},{ended_before},{},{},{},{}",
                puzzles.len(),
                latencies.len(),
                at(0.5),
                at(0.99),
                slowest.as_micros(),
                puzzle.id().unwrap_or_default(),
            );
        }
    }
}

/// The time of an undisturbed search, up to a limit. The first search pays for the first touch of the
/// tables.
fn time_in_peace(solver: &mut dyn Solver, puzzle: &Puzzle) -> Duration {
    let limits = Limits {
        time: Some(Duration::from_secs(2)),
        ..Limits::default()
    };
    let mut time = || {
        let start = Instant::now();
        solver.solve(puzzle, &limits, &mut NullObserver);
        start.elapsed()
    };
    let first = time();
    if first < Duration::from_millis(100) {
        first.min(time())
    } else {
        first
    }
}

/// From the turn of the switch to the return; none if it was done before.
fn latency(solver: &mut dyn Solver, puzzle: &Puzzle, delay: Duration) -> Option<Duration> {
    let cancel = CancelToken::default();
    let limits = Limits {
        cancel: Some(cancel.clone()),
        ..Limits::default()
    };
    // Making a thread takes longer than an easy puzzle, so it is there before the start.
    let (is_ready, go) = (AtomicBool::new(false), AtomicBool::new(false));
    let (outcome, returned, switched) = thread::scope(|scope| {
        let (is_ready, go) = (&is_ready, &go);
        let switch = scope.spawn(move || {
            is_ready.store(true, Ordering::Release);
            while !go.load(Ordering::Acquire) {
                std::hint::spin_loop();
            }
            let start = Instant::now();
            // The system wakes sleepers up late, so the last bit is waited for.
            thread::sleep(delay.saturating_sub(Duration::from_micros(200)));
            while start.elapsed() < delay {
                std::hint::spin_loop();
            }
            let now = Instant::now();
            cancel.cancel();
            now
        });
        while !is_ready.load(Ordering::Acquire) {
            thread::yield_now();
        }
        go.store(true, Ordering::Release);
        let (outcome, _) = solver.solve(puzzle, &limits, &mut NullObserver);
        let returned = Instant::now();
        (outcome, returned, switch.join().expect("it does not panic"))
    });
    let stopped = matches!(
        outcome,
        Outcome::LimitReached {
            limit: Limit::Cancelled,
            ..
        }
    );
    // One that was all but done when the switch was turned may as well give its answer.
    let late = returned.checked_duration_since(switched);
    assert!(!stopped || late.is_some(), "stopped before it was told to");
    late
}
