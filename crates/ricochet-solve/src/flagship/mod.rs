//! The flagship: the thesis's graph search made complete, over sets of cells.
//!
//! The thesis searches over configurations of the helpers, runs one breadth-first search of the
//! goal robot in each, and names 'to move all robots including the GR' as the way to an optimal
//! algorithm ('Future Work', Graph). Here a node is a configuration with a *set* of goal-robot
//! cells; layers of `f = g + h`, with the slides' minimum-moves map as `h`, are worked on in
//! order, and a child is made only when its layer has its turn. `docs/design/flagship.md` proves that the answer
//! is optimal and says what each pruning does.
//!
//! | file | what |
//! |---|---|
//! | `search`, `search_report`, `shared_budget` | the layers one after the other, and their limits |
//! | `way_back` | rebuilding the solution |
//! | `layer` | moves of the helpers: all of them, or the last one before the target |
//! | `goal` | moves of the goal robot |
//! | `plans/`, `bit_matrix`, `guided/` | a better bound for large searches, and the layers with it |
//! | `lists`, `nodes` | nodes, and what waits for later layers |
//! | `configurations`, `entries`, `index`, `config` | the configurations that have been met, and the states seen with them |
//! | `threads`, `shared_configurations`, `shared_index` | a layer filled by several threads, and the same for them |
//! | `nearest` | one search from several states: which of them are nearest to the target |
//! | `named` | from states back to moves of robots with names |
//! | `tables` | what is known of a board and a target before searching |
//! | `dispatch` | code for the processor's instructions; the sets themselves are in `lowlevel` |
//! | `any_robot` | goals that any robot may reach: one search for each |
//! | `wide` | sets for larger boards, more robots, diagonals |
//! | `general` | the same layers state by state, where `must_ricochet` needs it |
//!
//! A *node* in [`Stats`] is a child made (`nodes`, `generated`); `stored` counts configurations per
//! layer, `hits` children of which nothing was new.

// The inner loops are one function for each kind of set and number of helpers, so that all of it is
// compiled for the processor's instructions: whatever is called there must be inlined.
#![allow(clippy::inline_always)]

mod any_robot;
mod bit_matrix;
mod children;
mod config;
mod configuration_index;
mod configurations;
mod dispatch;
mod entries;
mod general;
mod goal;
mod guided;
mod layer;
mod lists;
mod made;
mod named;
mod nearest;
mod nodes;
mod plans;
mod search;
mod search_report;
mod shared_budget;
mod shared_configurations;
mod shared_index;
mod tables;
mod threads;
mod way_back;
mod wide;

use ricochet_core::{Puzzle, Rules, Solution, State};

use crate::lowlevel::instructions::{Instructions, Portable};
use crate::registry::{Options, Parameter, SolverInfo, SpecError};
use crate::{Guarantee, Limits, Meter, Observer, Outcome, Solver, Stats};
use any_robot::{AnyRobot, Question};
use nearest::Nearest;
pub(crate) use nearest::NearestEnd;
use search::SetSearch;
use search_report::{SearchEnd, SearchReport};

/// How the registry lists it.
///
/// ```
/// let keys: Vec<&str> = ricochet_solve::flagship::INFO.parameters.iter().map(|p| p.key).collect();
/// assert!(keys.contains(&"simd"));
/// ```
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

const MOST_THREADS: usize = 256;

/// The solver; see the module's documentation.
///
/// ```
/// use ricochet_solve::flagship::Flagship;
/// use ricochet_solve::{Limits, NullObserver, Solver};
/// let puzzle = ricochet_core::formats::read("7650+42+E2302B12+C9")?.remove(0).validate()?;
/// let mut solver = Flagship::new();
/// // This position needs 25 moves; nobody has to wait for that here.
/// let limits = Limits { moves: Some(8), ..Limits::default() };
/// let (outcome, _) = solver.solve(&puzzle, &limits, &mut NullObserver);
/// assert_eq!(outcome.lower_bound(), Some(9));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Flagship {
    instructions: Instructions,
    sets: SetSearch,
    any_robot: AnyRobot,
}

impl Default for Flagship {
    fn default() -> Self {
        Self::new()
    }
}

impl Flagship {
    /// One thread, with the best instructions that the processor has.
    ///
    /// ```
    /// use ricochet_core::notation;
    /// use ricochet_solve::flagship::Flagship;
    /// use ricochet_solve::{Limits, NullObserver, Solver};
    /// let puzzle = notation::parse_line("4x3..0012.R31")?.validate()?;
    /// let (outcome, _) = Flagship::new().solve(&puzzle, &Limits::default(), &mut NullObserver);
    /// assert_eq!(outcome.solution().map(|solution| solution.len()), Some(3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new() -> Self {
        Self {
            instructions: Instructions::detect(),
            sets: SetSearch::new(),
            any_robot: AnyRobot::default(),
        }
    }

    /// How many threads work on a large search: at least one, at most 256. The length that is
    /// found does not depend on it, but which of the shortest solutions is found may.
    ///
    /// ```
    /// use ricochet_solve::flagship::Flagship;
    /// let solver = Flagship::new().threads(2);
    /// ```
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.sets.threads = threads.clamp(1, MOST_THREADS);
        self
    }

    /// Whether it uses the processor's vector instructions (the default) or portable code only.
    ///
    /// ```
    /// use ricochet_solve::flagship::Flagship;
    /// let solver = Flagship::new().simd(false);
    /// ```
    #[must_use]
    pub fn simd(mut self, simd: bool) -> Self {
        self.instructions = if simd {
            Instructions::detect()
        } else {
            Instructions::Portable(Portable)
        };
        self
    }

    /// Whether it looks for the target one layer ahead (the default) instead of making that layer.
    ///
    /// ```
    /// use ricochet_solve::flagship::Flagship;
    /// let solver = Flagship::new().lookahead(false);
    /// ```
    #[must_use]
    pub fn lookahead(mut self, lookahead: bool) -> Self {
        self.sets.lookahead = lookahead;
        self
    }

    /// Whether large searches count the helper moves without which the goal robot cannot stop where it
    /// has to (the default).
    ///
    /// ```
    /// use ricochet_solve::flagship::Flagship;
    /// let solver = Flagship::new().plans(false);
    /// ```
    #[must_use]
    pub fn plans(mut self, plans: bool) -> Self {
        self.sets.use_plans = plans;
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
            stats.time = meter.elapsed();
            return (Outcome::optimal(Solution::default()), stats);
        }
        let ended = if puzzle.rules().must_ricochet {
            self.search_to_ricochet(puzzle, limits, &meter, watch, &mut stats)
        } else {
            self.search(puzzle, limits, &meter, watch, &mut stats)
        };
        let outcome = match ended {
            SearchEnd::Solved(solution) => {
                solution.replay(puzzle).expect("every solution replays");
                Outcome::optimal(solution)
            }
            SearchEnd::Unsolvable => Outcome::Unsolvable,
            SearchEnd::Limit { limit, lower_bound } => Outcome::LimitReached { limit, lower_bound },
        };
        stats.time = meter.elapsed();
        (outcome, stats)
    }

    fn release(&mut self) {
        self.sets = self.sets.anew();
        self.any_robot.release();
    }
}

impl Flagship {
    /// Whether [`Flagship::nearest`] can take a puzzle.
    pub(crate) fn finds_nearest(puzzle: &Puzzle) -> bool {
        let free = puzzle.clone().with_rules(Rules {
            must_ricochet: false,
        });
        SetSearch::fits(&free)
    }

    /// Of several states of a puzzle, those that are nearest to its target, each with a shortest
    /// solution; on one thread, and without the rule `must_ricochet`.
    pub(crate) fn nearest(
        &mut self,
        puzzle: &Puzzle,
        from: &[State],
        limits: &Limits,
        watch: &mut dyn Observer,
    ) -> (NearestEnd, Stats) {
        let meter = Meter::start(limits);
        let (mut stats, mut report) = (Stats::default(), SearchReport::default());
        let question = Nearest {
            puzzle,
            from,
            limits,
            meter: &meter,
        };
        let ended = dispatch::nearest(
            self.instructions,
            &mut self.sets,
            &question,
            watch,
            &mut report,
        );
        report.into_stats(&mut stats);
        stats.time = meter.elapsed();
        (ended, stats)
    }

    /// Searches over sets; the puzzle does not ask for a ricochet and is not solved already.
    fn search(
        &mut self,
        puzzle: &Puzzle,
        limits: &Limits,
        meter: &Meter,
        watch: &mut dyn Observer,
        stats: &mut Stats,
    ) -> SearchEnd {
        let mut report = SearchReport::default();
        let ended = if SetSearch::fits(puzzle) {
            let (instructions, sets) = (self.instructions, &mut self.sets);
            dispatch::run(
                instructions,
                sets,
                puzzle,
                limits,
                meter,
                watch,
                &mut report,
            )
        } else if AnyRobot::fits(puzzle) {
            let question = Question {
                puzzle,
                lookahead: self.sets.lookahead,
                limits,
                meter,
            };
            let (instructions, searches) = (self.instructions, &mut self.any_robot);
            dispatch::any_robot(instructions, searches, &question, watch, &mut report)
        } else {
            let question = wide::Question {
                puzzle,
                lookahead: self.sets.lookahead,
                threads: self.sets.threads,
                divide_from: wide::DIVIDE_FROM,
                limits,
            };
            return wide::run(&question, watch, stats);
        };
        report.into_stats(stats);
        ended
    }

    /// Searches as if no ricochet were asked for: a shortest solution that has one is a shortest of
    /// those that have. Few have none; only then what a robot has travelled has to be part of a state.
    fn search_to_ricochet(
        &mut self,
        puzzle: &Puzzle,
        limits: &Limits,
        meter: &Meter,
        watch: &mut dyn Observer,
        stats: &mut Stats,
    ) -> SearchEnd {
        let free = puzzle.clone().with_rules(Rules {
            must_ricochet: false,
        });
        let mut proven = 0;
        if !free.is_solved(free.start()) {
            let ended = self.search(&free, limits, meter, watch, stats);
            match ended {
                SearchEnd::Solved(solution) if solution.replay(puzzle).is_err() => {
                    proven = solution.len() as u32;
                }
                ended => return ended,
            }
        }
        // What the first search has used is gone, and what it holds is given back.
        self.release();
        let before = std::mem::take(stats);
        let rest = Limits {
            time: limits.time.map(|time| time.saturating_sub(meter.elapsed())),
            nodes: limits.nodes.map(|nodes| nodes.saturating_sub(before.nodes)),
            ..limits.clone()
        };
        let ended = general::run(puzzle, &rest, watch, stats);
        stats.nodes += before.nodes;
        stats.generated += before.generated;
        stats.hits += before.hits;
        stats.expanded += before.expanded;
        stats.peak_bytes = stats.peak_bytes.max(before.peak_bytes);
        match ended {
            SearchEnd::Limit { limit, lower_bound } => SearchEnd::Limit {
                limit,
                lower_bound: lower_bound.max(proven),
            },
            ended => ended,
        }
    }
}
