//! Reports: merges the shards of a directory, and adds method and machine to the sections of its
//! experiment.

pub mod document;
mod html;
pub mod stats;
pub mod summary;
pub mod table;
pub mod views;

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::census;
use crate::experiments::{self, ai_in_games};
use crate::report::document::{Document, Section};
use crate::report::table::{Table, Value};
use crate::run::machine::Machine;
use crate::run::solve::clock::Clock;
use crate::run::solve::external::ExternalSolverInfo;
use crate::run::store::{self, RunData};

/// The error for a directory with an experiment but without results: the run has not begun, or it is
/// a record without rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoResults;

impl fmt::Display for NoResults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("there are no results to report here; an existing report was kept")
    }
}

impl std::error::Error for NoResults {}

/// A report on disk.
#[derive(Clone, Debug)]
pub struct WrittenReport {
    /// The contents.
    pub document: Document,
    /// The path of the HTML page.
    pub page: PathBuf,
    /// Experiments below the directory that could not be read, one sentence each. The report lists
    /// them.
    pub left_out: Vec<String>,
}

/// The report of a directory. If it contains no experiment but subdirectories do, the document covers
/// all of those that can be read.
///
/// # Errors
/// If there is no experiment, or none with results.
pub fn document(directory: &Path) -> Result<Document> {
    build(directory).map(|(document, _)| document)
}

/// The document, and the experiments that were left out.
fn build(directory: &Path) -> Result<(Document, Vec<String>)> {
    if is_experiment(directory) {
        let document = single(directory).with_context(|| format!("{}", directory.display()))?;
        return Ok((document, Vec::new()));
    }
    let mut parts: Vec<PathBuf> = fs::read_dir(directory)
        .with_context(|| format!("cannot read {}", directory.display()))?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| is_experiment(path))
        .collect();
    parts.sort();
    if parts.is_empty() {
        bail!(
            "no experiment in {}: expected experiment.json there or one level below",
            directory.display()
        );
    }
    let mut whole = Document {
        title: "Ricochet Robots: experiments".into(),
        lead: String::new(),
        sections: Vec::new(),
    };
    let mut titles = Vec::new();
    let mut left_out = Vec::new();
    for part in parts {
        let name = part.file_name().unwrap_or_default().to_string_lossy();
        let mut document = match single(&part) {
            Ok(document) => document,
            Err(error) => {
                left_out.push(format!("{}: {error:#}", part.display()));
                continue;
            }
        };
        titles.push(document.title.clone());
        for section in &mut document.sections {
            section.title = format!("{}: {}", document.title, section.title);
            section.rename_files(&name);
        }
        whole.sections.append(&mut document.sections);
    }
    if titles.is_empty() {
        bail!(
            "cannot make a report from {}: {}",
            directory.display(),
            left_out.join("; ")
        );
    }
    whole.lead = format!("{} experiments: {}.", titles.len(), titles.join("; "));
    if !left_out.is_empty() {
        let mut section = Section::new("Left out");
        section.warning("These experiments could not be read:");
        section.list(left_out.clone());
        whole.sections.insert(0, section);
    }
    Ok((whole, left_out))
}

/// Whether a directory contains an experiment or a census.
fn is_experiment(directory: &Path) -> bool {
    directory.join("experiment.json").exists()
}

fn single(directory: &Path) -> Result<Document> {
    if census::store::is_census(directory) {
        return census::report::document(directory);
    }
    let data = store::merge(directory)?;
    let mut document = experiments::document(directory, &data)?;
    let mut section = Section::new("Wrong answers");
    let wrong: Vec<String> = data
        .rows
        .iter()
        .filter(|row| summary::AnswerCategory::of(row) == summary::AnswerCategory::Wrong)
        .map(|row| {
            format!(
                "{} on {}/{}: {}",
                row.solver, row.corpus, row.puzzle, row.detail
            )
        })
        .chain(contradictions(&data))
        .collect();
    if !wrong.is_empty() {
        section.warning(match wrong.len() {
            1 => "1 answer is wrong or contradicts another; the times of its solver are meaningless."
                .to_owned(),
            count => format!(
                "{count} answers are wrong or contradict each other; the times of these solvers are meaningless."
            ),
        });
        section.list(wrong.into_iter().take(50));
        document.sections.insert(0, section);
    }
    document.sections.push(method(&data));
    if !data.experiment.externals.is_empty() {
        document
            .sections
            .push(externals(&data.experiment.externals));
    }
    document.sections.push(machine(&data.machines));
    Ok(document)
}

/// Answers that contradict each other. In a game every algorithm reaches different positions, so the
/// same round is not the same puzzle.
fn contradictions(data: &RunData) -> Vec<String> {
    if data.experiment.kind == ai_in_games::KIND {
        Vec::new()
    } else {
        summary::contradictions(&data.rows)
    }
}

/// Writes the report into the directory. If there are no results, an existing report is kept.
///
/// # Errors
/// As [`document()`], or if a file cannot be written.
pub fn write(directory: &Path) -> Result<WrittenReport> {
    // Shards that end at the same time write one after the other, so that the last to read the rows
    // is the last to write.
    let _lock = lock(directory);
    let (document, left_out) = build(directory)?;
    document.write(directory)?;
    Ok(WrittenReport {
        document,
        page: directory.join("report.html"),
        left_out,
    })
}

/// Locks a directory until the handle is dropped, on systems that can.
fn lock(directory: &Path) -> Option<fs::File> {
    let handle = fs::File::open(directory).ok()?;
    handle.lock().ok()?;
    Some(handle)
}

fn method(data: &RunData) -> Section {
    let mut section = Section::new("Method");
    let clock = data.experiment.parameters.get("clock");
    let clock = if clock.is_some_and(|clock| *clock == Clock::Processor.to_string()) {
        "Times and time limits are processor time of the solving thread: other programs do not count, though they still disturb the caches."
    } else {
        "Times are wall-clock times. On a busy machine (see its load at the start) they are too long."
    };
    section.list([
        "Every solution is replayed cell by cell by code that shares nothing with the solvers, and its length is compared with the known optimum where there is one; wrong answers are listed first.",
        order_of_solves(&data.experiment.kind),
        clock,
        "Times cover the call of the solver, including the setup of the board's tables, without reading and checking. If a solve is repeated, the median counts. Quantiles interpolate linearly between ranks.",
        "Limits and failures get rows too: they count in the share of answered puzzles, but not in ratios and, unless a caption says otherwise, not in times.",
        "Published results were measured by their authors on their own machines: compare shapes, not milliseconds.",
    ]);
    let mut table = Table::new(
        "parameters",
        "Parameters of this run",
        &["parameter", "value"],
    );
    for (name, value) in &data.experiment.parameters {
        let shown = match value.parse() {
            Ok(bytes) if name == "memory limit" => Value::Bytes(bytes),
            _ => value.as_str().into(),
        };
        table.push(vec![name.as_str().into(), shown]);
    }
    if !data.rows.is_empty() {
        table.push(vec!["rows".into(), data.rows.len().into()]);
        table.push(vec!["files of rows data".into(), data.files.into()]);
    }
    if data.duplicates > 0 {
        table.push(vec!["rows found twice".into(), data.duplicates.into()]);
    }
    section.table(table);
    section
}

/// The external solvers, and what their times mean.
fn externals(notes: &BTreeMap<String, ExternalSolverInfo>) -> Section {
    let mut section = Section::new("External solvers");
    section.text(
        "These programs were run next to our solvers and given one puzzle at a time. They report \
         their own times; a time longer than the one that passed until the answer came is an \
         error. Solutions are replayed where they give moves; otherwise only the length is compared \
         with the known optimum. A solution longer than the optimum counts as solved, not as optimal.",
    );
    let mut table = Table::new(
        "external-solvers",
        "External solvers of this run",
        &["name", "command", "format", "about itself"],
    );
    for (name, note) in notes {
        table.push(vec![
            name.as_str().into(),
            note.command.as_str().into(),
            note.format.as_str().into(),
            note.description.as_str().into(),
        ]);
    }
    section.table(table);
    section
}

/// The order of solving, as a sentence.
fn order_of_solves(kind: &str) -> &'static str {
    match kind {
        ai_in_games::KIND => {
            "Each algorithm plays its game from the first round to the last, with one solver object; the robots stay where a solved round left them."
        }
        "histogram" | "boards" => {
            "Each thread has one solver object for all its positions; positions are counted, not kept."
        }
        _ => {
            "Solvers are interleaved puzzle by puzzle, in an order that rotates from puzzle to puzzle, so that other load on the machine affects all of them alike. Warm: one process, one solver object for all puzzles. Cold: a new process for each solve."
        }
    }
}

fn machine(machines: &[Machine]) -> Section {
    let mut section = Section::new("Machine");
    for (i, machine) in machines.iter().enumerate() {
        let name = if i == 0 {
            "machine".into()
        } else {
            format!("machine-{}", i + 1)
        };
        let mut table = Table::new(&name, "Where it was measured", &["fact", "value"]);
        for (fact, value) in machine.facts() {
            table.push(vec![fact.into(), Value::Text(value)]);
        }
        section.table(table);
    }
    section
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::{confusable, make_styles_distinct};

    /// In the reports of the records that have results; whatever a test writes is checked as it is
    /// written.
    #[test]
    fn every_series_of_every_report_has_a_look_of_its_own() {
        let records = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../records");
        let mut figures = 0;
        for entry in fs::read_dir(records).unwrap() {
            let directory = entry.unwrap().path();
            if !is_experiment(&directory) {
                continue;
            }
            let mut document = match document(&directory) {
                Ok(document) => document,
                Err(error) if error.chain().any(<dyn std::error::Error>::is::<NoResults>) => {
                    continue;
                }
                Err(error) => panic!("{error:#}"),
            };
            let mut charts = document.charts();
            make_styles_distinct(&mut charts);
            for chart in charts {
                let place = directory.display();
                assert_eq!(confusable(chart), [], "{place}: {}", chart.y.label);
                figures += 1;
            }
        }
        assert!(figures > 4, "only {figures} figures");
    }
}
