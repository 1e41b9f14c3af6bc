//! Ctrl-C in the middle of many puzzles: whole lines, and an end.

#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

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
    let mut child = ricochet(&["solve", "--solver", "iddfs:memo=off:bound=off"])
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

/// The row of the search that was cut short counts too.
#[test]
fn an_interrupted_batch_reports_as_many_puzzles_as_it_wrote_rows() {
    let mut child = ricochet(&["solve", "--json", "--threads", "1", "--solver"])
        .args([
            "iddfs:memo=off:bound=off",
            "random:2",
            "records:1",
            "records:2",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut reader = BufReader::new(child.stdout.take().expect("piped"));
    let mut rows = String::new();
    reader.read_line(&mut rows).expect("a row comes");
    // Usually the next search has begun by then.
    std::thread::sleep(Duration::from_millis(100));
    interrupt(&child);
    reader.read_to_string(&mut rows).expect("UTF-8");
    assert_eq!(wait(&mut child), Some(130));
    let mut said = String::new();
    let mut stderr = child.stderr.take().expect("piped");
    stderr.read_to_string(&mut said).expect("UTF-8");
    let expected = match rows.lines().count() {
        1 => "stopped after 1 puzzle: 1 solved, ",
        2 => "stopped after 2 puzzles: 1 solved, 1 unfinished, ",
        _ => panic!("{rows}"),
    };
    assert!(said.contains(expected), "{said}");
}

/// The first phase of a rating is a search, the second looks at all ways that are a move longer.
#[test]
fn ctrl_c_ends_the_second_phase_of_a_rating() {
    let mut patience = Duration::from_millis(500);
    loop {
        let mut child = ricochet(&["rate", "--json", "corpus/records/records.jsonl:1"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        std::thread::sleep(patience);
        interrupt(&child);
        assert_eq!(wait(&mut child), Some(130));
        let row = serde_json::from_reader::<_, serde_json::Value>(child.stdout.take().unwrap());
        let row = row.expect("one whole row");
        assert_eq!(row["outcome"], "limit");
        assert!(row["difficulty"].is_null(), "{row}");
        // The length is known once the first phase is over.
        if row["length"] == 22 {
            return;
        }
        patience *= 2;
        assert!(patience < Duration::from_secs(60), "still searching: {row}");
    }
}

/// Plans are made as they are worked on: one that would not fit into memory begins all the same.
#[test]
fn a_plan_without_end_begins_before_it_is_made() {
    for (arguments, file) in [
        (
            &["bench", "--corpus", "random", "--solvers", "flagship"][..],
            "rows.csv",
        ),
        (&["lab", "histogram"], "tally.csv"),
    ] {
        let directory = tempfile::tempdir().expect("a directory");
        let out = directory.path().join("out");
        let absurd = match arguments[0] {
            "bench" => ["--repeat", "4294967295"],
            _ => ["--positions", "18446744073709551615"],
        };
        let arguments: Vec<&str> = arguments.iter().copied().chain(absurd).collect();
        let mut child = ricochet(&arguments)
            .arg("--output")
            .arg(&out)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        // A row after the first line, which names the columns.
        let lines = || fs::read_to_string(out.join(file)).map_or(0, |text| text.lines().count());
        // However busy the machine is, the first row comes some day; a plan that does not fit into
        // memory ends without one.
        while lines() < 2 {
            let ended = child.try_wait().expect("it can be waited for");
            assert!(ended.is_none(), "{arguments:?}: {ended:?} without a row");
            std::thread::sleep(Duration::from_millis(20));
        }
        interrupt(&child);
        // Rows are whole at any moment: the signal itself may end a run.
        let code = child.wait().expect("it can be waited for").code();
        assert!(matches!(code, None | Some(130)), "{arguments:?}: {code:?}");
    }
}
