//! `read`, `validate`, `convert` and `formats`: puzzles as text, and positions being edited.

use ricochet_core::MAX_CELLS;
use ricochet_core::formats::{
    self, DroidDiagonals, Format, ParseFormatError, ReadOptions, WriteOptions,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::error::{Error, ErrorKind};
use crate::json::names_or_null;
use crate::puzzle_view::{PuzzleView, SetupInput};
use crate::request::Question;

/// Reads all puzzles of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Read {
    /// Puzzles in any format: one-line notation, JSON, or game IDs and URLs of other programs.
    #[schemars(length(min = 1))]
    pub text: String,
    /// The format. Default: detected.
    #[serde(default)]
    #[schemars(extend("enum" = names_or_null(Format::ALL.map(Format::name))))]
    pub format: Option<String>,
    /// Whether game IDs of `DriftingDroids` include the diagonals of the D quadrants.
    #[serde(default)]
    pub droid_diagonals: bool,
}

/// The puzzles of a text, valid or not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ReadAnswer {
    /// The puzzles in the order of the text.
    pub puzzles: Vec<PuzzleView>,
    /// The format of the first one.
    pub format: &'static str,
    /// What the reader assumed or ignored.
    pub notes: Vec<String>,
}

impl Question for Read {
    type Answer = ReadAnswer;

    fn answer(&self, call: &mut Call<'_>) -> Result<ReadAnswer, Error> {
        let options = ReadOptions {
            droid_diagonals: droid_diagonals(self.droid_diagonals),
        };
        let records = call.records(&self.text, format(self.format.as_deref())?, options)?;
        Ok(ReadAnswer {
            format: records.first().map_or("", |record| record.format.name()),
            puzzles: records.iter().map(|it| PuzzleView::of(&it.setup)).collect(),
            notes: records
                .iter()
                .flat_map(|record| record.notes.iter().map(ToString::to_string))
                .collect(),
        })
    }
}

pub(crate) fn format(name: Option<&str>) -> Result<Option<Format>, Error> {
    name.map(str::parse)
        .transpose()
        .map_err(|error: ParseFormatError| Error::bad_request(error.to_string()))
}

/// The names of the formats that can be written.
fn writable() -> Vec<&'static str> {
    let formats = Format::ALL.into_iter();
    formats
        .filter(|it| it.is_writable())
        .map(Format::name)
        .collect()
}

pub(crate) fn droid_diagonals(with: bool) -> DroidDiagonals {
    if with {
        DroidDiagonals::With
    } else {
        DroidDiagonals::Without
    }
}

/// Checks a position being edited. The answer has its one-line notation if it is valid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Validate {
    /// The position.
    pub setup: SetupInput,
    /// First add missing halves of walls that only one of their two cells has, and the walls around the
    /// board.
    #[serde(default)]
    pub repair: bool,
}

impl Question for Validate {
    type Answer = PuzzleView;

    fn answer(&self, _: &mut Call<'_>) -> Result<PuzzleView, Error> {
        let lists = [
            self.setup.walls.len(),
            self.setup.diagonals.len(),
            self.setup.targets.len(),
            self.setup.robots.len(),
        ];
        if lists.into_iter().any(|length| length > MAX_CELLS) {
            return Err(Error::new(
                ErrorKind::TooLarge,
                format!("a list has more than {MAX_CELLS} entries, the most cells of any board"),
            ));
        }
        let mut setup = self.setup.setup();
        if self.repair {
            setup.repair_walls();
        }
        Ok(PuzzleView::of(&setup))
    }
}

/// Writes puzzles in another format.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Convert {
    /// Puzzles in any format.
    #[schemars(length(min = 1))]
    pub puzzle: String,
    /// The format to write.
    #[schemars(extend("enum" = writable()))]
    pub to: String,
    /// Whether game IDs of `DriftingDroids` include the diagonals of the D quadrants.
    #[serde(default)]
    pub droid_diagonals: bool,
}

/// The puzzles in the new format.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ConvertAnswer {
    /// The text; several puzzles are separated by line breaks.
    pub text: String,
    /// What the format leaves out.
    pub notes: Vec<String>,
}

impl Question for Convert {
    type Answer = ConvertAnswer;

    fn answer(&self, call: &mut Call<'_>) -> Result<ConvertAnswer, Error> {
        let droid_diagonals = droid_diagonals(self.droid_diagonals);
        let to = format(Some(&self.to))?.ok_or_else(|| Error::bad_request("no format given"))?;
        let records = call.records(&self.puzzle, None, ReadOptions { droid_diagonals })?;
        let mut texts = Vec::with_capacity(records.len());
        let mut notes = Vec::new();
        for record in records {
            notes.extend(record.notes.iter().map(ToString::to_string));
            let puzzle = record.setup.validate()?;
            let written = formats::write_with(to, &puzzle, WriteOptions { droid_diagonals })?;
            notes.extend(written.notes.iter().map(ToString::to_string));
            texts.push(written.text);
        }
        let between = if to.is_one_line() { "\n" } else { "\n\n" };
        Ok(ConvertAnswer {
            text: texts.join(between),
            notes,
        })
    }
}

/// Lists the formats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Formats {}

/// The formats.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FormatsAnswer {
    /// The formats, our own first.
    pub formats: Vec<FormatInfo>,
}

/// A format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FormatInfo {
    /// Its name in requests.
    pub name: &'static str,
    /// A one-line description.
    pub summary: &'static str,
    /// Whether it can be read.
    pub read: bool,
    /// Whether it can be written.
    pub write: bool,
    /// Whether a puzzle is always one line.
    pub one_line: bool,
}

impl Question for Formats {
    type Answer = FormatsAnswer;

    fn answer(&self, _: &mut Call<'_>) -> Result<FormatsAnswer, Error> {
        let formats = Format::ALL.into_iter().map(|format| FormatInfo {
            name: format.name(),
            summary: format.summary(),
            read: true,
            write: format.is_writable(),
            one_line: format.is_one_line(),
        });
        Ok(FormatsAnswer {
            formats: formats.collect(),
        })
    }
}
