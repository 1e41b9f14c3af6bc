//! The JSON Schemas in `docs/api` are those that the types write, and the examples of the questions
//! are answered.

use std::fs;
use std::path::Path;

use ricochet_service::{Call, Policy, QUESTIONS, Request, schema};

#[test]
fn the_checked_in_schemas_are_up_to_date() {
    is_up_to_date("schema.json", &schema::document());
    is_up_to_date("commands.json", &schema::commands());
}

fn is_up_to_date(name: &str, schema: &serde_json::Value) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/api");
    let file = directory.join(name);
    let mut written = serde_json::to_string_pretty(schema).unwrap();
    written.push('\n');
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        fs::write(&file, &written).unwrap();
    }
    let kept = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        kept == written,
        "docs/api/{name} is out of date: UPDATE_SCHEMA=1 cargo test -p ricochet-service \
         --test it schema:: writes it"
    );
}

#[test]
fn every_example_is_answered() {
    for question in QUESTIONS {
        let fields = serde_json::from_str(question.example).unwrap();
        let request = Request::named(question.name, fields).unwrap();
        assert_eq!(request.info().name, question.name);
        let answer = Call::new(&Policy::default()).answer(&request).unwrap();
        let json = serde_json::to_value(&answer).unwrap();
        assert!(json.is_object(), "{}: {json}", question.name);
        // The request comes back from its own JSON.
        let json = serde_json::to_string(&request).unwrap();
        assert_eq!(Request::from_json(&json).unwrap(), request, "{json}");
    }
}
