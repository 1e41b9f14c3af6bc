//! Printable pages.

use ricochet_draw::quadrant::{self, QuadrantSheet};
use ricochet_draw::{Paper, Picture, Sheet, SheetPuzzle, Terminal, Theme};

use crate::pictures::assert_well_formed;
use crate::support::{everything, wander};

#[test]
fn a_sheet_has_its_pages() {
    let puzzle = everything();
    let trace = wander(&puzzle, 5, 1);
    let mut sheet = Sheet::new("A <sheet> & more").per_page(3);
    assert_eq!(
        sheet.svg_pages().len(),
        1,
        "an empty sheet is one empty page"
    );
    for i in 0..7 {
        let entry = SheetPuzzle::new(&puzzle);
        sheet.add(match i % 3 {
            0 => entry.solution(&trace),
            1 => entry.no_solution("no solution: a <limit> was reached"),
            _ => entry,
        });
    }
    let pages = sheet.svg_pages();
    assert_eq!(
        pages.len(),
        3 + 2,
        "five of seven have a solution or a word"
    );
    for page in &pages {
        assert_well_formed(page);
        assert!(page.contains("width=\"595.28pt\" height=\"841.89pt\""));
    }
}

#[cfg(feature = "pdf")]
#[test]
fn the_pdf_s_table_points_at_its_objects() {
    let puzzle = everything();
    let trace = wander(&puzzle, 5, 1);
    let mut sheet = Sheet::new("Übung");
    for _ in 0..8 {
        sheet.add(SheetPuzzle::new(&puzzle).solution(&trace));
    }
    let pdf = sheet.pdf();
    let text = String::from_utf8_lossy(&pdf);
    assert!(
        text.contains("/Count 4"),
        "two pages of puzzles and two of solutions"
    );
    let tail = |mark: &str| {
        text.rfind(mark)
            .map(|at| text[at + mark.len()..].trim_start())
            .unwrap()
    };
    let table: usize = tail("startxref")
        .split_whitespace()
        .next()
        .unwrap()
        .parse()
        .unwrap();
    assert!(pdf[table..].starts_with(b"xref\n"));
    let lines: Vec<&str> = std::str::from_utf8(&pdf[table..])
        .unwrap()
        .lines()
        .collect();
    let count: usize = lines[1].split(' ').nth(1).unwrap().parse().unwrap();
    for number in 1..count {
        let offset: usize = lines[2 + number][..10].parse().unwrap();
        let head = format!("{number} 0 obj\n");
        assert!(
            pdf[offset..].starts_with(head.as_bytes()),
            "object {number}"
        );
    }
}

#[test]
fn a_sheet_takes_paper_coordinates_and_captions() {
    let puzzle = everything();
    let page = |sheet: Sheet<'_>| {
        let mut sheet = sheet;
        sheet.add(SheetPuzzle::new(&puzzle));
        sheet.svg_pages().remove(0)
    };
    let plain = page(Sheet::new("x"));
    assert!(!plain.contains("class=\"coordinates\""));
    assert!(page(Sheet::new("x").coordinates(true)).contains("class=\"coordinates\""));
    let letter = page(Sheet::new("x").paper(Paper::Letter));
    assert!(letter.contains("width=\"612pt\" height=\"792pt\""));
    let mut captioned = Sheet::new("x");
    captioned.add(SheetPuzzle::new(&puzzle).caption("another text"));
    assert_ne!(captioned.svg_pages()[0], plain);
}

#[test]
fn letters_of_many_alphabets_are_drawn_and_not_as_boxes() {
    let page = |title: &str| Sheet::new(title).svg_pages().remove(0);
    // Without the <title>, which has the letters themselves.
    let drawn = |title: &str| page(title).split_once("</title>").unwrap().1.to_owned();
    let boxes = drawn("\u{4e00}");
    for letter in ["ö", "Ж", "λ", "ħ", "Ա", "ქ", "ệ"] {
        assert_ne!(drawn(letter), boxes, "{letter}");
        assert_eq!(ricochet_draw::missing_letters(letter), []);
    }
    let puzzle = everything();
    let caption = |text: &str| {
        let svg = Picture::new(&puzzle).caption(text).svg();
        svg.split_once("class=\"caption\"").unwrap().1.to_owned()
    };
    assert_ne!(caption("Äpfel"), caption("Apfel"));
    assert_ne!(caption("Äpfel"), caption("\u{4e00}pfel"));
}

#[test]
fn all_quadrants_are_on_one_page() {
    for paper in [Paper::A4, Paper::Letter] {
        let sheet = QuadrantSheet::new(&quadrant::all()).paper(paper);
        let svg = sheet.svg();
        assert_well_formed(&svg);
        assert_eq!(svg.matches("class=\"walls\"").count(), 16);
    }
    assert_well_formed(&QuadrantSheet::new(&[]).svg());
    #[cfg(feature = "pdf")]
    assert!(
        String::from_utf8_lossy(&QuadrantSheet::new(&quadrant::all()).pdf()).contains("/Count 1")
    );
}

#[test]
fn a_side_shows_its_own_walls_and_open_edges() {
    let side = "3B".parse().unwrap();
    insta::assert_snapshot!("side_3b", quadrant::text(side, Terminal::unicode()));
    assert_well_formed(&quadrant::svg(side, &Theme::LIGHT, 20));
    for side in quadrant::all() {
        let picture = quadrant::text(side, Terminal::ascii().without_coordinates());
        assert_eq!((picture.width(), picture.height()), (33, 17), "{side}");
        let targets = side.board().targets().len();
        let plain = picture.plain();
        let shown = plain.matches(['o', '^', '=', '*', '@']).count();
        assert_eq!(shown, targets, "{side}\n{plain}");
    }
}

/// The larger rectangles of a page without the page itself: the grounds of its boards, and walls.
fn boards(page: &str) -> Vec<&str> {
    let width = |line: &str| -> Option<f32> {
        let (_, rest) = line.split_once(" width=\"")?;
        rest.split('"').next()?.parse().ok()
    };
    page.lines()
        .filter(|line| line.starts_with("<rect") && !line.starts_with("<rect x=\"0\""))
        .filter(|line| width(line).is_some_and(|width| width > 60.0))
        .collect()
}

#[test]
fn solutions_are_as_large_as_their_puzzles_and_at_the_same_place() {
    let puzzle = everything();
    for (paper, coordinates) in [
        (Paper::A4, false),
        (Paper::A4, true),
        (Paper::Letter, false),
        (Paper::Letter, true),
    ] {
        // Moves on one line, on two, and on more than fit.
        for moves in [1, 16, 60] {
            let trace = wander(&puzzle, moves, 1);
            let mut sheet = Sheet::new("Sheet").paper(paper).coordinates(coordinates);
            for _ in 0..6 {
                sheet.add(SheetPuzzle::new(&puzzle).solution(&trace));
            }
            let pages = sheet.svg_pages();
            assert_eq!(pages.len(), 2);
            let before = boards(&pages[0]);
            assert!(before.len() >= 6, "{before:?}");
            assert_eq!(before, boards(&pages[1]), "{paper:?}, {moves} moves");
        }
    }
}
