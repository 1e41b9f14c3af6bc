//! `ricochet report`

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use ricochet_lab::report;

use crate::exit_code::ExitCode;
use crate::term::browser;
use crate::term::output::Output;

/// Write a report on the results of bench or lab: HTML, Markdown, plots and their data
///
/// DIR is a directory that `bench` or `lab` wrote; the rows of all its shards are merged. If DIR
/// contains several such directories, one report covers them all.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The directory of the run
    #[arg(value_name = "DIR")]
    directory: PathBuf,

    /// Open the report in the browser
    #[arg(long)]
    open: bool,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> anyhow::Result<ExitCode> {
    let report = report::write(&args.directory)?;
    for reason in &report.left_out {
        output.note(format_args!("left out: {reason}"));
    }
    writeln!(output, "{}", report.page.display())?;
    if args.open {
        output.flush()?;
        browser::open(&report.page)
            .with_context(|| format!("cannot open {} in a browser", report.page.display()))?;
    }
    Ok(ExitCode::Solved)
}
