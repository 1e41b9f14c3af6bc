//! A solver with its parameters, as people write it: `iddfs`, `iddfs:memo=off:sort=off`.

use std::fmt;
use std::str::FromStr;

use super::error::shortened;
use super::{Options, SolverInfo, SpecError, find};
use crate::{Guarantee, Solver};

/// A solver of the registry with parameters, of which any number can be made.
///
/// Its text form is `NAME:key=value:key=value`; a colon or backslash in a value is written with a
/// backslash before it. What was parsed or set has been checked, so that [`SolverSpec::build`]
/// cannot fail. The text identifies the solver in records and tables.
///
/// ```
/// use ricochet_solve::registry::SolverSpec;
/// let spec: SolverSpec = "iddfs:memo=off:sort=off".parse()?;
/// assert_eq!(spec.name(), "iddfs");
/// assert_eq!(spec.to_string(), "iddfs:memo=off:sort=off");
/// assert_eq!(spec.build().name(), "iddfs");
/// assert!("iddfs:memo".parse::<SolverSpec>().is_err());
/// # Ok::<(), ricochet_solve::registry::SpecError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SolverSpec {
    info: &'static SolverInfo,
    options: Options,
}

impl SolverSpec {
    /// The name in the registry.
    pub fn name(&self) -> &'static str {
        self.info.name
    }

    /// What the registry knows of the solver.
    pub fn info(&self) -> &'static SolverInfo {
        self.info
    }

    /// What its solutions are worth.
    pub fn guarantee(&self) -> Guarantee {
        self.info.guarantee
    }

    /// How many threads it is asked to work with: its parameter `threads`, 1 where it has none.
    pub fn threads(&self) -> usize {
        self.options
            .number("threads", 1)
            .map_or(1, |threads| threads.max(1) as usize)
    }

    /// Gives a parameter; a value given before is replaced.
    ///
    /// # Errors
    /// A parameter that the solver does not have, or a bad value; then nothing changes.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SpecError> {
        if !self.info.has_parameter(key) {
            return Err(SpecError::UnknownParameter {
                solver: self.info.name,
                key: shortened(key),
                known: self.info.parameters.iter().map(|known| known.key).collect(),
            });
        }
        let mut options = self.options.clone();
        options.set(key, value);
        (self.info.build)(&options)?;
        self.options = options;
        Ok(())
    }

    /// The same with this many threads, unless it sets the number already or has no such parameter.
    #[must_use]
    pub fn or_threads(mut self, threads: usize) -> Self {
        if self.info.has_parameter("threads") && self.options.get("threads").is_none() {
            let threads = u32::try_from(threads).unwrap_or(u32::MAX).max(1);
            self.options.set("threads", &threads.to_string());
        }
        self
    }

    /// Makes one.
    pub fn build(&self) -> Box<dyn Solver> {
        (self.info.build)(&self.options).expect("every value was checked when it was set")
    }
}

impl From<&'static SolverInfo> for SolverSpec {
    fn from(info: &'static SolverInfo) -> Self {
        Self {
            info,
            options: Options::default(),
        }
    }
}

impl PartialEq for SolverSpec {
    fn eq(&self, other: &Self) -> bool {
        self.info.name == other.info.name && self.options == other.options
    }
}

impl Eq for SolverSpec {}

impl fmt::Display for SolverSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.info.name)?;
        for (key, value) in self.options.pairs() {
            write!(f, ":{key}=")?;
            for c in value.chars() {
                if matches!(c, ':' | '\\') {
                    f.write_str("\\")?;
                }
                write!(f, "{c}")?;
            }
        }
        Ok(())
    }
}

impl FromStr for SolverSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let parts = split(text.trim());
        let mut spec = Self::from(find(parts[0].trim())?);
        for part in &parts[1..] {
            let bad = || SpecError::BadParameter {
                text: shortened(part),
            };
            let (key, value) = part.split_once('=').ok_or_else(bad)?;
            if key.trim().is_empty() {
                return Err(bad());
            }
            spec.set(key.trim(), value.trim())?;
        }
        Ok(spec)
    }
}

/// The parts between colons; never none. A backslash takes the colon or backslash after it as it is.
fn split(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let part = parts.last_mut().expect("there is one from the beginning");
        match c {
            ':' => parts.push(String::new()),
            '\\' => part.push(
                chars
                    .next_if(|next| matches!(next, ':' | '\\'))
                    .unwrap_or(c),
            ),
            _ => part.push(c),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_specs_are_refused_with_what_was_expected() {
        for (text, expected) in [
            ("", "the solver's name is missing"),
            (":", "the solver's name is missing"),
            ("iddfs:", "expected key=value"),
            ("iddfs:memo", "expected key=value"),
            ("iddfs:=off", "expected key=value"),
            ("iddfs:memo=off:", "expected key=value"),
            ("iddfs:memo=maybe", "expected on or off"),
            ("iddfs:x=1", "it has memo, sort, bound"),
            ("naive:x=1", "'naive' has no parameter 'x': it has none"),
            ("a*", "there are flagship, iddfs,"),
            ("a b", "no solver is called 'a b'"),
            ("iddsf:memo=off", "did you mean 'iddfs'?"),
            ("flagship:threads=-1", "expected a whole number"),
            ("a\u{1b}[31m", "'a\\u{1b}[31m'"),
        ] {
            let error = text.parse::<SolverSpec>().unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn the_text_form_can_be_read_back() {
        for text in [
            "iddfs",
            "iddfs:memo=off:sort=off",
            r"tablebase:file=a\:b=c\\",
            r"tablebase:file=C\:\\tables\\x.tb:threads=2",
        ] {
            assert_eq!(text.parse::<SolverSpec>().unwrap().to_string(), text);
        }
        let mut spec: SolverSpec = "tablebase".parse().unwrap();
        spec.set("file", r"\:\\:").unwrap();
        assert_eq!(spec.to_string().parse(), Ok(spec));
        // A backslash that needs none is one.
        let spec: SolverSpec = r"tablebase:file=a\b".parse().unwrap();
        assert_eq!(spec.to_string(), r"tablebase:file=a\\b");
    }

    #[test]
    fn the_last_value_counts_and_stands_once() {
        let spec: SolverSpec = " iddfs:memo=off:sort=off:memo=on ".parse().unwrap();
        assert_eq!(spec.to_string(), "iddfs:memo=on:sort=off");
    }

    #[test]
    fn default_threads_do_not_replace_given_ones() {
        for (text, threads, expected) in [
            ("flagship", 2, "flagship:threads=2"),
            ("flagship:threads=8", 8, "flagship:threads=8"),
            ("iddfs", 1, "iddfs"),
        ] {
            let spec = text.parse::<SolverSpec>().unwrap().or_threads(2);
            assert_eq!(
                (spec.threads(), spec.to_string().as_str()),
                (threads, expected)
            );
        }
    }
}
