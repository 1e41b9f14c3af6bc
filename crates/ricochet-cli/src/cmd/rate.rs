//! `ricochet rate`

use ricochet_solve::difficulty::Profile;
use ricochet_solve::{Outcome, Silent};
use serde::Serialize;

use crate::answer::Answer;
use crate::cmd::for_each;
use crate::exit_code::ExitCode;
use crate::input::ReadArgs;
use crate::interrupt::cancel_on_interrupt;
use crate::limits::LimitArgs;
use crate::narrate::plural;
use crate::output::Output;
use crate::solver_args::SolverArgs;
use crate::units::thousands;

/// Say how hard puzzles are, from things that can be counted
///
/// The difficulty is a number of bits: -log2 of the chance that random moves reach the goal with at
/// most one move more than necessary, and one for each helper move that no shortest solution can do
/// without. Under 12 bits is easy, under 20 medium, under 30 hard, the rest expert.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Files, directories, notation, DriftingDroids IDs, URLs; - or none for standard input
    #[arg(value_name = "PUZZLE")]
    puzzles: Vec<String>,

    /// One JSON object a line
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
    let limits = args.limits.limits(1, Some(cancel_on_interrupt()?));
    let mut worst = ExitCode::Solved;
    let code = for_each(&args.puzzles, args.read, |read| {
        let answer = Answer::of(solver.as_mut(), read, &limits, &mut Silent);
        let profile = match &answer.outcome {
            Outcome::Solved {
                solution,
                optimal: true,
                ..
            } => Profile::of(&answer.puzzle, solution.len() as u32, &limits),
            _ => Ok(None),
        };
        let text = match profile {
            Ok(Some(profile)) if args.json => {
                serde_json::to_string(&Line::of(&answer.id, &profile))?
            }
            Ok(Some(profile)) => format!("{}: {}", answer.id, described(&profile)),
            Ok(None) if answer.outcome.solution().is_some() => {
                worst = worst.worst(ExitCode::Limit);
                format!("{}: only a proven optimum can be rated", answer.id)
            }
            Ok(None) => {
                worst = worst.worst(answer.exit_code());
                format!("{}: {}", answer.id, answer.verdict())
            }
            Err(limit) => {
                worst = worst.worst(ExitCode::Limit);
                format!("{}: {limit} reached before all ways were seen", answer.id)
            }
        };
        output.record(text + "\n")?;
        Ok(())
    })?;
    Ok(code.worst(worst))
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

#[derive(Serialize)]
struct Line<'a> {
    id: &'a str,
    difficulty: &'static str,
    bits: f64,
    length: u32,
    solutions: u64,
    robots: u32,
    helper_moves: u32,
}

impl<'a> Line<'a> {
    fn of(id: &'a str, profile: &Profile) -> Self {
        Self {
            id,
            difficulty: profile.difficulty().name(),
            bits: (profile.bits * 1000.0).round() / 1000.0,
            length: profile.length,
            solutions: profile.solutions,
            robots: profile.robots,
            helper_moves: profile.helper_moves,
        }
    }
}
