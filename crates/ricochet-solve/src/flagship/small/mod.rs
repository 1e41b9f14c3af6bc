//! The search on boards of at most 16×16 without diagonals, with one goal robot and at most four
//! helpers.
//!
//! | file | what |
//! |---|---|
//! | `mod` | starting, filling a layer, and when to use plans or threads |
//! | `shard` | filling a layer: one thread's part of the search |
//! | `heuristic`, `plans/` | the plain bound, and the stronger bound of plans |
//! | `goal_moves`, `helper_moves`, `lookahead` | making moves, and looking for the target ahead |
//! | `frontier` | nodes and deferred moves |
//! | `visited`, `index`, `key` | duplicate detection |
//! | `reconstruct` | walking from the target back to the start |
//! | `tables` | tables for a board and a target, computed before the search |

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
mod visited;

use std::marker::PhantomData;

use ricochet_core::{Cell, Goal, Puzzle, Robot, State};

use super::layers::{LayerSearch, Used, fill_layers};
use super::task::{Counters, SearchEnd, SearchReport, Task};
use super::threads::{self, HAS_THREADS};
use crate::lowlevel::set::{BITS, Set, cells_of, set_of};
use crate::trace::{Recorder, TracedNode};
use crate::{Limit, Observer};
use frontier::{Child, SolvedNode};
use heuristic::{Heuristic, Layer, PlainHeuristic};
use key::{helpers, key_of};
use plans::{Plans, RaisedHeuristic, Requirement};
use shard::{FillLayer, Shard, owner};
use tables::{Tables, UNREACHABLE, number};

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

/// The capacity kept instead if a search has a low memory limit.
const KEPT_LITTLE: usize = 1 << 10;

/// The search for one goal robot, with everything that is reused from one puzzle to the next.
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
    index: usize,
    state: Packed,
    /// Its bound: the layer in which it enters the search.
    bound: u32,
}

/// How far a search has come.
struct Progress {
    starts: Vec<Start>,
    /// If all nearest states are wanted: the starts from which lowering moves alone lead to the
    /// target, each with the states on the way. Their distance is their bound. The lookahead does
    /// not find them, because they are in the target's layer from the beginning.
    straight: Vec<(usize, Vec<Packed>)>,
    straight_moves: Option<u32>,
    /// The first layer.
    first: u32,
    /// The next layer to fill.
    next: u32,
    /// A lower bound: no solution has fewer moves.
    proven: u32,
    /// Whether every reachable state has been generated.
    exhausted: bool,
}

/// A search that is under way.
struct RunningSearch<'a, S: Set, const N: usize> {
    search: &'a mut SmallSearch,
    task: Task<'a>,
    progress: Progress,
    isa: S::Isa,
}

/// Runs one search for each robot that may reach the target. The caller has checked that the puzzle
/// fits and is not solved already.
pub(super) fn run<S: Set, const N: usize>(
    searches: &mut [SmallSearch],
    isa: S::Isa,
    task: &Task,
    watch: &mut dyn Observer,
    report: &mut SearchReport,
) -> SearchEnd {
    // Memory kept from an earlier search would count against this search's limit, and memory kept
    // from this search against the limit of the next one.
    let free = |searches: &mut [SmallSearch]| {
        if !task.is_roomy() {
            searches.iter_mut().for_each(SmallSearch::free);
        }
    };
    free(searches);
    let end = if task.puzzle.goal().robot.is_some() {
        match searches[0].start::<S, N>(isa, *task) {
            Some(mut search) => fill_layers(&mut [&mut search], task, 0, watch, report),
            None => SearchEnd::Unsolvable,
        }
    } else {
        let puzzles = puzzles_by_goal_robot(task.puzzle);
        let mut running: Vec<RunningSearch<S, N>> = searches
            .iter_mut()
            .zip(&puzzles)
            .filter_map(|(search, puzzle)| search.start(isa, Task { puzzle, ..*task }))
            .collect();
        let mut running: Vec<&mut dyn LayerSearch> = running.iter_mut().map(|it| it as _).collect();
        fill_layers(&mut running, task, 0, watch, report)
    };
    free(searches);
    end
}

/// A puzzle for each robot, as the only one that may reach the target.
fn puzzles_by_goal_robot(puzzle: &Puzzle) -> Vec<Puzzle> {
    let start = puzzle.start();
    let puzzles = start.robots().map(|robot| {
        let goal = Goal {
            robot: Some(robot),
            cell: puzzle.goal().cell,
        };
        let puzzle = puzzle.with_position(start.cells(), goal);
        puzzle.expect("the same with another goal robot is a puzzle")
    });
    puzzles.collect()
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

    /// Begins a search; `None` if the target could not be reached from any start even if robots
    /// could stop anywhere.
    fn start<'a, S: Set, const N: usize>(
        &'a mut self,
        isa: S::Isa,
        task: Task<'a>,
    ) -> Option<RunningSearch<'a, S, N>> {
        self.begin::<S>(isa, task.puzzle);
        let mut progress = Progress {
            starts: Vec::with_capacity(task.starts.len()),
            straight: Vec::new(),
            straight_moves: None,
            first: 0,
            next: 0,
            proven: 0,
            exhausted: false,
        };
        for (index, &state) in task.starts.iter().enumerate() {
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
                if progress.straight_moves.is_none_or(|moves| bound < moves) {
                    progress.straight_moves = Some(bound);
                    progress.straight.clear();
                }
                if progress.straight_moves == Some(bound) {
                    progress.straight.push((index, path));
                }
            } else {
                progress.starts.push(Start {
                    index,
                    state,
                    bound,
                });
            }
        }
        let first = progress.starts.iter().map(|start| start.bound).min();
        // Only straight starts are left: no search can find anything shorter.
        let none_left = progress.straight_moves.map(|moves| moves + 1);
        progress.first = first.or(none_left)?;
        progress.next = progress.first;
        progress.proven = match first {
            Some(first) => first + u32::from(task.all_nearest),
            None => progress.first,
        };
        Some(RunningSearch {
            search: self,
            task,
            progress,
            isa,
        })
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
        whole.divide(parts);
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

    fn counters(&self) -> Counters {
        let counters = |shard: &Shard| shard.frontier.counters;
        self.in_use().iter().map(counters).sum()
    }

    /// Bytes in use.
    fn bytes(&self) -> u64 {
        let planning = self.planning == Planning::Chosen;
        self.in_use()
            .iter()
            .map(|shard| shard.bytes() + if planning { shard.plans_bytes() } else { 0 })
            .sum()
    }

    /// The shortest solution found so far.
    fn solved(&self) -> Option<SolvedNode> {
        let solved = self
            .in_use()
            .iter()
            .filter_map(|shard| shard.frontier.solved);
        solved.min_by_key(|solved| solved.f)
    }
}

impl<S: Set, const N: usize> LayerSearch for RunningSearch<'_, S, N> {
    fn next_layer(&self) -> u32 {
        self.progress.next
    }

    fn proven(&self) -> u32 {
        if self.progress.exhausted {
            return u32::MAX;
        }
        self.progress
            .straight_moves
            .map_or(self.progress.proven, |moves| {
                moves.min(self.progress.proven)
            })
    }

    fn known(&self) -> Option<u32> {
        let hits = self.search.in_use().iter().flat_map(|it| &it.frontier.hits);
        // The hits of a layer are complete once the layer before is.
        let due = hits
            .map(|hit| hit.f as u32)
            .filter(|&f| f <= self.progress.next);
        let solved = self.search.solved().map(|solved| solved.f as u32);
        due.chain(solved).min()
    }

    fn trace_layer(&self, f: u32, recorder: &mut Recorder) {
        let (puzzle, active) = (self.task.puzzle, self.robot());
        let cell_at = |number: u8| Cell::new(number % 16, number / 16);
        let nodes = self.search.in_use().iter().flat_map(|shard| {
            let frontier = &shard.frontier;
            &frontier.nodes[frontier.layer_begin()..]
        });
        let nodes = nodes.map(|node| {
            let cells: Vec<Cell> = cells_of(node.cells).map(cell_at).collect();
            let mut helpers = helpers::<N>(node.key).into_iter();
            let mut state = puzzle.start().with(active, cells[0]);
            for robot in puzzle.start().robots().filter(|&robot| robot != active) {
                let number = helpers.next().expect("a helper for each other robot");
                state = state.with(robot, cell_at(number));
            }
            TracedNode {
                robot: Some(active),
                cells,
                state,
            }
        });
        recorder.layer_of_sets(puzzle, f, nodes);
    }

    fn robot(&self) -> Robot {
        self.task.puzzle.goal().robot.expect("one active robot")
    }

    fn fill_next(&mut self, elsewhere: &Used) -> Result<(), Limit> {
        let layer = Layer {
            f: self.progress.next as usize,
            lookahead: self.task.switches.lookahead,
            collect: self.task.all_nearest,
        };
        let shards = self.search.in_use_mut();
        for shard in &mut *shards {
            shard.begin_layer(layer.f);
        }
        let count = shards.len();
        for start in self
            .progress
            .starts
            .iter()
            .filter(|it| it.bound == self.progress.next)
        {
            let (key, cell) = start.state;
            let cells = BITS[usize::from(cell)];
            shards[owner(key, count)].receive::<S>(self.isa, &[Child { cells, key }]);
        }
        if self.search.planning == Planning::Chosen {
            self.fill::<RaisedHeuristic>(layer, elsewhere)?;
            self.progress.next += 1;
            if self.known().is_none() {
                self.progress.proven = self.progress.proven.max(self.progress.next);
            }
        } else {
            self.fill::<PlainHeuristic>(layer, elsewhere)?;
            // Unless a solution is known, the target is not in this layer, and if it were in the next
            // one, the lookahead would have found it.
            let looked_ahead = layer.lookahead || layer.collect;
            let ahead = self
                .search
                .solved()
                .map_or(u32::MAX, |solved| solved.f as u32);
            self.progress.proven = (self.progress.next + 1 + u32::from(looked_ahead)).min(ahead);
            self.progress.next += 1;
        }
        self.progress.exhausted = self.known().is_none() && self.is_exhausted();
        Ok(())
    }

    fn prepare_for_more(&mut self, left: u64) {
        if self.task.switches.plans && self.make_plans(left) {
            self.begin_again();
            return;
        }
        let Self { search, task, .. } = self;
        let configurations: usize = search.in_use().iter().map(|it| it.visited.len()).sum();
        if HAS_THREADS
            && N > 0
            && search.divided == 1
            && task.switches.threads > 1
            && configurations >= search.thresholds.divide_from
            && left > search.bytes()
        {
            search.divide(task.switches.threads);
        }
        if N == 3 {
            let share = left / search.divided as u64;
            for shard in search.in_use_mut() {
                let used = shard.visited.bytes();
                shard.visited.go_direct_if_large(used.saturating_add(share));
            }
        }
    }

    fn answer(&mut self, proven: u32) -> Option<SearchEnd> {
        let Self {
            search,
            task,
            progress,
            ..
        } = self;
        if !task.all_nearest {
            let solved = search.solved().filter(|it| it.f <= proven as usize)?;
            return Some(search.reconstruct::<N>(task, progress, solved));
        }
        // With plans, hits are in the layer that was filled last; without plans, in the next one.
        // Hits of later layers stay in the list until then.
        let mut hits = Vec::new();
        for shard in search.in_use_mut() {
            let due = shard
                .frontier
                .hits
                .extract_if(.., |hit| hit.f <= progress.next as usize);
            hits.extend(due);
        }
        let paths = if let Some(hit) = hits.first() {
            let mut paths = search.paths_through::<N>(progress, &hits);
            if progress.straight_moves == Some(hit.f as u32) {
                paths.append(&mut progress.straight);
            }
            paths
        } else {
            let moves = progress.straight_moves?;
            if moves >= progress.proven && !progress.exhausted {
                return None;
            }
            std::mem::take(&mut progress.straight)
        };
        Some(reconstruct::solutions::<N>(task, paths))
    }

    fn counters(&self) -> Counters {
        self.search.counters()
    }

    fn nodes(&self) -> u64 {
        let nodes = |shard: &Shard| shard.frontier.nodes.len() as u64;
        self.search.in_use().iter().map(nodes).sum()
    }

    fn bytes(&self) -> u64 {
        self.search.bytes() + Tables::BYTES
    }

    fn peak_bytes(&self) -> u64 {
        self.bytes()
    }
}

impl<S: Set, const N: usize> RunningSearch<'_, S, N> {
    /// Fills a layer with all shards.
    fn fill<H: Heuristic>(&mut self, layer: Layer, elsewhere: &Used) -> Result<(), Limit> {
        let work = FillLayer::<S, H, N> {
            isa: self.isa,
            layer,
            limits: self.task.limits,
            elsewhere: *elsewhere,
            heuristic: PhantomData,
        };
        threads::fill(&work, self.search.in_use_mut(), self.task.meter)
    }

    fn is_exhausted(&self) -> bool {
        let shards = self.search.in_use();
        self.progress
            .starts
            .iter()
            .all(|it| it.bound < self.progress.next)
            && shards.iter().all(|it| it.frontier.is_exhausted())
    }

    /// Makes plans if the search has become large. Returns whether they raise the bound of one of
    /// the starts enough. This is decided once per search.
    fn make_plans(&mut self, left: u64) -> bool {
        let Self {
            search,
            progress,
            isa,
            ..
        } = self;
        if N == 0
            || search.planning != Planning::Undecided
            || search.counters().generated < search.thresholds.plan_from
            || Plans::BYTES > left
        {
            return false;
        }
        search.planning = Planning::Declined;
        let least = search.thresholds.least_raise;
        let states: Vec<([u64; 4], u8)> = progress
            .starts
            .iter()
            .map(|start| (set_of(&helpers::<N>(start.state.0)), start.state.1))
            .collect();
        let requirement = Requirement {
            states: &states,
            raise: usize::from(least),
        };
        let Shard { tables, plans, .. } = &mut search.shards[0];
        let Some(plans) = Plans::set_up::<S>(plans, *isa, tables, &requirement) else {
            return false;
        };
        progress.starts.iter().any(|start| {
            let (key, cell) = start.state;
            plans.bound_of::<N>(key, cell) >= tables.bound[usize::from(cell)] + least
        })
    }

    /// Restarts with plans. The counters and the lower bound proved so far are kept.
    fn begin_again(&mut self) {
        let Self {
            search,
            task,
            progress,
            isa,
        } = self;
        let counters = search.counters();
        search.begin::<S>(*isa, task.puzzle);
        search.planning = Planning::Chosen;
        search.shards[0].frontier.counters = counters;
        progress.starts.clear();
        for (index, &state) in task.starts.iter().enumerate() {
            let state = packed(task.puzzle, state);
            if search.tables().bound[usize::from(state.1)] != UNREACHABLE {
                progress.starts.push(Start {
                    index,
                    state,
                    bound: search.bound_of::<N>(state.0, state.1),
                });
            }
        }
        let first = progress.starts.iter().map(|start| start.bound).min();
        progress.first = first.expect("the search before had a start");
        progress.next = progress.first;
        // From now on, straight paths are found like any others.
        let straight = progress.straight_moves.take().unwrap_or(u32::MAX);
        progress.straight.clear();
        progress.proven = progress.proven.min(straight).max(progress.first);
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
