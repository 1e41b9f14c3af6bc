//! The report of a census: the exact distribution, the spread over boards and targets, the hardest
//! positions.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use anyhow::{Context, Result};
use ricochet_core::describe::thousands;
use ricochet_core::quadrants::Edition;

use super::contents::{Contents, Totals, read};
use super::tasks::TargetKey;
use crate::experiments::published;
use crate::plot::{Axis, Chart, Mark, Series, Unit};
use crate::report::document::{Document, Section};
use crate::report::stats::Sample;
use crate::report::table::{Table, Value};

/// The most moves of any position known to players; a forum claims that it is the maximum.
const RECORD: usize = 25;
const RECORD_ROBOTS: usize = 4;

/// The report of a directory written by `ricochet census`, complete or not.
///
/// # Errors
/// If it cannot be read, or no target is counted yet.
pub fn document(directory: &Path) -> Result<Document> {
    let census = read(directory)?;
    let first = census.targets.values().next();
    first.with_context(|| format!("{}: no target is counted yet", directory.display()))?;
    let layouts = by_layout(&census.targets);
    Ok(Document {
        title: format!("Census with {} robots", census.robots),
        lead: format!(
            "All states of {} targets on {} {}, counted by their exact distance: {} states. This \
             is {}.",
            thousands(census.targets.len() as u64),
            thousands(layouts.len() as u64),
            if layouts.len() == 1 {
                "layout"
            } else {
                "layouts"
            },
            thousands(census.targets.values().map(Totals::states).sum::<u64>()),
            extent(&layouts, census.targets.len())
        ),
        sections: vec![
            distribution(&census.targets),
            boards(&census.targets),
            targets(&census.targets),
            hardest(&census),
        ],
    })
}

/// How much is counted of the smallest edition with all these layouts.
fn extent(layouts: &BTreeMap<&str, Vec<(&TargetKey, &Totals)>>, targets: usize) -> String {
    for (year, edition) in [(1999, Edition::Of1999), (2013, Edition::Of2013)] {
        let whole = edition.layouts();
        let names: HashSet<String> = whole.iter().map(ToString::to_string).collect();
        if !layouts.keys().all(|&layout| names.contains(layout)) {
            continue;
        }
        let everything: usize = whole.iter().map(|l| l.board().targets().len()).sum();
        return if targets == everything {
            format!("the whole edition of {year}")
        } else {
            format!(
                "a part: the edition of {year} has {} targets on {} layouts",
                thousands(everything as u64),
                thousands(whole.len() as u64)
            )
        };
    }
    "no part of an edition".to_owned()
}

fn by_layout(targets: &BTreeMap<TargetKey, Totals>) -> BTreeMap<&str, Vec<(&TargetKey, &Totals)>> {
    let mut layouts: BTreeMap<&str, Vec<(&TargetKey, &Totals)>> = BTreeMap::new();
    for (key, totals) in targets {
        layouts.entry(&key.layout).or_default().push((key, totals));
    }
    layouts
}

/// The share of states at each distance, with equal weight for every target, and that of unsolvable
/// states.
fn shares<'a>(targets: impl Iterator<Item = &'a Totals> + Clone) -> (Vec<f64>, f64) {
    let count = targets.clone().count().max(1) as f64;
    let mut shares = Vec::new();
    let mut unsolvable = 0.0;
    for totals in targets {
        let states = totals.states().max(1) as f64;
        if shares.len() < totals.counts.len() {
            shares.resize(totals.counts.len(), 0.0);
        }
        for (share, &states_here) in shares.iter_mut().zip(&totals.counts) {
            *share += states_here as f64 / states / count;
        }
        unsolvable += totals.unsolvable as f64 / states / count;
    }
    (shares, unsolvable)
}

fn is_colored(key: &TargetKey) -> bool {
    key.color != "any"
}

fn distribution(targets: &BTreeMap<TargetKey, Totals>) -> Section {
    let mut section = Section::new("Distribution");
    section.text(
        "States of a coloured target are the cells of the robot that has to arrive times the \
         unordered cells of the others; for a target of any robot they are unordered cells of all. \
         Shares weigh every target alike: a start and a target drawn at random. The thesis drew \
         160,000 positions on one board, with coloured targets, none of them solved at the start.",
    );
    section.text(
        "These are distances, not what a solver finds: the hit rates of graph-v2 and stateless \
         remain samples.",
    );
    let colored: Vec<&Totals> = targets
        .iter()
        .filter(|(key, _)| is_colored(key))
        .map(|(_, totals)| totals)
        .collect();
    let any: Vec<&Totals> = targets
        .iter()
        .filter(|(key, _)| !is_colored(key))
        .map(|(_, totals)| totals)
        .collect();
    let (colored_shares, colored_unsolvable) = shares(colored.iter().copied());
    let (any_shares, any_unsolvable) = shares(any.iter().copied());
    let sum = |totals: &[&Totals], distance: usize| -> u64 {
        let counts = totals
            .iter()
            .filter_map(|totals| totals.counts.get(distance));
        counts.sum()
    };
    let mut table = Table::new(
        "distribution",
        "States by their exact distance",
        &[
            "distance",
            "states, coloured",
            "share",
            "states, any robot",
            "share ",
            "thesis, sampled",
        ],
    );
    let thesis = published::thesis();
    let sampled = |distance: usize| {
        let count = distance
            .checked_sub(1)
            .and_then(|i| thesis.distribution.get(i));
        count.map(|&count| count as f64 / thesis.configurations as f64)
    };
    let longest = colored_shares.len().max(any_shares.len());
    let share = |shares: &[f64], distance: usize| {
        Value::Share(shares.get(distance).copied().unwrap_or(0.0))
    };
    for distance in 0..longest {
        table.push(vec![
            distance.into(),
            Value::Count(sum(&colored, distance)),
            share(&colored_shares, distance),
            Value::Count(sum(&any, distance)),
            share(&any_shares, distance),
            Value::or_missing(sampled(distance), Value::Share),
        ]);
    }
    let unsolvable =
        |totals: &[&Totals]| Value::Count(totals.iter().map(|totals| totals.unsolvable).sum());
    table.push(vec![
        "unsolvable".into(),
        unsolvable(&colored),
        Value::Share(colored_unsolvable),
        unsolvable(&any),
        Value::Share(any_unsolvable),
        Value::Missing,
    ]);
    section.table(table);
    let points = |shares: &[f64]| -> Vec<(f64, f64)> {
        let points = shares.iter().enumerate();
        points.map(|(x, &share)| (x as f64, share)).collect()
    };
    let mut series = vec![Series::new("coloured targets", 0, points(&colored_shares))];
    if !any.is_empty() {
        series.push(Series::new("any-robot targets", 1, points(&any_shares)));
    }
    let points = (0..=thesis.distribution.len()).filter_map(|x| Some((x as f64, sampled(x)?)));
    series.push(Series::new("thesis, sampled", 2, points.collect()));
    section.figure(
        "distribution",
        "Share of all states at each distance, with equal weight for every target, and in the \
         thesis's sample on one board",
        Chart {
            x: Axis::linear("moves", Unit::Plain),
            y: Axis::linear("share of states", Unit::Share),
            mark: Mark::Line,
            series,
        },
    );
    section
}

fn boards(targets: &BTreeMap<TargetKey, Totals>) -> Section {
    let mut section = Section::new("Boards");
    section.text("Mean distance over the coloured targets of each board, easiest board first.");
    let mut table = Table::new(
        "boards",
        "Each board's coloured targets",
        &[
            "layout",
            "targets",
            "mean",
            "easiest target",
            "hardest target",
            "longest",
            "unsolvable",
        ],
    );
    let mut rows: Vec<(f64, Vec<Value>)> = Vec::new();
    for (layout, targets) in by_layout(targets) {
        let colored: Vec<&(&TargetKey, &Totals)> =
            targets.iter().filter(|(key, _)| is_colored(key)).collect();
        let means = Sample::new(colored.iter().filter_map(|(_, totals)| totals.mean()));
        let Some(mean) = means.mean() else { continue };
        let longest = colored.iter().map(|(_, t)| t.counts.len()).max();
        let unsolvable = colored.iter().map(|(_, t)| t.unsolvable).sum();
        rows.push((
            mean,
            vec![
                layout.into(),
                colored.len().into(),
                Value::Real(mean, 3),
                Value::or_missing(means.min(), |mean| Value::Real(mean, 3)),
                Value::or_missing(means.max(), |mean| Value::Real(mean, 3)),
                longest.unwrap_or(1).saturating_sub(1).into(),
                Value::Count(unsolvable),
            ],
        ));
    }
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (_, row) in rows {
        table.push(row);
    }
    section.table(table);
    section
}

fn targets(targets: &BTreeMap<TargetKey, Totals>) -> Section {
    let mut section = Section::new("Targets");
    let mut sorted: Vec<(&TargetKey, &Totals)> = targets.iter().collect();
    sorted.sort_by(|a, b| {
        let mean = |totals: &Totals| totals.mean().unwrap_or(f64::INFINITY);
        mean(a.1).total_cmp(&mean(b.1))
    });
    let name = |key: &TargetKey| format!("{} {} ({},{})", key.color, key.shape, key.x, key.y);
    let list = |name_of: &str, caption: &str, rows: &[(&TargetKey, &Totals)]| {
        let columns = ["layout", "target", "mean", "longest", "states there"];
        let mut table = Table::new(name_of, caption, &columns);
        for (key, totals) in rows {
            table.push(vec![
                key.layout.as_str().into(),
                Value::Text(name(key)),
                Value::or_missing(totals.mean(), |mean| Value::Real(mean, 3)),
                totals.counts.len().saturating_sub(1).into(),
                Value::Count(totals.counts.last().copied().unwrap_or(0)),
            ]);
        }
        table
    };
    let means = Sample::new(sorted.iter().filter_map(|(_, totals)| totals.mean()));
    if let (Some(min), Some(median), Some(max)) = (means.min(), means.median(), means.max()) {
        section.text(format!(
            "The mean distance to a target is between {min:.2} and {max:.2}, the median of these \
             means is {median:.2}."
        ));
    }
    let some = sorted.len().min(10);
    section.table(list("easiest", "The easiest targets", &sorted[..some]));
    sorted.reverse();
    section.table(list(
        "hardest-targets",
        "The hardest targets",
        &sorted[..some],
    ));
    section
}

fn hardest(census: &Contents) -> Section {
    let targets = &census.targets;
    let mut section = Section::new("Hardest positions");
    let longest = targets.values().map(|t| t.counts.len()).max().unwrap_or(1) - 1;
    let at = |distance: usize| -> u64 {
        let counts = targets.values().filter_map(|t| t.counts.get(distance));
        counts.sum()
    };
    section.text(format!(
        "No position counted here needs more than {longest} moves; positions that need as many: {}.",
        thousands(at(longest))
    ));
    if census.robots == RECORD_ROBOTS {
        section.text(format!(
            "The claim, made in a forum, that no position of {RECORD_ROBOTS} robots needs more than \
             {RECORD} moves {}. Positions that need {RECORD} moves: {}.",
            if longest > RECORD {
                "does not hold"
            } else {
                "is not contradicted"
            },
            thousands(at(RECORD))
        ));
    }
    let mut table = Table::new(
        "hardest-positions",
        "Positions of the longest distance, in one-line notation",
        &["layout", "target", "moves", "position"],
    );
    for (key, distance, position) in &census.hardest {
        if *distance as usize == longest {
            table.push(vec![
                key.layout.as_str().into(),
                Value::Text(format!("{} {}", key.color, key.shape)),
                Value::Count(u64::from(*distance)),
                position.as_str().into(),
            ]);
        }
        if table.rows.len() == 200 {
            break;
        }
    }
    section.table(table);
    section
}
