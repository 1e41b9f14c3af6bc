//! Finds the page to embed. In the repository it is `web/public`; a published crate has a copy in `page`
//! (`packaging/crates.sh`).
//!
//! The engine for browsers is embedded with the page if it was built: its files come and go without
//! a change of any source file.

use std::path::PathBuf;

fn main() {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    // The copy first: next to a published crate, `web/public` would belong to another project.
    let mut page = root.join("page");
    if !page.is_dir() {
        page = root.join("../../web/public");
    }
    println!("cargo::rustc-env=RICOCHET_PAGE={}", page.display());
    // Only what exists: cargo would build again every time for a path that does not.
    for watched in [root.join("page"), page.join("wasm")] {
        if watched.is_dir() {
            println!("cargo::rerun-if-changed={}", watched.display());
        }
    }
    println!("cargo::rerun-if-changed=build.rs");
}
