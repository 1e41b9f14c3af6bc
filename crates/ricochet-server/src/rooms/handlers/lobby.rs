//! Finding and opening rooms, and taking seats in them.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{Path, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use ricochet_rooms::Options;
use ricochet_service::{Error, ErrorKind};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::app::{App, client_of};
use crate::clock;
use crate::http::questions;
use crate::http::submissions::{bad, body, internal, json_response};
use crate::rate_limit::RateLimiter;
use crate::rooms::hub::{Hub, Trouble};
use crate::rooms::names;
use crate::rooms::protocol::outgoing::No;
use crate::rooms::task::message::{Seated, Wanted};
use crate::rooms::task::summary::Status;

/// Rooms in the list at most.
const LISTED: usize = 100;

/// A room to be opened.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
#[derive(Default)]
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
}

/// `GET /api/v1/rooms`
pub(crate) async fn rooms(State(app): State<Arc<App>>, request: Request) -> Response {
    let own = query(&request, "own") == Some("true");
    let mut public = public(&app.hub, own).await;
    public.truncate(LISTED);
    let tv = public.first().map(|room| Arc::clone(&room.room));
    let lobby = json!({ "now": clock::time(), "tv": tv.as_deref(), "rooms": public });
    json_response(StatusCode::OK, &lobby)
}

/// `GET /api/v1/rooms/tv`
pub(crate) async fn tv(State(app): State<Arc<App>>) -> Response {
    let public = public(&app.hub, false).await;
    let busiest = public.first().map(|room| &*room.room);
    json_response(StatusCode::OK, &json!({ "room": busiest }))
}

/// Public rooms where somebody is, the busiest first: of this process alone, or of its peers too.
async fn public(hub: &Hub, own: bool) -> Vec<Status> {
    let mut rooms = hub.statuses();
    rooms.retain(Status::is_public);
    if !own {
        rooms.extend(hub.peers.rooms().await);
    }
    rooms.sort_by_key(|room| std::cmp::Reverse((room.bustle(), room.opened)));
    rooms
}

/// `GET /api/v1/rooms/ROOM`
pub(crate) async fn room(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    request: Request,
) -> Response {
    if let Err(response) = pass(&app.hub.reading, &app, &request) {
        return response;
    }
    match app.hub.room(&name).await {
        Ok(handle) => json_response(StatusCode::OK, &handle.status()),
        Err(trouble) => troubled(&trouble),
    }
}

/// `POST /api/v1/rooms`
pub(crate) async fn open(State(app): State<Arc<App>>, request: Request) -> Response {
    if let Err(response) = pass(&app.hub.opening, &app, &request) {
        return response;
    }
    let NewRoom {
        options,
        name,
        team,
    } = match body(&app, request).await {
        Ok(new) => new,
        Err(response) => return response,
    };
    if let Some(name) = &name
        && ricochet_rooms::clean_name(name).is_none()
    {
        // A room that nobody can enter is not opened first.
        return refused(&No::Room(ricochet_rooms::Refusal::NoName));
    }
    let room = match app.hub.open(options).await {
        Ok(room) => room,
        Err(trouble) => return troubled(&trouble),
    };
    let mut told = json!({ "room": &*room, "link": link(&room) });
    if let Some(name) = name {
        let wanted = Wanted {
            name,
            bot: false,
            team,
        };
        match app.hub.join(&room, &wanted).await {
            Ok(Ok(seated)) => add_seat(&mut told, &seated),
            Ok(Err(no)) => return refused(&no),
            Err(trouble) => return troubled(&trouble),
        }
    }
    json_response(StatusCode::CREATED, &told)
}

/// `POST /api/v1/rooms/ROOM/seats`
pub(crate) async fn sit(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    request: Request,
) -> Response {
    if let Err(response) = pass(&app.hub.sitting, &app, &request) {
        return response;
    }
    let seat: NewSeat = match body(&app, request).await {
        Ok(seat) => seat,
        Err(response) => return response,
    };
    let wanted = Wanted {
        name: seat.name,
        bot: seat.bot,
        team: seat.team,
    };
    match app.hub.join(&name, &wanted).await {
        Ok(Ok(seated)) => {
            let mut told = json!({ "room": name });
            add_seat(&mut told, &seated);
            json_response(StatusCode::CREATED, &told)
        }
        Ok(Err(no)) => refused(&no),
        Err(trouble) => troubled(&trouble),
    }
}

fn add_seat(told: &mut Value, seated: &Seated) {
    told["player"] = json!(seated.player);
    told["token"] = json!(seated.token);
}

/// Where people enter a room.
pub(crate) fn link(room: &str) -> String {
    format!("/#room={room}")
}

/// Lets a client through a gate, or says when to come again.
#[expect(clippy::result_large_err, reason = "it is sent at once")]
pub(crate) fn pass(limiter: &RateLimiter, app: &App, request: &Request) -> Result<(), Response> {
    let client = client_of(request, &app.config);
    limiter.take(client, Instant::now()).map_err(too_fast)
}

fn too_fast(seconds: u64) -> Response {
    let wrong = Error::new(ErrorKind::Busy, "too many requests: wait a moment");
    let mut response = questions::error(StatusCode::TOO_MANY_REQUESTS, &wrong);
    let seconds = HeaderValue::from(seconds);
    response.headers_mut().insert(header::RETRY_AFTER, seconds);
    response
}

/// The response to a refusal.
pub(crate) fn refused(no: &No) -> Response {
    if *no == No::TooFast {
        return too_fast(2);
    }
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (StatusCode::CONFLICT, headers, no.json()).into_response()
}

/// The response when there is no way to a room.
pub(crate) fn troubled(trouble: &Trouble) -> Response {
    match trouble {
        Trouble::NoRoom => {
            questions::failed(&Error::new(ErrorKind::NotFound, "there is no such room"))
        }
        Trouble::Full => questions::busy(60),
        Trouble::Broken => internal("the room cannot be used now"),
        Trouble::Options(wrong) => bad(&format!("options: {wrong}")),
    }
}

/// The token of a request, if it has one.
pub(crate) fn bearer(request: &Request) -> Option<names::TokenHash> {
    let value = request.headers().get(header::AUTHORIZATION)?;
    let (kind, text) = value.to_str().ok()?.split_once(' ')?;
    kind.eq_ignore_ascii_case("bearer")
        .then(|| names::hash(text.trim()))
}

/// A plain value in the query of a request.
pub(crate) fn query<'a>(request: &'a Request, name: &str) -> Option<&'a str> {
    let fields = request.uri().query()?.split('&');
    let mut fields = fields.filter_map(|field| field.split_once('='));
    fields.find(|(key, _)| *key == name).map(|(_, value)| value)
}
