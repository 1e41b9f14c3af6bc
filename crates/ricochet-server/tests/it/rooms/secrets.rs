//! The bytes on the network reveal no secrets.

use serde_json::{Value, json};

use super::table::{TestServer, quick};

#[tokio::test]
async fn the_optimum_the_seed_and_the_chips_to_come_are_in_no_byte_before_the_round_is_over() {
    let server = TestServer::new().await;
    let room = server.open_room(&quick()).await;
    let mut watcher = server.come(&room, None, Some(0)).await;
    let mut ada = server.join(&room, "Ada").await;
    let mut ben = server.join(&room, "Ben").await;
    ada.ok(json!({"do": "start"})).await;
    ada.ok(json!({"do": "say", "text": "a"})).await;
    let mut checked = 0;
    for _ in 0..16 {
        for guest in [&mut ada, &mut ben, &mut watcher] {
            guest.event("round-started").await;
        }
        let (_, lobby) = server.get("/api/v1/rooms").await;
        let (_, review) = server
            .get(&format!("/api/v1/rooms/{room}/games/latest"))
            .await;
        let fresh = server.come(&room, ben.token.as_deref(), None).await;
        let late = server.come(&room, ben.token.as_deref(), Some(1)).await;
        ada.ok(json!({"do": "skip", "yes": true})).await;
        ben.ok(json!({"do": "skip", "yes": true})).await;
        let ended = watcher.event("round-ended").await;
        let optimum = ended["optimum"].as_str().unwrap().to_owned();
        // One or two moves can be a part of what was told of an earlier round.
        if optimum.len() < "RN GE YS BW".len() {
            continue;
        }
        for guest in [&ada, &ben, &watcher] {
            let told = |it: &&String| it.contains(&optimum);
            let first = guest.heard.iter().find(told);
            let is_the_end = |it: &String| it.contains("\"event\":\"round-ended\"");
            assert!(first.is_none_or(is_the_end), "{first:?}");
        }
        for text in fresh
            .heard
            .iter()
            .chain(&late.heard)
            .chain([&lobby, &review])
        {
            assert!(!text.contains(&optimum), "{text}");
        }
        checked += 1;
        if checked == 4 {
            break;
        }
    }
    assert!(checked > 0, "some round takes four moves");
    for text in watcher.heard.iter().chain(&ada.heard).chain(&ben.heard) {
        let value: Value = serde_json::from_str(text).unwrap();
        for hidden in ["seed", "stack"] {
            assert!(value.get(hidden).is_none_or(Value::is_null), "{text}");
            assert!(value["snapshot"].get(hidden).is_none(), "{text}");
        }
        if value["event"] == "round-started" {
            assert_eq!(value["optimum"], Value::Null);
        }
    }
    assert!(watcher.heard.iter().any(|it| it.contains("\"seed\":null")));
    assert!(watcher.heard.iter().any(|it| it.contains("\"stack\":null")));
}

#[tokio::test]
async fn tokens_are_told_once_and_stored_only_as_hashes() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = super::table::config(ricochet_server::RoomLimits::default());
    config.data = Some(folder.path().to_owned());
    let server = TestServer::open(config).await;
    let room = server.open_room(&json!({})).await;
    let mut ada = server.join(&room, "Ada").await;
    let token = ada.token.clone().unwrap();
    ada.ok(json!({"do": "say", "text": "hello"})).await;
    assert!(!ada.heard.iter().any(|it| it.contains(&token)));
    server.close().await;
    let mut looked_at = 0;
    for file in std::fs::read_dir(folder.path()).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        looked_at += bytes.len();
        let found = bytes.windows(token.len()).any(|it| it == token.as_bytes());
        assert!(!found, "the token is on the disk");
    }
    assert!(looked_at > 1000);
}
