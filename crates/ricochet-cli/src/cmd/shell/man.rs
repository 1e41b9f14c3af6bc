//! `ricochet man`

use std::path::PathBuf;

use anyhow::Context;
use clap::CommandFactory;

use crate::cli::Cli;
use crate::exit_code::ExitCode;
use crate::term::output::Output;

/// Print the manual page, or write one page per command into a directory
///
/// To read it: ricochet man | man -l -
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Write ricochet.1, ricochet-solve.1, … into this directory instead
    #[arg(long, short, value_name = "DIR")]
    output: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> anyhow::Result<ExitCode> {
    let command = Cli::command();
    if let Some(dir) = &args.output {
        std::fs::create_dir_all(dir)
            .and_then(|()| clap_mangen::generate_to(command, dir))
            .with_context(|| format!("cannot write manual pages to {}", dir.display()))?;
    } else {
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page)?;
        output.bytes(&page)?;
    }
    Ok(ExitCode::Solved)
}
