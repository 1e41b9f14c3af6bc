//! One small request per question, and what its answer has to say.

use ricochet_service::{Call, Policy, Request};
use serde_json::{Value, json};

fn answer(request: &Value) -> Value {
    let request = Request::from_json(&request.to_string()).unwrap();
    let answer = Call::new(&Policy::default()).answer(&request).unwrap();
    serde_json::to_value(answer).unwrap()
}

/// Asserts fields of the answer, each named by its JSON pointer.
#[track_caller]
fn check(request: &Value, fields: &[(&str, Value)]) {
    let answer = answer(request);
    for (pointer, expected) in fields {
        let found = answer.pointer(pointer).unwrap_or(&Value::Null);
        assert_eq!(found, expected, "{request}: {pointer} of {answer}");
    }
}

#[test]
fn texts_are_read_and_written() {
    check(
        &json!({"ask": "read", "text": "4x4..00.R33"}),
        &[("/puzzles/0/robots", json!([[0, 0]]))],
    );
    let two_robots_on_one_cell = answer(&json!({"ask": "read", "text": "4x4..0000.R33"}));
    let problems = two_robots_on_one_cell["puzzles"][0]["problems"].as_array();
    assert_eq!(problems.unwrap().len(), 1);
    check(
        &json!({"ask": "convert", "puzzle": "4x4..00.R33.o2", "to": "roboyard"}),
        &[(
            "/notes",
            json!(["roboyard does not carry the optimum of 2 moves"]),
        )],
    );
    check(
        &json!({"ask": "validate", "setup":
            {"width": 4, "height": 4, "robots": [[0, 0]], "goal": {"robot": "R", "cell": [3, 3]}}}),
        &[("/line", json!("4x4..00.R33"))],
    );
    check(
        &json!({"ask": "validate", "setup":
            {"width": 4, "height": 4, "robots": [], "goal": {"robot": null, "cell": [9, 9]}}}),
        &[("/line", json!(null)), ("/problems/2", json!(null))],
    );
    check(
        &json!({"ask": "compose", "layout": "1A4B3B2B", "robots": [[0, 0], [5, 5]],
            "goal": {"robot": "G", "cell": [3, 3]}}),
        &[("/line", json!("1A4B3B2B.0055.G33"))],
    );
    check(
        &json!({"ask": "read", "text": "1A4B3B2B.1fc1f0c0.B9c"}),
        &[
            ("/puzzles/0/layout", json!("1A4B3B2B")),
            ("/puzzles/0/line", json!("1A4B3B2B.1fc1f0c0.B9c")),
            ("/puzzles/0/printed", json!(null)),
        ],
    );
}

#[test]
fn lists_are_whole() {
    let formats = answer(&json!({"ask": "formats"}));
    let formats = formats["formats"].as_array().unwrap();
    assert_eq!(formats[0]["name"], "line");
    assert!(formats.iter().all(|format| format["read"] == true));
    assert!(formats.iter().any(|format| format["write"] == false));
    let solvers = answer(&json!({"ask": "solvers"}));
    let solvers = solvers["solvers"].as_array().unwrap();
    assert_eq!(solvers[0]["name"], "flagship");
    let iddfs = solvers.iter().find(|it| it["name"] == "iddfs").unwrap();
    assert_eq!(iddfs["guarantee"], "optimal");
    let mut parameters = iddfs["parameters"].as_array().unwrap().iter();
    assert!(parameters.any(|parameter| parameter["key"] == "memo"));
    let printed = answer(&json!({"ask": "quadrants"}));
    let sides = printed["quadrants"].as_array().unwrap();
    assert_eq!(sides.len(), 16);
    assert_eq!(sides[0]["walls"][63], 15, "the centre is closed");
    assert_eq!(sides[3]["name"], "1D");
    assert_eq!(sides[3]["editions"], json!(["2003", "2013"]));
    assert!(!sides[3]["diagonals"].as_array().unwrap().is_empty());
    assert_eq!(printed["editions"][0]["layouts"], 96);
    assert_eq!(printed["editions"][1]["faces"], "CD");
    assert_eq!(printed["editions"][2]["layouts"], 1536);
}

#[test]
fn puzzles_are_solved_and_explained() {
    check(
        &json!({"ask": "solve", "puzzle": "4x3..0012.R31"}),
        &[
            ("/outcome", json!("solved")),
            ("/length", json!(3)),
            ("/optimal", json!(true)),
            ("/lower_bound", json!(3)),
            ("/trace/0/stopped_by", json!({"kind": "rim"})),
            ("/trace/2/to", json!([3, 1])),
            (
                "/trace/2/stopped_by",
                json!({"kind": "robot", "robot": "G"}),
            ),
        ],
    );
    check(
        &json!({"ask": "all", "puzzle": "8x8..00.R77"}),
        &[("/solutions", json!(2)), ("/all/1/1", json!("RE"))],
    );
    check(
        &json!({"ask": "all", "puzzle": "8x8..0073.R67", "group": true}),
        &[("/groups/0/size", json!(2))],
    );
    check(
        &json!({"ask": "hint", "puzzle": "4x3..0012.R31", "level": 3}),
        &[
            ("/length", json!(3)),
            ("/first_move", json!(null)),
            ("/sentences/2", json!("In it, red and green move.")),
        ],
    );
    check(
        &json!({"ask": "explain", "puzzle": "4x3..0012.R31"}),
        &[(
            "/summary",
            json!("3 moves, the fewest possible: red twice and green once."),
        )],
    );
    check(
        &json!({"ask": "explain", "puzzle": "8x8..00.R77", "moves": "RE RS"}),
        &[("/sentences/2", json!(null)), ("/lower_bound", json!(null))],
    );
    check(
        &json!({"ask": "explain", "puzzle": "8x8..77.R77"}),
        &[("/summary", json!("The robot is already on the target."))],
    );
    check(
        &json!({"ask": "check", "puzzle": "4x3..0012.R31", "moves": ["GE", "GE"]}),
        &[
            ("/solves", json!(false)),
            ("/failed_at", json!(1)),
            ("/robots", json!([[0, 0], [3, 2]])),
        ],
    );
    check(
        &json!({"ask": "rate", "puzzle": "4x3..0012.R31"}),
        &[
            ("/difficulty", json!("easy")),
            ("/length", json!(3)),
            ("/helper_moves", json!(1)),
        ],
    );
    check(
        &json!({"ask": "compare", "puzzle": "4x3..0012.R31", "solvers": ["iddfs", "single-color"]}),
        &[
            ("/optimal", json!(3)),
            ("/rows/0/solver", json!("iddfs")),
            ("/rows/1/outcome", json!("failed")),
        ],
    );
}

#[test]
fn positions_and_cells_have_distances() {
    check(
        &json!({"ask": "position", "puzzle": "4x3..0012.R31", "moves": ["GE"]}),
        &[
            ("/outcome", json!("solved")),
            ("/distance", json!(2)),
            ("/moves/0/best", json!(true)),
            ("/moves/0/distance", json!(1)),
        ],
    );
    check(
        &json!({"ask": "position", "puzzle": "8x8..77.R77"}),
        &[("/distance", json!(0)), ("/moves/0/best", json!(false))],
    );
    check(
        &json!({"ask": "position", "puzzle": "8x8..00.R70"}),
        &[
            ("/moves/0/to", json!([7, 0])),
            ("/moves/0/stopped_by", json!({"kind": "rim"})),
            ("/moves/0/distance", json!(0)),
        ],
    );
    check(
        &json!({"ask": "distances", "puzzle": "4x3..0012.R31", "all_robots": true}),
        &[
            ("/robots/0/cells/7", json!(3)),
            ("/robots/1/robot", json!("green")),
        ],
    );
    check(
        &json!({"ask": "distances", "puzzle": "4x3..00.R31"}),
        &[
            ("/robots/0/cells/0", json!(0)),
            // Alone it cannot stop at (1,1).
            ("/robots/0/cells/5", json!(-1)),
        ],
    );
    check(
        &json!({"ask": "overlay", "puzzle": "4x3..0012.R31", "kind": "min-moves"}),
        &[("/values/7", json!(0)), ("/values/12", json!(null))],
    );
}

#[test]
fn puzzles_are_made_and_drawn() {
    let made = answer(&json!({"ask": "generate", "seed": 7, "moves": [5, 6], "rate": true}));
    assert!((5..=6).contains(&made["puzzle"]["optimal"].as_u64().unwrap()));
    assert!(made["rating"]["rating"].is_number());
    check(
        &json!({"ask": "generate", "seed": 7, "moves": [25, 25], "candidates": 3}),
        &[
            ("/outcome", json!("limit")),
            ("/tried", json!(3)),
            ("/puzzle", json!(null)),
        ],
    );
    check(
        &json!({"ask": "daily", "date": "2000-02-29"}),
        &[
            ("/weekday", json!("Tuesday")),
            ("/puzzle/id", json!("2000-02-29")),
        ],
    );
    // Monday to Sunday.
    let ratings = [700, 1000, 1400, 1800, 2200, 2600, 3200, 4401];
    for (day, range) in ratings.windows(2).enumerate() {
        let date = format!("2026-11-{}", 16 + day);
        let puzzle = answer(&json!({"ask": "daily", "date": date}))["puzzle"]["line"].clone();
        let rating = answer(&json!({"ask": "rate", "puzzle": puzzle}))["rating"].clone();
        let rating = rating.as_i64().unwrap();
        assert!((range[0]..range[1]).contains(&rating), "{date}: {rating}");
    }
    let picture = answer(&json!({"ask": "draw", "puzzle": "4x3..0012.R31", "solution": true}));
    assert!(picture["text"].as_str().unwrap().starts_with("<svg "));
    check(
        &json!({"ask": "draw", "puzzle": "4x3..0012.R31", "kind": "png"}),
        &[("/type", json!("image/png")), ("/text", json!(null))],
    );
}
