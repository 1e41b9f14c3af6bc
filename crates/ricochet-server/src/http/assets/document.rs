//! The HTML documents of the page, made from `index.html` and `embed/embed.html`.
//!
//! A document holds its style sheets, so that a board can be painted as soon as it has arrived, and
//! whatever the page would ask the server for first.

use std::fmt::Write;

use axum::body::Bytes;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ricochet_draw::Theme;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::http::assets::bundle::Modules;

/// A document with places for what differs between addresses.
#[derive(Default)]
pub(crate) struct Template {
    pieces: Vec<Piece>,
    /// The hashes of its scripts and style sheets, for the content security policy.
    pub(crate) script_hashes: Vec<String>,
    pub(crate) style_hashes: Vec<String>,
    /// The paths of its style sheets.
    sheets: Vec<String>,
}

enum Piece {
    Text(String),
    Root,
    Title,
    Description,
    Head,
    Board,
    Delivered,
}

/// What differs between documents.
#[derive(Clone, Debug, Default)]
pub(crate) struct Document {
    /// The way to the page's own folder: `../` for `/p/LINE`.
    pub(crate) root: &'static str,
    pub(crate) title: String,
    pub(crate) description: String,
    /// More elements for the head.
    pub(crate) head: String,
    /// A picture of the board, shown until the scripts run.
    pub(crate) board: String,
    /// What the page need not ask for.
    pub(crate) delivered: Value,
}

/// A mark in a text, and the piece that it stands for.
type Mark = (&'static str, fn() -> Piece);

/// Marks of places, in characters that HTML does not allow.
const MARKS: [Mark; 6] = [
    ("\u{1}root\u{2}", || Piece::Root),
    ("\u{1}title\u{2}", || Piece::Title),
    ("\u{1}description\u{2}", || Piece::Description),
    ("\u{1}head\u{2}", || Piece::Head),
    ("\u{1}board\u{2}", || Piece::Board),
    ("\u{1}delivered\u{2}", || Piece::Delivered),
];

impl Template {
    /// Reads a document: its style sheets and classic scripts are put into it, and all else gets the
    /// address under which it is sent.
    pub(super) fn new(
        html: &str,
        scripts: &Modules,
        plain: impl Fn(&str) -> Option<Bytes>,
        address: impl Fn(&str) -> Option<String>,
    ) -> Self {
        let mut template = Self::default();
        let mut text = String::with_capacity(html.len());
        let mut styles = String::new();
        let mut sheets = Vec::new();
        for line in html.lines() {
            let trimmed = line.trim();
            if trimmed.starts_with("<link rel=\"modulepreload\"") {
                // The file that the document names contains them all.
                continue;
            }
            let sheet = attribute(trimmed, "<link rel=\"stylesheet\"", "href");
            if let Some(sheet) = sheet {
                styles.push_str(&String::from_utf8_lossy(&plain(sheet).unwrap_or_default()));
                template.sheets.push(sheet.to_owned());
                let name = sheet.rsplit('/').next().unwrap_or(sheet);
                sheets.push(name.trim_end_matches(".css").to_owned());
                continue;
            }
            let classic = attribute(trimmed, "<script src=", "src");
            if let Some(script) = classic.and_then(|path| scripts.get(path)) {
                template.script_hashes.push(source_hash(script));
                let _ = writeln!(text, "<script>{script}</script>");
                continue;
            }
            text.push_str(&addressed(line, &address));
            text.push('\n');
        }
        if html.contains("id=\"board\"") {
            styles.push_str(&drawn_colors());
        }
        let styles = minified(&styles);
        template.style_hashes.push(source_hash(&styles));
        let sheets = sheets.join(" ");
        let style =
            format!("<style data-sheets=\"{sheets}\">{styles}</style>\n\u{1}head\u{2}</head>");
        text = text.replace("</head>", &style);
        text = text.replacen("<html ", "<html data-root=\"\u{1}root\u{2}\" ", 1);
        text = replaced_between(&text, "<title>", "</title>", "\u{1}title\u{2}");
        text = replaced_between(
            &text,
            "<meta name=\"description\" content=\"",
            "\"",
            "\u{1}description\u{2}",
        );
        for (place, filled) in [
            ("<h1></h1>", "<h1>\u{1}title\u{2}</h1>"),
            (
                "<p class=\"description\"></p>",
                "<p>\u{1}description\u{2}</p>",
            ),
            ("href=\"./\"", "href=\"\u{1}root\u{2}./\""),
        ] {
            text = text.replace(place, filled);
        }
        if let Some(at) = text
            .find("id=\"board\"")
            .and_then(|at| Some(at + text[at..].find('>')? + 1))
        {
            text.insert_str(at, "\u{1}board\u{2}");
        }
        // Before the scripts of the body, which read it.
        let delivered = "</main>\n<script type=\"application/json\" id=\"delivered\">\u{1}delivered\u{2}</script>";
        text = text.replacen("</main>", delivered, 1);
        template.pieces = pieces(&text);
        template
    }

    pub(super) fn style_sheets(&self) -> Vec<String> {
        self.sheets.clone()
    }

    /// The document with its places filled.
    pub(crate) fn text(&self, document: &Document) -> String {
        let mut text = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text(part) => text.push_str(part),
                Piece::Root => text.push_str(document.root),
                Piece::Title => text.push_str(&escaped(&document.title)),
                Piece::Description => text.push_str(&escaped(&document.description)),
                Piece::Head => text.push_str(&document.head),
                Piece::Board => text.push_str(&document.board),
                // Nothing in it may end the element.
                Piece::Delivered => {
                    text.push_str(&document.delivered.to_string().replace('<', "\\u003c"));
                }
            }
        }
        text
    }
}

fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('\u{1}') {
        pieces.push(Piece::Text(rest[..start].to_owned()));
        rest = &rest[start..];
        let mark = MARKS.iter().find(|(mark, _)| rest.starts_with(mark));
        // Only the marks above are ever written.
        let Some((mark, piece)) = mark else { break };
        pieces.push(piece());
        rest = &rest[mark.len()..];
    }
    pieces.push(Piece::Text(rest.to_owned()));
    pieces
}

/// The value of an attribute in a line that starts with an element.
fn attribute<'a>(line: &'a str, start: &str, name: &str) -> Option<&'a str> {
    let line = line.starts_with(start).then_some(line)?;
    let (_, value) = line.split_once(&format!("{name}=\""))?;
    value.split_once('"').map(|(value, _)| value)
}

/// A line with the addresses of files replaced.
fn addressed(line: &str, address: impl Fn(&str) -> Option<String>) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some(start) = rest.find("=\"") {
        let value = &rest[start + 2..];
        let Some(end) = value.find('"') else { break };
        text.push_str(&rest[..start + 2]);
        match address(&value[..end]) {
            Some(address) => {
                let _ = write!(text, "\u{1}root\u{2}{address}");
            }
            None => text.push_str(&value[..end]),
        }
        rest = &value[end..];
    }
    text.push_str(rest);
    text
}

fn replaced_between(text: &str, start: &str, end: &str, with: &str) -> String {
    let Some((before, rest)) = text.split_once(start) else {
        return text.to_owned();
    };
    let after = rest.find(end).map_or("", |at| &rest[at..]);
    format!("{before}{start}{with}{after}")
}

/// The colours of a drawn board in the themes of the page; those of the light theme are in the picture.
fn drawn_colors() -> String {
    let mut css = String::new();
    for name in ["dark", "color-blind"] {
        if let Some(theme) = Theme::from_name(name) {
            let _ = writeln!(
                css,
                "[data-theme='{name}'] .board-drawn {{\n{}}}",
                theme.css()
            );
        }
    }
    css
}

/// A style sheet without comments and indentation.
fn minified(css: &str) -> String {
    let mut text = String::with_capacity(css.len());
    let mut rest = css;
    while let Some((before, comment)) = rest.split_once("/*") {
        text.push_str(before);
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    text.push_str(rest);
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}

/// The source expression that allows an element of this content.
fn source_hash(content: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(content)))
}

/// A text as HTML, also between quotes.
pub(crate) fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            // HTML does not allow them.
            c if c.is_control() => html.push(' '),
            c => html.push(c),
        }
    }
    html
}

/// A text as a part of an address.
pub(crate) fn percent_encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(byte.into());
        } else {
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}

/// An answer that the page finds in its document, as it would get it from the server.
pub(crate) fn delivered_answer(question: &str, fields: &Value, answer: &str) -> Option<Value> {
    let answer: Value = serde_json::from_str(answer).ok()?;
    Some(json!({"question": question, "fields": fields, "answer": answer}))
}
