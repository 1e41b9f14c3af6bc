//! What `--json` prints has the shape that `docs/api/commands.json` promises.

use serde_json::Value;

use crate::manners::ricochet;

/// All properties of a schema and those that are always there, through references and `allOf`.
fn keys(document: &Value, schema: &Value, all: &mut Vec<String>, required: &mut Vec<String>) {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().expect("a name");
        keys(document, &document["$defs"][name], all, required);
    }
    if let Some(properties) = schema["properties"].as_object() {
        all.extend(properties.keys().cloned());
    }
    for name in schema["required"].as_array().into_iter().flatten() {
        required.push(name.as_str().expect("a name").to_owned());
    }
    for part in schema["allOf"].as_array().into_iter().flatten() {
        keys(document, part, all, required);
    }
}

fn check(document: &Value, command: &str, row: &Value) {
    let schema = if row["outcome"] == "error" {
        &document["error"]
    } else {
        &document["commands"][command]
    };
    assert!(schema.is_object(), "{command} has no schema");
    let (mut all, mut required) = (Vec::new(), Vec::new());
    keys(document, schema, &mut all, &mut required);
    let row = row.as_object().expect("an object");
    for name in row.keys() {
        assert!(all.contains(name), "{command}: {name} is not in the schema");
    }
    for name in &required {
        assert!(row.contains_key(name), "{command}: {name} is missing");
    }
}

#[test]
fn rows_have_the_documented_keys() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/api/commands.json");
    let text = std::fs::read_to_string(file).expect("the schema is checked in");
    let document: Value = serde_json::from_str(&text).expect("JSON");
    let batch = "crates/ricochet-cli/tests/data/batch.jsonl";
    let table = "crates/ricochet-cli/tests/tablebases/small.tb";
    let cases: &[(&str, &[&str], usize)] = &[
        ("show", &["show", "--json", batch], 5),
        (
            "show",
            &["show", "--json", "--overlay", "reach", "random:2"],
            1,
        ),
        ("solve", &["solve", "--json", batch], 5),
        ("solve", &["solve", "--json", "--all", "random:2"], 1),
        ("distances", &["distances", "--json", batch], 5),
        (
            "compare",
            &["compare", "--json", "--solvers", "naive,iddfs", "random:2"],
            2,
        ),
        ("hint", &["hint", "--json", batch], 5),
        ("evaluate", &["evaluate", "--json", batch], 5),
        ("explain", &["explain", "--json", batch], 5),
        ("rate", &["rate", "--json", batch], 5),
        (
            "generate",
            &[
                "generate", "--json", "--seed", "1", "--length", "5..6", "--count", "2",
            ],
            2,
        ),
        ("check", &["check", "--json", "random:2", "YW"], 1),
        ("perft", &["perft", "--json", "random:2", "2"], 3),
        (
            "perft --divide",
            &["perft", "--json", "--divide", "8x8..00.R77", "2"],
            2,
        ),
        ("quadrants", &["quadrants", "--json", "1A", "4D"], 2),
        (
            "next",
            &["next", "--json", "random:2", "--target", "blue 9,12"],
            1,
        ),
        (
            "tablebase probe",
            &["tablebase", "probe", "--json", table, batch],
            5,
        ),
    ];
    for (command, arguments, rows) in cases {
        let output = ricochet(arguments).output().expect("the program starts");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert_eq!(text.lines().count(), *rows, "{arguments:?}: {text}");
        for line in text.lines() {
            let row: Value = serde_json::from_str(line).expect("JSON");
            check(&document, command, &row);
        }
    }
}

/// Most positions take less than a millisecond.
#[test]
fn searches_give_their_time_in_microseconds() {
    for command in ["solve", "evaluate", "distances"] {
        let output = ricochet(&[command, "--json", "random:2"]).output();
        let output = output.expect("the program starts");
        let row: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let micros = row["micros"].as_u64();
        assert!(micros.is_some_and(|micros| micros > 0), "{command}: {row}");
        if let Some(ms) = row["ms"].as_u64() {
            assert_eq!(micros.map(|micros| micros / 1000), Some(ms), "{command}");
        }
    }
}
