//! Random games, one JSON object per line and command: the command, its time, the events that
//! followed, and the room as a spectator sees it then. Other implementations of the rules are tested
//! against it, such as the page's referee for games around a table (`web/public/room/table/referee.js`).
//!
//! ```text
//! cargo run -p ricochet-rooms --example games -- 100
//! ```

use std::io::{self, BufWriter, Write as _};

use ricochet_core::quadrants::Layout;
use ricochet_core::rng::Rng;
use ricochet_core::{Direction, Lean, Move, Puzzle, Solution, State, Trace, notation};
use ricochet_rooms::{
    Command, Event, GameLength, Optimum, Options, PlayerId, Reply, Room, Style, TieBreak, Time,
};
use serde_json::{Value, json};

const SEED: u64 = 17;
const STEPS: usize = 160;

fn main() -> io::Result<()> {
    let count = std::env::args().nth(1).and_then(|text| text.parse().ok());
    let Some(count) = count else {
        eprintln!("usage: games COUNT");
        std::process::exit(2);
    };
    let mut out = BufWriter::new(io::stdout().lock());
    for number in 0..count {
        let mut chance = Rng::stream(SEED, number);
        play(number, &mut chance, &mut out)?;
    }
    out.flush()
}

fn options(chance: &mut Rng) -> Options {
    let lengths = [
        GameLength::AllChips,
        GameLength::Race,
        GameLength::Rounds(3),
        GameLength::Rounds(25),
    ];
    let styles = [
        Style::Bidding,
        Style::Bidding,
        Style::Bidding,
        Style::Secret,
        Style::Correspondence,
    ];
    Options {
        edition: *chance.choose(&[1999, 2003, 2013]).unwrap_or(&1999),
        robots: 4 + chance.below(2) as u8,
        must_ricochet: chance.chance(1, 4),
        style: *chance.choose(&styles).unwrap_or(&Style::Bidding),
        length: *chance.choose(&lengths).unwrap_or(&GameLength::AllChips),
        ties: if chance.chance(1, 3) {
            TieBreak::Newcomer
        } else {
            TieBreak::FewerChips
        },
        teams: if chance.chance(1, 4) { 2 } else { 0 },
        pause_ms: 2_000,
        round_ms: 100_000,
        ..Options::default()
    }
}

fn play(number: u64, chance: &mut Rng, out: &mut impl io::Write) -> io::Result<()> {
    let mut now = Time(1_000);
    let Ok((mut room, opened)) = Room::open(options(chance), number, now) else {
        return Ok(());
    };
    let opened = Reply {
        events: vec![opened],
        refusal: None,
    };
    write(out, &room, now, &json!({ "say": "open" }), &opened)?;
    for _ in 0..2 + chance.below(3) {
        let (command, text) = join(chance);
        let reply = room.handle(now, command);
        write(out, &room, now, &text, &reply)?;
    }
    // A few games in which nobody bids, so that the stack is used up.
    let hasty = room.options().length == GameLength::Rounds(25) && chance.chance(1, 2);
    for _ in 0..STEPS {
        let patience = if chance.chance(1, 6) { 30_000 } else { 2_000 };
        let next = now.after(chance.below(patience) as u64);
        // What is due happens by itself, each at its own time.
        while let Some(deadline) = room.deadline().filter(|&it| it <= next) {
            now = now.max(deadline);
            let reply = room.handle(now, Command::Tick);
            write(out, &room, now, &json!({ "say": "tick" }), &reply)?;
        }
        now = next;
        let (command, text) = match hasty_vote(&room).filter(|_| hasty) {
            Some(vote) => vote,
            None => command(&room, chance),
        };
        let reply = room.handle(now, command);
        write(out, &room, now, &text, &reply)?;
    }
    Ok(())
}

fn join(chance: &mut Rng) -> (Command, Value) {
    let name = *chance
        .choose(&["Ada", "Ben", "Cleo", "Änne", "ada "])
        .unwrap_or(&"Ada");
    (Command::join(name), json!({ "say": "join", "name": name }))
}

/// Something that may well be possible now, and sometimes something that is not.
fn command(room: &Room, chance: &mut Rng) -> (Command, Value) {
    if let Some((round, puzzle)) = room.to_prepare() {
        let optimum = within(&puzzle, 3).map_or(Optimum::Unknown, Optimum::Solved);
        return (
            Command::Prepared { round, optimum },
            json!({ "say": "prepared" }),
        );
    }
    let view = room.view(None);
    let anybody = room
        .players()
        .get(chance.below(room.players().len().max(1)));
    let player = anybody.map_or(PlayerId(1), |it| it.id);
    let odd = chance.below(40);
    // Around a table nobody drops out.
    let has_bids = room.options().style.has_bids();
    match (odd, view.phase) {
        _ if room.players().is_empty() => return join(chance),
        (0, _) => return join(chance),
        (1, _) => {
            return (
                Command::Leave { player },
                json!({ "say": "leave", "player": player }),
            );
        }
        (2, _) if !has_bids => {
            return (
                Command::Drop { player },
                json!({ "say": "drop", "player": player }),
            );
        }
        (3, _) if !has_bids => {
            return (
                Command::Return { player },
                json!({ "say": "return", "player": player }),
            );
        }
        (4, _) => return bid(player, [0, 50, 100][chance.below(3)]),
        (5, _) => {
            return (
                Command::GiveUp { player },
                json!({ "say": "give-up", "player": player }),
            );
        }
        (7..=16, "pause") => {
            let yes = chance.chance(4, 5);
            let text = json!({ "say": "next", "player": player, "yes": yes });
            return (Command::Next { player, yes }, text);
        }
        (7..=16, "lobby" | "over") => {
            let player = view.host.unwrap_or(player);
            // A game that is replayed elsewhere is one of bids, or is not.
            let options = Box::new(Options {
                style: room.options().style,
                ..options(chance)
            });
            let text = json!({ "say": "options", "player": player });
            return (Command::ChangeOptions { player, options }, text);
        }
        (6, _) | (_, "lobby" | "over") => {
            let player = view.host.unwrap_or(player);
            return (
                Command::Start { player },
                json!({ "say": "start", "player": player }),
            );
        }
        _ => {}
    }
    let Some(puzzle) = view.round.as_ref().and_then(|round| parse(&round.puzzle)) else {
        return (Command::Tick, json!({ "say": "tick" }));
    };
    let answer = within(&puzzle, 3);
    if let Some(show) = &view.show {
        let shown: Solution = show.moves.parse().unwrap_or_default();
        let right = answer.and_then(|it| it.moves().get(shown.len()).copied());
        let state = Trace::play(&puzzle, shown.moves()).map_or(puzzle.start(), |it| it.end());
        let play = match right {
            Some(right) if chance.chance(9, 10) => right,
            _ => some_move(state, chance),
        };
        let player = if chance.chance(1, 12) {
            player
        } else {
            show.player
        };
        let text = json!({ "say": "show", "player": player, "play": play.to_string() });
        return (Command::Show { player, play }, text);
    }
    if chance.chance(1, 5) {
        let yes = chance.chance(4, 5);
        return (
            Command::Skip { player, yes },
            json!({ "say": "skip", "player": player, "yes": yes }),
        );
    }
    if has_bids {
        let best = answer.map_or(5, |it| it.len() as u32);
        return bid(player, best + chance.below(4) as u32);
    }
    let moves = answer.map_or_else(Vec::new, |it| it.moves().to_vec());
    let text = json!({ "say": "submit", "player": player, "moves": Solution::new(moves.clone()).to_string() });
    (Command::Submit { player, moves }, text)
}

/// A vote of a player who has not voted to skip the round.
fn hasty_vote(room: &Room) -> Option<(Command, Value)> {
    let round = room.view(None).round?;
    let mut players = room.players().iter();
    let player = players.find(|it| !round.skip_votes.contains(&it.id))?.id;
    let yes = true;
    let text = json!({ "say": "skip", "player": player, "yes": yes });
    Some((Command::Skip { player, yes }, text))
}

fn bid(player: PlayerId, moves: u32) -> (Command, Value) {
    (
        Command::Bid { player, moves },
        json!({ "say": "bid", "player": player, "moves": moves }),
    )
}

fn write(
    out: &mut impl io::Write,
    room: &Room,
    at: Time,
    command: &Value,
    reply: &Reply,
) -> io::Result<()> {
    let board = reply.events.iter().find_map(|it| match &it.event {
        Event::GameStarted { layout, .. } => Some(board(layout)),
        _ => None,
    });
    let step = json!({
        "at": at,
        "command": command,
        "events": reply.events,
        "refusal": reply.refusal,
        "view": room.view(None),
        "board": board,
    });
    writeln!(out, "{step}")
}

/// A board as the page knows it.
fn board(layout: &str) -> Value {
    let Ok(layout) = layout.parse::<Layout>() else {
        return Value::Null;
    };
    let board = layout.board();
    let diagonals = board.diagonals().iter().map(|it| {
        let lean = if it.lean == Lean::Slash { "/" } else { "\\" };
        json!([it.cell.x, it.cell.y, lean, it.color.to_string()])
    });
    let targets = board.targets().iter().map(|it| {
        json!({ "cell": [it.cell.x, it.cell.y], "robot": it.robot.map(|robot| robot.letter().to_string()) })
    });
    json!({
        "width": board.width(),
        "height": board.height(),
        "walls": board.walls(),
        "diagonals": diagonals.collect::<Vec<_>>(),
        "targets": targets.collect::<Vec<_>>(),
    })
}

fn parse(line: &str) -> Option<Puzzle> {
    notation::parse_line(line).ok()?.validate().ok()
}

/// A shortest solution within a number of moves.
fn within(puzzle: &Puzzle, depth: usize) -> Option<Solution> {
    (1..=depth).find_map(|length| {
        let mut moves = Vec::new();
        search(puzzle, puzzle.start(), length, &mut moves).then(|| Solution::new(moves))
    })
}

fn search(puzzle: &Puzzle, state: State, depth: usize, moves: &mut Vec<Move>) -> bool {
    if depth == 0 {
        return puzzle.is_on_target(state) && Trace::play(puzzle, moves).is_ok_and(|it| it.solved);
    }
    for play in all_moves(state) {
        let Some(next) = puzzle.apply(state, play.robot, play.direction) else {
            continue;
        };
        moves.push(play);
        if search(puzzle, next, depth - 1, moves) {
            return true;
        }
        moves.pop();
    }
    false
}

/// Any move, also one that goes nowhere.
fn some_move(state: State, chance: &mut Rng) -> Move {
    let moves = all_moves(state);
    moves[chance.below(moves.len())]
}

fn all_moves(state: State) -> Vec<Move> {
    state
        .robots()
        .flat_map(|robot| Direction::ALL.map(|direction| Move { robot, direction }))
        .collect()
}
