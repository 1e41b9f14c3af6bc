//! Tables that are shown as text, Markdown and HTML, and written as CSV with unrounded values.

use std::fmt::Write as _;

use anyhow::Result;
use ricochet_core::describe::thousands;

use super::document::{TEXT_COLUMNS, wrapped};

/// A value of a table: shown rounded and with units, written to CSV unrounded.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// No value.
    Missing,
    /// Text.
    Text(String),
    /// A count.
    Count(u64),
    /// A number with this many decimal places.
    Real(f64, usize),
    /// Microseconds.
    Micros(f64),
    /// Published times in whole milliseconds, where 0 means less than one.
    Millis(f64),
    /// Bytes.
    Bytes(u64),
    /// A fraction, shown in percent.
    Share(f64),
    /// A factor, such as a speed-up.
    Ratio(f64),
}

impl Value {
    /// `Missing` for `None`.
    pub fn or_missing<T>(value: Option<T>, make: impl FnOnce(T) -> Self) -> Self {
        value.map_or(Self::Missing, make)
    }

    /// The value for people.
    pub fn show(&self) -> String {
        match self {
            Self::Missing => "–".to_owned(),
            Self::Text(text) => text.clone(),
            Self::Count(count) => thousands(*count),
            Self::Real(value, digits) => format!("{value:.digits$}"),
            Self::Micros(micros) => show_micros(*micros),
            Self::Millis(millis) => format!("{} ms", thousands(millis.round() as u64)),
            Self::Bytes(bytes) => show_bytes(*bytes),
            Self::Share(share) => show_share(*share),
            // A very small factor is not 0.
            Self::Ratio(ratio) if *ratio > 0.0 && *ratio < 0.095 => {
                format!("{}×", two_digits(*ratio))
            }
            Self::Ratio(ratio) => format!("{}×", three_digits(*ratio)),
        }
    }

    /// The value for programs.
    pub fn raw(&self) -> String {
        match self {
            Self::Missing => String::new(),
            Self::Text(text) => text.clone(),
            Self::Count(count) | Self::Bytes(count) => count.to_string(),
            Self::Real(value, _) | Self::Ratio(value) | Self::Share(value) => {
                format!("{value:.6}")
            }
            Self::Micros(value) => format!("{value:.3}"),
            Self::Millis(value) => format!("{:.3}", value * 1000.0),
        }
    }

    fn is_number(&self) -> bool {
        !matches!(self, Self::Text(_))
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<u64> for Value {
    fn from(count: u64) -> Self {
        Self::Count(count)
    }
}

impl From<u32> for Value {
    fn from(count: u32) -> Self {
        Self::Count(u64::from(count))
    }
}

impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        Self::or_missing(value, Into::into)
    }
}

impl From<usize> for Value {
    fn from(count: usize) -> Self {
        Self::Count(count as u64)
    }
}

/// Three significant digits without an exponent.
pub fn three_digits(value: f64) -> String {
    let digits = match value.abs() {
        v if v >= 99.95 => 0,
        v if v >= 9.995 => 1,
        _ => 2,
    };
    format!("{value:.digits$}")
}

/// A small factor: `0.0023`.
pub(crate) fn two_digits(value: f64) -> String {
    let decimals = (1.0 - value.abs().log10().floor()).clamp(0.0, 12.0) as usize;
    format!("{value:.decimals$}")
}

/// Shows 0% and 100% only for exact values.
fn show_share(share: f64) -> String {
    // Tolerance for rounding in sums of shares.
    const NEARLY_ALL: f64 = 1.0 - 1e-9;
    if share > 0.0 && share < 0.000_05 {
        "<0.01%".to_owned()
    } else if share > 0.999_95 && share < NEARLY_ALL {
        ">99.99%".to_owned()
    } else {
        format!("{:.2}%", share * 100.0)
    }
}

/// `12.3 µs`, `4.56 ms`, `7.89 s`, `12.3 min`.
pub fn show_micros(micros: f64) -> String {
    match micros {
        0.0 => "0 µs".to_owned(),
        m if m < 999.5 => format!("{} µs", three_digits(m)),
        m if m < 999.5e3 => format!("{} ms", three_digits(m / 1e3)),
        m if m < 120e6 => format!("{} s", three_digits(m / 1e6)),
        m if m < 7200e6 => format!("{} min", three_digits(m / 60e6)),
        m => format!("{} h", three_digits(m / 3600e6)),
    }
}

/// `512 B`, `1.50 KiB`, `12.3 MiB`, `3.00 GiB`.
pub fn show_bytes(bytes: u64) -> String {
    let value = bytes as f64;
    match bytes {
        0..1024 => format!("{bytes} B"),
        1024..0x10_0000 => format!("{} KiB", three_digits(value / 1024.0)),
        0x10_0000..0x4000_0000 => format!("{} MiB", three_digits(value / 1_048_576.0)),
        _ => format!("{} GiB", three_digits(value / 1_073_741_824.0)),
    }
}

/// One column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The heading.
    pub title: String,
    /// Whether its values were published by others.
    pub published: bool,
}

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The name of the CSV file, without extension.
    pub name: String,
    /// The caption.
    pub caption: String,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows, with one value per column.
    pub rows: Vec<Vec<Value>>,
}

impl Table {
    /// An empty table. A heading that starts with `*` marks a published column.
    pub fn new(name: &str, caption: &str, columns: &[&str]) -> Self {
        let columns = columns.iter().map(|title| Column {
            published: title.starts_with('*'),
            title: title.trim_start_matches('*').to_owned(),
        });
        Self {
            name: name.to_owned(),
            caption: caption.to_owned(),
            columns: columns.collect(),
            rows: Vec::new(),
        }
    }

    /// Removes the column with this title, if it exists.
    pub fn drop_column(&mut self, title: &str) {
        if let Some(place) = self.columns.iter().position(|it| it.title == title) {
            self.columns.remove(place);
            for row in &mut self.rows {
                row.remove(place);
            }
        }
    }

    /// Adds a row.
    ///
    /// # Panics
    /// If the number of values differs from the number of columns.
    pub fn push(&mut self, row: Vec<Value>) {
        assert_eq!(row.len(), self.columns.len(), "one value a column");
        self.rows.push(row);
    }

    /// Whether a column contains only numbers, so that it is right-aligned.
    pub fn is_numeric(&self, column: usize) -> bool {
        self.rows.iter().all(|row| row[column].is_number())
    }

    /// Whether a column has texts of several lines.
    pub(crate) fn has_sentences(&self, column: usize) -> bool {
        let is_long = |value: &Value| matches!(value, Value::Text(text) if text.len() > 40);
        self.rows.iter().any(|row| is_long(&row[column]))
    }

    /// CSV with unrounded values (times in microseconds, shares as fractions).
    ///
    /// # Errors
    /// Those of the CSV writer, which a table cannot cause.
    pub fn to_csv(&self) -> Result<String> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(self.columns.iter().map(|column| {
            if column.published {
                format!("published {}", column.title)
            } else {
                column.title.clone()
            }
        }))?;
        for row in &self.rows {
            writer.write_record(row.iter().map(Value::raw))?;
        }
        Ok(String::from_utf8(writer.into_inner()?)?)
    }

    fn shown(&self) -> (Vec<String>, Vec<Vec<String>>) {
        let titles = self.columns.iter().map(|column| column.title.clone());
        let rows = self
            .rows
            .iter()
            .map(|row| row.iter().map(Value::show).collect());
        (titles.collect(), rows.collect())
    }

    /// The table for a terminal, with published columns marked by a star. A table wider than 80
    /// characters continues below, with the columns that name the rows repeated.
    pub fn to_text(&self) -> String {
        let (mut titles, rows) = self.shown();
        let mut published = false;
        for (title, column) in titles.iter_mut().zip(&self.columns) {
            if column.published {
                title.push('*');
                published = true;
            }
        }
        let width = |i: usize| {
            let cells = rows.iter().map(|row| row[i].chars().count());
            cells.max().unwrap_or(0).max(titles[i].chars().count())
        };
        let widths: Vec<usize> = (0..titles.len()).map(width).collect();
        let rules: Vec<String> = widths.iter().map(|&w| "-".repeat(w)).collect();
        let mut text = format!("{}\n", wrapped(&self.caption, TEXT_COLUMNS));
        for (number, columns) in self.folded(&widths).iter().enumerate() {
            if number > 0 {
                text.push('\n');
            }
            for cells in [&titles, &rules].into_iter().chain(&rows) {
                let mut shown = String::new();
                for &i in columns {
                    let cell = &cells[i];
                    let gap = widths[i] - cell.chars().count();
                    let (left, right) = if self.is_numeric(i) {
                        (gap, 0)
                    } else {
                        (0, gap)
                    };
                    let _ = write!(shown, "  {:left$}{cell}{:right$}", "", "");
                }
                text.push_str(shown.trim_end());
                text.push('\n');
            }
        }
        if published {
            text.push_str("  * published\n");
        }
        text
    }

    /// The columns in groups that fit into a terminal. Each group begins with the columns that name the
    /// rows: the first one, and the columns of text after it.
    fn folded(&self, widths: &[usize]) -> Vec<Vec<usize>> {
        let count = widths.len();
        let names = (1..count).find(|&i| self.is_numeric(i)).unwrap_or(count);
        let room = |columns: &[usize]| columns.iter().map(|&i| widths[i] + 2).sum::<usize>();
        let mut parts: Vec<Vec<usize>> = Vec::new();
        let mut part: Vec<usize> = (0..names).collect();
        for (i, width) in widths.iter().enumerate().skip(names) {
            if part.len() > names && room(&part) + width + 2 > TEXT_COLUMNS {
                parts.push(std::mem::replace(&mut part, (0..names).collect()));
            }
            part.push(i);
        }
        parts.push(part);
        parts
    }

    /// GitHub's Markdown.
    pub fn to_markdown(&self) -> String {
        let (titles, rows) = self.shown();
        let escape = |cell: &String| cell.replace('|', "\\|");
        let line = |cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(escape).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let titles: Vec<String> = titles
            .into_iter()
            .zip(&self.columns)
            .map(|(title, column)| {
                if column.published {
                    format!("*{title}*")
                } else {
                    title
                }
            })
            .collect();
        let mut text = format!("**{}**\n\n", self.caption);
        text.push_str(&line(&titles));
        let rule = (0..titles.len()).map(|i| if self.is_numeric(i) { "--:" } else { ":--" });
        let _ = writeln!(text, "|{}|", rule.collect::<Vec<_>>().join("|"));
        for row in &rows {
            text.push_str(&line(row));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new("t", "A table", &["solver", "time", "*time"]);
        table.push(vec!["a|b".into(), Value::Micros(12.0), Value::Missing]);
        table.push(vec!["c".into(), Value::Micros(3.4e6), Value::Micros(1e6)]);
        table
    }

    #[test]
    fn text_is_aligned() {
        let text = table().to_text();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[3], "  a|b     12.0 µs       –");
        assert_eq!(lines[4], "  c        3.40 s  1.00 s");
    }

    #[test]
    fn what_is_too_wide_for_a_terminal_continues_below() {
        let titles: Vec<String> = (0..20).map(|i| format!("column {i}")).collect();
        let mut columns = vec!["corpus", "solver"];
        columns.extend(titles.iter().map(String::as_str));
        let mut table = Table::new("t", &"A long caption. ".repeat(9), &columns);
        let mut row: Vec<Value> = vec!["random".into(), "iddfs".into()];
        row.extend((0..20).map(|i| Value::Count(i * 1000)));
        table.push(row);
        let text = table.to_text();
        assert!(
            text.lines().all(|line| line.chars().count() <= 80),
            "{text}"
        );
        let names = text
            .lines()
            .filter(|line| line.starts_with("  random  iddfs "));
        assert_eq!(names.count(), 4, "{text}");
        for title in &titles {
            assert_eq!(
                text.matches(&format!(" {title} ")).count()
                    + text.matches(&format!(" {title}\n")).count(),
                1,
                "{title}: {text}"
            );
        }
    }

    #[test]
    fn a_column_is_dropped_by_its_title() {
        let mut table = Table::new("t", "A table", &["a", "b"]);
        table.push(vec![Value::Count(1), Value::Count(2)]);
        table.drop_column("a");
        table.drop_column("c");
        assert_eq!(table.rows, [[Value::Count(2)]]);
    }

    #[test]
    fn csv_is_raw_and_tells_what_is_published() {
        let csv = table().to_csv().unwrap();
        assert_eq!(
            csv,
            "solver,time,published time\na|b,12.000,\nc,3400000.000,1000000.000\n"
        );
    }

    #[test]
    fn markdown_escapes_bars() {
        let markdown = table().to_markdown();
        assert!(markdown.contains("| a\\|b | 12.0 µs | – |"), "{markdown}");
        assert!(markdown.contains("|:--|--:|--:|"), "{markdown}");
        assert!(markdown.contains("*time*"), "{markdown}");
    }

    #[test]
    fn few_are_not_none_and_most_are_not_all() {
        let shown = [
            (Value::Millis(0.0), "0 ms"),
            (Value::Share(0.8988), "89.88%"),
            (Value::Share(0.000_001), "<0.01%"),
            (Value::Share(0.999_99), ">99.99%"),
            (Value::Ratio(12.34), "12.3×"),
            (Value::Ratio(0.00234), "0.0023×"),
        ];
        for (value, text) in shown {
            assert_eq!(value.show(), text);
        }
    }

    #[test]
    fn units_change_where_digits_would_run_out() {
        let shown: Vec<String> = [0.5, 99.96, 999.4, 999.6, 999_600.0, 119e6, 121e6, 7300e6]
            .map(show_micros)
            .into();
        assert_eq!(
            shown,
            [
                "0.50 µs", "100 µs", "999 µs", "1.00 ms", "1.00 s", "119 s", "2.02 min", "2.03 h"
            ]
        );
        assert_eq!(Value::Bytes(1023).show(), "1023 B");
        assert_eq!(Value::Bytes(1536).show(), "1.50 KiB");
        assert_eq!(Value::Bytes(84 << 20).show(), "84.0 MiB");
        assert_eq!(Value::Bytes(1 << 30).show(), "1.00 GiB");
        assert_eq!(thousands(999u64), "999");
        assert_eq!(thousands(1_234_567u64), "1,234,567");
    }
}
