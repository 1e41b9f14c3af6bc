//! Any sequence of joins, bids, moves, drops and late messages leaves a legal state, which the slow
//! referee confirms; and replaying the log gives the same room.

use proptest::prelude::*;
use ricochet_core::Move;
use ricochet_rooms::{
    Chat, Command, GameLength, Optimum, Options, PlayerId, Room, Style, TieBreak, Time,
};

use crate::referee::judge;
use crate::table::{some_move, within};

/// What happens next, in terms that do not depend on the state.
#[derive(Clone, Debug)]
enum Act {
    Join(bool),
    Drop(u32),
    Return(u32),
    Leave(u32),
    Remove(u32, u32),
    Start(u32),
    Prepare(bool),
    Bid(u32, u32),
    Submit(u32, bool),
    Skip(u32, bool),
    /// Shows: the right way where it is short, or anything.
    Show(u32, bool, usize),
    ShowAsShower(bool, usize),
    GiveUp(u32),
    Say(u32),
    Phrase(u32, u8),
    /// What a bot of a level does next in the place of a player, at its time.
    Bot(u32, u8),
    Mute(u32, u32, bool),
    HandOver(u32, u32),
    Next(u32, bool),
    /// Other options: numbers of teams, seats and rounds.
    Change(u32, u8, u8, u32),
    Wait(u64),
    WaitForDeadline(i64),
}

fn act() -> impl Strategy<Value = Act> {
    let who = || 1..6u32;
    prop_oneof![
        2 => any::<bool>().prop_map(Act::Join),
        1 => who().prop_map(Act::Drop),
        1 => who().prop_map(Act::Return),
        1 => who().prop_map(Act::Leave),
        1 => (who(), who()).prop_map(|(a, b)| Act::Remove(a, b)),
        3 => who().prop_map(Act::Start),
        8 => prop::bool::weighted(0.95).prop_map(Act::Prepare),
        10 => (who(), 0..12u32).prop_map(|(a, b)| Act::Bid(a, b)),
        6 => (who(), any::<bool>()).prop_map(|(a, b)| Act::Submit(a, b)),
        4 => (who(), prop::bool::weighted(0.8)).prop_map(|(a, b)| Act::Skip(a, b)),
        2 => (who(), any::<bool>(), any::<usize>()).prop_map(|(a, b, c)| Act::Show(a, b, c)),
        12 => (prop::bool::weighted(0.8), any::<usize>()).prop_map(|(a, b)| Act::ShowAsShower(a, b)),
        1 => who().prop_map(Act::GiveUp),
        1 => who().prop_map(Act::Say),
        1 => (who(), 0..14u8).prop_map(|(a, b)| Act::Phrase(a, b)),
        6 => (who(), 1..=9u8).prop_map(|(a, b)| Act::Bot(a, b)),
        1 => (who(), who(), any::<bool>()).prop_map(|(a, b, c)| Act::Mute(a, b, c)),
        1 => (who(), who()).prop_map(|(a, b)| Act::HandOver(a, b)),
        6 => (who(), prop::bool::weighted(0.9)).prop_map(|(a, b)| Act::Next(a, b)),
        3 => (who(), 0..5u8, 0..6u8, 0..30u32).prop_map(|(a, b, c, d)| Act::Change(a, b, c, d)),
        3 => (0..90_000u64).prop_map(Act::Wait),
        8 => (-1..2i64).prop_map(Act::WaitForDeadline),
    ]
}

fn options() -> impl Strategy<Value = Options> {
    (
        prop_oneof![Just(1999u16), Just(2003), Just(2013)],
        4..=5u8,
        prop::bool::weighted(0.2),
        prop_oneof![
            6 => Just(Style::Bidding),
            2 => Just(Style::Secret),
            1 => Just(Style::Correspondence)
        ],
        prop_oneof![
            Just(GameLength::AllChips),
            Just(GameLength::Race),
            (1..30u32).prop_map(GameLength::Rounds)
        ],
        any::<bool>(),
        prop_oneof![3 => Just(0u8), 1 => Just(2)],
        prop_oneof![Just(Chat::Off), Just(Chat::Quick), Just(Chat::Free)],
        prop::bool::weighted(0.3),
    )
        .prop_map(
            |(edition, robots, must_ricochet, style, length, newcomer, teams, chat, automatic)| {
                Options {
                    edition,
                    robots,
                    must_ricochet,
                    style,
                    length,
                    ties: if newcomer {
                        TieBreak::Newcomer
                    } else {
                        TieBreak::FewerChips
                    },
                    teams,
                    seats: 4,
                    round_ms: 100_000,
                    chat,
                    automatic,
                    ..Options::default()
                }
            },
        )
}

/// The command that an act means in the present state.
fn command(room: &Room, act: &Act) -> Command {
    let view = room.view(None);
    let shown: Vec<Move> = view.show.as_ref().map_or(Vec::new(), |show| {
        show.moves
            .parse::<ricochet_core::Solution>()
            .unwrap()
            .moves()
            .to_vec()
    });
    let puzzle = view.round.as_ref().map(|round| {
        ricochet_core::notation::parse_line(&round.puzzle)
            .unwrap()
            .validate()
            .unwrap()
    });
    let show = |player, right: bool, salt| {
        let Some(puzzle) = &puzzle else {
            return Command::GiveUp { player };
        };
        let state = ricochet_core::Trace::play(puzzle, &shown).unwrap().end();
        let next = within(puzzle, 2).and_then(|it| it.moves().get(shown.len()).copied());
        let play = match next {
            Some(next) if right => next,
            _ => some_move(puzzle, state, salt),
        };
        Command::Show { player, play }
    };
    match *act {
        Act::Join(bot) => Command::Join {
            name: "Ä x".into(),
            bot,
            level: Some(3),
            team: None,
        },
        Act::Drop(player) => Command::Drop {
            player: PlayerId(player),
        },
        Act::Return(player) => Command::Return {
            player: PlayerId(player),
        },
        Act::Leave(player) => Command::Leave {
            player: PlayerId(player),
        },
        Act::Remove(player, other) => Command::Remove {
            player: PlayerId(player),
            other: PlayerId(other),
        },
        Act::Start(player) => Command::Start {
            player: PlayerId(player),
        },
        Act::Prepare(solvable) => match room.to_prepare() {
            Some((round, puzzle)) => {
                let optimum = match within(&puzzle, 2) {
                    Some(solution) => Optimum::Solved(solution),
                    None if solvable => Optimum::Unknown,
                    None => Optimum::Unsolvable,
                };
                Command::Prepared { round, optimum }
            }
            None => Command::Prepared {
                round: 1,
                optimum: Optimum::Unknown,
            },
        },
        Act::Bid(player, moves) => Command::Bid {
            player: PlayerId(player),
            moves,
        },
        Act::Submit(player, right) => {
            let solution = puzzle.as_ref().and_then(|puzzle| within(puzzle, 2));
            let mut moves = solution.map_or(Vec::new(), |it| it.moves().to_vec());
            if !right && let Some(puzzle) = &puzzle {
                moves = vec![some_move(puzzle, puzzle.start(), 3)];
            }
            Command::Submit {
                player: PlayerId(player),
                moves,
            }
        }
        Act::Skip(player, yes) => Command::Skip {
            player: PlayerId(player),
            yes,
        },
        Act::Show(player, right, salt) => show(PlayerId(player), right, salt),
        Act::ShowAsShower(right, salt) => match &view.show {
            Some(it) => show(it.player, right, salt),
            None => Command::Tick,
        },
        Act::GiveUp(player) => Command::GiveUp {
            player: PlayerId(player),
        },
        Act::Say(player) => Command::Say {
            player: PlayerId(player),
            text: "hi".into(),
        },
        Act::Phrase(player, phrase) => Command::Phrase {
            player: PlayerId(player),
            phrase,
        },
        Act::Bot(player, level) => room
            .bot_action(PlayerId(player), level)
            .map_or(Command::Tick, |(_, command)| command),
        Act::Mute(player, other, yes) => Command::Mute {
            player: PlayerId(player),
            other: PlayerId(other),
            yes,
        },
        Act::HandOver(player, other) => Command::HandOver {
            player: PlayerId(player),
            other: PlayerId(other),
        },
        Act::Next(player, yes) => Command::Next {
            player: PlayerId(player),
            yes,
        },
        Act::Change(player, teams, seats, rounds) => Command::ChangeOptions {
            player: PlayerId(player),
            options: Box::new(Options {
                teams,
                seats,
                length: match rounds {
                    0 => GameLength::Race,
                    rounds => GameLength::Rounds(rounds),
                },
                // Sometimes what cannot be changed.
                spectator_delay_ms: u64::from(rounds == 7),
                ..room.options().clone()
            }),
        },
        Act::Wait(_) | Act::WaitForDeadline(_) => Command::Tick,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, max_shrink_iters: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn any_sequence_is_legal_and_replays(
        options in options(),
        seed in any::<u64>(),
        acts in prop::collection::vec(act(), 1..150),
    ) {
        let mut now = Time(1);
        let (mut room, opened) = Room::open(options, seed, now).unwrap();
        let mut log = vec![opened];
        // Most commands come from seated players.
        for _ in 0..3 {
            log.extend(room.handle(now, Command::join("P")).events);
        }
        for act in &acts {
            match *act {
                Act::Wait(milliseconds) => now = now.after(milliseconds),
                Act::WaitForDeadline(offset) => {
                    if let Some(deadline) = room.deadline() {
                        now = Time(deadline.0.saturating_add_signed(offset)).max(now);
                    }
                }
                Act::Bot(player, level) => {
                    if let Some((at, _)) = room.bot_action(PlayerId(player), level) {
                        now = now.max(at);
                    }
                }
                _ => now = now.after(7),
            }
            let command = command(&room, act);
            let before = room.version();
            let in_time = room.deadline().is_none_or(|deadline| now < deadline);
            let reply = room.handle(now, command);
            if let Act::Bot(player, _) = *act && in_time {
                let sits = room.players().iter().any(|it| it.id == PlayerId(player));
                prop_assert!(!sits || reply.refusal.is_none(), "a bot knows the rules: {:?}", reply);
            }
            prop_assert_eq!(room.version(), before + reply.events.len() as u64);
            log.extend(reply.events);
            prop_assert!(room.deadline().is_none_or(|it| it > now), "what is due has happened");
        }
        judge(&log);
        // What a solver said is asked again after a restart; all else is in the log.
        let mut replayed = Room::replay(log.clone()).unwrap();
        let again = replayed.to_prepare();
        if let Some((round, _)) = again {
            replayed.handle(now, Command::Prepared { round, optimum: Optimum::Unknown });
            room.handle(now, Command::Prepared { round, optimum: Optimum::Unknown });
        } else {
            prop_assert_eq!(replayed.view(None), room.view(None));
            prop_assert_eq!(replayed.deadline(), room.deadline());
        }
        prop_assert_eq!(replayed.players(), room.players());
        // A log that lost an event is refused.
        if log.len() > 2 {
            log.remove(log.len() / 2);
            prop_assert!(Room::replay(log).is_err());
        }
    }
}
