//! `ricochet census` from end to end: what it writes and says, resuming, shards.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn census(out: &Path, more: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ricochet"))
        .args(["census", "--layouts", "1A 4B 3B 2B", "--robot-count", "1"])
        .args(more)
        .arg("--output")
        .arg(out)
        .env("NO_COLOR", "1")
        .output()
        .expect("the command runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

#[test]
fn a_small_census_writes_what_is_written_down_and_is_not_repeated() {
    let directory = tempfile::tempdir().expect("a directory");
    let whole = directory.path().join("whole");
    let first = census(&whole, &[]);
    let said = text(&first.stderr);
    assert!(first.status.success(), "{said}");
    assert!(first.stdout.is_empty());
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(
        lines.len(),
        18,
        "a line for each target and one at the end: {said}"
    );
    assert!(lines[0].starts_with("1/17 1A 4B 3B 2B "), "{said}");
    assert!(lines[0].ends_with(" h left"), "{said}");
    assert_eq!(
        lines[17],
        format!("17 of 17 targets are counted in {}", whole.display())
    );
    let histograms = fs::read_to_string(whole.join("histograms.csv")).expect("written");
    assert_eq!(histograms, include_str!("../census/histograms.csv"));

    // Nothing is left to do.
    let again = census(&whole, &[]);
    assert!(again.status.success());
    assert_eq!(text(&again.stderr).lines().count(), 1);
    let unchanged = fs::read_to_string(whole.join("histograms.csv")).expect("still there");
    assert_eq!(unchanged, histograms);

    // Another census does not go into the same directory.
    let other = census(&whole, &["--hardest", "3"]);
    assert_eq!(other.status.code(), Some(2));
    assert!(text(&other.stderr).contains("choose another directory"));

    // Two halves are the whole.
    let parts = directory.path().join("parts");
    for shard in ["1/2", "2/2"] {
        let part = census(&parts, &["--shard", shard]);
        assert!(part.status.success(), "{}", text(&part.stderr));
    }
    let merged = directory.path().join("merged");
    let merge = Command::new(env!("CARGO_BIN_EXE_ricochet"))
        .arg("merge")
        .arg(parts)
        .arg("--output")
        .arg(&merged)
        .output()
        .expect("the command runs");
    assert!(merge.status.success(), "{}", text(&merge.stderr));
    let mut lines: Vec<&str> = histograms.lines().collect();
    let merged = fs::read_to_string(merged.join("histograms.csv")).expect("written");
    let mut merged: Vec<&str> = merged.lines().collect();
    lines.sort_unstable();
    merged.sort_unstable();
    assert_eq!(merged, lines);
}

#[test]
fn what_does_not_fit_into_the_memory_is_refused() {
    let directory = tempfile::tempdir().expect("a directory");
    let refused = census(directory.path(), &["--memory-limit", "1KiB"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("are allowed"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_census_does_not_mind_that_nobody_listens() {
    let directory = tempfile::tempdir().expect("a directory");
    let full = fs::File::options().write(true).open("/dev/full");
    let status = Command::new(env!("CARGO_BIN_EXE_ricochet"))
        .args([
            "census",
            "--layouts",
            "1A 4B 3B 2B",
            "--robot-count",
            "1",
            "--output",
        ])
        .arg(directory.path())
        .stderr(full.expect("Linux has it"))
        .status()
        .expect("the command runs");
    assert!(status.success(), "{status}");
    let targets = fs::read_to_string(directory.path().join("targets.csv")).expect("written");
    assert_eq!(targets.lines().count(), 1 + 17);
}
