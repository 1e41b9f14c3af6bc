//! The instances of the ASP competition of 2015 and the planning competition of 2023, compared with the
//! published results.

use std::collections::{BTreeMap, HashMap};

use anyhow::Result;

use super::CommonOptions;
use super::bench;
use crate::plot::{Axis, Chart, Mark, Series, Unit, style_of};
use crate::report::document::{Document, Section};
use crate::report::stats::Sample;
use crate::report::summary::{self, PuzzleResult, SolverResults};
use crate::report::table::{Table, Value};
use crate::report::views;
use crate::run::store::RunData;
use crate::run::store::row::{Mode, OutcomeKind, Row};
use crate::run::{RunOptions, RunSummary};

/// Runs both corpora.
///
/// # Errors
/// If the directory is not usable.
pub fn run(common: &CommonOptions, run_options: &RunOptions) -> Result<RunSummary> {
    let options = bench::BenchOptions {
        corpora: vec!["asp2015".into(), "ipc2023".into()],
        solvers: common.solvers_or(&["flagship"]),
        externals: Vec::new(),
        repeat: 1,
        warmup: 0,
        limits: common.limits,
        jobs: common.jobs,
        shard: common.shard,
        out: common.out.clone(),
        baseline: "iddfs".into(),
        cold: false,
    };
    bench::run_as("competitions", &options, run_options)
}

/// The report.
pub fn document(data: &RunData) -> Document {
    let groups = summary::groups(&data.rows);
    let mut overview = Section::new("Solved, and how fast");
    overview.text(
        "Published: the best planners solved 17 of 20 instances of 2023 in 30 minutes each. Our source \
         does not name the track; both have 20 instances, so the number is listed with both. About the \
         instances of 2015 it says that encodings in SAT and ASP time out on many of them at 600 s, but \
         not on how many. No planner and no encoding was run here, so machines and times cannot be \
         compared.",
    );
    let mut table = Table::new(
        "competitions",
        "Instances solved to proven optimality",
        &[
            "set",
            "solver",
            "instances",
            "solved",
            "limit",
            "median",
            "max",
            "total",
            "*others",
        ],
    );
    for group in &groups {
        let parts: Vec<(&str, String)> = if group.corpus == "ipc2023" {
            vec![
                ("opt", "ipc2023, optimal track".into()),
                ("sat", "ipc2023, satisficing track".into()),
            ]
        } else {
            vec![("", group.corpus.to_owned())]
        };
        for (part, title) in parts {
            let results: Vec<&PuzzleResult> = group
                .results
                .iter()
                .filter(|(id, _)| part.is_empty() || id.contains(&format!("-{part}-")))
                .map(|(_, result)| result)
                .collect();
            if results.is_empty() {
                continue;
            }
            let times = Sample::new(results.iter().filter(|p| p.answered()).map(|p| p.micros));
            let time = |value: Option<f64>| Value::or_missing(value, Value::Micros);
            let published = match part {
                "opt" | "sat" => "17 of 20 in one track, 30 min each".into(),
                "" if group.corpus == "asp2015" => "many time-outs at 600 s".into(),
                _ => Value::Missing,
            };
            table.push(vec![
                title.into(),
                group.solver.into(),
                results.len().into(),
                results.iter().filter(|p| p.answered()).count().into(),
                results.iter().filter(|p| !p.answered()).count().into(),
                time(times.median()),
                time(times.max()),
                time((!times.is_empty()).then(|| times.total())),
                published,
            ]);
        }
    }
    overview.table(table);
    let corpora = summary::corpora(&groups.iter().collect::<Vec<_>>());
    for &corpus in &corpora {
        let of: Vec<&SolverResults<'_>> = groups
            .iter()
            .filter(|g| g.corpus == corpus && g.mode == Mode::Warm)
            .collect();
        overview.figure(
            &format!("answered-{corpus}"),
            &format!("`{corpus}`: share of the instances answered within a time."),
            views::solved_by_time(&of),
        );
    }
    let mut instances = Section::new("Instance by instance");
    let required = views::required_moves(&data.rows);
    for &corpus in &corpora {
        let series = groups.iter().filter(|group| group.corpus == corpus);
        let series = series.map(|group| slowest_by_moves(group, &data.rows, &required));
        instances.figure(
            &format!("slowest-by-moves-{corpus}"),
            &format!("`{corpus}`: the slowest instance of each required length, log scale."),
            Chart {
                mark: Mark::Line,
                x: Axis::linear("required moves", Unit::Plain),
                y: Axis::log("time of the slowest", Unit::Micros),
                series: series.collect(),
            },
        );
    }
    let mut slowest: Vec<_> = data.rows.iter().collect();
    slowest.sort_by(|a, b| b.micros.total_cmp(&a.micros));
    let mut table = Table::new(
        "slowest",
        "The 15 slowest solves",
        &[
            "instance", "solver", "outcome", "moves", "time", "nodes", "memory",
        ],
    );
    for row in slowest.into_iter().take(15) {
        table.push(vec![
            row.puzzle.as_str().into(),
            row.solver.as_str().into(),
            row.outcome.name().into(),
            row.length.into(),
            Value::Micros(row.micros),
            row.nodes.into(),
            Value::Bytes(row.peak_bytes),
        ]);
    }
    instances.table(table);
    Document {
        title: "Competitions".into(),
        lead: "The ASP competition of 2015 (239 instances) and the International Planning Competition of 2023 (40).".into(),
        sections: vec![overview, instances],
    }
}

fn slowest_by_moves(
    group: &SolverResults<'_>,
    rows: &[Row],
    required: &HashMap<(&str, &str), u32>,
) -> Series {
    let mut bins: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    for row in rows {
        let key = (row.corpus.as_str(), row.puzzle.as_str());
        if row.corpus == group.corpus
            && row.solver == group.solver
            && row.outcome == OutcomeKind::Solved
            && let Some(&moves) = required.get(&key)
        {
            bins.entry(moves).or_default().push(row.micros);
        }
    }
    let points = bins
        .into_iter()
        .filter_map(|(moves, times)| Some((f64::from(moves), Sample::new(times).max()?)));
    Series::new(group.solver, style_of(group.solver), points.collect())
}
