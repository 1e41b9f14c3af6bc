//! `ricochet rate`

use ricochet_solve::difficulty::Profile;
use ricochet_solve::{Budget, Limit, Limits, NodeCount, Outcome};

use crate::answer::Answer;
use crate::args::search::SearchArgs;
use crate::exit_code::ExitCode;
use crate::term::output::Output;
use crate::term::plain::Plain;
use crate::term::units::thousands;
use ricochet_core::describe::plural;
use ricochet_service::questions::rate::RateAnswer;

/// Rate how hard puzzles are
///
/// The difficulty is a number of bits: -log2 of the chance that random moves reach the goal with at
/// most one move more than necessary, plus one for each helper move that every shortest solution
/// needs. Under 12 bits is easy, under 20 medium, under 30 hard, the rest expert.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Print one JSON object per line; "difficulty" is null if there is no proven shortest solution
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    search: SearchArgs,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> anyhow::Result<ExitCode> {
    let mut solver = args.search.solver.build_with_all_cores()?;
    let (batch, limits) = args.search.batch(args.json)?;
    batch.each(output, |read, output| {
        let answer = Answer::solve_with_progress(solver.as_mut(), read, &limits, output);
        let profile = match &answer.outcome {
            Outcome::Solved {
                solution,
                optimal: true,
                ..
            } => {
                let count = NodeCount::default();
                let rest = Limits {
                    count: Some(count.clone()),
                    ..Budget::after_search(&limits, solver.as_mut(), &answer.stats).left()
                };
                let solved = format!(
                    "{}: {} needed, rating",
                    Plain(&answer.name),
                    plural(solution.len(), "move")
                );
                output.progress().set_message_source(move || {
                    format!("{solved}, {} nodes", thousands(count.get()))
                });
                Profile::of(&answer.puzzle, solution.len() as u32, &rest)
            }
            _ => Ok(None),
        };
        let (code, text) = match &profile {
            Ok(Some(profile)) => (ExitCode::Solved, describe(profile)),
            Ok(None) if answer.outcome.solution().is_some() => (
                ExitCode::Limit,
                format!("{}: only a proven optimum can be rated", answer.verdict()),
            ),
            Ok(None) => (answer.exit_code(), answer.verdict()),
            Err(stopped) if stopped.limit == Limit::Cancelled => {
                (ExitCode::Interrupted, "stopped".to_owned())
            }
            Err(stopped) => (
                ExitCode::Limit,
                format!("{} reached before all paths were examined", stopped.limit),
            ),
        };
        if args.json {
            let profile = profile.as_ref().ok().and_then(Option::as_ref);
            output.json(&RateAnswer::of(&answer.id, &answer.outcome, profile))?;
        } else {
            output.sentences(format_args!("{}: {text}\n", Plain(&answer.name)))?;
        }
        Ok(code)
    })
}

/// `hard (13.4 bits): 9 moves, at least 3 by helpers, 2 robots, 4 shortest solutions`
pub(crate) fn describe(profile: &Profile) -> String {
    let solutions = match profile.solutions {
        1 => "one shortest solution".to_owned(),
        u64::MAX => "countless shortest solutions".to_owned(),
        n => format!("{} shortest solutions", thousands(n)),
    };
    let helpers = match profile.helper_moves {
        0 => String::new(),
        moves => format!("at least {moves} by helpers, "),
    };
    format!(
        "{} ({:.1} bits): {}, {helpers}{}, {solutions}",
        profile.difficulty(),
        profile.bits,
        plural(profile.length as usize, "move"),
        plural(profile.robots as usize, "robot"),
    )
}
