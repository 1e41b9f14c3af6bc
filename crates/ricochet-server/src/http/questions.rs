//! The questions over HTTP.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use ricochet_service::questions::daily::Daily;
use ricochet_service::{Answer, Error, ErrorKind, QUESTIONS, Request as Question};

use crate::app::{App, client_of};
use crate::http::caching;
use crate::http::stream;
use crate::queue::dispatcher::{Dispatch, Reply};

/// How long caches may keep an answer that never changes.
const LASTING: &str = "public, max-age=604800";

/// `GET` and `POST /api/v1/QUESTION`.
pub(crate) async fn question(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    request: Request,
) -> Response {
    // `draw.svg` is the picture itself.
    let (name, picture) = match name.split_once('.') {
        Some(("draw", kind)) => ("draw", Some(kind.to_owned())),
        _ => (name.as_str(), None),
    };
    let Some(info) = QUESTIONS.iter().find(|info| info.name == name) else {
        let known: Vec<&str> = QUESTIONS.iter().map(|info| info.name).collect();
        let message = format!(
            "there is no such question: expected one of {}",
            known.join(", ")
        );
        return error(
            StatusCode::NOT_FOUND,
            &Error::new(ErrorKind::NotFound, message),
        );
    };
    let client = client_of(&request, &app.config);
    let (parts, body) = request.into_parts();
    let fields = if parts.method == Method::POST {
        match body_of(&app, &parts.headers, body).await {
            Ok(fields) => fields,
            Err(response) => return response,
        }
    } else {
        let query = parts.uri.query().unwrap_or_default();
        match app.fields.read(info.name, query) {
            Ok(fields) => fields,
            Err(wrong) => return failed(&wrong),
        }
    };
    let mut fields = fields;
    if let (Some(kind), Some(fields)) = (&picture, fields.as_object_mut()) {
        fields.insert("kind".to_owned(), kind.clone().into());
    }
    let asked = match Question::named(info.name, fields) {
        Ok(asked) => asked,
        Err(wrong) => return failed(&wrong),
    };
    let get = parts.method != Method::POST;
    let dispatch = app.dispatcher.submit(asked, client);
    if stream::is_wanted(&parts.headers) {
        return match dispatch {
            Dispatch::Cached(reply) => stream::of_reply(&reply),
            Dispatch::Pending(ticket) => stream::of_ticket(ticket, app.config.keep_alive).await,
            Dispatch::Refused(seconds) => busy(seconds),
        };
    }
    match dispatch.reply().await {
        Ok(reply) => answered(&reply, &parts.headers, get, picture.is_some()),
        Err(seconds) => busy(seconds),
    }
}

/// `GET /api/v1/puzzle/daily`: today's puzzle.
pub(crate) async fn today(State(app): State<Arc<App>>, request: Request) -> Response {
    let date = crate::clock::today();
    daily(app, date, request, "no-cache").await
}

/// `GET /api/v1/puzzle/daily/DATE`.
pub(crate) async fn day(
    State(app): State<Arc<App>>,
    Path(date): Path<String>,
    request: Request,
) -> Response {
    daily(app, date, request, LASTING).await
}

async fn daily(app: Arc<App>, date: String, request: Request, caching: &'static str) -> Response {
    let client = client_of(&request, &app.config);
    let question = Question::Daily(Daily { date });
    match app.dispatcher.submit(question, client).reply().await {
        Ok(reply) => {
            let mut response = answered(&reply, request.headers(), true, false);
            if response.status().is_success() || response.status() == StatusCode::NOT_MODIFIED {
                let value = header::HeaderValue::from_static(caching);
                response.headers_mut().insert(header::CACHE_CONTROL, value);
            }
            response
        }
        Err(seconds) => busy(seconds),
    }
}

/// The JSON of a request's body.
async fn body_of(
    app: &App,
    headers: &HeaderMap,
    body: Body,
) -> Result<serde_json::Value, Response> {
    let bytes = read_body(app, headers, body).await?;
    if bytes.is_empty() {
        return Ok(serde_json::json!({}));
    }
    serde_json::from_slice(&bytes).map_err(|wrong| {
        failed(&Error::new(
            ErrorKind::BadRequest,
            format!("the body is not JSON: {wrong}"),
        ))
    })
}

/// The bytes of a JSON body: not too many, and not too slowly.
pub(crate) async fn read_body(
    app: &App,
    headers: &HeaderMap,
    body: Body,
) -> Result<axum::body::Bytes, Response> {
    let kind = headers.get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let is_json = kind.split(';').next().map(str::trim) == Some("application/json");
    if !is_json {
        return Err(error(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            &Error::new(
                ErrorKind::BadRequest,
                "expected the content type application/json",
            ),
        ));
    }
    match tokio::time::timeout(
        app.config.request_timeout,
        to_bytes(body, app.config.max_body),
    )
    .await
    {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(_)) => Err(failed(&Error::new(
            ErrorKind::TooLarge,
            format!("the body has more than {} bytes", app.config.max_body),
        ))),
        Err(_) => Err(error(
            StatusCode::REQUEST_TIMEOUT,
            &Error::new(ErrorKind::BadRequest, "the body did not arrive in time"),
        )),
    }
}

fn answered(reply: &Reply, headers: &HeaderMap, get: bool, raw: bool) -> Response {
    let answer = match &reply.result {
        Ok(answer) => answer,
        Err(wrong) => return failed(wrong),
    };
    let (kind, bytes) = match answer {
        Answer::Draw(picture) if raw => (picture.media_type, picture.bytes().unwrap_or_default()),
        _ => ("application/json", reply.json.clone().into_bytes()),
    };
    if !(get && reply.cacheable) {
        let headers = [
            (header::CONTENT_TYPE, kind),
            (header::CACHE_CONTROL, "no-store"),
        ];
        return (headers, bytes).into_response();
    }
    let tag = caching::tag(&bytes);
    let mut response = if caching::is_current(headers, &tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        ([(header::CONTENT_TYPE, kind)], bytes).into_response()
    };
    let headers = response.headers_mut();
    if let Ok(tag) = header::HeaderValue::from_str(&tag) {
        headers.insert(header::ETAG, tag);
    }
    let lasting = header::HeaderValue::from_static(LASTING);
    headers.insert(header::CACHE_CONTROL, lasting);
    response
}

/// The status of an error.
pub(crate) fn status_of(kind: ErrorKind) -> StatusCode {
    match kind {
        ErrorKind::BadRequest => StatusCode::BAD_REQUEST,
        ErrorKind::Unreadable | ErrorKind::Invalid | ErrorKind::Unsupported => {
            StatusCode::UNPROCESSABLE_ENTITY
        }
        ErrorKind::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        ErrorKind::NotFound => StatusCode::NOT_FOUND,
        ErrorKind::Busy => StatusCode::SERVICE_UNAVAILABLE,
        ErrorKind::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// The response to an error.
pub(crate) fn failed(wrong: &Error) -> Response {
    let status = status_of(wrong.kind);
    if status == StatusCode::SERVICE_UNAVAILABLE {
        return busy(1);
    }
    error(status, wrong)
}

/// A refusal that says when to come again.
pub(crate) fn busy(seconds: u64) -> Response {
    let wrong = Error::new(
        ErrorKind::Busy,
        "too many questions at once: ask again later",
    );
    let mut response = error(StatusCode::SERVICE_UNAVAILABLE, &wrong);
    response
        .headers_mut()
        .insert(header::RETRY_AFTER, header::HeaderValue::from(seconds));
    response
}

/// An error with a status of its own.
pub(crate) fn error(status: StatusCode, wrong: &Error) -> Response {
    let json = serde_json::json!({ "error": wrong }).to_string();
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (status, headers, json).into_response()
}

/// How long the first line of a stream may let its status wait.
pub(crate) const FIRST_LINE: Duration = Duration::from_millis(200);
