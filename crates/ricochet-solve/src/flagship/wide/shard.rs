//! One thread's part of a search: the configurations it owns, and how it fills a layer with them.

use std::marker::PhantomData;
use std::ops::Range;

use super::children::{WideParcel, owner};
use super::helpers::HelperKey;
use super::moves::Moves;
use super::table::WideTable;
use crate::flagship::layers::Used;
use crate::flagship::task::Counters;
use crate::flagship::threads::{LayerWork, Outbox, Parcel, Phase, Step};
use crate::lowlevel::prefetch::prefetch;
use crate::lowlevel::word_set::WordSet;
use crate::memory::meter::MemoryMeter;
use crate::{Limit, Limits};

/// A configuration with the goal-robot cells that are new to it in one layer.
pub(crate) struct WideNode<const W: usize> {
    pub(crate) set: WordSet<W>,
    /// The index of the configuration.
    pub(crate) id: u32,
    /// One more than the index of the configuration's previous node; 0 if there is none.
    pub(crate) earlier: u32,
}

/// A configuration with fresh cells, or with cells that deferred goal-robot moves lead to.
#[derive(Clone, Copy)]
pub(crate) struct WideCells<const W: usize> {
    pub(crate) set: WordSet<W>,
    pub(crate) id: u32,
}

/// The helper moves of this many nodes are made before their children are added.
const EXPANSION_BATCH: usize = 16;

/// A piece of work expands this many nodes.
const EXPANSIONS_PER_PIECE: usize = 4 * EXPANSION_BATCH;

/// A piece of work makes this many nodes.
const NODES_PER_PIECE: usize = 1 << 8;

/// While a child is added, the slot of the child this many children later is prefetched.
const SLOTS_AHEAD: usize = 32;

/// While a child is added, the entry of the child this many children later is prefetched.
const ENTRIES_AHEAD: usize = 16;

/// The prefetch distance for lists of configurations that already have entries.
const LIST_AHEAD: usize = 8;

/// How a shard counts children against the limit of the search.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    /// Children made before this layer, by all shards and searches.
    pub(crate) before: u64,
    /// Children made by this shard before this layer.
    pub(crate) own_before: u64,
    /// The number of shards; all make about the same number of children.
    pub(crate) shards: u64,
}

pub(crate) struct Shard<const W: usize, K> {
    pub(crate) table: WideTable<W, K>,
    pub(crate) nodes: Vec<WideNode<W>>,
    /// The index of each layer's first node, from the first layer on.
    pub(crate) layers: Vec<usize>,
    /// The configurations that have fresh cells, which are in the layer being filled and not in a
    /// node yet.
    pub(crate) touched: Vec<WideCells<W>>,
    /// Deferred goal-robot moves, by layer modulo 3.
    pub(crate) deferred: [Vec<WideCells<W>>; 3],
    pub(crate) counters: Counters,
    pub(crate) tally: Tally,
    /// The memory that this shard holds and may hold.
    pub(crate) meter: MemoryMeter,
    outbox: Outbox<WideParcel<W, K>>,
    /// Bytes of the outbox that the meter has counted.
    outbox_bytes: u64,
    /// The nodes of the previous layer that have not been expanded yet.
    unexpanded: Range<usize>,
    /// The configuration with which this shard has found the target. If its node has not been made
    /// yet, also the cells from which lowering moves lead there.
    pub(crate) arrived: Option<(K, Option<WordSet<W>>)>,
}

impl<const W: usize, K: HelperKey> Shard<W, K> {
    /// One of several shards, which may hold this many bytes.
    pub(crate) fn new(
        index: usize,
        shards: usize,
        limits: &Limits,
        most_bytes: u64,
    ) -> Result<Self, Limit> {
        let mut meter = MemoryMeter::start(limits);
        meter.restart(most_bytes);
        Ok(Self {
            table: WideTable::new(&mut meter)?,
            nodes: Vec::new(),
            layers: Vec::new(),
            touched: Vec::new(),
            deferred: Default::default(),
            counters: Counters::default(),
            tally: Tally::default(),
            meter,
            outbox: Outbox::new(index, shards),
            outbox_bytes: 0,
            unexpanded: 0..0,
            arrived: None,
        })
    }

    /// Whether no state is left: nothing new in the last two layers, and nothing deferred.
    pub(crate) fn has_ended(&self) -> bool {
        let last_two = self.layers.get(self.layers.len().saturating_sub(2));
        last_two == Some(&self.nodes.len()) && self.deferred.iter().all(Vec::is_empty)
    }

    /// Adds a node for a configuration.
    fn add_node(&mut self, id: u32, set: WordSet<W>) -> Result<(), Limit> {
        self.meter.reserve(&mut self.nodes)?;
        let latest = &mut self.table.entries[id as usize].latest;
        let earlier = std::mem::replace(latest, self.nodes.len() as u32 + 1);
        self.nodes.push(WideNode { set, id, earlier });
        Ok(())
    }

    /// Adds children to the layer that is being filled.
    fn add_children(&mut self, parcel: &WideParcel<W, K>) -> Result<(), Limit> {
        let children = &parcel.children;
        for child in children.iter().take(SLOTS_AHEAD) {
            self.table.fetch_slot(child.hash);
        }
        for child in children.iter().take(ENTRIES_AHEAD) {
            self.table.fetch_entry(child.hash);
        }
        for (i, child) in children.iter().enumerate() {
            if let Some(ahead) = children.get(i + SLOTS_AHEAD) {
                self.table.fetch_slot(ahead.hash);
            }
            if let Some(ahead) = children.get(i + ENTRIES_AHEAD) {
                self.table.fetch_entry(ahead.hash);
            }
            let id = self
                .table
                .find_or_insert(child.key, child.hash, &mut self.meter)?;
            self.add(id, parcel.set_of(child))?;
        }
        Ok(())
    }

    /// Adds a single child.
    pub(crate) fn add_child(&mut self, key: K, goals: &WordSet<W>) -> Result<(), Limit> {
        let id = self
            .table
            .find_or_insert(key, key.hash(), &mut self.meter)?;
        self.add(id, goals)
    }

    /// Adds the goal-robot moves that were deferred to this layer.
    fn add_deferred(&mut self, f: u32) -> Result<(), Limit> {
        let mut deferred = std::mem::take(&mut self.deferred[f as usize % 3]);
        for (i, child) in deferred.iter().enumerate() {
            if let Some(ahead) = deferred.get(i + LIST_AHEAD) {
                self.table.fetch(ahead.id);
            }
            self.add(child.id, &child.set)?;
        }
        deferred.clear();
        self.deferred[f as usize % 3] = deferred;
        Ok(())
    }

    #[inline]
    fn add(&mut self, id: u32, goals: &WordSet<W>) -> Result<(), Limit> {
        self.counters.generated += 1;
        self.tick()?;
        let entry = &mut self.table.entries[id as usize];
        let new = goals.without(&entry.seen);
        if new.is_empty() {
            self.counters.duplicates += 1;
            return Ok(());
        }
        entry.seen.add(&new);
        match entry.touched as usize {
            0 => {
                entry.touched = self.touched.len() as u32 + 1;
                self.meter.reserve(&mut self.touched)?;
                self.touched.push(WideCells { set: new, id });
            }
            index => self.touched[index - 1].set.add(&new),
        }
        Ok(())
    }

    #[inline]
    fn tick(&mut self) -> Result<(), Limit> {
        let Tally {
            before,
            own_before,
            shards,
        } = self.tally;
        let own = self.counters.generated - own_before;
        self.meter.tick(before + shards * own)
    }

    /// Makes the nodes of some touched configurations, the latest first, with their lowering
    /// goal-robot moves; the other goal-robot moves are deferred.
    fn make_nodes(&mut self, moves: &Moves<W>, f: u32) -> Result<Step, Limit> {
        if self.touched.is_empty() {
            return Ok(Step::Idle);
        }
        for _ in 0..NODES_PER_PIECE {
            let Some(touched) = self.touched.pop() else {
                break;
            };
            if let Some(ahead) = self.touched.len().checked_sub(LIST_AHEAD) {
                self.table.fetch(self.touched[ahead].id);
            }
            if self.make_node(moves, f, touched)? {
                let key = self.table.entries[touched.id as usize].key;
                self.arrived = Some((key, None));
                return Ok(Step::Stop);
            }
        }
        Ok(Step::Worked)
    }

    /// Makes the node of a touched configuration. True if it has the target.
    fn make_node(
        &mut self,
        moves: &Moves<W>,
        f: u32,
        touched: WideCells<W>,
    ) -> Result<bool, Limit> {
        self.tick()?;
        let WideCells { set: fresh, id } = touched;
        let entry = &mut self.table.entries[id as usize];
        entry.touched = 0;
        let cells = moves.helpers.cells(entry.key);
        let made = moves.move_goal_robot(&cells, fresh, &mut entry.seen);
        self.add_node(id, made.all)?;
        for (raised, set) in [(1, made.same), (2, made.higher)] {
            if !set.is_empty() {
                let deferred = &mut self.deferred[(f as usize + raised) % 3];
                self.meter.reserve(deferred)?;
                deferred.push(WideCells { set, id });
            }
        }
        Ok(made.all.has(moves.target))
    }

    /// Adds a child from which lowering moves are known to lead to the target, and makes its node.
    /// If its cells had been seen in an earlier layer, they would have led there then, so it has
    /// fresh cells.
    pub(crate) fn arrive(
        &mut self,
        moves: &Moves<W>,
        f: u32,
        key: K,
        goals: &WordSet<W>,
    ) -> Result<(), Limit> {
        self.add_child(key, goals)?;
        let id = self.table.find(key).expect("it was added");
        let index = self.table.entries[id as usize].touched;
        let fresh = self.touched[index as usize - 1];
        let arrives = self.make_node(moves, f, fresh)?;
        assert!(arrives, "fresh cells lead to the target");
        Ok(())
    }

    /// Divides the search, between two layers. Each shard may hold this many bytes.
    pub(crate) fn divide(
        &self,
        count: usize,
        limits: &Limits,
        most_bytes: u64,
    ) -> Result<Vec<Self>, Limit> {
        let shards = (0..count).map(|index| Self::new(index, count, limits, most_bytes));
        let mut shards: Vec<Self> = shards.collect::<Result<_, _>>()?;
        shards[0].counters = self.counters;
        // By index of a configuration: its owner, and its index there.
        let mut owners = Vec::with_capacity(self.table.entries.len());
        for entry in &self.table.entries {
            let hash = entry.key.hash();
            let owner = owner(hash, count);
            let Self { table, meter, .. } = &mut shards[owner];
            let id = table.find_or_insert(entry.key, hash, meter)?;
            table.entries[id as usize].seen = entry.seen;
            owners.push((owner, id));
        }
        let mut layers = self.layers.iter().peekable();
        for (number, node) in self.nodes.iter().enumerate() {
            while layers.next_if(|&&begin| begin <= number).is_some() {
                shards.iter_mut().for_each(Self::begin_layer);
            }
            let (owner, id) = owners[node.id as usize];
            shards[owner].add_node(id, node.set)?;
        }
        for _ in layers {
            shards.iter_mut().for_each(Self::begin_layer);
        }
        for (slot, deferred) in self.deferred.iter().enumerate() {
            for &WideCells { set, id } in deferred {
                let (owner, id) = owners[id as usize];
                let Self {
                    deferred, meter, ..
                } = &mut shards[owner];
                let deferred = &mut deferred[slot];
                meter.reserve(deferred)?;
                deferred.push(WideCells { set, id });
            }
        }
        Ok(shards)
    }

    /// Begins the next layer: nodes made from now on belong to it.
    pub(crate) fn begin_layer(&mut self) {
        let end = self.nodes.len();
        self.unexpanded = self.layers.last().copied().unwrap_or(end)..end;
        self.layers.push(end);
    }

    /// Makes the helper moves of some nodes of the previous layer.
    fn expand(&mut self, moves: &Moves<W>) -> Result<Step, Limit> {
        if self.unexpanded.is_empty() {
            return Ok(Step::Idle);
        }
        for _ in 0..EXPANSIONS_PER_PIECE / EXPANSION_BATCH {
            for number in self.unexpanded.by_ref().take(EXPANSION_BATCH) {
                if let Some(ahead) = self.nodes.get(number + LIST_AHEAD) {
                    prefetch(&self.table.entries, ahead.id as usize);
                }
                self.counters.expanded += 1;
                let node = &self.nodes[number];
                let key = self.table.entries[node.id as usize].key;
                if let Some((key, goals)) = moves.move_helpers(key, node.set, &mut self.outbox) {
                    self.arrived = Some((key, Some(goals)));
                    break;
                }
            }
            let own_index = self.outbox.index;
            let mut own = std::mem::take(&mut self.outbox.parcels[own_index]);
            self.add_children(&own)?;
            own.clear();
            self.outbox.parcels[own_index] = own;
            if self.arrived.is_some() {
                return Ok(Step::Stop);
            }
        }
        Ok(Step::Worked)
    }

    /// The layer of the node with this configuration and goal-robot cell, counted from the first
    /// layer.
    pub(crate) fn layer_of(&self, key: K, goal: u16) -> Option<u32> {
        let mut latest = self.table.entries[self.table.find(key)? as usize].latest;
        while latest > 0 {
            let number = latest as usize - 1;
            let node = &self.nodes[number];
            if node.set.has(goal) {
                return Some(self.layers.partition_point(|&begin| begin <= number) as u32 - 1);
            }
            latest = node.earlier;
        }
        None
    }
}

/// The work on layer `f`.
pub(crate) struct FillLayer<'a, const W: usize, K> {
    pub(crate) moves: &'a Moves<'a, W>,
    pub(crate) f: u32,
    pub(crate) key: PhantomData<fn(K)>,
}

impl<const W: usize, K: HelperKey> LayerWork for FillLayer<'_, W, K> {
    type Shard = Shard<W, K>;
    type Parcel = WideParcel<W, K>;

    fn outbox<'a>(&self, shard: &'a mut Shard<W, K>) -> &'a mut Outbox<WideParcel<W, K>> {
        &mut shard.outbox
    }

    fn work(&self, shard: &mut Shard<W, K>, phase: Phase) -> Result<Step, Limit> {
        match phase {
            _ if shard.arrived.is_some() => Ok(Step::Stop),
            Phase::Arrive if !shard.deferred[self.f as usize % 3].is_empty() => {
                shard.add_deferred(self.f)?;
                Ok(Step::Worked)
            }
            Phase::Arrive | Phase::Settle => shard.make_nodes(self.moves, self.f),
            Phase::Expand => shard.expand(self.moves),
        }
    }

    fn receive(&self, shard: &mut Shard<W, K>, parcel: &WideParcel<W, K>) -> Result<(), Limit> {
        shard.add_children(parcel)
    }

    /// The meter of a shard checks its limits, so only the outbox has to be counted.
    fn used(&self, shard: &mut Shard<W, K>) -> Result<Used, Limit> {
        let bytes = shard.outbox.bytes();
        if bytes > shard.outbox_bytes {
            // If there are other shards, twice as many bytes are in flight.
            let copies = if shard.outbox.parcels.len() > 1 { 3 } else { 1 };
            shard
                .meter
                .allocate(copies * (bytes - shard.outbox_bytes))?;
            shard.outbox_bytes = bytes;
        }
        Ok(Used::default())
    }

    fn check(&self, _: &Used) -> Result<(), Limit> {
        Ok(())
    }
}
