//! Every relative link of every Markdown file leads to a file.

use std::fs;
use std::path::{Path, PathBuf};

/// The Markdown files of a directory and of those in it.
fn markdown(directory: &Path, found: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(directory).expect("a directory");
    for path in entries.map(|entry| entry.expect("readable").path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_unknown_format =
            ["target", "node_modules"].contains(&&*name) || name.starts_with('.');
        if path.is_dir() && !is_unknown_format {
            markdown(&path, found);
        } else if name.ends_with(".md") {
            found.push(path);
        }
    }
}

/// What stands in the parentheses of `[text](address)`, outside code.
fn addresses(text: &str) -> Vec<&str> {
    let mut inside_code = false;
    let mut found = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            inside_code = !inside_code;
        }
        if !inside_code {
            let after = line.split("](").skip(1);
            found.extend(after.filter_map(|rest| rest.split(')').next()));
        }
    }
    found
}

#[test]
fn relative_links_lead_to_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    markdown(&root, &mut files);
    assert!(files.len() > 20, "{files:?}");
    let mut broken = Vec::new();
    for file in &files {
        let text = fs::read_to_string(file).expect("UTF-8");
        let folder = file.parent().expect("in a directory");
        for address in addresses(&text) {
            let path = address.split('#').next().unwrap_or_default();
            let is_elsewhere = path.contains("://") || path.starts_with("mailto:");
            if !path.is_empty() && !is_elsewhere && !folder.join(path).exists() {
                broken.push(format!("{}: {address}", file.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
