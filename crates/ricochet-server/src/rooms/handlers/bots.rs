//! Rooms for programs, over HTTP: a stream of lines, and calls.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::response::IntoResponse;
use serde_json::json;
use tokio::sync::mpsc;

use crate::app::{App, client_of};
use crate::http::response::{ApiError, ApiResult, json_response, read_body};
use crate::http::stream::Lines;
use crate::rooms::handlers::{bearer_token, query_value};
use crate::rooms::hub::{Hub, HubError};
use crate::rooms::protocol::incoming::Action;
use crate::rooms::protocol::outgoing::{self, CloseReason};
use crate::rooms::task::message::{ClientReceiver, RoomMessage};

/// How often a blank line keeps a stream alive.
const KEEP_ALIVE: Duration = Duration::from_secs(7);

/// How long a client may take to read the last lines.
const CLOSING: Duration = Duration::from_secs(1);

/// `POST /api/v1/rooms/ROOM/do/ACTION`
pub(crate) async fn call(
    State(app): State<Arc<App>>,
    Path((name, action)): Path<(String, String)>,
    request: Request,
) -> ApiResult {
    let token = bearer_token(&request).ok_or(HubError::UnknownToken)?;
    let (parts, body) = request.into_parts();
    let bytes = read_body(&app.config, &parts.headers, body).await?;
    let action = Action::from_fields(&action, &bytes).map_err(ApiError::malformed)?;
    let version = app.hub.call(&name, token, &action).await?;
    Ok(json_response(
        StatusCode::OK,
        &json!({ "version": version }),
    ))
}

/// `GET /api/v1/rooms/ROOM/stream`
pub(crate) async fn stream(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    request: Request,
) -> ApiResult {
    let hub = Arc::clone(&app.hub);
    let permit = hub.connection_permit(client_of(&request, &app.config));
    let permit = permit.ok_or_else(|| ApiError::busy(60))?;
    let since = query_value(&request, "since").map(str::parse).transpose();
    let since = since.map_err(|_| ApiError::malformed("since: expected the number of an event"))?;
    let connected = hub.connect(&name, bearer_token(&request), since).await;
    let (admission, handle, client) = connected?;
    let (sender, receiver) = mpsc::channel(1);
    tokio::spawn(async move {
        send_lines(&hub, client, sender).await;
        drop(permit);
        let gone = RoomMessage::Disconnect {
            connection: admission.connection,
        };
        let _ = handle.sender.send(gone).await;
    });
    Ok(Lines(receiver).into_response())
}

/// Passes lines on until the connection is closed.
async fn send_lines(hub: &Hub, mut client: ClientReceiver, sender: mpsc::Sender<Bytes>) {
    let mut shutting_down = hub.shutting_down();
    let reason = loop {
        let line = tokio::select! {
            biased;
            closed = &mut client.close => {
                let reason = closed.unwrap_or(CloseReason::SERVER_ERROR);
                send_rest(reason, &mut client, &sender).await;
                break reason;
            }
            () = async { drop(shutting_down.wait_for(|it| *it).await) } => break CloseReason::ENDING,
            () = sender.closed() => break CloseReason::DONE,
            text = client.messages.recv() => match text {
                Some(text) => format!("{text}\n"),
                None => break client.close.await.unwrap_or(CloseReason::SERVER_ERROR),
            },
            () = tokio::time::sleep(KEEP_ALIVE) => "\n".to_owned(),
        };
        let sent = tokio::select! {
            biased;
            sent = sender.send(line.into()) => sent,
            closed = &mut client.close => break closed.unwrap_or(CloseReason::SERVER_ERROR),
        };
        if sent.is_err() {
            break CloseReason::DONE;
        }
    };
    let last = format!("{}\n", outgoing::closed(reason));
    let _ = tokio::time::timeout(CLOSING, sender.send(last.into())).await;
}

/// Sends what came before the connection was closed, unless the client was too slow.
async fn send_rest(reason: CloseReason, client: &mut ClientReceiver, sender: &mpsc::Sender<Bytes>) {
    let rest = async {
        while let Ok(text) = client.messages.try_recv() {
            if sender.send(format!("{text}\n").into()).await.is_err() {
                break;
            }
        }
    };
    if reason != CloseReason::SLOW {
        let _ = tokio::time::timeout(CLOSING, rest).await;
    }
}
