//! Why there is no tablebase.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::Limit;

/// Why a tablebase was not made, not read or not written.
#[derive(Clone, Debug)]
pub enum TablebaseError {
    /// Such puzzles have no tablebase.
    Unsupported {
        /// What, as a noun.
        what: &'static str,
    },
    /// It would need more memory than allowed.
    TooLarge {
        /// Helper configurations.
        configurations: u64,
        /// Bytes that the search would need.
        bytes: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// A limit ended the search.
    LimitReached {
        /// Which.
        limit: Limit,
        /// All states of this distance and less were found.
        distance: u32,
    },
    /// The puzzle is not one of this tablebase.
    OtherPuzzle {
        /// What differs, as a noun: `the board`, `the target` …
        what: &'static str,
    },
    /// The file cannot be read or written.
    Io {
        /// Which file.
        path: PathBuf,
        /// What was being done, as a participle: `reading`, `writing` …
        doing: &'static str,
        /// The system's reason.
        source: Arc<io::Error>,
    },
    /// The file is not a tablebase, or not a whole one.
    Damaged {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
}

impl TablebaseError {
    /// The limit that ended a search or kept it from starting, if it was one.
    pub fn limit(&self) -> Option<Limit> {
        match self {
            Self::LimitReached { limit, .. } => Some(*limit),
            Self::TooLarge { .. } => Some(Limit::Memory),
            _ => None,
        }
    }

    pub(crate) fn io(path: &Path, doing: &'static str, source: io::Error) -> Self {
        Self::Io {
            path: path.to_owned(),
            doing,
            source: Arc::new(source),
        }
    }

    pub(crate) fn damaged(path: &Path, what: impl Into<String>) -> Self {
        Self::Damaged {
            path: path.to_owned(),
            what: what.into(),
        }
    }
}

impl fmt::Display for TablebaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported { what } => write!(f, "tablebases do not support {what}"),
            Self::TooLarge {
                configurations,
                bytes,
                limit,
            } => write!(
                f,
                "a tablebase of {configurations} helper configurations needs {:.1} GiB of memory, \
                 but only {:.1} GiB are allowed",
                gib(*bytes),
                gib(*limit)
            ),
            Self::LimitReached { limit, distance } => {
                write!(f, "{limit} after all states up to distance {distance}")
            }
            Self::OtherPuzzle { what } => {
                write!(f, "{what} is not the one that the tablebase was made for")
            }
            Self::Io {
                path,
                doing,
                source,
            } => write!(f, "{}: {doing}: {source}", path.display()),
            Self::Damaged { path, what } => {
                write!(f, "{}: not a sound tablebase: {what}", path.display())
            }
        }
    }
}

fn gib(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 30)
}

impl std::error::Error for TablebaseError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source.as_ref()),
            _ => None,
        }
    }
}
