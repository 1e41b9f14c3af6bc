//! A layer filled by several threads.
//!
//! Every thread owns the configurations that the hash assigns to it, with their nodes: a shard.
//! Only helper moves lead from one shard to another, so a layer has three phases. First, each
//! thread adds the goal-robot moves deferred to this layer and makes their nodes. Second, each
//! thread expands its nodes of the previous layer and sends every child to its owner. Third, each
//! thread makes the nodes of the children it has received.
//!
//! A phase has rounds. In a round, a thread does part of its work, sends the others a message with
//! their children, and reads their messages of the previous round. So a thread waits only for one
//! that is more than a round behind. No thread changes another's data: there are no locks, and the
//! result does not depend on which thread is faster. For a given number of threads, everything is
//! the same every time. That includes the end of the search: a message says whether its sender has
//! found the target, and all threads stop one round later.
//!
//! A thread that reaches a limit leaves. The others notice when they write to it or wait for it,
//! and leave as well.

use std::sync::mpsc::{Receiver, Sender, channel};

use super::children::{Children, Parcel};
use super::helpers::HelperKey;
use super::moves::Moves;
use super::shard::{Counters, NODES_AT_ONCE, Shard, Tally};
use crate::lowlevel::word_set::WordSet;
use crate::memory::meter::MemoryMeter;
use crate::{Limit, Limits};

/// The number of nodes that a thread expands in a round: few enough that little work is wasted when
/// the target is found and that children are still in a cache when they are read, and enough that
/// the cost of messages is negligible.
const NODES_A_ROUND: usize = 1 << 9;

/// The same for making nodes, which is faster.
const TOUCHED_A_ROUND: usize = 1 << 11;

/// A message from one thread to another at the end of a round.
struct Message<const W: usize, K> {
    parcel: Parcel<W, K>,
    status: Status,
}

/// The status of a thread in a phase.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Status {
    /// It has more to do.
    Busy,
    /// It has nothing left to do.
    Idle,
    /// It has found the target.
    Arrived,
}

/// Why a thread has left.
enum Departure {
    Limit(Limit),
    /// Another thread has left.
    Alone,
}

impl From<Limit> for Departure {
    fn from(limit: Limit) -> Self {
        Self::Limit(limit)
    }
}

/// The kind of work in a phase.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    MakeNodes,
    MoveHelpers,
}

/// The links between one thread and another.
struct Link<const W: usize, K> {
    to: Sender<Message<W, K>>,
    from: Receiver<Message<W, K>>,
}

/// One thread, with its shard.
struct Worker<const W: usize, K> {
    /// Its index in the team.
    place: usize,
    shard: Shard<W, K>,
    meter: MemoryMeter,
    /// Children of this round, grouped by owner.
    out: Children<W, K>,
    /// Parcels that have been read, for reuse.
    spare: Vec<Parcel<W, K>>,
    /// Bytes of parcels that the meter has counted.
    counted: u64,
    /// The nodes of the previous layer that have not been expanded yet, from `next` to `end`.
    next: usize,
    end: usize,
    /// The configuration with which it has found the target. If its node has not been made yet,
    /// also the cells from which lowering moves lead there.
    arrived: Option<(K, Option<WordSet<W>>)>,
}

impl<const W: usize, K: HelperKey> Worker<W, K> {
    /// Fills layer `f` together with the other threads.
    fn fill(
        &mut self,
        moves: &Moves<W>,
        f: u32,
        links: &[Option<Link<W, K>>],
    ) -> Result<(), Departure> {
        self.shard.add_later(f, &mut self.meter)?;
        for phase in [Phase::MakeNodes, Phase::MoveHelpers, Phase::MakeNodes] {
            let mut before = None;
            loop {
                let status = self.work(phase, moves, f)?;
                self.write(status, links)?;
                // The messages of the previous round, with this thread's own status of that round.
                if let Some(own) = before.replace(status) {
                    let (all_idle, arrived) = self.read(own, links)?;
                    if all_idle || arrived {
                        // The messages of this round.
                        let (_, arrived_now) = self.read(status, links)?;
                        if arrived || arrived_now {
                            return Ok(());
                        }
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// Does part of the work of a phase.
    fn work(&mut self, phase: Phase, moves: &Moves<W>, f: u32) -> Result<Status, Limit> {
        if self.arrived.is_some() {
            return Ok(Status::Arrived);
        }
        self.meter.check()?;
        match phase {
            Phase::MakeNodes => self.make_nodes(moves, f),
            Phase::MoveHelpers => self.move_helpers(moves),
        }
    }

    fn make_nodes(&mut self, moves: &Moves<W>, f: u32) -> Result<Status, Limit> {
        let shard = &mut self.shard;
        if let Some(id) = shard.make_nodes(moves, f, TOUCHED_A_ROUND, &mut self.meter)? {
            self.arrived = Some((shard.table.entries[id as usize].key, None));
            return Ok(Status::Arrived);
        }
        Ok(if shard.touched.is_empty() {
            Status::Idle
        } else {
            Status::Busy
        })
    }

    fn move_helpers(&mut self, moves: &Moves<W>) -> Result<Status, Limit> {
        let piece = self.next..self.end.min(self.next + NODES_A_ROUND);
        self.next = piece.end;
        for number in piece {
            let arrives = self.shard.move_helpers(number, moves, &mut self.out);
            if number % NODES_AT_ONCE == 0 {
                self.add_own()?;
            }
            if let Some((key, goals)) = arrives {
                self.arrived = Some((key, Some(goals)));
                return Ok(Status::Arrived);
            }
        }
        self.add_own()?;
        Ok(if self.next == self.end {
            Status::Idle
        } else {
            Status::Busy
        })
    }

    /// Adds the children that this thread owns itself.
    fn add_own(&mut self) -> Result<(), Limit> {
        let own = &mut self.out.parcels[self.place];
        self.shard.add_children(own, &mut self.meter)?;
        own.clear();
        Ok(())
    }

    /// Sends a message to every other thread.
    fn write(&mut self, status: Status, links: &[Option<Link<W, K>>]) -> Result<(), Departure> {
        let bytes = self.out.parcels.iter().map(Parcel::bytes).sum();
        if bytes > self.counted {
            // Twice as many are in flight, or have been read.
            self.meter.allocate(3 * (bytes - self.counted))?;
            self.counted = bytes;
        }
        for (parcel, link) in self.out.parcels.iter_mut().zip(links) {
            if let Some(link) = link {
                let spare = self.spare.pop().unwrap_or_else(Parcel::new);
                let parcel = std::mem::replace(parcel, spare);
                let message = Message { parcel, status };
                link.to.send(message).map_err(|_| Departure::Alone)?;
            }
        }
        Ok(())
    }

    /// Reads one message from each of the other threads, and adds their children. Returns whether
    /// all threads, including this one with the given status, are idle, and whether one has found
    /// the target.
    fn read(
        &mut self,
        own: Status,
        links: &[Option<Link<W, K>>],
    ) -> Result<(bool, bool), Departure> {
        let (mut all_idle, mut arrived) = (own == Status::Idle, own == Status::Arrived);
        for link in links.iter().flatten() {
            let Message { mut parcel, status } = link.from.recv().map_err(|_| Departure::Alone)?;
            all_idle &= status == Status::Idle;
            arrived |= status == Status::Arrived;
            self.shard.add_children(&parcel, &mut self.meter)?;
            parcel.clear();
            self.spare.push(parcel);
        }
        Ok((all_idle, arrived))
    }
}

/// All threads.
pub(crate) struct Team<const W: usize, K> {
    workers: Vec<Worker<W, K>>,
}

impl<const W: usize, K: HelperKey> Team<W, K> {
    /// Divides a search among threads, each with its own limits.
    pub(crate) fn divide(
        shard: &Shard<W, K>,
        threads: usize,
        limits: &Limits,
    ) -> Result<Self, Limit> {
        let mut meters: Vec<MemoryMeter> =
            (0..threads).map(|_| MemoryMeter::start(limits)).collect();
        let shards = shard.divide(&mut meters)?;
        let parts = shards.into_iter().zip(meters).enumerate();
        let workers = parts.map(|(place, (shard, meter))| Worker {
            place,
            shard,
            meter,
            out: Children::new(threads),
            spare: Vec::new(),
            counted: 0,
            next: 0,
            end: 0,
            arrived: None,
        });
        Ok(Self {
            workers: workers.collect(),
        })
    }

    pub(crate) fn shards(&self) -> impl Iterator<Item = &Shard<W, K>> {
        self.workers.iter().map(|worker| &worker.shard)
    }

    /// The shard that owns a configuration, whether it has been seen or not.
    pub(crate) fn owner(&self, key: K) -> &Shard<W, K> {
        &self.workers[Children::<W, K>::owner(key.hash(), self.workers.len())].shard
    }

    /// The peak memory use, in bytes.
    pub(crate) fn peak(&self) -> u64 {
        self.workers.iter().map(|worker| worker.meter.peak()).sum()
    }

    /// Fills layer `f`; `before` is the number of children that the search has made so far. Returns
    /// a configuration that has the target, if there is one.
    pub(crate) fn fill(
        &mut self,
        moves: &Moves<W>,
        f: u32,
        before: u64,
    ) -> Result<Option<K>, Limit> {
        let shards = self.workers.len() as u64;
        for worker in &mut self.workers {
            let shard = &mut worker.shard;
            shard.counters = Counters::default();
            shard.tally = Tally { before, shards };
            worker.end = shard.stored();
            worker.next = shard.layers.last().copied().unwrap_or(worker.end);
            shard.begin_layer();
        }
        self.run(moves, f)?;
        let arrived = self.workers.iter().find_map(|worker| worker.arrived);
        if let Some((key, Some(goals))) = arrived {
            // Its node has not been made yet.
            let owner = Children::<W, K>::owner(key.hash(), self.workers.len());
            let Worker { shard, meter, .. } = &mut self.workers[owner];
            shard.add_child(key, &goals, meter)?;
            shard.arrive(moves, f, key, meter)?;
        }
        Ok(arrived.map(|(key, _)| key))
    }

    /// Fills a layer with all threads.
    fn run(&mut self, moves: &Moves<W>, f: u32) -> Result<(), Limit> {
        let links = links(self.workers.len());
        let ended: Vec<Result<(), Departure>> = std::thread::scope(|scope| {
            let mut workers = self.workers.iter_mut().zip(links);
            let first = workers.next();
            let others: Vec<_> = workers
                .map(|(worker, links)| scope.spawn(move || worker.fill(moves, f, &links)))
                .collect();
            // The links of a thread are dropped when it leaves.
            let first = first.map(|(worker, links)| worker.fill(moves, f, &links));
            let others = others.into_iter().map(|other| {
                let ended = other.join();
                ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            });
            first.into_iter().chain(others).collect()
        });
        for ended in ended {
            if let Err(Departure::Limit(limit)) = ended {
                return Err(limit);
            }
        }
        Ok(())
    }
}

/// By index in the team: the links to all other threads.
fn links<const W: usize, K>(places: usize) -> Vec<Vec<Option<Link<W, K>>>> {
    let mut links: Vec<Vec<Option<Link<W, K>>>> = (0..places)
        .map(|_| (0..places).map(|_| None).collect())
        .collect();
    let pairs = (0..places).flat_map(|a| (0..a).map(move |b| (a, b)));
    for (a, b) in pairs {
        let ((to_a, from_b), (to_b, from_a)) = (channel(), channel());
        links[a][b] = Some(Link {
            to: to_b,
            from: from_b,
        });
        links[b][a] = Some(Link {
            to: to_a,
            from: from_a,
        });
    }
    links
}
