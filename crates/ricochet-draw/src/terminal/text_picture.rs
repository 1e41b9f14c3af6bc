//! Terminal drawings as grids of styled characters.

use std::fmt::{self, Write as _};

use anstyle::{Effects, Style};

/// A drawing for a terminal, as rows of styled characters.
///
/// Styles only repeat what the characters say, so [`TextPicture::plain`] loses no information.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextPicture {
    width: usize,
    cells: Vec<(char, Style)>,
}

impl TextPicture {
    pub(crate) fn blank(width: usize, height: usize) -> Self {
        Self {
            width,
            cells: vec![(' ', Style::new()); width * height],
        }
    }

    /// Number of columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Number of rows.
    pub fn height(&self) -> usize {
        self.cells.len() / self.width.max(1)
    }

    pub(crate) fn put(&mut self, column: usize, row: usize, glyph: char, style: Style) {
        debug_assert!(column < self.width, "column {column} of {}", self.width);
        self.cells[row * self.width + column] = (glyph, style);
    }

    pub(crate) fn at(&self, column: usize, row: usize) -> (char, Style) {
        self.cells[row * self.width + column]
    }

    pub(crate) fn write(&mut self, column: usize, row: usize, text: &str, style: Style) {
        for (i, glyph) in text.chars().enumerate() {
            self.put(column + i, row, glyph, style);
        }
    }

    /// The top left part.
    pub(crate) fn cropped(&self, width: usize, height: usize) -> Self {
        let width = width.min(self.width);
        let rows = self.cells.chunks(self.width.max(1)).take(height);
        Self {
            width,
            cells: rows.flat_map(|row| row[..width].to_vec()).collect(),
        }
    }

    /// Pictures side by side, aligned at the top, with `gap` columns between them.
    pub fn side_by_side(pictures: &[Self], gap: usize) -> Self {
        let width = pictures.iter().map(Self::width).sum::<usize>();
        let height = pictures.iter().map(Self::height).max().unwrap_or(0);
        let mut all = Self::blank(width + gap * pictures.len().saturating_sub(1), height);
        let mut left = 0;
        for picture in pictures {
            for (y, row) in picture.cells.chunks(picture.width.max(1)).enumerate() {
                all.cells[y * all.width + left..][..picture.width].copy_from_slice(row);
            }
            left += picture.width + gap;
        }
        all
    }

    /// Lines of unstyled text.
    pub fn from_lines(text: &str) -> Self {
        let width = text.lines().map(|line| line.chars().count()).max();
        let mut picture = Self::blank(width.unwrap_or(0), text.lines().count());
        for (row, line) in text.lines().enumerate() {
            picture.write(0, row, line, Style::new());
        }
        picture
    }

    /// Pictures on top of each other, aligned on the left.
    pub fn stacked(pictures: &[Self]) -> Self {
        let width = pictures.iter().map(Self::width).max().unwrap_or(0);
        let height = pictures.iter().map(Self::height).sum();
        let mut all = Self::blank(width, height);
        let mut top = 0;
        for picture in pictures {
            for (y, row) in picture.cells.chunks(picture.width.max(1)).enumerate() {
                all.cells[(top + y) * width..][..picture.width].copy_from_slice(row);
            }
            top += picture.height();
        }
        all
    }

    /// The rows as runs of text with one style, without blanks at the end of a row.
    pub fn rows(&self) -> impl Iterator<Item = Vec<(String, Style)>> + '_ {
        self.cells.chunks(self.width.max(1)).map(|row| {
            let unseen = |style: Style| {
                style.get_bg_color().is_none() && !style.get_effects().contains(Effects::INVERT)
            };
            let blank = |&(glyph, style): &(char, Style)| glyph == ' ' && unseen(style);
            let length = row
                .iter()
                .rposition(|cell| !blank(cell))
                .map_or(0, |at| at + 1);
            let mut runs: Vec<(String, Style)> = Vec::new();
            for &(glyph, style) in &row[..length] {
                match runs.last_mut() {
                    // A blank looks the same in every style without a background.
                    Some((text, last))
                        if *last == style || (blank(&(glyph, style)) && unseen(*last)) =>
                    {
                        text.push(glyph);
                    }
                    _ => runs.push((glyph.to_string(), style)),
                }
            }
            runs
        })
    }

    /// The characters alone, one line per row.
    pub fn plain(&self) -> String {
        let mut text = String::with_capacity(self.cells.len() * 2);
        for row in self.rows() {
            for (run, _) in row {
                text.push_str(&run);
            }
            text.push('\n');
        }
        text
    }

    /// The characters with ANSI escape sequences for their styles, one line per row.
    pub fn ansi(&self) -> String {
        let mut text = String::with_capacity(self.cells.len() * 4);
        for row in self.rows() {
            for (run, style) in row {
                let _ = write!(text, "{style}{run}{style:#}");
            }
            text.push('\n');
        }
        text
    }
}

impl fmt::Display for TextPicture {
    /// The plain form; with `{:#}` the ANSI form.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&if f.alternate() {
            self.ansi()
        } else {
            self.plain()
        })
    }
}
