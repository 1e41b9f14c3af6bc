//! The interface to JavaScript: the only unsafe code of this crate, compiled for WebAssembly alone.
//!
//! | export | what |
//! |---|---|
//! | `alloc(length)` | allocates memory for a request; 0 if there is none |
//! | `ask(request, length, memory_mib, seed)` | answers the request at that address, and frees it |
//!
//! | import (module `host`) | what |
//! |---|---|
//! | `say(text, length)` | receives a message as JSON: progress, the answer, an error |
//! | `now()` | milliseconds since any fixed moment |
//! | `short_of_memory()` | an allocation failed |
//! | `panicked(text, length)` | a panic, before the trap that follows |
//!
//! The memory is imported as well, so that the host decides how large it may grow. Panics and failed
//! allocations end in a trap, after which the host makes a new instance; after `short_of_memory` it
//! repeats the request with a lower limit, which then is an answer.

#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::RefCell;
use std::hint::black_box;
use std::sync::Once;

use crate::{Engine, Settings};

mod import {
    #[link(wasm_import_module = "host")]
    unsafe extern "C" {
        pub(super) safe fn now() -> f64;
        pub(super) safe fn short_of_memory();
        pub(super) fn say(text: *const u8, length: usize);
        pub(super) fn panicked(text: *const u8, length: usize);
    }
}

thread_local! {
    static ENGINE: RefCell<Engine> = RefCell::default();
}

/// Memory for a request of this many bytes; null if there is none.
#[unsafe(no_mangle)]
extern "C" fn alloc(length: usize) -> *mut u8 {
    let mut bytes: Vec<u8> = Vec::new();
    if bytes.try_reserve_exact(length.max(1)).is_err() {
        return std::ptr::null_mut();
    }
    bytes.resize(length, 0);
    Box::into_raw(bytes.into_boxed_slice()).cast()
}

/// Answers the request that was written to the memory.
///
/// # Safety
/// `request` and `length` are those of one call of `alloc` that was not null, and are used once.
#[unsafe(no_mangle)]
unsafe extern "C" fn ask(request: *mut u8, length: usize, memory_mib: u32, seed: u32) {
    static READY: Once = Once::new();
    READY.call_once(|| {
        ricochet_solve::set_clock(|| import::now());
        std::panic::set_hook(Box::new(|panic| {
            let text = panic.to_string();
            // SAFETY: the text lives until the call is over, and the host only reads it.
            unsafe { import::panicked(text.as_ptr(), text.len()) };
        }));
    });
    let slice = std::ptr::slice_from_raw_parts_mut(request, length);
    // SAFETY: `alloc` made a box of this length and gave it away; the caller gives it back.
    let request = unsafe { Box::from_raw(slice) };
    let settings = Settings { memory_mib, seed };
    ENGINE.with_borrow_mut(|engine| {
        engine.reply(&String::from_utf8_lossy(&request), settings, |message| {
            // SAFETY: the message lives until the call is over, and the host only reads it.
            unsafe { import::say(message.as_ptr(), message.len()) };
        });
    });
}

/// The standard allocator; reports failed allocations to the host.
///
/// It hides addresses from the optimiser (`black_box`) before they go back to the standard allocator.
/// Link-time optimisation inlines that one into the code that frees a vector of zeros. The compiler knows
/// that everything there is zero and takes the allocator's own word in front of it for zero as well.
struct ReportingAllocator;

#[global_allocator]
static ALLOCATOR: ReportingAllocator = ReportingAllocator;

/// Passes an allocation on, and reports if it failed.
fn reported(memory: *mut u8) -> *mut u8 {
    if memory.is_null() {
        import::short_of_memory();
    }
    memory
}

// SAFETY: the standard allocator does everything, and its results are passed on unchanged.
unsafe impl GlobalAlloc for ReportingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of the same function.
        reported(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        reported(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        reported(unsafe { System.realloc(black_box(memory), layout, size) })
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(black_box(memory), layout) };
    }
}
