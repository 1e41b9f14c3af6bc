//! Rooms without a host, the bots that sit in them, and what may be said there.

use ricochet_rooms::{
    Chat, Command, Event, GameLength, LogEntry, Optimum, Options, PlayerId, Refusal, Room,
    RoundResult,
};

use crate::table::{Table, within};

const P1: PlayerId = PlayerId(1);
const P2: PlayerId = PlayerId(2);

fn automatic() -> Options {
    Options {
        automatic: true,
        chat: Chat::Quick,
        round_ms: 180_000,
        ..Options::default()
    }
}

fn bot(level: u8) -> Command {
    Command::Join {
        name: "Bot".into(),
        bot: true,
        level: Some(level),
        team: None,
    }
}

#[test]
fn games_start_without_a_host_and_nobody_is_one() {
    let mut table = Table::new(automatic(), 5);
    assert_eq!(table.room.deadline(), None, "nobody is there");
    let events = table.ok(Command::join("Ada"));
    assert!(
        matches!(
            events[..],
            [Event::Joined { .. }, Event::GameStarted { .. }]
        ),
        "{events:?}"
    );
    assert_eq!(table.view().host, None);
    for command in [
        Command::Start { player: P1 },
        Command::Remove {
            player: P1,
            other: P1,
        },
    ] {
        assert_eq!(table.say(command), Err(Refusal::HostOnly));
    }
}

#[test]
fn nothing_begins_while_nobody_is_there() {
    let mut table = Table::new(automatic(), 5);
    table.ok(Command::join("Ada"));
    assert!(table.room.to_prepare().is_some());
    table.ok(Command::Drop { player: P1 });
    assert!(table.room.to_prepare().is_none());
    assert_eq!(table.wait(10_000_000), []);
    table.ok(Command::Return { player: P1 });
    table.prepare();
    // A round that has begun waits as well, and is over when somebody comes after its time.
    table.ok(Command::Drop { player: P1 });
    assert_eq!(table.room.deadline(), None);
    assert_eq!(table.wait(10_000_000), []);
    let events = table.ok(Command::Return { player: P1 });
    assert!(
        matches!(
            events[..],
            [
                Event::Returned { .. },
                Event::RoundEnded {
                    result: RoundResult::Skipped,
                    ..
                }
            ]
        ),
        "{events:?}"
    );
}

#[test]
fn a_round_without_bids_ends_and_one_with_bids_is_played() {
    let mut table = Table::new(automatic(), 5);
    table.ok(Command::join("Ada"));
    table.prepare();
    assert_eq!(table.room.deadline(), Some(table.now.after(180_000)));
    assert_eq!(table.wait(179_999), []);
    table.bid(1, 9);
    assert_eq!(table.room.deadline(), Some(table.now.after(60_000)));
    let events = table.wait(60_000);
    assert!(matches!(events[..], [Event::ShowStarted { .. }]));
    table.wait(60_000);
    table.prepare();
    let events = table.wait(180_000);
    assert!(
        matches!(
            events[..],
            [Event::RoundEnded {
                result: RoundResult::Skipped,
                ..
            }]
        ),
        "{events:?}"
    );
}

#[test]
fn the_next_game_comes_by_itself_and_absent_people_lose_their_seats() {
    let options = Options {
        length: GameLength::Rounds(1),
        ..automatic()
    };
    let mut table = Table::new(options, 5);
    table.ok(Command::join("Ada"));
    table.ok(Command::join("Ben"));
    table.ok(bot(5));
    table.prepare();
    for player in [P1, PlayerId(3)] {
        table.ok(Command::Drop { player });
    }
    let events = table.wait(180_000);
    assert!(matches!(events.last(), Some(Event::GameEnded { .. })));
    assert_eq!(table.wait(19_999), []);
    let events = table.wait(1);
    assert!(
        matches!(
            events[..],
            [
                Event::Left {
                    player: P1,
                    removed: false
                },
                Event::GameStarted { game: 2, .. }
            ]
        ),
        "{events:?}"
    );
    assert_eq!(table.room.players().len(), 2, "bots stay");
}

#[test]
fn a_full_room_gives_the_seat_of_an_absent_player_away() {
    let options = Options {
        seats: 2,
        ..automatic()
    };
    let mut table = Table::new(options, 5);
    table.ok(Command::join("Ada"));
    table.ok(Command::join("Ben"));
    assert_eq!(table.say(Command::join("Cem")), Err(Refusal::Full));
    table.ok(Command::Drop { player: P2 });
    assert_eq!(table.say(Command::join(" ")), Err(Refusal::NoName));
    let events = table.ok(Command::join("Cem"));
    assert!(
        matches!(
            events[..],
            [Event::Left { player: P2, .. }, Event::Joined { .. }]
        ),
        "{events:?}"
    );
}

/// Bots of three levels play until a game is over; the log.
fn bots_play(seed: u64) -> Vec<LogEntry> {
    let mut table = Table::new(
        Options {
            length: GameLength::Rounds(12),
            ..automatic()
        },
        seed,
    );
    let levels = [2, 5, 8];
    for level in levels {
        table.ok(bot(level));
    }
    while !table.room.is_over() {
        if let Some((round, puzzle)) = table.room.to_prepare() {
            let optimum = within(&puzzle, 4).map_or(Optimum::Unknown, Optimum::Solved);
            table.ok(Command::Prepared { round, optimum });
        }
        let bots = (1..).zip(levels).map(|(id, level)| (PlayerId(id), level));
        let action = bots
            .filter_map(|(player, level)| table.room.bot_action(player, level))
            .min_by_key(|(at, _)| *at);
        match (action, table.room.deadline()) {
            (Some((at, command)), deadline) if deadline.is_none_or(|it| at < it) => {
                table.now = table.now.max(at);
                table.ok(command);
            }
            (_, Some(deadline)) => {
                table.now = deadline;
                table.ok(Command::Tick);
            }
            (_, None) => {}
        }
    }
    table.log
}

#[test]
fn bots_play_whole_games_the_same_for_a_seed() {
    let log = bots_play(3);
    let won = log.iter().filter(|entry| {
        matches!(
            entry.event,
            Event::RoundEnded {
                result: RoundResult::Won { .. },
                ..
            }
        )
    });
    assert!(won.count() > 0, "bots show what they have seen");
    let failed = |entry: &LogEntry| matches!(entry.event, Event::ShowFailed { .. });
    assert!(!log.iter().any(failed), "they show in time");
    assert_eq!(bots_play(3), log);
    assert_ne!(bots_play(4), log);
    crate::referee::judge(&log);
}

#[test]
fn levels_are_shown_and_people_have_none() {
    let mut table = Table::new(automatic(), 5);
    table.ok(bot(7));
    table.ok(bot(10));
    table.ok(Command::Join {
        name: "Ada".into(),
        bot: false,
        level: Some(9),
        team: None,
    });
    let levels: Vec<_> = table.room.players().iter().map(|it| it.level).collect();
    assert_eq!(levels, [Some(7), None, None]);
}

#[test]
fn what_may_be_said() {
    let say = || Command::Say {
        player: P1,
        text: "hi".into(),
    };
    let phrase = |phrase| Command::Phrase { player: P1, phrase };
    for (chat, free, quick) in [
        (Chat::Off, Some(Refusal::NoChat), Some(Refusal::NoChat)),
        (Chat::Quick, Some(Refusal::QuickOnly), None),
        (Chat::Free, None, None),
    ] {
        let mut table = Table::new(
            Options {
                chat,
                ..Options::default()
            },
            5,
        );
        table.ok(Command::join("Ada"));
        assert_eq!(table.say(say()).err(), free, "{chat:?}");
        assert_eq!(table.say(phrase(1)).err(), quick, "{chat:?}");
        if chat != Chat::Off {
            assert_eq!(table.say(phrase(0)), Err(Refusal::NoSuchPhrase));
            assert_eq!(table.say(phrase(13)), Err(Refusal::NoSuchPhrase));
            table.ok(Command::Mute {
                player: P1,
                other: P1,
                yes: true,
            });
            assert_eq!(table.say(phrase(1)), Err(Refusal::Muted));
        }
    }
}

#[test]
fn a_room_stays_automatic_or_not() {
    let mut table = Table::new(Options::default(), 5);
    table.ok(Command::join("Ada"));
    let change = Command::ChangeOptions {
        player: P1,
        options: Box::new(automatic()),
    };
    assert!(matches!(table.say(change), Err(Refusal::BadOptions { .. })));
}

#[test]
fn logs_of_earlier_versions_are_replayed() {
    // As version 0.1.0 wrote them before bots had levels and rooms could be automatic.
    let log = [
        r#"{"number":1,"at":5,"event":"opened","options":{"edition":1999,"layout":null,"diagonals":null,"robots":4,"must_ricochet":false,"style":"bidding","sand_ms":60000,"show_ms":60000,"round_ms":86400000,"pause_ms":10000,"length":"all-chips","ties":"fewer-chips","teams":0,"seats":16,"private":false,"chat":false,"spectator_delay_ms":0},"seed":7}"#,
        r#"{"number":2,"at":6,"event":"joined","player":1,"name":"Robot 5","bot":true,"team":null}"#,
        r#"{"number":3,"at":6,"event":"host-changed","player":1}"#,
    ];
    let log = log.map(|line| serde_json::from_str::<LogEntry>(line).unwrap());
    let room = Room::replay(log).unwrap();
    assert_eq!(room.options().chat, Chat::Off);
    assert!(!room.options().automatic);
    assert_eq!(room.players()[0].level, None);
    let view = serde_json::to_value(room.view(None)).unwrap();
    assert!(view["players"][0].get("level").is_none());
}
