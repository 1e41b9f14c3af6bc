//! `solvers` and `compare`: the registry, and several solvers on one puzzle.

use std::collections::BTreeMap;
use std::time::Duration;

use ricochet_solve::registry::{self, SOLVERS};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::{Call, Progress, VerifiedSearch};
use crate::error::Error;
use crate::policy::RequestLimits;
use crate::puzzle_input::PuzzleInput;
use crate::questions::solve::{SolveAnswer, id_of};
use crate::request::Question;

/// Lists the solvers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Solvers {}

/// All solvers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SolversAnswer {
    /// The solvers, in the order of the registry.
    pub solvers: Vec<SolverInfo>,
}

/// A solver, also printed by `ricochet solvers --json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SolverInfo {
    /// Its name in requests.
    pub name: &'static str,
    /// What it guarantees: `optimal`, `complete` or `any`.
    pub guarantee: String,
    /// Where the algorithm is described.
    pub source: &'static str,
    /// A one-line description.
    pub summary: &'static str,
    /// Its parameters.
    pub parameters: Vec<ParameterInfo>,
}

/// A parameter of a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ParameterInfo {
    /// Its key in `options`.
    pub key: &'static str,
    /// Its default value.
    pub default: &'static str,
    /// What it means.
    pub help: &'static str,
}

impl SolverInfo {
    /// The registry's entry of a solver.
    pub fn of(info: &registry::SolverInfo) -> Self {
        let parameters = info.parameters.iter().map(|parameter| ParameterInfo {
            key: parameter.key,
            default: parameter.default,
            help: parameter.help,
        });
        Self {
            name: info.name,
            guarantee: info.guarantee.to_string(),
            source: info.source,
            summary: info.summary,
            parameters: parameters.collect(),
        }
    }
}

impl Question for Solvers {
    type Answer = SolversAnswer;

    fn answer(&self, _: &mut Call<'_>) -> Result<SolversAnswer, Error> {
        Ok(SolversAnswer {
            solvers: SOLVERS.iter().map(SolverInfo::of).collect(),
        })
    }
}

/// The default time limit of each solver.
const DEFAULT_MS: u64 = 2_000;

/// Requests with more solvers are rejected.
const MAX_SOLVERS: usize = 64;

/// Runs several solvers on one puzzle. Each row is reported as progress when its solver finishes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Compare {
    /// The puzzle in any format.
    pub puzzle: PuzzleInput,
    /// The solvers, optionally with parameters: `iddfs:memo=off`. Default: all.
    #[serde(default)]
    pub solvers: Option<Vec<String>>,
    /// The limits of each solver; by default 2,000 ms each. The server's time limit applies to all of them
    /// together.
    #[serde(default)]
    pub limits: RequestLimits,
}

/// The results of the solvers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CompareAnswer {
    /// The optimum, if a solver proved it.
    pub optimal: Option<usize>,
    /// One row per solver, in the order of the request.
    pub rows: Vec<SolveAnswer>,
}

impl Question for Compare {
    type Answer = CompareAnswer;

    fn puzzle_mut(&mut self) -> Option<&mut PuzzleInput> {
        Some(&mut self.puzzle)
    }

    fn limits_mut(&mut self) -> Option<&mut RequestLimits> {
        Some(&mut self.limits)
    }

    fn is_complete(answer: &CompareAnswer) -> bool {
        answer.rows.iter().all(SolveAnswer::is_complete)
    }

    fn answer(&self, call: &mut Call<'_>) -> Result<CompareAnswer, Error> {
        let puzzle = call.puzzle(&self.puzzle)?;
        let names: Vec<&str> = match &self.solvers {
            None => SOLVERS.iter().map(|info| info.name).collect(),
            Some(names) => names.iter().map(String::as_str).collect(),
        };
        if names.len() > MAX_SOLVERS {
            return Err(Error::bad_request(format!(
                "more than {MAX_SOLVERS} solvers"
            )));
        }
        // Check all names first. Each solver is built again when it runs, so that only one holds memory.
        for name in &names {
            call.solver(Some(name), &BTreeMap::new())?;
        }
        let whole = call.budget(&RequestLimits::default());
        let mut rows: Vec<SolveAnswer> = Vec::new();
        for (done, name) in names.iter().enumerate() {
            let share = whole.share((names.len() - done) as u32).time;
            let mut limits = call.budget(&self.limits).left();
            if self.limits.ms.is_none() {
                limits.time = Some(Duration::from_millis(DEFAULT_MS));
            }
            limits.time = limits.time.min(share.or(limits.time));
            let mut solver = call.solver(Some(name), &BTreeMap::new())?;
            let VerifiedSearch { outcome, stats, .. } =
                call.solve(solver.as_mut(), &puzzle, &limits)?;
            let id = id_of(&puzzle);
            let mut row = SolveAnswer::of(id, solver.name(), &puzzle, &outcome, &stats);
            row.memory = Some(stats.peak_bytes);
            call.report(&Progress {
                nodes: stats.nodes,
                ms: whole.elapsed().as_millis() as u64,
                row: Some(Box::new(row.clone())),
                ..Progress::default()
            });
            rows.push(row);
            if call.is_cancelled() {
                break;
            }
        }
        let optimal = rows.iter().find(|row| row.optimal);
        Ok(CompareAnswer {
            optimal: optimal.and_then(|row| row.length),
            rows,
        })
    }
}
