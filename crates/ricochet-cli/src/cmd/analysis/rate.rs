//! `ricochet rate`

use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::ensure;
use ricochet_core::describe::plural;
use ricochet_service::questions::rate::RateAnswer;
use ricochet_solve::difficulty::{Features, MAX_LINES, Theme};
use ricochet_solve::{Budget, Limit, LimitReached, Limits, NodeCount, Outcome, Solver};

use crate::answer::Answer;
use crate::args::search::SearchArgs;
use crate::args::shard::ShardArgs;
use crate::args::whole_number::whole_number;
use crate::batch::all_cores;
use crate::exit_code::ExitCode;
use crate::input::InputPuzzle;
use crate::term::output::Output;
use crate::term::plain::Plain;
use crate::term::progress::Progress;
use crate::term::units::thousands;

/// Rate how hard puzzles are, and name the themes of their solutions
///
/// The rating uses the scale of chess ratings: a player rated 1500 is meant to find a shortest
/// solution of a puzzle rated 1500 in half of the attempts. It comes from
/// simulated players; how well it matches people is not known. The number after ± shows how far
/// the different kinds of simulated players disagree. Under 1000 is easy, under 2000 medium, under
/// 3200 hard, the rest expert.
///
/// A theme is something that happens in all shortest solutions, such as a helper that stops another
/// robot. With --json, each row has the puzzle, its length, a solution, its rating, its themes and
/// all features: a data set with one row per puzzle. The Python package turns it into CSV or
/// Parquet: `python -m ricochet_engine.table rows.jsonl -o rows.parquet`
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Print one JSON object per line; "rating" is null if there is no proven shortest solution
    #[arg(long)]
    json: bool,

    /// Threads, 1 to 1024: one puzzle is solved on all of them, many puzzles are spread over them.
    /// Default: all cores
    #[arg(long, short = 'j', value_name = "N", value_parser = whole_number::<u16>(1..=1024))]
    threads: Option<u16>,

    #[command(flatten)]
    search: SearchArgs,

    #[command(flatten)]
    parts: ShardArgs,
}

impl Args {
    /// What all parts of a sharded run have in common.
    fn task(&self) -> anyhow::Result<String> {
        let facts = serde_json::json!({
            "puzzles": self.search.puzzles.names,
            "solver": self.search.solver.spec()?.to_string(),
            "limits": self.search.limits.task_json(),
            "read": self.search.puzzles.read.task_json(),
        });
        Ok(format!("rate {facts}"))
    }
}

pub(crate) fn run(args: &Args, output: &mut Output) -> anyhow::Result<ExitCode> {
    let Some(shard) = args.parts.shard() else {
        return args
            .parts
            .run("", "", output, |output| rate(args, output, None));
    };
    ensure!(args.json, "--shard needs --json");
    let task = args.task()?;
    args.parts.run(&task, "jsonl", output, |output| {
        rate(args, output, Some(shard))
    })
}

fn rate(
    args: &Args,
    output: &mut Output,
    shard: Option<ricochet_lab::shard::Shard>,
) -> anyhow::Result<ExitCode> {
    let mut batch = args.search.puzzles.batch(args.json)?;
    if let Some(shard) = shard {
        batch = batch.only(shard);
    }
    let threads = args.threads.map_or_else(all_cores, usize::from);
    let spec = args.search.solver.spec()?;
    let (workers, spec) = if shard.is_none() && batch.is_single() {
        (1, spec.or_threads(threads))
    } else {
        (threads, spec.or_threads(1))
    };
    let limits = args.search.limits.limits(workers, Some(batch.cancel()));
    let progress = output.progress().clone();
    let done = AtomicU64::new(0);
    let make_worker = || {
        let mut solver = spec.build();
        let (limits, progress, done) = (&limits, &progress, &done);
        move |read: InputPuzzle| {
            let rated = RatedPuzzle::of(solver.as_mut(), read, limits, progress);
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            progress.set_message(format!("{} rated", plural(done as usize, "puzzle")));
            rated
        }
    };
    let ended = batch.on_threads(workers, make_worker, output, |rated, output| {
        let (code, text) = rated.verdict();
        if args.json {
            let answer = &rated.answer;
            let features = rated.features.as_ref().ok().and_then(Option::as_ref);
            let row = RateAnswer::of(&answer.id, &answer.puzzle, &answer.outcome, features);
            output.json(&row)?;
        } else {
            let name = Plain(&rated.answer.name);
            output.sentences(format_args!("{name}: {text}\n"))?;
        }
        Ok(code)
    })?;
    Ok(ended.code)
}

/// A puzzle with its solution and, if that is proved to be a shortest one, its features.
struct RatedPuzzle {
    answer: Answer,
    features: Result<Option<Features>, LimitReached>,
}

impl RatedPuzzle {
    fn of(
        solver: &mut dyn Solver,
        read: InputPuzzle,
        limits: &Limits,
        progress: &Progress,
    ) -> Self {
        let mut watch = progress.search_observer(&read.name);
        let answer = Answer::solve(solver, read, limits, &mut watch);
        let features = match &answer.outcome {
            Outcome::Solved {
                solution,
                optimal: true,
                ..
            } => {
                let count = NodeCount::default();
                let left = Limits {
                    count: Some(count.clone()),
                    ..Budget::after_search(limits, solver, &answer.stats).left()
                };
                let solved = format!(
                    "{}: {} needed, rating",
                    Plain(&answer.name),
                    plural(solution.len(), "move")
                );
                progress.set_message_source(move || {
                    format!("{solved}, {} nodes", thousands(count.get()))
                });
                Features::of(&answer.puzzle, solution.len() as u32, &left)
            }
            _ => Ok(None),
        };
        Self { answer, features }
    }

    /// The exit code, and a sentence.
    fn verdict(&self) -> (ExitCode, String) {
        let answer = &self.answer;
        match &self.features {
            Ok(Some(features)) => (ExitCode::Solved, describe(features)),
            Ok(None) if answer.outcome.solution().is_some() => (
                ExitCode::Limit,
                format!("{}: only a proven optimum can be rated", answer.verdict()),
            ),
            Ok(None) => (answer.exit_code(), answer.verdict()),
            Err(stopped) if stopped.limit == Limit::Cancelled => {
                (ExitCode::Interrupted, "stopped".to_owned())
            }
            Err(stopped) => (
                ExitCode::Limit,
                format!("{} reached before all paths were examined", stopped.limit),
            ),
        }
    }
}

/// `hard (2412 ± 105): 9 moves, at least 3 by helpers, 2 robots, 4 shortest solutions; placed-blocker`
pub(crate) fn describe(features: &Features) -> String {
    let solutions = match features.solutions {
        1 => "one shortest solution".to_owned(),
        u64::MAX => "countless shortest solutions".to_owned(),
        n => format!("{} shortest solutions", thousands(n)),
    };
    let helpers = match features.helper_moves {
        0 => String::new(),
        moves => format!("at least {moves} by helpers, "),
    };
    let themes = match &features.lines {
        None => format!(
            "; themes are named for at most {} solutions",
            thousands(MAX_LINES)
        ),
        Some(lines) => {
            let themes: Vec<&str> = lines.themes.all().map(Theme::name).collect();
            if themes.is_empty() {
                String::new()
            } else {
                format!("; {}", themes.join(", "))
            }
        }
    };
    format!(
        "{} ({} ± {:.0}): {}, {helpers}{}, {solutions}{themes}",
        features.difficulty(),
        features.rating.rounded(),
        features.rating.deviation,
        plural(features.length as usize, "move"),
        plural(features.robots as usize, "robot"),
    )
}
