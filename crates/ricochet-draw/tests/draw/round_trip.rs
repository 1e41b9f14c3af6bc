//! What is shown in a terminal can be read back, whatever is on the board.

use proptest::prelude::*;
use ricochet_core::{Puzzle, formats, notation};
use ricochet_draw::Terminal;

use crate::random;

/// Every way of drawing, with the words that belong to it.
fn pages(puzzle: &Puzzle) -> [String; 4] {
    [
        Terminal::unicode(),
        Terminal::ascii(),
        Terminal::unicode().without_coordinates(),
        Terminal::ascii().without_coordinates(),
    ]
    .map(|terminal| notation::to_page(puzzle, &terminal.puzzle(puzzle).plain()))
}

fn read_back(puzzle: &Puzzle) {
    for page in pages(puzzle) {
        let back = match formats::read_one(&page) {
            Ok(setup) => setup.validate(),
            Err(error) => panic!("{error}\n{page}"),
        };
        assert_eq!(back.as_ref(), Ok(puzzle), "{page}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, max_shrink_iters: 500, ..ProptestConfig::default() })]

    #[test]
    fn every_puzzle_is_read_back(puzzle in random::any_puzzle()) {
        read_back(&puzzle);
    }

    #[test]
    fn official_puzzles_are_read_back(puzzle in random::official_puzzle()) {
        read_back(&puzzle);
    }

    #[test]
    fn several_pages_in_one_file_are_read_back(
        puzzles in proptest::collection::vec(random::any_puzzle(), 2..4)
    ) {
        for way in 0..4 {
            let file: Vec<String> = puzzles.iter().map(|puzzle| pages(puzzle)[way].clone()).collect();
            let back: Vec<Puzzle> = formats::read(&file.join("\n"))
                .expect("all pages are read")
                .into_iter()
                .map(|setup| setup.validate().expect("and are puzzles"))
                .collect();
            prop_assert_eq!(&back, &puzzles);
        }
    }
}

#[test]
fn a_drawing_without_its_words_is_a_puzzle_if_nothing_is_hidden() {
    let puzzle = formats::read_one("1A4B3B2B.18c2f0c0.G6e")
        .unwrap()
        .validate()
        .unwrap();
    for terminal in [Terminal::unicode(), Terminal::ascii()] {
        let drawing = terminal.puzzle(&puzzle).plain();
        let back = formats::read_one(&drawing).unwrap().validate().unwrap();
        assert_eq!(back.start(), puzzle.start());
        assert_eq!(back.goal(), puzzle.goal());
        assert_eq!(back.board().walls(), puzzle.board().walls());
    }
    let hidden = formats::read_one("4x4..0011.R11")
        .unwrap()
        .validate()
        .unwrap();
    let error = formats::read_one(&Terminal::ascii().puzzle(&hidden).plain()).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("a robot hides whose goal (1,1) is"),
        "{error}"
    );
}

/// Nothing covers the goal: what is printed there has a sentence of its own.
#[test]
fn only_what_a_robot_hides_is_called_covered() {
    let page = |line: &str| {
        let puzzle = formats::read_one(line).unwrap().validate().unwrap();
        notation::to_page(&puzzle, &Terminal::ascii().puzzle(&puzzle).plain())
    };
    let sentences = |line: &str| -> Vec<String> {
        let page = page(line);
        let lines = page.lines();
        let lines = lines.filter(|line| line.starts_with("Covered") || line.starts_with("Printed"));
        lines.map(str::to_owned).collect()
    };
    assert_eq!(
        sentences("1A4B3B2B.18c1f0c0.G6e"),
        [
            "Covered: green square (12,1).",
            "Printed at the goal: green hexagon (6,14)."
        ]
    );
    assert_eq!(
        sentences("1A4B3B2B.18c2f0c0.V83"),
        ["Printed at the goal: vortex (8,3)."]
    );
    assert!(sentences("1A4B3B2B.18c2f0c0.R00").is_empty());
}

/// Drawings that were kept when all of it was called covered are read as before.
#[test]
fn earlier_words_are_still_read() {
    let puzzle = formats::read_one("1A4B3B2B.18c1f0c0.V83")
        .unwrap()
        .validate()
        .unwrap();
    let page = notation::to_page(&puzzle, &Terminal::ascii().puzzle(&puzzle).plain());
    let earlier = page.replace(
        "Covered: green square (12,1).\nPrinted at the goal: vortex (8,3).",
        "Covered: any vortex (8,3) and green square (12,1).",
    );
    assert_ne!(page, earlier);
    assert_eq!(formats::read_one(&earlier).unwrap().validate(), Ok(puzzle));
}
