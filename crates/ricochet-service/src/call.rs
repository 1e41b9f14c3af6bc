//! [`Call`]: one question being answered, with its policy, progress callback and cancel token.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use ricochet_core::formats::{Format, ReadOptions, Record, Records};
use ricochet_core::{Puzzle, Trace};
use ricochet_solve::evaluate::Evaluator;
use ricochet_solve::registry::SolverSpec;
use ricochet_solve::trace::Recorder;
use ricochet_solve::{
    Budget, CancelToken, DepthRow, Guarantee, Limits, Meter, Observer, Outcome, Solver, Stats,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Code;
use crate::error::{Error, ErrorKind};
use crate::policy::{Policy, RequestLimits};
use crate::puzzle_input::PuzzleInput;
use crate::questions::position::PositionAnswer;
use crate::questions::solve::{DepthCounts, SolveAnswer};
use crate::request::{Answer, Request};

/// The default solver.
pub(crate) const SOLVER: &str = "flagship";

/// The progress of a search.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Progress {
    /// The depth that was searched last.
    pub depth: Option<u32>,
    /// What the search of that depth counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counts: Option<DepthCounts>,
    /// No solution has fewer moves than this; null if nothing is proved.
    pub lower_bound: Option<u32>,
    /// Search nodes so far.
    pub nodes: u64,
    /// Milliseconds so far.
    pub ms: u64,
    /// `generate`: candidates so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub candidates: Option<u64>,
    /// `generate`: tables built so far, if puzzles are drawn from tables.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tables: Option<u64>,
    /// `compare`: the result of the solver that has just finished.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<Box<SolveAnswer>>,
    /// `position`: what is known so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<Box<PositionAnswer>>,
}

/// The value of a solver's parameter: a string, a number, or true (`on`) or false (`off`).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected a string, a number, true or false")]
pub enum OptionValue {
    /// A switch.
    Flag(bool),
    /// A number.
    Number(i64),
    /// A string.
    Text(String),
}

impl std::fmt::Display for OptionValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Flag(true) => f.write_str("on"),
            Self::Flag(false) => f.write_str("off"),
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// A random seed from the operating system, short enough to type.
pub fn random_seed() -> u64 {
    use std::hash::BuildHasher;
    std::collections::hash_map::RandomState::new().hash_one("seed") % 1_000_000_000
}

/// One question being answered.
pub struct Call<'a> {
    policy: &'a Policy,
    cancel: CancelToken,
    watch: Box<dyn FnMut(&Progress) + 'a>,
    seed: Option<u64>,
    evaluator: Option<&'a mut Evaluator>,
    clock: Meter,
}

impl<'a> Call<'a> {
    /// A call within the limits of a policy.
    pub fn new(policy: &'a Policy) -> Self {
        Self {
            policy,
            cancel: CancelToken::default(),
            watch: Box::new(|_| {}),
            seed: None,
            evaluator: None,
            clock: Meter::start(&Limits::default()),
        }
    }

    /// Reports progress.
    #[must_use]
    pub fn on_progress(mut self, watch: impl FnMut(&Progress) + 'a) -> Self {
        self.watch = Box::new(watch);
        self
    }

    /// Ends the search when the token is cancelled.
    ///
    /// ```
    /// use ricochet_service::{Answer, Call, Policy, Request};
    /// use ricochet_solve::CancelToken;
    /// let token = CancelToken::default();
    /// token.cancel();
    /// let request = Request::from_json(
    ///     r#"{"ask":"solve","puzzle":"1A4B3B2B.1fc1f0c0.B9c","solver":"naive"}"#,
    /// );
    /// let answer = Call::new(&Policy::default()).cancel_with(&token).answer(&request.unwrap());
    /// let Ok(Answer::Solve(answer)) = answer else { panic!() };
    /// assert_eq!(answer.limit.unwrap().to_string(), "cancelled");
    /// ```
    #[must_use]
    pub fn cancel_with(mut self, token: &CancelToken) -> Self {
        self.cancel = token.clone();
        self
    }

    /// The seed to use if the request has none. By default it comes from the operating system, which
    /// is not available in a browser.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// Lets `position` reuse what is known about earlier positions with the same board and goal, and
    /// store what it learns.
    ///
    /// ```
    /// use ricochet_service::{Call, Policy, Request};
    /// use ricochet_solve::evaluate::Evaluator;
    /// let (policy, mut evaluator) = (Policy::default(), Evaluator::new());
    /// for played in ["[]", r#"["GE"]"#] {
    ///     let request = format!(r#"{{"ask":"position","puzzle":"4x3..0012.R31","moves":{played}}}"#);
    ///     let request = Request::from_json(&request).unwrap();
    ///     assert!(Call::new(&policy).with_evaluator(&mut evaluator).answer(&request).is_ok());
    /// }
    /// ```
    #[must_use]
    pub fn with_evaluator(mut self, evaluator: &'a mut Evaluator) -> Self {
        self.evaluator = Some(evaluator);
        self
    }

    /// Answers a request.
    ///
    /// # Errors
    /// If the request cannot be answered, for example because its text is not a puzzle or its solver does
    /// not exist. Reaching a limit is not an error.
    pub fn answer(mut self, request: &Request) -> Result<Answer, Error> {
        request.answer(&mut self)
    }

    pub(crate) fn policy(&self) -> &'a Policy {
        self.policy
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.clock.elapsed()
    }

    pub(crate) fn report(&mut self, progress: &Progress) {
        (self.watch)(progress);
    }

    /// The budget for all steps of an answer.
    pub(crate) fn budget(&self, requested: &RequestLimits) -> Budget {
        let mut limits = self.policy.limits(requested);
        limits.cancel = Some(self.cancel.clone());
        Budget::start(&limits)
    }

    /// Takes the evaluator out, so that the call can report progress while it is in use.
    pub(crate) fn take_evaluator(&mut self) -> Option<&'a mut Evaluator> {
        self.evaluator.take()
    }

    pub(crate) fn restore_evaluator(&mut self, evaluator: Option<&'a mut Evaluator>) {
        self.evaluator = evaluator;
    }

    pub(crate) fn cancel_token(&self) -> CancelToken {
        self.cancel.clone()
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// The seed for a request that has none.
    pub(crate) fn seed_or_random(&self) -> u64 {
        self.seed.unwrap_or_else(random_seed)
    }

    /// All puzzles of a text, valid or not.
    pub(crate) fn records(
        &self,
        text: &str,
        format: Option<Format>,
        options: ReadOptions,
    ) -> Result<Vec<Record>, Error> {
        if text.len() > self.policy.text {
            return Err(Error::new(
                ErrorKind::TooLarge,
                format!(
                    "the text has {} bytes, but the limit is {}",
                    text.len(),
                    self.policy.text
                ),
            )
            .with_code(
                Code::new("text-too-long")
                    .with("bytes", text.len())
                    .with("most", self.policy.text),
            ));
        }
        let mut records = Vec::new();
        for record in Records::with_options(text.as_bytes(), format, options) {
            if records.len() == self.policy.puzzles {
                return Err(Error::new(
                    ErrorKind::TooLarge,
                    format!("the text has more than {} puzzles", self.policy.puzzles),
                )
                .with_code(Code::new("too-many-puzzles").with("most", self.policy.puzzles)));
            }
            records.push(record?);
        }
        Ok(records)
    }

    /// The puzzle of a request, parsed on first use.
    pub(crate) fn puzzle(&self, input: &PuzzleInput) -> Result<Arc<Puzzle>, Error> {
        input.get(|text| self.parse(text))
    }

    fn parse(&self, text: &str) -> Result<Puzzle, Error> {
        let mut records = self.records(text, None, ReadOptions::default())?;
        if records.len() != 1 {
            return Err(Error::bad_request(format!(
                "expected one puzzle, found {}",
                records.len()
            ))
            .with_code(Code::new("not-one-puzzle").with("found", records.len())));
        }
        Ok(records.remove(0).setup.validate()?)
    }

    /// A solver from the registry, with its threads and memory limited by the policy.
    pub(crate) fn solver(
        &self,
        name: Option<&str>,
        options: &BTreeMap<String, OptionValue>,
    ) -> Result<Box<dyn Solver>, Error> {
        let mut spec: SolverSpec = name.unwrap_or(SOLVER).parse()?;
        for (key, value) in options {
            spec.set(key, &value.to_string())?;
        }
        let text = spec.to_string();
        let given = |key: &str| {
            let mut pairs = text.split(':').filter_map(|pair| pair.split_once('='));
            pairs.find(|pair| pair.0 == key).map(|pair| pair.1)
        };
        if !self.policy.files && given("file").is_some_and(|file| !file.is_empty()) {
            return Err(Error::new(
                ErrorKind::Unsupported,
                "requests cannot name files on this machine",
            ));
        }
        for (key, most) in [
            ("threads", Some(u64::from(self.policy.threads.max(1)))),
            ("memory", self.policy.memory_mib),
        ] {
            let wanted = given(key).and_then(|value| value.parse::<u64>().ok());
            if let (Some(wanted), Some(most)) = (wanted, most)
                && wanted > most
            {
                spec.set(key, &most.to_string())?;
            }
        }
        Ok(spec.build())
    }

    /// The default solver, which always gives the same solution.
    pub(crate) fn default_solver(&self) -> Result<Box<dyn Solver>, Error> {
        self.solver(None, &BTreeMap::new())
    }

    /// Runs a search of a solver with this guarantee and reports its progress.
    pub(crate) fn observe<T>(
        &mut self,
        guarantee: Guarantee,
        search: impl FnOnce(&mut dyn Observer) -> T,
    ) -> T {
        search(&mut DepthReporter {
            call: self,
            nodes: 0,
            proves: guarantee == Guarantee::Optimal,
        })
    }

    /// Runs a solver, reports its progress, and replays its solution.
    pub(crate) fn solve(
        &mut self,
        solver: &mut dyn Solver,
        puzzle: &Puzzle,
        limits: &Limits,
    ) -> Result<VerifiedSearch, Error> {
        self.observe(solver.guarantee(), |observer| {
            VerifiedSearch::run(solver, puzzle, limits, observer)
        })
    }

    /// The same, and sends the events of the search to a recorder.
    pub(crate) fn record(
        &mut self,
        solver: &mut dyn Solver,
        puzzle: &Puzzle,
        limits: &Limits,
        recorder: &mut Recorder,
    ) -> Result<VerifiedSearch, Error> {
        self.observe(solver.guarantee(), |reporter| {
            let mut observer = RecordingObserver { reporter, recorder };
            VerifiedSearch::run(solver, puzzle, limits, &mut observer)
        })
    }

    /// Solves with the default solver, within the limits of a request.
    pub(crate) fn solve_by_default(
        &mut self,
        puzzle: &Puzzle,
        limits: &RequestLimits,
    ) -> Result<VerifiedSearch, Error> {
        let mut solver = self.default_solver()?;
        let limits = self.budget(limits).left();
        self.solve(solver.as_mut(), puzzle, &limits)
    }
}

/// A finished search whose solution, if it has one, was replayed cell by cell.
#[derive(Clone, Debug)]
pub struct VerifiedSearch {
    /// The solver's result.
    pub outcome: Outcome,
    /// The replay of the solution.
    pub trace: Option<Trace>,
    /// The cost of the search.
    pub stats: Stats,
}

impl VerifiedSearch {
    /// Runs a solver and replays its solution.
    ///
    /// # Errors
    /// If the solution is wrong, which is a bug in the solver.
    pub fn run(
        solver: &mut dyn Solver,
        puzzle: &Puzzle,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> Result<Self, Error> {
        let (outcome, stats) = solver.solve(puzzle, limits, observer);
        let replay = outcome.solution().map(|solution| solution.replay(puzzle));
        let trace = replay.transpose().map_err(|error| {
            Error::new(
                ErrorKind::Internal,
                format!("the solution of {} is wrong: {error}", solver.name()),
            )
        })?;
        Ok(Self {
            outcome,
            trace,
            stats,
        })
    }
}

/// Reports every depth of a search as progress.
struct DepthReporter<'t, 'a> {
    call: &'t mut Call<'a>,
    nodes: u64,
    proves: bool,
}

impl Observer for DepthReporter<'_, '_> {
    fn depth_done(&mut self, row: &DepthRow) {
        self.nodes += row.nodes;
        let progress = Progress {
            depth: Some(row.depth),
            counts: Some(row.into()),
            // The search may have ended with a solution of this depth, so no more is proved.
            lower_bound: self.proves.then_some(row.depth),
            nodes: self.nodes,
            ms: self.call.elapsed().as_millis() as u64,
            ..Progress::default()
        };
        self.call.report(&progress);
    }
}

/// Reports progress to one observer and events to a recorder.
struct RecordingObserver<'a> {
    reporter: &'a mut dyn Observer,
    recorder: &'a mut Recorder,
}

impl Observer for RecordingObserver<'_> {
    fn depth_done(&mut self, row: &DepthRow) {
        self.reporter.depth_done(row);
    }

    fn recorder(&mut self) -> Option<&mut Recorder> {
        Some(self.recorder)
    }
}
