//! Numbering sets, and the elements of a table that has some for each set.
//!
//! Sets are numbered by the combinatorial number system: the members `a < b < c` have the number
//! `C(a,1) + C(b,2) + C(c,3)`.

use std::ops::Range;

/// The most members of a set.
pub(crate) const MAX_MEMBERS: usize = 7;

/// The most places that members can have.
pub(crate) const MAX_PLACES: usize = 256;

/// `C(n, k)` for all `k` and `n` that are needed; `u64::MAX` if it does not fit into 64 bits.
#[derive(Clone, Debug)]
pub(crate) struct Binomials(Box<[[u64; MAX_PLACES + 1]]>);

impl Binomials {
    pub(crate) fn new() -> Self {
        let mut table = vec![[0u64; MAX_PLACES + 1]; MAX_MEMBERS + 1];
        table[0] = [1; MAX_PLACES + 1];
        for k in 1..=MAX_MEMBERS {
            for n in 1..=MAX_PLACES {
                table[k][n] = table[k][n - 1].saturating_add(table[k - 1][n - 1]);
            }
        }
        Self(table.into())
    }

    /// `C(n, k)` for all `n`.
    #[inline(always)]
    pub(crate) fn row(&self, k: usize) -> &[u64; MAX_PLACES + 1] {
        &self.0[k]
    }
}

/// The layout of a table that has an element for each set of a given size and each of some *other*
/// numbers: the element of a set with number `n` is `other mod stride + stride · (n + sets · (other
/// div stride))`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout<'a> {
    binomials: &'a Binomials,
    places: usize,
    members: usize,
    stride: usize,
    others: usize,
    /// The number of sets.
    sets: usize,
}

/// A run of elements: one member of the set takes each of `places`, `k - 1` other members are below
/// it, and the element is `start + stride · C(place, k)`.
#[derive(Clone, Debug)]
pub(crate) struct Segment {
    pub(crate) places: Range<usize>,
    pub(crate) start: usize,
}

impl<'a> Layout<'a> {
    /// # Panics
    /// If sets have no member or more than [`MAX_MEMBERS`], if there are more than
    /// [`MAX_PLACES`], if `stride` does not divide `others`, or if there are over `u32::MAX`
    /// elements.
    pub(crate) fn new(
        binomials: &'a Binomials,
        places: usize,
        members: usize,
        stride: usize,
        others: usize,
    ) -> Self {
        assert!((1..=MAX_MEMBERS).contains(&members) && places <= MAX_PLACES);
        assert!(others == 0 || others.is_multiple_of(stride));
        let sets = binomials.row(members)[places];
        let elements = sets.saturating_mul(others as u64);
        assert!(u32::try_from(elements).is_ok(), "too many elements");
        Self {
            binomials,
            places,
            members,
            stride,
            others,
            sets: sets as usize,
        }
    }

    /// The number of elements.
    pub(crate) fn len(&self) -> usize {
        self.sets * self.others
    }

    pub(crate) fn places(&self) -> usize {
        self.places
    }

    pub(crate) fn members(&self) -> usize {
        self.members
    }

    pub(crate) fn others(&self) -> usize {
        self.others
    }

    pub(crate) fn stride(&self) -> usize {
        self.stride
    }

    /// `C(place, rank + 1)` by place: what a member with `rank` members below it adds to a set's
    /// number.
    #[inline(always)]
    pub(crate) fn row(&self, rank: usize) -> &'a [u64; MAX_PLACES + 1] {
        self.binomials.row(rank + 1)
    }

    /// The elements of the sets that contain all of the fixed members (ascending, all but one of
    /// the set's members) and in which `rank` of them are below the free one.
    #[inline(always)]
    pub(crate) fn segment(&self, other: usize, fixed: &[u16], rank: usize) -> Segment {
        let from = rank.checked_sub(1).map_or(0, |i| usize::from(fixed[i]) + 1);
        let to = fixed
            .get(rank)
            .map_or(self.places, |&member| usize::from(member));
        let number: usize = fixed
            .iter()
            .enumerate()
            .map(|(i, &member)| {
                let rank = if i < rank { i } else { i + 1 };
                self.row(rank)[usize::from(member)] as usize
            })
            .sum();
        let (above, below) = (other / self.stride, other % self.stride);
        Segment {
            places: from..to,
            start: below + self.stride * (number + self.sets * above),
        }
    }
}
