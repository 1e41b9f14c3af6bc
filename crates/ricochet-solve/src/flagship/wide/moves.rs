//! The moves of helpers and of the goal robot, and whether they lead to the target.

use super::children::WideParcel;
use super::helpers::{Cells, HelperKey, Helpers};
use super::reach::Reach;
use super::ways::RobotWays;
use crate::flagship::threads::Outbox;
use crate::lowlevel::word_set::WordSet;

/// Everything that moves depend on; it does not change during the search for a goal robot.
pub(crate) struct Moves<'a, const W: usize> {
    pub(crate) helpers: Helpers<W>,
    /// The ways of the goal robot.
    pub(crate) goal_ways: &'a RobotWays,
    /// The ways of each helper.
    pub(crate) ways: Vec<&'a RobotWays>,
    /// The bound, by goal-robot cell.
    pub(crate) bound: &'a [u16],
    pub(crate) target: u16,
    /// The cells from which the target may be reached; made once there are enough nodes.
    pub(crate) reach: Option<Reach<W>>,
}

/// The cells that the goal robot's moves lead to from a set of cells.
pub(crate) struct GoalMoves<const W: usize> {
    /// The cells themselves, and the cells that lowering moves lead to.
    pub(crate) all: WordSet<W>,
    /// The cells that level moves lead to from there.
    pub(crate) same: WordSet<W>,
    /// The cells that raising moves lead to from there.
    pub(crate) higher: WordSet<W>,
}

impl<const W: usize> Moves<'_, W> {
    /// Makes the moves of the goal robot from the fresh cells of a configuration. Cells reached in
    /// the same layer are added to the cells seen.
    pub(crate) fn move_goal_robot(
        &self,
        cells: &Cells,
        fresh: WordSet<W>,
        seen: &mut WordSet<W>,
    ) -> GoalMoves<W> {
        let helpers = &cells[..self.helpers.len()];
        let blocked = WordSet::<W>::of(helpers);
        let lines = self.goal_ways.lines(helpers.iter().copied());
        let (mut all, mut rest) = (fresh, fresh);
        let (mut same, mut higher) = (WordSet::EMPTY, WordSet::EMPTY);
        while let Some(cell) = rest.take_first() {
            let here = self.bound[usize::from(cell)];
            for end in self.goal_ways.ends(cell, &lines, &blocked) {
                if seen.has(end) {
                    continue;
                }
                match self.bound[usize::from(end)].cmp(&here) {
                    std::cmp::Ordering::Less => {
                        seen.insert(end);
                        all.insert(end);
                        rest.insert(end);
                    }
                    std::cmp::Ordering::Equal => same.insert(end),
                    std::cmp::Ordering::Greater => higher.insert(end),
                }
            }
        }
        GoalMoves {
            same: same.without(seen),
            higher: higher.without(seen),
            all,
        }
    }

    /// Makes the helper moves of a node. Stops at a move after which lowering moves lead to the
    /// target, and returns the configuration and cells after it.
    pub(crate) fn move_helpers<K: HelperKey>(
        &self,
        key: K,
        set: WordSet<W>,
        children: &mut Outbox<WideParcel<W, K>>,
    ) -> Option<(K, WordSet<W>)> {
        let cells = self.helpers.cells(key);
        let helpers = &cells[..self.helpers.len()];
        let blocked = WordSet::<W>::of(helpers);
        let robots = self.goal_ways.lines(helpers.iter().copied());
        let passed = self.goal_ways.lines(set.cells().map(|cell| cell as u16));
        children.begin_node();
        for mover in 0..helpers.len() {
            let from = cells[mover];
            let moving = Moving {
                moves: self,
                cells: &cells,
                mover,
                rest: Helpers::<W>::without(key, mover),
                reach_of_others: self.reach.as_ref().map(|reach| {
                    let others = helpers.iter().copied().filter(|&helper| helper != from);
                    reach.with(others)
                }),
            };
            // A helper that passes its first cell again finds it empty.
            let mut others = blocked;
            others.remove(from);
            let ways = self.ways[mover];
            for d in 0..4 {
                if !ways.is_bent(from, d) {
                    let (end, meets_goal_robot) = ways.straight_end(from, d, &robots, &passed);
                    if !meets_goal_robot {
                        if end != from {
                            if moving.arrives(end, &set) {
                                return Some((moving.key(end), set));
                            }
                            children.push_whole(moving.key(end), &set);
                        }
                        continue;
                    }
                }
                let mut goals = set;
                let mut at = from;
                let mut end = ways.end(from, d);
                for &next in ways.way(from, d) {
                    if others.has(next) {
                        end = at;
                        break;
                    }
                    if goals.has(next) {
                        goals.remove(next);
                        if at != from {
                            let mut goal = WordSet::EMPTY;
                            goal.insert(next);
                            if moving.arrives(at, &goal) {
                                return Some((moving.key(at), goal));
                            }
                            children.push(moving.key(at), &goal);
                        }
                    }
                    at = next;
                }
                if end != from && !goals.is_empty() {
                    if moving.arrives(end, &goals) {
                        return Some((moving.key(end), goals));
                    }
                    if goals == set {
                        children.push_whole(moving.key(end), &set);
                    } else {
                        children.push(moving.key(end), &goals);
                    }
                }
            }
        }
        None
    }

    fn descends(&self, cells: &Cells, mover: usize, end: u16, goals: WordSet<W>) -> bool {
        let mut cells = *cells;
        cells[mover] = end;
        let helpers = &cells[..self.helpers.len()];
        let blocked = WordSet::<W>::of(helpers);
        let lines = self.goal_ways.lines(helpers.iter().copied());
        let (mut all, mut rest) = (goals, goals);
        while let Some(cell) = rest.take_first() {
            for end in self.goal_ways.ends(cell, &lines, &blocked) {
                if self.bound[usize::from(end)] < self.bound[usize::from(cell)] && !all.has(end) {
                    all.insert(end);
                    rest.insert(end);
                }
            }
        }
        all.has(self.target)
    }

    /// All states from which one move may lead to the given one, and some from which none does.
    /// Every way can be travelled backwards, so a robot came from a cell on one of its ways.
    pub(crate) fn states_before<K: HelperKey>(&self, (key, goal): (K, u16)) -> Vec<(K, u16)> {
        let mut states = Vec::new();
        let cells = self.helpers.cells(key);
        let helpers = &cells[..self.helpers.len()];
        let blocked: WordSet<W> = WordSet::of(helpers);
        let lines = self.goal_ways.lines(helpers.iter().copied());
        for d in 0..4 {
            for &from in self.goal_ways.way(goal, d) {
                if !blocked.has(from) && self.goal_ways.ends(from, &lines, &blocked).contains(&goal)
                {
                    states.push((key, from));
                }
            }
        }
        for (mover, &end) in helpers.iter().enumerate() {
            let mut others = cells;
            others[mover] = goal;
            let others = &others[..helpers.len()];
            let blocked: WordSet<W> = WordSet::of(others);
            let ways = self.ways[mover];
            let lines = ways.lines(others.iter().copied());
            let rest = Helpers::<W>::without(key, mover);
            for d in 0..4 {
                for &from in ways.way(end, d) {
                    if !blocked.has(from) && ways.ends(from, &lines, &blocked).contains(&end) {
                        states.push((self.helpers.moved(&cells, mover, rest, from), goal));
                    }
                }
            }
        }
        states
    }
}

/// A helper that is about to move.
struct Moving<'a, const W: usize, K> {
    moves: &'a Moves<'a, W>,
    cells: &'a Cells,
    mover: usize,
    /// The key of the other helpers.
    rest: K,
    /// The cells from which the target may be reached with the other helpers' help, if that has
    /// been computed.
    reach_of_others: Option<WordSet<W>>,
}

impl<const W: usize, K: HelperKey> Moving<'_, W, K> {
    /// The configuration after it has moved.
    #[inline]
    fn key(&self, end: u16) -> K {
        let helpers = &self.moves.helpers;
        helpers.moved(self.cells, self.mover, self.rest, end)
    }

    /// Whether, after the move, lowering moves lead from one of the cells to the target. False if
    /// the cells that may reach the target have not been computed.
    #[inline]
    fn arrives(&self, end: u16, goals: &WordSet<W>) -> bool {
        let (Some(reach), Some(others)) = (&self.moves.reach, &self.reach_of_others) else {
            return false;
        };
        let goals = reach.allowed(goals, others, end);
        !goals.is_empty() && self.moves.descends(self.cells, self.mover, end, goals)
    }
}
