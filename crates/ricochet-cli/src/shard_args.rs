//! `--shard I/N`: one part of a result, in a file of its own.

use std::path::PathBuf;

use ricochet_lab::parts::{self, Part};
use ricochet_lab::run::plan::Shard;

use crate::exit_code::ExitCode;
use crate::output::Output;

/// Which part to do, and where it goes.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Parts (for several machines)")]
pub(crate) struct ShardArgs {
    /// Do only part I of N, and write it to a file in the --output directory. A part that exists
    /// already is not done again; `ricochet merge` joins the parts
    #[arg(long, value_name = "I/N", requires = "output", hide_short_help = true)]
    shard: Option<Shard>,

    /// The directory of the parts
    #[arg(
        long,
        short,
        value_name = "DIR",
        requires = "shard",
        hide_short_help = true
    )]
    output: Option<PathBuf>,
}

impl ShardArgs {
    /// The part, if one was asked for.
    pub(crate) fn shard(&self) -> Option<Shard> {
        self.shard
    }

    /// Has a command write its part. The task is what all parts have in common. An interrupted
    /// command leaves nothing behind.
    ///
    /// # Errors
    /// If the directory holds parts of another task, or cannot be written.
    pub(crate) fn run(
        &self,
        task: &str,
        output: &mut Output,
        command: impl FnOnce(&mut Output) -> anyhow::Result<ExitCode>,
    ) -> anyhow::Result<ExitCode> {
        let (Some(shard), Some(directory)) = (self.shard, &self.output) else {
            return command(output);
        };
        if let Some(there) = parts::done(directory, task, shard)? {
            output.note(format_args!("part {shard} exists already"));
            return Ok(ExitCode::of_number(there.exit_code));
        }
        output.write_to_part(Part::begin(directory, task, shard)?);
        let ended = command(output);
        let part = output.take_part();
        let code = ended?;
        if code != ExitCode::Interrupted
            && let Some(part) = part
        {
            let manifest = part.finish(code.number())?;
            let (rows, file) = (manifest.rows, directory.join(manifest.file));
            output.note(format_args!("{rows} rows in {}", file.display()));
        }
        Ok(code)
    }
}
