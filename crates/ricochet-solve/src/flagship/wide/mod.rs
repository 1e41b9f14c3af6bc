//! The search over sets for everything that the search for small boards does not accept: boards
//! larger than 16×16, more than five robots, diagonals.
//!
//! | file | what |
//! |---|---|
//! | `search` | the search for one goal robot, and reconstructing its solution |
//! | `shard`, `table` | filling a layer: one thread's configurations, with their nodes |
//! | `children` | children on their way to their owners |
//! | `moves`, `reach` | moves of helpers and of the goal robot, and whether they lead to the target |
//! | `ways`, `lines` | where moves end |
//! | `helpers` | from positions to keys |

mod children;
mod helpers;
mod lines;
mod moves;
mod reach;
mod search;
mod shard;
mod table;
mod ways;

use ricochet_core::Robot;

use super::layers::{LayerSearch, fill_layers};
use super::task::{SearchEnd, SearchReport, Task};
use crate::heuristics::bound::Bound;
use crate::memory::meter::MemoryMeter;
use crate::{Limit, Observer};
use helpers::{HelperKey, Helpers};
use search::WideSearch;
use ways::RobotWays;

/// From this many nodes on, a search is divided among its threads. It has run for a few
/// milliseconds by then.
const DIVIDE_FROM: usize = 1 << 14;

/// Runs one search for each robot that may reach the target. The caller has checked that the puzzle
/// does not require a ricochet (the goal robot's travel is not part of a set) and is not solved
/// already.
pub(super) fn run(task: &Task, watch: &mut dyn Observer, report: &mut SearchReport) -> SearchEnd {
    run_from(task, DIVIDE_FROM, watch, report)
}

/// Runs the searches, and divides those of at least `divide_from` nodes among threads.
fn run_from(
    task: &Task,
    divide_from: usize,
    watch: &mut dyn Observer,
    report: &mut SearchReport,
) -> SearchEnd {
    // The key of seven helpers with 10 bits each does not fit into 64 bits.
    let run = match (task.puzzle.board().cell_count(), task.puzzle.start().len()) {
        (..=256, _) => run_with::<4, u64>,
        (257..=512, _) => run_with::<8, u64>,
        (_, ..=7) => run_with::<16, u64>,
        _ => run_with::<16, u128>,
    };
    run(task, divide_from, watch, report).unwrap_or_else(|limit| SearchEnd::Limit {
        limit,
        lower_bound: 0,
    })
}

/// Fails if there is not enough memory to begin.
fn run_with<const W: usize, K: HelperKey>(
    task: &Task,
    divide_from: usize,
    watch: &mut dyn Observer,
    report: &mut SearchReport,
) -> Result<SearchEnd, Limit> {
    let Task { puzzle, limits, .. } = *task;
    let board = puzzle.board();
    let bound = Bound::new(puzzle);
    // Robots without a diagonal of their colour have the same ways.
    let own_ways = |robot: Robot| board.diagonals().iter().any(|d| d.color == robot);
    let mut meter = MemoryMeter::start(limits);
    let mut all_ways = Vec::new();
    let mut ways_of = Vec::new();
    let mut shared = None;
    for robot in puzzle.start().robots() {
        let number = match shared {
            Some(number) if !own_ways(robot) => number,
            _ => {
                let ways = RobotWays::new(board, robot);
                meter.allocate(ways.bytes())?;
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
    let mut searches: Vec<WideSearch<W, K>> = Vec::new();
    let mut left = limits.memory.unwrap_or(u64::MAX) - meter.held();
    for robot in puzzle.start().robots() {
        if let Some(map) = bound.map(robot) {
            let helpers = Helpers::new(puzzle, robot);
            let ways = helpers.robots.iter().map(|&robot| ways_of(robot)).collect();
            let goal_ways = ways_of(robot);
            let search = WideSearch::new(task, helpers, goal_ways, ways, map, divide_from, left)?;
            left -= search.as_ref().map_or(0, WideSearch::bytes);
            searches.extend(search);
        }
    }
    report.peak_bytes = meter.held();
    let mut searches: Vec<&mut dyn LayerSearch> = searches.iter_mut().map(|it| it as _).collect();
    Ok(fill_layers(
        &mut searches,
        task,
        meter.held(),
        watch,
        report,
    ))
}

#[cfg(test)]
mod tests {
    use super::super::task::Switches;
    use super::*;
    use crate::{Limits, Meter, NullObserver};
    use ricochet_core::Puzzle;
    use ricochet_core::generate::{GoalCell, GoalRobot, RandomBoard, Recipe};

    fn boards(width: usize, height: usize, robots: usize, diagonals: usize) -> Recipe {
        let board = RandomBoard {
            diagonals: Some(diagonals),
            ..RandomBoard::new(width, height)
        };
        Recipe {
            robots,
            ..Recipe::random(board)
        }
    }

    fn any(recipe: Recipe) -> Recipe {
        Recipe {
            goal_robot: GoalRobot::AnyRobot,
            ..recipe
        }
    }

    /// Puts the target anywhere, not only on printed ones: many of these puzzles have no solution.
    fn anywhere(recipe: Recipe) -> Recipe {
        Recipe {
            goal_cell: GoalCell::AnyCell,
            ..recipe
        }
    }

    /// The length (`None` if there is no solution or a limit was reached) and the counters.
    fn answer(
        puzzle: &Puzzle,
        threads: usize,
        limits: &Limits,
    ) -> (Result<Option<usize>, u32>, SearchReport) {
        let mut report = SearchReport::default();
        let task = Task {
            puzzle,
            starts: &[puzzle.start()],
            all_nearest: false,
            switches: Switches {
                threads,
                lookahead: true,
                plans: true,
            },
            limits,
            meter: &Meter::start(limits),
        };
        let ended = match run_from(&task, 1, &mut NullObserver, &mut report) {
            SearchEnd::Solved(solutions) => {
                let solution = &solutions[0].1;
                solution.replay(puzzle).expect("every solution replays");
                Ok(Some(solution.len()))
            }
            SearchEnd::Unsolvable => Ok(None),
            SearchEnd::Limit { lower_bound, .. } => Err(lower_bound),
        };
        (ended, report)
    }

    /// Searches that are divided from the first layer on find the same lengths as one thread does,
    /// and generate the same children every time.
    #[test]
    #[cfg_attr(miri, ignore = "whole searches")]
    fn threads_change_no_length() {
        let (mut solved, mut unsolvable, mut limited) = (0, 0, 0);
        for (seed, (recipe, moves)) in [
            (boards(5, 5, 3, 0), None),
            (anywhere(boards(7, 6, 2, 0)), None),
            (anywhere(boards(24, 18, 2, 4)), None),
            (boards(5, 4, 3, 3), None),
            (any(boards(5, 4, 3, 2)), None),
            (boards(3, 3, 6, 0), None),
            (boards(3, 3, 6, 1), None),
            (boards(20, 2, 2, 0), None),
            (boards(16, 16, 6, 0), Some(5)),
            (boards(16, 16, 8, 12), Some(4)),
            (boards(18, 17, 4, 0), Some(6)),
            (any(boards(20, 22, 4, 9)), Some(5)),
            (boards(32, 32, 4, 0), Some(6)),
            (boards(32, 20, 8, 0), Some(4)),
            (any(boards(30, 31, 8, 20)), Some(3)),
        ]
        .into_iter()
        .enumerate()
        {
            let limits = Limits {
                moves,
                ..Limits::default()
            };
            for number in 0..60 {
                // Some boards have no room for a diagonal.
                let Ok(puzzle) = recipe.puzzle(500 + seed as u64, number) else {
                    continue;
                };
                if puzzle.is_solved(puzzle.start()) {
                    continue;
                }
                let (truth, one) = answer(&puzzle, 1, &limits);
                for threads in [2, 3, 4, 8] {
                    let (found, stats) = answer(&puzzle, threads, &limits);
                    let context = format!("{threads} threads: {:?}", puzzle.to_setup());
                    assert_eq!(found, truth, "{context}");
                    if !matches!(truth, Ok(Some(_))) {
                        // Duplicates depend on the order of children; the other counts do not.
                        let counts = |it: &SearchReport| (it.counters.generated, it.stored);
                        assert_eq!(counts(&stats), counts(&one), "{context}");
                    }
                    let (again, same) = answer(&puzzle, threads, &limits);
                    assert_eq!(again, truth, "{context}");
                    assert_eq!(stats, same, "{context}");
                }
                match truth {
                    Ok(Some(_)) => solved += 1,
                    Ok(None) => unsolvable += 1,
                    Err(_) => limited += 1,
                }
            }
        }
        let counts = [solved, unsolvable, limited];
        assert!(counts.iter().all(|&count| count > 5), "{counts:?}");
    }

    /// However little memory there is, the threads together stay within it, and the answer is
    /// either right or a valid bound.
    #[test]
    #[cfg_attr(miri, ignore = "whole searches")]
    fn threads_share_the_memory() {
        let recipe = boards(16, 16, 6, 4);
        let mut stopped = 0;
        for number in 0..6 {
            let puzzle = recipe.puzzle(77, number).unwrap();
            let moves = Limits {
                moves: Some(7),
                ..Limits::default()
            };
            let (truth, _) = answer(&puzzle, 1, &moves);
            for kilobytes in [50, 300, 700, 1_500, 4_000, 20_000] {
                let limits = Limits {
                    memory: Some(kilobytes << 10),
                    ..moves.clone()
                };
                for threads in [3, 8] {
                    let (found, stats) = answer(&puzzle, threads, &limits);
                    assert!(stats.peak_bytes <= kilobytes << 10, "{}", stats.peak_bytes);
                    match (found, truth) {
                        (Err(bound), Ok(length)) => {
                            assert!(length.is_none_or(|length| bound <= length as u32));
                            stopped += 1;
                        }
                        (Err(bound), Err(proved)) => assert!(bound <= proved),
                        (found, truth) => assert_eq!(found, truth),
                    }
                }
            }
        }
        assert!(stopped > 3, "{stopped}");
    }
}
