//! Finds the page to embed. In the repository it is `web/public`; a published crate has a copy in `page`,
//! which is a symbolic link in the repository and does not work in every clone on Windows.
//!
//! The engine for browsers is embedded with the page if it was built: its files come and go without
//! a change of any source file.

use std::path::PathBuf;

fn main() {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let mut page = root.join("../../web/public");
    if !page.is_dir() {
        page = root.join("page");
    }
    println!("cargo::rustc-env=RICOCHET_PAGE={}", page.display());
    // A published crate has no such folder, and cargo would build it again every time.
    if page.join("wasm").is_dir() {
        println!("cargo::rerun-if-changed={}", page.join("wasm").display());
    }
    println!("cargo::rerun-if-changed=build.rs");
}
