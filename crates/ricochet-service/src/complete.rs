//! Which answers are final, and what a request asks to spend.

use crate::policy::RequestLimits;
use crate::questions::position::PositionOutcome;
use crate::questions::solve::SolveAnswer;
use crate::request::{Answer, Request};

impl SolveAnswer {
    fn is_complete(&self) -> bool {
        self.limit.is_none() && self.all_limit.is_none()
    }
}

impl Answer {
    /// Whether no limit of time, memory or nodes had a part in it, so that asking again would give
    /// the same.
    pub fn is_complete(&self) -> bool {
        let known = |outcome: PositionOutcome| outcome != PositionOutcome::Limit;
        match self {
            Self::Read(_)
            | Self::Validate(_)
            | Self::Convert(_)
            | Self::Formats(_)
            | Self::Quadrants(_)
            | Self::Compose(_)
            | Self::Solvers(_)
            | Self::Check(_)
            | Self::Overlay(_)
            | Self::Daily(_) => true,
            Self::Position(here) => {
                known(here.outcome) && here.moves.iter().all(|play| known(play.outcome))
            }
            Self::Solve(answer) | Self::All(answer) => answer.is_complete(),
            Self::Hint(hint) => hint.outcome != "limit",
            Self::Explain(told) => told.outcome != "limit",
            Self::Rate(rating) => rating.outcome != "limit",
            Self::Compare(compared) => compared.rows.iter().all(SolveAnswer::is_complete),
            Self::Distances(found) => found
                .robots
                .iter()
                .all(|robot| matches!(robot.limit.as_deref(), None | Some("move limit"))),
            Self::Generate(made) => made.outcome == "found",
            Self::Draw(picture) => picture.complete,
        }
    }
}

impl Request {
    /// What it asks to spend, if it may search.
    pub fn limits(&self) -> Option<RequestLimits> {
        match self {
            Self::Position(it) => Some(it.limits),
            Self::Solve(it) => Some(it.limits),
            Self::All(it) => Some(it.limits),
            Self::Hint(it) => Some(it.limits),
            Self::Explain(it) => Some(it.limits),
            Self::Rate(it) => Some(it.limits),
            Self::Compare(it) => Some(it.limits),
            Self::Distances(it) => Some(it.limits),
            Self::Generate(it) => Some(it.limits),
            Self::Draw(it) => Some(it.limits),
            _ => None,
        }
    }

    /// The same question with nothing said about what it may spend: how hard a question is does not
    /// depend on that.
    #[must_use]
    pub fn without_limits(&self) -> Self {
        let mut same = self.clone();
        match &mut same {
            Self::Position(it) => it.limits = RequestLimits::default(),
            Self::Solve(it) => it.limits = RequestLimits::default(),
            Self::All(it) => it.limits = RequestLimits::default(),
            Self::Hint(it) => it.limits = RequestLimits::default(),
            Self::Explain(it) => it.limits = RequestLimits::default(),
            Self::Rate(it) => it.limits = RequestLimits::default(),
            Self::Compare(it) => it.limits = RequestLimits::default(),
            Self::Distances(it) => it.limits = RequestLimits::default(),
            Self::Generate(it) => it.limits = RequestLimits::default(),
            Self::Draw(it) => it.limits = RequestLimits::default(),
            _ => {}
        }
        same
    }
}
