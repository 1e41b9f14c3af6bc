//! What is stored, over HTTP: results of the daily puzzle, saved puzzles, attempts.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use ricochet_core::notation;
use ricochet_service::questions::check::{Check, CheckAnswer};
use ricochet_service::questions::daily::Daily;
use ricochet_service::questions::read::Read;
use ricochet_service::words::Plays;
use ricochet_service::{Answer, Error, ErrorKind, Request as Question};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::app::{App, client_of};
use crate::clock;
use crate::http::questions::{busy, failed, read_body};
use crate::store::{Attempt, DayResult, DaySummary, SavedPuzzle, Store, StoreError};

/// Rows of an export that are read at once.
const PAGE: u32 = 1_000;

/// A result of the daily puzzle, as the page sends it.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewResult {
    /// The day, as `2026-11-17`.
    date: String,
    /// A key that the player's browser drew by lot: it names nobody.
    #[schemars(length(min = 8, max = 64), pattern("^[A-Za-z0-9_-]+$"))]
    player: String,
    /// The moves, which have to solve the puzzle.
    moves: Plays,
    /// How long it took, in milliseconds.
    #[schemars(range(max = MOST_MS))]
    ms: u64,
    /// How many hints were taken.
    #[serde(default)]
    #[schemars(range(max = MOST_HINTS))]
    hints: u32,
}

/// A result that is kept, and how everybody did on that day.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ResultKept {
    /// The moves of this result.
    length: u32,
    /// The fewest moves possible.
    optimal: u32,
    /// How everybody did.
    day: DaySummary,
}

/// A puzzle to be saved.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewPuzzle {
    /// The puzzle in any format.
    puzzle: String,
    /// What it is called.
    #[serde(default)]
    #[schemars(length(max = 200))]
    title: String,
}

/// A puzzle that is saved.
#[derive(Serialize, JsonSchema)]
pub(crate) struct PuzzleKept {
    /// Its number.
    id: i64,
    /// The puzzle in our one-line notation.
    line: String,
}

/// All saved puzzles.
#[derive(Serialize, JsonSchema)]
pub(crate) struct SavedPuzzles {
    /// The latest first.
    puzzles: Vec<SavedPuzzle>,
}

/// An attempt at a puzzle.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewAttempt {
    /// Whether the player agreed that it is kept; only true is taken.
    consent: bool,
    /// The puzzle in any format.
    puzzle: String,
    /// The moves, whether or not they solve it: at most 1,000.
    moves: Plays,
    /// How long it took, in milliseconds.
    #[schemars(range(max = MOST_MS))]
    ms: u64,
    /// How many hints were taken.
    #[serde(default)]
    #[schemars(range(max = MOST_HINTS))]
    hints: u32,
}

/// An attempt that is kept.
#[derive(Serialize, JsonSchema)]
pub(crate) struct AttemptKept {
    /// Its number.
    id: i64,
    /// Whether the moves solve the puzzle.
    solved: bool,
}

/// Milliseconds of a hundred days: nobody plays longer, and the database has smaller numbers.
const MOST_MS: u64 = 8_640_000_000;
const MOST_HINTS: u32 = 1_000_000;

type Reply = Result<Response, Response>;

/// `POST /api/v1/results`
pub(crate) async fn add_result(State(app): State<Arc<App>>, request: Request) -> Response {
    let added = async {
        let client = client_of(&request, &app.config);
        let new: NewResult = body(&app, request).await?;
        let named = (8..=64).contains(&new.player.len())
            && new
                .player
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
        if !named {
            return Err(bad("player: expected 8 to 64 letters, digits, '-' or '_'"));
        }
        if new.ms > MOST_MS || new.hints > MOST_HINTS {
            return Err(bad("ms or hints is too large"));
        }
        let daily = Question::Daily(Daily {
            date: new.date.clone(),
        });
        let Answer::Daily(day) = answer(&app, daily, client).await? else {
            return Err(internal("another question was answered"));
        };
        let line = day.puzzle.line.unwrap_or_default();
        let checked = check(&app, line, new.moves.clone(), client).await?;
        if !checked.solves {
            let why = checked.reason.unwrap_or_default();
            return Err(bad(&format!("the moves do not solve the puzzle: {why}")));
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
        let day = stored(&app, move |store| {
            store.add_result(&result)?;
            store.day(&result.date)
        })
        .await?;
        let told = ResultKept {
            length,
            optimal,
            day,
        };
        Ok(json_response(StatusCode::CREATED, &told))
    };
    either(added.await)
}

/// `GET /api/v1/results/DATE`
pub(crate) async fn day(State(app): State<Arc<App>>, Path(date): Path<String>) -> Response {
    either(
        stored(&app, move |store| store.day(&date))
            .await
            .map(|summary| json_response(StatusCode::OK, &summary)),
    )
}

/// `POST /api/v1/puzzles`
pub(crate) async fn save_puzzle(State(app): State<Arc<App>>, request: Request) -> Response {
    let saved = async {
        let client = client_of(&request, &app.config);
        let new: NewPuzzle = body(&app, request).await?;
        if new.title.chars().count() > 200 {
            return Err(bad("title: expected at most 200 characters"));
        }
        let line = line_of(&app, new.puzzle, client).await?;
        let kept = line.clone();
        let id = stored(&app, move |store| {
            store.save_puzzle(&kept, &new.title, clock::now())
        })
        .await?;
        Ok(json_response(StatusCode::CREATED, &PuzzleKept { id, line }))
    };
    either(saved.await)
}

/// `GET /api/v1/puzzles`
pub(crate) async fn puzzles(State(app): State<Arc<App>>) -> Response {
    either(
        stored(&app, Store::puzzles)
            .await
            .map(|puzzles| json_response(StatusCode::OK, &SavedPuzzles { puzzles })),
    )
}

/// `GET /api/v1/puzzles/ID`
pub(crate) async fn puzzle(State(app): State<Arc<App>>, Path(id): Path<String>) -> Response {
    let id = match number(&id) {
        Ok(id) => id,
        Err(response) => return response,
    };
    match stored(&app, move |store| store.puzzle(id)).await {
        Ok(Some(puzzle)) => json_response(StatusCode::OK, &puzzle),
        Ok(None) => no_such_puzzle(),
        Err(response) => response,
    }
}

/// `DELETE /api/v1/puzzles/ID`
pub(crate) async fn forget_puzzle(State(app): State<Arc<App>>, Path(id): Path<String>) -> Response {
    let id = match number(&id) {
        Ok(id) => id,
        Err(response) => return response,
    };
    match stored(&app, move |store| store.forget_puzzle(id)).await {
        Ok(true) => StatusCode::NO_CONTENT.into_response(),
        Ok(false) => no_such_puzzle(),
        Err(response) => response,
    }
}

/// `POST /api/v1/attempts`
pub(crate) async fn add_attempt(State(app): State<Arc<App>>, request: Request) -> Response {
    let added = async {
        let client = client_of(&request, &app.config);
        let new: NewAttempt = body(&app, request).await?;
        if !new.consent {
            return Err(bad("attempts are kept only with consent"));
        }
        if new.ms > MOST_MS || new.hints > MOST_HINTS || new.moves.0.len() > 1_000 {
            return Err(bad("ms, hints or moves is too large"));
        }
        let line = line_of(&app, new.puzzle, client).await?;
        let checked = check(&app, line.clone(), new.moves.clone(), client).await?;
        let attempt = Attempt {
            puzzle: line,
            moves: text_of(&new.moves),
            solved: checked.solves,
            ms: new.ms,
            hints: new.hints,
            day: clock::today(),
        };
        let solved = attempt.solved;
        let id = stored(&app, move |store| store.add_attempt(&attempt)).await?;
        Ok(json_response(
            StatusCode::CREATED,
            &AttemptKept { id, solved },
        ))
    };
    either(added.await)
}

/// `GET /api/v1/attempts`: all of them, one JSON object per line.
pub(crate) async fn attempts(State(app): State<Arc<App>>) -> Response {
    let (sender, receiver) = tokio::sync::mpsc::channel(4);
    tokio::spawn(async move {
        let mut after = 0;
        loop {
            let page = stored(&app, move |store| store.attempts_after(after, PAGE)).await;
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
    let headers = [
        (header::CONTENT_TYPE, "application/x-ndjson"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    let lines = crate::http::stream::Lines(receiver);
    (headers, Body::from_stream(lines)).into_response()
}

/// The number of a saved puzzle, from the address.
#[expect(clippy::result_large_err, reason = "it is sent at once")]
fn number(id: &str) -> Result<i64, Response> {
    id.parse()
        .map_err(|_| bad("the number of a puzzle: expected a whole number"))
}

fn text_of(moves: &Plays) -> String {
    ricochet_core::Solution::new(moves.0.clone()).to_string()
}

/// The one-line form of a puzzle without its name, so that equal puzzles are equal texts.
async fn line_of(
    app: &Arc<App>,
    puzzle: String,
    client: std::net::IpAddr,
) -> Result<String, Response> {
    let read = Question::Read(Read {
        text: puzzle,
        ..Read::default()
    });
    let Answer::Read(found) = answer(app, read, client).await? else {
        return Err(internal("another question was answered"));
    };
    let [view] = found.puzzles.as_slice() else {
        return Err(bad("expected one puzzle"));
    };
    let setup = view.line.as_deref().map(notation::parse_line);
    let Some(Ok(mut setup)) = setup else {
        let mut wrong = Error::new(ErrorKind::Invalid, "the puzzle is not valid");
        wrong.problems.clone_from(&view.problems);
        return Err(failed(&wrong));
    };
    setup.id = None;
    let puzzle = setup.validate();
    let puzzle = puzzle.map_err(|wrong| failed(&Error::from(wrong)))?;
    Ok(notation::to_line(&puzzle))
}

async fn check(
    app: &Arc<App>,
    puzzle: String,
    moves: Plays,
    client: std::net::IpAddr,
) -> Result<CheckAnswer, Response> {
    let check = Question::Check(Check { puzzle, moves });
    match answer(app, check, client).await? {
        Answer::Check(checked) => Ok(checked),
        _ => Err(internal("another question was answered")),
    }
}

/// Asks a question as everybody does.
async fn answer(
    app: &Arc<App>,
    question: Question,
    client: std::net::IpAddr,
) -> Result<Answer, Response> {
    let dispatch = app.dispatcher.submit(question, client);
    let reply = dispatch.reply().await.map_err(busy)?;
    match &reply.result {
        Ok(answer) => Ok(answer.clone()),
        Err(wrong) => Err(failed(wrong)),
    }
}

/// Reads the fields of a request.
pub(crate) async fn body<T: DeserializeOwned>(app: &App, request: Request) -> Result<T, Response> {
    let (parts, body) = request.into_parts();
    let bytes = read_body(app, &parts.headers, body).await?;
    serde_json::from_slice(&bytes).map_err(|wrong| bad(&wrong.to_string()))
}

/// Does something with the database, away from the threads that answer.
async fn stored<T: Send + 'static>(
    app: &Arc<App>,
    work: impl FnOnce(&Store) -> Result<T, StoreError> + Send + 'static,
) -> Result<T, Response> {
    let store = Arc::clone(&app.store);
    let done = tokio::task::spawn_blocking(move || work(&store)).await;
    match done {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(full @ StoreError::Full(_))) => {
            tracing::warn!("{full}");
            Err(busy(3600))
        }
        Ok(Err(wrong)) => {
            tracing::error!("the database: {wrong}");
            Err(internal("the database cannot be used"))
        }
        Err(_) => Err(internal("a mistake in the program")),
    }
}

/// A response of JSON that is not kept.
pub(crate) fn json_response(status: StatusCode, value: &impl serde::Serialize) -> Response {
    let json = serde_json::to_string(value).unwrap_or_default();
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (status, headers, json).into_response()
}

fn either(reply: Reply) -> Response {
    reply.unwrap_or_else(|response| response)
}

pub(crate) fn bad(message: &str) -> Response {
    failed(&Error::new(ErrorKind::BadRequest, message))
}

pub(crate) fn internal(message: &str) -> Response {
    failed(&Error::new(ErrorKind::Internal, message))
}

fn no_such_puzzle() -> Response {
    failed(&Error::new(ErrorKind::NotFound, "there is no such puzzle"))
}
