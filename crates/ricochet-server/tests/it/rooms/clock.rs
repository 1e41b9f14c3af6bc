//! The wall clock is set while rooms are open, with a clock that the tests control.

use std::time::Duration;

use ricochet_server::{Config, ManualClock, RoomLimits};
use serde_json::json;

use super::table::{TestServer, config, quick};

const NOW: Duration = Duration::from_secs(86_400 * 20_775);
const AN_HOUR_EARLIER: Duration = Duration::from_secs(86_400 * 20_775 - 3600);

#[tokio::test]
async fn setting_the_clock_back_stalls_no_round() {
    let manual = ManualClock::new(NOW);
    let server = TestServer::open(Config {
        clock: manual.clock(),
        ..config(RoomLimits::default())
    })
    .await;
    let (_, mut guests) = server.play(&quick(), &["Ada"]).await;
    let ada = &mut guests[0];
    ada.event("round-started").await;
    ada.ok(json!({"do": "bid", "moves": 90})).await;
    manual.set_wall(AN_HOUR_EARLIER);
    manual.advance(Duration::from_secs(6));
    // A message wakes the room, as its own timer does.
    ada.ok(json!({"do": "say", "text": "time is up"})).await;
    ada.event("show-started").await;
    server.close().await;
}

#[tokio::test]
async fn a_restart_with_a_wrong_clock_loses_no_room() {
    let manual = ManualClock::new(NOW);
    let folder = tempfile::tempdir().unwrap();
    let open = || {
        TestServer::open(Config {
            clock: manual.clock(),
            data: Some(folder.path().to_owned()),
            ..config(RoomLimits::default())
        })
    };
    let server = open().await;
    let (room, mut guests) = server.play(&quick(), &["Ada"]).await;
    let ada = &mut guests[0];
    ada.event("round-started").await;
    let token = ada.token.clone();
    server.close().await;
    // An hour back: the timer of the round still runs.
    manual.set_wall(AN_HOUR_EARLIER);
    let server = open().await;
    let mut ada = server.come(&room, token.as_deref(), None).await;
    ada.ok(json!({"do": "bid", "moves": 90})).await;
    manual.advance(Duration::from_secs(6));
    ada.ok(json!({"do": "say", "text": "time is up"})).await;
    ada.event("show-started").await;
    server.close().await;
    // 40 days ahead: the room is not deleted.
    manual.set_wall(NOW + Duration::from_secs(40 * 86_400));
    let server = open().await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    let (status, text) = server.get(&format!("/api/v1/rooms/{room}")).await;
    assert_eq!(status, 200, "{text}");
    server.close().await;
}
