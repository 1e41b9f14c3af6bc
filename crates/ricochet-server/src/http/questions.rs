//! The questions over HTTP.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use ricochet_service::questions::daily::Daily;
use ricochet_service::{Answer, Error, ErrorKind, QUESTIONS, Request as Question};

use crate::app::{App, client_of};
use crate::config::Config;
use crate::http::response::{
    ApiError, ApiResult, answer_in, entity_tag, has_current, no_store, read_body,
};
use crate::http::stream;
use crate::queue::dispatcher::{Dispatch, Reply};

/// How long caches may keep an answer that never changes.
const ONE_WEEK: &str = "public, max-age=604800";

/// `GET` and `POST /api/v1/QUESTION`. A picture has only `GET`, a question with a large field only `POST`.
pub(crate) async fn question(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    request: Request,
) -> ApiResult {
    // `draw.svg` is the picture itself.
    let (name, picture) = match name.split_once('.') {
        Some(("draw", kind)) => ("draw", Some(kind.to_owned())),
        _ => (name.as_str(), None),
    };
    let Some(info) = QUESTIONS.iter().find(|info| info.name == name) else {
        let known: Vec<&str> = QUESTIONS.iter().map(|info| info.name).collect();
        let known = known.join(", ");
        let message = format!("there is no such question: expected one of {known}");
        return Err(ApiError::not_found(message));
    };
    let client = client_of(&request, &app.config);
    let (parts, body) = request.into_parts();
    let is_get = [Method::GET, Method::HEAD].contains(&parts.method);
    let (has_get, has_post) = (app.fields.can_ask(info.name), picture.is_none());
    if !(is_get && has_get || parts.method == Method::POST && has_post) {
        let allowed = match (has_get, has_post) {
            (true, true) => "GET,HEAD,POST",
            (true, false) => "GET,HEAD",
            (false, _) => "POST",
        };
        return Ok(other_method(allowed));
    }
    let mut fields = if is_get {
        let query = parts.uri.query().unwrap_or_default();
        app.fields.read(info.name, query)?
    } else {
        read_json(&app.config, &parts.headers, body).await?
    };
    if let (Some(kind), Some(fields)) = (&picture, fields.as_object_mut()) {
        fields.insert("kind".to_owned(), kind.clone().into());
    }
    let question = Question::named(info.name, fields)?;
    let dispatch = app.dispatcher.submit(question, client);
    if stream::is_requested(&parts.headers) {
        return match dispatch {
            Dispatch::Cached(reply) => Ok(stream::of_reply(&reply)),
            Dispatch::Pending(ticket) => Ok(stream::of_ticket(ticket, app.config.keep_alive).await),
            Dispatch::Refused(seconds) => Err(ApiError::busy(seconds)),
        };
    }
    let reply = dispatch.reply().await.map_err(ApiError::busy)?;
    answer_response(&reply, &parts.headers, is_get, picture.is_some())
}

fn other_method(allowed: &'static str) -> Response {
    let error = Error::new(
        ErrorKind::BadRequest,
        "this address needs another HTTP method",
    );
    let response = ApiError::new(StatusCode::METHOD_NOT_ALLOWED, &error).into_response();
    ([(header::ALLOW, allowed)], response).into_response()
}

/// `GET /api/v1/puzzle/daily`: today's puzzle.
pub(crate) async fn today(State(app): State<Arc<App>>, request: Request) -> ApiResult {
    let today = app.config.clock.today();
    daily(app, today, request, "no-cache").await
}

/// `GET /api/v1/puzzle/daily/DATE`.
pub(crate) async fn day(
    State(app): State<Arc<App>>,
    Path(date): Path<String>,
    request: Request,
) -> ApiResult {
    daily(app, date, request, ONE_WEEK).await
}

async fn daily(
    app: Arc<App>,
    date: String,
    request: Request,
    cache_control: &'static str,
) -> ApiResult {
    let client = client_of(&request, &app.config);
    let question = Question::Daily(Daily { date });
    let dispatch = app.dispatcher.submit(question, client);
    let reply = dispatch.reply().await.map_err(ApiError::busy)?;
    let mut response = answer_response(&reply, request.headers(), true, false)?;
    let value = HeaderValue::from_static(cache_control);
    response.headers_mut().insert(header::CACHE_CONTROL, value);
    Ok(response)
}

/// Reads the JSON of a request's body; an empty body has no fields.
async fn read_json(
    config: &Config,
    headers: &HeaderMap,
    body: Body,
) -> Result<serde_json::Value, ApiError> {
    let bytes = read_body(config, headers, body).await?;
    if bytes.is_empty() {
        return Ok(serde_json::json!({}));
    }
    serde_json::from_slice(&bytes)
        .map_err(|error| ApiError::malformed(format!("the body is not JSON: {error}")))
}

/// An answer as JSON, or a picture itself.
fn answer_response(reply: &Reply, headers: &HeaderMap, is_get: bool, raw: bool) -> ApiResult {
    let (kind, bytes) = match answer_in(reply)? {
        Answer::Draw(picture) if raw => (picture.media_type, picture.bytes().unwrap_or_default()),
        _ => ("application/json", reply.json.clone().into_bytes()),
    };
    if !(is_get && reply.cacheable) {
        return Ok(no_store(StatusCode::OK, kind, bytes));
    }
    let tag = entity_tag(&bytes);
    let mut response = if has_current(headers, &tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        ([(header::CONTENT_TYPE, kind)], bytes).into_response()
    };
    let headers = response.headers_mut();
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(header::ETAG, tag);
    }
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(ONE_WEEK));
    Ok(response)
}
