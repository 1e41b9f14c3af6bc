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
