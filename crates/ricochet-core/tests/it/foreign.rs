//! Formats of other tools against what is known about them.

use crate::support::check;
use ricochet_core::formats::{
    self, DroidDiagonals, Format, NoteSubject, ReadOptions, WriteOptions, read_as, read_records,
};
use ricochet_core::quadrants::{Edition, Layout};
use ricochet_core::{Cell, Direction, Goal, Puzzle, Robot, Setup};

const CORPUS: [&str; 5] = [
    include_str!("../../../../corpus/official/random.jsonl"),
    include_str!("../../../../corpus/official/hard.jsonl"),
    include_str!("../../../../corpus/records/records.jsonl"),
    include_str!("../../../../corpus/competitions/asp2015.jsonl"),
    include_str!("../../../../corpus/competitions/ipc2023.jsonl"),
];

fn one(text: &str) -> Puzzle {
    let mut setups = formats::read(text).unwrap();
    assert_eq!(setups.len(), 1);
    setups.remove(0).validate().unwrap()
}

fn record(name: &str) -> Puzzle {
    let records = formats::read(CORPUS[2]).unwrap();
    let record = records
        .into_iter()
        .find(|setup| setup.id.as_deref() == Some(name));
    record
        .expect("the record is in the corpus")
        .validate()
        .unwrap()
}

/// The puzzle itself, without annotations.
fn bare(puzzle: &Puzzle) -> Setup {
    let mut setup = puzzle.to_setup();
    setup.id = None;
    setup.optimal = None;
    setup.targets.clear();
    setup
}

#[test]
fn known_ids_are_the_records() {
    for (id, name) in [
        ("7650+42+E2302B12+C9", "record-25"),
        ("0765+42+2E21BD0F+93", "record-24"),
    ] {
        let puzzle = one(id);
        assert_eq!(bare(&puzzle), bare(&record(name)), "{id}");
        assert_eq!(puzzle.board().targets().len(), 17);
        for format in [
            Format::Json,
            Format::Line,
            Format::Text,
            Format::DriftingDroidsDump,
        ] {
            let text = formats::write(format, &puzzle).unwrap().text;
            let back = formats::write(Format::DriftingDroids, &one(&text)).unwrap();
            assert_eq!(back.text, id, "by way of {format}");
            assert!(back.notes.is_empty());
        }
        let from_record = formats::write(Format::DriftingDroids, &record(name)).unwrap();
        assert_eq!(from_record.text, id);
        let about: Vec<NoteSubject> = from_record.notes.iter().map(|note| note.about).collect();
        assert_eq!(
            about,
            [NoteSubject::Id, NoteSubject::Optimal, NoteSubject::Targets]
        );
    }
}

#[test]
fn the_corpus_goes_through_every_format_that_can_express_it() {
    let mut by_ids = 0;
    for setup in CORPUS.iter().flat_map(|file| formats::read(file).unwrap()) {
        let puzzle = setup.validate().unwrap();
        assert!(check::through_all_formats(&puzzle) >= 5);
        by_ids += usize::from(formats::write(Format::DriftingDroids, &puzzle).is_ok());
    }
    assert!(by_ids >= 500, "{by_ids} puzzles of the corpus have an ID");
}

#[test]
fn every_layout_has_a_short_line_and_an_id_in_both_readings() {
    let robots = [Cell::new(0, 0), Cell::new(15, 15)];
    let goal = Goal {
        robot: None,
        cell: Cell::new(0, 15),
    };
    for layout in Edition::Of2013.layouts() {
        let puzzle = Puzzle::new(layout.board(), &robots, goal).unwrap();
        let line = formats::write(Format::Line, &puzzle).unwrap().text;
        assert_eq!(line, format!("{layout}.00ff.V0f").replace(' ', ""));
        assert_eq!(one(&line), puzzle);
        let has_d = layout
            .quadrants()
            .iter()
            .any(|quadrant| quadrant.face() == 'D');
        for droid_diagonals in [DroidDiagonals::Without, DroidDiagonals::With] {
            let options = WriteOptions { droid_diagonals };
            let written = formats::write_with(Format::DriftingDroids, &puzzle, options);
            if has_d && droid_diagonals == DroidDiagonals::Without {
                assert!(written.is_err(), "diagonals would be lost");
                continue;
            }
            let written = written.unwrap();
            let records =
                read_records(&written.text, None, ReadOptions { droid_diagonals }).unwrap();
            assert_eq!(records[0].setup, puzzle.to_setup());
            let noted = |notes: &[formats::Note]| {
                notes
                    .iter()
                    .any(|note| note.about == NoteSubject::Diagonals)
            };
            assert_eq!(noted(&records[0].notes), has_d);
            assert_eq!(noted(&written.notes), has_d);
            let plain = read_records(&written.text, None, ReadOptions::default()).unwrap();
            assert!(
                plain[0].setup.diagonals.is_empty(),
                "as DriftingDroids reads it"
            );
        }
    }
}

#[test]
fn unused_robots_of_kevincox_stand_in_the_centre() {
    let puzzle = one("7650+42+E2302B12+C9");
    let text = formats::write(Format::Kevincox, &puzzle).unwrap().text;
    let tail: Vec<&str> = text.lines().skip(17).collect();
    assert_eq!(
        tail,
        [
            "robots 5",
            "7 7",
            "2 14",
            "0 3",
            "2 1",
            "11 2",
            "target 0 9 12 4"
        ]
    );
    let solved = format!("{text}\nsolution 1\nmove 4 9 12\n");
    let records = read_records(&solved, None, ReadOptions::default()).unwrap();
    assert_eq!(records[0].notes[0].about, NoteSubject::Solution);
    assert_eq!(records[0].setup.robots.len(), 4);
    // Put the red robot away as well: then the others would have to be renamed.
    let gap = text.replace("\n2 14\n", "\n8 8\n");
    let error = read_as(Format::Kevincox, &gap).unwrap_err().to_string();
    assert!(error.contains("the red robot is not used"), "{error}");
}

#[test]
fn a_position_of_a_url_is_transposed() {
    // Column 1 has a wall north of row 2; nothing else but the rim and a closed cell at (0,0).
    let mut bytes = vec![16, 16];
    bytes.extend([2, 0, 4, 0]);
    bytes.extend([0; 28]);
    bytes.extend([2, 0]);
    bytes.extend([0; 30]);
    bytes.extend([1, 0x31, 0xC1]);
    bytes.extend([5, 0x00, 0x12, 0x00, 0x00, 0x00, 0x34, 1]);
    let url = format!("https://example.org/#s={}", base64_url(&bytes));
    let puzzle = one(&url);
    assert_eq!(puzzle.start().cells(), [Cell::new(1, 2)]);
    assert_eq!(puzzle.goal().cell, Cell::new(3, 4));
    assert_eq!(puzzle.goal().robot, Some(Robot::RED));
    assert!(
        puzzle
            .board()
            .has_wall(Cell::new(1, 2), ricochet_core::Direction::North)
    );
    assert!(puzzle.board().is_closed(Cell::new(0, 0)));
    let diagonal = puzzle.board().diagonals()[0];
    assert_eq!(
        (diagonal.cell, diagonal.lean.symbol()),
        (Cell::new(3, 1), '\\')
    );
    assert_eq!(diagonal.color, Robot::RED);
    let written = formats::write(Format::KevincoxUrl, &puzzle).unwrap().text;
    let fragment = |url: &str| url.split_once('#').map(|(_, data)| data.to_owned());
    assert_eq!(fragment(&written), fragment(&url));
}

/// Base64 of the URL alphabet, without padding, once more by hand.
fn base64_url(bytes: &[u8]) -> String {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let bits: Vec<u8> = bytes
        .iter()
        .flat_map(|byte| (0..8).rev().map(move |i| byte >> i & 1))
        .collect();
    bits.chunks(6)
        .map(|six| (0..6).fold(0, |sum, i| sum * 2 + six.get(i).copied().unwrap_or(0)))
        .map(|value| char::from(alphabet[usize::from(value)]))
        .collect()
}

/// A puzzle as the game writes them, with every kind of cell.
const SKUB: &str = "---\nname: 'It''s small'\nslug: small\nminMoves: 4\ngenOptions:\n  wallsRange:\n    - 6\n---\n\n\
A puzzle.\n\n```\n+ A B C D E F G H +\n1       @\u{332} _       |\n2 #    |          |\n3                 |\n\
4                 |\n5                 |\n6         _ _     |\n7     #\u{332}           |\n8           X|    |\n\
+-----------------+\n```\n";

#[test]
fn skub_puzzles_are_read() {
    let puzzle = one(SKUB);
    assert_eq!(puzzle.id(), Some("It's small"));
    assert_eq!(puzzle.known_optimal(), Some(4));
    let cells = [Cell::new(3, 0), Cell::new(0, 1), Cell::new(2, 6)];
    assert_eq!(puzzle.start().cells(), cells);
    let goal = Goal {
        robot: Some(Robot::RED),
        cell: Cell::new(5, 7),
    };
    assert_eq!(puzzle.goal(), goal);
    let board = puzzle.board();
    for (x, y, side) in [
        (3, 0, Direction::South),
        (4, 0, Direction::South),
        (2, 1, Direction::East),
        (4, 5, Direction::South),
        (5, 5, Direction::South),
        (2, 6, Direction::South),
        (5, 7, Direction::East),
    ] {
        assert!(board.has_wall(Cell::new(x, y), side), "{x},{y} {side}");
    }
    // Two of them in one file, and a piece on the destination.
    let there = SKUB
        .replace('X', " ")
        .replace("#\u{332}", "#\u{302}\u{332}");
    let both = formats::read(&format!("{SKUB}\n{there}")).unwrap();
    assert_eq!(both.len(), 2);
    assert_eq!(both[1].target, Cell::new(2, 6));
    for (from, to, expected) in [
        (
            "8           X",
            "8           H",
            "expected a cell: a space, @, #, X, _ or |",
        ),
        ("8           X", "8            ", "expected 'X'"),
        ("7     #", "7     @", "a second red robot"),
        ("7     #", "7     X", "expected only one goal"),
        ("6  ", "7  ", "expected '6'"),
        ("+ A B", "+ B A", "expected '+ A B C D E F G H +'"),
        ("slug: small", "robots: RG", "expected 'RGB', found 'RG'"),
    ] {
        let error = formats::read(&SKUB.replace(from, to))
            .unwrap_err()
            .to_string();
        assert!(error.contains(expected), "{expected}: {error}");
    }
}

/// Whatever fits on its boards comes back unchanged: names, optima, and which robot is which.
#[test]
fn random_boards_go_through_skub() {
    use ricochet_core::generate::{RandomBoard, Recipe};
    for number in 0..300 {
        let mut recipe = Recipe::random(RandomBoard::new(8, 8));
        recipe.robots = 1 + number as usize % 8;
        let Ok(puzzle) = recipe.puzzle(11, number) else {
            continue;
        };
        let name =
            ["a", "Unnamed", "it's \"so\": #1", "Zwölf\n\u{1f916}", " x "][number as usize % 5];
        let mut setup = puzzle.to_setup();
        setup.targets.clear();
        setup.active = Some(number as usize % setup.robots.len());
        setup.optimal = (number % 3 == 0).then_some(7);
        setup.id = (number % 2 == 0).then(|| name.to_owned());
        let puzzle = setup.clone().validate().unwrap();
        let written = formats::write(Format::Skub, &puzzle).unwrap();
        assert_eq!(written.notes, []);
        let back = read_as(Format::Skub, &written.text).unwrap();
        assert_eq!(back, [setup], "{}", written.text);
        check::through_all_formats(&puzzle);
        // Damage is an error or another puzzle, never a panic.
        for cut in (0..written.text.len()).step_by(7) {
            if let Some(text) = written.text.get(..cut) {
                let _ = read_as(Format::Skub, text);
            }
        }
    }
    let any = one("8x8..00.V77");
    assert!(
        formats::write(Format::Skub, &any).is_err(),
        "one piece is the puck"
    );
}

#[test]
fn old_roboyard_maps_are_read() {
    let map = "name:Level 1;board:3,2;\r\nmh0,0;\nmh1,1;\nmv2,0;\nmv3,1;\ntarget_blue2,1;\nrobot_red0,0;robot_green1,0;robot_blue2,0;\nsolution:bS;num_moves:1;\n\
               board:2,2;tr1,1;rr0,0;";
    let records = read_records(map, None, ReadOptions::default()).unwrap();
    assert_eq!(records.len(), 2);
    let puzzle = records[0].setup.clone().validate().unwrap();
    let (robot, cell) = (Some(Robot::BLUE), Cell::new(2, 1));
    assert_eq!(puzzle.goal(), Goal { robot, cell });
    let board = puzzle.board();
    assert!(board.has_wall(Cell::new(1, 0), Direction::South));
    assert!(board.has_wall(Cell::new(1, 0), Direction::East));
    assert_eq!(records[0].notes.len(), 2);
    assert_eq!((records[0].line, records[1].line), (1, 9));
}

#[test]
fn asp_facts_in_any_order_and_spacing() {
    let facts = "% a comment\nbarrier(1, 1, east). barrier(2,2,west).\r\npos(green,3,3). pos( red , 1,1 ).\ntarget(green,1,3). length(9).\ndim(1..3).";
    let records = read_records(facts, None, ReadOptions::default()).unwrap();
    let puzzle = records[0].setup.clone().validate().unwrap();
    assert_eq!((puzzle.board().width(), puzzle.board().height()), (3, 3));
    assert_eq!(puzzle.start().cells(), [Cell::new(0, 0), Cell::new(2, 2)]);
    let board = puzzle.board();
    assert!(board.has_wall(Cell::new(1, 0), Direction::West));
    assert!(board.has_wall(Cell::new(0, 1), Direction::East));
    assert_eq!(
        puzzle.known_optimal(),
        None,
        "a plan's length is no optimum"
    );
    assert_eq!(records[0].notes[0].about, NoteSubject::Solution);
}

#[test]
fn lireer_gives_one_puzzle_for_each_target() {
    let field = |bottom: bool, right: bool, target: &str| {
        format!(r#"{{"bottom":{bottom},"right":{right},"target":{target}}}"#)
    };
    let text = format!(
        r#"[{{"rob_position":[[0,0],[1,2]]}},{{"fields":[[{},{},{}],[{},{},{}]]}}]"#,
        field(false, true, "null"),
        field(true, false, r#"{"Red":"Circle"}"#),
        field(true, false, "null"),
        field(false, true, r#"{"Hexagon":"Green"}"#),
        field(false, true, r#""Spiral""#),
        field(true, true, "null"),
    );
    let setups = formats::read(&text).unwrap();
    assert_eq!(setups.len(), 3);
    let puzzle = setups[0].clone().validate().unwrap();
    assert_eq!((puzzle.board().width(), puzzle.board().height()), (2, 3));
    let (robot, cell) = (Some(Robot::RED), Cell::new(0, 1));
    assert_eq!(puzzle.goal(), Goal { robot, cell });
    let board = puzzle.board();
    assert!(board.has_wall(Cell::new(1, 0), Direction::West));
    assert!(board.has_wall(Cell::new(0, 2), Direction::North));
    assert_eq!(setups[2].active, None);
    let error = formats::write(Format::Lireer, &puzzle)
        .unwrap_err()
        .to_string();
    assert_eq!(
        error,
        "lireer cannot express this puzzle: it can only be read"
    );
}

/// In the competition's facts red stands in the north-west corner and blue in the south-west one;
/// this corpus once had them exchanged, which no optimum shows.
#[test]
fn the_robots_of_the_competition_have_its_colours() {
    let setups = formats::read(CORPUS[3]).unwrap();
    assert_eq!(setups.len(), 239);
    let corners = [(0, 0), (15, 0), (0, 15), (15, 15)].map(|(x, y)| Cell::new(x, y));
    for setup in &setups {
        assert_eq!(setup.robots, corners, "{:?}", setup.id);
    }
    assert_eq!(setups[0].active, Some(Robot::RED.index()));
}

#[test]
fn a_file_may_mix_the_formats_of_one_line() {
    let text = "# a list\n7650+42+E2302B12+C9\r\n\n1A4B3B2B.1fc1f0c0.B9c\n{\"width\":2,\"height\":2,\"walls\":[9,3,12,6],\"robots\":[[0,0]],\"active\":0,\"target\":[1,1]}\n";
    let records = read_records(text, None, ReadOptions::default()).unwrap();
    let places: Vec<(Format, usize)> = records
        .iter()
        .map(|record| (record.format, record.line))
        .collect();
    assert_eq!(
        places,
        [
            (Format::DriftingDroids, 2),
            (Format::Line, 4),
            (Format::Json, 5)
        ]
    );
}

#[test]
fn a_layout_with_diagonals_of_its_own_keeps_them_in_a_line() {
    let layout: Layout = "1D 4B 3B 2B".parse().unwrap();
    let puzzle = one("1D4B3B2B.00ff.V0f.d.t");
    assert!(puzzle.board().diagonals().is_empty() && puzzle.board().targets().is_empty());
    assert_eq!(puzzle.board().walls(), layout.board().walls());
    assert_eq!(
        formats::write(Format::Line, &puzzle).unwrap().text,
        "1D4B3B2B.00ff.V0f.d.t"
    );
}
