//! The experiments of Fogleman's slides: the 22-move puzzle with brute force, memo, sorted key and
//! bound; the table of nodes, the map, the distribution.

use std::path::Path;

use anyhow::{Context, Result};
use ricochet_core::Puzzle;
use ricochet_core::describe::thousands;
use ricochet_core::perft::{Perft, Reversals};
use ricochet_draw::{Overlay, Picture as Board};
use ricochet_solve::heuristics::bound::MinMoves;
use ricochet_solve::{DepthRow, Outcome};
use serde::{Deserialize, Serialize};

use super::CommonOptions;
use crate::corpus::Corpus;
use crate::experiments::published::{self, SlidesRow};
use crate::plot::{Axis, Chart, Mark, Series, Unit};
use crate::report::document::{Block, Document, Picture, Section};
use crate::report::table::{Table, Value};
use crate::run::plan::Plan;
use crate::run::store::row::OutcomeKind;
use crate::run::store::{Experiment, RunData, read_json, write_json};
use crate::run::{RunOptions, RunSummary, run_in};

/// The steps of the slides: what is switched on, the solver, and the time that the slides state.
const STEPS: [(&str, &str, &str); 4] = [
    ("iddfs:sort=off:bound=off", "memo", "about 3 minutes"),
    ("iddfs:bound=off", "memo, sorted key", "around 1 minute"),
    ("iddfs", "memo, sorted key, bound", "about 10 seconds"),
    ("flagship", "our flagship", "–"),
];

/// The results of a run in addition to its rows.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct SlidesResult {
    depth_rows: Vec<(u32, u64, u64, u64)>,
    tree_sizes: Vec<u64>,
    tree_micros: f64,
}

fn the_puzzle() -> Result<Puzzle> {
    let records = Corpus::load("records/records")?;
    let mut items = records.items.into_iter();
    let item = items.find(|item| item.id == "slides-22");
    Ok(item.context("the slides' puzzle is embedded")?.puzzle)
}

/// Runs the experiment with brute force to `brute_depth` (10 in the slides).
///
/// # Errors
/// If the directory is not usable.
pub fn run(
    common: &CommonOptions,
    brute_depth: u32,
    run_options: &RunOptions,
) -> Result<RunSummary> {
    let puzzle = the_puzzle()?;
    let solvers = common.solvers_or(&STEPS.map(|(spec, _, _)| spec));
    let plan = Plan {
        jobs: 1,
        keep_moves: true,
        ..common.plan(vec![Corpus::new("slides", [puzzle.clone()])], solvers)
    };
    let experiment = Experiment::new("slides")
        .with_limits(common.limits)
        .with("brute force depth", brute_depth.to_string());
    let done = run_in(&common.out, &experiment, &plan, run_options)?;
    let path = common.out.join("found.json");
    if !path.exists() {
        write_json(&path, &find(&puzzle, common, brute_depth)?)?;
    }
    Ok(done)
}

fn find(puzzle: &Puzzle, common: &CommonOptions, brute_depth: u32) -> Result<SlidesResult> {
    let mut found = SlidesResult::default();
    let mut watch = |row: &DepthRow| {
        found
            .depth_rows
            .push((row.depth, row.nodes, row.inner, row.hits));
    };
    let mut solver = ricochet_solve::registry::build("iddfs")?;
    let (outcome, stats) = solver.solve(puzzle, &common.limits.to_solver_limits(), &mut watch);
    // The observer may not hear of the depth in which the solution is found; a depth that a limit cut
    // short does not count.
    if let Outcome::LimitReached { lower_bound, .. } = outcome {
        found.depth_rows.retain(|row| row.0 < lower_bound);
    }
    if matches!(outcome, Outcome::Solved { .. }) && found.depth_rows.len() < stats.rows.len() {
        found.depth_rows = stats
            .rows
            .iter()
            .map(|r| (r.depth, r.nodes, r.inner, r.hits))
            .collect();
    }
    let watch = common.limits.clock.start();
    let mut sum = 0;
    for count in Perft::new(puzzle, Reversals::Forbidden).take(brute_depth as usize + 1) {
        sum += count;
        found.tree_sizes.push(sum);
    }
    found.tree_micros = crate::run::micros(watch.elapsed());
    Ok(found)
}

/// The report.
///
/// # Errors
/// If the results cannot be read.
pub fn document(directory: &Path, data: &RunData) -> Result<Document> {
    let found: SlidesResult = read_json(&directory.join("found.json"))?;
    let puzzle = the_puzzle()?;
    Ok(Document {
        title: "The puzzle of Fogleman's slides".into(),
        lead: "The 22-move example of Fogleman's slides (2012): the table of nodes, brute force, and the effect of each improvement.".into(),
        sections: vec![
            node_section(&found),
            brute_section(&found),
            ablation_section(data),
            map_section(&puzzle),
            distribution_section(),
        ],
    })
}

fn node_section(found: &SlidesResult) -> Section {
    let published = published::slides().iddfs_depth_table;
    let mut section = Section::new("Nodes by depth");
    let mut table = Table::new(
        "nodes-by-depth",
        "The table of the slides and ours",
        &[
            "depth", "nodes", "inner", "hits", "*nodes", "*inner", "*hits", "equal",
        ],
    );
    let (mut equal, mut reached) = (0, 0);
    for row in &published {
        let ours = found.depth_rows.iter().find(|ours| ours.0 == row.depth);
        let ours = ours.map(|&(depth, nodes, inner, hits)| SlidesRow {
            depth,
            nodes,
            inner,
            hits,
        });
        let same = ours.map(|ours| ours == *row);
        equal += usize::from(same == Some(true));
        reached += usize::from(same.is_some());
        table.push(vec![
            row.depth.into(),
            ours.map(|r| r.nodes).into(),
            ours.map(|r| r.inner).into(),
            ours.map(|r| r.hits).into(),
            row.nodes.into(),
            row.inner.into(),
            row.hits.into(),
            same.map(|same| if same { "yes" } else { "no" }).into(),
        ]);
    }
    let all = published.len();
    if equal < reached {
        section.warning(format!(
            "{equal} of the {reached} rows that were reached match the slides."
        ));
    } else if reached == all {
        section.text(format!(
            "All {all} rows of nodes, inner nodes and hits match the slides to the digit."
        ));
    } else {
        section.text(format!(
            "All {reached} rows of nodes, inner nodes and hits that were reached match the slides \
             to the digit; a limit ended the search before the other {}.",
            all - reached
        ));
    }
    section.table(table);
    let points = |rows: &mut dyn Iterator<Item = (u32, u64)>| -> Vec<(f64, f64)> {
        rows.map(|(d, n)| (f64::from(d), n as f64)).collect()
    };
    section.figure(
        "nodes-by-depth",
        "Nodes of each depth, log scale. Where ours equal the slides', the two lines coincide.",
        Chart {
            mark: Mark::Line,
            x: Axis::linear("depth", Unit::Plain),
            y: Axis::log("nodes", Unit::Plain),
            series: vec![
                Series::new(
                    "ours",
                    0,
                    points(&mut found.depth_rows.iter().map(|r| (r.0, r.1))),
                ),
                Series::published(
                    "slides",
                    1,
                    points(&mut published.iter().map(|r| (r.depth, r.nodes))),
                ),
            ],
        },
    );
    section
}

fn brute_section(found: &SlidesResult) -> Section {
    let published = published::slides().brute_force_nodes_by_depth;
    let mut section = Section::new("Brute force");
    let deepest = found.tree_sizes.len().saturating_sub(1) as u32;
    let all_equal = (1..=deepest).all(|d| {
        published
            .get(&d)
            .is_none_or(|&n| found.tree_sizes.get(d as usize) == Some(&n))
    });
    let words = format!(
        "Sequences of at most this many moves, in which no robot immediately takes back its last move. The \
         slides print depth 10: 2,294,544,866 positions; the others come from the same count. Counted to \
         depth {deepest} in {}.",
        Value::Micros(found.tree_micros).show()
    );
    if all_equal {
        section.text(format!("{words} All counts are equal to the digit."));
    } else {
        section.warning(format!("{words} The counts differ."));
    }
    let mut table = Table::new(
        "brute-force",
        "Size of the tree by depth",
        &["depth", "positions", "*positions"],
    );
    for (&depth, &count) in &published {
        let ours = found.tree_sizes.get(depth as usize).copied();
        table.push(vec![depth.into(), ours.into(), count.into()]);
    }
    section.table(table);
    section
}

fn ablation_section(data: &RunData) -> Section {
    let mut section = Section::new("What each improvement brings");
    section.text(
        "The slides do not name a machine; their times are from 2012. The ratios between the steps are \
         what can be compared: 3 minutes to 1 minute by sorting the key, 1 minute to 10 seconds by the \
         bound.",
    );
    let mut table = Table::new(
        "ablation",
        "The 22-move puzzle with one improvement after the other",
        &[
            "on", "solver", "outcome", "moves", "time", "nodes", "memory", "*time",
        ],
    );
    let mut points = Vec::new();
    for (step, (spec, on, claim)) in STEPS.into_iter().enumerate() {
        let Some(row) = data.rows.iter().find(|row| row.solver == spec) else {
            continue;
        };
        let outcome = match row.outcome {
            OutcomeKind::Solved => "solved".to_owned(),
            _ => row.detail.clone(),
        };
        table.push(vec![
            on.into(),
            spec.into(),
            outcome.into(),
            row.length.into(),
            Value::Micros(row.micros),
            row.nodes.into(),
            Value::Bytes(row.peak_bytes),
            claim.into(),
        ]);
        if row.outcome == OutcomeKind::Solved {
            points.push((step as f64, row.micros));
        }
    }
    let time = |step: usize| {
        let rows = data.rows.iter();
        let mut solved = rows.filter(|row| row.outcome == OutcomeKind::Solved);
        solved
            .find(|row| row.solver == STEPS[step].0)
            .map(|row| row.micros)
    };
    if let (Some(memo), Some(sorted), Some(bound)) = (time(0), time(1), time(2)) {
        section.text(format!(
            "Here the sorted key gives a factor of {:.1} (slides: 3), the bound a factor of {:.1} (slides: 6).",
            memo / sorted,
            sorted / bound
        ));
    }
    let claims = published::slides().slide_claims;
    let claims = [claims.memo_only, claims.sorted_key, claims.with_bound];
    let published: Vec<(f64, f64)> = (0..)
        .zip(claims)
        .map(|(i, s)| (f64::from(i), s * 1e6))
        .collect();
    section.table(table);
    section.figure(
        "ablation",
        "Time for the 22-move puzzle, log scale; steps that ended at a limit are left out. The slides give no time for our flagship.",
        Chart {
            mark: Mark::Bar,
            x: Axis::names("", STEPS.map(|(_, on, _)| on.to_owned()).into()),
            y: Axis::log("time", Unit::Micros),
            series: vec![
                Series::new("ours", 0, points),
                Series::published("slides", 1, published),
            ],
        },
    );
    section
}

fn map_section(puzzle: &Puzzle) -> Section {
    let mut section = Section::new("The minimum-moves map");
    section.text(
        "The moves that the active robot would need if it could stop anywhere: the slides' lower \
         bound. (The table in the slides' text repeats a column: it has 17 in a row.)",
    );
    if let Some(robot) = puzzle.goal().robot {
        let map = MinMoves::new(puzzle.board(), robot, puzzle.goal().cell);
        let overlay = Overlay::new("minimum moves", puzzle.board(), |cell| map.get(cell));
        section.blocks.push(Block::Picture(Picture {
            name: "minimum-moves".into(),
            caption: "The 22-move puzzle with the minimum-moves map of its target.".into(),
            svg: Board::new(puzzle).overlay(&overlay).cell_size(32).svg(),
        }));
    }
    section
}

fn distribution_section() -> Section {
    let mut section = Section::new("Distribution of moves required");
    section.text(format!(
        "The slides draw it without numbers and say that most puzzles can be solved in under 10 moves. \
         Over the {} random official positions of our corpus:",
        thousands(Corpus::load("official/random").map_or(0, |c| c.items.len() as u64))
    ));
    let mut counts = std::collections::BTreeMap::new();
    if let Ok(corpus) = Corpus::load("official/random") {
        for item in &corpus.items {
            if let Some(moves) = item.puzzle.known_optimal() {
                *counts.entry(moves).or_insert(0u64) += 1;
            }
        }
    }
    let under_ten: u64 = counts.range(..10).map(|(_, c)| c).sum();
    let all: u64 = counts.values().sum();
    section.figure(
        "distribution",
        "Share of the random official positions by required moves.",
        crate::report::views::distribution_chart(vec![crate::report::views::distribution_series(
            "positions",
            &counts,
        )]),
    );
    section.text(format!(
        "{} of them need fewer than 10 moves. `ricochet lab histogram` counts a million.",
        Value::Share(under_ten as f64 / all.max(1) as f64).show()
    ));
    section
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A search that a limit has ended early has no opinion on the depths beyond it.
    #[test]
    fn rows_that_were_not_reached_are_not_mismatches() {
        let published = published::slides().iddfs_depth_table;
        let rows = |count: usize| -> Vec<(u32, u64, u64, u64)> {
            let rows = published.iter().take(count);
            rows.map(|r| (r.depth, r.nodes, r.inner, r.hits)).collect()
        };
        let text = |depth_rows| {
            let section = node_section(&SlidesResult {
                depth_rows,
                ..SlidesResult::default()
            });
            format!("{:?}", section.blocks[0])
        };
        assert!(text(rows(22)).contains("All 22 rows"));
        let early = text(rows(16));
        assert!(
            early.contains("All 16 rows") && early.contains("the other 6"),
            "{early}"
        );
        assert!(!early.contains("Warning"), "{early}");
        let mut wrong = rows(16);
        wrong[3].1 += 1;
        let wrong = text(wrong);
        assert!(
            wrong.contains("Warning") && wrong.contains("15 of the 16"),
            "{wrong}"
        );
    }
}
