//! A memory limit holds: the peak resident size of a whole process stays within 15% of it.
//!
//! Each solver runs in a child process, this same test binary, since the peak of a process never
//! falls. The size before the search (the binary, the puzzle) is not the solver's.

use std::process::Command;

use crate::common::{corpus, solver};
use ricochet_solve::registry::SOLVERS;
use ricochet_solve::{Limit, Limits, NullObserver, Outcome};

const MIB: u64 = 1 << 20;

/// Peak resident size of this process so far, in bytes.
fn peak_resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux has it");
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().nth(1));
    kilobytes
        .and_then(|number| number.parse::<u64>().ok())
        .expect("a number")
        * 1024
}

/// The child: solves the slides' puzzle within the limit that the environment names.
#[test]
#[ignore = "started by the other tests"]
fn child() {
    let variable = |name| std::env::var(name).expect("set by the parent");
    let name = variable("MEMORY_TEST_SOLVER");
    let limit: u64 = variable("MEMORY_TEST_LIMIT").parse().expect("a number");
    let puzzle = corpus("records/records.jsonl").remove(0);
    let mut solver = solver(&name, &[]);
    let limits = Limits {
        memory: Some(limit),
        ..Limits::default()
    };
    let before = peak_resident();
    let (outcome, stats) = solver.solve(&puzzle, &limits, &mut NullObserver);
    let grown = peak_resident() - before;
    assert!(
        grown <= limit / 100 * 115,
        "{name}: {grown} bytes resident, {limit} allowed, {} counted",
        stats.peak_bytes
    );
    assert!(stats.peak_bytes <= limit / 100 * 115, "{name}: counted");
    let stopped = matches!(
        outcome,
        Outcome::LimitReached {
            limit: Limit::Memory,
            ..
        }
    );
    assert!(
        stopped || outcome.solution().is_some(),
        "{name}: {outcome:?}"
    );
    // A solver that stops far below what it may have would be no use.
    assert!(
        !stopped || stats.peak_bytes >= limit / 4,
        "{name}: stops too early"
    );
}

fn check(name: &str, limit: u64) {
    let this = std::env::current_exe().expect("a test binary");
    let status = Command::new(this)
        .args(["--exact", "memory::child", "--ignored", "--nocapture"])
        .env("MEMORY_TEST_SOLVER", name)
        .env("MEMORY_TEST_LIMIT", limit.to_string())
        .status()
        .expect("the child starts");
    assert!(status.success(), "{name} with {} MiB", limit / MIB);
}

/// The solvers whose tables grow with the search.
const GROWING: [&str; 5] = ["flagship", "iddfs", "naive", "graph-v1", "graph-complete"];

#[test]
fn a_limit_of_24_mebibytes_holds() {
    for name in GROWING {
        check(name, 24 * MIB);
    }
}

/// Run with `cargo test --release -p ricochet-solve --test it memory:: -- --ignored one_gibibyte`.
#[test]
#[ignore = "minutes: run in an optimised build"]
fn a_limit_of_one_gibibyte_holds() {
    for name in GROWING {
        check(name, 1024 * MIB);
    }
}

#[test]
fn the_solvers_named_here_exist() {
    for name in GROWING {
        assert!(SOLVERS.iter().any(|entry| entry.name == name), "{name}");
    }
}
