//! Ctrl-C in the middle of many puzzles: whole lines, and an end.

#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::manners::{interrupt, ricochet, wait};

/// Far more puzzles than fit into a pipe that nobody reads.
fn many() -> PathBuf {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("many.jsonl");
    let corpus = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../corpus/official/random.jsonl"
    );
    let corpus = fs::read_to_string(corpus).expect("the corpus is there");
    // Tests may run at the same time: none sees half a file.
    let own = file.with_extension(format!("{}", std::process::id()));
    fs::write(&own, corpus.repeat(40)).expect("it can be written");
    fs::rename(&own, &file).expect("it can be renamed");
    file
}

/// Interrupts a command after its first line of output; gives what it wrote afterwards.
fn interrupted(arguments: &[&str]) -> String {
    let file = many();
    let file = file.to_str().expect("UTF-8");
    let mut child = ricochet(arguments)
        .arg(file)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut reader = BufReader::new(child.stdout.take().expect("piped"));
    let mut text = String::new();
    reader.read_line(&mut text).expect("a line comes");
    interrupt(&child);
    reader.read_to_string(&mut text).expect("UTF-8");
    assert_eq!(wait(&mut child), Some(130), "{arguments:?}");
    text
}

#[test]
fn ctrl_c_stops_every_command_that_takes_many_puzzles() {
    for arguments in [
        &["solve", "--json", "--solver", "iddfs"][..],
        &["hint"],
        &["rate", "--max-moves", "4"],
        &["rate", "--json", "--max-moves", "4"],
        &["distances", "--json", "--max-moves", "2"],
        &["explain"],
        &["explain", "--moves", "RN"],
        &["show"],
        &["convert", "--to", "json"],
    ] {
        let text = interrupted(arguments);
        let stopped = text.matches("stopped").count() + text.matches("cancelled").count();
        assert!(stopped <= 1, "{arguments:?}: {stopped} lines 'stopped'");
        assert!(text.is_empty() || text.ends_with('\n'), "{arguments:?}");
    }
}

#[test]
fn ctrl_c_before_the_first_answer_is_said_so() {
    let line = |number| format!("corpus/records/records.jsonl:{number}");
    let mut child = ricochet(&["solve", "--solver", "iddfs", "--no-memo", "--no-bound"])
        .args(["--watch", &line(1), &line(2)])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // The first row says that the search is on.
    let mut rows = BufReader::new(child.stdout.take().expect("piped"));
    let mut row = String::new();
    rows.read_line(&mut row).expect("a row comes");
    assert!(row.starts_with("Depth: "), "{row}");
    interrupt(&child);
    assert_eq!(wait(&mut child), Some(130));
    let mut said = String::new();
    let mut stderr = child.stderr.take().expect("piped");
    stderr.read_to_string(&mut said).expect("UTF-8");
    assert_eq!(said, "stopped before the first answer\n");
}
