//! A memory limit holds for the whole program, over all puzzles of a batch and for what is listed.
//!
//! The peak of a process is read from the system while it waits for more input: it answers each
//! line as it comes.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use crate::manners::{ricochet, wait};

const MIB: u64 = 1 << 20;
const LIMIT: u64 = 24 * MIB;

/// Solved at once.
const EASY: &str = "8x8..0033.R77\n";

/// A running program that is given one puzzle after the other.
struct Dialogue {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    /// Peak resident size before the puzzles of the test.
    before: u64,
}

/// Peak resident size of a program that is running, in bytes.
fn peak(child: &Child) -> u64 {
    let status = format!("/proc/{}/status", child.id());
    let status = fs::read_to_string(status).expect("Linux has it");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line.and_then(|line| line.split_whitespace().next());
    let kibibytes: u64 = kibibytes.expect("a line").parse().expect("a number");
    kibibytes * 1024
}

impl Dialogue {
    fn start(arguments: &[&str]) -> Self {
        let mut child = ricochet(&["solve", "--json", "--memory-limit", "24MiB"])
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let mut dialogue = Self {
            stdin: child.stdin.take().expect("piped"),
            stdout: BufReader::new(child.stdout.take().expect("piped")),
            child,
            before: 0,
        };
        dialogue.answers(EASY, 1);
        dialogue.before = dialogue.peak();
        dialogue
    }

    fn peak(&self) -> u64 {
        peak(&self.child)
    }

    /// Its answers to `count` puzzles.
    fn answers(&mut self, puzzles: &str, count: usize) -> Vec<serde_json::Value> {
        write!(self.stdin, "{puzzles}").expect("it reads");
        self.stdin.flush().expect("it reads");
        let answer = |_| {
            let mut line = String::new();
            self.stdout.read_line(&mut line).expect("a line comes");
            serde_json::from_str(&line).expect("JSON")
        };
        (0..count).map(answer).collect()
    }

    /// Checks what the puzzles took, and ends the program.
    fn end(mut self, code: i32) {
        let grown = self.peak() - self.before;
        drop(self.stdin);
        assert_eq!(wait(&mut self.child), Some(code));
        assert!(
            grown <= LIMIT / 100 * 115,
            "{} MiB of {} MiB",
            grown / MIB,
            LIMIT / MIB
        );
    }
}

#[test]
fn what_one_puzzle_of_a_batch_has_freed_does_not_add_up() {
    let corpus = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../corpus/official/hard.jsonl"
    );
    let corpus = fs::read_to_string(corpus).expect("the corpus is there");
    let hard: Vec<&str> = corpus.lines().take(4).collect();
    let mut dialogue = Dialogue::start(&["--solver", "naive"]);
    let answers = dialogue.answers(&(hard.join("\n") + "\n"), hard.len());
    let stopped = answers.iter().filter(|it| it["limit"] == "memory limit");
    assert!(stopped.count() > 0, "some need more than the limit");
    dialogue.end(3);
}

#[test]
fn the_list_of_all_solutions_is_counted() {
    let data = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/memory/many-orders.jsonl"
    );
    let puzzle = fs::read_to_string(data).expect("it is there");
    let mut dialogue = Dialogue::start(&["--all", "--max-solutions", "300000"]);
    let answer = dialogue.answers(&puzzle, 1).remove(0);
    // Three ways of 6, 6 and 7 moves, which do not meet before their ends, in every order.
    assert_eq!(answer["solutions"], 71_628_480);
    assert_eq!(answer["all_limit"], "memory limit");
    let listed = answer["all"].as_array().expect("a list").len();
    assert!((10_000..300_000).contains(&listed), "{listed}");
    dialogue.end(3);
}

/// Puzzles of a format with several lines each are read one after the other from the text, which is
/// all that is held.
#[test]
fn many_small_drawings_take_little_more_than_their_text() {
    const DRAWING: &str = "goal: red\n+---+---+\n| R     |\n+   +   +\n|     * |\n+---+---+\n\n";
    const COUNT: usize = 100_000;
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("small.txt");
    fs::write(&path, DRAWING.repeat(COUNT)).expect("it can be written");
    let mut child = ricochet(&["convert", "--quiet", "--to", "line"])
        .arg(&path)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let lines = BufReader::new(child.stdout.take().expect("piped")).lines();
    let mut peaks = Vec::new();
    for (number, line) in lines.enumerate() {
        assert_eq!(line.expect("a line"), "2x2..00.R11");
        // The second half does not fit into the pipe, so the program is there still.
        if number == 0 || number == COUNT / 2 {
            peaks.push(peak(&child));
        }
    }
    assert_eq!(wait(&mut child), Some(0));
    assert_eq!(peaks.len(), 2, "two lines came");
    let text = (DRAWING.len() * COUNT) as u64;
    // Puzzles in memory would be fourteen times the text.
    let most = 24 * MIB + 2 * text;
    assert!(peaks[1] <= most, "{} MiB", peaks[1] / MIB);
}
