//! Numbers for the cells of a board that is shown or drawn.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use ricochet::Puzzle;
use ricochet_draw::Overlay;
use ricochet_solve::overlay::{self, Kind};

/// What to lay over a board, for every command that has boards.
#[derive(clap::Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Overlay")]
pub(crate) struct OverlayArgs {
    /// Numbers for the cells: min-moves (the slides' map), critical (paths by degree),
    /// critical-positions (where a helper could stop the robot on one), cross-block (score of a
    /// helper there), reach (moves after which the robot can stop there)
    #[arg(long, value_name = "WHAT", value_parser = kinds(), hide_possible_values = true)]
    pub(crate) overlay: Option<Kind>,

    /// The highest degree of the critical paths that an overlay shows
    #[arg(
        long,
        value_name = "N",
        default_value_t = Kind::DEGREE,
        value_parser = clap::value_parser!(u32).range(1..),
        requires = "overlay"
    )]
    degree: u32,
}

fn kinds() -> impl TypedValueParser<Value = Kind> {
    PossibleValuesParser::new(Kind::ALL.map(Kind::name))
        .try_map(|name| Kind::from_name(&name).ok_or("no such overlay"))
}

impl OverlayArgs {
    /// The overlay that was asked for.
    pub(crate) fn of(self, puzzle: &Puzzle) -> Option<Overlay> {
        let kind = self.overlay?;
        let (title, values) = match kind {
            Kind::MinMoves => (
                "Moves at least, if the robot could stop anywhere",
                overlay::min_moves(puzzle),
            ),
            Kind::Critical => (
                "Critical paths: moves to the target without help",
                overlay::critical_paths(puzzle, self.degree),
            ),
            Kind::CriticalPositions => (
                "Critical positions: degree of the path that a helper there would serve",
                overlay::critical_positions(puzzle, self.degree),
            ),
            Kind::CrossBlock => (
                "Cross block positions: moves once a helper is there",
                overlay::cross_block_scores(puzzle, self.degree),
            ),
            Kind::Reach => (
                "Moves after which the robot can stop there",
                overlay::reach(puzzle),
            ),
        };
        Some(Overlay::from_values(title, values))
    }
}
