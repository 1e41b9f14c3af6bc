//! The thesis's graph solvers ('Graph v1', 'Graph v2', 'Future Work'; the two drafts have the
//! pseudocode).
//!
//! 'The algorithm assumes that all moves by the OR can be applied before the GR moves towards the
//! goal.' A first-in, first-out queue holds configurations of the obstacle robots (OR); for each,
//! the board's graph is adapted to them and searched breadth first for the goal
//! robot (GR). The OR see the GR only where it starts. Solutions that need an OR to move after the
//! GR has are not found, so these solvers are not optimal; about nine in ten of their solutions are.
//!
//! - `graph-v1` stops when `B.best < s.moves + 2`.
//! - `graph-v2` stops by `min[GR]` from the [minimum-moves map](crate::heuristics::bound), and ends the
//!   breadth-first searches early.
//! - `graph-bounded` (Future Work: 'setting an upper bound for the search field and initiate the
//!   pruning earlier'; the draft's 'tricky part') is `graph-v2` that starts with a solution of
//!   `stateless` as `B`.
//! - `graph-complete` (Future Work; the draft's notes: 'Move all robots in each direction –
//!   including the goal robot … Combine v1 + v2 for an always optimal solution') queues the moves
//!   of the GR as well and searches its way from where it is in each state. Every solution ends with
//!   some moves of the GR alone, perhaps only its last; the search from the state before them finds
//!   them. So it is optimal, and when the queue runs dry the puzzle is unsolvable.
//!
//! # Readings
//!
//! - SOLVER line 20, `if r != NIL V (r.d + s.moves) < B.best`: the OR must be an AND.
//! - SOLVER line 5, `s.best = 0`: it is `s.moves` that starts at 0.
//! - DISTANT-VERTEX, case 2c: the *robot behind the child* is the most distant vertex, since its own
//!   edge back changes too; the text's figure and the pseudocode agree, the list of cases does not
//!   say. Case 2a removes an edge and returns NIL; here it returns the neighbour, on which
//!   PLACE-ROBOT then does exactly that.
//! - PLACE-ROBOT line 13 steps from `(i,j)`, which would never move on: it steps from `v1`. Its loop
//!   ends when `v1` *becomes* `v2`, before the edge of `v2` is removed: it is removed after the loop.
//! - Version 2 says `B.best < s.moves + min[GR]`. Version 1's `B.best < s.moves + 2` is
//!   `B.best ≤ s.moves + 1`: no better solution can come once the best so far is no longer than the
//!   moves made plus the least that the GR needs. Read the same way, version 2 stops at
//!   `B.best ≤ s.moves + min[GR]`; as it is printed it would stop later than version 1 where
//!   `min[GR]` is 1. The solutions are the same either way.
//! - 'The BFS is slightly modified to return the node corresponding to the given Goal Field or NIL':
//!   it ends when it discovers the goal.
//! - Game states are compared as they are, as in the naive algorithm: two helpers that have changed
//!   places make another state.
//!
//! # What is counted
//!
//! `expanded` is the number of breadth-first searches and `nodes` the number of vertices that they
//! discovered, so `nodes / expanded` is the figure of which the thesis says '~60' for version 1 and
//! '~15' for version 2. `stored` is the number of configurations. A limit on nodes counts the same.
//!
//! Diagonals, any-robot goals and `must_ricochet` are not supported: the graph knows one goal robot,
//! straight lines, and fields without a past.

mod search;
mod slides_graph;

use ricochet_core::{Puzzle, Robot};

use crate::memory::meter::MemoryMeter;
use crate::published::stateless::upper_bound;
use crate::registry::SolverInfo;
use crate::state_space::replayed;
use crate::state_space::visited::Packing;
use crate::trace::Watch;
use crate::{Failure, Guarantee, Limit, Limits, Observer, Outcome, Solver, Stats, Unsupported};

use search::GraphSearch;

/// The line of `graph-v1` in the registry.
pub const V1: SolverInfo = SolverInfo {
    name: "graph-v1",
    guarantee: Guarantee::Any,
    source: "Ricochet Robots thesis, 'Graph v1'; draft 'Graph-DP' (pseudocode)",
    summary: "breadth-first searches of the goal robot over configurations of the others",
    parameters: &[],
    build: |_| Ok(Box::new(GraphSolver::v1())),
};

/// The line of `graph-v2` in the registry.
pub const V2: SolverInfo = SolverInfo {
    name: "graph-v2",
    guarantee: Guarantee::Any,
    source: "Ricochet Robots thesis, 'Graph v2'",
    summary: "graph-v1 that ends early by the minimum-moves map",
    parameters: &[],
    build: |_| Ok(Box::new(GraphSolver::v2())),
};

/// The line of `graph-complete` in the registry.
pub const COMPLETE: SolverInfo = SolverInfo {
    name: "graph-complete",
    guarantee: Guarantee::Optimal,
    source: "Ricochet Robots thesis, 'Future Work', Graph; draft 'Graph v2' (notes)",
    summary: "graph-v2 that moves all robots, the goal robot included: always optimal",
    parameters: &[],
    build: |_| Ok(Box::new(GraphSolver::complete())),
};

/// The line of `graph-bounded` in the registry.
pub const BOUNDED: SolverInfo = SolverInfo {
    name: "graph-bounded",
    guarantee: Guarantee::Any,
    source: "Ricochet Robots thesis, 'Future Work', Graph",
    summary: "graph-v2 with a solution of stateless as the upper bound up front",
    parameters: &[],
    build: |_| Ok(Box::new(GraphSolver::bounded())),
};

/// What tells the versions apart.
#[derive(Clone, Copy, Debug)]
struct Variant {
    name: &'static str,
    uses_minimum_moves: bool,
    moves_goal_robot: bool,
    /// Whether `stateless` looks for an upper bound first.
    bounded: bool,
}

/// One of the thesis's graph solvers.
///
/// ```
/// use ricochet_core::notation;
/// use ricochet_solve::published::graph::GraphSolver;
/// use ricochet_solve::{Limits, NullObserver, Solver};
/// let puzzle = notation::parse_line("8x8..0033.R77")?.validate()?;
/// let (outcome, stats) = GraphSolver::v2().solve(&puzzle, &Limits::default(), &mut NullObserver);
/// assert_eq!(outcome.solution().map(|solution| solution.len()), Some(2));
/// assert_eq!(stats.expanded, 1, "one breadth-first search was enough");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct GraphSolver {
    variant: Variant,
}

impl GraphSolver {
    /// `graph-v1`.
    pub fn v1() -> Self {
        let variant = Variant {
            name: V1.name,
            uses_minimum_moves: false,
            moves_goal_robot: false,
            bounded: false,
        };
        Self { variant }
    }

    /// `graph-v2`: ends early by the minimum-moves map.
    pub fn v2() -> Self {
        let variant = Variant {
            name: V2.name,
            uses_minimum_moves: true,
            ..Self::v1().variant
        };
        Self { variant }
    }

    /// `graph-complete`: moves the goal robot as well, so that it is always optimal.
    pub fn complete() -> Self {
        let variant = Variant {
            name: COMPLETE.name,
            moves_goal_robot: true,
            ..Self::v2().variant
        };
        Self { variant }
    }

    /// `graph-bounded`: starts with a solution of `stateless` as the upper bound.
    pub fn bounded() -> Self {
        let variant = Variant {
            name: BOUNDED.name,
            bounded: true,
            ..Self::v2().variant
        };
        Self { variant }
    }
}

impl Solver for GraphSolver {
    fn name(&self) -> &'static str {
        self.variant.name
    }

    fn guarantee(&self) -> Guarantee {
        if self.variant.moves_goal_robot {
            Guarantee::Optimal
        } else {
            Guarantee::Any
        }
    }

    fn supports(&self, puzzle: &Puzzle) -> Result<(), Unsupported> {
        supports(puzzle).map(|_| ())
    }

    fn solve(
        &mut self,
        puzzle: &Puzzle,
        limits: &Limits,
        watch: &mut dyn Observer,
    ) -> (Outcome, Stats) {
        let mut meter = MemoryMeter::start(limits);
        let goal_robot = match supports(puzzle) {
            Ok(goal_robot) => goal_robot,
            Err(unsupported) => {
                let outcome = Outcome::Failed {
                    failure: Failure::Unsupported(unsupported),
                    lower_bound: 0,
                };
                return (outcome, Stats::default());
            }
        };
        let watch = &mut Watch::new(watch);
        let (outcome, stats) = solve(puzzle, self.variant, goal_robot, limits, &mut meter, watch);
        (outcome, meter.finish(stats))
    }
}

/// The goal robot, or what the graph cannot express.
fn supports(puzzle: &Puzzle) -> Result<Robot, Unsupported> {
    if !puzzle.board().diagonals().is_empty() {
        return Err(Unsupported { what: "diagonals" });
    }
    if puzzle.rules().must_ricochet {
        return Err(Unsupported {
            what: "must_ricochet",
        });
    }
    puzzle.goal().robot.ok_or(Unsupported {
        what: "an any-robot target",
    })
}

fn solve(
    puzzle: &Puzzle,
    variant: Variant,
    goal_robot: Robot,
    limits: &Limits,
    meter: &mut MemoryMeter,
    watch: &mut Watch<'_>,
) -> (Outcome, Stats) {
    if puzzle.is_on_target(puzzle.start()) {
        watch.trace(|recorder| recorder.solution(None, &[]));
        let outcome = Outcome::optimal(replayed(puzzle, Vec::new()));
        return (outcome, Stats::default());
    }
    let limit = |limit, lower_bound| Outcome::LimitReached { limit, lower_bound };
    if let Err(reached) = meter.check() {
        return (limit(reached, 1), Stats::default());
    }
    let max_moves = limits.moves.unwrap_or(u32::MAX);
    let known = variant.bounded.then(|| upper_bound(puzzle, limits));
    let known = known.flatten();
    if let Some(moves) = &known {
        watch.trace(|recorder| recorder.solution(None, moves));
    }
    let search = GraphSearch::new(puzzle, variant, goal_robot, max_moves, known, meter);
    let mut search = match search {
        Ok(search) => search,
        Err(reached) => return (limit(reached, 1), Stats::default()),
    };
    if search.is_hopeless() {
        return (Outcome::Unsolvable, search.stats);
    }
    let packing = Packing::new(puzzle.board(), puzzle.start().len(), false);
    let result = if packing.fits_u64() {
        search.run::<u64>(packing, meter, watch)
    } else {
        search.run::<u128>(packing, meter, watch)
    };
    // Without other robots, the one breadth-first search has seen everything.
    let is_complete = variant.moves_goal_robot || puzzle.start().len() == 1;
    let lower_bound = search.lower_bound;
    let outcome = match (result, search.best) {
        (Err(reached), _) => limit(reached, lower_bound),
        (Ok(()), Some(best)) if best.moves.len() as u32 > max_moves => {
            let proven = if is_complete {
                best.moves.len() as u32
            } else {
                lower_bound
            };
            limit(Limit::Moves, proven)
        }
        (Ok(()), Some(best)) => {
            let length = best.moves.len() as u32;
            let optimal = is_complete || length == lower_bound;
            Outcome::Solved {
                solution: replayed(puzzle, best.moves),
                optimal,
                lower_bound: if optimal { length } else { lower_bound },
            }
        }
        (Ok(()), None) if is_complete => Outcome::Unsolvable,
        (Ok(()), None) => Outcome::Failed {
            failure: Failure::SearchSpaceExhausted,
            lower_bound,
        },
    };
    (outcome, search.stats)
}
