//! The self-contained HTML page of a document, with styles and pictures, for light and dark themes,
//! phones and desktops.

use std::fmt::Write as _;

use ricochet_draw::svg::Escaped;

use crate::plot::{DARK, LIGHT, STYLE, Size};
use crate::report::document::{Block, Document, Section};
use crate::report::table::Table;

const PAGE_STYLE: &str = include_str!("report.css");

/// The page of a document.
pub(crate) fn page(document: &Document) -> String {
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta name=\"color-scheme\" content=\"light dark\"/>\n<title>{title}</title>\n\
         <style>:root{{{LIGHT}}}@media(prefers-color-scheme:dark){{:root{{{DARK}}}}}\n{PAGE_STYLE}{STYLE}</style>\n\
         </head>\n<body>\n<header>\n<h1>{title}</h1>\n<p class=\"lead\">{lead}</p>\n</header>\n",
        title = escape(&document.title),
        lead = inline(&document.lead)
    );
    html.push_str("<nav aria-label=\"Contents\"><ol>");
    for (i, section) in document.sections.iter().enumerate() {
        let _ = write!(
            html,
            "<li><a href=\"#s{i}\">{}</a></li>",
            escape(&section.title)
        );
    }
    html.push_str("</ol></nav>\n<main>\n");
    let mut counts = Counts::default();
    for (i, section) in document.sections.iter().enumerate() {
        write_section(&mut html, i, section, &mut counts);
    }
    html.push_str("</main>\n</body>\n</html>\n");
    html
}

fn escape(text: &str) -> String {
    Escaped(text).to_string()
}

/// Allows line breaks after the punctuation of names such as `stateless:published=on`, so that on paper
/// a column is not much wider than its numbers.
fn breakable(title: &str) -> String {
    let mut html = String::new();
    for part in title.split_inclusive([':', '=', '/']) {
        html.push_str(&escape(part));
        if part.ends_with([':', '=', '/']) {
            html.push_str("<wbr/>");
        }
    }
    html
}

#[derive(Default)]
struct Counts {
    tables: usize,
    figures: usize,
}

fn write_section(html: &mut String, number: usize, section: &Section, counts: &mut Counts) {
    let _ = write!(
        html,
        "<section id=\"s{number}\">\n<h2>{}</h2>\n",
        escape(&section.title)
    );
    for block in &section.blocks {
        match block {
            Block::Text(text) => {
                let _ = writeln!(html, "<p>{}</p>", inline(text));
            }
            Block::Warning(text) => {
                let _ = writeln!(
                    html,
                    "<p class=\"warning\" role=\"note\"><strong>Attention.</strong> {}</p>",
                    inline(text)
                );
            }
            Block::List(items) => {
                html.push_str("<ul>\n");
                for item in items {
                    let _ = writeln!(html, "<li>{}</li>", inline(item));
                }
                html.push_str("</ul>\n");
            }
            Block::Table(table) => {
                counts.tables += 1;
                write_table(html, table, counts.tables);
            }
            Block::Figure(figure) => {
                counts.figures += 1;
                let wide = figure.chart.to_svg(Size::Wide, &figure.caption);
                let narrow = figure.chart.to_svg(Size::Narrow, &figure.caption);
                let _ = writeln!(
                    html,
                    "<figure>\n<div class=\"wide\">{wide}</div>\n<div class=\"narrow\">{narrow}</div>\n\
                     <figcaption><b>Figure {}.</b> {} {}</figcaption>\n</figure>",
                    counts.figures,
                    inline(&figure.caption),
                    data_link(&figure.name, &figure.chart.to_csv().unwrap_or_default())
                );
            }
            Block::Picture(picture) => {
                counts.figures += 1;
                let _ = writeln!(
                    html,
                    "<figure class=\"picture\">\n{}\n<figcaption><b>Figure {}.</b> {}</figcaption>\n</figure>",
                    picture.svg,
                    counts.figures,
                    inline(&picture.caption)
                );
            }
        }
    }
    html.push_str("</section>\n");
}

fn write_table(html: &mut String, table: &Table, number: usize) {
    let csv = table.to_csv().unwrap_or_default();
    let _ = write!(
        html,
        "<figure class=\"table\">\n<figcaption><b>Table {number}.</b> {} {}</figcaption>\n\
         <div class=\"scroll\" tabindex=\"0\"><table{}>\n<thead><tr>",
        inline(&table.caption),
        data_link(&table.name, &csv),
        match table.columns.len() {
            0..=9 => "",
            10..=13 => " class=\"wide-table\"",
            _ => " class=\"widest-table\"",
        }
    );
    let class = |i: usize| {
        let numeric = if table.is_numeric(i) {
            "n"
        } else if table.has_sentences(i) {
            "words"
        } else {
            ""
        };
        let published = if table.columns[i].published {
            " pub"
        } else {
            ""
        };
        match format!("{numeric}{published}").trim() {
            "" => String::new(),
            classes => format!(" class=\"{classes}\""),
        }
    };
    for (i, column) in table.columns.iter().enumerate() {
        let note = if column.published {
            "<small>published</small>"
        } else {
            ""
        };
        let _ = write!(
            html,
            "<th scope=\"col\"{}>{}{note}</th>",
            class(i),
            breakable(&column.title)
        );
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        html.push_str("<tr>");
        for (i, value) in row.iter().enumerate() {
            let _ = write!(html, "<td{}>{}</td>", class(i), escape(&value.show()));
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody>\n</table></div>\n</figure>\n");
}

/// A link that saves the data, which the page contains.
fn data_link(name: &str, csv: &str) -> String {
    let mut encoded = String::with_capacity(csv.len() * 2);
    for byte in csv.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.,:;/()".contains(&byte) {
            encoded.push(byte as char);
        } else {
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    format!(
        "<a class=\"data\" download=\"{0}.csv\" href=\"data:text/csv;charset=utf-8,{encoded}\">{0}.csv</a>",
        escape(name)
    )
}

/// Escapes text and turns backticks into code.
fn inline(text: &str) -> String {
    let mut html = String::new();
    for (i, part) in text.split('`').enumerate() {
        let part = escape(part);
        if i % 2 == 1 {
            let _ = write!(html, "<code>{part}</code>");
        } else {
            html.push_str(&part);
        }
    }
    html
}
