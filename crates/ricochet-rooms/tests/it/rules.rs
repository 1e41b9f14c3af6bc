//! Each rule by name.

use ricochet_core::Solution;
use ricochet_rooms::{
    Command, Event, GameLength, Optimum, Options, PlayerId, Refusal, RoundResult, ShowFailure,
    Style, TieBreak, Time,
};

use crate::table::{Table, easy_table, some_move};

const P1: PlayerId = PlayerId(1);
const P2: PlayerId = PlayerId(2);
const P3: PlayerId = PlayerId(3);

fn shower(events: &[Event]) -> Option<PlayerId> {
    events.iter().find_map(|event| match event {
        Event::ShowStarted { player, .. } => Some(*player),
        _ => None,
    })
}

fn result(events: &[Event]) -> Option<&RoundResult> {
    events.iter().find_map(|event| match event {
        Event::RoundEnded { result, .. } => Some(result),
        _ => None,
    })
}

#[test]
fn the_first_bid_starts_one_minute_and_later_bids_do_not_restart_it() {
    let mut table = Table::playing(Options::default(), 2);
    assert_eq!(table.room.deadline(), None, "nobody has bid");
    table.wait(500_000);
    table.bid(1, 20);
    let sand = table.now.after(60_000);
    assert_eq!(table.room.deadline(), Some(sand));
    table.wait(30_000);
    table.bid(2, 15);
    table.bid(1, 14);
    assert_eq!(table.room.deadline(), Some(sand));
}

#[test]
fn a_player_may_bid_again_only_lower() {
    let mut table = Table::playing(Options::default(), 2);
    table.bid(1, 10);
    let again = |moves| Command::Bid { player: P1, moves };
    assert_eq!(table.say(again(10)), Err(Refusal::NotLower { yours: 10 }));
    assert_eq!(table.say(again(11)), Err(Refusal::NotLower { yours: 10 }));
    assert_eq!(table.say(again(0)), Err(Refusal::BidOutOfRange));
    assert_eq!(table.say(again(100)), Err(Refusal::BidOutOfRange));
    table.bid(1, 9);
    table.bid(2, 30);
    let round = table.view().round.unwrap();
    let bids: Vec<_> = round
        .stakes
        .iter()
        .map(|it| (it.player, it.length))
        .collect();
    assert_eq!(bids, [(P1, Some(9)), (P2, Some(30))]);
}

#[test]
fn a_bid_after_the_sand_is_too_late_even_if_nobody_ticked() {
    let mut table = Table::playing(Options::default(), 2);
    table.bid(1, 10);
    table.now = table.now.after(60_000);
    let late = Command::Bid {
        player: P2,
        moves: 5,
    };
    assert_eq!(table.say(late), Err(Refusal::NotThinking));
    assert_eq!(table.view().show.unwrap().player, P1);
}

#[test]
fn the_lowest_bid_shows_first() {
    let mut table = Table::playing(Options::default(), 3);
    table.bid(1, 12);
    table.bid(2, 9);
    table.bid(3, 10);
    assert_eq!(shower(&table.wait(60_000)), Some(P2));
    assert_eq!(shower(&table.ok(Command::GiveUp { player: P2 })), Some(P3));
    assert_eq!(shower(&table.ok(Command::GiveUp { player: P3 })), Some(P1));
}

#[test]
fn equal_bids_the_earlier_one_shows() {
    let mut table = Table::playing(Options::default(), 3);
    table.bid(3, 9);
    table.bid(1, 12);
    table.bid(2, 9);
    table.bid(1, 9);
    assert_eq!(shower(&table.wait(60_000)), Some(P3));
    assert_eq!(shower(&table.ok(Command::GiveUp { player: P3 })), Some(P2));
    assert_eq!(shower(&table.ok(Command::GiveUp { player: P2 })), Some(P1));
}

#[test]
fn equal_bids_the_one_with_fewer_chips_shows() {
    let (mut table, solution) = easy_table(&Options::default(), 2);
    table.bid(1, 5);
    table.wait(60_000);
    table.show_all(1, &solution);
    assert_eq!((table.chips(1), table.chips(2)), (1, 0));
    table.prepare();
    table.bid(1, 9);
    table.bid(2, 9);
    assert_eq!(
        shower(&table.wait(60_000)),
        Some(P2),
        "though the other bid first"
    );
}

#[test]
fn equal_bids_the_newcomer_shows_where_the_room_says_so() {
    let options = Options {
        ties: TieBreak::Newcomer,
        ..Options::default()
    };
    let mut table = Table::playing(options, 3);
    table.bid(1, 9);
    table.bid(3, 9);
    table.bid(2, 9);
    assert_eq!(shower(&table.wait(60_000)), Some(P3));
    assert_eq!(shower(&table.ok(Command::GiveUp { player: P3 })), Some(P2));
}

#[test]
fn success_wins_the_chip_and_the_robots_stay() {
    let (mut table, solution) = easy_table(&Options::default(), 2);
    let end = solution.replay(&table.puzzle()).unwrap().end();
    table.bid(2, 7);
    table.wait(60_000);
    let events = table.show_all(2, &solution);
    assert_eq!(result(&events).unwrap().winner(), Some(P2));
    assert_eq!((table.chips(1), table.chips(2)), (0, 1));
    let game = table.view().game.unwrap();
    assert_eq!(game.robots, end.cells());
    assert_eq!(game.chips_left, 16);
    table.prepare();
    assert_eq!(table.puzzle().start().cells(), end.cells());
}

#[test]
fn failure_puts_the_robots_back_and_the_next_bid_shows() {
    let (mut table, solution) = easy_table(&Options::default(), 2);
    let puzzle = table.puzzle();
    table.bid(1, 1);
    table.bid(2, 7);
    table.wait(60_000);
    let mut wrong = some_move(&puzzle, puzzle.start(), 0);
    for salt in 0.. {
        wrong = some_move(&puzzle, puzzle.start(), salt);
        if Solution::new(vec![wrong]).replay(&puzzle).is_err() {
            break;
        }
    }
    let events = table.ok(Command::Show {
        player: P1,
        play: wrong,
    });
    assert!(events.contains(&Event::ShowFailed {
        player: P1,
        reason: ShowFailure::TooManyMoves
    }));
    assert_eq!(shower(&events), Some(P2));
    assert_eq!(table.view().show.unwrap().moves, "", "the robots are back");
    let events = table.show_all(2, &solution);
    assert_eq!(result(&events).unwrap().winner(), Some(P2));
}

#[test]
fn if_all_fail_the_chip_goes_back_into_the_stack() {
    let mut table = Table::playing(Options::default(), 2);
    let robots = table.view().game.unwrap().robots;
    let chip = table.view().round.unwrap().target;
    table.bid(1, 9);
    table.bid(2, 9);
    table.wait(60_000);
    table.wait(60_000);
    let events = table.wait(60_000);
    assert_eq!(result(&events), Some(&RoundResult::AllFailed));
    assert!(events.contains(&Event::ShowFailed {
        player: P2,
        reason: ShowFailure::Time
    }));
    let game = table.view().game.unwrap();
    assert_eq!((game.chips_left, game.robots), (17, robots));
    table.prepare();
    assert_ne!(table.view().round.unwrap().target, chip, "not at once");
}

#[test]
fn a_move_that_goes_nowhere_is_refused_and_does_not_count() {
    let (mut table, solution) = easy_table(&Options::default(), 1);
    let puzzle = table.puzzle();
    table.bid(1, solution.len() as u32);
    table.wait(60_000);
    let stuck = ricochet_core::Robot::ALL[..4].iter().find_map(|&robot| {
        ricochet_core::Direction::ALL
            .into_iter()
            .find_map(|direction| {
                let stays = puzzle.apply(puzzle.start(), robot, direction).is_none();
                stays.then_some(ricochet_core::Move { robot, direction })
            })
    });
    if let Some(play) = stuck {
        let refusal = table.say(Command::Show { player: P1, play }).unwrap_err();
        assert!(refusal.to_string().contains("cannot go"), "{refusal}");
    }
    let silver = "WN".parse().unwrap();
    assert!(
        table
            .say(Command::Show {
                player: P1,
                play: silver
            })
            .is_err()
    );
    table.show_all(1, &solution);
    assert_eq!(table.chips(1), 1);
}

#[test]
fn a_round_without_bids_is_skipped_by_vote_and_shows_the_optimum() {
    let (mut table, solution) = easy_table(&Options::default(), 3);
    let vote = |player, yes| Command::Skip { player, yes };
    table.ok(vote(P1, true));
    table.ok(vote(P2, true));
    table.ok(vote(P1, false));
    table.ok(vote(P3, true));
    assert_eq!(table.view().phase, "thinking");
    let events = table.ok(vote(P1, true));
    assert_eq!(result(&events), Some(&RoundResult::Skipped));
    let shown = events.iter().find_map(|event| match event {
        Event::RoundEnded { optimum, .. } => optimum.clone(),
        _ => None,
    });
    assert_eq!(shown.unwrap().len(), solution.len());
    assert_eq!(
        table.view().game.unwrap().chips_left,
        16,
        "the chip is out of the game"
    );
}

#[test]
fn a_round_with_a_bid_is_not_skipped() {
    let mut table = Table::playing(Options::default(), 2);
    table.ok(Command::Skip {
        player: P1,
        yes: true,
    });
    table.bid(2, 8);
    assert_eq!(
        table.say(Command::Skip {
            player: P1,
            yes: true
        }),
        Err(Refusal::BidOn)
    );
    assert!(table.view().round.unwrap().skip_votes.is_empty());
}

#[test]
fn those_who_are_away_and_programs_do_not_hold_up_a_vote() {
    let mut table = Table::playing(Options::default(), 2);
    table.ok(Command::Join {
        name: "Bot".into(),
        bot: true,
        level: None,
        team: None,
    });
    table.ok(Command::Skip {
        player: P1,
        yes: true,
    });
    assert_eq!(table.view().phase, "thinking");
    let events = table.ok(Command::Drop { player: P2 });
    assert_eq!(result(&events), Some(&RoundResult::Skipped));
}

#[test]
fn a_game_ends_when_the_stack_is_empty() {
    let mut table = Table::playing(Options::default(), 1);
    for _ in 0..40 {
        table.ok(Command::Skip {
            player: P1,
            yes: true,
        });
        if table.view().phase == "over" {
            break;
        }
        table.prepare();
    }
    let view = table.view();
    assert_eq!(view.phase, "over");
    // A chip whose robot stands on it already can be left over, no more.
    assert!(view.game.unwrap().chips_left <= 1);
}

#[test]
fn a_race_ends_with_8_6_or_5_chips() {
    for (players, chips) in [(2, 8), (3, 6), (4, 5)] {
        let options = Options {
            length: GameLength::Race,
            ..Options::default()
        };
        let table = Table::playing(options, players);
        assert_eq!(table.view().game.unwrap().chips_to_win, Some(chips));
    }
}

#[test]
fn a_race_is_over_as_soon_as_a_player_has_the_chips() {
    let options = Options {
        length: GameLength::Race,
        style: Style::Secret,
        pause_ms: 0,
        ..Options::default()
    };
    // Skipping what is hard, the first player takes every easy one.
    let mut table = Table::playing(options, 4);
    for _ in 0..60 {
        if table.view().phase == "over" {
            break;
        }
        match crate::table::within(&table.puzzle(), 3) {
            Some(solution) => {
                table.ok(Command::Submit {
                    player: P1,
                    moves: solution.moves().to_vec(),
                });
                table.wait(60_000);
            }
            None => {
                for player in 1..=4 {
                    table.ok(Command::Skip {
                        player: PlayerId(player),
                        yes: true,
                    });
                }
            }
        }
        if table.view().phase == "pause" {
            table.prepare();
        }
    }
    let view = table.view();
    assert_eq!(view.phase, "over");
    let chips = view.players[0].chips;
    assert!(
        chips == 5 || view.game.unwrap().chips_left <= 1,
        "{chips} chips"
    );
}

#[test]
fn a_game_of_some_rounds_fills_the_stack_again() {
    let options = Options {
        length: GameLength::Rounds(20),
        pause_ms: 0,
        ..Options::default()
    };
    let mut table = Table::playing(options, 1);
    let mut rounds = 1;
    loop {
        table.ok(Command::Skip {
            player: P1,
            yes: true,
        });
        if table.view().phase == "over" {
            break;
        }
        table.prepare();
        rounds += 1;
    }
    assert_eq!(rounds, 20);
    assert!(
        table
            .log
            .iter()
            .any(|it| matches!(it.event, Event::StackRefilled { .. }))
    );
}

#[test]
fn in_secret_the_shortest_and_then_the_earliest_wins() {
    let options = Options {
        style: Style::Secret,
        ..Options::default()
    };
    let (mut table, solution) = easy_table(&options, 3);
    let puzzle = table.puzzle();
    let submit = |player, moves: &Solution| Command::Submit {
        player,
        moves: moves.moves().to_vec(),
    };
    // A longer one: some move first, and back to the shortest by search.
    let longer = (0..16).find_map(|salt| {
        let first = some_move(&puzzle, puzzle.start(), salt);
        let after = ricochet_core::Trace::play(&puzzle, &[first]).unwrap().end();
        let moved = puzzle.with_position(after.cells(), puzzle.goal()).ok()?;
        let rest = crate::table::within(&moved, 3)?;
        let mut moves = vec![first];
        moves.extend(rest.moves());
        (moves.len() > solution.len()).then(|| Solution::new(moves))
    });
    if let Some(longer) = longer {
        table.ok(submit(P3, &longer));
    }
    table.wait(10);
    table.ok(submit(P2, &solution));
    table.wait(10);
    table.ok(submit(P1, &solution));
    assert_eq!(
        table.say(submit(P1, &solution)),
        Err(Refusal::NotShorter {
            yours: solution.len() as u32
        })
    );
    assert!(matches!(
        table.say(Command::Submit {
            player: P3,
            moves: vec![]
        }),
        Err(Refusal::NotASolution { .. })
    ));
    assert_eq!(
        table.say(Command::Bid {
            player: P1,
            moves: 3
        }),
        Err(Refusal::NoBids)
    );
    let events = table.wait(60_000);
    assert_eq!(result(&events).unwrap().winner(), Some(P2));
}

#[test]
fn a_correspondence_round_always_lasts_its_full_time() {
    let options = Options {
        style: Style::Correspondence,
        ..Options::default()
    };
    let (mut table, solution) = easy_table(&options, 2);
    let until = table.room.deadline().unwrap();
    table.ok(Command::Submit {
        player: P2,
        moves: solution.moves().to_vec(),
    });
    assert_eq!(table.room.deadline(), Some(until), "no sand");
    table.ok(Command::Drop { player: P1 });
    table.ok(Command::Drop { player: P2 });
    let events = table.wait(24 * 60 * 60 * 1000);
    assert_eq!(
        result(&events).unwrap().winner(),
        Some(P2),
        "who is away keeps the solution"
    );
}

#[test]
fn chips_of_a_team_are_counted_together() {
    let options = Options {
        teams: 2,
        ..Options::default()
    };
    let (mut table, solution) = easy_table(&options, 4);
    let teams: Vec<_> = table
        .room
        .players()
        .iter()
        .map(|player| player.team)
        .collect();
    assert_eq!(teams, [Some(0), Some(1), Some(0), Some(1)]);
    table.bid(1, 5);
    table.wait(60_000);
    table.show_all(1, &solution);
    table.prepare();
    table.bid(3, 9);
    table.bid(2, 9);
    assert_eq!(
        shower(&table.wait(60_000)),
        Some(P2),
        "the team of player 3 has a chip"
    );
    assert_eq!(
        table.say(Command::Join {
            name: "X".into(),
            bot: false,
            level: None,
            team: Some(2)
        }),
        Err(Refusal::NoSuchTeam)
    );
}

#[test]
fn who_leaves_while_showing_has_failed() {
    let mut table = Table::playing(Options::default(), 2);
    table.bid(1, 4);
    table.bid(2, 6);
    table.wait(60_000);
    let events = table.ok(Command::Leave { player: P1 });
    assert!(events.contains(&Event::ShowFailed {
        player: P1,
        reason: ShowFailure::Left
    }));
    assert_eq!(shower(&events), Some(P2));
    assert_eq!(table.view().host, Some(P2));
}

#[test]
fn sand_without_bidders_ends_the_round() {
    let mut table = Table::playing(Options::default(), 2);
    table.bid(1, 4);
    table.ok(Command::Leave { player: P1 });
    let events = table.wait(60_000);
    assert_eq!(result(&events), Some(&RoundResult::Skipped));
}

#[test]
fn who_is_away_keeps_the_bid_and_can_come_back_to_show() {
    let (mut table, solution) = easy_table(&Options::default(), 2);
    table.bid(2, 8);
    table.ok(Command::Drop { player: P2 });
    assert_eq!(shower(&table.wait(60_000)), Some(P2));
    table.ok(Command::Return { player: P2 });
    table.show_all(2, &solution);
    assert_eq!(table.chips(2), 1);
}

#[test]
fn only_the_host_starts_and_removes() {
    let mut table = Table::new(Options::default(), 1);
    table.ok(Command::join("A"));
    table.ok(Command::join("B"));
    assert_eq!(
        table.say(Command::Start { player: P2 }),
        Err(Refusal::HostOnly)
    );
    assert_eq!(
        table.say(Command::Remove {
            player: P2,
            other: P1
        }),
        Err(Refusal::HostOnly)
    );
    table.ok(Command::Remove {
        player: P1,
        other: P2,
    });
    assert_eq!(
        table.say(Command::Return { player: P2 }),
        Err(Refusal::NoSuchPlayer)
    );
    table.ok(Command::Start { player: P1 });
    assert_eq!(
        table.say(Command::Start { player: P1 }),
        Err(Refusal::GameIsOn)
    );
}

#[test]
fn the_host_can_hand_over() {
    let mut table = Table::new(Options::default(), 1);
    table.ok(Command::join("A"));
    table.ok(Command::join("B"));
    let hand_over = |player, other| Command::HandOver { player, other };
    assert_eq!(table.say(hand_over(P2, P2)), Err(Refusal::HostOnly));
    assert_eq!(table.say(hand_over(P1, P3)), Err(Refusal::NoSuchPlayer));
    table.ok(Command::Drop { player: P2 });
    let away = table.say(hand_over(P1, P2));
    assert_eq!(away, Err(Refusal::NoSuchPlayer), "who is away");
    table.ok(Command::Return { player: P2 });
    let player = Some(P2);
    assert_eq!(table.ok(hand_over(P1, P2)), [Event::HostChanged { player }]);
    assert_eq!(table.view().host, player);
    assert_eq!(table.say(hand_over(P1, P1)), Err(Refusal::HostOnly));
    table.ok(Command::Start { player: P2 });
}

#[test]
fn who_bids_too_much_and_shows_a_shortest_way_saw_it() {
    let (mut table, solution) = easy_table(&Options::default(), 2);
    table.bid(1, solution.len() as u32 + 2);
    table.wait(60_000);
    let events = table.show_all(1, &solution);
    let review = events.iter().find_map(|event| match event {
        Event::RoundEnded { review, .. } => Some(review.clone()),
        _ => None,
    });
    let saw: Vec<bool> = review.unwrap().iter().map(|it| it.saw_it).collect();
    assert_eq!(saw, [true, false]);
}

#[test]
fn whom_the_host_silences_cannot_speak() {
    let mut table = Table::playing(Options::default(), 2);
    let say = |player| Command::Say {
        player,
        text: "hello".into(),
    };
    let mute = |player, other, yes| Command::Mute { player, other, yes };
    assert_eq!(table.say(mute(P2, P1, true)), Err(Refusal::HostOnly));
    table.ok(say(P2));
    let events = table.ok(mute(P1, P2, true));
    assert_eq!(
        events,
        [Event::Muted {
            player: P2,
            yes: true
        }]
    );
    assert_eq!(table.ok(mute(P1, P2, true)), [], "once is enough");
    assert_eq!(table.say(say(P2)), Err(Refusal::Muted));
    table.ok(say(P1));
    table.ok(mute(P1, P2, false));
    table.ok(say(P2));
    let nobody = PlayerId(9);
    assert_eq!(
        table.say(mute(P1, nobody, true)),
        Err(Refusal::NoSuchPlayer)
    );
}

#[test]
fn names_are_cleaned_and_told_apart() {
    let options = Options {
        seats: 3,
        ..Options::default()
    };
    let mut table = Table::new(options, 1);
    for name in ["Ada", " ada\u{202e} ", "ADA"] {
        table.ok(Command::join(name));
    }
    let names: Vec<_> = table
        .room
        .players()
        .iter()
        .map(|it| it.name.clone())
        .collect();
    assert_eq!(names, ["Ada", "ada 2", "ADA 3"]);
    assert_eq!(table.say(Command::join("D")), Err(Refusal::Full));
}

#[test]
fn an_unsolvable_chip_is_passed_over() {
    let mut table = Table::new(Options::default(), 1);
    table.ok(Command::join("A"));
    table.ok(Command::Start { player: P1 });
    let events = table.ok(Command::Prepared {
        round: 1,
        optimum: Optimum::Unsolvable,
    });
    assert!(matches!(events[..], [Event::ChipDiscarded { .. }]));
    assert_eq!(table.view().game.unwrap().chips_left, 16);
    assert_eq!(
        table.room.to_prepare().unwrap().0,
        1,
        "the same round, another chip"
    );
    assert_eq!(
        table.say(Command::Prepared {
            round: 2,
            optimum: Optimum::Unknown
        }),
        Err(Refusal::NotPreparing)
    );
}

#[test]
fn the_review_says_who_saw_the_optimum_and_when() {
    let (mut table, solution) = easy_table(&Options::default(), 3);
    table.wait(4_000);
    table.bid(1, 12);
    table.wait(3_000);
    table.bid(1, solution.len() as u32);
    table.bid(2, solution.len() as u32);
    table.wait(60_000);
    let events = table.show_all(1, &solution);
    let review = events.iter().find_map(|event| match event {
        Event::RoundEnded { review, .. } => Some(review.clone()),
        _ => None,
    });
    let review = review.unwrap();
    assert_eq!(
        (review[0].first_ms, review[0].last_ms),
        (Some(4_000), Some(7_000))
    );
    assert_eq!(
        review.iter().map(|it| it.saw_it).collect::<Vec<_>>(),
        [true, true, false]
    );
    assert_eq!(review[2].best, None);
}

#[test]
fn time_that_runs_backwards_changes_nothing() {
    let mut table = Table::playing(Options::default(), 1);
    table.bid(1, 10);
    let until = table.room.deadline();
    table.now = Time(0);
    table.bid(1, 9);
    assert_eq!(table.room.deadline(), until);
    assert!(table.log.windows(2).all(|two| two[0].at <= two[1].at));
}
