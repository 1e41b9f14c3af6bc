//! [`Request`] and [`Answer`]: one variant per question.

use std::sync::Arc;

use ricochet_core::Puzzle;
use schemars::{JsonSchema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::call::Call;
use crate::error::{self, Error};
use crate::json::{make_whole, quote};
use crate::policy::RequestLimits;
use crate::puzzle_input::PuzzleInput;
use crate::questions::{
    check, daily, distances, draw, explain, formats, generate, hint, overlay, position, quadrants,
    rate, solve, solvers, trace,
};

/// A question: its fields, and how it is answered.
pub trait Question: DeserializeOwned + JsonSchema {
    /// The type of its answer.
    type Answer: Serialize + JsonSchema;

    /// Answers it.
    ///
    /// # Errors
    /// If it cannot be answered. Reaching a limit is not an error.
    fn answer(&self, call: &mut Call<'_>) -> Result<Self::Answer, Error>;

    /// The puzzle it is about, if any.
    fn puzzle_mut(&mut self) -> Option<&mut PuzzleInput> {
        None
    }

    /// The limits of its searches, if it has any.
    fn limits_mut(&mut self) -> Option<&mut RequestLimits> {
        None
    }

    /// Whether an answer is independent of limits on time, memory and nodes, so that the same request
    /// would get the same answer again.
    fn is_complete(_: &Self::Answer) -> bool {
        true
    }
}

/// Static facts about a question.
#[derive(Clone, Copy)]
pub struct QuestionInfo {
    /// The value of `ask`, and the path of the HTTP interface.
    pub name: &'static str,
    /// A one-line description.
    pub summary: &'static str,
    /// Whether it may run a search, which can take long.
    pub searches: bool,
    /// Whether the same request always has the same answer, so that answers can be cached, except those
    /// of searches ended by a limit.
    pub pure: bool,
    /// An example request, as JSON without `ask`.
    pub example: &'static str,
    /// Adds the schemas of request and answer to a generator and returns references to them.
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
        /// A question. In JSON, the key `ask` names it and the other keys are its fields.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(tag = "ask")]
        pub enum Request {
            $( #[doc = $summary] #[serde(rename = $name)] $variant($question), )*
        }

        /// An answer. Its JSON has no tag, because the type follows from the question.
        #[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
        #[serde(untagged)]
        #[allow(clippy::large_enum_variant, reason = "answers are not kept in bulk")]
        pub enum Answer {
            $( #[doc = $summary] $variant(<$question as Question>::Answer), )*
        }

        impl Answer {
            /// Whether it is independent of limits on time, memory and nodes, so that the same request
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

            fn puzzle_mut(&mut self) -> Option<&mut PuzzleInput> {
                match self {
                    $( Self::$variant(question) => question.puzzle_mut(), )*
                }
            }

            fn limits_mut(&mut self) -> Option<&mut RequestLimits> {
                match self {
                    $( Self::$variant(question) => question.limits_mut(), )*
                }
            }

            /// The question's name: the value of `ask`.
            pub fn name(&self) -> &'static str {
                match self {
                    $( Self::$variant(_) => $name, )*
                }
            }

            /// Reads the fields of a question whose name is known.
            ///
            /// # Errors
            /// If there is no such question, or a field is missing or wrong.
            pub fn named(name: &str, mut fields: Value) -> Result<Self, Error> {
                make_whole(&mut fields);
                if let Some(what) = not_an_object(&fields) {
                    return Err(Error::malformed(format!("{name}: {what}expected an object")));
                }
                match name {
                    $( $name => <$question>::deserialize(&fields)
                        .map(Self::$variant)
                        .map_err(|error| {
                            let what = error::describe_field::<$question>(&fields, &error);
                            Error::malformed(format!("{name}: {what}"))
                        }), )*
                    _ => Err(Error::bad_request(format!(
                        "there is no question {}: expected one of {}",
                        quote(name),
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
    (@searches random) => { true };
    (@pure quick) => { true };
    (@pure search) => { true };
    (@pure random) => { false };
}

questions! {
    Read(formats::Read) = "read", quick,
        "Read puzzles in any format", r#"{"text":"1A4B3B2B.1fc1f0c0.B9c"}"#;
    Validate(formats::Validate) = "validate", quick,
        "Check a position that is being built",
        r#"{"setup":{"width":4,"height":4,"robots":[[0,0]],"goal":{"robot":"R","cell":[3,3]}}}"#;
    Convert(formats::Convert) = "convert", quick,
        "Write a puzzle in another format", r#"{"puzzle":"4x3..0012.R31","to":"text"}"#;
    Formats(formats::Formats) = "formats", quick, "List the formats", "{}";
    Quadrants(quadrants::Quadrants) = "quadrants", quick,
        "The sixteen printed quadrants and the editions", "{}";
    Compose(quadrants::Compose) = "compose", quick,
        "A position on an official layout", r#"{"layout":"1A4B3B2B","seed":7}"#;
    Solvers(solvers::Solvers) = "solvers", quick, "List the solvers with their parameters", "{}";
    Position(position::Position) = "position", search,
        "The distance of a position to the goal, now and after every legal move",
        r#"{"puzzle":"4x3..0012.R31"}"#;
    Solve(solve::Solve) = "solve", search,
        "A shortest solution", r#"{"puzzle":"1A4B3B2B.1fc1f0c0.B9c","limits":{"ms":5000}}"#;
    All(solve::All) = "all", search,
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
    Compare(solvers::Compare) = "compare", search,
        "Several solvers on one puzzle",
        r#"{"puzzle":"4x3..0012.R31","solvers":["flagship","iddfs"]}"#;
    Trace(trace::Trace) = "trace", search,
        "Every step of a search, to watch an algorithm work",
        r#"{"puzzle":"4x3..0012.R31","solver":"iddfs:memo=off","events":100}"#;
    Distances(distances::Distances) = "distances", search,
        "How many moves a robot needs to reach each cell", r#"{"puzzle":"4x3..0012.R31","max_moves":5}"#;
    Overlay(overlay::Overlay) = "overlay", quick,
        "A number for each cell: bounds, critical paths, reach",
        r#"{"puzzle":"4x3..0012.R31","kind":"min-moves"}"#;
    Generate(generate::Generate) = "generate", random,
        "Generate a puzzle", r#"{"seed":7,"edition":"1999","moves":[5,8]}"#;
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
        let (name, fields) = name_and_fields(text)?;
        Self::named(&name, fields)
    }

    /// Static facts about the question.
    pub fn info(&self) -> &'static QuestionInfo {
        let name = self.name();
        QUESTIONS
            .iter()
            .find(|info| info.name == name)
            .expect("every question is in the list")
    }

    /// Reads a request without its field `puzzle`, for a puzzle that is already validated.
    ///
    /// # Errors
    /// As for [`Request::from_json`], and if the question is not about a puzzle.
    pub fn about(puzzle: Arc<Puzzle>, text: &str) -> Result<Self, Error> {
        let (name, mut fields) = name_and_fields(text)?;
        fields["puzzle"] = "".into();
        let mut request = Self::named(&name, fields)?;
        let input = request.puzzle_mut();
        *input.ok_or_else(|| Error::bad_request(format!("{name} is not about a puzzle")))? =
            puzzle.into();
        Ok(request)
    }

    /// The request as the key of a map.
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

/// The fields whose values are objects. Serde would read a list as the values of their fields in order.
const OBJECTS: [&str; 4] = ["goal", "limits", "rules", "setup"];

/// The place of a list that should be an object, for an error message.
fn not_an_object(fields: &Value) -> Option<String> {
    if !fields.is_object() {
        return Some(String::new());
    }
    for object in [fields, &fields["setup"]] {
        if let Some(name) = OBJECTS.iter().find(|name| object[**name].is_array()) {
            return Some(format!("{name}: "));
        }
    }
    None
}

fn name_and_fields(text: &str) -> Result<(String, Value), Error> {
    let mut fields: Value =
        serde_json::from_str(text).map_err(|error| Error::bad_request(error.to_string()))?;
    let name = fields
        .as_object_mut()
        .and_then(|fields| fields.remove("ask"));
    match name {
        Some(Value::String(name)) => Ok((name, fields)),
        _ => Err(Error::bad_request(
            "expected an object with the key \"ask\", such as {\"ask\":\"formats\"}",
        )),
    }
}

/// A request as the key of a map.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RequestKey {
    /// The JSON of the request without limits.
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

    #[test]
    fn lists_are_not_objects() {
        for (name, fields, what) in [
            ("quadrants", "[]", "quadrants: expected an object"),
            ("daily", r#"["2026-11-17"]"#, "daily: expected an object"),
            (
                "rate",
                r#"{"puzzle":"x","limits":[5]}"#,
                "rate: limits: expected an object",
            ),
        ] {
            let fields = serde_json::from_str(fields).unwrap();
            assert_eq!(Request::named(name, fields).unwrap_err().to_string(), what);
        }
        let fields = serde_json::json!({"puzzle": "x", "limits": {"ms": 5.0}});
        let request = Request::named("rate", fields).unwrap();
        assert_eq!(request.key().limits.ms, Some(5));
    }

    #[test]
    fn a_request_can_be_about_a_validated_puzzle() {
        let puzzle = ricochet_core::notation::parse_line("4x3..0012.R31").unwrap();
        let puzzle = Arc::new(puzzle.validate().unwrap());
        let request = Request::about(Arc::clone(&puzzle), r#"{"ask":"rate"}"#).unwrap();
        let from_text = Request::from_json(r#"{"ask":"rate","puzzle":"4x3..0012.R31"}"#);
        assert_eq!(Ok(request), from_text);
        assert!(Request::about(puzzle, r#"{"ask":"formats"}"#).is_err());
    }
}
