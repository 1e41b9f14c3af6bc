//! Why a text is not a solver.

use std::fmt;

use super::SOLVERS;

/// Why no solver was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SpecError {
    /// No solver has this name.
    UnknownSolver {
        /// The name given.
        name: String,
        /// The nearest one there is.
        nearest: &'static str,
    },
    /// The solver has no such parameter.
    UnknownParameter {
        /// The solver.
        solver: &'static str,
        /// The key given.
        key: String,
        /// The keys it has.
        known: Vec<&'static str>,
    },
    /// The value cannot be read.
    BadValue {
        /// The key.
        key: String,
        /// The text.
        value: String,
        /// What was expected.
        expected: &'static str,
    },
    /// What follows a colon is not `key=value`.
    BadParameter {
        /// The text between the colons.
        text: String,
    },
}

impl SpecError {
    pub(super) fn unknown_solver(name: &str) -> Self {
        let nearest = SOLVERS
            .iter()
            .min_by_key(|info| edit_distance(name, info.name))
            .map_or("", |info| info.name);
        Self::UnknownSolver {
            name: shortened(name),
            nearest,
        }
    }

    pub(super) fn bad_value(key: &str, value: &str, expected: &'static str) -> Self {
        Self::BadValue {
            key: key.to_owned(),
            value: shortened(value),
            expected,
        }
    }
}

/// The first 60 characters: an error message is one line.
pub(super) fn shortened(text: &str) -> String {
    text.chars().take(60).collect()
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownSolver { name, .. } if name.is_empty() => {
                f.write_str("the solver's name is missing: expected NAME or NAME:key=value")
            }
            Self::UnknownSolver { name, nearest } => {
                write!(f, "no solver is called '{}'; ", name.escape_debug())?;
                let longer = name.chars().count().max(nearest.len());
                if edit_distance(name, nearest) * 2 <= longer {
                    write!(f, "did you mean '{nearest}'?")
                } else {
                    let names: Vec<&str> = SOLVERS.iter().map(|info| info.name).collect();
                    write!(f, "there are {}", names.join(", "))
                }
            }
            Self::UnknownParameter { solver, key, known } => {
                let key = key.escape_debug();
                write!(f, "'{solver}' has no parameter '{key}': it has ")?;
                match known.as_slice() {
                    [] => f.write_str("none"),
                    known => f.write_str(&known.join(", ")),
                }
            }
            Self::BadValue {
                key,
                value,
                expected,
            } => {
                let value = value.escape_debug();
                write!(
                    f,
                    "'{value}' is not a valid value for '{key}': expected {expected}"
                )
            }
            Self::BadParameter { text } => write!(
                f,
                "'{}' is not a parameter: expected key=value, as in iddfs:memo=off",
                text.escape_debug()
            ),
        }
    }
}

impl std::error::Error for SpecError {}

/// Levenshtein's distance, for suggesting names.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().take(60).enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
