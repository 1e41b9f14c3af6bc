//! A large zeroed table on huge pages, if the system has them: one page of 2 MiB instead of 512
//! small ones avoids most of the address translation misses of a random access pattern.

use std::ptr::NonNull;

use super::prefetch::prefetch;

/// Zeroed elements.
#[derive(Debug)]
pub(crate) struct Zeroed<T> {
    elements: Vec<T>,
    /// The index at which the table begins, at a multiple of a huge page.
    first: usize,
    len: usize,
}

const HUGE_PAGE: usize = 2 << 20;

impl<T: Copy + Default> Zeroed<T> {
    /// A table that begins at a multiple of a huge page and asks for huge pages.
    pub(crate) fn on_huge_pages(len: usize) -> Self {
        let table = Self::on_small_pages(len);
        advise(table.as_ref());
        table
    }

    /// A table that begins at a multiple of a huge page but does not ask for any.
    pub(crate) fn on_small_pages(len: usize) -> Self {
        // Otherwise no element might lie at a multiple of a huge page.
        const { assert!(size_of::<T>() <= 8 && size_of::<T>().is_power_of_two()) };
        let spare = HUGE_PAGE / size_of::<T>();
        // Zeroed pages come from the system and are not resident until used.
        let elements = vec![T::default(); len + spare];
        let first = elements.as_ptr().align_offset(HUGE_PAGE).min(spare);
        Self {
            elements,
            first,
            len,
        }
    }

    #[inline(always)]
    pub(crate) fn as_ref(&self) -> &[T] {
        &self.elements[self.first..self.first + self.len]
    }

    #[inline(always)]
    pub(crate) fn as_mut(&mut self) -> &mut [T] {
        &mut self.elements[self.first..self.first + self.len]
    }
}

/// The number of words in a cache line.
pub(crate) const LINE: usize = 8;

/// Zeroed cache lines, a fixed number of them, each at a multiple of its size.
#[derive(Debug)]
pub(crate) struct Lines<const LEN: usize> {
    /// Points into `words`, whose buffer never moves.
    lines: NonNull<[[u64; LINE]; LEN]>,
    _words: Zeroed<u64>,
}

// SAFETY: the pointer points to memory that the value owns.
unsafe impl<const LEN: usize> Send for Lines<LEN> {}

impl<const LEN: usize> Lines<LEN> {
    /// The words must come from [`Zeroed`], with room for all lines.
    pub(crate) fn new(mut words: Zeroed<u64>) -> Self {
        let all = words.as_mut();
        assert_eq!(all.len(), LEN * LINE);
        let lines = NonNull::from(all).cast();
        Self {
            lines,
            _words: words,
        }
    }

    /// A line, by its number modulo `LEN`.
    #[inline(always)]
    pub(crate) fn line(&mut self, number: usize) -> &mut [u64; LINE] {
        // SAFETY: the words live as long as `self`, are borrowed with it, and nothing else has
        // access to them; `new` has checked that there are as many as the type says.
        let lines = unsafe { self.lines.as_mut() };
        &mut lines[number % LEN]
    }

    /// Prefetches a line.
    #[inline(always)]
    pub(crate) fn fetch(&self, number: usize) {
        // SAFETY: as above.
        prefetch(unsafe { self.lines.as_ref() }, number % LEN);
    }
}

#[cfg(all(target_os = "linux", not(miri)))]
fn advise<T>(elements: &[T]) {
    // SAFETY: the range is a live allocation; the advice changes how it is backed, not its
    // contents, and a refusal is harmless.
    unsafe {
        libc::madvise(
            elements.as_ptr().cast_mut().cast(),
            size_of_val(elements),
            libc::MADV_HUGEPAGE,
        );
    }
}

#[cfg(not(all(target_os = "linux", not(miri))))]
fn advise<T>(_: &[T]) {}
