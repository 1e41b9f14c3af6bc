//! The WebSocket of a client in a room.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message as Frame, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, Request, State};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use ricochet_service::{Error, ErrorKind};
use tokio::sync::mpsc;
use tokio_tungstenite::tungstenite;
use tokio_tungstenite::tungstenite::error::{CapacityError, ProtocolError};

use crate::app::{App, client_of};
use crate::http::response::ApiError;
use crate::rate_limit::{Rate, TokenBucket};
use crate::rooms::hub::{ConnectionPermit, Hub};
use crate::rooms::names;
use crate::rooms::protocol::incoming::{
    Action, Hello, IncomingMessage, MAX_MESSAGE_BYTES, PROTOCOL_VERSION,
};
use crate::rooms::protocol::outgoing::{self, CloseReason, Rejection};
use crate::rooms::task::message::{Admission, ClientReceiver, RoomHandle, RoomMessage};

/// How long a client may take to say `hello`.
const HELLO_TIMEOUT: Duration = Duration::from_secs(10);

/// How long sending one message may take.
const SEND_TIMEOUT: Duration = Duration::from_secs(10);

/// How long closing a connection may take.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

/// How many messages one connection may send.
const MESSAGE_RATE: Rate = Rate::new(40.0, 10.0);

/// After how many unreadable messages in a row the connection is closed.
const MAX_UNREADABLE: u32 = 20;

/// `GET /api/v1/rooms/ROOM/socket`
pub(crate) async fn socket(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
    request: Request,
) -> Response {
    let upgrade = match upgrade {
        Ok(upgrade) => upgrade,
        Err(rejection) => {
            let error = Error::new(ErrorKind::BadRequest, rejection.body_text());
            return ApiError::new(rejection.status(), &error).into_response();
        }
    };
    // Names of rooms are short: guessing them must be slow.
    if let Err(error) = super::limit(&app.hub.read_limit, &app, &request) {
        return error.into_response();
    }
    let client = client_of(&request, &app.config);
    let hub = Arc::clone(&app.hub);
    let Some(permit) = hub.connection_permit(client) else {
        // Browsers do not show scripts this status, but refusing early is cheap.
        return ApiError::busy(60).into_response();
    };
    upgrade
        .max_message_size(MAX_MESSAGE_BYTES)
        .max_frame_size(MAX_MESSAGE_BYTES)
        .read_buffer_size(MAX_MESSAGE_BYTES)
        .write_buffer_size(0)
        .max_write_buffer_size(1 << 20)
        .on_upgrade(move |socket| serve(hub, name, client, permit, socket))
}

async fn serve(
    hub: Arc<Hub>,
    name: String,
    client: IpAddr,
    permit: ConnectionPermit,
    socket: WebSocket,
) {
    let (mut sink, mut stream) = socket.split();
    let close = match greet(&hub, &name, &mut stream).await {
        Ok((admission, handle, receiver)) => {
            let mut session = Session {
                hub: &hub,
                admission: &admission,
                handle: &handle,
                sink: &mut sink,
                stream: &mut stream,
                bucket: TokenBucket::full(MESSAGE_RATE, Instant::now()),
                unreadable: 0,
            };
            let close = session.run(receiver).await;
            let gone = RoomMessage::Disconnect {
                connection: admission.connection,
            };
            let _ = handle.sender.send(gone).await;
            close
        }
        Err(close) => close,
    };
    if close.code == CloseReason::FLOOD.code {
        hub.metrics().room_floods.add(1);
        tracing::info!(%client, reason = close.reason, "a connection to a room was closed");
    }
    let closing = async {
        if close.code < 4000 && close.code != CloseReason::DONE.code && close != CloseReason::ENDING
        {
            let _ = sink.send(Frame::Text(outgoing::error(close.reason))).await;
        }
        let frame = CloseFrame {
            code: close.code,
            reason: close.reason.into(),
        };
        let _ = sink.send(Frame::Close(Some(frame))).await;
        // Wait for the close frame of the other side, and ignore everything else.
        while let Some(Ok(_)) = stream.next().await {}
    };
    let _ = tokio::time::timeout(CLOSE_TIMEOUT, closing).await;
    drop(permit);
}

/// Reads `hello` and connects the client.
async fn greet(
    hub: &Hub,
    name: &str,
    stream: &mut SplitStream<WebSocket>,
) -> Result<(Admission, RoomHandle, ClientReceiver), CloseReason> {
    let first = tokio::time::timeout(HELLO_TIMEOUT, stream.next()).await;
    let hello = match first {
        Ok(Some(Ok(Frame::Text(text)))) => Hello::read(&text).map_err(|_| CloseReason::NO_HELLO)?,
        Ok(Some(Err(error))) => return Err(close_reason(error)),
        Ok(Some(Ok(Frame::Close(_))) | None) => return Err(CloseReason::DONE),
        _ => return Err(CloseReason::NO_HELLO),
    };
    if hello.version != PROTOCOL_VERSION {
        return Err(CloseReason::NO_HELLO);
    }
    let token = hello.token.as_deref().map(names::hash_token);
    Ok(hub.connect(name, token, hello.since).await?)
}

/// A client that is connected to a room.
struct Session<'a> {
    hub: &'a Hub,
    admission: &'a Admission,
    handle: &'a RoomHandle,
    sink: &'a mut SplitSink<WebSocket, Frame>,
    stream: &'a mut SplitStream<WebSocket>,
    bucket: TokenBucket,
    unreadable: u32,
}

impl Session<'_> {
    /// Runs until the connection has to be closed, and returns the reason.
    async fn run(&mut self, mut client: ClientReceiver) -> CloseReason {
        let mut shutting_down = self.hub.shutting_down();
        let silence = self.hub.limits().silence;
        let mut heard = tokio::time::Instant::now();
        loop {
            let next = tokio::select! {
                biased;
                closed = &mut client.close => {
                    let close = closed.unwrap_or(CloseReason::SERVER_ERROR);
                    self.send_rest(close, client.messages).await;
                    return close;
                }
                () = async { drop(shutting_down.wait_for(|it| *it).await) } => return CloseReason::ENDING,
                frame = self.stream.next() => {
                    heard = tokio::time::Instant::now();
                    self.receive(frame).await
                }
                text = client.messages.recv() => match text {
                    Some(text) => Ok(Some(text)),
                    // The task of the room has ended.
                    None => return client.close.await.unwrap_or(CloseReason::SERVER_ERROR),
                },
                () = tokio::time::sleep_until(heard + silence) => Err(CloseReason::SILENT),
            };
            let text = match next {
                Ok(None) => continue,
                Ok(Some(text)) => text,
                Err(close) => return close,
            };
            let sending = tokio::time::timeout(SEND_TIMEOUT, self.sink.send(Frame::Text(text)));
            tokio::select! {
                biased;
                sent = sending => match sent {
                    Ok(Ok(())) => {}
                    Ok(Err(_)) => return CloseReason::DONE,
                    Err(_) => return CloseReason::SLOW,
                },
                closed = &mut client.close => return closed.unwrap_or(CloseReason::SERVER_ERROR),
            }
        }
    }

    /// Sends what came before the connection was closed, unless the client was too slow.
    async fn send_rest(&mut self, close: CloseReason, mut messages: mpsc::Receiver<Utf8Bytes>) {
        let rest = async {
            while let Ok(text) = messages.try_recv() {
                if self.sink.send(Frame::Text(text)).await.is_err() {
                    break;
                }
            }
        };
        if close != CloseReason::SLOW {
            let _ = tokio::time::timeout(CLOSE_TIMEOUT, rest).await;
        }
    }

    /// Handles a frame; returns a text to be sent back at once, if any.
    async fn receive(
        &mut self,
        frame: Option<Result<Frame, axum::Error>>,
    ) -> Result<Option<Utf8Bytes>, CloseReason> {
        let frame = match frame {
            None | Some(Ok(Frame::Close(_))) => return Err(CloseReason::DONE),
            Some(Err(error)) => return Err(close_reason(error)),
            Some(Ok(frame)) => frame,
        };
        if !self.bucket.take(MESSAGE_RATE, Instant::now()) {
            return Err(CloseReason::FLOOD);
        }
        let text = match frame {
            Frame::Text(text) => text,
            Frame::Ping(_) | Frame::Pong(_) => return Ok(None),
            _ => Utf8Bytes::from_static(""),
        };
        let message = match IncomingMessage::read(&text) {
            Ok(message) => message,
            Err(error) => {
                self.unreadable += 1;
                if self.unreadable >= MAX_UNREADABLE {
                    return Err(CloseReason::UNREADABLE);
                }
                let id = id_of(&text);
                return Ok(id.map(|id| outgoing::reply(id, &Err(Rejection::Unreadable(error)))));
            }
        };
        self.unreadable = 0;
        let IncomingMessage { id, action } = message;
        let connection = self.admission.connection;
        let message = match action {
            Action::Ping { t, lag } => {
                if let Some(ms) = lag.filter(|_| self.admission.player.is_some()) {
                    // Lags are not important: a busy room does without.
                    let lag = RoomMessage::Lag { connection, ms };
                    let _ = self.handle.sender.try_send(lag);
                }
                return Ok(Some(outgoing::pong(t, self.handle.clock.now())));
            }
            action => RoomMessage::Act {
                connection,
                id,
                action,
            },
        };
        // A room that has ended closes the channel to the client with its reason.
        let _ = self.handle.sender.send(message).await;
        Ok(None)
    }
}

/// The id of a message that cannot be read otherwise.
fn id_of(text: &str) -> Option<u64> {
    #[derive(serde::Deserialize)]
    struct Id {
        id: u64,
    }
    serde_json::from_str::<Id>(text).ok().map(|it| it.id)
}

/// The close reason for a connection that failed.
fn close_reason(error: axum::Error) -> CloseReason {
    let error = error.into_inner().downcast::<tungstenite::Error>();
    match error.as_deref() {
        Ok(tungstenite::Error::Capacity(CapacityError::MessageTooLong { .. })) => {
            CloseReason::TOO_LARGE
        }
        Ok(tungstenite::Error::Protocol(ProtocolError::ResetWithoutClosingHandshake)) => {
            CloseReason::DONE
        }
        Ok(tungstenite::Error::Protocol(_)) => CloseReason::PROTOCOL,
        Ok(tungstenite::Error::Utf8(_)) => CloseReason::NOT_UTF8,
        _ => CloseReason::DONE,
    }
}
