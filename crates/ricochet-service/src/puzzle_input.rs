//! [`PuzzleInput`]: the puzzle of a request.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use ricochet_core::{Puzzle, notation};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::error::Error;

/// The puzzle of a request: a text in any format, or a puzzle that is already validated.
///
/// A text is parsed on first use, and only once, however often the request is answered. In JSON it is
/// a string.
#[derive(Clone, Debug, Default)]
pub struct PuzzleInput {
    /// `None` if the puzzle was not given as a text.
    text: Option<String>,
    puzzle: OnceLock<Arc<Puzzle>>,
}

impl PuzzleInput {
    /// The puzzle, parsed by `parse` on first use.
    pub(crate) fn get(
        &self,
        parse: impl FnOnce(&str) -> Result<Puzzle, Error>,
    ) -> Result<Arc<Puzzle>, Error> {
        if let Some(puzzle) = self.puzzle.get() {
            return Ok(Arc::clone(puzzle));
        }
        let puzzle = Arc::new(parse(self.text.as_deref().unwrap_or_default())?);
        Ok(Arc::clone(self.puzzle.get_or_init(|| puzzle)))
    }

    fn text(&self) -> Cow<'_, str> {
        match (&self.text, self.puzzle.get()) {
            (Some(text), _) => Cow::Borrowed(text),
            (None, Some(puzzle)) => Cow::Owned(notation::to_line(puzzle)),
            (None, None) => Cow::Borrowed(""),
        }
    }
}

impl From<&str> for PuzzleInput {
    fn from(text: &str) -> Self {
        Self::from(text.to_owned())
    }
}

impl From<String> for PuzzleInput {
    fn from(text: String) -> Self {
        Self {
            text: Some(text),
            puzzle: OnceLock::new(),
        }
    }
}

impl From<Arc<Puzzle>> for PuzzleInput {
    fn from(puzzle: Arc<Puzzle>) -> Self {
        Self {
            text: None,
            puzzle: OnceLock::from(puzzle),
        }
    }
}

impl PartialEq for PuzzleInput {
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text()
    }
}

impl Eq for PuzzleInput {}

impl Serialize for PuzzleInput {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text())
    }
}

impl<'de> Deserialize<'de> for PuzzleInput {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::from)
    }
}

impl JsonSchema for PuzzleInput {
    fn schema_name() -> Cow<'static, str> {
        "PuzzleInput".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "minLength": 1 })
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn a_text_is_parsed_once() {
        let parsed = Cell::new(0);
        let parse = |text: &str| {
            parsed.set(parsed.get() + 1);
            let setup = notation::parse_line(text)?;
            Ok(setup.validate()?)
        };
        let input = PuzzleInput::from("4x3..0012.R31");
        let first = input.get(parse).unwrap();
        assert!(Arc::ptr_eq(&first, &input.clone().get(parse).unwrap()));
        assert_eq!(parsed.get(), 1);
        let validated = PuzzleInput::from(first);
        assert!(validated.get(parse).is_ok());
        assert_eq!((parsed.get(), validated), (1, input));
    }

    #[test]
    fn a_text_that_is_not_a_puzzle_stays_an_error() {
        let input = PuzzleInput::from("what a lovely day");
        let parse = |_: &str| Err(Error::bad_request("not a puzzle"));
        assert!(input.get(parse).is_err());
        assert!(input.get(parse).is_err());
    }
}
