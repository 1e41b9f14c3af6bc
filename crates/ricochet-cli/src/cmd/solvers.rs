//! `ricochet solvers`

use std::io::Write;

use anstyle::Style;
use ricochet_solve::registry::{ENTRIES, Entry};
use serde::Serialize;

use crate::exit_code::ExitCode;
use crate::output::Output;

/// List the solvers: name, guarantee, source, parameters
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> anyhow::Result<ExitCode> {
    for (i, entry) in ENTRIES.iter().enumerate() {
        if args.json {
            writeln!(output, "{}", serde_json::to_string(&Line::of(entry))?)?;
        } else {
            if i > 0 {
                writeln!(output)?;
            }
            describe(entry, output)?;
        }
    }
    Ok(ExitCode::Solved)
}

fn describe(entry: &Entry, output: &mut Output) -> anyhow::Result<()> {
    let bold = Style::new().bold();
    writeln!(output, "{bold}{}{bold:#} ({})", entry.name, entry.guarantee)?;
    writeln!(output, "  {}", entry.summary)?;
    writeln!(output, "  source: {}", entry.source)?;
    for parameter in entry.parameters {
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
    fn of(entry: &Entry) -> Self {
        let parameters = entry.parameters.iter().map(|parameter| ParameterLine {
            key: parameter.key,
            default: parameter.default,
            help: parameter.help,
        });
        Self {
            name: entry.name,
            guarantee: entry.guarantee.to_string(),
            source: entry.source,
            summary: entry.summary,
            parameters: parameters.collect(),
        }
    }
}
