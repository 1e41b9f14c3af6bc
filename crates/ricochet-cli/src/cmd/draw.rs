//! `ricochet draw`

use std::ffi::OsStr;
use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use clap::ValueEnum;
use ricochet::{Puzzle, Trace};
use ricochet_draw::{CELL_SIZES, Picture, Sheet, SheetPuzzle, Theme};
use ricochet_lab::atomic_file;
use ricochet_solve::{Outcome, Solver};

use crate::answer::Answer;
use crate::exit_code::ExitCode;
use crate::input::{ReadArgs, ReadPuzzle};
use crate::interrupt::cancel_on_interrupt;
use crate::limits::LimitArgs;
use crate::output::Output;
use crate::overlay_args::OverlayArgs;
use crate::plain::Plain;
use crate::solver_args::SolverArgs;
use crate::walk::Walk;
use ricochet_service::narrate::plural;

/// Draw puzzles as SVG, PNG, animated GIF or PDF
///
/// One puzzle goes to a file (-o board.svg) or to standard output; many go to a directory, one file
/// each, or with --sheet to printable pages. A GIF shows the moves of a shortest solution.
#[derive(clap::Args, Debug)]
#[allow(clippy::struct_excessive_bools)] // each is a switch of its own on the command line
pub(crate) struct Args {
    /// Files, directories, notation, DriftingDroids IDs, URLs, corpora such as random or random:2; -
    /// or none for standard input
    #[arg(value_name = "PUZZLE")]
    puzzles: Vec<String>,

    /// Where to: a file, whose ending tells the format, or a directory. Default: standard output
    #[arg(long, short, value_name = "FILE|DIR")]
    output: Option<PathBuf>,

    /// The format, where the output does not tell. Default: svg, or pdf for sheets
    #[arg(long, short, value_name = "FORMAT")]
    format: Option<Format>,

    /// Solve it and draw the moves
    #[arg(long)]
    solution: bool,

    /// The colours. Default: light, or print for sheets
    #[arg(long, value_name = "NAME", value_parser = clap::builder::PossibleValuesParser::new(Theme::NAMES))]
    theme: Option<String>,

    /// The side of a cell in pixels
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u32).range(cell_sizes()))]
    cells: u32,

    /// With the numbers of columns and rows
    #[arg(long)]
    coordinates: bool,

    /// All puzzles on printable A4 pages, their solutions on the last ones
    #[arg(long)]
    sheet: bool,

    /// Boards on a page of a sheet
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u8).range(1..=12), requires = "sheet")]
    per_page: u8,

    /// The title of a sheet
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "Ricochet Robots",
        requires = "sheet"
    )]
    title: String,

    /// A sheet without solutions
    #[arg(long, requires = "sheet")]
    no_solutions: bool,

    #[command(flatten)]
    overlay: OverlayArgs,

    #[command(flatten)]
    solver: SolverArgs,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    read: ReadArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Svg,
    Png,
    Gif,
    Pdf,
}

impl Format {
    fn ending(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Png => "png",
            Self::Gif => "gif",
            Self::Pdf => "pdf",
        }
    }
}

fn cell_sizes() -> std::ops::RangeInclusive<i64> {
    i64::from(*CELL_SIZES.start())..=i64::from(*CELL_SIZES.end())
}

/// Where pictures go.
enum Destination {
    Stdout,
    File(PathBuf),
    /// One file a puzzle.
    Directory(PathBuf),
}

pub(crate) fn run(args: &Args, output: &mut Output) -> anyhow::Result<ExitCode> {
    let (destination, format) = destination(args)?;
    let mut artist = Artist::new(args, format)?;
    if args.sheet {
        return draw_sheet(args, &mut artist, &destination, output);
    }
    let mut count = 0;
    let mut picture = None;
    let code = Walk::new(&args.puzzles, args.read, false)?.each(output, |read, output| {
        count += 1;
        if let Destination::Directory(directory) = &destination {
            let file = directory.join(file_name(&read, count, format));
            fs::create_dir_all(directory)
                .with_context(|| format!("cannot make the directory {}", directory.display()))?;
            let (bytes, code) = artist.draw(read, output)?;
            write_file(&file, &bytes, output)?;
            return Ok(code);
        }
        ensure!(
            count == 1,
            "there is more than one puzzle: give a directory with -o, or --sheet to have them all \
             on pages"
        );
        let (bytes, code) = artist.draw(read, output)?;
        picture = Some(bytes);
        Ok(code)
    })?;
    // Only now is it known to be the only one.
    match (picture, &destination) {
        (Some(bytes), Destination::File(file)) => write_file(file, &bytes, output)?,
        (Some(bytes), _) => output.bytes(&bytes)?,
        (None, _) => {}
    }
    Ok(code)
}

/// Where to, and in which format; whatever is wrong with the arguments is said before any work.
fn destination(args: &Args) -> anyhow::Result<(Destination, Format)> {
    let default = if args.sheet { Format::Pdf } else { Format::Svg };
    let (destination, format) = match &args.output {
        None => (Destination::Stdout, args.format.unwrap_or(default)),
        Some(path) if path.as_os_str() == "-" => {
            (Destination::Stdout, args.format.unwrap_or(default))
        }
        Some(path) if is_directory(path) => {
            let format = args.format.unwrap_or(default);
            (Destination::Directory(path.clone()), format)
        }
        Some(path) => {
            let ending = path.extension().and_then(OsStr::to_str).unwrap_or_default();
            let format = match (Format::from_str(ending, true), args.format) {
                (Ok(told), Some(asked)) if told != asked => bail!(
                    "{}: the ending says {}, --format says {}",
                    path.display(),
                    told.ending(),
                    asked.ending()
                ),
                (Ok(format), _) | (Err(_), Some(format)) => format,
                (Err(_), None) => bail!(
                    "{}: the ending tells no format: expected .svg, .png, .gif or .pdf, or a \
                     directory that ends with /",
                    path.display()
                ),
            };
            (Destination::File(path.clone()), format)
        }
    };
    if matches!(destination, Destination::Stdout) && format != Format::Svg {
        ensure!(
            !io::stdout().is_terminal(),
            "a {} does not go to a terminal: give a file with -o",
            format.ending()
        );
    }
    if args.sheet {
        ensure!(
            matches!(format, Format::Svg | Format::Pdf),
            "a sheet is a PDF or SVG pages, not a {}",
            format.ending()
        );
        ensure!(
            !matches!(destination, Destination::Directory(_)),
            "a sheet goes to a file, such as sheet.pdf"
        );
        ensure!(
            format == Format::Pdf || !matches!(destination, Destination::Stdout),
            "the SVG pages of a sheet go to files: give -o sheet.svg"
        );
    }
    if args.overlay.overlay.is_some() {
        ensure!(
            !args.sheet,
            "a sheet is for people to solve: it has no overlay"
        );
        ensure!(
            format != Format::Gif,
            "a GIF shows the moves: it has no overlay"
        );
    }
    Ok((destination, format))
}

fn is_directory(path: &Path) -> bool {
    path.is_dir() || path.as_os_str().as_encoded_bytes().ends_with(b"/")
}

/// Draws puzzles as the arguments ask.
struct Artist<'a> {
    args: &'a Args,
    format: Format,
    theme: Theme,
    solver: Option<Box<dyn Solver>>,
    limits: ricochet_solve::Limits,
}

impl<'a> Artist<'a> {
    fn new(args: &'a Args, format: Format) -> anyhow::Result<Self> {
        let wanted = args.solution || format == Format::Gif || (args.sheet && !args.no_solutions);
        let solver = args.solver.for_people()?;
        let default = if args.sheet { "print" } else { "light" };
        let theme = args.theme.as_deref().unwrap_or(default);
        Ok(Self {
            args,
            format,
            theme: Theme::from_name(theme).context("no such theme")?,
            solver: wanted.then_some(solver),
            limits: args.limits.limits(1, Some(cancel_on_interrupt()?)),
        })
    }

    /// A puzzle with its solution, if one is wanted and found.
    fn solve(&mut self, read: ReadPuzzle, output: &Output) -> anyhow::Result<Solved> {
        let Some(solver) = &mut self.solver else {
            return Ok(Solved {
                puzzle: read.puzzle,
                trace: None,
                code: ExitCode::Solved,
            });
        };
        let answer = Answer::watched(solver.as_mut(), read, &self.limits, output);
        let code = answer.exit_code();
        let trace = if let Outcome::Solved { solution, .. } = &answer.outcome {
            Some(
                solution
                    .replay(&answer.puzzle)
                    .context("the solver's answer is no solution")?,
            )
        } else {
            output.note(format_args!("{}: {}", Plain(&answer.id), answer.verdict()));
            None
        };
        Ok(Solved {
            puzzle: answer.puzzle,
            trace,
            code,
        })
    }

    /// The bytes of a picture, and how its puzzle was answered.
    fn draw(&mut self, read: ReadPuzzle, output: &Output) -> anyhow::Result<(Vec<u8>, ExitCode)> {
        let Solved {
            puzzle,
            trace,
            code,
        } = self.solve(read, output)?;
        let overlay = self.args.overlay.of(&puzzle);
        let mut picture = Picture::new(&puzzle)
            .theme(self.theme.clone())
            .cell_size(self.args.cells)
            .coordinates(self.args.coordinates);
        if let Some(trace) = &trace {
            picture = picture.solution(trace);
        }
        if let Some(overlay) = &overlay {
            picture = picture.overlay(overlay);
        }
        let bytes = match self.format {
            Format::Svg => picture.svg().into_bytes(),
            Format::Png => picture.png()?,
            Format::Pdf => picture.pdf(),
            Format::Gif if trace.is_none() => {
                bail!("no solution was found: there is no move to show")
            }
            Format::Gif => picture.gif()?,
        };
        Ok((bytes, code))
    }
}

struct Solved {
    puzzle: Puzzle,
    trace: Option<Trace>,
    code: ExitCode,
}

fn draw_sheet(
    args: &Args,
    artist: &mut Artist<'_>,
    destination: &Destination,
    output: &mut Output,
) -> anyhow::Result<ExitCode> {
    let mut entries = Vec::new();
    let code = Walk::new(&args.puzzles, args.read, false)?.each(output, |read, output| {
        let solved = artist.solve(read, output)?;
        let code = solved.code;
        entries.push(solved);
        Ok(code)
    })?;
    ensure!(!entries.is_empty(), "there is no puzzle for the sheet");
    let mut sheet = Sheet::new(args.title.as_str())
        .theme(artist.theme.clone())
        .per_page(usize::from(args.per_page));
    for entry in &entries {
        let puzzle = SheetPuzzle::new(&entry.puzzle);
        sheet.add(match &entry.trace {
            Some(trace) => puzzle.solution(trace),
            None => puzzle,
        });
    }
    match (destination, artist.format) {
        (Destination::File(file), Format::Svg) => {
            let pages = sheet.svg_pages();
            for (number, page) in (1..).zip(&pages) {
                let file = page_file(file, number, pages.len());
                write_file(&file, page.as_bytes(), output)?;
            }
        }
        (Destination::File(file), _) => write_file(file, &sheet.pdf(), output)?,
        _ => output.bytes(&sheet.pdf())?,
    }
    Ok(code)
}

/// `sheet.svg`, or `sheet-1.svg`, `sheet-2.svg`, … if there are several pages.
fn page_file(file: &Path, number: usize, pages: usize) -> PathBuf {
    if pages == 1 {
        return file.to_owned();
    }
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    file.with_file_name(format!("{stem}-{number}.svg"))
}

fn write_file(file: &Path, bytes: &[u8], output: &Output) -> anyhow::Result<()> {
    atomic_file::write_or_open_device(file, bytes)
        .with_context(|| format!("cannot write {}", file.display()))?;
    output.note(format_args!(
        "{}: {}",
        Plain(file.display()),
        plural(bytes.len(), "byte")
    ));
    Ok(())
}

/// The puzzle's name, made fit for a file, with its number if it has none.
fn file_name(read: &ReadPuzzle, number: usize, format: Format) -> String {
    let id = read.puzzle.id().unwrap_or_default();
    let safe: String = id
        .chars()
        .map(|c| {
            if c.is_alphanumeric() || "-_+.".contains(c) {
                c
            } else {
                '-'
            }
        })
        .take(80)
        .collect();
    let name = match safe.trim_matches('.') {
        "" => format!("{number:04}"),
        name => name.to_owned(),
    };
    format!("{name}.{}", format.ending())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_numbered_only_if_there_are_several() {
        let file = Path::new("out/sheet.svg");
        assert_eq!(page_file(file, 1, 1), file);
        assert_eq!(page_file(file, 2, 3), Path::new("out/sheet-2.svg"));
    }
}
