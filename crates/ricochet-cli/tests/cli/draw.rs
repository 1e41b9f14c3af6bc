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
        // A film has a line of words below its board.
        size == [152, 174] && frames > 10,
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
    assert!(refused(&place, &["one.jsonl", "-o", "x.svg", "--to", "png"]).contains("--to says"));
    assert!(refused(&place, &["one.jsonl", "--sheet", "-o", "x.gif"]).contains("SVG or PNG"));
    assert!(refused(&place, &["one.jsonl", "--overlay", "reach", "-o", "x.gif"]).contains("GIF"));
    let overlay_on_sheet = ["one.jsonl", "--overlay", "reach", "--sheet", "-o", "x.pdf"];
    assert!(refused(&place, &overlay_on_sheet).contains("cannot have an overlay"));
    assert!(refused(&place, &["one.jsonl", "--degree", "2"]).contains("--overlay"));
    assert!(
        refused(&place, &["one.jsonl", "--cells", "4", "-o", "x.png"]).contains("from 8 to 128")
    );
    let left: Vec<_> = fs::read_dir(&place)
        .unwrap()
        .map(|it| it.unwrap().file_name())
        .collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

#[test]
fn two_puzzles_with_one_id_get_a_file_each() {
    let place = place("twins");
    let twins = "{ID}\n{ID}\n".replace(
        "{ID}",
        fs::read_to_string(place.join("one.jsonl")).unwrap().trim(),
    );
    fs::write(place.join("twins.jsonl"), twins).unwrap();
    let output = draw(&place, &["twins.jsonl", "-o", "out/"]);
    assert!(output.status.success(), "{output:?}");
    let mut files: Vec<String> = fs::read_dir(place.join("out"))
        .unwrap()
        .map(|it| it.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    assert_eq!(files.len(), 2, "{files:?}");
    assert!(
        files.iter().any(|name| name.ends_with("-2.svg")),
        "{files:?}"
    );
}

#[test]
fn a_sheet_takes_what_it_can_and_refuses_the_rest() {
    let place = place("sheet-options");
    let sheet = |more: &[&str]| {
        let mut arguments = vec!["one.jsonl", "--sheet", "--no-solutions", "-o", "sheet.svg"];
        arguments.extend(more);
        let output = draw(&place, &arguments);
        assert!(output.status.success(), "{output:?}");
        fs::read_to_string(place.join("sheet.svg")).unwrap()
    };
    assert!(!sheet(&[]).contains("class=\"coordinates\""));
    assert!(!sheet(&["--coordinates=off"]).contains("class=\"coordinates\""));
    assert!(sheet(&["--coordinates"]).contains("class=\"coordinates\""));
    assert!(sheet(&["--paper", "letter"]).contains("width=\"612pt\""));
    let cells = ["one.jsonl", "--sheet", "--cells", "20", "-o", "x.pdf"];
    assert!(refused(&place, &cells).contains("--per-page"));
    let both = [
        "one.jsonl",
        "--sheet",
        "--solution",
        "--no-solutions",
        "-o",
        "x.pdf",
    ];
    assert!(refused(&place, &both).contains("cannot be used with"));
}

#[test]
fn a_sheet_has_a_word_for_a_puzzle_without_solution() {
    let place = place("sheet-words");
    let pages = |puzzle: &str| {
        let output = draw(&place, &[puzzle, "--sheet", "-t", "pdf", "-o", "sheet.pdf"]);
        let pdf = fs::read(place.join("sheet.pdf")).unwrap();
        (output, String::from_utf8_lossy(&pdf).contains("/Count 2"))
    };
    let (output, two_pages) = pages("5x5..0044.R22");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(two_pages, "the second page says that there is no solution");
}

#[test]
fn what_a_sheet_cannot_show_is_said() {
    let place = place("letters");
    let note = |title: &str| {
        let arguments = [
            "one.jsonl",
            "--sheet",
            "--no-solutions",
            "--title",
            title,
            "-o",
            "s.pdf",
        ];
        let output = draw(&place, &arguments);
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(!note("Größe, Загадки").contains("no letters"));
    assert!(note("日本").contains("the font has no letters for 日 本"));
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_no_cut_file_behind() {
    let place = place("full");
    fs::write(place.join("board.svg"), "the old picture").unwrap();
    // No file may grow over one block: what a full disk looks like.
    let script = format!(
        "trap '' XFSZ; ulimit -f 1; exec '{}' draw one.jsonl -o board.svg",
        env!("CARGO_BIN_EXE_ricochet")
    );
    let output = Command::new("sh")
        .args(["-c", &script])
        .current_dir(&place)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let kept = fs::read_to_string(place.join("board.svg")).unwrap();
    assert_eq!(kept, "the old picture");
    let names = fs::read_dir(&place).unwrap().count();
    assert_eq!(names, 3, "no temporary file is left");
}

#[test]
fn a_picture_for_web_pages_has_its_colours_as_variables() {
    let place = place("css");
    let output = draw(&place, &["one.jsonl", "--css"]);
    assert!(output.status.success(), "{output:?}");
    let svg = String::from_utf8(output.stdout).unwrap();
    assert!(svg.contains("fill=\"var(--rr-wall,#3a3632)\""));
    assert!(refused(&place, &["one.jsonl", "--css", "-o", "x.png"]).contains("SVG pictures only"));
}

#[test]
fn names_may_be_written_in_capitals() {
    let place = place("capitals");
    for arguments in [
        &["--sheet", "--paper", "A4", "--theme", "Dark", "--to", "PDF"][..],
        &["--overlay", "Min-Moves", "--coordinates=ON", "--to", "SVG"],
        &["--solution", "--solver", "IDDFS", "--theme", "COLOR-BLIND"],
    ] {
        let output = draw(&place, &[&["one.jsonl"], arguments].concat());
        assert!(output.status.success(), "{arguments:?} {output:?}");
    }
    let error = refused(&place, &["one.jsonl", "--theme", "PINK"]);
    assert!(error.contains("light, dark, print, color-blind"), "{error}");
}

#[test]
fn the_pages_of_a_sheet_may_be_pixels() {
    let place = place("png-sheet");
    let output = draw(&place, &["one.jsonl", "--sheet", "-o", "sheet.png"]);
    assert!(output.status.success(), "{output:?}");
    for file in ["sheet-1.png", "sheet-2.png"] {
        assert!(fs::read(place.join(file)).unwrap().starts_with(b"\x89PNG"));
    }
    let error = refused(&place, &["one.jsonl", "--sheet", "--to", "png"]);
    assert!(error.contains("-o sheet.png"), "{error}");
}
