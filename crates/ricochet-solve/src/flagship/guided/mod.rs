//! The set search with the bound of [`super::plans`]: for searches that have become large.
//!
//! Layers, nodes and configurations are those of [`super::search`], but a layer is `g` plus the raised
//! bound, which depends on the helpers too. A helper move may lower it by one, and then leads to the
//! same layer, as a goal-robot move does that lowers it; both are made at once, the latest first. All
//! other helper moves are made when the next layer is filled; those that lead further wait. There is
//! no lookahead: the first state with the target, in the layer of its length, ends the search.

mod goal_moves;
mod helper_moves;

use ricochet_core::Puzzle;

use super::children::Children;
use super::config::helpers;
use super::configurations::{Configurations, Opened, Survey};
use super::lists::{FoundGoal, Hit, Lists, WAITING};
use super::nodes::{Child, Guide, Later, Node};
use super::plans::Plans;
use super::search::{CHILDREN_AT_ONCE, Guidance, NODES_AT_ONCE, SetSearch, packed};
use super::search_report::{SearchEnd, SearchReport};
use super::shared_budget::SharedBudget;
use super::tables::Tables;
use crate::lowlevel::instructions::{InstructionSet, Kernel};
use crate::lowlevel::prefetch::prefetch;
use crate::lowlevel::set::{BITS, Set};
use crate::{Limit, Limits, Observer};
use goal_moves::GuidedMoves;
use helper_moves::{From, lowering_moves, other_moves, survey_of};

/// Configurations of which nodes are made before the helper moves that lead to the same layer are
/// added.
const NODES_AT_A_TIME: usize = 64;

/// Nodes whose helper moves are made before the nodes that they lead to.
const EXPANDED_AT_A_TIME: usize = 1 << 10;

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
                    .commit::<S>(isa, worker.children.made(), &mut worker.lists);
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
                .commit::<S>(isa, worker.children.made(), &mut worker.lists);
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
    children: &'a mut Children,
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
                let cell = target.first();
                lists.hits.push(Hit { f, key, cell });
            }
            let from = From {
                key,
                set: moved.all,
                number,
            };
            children.begin_node();
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
    children: &'a mut Children,
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
            self.children.begin_node();
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
