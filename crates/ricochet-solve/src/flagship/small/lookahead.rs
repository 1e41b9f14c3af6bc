//! Looking for the target in the next two layers without making them, so that the last and largest layer of a
//! search is never filled. The design page proves that the target is always found this way.

use super::frontier::{SolvedNode, TargetHit};
use super::goal_moves::PlainMoves;
use super::helper_moves::{HelperMove, HelperMoves};
use super::key::{helper, helpers};
use super::tables::{RAYS, STEP, Tables};
use crate::lowlevel::instructions::InstructionSet;
use crate::lowlevel::set::{BITS, Set, cells_of, take_first};

/// The goal robot's moves from the fresh cells of a node.
pub(super) struct Moved<S> {
    /// The fresh cells, and those that lowering moves lead to.
    pub(super) all: S,
    /// The cells, perhaps among others, that have lowering moves.
    pub(super) descend_from: S,
    /// Where these moves end.
    pub(super) descend_to: S,
    /// New cells that moves lead to that keep the bound, and that raise it.
    pub(super) same: S,
    pub(super) higher: S,
    /// Where a helper may be the first that stops a chain of lowering moves, if that is known.
    pub(super) first_stoppers: Option<S>,
}

/// Looks for the target from a node of layer `f`. Returns the shortest solution found, if it is better than
/// the one that is `known`.
#[inline(always)]
pub(super) fn look_ahead<S: Set, const N: usize>(
    tables: &mut Tables,
    enter: &[S; 4],
    f: usize,
    key: u32,
    moved: &Moved<S>,
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

/// Collects all states of the next two layers that one move leads to from a node of layer `f`, and
/// lowering moves alone from there to the target.
#[inline(always)]
pub(super) fn collect_ahead<S: Set, const N: usize>(
    tables: &mut Tables,
    enter: &[S; 4],
    f: usize,
    key: u32,
    moved: &Moved<S>,
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
    // A helper move may lead to the target with some of the cells only, so each is tried.
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

/// Collects those of the cells from which lowering moves lead to the target.
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

/// Looks for a helper move after which goal-robot moves that lower the bound lead to the target.
///
/// Only helper moves are tried that the first of those moves depends on; the others need not be, see
/// `docs/design/flagship.md`. Returns the helpers after the move and the goal-robot cells with which it is made,
/// of the first that is `enough`.
#[inline(always)]
fn last_helper_move<S: Set, const N: usize, F: FnMut(u32, S) -> bool>(
    tables: &mut Tables,
    enter: &[S; 4],
    key: u32,
    moved: &Moved<S>,
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
        // Where it leads over a landing, that concerns all cells that may land there.
        let crosses = !path.and(to).is_empty();
        let concerned = if crosses { touched.or(from) } else { touched }.minus(path);
        if let Some((key, cells)) = reaches::<S, N>(tables, enter, key, step, concerned)
            && enough(key, cells)
        {
            return Some((key, cells));
        }
        // And where a goal-robot cell stops it, that concerns this cell.
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
    cells.members(moves.ends) | BESIDES[there as usize]
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
    let mut moves = PlainMoves::new(tables, enter, helpers::<N>(key_after));
    moves.reach_target(goals).then_some((key_after, goals))
}

/// All goal-robot cells from which moves that lower the bound lead to the target, and perhaps some
/// more: from those, they may land beside a helper.
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
