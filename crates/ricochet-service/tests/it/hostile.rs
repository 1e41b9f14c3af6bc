//! Whatever is asked: an answer or an error, never a panic.

use proptest::prelude::*;
use ricochet_service::{Call, Policy, QUESTIONS, Request};
use serde_json::{Map, Value, json};

#[allow(unreachable_pub, reason = "the fuzz target has it too")]
#[path = "../support/request.rs"]
mod request;

use self::request::any_text;

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("4x3..0012.R31".to_owned()),
        Just("1D4B3B2B.1fc1f0c0.B9c.m".to_owned()),
        Just("32x32..00.Rvv".to_owned()),
        Just("RN GE".to_owned()),
        Just("flagship:threads=9999:simd=x".to_owned()),
        "[0-9A-Ya-y.x]{0,20}",
        "\\PC{0,20}",
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (0..40i64).prop_map(Value::from),
        any::<f64>().prop_map(|number| json!(number)),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::Array),
            prop::collection::vec((key(), inner), 0..6)
                .prop_map(|pairs| Value::Object(Map::from_iter(pairs))),
        ]
    })
}

fn key() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "puzzle",
        "text",
        "moves",
        "limits",
        "ms",
        "nodes",
        "moves",
        "level",
        "kind",
        "theme",
        "cell",
        "robot",
        "robots",
        "goal",
        "setup",
        "width",
        "height",
        "walls",
        "diagonals",
        "targets",
        "size",
        "layout",
        "edition",
        "seed",
        "number",
        "date",
        "solver",
        "solvers",
        "options",
        "to",
        "overlay",
        "degree",
        "caption",
        "max",
        "prefer",
        "group",
        "who",
        "difficulty",
        "unique",
    ])
    .prop_map(str::to_owned)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_an_answer_or_an_error(request in "\\PC{0,200}") {
        any_text(&request);
    }

    #[test]
    fn any_fields_are_an_answer_or_an_error(
        question in prop::sample::select(QUESTIONS),
        fields in prop::collection::vec((key(), value()), 0..8),
    ) {
        let mut request = Map::from_iter(fields);
        request.insert("ask".to_owned(), question.name.into());
        any_text(&Value::Object(request).to_string());
    }

    /// A good request with one field replaced.
    #[test]
    fn a_field_that_is_wrong_is_an_answer_or_an_error(
        question in prop::sample::select(QUESTIONS),
        (key, value) in (key(), value()),
    ) {
        let mut request: Value = serde_json::from_str(question.example).unwrap();
        request["ask"] = question.name.into();
        request[key] = value;
        any_text(&request.to_string());
    }
}

#[test]
fn monstrous_requests_are_refused_quickly() {
    for request in [
        json!({"ask": "read", "text": "x".repeat(2 << 20)}),
        json!({"ask": "validate", "setup": {"width": u64::MAX, "height": u64::MAX, "robots": [], "goal": {"robot": null, "cell": [0, 0]}}}),
        json!({"ask": "validate", "setup": {"width": 9, "height": 9, "robots": vec![[0, 0]; 100_000], "goal": {"robot": null, "cell": [0, 0]}}}),
        json!({"ask": "check", "puzzle": "4x3..0012.R31", "moves": vec!["RN"; 100_000]}),
        json!({"ask": "draw", "puzzle": "4x3..0012.R31", "cell": 4_000_000_000u32}),
        json!({"ask": "draw", "puzzle": "4x3..0012.R31", "kind": "gif", "moves": (["RE", "RW"].repeat(1000))}),
        json!({"ask": "compare", "puzzle": "4x3..0012.R31", "solvers": vec!["naive"; 1000]}),
        json!({"ask": "overlay", "puzzle": "4x3..0012.R31", "kind": "critical", "degree": u32::MAX}),
    ] {
        let request = Request::from_json(&request.to_string());
        let refused = match &request {
            Err(_) => true,
            // A size that no board has is a problem of the setup, and that is an answer.
            Ok(request) => match Call::new(&Policy::default()).answer(request) {
                Err(_) => true,
                Ok(answer) => serde_json::to_string(&answer)
                    .unwrap()
                    .contains("is not supported"),
            },
        };
        assert!(refused, "{request:?}");
    }
}
