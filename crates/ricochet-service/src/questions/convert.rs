//! `convert`: a puzzle in another format.

use ricochet_core::formats::{self, ReadOptions, WriteOptions};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::error::Error;
use crate::questions::read::{droid_diagonals, format};
use crate::request::Question;

/// Writes puzzles in another format.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Convert {
    /// Puzzles in any format.
    pub puzzle: String,
    /// The format to write.
    pub to: String,
    /// Whether game IDs of `DriftingDroids` mean the diagonals of the D sides.
    #[serde(default)]
    pub droid_diagonals: bool,
}

/// The puzzles in the new format.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ConvertAnswer {
    /// The text; several puzzles are kept apart by line breaks.
    pub text: String,
    /// What the format leaves out.
    pub notes: Vec<String>,
}

impl Question for Convert {
    type Answer = ConvertAnswer;

    fn answer(&self, call: &mut Call<'_>) -> Result<ConvertAnswer, Error> {
        let droid_diagonals = droid_diagonals(self.droid_diagonals);
        let to = format(Some(&self.to))?.ok_or_else(|| Error::bad("no format"))?;
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
