//! What a solver may spend, and the meter that it spends from.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A switch that stops a running solver from another thread.
///
/// ```
/// use ricochet_solve::CancelToken;
/// let token = CancelToken::default();
/// let elsewhere = token.clone();
/// elsewhere.cancel();
/// assert!(token.is_cancelled());
/// ```
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// Asks the solver to stop.
    ///
    /// ```
    /// use ricochet::notation;
    /// use ricochet_solve::registry;
    /// use ricochet_solve::{CancelToken, Limit, Limits, Outcome, Silent};
    /// let puzzle = notation::parse_line("1A4B3B2B.1fc1f0c0.B9c").unwrap().validate().unwrap();
    /// let token = CancelToken::default();
    /// let limits = Limits { cancel: Some(token.clone()), ..Limits::default() };
    /// token.cancel(); // usually from another thread, while the solver runs
    /// let mut solver = registry::build("naive").unwrap();
    /// let (outcome, _) = solver.solve(&puzzle, &limits, &mut Silent);
    /// assert!(matches!(outcome, Outcome::LimitReached { limit: Limit::Cancelled, .. }));
    /// ```
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was asked to stop.
    ///
    /// ```
    /// assert!(!ricochet_solve::CancelToken::default().is_cancelled());
    /// ```
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What one call of a solver may spend. Nothing is limited by default.
///
/// ```
/// use std::time::Duration;
/// use ricochet_solve::Limits;
/// let limits = Limits { time: Some(Duration::from_secs(10)), ..Limits::default() };
/// assert!(limits.nodes.is_none());
/// ```
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
}

/// The limit that ended a search.
///
/// ```
/// use ricochet::notation;
/// use ricochet_solve::registry;
/// use ricochet_solve::{Limit, Limits, Outcome, Silent};
/// let puzzle = notation::parse_line("8x8..00.R77").unwrap().validate().unwrap();
/// let limits = Limits { moves: Some(1), ..Limits::default() };
/// let mut solver = registry::build("flagship").unwrap();
/// let (outcome, _) = solver.solve(&puzzle, &limits, &mut Silent);
/// assert_eq!(outcome, Outcome::LimitReached { limit: Limit::Moves, lower_bound: 2 });
/// ```
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
    ticks: u32,
}

impl Meter {
    /// How many ticks pass between two looks at the clock.
    ///
    /// ```
    /// assert!(ricochet_solve::Meter::TICKS_PER_LOOK.is_power_of_two());
    /// ```
    pub const TICKS_PER_LOOK: u32 = 1024;

    /// Starts the clock.
    ///
    /// ```
    /// use ricochet_solve::{Limits, Meter};
    /// let meter = Meter::start(&Limits { memory: Some(1 << 30), ..Limits::default() });
    /// assert_eq!(meter.memory_limit(), 1 << 30);
    /// ```
    pub fn start(limits: &Limits) -> Self {
        let started = Instant::now();
        Self {
            started,
            deadline: limits.time.and_then(|time| started.checked_add(time)),
            memory: limits.memory.unwrap_or(u64::MAX),
            nodes: limits.nodes.unwrap_or(u64::MAX),
            cancel: limits.cancel.clone(),
            ticks: 0,
        }
    }

    /// Time since the start.
    ///
    /// ```
    /// use ricochet_solve::{Limits, Meter};
    /// let meter = Meter::start(&Limits::default());
    /// let earlier = meter.elapsed();
    /// assert!(meter.elapsed() >= earlier);
    /// ```
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Bytes allowed; `u64::MAX` if unlimited.
    ///
    /// ```
    /// use ricochet_solve::{Limits, Meter};
    /// assert_eq!(Meter::start(&Limits::default()).memory_limit(), u64::MAX);
    /// ```
    pub fn memory_limit(&self) -> u64 {
        self.memory
    }

    /// Cheap enough to be called once a node. `nodes` and `bytes` are what has been spent so far.
    ///
    /// ```
    /// use ricochet_solve::{Limit, Limits, Meter};
    /// let mut meter = Meter::start(&Limits { memory: Some(100), ..Limits::default() });
    /// assert_eq!(meter.tick(1, 100), Ok(()));
    /// assert_eq!(meter.tick(2, 101), Err(Limit::Memory));
    /// ```
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
        if self.ticks >= Self::TICKS_PER_LOOK {
            self.ticks = 0;
            return self.look();
        }
        Ok(())
    }

    /// Looks at the clock and the cancel switch now.
    ///
    /// ```
    /// use std::time::Duration;
    /// use ricochet_solve::{Limit, Limits, Meter};
    /// let meter = Meter::start(&Limits { time: Some(Duration::ZERO), ..Limits::default() });
    /// assert_eq!(meter.look(), Err(Limit::Time));
    /// ```
    ///
    /// # Errors
    /// [`Limit::Time`] or [`Limit::Cancelled`].
    #[cold]
    pub fn look(&self) -> Result<(), Limit> {
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
