//! External solvers: small scripts that answer correctly, wrongly, late, or not at all.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use ricochet_core::formats::Format;
use ricochet_lab::corpus::Corpus;
use ricochet_lab::experiments::bench::{self, BenchOptions};
use ricochet_lab::report::table::Value;
use ricochet_lab::report::{self, summary};
use ricochet_lab::run::RunOptions;
use ricochet_lab::run::plan::SolveLimits;
use ricochet_lab::run::solve::external::ExternalSolver;
use ricochet_lab::run::store;
use ricochet_lab::run::store::row::{OutcomeKind, Row, Verdict};
use ricochet_lab::shard::Shard;

/// Reads the id of each puzzle into `$id` and then does something.
fn for_each_puzzle(body: &str) -> String {
    format!("while read -r line; do id=${{line#*\\\"id\\\":\\\"}}; id=${{id%%\\\"*}}; {body}; done")
}

/// Three puzzles of at most four moves, and the right answers to them.
fn puzzles(directory: &Path) -> Vec<String> {
    let random = Corpus::load("official/random").unwrap();
    let mut lines = Vec::new();
    let mut answers = Vec::new();
    let mut flagship = "flagship"
        .parse::<ricochet_solve::registry::SolverSpec>()
        .unwrap()
        .build();
    for item in random.items {
        if !matches!(item.puzzle.known_optimal(), Some(2..=4)) {
            continue;
        }
        let limits = ricochet_solve::Limits::default();
        let (outcome, _) = flagship.solve(&item.puzzle, &limits, &mut ricochet_solve::NullObserver);
        let solution = outcome.solution().unwrap();
        answers.push(format!("{},{},0,{solution}", item.id, solution.len()));
        let text = ricochet_core::formats::write(Format::Json, &item.puzzle).unwrap();
        lines.push(text.text.trim_end().to_owned());
        if lines.len() == 3 {
            break;
        }
    }
    fs::write(directory.join("few.jsonl"), lines.join("\n")).unwrap();
    fs::write(directory.join("answers"), answers.join("\n") + "\n").unwrap();
    answers
}

fn options(directory: &Path, externals: Vec<ExternalSolver>) -> BenchOptions {
    BenchOptions {
        corpora: vec![directory.join("few.jsonl").to_string_lossy().into_owned()],
        solvers: vec!["flagship".parse().unwrap()],
        externals,
        repeat: 1,
        warmup: 0,
        limits: SolveLimits {
            time: Duration::from_secs(20),
            ..SolveLimits::default()
        },
        jobs: 1,
        shard: Shard::WHOLE,
        out: directory.join("out"),
        baseline: "flagship".into(),
        cold: false,
    }
}

fn quiet() -> RunOptions {
    RunOptions {
        quiet: true,
        ..RunOptions::default()
    }
}

/// The rows of one script.
fn rows_of(directory: &Path, script: &str) -> Vec<Row> {
    let external = ExternalSolver::new("theirs", script, Format::Json).unwrap();
    let options = options(directory, vec![external]);
    bench::bench(&options, &quiet()).unwrap();
    let mut rows = store::merge(&options.out).unwrap().rows;
    rows.retain(|row| row.solver == "theirs");
    fs::remove_dir_all(&options.out).unwrap();
    assert_eq!(rows.len(), 3, "every puzzle is a row");
    rows
}

#[test]
fn correct_answers_are_measured_and_the_record_describes_the_program() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    puzzles(path);
    let answers = path.join("answers");
    let script = format!(
        "echo '# theirs 1.2 -O3'; {}",
        for_each_puzzle(&format!("grep \"^$id,\" '{}'", answers.display()))
    );
    let external = ExternalSolver::new("theirs", &script, Format::Json).unwrap();
    let options = options(path, vec![external]);
    let done = bench::bench(&options, &quiet()).unwrap();
    assert_eq!((done.written, done.wrong.len()), (6, 0), "{:?}", done.wrong);
    let merged = store::merge(&options.out).unwrap();
    for row in merged.rows.iter().filter(|row| row.solver == "theirs") {
        assert_eq!(row.verdict, Verdict::Optimal, "{row:?}");
        assert!(!row.moves.is_empty());
    }
    let note = &merged.experiment.externals["theirs"];
    assert_eq!(
        (&*note.command, &*note.description),
        (&*script, "theirs 1.2 -O3")
    );
    let text = report::write(&options.out).unwrap().document.to_markdown();
    assert!(text.contains("theirs 1.2 -O3") && text.contains("External solvers"));
    // Continued without asking again; refused under another command.
    let again = bench::bench(&options, &quiet()).unwrap();
    assert_eq!((again.written, again.skipped), (0, 6));
    let other = ExternalSolver::new("theirs", "true", Format::Json).unwrap();
    let mut changed = options.clone();
    changed.externals = vec![other];
    let error = bench::bench(&changed, &quiet()).unwrap_err().to_string();
    assert!(error.contains("another name"), "{error}");
}

#[test]
fn wrong_answers_are_rows_with_the_reason() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    puzzles(path);
    let cases = [
        ("echo \"$id,1,0\"", OutcomeKind::Error, "the optimum is"),
        ("echo \"$id,3,0,RN\"", OutcomeKind::Error, "but lists 1"),
        (
            "echo \"$id,2,0,RN RS\"",
            OutcomeKind::Error,
            "does not replay",
        ),
        (
            "echo \"$id,2,0,up up\"",
            OutcomeKind::Error,
            "cannot be read",
        ),
        (
            "echo \"$id,unsolvable,0\"",
            OutcomeKind::Unsolvable,
            "it can be solved",
        ),
        ("echo \"$id,2,999999999999\"", OutcomeKind::Error, "passed"),
        ("echo \"other,2,0\"", OutcomeKind::Error, "not for puzzle"),
        ("echo garbage", OutcomeKind::Error, "expected id,length"),
        (
            "echo \"$id,None,0\"",
            OutcomeKind::Error,
            "'None' is not a length",
        ),
        (
            "echo \"$id,2,soon\"",
            OutcomeKind::Error,
            "'soon' is not a time",
        ),
        ("echo \"$id,2\"", OutcomeKind::Error, "expected id,length"),
        (
            "echo boom >&2; exit 3",
            OutcomeKind::Error,
            "exit status: 3: boom",
        ),
    ];
    for (body, ending, reason) in cases {
        for row in rows_of(path, &for_each_puzzle(body)) {
            assert_eq!(row.outcome, ending, "{body}: {row:?}");
            assert!(row.detail.contains(reason), "{body}: {}", row.detail);
        }
    }
    for row in rows_of(path, &for_each_puzzle("echo \"$id,40,0\"")) {
        assert_eq!(row.verdict, Verdict::Longer, "{row:?}");
    }
    for row in rows_of(path, &for_each_puzzle("echo \"$id,-,0\"")) {
        assert_eq!(
            (row.outcome, row.verdict),
            (OutcomeKind::Failed, Verdict::None)
        );
    }
    for row in rows_of(path, "head -c 200000 /dev/zero; cat > /dev/null") {
        assert_eq!(row.outcome, OutcomeKind::Error, "{row:?}");
    }
}

/// A program that does not exist is one error before anything is measured. If only the shell can
/// tell, the others are measured all the same.
#[test]
fn a_program_that_does_not_exist_is_said_once() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    puzzles(path);
    for command in ["./no-such-program --fast", "no-such-program"] {
        let external = ExternalSolver::new("theirs", command, Format::Json).unwrap();
        let options = options(path, vec![external]);
        let error = bench::bench(&options, &quiet()).unwrap_err();
        let error = format!("{error:#}");
        assert!(
            error.contains("the external solver 'theirs' cannot be started"),
            "{command}: {error}"
        );
        assert!(error.contains(command), "{command}: {error}");
        assert!(!options.out.exists(), "{command}");
    }
    for command in ["exec ./no-such-program", "cd / && ./no-such-program"] {
        for row in rows_of(path, command) {
            assert_eq!(row.outcome, OutcomeKind::Error, "{row:?}");
            let expected = "the external solver 'theirs' cannot be started";
            assert!(row.detail.contains(expected), "{command}: {row:?}");
        }
    }
}

/// One broken program does not end the run: it is not asked again, and the report has the others.
#[test]
fn a_program_that_never_answers_is_given_up_and_the_others_are_reported() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    puzzles(path);
    let starts = path.join("starts");
    let script = format!(
        "echo x >> '{}'; echo 'no such script' >&2; exit 2",
        starts.display()
    );
    let external = ExternalSolver::new("theirs", &script, Format::Json).unwrap();
    let mut options = options(path, vec![external]);
    options.repeat = 5;
    bench::bench(&options, &quiet()).unwrap();
    assert_eq!(fs::read_to_string(&starts).unwrap().lines().count(), 10);
    let rows = store::merge(&options.out).unwrap().rows;
    let details = |text: &str| {
        let theirs = rows.iter().filter(|row| row.solver == "theirs");
        theirs.filter(|row| row.detail.contains(text)).count()
    };
    assert_eq!(details("exit status: 2: no such script"), 10);
    assert_eq!(details("not asked: it has ended 10 times"), 5);
    let text = report::write(&options.out).unwrap().document.to_markdown();
    assert!(text.contains("| few | warm | flagship | 3 | 3 |"), "{text}");
}

/// Who lies or declines is in no figure of times, and each way to give no answer has its column.
#[test]
fn only_verified_answers_have_times() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    puzzles(path);
    let script = |name: &str, body: &str| {
        ExternalSolver::new(name, &for_each_puzzle(body), Format::Json).unwrap()
    };
    let externals = vec![
        script("liar", "echo \"$id,1,0,RN\""),
        script("claimer", "echo \"$id,40,0\""),
        script("quitter", "echo \"$id,-,0\""),
        script("sleeper", "sleep 1000"),
    ];
    let mut options = options(path, externals);
    options.solvers.push("tablebase".parse().unwrap());
    options.limits.time = Duration::from_millis(200);
    bench::bench(&options, &quiet()).unwrap();
    let rows = store::merge(&options.out).unwrap().rows;
    let groups = summary::groups(&rows);
    let table = summary::answer_table(&groups);
    let count = |solver: &str, column: &str| {
        let place = |title: &str| table.columns.iter().position(|it| it.title == title);
        let (solver_column, column) = (place("solver").unwrap(), place(column).unwrap());
        let row = table
            .rows
            .iter()
            .find(|row| row[solver_column] == solver.into());
        row.unwrap()[column].clone()
    };
    for (solver, column) in [
        ("flagship", "answered"),
        ("liar", "wrong"),
        ("claimer", "unverified"),
        ("quitter", "failed"),
        ("sleeper", "timed out"),
        ("tablebase", "declined"),
    ] {
        assert_eq!(count(solver, column), Value::Count(3), "{solver}");
    }
    assert_eq!(count("tablebase", "hit rate"), Value::Missing);
    for group in &groups {
        assert_eq!(
            group.times().len(),
            if group.solver == "flagship" { 3 } else { 0 }
        );
    }
    let document = report::document(&options.out).unwrap();
    let text = format!("{document:?}");
    for figure in [
        "time-by-moves",
        "nodes-by-moves",
        "answered-few",
        "outcomes",
    ] {
        assert!(text.contains(&format!("name: \"{figure}\"")), "{figure}");
    }
    document.write(&options.out).unwrap();
    for figure in ["time-by-moves", "nodes-by-moves", "answered-few"] {
        let file = options.out.join(format!("figures/{figure}.csv"));
        let data = fs::read_to_string(file).unwrap();
        assert!(data.contains("flagship"), "{data}");
        for other in ["liar", "claimer", "quitter", "sleeper", "tablebase"] {
            assert!(!data.contains(other), "{figure}: {data}");
        }
    }
}

/// By default only solvers run that take some of the puzzles.
#[test]
fn solvers_that_would_decline_everything_do_not_run_unasked() {
    let fitting = bench::fitting_solvers(&["random:1..3".to_owned()]).unwrap();
    let names: Vec<String> = fitting.iter().map(ToString::to_string).collect();
    assert!(names.contains(&"flagship".to_owned()));
    assert!(!names.contains(&"tablebase".to_owned()), "{names:?}");
    assert_eq!(names.len(), bench::all_solvers().len() - 1);
}

#[test]
fn runs_before_the_measured_ones_are_no_rows() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    puzzles(path);
    let asked = path.join("asked");
    let body = format!("echo x >> '{}'; echo \"$id,40,0\"", asked.display());
    let external = ExternalSolver::new("theirs", &for_each_puzzle(&body), Format::Json).unwrap();
    let mut options = options(path, vec![external]);
    (options.warmup, options.repeat) = (2, 3);
    let done = bench::bench(&options, &quiet()).unwrap();
    assert_eq!(done.written, 2 * 3 * 3);
    assert_eq!(
        fs::read_to_string(&asked).unwrap().lines().count(),
        3 * (2 + 3)
    );
    // With several runs, their deviation is known.
    let rows = store::merge(&options.out).unwrap().rows;
    let groups = summary::groups(&rows);
    let flagship = groups.iter().find(|it| it.solver == "flagship").unwrap();
    assert!(flagship.run_totals().is_some());
    let table = summary::time_table(&groups, "flagship");
    assert!(table.columns.iter().any(|it| it.title == "±σ"));
}

#[test]
fn a_program_that_hangs_is_killed_with_all_that_it_started() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    puzzles(path);
    // The first process answers once and hangs at the second puzzle; the next one answers again.
    let pids = path.join("pids");
    let script = for_each_puzzle(&format!(
        "if [ -n \"$asked\" ]; then sleep 1000 & echo $! >> '{}'; wait; fi; asked=yes; echo \"$id,40,0\"",
        pids.display()
    ));
    let external = ExternalSolver::new("theirs", &script, Format::Json).unwrap();
    let mut options = options(path, vec![external]);
    options.limits.time = Duration::from_millis(300);
    bench::bench(&options, &quiet()).unwrap();
    let rows = store::merge(&options.out).unwrap().rows;
    let endings: Vec<OutcomeKind> = rows
        .iter()
        .filter(|row| row.solver == "theirs")
        .map(|row| row.outcome)
        .collect();
    assert_eq!(
        endings,
        [OutcomeKind::Solved, OutcomeKind::Limit, OutcomeKind::Solved]
    );
    let pid = fs::read_to_string(&pids).unwrap();
    let pid = pid.trim();
    let state = || {
        let told = Command::new("ps").args(["-o", "stat=", "-p", pid]).output();
        let told = String::from_utf8(told.unwrap().stdout).unwrap();
        told.trim().to_owned()
    };
    // A signal takes a moment. `Z` is dead, but nobody has asked for its exit status yet.
    let is_dead = |state: &str| state.is_empty() || state.starts_with('Z');
    for _ in 0..200 {
        if is_dead(&state()) {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("process {pid} still runs: {}", state());
}

#[test]
fn cold_runs_and_formats_of_several_lines_get_a_process_for_each_puzzle() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    puzzles(path);
    let starts = path.join("starts");
    let script = format!(
        "echo x >> '{}'; cat > /dev/null; echo any,40,0",
        starts.display()
    );
    let external = ExternalSolver::new("theirs", &script, Format::Text).unwrap();
    let options = options(path, vec![external]);
    let done = bench::bench(&options, &quiet()).unwrap();
    assert!(done.wrong.is_empty(), "{:?}", done.wrong);
    assert_eq!(fs::read_to_string(&starts).unwrap().lines().count(), 3);
}

/// The page says that its two blocks of Python are a whole program: they are run.
#[test]
fn the_example_of_the_documentation_works() {
    if Command::new("python3").arg("--version").output().is_err() {
        return; // no Python here
    }
    let page = include_str!("../../../../docs/external-solvers.md");
    let mut blocks: Vec<&str> = page
        .split("```python\n")
        .skip(1)
        .map(|block| block.split("```").next().unwrap())
        .collect();
    assert_eq!(blocks.len(), 2);
    blocks.reverse();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    puzzles(path);
    let program = path.join("mine.py");
    fs::write(&program, blocks.join("\n")).unwrap();
    for row in rows_of(path, &format!("python3 '{}'", program.display())) {
        assert_eq!(row.verdict, Verdict::Optimal, "{row:?}");
    }
}

#[test]
fn names_and_clocks_that_would_mislead_are_refused() {
    for (name, command) in [("", "x"), ("a b", "x"), ("iddfs", "x"), ("mine", " ")] {
        assert!(
            ExternalSolver::new(name, command, Format::Json).is_err(),
            "{name}"
        );
    }
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    puzzles(path);
    let external = ExternalSolver::new("theirs", "true", Format::Json).unwrap();
    let mut twice = options(path, vec![external.clone(), external.clone()]);
    assert!(bench::bench(&twice, &quiet()).is_err());
    twice.externals.pop();
    twice.limits.clock = ricochet_lab::run::solve::clock::Clock::Processor;
    assert!(bench::bench(&twice, &quiet()).is_err());
    assert!(!twice.out.exists());
}
