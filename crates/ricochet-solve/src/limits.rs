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
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was asked to stop.
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
    pub const TICKS_PER_LOOK: u32 = 1024;

    /// Starts the clock.
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
        if self.ticks >= Self::TICKS_PER_LOOK {
            self.ticks = 0;
            return self.look();
        }
        Ok(())
    }

    /// Looks at the clock and the cancel switch now.
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
