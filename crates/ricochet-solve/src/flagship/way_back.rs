//! The way back from the target: in how many moves a state was reached, and from where.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use ricochet_core::{Cell, Direction, Move, Puzzle, Solution, State};

use super::config::{helper, helpers, with, without};
use super::goal::ends;
use super::lists::FoundGoal;
use super::search::SetSearch;
use super::tables::{STEP, number};
use crate::lowlevel::set::cells_of;

impl SetSearch {
    /// In how many moves a state was reached, if it was.
    pub(super) fn moves_to<const N: usize>(&self, first: u32, key: u32, goal: u8) -> Option<u32> {
        let layer = self.layer_of(key, goal)?;
        let bound = if self.is_guided() {
            self.plans.bound_of::<N>(key, goal)
        } else {
            self.workers[0].tables.bound[usize::from(goal)]
        };
        Some(first + layer - u32::from(bound))
    }

    /// How many layers after the first a state was reached, if it was.
    fn layer_of(&self, key: u32, goal: u8) -> Option<u32> {
        let mut latest = match &self.shared {
            Some(shared) => shared.latest_node(key),
            None => self.alone.latest_node(key),
        };
        let (word, bit) = (usize::from(goal >> 6), 1u64 << (goal & 63));
        while let Some(number) = latest.checked_sub(1) {
            let (node, worker) = (
                number as usize / self.working,
                number as usize % self.working,
            );
            let lists = &self.workers[worker].lists;
            if lists.nodes[node].set[word] & bit != 0 {
                return Some(lists.layer_of(node));
            }
            latest = lists.nodes[node].earlier;
        }
        None
    }

    /// Walks back from a node to the start, always to a state that is one move nearer to the start,
    /// then forward again with the robots under their own names, and on by goal-robot moves alone.
    pub(super) fn rebuild<const N: usize>(
        &mut self,
        puzzle: &Puzzle,
        first: u32,
        found: FoundGoal,
    ) -> Solution {
        let before = found.before;
        let target = number(puzzle.goal().cell);
        let helper_moves = u32::from(before != found.key);
        let (cell, length, goal_way) = cells_of(found.cells)
            .find_map(|cell| {
                let length = self.moves_to::<N>(first, before, cell)?;
                let most = found.f as u32 - length - helper_moves;
                let way = self.goal_way::<N>(found.key, cell, target, most)?;
                Some((cell, length, way))
            })
            .expect("goal-robot moves lead to the target");
        let mut way: Vec<(u32, u8)> = goal_way.iter().map(|&cell| (found.key, cell)).collect();
        way.reverse();
        if helper_moves > 0 {
            way.push((before, cell));
        }
        for moves in (0..length).rev() {
            let &(key, goal) = way.last().expect("not empty");
            let before = self.predecessors::<N, _>(key, goal, |search, key, goal| {
                if search.moves_to::<N>(first, key, goal) == Some(moves) {
                    return ControlFlow::Break((key, goal));
                }
                ControlFlow::Continue(())
            });
            let before = before.break_value();
            way.push(before.expect("every state but the first has one before it"));
        }
        Solution::new(moves_through::<N>(
            puzzle,
            puzzle.start(),
            way.into_iter().rev().skip(1),
        ))
    }

    /// A shortest way of the goal robot alone, if it has at most so many moves: all cells from the
    /// first to the target.
    pub(super) fn goal_way<const N: usize>(
        &self,
        key: u32,
        from: u8,
        to: u8,
        most: u32,
    ) -> Option<Vec<u8>> {
        let mut before = [None; 256];
        let mut reached = vec![from];
        for _ in 0..most {
            let level = std::mem::take(&mut reached);
            for cell in level {
                for end in ends(&self.workers[0].tables, cell, helpers::<N>(key)).to_le_bytes() {
                    if end != from && before[usize::from(end)].is_none() {
                        before[usize::from(end)] = Some(cell);
                        reached.push(end);
                    }
                }
            }
        }
        let mut way = vec![to];
        while let Some(cell) = before[usize::from(way[way.len() - 1])] {
            way.push(cell);
        }
        way.reverse();
        (way[0] == from).then_some(way)
    }

    /// Visits the states from which one move leads to the given one, all of them or until it is told
    /// to break off.
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
                // It must have been stopped there …
                let stopped = self.workers[0].tables.has_wall(end, direction)
                    || is_robot(end.wrapping_add(STEP[d]));
                if !stopped {
                    continue;
                }
                // … and have come from anywhere on the free way behind it.
                let mut from = end;
                while !self.workers[0].tables.has_wall(from, back) {
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

/// The moves that lead from a state through others in turn, each one move after the one before: the
/// helpers' keys and the goal robot's cells. In these, helpers can stand for each other; the moves are
/// those of robots with names.
pub(super) fn moves_through<const N: usize>(
    puzzle: &Puzzle,
    mut state: State,
    way: impl Iterator<Item = (u32, u8)>,
) -> Vec<Move> {
    let active = puzzle.goal().robot.expect("one active robot");
    way.map(|(key, goal)| {
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

/// Where a robot heads that moves from one cell to another.
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
