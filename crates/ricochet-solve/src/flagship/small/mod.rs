//! The search on boards of at most 16×16 without diagonals, with one goal robot and at most four
//! helpers: layer by layer over `f`, on one thread or several.
//!
//! | file | what |
//! |---|---|
//! | `mod` | the layers one after the other: when to stop, when to use plans, when to use threads |
//! | `shard` | filling a layer: one thread's part of the search |
//! | `threads` | the messages between threads |
//! | `heuristic`, `plans/` | the plain bound, and the stronger bound of plans |
//! | `goal_moves`, `helper_moves`, `lookahead` | making moves, and looking for the target ahead |
//! | `frontier` | nodes and deferred moves |
//! | `visited`, `index`, `key` | duplicate detection |
//! | `reconstruct` | walking from the target back to the start |
//! | `tables` | tables for a board and a target, computed before the search |
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
use heuristic::{Layer, PlainHeuristic};
use key::{helpers, key_of};
use plans::{Plans, RaisedHeuristic, Requirement};
use shard::{FillLayer, Shard};
pub(crate) use tables::Tables;
use tables::{UNREACHABLE, number};

/// Sizes at which a search switches to plans or threads. Tests lower them so that small searches
/// switch as well.
#[derive(Clone, Copy, Debug)]
struct Thresholds {
    /// A search that may use several threads does so from this many configurations on.
    divide_from: usize,
    /// A search restarts with plans once it has made this many children, if plans help. Restarting
    /// discards this work, so a later switch costs large searches more, and an earlier one costs
    /// searches that stay small more.
    plan_from: u64,
    /// Plans that raise the bound of the start by less than this cost more than they save.
    least_raise: u8,
}

const THRESHOLDS: Thresholds = Thresholds {
    divide_from: 1 << 12,
    plan_from: 400,
    least_raise: 3,
};

/// Capacity for this many nodes, and the tables of large searches, are kept between searches.
const KEPT: usize = 1 << 20;

/// The capacity kept instead if a search has a memory limit below [`ROOMY`].
const KEPT_LITTLE: usize = 1 << 10;

/// With a memory limit of at least this many bytes, the memory kept between searches is negligible.
pub(super) const ROOMY: u64 = 4 << 30;

/// WebAssembly in a browser has no threads, and the file is smaller without the code for them.
pub(super) const HAS_THREADS: bool = cfg!(not(target_family = "wasm"));

/// The search, with everything that is reused from one puzzle to the next.
pub(crate) struct SmallSearch {
    /// The first shard has the whole search until it is divided among all of them.
    shards: Vec<Shard>,
    /// The number of shards the search is divided among.
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
    /// The search has restarted with plans.
    Chosen,
}

/// A packed state: the helpers' key and the goal robot's cell.
type Packed = (u32, u8);

/// One of the states to start from.
#[derive(Clone, Copy)]
struct Start {
    /// Its index among the task's starts.
    place: usize,
    state: Packed,
    /// Its bound: the layer in which it enters the search.
    bound: u32,
}

/// How far a search has come.
pub(crate) struct Progress {
    starts: Vec<Start>,
    /// If all nearest states are wanted: the starts from which lowering moves alone lead to the
    /// target, each with the states on the way. Their distance is their bound. The lookahead does
    /// not find them, because they are in the target's layer from the beginning.
    straight: Vec<(usize, Vec<Packed>)>,
    straight_moves: Option<u32>,
    /// The first layer.
    first: u32,
    /// The next layer to fill.
    pub(super) next: u32,
    /// A lower bound: no solution has fewer moves.
    pub(super) proven: u32,
    /// The last layer that was reported, and the counters at that time.
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

    /// Whether this search accepts a puzzle.
    pub(crate) fn fits(puzzle: &Puzzle) -> bool {
        Tables::fits(puzzle.board()) && puzzle.start().len() <= 5 && !puzzle.rules().must_ricochet
    }

    /// Frees all but a few megabytes.
    pub(crate) fn free(&mut self) {
        self.shards.truncate(1);
        self.shards[0].free(KEPT_LITTLE);
        self.divided = 1;
    }

    /// Runs the search. The caller has checked that the puzzle fits and is not solved already.
    pub(crate) fn run<S: Set, const N: usize>(
        &mut self,
        isa: S::Isa,
        task: &Task,
        watch: &mut dyn Observer,
        report: &mut SearchReport,
    ) -> SearchEnd {
        if !task.is_roomy() {
            // Memory kept from an earlier search would count against this search's limit.
            self.free();
        }
        let end = self.fill_layers::<S, N>(isa, task, watch, report);
        if !task.is_roomy() {
            // Memory kept from this search would count against the limits of the next one.
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
                return reconstruct::solutions::<N>(task, at.straight);
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
            // After a restart with plans, layers that were reported before are not reported again.
            if f > at.reported || result.is_err() || exhausted || self.has_solution(&at) {
                let row = self.report_layer(f, &mut at, report);
                // With plans, the nearest states are found in the layer of their distance: that layer proves
                // nothing beyond it.
                let has_nearest =
                    task.all_nearest && self.planning == Planning::Chosen && self.has_solution(&at);
                if result.is_ok() && !has_nearest {
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
                        Some(_) => reconstruct::solutions::<N>(task, at.straight),
                        None => SearchEnd::Unsolvable,
                    };
                }
                self.prepare_for_more::<S, N>(isa, task, &mut at, task.limits.memory);
            }
        }
    }

    /// Begins a search; `None` if the target could not be reached from any start even if robots
    /// could stop anywhere.
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
        // Only straight starts are left: no search can find anything shorter.
        let none_left = at.straight_moves.map(|moves| moves + 1);
        at.first = first.or(none_left)?;
        at.next = at.first;
        at.proven = match first {
            Some(first) => first + u32::from(task.all_nearest),
            None => at.first,
        };
        Some(at)
    }

    /// Forgets the previous search, and prepares the tables for a board and a target.
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
            let work = FillLayer::<S, RaisedHeuristic, N>::new(isa, layer);
            threads::fill(&work, shards, layer.f, budget)?;
            at.next += 1;
            if !self.has_solution(at) {
                at.proven = at.proven.max(at.next);
            }
        } else {
            let work = FillLayer::<S, PlainHeuristic, N>::new(isa, layer);
            threads::fill(&work, shards, layer.f, budget)?;
            // Unless a solution is known, the target is not in this layer, and if it were in the next
            // one, the lookahead would have found it.
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

    /// The shortest solution found so far.
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
        // With plans, hits are in the layer that was filled last; without plans, in the next one.
        // Hits of later layers stay in the list until then.
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
        Some(reconstruct::solutions::<N>(task, paths))
    }

    /// Whether every reachable state has been generated.
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

    /// Restarts with plans if the search has become large and they help, and divides large searches
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

    /// Makes plans if the search has become large. Returns whether they raise the bound of one of
    /// the starts enough. This is decided once per search.
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

    /// Restarts with plans. The counters and the lower bound proved so far are kept.
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
        // From now on, straight paths are found like any others.
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

/// Packs a state.
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
