//! All solvers by name: the command line, the lab and every other front end make theirs here.

use std::fmt;

use crate::{Guarantee, Solver};

/// One parameter of a solver.
///
/// ```
/// use ricochet_solve::registry;
/// for parameter in registry::find("iddfs").unwrap().parameters {
///     println!("{}={}: {}", parameter.key, parameter.default, parameter.help);
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// As in `--solver NAME:key=value` or `--set key=value`.
    pub key: &'static str,
    /// Its value when it is not given.
    pub default: &'static str,
    /// What it means.
    pub help: &'static str,
}

/// What the registry knows of a solver.
///
/// ```
/// use ricochet_solve::Guarantee;
/// use ricochet_solve::registry::{ENTRIES, Options};
/// let optimal = ENTRIES.iter().filter(|entry| entry.guarantee == Guarantee::Optimal);
/// assert!(optimal.count() > 3);
/// let solver = (ENTRIES[0].build)(&Options::default()).unwrap();
/// assert_eq!(solver.name(), ENTRIES[0].name);
/// ```
#[derive(Clone, Copy)]
pub struct Entry {
    /// The name.
    pub name: &'static str,
    /// What a solution is worth.
    pub guarantee: Guarantee,
    /// Where the algorithm is described: document and section.
    pub source: &'static str,
    /// One line.
    pub summary: &'static str,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    /// Makes one.
    pub build: fn(&Options) -> Result<Box<dyn Solver>, BuildError>,
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// Parameters given by the user, as text.
///
/// ```
/// use ricochet_solve::registry::Options;
/// let mut options = Options::default();
/// options.set("threads", "2");
/// assert_eq!(options.parse("threads", 1), Ok(2));
/// assert_eq!(options.parse("depth", 10), Ok(10));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    pairs: Vec<(String, String)>,
}

impl Options {
    /// Gives a parameter; the last one counts.
    ///
    /// ```
    /// use ricochet_solve::registry::Options;
    /// let mut options = Options::default();
    /// options.set("memo", "on");
    /// options.set("memo", "off");
    /// assert_eq!(options.get("memo"), Some("off"));
    /// ```
    pub fn set(&mut self, key: &str, value: &str) {
        self.pairs.push((key.to_owned(), value.to_owned()));
    }

    /// The text of a parameter.
    ///
    /// ```
    /// use ricochet_solve::registry::Options;
    /// assert_eq!(Options::default().get("memo"), None);
    /// ```
    pub fn get(&self, key: &str) -> Option<&str> {
        let pair = self.pairs.iter().rev().find(|(name, _)| name == key);
        pair.map(|(_, value)| value.as_str())
    }

    /// All that was given.
    ///
    /// ```
    /// use ricochet_solve::registry::Options;
    /// let mut options = Options::default();
    /// options.set("memo", "off");
    /// assert_eq!(options.pairs(), [("memo".to_string(), "off".to_string())]);
    /// ```
    pub fn pairs(&self) -> &[(String, String)] {
        &self.pairs
    }

    /// A parameter as a value, or the default if it is not given.
    ///
    /// ```
    /// use ricochet_solve::registry::Options;
    /// let mut options = Options::default();
    /// options.set("setup-depth", "deep");
    /// let error = options.parse::<u32>("setup-depth", 4).unwrap_err();
    /// assert_eq!(error.to_string(), "'deep' is no value for 'setup-depth': expected u32");
    /// ```
    ///
    /// # Errors
    /// If the text is not such a value.
    pub fn parse<T: std::str::FromStr>(&self, key: &str, default: T) -> Result<T, BuildError> {
        match self.get(key) {
            None => Ok(default),
            Some(text) => text.parse().map_err(|_| BuildError::BadValue {
                key: key.to_owned(),
                value: text.to_owned(),
                expected: std::any::type_name::<T>(),
            }),
        }
    }
}

/// Why no solver was made.
///
/// ```
/// use ricochet_solve::registry::{self, BuildError, Options};
/// let error = registry::build("flagshp", &Options::default()).err().unwrap();
/// assert!(matches!(error, BuildError::UnknownSolver { nearest: "flagship", .. }));
/// assert_eq!(error.to_string(), "no solver is called 'flagshp'; did you mean 'flagship'?");
/// let error = registry::build("a*", &Options::default()).err().unwrap();
/// assert!(error.to_string().starts_with("no solver is called 'a*'; there are flagship, iddfs,"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BuildError {
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
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownSolver { name, nearest } => {
                write!(f, "no solver is called '{name}'; ")?;
                let longer = name.chars().count().max(nearest.len());
                if edit_distance(name, nearest) * 2 <= longer {
                    write!(f, "did you mean '{nearest}'?")
                } else {
                    let names: Vec<&str> = ENTRIES.iter().map(|entry| entry.name).collect();
                    write!(f, "there are {}", names.join(", "))
                }
            }
            Self::UnknownParameter { solver, key, known } if known.is_empty() => {
                write!(f, "'{solver}' has no parameter '{key}': it has none")
            }
            Self::UnknownParameter { solver, key, known } => write!(
                f,
                "'{solver}' has no parameter '{key}': it has {}",
                known.join(", ")
            ),
            Self::BadValue {
                key,
                value,
                expected,
            } => write!(f, "'{value}' is no value for '{key}': expected {expected}"),
        }
    }
}

impl std::error::Error for BuildError {}

/// All solvers, in the order in which they should be listed. A new solver is one line here.
///
/// ```
/// for entry in ricochet_solve::registry::ENTRIES {
///     println!("{:<18} {:<8} {}", entry.name, entry.guarantee.to_string(), entry.summary);
/// }
/// ```
pub const ENTRIES: &[Entry] = &[
    crate::flagship::ENTRY,
    crate::iddfs::ENTRY,
    crate::iddfs::BOUNDED,
    crate::naive::ENTRY,
    crate::stateless::ENTRY,
    crate::graph::V1,
    crate::graph::V2,
    crate::graph::BOUNDED,
    crate::graph::COMPLETE,
    crate::setups::BFS,
    crate::setups::DFS,
    crate::setups::SINGLE_COLOR,
    crate::setups::SETUP_BFS,
    crate::setups::SETUP_DFS,
    crate::setups::SETUP_POSITION,
    crate::setups::SETUP_CROSSBLOCK,
    crate::tablebase::solver::ENTRY,
];

/// The entry of a name.
///
/// ```
/// use ricochet_solve::registry;
/// assert_eq!(registry::find("graph-v2").unwrap().source, "thesis, 'Graph v2'");
/// assert!(registry::find("graph-v9").is_err());
/// ```
///
/// # Errors
/// [`BuildError::UnknownSolver`], which names the nearest.
pub fn find(name: &str) -> Result<&'static Entry, BuildError> {
    ENTRIES
        .iter()
        .find(|entry| entry.name == name)
        .ok_or_else(|| {
            let nearest = ENTRIES
                .iter()
                .min_by_key(|entry| edit_distance(name, entry.name))
                .map_or("", |entry| entry.name);
            BuildError::UnknownSolver {
                name: name.chars().take(60).collect(),
                nearest,
            }
        })
}

/// Makes a solver by name.
///
/// ```
/// use ricochet_solve::registry::{self, Options};
/// let mut options = Options::default();
/// options.set("setup-depth", "5");
/// assert_eq!(registry::build("setup-bfs", &options).unwrap().name(), "setup-bfs");
/// let error = registry::build("naive", &options).err().unwrap();
/// assert_eq!(error.to_string(), "'naive' has no parameter 'setup-depth': it has none");
/// ```
///
/// # Errors
/// An unknown name or parameter, or a bad value.
pub fn build(name: &str, options: &Options) -> Result<Box<dyn Solver>, BuildError> {
    let entry = find(name)?;
    for (key, _) in options.pairs() {
        if !entry
            .parameters
            .iter()
            .any(|parameter| parameter.key == key)
        {
            return Err(BuildError::UnknownParameter {
                solver: entry.name,
                key: key.clone(),
                known: entry
                    .parameters
                    .iter()
                    .map(|parameter| parameter.key)
                    .collect(),
            });
        }
    }
    (entry.build)(options)
}

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
