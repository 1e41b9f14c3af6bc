//! Moves of the helpers, from all goal-robot cells of a node at once.
//!
//! A node is a helper configuration with goal-robot cells that are new to it in layer `f`: states
//! with `g + h = f`, where `h` is the bound of the goal robot's cell. A goal-robot move that lowers
//! `h` leads to the same layer, one that keeps it to the next, one that raises it to the one after;
//! a helper move leads to the next layer. When it is layer `f`'s turn, nodes of
//! layer `f - 1` make all their helper moves ([`AllMoves`]). What can be reached in layer `f + 1` is
//! found out beforehand ([`last_helper_move`]), so that the last and largest layer of a search never
//! is made.
//!
//! `docs/design/flagship.md` has the proofs that each state is generated first with its least `g`, and that the
//! target is found in its layer.

use super::children::Children;
use super::config::{helper, helpers, with, without};
use super::goal::{GoalMoves, Moved};
use super::nodes::{Child, Node};
use super::tables::{LINES, NEAR, RAYS, STEP, Tables};
use crate::lowlevel::bytes::{Ends, FLIP};
use crate::lowlevel::instructions::{InstructionSet, Kernel};
use crate::lowlevel::set::{BITS, Set, take_first};

/// A move of a helper, as if there were no goal robot.
#[derive(Clone, Copy)]
struct HelperMove {
    /// The helper's place in the key.
    mover: usize,
    from: u8,
    /// N, E, S, W.
    d: usize,
    end: u8,
}

impl HelperMove {
    /// The cells that the helper enters: beyond `from`, up to and including `end`.
    #[inline(always)]
    fn way<I: InstructionSet>(self, isa: I) -> I::Set {
        let beyond = &RAYS[usize::from(self.end)][self.d];
        isa.load(&RAYS[usize::from(self.from)][self.d])
            .minus(isa.load(beyond))
    }

    /// The helpers after the move, if it ends on `end`.
    #[inline(always)]
    fn key_after<const N: usize>(self, key: u32, end: u8) -> u32 {
        with::<N>(without(key, self.mover), end)
    }
}

/// The moves of all helpers, as if there were no goal robot.
pub(super) struct HelperMoves {
    key: u32,
    /// A bit for each helper and direction.
    rest: u32,
    /// Where they end, a byte for each helper and direction.
    cells: [u64; 2],
}

impl HelperMoves {
    #[inline(always)]
    pub(super) fn new<const N: usize>(tables: &Tables, key: u32) -> Self {
        let ends = helper_ends::<N>(tables, key);
        Self {
            key,
            rest: ends.differs(own_cells::<N>(key)),
            cells: ends.cells(),
        }
    }

    /// A bit for each helper and direction that it can move.
    #[inline(always)]
    pub(super) fn rest(&self) -> u32 {
        self.rest
    }

    /// Where the move at a place ends: four times the helper's place in the key, plus the direction.
    #[inline(always)]
    pub(super) fn end(&self, place: usize) -> u8 {
        (self.cells[place / 8] >> (8 * (place % 8))) as u8
    }

    /// Makes all moves of a helper that no goal-robot cell is in the way of. How many it has cannot be
    /// predicted, so there is no branch.
    #[inline(always)]
    fn push_free<const N: usize>(
        &self,
        mover: usize,
        others: u32,
        goals: &[u64; 4],
        children: &mut Children,
    ) {
        for place in 4 * mover..4 * mover + 4 {
            let child = Child {
                goals: *goals,
                key: with::<N>(others, self.end(place)),
            };
            children.push_if(self.rest >> place & 1 == 1, child);
        }
    }

    #[inline(always)]
    fn next(&mut self) -> Option<HelperMove> {
        if self.rest == 0 {
            return None;
        }
        let place = self.rest.trailing_zeros();
        self.rest &= self.rest - 1;
        let mover = (place / 4) as usize;
        Some(HelperMove {
            mover,
            from: helper(self.key, mover),
            d: (place % 4) as usize,
            end: self.end(place as usize),
        })
    }
}

/// The packed ends of all helper moves, as if there were no goal robot.
#[inline(always)]
fn helper_ends<const N: usize>(tables: &Tables, key: u32) -> Ends {
    let mut lanes = [0; 4];
    for (i, lane) in lanes.iter_mut().enumerate().take(N) {
        *lane = tables.open(helper(key, i));
    }
    let mut ends = Ends::new(lanes);
    for k in 1..N {
        for (i, lane) in lanes.iter_mut().enumerate().take(N) {
            let (this, other) = (helper(key, i), helper(key, (i + k) % N));
            *lane = NEAR[usize::from(this)][usize::from(other)];
        }
        ends = ends.min(Ends::new(lanes));
    }
    ends
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

/// Makes all helper moves of some nodes.
pub(crate) struct AllMoves<'a, S: Set, const N: usize> {
    pub(crate) tables: &'a Tables,
    pub(crate) nodes: &'a [Node],
    pub(crate) children: &'a mut Children,
    pub(crate) isa: S::Isa,
}

impl<S: Set, const N: usize> Kernel for AllMoves<'_, S, N> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for node in self.nodes {
            all_moves::<S, N>(self.isa, self.tables, node, self.children);
        }
    }
}

#[inline(always)]
fn all_moves<S: Set, const N: usize>(
    isa: S::Isa,
    tables: &Tables,
    node: &Node,
    children: &mut Children,
) {
    children.begin_node();
    let set = isa.load(&node.set);
    let moves = HelperMoves::new::<N>(tables, node.key);
    for mover in 0..N {
        let from = helper(node.key, mover);
        let others = without(node.key, mover);
        if set.and(isa.load(&LINES[usize::from(from)])).is_empty() {
            moves.push_free::<N>(mover, others, &node.set, children);
            continue;
        }
        let rays = &RAYS[usize::from(from)];
        let mut rest = moves.rest >> (4 * mover) & 15;
        while rest != 0 {
            let d = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let end = moves.end(4 * mover + d);
            let way = isa
                .load(&rays[d])
                .minus(isa.load(&RAYS[usize::from(end)][d]));
            let free = set.minus(way);
            if !free.is_empty() {
                children.push(Child {
                    goals: free.words(),
                    key: with::<N>(others, end),
                });
            }
            let stopping = set.and(way);
            if !stopping.is_empty() {
                stopped_moves::<S, N>(others, from, d, stopping, children);
            }
        }
    }
}

/// Makes a helper's move for goal-robot cells that stop it; `others` are the helpers beside it.
#[inline(always)]
fn stopped_moves<S: Set, const N: usize>(
    others: u32,
    from: u8,
    d: usize,
    stopping: S,
    children: &mut Children,
) {
    let mut rest = stopping;
    loop {
        let goal = take_first(&mut rest);
        let end = goal.wrapping_sub(STEP[d]);
        if end != from {
            children.push(Child {
                goals: BITS[usize::from(goal)],
                key: with::<N>(others, end),
            });
        }
        if rest.is_empty() {
            break;
        }
    }
}

/// Looks for a helper move after which goal-robot moves that lower the bound lead to the target.
///
/// Only helper moves are tried that the first of those moves depends on; the others need not be, see
/// `docs/design/flagship.md`. Returns the helpers after the move and the goal-robot cells with which it is made,
/// of the first that is `enough`.
#[inline(always)]
pub(crate) fn last_helper_move<S: Set, const N: usize, F: FnMut(u32, S) -> bool>(
    tables: &mut Tables,
    enter: &[S; 4],
    key: u32,
    moved: &Moved<S>,
    mut enough: F,
) -> Option<(u32, S)> {
    let set = moved.all;
    let isa = set.isa();
    let (from, to) = (moved.descend_from, moved.descend_to);
    let moves = HelperMoves::new::<N>(tables, key);
    let mut moves = HelperMoves {
        rest: moves.rest & promising::<S, N>(tables, &moves, moved),
        ..moves
    };
    while let Some(step) = moves.next() {
        let touched = tables.helped_at(step.end, set);
        let touched = touched.or(tables.freed_by(step.from, set));
        let way = step.way(isa);
        // Where it leads over a landing, that concerns all cells that may land there.
        let crosses = !way.and(to).is_empty();
        let concerned = if crosses { touched.or(from) } else { touched }.minus(way);
        if let Some((key, cells)) = reaches::<S, N>(tables, enter, key, step, concerned)
            && enough(key, cells)
        {
            return Some((key, cells));
        }
        // And where a goal-robot cell stops it, that concerns this cell.
        let mut stopping = from.and(way);
        while !stopping.is_empty() {
            let goal = take_first(&mut stopping);
            let end = goal.wrapping_sub(STEP[step.d]);
            if end != step.from {
                let goals = isa.load(&BITS[usize::from(goal)]);
                let step = HelperMove { end, ..step };
                if let Some((key, cells)) = reaches::<S, N>(tables, enter, key, step, goals)
                    && enough(key, cells)
                {
                    return Some((key, cells));
                }
            }
        }
    }
    None
}

/// A bit for each helper move after which the target may be reached by moves that lower the bound:
/// either helpers then stand where they may be the first and the last that stop the goal robot, or no
/// help is needed.
#[inline(always)]
fn promising<S: Set, const N: usize>(
    tables: &Tables,
    moves: &HelperMoves,
    moved: &Moved<S>,
) -> u32 {
    let (set, from, to) = (moved.all, moved.descend_from, moved.descend_to);
    let isa = set.isa();
    if !set.and(tables.unhelped(isa)).is_empty() {
        return concerning::<S, N>(tables, moves, set, from.or(to));
    }
    let mut promising = moves.rest & putting_one_on::<S, N>(moves, tables.useful(isa));
    if let Some(first) = moved.first_stoppers {
        promising &= putting_one_on::<S, N>(moves, first);
    }
    let stopping = from.and(tables.beside_useful(isa));
    if !stopping.is_empty() {
        // Where the goal robot stops a helper, that ends elsewhere.
        promising |= leading_over::<S, N>(moves, stopping);
    }
    promising
}

/// A bit for each helper move after which a helper, the moved one or another, is on one of the cells.
#[inline(always)]
fn putting_one_on<S: Set, const N: usize>(moves: &HelperMoves, cells: S) -> u32 {
    let there = cells.members([u64::from(moves.key), 0]) & ((1 << N) - 1);
    cells.members(moves.cells) | BESIDES[there as usize]
}

/// By a bit for each helper: the moves of all helpers beside which there is another of them.
const BESIDES: [u32; 16] = {
    let mut moves = [0; 16];
    let mut helpers = 0;
    while helpers < 16 {
        let mut mover = 0;
        while mover < 4 {
            if helpers & !(1 << mover) != 0 {
                moves[helpers] |= 15 << (4 * mover);
            }
            mover += 1;
        }
        helpers += 1;
    }
    moves
};

/// A bit for each helper move that leads over one of the cells.
#[inline(always)]
fn leading_over<S: Set, const N: usize>(moves: &HelperMoves, cells: S) -> u32 {
    let isa = cells.isa();
    let mut over = 0;
    for mover in 0..N {
        let rays = &RAYS[usize::from(helper(moves.key, mover))];
        for (d, ray) in rays.iter().enumerate() {
            let place = 4 * mover + d;
            let beyond = &RAYS[usize::from(moves.end(place))][d];
            let met = cells.and(isa.load(ray)).minus(isa.load(beyond));
            over |= u32::from(!met.is_empty()) << place;
        }
    }
    over
}

/// A bit for each helper move that may concern cells of the set: by what it helps where it arrives,
/// by what it frees where it leaves, or by leading over what is `on_the_way`. Most concern none, so
/// all of them are asked without a branch.
#[inline(always)]
fn concerning<S: Set, const N: usize>(
    tables: &Tables,
    moves: &HelperMoves,
    set: S,
    on_the_way: S,
) -> u32 {
    let mut concerning = 0;
    for mover in 0..N {
        let freed = tables.may_free(helper(moves.key, mover), set);
        concerning |= (u32::from(!freed.is_empty()) * 15) << (4 * mover);
        for d in 0..4 {
            let place = 4 * mover + d;
            let helped = tables.may_help(moves.end(place), set);
            concerning |= u32::from(!helped.is_empty()) << place;
        }
    }
    if !on_the_way.is_empty() {
        concerning |= leading_over::<S, N>(moves, on_the_way);
    }
    concerning
}

/// If after a helper's move goal-robot moves that lower the bound lead from one of the cells to the
/// target: the helpers after it, and the cells that may do so.
#[inline(always)]
fn reaches<S: Set, const N: usize>(
    tables: &mut Tables,
    enter: &[S; 4],
    key: u32,
    step: HelperMove,
    goals: S,
) -> Option<(u32, S)> {
    if goals.is_empty() {
        return None;
    }
    let key_after = step.key_after::<N>(key, step.end);
    let goals = goals.and(may_reach_target::<S, N>(goals.isa(), tables, key_after));
    if goals.is_empty() {
        return None;
    }
    let mut moves = GoalMoves {
        tables,
        enter,
        helpers: helpers::<N>(key_after),
    };
    moves.reach_target(goals).then_some((key_after, goals))
}

/// All goal-robot cells from which moves that lower the bound lead to the target, and perhaps some
/// more: from those, they may land beside a helper.
#[inline(always)]
pub(crate) fn may_reach_target<S: Set, const N: usize>(
    isa: S::Isa,
    tables: &mut Tables,
    key: u32,
) -> S {
    let mut cells: S = tables.unhelped(isa);
    if tables.useful(isa).members([u64::from(key), 0]) & ((1 << N) - 1) != 0 {
        for helper in helpers::<N>(key) {
            cells = cells.or(tables.helped_in_time(isa, helper));
        }
    }
    cells
}
