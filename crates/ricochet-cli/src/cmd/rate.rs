//! `ricochet rate`

use ricochet_solve::difficulty::Profile;
use ricochet_solve::{Limit, Outcome};
use serde::Serialize;

use crate::answer::Answer;
use crate::exit_code::ExitCode;
use crate::input::ReadArgs;
use crate::limits::LimitArgs;
use crate::output::Output;
use crate::plain::Plain;
use crate::solver_args::SolverArgs;
use crate::units::thousands;
use crate::walk::Walk;
use ricochet_service::narrate::plural;

/// Say how hard puzzles are, from things that can be counted
///
/// The difficulty is a number of bits: -log2 of the chance that random moves reach the goal with at
/// most one move more than necessary, and one for each helper move that no shortest solution can do
/// without. Under 12 bits is easy, under 20 medium, under 30 hard, the rest expert.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Files, directories, notation, DriftingDroids IDs, URLs, corpora such as random or random:2; -
    /// or none for standard input
    #[arg(value_name = "PUZZLE")]
    puzzles: Vec<String>,

    /// One JSON object a line; "difficulty" is null where "outcome" says why
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    solver: SolverArgs,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    read: ReadArgs,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> anyhow::Result<ExitCode> {
    let mut solver = args.solver.with_all_cores()?;
    let walk = Walk::new(&args.puzzles, args.read, args.json)?;
    let limits = args.limits.limits(1, Some(walk.cancel()));
    walk.each(output, |read, output| {
        let answer = Answer::watched(solver.as_mut(), read, &limits, output);
        let profile = match &answer.outcome {
            Outcome::Solved {
                solution,
                optimal: true,
                ..
            } => {
                let rest = limits.after(solver.as_mut(), &answer.stats);
                Profile::of(&answer.puzzle, solution.len() as u32, &rest)
            }
            _ => Ok(None),
        };
        let (code, text) = match &profile {
            Ok(Some(profile)) => (ExitCode::Solved, described(profile)),
            Ok(None) if answer.outcome.solution().is_some() => (
                ExitCode::Limit,
                "only a proven optimum can be rated".to_owned(),
            ),
            Ok(None) => (answer.exit_code(), answer.verdict()),
            Err(stopped) => (
                match stopped.limit {
                    Limit::Cancelled => ExitCode::Interrupted,
                    _ => ExitCode::Limit,
                },
                format!("{} reached before all ways were seen", stopped.limit),
            ),
        };
        if args.json {
            let profile = profile.as_ref().ok().and_then(Option::as_ref);
            output.json(&Line::of(&answer, profile))?;
        } else {
            output.record(format_args!("{}: {text}\n", Plain(&answer.id)))?;
        }
        Ok(code)
    })
}

/// `hard (13.4 bits): 9 moves, 3 of helpers, 2 robots, 4 shortest solutions`
pub(crate) fn described(profile: &Profile) -> String {
    let solutions = match profile.solutions {
        1 => "one shortest solution".to_owned(),
        u64::MAX => "countless shortest solutions".to_owned(),
        n => format!("{} shortest solutions", thousands(n)),
    };
    format!(
        "{} ({:.1} bits): {}, at least {} of helpers, {}, {solutions}",
        profile.difficulty(),
        profile.bits,
        plural(profile.length as usize, "move"),
        profile.helper_moves,
        plural(profile.robots as usize, "robot"),
    )
}

/// The line of `rate --json`: all keys are always there, null where a puzzle was not rated.
#[derive(Serialize)]
struct Line<'a> {
    id: &'a str,
    outcome: &'static str,
    difficulty: Option<&'static str>,
    bits: Option<f64>,
    length: Option<u32>,
    solutions: Option<u64>,
    robots: Option<u32>,
    helper_moves: Option<u32>,
}

impl<'a> Line<'a> {
    fn of(answer: &'a Answer, profile: Option<&Profile>) -> Self {
        let length = answer.outcome.solution().map(|it| it.len() as u32);
        Self {
            id: &answer.id,
            outcome: match (&answer.outcome, profile) {
                // Solved, but nobody proved that this is a shortest solution: no limit is to blame.
                (Outcome::Solved { optimal: false, .. }, _) => "unproven",
                // Solved, but not rated: a limit ended the rest of the work.
                (Outcome::Solved { .. }, None) => "limit",
                (outcome, _) => outcome.name(),
            },
            difficulty: profile.map(|it| it.difficulty().name()),
            bits: profile.map(|it| (it.bits * 1000.0).round() / 1000.0),
            length: profile.map(|it| it.length).or(length),
            solutions: profile.map(|it| it.solutions),
            robots: profile.map(|it| it.robots),
            helper_moves: profile.map(|it| it.helper_moves),
        }
    }
}
