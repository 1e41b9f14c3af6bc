//! Positions in words: everything that can be said comes back, and nothing that is said panics.

use proptest::prelude::*;
use ricochet_core::describe::{
    GoalDescription, Position, Robots, cell_name, moves_in_words, parse_cell, parse_moves,
};
use ricochet_core::quadrants::{Edition, Layout};
use ricochet_core::{Cell, Direction, Goal, Move, Robot, Solution, notation};

fn position(layout: &str, robots: &str, target: &str) -> Result<String, String> {
    let position = Position {
        layout: layout
            .parse()
            .map_err(|error: ricochet_core::quadrants::LayoutError| error.to_string())?,
        robots: robots.parse().map_err(|error| format!("{error}"))?,
        target: target.parse().map_err(|error| format!("{error}"))?,
        must_ricochet: false,
    };
    let setup = position.setup().map_err(|error| error.to_string())?;
    let puzzle = setup.validate().map_err(|error| error.to_string())?;
    Ok(ricochet_core::notation::to_line(&puzzle))
}

#[test]
fn the_same_moves_can_be_said_in_many_ways() {
    for text in [
        "YW YN WW",
        "yw,yn,ww",
        "yellow west, yellow north, silver west",
        "Yellow left up; white left",
        "Y← Y↑ W←",
        "y w y n w w",
        "the yellow robot goes west, then north, and silver to the west",
        "Y-W yellow-up silver: left",
    ] {
        let moves = parse_moves(text).map(|moves| moves.to_string());
        assert_eq!(moves, Ok("YW YN WW".to_owned()), "{text}");
    }
    assert_eq!(parse_moves(" , "), Ok(Solution::default()));
}

#[test]
fn moves_that_are_not_understood_say_what_was_expected() {
    for (text, expected) in [
        (
            "RN jump",
            "'jump' is not a move: expected a robot (RGBYWOPC)",
        ),
        (
            "yellow",
            "expected a direction after 'yellow', such as north, up or N; found nothing",
        ),
        ("yellow green north", "found 'green'"),
        (
            "y yw",
            "expected a direction after 'y', such as north, up or N; found 'yw'",
        ),
        (
            "red jump",
            "expected a direction after 'red', such as north, up or N; found 'jump'",
        ),
        (
            "left",
            "which robot goes west? Expected a robot before 'left', such as red west",
        ),
    ] {
        let error = parse_moves(text).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
}

#[test]
fn the_same_position_can_be_said_in_many_ways() {
    let wanted = Ok("1A4B3B2B.18c1f0c0.G6e".to_owned());
    for layout in [
        "1A 4B 3B 2B",
        "1A4B3B2B",
        "1a-4b-3b-2b",
        "A1, B4, B3, B2",
        "(1A|4B|3B|2B)",
    ] {
        let robots = "R 1,8  G 12,1  B 15,0  Y 12,0";
        assert_eq!(
            position(layout, robots, "green hexagon"),
            wanted,
            "{layout}"
        );
    }
    for robots in [
        "R 1,8  G 12,1  B 15,0  Y 12,0",
        "Y 12,0 B 15,0 R 1,8 G 12,1",
        "R1,8G12,1B15,0Y12,0",
        "red (1,8), green (12,1), blue (15,0) and yellow (12,0)",
        "r=b9; g=m2; b=p1; y=m1",
        "R: 1 8 / G: 12 1 / B: 15 0 / Y: 12 0",
        "the red robot is at column 2 row 9, green at row 2, column 13; Blue p1, YELLOW M1",
    ] {
        assert_eq!(
            position("1A4B3B2B", robots, "green hexagon"),
            wanted,
            "{robots}"
        );
    }
    for target in [
        "green hexagon",
        "hexagon green",
        "the green star",
        "G sun",
        "6,14",
        "g15",
        "green (6,14)",
        "green hexagon at 6,14",
        "Green to g15",
    ] {
        assert_eq!(
            position("1A4B3B2B", "R 1,8  G 12,1  B 15,0  Y 12,0", target),
            wanted,
            "{target}"
        );
    }
}

#[test]
fn errors_say_the_next_right_thing() {
    let robots = "R 1,8  G 12,1  B 15,0  Y 12,0";
    for (layout, robots, target, expected) in [
        (
            "1A 4B 3B",
            robots,
            "vortex",
            "expected four quadrants (north-west, north-east",
        ),
        (
            "1A 4B 3B 5B",
            robots,
            "vortex",
            "expected a number 1 to 4 and a letter A to D",
        ),
        (
            "1A 4B 3B 4A",
            robots,
            "vortex",
            "each of the quadrants 1 to 4 lies on the board once",
        ),
        ("1A4B3B2B", "", "vortex", "such as R 1,8  G 12,1"),
        (
            "1A4B3B2B",
            "R 1,8 R 2,2",
            "vortex",
            "the red robot is listed twice",
        ),
        (
            "1A4B3B2B",
            "R 1,8 B 2,2",
            "vortex",
            "where is the green robot?",
        ),
        (
            "1A4B3B2B",
            "R 1",
            "vortex",
            "expected a row after the column 1, found nothing",
        ),
        (
            "1A4B3B2B",
            "R",
            "vortex",
            "expected the cell of the red robot, a cell such as 1,8",
        ),
        (
            "1A4B3B2B",
            "R 16,0",
            "vortex",
            "columns are 0 to 15, rows 0 to 15",
        ),
        (
            "1A4B3B2B",
            "R -1,0",
            "vortex",
            "expected a cell such as 1,8",
        ),
        ("1A4B3B2B", "R a0", "vortex", "found 'a0'"),
        ("1A4B3B2B", "R column 0 row 3", "vortex", "counts from 1"),
        ("1A4B3B2B", "X 1,2", "vortex", "expected a robot (R or red"),
        (
            "1A4B3B2B",
            "R 7,7",
            "vortex",
            "the red robot at (7,7) is on a closed cell",
        ),
        (
            "1A4B3B2B",
            robots,
            "",
            "such as 'green hexagon', 'vortex' or 'blue 9,12'",
        ),
        (
            "1A4B3B2B",
            robots,
            "green heptagon",
            "'heptagon' is neither a colour nor a shape",
        ),
        (
            "1A4B3B2B",
            robots,
            "pink hexagon",
            "'pink' is not a robot's colour: expected red, green, blue, yellow, silver, ",
        ),
        (
            "1A4B3B2B",
            robots,
            "pink 9,12",
            "'pink' is not a robot's colour",
        ),
        (
            "1A4B3B2B",
            "R z9",
            "vortex",
            "the red robot at (25,8), or z9, is off the board",
        ),
        (
            "1A4B3B2B",
            "R 0,0 B 1,1",
            "vortex",
            "where is the green robot? A position with the blue robot has all those before it: \
             red, green",
        ),
        (
            "1A4B3B2B",
            robots,
            "silver hexagon",
            "there is no silver hexagon on this board: its targets are ",
        ),
        (
            "1A4B3B2B",
            robots,
            "green",
            "several targets match; name one of green square (12,1)",
        ),
        (
            "1A4B3B2B",
            robots,
            "star",
            "several targets match; name one of ",
        ),
        ("1A4B3B2B", robots, "0,0", "'blue 0,0' or 'any 0,0'"),
        ("1A4B3B2B", robots, "red green", "a second colour"),
        (
            "1A4B3B2B",
            "R 0,0",
            "green star",
            "it is not on the board: say where it stands",
        ),
    ] {
        let error = position(layout, robots, target).unwrap_err();
        assert!(
            error.contains(expected),
            "{layout} {robots} {target}: {error}"
        );
    }
    let error = "hexagon"
        .parse::<GoalDescription>()
        .unwrap()
        .goal(&[])
        .unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("no targets are printed on this board")
    );
}

/// A puzzle of a corpus carries its goal alone; the quadrants of its board are known by their walls.
#[test]
fn words_find_the_targets_that_a_source_left_out() {
    let words = |text: &str, target: &str| {
        let mut setup = notation::parse_line(text).unwrap();
        let result = target
            .parse::<GoalDescription>()
            .unwrap()
            .apply_to(&mut setup);
        result.map(|()| setup).map_err(|error| error.to_string())
    };
    // `t`: no targets; `d`: no diagonals, although the quadrants have some.
    for text in ["1A4B3B2B.18c1f0c0.Bab.t", "3C4D2B1C.5eb4111b.Y39.d.t"] {
        let layout: Layout = text[..8].parse().unwrap();
        for target in layout.board().targets() {
            if target.robot == Some(Robot::SILVER) {
                continue;
            }
            let said = GoalDescription::from(*target).to_string();
            let setup = words(text, &said).unwrap();
            assert_eq!(setup.target, target.cell, "{text} {said}");
            assert_eq!(
                setup.active,
                target.robot.map(Robot::index),
                "{text} {said}"
            );
            assert_eq!(setup.targets, layout.board().targets());
            assert!(setup.validate().is_ok(), "{text} {said}");
        }
    }
    let own = words("1A4B3B2B.18c1f0c0.Bab.t", "blue 3,4").unwrap();
    assert!(own.targets.is_empty(), "a cell needs no printed target");
    let error = words("1A4B3B2B.18c1f0c0.Bab.t", "silver hexagon").unwrap_err();
    assert!(error.contains("its targets are"), "{error}");
    let error = words("16x16..18c1f0c0.Bab", "vortex").unwrap_err();
    assert!(error.starts_with("no targets are printed"), "{error}");
    // Targets that somebody made up stay.
    let mut setup = notation::parse_line("1A4B3B2B.18c1f0c0.Bab").unwrap();
    setup.targets.truncate(1);
    setup.targets[0].cell = Cell::new(0, 5);
    let before = setup.targets.clone();
    assert!(
        "vortex"
            .parse::<GoalDescription>()
            .unwrap()
            .apply_to(&mut setup)
            .is_err()
    );
    assert_eq!(setup.targets, before);
}

#[test]
fn editions_have_the_sides_they_say() {
    for edition in Edition::ALL {
        let layouts = edition.layouts();
        assert_eq!(layouts.len(), edition.layout_count());
        for layout in &layouts {
            assert!(
                layout
                    .quadrants()
                    .into_iter()
                    .all(|quadrant| edition.has(quadrant))
            );
        }
    }
    assert!(
        Edition::Of2003
            .layouts()
            .iter()
            .any(|layout| !layout.board().diagonals().is_empty())
    );
}

proptest! {
    #[test]
    fn moves_come_back_from_their_words(
        moves in prop::collection::vec((0..8_usize, 0..4_usize), 0..30),
    ) {
        let moves: Vec<Move> = moves
            .into_iter()
            .map(|(robot, way)| Move { robot: Robot::ALL[robot], direction: Direction::ALL[way] })
            .collect();
        prop_assert_eq!(parse_moves(&moves_in_words(&moves)), Ok(Solution::new(moves)));
    }

    #[test]
    fn no_text_about_moves_panics(text in "\\PC{0,40}|[ rgbywnesNEWS,←↑→↓-]{0,40}") {
        if let Ok(moves) = parse_moves(&text) {
            prop_assert_eq!(parse_moves(&moves.to_string()), Ok(moves));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn every_cell_is_read_back(x in 0..32u8, y in 0..32u8) {
        let cell = Cell::new(x, y);
        prop_assert_eq!(parse_cell(&cell_name(cell)), Ok(cell));
        prop_assert_eq!(parse_cell(&cell.to_string()), Ok(cell));
    }

    #[test]
    fn robots_are_read_back(cells in proptest::collection::vec((0..32u8, 0..32u8), 1..=8)) {
        let cells: Vec<Cell> = cells.into_iter().map(|(x, y)| Cell::new(x, y)).collect();
        let robots = Robots::new(&cells);
        prop_assert_eq!(robots.to_string().parse(), Ok(robots));
        let said: Vec<String> = Robot::ALL.into_iter().zip(&cells).rev()
            .map(|(robot, &cell)| format!("{robot} {}", cell_name(cell)))
            .collect();
        prop_assert_eq!(said.join(" and ").parse(), Ok(robots));
    }

    #[test]
    fn goals_are_read_back(x in 0..32u8, y in 0..32u8, robot in proptest::option::of(0..8usize)) {
        let goal = Goal { robot: robot.map(|index| Robot::ALL[index]), cell: Cell::new(x, y) };
        let wanted = GoalDescription::from(goal);
        prop_assert_eq!(wanted.to_string().parse(), Ok(wanted));
        prop_assert_eq!(wanted.goal(&[]), Ok(goal));
    }

    #[test]
    fn official_positions_are_read_back(puzzle in crate::support::random::official_puzzle()) {
        if let Some(position) = Position::from_puzzle(&puzzle) {
            let said = Position {
                layout: position.layout.to_string().parse().unwrap(),
                robots: position.robots.to_string().parse().unwrap(),
                target: position.target.to_string().parse().unwrap(),
                must_ricochet: puzzle.rules().must_ricochet,
            };
            let back = said.setup().unwrap().validate().unwrap();
            prop_assert_eq!(back.board(), puzzle.board());
            prop_assert_eq!(back.start(), puzzle.start());
            prop_assert_eq!(back.goal(), puzzle.goal());
            prop_assert_eq!(back.rules(), puzzle.rules());
        }
    }

    #[test]
    fn any_words_are_harmless(text in ".{0,60}") {
        support_words(&text);
    }

    #[test]
    fn any_likely_words_are_harmless(text in "([RGBYredgnhxaostcolumw]{0,6}[ ,;()]{0,2}[0-9]{0,3}[ ,]?){0,8}") {
        support_words(&text);
    }
}

fn support_words(text: &str) {
    let board = Edition::Of2013.layout(7).board();
    let _ = parse_cell(text);
    let _ = text.parse::<Layout>();
    let mut setup = ricochet_core::Setup::from_board(board);
    if let Ok(robots) = text.parse::<Robots>() {
        assert_eq!(robots.to_string().parse(), Ok(robots));
        let _ = robots.place(&mut setup);
    }
    if let Ok(wanted) = text.parse::<GoalDescription>() {
        assert_eq!(wanted.to_string().parse(), Ok(wanted));
        let _ = wanted.apply_to(&mut setup);
    }
}
