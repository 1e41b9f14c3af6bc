//! `ricochet compare`

use std::fmt::Write;
use std::time::Duration;

use anstyle::Style;
use ricochet_solve::registry::{SOLVERS, SolverSpec};
use ricochet_solve::{Failure, Outcome};

use crate::answer::Answer;
use crate::args::limits::LimitArgs;
use crate::args::names::{corpus_names, solver_specs};
use crate::args::puzzles::ReadArgs;
use crate::batch;
use crate::batch::interrupt::cancel_on_interrupt;
use crate::exit_code::ExitCode;
use crate::term::output::Output;
use crate::term::units::{bytes, duration, thousands};

/// Time for each solver unless --time-limit says otherwise.
const DEFAULT_TIME: Duration = Duration::from_secs(10);

/// Run all solvers on one puzzle and compare them
///
/// The solvers run one after the other; each may take 10 s unless --time-limit says otherwise. The
/// columns are: 'solver', its name and parameters; 'length', the number of moves of its solution,
/// '≥9' if it found none but proved that at least 9 are needed, and '(9)' if its solution of 9
/// moves fails when it is replayed; 'optimal', how good the solution is; 'time', how long it took;
/// 'nodes', how many positions it examined; and 'memory', the peak size of its tables and queues.
///
/// In 'optimal', 'proved' means that the solver proved its solution shortest; 'yes', that another
/// solver proved this length shortest; 'no, +2', that the solution is two moves too long; '?', that
/// no solver proved an optimum. If the solver gave no valid solution, this column gives the reason:
/// 'unsolvable' (proven), the limit that was reached, 'failed' (gave up), 'not replayable', or
/// 'declined', which is explained below the table.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// A file, one-line notation, a DriftingDroids ID, a URL, a built-in puzzle such as random:2,
    /// or - for standard input
    #[arg(value_name = "PUZZLE", value_parser = corpus_names(), hide_possible_values = true)]
    puzzle: Option<String>,

    /// Only these solvers, optionally with parameters. Default: all
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', value_parser = solver_specs(), hide_possible_values = true)]
    solvers: Vec<SolverSpec>,

    /// Print one JSON object per solver, as `solve --json` does, instead of a table
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    read: ReadArgs,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> anyhow::Result<ExitCode> {
    let specs = if args.solvers.is_empty() {
        SOLVERS.iter().map(SolverSpec::from).collect()
    } else {
        args.solvers.clone()
    };
    let read = batch::single(args.puzzle.as_deref(), args.read, args.json, output)?;
    let cancel = cancel_on_interrupt()?;
    let mut limits = args.limits.limits(1, Some(cancel.clone()));
    limits.time = limits.time.or(Some(DEFAULT_TIME));
    let mut answers = Vec::new();
    for spec in specs {
        let label = spec.to_string();
        let _running = output.progress().start(label.clone());
        let mut solver = spec.or_threads(1).build();
        let mut progress = output.progress().search_observer(&label);
        let answer = Answer::solve(solver.as_mut(), read.clone(), &limits, &mut progress);
        if args.json {
            output.json(&answer.row())?;
        }
        answers.push((label, answer));
        if cancel.is_cancelled() {
            break;
        }
    }
    let proved = proved_optimum(&answers);
    if !args.json {
        output.record(table(&answers, proved))?;
        for (label, answer) in &answers {
            if let Outcome::Failed {
                failure: Failure::Unsupported(what),
                ..
            } = &answer.outcome
            {
                output.note(format_args!("{label} declined: {what}"));
            }
        }
    }
    Ok(if cancel.is_cancelled() {
        ExitCode::Interrupted
    } else if answers.iter().any(|(_, a)| a.outcome.solution().is_some()) {
        ExitCode::Solved
    } else if answers
        .iter()
        .any(|(_, a)| a.outcome == Outcome::Unsolvable)
    {
        ExitCode::Unsolvable
    } else {
        ExitCode::Limit
    })
}

/// The length that some solver proved to be the shortest.
fn proved_optimum(answers: &[(String, Answer)]) -> Option<usize> {
    answers
        .iter()
        .find_map(|(_, answer)| match &answer.outcome {
            Outcome::Solved {
                solution,
                optimal: true,
                ..
            } => Some(solution.len()),
            _ => None,
        })
}

fn table(answers: &[(String, Answer)], proved: Option<usize>) -> String {
    let mut rows =
        vec![["solver", "length", "optimal", "time", "nodes", "memory"].map(String::from)];
    rows.extend(
        answers
            .iter()
            .map(|(label, answer)| row(label, answer, proved)),
    );
    let mut widths = [0; 6];
    for row in &rows {
        for (width, text) in widths.iter_mut().zip(row) {
            *width = text.chars().count().max(*width);
        }
    }
    let mut text = String::new();
    for (number, row) in rows.iter().enumerate() {
        let style = if number == 0 {
            Style::new().bold()
        } else {
            Style::new()
        };
        let [solver, length, optimal, time, nodes, memory] = row;
        let [a, b, c, d, e, f] = widths;
        let line = format!(
            "{solver:<a$}  {length:>b$}  {optimal:<c$}  {time:>d$}  {nodes:>e$}  {memory:>f$}"
        );
        let _ = writeln!(text, "{style}{}{style:#}", line.trim_end());
    }
    text
}

fn row(label: &str, answer: &Answer, proved: Option<usize>) -> [String; 6] {
    let (length, optimal) = match &answer.outcome {
        Outcome::Solved {
            solution, optimal, ..
        } => {
            let worth = match proved {
                _ if *optimal => "proved".to_owned(),
                Some(best) if solution.len() == best => "yes".to_owned(),
                Some(best) => format!("no, +{}", solution.len().saturating_sub(best)),
                None => "?".to_owned(),
            };
            (solution.len().to_string(), worth)
        }
        Outcome::Unsolvable => ("-".to_owned(), "unsolvable".to_owned()),
        Outcome::LimitReached { limit, lower_bound } => {
            (format!("≥{lower_bound}"), limit.to_string())
        }
        Outcome::Failed { failure, .. } => (
            match failure {
                Failure::NotReplayable { claimed } => format!("({claimed})"),
                _ => "-".to_owned(),
            },
            match failure {
                Failure::SearchSpaceExhausted => "failed".to_owned(),
                Failure::NotReplayable { .. } => "not replayable".to_owned(),
                // The reason may be long, so it goes below the table.
                Failure::Unsupported(_) => "declined".to_owned(),
            },
        ),
    };
    [
        label.to_owned(),
        length,
        optimal,
        duration(answer.stats.time),
        thousands(answer.stats.nodes),
        bytes(answer.stats.peak_bytes),
    ]
}
