//! The report on one board, section by section.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Result, ensure};
use ricochet_core::describe::{join_with_and, thousands};
use ricochet_solve::atomic_file;

use super::aggregate::{Aggregate, Sums, aggregate, aggregate_to_csv, read_aggregate};
use super::{PUBLISHED_STATELESS, SOLVERS, differences};
use crate::experiments::histogram::thesis_distribution;
use crate::experiments::published::{self, Thesis};
use crate::plot::{self, Axis, Chart, Mark, Series, Unit};
use crate::report::NoResults;
use crate::report::document::{Block, Document, Section};
use crate::report::stats::wilson_interval;
use crate::report::table::{Table, Value};
use crate::report::views;
use crate::run::store::RunData;

/// The report of one board. If the directory has rows, their sums are written to `aggregate.csv`; if
/// it has none (a record), the sums are read from there.
///
/// # Errors
/// If there are neither rows nor sums.
pub fn document(directory: &Path, data: &RunData) -> Result<Document> {
    let path = directory.join("aggregate.csv");
    let sums = if data.rows.is_empty() {
        ensure!(path.exists(), NoResults);
        read_aggregate(&path)?
    } else {
        let sums = aggregate(&data.rows);
        atomic_file::write(&path, aggregate_to_csv(&sums)?)?;
        sums
    };
    let thesis = published::thesis();
    let parameters = &data.experiment.parameters;
    let parameter = |name: &str| parameters.get(name).map_or("?", String::as_str);
    let wanted: u64 = parameter("configurations").parse().unwrap_or(0);
    let counted = sums
        .values()
        .map(|by_moves| by_moves.values().map(|s| s.count).sum::<u64>())
        .max()
        .unwrap_or(0);
    let mut distribution = distribution_section(&sums, &thesis);
    if counted < wanted {
        let text = format!(
            "{} of {} positions are done: this run was interrupted, or waits for other shards.",
            thousands(counted),
            thousands(wanted)
        );
        distribution.blocks.insert(0, Block::Warning(text));
    }
    Ok(Document {
        title: "The experiment of the Ricochet Robots thesis".into(),
        lead: format!(
            "{} random positions on the board `{}`, solved by {}, compared with the published results.",
            thousands(counted),
            parameter("board"),
            names(&sums)
        ),
        sections: [
            Some(distribution),
            Some(hit_section(&sums, &thesis)),
            Some(time_section(&sums, &thesis)),
            bfs_section(&sums),
            Some(differences::section(&sums, &thesis)),
        ]
        .into_iter()
        .flatten()
        .collect(),
    })
}

/// The solvers of the run: `a`, `b` and `c`.
fn names(sums: &Aggregate) -> String {
    let solvers = in_order(sums).into_iter();
    join_with_and(
        &solvers
            .map(|(name, _)| format!("`{name}`"))
            .collect::<Vec<_>>(),
    )
}

/// The solvers in the order of the experiment, followed by others.
fn in_order(sums: &Aggregate) -> Vec<(&String, &BTreeMap<u32, Sums>)> {
    let mut solvers: Vec<_> = sums.iter().collect();
    let rank = |name: &str| {
        SOLVERS
            .iter()
            .position(|s| *s == name)
            .unwrap_or(SOLVERS.len())
    };
    solvers.sort_by_key(|(name, _)| (rank(name), (*name).clone()));
    solvers
}

/// The style of a solver; the thesis draws one line for both graph algorithms.
fn style_of(solver: &str) -> usize {
    plot::style_of(if solver == "graph" {
        "graph-v2"
    } else {
        solver
    })
}

/// The name of a solver in the thesis's hit rates, where both graph algorithms share a row.
fn hit_name(solver: &str) -> &str {
    match solver {
        "graph-v1" | "graph-v2" => "graph",
        PUBLISHED_STATELESS => "stateless",
        other => other,
    }
}

/// What the thesis counts as a hit of this solver.
fn counted(solver: &str, sums: &Sums) -> u64 {
    if solver == PUBLISHED_STATELESS {
        sums.claims
    } else {
        sums.hits
    }
}

fn distribution_section(sums: &Aggregate, thesis: &Thesis) -> Section {
    let mut section = Section::new("Required moves");
    let mut counts: BTreeMap<u32, u64> = BTreeMap::new();
    for by_moves in sums.values() {
        for (&moves, s) in by_moves {
            let count = counts.entry(moves).or_insert(0);
            *count = (*count).max(s.count);
        }
    }
    let total: u64 = counts.values().sum();
    let moves: u64 = counts.iter().map(|(&m, &c)| u64::from(m) * c).sum();
    let thesis_moves: u64 = (1..).zip(&thesis.distribution).map(|(m, &c)| m * c).sum();
    section.text(format!(
        "{} positions; {:.2} moves on average, {:.2} in the thesis.",
        thousands(total),
        moves as f64 / total.max(1) as f64,
        thesis_moves as f64 / thesis.configurations as f64
    ));
    section.figure(
        "distribution",
        "Share of the positions by required moves.",
        views::distribution_chart(vec![
            views::distribution_series("ours", &counts),
            thesis_distribution(),
        ]),
    );
    let mut table = Table::new(
        "distribution",
        "Positions by required moves",
        &["moves", "positions", "share", "*positions", "*share"],
    );
    let last = counts.keys().last().copied().unwrap_or(0);
    for moves in 0..=last.max(thesis.distribution.len() as u32) {
        let ours = counts.get(&moves).copied().unwrap_or(0);
        let theirs = (moves as usize)
            .checked_sub(1)
            .and_then(|i| thesis.distribution.get(i).copied());
        if ours == 0 && theirs.is_none() {
            continue;
        }
        table.push(vec![
            moves.into(),
            ours.into(),
            Value::Share(ours as f64 / total.max(1) as f64),
            theirs.into(),
            Value::or_missing(theirs, |c| {
                Value::Share(c as f64 / thesis.configurations as f64)
            }),
        ]);
    }
    section.table(table);
    section
}

fn hit_section(sums: &Aggregate, thesis: &Thesis) -> Section {
    let mut section = Section::new("Hit rate");
    section.text(
        "A hit is a solution with the required number of moves that replays. The published form of \
         `stateless` (`published=on`) computes a length without playing it. That claim is right if it \
         equals the required number of moves, whether or not it can be played, and this is what the \
         thesis counts; so the figure and the table by moves show its claims. All other solvers claim \
         what they played.",
    );
    let mut totals = Table::new(
        "hit-rate-total",
        "Hit rate over all positions, with the 95% interval of Wilson",
        &[
            "solver",
            "positions",
            "hit rate",
            "from",
            "to",
            "claims right",
            "*hit rate",
            "claims below",
            "failed",
            "limit",
        ],
    );
    let mut series = Vec::new();
    let mut drawn: Vec<&str> = Vec::new();
    for (solver, by_moves) in in_order(sums) {
        let sum = |pick: fn(&Sums) -> u64| by_moves.values().map(pick).sum::<u64>();
        let (count, hits) = (sum(|s| s.count), sum(|s| s.hits));
        let interval = wilson_interval(hits, count);
        let name = hit_name(solver);
        totals.push(vec![
            solver.as_str().into(),
            count.into(),
            Value::Share(hits as f64 / count.max(1) as f64),
            Value::or_missing(interval, |(low, _)| Value::Share(low)),
            Value::or_missing(interval, |(_, high)| Value::Share(high)),
            Value::Share(sum(|s| s.claims) as f64 / count.max(1) as f64),
            Value::or_missing(thesis.total_hitrate_percent.get(name), |p| {
                Value::Share(p / 100.0)
            }),
            Value::Share(sum(|s| s.claims_below) as f64 / count.max(1) as f64),
            sum(|s| s.failed).into(),
            sum(|s| s.limits).into(),
        ]);
        let theirs = thesis.hitrate_percent.get(name);
        let points = by_moves
            .iter()
            .map(|(&moves, s)| (f64::from(moves), counted(solver, s) as f64 / s.count as f64));
        series.push(Series::new(
            solver.clone(),
            style_of(solver),
            points.collect(),
        ));
        if let Some(rates) = theirs
            && !drawn.contains(&name)
            && name != "iddfs"
        {
            drawn.push(name);
            let points = (1..)
                .zip(rates)
                .map(|(moves, p)| (f64::from(moves), p / 100.0));
            series.push(Series::published(name, style_of(name), points.collect()));
        }
    }
    section.table(totals);
    section.figure(
        "hit-rate",
        "Hit rate by required moves; for the published `stateless`, the share of correct claims. Optimal solvers are at 100% unless a limit stops them; the thesis draws one line for both graph algorithms.",
        Chart {
            mark: Mark::Line,
            x: Axis::linear("required moves", Unit::Plain),
            y: Axis::linear("hit rate", Unit::Share),
            series,
        },
    );
    section.table(pivot(
        "hit-rate-by-moves",
        "Hit rate by required moves",
        sums,
        |solver, s| Value::Share(counted(solver, s) as f64 / s.count.max(1) as f64),
        &|solver, moves| {
            let rates = thesis.hitrate_percent.get(hit_name(solver))?;
            rates.get(moves - 1).map(|p| Value::Share(p / 100.0))
        },
    ));
    section
}

fn time_section(sums: &Aggregate, thesis: &Thesis) -> Section {
    let mut section = Section::new("Time");
    section.text(format!(
        "Published times: {}; whole milliseconds, so 0 means under half a millisecond and is not drawn \
         on the log scale.",
        thesis.machine
    ));
    let all = TimeView {
        name: "time-by-moves",
        caption: "Mean time by required moves. Solves that ended at the limit count with the time they took.",
        ours: |s| (s.count > 0).then(|| s.micros / s.count as f64),
        theirs: &thesis.mean_ms_by_required_moves,
    };
    let hits = TimeView {
        name: "time-where-optimal",
        caption: "Mean time by required moves over the solves that gave an optimal solution.",
        ours: |s| (s.hits > 0).then(|| s.hit_micros / s.hits as f64),
        theirs: &thesis.mean_ms_where_optimal,
    };
    for view in [all, hits] {
        view.add_to(&mut section, sums);
    }
    section
}

/// Times by required moves, measured and published.
struct TimeView<'a> {
    name: &'a str,
    caption: &'a str,
    ours: fn(&Sums) -> Option<f64>,
    theirs: &'a BTreeMap<String, Vec<f64>>,
}

impl TimeView<'_> {
    fn add_to(&self, section: &mut Section, sums: &Aggregate) {
        let mut series = Vec::new();
        for (solver, by_moves) in in_order(sums) {
            let times = by_moves
                .iter()
                .filter_map(|(&moves, s)| Some((f64::from(moves), (self.ours)(s)?)));
            series.push(Series::new(
                solver.clone(),
                style_of(solver),
                times.collect(),
            ));
            let theirs = self.theirs.get(solver);
            if let Some(ms) = theirs {
                let points = (1..)
                    .zip(ms)
                    .filter(|(_, ms)| **ms > 0.0)
                    .map(|(moves, ms)| (f64::from(moves), ms * 1000.0));
                series.push(Series::published(
                    solver.clone(),
                    style_of(solver),
                    points.collect(),
                ));
            }
        }
        section.figure(
            self.name,
            &format!("{} Log scale.", self.caption),
            Chart {
                mark: Mark::Line,
                x: Axis::linear("required moves", Unit::Plain),
                y: Axis::log("mean time", Unit::Micros),
                series,
            },
        );
        let ours = self.ours;
        section.table(pivot(
            self.name,
            self.caption,
            sums,
            |_, s| Value::or_missing(ours(s), Value::Micros),
            &|solver, moves| {
                let ms = self.theirs.get(solver)?.get(moves - 1)?;
                Some(Value::Millis(*ms))
            },
        ));
    }
}

/// A table with one row per required length and one column per solver, each followed by the published
/// values.
fn pivot(
    name: &str,
    caption: &str,
    sums: &Aggregate,
    ours: impl Fn(&str, &Sums) -> Value,
    theirs: &dyn Fn(&str, usize) -> Option<Value>,
) -> Table {
    let solvers = in_order(sums);
    let longest = solvers
        .iter()
        .filter_map(|(_, by_moves)| by_moves.keys().last())
        .max()
        .map_or(0, |&moves| moves as usize);
    let has_published = |solver: &str| (1..=longest).any(|moves| theirs(solver, moves).is_some());
    let mut titles = vec!["moves".to_owned(), "positions".to_owned()];
    for (solver, _) in &solvers {
        titles.push((*solver).clone());
        if has_published(solver) {
            titles.push(format!("*{solver}"));
        }
    }
    let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
    let mut table = Table::new(name, caption, &titles);
    for moves in 0..=longest {
        let of = |by_moves: &BTreeMap<u32, Sums>| by_moves.get(&(moves as u32)).cloned();
        let Some(count) = solvers
            .iter()
            .filter_map(|(_, by_moves)| Some(of(by_moves)?.count))
            .max()
        else {
            continue;
        };
        let mut row = vec![moves.into(), count.into()];
        for (solver, by_moves) in &solvers {
            row.push(Value::or_missing(of(by_moves), |s| ours(solver, &s)));
            if has_published(solver) {
                let published = (moves > 0).then(|| theirs(solver, moves)).flatten();
                row.push(published.unwrap_or(Value::Missing));
            }
        }
        table.push(row);
    }
    table
}

/// For runs with a graph algorithm.
fn bfs_section(sums: &Aggregate) -> Option<Section> {
    let mut section = Section::new("Nodes of the goal robot's search");
    section.text(
        "The author counts about 60 nodes visited by one breadth-first search of the goal robot in v1, \
         and about 15 in v2. Ours: visited nodes over all searches divided by the number of searches.",
    );
    let mut table = Table::new(
        "bfs-nodes",
        "Nodes visited by one breadth-first search of the goal robot",
        &[
            "solver",
            "searches",
            "nodes per search",
            "*nodes per search",
        ],
    );
    for (solver, published) in [("graph-v1", 60.0), ("graph-v2", 15.0)] {
        let Some(by_moves) = sums.get(solver) else {
            continue;
        };
        let nodes: u64 = by_moves.values().map(|s| s.nodes).sum();
        let searches: u64 = by_moves.values().map(|s| s.expanded).sum();
        table.push(vec![
            solver.into(),
            searches.into(),
            Value::Real(nodes as f64 / searches.max(1) as f64, 1),
            Value::Real(published, 0),
        ]);
    }
    if table.rows.is_empty() {
        return None;
    }
    section.table(table);
    Some(section)
}
