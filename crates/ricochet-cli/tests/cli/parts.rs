//! Results in parts: `--shard` and `merge`, from end to end.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn ricochet(directory: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ricochet"))
        .args(arguments)
        .current_dir(directory)
        .env("NO_COLOR", "1")
        .output()
        .expect("the command runs")
}

fn done(directory: &Path, arguments: &[&str]) -> Output {
    let output = ricochet(directory, arguments);
    assert!(output.status.success(), "{}", said(&output));
    output
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Rows without the time of a search, which is another each time.
fn timeless(text: &str) -> Vec<String> {
    text.lines()
        .map(|line| {
            let mut row: serde_json::Value = serde_json::from_str(line).expect("JSON");
            row.as_object_mut().expect("an object").remove("micros");
            row.to_string()
        })
        .collect()
}

#[test]
fn solved_parts_are_what_one_machine_would_have_written() {
    let here = tempfile::tempdir().expect("a directory");
    let here = here.path();
    let asked = ["--seed", "3", "--count", "11", "--length", "1..7"];
    let made = done(here, &[&["generate"], &asked[..]].concat());
    fs::write(here.join("p.txt"), made.stdout).unwrap();
    let solve = ["solve", "--json", "--solver", "flagship", "p.txt"];
    let whole = done(here, &[&solve[..], &["--threads", "1"]].concat());
    for shard in ["1/3", "2/3"] {
        done(
            here,
            &[&solve[..], &["--shard", shard, "-o", "parts"]].concat(),
        );
    }
    let manifest = fs::read_to_string(here.join("parts/part.1-of-3.manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    // Parts on disk are recognised by this text, so it must stay as it is.
    assert_eq!(
        manifest["task"],
        r#"solve {"all":{"all":false,"group":false,"max_solutions":100,"prefer":null},"limits":{"bytes":null,"moves":null,"nodes":null,"seconds":null},"puzzles":["p.txt"],"read":{"layout":null,"must_ricochet":false,"repair_walls":false,"robots":null,"target":null,"with_diagonals":false},"solver":"flagship"}"#
    );
    let early = ricochet(here, &["merge", "parts", "-o", "all.jsonl"]);
    assert_eq!(early.status.code(), Some(2));
    assert!(
        said(&early).contains("1 of 3 parts are missing: 3"),
        "{}",
        said(&early)
    );
    let third = [&solve[..], &["--shard", "3/3", "-o", "parts"]].concat();
    let printed = done(here, &third);
    assert!(printed.stdout.is_empty(), "rows go to the part");
    let again = done(here, &third);
    assert!(
        said(&again).contains("part 3/3 already exists"),
        "{}",
        said(&again)
    );
    done(here, &["merge", "parts", "-o", "all.jsonl"]);
    let merged = fs::read_to_string(here.join("all.jsonl")).unwrap();
    assert_eq!(
        timeless(&merged),
        timeless(&String::from_utf8_lossy(&whole.stdout))
    );
    assert!(
        !merged.contains("micros"),
        "independent of the machine that made it"
    );
    let other = [
        "solve", "--json", "--solver", "iddfs", "p.txt", "--shard", "1/3", "-o", "parts",
    ];
    assert!(said(&ricochet(here, &other)).contains("another task"));
}

#[test]
fn rated_parts_are_what_one_run_writes() {
    let here = tempfile::tempdir().expect("a directory");
    let here = here.path();
    let made = [
        "generate",
        "--seed",
        "5",
        "--count",
        "5",
        "--length",
        "3..6",
        "--rating",
        "..3000",
        "--theme",
        "placed-blocker",
    ];
    fs::write(here.join("p.txt"), done(here, &made).stdout).unwrap();
    let rate = ["rate", "--json", "p.txt", "--threads", "2"];
    let whole = String::from_utf8(done(here, &rate).stdout).unwrap();
    for line in whole.lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(row["rating"].as_i64().unwrap() <= 3000, "{row}");
        let themes = row["themes"].as_array().unwrap();
        assert!(themes.iter().any(|it| it == "placed-blocker"), "{row}");
    }
    for shard in ["1/2", "2/2"] {
        done(
            here,
            &[&rate[..], &["--shard", shard, "-o", "rated"]].concat(),
        );
    }
    done(here, &["merge", "rated", "-o", "all.jsonl"]);
    let merged = fs::read_to_string(here.join("all.jsonl")).unwrap();
    assert_eq!(timeless(&merged), timeless(&whole));
}

#[test]
fn generated_parts_are_what_one_run_writes() {
    let here = tempfile::tempdir().expect("a directory");
    let here = here.path();
    for (directory, format) in [("lines", &[][..]), ("answers", &["--json"][..])] {
        let make = [
            "generate",
            "--seed",
            "9",
            "--candidates",
            "40",
            "--length",
            "3..5",
        ];
        let make = [&make[..], format].concat();
        let whole = done(here, &make);
        assert_eq!(String::from_utf8_lossy(&whole.stdout).lines().count(), 6);
        for shard in ["2/3", "1/3", "3/3"] {
            done(
                here,
                &[&make[..], &["--shard", shard, "-o", directory]].concat(),
            );
        }
        done(here, &["merge", directory, "-o", "all"]);
        assert_eq!(fs::read(here.join("all")).unwrap(), whole.stdout);
    }
    let manifest = fs::read_to_string(here.join("lines/part.1-of-3.manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(
        manifest["task"],
        r#"generate from 40 from 0 with seed 9 as line: {"any_cell":false,"candidates":null,"diagonals":null,"difficulty":null,"edition":null,"layout":null,"limits":{"memory_mib":null,"moves":null,"ms":null,"nodes":null},"moves":[3,5],"must_ricochet":false,"number":0,"rate":false,"rating":null,"robots":null,"robots_used":null,"seed":null,"size":null,"themes":[],"unique":false,"who":null}"#
    );
    let unseeded = ricochet(here, &["generate", "--shard", "1/2", "-o", "x"]);
    assert!(said(&unseeded).contains("--shard needs --seed"));
    let counted = [
        "generate", "--seed", "1", "--count", "9", "--shard", "1/2", "-o", "x",
    ];
    assert!(said(&ricochet(here, &counted)).contains("--shard needs --candidates"));
    let drawn = [
        "generate", "--seed", "1", "--to", "text", "--shard", "1/2", "-o", "x",
    ];
    assert!(said(&ricochet(here, &drawn)).contains("one puzzle per line, which text is not"));
}

/// Whatever was asked for is what the puzzles have.
#[test]
fn generated_puzzles_have_the_themes_and_ratings_asked_for() {
    let here = tempfile::tempdir().expect("a directory");
    let here = here.path();
    let asked = [
        "generate",
        "--seed",
        "4",
        "--count",
        "3",
        "--rating",
        "1200..1600",
        "--theme",
        "placed-blocker",
        "--theme",
        "wall-at-target",
    ];
    fs::write(here.join("p.txt"), done(here, &asked).stdout).unwrap();
    let rated = String::from_utf8(done(here, &["rate", "--json", "p.txt"]).stdout).unwrap();
    assert_eq!(rated.lines().count(), 3);
    for line in rated.lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let rating = row["rating"].as_i64().unwrap();
        assert!((1200..=1600).contains(&rating), "{row}");
        let themes = row["themes"].as_array().unwrap();
        for theme in ["placed-blocker", "wall-at-target"] {
            assert!(themes.iter().any(|it| it == theme), "{row}");
        }
    }
}

#[test]
fn a_census_is_merged_too() {
    let here = tempfile::tempdir().expect("a directory");
    let here = here.path();
    let census = ["census", "--layouts", "1A 4B 3B 2B", "--robot-count", "1"];
    for shard in ["1/2", "2/2"] {
        let directory = shard.replace('/', "-");
        done(
            here,
            &[&census[..], &["--shard", shard, "-o", &directory]].concat(),
        );
    }
    let merged = done(here, &["merge", "1-2", "2-2", "-o", "all"]);
    assert!(
        said(&merged).contains("17 targets merged"),
        "{}",
        said(&merged)
    );
}

#[test]
fn what_is_no_part_is_an_error() {
    let here = tempfile::tempdir().expect("a directory");
    let here = here.path();
    let nothing = ricochet(here, &["merge", ".", "-o", "x"]);
    assert!(
        said(&nothing).contains("there are no parts to merge"),
        "{}",
        said(&nothing)
    );
    fs::write(here.join("part.1-of-2.manifest.json"), "{}").unwrap();
    let broken = ricochet(here, &["merge", ".", "-o", "x"]);
    assert!(
        said(&broken).contains("is not a manifest of a part"),
        "{}",
        said(&broken)
    );
    let missing = ricochet(here, &["solve", "--shard", "1/2", "random:1"]);
    assert!(said(&missing).contains("--output"), "{}", said(&missing));
    let plain = ricochet(here, &["solve", "--shard", "1/2", "-o", "y", "random:1"]);
    assert!(
        said(&plain).contains("--shard needs --json"),
        "{}",
        said(&plain)
    );
}
