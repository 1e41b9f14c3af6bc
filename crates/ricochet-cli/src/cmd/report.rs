//! `ricochet report`

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::Context;
use ricochet_lab::report;

use crate::exit_code::ExitCode;
use crate::term::output::Output;

/// Make the report of a run: an HTML page, Markdown, plots and their data
///
/// DIR is what `bench` or `lab` wrote; rows of all shards in it are merged. For a directory of such
/// directories, one report covers them all.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The directory of the run
    #[arg(value_name = "DIR")]
    directory: PathBuf,

    /// Open the page in the browser
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
        open(&report.page)?;
    }
    Ok(ExitCode::Solved)
}

/// Hands the page to whatever the system opens pages with.
pub(crate) fn open(page: &std::path::Path) -> anyhow::Result<()> {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(target_os = "windows") {
        ("cmd", &["/C", "start", ""])
    } else {
        ("xdg-open", &[])
    };
    Command::new(program)
        .args(arguments)
        .arg(page)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .with_context(|| format!("cannot start '{program}': open {} yourself", page.display()))?;
    Ok(())
}
