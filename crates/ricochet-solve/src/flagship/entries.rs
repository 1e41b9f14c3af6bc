//! What is known of each helper configuration: two sets of goal-robot cells, one cache line.

use crate::lowlevel::pages::{LINE, Lines, Zeroed};

/// Entries of a chunk: one huge page.
const CHUNK: usize = 1 << 15;

/// By number: the goal-robot cells that have been seen with a configuration, and those of them that
/// are fresh: of the layer that is being filled, and in none of its nodes yet. In chunks that never
/// move.
#[derive(Debug, Default)]
pub(crate) struct Entries {
    chunks: Vec<Lines<CHUNK>>,
    len: usize,
}

impl Entries {
    /// Bytes of one entry.
    pub(crate) const EACH: usize = LINE * size_of::<u64>();

    /// How many there are.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Forgets all, and gives back what a search with three helpers cannot need.
    pub(crate) fn clear(&mut self) {
        const MOST_KEPT: usize = super::config::CONFIGS_OF_THREE.div_ceil(CHUNK);
        self.chunks.truncate(MOST_KEPT);
        self.len = 0;
    }

    /// Forgets all, and gives back all but what most searches need.
    pub(crate) fn give_back(&mut self) {
        self.chunks.truncate(1);
        self.len = 0;
    }

    /// Bytes that are held, in use or not.
    #[cfg(test)]
    pub(crate) fn bytes_kept(&self) -> u64 {
        (self.chunks.len() * CHUNK * Self::EACH) as u64
    }

    /// Adds an empty entry.
    #[inline(always)]
    pub(crate) fn push(&mut self) {
        if self.len == self.chunks.len() * CHUNK {
            self.add_chunk();
        }
        *self.line(self.len) = [0; LINE];
        self.len += 1;
    }

    #[cold]
    #[inline(never)]
    fn add_chunk(&mut self) {
        // Most searches do not fill the first chunk: a huge page would be too much for them.
        let words = if self.len == 0 {
            Zeroed::on_small_pages(CHUNK * LINE)
        } else {
            Zeroed::on_huge_pages(CHUNK * LINE)
        };
        self.chunks.push(Lines::new(words));
    }

    #[inline(always)]
    fn line(&mut self, id: usize) -> &mut [u64; LINE] {
        self.chunks[id / CHUNK].line(id)
    }

    /// What has been seen, and what is fresh.
    #[inline(always)]
    pub(crate) fn entry(&mut self, id: u32) -> (&mut [u64; 4], &mut [u64; 4]) {
        let (seen, fresh) = self.line(id as usize).split_at_mut(4);
        (
            seen.first_chunk_mut().expect("four words"),
            fresh.first_chunk_mut().expect("four words"),
        )
    }

    /// Fetches an entry into the cache.
    #[inline(always)]
    pub(crate) fn fetch(&self, id: u32) {
        self.chunks[id as usize / CHUNK].fetch(id as usize);
    }
}
