//! How long a new process takes from its start to its end, and how large the program is:
//! `cargo bench -p ricochet-cli --bench cold`, or with `-- RUNS` for another number of runs than 100.
//!
//! The goals are under 15 ms for `ricochet solve` of an easy puzzle, and under 20 MB. Raw times go
//! to standard output as CSV, the summary to standard error. Wall time depends on what else the
//! machine does: look at the least and the median.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const PROGRAM: &str = env!("CARGO_BIN_EXE_ricochet");

/// The commands, each with its name in the table. The puzzle takes four moves.
const COMMANDS: [(&str, &[&str]); 3] = [
    ("--version", &["--version"]),
    ("show", &["show", "corpus/official/random.jsonl:2"]),
    (
        "solve",
        &["solve", "--json", "corpus/official/random.jsonl:2"],
    ),
];

fn main() {
    let runs = std::env::args().find_map(|argument| argument.parse().ok());
    let runs: usize = runs.unwrap_or(100);
    let mut times = vec![Vec::with_capacity(runs); COMMANDS.len()];
    println!("run,command,microseconds");
    // Turn by turn, so that all suffer the same from what else goes on; the first turn warms up.
    for run in 0..=runs {
        for ((name, arguments), times) in COMMANDS.iter().zip(&mut times) {
            let time = time(arguments);
            if run > 0 {
                println!("{run},{name},{}", time.as_micros());
                times.push(time);
            }
        }
    }
    let bytes = std::fs::metadata(PROGRAM).map_or(0, |file| file.len());
    eprintln!("binary: {:.1} MB", bytes as f64 / 1e6);
    eprintln!("command    least  median    most  (ms of wall time, {runs} runs)");
    for ((name, _), times) in COMMANDS.iter().zip(&mut times) {
        times.sort_unstable();
        let milliseconds = |time: &Duration| time.as_secs_f64() * 1e3;
        let [least, median, most] = [0, times.len() / 2, times.len().saturating_sub(1)]
            .map(|place| times.get(place).map_or(0.0, milliseconds));
        eprintln!("{name:<9} {least:>6.2}  {median:>6.2}  {most:>6.2}");
    }
}

/// The time of one process.
fn time(arguments: &[&str]) -> Duration {
    let mut command = Command::new(PROGRAM);
    command
        .args(arguments)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let started = Instant::now();
    let status = command.status().expect("the program starts");
    let time = started.elapsed();
    assert!(status.success(), "{arguments:?} ends with {status}");
    time
}
