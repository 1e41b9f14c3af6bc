//! Any number of random official positions, solved by an optimal solver, counted by required moves.

use std::path::Path;

use anyhow::{Result, ensure};
use ricochet_core::describe::thousands;
use ricochet_core::generate::Recipe;
use ricochet_core::quadrants::Edition;

use super::CommonOptions;
use crate::experiments::published;
use crate::plot::{NEUTRAL, Series};
use crate::report::NoResults;
use crate::report::document::{Document, Section};
use crate::report::stats::total_variation;
use crate::report::table::{Table, Value};
use crate::report::views;
use crate::run::store::{Experiment, RunData};
use crate::run::tally::{self, Chunk, Chunks, Tally};

/// Positions per chunk: enough that writing a line costs nothing, few enough that an interruption loses
/// little.
const CHUNK: usize = 1000;

/// Runs the experiment.
///
/// # Errors
/// If an answer is wrong or the directory is not usable.
pub fn run(common: &CommonOptions, positions: usize, robots: usize) -> Result<Tally> {
    let recipe = Recipe {
        robots,
        ..Recipe::official(Edition::Of1999)
    };
    recipe.check()?;
    let seed = common.seed;
    let make = |number: usize| {
        let first = number * CHUNK;
        let recipe = &recipe;
        Chunk {
            name: number.to_string(),
            size: CHUNK.min(positions - first),
            make: Box::new(move |i| Ok(recipe.puzzle(seed, (first + i) as u64)?)),
        }
    };
    let chunks = Chunks {
        count: positions.div_ceil(CHUNK),
        make: Box::new(make),
    };
    let options = common.tally_options("flagship")?;
    let experiment = Experiment::new("histogram")
        .with("clock", common.limits.clock.to_string())
        .with("solver", options.solver.to_string())
        .with("seed", seed.to_string())
        .with("positions", positions.to_string())
        .with("robots", robots.to_string())
        .with(
            "boards",
            "random layouts of the 1999 edition, 17 printed targets",
        )
        .with("time limit", common.limits.time_text());
    tally::run(&common.out, &experiment, &chunks, &options)
}

/// The table of a distribution.
pub(crate) fn table(tally: &Tally) -> Table {
    let mut table = Table::new(
        "histogram",
        "Positions by required moves",
        &["moves", "positions", "share", "at most this many"],
    );
    let all = tally.positions().max(1) as f64;
    let mut sum = 0;
    for (&moves, &count) in &tally.counts {
        sum += count;
        table.push(vec![
            u64::from(moves).into(),
            count.into(),
            Value::Share(count as f64 / all),
            Value::Share(sum as f64 / all),
        ]);
    }
    table
}

/// The report.
///
/// # Errors
/// If the tallies cannot be read.
pub fn document(directory: &Path, data: &RunData) -> Result<Document> {
    let tallies = tally::read(directory)?;
    ensure!(!tallies.is_empty(), NoResults);
    let mut total = Tally::default();
    for (_, tally) in &tallies {
        total.add(tally);
    }
    let thesis = published::thesis();
    let mut section = Section::new("Distribution of required moves");
    let positions = total.positions();
    section.text(format!(
        "{} random positions on random layouts, each with one of the 17 printed targets; mean {:.2} \
         moves. {} unsolvable, {} at a limit. {:.1} s of solving in total, {:.1} µs per position, the \
         slowest {:.1} ms.",
        thousands(positions),
        total.mean().unwrap_or(0.0),
        total.unsolvable,
        total.limits,
        total.micros / 1e6,
        total.micros / positions.max(1) as f64,
        total.slowest / 1e3,
    ));
    let counts: Vec<u64> = (1..=thesis.distribution.len() as u32)
        .map(|moves| total.counts.get(&moves).copied().unwrap_or(0))
        .collect();
    if let Some(distance) = total_variation(&counts, &thesis.distribution) {
        section.text(format!(
            "The Ricochet Robots thesis counted {} positions on one board; ours come from all 96 layouts \
             and include the vortex, which any robot may reach. The total variation distance between \
             the two distributions is {distance:.3}.",
            thousands(thesis.configurations)
        ));
    }
    section.figure(
        "distribution",
        "Share of the positions by required moves, compared with the Ricochet Robots thesis on one board.",
        views::distribution_chart(vec![
            views::distribution_series("this run", &total.counts),
            thesis_distribution(),
        ]),
    );
    section.table(table(&total));
    Ok(Document {
        title: "Random positions".into(),
        lead: format!(
            "{} positions solved to optimality by `{}`.",
            thousands(positions),
            data.experiment
                .parameters
                .get("solver")
                .map_or("", String::as_str)
        ),
        sections: vec![section],
    })
}

/// The thesis's distribution as shares.
pub(crate) fn thesis_distribution() -> Series {
    let thesis = published::thesis();
    let points = thesis.distribution.iter().enumerate();
    let points =
        points.map(|(i, &count)| ((i + 1) as f64, count as f64 / thesis.configurations as f64));
    Series::published("thesis", NEUTRAL, points.collect())
}
