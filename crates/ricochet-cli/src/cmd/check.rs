//! `ricochet check`

use std::io::Write;

use ricochet::{ReplayError, Solution, Trace};

use crate::exit_code::ExitCode;
use crate::input::ReadArgs;
use crate::output::Output;
use crate::show_args::ShowArgs;
use crate::walk;
use ricochet_service::narrate::{plural, task};

/// Replay moves and say whether they solve the puzzle, or where they fail
///
/// Exits with 0 if they do and with 2 if they do not.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// A file, notation, a DriftingDroids ID, a URL, or - for standard input
    #[arg(value_name = "PUZZLE")]
    puzzle: String,

    /// Moves such as RN (red, north), as words or in one text: RN GE, or 'RN GE'
    #[arg(value_name = "MOVES")]
    moves: Vec<String>,

    #[command(flatten)]
    read: ReadArgs,

    #[command(flatten)]
    show: ShowArgs,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> anyhow::Result<ExitCode> {
    // A position in words takes no name, so that all words are moves.
    let described = args.read.layout.is_some();
    let name = (!described).then_some(args.puzzle.as_str());
    let first = described.then_some(&args.puzzle);
    let moves: Vec<&str> = first
        .into_iter()
        .chain(&args.moves)
        .map(String::as_str)
        .collect();
    let read = walk::single(name, args.read, output)?;
    let puzzle = &read.puzzle;
    let solution: Solution = moves.join(" ").parse()?;
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
            Ok(ExitCode::Error)
        }
    }
}
