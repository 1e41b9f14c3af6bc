//! The flagship: the thesis's graph search made complete, over sets of cells.
//!
//! The thesis searches over configurations of the helpers, runs one breadth-first search of the
//! goal robot in each, and names 'to move all robots including the GR' as the way to an optimal
//! algorithm ('Future Work', Graph). Here a node is a configuration with a *set* of goal-robot
//! cells. Layers of `f = g + h`, with the minimum-moves map of the slides as `h`, are filled in
//! ascending order, and a child is made only when its layer is filled. `docs/design/flagship.md`
//! proves that the answer is optimal and explains each pruning.
//!
//! | file | what |
//! |---|---|
//! | `task`, `dispatch` | the task and its result; code for the processor's instructions |
//! | `layers` | the layers one after the other, with one search for each goal robot: when to stop |
//! | `threads` | a layer filled by several threads |
//! | `small/` | boards of at most 16×16 without diagonals, at most five robots |
//! | `wide/` | larger boards, more robots, diagonals |
//! | `must_ricochet` | the same layers, state by state, for the rule that the robot has to ricochet |
//!
//! In [`Stats`], `nodes` and `generated` count children, `stored` counts nodes, and `hits` counts
//! duplicates.

// The inner loops are one function for each kind of set and number of helpers, so that all of their
// code is compiled for the processor's instructions: every function they call must be inlined.
#![allow(clippy::inline_always)]

mod dispatch;
mod layers;
mod must_ricochet;
mod small;
mod task;
mod threads;
mod wide;

use ricochet_core::{Puzzle, Rules, Solution, State};

use crate::lowlevel::instructions::{Instructions, Portable};
use crate::lowlevel::set::Set;
use crate::registry::{Options, Parameter, SolverInfo, SpecError};
use crate::{Budget, Guarantee, Limits, Meter, Observer, Outcome, Solver, Stats};
use dispatch::{Specialized, dispatch};
pub(crate) use must_ricochet::search_with_past;
use small::SmallSearch;
pub(crate) use task::SearchEnd;
use task::{SearchReport, Switches, Task};

/// The registry's entry for this solver.
pub const INFO: SolverInfo = SolverInfo {
    name: "flagship",
    guarantee: Guarantee::Optimal,
    source: "ours; Ricochet Robots thesis, 'Future Work' (graph search that moves all robots)",
    summary: "best-first over helper configurations and sets of goal-robot cells",
    parameters: &[
        Parameter {
            key: "simd",
            default: "auto",
            help: "auto, or off for the portable code",
        },
        Parameter {
            key: "lookahead",
            default: "on",
            help: "look for the target one layer ahead instead of making that layer",
        },
        Parameter {
            key: "plans",
            default: "on",
            help: "in large searches, count the helper moves needed to stop the goal robot",
        },
        Parameter {
            key: "threads",
            default: "1",
            help: "threads for a large search",
        },
    ],
    build: |options: &Options| -> Result<Box<dyn Solver>, SpecError> {
        let simd = options.choice("simd", ["auto", "off"], "auto or off")? == 0;
        let flagship = Flagship::new()
            .simd(simd)
            .lookahead(options.switch("lookahead", true)?)
            .plans(options.switch("plans", true)?)
            .threads(options.number("threads", 1)? as usize);
        Ok(Box::new(flagship))
    },
};

const MAX_THREADS: usize = 256;

/// The solver; see the module's documentation.
///
/// ```
/// use ricochet_solve::flagship::Flagship;
/// use ricochet_solve::{Limits, NullObserver, Solver};
/// let puzzle = ricochet_core::formats::read("7650+42+E2302B12+C9")?.remove(0).validate()?;
/// let mut solver = Flagship::new();
/// // This position needs 25 moves; a limit keeps the example short.
/// let limits = Limits { moves: Some(8), ..Limits::default() };
/// let (outcome, _) = solver.solve(&puzzle, &limits, &mut NullObserver);
/// assert_eq!(outcome.lower_bound(), Some(9));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Flagship {
    instructions: Instructions,
    switches: Switches,
    /// One for each goal robot, as far as they have been needed.
    searches: Vec<SmallSearch>,
}

impl Default for Flagship {
    fn default() -> Self {
        Self::new()
    }
}

impl Flagship {
    /// A solver with one thread and the best instructions that the processor has.
    pub fn new() -> Self {
        Self {
            instructions: Instructions::detect(),
            switches: Switches {
                threads: 1,
                lookahead: true,
                plans: true,
            },
            searches: Vec::new(),
        }
    }

    /// Sets how many threads work on a large search: at least one, at most 256. The length of the
    /// solution does not depend on it, but which of the shortest solutions is found may.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.set_threads(threads);
        self
    }

    /// Changes the number of threads of an existing solver.
    pub(crate) fn set_threads(&mut self, threads: usize) {
        self.switches.threads = threads.clamp(1, MAX_THREADS);
    }

    /// Sets whether it uses the processor's vector instructions (the default) or portable code
    /// only.
    #[must_use]
    pub fn simd(mut self, simd: bool) -> Self {
        self.instructions = if simd {
            Instructions::detect()
        } else {
            Instructions::Portable(Portable)
        };
        self
    }

    /// Sets whether it looks for the target one layer ahead (the default) instead of filling that
    /// layer.
    #[must_use]
    pub fn lookahead(mut self, lookahead: bool) -> Self {
        self.switches.lookahead = lookahead;
        self
    }

    /// Sets whether the bound of large searches also counts the helper moves without which the goal
    /// robot cannot stop on the cells it has to stop on (the default).
    #[must_use]
    pub fn plans(mut self, plans: bool) -> Self {
        self.switches.plans = plans;
        self
    }
}

impl Solver for Flagship {
    fn name(&self) -> &'static str {
        INFO.name
    }

    fn guarantee(&self) -> Guarantee {
        INFO.guarantee
    }

    fn solve(
        &mut self,
        puzzle: &Puzzle,
        limits: &Limits,
        watch: &mut dyn Observer,
    ) -> (Outcome, Stats) {
        let meter = Meter::start(limits);
        let mut stats = Stats::default();
        if puzzle.is_solved(puzzle.start()) {
            if let Some(recorder) = watch.recorder() {
                recorder.solution(None, &[]);
            }
            stats.time = meter.elapsed();
            return (Outcome::optimal(Solution::default()), stats);
        }
        let ended = if puzzle.rules().must_ricochet {
            self.search_to_ricochet(puzzle, limits, &meter, watch, &mut stats)
        } else {
            self.search_freely(puzzle, limits, &meter, watch, &mut stats)
        };
        let outcome = match ended {
            SearchEnd::Solved(mut solutions) => {
                let (_, solution) = solutions.pop().expect("a solution");
                solution.replay(puzzle).expect("every solution replays");
                if let Some(recorder) = watch.recorder() {
                    recorder.solution(None, solution.moves());
                }
                Outcome::optimal(solution)
            }
            SearchEnd::Unsolvable => Outcome::Unsolvable,
            SearchEnd::Limit { limit, lower_bound } => Outcome::LimitReached { limit, lower_bound },
        };
        stats.time = meter.elapsed();
        (outcome, stats)
    }

    fn release(&mut self) {
        self.searches.clear();
    }
}

impl Flagship {
    /// Whether [`Flagship::nearest`] accepts a puzzle.
    pub(crate) fn finds_nearest(puzzle: &Puzzle) -> bool {
        puzzle.goal().robot.is_some() && SmallSearch::fits(&without_ricochet(puzzle))
    }

    /// Of several states of a puzzle, the ones that are nearest to its target, each with a shortest
    /// solution. The rule `must_ricochet` is not supported.
    pub(crate) fn nearest(
        &mut self,
        puzzle: &Puzzle,
        starts: &[State],
        limits: &Limits,
        watch: &mut dyn Observer,
    ) -> (SearchEnd, Stats) {
        let meter = Meter::start(limits);
        let mut stats = Stats::default();
        let task = Task {
            puzzle,
            starts,
            all_nearest: true,
            switches: self.switches,
            limits,
            meter: &meter,
        };
        let end = self.search(&task, watch, &mut stats);
        stats.time = meter.elapsed();
        (end, stats)
    }

    /// Chooses the search for a task. The puzzle must not require a ricochet and must not be solved
    /// already.
    fn search(&mut self, task: &Task, watch: &mut dyn Observer, stats: &mut Stats) -> SearchEnd {
        let mut report = SearchReport::default();
        let end = if SmallSearch::fits(task.puzzle) {
            let robots = task.puzzle.start().len();
            let searches = task.puzzle.goal().robot.map_or(robots, |_| 1);
            let kept = searches.max(self.searches.len());
            self.searches.resize_with(kept, SmallSearch::new);
            let search = SearchSmallBoard {
                searches: &mut self.searches,
                task,
                watch,
                report: &mut report,
            };
            dispatch(self.instructions, robots - 1, search)
        } else {
            wide::run(task, watch, &mut report)
        };
        report.into_stats(stats);
        end
    }

    /// Searches from the start of a puzzle without the rule `must_ricochet`.
    fn search_freely(
        &mut self,
        puzzle: &Puzzle,
        limits: &Limits,
        meter: &Meter,
        watch: &mut dyn Observer,
        stats: &mut Stats,
    ) -> SearchEnd {
        let task = Task {
            puzzle,
            starts: &[puzzle.start()],
            all_nearest: false,
            switches: self.switches,
            limits,
            meter,
        };
        self.search(&task, watch, stats)
    }

    /// Searches as if a ricochet were not required: if the shortest solution found has a ricochet
    /// anyway, it is also a shortest of those that do. Few have none; only then does a robot's path
    /// become part of a state.
    fn search_to_ricochet(
        &mut self,
        puzzle: &Puzzle,
        limits: &Limits,
        meter: &Meter,
        watch: &mut dyn Observer,
        stats: &mut Stats,
    ) -> SearchEnd {
        let free = without_ricochet(puzzle);
        let mut budget = Budget::start(limits);
        let mut proven = 0;
        if !free.is_solved(free.start()) {
            match self.search_freely(&free, limits, meter, watch, stats) {
                SearchEnd::Solved(solutions) if solutions[0].1.replay(puzzle).is_err() => {
                    proven = solutions[0].1.len() as u32;
                }
                end => return end,
            }
        }
        // The first search counts against the limits; its memory is freed.
        self.release();
        let before = std::mem::take(stats);
        if let Some(recorder) = watch.recorder() {
            recorder.restart(None);
        }
        budget.charge(before.nodes);
        let end = must_ricochet::search_with_past(puzzle, 0, &budget.left(), watch, stats);
        stats.nodes += before.nodes;
        stats.generated += before.generated;
        stats.hits += before.hits;
        stats.expanded += before.expanded;
        stats.peak_bytes = stats.peak_bytes.max(before.peak_bytes);
        match end {
            SearchEnd::Limit { limit, lower_bound } => SearchEnd::Limit {
                limit,
                lower_bound: lower_bound.max(proven),
            },
            end => end,
        }
    }
}

/// A task on a small board.
struct SearchSmallBoard<'a> {
    searches: &'a mut [SmallSearch],
    task: &'a Task<'a>,
    watch: &'a mut dyn Observer,
    report: &'a mut SearchReport,
}

impl Specialized for SearchSmallBoard<'_> {
    type Output = SearchEnd;

    fn run<S: Set, const N: usize>(self, isa: S::Isa) -> SearchEnd {
        small::run::<S, N>(self.searches, isa, self.task, self.watch, self.report)
    }
}

fn without_ricochet(puzzle: &Puzzle) -> Puzzle {
    puzzle.clone().with_rules(Rules {
        must_ricochet: false,
    })
}
