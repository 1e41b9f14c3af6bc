//! Rooms over HTTP: the lobby, opening a room, invitations and reviews.

use ricochet_server::RoomLimits;
use serde_json::{Value, json};

use super::table::{TestServer, config, quick};

#[tokio::test]
async fn the_lobby_lists_public_rooms_and_tv_shows_the_busiest() {
    let server = TestServer::new().await;
    let lobby =
        async || -> Value { serde_json::from_str(&server.get("/api/v1/rooms").await.1).unwrap() };
    assert_eq!(lobby().await["tv"], Value::Null);
    let (quiet, busy, hidden) = (
        server.open_room(&quick()).await,
        server.open_room(&quick()).await,
        server.open_room(&json!({"private": true})).await,
    );
    server.open_room(&quick()).await;
    let _dan = server.join(&quiet, "Dan").await;
    let mut ada = server.join(&busy, "Ada").await;
    let _ben = server.join(&busy, "Ben").await;
    let _cem = server.join(&hidden, "Cem").await;
    let _watcher = server.come(&busy, None, None).await;
    ada.ok(json!({"do": "start"})).await;
    ada.event("round-started").await;
    let told = lobby().await;
    let names: Vec<&Value> = told["rooms"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["room"])
        .collect();
    assert_eq!(names, [&json!(busy), &json!(quiet)]);
    assert_eq!(told["tv"], busy);
    let room = &told["rooms"][0];
    assert_eq!(
        (&room["host"], &room["players"]),
        (&json!("Ada"), &json!(2))
    );
    assert_eq!(
        (&room["spectators"], &room["round"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(room["phase"], "thinking");
    assert_eq!(room["options"]["sand_ms"], 5000);
    let tv: Value = serde_json::from_str(&server.get("/api/v1/rooms/tv").await.1).unwrap();
    assert_eq!(tv["room"], busy);
    let (status, text) = server.get(&format!("/api/v1/rooms/{hidden}")).await;
    assert_eq!(status, 200, "{text}");
    assert_eq!(server.get("/api/v1/rooms/abcdefghijkm").await.0, 404);
    assert_eq!(server.get("/api/v1/rooms/..%2f..%2fx").await.0, 404);
}

#[tokio::test]
async fn opening_a_room_with_a_name_makes_the_host() {
    let server = TestServer::new().await;
    let body = json!({"options": {"seats": 4}, "name": "Ada"});
    let (status, told) = server.post("/api/v1/rooms", None, &body).await;
    assert_eq!((status, &told["player"]), (201, &json!(1)));
    let room = told["room"].as_str().unwrap();
    let mut ada = server.come(room, told["token"].as_str(), None).await;
    assert_eq!(ada.welcome["snapshot"]["host"], 1);
    ada.ok(json!({"do": "start"})).await;
    for (body, status) in [
        (json!({"options": {"robots": 9}}), 400),
        (json!({"options": {"sand_ms": 1}}), 400),
        (json!({"options": {"colour": "red"}}), 400),
        (json!({"option": {}}), 400),
        (json!({"name": "\u{202e}"}), 409),
    ] {
        let answer = server.post("/api/v1/rooms", None, &body).await;
        assert_eq!(answer.0, status, "{body}: {}", answer.1);
    }
}

#[tokio::test]
async fn the_invitation_is_a_qr_code() {
    let server = TestServer::new().await;
    let room = server.open_room(&quick()).await;
    let path = format!("/api/v1/rooms/{room}/qr.svg");
    let (status, svg) = server.get(&path).await;
    assert_eq!(status, 200);
    assert!(
        svg.starts_with("<svg") && svg.ends_with("</svg>\n"),
        "{svg}"
    );
    let (_, bare) = server.get(&format!("{path}?theme=none")).await;
    assert!(svg.contains("#fff") && !bare.contains("#fff"));
    assert_eq!(server.get("/api/v1/rooms/x/qr.svg").await.0, 404);
}

#[tokio::test]
async fn a_whole_game_can_be_reviewed() {
    let server = TestServer::open(config(RoomLimits::default())).await;
    let mut options = quick();
    options["length"] = json!({"rounds": 2});
    let (room, mut guests) = server.play(&options, &["Ada", "Ben"]).await;
    let path = format!("/api/v1/rooms/{room}/games");
    assert_eq!(server.get(&format!("{path}/2")).await.0, 404);
    assert_eq!(server.get(&format!("{path}/x")).await.0, 404);
    let [ada, ben] = guests.as_mut_slice() else {
        unreachable!()
    };
    let started = ada.event("round-started").await;
    let solution = server.solve(&started["puzzle"]).await;
    ada.ok(json!({"do": "bid", "moves": solution.len()})).await;
    ben.ok(json!({"do": "bid", "moves": solution.len() + 1}))
        .await;
    ada.event("show-started").await;
    ada.ok(json!({"do": "show", "moves": solution})).await;
    ada.event("round-started").await;
    for guest in [&mut *ada, &mut *ben] {
        guest.ok(json!({"do": "skip", "yes": true})).await;
    }
    let ended = ben.event("game-ended").await;
    assert_eq!(ended["standings"][0]["name"], "Ada");
    assert_eq!(ended["standings"][0]["chips"], 1);
    let review: Value = serde_json::from_str(&server.get(&format!("{path}/1")).await.1).unwrap();
    assert_eq!(review["over"], true);
    assert_eq!(review["standings"], ended["standings"]);
    assert_eq!(review["players"][1]["name"], "Ben");
    let rounds = review["rounds"].as_array().unwrap();
    assert_eq!(rounds.len(), 2);
    assert_eq!(rounds[0]["saw_it"], 1);
    assert_eq!(rounds[0]["bids"].as_array().unwrap().len(), 2);
    assert_eq!(rounds[0]["bids"][0]["length"], solution.len());
    assert_eq!(rounds[0]["result"]["moves"], solution.join(" "));
    let link = rounds[0]["analysis"].as_str().unwrap();
    assert!(link.ends_with(&solution.join("-")), "{link}");
    // A rematch is game 2.
    ada.ok(json!({"do": "start"})).await;
    assert_eq!(ben.event("game-started").await["game"], 2);
    let latest: Value =
        serde_json::from_str(&server.get(&format!("{path}/latest")).await.1).unwrap();
    assert_eq!(
        (&latest["game"], &latest["rounds"]),
        (&json!(2), &json!([]))
    );
}
