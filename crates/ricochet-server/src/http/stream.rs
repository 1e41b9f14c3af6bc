//! Answers as lines of JSON: progress, then the answer; blank lines keep the connection open.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_core::Stream;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::mpsc;

use crate::http::response::{NDJSON, no_store, status_of};
use crate::queue::dispatcher::{Reply, Ticket, reply};

/// How long a stream waits for its first line, so that an early error gets its own status.
const FIRST_LINE: Duration = Duration::from_millis(200);

/// Whether the client accepts a stream of lines.
pub(crate) fn is_requested(headers: &HeaderMap) -> bool {
    headers
        .get_all(header::ACCEPT)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .any(|value| value.contains(NDJSON))
}

/// The line with the answer or the error.
fn last_line(reply: &Reply) -> String {
    match &reply.result {
        Ok(_) => format!("{{\"answer\":{}}}\n", reply.json),
        Err(_) => format!("{}\n", reply.json),
    }
}

/// A stream of one line.
pub(crate) fn of_reply(reply: &Reply) -> Response {
    let status = match &reply.result {
        Ok(_) => StatusCode::OK,
        Err(error) => status_of(error.kind),
    };
    let mut response = no_store(status, NDJSON, last_line(reply));
    if status == StatusCode::SERVICE_UNAVAILABLE {
        let seconds = HeaderValue::from(reply.retry_after);
        response.headers_mut().insert(header::RETRY_AFTER, seconds);
    }
    response
}

/// The lines of a question in flight.
pub(crate) async fn of_ticket(mut ticket: Ticket, keep_alive: Duration) -> Response {
    let early = tokio::time::timeout(FIRST_LINE, ticket.reply()).await;
    if let Ok(Some(reply)) = early
        && reply.result.is_err()
    {
        return of_reply(&reply);
    }
    let (sender, receiver) = mpsc::channel(16);
    tokio::spawn(send_lines(ticket, sender, keep_alive));
    Lines(receiver).into_response()
}

/// Sends lines until the answer is sent or the client has disconnected, and then drops the ticket.
async fn send_lines(mut ticket: Ticket, sender: mpsc::Sender<Bytes>, keep_alive: Duration) {
    let mut has_progress = true;
    loop {
        let line: String = tokio::select! {
            biased;
            () = sender.closed() => return,
            received = ticket.progress.recv(), if has_progress => match received {
                Ok(progress) => format!("{{\"progress\":{progress}}}\n"),
                // Only the latest progress matters.
                Err(RecvError::Lagged(_)) => continue,
                Err(RecvError::Closed) => {
                    has_progress = false;
                    continue;
                }
            },
            reply = reply(&mut ticket.done) => {
                if let Some(reply) = reply {
                    let _ = sender.send(last_line(&reply).into()).await;
                }
                return;
            }
            () = tokio::time::sleep(keep_alive) => "\n".to_owned(),
        };
        if sender.send(line.into()).await.is_err() {
            return;
        }
    }
}

/// A response of lines that are received from a channel.
pub(crate) struct Lines(pub(crate) mpsc::Receiver<Bytes>);

impl IntoResponse for Lines {
    fn into_response(self) -> Response {
        no_store(StatusCode::OK, NDJSON, Body::from_stream(self))
    }
}

impl Stream for Lines {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context).map(|line| line.map(Ok))
    }
}
