//! [`Policy`]: what a front end allows, and [`RequestLimits`]: what a request asks for.

use std::time::Duration;

use ricochet_solve::Limits;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The limits of a request. The server's own limits apply to anything not given, and cannot be exceeded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RequestLimits {
    /// Milliseconds of wall-clock time.
    pub ms: Option<u64>,
    /// Search nodes.
    pub nodes: Option<u64>,
    /// Peak memory of a search in MiB.
    pub memory_mib: Option<u64>,
    /// The longest solution to look for.
    pub moves: Option<u32>,
}

/// What a front end (the command line, a server, a browser) allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// The most milliseconds per request.
    pub ms: Option<u64>,
    /// The most search nodes per request.
    pub nodes: Option<u64>,
    /// The peak memory of a search in MiB.
    pub memory_mib: Option<u64>,
    /// The longest solution to look for.
    pub moves: Option<u32>,
    /// The most threads per solver.
    pub threads: u32,
    /// The most solutions that are listed.
    pub solutions: usize,
    /// The most events that a trace keeps.
    pub events: usize,
    /// The most candidates that are tested to generate a puzzle.
    pub candidates: u64,
    /// The longest puzzle text, in bytes.
    pub text: usize,
    /// The most puzzles that are read from one text.
    pub puzzles: usize,
    /// The largest cell of a picture, in pixels.
    pub cell_pixels: u32,
    /// Whether solvers may read files that a request names.
    pub files: bool,
}

impl Default for Policy {
    /// For untrusted clients: ten seconds, 512 MiB, one thread, no files.
    fn default() -> Self {
        Self {
            ms: Some(10_000),
            nodes: None,
            memory_mib: Some(512),
            moves: None,
            threads: 1,
            solutions: 1_000,
            events: 20_000,
            candidates: 20_000,
            text: 1 << 20,
            puzzles: 1_000,
            cell_pixels: 64,
            files: false,
        }
    }
}

impl Policy {
    /// For the machine's owner: no limits.
    pub fn unlimited(threads: u32) -> Self {
        Self {
            ms: None,
            nodes: None,
            memory_mib: None,
            moves: None,
            threads,
            solutions: usize::MAX,
            events: usize::MAX,
            candidates: u64::MAX,
            text: ricochet_core::formats::MAX_DOCUMENT,
            puzzles: usize::MAX,
            cell_pixels: *ricochet_draw::CELL_SIZES.end(),
            files: true,
        }
    }

    /// This policy with its limits lowered to `part`.
    pub fn within(&self, part: &RequestLimits) -> Self {
        Self {
            ms: least(part.ms, self.ms),
            nodes: least(part.nodes, self.nodes),
            memory_mib: least(part.memory_mib, self.memory_mib),
            moves: least(part.moves, self.moves),
            ..self.clone()
        }
    }

    /// The request's limits, capped by the policy's.
    pub fn limits(&self, requested: &RequestLimits) -> Limits {
        let memory = least(requested.memory_mib, self.memory_mib);
        Limits {
            time: least(requested.ms, self.ms).map(Duration::from_millis),
            memory: memory.map(|mebibytes| mebibytes.saturating_mul(1 << 20)),
            nodes: least(requested.nodes, self.nodes),
            moves: least(requested.moves, self.moves),
            cancel: None,
            count: None,
        }
    }
}

/// The smaller of two limits, if there are any.
fn least<T: Ord>(requested: Option<T>, allowed: Option<T>) -> Option<T> {
    match (requested, allowed) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}
