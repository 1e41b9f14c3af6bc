//! The thesis's experiment: random starts times 16 goals on one board, all of its solvers and ours, 40 s
//! for each solve; and the same on many boards.
//!
//! The thesis shows its board only as a picture, so ours is an official layout, and only the shapes of
//! figures can be compared.

mod aggregate;
mod boards;
mod differences;
mod sections;

pub use boards::{boards_document, run_boards};
pub use sections::document;

use std::sync::Arc;

use anyhow::{Result, bail};
use ricochet_core::quadrants::Layout;
use ricochet_core::rng::Rng;
use ricochet_core::{Board, Cell, Goal, Puzzle, Robot};

use super::CommonOptions;
use crate::corpus::Corpus;
use crate::run::store::Experiment;
use crate::run::{RunOptions, RunSummary, run_in};

/// Solvers of the thesis, and ours.
pub const SOLVERS: [&str; 7] = [
    "naive",
    "iddfs",
    "graph-v1",
    "graph-v2",
    "stateless",
    PUBLISHED_STATELESS,
    "flagship",
];

/// The stateless algorithm with its lengths as the thesis computes them.
const PUBLISHED_STATELESS: &str = "stateless:published=on";

/// Ten times as many as in the thesis.
const MAX_CONFIGURATIONS: usize = 1_600_000;

/// The options of the experiment.
#[derive(Clone, Debug)]
pub struct ThesisOptions {
    /// The board.
    pub layout: Layout,
    /// The number of positions, a multiple of 16.
    pub configurations: usize,
}

/// The position with this number: start `number / 16`, goal `number % 16`. As in the thesis, robots
/// start on open cells that are not goals, and the vortex is not a goal.
fn position(board: &Arc<Board>, seed: u64, number: usize) -> Result<Puzzle> {
    let goals: Vec<(Robot, Cell)> = board
        .targets()
        .iter()
        .filter_map(|target| Some((target.robot?, target.cell)))
        .collect();
    let (start, goal) = (number / goals.len(), number % goals.len());
    let free: Vec<Cell> = board
        .cells()
        .filter(|&cell| !board.is_closed(cell) && goals.iter().all(|&(_, g)| g != cell))
        .collect();
    let mut rng = Rng::stream(seed, start as u64);
    let mut robots: Vec<Cell> = Vec::with_capacity(4);
    while robots.len() < 4 {
        let cell = free[rng.below(free.len())];
        if !robots.contains(&cell) {
            robots.push(cell);
        }
    }
    let (robot, cell) = goals[goal];
    let goal = Goal {
        robot: Some(robot),
        cell,
    };
    let puzzle = Puzzle::new(Arc::clone(board), &robots, goal)?;
    Ok(puzzle.with_id(format!("s{start}-{}{}", robot.letter(), number % 16)))
}

/// Runs the experiment on one board.
///
/// # Errors
/// If the number of configurations is not a multiple of 16, or the directory is not usable.
pub fn run(
    common: &CommonOptions,
    options: &ThesisOptions,
    run_options: &RunOptions,
) -> Result<RunSummary> {
    if options.configurations == 0 || !options.configurations.is_multiple_of(16) {
        bail!(
            "{} configurations: expected a multiple of 16 (every start has 16 goals)",
            options.configurations
        );
    }
    if options.configurations > MAX_CONFIGURATIONS {
        bail!(
            "{} configurations: expected at most {MAX_CONFIGURATIONS}, since all are held in memory",
            options.configurations
        );
    }
    let board = Arc::new(options.layout.board());
    let puzzles: Result<Vec<Puzzle>> = (0..options.configurations)
        .map(|number| position(&board, common.seed, number))
        .collect();
    let plan = common.plan(
        vec![Corpus::new("thesis", puzzles?)],
        common.solvers_or(&SOLVERS),
    );
    let experiment = Experiment::new("thesis")
        .with_limits(common.limits)
        .with("board", options.layout.to_string())
        .with("configurations", options.configurations.to_string())
        .with("seed", common.seed.to_string());
    run_in(&common.out, &experiment, &plan, run_options)
}
