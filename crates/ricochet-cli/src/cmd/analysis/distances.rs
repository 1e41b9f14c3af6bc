//! `ricochet distances`

use std::fmt::Write;
use std::time::Instant;

use ricochet_core::Puzzle;
use ricochet_draw::{BoardSize, Overlay, Terminal};
use ricochet_solve::Limit;
use ricochet_solve::distances::{CellDistance, RobotDistances, distances};

use crate::args::drawing::{BoardPage, CompactArgs, DrawingArgs};
use crate::args::limits::LimitArgs;
use crate::args::puzzles::PuzzlesArgs;
use crate::exit_code::ExitCode;
use crate::term::output::Output;
use crate::term::plain::Plain;
use crate::term::size::TerminalSize;
use crate::term::units::{duration, thousands};
use crate::term::wrap::wrap_hanging;
use ricochet_core::describe::plural;
use ricochet_service::json::RobotLetter;
use ricochet_service::questions::distances::{DEFAULT_MOVES, DistancesAnswer, select_robots};

/// Show how many moves it takes a robot to reach each cell; the other robots may move too
///
/// The numbers are exact. Cells without a number were not reached within the limits or cannot be
/// reached at all; the text below the board says which. Without --max-moves, the search stops at 8
/// moves; each additional move takes several times as long.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The robot (red, or R). Default: the goal robot, which has to reach the target, or all robots
    /// if any may reach it
    #[arg(long, value_name = "ROBOT", conflicts_with = "all_robots")]
    robot: Option<RobotLetter>,

    /// Show the distances of every robot
    #[arg(long)]
    all_robots: bool,

    /// Print one JSON object per line: for each robot the cells row by row from the north; null is
    /// unknown, -1 unreachable
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    puzzles: PuzzlesArgs,

    #[command(flatten)]
    show: DrawingArgs,

    #[command(flatten)]
    compact: CompactArgs,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> anyhow::Result<ExitCode> {
    let batch = args.puzzles.batch(args.json)?;
    let mut limits = args.limits.limits(1, Some(batch.cancel()));
    limits.moves = limits.moves.or(Some(DEFAULT_MOVES));
    batch.each(output, |read, output| {
        let selection = match select_robots(&read.puzzle, args.robot, args.all_robots) {
            Ok(selection) => selection,
            Err(error) => {
                output.error(format_args!("{}: {error}", Plain(&read.name)));
                return Ok(ExitCode::Error);
            }
        };
        let started = Instant::now();
        let found = distances(&read.puzzle, selection, &limits);
        let time = started.elapsed();
        if args.json {
            output.json(&DistancesAnswer::of(&read.id, &read.puzzle, &found, time))?;
        } else {
            let (terminal, size) = (args.show.terminal(), output.terminal_size());
            let pages = found.robots.iter().map(|robot| {
                let page = |terminal: Terminal, gap: &str| BoardPage {
                    width: terminal.puzzle(&read.puzzle).width(),
                    text: page(&read.puzzle, robot, terminal, gap, size),
                };
                let full = || page(terminal, "\n");
                let half = || page(terminal.size(BoardSize::Compact), "");
                let narrow = || page(terminal.size(BoardSize::Narrow), "");
                args.compact.choose(size, 1, full, &[&half, &narrow])
            });
            let pages: String = pages.collect();
            let nodes = match found.nodes {
                1 => "1 node".to_owned(),
                nodes => format!("{} nodes", thousands(nodes)),
            };
            output.record(format_args!(
                "{pages}distances took {}, {nodes}\n",
                duration(time)
            ))?;
        }
        Ok(match found.limit_reached().map(|stopped| stopped.limit) {
            Some(Limit::Cancelled) => ExitCode::Interrupted,
            // The number of moves is part of the question, so reaching it is a complete answer.
            Some(Limit::Moves) | None => ExitCode::Solved,
            Some(_) => ExitCode::Limit,
        })
    })
}

/// The board with the distances, and a summary.
fn page(
    puzzle: &Puzzle,
    found: &RobotDistances,
    terminal: Terminal,
    gap: &str,
    size: Option<TerminalSize>,
) -> String {
    let values = found.cells().iter().map(|distance| match distance {
        CellDistance::Moves(moves) => Some(*moves),
        _ => None,
    });
    let title = format!("Moves for the {} robot to each cell", found.robot);
    let overlay = Overlay::from_values(title, values.collect());
    let title = terminal.overlay_title(&overlay);
    let open = |wanted: fn(&CellDistance) -> bool| {
        let cells = puzzle.board().cells();
        let open = cells.filter(|&cell| !puzzle.board().is_closed(cell));
        open.filter(|&cell| found.get(cell).as_ref().is_some_and(wanted))
            .count()
    };
    let drawing = terminal.overlay(puzzle, &overlay);
    let mut words = String::new();
    let known = open(|distance| matches!(distance, CellDistance::Moves(_)));
    let _ = write!(
        words,
        "{} within {}",
        plural(known, "cell"),
        plural(found.farthest() as usize, "move")
    );
    let unknown = open(|distance| matches!(distance, CellDistance::MoreThan(_)));
    let more = found.cells().iter().find_map(|distance| match distance {
        CellDistance::MoreThan(moves) => Some(*moves),
        _ => None,
    });
    if let Some(more) = more {
        let moves = plural(more as usize, "move");
        let _ = write!(words, ", {unknown} unknown (more than {moves})");
    }
    let unreachable = open(|distance| matches!(distance, CellDistance::Unreachable));
    if unreachable > 0 {
        let _ = write!(words, ", {unreachable} proven unreachable");
    }
    if let Some(stopped) = found.stopped {
        let _ = write!(words, "; ended by the {}", stopped.limit);
    }
    let words = match size {
        Some(size) => wrap_hanging(&words, size.columns),
        None => words + "\n",
    };
    format!("{title}:\n{drawing:#}{gap}{words}")
}
