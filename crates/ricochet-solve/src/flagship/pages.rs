//! A large zeroed table on huge pages where the system has them: one page of 2 MiB instead of 512
//! small ones saves most of the address translation misses of a random access pattern.
#![allow(unsafe_code)]

/// Zeroed elements.
#[derive(Debug)]
pub(crate) struct Zeroed<T> {
    elements: Vec<T>,
    /// The table begins here, at a multiple of a huge page.
    first: usize,
    len: usize,
}

const HUGE_PAGE: usize = 2 << 20;

impl<T: Copy + Default> Zeroed<T> {
    /// `T` must not be larger than the alignment that an allocator gives anyway, or no element
    /// would lie at a multiple of a huge page.
    pub(crate) fn new(len: usize) -> Self {
        const { assert!(size_of::<T>() <= 8 && size_of::<T>().is_power_of_two()) };
        let spare = HUGE_PAGE / size_of::<T>();
        // Zeroed pages come from the system and are not resident until used.
        let elements = vec![T::default(); len + spare];
        let first = elements.as_ptr().align_offset(HUGE_PAGE).min(spare);
        let table = Self {
            elements,
            first,
            len,
        };
        advise(table.as_ref());
        table
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

#[cfg(target_os = "linux")]
fn advise<T>(elements: &[T]) {
    // SAFETY: the range is a live allocation; the advice changes how it is backed, not what it
    // holds, and a refusal is harmless.
    unsafe {
        libc::madvise(
            elements.as_ptr().cast_mut().cast(),
            size_of_val(elements),
            libc::MADV_HUGEPAGE,
        );
    }
}

#[cfg(not(target_os = "linux"))]
fn advise<T>(_: &[T]) {}
