//! `ricochet explain`

use ricochet::{Solution, Trace};
use ricochet_solve::Outcome;

use crate::answer::Answer;
use crate::exit_code::ExitCode;
use crate::input::ReadArgs;
use crate::limits::LimitArgs;
use crate::output::Output;
use crate::plain::Plain;
use crate::solver_args::SolverArgs;
use crate::walk::Walk;
use ricochet_service::narrate::{narrate, task};

/// Tell a solution in sentences: who moves where, what stops it, which helper was placed for what
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Files, directories, notation, DriftingDroids IDs, URLs, corpora such as random or random:2; -
    /// or none for standard input
    #[arg(value_name = "PUZZLE")]
    puzzles: Vec<String>,

    /// Explain these moves instead of a solver's, such as 'RN GE'
    #[arg(long, value_name = "MOVES")]
    moves: Option<Solution>,

    #[command(flatten)]
    solver: SolverArgs,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    read: ReadArgs,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> anyhow::Result<ExitCode> {
    let mut solver = args.solver.for_people()?;
    let walk = Walk::new(&args.puzzles, args.read, false)?;
    let limits = args.limits.limits(1, Some(walk.cancel()));
    let mut first = true;
    walk.each(output, |read, output| {
        if !first {
            output.record("\n")?;
        }
        first = false;
        if let Some(id) = read.puzzle.id() {
            output.record(format_args!("{}\n", Plain(id)))?;
        }
        if let Some(moves) = &args.moves {
            return Ok(match moves.replay(&read.puzzle) {
                Ok(trace) => {
                    output.record(narrate(&read.puzzle, &trace, false))?;
                    ExitCode::Solved
                }
                Err(error) => {
                    output.error(format_args!("{}: {error}", Plain(&read.id)));
                    ExitCode::Error
                }
            });
        }
        let answer = Answer::watched(solver.as_mut(), read, &limits, output);
        output.record(match &answer.outcome {
            Outcome::Solved {
                solution, optimal, ..
            } => {
                let trace: Trace = solution.replay(&answer.puzzle)?;
                narrate(&answer.puzzle, &trace, *optimal)
            }
            _ => format!("{}\n{}\n", task(&answer.puzzle), answer.verdict()),
        })?;
        Ok(answer.exit_code())
    })
}
