//! `ricochet generate`

use std::ops::ControlFlow;

use anyhow::{bail, ensure};
use ricochet::Puzzle;
use ricochet::formats::{self, Format};
use ricochet::quadrants::Layout;
use ricochet_lab::run::plan::Shard;
use ricochet_service::narrate::plural;
use ricochet_service::questions::generate::{EditionName, Generate, Grade, WhoName};
use ricochet_service::random_seed;
use ricochet_service::wishes::{Candidates, Crowding, Verdict};
use ricochet_solve::mining::{Miner, MiningError};
use ricochet_solve::{Limit, Limits, available_memory};

use crate::cmd::convert::format_parser;
use crate::cmd::solve::all_cores;
use crate::exit_code::ExitCode;
use crate::interrupt::cancel_on_interrupt;
use crate::ordered::ordered;
use crate::output::Output;
use crate::shard_args::ShardArgs;
use crate::solver_args::SolverArgs;
use crate::units::thousands;

/// Make puzzles: the same seed always gives the same puzzles
///
/// Candidates are made one after the other until enough of them match; standard error says how many
/// were tried. The name of a puzzle has its seed and number: --seed 7 --start 42
/// --count 1 makes S7-42 again.
///
/// Long puzzles are rare. When candidates have cost more than the table of all positions of a board
/// and goal, such tables are made of hard ones, and puzzles are drawn from them; standard error says
/// so. Their names have a T and the number of the board and goal: S7-T42-0.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    board: BoardArgs,

    /// Number of robots, 1 to 8. Default: 4
    #[arg(long, value_name = "N")]
    robot_count: Option<usize>,

    /// Who has to arrive: red, green, …, any (the vortex), or one (a single robot of any colour)
    #[arg(long, value_name = "WHO")]
    who: Option<WhoName>,

    /// Let any open cell be the target, not only printed ones
    #[arg(long)]
    any_cell: bool,

    /// The random seed. Default: a new one each time, printed on standard error
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// The number of the first candidate
    #[arg(long, value_name = "N", default_value_t = 0)]
    start: u64,

    /// How many puzzles
    #[arg(long, short = 'n', value_name = "N", default_value_t = 1)]
    count: u64,

    /// The format to write
    #[arg(long, short, value_name = "FORMAT", default_value = "line", value_parser = format_parser())]
    to: Format,

    /// Require at least one turn at a right angle on the way to the target
    #[arg(long)]
    must_ricochet: bool,

    #[command(flatten)]
    wish: WishArgs,

    /// Threads that look at candidates, 1 to 1024. Default: all cores
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    #[command(flatten)]
    parts: ShardArgs,
}

/// Which board.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Board")]
struct BoardArgs {
    /// The sides of the board, north-west first and clockwise, such as "1A 4B 3B 2B"
    #[arg(long, value_name = "SIDES", conflicts_with_all = ["edition", "size"])]
    layout: Option<Layout>,

    /// Random layouts of this edition. Default: 1999
    #[arg(long, value_name = "YEAR", conflicts_with = "size")]
    edition: Option<EditionName>,

    /// Random walls like the official ones on a board of this size, 2x2 to 32x32, such as 12x10
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    size: Option<[usize; 2]>,

    /// With --size: the number of diagonals
    #[arg(long, value_name = "N", requires = "size", conflicts_with_all = ["edition", "layout"])]
    diagonals: Option<usize>,
}

/// What the puzzles should be like; each of these needs a solver's look at every candidate.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Filters")]
struct WishArgs {
    /// Length of a shortest solution: 8, 8..12, 8.. or ..12, both ends included
    #[arg(long, value_name = "RANGE", value_parser = parse_range)]
    length: Option<[u32; 2]>,

    /// Exactly one shortest solution
    #[arg(long)]
    unique: bool,

    /// At least this many robots have to move, 1 to 8
    #[arg(long, value_name = "N")]
    robots_used: Option<u32>,

    /// Difficulty; `ricochet help rate` says how it is measured
    #[arg(long, value_name = "GRADE")]
    difficulty: Option<Grade>,

    /// Give up after this many candidates in a row that do not match
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    patience: u64,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> anyhow::Result<ExitCode> {
    let Some(shard) = args.parts.shard() else {
        return make(args, output, Shard::WHOLE);
    };
    ensure!(
        args.to.is_one_line(),
        "parts have a puzzle a line: {} takes several",
        args.to.name()
    );
    let Some(seed) = args.seed else {
        bail!("--shard needs --seed: all parts have the same one");
    };
    let (request, start, count) = (args.request(), args.start, args.count);
    let (request, to) = (serde_json::to_string(&request)?, args.to.name());
    let task = format!("generate {count} from {start} with seed {seed} as {to}: {request}");
    args.parts
        .run(&task, output, |output| make(args, output, shard))
}

/// Makes the puzzles of a shard: its share of them, from candidates that no other shard looks at.
fn make(args: &Args, output: &mut Output, shard: Shard) -> anyhow::Result<ExitCode> {
    let count = shard.numbers(usize::try_from(args.count)?).count() as u64;
    let seed = args.seed.unwrap_or_else(random_seed);
    let candidates = Candidates::of(&args.request(), seed)?;
    if args.seed.is_none() {
        output.note(format_args!("seed {seed}"));
    }
    let threads = if candidates.need_a_solver() {
        args.threads.map_or_else(all_cores, usize::from)
    } else {
        1
    };
    let cancel = cancel_on_interrupt()?;
    let limits = Limits {
        cancel: Some(cancel.clone()),
        ..Limits::default()
    };
    let solver = SolverArgs::default().spec()?.or_threads(1);
    let make_worker = || {
        let mut solver = solver.build();
        let (candidates, limits) = (&candidates, &limits);
        move |number| candidates.look(number, solver.as_mut(), limits)
    };
    let memory = available_memory().map_or(1 << 30, |bytes| bytes / 10 * 9);
    let mut draws = false;
    let mut tally = CandidateTally {
        worth_a_table: candidates.worth_a_table(memory).unwrap_or(u64::MAX),
        ..CandidateTally::default()
    };
    let mut crowding = Crowding::default();
    let mut code = ExitCode::Solved;
    let (first_number, stride) = (u64::from(shard.index()) - 1, u64::from(shard.count()));
    let numbers = (0_u64..).map(move |i| {
        let own = i.wrapping_mul(stride).wrapping_add(first_number);
        args.start.wrapping_add(own)
    });
    let running = output.progress().start("generating");
    if count > 0 {
        ordered(
            numbers,
            threads,
            make_worker,
            |looked| -> anyhow::Result<_> {
                tally.tried += 1;
                tally.in_vain += 1;
                output.progress().say(tally.summary());
                match crowding.pass(looked)? {
                    Verdict::Stopped => {
                        code = ExitCode::Interrupted;
                        return Ok(ControlFlow::Break(()));
                    }
                    Verdict::Dropped => {}
                    Verdict::Kept(puzzle, _) => {
                        args.write(&puzzle, &mut tally, output)?;
                    }
                }
                if tally.found == count {
                    return Ok(ControlFlow::Break(()));
                }
                if tally.is_better_drawn(count) {
                    draws = true;
                    return Ok(ControlFlow::Break(()));
                }
                if tally.in_vain >= args.wish.patience {
                    output.error(format_args!(
                        "gave up: {} in a row {} not match (see --patience)",
                        counted(tally.in_vain),
                        if tally.in_vain == 1 { "does" } else { "do" }
                    ));
                    code = ExitCode::Limit;
                    return Ok(ControlFlow::Break(()));
                }
                if cancel.is_cancelled() {
                    code = ExitCode::Interrupted;
                    return Ok(ControlFlow::Break(()));
                }
                Ok(ControlFlow::Continue(()))
            },
        )?;
    }
    if draws {
        let limits = Limits {
            memory: Some(memory),
            ..limits
        };
        let mut solver = solver.build();
        let miner = candidates.miner().map(|miner| {
            let first = args.start.wrapping_add(first_number);
            miner.threads(threads).numbers(first, stride)
        });
        if let Some(mut miner) = miner {
            let look = |puzzle| candidates.look_at_drawn(puzzle, solver.as_mut(), &limits);
            code = args.draw(&mut miner, count, &mut tally, &limits, look, output)?;
        }
    }
    drop(running);
    if candidates.need_a_solver() {
        output.note(tally.summary());
    }
    Ok(code)
}

#[derive(Default)]
struct CandidateTally {
    tried: u64,
    found: u64,
    /// Candidates since the last one that was kept.
    in_vain: u64,
    /// Tables that were made to draw puzzles from.
    tables: u64,
    /// So many candidates cost as much as a table.
    worth_a_table: u64,
}

impl CandidateTally {
    /// `2 puzzles of 51 candidates`
    fn summary(&self) -> String {
        let found = plural(self.found as usize, "puzzle");
        let tried = counted(self.tried);
        match self.tables {
            0 => format!("{found} of {tried}"),
            tables => {
                let tables = plural(tables as usize, "table");
                format!("{found} of {tried}, then from {tables} of all positions")
            }
        }
    }

    /// Whether the candidates have cost as much as a table, and those for what is missing would too.
    fn is_better_drawn(&self, wanted: u64) -> bool {
        let each = self.tried / self.found.max(1);
        let missing = wanted.saturating_sub(self.found);
        self.tried > self.worth_a_table && each.saturating_mul(missing) > self.worth_a_table
    }
}

fn counted(candidates: u64) -> String {
    let s = if candidates == 1 { "" } else { "s" };
    format!("{} candidate{s}", thousands(candidates))
}

impl Args {
    fn write(
        &self,
        puzzle: &Puzzle,
        tally: &mut CandidateTally,
        output: &mut Output,
    ) -> anyhow::Result<()> {
        // The format is the user's choice: if one puzzle does not fit, the next will not either.
        let written = formats::write(self.to, puzzle)?;
        let blank = if tally.found == 0 || self.to.is_one_line() {
            ""
        } else {
            "\n"
        };
        tally.found += 1;
        tally.in_vain = 0;
        output.data(format_args!("{blank}{}\n", written.text))?;
        Ok(())
    }

    /// Draws what is missing from tables.
    fn draw(
        &self,
        miner: &mut Miner,
        count: u64,
        tally: &mut CandidateTally,
        limits: &Limits,
        mut look: impl FnMut(Puzzle) -> Verdict,
        output: &mut Output,
    ) -> anyhow::Result<ExitCode> {
        tally.in_vain = 0;
        while tally.found < count {
            output.progress().say(tally.summary());
            let drawn = miner.next(limits);
            tally.tables = miner.tables();
            let verdict = match drawn {
                Ok(puzzle) => look(puzzle),
                Err(MiningError::Stopped(Limit::Cancelled)) => Verdict::Stopped,
                Err(MiningError::Nothing(tables)) => {
                    // A table that has nothing counts as the candidates that it costs.
                    let cost = tables.saturating_mul(tally.worth_a_table);
                    tally.in_vain = tally.in_vain.saturating_add(cost);
                    if tables > 0 && tally.in_vain < self.wish.patience {
                        continue;
                    }
                    let tables = plural(tally.tables as usize, "table");
                    output.error(format_args!(
                        "gave up: no such position in {tables} of all positions (see --patience)"
                    ));
                    return Ok(ExitCode::Limit);
                }
                Err(error @ MiningError::Stopped(_)) => {
                    output.error(format_args!("gave up: {error}"));
                    return Ok(ExitCode::Limit);
                }
                Err(error) => return Err(error.into()),
            };
            match verdict {
                Verdict::Kept(puzzle, _) => self.write(&puzzle, tally, output)?,
                Verdict::Stopped => return Ok(ExitCode::Interrupted),
                Verdict::Dropped => {
                    tally.in_vain += 1;
                    if tally.in_vain >= self.wish.patience {
                        output.error("gave up: none of those drawn match (see --patience)");
                        return Ok(ExitCode::Limit);
                    }
                }
            }
        }
        Ok(ExitCode::Solved)
    }

    /// The service's question for such puzzles.
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
            moves: self.wish.length,
            unique: self.wish.unique,
            robots_used: self.wish.robots_used,
            difficulty: self.wish.difficulty,
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
            "'{text}' is empty: the first end must not be greater"
        ));
    }
    Ok(range)
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
