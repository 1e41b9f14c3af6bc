//! Where pictures go, in which format, and under which names.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::{bail, ensure};
use clap::ValueEnum;

use super::Args;
use crate::input::InputPuzzle;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    Svg,
    Png,
    Gif,
    Pdf,
}

impl Format {
    pub(super) fn extension(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Png => "png",
            Self::Gif => "gif",
            Self::Pdf => "pdf",
        }
    }
}

/// Where pictures go.
pub(super) enum Destination {
    Stdout,
    File(PathBuf),
    /// One file for each puzzle.
    Directory(PathBuf),
}

/// The destination and the format. Reports errors in the arguments before any work.
pub(super) fn of(args: &Args) -> anyhow::Result<(Destination, Format)> {
    let sheet = args.sheet.sheet;
    let default = if sheet { Format::Pdf } else { Format::Svg };
    let (destination, format) = match &args.output {
        None => (Destination::Stdout, args.to.unwrap_or(default)),
        Some(path) if path.as_os_str() == "-" => (Destination::Stdout, args.to.unwrap_or(default)),
        Some(path) if is_directory(path) => {
            let format = args.to.unwrap_or(default);
            (Destination::Directory(path.clone()), format)
        }
        Some(path) => {
            let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
            let format = match (Format::from_str(extension, true), args.to) {
                (Ok(told), Some(asked)) if told != asked => bail!(
                    "{}: the extension says {}, --to says {}",
                    path.display(),
                    told.extension(),
                    asked.extension()
                ),
                (Ok(format), _) | (Err(_), Some(format)) => format,
                (Err(_), None) if extension.is_empty() => bail!(
                    "{}: the name has no extension: expected .svg, .png, .gif or \
                     .pdf, or a directory that ends with /",
                    path.display()
                ),
                (Err(_), None) => bail!(
                    "{}: the extension does not name a format: expected .svg, .png, .gif or .pdf, \
                     or a directory that ends with /",
                    path.display()
                ),
            };
            (Destination::File(path.clone()), format)
        }
    };
    if matches!(destination, Destination::Stdout) && format != Format::Svg {
        ensure!(
            !io::stdout().is_terminal(),
            "a {} cannot be shown in a terminal: write it to a file with -o",
            format.extension()
        );
    }
    if sheet {
        check_sheet(args, &destination, format)?;
    }
    ensure!(
        !args.css || (format == Format::Svg && !sheet),
        "--css is for SVG pictures only"
    );
    ensure!(
        args.overlay.overlay.is_none() || format != Format::Gif,
        "a GIF shows the moves: it cannot have an overlay"
    );
    Ok((destination, format))
}

fn check_sheet(args: &Args, destination: &Destination, format: Format) -> anyhow::Result<()> {
    ensure!(
        format != Format::Gif,
        "a sheet is a PDF, or SVG or PNG pages, not a {}",
        format.extension()
    );
    ensure!(
        !matches!(destination, Destination::Directory(_)),
        "a sheet goes to a file, such as sheet.pdf"
    );
    ensure!(
        format == Format::Pdf || !matches!(destination, Destination::Stdout),
        "the {} pages of a sheet go to files: use -o sheet.{}",
        format.extension().to_uppercase(),
        format.extension()
    );
    ensure!(
        args.cells.is_none(),
        "--cells cannot be used with --sheet: boards fill the page; --per-page makes them larger \
         or smaller"
    );
    ensure!(
        args.overlay.overlay.is_none(),
        "a sheet is for people to solve: it cannot have an overlay"
    );
    Ok(())
}

fn is_directory(path: &Path) -> bool {
    path.is_dir() || path.as_os_str().as_encoded_bytes().ends_with(b"/")
}

/// Unique file names for puzzles.
pub(super) struct FileNames {
    format: Format,
    /// In lower case, since some file systems ignore case.
    given: HashSet<String>,
}

impl FileNames {
    pub(super) fn new(format: Format) -> Self {
        Self {
            format,
            given: HashSet::new(),
        }
    }

    /// The puzzle's name with safe characters, or its number if it has no name. Repeated names get a
    /// number: `easy.svg`, `easy-2.svg`.
    pub(super) fn of(&mut self, read: &InputPuzzle, number: usize) -> String {
        let id = read.title().unwrap_or_default();
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
        self.once(&name)
    }

    fn once(&mut self, name: &str) -> String {
        let mut free = name.to_owned();
        let mut copy = 2;
        while !self.given.insert(free.to_lowercase()) {
            free = format!("{name}-{copy}");
            copy += 1;
        }
        format!("{free}.{}", self.format.extension())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_is_given_twice() {
        let mut names = FileNames::new(Format::Png);
        let given = ["a", "a-2", "A", "a", "b"].map(|name| names.once(name));
        assert_eq!(given, ["a.png", "a-2.png", "A-3.png", "a-4.png", "b.png"]);
    }
}
