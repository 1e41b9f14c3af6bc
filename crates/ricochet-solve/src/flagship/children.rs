//! Children that are being made.

use super::nodes::Child;

/// No node makes more children than this in one layer: one for each of 16 helper moves, and one for
/// each goal-robot cell that stops a helper on one of at most 15 cells of its way.
pub(crate) const MOST_CHILDREN: usize = 16 + 16 * 15;

/// A list with room for the children of one more node: whether there is one to add need not be known
/// before it is written.
#[derive(Debug, Default)]
pub(crate) struct Children {
    list: Vec<Child>,
    len: usize,
}

impl Children {
    /// Makes room for the children of one node.
    #[inline(always)]
    pub(crate) fn begin_node(&mut self) {
        // One more, for those that are written and not wanted.
        if self.list.len() <= self.len + MOST_CHILDREN {
            self.grow();
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        let room = 2 * (self.len + MOST_CHILDREN);
        self.list.resize(room, Child::default());
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, child: Child) {
        self.push_if(true, child);
    }

    /// Adds a child, or does not; without a branch.
    #[inline(always)]
    pub(crate) fn push_if(&mut self, wanted: bool, child: Child) {
        self.list[self.len] = child;
        self.len += usize::from(wanted);
    }

    /// All that have been made.
    #[inline(always)]
    pub(crate) fn made(&self) -> &[Child] {
        &self.list[..self.len]
    }

    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn has_room_for_the_children_of_any_number_of_nodes() {
        let mut children = Children::default();
        let child = |key| Child { goals: [7; 4], key };
        for node in 0..5 {
            children.begin_node();
            for key in 0..MOST_CHILDREN as u32 {
                children.push_if(key % 3 == 0, child(node));
                children.push_if(false, child(9));
            }
        }
        let keys = children.made().iter().map(|child| child.key);
        let each = MOST_CHILDREN.div_ceil(3);
        assert!(keys.eq((0..5).flat_map(|node| vec![node; each])));
        children.clear();
        assert!(children.made().is_empty());
    }
}
