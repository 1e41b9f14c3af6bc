//! Solutions that differ only in the order of independent moves.
//!
//! Two moves of different robots that follow each other are *independent* there if they can be made
//! in the other order as well and lead to the same position (and, under `must_ricochet`, to the same
//! turns): then each is the same slide in both orders, since neither robot's start or end has
//! changed. A *group* is everything that swaps of independent neighbours make of one solution.
//! Whether two moves are independent depends on where the other robots stand, so there is no sorted
//! form that is found by looking at pairs alone; we follow all swaps, and a group is represented by
//! the member that comes first in the stream.

use ricochet_core::Solution;
use rustc_hash::FxHashSet;

use crate::{Limit, LimitReached};

use super::dag::Dag;
use super::solutions::Solutions;

/// Solutions that are the same but for the order of independent moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The first of them in the order asked for.
    pub first: Solution,
    /// How many there are.
    pub size: u64,
}

/// Groups one after the other, by their first solutions; an error is the last item.
///
/// Made by [`AllSolutions::groups`](super::AllSolutions::groups).
pub struct Groups<'a> {
    solutions: Solutions<'a>,
    /// Members of groups that were given out, until the stream has passed them.
    known: FxHashSet<Box<[u8]>>,
    /// Members whose swaps are still to be followed.
    open: Vec<Box<[u8]>>,
    ended: bool,
}

impl<'a> Groups<'a> {
    pub(super) fn new(solutions: Solutions<'a>) -> Self {
        Self {
            solutions,
            known: FxHashSet::default(),
            open: Vec::new(),
            ended: false,
        }
    }

    /// The same as [`Solutions::keep`].
    ///
    /// # Errors
    /// [`Limit::Memory`] if that is more than is left. Then nothing was counted.
    pub fn keep(&mut self, bytes: u64) -> Result<(), LimitReached> {
        self.solutions.keep(bytes)
    }

    fn next_group(&mut self) -> Result<Option<Group>, Limit> {
        loop {
            self.solutions.meter().tick(0)?;
            let Some(path) = self.solutions.next_path() else {
                return Ok(None);
            };
            if self.known.remove(path) {
                let bytes = bytes_of(path);
                self.solutions.meter().free(bytes);
                continue;
            }
            let first: Box<[u8]> = path.into();
            let size = self.follow_swaps(&first)?;
            self.known.remove(&first);
            self.solutions.meter().free(bytes_of(&first));
            let first = self.solutions.solution(&first);
            return Ok(Some(Group { first, size }));
        }
    }

    /// Makes the whole group of a solution known and gives its size.
    fn follow_swaps(&mut self, first: &[u8]) -> Result<u64, Limit> {
        let dag = self.solutions.dag();
        self.add(first)?;
        let mut size = 0;
        while let Some(path) = self.open.pop() {
            self.solutions.meter().tick(0)?;
            size += 1;
            let mut node = 0;
            for (i, pair) in path.windows(2).enumerate() {
                let next = dag.step(node, pair[0]).expect("a way of the graph");
                if independent(dag, node, pair[0], pair[1]) {
                    let mut swapped = path.clone();
                    swapped.swap(i, i + 1);
                    if !self.known.contains(&swapped) {
                        self.add(&swapped)?;
                    }
                }
                node = next;
            }
            self.solutions.meter().free(bytes_of(&path));
        }
        Ok(size)
    }

    /// A new member of the group, whose swaps are to be followed.
    fn add(&mut self, path: &[u8]) -> Result<(), Limit> {
        let meter = self.solutions.meter();
        meter.reserve_in_set(&mut self.known)?;
        meter.reserve(&mut self.open)?;
        meter.allocate(2 * bytes_of(path))?;
        self.known.insert(path.into());
        self.open.push(path.into());
        Ok(())
    }
}

/// Whether two moves from a node can change places.
fn independent(dag: &Dag, node: usize, first: u8, second: u8) -> bool {
    let both = |a, b| dag.step(node, a).and_then(|next| dag.step(next, b));
    first / 4 != second / 4
        && both(second, first).is_some_and(|end| both(first, second) == Some(end))
}

/// What a path takes with the allocator's part, which comes in steps of 16 bytes and is 32 at least.
/// Its place in the set or list is counted with those.
fn bytes_of(path: &[u8]) -> u64 {
    (path.len() as u64 + 8).next_multiple_of(16).max(32)
}

impl Iterator for Groups<'_> {
    type Item = Result<Group, LimitReached>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let group = self.next_group();
        self.ended = !matches!(group, Ok(Some(_)));
        let group = group.map_err(|limit| self.solutions.stopped(limit));
        group.transpose()
    }
}
