//! Small runs from end to end in temporary directories: resume, shards, reports.

use std::fs;
use std::path::Path;
use std::time::Duration;

use ricochet_lab::corpus::Corpus;
use ricochet_lab::experiments::{CommonOptions, ai_in_games, bench, growth, histogram, thesis};
use ricochet_lab::report;
use ricochet_lab::run::plan::{Plan, SolveLimits};
use ricochet_lab::run::store::row::{Mode, Row};
use ricochet_lab::run::store::{self, Experiment, RowStore};
use ricochet_lab::run::{RunOptions, RunSummary, run};
use ricochet_lab::shard::Shard;

fn quiet() -> RunOptions {
    RunOptions {
        quiet: true,
        ..RunOptions::default()
    }
}

fn small_plan(shard: &str, jobs: usize) -> Plan {
    let corpus = Corpus::load("official/random").unwrap();
    let easy = corpus
        .items
        .iter()
        .filter(|item| item.puzzle.known_optimal().is_some_and(|moves| moves <= 5))
        .take(12)
        .map(|item| item.puzzle.clone());
    Plan {
        corpora: vec![Corpus::new("easy", easy)],
        solvers: ["flagship", "iddfs", "graph-v2"]
            .map(|name| name.parse().unwrap())
            .into(),
        externals: Vec::new(),
        repeat: 2,
        warmup: 0,
        modes: vec![Mode::Warm],
        limits: SolveLimits {
            time: Duration::from_secs(60),
            memory: 1 << 30,
            ..SolveLimits::default()
        },
        jobs,
        shard: shard.parse().unwrap(),
        keep_moves: true,
    }
}

fn run_in(directory: &Path, plan: &Plan) -> RunSummary {
    let mut store = RowStore::open(directory, &Experiment::new("bench"), plan.shard).unwrap();
    run(plan, &mut store, &quiet()).unwrap()
}

/// Rows without what differs from run to run.
fn timeless(directory: &Path) -> Vec<Row> {
    let mut rows = store::merge(directory).unwrap().rows;
    for row in &mut rows {
        row.micros = 0.0;
        row.peak_bytes = 0;
    }
    rows.sort_by_key(Row::key);
    rows
}

#[test]
fn a_killed_run_continues_without_losing_or_repeating_a_row() {
    let whole = tempfile::tempdir().unwrap();
    let plan = small_plan("1/1", 1);
    let done = run_in(whole.path(), &plan);
    assert_eq!((done.written, done.skipped), (72, 0));
    assert!(done.wrong.is_empty(), "{:?}", done.wrong);
    let text = fs::read_to_string(whole.path().join("rows.csv")).unwrap();
    // A process can be killed after any byte: cut the file at several places and go on.
    for cut in [0, 7, 150, text.len() / 3, text.len() / 2, text.len() - 2] {
        let killed = tempfile::tempdir().unwrap();
        fs::write(killed.path().join("rows.csv"), &text[..cut]).unwrap();
        let done = run_in(killed.path(), &plan);
        assert_eq!(done.written + done.skipped, 72, "cut at {cut}");
        assert_eq!(
            timeless(killed.path()),
            timeless(whole.path()),
            "cut at {cut}"
        );
        let again = run_in(killed.path(), &plan);
        assert_eq!((again.written, again.skipped), (0, 72));
    }
}

#[test]
fn shards_and_jobs_together_give_the_whole() {
    let whole = tempfile::tempdir().unwrap();
    run_in(whole.path(), &small_plan("1/1", 1));
    let parts = tempfile::tempdir().unwrap();
    for shard in ["1/3", "3/3", "2/3"] {
        run_in(parts.path(), &small_plan(shard, 2));
    }
    assert_eq!(timeless(parts.path()), timeless(whole.path()));
    assert_eq!(store::merge(parts.path()).unwrap().files, 3);
    let report = report::write(parts.path()).unwrap();
    assert!(report.page.exists() && report.document.title.contains("benchmark"));
}

fn common(out: &Path, solvers: &[&str]) -> CommonOptions {
    CommonOptions {
        out: out.to_owned(),
        jobs: 2,
        shard: Shard::WHOLE,
        limits: SolveLimits {
            time: Duration::from_secs(60),
            memory: 1 << 30,
            ..SolveLimits::default()
        },
        solvers: solvers.iter().map(|text| text.parse().unwrap()).collect(),
        seed: 3,
        quiet: true,
    }
}

#[test]
fn bench_writes_rows_report_plots_and_data() {
    let directory = tempfile::tempdir().unwrap();
    let puzzles = directory.path().join("few.jsonl");
    let random = include_str!("../../../../corpus/official/random.jsonl");
    let few: Vec<&str> = random
        .lines()
        .filter(|line| line.contains("\"optimal\":4}"))
        .take(5)
        .collect();
    fs::write(&puzzles, few.join("\n")).unwrap();
    let options = bench::BenchOptions {
        corpora: vec![puzzles.to_string_lossy().into_owned()],
        solvers: ["flagship", "naive", "iddfs"]
            .map(|name| name.parse().unwrap())
            .into(),
        externals: Vec::new(),
        repeat: 1,
        warmup: 0,
        limits: SolveLimits::default(),
        jobs: 1,
        shard: Shard::WHOLE,
        out: directory.path().join("out"),
        baseline: "iddfs".into(),
        cold: false,
    };
    let done = bench::bench(&options, &quiet()).unwrap();
    assert_eq!(done.written, 15);
    report::write(&options.out).unwrap();
    for file in [
        "rows.csv",
        "machine.json",
        "experiment.json",
        "report.html",
        "report.md",
        "figures/speedup.svg",
        "figures/speedup.csv",
        "tables/summary.csv",
        "tables/machine.csv",
    ] {
        assert!(options.out.join(file).exists(), "{file}");
    }
}

#[test]
fn a_tally_continues_and_its_shards_add_up() {
    let whole = tempfile::tempdir().unwrap();
    let total = histogram::run(&common(whole.path(), &[]), 2500, 3).unwrap();
    assert_eq!(total.positions(), 2500);
    let parts = tempfile::tempdir().unwrap();
    let mut sum = 0;
    for shard in ["1/2", "2/2"] {
        let mut common = common(parts.path(), &[]);
        common.shard = shard.parse().unwrap();
        sum += histogram::run(&common, 2500, 3).unwrap().positions();
    }
    assert_eq!(sum, 2500);
    let counts = |directory: &Path| {
        report::write(directory).unwrap();
        fs::read_to_string(directory.join("tables/histogram.csv")).unwrap()
    };
    assert_eq!(counts(parts.path()), counts(whole.path()));
    // Killed in the middle of a line.
    let path = whole.path().join("tally.csv");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, &text[..text.len() - 5]).unwrap();
    let again = histogram::run(&common(whole.path(), &[]), 2500, 3).unwrap();
    assert_eq!(again.counts, total.counts);
}

#[test]
fn the_thesis_in_small_gives_the_same_report_from_sums_as_from_rows() {
    let directory = tempfile::tempdir().unwrap();
    let common = common(
        directory.path(),
        &["graph-v1", "graph-v2", "stateless", "flagship"],
    );
    let options = thesis::ThesisOptions {
        layout: "1A 4B 3B 2B".parse().unwrap(),
        configurations: 32,
    };
    let done = thesis::run(&common, &options, &quiet()).unwrap();
    assert_eq!(done.written, 128);
    assert!(done.wrong.is_empty(), "{:?}", done.wrong);
    report::write(directory.path()).unwrap();
    let table = |name: &str| fs::read_to_string(directory.path().join(name)).unwrap();
    let before = table("tables/hit-rate-by-moves.csv");
    fs::remove_file(directory.path().join("rows.csv")).unwrap();
    report::write(directory.path()).unwrap();
    assert_eq!(table("tables/hit-rate-by-moves.csv"), before);
    let bad = thesis::ThesisOptions {
        configurations: 17,
        ..options
    };
    assert!(thesis::run(&common, &bad, &quiet()).is_err());
}

#[test]
fn many_boards_are_one_line_each() {
    let directory = tempfile::tempdir().unwrap();
    let total = thesis::run_boards(&common(directory.path(), &[]), 3, 2).unwrap();
    assert_eq!(total.positions(), 3 * 2 * 16);
    let document = report::write(directory.path()).unwrap().document;
    let layouts = document
        .tables()
        .find(|table| table.name == "layouts")
        .unwrap();
    assert_eq!(layouts.rows.len(), 3);
}

#[test]
fn an_interrupted_game_goes_on_from_its_last_round() {
    let directory = tempfile::tempdir().unwrap();
    let common = common(directory.path(), &["flagship"]);
    let options = ai_in_games::AiInGamesOptions {
        layout: "1A 4B 3B 2B".parse().unwrap(),
        time_scale: 4.0,
    };
    let done = ai_in_games::run(&common, &options).unwrap();
    assert_eq!(done.written, 3 * 40);
    let whole = timeless(directory.path());
    let path = directory.path().join("rows.csv");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, &text[..text.len() / 2]).unwrap();
    let again = ai_in_games::run(&common, &options).unwrap();
    assert_eq!(again.written + again.skipped, 3 * 40);
    assert!(again.skipped > 40);
    assert_eq!(timeless(directory.path()), whole);
    // Each algorithm has a game of its own: answers to the same round do not contradict each other.
    let other = CommonOptions {
        solvers: vec!["setup-crossblock".parse().unwrap()],
        ..common
    };
    ai_in_games::run(&other, &options).unwrap();
    let document = report::write(directory.path()).unwrap().document;
    assert_eq!(document.sections[0].title, "The report's figures");
}

#[test]
fn growth_covers_robots_sizes_and_walls() {
    let directory = tempfile::tempdir().unwrap();
    let mut common = common(directory.path(), &["flagship"]);
    common.limits.time = Duration::from_millis(300);
    let done = growth::run(&common, 1, &quiet()).unwrap();
    assert_eq!(done.written, 21 + 5 + 6 + 6);
    let document = report::write(directory.path()).unwrap().document;
    assert_eq!(document.sections.len(), 4 + 2);
}

#[test]
fn a_directory_of_experiments_gives_one_report() {
    let directory = tempfile::tempdir().unwrap();
    run_in(&directory.path().join("first"), &small_plan("1/4", 1));
    histogram::run(&common(&directory.path().join("second"), &[]), 200, 2).unwrap();
    let document = report::write(directory.path()).unwrap().document;
    assert!(
        document.lead.starts_with("2 experiments"),
        "{}",
        document.lead
    );
    let empty = tempfile::tempdir().unwrap();
    let error = report::write(empty.path()).unwrap_err().to_string();
    assert!(error.contains("no experiment"), "{error}");
}

/// A report that is there, and the error of making it again from nothing.
fn remade(directory: &Path) -> (String, String) {
    fs::write(directory.join("report.md"), "precious").unwrap();
    let error = format!("{:#}", report::write(directory).unwrap_err());
    let text = fs::read_to_string(directory.join("report.md")).unwrap();
    (text, error)
}

#[test]
fn a_record_without_rows_keeps_its_report() {
    for kind in [
        "ai-in-games",
        "bench",
        "boards",
        "competitions",
        "growth",
        "histogram",
        "slides",
        "thesis",
    ] {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path();
        let experiment = format!("{{\"kind\": \"{kind}\", \"parameters\": {{}}}}");
        fs::write(path.join("experiment.json"), experiment).unwrap();
        fs::write(
            path.join("found.json"),
            "{\"depth_rows\": [], \"tree_sizes\": [], \"tree_micros\": 0}",
        )
        .unwrap();
        let (text, error) = remade(path);
        assert_eq!(text, "precious", "{kind}");
        assert!(error.contains("no results"), "{kind}: {error}");
        assert!(!path.join("tables").exists(), "{kind}");
    }
}

#[test]
fn one_bad_record_does_not_keep_the_others_out_of_the_report() {
    let directory = tempfile::tempdir().unwrap();
    run_in(&directory.path().join("good"), &small_plan("1/4", 1));
    let bad = directory.path().join("bad");
    fs::create_dir(&bad).unwrap();
    fs::write(bad.join("experiment.json"), "{").unwrap();
    let report = report::write(directory.path()).unwrap();
    assert_eq!(report.left_out.len(), 1);
    assert!(report.left_out[0].contains("bad"), "{:?}", report.left_out);
    let lead = &report.document.lead;
    assert!(lead.starts_with("1 experiments"), "{lead}");
    assert_eq!(report.document.sections[0].title, "Left out");
    fs::remove_dir_all(directory.path().join("good")).unwrap();
    let (text, error) = remade(directory.path());
    assert_eq!(text, "precious");
    assert!(error.contains("bad"), "{error}");
}

#[test]
fn shards_that_end_together_lose_no_rows_in_the_report() {
    for round in 0..5 {
        let directory = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for shard in ["1/4", "2/4", "3/4", "4/4"] {
                let path = directory.path();
                scope.spawn(move || {
                    let mut plan = small_plan(shard, 1);
                    plan.solvers.truncate(1);
                    run_in(path, &plan);
                    report::write(path).unwrap();
                });
            }
        });
        let text = fs::read_to_string(directory.path().join("report.md")).unwrap();
        assert!(text.contains("24 solves"), "round {round}: {text}");
    }
}

#[test]
fn absurd_options_are_refused_before_anything_is_made() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("out");
    let common = common(&out, &["flagship"]);
    for time_scale in [1e300, f64::INFINITY, f64::NAN, 0.0, -1.0] {
        let options = ai_in_games::AiInGamesOptions {
            layout: "1A 4B 3B 2B".parse().unwrap(),
            time_scale,
        };
        let error = ai_in_games::run(&common, &options).unwrap_err().to_string();
        assert!(error.contains("at most 2880"), "{error}");
    }
    let thesis_options = thesis::ThesisOptions {
        layout: "1A 4B 3B 2B".parse().unwrap(),
        configurations: usize::MAX - 15,
    };
    assert!(thesis::run(&common, &thesis_options, &quiet()).is_err());
    assert!(thesis::run_boards(&common, 2, usize::MAX).is_err());
    assert!(growth::run(&common, usize::MAX, &quiet()).is_err());
    assert!(!out.exists());
}
