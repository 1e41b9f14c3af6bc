//! `ricochet mcp`

use std::time::Duration;

use anyhow::Context;
use ricochet_server::Config;

use crate::args::limits::parse_duration;
use crate::exit_code::ExitCode;
use crate::term::output::Output;

/// Serve the engine to language models (Model Context Protocol)
///
/// An assistant starts this command and talks to it over standard input and output. Its tools solve,
/// evaluate, check, explain, generate, convert and draw puzzles and give hints. For most assistants,
/// the entry in their configuration is
///
///     {"mcpServers": {"ricochet": {"command": "ricochet", "args": ["mcp"]}}}
///
/// `ricochet serve` offers the same tools at /mcp (streamable HTTP), plus tools for playing in
/// rooms.
// The text above is the help: its example is for a configuration file, not for rustdoc.
#[allow(rustdoc::invalid_rust_codeblocks)]
#[derive(clap::Args, Clone, Debug)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Stop each search after this time
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = parse_duration)]
    time_limit: Duration,
}

pub(crate) fn run(args: &Args, _: &mut Output) -> anyhow::Result<ExitCode> {
    let mut config = Config {
        budget: None,
        ..Config::default()
    };
    config.policy.ms = Some(args.time_limit.as_millis() as u64);
    ricochet_server::serve_stdio(config).context("cannot serve on standard input and output")?;
    Ok(ExitCode::Solved)
}
