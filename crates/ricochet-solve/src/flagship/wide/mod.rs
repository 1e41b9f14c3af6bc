//! The search over sets for all that the fast one does not take: boards larger than 16×16, more than
//! five robots, diagonals.
//!
//! An any-robot goal there is one search for each robot that may arrive; they fill the same layer one
//! after the other, so the first that has the target has the shortest solution.

mod helpers;
mod reach;
mod search;
mod table;
mod ways;

use ricochet::{Puzzle, Robot};

use super::search_report::SearchEnd;
use crate::bound::Bound;
use crate::budget::Budget;
use crate::{DepthRow, Limit, Limits, Observer, Stats};
use helpers::Helpers;
use search::WideSearch;
use ways::RobotWays;

/// Searches; the caller has checked that the puzzle asks for no ricochet (what the goal robot has
/// travelled is no part of a set) and is not solved already.
pub(crate) fn run(
    puzzle: &Puzzle,
    lookahead: bool,
    limits: &Limits,
    watch: &mut dyn Observer,
    stats: &mut Stats,
) -> SearchEnd {
    let mut budget = Budget::start(limits);
    let mut f = 0;
    let run = match puzzle.board().cell_count() {
        ..=256 => run_with::<4>,
        257..=512 => run_with::<8>,
        _ => run_with::<16>,
    };
    let result = run(puzzle, lookahead, limits, &mut budget, watch, stats, &mut f);
    stats.nodes = stats.generated;
    stats.inner = stats.stored;
    stats.peak_bytes = budget.peak();
    result.unwrap_or_else(|limit| SearchEnd::Limit {
        limit,
        lower_bound: f,
    })
}

/// `f` is the layer that is being filled: no solution has fewer moves.
fn run_with<const W: usize>(
    puzzle: &Puzzle,
    lookahead: bool,
    limits: &Limits,
    budget: &mut Budget,
    watch: &mut dyn Observer,
    stats: &mut Stats,
    f: &mut u32,
) -> Result<SearchEnd, Limit> {
    let board = puzzle.board();
    let bound = Bound::new(puzzle);
    // Robots without a diagonal of their colour see the same board.
    let own_ways = |robot: Robot| board.diagonals().iter().any(|d| d.color == robot);
    let mut all_ways = Vec::new();
    let mut ways_of = Vec::new();
    let mut shared = None;
    for robot in puzzle.start().robots() {
        let number = match shared {
            Some(number) if !own_ways(robot) => number,
            _ => {
                let ways = RobotWays::new(board, robot);
                budget.take(ways.bytes())?;
                all_ways.push(ways);
                all_ways.len() - 1
            }
        };
        if !own_ways(robot) {
            shared = Some(number);
        }
        ways_of.push(number);
    }
    let ways_of = |robot: Robot| &all_ways[ways_of[robot.index()]];
    let mut searches: Vec<WideSearch<W>> = Vec::new();
    for robot in puzzle.start().robots() {
        if let Some(map) = bound.map(robot) {
            let helpers = Helpers::new(puzzle, robot);
            let ways = helpers.robots.iter().map(|&robot| ways_of(robot)).collect();
            let search = WideSearch::new(puzzle, helpers, ways_of(robot), ways, map, budget)?;
            searches.extend(search.map(|search| search.with_lookahead(lookahead)));
        }
    }
    let Some(first) = searches.iter().map(WideSearch::first).min() else {
        return Ok(SearchEnd::Unsolvable);
    };
    *f = first;
    loop {
        if limits.moves.is_some_and(|most| *f > most) {
            return Err(Limit::Moves);
        }
        budget.meter().look()?;
        let (generated, hits, stored) = (stats.generated, stats.hits, stats.stored);
        let mut solution = None;
        for search in &mut searches {
            if search.first() <= *f && !search.has_ended() && search.fill(*f, budget, stats)? {
                solution = Some(search.solution());
                break;
            }
        }
        stats.stored = searches.iter().map(|search| search.stored() as u64).sum();
        let row = DepthRow {
            depth: *f,
            nodes: stats.generated - generated,
            inner: stats.stored - stored,
            hits: stats.hits - hits,
        };
        stats.rows.push(row);
        watch.depth_done(&row);
        if let Some(solution) = solution {
            return Ok(SearchEnd::Solved(solution));
        }
        if searches.iter().all(WideSearch::has_ended) {
            return Ok(SearchEnd::Unsolvable);
        }
        *f += 1;
    }
}
