//! Answers as lines of JSON: progress, then the answer; blank lines keep the connection open.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_core::Stream;
use ricochet_service::ErrorKind;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::mpsc;

use crate::http::questions::{FIRST_LINE, status_of};
use crate::queue::dispatcher::{Reply, Ticket, reply};

const KIND: &str = "application/x-ndjson";

/// Whether the client asks for lines.
pub(crate) fn is_wanted(headers: &HeaderMap) -> bool {
    headers
        .get_all(header::ACCEPT)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .any(|value| value.contains(KIND))
}

/// The last line.
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
        Err(wrong) => status_of(wrong.kind),
    };
    let mut response = lines(status, Body::from(last_line(reply)));
    if matches!(&reply.result, Err(wrong) if wrong.kind == ErrorKind::Busy) {
        let soon = HeaderValue::from_static("1");
        response.headers_mut().insert(header::RETRY_AFTER, soon);
    }
    response
}

fn lines(status: StatusCode, body: Body) -> Response {
    let headers = [
        (header::CONTENT_TYPE, KIND),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (status, headers, body).into_response()
}

/// The lines of a question in flight.
pub(crate) async fn of_ticket(mut ticket: Ticket, keep_alive: Duration) -> Response {
    // What ends at once has a status of its own.
    let at_once = tokio::time::timeout(FIRST_LINE, ticket.reply()).await;
    if let Ok(Some(reply)) = at_once
        && reply.result.is_err()
    {
        return of_reply(&reply);
    }
    let (sender, receiver) = mpsc::channel(16);
    tokio::spawn(tell(ticket, sender, keep_alive));
    lines(StatusCode::OK, Body::from_stream(Lines(receiver)))
}

/// Sends lines until the answer is told or nobody listens any more; the ticket goes with it.
async fn tell(mut ticket: Ticket, sender: mpsc::Sender<Bytes>, keep_alive: Duration) {
    let mut tells = true;
    loop {
        let line: String = tokio::select! {
            biased;
            () = sender.closed() => return,
            told = ticket.progress.recv(), if tells => match told {
                Ok(progress) => format!("{{\"progress\":{progress}}}\n"),
                // Progress that came too fast is of no interest any more.
                Err(RecvError::Lagged(_)) => continue,
                Err(RecvError::Closed) => {
                    tells = false;
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

/// Lines as the body of a response.
pub(crate) struct Lines(pub(crate) mpsc::Receiver<Bytes>);

impl Stream for Lines {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context).map(|line| line.map(Ok))
    }
}
