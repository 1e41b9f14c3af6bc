//! Pictures of all kinds of puzzles: well-formed, of the promised size, and some pinned.

use crate::support::{everything, official, place, slides_puzzle, slides_solution, wander};
use proptest::prelude::*;
use ricochet_core::quadrants::Edition;
use ricochet_core::{Board, Cell, Direction, Goal, Lean, Puzzle, Robot, Shape};
use ricochet_draw::{CELL_SIZES, ColorRole, Overlay, Paper, Picture, Theme};

/// A puzzle of any size with a few of everything.
fn puzzles() -> impl Strategy<Value = Puzzle> {
    let cell = || (0..32u8, 0..32u8).prop_map(|(x, y)| Cell::new(x, y));
    let walls = prop::collection::vec((cell(), 0..4usize), 0..60);
    let things = prop::collection::vec((cell(), 0..8usize, any::<bool>(), 0..5usize), 0..20);
    let robots = prop::collection::vec(cell(), 1..=8);
    (
        2..=32usize,
        2..=32usize,
        walls,
        things,
        robots,
        cell(),
        any::<bool>(),
        cell(),
    )
        .prop_map(
            |(width, height, walls, things, robots, goal, any, closed)| {
                let on = |c: Cell| Cell::new(c.x % width as u8, c.y % height as u8);
                let mut robots: Vec<Cell> = robots.into_iter().map(on).collect();
                robots.sort();
                robots.dedup();
                let goal = Goal {
                    robot: (!any).then_some(Robot::RED),
                    cell: on(goal),
                };
                let mut builder = Board::builder(width, height);
                for (c, side) in walls {
                    builder.add_wall(on(c), Direction::from_index(side));
                }
                let mut taken = robots.clone();
                taken.push(goal.cell);
                if !taken.contains(&on(closed)) {
                    builder = builder.close(on(closed));
                }
                let mut seen = vec![on(closed)];
                for (c, color, diagonal, shape) in things {
                    let c = on(c);
                    if seen.contains(&c) {
                        continue;
                    }
                    seen.push(c);
                    let robot = Robot::new(color).unwrap();
                    builder = if diagonal {
                        let lean = [Lean::Slash, Lean::Backslash][shape % 2];
                        builder.diagonal(c, lean, robot)
                    } else {
                        let shape = Shape::ALL[shape];
                        builder.target(c, (shape != Shape::Vortex).then_some(robot), shape)
                    };
                }
                // Walls of neighbours may have closed a cell that something stands on.
                let board = builder.build().ok()?;
                Puzzle::new(board, &robots, goal).ok()
            },
        )
        .prop_filter_map("something stands on a closed cell", |puzzle| puzzle)
}

pub(crate) fn assert_well_formed(svg: &str) {
    if let Err(error) = roxmltree::Document::parse(svg) {
        panic!("{error}\n{svg}");
    }
    assert!(
        !svg.contains("NaN") && !svg.contains("inf"),
        "numbers are finite"
    );
}

/// Width and height, from the file's header.
fn png_size(png: &[u8]) -> (u32, u32) {
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_puzzle_can_be_drawn(
        puzzle in puzzles(),
        moves in 0..30usize,
        seed in any::<u64>(),
        cell in 0..60u32,
        theme in 0..4usize,
        coordinates in any::<bool>(),
        caption in ".{0,40}",
    ) {
        let theme = Theme::from_name(Theme::NAMES[theme]).unwrap();
        let trace = wander(&puzzle, moves, seed);
        let overlay = Overlay::new(caption.clone(), puzzle.board(), |c| {
            (c.x != 1).then(|| u32::from(c.x) * 7 + u32::from(c.y))
        });
        let plain = Picture::new(&puzzle).theme(theme).cell_size(cell).coordinates(coordinates);
        let solved = plain.clone().solution(&trace).caption(caption);
        for picture in [plain.clone(), solved, plain.overlay(&overlay)] {
            assert_well_formed(&picture.svg());
        }
        for text in [ricochet_draw::Terminal::unicode(), ricochet_draw::Terminal::ascii()] {
            text.puzzle(&puzzle);
            text.overlay(&puzzle, &overlay);
            let last = text.solution(&puzzle, &trace).last().map(|panel| panel.last);
            prop_assert_eq!(last, Some(trace.steps.len()));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[cfg(feature = "raster")]
    #[test]
    fn pixels_have_the_promised_size(puzzle in puzzles(), seed in any::<u64>(), cell in 8..24u32) {
        let trace = wander(&puzzle, 3, seed);
        let picture = Picture::new(&puzzle).cell_size(cell).solution(&trace);
        let size = picture.size();
        prop_assert_eq!(png_size(&picture.png().unwrap()), size);
        let gif = picture.gif().unwrap();
        let word = |at: usize| u32::from(u16::from_le_bytes([gif[at], gif[at + 1]]));
        prop_assert_eq!(word(6), size.0);
        prop_assert!(word(8) > size.1, "a line of text below the board");
    }
}

#[test]
fn all_official_boards_can_be_drawn() {
    for (i, layout) in Edition::Of2013.layouts().into_iter().enumerate().step_by(7) {
        let puzzle = place(layout.board(), 4 + i % 5, i % 17);
        let trace = wander(&puzzle, 8, i as u64);
        assert_well_formed(&Picture::new(&puzzle).solution(&trace).svg());
    }
}

#[test]
fn some_pictures_are_pinned() {
    let puzzle = everything();
    insta::assert_snapshot!(
        "everything_svg",
        Picture::new(&puzzle).coordinates(true).svg()
    );
    let trace = wander(&puzzle, 6, 2);
    let way = Picture::new(&puzzle)
        .theme(Theme::PRINT)
        .cell_size(24)
        .solution(&trace);
    insta::assert_snapshot!("everything_way_svg", way.svg());
    let overlay = Overlay::new("marks & <signs>", puzzle.board(), |cell| {
        (cell.x == cell.y).then(|| u32::from(cell.x % 2))
    })
    .name(0, "even")
    .name(1, "odd");
    let marks = Picture::new(&puzzle).theme(Theme::DARK).overlay(&overlay);
    insta::assert_snapshot!("everything_overlay_svg", marks.svg());
}

#[test]
fn themes_and_paper_have_names() {
    for name in Theme::NAMES {
        let theme = Theme::from_name(name);
        assert!(theme.is_some());
        assert_eq!(Theme::from_name(&name.to_uppercase()), theme);
    }
    assert_eq!(Theme::from_name("Dark"), Some(Theme::DARK));
    assert_eq!(Theme::from_name("pink"), None);
    assert_eq!(Paper::from_name("A4"), Some(Paper::A4));
    assert_eq!(Paper::from_name("letter"), Some(Paper::Letter));
    assert_eq!(Paper::from_name("a3"), None);
}

#[test]
fn a_picture_has_a_margin_around_its_cells() {
    let puzzle = place(Board::builder(8, 4).build().unwrap(), 1, 0);
    assert_eq!(Picture::new(&puzzle).cell_size(40).size(), (352, 192));
}

#[cfg(feature = "pdf")]
#[test]
fn a_picture_can_be_a_pdf() {
    assert!(Picture::new(&everything()).pdf().starts_with(b"%PDF-1.4"));
}

#[test]
fn the_size_of_a_cell_is_clamped() {
    let puzzle = everything();
    for (asked, got) in [(0, *CELL_SIZES.start()), (9999, *CELL_SIZES.end())] {
        let size = Picture::new(&puzzle).cell_size(asked).size();
        assert_eq!(size, Picture::new(&puzzle).cell_size(got).size());
    }
}

/// The greatest extent of the paths of one group, from the SVG: left, top, right, bottom.
fn extents(svg: &str, class: &str) -> Vec<[f32; 4]> {
    let document = roxmltree::Document::parse(svg).unwrap();
    let group = document
        .descendants()
        .find(|node| node.attribute("class") == Some(class))
        .unwrap_or_else(|| panic!("no group {class}"));
    let paths = group.children().filter_map(|node| node.attribute("d"));
    paths
        .map(|data| {
            let mut extent = [f32::MAX, f32::MAX, f32::MIN, f32::MIN];
            let (mut x, mut y) = (0.0, 0.0);
            let spaced: String = data
                .chars()
                .map(|c| {
                    if c.is_alphabetic() {
                        format!(" {c} ")
                    } else {
                        c.to_string()
                    }
                })
                .collect();
            let mut command = 'M';
            let mut numbers: Vec<f32> = Vec::new();
            for word in spaced.split_whitespace() {
                match word.parse::<f32>() {
                    Err(_) => command = word.chars().next().unwrap(),
                    Ok(number) => numbers.push(number),
                }
                match (command, numbers.len()) {
                    ('H', 1) => x = numbers[0],
                    ('V', 1) => y = numbers[0],
                    ('M' | 'L', 2) => (x, y) = (numbers[0], numbers[1]),
                    ('C', 6) => (x, y) = (numbers[4], numbers[5]),
                    _ => continue,
                }
                numbers.clear();
                extent = [
                    extent[0].min(x),
                    extent[1].min(y),
                    extent[2].max(x),
                    extent[3].max(y),
                ];
            }
            extent
        })
        .collect()
}

#[test]
fn coordinates_of_small_cells_are_whole_and_apart() {
    let puzzle = place(Board::builder(32, 32).build().unwrap(), 8, 0);
    for cell in [8, 9, 10, 12, 14, 20, 24, 40] {
        let svg = Picture::new(&puzzle)
            .cell_size(cell)
            .coordinates(true)
            .svg();
        let labels = extents(&svg, "coordinates");
        assert!(labels.len() >= 8, "{} labels", labels.len());
        for (i, a) in labels.iter().enumerate() {
            assert!(a[0] >= 0.5 && a[1] >= 0.5, "cut at cells of {cell}: {a:?}");
            for b in &labels[..i] {
                let apart = a[0] - b[2] >= 1.5
                    || b[0] - a[2] >= 1.5
                    || a[1] - b[3] >= 1.5
                    || b[1] - a[3] >= 1.5;
                assert!(apart, "cells of {cell}: {a:?} touches {b:?}");
            }
        }
    }
}

/// Blue goes one cell north, to where green started: between the two starts there is less room than
/// an arrowhead needs, so it is above them. The number is above all.
#[test]
fn no_piece_hides_an_arrowhead() {
    let goal = Goal {
        robot: Some(Robot::RED),
        cell: Cell::new(5, 0),
    };
    let board = Board::builder(6, 3).wall(Cell::new(0, 1), ricochet_core::Direction::North);
    let board = board.build().unwrap();
    let robots = [(5, 1), (0, 1), (0, 2)].map(|(x, y)| Cell::new(x, y));
    let puzzle = Puzzle::new(board, &robots, goal).unwrap();
    let moves: ricochet_core::Solution = "GE BN BE RN".parse().unwrap();
    let trace = moves.replay(&puzzle).unwrap();
    assert_eq!(trace.steps[1].to, puzzle.start()[Robot::GREEN]);
    let svg = Picture::new(&puzzle).solution(&trace).svg();
    let groups = ["paths", "starts", "robots", "arrowheads", "numbers"];
    let places = groups.map(|class| svg.find(&format!("class=\"{class}\"")).expect(class));
    assert!(places.is_sorted(), "{places:?}");
    assert_eq!(extents(&svg, "arrowheads").len(), trace.steps.len());
}

/// On the smallest cells, strokes of half a pixel would be a blur: letters and numbers consist of
/// whole pixels, five of them high, and no number is wider than its cell.
#[test]
fn letters_and_numbers_of_small_cells_are_whole_pixels() {
    let puzzle = slides_puzzle();
    let trace = slides_solution().replay(&puzzle).unwrap();
    for cell in [8, 9, 10, 11] {
        let picture = Picture::new(&puzzle).cell_size(cell).solution(&trace);
        let svg = picture.svg();
        for (class, count) in [("robots", 4), ("numbers", trace.steps.len())] {
            let texts = extents(&svg, class);
            assert_eq!(texts.len(), count, "{class} on cells of {cell}");
            for text in texts {
                let whole = text.iter().all(|side| side.fract() == 0.0);
                assert!(whole, "{class} on cells of {cell}: {text:?}");
                let [left, top, right, bottom] = text;
                assert!((bottom - top - 5.0).abs() < 0.1 && right - left <= cell as f32);
            }
        }
    }
}

#[test]
fn the_start_of_a_robot_is_shown_where_another_one_ends() {
    let goal = Goal {
        robot: Some(Robot::RED),
        cell: Cell::new(5, 0),
    };
    let board = Board::builder(6, 3).build().unwrap();
    let puzzle = Puzzle::new(board, &[Cell::new(0, 0), Cell::new(5, 0)], goal).unwrap();
    let moves: ricochet_core::Solution = "GS RE".parse().unwrap();
    let trace = moves.replay(&puzzle).unwrap();
    assert_eq!(trace.end()[Robot::RED], puzzle.start()[Robot::GREEN]);
    let svg = Picture::new(&puzzle).solution(&trace).svg();
    let robots = svg.find("class=\"robots\"").unwrap();
    let start = svg.find("class=\"covered-starts\"").unwrap();
    assert!(start > robots, "it is drawn above the robots");
    let color = Theme::LIGHT.color(ricochet_draw::ColorRole::Start(Robot::GREEN));
    assert!(svg[start..].contains(&color.to_string()));
}

#[test]
fn a_picture_says_in_words_what_it_shows() {
    let puzzle = slides_puzzle();
    let trace = slides_solution().replay(&puzzle).unwrap();
    let svg = Picture::new(&puzzle).solution(&trace).svg();
    assert!(svg.contains("<title>slides-22: blue to (9,12)</title>"));
    assert!(svg.contains("Moves: BS BW BN"));
}

#[test]
fn letters_are_legible_on_robots_in_every_theme() {
    for name in Theme::NAMES {
        let theme = Theme::from_name(name).unwrap();
        for robot in Robot::ALL {
            let ground = theme.robot(robot);
            let contrast = (ground.lightness() - theme.letter_on(ground).lightness()).abs();
            assert!(contrast > 0.35, "{name} {robot}: {contrast}");
            let line = (theme.robot_line(robot).lightness() - theme.board.lightness()).abs();
            assert!(line > 0.2, "{name} {robot}: a line differs by {line} only");
        }
    }
}

/// What is printed in grey, or copied, has no colours to tell robots apart.
#[test]
fn robots_are_told_apart_in_grey_print() {
    let grey = |robot: Robot| Theme::PRINT.robot(robot).lightness();
    for a in Robot::ALL {
        for b in Robot::ALL.into_iter().filter(|&b| b != a) {
            let apart = (grey(a) - grey(b)).abs();
            let both_of_every_game = a.index() < 4 && b.index() < 4;
            let wanted = if both_of_every_game { 0.2 } else { 0.1 };
            assert!(apart > wanted, "{a} and {b}: {apart}");
        }
    }
}

/// A target in pale grey on white paper has an edge that is seen.
#[test]
fn targets_are_seen_in_grey_print() {
    let puzzle = everything();
    let svg = Picture::new(&puzzle).theme(Theme::PRINT).svg();
    let targets = svg.split_once("class=\"targets\"").unwrap().1;
    let targets = targets.split_once("</g>").unwrap().0;
    let edge = Theme::PRINT.color(ColorRole::TargetLetter(Robot::YELLOW));
    let fill = Theme::PRINT.color(ColorRole::Target(Robot::YELLOW));
    assert!(edge.lightness() < 0.5 && fill.lightness() > 0.9);
    for line in targets.lines() {
        if line.contains(&format!("fill=\"{fill}\"")) {
            assert!(line.contains(&format!("stroke=\"{edge}\"")), "{line}");
        }
    }
    assert!(targets.contains(&format!("fill=\"{fill}\"")), "{targets}");

    // The letters are larger than where colours help.
    let letters = |theme: Theme| {
        let svg = Picture::new(&puzzle).theme(theme).cell_size(100).svg();
        let document = roxmltree::Document::parse(&svg).unwrap();
        let group = document
            .descendants()
            .find(|node| node.attribute("class") == Some("targets"));
        let strokes = group.unwrap().children().filter(|node| {
            node.attribute("fill") == Some("none") && node.attribute("stroke-width").is_some()
        });
        let widths = strokes.filter_map(|node| node.attribute("stroke-width")?.parse().ok());
        widths.collect::<Vec<f32>>()
    };
    let (grey, light) = (letters(Theme::PRINT), letters(Theme::LIGHT));
    assert_eq!(grey.len(), light.len());
    assert!(grey.iter().zip(&light).all(|(grey, light)| grey >= light));
    assert!(
        grey.iter()
            .zip(&light)
            .any(|(grey, light)| *grey > 1.5 * light)
    );
}

#[cfg(feature = "raster")]
mod raster {
    use super::*;

    #[test]
    fn a_long_solution_makes_a_small_animation() {
        let puzzle = slides_puzzle();
        let trace = slides_solution().replay(&puzzle).unwrap();
        let gif = Picture::new(&puzzle)
            .cell_size(40)
            .solution(&trace)
            .gif()
            .unwrap();
        assert!(gif.len() < 900_000, "{} bytes", gif.len());
    }

    #[test]
    fn the_frames_of_an_animation_add_up_to_the_last_position() {
        let puzzle = official("1D 4D 3D 2D", 4, 3);
        let trace = wander(&puzzle, 4, 7);
        let picture = Picture::new(&puzzle).cell_size(20).solution(&trace);
        let file = picture.gif().unwrap();
        let word = |at: usize| u32::from(u16::from_le_bytes([file[at], file[at + 1]]));
        let (width, height) = (word(6), word(8));
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(&file[..]).unwrap();
        let mut canvas = vec![[0u8; 3]; (width * height) as usize];
        let (mut frames, mut last_delay) = (0, 0);
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            if frames == 0 {
                assert_eq!(
                    (u32::from(frame.width), u32::from(frame.height)),
                    (width, height)
                );
            }
            for (i, pixel) in frame.buffer.chunks(4).enumerate() {
                let (x, y) = (i % usize::from(frame.width), i / usize::from(frame.width));
                let (x, y) = (x + usize::from(frame.left), y + usize::from(frame.top));
                if pixel[3] == 255 {
                    canvas[y * width as usize + x] = [pixel[0], pixel[1], pixel[2]];
                }
            }
            frames += 1;
            last_delay = frame.delay;
        }
        assert!(
            frames > 20 && last_delay >= 200,
            "{frames} frames, {last_delay}"
        );
        // Flat colours survive the palette: each robot's colour is on its last cell.
        for (robot, cell) in trace.end().iter() {
            let left = 8 + usize::from(cell.x) * 20;
            let top = 8 + usize::from(cell.y) * 20;
            let color = Theme::LIGHT.robot(robot);
            let found = (0..400).any(|i| {
                canvas[(top + i / 20) * width as usize + left + i % 20]
                    == [color.r, color.g, color.b]
            });
            assert!(found, "the {robot} robot is not at {cell}");
        }
    }
}

/// On grey paper a robot and a round target with a letter each must not look the same.
#[test]
fn robots_and_targets_are_told_apart_in_grey_print() {
    let cells = [(0, 0), (1, 0), (2, 0), (3, 0)].map(|(x, y)| Cell::new(x, y));
    let robots = &Robot::ALL[..cells.len()];
    let board = robots
        .iter()
        .zip(cells)
        .fold(Board::builder(6, 6), |board, (&robot, cell)| {
            let below = Cell::new(cell.x, 3);
            board.target(below, Some(robot), Shape::Circle)
        });
    let board = board.build().unwrap();
    for &robot in robots {
        // On a printed target, and on a cell without one.
        for y in [3, 5] {
            let cell = Cell::new(cells[robot.index()].x, y);
            let goal = Goal {
                robot: Some(robot),
                cell,
            };
            let puzzle = Puzzle::new(board.clone(), &cells, goal).unwrap();
            let svg = Picture::new(&puzzle).theme(Theme::PRINT).svg();
            let document = roxmltree::Document::parse(&svg).unwrap();
            let discs = |robots: bool| {
                let circles = document.descendants();
                let circles = circles.filter(|node| node.has_tag_name("circle"));
                let of = move |node: &roxmltree::Node<'_, '_>| {
                    let mut groups = node.ancestors().filter_map(|node| node.attribute("class"));
                    groups.any(|class| class == "robots") == robots
                };
                circles.filter(of).collect::<Vec<_>>()
            };
            let width = |node: &roxmltree::Node<'_, '_>| -> f32 {
                let width = node.attribute("stroke-width");
                width.map_or(0.0, |width| width.parse().unwrap())
            };
            let (pieces, targets) = (discs(true), discs(false));
            assert_eq!(pieces.len(), 4);
            assert!(targets.len() >= 4, "{}", targets.len());
            for piece in &pieces {
                assert_eq!(piece.attribute("stroke"), Some("#000000"));
                for target in &targets {
                    assert_ne!(piece.attribute("fill"), target.attribute("fill"));
                    assert!(width(piece) >= 1.8 * width(target), "{robot:?}");
                }
            }
        }
    }
    // Not by a rim alone: a target is paler than the palest robot of every game.
    let lightness = |role| Theme::PRINT.color(role).lightness();
    let palest = robots
        .iter()
        .map(|&robot| lightness(ColorRole::Robot(robot)));
    let palest = palest.fold(0.0, f32::max);
    for &robot in robots {
        assert!(lightness(ColorRole::Target(robot)) > palest, "{robot:?}");
    }
}
