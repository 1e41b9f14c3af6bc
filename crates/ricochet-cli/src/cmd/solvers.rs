//! `ricochet solvers`

use std::io::Write;

use anstyle::Style;
use ricochet_service::questions::solvers::SolverInfo;
use ricochet_solve::registry::{self, SOLVERS};

use crate::exit_code::ExitCode;
use crate::output::Output;

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
            writeln!(output, "{}", serde_json::to_string(&SolverInfo::of(info))?)?;
        } else {
            if i > 0 {
                writeln!(output)?;
            }
            describe(info, output)?;
        }
    }
    Ok(ExitCode::Solved)
}

fn describe(info: &registry::SolverInfo, output: &mut Output) -> anyhow::Result<()> {
    let bold = Style::new().bold();
    writeln!(output, "{bold}{}{bold:#} ({})", info.name, info.guarantee)?;
    writeln!(output, "  {}", info.summary)?;
    writeln!(output, "  source: {}", info.source)?;
    for parameter in info.parameters {
        writeln!(
            output,
            "  --set {}={}: {}",
            parameter.key, parameter.default, parameter.help
        )?;
    }
    Ok(())
}
