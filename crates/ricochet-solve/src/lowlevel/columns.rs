//! A table that several threads change at the same time, column by column.
//!
//! The table has an element for each set of places ([`Layout`]). A *column* consists of the
//! elements of all sets that contain some fixed members, all but one. A [`Cut`] divides the columns
//! into pieces and the elements into parts, and knows which parts contain the elements of each
//! piece's columns. A thread claims a piece, and while it holds the [`Claim`], no other thread can
//! claim a piece that needs one of the same parts.
//!
//! Looking up the part of each element would make building a tablebase with two threads 30% more
//! expensive; here a whole column is checked at once. Relaxed atomic words would need no unsafe
//! code, but the compiler does not load atomic words as vectors: with them, two threads took 50%
//! more processor time than one (`records/2026-11-16-tablebase`).

use std::cell::Cell;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::combinations::Layout;
use super::prefetch::prefetch;

/// Some columns, and the parts that contain their elements.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    /// Their *other* numbers.
    others: Range<usize>,
    /// The range of places of each fixed member, in ascending order.
    ranges: Vec<Range<u16>>,
    parts: Vec<u16>,
}

impl Piece {
    pub(crate) fn others(&self) -> Range<usize> {
        self.others.clone()
    }

    pub(crate) fn ranges(&self) -> &[Range<u16>] {
        &self.ranges
    }

    /// Whether a column belongs to this piece.
    #[inline(always)]
    fn has(&self, other: usize, fixed: &[u16]) -> bool {
        let mut below = None;
        let mut in_order = self.others.contains(&other) && self.ranges.len() == fixed.len();
        for (member, range) in fixed.iter().zip(&self.ranges) {
            in_order &= range.contains(member) && below.is_none_or(|below| below < member);
            below = Some(member);
        }
        in_order
    }
}

/// A table divided into pieces and parts.
#[derive(Clone, Debug)]
pub(crate) struct Cut<'a> {
    layout: Layout<'a>,
    pieces: Vec<Piece>,
}

impl<'a> Cut<'a> {
    /// The whole table in one piece.
    pub(crate) fn whole(layout: Layout<'a>) -> Self {
        Self::by_others(layout, 1)
    }

    /// Cuts by the *other* number: columns with different ones have no element in common.
    pub(crate) fn by_others(layout: Layout<'a>, pieces: usize) -> Self {
        let pieces = pieces.clamp(1, usize::from(u16::MAX));
        let bound = |i: usize| layout.others() * i / pieces;
        let ranges = vec![0..layout.places() as u16; layout.members() - 1];
        let pieces = (0..pieces).map(|i| Piece {
            others: bound(i)..bound(i + 1),
            ranges: ranges.clone(),
            parts: vec![i as u16],
        });
        Self {
            layout,
            pieces: pieces.collect(),
        }
    }

    /// Cuts by groups of places: the part of a set is the multiset of its members' groups. A piece
    /// has the columns whose fixed members have the same multiset, and needs one part for each
    /// group that may contain the free member.
    ///
    /// # Panics
    /// If there are no groups, or more parts than 65,536 (see [`Cut::most_groups`]).
    pub(crate) fn by_groups(layout: Layout<'a>, groups: usize) -> Self {
        assert!((1..=Self::most_groups(layout.members(), groups)).contains(&groups));
        let bound = |i: usize| (layout.places() * i / groups) as u16;
        let mut pieces = Vec::new();
        for_each_multiset(groups, layout.members() - 1, &mut |multiset| {
            let part = |group: usize| {
                let mut all = multiset.to_vec();
                all.push(group);
                all.sort_unstable();
                multiset_number(&all) as u16
            };
            pieces.push(Piece {
                others: 0..layout.others(),
                ranges: multiset.iter().map(|&g| bound(g)..bound(g + 1)).collect(),
                parts: (0..groups).map(part).collect(),
            });
        });
        Self { layout, pieces }
    }

    /// The largest number of groups, at most `wanted`, for which the parts of sets with this many
    /// members can still be numbered.
    pub(crate) fn most_groups(members: usize, wanted: usize) -> usize {
        let parts = |groups: usize| multiset_number(&vec![groups - 1; members]);
        (1..=wanted)
            .take_while(|&groups| u16::try_from(parts(groups)).is_ok())
            .last()
            .unwrap_or(1)
    }

    pub(crate) fn pieces(&self) -> &[Piece] {
        &self.pieces
    }
}

/// Calls `visit` with all ascending lists of `len` groups.
fn for_each_multiset(groups: usize, len: usize, visit: &mut impl FnMut(&[usize])) {
    let mut list = vec![0; len];
    loop {
        visit(&list);
        let Some(i) = (0..len).rev().find(|&i| list[i] + 1 < groups) else {
            return;
        };
        let next = list[i] + 1;
        list[i..].fill(next);
    }
}

/// The number of an ascending list among all lists of its length: `g + i`, counted from 0, are the
/// members of a set, and sets are numbered as in [`super::combinations`].
fn multiset_number(list: &[usize]) -> usize {
    list.iter()
        .enumerate()
        .map(|(i, &group)| binomial(group + i, i + 1))
        .sum()
}

fn binomial(n: usize, k: usize) -> usize {
    (0..k).fold(1usize, |product, i| {
        product.saturating_mul(n.saturating_sub(i)) / (i + 1)
    })
}

/// A table that is being changed. Its `Debug` output leaves out the elements, since another thread
/// may hold them.
pub(crate) struct SharedColumns<'a, T> {
    elements: &'a [Cell<T>],
    cut: &'a Cut<'a>,
    /// Whether each part is claimed.
    taken: Mutex<Vec<bool>>,
}

// SAFETY: the elements are private, and only a `ColumnEntry`, which a `Column` of a `Claim` lends,
// reads or changes them. A claim makes columns of its piece only. All their elements are in the
// piece's parts: this follows from how `Cut` makes pieces, since an element has one set and one
// other number, and so one part. `SharedColumns::claim` gives a part to no other claim before this
// one is dropped. A claim and the values it lends are not `Sync`, and the lent values are not
// `Send`, so one thread at a time uses them. Taking and dropping a claim both lock the mutex, so a
// thread's stores happen before the loads of the next holder of the part. Elements move between
// threads that way, hence `T: Send`; no reference to an element is ever given out.
unsafe impl<T: Send> Sync for SharedColumns<'_, T> {}

impl<'a, T: Copy> SharedColumns<'a, T> {
    /// # Panics
    /// If the number of elements is not that of the layout.
    pub(crate) fn new(elements: &'a mut [T], cut: &'a Cut<'a>) -> Self {
        assert_eq!(elements.len(), cut.layout.len());
        Self {
            elements: Cell::from_mut(elements).as_slice_of_cells(),
            cut,
            taken: Mutex::new(Vec::new()),
        }
    }

    /// Claims a piece; `None` if a claimed piece has a part in common with it.
    pub(crate) fn claim(&self, piece: usize) -> Option<Claim<'_, T>> {
        let piece = &self.cut.pieces[piece];
        let mut taken = self.taken();
        let parts = || piece.parts.iter().map(|&part| usize::from(part));
        let end = parts().max().map_or(0, |last| last + 1);
        if taken.len() < end {
            taken.resize(end, false);
        }
        if parts().any(|part| taken[part]) {
            return None;
        }
        parts().for_each(|part| taken[part] = true);
        Some(Claim {
            table: self,
            piece,
            one_thread: PhantomData,
        })
    }

    fn taken(&self) -> MutexGuard<'_, Vec<bool>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> std::fmt::Debug for SharedColumns<'_, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SharedColumns")
            .field("len", &self.elements.len())
            .field("taken", &self.taken)
            .finish_non_exhaustive()
    }
}

/// A claimed piece of a [`SharedColumns`]; dropping it releases the piece.
#[derive(Debug)]
pub(crate) struct Claim<'a, T: Copy> {
    table: &'a SharedColumns<'a, T>,
    piece: &'a Piece,
    /// Prevents the use of a claim from two threads at once.
    one_thread: PhantomData<Cell<()>>,
}

impl<T: Copy> Claim<'_, T> {
    /// The column with these fixed members, in ascending order, and this other number.
    ///
    /// # Panics
    /// If it does not belong to the piece.
    #[inline(always)]
    pub(crate) fn column<'a>(&'a self, other: usize, fixed: &'a [u16]) -> Column<'a, T> {
        assert!(self.piece.has(other, fixed), "not of the claimed piece");
        Column {
            elements: self.table.elements,
            layout: self.table.cut.layout,
            other,
            fixed,
        }
    }
}

impl<T: Copy> Drop for Claim<'_, T> {
    fn drop(&mut self) {
        let mut taken = self.table.taken();
        for &part in &self.piece.parts {
            taken[usize::from(part)] = false;
        }
    }
}

/// The elements of all sets that contain some fixed members. It holds plain slices so that the
/// compiler keeps them in registers; behind the claim's reference it would read them again after
/// every store, which made everything 25% slower.
#[derive(Clone, Copy)]
pub(crate) struct Column<'a, T> {
    elements: &'a [Cell<T>],
    layout: Layout<'a>,
    other: usize,
    fixed: &'a [u16],
}

impl<'a, T: Copy> Column<'a, T> {
    /// All places of the free member that have `rank` fixed members below them, each with its
    /// element.
    #[inline(always)]
    pub(crate) fn entries(&self, rank: usize) -> Entries<'a, T> {
        let segment = self.layout.segment(self.other, self.fixed, rank);
        Entries {
            elements: self.elements,
            places: segment.places,
            start: segment.start,
            stride: self.layout.stride(),
            row: self.layout.row(rank),
        }
    }
}

/// See [`Column::entries`]. Written out instead of mapped over a range: a closure is compiled for
/// the instruction set of the code around it only if it is inlined.
pub(crate) struct Entries<'a, T> {
    elements: &'a [Cell<T>],
    places: Range<usize>,
    start: usize,
    stride: usize,
    row: &'a [u64; 257],
}

impl<'a, T: Copy> Iterator for Entries<'a, T> {
    type Item = (usize, ColumnEntry<'a, T>);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let place = self.places.next()?;
        let entry = ColumnEntry {
            elements: self.elements,
            at: self.start + self.stride * self.row[place & 255] as usize,
        };
        Some((place, entry))
    }
}

/// An element of a column.
#[derive(Clone, Copy)]
pub(crate) struct ColumnEntry<'a, T> {
    elements: &'a [Cell<T>],
    at: usize,
}

impl<T: Copy> ColumnEntry<'_, T> {
    /// Its index in the table.
    #[inline(always)]
    pub(crate) fn number(self) -> usize {
        self.at
    }

    #[inline(always)]
    pub(crate) fn load(self) -> T {
        self.elements[self.at].get()
    }

    #[inline(always)]
    pub(crate) fn store(self, value: T) {
        self.elements[self.at].set(value);
    }

    /// Prefetches the next element.
    #[inline(always)]
    pub(crate) fn expect_next(self) {
        prefetch(self.elements, self.at + 1);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::super::combinations::Binomials;
    use super::*;

    /// All columns of a layout: their other numbers and fixed members.
    fn columns(layout: &Layout<'_>) -> Vec<(usize, Vec<u16>)> {
        let mut sets: Vec<Vec<u16>> = vec![Vec::new()];
        for _ in 1..layout.members() {
            let longer = sets.iter().flat_map(|set| {
                let first = set.last().map_or(0, |last| last + 1);
                (first..layout.places() as u16).map(|member| [&set[..], &[member]].concat())
            });
            sets = longer.collect();
        }
        (0..layout.others())
            .flat_map(|other| sets.iter().map(move |set| (other, set.clone())))
            .collect()
    }

    fn for_each_cut(mut check: impl FnMut(&Cut<'_>)) {
        let binomials = Binomials::new();
        let mut layouts = vec![(6, 3, 1, 1), (5, 4, 1, 1), (7, 2, 1, 1), (9, 1, 1, 1)];
        layouts.extend([(5, 2, 1, 6), (5, 2, 3, 6), (4, 3, 6, 6), (2, 3, 1, 1)]);
        for (places, members, stride, others) in layouts {
            let layout = Layout::new(&binomials, places, members, stride, others);
            check(&Cut::whole(layout));
            for pieces in [2, 3, 6] {
                check(&Cut::by_others(layout, pieces));
            }
            for groups in [1, 2, 3, 5] {
                check(&Cut::by_groups(layout, groups));
            }
        }
    }

    /// The safety of this module depends on this property.
    #[test]
    fn pieces_with_an_element_in_common_have_a_part_in_common() {
        for_each_cut(|cut| {
            let mut elements = vec![0u8; cut.layout.len()];
            let table = SharedColumns::new(&mut elements, cut);
            let mut pieces_of: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
            let mut visits = vec![0; cut.layout.len()];
            for (other, fixed) in columns(&cut.layout) {
                let has = |piece: &Piece| piece.has(other, &fixed);
                let holders: Vec<usize> = (0..cut.pieces.len())
                    .filter(|&i| has(&cut.pieces[i]))
                    .collect();
                let [piece] = holders[..] else {
                    panic!("{other} {fixed:?} is in {holders:?}");
                };
                let claim = table.claim(piece).expect("free");
                let column = claim.column(other, &fixed);
                for rank in 0..cut.layout.members() {
                    for (place, entry) in column.entries(rank) {
                        assert!(!fixed.contains(&(place as u16)));
                        visits[entry.number()] += 1;
                        pieces_of.entry(entry.number()).or_default().push(piece);
                    }
                }
            }
            // Each set, without one of its members, gives a column.
            assert!(visits.iter().all(|&n| n == cut.layout.members()));
            for pieces in pieces_of.into_values() {
                for (&a, &b) in pieces
                    .iter()
                    .flat_map(|a| pieces.iter().map(move |b| (a, b)))
                {
                    let common = |part| cut.pieces[b].parts.contains(part);
                    assert!(cut.pieces[a].parts.iter().any(common), "{a} {b}");
                }
            }
        });
    }

    #[test]
    fn a_part_has_one_holder_at_a_time() {
        let binomials = Binomials::new();
        let cut = Cut::by_others(Layout::new(&binomials, 4, 1, 1, 2), 2);
        let mut elements: Vec<u32> = (0..8).collect();
        let table = SharedColumns::new(&mut elements, &cut);
        let first = table.claim(0).expect("free");
        assert!(table.claim(0).is_none());
        let second = table.claim(1).expect("still free");
        for (_, entry) in first.column(0, &[]).entries(0) {
            entry.expect_next();
            entry.store(entry.load() + 10);
        }
        for (place, entry) in second.column(1, &[]).entries(0) {
            entry.store(place as u32);
        }
        drop(first);
        assert!(table.claim(1).is_none());
        assert!(table.claim(0).is_some());
        drop(second);
        assert_eq!(elements, [10, 11, 12, 13, 0, 1, 2, 3]);
    }

    #[test]
    fn columns_of_other_pieces_are_out_of_reach() {
        let binomials = Binomials::new();
        let cut = Cut::by_groups(Layout::new(&binomials, 6, 3, 1, 1), 2);
        let mut elements = vec![0u8; 20];
        let table = SharedColumns::new(&mut elements, &cut);
        // Both fixed members are in the first group: 0, 1 or 2.
        let claim = AssertUnwindSafe(table.claim(0).expect("free"));
        assert_eq!(claim.piece.ranges, [0..3, 0..3]);
        claim.column(0, &[0, 2]);
        let others: [(usize, &[u16]); 6] = [
            (0, &[0, 3]),
            (0, &[2, 1]),
            (0, &[1, 1]),
            (1, &[0, 1]),
            (0, &[0]),
            (0, &[0, 1, 2]),
        ];
        for (other, fixed) in others {
            let claim = &claim;
            let refused = catch_unwind(move || {
                claim.column(other, fixed);
            });
            assert!(refused.is_err(), "{other} {fixed:?}");
        }
    }

    #[test]
    fn a_thread_that_panics_lets_go() {
        let binomials = Binomials::new();
        let cut = Cut::whole(Layout::new(&binomials, 4, 2, 1, 1));
        let mut elements = [0; 6];
        let table = SharedColumns::new(&mut elements, &cut);
        std::thread::scope(|scope| {
            let holder = scope.spawn(|| {
                let claim = table.claim(0).expect("free");
                claim.column(0, &[9]);
            });
            assert!(holder.join().is_err());
        });
        assert!(table.claim(0).is_some());
    }

    /// Without a lock, two threads would lose some of each other's increments.
    #[test]
    fn threads_see_what_the_holder_before_them_stored() {
        const TIMES: u64 = if cfg!(miri) { 20 } else { 20_000 };
        let binomials = Binomials::new();
        let layout = Layout::new(&binomials, 3, 2, 1, 1);
        // One piece for each place of the fixed member; any two of them have a set in common.
        let cut = Cut::by_groups(layout, 3);
        let mut elements = [0u64; 3];
        let table = SharedColumns::new(&mut elements, &cut);
        std::thread::scope(|scope| {
            for piece in 0..3 {
                let table = &table;
                scope.spawn(move || {
                    let mut done = 0;
                    while done < TIMES {
                        let Some(claim) = table.claim(piece) else {
                            std::thread::yield_now();
                            continue;
                        };
                        let fixed = [piece as u16];
                        let column = claim.column(0, &fixed);
                        for rank in 0..2 {
                            for (_, entry) in column.entries(rank) {
                                entry.store(entry.load() + 1);
                            }
                        }
                        done += 1;
                    }
                });
            }
        });
        assert_eq!(elements, [2 * TIMES; 3]);
    }

    #[test]
    fn parts_are_numbered_without_gaps() {
        for (groups, len) in [(1, 3), (6, 1), (6, 2), (5, 3), (4, 4)] {
            let mut numbers = Vec::new();
            for_each_multiset(groups, len, &mut |list| numbers.push(multiset_number(list)));
            numbers.sort_unstable();
            assert_eq!(
                numbers,
                (0..binomial(groups + len - 1, len)).collect::<Vec<_>>()
            );
        }
        for members in 3..=7 {
            let groups = Cut::most_groups(members, 258);
            let last = multiset_number(&vec![groups - 1; members]);
            assert!(groups >= 8 && last <= 65_535, "{groups} {last}");
        }
    }
}
