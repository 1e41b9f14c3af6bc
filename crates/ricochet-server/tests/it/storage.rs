//! Stored results, puzzles and attempts.

use std::time::Duration;

use crate::support::{Client, json_of, text_of};
use axum::http::{Method, StatusCode};
use ricochet_server::{Config, ManualClock, app};
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
    let wrong = client.get("/api/v1/results/notadate").await;
    assert_eq!(wrong.status(), StatusCode::BAD_REQUEST);
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
    let path = format!("/api/v1/puzzles/{}", saved["id"].as_str().unwrap());
    let one = json_of(client.get(&path).await).await;
    assert_eq!(
        one["title"], "<b>mine</b>",
        "as it was given: the page shows it as text"
    );
    // It is not listed, and only its owner can change or delete it.
    let listed = json_of(client.get("/api/v1/puzzles").await).await;
    assert_eq!(listed["puzzles"], json!([]));
    let secret = format!("Bearer {}", saved["secret"].as_str().unwrap());
    let json_type = ("content-type", "application/json");
    let changed = json!({"puzzle": "4x3..0012.R31", "title": "ours", "listed": true}).to_string();
    let strangers = [
        vec![json_type],
        vec![
            json_type,
            ("authorization", "Bearer 00000000000000000000000000000000"),
        ],
    ];
    for headers in strangers {
        for (method, body) in [(Method::PUT, changed.as_str()), (Method::DELETE, "")] {
            let refused = client.send(method, &path, &headers, body).await;
            assert_eq!(refused.status(), StatusCode::UNAUTHORIZED);
        }
    }
    let owner = [json_type, ("authorization", secret.as_str())];
    let answer = client.send(Method::PUT, &path, &owner, &changed).await;
    assert_eq!(answer.status(), StatusCode::OK);
    let answer = json_of(answer).await;
    assert_eq!(answer["title"], "ours");
    let listed = json_of(client.get("/api/v1/puzzles").await).await;
    assert_eq!(listed["puzzles"][0], answer);
    let gone = client.send(Method::DELETE, &path, &owner, "").await;
    assert_eq!(gone.status(), StatusCode::NO_CONTENT);
    assert_eq!(client.get(&path).await.status(), StatusCode::NOT_FOUND);
    let again = client.send(Method::DELETE, &path, &owner, "").await;
    assert_eq!(again.status(), StatusCode::NOT_FOUND);
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
    // The database is closed now, and not some time later by a thread: nothing to wait for.
    let lock = folder.path().join("made/on/first/start/ricochet.lock");
    let lock = std::fs::File::open(lock).unwrap();
    lock.try_lock().unwrap();
    drop(lock);
    let client = Client::new(config());
    let one = json_of(
        client
            .get(&format!(
                "/api/v1/puzzles/{}",
                saved["id"].as_str().unwrap()
            ))
            .await,
    )
    .await;
    assert_eq!(one["line"], "8x8..00.R77");
}

#[tokio::test]
async fn one_address_saves_only_so_many_puzzles() {
    let manual = ManualClock::new(Duration::from_secs(1_800_000_000));
    let client = Client::new(Config {
        behind_proxy: true,
        clock: manual.clock(),
        ..Config::default()
    });
    let body = json!({"puzzle": "4x3..0012.R31"}).to_string();
    let save = async |from: &str| {
        let headers = [
            ("content-type", "application/json"),
            ("x-forwarded-for", from),
        ];
        let response = client.send(Method::POST, "/api/v1/puzzles", &headers, &body);
        response.await.status()
    };
    let mut saved = 0;
    for number in 0..100 {
        // The addresses of one network of IPv6 are one client.
        let status = save(&format!("2001:db8::{number:x}")).await;
        saved += usize::from(status == StatusCode::CREATED);
        assert!(status == StatusCode::CREATED || status == StatusCode::TOO_MANY_REQUESTS);
    }
    assert_eq!(saved, 30);
    assert_eq!(save("2001:db8:1::1").await, StatusCode::CREATED);
    manual.advance(Duration::from_secs(61));
    assert_eq!(save("2001:db8::1").await, StatusCode::CREATED);
    assert_eq!(save("2001:db8::1").await, StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test]
async fn names_of_saved_puzzles_cannot_be_guessed() {
    let client = Client::new(Config {
        behind_proxy: true,
        ..Config::default()
    });
    let fields = json!({"puzzle": "4x3..0012.R31"});
    let saved = json_of(client.post("/api/v1/puzzles", &fields).await).await;
    let name = saved["id"].as_str().unwrap().to_owned();
    assert_eq!(name.len(), 16, "of 32 letters: 80 bits");
    let look = async |from: &str, name: &str| {
        let path = format!("/api/v1/puzzles/{name}");
        let headers = [("x-forwarded-for", from)];
        client.send(Method::GET, &path, &headers, "").await.status()
    };
    let mut refused = 0;
    for number in 0..100 {
        let status = look("192.0.2.1", &format!("abcdefgh{number:08}")).await;
        refused += usize::from(status == StatusCode::TOO_MANY_REQUESTS);
        assert!(status == StatusCode::NOT_FOUND || status == StatusCode::TOO_MANY_REQUESTS);
    }
    assert!(refused > 20, "{refused}");
    assert_eq!(look("192.0.2.2", &name).await, StatusCode::OK);
}

#[tokio::test]
async fn a_second_server_does_not_start_on_the_same_folder() {
    let folder = tempfile::tempdir().unwrap();
    let config = || Config {
        data: Some(folder.path().to_owned()),
        ..Config::default()
    };
    let first = app(config()).unwrap();
    let error = app(config()).unwrap_err().to_string();
    assert!(error.contains("another server uses it"), "{error}");
    drop(first);
}

#[tokio::test]
async fn a_player_exports_and_deletes_results() {
    let client = Client::new(Config::default());
    let (_, moves) = day(&client, "2026-11-17").await;
    for player in ["player-one", "player-two"] {
        let result = json!({"date": "2026-11-17", "player": player, "moves": moves, "ms": 5});
        let response = client.post("/api/v1/results", &result).await;
        assert_eq!(response.status(), StatusCode::CREATED);
    }
    let path = "/api/v1/results/mine";
    let ask = async |method: Method, player: &str| {
        let value = format!("Bearer {player}");
        let headers = [("authorization", value.as_str())];
        client.send(method, path, &headers, "").await
    };
    let no_key = client.get(path).await;
    assert_eq!(no_key.status(), StatusCode::UNAUTHORIZED);
    let own = json_of(ask(Method::GET, "player-one").await).await;
    assert_eq!(own["results"].as_array().unwrap().len(), 1);
    assert_eq!(own["results"][0]["date"], "2026-11-17");
    let gone = ask(Method::DELETE, "player-one").await;
    assert_eq!(gone.status(), StatusCode::NO_CONTENT);
    let own = json_of(ask(Method::GET, "player-one").await).await;
    assert_eq!(own["results"], json!([]));
    let left = json_of(client.get("/api/v1/results/2026-11-17").await).await;
    assert_eq!(left["players"], 1, "others keep theirs");
    let page = client.get("/privacy").await;
    assert_eq!(page.status(), StatusCode::OK);
    assert!(
        text_of(page)
            .await
            .contains("after 30 days without activity")
    );
}
