//! The optimum by a breadth-first search that shares nothing with the solvers: cell-by-cell slides,
//! whole positions in a standard hash set, no pruning.

use std::collections::HashSet;

use ricochet_core::{Direction, Obstacle, Puzzle, State, slide_slowly};

/// What the oracle knows of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// The fewest moves.
    Optimum(u32),
    /// No solution exists.
    Unsolvable,
    /// Not among the states looked at.
    Longer,
}

/// A position, and for each robot whether it has travelled along a column and along a row.
type Node = (State, [[bool; 2]; ricochet_core::MAX_ROBOTS]);

/// The truth about a puzzle, if it can be found among the first `max_states` states.
pub fn truth(puzzle: &Puzzle, max_states: usize) -> Truth {
    let must_ricochet = puzzle.rules().must_ricochet;
    let goal = puzzle.goal();
    let is_goal = |&(state, travelled): &Node| {
        state.iter().any(|(robot, cell)| {
            cell == goal.cell
                && goal.robot.is_none_or(|active| active == robot)
                && (!must_ricochet || travelled[robot.index()] == [true; 2])
        })
    };
    let start: Node = (puzzle.start(), Default::default());
    if is_goal(&start) {
        return Truth::Optimum(0);
    }
    let mut seen = HashSet::from([start]);
    let mut layer = vec![start];
    for moves in 1.. {
        let mut next_layer = Vec::new();
        for &(state, travelled) in &layer {
            for (robot, from) in state.iter() {
                for direction in Direction::ALL {
                    let slide = slide_slowly(puzzle.board(), robot, from, direction, state.cells());
                    let Some(&(to, _)) = slide.path.last() else {
                        continue;
                    };
                    if to == from || slide.obstacle == Obstacle::Nothing {
                        continue;
                    }
                    let mut travelled = travelled;
                    if must_ricochet {
                        for (_, heading) in slide.path {
                            travelled[robot.index()][usize::from(heading.is_horizontal())] = true;
                        }
                    }
                    let arrives = to == goal.cell && goal.robot.is_none_or(|it| it == robot);
                    if must_ricochet && arrives && travelled[robot.index()] != [true; 2] {
                        continue; // it stops on the target too early
                    }
                    let next = (state.with(robot, to), travelled);
                    if is_goal(&next) {
                        return Truth::Optimum(moves);
                    }
                    if seen.insert(next) {
                        next_layer.push(next);
                    }
                }
            }
        }
        if seen.len() > max_states {
            return Truth::Longer;
        }
        if next_layer.is_empty() {
            return Truth::Unsolvable;
        }
        layer = next_layer;
    }
    unreachable!("a finite space is exhausted")
}
