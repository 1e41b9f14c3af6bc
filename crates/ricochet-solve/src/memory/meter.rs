//! What one call of a solver may still spend: time, nodes and bytes, counted before they are spent.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, Hash};

use crate::{Limit, Limits, Meter};

/// The meter, and what the solver holds. Growing a table needs the old and the new one at once, so
/// room for both is asked for first.
#[derive(Debug)]
pub(crate) struct Budget {
    meter: Meter,
    held: u64,
    peak: u64,
    limit: u64,
}

impl Budget {
    /// Starts the clock; nothing is held yet.
    pub(crate) fn start(limits: &Limits) -> Self {
        let meter = Meter::start(limits);
        let limit = meter.memory_limit();
        Self {
            meter,
            held: 0,
            peak: 0,
            limit,
        }
    }

    /// The clock.
    pub(crate) fn meter(&self) -> &Meter {
        &self.meter
    }

    /// Most bytes held at once.
    pub(crate) fn peak(&self) -> u64 {
        self.peak
    }

    /// To be called once a node: looks at the number of nodes always, at the clock sometimes.
    #[inline]
    pub(crate) fn tick(&mut self, nodes: u64) -> Result<(), Limit> {
        self.meter.tick(nodes, self.held)
    }

    /// Takes bytes, or says that the limit forbids it: then nothing is taken.
    pub(crate) fn take(&mut self, bytes: u64) -> Result<(), Limit> {
        let held = self.held.saturating_add(bytes);
        if held > self.limit {
            return Err(Limit::Memory);
        }
        self.held = held;
        self.peak = self.peak.max(held);
        Ok(())
    }

    /// Gives bytes back.
    pub(crate) fn give(&mut self, bytes: u64) {
        self.held -= bytes;
    }

    /// Makes room for one more element, by half as much again if there is none.
    #[inline]
    pub(crate) fn make_room<T>(&mut self, vec: &mut Vec<T>) -> Result<(), Limit> {
        if vec.len() < vec.capacity() {
            return Ok(());
        }
        self.grow(vec, (vec.capacity() / 2).max(1024))
    }

    /// Makes room for `more` elements; old and new allocation are held at once.
    #[cold]
    fn grow<T>(&mut self, vec: &mut Vec<T>, more: usize) -> Result<(), Limit> {
        let old = bytes_of::<T>(vec.capacity());
        self.take(bytes_of::<T>(vec.len() + more))?;
        vec.reserve_exact(more);
        self.give(old);
        Ok(())
    }

    /// Makes room for one more entry of a map; old and new table are held at once.
    #[inline]
    pub(crate) fn make_room_in_map<K: Eq + Hash, V, S: BuildHasher>(
        &mut self,
        map: &mut HashMap<K, V, S>,
    ) -> Result<(), Limit> {
        if map.len() < map.capacity() {
            return Ok(());
        }
        let old = table_bytes::<(K, V)>(map.capacity());
        self.take(table_bytes::<(K, V)>(map.capacity() + 1))?;
        map.reserve(1);
        self.give(old);
        Ok(())
    }

    /// Makes room for one more member of a set; old and new table are held at once.
    #[inline]
    pub(crate) fn make_room_in_set<K: Eq + Hash, S: BuildHasher>(
        &mut self,
        set: &mut HashSet<K, S>,
    ) -> Result<(), Limit> {
        if set.len() < set.capacity() {
            return Ok(());
        }
        let old = table_bytes::<K>(set.capacity());
        self.take(table_bytes::<K>(set.capacity() + 1))?;
        set.reserve(1);
        self.give(old);
        Ok(())
    }

    /// A vector of `len` default values.
    pub(crate) fn zeros<T: Clone + Default>(&mut self, len: usize) -> Result<Vec<T>, Limit> {
        self.take(bytes_of::<T>(len))?;
        Ok(vec![T::default(); len])
    }

    /// Drops a vector that was counted here.
    pub(crate) fn drop_vec<T>(&mut self, vec: Vec<T>) {
        self.give(bytes_of::<T>(vec.capacity()));
        drop(vec);
    }
}

const fn bytes_of<T>(elements: usize) -> u64 {
    (elements * size_of::<T>()) as u64
}

/// What the standard library's hash table takes that has room for so many entries: a power of two of
/// buckets, of which seven in eight are used, each with a byte of its own.
fn table_bytes<T>(capacity: usize) -> u64 {
    match capacity {
        0 => 0,
        1..4 => 4 * (size_of::<T>() as u64 + 1) + 16,
        _ => {
            let buckets = (capacity as u64 * 8).div_ceil(7).next_power_of_two();
            buckets * (size_of::<T>() as u64 + 1) + 16
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_taken_beyond_the_limit() {
        let mut budget = Budget::start(&Limits {
            memory: Some(8 * (1024 + 2048)),
            ..Limits::default()
        });
        let mut numbers: Vec<u64> = Vec::new();
        let refused = loop {
            if let Err(limit) = budget.make_room(&mut numbers) {
                break limit;
            }
            numbers.push(0);
        };
        // 1024 fit, then old and new, 1024 + 2048; the next step would need 2048 + 3072.
        assert_eq!(refused, Limit::Memory);
        assert_eq!(numbers.len(), 2048);
        assert_eq!(budget.peak(), 8 * (1024 + 2048));
    }

    #[test]
    fn the_tables_of_maps_are_counted() {
        let mut budget = Budget::start(&Limits {
            memory: Some(1 << 20),
            ..Limits::default()
        });
        let mut map: HashMap<u64, u64> = HashMap::new();
        let refused = loop {
            if let Err(limit) = budget.make_room_in_map(&mut map) {
                break limit;
            }
            map.insert(map.len() as u64, 0);
        };
        assert_eq!(refused, Limit::Memory);
        // 17 bytes for each of 32,768 buckets, of which seven in eight are used; twice as many and
        // the old ones would be more than a mebibyte.
        assert_eq!(map.len(), 28_672);
        assert_eq!(budget.peak(), 17 * (32_768 + 16_384) + 32);
    }
}
