//! The rules over the network. `ricochet-rooms` tests each of them more closely, without waiting.

use serde_json::{Value, json};

use super::table::{Guest, TestServer, quick};

/// A round that has begun: its event, and a shortest solution.
async fn round(server: &TestServer, guest: &mut Guest) -> (Value, Vec<String>) {
    let started = guest.event("round-started").await;
    let solution = server.solve(&started["puzzle"]).await;
    (started, solution)
}

async fn bid(guest: &mut Guest, moves: usize) {
    guest.ok(json!({"do": "bid", "moves": moves})).await;
}

async fn show(guest: &mut Guest, moves: &[String]) {
    for play in moves {
        guest.ok(json!({"do": "show", "moves": play})).await;
    }
}

#[tokio::test]
async fn the_first_bid_starts_the_sand_the_lowest_bid_shows_and_the_robots_stay() {
    let server = TestServer::new().await;
    let (_, mut guests) = server.play(&quick(), &["Ada", "Ben"]).await;
    let [ada, ben] = guests.as_mut_slice() else {
        unreachable!()
    };
    let (started, solution) = round(&server, ada).await;
    assert_eq!(started["until"], Value::Null, "nothing runs yet");
    bid(ben, solution.len() + 2).await;
    bid(ada, solution.len()).await;
    let first = ada
        .heard
        .iter()
        .rev()
        .take(4)
        .find(|it| it.contains("\"player\":2"));
    let first: Value = serde_json::from_str(first.unwrap()).unwrap();
    let (at, until) = (
        first["at"].as_u64().unwrap(),
        first["until"].as_u64().unwrap(),
    );
    assert_eq!(until - at, 5000);
    let second = ben.event("bid").await;
    let second = if second["player"] == 1 {
        second
    } else {
        ben.event("bid").await
    };
    assert_eq!(second["until"], until, "later bids do not start it again");
    let shows = ben.event("show-started").await;
    assert_eq!(
        (&shows["player"], &shows["bid"]),
        (&json!(1), &json!(solution.len()))
    );
    assert!(shows["at"].as_u64().unwrap() >= until);
    assert_eq!(
        ben.refused(json!({"do": "bid", "moves": 1})).await,
        "not-thinking"
    );
    assert_eq!(
        ben.refused(json!({"do": "show", "moves": solution[0]}))
            .await,
        "not-your-turn"
    );
    show(ada, &solution).await;
    let ended = ben.event("round-ended").await;
    assert_eq!(ended["result"]["how"], "won");
    assert_eq!(ended["result"]["player"], 1);
    assert_eq!(ended["result"]["moves"], solution.join(" "));
    assert_eq!(ended["review"][0]["saw_it"], true);
    assert_eq!(ended["review"][1]["saw_it"], false);
    let next = ben.event("round-started").await;
    assert_eq!(next["round"], 2);
    let room: Value = serde_json::from_str(
        &server
            .get(&format!(
                "/api/v1/rooms/{}",
                ada.welcome["room"].as_str().unwrap()
            ))
            .await
            .1,
    )
    .unwrap();
    assert_eq!(room["round"], 2);
    // The next round begins where the robots ended.
    let again = server
        .come(room["room"].as_str().unwrap(), None, None)
        .await;
    let snapshot = &again.welcome["snapshot"];
    assert_eq!(snapshot["game"]["robots"], ended["robots"]);
    assert_eq!(snapshot["players"][0]["chips"], 1);
    let read = server
        .post("/api/v1/read", None, &json!({"text": next["puzzle"]}))
        .await
        .1;
    let robots: Vec<Value> = read["puzzles"][0]["robots"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it.get("cell").cloned().unwrap_or(it.clone()))
        .collect();
    assert_eq!(robots.len(), 4, "{read}");
}

#[tokio::test]
async fn the_host_cuts_a_pause_short_and_changes_the_options_between_games() {
    let server = TestServer::new().await;
    let options = json!({"style": "secret", "pause_ms": 600_000, "length": {"rounds": 2}});
    let (room, mut guests) = server.play(&options, &["Ada", "Ben"]).await;
    let [ada, ben] = guests.as_mut_slice() else {
        unreachable!()
    };
    let end = json!({"do": "skip", "yes": true});
    let next = json!({"do": "next", "yes": true});
    let change = json!({"do": "options", "options": {"robots": 5, "private": true}});
    ada.event("round-started").await;
    assert_eq!(ada.refused(next.clone()).await, "not-paused");
    assert_eq!(ada.refused(change.clone()).await, "game-is-on");
    for guest in [&mut *ada, &mut *ben] {
        guest.ok(end.clone()).await;
    }
    ben.ok(next.clone()).await;
    assert_eq!(ada.event("next-voted").await["player"], 2);
    // A new connection sees the pause with its votes.
    let late = server.come(&room, None, None).await;
    let pause = &late.welcome["snapshot"]["pause"];
    assert_eq!(pause["votes"], json!([2]));
    assert!(pause["next_at"].as_u64() > late.welcome["now"].as_u64());
    ada.ok(next).await;
    assert!(ben.event("pause-ended").await["at"].is_u64());
    assert_eq!(ben.event("round-started").await["round"], 2);
    for guest in [&mut *ada, &mut *ben] {
        guest.ok(end.clone()).await;
    }
    ada.event("game-ended").await;
    assert_eq!(ben.refused(change.clone()).await, "host-only");
    let bad = json!({"do": "options", "options": {"seats": 1}});
    assert_eq!(ada.refused(bad).await, "bad-options");
    ada.ok(change).await;
    let changed = ben.event("options-changed").await;
    assert_eq!(changed["options"]["robots"], 5);
    // The lobby follows: the room is no longer public.
    let (_, lobby) = server.get("/api/v1/rooms").await;
    assert!(!lobby.contains(&room), "{lobby}");
    ada.ok(json!({"do": "start"})).await;
    let started = ben.event("game-started").await;
    assert_eq!(started["robots"].as_array().unwrap().len(), 5);
}

#[tokio::test]
async fn a_failed_show_passes_to_the_next_and_if_all_fail_the_chip_goes_back() {
    let server = TestServer::new().await;
    let (_, mut guests) = server.play(&quick(), &["Ada", "Ben", "Cem"]).await;
    let [ada, ben, cem] = guests.as_mut_slice() else {
        unreachable!()
    };
    let (started, solution) = round(&server, ada).await;
    // Equal bids and equal chips: the earlier one shows first.
    bid(cem, solution.len() + 5).await;
    bid(ben, solution.len()).await;
    bid(ada, solution.len()).await;
    let reply = ada
        .refused(json!({"do": "bid", "moves": solution.len()}))
        .await;
    assert_eq!(reply, "not-lower");
    assert_eq!(cem.event("show-started").await["player"], 2);
    ben.ok(json!({"do": "give-up"})).await;
    let failed = cem.event("show-failed").await;
    assert_eq!(
        (&failed["player"], &failed["reason"]),
        (&json!(2), &json!("gave-up"))
    );
    assert_eq!(cem.event("show-started").await["player"], 1);
    // A move that goes nowhere is refused and does not count: after one to the north, another is.
    let mut refused = false;
    for play in ["RN", "RN"] {
        let reply = ada.ask(json!({"do": "show", "moves": play})).await;
        if reply["refusal"] == "illegal-move" {
            refused = true;
            break;
        }
        if reply["ok"] == false {
            break;
        }
    }
    if refused {
        ada.ok(json!({"do": "give-up"})).await;
    }
    // Otherwise the bid was used up before.
    let reason = if refused { "gave-up" } else { "too-many-moves" };
    assert_eq!(cem.event("show-failed").await["reason"], reason);
    assert_eq!(cem.event("show-started").await["player"], 3);
    // Cem does nothing: the time for showing runs out.
    let failed = cem.event("show-failed").await;
    assert_eq!(failed["reason"], "time");
    let returned = cem.event("chip-returned").await;
    assert_eq!(returned["stack"], Value::Null);
    let ended = cem.event("round-ended").await;
    assert_eq!(ended["result"], json!({"how": "all-failed"}));
    let next = cem.event("round-started").await;
    assert_eq!(
        next["left"], started["left"],
        "the stack is as high as before"
    );
    assert_ne!(
        next["target"], started["target"],
        "and another chip is on top"
    );
}

#[tokio::test]
async fn a_round_without_bids_is_skipped_by_vote_and_shows_the_optimum() {
    let server = TestServer::new().await;
    let (room, mut guests) = server.play(&quick(), &["Ada", "Ben"]).await;
    let [ada, ben] = guests.as_mut_slice() else {
        unreachable!()
    };
    let (_, solution) = round(&server, ada).await;
    ada.ok(json!({"do": "skip", "yes": true})).await;
    ada.ok(json!({"do": "skip", "yes": false})).await;
    ben.ok(json!({"do": "skip", "yes": true})).await;
    ada.ok(json!({"do": "skip", "yes": true})).await;
    let ended = ben.event("round-ended").await;
    assert_eq!(ended["result"], json!({"how": "skipped"}));
    let optimum = ended["optimum"].as_str().unwrap();
    assert_eq!(optimum.split(' ').count(), solution.len());
    // The review has the same, with a way into the analysis.
    let (status, text) = server
        .get(&format!("/api/v1/rooms/{room}/games/latest"))
        .await;
    assert_eq!(status, 200);
    let review: Value = serde_json::from_str(&text).unwrap();
    let first = &review["rounds"][0];
    assert_eq!(first["optimum"], optimum);
    let puzzle = first["puzzle"].as_str().unwrap();
    let link = format!("/#analyse={puzzle}&moves={}", optimum.replace(' ', "-"));
    assert_eq!(first["analysis"], link);
    assert_eq!(
        (&review["over"], &review["standings"]),
        (&json!(false), &Value::Null)
    );
}

#[tokio::test]
async fn in_secret_the_shortest_solution_wins_and_nobody_sees_it_before() {
    let server = TestServer::new().await;
    let mut options = quick();
    options["style"] = json!("secret");
    let (room, mut guests) = server.play(&options, &["Ada", "Ben"]).await;
    let [ada, ben] = guests.as_mut_slice() else {
        unreachable!()
    };
    let (_, solution) = round(&server, ada).await;
    assert_eq!(
        ada.refused(json!({"do": "bid", "moves": 3})).await,
        "no-bids"
    );
    let wrong = ada
        .refused(json!({"do": "submit", "moves": solution[..solution.len() - 1]}))
        .await;
    assert_eq!(wrong, "not-a-solution");
    ben.ok(json!({"do": "submit", "moves": solution})).await;
    assert_eq!(
        ben.refused(json!({"do": "submit", "moves": solution}))
            .await,
        "not-shorter"
    );
    let seen = ada.event("submitted").await;
    assert_eq!(
        (&seen["length"], &seen["moves"]),
        (&Value::Null, &Value::Null)
    );
    ada.event("sand-started").await;
    // Also not by coming again.
    let again = server.come(&room, ada.token.as_deref(), None).await;
    let stake = &again.welcome["snapshot"]["round"]["stakes"][0];
    assert_eq!(stake, &json!({"player": 2, "length": null, "moves": null}));
    let own = server.come(&room, ben.token.as_deref(), None).await;
    let stake = &own.welcome["snapshot"]["round"]["stakes"][0];
    assert_eq!(stake["moves"], solution.join(" "));
    let ended = ada.event("round-ended").await;
    assert_eq!(ended["result"]["player"], 2);
    let text = server.get(&format!("/api/v1/rooms/{room}/games/1")).await.1;
    let review: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(review["rounds"][0]["bids"][0]["moves"], solution.join(" "));
}

#[tokio::test]
async fn a_correspondence_round_shows_counts_and_lasts_its_time() {
    let server = TestServer::new().await;
    let options = json!({"style": "correspondence", "round_ms": 86_400_000, "private": true});
    let (room, mut guests) = server.play(&options, &["Ada", "Ben"]).await;
    let [ada, ben] = guests.as_mut_slice() else {
        unreachable!()
    };
    let (started, solution) = round(&server, ada).await;
    let (at, until) = (
        started["at"].as_u64().unwrap(),
        started["until"].as_u64().unwrap(),
    );
    assert_eq!(until - at, 86_400_000);
    ben.ok(json!({"do": "submit", "moves": solution})).await;
    ada.event("submitted").await;
    let watcher = server.come(&room, None, None).await;
    let round = &watcher.welcome["snapshot"]["round"];
    assert_eq!(round["stakes"].as_array().unwrap().len(), 1);
    assert_eq!(round["until"], until, "handing in does not start any sand");
}

#[tokio::test]
async fn teams_are_filled_evenly_or_as_wished() {
    let server = TestServer::new().await;
    let room = server
        .open_room(&json!({"teams": 2, "length": "race"}))
        .await;
    let mut ada = server.join(&room, "Ada").await;
    server.sit(&room, &json!({"name": "Ben"})).await;
    server.sit(&room, &json!({"name": "Cem", "team": 1})).await;
    let mut teams = Vec::new();
    for _ in 0..2 {
        teams.push(ada.event("joined").await["team"].clone());
    }
    assert_eq!(teams, [json!(1), json!(1)]);
    let path = format!("/api/v1/rooms/{room}/seats");
    let (status, told) = server
        .post(&path, None, &json!({"name": "D", "team": 7}))
        .await;
    assert_eq!(
        (status, told["refusal"].as_str()),
        (409, Some("no-such-team"))
    );
}

#[tokio::test]
async fn the_host_starts_mutes_and_removes() {
    let server = TestServer::new().await;
    let room = server.open_room(&quick()).await;
    let mut ada = server.join(&room, " Ada\u{202e} ").await;
    let mut ben = server.join(&room, "ada").await;
    let names: Vec<&Value> = ben.welcome["snapshot"]["players"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["name"])
        .collect();
    assert_eq!(names, ["Ada", "ada 2"]);
    assert_eq!(ben.refused(json!({"do": "start"})).await, "host-only");
    assert_eq!(
        ben.refused(json!({"do": "remove", "player": 1})).await,
        "host-only"
    );
    ben.ok(json!({"do": "say", "text": "<b>hello</b>\n\u{202e}"}))
        .await;
    assert_eq!(ada.event("said").await["text"], "<b>hello</b>");
    ada.ok(json!({"do": "mute", "player": 2, "yes": true}))
        .await;
    assert_eq!(
        ben.refused(json!({"do": "say", "text": "x"})).await,
        "muted"
    );
    ada.ok(json!({"do": "mute", "player": 2, "yes": false}))
        .await;
    let mut fast = 0;
    for _ in 0..8 {
        let reply = ben.ask(json!({"do": "say", "text": "again"})).await;
        fast += usize::from(reply["refusal"] == "too-fast");
    }
    assert!(fast >= 1, "chat is rate-limited");
    ada.ok(json!({"do": "remove", "player": 2})).await;
    let left = ben.event("left").await;
    assert_eq!(left["removed"], true);
    assert_eq!(ben.end().await, 4000);
    // The token is no longer valid.
    let mut again = server.connect(&room).await;
    again.say(&json!({"hello": 1, "token": ben.token})).await;
    assert_eq!(again.end().await, 4001);
}

#[tokio::test]
async fn chat_can_be_off() {
    let server = TestServer::new().await;
    let room = server.open_room(&json!({"chat": false})).await;
    let mut ada = server.join(&room, "Ada").await;
    assert_eq!(
        ada.refused(json!({"do": "say", "text": "x"})).await,
        "no-chat"
    );
}

#[tokio::test]
async fn spectators_see_everything_so_much_later() {
    let server = TestServer::new().await;
    let room = server.open_room(&json!({"spectator_delay_ms": 1500})).await;
    let mut ada = server.join(&room, "Ada").await;
    let mut watcher = server.come(&room, None, None).await;
    assert_eq!(
        (&watcher.welcome["you"], &watcher.welcome["delay_ms"]),
        (&Value::Null, &json!(1500))
    );
    assert_eq!(
        watcher.welcome["snapshot"]["players"],
        json!([]),
        "not seen yet"
    );
    ada.ok(json!({"do": "say", "text": "now"})).await;
    let said = watcher.event("said").await;
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap();
    let at = said["at"].as_u64().unwrap();
    assert!(now.as_millis() as u64 >= at + 1500, "too early");
    let numbers = watcher.numbers();
    let expected: Vec<u64> = (2..2 + numbers.len() as u64).collect();
    assert_eq!(numbers, expected, "from the snapshot on, without a gap");
    assert_eq!(
        watcher.refused(json!({"do": "bid", "moves": 3})).await,
        "spectator"
    );
}
