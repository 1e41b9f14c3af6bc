//! Cold solves: each in a new process of this program, which reads one task from standard input and
//! prints one row.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use cpu_time::ProcessTime;
use serde::{Deserialize, Serialize};

use crate::corpus::{Corpus, CorpusPuzzle, Expectation, to_json};
use crate::run::plan::SolveLimits;
use crate::run::solve::clock::Clock;
use crate::run::solve::{SolveTask, micros, solve_in_process};
use crate::run::store::row::{Mode, OutcomeKind, Row};

/// The command that starts this program for one solve.
#[derive(Clone, Debug)]
pub struct ColdCommand {
    /// The program.
    pub program: PathBuf,
    /// Arguments that make it call [`serve`].
    pub arguments: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Request {
    corpus: String,
    id: String,
    puzzle: String,
    unsolvable: bool,
    solver: String,
    run: u32,
    time_millis: u64,
    memory: u64,
    clock: Clock,
}

/// Solves in a new process. If it crashes or does not end in time, the row says so.
pub(crate) fn solve(task: &SolveTask<'_>, command: &ColdCommand) -> Result<Row> {
    let request = Request {
        corpus: task.corpus.to_owned(),
        id: task.item.id.clone(),
        puzzle: to_json(&task.item.puzzle)?,
        unsolvable: task.item.expectation == Expectation::Unsolvable,
        solver: task.solver.clone(),
        run: task.run,
        time_millis: task.limits.time.as_millis() as u64,
        memory: task.limits.memory,
        clock: task.limits.clock,
    };
    let request = serde_json::to_string(&request)?;
    let started = Instant::now();
    let mut child = Command::new(&command.program)
        .args(&command.arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {}", command.program.display()))?;
    if let Some(mut input) = child.stdin.take() {
        // If the child has exited already, that is noticed below.
        let _ = input.write_all(request.as_bytes());
    }
    // A solver that ignores its limit is killed after twice the limit and five seconds. Processor
    // time can pass much more slowly.
    let slowness = match task.limits.clock {
        Clock::Wall => 2,
        Clock::Processor => 50,
    };
    let patience = task.limits.time * slowness + Duration::from_secs(5);
    let finished = wait(&mut child, patience)?;
    let time = started.elapsed();
    let Some((success, output, errors)) = finished else {
        let detail = format!("killed after {:.1} s", patience.as_secs_f64());
        let mut row = task.error_row(Mode::Cold, OutcomeKind::Limit, &detail, time);
        row.process_micros = Some(micros(time));
        return Ok(row);
    };
    let mut row = match serde_json::from_str::<Row>(&output) {
        Ok(row) if success => row,
        _ => {
            let last = errors.lines().last().unwrap_or("no message");
            let detail = format!("the process failed: {last}");
            task.error_row(Mode::Cold, OutcomeKind::Error, &detail, time)
        }
    };
    row.mode = Mode::Cold;
    // The child knows its processor time; the wall-clock time is known here.
    row.process_micros.get_or_insert(micros(time));
    Ok(row)
}

/// Waits for the child and reads both of its outputs; kills it and returns `None` if it takes too
/// long.
fn wait(child: &mut Child, patience: Duration) -> Result<Option<(bool, String, String)>> {
    let reader = |pipe: Option<Box<dyn Read + Send>>| {
        let (sender, receiver) = mpsc::channel();
        std::thread::spawn(move || {
            let mut text = Vec::new();
            if let Some(mut pipe) = pipe {
                let _ = pipe.read_to_end(&mut text);
            }
            let _ = sender.send(String::from_utf8_lossy(&text).into_owned());
        });
        receiver
    };
    let output = reader(child.stdout.take().map(|pipe| Box::new(pipe) as _));
    let errors = reader(child.stderr.take().map(|pipe| Box::new(pipe) as _));
    // Standard output closes when the child ends.
    let Ok(output) = output.recv_timeout(patience) else {
        child
            .kill()
            .context("cannot kill a process that takes too long")?;
        child.wait()?;
        return Ok(None);
    };
    let status = child.wait()?;
    let errors = errors.recv().unwrap_or_default();
    Ok(Some((status.success(), output, errors)))
}

/// The child's side: reads one task from `input`, solves it, writes its row to `output`.
///
/// # Errors
/// A task that cannot be read, or output that cannot be written.
pub fn serve(mut input: impl Read, mut output: impl Write) -> Result<()> {
    let mut text = String::new();
    input.read_to_string(&mut text)?;
    let request: Request = serde_json::from_str(&text).context("not a task")?;
    let corpus = Corpus::parse(&request.corpus, &request.puzzle)?;
    let first = corpus.items.into_iter().next().context("no puzzle")?;
    let item = CorpusPuzzle {
        id: request.id,
        expectation: if request.unsolvable {
            Expectation::Unsolvable
        } else {
            first.expectation
        },
        puzzle: first.puzzle,
    };
    let spec: ricochet_solve::registry::SolverSpec = request.solver.parse()?;
    let task = SolveTask {
        corpus: &request.corpus,
        item: &item,
        solver: spec.to_string(),
        run: request.run,
        limits: SolveLimits {
            time: Duration::from_millis(request.time_millis),
            memory: request.memory,
            clock: request.clock,
        },
    };
    let (mut row, _) = solve_in_process(&task, spec.guarantee(), spec.build());
    if request.clock == Clock::Processor {
        row.process_micros = Some(micros(ProcessTime::now().as_duration()));
    }
    serde_json::to_writer(&mut output, &row)?;
    output.flush()?;
    Ok(())
}
