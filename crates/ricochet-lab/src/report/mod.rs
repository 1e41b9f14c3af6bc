//! Makes the report of a directory: merges its shards, lets the experiment write its sections, adds
//! method and machine.

pub mod document;
mod html;
pub mod stats;
pub mod summary;
pub mod table;
pub mod views;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::census;
use crate::experiments::{self, ai_in_games};
use crate::report::document::{Document, Section};
use crate::report::table::{Table, Value};
use crate::run::clock::Clock;
use crate::run::machine::Machine;
use crate::run::store::{self, Merged};

/// Makes the document of a directory. A directory without an experiment of its own, but with
/// directories of experiments in it, gives one document of all.
///
/// # Errors
/// If there is no experiment, or something in it cannot be read.
pub fn document(directory: &Path) -> Result<Document> {
    if is_experiment(directory) {
        return single(directory).with_context(|| format!("{}", directory.display()));
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
    for part in parts {
        let name = part
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let mut document = single(&part).with_context(|| format!("{}", part.display()))?;
        titles.push(document.title.clone());
        for section in &mut document.sections {
            section.title = format!("{}: {}", document.title, section.title);
            section.rename_files(&name);
        }
        whole.sections.append(&mut document.sections);
    }
    whole.lead = format!("{} experiments: {}.", titles.len(), titles.join("; "));
    Ok(whole)
}

/// Whether a directory holds an experiment or a census.
fn is_experiment(directory: &Path) -> bool {
    ["experiment.json", "census.json"]
        .iter()
        .any(|name| directory.join(name).exists())
}

fn single(directory: &Path) -> Result<Document> {
    if directory.join("census.json").exists() {
        return census::report::document(directory);
    }
    let merged = store::merge(directory)?;
    let mut document = experiments::document(directory, &merged)?;
    let mut alarms = Section::new("Wrong answers");
    let wrong: Vec<String> = merged
        .rows
        .iter()
        .filter(|row| summary::Standing::of(row) == summary::Standing::Wrong)
        .map(|row| {
            format!(
                "{} on {}/{}: {}",
                row.solver, row.corpus, row.puzzle, row.detail
            )
        })
        .chain(contradictions(&merged))
        .collect();
    if !wrong.is_empty() {
        let count = wrong.len();
        alarms.alarm(format!(
            "{count} answers are wrong or contradict each other; times of these solvers are worth nothing."
        ));
        alarms.list(wrong.into_iter().take(50));
        document.sections.insert(0, alarms);
    }
    document.sections.push(method(&merged));
    document.sections.push(machine(&merged.machines));
    Ok(document)
}

/// Answers that cannot both be right. In a game every algorithm meets positions of its own, so that
/// the same round is not the same puzzle.
fn contradictions(merged: &Merged) -> Vec<String> {
    if merged.experiment.kind == ai_in_games::KIND {
        Vec::new()
    } else {
        summary::contradictions(&merged.rows)
    }
}

/// Makes the report and writes it into the directory; answers where the page is.
///
/// # Errors
/// What [`document`] cannot read, or what cannot be written.
pub fn write(directory: &Path) -> Result<(Document, PathBuf)> {
    // Shards that end at the same moment write the report one after the other: the last to read the
    // rows is the last to write.
    let _turn = turn(directory);
    let document = document(directory)?;
    document.write(directory)?;
    Ok((document, directory.join("report.html")))
}

/// The right to write the report of a directory, until it is dropped. Systems that cannot lock a
/// directory go without.
fn turn(directory: &Path) -> Option<fs::File> {
    let handle = fs::File::open(directory).ok()?;
    handle.lock().ok()?;
    Some(handle)
}

fn method(merged: &Merged) -> Section {
    let mut section = Section::new("Method");
    let clock = merged.experiment.parameters.get("clock");
    let clock = if clock.is_some_and(|clock| *clock == Clock::Processor.to_string()) {
        "Times, and time limits, are processor time of the thread that solves: what other programs take of the machine is left out, though they still disturb its caches."
    } else {
        "Times are those that pass on the wall: where the machine was busy (see its load at the start), they say too much."
    };
    section.list([
        "Every solution is replayed cell by cell by code that shares nothing with the solvers, and its length is compared with the known optimum where there is one; an answer that is wrong is shown above everything else.",
        order_of_solves(&merged.experiment.kind),
        clock,
        "The time is that of the call of the solver, set-up of the board's tables included, reading and checking excluded. Where a solve is repeated, the median counts. Quantiles interpolate linearly between ranks.",
        "Limits and failures are rows like others: they count in the share of answered puzzles, and are left out of ratios and, unless a caption says otherwise, of times.",
        "Published figures were measured by their authors on their own machines: compare shapes, not milliseconds.",
    ]);
    let mut table = Table::new(
        "parameters",
        "Parameters of this run",
        &["parameter", "value"],
    );
    for (name, value) in &merged.experiment.parameters {
        let shown = match value.parse() {
            Ok(bytes) if name == "memory limit" => Value::Bytes(bytes),
            _ => value.as_str().into(),
        };
        table.push(vec![name.as_str().into(), shown]);
    }
    if !merged.rows.is_empty() {
        table.push(vec!["rows".into(), merged.rows.len().into()]);
        table.push(vec!["files of rows merged".into(), merged.files.into()]);
    }
    if merged.duplicates > 0 {
        table.push(vec!["rows found twice".into(), merged.duplicates.into()]);
    }
    section.table(table);
    section
}

/// What was solved after what.
fn order_of_solves(kind: &str) -> &'static str {
    match kind {
        ai_in_games::KIND => {
            "Each algorithm plays its game from the first round to the last, with one solver object; the robots stay where a solved round left them."
        }
        "histogram" | "boards" => {
            "Each thread has one solver object for all its positions; positions are counted, not kept."
        }
        _ => {
            "Solvers are interleaved puzzle by puzzle, in an order that turns from puzzle to puzzle, so that a disturbance of the machine hits all of them alike. Warm: one process, one solver object for all puzzles. Cold: a new process for each solve."
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
