//! The shortest solutions as a graph without cycles: positions with every robot under its own name,
//! and the moves between them that lead nearer to the goal. Ways through it are solutions.

use crate::Limit;
use crate::state_space::pack_move;
use crate::state_space::visited::{PackedKey, StateIndex};

use super::region::{MAX_MOVES, Region, RegionSearch};

/// Node 0 is the start; children have higher numbers than their parents; nodes without moves are
/// goals.
#[derive(Debug)]
pub(crate) struct Dag {
    /// The moves of node n are those from `first[n]` to `first[n + 1]`.
    first: Vec<u32>,
    /// Packed moves, in ascending order for each node.
    moves: Vec<u8>,
    /// Where they lead.
    to: Vec<u32>,
    /// The number of ways from each node to a goal; `u128::MAX` if there are more.
    ways: Vec<u128>,
    /// The number of moves of every way.
    length: u32,
}

impl Dag {
    /// The graph of a puzzle that is solved already.
    pub(super) fn solved() -> Self {
        Self {
            first: vec![0, 0],
            moves: Vec::new(),
            to: Vec::new(),
            ways: vec![1],
            length: 0,
        }
    }

    /// Follows the marks from the start.
    pub(super) fn new<K: PackedKey>(
        search: &mut RegionSearch<'_>,
        region: &Region<K>,
    ) -> Result<Self, Limit> {
        let mut dag = Self {
            first: Vec::new(),
            moves: Vec::new(),
            to: Vec::new(),
            ways: Vec::new(),
            length: search.length(),
        };
        let mut index = StateIndex::<K>::new(&mut search.meter)?;
        let start = search.game.start();
        index.insert(search.packing.pack(start), &mut search.meter)?;
        let (mut g, mut layer_end) = (0, 1);
        let mut at = 0;
        while let Some(key) = index.key(at) {
            if at == layer_end {
                g += 1;
                layer_end = index.len();
            }
            search.tick()?;
            search.meter.reserve(&mut dag.first)?;
            dag.first.push(dag.moves.len() as u32);
            let (mut found, mut count) = ([(0, K::from_bits(0)); MAX_MOVES], 0);
            if let Some(left) = search.left_after(g) {
                search.each_move(
                    search.packing.unpack(key),
                    left,
                    |robot, direction, next| {
                        if region.is_marked(search.canonical_key(next), g + 1) {
                            found[count] = (pack_move(robot, direction), search.packing.pack(next));
                            count += 1;
                        }
                        true
                    },
                );
            }
            for &(packed_move, next) in &found[..count] {
                index.insert(next, &mut search.meter)?;
                let number = index.find(next).expect("was inserted");
                if dag.moves.len() >= u32::MAX as usize - 1 {
                    return Err(Limit::Memory);
                }
                search.meter.reserve(&mut dag.moves)?;
                search.meter.reserve(&mut dag.to)?;
                dag.moves.push(packed_move);
                dag.to.push(number as u32);
            }
            at += 1;
        }
        search.meter.reserve(&mut dag.first)?;
        dag.first.push(dag.moves.len() as u32);
        dag.ways = search.meter.zeros(index.len())?;
        for node in (0..index.len()).rev() {
            let edges = dag.edges(node);
            dag.ways[node] = if edges.is_empty() {
                1
            } else {
                edges.fold(0, |sum: u128, edge| {
                    sum.saturating_add(dag.ways[dag.child(edge)])
                })
            };
        }
        Ok(dag)
    }

    /// The number of moves of every way from the start to a goal.
    pub(super) fn length(&self) -> u32 {
        self.length
    }

    /// The number of ways from the start.
    pub(super) fn count(&self) -> u128 {
        self.ways[0]
    }

    pub(crate) fn nodes(&self) -> usize {
        self.ways.len()
    }

    /// Bytes that it holds.
    pub(super) fn bytes(&self) -> u64 {
        (self.first.capacity() * 4
            + self.moves.capacity()
            + self.to.capacity() * 4
            + self.ways.capacity() * 16) as u64
    }

    pub(super) fn edge_count(&self) -> usize {
        self.moves.len()
    }

    pub(crate) fn edges(&self, node: usize) -> std::ops::Range<usize> {
        self.first[node] as usize..self.first[node + 1] as usize
    }

    /// The packed move of an edge.
    pub(crate) fn packed_move(&self, edge: usize) -> u8 {
        self.moves[edge]
    }

    pub(crate) fn child(&self, edge: usize) -> usize {
        self.to[edge] as usize
    }

    /// Where a move leads, if it leads nearer to the goal.
    pub(crate) fn step(&self, node: usize, packed_move: u8) -> Option<usize> {
        let edges = self.edges(node);
        let place = self.moves[edges.clone()].binary_search(&packed_move).ok()?;
        Some(self.child(edges.start + place))
    }
}

#[cfg(test)]
mod tests {
    use ricochet_core::notation;

    use super::super::{Preference, all_of_length};
    use crate::Limits;

    /// A graph that contradicts the rules must not lead to a wrong answer.
    #[test]
    fn reported_solutions_are_replayed() {
        let puzzle = notation::parse_line("8x8..00.R77").unwrap();
        let puzzle = puzzle.validate().unwrap();
        let limits = Limits::default();
        let mut all = all_of_length(&puzzle, 2, &limits).unwrap().unwrap();
        all.dag.moves.fill(0);
        let all = std::panic::AssertUnwindSafe(&all);
        let solution =
            std::panic::catch_unwind(|| all.solutions(Preference::Nothing).unwrap().next());
        assert!(solution.is_err(), "RN RN was reported");
        let group = std::panic::catch_unwind(|| all.groups(Preference::Nothing).unwrap().next());
        assert!(group.is_err(), "RN RN was reported");
    }
}
