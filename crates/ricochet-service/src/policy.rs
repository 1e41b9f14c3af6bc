//! [`Policy`]: what a front end allows, and [`RequestLimits`]: what a request asks for.

use std::time::Duration;

use ricochet_solve::Limits;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a request may spend. What is not given is limited by the policy alone, and nothing is
/// allowed above the policy's limits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RequestLimits {
    /// Milliseconds of wall-clock time.
    pub ms: Option<u64>,
    /// Search nodes.
    pub nodes: Option<u64>,
    /// Mebibytes that a search may hold at once.
    pub memory_mib: Option<u64>,
    /// The longest solution of interest.
    pub moves: Option<u32>,
}

/// What a front end (the command line, a server, a browser) allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
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

impl Default for Policy {
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

impl Policy {
    /// For the owner of the machine: nothing is limited but by the machine itself.
    pub fn unlimited(threads: u32) -> Self {
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

    /// This policy with its limits lowered to `part`, for a part of the work.
    pub fn within(&self, part: &RequestLimits) -> Self {
        Self {
            ms: least(part.ms, self.ms),
            nodes: least(part.nodes, self.nodes),
            memory_mib: least(part.memory_mib, self.memory_mib),
            moves: least(part.moves, self.moves),
            ..self.clone()
        }
    }

    /// The limits of a solver: the request's, none above the policy's.
    pub fn limits(&self, wanted: &RequestLimits) -> Limits {
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
