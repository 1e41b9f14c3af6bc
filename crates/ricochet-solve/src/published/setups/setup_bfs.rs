//! Algorithm 3 of the report: 'a breadth first search that utilizes precomputed setups' (3.4).

use super::setup_list::SetupList;
use super::setup_solver::{Depths, SetupSolver};
use super::single_color::SingleColor;
use super::{COLOR_DEPTH, Run, SETUP_DEPTH};
use crate::registry::SolverInfo;
use crate::{Guarantee, Limit};

/// Its line in the registry.
pub(super) const INFO: SolverInfo = SolverInfo {
    name: "setup-bfs",
    guarantee: Guarantee::Any,
    source: "AI in Games report, 3.4, Algorithm 3",
    summary: "all setups of the other robots, then a single colour search; the shortest of all",
    parameters: &[SETUP_DEPTH, COLOR_DEPTH],
    build: |options| SetupSolver::setup_bfs().build(options),
};

/// Verifies all setups, shorter ones first.
pub(super) fn search(run: &mut Run<'_>, depths: Depths) -> Result<(), Limit> {
    let mut single_color = SingleColor::new(run.puzzle);
    for victory in run.victory_robots() {
        let mut setups = SetupList::new(run, victory)?;
        let mut at = 0;
        // Setups that are too long for a better solution, with the one move that has to follow, need
        // not be verified, nor do those behind them.
        while at < setups.len() && setups.length(at) + 1 < run.shorter_than {
            if run.is_best_possible() {
                return Ok(());
            }
            run.verify(&mut single_color, victory, &setups, at, depths.color)?;
            if setups.length(at) < depths.setup {
                setups.expand(run, at)?;
            }
            at += 1;
        }
    }
    Ok(())
}
