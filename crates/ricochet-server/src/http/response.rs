//! Requests and responses with JSON, errors, and entity tags.

use std::fmt::Write;
use std::hash::{DefaultHasher, Hasher};

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use http_body_util::LengthLimitError;
use ricochet_service::json::make_whole;
use ricochet_service::{Answer, Error, ErrorKind};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::config::Config;
use crate::queue::dispatcher::Reply;

/// The media type of streams: one JSON object per line.
pub(crate) const NDJSON: &str = "application/x-ndjson";

/// What a handler returns.
pub(crate) type ApiResult = Result<Response, ApiError>;

/// An error as a response.
#[derive(Debug)]
pub(crate) struct ApiError {
    status: StatusCode,
    json: String,
    /// After how many seconds to try again.
    retry_after: Option<u64>,
}

impl ApiError {
    /// An error with a status other than the usual one of its kind.
    pub(crate) fn new(status: StatusCode, error: &Error) -> Self {
        let json = serde_json::json!({ "error": error }).to_string();
        Self::with_json(status, json)
    }

    /// An error with its own body.
    pub(crate) fn with_json(status: StatusCode, json: String) -> Self {
        Self {
            status,
            json,
            retry_after: None,
        }
    }

    pub(crate) fn retry_after(self, seconds: u64) -> Self {
        Self {
            retry_after: Some(seconds),
            ..self
        }
    }

    /// Refuses a request for some seconds.
    pub(crate) fn busy(seconds: u64) -> Self {
        let message = "too many questions at once: ask again later";
        let error = Error::new(ErrorKind::Busy, message);
        Self::new(StatusCode::SERVICE_UNAVAILABLE, &error).retry_after(seconds)
    }

    /// Nothing was stored, since the disk is full.
    pub(crate) fn disk_full() -> Self {
        let message = "the server's disk is full: nothing was stored";
        let error = Error::new(ErrorKind::Internal, message);
        Self::new(StatusCode::INSUFFICIENT_STORAGE, &error).retry_after(600)
    }

    pub(crate) fn bad_request(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::BadRequest, message).into()
    }

    /// Refuses a request that does not fit its schema.
    pub(crate) fn malformed(message: impl Into<String>) -> Self {
        Error::malformed(message).into()
    }

    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::NotFound, message).into()
    }

    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Internal, message).into()
    }
}

impl From<&Error> for ApiError {
    fn from(error: &Error) -> Self {
        match error.kind {
            ErrorKind::Busy => Self::new(status_of(error.kind), error).retry_after(1),
            kind => Self::new(status_of(kind), error),
        }
    }
}

impl From<Error> for ApiError {
    fn from(error: Error) -> Self {
        Self::from(&error)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = no_store(self.status, "application/json", self.json);
        if let Some(seconds) = self.retry_after {
            let seconds = HeaderValue::from(seconds);
            response.headers_mut().insert(header::RETRY_AFTER, seconds);
        }
        response
    }
}

/// The usual status of an error.
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

/// The answer in a reply.
pub(crate) fn answer_in(reply: &Reply) -> Result<&Answer, ApiError> {
    reply.result.as_ref().map_err(|error| {
        let mut error = ApiError::from(error);
        error.retry_after = error.retry_after.map(|_| reply.retry_after);
        error
    })
}

/// A response of JSON that must not be cached.
pub(crate) fn json_response(status: StatusCode, value: &impl Serialize) -> Response {
    let json = serde_json::to_string(value).unwrap_or_default();
    no_store(status, "application/json", json)
}

/// A response that must not be cached.
pub(crate) fn no_store(status: StatusCode, kind: &'static str, body: impl Into<Body>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (status, headers, body.into()).into_response()
}

/// Reads the fields of a request from its JSON body.
pub(crate) async fn read_fields<T: DeserializeOwned>(
    config: &Config,
    request: Request,
) -> Result<T, ApiError> {
    let (parts, body) = request.into_parts();
    let bytes = read_body(config, &parts.headers, body).await?;
    let bad = |error: serde_json::Error| ApiError::malformed(error.to_string());
    let mut fields: Value = serde_json::from_slice(&bytes).map_err(bad)?;
    // Serde would read a list as the values of the fields in order.
    if !fields.is_object() {
        return Err(ApiError::malformed("expected an object"));
    }
    if fields["options"].is_array() {
        return Err(ApiError::malformed("options: expected an object"));
    }
    if make_whole(&mut fields) {
        return serde_json::from_value(fields).map_err(bad);
    }
    // The bytes, for errors with a place, and since a field may be there twice.
    serde_json::from_slice(&bytes).map_err(bad)
}

/// Reads the bytes of a JSON body, within the limits of size and time.
pub(crate) async fn read_body(
    config: &Config,
    headers: &HeaderMap,
    body: Body,
) -> Result<Bytes, ApiError> {
    let kind = headers.get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let is_json = kind.split(';').next().map(str::trim) == Some("application/json");
    if !is_json {
        let message = "expected the content type application/json";
        let error = Error::new(ErrorKind::BadRequest, message);
        return Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, &error));
    }
    let declared = headers.get(header::CONTENT_LENGTH);
    let declared = declared.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if declared.is_some_and(|length| length > config.max_body as u64) {
        return Err(too_large(config));
    }
    match tokio::time::timeout(config.request_timeout, to_bytes(body, config.max_body)).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(error)) if is_too_long(&error) => Err(too_large(config)),
        Ok(Err(_)) => Err(ApiError::bad_request("the body cannot be read")),
        Err(_) => {
            let error = Error::new(ErrorKind::BadRequest, "the body did not arrive in time");
            Err(ApiError::new(StatusCode::REQUEST_TIMEOUT, &error))
        }
    }
}

fn too_large(config: &Config) -> ApiError {
    let message = format!("the body has more than {} bytes", config.max_body);
    Error::new(ErrorKind::TooLarge, message).into()
}

/// Whether reading a body failed because of the limit, and not because of the client.
fn is_too_long(error: &axum::Error) -> bool {
    std::error::Error::source(error).is_some_and(<dyn std::error::Error>::is::<LengthLimitError>)
}

/// A strong entity tag: equal bytes have equal tags, and different bytes different tags.
pub(crate) fn entity_tag(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    for salt in [1u8, 2] {
        let mut hasher = DefaultHasher::new();
        hasher.write_u8(salt);
        hasher.write(bytes);
        let _ = write!(text, "{:016x}", hasher.finish());
    }
    text.push('"');
    text
}

/// Whether the client already has the content with this tag.
pub(crate) fn has_current(headers: &HeaderMap, tag: &str) -> bool {
    headers
        .get_all(header::IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(str::trim)
        // Proxies that compress mark tags as weak; for this header, weak tags are compared as well.
        .any(|given| given == "*" || given.strip_prefix("W/").unwrap_or(given) == tag)
}
