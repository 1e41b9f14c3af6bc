//! Duplicate detection: the configurations that a shard of a search has visited, and the goal-robot
//! cells seen with each of them.

use super::frontier::{Child, DeferredGoalMoves, Frontier, TouchedConfiguration};
use super::index::ConfigurationIndex;
use super::key::{CONFIGS_OF_THREE, index_of_three};
use super::plans::Survey;
use crate::lowlevel::instructions::{InstructionSet, Kernel};
use crate::lowlevel::pages::{LINE, Lines, Zeroed};
use crate::lowlevel::prefetch::prefetch;
use crate::lowlevel::set::Set;

/// Children are added in batches of this many, while their entries are being prefetched.
pub(super) const BATCH: usize = 64;

/// From this many configurations on, the tables no longer fit into the nearer caches.
const PREFETCH_FROM: usize = 1 << 12;

/// From this many configurations on, a search with three helpers uses the table of all of them.
const DIRECT_FROM: usize = 1 << 16;

/// The data of a configuration besides its entry.
#[derive(Clone, Copy, Debug)]
struct Configuration {
    key: u32,
    /// One more than the index of the latest node; 0 if there is none.
    latest: u32,
}

/// A touched configuration, with the fields that making its node changes.
pub(super) struct OpenEntry<'a, S> {
    pub(super) touched: TouchedConfiguration<S>,
    /// The survey, in a search with plans.
    pub(super) survey: Option<&'a mut Survey>,
    pub(super) latest: &'a mut u32,
    pub(super) seen: &'a mut [u64; 4],
}

/// The configurations that have been visited; see the module's documentation.
#[derive(Debug)]
pub(super) struct Visited {
    index: ConfigurationIndex,
    entries: Entries,
    /// By index of the entry.
    configurations: Vec<Configuration>,
    /// By index of the entry, in a search with plans.
    surveys: Vec<Survey>,
}

impl Visited {
    pub(super) fn new() -> Self {
        Self {
            index: ConfigurationIndex::new(),
            entries: Entries::new(),
            configurations: Vec::new(),
            surveys: Vec::new(),
        }
    }

    /// Forgets the previous search, at a cost that depends on what it touched. Keeps the capacity
    /// for `kept` configurations.
    pub(super) fn clear(&mut self, kept: usize) {
        self.index
            .clear(self.configurations.iter().map(|it| it.key));
        self.entries.clear();
        self.clear_lists(kept);
    }

    /// Forgets the previous search and frees its memory, except for the capacity for `kept`
    /// configurations.
    pub(super) fn free(&mut self, kept: usize) {
        self.index.free();
        self.entries.free();
        self.clear_lists(kept);
    }

    fn clear_lists(&mut self, kept: usize) {
        self.configurations.clear();
        self.configurations.shrink_to(kept);
        self.surveys.clear();
        self.surveys.shrink_to(kept);
    }

    /// Bytes allocated, in use or not.
    #[cfg(test)]
    pub(super) fn bytes_kept(&self) -> u64 {
        let configurations = self.configurations.capacity() * size_of::<Configuration>();
        self.index.bytes_kept() + self.entries.bytes_kept() + configurations as u64
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> u64 {
        let each = Entries::EACH + size_of::<Configuration>();
        let surveys = self.surveys.len() * size_of::<Survey>();
        self.index.bytes() + (self.configurations.len() * each + surveys) as u64
    }

    /// Bytes in use, including the spare capacity of lists.
    pub(super) fn bytes_soon(&self) -> u64 {
        let bytes = self.entries.len() * Entries::EACH
            + self.configurations.capacity() * size_of::<Configuration>()
            + self.surveys.capacity() * size_of::<Survey>();
        self.index.bytes_soon() + bytes as u64
    }

    /// The number of configurations.
    pub(super) fn len(&self) -> usize {
        self.configurations.len()
    }

    /// Switches to the table of all configurations of three helpers if there are enough of them by
    /// now and the table stays within the given bytes.
    pub(super) fn go_direct_if_large(&mut self, most_bytes: u64) {
        if !self.index.is_direct()
            && self.len() >= DIRECT_FROM
            && self.bytes() + ConfigurationIndex::DIRECT_BYTES <= most_bytes
        {
            self.index
                .go_direct(self.configurations.iter().map(|it| it.key));
        }
    }

    /// One more than the index of a configuration's latest node; 0 if there is none.
    pub(super) fn latest_node(&self, key: u32) -> u32 {
        let id = self.index.find(key);
        id.map_or(0, |id| self.configurations[id as usize].latest)
    }

    /// The key of a configuration, by the index of its entry.
    pub(super) fn key(&self, id: u32) -> u32 {
        self.configurations[id as usize].key
    }

    /// Moves every configuration to its owner among some empty shards. Returns the new index of
    /// each entry. Nodes have to be moved separately, see [`Visited::set_latest`].
    pub(super) fn divide(
        &mut self,
        shards: &mut [&mut Visited],
        owner: impl Fn(u32) -> usize,
    ) -> Vec<u32> {
        let mut numbers = Vec::with_capacity(self.len());
        for (id, configuration) in self.configurations.iter().enumerate() {
            let to = &mut *shards[owner(configuration.key)];
            let number = to.entries.len() as u32;
            to.index.find_or_insert(configuration.key, number);
            to.entries.push();
            (*to.entries.entry(number).0, *to.entries.entry(number).1) = {
                let (seen, fresh) = self.entries.entry(id as u32);
                (*seen, *fresh)
            };
            to.configurations.push(Configuration {
                latest: 0,
                ..*configuration
            });
            if let Some(survey) = self.surveys.get(id) {
                to.surveys.push(*survey);
            }
            numbers.push(number);
        }
        numbers
    }

    /// Sets the latest node of a configuration: one more than its index.
    pub(super) fn set_latest(&mut self, id: u32, latest: u32) {
        self.configurations[id as usize].latest = latest;
    }

    /// The index of a configuration's entry, if it has one.
    pub(super) fn find(&self, key: u32) -> Option<u32> {
        self.index.find(key)
    }

    /// Adds the cells of children to the fresh cells of their configurations.
    pub(super) fn add_children<S: Set>(
        &mut self,
        isa: S::Isa,
        children: &[Child],
        frontier: &mut Frontier,
    ) {
        isa.run(AddChildren::<S> {
            visited: self,
            children,
            frontier,
            isa,
        });
    }

    /// Adds deferred goal-robot moves whose layer is being filled.
    pub(super) fn add_deferred<S: Set>(
        &mut self,
        isa: S::Isa,
        deferred: &[DeferredGoalMoves],
        frontier: &mut Frontier,
    ) {
        isa.run(AddDeferred::<S> {
            visited: self,
            deferred,
            frontier,
            isa,
        });
    }

    #[inline(always)]
    fn add_hashed<S: Set>(&mut self, isa: S::Isa, children: &[Child], frontier: &mut Frontier) {
        let mut ids = [0; BATCH];
        let large = self.len() >= PREFETCH_FROM;
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
                    self.configurations.push(Configuration {
                        key: child.key,
                        latest: 0,
                    });
                } else if large {
                    self.entries.fetch(*id);
                }
            }
            if large {
                for (id, child) in ids.iter().zip(batch) {
                    self.add::<S>(isa, *id, &child.cells, frontier);
                }
            } else {
                self.add_without_branches::<S>(isa, &ids, batch, frontier);
            }
        }
    }

    /// Adds children to the fresh cells of their configurations, as [`Visited::add`] does. Which
    /// cells are new cannot be predicted, so there is no branch. In large searches, whose tables no
    /// longer fit into the nearer caches, a branch is cheaper than writing data that has not
    /// changed.
    #[inline(always)]
    fn add_without_branches<S: Set>(
        &mut self,
        isa: S::Isa,
        ids: &[u32; BATCH],
        batch: &[Child],
        frontier: &mut Frontier,
    ) {
        let mut touched = [0; BATCH];
        let (mut len, mut duplicates) = (0, 0);
        for (&id, child) in ids.iter().zip(batch) {
            let (seen, fresh) = self.entries.entry(id);
            let (before, others) = (isa.load(seen), isa.load(fresh));
            let new = isa.load(&child.cells).minus(before);
            *seen = before.or(new).words();
            *fresh = others.or(new).words();
            touched[len % BATCH] = id;
            len += usize::from(!new.is_empty() & others.is_empty());
            duplicates += u64::from(new.is_empty());
        }
        frontier.touched.extend_from_slice(&touched[..len]);
        frontier.counters.duplicates += duplicates;
    }

    /// Adds children through the table of all configurations.
    #[inline(always)]
    fn add_direct<S: Set>(&mut self, isa: S::Isa, children: &[Child], frontier: &mut Frontier) {
        let (mut slots, mut ids) = ([0; BATCH], [0; BATCH]);
        for batch in children.chunks(BATCH) {
            let Self {
                index,
                entries,
                configurations,
                ..
            } = self;
            let direct = index.direct().expect("it is in use");
            for (slot, child) in slots.iter_mut().zip(batch) {
                *slot = index_of_three(child.key);
                prefetch(direct, *slot);
            }
            for ((id, &slot), child) in ids.iter_mut().zip(&slots).zip(batch) {
                let number = &mut direct[slot];
                if *number == 0 {
                    entries.push();
                    configurations.push(Configuration {
                        key: child.key,
                        latest: 0,
                    });
                    *number = entries.len() as u32;
                } else {
                    entries.fetch(*number - 1);
                }
                *id = *number - 1;
            }
            for (id, child) in ids.iter().zip(batch) {
                self.add::<S>(isa, *id, &child.cells, frontier);
            }
        }
    }

    #[inline(always)]
    fn add<S: Set>(&mut self, isa: S::Isa, id: u32, cells: &[u64; 4], frontier: &mut Frontier) {
        let (seen, fresh) = self.entries.entry(id);
        let before = isa.load(seen);
        let new = isa.load(cells).minus(before);
        if new.is_empty() {
            frontier.counters.duplicates += 1;
            return;
        }
        *seen = before.or(new).words();
        let others = isa.load(fresh);
        *fresh = others.or(new).words();
        if others.is_empty() {
            frontier.touched.push(id);
        }
    }

    /// Makes room for the surveys of all configurations.
    pub(super) fn make_room_for_surveys(&mut self) {
        self.surveys.resize(self.len(), Survey::default());
    }

    /// The survey of each configuration in a search with plans, by the index of its entry.
    pub(super) fn surveys(&self) -> &[Survey] {
        &self.surveys
    }

    /// Takes the fresh cells of a touched configuration.
    #[inline(always)]
    pub(super) fn open<S: Set>(&mut self, isa: S::Isa, id: u32) -> OpenEntry<'_, S> {
        let Configuration { key, latest } = &mut self.configurations[id as usize];
        let (seen, fresh) = self.entries.entry(id);
        let touched = TouchedConfiguration {
            id,
            key: *key,
            latest: *latest,
            fresh: isa.load(fresh),
            seen: isa.load(seen),
        };
        *fresh = [0; 4];
        OpenEntry {
            touched,
            survey: self.surveys.get_mut(id as usize),
            latest,
            seen,
        }
    }

    /// Prefetches what [`Visited::open`] will read for the next configurations.
    #[inline(always)]
    pub(super) fn fetch(&self, frontier: &Frontier, at: usize, surveys: bool) {
        if let Some(&ahead) = frontier.touched.get(at.wrapping_sub(16)) {
            self.entries.fetch(ahead);
            prefetch(&self.configurations, ahead as usize);
            if surveys {
                prefetch(&self.surveys, ahead as usize);
            }
        }
        if let Some(&ahead) = frontier.touched.get(at.wrapping_sub(8)) {
            let latest = self.configurations[ahead as usize].latest as usize;
            if latest > frontier.layer_begin() {
                prefetch(&frontier.nodes, latest - 1);
            }
        }
    }

    /// Whether there are enough configurations for prefetching to pay.
    #[inline(always)]
    pub(super) fn is_large(&self) -> bool {
        self.len() >= PREFETCH_FROM
    }
}

struct AddChildren<'a, S: Set> {
    visited: &'a mut Visited,
    children: &'a [Child],
    frontier: &'a mut Frontier,
    isa: S::Isa,
}

impl<S: Set> Kernel for AddChildren<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.frontier.counters.generated += self.children.len() as u64;
        if self.visited.index.is_direct() {
            self.visited
                .add_direct::<S>(self.isa, self.children, self.frontier);
        } else {
            self.visited
                .add_hashed::<S>(self.isa, self.children, self.frontier);
        }
    }
}

struct AddDeferred<'a, S: Set> {
    visited: &'a mut Visited,
    deferred: &'a [DeferredGoalMoves],
    frontier: &'a mut Frontier,
    isa: S::Isa,
}

impl<S: Set> Kernel for AddDeferred<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.frontier.counters.generated += self.deferred.len() as u64;
        for (i, moves) in self.deferred.iter().enumerate() {
            if let Some(ahead) = self.deferred.get(i + 16) {
                self.visited.entries.fetch(ahead.id);
            }
            self.visited
                .add::<S>(self.isa, moves.id, &moves.cells, self.frontier);
        }
    }
}

/// The number of entries in a chunk, which fills one huge page.
const CHUNK: usize = 1 << 15;

/// This many entries, which are all that most searches need, are in a list that grows with the
/// search: making a whole chunk would take longer than a short search.
const FIRST: usize = 1 << 12;

/// The goal-robot cells that have been seen with a configuration, and those of them that are fresh,
/// that is, in the layer being filled and not in a node yet. It fills a cache line.
type Entry = [u64; LINE];

/// By number. All but the first are in chunks that never move.
#[derive(Debug)]
struct Entries {
    first: Vec<Line>,
    /// All others, and unused room for the first.
    chunks: Vec<Lines<CHUNK>>,
    len: usize,
}

impl Entries {
    /// Bytes of one entry.
    const EACH: usize = size_of::<Entry>();

    fn new() -> Self {
        Self {
            first: Vec::with_capacity(1 << 8),
            chunks: Vec::new(),
            len: 0,
        }
    }

    #[inline(always)]
    fn len(&self) -> usize {
        self.len
    }

    /// Forgets all entries, and frees the chunks that a search with three helpers cannot need.
    fn clear(&mut self) {
        self.chunks.truncate(CONFIGS_OF_THREE.div_ceil(CHUNK));
        self.first.clear();
        self.len = 0;
    }

    /// Forgets all entries, and frees all chunks but the one that most larger searches need.
    fn free(&mut self) {
        self.chunks.truncate(1);
        self.first.clear();
        self.len = 0;
    }

    /// Bytes allocated, in use or not.
    #[cfg(test)]
    fn bytes_kept(&self) -> u64 {
        ((self.first.capacity() + self.chunks.len() * CHUNK) * Self::EACH) as u64
    }

    /// Adds an empty entry.
    #[inline(always)]
    fn push(&mut self) {
        if self.len < FIRST {
            self.first.push(Line::EMPTY);
        } else {
            if self.len >= self.chunks.len() * CHUNK {
                self.add_chunk();
            }
            *self.line(self.len) = Line::EMPTY.0;
        }
        self.len += 1;
    }

    #[cold]
    #[inline(never)]
    fn add_chunk(&mut self) {
        // Most searches do not fill the first chunk: a huge page would be too much for them.
        let words = if self.chunks.is_empty() {
            Zeroed::on_small_pages(CHUNK * LINE)
        } else {
            Zeroed::on_huge_pages(CHUNK * LINE)
        };
        self.chunks.push(Lines::new(words));
    }

    #[inline(always)]
    fn line(&mut self, id: usize) -> &mut Entry {
        match self.first.get_mut(id) {
            Some(line) => &mut line.0,
            None => self.chunks[id / CHUNK].line(id),
        }
    }

    /// The cells seen, and the fresh ones.
    #[inline(always)]
    fn entry(&mut self, id: u32) -> (&mut [u64; 4], &mut [u64; 4]) {
        let (seen, fresh) = self.line(id as usize).split_at_mut(4);
        (
            seen.first_chunk_mut().expect("four words"),
            fresh.first_chunk_mut().expect("four words"),
        )
    }

    #[inline(always)]
    fn fetch(&self, id: u32) {
        // The first entries are few enough to be in a cache.
        if id as usize >= FIRST {
            self.chunks[id as usize / CHUNK].fetch(id as usize);
        }
    }
}

/// An entry at a multiple of its size.
#[derive(Clone, Debug)]
#[repr(align(64))]
struct Line(Entry);

impl Line {
    const EMPTY: Self = Self([0; LINE]);
}
