//! `ricochet explain`

use ricochet::{Solution, Trace};
use ricochet_solve::{Outcome, Silent};

use crate::answer::Answer;
use crate::cmd::for_each;
use crate::exit_code::ExitCode;
use crate::input::ReadArgs;
use crate::interrupt::cancel_on_interrupt;
use crate::limits::LimitArgs;
use crate::output::{self, Output};
use crate::solver_args::SolverArgs;
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
    let limits = args.limits.limits(1, Some(cancel_on_interrupt()?));
    let mut worst = ExitCode::Solved;
    let mut first = true;
    let code = for_each(&args.puzzles, args.read, |read| {
        if !first {
            output.record("\n")?;
        }
        first = false;
        if let Some(id) = read.puzzle.id() {
            output.record(format_args!("{id}\n"))?;
        }
        if let Some(moves) = &args.moves {
            match moves.replay(&read.puzzle) {
                Ok(trace) => output.record(narrate(&read.puzzle, &trace, false))?,
                Err(error) => {
                    output::error(format_args!("{}: {error}", read.id));
                    worst = worst.worst(ExitCode::Error);
                }
            }
            return Ok(());
        }
        let answer = Answer::of(solver.as_mut(), read, &limits, &mut Silent);
        worst = worst.worst(answer.exit_code());
        output.record(match &answer.outcome {
            Outcome::Solved {
                solution, optimal, ..
            } => {
                let trace: Trace = solution.replay(&answer.puzzle)?;
                narrate(&answer.puzzle, &trace, *optimal)
            }
            _ => format!("{}\n{}\n", task(&answer.puzzle), answer.verdict()),
        })?;
        Ok(())
    })?;
    Ok(code.worst(worst))
}
