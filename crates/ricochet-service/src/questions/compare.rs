//! `compare`: several solvers on one puzzle.

use std::collections::BTreeMap;
use std::time::Duration;

use ricochet_solve::registry::SOLVERS;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::{Call, Progress, VerifiedSearch};
use crate::error::Error;
use crate::policy::RequestLimits;
use crate::puzzle_input::PuzzleInput;
use crate::questions::solve::{SolveAnswer, id_of};
use crate::request::Question;

/// The time of each solver where none is given.
const MILLISECONDS: u64 = 2_000;

/// More solvers than this in one request are refused.
const MAX_SOLVERS: usize = 64;

/// Runs several solvers on one puzzle. Each row is told as progress when its solver has ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Compare {
    /// The puzzle in any format.
    pub puzzle: PuzzleInput,
    /// The solvers, optionally with parameters: `iddfs:memo=off`. Default: all.
    #[serde(default)]
    pub solvers: Option<Vec<String>>,
    /// What each solver may spend; 2,000 ms where no time is given. All of them together may use
    /// as much time as any other request.
    #[serde(default)]
    pub limits: RequestLimits,
}

/// What the solvers said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CompareAnswer {
    /// The length that some solver proved to be the shortest.
    pub optimal: Option<usize>,
    /// One row a solver, in the order asked for.
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
            return Err(Error::bad(format!("more than {MAX_SOLVERS} solvers")));
        }
        // All have to be good before one runs; each is made again when its turn comes, so that no
        // more than one holds memory.
        for name in &names {
            call.solver(Some(name), &BTreeMap::new())?;
        }
        let whole = call.budget(&RequestLimits::default());
        let mut rows: Vec<SolveAnswer> = Vec::new();
        for (done, name) in names.iter().enumerate() {
            let share = whole.share((names.len() - done) as u32).time;
            let mut limits = call.budget(&self.limits).left();
            if self.limits.ms.is_none() {
                limits.time = Some(Duration::from_millis(MILLISECONDS));
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
