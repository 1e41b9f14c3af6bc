//! The benchmark: every solver on every puzzle of some corpora.

use std::path::PathBuf;

use anyhow::Result;
use ricochet_core::describe::thousands;
use ricochet_solve::registry;

use crate::corpus::Corpus;
use crate::report::document::{Document, Section};
use crate::report::summary::{self, SolverResults};
use crate::report::views;
use crate::run::plan::{Plan, SolveLimits};
use crate::run::solve::external::ExternalSolver;
use crate::run::store::row::{Mode, Row};
use crate::run::store::{Experiment, RunData};
use crate::run::{RunOptions, RunSummary, run_in};
use crate::shard::Shard;
use ricochet_solve::registry::SolverSpec;

/// The options of a benchmark.
#[derive(Clone, Debug)]
pub struct BenchOptions {
    /// Files or names of embedded corpora.
    pub corpora: Vec<String>,
    /// The solvers.
    pub solvers: Vec<SolverSpec>,
    /// External solvers.
    pub externals: Vec<ExternalSolver>,
    /// How often each solver runs on each puzzle.
    pub repeat: u32,
    /// How often it runs on each puzzle before that, without being measured.
    pub warmup: u32,
    /// The limits of one solve.
    pub limits: SolveLimits,
    /// The number of solves at the same time.
    pub jobs: usize,
    /// The shard to run.
    pub shard: Shard,
    /// The output directory.
    pub out: PathBuf,
    /// The solver that the others are compared with.
    pub baseline: String,
    /// Whether to run each solve in a new process as well.
    pub cold: bool,
}

/// All solvers of the registry with their default parameters.
pub fn all_solvers() -> Vec<SolverSpec> {
    registry::SOLVERS.iter().map(SolverSpec::from).collect()
}

/// Those of [`all_solvers`] that take at least one puzzle of the corpora: `tablebase`, for
/// example, declines all of them as long as it is given no table.
///
/// # Errors
/// If a corpus does not exist.
pub fn fitting_solvers(corpora: &[String]) -> Result<Vec<SolverSpec>> {
    let corpora: Result<Vec<Corpus>> = corpora.iter().map(|it| Corpus::load(it)).collect();
    let corpora = corpora?;
    let mut solvers = all_solvers();
    solvers.retain(|spec| {
        let solver = spec.build();
        let mut puzzles = corpora.iter().flat_map(|corpus| &corpus.items);
        puzzles.any(|item| solver.supports(&item.puzzle).is_ok())
    });
    Ok(solvers)
}

/// Runs what is missing in the directory.
///
/// # Errors
/// If a corpus or solver does not exist, or the directory contains something else.
pub fn bench(options: &BenchOptions, run_options: &RunOptions) -> Result<RunSummary> {
    run_as("bench", options, run_options)
}

/// Runs a benchmark under another kind, for experiments with their own report.
pub(crate) fn run_as(
    kind: &str,
    options: &BenchOptions,
    run_options: &RunOptions,
) -> Result<RunSummary> {
    let corpora: Result<Vec<Corpus>> = options
        .corpora
        .iter()
        .map(|source| Corpus::load(source))
        .collect();
    let plan = Plan {
        corpora: corpora?,
        solvers: options.solvers.clone(),
        externals: options.externals.clone(),
        repeat: options.repeat,
        warmup: options.warmup,
        modes: if options.cold {
            vec![Mode::Warm, Mode::Cold]
        } else {
            vec![Mode::Warm]
        },
        limits: options.limits,
        jobs: options.jobs,
        shard: options.shard,
        keep_moves: true,
    };
    let mut experiment = Experiment::new(kind)
        .with_limits(options.limits)
        .note("baseline", &options.baseline);
    if options.warmup > 0 {
        experiment = experiment.note("warm-up runs", options.warmup.to_string());
    }
    for external in &options.externals {
        let name = external.name().to_owned();
        experiment.externals.insert(name, external.note());
    }
    run_in(&options.out, &experiment, &plan, run_options)
}

/// The report of a benchmark.
pub fn document(data: &RunData) -> Document {
    let groups = summary::groups(&data.rows);
    let notes = &data.experiment.notes;
    let baseline = notes.get("baseline").map_or("iddfs", String::as_str);
    let puzzles = views::required_moves(&data.rows).len();
    let mut results = Section::new("Results");
    let has_baseline = groups.iter().any(|group| group.solver == baseline);
    results.text(format!(
        "{} solves.{}",
        thousands(data.rows.len() as u64),
        if has_baseline {
            format!(
                " Ratios are against `{baseline}` in the same run, over the puzzles that both \
                 answered: above 1 is faster."
            )
        } else {
            format!(" There are no ratios, because `{baseline}` did not run.")
        }
    ));
    results.table(summary::answer_table(&groups));
    results.table(summary::time_table(&groups, baseline));
    let warm: Vec<&SolverResults<'_>> = groups.iter().filter(|g| g.mode == Mode::Warm).collect();
    let only = |category| {
        let is = |group: &&SolverResults<'_>| group.count(|it| it.category == category) > 0;
        warm.iter().any(is)
    };
    if summary::AnswerCategory::NAMES[2..]
        .iter()
        .any(|&(it, _)| only(it))
    {
        results.figure(
            "outcomes",
            "How the puzzles ended, by solver, warm.",
            views::outcomes(&warm),
        );
    }
    let speedups = views::speedups(&warm, baseline);
    // A single bar adds nothing to the table.
    if speedups
        .series
        .iter()
        .map(|it| it.points.len())
        .sum::<usize>()
        > 1
    {
        results.figure(
            "speedup",
            &format!("Time of `{baseline}` divided by the solver's time, warm: geometric mean over the puzzles that both answered, log scale."),
            speedups,
        );
    }
    let mut lengths = Section::new("By required moves");
    let warm_rows: Vec<Row> = data
        .rows
        .iter()
        .filter(|row| row.mode == Mode::Warm)
        .cloned()
        .collect();
    let bins = views::bins_by_moves(&warm_rows);
    lengths.text(format!(
        "Over the {puzzles} puzzles whose optimum is known or was proved in this run."
    ));
    lengths.figure(
        "time-by-moves",
        "Mean time of the verified answers by required moves, log scale. A solver that misses the hard puzzles of a length looks faster there than it is: see the share of its optimal answers.",
        views::time_by_moves(&bins),
    );
    lengths.figure(
        "nodes-by-moves",
        "Mean number of nodes of the verified answers by required moves, log scale. What a node is differs from solver to solver.",
        views::nodes_by_moves(&bins),
    );
    let hit_rates = views::hit_rate_by_moves(&bins);
    let mut shares = hit_rates.series.iter().flat_map(|it| &it.points);
    if shares.all(|&(_, share)| share >= 1.0) {
        lengths.text("Every solve gave an optimal solution.");
    } else {
        lengths.figure(
            "hit-rate",
            "Share of the solves that gave an optimal solution, by required moves; declined puzzles are left out.",
            hit_rates,
        );
    }
    lengths.figure(
        "distribution",
        "Share of the puzzles by required moves.",
        views::distribution_chart(vec![views::distribution_series(
            "puzzles",
            &views::distribution(&data.rows),
        )]),
    );
    let mut times = Section::new("Answered by time");
    for corpus in summary::corpora(&warm) {
        let of_corpus: Vec<&SolverResults<'_>> = warm
            .iter()
            .copied()
            .filter(|g| g.corpus == corpus)
            .collect();
        times.figure(
            &format!("answered-{}", corpus.replace('/', "-")),
            &format!("`{corpus}`: share of the puzzles that are answered within a time, warm."),
            views::solved_by_time(&of_corpus),
        );
    }
    let mut details = Section::new("All numbers");
    details.table(summary::summary_table(&groups, baseline));
    let all: Vec<&SolverResults<'_>> = groups.iter().collect();
    let names = summary::corpora(&all).into_iter();
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    Document {
        title: "Ricochet Robots: benchmark".into(),
        lead: format!(
            "Solvers{} on {}, every answer verified.",
            if has_baseline {
                format!(" against `{baseline}`")
            } else {
                String::new()
            },
            names.join(", ")
        ),
        sections: vec![results, lengths, times, details],
    }
}
