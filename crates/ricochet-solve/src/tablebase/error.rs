//! Why a tablebase cannot be built or read.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ricochet_core::State;

use crate::{Limit, LimitReached};

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
    /// A limit ended the search: all states nearer than its lower bound were found.
    Stopped(LimitReached),
    /// The puzzle is not one of this tablebase.
    OtherPuzzle {
        /// What differs, as a noun: `the board`, `the target` …
        what: &'static str,
    },
    /// The file cannot be read or written.
    Io {
        /// Which file.
        path: PathBuf,
        /// What cannot be done with it, as a verb: `read`, `write` …
        verb: &'static str,
        /// The system's reason.
        source: Arc<io::Error>,
    },
    /// The distances contradict each other. Checksums do not find that: the file was made wrong, or
    /// changed on purpose.
    Contradiction {
        /// Of which state.
        state: State,
        /// The distance that no move leads on from.
        distance: u32,
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
            Self::Stopped(stopped) => Some(stopped.limit),
            Self::TooLarge { .. } => Some(Limit::Memory),
            _ => None,
        }
    }

    pub(crate) fn io(path: &Path, verb: &'static str, source: io::Error) -> Self {
        Self::Io {
            path: path.to_owned(),
            verb,
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
                "a tablebase of {configurations} helper configurations needs {} of memory, but \
                 only {} are allowed",
                size(*bytes),
                size(*limit)
            ),
            Self::Stopped(LimitReached { limit, lower_bound }) => {
                let distance = lower_bound.saturating_sub(1);
                write!(f, "{limit} after all states up to distance {distance}")
            }
            Self::OtherPuzzle { what } => {
                write!(f, "{what} is not the one that the tablebase was made for")
            }
            // The reason is the source, which is printed with the error.
            Self::Io { path, verb, .. } => write!(f, "cannot {verb} {}", path.display()),
            Self::Contradiction { state, distance } => write!(
                f,
                "not a sound tablebase: it says {distance} for {state:?}, but no shortest solution \
                 of that length can be found in it"
            ),
            Self::Damaged { path, what } => {
                write!(f, "{}: not a sound tablebase: {what}", path.display())
            }
        }
    }
}

fn size(bytes: u64) -> String {
    if bytes < 1 << 30 {
        format!("{} MiB", bytes.div_ceil(1 << 20))
    } else {
        format!("{:.1} GiB", bytes as f64 / f64::from(1 << 30))
    }
}

impl From<LimitReached> for TablebaseError {
    fn from(stopped: LimitReached) -> Self {
        Self::Stopped(stopped)
    }
}

impl std::error::Error for TablebaseError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source.as_ref()),
            _ => None,
        }
    }
}
