//! A slice that threads change at the same time, part by part.
//!
//! Every element belongs to a part. A thread claims parts, and while it holds the [`Claim`] nobody
//! else can claim one of them.
//!
//! The type system cannot see which elements belong to the claimed parts, so [`Claim::elements`] is
//! unsafe; `columns` is the one caller. Wherever `Shared` is told the part of each element, which the
//! tests and all builds with debug assertions do, it is looked for at every access. Without debug
//! assertions nothing is looked up: it would make a tablebase by two threads cost 30% more.
//!
//! Relaxed atomic words would need no unsafe code, but the compiler does not load atomic words as
//! vectors: with them two threads took half as much processor time again as one
//! (`records/2026-11-16-tablebase`).
#![allow(unsafe_code)]

use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::prefetch::prefetch;

/// A slice in parts. (Its `Debug` leaves the elements out: they may be somebody else's.)
pub(crate) struct Shared<'a, T> {
    elements: &'a [Cell<T>],
    /// The part of each element, if accesses are to be checked.
    part_of: Option<&'a [u16]>,
    /// Whether somebody holds each part.
    taken: Mutex<Vec<bool>>,
}

// SAFETY: the elements are private, and only `Elements`, which a `Claim` lends, reads or changes
// them. By the contract of `Claim::elements` these are elements of the claim's parts, and
// `Shared::claim` gives a part to nobody else before the claim is dropped. Neither a claim nor its
// `Elements` are `Sync`, so one thread at a time uses them. Both ends of a claim lock the mutex, so
// what a thread stored happens before what the next holder of the part loads. Elements move between
// threads that way, hence `T: Send`; nobody gets a reference to one.
unsafe impl<T: Send> Sync for Shared<'_, T> {}

impl<'a, T: Copy> Shared<'a, T> {
    /// A slice, and the part of each of its elements if accesses are to be checked.
    ///
    /// # Panics
    /// If the two are not of the same length.
    pub(crate) fn new(elements: &'a mut [T], part_of: Option<&'a [u16]>) -> Self {
        let parts = part_of.map_or(elements.len(), <[u16]>::len);
        assert_eq!(elements.len(), parts, "each element has a part");
        Self {
            elements: Cell::from_mut(elements).as_slice_of_cells(),
            part_of,
            taken: Mutex::new(Vec::new()),
        }
    }

    /// All of these parts, or `None` if somebody holds one of them.
    pub(crate) fn claim(&self, parts: &[u16]) -> Option<Claim<'_, T>> {
        let mut taken = self.taken();
        let parts = || parts.iter().map(|&part| usize::from(part));
        let end = parts().max().map_or(0, |last| last + 1);
        if taken.len() < end {
            taken.resize(end, false);
        }
        if parts().any(|part| taken[part]) {
            return None;
        }
        let mut mine = vec![false; end];
        for part in parts() {
            taken[part] = true;
            mine[part] = true;
        }
        Some(Claim {
            shared: self,
            mine,
            one_thread: PhantomData,
        })
    }

    fn taken(&self) -> MutexGuard<'_, Vec<bool>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> std::fmt::Debug for Shared<'_, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared")
            .field("len", &self.elements.len())
            .field("taken", &self.taken)
            .finish_non_exhaustive()
    }
}

/// The parts of a [`Shared`] that somebody holds; dropping it lets go of them.
#[derive(Debug)]
pub(crate) struct Claim<'a, T: Copy> {
    shared: &'a Shared<'a, T>,
    /// Whether each part belongs to the claim; parts behind the end do not.
    mine: Vec<bool>,
    /// Makes it impossible to use a claim from two threads at once.
    one_thread: PhantomData<Cell<()>>,
}

impl<T: Copy> Claim<'_, T> {
    /// The elements.
    ///
    /// # Safety
    /// Only elements of the claimed parts may be loaded or stored.
    pub(super) unsafe fn elements(&self) -> Elements<'_, T> {
        Elements {
            cells: self.shared.elements,
            part_of: self.shared.part_of,
            mine: &self.mine,
        }
    }
}

/// The elements of a [`Claim`]. A value of plain slices, so that the compiler keeps them in
/// registers; behind the claim's reference it would read them again after every store, which made
/// everything a quarter slower.
#[derive(Clone, Copy)]
pub(super) struct Elements<'a, T> {
    cells: &'a [Cell<T>],
    part_of: Option<&'a [u16]>,
    mine: &'a [bool],
}

impl<'a, T: Copy> Elements<'a, T> {
    /// An element of a claimed part.
    ///
    /// # Panics
    /// If there is no such element, and, where that is checked, if its part was not claimed.
    #[inline(always)]
    pub(super) fn load(self, index: usize) -> T {
        self.element(index).get()
    }

    /// Changes an element of a claimed part.
    ///
    /// # Panics
    /// As for [`Elements::load`].
    #[inline(always)]
    pub(super) fn store(self, index: usize, value: T) {
        self.element(index).set(value);
    }

    /// Fetches an element into the cache; it need not exist or belong to the claim.
    #[inline(always)]
    pub(super) fn expect(self, index: usize) {
        prefetch(self.cells, index);
    }

    #[inline(always)]
    fn element(self, index: usize) -> &'a Cell<T> {
        if cfg!(any(test, debug_assertions))
            && let Some(part_of) = self.part_of
        {
            let mine = self.mine.get(usize::from(part_of[index]));
            assert!(mine == Some(&true), "not of a claimed part");
        }
        &self.cells[index]
    }
}

impl<T: Copy> Drop for Claim<'_, T> {
    fn drop(&mut self) {
        let mut taken = self.shared.taken();
        for (taken, _) in taken.iter_mut().zip(&self.mine).filter(|(_, mine)| **mine) {
            *taken = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    /// The elements of a claim, for tests that keep to its parts, or find that they did not: tests
    /// are always told the part of each element.
    fn lent<'a, T: Copy>(claim: &'a Claim<'_, T>) -> Elements<'a, T> {
        assert!(claim.shared.part_of.is_some());
        // SAFETY: every access is checked and panics if it is outside the claim.
        unsafe { claim.elements() }
    }

    #[test]
    fn a_part_has_one_holder_at_a_time() {
        let mut elements = [10, 20, 30];
        let shared = Shared::new(&mut elements, Some(&[0, 1, 0]));
        let first = shared.claim(&[0]).expect("free");
        assert!(shared.claim(&[1, 0]).is_none(), "one of them is taken");
        let second = shared.claim(&[1]).expect("still free");
        let elements_of_first = lent(&first);
        elements_of_first.store(2, elements_of_first.load(0) + 1);
        lent(&second).store(1, 21);
        drop(first);
        assert!(shared.claim(&[1]).is_none());
        assert_eq!(lent(&shared.claim(&[0]).expect("free again")).load(2), 11);
        drop(second);
        assert_eq!(elements, [10, 21, 11]);
    }

    #[test]
    fn elements_of_other_parts_are_out_of_reach() {
        let mut elements = [1, 2, 3];
        let shared = Shared::new(&mut elements, Some(&[0, 1, 2]));
        let claim = shared.claim(&[1]).expect("free");
        let mine = lent(&claim);
        assert_eq!(mine.load(1), 2);
        // Part 0 is below the claimed one, 2 above it; element 3 does not exist.
        for index in [0, 2, 3] {
            mine.expect(index);
            let mine = AssertUnwindSafe(mine);
            assert!(catch_unwind(|| mine.load(index)).is_err(), "{index}");
            assert!(catch_unwind(|| mine.store(index, 9)).is_err(), "{index}");
        }
        drop(claim);
        assert_eq!(elements, [1, 2, 3]);
    }

    #[test]
    fn a_thread_that_panics_lets_go() {
        let mut elements = [0; 2];
        let shared = Shared::new(&mut elements, Some(&[0, 1]));
        std::thread::scope(|scope| {
            let holder = scope.spawn(|| {
                let claim = shared.claim(&[0]).expect("free");
                lent(&claim).load(1)
            });
            assert!(holder.join().is_err());
        });
        assert!(shared.claim(&[0, 1]).is_some());
    }

    /// With a missing lock two threads would lose some of each other's increments.
    #[test]
    fn threads_see_what_the_holder_before_them_stored() {
        const TIMES: u64 = if cfg!(miri) { 20 } else { 20_000 };
        let mut elements = [0u64; 3];
        let shared = Shared::new(&mut elements, Some(&[0, 1, 2]));
        std::thread::scope(|scope| {
            for parts in [[0, 1], [1, 2], [0, 2]] {
                let shared = &shared;
                scope.spawn(move || {
                    let mut done = 0;
                    while done < TIMES {
                        let Some(claim) = shared.claim(&parts) else {
                            std::thread::yield_now();
                            continue;
                        };
                        for part in parts {
                            let index = usize::from(part);
                            let mine = lent(&claim);
                            mine.store(index, mine.load(index) + 1);
                        }
                        done += 1;
                    }
                });
            }
        });
        assert_eq!(elements, [2 * TIMES; 3]);
    }
}
