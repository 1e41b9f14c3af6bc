//! Which of several states are nearest to the target: one search from all of them at once.
//!
//! The layers are those of [`super::search`], but a state enters them in the layer of its own bound,
//! and a layer is made to its end, so that all that leads to the target in it is known. Walking back
//! from there meets all states that are nearest. `docs/design/flagship.md` has the proof. A search that
//! has become large begins again with the bound of [`super::plans`].

use std::ops::ControlFlow;

use ricochet_core::{Move, Puzzle, State};
use rustc_hash::FxHashMap;

use super::lists::Hit;
use super::nodes::Child;
use super::search::{Guidance, ROOMY, SetSearch, packed};
use super::search_report::SearchReport;
use super::shared_budget::SharedBudget;
use super::tables::{UNREACHABLE, number};
use super::way_back::moves_through;
use crate::lowlevel::set::{BITS, Set};
use crate::{Limit, Limits, Meter, Observer};

/// How a search for the nearest of several states ended.
#[derive(Debug)]
pub(crate) enum NearestEnd {
    /// The nearest, by their places among all, each with a shortest solution.
    Reached(Vec<(usize, Vec<Move>)>),
    /// The target cannot be reached from any of them.
    Unreachable,
    /// No solution of any of them has fewer moves than `lower_bound`.
    Limit { limit: Limit, lower_bound: u32 },
}

/// A state as the set search has it: the helpers' key and the goal robot's cell.
type Packed = (u32, u8);

/// One of the states to start from.
struct Source {
    place: usize,
    packed: Packed,
    bound: u32,
}

impl Source {
    fn as_child(&self) -> Child {
        let (key, goal) = self.packed;
        Child {
            goals: BITS[usize::from(goal)],
            key,
        }
    }
}

/// A search for the nearest states, and what it may use.
pub(crate) struct Nearest<'a> {
    pub(crate) puzzle: &'a Puzzle,
    pub(crate) from: &'a [State],
    pub(crate) limits: &'a Limits,
    pub(crate) meter: &'a Meter,
}

impl Nearest<'_> {
    /// The nearest states with the moves of robots with names.
    fn with_names<const N: usize>(&self, found: Vec<(usize, Vec<Packed>)>) -> NearestEnd {
        let named = |(place, way): (usize, Vec<Packed>)| {
            let way = way.into_iter().skip(1);
            (
                place,
                moves_through::<N>(self.puzzle, self.from[place], way),
            )
        };
        NearestEnd::Reached(found.into_iter().map(named).collect())
    }
}

impl SetSearch {
    /// Searches from all states at once; the caller has checked that the puzzle fits.
    pub(crate) fn nearest<S: Set>(
        &mut self,
        isa: S::Isa,
        question: &Nearest,
        watch: &mut dyn Observer,
        report: &mut SearchReport,
    ) -> NearestEnd {
        let roomy = question.limits.memory.is_none_or(|most| most >= ROOMY);
        if !roomy {
            self.give_back();
        }
        let threads = std::mem::replace(&mut self.threads, 1);
        self.collect = true;
        let ended = match question.puzzle.start().len() {
            1 => self.nearest_with::<S, 0>(isa, question, watch, report),
            2 => self.nearest_with::<S, 1>(isa, question, watch, report),
            3 => self.nearest_with::<S, 2>(isa, question, watch, report),
            4 => self.nearest_with::<S, 3>(isa, question, watch, report),
            _ => self.nearest_with::<S, 4>(isa, question, watch, report),
        };
        self.collect = false;
        self.threads = threads;
        if !roomy {
            self.give_back();
        }
        ended
    }

    fn nearest_with<S: Set, const N: usize>(
        &mut self,
        isa: S::Isa,
        question: &Nearest,
        watch: &mut dyn Observer,
        report: &mut SearchReport,
    ) -> NearestEnd {
        let &Nearest {
            puzzle,
            from,
            limits,
            meter,
        } = question;
        self.begin::<S>(isa, puzzle);
        let target = number(puzzle.goal().cell);
        let mut sources = Vec::new();
        // From these the goal robot reaches the target alone, in as many moves as the bound says: the
        // lookahead does not see states that are in the target's layer from the start.
        let mut straight: Vec<(Source, Vec<u8>)> = Vec::new();
        for (place, &state) in from.iter().enumerate() {
            let (key, goal) = packed(puzzle, state);
            let bound = self.workers[0].tables.bound[usize::from(goal)];
            if bound == UNREACHABLE {
                continue;
            }
            let bound = u32::from(bound);
            let source = Source {
                place,
                packed: (key, goal),
                bound,
            };
            match self.goal_way::<N>(key, goal, target, bound) {
                Some(way) => straight.push((source, way)),
                None => sources.push(source),
            }
        }
        let nearest_straight = straight.iter().map(|(source, _)| source.bound).min();
        straight.retain(|(source, _)| Some(source.bound) == nearest_straight);
        let straight = straight.iter().map(|(source, way)| {
            let ways = way.iter().map(|&cell| (source.packed.0, cell)).collect();
            (source.place, ways)
        });
        let straight: Vec<(usize, Vec<Packed>)> = straight.collect();
        let with_names = |found| question.with_names::<N>(found);
        let first = sources.iter().map(|source| source.bound).min();
        let Some(first) = first else {
            return match nearest_straight {
                Some(_) => with_names(straight),
                None => NearestEnd::Unreachable,
            };
        };
        let last_source = sources.iter().map(|source| source.bound).max();
        let last_source = last_source.unwrap_or(first);
        let budget = SharedBudget::new(limits, meter);
        // None of `sources` is nearer.
        let mut proven = first + 1;
        for f in first.. {
            if nearest_straight.is_some_and(|moves| moves < proven) {
                return with_names(straight);
            }
            if limits.moves.is_some_and(|most| proven > most) {
                return NearestEnd::Limit {
                    limit: Limit::Moves,
                    lower_bound: proven,
                };
            }
            let (before, nodes_before) = (self.counters(), self.nodes());
            let lists = &mut self.workers[0].lists;
            lists.layers.push(lists.nodes.len());
            let begins = sources.iter().filter(|source| source.bound == f);
            let begins: Vec<Child> = begins.map(Source::as_child).collect();
            self.alone.commit::<S>(isa, &begins, lists);
            let result = self.fill::<S, N>(isa, f as usize, &budget);
            let result = result.and_then(|()| self.check(&budget));
            let row = self.report_layer(f, before, nodes_before, report);
            if let Err(limit) = result {
                let lower_bound = nearest_straight.map_or(proven, |moves| moves.min(proven));
                return NearestEnd::Limit { limit, lower_bound };
            }
            watch.depth_done(&row);
            // Those of the layer behind the next are kept for then.
            let hits = &mut self.workers[0].lists.hits;
            let next: Vec<Hit> = hits.extract_if(.., |hit| hit.f <= f as usize + 1).collect();
            if !next.is_empty() {
                let mut found = self.walk_back::<N>(first, target, &sources, &next);
                if nearest_straight == Some(f + 1) {
                    found.extend(straight);
                }
                return with_names(found);
            }
            if f >= last_source && self.has_ended() {
                return match nearest_straight {
                    Some(_) => with_names(straight),
                    None => NearestEnd::Unreachable,
                };
            }
            proven = f + 2;
            let most_bytes = limits.memory.unwrap_or(u64::MAX);
            let from: Vec<Packed> = sources.iter().map(|source| source.packed).collect();
            if self.may_guide::<S, N>(isa, most_bytes, &from) {
                let proven = nearest_straight.map_or(proven, |moves| moves.min(proven));
                return self.nearest_guided::<S, N>(isa, question, proven, watch, report);
            }
            self.prepare_for_more::<N>(most_bytes);
        }
        unreachable!("layers end at the target, a limit or with nothing new")
    }

    /// Searches again with the plans that have been made; none of the states has a solution with fewer
    /// moves than `proven`.
    ///
    /// The first layer with states that have the target is made to its end: all of them together lead
    /// back to all that are nearest.
    fn nearest_guided<S: Set, const N: usize>(
        &mut self,
        isa: S::Isa,
        question: &Nearest,
        proven: u32,
        watch: &mut dyn Observer,
        report: &mut SearchReport,
    ) -> NearestEnd {
        let &Nearest {
            puzzle,
            from,
            limits,
            meter,
        } = question;
        // Limits and statistics are of both searches.
        let counters = self.counters();
        let reported = report.rows.last().map_or(0, |row| row.depth);
        self.begin::<S>(isa, puzzle);
        self.guidance = Guidance::Plans;
        self.workers[0].lists.counters = counters;
        let mut sources = Vec::new();
        for (place, &state) in from.iter().enumerate() {
            let (key, goal) = packed(puzzle, state);
            if self.workers[0].tables.bound[usize::from(goal)] != UNREACHABLE {
                sources.push(Source {
                    place,
                    packed: (key, goal),
                    bound: u32::from(self.plans.bound_of::<N>(key, goal)),
                });
            }
        }
        let bounds = || sources.iter().map(|source| source.bound);
        let (first, last_source) = (bounds().min(), bounds().max());
        let first = first.expect("the search before had one");
        let target = number(puzzle.goal().cell);
        let budget = SharedBudget::new(limits, meter);
        let (mut before, mut nodes_before) = (counters, 0);
        for f in first.. {
            let lower_bound = proven.max(f);
            if limits.moves.is_some_and(|most| lower_bound > most) {
                return NearestEnd::Limit {
                    limit: Limit::Moves,
                    lower_bound,
                };
            }
            let lists = &mut self.workers[0].lists;
            lists.layers.push(lists.nodes.len());
            let begins = sources.iter().filter(|source| source.bound == f);
            let begins: Vec<Child> = begins.map(Source::as_child).collect();
            self.alone.commit::<S>(isa, &begins, lists);
            let result = self.fill_guided::<S, N>(isa, f as usize, &budget);
            let result = result.and_then(|()| self.check(&budget));
            let hits = std::mem::take(&mut self.workers[0].lists.hits);
            let ended = Some(f) >= last_source && self.has_ended();
            // What has been reported is not reported again.
            if f > reported || result.is_err() || ended || !hits.is_empty() {
                let row = self.report_layer(f, before, nodes_before, report);
                if result.is_ok() && hits.is_empty() {
                    watch.depth_done(&row);
                }
                (before, nodes_before) = (self.counters(), self.nodes());
            }
            if let Err(limit) = result {
                return NearestEnd::Limit { limit, lower_bound };
            }
            if !hits.is_empty() {
                return question
                    .with_names::<N>(self.walk_back::<N>(first, target, &sources, &hits));
            }
            if ended {
                return NearestEnd::Unreachable;
            }
            if N == 3 {
                self.go_direct_if_large(limits);
            }
        }
        unreachable!("layers end at the target, a limit or with nothing new")
    }

    /// The sources from which a shortest way leads through one of the hits, each with such a way.
    fn walk_back<const N: usize>(
        &self,
        first: u32,
        target: u8,
        sources: &[Source],
        hits: &[Hit],
    ) -> Vec<(usize, Vec<Packed>)> {
        let mut after: FxHashMap<Packed, Packed> = FxHashMap::default();
        let mut found = Vec::new();
        let mut waiting = Vec::new();
        for hit in hits {
            let state = (hit.key, hit.cell);
            let bound = u32::from(self.workers[0].tables.bound[usize::from(hit.cell)]);
            if after.insert(state, state).is_none() {
                waiting.push((state, hit.f as u32 - bound));
            }
            while let Some((state, moves)) = waiting.pop() {
                if moves == 0 {
                    let begins = sources.iter().filter(|source| source.packed == state);
                    let way = self.way_from::<N>(state, &after, target);
                    found.extend(begins.map(|source| (source.place, way.clone())));
                    if found.len() == sources.len() {
                        return found;
                    }
                    continue;
                }
                let _ = self.predecessors::<N, ()>(state.0, state.1, |search, key, goal| {
                    if !after.contains_key(&(key, goal))
                        && search.moves_to::<N>(first, key, goal) == Some(moves - 1)
                    {
                        after.insert((key, goal), state);
                        waiting.push(((key, goal), moves - 1));
                    }
                    ControlFlow::Continue(())
                });
            }
        }
        found
    }

    /// All states from a source to the target.
    fn way_from<const N: usize>(
        &self,
        source: Packed,
        after: &FxHashMap<Packed, Packed>,
        target: u8,
    ) -> Vec<Packed> {
        let mut way = vec![source];
        let mut state = source;
        while after[&state] != state {
            state = after[&state];
            way.push(state);
        }
        let bound = u32::from(self.workers[0].tables.bound[usize::from(state.1)]);
        let rest = self.goal_way::<N>(state.0, state.1, target, bound);
        let rest = rest.expect("lowering moves lead to the target");
        way.extend(rest.into_iter().skip(1).map(|cell| (state.0, cell)));
        way
    }
}

#[cfg(test)]
mod tests {
    use ricochet_core::Direction;
    use ricochet_core::generate::{RandomBoard, Recipe};

    use super::*;
    use crate::NullObserver;
    use crate::lowlevel::instructions::Portable;
    use crate::lowlevel::portable::PortableSet;

    /// The nearest of all positions after a move, with how far away they are; or the bound that was
    /// proved.
    fn nearest(search: &mut SetSearch, puzzle: &Puzzle) -> Option<(Vec<usize>, usize)> {
        let start = puzzle.start();
        let moves = start
            .robots()
            .flat_map(|robot| Direction::ALL.map(|direction| (robot, direction)));
        let from: Vec<State> = moves
            .filter_map(|(robot, direction)| puzzle.apply(start, robot, direction))
            .collect();
        let limits = Limits {
            moves: Some(12),
            ..Limits::default()
        };
        let meter = Meter::start(&limits);
        let question = Nearest {
            puzzle,
            from: &from,
            limits: &limits,
            meter: &meter,
        };
        let mut report = SearchReport::default();
        match search.nearest::<PortableSet>(Portable, &question, &mut NullObserver, &mut report) {
            NearestEnd::Reached(mut found) => {
                found.sort_by_key(|&(place, _)| place);
                for (place, moves) in &found {
                    let end = moves.iter().try_fold(from[*place], |state, play| {
                        puzzle.apply(state, play.robot, play.direction)
                    });
                    assert!(puzzle.is_on_target(end.expect("moves that can be made")));
                    assert_eq!(moves.len(), found[0].1.len());
                }
                let moves = found[0].1.len();
                Some((found.into_iter().map(|(place, _)| place).collect(), moves))
            }
            NearestEnd::Unreachable => None,
            NearestEnd::Limit { limit, lower_bound } => {
                assert_eq!(limit, Limit::Moves);
                assert!(lower_bound > 12);
                Some((Vec::new(), 12))
            }
        }
    }

    /// Guides searches from the first layer on, so that even the smallest is guided.
    #[test]
    #[cfg_attr(miri, ignore = "a board's tables are too much for it")]
    fn plans_change_nothing_about_who_is_nearest() {
        let (mut plain, mut planning) = (SetSearch::new(), SetSearch::new());
        plain.use_plans = false;
        (planning.guide_from, planning.least_raise) = (0, 0);
        let mut guided = 0;
        for robots in 2..=5 {
            for board in [RandomBoard::new(6, 5), RandomBoard::new(12, 16)] {
                let recipe = Recipe {
                    robots,
                    ..Recipe::random(board)
                };
                for number in 0..60 {
                    let puzzle = recipe.puzzle(9, number).expect("a puzzle");
                    if puzzle.is_solved(puzzle.start()) || !SetSearch::fits(&puzzle) {
                        continue;
                    }
                    let expected = nearest(&mut plain, &puzzle);
                    let found = nearest(&mut planning, &puzzle);
                    assert_eq!(found, expected, "{robots} robots, {number}");
                    guided += usize::from(planning.is_guided());
                }
            }
        }
        assert!(guided > 100, "{guided}");
    }
}
