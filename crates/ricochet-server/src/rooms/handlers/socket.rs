//! A WebSocket of a room.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message as Frame, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use tokio::sync::{mpsc, oneshot};

use crate::app::{App, client_of};
use crate::clock;
use crate::rate_limit::{Rate, TokenBucket};
use crate::rooms::hub::{Hub, Place};
use crate::rooms::names;
use crate::rooms::protocol::incoming::{Hello, MOST_BYTES, Message, PROTOCOL, Wish};
use crate::rooms::protocol::outgoing::{self, Close, No};
use crate::rooms::task::message::{Connected, Handle, Letter, Line};

/// How long `hello` may take.
const HELLO: Duration = Duration::from_secs(10);

/// How long one message may take to be sent, and a farewell.
const SENDING: Duration = Duration::from_secs(10);
const FAREWELL: Duration = Duration::from_secs(1);

/// Messages of one connection.
const MESSAGES: Rate = Rate {
    burst: 40.0,
    per_second: 10.0,
};

/// Messages in a row that cannot be read.
const UNREADABLE: u32 = 20;

/// `GET /api/v1/rooms/ROOM/socket`
pub(crate) async fn socket(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
    request: Request,
) -> Response {
    let upgrade = match upgrade {
        Ok(upgrade) => upgrade,
        Err(wrong) => return wrong.into_response(),
    };
    let client = client_of(&request, &app.config);
    let hub = Arc::clone(&app.hub);
    let Some(place) = hub.place(client) else {
        // A browser would not see the status, but one without a place gets no socket either.
        return (StatusCode::SERVICE_UNAVAILABLE, "no place is left\n").into_response();
    };
    upgrade
        .max_message_size(MOST_BYTES)
        .max_frame_size(MOST_BYTES)
        .read_buffer_size(MOST_BYTES)
        .write_buffer_size(0)
        .max_write_buffer_size(1 << 20)
        .on_upgrade(move |socket| serve(hub, name, client, place, socket))
}

async fn serve(hub: Arc<Hub>, name: String, client: IpAddr, place: Place, socket: WebSocket) {
    let (mut sink, mut stream) = socket.split();
    let close = match greet(&hub, &name, &mut stream).await {
        Ok((connected, handle, ends)) => {
            let mut talk = Talk {
                hub: &hub,
                connected: &connected,
                handle: &handle,
                sink: &mut sink,
                stream: &mut stream,
                bucket: TokenBucket::full(MESSAGES, Instant::now()),
                unreadable: 0,
            };
            let close = talk.go_on(ends).await;
            let gone = Letter::Gone {
                connection: connected.connection,
            };
            let _ = handle.sender.send(gone).await;
            close
        }
        Err(close) => close,
    };
    if close.code == Close::FLOOD.code {
        hub.metrics().room_floods.add(1);
        tracing::info!(%client, reason = close.reason, "a connection to a room was closed");
    }
    let farewell = async {
        if close.code < 4000 && close.code != Close::DONE.code && close != Close::ENDING {
            let _ = sink.send(Frame::Text(outgoing::error(close.reason))).await;
        }
        let frame = CloseFrame {
            code: close.code,
            reason: close.reason.into(),
        };
        let _ = sink.send(Frame::Close(Some(frame))).await;
        // The other side answers; what it still says is of no interest.
        while let Some(Ok(_)) = stream.next().await {}
    };
    let _ = tokio::time::timeout(FAREWELL, farewell).await;
    drop(place);
}

/// The ends of the line to a room.
pub(crate) struct Ends {
    pub(crate) out: mpsc::Receiver<Utf8Bytes>,
    pub(crate) kick: oneshot::Receiver<Close>,
}

/// Hears who it is, and connects them.
async fn greet(
    hub: &Hub,
    name: &str,
    stream: &mut SplitStream<WebSocket>,
) -> Result<(Connected, Handle, Ends), Close> {
    let first = tokio::time::timeout(HELLO, stream.next()).await;
    let hello = match first {
        Ok(Some(Ok(Frame::Text(text)))) => Hello::read(&text).map_err(|_| Close::NO_HELLO)?,
        Ok(Some(Err(_))) => return Err(Close::TOO_LARGE),
        Ok(Some(Ok(Frame::Close(_))) | None) => return Err(Close::DONE),
        _ => return Err(Close::NO_HELLO),
    };
    if hello.version != PROTOCOL {
        return Err(Close::NO_HELLO);
    }
    let token = hello.token.as_deref().map(names::hash);
    let line = || line(hub);
    hub.connect(name, token, hello.since, line).await
}

/// A new line with its ends.
pub(crate) fn line(hub: &Hub) -> (Line, Ends) {
    let limits = hub.limits();
    // Room for what somebody who comes back gets at once.
    let (out, received) = mpsc::channel(limits.unread.max(limits.recent + 16));
    let (kick, kicked) = oneshot::channel();
    (
        Line { out, kick },
        Ends {
            out: received,
            kick: kicked,
        },
    )
}

/// A conversation that has begun.
struct Talk<'a> {
    hub: &'a Hub,
    connected: &'a Connected,
    handle: &'a Handle,
    sink: &'a mut SplitSink<WebSocket, Frame>,
    stream: &'a mut SplitStream<WebSocket>,
    bucket: TokenBucket,
    unreadable: u32,
}

impl Talk<'_> {
    /// Until somebody ends it; why.
    async fn go_on(&mut self, mut ends: Ends) -> Close {
        let mut ending = self.hub.ending();
        let silence = self.hub.limits().silence;
        let mut heard = tokio::time::Instant::now();
        loop {
            let next = tokio::select! {
                biased;
                kicked = &mut ends.kick => {
                    let close = kicked.unwrap_or(Close::MISTAKE);
                    self.send_rest(close, ends.out).await;
                    return close;
                }
                () = async { drop(ending.wait_for(|ended| *ended).await) } => return Close::ENDING,
                frame = self.stream.next() => {
                    heard = tokio::time::Instant::now();
                    self.hear(frame).await
                }
                text = ends.out.recv() => match text {
                    Some(text) => Ok(Some(text)),
                    // The room has ended; it says why.
                    None => return ends.kick.await.unwrap_or(Close::MISTAKE),
                },
                () = tokio::time::sleep_until(heard + silence) => Err(Close::SILENT),
            };
            let text = match next {
                Ok(None) => continue,
                Ok(Some(text)) => text,
                Err(close) => return close,
            };
            let sending = tokio::time::timeout(SENDING, self.sink.send(Frame::Text(text)));
            tokio::select! {
                biased;
                sent = sending => match sent {
                    Ok(Ok(())) => {}
                    Ok(Err(_)) => return Close::DONE,
                    Err(_) => return Close::SLOW,
                },
                kicked = &mut ends.kick => return kicked.unwrap_or(Close::MISTAKE),
            }
        }
    }

    /// Whoever is sent away for another reason than slowness hears what came before it.
    async fn send_rest(&mut self, close: Close, mut out: mpsc::Receiver<Utf8Bytes>) {
        let rest = async {
            while let Ok(text) = out.try_recv() {
                if self.sink.send(Frame::Text(text)).await.is_err() {
                    break;
                }
            }
        };
        if close != Close::SLOW {
            let _ = tokio::time::timeout(FAREWELL, rest).await;
        }
    }

    /// Takes what the client said; something to be sent back at once.
    async fn hear(
        &mut self,
        frame: Option<Result<Frame, axum::Error>>,
    ) -> Result<Option<Utf8Bytes>, Close> {
        let frame = match frame {
            None | Some(Ok(Frame::Close(_))) => return Err(Close::DONE),
            Some(Err(error)) => return Err(why(&error)),
            Some(Ok(frame)) => frame,
        };
        if !self.bucket.take(MESSAGES, Instant::now()) {
            return Err(Close::FLOOD);
        }
        let text = match frame {
            Frame::Text(text) => text,
            Frame::Ping(_) | Frame::Pong(_) => return Ok(None),
            _ => Utf8Bytes::from_static(""),
        };
        let message = match Message::read(&text) {
            Ok(message) => message,
            Err(wrong) => {
                self.unreadable += 1;
                if self.unreadable >= UNREADABLE {
                    return Err(Close::UNREADABLE);
                }
                let id = id_of(&text);
                return Ok(id.map(|id| outgoing::reply(id, &Err(No::Unreadable(wrong)))));
            }
        };
        self.unreadable = 0;
        let Message { id, wish } = message;
        let connection = self.connected.connection;
        let letter = match wish {
            Wish::Ping { t, lag } => {
                if let Some(ms) = lag.filter(|_| self.connected.player.is_some()) {
                    // It is of no importance: a busy room does without.
                    let lag = Letter::Lag { connection, ms };
                    let _ = self.handle.sender.try_send(lag);
                }
                return Ok(Some(outgoing::pong(t, clock::time())));
            }
            wish => Letter::Wish {
                connection,
                id,
                wish,
            },
        };
        // A room that takes no letters any more says why on the line.
        let _ = self.handle.sender.send(letter).await;
        Ok(None)
    }
}

/// The number of a message that makes no sense otherwise.
fn id_of(text: &str) -> Option<u64> {
    #[derive(serde::Deserialize)]
    struct Id {
        id: u64,
    }
    serde_json::from_str::<Id>(text).ok().map(|it| it.id)
}

/// Why a connection broke.
fn why(error: &axum::Error) -> Close {
    // The library has no type for it here that axum would show.
    if error.to_string().contains("too long") {
        return Close::TOO_LARGE;
    }
    Close::DONE
}
