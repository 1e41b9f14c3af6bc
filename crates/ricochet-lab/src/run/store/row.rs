//! Rows: one per solve, identified by corpus, puzzle, solver, run and mode.

use std::fmt;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

/// Whether the solver has solved other puzzles in the same process before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// One process, one solver object for all puzzles.
    Warm,
    /// A new process for each solve.
    Cold,
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Warm => "warm",
            Self::Cold => "cold",
        })
    }
}

/// How a solve ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OutcomeKind {
    /// With a solution that was replayed.
    Solved,
    /// With a proof that there is none.
    Unsolvable,
    /// At a limit.
    Limit,
    /// The solver does not take such puzzles.
    Declined,
    /// Out of search space.
    Failed,
    /// With a panic, a crash, or a solution that does not replay.
    Error,
}

impl OutcomeKind {
    /// The name in rows and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::Unsolvable => "unsolvable",
            Self::Limit => "limit",
            Self::Declined => "declined",
            Self::Failed => "failed",
            Self::Error => "error",
        }
    }
}

/// How good an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// As long as the known optimum, or 'unsolvable' for a puzzle known to be.
    Optimal,
    /// Longer than the known optimum, by a solver without a guarantee.
    Longer,
    /// Proved by the run itself; no optimum was known.
    Proved,
    /// Valid, but it is not known whether it is optimal.
    Unchecked,
    /// No answer.
    None,
    /// The answer cannot be right.
    Wrong,
}

/// The key that identifies a row.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RowKey {
    /// The corpus.
    pub corpus: String,
    /// The puzzle's id in the corpus.
    pub puzzle: String,
    /// The solver with its parameters.
    pub solver: String,
    /// The repetition, counted from 1.
    pub run: u32,
    /// Warm or cold.
    pub mode: Mode,
}

/// One solve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The corpus.
    pub corpus: String,
    /// The puzzle's id in the corpus.
    pub puzzle: String,
    /// The solver with its parameters.
    pub solver: String,
    /// The repetition, counted from 1.
    pub run: u32,
    /// Warm or cold.
    pub mode: Mode,
    /// How it ended.
    pub outcome: OutcomeKind,
    /// Which limit, why it failed, what went wrong.
    pub detail: String,
    /// Moves of the solution that was replayed.
    pub length: Option<u32>,
    /// The length that the solver claims without having played the moves, if it makes such a claim.
    pub claimed: Option<u32>,
    /// No solution is shorter than this.
    pub lower_bound: Option<u32>,
    /// The optimum that the corpus states.
    pub known: Option<u32>,
    /// How good an answer is.
    pub verdict: Verdict,
    /// Search nodes.
    pub nodes: u64,
    /// Nodes that passed the cheap tests.
    pub inner: u64,
    /// Nodes that a memo pruned.
    pub hits: u64,
    /// Nodes whose successors were generated.
    pub expanded: u64,
    /// Most bytes held by the solver's own tables.
    pub peak_bytes: u64,
    /// The call of the solver alone, in microseconds.
    pub micros: f64,
    /// The whole process in microseconds; cold runs only.
    pub process_micros: Option<f64>,
    /// The moves, separated by spaces.
    pub moves: String,
}

/// The columns in the order of the file.
pub const COLUMNS: [&str; 20] = [
    "corpus",
    "puzzle",
    "solver",
    "run",
    "mode",
    "outcome",
    "detail",
    "length",
    "claimed",
    "lower_bound",
    "known",
    "verdict",
    "nodes",
    "inner",
    "hits",
    "expanded",
    "peak_bytes",
    "micros",
    "process_micros",
    "moves",
];

impl Row {
    /// The key of the row.
    pub fn key(&self) -> RowKey {
        RowKey {
            corpus: self.corpus.clone(),
            puzzle: self.puzzle.clone(),
            solver: self.solver.clone(),
            run: self.run,
            mode: self.mode,
        }
    }

    /// The row as one line of CSV, line feed included.
    ///
    /// # Errors
    /// None that a row can cause; the CSV writer's own.
    pub fn to_line(&self) -> Result<String> {
        let mut writer = csv::WriterBuilder::new()
            .has_headers(false)
            .from_writer(Vec::new());
        writer.serialize(self)?;
        Ok(String::from_utf8(writer.into_inner()?)?)
    }

    /// Reads a row from one record.
    ///
    /// # Errors
    /// A wrong number of fields, or one that cannot be read.
    pub fn from_record(record: &csv::StringRecord) -> Result<Self> {
        if record.len() != COLUMNS.len() {
            bail!("expected {} fields, found {}", COLUMNS.len(), record.len());
        }
        let header = csv::StringRecord::from(COLUMNS.to_vec());
        record
            .deserialize(Some(&header))
            .context("not a row of a run")
    }
}

/// Replaces control characters and limits the length, since a row is one line.
pub(crate) fn single_line(text: &str, most: usize) -> String {
    let clean = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    clean.take(most).collect()
}

#[cfg(test)]
pub(crate) fn sample(puzzle: &str, solver: &str, micros: f64) -> Row {
    Row {
        corpus: "c".into(),
        puzzle: puzzle.into(),
        solver: solver.into(),
        run: 1,
        mode: Mode::Warm,
        outcome: OutcomeKind::Solved,
        detail: String::new(),
        length: Some(5),
        claimed: None,
        lower_bound: Some(5),
        known: Some(5),
        verdict: Verdict::Optimal,
        nodes: 100,
        inner: 0,
        hits: 0,
        expanded: 0,
        peak_bytes: 4096,
        micros,
        process_micros: None,
        moves: "RN RE".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_back(line: &str) -> Result<Row> {
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .from_reader(line.as_bytes());
        let record = reader.records().next().expect("a record")?;
        Row::from_record(&record)
    }

    #[test]
    fn rows_come_back_unchanged() {
        let mut row = sample("a,\"b\"", "iddfs:memo=off", 12.345);
        assert_eq!(read_back(&row.to_line().unwrap()).unwrap(), row);
        row.outcome = OutcomeKind::Limit;
        row.verdict = Verdict::None;
        row.length = None;
        row.known = None;
        row.mode = Mode::Cold;
        row.process_micros = Some(1500.5);
        row.detail = "time limit".into();
        assert_eq!(read_back(&row.to_line().unwrap()).unwrap(), row);
    }

    #[test]
    fn the_columns_are_the_fields() {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.serialize(sample("p", "s", 1.0)).unwrap();
        let text = String::from_utf8(writer.into_inner().unwrap()).unwrap();
        assert_eq!(text.lines().next(), Some(COLUMNS.join(",").as_str()));
    }

    #[test]
    fn damaged_lines_are_errors() {
        let line = sample("p", "s", 1.0).to_line().unwrap();
        assert!(read_back(&line[..line.len() / 2]).is_err());
        assert!(read_back(&line.replace("warm", "worm")).is_err());
        assert!(read_back(&line.replace("100", "x")).is_err());
    }

    #[test]
    fn control_characters_never_reach_a_row() {
        assert_eq!(single_line("a\nb\tc", 10), "a b c");
        assert_eq!(single_line("abcdef", 3), "abc");
    }
}
