//! Iterative deepening, depth first (*Ricochet Robots: Solver Algorithms*, M. Fogleman 2012; also
//! thesis, 'Iterative Deepening Depth First Search').
//!
//! 'Start with max search depth = 1, perform the search, increment max depth and repeat until a
//! solution is found.' With the slides' improvements, each of which can be switched off so that
//! their story can be retold:
//!
//! - `memo`: 'If current position has already been searched to an equal or greater depth, prune
//!   the search.'
//! - `sort`: 'sort the positions of the non-active robots first, as they can be transposed with no
//!   consequence.'
//! - `bound`: 'prune search whenever active robot cannot reach the target square in the number of
//!   moves remaining', by the [map](crate::heuristics::bound), and 'if h = min\[GR\] only the GR is processed
//!   further' (thesis).
//!
//! Always: no move that reverses the robot's own immediately preceding one. The active robot is
//! moved first, then the others in their order; directions in the order N, E, S, W. With this order
//! the counts of the slides' 22-move puzzle come out to the digit; `tests/it/published.rs` checks them.
//!
//! A *node* is a position looked at, the root of each iteration included; *inner* nodes passed the
//! tests for goal, depth and bound; *hits* are those of them that the memo pruned.
//!
//! `iddfs-bounded` is the thesis's future work: 'The IDDFS could introduce the stateless algorithm …
//! skipping some intermediate levels of deepening. However, given the incrementing nature of the
//! algorithm, it does not benefit the same way.' We read it so that optimality stays: a solution of
//! `stateless` is an upper bound; if the map says that it cannot be beaten, nothing is searched, and
//! otherwise the deepening ends one level before it, whose last and largest search it saves.
//!
//! # Why it is optimal, and how it knows that there is no solution
//!
//! Let `g(s)` be the fewest moves from the start to a position `s`, and let an iteration look `D`
//! moves deep, after all shallower ones found nothing.
//!
//! *The memo outlives an iteration, and never hides a first arrival at `g(s)`*: an entry of this
//! iteration has a height of at most `D − g(s)`, one of an earlier iteration less than that. So the
//! first time that `s` is entered at depth `g(s)`, the memo does not prune it.
//!
//! *No reversal is lost*: let `q → s` be a move with `g(s) = g(q) + 1`, and let the robot move back.
//! It ends either where it was in `q` or, if it could have gone further in that direction, where
//! that move would have led from `q`. Either way the new position is at most `g(s)` moves from the
//! start, so it is not a first arrival. (This needs that there are no diagonals, and that travelling
//! leaves no trace, as `must_ricochet` does.)
//!
//! *Optimality*: take a shortest solution, of `D` moves, and on such solutions the last position
//! `s` that is entered at depth `g(s)`. It is not pruned by the memo; not by the bound, which is
//! admissible; its next move is not a reversal; and if the bound is tight, a helper's move would leave
//! the bound above the moves that remain, so the next move is the active robot's. Hence the next
//! position is entered as well, a contradiction unless it is the goal.
//!
//! *Unsolvability*: suppose that in an iteration no node was cut off: none by depth, none by a
//! finite bound, no helper rested because of a tight bound. Then, by the same argument and induction on
//! `g`, every reachable position from which the bound is not infinite was entered at depth `g(s)`
//! and expanded, and none was a goal. So there is no solution. A solvable puzzle is solved before
//! that, and on an unsolvable one the iteration that is deeper than the whole space has no cut. With
//! the memo switched off this works only where the tree of moves is finite.

mod general;
mod memo;
mod plain;

use ricochet_core::{Move, Puzzle, Robot};

use crate::heuristics::bound::Bound;
use crate::memory::meter::MemoryMeter;
use crate::published::stateless::upper_bound;
use crate::registry::{Options, Parameter, SolverInfo};
use crate::state_space::{Game, replayed};
use crate::trace::{EventKind, Watch};
use crate::{DepthRow, Guarantee, Limit, Limits, Observer, Outcome, Solver, Stats};

use general::GeneralSearch;
use plain::PlainSearch;

/// Its line in the registry.
pub const INFO: SolverInfo = SolverInfo {
    name: "iddfs",
    guarantee: Guarantee::Optimal,
    source: "Fogleman's slides (2012); Ricochet Robots thesis, 'Iterative Deepening Depth First Search'",
    summary: "iterative deepening with memo, sorted keys and the minimum-moves map",
    parameters: &[
        Parameter {
            key: "memo",
            default: "on",
            help: "on|off: prune positions already searched to an equal or greater depth",
        },
        Parameter {
            key: "sort",
            default: "on",
            help: "on|off: sort the interchangeable robots in the memo's keys",
        },
        Parameter {
            key: "bound",
            default: "on",
            help: "on|off: prune by the minimum-moves map",
        },
    ],
    build: |options: &Options| {
        let iddfs = Iddfs::new()
            .memo(options.switch("memo", true)?)
            .sort(options.switch("sort", true)?)
            .bound(options.switch("bound", true)?);
        Ok(Box::new(iddfs))
    },
};

/// The line of `iddfs-bounded` in the registry.
pub const BOUNDED: SolverInfo = SolverInfo {
    name: "iddfs-bounded",
    guarantee: Guarantee::Optimal,
    source: "Ricochet Robots thesis, 'Future Work', IDDFS",
    summary: "iddfs with a solution of stateless as the upper bound: the last iteration is skipped",
    parameters: &[],
    build: |_| Ok(Box::new(Iddfs::new().bounded(true))),
};

/// Which improvements are on.
#[derive(Clone, Copy, Debug)]
struct IddfsOptions {
    memo: bool,
    sort: bool,
    bound: bool,
}

impl IddfsOptions {
    const ALL: Self = Self {
        memo: true,
        sort: true,
        bound: true,
    };
}

/// The slides' solver.
///
/// ```
/// use ricochet_core::notation;
/// use ricochet_solve::published::iddfs::Iddfs;
/// use ricochet_solve::{Limits, NullObserver, Solver};
/// let puzzle = notation::parse_line("8x8..0033.R77")?.validate()?;
/// let mut solver = Iddfs::new().sort(false);
/// let (outcome, stats) = solver.solve(&puzzle, &Limits::default(), &mut NullObserver);
/// assert_eq!(outcome.solution().map(|solution| solution.len()), Some(2));
/// assert_eq!(stats.rows.len(), 2, "one row for each depth");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Iddfs {
    options: IddfsOptions,
    /// Whether `stateless` looks for an upper bound first.
    bounded: bool,
    /// For tests: take the general search even where the plain one would do.
    always_general: bool,
}

impl Default for Iddfs {
    fn default() -> Self {
        Self::new()
    }
}

impl Iddfs {
    /// With all of the slides' improvements.
    pub fn new() -> Self {
        Self {
            options: IddfsOptions::ALL,
            bounded: false,
            always_general: false,
        }
    }

    /// Whether positions already searched to an equal or greater depth are pruned.
    #[must_use]
    pub fn memo(mut self, memo: bool) -> Self {
        self.options.memo = memo;
        self
    }

    /// Whether the interchangeable robots are sorted in the memo's keys.
    #[must_use]
    pub fn sort(mut self, sort: bool) -> Self {
        self.options.sort = sort;
        self
    }

    /// Whether the minimum-moves map prunes.
    #[must_use]
    pub fn bound(mut self, bound: bool) -> Self {
        self.options.bound = bound;
        self
    }

    /// Whether `stateless` looks for an upper bound first: then it is `iddfs-bounded`.
    #[must_use]
    pub fn bounded(mut self, bounded: bool) -> Self {
        self.bounded = bounded;
        self
    }
}

/// The robots in the order in which they are moved: the active one first.
fn search_order(puzzle: &Puzzle) -> Vec<Robot> {
    let active = puzzle.goal().robot;
    let others = puzzle
        .start()
        .robots()
        .filter(|&robot| Some(robot) != active);
    active.into_iter().chain(others).collect()
}

/// What one iteration counts and is limited by.
struct Iteration {
    row: DepthRow,
    /// Whether a node was cut off that a deeper iteration would look behind.
    cut: bool,
    /// Nodes of the iterations before.
    nodes_before: u64,
    /// When to check the limits again, in nodes of this iteration.
    next_check: u64,
}

impl Iteration {
    /// Cheap enough for every inner node.
    #[inline]
    fn check(&mut self, meter: &MemoryMeter) -> Result<(), Limit> {
        if self.row.nodes < self.next_check {
            return Ok(());
        }
        self.check_now(meter)
    }

    #[cold]
    fn check_now(&mut self, meter: &MemoryMeter) -> Result<(), Limit> {
        self.next_check =
            meter.check_nodes(self.nodes_before + self.row.nodes)? - self.nodes_before;
        Ok(())
    }
}

/// How an iteration ended.
enum Verdict {
    Solved(Vec<Move>),
    Exhausted,
}

/// A search that can be run to any depth.
trait IddfsSearch {
    /// The deepest it can look.
    const MAX_HEIGHT: u32;

    /// Searches `iteration.row.depth` moves deep.
    fn run(
        &mut self,
        iteration: &mut Iteration,
        meter: &mut MemoryMeter,
        watch: &mut Watch<'_>,
    ) -> Result<Verdict, Limit>;

    /// Positions in the memo.
    fn stored(&self) -> usize;
}

impl Solver for Iddfs {
    fn name(&self) -> &'static str {
        if self.bounded {
            BOUNDED.name
        } else {
            INFO.name
        }
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Optimal
    }

    fn solve(
        &mut self,
        puzzle: &Puzzle,
        limits: &Limits,
        watch: &mut dyn Observer,
    ) -> (Outcome, Stats) {
        let mut deepening = Deepening {
            puzzle,
            limits,
            options: self.options,
            meter: MemoryMeter::start(limits),
            stats: Stats::default(),
            lower_bound: 0,
            upper_bound: None,
            watch: Watch::new(watch),
        };
        let result = deepening.solve(self.bounded, self.always_general);
        let outcome = result.unwrap_or_else(|limit| Outcome::LimitReached {
            limit,
            lower_bound: deepening.lower_bound,
        });
        (outcome, deepening.meter.finish(deepening.stats))
    }
}

/// One call: the loop over the depths.
struct Deepening<'a> {
    puzzle: &'a Puzzle,
    limits: &'a Limits,
    options: IddfsOptions,
    meter: MemoryMeter,
    stats: Stats,
    lower_bound: u32,
    /// A solution that is known before the search.
    upper_bound: Option<Vec<Move>>,
    watch: Watch<'a>,
}

impl Deepening<'_> {
    fn solve(&mut self, bounded: bool, always_general: bool) -> Result<Outcome, Limit> {
        let game = Game::new(self.puzzle);
        if game.is_over(game.start()) {
            self.watch.trace(|recorder| recorder.solution(None, &[]));
            return Ok(self.solved(Vec::new()));
        }
        self.lower_bound = 1;
        if self.options.bound {
            match Bound::new(self.puzzle).of_state(self.puzzle.start()) {
                None => return Ok(Outcome::Unsolvable),
                Some(bound) => self.lower_bound = bound.max(1),
            }
        }
        self.meter.check()?;
        if bounded {
            self.upper_bound = upper_bound(self.puzzle, self.limits);
            if let Some(moves) = &self.upper_bound {
                self.watch.trace(|recorder| recorder.solution(None, moves));
            }
        }
        let is_plain = self.puzzle.goal().robot.is_some()
            && self.puzzle.board().diagonals().is_empty()
            && !self.puzzle.rules().must_ricochet;
        if always_general || !is_plain || self.watch.is_tracing() {
            let search = GeneralSearch::new(self.puzzle, self.options, &mut self.meter)?;
            return self.deepen(search);
        }
        match self.puzzle.start().len() {
            1 => self.plain::<1, u64>(),
            2 => self.plain::<2, u64>(),
            3 => self.plain::<3, u64>(),
            4 => self.plain::<4, u64>(),
            5 => self.plain::<5, u64>(),
            6 => self.plain::<6, u128>(),
            7 => self.plain::<7, u128>(),
            _ => self.plain::<8, u128>(),
        }
    }

    fn plain<const N: usize, S: plain::Packed>(&mut self) -> Result<Outcome, Limit> {
        let search = PlainSearch::<N, S>::new(self.puzzle, self.options, &mut self.meter)?;
        self.deepen(search)
    }

    fn deepen<T: IddfsSearch>(&mut self, mut search: T) -> Result<Outcome, Limit> {
        let wanted = self.limits.moves.unwrap_or(u32::MAX).min(T::MAX_HEIGHT);
        let upper_bound = self.upper_bound.take();
        let known = upper_bound
            .as_ref()
            .map_or(u32::MAX, |moves| moves.len() as u32);
        if known == self.lower_bound && known <= wanted {
            return Ok(self.solved(upper_bound.unwrap_or_default()));
        }
        for depth in 1..=wanted.min(known - 1) {
            let mut iteration = Iteration {
                row: DepthRow {
                    depth,
                    ..DepthRow::default()
                },
                cut: false,
                nodes_before: self.stats.nodes,
                next_check: 0,
            };
            self.watch
                .trace(|recorder| recorder.note(EventKind::Iteration { depth }));
            let verdict = search.run(&mut iteration, &mut self.meter, &mut self.watch);
            self.count(&iteration.row, search.stored());
            match verdict? {
                Verdict::Solved(moves) => return Ok(self.solved(moves)),
                Verdict::Exhausted if !iteration.cut => return Ok(Outcome::Unsolvable),
                Verdict::Exhausted => self.lower_bound = self.lower_bound.max(depth + 1),
            }
        }
        match upper_bound {
            // Nothing shorter exists.
            Some(moves) if known <= wanted => Ok(self.solved(moves)),
            _ => Err(Limit::Moves),
        }
    }

    fn count(&mut self, row: &DepthRow, stored: usize) {
        self.stats.nodes += row.nodes;
        self.stats.inner += row.inner;
        self.stats.hits += row.hits;
        self.stats.expanded += row.inner - row.hits;
        self.stats.generated += row.nodes;
        self.stats.stored = stored as u64;
        self.stats.rows.push(*row);
        self.watch.depth_done(row);
    }

    fn solved(&self, moves: Vec<Move>) -> Outcome {
        Outcome::optimal(replayed(self.puzzle, moves))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NullObserver;
    use ricochet_core::generate::{GoalRobot, RandomBoard, Recipe};

    /// The plain search and the general one are two tellings of one algorithm.
    #[test]
    fn plain_and_general_searches_count_the_same() {
        for (seed, robots) in [1, 2, 3, 4, 5, 7].into_iter().enumerate() {
            let recipe = Recipe {
                robots,
                goal_robot: GoalRobot::OneRobot,
                ..Recipe::random(RandomBoard::new(9, 7))
            };
            for number in 0..8 {
                let puzzle = recipe.puzzle(seed as u64, number).unwrap();
                for code in 0..8 {
                    let answer = |always_general| {
                        let mut solver = Iddfs {
                            options: IddfsOptions {
                                memo: code & 1 == 0,
                                sort: code & 2 == 0,
                                bound: code & 4 == 0,
                            },
                            bounded: false,
                            always_general,
                        };
                        let limits = Limits {
                            moves: Some(4),
                            ..Limits::default()
                        };
                        let (outcome, stats) = solver.solve(&puzzle, &limits, &mut NullObserver);
                        (outcome, stats.rows, stats.stored)
                    };
                    assert_eq!(answer(false), answer(true), "{puzzle:?}");
                }
            }
        }
    }
}
