//! The invitation to a room as a QR code.

use std::fmt::Write;
use std::sync::Arc;

use axum::extract::{Path, Request, State};
use axum::http::header;
use axum::response::IntoResponse;
use qrcode::{Color, EcLevel, QrCode};

use crate::app::App;
use crate::http::guard::origin_of;
use crate::http::response::ApiResult;
use crate::rooms::handlers::{limit, link, query_value};
use crate::rooms::hub::HubError;
use crate::rooms::names;

/// The blank modules that readers need around a code.
const MARGIN: usize = 4;

/// `GET /api/v1/rooms/ROOM/qr.svg`
pub(crate) async fn qr(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    request: Request,
) -> ApiResult {
    limit(&app.hub.read_limit, &app, &request)?;
    // Only the form of the name is checked: whether the room exists shows when it is entered.
    if !names::is_room_name(&name) {
        return Err(HubError::NoRoom.into());
    }
    let url = format!(
        "{}{}",
        origin_of(request.headers(), request.uri(), app.config.behind_proxy),
        link(&name)
    );
    let background = query_value(&request, "theme") != Some("none");
    let Some(svg) = draw(&url, background) else {
        return Err(HubError::Broken.into());
    };
    let headers = [
        (header::CONTENT_TYPE, "image/svg+xml"),
        (header::CACHE_CONTROL, "private, max-age=3600"),
    ];
    Ok((headers, svg).into_response())
}

/// Draws a text as a QR code; `None` if it is too long for one.
fn draw(text: &str, background: bool) -> Option<String> {
    let code = QrCode::with_error_correction_level(text, EcLevel::M).ok()?;
    let size = code.width();
    let whole = size + 2 * MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {whole} {whole}\" \
         shape-rendering=\"crispEdges\">"
    );
    if background {
        let _ = write!(
            svg,
            "<rect width=\"{whole}\" height=\"{whole}\" fill=\"#fff\"/>"
        );
    }
    svg.push_str("<path fill=\"#000\" d=\"");
    for (y, row) in code.to_colors().chunks(size).enumerate() {
        let mut x = 0;
        while x < size {
            let run = row[x..].iter().take_while(|it| **it == Color::Dark).count();
            if run > 0 {
                let _ = write!(svg, "M{} {}h{run}v1h-{run}z", x + MARGIN, y + MARGIN);
            }
            x += run.max(1);
        }
    }
    svg.push_str("\"/></svg>\n");
    Some(svg)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dark_module_is_drawn_and_no_other() {
        let url = "https://robots.example.org/#room=abcdefghijkm";
        let svg = draw(url, true).unwrap();
        let code = QrCode::with_error_correction_level(url, EcLevel::M).unwrap();
        let dark = code
            .to_colors()
            .iter()
            .filter(|it| **it == Color::Dark)
            .count();
        let drawn: usize = svg
            .split('h')
            .filter_map(|part| part.split_once("v1")?.0.parse::<usize>().ok())
            .sum();
        assert_eq!(drawn, dark);
        assert!(svg.contains("#fff") && !draw(url, false).unwrap().contains("#fff"));
        assert!(draw(&"x".repeat(10_000), true).is_none());
    }
}
