//! `ricochet draw`

mod destination;
pub(crate) mod page_files;
mod sheet;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, bail, ensure};
use ricochet_core::{Puzzle, Trace};
use ricochet_draw::{CELL_SIZES, Paper, Picture, Theme};
use ricochet_solve::{Outcome, Solver};

use crate::answer::Answer;
use crate::args::drawing::Switch;
use crate::args::overlay::OverlayArgs;
use crate::args::search::SearchArgs;
use crate::args::whole_number::whole_number;
use crate::batch::interrupt::cancel_on_interrupt;
use crate::cmd::draw::page_files::write_file;
use crate::exit_code::ExitCode;
use crate::input::InputPuzzle;
use crate::term::output::Output;
use crate::term::plain::Plain;
use destination::{Destination, FileNames, Format};

/// Draw puzzles as SVG, PNG, animated GIF or PDF
///
/// One puzzle goes to a file (-o board.svg) or to standard output. Several puzzles go to a
/// directory, one file each, or with --sheet to printable pages. A GIF shows the moves of a
/// shortest solution.
#[derive(clap::Args, Debug)]
#[allow(clippy::struct_excessive_bools)] // each is a switch of its own on the command line
pub(crate) struct Args {
    /// Write to this file, whose extension sets the format, or into this directory. Default:
    /// standard output
    #[arg(long, short, value_name = "FILE|DIR")]
    output: Option<PathBuf>,

    /// The format, if the file extension does not determine it. Default: svg, or pdf for sheets
    #[arg(long, short, value_name = "FORMAT")]
    to: Option<Format>,

    /// Solve the puzzle and draw the moves
    #[arg(long)]
    solution: bool,

    /// The colour theme. Default: light, or print for sheets
    #[arg(long, value_name = "NAME", value_parser = clap::builder::PossibleValuesParser::new(Theme::NAMES))]
    theme: Option<String>,

    /// Write the colours of an SVG as CSS variables, so that a web page can change them
    #[arg(long, hide_short_help = true)]
    css: bool,

    /// The width and height of a cell in pixels, 8 to 128. Default: 40
    #[arg(long, value_name = "PIXELS", value_parser = whole_number::<u32>(cell_sizes()))]
    cells: Option<u32>,

    /// Show column and row numbers
    #[arg(
        long,
        value_name = "WHEN",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "on",
        default_value = "off"
    )]
    coordinates: Switch,

    #[command(flatten)]
    sheet: SheetArgs,

    #[command(flatten)]
    overlay: OverlayArgs,

    #[command(flatten)]
    search: SearchArgs,
}

/// Printable pages.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Sheets")]
struct SheetArgs {
    /// Put all puzzles on printable pages, with the solutions on the last pages
    #[arg(long)]
    sheet: bool,

    /// The paper size of a sheet
    #[arg(long, value_name = "SIZE", default_value = "a4", requires = "sheet",
        value_parser = clap::builder::PossibleValuesParser::new(Paper::NAMES))]
    paper: String,

    /// Boards on each page of a sheet, 1 to 12
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = whole_number::<u8>(1..=12), requires = "sheet")]
    per_page: u8,

    /// The title of a sheet
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "Ricochet Robots",
        requires = "sheet"
    )]
    title: String,

    /// Leave the number of moves and the difficulty out of the captions of a sheet
    #[arg(long, requires = "sheet")]
    no_moves: bool,

    /// Leave the solutions out of a sheet
    #[arg(long, requires = "sheet", conflicts_with = "solution")]
    no_solutions: bool,
}

fn cell_sizes() -> std::ops::RangeInclusive<u64> {
    u64::from(*CELL_SIZES.start())..=u64::from(*CELL_SIZES.end())
}

pub(crate) fn run(args: &Args, output: &mut Output) -> anyhow::Result<ExitCode> {
    let (destination, format) = destination::of(args)?;
    let mut renderer = Renderer::new(args, format)?;
    if args.sheet.sheet {
        return sheet::draw(args, &mut renderer, &destination, output);
    }
    let mut count = 0;
    let mut picture = None;
    let mut names = FileNames::new(format);
    let code = args
        .search
        .puzzles
        .batch(false)?
        .each(output, |read, output| {
            count += 1;
            if let Destination::Directory(directory) = &destination {
                let file = directory.join(names.of(&read, count));
                fs::create_dir_all(directory).with_context(|| {
                    format!("cannot create the directory {}", directory.display())
                })?;
                let (bytes, code) = renderer.draw(read, output)?;
                write_file(&file, &bytes, output)?;
                return Ok(code);
            }
            ensure!(
                count == 1,
                "there is more than one puzzle: name a directory with -o, or use --sheet to put \
             them all on pages"
            );
            let (bytes, code) = renderer.draw(read, output)?;
            picture = Some(bytes);
            Ok(code)
        })?;
    // Only now is it certain that there is no second puzzle.
    match (picture, &destination) {
        (Some(bytes), Destination::File(file)) => write_file(file, &bytes, output)?,
        (Some(bytes), _) => output.bytes(&bytes)?,
        (None, _) => {}
    }
    Ok(code)
}

/// Draws puzzles.
struct Renderer<'a> {
    args: &'a Args,
    format: Format,
    theme: Theme,
    solver: Option<Box<dyn Solver>>,
    limits: ricochet_solve::Limits,
}

impl<'a> Renderer<'a> {
    fn new(args: &'a Args, format: Format) -> anyhow::Result<Self> {
        let on_sheet = args.sheet.sheet && !args.sheet.no_solutions;
        let wanted = args.solution || format == Format::Gif || on_sheet;
        let solver = args.search.solver.build_reproducible()?;
        let default = if args.sheet.sheet { "print" } else { "light" };
        let theme = args.theme.as_deref().unwrap_or(default);
        Ok(Self {
            args,
            format,
            theme: Theme::from_name(theme).context("no such theme")?,
            solver: wanted.then_some(solver),
            limits: args.search.limits.limits(1, Some(cancel_on_interrupt()?)),
        })
    }

    /// Solves a puzzle, if its moves are drawn.
    fn solve(&mut self, read: InputPuzzle, output: &Output) -> anyhow::Result<SolvedPuzzle> {
        let Some(solver) = &mut self.solver else {
            return Ok(SolvedPuzzle {
                puzzle: read.puzzle,
                outcome: None,
                trace: None,
                code: ExitCode::Solved,
            });
        };
        let answer = Answer::solve_with_progress(solver.as_mut(), read, &self.limits, output);
        let code = answer.exit_code();
        let trace = if let Outcome::Solved { solution, .. } = &answer.outcome {
            let trace = solution.replay(&answer.puzzle);
            Some(trace.context("the solver's answer is not a solution")?)
        } else {
            output.note(format_args!(
                "{}: {}",
                Plain(&answer.name),
                answer.verdict()
            ));
            None
        };
        Ok(SolvedPuzzle {
            puzzle: answer.puzzle,
            outcome: Some(answer.outcome),
            trace,
            code,
        })
    }

    /// The bytes of a picture, and the exit code of its puzzle.
    fn draw(&mut self, read: InputPuzzle, output: &Output) -> anyhow::Result<(Vec<u8>, ExitCode)> {
        let solved = self.solve(read, output)?;
        let overlay = self.args.overlay.of(&solved.puzzle);
        let mut picture = Picture::new(&solved.puzzle)
            .theme(self.theme.clone())
            .coordinates(self.args.coordinates == Switch::On);
        if let Some(pixels) = self.args.cells {
            picture = picture.cell_size(pixels);
        }
        if let Some(trace) = &solved.trace {
            picture = picture.solution(trace);
        }
        if let Some(overlay) = &overlay {
            picture = picture.overlay(overlay);
        }
        let bytes = match self.format {
            Format::Svg if self.args.css => picture.css_svg().into_bytes(),
            Format::Svg => picture.svg().into_bytes(),
            Format::Png => picture.png()?,
            Format::Pdf => picture.pdf(),
            Format::Gif if solved.trace.is_none() => {
                bail!("no solution was found: there are no moves to show")
            }
            Format::Gif => picture.gif()?,
        };
        Ok((bytes, solved.code))
    }
}

/// A puzzle, and the outcome if it was solved.
struct SolvedPuzzle {
    puzzle: Puzzle,
    outcome: Option<Outcome>,
    trace: Option<Trace>,
    code: ExitCode,
}
