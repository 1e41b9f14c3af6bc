//! The search backwards from the goal, layer by layer, over all configurations.
//!
//! Most layers are *dense*: one pass over all configurations moves one helper at a time over the whole
//! board (see [`predecessors`]) and, once per configuration, the lead. When a layer has changed
//! only a few configurations, the next one is *sparse*: it starts from the list of what changed.

pub(crate) mod codes;
pub(crate) mod jobs;
mod predecessors;

use std::sync::atomic::{AtomicBool, Ordering};

use ricochet_core::Direction;

use self::codes::{Codes, DistanceCode};
use self::jobs::{FixedHelpers, Job, RunningJob, Schedule};
use self::predecessors::{Chains, LeadMoves, NOTHING};
use super::distances::fill;
use super::space::{MAX_HELPERS, Space, bit_of};
use crate::lowlevel::columns::Column;
use crate::lowlevel::instructions::{Kernel, dispatch};
use crate::lowlevel::set256::Set256;

/// States of one configuration that belong to the newest layer. A configuration may appear more
/// than once, with different states.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Event {
    pub(crate) configuration: u32,
    words: [u64; 4],
}

impl Event {
    pub(crate) fn states(&self) -> Set256 {
        Set256(self.words)
    }
}

/// What one pass found.
#[derive(Debug, Default)]
struct PassEvents {
    states: u64,
    events: Vec<Event>,
    /// How many events may be kept.
    room: usize,
    overflow: bool,
}

impl PassEvents {
    fn with_room(room: usize) -> Self {
        Self {
            room,
            ..Self::default()
        }
    }

    #[inline(always)]
    fn add(&mut self, configuration: usize, states: Set256) {
        self.states += u64::from(states.len());
        if self.events.len() < self.room {
            self.events.push(Event {
                configuration: configuration as u32,
                words: states.0,
            });
        } else {
            self.overflow = true;
        }
    }

    fn append(&mut self, other: &Self) {
        self.states += other.states;
        let take = other.events.len().min(self.room - self.events.len());
        self.overflow |= other.overflow || take < other.events.len();
        self.events.extend_from_slice(&other.events[..take]);
    }
}

/// The buffers of one thread: all sets of the configurations that contain the same fixed helpers.
struct Scratch {
    frontier: Box<[Set256; 512]>,
    found: Box<[Set256; 512]>,
    /// Where a blocker on that place stops a helper: its own bit, or everywhere.
    masks: Box<[Set256; 512]>,
}

impl Scratch {
    fn new(space: &Space) -> Self {
        let mut masks = Box::new([Set256::EMPTY; 512]);
        for (mask, &bit) in masks.iter_mut().zip(space.bits()) {
            *mask = Set256::of(usize::from(bit));
        }
        masks[usize::from(NOTHING)] = Set256::FULL;
        Self {
            frontier: Box::new([Set256::EMPTY; 512]),
            found: Box::new([Set256::EMPTY; 512]),
            masks,
        }
    }
}

/// A search in progress.
pub(crate) struct Retrograde<'a> {
    space: &'a Space,
    lead: LeadMoves,
    /// One per class.
    chains: Vec<Chains>,
    /// One per class.
    schedules: Vec<Schedule<'a>>,
    codes: &'a mut Vec<Codes>,
    /// One per thread.
    scratch: Vec<Scratch>,
    distance: u32,
    newest: PassEvents,
    stop: &'a (dyn Fn() -> bool + Sync),
}

impl<'a> Retrograde<'a> {
    /// Sets up the layer of distance 0; `None` if it is stopped.
    pub(crate) fn new(
        space: &'a Space,
        codes: &'a mut Vec<Codes>,
        threads: usize,
        stop: &'a (dyn Fn() -> bool + Sync),
    ) -> Option<Self> {
        if !fill(codes, space.configurations(), Codes::UNKNOWN, stop) {
            return None;
        }
        let classes = space.classes();
        let mut search = Self {
            lead: LeadMoves::new(space),
            chains: classes
                .iter()
                .map(|class| Chains::new(space, class.robots[0]))
                .collect(),
            schedules: (0..classes.len())
                .map(|class| Schedule::new(space, class, threads))
                .collect(),
            codes,
            scratch: (0..threads).map(|_| Scratch::new(space)).collect(),
            distance: 0,
            newest: PassEvents::with_room(room(space)),
            space,
            stop,
        };
        search.place_goal().then_some(search)
    }

    /// Bytes that the lists of a layer and the one after it take at most.
    pub(crate) fn event_bytes(space: &Space) -> u64 {
        2 * (room(space) * size_of::<Event>()) as u64
    }

    /// The distance of the newest layer.
    pub(crate) fn distance(&self) -> u32 {
        self.distance
    }

    /// How many states (copies included) the newest layer has.
    pub(crate) fn newest_states(&self) -> u64 {
        self.newest.states
    }

    /// All of the newest layer's states, or `None` if there are too many to list.
    pub(crate) fn newest_events(&self) -> Option<&[Event]> {
        (!self.newest.overflow).then_some(&self.newest.events[..])
    }

    /// Some of the newest layer's states.
    pub(crate) fn some_newest_events(&self) -> &[Event] {
        &self.newest.events
    }

    /// The states of a configuration whose distance is the newest one modulo 3.
    pub(crate) fn frontier_modulo_3(&self, configuration: usize) -> Set256 {
        self.codes[configuration].at(DistanceCode::of(self.distance))
    }

    /// Makes the next layer; `false` if it is empty or the search was stopped.
    pub(crate) fn step(&mut self) -> bool {
        let few = self.newest.events.len() <= self.space.configurations() / 24 + 64;
        let found = if !self.newest.overflow && (few || self.chains.is_empty()) {
            self.sparse_layer()
        } else {
            self.dense_layer()
        };
        if (self.stop)() {
            return false;
        }
        let more = found.states > 0;
        if more {
            self.newest = found;
            self.distance += 1;
        }
        more
    }

    /// Distance 0: the lead on the target, or any robot if any may arrive. False if it is stopped.
    fn place_goal(&mut self) -> bool {
        let space = self.space;
        let target = bit_of(space.goal().cell);
        let any = space.goal().robot.is_none();
        let on_target = space.open() & Set256::of(target);
        let layer = DistanceCode::of(0);
        let mut found = PassEvents::with_room(self.newest.room);
        let mut place = |configuration: usize, solved: Set256, codes: &mut Codes| {
            if !solved.is_empty() {
                found.add(configuration, solved);
                *codes = codes.with(solved, layer);
            }
        };
        if space.classes().is_empty() {
            place(0, on_target, &mut self.codes[0]);
        } else {
            let (job, layout) = (Job::whole(space, 0), space.layout(0));
            let mut walk = job.walk(space);
            let mut visited = 0usize;
            while let Some(helpers) = walk.next() {
                // Fixed helpers stand for some hundred configurations.
                visited += 1;
                if visited.is_multiple_of(64) && (self.stop)() {
                    return false;
                }
                let taken = helpers.blockers.contains(target);
                if taken && !any {
                    continue;
                }
                let run = layout.segment(helpers.other, helpers.fixed(), 0);
                for member in run.places {
                    if helpers.others.contains(&(member as u16)) {
                        continue;
                    }
                    let at = run.start + member;
                    let bit = usize::from(space.bits()[member]);
                    let solved = if !taken && bit != target {
                        on_target
                    } else if any {
                        let blockers = helpers.blockers | Set256::of(bit);
                        space.open().without(blockers)
                    } else {
                        continue;
                    };
                    place(at, solved, &mut self.codes[at]);
                }
            }
        }
        self.newest = found;
        true
    }

    fn dense_layer(&mut self) -> PassEvents {
        let mut found = PassEvents::with_room(self.newest.room);
        let (from, to) = (
            DistanceCode::of(self.distance),
            DistanceCode::of(self.distance + 1),
        );
        let stopped = AtomicBool::new(false);
        let pass = Pass {
            space: self.space,
            lead: &self.lead,
            chains: &self.chains,
            from,
            to,
            stop: self.stop,
            stopped: &stopped,
        };
        // A thread that finds more than its share makes the next layer dense, which it would be
        // anyway with that many events.
        let room = found.room.div_ceil(self.scratch.len());
        for schedule in &self.schedules {
            let round = schedule.begin(self.codes);
            let work = |scratch: &mut Scratch, found: &mut PassEvents| {
                while let Some(running) = round.take() {
                    pass.run(&running, scratch, found);
                }
            };
            if schedule.is_whole() {
                work(&mut self.scratch[0], &mut found);
                continue;
            }
            std::thread::scope(|scope| {
                let work = &work;
                let threads: Vec<_> = self
                    .scratch
                    .iter_mut()
                    .map(|scratch| {
                        scope.spawn(move || {
                            let mut own = PassEvents::with_room(room);
                            work(scratch, &mut own);
                            own
                        })
                    })
                    .collect();
                for thread in threads {
                    found.append(&thread.join().expect("a pass does not panic"));
                }
            });
        }
        found
    }

    fn sparse_layer(&mut self) -> PassEvents {
        let events = std::mem::take(&mut self.newest.events);
        let sparse = Sparse {
            space: self.space,
            lead: &self.lead,
            chains: &self.chains,
            to: DistanceCode::of(self.distance + 1),
            room: self.newest.room,
            stop: self.stop,
        };
        let found = sparse.run(&events, self.codes);
        self.newest.events = events;
        found
    }
}

/// How many events of a layer are listed; with more the next layer is dense anyway.
fn room(space: &Space) -> usize {
    space.configurations() / 12 + 4096
}

/// What all jobs of a dense layer share.
struct Pass<'a> {
    space: &'a Space,
    lead: &'a LeadMoves,
    chains: &'a [Chains],
    from: DistanceCode,
    to: DistanceCode,
    stop: &'a (dyn Fn() -> bool + Sync),
    stopped: &'a AtomicBool,
}

impl Pass<'_> {
    fn should_stop(&self) -> bool {
        if (self.stop)() {
            self.stopped.store(true, Ordering::Relaxed);
        }
        self.stopped.load(Ordering::Relaxed)
    }

    fn run(&self, running: &RunningJob<'_>, scratch: &mut Scratch, found: &mut PassEvents) {
        if self.lead.has_diagonals() {
            dispatch(PassKernel::<true> {
                pass: self,
                running,
                scratch,
                found,
            });
        } else {
            dispatch(PassKernel::<false> {
                pass: self,
                running,
                scratch,
                found,
            });
        }
    }
}

struct PassKernel<'a, const DIAGONALS: bool> {
    pass: &'a Pass<'a>,
    running: &'a RunningJob<'a>,
    scratch: &'a mut Scratch,
    found: &'a mut PassEvents,
}

impl<const DIAGONALS: bool> Kernel for PassKernel<'_, DIAGONALS> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        let mut visited = 0u32;
        let (job, claim) = (self.running.job(), self.running.claim());
        let mut walk = job.walk(self.pass.space);
        while let Some(helpers) = walk.next() {
            // Before the first one as well: many jobs have only one.
            if visited.is_multiple_of(64) && self.pass.should_stop() {
                return;
            }
            visited = visited.wrapping_add(1);
            self.move_one_helper(helpers, claim.column(helpers.other, helpers.fixed()));
        }
    }
}

impl<const DIAGONALS: bool> PassKernel<'_, DIAGONALS> {
    /// Moves the free helper backwards, from all places and for all cells of the lead.
    #[inline(always)]
    fn move_one_helper(&mut self, helpers: &FixedHelpers, column: Column<'_, Codes>) {
        let space = self.pass.space;
        let class = self.running.job().class;
        // References to the arrays themselves: through the boxes they would be read again after
        // every store.
        let frontier = &mut *self.scratch.frontier;
        let found = &mut *self.scratch.found;
        let masks = &mut *self.scratch.masks;
        for place in helpers.taken() {
            let place = usize::from(place) & 511;
            frontier[place] = Set256::EMPTY;
            masks[place] = Set256::FULL;
        }
        let free = space.open().without(helpers.blockers);
        let mut any = Set256::EMPTY;
        for rank in 0..=helpers.fixed_len {
            if class > 0 || rank > 0 {
                for (place, entry) in column.entries(rank) {
                    entry.expect_next();
                    let set = entry.load().at(self.pass.from);
                    frontier[place & 511] = set;
                    found[place & 511] = Set256::EMPTY;
                    any |= set;
                }
                continue;
            }
            // Every configuration is met once with the free helper as the lowest of the first
            // class: that is where the lead moves.
            for (place, entry) in column.entries(rank) {
                entry.expect_next();
                let codes = entry.load();
                let set = codes.at(self.pass.from);
                frontier[place & 511] = set;
                found[place & 511] = Set256::EMPTY;
                any |= set;
                if !set.is_empty() {
                    let bit = Set256::of(usize::from(space.bits()[place]));
                    let blockers = helpers.blockers | bit;
                    let before = self.pass.lead.predecessors::<DIAGONALS>(set, blockers);
                    let new = before & codes.unknown() & free.without(bit);
                    if !new.is_empty() {
                        entry.store(codes.with(new, self.pass.to));
                        self.found.add(entry.number(), new);
                    }
                }
            }
        }
        if !any.is_empty() {
            let mut ends = [Set256::EMPTY; 4];
            for steps in &self.pass.chains[class].steps {
                for (end, step) in ends.iter_mut().zip(steps) {
                    let place = usize::from(step.cell) & 511;
                    let mask = masks[usize::from(step.next) & 511];
                    *end = end.blend(frontier[place], mask);
                    found[place] |= *end;
                }
            }
            for &place in &helpers.others {
                found[usize::from(place) & 511] = Set256::EMPTY;
            }
            for rank in 0..=helpers.fixed_len {
                for (place, entry) in column.entries(rank) {
                    let before = found[place & 511] & free.without(masks[place & 511]);
                    if before.is_empty() {
                        continue;
                    }
                    let codes = entry.load();
                    let new = before & codes.unknown();
                    if !new.is_empty() {
                        entry.store(codes.with(new, self.pass.to));
                        self.found.add(entry.number(), new);
                    }
                }
            }
        }
        for place in helpers.taken() {
            let bit = usize::from(space.bits()[usize::from(place)]);
            masks[usize::from(place) & 511] = Set256::of(bit);
        }
    }
}

/// A layer made from the list of what the last one changed.
struct Sparse<'a> {
    space: &'a Space,
    lead: &'a LeadMoves,
    chains: &'a [Chains],
    to: DistanceCode,
    room: usize,
    stop: &'a (dyn Fn() -> bool + Sync),
}

impl Sparse<'_> {
    fn run(&self, events: &[Event], table: &mut [Codes]) -> PassEvents {
        let mut found = PassEvents::with_room(self.room);
        for (i, event) in events.iter().enumerate() {
            // The caller checks again after the layer.
            if i.is_multiple_of(1024) && (self.stop)() {
                break;
            }
            self.expand(event, table, &mut found);
        }
        found
    }

    fn expand(&self, event: &Event, table: &mut [Codes], found: &mut PassEvents) {
        let space = self.space;
        let configuration = event.configuration as usize;
        let helpers = space.helpers(configuration);
        let places = helpers.iter().flatten();
        let blockers: Set256 = places
            .map(|&place| usize::from(space.bits()[usize::from(place)]))
            .collect();
        let mut discover = |configuration: usize, states: Set256| {
            let codes = &mut table[configuration];
            let new = states & codes.unknown();
            if !new.is_empty() {
                *codes = codes.with(new, self.to);
                found.add(configuration, new);
            }
        };
        let before = if self.lead.has_diagonals() {
            self.lead.predecessors::<true>(event.states(), blockers)
        } else {
            self.lead.predecessors::<false>(event.states(), blockers)
        };
        discover(configuration, before.without(blockers));
        for class in 0..helpers.len() {
            for member in 0..helpers[class].len() {
                let helper = (class, member);
                self.pull_back(event, &helpers, helper, blockers, &mut discover);
            }
        }
    }

    /// Lists where one helper of the configuration can have come from.
    fn pull_back(
        &self,
        event: &Event,
        helpers: &[Vec<u16>],
        (class, member): (usize, usize),
        blockers: Set256,
        discover: &mut impl FnMut(usize, Set256),
    ) {
        let space = self.space;
        let chains = &self.chains[class];
        let bit = |place: u16| usize::from(space.bits()[usize::from(place)]);
        let stride = space.classes()[class].stride;
        let members = &helpers[class];
        let place = members[member];
        let elsewhere = event.configuration as usize - stride * space.rank(members);
        let mut moved = [0; MAX_HELPERS];
        let moved = &mut moved[..members.len()];
        let others = blockers.without(Set256::of(bit(place)));
        for side in Direction::ALL {
            // What stands behind this side, so that a helper on its way out by it stays?
            let next = chains.next(place, side);
            let mut states = event.states();
            if next != NOTHING && !others.contains(bit(next)) {
                states &= Set256::of(bit(next));
            }
            let mut at = (place, side);
            while !states.is_empty() {
                let Some(previous) = chains.previous(at.0, at.1) else {
                    break;
                };
                if previous == (place, side) || others.contains(bit(previous.0)) {
                    break;
                }
                states = states.without(Set256::of(bit(at.0)));
                moved.copy_from_slice(members);
                moved[member] = previous.0;
                moved.sort_unstable();
                let from = elsewhere + stride * space.rank(moved);
                discover(from, states.without(others | Set256::of(bit(previous.0))));
                at = previous;
            }
        }
    }
}
