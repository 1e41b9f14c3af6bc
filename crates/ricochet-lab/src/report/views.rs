//! Plots that several experiments share: by required moves, by time, relative to a baseline.

use std::collections::{BTreeMap, HashMap};

use crate::plot::{Axis, Chart, Mark, NEUTRAL, Series, Unit, style_of};
use crate::report::stats::Sample;
use crate::report::summary::{self, AnswerCategory, SolverResults};
use crate::run::store::row::{Row, Verdict};

/// The required moves of each puzzle, known or proved by a row.
pub fn required_moves(rows: &[Row]) -> HashMap<(&str, &str), u32> {
    let mut required = HashMap::new();
    for row in rows {
        let proved = row
            .length
            .filter(|_| matches!(row.verdict, Verdict::Optimal | Verdict::Proved));
        if let Some(moves) = row.known.or(proved) {
            required.insert((row.corpus.as_str(), row.puzzle.as_str()), moves);
        }
    }
    required
}

/// The results of one solver on the puzzles of one required length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bin {
    /// The number of solves that were not declined.
    pub count: u64,
    /// The number of optimal solutions.
    pub hits: u64,
    /// The times of the verified answers, in microseconds.
    pub micros: Vec<f64>,
    /// The nodes of the verified answers.
    pub nodes: Vec<f64>,
}

/// Bins by required moves.
pub type Bins = BTreeMap<u32, Bin>;

/// The bins of each solver over all corpora, in the order of first appearance.
pub fn bins_by_moves(rows: &[Row]) -> Vec<(String, Bins)> {
    let required = required_moves(rows);
    let mut solvers: Vec<(String, Bins)> = Vec::new();
    let mut index: HashMap<&str, usize> = HashMap::new();
    for row in rows {
        let key = (row.corpus.as_str(), row.puzzle.as_str());
        let category = AnswerCategory::of(row);
        let Some(&moves) = required.get(&key) else {
            continue;
        };
        if category == AnswerCategory::Declined {
            continue;
        }
        let at = *index.entry(row.solver.as_str()).or_insert_with(|| {
            solvers.push((row.solver.clone(), Bins::new()));
            solvers.len() - 1
        });
        let bin = solvers[at].1.entry(moves).or_default();
        bin.count += 1;
        if category <= AnswerCategory::Solved {
            bin.micros.push(row.micros);
            bin.nodes.push(row.nodes as f64);
            bin.hits += u64::from(row.length == Some(moves));
        }
    }
    solvers
}

/// A line for each solver over the required moves.
pub fn by_moves(solvers: &[(String, Bins)], y: Axis, value: impl Fn(&Bin) -> Option<f64>) -> Chart {
    let series = solvers.iter().map(|(name, bins)| {
        let points = bins
            .iter()
            .filter_map(|(&moves, bin)| Some((f64::from(moves), value(bin)?)));
        Series::new(name.clone(), style_of(name), points.collect())
    });
    let series = series.filter(|series| !series.points.is_empty());
    Chart {
        mark: Mark::Line,
        x: Axis::linear("required moves", Unit::Plain),
        y,
        series: series.collect(),
    }
}

/// Mean time by required moves on a log scale.
pub fn time_by_moves(solvers: &[(String, Bins)]) -> Chart {
    by_moves(solvers, Axis::log("mean time", Unit::Micros), |bin| {
        Sample::new(bin.micros.iter().copied()).mean()
    })
}

/// Mean nodes by required moves on a log scale; solvers that count none are left out.
pub fn nodes_by_moves(solvers: &[(String, Bins)]) -> Chart {
    by_moves(solvers, Axis::log("mean nodes", Unit::Plain), |bin| {
        Sample::new(bin.nodes.iter().copied())
            .mean()
            .filter(|&nodes| nodes > 0.0)
    })
}

/// The share of each category of answers, by solver.
pub fn outcomes(groups: &[&SolverResults<'_>]) -> Chart {
    let mut solvers: Vec<&str> = Vec::new();
    for group in groups {
        if !solvers.contains(&group.solver) {
            solvers.push(group.solver);
        }
    }
    let series = AnswerCategory::NAMES
        .iter()
        .enumerate()
        .map(|(style, &(category, name))| {
            let points = solvers.iter().enumerate().filter_map(|(at, solver)| {
                let own = || groups.iter().filter(|group| group.solver == *solver);
                let all: usize = own().map(|group| group.results.len()).sum();
                let count: usize = own()
                    .map(|group| group.count(|result| result.category == category))
                    .sum();
                (count > 0).then(|| (at as f64, count as f64 / all as f64))
            });
            Series::new(name, style, points.collect())
        });
    let series: Vec<Series> = series.filter(|series| !series.points.is_empty()).collect();
    Chart {
        mark: Mark::Bar,
        x: Axis::names("solver", solvers.iter().map(|&it| it.to_owned()).collect()),
        y: Axis::linear("share of the puzzles", Unit::Share),
        series,
    }
}

/// Share of optimal answers by required moves.
pub fn hit_rate_by_moves(solvers: &[(String, Bins)]) -> Chart {
    by_moves(
        solvers,
        Axis::linear("optimal answers", Unit::Share),
        |bin| Some(bin.hits as f64 / bin.count as f64),
    )
}

/// The number of puzzles by required moves.
pub fn distribution(rows: &[Row]) -> BTreeMap<u32, u64> {
    let mut counts = BTreeMap::new();
    for moves in required_moves(rows).into_values() {
        *counts.entry(moves).or_insert(0) += 1;
    }
    counts
}

/// A distribution of positions as bars, in shares.
pub fn distribution_series(name: &str, counts: &BTreeMap<u32, u64>) -> Series {
    let total: u64 = counts.values().sum();
    let points = counts
        .iter()
        .map(|(&moves, &count)| (f64::from(moves), count as f64 / total.max(1) as f64));
    Series::new(name, NEUTRAL, points.collect())
}

/// Bars of distributions.
pub fn distribution_chart(series: Vec<Series>) -> Chart {
    Chart {
        mark: Mark::Bar,
        x: Axis::linear("required moves", Unit::Plain),
        y: Axis::linear("share of the positions", Unit::Share),
        series,
    }
}

/// The share of puzzles solved within a time, one line per solver.
pub fn solved_by_time(groups: &[&SolverResults<'_>]) -> Chart {
    let series = groups.iter().map(|group| {
        let times = group.times();
        let all = group.results.len().max(1) as f64;
        let sorted = times.sorted();
        // A few hundred points draw the same line as all of them.
        let step = (sorted.len() / 400).max(1);
        let mut points: Vec<(f64, f64)> = sorted
            .iter()
            .enumerate()
            .filter(|(i, _)| i % step == 0 || *i + 1 == sorted.len())
            .map(|(i, &micros)| (micros, (i + 1) as f64 / all))
            .collect();
        if let Some(&(first, _)) = points.first() {
            points.insert(0, (first, 0.0));
        }
        Series::new(group.solver, style_of(group.solver), points)
    });
    let series = series.filter(|series| !series.points.is_empty());
    Chart {
        mark: Mark::Step,
        x: Axis::log("time of one solve", Unit::Micros),
        y: Axis::linear("share of the puzzles answered", Unit::Share),
        series: series.collect(),
    }
}

/// The geometric mean of the speed-ups over a baseline, one group of bars per corpus.
pub fn speedups(groups: &[&SolverResults<'_>], baseline: &str) -> Chart {
    let corpora = summary::corpora(groups);
    let mut solvers: Vec<&str> = Vec::new();
    for group in groups {
        if group.solver != baseline && !solvers.contains(&group.solver) {
            solvers.push(group.solver);
        }
    }
    let find = |corpus: &str, solver: &str| {
        groups
            .iter()
            .find(|group| group.corpus == corpus && group.solver == solver)
    };
    let series = solvers.iter().map(|solver| {
        let points = corpora.iter().enumerate().filter_map(|(at, corpus)| {
            let speedup = find(corpus, solver)?.speedup(find(corpus, baseline)?)?;
            Some((at as f64, speedup.geometric_mean))
        });
        Series::new(*solver, style_of(solver), points.collect())
    });
    let series: Vec<Series> = series.filter(|series| !series.points.is_empty()).collect();
    Chart {
        mark: Mark::Bar,
        x: Axis::names("corpus", corpora.iter().map(|&c| c.to_owned()).collect()),
        y: Axis::log(
            &format!("times faster than {baseline} (geometric mean, log scale)"),
            Unit::Plain,
        ),
        series,
    }
}
