//! The extension that the thesis's author suggested: the same experiment on many boards.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use ricochet_core::Board;
use ricochet_core::describe::thousands;
use ricochet_core::quadrants::{Edition, Layout};

use super::position;
use crate::experiments::CommonOptions;
use crate::experiments::histogram::thesis_distribution;
use crate::experiments::published;
use crate::plot::{Axis, Chart, Mark, Series, Unit};
use crate::report::NoResults;
use crate::report::document::{Document, Section};
use crate::report::stats::total_variation;
use crate::report::table::{Table, Value};
use crate::report::views;
use crate::run::store::Experiment;
use crate::run::tally::{self, Chunk, Chunks, Tally};

/// Runs an optimal solver on the 96 layouts of 1999, with `starts` random starts each and all 16 goals.
///
/// # Errors
/// If an answer is wrong or the directory is not usable.
pub fn run_boards(common: &CommonOptions, layouts: usize, starts: usize) -> Result<Tally> {
    let boards: Vec<(Layout, Arc<Board>)> = Edition::Of1999
        .layouts()
        .into_iter()
        .take(layouts)
        .map(|layout| (layout, Arc::new(layout.board())))
        .collect();
    let seed = common.seed;
    let size = starts
        .checked_mul(16)
        .with_context(|| format!("{starts} starts are too many"))?;
    let make = |number: usize| {
        let (layout, board) = &boards[number];
        Chunk {
            name: layout.to_string(),
            size,
            make: Box::new(move |number| position(board, seed, number)),
        }
    };
    let chunks = Chunks {
        count: boards.len(),
        make: Box::new(make),
    };
    let options = common.tally_options("flagship")?;
    let experiment = Experiment::new("boards")
        .with("clock", common.limits.clock.to_string())
        .with("solver", options.solver.to_string())
        .with("seed", seed.to_string())
        .with("layouts", layouts.to_string())
        .with("starts", starts.to_string())
        .with("time limit", common.limits.time_text());
    tally::run(&common.out, &experiment, &chunks, &options)
}

/// The report over many boards.
///
/// # Errors
/// If the tallies cannot be read.
pub fn boards_document(directory: &Path) -> Result<Document> {
    let tallies = tally::read(directory)?;
    ensure!(!tallies.is_empty(), NoResults);
    let thesis = published::thesis();
    let mut total = Tally::default();
    let mut table = Table::new(
        "layouts",
        "Layouts from the easiest to the hardest; 'distance' is the total variation distance to the thesis's distribution",
        &[
            "layout",
            "positions",
            "mean moves",
            "longest",
            "at least 10 moves",
            "distance",
            "time per position",
        ],
    );
    let shares = |tally: &Tally| -> Vec<u64> {
        (1..=40)
            .map(|m| tally.counts.get(&m).copied().unwrap_or(0))
            .collect()
    };
    let mut sorted: Vec<&(String, Tally)> = tallies.iter().collect();
    sorted.sort_by(|a, b| {
        a.1.mean()
            .partial_cmp(&b.1.mean())
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    for (layout, tally) in &sorted {
        total.add(tally);
        let long: u64 = tally.counts.range(10..).map(|(_, c)| c).sum();
        table.push(vec![
            layout.as_str().into(),
            tally.positions().into(),
            Value::or_missing(tally.mean(), |m| Value::Real(m, 3)),
            u64::from(tally.counts.keys().last().copied().unwrap_or(0)).into(),
            Value::Share(long as f64 / tally.positions().max(1) as f64),
            Value::or_missing(total_variation(&shares(tally), &thesis.distribution), |d| {
                Value::Real(d, 3)
            }),
            Value::Micros(tally.micros / tally.positions().max(1) as f64),
        ]);
    }
    let mut section = Section::new("How the distribution changes from board to board");
    let nearest = sorted.iter().filter_map(|(layout, tally)| {
        Some((
            total_variation(&shares(tally), &thesis.distribution)?,
            layout,
        ))
    });
    let nearest = nearest.min_by(|a, b| a.0.total_cmp(&b.0));
    section.text(format!(
        "{} positions on {} layouts, {:.2} moves on average ({:.2} to {:.2} by layout).{}",
        thousands(total.positions()),
        tallies.len(),
        total.mean().unwrap_or(0.0),
        sorted.first().and_then(|(_, t)| t.mean()).unwrap_or(0.0),
        sorted.last().and_then(|(_, t)| t.mean()).unwrap_or(0.0),
        nearest.map_or_else(String::new, |(distance, layout)| format!(
            " The layout whose distribution is nearest to the thesis's is `{layout}` (total variation \
             distance {distance:.3})."
        ))
    ));
    let mut series = Vec::new();
    if let (Some((easy, low)), Some((hard, high))) = (sorted.first(), sorted.last()) {
        let name = format!("easiest, {easy}");
        let mut easiest = views::distribution_series(&name, &low.counts);
        easiest.style = 2;
        let mut all = views::distribution_series("all layouts", &total.counts);
        all.style = 0;
        let name = format!("hardest, {hard}");
        let mut hardest = views::distribution_series(&name, &high.counts);
        hardest.style = 3;
        series.extend([easiest, all, hardest]);
    }
    series.push(thesis_distribution());
    let mut chart = views::distribution_chart(series);
    chart.mark = Mark::Line;
    section.figure(
        "distributions",
        "Share of the positions by required moves: the layouts with the smallest and the largest mean, all layouts together, and the thesis's board.",
        chart,
    );
    let mean_points: Vec<(f64, f64)> = sorted
        .iter()
        .enumerate()
        .filter_map(|(i, (_, tally))| Some((i as f64 + 1.0, tally.mean()?)))
        .collect();
    section.figure(
        "means",
        "Mean of the required moves of each layout, in ascending order.",
        Chart {
            mark: Mark::Bar,
            x: Axis::linear("layout, from the easiest to the hardest", Unit::Plain),
            y: Axis::linear("mean of the required moves", Unit::Plain),
            series: vec![Series::new("layouts", 0, mean_points)],
        },
    );
    section.table(table);
    Ok(Document {
        title: "The experiment of the Ricochet Robots thesis on many boards".into(),
        lead: "A question that the author left open: how the distribution changes with the board."
            .into(),
        sections: vec![section],
    })
}
