//! `formats`: what can be read and written.

use ricochet_core::formats::Format;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::error::Error;
use crate::request::Question;

/// Lists the formats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Formats {}

/// The formats, ours first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FormatsAnswer {
    /// All of them.
    pub formats: Vec<FormatInfo>,
}

/// What is to be known about a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FormatInfo {
    /// Its name in requests.
    pub name: &'static str,
    /// One line about it.
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
