//! Answers are those of the solver crates, within the limits of the policy.

use ricochet_core::generate::Recipe;
use ricochet_core::quadrants::Edition;
use ricochet_core::{Solution, notation};
use ricochet_service::questions::daily::Daily;
use ricochet_service::questions::generate::GenerateOutcome;
use ricochet_service::questions::solve::{Solve, SolveAnswer, SolveOutcome};
use ricochet_service::{Answer, Call, Error, ErrorKind, Policy, Question, Request, RequestLimits};
use ricochet_solve::all::all_of_length;
use ricochet_solve::difficulty::Features;
use ricochet_solve::{CancelToken, Limits, NullObserver, Outcome, registry};
use serde_json::{Value, json};

fn ask(fields: &Value) -> Result<Answer, Error> {
    let request = Request::from_json(&fields.to_string())?;
    Call::new(&Policy::default()).answer(&request)
}

fn answer(fields: &Value) -> Value {
    serde_json::to_value(ask(fields).unwrap()).unwrap()
}

#[test]
fn answers_are_those_of_the_solvers() {
    let recipe = Recipe::official(Edition::Of2013);
    for number in 0..12 {
        let puzzle = recipe.puzzle(3, number).unwrap();
        let line = notation::to_line(&puzzle);
        let mut solver = registry::build("flagship").unwrap();
        let (outcome, stats) = solver.solve(&puzzle, &Limits::default(), &mut NullObserver);
        let Outcome::Solved { solution, .. } = &outcome else {
            panic!("{line}")
        };
        let length = solution.len();
        let solved = answer(&json!({"ask": "solve", "puzzle": line}));
        assert_eq!(solved["length"], length, "{line}");
        assert_eq!(solved["nodes"], stats.nodes, "the same search: {line}");
        let moves: Vec<&str> = solved["moves"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it.as_str().unwrap())
            .collect();
        let played: Solution = moves.join(" ").parse().unwrap();
        assert!(played.replay(&puzzle).is_ok(), "{line}");
        assert_eq!(solved["trace"].as_array().unwrap().len(), length);

        let all = answer(&json!({"ask": "all", "puzzle": line, "max": 3}));
        let found = all_of_length(&puzzle, length as u32, &Limits::default())
            .unwrap()
            .unwrap();
        assert_eq!(
            all["solutions"].to_string(),
            found.count().to_string(),
            "{line}"
        );
        assert!(all["all"].as_array().unwrap().len() <= 3);

        let rated = answer(&json!({"ask": "rate", "puzzle": line}));
        let features = Features::of(&puzzle, length as u32, &Limits::default())
            .unwrap()
            .unwrap();
        assert_eq!(rated["difficulty"], features.difficulty().name(), "{line}");
        assert_eq!(rated["rating"], features.rating.rounded(), "{line}");

        let checked = answer(&json!({"ask": "check", "puzzle": line, "moves": moves}));
        assert_eq!(checked["solves"], true);

        let told = answer(&json!({"ask": "explain", "puzzle": line}));
        assert_eq!(told["sentences"].as_array().unwrap().len(), length);

        let here = answer(&json!({"ask": "position", "puzzle": line}));
        assert_eq!(here["distance"], length, "{line}");

        let hint = answer(&json!({"ask": "hint", "puzzle": line, "level": 4}));
        assert_eq!(hint["first_move"], moves[0], "{line}");
    }
}

#[test]
fn the_puzzles_of_the_days_never_change() {
    let dates = [
        "1970-01-01",
        "2026-11-16",
        "2026-11-17",
        "2026-11-22",
        "9999-12-31",
    ];
    // Whatever the limits are.
    for policy in [Policy::default(), Policy::unlimited(2)] {
        let lines: Vec<String> = dates
            .iter()
            .map(|&date| {
                let daily = Daily { date: date.into() };
                let day = daily.answer(&mut Call::new(&policy)).unwrap();
                assert_eq!(day.puzzle.optimal, Some(day.optimal));
                day.puzzle.line.unwrap()
            })
            .collect();
        assert_eq!(
            lines,
            [
                "1B3A4A2A.259fa78f.G1a.o8.n1970-01-01",
                "1B3A2B4A.fc07cfa0.Ge9.o4.n2026-11-16",
                "1B4B2A3A.7648e256.Gc1.o5.n2026-11-17",
                "1B2B4A3A.b22c2a76.Yec.o9.n2026-11-22",
                "1A3A2A4A.fce8c8d0.G12.o8.n9999-12-31",
            ]
        );
    }
}

/// The puzzle of Fogleman's slides.
const SLIDES: &str =
    "16x16.AgAgBABIAEBAACQBAIAAEAg~AG~BQAFEMAAXkAAELwAQEAAB~BkDIAAg~AwgAIg~AC~ADAIQ.1fc1f0c0.B9c";

#[test]
fn rows_are_what_each_depth_counted_in_the_answer_and_in_the_progress() {
    let fields = json!({
        "ask": "solve", "puzzle": SLIDES, "solver": "iddfs", "limits": {"moves": 9},
    });
    assert_eq!(answer(&fields)["rows"], Value::Null, "only if asked for");
    let mut fields = fields;
    fields["rows"] = json!(true);
    let request = Request::from_json(&fields.to_string()).unwrap();
    let mut reported = Vec::new();
    let answer = Call::new(&Policy::default())
        .on_progress(|progress| reported.push(serde_json::to_value(progress).unwrap()))
        .answer(&request)
        .unwrap();
    let answer = serde_json::to_value(answer).unwrap();
    let rows = answer["rows"].as_array().unwrap();
    // The last lines are those of the slides.
    let published = [(984, 577, 293), (3779, 2431, 1455), (12162, 8295, 5429)];
    assert_eq!(rows.len(), 9);
    for (row, (depth, (nodes, inner, hits))) in rows[6..].iter().zip((7..).zip(published)) {
        let expected = json!({"depth": depth, "nodes": nodes, "inner": inner, "hits": hits});
        assert_eq!(row, &expected);
    }
    let reported: Vec<&Value> = reported
        .iter()
        .map(|progress| &progress["counts"])
        .collect();
    assert_eq!(reported, rows.iter().collect::<Vec<_>>());
}

#[test]
fn a_request_cannot_raise_the_limits_of_the_policy() {
    let hard = Solve {
        puzzle: "1A4B3B2B.1fc1f0c0.B9c".into(),
        solver: Some("naive".into()),
        limits: RequestLimits {
            ms: Some(u64::MAX),
            nodes: Some(u64::MAX),
            memory_mib: Some(u64::MAX),
            moves: Some(u32::MAX),
        },
        ..Solve::default()
    };
    let limit = |policy: &Policy| -> Option<String> {
        let answer: SolveAnswer = hard.answer(&mut Call::new(policy)).unwrap();
        assert_eq!((answer.outcome, answer.length), (SolveOutcome::Limit, None));
        answer.limit.map(|limit| limit.to_string())
    };
    let open = Policy {
        ms: None,
        memory_mib: None,
        ..Policy::default()
    };
    assert_eq!(
        limit(&Policy {
            nodes: Some(5_000),
            ..open.clone()
        })
        .unwrap(),
        "node limit"
    );
    assert_eq!(
        limit(&Policy {
            memory_mib: Some(1),
            ..open.clone()
        })
        .unwrap(),
        "memory limit"
    );
    assert_eq!(
        limit(&Policy {
            moves: Some(2),
            ..open.clone()
        })
        .unwrap(),
        "move limit"
    );
    assert_eq!(
        limit(&Policy {
            ms: Some(0),
            ..open
        })
        .unwrap(),
        "time limit"
    );
}

#[test]
fn the_policy_decides_about_threads_and_files() {
    let error = ask(
        &json!({"ask": "solve", "puzzle": "4x3..0012.R31", "solver": "tablebase", "options": {"file": "/x"}}),
    );
    assert_eq!(error.unwrap_err().kind, ErrorKind::Unsupported);
    // More threads than there are are not an error, they are not given.
    let solved =
        answer(&json!({"ask": "solve", "puzzle": "4x3..0012.R31", "options": {"threads": 1000}}));
    assert_eq!(solved["length"], 3);
    let error =
        ask(&json!({"ask": "solve", "puzzle": "4x3..0012.R31", "options": {"wings": true}}));
    assert_eq!(error.unwrap_err().kind, ErrorKind::BadRequest);
}

#[test]
fn a_cancelled_question_ends_with_an_answer() {
    let token = CancelToken::default();
    token.cancel();
    for question in ricochet_service::QUESTIONS.iter().filter(|it| it.searches) {
        let fields = serde_json::from_str(question.example).unwrap();
        let request = Request::named(question.name, fields).unwrap();
        let answer = Call::new(&Policy::default())
            .cancel_with(&token)
            .answer(&request);
        // The day's puzzle does not depend on limits: it is there, or it is not.
        let fine = match &answer {
            Ok(_) => true,
            Err(error) => question.name == "daily" && error.kind == ErrorKind::Busy,
        };
        assert!(fine, "{}: {answer:?}", question.name);
    }
}

#[test]
fn unsolvable_puzzles_have_null_lengths() {
    // Blue is walled in, and red cannot stop in the middle of an empty board.
    let line = "5x5..00.R22";
    let solved = answer(&json!({"ask": "solve", "puzzle": line}));
    assert_eq!(solved["outcome"], "unsolvable");
    assert_eq!(
        (&solved["length"], &solved["lower_bound"]),
        (&Value::Null, &Value::Null)
    );
    let here = answer(&json!({"ask": "position", "puzzle": line}));
    assert_eq!(
        (&here["outcome"], &here["distance"]),
        (&json!("unsolvable"), &Value::Null)
    );
    for entry in here["moves"].as_array().unwrap() {
        assert_eq!(entry["outcome"], "unsolvable");
    }
    assert_eq!(
        answer(&json!({"ask": "rate", "puzzle": line}))["outcome"],
        "unsolvable"
    );
    assert_eq!(
        answer(&json!({"ask": "hint", "puzzle": line}))["outcome"],
        "unsolvable"
    );
    assert_eq!(
        answer(&json!({"ask": "explain", "puzzle": line}))["summary"],
        Value::Null
    );
}

#[test]
fn an_invalid_position_can_be_viewed_and_not_solved() {
    let read = answer(&json!({"ask": "read", "text": "4x4..0000.R33"}));
    let view = &read["puzzles"][0];
    assert_eq!(view["line"], Value::Null);
    assert_eq!(view["problems"][0]["cell"], json!([0, 0]));
    let error = ask(&json!({"ask": "solve", "puzzle": "4x4..0000.R33"})).unwrap_err();
    assert_eq!((error.kind, error.problems.len()), (ErrorKind::Invalid, 1));
    // A view goes back as a draft.
    let good = answer(&json!({"ask": "read", "text": "1D4B3B2B.1fc1f0c0.B9c"}));
    let view = answer(&json!({"ask": "validate", "setup": good["puzzles"][0]}));
    assert_eq!(view, good["puzzles"][0]);
}

#[test]
fn generated_puzzles_are_those_of_the_library() {
    let made = answer(&json!({"ask": "generate", "seed": 11, "number": 4}));
    let puzzle = Recipe::official(Edition::Of1999).puzzle(11, 4).unwrap();
    let line = notation::to_line(&puzzle.with_id("S11-4"));
    assert_eq!(made["puzzle"]["line"], line);
    // One that goes on where another ended finds the next.
    let first = answer(&json!({"ask": "generate", "seed": 11, "moves": [7, 7]}));
    let number = first["number"].as_u64().unwrap();
    let again = answer(&json!({"ask": "generate", "seed": 11, "moves": [7, 7], "number": number}));
    assert_eq!(
        (&again["puzzle"], &again["tried"]),
        (&first["puzzle"], &json!(1))
    );
    for wrong in [
        json!({"ask": "generate", "moves": [9, 7]}),
        json!({"ask": "generate", "robots": 9}),
        json!({"ask": "generate", "robots": 2, "robots_used": 3}),
        json!({"ask": "generate", "size": [1, 99]}),
        json!({"ask": "generate", "layout": "1A1B1C1D"}),
        json!({"ask": "generate", "layout": "1A4B3B2B", "size": [9, 9]}),
        json!({"ask": "generate", "who": "Z"}),
    ] {
        assert_eq!(
            ask(&wrong).unwrap_err().kind,
            ErrorKind::BadRequest,
            "{wrong}"
        );
    }
}

/// Long puzzles are drawn from tables where that is cheaper, as `ricochet generate` does, and the
/// answer says so.
#[test]
fn long_puzzles_are_drawn_and_the_answer_says_so() {
    let generous = Policy {
        ms: None,
        candidates: 1_000_000,
        ..Policy::default()
    };
    let at = |policy: &Policy, fields: &Value| {
        let request = Request::from_json(&fields.to_string()).unwrap();
        let answer = Call::new(policy).answer(&request).unwrap();
        serde_json::to_value(answer).unwrap()
    };
    let long = json!({
        "ask": "generate", "seed": 7, "size": [6, 6], "robots": 2, "moves": [20, 99], "rate": true,
    });
    let made = at(&generous, &long);
    assert_eq!(
        (
            &made["outcome"],
            &made["way"],
            &made["tables"],
            &made["tried"]
        ),
        (&json!("found"), &json!("drawn"), &json!(4), &json!(10_001)),
        "{made}"
    );
    assert_eq!(made["puzzle"]["id"], "S7-T251-0");
    assert_eq!(
        (&made["number"], &made["puzzle"]["optimal"]),
        (&json!(251), &json!(20))
    );
    assert_eq!(made["rating"]["id"], "S7-T251-0");
    assert_eq!(made["rating"]["length"], 20);

    let short = at(
        &generous,
        &json!({"ask": "generate", "seed": 7, "moves": [5, 6]}),
    );
    assert_eq!(
        (&short["way"], &short["tables"]),
        (&json!("tried"), &json!(0))
    );
    assert!(short["not_drawn"].is_null());

    // Nothing is as far away as that: the tables count as what they cost.
    let never = json!({
        "ask": "generate", "seed": 7, "size": [5, 5], "robots": 2, "moves": [30, 99],
        "candidates": 200_000,
    });
    let made = at(&generous, &never);
    assert_eq!(
        (&made["outcome"], &made["tables"]),
        (&json!("limit"), &json!(32))
    );
    assert_eq!(
        made["limit"],
        "no such position in 32 tables of all positions"
    );
    assert_eq!(made["number"], 10_001, "the next candidate");
}

/// Where tables are too much, the answer says why none were made.
#[test]
fn where_nothing_can_be_drawn_the_answer_says_why() {
    let why = |policy: &Policy, more: Value| {
        let mut fields = json!({"ask": "generate", "seed": 7, "moves": [20, 25], "candidates": 3});
        fields
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        let request = Request::from_json(&fields.to_string()).unwrap();
        let answer = serde_json::to_value(Call::new(policy).answer(&request).unwrap()).unwrap();
        assert_eq!(
            (&answer["outcome"], &answer["way"]),
            (&json!("limit"), &json!("tried"))
        );
        answer["not_drawn"].as_str().map(str::to_owned)
    };
    let roomy = Policy {
        memory_mib: Some(2048),
        ..Policy::default()
    };
    let memory = why(&Policy::default(), json!({"limits": {"memory_mib": 64}}));
    assert!(memory.unwrap().ends_with("but only 64 MiB are allowed"));
    let candidates = why(&roomy, json!({})).unwrap();
    assert!(
        candidates.ends_with("candidates, and only 3 are allowed"),
        "{candidates}"
    );
    let rule = why(&roomy, json!({"must_ricochet": true})).unwrap();
    assert_eq!(rule, "tablebases do not support must_ricochet");
    // Of solutions that nobody is interested in there is nothing to draw.
    assert_eq!(why(&roomy, json!({"limits": {"moves": 19}})), None);
}

/// What is asked for does not fit on the board of every number: then the next one is looked at.
#[test]
fn generate_skips_candidates_that_cannot_be_built() {
    use ricochet_core::generate::GenerateError;
    use ricochet_service::questions::generate::Generate;

    let wanted = Generate {
        seed: Some(1),
        size: Some([6, 6]),
        diagonals: Some(7),
        ..Generate::default()
    };
    let recipe = wanted.recipe().unwrap();
    let is_crowded = |number: &u64| {
        matches!(
            recipe.puzzle(1, *number),
            Err(GenerateError::NoRoomFor { .. })
        )
    };
    let crowded = (0..1000)
        .filter(is_crowded)
        .find(|it| !is_crowded(&(it + 1)));
    let number = crowded.expect("a number without room before one with room");
    let made = Generate { number, ..wanted };
    let made = made.answer(&mut Call::new(&Policy::default())).unwrap();
    assert_eq!((made.outcome, made.tried), (GenerateOutcome::Found, 2));
    assert_eq!(made.number, number + 1);
}

/// The pages of a PDF file are named with their sizes in plain text.
#[test]
fn a_page_to_print_has_the_size_of_its_paper_and_the_solution_on_the_next() {
    let page = |more: Value| {
        let mut fields = json!({"ask": "draw", "puzzle": "4x3..0012.R31", "kind": "pdf"});
        for (key, value) in more.as_object().unwrap() {
            fields[key] = value.clone();
        }
        let Answer::Draw(drawn) = ask(&fields)? else {
            panic!("a picture was asked for")
        };
        let bytes = drawn.bytes().unwrap();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let of_size = |size: &str| text.matches(size).count();
        Ok::<_, Error>((of_size("841.89"), of_size("792")))
    };
    let (a4, letter) = page(json!({"paper": "a4", "caption": "Rot zum Ziel"})).unwrap();
    assert_eq!((a4, letter), (1, 0));
    let (a4, _) = page(json!({"paper": "a4", "solution": true})).unwrap();
    assert_eq!(a4, 2, "the puzzle and its solution");
    let (a4, letter) = page(json!({"paper": "letter"})).unwrap();
    assert_eq!((a4, letter), (0, 1));
    let error = page(json!({"paper": "a3"})).unwrap_err();
    assert!(
        error.to_string().contains("expected a4 or letter"),
        "{error}"
    );
    let error = page(json!({"paper": "a4", "kind": "svg"})).unwrap_err();
    assert!(error.to_string().contains("only for pdf"), "{error}");
}
