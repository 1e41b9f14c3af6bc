//! Sums of rows by solver and required moves.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};

use crate::report::views;
use crate::run::for_each_record;
use crate::run::store::row::{OutcomeKind, Row};

/// The sums of one solver over the positions of one required length: all that the report needs, so a
/// record can leave out the rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Sums {
    pub(super) count: u64,
    pub(super) hits: u64,
    /// Correct claims, whether or not they can be played. A solver without a claim claims the length
    /// that it played.
    pub(super) claims: u64,
    /// Claims below the required moves.
    pub(super) claims_below: u64,
    pub(super) limits: u64,
    pub(super) failed: u64,
    pub(super) micros: f64,
    pub(super) hit_micros: f64,
    pub(super) nodes: u64,
    pub(super) expanded: u64,
}

pub(super) type Aggregate = BTreeMap<String, BTreeMap<u32, Sums>>;

const COLUMNS: [&str; 12] = [
    "solver",
    "required",
    "count",
    "hits",
    "claims_right",
    "claims_below",
    "limits",
    "failed",
    "micros",
    "hit_micros",
    "nodes",
    "expanded",
];

pub(super) fn aggregate(rows: &[Row]) -> Aggregate {
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
        sums.limits += u64::from(row.outcome == OutcomeKind::Limit);
        sums.failed += u64::from(matches!(
            row.outcome,
            OutcomeKind::Failed | OutcomeKind::Declined
        ));
        let claim = row.claimed.or(row.length);
        sums.claims += u64::from(claim == Some(moves));
        sums.claims_below += u64::from(claim.is_some_and(|claim| claim < moves));
        sums.micros += row.micros;
        sums.nodes += row.nodes;
        sums.expanded += row.expanded;
        if row.outcome == OutcomeKind::Solved && row.length == Some(moves) {
            sums.hits += 1;
            sums.hit_micros += row.micros;
        }
    }
    aggregate
}

pub(super) fn aggregate_to_csv(aggregate: &Aggregate) -> Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(COLUMNS)?;
    for (solver, by_moves) in aggregate {
        for (moves, s) in by_moves {
            let counts = [
                s.count,
                s.hits,
                s.claims,
                s.claims_below,
                s.limits,
                s.failed,
            ];
            let times = [s.micros, s.hit_micros].map(|micros| format!("{micros:.3}"));
            let work = [s.nodes, s.expanded];
            let mut fields = vec![solver.clone(), moves.to_string()];
            fields.extend(counts.map(|count| count.to_string()));
            fields.extend(times);
            fields.extend(work.map(|count| count.to_string()));
            writer.write_record(fields)?;
        }
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}

pub(super) fn read_aggregate(path: &Path) -> Result<Aggregate> {
    let mut aggregate = Aggregate::new();
    for_each_record(path, &COLUMNS, |record| {
        let parsed = || {
            let count = |column: usize| record.get(column)?.parse::<u64>().ok();
            let sums = Sums {
                count: count(2)?,
                hits: count(3)?,
                claims: count(4)?,
                claims_below: count(5)?,
                limits: count(6)?,
                failed: count(7)?,
                micros: record.get(8)?.parse().ok()?,
                hit_micros: record.get(9)?.parse().ok()?,
                nodes: count(10)?,
                expanded: count(11)?,
            };
            Some((record[1].parse::<u32>().ok()?, sums))
        };
        let (moves, sums) = parsed().context("not a row of sums")?;
        let solver = aggregate.entry(record[0].to_owned()).or_default();
        solver.insert(moves, sums);
        Ok(())
    })?;
    Ok(aggregate)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::store::row::{Verdict, sample};

    #[test]
    fn sums_come_back_from_csv() {
        let mut rows = vec![
            sample("a", "graph-v2", 10.0),
            sample("a", "flagship", 2.0),
            sample("b", "graph-v2", 30.0),
            sample("b", "flagship", 4.0),
        ];
        rows[2].length = Some(7);
        rows[2].verdict = Verdict::Longer;
        let sums = aggregate(&rows);
        let graph = &sums["graph-v2"][&5];
        assert_eq!((graph.count, graph.hits, graph.claims), (2, 1, 1));
        assert!((graph.micros - 40.0).abs() < 1e-9 && (graph.hit_micros - 10.0).abs() < 1e-9);
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("aggregate.csv");
        let text = aggregate_to_csv(&sums).unwrap();
        let read = |text: &str| {
            std::fs::write(&path, text).unwrap();
            read_aggregate(&path)
        };
        assert_eq!(read(&text).unwrap(), sums);
        let error = format!(
            "{:#}",
            read(&text.replace(",2,1,1,", ",2,x,1,")).unwrap_err()
        );
        assert!(error.contains("line 3"), "{error}");
        assert!(read("nothing\n").is_err());
    }
}
