//! Streams that are full, and text from outside that a terminal would obey.

use std::fs::{self, File};
use std::process::Stdio;

use crate::manners::ricochet;

const BATCH: &str = "crates/ricochet-cli/tests/data/batch.jsonl";
const ONE: &str = "corpus/official/random.jsonl:2";

/// Commands that say something on both streams.
const TALKATIVE: &[&[&str]] = &[
    &["demo"],
    &["solve", BATCH],
    &["solve", "--json", BATCH],
    &["solve", "--watch", ONE],
    &["solve", "--watch", "--json", ONE],
    &["solve", "--all", ONE],
    &["hint", BATCH],
    &["rate", BATCH],
    &["explain", BATCH],
    &["show", BATCH],
    &["check", ONE, "RN"],
    &["distances", "--max-moves", "2", BATCH],
    &["convert", "--to", "drifting-droids", ONE],
    &["generate", "--count", "3", "--length", "2..9"],
    &["compare", "--solvers", "iddfs,naive", ONE],
    &["perft", ONE, "2"],
    &["draw", ONE],
    &["tablebase", "build", "4x3..0012.R31"],
    &["solvers"],
    &["completions", "bash"],
    &["man"],
    &["--help"],
    &["nonsense"],
];

#[cfg(target_os = "linux")]
#[test]
fn no_command_panics_when_a_stream_is_full() {
    let full = || {
        File::options()
            .write(true)
            .open("/dev/full")
            .expect("it exists")
    };
    for arguments in TALKATIVE {
        let code = |mut command: std::process::Command| command.status().expect("it starts").code();
        let mut to_full = ricochet(arguments);
        to_full.stdout(Stdio::null()).stderr(full());
        let mut both_full = ricochet(arguments);
        both_full.stdout(full()).stderr(full());
        for code in [code(to_full), code(both_full)] {
            assert!(matches!(code, Some(0..=3)), "{arguments:?}: {code:?}");
        }
    }
}

#[cfg(unix)]
#[test]
fn what_files_say_is_shown_and_not_obeyed() {
    let directory = tempfile::tempdir().expect("a directory");
    let place = directory.path().join("a\u{1b}[2Jb\nc.jsonl");
    let good = r#"{"id":"x\u001b]0;owned\u0007\ny","width":2,"height":2,"walls":[9,3,12,6],"robots":[[0,0]],"active":0,"target":[1,1]}"#;
    let nameless = good.replacen(r#""id":"x\u001b]0;owned\u0007\ny","#, "", 1);
    let rule = nameless.replacen('{', r#"{"rules":["\u001b[2J\n"],"#, 1);
    fs::write(
        &place,
        format!("{good}\n{nameless}\n{rule}\nno\u{1b}[2Jnsense\n"),
    )
    .expect("written");
    let file = place.to_str().expect("UTF-8");
    for arguments in [
        &["solve"][..],
        &["solve", "--json"],
        &["solve", "--all"],
        &["hint"],
        &["rate"],
        &["rate", "--json"],
        &["explain"],
        &["show"],
        &["distances", "--json"],
        &["convert", "--to", "line"],
        &["draw", "-o", "/dev/null"],
        &["check"],
    ] {
        let output = ricochet(arguments)
            .args([file, "--color", "always"])
            .output()
            .expect("it starts");
        for bytes in [&output.stdout, &output.stderr] {
            let text = String::from_utf8(bytes.clone()).expect("UTF-8");
            assert!(!text.contains("\u{1b}]0;"), "{arguments:?}: {text:?}");
            assert!(!text.contains("\u{1b}[2J"), "{arguments:?}: {text:?}");
            assert!(!text.contains('\u{7}'), "{arguments:?}: {text:?}");
            assert!(!text.contains("owned\ny"), "{arguments:?}: {text:?}");
            assert!(!text.contains("b\nc.jsonl"), "{arguments:?}: {text:?}");
        }
    }
    // A name that is not there, too.
    let missing = ricochet(&["solve", "gone\u{1b}[2J\n.jsonl"]).output();
    let said = String::from_utf8(missing.expect("it starts").stderr).expect("UTF-8");
    assert_eq!(said.lines().count(), 1, "{said:?}");
    assert!(!said.contains('\u{1b}'), "{said:?}");
}

/// Files that cannot be written or read, named by a path with a line break.
#[cfg(unix)]
#[test]
fn a_path_in_an_error_stays_on_one_line() {
    let place = "README.md/gone\nRED\u{1b}[2J/";
    let within = |name: &str| format!("{place}{name}");
    for arguments in [
        &["draw", ONE, "-o", &within("a.svg")][..],
        &["quadrants", "-o", &within("a.svg")],
        &["man", "--output", &within("pages")],
        &["tablebase", "build", "4x3..0012.R31", "-o", &within("a.rt")],
        &["tablebase", "verify", &within("a.rt")],
        &["report", place],
        &["bench", "--corpus", &within("a.jsonl"), "--output", place],
    ] {
        let output = ricochet(arguments).output().expect("it starts");
        let said = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains("gone\\u{a}RED"), "{arguments:?}: {said:?}");
        assert!(!said.contains("\nRED"), "{arguments:?}: {said:?}");
        assert!(!said.contains('\u{1b}'), "{arguments:?}: {said:?}");
    }
}

#[test]
fn rows_align_with_the_input_even_where_it_cannot_be_read() {
    for arguments in [
        &["solve", "--json"][..],
        &["rate", "--json"],
        &["hint", "--json"],
        &["explain", "--json"],
        &["distances", "--json"],
    ] {
        let output = ricochet(arguments).arg(BATCH).output().expect("it starts");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        let rows: Vec<serde_json::Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).expect("an object"))
            .collect();
        assert_eq!(rows.len(), 5, "{arguments:?}: {text}");
        for (row, line, column) in [(1, 2, Some(32)), (3, 4, None)] {
            assert_eq!(rows[row]["outcome"], "error");
            assert_eq!(rows[row]["file"], BATCH);
            assert_eq!(rows[row]["line"], line);
            assert_eq!(rows[row]["column"].as_u64(), column);
            assert!(rows[row]["message"].is_string());
        }
        assert_eq!(output.status.code(), Some(2));
    }
}

#[test]
fn wrong_lines_give_short_errors_however_many_there_are() {
    const WRONG: usize = 5_000;
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("wrong.txt");
    let drawing = "goal: red\n+---+---+\n| R     |\n+   +   +\n|     * |\n+---+---+\n";
    for (first, errors) in [
        // One line, one puzzle: each wrong line is one error.
        ("8x8..00.R77\n", WRONG),
        // Nobody knows where the next drawing or the first puzzle would be.
        (drawing, 1),
        ("", 1),
    ] {
        fs::write(&path, first.to_owned() + &"wrong\n".repeat(WRONG)).expect("written");
        let output = ricochet(&["convert", "--quiet", "--to", "line"])
            .arg(&path)
            .output()
            .expect("it starts");
        assert_eq!(output.status.code(), Some(2));
        let said = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!(said.matches("error: ").count(), errors, "after {first:?}");
        let name = path.to_string_lossy().len();
        assert!(
            said.lines().all(|line| line.len() < name + 300),
            "{first:?}"
        );
    }
}

/// Files are written under a temporary name first, which means nothing to the user.
#[cfg(target_os = "linux")]
#[test]
fn errors_of_writing_name_the_file_that_was_asked_for() {
    for (arguments, file) in [
        (&["draw", ONE, "-o"][..], "/proc/board.svg"),
        (&["quadrants", "1A", "-o"], "/proc/sides.pdf"),
        (&["solve", "--json", BATCH, "-o"], "/proc/rows.jsonl"),
    ] {
        let output = ricochet(arguments).arg(file).output();
        let output = output.expect("the program starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(&format!("cannot write {file}")), "{said}");
        assert!(
            !said.contains(".tmp") && !said.contains(".ricochet"),
            "{said}"
        );
    }
}
