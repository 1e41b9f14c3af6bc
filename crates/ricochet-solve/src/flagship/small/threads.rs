//! A layer filled by several threads, each with a shard of the search.
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

use super::budget::{SearchBudget, Used};
use super::frontier::Child;
use super::shard::{Phase, Shard, Step};
use crate::Limit;

/// How many rounds a thread may be ahead of the messages it has read.
const LAG: usize = 2;

/// Pieces of work in a round: enough that the cost of messages is negligible, and few enough that
/// little work is wasted when the target is found.
const PIECES_A_ROUND: usize = 8;

/// The shard that owns a configuration.
#[inline(always)]
pub(super) fn owner(key: u32, shards: usize) -> usize {
    // Uses other bits of the key than the index does; otherwise the index would use its slots
    // unevenly.
    let mixed = (key ^ key >> 13).wrapping_mul(0x85eb_ca6b) >> 16;
    (mixed as usize * shards) >> 16
}

/// Children on their way to their owners.
pub(super) struct Outbox {
    /// The index of this shard, and the number of shards.
    place: usize,
    shards: usize,
    /// By index of the owner.
    parcels: Vec<Vec<Child>>,
    /// Parcels that have been read, for reuse.
    spare: Vec<Vec<Child>>,
}

impl Outbox {
    /// An outbox for a search with this many shards.
    fn new(place: usize, shards: usize) -> Self {
        Self {
            place,
            shards,
            // A single shard sends nothing.
            parcels: vec![Vec::new(); if shards == 1 { 0 } else { shards }],
            spare: Vec::new(),
        }
    }

    /// Sorts children by owner. Returns the ones that this shard owns.
    #[inline(always)]
    pub(super) fn sort<'a>(&'a mut self, children: &'a [Child]) -> &'a [Child] {
        if self.shards == 1 {
            return children;
        }
        self.parcels[self.place].clear();
        for child in children {
            self.parcels[owner(child.key, self.shards)].push(*child);
        }
        &self.parcels[self.place]
    }

    fn bytes(&self) -> u64 {
        let parcels = self.parcels.iter().chain(&self.spare);
        let children: usize = parcels.map(Vec::capacity).sum();
        (children * size_of::<Child>()) as u64
    }
}

/// A message from one thread to another at the end of a round.
struct Message {
    children: Vec<Child>,
    report: Report,
}

/// The progress of a thread.
#[derive(Clone, Copy)]
struct Report {
    step: Step,
    used: Used,
    /// A limit that only this thread has noticed: time or cancellation.
    limit: Option<Limit>,
}

/// The channels between one thread and another, in both directions.
struct Link {
    to: Sender<Message>,
    from: Receiver<Message>,
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
struct Worker<'a> {
    layer_work: &'a dyn LayerWork,
    /// The layer.
    f: usize,
    shard: &'a mut Shard,
    links: Vec<Link>,
    outbox: Outbox,
    budget: &'a SearchBudget<'a>,
    /// Its own reports of the rounds whose messages have not been read yet.
    reports: VecDeque<Report>,
    /// The number of rounds for which all threads have been idle.
    idle_rounds: usize,
}

/// The work of a thread on its shard. It is behind a reference so that the code for threads is
/// compiled once, not for every instruction set, heuristic and number of helpers.
pub(super) trait LayerWork: Sync {
    /// Does a piece of the work of a phase.
    fn work(&self, shard: &mut Shard, phase: Phase, outbox: &mut Outbox) -> Step;

    /// Adds children that another shard has sent.
    fn receive(&self, shard: &mut Shard, children: &[Child]);

    /// The phases of a layer.
    fn phases(&self) -> &'static [Phase];
}

/// Fills layer `f` with all shards.
pub(super) fn fill(
    work: &dyn LayerWork,
    shards: &mut [Shard],
    f: usize,
    budget: &SearchBudget,
) -> Result<(), Limit> {
    let count = shards.len();
    let places = shards.iter_mut().zip(links(count)).enumerate();
    let mut workers = places.map(|(place, (shard, links))| Worker {
        layer_work: work,
        f,
        shard,
        outbox: Outbox::new(place, count),
        links,
        budget,
        reports: VecDeque::new(),
        idle_rounds: 0,
    });
    let mut first = workers.next().expect("a search has a shard");
    if count == 1 {
        return first.fill().or_else(Departure::limit);
    }
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

impl Worker<'_> {
    fn fill(&mut self) -> Result<(), Departure> {
        for &phase in self.layer_work.phases() {
            loop {
                let step = self.work(phase);
                match self.end_round(step)? {
                    Round::Continue => {}
                    Round::PhaseDone => break,
                    Round::Stop => return Ok(()),
                }
            }
        }
        Ok(())
    }

    fn work(&mut self, phase: Phase) -> Step {
        if self
            .shard
            .frontier
            .solved
            .is_some_and(|it| it.f <= self.f + 1)
        {
            return Step::Stop;
        }
        let pieces = if self.links.is_empty() {
            1
        } else {
            PIECES_A_ROUND
        };
        let mut result = Step::Idle;
        for _ in 0..pieces {
            match self.layer_work.work(self.shard, phase, &mut self.outbox) {
                Step::Worked => result = Step::Worked,
                Step::Idle => break,
                Step::Stop => return Step::Stop,
            }
        }
        result
    }

    /// Sends and reads messages, and checks the limits.
    fn end_round(&mut self, step: Step) -> Result<Round, Departure> {
        let report = Report {
            step,
            used: Used::by(self.shard, self.outbox.bytes()),
            limit: self.budget.meter.check().err(),
        };
        if self.links.is_empty() {
            return self.conclude(&[report]);
        }
        let place = self.outbox.place;
        let others = (0..self.outbox.shards).filter(|&other| other != place);
        for (other, link) in others.zip(&self.links) {
            let spare = self.outbox.spare.pop().unwrap_or_default();
            let children = std::mem::replace(&mut self.outbox.parcels[other], spare);
            let message = Message { children, report };
            // A thread that has already left has read that the search ends, and this one will read
            // it as well.
            let _ = link.to.send(message);
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
            let Message {
                mut children,
                report,
            } = message;
            self.layer_work.receive(self.shard, &children);
            children.clear();
            self.outbox.spare.push(children);
            reports.push(report);
        }
        Ok(reports)
    }

    /// Draws the conclusion from the reports of a round. All threads draw the same one.
    fn conclude(&mut self, reports: &[Report]) -> Result<Round, Departure> {
        if let Some(limit) = reports.iter().find_map(|it| it.limit) {
            return Err(Departure::Limit(limit));
        }
        let used = reports.iter().map(|it| it.used).sum();
        self.budget.check(&used).map_err(Departure::Limit)?;
        if reports.iter().any(|it| it.step == Step::Stop) {
            return Ok(Round::Stop);
        }
        if reports.iter().any(|it| it.step == Step::Worked) {
            self.idle_rounds = 0;
            return Ok(Round::Continue);
        }
        self.idle_rounds += 1;
        // A message in flight may have brought work to an idle thread.
        let quiet_rounds = if self.links.is_empty() { 1 } else { 1 + LAG };
        if self.idle_rounds < quiet_rounds {
            return Ok(Round::Continue);
        }
        self.idle_rounds = 0;
        Ok(Round::PhaseDone)
    }
}

/// By index: the links to all other threads, in order.
fn links(places: usize) -> Vec<Vec<Link>> {
    if places == 1 {
        return vec![Vec::new()];
    }
    let mut ends: Vec<Vec<Option<Link>>> = (0..places)
        .map(|_| (0..places).map(|_| None).collect())
        .collect();
    let pairs = (0..places).flat_map(|a| (0..a).map(move |b| (a, b)));
    for (a, b) in pairs {
        let ((to_a, from_b), (to_b, from_a)) = (channel(), channel());
        ends[a][b] = Some(Link {
            to: to_b,
            from: from_b,
        });
        ends[b][a] = Some(Link {
            to: to_a,
            from: from_a,
        });
    }
    ends.into_iter()
        .map(|ends| ends.into_iter().flatten().collect())
        .collect()
}
