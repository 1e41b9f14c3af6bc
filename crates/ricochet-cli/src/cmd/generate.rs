//! `ricochet generate`

use std::ops::ControlFlow;
use std::time::Duration;

use anyhow::{bail, ensure};
use ricochet_core::Puzzle;
use ricochet_core::formats::{self, Format};
use ricochet_core::quadrants::Layout;
use ricochet_lab::parts::RowOrder;
use ricochet_lab::shard::Shard;
use ricochet_service::generation::{count_candidates, summary};
use ricochet_service::questions::generate::{
    DifficultyName, EditionName, Generate, GenerateAnswer, GoalRobotName, rate_generated,
};
use ricochet_service::questions::rate::{RateAnswer, ThemeName};
use ricochet_service::random_seed;
use ricochet_solve::difficulty::Features;
use ricochet_solve::generation::{Attempt, MakerOptions, Method, PuzzleMaker, Verdict};
use ricochet_solve::{Budget, Limit, Limits, NullObserver, Solver};

use crate::args::limits::parse_duration;
use crate::args::shard::ShardArgs;
use crate::args::solver::SolverArgs;
use crate::args::whole_number::whole_number;
use crate::batch::all_cores;
use crate::batch::interrupt::cancel_on_interrupt;
use crate::batch::ordered::ordered;
use crate::cmd::puzzle::convert::format_parser;
use crate::exit_code::ExitCode;
use crate::term::output::Output;

/// Generate puzzles; the same seed always gives the same puzzles
///
/// Candidates are tested in the order of their numbers until enough of them match; the number of
/// candidates is printed on standard error. The name of a puzzle contains its seed and number:
/// --seed 7 --start 42 --count 1 generates S7-42 again.
///
/// Puzzles with long solutions are rare. If testing candidates would take longer than building
/// tables of all positions, ricochet builds tables for hard boards and targets and picks puzzles
/// from them; a note on standard error says so. Such a puzzle has a name like S7-T42-0:
/// seed 7, board and target 42, puzzle 0 of that table.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Number of robots, 1 to 8. Default: 4
    #[arg(long, value_name = "N", value_parser = whole_number::<usize>(1..=8))]
    robot_count: Option<usize>,

    /// The goal robot, which has to reach the target: red, green, …, any (whichever robot gets
    /// there, as for the vortex), or one (a particular robot, chosen at random)
    #[arg(long, value_name = "WHO")]
    who: Option<GoalRobotName>,

    /// Let any open cell be the target, not only printed ones
    #[arg(long)]
    any_cell: bool,

    /// The random seed. Default: a new one each time, printed on standard error
    #[arg(long, value_name = "N", value_parser = whole_number::<u64>(..))]
    seed: Option<u64>,

    /// The number of the first candidate
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole_number::<u64>(..))]
    start: u64,

    /// How many puzzles to generate
    #[arg(long, short = 'n', value_name = "N", default_value_t = 1, value_parser = whole_number::<u64>(..))]
    count: u64,

    /// Test exactly this many candidates and print all that match, however many there are
    #[arg(long, value_name = "N", hide_short_help = true, conflicts_with_all = ["count", "patience"], value_parser = whole_number::<u64>(..))]
    candidates: Option<u64>,

    /// The format to write
    #[arg(long, short, value_name = "FORMAT", default_value = "line", value_parser = format_parser())]
    to: Format,

    /// Print one JSON object per puzzle, as the HTTP API does: the puzzle with its optimum and its
    /// rating, how many candidates were tried, and whether it came from a table
    #[arg(long, conflicts_with = "to")]
    json: bool,

    /// Require the robot that reaches the target to turn at a right angle at least once
    #[arg(long)]
    must_ricochet: bool,

    /// Threads that test candidates, 1 to 1024. Default: all cores
    #[arg(long, short = 'j', value_name = "N", value_parser = whole_number::<u16>(1..=1024))]
    threads: Option<u16>,

    // Options after these would appear under their headings.
    #[command(flatten)]
    board: BoardArgs,

    #[command(flatten)]
    filter: FilterArgs,

    #[command(flatten)]
    parts: ShardArgs,
}

/// Which board.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Board")]
struct BoardArgs {
    /// The quadrants of the board, north-west first and clockwise, such as "1A 4B 3B 2B"
    #[arg(long, value_name = "LAYOUT", conflicts_with_all = ["edition", "size"])]
    layout: Option<Layout>,

    /// Random layouts of this edition. Default: 1999
    #[arg(long, value_name = "YEAR", conflicts_with = "size")]
    edition: Option<EditionName>,

    /// A board of this size, 2x2 to 32x32, such as 12x10, with random walls like those of the
    /// official boards
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    size: Option<[usize; 2]>,

    /// With --size: the number of diagonals
    #[arg(long, value_name = "N", requires = "size", conflicts_with_all = ["edition", "layout"], value_parser = whole_number::<usize>(..))]
    diagonals: Option<usize>,
}

/// Which candidates to keep; for each of these options, every candidate has to be solved.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Filters")]
struct FilterArgs {
    /// Number of moves of a shortest solution, 1 or more: 8, 8..12, 8.. or ..12, both ends
    /// included
    #[arg(long, value_name = "RANGE", value_parser = parse_range)]
    length: Option<[u32; 2]>,

    /// Only puzzles with exactly one shortest solution
    #[arg(long)]
    unique: bool,

    /// The number of robots that a shortest solution has to move, 1 to 8
    #[arg(long, value_name = "N", value_parser = whole_number::<u32>(1..=8))]
    robots_used: Option<u32>,

    /// The difficulty; `ricochet help rate` explains how it is measured
    #[arg(long, value_name = "GRADE")]
    difficulty: Option<DifficultyName>,

    /// The rating: 1500, 1500..1800, 1500.. or ..1800, both ends included
    #[arg(long, value_name = "RANGE", value_parser = parse_rating)]
    rating: Option<[i32; 2]>,

    /// A theme of the solution, which all shortest solutions must have; can be given several times
    #[arg(long = "theme", value_name = "NAME")]
    themes: Vec<ThemeName>,

    /// Give up after this many candidates in a row that do not match
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = whole_number::<u64>(..))]
    patience: u64,

    /// Give up after this time: 10s, 100ms, 2m; a plain number means seconds
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    time_limit: Option<Duration>,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> anyhow::Result<ExitCode> {
    let Some(shard) = args.parts.shard() else {
        return args
            .parts
            .run("", "", output, |output| make(args, output, Shard::WHOLE));
    };
    ensure!(
        args.json || args.to.is_one_line(),
        "--shard needs a format with one puzzle per line, which {} is not",
        args.to.name()
    );
    let Some(seed) = args.seed else {
        bail!("--shard needs --seed, the same for all parts");
    };
    let Some(candidates) = args.candidates else {
        bail!(
            "--shard needs --candidates, the number of candidates that the parts share: with --count, one \
             part could not know how many puzzles the others find"
        );
    };
    let (request, start) = (args.request(), args.start);
    let to = if args.json { "answers" } else { args.to.name() };
    // A value has its keys in alphabetical order, whatever the order of the fields.
    let request = serde_json::to_value(&request)?;
    let task =
        format!("generate from {candidates} from {start} with seed {seed} as {to}: {request}");
    let extension = if args.json { "jsonl" } else { "txt" };
    let order = RowOrder::InSequence;
    args.parts
        .run_in_order(order, &task, extension, output, |output| {
            make(args, output, shard)
        })
}

/// Makes the puzzles of a shard.
fn make(args: &Args, output: &mut Output, shard: Shard) -> anyhow::Result<ExitCode> {
    let range = args.candidates.map(|candidates| shard.range(candidates));
    let seed = args.seed.unwrap_or_else(random_seed);
    let threads = args.threads.map_or_else(all_cores, usize::from);
    let options = MakerOptions {
        count: args.count,
        first: args
            .start
            .wrapping_add(range.as_ref().map_or(0, |it| it.start)),
        candidates: range.map(|it| it.end - it.start),
        patience: args.filter.patience,
        threads,
        ..MakerOptions::default()
    };
    let mut maker = args.request().maker(seed, options)?;
    if args.seed.is_none() {
        output.note(format_args!("seed {seed}"));
    }
    let candidates = maker.candidates().clone();
    let threads = if candidates.need_solver() { threads } else { 1 };
    let cancel = cancel_on_interrupt()?;
    let budget = Budget::start(&Limits {
        time: args.filter.time_limit,
        cancel: Some(cancel.clone()),
        ..Limits::default()
    });
    let spec = SolverArgs::default().spec()?.or_threads(1);
    let make_worker = || {
        let mut solver = spec.build();
        let (candidates, budget) = (&candidates, &budget);
        move |number| {
            let verdict = candidates.judge(number, solver.as_mut(), &budget.left());
            let rating = match &verdict {
                Ok(Verdict::Accepted(puzzle, features)) if args.json => {
                    Some(rate(puzzle, features.clone(), solver.as_mut(), budget))
                }
                _ => None,
            };
            (verdict, rating)
        }
    };
    let running = output.progress().start("testing candidates");
    let progress = output.progress().clone();
    maker.watch_phases(move |phase| progress.set_message(phase.to_string()));
    let mut writer = PuzzleWriter { args, written: 0 };
    let mut ended = None;
    if !maker.is_done() {
        let numbers = maker.numbers();
        ordered(numbers, threads, make_worker, |(verdict, rating)| {
            // A candidate whose test the clock has cut short is not judged.
            let is_late = verdict == Ok(Verdict::Rejected) && budget.check() == Err(Limit::Time);
            let attempt = if is_late {
                Attempt::Stopped(Limit::Time)
            } else {
                maker.record(verdict)?
            };
            let message = format!("testing candidates: {}", summary(&maker));
            output.progress().set_message(message);
            ended = writer.take(attempt, rating, &maker, output)?;
            let stays = ended.is_none() && !maker.is_done() && maker.method() == Method::Tried;
            if stays && let Err(limit) = budget.check() {
                ended = writer.take(Attempt::Stopped(limit), None, &maker, output)?;
            }
            Ok::<_, anyhow::Error>(if stays && ended.is_none() {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            })
        })?;
    }
    let mut solver = spec.build();
    while ended.is_none() && !maker.is_done() {
        let attempt = maker.next(solver.as_mut(), &budget.left())?;
        let rating = match &attempt {
            Attempt::Found(found) if args.json => {
                let features = found.features.clone();
                Some(rate(&found.puzzle, features, solver.as_mut(), &budget))
            }
            _ => None,
        };
        ended = writer.take(attempt, rating, &maker, output)?;
        if ended.is_none()
            && !maker.is_done()
            && let Err(limit) = budget.check()
        {
            ended = writer.take(Attempt::Stopped(limit), None, &maker, output)?;
        }
    }
    drop(running);
    if candidates.need_solver() {
        output.note(summary(&maker));
    }
    Ok(ended.unwrap_or(ExitCode::Solved))
}

/// The rating of a puzzle that matches.
fn rate(
    puzzle: &Puzzle,
    features: Option<Box<Features>>,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> RateAnswer {
    let (outcome, _) = solver.solve(puzzle, &budget.left(), &mut NullObserver);
    rate_generated(puzzle, &outcome, features, budget)
}

/// Writes puzzles, or the reason why there are no more.
struct PuzzleWriter<'a> {
    args: &'a Args,
    written: u64,
}

impl PuzzleWriter<'_> {
    /// The exit code, if that was the last attempt.
    fn take(
        &mut self,
        attempt: Attempt,
        rating: Option<RateAnswer>,
        maker: &PuzzleMaker,
        output: &mut Output,
    ) -> anyhow::Result<Option<ExitCode>> {
        match attempt {
            Attempt::NoMatch => Ok(None),
            Attempt::Found(found) => {
                if self.args.json {
                    let mut answer = GenerateAnswer::found(&found, maker);
                    if let Some(rating) = rating {
                        answer.set_rating(*found.puzzle, rating);
                    }
                    output.json(&answer)?;
                } else {
                    self.write(&found.puzzle, output)?;
                }
                Ok(None)
            }
            Attempt::GaveUp(why) => {
                if self.args.json {
                    output.json(&GenerateAnswer::limit(maker, &why))?;
                }
                let why = match maker.method() {
                    Method::Tried => format!(
                        "{} in a row {} not match",
                        count_candidates(maker.tried_since()),
                        if maker.tried_since() == 1 {
                            "does"
                        } else {
                            "do"
                        }
                    ),
                    Method::Drawn => why.to_string(),
                };
                output.error(format_args!("gave up: {why} (see --patience)"));
                Ok(Some(ExitCode::Limit))
            }
            Attempt::Stopped(limit) => {
                if self.args.json {
                    output.json(&GenerateAnswer::limit(maker, &limit))?;
                }
                if limit == Limit::Cancelled {
                    return Ok(Some(ExitCode::Interrupted));
                }
                output.error(format_args!("gave up: {limit}"));
                Ok(Some(ExitCode::Limit))
            }
        }
    }

    fn write(&mut self, puzzle: &Puzzle, output: &mut Output) -> anyhow::Result<()> {
        // If the format cannot express one puzzle, it will not express the next.
        let text = formats::write(self.args.to, puzzle)?.text;
        let blank = if self.written == 0 || self.args.to.is_one_line() {
            ""
        } else {
            "\n"
        };
        self.written += 1;
        output.data(format_args!("{blank}{text}\n"))?;
        Ok(())
    }
}

impl Args {
    /// The request to the service for such puzzles.
    fn request(&self) -> Generate {
        Generate {
            layout: self.board.layout.map(|layout| layout.to_string()),
            edition: self.board.edition,
            size: self.board.size,
            diagonals: self.board.diagonals,
            robots: self.robot_count,
            who: self.who,
            any_cell: self.any_cell,
            must_ricochet: self.must_ricochet,
            moves: self.filter.length,
            unique: self.filter.unique,
            robots_used: self.filter.robots_used,
            difficulty: self.filter.difficulty,
            rating: self.filter.rating,
            themes: self.filter.themes.clone(),
            ..Generate::default()
        }
    }
}

fn parse_size(text: &str) -> Result<[usize; 2], String> {
    let parsed = text
        .split_once(['x', 'X', '×'])
        .and_then(|(width, height)| Some([width.parse().ok()?, height.parse().ok()?]));
    parsed.ok_or_else(|| {
        format!("'{text}' is not a valid size: expected WIDTHxHEIGHT, such as 12x10")
    })
}

/// Reads `8`, `8..12`, `8..=12`, `8..` or `..12`; both ends are included.
fn parse_range(text: &str) -> Result<[u32; 2], String> {
    let expected = || format!("'{text}' is not a valid range: expected 8, 8..12, 8.. or ..12");
    let number = |text: &str, default: u32| {
        if text.is_empty() {
            Ok(default)
        } else {
            text.parse().map_err(|_| expected())
        }
    };
    let range = match text.split_once("..") {
        None => {
            let exact = text.parse().map_err(|_| expected())?;
            [exact, exact]
        }
        Some((from, to)) => {
            let to = to.strip_prefix('=').unwrap_or(to);
            [number(from, 0)?, number(to, u32::MAX)?]
        }
    };
    if range[0] > range[1] {
        return Err(format!(
            "'{text}' is an empty range: the lower end must not exceed the upper one"
        ));
    }
    Ok(range)
}

/// A range of ratings, written like one of lengths.
fn parse_rating(text: &str) -> Result<[i32; 2], String> {
    let [least, most] = parse_range(text)?;
    let rating = |it: u32| i32::try_from(it).unwrap_or(i32::MAX);
    Ok([rating(least), rating(most)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_include_both_ends() {
        assert_eq!(parse_range("8..12"), Ok([8, 12]));
        assert_eq!(parse_range("8..=12"), Ok([8, 12]));
        assert_eq!(parse_range("8"), Ok([8, 8]));
        assert_eq!(parse_range("8.."), Ok([8, u32::MAX]));
        assert_eq!(parse_range("..12"), Ok([0, 12]));
        for bad in ["", "a", "12..8", "-1", "1..2..3"] {
            assert!(parse_range(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn sizes() {
        assert_eq!(parse_size("12x10"), Ok([12, 10]));
        for bad in ["", "12", "x", "12x", "axb", "-1x3"] {
            assert!(parse_size(bad).is_err(), "{bad}");
        }
    }
}
