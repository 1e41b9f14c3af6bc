//! What players submit over HTTP: results of the daily puzzle, puzzles to save, attempts.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use ricochet_core::notation;
use ricochet_service::json::{DATE_PATTERN, MoveList};
use ricochet_service::questions::check::{Check, CheckAnswer};
use ricochet_service::questions::daily::{self, Daily};
use ricochet_service::questions::formats::Read;
use ricochet_service::{Answer, Error, ErrorKind, Request as Question};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::app::{App, client_of};
use crate::http::response::{ApiError, ApiResult, answer_in, json_response, read_fields};
use crate::http::stream::Lines;
use crate::rooms::handlers::{bearer_text, bearer_token, limit};
use crate::rooms::names::{self, hash_token};
use crate::store::{Attempt, DayResult, DaySummary, OwnResult, SavedPuzzle, Store, StoreError};

/// How many rows of an export are read at once.
const PAGE: u32 = 1_000;

/// A result of the daily puzzle, as the page sends it.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewResult {
    /// The day, as `2026-11-17`.
    #[schemars(extend("format" = "date", "pattern" = DATE_PATTERN))]
    date: String,
    /// A random key of the player's browser, which identifies nobody.
    #[schemars(length(min = 8, max = 64), pattern("^[A-Za-z0-9_-]+$"))]
    player: String,
    /// The moves, which have to solve the puzzle.
    moves: MoveList,
    /// How long it took, in milliseconds.
    #[schemars(range(max = MAX_MS))]
    ms: u64,
    /// How many hints were taken.
    #[serde(default)]
    #[schemars(range(max = MAX_HINTS))]
    hints: u32,
}

/// A result that was stored, and a summary of that day.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ResultResponse {
    /// The moves of this result.
    length: u32,
    /// The fewest moves possible.
    optimal: u32,
    /// The results of all players.
    day: DaySummary,
}

/// The results of one player.
#[derive(Serialize, JsonSchema)]
pub(crate) struct OwnResults {
    /// By date.
    results: Vec<OwnResult>,
}

/// A puzzle to be saved, or what replaces a saved one.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewPuzzle {
    /// The puzzle in any format.
    #[schemars(length(min = 1))]
    puzzle: String,
    /// Its title.
    #[serde(default)]
    #[schemars(length(max = 200))]
    title: String,
    /// Whether everybody sees it in the list.
    #[serde(default)]
    listed: bool,
}

/// A puzzle that was saved.
#[derive(Serialize, JsonSchema)]
pub(crate) struct PuzzleResponse {
    /// Its random name. Anyone who knows it can read the puzzle.
    id: String,
    /// The puzzle in our one-line notation.
    line: String,
    /// Allows changing and deleting the puzzle, as `Authorization: Bearer SECRET`. It is not shown
    /// again.
    secret: String,
}

/// The saved puzzles that everybody may see.
#[derive(Serialize, JsonSchema)]
pub(crate) struct SavedPuzzles {
    /// The latest first, at most 100.
    puzzles: Vec<SavedPuzzle>,
}

/// An attempt at a puzzle.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewAttempt {
    /// Whether the player agreed to store it; must be true.
    #[schemars(extend("const" = true))]
    consent: bool,
    /// The puzzle in any format.
    #[schemars(length(min = 1))]
    puzzle: String,
    /// The moves, whether or not they solve it: at most 1,000.
    #[schemars(extend("maxItems" = MAX_ATTEMPT_MOVES))]
    moves: MoveList,
    /// How long it took, in milliseconds.
    #[schemars(range(max = MAX_MS))]
    ms: u64,
    /// How many hints were taken.
    #[serde(default)]
    #[schemars(range(max = MAX_HINTS))]
    hints: u32,
}

/// An attempt that was stored.
#[derive(Serialize, JsonSchema)]
pub(crate) struct AttemptResponse {
    /// Its number.
    id: i64,
    /// Whether the moves solve the puzzle.
    solved: bool,
}

/// A hundred days in milliseconds: an upper bound that fits into the database.
const MAX_MS: u64 = 8_640_000_000;
const MAX_HINTS: u32 = 1_000_000;
const MAX_ATTEMPT_MOVES: usize = 1_000;

/// `POST /api/v1/results`
pub(crate) async fn add_result(State(app): State<Arc<App>>, request: Request) -> ApiResult {
    let client = client_of(&request, &app.config);
    limit(&app.submit_limit, &app, &request)?;
    let new: NewResult = read_fields(&app.config, request).await?;
    if !is_player_key(&new.player) {
        let message = "player: expected 8 to 64 letters, digits, '-' or '_'";
        return Err(ApiError::malformed(message));
    }
    if new.ms > MAX_MS || new.hints > MAX_HINTS {
        return Err(ApiError::malformed("ms or hints is too large"));
    }
    let daily = Question::Daily(Daily {
        date: new.date.clone(),
    });
    let Answer::Daily(day) = answer(&app, daily, client).await? else {
        return Err(wrong_answer());
    };
    let line = day.puzzle.line.unwrap_or_default();
    let checked = check(&app, line, new.moves.clone(), client).await?;
    if !checked.solves {
        let reason = checked.reason.unwrap_or_default();
        let message = format!("the moves do not solve the puzzle: {reason}");
        return Err(ApiError::bad_request(message));
    }
    let result = DayResult {
        date: new.date,
        player: new.player,
        moves: text_of(&new.moves),
        length: checked.length as u32,
        ms: new.ms,
        hints: new.hints,
    };
    let (length, optimal) = (result.length, day.optimal);
    let day = with_store(&app, move |store| {
        store.add_result(&result)?;
        store.day(&result.date)
    })
    .await?;
    let saved = ResultResponse {
        length,
        optimal,
        day,
    };
    Ok(json_response(StatusCode::CREATED, &saved))
}

/// `GET /api/v1/results/DATE`
pub(crate) async fn day(State(app): State<Arc<App>>, Path(date): Path<String>) -> ApiResult {
    daily::check_date(&date)?;
    let summary = with_store(&app, move |store| store.day(&date)).await?;
    Ok(json_response(StatusCode::OK, &summary))
}

/// `GET /api/v1/results/mine`, with the key of the player.
pub(crate) async fn own_results(State(app): State<Arc<App>>, request: Request) -> ApiResult {
    limit(&app.hub.read_limit, &app, &request)?;
    let player = player_of(&request)?;
    let results = with_store(&app, move |store| store.results_of(&player)).await?;
    Ok(json_response(StatusCode::OK, &OwnResults { results }))
}

/// `DELETE /api/v1/results/mine`, with the key of the player.
pub(crate) async fn delete_own_results(State(app): State<Arc<App>>, request: Request) -> ApiResult {
    limit(&app.submit_limit, &app, &request)?;
    let player = player_of(&request)?;
    with_store(&app, move |store| store.delete_results_of(&player)).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// `POST /api/v1/puzzles`
pub(crate) async fn save_puzzle(State(app): State<Arc<App>>, request: Request) -> ApiResult {
    let client = client_of(&request, &app.config);
    limit(&app.save_limit, &app, &request)?;
    let new: NewPuzzle = read_fields(&app.config, request).await?;
    let id = names::new_puzzle_name().map_err(|_| no_randomness())?;
    let puzzle = puzzle_of(&app, id, new, client).await?;
    let secret = new_secret()?;
    let response = PuzzleResponse {
        id: puzzle.id.clone(),
        line: puzzle.line.clone(),
        secret: secret.clone(),
    };
    let age = app.store.age(&app.config.clock);
    let secret = hash_token(&secret);
    with_store(&app, move |store| store.save_puzzle(&puzzle, &secret, age)).await?;
    Ok(json_response(StatusCode::CREATED, &response))
}

/// `GET /api/v1/puzzles`
pub(crate) async fn puzzles(State(app): State<Arc<App>>) -> ApiResult {
    let puzzles = with_store(&app, Store::puzzles).await?;
    Ok(json_response(StatusCode::OK, &SavedPuzzles { puzzles }))
}

/// `GET /api/v1/puzzles/ID`
pub(crate) async fn puzzle(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    request: Request,
) -> ApiResult {
    limit(&app.hub.read_limit, &app, &request)?;
    let age = app.store.age(&app.config.clock);
    let puzzle = with_store(&app, move |store| store.puzzle(&id, age)).await?;
    let puzzle = puzzle.ok_or_else(no_such_puzzle)?;
    Ok(json_response(StatusCode::OK, &puzzle))
}

/// `PUT /api/v1/puzzles/ID`, with the secret of the puzzle.
pub(crate) async fn replace_puzzle(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    request: Request,
) -> ApiResult {
    let client = client_of(&request, &app.config);
    limit(&app.save_limit, &app, &request)?;
    let secret = bearer_token(&request).ok_or_else(no_secret)?;
    let new: NewPuzzle = read_fields(&app.config, request).await?;
    let puzzle = puzzle_of(&app, id.clone(), new, client).await?;
    let age = app.store.age(&app.config.clock);
    let replaced = with_store(&app, move |store| {
        if !store.replace_puzzle(&puzzle, &secret, age)? {
            return Ok(None);
        }
        store.puzzle(&puzzle.id, age)
    });
    match replaced.await? {
        Some(puzzle) => Ok(json_response(StatusCode::OK, &puzzle)),
        None => Err(not_the_owner(&app, id).await),
    }
}

/// `DELETE /api/v1/puzzles/ID`, with the secret of the puzzle.
pub(crate) async fn delete_puzzle(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    request: Request,
) -> ApiResult {
    limit(&app.submit_limit, &app, &request)?;
    let secret = bearer_token(&request).ok_or_else(no_secret)?;
    let name = id.clone();
    if !with_store(&app, move |store| store.delete_puzzle(&name, &secret)).await? {
        return Err(not_the_owner(&app, id).await);
    }
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// `POST /api/v1/attempts`
pub(crate) async fn add_attempt(State(app): State<Arc<App>>, request: Request) -> ApiResult {
    let client = client_of(&request, &app.config);
    limit(&app.submit_limit, &app, &request)?;
    let new: NewAttempt = read_fields(&app.config, request).await?;
    if !new.consent {
        let message = "attempts are kept only with consent";
        return Err(ApiError::malformed(message));
    }
    if new.ms > MAX_MS || new.hints > MAX_HINTS || new.moves.0.len() > MAX_ATTEMPT_MOVES {
        let message = "ms, hints or moves is too large";
        return Err(ApiError::malformed(message));
    }
    let line = line_of(&app, new.puzzle, client).await?;
    let checked = check(&app, line.clone(), new.moves.clone(), client).await?;
    let attempt = Attempt {
        puzzle: line,
        moves: text_of(&new.moves),
        solved: checked.solves,
        ms: new.ms,
        hints: new.hints,
        day: app.config.clock.today(),
    };
    let solved = attempt.solved;
    let id = with_store(&app, move |store| store.add_attempt(&attempt)).await?;
    let saved = AttemptResponse { id, solved };
    Ok(json_response(StatusCode::CREATED, &saved))
}

/// `GET /api/v1/attempts`: all of them, one JSON object per line.
pub(crate) async fn attempts(State(app): State<Arc<App>>) -> Response {
    let (sender, receiver) = tokio::sync::mpsc::channel(4);
    tokio::spawn(async move {
        let mut after = 0;
        loop {
            let page = with_store(&app, move |store| store.attempts_after(after, PAGE)).await;
            let Ok(page) = page else { return };
            let Some((last, _)) = page.last() else { return };
            after = *last;
            let mut text = String::new();
            for (_, attempt) in &page {
                text.push_str(&serde_json::to_string(attempt).unwrap_or_default());
                text.push('\n');
            }
            if sender.send(text.into()).await.is_err() {
                return;
            }
        }
    });
    Lines(receiver).into_response()
}

/// The puzzle to be stored under a name.
async fn puzzle_of(
    app: &Arc<App>,
    id: String,
    new: NewPuzzle,
    client: IpAddr,
) -> Result<SavedPuzzle, ApiError> {
    if new.title.chars().count() > 200 {
        let message = "title: expected at most 200 characters";
        return Err(ApiError::bad_request(message));
    }
    Ok(SavedPuzzle {
        id,
        line: line_of(app, new.puzzle, client).await?,
        title: new.title,
        saved: (app.config.clock.wall_ms() / 1000) as i64,
        listed: new.listed,
    })
}

/// Whether a text can be the key of a player.
fn is_player_key(text: &str) -> bool {
    (8..=64).contains(&text.len())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

/// The key of the player who asks.
fn player_of(request: &Request) -> Result<String, ApiError> {
    let key = bearer_text(request).filter(|key| is_player_key(key));
    Ok(key.ok_or_else(no_key)?.to_owned())
}

fn new_secret() -> Result<String, ApiError> {
    names::new_token().map_err(|_| no_randomness())
}

fn no_randomness() -> ApiError {
    ApiError::internal("the system has no source of randomness")
}

fn no_such_puzzle() -> ApiError {
    ApiError::not_found("there is no such puzzle")
}

fn no_key() -> ApiError {
    unauthorized("expected the key of a player: Authorization: Bearer KEY")
}

fn no_secret() -> ApiError {
    unauthorized("expected the secret of this puzzle: Authorization: Bearer SECRET")
}

fn unauthorized(message: &str) -> ApiError {
    let error = Error::new(ErrorKind::BadRequest, message);
    ApiError::new(StatusCode::UNAUTHORIZED, &error)
}

/// Why a puzzle was not changed: it does not exist, or the secret is wrong.
async fn not_the_owner(app: &Arc<App>, id: String) -> ApiError {
    let age = app.store.age(&app.config.clock);
    match with_store(app, move |store| store.puzzle(&id, age)).await {
        Ok(Some(_)) => no_secret(),
        Ok(None) => no_such_puzzle(),
        Err(error) => error,
    }
}

fn wrong_answer() -> ApiError {
    ApiError::internal("another question was answered")
}

fn text_of(moves: &MoveList) -> String {
    ricochet_core::Solution::new(moves.0.clone()).to_string()
}

/// The one-line form of a puzzle without its name, so that equal puzzles are equal texts.
async fn line_of(app: &Arc<App>, puzzle: String, client: IpAddr) -> Result<String, ApiError> {
    let read = Question::Read(Read {
        text: puzzle,
        ..Read::default()
    });
    let Answer::Read(answer) = answer(app, read, client).await? else {
        return Err(wrong_answer());
    };
    let [view] = answer.puzzles.as_slice() else {
        return Err(ApiError::bad_request("expected one puzzle"));
    };
    let setup = view.line.as_deref().map(notation::parse_line);
    let Some(Ok(mut setup)) = setup else {
        let mut error = Error::new(ErrorKind::Invalid, "the puzzle is not valid");
        error.problems.clone_from(&view.problems);
        return Err(error.into());
    };
    setup.id = None;
    let puzzle = setup.validate().map_err(Error::from)?;
    Ok(notation::to_line(&puzzle))
}

async fn check(
    app: &Arc<App>,
    puzzle: String,
    moves: MoveList,
    client: IpAddr,
) -> Result<CheckAnswer, ApiError> {
    let puzzle = puzzle.into();
    let check = Question::Check(Check { puzzle, moves });
    match answer(app, check, client).await? {
        Answer::Check(checked) => Ok(checked),
        _ => Err(wrong_answer()),
    }
}

/// Asks a question through the same queue as every client.
async fn answer(app: &Arc<App>, question: Question, client: IpAddr) -> Result<Answer, ApiError> {
    let dispatch = app.dispatcher.submit(question, client);
    let reply = dispatch.reply().await.map_err(ApiError::busy)?;
    Ok(answer_in(&reply)?.clone())
}

/// Uses the database on a thread where blocking is allowed.
async fn with_store<T: Send + 'static>(
    app: &Arc<App>,
    work: impl FnOnce(&Store) -> Result<T, StoreError> + Send + 'static,
) -> Result<T, ApiError> {
    let store = Arc::clone(&app.store);
    match store.run(work).await {
        Ok(value) => Ok(value),
        Err(full @ StoreError::Full(_)) => {
            let error = Error::new(ErrorKind::Busy, full.to_string());
            Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, &error).retry_after(3600))
        }
        Err(StoreError::DiskFull) => Err(ApiError::disk_full()),
        Err(_) => Err(ApiError::internal("the database cannot be used")),
    }
}

#[cfg(test)]
mod tests {
    use axum::body::{Body, to_bytes};
    use tower::ServiceExt;

    use super::*;
    use crate::config::Config;

    #[tokio::test]
    async fn a_full_disk_is_named() {
        let app = App::new(Config::default()).unwrap();
        app.store.fill_disk();
        let title = "x".repeat(200);
        let body = format!(r#"{{"puzzle":"4x3..0012.R31","title":"{title}"}}"#);
        // Until the pages that are there are full.
        for _ in 0..1_000 {
            let request = axum::http::Request::post("/api/v1/puzzles")
                .header("host", "localhost")
                .header("content-type", "application/json")
                .body(Body::from(body.clone()));
            let response = app.router().oneshot(request.unwrap()).await.unwrap();
            if response.status() == StatusCode::CREATED {
                continue;
            }
            assert_eq!(response.status(), StatusCode::INSUFFICIENT_STORAGE);
            let text = to_bytes(response.into_body(), 10_000).await.unwrap();
            let text = String::from_utf8_lossy(&text);
            assert!(text.contains("the server's disk is full"), "{text}");
            return;
        }
        panic!("the disk is never full");
    }
}
