//! `ricochet generate`

use std::collections::HashSet;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::ops::{ControlFlow, RangeInclusive};
use std::sync::Mutex;

use anyhow::ensure;
use ricochet::formats::{self, Format};
use ricochet::generate::{BoardWish, GenerateError, RandomBoard, Recipe, WhereWish, WhoWish};
use ricochet::quadrants::{Edition, Layout};
use ricochet::{Puzzle, Robot, Rules, Solution};
use ricochet_solve::all::all_of_length;
use ricochet_solve::difficulty::{Difficulty, Profile};
use ricochet_solve::{Limit, Limits, Outcome, Silent, Solver};

use crate::cmd::convert::format_parser;
use crate::cmd::solve::all_cores;
use crate::exit_code::ExitCode;
use crate::interrupt::cancel_on_interrupt;
use crate::ordered::ordered;
use crate::output::Output;
use crate::solver_args::SolverArgs;
use crate::units::thousands;
use ricochet_service::narrate::plural;

/// Make puzzles: the same seed always gives the same puzzles
///
/// Candidates are made one after the other until enough of them match; standard error says how many
/// were tried. The name of a puzzle has its seed and number: --seed 7 --start 42
/// --count 1 makes S7-42 again.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    board: BoardArgs,

    /// Number of robots, 1 to 8. Default: 4
    #[arg(long, short, value_name = "N")]
    robots: Option<usize>,

    /// Who has to arrive: red, green, …, any (the vortex), or one (some one robot)
    #[arg(long, value_name = "WHO", value_parser = parse_who)]
    who: Option<WhoWish>,

    /// Let any open cell be the target, not only printed ones
    #[arg(long)]
    any_cell: bool,

    /// Seed; a random one if it is not given
    #[arg(long, short, value_name = "S")]
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

    /// Ask that the robot that arrives has turned at a right angle at least once
    #[arg(long)]
    must_ricochet: bool,

    #[command(flatten)]
    wish: WishArgs,

    /// Threads that look at candidates, 1 to 1024. Default: all cores
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

/// Which board.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Board")]
struct BoardArgs {
    /// This official layout: four sides in the order NW NE SE SW, such as '1A 4B 3B 2B'
    #[arg(long, value_name = "SIDES", conflicts_with_all = ["edition", "size"])]
    layout: Option<Layout>,

    /// Random layouts of this edition. Default: 1999
    #[arg(long, value_name = "YEAR", conflicts_with = "size")]
    edition: Option<EditionName>,

    /// Random walls on a board of this size, in the manner of the official ones: 12x10
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    size: Option<(usize, usize)>,

    /// Diagonals on a board of random walls
    #[arg(long, value_name = "N", requires = "size", conflicts_with_all = ["edition", "layout"])]
    diagonals: Option<usize>,
}

/// What the puzzles should be like; each of these needs a solver's look at every candidate.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Wishes")]
struct WishArgs {
    /// Length of a shortest solution: 8, 8..12, 8.. or ..12, both ends included
    #[arg(long, value_name = "RANGE", value_parser = parse_range)]
    length: Option<RangeInclusive<u32>>,

    /// Exactly one shortest solution
    #[arg(long)]
    unique: bool,

    /// Fewest robots that have to move in a shortest solution
    #[arg(long, value_name = "N")]
    robots_used: Option<u32>,

    /// Difficulty, from length, helper moves and the branching of near-optimal ways: see
    /// `ricochet help rate`
    #[arg(long, value_name = "GRADE")]
    difficulty: Option<Grade>,

    /// Give up after this many candidates in a row that do not match
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    patience: u64,
}

/// The editions that have layouts of their own.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum EditionName {
    /// Sides A and B: 96 layouts
    #[value(name = "1999")]
    Of1999,
    /// Sides A to D, with diagonals: 1,536 layouts
    #[value(name = "2013")]
    Of2013,
}

/// The grades of difficulty.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Grade {
    /// Under 12 bits
    Easy,
    /// 12 to 20 bits
    Medium,
    /// 20 to 30 bits
    Hard,
    /// 30 bits and more
    Expert,
}

impl From<Grade> for Difficulty {
    fn from(grade: Grade) -> Self {
        match grade {
            Grade::Easy => Self::Easy,
            Grade::Medium => Self::Medium,
            Grade::Hard => Self::Hard,
            Grade::Expert => Self::Expert,
        }
    }
}

pub(crate) fn run(args: &Args, output: &mut Output) -> anyhow::Result<ExitCode> {
    let recipe = args.recipe();
    recipe.check()?;
    if let Some(wanted) = args.wish.robots_used {
        ensure!(
            wanted as usize <= recipe.robots,
            "--robots-used {wanted} cannot be: there {} only {}",
            if recipe.robots == 1 { "is" } else { "are" },
            plural(recipe.robots, "robot")
        );
    }
    let seed = args.seed.unwrap_or_else(|| {
        // Short enough to be typed again.
        let seed = RandomState::new().hash_one("seed") % 1_000_000_000;
        output.note(format_args!("seed {seed}"));
        seed
    });
    let threads = args.threads.map_or_else(all_cores, usize::from);
    let threads = if args.wish.needs_a_solver() {
        threads
    } else {
        1
    };
    let cancel = cancel_on_interrupt()?;
    let limits = Limits {
        moves: args.wish.length.as_ref().map(|range| *range.end()),
        cancel: Some(cancel.clone()),
        ..Limits::default()
    };
    let solver = SolverArgs::default().spec()?.or_threads(1);
    let solvers: Vec<_> = (0..threads).map(|_| solver.build()).collect();
    let solvers = Mutex::new(solvers);
    let make_worker = || {
        let mut solver = solvers
            .lock()
            .expect("nothing panics while it is held")
            .pop()
            .expect("one for each worker");
        let (recipe, limits) = (&recipe, &limits);
        move |number: u64| -> Result<Verdict, GenerateError> {
            match recipe.puzzle(seed, number) {
                Ok(candidate) => {
                    let candidate = candidate.with_id(format!("S{seed}-{number}"));
                    Ok(args.wish.look(candidate, solver.as_mut(), limits))
                }
                // Where much is asked for, bad luck with one number proves nothing.
                Err(error @ GenerateError::NoRoomFor { .. }) => Ok(Verdict::Crowded(error)),
                Err(error) => Err(error),
            }
        }
    };
    let mut search = Search::default();
    let mut code = ExitCode::Solved;
    let mut first = true;
    let numbers = (0..).map(|i| args.start.wrapping_add(i));
    let running = output.progress().start("generating");
    if args.count > 0 {
        ordered(
            numbers,
            threads,
            make_worker,
            |verdict| -> anyhow::Result<_> {
                search.tried += 1;
                search.in_vain += 1;
                output.progress().say(search.summary());
                match verdict? {
                    Verdict::Stopped => {
                        code = ExitCode::Interrupted;
                        return Ok(ControlFlow::Break(()));
                    }
                    Verdict::Dropped => search.crowded = 0,
                    Verdict::Crowded(error) => {
                        search.crowded += 1;
                        if search.crowded > UNLUCKY_NUMBERS {
                            return Err(error.into());
                        }
                    }
                    Verdict::Kept(puzzle) => match formats::write(args.to, &puzzle) {
                        Ok(written) => {
                            search.found += 1;
                            search.in_vain = 0;
                            search.crowded = 0;
                            let blank = if first || args.to.is_one_line() {
                                ""
                            } else {
                                "\n"
                            };
                            first = false;
                            output.data(format_args!("{blank}{}\n", written.text))?;
                        }
                        // The format is the user's choice: the next candidate will not fit either.
                        Err(error) => return Err(error.into()),
                    },
                }
                if search.found < args.count && search.in_vain >= args.wish.patience {
                    output.error(format_args!(
                        "gave up: {} in a row {} not match (see --patience)",
                        candidates(search.in_vain),
                        if search.in_vain == 1 { "does" } else { "do" }
                    ));
                    code = ExitCode::Limit;
                    return Ok(ControlFlow::Break(()));
                }
                if cancel.is_cancelled() && search.found < args.count {
                    code = ExitCode::Interrupted;
                    return Ok(ControlFlow::Break(()));
                }
                Ok(if search.found == args.count {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                })
            },
        )?;
    }
    drop(running);
    if args.wish.needs_a_solver() {
        output.note(search.summary());
    }
    Ok(code)
}

#[derive(Default)]
struct Search {
    tried: u64,
    found: u64,
    /// Candidates since the last one that was kept.
    in_vain: u64,
    /// Numbers since the last candidate for which there was no room on the board.
    crowded: u32,
}

/// So many numbers in a row without room mean that there is none, as in the library.
const UNLUCKY_NUMBERS: u32 = 16;

impl Search {
    /// `2 puzzles of 51 candidates`
    fn summary(&self) -> String {
        let found = plural(self.found as usize, "puzzle");
        format!("{found} of {}", candidates(self.tried))
    }
}

fn candidates(count: u64) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{} candidate{s}", thousands(count))
}

impl Args {
    fn recipe(&self) -> Recipe {
        let board = match (&self.board.layout, self.board.size) {
            (Some(layout), _) => BoardWish::Layout(*layout),
            (None, Some((width, height))) => BoardWish::Random(RandomBoard {
                diagonals: self.board.diagonals,
                ..RandomBoard::new(width, height)
            }),
            (None, None) => BoardWish::Official(match self.board.edition {
                None | Some(EditionName::Of1999) => Edition::Of1999,
                Some(EditionName::Of2013) => Edition::Of2013,
            }),
        };
        let mut recipe = match board {
            // Fewer robots where there is no room for four.
            BoardWish::Random(board) => Recipe::random(board),
            board => Recipe::on(board),
        };
        recipe.robots = self.robots.unwrap_or(recipe.robots);
        recipe.who = self.who.unwrap_or_default();
        if self.any_cell {
            recipe.place = WhereWish::AnyCell;
        }
        recipe.rules = Rules {
            must_ricochet: self.must_ricochet,
        };
        recipe
    }
}

/// What became of a candidate.
enum Verdict {
    Kept(Puzzle),
    Dropped,
    /// What was asked for did not fit on the board of this number.
    Crowded(GenerateError),
    /// Ctrl-C.
    Stopped,
}

impl WishArgs {
    fn needs_a_solver(&self) -> bool {
        self.length.is_some() || self.unique || self.needs_a_profile()
    }

    fn needs_a_profile(&self) -> bool {
        self.difficulty.is_some() || (self.robots_used.is_some() && !self.unique)
    }

    /// Whether one shortest solution leaves it possible that the puzzle is as wished.
    fn may_like(&self, solution: &Solution) -> bool {
        let length = solution.len() as u32;
        let moves = solution.moves().iter();
        let movers: HashSet<Robot> = moves.map(|step| step.robot).collect();
        let movers = movers.len() as u32;
        self.length
            .as_ref()
            .is_none_or(|range| range.contains(&length))
            && self.robots_used.is_none_or(|wanted| {
                // Another solution may need fewer, unless there is to be no other.
                movers == wanted || (movers > wanted && !self.unique)
            })
    }

    /// Keeps a candidate that is as wished, with its optimum.
    fn look(&self, candidate: Puzzle, solver: &mut dyn Solver, limits: &Limits) -> Verdict {
        if !self.needs_a_solver() {
            return Verdict::Kept(candidate);
        }
        let solution = match solver.solve(&candidate, limits, &mut Silent).0 {
            Outcome::Solved { solution, .. } => solution,
            Outcome::LimitReached {
                limit: Limit::Cancelled,
                ..
            } => return Verdict::Stopped,
            _ => return Verdict::Dropped,
        };
        let length = solution.len() as u32;
        if !self.may_like(&solution) {
            return Verdict::Dropped;
        }
        // The move limit is for the solver; what follows looks further.
        let limits = Limits {
            moves: None,
            ..limits.clone()
        };
        // From the cheapest test to the dearest: to count the shortest solutions takes some
        // milliseconds, to look at all ways that are one move longer some hundred.
        if self.unique {
            match all_of_length(&candidate, length, &limits) {
                Ok(Some(all)) if all.count() == 1 => {}
                Err(stopped) if stopped.limit == Limit::Cancelled => return Verdict::Stopped,
                _ => return Verdict::Dropped,
            }
        }
        if self.needs_a_profile() {
            match Profile::of(&candidate, length, &limits) {
                Ok(Some(profile)) if self.likes(&profile) => {}
                Err(stopped) if stopped.limit == Limit::Cancelled => return Verdict::Stopped,
                _ => return Verdict::Dropped,
            }
        }
        Verdict::Kept(candidate.with_optimal(Some(length)))
    }

    fn likes(&self, profile: &Profile) -> bool {
        self.robots_used
            .is_none_or(|robots| profile.robots == robots)
            && self
                .difficulty
                .is_none_or(|grade| profile.difficulty() == grade.into())
    }
}

fn parse_who(text: &str) -> Result<WhoWish, String> {
    match text {
        "any" => Ok(WhoWish::AnyRobot),
        "one" => Ok(WhoWish::OneRobot),
        name => Robot::from_name(name).map(WhoWish::Robot).ok_or_else(|| {
            let names = Robot::ALL.map(Robot::name).join(", ");
            format!("'{name}' is not a robot: expected {names}, any or one")
        }),
    }
}

fn parse_size(text: &str) -> Result<(usize, usize), String> {
    let parsed = text
        .split_once(['x', 'X', '×'])
        .and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    parsed.ok_or_else(|| {
        format!("'{text}' is not a valid size: expected WIDTHxHEIGHT, such as 12x10")
    })
}

/// Reads `8`, `8..12`, `8..=12`, `8..` or `..12`; both ends are included.
fn parse_range(text: &str) -> Result<RangeInclusive<u32>, String> {
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
            exact..=exact
        }
        Some((from, to)) => {
            number(from, 0)?..=number(to.strip_prefix('=').unwrap_or(to), u32::MAX)?
        }
    };
    if range.is_empty() {
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
        assert_eq!(parse_range("8..12"), Ok(8..=12));
        assert_eq!(parse_range("8..=12"), Ok(8..=12));
        assert_eq!(parse_range("8"), Ok(8..=8));
        assert_eq!(parse_range("8.."), Ok(8..=u32::MAX));
        assert_eq!(parse_range("..12"), Ok(0..=12));
        for bad in ["", "a", "12..8", "-1", "1..2..3"] {
            assert!(parse_range(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn sizes() {
        assert_eq!(parse_size("12x10"), Ok((12, 10)));
        for bad in ["", "12", "x", "12x", "axb", "-1x3"] {
            assert!(parse_size(bad).is_err(), "{bad}");
        }
    }
}
