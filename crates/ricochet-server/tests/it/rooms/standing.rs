//! The public room that is always open, reports, and what an operator does.

use std::time::Duration;

use ricochet_server::{Config, ManualClock, RoomLimits, close_room, reports};
use serde_json::{Value, json};

use super::table::{Guest, TestServer, config};

const NOW: Duration = Duration::from_secs(86_400 * 20_775);

/// A server with a public room, whose clock stands still.
fn with_public_room(limits: RoomLimits) -> (ManualClock, Config) {
    let manual = ManualClock::new(NOW);
    let config = Config {
        clock: manual.clock(),
        public_room: true,
        ..config(limits)
    };
    (manual, config)
}

/// Lets time pass until an event of a kind.
async fn pass_until(manual: &ManualClock, guest: &mut Guest, kind: &str) -> Value {
    for _ in 0..400 {
        manual.advance(Duration::from_secs(4));
        // A message wakes the room, as its own timer would.
        guest.say(&json!({"do": "ping", "t": 1, "lag": 1})).await;
        let mut found = None;
        while let Some(message) = guest.next().await {
            if message["type"] == "pong" {
                break;
            }
            if message["type"] == "event" && message["event"] == kind {
                found = Some(message);
            }
        }
        if let Some(event) = found {
            return event;
        }
        // Solving takes real time, and more messages than this would be a flood.
        tokio::time::sleep(Duration::from_millis(110)).await;
    }
    panic!("no {kind}");
}

async fn entry(server: &TestServer) -> Value {
    for _ in 0..500 {
        let (status, text) = server.get("/api/v1/rooms").await;
        assert_eq!(status, 200);
        let lobby: Value = serde_json::from_str(&text).unwrap();
        if let Some(room) = lobby["rooms"].as_array().unwrap().first() {
            return room.clone();
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("no room in the lobby");
}

#[tokio::test]
async fn the_public_room_is_listed_rests_and_plays_for_a_spectator() {
    let (manual, config) = with_public_room(RoomLimits::default());
    let server = TestServer::open(config).await;
    let room = entry(&server).await;
    assert_eq!(
        (&room["room"], &room["standing"], &room["phase"]),
        (&json!("square"), &json!(true), &json!("lobby")),
    );
    assert_eq!((&room["players"], &room["host"]), (&json!(0), &Value::Null));
    assert_eq!(room["options"]["chat"], "quick");
    let mut eve = server.come("square", None, None).await;
    let mut levels = Vec::new();
    for _ in 0..3 {
        let joined = eve.event("joined").await;
        assert_eq!(joined["bot"], true);
        levels.push(joined["level"].as_u64().unwrap());
    }
    assert_eq!(levels, [5, 2, 8]);
    let bid = pass_until(&manual, &mut eve, "bid").await;
    assert!(bid["player"].as_u64().unwrap() <= 3);
    // Nobody watches: the bots are away, and no round begins.
    drop(eve);
    for _ in 0..500 {
        if entry(&server).await["connected"] == 0 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let before = entry(&server).await;
    assert_eq!(
        (&before["connected"], &before["players"]),
        (&json!(0), &json!(3))
    );
    manual.advance(Duration::from_secs(3_600));
    let eve = server.come("square", None, None).await;
    let rounds = eve.welcome["snapshot"]["game"]["rounds"].as_u64();
    assert_eq!(rounds, before["round"].as_u64());
    server.close().await;
}

#[tokio::test]
async fn bots_make_room_for_people_between_rounds() {
    let (manual, config) = with_public_room(RoomLimits::default());
    let server = TestServer::open(config).await;
    let mut people = Vec::new();
    for name in ["Ada", "Ben", "Cem", "Dan"] {
        people.push(server.join("square", name).await);
    }
    let ada = &mut people[0];
    pass_until(&manual, ada, "round-ended").await;
    let room = entry(&server).await;
    assert_eq!((&room["players"], &room["bots"]), (&json!(4), &json!(0)));
    assert_eq!(
        ada.refused(json!({"do": "remove", "player": 2})).await,
        "host-only"
    );
    assert_eq!(
        ada.refused(json!({"do": "say", "text": "x"})).await,
        "quick-only"
    );
    ada.ok(json!({"do": "phrase", "phrase": 1})).await;
    let phrase = people[1].event("phrase").await;
    assert_eq!(phrase["phrase"], 1);
    server.close().await;
}

#[tokio::test]
async fn the_public_room_survives_a_restart() {
    let (manual, config) = with_public_room(RoomLimits::default());
    let folder = tempfile::tempdir().unwrap();
    let open = || {
        TestServer::open(Config {
            data: Some(folder.path().to_owned()),
            ..config.clone()
        })
    };
    let server = open().await;
    let mut ada = server.join("square", "Ada").await;
    pass_until(&manual, &mut ada, "round-started").await;
    let token = ada.token.clone();
    server.close().await;
    let server = open().await;
    let ada = server.come("square", token.as_deref(), None).await;
    let players = ada.welcome["snapshot"]["players"].as_array().unwrap();
    let bots = players.iter().filter(|it| it["bot"] == true);
    assert_eq!((players.len(), bots.count()), (4, 3), "{players:?}");
    assert_eq!(ada.welcome["snapshot"]["phase"], "thinking");
    server.close().await;
}

#[tokio::test]
async fn a_long_log_is_begun_anew_and_people_keep_their_seats() {
    let limits = RoomLimits {
        events: 40,
        ..RoomLimits::default()
    };
    let (manual, config) = with_public_room(limits);
    let server = TestServer::open(config).await;
    let mut ada = server.join("square", "Ada").await;
    let token = ada.token.clone();
    let closed = async {
        loop {
            manual.advance(Duration::from_secs(4));
            ada.say(&json!({"do": "ping", "t": 1, "lag": 1})).await;
            let pause = tokio::time::Instant::now() + Duration::from_millis(110);
            while let Ok(message) = tokio::time::timeout_at(pause, ada.next()).await {
                if message.is_none() {
                    return ada.closed;
                }
            }
        }
    };
    let closed = tokio::time::timeout(Duration::from_secs(60), closed).await;
    assert_eq!(closed.unwrap(), Some(1001));
    let ada = server.come("square", token.as_deref(), Some(40)).await;
    let snapshot = &ada.welcome["snapshot"];
    assert!(snapshot["version"].as_u64().unwrap() < 30, "{snapshot}");
    let you = ada.welcome["you"].as_u64().unwrap();
    let players = snapshot["players"].as_array().unwrap();
    let own = players.iter().find(|it| it["id"] == you).unwrap();
    assert_eq!(
        (&own["name"], &own["connected"]),
        (&json!("Ada"), &json!(true))
    );
    server.close().await;
}

#[tokio::test]
async fn reports_are_stored_for_the_operator() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::open(Config {
        data: Some(folder.path().to_owned()),
        ..config(RoomLimits::default())
    })
    .await;
    let room = server.open_room(&json!({})).await;
    let mut ada = server.join(&room, "Ada").await;
    let mut ben = server.join(&room, "Ben").await;
    for text in ["one", "two"] {
        ben.ok(json!({"do": "say", "text": text})).await;
    }
    assert_eq!(
        ada.refused(json!({"do": "report", "player": 9})).await,
        "no-such-player"
    );
    let mut watcher = server.come(&room, None, None).await;
    assert_eq!(
        watcher.refused(json!({"do": "report", "player": 2})).await,
        "spectator"
    );
    for _ in 0..3 {
        ada.ok(json!({"do": "report", "player": 2})).await;
    }
    assert_eq!(
        ada.refused(json!({"do": "report", "player": 2})).await,
        "too-fast"
    );
    let stored = reports(folder.path()).unwrap();
    assert_eq!(stored.len(), 3);
    let report = &stored[0];
    assert_eq!((report.reporter, report.reported), (1, 2));
    assert_eq!((&*report.room, &*report.name), (&*room, "Ben"));
    assert_eq!(report.said, "one\ntwo");
    assert!(
        !ben.heard.iter().any(|text| text.contains("report")),
        "others do not see it"
    );
    server.close().await;
}

#[tokio::test]
async fn an_operator_closes_a_room_of_a_running_server() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::open(Config {
        data: Some(folder.path().to_owned()),
        ..config(RoomLimits::default())
    })
    .await;
    let room = server.open_room(&json!({})).await;
    let other = server.open_room(&json!({})).await;
    let mut ada = server.join(&room, "Ada").await;
    let _ben = server.join(&other, "Ben").await;
    assert!(close_room(folder.path(), &room).unwrap());
    assert_eq!(ada.end().await, 4010);
    let (status, _) = server.get(&format!("/api/v1/rooms/{room}")).await;
    assert_eq!(status, 404);
    let (status, _) = server.get(&format!("/api/v1/rooms/{other}")).await;
    assert_eq!(status, 200);
    server.close().await;
}
