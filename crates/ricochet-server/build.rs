//! The engine for browsers is embedded with the page if it was built: its files come and go without
//! a change of any source file.

fn main() {
    println!("cargo::rerun-if-changed=../../web/public/wasm");
    println!("cargo::rerun-if-changed=build.rs");
}
