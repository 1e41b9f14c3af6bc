//! Stored results, puzzles and attempts.

use crate::support::{Client, json_of, text_of};
use axum::http::{Method, StatusCode};
use ricochet_server::Config;
use serde_json::{Value, json};

/// The puzzle of a day, and a shortest solution of it.
async fn day(client: &Client, date: &str) -> (String, Value) {
    let day = json_of(client.get(&format!("/api/v1/puzzle/daily/{date}")).await).await;
    let line = day["puzzle"]["line"].as_str().unwrap().to_owned();
    let solved = json_of(client.post("/api/v1/solve", &json!({"puzzle": line})).await).await;
    (line, solved["moves"].clone())
}

#[tokio::test]
async fn results_are_checked_and_counted() {
    let client = Client::new(Config::default());
    let date = "2026-11-16";
    let (_, moves) = day(&client, date).await;
    let result = |player: &str, moves: &Value| json!({"date": date, "player": player, "moves": moves, "ms": 61_000, "hints": 1});
    let response = client
        .post("/api/v1/results", &result("player-one", &moves))
        .await;
    assert_eq!(response.status(), StatusCode::CREATED);
    let told = json_of(response).await;
    assert_eq!(told["length"], told["optimal"]);
    assert_eq!(told["day"]["players"], 1);
    client
        .post("/api/v1/results", &result("player-two", &moves))
        .await;
    client
        .post("/api/v1/results", &result("player-two", &moves))
        .await;
    let summary = json_of(client.get(&format!("/api/v1/results/{date}")).await).await;
    assert_eq!(summary["players"], 2);
    assert_eq!(summary["best_ms"], 61_000);
    for wrong in [
        result("player-three", &json!(["RN"])),
        result("no", &moves),
        result("../../etc/passwd", &moves),
        json!({"date": "2026-02-30", "player": "player-one", "moves": moves, "ms": 1}),
        json!({"date": date, "player": "player-one", "moves": moves, "ms": u64::MAX}),
        json!({"date": date, "player": "player-one", "moves": moves, "ms": 1, "name": "Ada"}),
    ] {
        let response = client.post("/api/v1/results", &wrong).await;
        assert_eq!(response.status(), StatusCode::BAD_REQUEST, "{wrong}");
    }
}

#[tokio::test]
async fn puzzles_are_saved_and_forgotten() {
    let client = Client::new(Config::default());
    let fields = json!({"puzzle": "4x3..0012.R31.nmine", "title": "<b>mine</b>"});
    let response = client.post("/api/v1/puzzles", &fields).await;
    assert_eq!(response.status(), StatusCode::CREATED);
    let saved = json_of(response).await;
    assert_eq!(saved["line"], "4x3..0012.R31");
    let path = format!("/api/v1/puzzles/{}", saved["id"]);
    let one = json_of(client.get(&path).await).await;
    assert_eq!(
        one["title"], "<b>mine</b>",
        "as it was given: the page shows it as text"
    );
    let all = json_of(client.get("/api/v1/puzzles").await).await;
    assert_eq!(all["puzzles"][0], one);
    let gone = client.send(Method::DELETE, &path, &[], "").await;
    assert_eq!(gone.status(), StatusCode::NO_CONTENT);
    assert_eq!(client.get(&path).await.status(), StatusCode::NOT_FOUND);
    for wrong in ["x", "null%2Cnull", "99999999999999999999"] {
        let refused = client.get(&format!("/api/v1/puzzles/{wrong}")).await;
        assert_eq!(refused.status(), StatusCode::BAD_REQUEST);
        assert_eq!(json_of(refused).await["error"]["kind"], "bad-request");
    }
    for wrong in [
        json!({"puzzle": "4x4..0000.R33"}),
        json!({"puzzle": "nothing"}),
    ] {
        let response = client.post("/api/v1/puzzles", &wrong).await;
        assert_eq!(response.status(), StatusCode::UNPROCESSABLE_ENTITY);
    }
}

#[tokio::test]
async fn attempts_need_consent_and_can_be_exported() {
    let client = Client::new(Config::default());
    let attempt = |consent: bool, moves: &str| json!({"consent": consent, "puzzle": "4x3..0012.R31", "moves": moves, "ms": 5, "hints": 0});
    let response = client.post("/api/v1/attempts", &attempt(false, "GE")).await;
    assert_eq!(response.status(), StatusCode::BAD_REQUEST);
    for (moves, solved) in [("GE RE RS", true), ("GE", false)] {
        let told = json_of(client.post("/api/v1/attempts", &attempt(true, moves)).await).await;
        assert_eq!(told["solved"], solved);
    }
    let exported = text_of(client.get("/api/v1/attempts").await).await;
    let rows: Vec<Value> = exported
        .lines()
        .map(|it| serde_json::from_str(it).unwrap())
        .collect();
    assert_eq!(rows.len(), 2);
    assert_eq!(
        (&rows[0]["moves"], &rows[0]["solved"]),
        (&json!("GE RE RS"), &json!(true))
    );
    let keys: Vec<&String> = rows[0].as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        ["day", "hints", "moves", "ms", "puzzle", "solved"],
        "no names, no times"
    );
}

#[tokio::test]
async fn what_was_stored_is_there_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let config = || Config {
        data: Some(folder.path().join("made/on/first/start")),
        ..Config::default()
    };
    let client = Client::new(config());
    let saved = json_of(
        client
            .post("/api/v1/puzzles", &json!({"puzzle": "8x8..00.R77"}))
            .await,
    )
    .await;
    drop(client);
    let client = Client::new(config());
    let one = json_of(
        client
            .get(&format!("/api/v1/puzzles/{}", saved["id"]))
            .await,
    )
    .await;
    assert_eq!(one["line"], "8x8..00.R77");
}
