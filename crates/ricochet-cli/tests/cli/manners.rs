//! How the program behaves towards pipes, terminals and impatient people.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Far longer than anything here takes on a busy machine, far shorter than the work it cuts short.
const GENEROUS: Duration = Duration::from_secs(60);

pub(crate) fn ricochet(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ricochet"));
    command
        .args(arguments)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::null());
    command
}

fn run(arguments: &[&str]) -> Output {
    ricochet(arguments).output().expect("the program starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// Waits for the end; kills and fails if it does not come.
pub(crate) fn wait(child: &mut Child) -> Option<i32> {
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("it can be waited for") {
            return status.code();
        }
        if started.elapsed() > GENEROUS {
            let _ = child.kill();
            panic!("still running after {GENEROUS:?}");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A puzzle that a plain search works on for ages, and much memory.
const ENDLESS: &[&str] = &[
    "solve",
    "--solver",
    "iddfs:memo=off:bound=off",
    "corpus/records/records.jsonl:1",
];

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = ricochet(&[
        "generate", "--seed", "1", "--count", "100000", "--to", "json",
    ])
    .stdout(Stdio::piped())
    .stderr(Stdio::piped())
    .spawn()
    .expect("the program starts");
    let mut line = String::new();
    let mut reader = BufReader::new(child.stdout.take().expect("piped"));
    reader.read_line(&mut line).expect("a line comes");
    assert!(line.starts_with('{') && line.ends_with("}\n"), "{line}");
    drop(reader);
    assert_eq!(wait(&mut child), Some(0));
    let mut errors = String::new();
    let mut stderr = child.stderr.take().expect("piped");
    stderr.read_to_string(&mut errors).expect("UTF-8");
    assert_eq!(errors, "");
}

#[test]
fn colours_only_where_they_are_wanted() {
    let show = ["show", "corpus/official/random.jsonl:2"];
    assert!(
        !stdout(&run(&show)).contains('\u{1b}'),
        "a pipe is no terminal"
    );
    let always = [
        "show",
        "--color",
        "always",
        "corpus/official/random.jsonl:2",
    ];
    let colored = stdout(&run(&always));
    assert!(colored.contains('\u{1b}'));
    let forced = ricochet(&show).env("CLICOLOR_FORCE", "1").output();
    assert!(stdout(&forced.expect("it starts")).contains('\u{1b}'));
    let refused = ricochet(&show)
        .env("NO_COLOR", "1")
        .env("CLICOLOR_FORCE", "1")
        .output();
    assert!(!stdout(&refused.expect("it starts")).contains('\u{1b}'));
}

#[test]
fn output_is_ascii_unless_the_locale_is_utf8() {
    let shown = |locale: &str, arguments: &[&str]| {
        let output = ricochet(arguments).env("LC_ALL", locale).output();
        stdout(&output.expect("the program starts"))
    };
    for command in [&["show", "random:2"][..], &["quadrants", "1A"], &["demo"]] {
        let ascii = shown("C", command);
        assert!(ascii.contains("+---"), "{ascii}");
        assert!(ascii.is_ascii(), "{ascii}");
        assert!(shown("C.UTF-8", command).contains('━'), "{command:?}");
    }
    for command in [
        &["show", "--overlay", "min-moves", "random:2"][..],
        &["solve", "random:2"],
        &["solve", "--all", "random:2"],
        &["compare", "random:2"],
        &["explain", "random:2"],
        &["hint", "random:2"],
        &["rate", "random:2"],
    ] {
        let ascii = shown("C", command);
        assert!(
            ascii.is_ascii() && !ascii.is_empty(),
            "{command:?}: {ascii}"
        );
    }
    assert!(shown("C", &["show", "--ascii=off", "random:2"]).contains('━'));
    assert!(!shown("C.UTF-8", &["show", "--ascii", "random:2"]).contains('━'));
}

#[test]
fn quiet_silences_notes_but_not_errors() {
    let batch = "crates/ricochet-cli/tests/data/batch.jsonl";
    let loud = run(&["solve", "--solver", "iddfs", batch]);
    let quiet = run(&["solve", "--solver", "iddfs", "--quiet", batch]);
    let text = |output: &Output| String::from_utf8(output.stderr.clone()).expect("UTF-8");
    assert!(text(&loud).contains("5 puzzles: "), "{}", text(&loud));
    assert!(!text(&quiet).contains("5 puzzles: "));
    assert!(text(&quiet).contains("batch.jsonl:2:"), "{}", text(&quiet));
    assert_eq!(loud.stdout, quiet.stdout);
}

#[test]
fn exit_codes_say_how_it_went() {
    let data = |name: &str| format!("crates/ricochet-cli/tests/data/{name}");
    let code = |arguments: &[&str]| run(arguments).status.code();
    let batch = data("batch.jsonl");
    let line = |number: usize| format!("{batch}:{number}");
    assert_eq!(code(&["solve", &line(1)]), Some(0));
    assert_eq!(code(&["solve", &line(3)]), Some(1), "unsolvable");
    assert_eq!(code(&["solve", &line(2)]), Some(2), "torn");
    assert_eq!(code(&["solve", "--max-moves", "1", &line(1)]), Some(3));
    assert_eq!(code(&["solve", &line(1), &line(3)]), Some(1));
    assert_eq!(
        code(&["solve", "--max-moves", "1", &line(1), &line(5)]),
        Some(3)
    );
    assert_eq!(
        code(&["solve", &batch]),
        Some(2),
        "an error outranks the rest"
    );
    assert_eq!(code(&["solve", "--nonsense"]), Some(2));
}

#[test]
fn results_keep_the_order_of_the_input_whatever_the_threads() {
    let ids = |threads: &str| -> Vec<String> {
        let file = "corpus/official/random.jsonl";
        let output = run(&[
            "solve",
            "--json",
            "--threads",
            threads,
            "--max-moves",
            "6",
            file,
        ]);
        let lines = stdout(&output);
        let values = lines.lines().map(|line| {
            serde_json::from_str::<serde_json::Value>(line).expect("each line is an object")
        });
        values
            .map(|value| value["id"].as_str().expect("a name").to_owned())
            .collect()
    };
    let expected: Vec<String> = (0..500).map(|i| format!("R{i:05}")).collect();
    assert_eq!(ids("1"), expected);
    assert_eq!(ids("4"), expected);
}

#[test]
fn a_time_limit_ends_a_long_search() {
    let started = Instant::now();
    let mut arguments = ENDLESS.to_vec();
    arguments.extend(["--time-limit", "100ms", "--json"]);
    let output = run(&arguments);
    assert!(started.elapsed() < GENEROUS);
    assert_eq!(output.status.code(), Some(3));
    let line: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one object");
    assert_eq!(line["outcome"], "limit");
    assert_eq!(line["limit"], "time limit");
    assert!(line["lower_bound"].as_u64() > Some(3), "{line}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_search_with_whole_lines() {
    let mut child = ricochet(ENDLESS)
        .args(["--watch", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // The first row says that the search is on.
    let mut rows = BufReader::new(child.stderr.take().expect("piped"));
    let mut row = String::new();
    rows.read_line(&mut row).expect("a row comes");
    assert!(row.starts_with("Depth: "), "{row}");
    interrupt(&child);
    assert_eq!(wait(&mut child), Some(130));
    let mut text = String::new();
    let mut stdout = child.stdout.take().expect("piped");
    stdout.read_to_string(&mut text).expect("UTF-8");
    let line: serde_json::Value = serde_json::from_str(&text).expect("one whole object");
    assert_eq!(line["limit"], "cancelled");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_batch_after_a_whole_line() {
    let mut child = ricochet(&[
        "solve",
        "--json",
        "--solver",
        "iddfs",
        "--threads",
        "2",
        "-",
    ])
    .stdin(Stdio::piped())
    .stdout(Stdio::piped())
    .spawn()
    .expect("the program starts");
    let mut stdin = child.stdin.take().expect("piped");
    // Easy ones, then some that take long.
    let easy = "{\"width\":2,\"height\":2,\"walls\":[9,3,12,6],\"robots\":[[0,0]],\"active\":0,\"target\":[1,1]}\n";
    let records = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../corpus/records/records.jsonl"
    ));
    let hard = records.expect("the corpus is there");
    write!(stdin, "{easy}{easy}{hard}{hard}").expect("it reads");
    stdin.flush().expect("it reads");
    let mut reader = BufReader::new(child.stdout.take().expect("piped"));
    let mut text = String::new();
    for _ in 0..2 {
        reader.read_line(&mut text).expect("a line comes");
    }
    // The input stays open: nobody waits for more of it.
    interrupt(&child);
    assert_eq!(wait(&mut child), Some(130));
    drop(stdin);
    reader.read_to_string(&mut text).expect("UTF-8");
    assert!(text.ends_with('\n'));
    for line in text.lines() {
        serde_json::from_str::<serde_json::Value>(line).expect("every line is whole");
    }
}

#[cfg(unix)]
#[test]
fn a_table_does_not_take_the_place_of_a_pipe_or_a_device() {
    use std::os::unix::fs::FileTypeExt;
    let directory = tempfile::tempdir().expect("a directory");
    let pipe = directory.path().join("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status().expect("mkfifo");
    assert!(made.success());
    let out = pipe.to_str().expect("UTF-8");
    let output = run(&["tablebase", "build", "4x3..0012.R31", "--output", out]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(said.contains("is not a regular file"), "{said}");
    let kind = std::fs::metadata(&pipe).expect("still there").file_type();
    assert!(kind.is_fifo());
}

#[cfg(unix)]
pub(crate) fn interrupt(child: &Child) {
    let status = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(status.expect("kill exists").success());
}

#[test]
fn completions_and_manual_pages_cover_every_command() {
    let help = stdout(&run(&["--help"]));
    let commands: Vec<&str> = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        // Summaries may go on in the next line, further in.
        .filter(|line| !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(commands.contains(&"solve"), "{help}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = stdout(&run(&["completions", shell]));
        for command in &commands {
            assert!(script.contains(command), "{command} in {shell}");
        }
    }
    let page = stdout(&run(&["man"]));
    assert!(page.contains(".TH ricochet 1"), "{page}");
    for command in &commands {
        assert!(page.contains(&format!("ricochet\\-{command}")), "{command}");
    }
}

#[test]
fn solvers_are_listed_with_guarantee_source_and_parameters() {
    let text = stdout(&run(&["solvers", "--json"]));
    let listed: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("each line is an object"))
        .collect();
    let iddfs = listed
        .iter()
        .find(|entry| entry["name"] == "iddfs")
        .expect("iddfs is listed");
    assert_eq!(iddfs["guarantee"], "optimal");
    assert!(
        iddfs["source"]
            .as_str()
            .is_some_and(|source| source.contains("slides"))
    );
    assert_eq!(iddfs["parameters"][0]["key"], "memo");
    let plain = stdout(&run(&["solvers"]));
    for entry in &listed {
        assert!(plain.contains(entry["name"].as_str().expect("a name")));
    }
}
