//! External solvers: other programs, measured next to our solvers.
//!
//! A program reads puzzles from standard input and writes one line for each,
//! `id,length,microseconds[,moves]`. If the format has one puzzle per line, one process answers many
//! puzzles; otherwise, and in cold runs, each puzzle gets a new process whose input ends after it.
//! `docs/external-solvers.md` explains how to write one.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use ricochet_core::Solution;
use ricochet_core::formats::{self, Format};
use ricochet_solve::{CancelToken, Guarantee, Outcome, Stats, registry};
use serde::{Deserialize, Serialize};

use crate::run::micros;
use crate::run::solve::SolveTask;
use crate::run::solve::verify::{VerifiedAnswer, verify, verify_length};
use crate::run::store::row::{Mode, OutcomeKind, Row, Verdict, single_line};

/// The form of an answer, for error messages.
const EXPECTED: &str = "expected id,length,microseconds or id,length,microseconds,moves";

/// Extra time for a program to start, in addition to the time limit of its first puzzle.
const START: Duration = Duration::from_secs(5);

/// After this many exits without a single answer, a program is not asked again.
const SILENT_ENDS: u32 = 10;

/// The detail of a length without moves: nothing but the known optimum can confirm it.
pub(crate) const NO_MOVES: &str = "no moves were given to replay";

/// The longest line that is read.
const LONGEST_LINE: u64 = 1 << 16;

/// An external solver: its name, its command and the format of its puzzles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExternalSolver {
    name: String,
    command: String,
    format: Format,
}

/// What a directory stores about an external solver, so that its rows can be understood later.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExternalSolverInfo {
    /// The command line.
    pub command: String,
    /// The format of the puzzles.
    pub format: String,
    /// How it describes itself in lines that begin with `#`: name, version, flags.
    #[serde(default, rename = "says")]
    pub description: String,
}

impl ExternalSolver {
    /// An external solver.
    ///
    /// # Errors
    /// If the name is not allowed in a row or belongs to one of our solvers, or the command is empty.
    pub fn new(name: &str, command: &str, format: Format) -> Result<Self> {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.+".contains(c);
        ensure!(
            !name.is_empty() && name.len() <= 40 && name.chars().all(plain),
            "'{}' is not a name for an external solver: expected up to 40 letters, digits, '-', \
             '_', '.' or '+'",
            name.escape_debug()
        );
        ensure!(
            registry::find(name).is_err(),
            "'{name}' is one of our own solvers: give the external one another name"
        );
        ensure!(
            !command.trim().is_empty(),
            "external solver '{name}': the command is empty"
        );
        Ok(Self {
            name: name.to_owned(),
            command: command.to_owned(),
            format,
        })
    }

    /// Checks that the program exists before anything is measured. This looks only at the first word
    /// of the command; the rest is up to the shell.
    ///
    /// # Errors
    /// If the program does not exist or is not executable.
    pub(crate) fn check_installed(&self) -> Result<()> {
        let word = self.command.split_whitespace().next().unwrap_or_default();
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.+/".contains(c);
        if cfg!(windows) || !word.chars().all(is_plain) {
            return Ok(());
        }
        let found = Command::new("sh")
            .args(["-c", "command -v \"$0\"", word])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .context("cannot start sh, which starts external solvers")?;
        ensure!(found.success(), "{}", self.cannot_start());
        Ok(())
    }

    fn cannot_start(&self) -> String {
        let Self { name, command, .. } = self;
        format!(
            "the external solver '{name}' cannot be started: there is no program to run for \
             '{command}'"
        )
    }

    /// The name in rows and tables.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What a directory stores about the solver.
    pub fn note(&self) -> ExternalSolverInfo {
        ExternalSolverInfo {
            command: self.command.clone(),
            format: self.format.name().to_owned(),
            description: String::new(),
        }
    }
}

/// The processes of external solvers on one thread.
#[derive(Default)]
pub(crate) struct ExternalProcesses {
    running: BTreeMap<String, Process>,
    /// How often each program has exited without an answer; `None` once it has answered.
    silent_ends: BTreeMap<String, Option<u32>>,
    /// How each program describes itself.
    descriptions: BTreeMap<String, String>,
}

impl ExternalProcesses {
    /// Gives a program one puzzle; `None` if the run was cancelled. A mistake of the program is a row.
    ///
    /// # Errors
    /// If no process can be started at all.
    pub(crate) fn solve(
        &mut self,
        external: &ExternalSolver,
        task: &SolveTask<'_>,
        mode: Mode,
        cancel: Option<&CancelToken>,
    ) -> Result<Option<Row>> {
        let puzzle = task.item.puzzle.clone();
        // The known optimum is left out.
        let puzzle = puzzle.with_id(&*task.item.id).with_optimal(None);
        let text = match formats::write(external.format, &puzzle) {
            Ok(written) => written.text,
            Err(error) => {
                let detail = format!("the puzzle cannot be given to it: {error}");
                let ending = OutcomeKind::Declined;
                return Ok(Some(task.error_row(mode, ending, &detail, Duration::ZERO)));
            }
        };
        if let Some(Some(SILENT_ENDS..)) = self.silent_ends.get(&external.name) {
            let detail = format!("not asked: it has ended {SILENT_ENDS} times without an answer");
            let ending = OutcomeKind::Error;
            return Ok(Some(task.error_row(mode, ending, &detail, Duration::ZERO)));
        }
        let is_fresh = mode == Mode::Cold || text.trim_end().contains('\n');
        let earlier = self.running.remove(&external.name).filter(|_| !is_fresh);
        let is_first = earlier.is_none();
        let started = Instant::now();
        let mut process = match earlier {
            Some(process) => process,
            None => Process::start(&external.command)?,
        };
        let patience = task.limits.time + if is_first { START } else { Duration::ZERO };
        process.ask(&text, is_fresh);
        let answer = process.answer(started + patience, cancel);
        let wall = started.elapsed();
        let description = self.descriptions.entry(external.name.clone()).or_default();
        if description.is_empty() {
            description.clone_from(&process.description);
        }
        let expected_id = (external.format == Format::Json).then_some(&*task.item.id);
        let row = match answer {
            Answer::Cancelled => return Ok(None),
            Answer::Line(line) => {
                self.silent_ends.insert(external.name.clone(), None);
                match Reply::parse(&line, expected_id, wall) {
                    Ok(reply) => {
                        if !is_fresh {
                            self.running.insert(external.name.clone(), process);
                        }
                        reply.row(task, mode)
                    }
                    Err(error) => {
                        let shown = single_line(&line, 80);
                        let detail = format!("{error:#}: '{shown}'");
                        task.error_row(mode, OutcomeKind::Error, &detail, wall)
                    }
                }
            }
            Answer::TooLate => {
                let detail = format!(
                    "time limit: no answer after {:.1} s, killed",
                    wall.as_secs_f64()
                );
                task.error_row(mode, OutcomeKind::Limit, &detail, wall)
            }
            Answer::End => {
                let exit_reason = process.exit_reason();
                let ends = self.silent_ends.entry(external.name.clone());
                if let Some(ends) = ends.or_insert(Some(0)) {
                    *ends += 1;
                }
                let detail = if is_first && process.was_not_found() {
                    format!("{} ({exit_reason})", external.cannot_start())
                } else {
                    format!("no answer: {exit_reason}")
                };
                task.error_row(mode, OutcomeKind::Error, &detail, wall)
            }
        };
        Ok(Some(Row {
            process_micros: (mode == Mode::Cold).then(|| micros(wall)),
            ..row
        }))
    }

    /// How the programs describe themselves.
    pub(crate) fn descriptions(&self) -> &BTreeMap<String, String> {
        &self.descriptions
    }
}

/// A parsed answer.
struct Reply {
    length: Length,
    micros: f64,
    moves: String,
}

enum Length {
    Moves(u32),
    /// The program claims that there is no solution.
    Unsolvable,
    /// The program gave up.
    None,
}

impl Reply {
    fn parse(line: &str, id: Option<&str>, wall: Duration) -> Result<Self> {
        // Ids may contain commas, so a known id is stripped first.
        let rest = match id.and_then(|id| line.strip_prefix(id)?.strip_prefix(',')) {
            Some(rest) => rest,
            None => line.split_once(',').context(EXPECTED)?.1,
        };
        if let Some(id) = id {
            ensure!(
                line.strip_prefix(id)
                    .is_some_and(|rest| rest.starts_with(',')),
                "the answer is not for puzzle '{}'; {EXPECTED}",
                single_line(id, 40)
            );
        }
        let fields: Vec<&str> = rest.splitn(3, ',').map(str::trim).collect();
        let length = match fields[0] {
            "unsolvable" => Length::Unsolvable,
            "-" => Length::None,
            text => match text.parse() {
                Ok(length) => Length::Moves(length),
                Err(_) => bail!(
                    "'{}' is not a length (a number, `unsolvable`, or - for none); {EXPECTED}",
                    single_line(text, 40)
                ),
            },
        };
        let time = fields.get(1).context(EXPECTED)?;
        let micros: f64 = time
            .parse()
            .ok()
            .filter(|micros: &f64| micros.is_finite() && *micros >= 0.0)
            .with_context(|| {
                format!(
                    "'{}' is not a time in microseconds; {EXPECTED}",
                    single_line(time, 40)
                )
            })?;
        ensure!(
            micros <= crate::run::micros(wall),
            "it reports {micros} µs, but only {:.0} µs passed",
            crate::run::micros(wall)
        );
        Ok(Self {
            length,
            micros,
            moves: fields.get(2).copied().unwrap_or_default().to_owned(),
        })
    }

    fn row(&self, task: &SolveTask<'_>, mode: Mode) -> Row {
        let time = Duration::from_secs_f64(self.micros / 1e6);
        let mut answer = self.verify(task);
        if time > task.limits.time && answer.verdict != Verdict::Wrong {
            "time limit: answered after it".clone_into(&mut answer.detail);
            answer.ending = OutcomeKind::Limit;
            answer.verdict = Verdict::None;
        }
        let claimed = match self.length {
            Length::Moves(length) => Some(length),
            _ => None,
        };
        let stats = Stats {
            claimed,
            ..Stats::default()
        };
        task.row(mode, answer, &stats, time)
    }

    fn verify(&self, task: &SolveTask<'_>) -> VerifiedAnswer {
        let mut answer = VerifiedAnswer {
            ending: OutcomeKind::Solved,
            detail: String::new(),
            length: None,
            lower_bound: None,
            verdict: Verdict::None,
            moves: String::new(),
        };
        let item = task.item;
        let wrong = |answer: &mut VerifiedAnswer, detail: String| {
            answer.ending = OutcomeKind::Error;
            answer.verdict = Verdict::Wrong;
            answer.detail = single_line(&detail, 300);
        };
        match self.length {
            Length::None => {
                answer.ending = OutcomeKind::Failed;
                "it found no solution".clone_into(&mut answer.detail);
            }
            Length::Unsolvable => {
                answer = verify(
                    &item.puzzle,
                    item.expectation,
                    Guarantee::Any,
                    &Outcome::Unsolvable,
                );
                if answer.verdict == Verdict::Proved {
                    // A claim is not a proof.
                    answer.verdict = Verdict::Unchecked;
                }
            }
            Length::Moves(length) if self.moves.is_empty() => {
                answer.length = Some(length);
                answer.verdict = verify_length(item.expectation, false, length);
                if answer.verdict == Verdict::Wrong {
                    let known = task.known().map_or_else(
                        || "it is known to be unsolvable".to_owned(),
                        |known| format!("the optimum is {known}"),
                    );
                    let moves = if length == 1 { "move" } else { "moves" };
                    wrong(&mut answer, format!("{length} {moves}, but {known}"));
                } else {
                    NO_MOVES.clone_into(&mut answer.detail);
                }
            }
            Length::Moves(length) => match self.moves.parse::<Solution>() {
                Err(error) => {
                    // Unreadable moves are neither right nor wrong.
                    answer.ending = OutcomeKind::Error;
                    answer.detail = single_line(&format!("its moves cannot be read: {error}"), 300);
                }
                Ok(solution) if solution.len() != length as usize => {
                    let listed = solution.len();
                    let detail = format!("it says {length} moves, but lists {listed}");
                    wrong(&mut answer, detail);
                }
                Ok(solution) => {
                    let outcome = Outcome::Solved {
                        solution,
                        optimal: false,
                        lower_bound: 0,
                    };
                    answer = verify(&item.puzzle, item.expectation, Guarantee::Any, &outcome);
                    answer.lower_bound = None;
                }
            },
        }
        answer
    }
}

/// What a process did when it was given a puzzle.
enum Answer {
    Line(String),
    TooLate,
    Cancelled,
    /// The process closed its output.
    End,
}

/// A running program. Dropping it kills the program and everything that it started.
struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    errors: Arc<Mutex<String>>,
    /// The thread that reads standard error.
    listening: std::thread::JoinHandle<()>,
    description: String,
}

impl Process {
    fn start(command: &str) -> Result<Self> {
        #[cfg(not(windows))]
        let mut shell = {
            let mut shell = Command::new("sh");
            shell.args(["-c", command]);
            shell
        };
        // With /S, cmd removes the outer quotes and reads the rest as it was typed; quotes that are escaped
        // for other programs would confuse it.
        #[cfg(windows)]
        let mut shell = {
            use std::os::windows::process::CommandExt;
            let mut shell = Command::new("cmd");
            shell.args(["/S", "/C"]).raw_arg(format!("\"{command}\""));
            shell
        };
        shell
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut shell, 0);
        let mut child = shell
            .spawn()
            .with_context(|| format!("cannot start '{command}'"))?;
        // The channel is bounded, so a program that writes without end blocks.
        let (sender, lines) = mpsc::sync_channel(16);
        let output = child.stdout.take();
        std::thread::spawn(move || {
            let Some(output) = output else { return };
            let mut output = BufReader::new(output);
            loop {
                let mut line = Vec::new();
                let read = output
                    .by_ref()
                    .take(LONGEST_LINE)
                    .read_until(b'\n', &mut line);
                if !matches!(read, Ok(1..)) {
                    break;
                }
                let text = String::from_utf8_lossy(&line).trim_end().to_owned();
                if sender.send(text).is_err() {
                    break;
                }
            }
        });
        let errors = Arc::new(Mutex::new(String::new()));
        let (kept, output) = (Arc::clone(&errors), child.stderr.take());
        let listening = std::thread::spawn(move || {
            let Some(mut output) = output else { return };
            let mut block = [0; 4096];
            while let Ok(length @ 1..) = output.read(&mut block) {
                // The last two blocks suffice for the last line.
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                if kept.len() >= block.len() {
                    kept.clear();
                }
                kept.push_str(&String::from_utf8_lossy(&block[..length]));
            }
        });
        Ok(Self {
            input: child.stdin.take(),
            child,
            lines,
            errors,
            listening,
            description: String::new(),
        })
    }

    /// Sends a puzzle. If the program has exited, that is noticed when its answer is read.
    fn ask(&mut self, text: &str, is_last: bool) {
        if let Some(input) = &mut self.input {
            let _ = input
                .write_all(format!("{}\n", text.trim_end()).as_bytes())
                .and_then(|()| input.flush());
        }
        if is_last {
            self.input = None;
        }
    }

    /// The next line that is not about the program itself.
    fn answer(&mut self, deadline: Instant, cancel: Option<&CancelToken>) -> Answer {
        loop {
            if cancel.is_some_and(CancelToken::is_cancelled) {
                return Answer::Cancelled;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(Duration::from_millis(50))) {
                Ok(line) if line.starts_with('#') => {
                    let words = single_line(line.trim_start_matches('#').trim(), 200);
                    if self.description.len() < 1000 && !words.is_empty() {
                        if !self.description.is_empty() {
                            self.description.push_str("; ");
                        }
                        self.description.push_str(&words);
                    }
                }
                Ok(line) => return Answer::Line(line),
                Err(RecvTimeoutError::Disconnected) => return Answer::End,
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Answer::TooLate,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Whether the shell found no program that it could start.
    fn was_not_found(&mut self) -> bool {
        let status = self.child.try_wait().ok().flatten();
        let code = status.and_then(|status| status.code());
        matches!(code, Some(126 | 127)) || cfg!(windows) && code == Some(9009)
    }

    /// How it ended, and the last line that it wrote to standard error.
    fn exit_reason(&mut self) -> String {
        let mut status = None;
        for _ in 0..100 {
            status = self.child.try_wait().ok().flatten();
            if status.is_some() {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let ended = status.map_or("it closed its output".to_owned(), |status| {
            status.to_string()
        });
        // What it wrote before it ended may still be on its way to us.
        for _ in 0..100 {
            if status.is_none() || self.listening.is_finished() {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        match errors.lines().last() {
            Some(last) => format!("{ended}: {last}"),
            None => ended,
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.input = None;
        #[cfg(unix)]
        {
            use rustix::process::{Pid, Signal, kill_process_group};
            let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
