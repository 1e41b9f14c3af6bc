//! The search on boards of at most 16×16 without diagonals, with one active robot and at most four helpers:
//! layer by layer over `f`, on one thread or several.
//!
//! | file | what |
//! |---|---|
//! | `mod` | the layers one after the other: when to stop, when to use plans, when to use threads |
//! | `shard` | filling a layer: the part of one thread |
//! | `threads` | the messages between threads |
//! | `heuristic`, `plans/` | the plain bound, and the stronger one of plans |
//! | `goal_moves`, `helper_moves`, `lookahead` | making moves, and looking for the target ahead |
//! | `frontier` | nodes, and moves that are deferred to later layers |
//! | `visited`, `index`, `key` | duplicate detection |
//! | `reconstruct` | from the target back to the start |
//! | `tables` | what is computed for a board and a target before searching |
//! | `budget` | limits |

mod budget;
mod frontier;
mod goal_moves;
mod helper_moves;
mod heuristic;
mod index;
mod key;
mod lookahead;
mod plans;
mod reconstruct;
mod shard;
mod tables;
#[cfg(test)]
mod tests;
mod threads;
mod visited;

use ricochet_core::{Puzzle, State};

use super::task::{SearchEnd, SearchReport, Task};
use crate::lowlevel::set::{BITS, Set, set_of};
use crate::{DepthRow, Limit, Observer};
pub(crate) use budget::{SearchBudget, Used};
pub(crate) use frontier::Counters;
use frontier::{Child, SolvedNode};
use heuristic::{Layer, Plain};
use key::{helpers, key_of};
use plans::{Plans, Raised, Requirement};
use shard::{FillLayer, Shard};
pub(crate) use tables::Tables;
use tables::{UNREACHABLE, number};

/// When a search changes its ways. Tests set other values so that small searches do so too.
#[derive(Clone, Copy, Debug)]
struct Thresholds {
    /// A search that may use several threads does so from this many configurations on.
    divide_from: usize,
    /// A search begins again with plans when it has made this many children, if plans help. Restarting
    /// discards this work, so a later switch costs large searches more, and an earlier one costs those that
    /// stay small.
    plan_from: u64,
    /// A bound that is not raised by this much at the start saves less than it costs.
    least_raise: u8,
}

const THRESHOLDS: Thresholds = Thresholds {
    divide_from: 1 << 12,
    plan_from: 400,
    least_raise: 3,
};

/// Room for this many nodes is kept between searches, and the tables of large ones, …
const KEPT: usize = 1 << 20;

/// … or for this many if a search has a memory limit below [`ROOMY`].
const KEPT_LITTLE: usize = 1 << 10;

/// With a memory limit of this many bytes or more, what is kept between searches is small in comparison.
pub(super) const ROOMY: u64 = 4 << 30;

/// WebAssembly in a browser has no threads, and is smaller without the code for them.
pub(super) const HAS_THREADS: bool = cfg!(not(target_family = "wasm"));

/// The search, with everything that is kept from one puzzle to the next.
pub(crate) struct SmallSearch {
    /// The first has the whole search until it is divided among the others.
    shards: Vec<Shard>,
    /// Among how many.
    divided: usize,
    thresholds: Thresholds,
    planning: Planning,
}

/// Whether a search uses plans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Planning {
    /// The search is still small.
    Undecided,
    /// Plans do not help.
    Declined,
    /// The search has begun again with plans.
    Chosen,
}

/// A state as the search has it: the helpers' key and the goal robot's cell.
type Packed = (u32, u8);

/// One of the states to start from.
#[derive(Clone, Copy)]
struct Start {
    /// Its place among the task's starts.
    place: usize,
    state: Packed,
    /// Its bound: the layer in which it enters the search.
    bound: u32,
}

/// How far a search has come.
pub(crate) struct Progress {
    starts: Vec<Start>,
    /// If all nearest states are wanted: those from which lowering moves alone lead to the target, with the
    /// states on the way. Their distance is their bound. The lookahead does not see them, because they are in the
    /// target's layer from the beginning.
    straight: Vec<(usize, Vec<Packed>)>,
    straight_moves: Option<u32>,
    /// The first layer.
    first: u32,
    /// The layer that is next.
    pub(super) next: u32,
    /// No solution has fewer moves.
    pub(super) proven: u32,
    /// The last layer that was reported, and what had been done by then.
    reported: u32,
    before: (Counters, u64),
}

impl SmallSearch {
    pub(crate) fn new() -> Self {
        Self {
            shards: vec![Shard::new()],
            divided: 1,
            thresholds: THRESHOLDS,
            planning: Planning::Undecided,
        }
    }

    /// Whether it can take a puzzle.
    pub(crate) fn fits(puzzle: &Puzzle) -> bool {
        Tables::fits(puzzle.board()) && puzzle.start().len() <= 5 && !puzzle.rules().must_ricochet
    }

    /// Frees all but a few megabytes.
    pub(crate) fn free(&mut self) {
        self.shards.truncate(1);
        self.shards[0].free(KEPT_LITTLE);
        self.divided = 1;
    }

    /// Searches; the caller has checked that the puzzle fits and is not solved already.
    pub(crate) fn run<S: Set, const N: usize>(
        &mut self,
        isa: S::Isa,
        task: &Task,
        watch: &mut dyn Observer,
        report: &mut SearchReport,
    ) -> SearchEnd {
        if !task.is_roomy() {
            // Room that an earlier search has left would count against the limit, …
            self.free();
        }
        let end = self.fill_layers::<S, N>(isa, task, watch, report);
        if !task.is_roomy() {
            // … and what this one leaves against the limits of the next.
            self.free();
        }
        end
    }

    fn fill_layers<S: Set, const N: usize>(
        &mut self,
        isa: S::Isa,
        task: &Task,
        watch: &mut dyn Observer,
        report: &mut SearchReport,
    ) -> SearchEnd {
        let Some(mut at) = self.start::<S, N>(isa, task) else {
            return SearchEnd::Unsolvable;
        };
        let budget = SearchBudget::new(task.limits, task.meter);
        loop {
            let too_long = task.limits.moves.is_some_and(|most| at.proven > most);
            if (task.all_nearest || !too_long)
                && let Some(end) = self.solution::<N>(task, &mut at)
            {
                return end;
            }
            if at.straight_moves.is_some_and(|moves| moves < at.proven) {
                return reconstruct::name_moves::<N>(task, at.straight);
            }
            if too_long {
                return SearchEnd::Limit {
                    limit: Limit::Moves,
                    lower_bound: at.proven,
                };
            }
            let f = at.next;
            let proven = at
                .straight_moves
                .map_or(at.proven, |moves| moves.min(at.proven));
            let result = self.fill_next::<S, N>(isa, task, &mut at, &budget);
            let exhausted = self.is_exhausted(&at);
            // After beginning again with plans, what has been reported is not reported again.
            if f > at.reported || result.is_err() || exhausted || self.has_solution(&at) {
                let row = self.report_layer(f, &mut at, report);
                if result.is_ok() {
                    watch.depth_done(&row);
                }
            }
            if let Err(limit) = result {
                return SearchEnd::Limit {
                    limit,
                    lower_bound: proven,
                };
            }
            if !self.has_solution(&at) {
                if exhausted {
                    return match at.straight_moves {
                        Some(_) => reconstruct::name_moves::<N>(task, at.straight),
                        None => SearchEnd::Unsolvable,
                    };
                }
                self.prepare_for_more::<S, N>(isa, task, &mut at, task.limits.memory);
            }
        }
    }

    /// Begins a search; `None` if the target cannot be reached from any start even if robots could stop
    /// anywhere.
    pub(super) fn start<S: Set, const N: usize>(
        &mut self,
        isa: S::Isa,
        task: &Task,
    ) -> Option<Progress> {
        self.begin::<S>(isa, task.puzzle);
        let mut at = Progress {
            starts: Vec::with_capacity(task.starts.len()),
            straight: Vec::new(),
            straight_moves: None,
            first: 0,
            next: 0,
            proven: 0,
            reported: 0,
            before: (Counters::default(), 0),
        };
        for (place, &state) in task.starts.iter().enumerate() {
            let state = packed(task.puzzle, state);
            let bound = self.tables().bound[usize::from(state.1)];
            if bound == UNREACHABLE {
                continue;
            }
            let bound = u32::from(bound);
            let straight = task
                .all_nearest
                .then(|| self.goal_path::<N>(state.0, state.1, bound))
                .flatten();
            if let Some(path) = straight {
                let path = path.into_iter().map(|cell| (state.0, cell)).collect();
                if at.straight_moves.is_none_or(|moves| bound < moves) {
                    at.straight_moves = Some(bound);
                    at.straight.clear();
                }
                if at.straight_moves == Some(bound) {
                    at.straight.push((place, path));
                }
            } else {
                at.starts.push(Start {
                    place,
                    state,
                    bound,
                });
            }
        }
        let first = at.starts.iter().map(|start| start.bound).min();
        // Only the straight ones are left: no search can find anything shorter.
        let none_left = at.straight_moves.map(|moves| moves + 1);
        at.first = first.or(none_left)?;
        at.next = at.first;
        at.proven = match first {
            Some(first) => first + u32::from(task.all_nearest),
            None => at.first,
        };
        Some(at)
    }

    /// Forgets the previous search, and prepares the tables of a board and target.
    fn begin<S: Set>(&mut self, isa: S::Isa, puzzle: &Puzzle) {
        for shard in self.in_use_mut() {
            shard.clear(KEPT);
        }
        self.divided = 1;
        self.planning = Planning::Undecided;
        self.shards[0]
            .tables
            .set_up::<S>(isa, puzzle.board(), puzzle.goal().cell);
    }

    /// Fills the next layer.
    pub(super) fn fill_next<S: Set, const N: usize>(
        &mut self,
        isa: S::Isa,
        task: &Task,
        at: &mut Progress,
        budget: &SearchBudget,
    ) -> Result<(), Limit> {
        let layer = Layer {
            f: at.next as usize,
            lookahead: task.switches.lookahead,
            collect: task.all_nearest,
        };
        let planning = self.planning;
        let shards = self.in_use_mut();
        for shard in &mut *shards {
            shard.begin_layer(layer.f);
        }
        let count = shards.len();
        for start in at.starts.iter().filter(|start| start.bound == at.next) {
            let (key, cell) = start.state;
            let cells = BITS[usize::from(cell)];
            shards[threads::owner(key, count)].receive::<S>(isa, &[Child { cells, key }]);
        }
        if planning == Planning::Chosen {
            let work = FillLayer::<S, Raised, N>::new(isa, layer);
            threads::fill(&work, shards, layer.f, budget)?;
            at.next += 1;
            if !self.has_solution(at) {
                at.proven = at.proven.max(at.next);
            }
        } else {
            let work = FillLayer::<S, Plain, N>::new(isa, layer);
            threads::fill(&work, shards, layer.f, budget)?;
            // If the target is not in this layer it is in a later one, and if it had been in the next the
            // lookahead would have found it.
            let looked_ahead = layer.lookahead || layer.collect;
            let ahead = self.solved().map_or(u32::MAX, |solved| solved.f as u32);
            at.proven = (at.next + 1 + u32::from(looked_ahead)).min(ahead);
            at.next += 1;
        }
        Ok(())
    }

    /// Whether the layers filled so far have the answer.
    fn has_solution(&self, at: &Progress) -> bool {
        self.in_use().iter().any(|Shard { frontier, .. }| {
            frontier.solved.is_some_and(|it| it.f <= at.proven as usize)
                || frontier.hits.iter().any(|hit| hit.f <= at.next as usize)
        })
    }

    /// The shortest solution that is known.
    pub(super) fn solved(&self) -> Option<SolvedNode> {
        let solved = self
            .in_use()
            .iter()
            .filter_map(|shard| shard.frontier.solved);
        solved.min_by_key(|solved| solved.f)
    }

    /// The answer, if the layers filled so far have it.
    fn solution<const N: usize>(&mut self, task: &Task, at: &mut Progress) -> Option<SearchEnd> {
        if !task.all_nearest {
            let solved = self.solved().filter(|it| it.f <= at.proven as usize)?;
            return Some(self.reconstruct::<N>(task, at, solved));
        }
        // With plans, hits are in the layer that was filled last; without them, in the next one. Hits of
        // later layers are kept for then.
        let mut hits = Vec::new();
        for shard in self.in_use_mut() {
            let due = shard
                .frontier
                .hits
                .extract_if(.., |hit| hit.f <= at.next as usize);
            hits.extend(due);
        }
        let moves = hits.first()?.f as u32;
        let mut paths = self.paths_through::<N>(at, &hits);
        if at.straight_moves == Some(moves) {
            paths.append(&mut at.straight);
        }
        Some(reconstruct::name_moves::<N>(task, paths))
    }

    /// Whether every state that can be reached has been generated.
    pub(super) fn is_exhausted(&self, at: &Progress) -> bool {
        at.starts.iter().all(|start| start.bound < at.next)
            && self
                .in_use()
                .iter()
                .all(|shard| shard.frontier.is_exhausted())
    }

    /// Adds a row for the layers since the last report.
    fn report_layer(&self, f: u32, at: &mut Progress, report: &mut SearchReport) -> DepthRow {
        let (counters, nodes) = (self.counters(), self.nodes());
        let (before, nodes_before) = at.before;
        let row = DepthRow {
            depth: f,
            nodes: counters.generated - before.generated,
            inner: nodes - nodes_before,
            hits: counters.duplicates - before.duplicates,
        };
        at.before = (counters, nodes);
        report.add(row, counters, nodes, self.bytes() + Tables::BYTES);
        row
    }

    /// Begins again with plans if the search has become large and they help, and divides large searches
    /// among threads.
    pub(super) fn prepare_for_more<S: Set, const N: usize>(
        &mut self,
        isa: S::Isa,
        task: &Task,
        at: &mut Progress,
        memory: Option<u64>,
    ) {
        let most_bytes = memory.unwrap_or(u64::MAX);
        if task.switches.plans && self.make_plans::<S, N>(isa, at, most_bytes) {
            self.begin_again::<S, N>(isa, task, at);
            return;
        }
        let configurations: usize = self.in_use().iter().map(|shard| shard.visited.len()).sum();
        if HAS_THREADS
            && N > 0
            && self.divided == 1
            && task.switches.threads > 1
            && configurations >= self.thresholds.divide_from
            && most_bytes / 2 > self.bytes()
        {
            self.divide(task.switches.threads);
        }
        if N == 3 {
            let rest = most_bytes.saturating_sub(self.bytes());
            let share = rest / self.divided as u64;
            for shard in self.in_use_mut() {
                let used = shard.visited.bytes();
                shard.visited.go_direct_if_large(used.saturating_add(share));
            }
        }
    }

    /// Makes plans if the search has become large. Says whether they raise the bound of one of the starts
    /// clearly. That is decided once in a search.
    fn make_plans<S: Set, const N: usize>(
        &mut self,
        isa: S::Isa,
        at: &Progress,
        most_bytes: u64,
    ) -> bool {
        if N == 0
            || self.planning != Planning::Undecided
            || self.counters().generated < self.thresholds.plan_from
            || self.bytes() + Plans::BYTES > most_bytes
        {
            return false;
        }
        self.planning = Planning::Declined;
        let least = self.thresholds.least_raise;
        let states: Vec<([u64; 4], u8)> = at
            .starts
            .iter()
            .map(|start| (set_of(&helpers::<N>(start.state.0)), start.state.1))
            .collect();
        let requirement = Requirement {
            states: &states,
            raise: usize::from(least),
        };
        let Shard { tables, plans, .. } = &mut self.shards[0];
        let plans = plans.get_or_insert_with(|| Box::new(Plans::new()));
        plans.set_up::<S>(isa, tables, &requirement)
            && at.starts.iter().any(|start| {
                let (key, cell) = start.state;
                plans.bound_of::<N>(key, cell) >= tables.bound[usize::from(cell)] + least
            })
    }

    /// Begins again with plans. What was counted and proved so far stays.
    fn begin_again<S: Set, const N: usize>(&mut self, isa: S::Isa, task: &Task, at: &mut Progress) {
        let counters = self.counters();
        self.begin::<S>(isa, task.puzzle);
        self.planning = Planning::Chosen;
        self.shards[0].frontier.counters = counters;
        at.starts.clear();
        for (place, &state) in task.starts.iter().enumerate() {
            let state = packed(task.puzzle, state);
            if self.tables().bound[usize::from(state.1)] != UNREACHABLE {
                at.starts.push(Start {
                    place,
                    state,
                    bound: self.bound_of::<N>(state.0, state.1),
                });
            }
        }
        let first = at.starts.iter().map(|start| start.bound).min();
        at.first = first.expect("the search before had a start");
        at.reported = at.next - 1;
        at.next = at.first;
        // Straight paths are found like any other now.
        let straight = at.straight_moves.take().unwrap_or(u32::MAX);
        at.straight.clear();
        at.proven = at.proven.min(straight).max(at.first);
        at.before = (counters, 0);
    }

    /// Divides the search among threads.
    fn divide(&mut self, threads: usize) {
        let needed = self.shards.len().max(1 + threads);
        self.shards.resize_with(needed, Shard::new);
        let (whole, parts) = self.shards.split_at_mut(1);
        let (whole, parts) = (&mut whole[0], &mut parts[..threads]);
        for shard in &mut *parts {
            shard.tables.clone_from(&whole.tables);
            shard.plans = match self.planning {
                Planning::Chosen => whole.plans.clone(),
                _ => None,
            };
        }
        whole.divide(parts, |key| threads::owner(key, threads));
        whole.clear(KEPT);
        self.divided = threads;
    }

    fn in_use(&self) -> &[Shard] {
        match self.divided {
            1 => &self.shards[..1],
            threads => &self.shards[1..=threads],
        }
    }

    fn in_use_mut(&mut self) -> &mut [Shard] {
        match self.divided {
            1 => &mut self.shards[..1],
            threads => &mut self.shards[1..=threads],
        }
    }

    fn tables(&self) -> &Tables {
        &self.shards[0].tables
    }

    /// The bound of a state.
    fn bound_of<const N: usize>(&self, key: u32, cell: u8) -> u32 {
        let bound = match &self.shards[0].plans {
            Some(plans) if self.planning == Planning::Chosen => plans.bound_of::<N>(key, cell),
            _ => self.tables().bound[usize::from(cell)],
        };
        u32::from(bound)
    }

    pub(super) fn nodes(&self) -> u64 {
        self.in_use()
            .iter()
            .map(|shard| shard.frontier.nodes.len() as u64)
            .sum()
    }

    pub(super) fn counters(&self) -> Counters {
        let mut all = Counters::default();
        for shard in self.in_use() {
            all += shard.frontier.counters;
        }
        all
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> u64 {
        let planning = self.planning == Planning::Chosen;
        self.in_use()
            .iter()
            .map(|shard| shard.bytes() + if planning { shard.plans_bytes() } else { 0 })
            .sum()
    }
}

/// A state as the search has it.
fn packed(puzzle: &Puzzle, state: State) -> Packed {
    let active = puzzle.goal().robot.expect("one active robot");
    let mut helpers = [0; 4];
    let mut len = 0;
    for (robot, cell) in state.iter() {
        if robot != active {
            helpers[len] = number(cell);
            len += 1;
        }
    }
    (key_of(&mut helpers[..len]), number(state[active]))
}
