//! The configurations that a search has met, their nodes, and what waits for later layers.
//!
//! A search on one thread has one part; with several threads each has its own, see
//! [`super::threads`].

use std::marker::PhantomData;
use std::ops::Range;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use super::config::helpers;
use super::entries::Entries;
use super::goal::{GoalMoves, Moved};
use super::index::Index;
use super::kernel::Kernel;
use super::layer::{last_helper_move, may_reach_target};
use super::nodes::{Child, Counters, Later, Node};
use super::set::Set;
use super::tables::Tables;

/// Children are committed in batches of so many, while their entries are on the way to the cache.
pub(crate) const BATCH: usize = 64;

/// From this many configurations on, the tables no longer fit into the nearer caches.
const LARGE: usize = 1 << 12;

/// With this many configurations a search of three helpers takes the table of all of them.
const DIRECT_FROM: usize = 1 << 16;

/// Nodes that are made before somebody looks at the limits: a few milliseconds.
const NODES_A_CALL: usize = 1 << 12;

#[derive(Clone, Copy, Debug)]
struct Known {
    key: u32,
    /// One more than the number of the latest node; 0 if there is none.
    latest: u32,
}

/// A node from which the target is reached by goal-robot moves alone, perhaps after one helper move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// The layer in which they do: the length of that solution.
    pub(crate) f: usize,
    /// The node's helpers.
    pub(crate) before: u32,
    /// The helpers after their move; the same if there is none.
    pub(crate) key: u32,
    /// The goal-robot cells of the node with which that can be.
    pub(crate) cells: [u64; 4],
}

/// See the module's documentation. Aligned so that no two parts share a cache line (the processor
/// fetches them in pairs): threads write to theirs all the time.
#[derive(Debug)]
#[repr(align(128))]
pub(crate) struct Part {
    index: Index,
    entries: Entries,
    /// By number of the entry.
    known: Vec<Known>,
    pub(crate) nodes: Vec<Node>,
    /// Where each layer begins among the nodes, from the first f on.
    pub(crate) layers: Vec<usize>,
    /// The entries that have fresh cells.
    touched: Vec<u32>,
    /// Goal-robot moves to states of later layers, by layer modulo 4.
    later: [Vec<Later>; 4],
    pub(crate) counters: Counters,
    /// The least layer in which the target is known to be reached, and the number of a node from
    /// which goal-robot moves alone reach it then.
    pub(crate) found: Option<Found>,
}

impl Part {
    pub(crate) fn new() -> Self {
        Self {
            index: Index::new(),
            entries: Entries::default(),
            known: Vec::new(),
            nodes: Vec::new(),
            layers: Vec::new(),
            touched: Vec::new(),
            later: Default::default(),
            counters: Counters::default(),
            found: None,
        }
    }

    /// Forgets the search before, at a cost that depends on what it touched. Room for `kept` elements
    /// of each list is kept.
    pub(crate) fn clear(&mut self, kept: usize) {
        self.index.clear(self.known.iter().map(|known| known.key));
        self.entries.clear();
        clear(&mut self.known, kept);
        clear(&mut self.nodes, kept);
        self.layers.clear();
        clear(&mut self.touched, kept);
        for later in &mut self.later {
            clear(later, kept);
        }
        self.counters = Counters::default();
        self.found = None;
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> u64 {
        let later: usize = self.later.iter().map(Vec::len).sum();
        let bytes = self.entries.len() * Entries::EACH
            + self.known.len() * size_of::<Known>()
            + self.nodes.len() * size_of::<Node>()
            + self.touched.len() * size_of::<u32>()
            + later * size_of::<Later>();
        self.index.bytes() + bytes as u64
    }

    /// Bytes in use with the room that lists have to grow, and with what the nodes of the layer will
    /// take.
    pub(crate) fn bytes_soon(&self) -> u64 {
        let later: usize = self.later.iter().map(Vec::capacity).sum();
        let bytes = self.entries.len() * Entries::EACH
            + self.known.capacity() * size_of::<Known>()
            + self.nodes.capacity() * size_of::<Node>()
            + self.touched.capacity() * size_of::<u32>()
            + later * size_of::<Later>()
            + self.touched.len() * (size_of::<Node>() + 2 * size_of::<Later>());
        self.index.bytes_soon() + bytes as u64
    }

    /// How many configurations there are.
    pub(crate) fn configurations(&self) -> usize {
        self.known.len()
    }

    /// Divides everything among empty parts; `owner` says which one a configuration belongs to.
    pub(crate) fn split(&mut self, parts: &mut [Self], owner: impl Fn(u32) -> usize) {
        let mut ids = Vec::with_capacity(self.known.len());
        for (id, known) in self.known.iter().enumerate() {
            let part = &mut parts[owner(known.key)];
            let new = part.entries.len() as u32;
            ids.push(new);
            part.index.find_or_insert(known.key, new);
            part.entries.push();
            let (seen, fresh) = self.entries.entry(id as u32);
            let (new_seen, new_fresh) = part.entries.entry(new);
            (*new_seen, *new_fresh) = (*seen, *fresh);
            part.known.push(Known {
                key: known.key,
                latest: 0,
            });
        }
        let ends = self.layers.iter().skip(1).copied();
        for (&begin, end) in self.layers.iter().zip(ends.chain([self.nodes.len()])) {
            for part in &mut *parts {
                part.layers.push(part.nodes.len());
            }
            for node in &self.nodes[begin..end] {
                let part = &mut parts[owner(node.key)];
                let id = part.index.find(node.key).expect("every node's is known");
                let known = &mut part.known[id as usize];
                part.nodes.push(Node {
                    earlier: known.latest,
                    ..*node
                });
                known.latest = part.nodes.len() as u32;
            }
        }
        for (slot, later) in self.later.iter().enumerate() {
            for child in later {
                let key = self.known[child.id as usize].key;
                parts[owner(key)].later[slot].push(Later {
                    id: ids[child.id as usize],
                    ..*child
                });
            }
        }
        parts[0].counters = self.counters;
        parts[0].found = self.found;
    }

    /// Takes the table of all configurations of three helpers if there are enough of them by now
    /// and it stays within the given bytes.
    pub(crate) fn go_direct_if_large(&mut self, most_bytes: u64) {
        if !self.index.is_direct()
            && self.known.len() >= DIRECT_FROM
            && self.bytes() + Index::DIRECT_BYTES <= most_bytes
        {
            self.index
                .go_direct(self.known.iter().map(|known| known.key));
        }
    }

    /// The nodes of the layer before the one that is being filled.
    pub(crate) fn layer_before(&self) -> Range<usize> {
        match self.layers[..] {
            [.., begin, end] => begin..end,
            _ => 0..0,
        }
    }

    /// Whether nothing will come: nothing new in the last two layers, and nothing kept for later.
    pub(crate) fn has_ended(&self) -> bool {
        let last_two = self.layers[self.layers.len().saturating_sub(2)];
        self.nodes.len() == last_two && self.later.iter().all(Vec::is_empty)
    }

    /// Adds children to their configurations' fresh cells.
    pub(crate) fn commit<S: Set>(&mut self, children: &[Child]) {
        S::with(Commit::<S> {
            part: self,
            children,
            kind: PhantomData,
        });
    }

    #[inline(always)]
    fn commit_here<S: Set>(&mut self, children: &[Child]) {
        let mut ids = [0; BATCH];
        let large = self.known.len() >= LARGE;
        self.counters.generated += children.len() as u64;
        for batch in children.chunks(BATCH) {
            if large {
                for child in batch {
                    self.index.fetch(child.key);
                }
            }
            for (id, child) in ids.iter_mut().zip(batch) {
                *id = self
                    .index
                    .find_or_insert(child.key, self.entries.len() as u32);
                if *id as usize == self.entries.len() {
                    self.entries.push();
                    self.known.push(Known {
                        key: child.key,
                        latest: 0,
                    });
                } else if large {
                    self.entries.fetch(*id);
                }
            }
            for (id, child) in ids.iter().zip(batch) {
                self.add::<S>(*id, &child.goals);
            }
        }
    }

    /// Adds what goal-robot moves reach in layer `f`.
    pub(crate) fn commit_later<S: Set>(&mut self, f: usize) {
        S::with(CommitLater::<S> {
            part: self,
            f,
            kind: PhantomData,
        });
    }

    #[inline(always)]
    fn commit_later_here<S: Set>(&mut self, f: usize) {
        let mut later = std::mem::take(&mut self.later[f % 4]);
        self.counters.generated += later.len() as u64;
        for (i, child) in later.iter().enumerate() {
            if let Some(ahead) = later.get(i + 16) {
                self.entries.fetch(ahead.id);
            }
            self.add::<S>(child.id, &child.goals);
        }
        later.clear();
        self.later[f % 4] = later;
    }

    #[inline(always)]
    fn add<S: Set>(&mut self, id: u32, goals: &[u64; 4]) {
        let (seen, fresh) = self.entries.entry(id);
        let before = S::load(seen);
        let new = S::load(goals).minus(before);
        if new.is_empty() {
            self.counters.hits += 1;
            return;
        }
        *seen = before.or(new).words();
        let others = S::load(fresh);
        *fresh = others.or(new).words();
        if others.is_empty() {
            self.touched.push(id);
        }
    }

    /// Whether there are fresh cells of which no node is made yet.
    pub(crate) fn has_fresh(&self) -> bool {
        !self.touched.is_empty()
    }

    /// Makes nodes of fresh cells, of some thousand configurations at a time so that limits can be
    /// looked at, with the goal-robot moves that lower the bound; the other
    /// goal-robot moves are kept for their layers. Ends early, and says `stop`, when the target is
    /// reached or, with `lookahead`, is known to be reached in the next layer.
    pub(crate) fn make_nodes<S: Set, const N: usize>(
        &mut self,
        tables: &mut Tables,
        f: usize,
        lookahead: bool,
        stop: &AtomicBool,
    ) {
        S::with(MakeNodes::<S, N> {
            part: self,
            tables,
            f,
            lookahead,
            stop,
            kind: PhantomData,
        });
    }

    #[inline(always)]
    fn make_nodes_here<S: Set, const N: usize>(
        &mut self,
        tables: &mut Tables,
        f: usize,
        lookahead: bool,
        stop: &AtomicBool,
    ) {
        let [n, e, s, w] = &tables.enter;
        let enter = &[S::load(n), S::load(e), S::load(s), S::load(w)];
        let mut touched = std::mem::take(&mut self.touched);
        let rest = touched.len().saturating_sub(NODES_A_CALL);
        // The latest first: they come from the latest nodes, those that are nearest to the target.
        for (i, &id) in touched.iter().enumerate().skip(rest).rev() {
            if let Some(&ahead) = touched.get(i.wrapping_sub(16)) {
                self.entries.fetch(ahead);
            }
            let known = &mut self.known[id as usize];
            let key = known.key;
            let helpers = helpers::<N>(key);
            let (seen, fresh) = self.entries.entry(id);
            let moves = GoalMoves {
                tables,
                enter,
                helpers,
            };
            let moved = moves.make(S::load(fresh), S::load(seen));
            *seen = moved.seen.words();
            *fresh = [0; 4];
            let node = self.nodes.len();
            let cells = moved.all.words();
            self.nodes.push(Node {
                set: cells,
                key,
                earlier: known.latest,
            });
            known.latest = node as u32 + 1;
            if !moved.same.is_empty() {
                self.later[(f + 1) % 4].push(Later {
                    goals: moved.same.words(),
                    id,
                });
            }
            if !moved.higher.is_empty() {
                self.later[(f + 2) % 4].push(Later {
                    goals: moved.higher.words(),
                    id,
                });
            }
            let found = Found {
                f,
                before: key,
                key,
                cells,
            };
            if !moved.all.and(tables.target()).is_empty() {
                self.found = Some(found);
                stop.store(true, Relaxed);
            } else if lookahead && self.look_ahead::<S, N>(tables, enter, helpers, &moved, found) {
                stop.store(true, Relaxed);
            }
            if stop.load(Relaxed) {
                break;
            }
        }
        touched.truncate(rest);
        self.touched = touched;
    }

    /// Looks for the target in the next two layers, without making them; true if it is in the next.
    #[inline(always)]
    fn look_ahead<S: Set, const N: usize>(
        &mut self,
        tables: &mut Tables,
        enter: &[S; 4],
        helpers: [u8; N],
        moved: &Moved<S>,
        mut found: Found,
    ) -> bool {
        let may_reach = may_reach_target::<S, N>(tables, found.key);
        let same = moved.same.and(may_reach);
        let higher = moved.higher.and(may_reach);
        let f = found.f;
        if !same.or(higher).is_empty() {
            let moves = GoalMoves {
                tables,
                enter,
                helpers,
            };
            if !same.is_empty() && moves.reach_target(same) {
                found.f = f + 1;
                self.found = Some(found);
                return true;
            }
            if self.found.is_none() && !higher.is_empty() && moves.reach_target(higher) {
                found.f = f + 2;
                self.found = Some(found);
            }
        }
        let Some((key, cells)) = last_helper_move::<S, N>(tables, enter, found.key, moved) else {
            return false;
        };
        found.f = f + 1;
        found.key = key;
        found.cells = cells.words();
        self.found = Some(found);
        true
    }

    /// How many layers after the first a state was reached, if it was.
    pub(crate) fn layer_of(&self, key: u32, goal: u8) -> Option<u32> {
        let id = self.index.find(key)?;
        let mut latest = self.known[id as usize].latest;
        let (word, bit) = (usize::from(goal >> 6), 1u64 << (goal & 63));
        while latest > 0 {
            let index = latest as usize - 1;
            let node = &self.nodes[index];
            if node.set[word] & bit != 0 {
                return Some(self.layers.partition_point(|&begin| begin <= index) as u32 - 1);
            }
            latest = node.earlier;
        }
        None
    }
}

fn clear<T>(list: &mut Vec<T>, kept: usize) {
    list.clear();
    list.shrink_to(kept);
}

struct Commit<'a, S> {
    part: &'a mut Part,
    children: &'a [Child],
    kind: PhantomData<S>,
}

impl<S: Set> Kernel for Commit<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.part.commit_here::<S>(self.children);
    }
}

struct CommitLater<'a, S> {
    part: &'a mut Part,
    f: usize,
    kind: PhantomData<S>,
}

impl<S: Set> Kernel for CommitLater<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.part.commit_later_here::<S>(self.f);
    }
}

struct MakeNodes<'a, S, const N: usize> {
    part: &'a mut Part,
    tables: &'a mut Tables,
    f: usize,
    lookahead: bool,
    stop: &'a AtomicBool,
    kind: PhantomData<S>,
}

impl<S: Set, const N: usize> Kernel for MakeNodes<'_, S, N> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.part
            .make_nodes_here::<S, N>(self.tables, self.f, self.lookahead, self.stop);
    }
}
