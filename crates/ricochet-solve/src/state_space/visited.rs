//! A queue and a hash table in one: states in the order in which they were found, each once,
//! with the move that led there. Breadth-first searches read it from the front.

use ricochet_core::{Board, Cell, Move, State};

use crate::Limit;
use crate::memory::meter::MemoryMeter;
use crate::state_space::{SearchState, unpack_move};

/// A packed state: 64 bits where they suffice, else 128.
pub(crate) trait PackedKey: Copy + Eq {
    fn from_bits(bits: u128) -> Self;
    fn to_bits(self) -> u128;
    fn hash(self) -> u64;
}

/// Spreads the entropy of a key over all bits, the high ones best.
#[inline]
pub(crate) const fn mix(bits: u64) -> u64 {
    let product = (bits ^ bits >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (product ^ product >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

impl PackedKey for u64 {
    fn from_bits(bits: u128) -> Self {
        bits as Self
    }
    fn to_bits(self) -> u128 {
        u128::from(self)
    }
    fn hash(self) -> u64 {
        mix(self)
    }
}

impl PackedKey for u128 {
    fn from_bits(bits: u128) -> Self {
        bits
    }
    fn to_bits(self) -> u128 {
        self
    }
    fn hash(self) -> u64 {
        mix(self as u64 ^ mix((self >> 64) as u64))
    }
}

/// How states of one puzzle are packed: the dense number of each robot's cell, then the axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Packing {
    width: u8,
    robots: u8,
    bits: u8,
    axes: bool,
}

impl Packing {
    pub(crate) fn new(board: &Board, robots: usize, axes: bool) -> Self {
        Self {
            width: board.width() as u8,
            robots: robots as u8,
            bits: (usize::BITS - (board.cell_count() - 1).leading_zeros()) as u8,
            axes,
        }
    }

    /// Whether a `u64` holds every key.
    pub(crate) fn fits_u64(self) -> bool {
        let axes = if self.axes { 2 } else { 0 };
        u32::from(self.robots) * (u32::from(self.bits) + axes) <= 64
    }

    pub(crate) fn pack<K: PackedKey>(self, search_state: SearchState) -> K {
        let mut bits = if self.axes {
            u128::from(search_state.axes)
        } else {
            0
        };
        for cell in search_state.state.cells() {
            let index = u32::from(cell.y) * u32::from(self.width) + u32::from(cell.x);
            bits = bits << self.bits | u128::from(index);
        }
        K::from_bits(bits)
    }

    pub(crate) fn unpack<K: PackedKey>(self, key: K) -> SearchState {
        let mut bits = key.to_bits();
        let mut cells = [Cell::default(); ricochet_core::MAX_ROBOTS];
        let cells = &mut cells[..usize::from(self.robots)];
        for cell in cells.iter_mut().rev() {
            let index = (bits & ((1 << self.bits) - 1)) as u32;
            bits >>= self.bits;
            *cell = Cell::new(
                (index % u32::from(self.width)) as u8,
                (index / u32::from(self.width)) as u8,
            );
        }
        SearchState {
            state: State::new(cells).expect("at most eight robots"),
            axes: bits as u16,
        }
    }
}

/// States in the order of discovery, each once and with a number.
#[derive(Debug)]
pub(crate) struct StateIndex<K> {
    keys: Vec<K>,
    /// Open addressing: 0, or the number of a state plus 1. A power of two, at most 3/4 full.
    slots: Vec<u32>,
}

impl<K: PackedKey> StateIndex<K> {
    const FIRST_SLOTS: usize = 1 << 11;

    pub(crate) fn new(meter: &mut MemoryMeter) -> Result<Self, Limit> {
        Ok(Self {
            keys: Vec::new(),
            slots: meter.zeros(Self::FIRST_SLOTS)?,
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    pub(crate) fn key(&self, number: usize) -> Option<K> {
        self.keys.get(number).copied()
    }

    /// The number of a state that is there.
    pub(crate) fn find(&self, key: K) -> Option<usize> {
        self.probe(key).ok()
    }

    /// Adds a state unless it is there; tells whether it is new.
    pub(crate) fn insert(&mut self, key: K, meter: &mut MemoryMeter) -> Result<bool, Limit> {
        let Err(slot) = self.probe(key) else {
            return Ok(false);
        };
        if self.len() >= u32::MAX as usize - 1 {
            return Err(Limit::Memory); // more than four thousand million: numbers have 32 bits
        }
        meter.reserve(&mut self.keys)?;
        self.keys.push(key);
        self.slots[slot] = self.keys.len() as u32;
        if self.keys.len() * 4 > self.slots.len() * 3 {
            self.double(meter)?;
        }
        Ok(true)
    }

    /// The number of a state, or the free slot where it belongs.
    fn probe(&self, key: K) -> Result<usize, usize> {
        let mut slot = (key.hash() >> 32) as usize & (self.slots.len() - 1);
        loop {
            match self.slots[slot] {
                0 => return Err(slot),
                number if self.keys[number as usize - 1] == key => return Ok(number as usize - 1),
                _ => slot = (slot + 1) & (self.slots.len() - 1),
            }
        }
    }

    /// Twice as many slots; the numbers are put in anew from the list, so the old table goes first.
    #[cold]
    fn double(&mut self, meter: &mut MemoryMeter) -> Result<(), Limit> {
        let size = self.slots.len() * 2;
        let old = std::mem::take(&mut self.slots);
        meter.drop_vec(old);
        self.slots = meter.zeros(size)?;
        for (number, &key) in self.keys.iter().enumerate() {
            if number & 0xffff == 0xffff {
                meter.check()?; // a large table takes a while
            }
            let mut slot = (key.hash() >> 32) as usize & (size - 1);
            while self.slots[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            self.slots[slot] = number as u32 + 1;
        }
        Ok(())
    }
}

/// States in the order of discovery, without duplicates, and how each was found.
#[derive(Debug)]
pub(crate) struct StateQueue<K> {
    index: StateIndex<K>,
    /// Where each came from, and by which move.
    parents: Vec<u32>,
    moves: Vec<u8>,
}

impl<K: PackedKey> StateQueue<K> {
    pub(crate) fn new(meter: &mut MemoryMeter) -> Result<Self, Limit> {
        Ok(Self {
            index: StateIndex::new(meter)?,
            parents: Vec::new(),
            moves: Vec::new(),
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.index.len()
    }

    pub(crate) fn key(&self, number: usize) -> Option<K> {
        self.index.key(number)
    }

    /// The number of a state that is there.
    pub(crate) fn find(&self, key: K) -> Option<usize> {
        self.index.find(key)
    }

    /// Adds a state unless it is there; tells whether it is new.
    pub(crate) fn insert(
        &mut self,
        key: K,
        parent: u32,
        packed_move: u8,
        meter: &mut MemoryMeter,
    ) -> Result<bool, Limit> {
        if !self.index.insert(key, meter)? {
            return Ok(false);
        }
        meter.reserve(&mut self.parents)?;
        meter.reserve(&mut self.moves)?;
        self.parents.push(parent);
        self.moves.push(packed_move);
        Ok(true)
    }

    /// The states on the way from the first to this one, without the first.
    pub(crate) fn way_to(&self, number: usize) -> Vec<K> {
        let mut way = Vec::new();
        let mut at = number;
        while at != 0 {
            way.push(self.index.keys[at]);
            at = self.parents[at] as usize;
        }
        way.reverse();
        way
    }

    /// The moves from the first state to this one.
    pub(crate) fn path_to(&self, number: usize) -> Vec<Move> {
        let mut path = Vec::new();
        let mut at = number;
        while at != 0 {
            path.push(unpack_move(self.moves[at]));
            at = self.parents[at] as usize;
        }
        path.reverse();
        path
    }
}
