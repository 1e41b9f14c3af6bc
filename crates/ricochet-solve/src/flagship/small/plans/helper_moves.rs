//! Moves of the helpers, and how they change the bound.

use super::{MAX_RAISE, Plans, Survey};
use crate::flagship::small::frontier::{Child, Children};
use crate::flagship::small::helper_moves::HelperMoves;
use crate::flagship::small::key::{helper, with, without};
use crate::flagship::small::tables::{RAYS, STEP, Tables};
use crate::lowlevel::instructions::InstructionSet;
use crate::lowlevel::set::{BITS, Set, take_first};

/// The state of the helpers before a move, with the goal-robot cells.
pub(super) struct Origin<S> {
    pub(super) key: u32,
    pub(super) cells: S,
    /// The number of the bound that follows from the helpers' costs.
    pub(super) number: u32,
}

/// Computes how the moves of some helpers change the bound.
#[inline(always)]
pub(super) fn survey_of<S: Set, const N: usize>(
    isa: S::Isa,
    tables: &Tables,
    plans: &mut Plans,
    key: u32,
) -> Survey {
    let before = plans.costs(isa, key, N);
    let number = plans.number_of(&before.words());
    let moves = HelperMoves::new::<N>(tables, key);
    let mut survey = Survey::of(number);
    let mut all_lowered = isa.load(&[0; 4]);
    for mover in 0..N {
        let mut rest = moves.rest >> (4 * mover) & 15;
        if rest == 0 {
            continue;
        }
        let others = without(key, mover);
        let without_it = others_need::<S, N>(isa, plans, others);
        while rest != 0 {
            let move_index = 4 * mover + rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let costs =
                without_it.or(plans.costs_beside(isa, moves.end(move_index), others, N - 1));
            let less = !costs.minus(before).is_empty();
            let mut same = !less && before.minus(costs).is_empty();
            if !same {
                let after = plans.number_of(&costs.words());
                survey.note(move_index, after);
                same = after == number;
                if less && !same {
                    let lowered = lowered::<S>(isa, plans, number, after);
                    survey.lowering |= u16::from(!lowered.is_empty()) << move_index;
                    all_lowered = all_lowered.or(lowered);
                }
            }
            survey.same |= u16::from(same) << move_index;
        }
    }
    survey.lowered = all_lowered.words();
    survey
}

/// Makes the helper moves that lower the bound.
#[inline(always)]
pub(super) fn lowering_moves<S: Set, const N: usize>(
    isa: S::Isa,
    tables: &Tables,
    plans: &mut Plans,
    from: &Origin<S>,
    survey: &Survey,
    children: &mut Children,
) {
    // A helper move cannot lower a bound that is not raised.
    let set = from
        .cells
        .minus(isa.load(&plans.bound(from.number).raised[0]));
    let lowering = if set.and(isa.load(&survey.lowered)).is_empty() {
        0
    } else {
        survey.lowering
    };
    let mut crossing = set.minus(set);
    for mover in 0..N {
        crossing = crossing.or(plans.helpful_stops(isa, helper(from.key, mover)));
    }
    let crossing = crossing.and(set);
    if lowering == 0 && crossing.is_empty() {
        return;
    }
    let moves = HelperMoves::new::<N>(tables, from.key);
    let mut rest = u32::from(lowering);
    for mover in 0..N {
        let rays = &RAYS[usize::from(helper(from.key, mover))];
        for (d, ray) in rays.iter().enumerate() {
            let met = !crossing.and(isa.load(ray)).is_empty();
            rest |= u32::from(met) << (4 * mover + d);
        }
    }
    rest &= moves.rest;
    for mover in 0..N {
        let cell = helper(from.key, mover);
        let mut rest = rest >> (4 * mover) & 15;
        if rest == 0 {
            continue;
        }
        let others = without(from.key, mover);
        let rays = &RAYS[usize::from(cell)];
        while rest != 0 {
            let d = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let move_index = 4 * mover + d;
            let end = moves.end(move_index);
            let way = isa
                .load(&rays[d])
                .minus(isa.load(&RAYS[usize::from(end)][d]));
            let free = set.minus(way);
            if lowering >> move_index & 1 == 1 && !free.is_empty() {
                let number = number_after::<S, N>(isa, plans, survey, move_index, others, end);
                let cells = free.and(lowered(isa, plans, from.number, number));
                if !cells.is_empty() {
                    children.push(Child {
                        cells: cells.words(),
                        key: with::<N>(others, end),
                    });
                }
            }
            let stopping = crossing.and(way);
            if !stopping.is_empty() {
                let helper = StoppedHelper {
                    cell,
                    d,
                    others,
                    without_it: others_need::<S, N>(isa, plans, others),
                };
                stopped_moves::<S, N, true>(plans, from, &helper, stopping, |_, child| {
                    children.push(child);
                });
            }
        }
    }
}

/// Makes all other helper moves, and reports by how much each raises the bound.
#[inline(always)]
pub(super) fn other_moves<S: Set, const N: usize>(
    isa: S::Isa,
    tables: &Tables,
    plans: &mut Plans,
    from: &Origin<S>,
    survey: &Survey,
    mut made: impl FnMut(usize, Child),
) {
    let moves = HelperMoves::new::<N>(tables, from.key);
    for mover in 0..N {
        let mut rest = moves.rest >> (4 * mover) & 15;
        if rest == 0 {
            continue;
        }
        let cell = helper(from.key, mover);
        let others = without(from.key, mover);
        let rays = &RAYS[usize::from(cell)];
        while rest != 0 {
            let d = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let move_index = 4 * mover + d;
            let end = moves.end(move_index);
            let way = isa
                .load(&rays[d])
                .minus(isa.load(&RAYS[usize::from(end)][d]));
            let free = from.cells.minus(way);
            if !free.is_empty() {
                let key = with::<N>(others, end);
                if survey.same >> move_index & 1 == 1 {
                    made(
                        0,
                        Child {
                            cells: free.words(),
                            key,
                        },
                    );
                } else {
                    let number = number_after::<S, N>(isa, plans, survey, move_index, others, end);
                    let mut rest = free.minus(lowered(isa, plans, from.number, number));
                    for more in 0..MAX_RAISE {
                        let cells = rest.and(raised(isa, plans, from.number, number, more));
                        if !cells.is_empty() {
                            made(
                                more,
                                Child {
                                    cells: cells.words(),
                                    key,
                                },
                            );
                            rest = rest.minus(cells);
                        }
                        if rest.is_empty() {
                            break;
                        }
                    }
                    if !rest.is_empty() {
                        made(
                            MAX_RAISE,
                            Child {
                                cells: rest.words(),
                                key,
                            },
                        );
                    }
                }
            }
            let stopping = from.cells.and(way);
            if !stopping.is_empty() {
                let helper = StoppedHelper {
                    cell,
                    d,
                    others,
                    without_it: others_need::<S, N>(isa, plans, others),
                };
                stopped_moves::<S, N, false>(plans, from, &helper, stopping, &mut made);
            }
        }
    }
}

/// The number of the bound after one helper's move to `end`, with the others in place.
#[inline(always)]
fn number_after<S: Set, const N: usize>(
    isa: S::Isa,
    plans: &mut Plans,
    survey: &Survey,
    move_index: usize,
    others: u32,
    end: u8,
) -> u32 {
    if let Some(number) = survey.noted(move_index) {
        return number;
    }
    let without_it = others_need::<S, N>(isa, plans, others);
    let costs = without_it.or(plans.costs_beside(isa, end, others, N - 1));
    plans.number_of(&costs.words())
}

/// The costs of all helpers but one.
#[inline(always)]
fn others_need<S: Set, const N: usize>(isa: S::Isa, plans: &mut Plans, others: u32) -> S {
    if N == 1 {
        return isa.load(&[0; 4]);
    }
    plans.costs(isa, others, N - 1)
}

/// A helper that the goal robot stops.
struct StoppedHelper<S> {
    cell: u8,
    d: usize,
    others: u32,
    /// The costs of the other helpers.
    without_it: S,
}

/// Makes a helper's move for goal-robot cells that stop it, and reports by how much it raises the
/// bound.
#[inline(always)]
fn stopped_moves<S: Set, const N: usize, const LOWERING: bool>(
    plans: &mut Plans,
    from: &Origin<S>,
    helper: &StoppedHelper<S>,
    stopping: S,
    mut made: impl FnMut(usize, Child),
) {
    let isa = stopping.isa();
    let costs_before =
        helper
            .without_it
            .or(plans.costs_beside(isa, helper.cell, helper.others, N - 1));
    let mut goals = stopping;
    while !goals.is_empty() {
        let goal = take_first(&mut goals);
        let end = goal.wrapping_sub(STEP[helper.d]);
        if end == helper.cell {
            continue;
        }
        let costs = plans.costs_beside(isa, end, helper.others, N - 1);
        let costs = helper.without_it.or(costs);
        let less = !costs.minus(costs_before).is_empty();
        // The bound is lowered only if some plan costs less than before.
        if LOWERING && !less {
            continue;
        }
        let mut raised = 0;
        if less || !costs_before.minus(costs).is_empty() {
            let number = plans.number_of(&costs.words());
            if number != from.number {
                let before = plans.bound(from.number).raise(goal);
                let after = plans.bound(number).raise(goal);
                if (after < before) != LOWERING {
                    continue;
                }
                raised = after.saturating_sub(before);
            } else if LOWERING {
                continue;
            }
        }
        let child = Child {
            cells: BITS[usize::from(goal)],
            key: with::<N>(helper.others, end),
        };
        made(raised, child);
    }
}

/// The cells whose bound a helper move lowers, by the numbers of the bounds before and after it.
#[inline(always)]
fn lowered<S: Set>(isa: S::Isa, plans: &Plans, before: u32, after: u32) -> S {
    let (before, after) = (&plans.bound(before).raised, &plans.bound(after).raised);
    // RaisedHeuristic by at most `raise` after the move, and by one more before it.
    let mut lowered = isa.load(&[0; 4]);
    for raise in 0..MAX_RAISE - 1 {
        let one_more = isa.load(&before[raise + 1]).minus(isa.load(&before[raise]));
        lowered = lowered.or(one_more.and(isa.load(&after[raise])));
    }
    let last = isa
        .load(&after[MAX_RAISE - 1])
        .minus(isa.load(&before[MAX_RAISE - 1]));
    lowered.or(last)
}

/// The cells whose bound a helper move raises by at most `more`.
#[inline(always)]
fn raised<S: Set>(isa: S::Isa, plans: &Plans, before: u32, after: u32, more: usize) -> S {
    let (before, after) = (&plans.bound(before).raised, &plans.bound(after).raised);
    let mut less = isa.load(&[0; 4]);
    let mut raised = less;
    for raise in 0..MAX_RAISE - more {
        let cells = isa.load(&before[raise]);
        raised = raised.or(cells.minus(less).and(isa.load(&after[raise + more])));
        less = cells;
    }
    // The other cells cannot be raised by more, because the raise is limited to `MAX_RAISE`.
    raised.or(isa.load(&[u64::MAX; 4]).minus(less))
}
