//! The set search: layer by layer over f, on boards of at most 16×16 without diagonals, with one
//! active robot and at most four helpers.

use ricochet_core::Puzzle;

use super::config::{helpers, key_of};
use super::configurations::Configurations;
use super::layer::AllMoves;
use super::lists::{FoundGoal, LayerPlan, Lists, WAITING};
use super::nodes::{Child, Counters};
use super::plans::{Plans, Wish};
use super::search_report::{SearchEnd, SearchReport};
use super::shared_budget::SharedBudget;
use super::shared_configurations::{SharedConfigurations, renumbered};
use super::shared_index::SharedIndex;
use super::tables::{Tables, UNREACHABLE, number};
use super::threads::{self, Worker};
use crate::lowlevel::instructions::InstructionSet;
use crate::lowlevel::set::{BITS, Set, set_of};
use crate::{DepthRow, Limit, Limits, Meter, Observer};

/// Whether a search has a better bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Guidance {
    /// It has not become large yet.
    NotAsked,
    /// There is none.
    None,
    /// It has begun again with plans.
    Plans,
}

/// Everything that is kept between searches.
pub(crate) struct SetSearch {
    /// What a search on one thread has met.
    pub(super) alone: Configurations,
    /// What a search has met since it is on several threads.
    pub(super) shared: Option<SharedConfigurations>,
    /// The same of an earlier search, empty: its memory can be used again.
    spare: Option<SharedConfigurations>,
    /// The first works alone until a search is large.
    pub(super) workers: Vec<Worker>,
    /// How many of them are at work.
    pub(super) working: usize,
    /// How many threads a large search may use.
    pub(crate) threads: usize,
    /// How many configurations make a search large; tests divide small ones too.
    divide_from: usize,
    /// Begin a layer with the relevant helper moves only; can be turned off to test it, and to
    /// measure it.
    pub(crate) lookahead: bool,
    /// The bound of a guided search, …
    pub(super) plans: Plans,
    /// … whether a search may be one, and from how many children on (tests guide small ones too), …
    pub(crate) use_plans: bool,
    pub(super) guide_from: u64,
    /// … by how much more than the plain bound it must begin with, …
    pub(super) least_raise: u8,
    /// … and whether this one is.
    pub(super) guidance: Guidance,
    /// Collect all states that lead to the target instead of ending with the first.
    pub(crate) collect: bool,
}

/// Room for this many nodes is kept between searches, and the tables of large ones, …
const KEPT: usize = 1 << 20;

/// … or for this many if they may not use so much.
const KEPT_LITTLE: usize = 1 << 10;

/// … if they may use this many bytes: what is kept is small beside it.
pub(super) const ROOMY: u64 = 4 << 30;

/// WebAssembly in a browser has none, and is smaller without the code for them.
pub(super) const HAS_THREADS: bool = cfg!(not(target_family = "wasm"));

/// A search that may use several threads does so from this many configurations on.
const DIVIDE_FROM: usize = 1 << 12;

/// A search begins again with a better bound when it has made this many children, if there is one. What
/// it has done by then is lost, so later would be dearer for those that become large, and earlier for
/// those that do not.
const GUIDE_FROM: u64 = 400;

/// A better bound that is not better by so much where the search starts saves less than it costs.
const LEAST_RAISE: u8 = 3;

/// A guided search is on one thread, and as fast as two without that bound.
const MOST_THREADS_GUIDED: usize = 2;

/// Helper moves are made of so many nodes before the children are committed.
pub(crate) const NODES_AT_ONCE: usize = 16;

/// Children that have waited for their layer are committed so many at a time: limits are looked at in
/// between.
pub(super) const CHILDREN_AT_ONCE: usize = 1 << 10;

impl SetSearch {
    pub(crate) fn new() -> Self {
        Self {
            alone: Configurations::new(),
            shared: None,
            spare: None,
            workers: vec![Worker::new(Tables::new())],
            working: 1,
            threads: 1,
            divide_from: DIVIDE_FROM,
            lookahead: true,
            plans: Plans::new(),
            use_plans: true,
            guide_from: GUIDE_FROM,
            least_raise: LEAST_RAISE,
            guidance: Guidance::NotAsked,
            collect: false,
        }
    }

    /// One with the same switches that holds nothing.
    pub(crate) fn anew(&self) -> Self {
        Self {
            threads: self.threads,
            lookahead: self.lookahead,
            use_plans: self.use_plans,
            ..Self::new()
        }
    }

    /// Whether the set search can take a puzzle.
    pub(crate) fn fits(puzzle: &Puzzle) -> bool {
        Tables::fits(puzzle.board())
            && puzzle.goal().robot.is_some()
            && puzzle.start().len() <= 5
            && !puzzle.rules().must_ricochet
    }

    /// Searches; the caller has checked that the puzzle fits and is not solved already.
    pub(crate) fn run<S: Set>(
        &mut self,
        isa: S::Isa,
        puzzle: &Puzzle,
        limits: &Limits,
        meter: &Meter,
        watch: &mut dyn Observer,
        report: &mut SearchReport,
    ) -> SearchEnd {
        let roomy = limits.memory.is_none_or(|most| most >= ROOMY);
        if !roomy {
            // Room that an earlier search has left would count against the limit, …
            self.give_back();
        }
        let ended = match puzzle.start().len() {
            1 => self.run_with::<S, 0>(isa, puzzle, limits, meter, watch, report),
            2 => self.run_with::<S, 1>(isa, puzzle, limits, meter, watch, report),
            3 => self.run_with::<S, 2>(isa, puzzle, limits, meter, watch, report),
            4 => self.run_with::<S, 3>(isa, puzzle, limits, meter, watch, report),
            _ => self.run_with::<S, 4>(isa, puzzle, limits, meter, watch, report),
        };
        if !roomy {
            // … and what this one leaves against the limits of whoever comes next.
            self.give_back();
        }
        ended
    }

    /// Gives back all but a few megabytes.
    pub(super) fn give_back(&mut self) {
        (self.shared, self.spare, self.working) = (None, None, 1);
        self.workers.truncate(1);
        self.workers[0].clear(KEPT_LITTLE);
        self.alone.give_back(KEPT_LITTLE);
        self.plans = Plans::new();
    }

    /// Forgets the search before, and prepares the tables of a board and target.
    pub(super) fn begin<S: Set>(&mut self, isa: S::Isa, puzzle: &Puzzle) {
        if let Some(mut shared) = self.shared.take() {
            shared.clear();
            self.spare = Some(shared);
            self.working = 1;
        }
        self.alone.clear(KEPT);
        self.guidance = Guidance::NotAsked;
        self.workers
            .iter_mut()
            .for_each(|worker| worker.clear(KEPT));
        self.workers[0]
            .tables
            .set_up::<S>(isa, puzzle.board(), puzzle.goal().cell);
    }

    fn run_with<S: Set, const N: usize>(
        &mut self,
        isa: S::Isa,
        puzzle: &Puzzle,
        limits: &Limits,
        meter: &Meter,
        watch: &mut dyn Observer,
        report: &mut SearchReport,
    ) -> SearchEnd {
        let Some(mut at) = self.start::<S>(isa, puzzle) else {
            return SearchEnd::Unsolvable;
        };
        let budget = SharedBudget::new(limits, meter);
        loop {
            let too_long = limits.moves.is_some_and(|most| at.proven > most);
            if let (Some(found), false) = (self.found_by(&at), too_long) {
                return SearchEnd::Solved(self.rebuild::<N>(puzzle, at.first, found));
            }
            if too_long {
                return SearchEnd::Limit {
                    limit: Limit::Moves,
                    lower_bound: at.proven,
                };
            }
            let (f, before, nodes_before) = (at.next, self.counters(), self.nodes());
            let proven = at.proven;
            let result = self.fill_next::<S, N>(isa, &mut at, &budget);
            let row = self.report_layer(f, before, nodes_before, report);
            if let Err(limit) = result {
                return SearchEnd::Limit {
                    limit,
                    lower_bound: proven,
                };
            }
            watch.depth_done(&row);
            if self.has_ended() {
                return SearchEnd::Unsolvable;
            }
            if self.found_by(&at).is_none() {
                let most_bytes = limits.memory.unwrap_or(u64::MAX);
                if self.may_guide::<S, N>(isa, most_bytes, &[at.start]) {
                    let proven = at.proven;
                    return self.run_guided::<S, N>(isa, puzzle, &budget, proven, watch, report);
                }
                self.prepare_for_more::<N>(most_bytes);
            }
        }
    }

    /// Begins a search from a puzzle's start; `None` if the target cannot be reached even if robots
    /// could stop anywhere.
    pub(super) fn start<S: Set>(&mut self, isa: S::Isa, puzzle: &Puzzle) -> Option<Progress> {
        self.begin::<S>(isa, puzzle);
        let start = packed(puzzle, puzzle.start());
        let first = self.workers[0].tables.bound[usize::from(start.1)];
        (first != UNREACHABLE).then(|| Progress {
            start,
            first: u32::from(first),
            next: u32::from(first),
            proven: u32::from(first),
        })
    }

    /// Fills the next layer.
    pub(super) fn fill_next<S: Set, const N: usize>(
        &mut self,
        isa: S::Isa,
        at: &mut Progress,
        budget: &SharedBudget,
    ) -> Result<(), Limit> {
        let f = at.next;
        for worker in &mut self.workers[..self.working] {
            worker.lists.layers.push(worker.lists.nodes.len());
        }
        if f == at.first {
            let (key, goal) = at.start;
            let goals = BITS[usize::from(goal)];
            let lists = &mut self.workers[0].lists;
            self.alone.commit::<S>(isa, &[Child { goals, key }], lists);
            self.make_nodes::<S, N>(isa, f as usize, budget)?;
        } else {
            self.fill::<S, N>(isa, f as usize, budget)?;
        }
        self.check(budget)?;
        at.next += 1;
        // If the target is not in this layer it is in a later one, and if it had been in the next the
        // lookahead would have found it.
        let ahead = self.found().map_or(u32::MAX, |found| found.f as u32);
        at.proven = (f + 1 + u32::from(self.lookahead)).min(ahead);
        Ok(())
    }

    /// The solution that is known, if no other can be shorter.
    pub(super) fn found_by(&self, at: &Progress) -> Option<FoundGoal> {
        self.found().filter(|found| found.f <= at.proven as usize)
    }

    /// Whether nothing new will come.
    pub(super) fn has_ended(&self) -> bool {
        self.lists().all(Lists::has_ended)
    }

    /// Whether a search has become so large that it is worth beginning again with a better bound, and
    /// there is one that is clearly better for one of the states that it starts from.
    pub(super) fn may_guide<S: Set, const N: usize>(
        &mut self,
        isa: S::Isa,
        most_bytes: u64,
        from: &[(u32, u8)],
    ) -> bool {
        let worth_it = N > 0
            && self.use_plans
            && self.threads <= MOST_THREADS_GUIDED
            && self.counters().generated >= self.guide_from
            && self.bytes() + Plans::BYTES <= most_bytes;
        if worth_it && self.guidance == Guidance::NotAsked {
            self.guidance = Guidance::None;
            let (plans, tables) = (&mut self.plans, &self.workers[0].tables);
            let least = self.least_raise;
            let states: Vec<([u64; 4], u8)> = from
                .iter()
                .map(|&(key, goal)| (set_of(&helpers::<N>(key)), goal))
                .collect();
            let wish = Wish {
                states: &states,
                raise: usize::from(least),
            };
            return plans.set_up::<S>(isa, tables, &wish)
                && from.iter().any(|&(key, goal)| {
                    plans.bound_of::<N>(key, goal) >= tables.bound[usize::from(goal)] + least
                });
        }
        false
    }

    /// What filling a layer took, after counters and nodes of before.
    pub(super) fn report_layer(
        &self,
        f: u32,
        before: Counters,
        nodes_before: usize,
        report: &mut SearchReport,
    ) -> DepthRow {
        let counters = self.counters();
        let row = DepthRow {
            depth: f,
            nodes: counters.generated - before.generated,
            inner: (self.nodes() - nodes_before) as u64,
            hits: counters.hits - before.hits,
        };
        report.rows.push(row);
        report.counters = counters;
        report.stored = self.nodes() as u64;
        report.peak_bytes = report.peak_bytes.max(self.bytes() + Tables::BYTES);
        row
    }

    /// The lists of all threads that are at work.
    pub(super) fn lists(&self) -> impl Iterator<Item = &Lists> {
        self.workers[..self.working]
            .iter()
            .map(|worker| &worker.lists)
    }

    /// The shortest solution that is known.
    pub(super) fn found(&self) -> Option<FoundGoal> {
        let found = self.lists().filter_map(|lists| lists.found);
        found.min_by_key(|found| found.f)
    }

    pub(super) fn nodes(&self) -> usize {
        self.lists().map(|lists| lists.nodes.len()).sum()
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> u64 {
        let lists: u64 = self.lists().map(Lists::bytes).sum();
        let alone = || self.alone.bytes();
        let shared = self.shared.as_ref();
        lists + shared.map_or_else(alone, SharedConfigurations::bytes) + self.plans_bytes()
    }

    /// Whether the better bound is in use.
    pub(super) fn is_guided(&self) -> bool {
        self.guidance == Guidance::Plans
    }

    /// Bytes of the better bound where it is in use.
    fn plans_bytes(&self) -> u64 {
        if self.is_guided() {
            self.plans.bytes()
        } else {
            0
        }
    }

    pub(super) fn counters(&self) -> Counters {
        let mut all = Counters::default();
        for Lists { counters, .. } in self.lists() {
            all.generated += counters.generated;
            all.hits += counters.hits;
            all.expanded += counters.expanded;
        }
        all
    }

    /// Large searches get larger tables, and all threads.
    pub(super) fn prepare_for_more<const N: usize>(&mut self, most_bytes: u64) {
        if self.shared.is_some() {
            return;
        }
        let room = most_bytes / 2 > self.bytes();
        if HAS_THREADS && N > 0 && self.threads > 1 && self.alone.len() >= self.divide_from && room
        {
            self.divide::<N>(most_bytes);
        } else if N == 3 {
            let lists = self.workers[0].lists.bytes();
            self.alone
                .go_direct_if_large(most_bytes.saturating_sub(lists));
        }
    }

    /// Sets all threads to work.
    fn divide<const N: usize>(&mut self, most_bytes: u64) {
        let direct = N == 3 && self.bytes() + 2 * SharedIndex::DIRECT_BYTES <= most_bytes;
        let spare = self.spare.take();
        let mut shared = spare.unwrap_or_else(SharedConfigurations::new);
        shared.take_over(&mut self.alone, self.threads, direct);
        self.shared = Some(shared);
        self.alone.clear(0);
        self.working = self.threads;
        let first = &mut self.workers[0];
        for node in &mut first.lists.nodes {
            node.earlier = renumbered(node.earlier, self.working);
        }
        let (layers, tables) = (first.lists.layers.len(), first.tables.clone());
        self.workers
            .resize_with(self.working, || Worker::new(Tables::new()));
        for worker in &mut self.workers[1..] {
            worker.tables = tables.clone();
            worker.lists.layers = vec![0; layers];
        }
    }

    /// Makes the nodes of what is fresh; says whether the target is known to be reached in this layer
    /// or the next.
    pub(super) fn make_nodes<S: Set, const N: usize>(
        &mut self,
        isa: S::Isa,
        f: usize,
        budget: &SharedBudget,
    ) -> Result<bool, Limit> {
        let lookahead = self.lookahead;
        let mut reached = false;
        while !self.workers[0].lists.touched.is_empty() && !reached {
            let Worker { tables, lists, .. } = &mut self.workers[0];
            let layer = LayerPlan {
                f,
                lookahead,
                collect: self.collect,
            };
            reached = self.alone.make_nodes::<S, N>(isa, tables, layer, lists);
            self.check(budget)?;
        }
        Ok(reached)
    }

    /// Fills layer `f` by all goal-robot moves and all helper moves that lead there.
    pub(super) fn fill<S: Set, const N: usize>(
        &mut self,
        isa: S::Isa,
        f: usize,
        budget: &SharedBudget,
    ) -> Result<(), Limit> {
        if let Some(shared) = self.shared.as_mut().filter(|_| HAS_THREADS) {
            let lookahead = self.lookahead;
            let layer = LayerPlan {
                f,
                lookahead,
                collect: self.collect,
            };
            let workers = &mut self.workers[..self.working];
            return threads::fill::<S, N>(isa, shared, workers, layer, budget);
        }
        // Goal-robot moves first: often they lead to the target, and then the helper moves, which
        // are many more, need not be made.
        self.commit_later::<S>(isa, f, budget)?;
        self.make_nodes::<S, N>(isa, f, budget)?;
        if self.found().is_some_and(|found| found.f <= f + 1) || N == 0 {
            return Ok(());
        }
        let nodes = self.workers[0].lists.layer_before();
        self.workers[0].lists.counters.expanded += nodes.len() as u64;
        for begin in nodes.clone().step_by(NODES_AT_ONCE) {
            self.check(budget)?;
            let worker = &mut self.workers[0];
            isa.run(AllMoves::<S, N> {
                tables: &worker.tables,
                nodes: &worker.lists.nodes[begin..nodes.end.min(begin + NODES_AT_ONCE)],
                children: &mut worker.children,
                isa,
            });
            self.alone
                .commit::<S>(isa, worker.children.made(), &mut worker.lists);
            worker.children.clear();
        }
        self.check(budget)?;
        self.make_nodes::<S, N>(isa, f, budget)?;
        Ok(())
    }

    /// Adds what goal-robot moves reach in layer `f`.
    pub(super) fn commit_later<S: Set>(
        &mut self,
        isa: S::Isa,
        f: usize,
        budget: &SharedBudget,
    ) -> Result<(), Limit> {
        let lists = &mut self.workers[0].lists;
        let mut later = std::mem::take(&mut lists.later[f % WAITING]);
        for some in later.chunks(CHILDREN_AT_ONCE) {
            self.alone
                .commit_later::<S>(isa, some, &mut self.workers[0].lists);
            self.check(budget)?;
        }
        later.clear();
        self.workers[0].lists.later[f % WAITING] = later;
        Ok(())
    }

    /// Asked now and then; an error ends the search.
    pub(super) fn check(&self, budget: &SharedBudget) -> Result<(), Limit> {
        let lists: u64 = self.lists().map(Lists::bytes_soon).sum();
        let alone = || self.alone.bytes_soon();
        let shared = self.shared.as_ref();
        let configurations = shared.map_or_else(alone, SharedConfigurations::bytes_soon);
        let configurations = configurations + self.plans_bytes();
        let generated = self.lists().map(|lists| lists.counters.generated).sum();
        let most_nodes = self.lists().map(|lists| lists.nodes.len()).max();
        let last_number = most_nodes.unwrap_or(0) * self.working;
        budget.check(generated, lists + configurations, last_number)
    }
}

/// A state as the set search has it: the helpers' key and the goal robot's cell.
pub(super) fn packed(puzzle: &Puzzle, state: ricochet_core::State) -> (u32, u8) {
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

/// How far a search has come.
pub(super) struct Progress {
    /// The helpers' key and the goal robot's cell at the start.
    start: (u32, u8),
    /// The bound of the start: the first layer.
    pub(super) first: u32,
    /// The layer that is next.
    pub(super) next: u32,
    /// No solution has fewer moves.
    pub(super) proven: u32,
}

#[cfg(test)]
mod tests {
    use ricochet_core::generate::{RandomBoard, Recipe};

    use super::*;
    use crate::NullObserver;
    use crate::lowlevel::instructions::Portable;
    use crate::lowlevel::portable::PortableSet;

    /// Divides searches at once, so that even the smallest is done by all threads.
    #[test]
    #[cfg_attr(miri, ignore = "a board's tables are too much for it")]
    fn threads_change_no_length_of_small_searches() {
        let mut alone = SetSearch::new();
        let mut together = [2, 3].map(|threads| SetSearch {
            threads,
            divide_from: 1,
            use_plans: false,
            ..SetSearch::new()
        });
        let mut divided = 0;
        for robots in 2..=5 {
            let recipe = Recipe {
                robots,
                ..Recipe::random(RandomBoard::new(6, 5))
            };
            for number in 0..200 {
                let puzzle = recipe.puzzle(7, number).expect("a puzzle");
                if puzzle.is_solved(puzzle.start()) || !SetSearch::fits(&puzzle) {
                    continue;
                }
                let expected = length(&mut alone, &puzzle);
                for search in &mut together {
                    assert_eq!(
                        length(search, &puzzle),
                        expected,
                        "{robots} robots, {number}"
                    );
                    divided += usize::from(search.shared.is_some());
                }
            }
        }
        assert!(divided > 500, "{divided}");
    }

    /// Guides searches from the first layer on, so that even the smallest is guided.
    #[test]
    #[cfg_attr(miri, ignore = "a board's tables are too much for it")]
    fn plans_change_no_length_of_small_searches() {
        let mut plain = SetSearch {
            use_plans: false,
            ..SetSearch::new()
        };
        let mut planning = SetSearch {
            guide_from: 0,
            least_raise: 0,
            ..SetSearch::new()
        };
        let mut guided = 0;
        for robots in 2..=5 {
            for board in [RandomBoard::new(6, 5), RandomBoard::new(12, 16)] {
                let recipe = Recipe {
                    robots,
                    ..Recipe::random(board)
                };
                for number in 0..150 {
                    let puzzle = recipe.puzzle(8, number).expect("a puzzle");
                    if puzzle.is_solved(puzzle.start()) || !SetSearch::fits(&puzzle) {
                        continue;
                    }
                    let expected = length(&mut plain, &puzzle);
                    let found = length(&mut planning, &puzzle);
                    // A limit may leave another bound, but both solve or neither.
                    match (expected, found) {
                        (Some(a), Some(b)) if a > 100 && b > 100 => {}
                        _ => assert_eq!(found, expected, "{robots} robots, {number}"),
                    }
                    guided += usize::from(planning.is_guided());
                }
            }
        }
        assert!(guided > 300, "{guided}");
    }

    /// `None` if there is no solution.
    fn length(search: &mut SetSearch, puzzle: &Puzzle) -> Option<usize> {
        let limits = Limits {
            moves: Some(12),
            ..Limits::default()
        };
        let meter = Meter::start(&limits);
        let mut report = SearchReport::default();
        match search.run::<PortableSet>(
            Portable,
            puzzle,
            &limits,
            &meter,
            &mut NullObserver,
            &mut report,
        ) {
            SearchEnd::Solved(solution) => {
                assert!(solution.replay(puzzle).is_ok());
                Some(solution.len())
            }
            SearchEnd::Unsolvable => None,
            SearchEnd::Limit { limit, lower_bound } => {
                assert_eq!(limit, Limit::Moves);
                Some(100 + lower_bound as usize)
            }
        }
    }

    /// Goal-robot moves and helper moves may both lead to it.
    #[test]
    #[cfg_attr(miri, ignore = "a board's tables are too much for it")]
    fn a_configuration_has_one_node_in_a_layer() {
        let puzzle = ricochet_core::formats::read("7650+42+E2302B12+C9").unwrap();
        let puzzle = puzzle[0].clone().validate().unwrap();
        for (use_plans, moves, nodes_at_least) in [(false, 14, 10_000), (true, 18, 10_000)] {
            let mut search = SetSearch {
                use_plans,
                ..SetSearch::new()
            };
            let limits = Limits {
                moves: Some(moves),
                ..Limits::default()
            };
            let (meter, mut report) = (Meter::start(&limits), SearchReport::default());
            search.run::<PortableSet>(
                Portable,
                &puzzle,
                &limits,
                &meter,
                &mut NullObserver,
                &mut report,
            );
            assert_eq!(search.is_guided(), use_plans);
            let lists = &search.workers[0].lists;
            let ends = lists.layers[1..].iter().copied().chain([lists.nodes.len()]);
            for (&begin, end) in lists.layers.iter().zip(ends) {
                let nodes = lists.nodes[begin..end].iter();
                let mut keys: Vec<u32> = nodes.map(|node| node.key).collect();
                keys.sort_unstable();
                keys.dedup();
                assert_eq!(keys.len(), end - begin);
            }
            let nodes = lists.nodes.len();
            assert!(nodes > nodes_at_least, "{nodes}");
        }
    }

    /// What is kept between searches is beside what the next one may use.
    #[test]
    #[cfg_attr(miri, ignore = "a board's tables are too much for it")]
    fn little_is_kept_where_memory_is_limited() {
        let hard = ricochet_core::formats::read("7650+42+E2302B12+C9").unwrap();
        let hard = hard[0].clone().validate().unwrap();
        let run = |search: &mut SetSearch, memory| {
            let limits = Limits {
                moves: Some(20),
                memory,
                ..Limits::default()
            };
            let (meter, mut report) = (Meter::start(&limits), SearchReport::default());
            search.run::<PortableSet>(
                Portable,
                &hard,
                &limits,
                &meter,
                &mut NullObserver,
                &mut report,
            );
            report
        };
        for threads in [1, 2] {
            let mut search = SetSearch {
                threads,
                ..SetSearch::new()
            };
            let kept = |search: &SetSearch| {
                let shared = search.shared.iter().chain(&search.spare);
                let shared: u64 = shared.map(SharedConfigurations::bytes_kept).sum();
                let lists = search.workers.iter().map(|worker| &worker.lists);
                let lists: u64 = lists.map(Lists::bytes_soon).sum();
                shared + lists + search.alone.bytes_kept()
            };
            let roomy = run(&mut search, None);
            assert!(kept(&search) > 8 << 20, "{}", kept(&search));
            let limited = run(&mut search, Some(1 << 30));
            assert_eq!(roomy.counters.generated, limited.counters.generated);
            assert!(kept(&search) < 6 << 20, "{}", kept(&search));
            run(&mut search, Some(1 << 30));
            assert!(kept(&search) < 6 << 20, "{}", kept(&search));
        }
    }
}
