//! Reviews of games, from their logs.

use std::sync::Arc;

use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use ricochet_core::Solution;
use ricochet_rooms::{Event, LogEntry, PlayerId, Review, RoundResult, Standing, Time};
use serde::Serialize;

use crate::app::App;
use crate::http::response::{ApiError, ApiResult, json_response};
use crate::rooms::handlers::limit;
use crate::rooms::hub::HubError;
use crate::rooms::names;

/// The review of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct GameReview {
    room: String,
    game: u32,
    layout: String,
    over: bool,
    standings: Option<Vec<Standing>>,
    players: Vec<ReviewedPlayer>,
    rounds: Vec<RoundReview>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct ReviewedPlayer {
    player: PlayerId,
    name: String,
    bot: bool,
    team: Option<u8>,
}

/// A round that is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct RoundReview {
    round: u32,
    puzzle: String,
    target: u8,
    began: Time,
    ended: Time,
    optimum: Option<String>,
    result: RoundResult,
    saw_it: usize,
    review: Vec<Review>,
    bids: Vec<Bid>,
    analysis: String,
}

/// A bid, or a hidden solution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Bid {
    player: PlayerId,
    ms: u64,
    length: Option<u32>,
    moves: Option<String>,
}

/// A round that is not over yet.
struct OpenRound {
    round: u32,
    puzzle: String,
    target: u8,
    began: Time,
    bids: Vec<Bid>,
}

/// `GET /api/v1/rooms/ROOM/games/N`
pub(crate) async fn game(
    State(app): State<Arc<App>>,
    Path((name, game)): Path<(String, String)>,
    request: Request,
) -> ApiResult {
    limit(&app.hub.read_limit, &app, &request)?;
    let number = match game.as_str() {
        "latest" => None,
        number => match number.parse::<u32>() {
            Ok(number) => Some(number),
            Err(_) => return Err(no_such_game()),
        },
    };
    if !names::is_room_name(&name) {
        return Err(HubError::NoRoom.into());
    }
    let loaded = app.hub.load_room(&name).await?;
    // A review needs no token, so it is delayed as for spectators.
    let delay = loaded.room.options().spectator_delay_ms;
    let now = app.config.clock.time();
    let seen = loaded.log.iter().filter(|it| it.at.after(delay) <= now);
    let review = review(&name, seen.map(|it| &**it), number).ok_or_else(no_such_game)?;
    Ok(json_response(StatusCode::OK, &review))
}

fn no_such_game() -> ApiError {
    ApiError::not_found("there is no such game")
}

/// Reviews a game, or the latest one.
fn review<'a>(
    room: &str,
    log: impl Iterator<Item = &'a LogEntry>,
    number: Option<u32>,
) -> Option<GameReview> {
    let mut players: Vec<ReviewedPlayer> = Vec::new();
    let mut review: Option<GameReview> = None;
    let mut open: Option<OpenRound> = None;
    for LogEntry { at, event, .. } in log {
        match event {
            Event::Joined {
                player,
                name,
                bot,
                team,
                ..
            } => players.push(ReviewedPlayer {
                player: *player,
                name: name.clone(),
                bot: *bot,
                team: *team,
            }),
            Event::GameStarted { game, layout, .. } => {
                if review.as_ref().is_some_and(|it| Some(it.game) == number) {
                    break;
                }
                review = Some(GameReview {
                    room: room.to_owned(),
                    game: *game,
                    layout: layout.clone(),
                    over: false,
                    standings: None,
                    players: Vec::new(),
                    rounds: Vec::new(),
                });
            }
            Event::RoundStarted {
                round,
                puzzle,
                target,
                ..
            } => {
                open = Some(OpenRound {
                    round: *round,
                    puzzle: puzzle.clone(),
                    target: *target,
                    began: *at,
                    bids: Vec::new(),
                });
            }
            Event::Bid { player, moves, .. } => {
                if let Some(open) = &mut open {
                    let length = Some(*moves);
                    open.bid(*player, *at, length, None);
                }
            }
            Event::Submitted {
                player,
                length,
                moves,
            } => {
                if let Some(open) = &mut open {
                    let moves = moves.clone().map(text_of);
                    open.bid(*player, *at, *length, moves);
                }
            }
            Event::RoundEnded {
                result,
                optimum,
                review: parts,
                ..
            } => {
                if let (Some(game), Some(open)) = (&mut review, open.take()) {
                    let optimum = optimum.clone().map(text_of);
                    let ended = open.end(*at, result, optimum, parts);
                    game.rounds.push(ended);
                }
            }
            Event::GameEnded { standings } => {
                if let Some(game) = &mut review {
                    game.over = true;
                    game.standings = Some(standings.clone());
                }
            }
            _ => {}
        }
    }
    let mut review = review.filter(|it| number.is_none_or(|number| number == it.game))?;
    review.players = players;
    Some(review)
}

impl OpenRound {
    fn bid(&mut self, player: PlayerId, at: Time, length: Option<u32>, moves: Option<String>) {
        self.bids.push(Bid {
            player,
            ms: at.since(self.began),
            length,
            moves,
        });
    }

    fn end(
        self,
        at: Time,
        result: &RoundResult,
        optimum: Option<String>,
        parts: &[Review],
    ) -> RoundReview {
        let won = match result {
            RoundResult::Won { moves, .. } => Some(text_of(moves.clone())),
            RoundResult::AllFailed | RoundResult::Skipped => None,
        };
        let analysis = analysis(&self.puzzle, won.as_deref().or(optimum.as_deref()));
        RoundReview {
            round: self.round,
            puzzle: self.puzzle,
            target: self.target,
            began: self.began,
            ended: at,
            optimum,
            result: result.clone(),
            saw_it: parts.iter().filter(|part| part.saw_it).count(),
            review: parts.to_vec(),
            bids: self.bids,
            analysis,
        }
    }
}

fn text_of(moves: Vec<ricochet_core::Move>) -> String {
    Solution::new(moves).to_string()
}

/// The address of the page that analyses a position and moves.
fn analysis(puzzle: &str, moves: Option<&str>) -> String {
    match moves {
        Some(moves) if !moves.is_empty() => {
            format!("/#analyse={puzzle}&moves={}", moves.replace(' ', "-"))
        }
        _ => format!("/#analyse={puzzle}"),
    }
}
