//! Solutions that differ only in the order of independent moves.
//!
//! Two moves of different robots that follow each other are *independent* there if they can be made
//! in the other order as well and lead to the same position (and, under `must_ricochet`, to the same
//! turns): then each is the same slide in both orders, since neither robot's start or end has
//! changed. A *group* is everything that swaps of independent neighbours make of one solution.
//! Whether two moves are independent depends on where the other robots stand, so there is no sorted
//! form that is found by looking at pairs alone; we follow all swaps, and a group is represented by
//! the member that comes first in the stream.

use ricochet::Solution;
use rustc_hash::FxHashSet;

use crate::Limit;
use crate::budget::Budget;

use super::dag::Dag;
use super::solutions::{Solutions, solution_of};

/// Solutions that are the same but for the order of independent moves.
///
/// ```
/// use ricochet::notation;
/// use ricochet_solve::Limits;
/// use ricochet_solve::all::{Group, Prefer, all_of_length};
/// // Red goes to the opposite corner of an empty board: round either way.
/// let puzzle = notation::parse_line("8x8..00.R77").unwrap().validate().unwrap();
/// let all = all_of_length(&puzzle, 2, &Limits::default()).unwrap().unwrap();
/// let groups: Result<Vec<Group>, _> = all.groups(Prefer::Nothing).unwrap().collect();
/// assert_eq!(groups.unwrap().len(), 2, "moves of one robot depend on each other");
/// ```
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
///
/// ```
/// use ricochet::notation;
/// use ricochet_solve::Limits;
/// use ricochet_solve::all::{Groups, Prefer, all_of_length};
/// // Red goes to the opposite corner of an empty board: round either way.
/// let puzzle = notation::parse_line("8x8..00.R77").unwrap().validate().unwrap();
/// let all = all_of_length(&puzzle, 2, &Limits::default()).unwrap().unwrap();
/// let mut groups: Groups<'_> = all.groups(Prefer::Nothing).unwrap();
/// assert_eq!(groups.next().unwrap().unwrap().size, 1);
/// ```
pub struct Groups<'a> {
    dag: &'a Dag,
    solutions: Solutions<'a>,
    budget: Budget,
    /// Members of groups that were given out, until the stream has passed them.
    known: FxHashSet<Box<[u8]>>,
    ended: bool,
}

impl<'a> Groups<'a> {
    pub(super) fn new(dag: &'a Dag, solutions: Solutions<'a>, budget: Budget) -> Self {
        Self {
            dag,
            solutions,
            budget,
            known: FxHashSet::default(),
            ended: false,
        }
    }

    fn next_group(&mut self) -> Result<Option<Group>, Limit> {
        loop {
            self.budget.tick(0)?;
            let Some(path) = self.solutions.next_path() else {
                return Ok(None);
            };
            if self.known.remove(path) {
                self.budget.give(bytes_of(path));
                continue;
            }
            let first: Box<[u8]> = path.into();
            let size = self.follow_swaps(first.clone())?;
            self.known.remove(&first);
            self.budget.give(bytes_of(&first));
            let first = solution_of(&first);
            return Ok(Some(Group { first, size }));
        }
    }

    /// Makes the whole group of a solution known and gives its size.
    fn follow_swaps(&mut self, first: Box<[u8]>) -> Result<u64, Limit> {
        self.budget.take(2 * bytes_of(&first))?;
        self.known.insert(first.clone());
        let mut open = vec![first];
        let mut size = 0;
        while let Some(path) = open.pop() {
            self.budget.tick(0)?;
            size += 1;
            let mut node = 0;
            for (i, pair) in path.windows(2).enumerate() {
                let next = self.dag.step(node, pair[0]).expect("a way of the graph");
                if independent(self.dag, node, pair[0], pair[1]) {
                    let mut swapped = path.clone();
                    swapped.swap(i, i + 1);
                    if !self.known.contains(&swapped) {
                        self.budget.take(2 * bytes_of(&path))?;
                        self.known.insert(swapped.clone());
                        open.push(swapped);
                    }
                }
                node = next;
            }
            self.budget.give(bytes_of(&path));
        }
        Ok(size)
    }
}

/// Whether two moves from a node can change places.
fn independent(dag: &Dag, node: usize, first: u8, second: u8) -> bool {
    let both = |a, b| dag.step(node, a).and_then(|next| dag.step(next, b));
    first / 4 != second / 4
        && both(second, first).is_some_and(|end| both(first, second) == Some(end))
}

/// What a path in a set or a list takes, roughly: itself, the allocator's part, and its place.
fn bytes_of(path: &[u8]) -> u64 {
    path.len() as u64 + 48
}

impl Iterator for Groups<'_> {
    type Item = Result<Group, Limit>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let group = self.next_group();
        self.ended = !matches!(group, Ok(Some(_)));
        group.transpose()
    }
}
