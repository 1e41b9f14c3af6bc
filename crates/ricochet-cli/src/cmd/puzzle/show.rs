//! `ricochet show`

use ricochet_core::describe::task;
use ricochet_core::notation;
use ricochet_draw::{BoardSize, Terminal};
use ricochet_service::PuzzleView;
use ricochet_service::command_rows::ShowRow;

use crate::args::drawing::{BoardPage, CompactArgs, DrawingArgs};
use crate::args::overlay::OverlayArgs;
use crate::args::puzzles::PuzzlesArgs;
use crate::exit_code::ExitCode;
use crate::input::InputPuzzle;
use crate::term::output::Output;
use crate::term::plain::Plain;

/// Show puzzles in the terminal
///
/// Other commands can read the full drawing, but not a compact one or one with an overlay. Below a
/// compact drawing is the puzzle in one-line notation, which they can read. --layout without robots
/// and target shows the empty board.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Print one JSON object per line: board, robots, target
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    show: DrawingArgs,

    #[command(flatten)]
    compact: CompactArgs,

    #[command(flatten)]
    overlay: OverlayArgs,

    #[command(flatten)]
    puzzles: PuzzlesArgs,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> anyhow::Result<ExitCode> {
    let terminal = args.show.terminal();
    let read = &args.puzzles.read;
    if let (Some(layout), None, None, false) = (read.layout, read.robots, read.target, args.json)
        && args.puzzles.names.is_empty()
    {
        let board = layout.board();
        let draw = |terminal: Terminal| {
            let picture = terminal.board(&board, None);
            BoardPage {
                width: picture.width(),
                text: format!("{layout}\n{picture:#}"),
            }
        };
        let page = args.compact.choose(
            output.terminal_size(),
            0,
            || draw(terminal),
            &[&|| draw(terminal.size(BoardSize::Compact)), &|| {
                draw(terminal.size(BoardSize::Narrow))
            }],
        );
        output.record(page)?;
        return Ok(ExitCode::Solved);
    }
    let mut first = true;
    args.puzzles.batch(args.json)?.each(output, |read, output| {
        if args.json {
            output.json(&ShowRow {
                view: PuzzleView::of_puzzle(&read.puzzle),
                overlay: args.overlay.answer(&read.puzzle),
            })?;
            return Ok(ExitCode::Solved);
        }
        let blank = if first { "" } else { "\n" };
        first = false;
        let board_page = |terminal: Terminal, text: String| BoardPage {
            width: terminal.puzzle(&read.puzzle).width(),
            text,
        };
        let compact = |small| board_page(small, compact_page(&read, small, args.overlay));
        let page = args.compact.choose(
            output.terminal_size(),
            0,
            || board_page(terminal, page(&read, terminal, args.overlay)),
            &[&|| compact(terminal.size(BoardSize::Compact)), &|| {
                compact(terminal.size(BoardSize::Narrow))
            }],
        );
        output.record(format_args!("{blank}{page}"))?;
        Ok(ExitCode::Solved)
    })
}

/// The name, the board, and in words what cannot be seen on it. Without an overlay, it can be read
/// back.
fn page(read: &InputPuzzle, terminal: Terminal, overlay: OverlayArgs) -> String {
    let puzzle = &read.puzzle;
    match overlay.of(puzzle) {
        Some(overlay) => {
            let drawing = terminal.overlay(puzzle, &overlay);
            notation::to_page(puzzle, &format!("{drawing:#}\n{}.", overlay.title()))
        }
        None => notation::to_page(puzzle, &format!("{:#}", terminal.puzzle(puzzle))),
    }
}

/// The same in fewer lines: the name, the board, the task, and the puzzle in one line.
fn compact_page(read: &InputPuzzle, terminal: Terminal, overlay: OverlayArgs) -> String {
    let puzzle = &read.puzzle;
    let name = read
        .title()
        .map_or_else(String::new, |title| format!("{}\n", Plain(title)));
    let (drawing, title) = match overlay.of(puzzle) {
        Some(overlay) => (
            terminal.overlay(puzzle, &overlay),
            format!("{}.\n", terminal.overlay_title(&overlay)),
        ),
        None => (terminal.puzzle(puzzle), String::new()),
    };
    let (task, line) = (task(puzzle), notation::to_line(puzzle));
    format!("{name}{drawing:#}{title}{task}\n{line}\n")
}
