//! Reloads, dropped connections, restarts: a returning client is the same player and misses nothing.

use std::time::Duration;

use ricochet_server::RoomLimits;
use serde_json::{Value, json};

use super::table::{TestServer, config, quick};

#[tokio::test]
async fn who_comes_back_is_the_same_player_and_gets_the_rest() {
    let server = TestServer::new().await;
    let room = server.open_room(&quick()).await;
    let mut ada = server.join(&room, "Ada").await;
    let ben = server.join(&room, "Ben").await;
    let version = ben.welcome["version"].as_u64().unwrap();
    let token = ben.token.clone();
    drop(ben);
    for line in ["one", "two"] {
        ada.ok(json!({"do": "say", "text": line})).await;
    }
    let mut ben = server.come(&room, token.as_deref(), Some(version)).await;
    assert_eq!(
        (&ben.welcome["you"], &ben.welcome["snapshot"]),
        (&json!(2), &Value::Null)
    );
    assert_eq!(ben.welcome["version"], version);
    assert_eq!(ben.event("said").await["text"], "one");
    assert_eq!(ben.event("said").await["text"], "two");
    let numbers = ben.numbers();
    assert_eq!(numbers[0], version + 1);
    assert!(numbers.is_sorted_by(|a, b| a + 1 == *b), "{numbers:?}");
    // A reload without a number gets everything as a snapshot.
    let again = server.come(&room, token.as_deref(), None).await;
    assert_eq!(again.welcome["you"], 2);
    assert_eq!(
        again.welcome["snapshot"]["players"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
}

#[tokio::test]
async fn who_was_away_too_long_gets_a_snapshot() {
    let limits = RoomLimits {
        recent: 4,
        ..RoomLimits::default()
    };
    let server = TestServer::open(config(limits)).await;
    let room = server.open_room(&quick()).await;
    let mut ada = server.join(&room, "Ada").await;
    for line in ["1", "2", "3", "4", "5"] {
        ada.ok(json!({"do": "say", "text": line})).await;
    }
    let old = server.come(&room, None, Some(2)).await;
    assert_eq!(old.welcome["snapshot"]["version"], old.welcome["version"]);
    let fresh = server
        .come(&room, None, old.welcome["version"].as_u64())
        .await;
    assert_eq!(fresh.welcome["snapshot"], Value::Null);
    let future = server.come(&room, None, Some(1_000_000)).await;
    assert!(future.welcome["snapshot"].is_object());
}

#[tokio::test]
async fn a_lost_connection_is_seen_after_a_moment_and_so_is_the_return() {
    let limits = RoomLimits {
        grace: Duration::from_millis(100),
        ..RoomLimits::default()
    };
    let server = TestServer::open(config(limits)).await;
    let room = server.open_room(&quick()).await;
    let mut ada = server.join(&room, "Ada").await;
    let ben = server.join(&room, "Ben").await;
    let token = ben.token.clone();
    drop(ben);
    assert_eq!(ada.event("dropped").await["player"], 2);
    let ben = server.come(&room, token.as_deref(), None).await;
    assert_eq!(ada.event("returned").await["player"], 2);
    assert_eq!(ben.welcome["snapshot"]["players"][1]["connected"], true);
    // The host leaves: another player becomes host.
    drop(ada);
    let mut ben = ben;
    assert_eq!(ben.event("host-changed").await["player"], 2);
}

#[tokio::test]
async fn pings_are_answered_and_lag_is_told() {
    let server = TestServer::new().await;
    let room = server.open_room(&quick()).await;
    let mut ada = server.join(&room, "Ada").await;
    ada.say(&json!({"do": "ping", "t": 12.25, "lag": 35})).await;
    let pong = loop {
        let message = ada.next().await.unwrap();
        if message["type"] == "pong" {
            break message;
        }
    };
    assert_eq!(pong["t"], 12.25);
    assert!(pong["now"].as_u64().unwrap() > 1_700_000_000_000);
    let presence = loop {
        let message = ada.next().await.unwrap();
        if message["type"] == "presence" && message["lags"]["1"] == 35 {
            break message;
        }
    };
    assert_eq!(presence["spectators"], 0);
}

#[tokio::test]
async fn rooms_go_on_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let config = || {
        let mut config = config(RoomLimits::default());
        config.data = Some(folder.path().to_owned());
        config
    };
    let server = TestServer::open(config()).await;
    let (room, mut guests) = server.play(&quick(), &["Ada", "Ben"]).await;
    let tokens: Vec<_> = guests.iter().map(|it| it.token.clone()).collect();
    let started = guests[0].event("round-started").await;
    guests[1].ok(json!({"do": "bid", "moves": 20})).await;
    let bid = guests[0].event("bid").await;
    server.close().await;
    assert_eq!(guests[0].end().await, 1001);

    let server = TestServer::open(config()).await;
    let mut ada = server
        .come(&room, tokens[0].as_deref(), bid["number"].as_u64())
        .await;
    assert_eq!(ada.welcome["you"], 1);
    assert_eq!(ada.welcome["snapshot"], Value::Null, "the rest is enough");
    let shows = ada.event("show-started").await;
    assert_eq!((&shows["player"], &shows["bid"]), (&json!(2), &json!(20)));
    assert!(
        shows["at"].as_u64() >= bid["until"].as_u64(),
        "the sand ran on"
    );
    let mut ben = server.come(&room, tokens[1].as_deref(), None).await;
    let moves = server.solve(&started["puzzle"]).await;
    ben.ok(json!({"do": "show", "moves": moves})).await;
    assert_eq!(ada.event("round-ended").await["result"]["player"], 2);
    ada.event("round-started").await;
}

#[tokio::test]
async fn a_room_that_nobody_uses_sleeps_and_wakes() {
    let limits = RoomLimits {
        idle: Duration::from_millis(200),
        grace: Duration::from_millis(50),
        ..RoomLimits::default()
    };
    let server = TestServer::open(config(limits)).await;
    let (room, guests) = server.play(&quick(), &["Ada"]).await;
    let token = guests[0].token.clone();
    drop(guests);
    let awake = async || {
        let (_, text) = server.get("/metrics").await;
        let line = text
            .lines()
            .find(|it| it.starts_with("ricochet_rooms_awake "));
        line.unwrap().ends_with(" 1")
    };
    while awake().await {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let mut ada = server.come(&room, token.as_deref(), None).await;
    let snapshot = &ada.welcome["snapshot"];
    assert_eq!(
        (&snapshot["phase"], &snapshot["game"]["rounds"]),
        (&json!("thinking"), &json!(1))
    );
    ada.ok(json!({"do": "bid", "moves": 9})).await;
    assert!(awake().await);
}

#[tokio::test]
async fn a_room_with_too_many_events_is_closed_for_good() {
    let limits = RoomLimits {
        events: 40,
        ..RoomLimits::default()
    };
    let server = TestServer::open(config(limits)).await;
    let (room, mut guests) = server.play(&quick(), &["Ada", "Ben"]).await;
    let ada = &mut guests[0];
    ada.event("round-started").await;
    let mut worn = false;
    let mut yes = false;
    loop {
        yes = !yes;
        ada.say(&json!({"do": "skip", "yes": yes})).await;
        ada.say(&json!({"do": "say", "text": "x", "id": 1000}))
            .await;
        let mut ended = false;
        loop {
            match ada.next().await {
                None => ended = true,
                Some(message) if message["type"] != "reply" => continue,
                Some(message) => worn |= message["refusal"] == "worn-out",
            }
            break;
        }
        if ended {
            break;
        }
        tokio::time::sleep(Duration::from_millis(120)).await;
    }
    assert!(worn, "chat ends before the game does");
    assert_eq!(ada.closed, Some(4010));
    assert_eq!(server.get(&format!("/api/v1/rooms/{room}")).await.0, 404);
    let mut again = server.connect(&room).await;
    again.say(&json!({"hello": 1})).await;
    assert_eq!(again.end().await, 4004);
}
