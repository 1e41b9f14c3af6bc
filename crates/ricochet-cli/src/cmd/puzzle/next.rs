//! `ricochet next`

use anyhow::{Context, bail};
use ricochet_core::describe::plural;
use ricochet_core::describe::{GoalDescription, parse_moves, task};
use ricochet_core::{Solution, notation};
use ricochet_service::PuzzleView;
use ricochet_solve::Outcome;

use crate::answer::Answer;
use crate::args::limits::LimitArgs;
use crate::args::names::corpus_names;
use crate::args::puzzles::ReadArgs;
use crate::args::solver::SolverArgs;
use crate::batch;
use crate::exit_code::ExitCode;
use crate::term::output::Output;

/// Set up the next round: same board, robots where the round leaves them, new target
///
/// In the game, robots stay where a round leaves them. This command plays a round to its end and
/// prints the puzzle of the next round.
#[derive(clap::Args, Debug)]
#[command(mut_arg("target", |target| target.help(TARGET)))]
pub(crate) struct Args {
    /// The round that was played: a file, one-line notation, a DriftingDroids ID, a URL, or a
    /// built-in puzzle such as random:2
    #[arg(value_name = "PUZZLE", value_parser = corpus_names(), hide_possible_values = true)]
    puzzle: Option<String>,

    /// The next target, such as "green hexagon", vortex or "blue 9,12". With PUZZLE, --target
    /// alone means the same
    #[arg(long, value_name = "TARGET")]
    then: Option<GoalDescription>,

    /// The moves that were played, such as "RN GE". Default: a shortest solution
    #[arg(long, value_name = "MOVES", value_parser = parse_moves)]
    moves: Option<Solution>,

    /// Print the puzzle as one JSON object, as `show --json` does
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    read: ReadArgs,
}

/// The help of --target, which means something else here than in other commands.
const TARGET: &str = "With PUZZLE and without --then: the next target. Otherwise the target of \
                      the round that was played";

impl Args {
    /// How to read the round that was played, and the next target.
    fn rounds(&self) -> anyhow::Result<(ReadArgs, GoalDescription)> {
        match (self.then, self.read.target, self.read.layout) {
            (Some(then), ..) => Ok((self.read, then)),
            (None, Some(target), None) => {
                let read = ReadArgs {
                    target: None,
                    ..self.read
                };
                Ok((read, target))
            }
            (None, _, Some(_)) => bail!(
                "--layout, --robots and --target describe the round that was played: \
                 add the next target, such as --then \"red circle\""
            ),
            (None, None, None) => {
                bail!("the next target is missing: add one, such as --target \"green hexagon\"")
            }
        }
    }
}

pub(crate) fn run(args: &Args, output: &mut Output) -> anyhow::Result<ExitCode> {
    let (read, wanted) = args.rounds()?;
    let read = batch::single(args.puzzle.as_deref(), read, args.json, output)?;
    let puzzle = read.puzzle.clone();
    let (solution, whose) = if let Some(moves) = &args.moves {
        (moves.clone(), "the given moves")
    } else {
        let mut solver = SolverArgs::default().build_reproducible()?;
        let limits = args.limits.limits(1, None);
        let answer = Answer::solve_with_progress(solver.as_mut(), read, &limits, output);
        let Outcome::Solved { solution, .. } = &answer.outcome else {
            bail!(
                "the first round was not solved: {}; give the moves that were played with --moves",
                anstream::adapter::strip_str(&answer.verdict())
            );
        };
        (solution.clone(), "a shortest solution")
    };
    let trace = ricochet_core::Trace::play(&puzzle, solution.moves())?;
    let mut setup = puzzle.to_setup();
    setup.id = None;
    setup.optimal = None;
    setup.robots = trace.end().cells().to_vec();
    wanted.apply_to(&mut setup)?;
    let next = setup.validate().context("the next round is not valid")?;
    output.note(format_args!(
        "The robots are where {whose} ({}) left them. {}",
        plural(solution.len(), "move"),
        task(&next)
    ));
    if next.is_solved(next.start()) {
        output.note(format_args!(
            "The target is already reached: choose another one."
        ));
    }
    if args.json {
        output.json(&PuzzleView::of_puzzle(&next))?;
    } else {
        output.data(format_args!("{}\n", notation::to_line(&next)))?;
    }
    Ok(ExitCode::Solved)
}
