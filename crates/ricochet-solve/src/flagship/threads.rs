//! A layer filled by several threads.
//!
//! All of them change the same configurations, see [`super::shared_configurations`]. A layer has four
//! phases: what goal-robot moves have kept for it is added, its nodes are made, helper moves of the
//! layer before are made and added, and their nodes are made. Each phase works off lists that phases
//! before it have made, one of each thread; a thread takes pieces of its own list first and then of
//! the others', so all are busy until nothing is left.

use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};

use super::children::Children;
use super::layer::AllMoves;
use super::lists::{LayerPlan, Lists, WAITING};
use super::nodes::Node;
use super::search::NODES_AT_ONCE;
use super::shared_budget::SharedBudget;
use super::shared_configurations::{MakeNodes, Numbers, SharedConfigurations};
use super::tables::Tables;
use crate::Limit;
use crate::lowlevel::instructions::InstructionSet;
use crate::lowlevel::set::Set;

/// Nodes of which a thread makes helper moves before it looks for more: little enough that nobody waits
/// for long at the end, and enough that looking costs nothing beside it.
pub(crate) const NODES_A_PIECE: usize = 64;

/// The same for configurations of which nodes are to be made, and for what goal-robot moves have kept.
const ENTRIES_A_PIECE: usize = 256;

/// Starting a thread costs some 50 µs. It is worth it for so many pieces of what goal-robot moves have
/// kept, …
const LATER_PIECES: usize = 16;

/// … so many pieces of which nodes are to be made, …
const TOUCHED_PIECES: usize = 4;

/// … and so many pieces of nodes of which helper moves are to be made.
const NODE_PIECES: usize = 4;

/// What a thread has of its own. Aligned so that no two share a cache line (the processor fetches
/// them in pairs).
#[repr(align(128))]
pub(crate) struct Worker {
    pub(crate) tables: Tables,
    pub(crate) lists: Lists,
    /// Children that wait to be committed.
    pub(crate) children: Children,
    numbers: Numbers,
}

impl Worker {
    pub(crate) fn new(tables: Tables) -> Self {
        Self {
            tables,
            lists: Lists::default(),
            children: Children::default(),
            numbers: Numbers::default(),
        }
    }

    /// Forgets the search before. Room for `kept` elements of each list is kept.
    pub(crate) fn clear(&mut self, kept: usize) {
        self.lists.clear(kept);
        self.children.clear();
        self.numbers = Numbers::default();
    }

    /// Makes the helper moves of some nodes, and adds the children.
    fn make_helper_moves<S: Set, const N: usize>(
        &mut self,
        isa: S::Isa,
        nodes: &[Node],
        configurations: &SharedConfigurations,
    ) {
        for nodes in nodes.chunks(NODES_AT_ONCE) {
            isa.run(AllMoves::<S, N> {
                tables: &self.tables,
                nodes,
                children: &mut self.children,
                isa,
            });
            self.lists.counters.expanded += nodes.len() as u64;
            configurations.commit(
                isa,
                self.children.made(),
                &mut self.numbers,
                &mut self.lists,
            );
            self.children.clear();
        }
    }
}

/// Lists, one of each thread, that are being worked off.
struct Work<T> {
    lists: Vec<Vec<T>>,
    /// What there is to do in each list, and how many pieces of it have been taken.
    ranges: Vec<(Range<usize>, AtomicUsize)>,
    /// Elements of a piece.
    piece: usize,
}

impl<T> Work<T> {
    /// Everything in these lists.
    fn all_of(lists: Vec<Vec<T>>, piece: usize) -> Self {
        let ranges = lists.iter().map(|list| 0..list.len()).collect();
        Self::new(lists, ranges, piece)
    }

    fn new(lists: Vec<Vec<T>>, ranges: Vec<Range<usize>>, piece: usize) -> Self {
        let ranges = ranges.into_iter();
        Self {
            lists,
            ranges: ranges.map(|range| (range, AtomicUsize::new(0))).collect(),
            piece,
        }
    }

    /// How many pieces there are.
    fn pieces(&self) -> usize {
        let ranges = self.ranges.iter();
        ranges
            .map(|(range, _)| range.len().div_ceil(self.piece))
            .sum()
    }

    /// Whether everything has been taken.
    fn is_done(&self) -> bool {
        let mut ranges = self.ranges.iter();
        ranges.all(|(range, taken)| taken.load(Relaxed) * self.piece >= range.len())
    }

    /// The next piece from the beginning of a thread's list, or of another's if there is none left.
    fn first(&self, thread: usize) -> Option<&[T]> {
        self.take(thread, |list, piece| list.chunks(self.piece).nth(piece))
    }

    /// The same from the end.
    fn last(&self, thread: usize) -> Option<&[T]> {
        self.take(thread, |list, piece| list.rchunks(self.piece).nth(piece))
    }

    fn take<'a>(
        &'a self,
        thread: usize,
        piece: impl Fn(&'a [T], usize) -> Option<&'a [T]>,
    ) -> Option<&'a [T]> {
        let lists = self.lists.len();
        (thread..thread + lists).find_map(|i| {
            let (range, taken) = &self.ranges[i % lists];
            let list = &self.lists[i % lists][range.clone()];
            piece(list, taken.fetch_add(1, Relaxed))
        })
    }

    /// Bytes of the lists.
    fn bytes(&self) -> u64 {
        let elements: usize = self.lists.iter().map(Vec::capacity).sum();
        (elements * size_of::<T>()) as u64
    }
}

/// What a thread has used.
#[repr(align(128))]
struct Share {
    children: AtomicU64,
    bytes: AtomicU64,
}

impl Share {
    fn of(lists: &Lists) -> Self {
        Self {
            children: AtomicU64::new(lists.counters.generated),
            bytes: AtomicU64::new(lists.bytes_soon()),
        }
    }

    fn set(&self, lists: &Lists) {
        self.children.store(lists.counters.generated, Relaxed);
        self.bytes.store(lists.bytes_soon(), Relaxed);
    }
}

/// What all threads have used, and what they may use.
struct Account<'a> {
    budget: &'a SharedBudget<'a>,
    configurations: &'a SharedConfigurations,
    shares: Vec<Share>,
    /// Bytes of the lists that are being worked off.
    held: u64,
}

impl Account<'_> {
    /// Asked by a thread after each piece. When one has met a limit, the others meet it too.
    fn look(&self, thread: usize, lists: &Lists) -> Result<(), Limit> {
        self.shares[thread].set(lists);
        let (mut children, mut bytes) = (0, self.held + self.configurations.bytes_soon());
        for share in &self.shares {
            children += share.children.load(Relaxed);
            bytes += share.bytes.load(Relaxed);
        }
        let last_number = lists.nodes.len() * self.shares.len();
        self.budget.check(children, bytes, last_number)
    }
}

/// All threads, while they fill a layer.
struct Team<'a> {
    workers: &'a mut [Worker],
    layer: LayerPlan,
    budget: &'a SharedBudget<'a>,
}

/// Fills a layer and makes its nodes.
pub(crate) fn fill<S: Set, const N: usize>(
    isa: S::Isa,
    configurations: &mut SharedConfigurations,
    workers: &mut [Worker],
    layer: LayerPlan,
    budget: &SharedBudget,
) -> Result<(), Limit> {
    let mut team = Team {
        workers,
        layer,
        budget,
    };
    team.add_later(configurations)?;
    // Often goal-robot moves lead to the target, and then helper moves need not be made.
    if !team.make_nodes::<S, N>(isa, configurations)? {
        team.make_helper_moves::<S, N>(isa, configurations)?;
        team.make_nodes::<S, N>(isa, configurations)?;
    }
    Ok(())
}

impl Team<'_> {
    /// Adds what goal-robot moves have kept for this layer.
    fn add_later(&mut self, configurations: &SharedConfigurations) -> Result<(), Limit> {
        let slot = self.layer.f % WAITING;
        let mut work = Work::all_of(self.take(|lists| &mut lists.later[slot]), ENTRIES_A_PIECE);
        let threads = work.pieces() / LATER_PIECES;
        let result = self.run(threads, configurations, &work, |thread, worker, account| {
            while let Some(piece) = work.first(thread) {
                configurations.commit_later(piece, &mut worker.lists);
                account.look(thread, &worker.lists)?;
            }
            Ok(())
        });
        work.lists.iter_mut().for_each(Vec::clear);
        self.give_back(work.lists, |lists| &mut lists.later[slot]);
        result
    }

    /// Makes the nodes of what is fresh. Ends early, and says so, when the target is known to be
    /// reached in this layer or the next.
    fn make_nodes<S: Set, const N: usize>(
        &mut self,
        isa: S::Isa,
        configurations: &SharedConfigurations,
    ) -> Result<bool, Limit> {
        let (layer, stop) = (self.layer, AtomicBool::new(false));
        let mut work = Work::all_of(self.take(|lists| &mut lists.touched), ENTRIES_A_PIECE);
        let threads = work.pieces() / TOUCHED_PIECES;
        let result = self.run(threads, configurations, &work, |thread, worker, account| {
            while !stop.load(Relaxed)
                && let Some(piece) = work.last(thread)
            {
                let Worker { tables, lists, .. } = &mut *worker;
                isa.run(MakeNodes::<S, N> {
                    isa,
                    configurations,
                    touched: piece,
                    thread,
                    tables,
                    layer,
                    stop: &stop,
                    lists,
                });
                account.look(thread, &worker.lists)?;
            }
            Ok(())
        });
        work.lists.iter_mut().for_each(Vec::clear);
        self.give_back(work.lists, |lists| &mut lists.touched);
        result.map(|()| stop.into_inner())
    }

    /// Makes the helper moves of the layer before, and adds the children.
    fn make_helper_moves<S: Set, const N: usize>(
        &mut self,
        isa: S::Isa,
        configurations: &mut SharedConfigurations,
    ) -> Result<(), Limit> {
        let lists = self.workers.iter().map(|worker| &worker.lists);
        let layer_before: Vec<_> = lists.map(Lists::layer_before).collect();
        let work = Work::new(
            self.take(|lists| &mut lists.nodes),
            layer_before,
            NODES_A_PIECE,
        );
        let threads = work.pieces() / NODE_PIECES;
        let mut result = Ok(());
        while result.is_ok() && !work.is_done() {
            // It may take a lot of memory to grow.
            result = self
                .account(configurations, &work)
                .look(0, &self.workers[0].lists);
            if result.is_err() {
                break;
            }
            configurations.make_room();
            let configurations = &*configurations;
            result = self.run(threads, configurations, &work, |thread, worker, account| {
                while !configurations.is_full()
                    && let Some(piece) = work.first(thread)
                {
                    worker.make_helper_moves::<S, N>(isa, piece, configurations);
                    account.look(thread, &worker.lists)?;
                }
                Ok(())
            });
        }
        self.give_back(work.lists, |lists| &mut lists.nodes);
        result
    }

    /// Takes a list of each thread, to be worked off.
    fn take<T>(&mut self, list: impl Fn(&mut Lists) -> &mut Vec<T>) -> Vec<Vec<T>> {
        let workers = self.workers.iter_mut();
        workers
            .map(|worker| std::mem::take(list(&mut worker.lists)))
            .collect()
    }

    fn give_back<T>(&mut self, lists: Vec<Vec<T>>, list: impl Fn(&mut Lists) -> &mut Vec<T>) {
        for (worker, given) in self.workers.iter_mut().zip(lists) {
            *list(&mut worker.lists) = given;
        }
    }

    /// What has been used before a phase.
    fn account<'b, T>(
        &self,
        configurations: &'b SharedConfigurations,
        work: &Work<T>,
    ) -> Account<'b>
    where
        Self: 'b,
    {
        let lists = self.workers.iter().map(|worker| &worker.lists);
        Account {
            budget: self.budget,
            configurations,
            shares: lists.map(Share::of).collect(),
            held: work.bytes(),
        }
    }

    /// Lets so many threads work, but one at least and all at most, until they are done or meet a
    /// limit.
    fn run<T>(
        &mut self,
        threads: usize,
        configurations: &SharedConfigurations,
        work: &Work<T>,
        run: impl Fn(usize, &mut Worker, &Account) -> Result<(), Limit> + Sync,
    ) -> Result<(), Limit> {
        let account = self.account(configurations, work);
        let (run, account) = (&run, &account);
        let threads = threads.clamp(1, self.workers.len());
        std::thread::scope(|scope| {
            let mut workers = self.workers[..threads].iter_mut().enumerate();
            let first = workers.next();
            let others: Vec<_> = workers
                .map(|(thread, worker)| scope.spawn(move || run(thread, worker, account)))
                .collect();
            let mut result = first.map_or(Ok(()), |(thread, worker)| run(thread, worker, account));
            for other in others {
                let ended = other.join();
                result = result.and(ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
            result
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_taken_once_by_whoever_comes() {
        let lists: Vec<Vec<usize>> = vec![(0..1000).collect(), (1000..1010).collect(), Vec::new()];
        let ranges = vec![100..1000, 0..10, 0..0];
        for from_the_end in [false, true] {
            let work = Work::new(lists.clone(), ranges.clone(), 64);
            assert_eq!(work.pieces(), 900usize.div_ceil(64) + 1);
            let mut taken: Vec<usize> = std::thread::scope(|scope| {
                let threads: Vec<_> = (0..3)
                    .map(|thread| {
                        let work = &work;
                        scope.spawn(move || {
                            let mut mine = Vec::new();
                            while let Some(piece) = if from_the_end {
                                work.last(thread)
                            } else {
                                work.first(thread)
                            } {
                                assert!(piece.len() <= 64 && !piece.is_empty());
                                mine.extend_from_slice(piece);
                            }
                            mine
                        })
                    })
                    .collect();
                let threads = threads.into_iter();
                threads
                    .flat_map(|thread| thread.join().expect("no panic"))
                    .collect()
            });
            taken.sort_unstable();
            assert_eq!(taken, (100..1010).collect::<Vec<_>>());
            assert!(work.is_done());
        }
    }

    #[test]
    fn pieces_come_from_ones_own_list_first() {
        let work = Work::all_of(vec![vec![1; 5], vec![2; 10]], 5);
        assert!(!work.is_done());
        assert_eq!(work.last(1), Some(&[2; 5][..]));
        assert_eq!(work.first(0), Some(&[1; 5][..]));
        assert!(!work.is_done());
        assert_eq!(work.first(0), Some(&[2; 5][..]), "then from the others'");
        assert!(work.is_done());
        assert_eq!(work.first(1), None);
    }
}
