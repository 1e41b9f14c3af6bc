//! How the allocator treats freed memory.

/// Allocations of at least this size get their own mapping, which goes back to the system as soon
/// as it is freed. Smaller ones are left to the allocator, because inner loops make and free them
/// often.
#[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
const OWN_MAPPING: libc::c_int = 1 << 20;

/// Asks the allocator of this process to return large tables to the system when they are freed.
///
/// GNU's allocator starts with a low threshold for this, but raises it with every large table that
/// is freed, up to 32 MiB. Anything smaller stays in its heap, in pieces that the next table may
/// not fit into. Setting the threshold stops it from being raised. Other allocators are not
/// changed.
pub(crate) fn return_large_tables() {
    #[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
    // SAFETY: these set parameters of the allocator, under the allocator's own lock.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, OWN_MAPPING);
        // Up to this much free memory may stay at the end of the heap, so that allocating and
        // freeing small tables does not call the system each time.
        libc::mallopt(libc::M_TRIM_THRESHOLD, 2 * OWN_MAPPING);
    }
}
