//! Expanding one f-layer: the inner loops of the set search.
//!
//! A node is a helper configuration with the goal-robot cells that are new to it in layer `f`:
//! states with `g + h = f`, where `h` is the bound of the goal robot's cell. When layer `f` is
//! worked on,
//!
//! 1. nodes of layer `f - 1` make their helper moves and the goal-robot moves that keep `h`,
//!    nodes of layer `f - 2` the goal-robot moves that raise `h`;
//! 2. then each node of layer `f` makes the goal-robot moves that lower `h`, again and again.
//!
//! All children made in layer `f` thus belong to layer `f`. See `DESIGN.md` for the proof that
//! each state is generated first with its least `g`.

use super::bytes::{Ends, min4};
use super::config::{helper, with, without};
use super::nodes::{Node, Nodes};
use super::seen::Seen;
use super::set::{Set, cells_of, first_cell};
use super::tables::{BITS, FLIP, RAYS, STEP, Tables};
use crate::Limit;

/// Counters of one search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counters {
    /// Children made.
    pub(crate) generated: u64,
    /// Children of which nothing was new.
    pub(crate) hits: u64,
    /// Nodes whose helper moves were made.
    pub(crate) expanded: u64,
}

/// Children wait in boxes until their table entries have arrived in the cache.
const SINGLES_WAITING: usize = 64;
const MULTIS_WAITING: usize = 32;

/// Sets of at most this many cells are moved cell by cell, larger ones at once.
const FEW: u32 = 3;

#[derive(Clone, Copy, Default)]
struct SingleChild {
    key: u32,
    hint: u32,
    goal: u8,
}

#[derive(Clone, Copy, Default)]
struct MultiChild {
    goals: [u64; 4],
    key: u32,
    hint: u32,
}

/// Work on one layer.
pub(crate) struct Expansion<'a, S: Set, T: Seen, const N: usize> {
    tables: &'a mut Tables,
    seen: &'a mut T,
    nodes: &'a mut Nodes,
    /// Where this layer begins in `nodes`.
    layer: usize,
    enter: [S; 4],
    singles: [SingleChild; SINGLES_WAITING],
    multis: [MultiChild; MULTIS_WAITING],
    singles_waiting: usize,
    multis_waiting: usize,
    counters: &'a mut Counters,
}

/// Asked now and then; an error ends the search. Gets the counters, and the bytes in use.
pub(crate) type Check<'a> = dyn FnMut(&Counters, u64) -> Result<(), Limit> + 'a;

impl<'a, S: Set, T: Seen, const N: usize> Expansion<'a, S, T, N> {
    #[inline(always)]
    pub(crate) fn new(
        tables: &'a mut Tables,
        seen: &'a mut T,
        nodes: &'a mut Nodes,
        counters: &'a mut Counters,
    ) -> Self {
        let enter = tables.enter.map(|words| S::load(&words));
        let layer = nodes.len();
        Self {
            tables,
            seen,
            nodes,
            layer,
            enter,
            singles: [SingleChild::default(); SINGLES_WAITING],
            multis: [MultiChild::default(); MULTIS_WAITING],
            singles_waiting: 0,
            multis_waiting: 0,
            counters,
        }
    }

    /// The first node of all.
    #[inline(always)]
    pub(crate) fn start(&mut self, key: u32, goal: u8) {
        self.make_single(key, goal);
        self.commit();
    }

    /// Helper moves, and goal-robot moves that keep the bound.
    #[inline(always)]
    pub(crate) fn expand(
        &mut self,
        nodes: std::ops::Range<usize>,
        check: &mut Check<'_>,
    ) -> Result<(), Limit> {
        for index in nodes {
            if index % 256 == 0 {
                check(self.counters, self.nodes.bytes() + self.seen.bytes())?;
            }
            let node = *self.nodes.get(index);
            let set = S::load(&node.set);
            let count = count(&node.set);
            self.goal_moves::<0>(node.key, set, count, &node.set);
            if N > 0 {
                self.counters.expanded += 1;
                if count == 1 {
                    self.helper_moves_of_single(node.key, first_cell(&node.set));
                } else {
                    self.helper_moves(node.key, set);
                }
            }
        }
        self.commit();
        Ok(())
    }

    /// Goal-robot moves that raise the bound.
    #[inline(always)]
    pub(crate) fn raise(
        &mut self,
        nodes: std::ops::Range<usize>,
        check: &mut Check<'_>,
    ) -> Result<(), Limit> {
        for index in nodes {
            if index % 256 == 0 {
                check(self.counters, self.nodes.bytes() + self.seen.bytes())?;
            }
            let node = *self.nodes.get(index);
            let count = count(&node.set);
            self.goal_moves::<1>(node.key, S::load(&node.set), count, &node.set);
        }
        self.commit();
        Ok(())
    }

    /// Goal-robot moves that lower the bound, for all nodes of this layer. Returns whether the
    /// target is reached.
    #[inline(always)]
    pub(crate) fn descend(&mut self, check: &mut Check<'_>) -> Result<Option<usize>, Limit> {
        const AHEAD: usize = 6;
        let target = S::load(&self.tables.levels[0]);
        for index in self.layer..self.nodes.len() {
            if index % 256 == 0 {
                check(self.counters, self.nodes.bytes() + self.seen.bytes())?;
            }
            if index + AHEAD < self.nodes.len() {
                let _ = self.seen.hint(self.nodes.get(index + AHEAD).key);
            }
            let node = *self.nodes.get(index);
            let hint = self.seen.hint(node.key);
            let (seen, _) = self.seen.entry(node.key, hint);
            let set = if count(&node.set) <= FEW {
                descend_cells::<N>(self.tables, seen, node.key, node.set)
            } else {
                descend_set::<S, N>(self.tables, &self.enter, seen, node.key, node.set)
            };
            if set != node.set {
                self.nodes.get_mut(index).set = set;
            }
            if !S::load(&set).and(target).is_empty() {
                return Ok(Some(index));
            }
        }
        Ok(None)
    }

    /// Goal-robot moves that change the bound by `UP`.
    #[inline(always)]
    fn goal_moves<const UP: u8>(&mut self, key: u32, set: S, count: u32, words: &[u64; 4]) {
        if count <= FEW {
            for cell in cells_of(*words) {
                let wanted = self.tables.bound[usize::from(cell)] + UP;
                let ends = goal_ends::<N>(self.tables, key, cell) ^ FLIP;
                for d in 0..4 {
                    let end = (ends >> (8 * d)) as u8;
                    if self.tables.bound[usize::from(end)] == wanted && end != cell {
                        self.make_single(key, end);
                    }
                }
            }
            return;
        }
        let blocked = helpers::<S, N>(key);
        let mut rest = set;
        let mut level = 0;
        while !rest.is_empty() {
            let here = rest.and(S::load(&self.tables.levels[level]));
            rest = rest.minus(here);
            if !here.is_empty() {
                let wanted = S::load(&self.tables.levels[level + usize::from(UP)]);
                let stops = here.stops(&self.enter, blocked).and(wanted).minus(set);
                if !stops.is_empty() {
                    self.make_multi(key, stops);
                }
            }
            level += 1;
        }
    }

    /// All helper moves with the goal robot on one cell.
    #[inline(always)]
    fn helper_moves_of_single(&mut self, key: u32, goal: u8) {
        let mut lanes = [0; 4];
        let without_goal = self.helper_ends(key);
        for (i, lane) in lanes.iter_mut().enumerate().take(N) {
            *lane = self.tables.ends(helper(key, i), goal);
        }
        let ends = without_goal.min(Ends::new(lanes));
        let mut moves = ends.differs(own_cells::<N>(key));
        let cells = ends.cells();
        while moves != 0 {
            let place = moves.trailing_zeros();
            moves &= moves - 1;
            let end = (cells[(place / 8) as usize] >> (8 * (place % 8))) as u8;
            let others = without(key, (place / 4) as usize);
            self.make_single(with::<N>(others, end), goal);
        }
    }

    /// All helper moves with the goal robot on any of several cells.
    #[inline(always)]
    fn helper_moves(&mut self, key: u32, set: S) {
        let ends = self.helper_ends(key);
        let mut moves = ends.differs(own_cells::<N>(key));
        let cells = ends.cells();
        while moves != 0 {
            let place = moves.trailing_zeros();
            moves &= moves - 1;
            let end = (cells[(place / 8) as usize] >> (8 * (place % 8))) as u8;
            let (i, d) = ((place / 4) as usize, (place % 4) as usize);
            let from = helper(key, i);
            let others = without(key, i);
            // The cells that the helper enters: beyond `from`, up to and including `end`.
            let way =
                S::load(&RAYS[usize::from(from)][d]).minus(S::load(&RAYS[usize::from(end)][d]));
            let free = set.minus(way);
            if !free.is_empty() {
                self.make_multi(with::<N>(others, end), free);
            }
            let in_the_way = set.and(way);
            if !in_the_way.is_empty() {
                for goal in cells_of(in_the_way.words()) {
                    let before = goal.wrapping_sub(STEP[d]);
                    if before != from {
                        self.make_single(with::<N>(others, before), goal);
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
    fn make_single(&mut self, key: u32, goal: u8) {
        self.counters.generated += 1;
        let hint = self.seen.hint(key);
        if self.singles_waiting == SINGLES_WAITING {
            self.commit_singles();
        }
        self.singles[self.singles_waiting] = SingleChild { key, hint, goal };
        self.singles_waiting += 1;
    }

    #[inline(always)]
    fn make_multi(&mut self, key: u32, goals: S) {
        self.counters.generated += 1;
        let hint = self.seen.hint(key);
        if self.multis_waiting == MULTIS_WAITING {
            self.commit_multis();
        }
        self.multis[self.multis_waiting] = MultiChild {
            goals: goals.words(),
            key,
            hint,
        };
        self.multis_waiting += 1;
    }

    #[inline(always)]
    fn commit(&mut self) {
        self.commit_singles();
        self.commit_multis();
    }

    fn commit_singles(&mut self) {
        for child in &self.singles[..self.singles_waiting] {
            let (seen, latest) = self.seen.entry(child.key, child.hint);
            let (word, bit) = (usize::from(child.goal >> 6), 1u64 << (child.goal & 63));
            if seen[word] & bit != 0 {
                self.counters.hits += 1;
                continue;
            }
            seen[word] |= bit;
            if *latest as usize > self.layer {
                self.nodes.get_mut(*latest as usize - 1).set[word] |= bit;
            } else {
                let mut set = [0; 4];
                set[word] = bit;
                self.nodes.push(Node {
                    set,
                    key: child.key,
                    earlier: *latest,
                });
                *latest = self.nodes.len() as u32;
            }
        }
        self.singles_waiting = 0;
    }

    fn commit_multis(&mut self) {
        for child in &self.multis[..self.multis_waiting] {
            let (seen, latest) = self.seen.entry(child.key, child.hint);
            let new: [u64; 4] = std::array::from_fn(|i| child.goals[i] & !seen[i]);
            if new == [0; 4] {
                self.counters.hits += 1;
                continue;
            }
            for i in 0..4 {
                seen[i] |= new[i];
            }
            if *latest as usize > self.layer {
                let node = self.nodes.get_mut(*latest as usize - 1);
                for i in 0..4 {
                    node.set[i] |= new[i];
                }
            } else {
                self.nodes.push(Node {
                    set: new,
                    key: child.key,
                    earlier: *latest,
                });
                *latest = self.nodes.len() as u32;
            }
        }
        self.multis_waiting = 0;
    }
}

#[inline(always)]
fn count(words: &[u64; 4]) -> u32 {
    words.iter().map(|word| word.count_ones()).sum()
}

#[inline(always)]
fn helpers<S: Set, const N: usize>(key: u32) -> S {
    let mut blocked = S::load(&[0; 4]);
    for i in 0..N {
        blocked = blocked.or(S::load(&BITS[usize::from(helper(key, i))]));
    }
    blocked
}

/// What the helpers' packed ends are if none of them can move.
#[inline(always)]
fn own_cells<const N: usize>(key: u32) -> Ends {
    let mut lanes = [0; 4];
    for (i, lane) in lanes.iter_mut().enumerate().take(N) {
        *lane = u32::from(helper(key, i)) * 0x0101_0101 ^ FLIP;
    }
    Ends::new(lanes)
}

/// The packed ends of the goal robot's moves.
#[inline(always)]
pub(crate) fn goal_ends<const N: usize>(tables: &mut Tables, key: u32, cell: u8) -> u32 {
    tables.want(cell);
    if N == 0 {
        // Its own cell as 'the other' stands for no obstacle at all.
        return tables.ends(cell, cell);
    }
    let mut ends = tables.ends(cell, helper(key, 0));
    for i in 1..N {
        ends = min4(ends, tables.ends(cell, helper(key, i)));
    }
    ends
}

/// Adds what goal-robot moves that lower the bound reach, cell by cell.
#[inline(always)]
fn descend_cells<const N: usize>(
    tables: &mut Tables,
    seen: &mut [u64; 4],
    key: u32,
    set: [u64; 4],
) -> [u64; 4] {
    let mut all = set;
    let mut rest = set;
    loop {
        let cell = first_cell(&rest);
        let word = usize::from(cell >> 6);
        if rest[word] == 0 {
            return all;
        }
        rest[word] &= !(1 << (cell & 63));
        let bound = tables.bound[usize::from(cell)];
        if bound == 0 {
            return all;
        }
        let ends = goal_ends::<N>(tables, key, cell) ^ FLIP;
        for d in 0..4 {
            let end = (ends >> (8 * d)) as u8;
            if tables.bound[usize::from(end)].wrapping_add(1) == bound {
                let (word, bit) = (usize::from(end >> 6), 1u64 << (end & 63));
                if seen[word] & bit == 0 {
                    seen[word] |= bit;
                    all[word] |= bit;
                    rest[word] |= bit;
                }
            }
        }
    }
}

/// Adds what goal-robot moves that lower the bound reach, level by level.
#[inline(always)]
fn descend_set<S: Set, const N: usize>(
    tables: &Tables,
    enter: &[S; 4],
    seen_words: &mut [u64; 4],
    key: u32,
    set: [u64; 4],
) -> [u64; 4] {
    let blocked = helpers::<S, N>(key);
    let mut seen = S::load(seen_words);
    let mut all = S::load(&set);
    let mut below = all;
    // The highest level present; there is one, since every stored cell has a bound.
    let mut level = 0;
    loop {
        below = below.minus(S::load(&tables.levels[level]));
        if below.is_empty() {
            break;
        }
        level += 1;
    }
    while level > 0 {
        let here = all.and(S::load(&tables.levels[level]));
        level -= 1;
        if !here.is_empty() {
            let lower = S::load(&tables.levels[level]);
            let new = here.stops(enter, blocked).and(lower).minus(seen);
            seen = seen.or(new);
            all = all.or(new);
        }
    }
    *seen_words = seen.words();
    all.words()
}
