//! `ricochet demo`

use ricochet_core::quadrants::Layout;
use ricochet_core::{Cell, Goal, Puzzle, Robot};
use ricochet_solve::{Limits, NullObserver};

use crate::answer::Answer;
use crate::args::drawing::{CompactArgs, DrawingArgs};
use crate::args::solver::SolverArgs;
use crate::exit_code::ExitCode;
use crate::input::InputPuzzle;
use crate::term::output::Output;

/// Show a sample puzzle and solve it
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct Args {}

pub(crate) fn run(_: Args, output: &mut Output) -> anyhow::Result<ExitCode> {
    let mut solver = SolverArgs::default().build_reproducible()?;
    let read = InputPuzzle::new(sample()?, "sample");
    let answer = Answer::solve(solver.as_mut(), read, &Limits::default(), &mut NullObserver);
    let terminal = DrawingArgs::default().terminal();
    let page = answer.page(
        terminal,
        CompactArgs::default(),
        output.terminal_size(),
        ("", 1),
    );
    output.record(page)?;
    output.note("`ricochet help` lists the commands; `ricochet solve PUZZLE` solves yours.");
    Ok(answer.exit_code())
}

/// A position of the 1999 edition.
fn sample() -> anyhow::Result<Puzzle> {
    let board = "1A 4B 3B 2B".parse::<Layout>()?.board();
    let robots = [(14, 2), (1, 3), (11, 12), (4, 9)].map(|(x, y)| Cell::new(x, y));
    let goal = Goal {
        robot: Some(Robot::RED),
        cell: Cell::new(1, 1),
    };
    Ok(Puzzle::new(board, &robots, goal)?)
}
