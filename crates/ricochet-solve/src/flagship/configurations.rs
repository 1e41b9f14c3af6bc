//! The configurations that a search on one thread has met.

use super::config::index_of_three;
use super::configuration_index::ConfigurationIndex;
use super::entries::Entries;
use super::lists::{LayerPlan, Lists, NodeMaker, Touched};
use super::nodes::{Child, Later};
use super::tables::Tables;
use crate::lowlevel::instructions::{InstructionSet, Kernel};
use crate::lowlevel::prefetch::prefetch;
use crate::lowlevel::set::Set;

/// Children are committed in batches of so many, while their entries are on the way to the cache.
pub(crate) const BATCH: usize = 64;

/// From this many configurations on, the tables no longer fit into the nearer caches.
const LARGE: usize = 1 << 12;

/// With this many configurations a search of three helpers takes the table of all of them.
const DIRECT_FROM: usize = 1 << 16;

/// Nodes that are made before somebody looks at the limits: a few milliseconds.
const NODES_A_CALL: usize = 1 << 12;

/// What a guided search knows of a configuration: its bound, and what each helper move does to it, if
/// no goal robot stops it. One cache line.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(crate) struct Survey {
    /// One more than the number of its bound; 0 if nothing is known yet.
    pub(crate) number: u32,
    /// The moves that leave the bound as it is, whatever the goal robot's cell.
    pub(crate) same: u16,
    /// The moves that lower it for some cells, …
    pub(crate) lowering: u16,
    /// … and these cells.
    pub(crate) lowered: [u64; 4],
    /// The number of the bound after each move that does not leave it as it is; [`Survey::ASK`] if it
    /// is too large.
    after: [u16; Self::NOTED],
}

impl Survey {
    const ASK: u16 = u16::MAX;

    /// The moves of three helpers are noted; those of a fourth have no room in the line.
    const NOTED: usize = 12;

    /// One that knows only the number of the bound.
    #[inline(always)]
    pub(super) fn of(number: u32) -> Self {
        Self {
            number: number + 1,
            ..Self::default()
        }
    }

    /// Notes the number of the bound after the move at a place.
    #[inline(always)]
    pub(super) fn note(&mut self, place: usize, number: u32) {
        if let Some(after) = self.after.get_mut(place) {
            *after = number.min(u32::from(Self::ASK)) as u16;
        }
    }

    /// The number of the bound after the move at a place, if it was noted.
    #[inline(always)]
    pub(super) fn noted(&self, place: usize) -> Option<u32> {
        let after = self.after.get(place).copied();
        after.filter(|&after| after != Self::ASK).map(u32::from)
    }
}

/// What is known of a configuration, beside its entry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    pub(crate) key: u32,
    /// One more than the number of the latest node; 0 if there is none.
    pub(crate) latest: u32,
}

/// All that a guided search needs of a configuration.
pub(super) struct Opened<'a> {
    pub(super) known: &'a mut Known,
    pub(super) survey: &'a mut Survey,
    pub(super) seen: &'a mut [u64; 4],
    pub(super) fresh: &'a mut [u64; 4],
}

/// See the module's documentation.
#[derive(Debug)]
pub(crate) struct Configurations {
    index: ConfigurationIndex,
    entries: Entries,
    /// By number of the entry.
    known: Vec<Known>,
    /// The same, as far as a guided search needs it.
    surveys: Vec<Survey>,
}

impl Configurations {
    pub(crate) fn new() -> Self {
        Self {
            index: ConfigurationIndex::new(),
            entries: Entries::default(),
            known: Vec::new(),
            surveys: Vec::new(),
        }
    }

    /// Forgets the search before, at a cost that depends on what it touched. Room for `kept` of them
    /// is kept.
    pub(crate) fn clear(&mut self, kept: usize) {
        self.index.clear(self.known.iter().map(|known| known.key));
        self.entries.clear();
        self.known.clear();
        self.known.shrink_to(kept);
        self.surveys.clear();
        self.surveys.shrink_to(kept);
    }

    /// Forgets the search before, and gives back what it took but for the room for `kept`.
    pub(crate) fn give_back(&mut self, kept: usize) {
        self.index.give_back();
        self.entries.give_back();
        self.known.clear();
        self.known.shrink_to(kept);
        self.surveys.clear();
        self.surveys.shrink_to(kept);
    }

    /// Bytes that are held, in use or not.
    #[cfg(test)]
    pub(crate) fn bytes_kept(&self) -> u64 {
        let known = self.known.capacity() * size_of::<Known>();
        self.index.bytes_kept() + self.entries.bytes_kept() + known as u64
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> u64 {
        let each = Entries::EACH + size_of::<Known>();
        let surveys = self.surveys.len() * size_of::<Survey>();
        self.index.bytes() + (self.known.len() * each + surveys) as u64
    }

    /// Bytes in use with the room that lists have to grow.
    pub(crate) fn bytes_soon(&self) -> u64 {
        let bytes = self.entries.len() * Entries::EACH
            + self.known.capacity() * size_of::<Known>()
            + self.surveys.capacity() * size_of::<Survey>();
        self.index.bytes_soon() + bytes as u64
    }

    pub(crate) fn len(&self) -> usize {
        self.known.len()
    }

    /// All of them, by number: what is known of each, and the goal-robot cells seen with it.
    pub(crate) fn all(&mut self) -> impl Iterator<Item = (Known, [u64; 4])> {
        let Self { known, entries, .. } = self;
        let known = known.iter().enumerate();
        known.map(|(id, &known)| (known, *entries.entry(id as u32).0))
    }

    /// Takes the table of all configurations of three helpers if there are enough of them by now
    /// and it stays within the given bytes.
    pub(crate) fn go_direct_if_large(&mut self, most_bytes: u64) {
        if !self.index.is_direct()
            && self.known.len() >= DIRECT_FROM
            && self.bytes() + ConfigurationIndex::DIRECT_BYTES <= most_bytes
        {
            self.index
                .go_direct(self.known.iter().map(|known| known.key));
        }
    }

    /// One more than the number of a configuration's latest node; 0 if there is none.
    pub(crate) fn latest_node(&self, key: u32) -> u32 {
        let id = self.index.find(key);
        id.map_or(0, |id| self.known[id as usize].latest)
    }

    /// Adds children to their configurations' fresh cells.
    pub(crate) fn commit<S: Set>(&mut self, isa: S::Isa, children: &[Child], lists: &mut Lists) {
        isa.run(Commit::<S> {
            configurations: self,
            children,
            lists,
            isa,
        });
    }

    #[inline(always)]
    fn commit_here<S: Set>(&mut self, isa: S::Isa, children: &[Child], lists: &mut Lists) {
        let mut ids = [0; BATCH];
        let large = self.known.len() >= LARGE;
        lists.counters.generated += children.len() as u64;
        if self.index.is_direct() {
            self.commit_direct::<S>(isa, children, lists);
            return;
        }
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
            if large {
                for (id, child) in ids.iter().zip(batch) {
                    self.add::<S>(isa, *id, &child.goals, lists);
                }
            } else {
                self.add_all::<S>(isa, &ids, batch, lists);
            }
        }
    }

    /// Adds children to the fresh cells of their configurations, as [`Configurations::add`] does. Which
    /// are new cannot be predicted, so there is no branch. Where the tables no longer fit into the nearer
    /// caches, a branch is cheaper than writing what has not changed.
    #[inline(always)]
    fn add_all<S: Set>(
        &mut self,
        isa: S::Isa,
        ids: &[u32; BATCH],
        batch: &[Child],
        lists: &mut Lists,
    ) {
        let mut touched = [0; BATCH];
        let (mut len, mut hits) = (0, 0);
        for (&id, child) in ids.iter().zip(batch) {
            let (seen, fresh) = self.entries.entry(id);
            let (before, others) = (isa.load(seen), isa.load(fresh));
            let new = isa.load(&child.goals).minus(before);
            *seen = before.or(new).words();
            *fresh = others.or(new).words();
            touched[len % BATCH] = id;
            len += usize::from(!new.is_empty() & others.is_empty());
            hits += u64::from(new.is_empty());
        }
        lists.touched.extend_from_slice(&touched[..len]);
        lists.counters.hits += hits;
    }

    /// The same with the table of all configurations.
    #[inline(always)]
    fn commit_direct<S: Set>(&mut self, isa: S::Isa, children: &[Child], lists: &mut Lists) {
        let (mut places, mut ids) = ([0; BATCH], [0; BATCH]);
        for batch in children.chunks(BATCH) {
            let Self {
                index,
                entries,
                known,
                ..
            } = self;
            let direct = index.direct().expect("it is in use");
            for (place, child) in places.iter_mut().zip(batch) {
                *place = index_of_three(child.key);
                prefetch(direct, *place);
            }
            for ((id, &place), child) in ids.iter_mut().zip(&places).zip(batch) {
                let number = &mut direct[place];
                if *number == 0 {
                    entries.push();
                    known.push(Known {
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
                self.add::<S>(isa, *id, &child.goals, lists);
            }
        }
    }

    /// Adds what goal-robot moves reach.
    pub(crate) fn commit_later<S: Set>(&mut self, isa: S::Isa, later: &[Later], lists: &mut Lists) {
        isa.run(CommitLater::<S> {
            configurations: self,
            later,
            lists,
            isa,
        });
    }

    #[inline(always)]
    fn commit_later_here<S: Set>(&mut self, isa: S::Isa, later: &[Later], lists: &mut Lists) {
        lists.counters.generated += later.len() as u64;
        for (i, child) in later.iter().enumerate() {
            if let Some(ahead) = later.get(i + 16) {
                self.entries.fetch(ahead.id);
            }
            self.add::<S>(isa, child.id, &child.goals, lists);
        }
    }

    #[inline(always)]
    fn add<S: Set>(&mut self, isa: S::Isa, id: u32, goals: &[u64; 4], lists: &mut Lists) {
        let (seen, fresh) = self.entries.entry(id);
        let before = isa.load(seen);
        let new = isa.load(goals).minus(before);
        if new.is_empty() {
            lists.counters.hits += 1;
            return;
        }
        *seen = before.or(new).words();
        let others = isa.load(fresh);
        *fresh = others.or(new).words();
        if others.is_empty() {
            lists.touched.push(id);
        }
    }

    /// Makes room for what a guided search knows of all configurations.
    pub(super) fn make_room_for_surveys(&mut self) {
        self.surveys.resize(self.known.len(), Survey::default());
    }

    /// What is known of a configuration, what a guided search knows of it, the goal-robot cells seen
    /// with it, and those that are fresh.
    #[inline(always)]
    pub(super) fn opened(&mut self, id: u32) -> Opened<'_> {
        let (seen, fresh) = self.entries.entry(id);
        Opened {
            known: &mut self.known[id as usize],
            survey: &mut self.surveys[id as usize],
            seen,
            fresh,
        }
    }

    /// What a guided search knows of each configuration, by its number.
    pub(super) fn surveys(&self) -> &[Survey] {
        &self.surveys
    }

    /// Fetches into the cache what [`Configurations::opened`] gives.
    #[inline(always)]
    pub(super) fn fetch(&self, id: u32) {
        self.entries.fetch(id);
        prefetch(&self.known, id as usize);
        prefetch(&self.surveys, id as usize);
    }

    /// One more than the number of the latest node of a configuration; 0 if there is none.
    #[inline(always)]
    pub(super) fn latest_of(&self, id: u32) -> usize {
        self.known[id as usize].latest as usize
    }

    /// Makes nodes of fresh cells, of some thousand configurations at a time so that limits can be
    /// looked at. Ends early, and says so, when the target is reached or, with `lookahead`, is known
    /// to be reached in the next layer.
    pub(crate) fn make_nodes<S: Set, const N: usize>(
        &mut self,
        isa: S::Isa,
        tables: &mut Tables,
        layer: LayerPlan,
        lists: &mut Lists,
    ) -> bool {
        isa.run(MakeNodes::<S, N> {
            configurations: self,
            tables,
            layer,
            lists,
            isa,
        })
    }

    #[inline(always)]
    fn make_nodes_here<S: Set, const N: usize>(
        &mut self,
        mut maker: NodeMaker<S>,
        lists: &mut Lists,
    ) -> bool {
        let isa = maker.isa();
        let mut touched = std::mem::take(&mut lists.touched);
        let rest = touched.len().saturating_sub(NODES_A_CALL);
        let mut reached = false;
        let layer_begin = lists.layers.last().copied().unwrap_or(0);
        let large = self.known.len() >= LARGE;
        // The latest first: they come from the latest nodes, those that are nearest to the target.
        for (i, &id) in touched.iter().enumerate().skip(rest).rev() {
            if large {
                if let Some(&ahead) = touched.get(i.wrapping_sub(16)) {
                    self.entries.fetch(ahead);
                    prefetch(&self.known, ahead as usize);
                }
                if let Some(&ahead) = touched.get(i.wrapping_sub(8)) {
                    let latest = self.known[ahead as usize].latest as usize;
                    if latest > layer_begin {
                        prefetch(&lists.nodes, latest - 1);
                    }
                }
            }
            let known = &mut self.known[id as usize];
            let (seen, fresh) = self.entries.entry(id);
            let latest = known.latest as usize;
            let configuration = Touched {
                id,
                key: known.key,
                earlier: known.latest,
                same_layer: (latest > layer_begin).then(|| latest - 1),
                fresh: isa.load(fresh),
                seen: isa.load(seen),
            };
            *fresh = [0; 4];
            if configuration.same_layer.is_none() {
                known.latest = lists.nodes.len() as u32 + 1;
            }
            let (seen_now, stop) = maker.make::<N>(configuration, lists);
            *seen = seen_now.words();
            if stop {
                reached = true;
                break;
            }
        }
        touched.truncate(rest);
        lists.touched = touched;
        reached
    }
}

struct Commit<'a, S: Set> {
    configurations: &'a mut Configurations,
    children: &'a [Child],
    lists: &'a mut Lists,
    isa: S::Isa,
}

impl<S: Set> Kernel for Commit<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.configurations
            .commit_here::<S>(self.isa, self.children, self.lists);
    }
}

struct CommitLater<'a, S: Set> {
    configurations: &'a mut Configurations,
    later: &'a [Later],
    lists: &'a mut Lists,
    isa: S::Isa,
}

impl<S: Set> Kernel for CommitLater<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.configurations
            .commit_later_here::<S>(self.isa, self.later, self.lists);
    }
}

struct MakeNodes<'a, S: Set, const N: usize> {
    configurations: &'a mut Configurations,
    tables: &'a mut Tables,
    layer: LayerPlan,
    lists: &'a mut Lists,
    isa: S::Isa,
}

impl<S: Set, const N: usize> Kernel for MakeNodes<'_, S, N> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let maker = NodeMaker::new(self.isa, self.tables, self.layer);
        self.configurations
            .make_nodes_here::<S, N>(maker, self.lists)
    }
}
