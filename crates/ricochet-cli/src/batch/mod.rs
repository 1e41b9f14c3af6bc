//! The loop over the puzzles of a command: reading, readers' notes, errors, Ctrl-C, progress and the
//! exit code are the same for every command that takes puzzles.

pub(crate) mod interrupt;
pub(crate) mod ordered;

use std::collections::{HashSet, VecDeque};
use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::thread;

use ricochet_lab::shard::Shard;
use ricochet_solve::CancelToken;

use crate::args::puzzles::ReadArgs;
use crate::batch::interrupt::cancel_on_interrupt;
use crate::batch::ordered::ordered;
use crate::exit_code::ExitCode;
use crate::input::{self, InputError, InputPuzzle, PuzzleReader, UncheckedPuzzle};
use crate::term::output::Output;
use crate::term::plain::Plain;
use ricochet_core::describe::plural;
use ricochet_service::command_rows::ErrorRow;

/// At most this many notes are remembered; later ones may be repeated.
const NOTES_REMEMBERED: usize = 1000;

/// The puzzles that arguments name, ready to be worked on.
pub(crate) struct Batch {
    /// Read ahead, to know whether there is more than one.
    ahead: VecDeque<Result<UncheckedPuzzle, InputError>>,
    items: PuzzleReader,
    read: ReadArgs,
    json: bool,
    /// Whether the writer of standard input may wait for one answer before it sends the next puzzle.
    is_dialogue: bool,
    cancel: CancelToken,
    /// Which of the puzzles, by their numbers from 0.
    shard: Shard,
}

/// How a batch ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BatchResult {
    pub(crate) code: ExitCode,
    /// Puzzles that could not be read.
    pub(crate) unread: u64,
}

impl Batch {
    /// The puzzles of these arguments; of standard input if there are none. With `json`, a puzzle
    /// that cannot be read gets a row of its own, so that rows align with the input.
    ///
    /// # Errors
    /// If there are no arguments and standard input is a terminal.
    pub(crate) fn new(arguments: &[String], read: ReadArgs, json: bool) -> anyhow::Result<Self> {
        let from_stdin = match arguments {
            [] => read.layout.is_none(),
            names => names.iter().any(|it| it == "-"),
        };
        Ok(Self {
            ahead: VecDeque::new(),
            items: PuzzleReader::new(arguments, read)?,
            read,
            json,
            is_dialogue: from_stdin && !io::stdout().is_terminal(),
            cancel: cancel_on_interrupt()?,
            shard: Shard::WHOLE,
        })
    }

    /// Only the puzzles of a shard.
    pub(crate) fn only(mut self, shard: Shard) -> Self {
        self.shard = shard;
        self
    }

    /// The token that Ctrl-C cancels.
    pub(crate) fn cancel(&self) -> CancelToken {
        self.cancel.clone()
    }

    /// Whether there is at most one puzzle. Puzzles that another program sends never count as single:
    /// the first is answered before the second arrives.
    pub(crate) fn is_single(&mut self) -> bool {
        if self.is_dialogue {
            return false;
        }
        while self.ahead.len() < 2 {
            match self.items.next() {
                Some(item) => self.ahead.push_back(item),
                None => return true,
            }
        }
        false
    }

    /// Calls `with` for each puzzle in turn, on this thread.
    pub(crate) fn each(
        self,
        output: &mut Output,
        mut with: impl FnMut(InputPuzzle, &mut Output) -> anyhow::Result<ExitCode>,
    ) -> anyhow::Result<ExitCode> {
        let identity = || |read: InputPuzzle| read;
        let ended = self.on_threads(1, identity, output, |read, output| with(read, output))?;
        Ok(ended.code)
    }

    /// Gives each puzzle to one of `threads` workers and their results to `sink`, in the order of the
    /// input.
    ///
    /// A puzzle that cannot be read is reported and sets the exit code; the rest continue. After Ctrl-C,
    /// the current puzzle is the last.
    pub(crate) fn on_threads<R: Send, W: FnMut(InputPuzzle) -> R>(
        self,
        threads: usize,
        make_worker: impl Fn() -> W + Sync,
        output: &mut Output,
        mut sink: impl FnMut(R, &mut Output) -> anyhow::Result<ExitCode>,
    ) -> anyhow::Result<BatchResult> {
        let Self {
            ahead,
            items,
            read,
            json,
            cancel,
            shard,
            ..
        } = self;
        let mut code = ExitCode::Solved;
        let skipped_files = items.skipped_files();
        let mut notes = Notes::default();
        let mut done = 0;
        let mut unread = 0;
        let running = output.progress().start("reading");
        let make_worker = || {
            let mut worker = make_worker();
            move |item: Result<UncheckedPuzzle, InputError>| -> Result<_, InputError> {
                let mut puzzle = item?.check(read)?;
                let notes: Vec<String> = puzzle.notes.drain(..).map(|it| it.to_string()).collect();
                let name = (!notes.is_empty()).then(|| puzzle.name.clone());
                Ok((name, notes, worker(puzzle)))
            }
        };
        ordered(
            ahead
                .into_iter()
                .chain(items)
                .enumerate()
                .filter(move |&(number, _)| shard.has(number))
                .map(|(_, item)| item),
            threads,
            make_worker,
            |result| -> anyhow::Result<_> {
                done += 1;
                match result {
                    Ok((name, noted, result)) => {
                        notes.print(name.as_deref().unwrap_or_default(), noted, output);
                        code = code.worst(sink(result, output)?);
                    }
                    Err(error) => {
                        unread += 1;
                        code = code.worst(ExitCode::Error);
                        output.error(&error);
                        if json {
                            output.json(&error_row(&error))?;
                        }
                    }
                }
                if cancel.is_cancelled() {
                    code = ExitCode::Interrupted;
                }
                if threads > 1 {
                    output
                        .progress()
                        .set_message(format!("{} done", plural(done, "puzzle")));
                }
                Ok(if code == ExitCode::Interrupted {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                })
            },
        )?;
        drop(running);
        notes.print_repeated(output);
        if !skipped_files.is_empty() {
            output.note(format_args!("note: {}", Plain(&skipped_files)));
        }
        Ok(BatchResult { code, unread })
    }
}

/// The one puzzle that an argument names or that --layout describes. Prints the reader's notes.
///
/// # Errors
/// If it cannot be read, or if there are several.
pub(crate) fn single(
    argument: Option<&str>,
    read: ReadArgs,
    json: bool,
    output: &mut Output,
) -> anyhow::Result<InputPuzzle> {
    let mut puzzle = match input::single(argument, read) {
        Err(error) => {
            if let (true, Some(unread)) = (json, error.downcast_ref::<InputError>()) {
                output.json(&error_row(unread))?;
            }
            return Err(error);
        }
        Ok(puzzle) => puzzle,
    };
    let notes = puzzle.notes.drain(..).map(|it| it.to_string()).collect();
    Notes::default().print(&puzzle.name, notes, output);
    Ok(puzzle)
}

/// The notes of readers: the same note about many puzzles is printed once.
#[derive(Default)]
struct Notes {
    printed: HashSet<String>,
    repeated: usize,
}

impl Notes {
    fn print(&mut self, name: &str, notes: Vec<String>, output: &Output) {
        for note in notes {
            if self.printed.contains(&note) {
                self.repeated += 1;
                continue;
            }
            output.note(format_args!("note: {}: {}", Plain(name), Plain(&note)));
            if self.printed.len() < NOTES_REMEMBERED {
                self.printed.insert(note);
            }
        }
    }

    fn print_repeated(&self, output: &Output) {
        if self.repeated > 0 {
            output.note(format_args!(
                "note: {} like these",
                plural(self.repeated, "more note")
            ));
        }
    }
}

/// The row of a puzzle that cannot be read.
fn error_row(error: &InputError) -> ErrorRow {
    let source = &error.source;
    ErrorRow::new(&*source.name, source.line, error.column, &error.message)
}

/// The number of threads that the machine runs at once.
pub(crate) fn all_cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}
