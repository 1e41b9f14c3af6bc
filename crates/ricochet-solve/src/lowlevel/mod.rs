//! Bits, vectors and memory: the only module with unsafe code, and with code for particular
//! processors.
//!
//! Everything that this module exports is safe to use. The solvers that use it are plain Rust;
//! nothing here depends on them.
//!
//! | file | what |
//! |---|---|
//! | `instructions` | instruction sets as values: holding one proves that the processor has it |
//! | `set`, `portable`, `avx2`, `simd128` | sets of 256 cells, with the slides of a whole set at once |
//! | `set256` | sets of 256 cells in another order, for the tablebase |
//! | `bytes` | byte-wise minima of sixteen bytes |
//! | `prefetch`, `pages` | prefetching, and memory on huge pages |
//! | `allocator` | returning large tables to the system when they are freed |
//! | `combinations`, `columns` | numbering sets, and a table of them that threads change column by column |
//!
//! # Adding an instruction set
//!
//! One that has to be detected (AVX-512) needs a type next to [`Avx2`](instructions::Avx2) in
//! `instructions`, made from the list of its features, a variant of
//! [`Instructions`](instructions::Instructions), and a file like `avx2` with its [`Set`](set::Set).
//! One that is enabled at compile time (WebAssembly's `simd128`; Neon on aarch64) is a type that
//! can be constructed freely, under `cfg(target_feature = …)`; for such a target `bytes` should
//! also have an implementation. The tests of `set` compare each one with the portable code.
//! Instruction sets that these tests do not run on are compared by their searches, as
//! `web/tests/site/wasm.test.mjs` does for WebAssembly.

// Code that works on sets is compiled once for each instruction set. That requires that the whole
// inner loop is inlined into the function that may use the instructions.
#![allow(clippy::inline_always)]
#![allow(unsafe_code)]

pub(crate) mod allocator;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
pub(crate) mod bytes;
pub(crate) mod columns;
pub(crate) mod combinations;
pub(crate) mod instructions;
pub(crate) mod pages;
pub(crate) mod portable;
pub(crate) mod prefetch;
pub(crate) mod set;
pub(crate) mod set256;
#[cfg(test)]
pub(crate) mod side_by_side;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) mod simd128;
pub(crate) mod word_set;

#[cfg(test)]
mod tests {
    use std::path::Path;

    /// The compiler denies unsafe code unless a module allows it; this finds the modules that do.
    #[test]
    #[cfg_attr(miri, ignore = "reads the sources")]
    fn unsafe_code_is_allowed_here_alone() {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lowlevel");
        // Functions that JavaScript calls have to take pointers.
        let host = crates.join("ricochet-wasm/src/host.rs");
        let mut directories = vec![crates.to_owned()];
        let mut files = 0;
        while let Some(directory) = directories.pop() {
            for entry in directory.read_dir().unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
                    directories.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    files += 1;
                    let text = std::fs::read_to_string(&path).unwrap();
                    let allowed = text.contains(concat!("(unsafe", "_code)"));
                    let may = path.starts_with(&here) || path == host;
                    assert!(!allowed || may, "{}", path.display());
                }
            }
        }
        assert!(files > 100);
    }
}
