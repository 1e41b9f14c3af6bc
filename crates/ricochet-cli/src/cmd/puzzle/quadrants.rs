//! `ricochet quadrants`

use std::ffi::OsStr;
use std::path::PathBuf;

use anyhow::{Context, bail, ensure};
use clap::builder::PossibleValuesParser;
use ricochet_core::quadrants::{Edition, LayoutError, Quadrant};
use ricochet_draw::quadrant::{self, QuadrantSheet};
use ricochet_draw::{BoardSize, Paper, TextPicture, Theme};
use ricochet_service::questions::quadrants::QuadrantInfo;

use crate::args::drawing::{BoardPage, CharacterArgs, CompactArgs};
use crate::cmd::draw::page_files::{PIXELS_PER_INCH, write_file, write_pages};
use crate::exit_code::ExitCode;
use crate::term::output::Output;

/// Show the printed quadrants and their names
///
/// A quadrant has a number, 1 to 4, and a letter: A and B in the 1999 edition, C and D in that of
/// 2003, all four in that of 2013. A layout lists the four quadrants of a board, one of each
/// number, clockwise from the north-west, such as 1A 4B 3B 2B. Each quadrant is drawn as it would
/// lie in the north-west of the board, with its closed corner in the centre of the board.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Quadrants to show, such as 1A 3B; a number such as 4 means all with that number. Default: all
    #[arg(value_name = "QUADRANT")]
    quadrants: Vec<String>,

    /// Show only the quadrants of this edition
    #[arg(long, value_name = "YEAR", value_parser = PossibleValuesParser::new(Edition::ALL.map(Edition::name)))]
    edition: Option<String>,

    /// Write printable pages to this file, whose extension (.pdf, .svg or .png) sets the format. A
    /// page has eight quadrants; each SVG or PNG page is a file of its own, such as sheet-1.svg and
    /// sheet-2.svg
    #[arg(long, short, value_name = "FILE", conflicts_with = "ascii")]
    output: Option<PathBuf>,

    /// The colour theme of the pages
    #[arg(long, value_name = "NAME", default_value = "light", value_parser = PossibleValuesParser::new(Theme::NAMES), requires = "output")]
    theme: String,

    /// The paper size
    #[arg(long, value_name = "SIZE", default_value = "a4", value_parser = PossibleValuesParser::new(Paper::NAMES), requires = "output")]
    paper: String,

    /// Print one JSON object per quadrant: walls, targets, diagonals
    #[arg(long, conflicts_with_all = ["output", "ascii"])]
    json: bool,

    #[command(flatten)]
    characters: CharacterArgs,

    #[command(flatten)]
    compact: CompactArgs,
}

/// Sides shown next to each other in the terminal, and the columns between them.
const IN_A_ROW: usize = 2;
const GAP: usize = 5;
/// The same for small pictures: the four quadrants of a tile.
const SMALL_IN_A_ROW: usize = 4;
const SMALL_GAP: usize = 2;

pub(crate) fn run(args: &Args, output: &mut Output) -> anyhow::Result<ExitCode> {
    let quadrants = quadrants(args)?;
    if args.json {
        for &quadrant in &quadrants {
            output.json(&QuadrantInfo::of(quadrant))?;
        }
        return Ok(ExitCode::Solved);
    }
    let Some(file) = &args.output else {
        return show(&quadrants, args, output);
    };
    let sheet = QuadrantSheet::new(&quadrants)
        .theme(Theme::from_name(&args.theme).context("no such theme")?)
        .paper(Paper::from_name(&args.paper).context("no such paper")?);
    let extension = file.extension().and_then(OsStr::to_str).unwrap_or_default();
    match extension.to_ascii_lowercase().as_str() {
        "pdf" => write_file(file, &sheet.pages().pdf(), output)?,
        "svg" => write_pages(file, &sheet.pages().svg(), output)?,
        "png" => write_pages(file, &sheet.pages().png(PIXELS_PER_INCH)?, output)?,
        _ => bail!(
            "{}: expected a file that ends with .pdf, .svg or .png",
            file.display()
        ),
    }
    Ok(ExitCode::Solved)
}

/// The requested quadrants, in that order.
fn quadrants(args: &Args) -> anyhow::Result<Vec<Quadrant>> {
    let mut quadrants = if args.quadrants.is_empty() {
        quadrant::all()
    } else {
        let parsed: Result<Vec<Vec<Quadrant>>, LayoutError> = args
            .quadrants
            .iter()
            .map(|name| quadrants_of(name))
            .collect();
        parsed?.concat()
    };
    if let Some(name) = &args.edition {
        let edition: Edition = name.parse()?;
        quadrants.retain(|&quadrant| edition.has(quadrant));
        ensure!(
            !quadrants.is_empty(),
            "the {name} edition has none of these quadrants"
        );
    }
    Ok(quadrants)
}

/// One quadrant, or those of a tile.
fn quadrants_of(name: &str) -> Result<Vec<Quadrant>, LayoutError> {
    match name.parse() {
        Ok(tile @ 1..=4) => Ok(quadrant::all()
            .into_iter()
            .filter(|quadrant| quadrant.tile() == tile)
            .collect()),
        _ => Ok(vec![name.parse()?]),
    }
}

fn show(quadrants: &[Quadrant], args: &Args, output: &mut Output) -> anyhow::Result<ExitCode> {
    let terminal = args.characters.terminal();
    let bare = terminal.without_coordinates();
    let large = |quadrant| quadrant::text(quadrant, bare);
    let small = |quadrant| quadrant::text(quadrant, bare.size(BoardSize::Narrow));
    let page = args.compact.choose(
        output.terminal_size(),
        0,
        || in_rows(quadrants, IN_A_ROW, GAP, large),
        &[
            &|| in_rows(quadrants, SMALL_IN_A_ROW, SMALL_GAP, small),
            &|| in_rows(quadrants, IN_A_ROW, SMALL_GAP, small),
            &|| in_rows(quadrants, 1, 0, small),
        ],
    );
    output.record(page)?;
    Ok(ExitCode::Solved)
}

/// The quadrants with their names above them, `across` in a row.
fn in_rows(
    quadrants: &[Quadrant],
    across: usize,
    gap: usize,
    draw: impl Fn(Quadrant) -> TextPicture,
) -> BoardPage {
    let rows: Vec<(usize, String)> = quadrants
        .chunks(across)
        .map(|row| {
            let pictures: Vec<TextPicture> = row.iter().map(|&quadrant| draw(quadrant)).collect();
            let column = pictures.first().map_or(0, TextPicture::width) + gap;
            let names: Vec<String> = row
                .iter()
                .map(|&quadrant| {
                    let name = format!("{quadrant} ({})", quadrant::editions(quadrant));
                    format!("{name:<column$}")
                })
                .collect();
            let picture = TextPicture::side_by_side(&pictures, gap);
            let text = format!("{}\n{picture:#}", names.concat().trim_end());
            (picture.width(), text)
        })
        .collect();
    BoardPage {
        width: rows.iter().map(|&(width, _)| width).max().unwrap_or(0),
        text: rows
            .into_iter()
            .map(|(_, text)| text)
            .collect::<Vec<String>>()
            .join("\n"),
    }
}
