//! Options that need files, answers or another program: what the snapshots cannot show.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Runs the program in a folder of its own, with something to read.
fn run(folder: &Path, arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ricochet"))
        .args(arguments)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("piped");
    // A command that does not read its input closes it.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("it ends")
}

/// The same, for what must succeed: what it printed.
fn printed(folder: &Path, arguments: &[&str], input: &str) -> String {
    let output = run(folder, arguments, input);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {said}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn new_takes_the_number_of_robots_and_the_rule() {
    let folder = tempfile::tempdir().unwrap();
    let options = [
        "new",
        "--robot-count",
        "2",
        "--must-ricochet",
        "--coordinates=off",
        "--ascii",
    ];
    let answers = "1A\n4B\n3B\n2B\n1,8\n12,1\nvortex\n";
    let line = printed(folder.path(), &options, answers);
    assert_eq!(line, "1A4B3B2B.18c1.V83.m\n");
}

#[test]
fn new_takes_the_rest_of_the_quadrants_or_all_of_them_at_any_time() {
    let folder = tempfile::tempdir().unwrap();
    let rest = "R 1,8 G 12,1 B 15,0 Y 12,0\nvortex\n";
    for sides in [
        "1A\n1A 4B 3B 2B",
        "1A\n4B 3B 2B",
        "1a4b\n3b-2b",
        "1A\n4B\n1A4B3B2B",
    ] {
        let line = printed(folder.path(), &["new"], &format!("{sides}\n{rest}"));
        assert_eq!(line, "1A4B3B2B.18c1f0c0.V83\n", "{sides}");
    }
    for (answers, expected) in [
        (
            "foo",
            "'foo' is not a quadrant: expected a number 1 to 4 and a letter A to D",
        ),
        ("1A\n2B 4B 3B 1A", "The north-west is already 1A, not 2B: "),
        (
            "1A\n4B\n3B 2B 2C",
            "Those are 3 quadrants, but fewer are missing: south-east, south-west.",
        ),
        ("1A\n4B 4C", "Quadrant 4 is used twice: "),
        ("1A\n4B 1C", "Quadrant 1 is already on the board; "),
        (
            "1A4B3B2B\nz9",
            "(25,8), or z9, is off the board: columns are 0 to 15 (a to p)",
        ),
        (
            "1A4B3B2B\n1,8\nb9",
            "The red robot is already at (1,8) (b9)",
        ),
    ] {
        let said = run(folder.path(), &["new"], &format!("{answers}\n"));
        let said = String::from_utf8_lossy(&said.stderr).replace('\n', " ");
        assert!(said.contains(expected), "{answers}: {said}");
    }
}

#[test]
fn every_experiment_runs_in_parts_under_its_limits() {
    let folder = tempfile::tempdir().unwrap();
    for (experiment, own) in [
        ("slides", &["--depth", "2"][..]),
        (
            "thesis",
            &["--configurations", "16", "--layout", "2A 1B 3B 4A"],
        ),
        ("thesis", &["--boards", "1", "--starts", "1"]),
        (
            "ai-in-games",
            &["--time-scale", "0.0001", "--layout", "2A 1B 3B 4A"],
        ),
        ("competitions", &[]),
        ("growth", &["--puzzles", "1"]),
        ("histogram", &["--positions", "16"]),
    ] {
        let out = format!("{experiment}-{}", own.first().unwrap_or(&""));
        let mut arguments = vec!["lab", experiment, "--output", &out];
        arguments.extend(["--shard", "1/200", "--threads", "1", "--time-limit", "20ms"]);
        arguments.extend([
            "--memory-limit",
            "1GiB",
            "--clock",
            "processor",
            "--seed",
            "7",
        ]);
        arguments.extend(["--solvers", "flagship"]);
        arguments.extend(own);
        printed(folder.path(), &arguments, "");
        let written = folder.path().join(&out);
        let facts = fs::read_to_string(written.join("experiment.json")).unwrap();
        let clock = "\"clock\": \"processor\"";
        assert!(facts.contains(clock), "{experiment}: {facts}");
        assert!(
            written.join("machine.1-of-200.json").exists(),
            "{experiment}: one part of 200"
        );
    }
}

#[test]
fn puzzles_are_chosen_and_populations_compared() {
    let folder = tempfile::tempdir().unwrap();
    let set = |shard: &str| {
        let mut arguments = vec!["lab", "puzzle-set", "--output", "set", "--threads", "1"];
        arguments.extend(["--candidates", "40", "--puzzles", "12", "--training", "5"]);
        arguments.extend(["--seed", "7", "--shard", shard]);
        let output = run(folder.path(), &arguments, "");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(set("2/2").contains("1 of 1 parts are missing in set"));
    assert!(set("1/2").contains("12 puzzles in set"));
    let rows = fs::read_to_string(folder.path().join("set/puzzles.csv")).unwrap();
    assert_eq!(rows.lines().count(), 13, "{rows}");

    let small = [
        "lab",
        "ratings",
        "--positions",
        "12",
        "--seed",
        "6",
        "--output",
        "ratings",
    ];
    let told = printed(folder.path(), &small, "");
    assert!(told.contains("Two disjoint populations"), "{told}");
    let attempt = r#"{"puzzle":"8x8..00.R77","moves":"RE RS","solved":true,"ms":9,"hints":0,"day":"2026-11-19"}"#;
    fs::write(folder.path().join("attempts.jsonl"), attempt).unwrap();
    let people = [
        "lab",
        "ratings",
        "--attempts",
        "attempts.jsonl",
        "-o",
        "people",
    ];
    let told = printed(folder.path(), &people, "");
    assert!(told.contains("People and the simulation"), "{told}");
}

/// Our solver and another program in one run, the other's answers checked.
#[test]
fn bench_measures_another_program_beside_ours() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("corner.txt"), "4x4..00.R33.o2.ncorner\n").unwrap();
    let right = "echo '# by hand 1.0'; while read -r line; do echo 'corner,2,1,RE RS'; done";
    let wrong = "while read -r line; do echo 'corner,1,1,RE'; done";
    fs::write(at("right.sh"), right).unwrap();
    fs::write(at("wrong.sh"), wrong).unwrap();
    let arguments = [
        "bench",
        "--corpus",
        "corner.txt",
        "--solvers",
        "flagship",
        "--cold",
        "--external",
        "right=sh right.sh",
        "--external",
        "wrong=sh wrong.sh",
        "--external-format",
        "line",
        "--memory-limit",
        "1GiB",
        "--threads",
        "1",
        "--baseline",
        "flagship",
        "--output",
        "run",
    ];
    let output = run(folder.path(), &arguments, "");
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let row = |mode: &str, name: &str| -> Vec<String> {
        let line = told.lines().find(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            words.get(1..3) == Some(&[mode, name])
        });
        let line = line.unwrap_or_else(|| panic!("no {mode} {name}:\n{told}\n{said}"));
        line.split_whitespace().map(str::to_owned).collect()
    };
    // corpus, mode, solver, puzzles, answered, optimal, wrong, hit rate
    assert_eq!(row("warm", "right")[3..7], ["1", "1", "1", "0"], "{told}");
    assert_eq!(row("warm", "wrong")[6], "1", "{told}");
    // Once for the warm and once for the cold run; then their number.
    assert_eq!(said.matches("wrong: wrong on corner/").count(), 2, "{said}");
    assert!(said.contains("error: 2 answers wrong or missing"), "{said}");
    assert_eq!(row("cold", "flagship")[4], "1", "{told}");
    let facts = fs::read_to_string(at("run/report.md")).unwrap();
    assert!(facts.contains("by hand 1.0"), "{facts}");
}

#[test]
fn results_go_to_a_file_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let made = ["generate", "--seed", "1", "--count", "3"];
    let printed_lines = printed(path, &made, "");
    let to_file = [&made[..], &["-o", "puzzles.txt"]].concat();
    assert_eq!(printed(path, &to_file, ""), "");
    let written = fs::read_to_string(path.join("puzzles.txt")).unwrap();
    assert_eq!(written, printed_lines);
    let solve = [
        "solve",
        "--threads",
        "1",
        "--output",
        "a.txt",
        "puzzles.txt",
    ];
    assert_eq!(printed(path, &solve, ""), "");
    let answers = fs::read_to_string(path.join("a.txt")).unwrap();
    assert_eq!(answers.lines().count(), 3, "{answers}");
    // Nothing is left of what failed, and what was there stays.
    let fails = ["generate", "--length", "0", "-o", "puzzles.txt"];
    assert_eq!(run(path, &fails, "").status.code(), Some(2));
    let still = fs::read_to_string(path.join("puzzles.txt")).unwrap();
    assert_eq!(still, printed_lines);
    assert_eq!(fs::read_dir(path).unwrap().count(), 2);
    fs::create_dir(path.join("parts")).unwrap();
    let output = run(path, &["generate", "-o", "parts"], "");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("this is a directory"), "{said}");
}

#[test]
fn bench_says_once_that_a_program_does_not_exist() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = [
        "bench",
        "--corpus",
        "random",
        "--solvers",
        "flagship",
        "--external",
        "mine=./mien",
    ];
    let output = run(folder.path(), &arguments, "");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.contains("'mine' cannot be started"), "{said}");
}

/// No answer is not a wrong one, and the same failure is not news for every puzzle.
#[test]
fn bench_counts_what_is_no_answer_as_failed() {
    let folder = tempfile::tempdir().unwrap();
    let puzzles = "4x4..00.R33.o2.na\n4x4..00.R30.o1.nb\n4x4..00.R03.o1.nc\n";
    fs::write(folder.path().join("corners.txt"), puzzles).unwrap();
    let none = "while read -r line; do echo 'x,None,1'; done";
    fs::write(folder.path().join("none.sh"), none).unwrap();
    let one = "while read -r line; do echo 'x,1,1'; done";
    fs::write(folder.path().join("one.sh"), one).unwrap();
    let arguments = [
        "bench",
        "--corpus",
        "corners.txt",
        "--solvers",
        "flagship",
        "--external",
        "missing=sh missing.sh",
        "--external",
        "none=sh none.sh",
        "--external",
        "one=sh one.sh",
        "--external-format",
        "line",
    ];
    let output = run(folder.path(), &arguments, "");
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    for name in ["missing", "none"] {
        let row = told
            .lines()
            .map(|line| line.split_whitespace().collect::<Vec<&str>>())
            .find(|words| words.get(1) == Some(&name))
            .expect("a row");
        // corpus, solver, puzzles, answered, optimal, failed, wrong, hit rate
        assert_eq!(row[2..7], ["3", "0", "0", "3", "0"], "{told}");
        let reports = said.matches(&format!("error: {name} on ")).count();
        assert_eq!(reports, 1, "{said}");
    }
    assert!(said.contains("'None' is not a length"), "{said}");
    let report = fs::read_to_string(folder.path().join("bench/report.md")).unwrap();
    assert!(
        report.contains("1 answer is wrong or contradicts"),
        "{report}"
    );
}

#[test]
fn census_counts_a_layout_of_the_edition() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = [
        "census",
        "--edition",
        "2013",
        "--layouts",
        "1A 4B 3B 2C",
        "--robot-count",
        "1",
        "--threads",
        "2",
        "--output",
        "out",
    ];
    printed(folder.path(), &arguments, "");
    let targets = fs::read_to_string(folder.path().join("out/targets.csv")).unwrap();
    assert_eq!(targets.lines().count(), 1 + 17, "{targets}");
}

#[test]
fn the_printed_quadrants_come_on_any_paper_in_any_colours() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = [
        "quadrants",
        "--theme",
        "dark",
        "--paper",
        "letter",
        "-o",
        "sides.svg",
    ];
    printed(folder.path(), &arguments, "");
    // Eight of the sixteen on each page.
    for file in ["sides-1.svg", "sides-2.svg"] {
        let page = fs::read_to_string(folder.path().join(file)).unwrap();
        assert!(page.contains("width=\"612pt\" height=\"792pt\""));
    }
    for (file, start) in [("sides.pdf", &b"%PDF"[..]), ("sides.png", b"\x89PNG")] {
        let arguments = ["quadrants", "--edition", "1999", "-o", file];
        printed(folder.path(), &arguments, "");
        let bytes = fs::read(folder.path().join(file)).unwrap();
        assert!(bytes.starts_with(start), "{file}");
    }
}

/// A picture of a position in words, with its solution by a solver of one's own choice.
#[test]
fn draw_takes_words_limits_and_solvers() {
    let folder = tempfile::tempdir().unwrap();
    let words = [
        "draw",
        "--layout",
        "1A 4B 3B 2B",
        "--robots",
        "R 1,8 G 12,1 B 15,0 Y 12,0",
        "--target",
        "vortex",
        "--must-ricochet",
        "--solution",
        "--solver",
        "iddfs:memo=off:sort=off:bound=off",
        "--time-limit",
        "1m",
        "--node-limit",
        "100M",
        "--memory-limit",
        "1GiB",
        "--max-moves",
        "9",
    ];
    let svg = printed(folder.path(), &words, "");
    assert!(svg.contains("any robot to the vortex at (8,3)"), "{svg}");
    assert!(svg.contains("Moves: GE GS BS BW."), "{svg}");
    let with_diagonals = [
        "draw",
        "--with-diagonals",
        "--repair-walls",
        "C765+42+2E21BD0F+93",
    ];
    let count = |svg: &str| svg.matches("<title>").count();
    let svg = printed(folder.path(), &with_diagonals, "");
    assert_eq!(count(&svg), 1);
    let claims = [
        "draw",
        "--solution",
        "--solver",
        "stateless:published=on",
        "random:2",
    ];
    let set = [
        "draw",
        "--solution",
        "--solver",
        "iddfs",
        "--set",
        "memo=off",
        "random:2",
    ];
    for arguments in [&claims[..], &set] {
        let svg = printed(folder.path(), arguments, "");
        assert!(svg.contains("Moves: YW YN YW YN."), "{arguments:?}");
    }
}

/// A program that stands in for the browser: it writes down what it is asked to open.
fn browser(folder: &Path) -> String {
    use std::os::unix::fs::PermissionsExt;
    let program = folder.join("xdg-open");
    let note = folder.join("opened");
    fs::write(
        &program,
        format!("#!/bin/sh\necho \"$1\" > '{}'\n", note.display()),
    )
    .unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    format!("{}:{}", folder.display(), std::env::var("PATH").unwrap())
}

/// Waits until the browser was asked to open something.
fn opened(folder: &Path) -> String {
    for _ in 0..6000 {
        if let Ok(text) = fs::read_to_string(folder.join("opened"))
            && text.ends_with('\n')
        {
            return text;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("nothing was opened");
}

#[cfg(target_os = "linux")]
#[test]
fn report_opens_its_page() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("corner.txt"), "4x4..00.R33.ncorner\n").unwrap();
    let bench = [
        "bench",
        "--corpus",
        "corner.txt",
        "--solvers",
        "flagship",
        "--output",
        "run",
    ];
    printed(folder.path(), &bench, "");
    let status = Command::new(env!("CARGO_BIN_EXE_ricochet"))
        .args(["report", "run", "--open"])
        .current_dir(folder.path())
        .env("PATH", browser(folder.path()))
        .stdout(Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
    assert!(opened(folder.path()).contains("report.html"));
}

/// Everything that can be said about a server, and what of it can be seen from outside.
#[cfg(target_os = "linux")]
#[test]
fn serve_takes_its_options() {
    use std::io::{BufRead, BufReader, Read};
    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_ricochet"))
        .args([
            "serve",
            "--port",
            "0",
            "--listen",
            "127.0.0.1",
            "--data",
            "data",
        ])
        .args([
            "--host",
            "robots.example.org",
            "--behind-proxy",
            "--budget",
            "5",
        ])
        .args([
            "--time-limit",
            "1s",
            "--memory-limit",
            "3MiB",
            "--rooms",
            "10",
            "--room-connections",
            "10",
        ])
        .args([
            "--room-spectators",
            "2",
            "--room-days",
            "1",
            "--room-prefix",
            "q",
        ])
        .args(["--room-peer", "127.0.0.1:1", "--public-room"])
        .args(["--log-json", "--open"])
        .current_dir(folder.path())
        .env("PATH", browser(folder.path()))
        .env("DISPLAY", ":0")
        .env("RUST_LOG", "info")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    assert_eq!(opened(folder.path()), line, "the browser gets the address");
    let address = line
        .trim()
        .strip_prefix("http://")
        .unwrap()
        .trim_end_matches('/')
        .to_owned();
    let status = |host: &str| {
        let mut stream = std::net::TcpStream::connect(&address).unwrap();
        let request = format!("GET /api HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer.split(' ').nth(1).unwrap().to_owned()
    };
    assert_eq!(status("robots.example.org"), "200");
    assert_ne!(
        status("elsewhere.example.org"),
        "200",
        "other names are refused"
    );
    let body = r#"{"options":{},"name":"Host"}"#;
    let (code, room) = crate::server::ask(&address, "POST", "/api/v1/rooms", body).unwrap();
    assert_eq!(code, 201, "{room}");
    assert!(room.contains("\"room\":\"q"), "{room}");
    let body = r#"{"puzzle":"7650+42+E2302B12+C9","limits":{"memory_mib":1000}}"#;
    for question in ["solve", "position"] {
        let path = format!("/api/v1/{question}");
        let (code, answer) = crate::server::ask(&address, "POST", &path, body).unwrap();
        assert_eq!(code, 200, "{answer}");
        assert!(answer.contains("\"limit\":\"memory limit\""), "{answer}");
    }
    child.kill().unwrap();
    let mut log = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut log)
        .unwrap();
    child.wait().unwrap();
    let rows = log.lines().filter(|line| line.starts_with('{')).count();
    assert!(rows > 0, "{log}");
}

#[test]
fn parts_of_a_collection_are_named_by_their_lines() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let lines = |arguments: &[&str]| printed(path, arguments, "").lines().count();
    assert_eq!(lines(&["convert", "--to", "line", "random:1..20"]), 20);
    assert_eq!(lines(&["convert", "--to", "line", "random:20"]), 1);
    let puzzles = printed(path, &["convert", "--to", "line", "random:1..9"], "");
    fs::write(path.join("own.txt"), &puzzles).unwrap();
    let some = printed(path, &["convert", "--to", "line", "own.txt:3..5"], "");
    let expected: Vec<&str> = puzzles.lines().skip(2).take(3).collect();
    assert_eq!(some.lines().collect::<Vec<_>>(), expected);
    assert_eq!(lines(&["convert", "--to", "line", "own.txt:8.."]), 2);
    for bad in ["random:0..2", "random:1..9999", "random:5..2", "own.txt:x"] {
        let output = run(path, &["show", bad], "");
        assert_eq!(output.status.code(), Some(2), "{bad}");
    }
    let bench = [
        "-q",
        "bench",
        "--corpus",
        "random:2",
        "--solvers",
        "flagship",
        "--warmup",
        "1",
    ];
    let told = printed(path, &bench, "");
    assert!(
        told.contains("random:2  flagship        1         1"),
        "{told}"
    );
}

#[test]
fn the_last_of_several_equal_options_counts() {
    let folder = tempfile::tempdir().unwrap();
    let made = |seed: &[&str]| printed(folder.path(), &[&["generate"], seed].concat(), "");
    let last = made(&["--seed", "1", "--seed", "2", "--count", "5", "-n", "2"]);
    assert_eq!(last, made(&["--seed", "2", "-n", "2"]));
}

/// In a script, `ricochet` alone does not start a server that nobody sees.
#[test]
fn without_a_terminal_the_program_alone_prints_its_help() {
    let folder = tempfile::tempdir().unwrap();
    let told = printed(folder.path(), &[], "");
    assert!(told.contains("Usage: ricochet"), "{told}");
}

#[test]
fn moves_to_check_come_from_standard_input() {
    let folder = tempfile::tempdir().unwrap();
    let told = printed(folder.path(), &["check", "random:2", "-"], "YW YN\nYW YN\n");
    assert!(told.contains("Solved in 4 moves"), "{told}");
    let both = run(folder.path(), &["check", "-", "-"], "YW");
    let said = String::from_utf8_lossy(&both.stderr).into_owned();
    assert!(
        said.contains("cannot both come from standard input"),
        "{said}"
    );
}

#[test]
fn a_layout_alone_is_shown_without_robots() {
    let folder = tempfile::tempdir().unwrap();
    let told = printed(folder.path(), &["show", "--layout", "1A 4B 3B 2B"], "");
    assert!(
        told.starts_with("1A 4B 3B 2B\n") || told.starts_with("1A4B3B2B\n"),
        "{told}"
    );
    assert!(told.lines().count() > 30, "{told}");
    let fails = run(folder.path(), &["solve", "--layout", "1A 4B 3B 2B"], "");
    assert_eq!(fails.status.code(), Some(2));
}

#[test]
fn a_sheet_can_leave_out_the_numbers_of_moves() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let sheet = [
        "draw",
        "--sheet",
        "--no-solutions",
        "-o",
        "sheet.svg",
        "random:1..2",
    ];
    printed(path, &sheet, "");
    let page = |path: &std::path::Path| fs::read_to_string(path.join("sheet.svg")).unwrap();
    let whole = page(path);
    printed(path, &[&sheet[..], &["--no-moves"]].concat(), "");
    assert!(page(path).len() < whole.len());
}

#[test]
fn robots_on_one_cell_are_one_message() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = [
        "solve",
        "--layout",
        "1A 4B 3B 2B",
        "--robots",
        "R 1,1 G 1,1 B 1,1 Y 1,1",
        "--target",
        "vortex",
    ];
    let output = run(folder.path(), &arguments, "");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(said.matches("(1,1)").count(), 1, "{said}");
    assert!(
        said.contains("the red, the green, the blue and the yellow robot"),
        "{said}"
    );
}

#[test]
fn generating_stops_in_time_and_refuses_what_does_not_exist() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let output = run(
            folder.path(),
            &[&["generate", "--seed", "1"], arguments].concat(),
            "",
        );
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.code(), told, said)
    };
    let (code, _, said) = run(&["--length", "26.."]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("need at most 25"), "{said}");
    let (code, _, said) = run(&["--length", "25", "--time-limit", "50ms"]);
    assert_eq!(code, Some(3), "{said}");
    assert!(said.contains("gave up: time limit"), "{said}");
    let (code, told, said) = run(&["--json"]);
    assert_eq!(code, Some(0), "{said}");
    let answer: serde_json::Value = serde_json::from_str(&told).unwrap();
    assert!(answer["rating"]["rating"].is_number(), "{told}");
    assert_eq!(
        answer["puzzle"]["optimal"], answer["rating"]["length"],
        "{told}"
    );
    assert!(answer["puzzle"]["optimal"].is_number(), "{told}");
}
