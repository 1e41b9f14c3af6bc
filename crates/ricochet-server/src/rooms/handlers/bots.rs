//! Rooms for programs, over HTTP: a stream of lines, and calls.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Path, Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use ricochet_service::{Error, ErrorKind};
use serde_json::json;
use tokio::sync::mpsc;

use crate::app::{App, client_of};
use crate::http::questions::{self, read_body};
use crate::http::stream::Lines;
use crate::http::submissions::{bad, json_response};
use crate::rooms::handlers::lobby::{bearer, query, refused, troubled};
use crate::rooms::handlers::socket::{Ends, line};
use crate::rooms::hub::{Hub, Place};
use crate::rooms::protocol::incoming::Wish;
use crate::rooms::protocol::outgoing::{self, Close};
use crate::rooms::task::message::Letter;

/// How often a blank line keeps a stream alive.
const KEEP_ALIVE: Duration = Duration::from_secs(7);

/// `POST /api/v1/rooms/ROOM/do/WHAT`
pub(crate) async fn call(
    State(app): State<Arc<App>>,
    Path((name, what)): Path<(String, String)>,
    request: Request,
) -> Response {
    let Some(token) = bearer(&request) else {
        return unknown_token();
    };
    let (parts, body) = request.into_parts();
    let bytes = match read_body(&app, &parts.headers, body).await {
        Ok(bytes) => bytes,
        Err(response) => return response,
    };
    let wish = match Wish::of_fields(&what, &bytes) {
        Ok(wish) => wish,
        Err(wrong) => return bad(&wrong),
    };
    match app.hub.call(&name, token, &wish).await {
        Ok(Some(Ok(version))) => json_response(StatusCode::OK, &json!({ "version": version })),
        Ok(Some(Err(no))) => refused(&no),
        Ok(None) => unknown_token(),
        Err(trouble) => troubled(&trouble),
    }
}

fn unknown_token() -> Response {
    let wrong = Error::new(
        ErrorKind::BadRequest,
        "expected the token of a player of this room: Authorization: Bearer TOKEN",
    );
    questions::error(StatusCode::UNAUTHORIZED, &wrong)
}

/// `GET /api/v1/rooms/ROOM/stream`
pub(crate) async fn stream(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    request: Request,
) -> Response {
    let hub = Arc::clone(&app.hub);
    let Some(place) = hub.place(client_of(&request, &app.config)) else {
        return questions::busy(60);
    };
    let since = match query(&request, "since").map(str::parse) {
        None => None,
        Some(Ok(since)) => Some(since),
        Some(Err(_)) => return bad("since: expected the number of an event"),
    };
    let token = bearer(&request);
    let connected = hub.connect(&name, token, since, || line(&hub)).await;
    let (connected, handle, ends) = match connected {
        Ok(connected) => connected,
        Err(Close::BAD_TOKEN | Close::NO_SEAT) => return unknown_token(),
        Err(Close::NO_ROOM) => return troubled(&crate::rooms::hub::Trouble::NoRoom),
        Err(Close::FULL) => return troubled(&crate::rooms::hub::Trouble::Full),
        Err(_) => return troubled(&crate::rooms::hub::Trouble::Broken),
    };
    let (sender, receiver) = mpsc::channel(1);
    let connection = connected.connection;
    tokio::spawn(async move {
        tell(&hub, ends, sender, place).await;
        let _ = handle.sender.send(Letter::Gone { connection }).await;
    });
    let headers = [
        (header::CONTENT_TYPE, "application/x-ndjson"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (headers, Body::from_stream(Lines(receiver))).into_response()
}

/// Passes lines on until somebody ends it.
async fn tell(hub: &Hub, mut ends: Ends, sender: mpsc::Sender<Bytes>, place: Place) {
    let mut ending = hub.ending();
    let close = loop {
        let line = tokio::select! {
            biased;
            kicked = &mut ends.kick => {
                let close = kicked.unwrap_or(Close::MISTAKE);
                send_rest(close, &mut ends, &sender).await;
                break close;
            }
            () = async { drop(ending.wait_for(|ended| *ended).await) } => break Close::ENDING,
            () = sender.closed() => break Close::DONE,
            text = ends.out.recv() => match text {
                Some(text) => format!("{text}\n"),
                None => break ends.kick.await.unwrap_or(Close::MISTAKE),
            },
            () = tokio::time::sleep(KEEP_ALIVE) => "\n".to_owned(),
        };
        let sent = tokio::select! {
            biased;
            sent = sender.send(line.into()) => sent,
            kicked = &mut ends.kick => break kicked.unwrap_or(Close::MISTAKE),
        };
        if sent.is_err() {
            break Close::DONE;
        }
    };
    let last = format!("{}\n", outgoing::closed(close));
    let _ = tokio::time::timeout(Duration::from_secs(1), sender.send(last.into())).await;
    drop(place);
}

/// Whoever is sent away for another reason than slowness hears what came before it.
async fn send_rest(close: Close, ends: &mut Ends, sender: &mpsc::Sender<Bytes>) {
    let rest = async {
        while let Ok(text) = ends.out.try_recv() {
            if sender.send(format!("{text}\n").into()).await.is_err() {
                break;
            }
        }
    };
    if close != Close::SLOW {
        let _ = tokio::time::timeout(Duration::from_secs(1), rest).await;
    }
}
