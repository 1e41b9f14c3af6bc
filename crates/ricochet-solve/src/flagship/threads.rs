//! A layer filled by several threads.
//!
//! Each thread owns a share of the configurations ([`Owners`]): their entries, their
//! nodes, and what they keep for later. It makes the helper moves of its own nodes, adds the children
//! that are its own, and mails the others to their owners, some hundred at a time; in between it adds
//! what came for it. Nothing else is shared, so there is nothing to lock for long, and nobody waits
//! before the end of the layer: what is new in a layer does not depend on the order in which
//! children come. Goal-robot moves stay with their configuration and need no mail.

use std::marker::PhantomData;
use std::sync::Mutex;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicUsize};

use super::layer::{AllMoves, Outbox};
use super::nodes::{Child, Node};
use super::part::{BATCH, Part};
use super::search::{Budget, NODES_AT_ONCE};
use super::set::Set;
use super::tables::Tables;
use crate::Limit;

/// Children are mailed when there are so many for one owner: what they take stays in the cache.
const LETTER: usize = 512;

/// If so many letters wait for a thread, the others let it catch up.
const MOST_WAITING: usize = 256;

/// Nodes of which the helper moves are made between two looks at the limits.
const NODES_A_LOOK: usize = 1024;

/// Who owns which configurations: it depends on the cell of one of the helpers alone, so that most
/// moves, those of the other helpers, lead from a configuration to one of the same owner.
#[derive(Clone, Debug)]
pub(crate) struct Owners {
    by_cell: [u8; 256],
    /// Where that cell is in a key.
    shift: u32,
}

impl Owners {
    /// One part owns everything.
    pub(crate) fn one() -> Self {
        Self {
            by_cell: [0; 256],
            shift: 0,
        }
    }

    /// Divides all configurations of `N` helpers among `count` threads, so that each has about as
    /// many of those that the given nodes have. The helper in the middle decides: lowest and highest
    /// cells are often the same few corners.
    pub(crate) fn of<const N: usize>(nodes: &[Node], count: usize) -> Self {
        let shift = 8 * (N as u32 / 2);
        let mut nodes_of_cell = [0u32; 256];
        for node in nodes {
            nodes_of_cell[usize::from((node.key >> shift) as u8)] += 1;
        }
        let mut cells: [u8; 256] = std::array::from_fn(|cell| cell as u8);
        cells.sort_by_key(|&cell| std::cmp::Reverse(nodes_of_cell[usize::from(cell)]));
        // The largest first, each to whom has least. One more for each cell, for what comes later.
        let mut loads = vec![0; count];
        let mut by_cell = [0; 256];
        for cell in cells.map(usize::from) {
            let least = (0..count).min_by_key(|&thread| loads[thread]).unwrap_or(0);
            by_cell[cell] = least as u8;
            loads[least] += nodes_of_cell[cell] + 1;
        }
        Self { by_cell, shift }
    }

    #[inline(always)]
    pub(crate) fn of_key(&self, key: u32) -> usize {
        usize::from(self.by_cell[usize::from((key >> self.shift) as u8)])
    }
}

/// Children, sorted by owner.
struct Sorted<'a> {
    by_owner: Vec<Vec<Child>>,
    owners: &'a Owners,
}

impl Outbox for Sorted<'_> {
    #[inline(always)]
    fn put(&mut self, child: Child) {
        self.by_owner[self.owners.of_key(child.key)].push(child);
    }
}

/// Letters for one thread. Aligned so that no two share a cache line.
#[derive(Default)]
#[repr(align(128))]
struct Mailbox {
    /// How many letters there are, so that nobody locks to find none.
    waiting: AtomicUsize,
    letters: Mutex<Letters>,
}

#[derive(Default)]
struct Letters {
    unread: Vec<Vec<Child>>,
    /// Their room is used again.
    read: Vec<Vec<Child>>,
}

impl Mailbox {
    /// Takes the children out of a list.
    fn put(&self, children: &mut Vec<Child>) {
        let mut letters = self.lock();
        let empty = letters.read.pop().unwrap_or_default();
        letters.unread.push(std::mem::replace(children, empty));
        self.waiting.store(letters.unread.len(), Relaxed);
    }

    fn is_full(&self) -> bool {
        self.waiting.load(Relaxed) >= MOST_WAITING
    }

    /// Adds everything that waits to its owner's part. Returns whether there was anything.
    fn empty_into<S: Set>(&self, part: &mut Part) -> bool {
        if self.waiting.load(Relaxed) == 0 {
            return false;
        }
        let mut letters = self.lock();
        let mut unread = std::mem::take(&mut letters.unread);
        self.waiting.store(0, Relaxed);
        drop(letters);
        for letter in &mut unread {
            part.commit::<S>(letter);
            letter.clear();
        }
        self.lock().read.append(&mut unread);
        true
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Letters> {
        // A panic elsewhere ends the search anyway.
        let letters = self.letters.lock();
        letters.unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// What the threads share while they fill a layer.
struct Shared<'a> {
    /// By owner.
    mail: Vec<Mailbox>,
    /// How many threads will mail nothing more.
    done: AtomicUsize,
    /// Whether the target is known to be reached in this layer or the next, or a limit is met.
    stop: AtomicBool,
    owners: &'a Owners,
    budget: &'a Budget<'a>,
    lookahead: bool,
    f: usize,
}

/// Fills layer `f` of all parts, and makes its nodes.
pub(crate) fn fill<S: Set, const N: usize>(
    parts: &mut [Part],
    tables: &mut [Tables],
    owners: &Owners,
    f: usize,
    lookahead: bool,
    budget: &Budget,
) -> Result<(), Limit> {
    let shared = Shared {
        mail: parts.iter().map(|_| Mailbox::default()).collect(),
        done: AtomicUsize::new(0),
        stop: AtomicBool::new(false),
        owners,
        budget,
        lookahead,
        f,
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = parts
            .iter_mut()
            .zip(tables)
            .enumerate()
            .map(|(me, (part, tables))| {
                let shared = &shared;
                scope.spawn(move || work::<S, N>(me, part, tables, shared))
            })
            .collect();
        let mut result = Ok(());
        for worker in workers {
            result = result.and(worker.join().expect("a worker does not panic"));
        }
        result
    })
}

fn work<S: Set, const N: usize>(
    me: usize,
    part: &mut Part,
    tables: &mut Tables,
    shared: &Shared,
) -> Result<(), Limit> {
    let _stopper = StopOnPanic(&shared.stop);
    part.commit_later::<S>(shared.f);
    make_nodes::<S, N>(part, tables, shared)?;
    make_helper_moves::<S, N>(me, part, tables, shared)?;
    make_nodes::<S, N>(part, tables, shared)
}

/// Makes the nodes of what is fresh. Who meets a limit stops all.
fn make_nodes<S: Set, const N: usize>(
    part: &mut Part,
    tables: &mut Tables,
    shared: &Shared,
) -> Result<(), Limit> {
    while part.has_fresh() && !shared.stop.load(Relaxed) {
        part.make_nodes::<S, N>(tables, shared.f, shared.lookahead, &shared.stop);
        look_at_limits(part, shared)?;
    }
    Ok(())
}

/// Makes the helper moves of the layer before, and adds all children that are one's own: after it,
/// unless all have been stopped, there are no more.
fn make_helper_moves<S: Set, const N: usize>(
    me: usize,
    part: &mut Part,
    tables: &Tables,
    shared: &Shared,
) -> Result<(), Limit> {
    let count = shared.mail.len();
    let nodes = part.layer_before();
    let mut children = Sorted {
        by_owner: vec![Vec::new(); count],
        owners: shared.owners,
    };
    for begin in nodes.clone().step_by(NODES_AT_ONCE) {
        let end = nodes.end.min(begin + NODES_AT_ONCE);
        S::with(AllMoves::<S, _, N> {
            tables,
            nodes: &part.nodes[begin..end],
            children: &mut children,
            kind: PhantomData,
        });
        if children.by_owner[me].len() >= BATCH {
            part.commit::<S>(&children.by_owner[me]);
            children.by_owner[me].clear();
        }
        part.counters.expanded += (end - begin) as u64;
        for (to, children) in children.by_owner.iter_mut().enumerate() {
            if to != me && children.len() >= LETTER {
                let mut patience = Patience::default();
                while shared.mail[to].is_full() && !shared.stop.load(Relaxed) {
                    shared.mail[me].empty_into::<S>(part);
                    patience.wait();
                }
                shared.mail[to].put(children);
            }
        }
        shared.mail[me].empty_into::<S>(part);
        if (begin - nodes.start).is_multiple_of(NODES_A_LOOK) {
            look_at_limits(part, shared)?;
            if shared.stop.load(Relaxed) {
                return Ok(());
            }
        }
    }
    for (to, children) in children.by_owner.iter_mut().enumerate() {
        if !children.is_empty() {
            shared.mail[to].put(children);
        }
    }
    shared.done.fetch_add(1, Release);
    let mut patience = Patience::default();
    loop {
        // Asked before the mail: after all are done no more comes.
        let all_done = shared.done.load(Acquire) == count;
        if shared.mail[me].empty_into::<S>(part) {
            look_at_limits(part, shared)?;
        } else if all_done || shared.stop.load(Relaxed) {
            return Ok(());
        } else {
            patience.wait();
        }
    }
}

/// Who meets a limit stops all.
fn look_at_limits(part: &Part, shared: &Shared) -> Result<(), Limit> {
    let checked = shared.budget.check_share(part, shared.mail.len());
    if checked.is_err() {
        shared.stop.store(true, Relaxed);
    }
    checked
}

/// Nobody must wait for a thread that has panicked.
struct StopOnPanic<'a>(&'a AtomicBool);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Relaxed);
        }
    }
}

/// How to wait for another thread: awake, since the system takes as long to wake a thread that
/// sleeps as there is to wait for mostly; but after a while others may have the processor.
#[derive(Default)]
struct Patience(u32);

impl Patience {
    fn wait(&mut self) {
        self.0 += 1;
        if self.0 < 10_000 {
            std::hint::spin_loop();
        } else {
            std::thread::yield_now();
        }
    }
}
