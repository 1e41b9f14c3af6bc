//! Between two rounds the pause can be cut short, between two games the options can be changed.

use ricochet_rooms::{
    Command, Event, GameLength, Optimum, Options, PlayerId, Refusal, Room, Style, TeamMember, Time,
};

use crate::referee::judge;
use crate::table::Table;

const P1: PlayerId = PlayerId(1);
const P2: PlayerId = PlayerId(2);
const P3: PlayerId = PlayerId(3);

fn next(player: PlayerId) -> Command {
    Command::Next { player, yes: true }
}

fn change(player: PlayerId, options: Options) -> Command {
    let options = Box::new(options);
    Command::ChangeOptions { player, options }
}

/// A game in the pause after its first round, with the next one prepared or not.
fn in_pause(players: u32, prepared: bool) -> Table {
    let mut table = Table::playing(Options::default(), players);
    for player in 1..=players {
        let player = PlayerId(player);
        table.ok(Command::Skip { player, yes: true });
    }
    assert_eq!(table.view().phase, "pause");
    if prepared {
        table.ok(prepare(&table.room));
    }
    table
}

fn prepare(room: &Room) -> Command {
    let (round, _) = room.to_prepare().expect("a round to prepare");
    let optimum = Optimum::Unknown;
    Command::Prepared { round, optimum }
}

fn begins(events: &[Event]) -> bool {
    matches!(events.last(), Some(Event::RoundStarted { .. }))
}

#[test]
fn the_host_begins_the_next_round_at_once() {
    let mut table = in_pause(3, true);
    let next_at = table.view().pause.unwrap().next_at;
    assert_eq!(next_at, table.now.after(10_000));
    let events = table.ok(next(P1));
    assert_eq!(events[0], Event::PauseEnded);
    assert!(begins(&events), "{events:?}");
    assert_eq!(table.view().pause, None);
    judge(&table.log);
}

#[test]
fn a_round_that_is_not_solved_yet_is_still_waited_for() {
    let mut table = in_pause(2, false);
    assert_eq!(table.ok(next(P1)), [Event::PauseEnded]);
    assert_eq!(table.view().pause.unwrap().next_at, table.now);
    assert_eq!(table.ok(next(P2)), [], "there is nothing left to cut short");
    let command = prepare(&table.room);
    assert!(begins(&table.ok(command)));
    judge(&table.log);
}

#[test]
fn all_other_players_together_can_begin_it() {
    let mut table = in_pause(3, true);
    let vote = |player, yes| [Event::NextVoted { player, yes }];
    assert_eq!(table.ok(next(P2)), vote(P2, true));
    assert_eq!(table.ok(next(P2)), [], "once is enough");
    let (player, yes) = (P2, false);
    assert_eq!(table.ok(Command::Next { player, yes }), vote(P2, false));
    table.ok(next(P2));
    assert_eq!(table.view().pause.unwrap().votes, [P2]);
    table.ok(next(P3));
    // Who is away is not waited for; the host who goes leaves two who agree.
    let events = table.ok(Command::Drop { player: P1 });
    assert!(begins(&events), "{events:?}");
    judge(&table.log);
}

#[test]
fn who_leaves_takes_the_vote_along_and_programs_have_none() {
    let mut table = in_pause(2, true);
    let bot = Command::Join {
        name: "Bot".into(),
        bot: true,
        level: None,
        team: None,
    };
    table.ok(bot);
    table.ok(Command::join("D"));
    table.ok(next(PlayerId(4)));
    table.ok(next(P2));
    table.ok(Command::Leave {
        player: PlayerId(4),
    });
    assert_eq!(table.view().pause.unwrap().votes, [P2]);
    // The program has said nothing, and is not asked.
    assert!(begins(&table.ok(Command::Leave { player: P1 })));
    judge(&table.log);
}

#[test]
fn there_is_no_next_round_outside_of_a_pause() {
    let mut table = Table::new(Options::default(), 1);
    table.ok(Command::join("A"));
    assert_eq!(table.say(next(P1)), Err(Refusal::NotPaused));
    let mut table = Table::playing(Options::default(), 1);
    assert_eq!(table.say(next(P1)), Err(Refusal::NotPaused));
}

#[test]
fn what_was_said_in_a_pause_survives_a_restart() {
    let mut table = in_pause(3, false);
    table.ok(next(P2));
    let replayed = Room::replay(table.log.clone()).unwrap();
    assert_eq!(replayed, table.room);
    table.ok(next(P1));
    let mut replayed = Room::replay(table.log.clone()).unwrap();
    assert_eq!(replayed, table.room);
    let events = replayed.handle(table.now, prepare(&replayed)).events;
    assert!(matches!(
        events.last().map(|it| &it.event),
        Some(Event::RoundStarted { .. })
    ));
}

#[test]
fn the_host_changes_the_options_between_games_only() {
    let mut table = Table::new(Options::default(), 1);
    table.ok(Command::join("A"));
    table.ok(Command::join("B"));
    let short = Options {
        length: GameLength::Rounds(1),
        style: Style::Secret,
        robots: 5,
        ..Options::default()
    };
    assert_eq!(table.say(change(P2, short.clone())), Err(Refusal::HostOnly));
    let teams = [P1, P2].map(|player| TeamMember { player, team: None });
    let changed = Event::OptionsChanged {
        options: short.clone(),
        teams: teams.to_vec(),
    };
    assert_eq!(table.ok(change(P1, short.clone())), [changed]);
    assert_eq!(table.ok(change(P1, short.clone())), [], "as it is already");
    table.ok(Command::Start { player: P1 });
    assert_eq!(table.view().game.unwrap().robots.len(), 5);
    let again = change(P1, Options::default());
    assert_eq!(table.say(again.clone()), Err(Refusal::GameIsOn));
    table.prepare();
    for player in [P1, P2] {
        table.ok(Command::Skip { player, yes: true });
    }
    assert_eq!(table.view().phase, "over", "one round, as was wished");
    table.ok(again);
    table.ok(Command::Start { player: P1 });
    assert_eq!(table.view().game.unwrap().robots.len(), 4);
    judge(&table.log);
    assert_eq!(Room::replay(table.log.clone()).unwrap(), table.room);
}

#[test]
fn options_that_do_not_fit_are_refused_with_a_reason() {
    let mut table = Table::new(Options::default(), 1);
    for name in ["A", "B", "C"] {
        table.ok(Command::join(name));
    }
    let bad = [
        Options {
            sand_ms: 1,
            ..Options::default()
        },
        Options {
            seats: 2,
            ..Options::default()
        },
        Options {
            spectator_delay_ms: 1_000,
            ..Options::default()
        },
    ];
    for options in bad {
        let refusal = table.say(change(P1, options)).unwrap_err();
        assert!(matches!(refusal, Refusal::BadOptions { .. }), "{refusal}");
        assert!(refusal.to_string().len() > 20, "{refusal}");
    }
    assert_eq!(table.view().options, Options::default());
}

#[test]
fn teams_come_stay_and_go_with_the_options() {
    let mut table = Table::new(Options::default(), 1);
    for name in ["A", "B", "C"] {
        table.ok(Command::join(name));
    }
    let mut with = |teams| {
        table.ok(change(
            P1,
            Options {
                teams,
                ..Options::default()
            },
        ));
        let players = table.room.players().iter();
        players.map(|it| it.team).collect::<Vec<_>>()
    };
    assert_eq!(with(3), [Some(0), Some(1), Some(2)]);
    assert_eq!(with(2), [Some(0), Some(1), Some(0)], "the third goes on");
    assert_eq!(with(4), [Some(0), Some(1), Some(0)], "nobody has to move");
    assert_eq!(with(0), [None; 3]);
    judge(&table.log);
}

#[test]
fn the_time_of_a_pause_that_was_cut_short_is_told() {
    let mut table = in_pause(1, false);
    table.now = table.now.after(3_000);
    table.ok(next(P1));
    let last = table.log.last().unwrap();
    assert_eq!((last.at, &last.event), (table.now, &Event::PauseEnded));
    assert_eq!(
        serde_json::to_string(last).unwrap(),
        format!(
            r#"{{"number":{},"at":{},"event":"pause-ended"}}"#,
            last.number, last.at.0
        )
    );
    assert!(table.now > Time(3_000));
}
