//! How time, nodes and memory grow: with the required moves, the robots, the size of the board and
//! the number of walls.

use std::collections::BTreeMap;

use anyhow::{Result, ensure};
use ricochet_core::Puzzle;
use ricochet_core::describe::capitalize;
use ricochet_core::generate::{RandomBoard, Recipe};
use ricochet_core::quadrants::Edition;

use super::CommonOptions;
use crate::corpus::Corpus;
use crate::plot::{Axis, Chart, Mark, Series, Unit, style_of};
use crate::report::document::{Document, Section};
use crate::report::stats::Sample;
use crate::report::table::{Table, Value};
use crate::report::views;
use crate::run::store::row::{OutcomeKind, Row};
use crate::run::store::{Experiment, RunData};
use crate::run::{RunOptions, RunSummary, run_in};

const MAX_PUZZLES: usize = 100_000;

/// Runs all four series with this many puzzles for each value.
///
/// # Errors
/// If the directory is not usable.
pub fn run(common: &CommonOptions, puzzles: usize, run_options: &RunOptions) -> Result<RunSummary> {
    ensure!(
        puzzles <= MAX_PUZZLES,
        "{puzzles} puzzles for each value: expected at most {MAX_PUZZLES}, since all are held in memory"
    );
    let mut corpora = Vec::new();
    let mut add = |name: String, recipe: &Recipe, count: usize| -> Result<()> {
        corpora.push(Corpus::new(name, generated(recipe, common.seed, count)?));
        Ok(())
    };
    for robots in 2..=6 {
        let recipe = Recipe {
            robots,
            ..Recipe::official(Edition::Of1999)
        };
        add(format!("robots {robots}"), &recipe, puzzles)?;
    }
    for side in [8, 12, 16, 20, 24, 32] {
        let recipe = Recipe::random(RandomBoard::new(side, side));
        add(format!("side {side}"), &recipe, puzzles)?;
    }
    for corners in [4, 8, 12, 17, 22, 27] {
        let board = RandomBoard {
            corners: Some(corners),
            ..RandomBoard::new(16, 16)
        };
        add(
            format!("corners {corners}"),
            &Recipe::random(board),
            puzzles,
        )?;
    }
    corpora.insert(
        0,
        Corpus::new("moves", of_each_length(puzzles.div_ceil(10))?),
    );
    let plan = common.plan(corpora, common.solvers_or(&["flagship", "iddfs"]));
    let experiment = Experiment::new("growth")
        .with_limits(common.limits)
        .with("puzzles", puzzles.to_string())
        .with("seed", common.seed.to_string());
    run_in(&common.out, &experiment, &plan, run_options)
}

/// The first `count` official positions of each length in the corpus.
fn of_each_length(count: usize) -> Result<Vec<Puzzle>> {
    let mut taken: BTreeMap<u32, usize> = BTreeMap::new();
    let corpus = Corpus::load("official/by-length")?;
    let puzzles = corpus.items.into_iter().map(|item| item.puzzle);
    Ok(puzzles
        .filter(|puzzle| {
            let of_length = taken
                .entry(puzzle.known_optimal().unwrap_or(0))
                .or_insert(0);
            *of_length += 1;
            *of_length <= count
        })
        .collect())
}

/// The first `count` puzzles of a seed; numbers whose walls do not fit are skipped.
fn generated(recipe: &Recipe, seed: u64, count: usize) -> Result<Vec<Puzzle>> {
    recipe.check()?;
    let mut puzzles = Vec::with_capacity(count);
    let mut last_error = None;
    for number in 0..count as u64 * 50 {
        if puzzles.len() == count {
            break;
        }
        match recipe.puzzle(seed, number) {
            Ok(puzzle) => puzzles.push(puzzle.with_id(format!("{number}"))),
            Err(error) => last_error = Some(error),
        }
    }
    match last_error {
        Some(error) if puzzles.len() < count => Err(error.into()),
        _ => Ok(puzzles),
    }
}

struct Quantity {
    name: &'static str,
    label: &'static str,
    unit: Unit,
    value: fn(&Row) -> f64,
}

const QUANTITIES: [Quantity; 3] = [
    Quantity {
        name: "time",
        label: "mean time",
        unit: Unit::Micros,
        value: |row| row.micros,
    },
    Quantity {
        name: "nodes",
        label: "mean nodes",
        unit: Unit::Plain,
        value: |row| row.nodes as f64,
    },
    Quantity {
        name: "memory",
        label: "mean of the peak memory",
        unit: Unit::Bytes,
        value: |row| row.peak_bytes as f64,
    },
];

/// The report.
pub fn document(data: &RunData) -> Document {
    let required = views::required_moves(&data.rows);
    let by_moves = |row: &Row| {
        (row.corpus == "moves")
            .then(|| required.get(&(row.corpus.as_str(), row.puzzle.as_str())))
            .flatten()
            .map(|&m| u64::from(m))
    };
    let by_prefix = |prefix: &'static str| {
        move |row: &Row| row.corpus.strip_prefix(prefix)?.trim().parse::<u64>().ok()
    };
    let sections = vec![
        section(
            &data.rows,
            "Required moves",
            "moves",
            "required moves",
            &by_moves,
            "Official positions with four robots, as many of each length as the corpus `official/by-length` has, up to a tenth of the puzzles for each value elsewhere.",
        ),
        section(
            &data.rows,
            "Robots",
            "robots",
            "robots",
            &by_prefix("robots "),
            "Random official positions.",
        ),
        section(
            &data.rows,
            "Size of the board",
            "side",
            "cells a side",
            &by_prefix("side "),
            "Square random boards, as densely built as a printed one, four robots.",
        ),
        section(
            &data.rows,
            "Walls",
            "corners",
            "two-sided corners",
            &by_prefix("corners "),
            "Random boards of 16 × 16 with more or fewer corners (a printed board has 17), four robots.",
        ),
    ];
    Document {
        title: "How the cost grows".into(),
        lead: "Time, nodes and memory by required moves, robots, size of the board and number of walls.".into(),
        sections,
    }
}

fn section(
    rows: &[Row],
    title: &str,
    name: &str,
    x_label: &str,
    key: &dyn Fn(&Row) -> Option<u64>,
    words: &str,
) -> Section {
    let mut section = Section::new(title);
    section.text(words);
    let mut bins: BTreeMap<&str, BTreeMap<u64, Vec<&Row>>> = BTreeMap::new();
    for row in rows {
        if let Some(value) = key(row) {
            let solver = bins.entry(row.solver.as_str()).or_default();
            solver.entry(value).or_default().push(row);
        }
    }
    if let Some(sentence) = between_the_ends(&bins, x_label) {
        section.text(sentence);
    }
    for quantity in &QUANTITIES {
        let series = bins.iter().map(|(solver, by_value)| {
            let points = by_value.iter().filter_map(|(&x, rows)| {
                let mean = Sample::new(rows.iter().map(|row| (quantity.value)(row))).mean()?;
                (mean > 0.0).then_some((x as f64, mean))
            });
            Series::new(*solver, style_of(solver), points.collect())
        });
        section.figure(
            &format!("{}-by-{name}", quantity.name),
            &format!("{} by {x_label}, log scale.", capitalize(quantity.label)),
            Chart {
                mark: Mark::Line,
                x: Axis::linear(x_label, Unit::Plain),
                y: Axis::log(quantity.label, quantity.unit),
                series: series.collect(),
            },
        );
    }
    let mut table = Table::new(
        &format!("by-{name}"),
        &format!("By {x_label}"),
        &[
            "solver",
            x_label,
            "puzzles",
            "limit",
            "mean moves",
            "median time",
            "mean time",
            "max time",
            "mean nodes",
            "mean memory",
        ],
    );
    for (solver, by_value) in &bins {
        for (&value, rows) in by_value {
            let sample = |pick: fn(&Row) -> f64| Sample::new(rows.iter().map(|row| pick(row)));
            let times = sample(|row| row.micros);
            let lengths = Sample::new(rows.iter().filter_map(|row| row.length.map(f64::from)));
            let limits = rows
                .iter()
                .filter(|row| row.outcome == OutcomeKind::Limit)
                .count();
            let time = |value: Option<f64>| Value::or_missing(value, Value::Micros);
            table.push(vec![
                (*solver).into(),
                value.into(),
                rows.len().into(),
                limits.into(),
                Value::or_missing(lengths.mean(), |m| Value::Real(m, 2)),
                time(times.median()),
                time(times.mean()),
                time(times.max()),
                Value::or_missing(sample(|row| row.nodes as f64).mean(), |n| {
                    Value::Count(n as u64)
                }),
                Value::or_missing(sample(|row| row.peak_bytes as f64).mean(), |b| {
                    Value::Bytes(b as u64)
                }),
            ]);
        }
    }
    section.table(table);
    section
}

/// A sentence that compares the smallest with the largest value.
fn between_the_ends(
    bins: &BTreeMap<&str, BTreeMap<u64, Vec<&Row>>>,
    x_label: &str,
) -> Option<String> {
    let mean =
        |rows: &[&Row], pick: fn(&Row) -> f64| Sample::new(rows.iter().map(|row| pick(row))).mean();
    let mut parts = Vec::new();
    let mut ends = None;
    for (solver, by_value) in bins {
        let (first, last) = (by_value.first_key_value()?, by_value.last_key_value()?);
        ends = Some((*first.0, *last.0));
        let quantity = |rows: &[&Row]| {
            let nodes = mean(rows, |row| row.nodes as f64)?.round() as u64;
            Some(format!(
                "{} and {} node{}",
                Value::Micros(mean(rows, |row| row.micros)?).show(),
                Value::Count(nodes).show(),
                if nodes == 1 { "" } else { "s" }
            ))
        };
        parts.push(format!(
            "`{solver}` from {} to {}",
            quantity(first.1)?,
            quantity(last.1)?
        ));
    }
    let (first, last) = ends.filter(|(first, last)| first < last)?;
    let of_any = bins.values().flat_map(BTreeMap::values).flatten();
    let limits = of_any
        .filter(|row| row.outcome == OutcomeKind::Limit)
        .count();
    Some(format!(
        "Means from {first} to {last} {x_label}: {}.{}",
        parts.join("; "),
        match limits {
            0 => String::new(),
            1 => " One solve ended at a limit and counts with what it spent.".into(),
            _ => format!(" {limits} solves ended at a limit and count with what they spent."),
        }
    ))
}
