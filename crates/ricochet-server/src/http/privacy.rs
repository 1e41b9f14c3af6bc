//! `/privacy`: what a server stores about people, from the values that it uses.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::store::{ATTEMPT_DAYS, PUZZLES_KEPT, REPORT_DAYS, RESULT_DAYS};

/// `GET /privacy`
pub(crate) async fn page(State(app): State<Arc<App>>) -> Response {
    let room_days = app.config.rooms.kept.as_secs() / 86_400;
    let puzzle_days = PUZZLES_KEPT.as_secs() / 86_400;
    let html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>Ricochet Robots: privacy</title>\n\
         <link rel=\"stylesheet\" href=\"/api/style.css\">\n</head>\n<body>\n<h1>Privacy</h1>\n\
         <p>This page describes what the program does that runs this site. There are no accounts, no \
         cookies, no advertisements, and no requests to other sites.</p>\n\
         <h2>What your browser keeps</h2>\n\
         <p>Settings, your progress, your names in rooms with the keys of your seats, and a random key for \
         daily results. All of it stays in this browser; clearing the data of this site deletes it.</p>\n\
         <h2>What the server stores</h2>\n<table>\n\
         <tr><th>Daily results</th><td>Date, moves, time, hints, and the random key of your browser, if \
         you submit one. Shown to others only as counts. Deleted after {RESULT_DAYS} days, or when you delete them.</td></tr>\n\
         <tr><th>Attempts</th><td>Puzzle, moves, time, hints and date, if you have agreed. Without any key \
         or name, so they cannot be traced to you or deleted one by one. Anybody can download \
         them. Deleted after {ATTEMPT_DAYS} days.</td></tr>\n\
         <tr><th>Saved puzzles</th><td>The puzzle and its title. Anyone with the link can read them; you \
         can delete them with the secret that you got. Deleted after {puzzle_days} days without use.</td></tr>\n\
         <tr><th>Rooms</th><td>Your name in the room, what you write, your bids and moves. Everybody \
         who knows the room sees them. A room is deleted after {room_days} days without activity.</td></tr>\n\
         <tr><th>Reports</th><td>If you report a player: the room, the numbers of both of you in it, and \
         the name and the last lines of the other player. Only who runs this site sees them. Deleted \
         after {REPORT_DAYS} days.</td></tr>\n\
         </table>\n\
         <h2>Your address</h2>\n\
         <p>The server keeps the addresses of its clients in memory, to limit how much each may use, and \
         does not store them in its database. A line in its log names the address of a client that sent \
         far too many messages. A proxy in front of the server may keep a log of its own.</p>\n\
         <h2>Export and deletion</h2>\n\
         <p>The settings of the page (“Your data”) export and delete what this server has stored \
         for your browser: daily results and seats in rooms. With the key of your browser, <code>GET /api/v1/results/mine</code> returns your daily \
         results and <code>DELETE /api/v1/results/mine</code> deletes them; the key is sent as \
         <code>Authorization: Bearer KEY</code>. Leaving a room ends your seat; the room's log goes \
         with the room.</p>\n</body>\n</html>\n"
    );
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], html).into_response()
}
