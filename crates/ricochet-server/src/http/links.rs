//! Links to puzzles: documents that open at a puzzle, the pictures that other sites show for them,
//! the board in a frame, and oEmbed.
//!
//! Every puzzle is read and every picture drawn as a question of the client, so the limits of
//! questions hold here as well.

use std::fmt::Write;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use ricochet_core::{Puzzle, notation};
use ricochet_draw::{LinkPreview, Picture, goal_caption};
use ricochet_service::questions::daily::Daily;
use ricochet_service::questions::draw::{Draw, PictureKind};
use ricochet_service::questions::formats::{Read, ReadAnswer};
use ricochet_service::{Answer, Error, ErrorKind, PuzzleView, Request as Question};
use serde_json::{Value, json};

use crate::app::{App, client_of};
use crate::http::assets::document::{
    Document, Template, delivered_answer, escaped, percent_encoded,
};
use crate::http::assets::encoding::Effort;
use crate::http::assets::{Content, Page};
use crate::http::guard::{ForOthers, origin_of, policy};
use crate::http::query::decoded;
use crate::http::response::{ApiError, ApiResult, entity_tag, has_current, json_response};

/// The longest puzzle in a link: a board of 32×32 with all that it may have is shorter.
const MAX_LINE: usize = 4096;

/// How long others may keep a picture or the description of a link.
const ONE_DAY: &str = "public, max-age=86400";

/// The size of a frame, and the smallest one in which the board can be played.
const FRAME: (u32, u32) = (480, 560);
const SMALLEST_FRAME: u32 = 240;
/// The height of a frame above that of its square board.
const BELOW_BOARD: u32 = 80;

/// What handlers keep of a request.
struct Visitor {
    client: IpAddr,
    /// The scheme and host of the address that was opened.
    origin: String,
    headers: HeaderMap,
}

impl Visitor {
    fn of(request: Request, app: &App) -> Self {
        Self {
            client: client_of(&request, &app.config),
            origin: origin_of(request.headers(), request.uri(), app.config.behind_proxy),
            headers: request.into_parts().0.headers,
        }
    }
}

/// A puzzle that a link names.
struct Linked {
    puzzle: Puzzle,
    /// Its line without a name and without the optimum, which a link must not tell.
    line: String,
    /// The day whose puzzle it is, with the answer to the question for it.
    day: Option<(String, String)>,
}

impl Linked {
    /// The answer that the page would ask for first, if this is the puzzle of a day.
    fn daily_answer(&self) -> Option<Value> {
        let (date, json) = self.day.as_ref()?;
        delivered_answer("daily", &json!({"date": date}), json)
    }
}

/// `GET /`: today's puzzle, which the page shows first.
pub(crate) async fn index(State(app): State<Arc<App>>, request: Request) -> Response {
    let visitor = Visitor::of(request, &app);
    let today = app.config.clock.today();
    let title = "Ricochet Robots";
    let about = "Play, analyse and set up Ricochet Robots, with a daily puzzle.";
    let picture = format!("/daily/{today}/preview.png");
    let (board, answers) = match soon(&app, today, visitor.client).await {
        Some(linked) => (board(&linked.puzzle, true), linked.daily_answer()),
        None => (String::new(), None),
    };
    let page = Page::current();
    let document = Document {
        root: "",
        title: title.to_owned(),
        description: about.to_owned(),
        head: social(&visitor.origin, "/", title, about, &picture),
        board,
        delivered: delivered(&page, None, answers.as_slice()),
    };
    document_response(page.template(), &document, &visitor.headers, Frame::Denied)
}

/// How long a document waits for the puzzle of the day, which takes longer only once a day.
const SOON: Duration = Duration::from_millis(50);

/// The puzzle of a day if it is found soon; otherwise the next visitor has it.
async fn soon(app: &Arc<App>, date: String, client: IpAddr) -> Option<Linked> {
    let app = Arc::clone(app);
    let found = tokio::spawn(async move { read_day(&app, date, client).await.ok() });
    tokio::time::timeout(SOON, found).await.ok()?.ok()?
}

/// `GET /p/LINE`
pub(crate) async fn puzzle(
    State(app): State<Arc<App>>,
    Path(line): Path<String>,
    request: Request,
) -> Response {
    let visitor = Visitor::of(request, &app);
    match read_line(&app, &line, &visitor).await {
        Ok(linked) => linked_page(&linked, &visitor),
        Err(error) => no_puzzle(&error, &visitor),
    }
}

/// `GET /daily/DATE`
pub(crate) async fn day(
    State(app): State<Arc<App>>,
    Path(date): Path<String>,
    request: Request,
) -> Response {
    let visitor = Visitor::of(request, &app);
    match read_day(&app, date, visitor.client).await {
        Ok(linked) => linked_page(&linked, &visitor),
        Err(error) => no_puzzle(&error, &visitor),
    }
}

/// `GET /daily`: today's puzzle.
pub(crate) async fn today(State(app): State<Arc<App>>) -> Response {
    let headers = [
        (
            header::LOCATION,
            format!("daily/{}", app.config.clock.today()),
        ),
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    (StatusCode::FOUND, headers).into_response()
}

/// `GET /p/LINE/preview.png`
pub(crate) async fn puzzle_preview(
    State(app): State<Arc<App>>,
    Path(line): Path<String>,
    request: Request,
) -> ApiResult {
    let visitor = Visitor::of(request, &app);
    let linked = read_line(&app, &line, &visitor).await?;
    preview(&app, &linked, &visitor).await
}

/// `GET /daily/DATE/preview.png`
pub(crate) async fn day_preview(
    State(app): State<Arc<App>>,
    Path(date): Path<String>,
    request: Request,
) -> ApiResult {
    let visitor = Visitor::of(request, &app);
    let linked = read_day(&app, date, visitor.client).await?;
    preview(&app, &linked, &visitor).await
}

/// `GET /embed/LINE`: the board alone, for a frame on another site.
pub(crate) async fn embed(
    State(app): State<Arc<App>>,
    Path(line): Path<String>,
    request: Request,
) -> Response {
    let visitor = Visitor::of(request, &app);
    let linked = match read_line(&app, &line, &visitor).await {
        Ok(linked) => linked,
        Err(error) => return no_puzzle(&error, &visitor),
    };
    let page = Page::current();
    let document = Document {
        root: "../",
        title: format!("Ricochet Robots: {}", goal_caption(&linked.puzzle)),
        description: String::new(),
        head: String::new(),
        board: board(&linked.puzzle, false),
        delivered: delivered(
            &page,
            Some(&format!("#play={}", linked.line)),
            &[read_answer(&linked)],
        ),
    };
    document_response(
        page.embed_template(),
        &document,
        &visitor.headers,
        Frame::Allowed,
    )
}

/// `GET /oembed?url=…`: how to show a link to a puzzle in a frame (<https://oembed.com>).
pub(crate) async fn oembed(State(app): State<Arc<App>>, request: Request) -> ApiResult {
    let parameters = Parameters::read(request.uri().query().unwrap_or_default())?;
    if parameters.format.is_some_and(|format| format != "json") {
        let error = Error::new(ErrorKind::Unsupported, "only the format json is supported");
        return Err(ApiError::new(StatusCode::NOT_IMPLEMENTED, &error));
    }
    let visitor = Visitor::of(request, &app);
    let origin = &visitor.origin;
    let not_ours = || ApiError::not_found("url: expected a link to a puzzle on this server");
    let url = parameters
        .url
        .ok_or_else(|| ApiError::bad_request("url is missing"))?;
    // The scheme may differ: a proxy need not say that it was https.
    let place = |url: &str| url.split_once("://").map(|(_, rest)| rest.to_owned());
    let (url, origin_place) = (place(&url), place(origin).unwrap_or_default());
    let path = url
        .as_deref()
        .and_then(|url| url.strip_prefix(&origin_place));
    let path = path.ok_or_else(not_ours)?;
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let (kind, name) = path
        .strip_prefix('/')
        .and_then(|it| it.split_once('/'))
        .ok_or_else(not_ours)?;
    let name = decoded(name).map_err(|_| not_ours())?;
    let linked = match kind {
        "p" | "embed" => read_line(&app, &name, &visitor).await,
        "daily" => read_day(&app, name, visitor.client).await,
        _ => return Err(not_ours()),
    };
    let linked = linked.map_err(|error| match error.kind {
        ErrorKind::Busy => ApiError::busy(1),
        _ => not_ours(),
    })?;
    let fit = |most: Option<u32>, usual: u32| usual.min(most.unwrap_or(usual)).max(SMALLEST_FRAME);
    let height = fit(parameters.max_height, FRAME.1);
    let width = fit(parameters.max_width, FRAME.0)
        .min(height.saturating_sub(BELOW_BOARD).max(SMALLEST_FRAME));
    let height = height.min(width + BELOW_BOARD);
    let title = title_of(&linked);
    let frame = format!(
        "<iframe src=\"{origin}/embed/{}\" width=\"{width}\" height=\"{height}\" title=\"{}\" \
         style=\"border:0;max-width:100%\" loading=\"lazy\"></iframe>",
        percent_encoded(&linked.line),
        escaped(&title),
    );
    let (preview_width, preview_height) = LinkPreview::SIZE;
    let answer = json!({
        "version": "1.0",
        "type": "rich",
        "title": title,
        "provider_name": "Ricochet Robots",
        "provider_url": format!("{origin}/"),
        "cache_age": 86_400,
        "width": width,
        "height": height,
        "html": frame,
        "thumbnail_url": format!("{origin}{}/preview.png", path_of(&linked)),
        "thumbnail_width": preview_width,
        "thumbnail_height": preview_height,
    });
    let mut response = json_response(StatusCode::OK, &answer);
    let value = HeaderValue::from_static(ONE_DAY);
    response.headers_mut().insert(header::CACHE_CONTROL, value);
    Ok(response)
}

/// The parameters of oEmbed that matter here.
#[derive(Debug, Default, PartialEq, Eq)]
struct Parameters {
    url: Option<String>,
    format: Option<String>,
    max_width: Option<u32>,
    max_height: Option<u32>,
}

impl Parameters {
    fn read(query: &str) -> Result<Self, Error> {
        let mut parameters = Self::default();
        for pair in query.split('&').filter(|pair| !pair.is_empty()).take(16) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let value = decoded(value)?;
            let pixels = || {
                let message = format!("{name}: expected a number of pixels");
                value
                    .parse()
                    .map_err(|_| Error::new(ErrorKind::BadRequest, message))
            };
            match name {
                "maxwidth" => parameters.max_width = Some(pixels()?),
                "maxheight" => parameters.max_height = Some(pixels()?),
                "url" => parameters.url = Some(value),
                "format" => parameters.format = Some(value),
                _ => {}
            }
        }
        Ok(parameters)
    }
}

/// The puzzle of a line in any format that fits into a path.
async fn read_line(app: &Arc<App>, line: &str, visitor: &Visitor) -> Result<Linked, Error> {
    if line.len() > MAX_LINE {
        let message = format!("a puzzle in a link has at most {MAX_LINE} characters");
        return Err(Error::new(ErrorKind::BadRequest, message));
    }
    let question = Question::Read(Read {
        text: line.to_owned(),
        ..Read::default()
    });
    let (answer, _) = ask(app, question, visitor.client).await?;
    let Answer::Read(read) = answer else {
        return Err(Error::new(
            ErrorKind::Internal,
            "another question was answered",
        ));
    };
    let [view] = read.puzzles.as_slice() else {
        return Err(Error::new(ErrorKind::Unreadable, "expected one puzzle"));
    };
    linked(view, None)
}

/// The puzzle of a day.
async fn read_day(app: &Arc<App>, date: String, client: IpAddr) -> Result<Linked, Error> {
    let question = Question::Daily(Daily { date: date.clone() });
    let (answer, json) = ask(app, question, client).await?;
    let Answer::Daily(day) = answer else {
        return Err(Error::new(
            ErrorKind::Internal,
            "another question was answered",
        ));
    };
    linked(&day.puzzle, Some((date, json)))
}

fn linked(view: &PuzzleView, day: Option<(String, String)>) -> Result<Linked, Error> {
    let setup = view
        .line
        .as_deref()
        .and_then(|line| notation::parse_line(line).ok());
    let Some(mut setup) = setup else {
        let problems = view.problems.iter().map(|problem| problem.message.as_str());
        let problems = problems.collect::<Vec<_>>().join("; ");
        return Err(Error::new(ErrorKind::Invalid, problems));
    };
    setup.id = None;
    setup.optimal = None;
    let puzzle = setup.validate().map_err(Error::from)?;
    let line = notation::to_line(&puzzle);
    Ok(Linked { puzzle, line, day })
}

/// Asks a question through the queue of all clients.
async fn ask(
    app: &Arc<App>,
    question: Question,
    client: IpAddr,
) -> Result<(Answer, String), Error> {
    let dispatch = app.dispatcher.submit(question, client);
    let busy = |_| {
        Error::new(
            ErrorKind::Busy,
            "too many questions at once: ask again later",
        )
    };
    let reply = dispatch.reply().await.map_err(busy)?;
    let answer = reply.result.as_ref().map_err(Error::clone)?;
    Ok((answer.clone(), reply.json.clone()))
}

/// The picture that other sites show for a link.
async fn preview(app: &Arc<App>, linked: &Linked, visitor: &Visitor) -> ApiResult {
    let question = Question::Draw(Draw {
        puzzle: linked.line.clone().into(),
        kind: PictureKind::Png,
        preview: true,
        ..Draw::default()
    });
    let (answer, _) = ask(app, question, visitor.client).await?;
    let Answer::Draw(picture) = answer else {
        return Err(ApiError::internal("another question was answered"));
    };
    let bytes = picture.bytes().unwrap_or_default();
    let tag = entity_tag(&bytes);
    let mut response = if has_current(&visitor.headers, &tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        ([(header::CONTENT_TYPE, "image/png")], bytes).into_response()
    };
    let headers = response.headers_mut();
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(header::ETAG, tag);
    }
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(ONE_DAY));
    response.extensions_mut().insert(ForOthers::Picture);
    Ok(response)
}

/// The page with a puzzle on its board.
fn linked_page(linked: &Linked, visitor: &Visitor) -> Response {
    let origin = &visitor.origin;
    let page = Page::current();
    let (title, path) = (title_of(linked), path_of(linked));
    let about = format!(
        "{}: in how few moves? Play it, or see every shortest solution.",
        capitalized(&goal_caption(&linked.puzzle))
    );
    let mut head = social(
        origin,
        &path,
        &title,
        &about,
        &format!("{path}/preview.png"),
    );
    let link = percent_encoded(&format!("{origin}{path}"));
    let _ = writeln!(
        head,
        "<link rel=\"alternate\" type=\"application/json+oembed\" href=\"{}/oembed?url={link}&amp;format=json\" title=\"{}\" />",
        escaped(origin),
        escaped(&title),
    );
    let (route, answers) = match &linked.day {
        Some((date, _)) => (
            format!("#play&as=daily-{date}"),
            linked.daily_answer().into_iter().collect(),
        ),
        None => (format!("#play={}", linked.line), vec![read_answer(linked)]),
    };
    let document = Document {
        root: "../",
        title,
        description: about,
        head,
        board: board(&linked.puzzle, true),
        delivered: delivered(&page, Some(&route), &answers),
    };
    document_response(page.template(), &document, &visitor.headers, Frame::Denied)
}

/// The path of the page of a puzzle.
fn path_of(linked: &Linked) -> String {
    match &linked.day {
        Some((date, _)) => format!("/daily/{date}"),
        None => format!("/p/{}", percent_encoded(&linked.line)),
    }
}

fn title_of(linked: &Linked) -> String {
    match &linked.day {
        Some((date, _)) => format!("Ricochet Robots, daily puzzle of {date}"),
        None => format!("Ricochet Robots: {}", goal_caption(&linked.puzzle)),
    }
}

fn capitalized(text: &str) -> String {
    let mut text = text.to_owned();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}

/// The answer that the page would ask for first.
fn read_answer(linked: &Linked) -> Value {
    let read = ReadAnswer {
        puzzles: vec![PuzzleView::of_puzzle(&linked.puzzle)],
        format: "line",
        notes: Vec::new(),
    };
    json!({"question": "read", "fields": {"text": linked.line}, "answer": read})
}

/// What every document tells the page.
fn delivered(page: &Page, route: Option<&str>, answers: &[Value]) -> Value {
    json!({"version": page.version(), "engine": page.engine(), "route": route, "answers": answers})
}

/// The board as it is painted before the scripts run.
fn board(puzzle: &Puzzle, coordinates: bool) -> String {
    let svg = Picture::new(puzzle).coordinates(coordinates).css_svg();
    // The page describes the board to screen readers itself.
    let start = svg.find("<svg").unwrap_or(0);
    let svg = svg[start..].replacen("<svg ", "<svg class=\"drawn\" aria-hidden=\"true\" ", 1);
    format!("<div class=\"board-drawn\">{svg}</div>")
}

/// What other sites read to show a link.
fn social(origin: &str, path: &str, title: &str, about: &str, picture: &str) -> String {
    let (width, height) = LinkPreview::SIZE;
    let (width, height) = (width.to_string(), height.to_string());
    let (url, image) = (format!("{origin}{path}"), format!("{origin}{picture}"));
    let mut head = String::new();
    let _ = writeln!(
        head,
        "<link rel=\"canonical\" href=\"{}\" />",
        escaped(&url)
    );
    for (name, content) in [
        ("og:type", "website"),
        ("og:site_name", "Ricochet Robots"),
        ("og:title", title),
        ("og:description", about),
        ("og:url", &url),
        ("og:image", &image),
        ("og:image:type", "image/png"),
        ("og:image:width", &width),
        ("og:image:height", &height),
        (
            "og:image:alt",
            "The board with its robots, and the goal in words",
        ),
    ] {
        let _ = writeln!(
            head,
            "<meta property=\"{name}\" content=\"{}\" />",
            escaped(content)
        );
    }
    for (name, content) in [
        ("twitter:card", "summary_large_image"),
        ("twitter:title", title),
        ("twitter:description", about),
        ("twitter:image", &image),
    ] {
        let _ = writeln!(
            head,
            "<meta name=\"{name}\" content=\"{}\" />",
            escaped(content)
        );
    }
    head
}

/// Whether other sites may show a document in a frame.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Frame {
    Allowed,
    Denied,
}

fn document_response(
    template: &Template,
    document: &Document,
    headers: &HeaderMap,
    frame: Frame,
) -> Response {
    let text = template.text(document);
    let content = Content::new(
        "text/html; charset=utf-8",
        Bytes::from(text),
        Effort::Little,
    );
    let mut response = content.response(headers, "no-cache");
    let ancestors = if frame == Frame::Allowed {
        "*"
    } else {
        "'none'"
    };
    let policy = policy(&template.style_hashes, &template.script_hashes, ancestors);
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        response
            .headers_mut()
            .insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    if frame == Frame::Allowed {
        response.extensions_mut().insert(ForOthers::Frame);
    }
    response
}

/// A page that says why an address has no puzzle.
fn no_puzzle(error: &Error, visitor: &Visitor) -> Response {
    let status = match error.kind {
        ErrorKind::Busy => StatusCode::SERVICE_UNAVAILABLE,
        ErrorKind::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        _ => StatusCode::NOT_FOUND,
    };
    let german = prefers_german(&visitor.headers);
    let [heading, about] = match (status == StatusCode::NOT_FOUND, german) {
        (true, false) => [
            "There is no puzzle at this address",
            "The link may have lost a part on its way.",
        ],
        (true, true) => [
            "Unter dieser Adresse ist kein Rätsel",
            "Vielleicht hat der Link unterwegs einen Teil verloren.",
        ],
        (false, false) => [
            "The server cannot show this puzzle now",
            "Please try again in a moment.",
        ],
        (false, true) => [
            "Der Server kann dieses Rätsel gerade nicht zeigen",
            "Bitte versuche es gleich noch einmal.",
        ],
    };
    // What is wrong with a position can be mended; the formats of a reader only puzzle a visitor.
    let detail = match error.kind {
        ErrorKind::Invalid | ErrorKind::BadRequest => format!(" ({})", error.message),
        _ => String::new(),
    };
    let page = Page::current();
    let document = Document {
        root: "../",
        title: heading.to_owned(),
        description: format!("{about}{detail}"),
        ..Document::default()
    };
    let mut response = document_response(
        page.error_template(german),
        &document,
        &visitor.headers,
        Frame::Denied,
    );
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.remove(header::ETAG);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if error.kind == ErrorKind::Busy {
        headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
    }
    response
}

/// Whether a browser asks for German before English.
fn prefers_german(headers: &HeaderMap) -> bool {
    let wanted = headers.get(header::ACCEPT_LANGUAGE);
    let wanted = wanted.and_then(|value| value.to_str().ok()).unwrap_or("");
    let weight = |language: &str| {
        let named = wanted.split(',').filter_map(|entry| {
            let (tag, rest) = entry.trim().split_once(';').unwrap_or((entry.trim(), ""));
            let primary = tag.split('-').next().unwrap_or(tag);
            let weight = rest.trim().strip_prefix("q=").unwrap_or("1");
            primary
                .eq_ignore_ascii_case(language)
                .then(|| weight.parse::<f32>().unwrap_or(0.0))
        });
        named.fold(0.0, f32::max)
    };
    weight("de") > weight("en")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_parameters_of_oembed() {
        let read = |query: &str| Parameters::read(query);
        let expected = Parameters {
            url: Some("http://localhost/p/a b".into()),
            max_width: Some(300),
            ..Parameters::default()
        };
        assert_eq!(
            read("url=http%3A%2F%2Flocalhost%2Fp%2Fa%20b&maxwidth=300&x=1"),
            Ok(expected)
        );
        assert!(
            read("maxwidth=wide").is_err()
                && read("maxheight=-1").is_err()
                && read("url=%4").is_err()
        );
    }

    #[test]
    fn german_is_for_those_who_prefer_it() {
        for (wanted, german) in [
            ("de-AT,de;q=0.9,en;q=0.8", true),
            ("en-GB,en;q=0.9,de;q=0.8", false),
            ("fr,de;q=0.5", true),
            ("", false),
            ("de;q=x,en;q=0.1", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_LANGUAGE, HeaderValue::from_static(wanted));
            assert_eq!(prefers_german(&headers), german, "{wanted}");
        }
    }

    proptest! {
        #[test]
        fn any_query_is_read_or_refused(query in "[a-z=&%0-9+]{0,60}|(url|format|maxwidth|maxheight)=.{0,20}") {
            let _ = Parameters::read(&query);
        }
    }
}
