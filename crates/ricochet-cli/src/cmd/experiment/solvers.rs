//! `ricochet solvers`

use std::fmt::Write;

use anstyle::Style;
use ricochet_service::questions::solvers::SolverInfo;
use ricochet_solve::registry::{self, SOLVERS};

use crate::exit_code::ExitCode;
use crate::term::output::Output;

/// List the solvers: name, guarantee, source, parameters
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> anyhow::Result<ExitCode> {
    for (i, info) in SOLVERS.iter().enumerate() {
        if args.json {
            output.json(&SolverInfo::of(info))?;
        } else {
            let blank = if i > 0 { "\n" } else { "" };
            output.sentences(format_args!("{blank}{}", describe(info)))?;
        }
    }
    Ok(ExitCode::Solved)
}

fn describe(info: &registry::SolverInfo) -> String {
    let bold = Style::new().bold();
    let mut text = format!(
        "{bold}{}{bold:#} ({})\n  {}\n  source: {}\n",
        info.name, info.guarantee, info.summary, info.source
    );
    for parameter in info.parameters {
        let _ = writeln!(
            text,
            "  --set {}={}: {}",
            parameter.key, parameter.default, parameter.help
        );
    }
    text
}
