//! `ricochet solvers`

use std::io::Write;

use anstyle::Style;
use ricochet_solve::registry::{SOLVERS, SolverInfo};
use serde::Serialize;

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
            writeln!(output, "{}", serde_json::to_string(&Line::of(info))?)?;
        } else {
            if i > 0 {
                writeln!(output)?;
            }
            describe(info, output)?;
        }
    }
    Ok(ExitCode::Solved)
}

fn describe(info: &SolverInfo, output: &mut Output) -> anyhow::Result<()> {
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

#[derive(Serialize)]
struct Line {
    name: &'static str,
    guarantee: String,
    source: &'static str,
    summary: &'static str,
    parameters: Vec<ParameterLine>,
}

#[derive(Serialize)]
struct ParameterLine {
    key: &'static str,
    default: &'static str,
    help: &'static str,
}

impl Line {
    fn of(info: &SolverInfo) -> Self {
        let parameters = info.parameters.iter().map(|parameter| ParameterLine {
            key: parameter.key,
            default: parameter.default,
            help: parameter.help,
        });
        Self {
            name: info.name,
            guarantee: info.guarantee.to_string(),
            source: info.source,
            summary: info.summary,
            parameters: parameters.collect(),
        }
    }
}
