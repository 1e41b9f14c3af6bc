//! The stream of shortest solutions: depth first through the graph, once for each value of what is
//! preferred, best first. Every step leads to a solution, so the next one is never far.

use ricochet_core::{Puzzle, Solution};

use crate::memory::meter::MemoryMeter;
use crate::state_space::{replayed, unpack_move};
use crate::{Limit, LimitReached};

use super::dag::Dag;
use super::prefer::{Completions, PathPrefix, Preference};

/// Shortest solutions one after the other; an error is the last item.
///
/// Made by [`AllSolutions::solutions`](super::AllSolutions::solutions).
pub struct Solutions<'a> {
    puzzle: &'a Puzzle,
    dag: &'a Dag,
    completions: Completions,
    meter: MemoryMeter,
    values: std::vec::IntoIter<u32>,
    value: u32,
    stack: Vec<PathFrame>,
    path: Vec<u8>,
    ended: bool,
}

struct PathFrame {
    node: usize,
    /// The next move to try.
    edge: usize,
    prefix: PathPrefix,
}

impl<'a> Solutions<'a> {
    pub(super) fn new(
        puzzle: &'a Puzzle,
        dag: &'a Dag,
        prefer: Preference,
        mut meter: MemoryMeter,
    ) -> Result<Self, Limit> {
        meter.check()?;
        let completions = Completions::new(dag, prefer, &mut meter)?;
        Ok(Self {
            puzzle,
            dag,
            values: completions.values(dag).into_iter(),
            completions,
            meter,
            value: 0,
            stack: Vec::new(),
            path: Vec::new(),
            ended: false,
        })
    }

    /// Counts bytes that the caller keeps of what the stream gives, against the memory limit of
    /// both.
    ///
    /// # Errors
    /// [`Limit::Memory`] if that is more than is left. Then nothing was counted.
    pub fn keep(&mut self, bytes: u64) -> Result<(), LimitReached> {
        let kept = self.meter.allocate(bytes);
        kept.map_err(|limit| self.stopped(limit))
    }

    pub(super) fn stopped(&self, limit: Limit) -> LimitReached {
        LimitReached {
            limit,
            lower_bound: self.dag.length(),
        }
    }

    pub(super) fn meter(&mut self) -> &mut MemoryMeter {
        &mut self.meter
    }

    pub(super) fn dag(&self) -> &'a Dag {
        self.dag
    }

    /// The solution with these packed moves, replayed cell by cell before it is reported.
    pub(super) fn solution(&self, path: &[u8]) -> Solution {
        replayed(self.puzzle, path.iter().copied().map(unpack_move).collect())
    }

    /// The packed moves of the next solution.
    pub(super) fn next_path(&mut self) -> Option<&[u8]> {
        // The frame of the solution before has no moves left: it goes with the others like it.
        loop {
            let Some(frame) = self.stack.last_mut() else {
                self.value = self.values.next()?;
                let edge = self.dag.edges(0).start;
                self.stack.push(PathFrame {
                    node: 0,
                    edge,
                    prefix: PathPrefix::default(),
                });
                if self.dag.edges(0).is_empty() {
                    return Some(&self.path);
                }
                continue;
            };
            let edge = frame.edge;
            if edge == self.dag.edges(frame.node).end {
                self.stack.pop();
                self.path.pop();
                continue;
            }
            frame.edge += 1;
            let packed_move = self.dag.packed_move(edge);
            let prefix = frame.prefix.with(packed_move);
            if !self.completions.allow(self.dag, prefix, edge, self.value) {
                continue;
            }
            let node = self.dag.child(edge);
            let edges = self.dag.edges(node);
            self.path.push(packed_move);
            self.stack.push(PathFrame {
                node,
                edge: edges.start,
                prefix,
            });
            if edges.is_empty() {
                return Some(&self.path);
            }
        }
    }
}

impl Iterator for Solutions<'_> {
    type Item = Result<Solution, LimitReached>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        if let Err(limit) = self.meter.tick(0) {
            self.ended = true;
            return Some(Err(self.stopped(limit)));
        }
        let path = self.next_path().map(<[u8]>::to_vec);
        self.ended = path.is_none();
        path.map(|path| Ok(self.solution(&path)))
    }
}
