//! Which of several states are nearest to the target: one search from all of them at once.
//!
//! The layers are those of [`super::search`], but a state enters them in the layer of its own bound,
//! and a layer is made to its end, so that all that leads to the target in it is known. Walking back
//! from there meets all states that are nearest. `docs/design/flagship.md` has the proof.

use ricochet::{Move, Puzzle, State};
use rustc_hash::FxHashMap;

use super::lists::{Hit, Lists};
use super::named::moves_through;
use super::nodes::Child;
use super::search::{ROOMY, SearchReport, SetSearch, SharedBudget, packed};
use super::tables::{BITS, UNREACHABLE, number};
use crate::lowlevel::set::Set;
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

/// A search for the nearest states, and what it may use.
pub(crate) struct Nearest<'a> {
    pub(crate) puzzle: &'a Puzzle,
    pub(crate) from: &'a [State],
    pub(crate) limits: &'a Limits,
    pub(crate) meter: &'a Meter,
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
        let with_names = |found: Vec<(usize, Vec<Packed>)>| {
            let named = |(place, way): (usize, Vec<Packed>)| {
                let moves = moves_through(
                    from[place],
                    from[place].robots(),
                    way.into_iter().skip(1),
                    |state, robot, direction| puzzle.apply(state, robot, direction),
                    |state| packed(puzzle, state),
                );
                (place, moves)
            };
            NearestEnd::Reached(found.into_iter().map(named).collect())
        };
        let first = sources.iter().map(|source| source.bound).min();
        let Some(first) = first else {
            return match nearest_straight {
                Some(_) => with_names(straight),
                None => NearestEnd::Unreachable,
            };
        };
        let last_source = sources.iter().map(|source| source.bound).max();
        let last_source = last_source.unwrap_or(first);
        let budget = SharedBudget { limits, meter };
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
            let begins: Vec<Child> = begins
                .map(|source| Child {
                    goals: BITS[usize::from(source.packed.1)],
                    key: source.packed.0,
                })
                .collect();
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
            if f >= last_source && self.lists().all(Lists::has_ended) {
                return match nearest_straight {
                    Some(_) => with_names(straight),
                    None => NearestEnd::Unreachable,
                };
            }
            proven = f + 2;
            self.prepare_for_more::<N>(limits.memory.unwrap_or(u64::MAX));
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
                self.for_each_predecessor::<N>(state.0, state.1, |search, key, goal| {
                    if !after.contains_key(&(key, goal))
                        && search.moves_to::<N>(first, key, goal) == Some(moves - 1)
                    {
                        after.insert((key, goal), state);
                        waiting.push(((key, goal), moves - 1));
                    }
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
