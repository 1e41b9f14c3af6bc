//! What a text may hold: comments everywhere, many puzzles, wrong ones without end.

use std::io::Cursor;

use ricochet_core::formats::{self, Format, Records};
use ricochet_core::{Puzzle, Setup, ValidationError};

/// A puzzle that every format can express.
fn puzzle() -> Puzzle {
    formats::read_one("1A4B3B2B.18c1f0c0.G6e")
        .unwrap()
        .validate()
        .unwrap()
}

fn pieces(
    setup: Setup,
) -> (
    Vec<u8>,
    Vec<ricochet_core::Cell>,
    Option<usize>,
    ricochet_core::Cell,
) {
    (setup.walls, setup.robots, setup.active, setup.target)
}

#[test]
fn comments_stand_before_between_and_after_puzzles_of_every_format() {
    for format in Format::ALL {
        let puzzle = || match format {
            // Its boards are small.
            Format::Skub => formats::read_one("8x8..0017.R77")
                .unwrap()
                .validate()
                .unwrap(),
            _ => puzzle(),
        };
        let Ok(written) = formats::write(format, &puzzle()) else {
            assert_eq!(format, Format::Lireer, "it is only read");
            continue;
        };
        let text = &written.text;
        let file = format!("# one\n% two\n\n{text}\n# three\n  % four\n\n{text}\n% five\n# six\n");
        let found = match formats::read(&file) {
            Ok(found) => found,
            Err(error) => panic!("{format}: {error}\n{file}"),
        };
        assert_eq!(found.len(), 2, "{format}");
        for setup in found {
            assert_eq!(pieces(setup), pieces(puzzle().to_setup()), "{format}");
        }
        let lines: Vec<usize> = Records::new(file.as_bytes())
            .map(|record| record.unwrap().line)
            .collect();
        let second = 4 + text.lines().count() + 3;
        assert_eq!(lines, [4, second], "{format}");
    }
}

#[test]
fn several_puzzles_in_one_asp_file_are_read_back() {
    let one = formats::write(Format::Asp, &puzzle()).unwrap().text;
    let found = formats::read(&format!("{one}\n\n{one}\n")).unwrap();
    assert_eq!(found.len(), 2);
    // One size for both, as the competition writes it.
    let short = one.replace("dim(1).\n", "dim(1..16).\n");
    assert_eq!(
        formats::read(&format!("{short}\n{short}")).unwrap().len(),
        2
    );
}

#[test]
fn puzzles_in_an_array_have_lines_of_their_own() {
    let one = formats::write(Format::Json, &puzzle()).unwrap().text;
    let file = format!("\n[\n  {one},\n\n  {one}, {one}\n]\n");
    let lines: Vec<usize> = Records::new(file.as_bytes())
        .map(|record| record.unwrap().line)
        .collect();
    assert_eq!(lines, [3, 5, 5]);
    let wrong = format!(
        "[\n{one},\n{}\n]",
        one.replace("\"width\":16", "\"width\":-1")
    );
    let found: Vec<_> = Records::new(wrong.as_bytes()).collect();
    assert!(found[0].is_ok());
    assert_eq!(found[1].as_ref().unwrap_err().line, 3);
    for (file, expected) in [
        (format!("[{one}"), "expected ',' or ']' after a puzzle"),
        (
            format!("[{one} {one}]"),
            "expected ',' or ']' after a puzzle",
        ),
        (
            format!("[{one},"),
            "expected a puzzle or the end of the array",
        ),
        (format!("[{one}] 5"), "expected nothing after the array"),
    ] {
        let error = formats::read(&file).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
    assert!(formats::read("[]").unwrap().is_empty());
}

#[test]
fn a_url_of_kevincox_is_one() {
    let url = formats::write(Format::KevincoxUrl, &puzzle()).unwrap().text;
    assert!(
        url.starts_with("https://ricochetrobots.kevincox.ca/#s="),
        "{url}"
    );
    let (_, fragment) = url.split_once('#').unwrap();
    for text in [&url, &format!("#{fragment}")] {
        let back = formats::read_one(text).unwrap();
        assert_eq!(pieces(back), pieces(puzzle().to_setup()), "{text}");
    }
}

#[test]
fn a_printed_target_is_a_goal_in_a_drawing() {
    let text = formats::write(Format::Text, &puzzle()).unwrap().text;
    let named = text
        .replace("goal: green\n", "goal: green hexagon\n")
        .replace('*', " ");
    let back = formats::read_one(&named).unwrap();
    assert_eq!(back, puzzle().to_setup());
    // Without the list of targets, those of the printed board that is drawn.
    let bare: Vec<&str> = named
        .lines()
        .filter(|line| !line.starts_with("target:"))
        .collect();
    let bare = bare.join("\n");
    assert_eq!(formats::read_one(&bare).unwrap(), puzzle().to_setup());
    let error = formats::read_one(&bare.replace("hexagon", "vortex")).unwrap_err();
    assert!(
        error
            .reason
            .to_string()
            .starts_with("there is no green vortex on this board"),
        "{error}"
    );
    assert_eq!((error.line, error.column), (1, 7));
    let small = "goal: green hexagon\n+-+-+\n|R G|\n+-+-+\n| | |\n+-+-+\n";
    let error = formats::read_one(small).unwrap_err();
    assert!(
        error
            .reason
            .to_string()
            .starts_with("no targets are printed on this board"),
        "{error}"
    );
}

#[test]
fn exactly_one_puzzle_is_read_by_read_one() {
    assert!(formats::read_one("").is_err());
    assert!(formats::read_one("4x4..00.R33\nnonsense").is_err());
    assert_eq!(formats::read_one("# a\n4x4..00.R33\n").unwrap().width, 4);
}

#[test]
fn millions_of_wrong_things_make_a_short_message() {
    let mut line = "4x4..00.R33.t".to_owned();
    for _ in 0..200_000 {
        line.push_str("Rc99");
    }
    let ValidationError { problems } = formats::read_one(&line).unwrap().validate().unwrap_err();
    assert_eq!(problems.len(), 200_000);
    let message = ValidationError { problems }.to_string();
    assert!(message.len() < 2_000, "{} bytes", message.len());
    assert!(message.ends_with("; and 199980 more"), "{message}");
    // All on one cell of the board: this took quadratic time.
    let doubled = line.replace("Rc99", "Rc11");
    assert!(formats::read_one(&doubled).unwrap().validate().is_err());
    let mut text = "goal: red\n".to_owned();
    for _ in 0..100_000 {
        text.push_str("target: red circle 99,99\n");
    }
    text.push_str("+-+-+\n|R *|\n+-+-+\n|   |\n+-+-+\n");
    let error = formats::read_one(&text).unwrap_err();
    assert!(error.to_string().len() < 300, "{error}");
    let long = format!("{{\"rules\":{{\"{}\":1}}}}", "x".repeat(100_000));
    assert!(formats::read_one(&long).unwrap_err().to_string().len() < 2_000);
    let lengths =
        "dim(1..4).pos(red,1,1).target(red,4,4).\n".to_owned() + &"length(9).\n".repeat(50_000);
    let records: Vec<_> = Records::new(lengths.as_bytes()).collect();
    assert_eq!(records[0].as_ref().unwrap().notes.len(), 1);
}

/// A reader of which the puzzles are counted: drawings are parsed one by one, so the millionth is
/// not read before the first is given out.
#[test]
fn drawings_are_not_held_all_at_once() {
    let mut file = "goal: red\n+-+-+\n|R *|\n+-+-+\n|   |\n+-+-+\n\n".repeat(3);
    file.push_str("goal: red\n+-+-+\n|? *|\n+-+-+\n");
    let mut records = Records::new(Cursor::new(file));
    for line in [1, 8, 15] {
        assert_eq!(records.next().unwrap().unwrap().line, line);
    }
    assert_eq!(records.next().unwrap().unwrap_err().line, 24);
    assert!(records.next().is_none());
}

/// The checked board is used only as long as nothing was changed.
#[test]
fn a_setup_that_was_changed_is_checked_again() {
    let setup = puzzle().to_setup();
    let same = setup.clone().validate().unwrap();
    assert!(std::sync::Arc::ptr_eq(
        setup.clone().validate().unwrap().board(),
        same.board()
    ));
    let mut open = setup.clone();
    open.walls[0] = 0;
    assert!(open.validate().is_err());
    let mut fewer = setup.clone();
    fewer.targets.pop();
    let fewer = fewer.validate().unwrap();
    assert_eq!(fewer.board().targets().len(), 16);
    let mut off = setup.clone();
    off.targets[0].cell = ricochet_core::Cell::new(40, 40);
    assert!(off.validate().is_err());
    let mut narrow = setup;
    narrow.width = 8;
    narrow.height = 32;
    assert!(narrow.validate().is_err());
}
