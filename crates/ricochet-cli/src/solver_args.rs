//! Which solver, with which parameters.

use anyhow::Context;
use ricochet_solve::Solver;
use ricochet_solve::registry::{self, Entry, Options};

use crate::cmd::solve::all_cores;

/// The solver that is used when none is named: the first of these that the registry has.
const DEFAULT_SOLVERS: [&str; 2] = ["flagship", "iddfs"];

/// A solver and its parameters.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Solver")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(crate) struct SolverArgs {
    /// The solver, with parameters if wanted: iddfs, or iddfs:memo=off:sort=off. `ricochet solvers`
    /// lists them
    #[arg(long, short, value_name = "NAME")]
    pub(crate) solver: Option<String>,

    /// A parameter of the solver
    #[arg(long, value_name = "KEY=VALUE", value_parser = parse_pair)]
    pub(crate) set: Vec<(String, String)>,

    /// iddfs: without its memo (the same as --set memo=off)
    #[arg(long)]
    pub(crate) no_memo: bool,

    /// iddfs: with the order of the robots kept in the memo's key (--set sort=off)
    #[arg(long)]
    pub(crate) no_sort: bool,

    /// iddfs: without the minimum-moves map (--set bound=off)
    #[arg(long)]
    pub(crate) no_bound: bool,

    /// stateless: as published, claims that cannot be replayed included (--set published=on)
    #[arg(long)]
    pub(crate) published: bool,
}

/// A solver of the registry with all its parameters, of which any number can be made.
#[derive(Clone, Debug)]
pub(crate) struct Recipe {
    pub(crate) entry: &'static Entry,
    options: Options,
}

impl SolverArgs {
    /// Whether nothing was said about the solver.
    pub(crate) fn is_default(&self) -> bool {
        self.solver.is_none()
            && self.set.is_empty()
            && !(self.no_memo || self.no_sort || self.no_bound || self.published)
    }

    /// The solver that was asked for. Fails early, before any puzzle is read.
    pub(crate) fn recipe(&self) -> anyhow::Result<Recipe> {
        let named = match &self.solver {
            Some(named) => named.as_str(),
            None => default_name(),
        };
        let (name, inline) = named.split_once(':').unwrap_or((named, ""));
        let mut options = Options::default();
        for pair in inline.split(':').filter(|pair| !pair.is_empty()) {
            let (key, value) = parse_pair(pair).map_err(anyhow::Error::msg)?;
            options.set(&key, &value);
        }
        let switches = [
            (self.no_memo, "memo", "off"),
            (self.no_sort, "sort", "off"),
            (self.no_bound, "bound", "off"),
            (self.published, "published", "on"),
        ];
        for (_, key, value) in switches.into_iter().filter(|&(given, ..)| given) {
            options.set(key, value);
        }
        for (key, value) in &self.set {
            options.set(key, value);
        }
        let recipe = Recipe {
            entry: registry::find(name)?,
            options,
        };
        recipe.build()?;
        Ok(recipe)
    }

    /// One solver whose solutions are shown to people: on one thread, since with more of them it
    /// depends on chance which of the shortest solutions is found. Who asks again is told the same.
    pub(crate) fn for_people(&self) -> anyhow::Result<Box<dyn Solver>> {
        self.recipe()?.with_default("threads", "1").build()
    }

    /// One solver for one puzzle after the other: the cores are for its own threads, if it has any.
    pub(crate) fn with_all_cores(&self) -> anyhow::Result<Box<dyn Solver>> {
        let threads = all_cores().to_string();
        self.recipe()?.with_default("threads", &threads).build()
    }
}

impl Recipe {
    /// A solver by its plain name.
    pub(crate) fn named(name: &str) -> anyhow::Result<Self> {
        Ok(Self {
            entry: registry::find(name)?,
            options: Options::default(),
        })
    }

    /// The same with a parameter, if the solver has it and it is not set already.
    #[must_use]
    pub(crate) fn with_default(mut self, key: &str, value: &str) -> Self {
        let known = self.entry.parameters.iter().any(|it| it.key == key);
        if known && self.options.get(key).is_none() {
            self.options.set(key, value);
        }
        self
    }

    /// Makes one.
    pub(crate) fn build(&self) -> anyhow::Result<Box<dyn Solver>> {
        registry::build(self.entry.name, &self.options)
            .with_context(|| format!("cannot make the solver '{}'", self.entry.name))
    }
}

fn default_name() -> &'static str {
    DEFAULT_SOLVERS
        .into_iter()
        .find(|name| registry::find(name).is_ok())
        .unwrap_or_default()
}

fn parse_pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => {
            Ok((key.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err(format!("'{text}' is no parameter: expected key=value")),
    }
}
