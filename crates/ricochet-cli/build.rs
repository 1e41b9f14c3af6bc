//! Build facts for `ricochet --version`. Needs neither a network nor git: the commit is read from the
//! files of the git checkout, or from what cargo wrote into a published crate; elsewhere it is left out.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let variable = |name: &str| env::var(name).unwrap_or_default();
    println!("cargo::rustc-env=BUILD_TARGET={}", variable("TARGET"));
    println!("cargo::rustc-env=BUILD_PROFILE={}", variable("PROFILE"));
    println!("cargo::rustc-env=BUILD_RUSTC={}", rustc_version());
    println!(
        "cargo::rustc-env=BUILD_COMMIT={}",
        commit().unwrap_or_default()
    );
}

/// `rustc 1.95.0`, without the parenthesis.
fn rustc_version() -> String {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").output();
    let text = output
        .ok()
        .and_then(|output| String::from_utf8(output.stdout).ok());
    text.as_deref()
        .and_then(|text| text.split(" (").next())
        .unwrap_or("rustc")
        .trim()
        .to_owned()
}

/// The first ten digits of the commit that was checked out or published.
fn commit() -> Option<String> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR")?);
    if let Ok(published) = fs::read_to_string(root.join(".cargo_vcs_info.json")) {
        let (_, hash) = published.split_once("\"sha1\": \"")?;
        return short(hash);
    }
    // No other folder: further up may be somebody else's repository.
    let git = root.join("../../.git");
    watch(&git.join("HEAD"));
    let head = fs::read_to_string(git.join("HEAD")).ok()?;
    let hash = match head.trim().strip_prefix("ref: ") {
        None => head,
        Some(name) => {
            watch(&git.join(name));
            let loose = fs::read_to_string(git.join(name)).ok();
            loose.or_else(|| packed_ref(&git, name))?
        }
    };
    short(&hash)
}

fn short(hash: &str) -> Option<String> {
    let short = hash.trim().get(..10)?;
    short
        .bytes()
        .all(|b| b.is_ascii_hexdigit())
        .then(|| short.to_owned())
}

fn packed_ref(git: &Path, name: &str) -> Option<String> {
    let text = fs::read_to_string(git.join("packed-refs")).ok()?;
    text.lines().find_map(|line| {
        line.strip_suffix(name)?
            .split_whitespace()
            .next()
            .map(str::to_owned)
    })
}

fn watch(path: &Path) {
    // A path that does not exist would make cargo build again every time.
    if path.exists() {
        println!("cargo::rerun-if-changed={}", path.display());
    }
}
