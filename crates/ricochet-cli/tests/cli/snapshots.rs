//! The output of every command, and the console blocks of the READMEs and the guide, are compared with
//! what the program prints.
//!
//! To accept an intended change, run `TRYCMD=overwrite cargo test -p ricochet-cli --test cli`, read
//! the difference, and replace times with `[..]`. The READMEs and the guide show real times, which the
//! comparison ignores, so edit them by hand.

use std::path::Path;

#[test]
fn commands_print_what_is_written_down() {
    // Some commands name files relative to the root of the repository.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::env::set_current_dir(root).expect("the root of the workspace exists");
    let copies = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pages");
    std::fs::create_dir_all(&copies).expect("a folder for the copies");
    for page in [
        "README.md",
        "crates/ricochet-cli/README.md",
        "docs/guide/command-line.md",
    ] {
        let text = std::fs::read_to_string(page).expect("the page exists");
        let copy = copies.join(page.replace('/', "-"));
        std::fs::write(copy, without_times(&text)).expect("the copy can be written");
    }
    trycmd::TestCases::new()
        .env("NO_COLOR", "1")
        .env("LC_ALL", "C.UTF-8")
        .case("crates/ricochet-cli/tests/cmd/*.trycmd")
        .case(copies.join("*.md"));
}

/// The text with `[..]` for every time. Columns of a table with times are as wide as the times, so
/// the space between them goes as well.
fn without_times(text: &str) -> String {
    let paragraphs = text.split("\n\n").map(|paragraph| {
        let elided: Vec<String> = paragraph.lines().map(without_times_in_line).collect();
        let is_table = |line: &String| line.contains("  [..]");
        if !elided.iter().any(is_table) {
            return elided.join("\n");
        }
        let squeezed = elided.iter().map(|line| {
            let columns = line.split("  ").map(str::trim);
            let columns = columns.filter(|column| !column.is_empty() && *column != "[..]");
            columns.collect::<Vec<_>>().join("[..]")
        });
        squeezed.collect::<Vec<_>>().join("\n")
    });
    paragraphs.collect::<Vec<_>>().join("\n\n") + "\n"
}

fn without_times_in_line(line: &str) -> String {
    const MICROS: &str = "\"micros\":";
    if let Some((before, after)) = line.split_once(MICROS) {
        let rest = after.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        return format!("{before}{MICROS}[..]{rest}");
    }
    let mut kept: Vec<String> = Vec::new();
    for word in line.split(' ') {
        let unit = word.trim_end_matches(',');
        let is_unit = ["ns", "µs", "ms", "s", "min"].contains(&unit);
        match kept.last_mut() {
            Some(number) if is_unit && number.parse::<f64>().is_ok() => {
                *number = format!("[..]{}", &word[unit.len()..]);
            }
            _ => kept.push(word.to_owned()),
        }
    }
    kept.join(" ")
}

#[test]
fn times_and_nothing_else_are_left_out() {
    assert_eq!(
        without_times_in_line("flagship took 119 µs, 1 node"),
        "flagship took [..], 1 node"
    );
    assert_eq!(
        without_times_in_line(r#"{"nodes":62,"micros":12.5}"#),
        r#"{"nodes":62,"micros":[..]}"#
    );
    assert_eq!(
        without_times_in_line("4 moves, optimal"),
        "4 moves, optimal"
    );
    assert_eq!(
        without_times("name      time  nodes\nnaive   498 µs    466\n\na  b"),
        "name[..]time[..]nodes\nnaive[..]466\n\na  b\n"
    );
}
