//! The JSON Schema of all requests and answers, written from the types.

use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

use crate::ask::Progress;
use crate::error::Error;
use crate::request::QUESTIONS;

/// The schemas of all questions, by name, and of what they have in common; references point to
/// `definitions_path`, such as `/$defs`.
///
/// ```
/// let (questions, definitions) = ricochet_service::schema::questions("/$defs");
/// assert!(questions["solve"]["request"]["$ref"].is_string());
/// assert!(definitions["SolveAnswer"]["properties"]["lower_bound"].is_object());
/// ```
pub fn questions(definitions_path: &'static str) -> (Value, Value) {
    let (questions, (), definitions) = questions_and(definitions_path, |_| ());
    (questions, definitions)
}

/// The same with types that a door adds; their definitions stand among the others.
///
/// ```
/// let (_, date, definitions) =
///     ricochet_service::schema::questions_and("/$defs", |generator| {
///         generator.subschema_for::<ricochet_service::questions::daily::Daily>()
///     });
/// assert_eq!(date.as_value()["$ref"], "#/$defs/Daily");
/// assert!(definitions["Daily"].is_object());
/// ```
pub fn questions_and<T>(
    definitions_path: &'static str,
    more: impl FnOnce(&mut SchemaGenerator) -> T,
) -> (Value, T, Value) {
    let mut settings = SchemaSettings::draft2020_12();
    settings.definitions_path = definitions_path.into();
    settings.meta_schema = None;
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

/// The JSON Schema: a document whose `$defs` has everything, and which itself is the schema of a
/// request. The file `docs/api/schema.json` holds it.
///
/// ```
/// let schema = ricochet_service::schema::document();
/// assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
/// ```
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
                        `questions` names the schemas of request and answer of each.",
        "anyOf": requests,
        "questions": questions,
        "$defs": definitions,
    })
}
