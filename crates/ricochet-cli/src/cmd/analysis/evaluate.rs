//! `ricochet evaluate`

use std::fmt::Write;

use anstyle::Style;
use ricochet_core::Solution;
use ricochet_core::describe::parse_moves;
use ricochet_core::describe::plural;
use ricochet_service::questions::position::{PositionAnswer, PositionMove, PositionOutcome};
use ricochet_service::{Call, Policy};
use ricochet_solve::evaluate::Evaluator;

use crate::answer::WithId;
use crate::args::limits::LimitArgs;
use crate::args::puzzles::PuzzlesArgs;
use crate::batch::all_cores;
use crate::exit_code::ExitCode;
use crate::term::output::Output;
use crate::term::plain::Plain;
use crate::term::units::thousands;

/// Show how many moves are left after every legal move, best first
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Evaluate the position after these moves, such as 'RN GE'
    #[arg(long, value_name = "MOVES", value_parser = parse_moves)]
    moves: Option<Solution>,

    /// Print one JSON object per line; unknown values are null
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    puzzles: PuzzlesArgs,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> anyhow::Result<ExitCode> {
    let batch = args.puzzles.batch(args.json)?;
    let cancel = batch.cancel();
    let limits = args.limits.limits(1, Some(cancel.clone()));
    let played = args.moves.as_ref().map_or(&[][..], Solution::moves);
    let (policy, mut evaluator) = (Policy::unlimited(all_cores() as u32), Evaluator::new());
    batch.each(output, |read, output| {
        let line = output.progress().clone();
        let mut call = Call::new(&policy)
            .cancel_with(&cancel)
            .with_evaluator(&mut evaluator)
            .on_progress(|progress| {
                let known = progress.position.iter().flat_map(|it| &it.moves);
                let known = known.filter(|it| it.outcome != PositionOutcome::Limit);
                line.set_message(format!(
                    "{}: at least {} moves needed, {} moves evaluated, {} nodes",
                    Plain(&read.name),
                    progress.lower_bound.unwrap_or(0),
                    known.count(),
                    thousands(progress.nodes)
                ));
            });
        let answer = PositionAnswer::on(&mut call, &read.puzzle, played, limits.clone())?;
        drop(call);
        let unknown = |it: &PositionMove| it.outcome == PositionOutcome::Limit;
        let code = match answer.outcome {
            PositionOutcome::Unsolvable => ExitCode::Unsolvable,
            PositionOutcome::Solved if !answer.moves.iter().any(unknown) => ExitCode::Solved,
            _ if cancel.is_cancelled() => ExitCode::Interrupted,
            _ => ExitCode::Limit,
        };
        if args.json {
            output.json(&WithId {
                id: &read.id,
                answer,
            })?;
        } else {
            output.sentences(page(&read.name, &answer))?;
        }
        Ok(code)
    })
}

fn page(name: &str, answer: &PositionAnswer) -> String {
    let bold = Style::new().bold();
    let far = match answer.distance {
        Some(0) => "solved, 0 moves left".to_owned(),
        _ => how_far(answer.outcome, answer.lower_bound),
    };
    let mut page = format!("{bold}{}{bold:#}: {far}", Plain(name));
    if let Some(solution) = &answer.solution
        && !solution.0.is_empty()
    {
        let _ = write!(page, ": {}", Solution::new(solution.0.clone()));
    }
    page.push('\n');
    for it in &answer.moves {
        let far = how_far(it.outcome, it.lower_bound);
        let best = if it.best { ", best" } else { "" };
        let _ = writeln!(page, "  {}  {far}{best}", it.play.0);
    }
    if let Some(limit) = &answer.limit {
        let _ = writeln!(page, "{limit} reached before everything was known");
    }
    page
}

fn how_far(outcome: PositionOutcome, bound: Option<u32>) -> String {
    let moves = plural(bound.unwrap_or(0) as usize, "move");
    match outcome {
        PositionOutcome::Solved => moves,
        PositionOutcome::Limit => format!("at least {moves}"),
        PositionOutcome::Unsolvable => "unsolvable".to_owned(),
    }
}
