//! `ricochet solve`

use std::io::Write;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::thread;

use anyhow::Context;
use ricochet_solve::registry::SolverSpec;
use ricochet_solve::tablebase::Choosing;
use ricochet_solve::{CancelToken, DepthRow, Limits, Outcome, Silent, Solver};

use crate::all_shortest::{AllArgs, AllShortest};
use crate::answer::Answer;
use crate::exit_code::ExitCode;
use crate::input::{InputError, Item, Items, ReadArgs};
use crate::interrupt::cancel_on_interrupt;
use crate::limits::LimitArgs;
use crate::ordered::ordered;
use crate::output::{self, Output};
use crate::show_args::ShowArgs;
use crate::solver_args::SolverArgs;
use crate::units::{duration, thousands};
use ricochet_service::narrate::plural;

/// Find shortest solutions
///
/// One puzzle is shown with its solution on the board; of many, each takes a line. A puzzle that
/// cannot be read is reported on standard error with its file and line, and the others go on. If no
/// solver is named, many puzzles with one board and goal are answered from a table as soon as that
/// is cheaper.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Files, directories, notation, DriftingDroids IDs, URLs, corpora such as random or random:2; -
    /// or none for standard input
    #[arg(value_name = "PUZZLE")]
    puzzles: Vec<String>,

    /// One JSON object a line, in the order of the input
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    all: AllArgs,

    /// Print a row for each depth that is searched, as the slides do
    #[arg(long)]
    watch: bool,

    /// Threads: for one puzzle inside the solver, for many across the puzzles. With one, the same
    /// of the shortest solutions is found each time. Default: all cores
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    #[command(flatten)]
    solver: SolverArgs,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    read: ReadArgs,

    #[command(flatten)]
    show: ShowArgs,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> anyhow::Result<ExitCode> {
    let spec = args.solver.spec()?;
    let mut items = Items::new(&args.puzzles, args.read)?;
    let threads = args.threads.map_or_else(all_cores, usize::from);
    let cancel = cancel_on_interrupt()?;
    let Some(first) = items.next() else {
        return Ok(ExitCode::Solved);
    };
    match items.next() {
        None => solve_one(args, first, spec, threads, &cancel, output),
        Some(second) => {
            let items = [first, second].into_iter().chain(items);
            solve_many(args, items, &spec, threads, &cancel, output)
        }
    }
}

fn solve_one(
    args: &Args,
    item: Result<Item, InputError>,
    spec: SolverSpec,
    threads: usize,
    cancel: &CancelToken,
    output: &mut Output,
) -> anyhow::Result<ExitCode> {
    let read = item?.check(args.read)?;
    for note in &read.notes {
        output.note(format_args!("note: {note}"));
    }
    let mut solver = spec.or_threads(threads).build();
    let limits = args.limits.limits(1, Some(cancel.clone()));
    let answer = if args.watch {
        Answer::of(solver.as_mut(), read, &limits, &mut watcher(args.json))
    } else {
        Answer::of(solver.as_mut(), read, &limits, &mut Silent)
    };
    let all = args.all.of(&answer, &limits);
    output.record(if args.json {
        answer.json(all.as_ref())?
    } else {
        answer.page(args.show.terminal()) + &all.as_ref().map(AllShortest::page).unwrap_or_default()
    })?;
    Ok(answer.exit_code().worst(exit_code_of(all.as_ref())))
}

/// Whether all that was asked for is there.
fn exit_code_of(all: Option<&AllShortest>) -> ExitCode {
    all.map_or(ExitCode::Solved, AllShortest::exit_code)
}

/// What happened to all puzzles of a batch.
#[derive(Default)]
struct Tally {
    solved: u64,
    unsolvable: u64,
    limit: u64,
    failed: u64,
    unread: u64,
    nodes: u64,
}

fn solve_many(
    args: &Args,
    items: impl Iterator<Item = Result<Item, InputError>> + Send,
    spec: &SolverSpec,
    threads: usize,
    cancel: &CancelToken,
    output: &mut Output,
) -> anyhow::Result<ExitCode> {
    // Rows of several puzzles at once would be a puzzle of their own.
    let threads = if args.watch { 1 } else { threads };
    let limits = args.limits.limits(threads, Some(cancel.clone()));
    let started = std::time::Instant::now();
    let mut code = ExitCode::Solved;
    let mut tally = Tally::default();
    let spec = spec.clone().or_threads(1);
    let mut solvers: Vec<_> = (0..threads).map(|_| spec.build()).collect();
    // Nobody named a solver, so we may take a table where that is cheaper.
    if args.solver.is_default() && !args.watch {
        solvers = choosing(solvers);
    }
    let solvers = Mutex::new(solvers);
    let make_worker = || {
        let mut solver = solvers
            .lock()
            .expect("nothing panics while it is held")
            .pop()
            .expect("one for each worker");
        let limits: &Limits = &limits;
        move |item: Result<Item, InputError>| {
            let read = item?.check(args.read)?;
            let answer = if args.watch {
                Answer::of(solver.as_mut(), read, limits, &mut watcher(args.json))
            } else {
                Answer::of(solver.as_mut(), read, limits, &mut Silent)
            };
            let all = args.all.of(&answer, limits);
            Ok::<_, InputError>((answer, all))
        }
    };
    ordered(items, threads, make_worker, |answer| -> anyhow::Result<_> {
        let (answer, all) = match answer {
            Ok((answer, _)) if answer.is_cancelled() => {
                code = ExitCode::Interrupted;
                return Ok(ControlFlow::Break(()));
            }
            Ok(answered) => answered,
            Err(error) => {
                tally.unread += 1;
                code = code.worst(ExitCode::Error);
                output::error(&error);
                return Ok(ControlFlow::Continue(()));
            }
        };
        tally.count(&answer);
        code = code
            .worst(answer.exit_code())
            .worst(exit_code_of(all.as_ref()));
        output.record(if args.json {
            answer.json(all.as_ref())?
        } else {
            answer.line() + &all.as_ref().map(AllShortest::page).unwrap_or_default()
        })?;
        if cancel.is_cancelled() {
            code = ExitCode::Interrupted;
            return Ok(ControlFlow::Break(()));
        }
        Ok(ControlFlow::Continue(()))
    })
    .context("the batch is incomplete")?;
    output.note(format_args!(
        "{}, {} nodes, {}",
        tally.summary(),
        thousands(tally.nodes),
        duration(started.elapsed())
    ));
    Ok(code)
}

/// Solvers that turn to a table together when many puzzles have the same board and goal.
fn choosing(solvers: Vec<Box<dyn Solver>>) -> Vec<Box<dyn Solver>> {
    let mut first: Option<Choosing> = None;
    let mut all: Vec<Box<dyn Solver>> = Vec::new();
    for solver in solvers {
        match &first {
            None => first = Some(Choosing::new(solver)),
            Some(first) => all.push(Box::new(first.beside(solver))),
        }
    }
    all.extend(first.map(|first| Box::new(first) as Box<dyn Solver>));
    all
}

impl Tally {
    fn count(&mut self, answer: &Answer) {
        self.nodes += answer.stats.nodes;
        *match answer.outcome {
            Outcome::Solved { .. } => &mut self.solved,
            Outcome::Unsolvable => &mut self.unsolvable,
            Outcome::LimitReached { .. } => &mut self.limit,
            Outcome::Failed { .. } => &mut self.failed,
        } += 1;
    }

    /// `500 puzzles: 498 solved, 2 unsolvable`
    fn summary(&self) -> String {
        let kinds = [
            (self.solved, "solved"),
            (self.unsolvable, "unsolvable"),
            (self.limit, "ended by a limit"),
            (self.failed, "failed"),
            (self.unread, "not readable"),
        ];
        let total: u64 = kinds.iter().map(|(count, _)| count).sum();
        let parts: Vec<String> = kinds
            .into_iter()
            .filter(|&(count, _)| count > 0)
            .map(|(count, kind)| format!("{} {kind}", thousands(count)))
            .collect();
        format!("{}: {}", plural(total as usize, "puzzle"), parts.join(", "))
    }
}

/// Prints each row as it comes, where the results do not go if those are JSON.
fn watcher(json: bool) -> impl FnMut(&DepthRow) {
    move |row: &DepthRow| {
        let line = format!(
            "Depth: {}, Nodes: {} ({} inner, {} hits)\n",
            row.depth, row.nodes, row.inner, row.hits
        );
        // Progress that nobody can see any more is no reason to stop.
        let _ = if json {
            std::io::stderr().write_all(line.as_bytes())
        } else {
            std::io::stdout().write_all(line.as_bytes())
        };
    }
}

/// The number of threads that the machine runs at once.
pub(crate) fn all_cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}
