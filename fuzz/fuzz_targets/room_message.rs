//! Texts as messages to a room: read or refused, never a panic, and what is read leaves a room whose
//! log can be replayed.
#![no_main]
#![allow(dead_code, reason = "the file has more than is used here")]

#[path = "../../crates/ricochet-server/src/rooms/protocol/incoming.rs"]
mod message;

use message::{Action, Hello, IncomingMessage};
use ricochet_rooms::{Command, Options, PlayerId, Optimum, Room, Time};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let _ = Hello::read(text);
    let (mut room, opened) = Room::open(Options::default(), 1, Time(0)).unwrap();
    let mut log = vec![opened];
    let player = PlayerId(1);
    let first = [
        Command::join("Ada"),
        Command::Start { player },
        Command::Prepared { round: 1, optimum: Optimum::Unknown },
    ];
    let lines = text.lines().filter_map(|line| {
        let message = IncomingMessage::read(line).ok()?;
        Some(message.action.commands(player))
    });
    for (time, command) in first.into_iter().chain(lines.flatten()).enumerate() {
        log.extend(room.handle(Time(7_000 * time as u64), command).events);
    }
    if let Some((what, fields)) = text.split_once(' ') {
        let _ = Action::from_fields(what, fields.as_bytes());
    }
    // The log holds what happened: neither when somebody was refused, nor what a solver said.
    let replayed = Room::replay(log).unwrap();
    assert_eq!(replayed.players(), room.players());
    if replayed.to_prepare().is_none() {
        assert_eq!(replayed.view(None), room.view(None));
        assert_eq!(replayed.deadline(), room.deadline());
    }
});
