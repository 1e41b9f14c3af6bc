//! Text as a player's words for cells, layouts, robots, targets and moves.
#![no_main]

use ricochet_core::Setup;
use ricochet_core::describe::{Robots, GoalDescription, parse_cell, parse_moves, moves_in_words};
use ricochet_core::quadrants::{Edition, Layout};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let _ = parse_cell(text);
    if let Ok(layout) = text.parse::<Layout>() {
        assert_eq!(layout.to_string().parse(), Ok(layout));
    }
    if let Ok(moves) = parse_moves(text) {
        assert_eq!(parse_moves(&moves_in_words(moves.moves())), Ok(moves));
    }
    let mut setup = Setup::from_board(Edition::Of2013.layout(7).board());
    if let Ok(robots) = text.parse::<Robots>() {
        assert_eq!(robots.to_string().parse(), Ok(robots.clone()));
        let _ = robots.place(&mut setup);
    }
    if let Ok(wanted) = text.parse::<GoalDescription>() {
        assert_eq!(wanted.to_string().parse(), Ok(wanted));
        let _ = wanted.apply_to(&mut setup);
    }
});
