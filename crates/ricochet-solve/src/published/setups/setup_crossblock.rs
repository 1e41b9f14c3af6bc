//! Algorithm 6 of the report: setups with a positive cross block score, lowest first (3.6).
//!
//! 'Cross block score = Victoryrobot moves + Critical Degree + Setup moves', the lowest over all
//! occupied cross block positions; see [`CrossBlocks`]. It estimates the length of a solution.

use ricochet_core::Cell;

use super::critical::Critical;
use super::cross_block::CrossBlocks;
use super::setup_solver::{Depths, SetupSolver};
use super::{COLOR_DEPTH, DEGREE, Run, SETUP_DEPTH};
use crate::registry::SolverInfo;
use crate::{Guarantee, Limit};

/// Its line in the registry.
pub(super) const INFO: SolverInfo = SolverInfo {
    name: "setup-crossblock",
    guarantee: Guarantee::Any,
    source: "AI in Games report, 3.6, Algorithm 6",
    summary: "setups that stop the active robot on a critical path, lowest cross block score first",
    parameters: &[SETUP_DEPTH, COLOR_DEPTH, DEGREE],
    build: |options| SetupSolver::setup_crossblock().build(options),
};

/// Verifies setups in the order of their cross block score until one works.
pub(super) fn search(run: &mut Run<'_>, depths: Depths) -> Result<(), Limit> {
    let puzzle = run.puzzle;
    run.verify_by_score(depths, |victory| {
        let critical = Critical::new(puzzle.board(), victory, puzzle.goal().cell, depths.degree);
        let blocks = CrossBlocks::new(puzzle, victory, &critical, depths.color);
        move |others: &[Cell], setup_moves| blocks.score(others.iter().copied(), setup_moves)
    })
}
