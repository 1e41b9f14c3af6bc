//! Where puzzles come from: files in any format, directories, `.jsonl` streams, notation on the
//! command line, standard input.
//!
//! Files with one puzzle per line are streamed, so a file of a million puzzles takes no more memory than
//! one of ten. A bad puzzle is one bad item; reading continues after it.

mod corpora;
mod daily;
mod directory;
mod puzzle;

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, IsTerminal};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ricochet_core::formats::{self, ReadOptions, Records};
use ricochet_core::quadrants::Quadrant;

use crate::args::puzzles::ReadArgs;
use crate::term::plain::Plain;

pub(crate) use directory::SkippedFiles;
pub(crate) use puzzle::{InputError, InputPuzzle, Source, UncheckedPuzzle};

/// The puzzles that arguments name, in order.
pub(crate) struct PuzzleReader {
    arguments: VecDeque<String>,
    /// Files of directories that are still to be opened.
    files: VecDeque<PathBuf>,
    /// The file that is being read.
    open: Option<OpenFile>,
    /// Puzzles and errors that are not in a file.
    ready: VecDeque<Result<UncheckedPuzzle, InputError>>,
    options: ReadOptions,
    skipped_files: SkippedFiles,
}

struct OpenFile {
    source: Source,
    records: Records<Box<dyn BufRead + Send>>,
    /// Only the puzzles that begin at these lines.
    lines: Option<RangeInclusive<usize>>,
    finished: bool,
    /// Set for files of directories, until the first record is read: a file that is not a puzzle at
    /// all is skipped instead of being an error.
    may_be_foreign: Option<SkippedFiles>,
}

impl PuzzleReader {
    /// The puzzles of these arguments; of standard input if there are none.
    ///
    /// # Errors
    /// If there are no arguments and standard input is a terminal,
    /// or if the options that describe a position are not complete.
    pub(crate) fn new(arguments: &[String], read: ReadArgs) -> anyhow::Result<Self> {
        let mut items = Self {
            arguments: arguments.iter().cloned().collect(),
            files: VecDeque::new(),
            open: None,
            ready: VecDeque::new(),
            options: read.options(),
            skipped_files: SkippedFiles::default(),
        };
        if let Some(item) = read.puzzle_in_words(arguments)? {
            items.ready.push_back(item);
        } else if arguments.is_empty() {
            anyhow::ensure!(
                !io::stdin().is_terminal(),
                "no puzzle given: expected a file, a directory, a puzzle in notation, a corpus such \
                 as random:1, - for standard input, or --layout, --robots and --target"
            );
            items.arguments.push_back("-".to_owned());
        }
        Ok(items)
    }

    /// Opens one argument.
    fn open_argument(&mut self, argument: &str) {
        if argument == "-" {
            self.open_reader("<stdin>", None, Box::new(BufReader::new(io::stdin())));
            return;
        }
        let path = Path::new(argument);
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => self.list_directory(path),
            Ok(_) => self.open_file(path, None),
            Err(error) => match file_and_line(argument) {
                Some((file, Some(lines))) => self.open_file(Path::new(file), Some(lines)),
                Some((file, None)) => self.bad(
                    Path::new(argument),
                    format!("expected a line number after {file}:, or lines such as 1..20"),
                ),
                None => match corpora::find(argument) {
                    Some(Ok(corpus)) => self.open_corpus(&corpus),
                    Some(Err(message)) => self.bad(path, message),
                    None => match daily::find(argument) {
                        Some(Ok(day)) => self.read_daily(&day),
                        Some(Err(message)) => self.bad(path, message),
                        None => self.read_argument(argument, &error),
                    },
                },
            },
        }
    }

    /// The puzzles of an embedded corpus, or some of them.
    fn open_corpus(&mut self, corpus: &corpora::EmbeddedPuzzles<'_>) {
        let text = Box::new(corpus.text.as_bytes());
        self.open_reader(corpus.name, corpus.lines.clone(), text);
        if let Some(open) = &mut self.open {
            open.source = Source::built_in(&corpus.name.into());
        }
    }

    /// The puzzle of a day.
    fn read_daily(&mut self, day: &daily::Daily) {
        let name: Arc<str> = day.name.as_str().into();
        let records = formats::read_records(&day.line, None, self.options);
        self.ready.extend(match records {
            Ok(records) => records
                .into_iter()
                .map(|record| Ok(UncheckedPuzzle::new(Source::built_in(&name), record)))
                .collect(),
            Err(error) => vec![Err(InputError::new(
                Source::whole(&name),
                error.to_string(),
            ))],
        });
    }

    /// A puzzle that is an argument itself; `no_file` is the error of opening it as a file.
    fn read_argument(&mut self, argument: &str, no_file: &io::Error) {
        if argument.trim().is_empty() {
            let message = "the puzzle is empty: expected a file, a puzzle in notation or a corpus \
                           such as random:1";
            let error = InputError::new(Source::whole(&"''".into()), message.to_owned());
            self.ready.push_back(Err(error));
            return;
        }
        let source = Source::argument(argument);
        match formats::read_records(argument, None, self.options) {
            Ok(records) => {
                let is_single = records.len() == 1;
                self.ready.extend(records.into_iter().map(|record| {
                    let source = source.clone();
                    let source = if is_single {
                        source
                    } else {
                        source.at_line(record.line)
                    };
                    Ok(UncheckedPuzzle::new(source, record))
                }));
            }
            Err(unread) => {
                let no_file = match no_file.kind() {
                    io::ErrorKind::NotFound => "no such file".to_owned(),
                    _ => format!("cannot be opened ({no_file})"),
                };
                let message = if directory::has_puzzle_extension(Path::new(argument)) {
                    no_file
                } else if let Some(meant) = corpora::similar(argument) {
                    format!("{no_file}, and not a puzzle; did you mean {meant}?")
                } else if argument.parse::<Quadrant>().is_ok() {
                    format!(
                        "{no_file}, and not a puzzle; the quadrants of a board go together in quotes, \
                         with robots and a target: --layout \"1A 4B 3B 2B\" --robots \"R 1,8 G 12,1\" \
                         --target \"green hexagon\""
                    )
                } else if unread.is_unknown_format() {
                    format!(
                        "{no_file}, and not a puzzle in any format: `ricochet help notation` shows \
                         how to write one"
                    )
                } else {
                    format!("{no_file}, and not a puzzle: {unread}")
                };
                self.ready.push_back(Err(InputError::new(source, message)));
            }
        }
    }

    /// Queues the files of a directory and of those in it.
    fn list_directory(&mut self, directory: &Path) {
        let listing = directory::list(directory);
        for (path, message) in &listing.errors {
            self.bad(path, message.clone());
        }
        if listing.files.is_empty() {
            let endings = directory::PUZZLE_EXTENSIONS.join(", .");
            self.bad(
                directory,
                format!(
                    "no puzzle files in this directory: expected names that end with .{endings} \
                     (hidden and ignored files are left out)"
                ),
            );
        }
        self.files.extend(listing.files);
    }

    /// The skipped files so far; more are added while reading.
    pub(crate) fn skipped_files(&self) -> SkippedFiles {
        self.skipped_files.clone()
    }

    fn open_file(&mut self, path: &Path, lines: Option<RangeInclusive<usize>>) {
        match File::open(path) {
            Ok(file) => {
                let reader = Box::new(BufReader::with_capacity(1 << 16, file));
                self.open_reader(&path.to_string_lossy(), lines, reader);
            }
            Err(error) => self.bad(path, format!("cannot be opened: {error}")),
        }
    }

    fn open_reader(
        &mut self,
        name: &str,
        lines: Option<RangeInclusive<usize>>,
        reader: Box<dyn BufRead + Send>,
    ) {
        self.open = Some(OpenFile {
            source: Source::whole(&name.into()),
            records: Records::with_options(reader, None, self.options),
            lines,
            finished: false,
            may_be_foreign: None,
        });
    }

    fn bad(&mut self, path: &Path, message: String) {
        let source = Source::whole(&path.to_string_lossy().into());
        self.ready.push_back(Err(InputError::new(source, message)));
    }
}

impl OpenFile {
    fn next(&mut self) -> Option<Result<UncheckedPuzzle, InputError>> {
        if self.finished {
            return None;
        }
        let Some(lines) = self.lines.clone() else {
            let record = self.records.next()?;
            if let (Some(skipped_files), Err(error)) = (self.may_be_foreign.take(), &record)
                && error.is_unknown_format()
            {
                self.finished = true;
                skipped_files.add(&self.source.name);
                return None;
            }
            return Some(self.item(record));
        };
        let line_of = |record: &Result<formats::Record, formats::ReadError>| match record {
            Ok(record) => record.line,
            Err(error) => error.line,
        };
        // Errors before the wanted lines do not matter, and the rest of the file is not even read.
        let is_single = lines.start() == lines.end();
        let record = self
            .records
            .find(|record| line_of(record) >= *lines.start());
        let record = record.filter(|record| lines.contains(&line_of(record)));
        self.finished = is_single || record.is_none();
        match record {
            Some(record) => Some(self.item(record)),
            None if is_single => {
                let source = self.source.clone().at_line(*lines.start());
                let message = "no puzzle begins at this line".to_owned();
                Some(Err(InputError::new(source, message)))
            }
            None => None,
        }
    }

    fn item(
        &self,
        record: Result<formats::Record, formats::ReadError>,
    ) -> Result<UncheckedPuzzle, InputError> {
        let record = record.map_err(|error| InputError::in_file(&self.source.name, &error))?;
        let source = self.source.clone().at_line(record.line);
        Ok(UncheckedPuzzle::new(source, record))
    }
}

impl Iterator for PuzzleReader {
    type Item = Result<UncheckedPuzzle, InputError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(item) = self.ready.pop_front() {
                return Some(item);
            }
            if let Some(open) = &mut self.open {
                if let Some(item) = open.next() {
                    return Some(item);
                }
                self.open = None;
            } else if let Some(path) = self.files.pop_front() {
                self.open_file(&path, None);
                if let Some(open) = &mut self.open {
                    open.may_be_foreign = Some(self.skipped_files.clone());
                }
            } else {
                let argument = self.arguments.pop_front()?;
                self.open_argument(&argument);
            }
        }
    }
}

/// The one puzzle that an argument names or that --layout describes; without either, that of
/// standard input.
///
/// # Errors
/// If it cannot be read, or if there are several.
pub(crate) fn single(argument: Option<&str>, read: ReadArgs) -> anyhow::Result<InputPuzzle> {
    let arguments: Vec<String> = argument.map(str::to_owned).into_iter().collect();
    let mut items = PuzzleReader::new(&arguments, read)?;
    let named = argument.unwrap_or("<stdin>");
    let Some(first) = items.next() else {
        anyhow::bail!("{}: no puzzle", Plain(named));
    };
    let first = first?;
    let name = Arc::clone(&first.source.name);
    let puzzle = first.check(read)?;
    anyhow::ensure!(
        items.next().is_none(),
        "{} contains more than one puzzle: choose one by its line, such as {}:1",
        Plain(named),
        Plain(name)
    );
    Ok(puzzle)
}

/// The parts of `FILE:LINE`, which is also how errors name a place, or `FILE:1..20`, if there is
/// such a file.
fn file_and_line(argument: &str) -> Option<(&str, Option<RangeInclusive<usize>>)> {
    let (file, lines) = argument.rsplit_once(':')?;
    Path::new(file)
        .is_file()
        .then(|| (file, corpora::parse_lines(lines)))
}

/// Whether a word names a built-in puzzle: `random`, `random:2`, `daily`.
pub(crate) fn is_built_in(word: &str) -> bool {
    corpora::find(word).is_some() || daily::find(word).is_some()
}
