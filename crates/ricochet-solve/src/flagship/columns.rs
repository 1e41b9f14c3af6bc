//! The part of a shared table that a tablebase's job works on, one rest after the other.
//!
//! A *column* are the configurations that contain a rest: the elements that moving its free helper
//! touches. Safe code gets at elements of a [`Claim`](super::shared::Claim) only this way. It cannot
//! choose an index: the rests come from the running job, and their configurations from the rests.
#![allow(unsafe_code)]

use std::ops::Range;

use super::shared::Elements;
use crate::tablebase::codes::Codes;
use crate::tablebase::rests::{Rest, Walk};
use crate::tablebase::schedule::Running;
use crate::tablebase::space::Space;

/// All columns of a running job.
pub(crate) struct Columns<'a> {
    walk: Walk<'a>,
    elements: Elements<'a, Codes>,
    space: &'a Space,
    class: usize,
}

impl<'a> Columns<'a> {
    pub(crate) fn of(running: &'a Running<'_>) -> Self {
        let (space, job) = (running.space(), running.job());
        Self {
            walk: job.walk(space),
            // SAFETY: a claim's elements may be used only for indices of its parts. They leave this
            // file as an `Entry` only, which `Column::each` makes for configurations that contain a
            // rest of the running job. The schedule that made the `Running` claimed for a job all
            // parts that such configurations belong to; nobody else can make a `Running` or change
            // its job, its claim or the space that numbers the configurations. (The test
            // `jobs_stay_in_their_parts` looks at all of them on boards of all kinds, and builds
            // with debug assertions look at every access.)
            elements: unsafe { running.claim().elements() },
            space,
            class: job.class,
        }
    }

    /// The next column. (Not an iterator: the column is lent.)
    #[inline(always)]
    pub(crate) fn next(&mut self) -> Option<Column<'_>> {
        let rest = self.walk.next()?;
        Some(Column {
            rest,
            elements: self.elements,
            space: self.space,
            class: self.class,
        })
    }
}

/// The configurations that contain a rest.
pub(crate) struct Column<'a> {
    rest: &'a Rest,
    elements: Elements<'a, Codes>,
    space: &'a Space,
    class: usize,
}

impl<'a> Column<'a> {
    pub(crate) fn rest(&self) -> &'a Rest {
        self.rest
    }

    /// All places of the free helper where it has a rank in its class, with what the table has
    /// there.
    #[inline(always)]
    pub(crate) fn entries(&self, rank: usize) -> Entries<'a> {
        let segment = self.rest.segment(self.space, self.class, rank);
        Entries {
            elements: self.elements,
            places: segment.places,
            start: segment.start,
            stride: self.space.classes()[self.class].stride,
            row: self.space.binomial_row(segment.rank + 1),
        }
    }
}

/// See [`Column::entries`]. (Written out rather than mapped over a range: closures are not compiled
/// for the processor that the code around them is, unless they are inlined.)
pub(crate) struct Entries<'a> {
    elements: Elements<'a, Codes>,
    places: Range<usize>,
    start: usize,
    stride: usize,
    row: &'a [u64; 257],
}

impl<'a> Iterator for Entries<'a> {
    type Item = (usize, Entry<'a>);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let place = self.places.next()?;
        let entry = Entry {
            elements: self.elements,
            at: self.start + self.stride * self.row[place & 255] as usize,
        };
        Some((place, entry))
    }
}

/// A configuration of a column.
#[derive(Clone, Copy)]
pub(crate) struct Entry<'a> {
    elements: Elements<'a, Codes>,
    at: usize,
}

impl Entry<'_> {
    /// Its number.
    #[inline(always)]
    pub(crate) fn configuration(self) -> usize {
        self.at
    }

    #[inline(always)]
    pub(crate) fn load(self) -> Codes {
        self.elements.load(self.at)
    }

    #[inline(always)]
    pub(crate) fn store(self, codes: Codes) {
        self.elements.store(self.at, codes);
    }

    /// Fetches the one that has the next number into the cache.
    #[inline(always)]
    pub(crate) fn expect_next(self) {
        self.elements.expect(self.at + 1);
    }
}
