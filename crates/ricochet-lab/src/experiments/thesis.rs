//! The thesis's experiment: random starts times 16 goals on one board, all its solvers and ours,
//! 40 s for each solve. And what its author wished for: the same on many boards.
//!
//! The text gives no board that could be rebuilt (it is a picture), so ours is an official layout
//! and figures can agree in shape only.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use ricochet::quadrants::{Edition, Layout};
use ricochet::rng::Rng;
use ricochet::{Board, Cell, Goal, Puzzle, Robot};

use super::Common;
use crate::corpus::Corpus;
use crate::document::{Document, Section};
use crate::plan::Plan;
use crate::plot::{Axis, Chart, Mark, Series, Unit};
use crate::published::{self, Thesis};
use crate::row::{Ending, Mode, Row};
use crate::run::{Done, Manner, run as run_plan};
use crate::stats::{total_variation, wilson_interval};
use crate::store::{Experiment, Merged, Store, write_whole};
use crate::table::{Table, Value, grouped};
use crate::tally::{self, Chunk, Tally};
use crate::views;

/// Solvers of the thesis, and ours.
pub const SOLVERS: [&str; 7] = [
    "naive",
    "iddfs",
    "graph-v1",
    "graph-v2",
    "stateless",
    "stateless:published=on",
    "flagship",
];

/// What to run.
#[derive(Clone, Debug)]
pub struct Options {
    /// The board.
    pub layout: Layout,
    /// How many positions; a multiple of 16.
    pub configurations: usize,
}

/// The position with this number: start `number / 16`, goal `number % 16`. As in the thesis, robots
/// start on open cells that are no goals, and the vortex is not among the goals.
fn position(board: &Arc<Board>, seed: u64, number: usize) -> Result<Puzzle> {
    let goals: Vec<(Robot, Cell)> = board
        .targets()
        .iter()
        .filter_map(|target| Some((target.robot?, target.cell)))
        .collect();
    let (start, goal) = (number / goals.len(), number % goals.len());
    let free: Vec<Cell> = board
        .cells()
        .filter(|&cell| !board.is_closed(cell) && goals.iter().all(|&(_, g)| g != cell))
        .collect();
    let mut rng = Rng::numbered(seed, start as u64);
    let mut robots: Vec<Cell> = Vec::with_capacity(4);
    while robots.len() < 4 {
        let cell = free[rng.below(free.len())];
        if !robots.contains(&cell) {
            robots.push(cell);
        }
    }
    let (robot, cell) = goals[goal];
    let goal = Goal {
        robot: Some(robot),
        cell,
    };
    let puzzle = Puzzle::new(Arc::clone(board), &robots, goal)?;
    Ok(puzzle.with_id(format!("s{start}-{}{}", robot.letter(), number % 16)))
}

/// Runs the experiment on one board.
///
/// # Errors
/// A number of configurations that is no multiple of 16, or a directory that cannot be used.
pub fn run(common: &Common, options: &Options, manner: &Manner) -> Result<Done> {
    if options.configurations == 0 || !options.configurations.is_multiple_of(16) {
        bail!(
            "{} configurations: expected a multiple of 16 (every start has 16 goals)",
            options.configurations
        );
    }
    let board = Arc::new(options.layout.board());
    let puzzles: Result<Vec<Puzzle>> = (0..options.configurations)
        .map(|number| position(&board, common.seed, number))
        .collect();
    let plan = Plan {
        corpora: vec![Corpus::new("thesis", puzzles?)],
        solvers: common.solvers_or(&SOLVERS),
        repeat: 1,
        modes: vec![Mode::Warm],
        budget: common.budget,
        jobs: common.jobs,
        shard: common.shard,
        keep_moves: false,
    };
    let experiment = Experiment::new("thesis")
        .with("board", options.layout.to_string())
        .with("configurations", options.configurations.to_string())
        .with("seed", common.seed.to_string())
        .with("time limit", format!("{:?}", common.budget.time))
        .with("memory limit", common.budget.memory.to_string());
    let mut store = Store::open(&common.out, &experiment, common.shard)?;
    let done = run_plan(&plan, &mut store, manner)?;
    Ok(done)
}

/// Runs many boards: the 96 layouts of 1999, `starts` random starts each, all 16 goals, an optimal
/// solver only.
///
/// # Errors
/// A wrong answer, or a directory that cannot be used.
pub fn run_boards(common: &Common, layouts: usize, starts: usize) -> Result<Tally> {
    let boards: Vec<(Layout, Arc<Board>)> = Edition::Of1999
        .layouts()
        .into_iter()
        .take(layouts)
        .map(|layout| (layout, Arc::new(layout.board())))
        .collect();
    let seed = common.seed;
    let chunks: Vec<Chunk<'_>> = boards
        .iter()
        .map(|(layout, board)| Chunk {
            name: layout.to_string(),
            size: starts * 16,
            make: Box::new(move |number| position(board, seed, number)),
        })
        .collect();
    let manner = common.tally_manner("flagship")?;
    let experiment = Experiment::new("boards")
        .with("solver", manner.solver.to_string())
        .with("seed", seed.to_string())
        .with("layouts", layouts.to_string())
        .with("starts", starts.to_string())
        .with("time limit", format!("{:?}", common.budget.time));
    tally::run(&common.out, &experiment, &chunks, &manner)
}

/// Sums of one solver over the positions of one required length: all that the report needs, so that
/// a record can do without the rows.
#[derive(Clone, Debug, Default, PartialEq)]
struct Sums {
    count: u64,
    hits: u64,
    claims: u64,
    limits: u64,
    failed: u64,
    micros: f64,
    hit_micros: f64,
    nodes: u64,
    expanded: u64,
}

type Aggregate = BTreeMap<String, BTreeMap<u32, Sums>>;

const AGGREGATE_HEADER: &str =
    "solver,required,count,hits,claims,limits,failed,micros,hit_micros,nodes,expanded";

fn aggregate(rows: &[Row]) -> Aggregate {
    let required = views::required_moves(rows);
    let mut aggregate = Aggregate::new();
    for row in rows {
        let key = (row.corpus.as_str(), row.puzzle.as_str());
        let Some(&moves) = required.get(&key) else {
            continue;
        };
        let solver = aggregate.entry(row.solver.clone()).or_default();
        let sums = solver.entry(moves).or_default();
        sums.count += 1;
        sums.limits += u64::from(row.outcome == Ending::Limit);
        sums.failed += u64::from(row.outcome == Ending::Failed);
        sums.claims += u64::from(row.length == Some(moves));
        sums.micros += row.micros;
        sums.nodes += row.nodes;
        sums.expanded += row.expanded;
        if row.outcome == Ending::Solved && row.length == Some(moves) {
            sums.hits += 1;
            sums.hit_micros += row.micros;
        }
    }
    aggregate
}

fn aggregate_to_csv(aggregate: &Aggregate) -> String {
    let mut text = format!("{AGGREGATE_HEADER}\n");
    for (solver, by_moves) in aggregate {
        for (moves, s) in by_moves {
            let _ = writeln!(
                text,
                "{solver},{moves},{},{},{},{},{},{:.3},{:.3},{},{}",
                s.count,
                s.hits,
                s.claims,
                s.limits,
                s.failed,
                s.micros,
                s.hit_micros,
                s.nodes,
                s.expanded
            );
        }
    }
    text
}

fn aggregate_from_csv(text: &str) -> Result<Aggregate> {
    let mut lines = text.lines();
    if lines.next() != Some(AGGREGATE_HEADER) {
        bail!("line 1: expected the header '{AGGREGATE_HEADER}'");
    }
    let mut aggregate = Aggregate::new();
    for (number, line) in lines.enumerate() {
        let parsed = (|| {
            let f: Vec<&str> = line.split(',').collect();
            if f.len() != 11 {
                return None;
            }
            let count = |i: usize| f[i].parse::<u64>().ok();
            let sums = Sums {
                count: count(2)?,
                hits: count(3)?,
                claims: count(4)?,
                limits: count(5)?,
                failed: count(6)?,
                micros: f[7].parse().ok()?,
                hit_micros: f[8].parse().ok()?,
                nodes: count(9)?,
                expanded: count(10)?,
            };
            Some((f[0].to_owned(), f[1].parse::<u32>().ok()?, sums))
        })();
        let (solver, moves, sums) =
            parsed.with_context(|| format!("line {}: not a row of sums", number + 2))?;
        aggregate.entry(solver).or_default().insert(moves, sums);
    }
    Ok(aggregate)
}

/// The report of one board. If the directory has rows, their sums are written to `aggregate.csv`; if
/// it has none (a record), the sums are read from there.
///
/// # Errors
/// Neither rows nor sums.
pub fn document(directory: &Path, merged: &Merged) -> Result<Document> {
    let path = directory.join("aggregate.csv");
    let sums = if merged.rows.is_empty() {
        let text = std::fs::read_to_string(&path)
            .with_context(|| format!("no rows, and cannot read {}", path.display()))?;
        aggregate_from_csv(&text).with_context(|| format!("{}", path.display()))?
    } else {
        let sums = aggregate(&merged.rows);
        write_whole(&path, &aggregate_to_csv(&sums))?;
        sums
    };
    let thesis = published::thesis();
    let parameters = &merged.experiment.parameters;
    let parameter = |name: &str| parameters.get(name).map_or("?", String::as_str);
    let configurations: u64 = parameter("configurations").parse().unwrap_or(0);
    Ok(Document {
        title: "The thesis's experiment".into(),
        lead: format!(
            "{} random positions on the board `{}`, every solver of the thesis and the flagship, beside \
             the published figures.",
            grouped(configurations),
            parameter("board")
        ),
        sections: vec![
            distribution_section(&sums, &thesis),
            hit_section(&sums, &thesis),
            time_section(&sums, &thesis),
            bfs_section(&sums),
            why_section(),
        ],
    })
}

/// In the order of the experiment, others after.
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

fn style_of(solver: &str) -> usize {
    match solver {
        "iddfs" => 1,
        "naive" => 5,
        "graph-v1" => 2,
        "graph-v2" | "graph" => 3,
        "stateless" => 4,
        "stateless:published=on" => 6,
        "flagship" => 0,
        _ => 7,
    }
}

/// The name that the thesis's hit rates have for a solver: both graph algorithms share a row.
fn hit_name(solver: &str) -> &str {
    match solver {
        "graph-v1" | "graph-v2" => "graph",
        "stateless:published=on" => "stateless",
        other => other,
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
        grouped(total),
        moves as f64 / total.max(1) as f64,
        thesis_moves as f64 / thesis.configurations as f64
    ));
    section.figure(
        "distribution",
        "Share of the positions by required moves.",
        views::distribution_chart(vec![
            views::distribution_series("ours", 0, &counts),
            super::histogram::thesis_distribution(1),
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
            u64::from(moves).into(),
            ours.into(),
            Value::Share(ours as f64 / total.max(1) as f64),
            Value::or_missing(theirs, Value::Count),
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
         `stateless` (`published=on`) reports the length that the algorithm computes without playing \
         it; its claims are counted apart.",
    );
    let mut totals = Table::new(
        "hit-rate-total",
        "Hit rate over all positions, with the 95% interval of Wilson",
        &[
            "solver",
            "positions",
            "hits",
            "hit rate",
            "from",
            "to",
            "claims right",
            "failed",
            "limit",
            "*hit rate",
        ],
    );
    let mut series = Vec::new();
    let mut drawn: Vec<&str> = Vec::new();
    let mut by_moves_table = Table::new(
        "hit-rate-by-moves",
        "Hit rate by required moves",
        &["solver", "moves", "positions", "hit rate", "*hit rate"],
    );
    for (solver, by_moves) in in_order(sums) {
        let sum = |pick: fn(&Sums) -> u64| by_moves.values().map(pick).sum::<u64>();
        let (count, hits) = (sum(|s| s.count), sum(|s| s.hits));
        let interval = wilson_interval(hits, count);
        let name = hit_name(solver);
        totals.push(vec![
            solver.as_str().into(),
            count.into(),
            hits.into(),
            Value::Share(hits as f64 / count.max(1) as f64),
            Value::or_missing(interval, |(low, _)| Value::Share(low)),
            Value::or_missing(interval, |(_, high)| Value::Share(high)),
            Value::Share(sum(|s| s.claims) as f64 / count.max(1) as f64),
            sum(|s| s.failed).into(),
            sum(|s| s.limits).into(),
            Value::or_missing(thesis.total_hitrate_percent.get(name), |p| {
                Value::Share(p / 100.0)
            }),
        ]);
        let theirs = thesis.hitrate_percent.get(name);
        let points = by_moves
            .iter()
            .map(|(&moves, s)| (f64::from(moves), s.hits as f64 / s.count as f64));
        series.push(Series::new(
            solver.clone(),
            style_of(solver),
            points.collect(),
        ));
        for (&moves, s) in by_moves {
            let published = theirs.and_then(|rates| rates.get((moves as usize).checked_sub(1)?));
            by_moves_table.push(vec![
                solver.as_str().into(),
                u64::from(moves).into(),
                s.count.into(),
                Value::Share(s.hits as f64 / s.count as f64),
                Value::or_missing(published, |p| Value::Share(p / 100.0)),
            ]);
        }
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
        "Hit rate by required moves. Optimal solvers are at 100% unless a limit ends them; the thesis draws one line for both graph algorithms.",
        Chart {
            mark: Mark::Line,
            x: Axis::linear("required moves", Unit::Plain),
            y: Axis::linear("hit rate", Unit::Share),
            series,
        },
    );
    section.table(by_moves_table);
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
        caption: "Mean time by required moves, log scale. Solves that ended at the limit count with the time they took.",
        ours: |s| (s.count > 0).then(|| s.micros / s.count as f64),
        theirs: &thesis.mean_ms_by_required_moves,
    };
    let hits = TimeView {
        name: "time-where-optimal",
        caption: "The same over the solves that gave an optimal solution.",
        ours: |s| (s.hits > 0).then(|| s.hit_micros / s.hits as f64),
        theirs: &thesis.mean_ms_where_optimal,
    };
    for view in [all, hits] {
        view.add_to(&mut section, sums);
    }
    section
}

/// Times by required moves in one reading, ours and published.
struct TimeView<'a> {
    name: &'a str,
    caption: &'a str,
    ours: fn(&Sums) -> Option<f64>,
    theirs: &'a BTreeMap<String, Vec<f64>>,
}

impl TimeView<'_> {
    fn add_to(&self, section: &mut Section, sums: &Aggregate) {
        let mut table = Table::new(
            self.name,
            self.caption,
            &["solver", "moves", "mean time", "*mean time"],
        );
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
            for (&moves, s) in by_moves {
                let published = theirs.and_then(|ms| ms.get((moves as usize).checked_sub(1)?));
                table.push(vec![
                    solver.as_str().into(),
                    u64::from(moves).into(),
                    Value::or_missing((self.ours)(s), Value::Micros),
                    Value::or_missing(published, |ms| Value::Micros(ms * 1000.0)),
                ]);
            }
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
            self.caption,
            Chart {
                mark: Mark::Line,
                x: Axis::linear("required moves", Unit::Plain),
                y: Axis::log("mean time", Unit::Micros),
                series,
            },
        );
        section.table(table);
    }
}

fn bfs_section(sums: &Aggregate) -> Section {
    let mut section = Section::new("Nodes of the goal robot's search");
    section.text(
        "The author counts about 60 nodes visited by one breadth-first search of the goal robot in v1, \
         and about 15 in v2. Ours: visited nodes over all searches divided by the number of searches.",
    );
    let mut table = Table::new(
        "bfs-nodes",
        "Nodes visited by one breadth-first search of the goal robot",
        &["solver", "searches", "nodes a search", "*nodes a search"],
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
    section.table(table);
    section
}

fn why_section() -> Section {
    let mut section = Section::new("Where ours differ, and why");
    section.list([
        "The board: the thesis shows its own as a picture only, so ours is an official layout. Which lengths are common, and with them every average, depends on the board (see the experiment over 96 layouts).",
        "The machine and the language: Java with a 4 GB heap on an older processor; ours is native code. Times agree in shape: exponential in the required moves for all but `stateless`.",
        "`naive` misses long positions in the thesis because 40 s or the heap run out; ours holds more states and searches faster, so its hit rate falls later, or not at all.",
        "`stateless` in the thesis counts computed lengths, a few of which cannot be played; ours counts only what replays. The row `stateless:published=on` computes them as published.",
    ]);
    section
}

/// The report over many boards.
///
/// # Errors
/// Tallies that cannot be read.
pub fn boards_document(directory: &Path) -> Result<Document> {
    let tallies = tally::read(directory)?;
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
            "time a position",
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
        grouped(total.positions()),
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
        series.push(views::distribution_series(
            &format!("easiest, {easy}"),
            2,
            &low.counts,
        ));
        series.push(views::distribution_series("all layouts", 0, &total.counts));
        series.push(views::distribution_series(
            &format!("hardest, {hard}"),
            3,
            &high.counts,
        ));
    }
    series.push(super::histogram::thesis_distribution(1));
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
        title: "The thesis's experiment on many boards".into(),
        lead: "What its author wished for: how the distribution changes with the board.".into(),
        sections: vec![section],
    })
}
