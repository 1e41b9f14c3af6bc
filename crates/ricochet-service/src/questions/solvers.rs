//! `solvers`: the registry.

use ricochet_solve::registry::{self, SOLVERS};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::error::Error;
use crate::request::Question;

/// Lists the solvers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Solvers {}

/// All solvers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SolversAnswer {
    /// In the order of the registry.
    pub solvers: Vec<SolverInfo>,
}

/// A solver: also the line of `ricochet solvers --json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SolverInfo {
    /// Its name in requests.
    pub name: &'static str,
    /// What a solution is worth: `optimal`, `complete` or `any`.
    pub guarantee: String,
    /// Where the algorithm is described.
    pub source: &'static str,
    /// One line about it.
    pub summary: &'static str,
    /// Its parameters.
    pub parameters: Vec<ParameterInfo>,
}

/// A parameter of a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ParameterInfo {
    /// Its key in `options`.
    pub key: &'static str,
    /// Its value where none is given.
    pub default: &'static str,
    /// What it means.
    pub help: &'static str,
}

impl SolverInfo {
    /// What the registry says about a solver.
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
