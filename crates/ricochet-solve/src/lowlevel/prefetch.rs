//! Prefetching memory into the cache.

/// Fetches `slice[index]` into the cache; does nothing if there is no such element or if the
/// processor has no such instruction.
#[inline(always)]
pub(crate) fn prefetch<T>(slice: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(element) = slice.get(index) {
        // SAFETY: SSE is part of x86_64, and prefetching has no effect that a program can see.
        unsafe {
            std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(
                std::ptr::from_ref(element).cast(),
            );
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (slice, index);
}
