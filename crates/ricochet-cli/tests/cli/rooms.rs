//! Rooms of `ricochet serve` as a process: nothing that was acknowledged is lost when it is killed,
//! and programs play in them.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::server::{Server, ask, ask_as, send};

fn post(address: &str, path: &str, token: &str, body: &Value) -> Option<(u16, Value)> {
    let (status, text) = ask_as(address, "POST", path, token, &body.to_string())?;
    Some((status, serde_json::from_str(&text).unwrap_or(Value::Null)))
}

/// The first object of a stream: the whole room as a player sees it.
fn welcome(address: &str, room: &str, token: &str) -> Option<Value> {
    let path = format!("/api/v1/rooms/{room}/stream");
    let stream = send(address, "GET", &path, token, "")?;
    let mut lines = BufReader::new(stream).lines();
    let line = lines.find_map(|line| line.ok().filter(|it| it.starts_with('{')))?;
    serde_json::from_str(&line).ok()
}

/// A room with its first round, and the tokens of its players.
struct Table {
    room: String,
    tokens: Vec<String>,
}

impl Table {
    fn new(address: &str, options: &Value, players: usize) -> Self {
        let body = json!({ "options": options });
        let (_, told) = post(address, "/api/v1/rooms", "", &body).unwrap();
        let room = told["room"].as_str().unwrap().to_owned();
        let seat = |number: usize| {
            let path = format!("/api/v1/rooms/{room}/seats");
            let body = json!({ "name": format!("P{number}") });
            let (_, told) = post(address, &path, "", &body).unwrap();
            told["token"].as_str().unwrap().to_owned()
        };
        let tokens: Vec<String> = (0..players).map(seat).collect();
        let table = Self { room, tokens };
        assert_eq!(table.act(address, 0, "start", &json!({})).unwrap().0, 200);
        while table.view(address, 0).unwrap()["phase"] != "thinking" {
            thread::sleep(Duration::from_millis(20));
        }
        table
    }

    fn act(&self, address: &str, player: usize, what: &str, body: &Value) -> Option<(u16, Value)> {
        let path = format!("/api/v1/rooms/{}/do/{what}", self.room);
        post(address, &path, &self.tokens[player], body)
    }

    fn view(&self, address: &str, player: usize) -> Option<Value> {
        let welcome = welcome(address, &self.room, &self.tokens[player])?;
        assert_eq!(welcome["you"], player as u64 + 1, "the same player");
        Some(welcome["snapshot"].clone())
    }

    /// Bids lower and lower until the server is gone; counts what was acknowledged.
    fn bid(&self, address: &str, player: usize, lowest: &Mutex<u64>, done: &AtomicUsize) {
        let mut moves = *lowest.lock().unwrap();
        while moves > 1 {
            match self.act(address, player, "bid", &json!({ "moves": moves - 1 })) {
                Some((200, _)) => {
                    moves -= 1;
                    *lowest.lock().unwrap() = moves;
                    done.fetch_add(1, Ordering::Relaxed);
                }
                Some((429, _)) => thread::sleep(Duration::from_millis(100)),
                // It was on the disk before the server was killed, and nobody had heard of it.
                Some((409, told)) if told["refusal"] == "not-lower" => moves -= 1,
                Some((status, told)) => panic!("{status}: {told}"),
                None => return,
            }
        }
    }

    /// Wins chips until the server is gone: hands in a solution, and votes to end the round.
    fn win(&self, address: &str, chips: &Mutex<u64>, done: &AtomicUsize) {
        // Only those who are there have a vote.
        let path = format!("/api/v1/rooms/{}/stream", self.room);
        let _there = send(address, "GET", &path, &self.tokens[0], "");
        loop {
            let Some(view) = self.view(address, 0) else {
                return;
            };
            let Some(puzzle) = view["round"]["puzzle"].as_str() else {
                thread::sleep(Duration::from_millis(10));
                continue;
            };
            let solve = json!({ "puzzle": puzzle });
            let Some((200, solved)) = post(address, "/api/v1/solve", "", &solve) else {
                return;
            };
            let body = json!({ "moves": solved["moves"] });
            let Some((status, told)) = self.act(address, 0, "submit", &body) else {
                return;
            };
            if status == 429 {
                thread::sleep(Duration::from_millis(100));
                continue;
            }
            assert!(status == 200 || told["refusal"] == "not-shorter", "{told}");
            let Some((status, _)) = self.act(address, 0, "skip", &json!({ "yes": true })) else {
                return;
            };
            if status == 200 {
                *chips.lock().unwrap() += 1;
                done.fetch_add(1, Ordering::Relaxed);
            }
        }
    }
}

/// Rounds of kill -9 while players bid and win chips; KILLS says how many.
#[test]
fn every_acknowledged_bid_and_chip_survives_kill_9() {
    let rounds: usize = std::env::var("KILLS").map_or(2, |text| text.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let mut total = 0;
    let mut old: Vec<(Table, [u64; 4])> = Vec::new();
    for round in 0..rounds {
        let mut server = Server::start(folder.path());
        let address = server.address.clone();
        let bids = Table::new(&address, &json!({"sand_ms": 1_800_000}), 4);
        let secret = json!({"style": "secret", "pause_ms": 0, "length": {"rounds": 500}});
        let chips = [(); 2].map(|()| (Table::new(&address, &secret, 1), Mutex::new(0)));
        let lowest = [(); 4].map(|()| Mutex::new(99));
        let done = AtomicUsize::new(0);
        thread::scope(|scope| {
            for (player, lowest) in lowest.iter().enumerate() {
                let (bids, address, done) = (&bids, &address, &done);
                scope.spawn(move || bids.bid(address, player, lowest, done));
            }
            for (table, won) in &chips {
                let (address, done) = (&address, &done);
                scope.spawn(move || table.win(address, won, done));
            }
            let enough = 20 + 7 * (round % 5);
            while done.load(Ordering::Relaxed) < enough {
                thread::sleep(Duration::from_millis(2));
            }
            server.child.kill().unwrap();
            server.child.wait().unwrap();
        });
        total += done.load(Ordering::Relaxed);
        let server = Server::start(folder.path());
        let lowest = lowest.map(|it| it.into_inner().unwrap());
        check_bids(&bids, &server.address, lowest);
        for (table, won) in &chips {
            let view = table.view(&server.address, 0).unwrap();
            let (kept, won) = (
                view["players"][0]["chips"].as_u64().unwrap(),
                *won.lock().unwrap(),
            );
            // The last one may be on the disk although nobody has heard of it.
            assert!((won..=won + 1).contains(&kept), "{won} won, {kept} kept");
        }
        // Rooms of earlier rounds too, and all of them go on.
        for (table, lowest) in &old {
            check_bids(table, &server.address, *lowest);
        }
        if lowest[0] > 2 {
            let lower = json!({ "moves": 1 });
            let (status, told) = bids.act(&server.address, 0, "bid", &lower).unwrap();
            assert_eq!(status, 200, "{told}");
        }
        old.push((bids, [1, lowest[1], lowest[2], lowest[3]]));
    }
    println!("{rounds} kills, {total} bids and chips acknowledged, none lost");
}

fn check_bids(table: &Table, address: &str, lowest: [u64; 4]) {
    let view = table.view(address, 0).unwrap();
    let stakes = view["round"]["stakes"].as_array().unwrap();
    let stakes: BTreeMap<u64, u64> = stakes
        .iter()
        .map(|it| {
            (
                it["player"].as_u64().unwrap(),
                it["length"].as_u64().unwrap(),
            )
        })
        .collect();
    for (player, lowest) in (1..).zip(lowest) {
        let kept = stakes.get(&player).copied().unwrap_or(99);
        // The last bid may be on the disk although nobody has heard of it.
        assert!(
            kept <= lowest && kept + 1 >= lowest.min(99),
            "player {player}: {lowest} was acknowledged, {kept} is kept"
        );
    }
}

struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A room with a host who only looks on, and what the host hears.
struct Watched {
    server: Server,
    room: String,
    link: String,
    token: String,
    events: Box<dyn Iterator<Item = Value>>,
    _folder: tempfile::TempDir,
}

impl Watched {
    fn open(options: &Value) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let server = Server::start(folder.path());
        let address = &server.address;
        let body = json!({ "options": options, "name": "Host" });
        let (_, told) = post(address, "/api/v1/rooms", "", &body).unwrap();
        let text = |key: &str| told[key].as_str().unwrap().to_owned();
        let (room, token) = (text("room"), text("token"));
        let path = format!("/api/v1/rooms/{room}/stream");
        let stream = send(address, "GET", &path, &token, "").unwrap();
        let events = BufReader::new(stream).lines().filter_map(|line| {
            let line = line.ok().filter(|it| it.starts_with('{'))?;
            serde_json::from_str::<Value>(&line).ok()
        });
        Self {
            link: format!("http://{address}{}", text("link")),
            room,
            token,
            events: Box::new(events),
            server,
            _folder: folder,
        }
    }

    /// The next event of a kind.
    fn event(&mut self, kind: &str) -> Value {
        let found = self.events.find(|it| it["event"] == kind);
        found.unwrap_or_else(|| panic!("no {kind}"))
    }

    fn act(&self, what: &str, body: &Value) {
        let path = format!("/api/v1/rooms/{}/do/{what}", self.room);
        let (status, told) = post(&self.server.address, &path, &self.token, body).unwrap();
        assert_eq!(status, 200, "{told}");
    }

    /// Lets a program take a seat; it, and its number.
    fn seat(&mut self, program: &mut Command) -> (Ended, Value) {
        let program = program.stdin(Stdio::null()).stdout(Stdio::null());
        let started = Ended(program.spawn().unwrap());
        let joined = self.event("joined");
        assert_eq!(joined["bot"], true);
        (started, joined["player"].clone())
    }
}

fn bot(link: &str, level: &str, more: &[&str]) -> Command {
    let mut bot = Command::new(env!("CARGO_BIN_EXE_ricochet"));
    bot.args(["bot", link, "--level", level, "--quiet"])
        .args(more);
    bot
}

#[test]
fn a_bot_joins_the_team_it_is_given_under_its_name() {
    let mut table = Watched::open(&json!({"teams": 2}));
    let program = bot(
        &table.link,
        "1",
        &["--team", "1", "--name", "Tin", "--games", "1"],
    )
    .stdin(Stdio::null())
    .spawn();
    let _program = Ended(program.unwrap());
    let joined = table.event("joined");
    assert_eq!(
        (&joined["name"], &joined["team"]),
        (&json!("Tin"), &json!(1))
    );
}

#[test]
fn ricochet_bot_plays() {
    let options = json!({"sand_ms": 5000, "pause_ms": 60_000, "length": {"rounds": 1}});
    let mut table = Watched::open(&options);
    let more = ["--name", "Tin", "--seed", "4"];
    let (_program, player) = table.seat(&mut bot(&table.link, "9", &more));
    table.act("start", &json!({}));
    assert_eq!(table.event("bid")["player"], player);
    assert_eq!(table.event("show-started")["player"], player);
    let ended = table.event("round-ended");
    assert_eq!(ended["result"]["player"], player, "{ended}");
    assert_eq!(table.event("game-ended")["standings"][0]["chips"], 1);
}

/// The example in Python against `ricochet bot`: every round is won, the one leaves after the game,
/// and the other ends when it loses its seat.
#[test]
fn the_example_in_python_plays_a_whole_game_against_ricochet_bot() {
    let python = Command::new("python3").arg("--version").output();
    if !python.is_ok_and(|it| it.status.success()) {
        println!("skipped: there is no python3");
        return;
    }
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/examples/bot.py");
    let text = std::fs::read_to_string(example).unwrap();
    assert!(text.lines().count() <= 45, "a small example");
    let options = json!({"sand_ms": 5000, "pause_ms": 0, "length": {"rounds": 3}});
    let mut table = Watched::open(&options);
    let link = table.link.clone();
    let (mut snake, snake_number) = table.seat(Command::new("python3").args([example, &link]));
    let mut robot = bot(&link, "9", &["--games", "1"]);
    let (mut robot, robot_number) = table.seat(&mut robot);
    table.act("start", &json!({}));
    for _ in 0..3 {
        let ended = table.event("round-ended");
        let winner = &ended["result"]["player"];
        assert!(
            *winner == snake_number || *winner == robot_number,
            "{ended}"
        );
    }
    let standings = table.event("game-ended")["standings"].clone();
    let chips = standings.as_array().unwrap().iter();
    let chips: u64 = chips.map(|it| it["chips"].as_u64().unwrap()).sum();
    assert_eq!(chips, 3, "{standings}");
    assert!(robot.0.wait().unwrap().success());
    table.act("remove", &json!({ "player": snake_number }));
    assert!(snake.0.wait().unwrap().success());
}

#[test]
fn a_bot_without_a_room_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    assert!(ask(&server.address, "GET", "/api/v1/rooms", "").is_some());
    for (link, said) in [
        ("http://127.0.0.1:1/", "expected the link of a room"),
        ("https://127.0.0.1:1/#room=abcdefghijkm", "plain HTTP only"),
        (
            &*format!("http://{}/#room=abcdefghijkm", server.address),
            "there is no such room",
        ),
    ] {
        let bot = Command::new(env!("CARGO_BIN_EXE_ricochet"))
            .args(["bot", link])
            .output()
            .unwrap();
        assert_eq!(bot.status.code(), Some(2));
        let told = String::from_utf8_lossy(&bot.stderr).into_owned();
        assert!(told.contains(said), "{told}");
    }
}
