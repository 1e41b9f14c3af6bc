//! `ricochet solve`

mod all_shortest;

use std::io::Write;
use std::sync::Mutex;
use std::time::Duration;

use anyhow::{Context, ensure};
use ricochet_core::notation;
use ricochet_solve::registry::SolverSpec;
use ricochet_solve::tablebase::AdaptiveSolver;
use ricochet_solve::{DepthRow, Limits, Outcome, Solver};

use crate::answer::Answer;
use crate::args::drawing::{CompactArgs, DrawingArgs};
use crate::args::search::SearchArgs;
use crate::args::shard::ShardArgs;
use crate::args::whole_number::whole_number;
use crate::batch::{Batch, all_cores};
use crate::cmd::solve::all_shortest::{AllArgs, ShortestList};
use crate::exit_code::ExitCode;
use crate::input::InputPuzzle;
use crate::term::output::Output;
use crate::term::progress::Progress;
use crate::term::units::{duration, thousands};
use ricochet_core::describe::plural;
use ricochet_service::questions::solve::SolveAnswer;

/// Find shortest solutions
///
/// A single puzzle is drawn with its solution, smaller in a small terminal; several puzzles
/// get one line each. A puzzle that cannot be read is reported on standard error with its file and
/// line, and the rest are still solved. When `solve` reads standard input and does not write to a
/// terminal, it prints one line per puzzle as soon as that puzzle is solved. If many puzzles share
/// a board and target, it builds a table of all positions once, which is faster than solving them
/// one by one; giving any --solver turns this off.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Print one JSON object per line, in the order of the input
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    all: AllArgs,

    /// Print a row with the number of nodes for each depth that is searched
    #[arg(long, hide_short_help = true)]
    watch: bool,

    /// Number of threads, 1 to 1024. A single puzzle uses all of them; several puzzles are spread
    /// over them. Which of the shortest solutions is found may depend on N. Default: all cores
    #[arg(long, short = 'j', value_name = "N", value_parser = whole_number::<u16>(1..=1024))]
    threads: Option<u16>,

    #[command(flatten)]
    search: SearchArgs,

    #[command(flatten)]
    show: DrawingArgs,

    #[command(flatten)]
    compact: CompactArgs,

    #[command(flatten)]
    parts: ShardArgs,
}

impl Args {
    /// What all parts of a sharded run have in common. Parts are recognised by it, so its wording
    /// must not depend on names in this code.
    fn task(&self, spec: &SolverSpec) -> String {
        let facts = serde_json::json!({
            "puzzles": self.search.puzzles.names,
            "solver": spec.to_string(),
            "limits": self.search.limits.task_json(),
            "all": self.all.task_json(),
            "read": self.search.puzzles.read.task_json(),
        });
        format!("solve {facts}")
    }
}

pub(crate) fn run(args: &Args, output: &mut Output) -> anyhow::Result<ExitCode> {
    let spec = args.search.solver.spec()?;
    let mut batch = args.search.puzzles.batch(args.json)?;
    let threads = args.threads.map_or_else(all_cores, usize::from);
    if let Some(shard) = args.parts.shard() {
        ensure!(args.json, "--shard needs --json");
        ensure!(!args.watch, "--shard and --watch cannot be used together");
        let task = args.task(&spec);
        return args.parts.run(&task, "jsonl", output, |output| {
            solve_many(args, batch.only(shard), &spec, threads, output)
        });
    }
    args.parts.run("", "", output, |output| {
        if batch.is_single() {
            solve_one(args, batch, spec, threads, output)
        } else {
            solve_many(args, batch, &spec, threads, output)
        }
    })
}

fn solve_one(
    args: &Args,
    batch: Batch,
    spec: SolverSpec,
    threads: usize,
    output: &mut Output,
) -> anyhow::Result<ExitCode> {
    let mut solver = spec.or_threads(threads).build();
    let limits = args.search.limits.limits(1, Some(batch.cancel()));
    batch.each(output, |read, output| {
        // A position given in words has no one-line form yet, so print it.
        let line = args
            .search
            .puzzles
            .read
            .layout
            .map(|_| notation::to_line(&read.puzzle));
        let solved = SolveResult::of(args, solver.as_mut(), read, &limits, output.progress());
        let code = solved.exit_code();
        let contradiction = solved.answer.contradiction();
        if args.json {
            output.json(&solved.row())?;
        } else {
            let (terminal, size) = (args.show.terminal(), output.terminal_size());
            let below = usize::from(line.is_some() && !output.is_quiet());
            let list = solved.list();
            let page = solved
                .answer
                .page(terminal, args.compact, size, (&list, below));
            output.record(page)?;
            if let Some(line) = line {
                output.note(format_args!(
                    "This puzzle in one line, for any command: {line}"
                ));
            }
        }
        if let Some(contradiction) = contradiction {
            output.note(contradiction);
        }
        Ok(code)
    })
}

fn solve_many(
    args: &Args,
    batch: Batch,
    spec: &SolverSpec,
    threads: usize,
    output: &mut Output,
) -> anyhow::Result<ExitCode> {
    // Interleaved rows would be unreadable.
    let threads = if args.watch { 1 } else { threads };
    let limits = args.search.limits.limits(threads, Some(batch.cancel()));
    let started = std::time::Instant::now();
    let mut tally = Tally::default();
    let spec = spec.clone().or_threads(1);
    let mut solvers: Vec<_> = (0..threads).map(|_| spec.build()).collect();
    // Without --solver, a table may answer if that is cheaper. Parts must not depend on the machine,
    // and which puzzles a table answers depends on the threads.
    let is_part = args.parts.shard().is_some();
    if args.search.solver.is_default() && !args.watch && !is_part {
        solvers = AdaptiveSolver::for_threads(solvers);
    }
    let solvers = Mutex::new(solvers);
    let progress = output.progress().clone();
    let make_worker = || {
        let mut solver = solvers
            .lock()
            .expect("nothing panics while it is held")
            .pop()
            .expect("one for each worker");
        let (limits, progress) = (&limits, &progress);
        move |read: InputPuzzle| SolveResult::of(args, solver.as_mut(), read, limits, progress)
    };
    let ended = batch
        .on_threads(threads, make_worker, output, |solved, output| {
            tally.count(&solved.answer);
            let code = solved.exit_code();
            let contradiction = solved.answer.contradiction();
            if is_part {
                output.json(&without_time(solved)?)?;
            } else if args.json {
                output.json(&solved.row())?;
            } else {
                output.record(solved.answer.line() + &solved.list())?;
            }
            if let Some(contradiction) = contradiction {
                output.note(contradiction);
            }
            Ok(code)
        })
        .context("the batch is incomplete")?;
    tally.unread = ended.unread;
    output.note(tally.summary(ended.code, started.elapsed()));
    Ok(ended.code)
}

/// The answer to a puzzle and, if requested, all its shortest solutions.
struct SolveResult {
    answer: Answer,
    all: Option<ShortestList>,
}

impl SolveResult {
    fn of(
        args: &Args,
        solver: &mut dyn Solver,
        read: InputPuzzle,
        limits: &Limits,
        progress: &Progress,
    ) -> Self {
        let answer = if args.watch {
            Answer::solve(
                solver,
                read,
                limits,
                &mut depth_printer(args.json, progress),
            )
        } else {
            let mut watch = progress.search_observer(&read.name);
            Answer::solve(solver, read, limits, &mut watch)
        };
        let all = args.all.of(&answer, solver, limits, progress);
        Self { answer, all }
    }

    /// The list of all shortest solutions.
    fn list(&self) -> String {
        self.all
            .as_ref()
            .map(ShortestList::page)
            .unwrap_or_default()
    }

    /// The row for programs.
    fn row(self) -> SolveAnswer {
        let row = self.answer.row();
        match self.all {
            Some(all) => row.with_all(all.into_inner()),
            None => row,
        }
    }

    /// Whether everything requested was found.
    fn exit_code(&self) -> ExitCode {
        let all = self.all.as_ref();
        let all = all.map_or(ExitCode::Solved, ShortestList::exit_code);
        self.answer.exit_code().worst(all)
    }
}

/// The row without its time, which depends on the machine.
fn without_time(solved: SolveResult) -> anyhow::Result<serde_json::Value> {
    let mut row = serde_json::to_value(solved.row())?;
    if let Some(fields) = row.as_object_mut() {
        fields.remove("micros");
    }
    Ok(row)
}

/// The outcomes of a batch.
#[derive(Default)]
struct Tally {
    solved: u64,
    unsolvable: u64,
    limit: u64,
    failed: u64,
    stopped: u64,
    unread: u64,
    nodes: u64,
}

impl Tally {
    fn count(&mut self, answer: &Answer) {
        self.nodes += answer.stats.nodes;
        *match answer.outcome {
            Outcome::Solved { .. } => &mut self.solved,
            Outcome::Unsolvable => &mut self.unsolvable,
            Outcome::LimitReached { .. } if answer.is_cancelled() => &mut self.stopped,
            Outcome::LimitReached { .. } => &mut self.limit,
            Outcome::Failed { .. } => &mut self.failed,
        } += 1;
    }

    /// `500 puzzles: 498 solved, 2 unsolvable, 12,345 nodes, 1.23 s`
    fn summary(&self, code: ExitCode, time: Duration) -> String {
        let kinds = [
            (self.solved, "solved"),
            (self.unsolvable, "unsolvable"),
            (self.limit, "ended by a limit"),
            (self.failed, "failed"),
            (self.stopped, "unfinished"),
            (self.unread, "not readable"),
        ];
        let total: u64 = kinds.iter().map(|(count, _)| count).sum();
        let mut parts: Vec<String> = kinds
            .into_iter()
            .filter(|&(count, _)| count > 0)
            .map(|(count, kind)| format!("{} {kind}", thousands(count)))
            .collect();
        parts.push(match self.nodes {
            1 => "1 node".to_owned(),
            nodes => format!("{} nodes", thousands(nodes)),
        });
        parts.push(duration(time));
        let puzzles = plural(total as usize, "puzzle");
        match (code, total) {
            (ExitCode::Interrupted, _) if total == self.stopped => {
                "stopped before the first answer".to_owned()
            }
            (ExitCode::Interrupted, _) => format!("stopped after {puzzles}: {}", parts.join(", ")),
            (_, 0) => "no puzzles".to_owned(),
            _ => format!("{puzzles}: {}", parts.join(", ")),
        }
    }
}

/// Prints each row as it comes: on standard error if the results are JSON.
fn depth_printer(json: bool, progress: &Progress) -> impl FnMut(&DepthRow) {
    move |row: &DepthRow| {
        let line = format!(
            "Depth: {}, Nodes: {} ({} inner, {} hits)",
            row.depth, row.nodes, row.inner, row.hits
        );
        progress.suspend(|| {
            // A closed stream is no reason to stop the search.
            let _ = if json {
                writeln!(std::io::stderr(), "{line}")
            } else {
                writeln!(std::io::stdout(), "{line}")
            };
        });
    }
}
