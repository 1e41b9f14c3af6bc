//! The levels against each other, in rooms without a network: whether a higher one is a better one.

use std::time::Duration;

use ricochet_rooms::{
    BotDecision, BotStrategy, Command, Event, Optimum, Options, PlayerId, Room, RoomView,
    RoundResult, Time,
};

use super::player::solution;

/// What was seen of a level.
#[derive(Clone, Debug, Default)]
struct Score {
    rounds: usize,
    /// When it bid first, in seconds, in the rounds in which it saw something.
    first: Vec<f64>,
    /// First bids that were the optimum already.
    right: usize,
    chips: u32,
}

impl Score {
    fn median(&self) -> f64 {
        let mut times = self.first.clone();
        times.sort_by(f64::total_cmp);
        times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
    }

    fn share(&self, count: usize) -> f64 {
        100.0 * count as f64 / self.rounds.max(1) as f64
    }
}

/// Games of 17 chips among strategies of these levels.
fn contest(levels: &[u8], games: u64) -> Vec<Score> {
    let mut scores = vec![Score::default(); levels.len()];
    for game in 0..games {
        let strategies: Vec<BotStrategy> = (0..)
            .zip(levels)
            .map(|(place, &level)| BotStrategy {
                level,
                seed: 1000 * game + place,
            })
            .collect();
        play(game, &strategies, &mut scores);
    }
    scores
}

fn play(seed: u64, strategies: &[BotStrategy], scores: &mut [Score]) {
    let options = Options {
        seats: 9,
        pause_ms: 0,
        ..Options::default()
    };
    let mut now = Time(0);
    let (mut room, _) = Room::open(options, seed, now).unwrap();
    for strategy in strategies {
        let join = Command::join(format!("Level {}", strategy.level));
        assert_eq!(room.handle(now, join).refusal, None);
    }
    let player = PlayerId(1);
    room.handle(now, Command::Start { player });
    loop {
        if let Some((round, _)) = room.to_prepare() {
            let optimum = Optimum::Unknown;
            room.handle(now, Command::Prepared { round, optimum });
        }
        let view = room.view(None);
        match view.phase {
            "over" => return,
            "thinking" => now = play_round(&mut room, now, strategies, scores, &view),
            _ => now = room.deadline().expect("something comes next").max(now),
        }
        room.handle(now, Command::Tick);
    }
}

/// From the first look to the end of the round; the time then.
fn play_round(
    room: &mut Room,
    since: Time,
    strategies: &[BotStrategy],
    scores: &mut [Score],
    view: &RoomView,
) -> Time {
    let line = &view.round.as_ref().unwrap().puzzle;
    // Level 9 sees whatever any of them sees.
    let strongest = BotStrategy { level: 9, seed: 0 };
    let solution = solution(strongest, line);
    let thoughts: Vec<Option<BotDecision>> = strategies
        .iter()
        .map(|strategy| strategy.decide(line, solution.as_ref()?))
        .collect();
    let mut bids: Vec<(Duration, usize, u32)> = Vec::new();
    for (place, decision) in thoughts.iter().enumerate() {
        scores[place].rounds += 1;
        let Some(decision) = decision else { continue };
        scores[place].first.push(decision.first_after.as_secs_f64());
        scores[place].right += usize::from(decision.first_bid == decision.length());
        bids.push((decision.first_after, place, decision.first_bid));
        if decision.first_bid > decision.length() {
            bids.push((decision.best_after, place, decision.length()));
        }
    }
    bids.sort_unstable();
    let player = |place: usize| PlayerId(place as u32 + 1);
    for (after, place, moves) in bids {
        let at = since.after(after.as_millis() as u64);
        if room.deadline().is_some_and(|sand| sand <= at) {
            break;
        }
        let bid = Command::Bid {
            player: player(place),
            moves,
        };
        assert_eq!(room.handle(at, bid).refusal, None);
    }
    let Some(sand) = room.deadline() else {
        let at = since.after(BotStrategy::PATIENCE.as_millis() as u64);
        for place in 0..strategies.len() {
            let yes = true;
            room.handle(
                at,
                Command::Skip {
                    player: player(place),
                    yes,
                },
            );
        }
        return at;
    };
    room.handle(sand, Command::Tick);
    let shows = room.view(None).show.expect("somebody has bid").player;
    let place = shows.0 as usize - 1;
    for &play in &thoughts[place].as_ref().unwrap().moves {
        let reply = room.handle(
            sand,
            Command::Show {
                player: shows,
                play,
            },
        );
        for event in reply.events {
            if let Event::RoundEnded { result, .. } = event.event {
                assert!(matches!(result, RoundResult::Won { player, .. } if player == shows));
                scores[place].chips += 1;
            }
        }
    }
    sand
}

#[test]
fn a_higher_level_wins_more_chips() {
    // Two levels apart: neighbours differ by less than the luck of a few games. The sand leaves time
    // for the same bid, and of equal bids the one with fewer chips shows: nobody is left behind.
    for pair in [[1, 3], [3, 5], [5, 7], [7, 9]] {
        let scores = contest(&pair, 8);
        let [lower, higher] = [scores[0].chips, scores[1].chips];
        assert!(
            higher > lower && lower > 0,
            "levels {pair:?}: {lower} and {higher} chips"
        );
    }
}

#[test]
fn bids_are_as_a_persons_might_be() {
    let levels: Vec<u8> = (1..=9).collect();
    let scores = contest(&levels, 4);
    for (level, pair) in (1..).zip(scores.windows(2)) {
        let [lower, higher] = pair else {
            unreachable!()
        };
        assert!(
            higher.first.len() >= lower.first.len(),
            "level {level} sees more"
        );
    }
    let medians: Vec<f64> = scores.iter().map(Score::median).collect();
    // A beginner needs most of a minute for what an expert sees in some seconds, and nobody sees
    // everything at once.
    assert!((15.0..60.0).contains(&medians[0]), "{medians:?}");
    assert!((6.0..25.0).contains(&medians[4]), "{medians:?}");
    assert!((1.5..8.0).contains(&medians[8]), "{medians:?}");
}

/// The table of `docs/design/rooms.md`.
#[test]
#[ignore = "it takes a minute"]
#[expect(clippy::print_stdout, reason = "the table is what it is for")]
fn table_of_levels() {
    let levels: Vec<u8> = (1..=9).collect();
    let together = contest(&levels, 200);
    println!("level  sees %  first bid, median s  right at once %  chips of 17  against level 5");
    for (&level, score) in levels.iter().zip(&together) {
        let pair = contest(&[level, 5], 60);
        let all = f64::from(pair[0].chips + pair[1].chips);
        println!(
            "{level:5}  {:6.0}  {:19.1}  {:15.0}  {:11.1}  {:14.0} %",
            score.share(score.first.len()),
            score.median(),
            100.0 * score.right as f64 / score.first.len().max(1) as f64,
            f64::from(score.chips) / 200.0,
            100.0 * f64::from(pair[0].chips) / all,
        );
    }
}
