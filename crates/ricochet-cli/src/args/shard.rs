//! `--output FILE`, and `--shard I/N`: one part of a result in its own file.

use std::path::{Path, PathBuf};

use anyhow::ensure;
use ricochet_lab::parts::{self, Part, RowOrder};
use ricochet_lab::shard::Shard;
use ricochet_solve::atomic_file::AtomicFile;

use crate::exit_code::ExitCode;
use crate::term::output::Output;

/// Where results go, and which part of them to compute.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Sharding (to split work across machines)")]
pub(crate) struct ShardArgs {
    /// Compute only shard I of N, counted from 1, and write it to a file in the --output directory.
    /// A shard that already exists is skipped; `ricochet merge` merges the shards
    #[arg(long, value_name = "I/N", requires = "output")]
    shard: Option<Shard>,

    /// Write to this file instead of standard output; with --shard, into this directory
    #[arg(long, short, value_name = "FILE", help_heading = None)]
    output: Option<PathBuf>,
}

impl ShardArgs {
    /// The part, if one is requested.
    pub(crate) fn shard(&self) -> Option<Shard> {
        self.shard
    }

    /// Runs a command that writes its part, or all of its results, to a file. `task` identifies the
    /// whole that the part belongs to, and `extension` the part's lines. An interrupted command
    /// leaves nothing behind.
    ///
    /// # Errors
    /// If the file cannot be written, the directory holds parts of another task, or cannot be written.
    pub(crate) fn run(
        &self,
        task: &str,
        extension: &str,
        output: &mut Output,
        command: impl FnOnce(&mut Output) -> anyhow::Result<ExitCode>,
    ) -> anyhow::Result<ExitCode> {
        self.run_in_order(RowOrder::InTurns, task, extension, output, command)
    }

    /// Like [`ShardArgs::run`], for parts whose rows are not merged in turns.
    pub(crate) fn run_in_order(
        &self,
        order: RowOrder,
        task: &str,
        extension: &str,
        output: &mut Output,
        command: impl FnOnce(&mut Output) -> anyhow::Result<ExitCode>,
    ) -> anyhow::Result<ExitCode> {
        let (shard, directory) = match (self.shard, &self.output) {
            (Some(shard), Some(directory)) => (shard, directory),
            (None, Some(file)) if file.as_os_str() != "-" => {
                return to_file(file, output, command);
            }
            _ => return command(output),
        };
        if let Some(part) = parts::completed(directory, task, shard)? {
            output.note(format_args!("part {shard} already exists"));
            return Ok(ExitCode::from_number(part.exit_code));
        }
        output.write_to_part(Part::begin(directory, task, shard, extension)?.order(order));
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

/// Runs a command that writes to a file, which appears when it is complete.
fn to_file(
    path: &Path,
    output: &mut Output,
    command: impl FnOnce(&mut Output) -> anyhow::Result<ExitCode>,
) -> anyhow::Result<ExitCode> {
    ensure!(
        !path.is_dir(),
        "{}: this is a directory: expected the name of a file, or --shard for the parts of several \
         machines",
        path.display()
    );
    output.write_to_file(AtomicFile::create_or_open_device(path)?);
    let ended = command(output);
    let file = output.take_file();
    let code = ended?;
    match file {
        Some(file) if code != ExitCode::Interrupted => file.commit()?,
        _ => output.note(format_args!("{} was not written", path.display())),
    }
    Ok(code)
}
