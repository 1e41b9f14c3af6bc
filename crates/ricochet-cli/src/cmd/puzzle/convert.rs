//! `ricochet convert`

use ricochet_core::formats::{self, Format, WriteOptions};

use crate::args::puzzles::PuzzlesArgs;
use crate::exit_code::ExitCode;
use crate::term::output::Output;
use crate::term::plain::Plain;

/// Write puzzles in another format
///
/// If the format cannot express a puzzle, an error says why. Details that the format leaves out
/// without changing the puzzle (its name, its stated optimum, printed targets other than its own)
/// are noted on standard error.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The format to write
    #[arg(long, short, value_name = "FORMAT", value_parser = format_parser())]
    to: Format,

    #[command(flatten)]
    puzzles: PuzzlesArgs,
}

/// Reads a format's name; the help lists them.
pub(crate) fn format_parser() -> impl clap::builder::TypedValueParser<Value = Format> {
    use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
    let writable = Format::ALL
        .into_iter()
        .filter(|format| format.is_writable());
    let names = writable.map(|format| PossibleValue::new(format.name()).help(format.summary()));
    PossibleValuesParser::new(names).map(|name| name.parse().expect("one of the names"))
}

pub(crate) fn run(args: &Args, output: &mut Output) -> anyhow::Result<ExitCode> {
    let options = WriteOptions {
        droid_diagonals: args.puzzles.read.options().droid_diagonals,
    };
    let mut first = true;
    args.puzzles.batch(false)?.each(output, |read, output| {
        Ok(match formats::write_with(args.to, &read.puzzle, options) {
            Ok(written) => {
                for note in &written.notes {
                    output.note(format_args!("note: {}: {}", Plain(&read.name), Plain(note)));
                }
                // Puzzles of several lines are separated by a blank line.
                let blank = if first || args.to.is_one_line() {
                    ""
                } else {
                    "\n"
                };
                first = false;
                output.data(format_args!("{blank}{}\n", written.text))?;
                ExitCode::Solved
            }
            Err(error) => {
                output.error(format_args!("{}: {}", Plain(&read.name), Plain(error)));
                ExitCode::Error
            }
        })
    })
}
