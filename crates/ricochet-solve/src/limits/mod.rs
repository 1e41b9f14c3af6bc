//! What a solver may spend, and the meter that it spends from.

pub(crate) mod clock;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use crate::limits::clock::Instant;
use crate::{Solver, Stats};

/// A switch that stops a running solver from another thread.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// Asks the solver to stop.
    ///
    /// ```
    /// use ricochet_core::notation;
    /// use ricochet_solve::registry;
    /// use ricochet_solve::{CancelToken, Limit, Limits, Outcome, NullObserver};
    /// let puzzle = notation::parse_line("1A4B3B2B.1fc1f0c0.B9c").unwrap().validate().unwrap();
    /// let token = CancelToken::default();
    /// let limits = Limits { cancel: Some(token.clone()), ..Limits::default() };
    /// token.cancel(); // usually from another thread, while the solver runs
    /// let mut solver = registry::build("naive").unwrap();
    /// let (outcome, _) = solver.solve(&puzzle, &limits, &mut NullObserver);
    /// assert!(matches!(outcome, Outcome::LimitReached { limit: Limit::Cancelled, .. }));
    /// ```
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was asked to stop.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// How many nodes a search has spent so far, readable from another thread. It lags behind by
/// [`Meter::TICKS_PER_CHECK`] nodes at most.
///
/// ```
/// use ricochet_core::notation;
/// use ricochet_solve::difficulty::Features;
/// use ricochet_solve::{Limits, NodeCount};
/// let puzzle = notation::parse_line("1A4B3B2B.1fc1f0c0.B9c").unwrap().validate().unwrap();
/// let count = NodeCount::default();
/// let limits = Limits { nodes: Some(200), count: Some(count.clone()), ..Limits::default() };
/// assert!(Features::of(&puzzle, 9, &limits).is_err(), "200 nodes are not enough");
/// assert!(count.get() <= 200);
/// ```
#[derive(Clone, Debug, Default)]
pub struct NodeCount(Arc<AtomicU64>);

impl NodeCount {
    /// The nodes that were counted last.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// What one call of a solver may spend. Nothing is limited by default.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Bytes that the solver may hold at once.
    pub memory: Option<u64>,
    /// Search nodes (what a node is, each solver says in its documentation).
    pub nodes: Option<u64>,
    /// Longest solution wanted: a solver that has shown that none of at most this many moves
    /// exists (or can be found by it) stops with [`Limit::Moves`].
    pub moves: Option<u32>,
    /// Stops the solver from outside.
    pub cancel: Option<CancelToken>,
    /// Updated periodically with the nodes spent. Solvers that report their depths to an
    /// [`Observer`](crate::Observer) may ignore it.
    pub count: Option<NodeCount>,
}

impl Limits {
    /// The same limits next to something else that holds this many bytes.
    pub(crate) fn next_to(self, bytes: u64) -> Self {
        Self {
            memory: self.memory.map(|limit| limit.saturating_sub(bytes)),
            ..self
        }
    }

    /// The same limits with a move limit of `most` at most.
    pub(crate) fn within_moves(self, most: u32) -> Self {
        Self {
            moves: Some(self.moves.map_or(most, |moves| moves.min(most))),
            ..self
        }
    }
}

/// The limit that ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// [`Limits::time`].
    Time,
    /// [`Limits::memory`].
    Memory,
    /// [`Limits::nodes`].
    Nodes,
    /// [`Limits::moves`].
    Moves,
    /// [`Limits::cancel`].
    Cancelled,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Time => "time limit",
            Self::Memory => "memory limit",
            Self::Nodes => "node limit",
            Self::Moves => "move limit",
            Self::Cancelled => "cancelled",
        })
    }
}

impl std::error::Error for Limit {}

/// Watches the limits during one call. Looking at the clock costs more than a node, so
/// [`Meter::tick`] does it once every 1024 calls.
///
/// ```
/// use ricochet_solve::{Limit, Limits, Meter};
/// let limits = Limits { nodes: Some(1000), ..Limits::default() };
/// let mut meter = Meter::start(&limits);
/// let stopped = (1..).find_map(|nodes| meter.tick(nodes, 0).err().map(|limit| (nodes, limit)));
/// assert_eq!(stopped, Some((1001, Limit::Nodes)));
/// ```
#[derive(Debug)]
pub struct Meter {
    started: Instant,
    deadline: Option<Instant>,
    memory: u64,
    nodes: u64,
    cancel: Option<CancelToken>,
    count: Option<NodeCount>,
    ticks: u32,
}

impl Meter {
    /// How many ticks pass between two looks at the clock.
    pub const TICKS_PER_CHECK: u32 = 1024;

    /// Starts the clock.
    pub fn start(limits: &Limits) -> Self {
        let started = Instant::now();
        Self {
            started,
            deadline: limits.time.and_then(|time| started.checked_add(time)),
            memory: limits.memory.unwrap_or(u64::MAX),
            nodes: limits.nodes.unwrap_or(u64::MAX),
            cancel: limits.cancel.clone(),
            count: limits.count.clone(),
            ticks: 0,
        }
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Bytes allowed; `u64::MAX` if unlimited.
    pub fn memory_limit(&self) -> u64 {
        self.memory
    }

    /// Cheap enough to be called once a node. `nodes` and `bytes` are what has been spent so far.
    ///
    /// # Errors
    /// The limit that is exceeded.
    #[inline]
    pub fn tick(&mut self, nodes: u64, bytes: u64) -> Result<(), Limit> {
        if nodes > self.nodes {
            return Err(Limit::Nodes);
        }
        if bytes > self.memory {
            return Err(Limit::Memory);
        }
        self.ticks += 1;
        if self.ticks >= Self::TICKS_PER_CHECK {
            self.ticks = 0;
            if let Some(count) = &self.count {
                count.0.store(nodes, Ordering::Relaxed);
            }
            return self.check();
        }
        Ok(())
    }

    /// Checks all limits but that of memory, and returns the number of nodes at which to check
    /// again.
    #[cold]
    pub(crate) fn check_nodes(&self, nodes: u64) -> Result<u64, Limit> {
        let left = self.nodes.checked_sub(nodes).ok_or(Limit::Nodes)?;
        self.check()?;
        Ok(nodes + left.min(u64::from(Self::TICKS_PER_CHECK) - 1) + 1)
    }

    /// Checks the clock and the cancel switch now.
    ///
    /// # Errors
    /// [`Limit::Time`] or [`Limit::Cancelled`].
    #[cold]
    pub fn check(&self) -> Result<(), Limit> {
        if self.cancel.as_ref().is_some_and(CancelToken::is_cancelled) {
            return Err(Limit::Cancelled);
        }
        if self
            .deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
        {
            return Err(Limit::Time);
        }
        Ok(())
    }
}

/// What is left of [`Limits`] that several steps of one answer share.
///
/// Time is counted from the start of the budget; nodes are charged by the caller. The memory limit
/// holds for each step, since a step frees what it allocated.
///
/// ```
/// use ricochet_core::notation;
/// use ricochet_solve::difficulty::Features;
/// use ricochet_solve::flagship::Flagship;
/// use ricochet_solve::{Budget, Limits, NullObserver, Solver};
/// let puzzle = notation::parse_line("4x3..0012.R31")?.validate()?;
/// let mut budget = Budget::start(&Limits { nodes: Some(100_000), ..Limits::default() });
/// let (outcome, stats) = Flagship::new().solve(&puzzle, &budget.left(), &mut NullObserver);
/// budget.charge(stats.nodes);
/// let length = outcome.lower_bound().ok_or("unsolvable")?;
/// let features = Features::of(&puzzle, length, &budget.left())?;
/// assert!(features.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Budget {
    limits: Limits,
    meter: Meter,
    nodes: u64,
}

impl Budget {
    /// Starts the clock.
    pub fn start(limits: &Limits) -> Self {
        Self {
            limits: limits.clone(),
            meter: Meter::start(limits),
            nodes: 0,
        }
    }

    /// The budget of work that follows a finished search, so that both together stay within
    /// `limits`.
    ///
    /// What the solver keeps counts as held memory. If that is more than a quarter of the limit, the
    /// solver releases it.
    pub fn after_search(limits: &Limits, solver: &mut dyn Solver, spent: &Stats) -> Self {
        let memory = limits.memory.map(|bytes| {
            if spent.peak_bytes > bytes / 4 {
                solver.release();
                bytes
            } else {
                bytes - spent.peak_bytes
            }
        });
        Self::start(&Limits {
            time: limits.time.map(|time| time.saturating_sub(spent.time)),
            nodes: limits.nodes.map(|nodes| nodes.saturating_sub(spent.nodes)),
            memory,
            ..limits.clone()
        })
    }

    /// The limits of the next step.
    pub fn left(&self) -> Limits {
        let Limits { time, nodes, .. } = self.limits;
        Limits {
            time: time.map(|time| time.saturating_sub(self.meter.elapsed())),
            nodes: nodes.map(|nodes| nodes.saturating_sub(self.nodes)),
            ..self.limits.clone()
        }
    }

    /// The limits of one of `steps` equal steps: that fraction of the time and nodes left.
    pub fn share(&self, steps: u32) -> Limits {
        let steps = steps.max(1);
        let left = self.left();
        Limits {
            time: left.time.map(|time| time / steps),
            nodes: left.nodes.map(|nodes| nodes / u64::from(steps)),
            ..left
        }
    }

    /// Counts the nodes that a step has spent.
    pub fn charge(&mut self, nodes: u64) {
        self.nodes = self.nodes.saturating_add(nodes);
    }

    /// Nodes charged so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.meter.elapsed()
    }

    /// Checks the clock and the cancel switch, for loops whose steps are too short to notice.
    ///
    /// # Errors
    /// [`Limit::Time`] or [`Limit::Cancelled`].
    pub fn check(&self) -> Result<(), Limit> {
        self.meter.check()
    }

    /// Whether the cancel switch was used.
    pub fn is_cancelled(&self) -> bool {
        let cancel = self.limits.cancel.as_ref();
        cancel.is_some_and(CancelToken::is_cancelled)
    }
}

#[cfg(test)]
mod tests {
    use ricochet_core::Puzzle;

    use super::*;
    use crate::{Guarantee, Observer, Outcome};

    /// Keeps something until it is asked to give it back.
    #[derive(Default)]
    struct Keeping {
        released: bool,
    }

    impl Solver for Keeping {
        fn name(&self) -> &'static str {
            "keeping"
        }

        fn guarantee(&self) -> Guarantee {
            Guarantee::Any
        }

        fn solve(&mut self, _: &Puzzle, _: &Limits, _: &mut dyn Observer) -> (Outcome, Stats) {
            (Outcome::Unsolvable, Stats::default())
        }

        fn release(&mut self) {
            self.released = true;
        }
    }

    #[test]
    fn a_second_phase_gets_what_the_first_has_left() {
        let limits = Limits {
            time: Some(Duration::from_secs(5)),
            memory: Some(1000),
            nodes: Some(100),
            ..Limits::default()
        };
        let spent = |peak_bytes| Stats {
            time: Duration::from_secs(3),
            nodes: 400,
            peak_bytes,
            ..Stats::default()
        };
        let mut solver = Keeping::default();
        let rest = Budget::after_search(&limits, &mut solver, &spent(200)).left();
        let time = rest.time.unwrap();
        assert!(time <= Duration::from_secs(2) && time > Duration::from_secs(1));
        assert_eq!((rest.memory, rest.nodes), (Some(800), Some(0)));
        assert!(!solver.released, "a little may be kept");
        let rest = Budget::after_search(&limits, &mut solver, &spent(900)).left();
        assert_eq!(rest.memory, Some(1000));
        assert!(solver.released, "much is given back");
    }

    #[test]
    fn a_meter_checks_nodes_and_memory_at_every_tick() {
        let mut meter = Meter::start(&Limits {
            memory: Some(100),
            nodes: Some(7),
            ..Limits::default()
        });
        assert_eq!(meter.tick(7, 100), Ok(()));
        assert_eq!(meter.tick(7, 101), Err(Limit::Memory));
        assert_eq!(meter.tick(8, 100), Err(Limit::Nodes));
    }

    #[test]
    fn steps_share_what_is_left() {
        let cancel = CancelToken::default();
        let mut budget = Budget::start(&Limits {
            time: Some(Duration::from_secs(1000)),
            nodes: Some(100),
            memory: Some(5),
            cancel: Some(cancel.clone()),
            ..Limits::default()
        });
        budget.charge(40);
        let share = budget.share(3);
        assert_eq!((budget.left().nodes, budget.nodes()), (Some(60), 40));
        assert_eq!((share.nodes, share.memory), (Some(20), Some(5)));
        assert!(share.time.unwrap() <= Duration::from_secs(334));
        budget.charge(u64::MAX);
        assert_eq!(budget.share(0).nodes, Some(0));
        assert_eq!((budget.check(), budget.is_cancelled()), (Ok(()), false));
        cancel.cancel();
        assert_eq!(budget.check(), Err(Limit::Cancelled));
        assert!(budget.is_cancelled());
    }
}
