//! `ricochet census`

use std::cell::OnceCell;
use std::io::IsTerminal;
use std::path::PathBuf;

use ricochet_core::quadrants::{Edition, Layout};
use ricochet_lab::census::{self, Census, Progress};
use ricochet_lab::run::progress_bar;
use ricochet_lab::shard::Shard;
use ricochet_solve::Limits;
use ricochet_solve::memory::default_memory_limit;

use crate::args::limits::parse_size;
use crate::args::whole_number::whole_number;
use crate::batch::interrupt::cancel_on_interrupt;
use crate::exit_code::ExitCode;
use crate::term::output::Output;

/// Count all positions of the official boards by the length of a shortest solution
///
/// For every layout and printed target, writes how many positions need 0, 1, 2 … moves, how many
/// cannot be solved, and which are the hardest. Robots that need not reach the target count as
/// interchangeable. Results are appended to histograms.csv, hardest.csv and targets.csv in DIR
/// after each target; to continue after Ctrl-C or a crash, run the same command again. One target
/// of a 16x16 board with 4 robots takes a few seconds and 190 MB.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Count the layouts of this edition: 1999 (96 of them) or 2013 (1,536)
    #[arg(long, value_name = "YEAR", default_value = "1999", value_parser = ["1999", "2013"])]
    edition: String,

    /// Only these layouts, such as "1A 4B 3B 2B,1A 2A 3A 4A"
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    layouts: Vec<Layout>,

    /// Number of robots, 1 to 5
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = whole_number::<u8>(1..=5))]
    robot_count: u8,

    /// Number of targets to process in parallel, 1 to 1024, each on one thread
    #[arg(long, short = 'j', value_name = "N", default_value_t = 1, value_parser = whole_number::<u16>(1..=1024))]
    threads: u16,

    /// Compute only shard I of N, counted from 1; `ricochet merge` merges the shards
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE)]
    shard: Shard,

    /// Maximum number of hardest positions to list for each target
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = whole_number::<usize>(..))]
    hardest: usize,

    /// Use at most this much memory in total: 2GiB, 500MB. Default: 90% of the free memory
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    memory_limit: Option<u64>,

    /// The directory for the results
    #[arg(long, short, value_name = "DIR")]
    output: PathBuf,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> anyhow::Result<ExitCode> {
    let edition = match args.edition.as_str() {
        "2013" => Edition::Of2013,
        _ => Edition::Of1999,
    };
    let census = Census {
        layouts: if args.layouts.is_empty() {
            edition.layouts()
        } else {
            args.layouts.clone()
        },
        robots: usize::from(args.robot_count),
        shard: args.shard,
        jobs: usize::from(args.threads),
        hardest: args.hardest,
        limits: Limits {
            memory: args.memory_limit.or_else(default_memory_limit),
            cancel: Some(cancel_on_interrupt()?),
            ..Limits::default()
        },
    };
    let terminal = std::io::stderr().is_terminal();
    let bar = OnceCell::new();
    let quiet = output.is_quiet();
    let watch = |progress: &Progress| {
        let bar = bar.get_or_init(|| {
            progress_bar(progress.all as u64, progress.done as u64, "targets", quiet)
        });
        bar.set_position(progress.done as u64);
        let Some(last) = &progress.last else { return };
        if terminal {
            bar.set_message(last.clone());
        } else if !quiet {
            let left = progress.left.map_or(0, |left| left.as_secs());
            output.note(format_args!(
                "{}/{} {last}; about {}:{:02} h left",
                progress.done,
                progress.all,
                left / 3600,
                left / 60 % 60
            ));
        }
    };
    let ended = census::run(&census, &args.output, &watch)?;
    if let Some(bar) = bar.into_inner() {
        bar.finish_and_clear();
    }
    output.note(format_args!(
        "{} of {} targets are counted in {}",
        ended.done,
        ended.all,
        args.output.display()
    ));
    Ok(if ended.done < ended.all {
        ExitCode::Interrupted
    } else {
        ExitCode::Solved
    })
}
