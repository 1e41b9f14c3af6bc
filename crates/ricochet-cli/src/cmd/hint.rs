//! `ricochet hint`

use std::fmt::Write;

use ricochet::{Robot, Solution};
use ricochet_solve::Outcome;

use crate::answer::Answer;
use crate::exit_code::ExitCode;
use crate::input::ReadArgs;
use crate::limits::LimitArgs;
use crate::output::Output;
use crate::plain::Plain;
use crate::solver_args::SolverArgs;
use crate::walk::Walk;
use ricochet_service::narrate::{listed, plural};

/// Help a little: how long, who moves, what comes first
///
/// Each level says one thing more: 1 a rough length ('solvable in under 8'), 2 the length, 3 which
/// robots move in one shortest solution, 4 its first move.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Files, directories, notation, DriftingDroids IDs, URLs, corpora such as random or random:2; -
    /// or none for standard input
    #[arg(value_name = "PUZZLE")]
    puzzles: Vec<String>,

    /// How much to say
    #[arg(long, short, value_name = "1..4", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=4))]
    level: u8,

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
    let code = walk.each(output, |read, output| {
        let name = read.puzzle.id().map(|id| format!("{}: ", Plain(id)));
        let answer = Answer::watched(solver.as_mut(), read, &limits, output);
        let text = match &answer.outcome {
            Outcome::Solved {
                solution, optimal, ..
            } => hint(solution, *optimal, args.level),
            _ => format!("{}\n", answer.verdict()),
        };
        output.record(name.unwrap_or_default() + &text)?;
        Ok(answer.exit_code())
    })?;
    if args.level < 4 && code == ExitCode::Solved {
        output.note(format_args!("--level {} says more", args.level + 1));
    }
    Ok(code)
}

/// The hints up to a level, one a line.
fn hint(solution: &Solution, optimal: bool, level: u8) -> String {
    let Some(first) = solution.moves().first() else {
        return "Nothing to do: it is there already.\n".to_owned();
    };
    let mut text = format!("Solvable in under {} moves.\n", ceiling(solution.len()));
    if level >= 2 {
        let _ = if optimal {
            writeln!(
                text,
                "The shortest solution has {}.",
                plural(solution.len(), "move")
            )
        } else {
            writeln!(
                text,
                "There is a solution of {}.",
                plural(solution.len(), "move")
            )
        };
    }
    if level >= 3 {
        let mut robots: Vec<Robot> = solution.moves().iter().map(|step| step.robot).collect();
        robots.sort_unstable();
        robots.dedup();
        let names: Vec<String> = robots.iter().map(ToString::to_string).collect();
        let verb = if names.len() == 1 { "moves" } else { "move" };
        let _ = writeln!(text, "In it, {} {verb}.", listed(&names));
    }
    if level >= 4 {
        let _ = writeln!(
            text,
            "It begins with {first}: {} goes {}.",
            first.robot, first.direction
        );
    }
    text
}

/// A round number above a length, so that a hint does not give the length away.
fn ceiling(length: usize) -> usize {
    let steps = [4, 6, 8, 10, 12, 15, 20, 25, 30];
    steps
        .into_iter()
        .find(|&step| length < step)
        .unwrap_or((length / 10 + 1) * 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_level_says_one_thing_more() {
        let solution: Solution = "GE RS RW".parse().unwrap();
        let all = hint(&solution, true, 4);
        let lines: Vec<&str> = all.lines().collect();
        assert_eq!(
            lines,
            [
                "Solvable in under 4 moves.",
                "The shortest solution has 3 moves.",
                "In it, red and green move.",
                "It begins with GE: green goes east.",
            ]
        );
        for level in 1..=4 {
            assert_eq!(
                hint(&solution, true, level).lines().count(),
                usize::from(level)
            );
        }
    }

    #[test]
    fn the_rough_length_is_always_above_the_length() {
        for length in 0..200 {
            assert!(ceiling(length) > length);
            assert!(ceiling(length) <= length + 10);
        }
    }
}
