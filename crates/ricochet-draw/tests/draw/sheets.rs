//! Printable pages.

use ricochet_core::{Direction, Move, Puzzle, Robot, Trace};
use ricochet_draw::quadrant::{self, QuadrantSheet};
use ricochet_draw::{Paper, Picture, Sheet, SheetPuzzle, Terminal, Theme};

use crate::pictures::assert_well_formed;
use crate::support::{everything, place, slides_puzzle, wander};

#[test]
fn a_sheet_has_its_pages() {
    let puzzle = everything();
    let trace = wander(&puzzle, 5, 1);
    let mut sheet = Sheet::new("A <sheet> & more").per_page(3);
    assert_eq!(
        sheet.pages().svg().len(),
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
    let pages = sheet.pages().svg();
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
    let pdf = sheet.pages().pdf();
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
        sheet.pages().svg().remove(0)
    };
    let plain = page(Sheet::new("x"));
    assert!(!plain.contains("class=\"coordinates\""));
    assert!(page(Sheet::new("x").coordinates(true)).contains("class=\"coordinates\""));
    let letter = page(Sheet::new("x").paper(Paper::Letter));
    assert!(letter.contains("width=\"612pt\" height=\"792pt\""));
    let mut captioned = Sheet::new("x");
    captioned.add(SheetPuzzle::new(&puzzle).caption("another text"));
    assert_ne!(captioned.pages().svg()[0], plain);
}

#[test]
fn letters_of_many_alphabets_are_drawn_and_not_as_boxes() {
    let page = |title: &str| Sheet::new(title).pages().svg().remove(0);
    // Without the <title>, which has the letters themselves.
    let drawn = |title: &str| page(title).split_once("</title>").unwrap().1.to_owned();
    let boxes = drawn("\u{4e00}");
    for letter in ["ö", "Ж", "λ", "ħ", "Ա", "ქ", "ệ"] {
        assert_ne!(drawn(letter), boxes, "{letter}");
        assert_eq!(ricochet_draw::missing_letters(letter), []);
        assert_eq!(Sheet::new(letter).missing_letters(), []);
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
fn quadrants_fill_their_pages() {
    for paper in [Paper::A4, Paper::Letter] {
        let sheet = QuadrantSheet::new(&quadrant::all()).paper(paper);
        let pages = sheet.pages().svg();
        assert_eq!(pages.len(), 2);
        let (width, height) = paper.size();
        for page in &pages {
            assert_well_formed(page);
            assert_eq!(page.matches("class=\"walls\"").count(), 8);
            let grounds = grounds(page);
            assert_eq!(grounds.len(), 8);
            for [left, top, right, bottom] in grounds {
                assert!(right - left > 130.0, "4.6 cm at least: {}", right - left);
                assert!(left > 0.0 && top > 0.0 && right < width && bottom < height);
            }
        }
        // Those of one edition are on one page, two sides are larger still.
        let one = QuadrantSheet::new(&quadrant::all()[..8]).paper(paper);
        assert_eq!(one.pages().svg().len(), 1);
        let two = QuadrantSheet::new(&quadrant::all()[..2]).paper(paper);
        let [left, _, right, _] = grounds(&two.pages().svg()[0])[0];
        assert!(right - left > 250.0, "{}", right - left);
    }
    assert_well_formed(&QuadrantSheet::new(&[]).pages().svg()[0]);
    #[cfg(feature = "pdf")]
    assert!(
        String::from_utf8_lossy(&QuadrantSheet::new(&quadrant::all()).pages().pdf())
            .contains("/Count 2")
    );
}

/// Boards that are small on paper are drawn with strokes: pixels are for screens.
#[test]
fn no_sheet_has_letters_of_pixels() {
    let puzzle = place(ricochet_core::Board::builder(32, 32).build().unwrap(), 8, 0);
    let trace = wander(&puzzle, 5, 1);
    let mut sheet = Sheet::new("x").per_page(12).coordinates(true);
    sheet.add(SheetPuzzle::new(&puzzle).solution(&trace));
    for page in sheet.pages().svg() {
        let robots = page.split_once("class=\"robots\"").unwrap().1;
        let robots = robots.split_once("</g>").unwrap().0;
        // Each robot has an antenna and a letter.
        let strokes = robots.lines().filter(|line| line.contains("fill=\"none\""));
        assert_eq!(
            strokes.count(),
            2 * puzzle.start().cells().len(),
            "{robots}"
        );
    }
}

/// The grounds of the boards of a page in the light theme: left, top, right, bottom.
fn grounds(page: &str) -> Vec<[f32; 4]> {
    let value = |line: &str, name: &str| -> f32 {
        let (_, rest) = line.split_once(&format!(" {name}=\"")).unwrap();
        rest.split('"').next().unwrap().parse().unwrap()
    };
    page.lines()
        .filter(|line| line.starts_with("<rect") && line.contains("#faf7f0"))
        .map(|line| {
            let [x, y] = ["x", "y"].map(|name| value(line, name));
            [x, y, x + value(line, "width"), y + value(line, "height")]
        })
        .collect()
}

#[cfg(feature = "raster")]
#[test]
fn pages_are_pixels_too() {
    let size =
        |png: &[u8]| [16, 20].map(|at| u32::from_be_bytes(png[at..at + 4].try_into().unwrap()));
    let quadrants = QuadrantSheet::new(&quadrant::all()).paper(Paper::Letter);
    let pages = quadrants.pages().png(50).unwrap();
    assert_eq!(pages.len(), 2);
    assert!(pages.iter().all(|page| size(page) == [425, 550]));
    let puzzle = everything();
    let trace = wander(&puzzle, 5, 1);
    let mut sheet = Sheet::new("x");
    sheet.add(SheetPuzzle::new(&puzzle).solution(&trace));
    let pages = sheet.pages().png(72).unwrap();
    assert_eq!(pages.len(), 2);
    assert_eq!(size(&pages[0]), [595, 842]);
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
            let pages = sheet.pages().svg();
            assert_eq!(pages.len(), 2);
            let before = boards(&pages[0]);
            assert!(before.len() >= 6, "{before:?}");
            assert_eq!(before, boards(&pages[1]), "{paper:?}, {moves} moves");
        }
    }
}

/// The words of a page in the order in which they are drawn: its title, then for every board the
/// puzzle's number and lines, then the page's number. Each as the data of its path.
fn texts(page: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(page).unwrap();
    let outside = document.root_element().children();
    outside
        .filter(|node| node.has_tag_name("path"))
        .filter_map(|node| node.attribute("d").map(str::to_owned))
        .collect()
}

/// The left and right ends of a path.
fn extent(path: &str) -> (f32, f32) {
    let mut ends = (f32::INFINITY, f32::NEG_INFINITY);
    let commands = path.split_inclusive(|c: char| c.is_ascii_alphabetic());
    let mut command = None;
    for part in commands {
        let numbers = part.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let numbers = numbers.split_whitespace();
        // Commands with points have x and y in turn.
        let every = if command == Some('H') { 1 } else { 2 };
        for x in numbers.step_by(every).filter(|_| command != Some('V')) {
            let x: f32 = x.parse().unwrap();
            ends = (ends.0.min(x), ends.1.max(x));
        }
        command = part.chars().last();
    }
    ends
}

/// Two traces with this many moves that differ only in the last one.
fn two_ways(puzzle: &Puzzle, moves: usize) -> [Trace; 2] {
    let way = wander(puzzle, moves - 1, 3);
    let way: Vec<Move> = way.steps.iter().map(|step| step.play).collect();
    let all = Robot::ALL[..4].iter();
    let all = all.flat_map(|&robot| (0..4).map(move |i| (robot, Direction::from_index(i))));
    let mut traces = all.filter_map(|(robot, direction)| {
        let last = Move { robot, direction };
        Trace::play(puzzle, &[way.as_slice(), &[last]].concat()).ok()
    });
    [traces.next().unwrap(), traces.next().unwrap()]
}

#[test]
fn solutions_are_printed_to_their_last_move() {
    let puzzle = slides_puzzle();
    for paper in [Paper::A4, Paper::Letter] {
        for (per_page, moves) in [(12, 22), (12, 25), (12, 60), (6, 80), (1, 200)] {
            let words = two_ways(&puzzle, moves).map(|trace| {
                assert_eq!(trace.steps.len(), moves);
                let mut sheet = Sheet::new("x").paper(paper).per_page(per_page);
                sheet.add(SheetPuzzle::new(&puzzle).solution(&trace));
                texts(&sheet.pages().svg()[1])
            });
            assert_ne!(words[0], words[1], "{per_page} a page, {moves} moves");
        }
    }
}

#[test]
fn words_end_where_their_board_does() {
    let puzzle = slides_puzzle();
    let captions = [
        "yellow to its hexagon · 9 moves · expert",
        "a caption without any dots that is longer than a line",
        "aVeryLongWordWithoutAnyPlaceToBreakIt",
        "blue to (9,12) · 22 moves · harder than the hardest that anybody ever printed on paper",
    ];
    for per_page in [1, 6, 12] {
        for moves in [9, 25, 60] {
            let trace = wander(&puzzle, moves, 1);
            for caption in captions {
                let mut sheet = Sheet::new("x").theme(Theme::LIGHT).per_page(per_page);
                sheet.add(SheetPuzzle::new(&puzzle).caption(caption).solution(&trace));
                for page in sheet.pages().svg() {
                    let [_, _, end, _] = grounds(&page)[0];
                    let words = texts(&page);
                    // Without the title, the puzzle's number, and the page's.
                    for line in &words[2..words.len() - 1] {
                        let (_, right) = extent(line);
                        assert!(right <= end, "{caption}, {moves} moves: {right} > {end}");
                    }
                }
            }
        }
    }
}

#[test]
fn titles_begin_where_boards_do() {
    // A letter that fills its width.
    let title = "T";
    let puzzle = slides_puzzle();
    for (per_page, coordinates) in [(1, false), (12, false), (12, true)] {
        let sheet = Sheet::new(title).theme(Theme::LIGHT).per_page(per_page);
        let mut sheet = sheet.coordinates(coordinates);
        sheet.add(SheetPuzzle::new(&puzzle));
        let page = &sheet.pages().svg()[0];
        let [board, ..] = grounds(page)[0];
        let (left, _) = extent(&texts(page)[0]);
        assert!((left - board).abs() < 1.0, "{left} above {board}");
    }
}

#[test]
fn a_long_title_leaves_room_for_what_the_page_is() {
    let puzzle = slides_puzzle();
    let title = "A title that does not fit on one line of any paper because it goes on and on";
    for title in [title.to_owned(), title.repeat(4), "W".repeat(300)] {
        let mut sheet = Sheet::new(title).theme(Theme::LIGHT).per_page(12);
        for _ in 0..12 {
            sheet.add(SheetPuzzle::new(&puzzle).no_solution("none"));
        }
        let pages = sheet.pages().svg();
        let [puzzles, solutions] = [0, 1].map(|page| texts(&pages[page]).remove(0));
        assert_ne!(puzzles, solutions);
        let end = grounds(&pages[1])
            .iter()
            .fold(0.0, |end: f32, ground| end.max(ground[2]));
        for heading in [puzzles, solutions] {
            assert!(extent(&heading).1 <= end);
        }
    }
}
