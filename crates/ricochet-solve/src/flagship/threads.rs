//! A layer filled by several threads, each with its own shard of the search.
//!
//! The hash of a configuration says which shard owns it, with all its nodes. Goal-robot moves do not
//! change the configuration, so only the children of helper moves travel between shards.
//!
//! Threads work in rounds. In a round, a thread does a few pieces of work, sends every other thread
//! a message with the children that the other owns, and reads the messages of an earlier round. So
//! a thread waits only for one that is more than [`LAG`] rounds behind. Nothing is shared and
//! nothing is locked, and the result does not depend on which thread is faster: for a given number
//! of threads, all counts are the same every time. That includes the end of a search: a message
//! says whether its sender has found the target and what it has used, and all threads act on the
//! messages of a round at the same point.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender, channel};

use super::layers::Used;
use crate::{Limit, Meter};

/// WebAssembly in a browser has no threads, and the file is smaller without the code for them.
pub(super) const HAS_THREADS: bool = cfg!(not(target_family = "wasm"));

/// How many rounds a thread may be ahead of the messages it has read.
const LAG: usize = 2;

/// Pieces of work in a round: enough that the cost of messages is negligible, and few enough that
/// little work is wasted when the target is found.
const PIECES_PER_ROUND: usize = 8;

/// The steps of filling a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Adds the moves that were deferred to this layer, and makes their nodes. Goal-robot moves come
    /// first because they often lead to the target, and then the helper moves, which are far more
    /// numerous, need not be made.
    Arrive,
    /// Makes the helper moves of the previous layer's nodes.
    Expand,
    /// Makes the nodes of their children.
    Settle,
}

/// The result of a piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Step {
    /// There was nothing to do.
    Idle,
    /// There may be more to do.
    Worked,
    /// The target was found: the layer need not be completed.
    Stop,
}

/// Children on their way to the shard that owns them.
pub(super) trait Parcel: Default + Send {
    fn clear(&mut self);

    fn bytes(&self) -> u64;
}

/// The children that a shard has made, by owner.
#[derive(Debug, Default)]
pub(super) struct Outbox<P> {
    /// The index of the shard that makes them.
    pub(super) index: usize,
    /// By index of the owner.
    pub(super) parcels: Vec<P>,
    /// Parcels that have been read, for reuse.
    spare: Vec<P>,
}

impl<P: Parcel> Outbox<P> {
    /// The outbox of one of several shards.
    pub(super) fn new(index: usize, shards: usize) -> Self {
        Self {
            index,
            parcels: (0..shards).map(|_| P::default()).collect(),
            spare: Vec::new(),
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        let parcels = self.parcels.iter().chain(&self.spare);
        parcels.map(Parcel::bytes).sum()
    }
}

/// The work of a thread on its shard of a layer. It is behind a reference so that the code for
/// threads is not compiled for every instruction set, heuristic and number of helpers.
pub(super) trait LayerWork: Sync {
    /// One thread's shard of the search.
    type Shard: Send;
    type Parcel: Parcel;

    fn outbox<'a>(&self, shard: &'a mut Self::Shard) -> &'a mut Outbox<Self::Parcel>;

    /// Does a piece of the work of a phase.
    fn work(&self, shard: &mut Self::Shard, phase: Phase) -> Result<Step, Limit>;

    /// Adds children that another shard has sent.
    fn receive(&self, shard: &mut Self::Shard, parcel: &Self::Parcel) -> Result<(), Limit>;

    /// What a shard has used.
    fn used(&self, shard: &mut Self::Shard) -> Result<Used, Limit>;

    /// Fails if all shards together have used more than they may.
    fn check(&self, used: &Used) -> Result<(), Limit>;
}

/// Fills a layer, with one thread for each shard.
pub(super) fn fill<T: Send, P: Parcel>(
    work: &dyn LayerWork<Shard = T, Parcel = P>,
    shards: &mut [T],
    meter: &Meter,
) -> Result<(), Limit> {
    let worker = |(shard, links)| Worker {
        layer_work: work,
        shard,
        links,
        meter,
        reports: VecDeque::new(),
        within_limits: Ok(()),
        idle_rounds: 0,
    };
    if let [shard] = shards {
        return worker((shard, Vec::new())).fill().or_else(Departure::limit);
    }
    if !HAS_THREADS {
        unreachable!("without threads, no search is divided");
    }
    let links = links(shards.len());
    let mut workers = shards.iter_mut().zip(links).map(worker);
    let mut first = workers.next().expect("a search has a shard");
    std::thread::scope(|scope| {
        let others: Vec<_> = workers
            .map(|mut worker| scope.spawn(move || worker.fill()))
            .collect();
        let mut result = first.fill().or_else(Departure::limit);
        // Drops the links, so that the other threads do not wait for one that has left.
        drop(first);
        for other in others {
            let joined = other.join();
            let departed = joined.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            result = result.and(departed.or_else(Departure::limit));
        }
        result
    })
}

/// The progress of a thread in a round, or the limit that it has met.
type Report = Result<(Step, Used), Limit>;

/// A message from one thread to another at the end of a round.
struct Message<P> {
    parcel: P,
    report: Report,
}

/// The channels between one thread and another, in both directions.
struct Link<P> {
    /// The index of the other thread's shard.
    other: usize,
    to: Sender<Message<P>>,
    from: Receiver<Message<P>>,
}

/// Why a thread has left the layer.
enum Departure {
    Limit(Limit),
    /// Another thread has panicked.
    Abandoned,
}

impl Departure {
    fn limit(self) -> Result<(), Limit> {
        match self {
            Self::Limit(limit) => Err(limit),
            Self::Abandoned => Ok(()),
        }
    }
}

/// The conclusion from the messages of a round.
enum Round {
    Continue,
    /// No thread has anything left to do.
    PhaseDone,
    /// A thread has found the target.
    Stop,
}

/// One thread while it fills a layer.
struct Worker<'a, T, P> {
    layer_work: &'a dyn LayerWork<Shard = T, Parcel = P>,
    shard: &'a mut T,
    links: Vec<Link<P>>,
    meter: &'a Meter,
    /// Its own reports of the rounds whose messages have not been read yet.
    reports: VecDeque<Report>,
    /// Fails once this thread has met a limit.
    within_limits: Result<(), Limit>,
    /// The number of rounds for which all threads have been idle.
    idle_rounds: usize,
}

impl<T: Send, P: Parcel> Worker<'_, T, P> {
    fn fill(&mut self) -> Result<(), Departure> {
        for phase in [Phase::Arrive, Phase::Expand, Phase::Settle] {
            loop {
                let report = self.work(phase);
                self.within_limits = report.map(|_| ());
                match self.end_round(report)? {
                    Round::Continue => {}
                    Round::PhaseDone => break,
                    Round::Stop => return Ok(()),
                }
            }
        }
        Ok(())
    }

    fn work(&mut self, phase: Phase) -> Report {
        self.within_limits?;
        let pieces = if self.links.is_empty() {
            1
        } else {
            PIECES_PER_ROUND
        };
        let mut result = Step::Idle;
        for _ in 0..pieces {
            let step = self.layer_work.work(self.shard, phase)?;
            result = result.max(step);
            if step != Step::Worked {
                break;
            }
        }
        self.meter.check()?;
        Ok((result, self.layer_work.used(self.shard)?))
    }

    /// Sends and reads messages.
    fn end_round(&mut self, report: Report) -> Result<Round, Departure> {
        if self.links.is_empty() {
            return self.conclude(&[report]);
        }
        let outbox = self.layer_work.outbox(self.shard);
        for link in &self.links {
            let spare = outbox.spare.pop().unwrap_or_default();
            let parcel = std::mem::replace(&mut outbox.parcels[link.other], spare);
            // A thread that has already left has read that the search ends, and this one will read
            // it as well.
            let _ = link.to.send(Message { parcel, report });
        }
        self.reports.push_back(report);
        if self.reports.len() <= LAG {
            return Ok(Round::Continue);
        }
        let reports = self.read()?;
        let round = self.conclude(&reports)?;
        if matches!(round, Round::PhaseDone) {
            // The messages that are still in flight say nothing new.
            while !self.reports.is_empty() {
                self.read()?;
            }
        }
        Ok(round)
    }

    /// Reads one message from each of the other threads. Returns the reports of that round.
    fn read(&mut self) -> Result<Vec<Report>, Departure> {
        let mut reports: Vec<Report> = self.reports.pop_front().into_iter().collect();
        for link in &self.links {
            let message = link.from.recv().map_err(|_| Departure::Abandoned)?;
            let Message { mut parcel, report } = message;
            if self.within_limits.is_ok() {
                self.within_limits = self.layer_work.receive(self.shard, &parcel);
            }
            parcel.clear();
            self.layer_work.outbox(self.shard).spare.push(parcel);
            reports.push(report);
        }
        Ok(reports)
    }

    /// Draws the conclusion from the reports of a round. All threads draw the same one.
    fn conclude(&mut self, reports: &[Report]) -> Result<Round, Departure> {
        let mut all = Used::default();
        let mut step = Step::Idle;
        for report in reports {
            let (its_step, used) = report.map_err(Departure::Limit)?;
            all = all.and(used);
            step = step.max(its_step);
        }
        self.layer_work.check(&all).map_err(Departure::Limit)?;
        // A message in flight may have brought work to an idle thread.
        let quiet_rounds = if self.links.is_empty() { 1 } else { 1 + LAG };
        self.idle_rounds = if step == Step::Idle {
            self.idle_rounds + 1
        } else {
            0
        };
        Ok(match step {
            Step::Stop => Round::Stop,
            Step::Idle if self.idle_rounds == quiet_rounds => {
                self.idle_rounds = 0;
                Round::PhaseDone
            }
            _ => Round::Continue,
        })
    }
}

/// By index of the shard: the links to all others.
fn links<P>(shards: usize) -> Vec<Vec<Link<P>>> {
    let mut links: Vec<Vec<Link<P>>> = (0..shards).map(|_| Vec::new()).collect();
    for a in 0..shards {
        for b in 0..a {
            let ((to_a, from_b), (to_b, from_a)) = (channel(), channel());
            let (other, to, from) = (b, to_b, from_b);
            links[a].push(Link { other, to, from });
            let (other, to, from) = (a, to_a, from_a);
            links[b].push(Link { other, to, from });
        }
    }
    links
}
