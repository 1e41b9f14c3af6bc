//! A solver with its parameters, as the user writes it: `iddfs`, `iddfs:memo=off:sort=off`.

use std::fmt;
use std::str::FromStr;

use ricochet_solve::registry::{self, BuildError, Options};
use ricochet_solve::{Guarantee, Solver};

/// A registry name and options. Its text form identifies the solver in rows and tables.
///
/// ```
/// use ricochet_lab::run::spec::SolverSpec;
/// let spec: SolverSpec = "iddfs:memo=off:sort=off".parse().unwrap();
/// assert_eq!(spec.name(), "iddfs");
/// assert_eq!(spec.to_string(), "iddfs:memo=off:sort=off");
/// assert!("iddfs:memo".parse::<SolverSpec>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolverSpec {
    name: String,
    options: Options,
}

/// A text that is no solver with options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError {
    text: String,
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "'{}' is not a solver: expected NAME or NAME:key=value:key=value",
            self.text.escape_debug()
        )
    }
}

impl std::error::Error for SpecError {}

impl SolverSpec {
    /// The name in the registry.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Makes the solver.
    ///
    /// # Errors
    /// An unknown name or parameter, or a bad value.
    pub fn build(&self) -> Result<Box<dyn Solver>, BuildError> {
        registry::build(&self.name, &self.options)
    }

    /// How many threads it is asked to work with: its parameter `threads`, 1 where it has none.
    ///
    /// ```
    /// use ricochet_lab::run::spec::SolverSpec;
    /// let threads = |text: &str| text.parse::<SolverSpec>().unwrap().threads().unwrap();
    /// assert_eq!((threads("flagship:threads=2"), threads("iddfs")), (2, 1));
    /// ```
    ///
    /// # Errors
    /// A value that is no number.
    pub fn threads(&self) -> Result<usize, BuildError> {
        self.options.parse("threads", 1)
    }

    /// What its solutions are worth.
    ///
    /// # Errors
    /// An unknown name.
    pub fn guarantee(&self) -> Result<Guarantee, BuildError> {
        Ok(registry::find(&self.name)?.guarantee)
    }
}

impl fmt::Display for SolverSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (key, value) in self.options.pairs() {
            write!(f, ":{key}={value}")?;
        }
        Ok(())
    }
}

impl FromStr for SolverSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let error = || SpecError {
            text: text.chars().take(80).collect(),
        };
        let mut parts = text.trim().split(':');
        let name = parts.next().unwrap_or_default();
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if name.is_empty() || !name.chars().all(plain) {
            return Err(error());
        }
        let mut options = Options::default();
        for part in parts {
            let (key, value) = part.split_once('=').ok_or_else(error)?;
            options.set(key, value);
        }
        Ok(Self {
            name: name.to_owned(),
            options,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_specs_are_refused_with_what_was_expected() {
        for text in ["", ":", "a b", "iddfs:", "iddfs:memo", "iddfs:x=1:"] {
            let error = text.parse::<SolverSpec>().unwrap_err();
            assert!(error.to_string().contains("NAME:key=value"), "{text}");
        }
    }
}
