//! `read`: puzzles in any format.

use ricochet_core::formats::{DroidDiagonals, Format, ReadOptions};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::error::Error;
use crate::request::Question;
use crate::view::View;

/// Reads all puzzles of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Read {
    /// Puzzles in any format: our notation, JSON, game IDs and URLs of other programs.
    pub text: String,
    /// The format, where it is not to be recognised.
    #[serde(default)]
    pub format: Option<String>,
    /// Whether game IDs of `DriftingDroids` mean the diagonals of the D sides.
    #[serde(default)]
    pub droid_diagonals: bool,
}

/// The puzzles of a text, valid or not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ReadAnswer {
    /// The puzzles in the order of the text.
    pub puzzles: Vec<View>,
    /// The format of the first one.
    pub format: &'static str,
    /// What the reader had to decide or leave out.
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
            puzzles: records.iter().map(|it| View::of(&it.setup)).collect(),
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
        .map_err(|error: ricochet_core::formats::ParseFormatError| Error::bad(error.to_string()))
}

pub(crate) fn droid_diagonals(with: bool) -> DroidDiagonals {
    if with {
        DroidDiagonals::With
    } else {
        DroidDiagonals::Without
    }
}
