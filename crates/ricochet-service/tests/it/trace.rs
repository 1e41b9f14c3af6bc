//! `trace`: the events of a search, within the policy, and for Posthoc.

use std::collections::HashSet;

use ricochet_service::posthoc::posthoc;
use ricochet_service::questions::trace::TraceAnswer;
use ricochet_service::{Answer, Call, ErrorKind, Policy, Request};
use ricochet_solve::CancelToken;
use serde_json::{Value, json};

fn ask(policy: &Policy, fields: &Value) -> TraceAnswer {
    let request = Request::named("trace", fields.clone()).unwrap();
    match Call::new(policy).answer(&request).unwrap() {
        Answer::Trace(answer) => answer,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_policy_and_the_request_bound_the_events_but_not_the_counts() {
    let fields = |events: Value| json!({"puzzle": "4x3..0012.R31", "solver": "iddfs:memo=off", "events": events});
    let policy = Policy {
        events: 30,
        ..Policy::default()
    };
    let all = ask(&Policy::default(), &fields(Value::Null));
    assert_eq!(all.events.len() as u64, all.header.total);
    assert_eq!(all.header.counts["generate"], all.header.stats.nodes);
    for (events, kept) in [(json!(7), 7), (json!(1_000_000), 30), (json!(0), 0)] {
        let some = ask(&policy, &fields(events));
        assert_eq!(some.header.kept, kept);
        assert_eq!(some.events[..], all.events[..kept]);
        assert_eq!(some.header.counts, all.header.counts);
        assert_eq!(some.header.total, all.header.total);
    }
}

#[test]
fn a_limit_is_an_answer_and_a_table_is_no_search() {
    let fields =
        json!({"puzzle": "1A4B3B2B.1fc1f0c0.B9c", "solver": "naive", "limits": {"nodes": 50}});
    let answer = ask(&Policy::default(), &fields);
    assert_eq!(
        answer.header.result.limit.unwrap().to_string(),
        "node limit"
    );
    assert_eq!(answer.header.counts["expand"], 51);

    let token = CancelToken::default();
    token.cancel();
    let request = Request::named("trace", json!({"puzzle": "1A4B3B2B.1fc1f0c0.B9c"})).unwrap();
    let cancelled = Call::new(&Policy::default())
        .cancel_with(&token)
        .answer(&request);
    assert!(!cancelled.unwrap().is_complete());

    let table = json!({"puzzle": "4x3..0012.R31", "solver": "tablebase"});
    let request = Request::named("trace", table).unwrap();
    let error = Call::new(&Policy::default()).answer(&request).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Unsupported);
    assert!(error.message.contains("no search to trace"), "{error}");
}

/// What `protocol/Trace-v140.ts` of ShortestPathLab/posthoc-app says about a search trace: its version;
/// views, which are lists of components with a name in `$`; events with an id (a number or a string), a
/// type (a string) and a parent `pId` (a number, a string or null).
fn check_posthoc(trace: &Value) {
    let known = ["version", "views", "pivot", "events"];
    for key in trace.as_object().unwrap().keys() {
        assert!(known.contains(&key.as_str()), "{key}");
    }
    assert_eq!(trace["version"], "1.4.0");
    let views = trace["views"].as_object().unwrap();
    assert!(views.contains_key("main"));
    for components in views.values() {
        for component in components.as_array().unwrap() {
            let name = component["$"].as_str().unwrap();
            let is_primitive = ["rect", "circle", "path", "polygon"].contains(&name);
            assert!(is_primitive || views.contains_key(name), "{name}");
            let clear = component.get("clear");
            assert!(clear.is_none_or(|clear| clear.is_boolean() || clear.is_string()));
        }
    }
    assert!(trace["pivot"]["scale"].is_number());
    let is_id = |id: &Value| id.is_string() || id.is_number();
    let mut seen = HashSet::new();
    for event in trace["events"].as_array().unwrap() {
        assert!(event["type"].is_string() && is_id(&event["id"]), "{event}");
        let parent = &event["pId"];
        assert!(
            parent.is_null() || seen.contains(&parent.to_string()),
            "{event}"
        );
        if let (Some(f), Some(g), Some(h)) = (
            event["f"].as_u64(),
            event["g"].as_u64(),
            event["h"].as_u64(),
        ) {
            assert_eq!(f, g + h);
        }
        seen.insert(event["id"].to_string());
    }
    assert!(seen.len() > 1);
}

#[test]
fn the_export_for_posthoc_has_the_published_form() {
    let line = "6x5..401233.R52";
    let puzzle = ricochet_core::notation::parse_line(line)
        .unwrap()
        .validate()
        .unwrap();
    for solver in [
        "iddfs",
        "naive",
        "bfs",
        "dfs",
        "graph-v2",
        "stateless",
        "stateless:published=on",
        "single-color",
        "setup-position:setup-depth=2",
        "flagship",
    ] {
        let answer = ask(
            &Policy::default(),
            &json!({"puzzle": line, "solver": solver, "events": 2000}),
        );
        let trace = posthoc(&puzzle, &answer);
        check_posthoc(&trace);
        let events = trace["events"].as_array().unwrap();
        assert_eq!(
            events.len(),
            answer.events.len() + 1,
            "the board comes first"
        );
    }
}
