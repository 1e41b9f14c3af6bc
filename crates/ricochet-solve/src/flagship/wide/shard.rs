//! The configurations that one thread owns, with their nodes.
//!
//! Goal-robot moves do not change the configuration, so only helper moves lead to other shards.

use super::children::{Children, Parcel};
use super::helpers::HelperKey;
use super::moves::Moves;
use super::table::WideTable;
use crate::Limit;
use crate::lowlevel::prefetch::prefetch;
use crate::lowlevel::word_set::WordSet;
use crate::memory::meter::MemoryMeter;

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
pub(crate) const NODES_AT_ONCE: usize = 16;

/// While a child is added, the slot of the child this many places further on is prefetched.
const SLOTS_AHEAD: usize = 32;

/// While a child is added, the entry of the child this many places further on is prefetched.
const ENTRIES_AHEAD: usize = 16;

/// The prefetch distance for lists of configurations that already have entries.
const LIST_AHEAD: usize = 8;

/// The counters of a shard.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counters {
    /// Children added.
    pub(crate) generated: u64,
    /// Duplicates among them.
    pub(crate) hits: u64,
    /// Nodes expanded.
    pub(crate) expanded: u64,
}

/// How a shard counts children against the limit of the search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tally {
    /// Children made before, and by other searches.
    pub(crate) before: u64,
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
    pub(crate) later: [Vec<WideCells<W>>; 3],
    pub(crate) counters: Counters,
    pub(crate) tally: Tally,
}

impl<const W: usize, K: HelperKey> Shard<W, K> {
    pub(crate) fn new(meter: &mut MemoryMeter) -> Result<Self, Limit> {
        Ok(Self {
            table: WideTable::new(meter)?,
            nodes: Vec::new(),
            layers: Vec::new(),
            touched: Vec::new(),
            later: Default::default(),
            counters: Counters::default(),
            tally: Tally {
                before: 0,
                shards: 1,
            },
        })
    }

    /// The number of nodes.
    pub(crate) fn stored(&self) -> usize {
        self.nodes.len()
    }

    /// Whether no state is left: nothing new in the last two layers, and nothing deferred.
    pub(crate) fn has_ended(&self) -> bool {
        let last_two = self.layers.get(self.layers.len().saturating_sub(2));
        last_two == Some(&self.nodes.len()) && self.later.iter().all(Vec::is_empty)
    }

    /// Adds a node for a configuration.
    pub(crate) fn add_node(
        &mut self,
        id: u32,
        set: WordSet<W>,
        meter: &mut MemoryMeter,
    ) -> Result<(), Limit> {
        meter.reserve(&mut self.nodes)?;
        let latest = &mut self.table.entries[id as usize].latest;
        let earlier = std::mem::replace(latest, self.nodes.len() as u32 + 1);
        self.nodes.push(WideNode { set, id, earlier });
        Ok(())
    }

    /// Adds children to the layer that is being filled.
    pub(crate) fn add_children(
        &mut self,
        parcel: &Parcel<W, K>,
        meter: &mut MemoryMeter,
    ) -> Result<(), Limit> {
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
            let id = self.table.find_or_insert(child.key, child.hash, meter)?;
            self.add(id, parcel.set_of(child), meter)?;
        }
        Ok(())
    }

    /// Adds a single child.
    pub(crate) fn add_child(
        &mut self,
        key: K,
        goals: &WordSet<W>,
        meter: &mut MemoryMeter,
    ) -> Result<u32, Limit> {
        let id = self.table.find_or_insert(key, key.hash(), meter)?;
        self.add(id, goals, meter)?;
        Ok(id)
    }

    /// Adds the goal-robot moves that were deferred to this layer.
    pub(crate) fn add_later(&mut self, f: u32, meter: &mut MemoryMeter) -> Result<(), Limit> {
        let mut later = std::mem::take(&mut self.later[f as usize % 3]);
        for (i, child) in later.iter().enumerate() {
            if let Some(ahead) = later.get(i + LIST_AHEAD) {
                self.table.fetch(ahead.id);
            }
            self.add(child.id, &child.set, meter)?;
        }
        later.clear();
        self.later[f as usize % 3] = later;
        Ok(())
    }

    #[inline]
    fn add(&mut self, id: u32, goals: &WordSet<W>, meter: &mut MemoryMeter) -> Result<(), Limit> {
        self.counters.generated += 1;
        self.tick(meter)?;
        let entry = &mut self.table.entries[id as usize];
        let new = goals.without(&entry.seen);
        if new.is_empty() {
            self.counters.hits += 1;
            return Ok(());
        }
        entry.seen.add(&new);
        match entry.touched as usize {
            0 => {
                entry.touched = self.touched.len() as u32 + 1;
                meter.reserve(&mut self.touched)?;
                self.touched.push(WideCells { set: new, id });
            }
            place => self.touched[place - 1].set.add(&new),
        }
        Ok(())
    }

    #[inline]
    fn tick(&self, meter: &mut MemoryMeter) -> Result<(), Limit> {
        meter.tick(self.tally.before + self.tally.shards * self.counters.generated)
    }

    /// Makes the nodes of up to `most` touched configurations, the latest first, with their
    /// lowering goal-robot moves; the other goal-robot moves are deferred. Stops at the first node
    /// that has the target and returns the index of its configuration.
    pub(crate) fn make_nodes(
        &mut self,
        moves: &Moves<W>,
        f: u32,
        most: usize,
        meter: &mut MemoryMeter,
    ) -> Result<Option<u32>, Limit> {
        for _ in 0..most {
            let Some(touched) = self.touched.pop() else {
                break;
            };
            if let Some(ahead) = self.touched.len().checked_sub(LIST_AHEAD) {
                self.table.fetch(self.touched[ahead].id);
            }
            if self.make_node(moves, f, touched, meter)? {
                return Ok(Some(touched.id));
            }
        }
        Ok(None)
    }

    /// Makes the node of a touched configuration. True if it has the target.
    pub(crate) fn make_node(
        &mut self,
        moves: &Moves<W>,
        f: u32,
        touched: WideCells<W>,
        meter: &mut MemoryMeter,
    ) -> Result<bool, Limit> {
        self.tick(meter)?;
        let WideCells { set: fresh, id } = touched;
        let entry = &mut self.table.entries[id as usize];
        entry.touched = 0;
        let cells = moves.helpers.cells(entry.key);
        let made = moves.move_goal_robot(&cells, fresh, &mut entry.seen);
        self.add_node(id, made.all, meter)?;
        for (raised, set) in [(1, made.same), (2, made.higher)] {
            if !set.is_empty() {
                let later = &mut self.later[(f as usize + raised) % 3];
                meter.reserve(later)?;
                later.push(WideCells { set, id });
            }
        }
        Ok(made.all.has(moves.target))
    }

    /// Makes the node of a configuration that was added a short while ago and from which lowering
    /// moves are known to lead to the target. If its cells had been seen in an earlier layer, they
    /// would have led there then, so it has fresh cells.
    pub(crate) fn arrive(
        &mut self,
        moves: &Moves<W>,
        f: u32,
        key: K,
        meter: &mut MemoryMeter,
    ) -> Result<(), Limit> {
        let id = self.table.find(key).expect("it was added");
        let place = self.table.entries[id as usize].touched;
        let fresh = self.touched[place as usize - 1];
        let arrives = self.make_node(moves, f, fresh, meter)?;
        assert!(arrives, "fresh cells lead to the target");
        Ok(())
    }

    /// Divides the search into one shard per meter, between two layers.
    pub(crate) fn divide(&self, meters: &mut [MemoryMeter]) -> Result<Vec<Self>, Limit> {
        let mut shards = Vec::new();
        for meter in &mut *meters {
            shards.push(Self::new(meter)?);
        }
        // By index of a configuration: its owner, and its index there.
        let mut places = Vec::with_capacity(self.table.entries.len());
        for entry in &self.table.entries {
            let hash = entry.key.hash();
            let owner = Children::<W, K>::owner(hash, shards.len());
            let table = &mut shards[owner].table;
            let id = table.find_or_insert(entry.key, hash, &mut meters[owner])?;
            table.entries[id as usize].seen = entry.seen;
            places.push((owner, id));
        }
        let mut layers = self.layers.iter().peekable();
        for (number, node) in self.nodes.iter().enumerate() {
            while layers.next_if(|&&begin| begin <= number).is_some() {
                shards.iter_mut().for_each(Self::begin_layer);
            }
            let (owner, id) = places[node.id as usize];
            shards[owner].add_node(id, node.set, &mut meters[owner])?;
        }
        for _ in layers {
            shards.iter_mut().for_each(Self::begin_layer);
        }
        for (slot, later) in self.later.iter().enumerate() {
            for &WideCells { set, id } in later {
                let (owner, id) = places[id as usize];
                let later = &mut shards[owner].later[slot];
                meters[owner].reserve(later)?;
                later.push(WideCells { set, id });
            }
        }
        Ok(shards)
    }

    /// Frees all memory.
    pub(crate) fn drop_with(self, meter: &mut MemoryMeter) {
        self.table.drop_with(meter);
        meter.drop_vec(self.nodes);
        meter.drop_vec(self.touched);
        self.later
            .into_iter()
            .for_each(|later| meter.drop_vec(later));
    }

    /// Begins the next layer: nodes made from now on belong to it.
    pub(crate) fn begin_layer(&mut self) {
        self.layers.push(self.nodes.len());
    }

    /// Makes the helper moves of a node. If one leads to the target, it is the last one made, and
    /// the configuration and cells after it are returned.
    pub(crate) fn move_helpers(
        &mut self,
        number: usize,
        moves: &Moves<W>,
        children: &mut Children<W, K>,
    ) -> Option<(K, WordSet<W>)> {
        if let Some(ahead) = self.nodes.get(number + LIST_AHEAD) {
            prefetch(&self.table.entries, ahead.id as usize);
        }
        self.counters.expanded += 1;
        let node = &self.nodes[number];
        let key = self.table.entries[node.id as usize].key;
        moves.move_helpers(key, node.set, children)
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
