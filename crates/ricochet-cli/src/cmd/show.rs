//! `ricochet show`

use std::fmt::Write;

use ricochet::quadrants::Layout;
use ricochet_draw::Terminal;

use crate::exit_code::ExitCode;
use crate::input::{ReadArgs, ReadPuzzle};
use crate::output::Output;
use crate::overlay_args::OverlayArgs;
use crate::plain::Plain;
use crate::show_args::ShowArgs;
use crate::walk::Walk;
use ricochet_service::narrate::{listed, task};

/// Show puzzles in the terminal
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Files, directories, notation, DriftingDroids IDs, URLs, corpora such as random or random:2; -
    /// or none for standard input
    #[arg(value_name = "PUZZLE")]
    puzzles: Vec<String>,

    #[command(flatten)]
    show: ShowArgs,

    #[command(flatten)]
    overlay: OverlayArgs,

    #[command(flatten)]
    read: ReadArgs,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> anyhow::Result<ExitCode> {
    let terminal = args.show.terminal();
    let mut first = true;
    Walk::new(&args.puzzles, args.read, false)?.each(output, |read, output| {
        let blank = if first { "" } else { "\n" };
        first = false;
        output.record(format_args!(
            "{blank}{}",
            page(&read, terminal, args.overlay)
        ))?;
        Ok(ExitCode::Solved)
    })
}

/// The name, the board, and in words what cannot be seen on it.
fn page(read: &ReadPuzzle, terminal: Terminal, overlay: OverlayArgs) -> String {
    let puzzle = &read.puzzle;
    let board = puzzle.board();
    let mut page = String::new();
    if let Some(id) = puzzle.id() {
        let _ = writeln!(page, "{}", Plain(id));
    }
    if let Some(overlay) = overlay.of(puzzle) {
        let _ = writeln!(page, "{:#}", terminal.overlay(puzzle, &overlay));
        let _ = writeln!(page, "{}.", overlay.title());
    } else {
        let _ = writeln!(page, "{:#}", terminal.puzzle(puzzle));
    }
    let _ = writeln!(page, "{}", task(puzzle));
    let robots: Vec<String> = puzzle
        .start()
        .iter()
        .map(|(robot, cell)| format!("{robot} {cell}"))
        .collect();
    let _ = writeln!(page, "Robots: {}.", listed(&robots));
    let layout =
        Layout::of_board(board).map_or_else(String::new, |layout| format!(", layout {layout}"));
    let _ = writeln!(page, "Board: {}×{}{layout}.", board.width(), board.height());
    if let Some(optimal) = puzzle.known_optimal() {
        let _ = writeln!(page, "Stated optimum: {optimal}.");
    }
    page
}
