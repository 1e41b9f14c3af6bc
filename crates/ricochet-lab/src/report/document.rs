//! Documents: sections of paragraphs, tables and figures, written as one HTML page, as Markdown, and as
//! data files.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use ricochet_solve::atomic_file;

use crate::plot::{Chart, Size, confusable, make_styles_distinct, standalone};
use crate::report::html;
use crate::report::table::Table;

/// A plot with a caption.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The name of its files, without extension.
    pub name: String,
    /// The caption.
    pub caption: String,
    /// The plot.
    pub chart: Chart,
}

/// A picture, such as a board, with a caption.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The name of its file, without extension.
    pub name: String,
    /// The caption.
    pub caption: String,
    /// The SVG element.
    pub svg: String,
}

/// A block of a section. Text between backticks is code.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// A paragraph.
    Text(String),
    /// A list of sentences.
    List(Vec<String>),
    /// A warning.
    Warning(String),
    /// A table.
    Table(Table),
    /// A plot.
    Figure(Figure),
    /// A picture.
    Picture(Picture),
}

/// A section.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// The heading.
    pub title: String,
    /// The contents.
    pub blocks: Vec<Block>,
}

impl Section {
    /// An empty section.
    pub fn new(title: &str) -> Self {
        Self {
            title: title.to_owned(),
            blocks: Vec::new(),
        }
    }

    /// Adds a prefix to the names of all files, so that several experiments can share a directory.
    pub(crate) fn rename_files(&mut self, prefix: &str) {
        for block in &mut self.blocks {
            let name = match block {
                Block::Table(table) => &mut table.name,
                Block::Figure(figure) => &mut figure.name,
                Block::Picture(picture) => &mut picture.name,
                Block::Text(_) | Block::List(_) | Block::Warning(_) => continue,
            };
            *name = format!("{prefix}-{name}");
        }
    }

    /// Adds a paragraph.
    pub fn text(&mut self, text: impl Into<String>) -> &mut Self {
        self.blocks.push(Block::Text(text.into()));
        self
    }

    /// Adds a warning.
    pub fn warning(&mut self, text: impl Into<String>) -> &mut Self {
        self.blocks.push(Block::Warning(text.into()));
        self
    }

    /// Adds a list.
    pub fn list<T: Into<String>>(&mut self, items: impl IntoIterator<Item = T>) -> &mut Self {
        let items = items.into_iter().map(Into::into).collect();
        self.blocks.push(Block::List(items));
        self
    }

    /// Adds a table, unless it is empty.
    pub fn table(&mut self, table: Table) -> &mut Self {
        if !table.rows.is_empty() {
            self.blocks.push(Block::Table(table));
        }
        self
    }

    /// Adds a plot, unless it is empty.
    pub fn figure(&mut self, name: &str, caption: &str, chart: Chart) -> &mut Self {
        if !chart.is_empty() {
            self.blocks.push(Block::Figure(Figure {
                name: name.to_owned(),
                caption: caption.to_owned(),
                chart,
            }));
        }
        self
    }
}

/// A whole report.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// The title.
    pub title: String,
    /// One or two sentences under the title.
    pub lead: String,
    /// The contents.
    pub sections: Vec<Section>,
}

impl Document {
    /// All tables.
    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        self.blocks().filter_map(|block| match block {
            Block::Table(table) => Some(table),
            _ => None,
        })
    }

    fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.sections.iter().flat_map(|section| &section.blocks)
    }

    /// The text and the tables, for a terminal.
    pub fn to_text(&self) -> String {
        let mut text = format!(
            "{}\n{}\n",
            self.title,
            "=".repeat(self.title.chars().count())
        );
        for section in &self.sections {
            let _ = write!(
                text,
                "\n{}\n{}\n",
                section.title,
                "-".repeat(section.title.chars().count())
            );
            for block in &section.blocks {
                match block {
                    Block::Text(words) => {
                        let _ = writeln!(text, "{}", wrapped(words, TEXT_COLUMNS));
                    }
                    Block::Warning(words) => {
                        let _ = writeln!(text, "!! {}", wrapped(words, TEXT_COLUMNS - 3));
                    }
                    Block::List(items) => {
                        for item in items {
                            let _ = writeln!(
                                text,
                                "- {}",
                                wrapped(item, TEXT_COLUMNS - 2).replace('\n', "\n  ")
                            );
                        }
                    }
                    Block::Table(table) => {
                        let _ = writeln!(text, "\n{}", table.to_text());
                    }
                    Block::Figure(_) | Block::Picture(_) => {}
                }
            }
        }
        text
    }

    /// Markdown, with figures as files.
    pub fn to_markdown(&self) -> String {
        let mut text = format!("# {}\n\n{}\n", self.title, self.lead);
        for section in &self.sections {
            let _ = writeln!(text, "\n## {}", section.title);
            for block in &section.blocks {
                let _ = match block {
                    Block::Text(words) => writeln!(text, "\n{words}"),
                    Block::Warning(words) => writeln!(text, "\n> **Attention:** {words}"),
                    Block::List(items) => {
                        let lines: Vec<String> =
                            items.iter().map(|item| format!("- {item}\n")).collect();
                        write!(text, "\n{}", lines.concat())
                    }
                    Block::Table(table) => writeln!(
                        text,
                        "\n{}\nData: [tables/{name}.csv](tables/{name}.csv)",
                        table.to_markdown(),
                        name = table.name
                    ),
                    Block::Figure(figure) => writeln!(
                        text,
                        "\n![{caption}](figures/{name}.svg)\n\n*{caption}* Data: \
                         [figures/{name}.csv](figures/{name}.csv)",
                        caption = figure.caption,
                        name = figure.name
                    ),
                    Block::Picture(picture) => writeln!(
                        text,
                        "\n![{caption}](figures/{name}.svg)\n\n*{caption}*",
                        caption = picture.caption,
                        name = picture.name
                    ),
                };
            }
        }
        text
    }

    /// Writes `report.html`, `report.md`, and the data and pictures. A solver has the same style in all
    /// figures, which no other solver has.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write(&self, directory: &Path) -> Result<()> {
        let mut restyled = self.clone();
        let mut charts = restyled.charts();
        make_styles_distinct(&mut charts);
        for chart in charts {
            // There are not enough styles for any number of programs.
            let pairs = confusable(chart);
            debug_assert!(pairs.is_empty() || chart.series.len() > 18, "{pairs:?}");
        }
        restyled.write_as_is(directory)
    }

    pub(crate) fn charts(&mut self) -> Vec<&mut Chart> {
        let blocks = self.sections.iter_mut().flat_map(|it| &mut it.blocks);
        blocks
            .filter_map(|block| match block {
                Block::Figure(figure) => Some(&mut figure.chart),
                _ => None,
            })
            .collect()
    }

    fn write_as_is(&self, directory: &Path) -> Result<()> {
        for sub in ["figures", "tables"] {
            let path = directory.join(sub);
            fs::create_dir_all(&path)
                .with_context(|| format!("cannot create {}", path.display()))?;
        }
        for block in self.blocks() {
            match block {
                Block::Table(table) => {
                    let path = directory.join(format!("tables/{}.csv", table.name));
                    atomic_file::write(&path, table.to_csv()?)?;
                }
                Block::Figure(figure) => {
                    let path = directory.join(format!("figures/{}.csv", figure.name));
                    atomic_file::write(&path, figure.chart.to_csv()?)?;
                    let svg = figure.chart.to_svg(Size::Wide, &figure.caption);
                    let path = directory.join(format!("figures/{}.svg", figure.name));
                    atomic_file::write(&path, standalone(&svg))?;
                }
                Block::Picture(picture) => {
                    let path = directory.join(format!("figures/{}.svg", picture.name));
                    atomic_file::write(&path, &picture.svg)?;
                }
                Block::Text(_) | Block::Warning(_) | Block::List(_) => {}
            }
        }
        atomic_file::write(directory.join("report.md"), self.to_markdown())?;
        atomic_file::write(directory.join("report.html"), html::page(self))?;
        Ok(())
    }
}

/// The width of text for a terminal.
pub(super) const TEXT_COLUMNS: usize = 80;

/// Breaks a text between words into lines of at most `width` characters.
pub(super) fn wrapped(text: &str, width: usize) -> String {
    let mut lines = String::new();
    let mut column = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > width {
            lines.push('\n');
            column = 0;
        } else if column > 0 {
            lines.push(' ');
            column += 1;
        }
        lines.push_str(word);
        column += length;
    }
    lines
}
