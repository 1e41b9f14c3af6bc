//! Which puzzles a command works on, and how they are read.

use std::sync::Arc;

use anyhow::Context;
use ricochet_core::describe::plural;
use ricochet_core::describe::{GoalDescription, Position, Robots, join_with_and};
use ricochet_core::formats::{DroidDiagonals, Format, Note, NoteSubject, ReadOptions, Record};
use ricochet_core::quadrants::Layout;
use ricochet_core::{Robot, Setup};

use crate::args::names::corpus_names;
use crate::batch::Batch;
use crate::input::{InputError, Source, UncheckedPuzzle};

/// Every edition has at least this many robots.
const ROBOTS_OF_THE_GAME: usize = 4;

/// The puzzles of a command that takes any number of them.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct PuzzlesArgs {
    /// Files, directories, one-line notation, DriftingDroids IDs, URLs, or built-in puzzles such as
    /// random or random:2. With none, or -, read standard input
    #[arg(
        value_name = "PUZZLE",
        value_parser = corpus_names(),
        hide_possible_values = true,
        help_heading = None
    )]
    pub(crate) names: Vec<String>,

    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

impl PuzzlesArgs {
    /// The batch of all puzzles. With `json`, unreadable puzzles get a row each.
    pub(crate) fn batch(&self, json: bool) -> anyhow::Result<Batch> {
        Batch::new(&self.names, self.read, json)
    }
}

/// A position in words and how puzzles are read, for every command that takes puzzles.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Position")]
pub(crate) struct ReadArgs {
    /// The quadrants of the board, north-west first and clockwise, such as "1A 4B 3B 2B"
    #[arg(long, value_name = "LAYOUT")]
    pub(crate) layout: Option<Layout>,

    /// The robots' cells, such as "R 1,8 G 12,1" or "red b9, green m2". With PUZZLE, places these
    /// robots there and leaves the others where they are
    #[arg(long, value_name = "CELLS")]
    pub(crate) robots: Option<Robots>,

    /// The target, such as "green hexagon", vortex or "blue 9,12". With PUZZLE, replaces its target
    #[arg(long, value_name = "TARGET")]
    pub(crate) target: Option<GoalDescription>,

    #[command(flatten)]
    pub(crate) options: ReadOptionArgs,
}

/// How puzzles are read, for commands that have options of their own for board, robots and target.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Input")]
pub(crate) struct ReadOptionArgs {
    /// Require the robot that reaches the target to turn at a right angle at least once
    #[arg(long)]
    pub(crate) must_ricochet: bool,

    /// If only one of two adjacent cells has the wall between them, add it to the other
    #[arg(long, hide_short_help = true)]
    pub(crate) repair_walls: bool,

    /// When reading DriftingDroids IDs, include the diagonals of the D quadrants, as kevincox's
    /// site does
    #[arg(long, hide_short_help = true)]
    pub(crate) with_diagonals: bool,
}

impl From<ReadOptionArgs> for ReadArgs {
    fn from(options: ReadOptionArgs) -> Self {
        Self {
            options,
            ..Self::default()
        }
    }
}

impl ReadArgs {
    /// The options as they appear in the task of a part.
    pub(crate) fn task_json(self) -> serde_json::Value {
        serde_json::json!({
            "layout": self.layout.map(|layout| layout.to_string()),
            "robots": self.robots.map(|robots| robots.to_string()),
            "target": self.target.map(|target| target.to_string()),
            "must_ricochet": self.options.must_ricochet,
            "repair_walls": self.options.repair_walls,
            "with_diagonals": self.options.with_diagonals,
        })
    }

    pub(crate) fn options(self) -> ReadOptions {
        ReadOptions {
            droid_diagonals: if self.options.with_diagonals {
                DroidDiagonals::With
            } else {
                DroidDiagonals::Without
            },
        }
    }

    /// The puzzle that the options describe, if --layout is among them. An invalid position is an
    /// unreadable puzzle, as it would be in a file.
    ///
    /// # Errors
    /// If options are missing, or if there are arguments as well.
    pub(crate) fn puzzle_in_words(
        self,
        arguments: &[String],
    ) -> anyhow::Result<Option<Result<UncheckedPuzzle, InputError>>> {
        let Some(layout) = self.layout else {
            return Ok(None);
        };
        if let Some(argument) = arguments.first() {
            anyhow::bail!(
                "--layout describes the puzzle itself: leave out '{}', or --layout",
                argument.escape_debug()
            );
        }
        let position = Position {
            layout,
            robots: self.robots.context(
                "--layout also needs the robots, such as --robots \"R 1,8  G 12,1  B 15,0  Y 12,0\"",
            )?,
            target: self
                .target
                .context("--layout also needs the target, such as --target \"green hexagon\"")?,
            must_ricochet: self.options.must_ricochet,
        };
        let name: Arc<str> = Arc::from(layout.to_string());
        let setup = match position.setup() {
            Ok(setup) => setup,
            Err(error) => {
                let error = InputError::new(Source::whole(&name), error.to_string());
                return Ok(Some(Err(error)));
            }
        };
        let notes = missing_robots(setup.robots.len()).into_iter().collect();
        let record = Record {
            setup,
            format: Format::Line,
            line: 1,
            notes,
        };
        Ok(Some(Ok(UncheckedPuzzle::new(Source::whole(&name), record))))
    }

    /// Moves the robots and the target of a puzzle that was read.
    pub(crate) fn change(self, setup: &mut Setup) -> Result<(), String> {
        let words = |error: ricochet_core::describe::DescriptionError| error.to_string();
        if let Some(robots) = self.robots {
            robots.place(setup).map_err(words)?;
        }
        if let Some(target) = self.target {
            target.apply_to(setup).map_err(words)?;
        }
        Ok(())
    }
}

/// A note about robots that were left out: the puzzle can be solved without them, but it is not the
/// one on the table.
fn missing_robots(count: usize) -> Option<Note> {
    let missing: Vec<String> = Robot::ALL[..ROBOTS_OF_THE_GAME]
        .iter()
        .skip(count)
        .map(ToString::to_string)
        .collect();
    let are = |count: usize| if count == 1 { "is" } else { "are" };
    (!missing.is_empty()).then(|| {
        Note::new(
            NoteSubject::Robots,
            format!(
                "there {} {} on the board, and the game has {ROBOTS_OF_THE_GAME}: {} {} missing",
                are(count),
                plural(count, "robot"),
                join_with_and(&missing),
                are(missing.len())
            ),
        )
    })
}
