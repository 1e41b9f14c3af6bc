//! The configurations that a search on several threads has met.
//!
//! A layer is filled in phases, and all threads have ended one before the next begins. While children
//! are added, threads set bits of fresh cells and put configurations into free places of the index,
//! by atomic operations: what there is in the end does not depend on their order. While nodes are
//! made, a configuration belongs to the thread that has it on its list, and it is on one list only.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};

use super::children::MOST_CHILDREN;
use super::config::{CONFIGS_OF_THREE, helper};
use super::configurations::{BATCH, Configurations, Known};
use super::entries::Entries;
use super::lists::{LayerPlan, Lists, NodeMaker, Touched};
use super::nodes::{Child, Later};
use super::shared_index::SharedIndex;
use super::tables::Tables;
use super::threads::NODES_A_PIECE;
use crate::lowlevel::instructions::{InstructionSet, Kernel};
use crate::lowlevel::pages::{Atomics, FixedAtomics, LINE};
use crate::lowlevel::prefetch::prefetch;
use crate::lowlevel::set::{BITS, Set};

/// Configurations of a chunk: their entries fill one huge page.
const CHUNK: usize = 1 << 15;

/// Their entries, and a word more for each.
const CHUNK_WORDS: usize = CHUNK * (LINE + 1);

/// A thread takes so many numbers at a time: less to wait for each other.
const NUMBERS_AT_ONCE: usize = 64;

/// Numbers of new configurations that a thread has taken and not used yet.
#[derive(Debug, Default)]
pub(crate) struct Numbers(std::ops::Range<u32>);

/// See the module's documentation.
#[derive(Debug)]
pub(crate) struct SharedConfigurations {
    index: SharedIndex,
    /// Cells seen and fresh cells of [`CHUNK`] configurations, a cache line each, as in
    /// [`Entries`], except that fresh cells are not yet among those seen, and that the bit of the
    /// first helper, where no goal robot can be, says whether the configuration is on a list. After
    /// them a word for each configuration: its key in the upper half, and one more than the number of
    /// its latest node in the lower half.
    chunks: Vec<FixedAtomics<AtomicU64, CHUNK_WORDS>>,
    /// How many numbers have been taken.
    taken: AtomicUsize,
    /// There is room for so many.
    room: usize,
    /// How many threads there are.
    threads: usize,
}

impl SharedConfigurations {
    pub(crate) fn new() -> Self {
        Self {
            index: SharedIndex::hashed(1),
            chunks: Vec::new(),
            taken: AtomicUsize::new(0),
            room: 0,
            threads: 1,
        }
    }

    /// Forgets the search before, and gives back what a search with three helpers cannot need.
    pub(crate) fn clear(&mut self) {
        if self.index.is_direct() {
            // Numbers that were taken in vain have any key, which does no harm.
            let ids = 0..*self.taken.get_mut() as u32;
            let keys = ids.map(|id| self.known(id).key);
            self.index.remove_all(keys);
        } else {
            self.index = SharedIndex::hashed(1);
        }
        self.chunks.truncate(CONFIGS_OF_THREE.div_ceil(CHUNK));
        self.taken = AtomicUsize::new(0);
    }

    /// Takes over what one thread has met between two layers, for so many of them, with the table of
    /// all configurations of three helpers if wanted. Numbers of configurations stay; those of nodes
    /// are [`renumbered`].
    pub(crate) fn take_over(&mut self, alone: &mut Configurations, threads: usize, direct: bool) {
        debug_assert_eq!(*self.taken.get_mut(), 0, "cleared");
        if direct != self.index.is_direct() {
            self.index = if direct {
                SharedIndex::direct()
            } else {
                SharedIndex::hashed(1)
            };
        }
        self.threads = threads;
        self.taken = AtomicUsize::new(alone.len().next_multiple_of(NUMBERS_AT_ONCE));
        self.make_room();
        for (id, (known, seen)) in alone.all().enumerate() {
            let id = id as u32;
            for (to, from) in self.entry(id).iter().zip(seen.into_iter().chain([0; 4])) {
                to.store(from, Relaxed);
            }
            let latest = renumbered(known.latest, threads);
            self.set_known(id, Known { latest, ..known });
            self.index.insert(known.key, id);
        }
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> u64 {
        let each = Entries::EACH + size_of::<u64>();
        self.index.bytes() + (self.taken.load(Relaxed) * each) as u64
    }

    /// Bytes that are held, in use or not.
    #[cfg(test)]
    pub(crate) fn bytes_kept(&self) -> u64 {
        self.index.bytes() + (self.chunks.len() * CHUNK_WORDS * size_of::<u64>()) as u64
    }

    /// Bytes in use, or that it will take to grow if it will have to.
    pub(crate) fn bytes_soon(&self) -> u64 {
        // While it grows it holds the old slots and four times as many new ones.
        let grows = self.index.room() < self.room_wanted();
        self.bytes() + self.index.bytes() * if grows { 4 } else { 0 }
    }

    /// What all threads may need before they see that there is no room.
    fn reserve(&self) -> usize {
        self.threads * (NUMBERS_AT_ONCE + NODES_A_PIECE * MOST_CHILDREN)
    }

    fn room_wanted(&self) -> usize {
        let taken = self.taken.load(Relaxed);
        taken + (taken / 2).clamp(CHUNK, 16 * CHUNK) + self.reserve()
    }

    /// Makes room for some more.
    pub(crate) fn make_room(&mut self) {
        let wanted = self.room_wanted();
        self.index.make_room(wanted);
        while self.chunks.len() * CHUNK < wanted {
            self.chunks
                .push(Atomics::on_huge_pages(CHUNK_WORDS).fixed());
        }
        self.room = self.index.room().min(self.chunks.len() * CHUNK);
    }

    /// Whether [`SharedConfigurations::make_room`] has to be called before more children are added.
    #[inline(always)]
    pub(crate) fn is_full(&self) -> bool {
        self.taken.load(Relaxed) + self.reserve() > self.room
    }

    /// One more than the number of a configuration's latest node; 0 if there is none.
    pub(crate) fn latest_node(&self, key: u32) -> u32 {
        let id = self.index.find(key);
        id.map_or(0, |id| self.known(id).latest)
    }

    /// The cells seen, and the fresh ones.
    #[inline(always)]
    fn entry(&self, id: u32) -> &[AtomicU64; LINE] {
        let (entries, _) = self.chunks[id as usize / CHUNK].as_ref().as_chunks();
        &entries[id as usize % CHUNK]
    }

    #[inline(always)]
    fn fetch_entry(&self, id: u32) {
        let words = self.chunks[id as usize / CHUNK].as_ref();
        prefetch(words, id as usize % CHUNK * LINE);
    }

    #[inline(always)]
    fn fetch_known(&self, id: u32) {
        let words = self.chunks[id as usize / CHUNK].as_ref();
        prefetch(words, CHUNK * LINE + id as usize % CHUNK);
    }

    #[inline(always)]
    fn known_word(&self, id: u32) -> &AtomicU64 {
        let words = self.chunks[id as usize / CHUNK].as_ref();
        &words[CHUNK * LINE + id as usize % CHUNK]
    }

    #[inline(always)]
    fn known(&self, id: u32) -> Known {
        let word = self.known_word(id).load(Relaxed);
        Known {
            key: (word >> 32) as u32,
            latest: word as u32,
        }
    }

    #[inline(always)]
    fn set_known(&self, id: u32, known: Known) {
        let word = u64::from(known.key) << 32 | u64::from(known.latest);
        self.known_word(id).store(word, Relaxed);
    }

    /// Adds children to their configurations' fresh cells.
    pub(crate) fn commit<I: InstructionSet>(
        &self,
        isa: I,
        children: &[Child],
        numbers: &mut Numbers,
        lists: &mut Lists,
    ) {
        isa.run(Commit {
            configurations: self,
            children,
            numbers,
            lists,
        });
    }

    #[inline(always)]
    fn commit_here(&self, children: &[Child], numbers: &mut Numbers, lists: &mut Lists) {
        let mut ids = [0; BATCH];
        lists.counters.generated += children.len() as u64;
        for batch in children.chunks(BATCH) {
            for child in batch {
                self.index.fetch(child.key);
            }
            for (id, child) in ids.iter_mut().zip(batch) {
                *id = match self.index.find(child.key) {
                    Some(id) => id,
                    None => self.insert(child.key, numbers),
                };
                self.fetch_entry(*id);
            }
            for (id, child) in ids.iter().zip(batch) {
                self.add(*id, child.key, &child.goals, lists);
            }
        }
    }

    /// The number of a configuration that was not in the index just now.
    #[inline(never)]
    fn insert(&self, key: u32, numbers: &mut Numbers) -> u32 {
        if numbers.0.is_empty() {
            let first = self.taken.fetch_add(NUMBERS_AT_ONCE, Relaxed) as u32;
            numbers.0 = first..first + NUMBERS_AT_ONCE as u32;
        }
        let id = numbers.0.start;
        for word in self.entry(id) {
            word.store(0, Relaxed);
        }
        self.set_known(id, Known { key, latest: 0 });
        let agreed = self.index.insert(key, id);
        if agreed == id {
            numbers.0.start += 1;
        }
        agreed
    }

    /// Adds what goal-robot moves reach.
    pub(crate) fn commit_later(&self, later: &[Later], lists: &mut Lists) {
        lists.counters.generated += later.len() as u64;
        for (i, child) in later.iter().enumerate() {
            if let Some(ahead) = later.get(i + 16) {
                self.fetch_entry(ahead.id);
            }
            self.add(child.id, child.key, &child.goals, lists);
        }
    }

    #[inline(always)]
    fn add(&self, id: u32, key: u32, goals: &[u64; 4], lists: &mut Lists) {
        let (seen, fresh) = self.entry(id).split_at(4);
        let new: [u64; 4] =
            std::array::from_fn(|i| goals[i] & !(seen[i].load(Relaxed) | fresh[i].load(Relaxed)));
        if new[0] | new[1] | new[2] | new[3] == 0 {
            lists.counters.hits += 1;
            return;
        }
        for (new, fresh) in new.into_iter().zip(fresh) {
            if new != 0 {
                fresh.fetch_or(new, Relaxed);
            }
        }
        let listed = helper(key, 0);
        let (word, bit) = (&fresh[usize::from(listed >> 6)], 1 << (listed & 63));
        if word.load(Relaxed) & bit == 0 && word.fetch_or(bit, Relaxed) & bit == 0 {
            lists.touched.push(id);
        }
    }

    #[inline(always)]
    fn make_nodes_here<S: Set, const N: usize>(
        &self,
        touched: &[u32],
        thread: usize,
        mut maker: NodeMaker<S>,
        stop: &AtomicBool,
        lists: &mut Lists,
    ) {
        let isa = maker.isa();
        for (i, &id) in touched.iter().enumerate().rev() {
            if let Some(&ahead) = touched.get(i.wrapping_sub(16)) {
                self.fetch_entry(ahead);
                self.fetch_known(ahead);
            }
            let known = self.known(id);
            let entry = self.entry(id);
            let words: [u64; LINE] = std::array::from_fn(|i| entry[i].load(Relaxed));
            let [s0, s1, s2, s3, f0, f1, f2, f3] = words;
            let listed = isa.load(&BITS[usize::from(helper(known.key, 0))]);
            let fresh = isa.load(&[f0, f1, f2, f3]).minus(listed);
            let configuration = Touched {
                id,
                key: known.key,
                earlier: known.latest,
                // It may be another thread's, and with only one's own the counts would differ from
                // run to run.
                same_layer: None,
                fresh,
                seen: isa.load(&[s0, s1, s2, s3]).or(fresh),
            };
            let latest = (lists.nodes.len() * self.threads + thread + 1) as u32;
            self.set_known(id, Known { latest, ..known });
            let (seen, reached) = maker.make::<N>(configuration, lists);
            let [s0, s1, s2, s3] = seen.words();
            for (to, from) in entry.iter().zip([s0, s1, s2, s3, 0, 0, 0, 0]) {
                to.store(from, Relaxed);
            }
            if reached {
                stop.store(true, Relaxed);
            }
            if stop.load(Relaxed) {
                return;
            }
        }
    }
}

/// One more than a node's number, or 0, as it is with so many threads.
pub(crate) fn renumbered(latest: u32, threads: usize) -> u32 {
    latest
        .checked_sub(1)
        .map_or(0, |number| number * threads as u32 + 1)
}

struct Commit<'a> {
    configurations: &'a SharedConfigurations,
    children: &'a [Child],
    numbers: &'a mut Numbers,
    lists: &'a mut Lists,
}

impl Kernel for Commit<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.configurations
            .commit_here(self.children, self.numbers, self.lists);
    }
}

/// Makes nodes of the fresh cells of some configurations, the last first. Ends early if another
/// thread says `stop`, and says so when the target is reached or, with `lookahead`, is known to be
/// reached in the next layer.
pub(crate) struct MakeNodes<'a, S: Set, const N: usize> {
    pub(crate) isa: S::Isa,
    pub(crate) configurations: &'a SharedConfigurations,
    pub(crate) touched: &'a [u32],
    pub(crate) thread: usize,
    pub(crate) tables: &'a mut Tables,
    pub(crate) layer: LayerPlan,
    pub(crate) stop: &'a AtomicBool,
    pub(crate) lists: &'a mut Lists,
}

impl<S: Set, const N: usize> Kernel for MakeNodes<'_, S, N> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.configurations.make_nodes_here::<S, N>(
            self.touched,
            self.thread,
            NodeMaker::new(self.isa, self.tables, self.layer),
            self.stop,
            self.lists,
        );
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::flagship::config::key_of;
    use crate::lowlevel::instructions::Portable;
    use crate::lowlevel::portable::PortableSet;

    /// Some thousand children of some thousand configurations, most of them several times.
    fn children() -> Vec<Child> {
        let mut random: u64 = 1;
        let mut next = |below: u64| {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (random >> 33) % below
        };
        let mut children = Vec::new();
        for _ in 0..if cfg!(miri) { 400 } else { 20_000 } {
            let first = next(20) as u8;
            let mut helpers = [first, 20 + next(30) as u8, 250 - next(10) as u8];
            // The goal robot is on none of the helpers' cells.
            let mut goals = [0; 4];
            for _ in 0..=next(3) {
                let cell = 60 + next(150);
                goals[cell as usize / 64] |= 1 << (cell % 64);
            }
            let key = key_of(&mut helpers);
            children.push(Child { goals, key });
        }
        children
    }

    #[test]
    fn threads_add_what_one_adds() {
        let children = children();
        let mut alone = Configurations::new();
        let mut lists = Lists::default();
        let (before, now) = children.split_at(children.len() / 7);
        alone.commit::<PortableSet>(Portable, before, &mut lists);
        let mut expected: BTreeMap<u32, [u64; 4]> = BTreeMap::new();
        for child in &children {
            let goals = expected.entry(child.key).or_default();
            for (all, more) in goals.iter_mut().zip(child.goals) {
                *all |= more;
            }
        }
        let mut shared = SharedConfigurations::new();
        for direct in [false, true, true] {
            shared.clear();
            shared.take_over(&mut alone, 3, direct);
            let shared = &shared;
            let touched: Vec<Vec<u32>> = std::thread::scope(|scope| {
                let threads: Vec<_> = (0..3)
                    .map(|thread| {
                        scope.spawn(move || {
                            let (mut numbers, mut lists) = (Numbers::default(), Lists::default());
                            // They all add the same, from different places on.
                            let (end, begin) = now.split_at(thread * now.len() / 4);
                            shared.commit(Portable, begin, &mut numbers, &mut lists);
                            shared.commit(Portable, end, &mut numbers, &mut lists);
                            lists.touched
                        })
                    })
                    .collect();
                let threads = threads.into_iter();
                threads
                    .map(|thread| thread.join().expect("no panic"))
                    .collect()
            });
            let mut listed = touched.concat();
            let lists_with_some = touched.iter().filter(|list| !list.is_empty()).count();
            assert!(lists_with_some > 0);
            listed.sort_unstable();
            let len = listed.len();
            listed.dedup();
            assert_eq!(listed.len(), len, "each is on one list");
            for (&key, &goals) in &expected {
                let id = shared.index.find(key).expect("it has been added");
                assert_eq!(shared.known(id).key, key);
                let [s0, s1, s2, s3, f0, f1, f2, f3] =
                    std::array::from_fn(|i| shared.entry(id)[i].load(Relaxed));
                let listing = BITS[usize::from(helper(key, 0))];
                let is_listed = listed.binary_search(&id).is_ok();
                let has_fresh = [f0, f1, f2, f3] != [0; 4];
                assert_eq!(is_listed, has_fresh, "all that have fresh cells are listed");
                let fresh: [u64; 4] = std::array::from_fn(|i| [f0, f1, f2, f3][i] & !listing[i]);
                let seen = [s0, s1, s2, s3];
                let all: [u64; 4] = std::array::from_fn(|i| seen[i] | fresh[i]);
                assert_eq!(all, goals);
                assert_eq!(std::array::from_fn(|i| seen[i] & fresh[i]), [0; 4]);
            }
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "a hundred thousand configurations")]
    fn there_is_room_until_it_says_that_there_is_none() {
        for direct in [false, true] {
            let mut shared = SharedConfigurations::new();
            shared.take_over(&mut Configurations::new(), 2, direct);
            for _ in 0..3 {
                shared.make_room();
                assert!(!shared.is_full());
                let mut numbers = Numbers::default();
                let mut key = *shared.taken.get_mut() as u32;
                while !shared.is_full() {
                    // Any three ascending cells.
                    key += 1;
                    let (a, b, c) = (key % 64, key / 64 % 64, key / 64 / 64);
                    let (b, c) = (64 + b, 128 + c);
                    shared.insert(a | b << 8 | c << 16, &mut numbers);
                }
            }
            assert!(*shared.taken.get_mut() > 3 * CHUNK);
        }
    }
}
