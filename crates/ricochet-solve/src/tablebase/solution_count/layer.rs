//! The states at one distance that shortest solutions pass, and in how many ways.

use std::cell::RefCell;
use std::ops::{Deref, DerefMut};

use super::CloserMove;
use super::moves::{Cells, Ends, MoveSet};

/// A state on a shortest way.
#[derive(Clone, Copy, Debug)]
pub(super) struct PathNode {
    pub(super) ends: Ends,
    pub(super) cells: Cells,
    /// Moves that are known not to come closer.
    pub(super) not_best: MoveSet,
    pub(super) configuration: u32,
}

/// States at one distance.
#[derive(Debug, Default)]
pub(super) struct PathLayer {
    nodes: Vec<PathNode>,
    /// In how many ways each of them is reached.
    ways: Vec<u128>,
    /// A hash table with the place of each node, and the round that wrote it: entries of older
    /// rounds count as empty, so that nothing has to be cleared.
    table: Vec<(u32, u32)>,
    round: u32,
}

/// Entries of a new hash table.
const FIRST_TABLE: usize = 64;

impl PathLayer {
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.ways.clear();
        self.round = self.round.wrapping_add(1);
        if self.round == 0 || self.table.is_empty() {
            self.forget(self.table.len().max(FIRST_TABLE));
        }
    }

    fn forget(&mut self, size: usize) {
        self.table.clear();
        self.table.resize(size, (0, 0));
        self.round = 1;
    }

    #[inline(always)]
    pub(super) fn iter(&self) -> impl Iterator<Item = (&PathNode, u128)> {
        self.nodes.iter().zip(self.ways.iter().copied())
    }

    /// Adds a node that is never looked up.
    pub(super) fn push(&mut self, node: PathNode, ways: u128) {
        self.nodes.push(node);
        self.ways.push(ways);
    }

    /// The place of a configuration and lead, or where in the hash table it belongs.
    #[inline(always)]
    pub(super) fn find(&self, configuration: u32, lead: u8) -> Result<usize, usize> {
        let mask = self.table.len() - 1;
        let mut at = hash(configuration, lead) & mask;
        loop {
            let (round, place) = self.table[at];
            if round != self.round {
                return Err(at);
            }
            let node = &self.nodes[place as usize];
            if node.configuration == configuration && node.cells.get(0) == lead {
                return Ok(place as usize);
            }
            at = (at + 1) & mask;
        }
    }

    /// Adds ways to a node that was found.
    #[inline(always)]
    pub(super) fn add(&mut self, place: usize, cells: Cells, not_best: MoveSet, ways: u128) {
        self.ways[place] = self.ways[place].saturating_add(ways);
        let node = &mut self.nodes[place];
        // If equal helpers are the other way round, so are their moves.
        if node.cells == cells {
            node.not_best |= not_best;
        }
    }

    /// Adds a node that was not found.
    #[inline(always)]
    pub(super) fn insert(&mut self, free: usize, node: PathNode, ways: u128) {
        self.table[free] = (self.round, self.nodes.len() as u32);
        self.push(node, ways);
        if self.nodes.len() * 2 > self.table.len() {
            self.grow();
        }
    }

    #[cold]
    fn grow(&mut self) {
        self.forget(self.table.len() * 4);
        for place in 0..self.nodes.len() {
            let node = &self.nodes[place];
            if let Err(free) = self.find(node.configuration, node.cells.get(0)) {
                self.table[free] = (self.round, place as u32);
            }
        }
    }
}

#[inline(always)]
fn hash(configuration: u32, lead: u8) -> usize {
    let key = u64::from(configuration) << 8 | u64::from(lead);
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize
}

/// What a walk needs. It is kept from one to the next, so that most take no memory.
#[derive(Debug, Default)]
pub(super) struct Buffers {
    pub(super) layer: PathLayer,
    pub(super) next: PathLayer,
    pub(super) found: Vec<CloserMove>,
}

thread_local! {
    static KEPT: RefCell<Option<Box<Buffers>>> = const { RefCell::new(None) };
}

/// Buffers that go back to where they are kept.
pub(super) struct BuffersGuard(Option<Box<Buffers>>);

impl Buffers {
    pub(super) fn borrow() -> BuffersGuard {
        BuffersGuard(Some(KEPT.take().unwrap_or_default()))
    }
}

impl Deref for BuffersGuard {
    type Target = Buffers;

    fn deref(&self) -> &Buffers {
        self.0.as_ref().expect("there until it is dropped")
    }
}

impl DerefMut for BuffersGuard {
    fn deref_mut(&mut self) -> &mut Buffers {
        self.0.as_mut().expect("there until it is dropped")
    }
}

impl Drop for BuffersGuard {
    fn drop(&mut self) {
        // A thread that is ending keeps nothing.
        let _ = KEPT.try_with(|kept| kept.replace(self.0.take()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(configuration: u32, lead: u8, helper: u8) -> PathNode {
        let mut cells = Cells::default();
        cells.set(0, lead);
        cells.set(1, helper);
        PathNode {
            ends: Ends::default(),
            cells,
            not_best: 1,
            configuration,
        }
    }

    fn add(layer: &mut PathLayer, node: PathNode, ways: u128) {
        match layer.find(node.configuration, node.cells.get(0)) {
            Ok(place) => layer.add(place, node.cells, node.not_best, ways),
            Err(free) => layer.insert(free, node, ways),
        }
    }

    #[test]
    fn a_layer_adds_up_whatever_its_size_and_round() {
        let mut layer = PathLayer::default();
        for round in 0..3 {
            layer.clear();
            for i in (0..500).chain(0..500).chain(100..150) {
                // Some differ only in the lead.
                add(&mut layer, node(i / 2 * 7 + round, (i % 2) as u8, 0), 2);
            }
            assert_eq!(layer.iter().count(), 500);
            for (i, (node, ways)) in layer.iter().enumerate() {
                let expected = if (100..150).contains(&i) { 6 } else { 4 };
                let number = i as u32 / 2 * 7 + round;
                assert_eq!((node.configuration, ways), (number, expected));
            }
        }
        add(&mut layer, node(2, 0, 0), u128::MAX);
        assert_eq!(layer.iter().next().unwrap().1, u128::MAX, "does not wrap");
        layer.round = u32::MAX;
        layer.clear();
        assert!(layer.find(2, 0).is_err(), "nothing is left over");
    }

    #[test]
    fn what_is_known_of_moves_is_shared_only_by_equal_cells() {
        let mut layer = PathLayer::default();
        layer.clear();
        let known = |layer: &PathLayer| layer.iter().next().unwrap().0.not_best;
        add(&mut layer, node(5, 1, 2), 1);
        add(
            &mut layer,
            PathNode {
                not_best: 2,
                ..node(5, 1, 2)
            },
            1,
        );
        assert_eq!(known(&layer), 3);
        add(
            &mut layer,
            PathNode {
                not_best: 4,
                ..node(5, 1, 3)
            },
            1,
        );
        assert_eq!(known(&layer), 3, "helpers the other way round");
    }
}
