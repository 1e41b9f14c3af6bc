//! `ricochet draw`: formats by ending, sheets, directories, and what it refuses.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Red goes east, then south.
const EASY: &str = r#"{"id":"easy","width":3,"height":3,"walls":[9,1,3,8,0,2,12,4,6],"robots":[[0,0]],"active":0,"target":[2,2]}"#;

/// An empty directory for one test, with a file of one and a file of two puzzles.
fn place(test: &str) -> PathBuf {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("draw-{test}"));
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(&place).unwrap();
    fs::write(place.join("one.jsonl"), format!("{EASY}\n")).unwrap();
    let other = EASY.replace("easy", "a/b");
    fs::write(place.join("two.jsonl"), format!("{EASY}\n{other}\n")).unwrap();
    place
}

fn draw(place: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ricochet"))
        .arg("draw")
        .args(arguments)
        .current_dir(place)
        .output()
        .unwrap()
}

fn refused(place: &Path, arguments: &[&str]) -> String {
    let output = draw(place, arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?} {output:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn the_ending_tells_the_format() {
    let place = place("format");
    for (file, start) in [
        ("board.svg", &b"<svg "[..]),
        ("board.png", b"\x89PNG"),
        ("board.gif", b"GIF89a"),
        ("board.PDF", b"%PDF-1.4"),
    ] {
        let output = draw(&place, &["one.jsonl", "--solution", "-o", file]);
        assert!(output.status.success(), "{output:?}");
        assert!(
            fs::read(place.join(file)).unwrap().starts_with(start),
            "{file}"
        );
    }
    let svg = fs::read_to_string(place.join("board.svg")).unwrap();
    assert!(svg.contains("Moves: RE RS.") || svg.contains("Moves: RS RE."));
}

#[test]
fn without_a_file_it_is_svg_on_standard_output() {
    let place = place("stdout");
    for overlay in ["min-moves", "critical", "cross-block", "reach"] {
        let output = draw(&place, &["one.jsonl", "--overlay", overlay]);
        assert!(
            output.status.success() && output.stderr.is_empty(),
            "{output:?}"
        );
        let svg = String::from_utf8(output.stdout).unwrap();
        assert!(svg.starts_with("<svg ") && svg.contains("class=\"legend\""));
    }
}

#[test]
fn an_overlay_and_a_solution_go_together() {
    let place = place("both");
    let both = ["one.jsonl", "--overlay", "min-moves", "--solution"];
    let output = draw(&place, &both);
    assert!(output.status.success(), "{output:?}");
    let svg = String::from_utf8(output.stdout).unwrap();
    for class in ["values", "legend", "paths", "numbers"] {
        assert!(svg.contains(&format!("class=\"{class}\"")), "{class}");
    }
}

/// Width and height of a PNG: two big-endian numbers in its first chunk.
fn png_size(png: &[u8]) -> (u32, u32) {
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

#[test]
fn pictures_are_as_large_as_they_should_be() {
    let place = place("size");
    // Three cells, and two fifths of one around them.
    for (cells, side) in [("20", 76), ("40", 152), ("100", 380)] {
        draw(&place, &["one.jsonl", "--cells", cells, "-o", "x.png"]);
        let png = fs::read(place.join("x.png")).unwrap();
        assert_eq!(png_size(&png), (side, side), "{cells}");
    }
    draw(&place, &["one.jsonl", "-o", "x.gif"]);
    let gif = fs::read(place.join("x.gif")).unwrap();
    let size = [6, 8].map(|at| u16::from_le_bytes([gif[at], gif[at + 1]]));
    let frames = gif
        .windows(3)
        .filter(|window| window == b"!\xf9\x04")
        .count();
    assert!(
        size == [152, 152] && frames > 10,
        "{size:?}, {frames} frames"
    );
    assert!(
        gif.windows(11).any(|window| window == b"NETSCAPE2.0"),
        "it goes on"
    );
}

#[test]
fn themes_differ_and_all_say_the_same() {
    let place = place("themes");
    let mut pictures = Vec::new();
    for theme in ["light", "dark", "print", "color-blind"] {
        let output = draw(&place, &["one.jsonl", "--solution", "--theme", theme]);
        let svg = String::from_utf8(output.stdout).unwrap();
        assert!(svg.contains("<title>easy: red to (2,2)</title>"), "{svg}");
        assert!(!pictures.contains(&svg), "{theme}");
        pictures.push(svg);
    }
}

#[test]
fn many_puzzles_go_to_a_directory_or_on_a_sheet() {
    let place = place("many");
    let output = draw(&place, &["two.jsonl", "-o", "boards/"]);
    assert!(output.status.success(), "{output:?}");
    assert!(place.join("boards/easy.svg").exists() && place.join("boards/a-b.svg").exists());
    let output = draw(
        &place,
        &["two.jsonl", "--sheet", "-o", "sheet.svg", "--quiet"],
    );
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{output:?}"
    );
    assert!(place.join("sheet-1.svg").exists() && place.join("sheet-2.svg").exists());
    let output = draw(
        &place,
        &["two.jsonl", "--sheet", "--no-solutions", "-o", "sheet.pdf"],
    );
    assert!(output.status.success(), "{output:?}");
    let pdf = fs::read(place.join("sheet.pdf")).unwrap();
    assert!(String::from_utf8_lossy(&pdf).contains("/Count 1"));
}

#[test]
fn what_makes_no_sense_is_refused_before_anything_is_written() {
    let place = place("refused");
    assert!(refused(&place, &["two.jsonl", "-o", "x.svg"]).contains("more than one puzzle"));
    assert!(refused(&place, &["one.jsonl", "-o", "x.bmp"]).contains("expected .svg, .png"));
    assert!(refused(&place, &["one.jsonl", "-o", "x.svg", "-f", "png"]).contains("--format says"));
    assert!(refused(&place, &["one.jsonl", "--sheet", "-o", "x.png"]).contains("PDF or SVG"));
    assert!(refused(&place, &["one.jsonl", "--overlay", "reach", "-o", "x.gif"]).contains("GIF"));
    let overlay_on_sheet = ["one.jsonl", "--overlay", "reach", "--sheet", "-o", "x.pdf"];
    assert!(refused(&place, &overlay_on_sheet).contains("it has no overlay"));
    assert!(refused(&place, &["one.jsonl", "--degree", "2"]).contains("--overlay"));
    assert!(refused(&place, &["one.jsonl", "--cells", "4", "-o", "x.png"]).contains("8..=128"));
    let left: Vec<_> = fs::read_dir(&place)
        .unwrap()
        .map(|it| it.unwrap().file_name())
        .collect();
    assert_eq!(left.len(), 2, "{left:?}");
}
