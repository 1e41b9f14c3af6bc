//! `trace`: its three formats, and its options.

use serde_json::Value;

use crate::manners::ricochet;

fn stdout(arguments: &[&str]) -> String {
    let output = ricochet(arguments).output().expect("the program starts");
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?}: {error}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn json_lines_are_a_header_and_the_events_that_it_counts() {
    let text = stdout(&[
        "trace",
        "random:2",
        "--solver",
        "iddfs:memo=off",
        "--to",
        "jsonl",
    ]);
    let mut lines = text.lines().map(json);
    let header = lines.next().expect("a header");
    let events: Vec<Value> = lines.collect();
    assert_eq!(header["kept"], events.len());
    assert_eq!(header["total"], events.len());
    for (kind, count) in header["counts"].as_object().expect("counts") {
        let found = events.iter().filter(|event| event["type"] == kind.as_str());
        assert_eq!(*count, found.count(), "{kind}");
    }
    assert_eq!(header["counts"]["generate"], header["stats"]["nodes"]);
    let solution = events.iter().rfind(|event| event["type"] == "solution");
    assert_eq!(
        solution.expect("it is solved")["moves"],
        header["result"]["moves"]
    );
}

#[test]
fn text_has_a_line_for_each_event_and_the_counts() {
    let arguments = ["trace", "4x3..0012.R31", "--solver", "naive"];
    let all = stdout(&arguments);
    assert!(all.contains("because of duplicate, same as"), "{all}");
    assert!(all.contains("(3,1)"), "{all}");
    let few = stdout(&[&arguments[..], &["--events", "3"]].concat());
    assert_eq!(
        few.lines().take(3).collect::<Vec<_>>(),
        all.lines().take(3).collect::<Vec<_>>()
    );
    assert!(few.contains("are only counted"), "{few}");
    assert!(few.lines().count() < all.lines().count());
}

#[test]
fn posthoc_reads_a_search_trace() {
    let text = stdout(&[
        "trace",
        "4x3..0012.R31",
        "--solver",
        "graph-v2",
        "-t",
        "posthoc",
    ]);
    let trace = json(&text);
    assert_eq!(trace["version"], "1.4.0");
    assert!(
        trace["events"]
            .as_array()
            .is_some_and(|events| events.len() > 5)
    );
}

#[test]
fn every_option_of_other_searches_works_here() {
    let layout = [
        "--layout",
        "1A 4B 3B 2B",
        "--robots",
        "R 1,8 G 12,1 B 15,0 Y 12,0",
    ];
    let limits = [
        "--time-limit",
        "1m",
        "--memory-limit",
        "1GiB",
        "--node-limit",
        "1M",
    ];
    let solver = [
        "--solver",
        "iddfs",
        "--set",
        "sort=off",
        "--max-moves",
        "9",
        "--events",
        "10",
    ];
    let target = ["--target", "vortex"];
    let all = [&["trace"][..], &layout, &target, &limits, &solver].concat();
    let output = ricochet(&all).output().expect("the program starts");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("iteration"), "{text}");
    let reading = [
        "--repair-walls",
        "--must-ricochet",
        "--with-diagonals",
        "--events=5",
    ];
    let text = stdout(&[&["trace", "4x3..0012.R31"][..], &reading].concat());
    assert!(text.contains("solution") || text.contains("node"), "{text}");
}

#[test]
fn a_table_is_no_search() {
    let output = ricochet(&["trace", "random:2", "--solver", "tablebase"]).output();
    let output = output.expect("the program starts");
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("no search to trace"), "{error}");
}

/// What is wrong with a value; keywords that this does not know are errors, so that none is overlooked.
fn fault(document: &Value, schema: &Value, value: &Value) -> Option<String> {
    let fits = |schema: &Value| fault(document, schema, value).is_none();
    let bound = |limit: &Value| limit.as_f64().expect("a number");
    let length = || match value {
        Value::Array(items) => Some(items.len() as f64),
        Value::String(text) => Some(text.chars().count() as f64),
        _ => None,
    };
    for (keyword, rule) in schema.as_object()? {
        let fits = match keyword.as_str() {
            "description" | "default" | "format" | "pattern" => true,
            "$ref" => {
                let name = rule.as_str()?.trim_start_matches("#/$defs/");
                fits(&document["$defs"][name])
            }
            "const" => value == rule,
            "enum" => rule.as_array()?.contains(value),
            "oneOf" => rule.as_array()?.iter().filter(|one| fits(one)).count() == 1,
            "anyOf" => rule.as_array()?.iter().any(fits),
            "type" => match rule {
                Value::Array(types) => types.iter().any(|one| has_type(value, one)),
                one => has_type(value, one),
            },
            "minimum" => value.as_f64().is_none_or(|it| it >= bound(rule)),
            "maximum" => value.as_f64().is_none_or(|it| it <= bound(rule)),
            "minItems" | "minLength" => length().is_none_or(|it| it >= bound(rule)),
            "maxItems" | "maxLength" => length().is_none_or(|it| it <= bound(rule)),
            "items" => match value {
                Value::Array(items) => {
                    let after = schema["prefixItems"].as_array().map_or(0, Vec::len);
                    let mut items = items.iter().skip(after);
                    items.all(|item| fault(document, rule, item).is_none())
                }
                _ => true,
            },
            "prefixItems" => {
                let items = value.as_array().into_iter().flatten();
                let mut pairs = rule.as_array()?.iter().zip(items);
                pairs.all(|(rule, item)| fault(document, rule, item).is_none())
            }
            "required" => {
                let mut names = rule.as_array()?.iter();
                value.as_object().is_none_or(|object| {
                    names.all(|name| object.contains_key(name.as_str().unwrap_or("")))
                })
            }
            "properties" => {
                for (name, rule) in rule.as_object()? {
                    if let Some(inner) = value.get(name)
                        && let Some(fault) = fault(document, rule, inner)
                    {
                        return Some(format!("{name}: {fault}"));
                    }
                }
                true
            }
            "additionalProperties" => {
                let known = schema["properties"].as_object();
                let mut others = value.as_object().into_iter().flatten();
                others.all(|(name, inner)| {
                    known.is_some_and(|known| known.contains_key(name))
                        || match rule {
                            Value::Bool(allowed) => *allowed,
                            rule => fault(document, rule, inner).is_none(),
                        }
                })
            }
            _ => false,
        };
        if !fits {
            return Some(format!("{value} does not fit {keyword}: {rule}"));
        }
    }
    None
}

fn has_type(value: &Value, name: &Value) -> bool {
    match name.as_str().unwrap_or("") {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    }
}

#[test]
fn json_lines_fit_the_schema_and_the_table_of_fields() {
    let file = |path: &str| {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../");
        std::fs::read_to_string(format!("{root}{path}")).expect("a checked in file")
    };
    let schema = json(&file("docs/api/schema.json"));
    let of = |name: &str| &schema["$defs"][name];
    let wrong = serde_json::json!({"number": -1, "type": "generate"});
    assert!(fault(&schema, of("TraceEvent"), &wrong).is_some());
    let page = file("docs/design/traces.md");
    let row = |kind: &str| {
        let start = format!("| `{kind}` |");
        let row = page.lines().find(|line| line.starts_with(&start));
        row.unwrap_or_else(|| panic!("{kind} is not in the table"))
            .to_owned()
    };
    let solvers = [
        "iddfs",
        "iddfs-bounded",
        "naive",
        "bfs",
        "bfs:duplicates=drop",
        "dfs",
        "graph-v1",
        "graph-v2",
        "graph-bounded",
        "graph-complete",
        "stateless",
        "stateless:published=on",
        "single-color",
        "setup-bfs",
        "setup-dfs",
        "setup-position",
        "setup-crossblock",
        "flagship",
    ];
    for solver in solvers {
        let mut command = ricochet(&["trace", "5x5..004012.R31", "--to", "jsonl"]);
        command.args(["--solver", solver, "--events", "3000"]);
        // Not every solver finds a solution.
        let output = command.output().expect("the program starts");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        let mut lines = text.lines().map(json);
        let mut header = lines.next().expect("a header");
        header["events"] = Value::Array(Vec::new());
        assert_eq!(fault(&schema, of("TraceAnswer"), &header), None, "{solver}");
        for event in lines {
            let fault = fault(&schema, of("TraceEvent"), &event);
            assert_eq!(fault, None, "{solver}: {event}");
            let row = row(event["type"].as_str().expect("a type"));
            let fields = event.as_object().expect("an object").keys();
            for field in fields.filter(|name| !["number", "type"].contains(&name.as_str())) {
                assert!(row.contains(&format!("`{field}`")), "{field}: {row}");
            }
        }
    }
}
