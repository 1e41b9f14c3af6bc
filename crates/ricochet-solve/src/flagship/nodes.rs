//! The nodes of a search, in chunks that never move.

/// A helper configuration with the goal-robot cells that are new to it in one layer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// The goal-robot cells.
    pub(crate) set: [u64; 4],
    /// The helpers, see [`super::config`].
    pub(crate) key: u32,
    /// One more than the number of the same configuration's node in an earlier layer; 0 if none.
    pub(crate) earlier: u32,
}

/// A list in chunks of doubling size: growing copies nothing, and memory that is not yet used is
/// not yet resident. Emptying it keeps the chunks.
#[derive(Debug)]
pub(crate) struct Nodes {
    chunks: Vec<Vec<Node>>,
    len: usize,
}

const FIRST_LOG: u32 = 8;

/// The chunk that holds an element, and where in it. Chunks have the sizes 2⁸, 2⁸, 2⁹, 2¹⁰ …
#[inline(always)]
fn place(index: usize) -> (usize, usize) {
    let log = (index | 1 << (FIRST_LOG - 1)).ilog2();
    if log < FIRST_LOG {
        (0, index)
    } else {
        ((log - FIRST_LOG + 1) as usize, index - (1 << log))
    }
}

impl Nodes {
    /// The most nodes that a search may have.
    pub(crate) const MOST: usize = u32::MAX as usize - 1;

    pub(crate) const fn new() -> Self {
        Self {
            chunks: Vec::new(),
            len: 0,
        }
    }

    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Bytes in use.
    #[inline(always)]
    pub(crate) fn bytes(&self) -> u64 {
        (self.len * size_of::<Node>()) as u64
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, node: Node) {
        let (chunk, at) = place(self.len);
        if at == 0 {
            self.add_chunk(chunk);
        }
        self.chunks[chunk].push(node);
        self.len += 1;
    }

    #[cold]
    fn add_chunk(&mut self, chunk: usize) {
        if chunk == self.chunks.len() {
            let log = FIRST_LOG + (chunk as u32).saturating_sub(1);
            self.chunks.push(Vec::with_capacity(1 << log));
        }
    }

    #[inline(always)]
    pub(crate) fn get(&self, index: usize) -> &Node {
        let (chunk, at) = place(index);
        &self.chunks[chunk][at]
    }

    #[inline(always)]
    pub(crate) fn get_mut(&mut self, index: usize) -> &mut Node {
        let (chunk, at) = place(index);
        &mut self.chunks[chunk][at]
    }

    /// Forgets the nodes, keeps the memory.
    pub(crate) fn clear(&mut self) {
        for chunk in &mut self.chunks {
            chunk.clear();
        }
        self.len = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_found_where_they_were_put_also_after_clearing() {
        let mut nodes = Nodes::new();
        for round in 0..3 {
            for key in 0..5000 {
                nodes.push(Node {
                    set: [0; 4],
                    key: key + round,
                    earlier: 0,
                });
            }
            for index in 0..5000 {
                assert_eq!(nodes.get(index).key, index as u32 + round);
            }
            assert_eq!(nodes.len(), 5000);
            nodes.clear();
        }
        assert_eq!(nodes.chunks.len(), 6, "the same chunks served every round");
    }
}
