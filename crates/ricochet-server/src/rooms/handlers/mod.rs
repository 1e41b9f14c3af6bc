//! The routes of rooms, and what they share.

pub(crate) mod bots;
pub(crate) mod lobby;
pub(crate) mod qr;
pub(crate) mod review;
pub(crate) mod socket;

use axum::extract::Request;
use axum::http::{StatusCode, header};
use ricochet_service::{Error, ErrorKind};

use crate::app::{App, client_of};
use crate::http::response::ApiError;
use crate::rate_limit::RateLimiter;
use crate::rooms::hub::HubError;
use crate::rooms::names::{self, TokenHash};
use crate::rooms::protocol::outgoing::{CloseReason, Rejection};

impl From<HubError> for ApiError {
    fn from(error: HubError) -> Self {
        match error {
            HubError::NoRoom => Self::not_found("there is no such room"),
            HubError::Full | HubError::Closed(CloseReason::FULL) => Self::busy(60),
            HubError::DiskFull | HubError::Closed(CloseReason::DISK_FULL) => Self::disk_full(),
            HubError::Options(error) => Self::bad_request(format!("options: {error}")),
            HubError::UnknownToken
            | HubError::Closed(CloseReason::BAD_TOKEN | CloseReason::NO_SEAT) => {
                let message =
                    "expected the token of a player of this room: Authorization: Bearer TOKEN";
                let error = Error::new(ErrorKind::BadRequest, message);
                Self::new(StatusCode::UNAUTHORIZED, &error)
            }
            HubError::Broken | HubError::Closed(_) => Self::internal("the room cannot be used now"),
            HubError::Rejected(Rejection::TooFast) => too_fast(2),
            HubError::Rejected(rejection) => {
                Self::with_json(StatusCode::CONFLICT, rejection.json())
            }
        }
    }
}

fn too_fast(seconds: u64) -> ApiError {
    let error = Error::new(ErrorKind::Busy, "too many requests: wait a moment");
    ApiError::new(StatusCode::TOO_MANY_REQUESTS, &error).retry_after(seconds)
}

/// Counts a request against a rate limit.
pub(crate) fn limit(limiter: &RateLimiter, app: &App, request: &Request) -> Result<(), ApiError> {
    let client = client_of(request, &app.config);
    limiter
        .take(client, app.config.clock.instant())
        .map_err(too_fast)
}

/// The path and fragment at which people enter a room.
fn link(room: &str) -> String {
    format!("/#room={room}")
}

/// The hash of the token of a request, if it has one.
pub(crate) fn bearer_token(request: &Request) -> Option<TokenHash> {
    bearer_text(request).map(names::hash_token)
}

/// The token of a request, if it has one.
pub(crate) fn bearer_text(request: &Request) -> Option<&str> {
    let value = request.headers().get(header::AUTHORIZATION)?;
    let (kind, text) = value.to_str().ok()?.split_once(' ')?;
    kind.eq_ignore_ascii_case("bearer").then(|| text.trim())
}

/// A plain value in the query of a request.
fn query_value<'a>(request: &'a Request, name: &str) -> Option<&'a str> {
    let fields = request.uri().query()?.split('&');
    let mut fields = fields.filter_map(|field| field.split_once('='));
    fields.find(|(key, _)| *key == name).map(|(_, value)| value)
}
