//! What a door allows, and what a request asks to spend.

use std::time::Duration;

use ricochet_solve::{CancelToken, Limits};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a request may spend. What is not given is limited by the door alone, and nothing is ever
/// allowed above the door's own limits.
///
/// ```
/// use ricochet_service::Spend;
/// let spend: Spend = serde_json::from_str(r#"{"ms":500}"#).unwrap();
/// assert_eq!((spend.ms, spend.nodes), (Some(500), None));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Spend {
    /// Milliseconds of wall-clock time.
    pub ms: Option<u64>,
    /// Search nodes.
    pub nodes: Option<u64>,
    /// Mebibytes that a search may hold at once.
    pub memory_mib: Option<u64>,
    /// The longest solution of interest.
    pub moves: Option<u32>,
}

/// What a door (the command line, a server, a browser) allows.
///
/// ```
/// use ricochet_service::{Door, Spend};
/// let door = Door { ms: Some(1000), ..Door::default() };
/// let greedy = Spend { ms: Some(3_600_000), ..Spend::default() };
/// assert_eq!(door.limits(&greedy).time.unwrap().as_millis(), 1000);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Door {
    /// The most milliseconds of a request.
    pub ms: Option<u64>,
    /// The most search nodes.
    pub nodes: Option<u64>,
    /// The most mebibytes that a search may hold at once.
    pub memory_mib: Option<u64>,
    /// The longest solution that is looked for.
    pub moves: Option<u32>,
    /// The most threads of a solver.
    pub threads: u32,
    /// The most solutions that are listed.
    pub solutions: usize,
    /// The most candidates that a generated puzzle may take.
    pub candidates: u64,
    /// The longest text of a puzzle, in bytes.
    pub text: usize,
    /// The most puzzles that are read from one text.
    pub puzzles: usize,
    /// The largest picture: the side of a cell in pixels.
    pub cell_pixels: u32,
    /// Whether solvers may read the files that a request names.
    pub files: bool,
}

impl Default for Door {
    /// For strangers: ten seconds, half a gibibyte, one thread, no files.
    fn default() -> Self {
        Self {
            ms: Some(10_000),
            nodes: None,
            memory_mib: Some(512),
            moves: None,
            threads: 1,
            solutions: 1_000,
            candidates: 20_000,
            text: 1 << 20,
            puzzles: 1_000,
            cell_pixels: 64,
            files: false,
        }
    }
}

impl Door {
    /// For the owner of the machine: nothing is limited but by the machine itself.
    ///
    /// ```
    /// use ricochet_service::{Door, Spend};
    /// assert!(Door::open(4).limits(&Spend::default()).time.is_none());
    /// ```
    pub fn open(threads: u32) -> Self {
        Self {
            ms: None,
            nodes: None,
            memory_mib: None,
            moves: None,
            threads,
            solutions: usize::MAX,
            candidates: u64::MAX,
            text: ricochet_core::formats::MAX_DOCUMENT,
            puzzles: usize::MAX,
            cell_pixels: *ricochet_draw::CELL_SIZES.end(),
            files: true,
        }
    }

    /// The door for a part of the work: as this one, but no more may be spent than `part`.
    ///
    /// ```
    /// use ricochet_service::{Door, Spend};
    /// let door = Door::default().within(&Spend { ms: Some(20), ..Spend::default() });
    /// assert_eq!((door.ms, door.memory_mib), (Some(20), Door::default().memory_mib));
    /// ```
    pub fn within(&self, part: &Spend) -> Self {
        Self {
            ms: least(part.ms, self.ms),
            nodes: least(part.nodes, self.nodes),
            memory_mib: least(part.memory_mib, self.memory_mib),
            moves: least(part.moves, self.moves),
            ..self.clone()
        }
    }

    /// The limits of a solver: the request's, none above the door's.
    ///
    /// ```
    /// use ricochet_service::{Door, Spend};
    /// let wanted = Spend { memory_mib: Some(1), ..Spend::default() };
    /// assert_eq!(Door::default().limits(&wanted).memory, Some(1 << 20));
    /// ```
    pub fn limits(&self, wanted: &Spend) -> Limits {
        let memory = least(wanted.memory_mib, self.memory_mib);
        Limits {
            time: least(wanted.ms, self.ms).map(Duration::from_millis),
            memory: memory.map(|mebibytes| mebibytes.saturating_mul(1 << 20)),
            nodes: least(wanted.nodes, self.nodes),
            moves: least(wanted.moves, self.moves),
            cancel: None,
            count: None,
        }
    }
}

/// The smaller of two limits, where there are any.
fn least<T: Ord>(wanted: Option<T>, allowed: Option<T>) -> Option<T> {
    match (wanted, allowed) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// Limits that are shared by the steps of one answer.
pub(crate) struct Purse {
    limits: Limits,
    clock: ricochet_solve::Meter,
    nodes: u64,
}

impl Purse {
    pub(crate) fn new(mut limits: Limits, cancel: &CancelToken) -> Self {
        limits.cancel = Some(cancel.clone());
        Self {
            clock: ricochet_solve::Meter::start(&limits),
            limits,
            nodes: 0,
        }
    }

    /// What is left for the next step.
    pub(crate) fn left(&self) -> Limits {
        let spent = self.clock.elapsed();
        Limits {
            time: self.limits.time.map(|time| time.saturating_sub(spent)),
            nodes: self.limits.nodes.map(|it| it.saturating_sub(self.nodes)),
            ..self.limits.clone()
        }
    }

    /// A part of what is left, for one of several equal steps.
    pub(crate) fn share(&self, of: u32) -> Limits {
        let left = self.left();
        Limits {
            time: left.time.map(|time| time / of.max(1)),
            nodes: left.nodes.map(|nodes| nodes / u64::from(of.max(1))),
            ..left
        }
    }

    pub(crate) fn spend(&mut self, nodes: u64) {
        self.nodes = self.nodes.saturating_add(nodes);
    }

    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.clock.elapsed()
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        let cancel = self.limits.cancel.as_ref();
        cancel.is_some_and(CancelToken::is_cancelled)
    }
}
