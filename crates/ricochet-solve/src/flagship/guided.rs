//! The set search with the bound of [`super::plans`]: for searches that have become large.
//!
//! Layers, nodes and configurations are those of [`super::search`], but a layer is `g` plus the raised
//! bound, which depends on the helpers too. A helper move may lower it by one, and then leads to the
//! same layer, as a goal-robot move does that lowers it; both are made at once, the latest first. All
//! other helper moves are made when the next layer is filled; those that lead further wait. There is
//! no lookahead: the first state with the target, in the layer of its length, ends the search.

use ricochet::Puzzle;

use super::config::{helper, helpers, with, without};
use super::configurations::{Configurations, Opened, Survey};
use super::goal::stops_of;
use super::layer::HelperMoves;
use super::lists::{FoundGoal, Hit, Lists, WAITING};
use super::nodes::{Child, Guide, Later, Node};
use super::plans::{MOST, MOST_RAISED, Plans, RaisedBound};
use super::search::{
    CHILDREN_AT_ONCE, Guidance, NODES_AT_ONCE, SearchEnd, SearchReport, SetSearch, SharedBudget,
    packed,
};
use super::tables::{CROSSES, RAYS, STEP, Tables};
use crate::lowlevel::instructions::{InstructionSet, Kernel};
use crate::lowlevel::prefetch::prefetch;
use crate::lowlevel::set::{BITS, Set, count, first_cell, take_first};
use crate::{Limit, Limits, Observer};

/// Configurations of which nodes are made before the helper moves that lead to the same layer are
/// added.
const NODES_AT_A_TIME: usize = 64;

/// Nodes whose helper moves are made before the nodes that they lead to.
const EXPANDED_AT_A_TIME: usize = 1 << 10;

/// Sets of at most this many cells make their moves cell by cell, larger ones level by level.
const FEW: u32 = 7;

impl SetSearch {
    /// Searches from the start again with the plans that have been made; no solution has fewer than
    /// `proven` moves.
    pub(super) fn run_guided<S: Set, const N: usize>(
        &mut self,
        isa: S::Isa,
        puzzle: &Puzzle,
        budget: &SharedBudget,
        mut proven: u32,
        watch: &mut dyn Observer,
        report: &mut SearchReport,
    ) -> SearchEnd {
        // Limits and statistics are of both searches.
        let counters = self.counters();
        let reported = report.rows.last().map_or(0, |row| row.depth);
        self.begin::<S>(isa, puzzle);
        self.guidance = Guidance::Plans;
        self.workers[0].lists.counters = counters;
        let (key, goal) = packed(puzzle, puzzle.start());
        let first = u32::from(self.plans.bound_of::<N>(key, goal));
        let limits: &Limits = budget.limits;
        let (mut before, mut nodes_before) = (counters, 0);
        for f in first.. {
            proven = proven.max(f);
            if limits.moves.is_some_and(|most| proven > most) {
                return SearchEnd::Limit {
                    limit: Limit::Moves,
                    lower_bound: proven,
                };
            }
            let lists = &mut self.workers[0].lists;
            lists.layers.push(lists.nodes.len());
            let result = if f == first {
                let goals = BITS[usize::from(goal)];
                self.alone.commit::<S>(isa, &[Child { goals, key }], lists);
                self.make_guided_nodes::<S, N>(isa, f as usize, budget)
            } else {
                self.fill_guided::<S, N>(isa, f as usize, budget)
            };
            let result = result.and_then(|()| self.check(budget));
            let ended = self.has_ended();
            // What has been reported is not reported again.
            if f > reported || result.is_err() || ended {
                let row = self.report_layer(f, before, nodes_before, report);
                if result.is_ok() {
                    watch.depth_done(&row);
                }
                (before, nodes_before) = (self.counters(), self.nodes());
            }
            if let Err(limit) = result {
                return SearchEnd::Limit {
                    limit,
                    lower_bound: proven,
                };
            }
            if let Some(found) = self.workers[0].lists.found {
                return SearchEnd::Solved(self.rebuild::<N>(puzzle, first, found));
            }
            if ended {
                return SearchEnd::Unsolvable;
            }
            if N == 3 {
                self.go_direct_if_large(limits);
            }
        }
        unreachable!("layers end at a solution, a limit or with nothing new")
    }

    /// A large search of three helpers takes the table of all configurations, if it may.
    pub(super) fn go_direct_if_large(&mut self, limits: &Limits) {
        let most_bytes = limits.memory.unwrap_or(u64::MAX);
        let others = self.workers[0].lists.bytes() + self.plans.bytes();
        self.alone
            .go_direct_if_large(most_bytes.saturating_sub(others));
    }

    /// Fills a layer; unless all are collected, it ends with the first state that has the target.
    pub(super) fn fill_guided<S: Set, const N: usize>(
        &mut self,
        isa: S::Isa,
        f: usize,
        budget: &SharedBudget,
    ) -> Result<(), Limit> {
        self.commit_later::<S>(isa, f, budget)?;
        let lists = &mut self.workers[0].lists;
        let mut waiting = std::mem::take(&mut lists.waiting[f % WAITING]);
        for some in waiting.chunks(CHILDREN_AT_ONCE) {
            self.alone
                .commit::<S>(isa, some, &mut self.workers[0].lists);
            self.check(budget)?;
        }
        waiting.clear();
        self.workers[0].lists.waiting[f % WAITING] = waiting;
        self.make_guided_nodes::<S, N>(isa, f, budget)?;
        let nodes = self.workers[0].lists.layer_before();
        let mut end = nodes.end;
        // The latest nodes first: they are nearest to the target.
        while end > nodes.start && self.workers[0].lists.found.is_none() {
            let all = end.saturating_sub(EXPANDED_AT_A_TIME).max(nodes.start)..end;
            for begin in all.clone().step_by(NODES_AT_ONCE) {
                let worker = &mut self.workers[0];
                let Lists {
                    nodes,
                    guides,
                    waiting,
                    ..
                } = &mut worker.lists;
                let some = begin..all.end.min(begin + NODES_AT_ONCE);
                let (nodes, guides) = (&nodes[some.clone()], &guides[some]);
                isa.run(LaterMoves::<S, N> {
                    isa,
                    tables: &worker.tables,
                    plans: &mut self.plans,
                    surveys: self.alone.surveys(),
                    nodes,
                    guides,
                    f,
                    children: &mut worker.children,
                    waiting,
                });
                worker.lists.counters.expanded += nodes.len() as u64;
                self.alone
                    .commit::<S>(isa, &worker.children, &mut worker.lists);
                worker.children.clear();
                self.check(budget)?;
            }
            self.make_guided_nodes::<S, N>(isa, f, budget)?;
            end = all.start;
        }
        Ok(())
    }

    /// Makes nodes of all that is fresh and of what helper moves reach from there in the same layer.
    fn make_guided_nodes<S: Set, const N: usize>(
        &mut self,
        isa: S::Isa,
        f: usize,
        budget: &SharedBudget,
    ) -> Result<(), Limit> {
        let mut rounds = 0;
        while !self.workers[0].lists.touched.is_empty() && self.workers[0].lists.found.is_none() {
            let worker = &mut self.workers[0];
            self.alone.make_room_for_surveys();
            isa.run(MakeNodes::<S, N> {
                isa,
                tables: &worker.tables,
                plans: &mut self.plans,
                configurations: &mut self.alone,
                f,
                collect: self.collect,
                children: &mut worker.children,
                lists: &mut worker.lists,
            });
            self.alone
                .commit::<S>(isa, &worker.children, &mut worker.lists);
            worker.children.clear();
            rounds += 1;
            if rounds % 8 == 0 {
                self.check(budget)?;
            }
        }
        Ok(())
    }
}

/// Makes nodes of the latest configurations that have fresh cells.
struct MakeNodes<'a, S: Set, const N: usize> {
    isa: S::Isa,
    tables: &'a Tables,
    plans: &'a mut Plans,
    configurations: &'a mut Configurations,
    f: usize,
    /// Collect all states that have the target instead of ending with the first.
    collect: bool,
    /// Where helper moves lead in the same layer.
    children: &'a mut Vec<Child>,
    lists: &'a mut Lists,
}

impl<S: Set, const N: usize> Kernel for MakeNodes<'_, S, N> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self {
            isa,
            tables,
            plans,
            configurations,
            f,
            collect,
            children,
            lists,
        } = self;
        let enter = tables.enter.map(|words| isa.load(&words));
        let layer_begin = lists.layers.last().copied().unwrap_or(0);
        let rest = lists.touched.len().saturating_sub(NODES_AT_A_TIME);
        for at in (rest..lists.touched.len()).rev() {
            if at >= 16 {
                configurations.fetch(lists.touched[at - 16]);
            }
            if at >= 8 {
                let latest = configurations.latest_of(lists.touched[at - 8]);
                if latest > layer_begin {
                    prefetch(&lists.nodes, latest - 1);
                }
            }
            let id = lists.touched[at];
            let Opened {
                known,
                survey,
                seen,
                fresh,
            } = configurations.opened(id);
            let key = known.key;
            if survey.number == 0 {
                *survey = survey_of::<S, N>(isa, tables, plans, key);
            }
            let survey = *survey;
            let number = survey.number - 1;
            plans.make_levels(number);
            let bound = plans.bound(number);
            let moves = GuidedMoves::<S, N> {
                tables,
                enter: &enter,
                bound,
                helpers: helpers::<N>(key),
            };
            let moved = moves.make(isa.load(fresh), isa.load(seen));
            *fresh = [0; 4];
            *seen = moved.seen.words();
            let cells = moved.all.words();
            let latest = known.latest as usize;
            if latest > layer_begin {
                let node = &mut lists.nodes[latest - 1];
                node.set = isa.load(&node.set).or(moved.all).words();
            } else {
                lists.nodes.push(Node {
                    set: cells,
                    key,
                    earlier: known.latest,
                });
                lists.guides.push(Guide { id });
                known.latest = lists.nodes.len() as u32;
            }
            for (raised, &goals) in moved.later.iter().enumerate() {
                let goals = goals.minus(moved.seen);
                if !goals.is_empty() {
                    let goals = goals.words();
                    lists.later[(f + 1 + raised) % WAITING].push(Later { goals, id, key });
                }
            }
            let target = moved.all.and(tables.target(isa));
            if !target.is_empty() {
                if !collect {
                    lists.found = Some(FoundGoal {
                        f,
                        before: key,
                        key,
                        cells,
                    });
                    break;
                }
                let cell = first_cell(&target.words());
                lists.hits.push(Hit { f, key, cell });
            }
            let from = From {
                key,
                set: moved.all,
                number,
            };
            lowering_moves::<S, N>(isa, tables, plans, &from, &survey, children);
        }
        lists.touched.truncate(rest);
    }
}

/// Makes the helper moves of some nodes of the layer before: those that lead to layer `f` are
/// children, those that lead further wait.
struct LaterMoves<'a, S: Set, const N: usize> {
    isa: S::Isa,
    tables: &'a Tables,
    plans: &'a mut Plans,
    surveys: &'a [Survey],
    nodes: &'a [Node],
    guides: &'a [Guide],
    f: usize,
    children: &'a mut Vec<Child>,
    waiting: &'a mut [Vec<Child>; WAITING],
}

impl<S: Set, const N: usize> Kernel for LaterMoves<'_, S, N> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for guide in self.guides {
            prefetch(self.surveys, guide.id as usize);
        }
        for (node, guide) in self.nodes.iter().zip(self.guides) {
            let survey = &self.surveys[guide.id as usize];
            let from = From {
                key: node.key,
                set: self.isa.load(&node.set),
                number: survey.number - 1,
            };
            other_moves::<S, N>(
                self.isa,
                self.tables,
                self.plans,
                &from,
                survey,
                |raised, child| {
                    if raised == 0 {
                        self.children.push(child);
                    } else {
                        self.waiting[(self.f + raised) % WAITING].push(child);
                    }
                },
            );
        }
    }
}

/// Where helpers move from.
struct From<S> {
    key: u32,
    set: S,
    /// The number of the bound that follows from what the helpers need.
    number: u32,
}

/// Finds out what the moves of some helpers do to the bound.
#[inline(always)]
fn survey_of<S: Set, const N: usize>(
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
        let mut rest = moves.rest() >> (4 * mover) & 15;
        if rest == 0 {
            continue;
        }
        let others = without(key, mover);
        let without_it = others_need::<S, N>(isa, plans, others);
        while rest != 0 {
            let place = 4 * mover + rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let costs = without_it.or(plans.costs_beside(isa, moves.end(place), others, N - 1));
            let less = !costs.minus(before).is_empty();
            let mut same = !less && before.minus(costs).is_empty();
            if !same {
                let after = plans.number_of(&costs.words());
                survey.note(place, after);
                same = after == number;
                if less && !same {
                    let lowered = lowered::<S>(isa, plans, number, after);
                    survey.lowering |= u16::from(!lowered.is_empty()) << place;
                    all_lowered = all_lowered.or(lowered);
                }
            }
            survey.same |= u16::from(same) << place;
        }
    }
    survey.lowered = all_lowered.words();
    survey
}

/// Makes the helper moves that lower the bound.
#[inline(always)]
fn lowering_moves<S: Set, const N: usize>(
    isa: S::Isa,
    tables: &Tables,
    plans: &mut Plans,
    from: &From<S>,
    survey: &Survey,
    children: &mut Vec<Child>,
) {
    // The bound of the others is the plain one already.
    let set = from
        .set
        .minus(isa.load(&plans.bound(from.number).raised[0]));
    let lowering = if set.and(isa.load(&survey.lowered)).is_empty() {
        0
    } else {
        survey.lowering
    };
    let mut crossing = set.minus(set);
    for mover in 0..N {
        crossing = crossing.or(isa.load(&CROSSES[usize::from(helper(from.key, mover))]));
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
    rest &= moves.rest();
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
            let place = 4 * mover + d;
            let end = moves.end(place);
            let way = isa
                .load(&rays[d])
                .minus(isa.load(&RAYS[usize::from(end)][d]));
            let free = set.minus(way);
            if lowering >> place & 1 == 1 && !free.is_empty() {
                let number = number_after::<S, N>(isa, plans, survey, place, others, end);
                let cells = free.and(lowered(isa, plans, from.number, number));
                if !cells.is_empty() {
                    children.push(Child {
                        goals: cells.words(),
                        key: with::<N>(others, end),
                    });
                }
            }
            let stopping = crossing.and(way);
            if !stopping.is_empty() {
                let helper = Stopped {
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

/// Makes all other helper moves, with how much they raise the bound.
#[inline(always)]
fn other_moves<S: Set, const N: usize>(
    isa: S::Isa,
    tables: &Tables,
    plans: &mut Plans,
    from: &From<S>,
    survey: &Survey,
    mut made: impl FnMut(usize, Child),
) {
    let moves = HelperMoves::new::<N>(tables, from.key);
    for mover in 0..N {
        let mut rest = moves.rest() >> (4 * mover) & 15;
        if rest == 0 {
            continue;
        }
        let cell = helper(from.key, mover);
        let others = without(from.key, mover);
        let rays = &RAYS[usize::from(cell)];
        while rest != 0 {
            let d = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let place = 4 * mover + d;
            let end = moves.end(place);
            let way = isa
                .load(&rays[d])
                .minus(isa.load(&RAYS[usize::from(end)][d]));
            let free = from.set.minus(way);
            if !free.is_empty() {
                let key = with::<N>(others, end);
                if survey.same >> place & 1 == 1 {
                    made(
                        0,
                        Child {
                            goals: free.words(),
                            key,
                        },
                    );
                } else {
                    let number = number_after::<S, N>(isa, plans, survey, place, others, end);
                    let mut rest = free.minus(lowered(isa, plans, from.number, number));
                    for more in 0..MOST {
                        let cells = rest.and(raised(isa, plans, from.number, number, more));
                        if !cells.is_empty() {
                            made(
                                more,
                                Child {
                                    goals: cells.words(),
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
                            MOST,
                            Child {
                                goals: rest.words(),
                                key,
                            },
                        );
                    }
                }
            }
            let stopping = from.set.and(way);
            if !stopping.is_empty() {
                let helper = Stopped {
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

/// The number of the bound after a helper's move to `end`, beside the others.
#[inline(always)]
fn number_after<S: Set, const N: usize>(
    isa: S::Isa,
    plans: &mut Plans,
    survey: &Survey,
    place: usize,
    others: u32,
    end: u8,
) -> u32 {
    if let Some(number) = survey.noted(place) {
        return number;
    }
    let without_it = others_need::<S, N>(isa, plans, others);
    let costs = without_it.or(plans.costs_beside(isa, end, others, N - 1));
    plans.number_of(&costs.words())
}

/// What all helpers but one need.
#[inline(always)]
fn others_need<S: Set, const N: usize>(isa: S::Isa, plans: &mut Plans, others: u32) -> S {
    if N == 1 {
        return isa.load(&[0; 4]);
    }
    plans.costs(isa, others, N - 1)
}

/// A helper that the goal robot stops.
struct Stopped<S> {
    cell: u8,
    d: usize,
    others: u32,
    /// What the others need.
    without_it: S,
}

/// Makes a helper's move for goal-robot cells that stop it, with how much that raises the bound.
#[inline(always)]
fn stopped_moves<S: Set, const N: usize, const LOWERING: bool>(
    plans: &mut Plans,
    from: &From<S>,
    helper: &Stopped<S>,
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
        // Only if some plan takes less than before.
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
            goals: BITS[usize::from(goal)],
            key: with::<N>(helper.others, end),
        };
        made(raised, child);
    }
}

/// The cells whose bound a helper move lowers, by the numbers of the bounds before and after it.
#[inline(always)]
fn lowered<S: Set>(isa: S::Isa, plans: &Plans, before: u32, after: u32) -> S {
    let (before, after) = (&plans.bound(before).raised, &plans.bound(after).raised);
    // Raised by at most so much now, and by one more before.
    let mut lowered = isa.load(&[0; 4]);
    for raise in 0..MOST - 1 {
        let one_more = isa.load(&before[raise + 1]).minus(isa.load(&before[raise]));
        lowered = lowered.or(one_more.and(isa.load(&after[raise])));
    }
    let last = isa
        .load(&after[MOST - 1])
        .minus(isa.load(&before[MOST - 1]));
    lowered.or(last)
}

/// The cells whose bound a helper move raises by at most so much.
#[inline(always)]
fn raised<S: Set>(isa: S::Isa, plans: &Plans, before: u32, after: u32, more: usize) -> S {
    let (before, after) = (&plans.bound(before).raised, &plans.bound(after).raised);
    let mut less = isa.load(&[0; 4]);
    let mut raised = less;
    for raise in 0..MOST - more {
        let cells = isa.load(&before[raise]);
        raised = raised.or(cells.minus(less).and(isa.load(&after[raise + more])));
        less = cells;
    }
    // It cannot be raised by more than that.
    raised.or(isa.load(&[u64::MAX; 4]).minus(less))
}

/// What the goal robot's moves depend on.
struct GuidedMoves<'a, S: Set, const N: usize> {
    tables: &'a Tables,
    enter: &'a [S; 4],
    bound: &'a RaisedBound,
    helpers: [u8; N],
}

/// What came of the moves of some cells.
struct Moved<S> {
    /// The cells, and those that moves that lower the bound lead to, if they are new.
    all: S,
    /// What has been seen by now.
    seen: S,
    /// Cells that moves lead to that raise the bound by 0, 1, …
    later: [S; 1 + MOST_RAISED],
}

impl<S: Set, const N: usize> GuidedMoves<'_, S, N> {
    #[inline(always)]
    fn make(&self, new: S, seen: S) -> Moved<S> {
        if count(&new.words()) <= FEW {
            self.by_cells(new, seen)
        } else {
            self.by_levels(new, seen)
        }
    }

    #[inline(always)]
    fn by_cells(&self, new: S, mut seen: S) -> Moved<S> {
        let isa = new.isa();
        let none = isa.load(&[0; 4]);
        let mut all = new;
        let (mut same, mut higher) = (none, none);
        let mut later = [none; 1 + MOST_RAISED];
        let mut rest = new;
        loop {
            let cell = take_first(&mut rest);
            let stops = stops_of(isa, self.tables, cell, self.helpers);
            let around = self.bound.around(self.bound.bound[usize::from(cell)]);
            let (below, here) = (isa.load(&around[0]), isa.load(&around[1]));
            let above = isa.load(&around[2]);
            same = same.or(stops.and(here));
            higher = higher.or(stops.and(above));
            let far = stops.minus(below.or(here).or(above));
            if !far.is_empty() {
                add_far(far, around, &mut later);
            }
            let lower = stops.and(below).minus(seen);
            if !lower.is_empty() {
                seen = seen.or(lower);
                all = all.or(lower);
                rest = rest.or(lower);
            }
            if rest.is_empty() {
                break;
            }
        }
        (later[0], later[1]) = (same, higher);
        Moved { all, seen, later }
    }

    #[inline(always)]
    fn by_levels(&self, new: S, mut seen: S) -> Moved<S> {
        let isa = new.isa();
        let none = isa.load(&[0; 4]);
        let mut blocked = none;
        for helper in self.helpers {
            blocked = blocked.or(isa.load(&BITS[usize::from(helper)]));
        }
        let mut all = new;
        let mut later = [none; 1 + MOST_RAISED];
        for bound in (1..=self.bound.highest()).rev() {
            let around = self.bound.around(bound);
            let movers = all.and(isa.load(&around[1]));
            if movers.is_empty() {
                continue;
            }
            let stops = movers.stops(self.enter, blocked);
            let (below, here) = (isa.load(&around[0]), isa.load(&around[1]));
            let above = isa.load(&around[2]);
            later[0] = later[0].or(stops.and(here));
            later[1] = later[1].or(stops.and(above));
            let far = stops.minus(below.or(here).or(above));
            if !far.is_empty() {
                add_far(far, around, &mut later);
            }
            let lower = stops.and(below).minus(seen);
            seen = seen.or(lower);
            all = all.or(lower);
        }
        Moved { all, seen, later }
    }
}

/// Adds stops that raise the bound by more than one, which few do.
#[inline(always)]
fn add_far<S: Set>(far: S, around: &[[u64; 4]; 2 + MOST_RAISED], later: &mut [S; 1 + MOST_RAISED]) {
    for raised in 2..=MOST_RAISED {
        later[raised] = later[raised].or(far.and(far.isa().load(&around[raised + 1])));
    }
}

const _: () = assert!(1 + MOST_RAISED < WAITING);
