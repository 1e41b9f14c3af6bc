//! `ricochet lab`

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ricochet_core::describe::plural;
use ricochet_core::quadrants::Layout;
use ricochet_lab::experiments::ratings::RatingsOptions;
use ricochet_lab::experiments::{
    CommonOptions, ai_in_games, competitions, growth, histogram, ratings, slides, thesis,
};
use ricochet_lab::puzzle_set::{self, PuzzleSetOptions};
use ricochet_lab::run::RunSummary;
use ricochet_lab::run::plan::SolveLimits;
use ricochet_lab::run::solve::clock::Clock;
use ricochet_lab::shard::Shard;
use ricochet_solve::registry::SolverSpec;

use super::bench::{run_options, write_report, wrong};
use crate::args::limits::{parse_count, parse_duration, parse_size};
use crate::args::names::solver_specs;
use crate::args::whole_number::whole_number;
use crate::batch::all_cores;
use crate::exit_code::ExitCode;
use crate::term::output::Output;

/// Repeat published experiments, compare the results, and run experiments of our own
///
/// Every experiment writes rows, tables, plots and a report to DIR. To continue an interrupted
/// experiment, run the same command again. All experiments but ratings can be split across
/// machines with --shard. The sources (Fogleman's slides, the Ricochet Robots thesis, the AI in Games report) are described in
/// docs/sources.md.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    experiment: Experiment,
}

#[derive(clap::Subcommand, Debug)]
enum Experiment {
    /// Fogleman's slides (2012): count the sequences that brute force tries on a 22-move puzzle,
    /// then solve it with one improvement after the other
    Slides {
        #[command(flatten)]
        common: CommonArgs,
        /// The depth to which brute force counts sequences of moves, 0 to 16; the slides use 10
        #[arg(long, value_name = "N", default_value_t = 10, value_parser = whole_number::<u32>(0..=16))]
        depth: u32,
    },
    /// The Ricochet Robots thesis: all of its solvers on random positions and 16 targets of one
    /// board
    Thesis {
        #[command(flatten)]
        common: CommonArgs,
        /// The quadrants of the board, north-west first and clockwise
        #[arg(long, value_name = "LAYOUT", default_value = "1A 4B 3B 2B")]
        layout: Layout,
        /// Number of puzzles, a multiple of 16: each random position has 16 targets. The thesis
        /// used 160,000
        #[arg(long, value_name = "N", default_value = "1600", value_parser = parse_count)]
        configurations: u64,
        /// Run on this many of the 96 layouts instead of one, with an optimal solver only
        #[arg(long, value_name = "N", conflicts_with_all = ["layout", "configurations"], value_parser = whole_number::<usize>(..))]
        boards: Option<usize>,
        /// With --boards: starting positions on each board
        #[arg(long, value_name = "N", default_value_t = 200, value_parser = whole_number::<usize>(..))]
        starts: usize,
    },
    /// The AI in Games report: 40 rounds in sequence, six algorithms, three sets of parameters
    AiInGames {
        #[command(flatten)]
        common: CommonArgs,
        /// The quadrants of the board, north-west first and clockwise
        #[arg(long, value_name = "LAYOUT", default_value = "1A 4B 3B 2B")]
        layout: Layout,
        /// Multiply the time limits of the AI in Games report, 10, 20 and 30 s, which apply instead
        /// of --time-limit
        #[arg(long, value_name = "FACTOR", default_value_t = 1.0)]
        time_scale: f64,
    },
    /// The puzzles of the ASP competition of 2015 and the planning competition of 2023
    Competitions {
        #[command(flatten)]
        common: CommonArgs,
    },
    /// How time, nodes and memory grow with moves, robots, board size and walls
    Growth {
        #[command(flatten)]
        common: CommonArgs,
        /// Puzzles per number of robots, per board size and per number of walls; per solution length,
        /// at most a tenth of this
        #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole_number::<usize>(..))]
        puzzles: usize,
    },
    /// The distribution of solution lengths over random positions, in constant memory
    Histogram {
        #[command(flatten)]
        common: CommonArgs,
        /// Number of positions: 5000, 20k, 3M
        #[arg(long, value_name = "N", default_value = "1M", value_parser = parse_count)]
        positions: u64,
        /// Number of robots, 1 to 8
        #[arg(long, value_name = "N", default_value_t = 4, value_parser = whole_number::<u8>(1..=8))]
        robot_count: u8,
    },
    /// Whether ratings from different simulated players agree with each other, with length
    /// and with random play, or how well people's attempts agree with the simulation
    Ratings {
        /// The directory for the results
        #[arg(long, short, value_name = "DIR", default_value = "lab-ratings")]
        output: PathBuf,
        /// Number of random positions: 500, 2k
        #[arg(long, value_name = "N", default_value = "1000", value_parser = parse_count)]
        positions: u64,
        /// The random seed of the positions
        #[arg(long, value_name = "N", default_value_t = 6, value_parser = whole_number::<u64>(..))]
        seed: u64,
        /// Rate the puzzles that people attempted (a file from the server's /api/v1/attempts) and
        /// compare
        #[arg(long, value_name = "FILE", conflicts_with_all = ["positions", "seed"])]
        attempts: Option<PathBuf>,
    },
    /// Puzzles of the official boards with ratings and themes: a CSV file, a data card, and a short
    /// list for the page
    ///
    /// To continue an interrupted run, run the same command again. Shards may write to one directory
    /// or be copied into one; the run that completes the last shard writes the files.
    PuzzleSet {
        /// The directory for the results
        #[arg(long, short, value_name = "DIR", default_value = "lab-puzzle-set")]
        output: PathBuf,
        /// How many random positions to choose from: 5000, 300k, 1M
        #[arg(long, value_name = "N", default_value = "64k", value_parser = parse_count)]
        candidates: u64,
        /// How many puzzles to choose
        #[arg(long, value_name = "N", default_value = "50k", value_parser = parse_count)]
        puzzles: u64,
        /// How many of them to put on the page's list
        #[arg(long, value_name = "N", default_value = "5000", value_parser = parse_count)]
        training: u64,
        /// The random seed
        #[arg(long, value_name = "N", default_value_t = 33, value_parser = whole_number::<u64>(..))]
        seed: u64,
        /// Rate only the candidates of shard I of N, counted from 1
        #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE)]
        shard: Shard,
        /// Threads, 1 to 1024. Default: all cores
        #[arg(long, short = 'j', value_name = "N", value_parser = whole_number::<u16>(1..=1024))]
        threads: Option<u16>,
    },
}

#[derive(clap::Args, Debug)]
struct CommonArgs {
    /// The directory for the results. Default: lab- followed by the experiment's name, such as
    /// lab-slides
    #[arg(long, short, value_name = "DIR")]
    output: Option<PathBuf>,

    /// Number of puzzles to solve in parallel, 1 to 1024. Default: all cores for histogram and
    /// thesis --boards, otherwise 1, because times are compared
    #[arg(long, short = 'j', value_name = "N", value_parser = whole_number::<u16>(1..=1024))]
    threads: Option<u16>,

    /// Run only shard I of N, counted from 1; `ricochet report` merges the shards
    #[arg(hide_short_help = true, long, value_name = "I/N", default_value_t = Shard::WHOLE)]
    shard: Shard,

    /// Stop each run of a solver after this time. Default: 40s, as in the thesis, but 30m for
    /// slides
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    time_limit: Option<Duration>,

    /// Stop each run of a solver before it uses more than this much memory
    #[arg(long, value_name = "SIZE", default_value = "4GiB", value_parser = parse_size)]
    memory_limit: u64,

    /// What to measure: wall-clock time, or the processor time of the solver, for machines that are
    /// busy with other work
    #[arg(long, value_name = "wall|processor", default_value_t)]
    clock: Clock,

    /// Run these solvers instead of the experiment's own
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', value_parser = solver_specs(), hide_possible_values = true)]
    solvers: Vec<SolverSpec>,

    /// The random seed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole_number::<u64>(..))]
    seed: u64,
}

impl CommonArgs {
    fn common(&self, name: &str, counts: bool, output: &Output) -> CommonOptions {
        let all = all_cores();
        CommonOptions {
            out: self
                .output
                .clone()
                .unwrap_or_else(|| PathBuf::from(format!("lab-{name}"))),
            jobs: self
                .threads
                .map_or(if counts { all } else { 1 }, usize::from),
            shard: self.shard,
            limits: SolveLimits {
                time: self.time_limit.unwrap_or(if name == "slides" {
                    Duration::from_secs(30 * 60)
                } else {
                    Duration::from_secs(40)
                }),
                memory: self.memory_limit,
                clock: self.clock,
            },
            solvers: self.solvers.clone(),
            seed: self.seed,
            quiet: output.is_quiet(),
        }
    }
}

pub(crate) fn run(args: &Args, output: &mut Output) -> anyhow::Result<ExitCode> {
    let run_options = run_options(output)?;
    let (done, out) = match &args.experiment {
        Experiment::Slides { common, depth } => {
            let common = common.common("slides", false, output);
            (slides::run(&common, *depth, &run_options)?, common.out)
        }
        Experiment::Thesis {
            common,
            boards: Some(boards),
            starts,
            ..
        } => {
            let common = common.common("boards", true, output);
            thesis::run_boards(&common, *boards, *starts)?;
            (RunSummary::default(), common.out)
        }
        Experiment::Thesis {
            common,
            layout,
            configurations,
            ..
        } => {
            let common = common.common("thesis", false, output);
            let options = thesis::ThesisOptions {
                layout: *layout,
                configurations: usize::try_from(*configurations)?,
            };
            (thesis::run(&common, &options, &run_options)?, common.out)
        }
        Experiment::AiInGames {
            common,
            layout,
            time_scale,
        } => {
            let common = common.common("ai-in-games", false, output);
            let options = ai_in_games::AiInGamesOptions {
                layout: *layout,
                time_scale: *time_scale,
            };
            (ai_in_games::run(&common, &options)?, common.out)
        }
        Experiment::Competitions { common } => {
            let common = common.common("competitions", false, output);
            (competitions::run(&common, &run_options)?, common.out)
        }
        Experiment::Growth { common, puzzles } => {
            let common = common.common("growth", false, output);
            (growth::run(&common, *puzzles, &run_options)?, common.out)
        }
        Experiment::Histogram {
            common,
            positions,
            robot_count,
        } => {
            let common = common.common("histogram", true, output);
            histogram::run(
                &common,
                usize::try_from(*positions)?,
                usize::from(*robot_count),
            )?;
            (RunSummary::default(), common.out)
        }
        Experiment::Ratings {
            output: out,
            positions,
            seed,
            attempts,
        } => {
            let document = ratings::run(&RatingsOptions {
                out: out.clone(),
                positions: *positions,
                seed: *seed,
                attempts: attempts.clone(),
                quiet: output.is_quiet(),
            })?;
            write!(output, "{}", document.to_text())?;
            output.note(format_args!(
                "report: {}",
                out.join("report.html").display()
            ));
            return Ok(ExitCode::Solved);
        }
        Experiment::PuzzleSet {
            output: out,
            candidates,
            puzzles,
            training,
            seed,
            shard,
            threads,
        } => {
            let options = PuzzleSetOptions {
                out: out.clone(),
                candidates: *candidates,
                puzzles: usize::try_from(*puzzles)?,
                training: usize::try_from(*training)?,
                seed: *seed,
                shard: *shard,
                jobs: threads.map_or_else(all_cores, usize::from),
                quiet: output.is_quiet(),
            };
            return make_puzzle_set(&options, output);
        }
    };
    finish(&done, &out, output)
}

/// Makes the puzzle set and says what is there.
fn make_puzzle_set(options: &PuzzleSetOptions, output: &mut Output) -> anyhow::Result<ExitCode> {
    let summary = puzzle_set::run(options)?;
    let out = options.out.display();
    if summary.missing > 0 {
        output.note(format_args!(
            "{} of {} parts are missing in {out}",
            summary.missing, summary.parts
        ));
    } else {
        output.note(format_args!(
            "{} in {out}",
            plural(summary.puzzles, "puzzle")
        ));
    }
    Ok(ExitCode::Solved)
}

/// Writes and prints the report.
fn finish(done: &RunSummary, out: &Path, output: &mut Output) -> anyhow::Result<ExitCode> {
    if done.skipped > 0 {
        output.note(format_args!(
            "{} rows already existed, {} are new",
            done.skipped, done.written
        ));
    }
    if let Some(report) = write_report(out, output)? {
        write!(output, "{}", report.document.to_text())?;
        output.note(format_args!("report: {}", report.page.display()));
    }
    if !done.wrong.is_empty() {
        return Err(wrong(done.wrong.len()));
    }
    Ok(ExitCode::Solved)
}
