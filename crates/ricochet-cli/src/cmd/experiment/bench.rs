//! `ricochet bench`

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, anyhow};
use ricochet_core::describe::plural;
use ricochet_core::formats::Format;
use ricochet_lab::experiments::bench::{self, BenchOptions};
use ricochet_lab::report::summary::{self, AnswerCategory};
use ricochet_lab::report::{self, NoResults, WrittenReport};
use ricochet_lab::run::RunOptions;
use ricochet_lab::run::plan::SolveLimits;
use ricochet_lab::run::signature;
use ricochet_lab::run::solve::clock::Clock;
use ricochet_lab::run::solve::cold::{self, ColdCommand};
use ricochet_lab::run::solve::external::ExternalSolver;
use ricochet_lab::run::store;
use ricochet_lab::run::store::row::Mode;
use ricochet_lab::shard::Shard;
use ricochet_solve::registry::SolverSpec;

use crate::args::limits::{parse_duration, parse_size};
use crate::args::names::{corpus_names, solver_specs};
use crate::args::whole_number::whole_number;
use crate::batch::interrupt::cancel_on_interrupt;
use crate::cmd::puzzle::convert::format_parser;
use crate::exit_code::ExitCode;
use crate::term::output::Output;

/// Run solvers on corpora, check every answer and compare the times
///
/// Every solver runs on every puzzle, one after the other. Every solution is replayed, and its
/// length is checked if the optimum is known. Runs that fail or reach a limit are recorded as well.
/// Rows are appended to DIR/rows.csv as they are produced; to continue an interrupted run, run the
/// same command again.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// A file of puzzles, or a built-in corpus such as random; `ricochet help corpora` lists them.
    /// Can be given several times
    #[arg(
        long = "corpus",
        value_name = "FILE|NAME",
        default_value = "random",
        value_parser = corpus_names(),
        hide_possible_values = true
    )]
    corpora: Vec<String>,

    /// Solvers to run, such as flagship,iddfs,iddfs:memo=off:sort=off. Default: all that take such
    /// puzzles
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', value_parser = solver_specs(), hide_possible_values = true)]
    solvers: Vec<SolverSpec>,

    /// Solve each puzzle this many times, 1 or more, and take the median
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole_number::<u32>(1..))]
    repeat: u32,

    /// Solve each puzzle this many times beforehand, without measuring
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole_number::<u32>(..))]
    warmup: u32,

    /// Stop each run of a solver after this time
    #[arg(long, value_name = "TIME", default_value = "40s", value_parser = parse_duration)]
    time_limit: Duration,

    /// Stop each run of a solver before it uses more than this much memory
    #[arg(long, value_name = "SIZE", default_value = "4GiB", value_parser = parse_size)]
    memory_limit: u64,

    /// What to measure: wall-clock time, or the processor time of the solver, for machines that are
    /// busy with other work
    #[arg(long, value_name = "wall|processor", default_value_t)]
    clock: Clock,

    /// Puzzles to solve at the same time, 1 to 1024. More than 1 makes times noisier
    #[arg(long, short = 'j', value_name = "N", default_value_t = 1, value_parser = whole_number::<u16>(1..=1024))]
    threads: u16,

    /// Run only shard I of N, counted from 1; `ricochet report` merges the shards
    #[arg(hide_short_help = true, long, value_name = "I/N", default_value_t = Shard::WHOLE)]
    shard: Shard,

    /// The directory for the results and the report
    #[arg(long, short, value_name = "DIR", default_value = "bench")]
    output: PathBuf,

    /// The solver that the others are compared with
    #[arg(long, value_name = "SOLVER", default_value = "iddfs", value_parser = solver_specs(), hide_possible_values = true)]
    baseline: SolverSpec,

    /// Also run your own program, such as mine="python3 mine.py". It reads puzzles from standard
    /// input and answers each on one line: id,length,microseconds or
    /// id,length,microseconds,moves. The length is `unsolvable` if it has proved that there is no
    /// solution, and - if it gave up. Can be given several times
    ///
    /// A puzzle is one line of JSON, such as
    /// `{"id":"a","width":16,"height":16,"walls":[9,1,…],"robots":[[1,8],[12,1]],"active":1,"target":[6,14]}`.
    /// Walls are one number per cell, row by row: the sum of north 1, east 2, south 4, west 8. An
    /// answer would be a,12,1500: 12 moves in 1500 microseconds.
    #[arg(long = "external", value_name = "NAME=COMMAND")]
    externals: Vec<String>,

    /// The format of the puzzles that external programs get
    #[arg(long, value_name = "FORMAT", default_value = "json", value_parser = format_parser())]
    external_format: Format,

    /// Also solve every puzzle in a new process
    #[arg(long, hide_short_help = true)]
    cold: bool,

    /// Instead of measuring, print how many nodes each solver searches and stores for 40 fixed
    /// puzzles
    #[arg(long, hide_short_help = true)]
    signature: bool,

    /// Read one task from standard input and print its row: the other end of --cold
    #[arg(long, hide = true)]
    worker: bool,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> anyhow::Result<ExitCode> {
    if args.worker {
        cold::serve(io::stdin().lock(), &mut *output)?;
        return Ok(ExitCode::Solved);
    }
    let solvers = match (args.solvers.is_empty(), args.signature) {
        (false, _) => args.solvers.clone(),
        (true, true) => bench::all_solvers(),
        (true, false) => bench::fitting_solvers(&args.corpora)?,
    };
    if args.signature {
        write!(output, "{}", signature::table(&solvers)?.to_text())?;
        return Ok(ExitCode::Solved);
    }
    let externals: Vec<ExternalSolver> = args
        .externals
        .iter()
        .map(|text| external(text, args.external_format))
        .collect::<anyhow::Result<_>>()?;
    let mut run_options = run_options(output)?;
    if !externals.is_empty() {
        // External programs have to be stopped as well.
        run_options.cancel = Some(cancel_on_interrupt()?);
    }
    let options = BenchOptions {
        corpora: args.corpora.clone(),
        solvers,
        externals,
        repeat: args.repeat,
        warmup: args.warmup,
        limits: SolveLimits {
            time: args.time_limit,
            memory: args.memory_limit,
            clock: args.clock,
        },
        jobs: usize::from(args.threads),
        shard: args.shard,
        out: args.output.clone(),
        baseline: args.baseline.to_string(),
        cold: args.cold,
    };
    let done = bench::bench(&options, &run_options)?;
    if done.skipped > 0 {
        output.note(format_args!(
            "{} rows already existed, {} are new",
            done.skipped, done.written
        ));
    }
    let Some(report) = write_report(&args.output, output)? else {
        return Ok(ExitCode::Solved);
    };
    let merged = store::merge(&args.output)?;
    let groups = summary::groups(&merged.rows);
    let mut answers = summary::answer_table(&groups);
    let mut times = summary::time_table(&groups, &args.baseline.to_string());
    // A terminal has room for columns that say something.
    let categories = [
        AnswerCategory::Declined,
        AnswerCategory::Failed,
        AnswerCategory::TimedOut,
    ];
    summary::drop_empty_categories(&mut answers, &groups, &categories);
    if groups.iter().all(|group| group.mode == Mode::Warm) {
        // The mode matters only with --cold.
        answers.drop_column("mode");
        times.drop_column("mode");
    }
    write!(output, "{}\n{}", answers.to_text(), times.to_text())?;
    output.note(format_args!("report: {}", report.page.display()));
    let contradictions = summary::contradictions(&merged.rows);
    if !done.wrong.is_empty() || !contradictions.is_empty() {
        for contradiction in &contradictions {
            output.error(contradiction);
        }
        return Err(wrong(done.wrong.len() + contradictions.len()));
    }
    if done.interrupted {
        output.note("interrupted; run the same command again to continue");
        return Ok(ExitCode::Interrupted);
    }
    Ok(ExitCode::Solved)
}

/// `NAME=COMMAND`.
fn external(text: &str, format: Format) -> anyhow::Result<ExternalSolver> {
    let (name, command) = text.split_once('=').with_context(|| {
        format!("--external '{text}': expected NAME=COMMAND, such as mine=\"python3 mine.py\"")
    })?;
    ExternalSolver::new(name.trim(), command.trim(), format)
}

/// The error for wrong and missing answers, which were reported as they came.
pub(crate) fn wrong(answers: usize) -> anyhow::Error {
    anyhow!("{} wrong or missing", plural(answers, "answer"))
}

/// Writes the report of a run, unless there are no rows yet.
pub(crate) fn write_report(out: &Path, output: &Output) -> anyhow::Result<Option<WrittenReport>> {
    match report::write(out) {
        Ok(written) => Ok(Some(written)),
        Err(error) if error.is::<NoResults>() => {
            output.note(format_args!("{}: nothing to report yet", out.display()));
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// How to run: quiet or not, and this program for cold runs.
pub(crate) fn run_options(output: &Output) -> anyhow::Result<RunOptions> {
    let program = std::env::current_exe().context("cannot find this program's own file")?;
    Ok(RunOptions {
        quiet: output.is_quiet(),
        cold: Some(ColdCommand {
            program,
            arguments: vec!["bench".into(), "--worker".into()],
        }),
        cancel: None,
    })
}
