//! `ricochet check`

use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, ensure};
use ricochet_core::{ReplayError, Trace};

use crate::answer::WithId;
use crate::args::drawing::DrawingArgs;
use crate::args::names::corpus_names;
use crate::args::puzzles::ReadArgs;
use crate::batch;
use crate::exit_code::ExitCode;
use crate::term::output::Output;
use ricochet_core::describe::plural;
use ricochet_core::describe::{move_words, parse_moves, task};
use ricochet_service::command_rows::ErrorRow;
use ricochet_service::questions::check::CheckAnswer;

/// Replay moves and say whether they solve the puzzle, or where they fail
///
/// If the puzzle states its optimum, the number of moves is compared with it; if not, run `ricochet
/// solve` to find the optimum. Exits with 0 if the moves solve the puzzle, with 1 if they do not,
/// and with 2 if the puzzle or the moves cannot be read.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// A file, one-line notation, a DriftingDroids ID, a URL, a built-in puzzle such as random:2,
    /// or - for standard input. Omit it if --layout is given
    #[arg(value_name = "PUZZLE", value_parser = corpus_names(), hide_possible_values = true)]
    puzzle: String,

    /// Moves in letters (RN GE or 'RN GE') or in words (red north green east). A single - reads
    /// them from standard input
    #[arg(value_name = "MOVES")]
    moves: Vec<String>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    read: ReadArgs,

    #[command(flatten)]
    show: DrawingArgs,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> anyhow::Result<ExitCode> {
    // With --layout there is no PUZZLE, so all words are moves.
    let described = args.read.layout.is_some();
    let name = (!described).then_some(args.puzzle.as_str());
    let first = described.then_some(&args.puzzle);
    let moves: Vec<&str> = first
        .into_iter()
        .chain(&args.moves)
        .map(String::as_str)
        .collect();
    if let Some(first) = name.filter(|name| !Path::new(name).exists()) {
        // If all words together are moves, the puzzle was forgotten.
        let is_word = move_words(first).next().is_some();
        let all = format!("{first} {}", moves.join(" "));
        ensure!(
            !is_word || parse_moves(&all).is_err(),
            "the puzzle is missing: expected it before the moves, such as random:2"
        );
    }
    let mut moves = moves.join(" ");
    if moves == "-" {
        ensure!(
            name != Some("-"),
            "the puzzle and the moves cannot both come from standard input"
        );
        moves = io::read_to_string(io::stdin()).context("cannot read the moves")?;
    }
    let read = batch::single(name, args.read, args.json, output)?;
    let puzzle = &read.puzzle;
    let solution = match parse_moves(&moves) {
        Ok(solution) => solution,
        Err(error) => {
            if args.json {
                output.json(&ErrorRow::new(&read.id, None, None, error.to_string()))?;
            }
            return Err(error.into());
        }
    };
    if args.json {
        let answer = CheckAnswer::of(puzzle, solution.moves());
        let code = if answer.solves {
            ExitCode::Solved
        } else {
            ExitCode::Unsolvable
        };
        output.json(&WithId {
            id: &read.id,
            answer,
        })?;
        return Ok(code);
    }
    let steps = |trace: &Trace| format!("{:#}", args.show.terminal().steps(trace));
    match solution.replay(puzzle) {
        Ok(trace) => {
            write!(output, "{}", steps(&trace))?;
            write!(output, "Solved in {}", plural(trace.steps.len(), "move"))?;
            match puzzle.known_optimal() {
                Some(optimal) if trace.steps.len() as u32 == optimal => {
                    writeln!(output, ", the stated optimum.")?;
                }
                Some(optimal) => writeln!(output, "; the stated optimum is {optimal}.")?,
                None => writeln!(output, ".")?,
            }
            Ok(ExitCode::Solved)
        }
        Err(error) => {
            let played = match &error {
                ReplayError::NoSuchRobot { number, .. }
                | ReplayError::NoMovement { number, .. } => *number,
                ReplayError::NotSolved { trace } => trace.steps.len(),
            };
            let trace = Trace::play(puzzle, &solution.moves()[..played])?;
            write!(output, "{}", steps(&trace))?;
            output.flush()?;
            output.error(format_args!("{error}. {}", task(puzzle)));
            Ok(ExitCode::Unsolvable)
        }
    }
}
