//! Looks for the target in the next two layers without filling them, so that the last and largest
//! layer of a search is never filled. The design page proves that this always finds the target.

use super::frontier::{SolvedNode, TargetHit};
use super::goal_moves::PlainMoves;
use super::helper_moves::{HelperMove, HelperMoves};
use super::key::{helper, helpers};
use super::tables::{RAYS, STEP, Tables};
use crate::lowlevel::instructions::InstructionSet;
use crate::lowlevel::set::{BITS, Set, cells_of, take_first};

/// The goal robot's moves from the fresh cells of a node.
pub(super) struct NodeMoves<S> {
    /// The fresh cells, and the cells that lowering moves lead to from there.
    pub(super) all: S,
    /// The cells that have lowering moves, and perhaps some others.
    pub(super) descend_from: S,
    /// The ends of these lowering moves.
    pub(super) descend_to: S,
    /// The new cells that level moves lead to, and the ones that raising moves lead to.
    pub(super) same: S,
    pub(super) higher: S,
    /// The cells on which a helper may be the first to stop a chain of lowering moves, if known.
    pub(super) first_stoppers: Option<S>,
}

/// Looks for the target from a node of layer `f`. Returns the shortest solution found, if it is
/// shorter than the `known` one.
#[inline(always)]
pub(super) fn look_ahead<S: Set, const N: usize>(
    tables: &mut Tables,
    enter: &[S; 4],
    f: usize,
    key: u32,
    moved: &NodeMoves<S>,
    known: Option<SolvedNode>,
) -> Option<SolvedNode> {
    let isa = moved.all.isa();
    let solved = |f, after, cells: S| SolvedNode {
        f,
        before: key,
        key: after,
        cells: cells.words(),
    };
    let mut found = None;
    if !moved.same.or(moved.higher).is_empty() {
        let may_reach = may_reach_target::<S, N>(isa, tables, key);
        let same = moved.same.and(may_reach);
        let higher = moved.higher.and(may_reach);
        let mut moves = PlainMoves::new(tables, enter, helpers::<N>(key));
        if !same.is_empty() && moves.reach_target(same) {
            return Some(solved(f + 1, key, moved.all));
        }
        if known.is_none() && !higher.is_empty() && moves.reach_target(higher) {
            found = Some(solved(f + 2, key, moved.all));
        }
    }
    let last = last_helper_move::<S, N, _>(tables, enter, key, moved, |_, _| true);
    match last {
        Some((after, cells)) => Some(solved(f + 1, after, cells)),
        None => found,
    }
}

/// Collects all states of the next two layers that one move leads to from a node of layer `f` and
/// from which lowering moves alone lead to the target.
#[inline(always)]
pub(super) fn collect_ahead<S: Set, const N: usize>(
    tables: &mut Tables,
    enter: &[S; 4],
    f: usize,
    key: u32,
    moved: &NodeMoves<S>,
    hits: &mut Vec<TargetHit>,
) {
    let isa = moved.all.isa();
    let may_reach = may_reach_target::<S, N>(isa, tables, key);
    for (cells, f) in [(moved.same, f + 1), (moved.higher, f + 2)] {
        let cells = cells.and(may_reach);
        if !cells.is_empty() {
            collect::<S, N>(tables, enter, f, key, cells, hits);
        }
    }
    let before = hits.len();
    // A helper move may lead to the target from only some of the cells, so each is tried.
    last_helper_move::<S, N, _>(tables, enter, key, moved, |key, cells| {
        hits.extend(cells_of(cells.words()).map(|cell| TargetHit {
            f: f + 1,
            key,
            cell,
        }));
        false
    });
    for hit in hits.split_off(before) {
        let cell = isa.load(&BITS[usize::from(hit.cell)]);
        collect::<S, N>(tables, enter, hit.f, hit.key, cell, hits);
    }
}

/// Collects the cells from which lowering moves lead to the target.
#[inline(always)]
fn collect<S: Set, const N: usize>(
    tables: &mut Tables,
    enter: &[S; 4],
    f: usize,
    key: u32,
    cells: S,
    hits: &mut Vec<TargetHit>,
) {
    let isa = cells.isa();
    let mut moves = PlainMoves::new(tables, enter, helpers::<N>(key));
    if moves.reach_target(cells) {
        for cell in cells_of(cells.words()) {
            if moves.reach_target(isa.load(&BITS[usize::from(cell)])) {
                hits.push(TargetHit { f, key, cell });
            }
        }
    }
}

/// Looks for a helper move after which lowering goal-robot moves lead to the target.
///
/// Tries only the helper moves on which the first of these lowering moves depends;
/// `docs/design/flagship.md` proves that the others can be skipped. For the first move that is
/// `enough`, returns the helpers after it and the goal-robot cells for which it is made.
#[inline(always)]
fn last_helper_move<S: Set, const N: usize, F: FnMut(u32, S) -> bool>(
    tables: &mut Tables,
    enter: &[S; 4],
    key: u32,
    moved: &NodeMoves<S>,
    mut enough: F,
) -> Option<(u32, S)> {
    let cells = moved.all;
    let isa = cells.isa();
    let (from, to) = (moved.descend_from, moved.descend_to);
    let moves = HelperMoves::new::<N>(tables, key);
    let mut moves = HelperMoves {
        rest: moves.rest & promising::<S, N>(tables, &moves, moved),
        ..moves
    };
    while let Some(step) = moves.next() {
        let touched = tables.helped_at(step.end, cells);
        let touched = touched.or(tables.freed_by(step.from, cells));
        let path = step.path(isa);
        // A move across a landing cell concerns all cells from which the goal robot may land there.
        let crosses = !path.and(to).is_empty();
        let concerned = if crosses { touched.or(from) } else { touched }.minus(path);
        if let Some((key, cells)) = reaches::<S, N>(tables, enter, key, step, concerned)
            && enough(key, cells)
        {
            return Some((key, cells));
        }
        // A goal-robot cell that stops the move is concerned as well.
        let mut stopping = from.and(path);
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

/// A bit for each helper move after which lowering moves may lead to the target: either no help is
/// needed, or helpers then stand on cells on which they may be the first and the last to stop the
/// goal robot.
#[inline(always)]
fn promising<S: Set, const N: usize>(
    tables: &Tables,
    moves: &HelperMoves,
    moved: &NodeMoves<S>,
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
        // A helper that the goal robot stops ends on another cell.
        promising |= leading_over::<S, N>(moves, stopping);
    }
    promising
}

/// A bit for each helper move after which a helper, the moved one or another, is on one of the cells.
#[inline(always)]
fn putting_one_on<S: Set, const N: usize>(moves: &HelperMoves, cells: S) -> u32 {
    let there = cells.members([u64::from(moves.key), 0]) & ((1 << N) - 1);
    cells.members(moves.ends) | BESIDES[there as usize]
}

/// By a bit for each helper that is on one of the cells: the moves of every helper for which
/// another helper is on one of them.
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

/// A bit for each helper move that passes or ends on one of the cells.
#[inline(always)]
fn leading_over<S: Set, const N: usize>(moves: &HelperMoves, cells: S) -> u32 {
    let isa = cells.isa();
    let mut over = 0;
    for mover in 0..N {
        let rays = &RAYS[usize::from(helper(moves.key, mover))];
        for (d, ray) in rays.iter().enumerate() {
            let index = 4 * mover + d;
            let beyond = &RAYS[usize::from(moves.end(index))][d];
            let met = cells.and(isa.load(ray)).minus(isa.load(beyond));
            over |= u32::from(!met.is_empty()) << index;
        }
    }
    over
}

/// A bit for each helper move that may concern cells of the set: it may help from where it ends,
/// free a path by leaving, or cross one of the cells in `on_the_way`. Most concern none, so all
/// moves are tested without a branch.
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
            let index = 4 * mover + d;
            let helped = tables.may_help(moves.end(index), set);
            concerning |= u32::from(!helped.is_empty()) << index;
        }
    }
    if !on_the_way.is_empty() {
        concerning |= leading_over::<S, N>(moves, on_the_way);
    }
    concerning
}

/// Tests whether, after a helper move, lowering moves lead from one of the cells to the target. If
/// so, returns the helpers after the move and the cells that may do so.
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
    let mut moves = PlainMoves::new(tables, enter, helpers::<N>(key_after));
    moves.reach_target(goals).then_some((key_after, goals))
}

/// All goal-robot cells from which lowering moves lead to the target, and perhaps some from which
/// they may only land next to a helper.
#[inline(always)]
fn may_reach_target<S: Set, const N: usize>(isa: S::Isa, tables: &mut Tables, key: u32) -> S {
    let mut cells: S = tables.unhelped(isa);
    if tables.useful(isa).members([u64::from(key), 0]) & ((1 << N) - 1) != 0 {
        for helper in helpers::<N>(key) {
            cells = cells.or(tables.helped_in_time(isa, helper));
        }
    }
    cells
}
