//! A layer filled by several threads.
//!
//! Every thread owns the configurations whose hash says so, with their nodes: a shard. Only helper
//! moves lead from one shard to another, so a layer has three phases. Each thread adds what
//! goal-robot moves have kept for it, and makes nodes of that; each makes the helper moves of its
//! nodes of the layer before, and sends every child to its owner; each makes nodes of what it has
//! been sent.
//!
//! A phase has rounds. In a round a thread works off a piece of what it has, sends the others a
//! message with their children, and reads their messages of the round before. So a thread waits only
//! for one that is more than a round behind. Nobody changes what belongs to another thread: there are
//! no locks, and what is made does not depend on who is faster. For a given number of threads
//! everything is the same every time, also where the search ends, for a message says whether its
//! sender has come to the target, and all end with the round after.
//!
//! A thread that meets a limit leaves. The others notice when they write to it or wait for it, and
//! leave too.

use std::sync::mpsc::{Receiver, Sender, channel};

use super::children::{Children, Parcel};
use super::helpers::HelperKey;
use super::moves::Moves;
use super::shard::{Counters, NODES_AT_ONCE, Shard, Tally};
use crate::lowlevel::word_set::WordSet;
use crate::memory::meter::MemoryMeter;
use crate::{Limit, Limits};

/// Of how many nodes a thread makes the helper moves in a round: so few that little is made too much
/// when the target is found and that children are still in a cache when they are read, and so many
/// that messages cost next to nothing.
const NODES_A_ROUND: usize = 1 << 9;

/// The same for nodes that are made; that is faster.
const TOUCHED_A_ROUND: usize = 1 << 11;

/// What a thread writes to another at the end of a round.
struct Message<const W: usize, K> {
    parcel: Parcel<W, K>,
    status: Status,
}

/// How far a thread has come with a phase.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Status {
    /// It has more to do.
    Busy,
    /// It has nothing left to do.
    Idle,
    /// It has come to the target.
    Arrived,
}

/// Why a thread has left.
enum Departure {
    Limit(Limit),
    /// Another has left.
    Alone,
}

impl From<Limit> for Departure {
    fn from(limit: Limit) -> Self {
        Self::Limit(limit)
    }
}

/// What a thread works on.
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

/// One thread, with what it owns.
struct Worker<const W: usize, K> {
    /// Its place in the team.
    place: usize,
    shard: Shard<W, K>,
    meter: MemoryMeter,
    /// Children of this round, by their owner.
    out: Children<W, K>,
    /// Parcels that have been read.
    spare: Vec<Parcel<W, K>>,
    /// Bytes of parcels that the meter knows of.
    counted: u64,
    /// The nodes of the layer before of which no helper moves have been made.
    next: usize,
    end: usize,
    /// Where it has come to the target: a configuration, with cells from which moves that lower the
    /// bound lead there if its node is not yet made.
    arrived: Option<(K, Option<WordSet<W>>)>,
}

impl<const W: usize, K: HelperKey> Worker<W, K> {
    /// Fills layer `f` together with those at the other ends of the links.
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
                // What all have written in the round before, with its own status.
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

    /// Works off a piece.
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

    /// Adds the children that it owns itself.
    fn add_own(&mut self) -> Result<(), Limit> {
        let own = &mut self.out.parcels[self.place];
        self.shard.add_children(own, &mut self.meter)?;
        own.clear();
        Ok(())
    }

    /// Writes to all others.
    fn write(&mut self, status: Status, links: &[Option<Link<W, K>>]) -> Result<(), Departure> {
        let bytes = self.out.parcels.iter().map(Parcel::bytes).sum();
        if bytes > self.counted {
            // As many again are on their way, or have been read.
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

    /// Reads a message of each of the others, and adds their children. Says whether all, itself with
    /// the given status, have nothing left to do, and whether one has come to the target.
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
    /// Divides a search among so many threads, each with its own limits.
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

    /// The shard that has a configuration, if anyone has it.
    pub(crate) fn owner(&self, key: K) -> &Shard<W, K> {
        &self.workers[Children::<W, K>::owner(key.hash(), self.workers.len())].shard
    }

    /// Most bytes held at once.
    pub(crate) fn peak(&self) -> u64 {
        self.workers.iter().map(|worker| worker.meter.peak()).sum()
    }

    /// Fills layer `f`; `before` is the number of children that the search has made. Returns a
    /// configuration that has the target, if there is one.
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
            // Its node is not yet made.
            let owner = Children::<W, K>::owner(key.hash(), self.workers.len());
            let Worker { shard, meter, .. } = &mut self.workers[owner];
            shard.add_child(key, &goals, meter)?;
            shard.arrive(moves, f, key, meter)?;
        }
        Ok(arrived.map(|(key, _)| key))
    }

    /// Lets all threads fill a layer.
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

/// By place in the team: the links to all places but its own.
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
