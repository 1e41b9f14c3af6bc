//! What the allocator does with memory that is freed.

/// From this size on, an allocation is a mapping of its own, which goes back to the system as soon
/// as it is freed. Smaller ones are left to the allocator: they come and go in inner loops.
#[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
const OWN_MAPPING: libc::c_int = 1 << 20;

/// Asks the allocator of this process to return large tables to the system when they are freed.
///
/// GNU's allocator does so at first, but raises the size from which it does with every large table
/// that is freed, up to 32 MiB; what is smaller stays in its heap, in pieces that the next table
/// may not fit into. Setting the size ends the raising. Other allocators are left alone.
pub(crate) fn return_large_tables() {
    #[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
    // SAFETY: these set parameters of the allocator, under the allocator's own lock.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, OWN_MAPPING);
        // What is free at the end of its heap may stay up to this size, so that small tables that
        // come and go do not ask the system each time.
        libc::mallopt(libc::M_TRIM_THRESHOLD, 2 * OWN_MAPPING);
    }
}
