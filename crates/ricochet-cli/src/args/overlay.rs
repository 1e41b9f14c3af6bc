//! `--overlay`: a number in each cell of a board.

use crate::args::whole_number::whole_number;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use ricochet_core::Puzzle;
use ricochet_draw::Overlay;
use ricochet_service::questions::overlay::OverlayAnswer;
use ricochet_solve::heuristics::overlay::Kind;

/// The overlay, for every command that draws boards.
#[derive(clap::Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Overlay")]
pub(crate) struct OverlayArgs {
    /// Show a number in each cell, for the robot that has to reach the target (the goal robot):
    /// min-moves (lower bound on its moves from there to the target), reach (moves it needs to stop
    /// there), critical (moves left on a critical path: one that reaches the target without another
    /// robot's help), critical-positions (moves left from the critical path next to the cell, where
    /// another robot would stop the goal robot), cross-block (the goal robot's total moves if another
    /// robot, standing in this cell, stops it on a critical path)
    #[arg(long, value_name = "WHAT", value_parser = kinds(), hide_possible_values = true)]
    pub(crate) overlay: Option<Kind>,

    /// With --overlay: the maximum number of moves of a critical path, 1 or more
    #[arg(
        long,
        value_name = "N",
        default_value_t = Kind::DEGREE,
        value_parser = whole_number::<u32>(1..),
        requires = "overlay",
        hide_short_help = true
    )]
    degree: u32,
}

fn kinds() -> impl TypedValueParser<Value = Kind> {
    PossibleValuesParser::new(Kind::ALL.map(Kind::name))
        .try_map(|name| Kind::from_name(&name).ok_or("no such overlay"))
}

impl OverlayArgs {
    /// The requested overlay, for programs.
    pub(crate) fn answer(self, puzzle: &Puzzle) -> Option<OverlayAnswer> {
        Some(OverlayAnswer::of(puzzle, self.overlay?, self.degree))
    }

    /// The requested overlay.
    pub(crate) fn of(self, puzzle: &Puzzle) -> Option<Overlay> {
        let answer = self.answer(puzzle)?;
        Some(Overlay::from_values(answer.title, answer.values))
    }
}
