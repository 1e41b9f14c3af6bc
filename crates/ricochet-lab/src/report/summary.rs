//! Summaries of rows: times, nodes, hits, ratios to a baseline, and contradictions between solvers.

use std::collections::{BTreeMap, HashMap};

use crate::report::stats::Sample;
use crate::report::table::{Table, Value};
use crate::run::solve::external::NO_MOVES;
use crate::run::store::row::{Mode, OutcomeKind, Row, Verdict};

/// The category of an answer, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AnswerCategory {
    /// An optimal length, known or proved, or a proof that there is no solution.
    Optimal,
    /// A valid solution that is longer, or perhaps longer.
    Solved,
    /// An answer that nothing confirms: a length without moves, or 'unsolvable' without a proof.
    Unverified,
    /// The solver does not take such puzzles.
    Declined,
    /// No answer: out of search space, crashed, or unreadable.
    Failed,
    /// No answer: the time limit.
    TimedOut,
    /// No answer: another limit.
    Limit,
    /// A wrong answer.
    Wrong,
}

impl AnswerCategory {
    /// All of them, with their names in tables and plots.
    pub const NAMES: [(Self, &'static str); 8] = [
        (Self::Optimal, "optimal"),
        (Self::Solved, "solved"),
        (Self::Unverified, "unverified"),
        (Self::Declined, "declined"),
        (Self::Failed, "failed"),
        (Self::TimedOut, "timed out"),
        (Self::Limit, "other limit"),
        (Self::Wrong, "wrong"),
    ];

    /// The category of one row.
    pub fn of(row: &Row) -> Self {
        if row.verdict == Verdict::Wrong {
            return Self::Wrong;
        }
        match row.outcome {
            OutcomeKind::Limit if row.detail.starts_with("time limit") => Self::TimedOut,
            OutcomeKind::Limit => Self::Limit,
            OutcomeKind::Declined => Self::Declined,
            OutcomeKind::Failed | OutcomeKind::Error => Self::Failed,
            OutcomeKind::Solved | OutcomeKind::Unsolvable => match row.verdict {
                Verdict::Optimal | Verdict::Proved => Self::Optimal,
                _ if row.detail == NO_MOVES || row.outcome == OutcomeKind::Unsolvable => {
                    Self::Unverified
                }
                _ => Self::Solved,
            },
        }
    }
}

/// All runs of one solver on one puzzle.
#[derive(Clone, Debug, PartialEq)]
pub struct PuzzleResult {
    /// The median time of the runs.
    pub micros: f64,
    /// The time of each run, in their order.
    pub run_micros: Vec<f64>,
    /// The nodes of the first run.
    pub nodes: u64,
    /// The largest memory of the runs.
    pub peak_bytes: u64,
    /// The worst category of the runs.
    pub category: AnswerCategory,
    /// The length found, if any.
    pub length: Option<u32>,
}

impl PuzzleResult {
    /// Whether every run gave an answer.
    pub fn answered(&self) -> bool {
        self.category <= AnswerCategory::Solved
    }

    fn of(rows: &[&Row]) -> Self {
        Self {
            micros: Sample::new(rows.iter().map(|row| row.micros))
                .median()
                .unwrap_or(0.0),
            run_micros: {
                let mut runs: Vec<&&Row> = rows.iter().collect();
                runs.sort_by_key(|row| row.run);
                runs.iter().map(|row| row.micros).collect()
            },
            nodes: rows.first().map_or(0, |row| row.nodes),
            peak_bytes: rows.iter().map(|row| row.peak_bytes).max().unwrap_or(0),
            category: rows
                .iter()
                .map(|row| AnswerCategory::of(row))
                .max()
                .unwrap_or(AnswerCategory::Failed),
            length: rows.iter().find_map(|row| row.length),
        }
    }
}

/// The results of one solver on one corpus in one mode.
#[derive(Clone, Debug)]
pub struct SolverResults<'a> {
    /// Warm or cold.
    pub mode: Mode,
    /// The corpus.
    pub corpus: &'a str,
    /// The solver.
    pub solver: &'a str,
    /// Its puzzles.
    pub results: HashMap<&'a str, PuzzleResult>,
}

impl SolverResults<'_> {
    /// The times of the answered puzzles.
    pub fn times(&self) -> Sample {
        Sample::new(
            self.results
                .values()
                .filter(|p| p.answered())
                .map(|p| p.micros),
        )
    }

    /// The time of each run through all answered puzzles: its mean and standard deviation. `None` if
    /// there are not several complete runs.
    pub fn run_totals(&self) -> Option<(f64, f64)> {
        let answered: Vec<&PuzzleResult> = self.results.values().filter(|p| p.answered()).collect();
        let runs = answered.iter().map(|p| p.run_micros.len()).min()?;
        let total = |run: usize| answered.iter().map(|p| p.run_micros[run]).sum::<f64>();
        let totals = Sample::new((0..runs).map(total));
        Some((totals.mean()?, totals.deviation()?))
    }

    /// Nodes per second over the answered puzzles.
    pub fn nodes_per_second(&self) -> Option<f64> {
        let total = self.times().total();
        let nodes: u64 = self
            .results
            .values()
            .filter(|p| p.answered())
            .map(|p| p.nodes)
            .sum();
        (total > 0.0 && nodes > 0).then(|| nodes as f64 / total * 1e6)
    }

    /// The number of results that satisfy a condition.
    pub fn count(&self, is: impl Fn(&PuzzleResult) -> bool) -> usize {
        self.results.values().filter(|result| is(result)).count()
    }

    /// The share of optimal answers among the puzzles that were not declined.
    pub fn hit_rate(&self) -> Option<f64> {
        let taken = self.count(|result| result.category != AnswerCategory::Declined);
        let optimal = self.count(|result| result.category == AnswerCategory::Optimal);
        (taken > 0).then(|| optimal as f64 / taken as f64)
    }

    /// The speed-up over a baseline, on the puzzles that both answered.
    pub fn speedup(&self, baseline: &Self) -> Option<Speedup> {
        let mut ratios = Vec::new();
        let (mut ours, mut theirs) = (0.0, 0.0);
        for (puzzle, result) in &self.results {
            let Some(base) = baseline.results.get(puzzle) else {
                continue;
            };
            if result.answered() && base.answered() && result.micros > 0.0 && base.micros > 0.0 {
                ratios.push(base.micros / result.micros);
                ours += result.micros;
                theirs += base.micros;
            }
        }
        let puzzles = ratios.len();
        let logs = Sample::new(ratios.iter().map(|ratio| ratio.ln()));
        let interval = logs.mean_interval();
        Some(Speedup {
            geometric_mean: Sample::new(ratios).geometric_mean()?,
            interval: interval.map(|(low, high)| (low.exp(), high.exp())),
            total: theirs / ours,
            puzzles,
        })
    }
}

/// The speed-up of a solver over a baseline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Speedup {
    /// Geometric mean over the puzzles of baseline time / time.
    pub geometric_mean: f64,
    /// The 95% confidence interval of that mean.
    pub interval: Option<(f64, f64)>,
    /// Total time of the baseline / total time.
    pub total: f64,
    /// Puzzles that both answered.
    pub puzzles: usize,
}

/// Groups rows by mode, corpus and solver, each in the order of first appearance.
pub fn groups(rows: &[Row]) -> Vec<SolverResults<'_>> {
    type GroupKey<'a> = (Mode, &'a str, &'a str);
    let mut order: Vec<GroupKey<'_>> = Vec::new();
    let mut by_group: HashMap<GroupKey<'_>, HashMap<&str, Vec<&Row>>> = HashMap::new();
    for row in rows {
        let key = (row.mode, row.corpus.as_str(), row.solver.as_str());
        let group = by_group.entry(key).or_insert_with(|| {
            order.push(key);
            HashMap::new()
        });
        group.entry(row.puzzle.as_str()).or_default().push(row);
    }
    let appearance = |pick: fn(&Row) -> &str| {
        let mut ranks: HashMap<&str, usize> = HashMap::new();
        for row in rows {
            let next = ranks.len();
            ranks.entry(pick(row)).or_insert(next);
        }
        ranks
    };
    let (corpora, solvers) = (
        appearance(|row| row.corpus.as_str()),
        appearance(|row| row.solver.as_str()),
    );
    order.sort_by_key(|(mode, corpus, solver)| (*mode, corpora[corpus], solvers[solver]));
    order
        .into_iter()
        .map(|key| {
            let results = by_group[&key].iter();
            SolverResults {
                mode: key.0,
                corpus: key.1,
                solver: key.2,
                results: results
                    .map(|(&puzzle, rows)| (puzzle, PuzzleResult::of(rows)))
                    .collect(),
            }
        })
        .collect()
}

/// The corpora of some results, each once.
pub fn corpora<'a>(groups: &[&SolverResults<'a>]) -> Vec<&'a str> {
    let mut corpora = Vec::new();
    for group in groups {
        if !corpora.contains(&group.corpus) {
            corpora.push(group.corpus);
        }
    }
    corpora
}

/// Removes the columns of those of these categories that no answer has.
pub fn drop_empty_categories(
    table: &mut Table,
    groups: &[SolverResults<'_>],
    categories: &[AnswerCategory],
) {
    for (category, name) in AnswerCategory::NAMES {
        let count = |group: &SolverResults<'_>| group.count(|it| it.category == category);
        if categories.contains(&category) && groups.iter().all(|group| count(group) == 0) {
            table.drop_column(name);
        }
    }
}

/// The categories that few reports have.
const RARE: [AnswerCategory; 2] = [AnswerCategory::Unverified, AnswerCategory::Limit];

/// The number of answers of each category, by solver.
pub fn answer_table(groups: &[SolverResults<'_>]) -> Table {
    let mut table = Table::new(
        "answers",
        "Answers by corpus and solver; 'optimal' includes proofs of unsolvability; the hit rate is \
         that of the puzzles that were not declined",
        &[
            "corpus",
            "mode",
            "solver",
            "puzzles",
            "answered",
            "optimal",
            "unverified",
            "declined",
            "failed",
            "timed out",
            "other limit",
            "wrong",
            "hit rate",
        ],
    );
    for group in groups {
        let category = |category| Value::from(group.count(|result| result.category == category));
        table.push(vec![
            group.corpus.into(),
            group.mode.to_string().into(),
            group.solver.into(),
            group.results.len().into(),
            group.count(PuzzleResult::answered).into(),
            category(AnswerCategory::Optimal),
            category(AnswerCategory::Unverified),
            category(AnswerCategory::Declined),
            category(AnswerCategory::Failed),
            category(AnswerCategory::TimedOut),
            category(AnswerCategory::Limit),
            category(AnswerCategory::Wrong),
            Value::or_missing(group.hit_rate(), Value::Share),
        ]);
    }
    drop_empty_categories(&mut table, groups, &RARE);
    table
}

/// The times of the answered puzzles; [`summary_table`] has all numbers.
pub fn time_table(groups: &[SolverResults<'_>], baseline: &str) -> Table {
    // If the baseline is not among the solvers, there is nothing to compare with.
    let compared = groups.iter().any(|group| group.solver == baseline);
    let title = if compared {
        format!(
            "Times of the answered puzzles; '×total' and '×mean' say how many times faster than \
             {baseline} (of the totals, geometric mean over puzzles with its 95% interval)"
        )
    } else {
        "Times of the answered puzzles".to_owned()
    };
    let titles = [
        "corpus", "mode", "solver", "median", "mean", "p95", "p99", "max", "total", "±σ",
        "nodes/s", "×total", "×mean", "95%",
    ];
    let mut table = Table::new("times", &title, &titles);
    let all = summary_table(groups, baseline);
    let names = [
        "corpus",
        "mode",
        "solver",
        "median",
        "mean",
        "p95",
        "p99",
        "max",
        "total",
        "±σ of runs",
        "nodes/s",
    ];
    let place = |name: &str| all.columns.iter().position(|it| it.title == name);
    let mut picked: Vec<usize> = names.iter().filter_map(|name| place(name)).collect();
    picked.extend(all.columns.len() - 3..all.columns.len());
    for row in &all.rows {
        table.push(picked.iter().map(|&i| row[i].clone()).collect());
    }
    if !compared {
        for title in ["×total", "×mean", "95%"] {
            table.drop_column(title);
        }
    }
    if groups.iter().all(|group| group.run_totals().is_none()) {
        table.drop_column("±σ"); // each solver ran once
    }
    table
}

/// The table with all numbers of the summary.
pub fn summary_table(groups: &[SolverResults<'_>], baseline: &str) -> Table {
    let speed_total = format!("total vs {baseline}");
    let speed_mean = format!("geo. mean vs {baseline}");
    let speed_interval = format!("95% interval vs {baseline}");
    let mut table = Table::new(
        "summary",
        "Times of the answered puzzles (median over the runs of each), by corpus and solver",
        &[
            "corpus",
            "mode",
            "solver",
            "puzzles",
            "answered",
            "hit rate",
            "unverified",
            "declined",
            "failed",
            "timed out",
            "other limit",
            "wrong",
            "median",
            "mean",
            "p95",
            "p99",
            "max",
            "total",
            "±σ of runs",
            "nodes/s",
            "peak memory",
            &speed_total,
            &speed_mean,
            &speed_interval,
        ],
    );
    for group in groups {
        let times = group.times();
        let base = groups.iter().find(|other| {
            (other.mode, other.corpus, other.solver) == (group.mode, group.corpus, baseline)
        });
        let speedup = base.and_then(|base| group.speedup(base));
        let time = |value: Option<f64>| Value::or_missing(value, Value::Micros);
        let peak = group.results.values().map(|result| result.peak_bytes).max();
        let category = |category| Value::from(group.count(|result| result.category == category));
        let interval = speedup.and_then(|it| it.interval);
        table.push(vec![
            group.corpus.into(),
            group.mode.to_string().into(),
            group.solver.into(),
            group.results.len().into(),
            group.count(PuzzleResult::answered).into(),
            Value::or_missing(group.hit_rate(), Value::Share),
            category(AnswerCategory::Unverified),
            category(AnswerCategory::Declined),
            category(AnswerCategory::Failed),
            category(AnswerCategory::TimedOut),
            category(AnswerCategory::Limit),
            category(AnswerCategory::Wrong),
            time(times.median()),
            time(times.mean()),
            time(times.quantile(0.95)),
            time(times.quantile(0.99)),
            time(times.max()),
            time((!times.is_empty()).then(|| times.total())),
            time(group.run_totals().map(|(_, deviation)| deviation)),
            Value::or_missing(group.nodes_per_second(), |rate| Value::Count(rate as u64)),
            Value::or_missing(peak.filter(|&bytes| bytes > 0), Value::Bytes),
            Value::or_missing(speedup, |s| Value::Ratio(s.total)),
            Value::or_missing(speedup, |s| Value::Ratio(s.geometric_mean)),
            Value::or_missing(interval, |(low, high)| {
                Value::Text(format!("{low:.2}–{high:.2}"))
            }),
        ]);
    }
    drop_empty_categories(&mut table, groups, &RARE);
    table
}

/// Puzzles with answers that contradict each other but not the corpus: different proved optima,
/// 'unsolvable' and a solution, or a solution shorter than a proved optimum.
pub fn contradictions(rows: &[Row]) -> Vec<String> {
    let mut by_puzzle: BTreeMap<(&str, &str), Vec<&Row>> = BTreeMap::new();
    for row in rows {
        by_puzzle
            .entry((row.corpus.as_str(), row.puzzle.as_str()))
            .or_default()
            .push(row);
    }
    let mut found = Vec::new();
    for ((corpus, puzzle), rows) in by_puzzle {
        let proved = rows
            .iter()
            .filter(|row| matches!(row.verdict, Verdict::Proved | Verdict::Optimal));
        let mut answers: Vec<(Option<u32>, &str)> = proved
            .map(|row| (row.length, row.solver.as_str()))
            .collect();
        answers.sort_unstable();
        answers.dedup_by_key(|answer| answer.0);
        if let [first, second, ..] = answers.as_slice() {
            let say = |answer: &(Option<u32>, &str)| match answer.0 {
                Some(length) => format!("{} proves {length} moves", answer.1),
                None => format!("{} proves it unsolvable", answer.1),
            };
            found.push(format!(
                "{corpus}/{puzzle}: {}, {}",
                say(first),
                say(second)
            ));
        } else if let [(Some(optimum), prover)] = answers.as_slice() {
            let shorter = rows
                .iter()
                .find(|row| row.outcome == OutcomeKind::Solved && row.length < Some(*optimum));
            if let Some(row) = shorter {
                found.push(format!(
                    "{corpus}/{puzzle}: {prover} proves {optimum} moves, {} needs {}",
                    row.solver,
                    row.length.unwrap_or(0)
                ));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::store::row::sample;

    #[test]
    fn speedups_of_known_times() {
        let rows = [
            sample("a", "slow", 100.0),
            sample("b", "slow", 400.0),
            sample("a", "fast", 10.0),
            sample("b", "fast", 160.0),
        ];
        let groups = groups(&rows);
        let speedup = groups[1].speedup(&groups[0]).unwrap();
        assert!((speedup.geometric_mean - 5.0).abs() < 1e-9);
        assert!((speedup.total - 500.0 / 170.0).abs() < 1e-9);
        assert_eq!(speedup.puzzles, 2);
        let table = summary_table(&groups, "slow");
        let mean = table.rows[0].iter().rev().nth(1);
        assert_eq!(mean, Some(&Value::Ratio(1.0)));
    }

    #[test]
    fn puzzles_that_one_did_not_answer_are_left_out_of_ratios() {
        let mut rows = vec![
            sample("a", "slow", 100.0),
            sample("b", "slow", 4e7),
            sample("a", "fast", 50.0),
            sample("b", "fast", 1.0),
        ];
        rows[1].outcome = OutcomeKind::Limit;
        rows[1].verdict = Verdict::None;
        let groups = groups(&rows);
        let speedup = groups[1].speedup(&groups[0]).unwrap();
        assert_eq!((speedup.puzzles, speedup.total), (1, 2.0));
        assert_eq!(
            groups[0].count(|result| result.category == AnswerCategory::Limit),
            1
        );
        assert_eq!(groups[0].times().len(), 1);
    }

    #[test]
    fn a_pair_is_the_median_of_its_runs() {
        let mut rows = vec![
            sample("a", "s", 1.0),
            sample("a", "s", 5.0),
            sample("a", "s", 2.0),
        ];
        rows[1].run = 2;
        rows[2].run = 3;
        let groups = groups(&rows);
        assert_eq!(groups.len(), 1);
        assert!((groups[0].results["a"].micros - 2.0).abs() < 1e-12);
        assert_eq!(groups[0].nodes_per_second(), Some(100.0 / 2.0 * 1e6));
    }

    #[test]
    fn contradictions_are_found() {
        let mut rows = vec![sample("a", "x", 1.0), sample("a", "y", 1.0)];
        for row in &mut rows {
            row.known = None;
            row.verdict = Verdict::Proved;
        }
        assert!(contradictions(&rows).is_empty());
        rows[1].length = Some(6);
        assert_eq!(contradictions(&rows).len(), 1);
        rows[1].verdict = Verdict::Unchecked;
        assert!(
            contradictions(&rows).is_empty(),
            "longer is no contradiction"
        );
        rows[1].length = Some(4);
        assert_eq!(contradictions(&rows).len(), 1, "shorter than proved");
        rows[1].length = None;
        rows[1].outcome = OutcomeKind::Unsolvable;
        rows[1].verdict = Verdict::Proved;
        assert_eq!(contradictions(&rows).len(), 1);
    }
}
