//! [`MemoryMeter`]: watches the limits of one search and accounts for its tables.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, Hash};
use std::time::Duration;

use crate::{Limit, Limits, Meter, Stats};

/// A [`Meter`] that also counts the bytes a search holds, before they are allocated.
///
/// Growing a table needs the old and the new one at once, so both are counted.
#[derive(Debug)]
pub(crate) struct MemoryMeter {
    meter: Meter,
    held: u64,
    peak: u64,
    limit: u64,
}

impl MemoryMeter {
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

    /// Time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.meter.elapsed()
    }

    /// Checks the clock and the cancel switch now.
    pub(crate) fn check(&self) -> Result<(), Limit> {
        self.meter.check()
    }

    /// See [`Meter::check_nodes`].
    pub(crate) fn check_nodes(&self, nodes: u64) -> Result<u64, Limit> {
        self.meter.check_nodes(nodes)
    }

    /// Completes the statistics of a finished search.
    pub(crate) fn finish(&self, stats: Stats) -> Stats {
        Stats {
            peak_bytes: self.peak,
            time: self.elapsed(),
            ..stats
        }
    }

    /// Bytes held now.
    pub(crate) fn held(&self) -> u64 {
        self.held
    }

    /// Sets how many bytes may be held from now on, and measures the peak anew.
    pub(crate) fn restart(&mut self, limit: u64) {
        self.limit = limit;
        self.peak = self.held;
    }

    /// Most bytes held at once.
    pub(crate) fn peak(&self) -> u64 {
        self.peak
    }

    /// Called once per node: checks the number of nodes always, the clock now and then.
    #[inline]
    pub(crate) fn tick(&mut self, nodes: u64) -> Result<(), Limit> {
        self.meter.tick(nodes, self.held)
    }

    /// Counts bytes as held, unless that would exceed the limit.
    pub(crate) fn allocate(&mut self, bytes: u64) -> Result<(), Limit> {
        let held = self.held.saturating_add(bytes);
        if held > self.limit {
            return Err(Limit::Memory);
        }
        self.held = held;
        self.peak = self.peak.max(held);
        Ok(())
    }

    /// Counts bytes as freed.
    pub(crate) fn free(&mut self, bytes: u64) {
        self.held -= bytes;
    }

    /// Reserves one more element; a full vector grows by half.
    #[inline]
    pub(crate) fn reserve<T>(&mut self, vec: &mut Vec<T>) -> Result<(), Limit> {
        if vec.len() < vec.capacity() {
            return Ok(());
        }
        self.grow(vec, (vec.capacity() / 2).max(1024))
    }

    /// Reserves `more` elements.
    #[cold]
    fn grow<T>(&mut self, vec: &mut Vec<T>, more: usize) -> Result<(), Limit> {
        let old = bytes_of::<T>(vec.capacity());
        self.allocate(bytes_of::<T>(vec.len() + more))?;
        vec.reserve_exact(more);
        self.free(old);
        Ok(())
    }

    /// Reserves one more entry of a map.
    pub(crate) fn reserve_in_map<K: Eq + Hash, V, S: BuildHasher>(
        &mut self,
        map: &mut HashMap<K, V, S>,
    ) -> Result<(), Limit> {
        if map.len() < map.capacity() {
            return Ok(());
        }
        let old = table_bytes::<(K, V)>(map.capacity());
        self.allocate(table_bytes::<(K, V)>(map.capacity() + 1))?;
        map.reserve(1);
        self.free(old);
        Ok(())
    }

    /// Reserves one more member of a set.
    #[inline]
    pub(crate) fn reserve_in_set<K: Eq + Hash, S: BuildHasher>(
        &mut self,
        set: &mut HashSet<K, S>,
    ) -> Result<(), Limit> {
        if set.len() < set.capacity() {
            return Ok(());
        }
        let old = table_bytes::<K>(set.capacity());
        self.allocate(table_bytes::<K>(set.capacity() + 1))?;
        set.reserve(1);
        self.free(old);
        Ok(())
    }

    /// Allocates a vector of `len` default values.
    pub(crate) fn zeros<T: Clone + Default>(&mut self, len: usize) -> Result<Vec<T>, Limit> {
        self.allocate(bytes_of::<T>(len))?;
        Ok(vec![T::default(); len])
    }

    /// Drops a vector whose capacity was counted here.
    pub(crate) fn drop_vec<T>(&mut self, vec: Vec<T>) {
        self.free(bytes_of::<T>(vec.capacity()));
        drop(vec);
    }
}

const fn bytes_of<T>(elements: usize) -> u64 {
    (elements * size_of::<T>()) as u64
}

/// Bytes of the standard library's hash table with a given capacity: a power of two of buckets, of
/// which seven in eight are used, each with a control byte.
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
        let mut meter = MemoryMeter::start(&Limits {
            memory: Some(8 * (1024 + 2048)),
            ..Limits::default()
        });
        let mut numbers: Vec<u64> = Vec::new();
        let refused = loop {
            if let Err(limit) = meter.reserve(&mut numbers) {
                break limit;
            }
            numbers.push(0);
        };
        // 1024 fit, then old and new, 1024 + 2048; the next step would need 2048 + 3072.
        assert_eq!(refused, Limit::Memory);
        assert_eq!(numbers.len(), 2048);
        assert_eq!(meter.peak(), 8 * (1024 + 2048));
    }

    #[test]
    fn the_tables_of_sets_are_counted() {
        let mut meter = MemoryMeter::start(&Limits {
            memory: Some(1 << 20),
            ..Limits::default()
        });
        let mut set: HashSet<u64> = HashSet::new();
        let refused = loop {
            if let Err(limit) = meter.reserve_in_set(&mut set) {
                break limit;
            }
            set.insert(set.len() as u64);
        };
        assert_eq!(refused, Limit::Memory);
        // 9 bytes for each of 65,536 buckets, of which seven in eight are used; twice as many and
        // the old ones would be more than a mebibyte.
        assert_eq!(set.len(), 57_344);
        assert_eq!(meter.peak(), 9 * (65_536 + 32_768) + 32);
    }
}
