//! `ricochet hint`

use crate::answer::{Answer, WithId};
use crate::args::search::SearchArgs;
use crate::args::whole_number::whole_number;
use crate::exit_code::ExitCode;
use crate::term::output::Output;
use crate::term::plain::Plain;
use ricochet_service::questions::hint::HintAnswer;

/// Give a hint; a higher --level says more
///
/// The levels add: (1) an upper bound on the number of moves, such as 'solvable in fewer than 8 moves'; (2) the
/// exact number; (3) which robots move in one shortest solution; (4) its first move.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// How much to reveal, 1 to 4
    #[arg(long, short, value_name = "1..4", default_value_t = 1, value_parser = whole_number::<u8>(1..=4))]
    level: u8,

    /// Print one JSON object per line; what the level does not reveal is null
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    search: SearchArgs,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> anyhow::Result<ExitCode> {
    let mut solver = args.search.solver.build_reproducible()?;
    let (batch, limits) = args.search.batch(args.json)?;
    let mut has_moves = false;
    let code = batch.each(output, |read, output| {
        let name = read.title().map(|title| format!("{}: ", Plain(title)));
        let answer = Answer::solve_with_progress(solver.as_mut(), read, &limits, output);
        let hint = HintAnswer::on(&answer.outcome, args.level);
        has_moves |= answer.outcome.solution().is_some_and(|it| !it.is_empty());
        if args.json {
            output.json(&WithId {
                id: &answer.id,
                answer: hint,
            })?;
        } else {
            let text = match hint.sentences.join("\n") {
                none if none.is_empty() => answer.verdict(),
                sentences => sentences,
            };
            output.sentences(name.unwrap_or_default() + &text + "\n")?;
        }
        Ok(answer.exit_code())
    })?;
    if args.level < 4 && code == ExitCode::Solved && has_moves && !args.json {
        output.note(format_args!("--level {} says more", args.level + 1));
    }
    Ok(code)
}
