//! `ricochet bot`

mod client;
#[cfg(test)]
mod contest;
mod player;

use std::time::Duration;

use ricochet_rooms::BotStrategy;

use crate::args::whole_number::whole_number;
use crate::batch::interrupt;
use crate::exit_code::ExitCode;
use crate::term::output::Output;
use client::{RoomClient, RoomLink};
use player::{ConnectionEnd, Player};

/// Tries to open a stream again, the last of them after half a minute.
const TRIES: u32 = 6;

/// Run a bot that joins a room and plays
///
/// In a room, people play games together. Open one under Rooms on the page of `ricochet serve`; URL
/// is its invitation link. The bot takes about as long to decide as a person would; level 5 plays
/// like a good player. It stays until it has played --games games, the room is closed, the host
/// removes it, or you press Ctrl-C.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Args {
    /// The invitation link of the room; it ends in #room=NAME
    #[arg(value_name = "URL")]
    url: String,

    /// How well the bot plays, 1 to 9
    #[arg(long, value_name = "1..9", default_value_t = 5, value_parser = whole_number::<u8>(1..=9))]
    level: u8,

    /// The bot's name. Default: Robot and its level, such as Robot 5
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// The team to join, counted from 0
    #[arg(long, value_name = "N", value_parser = whole_number::<u8>(..))]
    team: Option<u8>,

    /// Leave after this many games
    #[arg(long, value_name = "N", value_parser = whole_number::<u32>(..))]
    games: Option<u32>,

    /// The random seed: in the same position, the same seed makes the bot bid the same number of
    /// moves (a bid announces a solution of that many moves)
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole_number::<u64>(..))]
    seed: u64,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> anyhow::Result<ExitCode> {
    let cancel = interrupt::cancel_on_interrupt()?;
    let link = RoomLink::read(&args.url)?;
    let name = args.name.clone();
    let name = name.unwrap_or_else(|| format!("Robot {}", args.level));
    let client = RoomClient::join(link, &name, args.level, args.team)?;
    let strategy = BotStrategy {
        level: args.level,
        seed: args.seed,
    };
    output.note(format_args!("{name} is player {}", client.player));
    let mut player = Player::new(&client, strategy, args.games);
    let mut broken = 0;
    loop {
        let end = match client.messages() {
            Ok(messages) => {
                broken = 0;
                player.play(&messages, &cancel, |text| output.note(text))
            }
            Err(error) if broken >= TRIES => return Err(error),
            Err(_) => ConnectionEnd::Broken,
        };
        match end {
            ConnectionEnd::Played => {
                client.send("leave", &serde_json::json!({}))?;
                return Ok(ExitCode::Solved);
            }
            ConnectionEnd::Gone(why) => {
                output.note(why);
                return Ok(ExitCode::Solved);
            }
            ConnectionEnd::Interrupted => {
                let _ = client.send("leave", &serde_json::json!({}));
                return Ok(ExitCode::Interrupted);
            }
            ConnectionEnd::Broken => {
                std::thread::sleep(Duration::from_secs(1 << broken.min(5)));
                broken += 1;
            }
        }
    }
}
