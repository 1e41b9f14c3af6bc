//! One file per command. Each has its `Args` (whose documentation is its help) and `run`.

pub(crate) mod bench;
pub(crate) mod bot;
pub(crate) mod census;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod demo;
pub(crate) mod distances;
pub(crate) mod draw;
pub(crate) mod evaluate;
pub(crate) mod explain;
pub(crate) mod generate;
pub(crate) mod hint;
pub(crate) mod lab;
pub(crate) mod man;
pub(crate) mod merge;
pub(crate) mod new;
pub(crate) mod next;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod quadrants;
pub(crate) mod rate;
pub(crate) mod report;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod solve;
pub(crate) mod solvers;
pub(crate) mod tablebase;

use crate::cli::Command;
use crate::exit_code::ExitCode;
use crate::term::output::Output;

/// Runs a command; without one, the server with its page in a browser.
pub(crate) fn run(command: Option<Command>, output: &mut Output) -> anyhow::Result<ExitCode> {
    match command {
        Some(Command::Bench(args)) => bench::run(&args, output),
        Some(Command::Census(args)) => census::run(&args, output),
        Some(Command::Tablebase(args)) => tablebase::run(&args, output),
        Some(Command::Bot(args)) => bot::run(&args, output),
        None => serve::without_a_command(output),
        Some(Command::Serve(args)) => serve::run(&args, output),
        Some(Command::Demo(args)) => demo::run(args, output),
        Some(Command::Check(args)) => check::run(&args, output),
        Some(Command::Compare(args)) => compare::run(&args, output),
        Some(Command::Lab(args)) => lab::run(&args, output),
        Some(Command::Report(args)) => report::run(&args, output),
        Some(Command::Completions(args)) => completions::run(&args, output),
        Some(Command::Convert(args)) => convert::run(&args, output),
        Some(Command::Distances(args)) => distances::run(&args, output),
        Some(Command::Draw(args)) => draw::run(&args, output),
        Some(Command::Evaluate(args)) => evaluate::run(&args, output),
        Some(Command::Explain(args)) => explain::run(&args, output),
        Some(Command::Generate(args)) => generate::run(&args, output),
        Some(Command::Hint(args)) => hint::run(&args, output),
        Some(Command::Man(args)) => man::run(&args, output),
        Some(Command::Merge(args)) => merge::run(&args, output),
        Some(Command::New(args)) => new::run(&args, output),
        Some(Command::Next(args)) => next::run(&args, output),
        Some(Command::Play(args)) => play::run(&args, output),
        Some(Command::Perft(args)) => perft::run(&args, output),
        Some(Command::Quadrants(args)) => quadrants::run(&args, output),
        Some(Command::Rate(args)) => rate::run(&args, output),
        Some(Command::Show(args)) => show::run(&args, output),
        Some(Command::Solve(args)) => solve::run(&args, output),
        Some(Command::Solvers(args)) => solvers::run(&args, output),
    }
}
