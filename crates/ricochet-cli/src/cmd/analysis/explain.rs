//! `ricochet explain`

use ricochet_core::Solution;
use ricochet_solve::Outcome;

use crate::answer::{Answer, WithId};
use crate::args::search::SearchArgs;
use crate::exit_code::ExitCode;
use crate::term::output::Output;
use crate::term::plain::Plain;
use ricochet_core::describe::{parse_moves, task};
use ricochet_service::questions::check::CheckAnswer;
use ricochet_service::questions::explain::ExplainAnswer;

/// Explain a solution in words: each move, what stops the robot, and why the other robots move
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Explain these moves, such as 'RN GE', instead of a solver's
    #[arg(long, value_name = "MOVES", value_parser = parse_moves)]
    moves: Option<Solution>,

    /// Print one JSON object per line
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    search: SearchArgs,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> anyhow::Result<ExitCode> {
    let mut solver = args.search.solver.build_reproducible()?;
    let (batch, limits) = args.search.batch(args.json)?;
    let mut first = true;
    batch.each(output, |read, output| {
        let title = read.title().map(str::to_owned);
        let name = read.name.clone();
        let (puzzle, id, outcome, verdict, code) = if let Some(moves) = &args.moves {
            let outcome = Outcome::Solved {
                solution: moves.clone(),
                optimal: false,
                lower_bound: 0,
            };
            (
                read.puzzle,
                read.id,
                outcome,
                String::new(),
                ExitCode::Solved,
            )
        } else {
            let answer = Answer::solve_with_progress(solver.as_mut(), read, &limits, output);
            let (verdict, code) = (answer.verdict(), answer.exit_code());
            (answer.puzzle, answer.id, answer.outcome, verdict, code)
        };
        let replay = outcome.solution().map(|solution| solution.replay(&puzzle));
        if args.json {
            let Ok(trace) = replay.transpose() else {
                let moves = args.moves.as_ref().map_or(&[][..], Solution::moves);
                let answer = CheckAnswer::of(&puzzle, moves);
                output.json(&WithId { id: &id, answer })?;
                return Ok(ExitCode::Unsolvable);
            };
            let answer = ExplainAnswer::of(&puzzle, &outcome, trace.as_ref());
            output.json(&WithId { id: &id, answer })?;
            return Ok(code);
        }
        if !first {
            output.record("\n")?;
        }
        first = false;
        if let Some(title) = &title {
            output.record(format_args!("{}\n", Plain(title)))?;
        }
        match replay {
            Some(Ok(trace)) => {
                output.sentences(ExplainAnswer::of(&puzzle, &outcome, Some(&trace)))?;
            }
            Some(Err(error)) => {
                output.error(format_args!("{}: {error}", Plain(&name)));
                return Ok(ExitCode::Unsolvable);
            }
            None => output.sentences(format_args!("{}\n{verdict}\n", task(&puzzle)))?,
        }
        Ok(code)
    })
}
