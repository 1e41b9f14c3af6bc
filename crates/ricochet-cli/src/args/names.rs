//! Arguments that take any text and suggest names for it: solvers, corpora.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use ricochet_lab::corpus;
use ricochet_solve::registry::{SOLVERS, SolverSpec};

/// A solver; the text is looked up later.
pub(crate) fn solver_names() -> SuggestedNames {
    SuggestedNames(|| SOLVERS.iter().map(|info| info.name).collect())
}

/// A parser that accepts any text and suggests names to completions.
#[derive(Clone)]
pub(crate) struct SuggestedNames(pub(crate) fn() -> Vec<&'static str>);

impl SuggestedNames {
    /// The names.
    pub(crate) fn names(&self) -> Vec<&'static str> {
        #[cfg(test)]
        NAMES_LISTED.with(|listed| listed.set(listed.get() + 1));
        (self.0)()
    }
}

#[cfg(test)]
thread_local! {
    static NAMES_LISTED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// How often this thread has listed names.
#[cfg(test)]
pub(crate) fn names_listed() -> usize {
    NAMES_LISTED.with(std::cell::Cell::get)
}

impl TypedValueParser for SuggestedNames {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.names().into_iter().map(PossibleValue::new)))
    }
}

/// A solver with parameters.
pub(crate) fn solver_specs() -> impl TypedValueParser<Value = SolverSpec> {
    solver_names().try_map(|text| text.parse::<SolverSpec>())
}

/// A puzzle; the suggested names are those of the embedded corpora.
pub(crate) fn corpus_names() -> SuggestedNames {
    SuggestedNames(|| {
        let short = |name: &'static str| {
            let last = name.rsplit('/').next().unwrap_or(name);
            corpus::embedded_text(last).map_or(name, |_| last)
        };
        corpus::embedded_names().map(short).collect()
    })
}
