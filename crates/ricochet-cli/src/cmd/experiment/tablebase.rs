//! `ricochet tablebase`

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::{Context, bail};
use ricochet_core::describe::GoalDescription;
use ricochet_core::quadrants::Layout;
use ricochet_core::rng::Rng;
use ricochet_core::{Cell, Puzzle, notation};
use ricochet_solve::memory::default_memory_limit;
use ricochet_solve::registry;
use ricochet_solve::tablebase::{Builder, Histogram, Probe, Space, Tablebase, TablebaseError};
use ricochet_solve::{DepthRow, Limit, Limits, NullObserver, Outcome};

use crate::args::limits::parse_size;
use crate::args::names::{corpus_names, solver_names};
use crate::args::puzzles::{ReadArgs, ReadOptionArgs};
use crate::args::whole_number::whole_number;
use crate::batch::all_cores;
use crate::batch::interrupt::cancel_on_interrupt;
use crate::batch::{self, Batch};
use crate::exit_code::ExitCode;
use crate::term::output::Output;
use crate::term::plain::Plain;
use crate::term::units::{self, duration, thousands};
use ricochet_core::describe::plural;
use ricochet_service::command_rows::{ErrorRow, ProbeRow};

/// Compute the distance to the target from every position on a board, and look up positions
///
/// A tablebase instantly gives the answer for any position with the same board, target and number
/// of robots. Boards may have up to 16x16 cells. Before it starts, `build` prints how much memory it
/// needs.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand, Debug)]
enum Action {
    Build(BuildArgs),
    Probe(ProbeArgs),
    Verify(VerifyArgs),
}

/// Compute the distance from every position and write it to a file
#[derive(clap::Args, Debug)]
struct BuildArgs {
    /// A puzzle, whose board, target and number of robots are used, or a layout such as "1A 4B 3B
    /// 2B"
    #[arg(value_name = "PUZZLE|LAYOUT", value_parser = corpus_names(), hide_possible_values = true)]
    board: String,

    /// The target, such as "blue circle", vortex, "blue 9,12" or "any 3,4". Default: the puzzle's
    /// own target
    #[arg(long, value_name = "TARGET")]
    target: Option<GoalDescription>,

    /// Number of robots, 1 to 8, if a layout is given. Default: 4
    #[arg(long, value_name = "N", value_parser = whole_number::<u8>(1..=8))]
    robot_count: Option<u8>,

    /// Threads, 1 to 1024. Default: all cores
    #[arg(long, short = 'j', value_name = "N", value_parser = whole_number::<u16>(1..=1024))]
    threads: Option<u16>,

    /// Use at most this much memory: 2GiB, 500MB. Default: 90% of the free memory
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    memory_limit: Option<u64>,

    /// The file to write. Without it, positions are only counted, which takes less memory, and the
    /// counts by distance are printed as CSV
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Write no table; print up to this many of the hardest positions, one per line, instead of the counts
    #[arg(long, value_name = "N", conflicts_with = "output", value_parser = whole_number::<usize>(..))]
    hardest: Option<usize>,

    #[command(flatten)]
    read: ReadOptionArgs,
}

/// Look up positions: distance, best moves, number of shortest solutions
#[derive(clap::Args, Debug)]
struct ProbeArgs {
    /// A file that `ricochet tablebase build` wrote
    file: PathBuf,

    /// Positions with the table's board, target and number of robots
    #[arg(value_name = "PUZZLE", value_parser = corpus_names(), hide_possible_values = true)]
    puzzles: Vec<String>,

    /// Print one JSON object per line
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    read: ReadArgs,
}

/// Check a file: every distance must be one more than the smallest among the positions one move
/// away
#[derive(clap::Args, Debug)]
struct VerifyArgs {
    /// A file that `ricochet tablebase build` wrote
    file: PathBuf,

    /// Check this many random positions
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = whole_number::<u64>(..))]
    sample: u64,

    /// Check the entire file, which loads it into memory
    #[arg(long)]
    full: bool,

    /// Also solve this many random positions with another solver and compare
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole_number::<u32>(..))]
    solve: u32,

    /// The solver for --solve
    #[arg(long, short, value_name = "NAME", default_value = "flagship", value_parser = solver_names(), hide_possible_values = true)]
    solver: String,

    /// Seed of the random positions
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole_number::<u64>(..))]
    seed: u64,

    /// Threads for --full, 1 to 1024. Default: all cores
    #[arg(long, short = 'j', value_name = "N", value_parser = whole_number::<u16>(1..=1024))]
    threads: Option<u16>,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> anyhow::Result<ExitCode> {
    match &args.action {
        Action::Build(args) => build(args, output),
        Action::Probe(args) => probe(args, output),
        Action::Verify(args) => verify(args, output),
    }
}

fn build(args: &BuildArgs, output: &mut Output) -> anyhow::Result<ExitCode> {
    if let Some(path) = &args.output {
        check_output_path(path)?;
    }
    let puzzle = puzzle_to_build(args, output)?;
    let space = match Space::of(&puzzle) {
        Ok(space) => space,
        Err(error) => return exit_code_of_stop(error, output),
    };
    let threads = args.threads.map_or_else(all_cores, usize::from);
    // Counting takes less than a third of the memory that storing all distances takes.
    let bytes = if args.output.is_some() {
        Builder::tablebase_bytes(&space)
    } else {
        Builder::survey_bytes(&space)
    };
    output.note(format_args!(
        "{} states, {} set{} of helper cells; this takes {} of memory",
        thousands(space.states()),
        thousands(space.configurations() as u64),
        if space.configurations() == 1 { "" } else { "s" },
        units::bytes(bytes)
    ));
    let limits = Limits {
        memory: args.memory_limit.or_else(default_memory_limit),
        cancel: Some(cancel_on_interrupt()?),
        ..Limits::default()
    };
    let started = Instant::now();
    let mut builder = Builder::new(threads);
    let mut watch = |row: &DepthRow| {
        output.note(format_args!(
            "distance {:>3}: {:>15} {}",
            row.depth,
            thousands(row.nodes),
            if row.nodes == 1 { "state" } else { "states" }
        ));
    };
    let Some(path) = &args.output else {
        let hardest = args.hardest.unwrap_or(0);
        let survey = match builder.survey(&space, hardest, &limits, &mut watch) {
            Ok(survey) => survey,
            Err(error) => return exit_code_of_stop(error, output),
        };
        summarize(&survey.histogram, started, output);
        if args.hardest.is_some() {
            for state in &survey.hardest {
                let line = notation::to_line(&space.puzzle(state));
                output.record(format_args!("{line}\n"))?;
            }
            return Ok(ExitCode::Solved);
        }
        output.record("distance,states\n")?;
        for (distance, states) in survey.histogram.counts.iter().enumerate() {
            output.record(format_args!("{distance},{states}\n"))?;
        }
        if survey.histogram.unsolvable > 0 {
            let unsolvable = survey.histogram.unsolvable;
            output.record(format_args!("unsolvable,{unsolvable}\n"))?;
        }
        return Ok(ExitCode::Solved);
    };
    let table = match builder.tablebase(&space, &limits, &mut watch) {
        Ok(table) => table,
        Err(error) => return exit_code_of_stop(error, output),
    };
    summarize(table.histogram(), started, output);
    table.write(path, threads)?;
    let bytes = std::fs::metadata(path).map_or(0, |file| file.len());
    output.note(format_args!("{}: {}", path.display(), units::bytes(bytes)));
    Ok(ExitCode::Solved)
}

/// The result of a build that stopped: Ctrl-C is not an error, and limits have their own exit code.
fn exit_code_of_stop(error: TablebaseError, output: &Output) -> anyhow::Result<ExitCode> {
    match error.limit() {
        Some(Limit::Cancelled) => Ok(ExitCode::Interrupted),
        Some(_) => {
            output.error(&error);
            Ok(ExitCode::Limit)
        }
        None => Err(error.into()),
    }
}

fn summarize(histogram: &Histogram, started: Instant, output: &Output) {
    let longest = match (histogram.max_distance(), histogram.mean()) {
        (Some(longest), Some(mean)) => {
            format!(
                "{} at most, {mean:.3} on average",
                plural(longest as usize, "move")
            )
        }
        _ => "no state is solvable".to_owned(),
    };
    output.note(format_args!(
        "{longest}; {} unsolvable; {}",
        thousands(histogram.unsolvable),
        duration(started.elapsed())
    ));
}

/// Checks before the work that the file can be written. The finished table replaces a file of that
/// name, which must not be a device or a pipe.
fn check_output_path(path: &Path) -> anyhow::Result<()> {
    let directory = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    if !directory.is_dir() {
        bail!("{}: there is no such directory", directory.display());
    }
    if path.is_dir() {
        bail!(
            "{} is a directory: expected the name of a file",
            path.display()
        );
    }
    if path.exists() && !path.is_file() {
        bail!("{} is not a regular file", path.display());
    }
    Ok(())
}

/// A puzzle with the board and goal of the arguments, and robots anywhere.
fn puzzle_to_build(args: &BuildArgs, output: &mut Output) -> anyhow::Result<Puzzle> {
    if let Ok(layout) = args.board.parse::<Layout>() {
        let board = layout.board();
        let target = args
            .target
            .context("a layout needs --target, such as --target \"blue circle\"")?;
        let robots = usize::from(args.robot_count.unwrap_or(4));
        let goal = target.goal(board.targets())?;
        if let Some(robot) = goal.robot.filter(|robot| robot.index() >= robots) {
            bail!(
                "the target is for the {robot} robot, but the board has only {}",
                plural(robots, "robot")
            );
        }
        let open: Vec<Cell> = board.cells().filter(|&c| !board.is_closed(c)).collect();
        return Ok(Puzzle::new(board, &open[..robots], goal)?);
    }
    if args.robot_count.is_some() {
        bail!("--robot-count is for layouts: a puzzle has its own robots");
    }
    let read = ReadArgs {
        target: args.target,
        ..args.read.into()
    };
    Ok(batch::single(Some(&args.board), read, false, output)?.puzzle)
}

fn probe(args: &ProbeArgs, output: &mut Output) -> anyhow::Result<ExitCode> {
    let table = Tablebase::open(&args.file)?;
    Batch::new(&args.puzzles, args.read, args.json)?.each(output, |read, output| {
        let name = read.title().map(|title| format!("{}: ", Plain(title)));
        if let Err(error) = table.space().check(&read.puzzle) {
            output.error(format_args!("{}: {error}", Plain(&read.name)));
            if args.json {
                output.json(&ErrorRow::new(read.id, None, None, error.to_string()))?;
            }
            return Ok(ExitCode::Error);
        }
        let state = read.puzzle.start();
        let probe = table.probe(&state)?;
        if args.json {
            output.json(&ProbeRow::of(read.id, &probe))?;
        } else {
            let name = name.unwrap_or_default();
            output.record(format_args!("{name}{}\n", describe(&probe)))?;
        }
        Ok(match probe.distance {
            Some(_) => ExitCode::Solved,
            None => ExitCode::Unsolvable,
        })
    })
}

fn describe(probe: &Probe) -> String {
    match probe.distance {
        None => "unsolvable".to_owned(),
        Some(0) => "already solved".to_owned(),
        Some(distance) => {
            let moves: Vec<String> = probe.best_moves.iter().map(ToString::to_string).collect();
            format!(
                "{}; best first: {}; {} shortest solution{}",
                plural(distance as usize, "move"),
                moves.join(" "),
                probe.solutions,
                if probe.solutions == 1 { "" } else { "s" }
            )
        }
    }
}

fn verify(args: &VerifyArgs, output: &mut Output) -> anyhow::Result<ExitCode> {
    let mut table = Tablebase::open(&args.file)?;
    let mismatch = if args.full {
        table = table.into_memory()?;
        output.note("all blocks are sound");
        full_check(
            &table,
            args.threads.map_or_else(all_cores, usize::from),
            output,
        )?
    } else {
        let mismatch = table.verify_sample(args.sample, args.seed)?;
        if mismatch.is_none() {
            output.note(format_args!(
                "{} states agree with their successors",
                thousands(args.sample)
            ));
        }
        mismatch.map(|mismatch| mismatch.to_string())
    };
    if let Some(mismatch) = mismatch {
        bail!("{}: {mismatch}", args.file.display());
    }
    if args.solve > 0 {
        let (agreed, given_up) = compare_with_solver(&table, args)?;
        output.note(format_args!("{agreed} states agree with {}", args.solver));
        if given_up > 0 {
            output.note(format_args!("{} gave up on {given_up} more", args.solver));
        }
    }
    Ok(ExitCode::Solved)
}

fn full_check(
    table: &Tablebase,
    threads: usize,
    output: &Output,
) -> anyhow::Result<Option<String>> {
    let all = table.space().configurations();
    let running = output.progress().start("checking");
    let progress = output.progress();
    let tenths = AtomicUsize::new(0);
    let verified = table.verify_all(threads, &|done| {
        let now = done * 1000 / all.max(1);
        if tenths.fetch_max(now, Ordering::Relaxed) < now {
            progress.set_message(format!("checking: {:.1}%", now as f64 / 10.0));
        }
    })?;
    drop(running);
    if verified.mismatch.is_none() {
        output.note(format_args!(
            "all {} states agree with their successors",
            thousands(verified.states)
        ));
    }
    let mismatch = verified.mismatch.map(|mismatch| mismatch.to_string());
    Ok(mismatch.or_else(|| verified.miscount.map(|miscount| miscount.to_string())))
}

/// Solves random states. Returns how many answers agree with the table, and on how many states the
/// solver gave up.
fn compare_with_solver(table: &Tablebase, args: &VerifyArgs) -> anyhow::Result<(u32, u32)> {
    let mut solver = registry::build(&args.solver)?;
    let mut rng = Rng::stream(args.seed, 1);
    let (mut agreed, mut given_up) = (0, 0);
    for _ in 0..args.solve {
        let Some(state) = table.random_state(&mut rng) else {
            break;
        };
        let puzzle = table.space().puzzle(&state);
        let stored = table.distance(&state)?;
        let (outcome, _) = solver.solve(&puzzle, &Limits::default(), &mut NullObserver);
        if let Some(found) = contradiction(stored, &outcome) {
            let stored = stored.map_or("unsolvable".to_owned(), |moves| {
                plural(moves as usize, "move")
            });
            bail!(
                "{}: {}: {stored} in the table, {found} by {}",
                args.file.display(),
                notation::to_line(&puzzle),
                args.solver
            );
        }
        match outcome {
            Outcome::Solved { .. } | Outcome::Unsolvable => agreed += 1,
            _ => given_up += 1,
        }
    }
    Ok((agreed, given_up))
}

/// The solver's result, if it contradicts a distance of the table. A solution that is not proven
/// shortest may be longer; a lower bound always holds.
fn contradiction(stored: Option<u32>, outcome: &Outcome) -> Option<String> {
    let (found, agrees) = match (outcome, stored) {
        (
            Outcome::Solved {
                solution, optimal, ..
            },
            stored,
        ) => {
            let moves = solution.len() as u32;
            let may_be_longer = !optimal;
            let agrees =
                stored.is_some_and(|stored| stored == moves || (may_be_longer && stored < moves));
            (plural(solution.len(), "move"), agrees)
        }
        (Outcome::Unsolvable, stored) => ("unsolvable".to_owned(), stored.is_none()),
        _ => (String::new(), true),
    };
    let bound = outcome.lower_bound().unwrap_or(0);
    if !agrees {
        Some(found)
    } else if stored.is_some_and(|stored| bound > stored) {
        Some(format!("at least {}", plural(bound as usize, "move")))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_cannot_be_right_contradicts_the_table() {
        let solved = |length: usize, optimal: bool, lower_bound: u32| Outcome::Solved {
            solution: vec!["RE".parse().unwrap(); length].into(),
            optimal,
            lower_bound,
        };
        let found = |stored, outcome: &Outcome| contradiction(stored, outcome);
        assert_eq!(found(Some(4), &solved(4, true, 4)), None);
        assert!(found(Some(4), &solved(5, true, 5)).is_some());
        // A longer solution without a proof, as `stateless` gives, and what it proved.
        assert_eq!(found(Some(4), &solved(6, false, 2)), None);
        assert!(found(Some(4), &solved(3, false, 2)).is_some());
        assert!(found(Some(4), &solved(6, false, 5)).is_some());
        assert!(found(None, &solved(6, false, 2)).is_some());
        assert_eq!(found(None, &Outcome::Unsolvable), None);
        assert!(found(Some(4), &Outcome::Unsolvable).is_some());
        let limit = |lower_bound| Outcome::LimitReached {
            limit: Limit::Time,
            lower_bound,
        };
        assert_eq!(found(Some(4), &limit(4)), None);
        assert!(found(Some(4), &limit(5)).is_some());
    }
}
