//! Where puzzles come from: directories, pipes, what the program printed itself.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Output, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use crate::manners::{ricochet, wait};

const PUZZLE: &str = "4x4..0012.R33.nfirst\n";

fn run(arguments: &[&str]) -> Output {
    ricochet(arguments)
        .env("NO_COLOR", "1")
        .output()
        .expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

fn convert(directory: &Path) -> Output {
    run(&["convert", "--to", "line", &directory.to_string_lossy()])
}

#[test]
fn directories_are_walked_as_ripgrep_walks_them() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    fs::create_dir_all(at("inner/.hidden")).unwrap();
    fs::write(at("a.txt"), PUZZLE).unwrap();
    fs::write(at("inner/b.txt"), "4x4..0012.R33.nsecond\n").unwrap();
    fs::write(at("inner/.hidden/c.txt"), PUZZLE).unwrap();
    fs::write(at(".d.txt"), PUZZLE).unwrap();
    fs::write(at("ignored.txt"), PUZZLE).unwrap();
    fs::write(at(".ignore"), "ignored.txt\n").unwrap();
    let output = convert(directory.path());
    assert_eq!(
        text(&output.stdout),
        "4x4..0012.R33.nfirst\n4x4..0012.R33.nsecond\n"
    );
    assert!(output.stderr.is_empty(), "{}", text(&output.stderr));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn files_of_a_directory_that_are_no_puzzles_are_one_note() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    fs::write(at("a.txt"), PUZZLE).unwrap();
    fs::write(at("notes.txt"), "Dear diary,\ntoday I played.\n").unwrap();
    fs::write(at("empty.txt"), "").unwrap();
    fs::write(at("package.json"), "{\"name\":\"something else\"}\n").unwrap();
    fs::write(at("encoding.lp"), "go(R,X,Y) :- pos(R,X,Y).\n").unwrap();
    let output = convert(directory.path());
    assert_eq!(text(&output.stdout), PUZZLE);
    let notes = text(&output.stderr);
    assert_eq!(notes.lines().count(), 1, "{notes}");
    assert!(
        notes.starts_with("note: 4 files contain no puzzles and were skipped, such as "),
        "{notes}"
    );
    assert_eq!(output.status.code(), Some(0));
    // Somebody who names the file wants to know.
    let named = run(&[
        "convert",
        "--to",
        "line",
        &at("notes.txt").to_string_lossy(),
    ]);
    assert_eq!(named.status.code(), Some(2));
    // A puzzle with a slip is an error in a directory too.
    fs::write(at("slip.txt"), "4x4..0012.R3\n").unwrap();
    let output = convert(directory.path());
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("slip.txt:1:"),
        "{}",
        text(&output.stderr)
    );
}

#[cfg(unix)]
#[test]
fn a_pipe_in_a_directory_is_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("a.txt"), PUZZLE).unwrap();
    let made = std::process::Command::new("mkfifo")
        .arg(directory.path().join("b.txt"))
        .status();
    if !made.is_ok_and(|status| status.success()) {
        return;
    }
    let mut child = ricochet(&[
        "convert",
        "--to",
        "line",
        &directory.path().to_string_lossy(),
    ])
    .stdout(Stdio::piped())
    .spawn()
    .expect("the program starts");
    assert_eq!(wait(&mut child), Some(0));
}

#[test]
fn a_dialogue_gets_each_answer_before_the_next_question() {
    let mut child = ricochet(&["solve", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("piped");
    let stdout = BufReader::new(child.stdout.take().expect("piped"));
    let (sender, answers) = mpsc::channel();
    let reader = std::thread::spawn(move || {
        for line in stdout.lines() {
            let _ = sender.send(line.expect("UTF-8"));
        }
    });
    for name in ["first", "second", "third"] {
        writeln!(stdin, "4x4..0012.R33.n{name}").unwrap();
        stdin.flush().unwrap();
        let answer = answers.recv_timeout(Duration::from_secs(60));
        let Ok(answer) = answer else {
            let _ = child.kill();
            panic!("no answer to the {name} puzzle before the next one");
        };
        assert!(answer.contains(&format!("\"id\":\"{name}\"")), "{answer}");
    }
    drop(stdin);
    assert_eq!(wait(&mut child), Some(0));
    reader.join().unwrap();
}

#[test]
fn what_show_prints_is_a_puzzle() {
    let wanted = run(&[
        "convert",
        "--to",
        "json",
        "random:2",
        "records:1",
        "1D4B3B2B.1fc1f0c0.V9c",
    ]);
    for ways in [
        &[][..],
        &["--ascii"],
        &["--coordinates=off"],
        &["--ascii", "--coordinates=off"],
    ] {
        let puzzles = ["show", "random:2", "records:1", "1D4B3B2B.1fc1f0c0.V9c"];
        let shown = run(&[&puzzles[..], ways].concat());
        let mut child = ricochet(&["convert", "--to", "json"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut stdin = child.stdin.take().expect("piped");
        stdin.write_all(&shown.stdout).unwrap();
        drop(stdin);
        let back = child.wait_with_output().unwrap();
        assert_eq!(text(&back.stdout), text(&wanted.stdout), "{ways:?}");
    }
}

/// What `generate`, `show` and `next` print with --json is a puzzle for every command that reads some.
#[test]
fn rows_of_json_are_read_back() {
    let directory = tempfile::tempdir().expect("a directory");
    let made = run(&["generate", "--json", "--seed", "7", "--count", "3"]);
    let lines = run(&["generate", "--seed", "7", "--count", "3"]);
    let shown = run(&["show", "--json", "random:2"]);
    let next = run(&["next", "--json", "random:2", "--target", "vortex"]);
    let file = directory.path().join("made.jsonl");
    fs::write(
        &file,
        [made.stdout.clone(), shown.stdout, next.stdout].concat(),
    )
    .expect("written");
    let back = text(&convert(&file).stdout);
    assert_eq!(back.lines().count(), 5, "{back}");
    // The rows know the optimum, which lines of puzzles that were not solved leave out.
    let without_optimum = |line: &str| {
        let fields = line.split('.').filter(|field| !field.starts_with('o'));
        fields.collect::<Vec<_>>().join(".")
    };
    let puzzles: Vec<String> = back.lines().take(3).map(without_optimum).collect();
    assert_eq!(puzzles.join("\n"), text(&lines.stdout).trim_end());
    let file = file.to_str().expect("UTF-8");
    for arguments in [
        &["solve", "--json", "--max-moves", "3"][..],
        &["rate", "--json", "--max-moves", "3"],
        &["hint", "--json", "--max-moves", "3"],
        &["explain", "--json", "--max-moves", "3"],
        &["evaluate", "--json", "--max-moves", "3"],
        &["distances", "--json", "--max-moves", "1"],
        &["show", "--json"],
    ] {
        let rows = text(&run(&[arguments, &[file]].concat()).stdout);
        assert_eq!(rows.lines().count(), 5, "{arguments:?}: {rows}");
        assert!(
            !rows.contains("\"outcome\":\"error\""),
            "{arguments:?}: {rows}"
        );
    }
    let mut solve = ricochet(&["solve", "--json", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = solve.stdin.take().expect("piped");
    stdin.write_all(&made.stdout).expect("written");
    drop(stdin);
    let solved = text(&solve.wait_with_output().expect("it ends").stdout);
    assert_eq!(
        solved.matches("\"outcome\":\"solved\"").count(),
        3,
        "{solved}"
    );
}

/// Two URLs of one board differ only at their ends.
#[test]
fn different_puzzles_on_the_command_line_have_different_ids() {
    let urls = run(&["convert", "--to", "kevincox-url", "random:2", "random:2"]);
    let urls = text(&urls.stdout);
    let mut urls: Vec<&str> = urls.lines().collect();
    let other = run(&[
        "convert",
        "--to",
        "kevincox-url",
        "random:2",
        "--robots",
        "R 0,0",
    ]);
    let other = text(&other.stdout);
    urls[1] = other.trim();
    let rows = run(&["solve", "--json", "--max-moves", "2", urls[0], urls[1]]);
    let rows = text(&rows.stdout);
    let ids: Vec<String> = rows
        .lines()
        .map(|row| serde_json::from_str::<serde_json::Value>(row).expect("JSON"))
        .map(|row| row["id"].as_str().expect("a name").to_owned())
        .collect();
    assert_eq!(ids, urls);
}

#[test]
fn several_puzzles_in_asp_are_read_back() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("two.lp");
    let puzzles = ["8x8..0012.R33", "4x4..0012.R33"];
    let written = run(&["convert", "--to", "asp", puzzles[0], puzzles[1]]);
    fs::write(&file, &written.stdout).unwrap();
    let back = convert(&file);
    assert_eq!(
        text(&back.stdout),
        format!("{}\n{}\n", puzzles[0], puzzles[1])
    );
}

#[test]
fn what_readers_note_is_told_once_in_a_batch() {
    // Boards with diagonals, or without: an ID does not say.
    let ids = "CDEF+42+E2302B12+C9\nCDEF+42+E2302B13+C9\n";
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("ids.txt");
    fs::write(&file, ids).expect("written");
    let file = file.to_str().expect("UTF-8");
    for arguments in [
        &["solve", "--json"][..],
        &["hint"],
        &["explain"],
        &["rate", "--max-moves", "3"],
        &["distances", "--max-moves", "1", "--json"],
        &["convert", "--to", "line"],
    ] {
        let output = run(&[arguments, &[file]].concat());
        let said = text(&output.stderr);
        let notes = said.matches("is read without the diagonals of its D quadrants");
        assert_eq!(notes.count(), 1, "{arguments:?}: {said}");
        assert!(said.contains("note: 1 more note"), "{arguments:?}: {said}");
    }
}
