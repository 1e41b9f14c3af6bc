//! The files of a directory that may contain puzzles, found as ripgrep finds files: without hidden files
//! and those that `.gitignore` or `.ignore` exclude, and without following links.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ignore::WalkBuilder;
use ricochet_core::describe::plural;

/// Extensions of puzzle files.
pub(super) const PUZZLE_EXTENSIONS: [&str; 9] = [
    "jsonl", "json", "txt", "ricochet", "lp", "asp", "dd", "kevincox", "roboyard",
];

/// The puzzle files of a directory.
#[derive(Default)]
pub(super) struct Listing {
    /// Regular files with one of the extensions, sorted by name.
    pub(super) files: Vec<PathBuf>,
    /// Directories that could not be listed, and why.
    pub(super) errors: Vec<(PathBuf, String)>,
}

/// Lists a directory recursively. Pipes and devices are left out: reading them could block forever.
pub(super) fn list(directory: &Path) -> Listing {
    let mut listing = Listing::default();
    let walk = WalkBuilder::new(directory)
        .sort_by_file_path(Path::cmp)
        .build();
    for entry in walk {
        match entry {
            Ok(entry) => {
                let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
                if is_file && has_puzzle_extension(entry.path()) {
                    listing.files.push(entry.into_path());
                }
            }
            Err(error) => {
                let message = format!("cannot be listed: {error}");
                listing.errors.push((directory.to_owned(), message));
            }
        }
    }
    listing
}

pub(super) fn has_puzzle_extension(path: &Path) -> bool {
    path.extension()
        .and_then(|extension| extension.to_str())
        .is_some_and(|extension| PUZZLE_EXTENSIONS.contains(&extension))
}

/// Files of directories that turned out not to contain puzzles, for one note at the end. Clones share
/// their contents.
#[derive(Clone, Default)]
pub(crate) struct SkippedFiles(Arc<Mutex<SkippedCount>>);

#[derive(Default)]
struct SkippedCount {
    files: usize,
    first: Arc<str>,
}

impl SkippedFiles {
    pub(super) fn add(&self, name: &Arc<str>) {
        let mut counted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if counted.files == 0 {
            counted.first = Arc::clone(name);
        }
        counted.files += 1;
    }

    /// Whether no file was skipped.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).files == 0
    }
}

impl fmt::Display for SkippedFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match counted.files {
            1 => write!(f, "{} contains no puzzle and was skipped", counted.first),
            files => write!(
                f,
                "{} contain no puzzles and were skipped, such as {}",
                plural(files, "file"),
                counted.first
            ),
        }
    }
}
