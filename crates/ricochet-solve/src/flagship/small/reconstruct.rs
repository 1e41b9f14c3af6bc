//! From the target back to the start: the number of moves in which a state was reached, and its
//! predecessors.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use ricochet_core::{Cell, Direction, Move, Puzzle, Solution, State};
use rustc_hash::FxHashMap;

use super::frontier::{SolvedNode, TargetHit};
use super::goal_moves::ends;
use super::key::{helper, helpers, with, without};
use super::shard::{Shard, owner};
use super::tables::{STEP, number};
use super::{Packed, Progress, SmallSearch};
use crate::flagship::task::{SearchEnd, Task};
use crate::lowlevel::set::cells_of;

impl SmallSearch {
    /// The number of moves in which a state was reached, if it was: its layer minus its bound.
    fn moves_to<const N: usize>(&self, progress: &Progress, (key, cell): Packed) -> Option<u32> {
        let Shard {
            frontier, visited, ..
        } = &self.in_use()[owner(key, self.divided)];
        let (word, bit) = (usize::from(cell >> 6), 1u64 << (cell & 63));
        let mut latest = visited.latest_node(key);
        while let Some(number) = latest.checked_sub(1) {
            let node = &frontier.nodes[number as usize];
            if node.cells[word] & bit != 0 {
                let layer = progress.first + frontier.layer_of(number as usize);
                return Some(layer - self.bound_of::<N>(key, cell));
            }
            latest = node.earlier;
        }
        None
    }

    /// Walks back from a solved node to the start, always to a state that was reached in one move
    /// less, then forward again to give the robots their names, and on to the target by goal-robot
    /// moves alone.
    pub(super) fn reconstruct<const N: usize>(
        &self,
        task: &Task,
        progress: &Progress,
        solved: SolvedNode,
    ) -> SearchEnd {
        let before = solved.before;
        let helper_moves = u32::from(before != solved.key);
        let (cell, length, goal_path) = cells_of(solved.cells)
            .find_map(|cell| {
                let length = self.moves_to::<N>(progress, (before, cell))?;
                let most = solved.f as u32 - length - helper_moves;
                let path = self.goal_path::<N>(solved.key, cell, most)?;
                Some((cell, length, path))
            })
            .expect("goal-robot moves lead to the target");
        let mut path: Vec<Packed> = goal_path.iter().map(|&cell| (solved.key, cell)).collect();
        path.reverse();
        if helper_moves > 0 {
            path.push((before, cell));
        }
        for moves in (0..length).rev() {
            let &(key, cell) = path.last().expect("not empty");
            let previous = self.predecessors::<N, _>(key, cell, |search, key, cell| {
                if search.moves_to::<N>(progress, (key, cell)) == Some(moves) {
                    return ControlFlow::Break((key, cell));
                }
                ControlFlow::Continue(())
            });
            let previous = previous.break_value();
            path.push(previous.expect("every state but the first has one before it"));
        }
        path.reverse();
        let start = path[0];
        let starts = progress.starts.iter().find(|it| it.state == start);
        let index = starts.map_or(0, |it| it.index);
        solutions::<N>(task, vec![(index, path)])
    }

    /// The starts from which a shortest path leads through one of the hits, each with such a path.
    pub(super) fn paths_through<const N: usize>(
        &self,
        progress: &Progress,
        hits: &[TargetHit],
    ) -> Vec<(usize, Vec<Packed>)> {
        // By state: the next state on the way to the target.
        let mut next: FxHashMap<Packed, Packed> = FxHashMap::default();
        let mut found = Vec::new();
        let mut open = Vec::new();
        for hit in hits {
            let state = (hit.key, hit.cell);
            let bound = u32::from(self.tables().bound[usize::from(hit.cell)]);
            if next.insert(state, state).is_none() {
                open.push((state, hit.f as u32 - bound));
            }
            while let Some((state, moves)) = open.pop() {
                if moves == 0 {
                    let starts = progress.starts.iter().filter(|it| it.state == state);
                    let path = self.path_from::<N>(state, &next);
                    found.extend(starts.map(|it| (it.index, path.clone())));
                    if found.len() == progress.starts.len() {
                        return found;
                    }
                    continue;
                }
                let _ = self.predecessors::<N, ()>(state.0, state.1, |search, key, cell| {
                    if !next.contains_key(&(key, cell))
                        && search.moves_to::<N>(progress, (key, cell)) == Some(moves - 1)
                    {
                        next.insert((key, cell), state);
                        open.push(((key, cell), moves - 1));
                    }
                    ControlFlow::Continue(())
                });
            }
        }
        found
    }

    /// All states from a start to the target.
    fn path_from<const N: usize>(
        &self,
        start: Packed,
        next: &FxHashMap<Packed, Packed>,
    ) -> Vec<Packed> {
        let mut path = vec![start];
        let mut state = start;
        while next[&state] != state {
            state = next[&state];
            path.push(state);
        }
        let bound = u32::from(self.tables().bound[usize::from(state.1)]);
        let rest = self.goal_path::<N>(state.0, state.1, bound);
        let rest = rest.expect("lowering moves lead to the target");
        path.extend(rest.into_iter().skip(1).map(|cell| (state.0, cell)));
        path
    }

    /// A shortest path of the goal robot alone to the target, if it has at most `most` moves: all
    /// cells from the first one to the target.
    pub(super) fn goal_path<const N: usize>(
        &self,
        key: u32,
        from: u8,
        most: u32,
    ) -> Option<Vec<u8>> {
        let mut before = [None; 256];
        let mut reached = vec![from];
        for _ in 0..most {
            let level = std::mem::take(&mut reached);
            for cell in level {
                for end in ends(self.tables(), cell, helpers::<N>(key)).to_le_bytes() {
                    if end != from && before[usize::from(end)].is_none() {
                        before[usize::from(end)] = Some(cell);
                        reached.push(end);
                    }
                }
            }
        }
        let mut path = vec![self.tables().target_cell()];
        while let Some(cell) = before[usize::from(path[path.len() - 1])] {
            path.push(cell);
        }
        path.reverse();
        (path[0] == from).then_some(path)
    }

    /// Visits all states from which one move leads to the given one, or stops early if the visitor
    /// breaks.
    pub(super) fn predecessors<const N: usize, B>(
        &self,
        key: u32,
        goal: u8,
        mut visit: impl FnMut(&Self, u32, u8) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let robots = |except: Option<usize>| {
            let helpers = (0..N).filter(move |&i| Some(i) != except);
            helpers.map(move |i| helper(key, i))
        };
        for mover in (0..N).map(Some).chain([None]) {
            let end = mover.map_or(goal, |i| helper(key, i));
            let is_robot = |cell: u8| {
                (mover.is_some() && cell == goal) || robots(mover).any(|other| other == cell)
            };
            for direction in Direction::ALL {
                let (d, back) = (direction.index(), direction.opposite());
                // Something must have stopped it there.
                let stopped =
                    self.tables().has_wall(end, direction) || is_robot(end.wrapping_add(STEP[d]));
                if !stopped {
                    continue;
                }
                // It came from one of the free cells behind it.
                let mut from = end;
                while !self.tables().has_wall(from, back) {
                    from = from.wrapping_sub(STEP[d]);
                    if is_robot(from) {
                        break;
                    }
                    match mover {
                        None => visit(self, key, from)?,
                        Some(i) => visit(self, replaced::<N>(key, i, from), goal)?,
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// The answer: paths from some of the task's starts, as moves of named robots.
pub(super) fn solutions<const N: usize>(
    task: &Task,
    paths: Vec<(usize, Vec<Packed>)>,
) -> SearchEnd {
    let named = paths.into_iter().map(|(index, path)| {
        let moves = moves_through::<N>(task.puzzle, task.starts[index], path.into_iter().skip(1));
        (index, Solution::new(moves))
    });
    SearchEnd::Solved(named.collect())
}

/// The moves of named robots that lead from a state through the given ones, each one move after the
/// one before. The given states are helpers' keys and goal-robot cells, which do not tell helpers
/// apart.
fn moves_through<const N: usize>(
    puzzle: &Puzzle,
    mut state: State,
    path: impl Iterator<Item = (u32, u8)>,
) -> Vec<Move> {
    let active = puzzle.goal().robot.expect("one active robot");
    path.map(|(key, goal)| {
        let helpers = helpers::<N>(key);
        let (robot, end) = if number(state[active]) == goal {
            let gone = state
                .iter()
                .find(|&(robot, cell)| robot != active && !helpers.contains(&number(cell)));
            let (robot, _) = gone.expect("one of the helpers moves");
            let is_new = |end: &u8| state.iter().all(|(_, cell)| number(cell) != *end);
            let end = helpers.into_iter().find(is_new);
            (robot, end.expect("it ends where no robot was"))
        } else {
            (active, goal)
        };
        let (from, end) = (state[robot], Cell::new(end % 16, end / 16));
        state = state.with(robot, end);
        Move {
            robot,
            direction: heading(from, end),
        }
    })
    .collect()
}

/// The direction of a move from one cell to another.
fn heading(from: Cell, end: Cell) -> Direction {
    match end.x.cmp(&from.x) {
        Ordering::Less => Direction::West,
        Ordering::Greater => Direction::East,
        Ordering::Equal if end.y < from.y => Direction::North,
        Ordering::Equal => Direction::South,
    }
}

fn replaced<const N: usize>(key: u32, i: usize, cell: u8) -> u32 {
    if N == 0 {
        key
    } else {
        with::<N>(without(key, i), cell)
    }
}
