//! Several processes behind one address: names show which process has a room, and the lobby lists all.

use ricochet_server::{Config, RoomLimits};
use serde_json::{Value, json};

use super::table::{TestServer, config, quick};

async fn server(prefix: &str, peers: Vec<String>) -> TestServer {
    TestServer::open(Config {
        room_prefix: prefix.parse().unwrap(),
        room_peers: peers,
        ..config(RoomLimits::default())
    })
    .await
}

async fn listed(server: &TestServer, path: &str) -> Vec<String> {
    let (status, text) = server.get(path).await;
    assert_eq!(status, 200, "{text}");
    let lobby: Value = serde_json::from_str(&text).unwrap();
    let rooms = lobby["rooms"].as_array().unwrap().iter();
    rooms
        .map(|it| it["room"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn names_begin_with_the_prefix_of_their_process_and_live_there_alone() {
    let (a, b) = (
        server("a", Vec::new()).await,
        server("b7", Vec::new()).await,
    );
    for _ in 0..20 {
        let (here, there) = (a.open_room(&quick()).await, b.open_room(&quick()).await);
        assert!(here.starts_with('a') && there.starts_with("b7") && there.len() == 8);
        let of = |room: &str| format!("/api/v1/rooms/{room}");
        assert_eq!(a.get(&of(&here)).await.0, 200);
        assert_eq!(b.get(&of(&here)).await.0, 404);
        assert_eq!(b.get(&of(&there)).await.0, 200);
        assert_eq!(a.get(&of(&there)).await.0, 404);
    }
}

#[tokio::test]
async fn a_lobby_lists_the_rooms_of_its_peers_the_busiest_first() {
    let b = server("b", Vec::new()).await;
    // One of the peers is not there.
    let peers = vec![b.address.to_string(), "127.0.0.1:1".to_owned()];
    let a = server("a", peers).await;
    let quiet = a.open_room(&json!({})).await;
    let _ada = a.join(&quiet, "Ada").await;
    let (busy, _guests) = b.play(&json!({}), &["Ben", "Cem"]).await;
    let secret = b.open_room(&json!({"private": true})).await;
    let _dan = b.join(&secret, "Dan").await;
    let all = [busy.clone(), quiet.clone()];
    assert_eq!(listed(&a, "/api/v1/rooms").await, all);
    assert_eq!(listed(&a, "/api/v1/rooms?own=true").await, [quiet]);
    assert_eq!(
        listed(&b, "/api/v1/rooms").await,
        std::slice::from_ref(&busy)
    );
    let (_, text) = a.get("/api/v1/rooms/tv").await;
    let tv: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(tv["room"], busy);
}
