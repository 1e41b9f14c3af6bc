//! All questions: one [`Request`] with one [`Answer`].

use std::sync::Arc;

use schemars::{JsonSchema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::error::Error;
use crate::field_error;
use crate::policy::RequestLimits;
use crate::questions::{
    all, check, compare, compose, convert, daily, distances, draw, explain, formats, generate,
    hint, overlay, position, quadrants, rate, read, solve, solvers, validate,
};

/// A question: what is asked, and how it is answered.
pub trait Question: DeserializeOwned + JsonSchema {
    /// What is answered.
    type Answer: Serialize + JsonSchema;

    /// Answers it.
    ///
    /// # Errors
    /// If it cannot be answered. A limit that was reached is an answer.
    fn answer(&self, call: &mut Call<'_>) -> Result<Self::Answer, Error>;

    /// The limits of its searches; `None` if it has none to set.
    fn limits_mut(&mut self) -> Option<&mut RequestLimits> {
        None
    }

    /// Whether no limit of time, memory or nodes had a part in an answer, so that the same request
    /// would get the same answer again.
    fn is_complete(_: &Self::Answer) -> bool {
        true
    }
}

/// What can be known about a question before it is asked.
///
/// ```
/// use ricochet_service::QUESTIONS;
/// for question in QUESTIONS {
///     println!("{:<10} {}", question.name, question.summary);
/// }
/// ```
#[derive(Clone, Copy)]
pub struct QuestionInfo {
    /// The value of `ask`, and the path of the HTTP interface.
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    /// Whether it may search, and so take long; the others are answered at once.
    pub searches: bool,
    /// Whether the same request always has the same answer, so that it may be kept. What a search
    /// that a limit ended says depends on the machine as well.
    pub pure: bool,
    /// A request, as JSON without `ask`.
    pub example: &'static str,
    /// Adds the schemas of request and answer to a generator, and gives references to them.
    pub schemas: fn(&mut SchemaGenerator) -> (schemars::Schema, schemars::Schema),
}

impl std::fmt::Debug for QuestionInfo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("QuestionInfo")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

macro_rules! questions {
    ($( $variant:ident($question:ty) = $name:literal, $kind:ident,
        $summary:literal, $example:literal; )*) => {
        /// A question. In JSON the key `ask` says which, and the other keys are its fields.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(tag = "ask")]
        pub enum Request {
            $( #[doc = $summary] #[serde(rename = $name)] $variant($question), )*
        }

        /// An answer: what it looks like follows from the question, so JSON has no key for that.
        #[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
        #[serde(untagged)]
        #[allow(clippy::large_enum_variant, reason = "answers are not kept in bulk")]
        pub enum Answer {
            $( #[doc = $summary] $variant(<$question as Question>::Answer), )*
        }

        impl Answer {
            /// Whether no limit of time, memory or nodes had a part in it, so that the same request
            /// would get the same answer again.
            pub fn is_complete(&self) -> bool {
                match self {
                    $( Self::$variant(answer) => <$question>::is_complete(answer), )*
                }
            }
        }

        impl Request {
            pub(crate) fn answer(&self, call: &mut Call<'_>) -> Result<Answer, Error> {
                match self {
                    $( Self::$variant(question) => question.answer(call).map(Answer::$variant), )*
                }
            }

            fn limits_mut(&mut self) -> Option<&mut RequestLimits> {
                match self {
                    $( Self::$variant(question) => question.limits_mut(), )*
                }
            }

            /// Its name: the value of `ask`.
            pub fn name(&self) -> &'static str {
                match self {
                    $( Self::$variant(_) => $name, )*
                }
            }

            /// Reads the fields of a question whose name is known.
            ///
            /// # Errors
            /// If there is no such question, or a field is missing or wrong.
            pub fn named(name: &str, fields: serde_json::Value) -> Result<Self, Error> {
                match name {
                    $( $name => <$question>::deserialize(&fields)
                        .map(Self::$variant)
                        .map_err(|error| {
                            let what = field_error::describe::<$question>(&fields, &error);
                            Error::bad(format!("{name}: {what}"))
                        }), )*
                    _ => Err(Error::bad(format!(
                        "there is no question '{}': expected one of {}",
                        name.chars().take(40).collect::<String>().escape_debug(),
                        [$($name),*].join(", ")
                    ))),
                }
            }
        }

        /// All questions.
        pub const QUESTIONS: &[QuestionInfo] = &[
            $( QuestionInfo {
                name: $name,
                summary: $summary,
                searches: questions!(@searches $kind),
                pure: questions!(@pure $kind),
                example: $example,
                schemas: |generator| (
                    generator.subschema_for::<$question>(),
                    generator.subschema_for::<<$question as Question>::Answer>(),
                ),
            }, )*
        ];
    };
    (@searches quick) => { false };
    (@searches search) => { true };
    (@searches chance) => { true };
    (@pure quick) => { true };
    (@pure search) => { true };
    (@pure chance) => { false };
}

questions! {
    Read(read::Read) = "read", quick,
        "Read puzzles in any format", r#"{"text":"1A4B3B2B.1fc1f0c0.B9c"}"#;
    Validate(validate::Validate) = "validate", quick,
        "Check a position that is being built",
        r#"{"setup":{"width":4,"height":4,"robots":[[0,0]],"goal":{"robot":"R","cell":[3,3]}}}"#;
    Convert(convert::Convert) = "convert", quick,
        "Write a puzzle in another format", r#"{"puzzle":"4x3..0012.R31","to":"text"}"#;
    Formats(formats::Formats) = "formats", quick, "List the formats", "{}";
    Quadrants(quadrants::Quadrants) = "quadrants", quick,
        "The sixteen printed quadrant sides and the editions", "{}";
    Compose(compose::Compose) = "compose", quick,
        "A position on an official layout", r#"{"layout":"1A4B3B2B","seed":7}"#;
    Solvers(solvers::Solvers) = "solvers", quick, "List the solvers with their parameters", "{}";
    Position(position::Position) = "position", search,
        "The distance of a position, and of the one after every legal move",
        r#"{"puzzle":"4x3..0012.R31"}"#;
    Solve(solve::Solve) = "solve", search,
        "A shortest solution", r#"{"puzzle":"1A4B3B2B.1fc1f0c0.B9c","limits":{"ms":5000}}"#;
    All(all::All) = "all", search,
        "All shortest solutions", r#"{"puzzle":"4x3..0012.R31","group":true}"#;
    Hint(hint::Hint) = "hint", search,
        "A hint, from a rough length to the first move", r#"{"puzzle":"4x3..0012.R31","level":3}"#;
    Explain(explain::Explain) = "explain", search,
        "A solution in sentences", r#"{"puzzle":"4x3..0012.R31","moves":["GE","RE","RS"]}"#;
    Check(check::Check) = "check", quick,
        "Whether moves solve a puzzle, or where they fail",
        r#"{"puzzle":"4x3..0012.R31","moves":["GE","RE","RS"]}"#;
    Rate(rate::Rate) = "rate", search,
        "How hard a puzzle is for people", r#"{"puzzle":"4x3..0012.R31"}"#;
    Compare(compare::Compare) = "compare", search,
        "Several solvers on one puzzle",
        r#"{"puzzle":"4x3..0012.R31","solvers":["flagship","iddfs"]}"#;
    Distances(distances::Distances) = "distances", search,
        "How many moves a robot needs to reach each cell", r#"{"puzzle":"4x3..0012.R31","max_moves":5}"#;
    Overlay(overlay::Overlay) = "overlay", quick,
        "A number for each cell: bounds, critical paths, reach",
        r#"{"puzzle":"4x3..0012.R31","kind":"min-moves"}"#;
    Generate(generate::Generate) = "generate", chance,
        "Make a puzzle", r#"{"seed":7,"edition":"1999","moves":[5,8]}"#;
    Daily(daily::Daily) = "daily", search,
        "The puzzle of a day, the same for everyone", r#"{"date":"2026-11-17"}"#;
    Draw(draw::Draw) = "draw", search,
        "A picture of a puzzle",
        r#"{"puzzle":"4x3..0012.R31","kind":"svg","theme":"dark","coordinates":true}"#;
}

impl Request {
    /// Reads a request.
    ///
    /// # Errors
    /// If the text is not JSON, or not a request.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        let bad = |error: serde_json::Error| Error::bad(error.to_string());
        let mut value: serde_json::Value = serde_json::from_str(text).map_err(bad)?;
        let Some(serde_json::Value::String(name)) = value
            .as_object_mut()
            .and_then(|fields| fields.remove("ask"))
        else {
            return Err(Error::bad(
                "expected an object with the key \"ask\", such as {\"ask\":\"formats\"}",
            ));
        };
        Self::named(&name, value)
    }

    /// Whether the answer may take a search.
    pub fn info(&self) -> &'static QuestionInfo {
        let name = self.name();
        QUESTIONS
            .iter()
            .find(|info| info.name == name)
            .expect("every question has its line")
    }

    /// What two equal requests have in common.
    pub fn key(&self) -> RequestKey {
        let mut question = self.clone();
        let limits = question.limits_mut().map(std::mem::take);
        RequestKey {
            question: serde_json::to_string(&question)
                .expect("a request is JSON")
                .into(),
            limits: limits.unwrap_or_default(),
        }
    }
}

/// A request as the key of a map.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RequestKey {
    /// The JSON of the request without limits: how hard a question is does not depend on them.
    pub question: Arc<str>,
    /// Its limits.
    pub limits: RequestLimits,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_keeps_the_limits_apart() {
        let key = |limits| {
            let request = format!(r#"{{"ask":"rate","puzzle":"x","limits":{limits}}}"#);
            Request::from_json(&request).unwrap().key()
        };
        let (hurried, patient) = (key(r#"{"ms":5}"#), key("{}"));
        assert_eq!(hurried.limits.ms, Some(5));
        assert_eq!(hurried.question, patient.question);
        assert_ne!(hurried, patient);
    }
}
