//! Finding and opening rooms, and taking seats in them.

use std::sync::Arc;

use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use ricochet_rooms::{LEVELS, Options, Refusal};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::app::App;
use crate::http::response::{ApiError, ApiResult, json_response, read_fields};
use crate::rooms::handlers::{limit, link, query_value};
use crate::rooms::hub::{Hub, HubError};
use crate::rooms::protocol::outgoing::Rejection;
use crate::rooms::task::message::{Seat, SeatRequest};
use crate::rooms::task::summary::RoomSummary;

/// The most rooms in the list.
const MAX_LISTED: usize = 100;

/// A room to be opened.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct NewRoom {
    options: Options,
    name: Option<String>,
    team: Option<u8>,
}

/// A seat to be taken.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewSeat {
    name: String,
    #[serde(default)]
    team: Option<u8>,
    #[serde(default)]
    bot: bool,
    #[serde(default)]
    level: Option<u8>,
}

/// `GET /api/v1/rooms`
pub(crate) async fn rooms(State(app): State<Arc<App>>, request: Request) -> ApiResult {
    let only_own = match query_value(&request, "own") {
        Some("true") => true,
        None | Some("false") => false,
        Some(_) => return Err(ApiError::malformed("own: expected true or false")),
    };
    let mut rooms = public_rooms(&app.hub, only_own).await;
    rooms.truncate(MAX_LISTED);
    let tv = rooms.first().map(|room| Arc::clone(&room.room));
    let lobby = json!({ "now": app.config.clock.time(), "tv": tv.as_deref(), "rooms": rooms });
    Ok(json_response(StatusCode::OK, &lobby))
}

/// `GET /api/v1/rooms/tv`
pub(crate) async fn tv(State(app): State<Arc<App>>) -> Response {
    let rooms = public_rooms(&app.hub, false).await;
    let busiest = rooms.first().map(|room| &*room.room);
    json_response(StatusCode::OK, &json!({ "room": busiest }))
}

/// Public rooms with connected players, the busiest first, of this process or of all processes.
async fn public_rooms(hub: &Hub, only_own: bool) -> Vec<RoomSummary> {
    let mut rooms = hub.summaries();
    rooms.retain(RoomSummary::is_public);
    if !only_own {
        rooms.extend(hub.peers.rooms().await);
    }
    rooms.sort_by_key(|room| std::cmp::Reverse((room.activity(), room.opened)));
    rooms
}

/// `GET /api/v1/rooms/ROOM`
pub(crate) async fn room(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    request: Request,
) -> ApiResult {
    limit(&app.hub.read_limit, &app, &request)?;
    let handle = app.hub.room(&name).await?;
    Ok(json_response(StatusCode::OK, &handle.summary()))
}

/// `POST /api/v1/rooms`
pub(crate) async fn open(State(app): State<Arc<App>>, request: Request) -> ApiResult {
    limit(&app.hub.open_limit, &app, &request)?;
    let new: NewRoom = read_fields(&app.config, request).await?;
    if let Some(name) = &new.name
        && ricochet_rooms::clean_name(name).is_none()
    {
        // Checked first, so that no room is opened that its host cannot enter.
        return Err(HubError::Rejected(Rejection::Room(Refusal::NoName)).into());
    }
    let room = app.hub.open(new.options).await?;
    let mut response = json!({ "room": &*room, "link": link(&room) });
    if let Some(name) = new.name {
        let request = SeatRequest {
            name,
            bot: false,
            level: None,
            team: new.team,
        };
        let seat = app.hub.join(&room, &request).await?;
        add_seat(&mut response, &seat);
    }
    Ok(json_response(StatusCode::CREATED, &response))
}

/// `POST /api/v1/rooms/ROOM/seats`
pub(crate) async fn take_seat(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    request: Request,
) -> ApiResult {
    limit(&app.hub.seat_limit, &app, &request)?;
    let NewSeat {
        name: player,
        team,
        bot,
        level,
    } = read_fields(&app.config, request).await?;
    if level.is_some_and(|level| !bot || !LEVELS.contains(&level)) {
        return Err(ApiError::bad_request(
            "level: expected 1 to 9, for bots only",
        ));
    }
    let request = SeatRequest {
        name: player,
        bot,
        level,
        team,
    };
    let seat = app.hub.join(&name, &request).await?;
    let mut response = json!({ "room": name });
    add_seat(&mut response, &seat);
    Ok(json_response(StatusCode::CREATED, &response))
}

fn add_seat(response: &mut Value, seat: &Seat) {
    response["player"] = json!(seat.player);
    response["token"] = json!(seat.token);
}
