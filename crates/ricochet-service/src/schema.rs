//! The JSON Schema of all requests and answers, generated from the types.

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{Schema, SchemaGenerator};
use serde_json::{Value, json};

use crate::call::Progress;
use crate::command_rows::{ErrorRow, PerftMoveRow, PerftRow, ProbeRow, ShowRow};
use crate::error::Error;
use crate::puzzle_view::PuzzleView;
use crate::questions::check::CheckAnswer;
use crate::questions::distances::DistancesAnswer;
use crate::questions::explain::ExplainAnswer;
use crate::questions::generate::GenerateAnswer;
use crate::questions::hint::HintAnswer;
use crate::questions::position::PositionAnswer;
use crate::questions::quadrants::QuadrantInfo;
use crate::questions::rate::RateAnswer;
use crate::questions::solve::SolveAnswer;
use crate::questions::solvers::SolverInfo;
use crate::questions::trace::{TraceEvent, TraceHeader};
use crate::request::QUESTIONS;

/// The schemas of all questions by name, and the shared definitions; references point to
/// `definitions_path`, such as `/$defs`.
pub fn questions(definitions_path: &'static str) -> (Value, Value) {
    let (questions, (), definitions) = questions_and(definitions_path, |_| ());
    (questions, definitions)
}

/// The same, with types that a front end adds.
pub fn questions_and<T>(
    definitions_path: &'static str,
    more: impl FnOnce(&mut SchemaGenerator) -> T,
) -> (Value, T, Value) {
    let mut settings = SchemaSettings::draft2020_12();
    settings.definitions_path = definitions_path.into();
    settings.meta_schema = None;
    settings
        .transforms
        .push(Box::new(RecursiveTransform(with_maximum)));
    let mut generator = settings.into_generator();
    let mut list = serde_json::Map::new();
    for question in QUESTIONS {
        let (request, answer) = (question.schemas)(&mut generator);
        let entry = json!({
            "description": question.summary,
            "request": request,
            "answer": answer,
        });
        list.insert(question.name.to_owned(), entry);
    }
    generator.subschema_for::<Progress>();
    generator.subschema_for::<Error>();
    let more = more(&mut generator);
    let definitions = generator.take_definitions(true);
    (Value::Object(list), more, Value::Object(definitions))
}

/// Says the largest value of an integer, which schemars leaves to `format`.
fn with_maximum(schema: &mut Schema) {
    let maximum = match schema.get("format").and_then(Value::as_str) {
        Some("uint32") => u64::from(u32::MAX),
        // The engine in a browser has 32 bits, but its numbers come from the same requests.
        Some("uint" | "uint64") => u64::MAX,
        _ => return,
    };
    if schema.get("maximum").is_none() {
        schema.insert("maximum".to_owned(), maximum.into());
    }
}

/// The JSON Schema of a request, with all types in its `$defs`: the file `docs/api/schema.json`.
pub fn document() -> Value {
    let (questions, definitions) = questions("/$defs");
    let requests: Vec<Value> = QUESTIONS
        .iter()
        .map(|question| {
            json!({
                "allOf": [
                    { "type": "object", "properties": { "ask": { "const": question.name } },
                      "required": ["ask"] },
                    questions[question.name]["request"],
                ],
            })
        })
        .collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Questions about Ricochet Robots",
        "description": "A request has the key `ask`; the other keys are the question's fields. \
                        `questions` has the schemas of the request and the answer of each.",
        "anyOf": requests,
        "questions": questions,
        "$defs": definitions,
    })
}

/// The JSON Schema of the rows that commands print with `--json`: the file `docs/api/commands.json`.
pub fn commands() -> Value {
    let mut settings = SchemaSettings::draft2020_12();
    settings.meta_schema = None;
    let mut generator = settings.into_generator();
    // If an answer does not name its puzzle, the row does.
    let named = |answer| {
        json!({
            "type": "object",
            "properties": { "id": { "type": "string" } },
            "required": ["id"],
            "allOf": [answer],
        })
    };
    let commands = json!({
        "check": named(generator.subschema_for::<CheckAnswer>()),
        "compare": generator.subschema_for::<SolveAnswer>(),
        "distances": generator.subschema_for::<DistancesAnswer>(),
        "evaluate": named(generator.subschema_for::<PositionAnswer>()),
        "explain": named(generator.subschema_for::<ExplainAnswer>()),
        "generate": generator.subschema_for::<GenerateAnswer>(),
        "hint": named(generator.subschema_for::<HintAnswer>()),
        "next": generator.subschema_for::<PuzzleView>(),
        "perft": generator.subschema_for::<PerftRow>(),
        "perft --divide": generator.subschema_for::<PerftMoveRow>(),
        "quadrants": generator.subschema_for::<QuadrantInfo>(),
        "rate": generator.subschema_for::<RateAnswer>(),
        "show": generator.subschema_for::<ShowRow>(),
        "solve": generator.subschema_for::<SolveAnswer>(),
        "solvers": generator.subschema_for::<SolverInfo>(),
        "trace": {
            "description": "The first line is the header; each other line is an event.",
            "anyOf": [
                generator.subschema_for::<TraceHeader>(),
                generator.subschema_for::<TraceEvent>(),
            ],
        },
        "tablebase probe": generator.subschema_for::<ProbeRow>(),
    });
    let error = generator.subschema_for::<ErrorRow>();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What commands print with --json",
        "description": "One object per line. `commands` has the schema of each command's rows; any \
                        row can instead be one with \"outcome\": \"error\", whose schema is `error`.",
        "commands": commands,
        "error": error,
        "$defs": generator.take_definitions(true),
    })
}
