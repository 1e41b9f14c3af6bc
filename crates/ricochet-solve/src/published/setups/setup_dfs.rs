//! Algorithm 4 of the report: 'a depth first search that utilizes precomputed setups' (3.4).
//!
//! Readings: both searches are depth first, that of the setups and that of the victory robot, and the
//! first solution is the answer. So the solutions are long, and hardly longer with a greater setup
//! depth, as in the report (9.0, 9.0 and 9.13 moves). A setup is verified before longer ones that
//! begin with it.

use ricochet_core::{Direction, Move, Robot, State};

use super::setup_solver::{Depths, SetupSolver};
use super::{COLOR_DEPTH, Run, SETUP_DEPTH};
use crate::registry::SolverInfo;
use crate::state_space::{Game, Situation};
use crate::{Guarantee, Limit};

/// Its line in the registry.
pub(super) const INFO: SolverInfo = SolverInfo {
    name: "setup-dfs",
    guarantee: Guarantee::Any,
    source: "AI in Games report, 3.4, Algorithm 4",
    summary: "setups depth first, then the active robot depth first; the first solution",
    parameters: &[SETUP_DEPTH, COLOR_DEPTH],
    build: |options| SetupSolver::setup_dfs().build(options),
};

/// Verifies setups depth first until one works, for each victory robot.
pub(super) fn search(run: &mut Run<'_>, depths: Depths) -> Result<(), Limit> {
    for victory in run.victory_robots() {
        walk_setups(run, victory, depths)?;
    }
    Ok(())
}

/// Walks the tree of setups until one of them leads to a solution.
fn walk_setups(run: &mut Run<'_>, victory: Robot, depths: Depths) -> Result<(), Limit> {
    let others: Vec<Robot> = run
        .puzzle
        .start()
        .robots()
        .filter(|&r| r != victory)
        .collect();
    let mut setup: Vec<Move> = Vec::new();
    if verify(run, run.puzzle.start(), victory, &setup, depths.color)? {
        return Ok(());
    }
    let mut open: Vec<(State, usize)> = vec![(run.puzzle.start(), 0)];
    while let Some((here, next_move)) = open.last_mut() {
        let number = *next_move;
        *next_move += 1;
        if number == others.len() * 4 || setup.len() as u32 >= depths.setup {
            open.pop();
            setup.pop();
            continue;
        }
        let step = Move {
            robot: others[number / 4],
            direction: Direction::from_index(number),
        };
        let Some(next) = run.puzzle.apply(*here, step.robot, step.direction) else {
            continue;
        };
        setup.push(step);
        if verify(run, next, victory, &setup, depths.color)? {
            return Ok(());
        }
        run.meter.reserve(&mut open)?;
        open.push((next, 0));
    }
    Ok(())
}

/// Searches depth first with the victory robot alone, without taking moves back (where there are
/// diagonals, the opposite move may go another way and takes nothing back); whether it arrives.
fn verify(
    run: &mut Run<'_>,
    state: State,
    victory: Robot,
    setup: &[Move],
    color_depth: u32,
) -> Result<bool, Limit> {
    run.node()?;
    let room = (run.shorter_than - 1).saturating_sub(setup.len() as u32);
    let depth = color_depth.min(room);
    let game = Game::new(run.puzzle);
    let straight = run.puzzle.board().diagonals().is_empty();
    let root = Situation { state, axes: 0 };
    let mut path = setup.to_vec();
    let mut open: Vec<(Situation, usize)> = vec![(root, 0)];
    while let Some((here, next_move)) = open.last_mut() {
        let direction = Direction::from_index(*next_move);
        *next_move += 1;
        let made = path.len() - setup.len();
        if *next_move > 4 || made as u32 >= depth {
            open.pop();
            if made > 0 {
                path.pop();
            }
            continue;
        }
        if straight
            && made > 0
            && path
                .last()
                .is_some_and(|last| last.direction.opposite() == direction)
        {
            continue;
        }
        let Some(next) = game.step(*here, victory, direction) else {
            continue;
        };
        run.stats.expanded += 1;
        run.meter.tick(run.stats.nodes)?;
        path.push(Move {
            robot: victory,
            direction,
        });
        if game.is_over(next) {
            run.found(&path);
            return Ok(true);
        }
        open.push((next, 0));
    }
    Ok(false)
}
