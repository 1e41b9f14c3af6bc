//! A layer filled by several threads.
//!
//! Each thread owns the configurations that a hash of their helpers gives it: their entries, their
//! nodes, and what they keep for later. It makes the helper moves of its own nodes, some thousand at a
//! time, adds the children that are its own, puts the others into a mailbox for each owner, waits
//! for the others at a barrier, and adds what came for it. Nothing else is shared, so there is
//! nothing to lock for long. Goal-robot moves stay with their configuration and need no mail.

use std::marker::PhantomData;
use std::sync::Mutex;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicUsize};

use super::layer::AllMoves;
use super::nodes::Child;
use super::part::Part;
use super::search::{Budget, NODES_AT_ONCE};
use super::set::Set;
use super::tables::Tables;
use crate::Limit;

/// Nodes of which a thread makes the helper moves before it hands the children over.
const ROUND: usize = 4096;

/// Which of `count` threads owns a configuration.
#[inline(always)]
pub(crate) fn owner(key: u32, count: usize) -> usize {
    let hash = (key ^ key >> 15).wrapping_mul(0x85eb_ca6b) ^ key << 7;
    ((u64::from(hash) * count as u64) >> 32) as usize
}

/// Where threads wait for each other. Rounds take a fraction of a millisecond, and the system takes
/// about as long to wake a thread that sleeps: so they wait awake, and after a while let others have
/// the processor.
#[derive(Default)]
struct Barrier {
    waiting: AtomicUsize,
    passed: AtomicUsize,
}

impl Barrier {
    fn wait(&self, count: usize) {
        let passed = self.passed.load(Acquire);
        if self.waiting.fetch_add(1, AcqRel) + 1 == count {
            self.waiting.store(0, Relaxed);
            self.passed.store(passed.wrapping_add(1), Release);
            return;
        }
        let mut looks = 0u32;
        while self.passed.load(Acquire) == passed {
            looks += 1;
            if looks < 10_000 {
                std::hint::spin_loop();
            } else {
                std::thread::yield_now();
            }
        }
    }
}

/// What the threads share while they fill a layer.
struct Shared<'a> {
    /// By round modulo 2, sender and owner.
    mail: [Vec<Vec<Mutex<Vec<Child>>>>; 2],
    barrier: Barrier,
    /// How many rounds there are: as many as the thread with the most nodes needs.
    rounds: usize,
    /// Whether a thread has met a limit, by round modulo 2: all have to agree on the round after
    /// which they stop.
    limited: [AtomicBool; 2],
    /// Whether the target is known to be reached in this layer or the next.
    stop: AtomicBool,
    budget: &'a Budget<'a>,
    lookahead: bool,
    f: usize,
}

/// Fills layer `f` of all parts, and makes its nodes.
pub(crate) fn fill<S: Set, const N: usize>(
    parts: &mut [Part],
    tables: &mut [Tables],
    f: usize,
    lookahead: bool,
    budget: &Budget,
) -> Result<(), Limit> {
    let count = parts.len();
    let mailboxes = || (0..count).map(|_| (0..count).map(|_| Mutex::default()).collect());
    let most = parts.iter().map(|part| part.layer_before().len()).max();
    let shared = Shared {
        mail: [mailboxes().collect(), mailboxes().collect()],
        barrier: Barrier::default(),
        rounds: most.unwrap_or(0).div_ceil(ROUND),
        limited: Default::default(),
        stop: AtomicBool::new(false),
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
    let Shared {
        barrier,
        stop,
        budget,
        f,
        ..
    } = shared;
    part.commit_later::<S>(*f);
    let mut met = make_nodes::<S, N>(part, tables, shared);
    let count = shared.mail[0].len();
    // Whether one of them is done has to be the same for all.
    barrier.wait(count);
    if stop.load(Relaxed) {
        return met;
    }
    let nodes = part.layer_before();
    let mut children: Vec<Child> = Vec::new();
    let mut sorted: Vec<Vec<Child>> = vec![Vec::new(); count];
    for round in 0..shared.rounds {
        let begin = nodes.end.min(nodes.start + round * ROUND);
        let end = nodes.end.min(begin + ROUND);
        let mut at = begin;
        while at < end {
            let next = end.min(at + NODES_AT_ONCE);
            S::with(AllMoves::<S, N> {
                tables,
                nodes: &part.nodes[at..next],
                children: &mut children,
                kind: PhantomData,
            });
            for child in children.drain(..) {
                sorted[owner(child.key, count)].push(child);
            }
            // What is its own is added at once, while it is in the cache.
            part.commit::<S>(&sorted[me]);
            sorted[me].clear();
            at = next;
        }
        part.counters.expanded += (end - begin) as u64;
        let mail = &shared.mail[round % 2];
        for (to, children) in sorted.iter_mut().enumerate() {
            std::mem::swap(&mut *lock(&mail[me][to]), children);
        }
        if let Err(limit) = budget.check_share(part, count) {
            met = Err(limit);
            shared.limited[round % 2].store(true, Relaxed);
        }
        barrier.wait(count);
        for from in mail {
            let mut children = lock(&from[me]);
            part.commit::<S>(&children);
            children.clear();
        }
        if shared.limited[round % 2].load(Relaxed) {
            // Whoever has not met it is told by the one who has.
            return met;
        }
    }
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
        let checked = shared.budget.check_share(part, shared.mail[0].len());
        if checked.is_err() {
            shared.stop.store(true, Relaxed);
            return checked;
        }
    }
    Ok(())
}

fn lock(mailbox: &Mutex<Vec<Child>>) -> std::sync::MutexGuard<'_, Vec<Child>> {
    // A panic elsewhere ends the search anyway.
    mailbox
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}
