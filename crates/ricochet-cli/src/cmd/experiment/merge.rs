//! `ricochet merge`

use std::path::PathBuf;

use anyhow::ensure;
use ricochet_lab::census::{contents, store};
use ricochet_lab::parts;

use crate::exit_code::ExitCode;
use crate::term::output::Output;

/// Merge the shards of a solve, rate, generate or census run
///
/// With --shard I/N, these commands compute shard I of N on any machine. (`ricochet report` merges
/// the shards of `bench` and `lab`.) All shards must be present and belong to the same run. The
/// result is what a run without --shard would have written; a shard that was computed twice counts
/// once.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Directories with shards
    #[arg(value_name = "DIR", required = true)]
    directories: Vec<PathBuf>,

    /// The file to write, or for a census the directory
    #[arg(long, short, value_name = "PATH")]
    output: PathBuf,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> anyhow::Result<ExitCode> {
    let censuses = args
        .directories
        .iter()
        .filter(|it| store::is_census(it))
        .count();
    if censuses > 0 {
        ensure!(
            censuses == args.directories.len(),
            "some of these directories contain a census and some do not"
        );
        let targets = contents::merge(&args.directories, &args.output)?;
        output.note(format_args!(
            "{targets} targets merged into {}",
            args.output.display()
        ));
        return Ok(ExitCode::Solved);
    }
    let merged = parts::merge(&args.directories, &args.output)?;
    output.note(format_args!(
        "{} rows merged into {}",
        merged.rows,
        args.output.display()
    ));
    Ok(ExitCode::from_number(merged.exit_code))
}
