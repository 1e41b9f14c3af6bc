//! Collects what the lab needs at compile time: the embedded corpora and the facts of the build.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    // A published crate has a copy (`packaging/crates.sh`). It comes first: next to a published crate,
    // `../../corpus` would belong to another project.
    let mut corpus = root.join("corpus");
    if !corpus.is_dir() {
        corpus = root.join("../../corpus");
    }
    println!("cargo::rustc-env=RICOCHET_CORPUS={}", corpus.display());
    println!("cargo::rerun-if-changed={}", corpus.display());
    let mut files = Vec::new();
    collect(&corpus, &corpus, &mut files);
    files.sort();
    let mut code = String::from(
        "/// Name and text of every embedded corpus.\npub(crate) const EMBEDDED: &[(&str, &str)] = &[\n",
    );
    for (name, path) in &files {
        println!("cargo::rerun-if-changed={path}");
        writeln!(code, "    ({name:?}, include_str!({path:?})),").expect("a string grows");
    }
    code.push_str("];\n");
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join("embedded.rs"), code).expect("the build directory can be written");

    fact("RICOCHET_RUSTC", &rustc_version());
    fact("RICOCHET_TARGET", &variable("TARGET"));
    fact("RICOCHET_PROFILE", &variable("PROFILE"));
    fact("RICOCHET_OPT_LEVEL", &variable("OPT_LEVEL"));
    fact(
        "RICOCHET_TARGET_FEATURES",
        &variable("CARGO_CFG_TARGET_FEATURE"),
    );
}

fn fact(name: &str, value: &str) {
    println!("cargo::rustc-env={name}={value}");
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| "unknown".to_owned())
}

fn rustc_version() -> String {
    Command::new(variable("RUSTC"))
        .arg("--version")
        .output()
        .ok()
        .and_then(|output| String::from_utf8(output.stdout).ok())
        .map_or_else(|| "unknown".to_owned(), |text| text.trim().to_owned())
}

/// Every `.jsonl` file below `directory`, named by its path from `root` without extension.
fn collect(root: &Path, directory: &Path, files: &mut Vec<(String, String)>) {
    let Ok(entries) = fs::read_dir(directory) else {
        return;
    };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            collect(root, &path, files);
        } else if path.extension().is_some_and(|ending| ending == "jsonl") {
            let relative = path.strip_prefix(root).expect("it lies below");
            let name = relative
                .with_extension("")
                .to_string_lossy()
                .replace('\\', "/");
            files.push((name, path.to_string_lossy().into_owned()));
        }
    }
}
