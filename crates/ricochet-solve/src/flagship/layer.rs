//! Working on one f-layer: the inner loops of the set search.
//!
//! A node is a helper configuration with the goal-robot cells that are new to it in layer `f`:
//! states with `g + h = f`, where `h` is the bound of the goal robot's cell. A goal-robot move
//! that lowers `h` leads to the same layer, one that keeps it to the next, one that raises it to
//! the one after; a helper move leads to the next layer. When it is layer `f`'s turn,
//!
//! 1. layer `f - 1` is completed: nodes of layer `f - 2` make their helper moves;
//! 2. layer `f` is begun with what can lead to the target in this layer: states that goal-robot
//!    moves lead to, and states that helper moves of layer `f - 1` lead to and from which the goal
//!    robot has a new move that lowers `h`. All other states of layer `f` are put off.
//!
//! Every state that is new makes its goal-robot moves at once: those that lower `h` in the same
//! layer, the others are kept for theirs. After a helper move that has nothing to do with the goal
//! robot's moves, these need not be made (they could have been made before it); likewise for the
//! moves of another helper on a lower cell. `DESIGN.md` has the proofs that each state is generated
//! first with its least `g`, and that the target is found in its layer.

use super::bytes::{Ends, min4};
use super::config::{helper, with, without};
use super::goal::{move_cells, move_set};
use super::nodes::{MOST_NODES, Node};
use super::prefetch::prefetch;
use super::seen::Seen;
use super::set::{Set, count, first_cell, take_first};
use super::tables::{BITS, FLIP, HelperMove, RAYS, STEP, Tables};
use super::work::{Counters, Multi, Single, Work};
use crate::Limit;

/// Children wait in boxes until their table entries have arrived in the cache; boxes with so many
/// are emptied.
const SINGLES_WAITING: usize = 64;
const MULTIS_WAITING: usize = 32;

/// No node makes more children than this: of each kind at most one for each of 16 helper moves, and
/// one for each of 256 goal-robot cells that stop a helper in each of 4 directions.
const MOST_CHILDREN: usize = 16 + 4 * 256;

/// Sets of at most this many cells make their goal-robot moves cell by cell, larger ones at once.
const FEW: u32 = 3;

/// For new sets of more cells than this all make their goal-robot moves, needed or not.
const TOO_MANY_TO_ASK: u32 = 8;

/// Asked now and then; an error ends the search. Gets the counters, and the bytes in use.
pub(crate) type Check<'a> = dyn FnMut(&Counters, u64) -> Result<(), Limit> + 'a;

/// Work on a layer.
pub(crate) struct Expansion<'a, S: Set, T: Seen, const N: usize> {
    tables: &'a mut Tables,
    seen: &'a mut T,
    work: &'a mut Work,
    enter: [S; 4],
    singles: Box<[Single; SINGLES_WAITING + MOST_CHILDREN]>,
    multis: [Multi; MULTIS_WAITING + 16],
    singles_waiting: usize,
    multis_waiting: usize,
}

impl<'a, S: Set, T: Seen, const N: usize> Expansion<'a, S, T, N> {
    #[inline(always)]
    pub(crate) fn new(tables: &'a mut Tables, seen: &'a mut T, work: &'a mut Work) -> Self {
        let enter = tables.enter.map(|words| S::load(&words));
        Self {
            tables,
            seen,
            work,
            enter,
            singles: Box::new([Single::default(); SINGLES_WAITING + MOST_CHILDREN]),
            multis: [Multi::default(); MULTIS_WAITING + 16],
            singles_waiting: 0,
            multis_waiting: 0,
        }
    }

    /// Whether the target is reached.
    pub(crate) fn found(&self) -> bool {
        self.work.found.is_some()
    }

    /// How many nodes there are.
    pub(crate) fn nodes(&self) -> usize {
        self.work.nodes.len()
    }

    /// Commits what still waits.
    #[inline(always)]
    pub(crate) fn finish(&mut self) {
        self.commit_singles();
        self.commit_multis();
    }

    /// The first node of all.
    #[inline(always)]
    pub(crate) fn start(&mut self, f: usize, key: u32, goal: u8) {
        self.work.f = f;
        self.work.layer = 0;
        self.make_single(key, goal, HelperMove::default());
    }

    /// Completes layer `f`, which begins at `layer`, by all helper moves of `nodes`, which are the
    /// layer before it.
    #[inline(always)]
    pub(crate) fn complete(
        &mut self,
        f: usize,
        layer: usize,
        nodes: std::ops::Range<usize>,
        check: &mut Check<'_>,
    ) -> Result<(), Limit> {
        self.work.f = f;
        self.work.layer = layer;
        if N == 0 {
            return Ok(());
        }
        for index in nodes {
            if index % 256 == 0 {
                self.look(check)?;
            }
            let node = self.work.nodes[index];
            self.work.counters.expanded += 1;
            if count(&node.set) == 1 {
                self.helper_moves_of_single(&node);
            } else {
                self.helper_moves_of_multi(&node);
            }
            self.commit_full_boxes();
        }
        Ok(())
    }

    /// Begins layer `f` at the end of all nodes with the goal-robot moves that lead there and the
    /// relevant helper moves of `nodes`, which are the layer before it.
    #[inline(always)]
    pub(crate) fn begin(
        &mut self,
        f: usize,
        nodes: std::ops::Range<usize>,
        check: &mut Check<'_>,
    ) -> Result<(), Limit> {
        self.work.f = f;
        self.work.layer = self.work.nodes.len();
        self.goal_moves(check)?;
        if N == 0 {
            return Ok(());
        }
        for index in nodes {
            if self.work.found.is_some() {
                return Ok(());
            }
            if index % 256 == 0 {
                self.look(check)?;
            }
            let node = self.work.nodes[index];
            let free_ends = self.helper_ends(node.key);
            let may_move = !skipped::<N>(&node);
            let mut rest = node.set;
            loop {
                let goal = take_first(&mut rest);
                self.relevant_moves(node.key, free_ends, may_move, goal);
                if self.singles_waiting >= SINGLES_WAITING {
                    self.commit_singles();
                }
                if rest == [0; 4] {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Makes the goal-robot moves that were kept for this layer.
    #[inline(always)]
    fn goal_moves(&mut self, check: &mut Check<'_>) -> Result<(), Limit> {
        let slot = self.work.f % 4;
        let mut kept = std::mem::take(&mut self.work.later[slot]);
        for (i, child) in kept.singles.iter().enumerate() {
            if i % 1024 == 0 {
                self.look(check)?;
            }
            self.make_single(child.key, child.goal, HelperMove::default());
            if self.singles_waiting >= SINGLES_WAITING {
                self.commit_singles();
            }
        }
        for (i, child) in kept.multis.iter().enumerate() {
            if i % 1024 == 0 {
                self.look(check)?;
            }
            self.make_multi(child.key, S::load(&child.goals), HelperMove::default());
            self.commit_full_boxes();
        }
        kept.clear();
        self.work.later[slot] = kept;
        Ok(())
    }

    #[cold]
    fn look(&self, check: &mut Check<'_>) -> Result<(), Limit> {
        if self.work.nodes.len() > MOST_NODES - 1024 * MOST_CHILDREN {
            return Err(Limit::Memory);
        }
        check(
            &self.work.counters,
            self.work.bytes() + self.seen.bytes_soon(),
        )
    }

    /// Makes the helper moves after which the goal robot has a move that lowers `h`, and that it
    /// could not have made before the helper's.
    #[inline(never)]
    fn relevant_moves(&mut self, key: u32, free_ends: Ends, may_move: u32, goal: u8) {
        let mut lanes = [0; 4];
        for (i, lane) in lanes.iter_mut().enumerate().take(N) {
            *lane = self.tables.ends(helper(key, i), goal);
        }
        let ends = free_ends.min(Ends::new(lanes));
        self.tables.want(goal);
        self.tables.want_relevance(goal);
        // Stopped by the goal robot, or named by the cell that the helper leaves.
        let mut relevant = ends.differs(free_ends);
        for i in 0..N {
            relevant |= self.tables.relevant_directions(goal, helper(key, i)) << (4 * i);
        }
        let mut moves = ends.differs(own_cells::<N>(key)) & may_move;
        let cells = ends.cells();
        let lower = self.tables.bound[usize::from(goal)].wrapping_sub(1);
        while moves != 0 {
            let place = moves.trailing_zeros();
            moves &= moves - 1;
            let end = (cells[(place / 8) as usize] >> (8 * (place % 8))) as u8;
            if relevant >> place & 1 == 0
                && !self.tables.is_relevant_end(goal, end)
                && self.work.prunings.lookahead
            {
                continue;
            }
            let mover = (place / 4) as usize;
            let mut goal_ends = self.tables.ends(goal, end);
            for i in 0..N {
                if i != mover {
                    goal_ends = min4(goal_ends, self.tables.ends(goal, helper(key, i)));
                }
            }
            let goal_ends = goal_ends ^ FLIP;
            let lowers = (0..4).any(|d| {
                let goal_end = (goal_ends >> (8 * d)) as u8;
                self.tables.bound[usize::from(goal_end)] == lower
            });
            if lowers || !self.work.prunings.lookahead {
                let step = HelperMove {
                    from: helper(key, mover),
                    direction: (place % 4) as u8,
                    end,
                };
                self.make_single(with::<N>(without(key, mover), end), goal, step);
            }
        }
    }

    /// All helper moves with the goal robot on one cell.
    #[inline(never)]
    fn helper_moves_of_single(&mut self, node: &Node) {
        let (key, goal) = (node.key, first_cell(&node.set));
        let mut ends = self.helper_ends(key);
        let mut lanes = [0; 4];
        for (i, lane) in lanes.iter_mut().enumerate().take(N) {
            *lane = self.tables.ends(helper(key, i), goal);
        }
        ends = ends.min(Ends::new(lanes));
        let mut moves = ends.differs(own_cells::<N>(key)) & !skipped::<N>(node);
        let cells = ends.cells();
        while moves != 0 {
            let place = moves.trailing_zeros();
            moves &= moves - 1;
            let end = (cells[(place / 8) as usize] >> (8 * (place % 8))) as u8;
            let mover = (place / 4) as usize;
            let step = HelperMove {
                from: helper(key, mover),
                direction: (place % 4) as u8,
                end,
            };
            self.make_single(with::<N>(without(key, mover), end), goal, step);
        }
    }

    /// All helper moves with the goal robot on any of several cells.
    #[inline(always)]
    fn helper_moves_of_multi(&mut self, node: &Node) {
        let key = node.key;
        let set = S::load(&node.set);
        let ends = self.helper_ends(key);
        let mut moves = ends.differs(own_cells::<N>(key)) & !skipped::<N>(node);
        let cells = ends.cells();
        while moves != 0 {
            let place = moves.trailing_zeros();
            moves &= moves - 1;
            let end = (cells[(place / 8) as usize] >> (8 * (place % 8))) as u8;
            let (mover, d) = ((place / 4) as usize, (place % 4) as usize);
            let from = helper(key, mover);
            let direction = d as u8;
            // The cells that the helper enters: beyond `from`, up to and including `end`.
            let way =
                S::load(&RAYS[usize::from(from)][d]).minus(S::load(&RAYS[usize::from(end)][d]));
            let free = set.minus(way);
            if !free.is_empty() {
                let step = HelperMove {
                    from,
                    direction,
                    end,
                };
                self.make_multi(with::<N>(without(key, mover), end), free, step);
            }
            let in_the_way = set.and(way);
            if !in_the_way.is_empty() {
                let mut rest = in_the_way.words();
                while rest != [0; 4] {
                    let goal = take_first(&mut rest);
                    let end = goal.wrapping_sub(STEP[d]);
                    if end != from {
                        let step = HelperMove {
                            from,
                            direction,
                            end,
                        };
                        self.make_single(with::<N>(without(key, mover), end), goal, step);
                    }
                }
            }
        }
    }

    /// The packed ends of all helper moves, as if there were no goal robot.
    #[inline(always)]
    fn helper_ends(&mut self, key: u32) -> Ends {
        let mut lanes = [0; 4];
        for (i, lane) in lanes.iter_mut().enumerate().take(N) {
            let from = helper(key, i);
            self.tables.want(from);
            // Its own cell as 'the other' stands for no obstacle at all.
            *lane = self.tables.ends(from, helper(key, (i + 1) % N));
        }
        let mut ends = Ends::new(lanes);
        for k in 2..N {
            for (i, lane) in lanes.iter_mut().enumerate().take(N) {
                *lane = self.tables.ends(helper(key, i), helper(key, (i + k) % N));
            }
            ends = ends.min(Ends::new(lanes));
        }
        ends
    }

    #[inline(always)]
    fn make_single(&mut self, key: u32, goal: u8, step: HelperMove) {
        let hint = self.seen.hint(key);
        self.singles[self.singles_waiting] = Single {
            key,
            hint,
            goal,
            step,
        };
        self.singles_waiting += 1;
    }

    #[inline(always)]
    fn make_multi(&mut self, key: u32, goals: S, step: HelperMove) {
        let hint = self.seen.hint(key);
        self.multis[self.multis_waiting] = Multi {
            goals: goals.words(),
            key,
            hint,
            step,
        };
        self.multis_waiting += 1;
    }

    /// Empties the boxes that are full.
    #[inline(always)]
    fn commit_full_boxes(&mut self) {
        if self.singles_waiting >= SINGLES_WAITING {
            self.commit_singles();
        }
        if self.multis_waiting >= MULTIS_WAITING {
            self.commit_multis();
        }
    }

    /// Marks what is new among the waiting children, then makes nodes of it: by then, what else
    /// is known of their configurations has arrived in the cache too.
    #[inline(never)]
    fn commit_singles(&mut self) {
        self.work.counters.generated += self.singles_waiting as u64;
        let mut fresh = 0;
        for i in 0..self.singles_waiting {
            let child = self.singles[i];
            let (seen, latest) = self.seen.entry(child.key, child.hint);
            let (word, bit) = (usize::from(child.goal >> 6), 1u64 << (child.goal & 63));
            if seen[word] & bit == 0 {
                seen[word] |= bit;
                prefetch(std::slice::from_ref(latest), 0);
                self.singles[fresh] = child;
                fresh += 1;
            }
        }
        self.work.counters.hits += (self.singles_waiting - fresh) as u64;
        self.singles_waiting = 0;
        for child in &self.singles[..fresh] {
            let (seen, latest) = self.seen.entry(child.key, child.hint);
            let mut set = BITS[usize::from(child.goal)];
            let mut skip = 0;
            let by_helper = child.step.from != child.step.end;
            if by_helper {
                skip = skippable::<N>(self.tables, self.work, child.key, child.step);
            }
            if !by_helper
                || !self.work.prunings.goal_order
                || self.tables.depends(child.goal, child.step)
            {
                let moved = move_cells::<N>(self.tables, seen, self.work, child.key, set);
                if moved != set {
                    // A state that a goal-robot move made skips nothing.
                    skip = 0;
                    set = moved;
                }
            }
            self.work.add_to_layer(latest, child.key, set, skip);
        }
    }

    /// Likewise for children with several goal-robot cells.
    #[inline(always)]
    fn commit_multis(&mut self) {
        self.work.counters.generated += self.multis_waiting as u64;
        let mut fresh = 0;
        for i in 0..self.multis_waiting {
            let child = self.multis[i];
            let (entry, latest) = self.seen.entry(child.key, child.hint);
            let seen = S::load(entry);
            let new = S::load(&child.goals).minus(seen);
            if !new.is_empty() {
                *entry = seen.or(new).words();
                prefetch(std::slice::from_ref(latest), 0);
                self.multis[fresh] = Multi {
                    goals: new.words(),
                    ..child
                };
                fresh += 1;
            }
        }
        self.work.counters.hits += (self.multis_waiting - fresh) as u64;
        self.multis_waiting = 0;
        for child in &self.multis[..fresh] {
            let (entry, latest) = self.seen.entry(child.key, child.hint);
            let mut words = child.goals;
            let mut skip = 0;
            let mut movers = words;
            if child.step.from != child.step.end {
                skip = skippable::<N>(self.tables, self.work, child.key, child.step);
                if self.work.prunings.goal_order && count(&words) <= TOO_MANY_TO_ASK {
                    let mut rest = words;
                    while rest != [0; 4] {
                        let goal = take_first(&mut rest);
                        if !self.tables.depends(goal, child.step) {
                            movers[usize::from(goal >> 6)] &= !(1 << (goal & 63));
                        }
                    }
                }
            }
            let moving = count(&movers);
            if moving > 0 {
                let moved = if moving <= FEW {
                    move_cells::<N>(self.tables, entry, self.work, child.key, movers)
                } else {
                    let movers = S::load(&movers);
                    move_set::<S, N>(
                        self.tables,
                        &self.enter,
                        entry,
                        self.work,
                        child.key,
                        movers,
                    )
                };
                if moved != movers {
                    // States that a goal-robot move made skip nothing.
                    skip = 0;
                    for (all, moved) in words.iter_mut().zip(moved) {
                        *all |= moved;
                    }
                }
            }
            self.work.add_to_layer(latest, child.key, words, skip);
        }
    }
}

/// A bit for each helper whose moves need not be made after this one, since it could have moved
/// before with the same result: the two have nothing to do with each other, and of two such
/// helpers the one on the lower cell moves first.
#[inline(always)]
fn skippable<const N: usize>(tables: &mut Tables, work: &Work, key: u32, step: HelperMove) -> u32 {
    let mut skip = 0;
    if !work.prunings.helper_order {
        return skip;
    }
    for i in 0..N {
        let other = helper(key, i);
        if other < step.from && other != step.end && !tables.depends(other, step) {
            skip |= 1 << i;
        }
    }
    skip
}

/// The moves of the helpers that a node skips, as bits.
#[inline(always)]
fn skipped<const N: usize>(node: &Node) -> u32 {
    let skip = node.skip();
    let mut moves = 0;
    for i in 0..N {
        moves |= ((skip >> i & 1) * 15) << (4 * i);
    }
    moves
}

/// What the helpers' packed ends are if none of them can move.
#[inline(always)]
fn own_cells<const N: usize>(key: u32) -> Ends {
    let mut lanes = [0; 4];
    for (i, lane) in lanes.iter_mut().enumerate().take(N) {
        *lane = (u32::from(helper(key, i)) * 0x0101_0101) ^ FLIP;
    }
    Ends::new(lanes)
}
